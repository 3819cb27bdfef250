/* When a factor that hangs on windows gets somewhere. Between two windows it moves only as running jobs are charged,
 * and one way only while the same ones run: usage and total are lines, and their quotient rises or falls throughout.
 * So the clock is set from one window, and from one end of a job, to the next, and only where the goal is met at the
 * end of such a stretch is the way there halved. Each moment is a copy of the snapshot with that clock, in which
 * what ended windows were charged stands as the scheduler's own files have it; the factor is what is computed of
 * that. A window is over at the first iteration that is one RMPOLLINTERVAL behind its end, which is still charged to
 * it (libfs/usage/maui_charge.c). When as many have gone by as count, and nothing ends any more, each is as the
 * last. */
#include "base/error.h"
#include "base/options.h"
#include "model/scheduler.h"
#include "solve/solver.h"
#include "usage/windows.h"

#include <fs/snapshot.h>

#include <math.h>
#include <stdlib.h>

enum { MAX_WINDOWS = 1000 };

struct clock {
	fs_snapshot *m;
	struct fs_solve_options o;
	struct fs_error *err;
	struct fsi_solve_credential of;
	struct fsi_maui_conf conf;
	int64_t began; /* the snapshot's time: iterations are so many times poll_s behind it */
	int64_t window; /* start of the one that is current */
	int64_t *end;	/* of running jobs, rising; those that matter */
	size_t nends;
	double last; /* the factor at the iteration looked at last */
};

static int factor_at(struct clock *c, int64_t t, double *out)
{
	struct fs_window_row row;
	int rc;

	c->m->info.time = t;
	rc = fsi_solve_window_row(&row, &c->of, c->m, &c->o, c->err);
	*out = c->last = row.factor;
	return rc;
}

/* The first iteration at or after t. */
static int64_t iteration(const struct clock *c, int64_t t)
{
	const int64_t s = t > c->began ? t - c->began : 0;

	return c->began + (s + c->conf.poll_s - 1) / c->conf.poll_s * c->conf.poll_s;
}

static int64_t first_of(const struct clock *c)
{
	return iteration(c, c->window + c->conf.poll_s);
}

static int64_t last_of(const struct clock *c)
{
	return iteration(c, c->window + c->conf.interval_s + c->conf.poll_s) - c->conf.poll_s;
}

/* ---- what is charged */

/* What the current window holds at that iteration becomes a record of it. */
static int close_window(struct clock *c, int64_t t)
{
	const uint32_t all = fsi_name(c->m, "sched");
	struct fsi_windows w;
	int rc;

	c->m->info.time = t;
	rc = fsi_windows_load(&w, c->m, c->o.view.maui_dialect, c->err);
	if (rc)
		return rc;
	rc = all == FSI_INTERN_FAILED ||
	     fsi_solve_add_window(c->m, w.start, all, 0, fsi_windows_of(&w, w.n - 1)[0])
		     ? -1
		     : 0;
	for (uint32_t i = 0; !rc && i + 1 < w.n; i++) {
		const struct fsi_credential *cr = &c->m->credential.v[i];

		rc = fsi_solve_add_window(c->m, w.start, cr->kind, cr->name, fsi_windows_of(&w, i)[0]);
	}
	fsi_windows_release(&w);
	return rc ? fsi_nomem(c->err) : 0;
}

static int rising(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* Jobs that run end at their limits, as far as they have one. */
static int end_at_limits(struct clock *c)
{
	c->end = calloc(c->m->job.n + 1, sizeof(*c->end));
	if (!c->end)
		return fsi_nomem(c->err);
	for (size_t i = 0; i < c->m->job.n; i++) {
		struct fsi_job *j = &c->m->job.v[i];

		if (j->state != FSI_STATE_RUNNING || !FSI_HAS(j, JOB, start_time) || !FSI_HAS(j, JOB, time_limit_s) ||
		    FSI_SPECIAL(j, JOB, time_limit_s))
			continue;
		j->state = FSI_STATE_COMPLETED;
		j->end_time = j->start_time + j->time_limit_s;
		FSI_SET(j, JOB, end_time);
		c->end[c->nends++] = j->end_time;
	}
	if (c->nends)
		qsort(c->end, c->nends, sizeof(*c->end), rising);
	return 0;
}

static int suppose(struct clock *c, enum fs_assumption a)
{
	int rc;

	if (a == FS_ASSUME_RUNNING)
		return end_at_limits(c);
	if (a != FS_ASSUME_IDLE)
		return 0;
	rc = close_window(c, c->began);
	for (size_t i = 0; !rc && i < c->m->job.n; i++)
		if (c->m->job.v[i].state == FSI_STATE_RUNNING || c->m->job.v[i].state == FSI_STATE_COMPLETED)
			c->m->job.v[i].state = FSI_STATE_CANCELLED;
	return rc;
}

/* ---- the way */

static bool met(const struct clock *c, double factor)
{
	return factor >= c->o.value;
}

static int found(struct clock *c, int64_t t, double before, struct fs_solve_time *out)
{
	out->never = false;
	out->time = t;
	out->before = before;
	return factor_at(c, t, &out->after);
}

/* Met at `to`, and not at `from`, between which nothing ends. */
static int halve(struct clock *c, int64_t from, int64_t to, struct fs_solve_time *out)
{
	double f = NAN;
	int rc = 0;

	while (!rc && to - from > c->conf.poll_s) {
		const int64_t half = iteration(c, from + (to - from) / 2);
		const int64_t at = half < to ? half : to - c->conf.poll_s;

		rc = factor_at(c, at, &f);
		if (met(c, f))
			to = at;
		else
			from = at;
	}
	if (!rc)
		rc = factor_at(c, from, &f);
	return rc ? rc : found(c, to, f, out);
}

/* The iteration at which the stretch that begins with this one ends, at most `last`. */
static int64_t stretch_end(const struct clock *c, int64_t from, int64_t last)
{
	for (size_t i = 0; i < c->nends; i++) {
		const int64_t t = iteration(c, c->end[i]);

		if (t > from)
			return t < last ? t : last;
	}
	return last;
}

/* Within the current window, from that iteration on. *done: it was found. */
static int look_within(struct clock *c, int64_t from, struct fs_solve_time *out, bool *done)
{
	const int64_t last = last_of(c);
	const double before = c->last;
	double f;
	int rc = factor_at(c, from, &f);

	*done = !rc && met(c, f);
	if (rc || *done)
		return rc ? rc : found(c, from, before, out);
	while (from < last && !*done) {
		const int64_t to = stretch_end(c, from, last);

		rc = factor_at(c, to, &f);
		*done = !rc && met(c, f);
		if (rc || *done)
			return rc ? rc : halve(c, from, to, out);
		from = to;
	}
	return 0;
}

/* So many until each is as the one before. */
static int64_t windows_of(const struct clock *c)
{
	const int64_t end = c->nends ? c->end[c->nends - 1] : c->began, more = end > c->began ? end - c->began : 0;
	const int64_t n = more / c->conf.interval_s + c->conf.depth + 2;

	return n < MAX_WINDOWS ? n : MAX_WINDOWS;
}

static int run(struct clock *c, struct fs_solve_time *out)
{
	const int64_t n = windows_of(c), before = c->began - c->conf.poll_s;
	bool done = false;
	int rc = factor_at(c, c->began, &out->before);

	c->window = before - before % c->conf.interval_s;
	for (int64_t k = 0; k < n && !rc && !done; k++, c->window += c->conf.interval_s) {
		const int64_t first = first_of(c), next = c->began + c->conf.poll_s;

		if (k || next <= last_of(c))
			rc = look_within(c, k ? first : next, out, &done);
		if (!rc && !done)
			rc = close_window(c, last_of(c));
	}
	return rc;
}

static int begin(struct clock *c, const fs_snapshot *m)
{
	struct fs_window_row row;
	int rc;

	if (!m->scheduler->write_target)
		return fsi_fail(c->err, FS_EUSAGE, "%s: there are no windows", m->file);
	rc = fsi_solve_factor_of(&c->of, m, &c->o, &row, c->err);
	if (!rc && !(row.target > 0))
		rc = fsi_fail(c->err, FS_EUSAGE, "it has no target, and with that no factor");
	if (!rc)
		rc = fsi_maui_conf_load(m, c->o.view.maui_dialect, &c->conf, c->err);
	if (!rc)
		rc = fs_snapshot_copy(&c->m, m, c->err);
	if (!rc && fsi_model_own(c->m))
		rc = fsi_nomem(c->err);
	c->began = m->info.time;
	return rc;
}

int fs_solve_window_time(const fs_snapshot *m, const struct fs_solve_options *options,
			 enum fs_assumption assumption, struct fs_solve_time *out, struct fs_error *err)
{
	struct clock c = { .err = err, .last = NAN };
	int rc;

	FSI_OPTIONS(c.o, options);
	c.o.view.usage = NULL;
	*out = (struct fs_solve_time){ .never = true, .time = FS_UNKNOWN, .before = NAN, .after = NAN };
	rc = begin(&c, m);
	if (!rc)
		rc = suppose(&c, assumption);
	if (!rc)
		rc = run(&c, out);
	if (!rc && out->never)
		out->after = c.last;
	free(c.end);
	fs_snapshot_free(c.m);
	return rc;
}
