/* queue/verdict.c: every kind of verdict and its cause. */
#include "fs/explain.h"
#include "fsprio.h"
#include "model/model.h"
#include "queue/queue.h"

struct given {
	fs_snapshot *m;
	fs_queue *q;
	struct fs_verdict v; /* verdict on job 9 */
};

static void give(struct given *g, const char *text)
{
	struct fs_error err;
	size_t row = 0;
	struct fs_job j;

	*g = (struct given){ .m = fst_snapshot(text) };
	fst_no_error(fs_queue_compute(&g->q, g->m, NULL, &err), &err);
	for (fs_snapshot_job(g->m, row, &j); j.id != 9; fs_snapshot_job(g->m, ++row, &j))
		;
	assert_int_equal(fs_queue_verdict(g->q, (uint32_t)row, &g->v), 0);
	assert_int_equal(fs_queue_verdict_kind(g->q, (uint32_t)row), g->v.kind);
}

static void take(struct given *g)
{
	fs_verdict_release(&g->v);
	fs_queue_free(g->q);
	fs_snapshot_free(g->m);
}

struct expected {
	const char *text;
	enum fs_verdict_kind kind;
	enum fs_verdict_cause cause;
};

static void check(const struct expected *rows, size_t n)
{
	struct given g;

	for (size_t i = 0; i < n; i++) {
		give(&g, rows[i].text);
		if (g.v.kind != rows[i].kind || g.v.cause != rows[i].cause) {
			print_error("row %zu: %s %s, not %s %s\n", i, fs_verdict_name(g.v.kind),
				    fs_verdict_cause_name(g.v.cause), fs_verdict_name(rows[i].kind),
				    fs_verdict_cause_name(rows[i].cause));
			fail();
		}
		take(&g);
	}
}

#define CHECK(rows) check(rows, sizeof(rows) / sizeof(*(rows)))

/* Partition p has two nodes of 8 CPUs. If one of the nodes is also in partition high, jobs of high are tried first. */
#define N(name, fields) REC("node", "'name':'" name "','state':'IDLE','cpus':8,'mem_mb':8000,'partitions':['p']" fields)
#define P(fields) REC("partition", "'name':'p','state':'UP','tier':1,'tres':{'cpu':16,'mem':16000,'node':2}" fields)
#define SITE HEADER TRES CONFIG("'AccountingStorageEnforce':['limits']") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':0,'max_jobs':2") \
	REC("qos", "'name':'q','max_tres':{'cpu':12}")
#define UP SITE P("") N("a", "") N("b", "")
#define WAITS(more) \
	JOB(9, "'user':'u','account':'root','association':2,'partitions':['p'],'cpus':4,'nodes':1,'priority':5," \
	       "'time_limit_s':600,'tres_req':{'cpu':4,'node':1}" more)
#define BECAUSE(reason) WAITS(",'reason':'" reason "'")
#define RUNS(id) \
	REC("job", "'id':" #id ",'state':'RUNNING','user':'u','account':'root','association':2,'partitions':['p']," \
		   "'tres_alloc':{'cpu':1,'node':1},'node_list':'a'")
#define BEFORE JOB(8, "'user':'v','account':'root','partitions':['p'],'cpus':4,'nodes':1,'priority':7,'reason':'Resources'")

static void jobs_that_can_never_start_name_the_cause(void **state)
{
	static const struct expected rows[] = {
		{ UP JOB(9, "'user':'u','account':'root','association':2,'partitions':['p'],'qos':['q'],'priority':5,"
			    "'tres_req':{'cpu':13,'node':1},'reason':'Priority'"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_LIMIT },
		{ UP JOB(9, "'partitions':['p'],'priority':5,'tres_req':{'cpu':17,'node':1},'reason':'Priority'"),
		  FS_VERDICT_NEVER, FS_VERDICT_CAUSE_PARTITION },
		{ UP WAITS(",'reason':'DependencyNeverSatisfied','dependency':'afterok:3'"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_DEPENDENCY },
		{ UP BECAUSE("DeadLine"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_CONSTRAINTS },
		/* no node has the feature, or there are not enough nodes, whatever their states */
		{ UP JOB(9, "'partitions':['p'],'priority':0,'features':'x','reason':'BadConstraints'"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_CONSTRAINTS },
		{ UP JOB(9, "'partitions':['p'],'priority':0,'tres_req':{'cpu':3,'node':3},'reason':'BadConstraints'"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_PARTITION },
		{ UP BECAUSE("InvalidQOS"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_ACCESS },
		{ UP BECAUSE("InvalidAccount"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_ACCESS },
		{ UP BECAUSE("ReservationDeleted"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_RESERVATION },
		/* a job with a priority is tried again: the reason from one of its partitions is not final */
		{ UP BECAUSE("BadConstraints"), FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
	};
	struct given g;

	(void)state;
	CHECK(rows);
	give(&g, rows[0].text);
	assert_string_equal(g.v.limit->name, "MaxTRESPerJob");
	assert_same_double(g.v.limit->wants, 13);
	assert_same_double(g.v.limit->value, 12);
	take(&g);
	give(&g, rows[1].text);
	assert_string_equal(g.v.obstacle->what, "cpu");
	assert_same_double(g.v.obstacle->has, 16);
	take(&g);
	give(&g, rows[9].text);
	assert_true(g.v.stale);
	take(&g);
}

#define HELD(state, reason) \
	REC("job", "'id':9,'state':'" state "','eligible_time':1000,'partitions':['p'],'priority':0,'reason':'" reason "'")

static void held_jobs_name_who_holds_them(void **state)
{
	static const struct expected rows[] = {
		{ UP HELD("PENDING", "JobHeldUser"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_OWNER },
		{ UP HELD("PENDING", "JobHeldAdmin"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_ADMINISTRATOR },
		/* the job is not classified as NEVER, because it may fit on nodes that are unavailable, or on nodes
		 * with unknown properties */
		{ UP HELD("PENDING", "BadConstraints"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_SCHEDULER },
		{ SITE HELD("PENDING", "BadConstraints"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_SCHEDULER },
		{ UP HELD("PENDING", "Priority"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_SCHEDULER },
		{ UP HELD("PENDING", "job_requeued_in_held_state"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_REQUEUE },
		{ UP HELD("REQUEUE_HOLD", "JobHeldUser"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_REQUEUE },
		{ UP HELD("SPECIAL_EXIT", "JobHeldUser"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_REQUEUE },
		{ UP HELD("PENDING", "job_requeued_in_special_exit_state"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_REQUEUE },
		/* the reason shows that an administrator has taken over the hold of the requeued job */
		{ UP HELD("REQUEUE_HOLD", "JobHeldAdmin"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_ADMINISTRATOR },
		{ UP HELD("SPECIAL_EXIT", "JobHeldAdmin"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_ADMINISTRATOR },
	};

	(void)state;
	CHECK(rows);
}

static void dependent_jobs_list_the_jobs_they_wait_for(void **state)
{
	struct given g;

	(void)state;
	give(&g, UP RUNS(3) WAITS(",'reason':'Dependency','dependency':'afterok:3(unfulfilled):77,singleton(unfulfilled)'"));
	assert_int_equal(g.v.kind, FS_VERDICT_DEPENDENCY);
	assert_int_equal(g.v.nneeds, 3);
	assert_string_equal(g.v.needs[0].kind, "afterok");
	assert_true(g.v.needs[0].job == 3 && g.v.needs[0].job_row == 0);
	assert_string_equal(g.v.needs[1].kind, "afterok");
	assert_true(g.v.needs[1].job == 77 && g.v.needs[1].job_row == UINT32_MAX);
	assert_string_equal(g.v.needs[2].kind, "singleton");
	assert_true(g.v.needs[2].job == 0);
	take(&g);
	/* dependencies on single array tasks, on a whole array, and on a delay in minutes after a start; the snapshot
	 * has no task 9 of the array */
	give(&g, UP RUNS(3) JOB(7, "'array_job_id':5,'array_task_id':2") JOB(5, "'array_job_id':5,'array_tasks':'3-8'")
	     WAITS(",'reason':'Dependency','dependency':'afterok:5_2(unfulfilled),afterok:5_4(unfulfilled),afterany:5_*(unfulfilled),"
		   "after:3+30(unfulfilled),afterok:5_9(failed)'"));
	assert_int_equal(g.v.nneeds, 5);
	assert_true(g.v.needs[0].job == 5 && g.v.needs[0].job_row == 2 && !g.v.needs[0].delay_min);
	assert_string_equal(g.v.needs[0].task, "5_2");
	assert_true(g.v.needs[1].job_row == 1);
	assert_true(g.v.needs[2].job_row == 1);
	assert_string_equal(g.v.needs[2].task, "5_*");
	assert_true(g.v.needs[3].job_row == 0 && g.v.needs[3].delay_min == 30 && !g.v.needs[3].task);
	assert_true(g.v.needs[4].failed && g.v.needs[4].job_row == UINT32_MAX);
	take(&g);
	/* in Flux, a dependency on a begin time refers to no job */
	give(&g, UP RUNS(3) WAITS(",'reason':'Dependency','dependency':'begin@03:51:20,begin-time=1795194000.000'"));
	assert_int_equal(g.v.nneeds, 2);
	assert_string_equal(g.v.needs[0].kind, "begin@03:51:20");
	assert_string_equal(g.v.needs[1].kind, "begin-time=1795194000.000");
	assert_true(!g.v.needs[0].job && !g.v.needs[1].job);
	take(&g);
}

static void jobs_that_wait_for_a_time_show_that_time(void **state)
{
	static const char reserved[] = UP REC("reservation", "'name':'r','start_time':1700000900,'end_time':1700009999,'nodes':'a'")
		WAITS(",'reason':'Reservation','reservation':'r'");
	struct given g;

	(void)state;
	give(&g, UP REC("job", "'id':9,'state':'PENDING','eligible_time':1700000500,'partitions':['p'],'priority':5,'reason':'BeginTime'"));
	assert_int_equal(g.v.kind, FS_VERDICT_BEGIN);
	assert_int_equal(g.v.cause, FS_VERDICT_CAUSE_NONE);
	assert_int_equal(g.v.time, 1700000500);
	take(&g);
	/* the job is not eligible yet, and the verdict names the job's reservation as the cause */
	give(&g, UP REC("reservation", "'name':'r','start_time':1700000900,'end_time':1700009999,'nodes':'a'")
		 REC("job", "'id':9,'state':'PENDING','partitions':['p'],'priority':5,'reason':'Reservation','reservation':'r'"));
	assert_int_equal(g.v.cause, FS_VERDICT_CAUSE_RESERVATION);
	assert_int_equal(g.v.time, 1700000900);
	take(&g);
	give(&g, reserved);
	assert_int_equal(g.v.kind, FS_VERDICT_RESERVATION);
	assert_int_equal(g.v.cause, FS_VERDICT_CAUSE_RESERVATION);
	assert_int_equal(g.v.time, 1700000900);
	take(&g);
	/* with FLEX the job may start outside the reservation */
	give(&g, UP REC("reservation", "'name':'r','start_time':1700000900,'end_time':1700009999,'nodes':'a','flags':['FLEX']")
		 WAITS(",'reservation':'r'"));
	assert_int_not_equal(g.v.kind, FS_VERDICT_RESERVATION);
	take(&g);
}

static void jobs_at_a_limit_name_the_limit(void **state)
{
	static const struct expected rows[] = {
		{ UP RUNS(1) RUNS(2) BECAUSE("AssocMaxJobsLimit"), FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_LIMIT },
		{ UP RUNS(1) RUNS(2) BECAUSE("Priority"), FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_LIMIT },
		/* the snapshot does not contain the limit */
		{ UP BECAUSE("AssocGrpLicense"), FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_POLICY },
		/* the scheduler tested the limit for fewer nodes than the job could use */
		{ UP REC("qos", "'name':'n','max_tres_per_node':{'cpu':3}") WAITS(",'tasks':4,'qos':['n'],'reason':'QOSMaxCpuPerNode'"),
		  FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_LIMIT },
		{ UP REC("qos", "'name':'n','max_tres_per_node':{'cpu':3}")
		  WAITS(",'tasks':4,'max_nodes':1,'qos':['n'],'reason':'QOSMaxCpuPerNode'"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_LIMIT },
		{ UP WAITS(",'array_job_id':9,'array_tasks':'1-9%1','reason':'JobArrayTaskLimit'")
		  REC("job", "'id':7,'state':'RUNNING','array_job_id':9,'array_task_id':1,'partitions':['p']"),
		  FS_VERDICT_ARRAY_LIMIT, FS_VERDICT_CAUSE_ARRAY },
		/* a task that waits because of the array's own limit has no eligible time */
		{ UP REC("job", "'id':9,'state':'PENDING','partitions':['p'],'priority':5,'array_job_id':9,'array_tasks':'1-9%1',"
			 "'reason':'JobArrayTaskLimit'"), FS_VERDICT_ARRAY_LIMIT, FS_VERDICT_CAUSE_ARRAY },
		/* the array task that was running when the reason was recorded has ended */
		{ UP WAITS(",'array_job_id':9,'array_tasks':'1-9%1','reason':'JobArrayTaskLimit'"), FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		/* one of the counted jobs has ended since the reason was recorded */
		{ UP RUNS(1) BECAUSE("AssocMaxJobsLimit"), FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		/* the scheduler tried the job on a larger node than the job needs */
#define WHOLE(cpus, least) \
	UP REC("node", "'name':'c','cpus':" #least ",'mem_mb':8000,'partitions':['p'],'state':'IDLE'") \
	REC("qos", "'name':'n','max_tres':{'cpu':" #cpus "}") \
	WAITS(",'tasks':1,'whole_nodes':true,'qos':['n'],'reason':'QOSMaxCpuPerJobLimit'")
		{ WHOLE(6, 5), FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_LIMIT },
		{ WHOLE(4, 5), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_LIMIT },
	};
	struct given g;

	(void)state;
	CHECK(rows);
	give(&g, rows[0].text);
	assert_string_equal(g.v.limit->name, "MaxJobs");
	assert_same_double(g.v.limit->used, 2);
	take(&g);
	give(&g, rows[5].text);
	assert_true(g.v.array_limit == 1 && g.v.array_running == 1);
	take(&g);
	give(&g, rows[8].text);
	assert_true(g.v.stale);
	take(&g);
}

#define TWO(a, b) SITE P("") REC("node", "'name':'a','cpus':8,'mem_mb':8000,'partitions':['p'],'state':'" a "'") \
	REC("node", "'name':'b','cpus':8,'mem_mb':8000,'partitions':['p'],'state':'" b "'")

static void jobs_without_available_nodes_name_the_nodes_states(void **state)
{
	static const struct expected rows[] = {
		{ SITE REC("partition", "'name':'p','state':'DOWN','tier':1,'tres':{'cpu':16,'node':1}") N("a", "") BECAUSE("PartitionDown"),
		  FS_VERDICT_NODES, FS_VERDICT_CAUSE_PARTITION },
		{ TWO("DOWN", "DOWN*") BECAUSE("Resources"), FS_VERDICT_NODES, FS_VERDICT_CAUSE_DOWN },
		{ TWO("IDLE+DRAIN", "DOWN") BEFORE BECAUSE("Priority"), FS_VERDICT_NODES, FS_VERDICT_CAUSE_DOWN },
		{ TWO("RESERVED", "MAINT") BECAUSE("Resources"), FS_VERDICT_NODES, FS_VERDICT_CAUSE_RESERVED },
		{ TWO("IDLE", "DOWN") BECAUSE("Resources"), FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		{ TWO("IDLE", "DOWN") WAITS(",'req_nodes':'b','reason':'ReqNodeNotAvail'"), FS_VERDICT_NODES, FS_VERDICT_CAUSE_DOWN },
		{ TWO("IDLE", "DOWN") WAITS(",'exc_nodes':'a','reason':'ReqNodeNotAvail'"), FS_VERDICT_NODES, FS_VERDICT_CAUSE_DOWN },
	};
	struct given g;

	(void)state;
	CHECK(rows);
	give(&g, rows[2].text);
	assert_true(g.v.nodes.all == 2 && g.v.nodes.down == 1 && g.v.nodes.drained == 1 && g.v.nodes.wants == 1);
	take(&g);
}

/* Jobs of another partition come first and use the same nodes. */
#define HIGH REC("partition", "'name':'h','state':'UP','tier':9,'tres':{'cpu':16}") \
	JOB(7, "'user':'v','account':'root','partitions':['h'],'cpus':8,'nodes':1,'priority':1,'reason':'Resources'")

static void eligible_jobs_are_first_behind_or_can_start_now(void **state)
{
	static const struct expected rows[] = {
		{ UP BECAUSE("Priority"), FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		{ UP BEFORE BECAUSE("Priority"), FS_VERDICT_BEHIND, FS_VERDICT_CAUSE_NONE },
		{ SITE P("") N("a", ",'alloc_cpus':5") N("b", ",'alloc_cpus':8") BECAUSE("Resources"), FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
		{ SITE P("") N("a", ",'alloc_cpus':4") N("b", ",'alloc_cpus':8") BECAUSE("Resources"), FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		/* in an EXCLUSIVE partition the job gets whole nodes, so 4 free CPUs of node a are not enough */
		{ SITE P(",'oversubscribe':'EXCLUSIVE'") N("a", ",'alloc_cpus':4") N("b", ",'alloc_cpus':8") BECAUSE("Resources"),
		  FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
		/* because of its memory the job needs 8 CPUs instead of 4 */
		{ SITE P(",'max_mem_per_cpu_mb':1000") N("a", ",'alloc_cpus':4") N("b", ",'alloc_cpus':8")
		  WAITS(",'tasks':4,'mem_per_cpu_mb':2000,'reason':'Resources'"), FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
		{ SITE P(",'max_mem_per_cpu_mb':1000") N("a", "") N("b", "")
		  WAITS(",'tasks':4,'mem_per_cpu_mb':2000,'reason':'Resources'"), FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		/* a reservation begins before the job would end */
		{ UP REC("reservation", "'name':'r','start_time':1700000500,'end_time':1700009999,'nodes':'a,b'") BECAUSE("Resources"),
		  FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
		{ UP REC("reservation", "'name':'r','start_time':1700000700,'end_time':1700009999,'nodes':'a,b'") BECAUSE("Resources"),
		  FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		{ SITE P("") HIGH REC("node", "'name':'a','state':'IDLE','cpus':8,'mem_mb':8000,'partitions':['p','h']") BECAUSE("Priority"),
		  FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
		{ SITE P("") HIGH N("a", "") REC("node", "'name':'x','state':'IDLE','cpus':8,'partitions':['h']") BECAUSE("Priority"),
		  FS_VERDICT_NOW, FS_VERDICT_CAUSE_NONE },
		/* the number of allocated GPUs is unknown */
		{ SITE REC("partition", "'name':'p','state':'UP','tier':1") N("a", ",'alloc_cpus':1,'tres':{'cpu':8,'gres/gpu':2}")
		  JOB(9, "'partitions':['p'],'cpus':1,'nodes':1,'priority':5,'tres_req':{'cpu':1,'node':1,'gres/gpu':1},'reason':'Resources'"),
		  FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
	};
	struct given g;

	(void)state;
	CHECK(rows);
	give(&g, UP JOB(8, "'user':'v','account':'root','partitions':['p'],'cpus':1,'priority':7,'array_job_id':8,'array_tasks':'1-5'")
	     BECAUSE("Priority"));
	assert_true(g.v.position == 2 && g.v.ahead == 1 && g.v.ahead_tasks == 5);
	assert_string_equal(g.v.partition, "p");
	take(&g);
}

static void a_running_job_has_no_verdict(void **state)
{
	struct given g;

	(void)state;
	give(&g, UP RUNS(9));
	assert_int_equal(g.v.kind, FS_VERDICT_NONE);
	take(&g);
}

#define FLUX "{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'flux 0.80'}\n" \
	CONFIG("'weight_fairshare':100000,'weight_queue':10000,'weight_bank':0,'weight_urgency':1000") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'b','parent':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':3,'account':'b','user':'u','shares':1,'usage_tres_s':5,'fairshare':0.5,'max_jobs':1,'max_nodes':4") \
	REC("partition", "'name':'p','priority':0")
#define FJOB(fields) \
	REC("job", "'id':9,'state':'PENDING','submit_time':9,'user':'u','account':'b','partitions':['p'],'cpus':4," fields)
#define FRUNS REC("job", "'id':8,'state':'RUNNING','submit_time':1,'user':'u','account':'b','partitions':['p'],'cpus':4,'nodes':1")
#define DEPENDS(on) "'nodes':1,'phase':'DEPEND','urgency':16,'dependency':'" on "'"

static void flux_jobs_have_verdicts_of_each_kind(void **state)
{
	static const struct expected rows[] = {
		{ FLUX FJOB("'nodes':1,'phase':'SCHED','urgency':0,'priority':0"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_OWNER },
		{ FLUX FJOB("'nodes':1,'phase':'SCHED','urgency':16,'priority':0"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_SCHEDULER },
		{ FLUX FRUNS FJOB(DEPENDS("max-running-jobs-user-limit")), FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_LIMIT },
		{ FLUX FJOB("'nodes':9,'phase':'DEPEND','urgency':16,'dependency':'max-resources-user-limit'"), FS_VERDICT_NEVER,
		  FS_VERDICT_CAUSE_LIMIT },
		{ FLUX FRUNS FJOB(DEPENDS("after-success=8")), FS_VERDICT_DEPENDENCY, FS_VERDICT_CAUSE_DEPENDENCY },
		{ FLUX FRUNS FJOB(DEPENDS("begin-time=1500.000")), FS_VERDICT_BEGIN, FS_VERDICT_CAUSE_NONE },
		{ FLUX FJOB("'nodes':1,'phase':'SCHED','urgency':16,'priority':50000"), FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
	};
	struct given g;

	(void)state;
	CHECK(rows);
	give(&g, rows[4].text);
	assert_int_equal(g.v.nneeds, 1);
	assert_true(g.v.needs[0].job == 8);
	take(&g);
	give(&g, FLUX FRUNS FJOB(DEPENDS("max-running-jobs-user-limit,after-success=f9")));
	assert_int_equal(g.v.nneeds, 1); /* the dependency that flux-accounting's plugin adds is a limit, not a job */
	assert_true(g.v.needs[0].job == 8);
	take(&g);
}

#define MAUI "{'type':'snapshot','format':1,'time':1600000777,'cluster':'c','scheduler':'maui'}\n" \
	CONFIG("'FSPOLICY':'DEDICATEDPS','FSDEPTH':2,'FSDECAY':0.5,'FSINTERVAL':43200,'CREDWEIGHT':0") \
	REC("credential", "'kind':'group','name':'g','position':0,'target':1000,'target_mode':'cap_abs'") \
	REC("window", "'start':1599998400,'kind':'group','name':'g','usage_s':700")
#define MJOB(limit, fields) \
	REC("job", "'id':9,'state':'PENDING','submit_time':1600000000,'eligible_time':1600000000,'time_limit_s':" limit "," \
		   "'name':'9','user':'u','partitions':['k'],'nodes':1,'cpus':2,'tasks':2,'position':1" fields)

static void maui_jobs_have_verdicts_of_each_kind(void **state)
{
	static const struct expected rows[] = {
		{ MAUI MJOB("60", ",'reason':'UserHold'"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_OWNER },
		{ MAUI MJOB("60", ",'reason':'SystemHold'"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_ADMINISTRATOR },
		{ MAUI MJOB("60", ",'reason':'BatchHold'"), FS_VERDICT_HELD, FS_VERDICT_CAUSE_NONE },
		{ MAUI MJOB("3600", ",'group':'g'"), FS_VERDICT_NEVER, FS_VERDICT_CAUSE_LIMIT },
		{ MAUI MJOB("200", ",'group':'g'"), FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_LIMIT },
		{ MAUI MJOB("60", ",'reason':'Policy'"), FS_VERDICT_LIMIT, FS_VERDICT_CAUSE_POLICY },
		{ MAUI MJOB("60", ",'group':'g'"), FS_VERDICT_FIRST, FS_VERDICT_CAUSE_NONE },
	};
	struct given g;

	(void)state;
	CHECK(rows);
	give(&g, rows[3].text);
	assert_string_equal(g.v.limit->tres, "processor seconds");
	assert_same_double(g.v.limit->wants, 7200);
	take(&g);
}

static void two_verdicts_can_be_used_at_once(void **state)
{
	struct given g;
	struct fs_verdict other;

	(void)state;
	give(&g, UP JOB(9, "'user':'u','account':'root','association':2,'partitions':['p'],'qos':['q'],'priority':5,"
			   "'tres_req':{'cpu':13,'node':1},'reason':'Priority'")
		 JOB(10, "'partitions':['p'],'priority':4,'tres_req':{'cpu':17,'node':1},'reason':'Priority'"));
	assert_int_equal(fs_queue_verdict(g.q, 1, &other), 0);
	assert_string_equal(other.obstacle->what, "cpu");
	assert_string_equal(g.v.limit->name, "MaxTRESPerJob");
	fs_verdict_release(&other);
	assert_null(other.obstacle);
	fs_verdict_release(&other);
	assert_same_double(g.v.limit->wants, 13);
	take(&g);
}

#define OF_TWO_QOS(listed) SITE P("") N("a", "") REC("qos", "'name':'low','priority':1,'max_tres':{'cpu':1}") \
	REC("qos", "'name':'high','priority':10") \
	JOB(9, "'user':'u','account':'root','association':2,'partitions':['p'],'qos':[" listed "],'cpus':4,'nodes':1," \
	       "'priority':5,'tres_req':{'cpu':4,'node':1},'reason':'Priority'")

/* Queue records are sorted by QOS priority, limits by the order of the job's QOS list. */
static void a_limit_blocks_the_record_of_its_own_qos(void **state)
{
	static const char *const texts[] = { OF_TWO_QOS("'low','high'"), OF_TWO_QOS("'high','low'") };
	struct given g;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		give(&g, texts[t]);
		assert_int_equal(g.q->record.n, 2);
		for (size_t i = 0; i < 2; i++) {
			const struct fsi_queue_record *r = &g.q->record.v[i];
			const bool low = !strcmp(fsi_name_text(g.m, r->qos), "low");

			assert_int_equal(r->blocker, low ? FSI_BLOCKER_NEVER : FSI_BLOCKER_NONE);
			assert_int_equal(r->eligible, !low);
		}
		take(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_blocks_the_record_of_its_own_qos),
		cmocka_unit_test(jobs_that_can_never_start_name_the_cause),
		cmocka_unit_test(held_jobs_name_who_holds_them),
		cmocka_unit_test(dependent_jobs_list_the_jobs_they_wait_for),
		cmocka_unit_test(jobs_that_wait_for_a_time_show_that_time),
		cmocka_unit_test(jobs_at_a_limit_name_the_limit),
		cmocka_unit_test(jobs_without_available_nodes_name_the_nodes_states),
		cmocka_unit_test(eligible_jobs_are_first_behind_or_can_start_now),
		cmocka_unit_test(a_running_job_has_no_verdict),
		cmocka_unit_test(flux_jobs_have_verdicts_of_each_kind),
		cmocka_unit_test(maui_jobs_have_verdicts_of_each_kind),
		cmocka_unit_test(two_verdicts_can_be_used_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
