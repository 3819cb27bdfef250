/* Tests of limits and obstacles of Slurm jobs: limits/assoc_limits.c, limits/limits.c and queue/obstacles.c. */
#include "fsprio.h"
#include "fs/explain.h"

struct told {
	fs_snapshot *m;
	fs_shares *shares;
	fs_queue *queue;
	fs_explain *x;
	struct fs_explain_job j; /* explanation of job 9 */
};

static void tell(struct told *t, const char *text)
{
	const struct fs_view so = { 0 };
	struct fs_error err;

	*t = (struct told){ .m = fst_snapshot(text) };
	fst_no_error(fs_shares_compute(&t->shares, t->m, &so, &err), &err);
	fst_no_error(fs_queue_compute(&t->queue, t->m, NULL, &err), &err);
	const struct fs_eval from = { .snapshot = t->m, .shares = t->shares, .queue = t->queue };

	fst_no_error(fs_explain_new(&t->x, &from, &err), &err);
	fst_no_error(fs_explain_job(t->x, fs_explain_find_job(t->x, "9"), &t->j, &err), &err);
}

static void untell(struct told *t)
{
	fs_explain_free(t->x);
	fs_queue_free(t->queue);
	fs_shares_free(t->shares);
	fs_snapshot_free(t->m);
}

/* Accounts a and c are below root, and account b is below a. Users u and v are in account b; u is also in account c. */
#define ENFORCE(what) CONFIG("'AccountingStorageEnforce':[" what "]")
#define TREE(a, b, u) \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'a','parent':'root','shares':1,'usage_tres_s':0" a) \
	REC("association", "'id':3,'account':'b','parent':'a','shares':1,'usage_tres_s':0" b) \
	REC("association", "'id':4,'account':'b','user':'u','shares':1,'usage_tres_s':0" u) \
	REC("association", "'id':5,'account':'b','user':'v','shares':1,'usage_tres_s':0") \
	REC("association", "'id':6,'account':'c','parent':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':7,'account':'c','user':'u','shares':1,'usage_tres_s':0")
#define Q(fields) REC("qos", "'name':'q','priority':1" fields)
#define P(fields) REC("partition", "'name':'p','tier':1" fields)
#define IN_B(user, assoc) "'user':'" user "','account':'b','association':" #assoc
#define IN_C "'user':'u','account':'c','association':7"
/* A running job with 4 CPUs, 2 nodes and a time limit of one hour. The job had run for 10 minutes when priorities were
 * computed. */
#define RUNS(id, who) RUNS_IN(id, who, "'q'", "'p'", "n[1-2]")
#define RUNS_IN(id, who, qos, partition, nodes) \
	REC("job", "'id':" #id ",'state':'RUNNING'," who ",'qos':[" qos "],'partitions':[" partition "],'time_limit_s':3600," \
	    "'start_time':1699999400,'tres_alloc':{'cpu':4,'node':2},'node_list':'" nodes "'")
#define WAITS(reason, more) \
	JOB(9, IN_B("u", 4) ",'qos':['q'],'partitions':['p'],'time_limit_s':3600,'tres_req':{'cpu':8,'node':2},'reason':'" reason "'" more)
#define START HEADER TRES

struct expected {
	const char *text, *name, *tres;
	double used, value, wants;
	bool blocks, never, named;
};

static void each_limit_shows_its_usage_and_whether_it_blocks(void **state)
{
#define JOBS RUNS(1, IN_B("v", 5)) RUNS(2, IN_B("u", 4)) RUNS(3, IN_C)
#define LIMITS ENFORCE("'limits'")
	static const struct expected rows[] = {
		/* an account counts all jobs of its subtree and no others */
		{ START LIMITS TREE(",'grp_tres':{'cpu':15}", "", "") Q("") P("") JOBS WAITS("AssocGrpCpuLimit", ""), "GrpTRES", "cpu",
		  8, 15, 8, true, false, true },
		{ START LIMITS TREE(",'grp_tres':{'cpu':16}", "", "") Q("") P("") JOBS WAITS("AssocGrpCpuLimit", ""), "GrpTRES", "cpu",
		  8, 16, 8, false, false, true },
		{ START LIMITS TREE(",'grp_tres':{'cpu':7}", "", "") Q("") P("") WAITS("Priority", ""), "GrpTRES", "cpu", 0, 7, 8,
		  true, true, false },
		/* a QOS counts its jobs in all accounts */
		{ START LIMITS TREE("", "", "") Q(",'grp_tres':{'cpu':19}") P("") JOBS WAITS("QOSGrpCpuLimit", ""), "GrpTRES", "cpu", 12,
		  19, 8, true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'max_tres_per_user':{'cpu':15}") P("") JOBS WAITS("Priority", ""), "MaxTRESPU", "cpu",
		  8, 15, 8, true, false, false },
		{ START LIMITS TREE("", "", "") Q(",'max_tres_per_account':{'cpu':15}") P("") JOBS WAITS("MaxCpuPerAccount", ""),
		  "MaxTRESPA", "cpu", 8, 15, 8, true, false, true },
		/* a node counts once, even if several jobs share it: three jobs run on n1 and n2. Only the scheduler
		 * knows whether the pending job needs other nodes. */
		{ START LIMITS TREE("", "", "") Q(",'grp_tres':{'node':3}") P("") JOBS WAITS("QOSGrpNodeLimit", ""), "GrpTRES", "node", 2,
		  3, 2, true, false, true },
		/* limits on the number of jobs */
		{ START LIMITS TREE("", "", ",'max_jobs':1") Q("") P("") JOBS WAITS("AssocMaxJobsLimit", ""), "MaxJobs", "", 1, 1, 1,
		  true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'max_jobs_per_user':2") P("") JOBS WAITS("QOSMaxJobsPerUserLimit", ""), "MaxJobsPU",
		  "", 2, 2, 1, true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'max_submit_jobs_per_user':3") P("") JOBS
		  WAITS("QOSMaxSubmitJobPerUserLimit", ""), "MaxSubmitJobsPU", "", 3, 3, 0, true, false, true },
		/* run minutes: each running job has 50 of its 60 minutes left; run minutes that are not recorded are
		 * computed */
		{ START LIMITS TREE(",'grp_tres_run_min':{'cpu':879}", "", "") Q("") P("") JOBS
		  WAITS("AssocGrpCPURunMinutesLimit", ""), "GrpTRESRunMins", "cpu", 400, 879, 480, true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'grp_tres_run_min':{'cpu':700},'run_by_tres_min':{'cpu':590}") P("") JOBS
		  WAITS("QOSGrpCPURunMinutesLimit", ""), "GrpTRESRunMins", "cpu", 590, 700, 480, true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'max_tres_run_min_per_user':{'cpu':879}") P("") JOBS
		  WAITS("MaxCpuRunMinsPerUser", ""), "MaxTRESRunMinsPU", "cpu", 400, 879, 480, true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'max_tres_run_min_per_account':{'cpu':400},'usage_factor':0.5") P("") JOBS
		  WAITS("MaxCpuRunMinsPerAccount", ""), "MaxTRESRunMinsPA", "cpu", 200, 400, 480, true, true, true },
		/* with --time-min, the job counts with its minimum time */
		{ START LIMITS TREE("", "", ",'max_tres_min':{'cpu':479}") Q("") P("") WAITS("AssocMaxCpuMinutesPerJobLimit", ""),
		  "MaxTRESMinsPerJob", "cpu", 0, 479, 480, true, true, true },
		{ START LIMITS TREE("", "", ",'max_tres_min':{'cpu':479}") Q("") P("")
		  WAITS("AssocMaxCpuMinutesPerJobLimit", ",'time_min_s':1800"), "MaxTRESMinsPerJob", "cpu", 0, 479, 240, false, false,
		  true },
		{ START LIMITS TREE("", "", ",'max_tres_min':{'cpu':479}") Q("") P("")
		  WAITS("AssocMaxCpuMinutesPerJobLimit", ",'time_min_s':7200"), "MaxTRESMinsPerJob", "cpu", 0, 479, 480, true, true,
		  true },
		/* limits on used minutes: the minutes that the job requests are not added to the used minutes */
		{ START LIMITS TREE("", "", "") Q(",'grp_tres_min':{'cpu':100},'usage_by_tres_min':{'cpu':100}") P("")
		  WAITS("QOSGrpCPUMinutesLimit", ""), "GrpTRESMins", "cpu", 100, 100, 0, true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'grp_tres_min':{'cpu':100},'usage_by_tres_min':{'cpu':99}") P("")
		  WAITS("QOSGrpCPUMinutesLimit", ""), "GrpTRESMins", "cpu", 99, 100, 0, false, false, true },
		{ START LIMITS TREE("", "", "") Q(",'grp_tres_min':{'cpu':100}") P("") WAITS("QOSGrpCPUMinutesLimit", ""), "GrpTRESMins",
		  "cpu", NAN, 100, 0, false, false, true },
		/* limits on wall-clock time, which Slurm compares in whole minutes */
		{ START LIMITS TREE(",'grp_wall_s':120,'usage_wall_min':1.99", "", "") Q("") P("") WAITS("AssocGrpWallLimit", ""),
		  "GrpWall", "", 119.4, 120, 0, false, false, true },
		{ START LIMITS TREE("", "", "") Q(",'grp_wall_s':120,'usage_wall_min':2.01") P("") WAITS("QOSGrpWallLimit", ""), "GrpWall",
		  "", 120.6, 120, 0, true, false, true },
		{ START LIMITS TREE(",'grp_wall_s':120", ",'usage_wall_s':1", ",'usage_wall_s':130") Q("") P("")
		  WAITS("AssocGrpWallLimit", ""), "GrpWall", "", NAN, 120, 0, false, false, true },
		/* limits of a single job */
		{ START LIMITS TREE("", "", "") Q(",'max_tres_per_node':{'cpu':3}") P("") WAITS("QOSMaxCpuPerNode", ""), "MaxTRESPerNode",
		  "cpu", 0, 3, 4, true, true, true },
		{ START LIMITS TREE("", "", "") Q(",'max_tres_per_node':{'cpu':3}") P("") WAITS("QOSMaxCpuPerNode", ",'tasks':8"),
		  "MaxTRESPerNode", "cpu", 0, 3, 4, true, false, true },
		{ START LIMITS TREE("", "", "") Q(",'max_tres_per_node':{'cpu':3}") P("")
		  WAITS("QOSMaxCpuPerNode", ",'tasks':8,'max_nodes':2"), "MaxTRESPerNode", "cpu", 0, 3, 4, true, true, true },
		{ START LIMITS TREE("", "", ",'max_tres_per_node':{'cpu':3}") Q("") P("") WAITS("AssocMaxCpuPerNode", ""),
		  "MaxTRESPerNode", "cpu", 0, 3, 4, true, true, true },
		{ START LIMITS TREE("", "", ",'max_tres':{'cpu':4}") Q(",'limit_factor':1.9") P("") WAITS("AssocMaxCpuPerJobLimit", ""),
		  "MaxTRESPerJob", "cpu", 0, 7, 8, true, true, true },
		{ START LIMITS TREE("", "", ",'max_tres_min':{'cpu':240}") Q(",'usage_factor':0.5,'flags':['UsageFactorSafe']") P("")
		  WAITS("AssocMaxCpuMinutesPerJobLimit", ""), "MaxTRESMinsPerJob", "cpu", 0, 240, 240, false, false, true },
		{ START LIMITS TREE("", "", "") Q(",'min_tres':{'gres/gpu':1}") P("") WAITS("QOSMinGRES", ""), "MinTRESPerJob", "gres/gpu",
		  0, 1, 0, true, true, true },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct expected *r = &rows[i];

		tell(&t, r->text);
		const struct fs_explain_limit *l = t.j.nlimits ? &t.j.limits[0] : NULL;

		if (t.j.nlimits != 1 || strcmp(l->name, r->name) || strcmp(l->tres, r->tres) ||
		    l->blocks != r->blocks || l->never != r->never || l->named != r->named) {
			print_error("row %zu (%s): %zu limits\n", i, r->name, t.j.nlimits);
			fail();
		}
		assert_near(l->value, r->value, 1e-12);
		assert_near(l->wants, r->wants, 1e-12);
		assert_true(isnan(l->used) == isnan(r->used));
		if (!isnan(r->used))
			assert_near(l->used, r->used, 1e-9);
		assert_string_equal(l->partition, "");
		assert_string_equal(l->qos, "");
		assert_int_equal(t.j.nchoices, 1);
		assert_true(t.j.choices[0].blocked == r->blocks && t.j.choices[0].never == (r->blocks && r->never));
		/* the reason names a limit on single jobs, so the scheduler has found that the job can never start */
		assert_true((t.j.state == FS_EXPLAIN_NEVER) == (r->blocks ? r->never : l->per_job));
		untell(&t);
	}
}

static void safe_limits_reserve_minutes_for_the_whole_time_limit(void **state)
{
	static const struct expected rows[] = {
		/* 8 CPUs for an hour are 480 minutes; two running jobs may use 400 more */
		{ "1000,'usage':120", "GrpTRESMins", "cpu", 120, 1000, 480, false, false, true },
		{ "1000,'usage':121", "GrpTRESMins", "cpu", 121, 1000, 480, true, false, true },
		{ "479,'usage':0", "GrpTRESMins", "cpu", 0, 479, 480, true, true, true },
	};
	char text[4096];
	struct told t;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct expected *r = &rows[i];

		snprintf(text, sizeof(text),
			 START ENFORCE("'safe'") TREE("", "", "")
			 Q(",'grp_tres_min':{'cpu':%.0f},'usage_by_tres_min':{'cpu':%.0f}") P("")
			 RUNS(1, IN_B("v", 5)) RUNS(2, IN_B("u", 4)) WAITS("QOSGrpCPUMinutesLimit", ""), r->value, r->used);
		tell(&t, text);
		assert_int_equal(t.j.nlimits, 1);
		assert_same_double(t.j.limits[0].used, r->used);
		assert_same_double(t.j.limits[0].reserved_minutes, 400);
		assert_same_double(t.j.limits[0].wants, r->wants);
		assert_true(t.j.limits[0].blocks == r->blocks && t.j.limits[0].never == r->never);
		untell(&t);
	}
	tell(&t, START ENFORCE("'safe'") TREE("", "", "") Q(",'grp_wall_s':7200,'usage_wall_min':60.5") P("")
	     WAITS("QOSGrpWallLimit", ""));
	assert_false(t.j.limits[0].blocks);
	untell(&t);
	tell(&t, START ENFORCE("'safe'") TREE("", "", "") Q(",'grp_wall_s':7200,'usage_wall_min':61") P("")
	     WAITS("QOSGrpWallLimit", ""));
	assert_true(t.j.limits[0].blocks && !t.j.limits[0].never);
	untell(&t);
}

static void usage_factor_0_disables_limits_on_minutes(void **state)
{
	struct told t;

	(void)state;
	tell(&t, START ENFORCE("'limits'") TREE(",'grp_tres_min':{'cpu':10},'usage_by_tres_min':{'cpu':99}", "", "")
	     Q(",'usage_factor':0") P("") WAITS("Priority", ""));
	assert_int_equal(t.j.nlimits, 0);
	untell(&t);
}

/* ---- precedence of limits */

static void a_qos_limit_replaces_only_association_limits_of_its_kind(void **state)
{
	static const struct {
		const char *assoc, *qos;
		const char *left; /* expected names of the limits that block the job, in their order in t.j.limits */
	} rows[] = {
		{ ",'max_jobs':0", ",'max_jobs_per_user':9", "" },
		{ ",'max_jobs':0", ",'max_jobs_per_account':9", "" },
		{ ",'max_jobs':0", ",'grp_jobs':9", "MaxJobs " },
		{ ",'grp_jobs':0", ",'grp_jobs':9", "" },
		{ ",'grp_tres':{'cpu':1,'node':1}", ",'grp_tres':{'cpu':99}", "GrpTRES/node " },
		{ ",'max_tres':{'cpu':1}", ",'grp_tres':{'cpu':99}", "MaxTRESPerJob/cpu " },
		{ ",'max_wall_s':60", ",'max_wall_s':36000", "" },
		{ ",'max_wall_s':60", ",'max_wall_s':'unlimited'", "MaxWall " },
		{ ",'max_tres':{'cpu':1}", ",'max_tres':{'cpu':2}", "MaxTRESPerJob/cpu " },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[4096], left[200] = "";

		snprintf(text, sizeof(text), START ENFORCE("'limits'") TREE("", "", "%s") Q("%s") P("") WAITS("Priority", ""),
			 rows[i].assoc, rows[i].qos);
		tell(&t, text);
		for (size_t k = 0; k < t.j.nlimits; k++)
			snprintf(left + strlen(left), sizeof(left) - strlen(left), "%s%s%s ", t.j.limits[k].name,
				 *t.j.limits[k].tres ? "/" : "", t.j.limits[k].tres);
		assert_string_equal(left, rows[i].left);
		untell(&t);
	}
}

static void limits_of_all_parent_accounts_apply(void **state)
{
	struct told t;

	(void)state;
	tell(&t, START ENFORCE("'limits'") TREE(",'grp_tres':{'cpu':10}", ",'grp_tres':{'cpu':9}", ",'grp_tres':{'cpu':99}")
	     Q("") P("") RUNS(1, IN_B("v", 5)) WAITS("AssocGrpCpuLimit", ""));
	assert_int_equal(t.j.nlimits, 3);
	assert_string_equal(t.j.limits[0].set_by, "b");
	assert_same_double(t.j.limits[0].used, 4);
	assert_string_equal(t.j.limits[1].set_by, "a");
	assert_false(t.j.limits[2].blocks);
	assert_int_equal(t.j.limits[2].scope, FS_LIMIT_ASSOC);
	assert_string_equal(t.j.limits[2].counted_for, "u");
	untell(&t);
}

static void the_partition_qos_comes_first_unless_the_job_qos_overrides_it(void **state)
{
	struct told t;

	(void)state;
	tell(&t, START ENFORCE("'limits'") TREE("", "", "") Q(",'grp_tres':{'cpu':5},'grp_jobs':0")
	     REC("qos", "'name':'pq','grp_tres':{'cpu':20}") P(",'qos':'pq'") WAITS("Priority", ""));
	assert_int_equal(t.j.nlimits, 1); /* GrpTRES of the partition QOS is not reached */
	assert_string_equal(t.j.limits[0].name, "GrpJobs");
	untell(&t);
	tell(&t, START ENFORCE("'limits'") TREE("", "", "") Q(",'grp_tres':{'cpu':5},'flags':['OverPartQOS']")
	     REC("qos", "'name':'pq','grp_tres':{'cpu':20},'max_tres':{'cpu':1}") P(",'qos':'pq'") WAITS("Priority", ""));
	assert_int_equal(t.j.nlimits, 2);
	assert_int_equal(t.j.limits[0].scope, FS_LIMIT_QOS);
	assert_same_double(t.j.limits[0].value, 5);
	assert_int_equal(t.j.limits[1].scope, FS_LIMIT_PARTITION_QOS);
	assert_string_equal(t.j.limits[1].set_by, "pq");
	untell(&t);
}

/* A job with whole nodes counts all GPUs of its nodes against limits, and its billing includes everything on them. */
static void whole_nodes_count_all_their_gpus_and_their_full_billing(void **state)
{
#define WHOLE(q, more) \
	START REC("tres", "'id':5,'name':'billing'") ENFORCE("'limits'") TREE("", "", "") Q(q) \
	REC("partition", "'name':'p','tier':1,'state':'UP','billing_weights':'CPU=1.0,GRES/gpu=2.5'" more) \
	REC("node", "'name':'n1','cpus':16,'partitions':['p'],'tres':{'cpu':16,'gres/gpu':4}") \
	REC("node", "'name':'n2','cpus':16,'partitions':['p'],'tres':{'cpu':16,'gres/gpu':6}") \
	JOB(9, IN_B("u", 4) ",'qos':['q'],'partitions':['p'],'time_limit_s':3600,'cpus':8,'tres_req':{'cpu':8,'node':1,'billing':8},'reason':'Priority'")
	static const struct {
		const char *text, *tres;
		double wants;
	} given[] = {
		{ WHOLE(",'max_tres':{'gres/gpu':3}", ",'oversubscribe':'EXCLUSIVE'"), "gres/gpu", 4 },
		{ WHOLE(",'max_tres':{'billing':25}", ",'oversubscribe':'EXCLUSIVE'"), "billing", 26 },
		{ WHOLE(",'grp_tres':{'billing':25}", ",'oversubscribe':'EXCLUSIVE'"), "billing", 26 },
		{ WHOLE(",'max_tres':{'billing':26,'gres/gpu':4}", ",'oversubscribe':'EXCLUSIVE'"), NULL, 0 },
		{ WHOLE(",'max_tres':{'billing':8,'gres/gpu':0}", ""), NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		struct told t;

		tell(&t, given[i].text);
		assert_int_equal(t.j.nlimits, given[i].tres != NULL);
		if (given[i].tres) {
			assert_string_equal(t.j.limits[0].tres, given[i].tres);
			assert_same_double(t.j.limits[0].wants, given[i].wants);
			assert_true(t.j.limits[0].never);
			assert_int_equal(t.j.limits[0].grows, FS_CPU_GROWTH_NODES);
		}
		untell(&t);
	}
}

/* Three GPUs with 5 CPUs each need 15 CPUs on any number of nodes. */
static void cpus_per_gpu_do_not_grow_with_the_number_of_nodes(void **state)
{
	struct told t;

	(void)state;
	tell(&t, START ENFORCE("'limits'") REC("config", "'SelectType':'select/cons_tres','SelectTypeParameters':'CR_CORE'")
	     TREE("", "", "") Q(",'max_tres':{'cpu':14}") REC("partition", "'name':'p','tier':1,'state':'UP','nodes':'n[1-2]'")
	     REC("node", "'name':'n1','cpus':16,'threads_per_core':1,'partitions':['p'],'tres':{'cpu':16,'gres/gpu':2}")
	     REC("node", "'name':'n2','cpus':16,'threads_per_core':1,'partitions':['p'],'tres':{'cpu':16,'gres/gpu':2}")
	     JOB(9, IN_B("u", 4) ",'qos':['q'],'partitions':['p'],'time_limit_s':3600,'cpus':1,'tasks':1,'nodes':2,"
		 "'tres_req':{'cpu':1,'node':1,'gres/gpu':3},'gres_per':'job','cpus_per_gpu':5,'sched_nodes':'n[1-2]','reason':'Priority'"));
	assert_int_equal(t.j.nlimits, 1);
	assert_same_double(t.j.limits[0].wants, 15);
	assert_int_equal(t.j.limits[0].grows, FS_CPU_GROWTH_GPUS);
	untell(&t);
}

/* ---- several partitions and QOS */

#define TWO_BY_TWO(q, r, p_more, s_more, reason) \
	START ENFORCE("'limits'") TREE("", "", "") Q(q) REC("qos", "'name':'r'" r) P(p_more) \
	REC("partition", "'name':'s','tier':2" s_more) \
	REC("qos", "'name':'ps','max_tres':{'cpu':1}") \
	JOB(9, IN_B("u", 4) ",'qos':['q','r'],'partitions':['p','s'],'time_limit_s':3600,'tres_req':{'cpu':8,'node':2}," \
	    "'reason':'" reason "'")

static void a_limit_names_the_partition_and_qos_it_applies_to(void **state)
{
	struct told t;

	(void)state;
	tell(&t, TWO_BY_TWO(",'max_tres':{'cpu':1}", "", "", "", "QOSMaxCpuPerJobLimit"));
	assert_int_equal(t.j.nchoices, 4);
	assert_int_equal(t.j.nlimits, 1); /* the limit of QOS q, in both partitions */
	assert_string_equal(t.j.limits[0].partition, "");
	assert_string_equal(t.j.limits[0].qos, "q");
	assert_true(t.j.choices[0].never && !t.j.choices[1].blocked && t.j.choices[2].never && !t.j.choices[3].blocked);
	assert_int_not_equal(t.j.state, FS_EXPLAIN_NEVER); /* no limit blocks the job with QOS r */
	untell(&t);
	tell(&t, TWO_BY_TWO("", "", "", ",'qos':'ps'", "QOSMaxCpuPerJobLimit"));
	/* the only limit is that of partition s; it blocks the job with each of its two QOS */
	assert_int_equal(t.j.nlimits, 1);
	assert_string_equal(t.j.limits[0].partition, "s");
	assert_string_equal(t.j.limits[0].qos, "");
	assert_int_not_equal(t.j.state, FS_EXPLAIN_NEVER);
	untell(&t);
	tell(&t, TWO_BY_TWO(",'max_tres':{'cpu':1}", ",'max_tres':{'cpu':2}", "", "", "QOSMaxCpuPerJobLimit"));
	assert_int_equal(t.j.nlimits, 2);
	assert_int_equal(t.j.state, FS_EXPLAIN_NEVER);
	untell(&t);
	tell(&t, TWO_BY_TWO(",'max_tres':{'cpu':1},'flags':['OverPartQOS']", "", "", ",'qos':'ps'", "QOSMaxCpuPerJobLimit"));
	/* expected limits: the limit of QOS q in both partitions, and the limit of the QOS of partition s for jobs with
	 * QOS r in that partition */
	assert_int_equal(t.j.nlimits, 2);
	assert_string_equal(t.j.limits[0].qos, "q");
	assert_string_equal(t.j.limits[0].partition, "");
	assert_string_equal(t.j.limits[1].qos, "r");
	assert_string_equal(t.j.limits[1].partition, "s");
	assert_true(!t.j.choices[1].blocked);
	untell(&t);
}

/* A running job counts in its QOS and in its partition QOS; a pending job counts in all QOS of its list. */
static void running_jobs_count_only_in_the_qos_they_run_with(void **state)
{
	struct told t;

	(void)state;
	tell(&t, START ENFORCE("'limits'") TREE("", "", "") Q(",'grp_tres':{'cpu':8},'grp_submit_jobs':1") REC("qos", "'name':'r'")
	     REC("qos", "'name':'pq','grp_tres':{'cpu':8}") P(",'qos':'pq'") REC("partition", "'name':'s','tier':2")
	     RUNS_IN(1, IN_B("v", 5), "'q'", "'s'", "n1") RUNS_IN(2, IN_B("v", 5), "'r'", "'p'", "n2")
	     RUNS_IN(3, IN_B("v", 5), "'r'", "'s'", "n3")
	     JOB(4, IN_B("v", 5) ",'qos':['r','q'],'partitions':['s'],'reason':'Priority'")
	     JOB(5, IN_B("v", 5) ",'qos':['r'],'partitions':['s','p'],'reason':'Priority'")
	     JOB(9, IN_B("u", 4) ",'qos':['q'],'partitions':['s','p'],'time_limit_s':3600,'tres_req':{'cpu':8},"
		 "'reason':'QOSGrpSubmitJobsLimit'"));
	assert_int_equal(t.j.nlimits, 3);
	assert_string_equal(t.j.limits[0].name, "GrpSubmitJobs");
	assert_same_double(t.j.limits[0].used, 3); /* the limit counts jobs 1 and 4, and job 9 itself */
	assert_string_equal(t.j.limits[1].set_by, "q");
	assert_string_equal(t.j.limits[1].partition, "s");
	assert_same_double(t.j.limits[1].used, 4);
	assert_string_equal(t.j.limits[2].set_by, "pq");
	assert_string_equal(t.j.limits[2].partition, "p");
	assert_same_double(t.j.limits[2].used, 4);
	untell(&t);
}

/* ---- jobs that a partition rejects */

static void a_partition_that_rejects_the_job_is_an_obstacle(void **state)
{
	static const struct {
		const char *partition, *qos, *what;
	} rows[] = {
		{ ",'max_time_s':60", "", "time" },
		{ ",'max_time_s':60", ",'flags':['PartitionTimeLimit']", NULL },
		{ ",'max_nodes':1", "", "node" },
		{ ",'max_nodes':1", ",'flags':['PartitionMaxNodes']", NULL },
		{ ",'max_nodes':2", "", "node" }, /* max_nodes of the job is 3 */
		{ ",'min_nodes':3", "", "min_nodes" }, /* the job needs at least 2 nodes */
		{ ",'min_nodes':2,'max_nodes':3", "", NULL },
		{ ",'min_nodes':4", "", "min_nodes" },
		{ ",'min_nodes':4", ",'flags':['PartitionMinNodes']", NULL },
		{ ",'tres':{'cpu':7,'node':9}", "", "cpu" },
		{ ",'deny_qos':['q']", "", "qos" },
		{ ",'allow_qos':['x']", "", "qos" },
		{ ",'deny_accounts':['b']", "", "account" },
		{ ",'allow_accounts':['b'],'allow_qos':['q']", "", NULL },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[4096];

		snprintf(text, sizeof(text),
			 START TREE("", "", "") Q("%s") P("%s") WAITS("Priority", ",'max_nodes':3"), rows[i].qos, rows[i].partition);
		tell(&t, text);
		assert_int_equal(t.j.nobstacles, rows[i].what != NULL);
		if (rows[i].what)
			assert_string_equal(t.j.obstacles[0].what, rows[i].what);
		assert_int_equal(t.j.choices[0].never, rows[i].what != NULL);
		assert_true((t.j.state == FS_EXPLAIN_NEVER) == (rows[i].what != NULL));
		untell(&t);
	}
}

static void a_job_never_starts_if_all_its_partitions_are_blocked(void **state)
{
	struct told t;

	(void)state;
	tell(&t, TWO_BY_TWO("", "", ",'max_time_s':60", ",'qos':'ps'", "PartitionTimeLimit"));
	assert_int_equal(t.j.nobstacles, 1);
	assert_int_equal(t.j.nlimits, 1);
	assert_int_equal(t.j.state, FS_EXPLAIN_NEVER);
	untell(&t);
	tell(&t, TWO_BY_TWO("", "", ",'max_time_s':60", "", "PartitionTimeLimit"));
	assert_int_not_equal(t.j.state, FS_EXPLAIN_NEVER); /* PartitionTimeLimit applies only to partition p */
	untell(&t);
}

static void running_jobs_show_no_limits(void **state)
{
	struct told t;

	(void)state;
	tell(&t, START ENFORCE("'limits'") TREE(",'grp_jobs':0", "", "") Q("") P("") RUNS(9, IN_B("u", 4)));
	assert_int_equal(t.j.nlimits + t.j.nchoices + t.j.nobstacles, 0);
	untell(&t);
}

#define HEAD_OF(version) \
	"{'type':'snapshot','format':1,'time':1700000030,'priority_time':1700000000,'cluster':'c','scheduler':'slurm " version "'}\n"

/* Slurm enforces MaxTRESRunMinsPerUser of a QOS since 24.05. */
static void max_tres_run_mins_per_user_applies_since_24_05(void **state)
{
#define OF_USER \
	TRES LIMITS TREE("", "", "") Q(",'max_tres_run_min_per_user':{'cpu':879}") P("") JOBS WAITS("Priority", "")
	static const char *const text[] = { HEAD_OF("23.11.11") OF_USER, HEAD_OF("24.05.0") OF_USER };
	struct told t;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		tell(&t, text[i]);
		assert_int_equal(t.j.nlimits, i);
		untell(&t);
	}
}

/* Some versions of Slurm's controller do not know the run minutes of jobs that were running when the controller
 * started. */
static void run_minutes_of_jobs_older_than_the_controller_may_be_unknown(void **state)
{
#define OF_ACCOUNT(boot) \
	TRES CONFIG("'AccountingStorageEnforce':['limits'],'BOOT_TIME':" boot) \
	TREE(",'grp_tres_run_min':{'cpu':879}", "", "") Q("") P("") JOBS WAITS("AssocGrpCPURunMinutesLimit", "")
	static const struct {
		const char *text;
		bool known;
	} rows[] = {
		{ HEAD_OF("23.02.8") OF_ACCOUNT("1699999500"), false },
		{ HEAD_OF("23.02.8") OF_ACCOUNT("1699999300"), true },
		{ HEAD_OF("22.05.8") OF_ACCOUNT("1699999500"), true },
		{ HEAD_OF("23.11.6") OF_ACCOUNT("1699999500"), true },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		tell(&t, rows[i].text);
		assert_int_equal(t.j.nlimits, 1);
		assert_same_double(t.j.limits[0].used, rows[i].known ? 400 : (double)NAN);
		assert_int_equal(t.j.limits[0].nholders != 0, rows[i].known);
		untell(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(max_tres_run_mins_per_user_applies_since_24_05),
		cmocka_unit_test(run_minutes_of_jobs_older_than_the_controller_may_be_unknown),
		cmocka_unit_test(each_limit_shows_its_usage_and_whether_it_blocks),
		cmocka_unit_test(safe_limits_reserve_minutes_for_the_whole_time_limit),
		cmocka_unit_test(usage_factor_0_disables_limits_on_minutes),
		cmocka_unit_test(a_qos_limit_replaces_only_association_limits_of_its_kind),
		cmocka_unit_test(limits_of_all_parent_accounts_apply),
		cmocka_unit_test(the_partition_qos_comes_first_unless_the_job_qos_overrides_it),
		cmocka_unit_test(whole_nodes_count_all_their_gpus_and_their_full_billing),
		cmocka_unit_test(cpus_per_gpu_do_not_grow_with_the_number_of_nodes),
		cmocka_unit_test(a_limit_names_the_partition_and_qos_it_applies_to),
		cmocka_unit_test(running_jobs_count_only_in_the_qos_they_run_with),
		cmocka_unit_test(a_partition_that_rejects_the_job_is_an_obstacle),
		cmocka_unit_test(a_job_never_starts_if_all_its_partitions_are_blocked),
		cmocka_unit_test(running_jobs_show_no_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
