/* import/slurm/jobs: scontrol -o show job and squeue -O. */
#include "fsimport.h"

#define REST \
	" UserId=ann(7001) GroupId=lab(7000) MCS_label=N/A Priority=2019 Nice=-5 Account=physics " \
	"QOS=normal " "JobState=PENDING Reason=Resources Dependency=(null) Requeue=1 Restarts=0 " \
	"RunTime=00:00:00 " "TimeLimit=1-00:00:00 TimeMin=N/A SubmitTime=2023-11-14T23:13:20 " \
	"EligibleTime=2023-11-14T23:13:20 " \
	"AccrueTime=Unknown StartTime=Unknown EndTime=Unknown Deadline=N/A " \
	"PreemptEligibleTime=2023-11-14T23:13:50 LastSchedEval=2023-11-14T23:14:20 " \
	"Partition=a,b AllocNode:Sid=localhost:3029 ReqNodeList=(null) ExcNodeList=n0[1-2] " \
	"NodeList= " "NumNodes=2-4 NumCPUs=1K NumTasks=1 CPUs/Task=2 ReqB:S:C:T=0:0:*:* " \
	"MinMemoryCPU=1000M TRES=cpu=1K,mem=2.50G,node=2,billing=2000,gres/gpu=1 Features=(null) Prefer=ib|fast OverSubscribe=OK " \
	"Licenses=(null) Network=(null) Command=/bin/x UserId=root(0) WorkDir=/tmp Comment=a, b " \
	"Nice=77 Power= Switches=2@00:05:00 \n"

static fs_snapshot *jobs(const char *text)
{
	const struct fst_file files[] = { FST_CLOCK, { "scontrol_job_o.txt", text } };

	return FST_IMPORT(files);
}

static void all_fields_of_a_job_are_imported(void **state)
{
	static const char *const want[][2] = {
		{ "id", "17" },
		{ "state", "'PENDING'" },
		{ "name", "'wrap'" },
		{ "user", "'ann'" },
		{ "uid", "7001" },
		{ "group", "'lab'" },
		{ "account", "'physics'" },
		{ "priority", "2019" },
		{ "nice", "-5" },
		{ "qos", "['normal']" },
		{ "partitions", "['a','b']" },
		{ "reason", "'Resources'" },
		{ "dependency", "" },
		{ "features", "" },
		{ "prefer", "'ib|fast'" },
		{ "restarts", "0" },
		{ "switches", "2" },
		{ "switches_wait_s", "300" },
		{ "time_limit_s", "86400" },
		{ "time_min_s", "" },
		{ "submit_time", "1700000000" },
		{ "accrue_time", "" },
		{ "start_time", "" },
		{ "deadline", "" },
		{ "preemptable_time", "1700000030" },
		{ "last_sched_eval", "1700000060" },
		{ "nodes", "2" },
		{ "cpus", "1024" },
		{ "max_nodes", "4" },
		{ "mem_per_cpu_mb", "1000" },
		{ "tasks", "1" },
		{ "cpus_per_task", "2" },
		{ "tres_req", "{'cpu':1024,'mem':2560,'node':2,'billing':2000,'gres/gpu':1}" },
		{ "tres_alloc", "" },
		{ "exc_nodes", "'n0[1-2]'" },
		{ "node_list", "" },
		{ "licenses", "" },
		{ "comment", "'a, b'" },
		{ "array_task_id", "" },
	};
	fs_snapshot *m = jobs("JobId=17 JobName=wrap" REST);

	(void)state;
	for (size_t i = 0; i < FST_COUNT(want); i++)
		assert_member(m, "job", 0, want[i][0], want[i][1]);
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* The ids of a job are read only from the fields before free text: a job's comment may contain "JobId=99". */
static void ids_are_not_taken_from_free_text(void **state)
{
	fs_snapshot *m = jobs("JobId=17 JobName=wrap UserId=ann(7001) JobState=PENDING NumNodes=1 NumCPUs=4 Network=(null) "
			      "Comment=of JobId=99 ArrayJobId=98 ArrayTaskId=3 HetJobId=97 HetJobOffset=2\n");

	(void)state;
	assert_member(m, "job", 0, "id", "17");
	assert_member(m, "job", 0, "array_job_id", "");
	assert_member(m, "job", 0, "array_task_id", "");
	assert_member(m, "job", 0, "het_job_id", "");
	assert_member(m, "job", 0, "het_offset", "");
	fs_snapshot_free(m);
}

static void a_suspended_job_has_its_suspend_time_and_run_time(void **state)
{
	fs_snapshot *m = jobs("JobId=18 JobName=a UserId=ann(7001) JobState=SUSPENDED StartTime=2023-11-14T23:13:20 "
			      "SuspendTime=2023-11-14T23:13:26 SecsPreSuspend=6\n"
			      "JobId=19 JobName=a UserId=ann(7001) JobState=RUNNING SuspendTime=None SecsPreSuspend=0\n");

	(void)state;
	assert_member(m, "job", 0, "suspend_time", "1700000006");
	assert_member(m, "job", 0, "pre_suspend_s", "6");
	assert_member(m, "job", 1, "suspend_time", "");
	assert_member(m, "job", 1, "pre_suspend_s", "");
	fs_snapshot_free(m);
}

/* scontrol prints numbers of nodes as ranges, and from 24.05 on in the form in which the job requested them. */
static void numbers_of_nodes_are_read_in_all_forms(void **state)
{
	static const char *const rows[][3] = {
		{ "1", "1", "" }, { "2-2", "2", "2" }, { "2-8", "2", "8" },
		{ "2,4", "2", "4" }, { "2-8:2", "2", "8" }, { "1,3-5", "1", "5" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char line[200];

		snprintf(line, sizeof(line), "JobId=17 JobName=a UserId=ann(7001) JobState=PENDING NumNodes=%s NumCPUs=4\n",
			 rows[i][0]);
		fs_snapshot *m = jobs(line);

		assert_member(m, "job", 0, "nodes", rows[i][1]);
		assert_member(m, "job", 0, "max_nodes", rows[i][2]);
		fs_snapshot_free(m);
	}
}

#define OF_VERSION(v) "SLURM_VERSION           = " v "\nPriorityMaxAge          = 7-00:00:00\n"
#define SHARED(job, part) \
	{ "date_begin", "1700000000.123456789\n" }, \
	{ "scontrol_partition_o.txt", "PartitionName=a " part "\n" }, \
	{ "scontrol_job_o.txt", "JobId=17 JobName=wrap UserId=ann(7001) JobState=PENDING " job \
				" Network=(null) Comment=Exclusive=NODE\n" }

/* Exclusive= exists from 26.05 on; in earlier versions a comment may contain it. */
static void exclusive_is_read_from_26_05_on(void **state)
{
	const struct fst_file newer[] = { { "scontrol_config.txt", OF_VERSION("26.05.1") },
		SHARED("OverSubscribe=NO Exclusive=TOPO", "OverSubscribe=NO Exclusive=NODE") };
	const struct fst_file usual[] = { { "scontrol_config.txt", OF_VERSION("26.05.1") },
		SHARED("OverSubscribe=NO Exclusive=NO", "OverSubscribe=YES:4 Exclusive=NO") };
	const struct fst_file older[] = { { "scontrol_config.txt", OF_VERSION("25.11.2") },
		SHARED("OverSubscribe=NO", "OverSubscribe=EXCLUSIVE") };
	fs_snapshot *m = FST_IMPORT(newer);

	(void)state;
	assert_member(m, "job", 0, "oversubscribe", "'TOPO'");
	assert_member(m, "partition", 0, "oversubscribe", "'NODE'");
	fs_snapshot_free(m);
	m = FST_IMPORT(usual);
	assert_member(m, "job", 0, "oversubscribe", "'NO'");
	assert_member(m, "partition", 0, "oversubscribe", "'YES:4'");
	fs_snapshot_free(m);
	m = FST_IMPORT(older);
	assert_member(m, "job", 0, "oversubscribe", "'NO'");
	assert_member(m, "partition", 0, "oversubscribe", "'EXCLUSIVE'");
	fs_snapshot_free(m);
}

static void a_job_name_may_contain_any_fields(void **state)
{
	static const char *const names[] = {
		"two words",
		"a=b c=d",
		"x UserId=root(0)",
		"x UserId=root(0) GroupId=root(0) Account=other JobState=RUNNING",
		"JobId=99 JobName=inner",
		"-c Priority=1",
		"UserId=",
		"100% \xc3\xa9",
	};
	char text[2000], want[300];

	(void)state;
	for (size_t i = 0; i < FST_COUNT(names); i++) {
		snprintf(text, sizeof(text), "JobId=17 ArrayJobId=17 ArrayTaskId=3 JobName=%s" REST,
			 names[i]);
		snprintf(want, sizeof(want), "'%s'", names[i]);
		fs_snapshot *m = jobs(text);
		assert_int_equal(m->job.n, 1);
		assert_member(m, "job", 0, "name", want);
		assert_member(m, "job", 0, "id", "17");
		assert_member(m, "job", 0, "user", "'ann'");
		assert_member(m, "job", 0, "uid", "7001");
		assert_member(m, "job", 0, "account", "'physics'");
		assert_member(m, "job", 0, "state", "'PENDING'");
		assert_member(m, "job", 0, "priority", "2019");
		assert_member(m, "job", 0, "array_task_id", "3");
		fs_snapshot_free(m);
	}
}

/* The name contains Network=, which marks the end of the fixed fields. */
static void a_job_name_may_contain_network(void **state)
{
	fs_snapshot *m = jobs("JobId=17 JobName=ping Network=eth0" REST);

	(void)state;
	assert_member(m, "job", 0, "user", "'ann'");
	assert_member(m, "job", 0, "name", "'ping Network=eth0'");
	assert_member(m, "job", 0, "state", "'PENDING'");
	fs_snapshot_free(m);
}

static void array_and_het_job_ids_are_imported(void **state)
{
	fs_snapshot *m =
		jobs("JobId=20 ArrayJobId=20 ArrayTaskId=1-3,7%2 ArrayTaskThrottle=2 JobName=a"
			REST "JobId=21 ArrayJobId=20 ArrayTaskId=0 JobName=a" REST
			"JobId=30 HetJobId=30 HetJobOffset=0 HetJobIdSet=30-31 JobName=h" REST
			"JobId=31 HetJobId=30 HetJobOffset=1 HetJobIdSet=30-31 JobName=h" REST);

	(void)state;
	assert_member(m, "job", 0, "array_tasks", "'1-3,7%2'");
	assert_member(m, "job", 0, "array_task_id", "");
	assert_member(m, "job", 1, "array_task_id", "0");
	assert_member(m, "job", 1, "array_tasks", "");
	assert_member(m, "job", 1, "array_job_id", "20");
	assert_member(m, "job", 3, "het_job_id", "30");
	assert_member(m, "job", 3, "het_offset", "1");
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void time_limits_are_imported_in_all_forms(void **state)
{
	static const char *const limits[][2] = {
		{ "UNLIMITED", "'unlimited'" }, { "Partition_Limit", "" }, { "00:30:00", "1800" },
		{ "365-00:00:00", "31536000" }, { "90", "5400" },          { "N/A", "" },
	};
	char text[400];

	(void)state;
	for (size_t i = 0; i < FST_COUNT(limits); i++) {
		snprintf(text, sizeof(text),
			 "JobId=1 JobName=x UserId=a(1) JobState=PENDING TimeLimit=%s NumNodes=1\n",
			 limits[i][0]);
		fs_snapshot *m = jobs(text);
		assert_member(m, "job", 0, "time_limit_s", limits[i][1]);
		fs_snapshot_free(m);
	}
}

/* Before 24.11, scontrol prints one key TRES=. Later versions print ReqTRES= and AllocTRES=. */
static void requested_and_allocated_tres_are_imported(void **state)
{
	fs_snapshot *m = jobs(
		"JobId=1 JobName=x UserId=a(1) JobState=RUNNING NumNodes=1 TRES=cpu=2,mem=500M\n"
		"JobId=2 JobName=x UserId=a(1) JobState=RUNNING ReqTRES=cpu=2 "
		"AllocTRES=cpu=4,mem=1T\n"
		"JobId=3 JobName=x UserId=a(1) JobState=PENDING ReqTRES=cpu=2 AllocTRES=(null)\n");

	(void)state;
	assert_member(m, "job", 0, "tres_req", "{'cpu':2,'mem':500}");
	assert_member(m, "job", 0, "tres_alloc", "{'cpu':2,'mem':500}");
	assert_member(m, "job", 1, "tres_req", "{'cpu':2}");
	assert_member(m, "job", 1, "tres_alloc", "{'cpu':4,'mem':1048576}");
	assert_member(m, "job", 2, "tres_alloc", "");
	fs_snapshot_free(m);
}

static void unknown_states_give_a_warning(void **state)
{
	fs_snapshot *m =
		jobs("No jobs in the system\nJobId=1 JobName=x UserId=a(1) JobState=DREAMING\n");

	(void)state;
	assert_int_equal(m->job.n, 1);
	assert_member(m, "job", 0, "state", "'UNKNOWN'");
	assert_null(fst_warning(m, 1));
	assert_non_null(strstr(fst_warning(m, 0), "DREAMING"));
	fs_snapshot_free(m);
}

/* A truncated line has no owner and no state. The importer must not invent them. */
static void truncated_lines_give_no_owner(void **state)
{
	fs_snapshot *m = jobs("JobId=1 JobName=x\nJobId=2\nJobId=3 JobName=y UserId=\nJobId=4 "
			      "JobName=z UserId=(5\n");

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_member(m, "job", i, "user", "");
		assert_member(m, "job", i, "uid", "");
		assert_member(m, "job", i, "state", "'UNKNOWN'");
	}
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void squeue_gives_the_association(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt", "JobId=1 JobName=x UserId=a(1) JobState=PENDING\nJobId=2 "
					"JobName=x UserId=a(1) JobState=PENDING\n"
					"JobId=3 JobName=x UserId=a(1) JobState=PENDING\n" },
		{ "squeue_O.txt",
		  "JOBID               NAME        OVER_SUBSCRIBE  ASSOC_ID  RESTARTS\n"
		  "1                   x           OK              7         0\n"
		  "3                   full of it  YES             4294967290\n"
		  "99                  x           OK              8         0\n"
		  "2                   x           OK              N/A       0\n"
		  "2                   x           OK              4294967297\n"
		  "3                   x\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_member(m, "job", 0, "association", "7");
	assert_member(m, "job", 1, "association", "");
	assert_member(m, "job", 2, "association", "4294967290");
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void tasks_per_node_socket_and_core_are_imported(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt",
		  "JobId=1 JobName=x UserId=a(1) JobState=PENDING ReqB:S:C:T=0:0:*:1 NtasksPerN:B:S:C=0:0:3:2\n"
		  "JobId=2 JobName=x UserId=a(1) JobState=PENDING Socks/Node=* ReqB:S:C:T=0:0:*:* NtasksPerN:B:S:C=4:0:*:*"
		  " MinTmpDiskNode=0\n"
		  "JobId=3 JobName=x UserId=a(1) JobState=PENDING Socks/Node=2 NtasksPerN:B:S:C=4 ReqB:S:C:T=0:0:8:*"
		  " MinMemoryNode=0 MinTmpDiskNode=4G\n" },
	};
	static const char *const want[][7] = { { "3", "2", "1", "", "", "", "" },
					       { "", "", "", "4", "", "", "" },
					       { "", "", "", "4", "2", "8", "4096" } };
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		assert_member(m, "job", i, "ntasks_per_socket", want[i][0]);
		assert_member(m, "job", i, "ntasks_per_core", want[i][1]);
		assert_member(m, "job", i, "threads_per_core", want[i][2]);
		assert_member(m, "job", i, "ntasks_per_node", want[i][3]);
		assert_member(m, "job", i, "sockets_per_node", want[i][4]);
		assert_member(m, "job", i, "cores_per_socket", want[i][5]);
		assert_member(m, "job", i, "tmp_disk_mb", want[i][6]);
	}
	fs_snapshot_free(m);
}

#define RUNS(id, nodes) "JobId=" #id " JobName=x UserId=a(1) JobState=RUNNING NodeList=" nodes " NumCPUs=9\n"
#define DETAILS(id) "JobId=" #id " JobName=x\n   UserId=a(1)\n   NodeList=?\n   JOB_GRES=(null)\n"
#define NODES_OF(nodes, ids) "     Nodes=" nodes " CPU_IDs=" ids " Mem=25500 GRES=gpu:2(IDX:0-1)\n"

/* The details of job 1 list the nodes in another order than the job's node list. Some other jobs have incomplete or
 * malformed details. */
static void job_details_give_the_cpus_on_each_node(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt",
		  RUNS(1, "n[01-03]") RUNS(2, "n01") RUNS(3, "n[01-02]") RUNS(4, "n[01-02]") RUNS(5, "n[01-02]") RUNS(6, "n[01-02]") RUNS(7, "n[01-02]") RUNS(8, "n02") },
		{ "scontrol_job_d.txt",
		  DETAILS(1) NODES_OF("n03", "0-5,7") NODES_OF("n[01-02]", "17") "\n" DETAILS(2) NODES_OF("n01", "0-8")
		  DETAILS(3) NODES_OF("n01", "0-8") DETAILS(4) NODES_OF("n01", "") NODES_OF("n02", "0-3")
		  DETAILS(5) NODES_OF("n01", "8-0") NODES_OF("n02", "0-3") DETAILS(6) NODES_OF("n01", "0") NODES_OF("n[02", "1")
		  "     Nodes=n02 Cores=3\n" DETAILS(99) NODES_OF("n01", "0") DETAILS(7) NODES_OF("n01", "0-1") NODES_OF("n02", "5")
		  DETAILS(8) NODES_OF("n02", "0-15") },
	};
	static const char *const want[] = { "'1(x2),7'", "", "", "", "", "", "'2,1'", "'16'" };
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	for (uint32_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_member(m, "job", i, "node_cpus", want[i]);
	assert_member(m, "job", 0, "node_mem_mb", "'25500(x3)'");
	assert_member(m, "job", 3, "node_mem_mb", "");
	fst_same_again(m);
	fs_snapshot_free(m);
}

#define ASKS(id, nodes, tres, per) \
	"JobId=" #id " JobName=x UserId=a(1) JobState=PENDING NumNodes=" #nodes " NumTasks=6 TRES=cpu=1" tres " " per "\n"

/* gres/gpu and gres/gpu:old are TRES of the cluster. If the cluster has a TRES for the requested type of GPU, the job's
 * amount of that TRES is used. */
static void generic_resources_that_are_no_tres_are_imported(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\nnode||4\ngres|gpu|1001\ngres|gpu:old|1002\n" },
		{ "scontrol_job_o.txt",
		  ASKS(1, 2, ",node=2,gres/gpu=4", "TresPerNode=gres:gpu:a100:2")
		  ASKS(2, 2, ",node=2,gres/gpu=8", "TresPerNode=gres/gpu:a100:1,gres/gpu:v100:3")
		  ASKS(3, 1, ",gres/gpu=2", "TresPerNode=gres:gpu:2")
		  ASKS(4, 1, ",gres/gpu=2,gres/gpu:old=2", "TresPerNode=gres:gpu:old:2")
		  ASKS(5, 1, ",gres/gpu=6", "TresPerTask=cpu=2,gres/gpu:a100=1")
		  ASKS(6, 1, ",gres/gpu=3", "TresPerJob=gres/gpu:v100:3 TresPerNode=gres/gpu:v100:3")
		  ASKS(7, 1, ",gres/gpu=4", "TresPerSocket=gres:gpu:a100:2")
		  ASKS(8, 3, ",node=3", "TresPerNode=gres:fpga:2,gres:nic")
		  ASKS(9, 1, "", "TresPerTask=gres/fpga:x:2")
		  ASKS(10, 1, "", "TresPerSocket=gres:fpga:2")
		  ASKS(11, 1, ",gres/gpu=1", "TresPerNode=gpu:a100:1,gres:,gres:gpu:a100:0") },
	};
	static const char *const want[] = {
		"{'gres/gpu:a100':4}", "{'gres/gpu:a100':2,'gres/gpu:v100':6}", "", "", "{'gres/gpu:a100':6}",
		"{'gres/gpu:v100':3}", "{'gres/gpu:a100':4}", "{'gres/fpga':6,'gres/nic':3}",
		"{'gres/fpga:x':12,'gres/fpga':12}", "", "",
	};
	static const char *const per[] = { "", "", "", "", "'task'", "'job'", "'socket'", "", "'task'", "'socket'", "" };
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	for (uint32_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		assert_member(m, "job", i, "gres_req", want[i]);
		assert_member(m, "job", i, "gres_per", per[i]);
	}
	fst_same_again(m);
	fs_snapshot_free(m);
}

#define HAS(nodes, gres) "     Nodes=" nodes " CPU_IDs=0 Mem=100 GRES=" gres "\n"

static void generic_resources_are_imported_by_node(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\ngres|gpu|1001\ngres|gpu:old|1002\n" },
		{ "scontrol_job_o.txt", RUNS(1, "n[01-03]") RUNS(2, "n01") RUNS(3, "n[01-02]") RUNS(4, "n01") RUNS(5, "n01") RUNS(6, "n[01-02]") },
		{ "scontrol_job_d.txt",
		  DETAILS(1) HAS("n03", "gpu:a100:1(IDX:1),gpu:v100:2(IDX:2,4)") HAS("n[01-02]", "gpu:a100:0(IDX:),gpu:v100:1(IDX:2)")
		  DETAILS(2) HAS("n01", "gpu:2(IDX:0-1)") DETAILS(3) HAS("n01", "") HAS("n02", "fpga:1(IDX:0)")
		  DETAILS(4) HAS("n01", "gpu:old:1(IDX:0)") DETAILS(5) HAS("n[01-02]", "gpu:a100:1(IDX:0)")
		  DETAILS(6) HAS("n01", "gpu:old:2(IDX:0-1)") HAS("n02", "gpu:old:1(IDX:1)") },
	};
	static const char *const want[] = { "'gpu:v100:1;gpu:v100:1;gpu:a100:1,gpu:v100:2'", "", "';fpga:1'", "", "", "'gpu:old:2;gpu:old:1'" };
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	for (uint32_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_member(m, "job", i, "node_gres", want[i]);
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void cpu_ids_are_imported_if_jobs_share_cpus(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_partition_o.txt", "PartitionName=p OverSubscribe=FORCE:2 Nodes=n[01-03] State=UP\n" },
		{ "scontrol_job_o.txt", RUNS(1, "n[01-03]") RUNS(2, "n01") RUNS(3, "n[01-02]") },
		{ "scontrol_job_d.txt",
		  DETAILS(1) NODES_OF("n03", "0-5,7") NODES_OF("n[01-02]", "17") "\n" DETAILS(2) NODES_OF("n01", "0-8")
		  DETAILS(3) NODES_OF("n01", "0-8") },
	};
	static const char *const want[] = { "'17;17;0-5,7'", "'0-8'", "" };
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	for (uint32_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_member(m, "job", i, "cpu_ids", want[i]);
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* Defaults of the partition and requested values, as 22.05 and 24.11 print them. A job that requests memory has no
 * additional memory for its GPUs. */
static void cpus_and_memory_per_gpu_are_imported(void **state)
{
	static const struct {
		const char *more, *cpus, *memory;
	} all[] = {
		{ "MinMemoryNode=0 CpusPerTres=gpu:4 MemPerTres=gpu:12000", "4", "" },
		{ "MinMemoryNode=0 CpusPerTres=gres:gpu:9 MemPerTres=gres:gpu:60000", "9", "60000" },
		{ "MinMemoryNode=0 CpusPerTres=gres/gpu:a100:9", "9", "" },
		{ "MinMemoryCPU=500M CpusPerTres=gpu:4 MemPerTres=gpu:12000", "4", "" },
		{ "MinMemoryCPU=501M MemPerTres=gpu:12000", "", "" },
		{ "MinMemoryNode=4G CpusPerTres=gpu:4 MemPerTres=gpu:12000", "4", "" },
		{ "MinMemoryTRES=12000M CpusPerTres=gpu:4 MemPerTres=gpu:12000", "4", "" },
		{ "MinMemoryTRES=60000M MemPerTres=gres/gpu:60000", "", "60000" },
		{ "MinMemoryNode=0 CpusPerTres=fpga:4", "", "" },
		{ "Partition=a,b MinMemoryNode=0 CpusPerTres=gpu:4", "", "" },
		{ "Partition=a,b MinMemoryNode=0 CpusPerTres=gres:gpu:4", "4", "" },
		{ "MinMemoryNode=0 CpusPerTres=gpu:x", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		char text[600];
		const struct fst_file files[] = { { "date_begin", "1700000000.123456789\n" },
						  { "scontrol_config.txt", OF_VERSION("24.11.5") "DefMemPerCPU            = 500\n"
							  "SelectTypeParameters    = CR_CORE_MEMORY\n"
							  "JobDefaults             = DefCpuPerGPU=2,DefMemPerGPU=900\n" },
						  { "scontrol_partition_o.txt",
						    "PartitionName=a JobDefaults=DefMemPerGPU=12000,DefCpuPerGPU=4\n" },
						  { "scontrol_job_o.txt", text } };
		fs_snapshot *m;

		snprintf(text, sizeof(text), "JobId=7 JobName=x UserId=a(1) GroupId=a(1) JobState=PENDING Network=(null) %s\n",
			 all[i].more);
		m = FST_IMPORT(files);
		assert_string_equal(fs_snapshot_config_text(m, "JobDefaults"), "DefCpuPerGPU=2,DefMemPerGPU=900");
		assert_member(m, "partition", 0, "cpus_per_gpu", "4");
		assert_member(m, "partition", 0, "mem_per_gpu_mb", "12000");
		assert_member(m, "job", 0, "all_memory",
			      strstr(all[i].more, "MinMemoryNode=0 ") || strstr(all[i].more, "MinMemoryTRES=") ? "true" : "");
		assert_member(m, "job", 0, "cpus_per_gpu", all[i].cpus);
		assert_member(m, "job", 0, "cpus_per_gpu_default",
			      *all[i].cpus && strstr(all[i].more, "CpusPerTres=gpu:") ? "true" : "");
		assert_member(m, "job", 0, "mem_per_gpu_mb", all[i].memory);
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_fields_of_a_job_are_imported),
		cmocka_unit_test(cpus_and_memory_per_gpu_are_imported),
		cmocka_unit_test(ids_are_not_taken_from_free_text),
		cmocka_unit_test(numbers_of_nodes_are_read_in_all_forms),
		cmocka_unit_test(exclusive_is_read_from_26_05_on),
		cmocka_unit_test(a_suspended_job_has_its_suspend_time_and_run_time),
		cmocka_unit_test(a_job_name_may_contain_any_fields),
		cmocka_unit_test(a_job_name_may_contain_network),
		cmocka_unit_test(array_and_het_job_ids_are_imported),
		cmocka_unit_test(time_limits_are_imported_in_all_forms),
		cmocka_unit_test(requested_and_allocated_tres_are_imported),
		cmocka_unit_test(unknown_states_give_a_warning),
		cmocka_unit_test(truncated_lines_give_no_owner),
		cmocka_unit_test(squeue_gives_the_association),
		cmocka_unit_test(tasks_per_node_socket_and_core_are_imported),
		cmocka_unit_test(job_details_give_the_cpus_on_each_node),
		cmocka_unit_test(generic_resources_that_are_no_tres_are_imported),
		cmocka_unit_test(generic_resources_are_imported_by_node),
		cmocka_unit_test(cpu_ids_are_imported_if_jobs_share_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
