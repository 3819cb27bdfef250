/* eval/eval.c: fs_eval_compute gives the same shares, priorities and queue as the functions that compute each
 * result alone. */
#include "fsworld.h"

static fs_snapshot *snapshot_of(const struct world *w)
{
	struct fst_sink s = { 0 };
	fs_snapshot *m;

	put_cluster(&s, w);
	put_jobs(&s, w);
	m = fst_snapshot(s.data);
	fst_free(&s);
	return m;
}

static void same_shares(const fs_shares *a, const fs_shares *b)
{
	assert_int_equal(fs_shares_count(a), fs_shares_count(b));
	for (size_t i = 0; i < fs_shares_count(a); i++) {
		const struct fs_share_row *x = fs_shares_row(a, i), *y = fs_shares_row(b, i);

		assert_int_equal(x->id, y->id);
		assert_same_double(x->fairshare, y->fairshare);
		assert_int_equal(x->visible, y->visible);
	}
}

static void same_prios(fs_prios *a, fs_prios *b)
{
	assert_int_equal(fs_prios_count(a), fs_prios_count(b));
	for (size_t i = 0; i < fs_prios_count(a); i++) {
		struct fs_prio_row x, y;

		fs_prios_row(a, i, &x);
		fs_prios_row(b, i, &y);
		assert_int_equal(x.job, y.job);
		assert_same_double(x.sum, y.sum);
		assert_same_double(x.priority, y.priority);
		assert_int_equal(x.visible, y.visible);
	}
}

static void same_queue(const fs_queue *a, const fs_queue *b)
{
	assert_int_equal(fs_queue_count(a), fs_queue_count(b));
	for (size_t i = 0; i < fs_queue_count(a); i++) {
		struct fs_queue_row x, y;

		fs_queue_row(a, i, &x);
		fs_queue_row(b, i, &y);
		assert_int_equal(x.job, y.job);
		assert_int_equal(x.position, y.position);
		assert_same_double(x.priority, y.priority);
	}
}

static void agrees(const fs_snapshot *m, const struct fs_view *view, const struct fs_eval *e)
{
	const struct fs_prios_options po = { .view = *view };
	struct fs_queue_options qo = { .view = *view };
	struct fs_error err;
	fs_shares *shares;
	fs_prios *prios;
	fs_queue *queue;

	qo.view.compat = 0;
	fst_no_error(fs_shares_compute(&shares, m, view, &err), &err);
	fst_no_error(fs_prios_compute(&prios, m, &po, &err), &err);
	fst_no_error(fs_queue_compute(&queue, m, &qo, &err), &err);
	same_shares(e->shares, shares);
	same_prios(e->prios, prios);
	same_queue(e->queue, queue);
	fs_queue_free(queue);
	fs_prios_free(prios);
	fs_shares_free(shares);
}

static void each_result_equals_the_one_computed_alone(void **state)
{
	static const struct fs_view views[] = {
		{ 0 },
		{ .algorithm = "classic" },
		{ .viewer = "u1" },
		{ .compat = FS_SLURM_VERSION(22, 5) },
		{ .compat = FS_SLURM_VERSION(26, 5), .algorithm = "classic" },
	};
	uint64_t seed = 20261122;

	(void)state;
	for (int n = 0; n < 20; n++) {
		struct world w;
		fs_snapshot *m;

		draw(&w, &seed);
		m = snapshot_of(&w);
		for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
			struct fs_eval e;
			struct fs_error err;

			fst_no_error(fs_eval_compute(m, &views[i], &e, &err), &err);
			agrees(m, &views[i], &e);
			fs_eval_release(&e);
		}
		fs_snapshot_free(m);
	}
}

static void a_missing_result_has_an_error(void **state)
{
	fs_snapshot *m = fst_snapshot(HEADER CLUSTER);
	struct fs_error err;
	struct fs_eval e;

	(void)state;
	fst_no_error(fs_eval_compute(m, NULL, &e, &err), &err);
	assert_null(e.windows);
	assert_int_equal(e.windows_error.code, FS_ENODATA);
	assert_null(e.holds);
	assert_non_null(e.queue);
	assert_int_equal(e.queue_error.code, 0);
	fs_eval_release(&e);
	assert_null(e.queue);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_result_equals_the_one_computed_alone),
		cmocka_unit_test(a_missing_result_has_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
