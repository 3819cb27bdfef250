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
#include "usage/window_clock.h"

#include <fs/snapshot.h>

#include <math.h>

enum { MAX_WINDOWS = 1000 };

struct clock {
	struct fsi_window_clock to;
	struct fs_solve_options o;
	struct fs_error *err;
	struct fsi_solve_credential of;
	double last; /* the factor at the iteration looked at last */
};

static int factor_at(struct clock *c, int64_t t, double *out)
{
	struct fs_window_row row;
	int rc = fsi_window_clock_set(&c->to, t, c->err);

	if (!rc)
		rc = fsi_solve_window_row(&row, &c->of, c->to.m, &c->o, c->err);
	if (!rc)
		*out = c->last = row.factor;
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

	while (!rc && to - from > c->to.conf.poll_s) {
		const int64_t half = fsi_window_clock_iteration(&c->to, from + (to - from) / 2);
		const int64_t at = half < to ? half : to - c->to.conf.poll_s;

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
	for (size_t i = 0; i < c->to.nends; i++) {
		const int64_t t = fsi_window_clock_iteration(&c->to, c->to.end[i]);

		if (t > from)
			return t < last ? t : last;
	}
	return last;
}

/* Within window k, from that iteration on. *done: it was found. */
static int look_within(struct clock *c, int64_t k, int64_t from, struct fs_solve_time *out, bool *done)
{
	const int64_t last = fsi_window_clock_last(&c->to, k);
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

static int run(struct clock *c, struct fs_solve_time *out)
{
	const int64_t windows = c->to.steady + c->to.conf.depth + 1, n = windows < MAX_WINDOWS ? windows : MAX_WINDOWS;
	const int64_t next = c->to.began + c->to.conf.poll_s;
	bool done = false;
	int rc = factor_at(c, c->to.began, &out->before);

	for (int64_t k = 0; k < n && !rc && !done; k++)
		if (k || next <= fsi_window_clock_last(&c->to, k))
			rc = look_within(c, k, k ? fsi_window_clock_first(&c->to, k) : next, out, &done);
	return rc;
}

static enum fs_running what_runs(enum fs_assumption a)
{
	if (a == FS_ASSUME_IDLE)
		return FS_RUNNING_NONE;
	return a == FS_ASSUME_RUNNING ? FS_RUNNING_TO_LIMIT : FS_RUNNING_FOR_EVER;
}

static int begin(struct clock *c, const fs_snapshot *m, enum fs_assumption a)
{
	struct fs_window_row row;
	int rc;

	if (!m->scheduler->in_windows)
		return fsi_fail(c->err, FS_EUSAGE, "%s: there are no windows", m->file);
	rc = fsi_solve_factor_of(&c->of, m, &c->o, &row, c->err);
	if (!rc && !(row.target > 0))
		rc = fsi_fail(c->err, FS_EUSAGE, "it has no target, and with that no factor");
	return rc ? rc : fsi_window_clock_begin(&c->to, m, c->o.view.maui_dialect, what_runs(a), NULL, c->err);
}

int fs_solve_window_time(const fs_snapshot *m, const struct fs_solve_options *options,
			 enum fs_assumption assumption, struct fs_solve_time *out, struct fs_error *err)
{
	struct fs_error own;
	struct clock c = { .err = err ? err : &own, .last = NAN };
	int rc;

	FSI_OPTIONS(c.o, options);
	c.o.view.usage = NULL;
	*out = (struct fs_solve_time){ .never = true, .time = FS_UNKNOWN, .before = NAN, .after = NAN };
	rc = begin(&c, m, assumption);
	if (!rc)
		rc = run(&c, out);
	if (!rc && out->never)
		out->after = c.last;
	fsi_window_clock_release(&c.to);
	return rc;
}
