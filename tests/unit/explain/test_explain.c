/* explain/: which parts an explanation has, and that its numbers equal those of fs_prios, fs_queue and fs_shares. */
#include "fsworld.h"
#include "fs/explain.h"

struct told {
	fs_snapshot *snapshot;
	fs_shares *shares;
	fs_prios *prios;
	fs_queue *queue;
	fs_accrue *accrue;
	fs_explain *x;
};

static void tell(struct told *t, const char *text, const char *algorithm, const char *viewer)
{
	const struct fs_view so = { .algorithm = algorithm, .viewer = viewer };
	const struct fs_prios_options po = { .view.algorithm = algorithm, .view.viewer = viewer };
	const struct fs_queue_options qo = { .view.algorithm = algorithm, .view.viewer = viewer };
	struct fs_error err;

	*t = (struct told){ .snapshot = fst_snapshot(text) };
	fst_no_error(fs_shares_compute(&t->shares, t->snapshot, &so, &err), &err);
	fst_no_error(fs_prios_compute(&t->prios, t->snapshot, &po, &err), &err);
	fst_no_error(fs_queue_compute(&t->queue, t->snapshot, &qo, &err), &err);
	fst_no_error(fs_accrue_compute(&t->accrue, t->snapshot, 0, &err), &err);
	const struct fs_eval from = { .snapshot = t->snapshot, .shares = t->shares, .prios = t->prios,
					       .queue = t->queue, .accrue = t->accrue, .viewer = viewer };

	fst_no_error(fs_explain_new(&t->x, &from, &err), &err);
}

static void untell(struct told *t)
{
	fs_explain_free(t->x);
	fs_accrue_free(t->accrue);
	fs_queue_free(t->queue);
	fs_prios_free(t->prios);
	fs_shares_free(t->shares);
	fs_snapshot_free(t->snapshot);
}

static struct fs_explain_job job(struct told *t, const char *word)
{
	struct fs_explain_job j;
	struct fs_error err;
	const uint32_t row = fs_explain_find_job(t->x, word);

	if (row == UINT32_MAX)
		print_error("no job %s\n", word);
	assert_true(row != UINT32_MAX);
	fst_no_error(fs_explain_job(t->x, row, &j, &err), &err);
	return j;
}

#define WEIGHTS CONFIG("'PriorityWeightFairShare':1000,'PriorityWeightQOS':100,'PriorityWeightAge':10," \
		       "'PriorityMaxAge':100,'AccountingStorageEnforce':['limits']")

/* ---- finding jobs by id */

static void jobs_are_found_by_what_users_type(void **state)
{
	static const struct {
		const char *word;
		uint64_t id; /* id of the job that `word` names; 0: no job */
	} words[] = { { "7", 7 },    { "8", 8 },	{ "7_1", 9 },  { "7_2", 7 },  { "7_4", 7 },  { "7_3", 0 },
		      { "7_[2-4]", 7 }, { "9", 9 },     { "10", 0 },   { "7_", 0 },   { "_1", 0 },   { "x", 0 },
		      { "7x", 0 },   { "18446744073709551615", 18446744073709551615u }, { "18446744073709551616", 0 },
		      { "", 0 },     { "7_9", 0 },	{ "20", 21 },  { "-7", 0 },
		      { "30+0", 30 }, { "30+1", 31 }, { "30", 30 }, { "31", 31 }, { "30+2", 0 }, { "30+", 0 }, { "+1", 0 }, { "8+0", 0 } };
	struct told t;
	struct fs_job j;

	(void)state;
	tell(&t, HEADER CLUSTER WEIGHTS JOB(7, "'array_job_id':7,'array_tasks':'2-8:2%1'") JOB(8, "'priority':1")
	     JOB(9, "'array_job_id':7,'array_task_id':1") JOB(18446744073709551615, "'priority':1")
	     JOB(21, "'array_job_id':20,'array_task_id':5") JOB(30, "'het_job_id':30,'het_offset':0")
	     JOB(31, "'het_job_id':30,'het_offset':1"), NULL, NULL);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const uint32_t row = fs_explain_find_job(t.x, words[i].word);

		if (words[i].id != 0 && row != UINT32_MAX) {
			fs_snapshot_job(t.snapshot, row, &j);
			assert_true(j.id == words[i].id);
		} else if (words[i].id || row != UINT32_MAX) {
			print_error("\"%s\"\n", words[i].word);
			fail();
		}
	}
	untell(&t);
}

static void private_jobs_of_others_are_not_found(void **state)
{
	static const char text[] = HEADER CLUSTER CONFIG("'PriorityWeightQOS':100,'PrivateData':['jobs','usage']")
		JOB(1, "'user':'u','account':'root'") JOB(2, "'user':'v','account':'root'");
	struct told t;

	(void)state;
	tell(&t, text, NULL, "u");
	assert_true(fs_explain_find_job(t.x, "1") != UINT32_MAX);
	assert_true(fs_explain_find_job(t.x, "2") == UINT32_MAX);
	assert_true(fs_explain_find_row(t.x, "", "u") != UINT32_MAX);
	assert_true(fs_explain_find_row(t.x, "", "v") == UINT32_MAX);
	assert_true(job(&t, "1").jobs_hidden);
	assert_true(job(&t, "1").path.hidden);
	untell(&t);
	tell(&t, text, NULL, "root");
	assert_true(fs_explain_find_job(t.x, "2") != UINT32_MAX);
	assert_false(job(&t, "1").jobs_hidden);
	untell(&t);
}

/* ---- sums of priority terms */

static void sums_equal_the_priority_rows(void **state)
{
	struct told t;
	struct fs_explain_job j;
	struct fs_prio_row row;

	(void)state;
	tell(&t, HEADER CLUSTER WEIGHTS
	     JOB(1, "'user':'u','account':'root','partitions':['p','q'],'qos':['high'],'accrue_time':1699999950,"
		    "'submit_time':5,'tres_req':{'cpu':2}")
	     REC("recorded", "'job':1,'partition':'p','priority':1104,'age':4,'fairshare':1000,'qos_points':100,'nice':0"),
	     NULL, NULL);
	j = job(&t, "1");
	assert_int_equal(j.nsums, 2);
	assert_string_equal(j.sums[0].partition, "q");
	assert_int_equal(j.sums[0].tier, 3);
	for (size_t i = 0; i < 2; i++) {
		fs_prios_row(t.prios, i, &row);
		assert_string_equal(j.sums[i].partition, row.partition);
		assert_same_double(j.sums[i].sum, row.sum);
		assert_same_double(j.sums[i].total - j.sums[i].unexplained, row.priority);
		for (size_t k = 0; k < j.sums[i].nterms; k++) {
			struct fs_prio_inputs in;

			assert_memory_equal(&j.sums[i].terms[k], &row.terms[k], sizeof(row.terms[k]));
			fs_prios_inputs(t.prios, i, k, &in);
			assert_true(in.rule == j.sums[i].inputs[k].rule);
		}
	}
	assert_same_double(j.sums[1].inputs[FS_FACTOR_AGE].have, 50);
	assert_same_double(j.sums[1].inputs[FS_FACTOR_AGE].of, 100);
	assert_same_double(j.sums[1].recorded, 1104);
	assert_same_double(j.sums[1].recorded_points[FS_FACTOR_AGE], 4);
	assert_same_double(j.sums[0].recorded, NAN);
	untell(&t);
}

/* In random clusters each value follows from the inputs shown beside it. */
static void values_follow_from_their_inputs(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	uint64_t seed = 99;

	(void)state;
	assert_non_null(w);
	for (int round = 0; round < 60; round++) {
		struct fst_sink s = { 0 };
		struct told t;

		draw(w, &seed);
		put_cluster(&s, w);
		put_jobs(&s, w);
		tell(&t, s.data, NULL, NULL);
		for (uint32_t i = 0; i < JOBS_N; i++) {
			struct fs_explain_job j;

			assert_int_equal(fs_explain_job(t.x, i, &j, NULL), 0);
			for (size_t k = 0; k < j.sums->nterms; k++) {
				const struct fs_prio_term *term = &j.sums->terms[k];
				const struct fs_prio_inputs *in = &j.sums->inputs[k];

				if (in->rule == FS_INPUTS_RATIO &&
				    (term->weight != 0 || term->factor == FS_FACTOR_TRES))
					assert_same_double(term->value,
							   in->have != 0 && in->of != 0 ? in->have / in->of : 0);
				if (in->rule == FS_INPUTS_PLAIN && term->weight != 0)
					assert_same_double(term->value, in->have);
				if (in->rule == FS_INPUTS_AGE && term->weight != 0)
					assert_same_double(term->value, in->have < in->of ? in->have / in->of : 1);
				assert_near(term->points, term->value * term->weight, 1e-9 * (1 + fabs(term->points)));
			}
		}
		untell(&t);
		fst_free(&s);
	}
	free(w);
}

/* ---- jobs ahead */

static const struct fs_explain_group *group(const struct fs_explain_job *j, const char *account, const char *user,
					    uint64_t array)
{
	for (size_t i = 0; i < j->ahead.ngroups; i++) {
		const struct fs_explain_group *g = &j->ahead.groups[i];

		if (!strcmp(g->account, account) && !strcmp(g->user, user) && g->array == array)
			return g;
	}
	print_error("no group %s/%s/%u\n", account, user, (unsigned)array);
	fail();
	return NULL;
}

#define AHEAD_IN "z" /* name of a partition that accepts any request */
#define AHEAD(id, user, account, qos, more) \
	JOB(id, "'user':'" user "','account':'" account "','partitions':['" AHEAD_IN "'],'qos':['" qos "'],'submit_time':5," \
		"'reason':'Priority'," more)

static void jobs_ahead_are_grouped_by_account_user_and_array(void **state)
{
	struct told t;
	struct fs_explain_job j;
	const struct fs_explain_group *g;

	(void)state;
	tell(&t, HEADER CLUSTER CONFIG("'PriorityWeightQOS':100")
	     AHEAD(1, "u", "a", "low", "'priority':25")
	     AHEAD(2, "u", "a", "high", "'priority':100,'cpus':4,'time_limit_s':3600,'tres_req':{'cpu':4,'gres/gpu':2}")
	     AHEAD(3, "v", "b", "high", "'priority':100,'cpus':1,'time_limit_s':'unlimited','array_job_id':3,'array_tasks':'1-9'")
	     AHEAD(4, "v", "b", "high", "'priority':100,'cpus':1,'time_limit_s':7200,'array_job_id':3,'array_task_id':0")
	     AHEAD(5, "w", "b", "low", "'priority':25")
	     AHEAD(6, "x", "b", "low", "'priority':900,'priority_set':900")
	     JOB(7, "'user':'y','account':'c','partitions':['q'],'priority':1,'submit_time':5"), NULL, NULL);
	j = job(&t, "1");
	assert_int_equal(j.sums->position, 5);
	assert_int_equal(j.sums->of, 6);
	assert_int_equal(j.ahead.all.entries, 4);
	assert_int_equal(j.ahead.all.jobs, 12);
	assert_int_equal(j.ahead.all.direct, 1);
	assert_int_equal(j.ahead.own_entries, 1);
	assert_string_equal(j.ahead.groups[0].account, "b");
	g = group(&j, "b", "v", 0);
	assert_int_equal(g->entries, 2);
	assert_int_equal(g->jobs, 10);
	assert_int_equal(g->cpus, 10);
	assert_true(isinf(g->cpu_hours));
	assert_int_equal(group(&j, "b", "v", 3)->jobs, 10);
	g = group(&j, "a", "u", 0);
	assert_true(g->is_own);
	assert_int_equal(g->gpus, 2);
	assert_same_double(g->cpu_hours, 4);
	assert_int_equal(g->key, FS_QUEUE_KEY_PRIORITY);
	assert_int_equal(g->term, FS_FACTOR_QOS);
	assert_same_double(g->difference, 75);
	assert_same_double(g->lowest, 1);
	assert_same_double(g->own, 0.25);
	assert_true(group(&j, "b", "x", 0)->term == FS_NO_ROW);
	j = job(&t, "5");
	assert_int_equal(j.ahead.all.by[FS_QUEUE_KEY_JOBID], 1);
	assert_int_equal(group(&j, "a", "u", 0)->by[FS_QUEUE_KEY_JOBID], 1);
	assert_int_equal(job(&t, "6").ahead.all.entries, 0);
	untell(&t);
}

static void rivals_are_in_higher_partitions_with_the_same_nodes(void **state)
{
	struct told t;
	struct fs_explain_job j;

	(void)state;
	tell(&t, HEADER TRES NODES QOS ASSOCIATIONS CONFIG("'PriorityWeightQOS':100")
	     REC("partition", "'name':'low','tier':1,'nodes':'a,b'") REC("partition", "'name':'same','tier':2,'nodes':'b,c'")
	     REC("partition", "'name':'far','tier':3,'nodes':'d,e'")
	     JOB(1, "'partitions':['low'],'priority':1,'submit_time':5") JOB(2, "'partitions':['same'],'priority':1,'submit_time':5")
	     JOB(3, "'partitions':['far'],'priority':1,'submit_time':5"), NULL, NULL);
	j = job(&t, "1");
	assert_int_equal(j.ahead.nrivals, 1);
	assert_string_equal(j.ahead.rivals[0].partition, "same");
	assert_int_equal(j.ahead.rivals[0].entries, 1);
	assert_int_equal(j.ahead.all.entries, 0);
	assert_int_equal(job(&t, "2").ahead.nrivals, 0);
	untell(&t);
}

static void waiting_passes_only_jobs_of_full_age_with_lower_other_terms(void **state)
{
	struct told t;
	struct fs_explain_job j;

	(void)state;
	tell(&t, HEADER CLUSTER CONFIG("'PriorityWeightQOS':100,'PriorityWeightAge':1000,'PriorityMaxAge':100")
	     AHEAD(1, "u", "a", "high", "'priority':600,'accrue_time':1699999950")
	     AHEAD(2, "v", "a", "low", "'priority':1025,'accrue_time':1699990000")
	     AHEAD(3, "w", "a", "high", "'priority':1100,'accrue_time':1699990000"), NULL, NULL);
	j = job(&t, "1");
	assert_int_equal(j.ahead.all.entries, 2);
	assert_int_equal(j.ahead.all.passed, 1);
	assert_int_equal(group(&j, "a", "v", 0)->passed, 1);
	assert_int_equal(group(&j, "a", "w", 0)->passed, 0);
	untell(&t);
}

/* ---- paths from root through the share tree */

#define A(id, fields) REC("association", "'id':" #id ",'usage_tres_s':0," fields)
#define U(id, account, user, shares, usage) \
	REC("association", "'id':" #id ",'account':'" account "','user':'" user "','shares':" #shares ",'usage_tres_s':" #usage)
#define TREE A(1, "'account':'root','shares':1") A(2, "'account':'a','parent':'root','shares':3") \
	A(3, "'account':'b','parent':'root','shares':1") A(4, "'account':'c','parent':'a','shares':1") \
	U(5, "a", "u", 1, 10) U(6, "c", "v", 1, 5) U(7, "c", "w", 1, 5) U(8, "b", "x", 1, 60) U(9, "c", "n", 1, 0)

static struct fs_explain_path path(struct told *t, const char *account, const char *user)
{
	struct fs_explain_path p;
	const uint32_t row = fs_explain_find_row(t->x, account, user);

	assert_true(row != UINT32_MAX);
	assert_int_equal(fs_explain_path(t->x, row, &p, NULL), 0);
	return p;
}

static void a_path_lists_each_level_from_the_root(void **state)
{
	struct told t;
	struct fs_explain_path p;

	(void)state;
	tell(&t, HEADER WEIGHTS TREE, NULL, NULL);
	p = path(&t, "c", "v");
	assert_int_equal(p.levels, 3);
	assert_string_equal(fs_shares_row(t.shares, p.level[0].row)->account, "a");
	assert_string_equal(fs_shares_row(t.shares, p.level[0].above)->account, "root");
	assert_int_equal(p.level[0].place, 1);
	assert_int_equal(p.level[0].count, 2);
	assert_int_equal(p.level[1].count, 2);
	assert_int_equal(p.level[1].place, 1); /* u and c tie: each has 1/2 of the shares and of the usage */
	assert_int_equal(p.level[1].tied, 1);
	assert_int_equal(p.level[2].place, 2);
	assert_int_equal(p.level[2].tied, 1);
	assert_int_equal(p.users, 5);
	assert_int_equal(p.better + p.tied + p.worse + 1, p.users);
	assert_int_equal(p.tied, 1);
	assert_same_double(p.factor, fst_row(t.shares, "c", "v")->fairshare);
	assert_int_equal(path(&t, "root", "").levels, 0);
	assert_true(fs_explain_find_row(t.x, "a", "v") == UINT32_MAX);
	untell(&t);
}

static void paths_diverge_at_the_highest_level_that_differs(void **state)
{
	struct fs_explain_divergence d;
	struct fs_explain_path p, q;
	struct told t;

	(void)state;
	tell(&t, HEADER WEIGHTS TREE, NULL, NULL);
	p = path(&t, "c", "n");
	q = path(&t, "b", "x");
	fs_explain_compare_paths(t.x, &p, &q, &d);
	assert_false(d.same);
	assert_int_equal(d.level_a, 0);
	assert_int_equal(d.first, -1);
	fs_explain_compare_paths(t.x, &q, &p, &d);
	assert_int_equal(d.first, 1);
	q = path(&t, "c", "v");
	fs_explain_compare_paths(t.x, &p, &q, &d);
	assert_int_equal(d.level_a, 2);
	assert_int_equal(d.first, -1);
	p = path(&t, "c", "w");
	fs_explain_compare_paths(t.x, &p, &q, &d);
	assert_true(d.tied);
	assert_int_equal(d.first, 0);
	p = path(&t, "a", "");
	fs_explain_compare_paths(t.x, &p, &q, &d);
	assert_true(d.same);
	untell(&t);
}

static void classic_paths_have_the_inputs_of_the_formula(void **state)
{
	struct told t;
	struct fs_explain_path p;

	(void)state;
	tell(&t, HEADER WEIGHTS TREE REC("association", "'id':10,'account':'a','user':'s','shares':'parent','usage_tres_s':1"),
	     "classic", NULL);
	p = path(&t, "c", "v");
	assert_near(p.factor, pow(2, -p.formula_usage / p.formula_shares), 1e-15);
	assert_int_equal(p.level[0].place, 0);
	assert_same_double(p.level[0].level_shares, 4);
	assert_int_equal(p.formula_row, p.row);
	p = path(&t, "a", "s");
	assert_int_equal(p.formula_row, fs_explain_find_row(t.x, "a", ""));
	untell(&t);
	tell(&t, HEADER WEIGHTS TREE, "depth_oblivious", NULL);
	p = path(&t, "c", "v");
	const struct fs_share_row *r = fs_shares_row(t.shares, p.row);
	const struct fs_explain_level *l = &p.level[2];

	assert_near(r->effective_usage, l->parent_ratio * pow(l->level_ratio, l->damping) * r->norm_shares, 1e-12);
	assert_true(isnan(p.level[0].parent_ratio));
	untell(&t);
}

/* ---- limits on jobs */

static void qos_limits_replace_association_limits(void **state)
{
	struct told t;
	struct fs_explain_job j;

	(void)state;
	tell(&t, HEADER TRES NODES PARTITIONS WEIGHTS A(1, "'account':'root','shares':1")
	     REC("association", "'id':2,'account':'root','user':'u','shares':1,'max_jobs':1,'usage_tres_s':0")
	     REC("qos", "'name':'q','priority':1,'max_jobs_per_user':3")
	     REC("job", "'id':1,'state':'RUNNING','user':'u','account':'root','association':2,'qos':['q']")
	     REC("job", "'id':2,'state':'RUNNING','user':'u','account':'root','association':2,'qos':['q']")
	     JOB(3, "'user':'u','account':'root','association':2,'qos':['q'],'partitions':['p'],'reason':'AssocMaxJobsLimit'")
	     JOB(4, "'user':'u','account':'root','association':2,'partitions':['p'],'reason':'AssocMaxJobsLimit'"), NULL, NULL);
	assert_int_equal(job(&t, "3").nlimits, 0);
	j = job(&t, "4");
	assert_int_equal(j.nlimits, 1);
	assert_string_equal(j.limits[0].name, "MaxJobs");
	assert_true(j.limits[0].blocks && j.limits[0].named && !j.limits[0].never);
	assert_same_double(j.limits[0].used, 2);
	assert_int_equal(j.limits[0].nholders, 1);
	assert_int_equal(j.limits[0].holders[0].jobs, 2);
	assert_int_equal(j.state, FS_EXPLAIN_BLOCKED);
	untell(&t);
}

static void limits_that_are_not_enforced_are_not_listed(void **state)
{
	struct told t;

	(void)state;
	tell(&t, HEADER TRES NODES PARTITIONS QOS CONFIG("'PriorityWeightQOS':1") A(1, "'account':'root','shares':1,'grp_jobs':0")
	     REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':0")
	     JOB(3, "'user':'u','account':'root','association':2,'partitions':['p'],'reason':'Priority'"), NULL, NULL);
	assert_int_equal(job(&t, "3").nlimits, 0);
	untell(&t);
}

static void limits_per_job_block_the_job_forever(void **state)
{
	struct told t;
	struct fs_explain_job j;

	(void)state;
	tell(&t, HEADER TRES NODES PARTITIONS WEIGHTS A(1, "'account':'root','shares':1")
	     REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':0,'max_wall_s':60")
	     REC("qos", "'name':'q','priority':1,'min_tres':{'cpu':8},'max_tres_min':{'cpu':10}")
	     JOB(3, "'user':'u','account':'root','association':2,'qos':['q'],'partitions':['p'],'reason':'Priority',"
		    "'time_limit_s':120,'tres_req':{'cpu':7}")
	     JOB(4, "'user':'u','account':'root','association':2,'qos':['q'],'partitions':['p'],'reason':'Priority',"
		    "'time_limit_s':60,'tres_req':{'cpu':8}"), NULL, NULL);
	j = job(&t, "3");
	assert_int_equal(j.nlimits, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(j.limits[i].per_job && j.limits[i].never);
	assert_int_equal(j.state, FS_EXPLAIN_NEVER);
	assert_int_equal(job(&t, "4").nlimits, 0);
	assert_int_equal(job(&t, "4").state, FS_EXPLAIN_QUEUED);
	untell(&t);
}

/* ---- comparison of two jobs */

#undef AHEAD_IN
#define AHEAD_IN "p"

static void two_jobs_are_ordered_by_the_first_key_that_differs(void **state)
{
	struct told t;
	struct fs_explain_job a, b;
	struct fs_explain_comparison d;

	(void)state;
	tell(&t, HEADER CLUSTER CONFIG("'PriorityWeightQOS':100,'PriorityWeightAge':10,'PriorityMaxAge':100")
	     AHEAD(1, "u", "a", "low", "'priority':25") AHEAD(2, "v", "a", "high", "'priority':100")
	     JOB(3, "'user':'w','account':'a','partitions':['q','p'],'qos':['low'],'submit_time':5,'reason':'Priority'")
	     JOB(4, "'user':'w','account':'a','partitions':['p'],'priority':0,'reason':'JobHeldUser'"), NULL, NULL);
	a = job(&t, "1");
	b = job(&t, "2");
	fs_explain_compare_jobs(t.x, &a, &b, &d);
	assert_int_equal(d.first, 1);
	assert_int_equal(d.key, FS_QUEUE_KEY_PRIORITY);
	assert_int_equal(d.term, FS_FACTOR_QOS);
	assert_true(d.same_order);
	b = job(&t, "3");
	fs_explain_compare_jobs(t.x, &a, &b, &d);
	assert_true(d.same_order);
	assert_int_equal(d.key, FS_QUEUE_KEY_JOBID);
	assert_int_equal(d.sum_b, 1);
	assert_int_equal(d.first, -1);
	b = job(&t, "4");
	fs_explain_compare_jobs(t.x, &a, &b, &d);
	assert_int_equal(d.first, 0);
	assert_true(d.sum_b == FS_NO_ROW);
	untell(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_are_found_by_what_users_type),
		cmocka_unit_test(private_jobs_of_others_are_not_found),
		cmocka_unit_test(sums_equal_the_priority_rows),
		cmocka_unit_test(values_follow_from_their_inputs),
		cmocka_unit_test(jobs_ahead_are_grouped_by_account_user_and_array),
		cmocka_unit_test(rivals_are_in_higher_partitions_with_the_same_nodes),
		cmocka_unit_test(waiting_passes_only_jobs_of_full_age_with_lower_other_terms),
		cmocka_unit_test(a_path_lists_each_level_from_the_root),
		cmocka_unit_test(paths_diverge_at_the_highest_level_that_differs),
		cmocka_unit_test(classic_paths_have_the_inputs_of_the_formula),
		cmocka_unit_test(qos_limits_replace_association_limits),
		cmocka_unit_test(limits_that_are_not_enforced_are_not_listed),
		cmocka_unit_test(limits_per_job_block_the_job_forever),
		cmocka_unit_test(two_jobs_are_ordered_by_the_first_key_that_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
