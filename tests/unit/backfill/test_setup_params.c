/* backfill/setup: SchedulerParameters as the backfill scheduler reads them. Expected values are those of
 * slurm.conf(5). */
#include "fstest.h"

#include "plan/plan.h"

static struct fsi_sched_params of(const char *parameters, unsigned version)
{
	char text[1000];
	struct fsi_sched_params p;
	fs_snapshot *m;

	snprintf(text, sizeof(text), FST_HEAD REC("config", "'SchedulerParameters':'%s'"), parameters);
	m = fst_snapshot(text);
	fsi_sched_params_read(m, version, &p);
	fs_snapshot_free(m);
	return p;
}

static const unsigned v22 = FS_SLURM_VERSION(22, 5), v26 = FS_SLURM_VERSION(26, 11);

static void missing_parameters_have_their_defaults(void **state)
{
	const struct fsi_sched_params p = of("", v22);

	(void)state;
	assert_int_equal(p.window_s, 86400);
	assert_int_equal(p.resolution_s, 60);
	assert_int_equal(p.interval_s, 30);
	assert_int_equal(p.max_test, 500);
	/* the default of bf_node_space_size is the value of bf_max_job_test */
	assert_int_equal(p.node_space_size, 500);
	assert_int_equal(p.max_array_resv, 20);
	assert_int_equal(p.max_start | p.max_user | p.max_part | p.max_assoc | p.max_user_part, 0);
	assert_false(p.one_resv_per_job || p.assoc_limit_stop || p.busy_nodes || p.plans_licenses || p.running_reserve);
	assert_false(p.rules_24_11 || p.stops_beyond_window);
	assert_true(of("", v26).rules_24_11 && of("", v26).stops_beyond_window);
}

static void names_are_found_anywhere_in_any_case(void **state)
{
	const struct fsi_sched_params p = of("defer,BF_Window=2880,bf_max_job_test=7,bf_resolution=300", v22);

	(void)state;
	assert_int_equal(p.window_s, 2 * 86400);
	assert_int_equal(p.max_test, 7);
	assert_int_equal(p.node_space_size, 7);
	assert_int_equal(p.resolution_s, 300);
	/* a longer name that contains the parameter's name does not match */
	assert_int_equal(of("xbf_window=2880,bf_window_linear=60", v22).window_s, 86400);
	assert_int_equal(of("bf_window_linear=60", v22).window_growth_s, 60);
	assert_false(of("bf_busy_nodes_x", v22).busy_nodes);
}

static void a_value_out_of_range_means_the_default(void **state)
{
	static const struct {
		const char *given;
		int64_t window_s;
	} cases[] = { { "bf_window=43200", 43200 * 60 }, { "bf_window=43201", 86400 }, { "bf_window=1", 60 },
		      { "bf_window=0", 86400 },		 { "bf_window=-5", 86400 },    { "bf_window=", 86400 },
		      { "bf_window=9x", 86400 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(of(cases[i].given, v22).window_s, cases[i].window_s);
	assert_int_equal(of("bf_node_space_size=1,bf_max_job_test=9", v22).node_space_size, 9);
	assert_int_equal(of("bf_node_space_size=2,bf_max_job_test=9", v22).node_space_size, 2);
}

static void the_first_duplicate_wins_and_new_names_override_old_ones(void **state)
{
	(void)state;
	assert_int_equal(of("bf_max_job_test=5,bf_max_job_test=6", v22).max_test, 5);
	assert_int_equal(of("max_job_bf=5,bf_max_job_test=6", v22).max_test, 6);
	assert_int_equal(of("max_job_bf=5", v22).max_test, 5);
}

static void bf_licenses_implies_bf_running_job_reserve(void **state)
{
	(void)state;
	assert_true(of("bf_licenses", v22).plans_licenses && of("bf_licenses", v22).running_reserve);
	assert_true(of("bf_allow_magnetic_slot", FS_SLURM_VERSION(24, 11)).magnetic_slot);
	assert_false(of("bf_allow_magnetic_slot", FS_SLURM_RELEASE(24, 5, 8)).magnetic_slot);
	assert_true(of("bf_running_job_reserve", v22).running_reserve && !of("bf_running_job_reserve", v22).plans_licenses);
}

static void unmodelled_parameters_are_named_in_a_fixed_order(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD REC(
		"config", "'SchedulerParameters':'time_min_as_soft_limit,defer,bf_hetjob_immediate'"));

	(void)state;
	assert_string_equal(fsi_sched_params_find_unmodelled(m, 0), "bf_hetjob_immediate");
	assert_string_equal(fsi_sched_params_find_unmodelled(m, 1), "time_min_as_soft_limit");
	assert_null(fsi_sched_params_find_unmodelled(m, 2));
	fs_snapshot_free(m);
	m = fst_snapshot(FST_HEAD);
	assert_null(fsi_sched_params_find_unmodelled(m, 0));
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_parameters_have_their_defaults),
		cmocka_unit_test(names_are_found_anywhere_in_any_case),
		cmocka_unit_test(a_value_out_of_range_means_the_default),
		cmocka_unit_test(the_first_duplicate_wins_and_new_names_override_old_ones),
		cmocka_unit_test(bf_licenses_implies_bf_running_job_reserve),
		cmocka_unit_test(unmodelled_parameters_are_named_in_a_fixed_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
