/* forecast/forecast.c, events.c: a Maui forecast is compared with a simulation that charges the running jobs in each
 * iteration. The forecast points, and the events at which usage reaches targets, must be the same in both. */
#include "fsprio.h"
#include "fs/forecast.h"

#include <inttypes.h>
#include <math.h>

enum { POLL = 10, INTERVAL = 400, DEPTH = 4, USERS = 4, PENDING = 6, STEPS = 240 };
#define BEGAN INT64_C(1699920400) /* one iteration before the end of the current window */

struct site {
	char config[1024], targets[512];
	double u[USERS + 1][DEPTH]; /* usage of each user in each window; the last row is the total */
	int64_t start;		    /* start of window 0, seconds since the epoch */
	struct {
		int cpus;
		int64_t end;
	} run[USERS];
	struct {
		int user, limit;
		int64_t since;
	} wait[PENDING];
	double target[USERS], percent[USERS]; /* percent: target in percent of all usage; 0: the target is in seconds */
	bool running[USERS];
};

static void draw(struct site *s, uint64_t *seed)
{
	static const char *const modes[] = { "", "floor", "ceiling", "" };
	size_t n = 0;

	memset(s, 0, sizeof(*s));
	s->start = BEGAN - INTERVAL;
	snprintf(s->config, sizeof(s->config),
		 "'FSPOLICY':'DEDICATEDPS%s','FSINTERVAL':400,'FSDEPTH':%d,'FSDECAY':0.%u,'RMPOLLINTERVAL':10,'FSWEIGHT':1,"
		 "'FSUSERWEIGHT':%u,'QUEUETIMEWEIGHT':%u,'XFACTORWEIGHT':%u,'QUEUETIMECAP':%u,'XFACTORCAP':%u,'SERVICEWCAP':%u,"
		 "'FSUSERCAP':%u,'FSCAP':%u",
		 fst_below(seed, 4) ? "" : "%", DEPTH, 1 + fst_below(seed, 9), 1 + fst_below(seed, 9), fst_below(seed, 5),
		 fst_below(seed, 40), fst_below(seed, 2) * (10 + fst_below(seed, 30)),
		 fst_below(seed, 2) * (2 + fst_below(seed, 4)), fst_below(seed, 3) ? 0 : 60 + fst_below(seed, 90),
		 fst_below(seed, 3) ? 0 : 5, fst_below(seed, 3) ? 0 : 40);
	for (int i = 0; i < USERS; i++) {
		const unsigned mode = fst_below(seed, 4);

		s->target[i] = s->percent[i] = 5 + fst_below(seed, 40);
		n += (size_t)snprintf(s->targets + n, sizeof(s->targets) - n,
				      "{\"type\":\"credential\",\"kind\":\"user\",\"name\":\"u%d\",\"target\":%g,\"target_mode\":\"%s\"}\n", i,
				      s->target[i], modes[mode]);
		for (int d = 0; d < DEPTH; d++) {
			s->u[i][d] = fst_below(seed, 3) ? fst_below(seed, 4000) : 0;
			s->u[USERS][d] += s->u[i][d];
		}
		s->run[i].cpus = (int)(fst_below(seed, 3) ? 1 + fst_below(seed, 6) : 0);
		s->run[i].end = BEGAN + 1 + fst_below(seed, STEPS * POLL);
		s->running[i] = s->run[i].cpus > 0;
	}
	for (int i = 0; i < PENDING; i++) {
		s->wait[i].user = (int)fst_below(seed, USERS);
		s->wait[i].limit = (int)(60 + fst_below(seed, 2000));
		s->wait[i].since = BEGAN - fst_below(seed, 2000);
	}
}

/* Returns the snapshot at time t, with all charges until then in the windows. */
static fs_snapshot *snapshot(const struct site *s, int64_t t)
{
	struct fst_sink text = { 0 };
	fs_snapshot *m;

	fst_put(&text, "{'type':'snapshot','format':1,'time':%" PRId64 ",'cluster':'c','scheduler':'maui 3.5'}\n", t);
	fst_put(&text, "{'type':'config',%s}\n%s", s->config, s->targets);
	for (int d = 0; d < DEPTH; d++) {
		for (int i = 0; i < USERS; i++)
			fst_put(&text, REC("window", "'start':%" PRId64 ",'kind':'user','name':'u%d','usage_s':%.17g"),
				s->start - d * INTERVAL, i, s->u[i][d]);
		fst_put(&text, REC("window", "'start':%" PRId64 ",'kind':'sched','usage_s':%.17g"), s->start - d * INTERVAL,
			s->u[USERS][d]);
	}
	for (int i = 0; i < USERS; i++)
		if (s->running[i])
			fst_put(&text,
				REC("job", "'id':%d,'name':'%d','state':'RUNNING','user':'u%d','submit_time':1699920000,'eligible_time':1699920000,"
					   "'start_time':%" PRId64 ",'time_limit_s':%" PRId64 ",'cpus':%d"),
				1 + i, 1 + i, i, t, s->run[i].end - t, s->run[i].cpus);
	for (int i = 0; i < PENDING; i++)
		fst_put(&text,
			REC("job", "'id':%d,'name':'%d','state':'PENDING','user':'u%d','submit_time':%" PRId64 ",'eligible_time':%" PRId64
				   ",'time_limit_s':%d,'cpus':1,'position':%d"),
			100 + i, 100 + i, s->wait[i].user, s->wait[i].since, s->wait[i].since, s->wait[i].limit, i);
	m = fst_snapshot(text.data);
	fst_free(&text);
	return m;
}

/* ---- simulation of single iterations */

/* Adds the charges of one iteration to window 0, the current window (src/MStats.c:MStatUpdateActiveJobUsage). */
static void charge(struct site *s, enum fs_assumption a, int64_t t)
{
	double all = 0;

	for (int i = 0; i < USERS; i++)
		all += s->run[i].cpus;
	for (int i = 0; i < USERS; i++) {
		const bool runs = a == FS_ASSUME_AS_NOW || (a == FS_ASSUME_RUNNING && t < s->run[i].end);
		const double amount = a == FS_ASSUME_SHARES ? all * s->percent[i] / 100 * POLL
				      : runs		    ? s->run[i].cpus * POLL
							    : 0;

		s->u[i][0] += amount;
		s->u[USERS][0] += a == FS_ASSUME_SHARES ? 0 : amount;
	}
	s->u[USERS][0] += a == FS_ASSUME_SHARES ? all * POLL : 0;
}

/* Begins a new fair-share window if the current window has ended. As in Maui, this happens at the end of an iteration,
 * after clients have read the state of the old window. */
static void roll(struct site *s, int64_t t)
{
	if (t < s->start + INTERVAL)
		return;
	for (int i = 0; i <= USERS; i++) {
		memmove(&s->u[i][1], &s->u[i][0], (DEPTH - 1) * sizeof(double));
		s->u[i][0] = 0;
	}
	s->start += INTERVAL;
}

struct seen {
	/* `exact`, `stored`: exact sum and stored priority of each pending job; NAN: a fair-share cap holds the job
	 * back. `factor`: fair-share factor of the first job's user. `below`: target of this user minus usage, as
	 * fractions. */
	double exact[PENDING], stored[PENDING], factor, below;
};

static double exact(const struct fs_prio_row *row)
{
	return row->sum < 1 ? 1 : row->sum;
}

static struct seen look(const struct site *s, int64_t t)
{
	const struct fs_prios_options o = { .running = false };
	fs_snapshot *m = snapshot(s, t);
	struct fs_error err;
	struct seen x;
	char name[8];
	fs_prios *p;
	fs_shares *shares;
	const struct fs_share_row *r;

	fst_no_error(fs_prios_compute(&p, m, &o, &err), &err);
	fst_no_error(fs_shares_compute(&shares, m, NULL, &err), &err);
	for (size_t i = 0; i < PENDING; i++) {
		const size_t at = fs_prios_find(p, 100 + i);
		struct fs_prio_row row;

		x.exact[i] = x.stored[i] = (double)NAN;
		if (at == FS_NO_ROW)
			continue;
		fs_prios_row(p, at, &row);
		x.exact[i] = exact(&row);
		x.stored[i] = row.priority;
	}
	snprintf(name, sizeof(name), "u%d", s->wait[0].user);
	r = fst_row(shares, "user", name);
	x.factor = r->fairshare;
	x.below = (double)(r->norm_shares - r->effective_usage);
	fs_shares_free(shares);
	fs_prios_free(p);
	fs_snapshot_free(m);
	return x;
}

static uint32_t job_row(const fs_snapshot *m, uint64_t id)
{
	struct fs_job j;
	uint32_t row = 0;

	for (fs_snapshot_job(m, row, &j); j.id != id; fs_snapshot_job(m, ++row, &j))
		;
	return row;
}

static bool told(const fs_forecast *f, enum fs_assumption a, enum fs_forecast_kind kind, int64_t t, uint32_t other)
{
	for (size_t i = 0; i < fs_forecast_events(f); i++) {
		const struct fs_forecast_event *e = fs_forecast_event(f, i);

		if (e->kind == kind && e->time == t && e->other_job == other && e->assumptions >> a & 1)
			return true;
	}
	return false;
}

/* Checks that the forecast reports a crossing at time t if and only if the usage of the first job's user crosses the
 * user's target between `x` and `y`. Returns 1 if the usage crosses the target, else 0. */
static size_t check_step(const fs_forecast *f, enum fs_assumption a, int64_t t, const struct seen *x,
			 const struct seen *y)
{
	const bool crosses = (x->below > 0) != (y->below > 0);

	if (fs_forecast_row(f) == FS_NO_ROW || fabs(x->below) <= 1e-9 || fabs(y->below) <= 1e-9)
		return 0;
	assert_int_equal(told(f, a, FS_FORECAST_TARGET, t, FS_NO_ROW), crosses);
	return crosses;
}

/* Compares the forecast with a simulation of every iteration until the end. Returns the number of iterations in which
 * the usage of the first job's user crosses its target. */
static size_t walk(const struct site *drawn, const fs_forecast *f, enum fs_assumption a)
{
	struct site s = *drawn;
	struct seen before = look(&s, BEGAN);
	size_t came = 0;

	/* running jobs are charged in the loop below, so snapshots must not contain them */
	memset(s.running, 0, sizeof(s.running));
	roll(&s, BEGAN);
	for (int k = 1; k <= STEPS; k++) {
		const int64_t t = BEGAN + k * POLL;
		struct seen now;

		charge(&s, a, t);
		now = look(&s, t);
		came += check_step(f, a, t, &before, &now);
		for (size_t i = 0; i < fs_forecast_points(f); i++) {
			const struct fs_forecast_point *p = fs_forecast_point(f, a, i);

			if (p->time != t)
				continue;
			if (!isnan(p->fairshare))
				assert_near(p->fairshare, now.factor, 1e-9);
			assert_int_equal(isnan(p->priority), isnan(now.stored[0]));
			if (fabs(now.exact[0] - nearbyint(now.exact[0])) > 1e-9)
				assert_near(p->priority, now.stored[0], 0);
		}
		roll(&s, t);
		before = now;
	}
	return came;
}

static fs_forecast *forecast(const fs_snapshot *m, struct fs_eval *e, int64_t until)
{
	struct fs_forecast_options o = { .eval = e, .until = until, .points = 17, .share_row = FS_NO_ROW };
	struct fs_error err;
	fs_forecast *f = NULL;

	fst_no_error(fs_eval_compute(m, NULL, e, &err), &err);
	o.job_row = job_row(m, 100);
	fst_no_error(fs_forecast_compute(&f, m, &o, &err), &err);
	return f;
}

static size_t agree(uint64_t seed, int sites)
{
	size_t came = 0;

	for (int i = 0; i < sites; i++) {
		struct fs_eval e;
		struct site s;
		fs_snapshot *m;
		fs_forecast *f;

		draw(&s, &seed);
		m = snapshot(&s, BEGAN);
		f = forecast(m, &e, BEGAN + STEPS * POLL);
		for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
			came += walk(&s, f, (enum fs_assumption)a);
		fs_forecast_free(f);
		fs_eval_release(&e);
		fs_snapshot_free(m);
	}
	return came;
}

static void maui_forecasts_agree_with_stepwise_computation(void **state)
{
	(void)state;
	assert_true(agree(15, FST_ROUNDS(24)) > FST_ROUNDS(10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maui_forecasts_agree_with_stepwise_computation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
