/* solve/solve.c: while nothing runs a factor moves as windows end, and while jobs run with each iteration, as a
 * clock that is stepped from one to the next shows. */
#include "fsprio.h"

#include "fs/solve.h"

#include <inttypes.h>

enum { BEGAN = 1699920400, POLL = 10, INTERVAL = 400 };

#define WINDOW(start, bob, ann) \
	REC("window", "'start':" #start ",'kind':'user','name':'bob','usage_s':" #bob) \
	REC("window", "'start':" #start ",'kind':'user','name':'ann','usage_s':" #ann) \
	REC("window", "'start':" #start ",'kind':'sched','usage_s':400")
#define WINDOWS                                                     \
	WINDOW(1699920000, 100, 300) WINDOW(1699919600, 50, 350) \
	WINDOW(1699919200, 20, 380) WINDOW(1699918800, 10, 390)
/* ann runs on one processor from now on, to the limit. */
#define RUNS(limit) \
	REC("job", "'id':1,'name':'1','state':'RUNNING','user':'ann','submit_time':1699920000,'start_time':1699920400," \
		   "'time_limit_s':" #limit ",'cpus':1")

static char *site(int64_t time, const char *more)
{
	struct fst_sink s = { 0 };

	fst_put(&s, "{'type':'snapshot','format':1,'time':%" PRId64 ",'cluster':'c','scheduler':'maui 3.5'}\n", time);
	fst_put(&s, "%s", REC("config", "'FSPOLICY':'DEDICATEDPS','FSINTERVAL':400,'FSDEPTH':4,'FSDECAY':0.5,'RMPOLLINTERVAL':10")
			  REC("credential", "'kind':'user','name':'bob','target':15") REC("credential", "'kind':'user','name':'ann'")
			  WINDOWS);
	fst_put(&s, "%s", more);
	return s.data;
}

static uint32_t row_of(const fs_snapshot *m, double *factor)
{
	struct fs_error err;
	fs_shares *s;
	uint32_t row = 0;

	fst_no_error(fs_shares_compute(&s, m, NULL, &err), &err);
	while (strcmp(fs_shares_row(s, row)->user, "bob") != 0)
		row++;
	*factor = fs_shares_row(s, row)->fairshare;
	fs_shares_free(s);
	return row;
}

static struct fs_solve_time solve(const char *more, double value, enum fs_assumption a)
{
	struct fs_solve_options o = FS_SOLVE_OPTIONS_INIT;
	char *text = site(BEGAN, more);
	fs_snapshot *m = fst_snapshot(text);
	struct fs_solve_time t;
	struct fs_error err;
	double now;

	o.row = row_of(m, &now);
	o.of = o.from = FS_NO_ROW;
	o.value = value;
	fst_no_error(fs_solve_window_time(m, &o, a, &t, &err), &err);
	fs_snapshot_free(m);
	free(text);
	return t;
}

/* 17.50 % of what is there, 18.57, 20.83, 25.00, then nothing is left: a target of 15 is missed until then. */
static void test_nothing_runs(void **state)
{
	struct fs_solve_time t = solve("", 0, FS_ASSUME_IDLE);

	(void)state;
	assert_false(t.never);
	assert_int_equal(t.time, BEGAN + POLL + 3 * INTERVAL);
	assert_near(t.before, -10, 1e-9);
	assert_near(t.after, 0, 1e-12);
	t = solve("", 1, FS_ASSUME_IDLE);
	assert_true(t.never && t.time == FS_UNKNOWN);
}

static double factor_at(int64_t time, const char *more)
{
	char *text = site(time, more);
	fs_snapshot *m = fst_snapshot(text);
	double f;

	row_of(m, &f);
	fs_snapshot_free(m);
	free(text);
	return f;
}

/* Within the window that begins now the records tell all: the clock is stepped there. At its end 8.67 % are left. */
static void test_the_same_as_stepping(void **state)
{
	(void)state;
	for (double value = -3; value < 6.3; value += 0.31) {
		const struct fs_solve_time t = solve(RUNS(100000), value, FS_ASSUME_AS_NOW);
		int64_t at = BEGAN + POLL;

		while (factor_at(at, RUNS(100000)) < value)
			at += POLL;
		assert_int_equal(t.time, at);
		assert_near(t.after, factor_at(at, RUNS(100000)), 1e-9);
		assert_near(t.before, factor_at(at - POLL, RUNS(100000)), 1e-9);
	}
}

/* 8.67, 4.17, 1.67 and 0 % while ann goes on; of four windows nothing of bob's is left. */
static void test_others_go_on(void **state)
{
	struct fs_solve_time t = solve(RUNS(100000), 15, FS_ASSUME_AS_NOW);

	(void)state;
	assert_int_equal(t.time, BEGAN + POLL + 3 * INTERVAL);
	assert_near(t.after, 15, 1e-12);
	/* Once she ends, after 200 of 400 seconds, windows are forgotten as when nothing runs. */
	t = solve(RUNS(200), 14.9, FS_ASSUME_RUNNING);
	assert_int_equal(t.time, BEGAN + POLL + 3 * INTERVAL);
	t = solve(RUNS(200), 15, FS_ASSUME_AS_NOW);
	assert_int_equal(t.time, BEGAN + POLL + 3 * INTERVAL);
	assert_true(solve(RUNS(200), 15.1, FS_ASSUME_RUNNING).never);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_runs),
		cmocka_unit_test(test_the_same_as_stepping),
		cmocka_unit_test(test_others_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
