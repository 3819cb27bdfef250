/* The two models of usage decay, compared with the arithmetic of each run of the controller's decay thread. */
#include "fstest.h"

#include "usage/decay.h"

#define NOW 1700000000
#define CONFIG(fields) FST_HEAD "{'type':'config'," fields "}\n"

struct world {
	fs_snapshot *m;
	struct fsi_arena arena;
	struct fsi_decay d;
};

static void open_world(struct world *w, const char *text, const struct fs_usage_options *o)
{
	struct fs_error err;

	memset(w, 0, sizeof(*w));
	w->m = fst_snapshot(text);
	fst_no_error(fsi_decay_init(&w->d, w->m, o, &w->arena, &err), &err);
}

static void close_world(struct world *w)
{
	fsi_arena_release(&w->arena);
	fs_snapshot_free(w->m);
}

static void usage_halves_after_slurms_half_life(void **state)
{
	static const struct {
		const char *config;
		double after;
	} cases[] = { { "'PriorityDecayHalfLife':604800", 0.500073397 },
		      { "'PriorityDecayHalfLife':1209600", 0.500073496 },
		      { "'PriorityDecayHalfLife':60", 0.498061 },
		      { "'PriorityDecayHalfLife':0", 1 },
		      { "'PriorityCalcPeriod':300", 0.500073397 } };
	struct world w;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[300];

		snprintf(text, sizeof(text), CONFIG("%s"), cases[i].config);
		open_world(&w, text, NULL);
		assert_near(fsi_decay_half_lives(&w.d, 1), cases[i].after, 1e-6);
		close_world(&w);
	}
}

static double half_life(const char *scheduler, const char *config)
{
	struct fst_sink text = { 0 };
	double found;
	fs_snapshot *m;

	fst_put(&text, "{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'%s'}\n{'type':'config'%s}\n", scheduler, config);
	m = fst_snapshot(text.data);
	found = fs_usage_half_life(m);
	fs_snapshot_free(m);
	fst_free(&text);
	return found;
}

static void recorded_half_lives_are_used(void **state)
{
	(void)state;
	assert_true(half_life("slurm 24.11.0", ",'PriorityDecayHalfLife':600") == 600);
	assert_true(half_life("slurm 24.11.0", ",'PriorityDecayHalfLife':0") == 0);
	assert_true(isnan(half_life("slurm 24.11.0", "")));
	assert_true(half_life("flux 0.60.0", ",'priority_decay_half_life':60,'PriorityDecayHalfLife':1") == 60);
	assert_true(isnan(half_life("maui 3.3.1", ",'FSDECAY':0.5")));
}

static void exact_half_lives_are_continuous(void **state)
{
	const struct fs_usage_options o = { .decay = FS_DECAY_EXACT };
	struct world w;

	(void)state;
	open_world(&w, CONFIG("'PriorityDecayHalfLife':604800"), &o);
	for (int weeks = 0; weeks < 10; weeks++)
		assert_near(fsi_decay_factor_at(&w.d, NOW - weeks * 604800), pow(0.5, weeks), 1e-12);
	close_world(&w);
}

/* The expected values were read from a real controller once a second. Its half-life was 300 s, and its decay thread ran
 * every 60 s. */
static void decay_agrees_with_a_measured_controller(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, CONFIG("'PriorityDecayHalfLife':300,'PriorityCalcPeriod':60"), NULL);
	assert_near(97641.0 * fsi_decay_factor_at(&w.d, NOW - 60), 84990.5, 1);
	assert_near(97641.0 * fsi_decay_factor_at(&w.d, NOW - 120), 73978.5, 1);
	close_world(&w);
}

/* ---- a simulation of the daemon, one decay run after the other ---- */

struct daemon {
	double f, usage;
	int64_t period, g; /* `period`: seconds between two decay runs; `g`: time of the last decay run */
	bool charge_end;
	int64_t reset_at; /* time of the usage reset in seconds; INT64_MAX: never */
	bool was_reset;
};

static void charge(struct daemon *s, int64_t from, int64_t to)
{
	if (to > from)
		s->usage += (double)(to - from) * pow(s->f, (double)(to - from));
}

/* Simulates one job in a controller that runs from `first` until `until`. */
static double simulate(struct daemon *s, int64_t first, int64_t start, int64_t end, bool ended, int64_t until)
{
	bool done = false;

	s->usage = 0;
	s->g = first;
	for (int64_t t = first + s->period;; t += s->period) {
		if (ended && !done && end <= t && end <= until) {
			if (s->charge_end)
				charge(s, start > s->g ? start : s->g, end);
			done = true;
		}
		if (t > until)
			return s->usage;
		if (t >= s->reset_at && !s->was_reset) {
			s->usage = 0;
			s->was_reset = true;
		}
		s->usage *= pow(s->f, (double)(t - s->g));
		if (!done && start < t)
			charge(s, start > s->g ? start : s->g, t);
		s->g = t;
	}
}

static void charges_equal_a_simulation_of_each_daemon_run(void **state)
{
	uint64_t r = 11;

	(void)state;
	for (int k = 0; k < 3000; k++) {
		const int64_t period = 60 + fst_below(&r, 10) * 60, half_life = (1 + fst_below(&r, 100)) * 600;
		const int64_t base = NOW - fst_below(&r, (uint32_t)period);
		const int64_t first = base - period * (1 + fst_below(&r, 40));
		const int64_t start = first + fst_below(&r, (uint32_t)(NOW - first + 1));
		const int64_t end = start + fst_below(&r, (uint32_t)(NOW - start + 1));
		const bool ended = fst_below(&r, 2), limits = fst_below(&r, 4);
		struct daemon s = { .f = 1 - 0.693 / (double)half_life, .period = period, .charge_end = limits,
				    .reset_at = INT64_MAX };
		struct world w;
		char text[600];
		double expected;

		snprintf(text, sizeof(text),
			 "{'type':'snapshot','format':1,'time':%d,'priority_time':%lld,'cluster':'c','scheduler':"
			 "'slurm 26.05.0'}\n{'type':'config','PriorityDecayHalfLife':%lld,'PriorityCalcPeriod':%lld,"
			 "'BOOT_TIME':%lld,'AccountingStorageEnforce':[%s]}\n",
			 NOW, (long long)base, (long long)half_life, (long long)period, (long long)first,
			 limits ? "'associations','limits'" : "'associations'");
		open_world(&w, text, NULL);
		expected = simulate(&s, first, start, end, ended, NOW);
		assert_near(fsi_decay_seconds(&w.d, start, ended ? end : INT64_MAX, ended, INT64_MIN), expected,
			    1e-7 * (1 + expected));
		close_world(&w);
	}
}

static void the_run_after_a_boundary_resets_usage(void **state)
{
	uint64_t r = 5;

	(void)state;
	for (int k = 0; k < 500; k++) {
		const int64_t day = 86400, midnight = NOW / day * day, period = 3600 + fst_below(&r, 7200);
		const int64_t base = NOW - fst_below(&r, 3600), first = base - period * 40;
		const int64_t start = first + fst_below(&r, (uint32_t)(NOW - first));
		const int64_t end = start + fst_below(&r, (uint32_t)(NOW - start + 1));
		const bool ended = fst_below(&r, 2);
		struct daemon s = { .f = 1, .period = period, .charge_end = true, .reset_at = midnight };
		struct world w;
		char text[600];

		snprintf(text, sizeof(text),
			 "{'type':'snapshot','format':1,'time':%d,'priority_time':%lld,'cluster':'c','scheduler':"
			 "'slurm 26.05.0'}\n{'type':'config','PriorityDecayHalfLife':0,'PriorityCalcPeriod':%lld,"
			 "'BOOT_TIME':%lld,'AccountingStorageEnforce':['limits'],'PriorityUsageResetPeriod':'DAILY'}\n",
			 NOW, (long long)base, (long long)period, (long long)first);
		open_world(&w, text, NULL);
		assert_near(fsi_decay_seconds(&w.d, start, ended ? end : INT64_MAX, ended, INT64_MIN),
			    simulate(&s, first, start, end, ended, NOW), 1e-6);
		close_world(&w);
	}
}

/* The end of a reset period is before the controller's start. Usage after the end of the period counts, and earlier
 * usage does not. The controller's start resets nothing. */
static void a_boundary_before_the_controllers_start_resets_usage(void **state)
{
	const int64_t midnight = NOW / 86400 * 86400;
	struct world w;
	char text[600];

	(void)state;
	snprintf(text, sizeof(text),
		 "{'type':'snapshot','format':1,'time':%d,'cluster':'c','scheduler':'slurm 26.05.0'}\n"
		 "{'type':'config','PriorityDecayHalfLife':0,'PriorityCalcPeriod':300,'BOOT_TIME':%lld,"
		 "'AccountingStorageEnforce':['limits'],'PriorityUsageResetPeriod':'DAILY'}\n",
		 NOW, (long long)midnight + 7200);
	open_world(&w, text, NULL);
	assert_int_equal(w.d.reset, midnight);
	assert_near(fsi_decay_seconds(&w.d, midnight + 100, midnight + 1100, true, INT64_MIN), 1000, 1e-6);
	assert_near(fsi_decay_seconds(&w.d, midnight - 100, midnight + 1100, true, INT64_MIN), 1100, 1e-6);
	assert_near(fsi_decay_seconds(&w.d, midnight - 1000, midnight - 100, true, INT64_MIN), 0, 0);
	assert_near(fsi_decay_seconds(&w.d, midnight + 7300, midnight + 7400, true, INT64_MIN), 100, 1e-6);
	assert_near(fsi_decay_recorded(&w.d), 1, 0);
	close_world(&w);
}

static void reset_periods_have_calendar_boundaries(void **state)
{
	static const struct {
		const char *period;
		int64_t boundary;
	} cases[] = { { "DAILY", 1699920000 },	   /* Tue 2023-11-14 00:00 UTC */
		      { "WEEKLY", 1699747200 },	   /* Sun 2023-11-12 */
		      { "MONTHLY", 1698796800 },   /* 2023-11-01 */
		      { "QUARTERLY", 1696118400 }, /* 2023-10-01 */
		      { "YEARLY", 1672531200 } };
	const struct fs_usage_options o = { .decay = FS_DECAY_EXACT };
	struct world w;
	char text[400];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text), CONFIG("'PriorityDecayHalfLife':0,'PriorityUsageResetPeriod':'%s'"),
			 cases[i].period);
		open_world(&w, text, &o);
		assert_true(w.d.has_reset);
		assert_int_equal(w.d.reset, cases[i].boundary);
		assert_near(fsi_decay_seconds(&w.d, cases[i].boundary - 10, INT64_MAX, false, INT64_MIN),
			    (double)(NOW - cases[i].boundary), 0);
		close_world(&w);
	}
	snprintf(text, sizeof(text),
		 "{'type':'snapshot','format':1,'time':%d,'cluster':'c','scheduler':'slurm 26.05.0','utc_offset_s':"
		 "-36000}\n{'type':'config','PriorityUsageResetPeriod':'DAILY'}\n",
		 NOW);
	open_world(&w, text, &o);
	assert_int_equal(w.d.reset, 1699956000); /* local midnight, 10 hours west of UTC */
	close_world(&w);
	open_world(&w, CONFIG("'PriorityUsageResetPeriod':'NONE'"), &o);
	assert_false(w.d.has_reset);
	close_world(&w);
	open_world(&w, CONFIG("'PriorityUsageResetPeriod':'NOW','BOOT_TIME':1699999000"), &o);
	assert_int_equal(w.d.reset, 1699999000);
	close_world(&w);
}

/* ---- the exact model of decay (FS_DECAY_EXACT) ---- */

static void exact_charges_of_parts_add_up(void **state)
{
	const struct fs_usage_options o = { .decay = FS_DECAY_EXACT };
	uint64_t r = 3;
	struct world w;

	(void)state;
	open_world(&w, CONFIG("'PriorityDecayHalfLife':86400"), &o);
	for (int k = 0; k < 300; k++) {
		const int64_t a = NOW - 1 - fst_below(&r, 2000000), b = a + fst_below(&r, (uint32_t)(NOW - a));
		const int64_t c = b + fst_below(&r, (uint32_t)(NOW - b + 1));
		const double whole = fsi_decay_seconds(&w.d, a, c, true, INT64_MIN);

		assert_near(fsi_decay_seconds(&w.d, a, b, true, INT64_MIN) +
				    fsi_decay_seconds(&w.d, b, c, true, INT64_MIN),
			    whole, 1e-6);
		assert_near(fsi_decay_seconds(&w.d, a, c, true, b) + fsi_decay_seconds(&w.d, a, b, true, INT64_MIN),
			    whole, 1e-6);
		assert_true(whole <= (double)(c - a));
	}
	/* a job that has run for an infinite time, and still runs, is charged for half-life / ln 2 seconds */
	assert_near(fsi_decay_seconds(&w.d, 0, INT64_MAX, false, INT64_MIN), 86400 / log(2), 1e-3);
	close_world(&w);
}

/* ---- usage at times after the snapshot ---- */

static void the_clock_moves_by_whole_periods(void **state)
{
	struct fs_usage_options o = { .at_set = true };
	struct world w;

	(void)state;
	for (int s = 0; s <= 900; s += 50) {
		o.at = NOW + s;
		open_world(&w, CONFIG("'PriorityDecayHalfLife':3600,'PriorityCalcPeriod':300"), &o);
		assert_int_equal(w.d.last, NOW + s / 300 * 300);
		assert_near(fsi_decay_recorded(&w.d), pow(1 - 0.693 / 3600, s / 300 * 300), 1e-12);
		close_world(&w);
	}
}

static void invalid_times_and_settings_are_refused(void **state)
{
	struct fs_usage_options o = { .at_set = true, .at = NOW - 1 };
	struct fsi_arena arena = { 0 };
	struct fsi_decay d;
	struct fs_error err;
	fs_snapshot *m = fst_snapshot(CONFIG("'PriorityDecayHalfLife':3600"));

	(void)state;
	assert_int_equal(fsi_decay_init(&d, m, &o, &arena, &err), FS_EUSAGE);
	fs_snapshot_free(m);
	m = fst_snapshot(FST_HEAD);
	assert_int_equal(fsi_decay_init(&d, m, NULL, &arena, &err), FS_ENODATA);
	fs_snapshot_free(m);
	m = fst_snapshot(CONFIG("'PriorityDecayHalfLife':'week'"));
	assert_int_equal(fsi_decay_init(&d, m, NULL, &arena, &err), FS_EDATA);
	assert_string_equal(err.field, "PriorityDecayHalfLife");
	fs_snapshot_free(m);
	m = fst_snapshot(CONFIG("'PriorityCalcPeriod':-5"));
	assert_int_equal(fsi_decay_init(&d, m, NULL, &arena, &err), FS_EDATA);
	fs_snapshot_free(m);
	fsi_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usage_halves_after_slurms_half_life),
		cmocka_unit_test(recorded_half_lives_are_used),
		cmocka_unit_test(exact_half_lives_are_continuous),
		cmocka_unit_test(decay_agrees_with_a_measured_controller),
		cmocka_unit_test(charges_equal_a_simulation_of_each_daemon_run),
		cmocka_unit_test(the_run_after_a_boundary_resets_usage),
		cmocka_unit_test(a_boundary_before_the_controllers_start_resets_usage),
		cmocka_unit_test(reset_periods_have_calendar_boundaries),
		cmocka_unit_test(exact_charges_of_parts_add_up),
		cmocka_unit_test(the_clock_moves_by_whole_periods),
		cmocka_unit_test(invalid_times_and_settings_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
