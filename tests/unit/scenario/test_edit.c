/* scenario/: tests the changes that each command makes, the inverse commands, and who may run a command. Also checks
 * that no command text causes damage. */
#include "fsprio.h"
#include "fs/scenario.h"

/* The time is 1700000030; job 9 had waited 10000 s when priorities were last computed. */
#define SITE \
	HEADER CONFIG("'AccountingStorageEnforce':['associations','limits','qos'],'PriorityFlags':[]," \
		      "'PriorityWeightAge':1000,'PriorityMaxAge':100000,'PriorityWeightQOS':100,'PriorityCalcPeriod':60") \
	TRES REC("tres", "'id':5,'name':'billing'") NODES \
	REC("partition", "'name':'p','state':'UP','job_factor':20,'tier':1,'max_time_s':6000,'tres':{'cpu':640,'mem':1000}") \
	REC("partition", "'name':'q','state':'UP','job_factor':50,'tier':3,'tres':{'cpu':64},'billing_weights':'CPU=3'") \
	REC("partition", "'name':'shut','state':'DRAIN','tier':1") \
	REC("user", "'name':'u','admin':'none'") REC("user", "'name':'c','admin':'none','coordinates':['a']") \
	REC("user", "'name':'o','admin':'operator'") \
	QOS REC("qos", "'name':'slow','priority':20,'grp_jobs_accrue':2") \
	REC("association", "'id':1,'account':'root','shares':1,'priority':0,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'a','parent':'root','shares':3,'priority':4,'usage_tres_s':5,'max_jobs':7,'qos':['low']") \
	REC("association", "'id':3,'account':'b','parent':'root','shares':4,'priority':5,'usage_tres_s':0") \
	REC("association", "'id':4,'account':'a','user':'u','shares':1,'priority':4,'usage_tres_s':9,'qos':['low','slow'],'default_qos':'low'") \
	REC("association", "'id':5,'account':'b','user':'u','shares':2,'priority':6,'usage_tres_s':9,'qos':['low']") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'accrue_time':1699990000," \
		   "'time_limit_s':3600,'user':'u','account':'a','association':4,'partitions':['p'],'qos':['low']," \
		   "'reason':'Priority','priority':77,'nice':50,'nodes':1,'cpus':4,'mem_per_cpu_mb':10," \
		   "'tres_req':{'cpu':4,'mem':40,'node':1,'billing':4,'gres/gpu':2},'start_time':1700009999") \
	REC("job", "'id':11,'state':'RUNNING','start_time':1699999000,'end_time':1700002600,'time_limit_s':3600," \
		   "'user':'u','account':'a','association':4,'partitions':['p'],'qos':['low'],'nodes':1,'cpus':4") \
	REC("job", "'id':12,'state':'PENDING','submit_time':1000,'eligible_time':1000,'array_job_id':12,'array_tasks':'3-9%2'," \
		   "'user':'u','account':'a','association':4,'partitions':['p'],'qos':['low'],'cpus':1") \
	REC("job", "'id':14,'state':'PENDING','submit_time':1000,'eligible_time':1000,'array_job_id':12,'array_task_id':1," \
		   "'user':'u','account':'a','association':4,'partitions':['p'],'qos':['low'],'cpus':1,'size_factor':0.25") \
	REC("recorded", "'job':9,'partition':'p','priority':77") REC("recorded", "'job':12,'partition':'p','priority':78")

struct notes {
	char text[4096];
};

static void keep_note(void *ctx, const char *sentence)
{
	struct notes *n = ctx;
	const size_t len = strlen(n->text);

	snprintf(n->text + len, sizeof(n->text) - len, "%s\n", sentence);
}

static int edit_as(fs_snapshot *m, const char *viewer, const char *command, struct notes *n, struct fs_error *err)
{
	const struct fs_edit_options o = { .viewer = viewer, .note = keep_note, .note_ctx = n };

	*n = (struct notes){ "" };
	return fs_snapshot_edit(m, command, &o, err);
}

static void only_the_first_words_of_commands_begin_a_command(void **state)
{
	static const char *const begin[] = { "scontrol", "scancel", "sbatch", "sacctmgr", "PriorityWeightAge=0",
					     "priorityweightage=", "SchedulerParameters=bf_continue", "NodeName=", "PartitionName=p" };
	static const char *const within[] = { "", "Nice=5", "Partition=p", "Priority=", "Licenses=fluent", "ResetAccrueTime",
					      "ReservationName=r", "PriorityWeightAge", "update", "PriorityWeight=1" };
	fs_snapshot *m = fst_snapshot(SITE);

	(void)state;
	for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++)
		assert_true(fs_command_begins(m, begin[i]));
	for (size_t i = 0; i < sizeof(within) / sizeof(*within); i++)
		assert_false(fs_command_begins(m, within[i]));
	fs_snapshot_free(m);
}

static void edit(fs_snapshot *m, const char *command)
{
	struct notes n;
	struct fs_error err;

	fst_no_error(edit_as(m, NULL, command, &n, &err), &err);
}

/* Runs the commands; NULL marks the end of their list. Then checks the line of the snapshot that begins with
 * `begin`. */
static void check_line(const char *begin, const char *expected, const char *const *commands)
{
	fs_snapshot *m = fst_snapshot(SITE);

	for (; *commands; commands++)
		edit(m, *commands);
	fst_check_line(m, begin, expected);
	fs_snapshot_free(m);
}

#define JOB9 "{'type':'job','id':9,"
#define LINE(begin, expected, ...) check_line(begin, expected, (const char *const[]){ __VA_ARGS__, NULL })

static void scontrol_update_changes_the_fields_of_a_job(void **state)
{
	(void)state;
	LINE(JOB9, "'time_limit_s':600,", "scontrol update job 9 TimeLimit=10");
	LINE(JOB9, "'time_limit_s':5400,", "scontrol update JobId=9 TimeLimit+=30");
	LINE(JOB9, "'time_limit_s':'unlimited',", "scontrol update jobid=9 timelimit=UNLIMITED");
	LINE(JOB9, "'time_limit_s':120,", "scontrol update job 9 TimeLimit=0:1:01");
	LINE(JOB9, "'nice':100,", "scontrol update job 9 Nice");
	LINE(JOB9, "'nice':-7,", "scontrol update job 9 Nice=-7");
	LINE(JOB9, "'name':'a b'", "scontrol update job 9 JobName='a b'");
	LINE(JOB9, "'cpus':12,'mem_per_cpu_mb':10,'tres_req':{'cpu':12,'mem':40,'node':1,'billing':12,'gres/gpu':2}",
	     "scontrol update job 9 NumCPUs=12");
	LINE(JOB9, "'nodes':6,'max_nodes':6,'cpus':6,'mem_per_cpu_mb':10,'tres_req':{'cpu':6,'mem':60,'node':6,'billing':6,'gres/gpu':2}",
	     "scontrol update job 9 NumNodes=6");
	LINE(JOB9, "'max_nodes':3,", "scontrol update job 9 NumNodes=1-3");
	LINE(JOB9, "'mem':100,", "scontrol update job 9 MinMemoryNode=100");
	LINE(JOB9, "'mem':4096,", "scontrol update job 9 MinMemoryCPU=1G");
	LINE(JOB9, "'gres/gpu':10}", "scontrol update job 9 NumNodes=5 Gres=gpu:2");
	LINE(JOB9, "'node':1,'billing':4}", "scontrol update job 9 gres=");
	LINE(JOB9, "'gres_req':{'gres/gpu:a100':10}", "scontrol update job 9 NumNodes=5 Gres=gpu:a100:2");
	LINE(JOB9, "'priority':5,'priority_set':5,'nice':0", "scontrol update job 9 Priority=5");
	LINE(JOB9, "'qos':['slow'],", "scontrol update job 9 QOS=slow");
	LINE(JOB9, "'qos':['low'],", "scontrol update job 9 QOS=slow", "scontrol update job 9 QOS=");
	LINE(JOB9, "'account':'b','association':5,", "scontrol update job 9 Account=b");
	LINE("{'type':'job','id':11,", "'end_time':1699999600,", "scontrol update job 11 TimeLimit=10");
	LINE("{'type':'job','id':11,", "'end_time':1700001230,'time_limit_s':2280,", "scontrol update JobId=11 EndTime=now+20minutes");
	LINE("{'type':'job','id':12,", "'array_tasks':'3-9%5',", "scontrol update job 12 ArrayTaskThrottle=5");
	LINE("{'type':'job','id':12,", "'array_tasks':'3-9',", "scontrol update job 12 ArrayTaskThrottle=0");
	LINE("{'type':'job','id':14,", "'nice':3,", "scontrol update job 12 Nice=3");
	LINE("{'type':'job','id':14,", "'nice':3,", "scontrol update job 12_1 Nice=3");
	LINE("{'type':'job','id':12,", "'reason':'JobHeldAdmin','priority':0,", "scontrol hold 9,12");
	LINE("{'type':'job','id':9,", "'eligible_time':1700007230,", "scontrol update job 9 StartTime=now+2hours");
}

/* An edited array task that has no record of its own gets a new record, with an id above all others
 * (src/slurmctld/job_mgr.c: job_array_split). */
static void an_edited_array_task_becomes_a_job_of_its_own(void **state)
{
	(void)state;
	LINE("{'type':'job','id':12,", "'array_tasks':'3,5-9%2'", "scontrol update job 12_4 Nice=8");
	LINE("{'type':'job','id':15,", "'array_job_id':12,'submit_time':1000,'eligible_time':1000,'array_task_id':4,",
	     "scontrol update job 12_4 Nice=8");
	LINE("{'type':'job','id':15,", "'nice':8", "scontrol update job 12_4 Nice=8");
	LINE("{'type':'job','id':16,", "'priority':0", "scontrol hold 12_3,12_[5-7]");
	LINE("{'type':'job','id':18,", "'array_task_id':7,", "scontrol hold 12_3,12_[5-7]");
	LINE("{'type':'job','id':12,", "'array_tasks':'4,8-9%2'", "scontrol hold 12_3,12_[5-7]");
	LINE("{'type':'job','id':15,", "'nice':9", "scontrol update job 12_4 Nice=8", "scontrol update job 12 Nice=9");
	LINE("{'type':'job','id':15,", "'nice':9", "scontrol update job 12_4 Nice=8", "scontrol update job 12_4 Nice=9");
	LINE("{'type':'job','id':12,", "'array_tasks':'3-9%2'", "scontrol update job 12_[1,3-9] Nice=9");
	LINE("{'type':'job','id':14,", "'nice':9", "scontrol update job 12_[1,3-9] Nice=9");
	LINE("{'type':'job','id':12,", "'array_task_id':9,", "scontrol update job 12_3-8 Nice=9");
	LINE("{'type':'job','id':12,", "'array_tasks':'4-9%2'", "scancel 12_3");
	LINE("{'type':'job','id':14,", "'array_task_id':1,", "scancel 12_[3-9]");
}

/* If the scheduler has tried a job with GPUs, the job keeps the number of CPUs that its GPUs needed in that try
 * (gpu_cpus), even if its request is changed later. */
static void cpus_from_gpus_stay_after_later_changes(void **state)
{
	static const struct {
		const char *job, *command, *expected; /* `expected` NULL: the job gets no field gpu_cpus */
	} tests[] = {
		{ "'last_sched_eval':5,'cpus_per_gpu':4", "TresPerJob=gres:gpu:6", "'gpu_cpus':12" },
		{ "'last_sched_eval':5,'cpus_per_gpu':4", "CpusPerTres=gres:gpu:1", "'gpu_cpus':12" },
		{ "'last_sched_eval':5", "CpusPerTres=gres:gpu:4", "'gpu_cpus':0" },
		{ "'last_sched_eval':5,'cpus_per_gpu':2,'cpus_per_gpu_default':true", "Partition=q", "'gpu_cpus':6" },
		{ "'last_sched_eval':5,'cpus_per_gpu':4,'gpu_cpus':7", "CpusPerTres=gres:gpu:1", "'gpu_cpus':7" },
		{ "'cpus_per_gpu':4", "TresPerJob=gres:gpu:6", NULL },
		{ "'last_sched_eval':5,'cpus_per_gpu':4", "Nice=5", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		char text[1024], command[128];
		struct fst_sink out;
		fs_snapshot *m;

		snprintf(text, sizeof(text), HEADER TRES REC("partition", "'name':'p','state':'UP'") REC("partition", "'name':'q','state':'UP'")
			 REC("job", "'id':9,'state':'PENDING','user':'u','partitions':['p'],'nodes':1,'cpus':1,'gres_per':'job',"
				    "'tres_req':{'cpu':1,'node':1,'gres/gpu':3},%s"), tests[i].job);
		snprintf(command, sizeof(command), "scontrol update job 9 %s", tests[i].command);
		m = fst_snapshot(text);
		edit(m, command);
		out = fst_written(m);
		if (tests[i].expected)
			fst_check_line(m, JOB9, tests[i].expected);
		else
			assert_null(strstr(out.data, "gpu_cpus"));
		assert_null(strstr(out.data, "cpus_per_gpu_default"));
		fst_free(&out);
		fs_snapshot_free(m);
	}
}

/* scontrol shortens long lists of array tasks. */
static void tasks_are_removed_from_shortened_and_long_lists(void **state)
{
	fs_snapshot *m = fst_snapshot(
		HEADER TRES REC("job", "'id':12,'state':'PENDING','submit_time':1,'user':'u','array_job_id':12,"
				       "'array_tasks':'3-5,7,...%2','licenses':'a:1'")
			REC("job", "'id':22,'state':'PENDING','submit_time':1,'user':'u','array_job_id':22,'array_tasks':'0-200000'"));
	struct notes n;
	struct fs_error err;

	(void)state;
	edit(m, "scontrol update job 12_[3-4] Licenses=a:2");
	fst_check_line(m, "{'type':'job','id':12,", "'array_tasks':'5,7,...%2'");
	fst_check_line(m, "{'type':'job','id':12,", "'licenses':'a:1'");
	fst_check_line(m, "{'type':'job','id':24,", "'licenses':'a:2'");
	edit(m, "scontrol hold 12_[5,7]");
	fst_check_line(m, "{'type':'job','id':12,", "'array_tasks':'...%2'");
	assert_int_equal(edit_as(m, NULL, "scontrol hold 12_20", &n, &err), FS_EUSAGE);
	assert_string_equal(err.message, "job 12_20 is not in the snapshot");
	assert_int_equal(edit_as(m, NULL, "scontrol hold 22_[1-200000]", &n, &err), FS_EUSAGE);
	assert_string_equal(err.message, "cannot change 200000 tasks of array 22 separately; the maximum is 100000");
	assert_int_equal(edit_as(m, NULL, "scontrol hold 22_[199999-200002]", &n, &err), 0);
	assert_string_equal(n.text, "task 199999 of array 22 becomes job 27\ntask 200000 of array 22 becomes job 28\n"
				    "not all tasks of 22_[199999-200002] are in the snapshot; the others are changed\n");
	fs_snapshot_free(m);
}

#define OF_2205 \
	"{'type':'snapshot','format':1,'time':1700000030,'cluster':'c','scheduler':'slurm 22.05.8'}\n" TRES \
	REC("job", "'id':31,'state':'PENDING','submit_time':1000,'user':'u','nodes':2,'max_nodes':2,'cpus':2,'het_job_id':31,'het_offset':0," \
		   "'tres_req':{'cpu':2,'node':2,'gres/gpu':4},'gres_req':{'gres/gpu:a100':4}") \
	REC("job", "'id':32,'state':'PENDING','submit_time':1000,'user':'u','nodes':1,'cpus':1,'het_job_id':31,'het_offset':1," \
		   "'tres_req':{'cpu':1,'node':1,'gres/gpu':1}")

/* Each expected result was observed on a running controller of version 22.05. */
static void version_22_05_updates_het_jobs_as_observed(void **state)
{
	static const struct {
		const char *command, *first, *second; /* expected fields of the components; NULL: command refused */
	} is[] = {
		{ "scontrol update job 31 TimeLimit=7", "'time_limit_s':420", "'time_limit_s':420" },
		{ "scontrol update job 31+0 TimeLimit=7", "'time_limit_s':420", "'submit_time':1000,'het_offset':1,'user':'u'" },
		{ "scontrol update job 32 TimeLimit=7", "'submit_time':1000,'het_offset':0,'user':'u'", "'time_limit_s':420" },
		{ "scontrol update job 31+0 NumNodes=1", "'nodes':1,'max_nodes':2", "'nodes':1,'cpus':1" },
		{ "scontrol update job 31+0 NumNodes=1-1", "'nodes':1,'max_nodes':1", "'nodes':1,'cpus':1" },
		{ "scontrol update job 31+0 NumNodes=3", NULL, NULL },
		{ "scontrol update job 31+0 Gres=gpu:1", NULL, NULL },
		{ "scontrol update job 31+0 Gres=gpu:a100:1", "'gres_req':{'gres/gpu:a100':2}", "" },
		{ "scontrol update job 32 Gres=gpu:a100:1", NULL, NULL },
		{ "scontrol update job 32 Gres=gpu:2", "", "'gres/gpu':2}" },
		{ "scontrol update job 31+0 Gres=none", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		fs_snapshot *m = fst_snapshot(OF_2205);
		struct notes n;
		struct fs_error err;
		const int rc = edit_as(m, NULL, is[i].command, &n, &err);

		if (is[i].first) {
			fst_no_error(rc, &err);
			fst_check_line(m, "{'type':'job','id':31,", is[i].first);
			fst_check_line(m, "{'type':'job','id':32,", is[i].second);
		} else
			assert_int_equal(rc, FS_EUSAGE);
		fs_snapshot_free(m);
	}
}

/* One job on 22.05 and 24.11: its request, the words of scontrol update, and parts of the resulting record; NULL: the
 * command is refused. The results of 22.05 that commands of Slurm print were observed on a running controller. */
static void updates_of_gres_follow_the_rules_of_each_version(void **state)
{
#define CARDS(n) "'tres_req':{'cpu':4,'node':1,'gres/gpu':" #n "}"
	static const struct {
		const char *job, *words, *of_2205, *of_2411;
	} tests[] = {
		{ "'tres_req':{'cpu':4,'node':1}", "TresPerTask=gres:gpu:2", CARDS(8) "|'gres_per':'task'", CARDS(8) "|'gres_per':'task'" },
		{ "'tres_req':{'cpu':4,'node':1}", "TresPerTask=gres:gpu:2 NumTasks=5", "'gres/gpu':10}", "'gres/gpu':10}" },
		{ "'tres_req':{'cpu':4,'node':1}", "TresPerTask=gpu:2", NULL, CARDS(8) },
		{ CARDS(4) ",'gres_per':'task'", "TresPerTask=gres:gpu:2", NULL, CARDS(8) },
		{ CARDS(4) ",'gres_per':'task'", "TresPerTask=gres:gpu:1", CARDS(4), CARDS(4) },
		{ CARDS(4) ",'gres_per':'task'", "TresPerJob=gres:gpu:4", CARDS(4) "|'gres_per':'job'", CARDS(4) "|'gres_per':'job'" },
		{ CARDS(4) ",'gres_per':'task'", "TresPerJob=gres:gpu:8", NULL, NULL },
		{ CARDS(4) ",'gres_per':'task'", "TresPerTask=", CARDS(4), "'tres_req':{'cpu':4,'node':1}" },
		{ CARDS(4) ",'gres_per':'task'", "CpusPerTres=gres:gpu:3", "'cpus_per_task':3", "'cpus_per_task':3" },
		{ CARDS(4) ",'gres_per':'job'", "TresPerTask=gres:gpu:1", CARDS(4) "|'gres_per':'job'", CARDS(4) },
		{ CARDS(4) ",'gres_per':'job'", "TresPerTask=gres:gpu:2", NULL, NULL },
		{ CARDS(4) ",'gres_per':'job','cpus_per_gpu':2", "TresPerTask=gres:gpu:1", "'cpus_per_task':2", "'cpus_per_task':2" },
		{ CARDS(4) ",'gres_per':'job','cpus_per_gpu':2,'cpus_per_task':3", "TresPerTask=gres:gpu:1", NULL, NULL },
		{ CARDS(4), "TresPerTask=gres:gpu:2", CARDS(8) "|'ntasks_per_node':2", CARDS(8) "|'ntasks_per_node':2" },
		{ CARDS(4), "TresPerTask=gres:gpu:3", NULL, NULL },
		{ CARDS(4) ",'ntasks_per_node':3", "TresPerTask=gres:gpu:2", NULL, NULL },
		{ "'tres_req':{'cpu':4,'node':1}", "TresPerSocket=gres:gpu:1", NULL, NULL },
		{ "'tres_req':{'cpu':4,'node':1}", "TresPerSocket=gres:gpu:1 ReqSockets=2", CARDS(2) "|'gres_per':'socket'", CARDS(2) },
		{ CARDS(2), "TresPerSocket=gres:gpu:1 ReqSockets=1", NULL, NULL },
		{ CARDS(2), "TresPerSocket=gres:gpu:1 ReqSockets=2", CARDS(2), CARDS(2) },
		{ CARDS(2), "MemPerTres=gres:gpu:2000", NULL, "'mem_per_gpu_mb':2000" },
		{ CARDS(2), "MemPerTres=gres:gpu:2000 Gres=gpu:2", "'mem_per_gpu_mb':2000", "'mem_per_gpu_mb':2000" },
		{ "'tres_req':{'cpu':4,'node':1}", "MemPerTres=gres:gpu:2000", NULL, NULL },
		{ "'tres_req':{'cpu':4,'node':1}", "CpusPerTres=gres:gpu:2", "'cpus_per_gpu':2", NULL },
		{ CARDS(2) ",'mem_per_gpu_mb':5", "MemPerTres=", CARDS(2), CARDS(2) },
		{ CARDS(2), "Gres=none", NULL, NULL },
		{ CARDS(2), "Gres=", CARDS(2) "|'no_gres':true", "'tres_req':{'cpu':4,'node':1}" },
		{ CARDS(2) ",'no_gres':true", "Gres=gpu:1", CARDS(1), CARDS(1) },
		{ CARDS(2), "Gres=gpu:0", CARDS(2), "'tres_req':{'cpu':4,'node':1}" },
		{ CARDS(2) ",'gres_per':'job'", "Gres=", CARDS(2) "|'gres_per':'job'", CARDS(2) "|'gres_per':'job'" },
		{ CARDS(2) ",'gres_req':{'gres/gpu:a':1,'gres/gpu:b':1}", "Gres=gpu:a:2,gpu:b:2", CARDS(4), CARDS(4) },
		{ CARDS(1) ",'gres_req':{'gres/gpu:a':1}", "Gres=gpu:b:2", "'gres_req':{'gres/gpu:a':1,'gres/gpu:b':2}", "'gres_req':{'gres/gpu:b':2}" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests) * 2; i++) {
		const char *expected = i % 2 ? tests[i / 2].of_2411 : tests[i / 2].of_2205;
		char text[1024], part[256];
		struct fs_error err;
		struct notes n;
		fs_snapshot *m;
		int rc;

		snprintf(text, sizeof(text), "{'type':'snapshot','format':1,'time':5,'cluster':'c','scheduler':'slurm %s'}\n" TRES
			 REC("job", "'id':9,'state':'PENDING','user':'u','nodes':1,'max_nodes':9,'cpus':4,'tasks':4,%s"),
			 i % 2 ? "24.11.5" : "22.05.8", tests[i / 2].job);
		m = fst_snapshot(text);
		snprintf(text, sizeof(text), "scontrol update job 9 %s", tests[i / 2].words);
		rc = edit_as(m, NULL, text, &n, &err);
		if (!rc != !!expected)
			print_error("%s: %s\n", tests[i / 2].job, text);
		assert_int_equal(!rc, !!expected);
		for (size_t len; expected && *expected; expected += len + (expected[len] == '|')) {
			len = strcspn(expected, "|");
			snprintf(part, sizeof(part), "%.*s", (int)len, expected);
			fst_check_line(m, JOB9, part);
		}
		fst_same_again(m);
		fs_snapshot_free(m);
	}
#undef CARDS
}

/* Names that the controller does not know. */
static void unknown_features_nodes_and_licenses_are_refused(void **state)
{
	static const char *const tests[][2] = { /* "": accepted */
		{ "Features='fast&[ib*2|slow]'", "" }, { "Features='fast&no'", "no node has the feature \"no\"" },
		{ "Prefer=fast", "" }, { "Prefer=", "" }, { "Prefer='(fast|slo)'", "no node has the feature \"slo\"" }, { "Features=", "" },
		{ "ReqNodeList=n[1-2]", "" }, { "NodeList=n3", "NodeList: not all nodes in \"n3\" are nodes of the cluster" }, { "ReqNodeList=", "" },
		{ "ExcNodeList=n1,x", "ExcNodeList: not all nodes in \"n1,x\" are nodes of the cluster" },
		{ "Licenses=a:3,b", "" }, { "Licenses=a:4", "Licenses: the cluster has fewer licenses than \"a:4\"" }, { "Licenses=", "" },
		{ "Licenses=a,c:1", "Licenses: the cluster has fewer licenses than \"c:1\"" }, { "Licenses=c@there:1", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		fs_snapshot *m = fst_snapshot(HEADER CONFIG("'Licenses':'a:3,b:1'") TRES
					      REC("node", "'name':'n1','features':['fast']") REC("node", "'name':'n2','features':['slow','ib']")
					      REC("job", "'id':9,'state':'PENDING','user':'u','nodes':1,'cpus':4"));
		struct fs_error err = { 0 };
		struct notes n;
		char text[128];

		snprintf(text, sizeof(text), "scontrol update job 9 %s", tests[i][0]);
		assert_int_equal(edit_as(m, NULL, text, &n, &err), *tests[i][1] ? FS_EUSAGE : 0);
		assert_string_equal(err.message, tests[i][1]);
		fs_snapshot_free(m);
	}
}

static void only_an_operator_may_set_contiguous(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct notes n;
	struct fs_error err;

	(void)state;
	fst_no_error(edit_as(m, "u", "scontrol update job 9 Contiguous=YES", &n, &err), &err);
	assert_string_equal(n.text, "job 9: Contiguous: only an operator may do this\n");
	fst_no_error(edit_as(m, "u", "scontrol update job 9 Contiguous=NO", &n, &err), &err);
	assert_string_equal(n.text, "");
	fs_snapshot_free(m);
}

#define BY_JOB_AND_NODE(version) \
	"{'type':'snapshot','format':1,'time':1700000030,'cluster':'c','scheduler':'slurm " version "'}\n" TRES \
	REC("job", "'id':41,'state':'PENDING','submit_time':1000,'user':'u','nodes':1,'max_nodes':4,'cpus':2,'gres_per':'job'," \
		   "'tres_req':{'cpu':2,'node':1,'gres/gpu':4}") \
	REC("job", "'id':42,'state':'PENDING','submit_time':1000,'user':'u','nodes':1,'cpus':2,'gres_per':'job'," \
		   "'tres_req':{'cpu':2,'node':1,'gres/gpu':4}") \
	REC("job", "'id':43,'state':'PENDING','submit_time':1000,'user':'u','nodes':1,'max_nodes':2,'cpus':2," \
		   "'tres_req':{'cpu':2,'node':1,'gres/gpu':2}")

/* Reproduces the rules of Slurm's _test_gres_cnt if a job requests GPUs per job and an update requests GPUs per node,
 * and in the opposite case. */
static void gpus_per_job_and_per_node_determine_the_number_of_nodes(void **state)
{
	static const char *const sites[] = { BY_JOB_AND_NODE("22.05.8"), BY_JOB_AND_NODE("23.02.6"), BY_JOB_AND_NODE("26.05.0") };
	static const struct {
		const char *command, *line; /* `line`: expected fields of the job; NULL: the command is refused */
	} is[] = {
		{ "scontrol update job 41 Gres=gpu:2", "'nodes':2,'max_nodes':2,'cpus':2,'tres_req':{'cpu':2,'node':2,'gres/gpu':4}" },
		{ "scontrol update job 41 Gres=gpu", "'nodes':4,'max_nodes':4,'cpus':4,'tres_req':{'cpu':4,'node':4,'gres/gpu':4}" },
		{ "scontrol update job 41 Gres=gpu:3", NULL },
		{ "scontrol update job 41 Gres=gpu:8", NULL },
		{ "scontrol update job 41 Gres=gpu:a100:1", NULL },
		{ "scontrol update job 41 Gres=none", NULL },
		{ "scontrol update job 41 Gres=", "'nodes':1,'max_nodes':4,'cpus':2,'tres_req':{'cpu':2,'node':1,'gres/gpu':4}" },
		{ "scontrol update job 41 TresPerJob=gres:gpu:3", "'nodes':1,'max_nodes':4,'cpus':2,'tres_req':{'cpu':2,'node':1,'gres/gpu':3}" },
		{ "scontrol update job 42 Gres=gpu:2", NULL },
		{ "scontrol update job 42 Gres=gpu:4", NULL },
		{ "scontrol update job 42 TresPerJob=gres:gpu:1", "'nodes':1,'cpus':2,'tres_req':{'cpu':2,'node':1,'gres/gpu':1}" },
		{ "scontrol update job 43 TresPerJob=gres:gpu:4", "'nodes':2,'max_nodes':2,'cpus':2,'tres_req':{'cpu':2,'node':2,'gres/gpu':4}" },
		{ "scontrol update job 43 TresPerJob=gres:gpu:2", "'nodes':1,'max_nodes':1,'cpus':2,'tres_req':{'cpu':2,'node':1,'gres/gpu':2}" },
		{ "scontrol update job 43 TresPerJob=gres:gpu:1", NULL },
		{ "scontrol update job 43 TresPerJob=gres:gpu:8", NULL },
		{ "scontrol update job 43 Gres=gpu:1", "'nodes':1,'max_nodes':2,'cpus':2,'tres_req':{'cpu':2,'node':1,'gres/gpu':1}" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(is) / sizeof(*is) * 3; i++) {
		fs_snapshot *m = fst_snapshot(sites[i % 3]);
		const char *command = is[i / 3].command, *line = is[i / 3].line;
		struct fs_error err;
		struct notes n;
		char job[32];
		const int rc = edit_as(m, NULL, command, &n, &err);

		snprintf(job, sizeof(job), "{'type':'job','id':%.2s,", command + strlen("scontrol update job "));
		if (line) {
			fst_no_error(rc, &err);
			fst_check_line(m, job, line);
		} else
			assert_int_equal(rc, FS_EUSAGE);
		fs_snapshot_free(m);
	}
}

static void an_edit_removes_recorded_values_of_the_job(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fst_sink out;

	(void)state;
	edit(m, "scontrol update job 9 Comment=x");
	out = fst_written(m);
	assert_null(strstr(out.data, "1700009999"));
	assert_null(strstr(out.data, "\"reason\""));
	assert_null(strstr(out.data, "\"recorded\",\"job\":9"));
	assert_non_null(strstr(out.data, "\"recorded\",\"job\":12"));
	fst_free(&out);
	edit(m, "PriorityWeightAge=3");
	out = fst_written(m);
	assert_null(strstr(out.data, "\"recorded\",\"job\""));
	assert_null(strstr(out.data, "\"priority\":77"));
	fst_free(&out);
	fs_snapshot_free(m);
}

static void a_command_keeps_the_priorities_that_it_does_not_affect(void **state)
{
	static const struct {
		const char *command;
		bool kept;
	} cases[] = {
		{ "sacctmgr modify account b set GrpTRES=cpu=5", true },
		{ "sacctmgr modify account b set fairshare=9", false },
		{ "sacctmgr modify qos low set priority=9", false },
		{ "scontrol update PartitionName=q MaxTime=5", true },
		{ "scontrol update PartitionName=q PriorityJobFactor=5", false },
		{ "scontrol update NodeName=a State=DRAIN", true },
		{ "scontrol suspend 11", true },
		{ "scancel 11", true },
		{ "SchedulerParameters=bf_window=5", true },
		{ "PriorityWeightAge=3", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(SITE);
		struct fst_sink out;

		edit(m, cases[i].command);
		out = fst_written(m);
		if (!strstr(out.data, "\"priority\":77") == cases[i].kept)
			print_error("%s\n", cases[i].command);
		assert_int_equal(strstr(out.data, "\"priority\":77") != NULL, cases[i].kept);
		fst_free(&out);
		fs_snapshot_free(m);
	}
}

static void only_a_change_of_the_named_limit_clears_a_reason(void **state)
{
	static const char site[] = SITE
		REC("job", "'id':20,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','account':'a',"
			   "'association':4,'partitions':['p'],'qos':['low'],'cpus':1,'reason':'AssocGrpCpuLimit'");
	static const char *const other[] = { "sacctmgr modify account a set MaxJobs=5", "sacctmgr modify qos low set GrpTRES=cpu=5",
					     "sacctmgr modify account a set GrpWall=5" };
	fs_snapshot *m = fst_snapshot(site);
	struct fst_sink out;

	(void)state;
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++)
		edit(m, other[i]);
	out = fst_written(m);
	assert_non_null(strstr(out.data, "AssocGrpCpuLimit"));
	fst_free(&out);
	edit(m, "sacctmgr modify account a set GrpTRES=cpu=-1");
	out = fst_written(m);
	assert_null(strstr(out.data, "AssocGrpCpuLimit"));
	fst_free(&out);
	fs_snapshot_free(m);
}

/* Returns the age of job 9 in seconds: its factor times 1e5. */
static double age(const fs_snapshot *m)
{
	fs_prios *p = fst_prios(m, NULL);
	const size_t i = fs_prios_find(p, 9);
	struct fs_prio_row row;
	double value = -1;

	if (i != FS_NO_ROW) {
		fs_prios_row(p, i, &row);
		value = fst_term(p, &row, "age").value;
	}
	fs_prios_free(p);
	return value * 1e5;
}

static void edits_of_a_job_keep_or_reset_its_age(void **state)
{
	static const struct {
		const char *command;
		double age;
		const char *note;
	} rows[] = {
		/* an update computes the priority at the snapshot's time, 30 s after the calculation for all jobs */
		{ "scontrol update job 9 TimeLimit=10", 10030, "" },
		{ "scontrol update job 9 NumNodes=3", 10030, "" },
		{ "scontrol update job 9 Partition=q", 10000, "job 9: its age counts as 0 until" },
		{ "scontrol update job 9 Account=b", 10000, "job 9: its age counts as 0 until" },
		{ "scontrol update job 9 QOS=slow", 0, "job 9: its age starts again at 0" },
		{ "scontrol update job 9 StartTime=now", 0, "job 9: its age starts again at 0" },
		{ "scontrol update job 9 ResetAccrueTime", 0, "" },
		{ "scontrol hold 9", -1e5, "job 9: its age starts again at 0" },
	};
	struct notes n;
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(SITE);

		fst_no_error(edit_as(m, NULL, rows[i].command, &n, &err), &err);
		assert_near(age(m), rows[i].age, 1e-6);
		if (*rows[i].note ? !strstr(n.text, rows[i].note) : *n.text) {
			print_error("%s: %s\n", rows[i].command, n.text);
			fail();
		}
		fs_snapshot_free(m);
	}
}

/* Without enforced limits, or with ACCRUE_ALWAYS, only ResetAccrueTime resets the age. */
static void the_age_is_kept_if_limits_are_not_enforced(void **state)
{
	static const char *const settings[] = { "AccountingStorageEnforce=associations", "PriorityFlags=ACCRUE_ALWAYS" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		fs_snapshot *m = fst_snapshot(SITE);

		edit(m, settings[i]);
		edit(m, "scontrol hold 9");
		edit(m, "scontrol release 9");
		edit(m, "scontrol update job 9 StartTime=now QOS=slow");
		assert_near(age(m), 10030, 1e-6);
		edit(m, "scontrol update job 9 ResetAccrueTime");
		assert_near(age(m), 0, 1e-6);
		fs_snapshot_free(m);
	}
}

/* A dependency on a completed job is met at once, and the job's age continues to grow, as on a running controller. */
static void a_dependency_that_is_already_met_is_dropped(void **state)
{
	static const char ended[] = SITE REC("job", "'id':90,'state':'COMPLETED','user':'u','account':'a','end_time':1699999990")
		REC("job", "'id':91,'state':'FAILED','user':'u','account':'a','end_time':1699999990");
	static const struct {
		const char *text;
		bool waits;
	} rows[] = {
		{ "afterok:90", false },     { "afterany:90:91", false }, { "afterok:90,afterany:91", false },
		{ "afterok:91", true },	     { "afterok:90:91", true },	  { "afterok:90,afterok:11", true },
		{ "afternotok:91", true },   { "afterok:4711", true },	  { "singleton", true },
		{ "afterok:90_1", true },    { "afterok:", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(ended);
		const double before = age(m);
		char command[100];
		struct fst_sink out;

		snprintf(command, sizeof(command), "scontrol update job 9 Dependency=%s", rows[i].text);
		edit(m, command);
		out = fst_written(m);
		assert_int_equal(strstr(out.data, "\"dependency\"") != NULL, rows[i].waits);
		if (!rows[i].waits)
			assert_near(age(m), before + 30, 1e-6);
		fst_free(&out);
		fs_snapshot_free(m);
	}
}

/* Checks the size factor after the time limit of the job is set to `limit`. The recorded factor was computed from the
 * number of CPUs of the job's last try, which does not depend on the time limit. `size`: expected factor; NULL:
 * unknown. */
static void says_size(const char *small, const char *held, const char *limit, const char *size)
{
	char site[1024], command[80];
	fs_snapshot *m;
	struct fst_sink out;

	snprintf(site, sizeof(site),
		 "{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'}\n"
		 REC("config", "'PriorityFlags':['SMALL_RELATIVE_TO_TIME'],'PriorityFavorSmall':%s,'PriorityWeightJobSize':7000")
		 REC("node", "'name':'n1','cpus':13")
		 REC("job", "'id':9,'state':'PENDING','user':'u','time_limit_s':3600,'size_factor':%s,'nodes':1,'tres_req':{'mem':100}"), small, held);
	snprintf(command, sizeof(command), "scontrol update job 9 TimeLimit=%s", limit);
	m = fst_snapshot(site);
	edit(m, command);
	out = fst_written(m);
	if (size)
		assert_non_null(strstr(out.data, size));
	else
		assert_null(strstr(out.data, "size_factor"));
	fst_free(&out);
	fs_snapshot_free(m);
}

static void a_new_time_limit_rescales_the_recorded_size_factor(void **state)
{
	(void)state;
	/* the size factors 0.0012821 and 0.9987179 belong to a request for 1 of 13 CPUs */
	says_size("false", "0.0012821", "30", "\"size_factor\":0.002564102");
	says_size("false", "0.0012821", "UNLIMITED", NULL);
	says_size("true", "0.9987179", "6", "\"size_factor\":0.98717948");
	says_size("false", "0.0012921", "30", NULL); /* no whole number of CPUs gives this factor */
	says_size("false", "0.0012821", "60 MinMemoryNode=90", "\"size_factor\":0.001282051");
	says_size("false", "0.0012821", "60 MinMemoryNode=101", NULL);
}

/* PriorityFavorSmall changes a recorded factor f to 1 - f. With SMALL_RELATIVE_TO_TIME, the factor becomes unknown. */
#define JOB_14 "{'type':'job','id':14,"
static void favor_small_reverses_the_recorded_size_factor(void **state)
{
	(void)state;
	LINE(JOB_14, "'size_factor':0.75", "PriorityFavorSmall=YES");
	LINE(JOB_14, "'size_factor':0.25", "PriorityFavorSmall=YES", "PriorityFavorSmall=NO");
	LINE(JOB_14, "'size_factor':0.25", "PriorityFavorSmall=NO");
	LINE(JOB_14, "'cpus':1}", "PriorityFlags=SMALL_RELATIVE_TO_TIME");
}

/* A command and its inverse give the same snapshot as the inverse alone. */
static void the_inverse_of_an_edit_undoes_it(void **state)
{
	static const char *const pairs[][2] = {
		{ "scontrol update job 9 TimeLimit=5", "scontrol update job 9 TimeLimit=60" },
		{ "scontrol update job 9 TimeLimit+=5", "scontrol update job 9 TimeLimit=1:00:00" },
		{ "scontrol update job 9 Nice=1", "scontrol update job 9 Nice=50" },
		{ "scontrol update job 9 NumNodes=4", "scontrol update job 9 NumNodes=1 NumCPUs=4 MinMemoryCPU=10" },
		{ "scontrol update job 9 NumCPUs=40", "scontrol update job 9 NumCPUs=4" },
		{ "scontrol update job 9 Gres=", "scontrol update job 9 Gres=gpu:2" },
		{ "scontrol update job 9 Partition=q", "scontrol update job 9 Partition=p" },
		{ "scontrol update job 9 Account=b", "scontrol update job 9 Account=a" },
		{ "scontrol update job 9 Priority=5", "scontrol update job 9 Priority=7" },
		{ "scontrol hold 9", "scontrol update job 9 Priority=0" },
		{ "sacctmgr modify account a set fairshare=parent priority=9 maxjobs=1",
		  "sacctmgr modify account a set fairshare=3 priority=4 maxjobs=7" },
		{ "sacctmgr modify user u where account=b set fairshare=100 GrpTRES=cpu=5",
		  "sacctmgr modify user u account=b set fairshare=2 GrpTRES=cpu=-1" },
		{ "sacctmgr -i modify qos where name=low set priority=99 MaxWall=5 Flags=DenyOnLimit",
		  "sacctmgr -i modify qos low set priority=10 MaxWall=UNLIMITED Flags-=DenyOnLimit" },
		{ "PriorityWeightAge=0", "PriorityWeightAge=1000" },
		{ "PriorityMaxAge=1-0", "PriorityMaxAge=1-3:46:40" },
		{ "PriorityFlags=ACCRUE_ALWAYS,NO_NORMAL_ALL", "PriorityFlags=" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		fs_snapshot *m = fst_snapshot(SITE), *other = fst_snapshot(SITE);
		struct fst_sink a, b;

		edit(m, pairs[i][0]);
		edit(m, pairs[i][1]);
		edit(other, pairs[i][1]);
		if (!strncmp(pairs[i][0], "scontrol hold", 13))
			edit(other, pairs[i][0]);
		a = fst_written(m);
		b = fst_written(other);
		assert_string_equal(a.data, b.data);
		fst_free(&a);
		fst_free(&b);
		fs_snapshot_free(m);
		fs_snapshot_free(other);
	}
}

static void a_note_names_who_may_run_a_command(void **state)
{
	static const struct {
		const char *viewer, *command, *note;
	} rows[] = {
		{ "u", "scontrol update job 9 TimeLimit=5", "" },
		{ "u", "scontrol update job 9 TimeLimit=101", "a time limit above the partition's MaxTime: only an operator may do this" },
		{ "o", "scontrol update job 9 TimeLimit=101", "" },
		{ "u", "scontrol update job 11 TimeLimit=50", "" },
		{ "u", "scontrol update job 11 TimeLimit=70", "extending the time limit of a running job: only an operator may do this" },
		{ "c", "scontrol update job 9 Nice=7", "" },
		{ "x", "scontrol update job 9 Nice=7", "only u, a coordinator of a or an operator may do this" },
		{ "c", "scontrol update job 9 Nice=-7", "setting Nice below 0: only an operator may do this" },
		{ "u", "scontrol update job 9 Priority=5", "would still change the nice value from 50 to 0" },
		{ "u", "scontrol update job 9 QOS=high", "QOS high is not allowed for account a: only an operator may do this" },
		{ "u", "scontrol update job 9 Deadline=now+1hours", "Deadline: only an operator may do this" },
		{ "x", "scancel 9", "only u, a coordinator of a or an operator may do this" },
		{ "c", "sacctmgr modify user u where account=a set fairshare=9", "" },
		{ "c", "sacctmgr modify user u where account=b set fairshare=9", "only a coordinator of b or an operator may do this" },
		{ "c", "sacctmgr modify account a set fairshare=9", "only an operator may do this" },
		{ "o", "sacctmgr modify account a set fairshare=9", "" },
		{ "o", "sacctmgr modify account a set RawUsage=0", "only an administrator may do this" },
		{ "o", "sacctmgr modify qos low set priority=1", "only an administrator may do this" },
		{ "o", "scontrol update PartitionName=p State=DOWN", "only an administrator may do this" },
		{ "o", "scontrol update NodeName=c State=DRAIN", "only an administrator may do this" },
		{ "o", "PriorityWeightAge=1", "only an administrator may do this" },
		{ "root", "PriorityWeightAge=1", "" },
		{ "root", "MaxJobCount=9", "MaxJobCount has no effect on computed values" },
		{ "u", "scontrol release 9", "not held" },
	};
	struct notes n;
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(SITE);

		fst_no_error(edit_as(m, rows[i].viewer, rows[i].command, &n, &err), &err);
		if (*rows[i].note ? !strstr(n.text, rows[i].note) : *n.text) {
			print_error("%s, %s: %s\n", rows[i].viewer, rows[i].command, n.text);
			fail();
		}
		fs_snapshot_free(m);
	}
}

/* From 24.05 on, a coordinator may lower the limits of the account's users, but not raise them. */
static void only_operators_raise_limits_of_associations(void **state)
{
#define BY_COORDINATOR "sacctmgr modify user u where account=a set "
	static const struct {
		const char *first, *command;
		bool noted;
	} rows[] = {
		{ BY_COORDINATOR "MaxJobs=3", BY_COORDINATOR "MaxJobs=2", false },
		{ BY_COORDINATOR "MaxJobs=3", BY_COORDINATOR "MaxJobs=4", true },
		{ BY_COORDINATOR "MaxJobs=3", BY_COORDINATOR "MaxJobs=-1", true },
		{ BY_COORDINATOR "GrpTRES=cpu=8,node=2", BY_COORDINATOR "GrpTRES=cpu=7", false },
		{ BY_COORDINATOR "GrpTRES=cpu=8,node=2", BY_COORDINATOR "GrpTRES=cpu=9", true },
		{ BY_COORDINATOR "GrpTRES=cpu=8,node=2", BY_COORDINATOR "fairshare=9", false },
	};
#undef BY_COORDINATOR
	struct notes n;
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(SITE);

		fst_no_error(edit_as(m, "o", rows[i].first, &n, &err), &err);
		fst_no_error(edit_as(m, "c", rows[i].command, &n, &err), &err);
		if (!strstr(n.text, "only an operator may do this") == rows[i].noted) {
			print_error("%s: %s\n", rows[i].command, n.text);
			fail();
		}
		fs_snapshot_free(m);
	}
}

/* The owner can release a user hold, but not a hold of an administrator. */
static void an_owner_can_release_only_user_holds(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct notes n;
	struct fs_error err;

	(void)state;
	fst_no_error(edit_as(m, "u", "scontrol hold 9", &n, &err), &err);
	fst_no_error(edit_as(m, "u", "scontrol release 9", &n, &err), &err);
	assert_null(strstr(n.text, "only"));
	fst_no_error(edit_as(m, "o", "scontrol hold jobid=9", &n, &err), &err);
	fst_no_error(edit_as(m, "u", "scontrol release 9", &n, &err), &err);
	assert_non_null(strstr(n.text, "only an operator may do this"));
	fst_no_error(edit_as(m, "o", "scontrol uhold 9", &n, &err), &err);
	fst_no_error(edit_as(m, "u", "scontrol release 9", &n, &err), &err);
	assert_null(strstr(n.text, "only"));
	fs_snapshot_free(m);
}

static void sacctmgr_changes_associations_and_qos(void **state)
{
	(void)state;
	/* before the changes, the association of user u has the same priority as account a, but other QOS */
	LINE("{'type':'association','id':4,", "'priority':9,", "sacctmgr modify account a set priority=9");
	LINE("{'type':'association','id':4,", "'priority':9,", "sacctmgr modify account set priority=9 where name=a");
	LINE("{'type':'association','id':5,", "'priority':6,", "sacctmgr modify account b set priority=9");
	LINE("{'type':'association','id':4,", "'qos':['low','slow'],", "sacctmgr modify account a set qos=high");
	LINE("{'type':'association','id':4,", "'qos':['low'],", "sacctmgr modify user u where account=a set qos-=slow");
	LINE("{'type':'association','id':2,", "'usage_tres_s':0,", "sacctmgr modify account a set RawUsage=0");
	LINE("{'type':'association','id':4,", "'usage_tres_s':0,", "sacctmgr modify account a set RawUsage=0");
	LINE("{'type':'association','id':5,", "'usage_tres_s':9,", "sacctmgr modify account a set RawUsage=0");
	LINE("{'type':'association','id':2,", "'shares':'parent',", "sacctmgr modify account name=a set fairshare=parent");
	LINE("{'type':'association','id':2,", "'grp_tres':{'cpu':5,'mem':2048}", "sacctmgr modify account a set GrpTRES=cpu=5,mem=2G");
	LINE("{'type':'qos','name':'low'", "'max_wall_s':300", "sacctmgr modify qos low,high set MaxWall=5");
	LINE("{'type':'qos','name':'high'", "'max_wall_s':300", "sacctmgr modify qos low,high set MaxWall=5");
}

#define PART_P "{'type':'partition','name':'p',"

static void scontrol_update_changes_partitions(void **state)
{
	(void)state;
	LINE(PART_P, "'max_time_s':1800}", "scontrol update PartitionName=p MaxTime=30");
	LINE(PART_P, "'max_time_s':'unlimited'}", "scontrol update partitionname=p maxtime=unlimited");
	LINE(PART_P, "'max_time_s':1800}", "PartitionName=p MaxTime=30");
	LINE(PART_P, "'job_factor':7,'tier':9,", "scontrol update PartitionName=p PriorityJobFactor=7 PriorityTier=9");
	LINE(PART_P, "'state':'DOWN',", "scontrol update PartitionName=p State=down");
	LINE(PART_P, "'max_nodes':4", "scontrol update PartitionName=p MaxNodes=4");
	LINE(PART_P, "'allow_accounts':['a','b']", "scontrol update PartitionName=p AllowAccounts=a,b");
	LINE(PART_P, "'tier':1,'tres':{'cpu':640,'mem':1000},'max_time_s':6000}", "scontrol update PartitionName=p MaxNodes=4 MaxTime=5",
	     "scontrol update PartitionName=p MaxNodes=UNLIMITED", "scontrol update PartitionName=p MaxTime=100 State=UP");
}

#define NODE_C "{'type':'node','name':'c',"

static void scontrol_update_changes_node_states(void **state)
{
	(void)state;
	LINE(NODE_C, "'state':'IDLE+DRAIN',", "scontrol update NodeName=c State=drain Reason=disk");
	LINE(NODE_C, "'reason':'disk'", "scontrol update NodeName=c State=drain Reason=disk");
	LINE(NODE_C, "'reason':'bad disk'", "scontrol update NodeName=c State=drain Reason=\"bad disk\"");
	LINE(NODE_C, "'reason':'disk'", "scontrol update NodeName=c Reason=disk", "scontrol update NodeName=c Reason=");
	LINE(NODE_C, "'state':'IDLE+DRAIN',", "NodeName=c State=DRAIN");
	LINE(NODE_C, "'state':'IDLE+DRAIN',", "scontrol update NodeName=a,c State=DRAIN", "scontrol update nodename=c State=DRAIN");
	LINE(NODE_C, "'state':'IDLE',", "scontrol update NodeName=c State=DRAIN", "scontrol update NodeName=c State=UNDRAIN");
	LINE(NODE_C, "'state':'DOWN',", "scontrol update NodeName=c State=DOWN");
	LINE(NODE_C, "'state':'DOWN+DRAIN',", "scontrol update NodeName=c State=DOWN", "scontrol update NodeName=c State=DRAIN");
	LINE(NODE_C, "'state':'IDLE',", "scontrol update NodeName=c State=DOWN", "scontrol update NodeName=c State=DRAIN",
	     "scontrol update NodeName=c State=RESUME");
}

static void scancel_removes_jobs(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_job j;

	(void)state;
	edit(m, "scancel 12");
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	fs_snapshot_job(m, 1, &j);
	assert_int_equal(j.id, 11);
	edit(m, "scancel 9 11");
	assert_int_equal(fs_snapshot_info(m)->jobs, 0);
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* Checks how many of the four jobs the command leaves in the snapshot. */
static void leaves(const char *command, size_t jobs)
{
	fs_snapshot *m = fst_snapshot(SITE);

	edit(m, command);
	assert_int_equal(fs_snapshot_info(m)->jobs, jobs);
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void scancel_selects_jobs_by_its_options(void **state)
{
	(void)state;
	leaves("scancel --state=running", 3);
	leaves("scancel -t PD", 1);
	leaves("scancel -t PD 9 11", 3);
	leaves("scancel -u u", 0);
	leaves("scancel -u nobody", 4);
	leaves("scancel --user u -p none", 4);
	leaves("scancel -p p -t PENDING", 1);
}

static const char *const refused[][2] = {
	{ "sacctmgr modify account a set GrpTRES=cpu=-", "amounts" },
	{ "", "the command is empty" },
	{ "  ", "the command is empty" },
	{ "scontrol", "scontrol: expected a subcommand, such as create" },
	{ "scancle 9", "the snapshot's scheduler is Slurm: command \"scancle\" is not supported; the nearest is scancel" },
	{ "scontrol update job 9 Name=\xff", "not UTF-8" },
	{ "scontrol hlod 9", "the nearest is hold" },
	{ "scontrol hold", "expected a job id" },
	{ "scontrol hold x", "invalid job id \"x\"" },
	{ "scontrol hold 10", "job 10 is not in the snapshot" },
	{ "scontrol hold 11", "job 11 is not pending" },
	{ "scontrol hold 12_2", "job 12_2 is not in the snapshot" },
	{ "scontrol hold 9_4", "job 9_4 is not in the snapshot" },
	{ "scontrol hold 12_[3-", "invalid job id" },
	{ "scontrol hold 12_[]", "invalid job id" },
	{ "scontrol hold 12_", "invalid job id" },
	{ "scontrol hold 12_9-3", "invalid job id" },
	{ "scontrol hold 99999999999999999999", "invalid job id" },
	{ "scontrol update job 9", "expected a setting to change" },
	{ "scontrol update job 9 TimeLimt=5", "unknown keyword \"TimeLimt\"; the nearest is TimeLimit" },
	{ "scontrol update job 9 Time=5", "unknown keyword \"Time\"" },
	{ "scontrol update job 9 TimeLimit", "TimeLimit needs a value" },
	{ "scontrol update job 9 TimeLimit=x", "TimeLimit: expected minutes" },
	{ "scontrol update job 9 TimeLimit-=2:00:00", "time limit is not longer than" },
	{ "scontrol update job 9 Partition=none", "there is no partition \"none\"" },
	{ "scontrol update job 9 Partition=shut", "partition shut accepts no jobs: its state is DRAIN" },
	{ "scontrol update job 9 Partition=", "expected the name of a partition" },
	{ "scontrol update job 9 QOS=lo", "there is no QOS \"lo\"" },
	{ "scontrol update job 9 Account=root", "u has no association with account root" },
	{ "scontrol update job 9 Account=zz", "there is no account \"zz\"" },
	{ "scontrol update job 9 NumNodes=0", "from 1 to" },
	{ "scontrol update job 9 NumNodes=4-2", "from 4 to" },
	{ "scontrol update job 9 NumCPUs=4294967296", "from 1 to" },
	{ "scontrol update job 9 Nice=x", "expected a whole number" },
	{ "scontrol update job 9 Gres=tpu:1", "no generic resource \"tpu\"" },
	{ "scontrol update job 9 MinMemoryNode=-1", "expected MiB" },
	{ "scontrol update job 9 Priority=-1", "expected a" },
	{ "scontrol update job 9 Priority=INFINITE", "expected a" },
	{ "scontrol update job 9 StartTime=then", "invalid time \"then\"" },
	{ "scontrol update job 9 StartTime=now+2fortnights", "expected a time" },
	{ "scontrol update job 9 ReservationName=r", "there is no reservation \"r\"" },
	{ "scontrol update job 9 Nice=1 'Comment=x", "a quote is not closed" },
	{ "scontrol update job 11 Nice=1", "job 11 is running: its Nice can no longer change" },
	{ "scontrol update mode=1", "expected job ID" },
	{ "scontrol update PartitionName=none State=UP", "there is no partition \"none\"" },
	{ "scontrol update PartitionName=p", "expected a setting to change" },
	{ "scontrol update PartitionName=p State=up2", "expected UP, DOWN" },
	{ "scontrol update PartitionName=p PriorityTeir=1", "the nearest is PriorityTier" },
	{ "scontrol update NodeName=none State=DRAIN", "there is no node \"none\"" },
	{ "scontrol update NodeName=c[1-", "expected a setting to change" },
	{ "scontrol update NodeName=c[1- State=DRAIN", "there are no nodes" },
	{ "scontrol update NodeName=c State=broken", "expected DRAIN, UNDRAIN, RESUME, IDLE or DOWN" },
	{ "scontrol update NodeName=c Stete=UP", "the nearest is State" },
	{ "scancel -x 9", "option -x is not supported; use -A, -n, -p, -t, -u or --me" },
	{ "scancel --user=", "--user requires a value" },
	{ "scancel", "expected a job id" },
	{ "sacctmgr delete user u", "only modify is supported" },
	{ "sacctmgr modify cluster c set x=1", "expected account, user or qos" },
	{ "sacctmgr modify account a set", "expected a setting to change" },
	{ "sacctmgr modify account a set fairshare=-1", "expected shares from 0" },
	{ "sacctmgr modify account a set Fairshre=1", "the nearest is Fairshare" },
	{ "sacctmgr modify account z set fairshare=1", "there is no account \"z\"" },
	{ "sacctmgr modify user u where cluster=d set fairshare=1", "sacctmgr: the snapshot's cluster is c, but the command names another cluster" },
	{ "sacctmgr modify user u where colour=d set fairshare=1", "unknown condition" },
	{ "sacctmgr modify account a set GrpTRES=tape=1", "the cluster has no TRES \"tape\"" },
	{ "sacctmgr modify account a set GrpTRES=cpu", "expected amounts" },
	{ "sacctmgr modify account a set RawUsage=5", "RawUsage can only be set to 0" },
	{ "PriorityWeigthAge=5", "the nearest is PriorityWeightAge" },
	{ "sbatch --tme=5", "the nearest is --time" },
	{ "sbatch -Z", "unknown option -Z" },
	{ "sbatch -t", "--time requires a value" },
	{ "sbatch -p p", "the submitting user is unknown" },
	{ "scontrol requeue 9", "already pending" },
	{ "scontrol top 11", "not pending" },
	{ "scontrol top 9+0", "not in the snapshot" },
	{ "scontrol top 12", "no recorded priority" },
	{ "PriorityWeightAge=-5", "expected a whole number" },
	{ "PriorityMaxAge=x", "expected a time" },
	{ "PriorityFavorSmall=maybe", "expected YES or NO" },
	{ "PriorityWeightAge=5 PriorityWeightQOS=3", "expected one setting only" },
};

static void invalid_commands_are_refused_with_a_reason(void **state)
{
	struct notes n;
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		fs_snapshot *m = fst_snapshot(SITE);

		assert_int_equal(edit_as(m, NULL, refused[i][0], &n, &err), FS_EUSAGE);
		if (!strstr(err.message, refused[i][1])) {
			print_error("%s: %s\n", refused[i][0], err.message);
			fail();
		}
		fs_snapshot_free(m);
	}
}

static void a_held_job_cannot_be_given_a_priority(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct notes n;
	struct fs_error err;

	(void)state;
	edit(m, "scontrol hold 9");
	edit(m, "scontrol update job 9 Priority=0");
	assert_int_equal(edit_as(m, NULL, "scontrol update job 9 Priority=5", &n, &err), FS_EUSAGE);
	assert_non_null(strstr(err.message, "job 9 is held"));
	fs_snapshot_free(m);
}

static void an_unknown_scheduler_has_no_commands(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':5,'cluster':'c','scheduler':'abacus 1'}\n");
	struct notes n;
	struct fs_error err;

	(void)state;
	assert_int_equal(edit_as(m, NULL, "scontrol hold 1", &n, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "commands are not modelled for scheduler \"abacus 1\""));
	fs_snapshot_free(m);
}

/* Any text gives an error, or a snapshot that can be written and read again. */
static void random_changes_of_commands_cause_no_damage(void **state)
{
	static const char letters[] = "=,+-:_ '\"%\\\n\t09azAZ\x01\x7f\xc3\xa9\xff";
	static const char *const bases[] = {
		"scontrol update job 9 TimeLimit=10 Nice=5 NumNodes=2-3", "scontrol hold 9,12_1,11",
		"scontrol update job 9 Partition=p,q QOS=low Account=b", "scontrol update job 9 Gres=gpu:2 MinMemoryCPU=4G",
		"sacctmgr modify user u where account=a set fairshare=3 GrpTRES=cpu=5,mem=3G", "PriorityFlags=A,B", "scancel 9 11",
		"sbatch -A a -p p -N 2 -n4 --mem=4G -t 1:00 --array=1-9%2 x.sh", "scontrol top 9,12", "scontrol requeue 11",
		"scontrol create reservation StartTime=now+1hour Duration=60 Users=u Nodes=a,c Flags=MAINT,DAILY",
		"scontrol update PartitionName=p Nodes=+a,-c TRESBillingWeights=CPU=1", "sbatch -A a -p p --gpus=a:2 --mem-per-gpu=3G -n 7",
		"scontrol suspend 11", "sacctmgr modify qos low set MaxJobsPU=3 GrpCPUs=4", "SchedulerParameters=bf_window=9,bf_interval=1",
	};
	uint64_t seed = 20261122;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		fs_snapshot *m = fst_snapshot(SITE);
		char command[256];
		struct notes n;
		struct fs_error err;
		int rc;

		snprintf(command, sizeof(command), "%s", bases[fst_below(&seed, sizeof(bases) / sizeof(*bases))]);
		for (uint32_t k = fst_below(&seed, 4); k; k--)
			command[fst_below(&seed, (uint32_t)strlen(command))] =
				letters[fst_below(&seed, sizeof(letters) - 1)];
		rc = edit_as(m, "u", command, &n, &err);
		assert_true(rc == 0 || rc == FS_EUSAGE);
		if (!rc)
			fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void commands_that_are_too_long_are_refused(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	char *command = malloc(5001);
	struct notes n;
	struct fs_error err;

	(void)state;
	assert_non_null(command);
	memset(command, 'x', 5000);
	command[5000] = '\0';
	assert_int_equal(edit_as(m, NULL, command, &n, &err), FS_EUSAGE);
	for (size_t i = 0; i < 200; i++)
		memcpy(command + i * 2, "a ", 2);
	command[400] = '\0';
	assert_int_equal(edit_as(m, NULL, command, &n, &err), FS_EUSAGE);
	assert_non_null(strstr(err.message, "more than 64 words"));
	free(command);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_first_words_of_commands_begin_a_command),
		cmocka_unit_test(scontrol_update_changes_the_fields_of_a_job),
		cmocka_unit_test(version_22_05_updates_het_jobs_as_observed),
		cmocka_unit_test(gpus_per_job_and_per_node_determine_the_number_of_nodes),
		cmocka_unit_test(an_edit_removes_recorded_values_of_the_job),
		cmocka_unit_test(a_command_keeps_the_priorities_that_it_does_not_affect),
		cmocka_unit_test(only_a_change_of_the_named_limit_clears_a_reason),
		cmocka_unit_test(edits_of_a_job_keep_or_reset_its_age),
		cmocka_unit_test(the_age_is_kept_if_limits_are_not_enforced),
		cmocka_unit_test(a_dependency_that_is_already_met_is_dropped),
		cmocka_unit_test(a_new_time_limit_rescales_the_recorded_size_factor),
		cmocka_unit_test(favor_small_reverses_the_recorded_size_factor),
		cmocka_unit_test(a_held_job_cannot_be_given_a_priority),
		cmocka_unit_test(the_inverse_of_an_edit_undoes_it),
		cmocka_unit_test(a_note_names_who_may_run_a_command),
		cmocka_unit_test(only_operators_raise_limits_of_associations),
		cmocka_unit_test(an_owner_can_release_only_user_holds),
		cmocka_unit_test(sacctmgr_changes_associations_and_qos),
		cmocka_unit_test(scontrol_update_changes_partitions),
		cmocka_unit_test(scontrol_update_changes_node_states),
		cmocka_unit_test(scancel_removes_jobs),
		cmocka_unit_test(scancel_selects_jobs_by_its_options),
		cmocka_unit_test(an_edited_array_task_becomes_a_job_of_its_own),
		cmocka_unit_test(tasks_are_removed_from_shortened_and_long_lists),
		cmocka_unit_test(cpus_from_gpus_stay_after_later_changes),
		cmocka_unit_test(updates_of_gres_follow_the_rules_of_each_version),
		cmocka_unit_test(unknown_features_nodes_and_licenses_are_refused),
		cmocka_unit_test(only_an_operator_may_set_contiguous),
		cmocka_unit_test(invalid_commands_are_refused_with_a_reason),
		cmocka_unit_test(an_unknown_scheduler_has_no_commands),
		cmocka_unit_test(random_changes_of_commands_cause_no_damage),
		cmocka_unit_test(commands_that_are_too_long_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
