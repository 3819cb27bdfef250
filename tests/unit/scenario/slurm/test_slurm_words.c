/* scenario/slurm: every word of scontrol, sacctmgr and sbatch from 21.08 to 26.05 is known, in full and with the fewest
 * letters that the source accepts. */
#include "fsprio.h"
#include "fs/scenario.h"

#define SITE \
	HEADER CONFIG("'AccountingStorageEnforce':['associations'],'PriorityWeightAge':1000,'PriorityMaxAge':100000") \
	TRES REC("tres", "'id':5,'name':'billing'") NODES \
	REC("partition", "'name':'p','state':'UP','nodes':'a,b','is_default':true,'tres':{'cpu':640}") \
	REC("user", "'name':'u','default_account':'a'") QOS \
	REC("reservation", "'name':'r','start_time':1700009000,'end_time':1700019000,'nodes':'a','users':['u']") \
	REC("association", "'id':1,'account':'root','shares':1") \
	REC("association", "'id':2,'account':'a','parent':'root','shares':3") \
	REC("association", "'id':4,'account':'a','user':'u','shares':1,'qos':['low'],'default_qos':'low'") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'time_limit_s':3600,'user':'u'," \
		   "'account':'a','association':4,'partitions':['p'],'qos':['low'],'nodes':1,'cpus':4," \
		   "'tres_req':{'cpu':4,'mem':40,'node':1,'billing':4}") \
	REC("job", "'id':11,'state':'RUNNING','start_time':1699999000,'end_time':1700002600,'time_limit_s':3600,'user':'u'," \
		   "'account':'a','association':4,'partitions':['p'],'qos':['low'],'nodes':1,'cpus':4")

/* The result of a command: its notes, and either the changed snapshot or the reason why the command was refused. */
struct outcome {
	struct fst_sink written;
	char told[4096];
	bool refused;
};

static void keep_note(void *ctx, const char *sentence)
{
	struct outcome *o = ctx;
	const size_t len = strlen(o->told);

	snprintf(o->told + len, sizeof(o->told) - len, "%s\n", sentence);
}

static void run(struct outcome *o, const char *command)
{
	const struct fs_edit_options options = { .viewer = "u", .note = keep_note, .note_ctx = o };
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_error err;

	*o = (struct outcome){ .refused = false };
	o->refused = fs_snapshot_edit(m, command, &options, &err) != 0;
	if (o->refused)
		keep_note(o, err.message);
	else
		o->written = fst_written(m);
	fs_snapshot_free(m);
}

/* Runs the command with the word, cut to at most `len` letters, and its value. */
static void try(struct outcome *o, const char *command, const char *word, int len, const char *value)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%.*s%s%s", command, len, word, *value ? "=" : "", value);
	run(o, text);
	if (strstr(o->told, "there is no") || strstr(o->told, "unknown ") || strstr(o->told, "requires a value")) {
		print_error("%s: %s\n", text, o->told);
		fail();
	}
}

struct word {
	const char *name;
	int least;
	const char *value;
};

static void check(const char *command, const struct word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct outcome whole, shortest;

		try(&whole, command, words[i].name, 64, words[i].value);
		try(&shortest, command, words[i].name, words[i].least, words[i].value);
		if (whole.refused != shortest.refused || strcmp(whole.told, shortest.told) != 0 ||
		    (!whole.refused && strcmp(whole.written.data, shortest.written.data) != 0)) {
			print_error("%s%s is not what %.*s is: %s%s", command, words[i].name, words[i].least, words[i].name,
				    whole.told, shortest.told);
			fail();
		}
		fst_free(&whole.written);
		fst_free(&shortest.written);
	}
}

#define CHECK(command, ...) check(command, (const struct word[]){ __VA_ARGS__ }, \
				  sizeof((const struct word[]){ __VA_ARGS__ }) / sizeof(struct word))

/* src/scontrol/update_job.c: scontrol_update_job */
static void every_word_for_a_job_is_known(void **state)
{
	(void)state;
	CHECK("scontrol update job 9 ", { "AdminComment", 6, "x" }, { "SiteFactor", 5, "7" }, { "ArrayTaskThrottle", 10, "2" },
	      { "Comment", 3, "x" }, { "Clusters", 8, "c" }, { "ClusterFeatures", 8, "x" }, { "DelayBoot", 5, "5" },
	      { "Extra", 3, "x" }, { "TimeLimit", 5, "5" }, { "TimeMin", 5, "5" }, { "Priority", 2, "5" }, { "Nice", 2, "5" },
	      { "Nice", 2, "" }, { "ResetAccrueTime", 3, "" }, { "CPUsPerTask", 9, "2" }, { "CpusPerTres", 9, "gres:gpu:2" },
	      { "NumCPUs", 6, "8" }, { "NumTasks", 8, "2" }, { "ReqProcs", 8, "2" }, { "Requeue", 4, "1" },
	      { "ReqNodes", 8, "2" }, { "NumNodes", 8, "2" }, { "ReqSockets", 4, "1" }, { "ReqCores", 4, "1" },
	      { "TasksPerNode", 2, "2" }, { "ReqThreads", 4, "1" }, { "MinCPUsNode", 4, "2" }, { "MinMemoryNode", 10, "100" },
	      { "MinMemoryCPU", 10, "100" }, { "MinTmpDiskNode", 5, "100" }, { "Partition", 2, "p" }, { "QOS", 2, "low" },
	      { "ReservationName", 3, "r" }, { "Name", 2, "x" }, { "JobName", 4, "x" }, { "WCKey", 1, "x" },
	      { "StdErr", 6, "x" }, { "StdIn", 5, "x" }, { "StdOut", 6, "x" }, { "Switches", 5, "1@30:00" },
	      { "wait-for-switch", 6, "60" }, { "OverSubscribe", 2, "YES" }, { "Shared", 2, "YES" }, { "Contiguous", 3, "YES" },
	      { "CoreSpec", 4, "1" }, { "MemPerTres", 5, "gres:gpu:100" }, { "ThreadSpec", 4, "1" },
	      { "TresBind", 5, "gpu:closest" }, { "TresFreq", 5, "gpu:low" }, { "TresPerJob", 8, "gres:gpu:2" },
	      { "TresPerNode", 8, "gres:gpu:2" }, { "TresPerSocket", 8, "gres:gpu:2" }, { "TresPerTask", 8, "gres:gpu:2" },
	      { "ExcNodeList", 3, "a" }, { "NodeList", 8, "b" }, { "ReqNodeList", 8, "b" }, { "Features", 1, "x" },
	      { "Prefer", 3, "x" }, { "Gres", 2, "gpu:1" }, { "Account", 1, "a" }, { "BurstBuffer", 1, "x" },
	      { "Dependency", 1, "afterok:11" }, { "Licenses", 1, "x" }, { "EligibleTime", 2, "now+1hours" },
	      { "StartTime", 2, "now+1hours" }, { "EndTime", 2, "now+1hours" }, { "Reboot", 3, "YES" }, { "UserID", 3, "0" },
	      { "Deadline", 3, "now+9hours" }, { "WorkDir", 2, "/x" }, { "MailType", 5, "END" }, { "MailUser", 5, "x" },
	      { "MCSLabel", 4, "x" });
}

/* src/scontrol/update_part.c: scontrol_parse_part_options */
static void every_word_for_a_partition_is_known(void **state)
{
	(void)state;
	CHECK("scontrol update PartitionName=p ", { "MaxTime", 4, "5" }, { "CpuBind", 7, "none" }, { "DefaultTime", 8, "5" },
	      { "MaxCPUsPerNode", 4, "5" }, { "MaxCPUsPerSocket", 11, "5" }, { "MaxNodes", 4, "5" }, { "MinNodes", 2, "1" },
	      { "Default", 7, "NO" }, { "DisableRootJobs", 1, "NO" }, { "Exclusive", 9, "NODE" }, { "ExclusiveUser", 1, "YES" },
	      { "ExclusiveTopo", 10, "YES" }, { "Hidden", 1, "NO" }, { "LLN", 1, "YES" }, { "RootOnly", 3, "YES" },
	      { "ReqResv", 3, "YES" }, { "OverSubscribe", 5, "NO" }, { "Shared", 2, "NO" }, { "OverTimeLimit", 5, "5" },
	      { "PowerDownOnIdle", 1, "YES" }, { "PreemptMode", 3, "OFF" }, { "Priority", 3, "5" },
	      { "PriorityJobFactor", 9, "5" }, { "PriorityTier", 9, "5" }, { "State", 2, "DOWN" }, { "Nodes", 1, "a" },
	      { "AllowGroups", 6, "x" }, { "AllowAccounts", 6, "a" }, { "AllowQos", 6, "low" }, { "DenyAccounts", 5, "a" },
	      { "DenyQos", 5, "low" }, { "AllocNodes", 6, "a" }, { "Alternate", 3, "p" }, { "GraceTime", 5, "5" },
	      { "DefMemPerCPU", 10, "5" }, { "DefMemPerNode", 10, "5" }, { "MaxMemPerCPU", 10, "5" },
	      { "MaxMemPerNode", 10, "5" }, { "QoS", 3, "low" }, { "JobDefaults", 4, "DefCpuPerGPU=2" }, { "Topology", 4, "x" },
	      { "TresBillingWeights", 1, "CPU=2" });
}

/* src/scontrol/update_node.c: scontrol_update_node */
static void every_word_for_a_node_is_known(void **state)
{
	(void)state;
	CHECK("scontrol update NodeName=a ", { "NodeAddr", 5, "x" }, { "NodeHostName", 5, "x" }, { "ActiveFeatures", 3, "x" },
	      { "CertToken", 1, "x" }, { "CpuBind", 7, "none" }, { "Extra", 1, "x" }, { "Features", 1, "x" },
	      { "AvailableFeatures", 3, "x" }, { "Gres", 1, "gpu:1" }, { "InstanceId", 9, "x" }, { "InstanceType", 9, "x" },
	      { "Weight", 1, "5" }, { "Comment", 2, "x" }, { "Reason", 1, "x" }, { "ResumeAfter", 4, "60" },
	      { "State", 1, "DRAIN" }, { "Topology", 4, "x" });
}

/* src/scontrol/create_res.c: _parse_res_options */
static void every_word_for_a_reservation_is_known(void **state)
{
	(void)state;
	CHECK("scontrol update ReservationName=r ", { "Skip", 2, "" }, { "Accounts", 1, "a" }, { "AllowedPartitions", 2, "p" },
	      { "Comment", 3, "x" }, { "Flags", 2, "MAINT" }, { "Groups", 1, "x" }, { "Users", 1, "u" }, { "QOS", 1, "low" },
	      { "BurstBuffer", 2, "x" }, { "StartTime", 2, "now+1hours" }, { "EndTime", 1, "now+9hours" }, { "Duration", 1, "60" },
	      { "MaxStartDelay", 2, "60" }, { "NodeCnt", 5, "1" }, { "NodeCount", 6, "1" }, { "CoreCnt", 5, "1" },
	      { "CoreCount", 6, "1" }, { "CPUCnt", 5, "1" }, { "CPUCount", 6, "1" }, { "Nodes", 5, "b" }, { "Features", 2, "x" },
	      { "Licenses", 2, "x" }, { "PartitionName", 1, "p" }, { "TRES", 1, "cpu=1" }, { "TRESPerNode", 5, "gres/gpu=1" },
	      { "Watts", 1, "5" });
}

/* sacctmgr compares a word first with those in _set_rec (account_functions.c, user_functions.c), then with those in
 * sacctmgr_set_assoc_rec (association_functions.c). */
static void every_word_for_associations_is_known(void **state)
{
	(void)state;
	CHECK("sacctmgr modify account a set ", { "Description", 1, "x" }, { "Flags", 2, "NoUsersAreCoords" },
	      { "Organization", 1, "x" }, { "RawUsage", 7, "0" }, { "Comment", 2, "x" }, { "DefaultQOS", 8, "low" },
	      { "FairShare", 2, "5" }, { "Shares", 1, "5" }, { "GrpCPUMins", 7, "5" }, { "GrpCPURunMins", 7, "5" },
	      { "GrpCpus", 7, "5" }, { "GrpJobs", 4, "5" }, { "GrpJobsAccrue", 8, "5" }, { "GrpMemory", 4, "5" },
	      { "GrpNodes", 4, "5" }, { "GrpSubmitJobs", 4, "5" }, { "GrpTRES", 7, "cpu=5" }, { "GrpTRESMins", 8, "cpu=5" },
	      { "GrpTRESRunMins", 8, "cpu=5" }, { "GrpWall", 4, "5" }, { "MaxCPUMinsPerJob", 7, "5" }, { "MaxCPURunMins", 7, "5" },
	      { "MaxCpusPerJob", 7, "5" }, { "MaxJobs", 4, "5" }, { "MaxJobsAccrue", 8, "5" }, { "MaxNodesPerJob", 4, "5" },
	      { "MinPrioThresh", 4, "5" }, { "MaxSubmitJobs", 4, "5" }, { "MaxTRES", 7, "cpu=5" }, { "MaxTRESPJ", 9, "cpu=5" },
	      { "MaxTRESPerJob", 11, "cpu=5" }, { "MaxTRESPerNode", 11, "cpu=5" }, { "MaxTRESPN", 9, "cpu=5" },
	      { "MaxTRESMinsPerJob", 8, "cpu=5" }, { "MaxTRESMinsPJ", 13, "cpu=5" }, { "MaxTRESRunMins", 8, "cpu=5" },
	      { "MaxWallDurationPerJob", 4, "5" }, { "Parent", 2, "root" }, { "Priority", 2, "5" }, { "QosLevel", 1, "low" });
	CHECK("sacctmgr modify user u where account=a set ", { "AdminLevel", 2, "Operator" }, { "DefaultAccount", 8, "a" },
	      { "DefaultWCKey", 8, "x" }, { "NewName", 1, "x" }, { "RawUsage", 7, "0" }, { "DefaultQOS", 8, "low" },
	      { "FairShare", 1, "parent" }, { "Priority", 2, "5" });
}

/* src/sacctmgr/qos_functions.c: _set_rec */
static void every_word_for_a_qos_is_known(void **state)
{
	(void)state;
	CHECK("sacctmgr modify qos low set ", { "Description", 1, "x" }, { "Flags", 2, "DenyOnLimit" }, { "GraceTime", 3, "5" },
	      { "GrpCPUMins", 7, "5" }, { "GrpCPURunMins", 7, "5" }, { "GrpCPUs", 7, "5" }, { "GrpJobs", 4, "5" },
	      { "GrpJobsAccrue", 8, "5" }, { "GrpMemory", 4, "5" }, { "GrpNodes", 4, "5" }, { "GrpSubmitJobs", 4, "5" },
	      { "GrpTRES", 7, "cpu=5" }, { "GrpTRESMins", 8, "cpu=5" }, { "GrpTRESRunMins", 8, "cpu=5" }, { "GrpWall", 4, "5" },
	      { "LimitFactor", 6, "5" }, { "MaxCPUMinsPerJob", 7, "5" }, { "MaxCPUsPerJob", 7, "5" }, { "MaxCPUsPerUser", 11, "5" },
	      { "MaxCPUsPU", 9, "5" }, { "MaxJobsAccruePerAccount", 17, "5" }, { "MaxJobsAccruePA", 15, "5" },
	      { "MaxJobsAccruePerUser", 17, "5" }, { "MaxJobsAccruePU", 15, "5" }, { "MaxJobsPerAccount", 11, "5" },
	      { "MaxJobsPA", 9, "5" }, { "MaxJobsPerUser", 4, "5" }, { "MaxJobsPU", 9, "5" }, { "MaxNodesPerJob", 4, "5" },
	      { "MaxNodesPerUser", 12, "5" }, { "MaxNodesPU", 10, "5" }, { "MaxSubmitJobsPerAccount", 17, "5" },
	      { "MaxSubmitJobsPA", 15, "5" }, { "MaxSubmitJobsPerUser", 4, "5" }, { "MaxSubmitJobsPU", 15, "5" },
	      { "MaxTRESPerAccount", 11, "cpu=5" }, { "MaxTRESPA", 9, "cpu=5" }, { "MaxTRES", 7, "cpu=5" },
	      { "MaxTRESPJ", 9, "cpu=5" }, { "MaxTRESPerJob", 11, "cpu=5" }, { "MaxTRESPerNode", 11, "cpu=5" },
	      { "MaxTRESPN", 9, "cpu=5" }, { "MaxTRESPerUser", 11, "cpu=5" }, { "MaxTRESPU", 9, "cpu=5" },
	      { "MaxTRESMinsPerJob", 8, "cpu=5" }, { "MaxTRESMinsPJ", 13, "cpu=5" }, { "MaxTRESRunMinsPerAccount", 24, "cpu=5" },
	      { "MaxTRESRunMinsPerAcct", 21, "cpu=5" }, { "MaxTRESRunMinsPA", 16, "cpu=5" },
	      { "MaxTRESRunMinsPerUser", 20, "cpu=5" }, { "MaxTRESRunMinsPU", 16, "cpu=5" }, { "MaxWallDurationPerJob", 4, "5" },
	      { "MinCPUsPerJob", 7, "5" }, { "MinPrioThresh", 4, "5" }, { "MinTRESPerJob", 7, "cpu=5" }, { "PreemptMode", 8, "OFF" },
	      { "Preempt", 7, "high" }, { "PreemptExemptTime", 8, "5" }, { "Priority", 3, "5" }, { "RawUsage", 7, "0" },
	      { "UsageFactor", 6, "5" }, { "UsageThreshold", 6, "5" });
}

/* The options in src/common/slurm_opt.c that have a set_func or a set_func_sbatch. */
static void every_option_of_sbatch_is_known(void **state)
{
	/* `least`: 0 if the option is refused because it submits no job or only root may use it, otherwise 1 */
	static const struct word words[] = {
		{ "account", 1, "a" }, { "acctg-freq", 1, "x" }, { "array", 1, "0-3" }, { "batch", 1, "x" },
		{ "bbf", 1, "x" }, { "begin", 1, "now" }, { "bb", 1, "x" }, { "cluster-constraint", 1, "x" },
		{ "chdir", 1, "x" }, { "clusters", 1, "x" }, { "cluster", 1, "x" }, { "comment", 1, "x" },
		{ "constraint", 1, "x" }, { "container", 1, "x" }, { "context", 1, "x" },
		{ "contiguous", 1, "" }, { "core-spec", 1, "1" }, { "cores-per-socket", 1, "2" },
		{ "cpu-freq", 1, "x" }, { "cpus-per-gpu", 1, "2" }, { "cpus-per-task", 1, "2" },
		{ "deadline", 1, "now+9hours" }, { "delay-boot", 1, "x" }, { "dependency", 1, "afterok:11" },
		{ "distribution", 1, "x" }, { "error", 1, "x" }, { "exclude", 1, "a" },
		{ "exclusive", 1, "" }, { "export", 1, "x" }, { "export-file", 1, "x" },
		{ "extra-node-info", 1, "x" }, { "get-user-env", 1, "" }, { "gid", 1, "x" },
		{ "gpu-bind", 1, "x" }, { "gpu-freq", 1, "x" }, { "gpus", 1, "1" },
		{ "gpus-per-node", 1, "1" }, { "gpus-per-socket", 1, "x" }, { "gpus-per-task", 1, "1" },
		{ "gres", 1, "gpu:1" }, { "gres-flags", 1, "x" }, { "help", 0, "" }, { "hint", 1, "x" },
		{ "hold", 1, "" }, { "ignore-pbs", 1, "" }, { "input", 1, "x" }, { "job-name", 1, "x" },
		{ "kill-on-invalid-dep", 1, "x" }, { "licenses", 1, "x" }, { "mail-type", 1, "x" },
		{ "mail-user", 1, "x" }, { "mcs-label", 1, "x" }, { "mem", 1, "5" }, { "mem-bind", 1, "x" },
		{ "mem-per-cpu", 1, "5" }, { "mem-per-gpu", 1, "5" }, { "mincpus", 1, "1" },
		{ "network", 1, "x" }, { "nice", 1, "" }, { "no-kill", 1, "" }, { "no-requeue", 1, "" },
		{ "nodefile", 1, "x" }, { "nodelist", 1, "b" }, { "nodes", 1, "1" }, { "ntasks", 1, "2" },
		{ "ntasks-per-core", 1, "x" }, { "ntasks-per-node", 1, "2" },
		{ "ntasks-per-socket", 1, "x" }, { "ntasks-per-tres", 1, "x" }, { "ntasks-per-gpu", 1, "2" },
		{ "open-mode", 1, "x" }, { "output", 1, "x" }, { "overcommit", 1, "" },
		{ "oversubscribe", 1, "" }, { "parsable", 1, "" }, { "partition", 1, "p" },
		{ "power", 1, "x" }, { "priority", 1, "5" }, { "profile", 1, "x" }, { "propagate", 1, "" },
		{ "qos", 1, "low" }, { "quiet", 1, "" }, { "reboot", 1, "" }, { "requeue", 1, "" },
		{ "reservation", 1, "r" }, { "signal", 1, "x" }, { "sockets-per-node", 1, "2" },
		{ "spread-job", 1, "" }, { "switches", 1, "1@30:00" }, { "tasks-per-node", 1, "2" },
		{ "test-only", 0, "" }, { "thread-spec", 1, "1" }, { "threads-per-core", 1, "1" },
		{ "time", 1, "9" }, { "time-min", 1, "1" }, { "tmp", 1, "4G" }, { "tmp", 0, "much" }, { "uid", 0, "1" },
		{ "use-min-nodes", 1, "" }, { "usage", 0, "" }, { "verbose", 1, "" }, { "version", 0, "" },
		{ "wait", 1, "" }, { "wait-all-nodes", 1, "x" }, { "wckey", 1, "x" }, { "wrap", 1, "x" },
		{ "prefer", 1, "x" }, { "autocomplete", 0, "x" }, { "container-id", 1, "x" },
		{ "extra", 1, "x" }, { "tres-per-task", 1, "x" }, { "tres-bind", 1, "x" },
		{ "resv-ports", 1, "" }, { "segment", 1, "x" }, { "stepmgr", 1, "" },
		{ "oom-kill-step", 1, "" }, { "external", 1, "" }, { "consolidate-segments", 1, "" },
		{ "resources", 1, "x" }, { "spread-segments", 1, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct outcome o;
		char text[128];

		snprintf(text, sizeof(text), "sbatch --gpus=1 -M c --%s%s%s", words[i].name, *words[i].value ? "=" : "", words[i].value);
		run(&o, text);
		if (o.refused != !words[i].least) {
			print_error("%s: %s\n", text, o.told);
			fail();
		}
		fst_free(&o.written);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_for_a_job_is_known),
		cmocka_unit_test(every_word_for_a_partition_is_known),
		cmocka_unit_test(every_word_for_a_node_is_known),
		cmocka_unit_test(every_word_for_a_reservation_is_known),
		cmocka_unit_test(every_word_for_associations_is_known),
		cmocka_unit_test(every_word_for_a_qos_is_known),
		cmocka_unit_test(every_option_of_sbatch_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
