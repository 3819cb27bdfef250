/* forecast/: the forecast events are exactly the changes that occur when the clock is stepped from one priority
 * calculation to the next. */
#include "fsprio.h"
#include "fs/forecast.h"

#include <math.h>

#define NOW INT64_C(1700000100)
#define RUN INT64_C(1700000000)
enum { PERIOD = 300, DAY = 86400, STEPS = 600 };

static const char *const all_names[] = { "idle", "running", "as_now", "shares" };

struct site {
	struct fst_sink text;
	fs_snapshot *m;
	struct fs_eval e;
};

static void open_site(struct site *s, const char *text)
{
	struct fs_error err;

	s->m = fst_snapshot(text);
	fst_no_error(fs_eval_compute(s->m, NULL, &s->e, &err), &err);
}

static void close_site(struct site *s)
{
	fs_eval_release(&s->e);
	fs_snapshot_free(s->m);
	fst_free(&s->text);
	*s = (struct site){ 0 };
}

static uint32_t share_row(const struct site *s, const char *account, const char *user)
{
	return fst_row(s->e.shares, account, user)->row;
}

static uint32_t job_row(const fs_snapshot *m, uint64_t id)
{
	struct fs_job j;
	uint32_t row = 0;

	for (fs_snapshot_job(m, row, &j); j.id != id; fs_snapshot_job(m, ++row, &j))
		;
	return row;
}

static fs_forecast *forecast(const struct site *s, uint32_t row, uint32_t job, int64_t until)
{
	const struct fs_forecast_options o = {
		.eval = &s->e, .until = until, .points = 9, .share_row = row, .job_row = job
	};
	struct fs_error err;
	fs_forecast *f = NULL;

	fst_no_error(fs_forecast_compute(&f, s->m, &o, &err), &err);
	return f;
}

static const struct fs_forecast_event *event(const fs_forecast *f, enum fs_forecast_kind kind, enum fs_assumption a)
{
	for (size_t i = 0; i < fs_forecast_events(f); i++)
		if (fs_forecast_event(f, i)->kind == kind && fs_forecast_event(f, i)->assumptions >> a & 1)
			return fs_forecast_event(f, i);
	return NULL;
}

static double days(const struct fs_forecast_event *e)
{
	assert_non_null(e);
	return (double)(e->time - RUN) / DAY;
}

#define SITE(flags, more) \
	"{'type':'snapshot','format':1,'time':1700000100,'priority_time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'}\n" \
	CONFIG("'PriorityWeightFairShare':100000,'PriorityWeightAge':1000,'PriorityMaxAge':604800,'PriorityDecayHalfLife':604800," \
	       "'PriorityCalcPeriod':300,'PriorityFlags':[" flags "],'AccountingStorageEnforce':['limits']" more) \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':4,'name':'node'") REC("tres", "'id':5,'name':'billing'") \
	REC("node", "'name':'n','cpus':1000") \
	REC("partition", "'name':'p','job_factor':1,'tier':1,'max_time_s':'unlimited','tres':{'cpu':1000}")
#define ASSOC(id, account, parent, shares, usage) \
	REC("association", "'id':" #id ",'account':'" account "','parent':'" parent "','shares':" #shares ",'usage_tres_s':" #usage)
#define USER(id, account, user, shares, usage) \
	REC("association", "'id':" #id ",'account':'" account "','user':'" user "','shares':" #shares ",'usage_tres_s':" #usage)
#define ROOT REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")
/* A running job. limit: its time limit, 'unlimited' or seconds. */
#define RUNS(id, user, assoc, cpus, limit) \
	REC("job", "'id':" #id ",'state':'RUNNING','start_time':1700000000,'time_limit_s':" limit ",'user':'" user "','account':'a'," \
		   "'association':" #assoc ",'partitions':['p'],'cpus':" #cpus ",'tres_alloc':{'cpu':" #cpus ",'billing':" #cpus "}")

/* ---- expected values computed by hand */

/* Users a and b have equal shares. The usage of a, 4e7, decays. User b has a usage of 1e7 and 11 CPUs that run for
 * ever. In the long run, a CPU is worth 242.38 hours of usage, so 11 CPUs are worth 9.598e6 TRES seconds. The usages
 * are equal if 4e7 x = 9.598e6 + 0.402e6 x: at x = 0.24239, after 2.0446 half-lives of 7.0015 days. */
static void an_idle_user_is_passed_at_the_computed_time(void **state)
{
	struct site s = { 0 };
	fs_forecast *f;
	const struct fs_forecast_event *e;

	(void)state;
	open_site(&s, SITE("", "") ROOT USER(2, "root", "a", 1, 40000000) USER(3, "root", "b", 1, 10000000)
			  RUNS(9, "b", 3, 11, "'unlimited'"));
	f = forecast(&s, share_row(&s, "root", "a"), FS_NO_ROW, NOW + 30 * DAY);
	e = event(f, FS_FORECAST_PASSES, FS_ASSUME_AS_NOW);
	assert_near(days(e), 14.315, 0.01);
	assert_int_equal(e->before.rank, 1);
	assert_int_equal(e->after.rank, 2);
	assert_true(fs_forecast_is_constant(f, FS_ASSUME_IDLE));
	assert_int_equal(event(f, FS_FORECAST_PASSES, FS_ASSUME_IDLE)->time, FS_UNKNOWN);
	assert_true(event(f, FS_FORECAST_PASSES, FS_ASSUME_IDLE)->never);
	fs_forecast_free(f);
	close_site(&s);
}

/* Adds a pending job. In the test, job 2 is two days younger than job 1, and a full age of 7 days gives 1000 points. If
 * job 2 has 100 more site points, it passes job 1 when the age of job 1 is full and the age of job 2 lacks fewer than
 * 100 points. */
static void put_waiting(struct site *s, int id, int64_t since, int site_factor)
{
	fst_put(&s->text,
		REC("job", "'id':%d,'state':'PENDING','eligible_time':%lld,'accrue_time':%lld,'submit_time':%d,'user':'a',"
			   "'account':'root','association':2,'partitions':['p'],'cpus':1,'site_factor':%d"),
		id, (long long)since, (long long)since, id, site_factor);
}

static void waiting_passes_a_job_of_full_age(void **state)
{
	struct site s = { 0 };
	fs_forecast *f;
	const int64_t young = RUN - DAY;

	(void)state;
	fst_put(&s.text, "%s", SITE("", "") ROOT USER(2, "root", "a", 1, 0));
	put_waiting(&s, 1, young - 2 * DAY, 100);
	put_waiting(&s, 2, young, 0);
	open_site(&s, s.text.data);
	f = forecast(&s, FS_NO_ROW, job_row(s.m, 2), NOW + 30 * DAY);
	/* the older job always has 100 points more, so the younger job never passes it */
	assert_int_equal(event(f, FS_FORECAST_JOB_PASSES, FS_ASSUME_IDLE)->time, FS_UNKNOWN);
	fs_forecast_free(f);
	close_site(&s);
	fst_put(&s.text, "%s", SITE("", "") ROOT USER(2, "root", "a", 1, 0));
	put_waiting(&s, 1, young - 2 * DAY, 0);
	put_waiting(&s, 2, young, 100);
	open_site(&s, s.text.data);
	f = forecast(&s, FS_NO_ROW, job_row(s.m, 2), NOW + 30 * DAY);
	/* Job 2 began to wait a day ago. It passes job 1 after waiting 7 days * (1 - 100/1000), plus the time in which
	 * its age gains one more point. */
	assert_near(days(event(f, FS_FORECAST_JOB_PASSES, FS_ASSUME_IDLE)) + 1, 6.3, 0.015);
	assert_int_equal(event(f, FS_FORECAST_JOB_PASSES, FS_ASSUME_IDLE)->assumptions, 15);
	assert_int_equal(event(f, FS_FORECAST_AGE_FULL, FS_ASSUME_IDLE)->time,
			 young + 7 * DAY + (RUN - young) % PERIOD);
	fs_forecast_free(f);
	close_site(&s);
}

/* The jobs differ only in age. */
static void waiting_alone_never_passes_an_older_job(void **state)
{
	struct site s = { 0 };
	fs_forecast *f;
	const struct fs_forecast_event *e;

	(void)state;
	open_site(&s, SITE("", "") ROOT USER(2, "root", "a", 1, 0)
			  JOB(1, "'accrue_time':1699900000,'submit_time':5,'user':'a','account':'root','association':2,'partitions':['p'],'cpus':1")
			  JOB(2, "'accrue_time':1699990000,'submit_time':6,'user':'a','account':'root','association':2,'partitions':['p'],'cpus':1"));
	f = forecast(&s, FS_NO_ROW, job_row(s.m, 2), NOW + 30 * DAY);
	e = event(f, FS_FORECAST_JOB_PASSES, FS_ASSUME_IDLE);
	assert_int_equal(e->time, FS_UNKNOWN);
	assert_int_equal(e->assumptions, 15);
	assert_true(e->never);
	fs_forecast_free(f);
	close_site(&s);
}

/* Two users who use exactly their shares approach the same LevelFS; neither overtakes the other. */
static void users_that_use_their_shares_do_not_pass_each_other(void **state)
{
	struct site s = { 0 };
	fs_forecast *f;
	const struct fs_forecast_event *e;

	(void)state;
	open_site(&s, SITE("", "") ROOT USER(2, "root", "a", 3, 100) USER(3, "root", "b", 1, 200) RUNS(9, "b", 3, 900, "'unlimited'"));
	f = forecast(&s, share_row(&s, "root", "b"), FS_NO_ROW, NOW + 10 * DAY);
	e = event(f, FS_FORECAST_PASSES, FS_ASSUME_SHARES);
	assert_int_equal(e->time, FS_UNKNOWN);
	assert_true(e->never);
	assert_true(fs_forecast_is_constant(f, FS_ASSUME_SHARES));
	fs_forecast_free(f);
	close_site(&s);
}

/* A usage reset clears earlier usage, so the order of any two users may change. The forecast therefore does not say
 * of any event that it never happens. */
static void a_usage_reset_makes_nothing_certain(void **state)
{
	struct site s = { 0 };
	fs_forecast *f;

	(void)state;
	open_site(&s, SITE("", ",'PriorityUsageResetPeriod':'WEEKLY'") ROOT USER(2, "root", "a", 1, 40000000)
			  USER(3, "root", "b", 1, 10000000));
	f = forecast(&s, share_row(&s, "root", "a"), FS_NO_ROW, NOW + 10 * DAY);
	assert_false(fs_forecast_is_constant(f, FS_ASSUME_IDLE));
	assert_int_equal(fs_forecast_point(f, FS_ASSUME_IDLE, 8)->rank, 2);
	fs_forecast_free(f);
	f = forecast(&s, share_row(&s, "root", "a"), FS_NO_ROW, NOW + DAY);
	assert_false(event(f, FS_FORECAST_PASSES, FS_ASSUME_IDLE)->never);
	fs_forecast_free(f);
	close_site(&s);
}

static void forecasts_without_a_time_span_or_a_row_are_refused(void **state)
{
	struct site s = { 0 };
	struct fs_forecast_options o = { .until = NOW, .points = 9, .job_row = FS_NO_ROW };
	struct fs_error err;
	fs_forecast *f = NULL;

	(void)state;
	open_site(&s, SITE("", "") ROOT USER(2, "root", "a", 1, 0));
	o.eval = &s.e;
	o.share_row = share_row(&s, "root", "a");
	assert_int_equal(fs_forecast_compute(&f, s.m, &o, &err), FS_EUSAGE);
	o.until = NOW + DAY;
	o.share_row = FS_NO_ROW;
	assert_int_equal(fs_forecast_compute(&f, s.m, &o, &err), FS_ENODATA);
	close_site(&s);
}

/* ---- comparison of forecasts with a computation in steps */

enum { ACCOUNTS = 3, USERS = 6, PENDING = 5 };

static void draw(struct site *s, uint64_t *seed, const char *flags)
{
	fst_put(&s->text, "{'type':'snapshot','format':1,'time':1700000100,'priority_time':1700000000,'cluster':'c',"
			  "'scheduler':'slurm 22.05.8'}\n");
	fst_put(&s->text,
		CONFIG("'PriorityWeightFairShare':%u,'PriorityWeightAge':%u,'PriorityMaxAge':%u,'PriorityDecayHalfLife':%u,"
		       "'PriorityCalcPeriod':300,'PriorityFlags':[%s],'AccountingStorageEnforce':['limits']"),
		1 + fst_below(seed, 5000), fst_below(seed, 5000), 1 + fst_below(seed, 2 * DAY),
		fst_below(seed, 5) ? 3600 + fst_below(seed, 2 * DAY) : 0, flags);
	fst_put(&s->text, "%s", REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':4,'name':'node'") REC("tres", "'id':5,'name':'billing'")
		REC("node", "'name':'n','cpus':1000")
		REC("partition", "'name':'p','job_factor':1,'tier':1,'max_time_s':'unlimited','tres':{'cpu':1000}") ROOT);
	for (int i = 0; i < ACCOUNTS; i++)
		fst_put(&s->text, REC("association", "'id':%d,'account':'a%d','parent':'%s','shares':%u,'usage_tres_s':0"), 2 + i, i,
			i == 2 ? "a1" : "root", 1 + fst_below(seed, 4));
	for (int i = 0; i < USERS; i++)
		fst_put(&s->text, REC("association", "'id':%d,'account':'a%d','user':'u%d','shares':%u,'usage_tres_s':%u"), 10 + i,
			i % ACCOUNTS, i, 1 + fst_below(seed, 4), fst_below(seed, 4) ? fst_below(seed, 3000000) : 0);
	for (int i = 0; i < USERS; i++) {
		const uint32_t cpus = 1 + fst_below(seed, 20);

		if (!fst_below(seed, 4))
			continue;
		fst_put(&s->text,
			REC("job",
			    "'id':%d,'state':'RUNNING','start_time':%u,'time_limit_s':%u,'user':'u%d','account':'a%d',"
			    "'association':%d,'partitions':['p'],'cpus':%u,'tres_alloc':{'cpu':%u,'billing':%u}"),
			100 + i, 1700000000 - fst_below(seed, DAY), DAY + 60 + fst_below(seed, DAY), i, i % ACCOUNTS,
			10 + i, cpus, cpus, cpus);
	}
	for (int i = 0; i < PENDING; i++) {
		const uint32_t since = 1700000000 - fst_below(seed, DAY);

		fst_put(&s->text,
			REC("job", "'id':%d,'state':'PENDING','eligible_time':%u,'accrue_time':%u,'submit_time':%u,'user':'u%d',"
				   "'account':'a%d','association':%d,'partitions':['p'],'cpus':1,'site_factor':%u"),
			200 + i, since, since, since, i, i % ACCOUNTS, 10 + i, fst_below(seed, 200));
	}
	open_site(s, s->text.data);
}

struct step {
	fs_usage *u;
	fs_shares *shares;
	fs_prios *prios;
};

/* Computes, from the top down, the usage rate of each user who uses exactly their share. */
static void rates_of(const struct site *s, const fs_forecast *f, double rate[])
{
	const size_t n = fs_shares_count(s->e.shares);

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(s->e.shares, i);
		uint64_t sum = 0;

		for (size_t k = 0; k < n; k++)
			if (fs_shares_row(s->e.shares, k)->parent_row == r->parent_row)
				sum += fs_shares_row(s->e.shares, k)->raw_shares;
		rate[i] = r->parent_row == FS_NO_ROW ? fs_forecast_rate(f)
						     : rate[r->parent_row] * r->raw_shares / (double)sum;
	}
	for (size_t i = 0; i < n; i++)
		if (!*fs_shares_row(s->e.shares, i)->user)
			rate[i] = 0;
}

static struct step step_to(const struct site *s, enum fs_assumption a, const double *rate, int64_t at)
{
	static const enum fs_running running[] = { FS_RUNNING_NONE, FS_RUNNING_TO_LIMIT, FS_RUNNING_FOR_EVER,
						   FS_RUNNING_NONE };
	const struct fs_usage_options o = {
		.at_set = true, .at = at, .running = running[a], .rate = a == FS_ASSUME_SHARES ? rate : NULL
	};
	struct fs_prios_options p = { .running = false };
	struct fs_error err;
	struct step x = { 0 };

	fst_no_error(fs_usage_begin(&x.u, s->m, &o, &err), &err);
	fst_no_error(fs_usage_finish(x.u, &err), &err);
	p.view.usage = x.u;
	fst_no_error(fs_shares_compute(&x.shares, s->m, &p.view, &err), &err);
	fst_no_error(fs_prios_compute(&x.prios, s->m, &p, &err), &err);
	return x;
}

static void step_free(struct step *x)
{
	fs_prios_free(x->prios);
	fs_shares_free(x->shares);
	fs_usage_free(x->u);
}

static double priority(const struct step *x, uint64_t id)
{
	struct fs_prio_row row;

	fs_prios_row(x->prios, fs_prios_find(x->prios, id), &row);
	return row.priority;
}

static bool told(const fs_forecast *f, enum fs_assumption a, enum fs_forecast_kind kind, int64_t time, uint32_t own,
		 uint32_t other, uint32_t other_job)
{
	for (size_t i = 0; i < fs_forecast_events(f); i++) {
		const struct fs_forecast_event *e = fs_forecast_event(f, i);

		if (e->kind == kind && e->time == time && e->assumptions >> a & 1 && e->other_job == other_job &&
		    (other_job != FS_NO_ROW || (e->own == own && e->other == other)))
			return true;
	}
	return false;
}

/* Returns true if job a is before job b: by priority, then by submit time, then by id. */
static bool first(const struct site *s, const struct step *x, uint64_t a, uint64_t b)
{
	const double pa = priority(x, a), pb = priority(x, b);
	struct fs_job ja, jb;

	fs_snapshot_job(s->m, job_row(s->m, a), &ja);
	fs_snapshot_job(s->m, job_row(s->m, b), &jb);
	if (pa != pb)
		return pa > pb;
	return ja.times.submit != jb.times.submit ? ja.times.submit < jb.times.submit : a < b;
}

/* If the sums of two jobs are close, truncation may reverse the order of the jobs several times. The forecast must
 * report a change of their order, unless their order changes again within ALONE priority calculations (before or after
 * this change). */
enum { ALONE = 20, TURNS_MOST = STEPS + 1 };

struct turns {
	struct turn {
		int64_t t;
		bool told;
	} v[TURNS_MOST];
	size_t n;
};

static void add_turn(struct turns *of, int64_t t, bool told)
{
	assert_true(of->n < TURNS_MOST);
	of->v[of->n++] = (struct turn){ t, told };
}

/* Checks that the forecast reports each change of the order of two jobs (struct turn), unless the same two jobs change
 * their order again within ALONE priority calculations. */
static void check_alone(const struct turns *of)
{
	const int64_t near = (int64_t)ALONE * PERIOD;

	for (size_t i = 0; i < of->n; i++) {
		const struct turn *v = &of->v[i];
		const bool followed = i + 1 < of->n && v[1].t - v->t < near;

		assert_true(v->told || followed || (i && v->t - v[-1].t < near));
	}
}

static size_t compare_jobs(const struct site *s, const fs_forecast *f, enum fs_assumption a, int64_t t,
			   const struct step *x, const struct step *y, struct turns *turns)
{
	size_t n = 0;

	for (uint64_t id = 201; id < 200 + PENDING; id++) {
		const bool before = first(s, x, 200, id), after = first(s, y, 200, id);
		const bool passes = told(f, a, FS_FORECAST_JOB_PASSES, t, 0, 0, job_row(s->m, id)),
			   passed = told(f, a, FS_FORECAST_JOB_PASSED, t, 0, 0, job_row(s->m, id));

		assert_true(!passes || (after && !before));
		assert_true(!passed || (before && !after));
		if (before != after)
			add_turn(&turns[id - 201], t, passes || passed);
		n += passes + passed;
	}
	return n;
}

static int sign_of(double own, double other)
{
	return (own > other) - (own < other);
}

/* Compares the row, and each of its ancestors, with their siblings before and after a priority calculation. Checks that
 * the forecast reports each sibling that gets ahead or falls behind, also from a tie. Returns the number of such
 * siblings. */
static size_t compare_siblings(const fs_forecast *f, enum fs_assumption a, int64_t t, const struct step *x,
			       const struct step *y, uint32_t row)
{
	size_t n = 0;

	for (uint32_t own = row; own != FS_NO_ROW; own = fs_shares_row(x->shares, own)->parent_row)
		for (uint32_t i = 0; i < fs_shares_count(x->shares); i++) {
			const struct fs_share_row *o0 = fs_shares_row(x->shares, own),
						  *o1 = fs_shares_row(y->shares, own);
			const struct fs_share_row *r0 = fs_shares_row(x->shares, i), *r1 = fs_shares_row(y->shares, i);
			const int before = sign_of(o0->level_fs, r0->level_fs),
				  after = sign_of(o1->level_fs, r1->level_fs);

			if (i == own || r0->parent_row != o0->parent_row || !after || before == after)
				continue;
			n++;
			assert_true(told(f, a, after > 0 ? FS_FORECAST_PASSES : FS_FORECAST_PASSED, t, own, i,
					 FS_NO_ROW));
		}
	return n;
}

/* Steps through STEPS priority calculations. Compares each of them with the forecast of a job and of its user's row.
 * Returns the number of events. */
static size_t walk(const struct site *s, const fs_forecast *f, enum fs_assumption a, bool levels)
{
	static struct turns turns[PENDING];
	double rate[32] = { 0 };
	const uint32_t row = share_row(s, "a0", "u0");
	size_t came = 0, events = 0;
	struct step before;

	rates_of(s, f, rate);
	before = step_to(s, a, rate, NOW);
	for (size_t i = 0; i < PENDING; i++)
		turns[i].n = 0;
	for (int k = 1; k <= STEPS; k++) {
		const int64_t t = RUN + k * PERIOD;
		struct step now = step_to(s, a, rate, t);

		came += compare_jobs(s, f, a, t, &before, &now, turns);
		if (levels)
			came += compare_siblings(f, a, t, &before, &now, row);
		for (size_t i = 0; i < fs_forecast_points(f); i++)
			if (fs_forecast_point(f, a, i)->time == t) {
				assert_near(fs_forecast_point(f, a, i)->fairshare,
					    fs_shares_row(now.shares, row)->fairshare, 1e-12);
				assert_near(fs_forecast_point(f, a, i)->priority, priority(&now, 200), 0);
			}
		step_free(&before);
		before = now;
	}
	step_free(&before);
	for (size_t i = 0; i < fs_forecast_events(f); i++) {
		const struct fs_forecast_event *e = fs_forecast_event(f, i);

		events += e->assumptions >> a & 1 && e->time != FS_UNKNOWN && e->time <= RUN + STEPS * PERIOD &&
			  e->kind != FS_FORECAST_AGE_FULL && e->kind != FS_FORECAST_HALF;
	}
	assert_int_equal(came, events);
	for (size_t i = 0; i < PENDING; i++) {
		check_alone(&turns[i]);
		for (size_t k = 0; levels && k < turns[i].n; k++)
			assert_true(turns[i].v[k].told);
	}
	return came;
}

static size_t agree(const char *flags, bool levels, uint64_t seed, int sites)
{
	size_t came = 0;

	for (int i = 0; i < sites; i++) {
		struct site s = { 0 };
		fs_forecast *f;

		draw(&s, &seed, flags);
		f = forecast(&s, FS_NO_ROW, job_row(s.m, 200), RUN + STEPS * PERIOD);
		for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
			assert_string_equal(fs_assumption_name((enum fs_assumption)a), all_names[a]);
			came += walk(&s, f, (enum fs_assumption)a, levels);
		}
		fs_forecast_free(f);
		close_site(&s);
	}
	return came;
}

static void fair_tree_forecasts_agree_with_stepwise_computation(void **state)
{
	(void)state;
	assert_true(agree("", true, 7, 24) > 80);
}

static void classic_forecasts_agree_with_stepwise_computation(void **state)
{
	(void)state;
	assert_true(agree("'NO_FAIR_TREE'", false, 11, 12) > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_user_is_passed_at_the_computed_time),
		cmocka_unit_test(waiting_passes_a_job_of_full_age),
		cmocka_unit_test(waiting_alone_never_passes_an_older_job),
		cmocka_unit_test(users_that_use_their_shares_do_not_pass_each_other),
		cmocka_unit_test(a_usage_reset_makes_nothing_certain),
		cmocka_unit_test(forecasts_without_a_time_span_or_a_row_are_refused),
		cmocka_unit_test(fair_tree_forecasts_agree_with_stepwise_computation),
		cmocka_unit_test(classic_forecasts_agree_with_stepwise_computation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
