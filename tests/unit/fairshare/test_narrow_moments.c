/* fairshare/moments: compares the classic shares of a running controller with a step-by-step simulation. Also checks
 * that the import finds the time of the first request for shares from the printed shares. */
#include "fstest.h"

enum { ROWS = 11, JOBS = 40, CAPTURED = 1700000000, PERIOD_S = 60, HALF_LIFE_S = 7200, RUNS = FST_ROUNDS(400) };

static const struct row {
	const char *account, *user, *parent;
	int above; /* index of the parent in `rows`; -1: none */
	uint32_t shares; /* 0: `parent` shares */
} rows[ROWS] = {
	{ "root", "", "", -1, 1 },  { "a", "", "root", 0, 3 },	{ "b", "", "root", 0, 1 },
	{ "c", "", "a", 1, 4 },	    { "a", "u1", "", 1, 2 },	{ "a", "u2", "", 1, 1 },
	{ "b", "u3", "", 2, 1 },    { "c", "u4", "", 3, 3 },	{ "c", "u5", "", 3, 1 },
	{ "b", "u6", "", 2, 0 },    { "a", "u7", "", 1, 5 },
};

struct sim_job {
	uint64_t id, array;
	int row;
	int64_t submit, start, end; /* start 0: the job is pending; end 0: the job is running */
	/* number of charged CPUs; a third of the jobs have half as many CPUs, and a QOS with usage factor 2 */
	double cpus;
	int64_t limit_s; /* time limit in seconds; 0: none */
};

struct sim {
	const char *version;
	bool depth; /* the flag DEPTH_OBLIVIOUS is set */
	int64_t before, run, asked;
	struct sim_job job[JOBS]; /* jobs in the order of the controller's job list */
	int jobs;
	double usage[ROWS]; /* usage of users before the decay run; the simulation updates the numbers */
	double norm[ROWS], effective[ROWS];
	bool computed[ROWS];
};

static bool is_user(int i)
{
	return *rows[i].user;
}

static double total(const struct sim *s, int i)
{
	double sum = s->usage[i];

	for (int k = 0; k < ROWS; k++)
		if (rows[k].above == i)
			sum += total(s, k);
	return sum;
}

static double shares_of_level(int i)
{
	double level = 0;

	for (int k = 0; k < ROWS; k++)
		level += rows[k].above == rows[i].above ? rows[k].shares : 0;
	return level;
}

static double shares_of(int i)
{
	return rows[i].above < 0 ? 1 : shares_of(rows[i].above) * rows[i].shares / shares_of_level(i);
}

/* Computes the effective usage of row i. A sibling whose usage is not yet computed counts with its previous
 * usage. */
static double depth_oblivious(const struct sim *s, int i)
{
	const int p = rows[i].above;
	const double over = s->effective[p] / shares_of(p);
	double sum = 0, level, damping = 1;

	if (!(s->effective[p] > 0) || !(s->norm[i] > 0))
		return s->norm[i];
	for (int k = 0; k < ROWS; k++)
		sum += rows[k].above == p && rows[k].shares ? s->norm[k] : 0;
	level = s->norm[i] / shares_of(i) / (sum / shares_of(p));
	if (log(over) * log(level) < 0)
		damping = 1 / (1 + 25 * log(over) * log(over));
	return over * pow(level, damping) * shares_of(i);
}

static void compute(struct sim *s, int i)
{
	const int p = rows[i].above;
	const double level = shares_of_level(i);

	s->computed[i] = true;
	s->norm[i] = total(s, 0) > 0 ? total(s, i) / total(s, 0) : 0;
	if (p == 0)
		s->effective[i] = s->norm[i];
	else if (!rows[i].shares)
		s->effective[i] = s->effective[p];
	else if (s->depth)
		s->effective[i] = depth_oblivious(s, i);
	else
		s->effective[i] = s->norm[i] + (s->effective[p] - s->norm[i]) * rows[i].shares / level;
}

static double decayed(double seconds)
{
	return pow(1 - 0.693 / HALF_LIFE_S, seconds);
}

static void charge(struct sim *s, const struct sim_job *j, int64_t from, int64_t to)
{
	const double seconds = (double)(to - (j->start > from ? j->start : from));

	if (seconds > 0)
		s->usage[j->row] += j->cpus * seconds * decayed(seconds);
}

static void run(struct sim *s)
{
	const bool parents_too = atoi(s->version) > 24;

	for (int i = 1; i < ROWS; i++)
		if (!is_user(i))
			compute(s, i);
	for (int i = 0; i < ROWS; i++)
		s->usage[i] *= decayed((double)(s->run - s->before));
	for (int k = 0; k < s->jobs; k++) {
		const struct sim_job *j = &s->job[k];

		if (j->start && j->start < s->run && (!j->end || j->end > s->run))
			charge(s, j, s->before, s->run);
		if (j->submit < s->run && (!j->start || j->start > s->run) && !s->computed[j->row] &&
		    (rows[j->row].shares || parents_too))
			compute(s, j->row);
	}
}

/* Simulates the ends and submissions of jobs, and the first request for shares, second by second. */
static void go_on(struct sim *s, int64_t from, int64_t until)
{
	const bool parents_too = atoi(s->version) > 24;

	for (int64_t t = from; t <= until; t++) {
		for (int k = 0; k < s->jobs; k++) {
			const struct sim_job *j = &s->job[k];

			if (j->end == t && t > s->run)
				charge(s, j, s->run, t);
		}
		for (int k = 0; k < s->jobs; k++)
			if (s->job[k].submit == t && !s->computed[s->job[k].row] &&
			    (rows[s->job[k].row].shares || parents_too))
				compute(s, s->job[k].row);
		for (int i = 1; t == s->asked && i < ROWS; i++)
			if (is_user(i) && !s->computed[i])
				compute(s, i);
	}
}

static void put_rows(struct fst_sink *out, const struct sim *s)
{
	for (int i = 0; i < ROWS; i++) {
		fst_put(out, "{'type':'association','id':%d,'account':'%s','usage_tres_s':%.6f", 100 + i,
			rows[i].account, s->usage[i]);
		if (is_user(i))
			fst_put(out, ",'user':'%s'", rows[i].user);
		else if (i)
			fst_put(out, ",'parent':'%s'", rows[i].parent);
		if (rows[i].shares)
			fst_put(out, ",'shares':%u}\n", rows[i].shares);
		else
			fst_put(out, ",'shares':'parent'}\n");
	}
}

static void put_jobs(struct fst_sink *out, const struct sim *s)
{
	for (int k = 0; k < s->jobs; k++) {
		const struct sim_job *j = &s->job[k];
		const bool ran = j->start && (j->start <= CAPTURED), twice = k % 3 == 0;

		fst_put(out, "{'type':'job','id':%llu,'state':'%s','submit_time':%lld,'user':'%s','account':'%s',"
			     "'association':%d,'priority':5,'partitions':['p'],'qos':['%s'],'tres_alloc':{'cpu':%.0f}",
			(unsigned long long)j->id,
			j->end ? "COMPLETED" : ran ? "RUNNING" : "PENDING", (long long)j->submit,
			rows[j->row].user, rows[j->row].account, 100 + j->row, twice ? "twice" : "once",
			twice ? j->cpus / 2 : j->cpus);
		if (j->array)
			fst_put(out, ",'array_job_id':%llu", (unsigned long long)j->array);
		if (j->start)
			fst_put(out, ",'start_time':%lld", (long long)j->start);
		if (j->end)
			fst_put(out, ",'end_time':%lld", (long long)j->end);
		if (j->limit_s)
			fst_put(out, ",'time_limit_s':%lld", (long long)j->limit_s);
		fst_put(out, "}\n");
	}
}

/* `printed`: the snapshot has the printed shares and the time of the previous decay run */
static fs_snapshot *captured(const struct sim *s, bool printed)
{
	struct fst_sink out = { 0 };
	fs_snapshot *m;

	fst_put(&out, "{'type':'snapshot','format':1,'time':%d,'cluster':'c','scheduler':'slurm %s.1',"
		      "'priority_time':%lld,'priority_time_from':'ages','usage_source':'exact'",
		CAPTURED, s->version, (long long)s->run);
	if (printed)
		fst_put(&out, ",'priority_time_before':%lld,'priority_time_before_from':'shares'", (long long)s->before);
	fst_put(&out, "}\n");
	fst_put(&out, "{'type':'config','PriorityFlags':['%s'],'PriorityType':'priority/multifactor',"
		      "'PriorityCalcPeriod':%d,'PriorityDecayHalfLife':%d,'PriorityWeightFairShare':1000,"
		      "'AccountingStorageEnforce':['limits'],'BOOT_TIME':%d}\n",
		s->depth ? "DEPTH_OBLIVIOUS" : "NO_FAIR_TREE", PERIOD_S, HALF_LIFE_S, CAPTURED - 86400);
	fst_put(&out, "{'type':'tres','id':1,'name':'cpu'}\n{'type':'partition','name':'p'}\n"
		      "{'type':'qos','name':'once','usage_factor':1}\n{'type':'qos','name':'twice','usage_factor':2}\n");
	put_rows(&out, s);
	put_jobs(&out, s);
	for (int i = 1; printed && i < ROWS; i++)
		fst_put(&out, "{'type':'recorded','association':%d,'norm_usage':%.6f,'effective_usage':%.6f}\n",
			100 + i, s->norm[i], s->effective[i]);
	m = fst_snapshot(out.data);
	free(out.data);
	return m;
}

/* Compares the shares of the snapshot with those of the simulation, with the precision of printed shares. The shares
 * are computed for the time of the usage `u`; NULL: for the time of the capture. */
static void expect_shares(fs_snapshot *m, const fs_usage *u, const struct sim *s)
{
	const struct fs_view view = { .usage = u };
	const double digit = 6e-7;
	fs_shares *shares = NULL;
	struct fs_error err;

	assert_int_equal(fs_shares_compute(&shares, m, &view, &err), 0);
	for (size_t k = 0; k < ROWS; k++) {
		const struct fs_share_row *r = fs_shares_row(shares, k);
		const int i = (int)r->id - 100;

		if (!i)
			continue;
		assert_near(r->norm_usage, s->norm[i], digit);
		assert_near(r->effective_usage, s->effective[i], digit);
	}
	fs_shares_free(shares);
}

static void infer(fs_snapshot *m)
{
	struct fs_error err;

	assert_int_equal(fs_import_infer(m, &err), 0);
}

/* Returns a random even second in [from, to), plus `odd` (0 or 1). Starts, ends and decay runs are at even seconds;
 * submissions and requests for shares are at odd seconds, so that none coincide. */
static int64_t some_time(uint64_t *seed, int64_t from, int64_t to, int64_t odd)
{
	return (from + (int64_t)fst_below(seed, (uint32_t)(to - from))) / 2 * 2 + odd;
}

static struct sim_job some_job(const struct sim *s, uint64_t *seed, uint64_t id)
{
	struct sim_job j = { .id = id, .row = 4 + (int)fst_below(seed, ROWS - 4) };

	j.cpus = 2 + 2 * fst_below(seed, 450);
	j.submit = some_time(seed, s->before - 500, s->run - 1, 1);
	switch (fst_below(seed, 8)) {
	case 0: case 1: case 2: /* a running job that started before or after the previous decay run */
		j.start = some_time(seed, fst_below(seed, 2) ? s->before - 400 : s->before, s->run, 0);
		break;
	case 3: /* the job started after the last decay run */
		j.start = some_time(seed, s->run + 2, CAPTURED, 0);
		break;
	case 4: /* a job that ended after the last decay run */
		j.start = some_time(seed, s->before - 100, s->run, 0);
		j.end = some_time(seed, s->run + 2, CAPTURED, 0);
		break;
	case 5: /* the job is submitted after the decay run */
		j.submit = some_time(seed, s->run + 2, CAPTURED, 1);
		break;
	default:
		break;
	}
	return j;
}

/* Sets up the state before the last decay run. `back`: seconds between the previous decay run and the last one. */
static void before_run(struct sim *s, uint64_t *seed, int64_t back)
{
	*s = (struct sim){ .version = fst_below(seed, 2) ? "22.05" : "26.05" };
	s->run = some_time(seed, CAPTURED - PERIOD_S, CAPTURED - 10, 0);
	s->before = s->run - back;
	s->asked = some_time(seed, s->run, CAPTURED, 1);
	s->jobs = 12 + (int)fst_below(seed, JOBS - 12);
	for (int k = 0; k < s->jobs; k++)
		s->job[k] = some_job(s, seed, 10 + 3 * (uint64_t)k);
	for (int i = 4; i < ROWS; i++)
		s->usage[i] = fst_below(seed, 5) ? 1000.0 * (1 + fst_below(seed, 900)) : 0;
	s->job[0].start = s->before - 50; /* this job makes the time of the previous decay run matter */
	s->job[0].end = 0;
	s->job[0].submit = s->before - 60;
	s->job[0].row = 6;
	s->job[0].cpus = 500;
	s->usage[4] += 50000;
}

static void some_state(struct sim *s, uint64_t *seed)
{
	before_run(s, seed, 20 + fst_below(seed, 100));
	run(s);
	go_on(s, s->run, CAPTURED);
}

static void printed_shares_give_the_time_of_the_request(void **state)
{
	uint64_t seed = 4;

	(void)state;
	for (int n = 0; n < RUNS; n++) {
		struct sim s;
		fs_snapshot *m;

		some_state(&s, &seed);
		m = captured(&s, true);
		infer(m);
		expect_shares(m, NULL, &s);
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void without_printed_shares_the_previous_run_is_one_period_back(void **state)
{
	uint64_t seed = 6;
	struct sim s;
	fs_snapshot *m;

	(void)state;
	do
		some_state(&s, &seed);
	while (s.run - s.before != PERIOD_S);
	m = captured(&s, false);
	infer(m);
	assert_int_equal(fs_snapshot_info(m)->priority_time_before, s.before);
	assert_string_equal(fs_snapshot_info(m)->priority_time_before_from, "period");
	fs_snapshot_free(m);
}

/* A task that starts is split off its array. The task takes the position of the array in the controller's job list, and
 * the rest of the array moves to the end of the list. */
static void split_array_tasks_keep_their_place_in_the_list(void **state)
{
	const int64_t t = CAPTURED - 20, g = t - PERIOD_S, old = g - 30;
	struct sim s = {
		.version = "22.05", .run = t, .before = g, .asked = t + 1, .jobs = 5,
		/* the first task that was split off the array; it has the array's former position in the controller's
		 * job list */
		.job = { { 20, 10, 4, old, old, 0, 300, 0 },
			 { 15, 0, 5, old, old, 0, 200, 0 },
			 /* the second task that was split off; it has the former position of the rest of the array */
			 { 25, 10, 4, old, old, 0, 100, 0 },
			 { 22, 0, 6, old, old, 0, 50, 0 },
			 /* the job that represents the array's remaining tasks */
			 { 10, 10, 4, old, 0, 0, 1, 0 } },
		.usage = { 0, 0, 0, 0, 1000, 2000, 3000, 4000, 5000, 6000, 7000 },
	};
	fs_snapshot *m;

	(void)state;
	run(&s);
	go_on(&s, s.run, CAPTURED);
	m = captured(&s, false);
	expect_shares(m, NULL, &s);
	fs_snapshot_free(m);
}

/* DEPTH_OBLIVIOUS sums the usage of siblings. A sibling that is not yet computed counts with its usage of the previous
 * run. */
static void uncomputed_siblings_count_with_their_previous_usage(void **state)
{
	uint64_t seed = 9;

	(void)state;
	for (int n = 0; n < RUNS; n++) {
		struct sim s;
		fs_snapshot *m;

		before_run(&s, &seed, PERIOD_S);
		s.depth = true;
		s.before -= PERIOD_S;
		s.run -= PERIOD_S;
		run(&s);
		s.asked = s.run;
		go_on(&s, s.run, s.run + PERIOD_S);
		s.before += PERIOD_S;
		s.run += PERIOD_S;
		memset(s.computed, 0, sizeof(s.computed));
		run(&s);
		s.asked = CAPTURED;
		go_on(&s, s.run, CAPTURED);
		m = captured(&s, false);
		expect_shares(m, NULL, &s);
		fs_snapshot_free(m);
	}
}

/* ---- shares at times after the capture */

/* Without `others`, running jobs continue to their time limits. With `others`, they end at the capture, and new jobs
 * start whose charges per second are stored in rate[]. */
static void suppose(struct sim *s, uint64_t *seed, bool others, double rate[ROWS])
{
	const int known = s->jobs;

	for (int k = 0; k < known; k++) {
		struct sim_job *j = &s->job[k];

		if (j->start && !j->end)
			j->end = others ? CAPTURED : j->limit_s ? j->start + j->limit_s : 0;
		if (others && j->end == CAPTURED)
			charge(s, j, s->run, CAPTURED);
	}
	for (int i = 4; i < ROWS; i++) {
		rate[i] = others && s->jobs < JOBS ? 5 * fst_below(seed, 50) : 0;
		if (rate[i] > 0)
			s->job[s->jobs++] = (struct sim_job){ 1000, 0, i, CAPTURED, CAPTURED, 0, rate[i], 0 };
	}
}

static void next_run(struct sim *s)
{
	go_on(s, s->run < CAPTURED ? CAPTURED + 1 : s->run + 1, s->run + PERIOD_S);
	s->before = s->run;
	s->run += PERIOD_S;
	memset(s->computed, 0, sizeof(s->computed));
	run(s);
	s->asked = s->run;
	go_on(s, s->run, s->run);
}

/* `of_rows`: usage rates, indexed by row of the simulation. */
static void expect_at(fs_snapshot *m, const struct sim *s, bool others, const double of_rows[ROWS])
{
	double rate[ROWS];
	const struct fs_usage_options o = { .at_set = true,
					    .at = s->run,
					    .running = others ? FS_RUNNING_NONE : FS_RUNNING_TO_LIMIT,
					    .rate = others ? rate : NULL };
	fs_shares *shares = NULL;
	struct fs_error err;
	fs_usage *u = NULL;

	fst_no_error(fs_shares_compute(&shares, m, NULL, &err), &err);
	for (size_t i = 0; i < ROWS; i++)
		rate[i] = of_rows[fs_shares_row(shares, i)->id - 100];
	fs_shares_free(shares);
	fst_no_error(fs_usage_begin(&u, m, &o, &err), &err);
	fst_no_error(fs_usage_finish(u, &err), &err);
	expect_shares(m, u, s);
	fs_usage_free(u);
}

/* Like the last decay run before the capture, each decay run after the capture computes the shares from usage values of
 * two different times. */
static void later_runs_mix_two_moments_too(void **state)
{
	uint64_t seed = 8;

	(void)state;
	for (int n = 0; n < RUNS; n++) {
		const bool others = fst_below(&seed, 3) == 0;
		double rate[ROWS] = { 0 };
		struct sim s;
		fs_snapshot *m;

		do
			some_state(&s, &seed);
		/* the next decay run must not be exactly at the time of the capture */
		while (s.run + PERIOD_S == CAPTURED);
		for (int k = 0; k < s.jobs; k++)
			if (s.job[k].start && !s.job[k].end && fst_below(&seed, 3))
				s.job[k].limit_s = CAPTURED - s.job[k].start + 1 + fst_below(&seed, 6 * PERIOD_S);
		m = captured(&s, false);
		suppose(&s, &seed, others, rate);
		for (int k = 0; k < 6; k++) {
			next_run(&s);
			expect_at(m, &s, others, rate);
		}
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printed_shares_give_the_time_of_the_request),
		cmocka_unit_test(without_printed_shares_the_previous_run_is_one_period_back),
		cmocka_unit_test(split_array_tasks_keep_their_place_in_the_list),
		cmocka_unit_test(uncomputed_siblings_count_with_their_previous_usage),
		cmocka_unit_test(later_runs_mix_two_moments_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
