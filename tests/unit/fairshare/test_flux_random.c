/* fairshare/flux.c: properties of random trees, and agreement with a plain recursive walk on fractions of integers. */
#include "fstree.h"
#include "fs/explain.h"

enum { TREES = FST_ROUNDS(3000) };

/* Draws a tree without Slurm's `parent` shares. */
static void plain_tree(struct fstree *t, uint64_t *seed)
{
	fstree_random(t, seed);
	for (uint32_t i = 0; i < t->n; i++) {
		t->v[i].use_parent = false;
		if (!i)
			t->v[i].shares = 1;
	}
}

static fs_shares *compute(const fs_snapshot *m, const char *algorithm, enum fs_position position)
{
	const struct fs_view o = { .algorithm = algorithm, .position = position };
	struct fs_error err;
	fs_shares *s = NULL;

	fst_no_error(fs_shares_compute(&s, m, &o, &err), &err);
	return s;
}

/* Sorts the results by index in the tree. */
static void by_place(const fs_shares *s, const struct fs_share_row **row)
{
	for (size_t i = 0; i < fs_shares_count(s); i++)
		row[fstree_index(s, i)] = fs_shares_row(s, i);
}

/* ---- order by need: the row with the least usage relative to its shares is first ---- */

static int standing(const struct fstree *t, int i)
{
	return !t->v[i].shares ? 0 : fstree_usage(t, i) ? 1 : 2;
}

static uint64_t level_usage(const struct fstree *t, int i)
{
	return fstree_usage(t, t->v[i].parent);
}

/* Compares the ratios (usage / level usage) / (shares / level shares) of a and b. Returns -1 if the ratio of a is
 * lower, so that a is more under-served than b; 1 if the ratio of a is higher; 0 if the ratios are equal. */
static int need(const struct fstree *t, int a, int b)
{
	const int sa = standing(t, a), sb = standing(t, b);
	__extension__ unsigned __int128 x, y;

	if (sa != sb)
		return sa > sb ? -1 : 1;
	if (sa != 1)
		return 0;
	x = fstree_usage(t, a) * (uint64_t)fstree_level_shares(t, a);
	x *= level_usage(t, b) * t->v[b].shares;
	y = fstree_usage(t, b) * (uint64_t)fstree_level_shares(t, b);
	y *= level_usage(t, a) * t->v[a].shares;
	return (x > y) - (x < y);
}

/* ---- a plain walk through the tree, with which the results are compared */

struct walk {
	const struct fstree *t;
	uint32_t rank[FSTREE_MAX], next;
};

static void walk_level(struct walk *w, const bool *parents)
{
	bool left[FSTREE_MAX] = { false };

	for (int i = 1; i < (int)w->t->n; i++)
		left[i] = parents[w->t->v[i].parent];
	for (;;) {
		bool group[FSTREE_MAX] = { false };
		int best = -1;
		uint32_t users = 0;

		for (int i = 1; i < (int)w->t->n; i++)
			if (left[i] && (best < 0 || need(w->t, i, best) < 0))
				best = i;
		if (best < 0)
			return;
		for (int i = 1; i < (int)w->t->n; i++) {
			if (!left[i] || need(w->t, i, best))
				continue;
			left[i] = false;
			group[i] = !w->t->v[i].user;
			w->rank[i] = w->t->v[i].user ? w->next : 0;
			users += w->t->v[i].user;
		}
		w->next -= users;
		walk_level(w, group);
	}
}

static void flux_exact_equals_a_plain_walk(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int n = 0; n < TREES; n++) {
		const struct fs_share_row *row[FSTREE_MAX], *near[FSTREE_MAX];
		uint32_t order[FSTREE_MAX], users = 0;
		bool top[FSTREE_MAX] = { true };
		struct fstree t;
		struct walk w = { .t = &t };

		plain_tree(&t, &seed);
		fstree_identity(order, t.n);
		fst_shuffle(&seed, order, t.n);
		for (uint32_t i = 0; i < t.n; i++)
			users += t.v[i].user;
		w.next = users;
		walk_level(&w, top);

		fs_snapshot *m = fstree_snapshot(&t, order, "26.05.0");
		fs_shares *exact = compute(m, "flux_exact", 0), *flux = compute(m, "flux", 0);
		by_place(exact, row);
		by_place(flux, near);
		for (uint32_t i = 0; i < t.n; i++) {
			assert_int_equal(row[i]->rank, w.rank[i]);
			assert_same_double(row[i]->fairshare,
					   t.v[i].user ? (double)w.rank[i] / users : (double)NAN);
			/* the rounding of flux-accounting may add or remove equal ranks, but never reverses the order
			 * of two rows */
			for (uint32_t k = 0; k < t.n; k++)
				if (row[i]->rank > row[k]->rank)
					assert_true(near[i]->rank >= near[k]->rank);
		}
		fs_shares_free(flux);
		fs_shares_free(exact);
		fs_snapshot_free(m);
	}
}

/* ---- ranges ---- */

static bool below(const struct fstree *t, int i, int ancestor)
{
	while (i > 0 && i != ancestor)
		i = t->v[i].parent;
	return i == ancestor;
}

static void check_inside(const struct fstree *t, const struct fs_share_row **row)
{
	for (int i = 0; i < (int)t->n; i++) {
		const struct fs_share_row *r = row[i], *p = i ? row[t->v[i].parent] : r;

		assert_true(r->fairshare >= 0 && r->fairshare <= 1);
		assert_true(r->range.low >= p->range.low && r->range.high <= p->range.high &&
			    r->range.low <= r->range.high);
		assert_true(r->fairshare >= p->range.low && r->fairshare <= p->fairshare);
		assert_same_double(r->range.high, r->fairshare);
	}
}

static void check_siblings(const struct fstree *t, const struct fs_share_row **row, int a, int b)
{
	const int c = need(t, a, b);

	if (!c) {
		assert_same_double(row[a]->fairshare, row[b]->fairshare);
		assert_same_double(row[a]->range.low, row[b]->range.low);
		assert_int_equal(row[a]->range.tied, row[b]->range.tied);
		assert_true(row[a]->range.tied >= 2);
	} else if (c < 0) {
		assert_true(row[a]->fairshare >= row[b]->fairshare);
		assert_true(row[a]->range.low >= row[b]->range.high);
		for (int i = 1; i < (int)t->n; i++)
			if (below(t, i, a))
				assert_true(row[i]->fairshare >= row[b]->fairshare);
	}
}

static void ranges_fulfil_the_conditions_of_the_note(void **state)
{
	uint64_t seed = 12;

	(void)state;
	for (int n = 0; n < TREES; n++) {
		const struct fs_share_row *row[FSTREE_MAX], *flux[FSTREE_MAX];
		uint32_t order[FSTREE_MAX];
		struct fstree t;

		plain_tree(&t, &seed);
		fstree_identity(order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, "26.05.0");
		fs_shares *s = compute(m, "flux_range", (enum fs_position)(n % 3)), *ranks = compute(m, "flux", 0);

		by_place(s, row);
		by_place(ranks, flux);
		check_inside(&t, row);
		for (int a = 1; a < (int)t.n; a++)
			for (int b = 1; b < (int)t.n; b++) {
				if (a != b && t.v[a].parent == t.v[b].parent)
					check_siblings(&t, row, a, b);
				if (t.v[a].user && t.v[b].user && flux[a]->rank > flux[b]->rank)
					assert_true(row[a]->fairshare >= row[b]->fairshare);
			}
		fs_shares_free(ranks);
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

/* Computes the fair-share factors of a tree. Sets out[i] to the factor of row i of the tree. */
static void factors(const struct fstree *t, const uint32_t *order, const char *algorithm, enum fs_position position,
		    double *out)
{
	const struct fs_share_row *row[FSTREE_MAX];
	fs_snapshot *m = fstree_snapshot(t, order, "26.05.0");
	fs_shares *s = compute(m, algorithm, position);

	by_place(s, row);
	for (uint32_t i = 0; i < t->n; i++)
		out[i] = row[i]->fairshare;
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void order_of_records_and_scale_change_no_factor(void **state)
{
	static const char *const algorithms[] = { "flux", "flux_exact", "flux_range" };
	uint64_t seed = 13;

	(void)state;
	for (int n = 0; n < TREES; n++) {
		const char *algorithm = algorithms[n % 3];
		const enum fs_position position = (enum fs_position)(n / 3 % 3);
		double before[FSTREE_MAX], after[FSTREE_MAX];
		uint32_t order[FSTREE_MAX];
		struct fstree t;

		plain_tree(&t, &seed);
		fstree_identity(order, t.n);
		factors(&t, order, algorithm, position, before);
		fst_shuffle(&seed, order, t.n);
		const int level = (int)fst_below(&seed, t.n);
		for (uint32_t i = 0; i < t.n; i++) { /* a multiplication by 2 causes no rounding error */
			t.v[i].usage *= 2;
			t.v[i].shares *= t.v[i].parent == level ? 2 : 1;
			snprintf(t.v[i].name, sizeof(t.v[i].name), "%c%u", 'a' + (int)fst_below(&seed, 26), i);
		}
		strcpy(t.v[0].name, "root");
		factors(&t, order, algorithm, position, after);
		for (uint32_t i = 0; i < t.n; i++)
			assert_same_double(after[i], before[i]);
	}
}

/* More usage may raise a factor a little (the lower end of the user's range of factors rises), but the user overtakes
 * nobody. */
static void more_usage_never_moves_a_user_ahead(void **state)
{
	uint64_t seed = 14;

	(void)state;
	for (int n = 0; n < TREES; n++) {
		double before[FSTREE_MAX], after[FSTREE_MAX];
		uint32_t order[FSTREE_MAX], worse = 0, worse_now = 0, user;
		struct fstree t;

		plain_tree(&t, &seed);
		fstree_identity(order, t.n);
		user = fst_below(&seed, t.n);
		if (!t.v[user].user)
			continue;
		factors(&t, order, "flux_exact", 0, before);
		t.v[user].usage += 1 + fst_below(&seed, 5000);
		factors(&t, order, "flux_exact", 0, after);
		for (uint32_t i = 0; i < t.n; i++) {
			worse += t.v[i].user && before[i] < before[user];
			worse_now += t.v[i].user && after[i] < after[user];
		}
		assert_true(worse_now <= worse);
	}
}

/* A row with Slurm's `parent` shares has the factor of its first ancestor with shares of its own. Only users have
 * ranks. */
static void parent_shares_give_the_factor_of_the_parent(void **state)
{
	uint64_t seed = 15;

	(void)state;
	for (int n = 0; n < TREES; n++) {
		const struct fs_share_row *row[FSTREE_MAX];
		uint32_t order[FSTREE_MAX];
		struct fstree t;

		fstree_random(&t, &seed);
		fstree_identity(order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, "26.05.0");
		fs_shares *s = compute(m, "flux_range", (enum fs_position)(n % 3));

		by_place(s, row);
		check_inside(&t, row);
		for (int i = 1; i < (int)t.n; i++) {
			assert_true(!t.v[i].user == !row[i]->rank);
			if (t.v[i].use_parent)
				assert_same_double(row[i]->fairshare, row[fstree_fs_parent(&t, i)]->fairshare);
		}
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

/* ---- fs_explain on siblings */

static const struct fs_explain_level *last_level(const struct fs_explain_path *p)
{
	return &p->level[p->levels - 1];
}

/* Checks the positions of rows a and b among their siblings. The positions are the same exactly if the rows are equal.
 * Otherwise the row with the better position has the better rank. */
static void check_places(const struct fstree *t, fs_explain *x, const struct fs_share_row **row, int a, int b,
			 bool exact)
{
	struct fs_explain_path p, q;
	struct fs_explain_divergence d;
	const bool same_kind = t->v[a].user == t->v[b].user;

	assert_int_equal(fs_explain_path(x, row[a]->row, &p, NULL), 0);
	assert_int_equal(fs_explain_path(x, row[b]->row, &q, NULL), 0);
	const struct fs_explain_level *la = last_level(&p), *lb = last_level(&q);

	fs_explain_compare_paths(x, &p, &q, &d);
	assert_true(d.tied == (la->place == lb->place));
	if (exact) {
		assert_true((la->place == lb->place) == (same_kind && need(t, a, b) == 0));
		if (need(t, a, b) < 0)
			assert_true(la->place < lb->place);
		if (!same_kind && need(t, a, b) == 0)
			assert_true(la->other_kind_ties && lb->other_kind_ties &&
				    (la->place < lb->place) == t->v[a].user);
	}
	if (!t->v[a].user || !t->v[b].user)
		return;
	assert_true(d.first == (p.rank < q.rank) - (p.rank > q.rank));
	if (la->place == lb->place)
		assert_int_equal(p.rank, q.rank);
	else if (exact)
		assert_true(p.rank != q.rank && (la->place < lb->place) == (p.rank > q.rank));
}

static void check_level(fs_explain *x, uint32_t share_row)
{
	struct fs_explain_path p, q;
	uint32_t same = 0;

	assert_int_equal(fs_explain_path(x, share_row, &p, NULL), 0);
	const struct fs_explain_level *l = last_level(&p);

	for (uint32_t k = 0, before = 0; k < l->count; k++) {
		assert_int_equal(fs_explain_path(x, l->siblings[k], &q, NULL), 0);
		assert_true(last_level(&q)->place >= before);
		before = last_level(&q)->place;
		same += before == l->place;
	}
	assert_int_equal(same, l->tied + 1);
}

static void places_in_fs_explain_agree_with_the_ranking(void **state)
{
	static const char *const algorithms[] = { "flux", "flux_exact", "flux_range" };
	uint64_t seed = 31;
	size_t ties = 0;

	(void)state;
	for (int n = 0; n < 600; n++) {
		const struct fs_share_row *row[FSTREE_MAX];
		const char *algorithm = algorithms[n % 3];
		uint32_t order[FSTREE_MAX];
		struct fstree t;
		struct fs_error err;
		fs_explain *x;

		plain_tree(&t, &seed);
		fstree_identity(order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, "26.05.0");
		fs_shares *s = compute(m, algorithm, (enum fs_position)(n / 3 % 3));
		const struct fs_eval from = { .snapshot = m, .shares = s };

		fst_no_error(fs_explain_new(&x, &from, &err), &err);
		by_place(s, row);
		for (int a = 1; a < (int)t.n; a++) {
			check_level(x, row[a]->row);
			for (int b = 1; b < (int)t.n; b++)
				if (a != b && t.v[a].parent == t.v[b].parent) {
					check_places(&t, x, row, a, b, n % 3 != 0);
					ties += need(&t, a, b) == 0;
				}
		}
		fs_explain_free(x);
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
	assert_true(ties > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flux_exact_equals_a_plain_walk),
		cmocka_unit_test(ranges_fulfil_the_conditions_of_the_note),
		cmocka_unit_test(order_of_records_and_scale_change_no_factor),
		cmocka_unit_test(more_usage_never_moves_a_user_ahead),
		cmocka_unit_test(parent_shares_give_the_factor_of_the_parent),
		cmocka_unit_test(places_in_fs_explain_agree_with_the_ranking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
