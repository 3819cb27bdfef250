/* priority/verify: compares the scheduler's printed values with computed ones. */
#include "fsprio.h"

#define WEIGHTS \
	CONFIG("'PriorityWeightAge':1000,'PriorityMaxAge':1000,'PriorityWeightFairShare':2000")
/* u has half of the shares and a quarter of the usage, the best ratio of the two users */
#define SHARE(fields) REC("recorded", "'association':2," fields)
#define PRIO(fields) REC("recorded", "'job':1,'partition':'p'," fields)
#define WAITING \
	JOB(1, \
		"'accrue_time':1699999500,'association':2,'partitions':['p'],'nice':5," \
		"'site_factor':0")

static void note(void *ctx, const char *sentence)
{
	fst_put(ctx, "%s\n", sentence);
}

/* Checks the counts of the column `name`. The counts of a column that is missing in the result are 0. `notes`: text
 * that the notes must contain. */
static void expect(const char *text, const char *name, size_t compared, size_t differ,
		   size_t unknown, const char *notes)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_verify_result r;
	struct fs_verify_column c = { "", 0, 0, 0 };
	struct fst_sink s = { 0 };
	struct fs_error err;

	fst_put(&s, "%s", "");
	fst_no_error(fs_snapshot_verify(m, note, &s, &r, &err), &err);
	assert_in_range(r.columns, 0, FS_VERIFY_MAX);
	for (size_t i = 0; i < r.columns; i++)
		if (!strcmp(r.column[i].name, name))
			c = r.column[i];
	assert_int_equal(c.compared, compared);
	assert_int_equal(c.differ, differ);
	assert_int_equal(c.unknown, unknown);
	assert_non_null(strstr(s.data, notes));
	if (!*notes)
		assert_string_equal(s.data, "");
	fst_free(&s);
	fs_snapshot_free(m);
}

#define TREE HEADER CLUSTER WEIGHTS

static void printed_shares_agree_with_computed_ones(void **state)
{
	static const char text[] = TREE
		SHARE("'norm_shares':0.5,'raw_usage':10,'norm_usage':0.25,"
			"'effective_usage':0.25,'factor':1,'level_fs':2");
	static const char *const names[] = { "norm_shares",     "raw_usage", "norm_usage",
					     "effective_usage", "factor",    "level_fs" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		expect(text, names[i], 1, 0, 0, "");
	expect(text, "priority", 0, 0, 0, "");
}

static void rounding_of_the_last_digit_is_not_a_difference(void **state)
{
	(void)state;
	expect(TREE SHARE("'norm_usage':0.2500004"), "norm_usage", 1, 0, 0, "");
	expect(TREE SHARE("'norm_usage':0.2500006"), "norm_usage", 1, 1, 0,
	       "association 2 (root u): norm_usage: printed 0.2500006, computed 0.25");
	expect(TREE SHARE("'raw_usage':9"), "raw_usage", 1, 1, 0, "printed 9, computed 10");
	expect(TREE SHARE("'factor':0.5"), "factor", 1, 1, 0, "factor: printed 0.5, computed 1");
	expect(TREE REC("recorded", "'association':77,'factor':0.5"), "factor", 0, 0, 0, "");
}

static void missing_digits_of_usage_widen_the_tolerance(void **state)
{
	static const char head[] =
		REC("snapshot",
			"'format':1,'time':1700000030,'cluster':'c',"
			"'scheduler':'slurm 26.05.0','usage_source':'sshare'");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", head, CLUSTER WEIGHTS SHARE("'norm_usage':0.26"));
	expect(text, "norm_usage", 1, 0, 0, "");
	snprintf(text, sizeof(text), "%s%s", head, CLUSTER WEIGHTS SHARE("'norm_usage':0.4"));
	expect(text, "norm_usage", 1, 1, 0, "printed 0.4");
}

/* The start of the controller gives the time of the last calculation with an error of up to 3 s. Job 9 ended 2 s after
 * the assumed time, so it was possibly charged for these 2 s on 10 CPUs. User u has 30 of 60 TRES seconds with this
 * charge, and 10 of 40 without it. */
static void an_inexact_calculation_time_widens_the_tolerance(void **state)
{
#define STARTED \
	REC("snapshot", "'format':1,'time':1700000030,'priority_time':1700000000,'priority_time_from':'start','cluster':'c'," \
			"'scheduler':'slurm 26.05.0','usage_source':'exact'") \
	TRES NODES PARTITIONS QOS \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':30") \
	REC("association", "'id':3,'account':'root','user':'v','shares':1,'usage_tres_s':30") \
	CONFIG("'PriorityWeightFairShare':2000,'PriorityCalcPeriod':300,'PriorityDecayHalfLife':0,'AccountingStorageEnforce':['limits']") \
	REC("job", "'id':9,'state':'COMPLETED','user':'u','account':'root','association':2,'partitions':['p']," \
		   "'start_time':1699999000,'end_time':1700000002,'tres_alloc':{'cpu':10}")
	static const char told[] = "ended around that time is uncertain by 20.00 TRES seconds";

	(void)state;
	expect(STARTED SHARE("'norm_usage':0.25"), "norm_usage", 1, 0, 0, told);
	expect(STARTED SHARE("'norm_usage':0.5"), "norm_usage", 1, 0, 0, told);
	expect(STARTED SHARE("'norm_usage':0.001"), "norm_usage", 1, 0, 0, told);
	expect(STARTED SHARE("'norm_usage':1.26"), "norm_usage", 1, 1, 0, told);
}

static void values_that_cannot_be_computed_are_unknown(void **state)
{
	static const char no_usage[] =
		HEADER WEIGHTS REC("association", "'id':1,'account':'root','shares':1")
		REC("association", "'id':2,'account':'root','user':'u','shares':1")
		SHARE("'factor':1,'norm_shares':1");

	(void)state;
	expect(no_usage, "factor", 0, 0, 1, "");
	expect(no_usage, "norm_shares", 1, 0, 0, "");
}

/* The priority is age 500 + fair share 2000 - nice 5. */
static void printed_priorities_agree_with_computed_ones(void **state)
{
	static const char text[] =
		TREE WAITING
		PRIO("'priority':2495,'age':500,'fairshare':2000,'nice':5,'site':0,"
			"'norm_age':0.5,'norm_fairshare':1,'jobsize':0");
	static const char *const names[] = { "priority", "age",      "fairshare", "nice",
					     "site",     "norm_age", "jobsize",   "listed" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		expect(text, names[i], 1, 0, 0, "");
}

static void deviating_priorities_are_reported(void **state)
{
	(void)state;
	expect(TREE WAITING PRIO("'priority':2493"), "priority", 1, 1, 0,
	       "job 1 (p): priority: printed 2493, computed 2495");
	expect(TREE WAITING PRIO("'age':499"), "age", 1, 1, 0, "age: printed 499, computed 500");
	expect(TREE WAITING PRIO("'age':533"), "age", 1, 1, 0, "age: printed 533, computed 500");
	expect(TREE WAITING PRIO("'nice':-5"), "nice", 1, 1, 0, "printed -5, computed 5");
}

/* 30 s after the calculation, the age has added at most one point per second. This holds after any update of the job,
 * even a refused update. */
static void updates_of_a_job_recompute_its_priority_even_if_refused(void **state)
{
	(void)state;
	expect(TREE WAITING PRIO("'priority':2520,'age':525,'norm_age':0.525"), "priority", 1, 0, 0, "");
	expect(TREE WAITING PRIO("'priority':2520,'age':525,'norm_age':0.525"), "age", 1, 0, 0, "");
	expect(TREE WAITING PRIO("'priority':2520,'age':525,'norm_age':0.525"), "norm_age", 1, 0, 0, "");
	expect(TREE WAITING PRIO("'priority':2520"), "priority", 1, 0, 0, "");
	expect(TREE WAITING PRIO("'priority':2525"), "priority", 1, 0, 0, "");
	expect(TREE WAITING PRIO("'priority':2528"), "priority", 1, 1, 0, "printed 2528, computed 2495");
	expect(TREE WAITING PRIO("'priority':2540,'age':525"), "priority", 1, 1, 0, "priority: printed 2540, computed 2520");
	expect(TREE WAITING PRIO("'norm_age':0.54"), "norm_age", 1, 1, 0, "printed 0.54, computed 0.5");
}

/* 113 s of 1200 are printed as 0.0941667, which is slightly more; 282.5 of 3000 points are printed as 282. */
static void rounding_of_printed_points_is_not_an_update(void **state)
{
	static const char text[] = HEADER CLUSTER CONFIG("'PriorityWeightAge':3000,'PriorityMaxAge':1200")
		JOB(1, "'accrue_time':1699999887,'association':2,'partitions':['p']")
		PRIO("'age':282,'norm_age':0.0941667");

	(void)state;
	expect(text, "age", 1, 0, 0, "");
	expect(text, "norm_age", 1, 0, 0, "");
}

static void jobs_on_only_one_side_are_reported(void **state)
{
	(void)state;
	expect(TREE WAITING REC("recorded", "'job':9,'partition':'p'"), "listed", 2, 2, 0,
	       "job 9 (p): only the scheduler lists a priority\n"
	       "job 1 (p): only fs-tools lists a priority");
	expect(TREE WAITING REC("recorded", "'job':1,'partition':'q'"), "listed", 2, 2, 0,
	       "job 1 (q)");
	expect(TREE WAITING, "listed", 0, 0, 0, "");
}

static void tres_points_are_compared_as_one_column(void **state)
{
#define WEIGHED HEADER CLUSTER CONFIG("'PriorityWeightTRES':'cpu=100,mem=10'") \
	/* the priority of job 1 has 10 points for cpu and 5 for mem */ \
	JOB(1, "'partitions':['p'],'tres_req':{'cpu':64,'mem':500}")

	(void)state;
	expect(WEIGHED PRIO("'tres':{'cpu':10,'mem':5}"), "tres", 1, 0, 0, "");
	expect(WEIGHED PRIO("'tres':{'cpu':10}"), "tres", 1, 1, 0,
	       "tres/mem: printed 0, computed 5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printed_shares_agree_with_computed_ones),
		cmocka_unit_test(rounding_of_the_last_digit_is_not_a_difference),
		cmocka_unit_test(missing_digits_of_usage_widen_the_tolerance),
		cmocka_unit_test(an_inexact_calculation_time_widens_the_tolerance),
		cmocka_unit_test(values_that_cannot_be_computed_are_unknown),
		cmocka_unit_test(printed_priorities_agree_with_computed_ones),
		cmocka_unit_test(deviating_priorities_are_reported),
		cmocka_unit_test(updates_of_a_job_recompute_its_priority_even_if_refused),
		cmocka_unit_test(rounding_of_printed_points_is_not_an_update),
		cmocka_unit_test(jobs_on_only_one_side_are_reported),
		cmocka_unit_test(tres_points_are_compared_as_one_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
