/* solve/solve.c: targets and usage of the current window, of a user who used 131.25 of 750 weighted seconds. */
#include "fsprio.h"

#include "fs/solve.h"

#define WINDOW(start, bob, ann) \
	REC("window", "'start':" #start ",'kind':'user','name':'bob','usage_s':" #bob) \
	REC("window", "'start':" #start ",'kind':'user','name':'ann','usage_s':" #ann) \
	REC("window", "'start':" #start ",'kind':'sched','usage_s':400")
#define SITE(policy, target) \
	"{'type':'snapshot','format':1,'time':1699920100,'cluster':'c','scheduler':'maui 3.5'}\n" \
	REC("config", "'FSPOLICY':'" policy "','FSINTERVAL':86400,'FSDEPTH':4,'FSDECAY':0.5,'RMPOLLINTERVAL':60") \
	REC("credential", "'kind':'user','name':'bob'" target) REC("credential", "'kind':'user','name':'ann'") \
	WINDOW(1699920000, 100, 300) WINDOW(1699833600, 50, 350) WINDOW(1699747200, 20, 380) WINDOW(1699660800, 10, 390)

static uint32_t row_of(const fs_snapshot *m, const char *user)
{
	struct fs_error err;
	fs_shares *s;
	uint32_t row = 0;

	fst_no_error(fs_shares_compute(&s, m, NULL, &err), &err);
	while (row < fs_shares_count(s) && strcmp(fs_shares_row(s, row)->user, user) != 0)
		row++;
	assert_true(row < fs_shares_count(s));
	fs_shares_free(s);
	return row;
}

typedef int (*solve_fn)(fs_snapshot *s, const struct fs_solve_options *options, struct fs_solution *out,
			struct fs_error *err);

static int solve(solve_fn fn, const char *site, double factor, struct fs_solution *out)
{
	struct fs_solve_options o = FS_SOLVE_OPTIONS_INIT;
	fs_snapshot *m = fst_snapshot(site);
	struct fs_error err;
	int rc;

	o.row = row_of(m, "bob");
	o.of = o.from = FS_NO_ROW;
	o.value = factor;
	rc = fn(m, &o, out, &err);
	fs_snapshot_free(m);
	return rc;
}

static void test_target(void **state)
{
	static const struct {
		const char *site;
		double factor, target; /* 0: out of reach */
		const char *command;
	} cases[] = {
		{ SITE("DEDICATEDPS", ",'target':20"), 5, 22.5, "USERCFG[bob] FSTARGET=22.50" },
		{ SITE("DEDICATEDPS", ",'target':20"), 5.001, 22.51, "USERCFG[bob] FSTARGET=22.51" },
		{ SITE("DEDICATEDPS", ""), 5, 22.5, "USERCFG[bob] FSTARGET=22.50" },
		{ SITE("DEDICATEDPS", ",'target':20,'target_mode':'floor'"), 5, 22.5, "USERCFG[bob] FSTARGET=22.50+" },
		{ SITE("DEDICATEDPS", ",'target':20,'target_mode':'ceiling'"), 1, 0, NULL },
		{ SITE("DEDICATEDPS%", ",'target':20"), 0.5, 35, "USERCFG[bob] FSTARGET=35.00" }, /* 1 - 17.5 / 35 */
		{ SITE("DEDICATEDPS", ",'target':20"), 90, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fs_solution s;

		assert_int_equal(solve(fs_solve_shares, cases[i].site, cases[i].factor, &s), 0);
		assert_int_equal(s.possible, cases[i].target > 0);
		if (!s.possible)
			continue;
		assert_near(s.amount[FS_SOLVE_THEN], cases[i].target, 1e-9);
		assert_string_equal(s.command[0], cases[i].command);
		assert_true(s.at[FS_SOLVE_THEN].fairshare >= cases[i].factor);
		assert_true(s.at[FS_SOLVE_SHORT].fairshare < cases[i].factor);
		assert_near(s.at[FS_SOLVE_THEN].effective_usage, 0.175, 1e-12);
	}
}

/* 20 - 100 * (31.25 + u) / (650 + u) is 3.05 with 95 seconds and 2.94 with 96; of all that others used 4.8 % are of
 * windows before. */
static void test_usage(void **state)
{
	const char *site = SITE("DEDICATEDPS", ",'target':20");
	struct fs_solution s;

	(void)state;
	assert_int_equal(solve(fs_solve_usage, site, 3, &s), 0);
	assert_true(s.possible && s.bounded && s.amount[FS_SOLVE_NOW] == 100 && s.amount[FS_SOLVE_THEN] == 95);
	assert_near(s.at[FS_SOLVE_THEN].fairshare, 20 - 100 * 126.25 / 745, 1e-9);
	assert_near(s.at[FS_SOLVE_SHORT].fairshare, 20 - 100 * 127.25 / 746, 1e-9);
	assert_int_equal(solve(fs_solve_usage, site, 16, &s), 0);
	assert_false(s.possible);
	assert_near(s.at[FS_SOLVE_THEN].fairshare, 20 - 100 * 31.25 / 650, 1e-9);
}

static int charge(fs_snapshot *m, const struct fs_solve_options *o, struct fs_solution *out, struct fs_error *err)
{
	return fs_solve_charge(m, o, 250, out, err);
}

static void test_charge(void **state)
{
	struct fs_solution s;

	(void)state;
	assert_int_equal(solve(charge, SITE("DEDICATEDPS", ",'target':20"), 0, &s), 0);
	assert_true(s.amount[FS_SOLVE_THEN] == 350);
	assert_near(s.at[FS_SOLVE_THEN].fairshare, 20 - 100 * 381.25 / 1000, 1e-9);
}

static void test_what_has_no_factor(void **state)
{
	struct fs_solution s;

	(void)state;
	assert_int_equal(solve(fs_solve_shares, SITE("NONE", ",'target':20"), 1, &s), FS_ENODATA);
	assert_int_equal(solve(fs_solve_shares, SITE("DEDICATEDPS", ",'target':20,'target_mode':'cap_rel'"), 1, &s), FS_EUSAGE);
	assert_int_equal(solve(fs_solve_usage, SITE("DEDICATEDPS", ""), 1, &s), FS_EUSAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_usage),
		cmocka_unit_test(test_charge),
		cmocka_unit_test(test_what_has_no_factor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
