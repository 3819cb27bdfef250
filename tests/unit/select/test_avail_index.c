/* select/avail_index: for thousands of random nodes, fsi_avail_index_query_node finds the same moments as a check of
 * the ends of all jobs on the node, and counts the same amount of work. */
#include "fstest.h"

#include "select/avail_index.h"

enum { ROUNDS = 20000, HOLDS = 40 };

static void draw_node(struct fsi_cluster_node *n, uint32_t nres, uint64_t *seed)
{
	const uint32_t holds = fst_below(seed, HOLDS);

	*n = (struct fsi_cluster_node){ .threads_per_core = 1 + fst_below(seed, 2) };
	n->total[FSI_RES_CPU] = n->threads_per_core * (1 + fst_below(seed, 16));
	n->total[FSI_RES_MEM] = 100 + fst_below(seed, 400);
	n->total[FSI_RES_GRES] = fst_below(seed, 5);
	for (uint32_t r = 0; r < nres; r++)
		n->free[r] = n->total[r];
	for (uint32_t i = 0; i < holds; i++) {
		const struct fsi_node_hold h = {
			.end = fst_below(seed, 9) ? 1000 + fst_below(seed, 8) * 60 : INT64_MAX,
			.id = 1 + i,
			.job = i,
			.amount = { fst_below(seed, 7), fst_below(seed, 90), fst_below(seed, 2) },
		};

		assert_int_equal(fsi_node_add_hold(n, &h, nres), 0);
	}
}

static struct fsi_request request(uint64_t *seed)
{
	struct fsi_request q = { .nodes.min = 1, .nodes.max = 1 + fst_below(seed, 2), .cpu.max_per_node = INT64_MAX };

	q.cpu.per_task = 1 + fst_below(seed, 3);
	q.cpu.min_per_node = fst_below(seed, 4);
	q.cpu.tasks = fst_below(seed, 3);
	if (!fst_below(seed, 4))
		q.cpu.max_per_node = 1 + fst_below(seed, 9);
	q.cpu.max_core_threads = fst_below(seed, 3);
	q.cpu.one_task_per_core = fst_below(seed, 2);
	q.sharing.whole_nodes = !fst_below(seed, 5);
	if (fst_below(seed, 2))
		q.mem.per_cpu = 1 + fst_below(seed, 60);
	else
		q.per_node[FSI_RES_MEM] = fst_below(seed, 300);
	q.per_node[FSI_RES_GRES] = fst_below(seed, 2);
	return q;
}

/* Computes the result of fsi_avail_index_query_node by checking all ends. */
static struct fsi_avail_index_node walk(const struct fsi_cluster *c, const struct fsi_request *q, int64_t share,
					int64_t *max)
{
	const struct fsi_end_moment never = { INT64_MAX, UINT64_MAX };
	struct fsi_avail_index_node n = { 0, never, never };
	struct fsi_end_moment at = { INT64_MIN, 0 };
	struct fsi_node_avail r;

	do {
		r = fsi_avail_get_at_moment(c, 0, q, at);
		if (r.cpus > 0 && n.any_from.when == INT64_MAX)
			n.any_from = at;
		if (r.cpus >= share && n.share_from.when == INT64_MAX)
			n.share_from = at;
		*max = r.cpus > *max ? r.cpus : *max;
		at = r.until;
	} while (at.when != INT64_MAX);
	return n;
}

static void same_moment(struct fsi_end_moment a, struct fsi_end_moment b)
{
	assert_true(a.when == b.when && a.id == b.id);
}

static void the_index_gives_the_same_moments_as_all_ends(void **state)
{
	uint64_t seed = 7, looks;

	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct fsi_cluster_node node;
		struct fsi_cluster c = { .node = &node, .nnodes = 1, .nres = FSI_RES_GRES + 1, .work = &looks };
		struct fsi_avail_index f = { .min_share = fst_below(&seed, 9) };
		int64_t max = 0;

		c.rules.whole_cores = fst_below(&seed, 2);
		draw_node(&node, c.nres, &seed);
		const struct fsi_request q = request(&seed);

		looks = 0;
		const struct fsi_avail_index_node all = walk(&c, &q, f.min_share, &max);
		const uint64_t counted = looks;

		looks = 0;
		const struct fsi_avail_index_node told = fsi_avail_index_query_node(&f, &c, &q, 0);

		same_moment(told.any_from, all.any_from);
		same_moment(told.share_from, all.share_from);
		assert_int_equal(f.max_cpus, max);
		assert_int_equal(looks, counted);
		FSI_VEC_FREE(&node.hold);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_index_gives_the_same_moments_as_all_ends) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
