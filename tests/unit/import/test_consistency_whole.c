/* import/consistency: files that are incomplete or inconsistent, and forged jobs in the free text of other jobs. */
#include "fsimport.h"

#define JOB(id, name) \
	"JobId=" #id " JobName=" name " UserId=a(1) GroupId=a(1) Priority=5 JobState=PENDING Reason=Priority NumNodes=1\n"
#define SQUEUE(rows) "JOBID               ASSOC_ID    STATE       \n" rows
#define LISTED(id) #id "                   3           PENDING     \n"

static bool warned(const fs_snapshot *m, const char *part)
{
	for (size_t i = 0; i < fs_snapshot_warnings(m); i++)
		if (strstr(fs_snapshot_warning(m, i), part))
			return true;
	return false;
}

static void an_error_message_or_empty_file_hides_its_records(void **state)
{
	static const struct {
		const char *file, *text, *type, *told;
	} all[] = {
		{ "scontrol_job_o.txt", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
		  "job", "dir/scontrol_job_o.txt:1: the file has no records; unexpected line: \"slurm_load_jobs error" },
		{ "scontrol_job_o.txt", "", "job", "scontrol_job_o.txt: the file has neither records nor the text" },
		{ "scontrol_job_o.txt", "\n\n", "job", "scontrol_job_o.txt: the file has neither records nor the text" },
		{ "scontrol_job_o.txt", JOB(1, "x") "slurm_receive_msg: Zero Bytes were transmitted\n", "job",
		  "scontrol_job_o.txt:2: unexpected line: \"slurm_receive_msg" },
		{ "scontrol_job_o.txt", "No jobs in the system\n", NULL, NULL },
		{ "scontrol_job_o.txt", JOB(1, "x") "\n", NULL, NULL },
		{ "scontrol_node_o.txt", "slurm_load_node error: Zero Bytes\n", "node", "scontrol_node_o.txt:1: the file has no records; unexpected line" },
		{ "scontrol_node_o.txt", "NodeName=a CPUTot=4 State=IDLE\n", NULL, NULL },
		{ "scontrol_partition_o.txt", "", "partition", "scontrol_partition_o.txt: the file has neither records nor the text" },
		{ "scontrol_partition_o.txt", "PartitionName=p State=UP\n", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { FST_CLOCK, { all[i].file, all[i].text } };
		fs_snapshot *m = FST_IMPORT(files);
		const char *type = *all[i].file == 's' && strstr(all[i].file, "job") ? "job"
				   : strstr(all[i].file, "node")			? "node"
											: "partition";

		assert_int_equal(fs_snapshot_hidden(m, type), all[i].type != NULL);
		if (all[i].told)
			assert_true(warned(m, all[i].told));
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

/* The file shows how slurmctld 22.05 prints a job whose name is "x", newline, "JobId=999 ...". */
static void a_multiline_job_name_adds_no_job(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt",
		  JOB(7, "fine") "JobId=8 JobName=x\n"
				 "JobId=999 JobName=forged UserId=root(0) GroupId=root(0) Priority=1 JobState=PENDING "
				 "Reason=None NumNodes=1 UserId=a(1) Priority=0 JobState=PENDING Reason=JobHeldUser\n" },
		{ "squeue_O.txt", SQUEUE(LISTED(7) LISTED(8)) },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	assert_member(m, "job", 0, "id", "7");
	assert_member(m, "job", 1, "id", "8");
	assert_true(warned(m, "1 job is left out (first: 999): shown by scontrol but not by squeue"));
	fs_snapshot_free(m);
}

/* The file shows how Slurm 22.05 prints a job whose name is "ny", newline, newline, "linje JobId=77", newline. */
static void a_multiline_job_name_is_read_whole(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt", "JobId=7 JobName=ny\n\nlinje JobId=77\n UserId=a(1) GroupId=a(1) Priority=5 "
					"JobState=PENDING Reason=Priority NumNodes=1\n" JOB(77, "y") },
		{ "squeue_O.txt", "JOBID     NAME                ASSOC_ID  USER      \n"
				  "7         ny\n\nlinje JobId=77\n 3         a         \n"
				  "77        y                   4         a         \n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	assert_member(m, "job", 0, "id", "7");
	assert_member(m, "job", 0, "user", "'a'");
	assert_member(m, "job", 0, "name", "'ny\\u000a\\u000alinje JobId=77\\u000a'");
	assert_member(m, "job", 0, "association", "3");
	assert_member(m, "job", 1, "association", "4");
	assert_false(warned(m, "association"));
	assert_false(warned(m, "a record ends"));
	fs_snapshot_free(m);
}

static void a_multiline_comment_adds_no_job(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt", JOB(7, "x") "again as JobId=8 JobName=y UserId=b(2)\n" JOB(8, "y") },
		{ "squeue_O.txt", SQUEUE(LISTED(7) LISTED(8)) },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	assert_member(m, "job", 1, "user", "'a'");
	assert_true(warned(m, "scontrol_job_o.txt:2: unexpected line"));
	fs_snapshot_free(m);
}

static void a_truncated_row_takes_nothing_from_the_next_row(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt", JOB(7, "x") JOB(8, "y") },
		{ "squeue_O.txt", "JOBID     NAME                ASSOC_ID  USER      \n"
				  "7         x\n"
				  "8         y                   4         a         \n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_member(m, "job", 1, "association", "4");
	assert_true(warned(m, "1 row has no valid ASSOC_ID"));
	fs_snapshot_free(m);
}

/* The row of an array in squeue represents only those of its pending tasks that have the job name of the array. On
 * 22.05, two tasks of this array were held and released, so scontrol prints records of their own for them. */
static void array_tasks_are_listed_by_the_row_of_their_array(void **state)
{
#define TASK(id, task, name)                                                                                           \
	"JobId=" #id " ArrayJobId=7 ArrayTaskId=" task " JobName=" name                                                \
	" UserId=a(1) GroupId=a(1) Priority=5 JobState=PENDING Reason=Priority NumNodes=1\n"
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt",
		  TASK(7, "1,4-9", "arr") TASK(8, "2", "arr") TASK(9, "3", "arr") TASK(10, "5", "other") },
		{ "squeue_O.txt", SQUEUE(LISTED(7)) },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 3);
	assert_member(m, "job", 2, "id", "9");
	assert_true(warned(m, "1 job is left out (first: 10): shown by scontrol but not by squeue"));
	fs_snapshot_free(m);
}

/* Nothing shows which of the two jobs is genuine. */
static void jobs_with_a_repeated_id_are_left_out(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt", JOB(6, "x") JOB(7, "real") JOB(7, "forged") JOB(9, "y") },
		{ "squeue_O.txt", SQUEUE(LISTED(6) LISTED(7) LISTED(9)) },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	assert_member(m, "job", 1, "id", "9");
	assert_member(m, "job", 1, "association", "3");
	assert_true(warned(m, "2 jobs are left out (first: 7): scontrol shows the same id more than once"));
	fs_snapshot_free(m);
}

/* If the captured output of squeue is empty or an error message, the import leaves out no job. */
static void an_invalid_squeue_list_removes_no_job(void **state)
{
	static const char *const lists[] = { "", "slurm_load_jobs error: Unable to contact\n" };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(lists); i++) {
		const struct fst_file files[] = { FST_CLOCK, { "scontrol_job_o.txt", JOB(7, "x") },
						  { "squeue_O.txt", lists[i] } };
		fs_snapshot *m = FST_IMPORT(files);

		assert_int_equal(fs_snapshot_info(m)->jobs, 1);
		fs_snapshot_free(m);
	}
}

#define KEYS_WITH(memory)                                                                                              \
	" UserId=a(1) GroupId=a(1) Priority=5 Nice=0 Account=b QOS=q JobState=PENDING Reason=Priority Dependency=(null) "  \
	"TimeLimit=1 SubmitTime=N/A EligibleTime=N/A AccrueTime=N/A StartTime=N/A EndTime=N/A Partition=p NumNodes=1 "      \
	"NumCPUs=1 NumTasks=1 OverSubscribe=OK CPUs/Task=1 MinCPUsNode=1 MinMemory" memory "=0 Features=(null) Licenses=(null) " \
	"NodeList= ReqNodeList=(null) ExcNodeList=(null) LastSchedEval=N/A "
#define ALL_KEYS KEYS_WITH("Node")
#define HELD ALL_KEYS "ReqTRES=cpu=1"
#define SEVERAL                                                                                                        \
	"PreemptMode = OFF\nPreemptType = (null)\nPriorityType = priority/basic\nPrivateData = none\n"                       \
	"SLURM_VERSION = 22.05.8\nSchedulerParameters = (null)\nSchedulerType = sched/backfill\n"                            \
	"SelectType = select/cons_tres\nSelectTypeParameters = CR_CPU\n"
#define BASIC                                                                                                          \
	"Configuration data as of 2023-11-14T23:13:20\nAccountingStorageEnforce = none\nAccountingStorageTRES = cpu\n"       \
	"BOOT_TIME = 2023-11-14T23:13:20\nClusterName = c\nEnforcePartLimits = NO\nMaxArraySize = 1001\n" SEVERAL
#define NODE(n) "NodeName=" n " CPUTot=4 State=IDLE ThreadsPerCore=1 Weight=1 RealMemory=1 Partitions=p CfgTRES=cpu=4\n"
#define PARTITION                                                                                                      \
	"PartitionName=p PriorityTier=1 PriorityJobFactor=1 State=UP TotalCPUs=8 TotalNodes=2 Nodes=a,b MaxTime=1 QoS=N/A "  \
	"TRES=cpu=8 AllowAccounts=ALL AllowQos=ALL\n"

/* What controllers of 22.05 to 26.11 print in each record, and the warning if a part is missing. */
#define SHARES "Account|User|RawShares|RawUsage|NormUsage|EffectvUsage|FairShare\n"
#define ROW(user, norm) "root|" user "|1|5|" norm "|1.0|0.5\n"

#define RESERVED(name) "ReservationName=" name " StartTime=N/A EndTime=N/A\n   Nodes=a PartitionName=(null) Flags=\n"

/* Both outputs of scontrol show job must contain a running job, unless it started so late that it may have started
 * between the two commands. */
static void running_jobs_without_details_are_reported(void **state)
{
#define RUNS(id, start) "JobId=" #id " JobName=x UserId=a(1) JobState=RUNNING StartTime=" start "\n"
	static const char jobs[] = RUNS(1, "2023-11-14T20:00:00") RUNS(2, "2023-11-14T21:00:00") RUNS(3, "2023-11-14T23:13:19")
		"JobId=4 JobName=x UserId=a(1) JobState=PENDING\n";
	static const struct {
		const char *details;
		bool told;
	} all[] = { { "JobId=1 JobName=x\n\nJobId=2 JobName=x\n", false }, { "JobId=1 JobName=x\n", true },
		    { "No jobs in the system\n", true } };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { FST_CLOCK, { "scontrol_job_o.txt", jobs }, { "scontrol_job_d.txt", all[i].details } };
		fs_snapshot *m = FST_IMPORT(files);

		assert_int_equal(warned(m, " of 2 running jobs are missing, first: "), all[i].told);
		fs_snapshot_free(m);
	}
}

static void missing_required_fields_are_reported(void **state)
{
	static const struct {
		const char *file, *text, *told;
	} all[] = {
		{ "scontrol_job_o.txt", "JobId=1 JobName=x" ALL_KEYS "TRES=cpu=1\n", NULL },
		{ "scontrol_job_o.txt", "JobId=1 JobName=x" KEYS_WITH("TRES") "TRES=cpu=1\nJobId=2 JobName=y" KEYS_WITH("CPU") "TRES=cpu=1\n", NULL },
		{ "scontrol_job_o.txt", "JobId=1 JobName=x" KEYS_WITH("X") "TRES=cpu=1\n", "fields are missing: MinMemoryCPU (in 1 of 1 record)" },
		{ "scontrol_job_o.txt", "JobId=1 ArrayJobId=1 ArrayTaskId=1-3 JobName=x" HELD " AllocTRES=(null)\n", NULL },
		{ "scontrol_job_o.txt", "JobId=1 JobName=x" HELD "\n", "fields are missing: AllocTRES (in 1 of 1 record)" },
		{ "scontrol_job_o.txt", "JobId=1 ArrayJobId=1 JobName=x" HELD " AllocTRES=\nJobId=2 JobName=y" HELD " AllocTRES=\n",
		  "dir/scontrol_job_o.txt: fields are missing: ArrayTaskId (in 1 of 2 records)" },
		{ "scontrol_job_o.txt", JOB(1, "x") JOB(2, "y"),
		  "fields are missing: Nice (in 2 of 2 records), Account (2 of 2), QOS (2 of 2), Dependency (2 of 2)" },
		{ "scontrol_reservation.txt", RESERVED("r") "   Users=u Accounts= State=ACTIVE\n\n" RESERVED("s") "   Users= Accounts=a State=X\n", NULL },
		{ "scontrol_reservation.txt", RESERVED("r") "\n" RESERVED("s") "   Users=u Acc",
		  "fields are missing: Users (in 1 of 2 records), Accounts (2 of 2), State (2 of 2)" },
		{ "scontrol_node_o.txt", NODE("a"), NULL },
		{ "scontrol_node_o.txt", NODE("a") "NodeName=b State=IDLE CPUTot=4 RealMemory=1 CfgTRES=cpu=4 ThreadsPerCore=1 Weight= X=1\n",
		  "dir/scontrol_node_o.txt: fields are missing: Weight (in 1 of 2 records)" },
		{ "scontrol_node_o.txt", "NodeName=a CPUTot=4 RealMemory=1 CfgTRES=cpu=4\n",
		  "fields are missing: State (in 1 of 1 record)" },
		{ "scontrol_partition_o.txt", PARTITION, NULL },
		{ "scontrol_partition_o.txt", "PartitionName=p State=UP\n", "PriorityTier (in 1 of 1 record), PriorityJobFactor (1 of 1)" },
		{ "scontrol_config.txt", BASIC, NULL },
		{ "scontrol_config.txt", SEVERAL,
		  "missing or empty: heading line, AccountingStorageEnforce, AccountingStorageTRES, BOOT_TIME" },
		{ "scontrol_config.txt", BASIC "PriorityType = priority/multifactor\n", NULL },
		{ "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\n", NULL },
		{ "sacctmgr_tres.txt", "Type|Name|ID\n", "dir/sacctmgr_tres.txt: no rows after the heading" },
		{ "sacctmgr_tres.txt", "Type|ID\ncpu|1\n", "dir/sacctmgr_tres.txt: columns are missing: Name" },
		{ "sacctmgr_user.txt", "User|Def Acct|Admin|Coord Accounts\nann|b|None|\nbob|b\n",
		  "dir/sacctmgr_user.txt:3: the row is truncated or lacks values (such rows: 1 of 2)" },
		{ "squeue_O.txt", "JOBID               STATE       \n", "squeue_O.txt: the column ASSOC_ID is missing" },
		{ "sacctmgr_tres.txt", "sacctmgr: error: slurm_persist_conn_open\n",
		  "dir/sacctmgr_tres.txt: columns are missing: Type, Name, ID" },
		{ "sacctmgr_user.txt", "User|Def Acct|Admin|Coord Accounts\nann|b|None|\n", NULL },
		{ "sshare.txt", "Account|User|RawShares\n", "columns are missing: RawUsage, EffectvUsage, FairShare" },
		{ "sshare.txt", SHARES ROW("", "") ROW("a", "0.5"), NULL },
		{ "sshare.txt", SHARES ROW("", "") ROW("a", "") ROW("b", ""), NULL },
		{ "sshare.txt", SHARES ROW("", "") ROW("a", "0.5") ROW("b", ""), "column NormUsage has values in some rows only" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { { "date_begin", "1700000000\n" }, { all[i].file, all[i].text } };
		fs_snapshot *m = FST_IMPORT(files);
		size_t n;

		fsi_list_items(m, m->head.incomplete, &n);
		if (!n != !all[i].told || (all[i].told && !warned(m, all[i].told)))
			fail_msg("case %zu: %s", i, n ? fs_snapshot_warning(m, 0) : "nothing is said");
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void counts_of_nodes_and_jobs_are_compared_across_files(void **state)
{
	static const struct fst_file nodes[] = { FST_CLOCK, { "scontrol_partition_o.txt", PARTITION },
						 { "scontrol_node_o.txt", NODE("a") } };
	static const struct fst_file jobs[] = { FST_CLOCK, { "scontrol_job_o.txt", "JobId=1 JobName=x" ALL_KEYS },
						{ "squeue_O.txt", SQUEUE(LISTED(1) LISTED(2) LISTED(3)) } };
	fs_snapshot *m = FST_IMPORT(nodes);

	(void)state;
	assert_true(warned(m, "dir: partition p has 2 nodes, but the list of nodes has only 1"));
	assert_true(fs_snapshot_hidden(m, "node"));
	fs_snapshot_free(m);
	m = FST_IMPORT(jobs);
	assert_true(warned(m, "dir: squeue lists 2 jobs that scontrol does not show, first: 2"));
	assert_true(fs_snapshot_hidden(m, "job"));
	fs_snapshot_free(m);
}

#define QOS(name)                                                                                                      \
	"QOS=" name "(1) UsageRaw=0.0 GrpJobs=N(0) GrpSubmitJobs=N(0) GrpWall=N(0.00) GrpTRES= GrpTRESMins= "             \
	"GrpTRESRunMins= MaxWallPJ= Priority=0\n"
#define ALL_QOS "Name|ID|Priority|UsageFactor\nq|1|0|1.0\nr|2|0|1.0\n"
#define TWO_NODES "PartitionName=p State=UP Nodes=n[1-2]\n"

static void nodes_and_qos_that_one_file_lacks_are_reported(void **state)
{
	static const struct {
		struct fst_file a, b;
		const char *told; /* text of the expected warning; NULL: no warning is expected */
	} all[] = {
		{ { "scontrol_partition_o.txt", TWO_NODES }, { "scontrol_node_o.txt", NODE("n1") NODE("n2") }, NULL },
		{ { "scontrol_partition_o.txt", TWO_NODES }, { "scontrol_node_o.txt", NODE("n1") NODE("n3") },
		  "scontrol_node_o.txt: the file lacks 1 of 2 node names used by partitions, first: n2" },
		{ { "sacctmgr_qos_all.txt", ALL_QOS }, { "scontrol_assoc_mgr_o.txt", QOS("q") },
		  "scontrol_assoc_mgr_o.txt: the file lacks 1 of 2 QOS, first: r" },
		{ { "sacctmgr_assoc.txt", "Account|User|ID|ParentName\nroot||1|\nx||2|root\n" }, { "scontrol_assoc_mgr_o.txt", QOS("q") },
		  "scontrol_assoc_mgr_o.txt: the file lacks 2 of 2 associations (named by account), first: root" },
		{ { "sacctmgr_qos_all.txt", ALL_QOS }, { "scontrol_assoc_mgr_o.txt", QOS("q") QOS("r") QOS("s") },
		  "sacctmgr_qos_all.txt: the file lacks 1 of 3 QOS known to the controller, first: s" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { FST_CLOCK, all[i].a, all[i].b };
		fs_snapshot *m = FST_IMPORT(files);
		const bool any = warned(m, ": the file lacks ");

		if (any != (all[i].told != NULL) || (any && !warned(m, all[i].told)))
			fail_msg("case %zu: %s", i, fst_warning(m, 0));
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

#define NAMES_QOS(qos, by_default) "Account|User|ID|QOS|Def QOS\nroot||1|" qos "|" by_default "\n"
#define OF_PARTITION(words) "PartitionName=p State=UP Nodes=n1 " words "\n"
#define RUNS_WITH(more) "JobId=7 " more "JobName=x UserId=a(1) JobState=RUNNING StartTime=2023-11-14T20:00:00 Partition=p\n"
#define SACCT(rows) "JobIDRaw|Start|End\n" rows
#define KNOWN_USER "User|Def Acct|Admin|Coord Accounts\nann|a|None|\n"

#define QOS_LIMITS \
	"QOS=q(1) UsageRaw=0 GrpJobs=N(2) User Limits= a(1)={MaxJobsPU=3(1) MaxJobsAccruePU=2(0) MaxSubmitJobsPU=N(1)}\n"

/* A list truncated at the end of a line looks complete, but other files use names that the list lacks. */
static void names_that_a_list_lacks_are_reported(void **state)
{
	static const struct {
		struct fst_file a, b;
		/* `told`: expected warning; `hidden`: record type that is hidden; NULL: none */
		const char *told, *hidden;
	} all[] = {
		{ { "sacctmgr_qos_all.txt", ALL_QOS }, { "sacctmgr_assoc.txt", NAMES_QOS("q,r", "r") }, NULL, NULL },
		{ { "sacctmgr_qos_all.txt", ALL_QOS }, { "sacctmgr_assoc.txt", NAMES_QOS("q,s", "") },
		  "sacctmgr_qos_all.txt: the file lacks 1 of 2 QOS names used by associations, partitions or other QOS, first: s", "qos" },
		{ { "sacctmgr_qos_all.txt", ALL_QOS }, { "sacctmgr_assoc.txt", NAMES_QOS("", "s") }, "first: s", "qos" },
		{ { "sacctmgr_qos_all.txt", "Name|ID|Priority|Preempt\nq|1|0|s\n" }, { NULL, NULL }, "first: s", "qos" },
		{ { "sacctmgr_qos_all.txt", "Name|ID|MaxJobsPU|MaxJobsAccruePU\nq|1|3|2\n" },
		  { "scontrol_assoc_mgr_o.txt", QOS_LIMITS }, NULL, NULL },
		{ { "sacctmgr_qos_all.txt", "Name|ID|MaxJobsPU|MaxJobsAccruePU\nq|1|3|\n" },
		  { "scontrol_assoc_mgr_o.txt", QOS_LIMITS },
		  "sacctmgr_qos_all.txt: the file lacks 1 of 2 limits of QOS known to the controller, first: MaxJobsAccruePU of q", "qos" },
		{ { "sacctmgr_qos_all.txt", ALL_QOS }, { "scontrol_partition_o.txt", OF_PARTITION("QoS=s") }, "first: s", "qos" },
		{ { "sacctmgr_qos_all.txt", ALL_QOS }, { "scontrol_partition_o.txt", OF_PARTITION("AllowQos=q,t") },
		  "the file lacks 1 of 2 QOS names in AllowQos or DenyQos of partitions, first: t", NULL },
		{ { "scontrol_partition_o.txt", OF_PARTITION("") }, { "scontrol_node_o.txt", NODE("n1") }, NULL, NULL },
		{ { "scontrol_partition_o.txt", OF_PARTITION("") }, { "scontrol_node_o.txt", "NodeName=n1 CPUTot=4 Partitions=p,o\n" },
		  "scontrol_partition_o.txt: the file lacks 1 of 2 partition names used by nodes, first: o", "partition" },
		{ { "sacctmgr_assoc.txt", "Account|User|ID\na||1\na|ann|2\n" }, { "sacctmgr_user.txt", KNOWN_USER }, NULL, NULL },
		{ { "sacctmgr_assoc.txt", "Account|User|ID\na||1\na|bob|2\n" }, { "sacctmgr_user.txt", KNOWN_USER },
		  "sacctmgr_user.txt: the file lacks 1 of 1 user names used by associations, first: bob", "user" },
		{ { "scontrol_config.txt", "AccountingStorageTRES = cpu,mem\n" }, { "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\nmem||2\n" }, NULL, NULL },
		{ { "scontrol_config.txt", "AccountingStorageTRES = cpu,mem\n" }, { "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\n" },
		  "sacctmgr_tres.txt: the file lacks 1 of 2 TRES of AccountingStorageTRES, first: mem", "tres" },
		{ { "scontrol_job_o.txt", RUNS_WITH("") }, { "sacct.txt", SACCT("7|2023-11-14T20:00:00|Unknown\n") }, NULL, NULL },
		{ { "scontrol_job_o.txt", RUNS_WITH("ArrayJobId=5 ArrayTaskId=2 ") }, { "sacct.txt", SACCT("5|2023-11-14T20:00:00|Unknown\n") }, NULL, NULL },
		{ { "scontrol_job_o.txt", RUNS_WITH("") }, { "sacct.txt", SACCT("6|2023-11-14T20:00:00|Unknown\n") },
		  "sacct.txt: the file lacks 1 of 1 running jobs, first: 7", "usage" },
		{ { "scontrol_job_o.txt", RUNS_WITH("") }, { "sacct.txt", SACCT("") }, "first: 7", "usage" },
		{ { "scontrol_job_o.txt", RUNS_WITH("") }, { NULL, NULL }, NULL, NULL },
		{ { "scontrol_job_o.txt", "JobId=7 JobName=x UserId=a(1) JobState=PENDING Reservation=r\n" },
		  { "scontrol_reservation.txt", "ReservationName=r StartTime=N/A\n   Nodes=n1\n" }, NULL, NULL },
		{ { "scontrol_job_o.txt", "JobId=7 JobName=x UserId=a(1) JobState=PENDING Reservation=r\n" },
		  { "scontrol_reservation.txt", "No reservations in the system\n" },
		  "scontrol_reservation.txt: the file lacks 1 of 1 reservation names used by pending jobs, first: r", "reservation" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { { "date_begin", "1700000000\n" }, all[i].a, all[i].b };
		fs_snapshot *m;
		bool any;

		m = fst_import_exact(files, all[i].b.name ? 3 : 2, NULL);
		any = warned(m, ": the file lacks ");
		if (any != (all[i].told != NULL) || (any && !warned(m, all[i].told)))
			fail_msg("case %zu: %s", i, fst_warning(m, 0));
		if (all[i].hidden)
			assert_true(fs_snapshot_hidden(m, all[i].hidden));
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

/* A coordinator sees associations of users that PrivateData hides. */
static void private_users_are_hidden_without_a_warning(void **state)
{
	static const struct fst_file files[] = {
		{ "date_begin", "1700000000\n" },
		{ "scontrol_config.txt", "PrivateData = jobs,users\n" },
		{ "sacctmgr_assoc.txt", "Account|User|ID\na||1\na|ann|2\na|bob|3\n" },
		{ "sacctmgr_user.txt", KNOWN_USER },
	};
	fs_snapshot *m = fst_import_exact(files, FST_COUNT(files), NULL);

	(void)state;
	assert_false(warned(m, ": the file lacks "));
	assert_true(fs_snapshot_hidden(m, "user"));
	fs_snapshot_free(m);
}

#define SQ(array, reservation) "JOBID ARRAY_TASK_ID RESERVATION ASSOC_ID STATE   \n7     " array " " reservation "        3        PENDING \n"
#define ARRAY                                                                                                          \
	"JobId=7 ArrayJobId=7 ArrayTaskId=1-2 JobName=x UserId=a(1) GroupId=a(1) JobState=PENDING Reason=None StartTime=Unknown EndTime=Unknown\n"             \
	"JobId=8 ArrayJobId=7 ArrayTaskId=3 JobName=x UserId=a(1) GroupId=a(1) JobState=PENDING Reason=None StartTime=Unknown EndTime=Unknown\n"
#define CONFIG(flags) "Configuration data as of 2023-11-14T23:13:20\nPriorityType = priority/multifactor\nPriorityFlags = " flags "\n"
#define WAITS                                                                                                          \
	"JobId=7 JobName=x UserId=a(1) GroupId=a(1) Priority=5 JobState=PENDING Reason=None "                               \
	"EligibleTime=2023-11-14T20:00:00 Partition=p,q\n"
#define MORE_QOS                                                                                                       \
	"JobId=7 JobName=x UserId=a(1) GroupId=a(1) Priority=5 QOS=hi,lo JobState=PENDING Reason=None "                     \
	"EligibleTime=2023-11-14T20:00:00 Partition=p\n"
#define SPRIO(id, partition) id "|" partition "|a|5|0|3|0|4|5|2|0|0||0.1|0.0|0.4|0.1|1.0|0.0|0.1|\n"
#define SPRIO_OF(qos) "7|p|u|a|5|0|3|0|4|5|2|" qos "|0|0||0.1|0.0|0.4|0.1|1.0|0.0|0.1|\n"
#define LONG "Account|User|RawShares|RawUsage|NormUsage|EffectvUsage|FairShare"

/* Files contradict each other about array tasks, reservations, the algorithm, or the contents of cells. */
static void contradictions_between_files_are_reported(void **state)
{
	static const struct {
		struct fst_file a, b;
		/* `told`: text that a warning must contain; NULL: no warning may contain the text `part` */
		const char *part, *told;
	} all[] = {
		{ { "scontrol_job_o.txt", ARRAY }, { "squeue_O.txt", SQ("1-3          ", "(null)     ") }, "more pending tasks", NULL },
		{ { "scontrol_job_o.txt", ARRAY }, { "squeue_O.txt", SQ("1-4          ", "(null)     ") }, "more pending tasks",
		  "squeue lists more pending tasks than scontrol for 1 job array, first: 7" },
		{ { "scontrol_job_o.txt", ARRAY }, { "squeue_O.txt", SQ("1,2,3,5-12,13", "(null)     ") }, "more pending tasks",
		  "for 1 job array, first: 7" },
		{ { "scontrol_job_o.txt", ARRAY }, { "squeue_O.txt", SQ("1-2,3,45-46109", "(null)     ") }, "more pending tasks", NULL },
		{ { "scontrol_job_o.txt", ARRAY }, { "squeue_O.txt", SQ("1-3          ", "maint      ") }, "shows a reservation",
		  "shows a reservation that scontrol does not show for 1 job, first: 7" },
		{ { "scontrol_config.txt", CONFIG("") }, { "sshare.txt", LONG "|LevelFS\n" }, "LevelFS", NULL },
		{ { "scontrol_config.txt", CONFIG("NO_FAIR_TREE") }, { "sshare.txt", LONG "\n" }, "LevelFS", NULL },
		{ { "scontrol_config.txt", CONFIG("") }, { "sshare.txt", LONG "\n" }, "LevelFS", "the column LevelFS is missing" },
		{ { "scontrol_config.txt", CONFIG("ACCRUE_ALWAYS,NO_FAIR_TREE") }, { "sshare.txt", LONG "|LevelFS\n" }, "LevelFS",
		  "NO_FAIR_TREE, but sshare.txt has the column LevelFS" },
		{ { "scontrol_config.txt", CONFIG("") },
		  { "sshare.txt", LONG "|LevelFS\nroot|||5||1.0||\n a||1|5|1|1.0||1\n  a|x|parent|5|1|1.0|0.5|\n" }, "in some rows only", NULL },
		{ { "scontrol_config.txt", CONFIG("") },
		  { "sshare.txt", LONG "|LevelFS\nroot|||5||1.0||\n a||1|5|1|1.0||1\n  a|x|1|5|1|1.0|0.5|\n  a|y|1|5|1|1.0|0.5|1\n" },
		  "in some rows only", "column LevelFS has values in some rows only" },
		{ { "scontrol_config.txt", CONFIG("") },
		  { "sshare.txt", LONG "|LevelFS\nroot|||5||1.0||\n a||1|5|1|1.0||1\n  a|x|1|5|1|1.0||1\n  a|y|1|5|1|1.0|0.5|1\n" }, "in some rows only",
		  "column FairShare has values in some rows only" },
		{ { "scontrol_job_o.txt", WAITS }, { "sprio.txt", SPRIO("7", "p") SPRIO("7", "q") }, "pending jobs", NULL },
		{ { "scontrol_job_o.txt", WAITS }, { "sprio.txt", SPRIO("7", "p") }, "pending jobs",
		  "sprio.txt: the file lacks 1 of 1 pending jobs (all or some of their rows; jobs may have started between the commands), first: 7" },
		{ { "scontrol_job_o.txt", WAITS }, { "sprio.txt", "" }, "pending jobs", "first: 7" },
		{ { "scontrol_job_o.txt", WAITS }, { "sprio.txt", SPRIO("7", "p") SPRIO("7", "q") }, "sprio lists", NULL },
		{ { "scontrol_job_o.txt", WAITS }, { "sprio.txt", SPRIO("7", "p") SPRIO("7", "q") SPRIO("8", "p") }, "sprio lists",
		  "scontrol_job_o.txt: the file lacks 1 of 3 job ids listed by sprio, first: 8" },
		{ { "scontrol_job_o.txt", MORE_QOS }, { "sprio.txt", SPRIO("7", "p") SPRIO("7", "p") }, "pending jobs", NULL },
		{ { "scontrol_job_o.txt", MORE_QOS }, { "sprio.txt", SPRIO("7", "p") }, "pending jobs", "first: 7" },
		{ { "scontrol_job_o.txt", MORE_QOS }, { "sprio.txt", SPRIO_OF("hi") SPRIO_OF("lo") }, "fields are blank", NULL },
		{ { "scontrol_job_o.txt", MORE_QOS }, { "sprio.txt", SPRIO_OF("hi") SPRIO_OF("") }, "fields are blank", "sprio.txt:2: required fields are blank (in total: 1 row)" },
		{ { "scontrol_partition_o.txt", TWO_NODES },
		  { "scontrol_node_o.txt", NODE("n1") "NodeName=n2 CPUTot=4 State=IDLE ThreadsPerCore=1 RealMemory=1 CfgTRES=cpu=4\n" },
		  "Partitions= values", "the file lacks 1 of 2 Partitions= values of nodes, first: n2" },
		{ { "scontrol_reservation.txt", "ReservationName=a StartTime=N/A\n   Nodes=n1\n\nReservationName=b\n   Nodes=n2\n" },
		  { "sprio.txt", "" }, "no ReservationName", NULL },
		{ { "scontrol_reservation.txt", "ReservationName=a StartTime=N/A\n   Nodes=n1\n\nStartTime=N/A\n   Nodes=n2\n" },
		  { "sprio.txt", "" }, "no ReservationName", "scontrol_reservation.txt:4: no ReservationName precedes this line" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { { "date_begin", "1700000000.123456789\n" }, all[i].a, all[i].b,
						 { "scontrol_config.txt", CONFIG("") } };
		fs_snapshot *m = FST_IMPORT(files);

		if (warned(m, all[i].told ? all[i].told : all[i].part) != (all[i].told != NULL))
			fail_msg("case %zu: %s", i, fst_warning(m, 0));
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

#define SPRIO_JOB(state, eligible, start)                                                                              \
	"JobId=7 JobName=x UserId=a(1) GroupId=a(1) Priority=5 JobState=" state " Reason=None SubmitTime=2023-11-14T20:00:00 " \
	"EligibleTime=" eligible " StartTime=" start " Partition=p\n"
#define LONG_AGO "2023-11-14T20:00:00"

/* PriorityFlags decide which jobs sprio lists; a missing or an additional row is reported. */
static void rows_of_sprio_must_match_the_priority_flags(void **state)
{
	static const struct {
		/* `told`: text of the warning; NULL: no warning about sprio.txt is expected */
		const char *job, *rows, *config, *told;
	} all[] = {
		{ SPRIO_JOB("PENDING", "Unknown", "Unknown"), "", CONFIG(""), NULL },
		{ SPRIO_JOB("PENDING", "Unknown", "Unknown"), "", CONFIG("ACCRUE_ALWAYS"),
		  "sprio.txt: the file lacks 1 of 1 pending jobs (all or some of their rows; jobs may have started between the commands), first: 7" },
		{ SPRIO_JOB("PENDING", "2024-11-14T20:00:00", "Unknown"), "", CONFIG("ACCRUE_ALWAYS"), "first: 7" },
		{ SPRIO_JOB("PENDING", "Unknown", "Unknown"), SPRIO("7", "p"), CONFIG("ACCRUE_ALWAYS"), NULL },
		{ SPRIO_JOB("PENDING", "2024-11-14T20:00:00", "Unknown"), SPRIO("7", "p"), CONFIG(""),
		  "sprio.txt: job 7 is listed before it is eligible, but PriorityFlags in scontrol_config.txt lacks ACCRUE_ALWAYS" },
		{ SPRIO_JOB("RUNNING", LONG_AGO, LONG_AGO), "", CONFIG(""), NULL },
		{ SPRIO_JOB("RUNNING", LONG_AGO, LONG_AGO), "", CONFIG("CALCULATE_RUNNING"),
		  "sprio.txt: the file lacks 1 of 1 pending or running jobs (all or some of their rows), first: 7" },
		{ SPRIO_JOB("RUNNING", LONG_AGO, LONG_AGO), SPRIO("7", "p"), CONFIG("CALCULATE_RUNNING"), NULL },
		{ SPRIO_JOB("RUNNING", LONG_AGO, LONG_AGO), SPRIO("7", "p"), CONFIG(""),
		  "sprio.txt: running job 7 is listed, but PriorityFlags in scontrol_config.txt lacks CALCULATE_RUNNING" },
		/* the job may have started between the commands sprio and scontrol */
		{ SPRIO_JOB("RUNNING", LONG_AGO, "2023-11-14T23:13:00"), SPRIO("7", "p"), CONFIG(""), NULL },
		{ SPRIO_JOB("COMPLETED", LONG_AGO, LONG_AGO), "", CONFIG("CALCULATE_RUNNING"), NULL },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { { "date_begin", "1700000000.123456789\n" }, { "scontrol_job_o.txt", all[i].job },
						 { "sprio.txt", all[i].rows }, { "scontrol_config.txt", all[i].config } };
		fs_snapshot *m = FST_IMPORT(files);

		if (warned(m, all[i].told ? all[i].told : "sprio.txt") != (all[i].told != NULL))
			fail_msg("case %zu: %s", i, fst_warning(m, 0));
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

/* A configuration with invalid priority settings is imported with a warning. */
static void invalid_priority_settings_are_reported_and_hidden(void **state)
{
	static const struct {
		const char *line, *told;
	} all[] = {
		{ "PriorityWeightAge = 1000\n", NULL },
		{ "PriorityWeightAge = -5\n", "PriorityWeightAge: expected an integer from 0 to 4294967295" },
		{ "PriorityWeightQOS = 99999999999\n", "PriorityWeightQOS: expected an integer from 0 to 4294967295" },
		{ "PriorityWeightTRES = CPU=-5\n", "PriorityWeightTRES: expected a list of tres=weight" },
		{ "PriorityMaxAge = -1\n", "PriorityMaxAge: expected seconds, not negative" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		char text[2000];

		snprintf(text, sizeof(text), "%s%s", BASIC, all[i].line);
		const struct fst_file files[] = { { "date_begin", "1700000000\n" },
						  { "scontrol_config.txt", text },
						  { "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\n" } };
		fs_snapshot *m = FST_IMPORT(files);

		if (all[i].told ? !warned(m, all[i].told) : fst_warning(m, 0) != NULL)
			fail_msg("case %zu", i);
		assert_int_equal(fs_snapshot_hidden(m, "config"), all[i].told != NULL);
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_message_or_empty_file_hides_its_records),
		cmocka_unit_test(a_multiline_job_name_adds_no_job),
		cmocka_unit_test(a_multiline_job_name_is_read_whole),
		cmocka_unit_test(a_multiline_comment_adds_no_job),
		cmocka_unit_test(a_truncated_row_takes_nothing_from_the_next_row),
		cmocka_unit_test(array_tasks_are_listed_by_the_row_of_their_array),
		cmocka_unit_test(jobs_with_a_repeated_id_are_left_out),
		cmocka_unit_test(an_invalid_squeue_list_removes_no_job),
		cmocka_unit_test(running_jobs_without_details_are_reported),
		cmocka_unit_test(missing_required_fields_are_reported),
		cmocka_unit_test(counts_of_nodes_and_jobs_are_compared_across_files),
		cmocka_unit_test(nodes_and_qos_that_one_file_lacks_are_reported),
		cmocka_unit_test(names_that_a_list_lacks_are_reported),
		cmocka_unit_test(private_users_are_hidden_without_a_warning),
		cmocka_unit_test(contradictions_between_files_are_reported),
		cmocka_unit_test(rows_of_sprio_must_match_the_priority_flags),
		cmocka_unit_test(invalid_priority_settings_are_reported_and_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
