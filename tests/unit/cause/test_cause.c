/* cause/: each kind of constraint is found, and its command gives the start that the cause reports. */
#include "fsprio.h"
#include "fs/cause.h"
#include "fs/scenario.h"

#define NOW INT64_C(1700000000)
/* Node n1 has 2 of 4 CPUs free until job 1 ends, 7000 s from now. Node n2 is empty. */
#define SITE SITE_WITH("")
#define SITE_WITH(header) \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 26.05.0'" header "}\n" \
	REC("config", "'PriorityType':'priority/basic','SchedulerType':'sched/backfill','AccountingStorageEnforce':['associations','limits','qos']") \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'") REC("tres", "'id':4,'name':'node'") \
	REC("node", "'name':'n1','state':'MIXED','cpus':4,'alloc_cpus':2,'mem_mb':4000") \
	REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n1','max_time_s':'unlimited'") \
	REC("partition", "'name':'r','state':'UP','tier':1,'nodes':'n2','max_time_s':'unlimited'") \
	REC("partition", "'name':'shut','state':'DOWN','tier':1,'nodes':'n2','max_time_s':'unlimited'") \
	REC("qos", "'name':'normal','priority':1") \
	REC("association", "'id':1,'account':'root','shares':1") \
	REC("association", "'id':2,'account':'a','parent':'root','shares':1") \
	REC("association", "'id':3,'account':'a','user':'u','shares':1,'qos':['normal'],'default_qos':'normal','max_tres':{'cpu':4}") \
	REC("job", "'id':1,'state':'RUNNING','start_time':1699999800,'end_time':1700007000,'time_limit_s':7200,'user':'u'," \
		   "'account':'a','association':3,'partitions':['p'],'qos':['normal'],'nodes':1,'cpus':2,'node_list':'n1'," \
		   "'tres_req':{'cpu':2,'node':1},'tres_alloc':{'cpu':2,'node':1}")
#define IDLE_NODE REC("node", "'name':'n2','state':'IDLE','cpus':4,'mem_mb':4000")
#define PENDING(id, partition, cpus, more) \
	REC("job", "'id':" #id ",'state':'PENDING','submit_time':1000,'user':'u','account':'a','association':3," \
		   "'partitions':['" partition "'],'qos':['normal'],'nodes':1,'cpus':" #cpus ",'time_limit_s':3600," \
		   "'tres_req':{'cpu':" #cpus ",'node':1}," more)
#define WAITING ",'eligible_time':1000"

static int64_t planned_start(const fs_snapshot *m, uint64_t job)
{
	fs_plan *p = NULL;
	struct fs_plan_row row;
	struct fs_error err;
	int64_t start = FS_UNKNOWN;

	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	for (size_t i = 0; fs_plan_row(p, i, &row); i++)
		if (row.job == job)
			start = row.start_time;
	fs_plan_free(p);
	return start;
}

static fs_causes *causes(const fs_snapshot *m, uint64_t job)
{
	fs_causes *c = NULL;
	struct fs_error err;
	uint32_t row;
	char id[FS_JOB_ID_TEXT];

	assert_int_equal(fs_job_find(m, fs_job_id_format(m, job, true, id), &row), 0);
	fst_no_error(fs_causes_find(&c, m, row, NULL, &err), &err);
	return c;
}

/* Checks that the command of the cause, applied to the site, gives the start that the cause reports. */
static void assert_verified(const char *site, uint64_t job, const struct fs_cause *c)
{
	fs_snapshot *m = fst_snapshot(site);
	struct fs_error err;

	fst_no_error(fs_snapshot_edit(m, c->remove, NULL, &err), &err);
	assert_int_equal(planned_start(m, job), c->start_without);
	fs_snapshot_free(m);
}

static void each_kind_of_constraint_is_found(void **state)
{
	static const struct {
		const char *site;
		enum fs_cause_kind kind;
		const char *by;
		const char *remove;
	} cases[] = {
		{ SITE IDLE_NODE PENDING(2, "p", 4, "'priority':900" WAITING), FS_CAUSE_RUNNING, "1", "scancel 1" },
		{ SITE IDLE_NODE PENDING(3, "r", 4, "'priority':950" WAITING) PENDING(2, "r", 4, "'priority':900" WAITING),
		  FS_CAUSE_AHEAD, "3", "scancel 3" },
		{ SITE IDLE_NODE PENDING(2, "r", 4, "'priority':0,'reason':'JobHeldUser'"), FS_CAUSE_HELD, NULL,
		  "scontrol release 2" },
		{ SITE IDLE_NODE PENDING(2, "r", 4, "'priority':900,'reason':'Dependency','dependency':'afterok:1(unfulfilled)'"),
		  FS_CAUSE_DEPENDENCY, "1", "scontrol update job 2 Dependency=" },
		{ SITE IDLE_NODE PENDING(2, "r", 4, "'priority':900,'reason':'BeginTime','eligible_time':1700050000"),
		  FS_CAUSE_BEGIN, NULL, "scontrol update job 2 StartTime=now" },
		{ SITE IDLE_NODE PENDING(2, "shut", 4, "'priority':900" WAITING), FS_CAUSE_PARTITION, "shut",
		  "scontrol update PartitionName=shut State=UP" },
		{ SITE REC("node", "'name':'n2','state':'IDLE+DRAIN','cpus':4,'mem_mb':4000")
		  PENDING(2, "r", 4, "'priority':900" WAITING), FS_CAUSE_NODES, "n2", "scontrol update NodeName=n2 State=RESUME" },
		{ SITE REC("node", "'name':'n2','state':'DOWN+NOT_RESPONDING','cpus':4,'mem_mb':4000")
		  PENDING(2, "r", 4, "'priority':900" WAITING), FS_CAUSE_NODES, "n2", NULL },
		{ SITE IDLE_NODE REC("reservation", "'name':'maint','state':'ACTIVE','nodes':'n2','start_time':1699990000,"
						    "'end_time':1700090000,'users':['root'],'flags':['MAINT']")
		  PENDING(2, "r", 4, "'priority':900" WAITING), FS_CAUSE_RESERVATION, "maint",
		  "scontrol delete ReservationName=maint" },
		{ SITE IDLE_NODE REC("config", "'Licenses':'soft:1'") PENDING(2, "r", 4, "'priority':900,'licenses':'soft:2'" WAITING),
		  FS_CAUSE_LICENSES, "soft", "Licenses=soft:1000000" },
		{ SITE REC("node", "'name':'n2','state':'IDLE','cpus':8,'mem_mb':4000")
		  PENDING(2, "r", 5, "'priority':900" WAITING), FS_CAUSE_LIMIT, "a",
		  "sacctmgr modify user where name=u account=a set MaxTRESPerJob=cpu=-1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fs_snapshot *m = fst_snapshot(cases[i].site);
		fs_causes *c = causes(m, 2);
		const struct fs_cause *x = fs_causes_row(c, 0);

		if (x->kind != cases[i].kind)
			print_error("case %zu: cause %s\n", i, fs_cause_name(x->kind));
		assert_int_equal(x->kind, cases[i].kind);
		assert_int_equal(x->nnames, cases[i].by ? 1 : 0);
		if (cases[i].by)
			assert_string_equal(x->names[0], cases[i].by);
		if (cases[i].remove) {
			assert_string_equal(x->remove, cases[i].remove);
			assert_verified(cases[i].site, 2, x);
		} else {
			assert_null(x->remove);
			assert_string_equal(x->why_not, "some of the nodes do not respond; they must be repaired first");
		}
		assert_int_equal(x->start_without, NOW);
		assert_null(fs_causes_row(c, fs_causes_count(c)));
		fs_causes_free(c);
		fs_snapshot_free(m);
	}
}

static void a_job_that_starts_now_has_no_cause(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE IDLE_NODE PENDING(2, "r", 4, "'priority':900" WAITING));
	fs_causes *c = causes(m, 2);

	(void)state;
	assert_int_equal(fs_causes_count(c), 1);
	assert_int_equal(fs_causes_row(c, 0)->kind, FS_CAUSE_NONE);
	fs_causes_free(c);
	fs_snapshot_free(m);
}

static void a_plan_without_hidden_jobs_does_not_prove_a_start(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE_WITH(",'hidden':['job']") IDLE_NODE PENDING(2, "r", 4, "'priority':900" WAITING));
	fs_causes *c = causes(m, 2);

	(void)state;
	assert_int_equal(fs_causes_row(c, 0)->kind, FS_CAUSE_UNKNOWN);
	assert_string_equal(fs_causes_row(c, 0)->why_not,
			    "the plan is incomplete: jobs may be missing, or the job may not be eligible");
	fs_causes_free(c);
	fs_snapshot_free(m);
}

static void a_job_without_a_removable_constraint_has_an_unknown_cause(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE IDLE_NODE PENDING(2, "r", 9, "'priority':900" WAITING));
	fs_causes *c = causes(m, 2);

	(void)state;
	assert_null(fs_causes_row(c, 0)->remove);
	assert_string_equal(fs_causes_row(c, 0)->why_not,
			    "the plan finds no start for the job even without this constraint");
	assert_int_equal(fs_causes_row(c, 0)->start, FS_UNKNOWN);
	fs_causes_free(c);
	fs_snapshot_free(m);
}

static void a_snapshot_without_nodes_names_the_cause_of_the_verdict(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 26.05.0'}\n"
				      PENDING(2, "r", 4, "'priority':0,'reason':'JobHeldUser'"));
	fs_causes *c = causes(m, 2);

	(void)state;
	assert_int_equal(fs_causes_row(c, 0)->kind, FS_CAUSE_HELD);
	assert_string_equal(fs_causes_row(c, 0)->why_not, "cannot plan starts: the snapshot has no nodes");
	fs_causes_free(c);
	fs_snapshot_free(m);
}

static void a_running_job_has_no_causes(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE IDLE_NODE);
	fs_causes *c = NULL;
	struct fs_error err;

	(void)state;
	assert_int_equal(fs_causes_find(&c, m, 0, NULL, &err), FS_ENODATA);
	assert_string_equal(err.message, "test: cannot compute causes of waiting: the job is not pending");
	assert_string_equal(fs_cause_name(FS_CAUSE_NOT_REACHED), "not_reached");
	fs_snapshot_free(m);
}

/* Node n5 is reserved from 100 s after the snapshot on; job 2 runs for an hour. */
static void nodes_are_counted_by_the_first_reason(void **state)
{
	static const char site[] =
		SITE REC("config", "'SelectType':'select/cons_tres','SelectTypeParameters':'CR_Core_Memory'")
		REC("node", "'name':'n2','state':'IDLE+DRAIN','cpus':4,'mem_mb':4000")
		REC("node", "'name':'n3','state':'IDLE','cpus':2,'mem_mb':4000")
		REC("node", "'name':'n4','state':'IDLE','cpus':4,'mem_mb':500")
		REC("node", "'name':'n5','state':'IDLE','cpus':4,'mem_mb':4000")
		REC("node", "'name':'n6','state':'IDLE','cpus':4,'mem_mb':4000")
		REC("node", "'name':'n7','state':'IDLE','cpus':4,'mem_mb':4000")
		REC("node", "'name':'n8','state':'IDLE'")
		REC("partition", "'name':'q','state':'UP','tier':1,'nodes':'n[1-8]','max_time_s':'unlimited'")
		REC("reservation", "'name':'m','start_time':1700000100,'end_time':1700009000,'nodes':'n5'")
		REC("job", "'id':2,'state':'PENDING','submit_time':1000,'user':'u','account':'a','association':3,"
			   "'partitions':['q'],'qos':['normal'],'nodes':1,'cpus':4,'time_limit_s':3600,'exc_nodes':'n7',"
			   "'tres_req':{'cpu':4,'mem':1000,'node':1},'priority':900" WAITING);
	fs_snapshot *m = fst_snapshot(site);
	struct fs_node_tally t;
	struct fs_error err;
	uint32_t row;

	(void)state;
	assert_int_equal(fs_job_find(m, "2", &row), 0);
	fst_no_error(fs_node_tally_job(m, row, "q", &t, &err), &err);
	assert_int_equal(t.nodes, 8);
	assert_int_equal(t.unknown, 1);
	assert_int_equal(t.busy_cpus, 1);
	assert_int_equal(t.unavailable, 1);
	assert_int_equal(t.small_cpus, 1);
	assert_int_equal(t.small_memory, 1);
	assert_int_equal(t.reserved, 1);
	assert_int_equal(t.excluded, 1);
	assert_int_equal(t.partly_free, 1);
	assert_int_equal(fs_node_tally_job(m, row, "none", &t, &err), FS_ENODATA);
	assert_string_equal(err.message, "test: cannot count the nodes of partition 'none': the snapshot has no such partition");
	fs_snapshot_free(m);
	m = fst_snapshot("{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'flux'}\n"
			 REC("node", "'name':'n1','state':'IDLE','cpus':4,'partitions':['q']")
			 REC("partition", "'name':'q'") REC("job", "'id':2,'state':'PENDING'"));
	assert_int_equal(fs_node_tally_job(m, 0, "q", &t, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "partition 'q': the scheduler's choice of nodes is not modelled"));
	fs_snapshot_free(m);
}

static void jobs_that_delay_a_planned_start_are_found(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE IDLE_NODE PENDING(2, "p", 4, "'priority':900" WAITING)
					      PENDING(3, "p", 4, "'priority':800" WAITING));
	fs_plan *p = NULL;
	fs_delays *d = NULL;
	struct fs_view view = { 0 };
	struct fs_error err;
	const uint64_t *jobs;
	size_t n;

	(void)state;
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	fst_no_error(fs_delays_find(&d, m, p, &view, &err), &err);
	jobs = fs_delays_of(d, 0, &n); /* job 2 waits for job 1 */
	assert_int_equal(n, 1);
	assert_int_equal(jobs[0], 1);
	jobs = fs_delays_of(d, 1, &n); /* job 3 waits for job 1, and for job 2 */
	assert_int_equal(n, 2);
	assert_int_equal(jobs[1], 2);
	assert_null(fs_delays_of(d, 9, &n));
	assert_true(fs_delays_are_complete(d));
	fs_delays_free(d);
	fs_delays_free(NULL);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static void delays_are_incomplete_if_jobs_are_hidden(void **state)
{
	fs_snapshot *m =
		fst_snapshot(SITE_WITH(",'hidden':['job']") IDLE_NODE PENDING(2, "p", 4, "'priority':900" WAITING));
	fs_plan *p = NULL;
	fs_delays *d = NULL;
	struct fs_view view = { 0 };
	struct fs_error err;

	(void)state;
	fst_no_error(fs_plan_compute(&p, m, NULL, &err), &err);
	fst_no_error(fs_delays_find(&d, m, p, &view, &err), &err);
	assert_false(fs_delays_are_complete(d));
	fs_delays_free(d);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_constraint_is_found),
		cmocka_unit_test(a_job_that_starts_now_has_no_cause),
		cmocka_unit_test(a_plan_without_hidden_jobs_does_not_prove_a_start),
		cmocka_unit_test(a_job_without_a_removable_constraint_has_an_unknown_cause),
		cmocka_unit_test(a_snapshot_without_nodes_names_the_cause_of_the_verdict),
		cmocka_unit_test(a_running_job_has_no_causes),
		cmocka_unit_test(nodes_are_counted_by_the_first_reason),
		cmocka_unit_test(jobs_that_delay_a_planned_start_are_found),
		cmocka_unit_test(delays_are_incomplete_if_jobs_are_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
