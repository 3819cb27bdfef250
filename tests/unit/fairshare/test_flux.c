/* fairshare/flux.c on small trees; recorded trees are in tests/cases/flux. */
#include "fstest.h"

#define HEAD "{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'flux 0.88.0'}\n"
#define BANK(id, name, parent, shares) \
	REC("association", "'id':" #id ",'account':'" name "','parent':'" parent "','shares':" #shares ",'usage_tres_s':0")
#define ROOT REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")
#define USER(id, bank, name, shares, usage) \
	REC("association", "'id':" #id ",'account':'" bank "','user':'" name "','shares':" #shares \
			   ",'usage_tres_s':" #usage)
#define USER_WITH(id, bank, name, shares, usage, more) \
	REC("association", "'id':" #id ",'account':'" bank "','user':'" name "','shares':" #shares \
			   ",'usage_tres_s':" #usage "," more)

static double factor(const char *text, const char *algorithm, const char *account, const char *user)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_shares *s = fst_shares(m, algorithm);
	const double f = fst_row(s, account, user)->fairshare;

	fs_shares_free(s);
	fs_snapshot_free(m);
	return f;
}

static void flux_is_the_default_algorithm(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD ROOT USER(2, "root", "a", 1, 10));
	fs_shares *s = fst_shares(m, NULL);

	(void)state;
	assert_string_equal(fs_shares_algorithm(s), "flux");
	assert_false(fs_shares_has_ranges(s));
	assert_same_double(fst_row(s, "root", "a")->fairshare, 1.0);
	assert_same_double(fst_row(s, "root", "")->fairshare, NAN);
	assert_same_double(fst_row(s, "root", "a")->range.low, NAN);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

/* flux-accounting adds usage in an integer: the sum of three usages of 0.4 is 0, so all weights are 0, whatever the
 * shares. */
static void flux_truncates_sums_of_usage(void **state)
{
	static const char text[] = HEAD ROOT USER(2, "root", "a", 1, 0.4) USER(3, "root", "b", 2, 0.4)
		USER(4, "root", "c", 3, 0.4);

	(void)state;
	assert_same_double(factor(text, "flux", "root", "a"), 1.0);
	assert_same_double(factor(text, "flux", "root", "c"), 1.0);
	assert_same_double(factor(text, "flux_exact", "root", "c"), 1.0);
	assert_same_double(factor(text, "flux_exact", "root", "b"), 2 / 3.0);
	assert_same_double(factor(text, "flux_exact", "root", "a"), 1 / 3.0);
}

/* 3 shares for a usage of 1 and 18 shares for a usage of 6 are equal ratios, but flux-accounting computes them as
 * doubles, which differ by rounding. */
static void flux_loses_ties_to_rounding_and_flux_exact_does_not(void **state)
{
	static const char text[] = HEAD ROOT USER(2, "root", "a", 3, 1) USER(3, "root", "b", 18, 6)
		USER(4, "root", "c", 1, 4);

	(void)state;
	assert_true(factor(text, "flux", "root", "a") != factor(text, "flux", "root", "b"));
	assert_same_double(factor(text, "flux_exact", "root", "a"), 1.0);
	assert_same_double(factor(text, "flux_exact", "root", "b"), 1.0);
	assert_same_double(factor(text, "flux_exact", "root", "c"), 1 / 3.0);
}

/* A bank's own usage counts; the usage of inactive users does not. */
static void a_banks_own_usage_counts(void **state)
{
	static const char text[] = HEAD ROOT
		REC("association", "'id':2,'account':'a','parent':'root','shares':1,'usage_tres_s':10")
		BANK(3, "b", "root", 1) USER(4, "a", "u", 1, 30) USER_WITH(5, "a", "gone", 1, 100, "'active':false")
		USER(6, "b", "v", 1, 35);

	(void)state;
	assert_same_double(factor(text, "flux", "b", "v"), 1.0);
	assert_same_double(factor(text, "flux_exact", "b", "v"), 1.0);
	assert_same_double(factor(text, "flux_exact", "a", "u"), 0.5);
}

static void no_shares_rank_lowest_even_without_usage(void **state)
{
	static const char text[] = HEAD ROOT USER(2, "root", "none", 0, 0) USER(3, "root", "used", 1, 9)
		USER(4, "root", "idle", 1, 0);

	(void)state;
	assert_same_double(factor(text, "flux", "root", "idle"), 1.0);
	assert_same_double(factor(text, "flux", "root", "used"), 2 / 3.0);
	assert_same_double(factor(text, "flux", "root", "none"), 1 / 3.0);
	assert_same_double(factor(text, "flux_range", "root", "none"), 0.0);
	assert_same_double(factor(text, "flux_range", "root", "idle"), 1.0);
}

static void users_rank_before_banks_of_equal_weight(void **state)
{
	static const char text[] = HEAD ROOT BANK(2, "b", "root", 1) USER(3, "b", "in", 1, 10)
		USER(4, "root", "out", 1, 10);

	(void)state;
	assert_same_double(factor(text, "flux", "root", "out"), 1.0);
	assert_same_double(factor(text, "flux", "b", "in"), 0.5);
}

/* Rows that are inactive or marked as left out count neither as users nor as siblings. The usage of a bank does not
 * include the usage of such rows. */
static void inactive_and_left_out_rows_are_not_counted(void **state)
{
	static const char text[] = HEAD ROOT BANK(2, "a", "root", 1) USER(3, "a", "a1", 1, 10)
		USER_WITH(4, "a", "a2", 7, 90, "'active':false") BANK(5, "b", "root", 1) USER(6, "b", "b1", 1, 20)
		USER_WITH(7, "root", "beside", 1, 5, "'left_out':true");
	fs_snapshot *m = fst_snapshot(text);
	const char *const algorithms[] = { "flux", "flux_exact", "flux_range", "fair_tree", "classic" };

	(void)state;
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(*algorithms); i++) {
		fs_shares *s = fst_shares(m, algorithms[i]);

		assert_int_equal(fs_shares_users(s), 2);
		assert_true(fst_row(s, "a", "a1")->fairshare > fst_row(s, "b", "b1")->fairshare);
		assert_same_double(fst_row(s, "a", "a2")->fairshare, NAN);
		assert_same_double(fst_row(s, "root", "beside")->fairshare, NAN);
		assert_false(fst_row(s, "a", "a2")->counted);
		assert_false(fst_row(s, "a", "a2")->active);
		assert_true(fst_row(s, "root", "beside")->active);
		assert_same_double(fst_row(s, "a", "")->raw_usage, 10.0);
		assert_same_double(fst_row(s, "root", "")->raw_usage, 30.0);
		assert_same_double(fst_row(s, "a", "a1")->norm_shares, i == 4 ? 0.5 : 1.0);
		fs_shares_free(s);
	}
	fs_snapshot_free(m);
}

/* Reproduces the example in the design of flux_range. With the position 1 / (1 + x), where x is 1 / weight, the banks
 * have the factors 0.3, 0.5 and 0.8. */
static void the_ranges_of_the_notes_example_are_reproduced(void **state)
{
	fs_snapshot *m = fst_snapshot(HEAD ROOT BANK(2, "A", "root", 9) USER(3, "A", "a", 1, 21)
					      BANK(4, "B", "root", 10) USER(5, "B", "b", 1, 10)
						      BANK(6, "C", "root", 16) USER(7, "C", "c1", 1, 0)
							      USER(8, "C", "c2", 1, 4));
	const struct fs_view o = { .algorithm = "flux_range", .position = FS_POSITION_RATIO };
	struct fs_error err;
	fs_shares *s = NULL;

	(void)state;
	fst_no_error(fs_shares_compute(&s, m, &o, &err), &err);
	assert_same_double(fst_row(s, "A", "")->fairshare, 0.3);
	assert_same_double(fst_row(s, "A", "")->range.low, 0.0);
	assert_same_double(fst_row(s, "B", "")->fairshare, 0.5);
	assert_same_double(fst_row(s, "B", "")->range.low, 0.3);
	assert_same_double(fst_row(s, "C", "")->fairshare, 0.8);
	assert_same_double(fst_row(s, "C", "")->range.low, 0.5);
	assert_same_double(fst_row(s, "A", "a")->fairshare, 0.15);
	assert_same_double(fst_row(s, "C", "c1")->fairshare, 0.8);
	assert_same_double(fst_row(s, "C", "c2")->fairshare, 0.5 + (1 / 3.0) * (0.8 - 0.5));
	assert_same_double(fst_row(s, "root", "")->fairshare, 1.0);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

/* As doubles, 2^-95 and 2^-285 are lost when they are added to the lower end of the range. The users must still have
 * different ranks. */
static void equal_rounded_positions_keep_their_order(void **state)
{
	static const char text[] = HEAD ROOT BANK(2, "low", "root", 1) USER(3, "low", "u", 1, 5000)
		BANK(4, "high", "root", 1) USER(5, "high", "heavy", 1, 900) USER(6, "high", "heavier", 1, 1000)
			USER(7, "high", "idle", 2000, 0);
	fs_snapshot *m = fst_snapshot(text);
	fs_shares *s = fst_shares(m, "flux_range");
	const struct fs_share_row *a = fst_row(s, "high", "heavy"), *b = fst_row(s, "high", "heavier");

	(void)state;
	assert_same_double(a->fairshare, b->fairshare);
	assert_true(a->rank > b->rank);
	assert_int_equal(a->range.tied, 1);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void refuses(const char *text, const char *algorithm, const char *message)
{
	const struct fs_view o = { .algorithm = algorithm };
	fs_snapshot *m = fst_snapshot(text);
	struct fs_error err;
	fs_shares *s = NULL;

	assert_int_equal(fs_shares_compute(&s, m, &o, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, message));
	fs_snapshot_free(m);
}

static void missing_usage_shares_or_rows_are_named(void **state)
{
	static const char no_usage[] = HEAD ROOT REC("association", "'id':2,'account':'root','user':'a','shares':1");
	static const char no_shares[] = HEAD ROOT
		REC("association", "'id':2,'account':'root','user':'a','usage_tres_s':1");
	static const char hidden[] = "{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'flux',"
				     "'hidden':['association']}\n" REC("association", "'id':2,'account':'b','user':'a',"
				     "'shares':1,'usage_tres_s':1,'fairshare':0.25");

	(void)state;
	refuses(no_usage, "flux_range", "requires the usage of every account and user; association 2 (root a)");
	refuses(no_shares, "flux", "requires the shares of");
	refuses(hidden, "flux_exact", "requires the whole association tree");
	assert_same_double(factor(no_usage, NULL, "root", "a"), NAN);
	/* part of the tree is hidden, so the recorded factor is used */
	assert_same_double(factor(hidden, NULL, "b", "a"), 0.25);
}

/* Usage ranges from the smallest to nearly the largest double. */
static void sums_of_extreme_usage_stay_exact(void **state)
{
	static const char text[] = HEAD ROOT USER(2, "root", "a", 1, 5e-324) USER(3, "root", "b", 1, 1.7e308)
		USER(4, "root", "c", 1, 1.7e308) USER(5, "root", "d", 4294967295, 1e-300);

	(void)state;
	assert_same_double(factor(text, "flux_exact", "root", "a"), 1.0);
	assert_same_double(factor(text, "flux_exact", "root", "d"), 0.75);
	assert_same_double(factor(text, "flux_exact", "root", "b"), 0.5);
	assert_same_double(factor(text, "flux_exact", "root", "c"), 0.5);
	assert_true(factor(text, "flux_range", "root", "a") > 0.999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flux_is_the_default_algorithm),
		cmocka_unit_test(flux_truncates_sums_of_usage),
		cmocka_unit_test(flux_loses_ties_to_rounding_and_flux_exact_does_not),
		cmocka_unit_test(a_banks_own_usage_counts),
		cmocka_unit_test(no_shares_rank_lowest_even_without_usage),
		cmocka_unit_test(users_rank_before_banks_of_equal_weight),
		cmocka_unit_test(inactive_and_left_out_rows_are_not_counted),
		cmocka_unit_test(the_ranges_of_the_notes_example_are_reproduced),
		cmocka_unit_test(equal_rounded_positions_keep_their_order),
		cmocka_unit_test(missing_usage_shares_or_rows_are_named),
		cmocka_unit_test(sums_of_extreme_usage_stay_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
