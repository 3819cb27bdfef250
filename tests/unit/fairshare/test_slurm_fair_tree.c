/* fairshare/slurm: fair tree, small trees computed by hand. */
#include "fstree.h"

#define A(id, name, shares) IN(id, name, "root", shares)
#define IN(id, name, parent, shares) \
	REC("association", "'id':" #id ",'account':'" name "','parent':'" parent \
	"','shares':" shares ",'usage_tres_s':0")
#define U(id, account, name, shares, usage) \
	REC("association", "'id':" #id ",'account':'" account "','user':'" name \
	"','shares':" shares ",'usage_tres_s':" usage)
#define ROOT REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")

struct want {
	const char *account, *user;
	double norm_shares, effective_usage, level_fs;
	uint32_t rank;
};

/* Checks the rows; a user's factor is its rank divided by the number of users. */
static void expect(const char *text, const struct want *want, size_t n)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_shares *s = fst_shares(m, "fair_tree");
	const double users = fs_shares_users(s);

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fst_row(s, want[i].account, want[i].user);

		assert_near(r->norm_shares, want[i].norm_shares, 1e-15);
		assert_near(r->effective_usage, want[i].effective_usage, 1e-15);
		assert_near(r->level_fs, want[i].level_fs, 1e-12);
		assert_int_equal(r->rank, want[i].rank);
		assert_same_double(r->fairshare,
				   *want[i].user ? want[i].rank / users : (double)NAN);
	}
	fs_shares_free(s);
	fs_snapshot_free(m);
}

#define EXPECT(text, want) expect(text, want, sizeof(want) / sizeof(*want))

static void levels_and_ranks_of_two_accounts_are_computed(void **state)
{
	static const struct want want[] = {
		{ "a", "", .6, 40 / 60., .9, 0 },    { "a", "u1", .5, .25, 2, 2 },
		{ "a", "u2", .5, .75, .5 / .75, 1 }, { "b", "", .4, 20 / 60., 1.2, 0 },
		{ "b", "u3", 1, 1, 1, 3 },           { "root", "", 1 / 4294967294., 1, NAN, 0 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT A(2, "a", "60") A(3, "b", "40") U(4, "a", "u1", "1", "10")
		U(5, "a", "u2", "1", "30") U(6, "b", "u3", "1", "20"), want);
}

static void a_row_has_all_columns(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD ROOT A(2, "a", "60") U(4, "a", "u1", "7", "10.5")
		U(5, "a", "u2", "'parent'", "30"));
	fs_shares *s = fst_shares(m, NULL);
	const struct fs_share_row *r = fst_row(s, "a", "u1");

	(void)state;
	assert_string_equal(fs_shares_algorithm(s), "fair_tree");
	assert_true(fs_shares_has_levels(s));
	assert_int_equal(fs_shares_count(s), 4);
	assert_int_equal(fs_shares_users(s), 2);
	assert_int_equal(r->id, 4);
	assert_int_equal(r->depth, 2);
	assert_string_equal(r->parent, "a");
	assert_ptr_equal(fs_shares_row(s, r->row), r);
	assert_string_equal(fs_shares_row(s, r->parent_row)->account, "a");
	assert_int_equal(r->shares_kind, FS_SHARES_NUMBER);
	assert_int_equal(r->raw_shares, 7);
	assert_same_double(r->raw_usage, 10.5);
	assert_near(r->norm_usage, 10.5 / 40.5, 1e-16);
	assert_true(r->visible);
	assert_int_equal(fst_row(s, "a", "u2")->shares_kind, FS_SHARES_PARENT);
	r = fst_row(s, "root", "");
	assert_int_equal(r->shares_kind, FS_SHARES_UNSET);
	assert_int_equal(r->parent_row, UINT32_MAX);
	assert_same_double(r->raw_usage, 40.5);
	assert_same_double(r->norm_usage, NAN);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void equal_users_share_the_higher_rank(void **state)
{
	static const struct want want[] = {
		{ "root", "a", .2, .1, 2, 5 },  { "root", "b", .2, .1, 2, 5 },
		{ "root", "c", .2, .2, 1, 3 },  { "root", "d", .2, .2, 1, 3 },
		{ "root", "e", .2, .4, .5, 1 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT U(2, "root", "a", "3", "10") U(3, "root", "b", "3", "10")
		U(4, "root", "c", "3", "20") U(5, "root", "d", "3", "20")
		U(6, "root", "e", "3", "40"), want);
}

/* A user and an account tie. The user is ranked before the account, and the first user in the account gets the same
 * rank as the tied user. */
static void a_user_ties_with_an_account(void **state)
{
	static const struct want want[] = {
		{ "root", "z", .5, .5, 1, 3 },
		{ "a", "", .5, .5, 1, 0 },
		{ "a", "u1", .5, .2, 2.5, 3 },
		{ "a", "u2", .5, .8, .625, 1 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT A(2, "a", "1") U(3, "a", "u1", "1", "1")
		U(4, "a", "u2", "1", "4") U(5, "root", "z", "1", "5"), want);
}

static void a_tie_passes_down_through_several_accounts(void **state)
{
	static const struct want want[] = {
		{ "root", "z", .5, .5, 1, 3 },
		{ "b", "", 1, 1, 1, 0 },
		{ "b", "u1", .5, .2, 2.5, 3 },
		{ "b", "u2", .5, .8, .625, 1 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT A(2, "a", "1") IN(6, "b", "a", "1") U(3, "b", "u1", "1", "1")
		U(4, "b", "u2", "1", "4") U(5, "root", "z", "1", "5"), want);
}

/* Accounts x and y tie. The best-ranked user of y gets the rank of the worst-ranked user of x. */
static void tied_accounts_are_not_merged(void **state)
{
	static const struct want want[] = {
		{ "x", "", 0, .25, 0, 0 },      { "x", "x1", .5, .2, 2.5, 4 },
		{ "x", "x2", .5, .8, .625, 3 }, { "y", "", 0, .75, 0, 0 },
		{ "y", "y1", .5, .25, 2, 3 },   { "y", "y2", .5, .75, 2 / 3., 1 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT A(2, "x", "0") A(3, "y", "0") U(4, "x", "x1", "1", "1")
		U(5, "x", "x2", "1", "4") U(6, "y", "y1", "1", "3.75")
		U(7, "y", "y2", "1", "11.25"), want);
}

static void an_empty_account_passes_on_no_tie(void **state)
{
	static const struct want want[] = {
		{ "root", "z", .25, .5, .5, 2 },
		{ "e", "", .25, 0, INFINITY, 0 },
		{ "root", "y", .5, .5, 1, 3 },
		{ "root", "zz", 0, 0, 0, 1 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT A(2, "e", "1") U(3, "root", "z", "1", "5")
		U(4, "root", "y", "2", "5") U(5, "root", "zz", "0", "0"), want);
}

/* Users of a `parent` account compete with the account's siblings; the account's own usage does not count. */
static void a_parent_account_is_transparent(void **state)
{
	static const struct want want[] = {
		{ "p", "u1", .25, .25, 1, 2 },
		{ "p", "u2", .25, .125, 2, 3 },
		{ "a", "", .5, .625, .8, 0 },
		{ "a", "u3", 1, 1, 1, 1 },
		{ "p", "", 1 / 4294967294., .375, NAN, 0 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT A(2, "p", "'parent'") A(3, "a", "2")
		U(4, "p", "u1", "1", "10") U(5, "p", "u2", "1", "5") U(6, "a", "u3", "9", "25"),
		want);
}

static void a_parent_user_has_an_infinite_level(void **state)
{
	fs_snapshot *m =
		fst_snapshot(FST_HEAD ROOT A(2, "a", "3") A(3, "b", "1")
			U(4, "a", "u1", "'parent'", "10") U(5, "a", "u2", "1", "30")
			U(6, "a", "u3", "0", "0") U(7, "b", "u4", "1", "1"));
	fs_shares *s = fst_shares(m, "fair_tree");
	const struct fs_share_row *r = fst_row(s, "a", "u1");

	(void)state;
	assert_same_double(r->norm_shares, .75); /* normalized shares of account a */
	assert_same_double(r->effective_usage, .25);
	assert_same_double(r->level_fs, NAN); /* sshare prints no LevelFS for this row */
	assert_int_equal(r->rank, 3);
	assert_int_equal(fst_row(s, "b", "u4")->rank, 4);
	assert_same_double(fst_row(s, "a", "u2")->norm_shares, 1);
	assert_int_equal(fst_row(s, "a", "u2")->rank, 2);
	assert_int_equal(fst_row(s, "a", "u3")->rank, 1);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void zero_shares_give_level_zero(void **state)
{
	static const struct want want[] = {
		{ "root", "a", 0, 0, 0, 2 },
		{ "root", "b", 0, 1, 0, 2 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT U(2, "root", "a", "0", "0") U(3, "root", "b", "0", "5"), want);
}

static void zero_usage_gives_the_best_rank(void **state)
{
	static const struct want want[] = {
		{ "a", "", .75, 0, INFINITY, 0 },  { "a", "u1", .5, 0, INFINITY, 3 },
		{ "a", "u2", .5, 0, INFINITY, 3 }, { "b", "", .25, 0, INFINITY, 0 },
		{ "b", "u3", 1, 0, INFINITY, 3 },
	};

	(void)state;
	EXPECT(FST_HEAD ROOT A(2, "a", "3") A(3, "b", "1") U(4, "a", "u1", "1", "0")
		U(5, "a", "u2", "1", "0") U(6, "b", "u3", "1", "0"), want);
}

/* Shares 1 and 3 of 6 with usage 1 and 3: LevelFS is equal in double, but not in the 80 bits that Slurm uses. */
static void ties_are_decided_in_long_double(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD ROOT U(2, "root", "a", "1", "1")
		U(3, "root", "b", "3", "3") U(4, "root", "c", "2", "0"));
	fs_shares *s = fst_shares(m, "fair_tree");
	const long double a = 1 / 6. / (1 / 4.0L), b = 3 / 6. / (3 / 4.0L);

	(void)state;
	assert_true((double)a == (double)b);
	if (sizeof(long double) > sizeof(double))
		assert_true(a != b);
	assert_int_equal(fst_row(s, "root", "c")->rank, 3);
	assert_int_equal(fst_row(s, "root", "a")->rank, a >= b ? 2 : 1);
	assert_int_equal(fst_row(s, "root", "b")->rank, b >= a ? 2 : 1);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void a_tree_without_users_is_computed(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD ROOT);
	fs_shares *s = fst_shares(m, NULL);

	(void)state;
	assert_int_equal(fs_shares_users(s), 0);
	assert_same_double(fs_shares_row(s, 0)->fairshare, NAN);
	assert_same_double(fs_shares_row(s, 0)->effective_usage, 1);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void unknown_usage_gives_no_factor(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD ROOT A(2, "a", "1") U(3, "a", "u1", "1", "10")
		REC("association", "'id':4,'account':'a','user':'u2','shares':1"));
	fs_shares *s = fst_shares(m, NULL);
	const struct fs_share_row *r = fst_row(s, "a", "u2");

	(void)state;
	assert_same_double(r->raw_usage, NAN);
	assert_same_double(r->norm_usage, NAN);
	assert_same_double(r->effective_usage, NAN);
	assert_same_double(r->level_fs, NAN);
	assert_same_double(r->fairshare, NAN);
	assert_int_equal(r->rank, 0);
	assert_same_double(fst_row(s, "a", "")->raw_usage, NAN);
	assert_same_double(fst_row(s, "root", "")->raw_usage, NAN);
	assert_same_double(fst_row(s, "a", "u1")->raw_usage, 10);
	assert_same_double(fst_row(s, "a", "u1")->fairshare, NAN);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

/* If the shares of one sibling are unknown, the sum of the siblings' shares is unknown, too. */
static void unknown_shares_give_no_factor(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD ROOT A(2, "a", "1") U(3, "a", "u1", "1", "10")
		REC("association", "'id':4,'account':'a','user':'u2','usage_tres_s':1"));
	fs_shares *s = fst_shares(m, NULL);

	(void)state;
	assert_int_equal(fst_row(s, "a", "u2")->shares_kind, FS_SHARES_UNSET);
	assert_same_double(fst_row(s, "a", "u2")->norm_shares, NAN);
	assert_same_double(fst_row(s, "a", "u2")->fairshare, NAN);
	assert_same_double(fst_row(s, "a", "u1")->fairshare, NAN);
	assert_same_double(fst_row(s, "a", "u1")->norm_shares, NAN);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

#define PART_OF_A_TREE(recorded) \
	REC("snapshot", "'format':1,'time':1,'cluster':'c','scheduler':'slurm 26.05.0'," \
			"'hidden':['association']") \
	ROOT U(4, "gone", "u1", "1", "10") U(5, "gone", "u2", "1", "10") REC("recorded", recorded)

/* In an incomplete tree only the printed values are known. */
static void a_hidden_tree_uses_the_printed_values(void **state)
{
	fs_snapshot *m =
		fst_snapshot(PART_OF_A_TREE("'association':4,'factor':0.75,'level_fs':1.5"));
	fs_shares *s = fst_shares(m, NULL);

	(void)state;
	assert_same_double(fst_row(s, "gone", "u1")->fairshare, .75);
	assert_same_double(fst_row(s, "gone", "u1")->level_fs, 1.5);
	assert_same_double(fst_row(s, "gone", "u1")->norm_shares, NAN);
	assert_same_double(fst_row(s, "gone", "u2")->fairshare, NAN);
	assert_int_equal(fst_row(s, "gone", "u1")->rank, 0);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

/* A factor outside 0..1 is refused or ignored. */
static void a_printed_factor_is_a_fraction(void **state)
{
	static const char *const factors[] = { "4", "-0.5" };
	char text[1000];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fs_error err;
		fs_snapshot *m;

		snprintf(text, sizeof(text), PART_OF_A_TREE("'association':4,'factor':%s"),
			 factors[i]);
		char *bytes = fst_quoted(text);
		if (!fst_try_bytes(bytes, strlen(bytes), 0, &m, &err)) {
			fs_shares *s = fst_shares(m, NULL);

			assert_same_double(fst_row(s, "gone", "u1")->fairshare, NAN);
			fs_shares_free(s);
		}
		fs_snapshot_free(m);
		free(bytes);
	}
}

static void unknown_algorithms_and_empty_trees_are_errors(void **state)
{
	const struct fs_view nonsense = { .algorithm = "astrology" };
	fs_snapshot *m = fst_snapshot(FST_HEAD ROOT), *empty = fst_snapshot(FST_HEAD);
	struct fs_error err;
	fs_shares *s = NULL;

	(void)state;
	assert_int_equal(fs_shares_compute(&s, m, &nonsense, &err), FS_EUSAGE);
	assert_non_null(strstr(err.message, "unknown algorithm \"astrology\""));
	assert_int_equal(fs_shares_compute(&s, empty, NULL, &err), FS_ENODATA);
	assert_null(s);
	fs_shares_free(NULL);
	fs_snapshot_free(m);
	fs_snapshot_free(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_and_ranks_of_two_accounts_are_computed),
		cmocka_unit_test(a_row_has_all_columns),
		cmocka_unit_test(equal_users_share_the_higher_rank),
		cmocka_unit_test(a_user_ties_with_an_account),
		cmocka_unit_test(a_tie_passes_down_through_several_accounts),
		cmocka_unit_test(tied_accounts_are_not_merged),
		cmocka_unit_test(an_empty_account_passes_on_no_tie),
		cmocka_unit_test(a_parent_account_is_transparent),
		cmocka_unit_test(a_parent_user_has_an_infinite_level),
		cmocka_unit_test(zero_shares_give_level_zero),
		cmocka_unit_test(zero_usage_gives_the_best_rank),
		cmocka_unit_test(ties_are_decided_in_long_double),
		cmocka_unit_test(a_tree_without_users_is_computed),
		cmocka_unit_test(unknown_usage_gives_no_factor),
		cmocka_unit_test(unknown_shares_give_no_factor),
		cmocka_unit_test(a_hidden_tree_uses_the_printed_values),
		cmocka_unit_test(a_printed_factor_is_a_fraction),
		cmocka_unit_test(unknown_algorithms_and_empty_trees_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
