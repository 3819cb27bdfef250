/* backfill/cycle: if the result of a search is reused for equal requests, the plan stays the same. The test plans the
 * same jobs twice. In the second plan, each job also requests a feature that all nodes have, so that no result is
 * reused. In both plans, all jobs start at the same times on the same nodes. */
#include "fstest.h"

enum { NODES = 12, RUNNING = 18, PENDING = 60, NOW = 60000, ROUNDS = 400 };

static void put_nodes(struct fst_sink *s, uint64_t *seed)
{
	for (int i = 0; i < NODES; i++)
		fst_put(s, "{'type':'node','name':'n%02d','state':'MIXED','cpus':%d,'mem_mb':64000,'features':['any']}\n", i,
			i % 3 ? 16 : 24);
	if (fst_below(seed, 2))
		fst_put(s, "{'type':'reservation','name':'r','start_time':%d,'end_time':%d,'nodes':'n[04-06]'}\n",
			NOW + 60 * (int)fst_below(seed, 60), NOW + 3600 + 60 * (int)fst_below(seed, 60));
	fst_put(s, REC("partition", "'name':'all','tier':1,'nodes':'n[00-11]'"));
	fst_put(s, REC("partition", "'name':'some','tier':2,'nodes':'n[02-07]'"));
	for (int i = 0; i < RUNNING; i++) {
		const uint32_t cpus = 2 + 2 * fst_below(seed, 4);

		fst_put(s, "{'type':'job','id':%d,'state':'RUNNING','partitions':['all'],'node_list':'n%02d','cpus':%u,"
			   "'end_time':%u,'tres_alloc':{'cpu':%u,'mem':1000}}\n",
			1 + i, i % NODES, cpus, NOW + 30 + fst_below(seed, 4000), cpus);
	}
}

/* Draws from three request shapes per partition, so that many requests are equal. */
static void put_jobs(struct fst_sink *s, uint64_t *seed, const char *features)
{
	static const uint32_t cpus[] = { 8, 16, 40 }, nodes[] = { 1, 1, 3 }, limit[] = { 180, 900, 2400 };

	for (int i = 0; i < PENDING; i++) {
		const uint32_t k = fst_below(seed, 3);

		fst_put(s, "{'type':'job','id':%d,'state':'PENDING','eligible_time':1,'priority':%u,'partitions':['%s'],"
			   "'cpus':%u,'time_limit_s':%u,'nodes':%u,'tres_req':{'cpu':%u,'mem':1000,'node':%u}%s}\n",
			100 + i, 1 + fst_below(seed, 1000), fst_below(seed, 3) ? "all" : "some", cpus[k],
			limit[fst_below(seed, 3)], nodes[k], cpus[k], nodes[k], features);
	}
}

static fs_plan *plan_of(const char *version, uint64_t seed, const char *features, fs_snapshot **m)
{
	const struct fs_plan_options o = { .mode = FS_PLAN_BACKFILL };
	struct fst_sink s = { 0 };
	struct fs_error err;
	fs_plan *p = NULL;

	fst_put(&s, "{'type':'snapshot','format':1,'time':%d,'cluster':'c','scheduler':'slurm %s'}\n", NOW, version);
	fst_put(&s, "{'type':'config','SchedulerParameters':'bf_window=300'}\n");
	put_nodes(&s, &seed);
	put_jobs(&s, &seed, features);
	*m = fst_snapshot(s.data);
	fst_free(&s);
	fst_no_error(fs_plan_compute(&p, *m, &o, &err), &err);
	return p;
}

static void same_plans(const fs_plan *p, const fs_plan *q)
{
	struct fs_plan_row a, b;

	assert_int_equal(fs_plan_count(p), fs_plan_count(q));
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &a);
		fs_plan_row(q, i, &b);
		assert_int_equal(a.job, b.job);
		assert_int_equal(a.state, b.state);
		assert_true(a.start_time == b.start_time && a.nodes == b.nodes);
		for (uint32_t k = 0; k < a.nodes; k++)
			assert_string_equal(fs_plan_node(p, i, k), fs_plan_node(q, i, k));
	}
}

static void reuse_of_results_for_equal_requests_changes_no_start(void **state)
{
	static const char *const versions[] = { "22.05.8", "23.11.5", "24.11.5", "26.05.0" };

	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		fs_snapshot *m, *n;
		fs_plan *p = plan_of(versions[seed % 4], seed, "", &m);
		fs_plan *q = plan_of(versions[seed % 4], seed, ",'features':'any'", &n);

		same_plans(p, q);
		fs_plan_free(p);
		fs_plan_free(q);
		fs_snapshot_free(m);
		fs_snapshot_free(n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reuse_of_results_for_equal_requests_changes_no_start) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
