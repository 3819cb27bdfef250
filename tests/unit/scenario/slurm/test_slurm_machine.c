/* scenario/: abbreviations of sacctmgr, sizes of sbatch, reservations, nodes of partitions, suspended jobs. */
#include "fsprio.h"

#include "fs/scenario.h"
#include "model/records/limit_names.h"

/* The time is 1700000030. Job 8 runs on n1 until 1700002600. */
#define SITE \
	HEADER CONFIG("'AccountingStorageEnforce':['associations','limits']") TRES REC("tres", "'id':5,'name':'billing'") \
	REC("node", "'name':'n1','cpus':8,'alloc_cpus':4,'mem_mb':100,'alloc_mem_mb':20,'state':'MIXED','tres':{'cpu':8,'mem':100,'gres/gpu':2}," \
		    "'alloc_tres':{'cpu':4,'mem':20},'partitions':['p']") \
	REC("node", "'name':'n2','cpus':8,'alloc_cpus':0,'mem_mb':100,'state':'IDLE','tres':{'cpu':8,'mem':100},'partitions':['p','q']") \
	REC("node", "'name':'n3','cpus':16,'alloc_cpus':0,'mem_mb':300,'state':'IDLE','tres':{'cpu':16,'mem':300},'partitions':['q']") \
	REC("partition", "'name':'p','state':'UP','nodes':'n[1-2]','total_cpus':16,'total_nodes':2,'is_default':true,'billing_weights':'CPU=2'," \
			 "'tres':{'cpu':16,'mem':200,'gres/gpu':2,'node':2,'billing':32}") \
	REC("partition", "'name':'q','state':'UP','nodes':'n[2-3]','total_cpus':24,'total_nodes':2") \
	REC("user", "'name':'u','uid':77,'admin':'none','default_account':'a'") REC("user", "'name':'o','admin':'operator'") QOS \
	REC("association", "'id':1,'account':'root','shares':1") REC("association", "'id':3,'account':'a','parent':'root','shares':1") \
	REC("association", "'id':2,'account':'a','user':'u','shares':1,'qos':['low'],'default_qos':'low'") \
	REC("reservation", "'name':'old','start_time':1700009000,'end_time':1700010000,'state':'INACTIVE','nodes':'n3','node_count':1,'users':['u']") \
	REC("job", "'id':8,'state':'RUNNING','submit_time':1000,'eligible_time':1000,'accrue_time':1000,'start_time':1699999000," \
		   "'end_time':1700002600,'time_limit_s':3600,'user':'u','account':'a','association':2,'priority':9," \
		   "'partitions':['p'],'qos':['low'],'nodes':1,'cpus':4,'node_list':'n1','tres_req':{'cpu':4},'tres_alloc':{'cpu':4,'mem':20}") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'eligible_time':1000,'accrue_time':1000,'time_limit_s':3600,'user':'u'," \
		   "'account':'a','association':2,'partitions':['q'],'qos':['low'],'nodes':1,'cpus':4,'priority':7,'reservation':'old'")

static char notes[4096];

static void note(void *ctx, const char *sentence)
{
	const size_t len = strlen(notes);

	(void)ctx;
	snprintf(notes + len, sizeof(notes) - len, "%s\n", sentence);
}

static int edit_as(fs_snapshot *m, const char *viewer, const char *command, struct fs_error *err)
{
	const struct fs_edit_options o = { .viewer = viewer, .note = note };

	*notes = '\0';
	return fs_snapshot_edit(m, command, &o, err);
}

/* Checks that the line that begins with `begin` contains `expected` after the commands, which end with NULL. */
static void line_after(const char *viewer, const char *begin, const char *expected, const char *const *commands)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_error err;

	for (; *commands; commands++)
		fst_no_error(edit_as(m, viewer, *commands, &err), &err);
	fst_check_line(m, begin, expected);
	fs_snapshot_free(m);
}

#define AFTER(begin, expected, ...) line_after("u", begin, expected, (const char *const[]){ __VA_ARGS__, NULL })

static void refused_to(const char *viewer, const char *command, const char *why)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_error err;

	assert_int_equal(edit_as(m, viewer, command, &err), FS_EUSAGE);
	if (!strstr(err.message, why)) {
		print_error("%s: %s\ndoes not say %s\n", command, err.message, why);
		fail();
	}
	fs_snapshot_free(m);
}

static void refused(const char *command, const char *why)
{
	refused_to("o", command, why);
}

/* An abbreviation selects a word as in sacctmgr: the first word in its order that begins with the abbreviation and
 * permits its length. */
static void sacctmgr_accepts_the_abbreviations_of_each_word(void **state)
{
	(void)state;
#define LOW "{'type':'qos','name':'low'"
	AFTER(LOW, "'max_jobs_per_user':3", "sacctmgr modify qos low set MaxJobsPU=3");
	AFTER(LOW, "'max_jobs_per_user':3", "sacctmgr modify qos low set maxj=3");
	AFTER(LOW, "'max_jobs_per_account':3", "sacctmgr modify qos low set maxjobspa=3");
	AFTER(LOW, "'max_submit_jobs_per_user':3", "sacctmgr modify qos low set maxs=3");
	AFTER(LOW, "'max_tres_per_user':{'cpu':4}", "sacctmgr modify qos low set maxtrespu=cpu=4");
	AFTER(LOW, "'max_tres_per_user':{'cpu':4}", "sacctmgr modify qos low set MaxCPUsPerUser=4");
	AFTER(LOW, "'max_tres':{'node':4}", "sacctmgr modify qos low set maxn=4");
	AFTER(LOW, "'max_tres_run_min_per_user':{'cpu':9}", "sacctmgr modify qos low set MaxTRESRunMinsPU=cpu=9");
	AFTER(LOW, "'grp_jobs':3", "sacctmgr modify qos low set grpj=3");
	AFTER(LOW, "'grp_tres':{'mem':2048}", "sacctmgr modify qos low set GrpMem=2G");
	AFTER(LOW, "'max_wall_s':300", "sacctmgr modify qos low set maxw=5");
	AFTER(LOW, "'usage_by_tres_min':{},'usage_wall_min':0", "sacctmgr modify qos low set rawusage=0");
#define OF_U "{'type':'association','id':2,"
	AFTER(OF_U, "'shares':9", "sacctmgr modify user u set f=9");
	AFTER(OF_U, "'max_jobs':2", "sacctmgr modify user u set MaxJ=2");
	AFTER(OF_U, "'max_jobs_accrue':2", "sacctmgr modify user u set maxjobsa=2");
	AFTER(OF_U, "'grp_tres':{'cpu':6,'node':2}", "sacctmgr modify user u set GrpCPUs=6 grpn=2");
	AFTER(OF_U, "'max_tres':{'cpu':6}", "sacctmgr modify user u set MaxTRESPJ=cpu=6");
	refused("sacctmgr modify qos low set maxw", "needs a value");
	refused("sacctmgr modify qos low set GrpT=cpu=1", "unknown keyword \"GrpT\"");
	refused("sacctmgr modify qos low set MaxTRESP=cpu=1", "unknown keyword");
	refused("sacctmgr modify qos low set GrpCPUs=cpu=1", "expected one amount");
	refused("sacctmgr modify qos low set RawUsage=7", "can only be set to 0");
	refused("sacctmgr modify user u set MaxJobsPU=1", "unknown keyword \"MaxJobsPU\"");
}

#define WORD(member, type, name, column, shown, word, order, measure, counted) word,
static const char *const of_qos[] = { FSI_QOS_LIMITS(WORD) FSI_QOS_RUN_MINUTE_LIMITS(WORD)
					      FSI_QOS_ACCRUE_LIMITS(WORD) };
static const char *const of_assoc[] = { FSI_ASSOC_GROUP_LIMITS(WORD) FSI_ASSOC_OWN_LIMITS(WORD)
						FSI_ASSOC_ACCRUE_LIMITS(WORD) };

/* Each known limit can be set with the sacctmgr keyword that the advice uses for it. */
static void every_limit_can_be_set_by_its_word(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_error err;
	char command[128];

	(void)state;
	for (size_t i = 0; i < sizeof(of_qos) / sizeof(*of_qos); i++) {
		snprintf(command, sizeof(command), "sacctmgr modify qos low set %s=%s4", of_qos[i], strstr(of_qos[i], "TRES") ? "cpu=" : "");
		fst_no_error(edit_as(m, "o", command, &err), &err);
	}
	for (size_t i = 0; i < sizeof(of_assoc) / sizeof(*of_assoc); i++) {
		snprintf(command, sizeof(command), "sacctmgr modify user u set %s=%s4", of_assoc[i], strstr(of_assoc[i], "TRES") ? "cpu=" : "");
		fst_no_error(edit_as(m, "o", command, &err), &err);
	}
	fs_snapshot_free(m);
}

/* The expected records are those of a Slurm 22.05 controller after sbatch with the same options. */
static void sbatch_submits_jobs_with_resource_options(void **state)
{
	(void)state;
#define NEW "{'type':'job','id':10,"
	AFTER(NEW, "'tres_req':{'cpu':2,'billing':4,'node':2,'gres/gpu':4}", "sbatch --gpus=4 -N2");
	AFTER(NEW, "'gres/gpu':6}", "sbatch --gpus-per-node=2 -N3");
	AFTER(NEW, "'tres_req':{'cpu':3,'billing':6,'node':1,'gres/gpu':6}", "sbatch --gpus-per-task=2 -n3");
	AFTER(NEW, "'tasks':4,'cpus_per_task':1,'tres_req':{'cpu':4,'billing':8,'node':1,'gres/gpu':4}", "sbatch --gpus-per-task=1 -G 4");
	AFTER(NEW, "'tres_req':{'cpu':1,'billing':2,'node':1,'mem':6144,'gres/gpu':2}", "sbatch --gpus=2 --mem-per-gpu=3G");
	AFTER(NEW, "'tres_req':{'cpu':8,'billing':16,'node':1,'gres/gpu':4}", "sbatch --gpus=4 --ntasks-per-gpu=2");
	AFTER(NEW, "'tres_req':{'cpu':1,'billing':2,'node':1,'gres/gpu':2},'cpus_per_gpu':4,'gres_per':'job'", "sbatch --gpus=2 --cpus-per-gpu=4 --hint=x");
	assert_non_null(strstr(notes, "--hint is ignored, although it may change where or when the job starts"));
	AFTER("{'type':'job','id':9,", "'cpus_per_gpu':3", "scontrol update CpusPerTres=gres:gpu:3 Gres=gpu:1 JobId=9");
	AFTER("{'type':'job','id':9,", "'switches':2,'switches_wait_s':60", "scontrol update job 9 Switches 2 wait-for-switch 60");
	AFTER("{'type':'partition','name':'p',", "'cpus_per_gpu':5", "scontrol update part=p JobDefaults=DefMemPerGPU=9,DefCpuPerGPU=5");
	AFTER("{'type':'user','name':'u',", "'default_account':'a','admin':'operator'", "sacctmgr modify user u set DefaultAccount=a",
	      "sacctmgr modify user u set AdminLevel=Op");
	AFTER(NEW, "'min_cpus_per_node':8,'tres_req':{'cpu':2,", "sbatch --mincpus=8 -n2");
	AFTER("{'type':'job','id':9,", "'cpus':12,'min_cpus_per_node':6,'tres_req':{'node':2,'cpu':12,", "scontrol update job 9 NumNodes=2",
	      "scontrol update job 9 MinCPUsNode=6");
	AFTER(NEW, "'mem':200", "sbatch --mem=0 -N2");
	AFTER("{'type':'job','id':9,", "'mem':100", "scontrol update job 9 MinMemoryNode=0");
	AFTER("{'type':'job','id':9,", "'accrue_time':1000", "scontrol update job 9 Dependency=");
	AFTER(NEW, "'oversubscribe':'EXCLUSIVE'", "sbatch --exclusive");
	AFTER(NEW, "'oversubscribe':'USER'", "sbatch --exclusive=user");
	AFTER(NEW, "'switches':1,'switches_wait_s':600", "sbatch --switches=1@10:00");
	AFTER(NEW, "'dependency':'afterok:9'", "sbatch -d afterok:9 --mail-type=END -o /dev/null --requeue");
	line_after("root", NEW, "'user':'u',", (const char *const[]){ "sbatch --uid=u -A a", NULL });
	line_after("root", NEW, "'user':'u',", (const char *const[]){ "sbatch --uid=77 -A a", NULL });
	refused_to("u", "sbatch -A a --gpus=x", "expected GPUs");
	refused_to("root", "scontrol update part=p JobDefaults=DefCpuPerGPU=many", "expected DefCpuPerGPU=N, DefMemPerGPU=N, or both");
	refused_to("root", "JobDefaults=DefCpuPerGpus=2", "expected DefCpuPerGPU=N, DefMemPerGPU=N, or both");
	refused_to("u", "sbatch -A a --exclusive=never", "expected user, mcs or topo");
	refused_to("u", "sbatch -A a --uid=u", "only root");
	refused_to("u", "sbatch -A a --gpus-per-task=2000000000 -n 2000000000", "too many");
	refused_to("u", "sbatch -A a --mem-per-gpu=3G", "requires --gpus, --gpus-per-node or --gpus-per-task");
	refused_to("u", "sbatch -A a --gpu-per-node=3", "the nearest is --gpus-per-node");
}

/* Applies the commands to job 9 in a snapshot of Slurm `version`, and checks the job. All sizes in one command take
 * effect at once. */
static void sized_in(const char *version, const char *expected, const char *const *commands)
{
	char text[2048];
	struct fs_error err;

	snprintf(text, sizeof(text), "{'type':'snapshot','format':1,'time':1700000030,'cluster':'c','scheduler':'slurm %s'}\n%s", version,
		 TRES REC("job", "'id':9,'state':'PENDING','submit_time':1000,'user':'u','account':'a','nodes':1,'cpus':2,'tasks':2,"
				 "'tres_req':{'cpu':2,'node':1,'gres/gpu':2},'gres_per':'task'"));
	fs_snapshot *m = fst_snapshot(text);

	for (; *commands; commands++)
		fst_no_error(edit_as(m, "u", *commands, &err), &err);
	fst_check_line(m, "{'type':'job'", expected);
	fs_snapshot_free(m);
}

#define SIZED_IN(version, expected, ...) sized_in(version, expected, (const char *const[]){ __VA_ARGS__, NULL })
#define SIZED(expected, ...) SIZED_IN("22.05.8", expected, __VA_ARGS__)
#define UPDATE "scontrol update job 9 "

/* The expected results are those of a Slurm controller of version 22.05. */
static void changes_of_size_give_the_results_of_22_05(void **state)
{
	(void)state;
	SIZED("'cpus':2,'tasks':4,", UPDATE "NumTasks=4");
	SIZED("'cpus':2,'tasks':2,'cpus_per_task':2,", UPDATE "CPUsPerTask=2");
	SIZED("'nodes':3,'cpus':6,'tasks':3,'cpus_per_task':2,", UPDATE "NumNodes=3 CPUsPerTask=2");
	SIZED("'nodes':4,'cpus':8,'tasks':4,", UPDATE "CPUsPerTask=2", UPDATE "NumNodes=4 NumCPUs=2");
	SIZED("'mem':12000}", UPDATE "MinMemoryNode=3000", UPDATE "NumNodes=4");
	SIZED("'mem':3000}", UPDATE "MinMemoryNode=3000 NumCPUs=4", UPDATE "NumNodes=4");
	SIZED("'cpus':6,'mem_per_cpu_mb':300,'tasks':6,", UPDATE "NumTasks=6 MinMemoryCPU=300", UPDATE "NumCPUs=3 NumNodes=2");
	SIZED("'cpus':6,", UPDATE "MinCPUsNode=3 NumNodes=2");
	SIZED("'cpus':6,", UPDATE "NumTasks=8 NumCPUs=8", UPDATE "NumNodes=2 MinCPUsNode=3 NumTasks=2");
	SIZED("'cpus':6,", UPDATE "NumCPUs=6 MinCPUsNode=4");
	SIZED("'cpus':4,'tasks':3,", UPDATE "NumCPUs=4", UPDATE "NumTasks=2 NumNodes=3");
	SIZED("'gres/gpu':2},'gres_per':'job'", UPDATE "TresPerJob=gres:gpu:2 NumNodes=2");
	refused(UPDATE "BurstBuffer=x", "cannot change");
	refused(UPDATE "TresPerSocket=gres:gpu:2", "requires ReqSockets");
	SIZED("'oversubscribe':'NO'", UPDATE "CoreSpec=1");
	SIZED("'oversubscribe':'NO'", UPDATE "ThreadSpec=2", UPDATE "CoreSpec=-1");
	SIZED_IN("26.05.0", "'oversubscribe':'NODE'", UPDATE "ThreadSpec=0");
	SIZED("'ntasks_per_node':2", UPDATE "TasksPerNode=2");
	SIZED("'threads_per_core':1", UPDATE "ReqThreads=1");
	SIZED("'sockets_per_node':2,'cores_per_socket':8,'tmp_disk_mb':500", UPDATE "ReqSockets=2 ReqCores=8 MinTmpDiskNode=500");
	AFTER(NEW, "'sockets_per_node':2,'cores_per_socket':4,'tmp_disk_mb':3072",
	      "sbatch --tmp=3G --sockets-per-node=2 --cores-per-socket=4");
	AFTER(NEW, "'oversubscribe':'NODE'", "sbatch -S 1");
	AFTER("{'type':'job','id':9,", "'gres/gpu':6", UPDATE "Gres=gpu:2 NumNodes=3");
	AFTER("{'type':'job','id':9,", "'mem':2400}", UPDATE "MinMemoryCPU=300 NumCPUs=8");
	refused(UPDATE "CPUsPerTask=0", "CPUsPerTask: expected a whole number from 1");
	refused(UPDATE "NumCPUs=2000000000 NumNodes=2000000000 CPUsPerTask=4", "the job would have 8000000000 CPUs; the maximum is");
}

/* The total memory of a job grows in proportion to its number of nodes, even if the total is not a multiple of this
 * number. */
static void memory_grows_with_the_number_of_nodes(void **state)
{
	fs_snapshot *m = fst_snapshot(HEADER TRES REC("job", "'id':9,'state':'PENDING','submit_time':1000,'user':'u','nodes':2,"
						      "'cpus':2,'tasks':2,'tres_req':{'cpu':2,'node':2,'mem':1001}"));
	struct fs_error err;

	(void)state;
	fst_no_error(edit_as(m, "u", UPDATE "NumNodes=4", &err), &err);
	fst_check_line(m, "{'type':'job'", "'mem':2002}");
	fs_snapshot_free(m);
}

/* Since 23.02, a change of the number of tasks also changes the number of CPUs, and the total amount of each resource
 * that the job requests per task. */
static void since_23_02_tasks_set_the_number_of_cpus(void **state)
{
	(void)state;
	SIZED_IN("23.02.1", "'cpus':5,'tasks':5,'tres_req':{'cpu':5,'node':1,'gres/gpu':5}", UPDATE "NumTasks=5");
	SIZED_IN("23.02.1", "'max_nodes':3,'cpus':3,'tasks':2,", UPDATE "NumNodes=3");
}

static void scontrol_creates_changes_and_deletes_reservations(void **state)
{
	(void)state;
#define MAKE "scontrol create reservation ReservationName=maint StartTime=2023-11-15T00:00:00 Duration=2:00:00 Users=u Nodes=n[2-3]"
	AFTER("{'type':'reservation','name':'maint'",
	      "'start_time':1700006400,'end_time':1700013600,'state':'INACTIVE','nodes':'n2,n3','node_count':2,'flags':['MAINT'],'users':['u']", MAKE
	      " Flags=MAINT");
	assert_non_null(strstr(notes, "only an operator may do this"));
	AFTER("{'type':'reservation','name':'maint'", "'nodes':'n1,n2','node_count':2,'partition':'p'",
	      "scontrol create res ReservationName=maint StartTime=now+1hour Duration=60 Accounts=a PartitionName=p");
	AFTER("{'type':'reservation','name':'old'", "'start_time':1700010200,'end_time':1700011200",
	      "scontrol update ReservationName=old StartTime=2023-11-15T01:03:20");
	AFTER("{'type':'reservation','name':'old'", "'end_time':1700013600", "scontrol update res=old Duration+=60");
	AFTER("{'type':'reservation','name':'old'", "'nodes':'n2,n3'", "scontrol update reservation=old Nodes+=n2");
	AFTER("{'type':'reservation','name':'old'", "'users':['u','o']", "scontrol update ReservationName=old Users+=o");
	AFTER("{'type':'snapshot'", "'reservation':1", "scontrol update job 9 ReservationName=", MAKE " Flags=OVERLAP", "scontrol delete res=old");
	refused("scontrol delete ReservationName=old", "job 9 uses the reservation, so the reservation cannot be deleted");
	refused(MAKE, "the reservation overlaps reservation old in time and nodes");
	refused("scontrol create reservation StartTime=now Duration=60 Users=u Nodes=n1", "job 8 may still run on nodes of the reservation");
	refused("scontrol create reservation StartTime=now Users=u Nodes=n2", "needs StartTime, and EndTime or Duration");
	refused("scontrol create reservation StartTime=now Duration=5 Nodes=n2", "needs Users or Accounts");
	refused("scontrol create reservation StartTime=now Duration=5 Users=u", "needs Nodes, or PartitionName");
	refused("scontrol create reservation StartTime=now Duration=5 Users=u NodeCnt=2", "the controller's choice of nodes");
	refused("scontrol create reservation StartTime=now Duration=5 Users=u Nodes=n9", "there is no node \"n9\"");
	refused("scontrol create reservation StartTime=now Duration=5 Users=u Nodes=n2 Flags=MAIN2", "flag \"MAIN2\" is not supported; the nearest is MAINT");
	refused("scontrol create reservation StartTime=2020-01-01 Duration=5 Users=u Nodes=n2", "cannot begin in the past");
	refused("scontrol delete ReservationName=new", "there is no reservation \"new\"");
	refused("scontrol update ReservationName=old Nodes=", "at least one node");
}

static void the_nodes_of_a_partition_can_be_changed(void **state)
{
	(void)state;
#define P "{'type':'partition','name':'p'"
#define NODES_AND "scontrol update PartitionName=p Nodes"
	AFTER(P, "'nodes':'n1,n3','total_cpus':24,'total_nodes':2,'tres':{'cpu':24,'mem':400,'gres/gpu':2,'node':2,'billing':48}", NODES_AND "=n1,n3");
	AFTER(P, "'nodes':'n1,n2,n3'", NODES_AND "+=n3");
	AFTER(P, "'nodes':'n2,n3'", NODES_AND "=-n1,+n3");
	AFTER(P, "'nodes':'n1,n2'", NODES_AND "=n3", NODES_AND "=n[1-2]");
	AFTER(P, "'total_cpus':32,'total_nodes':3", NODES_AND "=ALL");
	AFTER(P, "'total_cpus':0,'total_nodes':0", NODES_AND "=");
	AFTER("{'type':'node','name':'n3'", "'partitions':['q','p']", NODES_AND "=n3");
	AFTER("{'type':'node','name':'n2'", "'partitions':['q']", NODES_AND "=n3");
	AFTER(P, "'job_factor':8,'tier':8", "scontrol update PartitionName=p prio=8");
	AFTER(P, "'max_cpus_per_node':3", "PartitionName=p MaxCPUsPerNode=3");
	AFTER("{'type':'partition','name':'q'", "'is_default':true", "PartitionName=q Default=YES");
	refused(NODES_AND "=n9", "there is no node \"n9\"");
	refused(NODES_AND "=n[3-1]", "there are no nodes");
	refused("scontrol update PartitionName=p TRESBillingWeights=tape=1", "expected weights of the cluster's TRES");
}

static void suspended_and_requeued_jobs_free_their_resources(void **state)
{
	(void)state;
	AFTER("{'type':'job','id':8,", "'state':'SUSPENDED'", "scontrol suspend 8");
	AFTER("{'type':'job','id':8,", "'suspend_time':1700000030,'pre_suspend_s':1030", "scontrol suspend 8");
	AFTER("{'type':'node','name':'n1'", "'alloc_cpus':0,'mem_mb':100,'alloc_mem_mb':20", "scontrol suspend 8");
	AFTER("{'type':'node','name':'n1'", "'alloc_cpus':4,'mem_mb':100,'alloc_mem_mb':20", "scontrol suspend 8", "scontrol resume 8");
	AFTER("{'type':'job','id':8,", "'state':'RUNNING'", "scontrol suspend 8", "scontrol resume 8");
	AFTER("{'type':'job','id':8,", "'state':'PENDING'", "scontrol requeuehold 8");
	AFTER("{'type':'job','id':8,", "'reason':'JobHeldUser','priority':0", "scontrol requeuehold 8");
	AFTER("{'type':'node','name':'n1'", "'alloc_cpus':0,'mem_mb':100,'alloc_mem_mb':0", "scontrol requeuehold State=SpecialExit 8");
	refused("scontrol suspend 9", "job 9 is not running");
	refused("scontrol resume 8", "job 8 is not suspended");
	refused("scontrol requeuehold 9", "is already pending");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sacctmgr_accepts_the_abbreviations_of_each_word),
		cmocka_unit_test(every_limit_can_be_set_by_its_word),
		cmocka_unit_test(sbatch_submits_jobs_with_resource_options),
		cmocka_unit_test(changes_of_size_give_the_results_of_22_05),
		cmocka_unit_test(since_23_02_tasks_set_the_number_of_cpus),
		cmocka_unit_test(memory_grows_with_the_number_of_nodes),
		cmocka_unit_test(scontrol_creates_changes_and_deletes_reservations),
		cmocka_unit_test(the_nodes_of_a_partition_can_be_changed),
		cmocka_unit_test(suspended_and_requeued_jobs_free_their_resources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
