/* usage/: usage by TRES of whole subtrees, and run minutes of running jobs. */
#include "fstest.h"

#include "usage/usage.h"

#define TRES REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'")
#define ASSOC(fields) "{'type':'association'," fields "}\n"
/* association ids in the order of rows: 1 root, 2 account a, 3 user alice, 4 user bob */
#define TREE(root, a, alice, bob) FST_HEAD TRES ASSOC("'id':1,'account':'root'" root) \
	ASSOC("'id':2,'account':'a','parent':'root'" a) \
	ASSOC("'id':3,'account':'a','user':'alice'" alice) \
	ASSOC("'id':4,'account':'a','user':'bob'" bob)

static void expect_tres(const char *text, enum fs_share_tres which, size_t row, int n, int64_t cpu,
			int64_t mem)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_shares *s = fst_shares(m, NULL);
	struct fs_tres out[2] = { { "", -1 }, { "", -1 } };

	assert_int_equal(fs_shares_tres(s, row, which, out, 2), n);
	if (n == 2) {
		assert_string_equal(out[0].name, "cpu");
		assert_string_equal(out[1].name, "mem");
		assert_int_equal(out[0].amount, cpu);
		assert_int_equal(out[1].amount, mem);
	}
	fs_shares_free(s);
	fs_snapshot_free(m);
}

#define EXACT \
	TREE(",'usage_by_tres_s':{'cpu':1}", ",'usage_by_tres_s':{}", \
		",'usage_by_tres_s':{'cpu':59.5,'mem':120.5}", ",'usage_by_tres_s':{'cpu':119.5}")

static void exact_seconds_are_added_up_to_minutes(void **state)
{
	(void)state;
	expect_tres(EXACT, FS_SHARE_TRES_USAGE, 0, 2, 3, 2);
	expect_tres(EXACT, FS_SHARE_TRES_USAGE, 1, 2, 2, 2); /* 59.5 s + 119.5 s = 179 s */
	expect_tres(EXACT, FS_SHARE_TRES_USAGE, 2, 2, 0, 2);
}

static void recorded_minutes_are_used_unchanged(void **state)
{
	static const char text[] =
		TREE(",'usage_by_tres_min':{'cpu':9}", "", ",'usage_by_tres_min':{'mem':5}", "");

	(void)state;
	expect_tres(text, FS_SHARE_TRES_USAGE, 0, 2, 9, 0);
	expect_tres(text, FS_SHARE_TRES_USAGE, 1, FS_ENODATA, 0, 0);
	expect_tres(text, FS_SHARE_TRES_USAGE, 2, 2, 0, 5);
}

static void a_sum_with_an_unknown_is_unknown(void **state)
{
	static const char text[] = TREE(",'usage_by_tres_s':{}", ",'usage_by_tres_s':{}",
			",'usage_by_tres_s':{'cpu':60}", "");

	(void)state;
	expect_tres(text, FS_SHARE_TRES_USAGE, 2, 2, 1, 0);
	expect_tres(text, FS_SHARE_TRES_USAGE, 3, FS_ENODATA, 0, 0);
	expect_tres(text, FS_SHARE_TRES_USAGE, 1, FS_ENODATA, 0, 0);
	expect_tres(text, FS_SHARE_TRES_USAGE, 0, FS_ENODATA, 0, 0);
}

static void limits_list_only_what_is_set(void **state)
{
	static const char text[] = TREE("", ",'grp_tres_min':{'mem':7}",
			",'grp_tres_min':{'x':1}", ",'run_by_tres_min':{'mem':7}");

	(void)state;
	expect_tres(text, FS_SHARE_TRES_LIMIT, 0, 0, 0, 0);
	expect_tres(text, FS_SHARE_TRES_LIMIT, 1, 1, 0, 0);
	expect_tres(text, FS_SHARE_TRES_LIMIT, 2, 0, 0, 0);
	expect_tres(text, FS_SHARE_TRES_RUNNING, 3, 2, 0, 7);
	expect_tres(text, FS_SHARE_TRES_RUNNING, 0, FS_ENODATA, 0, 0);
}

static void no_more_tres_than_requested_are_written(void **state)
{
	static const enum fs_share_tres which[] = { FS_SHARE_TRES_LIMIT, FS_SHARE_TRES_USAGE,
						    FS_SHARE_TRES_RUNNING };
	fs_snapshot *m = fst_snapshot(TREE(",'grp_tres_min':{'cpu':1,'mem':1},'run_by_tres_min':{},"
			"'usage_by_tres_min':{}", "", "", ""));
	fs_shares *s = fst_shares(m, NULL);
	struct fs_tres out[2];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		out[1] = (struct fs_tres){ "untouched", 5 };
		assert_true(fs_shares_tres(s, 0, which[i], out, 1) >= 1);
		assert_string_equal(out[1].name, "untouched");
		assert_true(fs_shares_tres(s, 0, which[i], NULL, 0) >= 0);
	}
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void huge_usage_does_not_overflow(void **state)
{
	static const char text[] =
		TREE(",'usage_by_tres_s':{}", ",'usage_by_tres_s':{}",
			",'usage_by_tres_s':{'cpu':1e300}", ",'usage_by_tres_s':{'cpu':1e300}");
	fs_snapshot *m = fst_snapshot(text);
	fs_shares *s = fst_shares(m, NULL);
	struct fs_tres out[2] = { { "", 0 }, { "", 0 } };

	(void)state;
	if (fs_shares_tres(s, 0, FS_SHARE_TRES_USAGE, out, 2) == 2)
		assert_true(out[0].amount > 0);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void seconds_have_six_decimals(void **state)
{
	fs_snapshot *m = fst_snapshot(TREE(",'usage_by_tres_s':{}", ",'usage_by_tres_s':{}",
			",'usage_by_tres_s':{'cpu':1.0000004}",
			",'usage_by_tres_s':{'cpu':1.0000004}"));
	fs_shares *s = fst_shares(m, NULL);
	double out[2] = { 0, 0 };

	(void)state;
	assert_int_equal(fs_shares_tres_seconds(s, 1, FS_SHARE_TRES_USAGE, out, 2), 2);
	assert_same_double(out[0], 2.000001);
	assert_same_double(out[1], 0);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

/* Without exact usage, the seconds are those of the recorded whole minutes. */
static void minutes_are_used_if_seconds_are_unknown(void **state)
{
	fs_snapshot *m = fst_snapshot(TREE("", ",'usage_by_tres_min':{'cpu':3}", ",'usage_by_tres_min':{'cpu':1}",
			""));
	fs_shares *s = fst_shares(m, NULL);
	double out[2] = { 0, 0 };

	(void)state;
	assert_int_equal(fs_shares_tres_seconds(s, 1, FS_SHARE_TRES_USAGE, out, 2), 2);
	assert_same_double(out[0], 180);
	assert_same_double(out[1], 0);
	assert_int_equal(fs_shares_tres_seconds(s, 0, FS_SHARE_TRES_USAGE, out, 2), FS_ENODATA);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

/* The option totals_only leaves usage by TRES unknown, but gives the same totals. */
static void totals_are_equal_without_usage_by_tres(void **state)
{
	fs_snapshot *m = fst_snapshot(
		TREE(",'usage_tres_s':0,'usage_by_tres_s':{}", ",'usage_tres_s':0,'usage_by_tres_s':{}",
		     ",'usage_tres_s':5,'usage_by_tres_s':{'cpu':5}", ",'usage_tres_s':7,'usage_by_tres_s':{'cpu':7}")
		"{'type':'config','AccountingStorageEnforce':['limits'],'PriorityDecayHalfLife':1000,'PriorityCalcPeriod':60}\n"
		REC("partition", "'name':'p','billing_weights':'CPU=2'")
		REC("job", "'id':9,'state':'RUNNING','account':'a','user':'bob','association':4,'partitions':['p'],"
			   "'start_time':1699999900,'time_limit_s':90000,'tres_alloc':{'cpu':4}"));

	(void)state;
	for (int alone = 0; alone < 2; alone++) {
		const struct fs_usage_options o = { .at_set = true, .at = 1700005000, .totals_only = alone };
		struct fs_view view = { 0 };
		struct fs_error err;
		double out[2] = { 0, 0 };
		fs_usage *u = NULL;
		fs_shares *s = NULL;
		static double total;

		fst_no_error(fs_usage_begin(&u, m, &o, &err), &err);
		fst_no_error(fs_usage_finish(u, &err), &err);
		assert_true(fs_usage_total(u, 1) > 0);
		assert_true(!alone || fs_usage_total(u, 1) == total);
		total = fs_usage_total(u, 1);
		view.usage = u;
		fst_no_error(fs_shares_compute(&s, m, &view, &err), &err);
		assert_int_equal(fs_shares_tres_seconds(s, 1, FS_SHARE_TRES_USAGE, out, 2), alone ? FS_ENODATA : 2);
		fs_shares_free(s);
		fs_usage_free(u);
	}
	fs_snapshot_free(m);
}

#define RUNNING(id, user, fields) \
	REC("job", "'id':" #id ",'state':'RUNNING','account':'a','user':'" user \
	"','start_time':1699999000,'tres_alloc':{'cpu':4}," fields)
#define RUN(cpu) \
	TREE(",'run_by_tres_min':{}", ",'run_by_tres_min':{'cpu':" cpu "}", \
		",'run_by_tres_min':{}", ",'run_by_tres_min':{}") \
	REC("qos", "'name':'half','usage_factor':0.5") RUNNING(1, "alice", "'time_limit_s':1600") \
	RUNNING(2, "bob", "'time_limit_s':1600,'qos':['half']") \
	RUNNING(3, "bob", "'time_limit_s':900") RUNNING(4, "bob", "'time_limit_s':'unlimited'") \
	RUNNING(5, "stranger", "'time_limit_s':1600") \
	REC("association", "'id':5,'account':'b','parent':'root'") \
	REC("job", "'id':6,'state':'RUNNING','account':'b','user':'x','start_time':1699999000," \
		"'tres_alloc':{'cpu':4},'time_limit_s':1600,'association':6") \
	REC("association", "'id':6,'account':'b','user':'x'")

/* Jobs 1 and 2 have 600 of 1600 s left. With 4 CPUs each, and a usage factor of 0.5 for job 2, their remaining CPU
 * seconds are 4 * 600 + 4 * 600 / 2 = 3600. */
static void run_seconds_must_agree_with_the_recorded_minutes(void **state)
{
	fs_snapshot *m = fst_snapshot(RUN("60"));
	fs_shares *s = fst_shares(m, NULL);
	double out[2] = { 0, 0 };

	(void)state;
	assert_int_equal(fs_shares_tres_seconds(s, 1, FS_SHARE_TRES_RUNNING, out, 2), 2);
	assert_same_double(out[0], 3600);
	fs_shares_free(s);
	fs_snapshot_free(m);
	m = fst_snapshot(RUN("61"));
	s = fst_shares(m, NULL);
	assert_int_equal(fs_shares_tres_seconds(s, 1, FS_SHARE_TRES_RUNNING, out, 2), FS_ENODATA);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void run_seconds_beyond_64_bits_are_unknown(void **state)
{
	fs_snapshot *m = fst_snapshot(TREE(",'run_by_tres_min':{}", ",'run_by_tres_min':{'cpu':0}", ",'run_by_tres_min':{}", ",'run_by_tres_min':{}")
		REC("job", "'id':1,'state':'RUNNING','account':'a','user':'alice','start_time':1699999000,"
			   "'tres_alloc':{'cpu':9007199254740992},'time_limit_s':4000000000000"));
	fs_shares *s = fst_shares(m, NULL);
	double out[2] = { 0, 0 };

	(void)state;
	assert_int_equal(fs_shares_tres_seconds(s, 1, FS_SHARE_TRES_RUNNING, out, 2), FS_ENODATA);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void wall_seconds_add_up_to_minutes(void **state)
{
	fs_snapshot *m = fst_snapshot(TREE(",'usage_wall_s':60", ",'usage_wall_s':30", ",'usage_wall_s':90", ",'usage_wall_min':2"));

	(void)state;
	assert_same_double(fsi_usage_wall_min(m, NULL, 2), 1.5);
	assert_same_double(fsi_usage_wall_min(m, NULL, 3), 2);
	assert_true(isnan(fsi_usage_wall_min(m, NULL, 1))); /* the wall time of user bob in seconds is unknown */
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wall_seconds_add_up_to_minutes),
		cmocka_unit_test(exact_seconds_are_added_up_to_minutes),
		cmocka_unit_test(recorded_minutes_are_used_unchanged),
		cmocka_unit_test(a_sum_with_an_unknown_is_unknown),
		cmocka_unit_test(limits_list_only_what_is_set),
		cmocka_unit_test(no_more_tres_than_requested_are_written),
		cmocka_unit_test(huge_usage_does_not_overflow),
		cmocka_unit_test(seconds_have_six_decimals),
		cmocka_unit_test(minutes_are_used_if_seconds_are_unknown),
		cmocka_unit_test(totals_are_equal_without_usage_by_tres),
		cmocka_unit_test(run_seconds_must_agree_with_the_recorded_minutes),
		cmocka_unit_test(run_seconds_beyond_64_bits_are_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
