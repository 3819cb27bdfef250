/* solve/: questions about random share trees. Each answer meets its goal, and an answer changed by one step misses it.
 * If a goal is reported as out of reach, none of the numbers that the test tries meets it. */
#include "fstree.h"

#include "fs/scenario.h"
#include "fs/solve.h"
#include "model/tables.h"

#include <math.h>

enum { TREES = 120, TRIES = 8 };

static const struct fs_share_row *pick(const fs_shares *s, uint64_t *seed)
{
	for (int i = 0; i < 40; i++) {
		const struct fs_share_row *r = fs_shares_row(s, fst_below(seed, (uint32_t)fs_shares_count(s)));

		if (*r->user && r->shares_kind == FS_SHARES_NUMBER && !isnan(r->fairshare) && r->raw_shares > 0)
			return r;
	}
	return NULL;
}

static fs_snapshot *draw(struct fstree *t, uint64_t seed)
{
	uint32_t order[FSTREE_MAX];
	uint64_t x = seed * 77 + 5;

	fstree_random(t, &x);
	for (uint32_t i = 0; i < t->n; i++)
		order[i] = i;
	return fstree_snapshot(t, order, "22.05.8");
}

static fs_shares *compute(const fs_snapshot *m, const char *algorithm)
{
	const struct fs_view v = { .algorithm = algorithm };
	struct fs_error err;
	fs_shares *s = NULL;

	fst_no_error(fs_shares_compute(&s, m, &v, &err), &err);
	return s;
}

static double now_of(const fs_snapshot *m, const char *algorithm, uint32_t row)
{
	fs_shares *s = compute(m, algorithm);
	const double v = fs_shares_row(s, row)->fairshare;

	fs_shares_free(s);
	return v;
}

static void check_answer(const struct fs_solution *x, double goal)
{
	if (!x->possible) {
		assert_true(x->at[FS_SOLVE_THEN].fairshare < goal);
		return;
	}
	assert_true(x->at[FS_SOLVE_THEN].fairshare >= goal);
	if (x->bounded)
		assert_true(x->at[FS_SOLVE_SHORT].fairshare < goal);
}

/* Solves one random question about shares, and checks the answer. Afterwards the snapshot has the shares of the
 * answer. */
static void one_shares(uint64_t seed, const char *algorithm)
{
	struct fstree t;
	fs_snapshot *m = draw(&t, seed);
	fs_shares *s = compute(m, algorithm);
	const struct fs_share_row *r = pick(s, &seed);
	struct fs_solve_options o = {
		.view = { .algorithm = algorithm }, .of = FS_NO_ROW, .from = FS_NO_ROW, .goal = FS_GOAL_FACTOR
	};
	struct fs_solution x;
	struct fs_error err;

	if (r) {
		o.row = r->row;
		o.value = (1 + fst_below(&seed, 99)) / 100.0;
		fst_no_error(fs_solve_shares(m, &o, &x, &err), &err);
		check_answer(&x, o.value);
		assert_same_double(now_of(m, algorithm, o.row), x.at[FS_SOLVE_THEN].fairshare);
		for (int i = 0; i < TRIES && !x.possible; i++) {
			char command[200];

			snprintf(command, sizeof(command), "sacctmgr modify user where name=%s account=%s set fairshare=%u", r->user, r->account,
				 1 + fst_below(&seed, 1000));
			fst_no_error(fs_snapshot_edit(m, command, NULL, &err), &err);
			assert_true(now_of(m, algorithm, o.row) < o.value);
		}
	}
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void one_usage(uint64_t seed, const char *algorithm)
{
	struct fstree t;
	fs_snapshot *m = draw(&t, seed);
	fs_shares *s = compute(m, algorithm);
	const struct fs_share_row *r = pick(s, &seed);
	struct fs_solve_options o = {
		.view = { .algorithm = algorithm }, .of = FS_NO_ROW, .from = FS_NO_ROW, .goal = FS_GOAL_FACTOR
	};
	struct fs_solution x;
	struct fs_error err;

	if (r) {
		o.row = r->row;
		o.value = (1 + fst_below(&seed, 99)) / 100.0;
		fst_no_error(fs_solve_usage(m, &o, &x, &err), &err);
		check_answer(&x, o.value);
		assert_same_double(now_of(m, algorithm, o.row), x.at[FS_SOLVE_THEN].fairshare);
		assert_true(!x.possible || x.amount[FS_SOLVE_THEN] >= 0);
	}
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void shares_meet_the_goal(void **state)
{
	static const char *const algorithms[] = { "fair_tree", "classic", "depth_oblivious" };

	(void)state;
	for (uint64_t i = 0; i < TREES; i++)
		one_shares(i, algorithms[i % 3]);
}

static void usage_meets_the_goal(void **state)
{
	static const char *const algorithms[] = { "fair_tree", "classic" };

	(void)state;
	for (uint64_t i = 0; i < TREES; i++)
		one_usage(i, algorithms[i % 2]);
}

/* ---- searches that are refused, and a charge of 0 */

#define SITE \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'}\n" \
	"{'type':'association','account':'root','id':1,'usage_tres_s':0}\n" \
	"{'type':'association','account':'a','id':2,'parent':'root','shares':3,'usage_tres_s':0}\n" \
	"{'type':'association','account':'a','id':3,'user':'u','shares':'parent','usage_tres_s':500}\n" \
	"{'type':'association','account':'b','id':4,'parent':'root','shares':1,'usage_tres_s':0}\n" \
	"{'type':'association','account':'b','id':5,'user':'v','shares':1,'usage_tres_s':700}\n"

static uint32_t row_of(const fs_snapshot *m, const char *account, const char *user)
{
	fs_shares *s = compute(m, NULL);
	uint32_t found = FS_NO_ROW;

	for (size_t i = 0; i < fs_shares_count(s); i++)
		if (!strcmp(fs_shares_row(s, i)->account, account) && !strcmp(fs_shares_row(s, i)->user, user))
			found = fs_shares_row(s, i)->row;
	fs_shares_free(s);
	return found;
}

static void questions_that_cannot_be_answered_are_refused(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_solve_options o = { .row = row_of(m, "a", "u"), .of = FS_NO_ROW, .from = FS_NO_ROW, .value = 0.5 };
	struct fs_solution x;
	struct fs_error err;

	(void)state;
	assert_int_equal(fs_solve_shares(m, &o, &x, &err), FS_EUSAGE);
	assert_non_null(strstr(err.message, "user u of account a has no shares of its own"));
	o.of = row_of(m, "root", "");
	assert_int_equal(fs_solve_shares(m, &o, &x, &err), FS_EUSAGE);
	o.of = row_of(m, "a", "");
	o.from = row_of(m, "b", "v");
	assert_int_equal(fs_solve_shares(m, &o, &x, &err), FS_EUSAGE);
	assert_non_null(strstr(err.message, "shares of account a can be taken only from its siblings, not from user v of account b"));
	o.from = 77;
	assert_int_equal(fs_solve_shares(m, &o, &x, &err), FS_EUSAGE);
	o = (struct fs_solve_options){ .row = row_of(m, "a", ""), .of = FS_NO_ROW, .from = FS_NO_ROW, .value = 0.5 };
	assert_int_equal(fs_solve_usage(m, &o, &x, &err), FS_EUSAGE);
	assert_non_null(strstr(err.message, "the fair-share factor of account a is unknown"));
	assert_int_equal(fs_solve_hardware(m, &o, 0, 5, &x, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "bills 0 per second; a positive rate is required"));
	assert_int_equal(fs_solve_hardware(m, &o, (double)NAN, 5, &x, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "the billing rate of the present hardware is unknown"));
	assert_int_equal(fs_solve_hardware(m, &o, 1, 1e12, &x, &err), FS_EUSAGE);
	fs_snapshot_free(m);
}

/* If the account may use less than its users have used, the usage of each user is reduced, but never below 0. */
static void a_lower_account_usage_leaves_no_negative_user_usage(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_solve_options o = { .row = row_of(m, "b", "v"), .of = row_of(m, "b", ""), .from = FS_NO_ROW, .value = 0.9 };
	struct fs_solution x;
	struct fs_error err;

	(void)state;
	fst_no_error(fs_solve_usage(m, &o, &x, &err), &err);
	assert_true(x.possible && x.amount[FS_SOLVE_THEN] < 700);
	for (size_t i = 0; i < m->association.n; i++)
		/* a snapshot with negative usage cannot be written */
		assert_true(m->association.v[i].usage_tres_s >= 0);
	assert_near(m->association.v[4].usage_tres_s, x.amount[FS_SOLVE_THEN], 1e-9);
	fs_snapshot_free(m);
}

static void charges_add_usage_and_hardware_moves_shares(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE);
	struct fs_solve_options o = { .row = row_of(m, "b", "v"), .of = FS_NO_ROW, .from = FS_NO_ROW };
	struct fs_solution x;
	struct fs_error err;

	(void)state;
	fst_no_error(fs_solve_charge(m, &o, 0, &x, &err), &err);
	assert_same_double(x.at[FS_SOLVE_NOW].raw_usage, x.at[FS_SOLVE_THEN].raw_usage);
	assert_same_double(x.at[FS_SOLVE_NOW].fairshare, x.at[FS_SOLVE_THEN].fairshare);
	fst_no_error(fs_solve_charge(m, &o, 250, &x, &err), &err);
	assert_near(x.at[FS_SOLVE_THEN].raw_usage, 950, 1e-9);
	o.row = row_of(m, "b", "");
	o.from = row_of(m, "a", "");
	fst_no_error(fs_solve_hardware(m, &o, 8, 4, &x, &err), &err);
	assert_near(x.amount[FS_SOLVE_THEN], 3, 0); /* half of the four shares move from a to b */
	assert_near(x.from[FS_SOLVE_THEN], 1, 0);
	assert_string_equal(x.command[0], "sacctmgr modify account where name=b set fairshare=3");
	assert_string_equal(x.command[1], "sacctmgr modify account where name=a set fairshare=1");
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_meet_the_goal),
		cmocka_unit_test(usage_meets_the_goal),
		cmocka_unit_test(questions_that_cannot_be_answered_are_refused),
		cmocka_unit_test(a_lower_account_usage_leaves_no_negative_user_usage),
		cmocka_unit_test(charges_add_usage_and_hardware_moves_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
