/* fairshare/slurm: fair tree, properties of random trees, and agreement with a plain recursive computation. */
#include "fstree.h"

enum { TREES = FST_ROUNDS(4000) };

struct reference {
	const struct fstree *t;
	const fs_shares *s; /* shares that the library computed; only the order of their rows is used */
	long double level[FSTREE_MAX];
	uint32_t rank[FSTREE_MAX], users, last, next;
};

static double norm_shares(const struct fstree *t, int i)
{
	const int of = t->v[i].use_parent ? fstree_fs_parent(t, i) : i;
	const uint32_t level = of ? fstree_level_shares(t, of) : 4294967294u;

	return level ? (double)t->v[of].shares / level : 0;
}

static long double level(const struct fstree *t, int i)
{
	const long double parent = fstree_usage(t, fstree_fs_parent(t, i));
	const long double used = parent > 0 ? fstree_usage(t, i) / parent : 0;
	const double shares = norm_shares(t, i);

	if (t->v[i].use_parent)
		return t->v[i].user ? (long double)INFINITY : 4294967294.0L;
	return shares == 0 ? 0 : used == 0 ? (long double)INFINITY : shares / used;
}

/* Returns the best child of `parent` that is not done yet; -1 if all children are done. */
static int best(const struct reference *r, int parent, const bool *done)
{
	int found = -1;

	for (size_t row = 0; row < r->t->n; row++) {
		const int i = fstree_index(r->s, row);

		if (done[i] || fstree_fs_parent(r->t, i) != parent || !i)
			continue;
		if (found < 0 || r->level[i] > r->level[found] ||
		    (r->level[i] == r->level[found] && r->t->v[i].user && !r->t->v[found].user))
			found = i;
	}
	return found;
}

static void rank_list(struct reference *r, int parent, bool tied)
{
	bool done[FSTREE_MAX] = { false };
	long double previous = 4294967294.0L;
	int i;

	for (; (i = best(r, parent, done)) >= 0; tied = false) {
		done[i] = true;
		tied = tied || r->level[i] == previous;
		previous = r->level[i];
		if (!r->t->v[i].user) {
			rank_list(r, i, tied);
			continue;
		}
		r->last = tied ? r->last : r->next;
		r->rank[i] = r->last;
		r->next--;
	}
}

static struct reference reference(const struct fstree *t, const fs_shares *s)
{
	struct reference r = { .t = t, .s = s };

	for (uint32_t i = 0; i < t->n; i++)
		r.users += t->v[i].user;
	for (int i = 1; i < (int)t->n; i++)
		r.level[i] = level(t, i);
	r.last = r.next = r.users;
	rank_list(&r, 0, false);
	return r;
}

/* ---- properties that every tree must have */

static void agrees_with_reference(const struct fstree *t, const fs_shares *s)
{
	const struct reference r = reference(t, s);

	assert_int_equal(fs_shares_users(s), r.users);
	for (size_t row = 0; row < t->n; row++) {
		const struct fs_share_row *x = fs_shares_row(s, row);
		const int i = fstree_index(s, row);

		assert_int_equal(x->rank, r.rank[i]);
		assert_same_double(x->norm_shares, norm_shares(t, i));
		assert_same_double(x->raw_usage, (double)fstree_usage(t, i));
		assert_same_double(x->level_fs,
				   !i || t->v[i].use_parent ? (double)NAN : (double)r.level[i]);
	}
}

/* Checks that each rank is the number of users minus the number of users ahead. */
static void ranks_are_places(const fs_shares *s)
{
	const uint32_t users = fs_shares_users(s);
	uint32_t above[FSTREE_MAX + 1] = { 0 }, count[FSTREE_MAX + 1] = { 0 };

	for (size_t i = 0; i < fs_shares_count(s); i++) {
		const struct fs_share_row *r = fs_shares_row(s, i);

		if (!*r->user) {
			assert_int_equal(r->rank, 0);
			assert_same_double(r->fairshare, NAN);
			continue;
		}
		assert_in_range(r->rank, 1, users);
		assert_true(r->fairshare > 0 && r->fairshare <= 1);
		assert_same_double(r->fairshare, r->rank / (double)users);
		count[r->rank]++;
	}
	for (uint32_t r = users; r > 0; r--) {
		if (count[r])
			assert_int_equal(above[r], users - r);
		above[r - 1] = above[r] + count[r];
	}
}

/* Sets *low and *high to the lowest and highest rank of the users below row i, in the tree of fair-share parents.
 * Returns false if there are no users below row i. */
static bool rank_span(const struct fstree *t, const fs_shares *s, int i, uint32_t *low,
		      uint32_t *high)
{
	*low = UINT32_MAX;
	*high = 0;
	for (size_t row = 0; row < t->n; row++) {
		const uint32_t rank = fs_shares_row(s, row)->rank;
		int k = fstree_index(s, row);

		while (k > 0 && k != i)
			k = fstree_fs_parent(t, k);
		if (k != i || !rank)
			continue;
		*low = rank < *low ? rank : *low;
		*high = rank > *high ? rank : *high;
	}
	return *high > 0;
}

/* Checks that all users below the better of two siblings rank at least as high as all users below the other. */
static void better_level_never_ranks_lower(const struct fstree *t, const fs_shares *s)
{
	uint32_t low, high, other_low, other_high;

	for (int i = 1; i < (int)t->n; i++) {
		if (!rank_span(t, s, i, &low, &high))
			continue;
		for (int k = 1; k < (int)t->n; k++)
			if (fstree_fs_parent(t, i) == fstree_fs_parent(t, k) &&
			    level(t, i) > level(t, k) &&
			    rank_span(t, s, k, &other_low, &other_high))
				assert_true(low >= other_high);
	}
}

static void norm_shares_of_siblings_sum_to_one(const struct fstree *t, const fs_shares *s)
{
	double sum[FSTREE_MAX] = { 0 };
	bool any[FSTREE_MAX] = { false };

	for (size_t row = 0; row < t->n; row++) {
		const int i = fstree_index(s, row), p = fstree_fs_parent(t, i);

		if (i && !t->v[i].use_parent) {
			sum[p] += fs_shares_row(s, row)->norm_shares;
			any[p] = any[p] || t->v[i].shares;
		}
	}
	for (uint32_t p = 0; p < t->n; p++)
		assert_near(sum[p], any[p] ? 1 : 0, 1e-12);
}

static void random_trees_have_all_properties(void **state)
{
	uint64_t seed = 20240607;
	uint32_t order[FSTREE_MAX];
	struct fstree t;

	(void)state;
	for (int round = 0; round < TREES; round++) {
		fstree_random(&t, &seed);
		fstree_identity(order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, "24.05.1");
		fs_shares *s = fst_shares(m, "fair_tree");

		agrees_with_reference(&t, s);
		ranks_are_places(s);
		norm_shares_of_siblings_sum_to_one(&t, s);
		if (round % 10 == 0)
			better_level_never_ranks_lower(&t, s);
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

static void same_row(const struct fs_share_row *a, const struct fs_share_row *b)
{
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->rank, b->rank);
	assert_int_equal(a->parent_row, b->parent_row);
	assert_int_equal(a->depth, b->depth);
	assert_same_double(a->norm_shares, b->norm_shares);
	assert_same_double(a->raw_usage, b->raw_usage);
	assert_same_double(a->norm_usage, b->norm_usage);
	assert_same_double(a->effective_usage, b->effective_usage);
	assert_same_double(a->fairshare, b->fairshare);
	assert_same_double(a->level_fs, b->level_fs);
}

static void permuted_input_gives_the_same_rows(void **state)
{
	static const char *const algorithms[] = { "fair_tree", "classic", "depth_oblivious" };
	uint64_t seed = 99;
	uint32_t order[FSTREE_MAX];
	struct fstree t;

	(void)state;
	for (int round = 0; round < TREES / 2; round++) {
		fstree_random(&t, &seed);
		fstree_identity(order, t.n);
		fs_snapshot *m = fstree_snapshot(&t, order, "24.05.1");
		fst_shuffle(&seed, order, t.n);
		fs_snapshot *m2 = fstree_snapshot(&t, order, "24.05.1");
		fs_shares *s = fst_shares(m, algorithms[round % 3]),
			  *s2 = fst_shares(m2, algorithms[round % 3]);

		for (size_t i = 0; i < t.n; i++)
			same_row(fs_shares_row(s, i), fs_shares_row(s2, i));
		fs_shares_free(s);
		fs_shares_free(s2);
		fs_snapshot_free(m);
		fs_snapshot_free(m2);
	}
}

static void less_usage_never_ranks_lower(void **state)
{
	uint64_t seed = 5;
	uint32_t order[FSTREE_MAX];
	struct fstree t;

	(void)state;
	for (int round = 0; round < TREES / 4; round++) {
		uint32_t rank[2];
		uint32_t id;

		fstree_random(&t, &seed);
		id = fst_below(&seed, t.n);
		if (!t.v[id].user || !t.v[id].usage)
			continue;
		fstree_identity(order, t.n);
		for (int k = 0; k < 2; k++) {
			fs_snapshot *m = fstree_snapshot(&t, order, "24.05.1");
			fs_shares *s = fst_shares(m, "fair_tree");

			for (size_t i = 0; i < t.n; i++)
				if (fstree_index(s, i) == (int)id)
					rank[k] = fs_shares_row(s, i)->rank;
			fs_shares_free(s);
			fs_snapshot_free(m);
			t.v[id].usage = 0;
		}
		assert_true(rank[1] >= rank[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_trees_have_all_properties),
		cmocka_unit_test(permuted_input_gives_the_same_rows),
		cmocka_unit_test(less_usage_never_ranks_lower),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
