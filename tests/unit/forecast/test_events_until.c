/* forecast/events.c: the default end of a forecast depends on how usage decays. */
#include "fsprio.h"
#include "fs/forecast.h"

static int64_t until(const char *scheduler, const char *config)
{
	struct fst_sink text = { 0 };
	struct fs_error err;
	fs_snapshot *m;
	int64_t t = 0;

	fst_put(&text, "{'type':'snapshot','format':1,'time':1700000000,'priority_time':1699999900,'cluster':'c','scheduler':'%s'}\n{'type':'config',%s}\n"
		       "{'type':'tres','id':1,'name':'cpu'}\n{'type':'association','id':1,'account':'root','shares':1,'usage_tres_s':0}\n",
		scheduler, config);
	m = fst_snapshot(text.data);
	fst_no_error(fs_forecast_default_until(m, &t, &err), &err);
	fs_snapshot_free(m);
	fst_free(&text);
	return t - 1700000000;
}

static void a_forecast_covers_two_half_lives_14_days_or_all_windows(void **state)
{
	(void)state;
	assert_int_equal(until("slurm 22.05.8", "'PriorityDecayHalfLife':3600,'PriorityCalcPeriod':300"), 7200);
	assert_int_equal(until("slurm 22.05.8", "'PriorityDecayHalfLife':0,'PriorityCalcPeriod':300,'PriorityUsageResetPeriod':'MONTHLY'"), 14 * 86400);
	assert_int_equal(until("maui 3.5", "'FSPOLICY':'DEDICATEDPS','FSINTERVAL':400,'FSDEPTH':4"), 5 * 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_forecast_covers_two_half_lives_14_days_or_all_windows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
