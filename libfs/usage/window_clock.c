#include "usage/window_clock.h"

#include "base/error.h"

#include <stdlib.h>

int64_t fsi_window_clock_iteration(const struct fsi_window_clock *c, int64_t t)
{
	const int64_t s = t > c->began ? t - c->began : 0;

	return c->began + (s + c->conf.poll_s - 1) / c->conf.poll_s * c->conf.poll_s;
}

int64_t fsi_window_clock_number(const struct fsi_window_clock *c, int64_t t)
{
	return (t - c->conf.poll_s - c->window) / c->conf.interval_s;
}

int64_t fsi_window_clock_first(const struct fsi_window_clock *c, int64_t k)
{
	return fsi_window_clock_iteration(c, c->window + k * c->conf.interval_s + c->conf.poll_s);
}

int64_t fsi_window_clock_last(const struct fsi_window_clock *c, int64_t k)
{
	return fsi_window_clock_first(c, k + 1) - c->conf.poll_s;
}

/* ---- records */

int fsi_window_add(fs_snapshot *m, int64_t start, uint32_t kind, uint32_t name, double usage_s)
{
	struct fsi_window r = { .start = start, .kind = kind, .name = name, .usage_s = usage_s };

	FSI_SET(&r, WINDOW, start);
	FSI_SET(&r, WINDOW, kind);
	FSI_SET(&r, WINDOW, name);
	FSI_SET(&r, WINDOW, usage_s);
	if (FSI_VEC_ROOM(&m->window))
		return -1;
	m->window.v[m->window.n++] = r;
	return 0;
}

/* Adds what each credential, and all of them, have in window k; a later record counts. */
static int add_records(struct fsi_window_clock *c, int64_t k, const double *usage_s)
{
	const uint32_t all = fsi_name(c->m, fs_cred_kind_name(FS_CRED_KINDS));
	const int64_t start = c->window + k * c->conf.interval_s;

	if (all == FSI_INTERN_FAILED)
		return -1;
	for (uint32_t i = 0; i + 1 < c->rows; i++) {
		const struct fsi_credential *cr = &c->m->credential.v[i];

		if (fsi_window_add(c->m, start, cr->kind, cr->name, usage_s[i]))
			return -1;
	}
	return fsi_window_add(c->m, start, all, 0, usage_s[c->rows - 1]);
}

/* Fills what window 0 of c->m holds. */
static double *take_current(struct fsi_window_clock *c, struct fs_error *err)
{
	struct fsi_windows w;
	double *v;

	if (fsi_windows_load(&w, c->m, c->conf.dialect, err))
		return NULL;
	v = calloc(w.n, sizeof(*v));
	for (uint32_t i = 0; v && i < w.n; i++)
		v[i] = fsi_windows_of(&w, i)[0];
	if (!v)
		fsi_nomem(err);
	fsi_windows_release(&w);
	return v;
}

/* ---- what runs */

static int rising(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* Jobs that run end at their limits, as far as they have one. */
static int end_at_limits(struct fsi_window_clock *c)
{
	c->end = calloc(c->m->job.n + 1, sizeof(*c->end));
	for (size_t i = 0; c->end && i < c->m->job.n; i++) {
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
	return c->end ? 0 : -1;
}

/* What was charged until now stays, and nothing more is. */
static int end_now(struct fsi_window_clock *c, struct fs_error *err)
{
	double *v = take_current(c, err);
	const int rc = v ? add_records(c, 0, v) : 0;

	if (!v)
		return err->code;
	free(v);
	for (size_t i = 0; !rc && i < c->m->job.n; i++)
		if (c->m->job.v[i].state == FSI_STATE_RUNNING || c->m->job.v[i].state == FSI_STATE_COMPLETED)
			c->m->job.v[i].state = FSI_STATE_CANCELLED;
	return rc ? fsi_nomem(err) : 0;
}

int fsi_window_clock_begin(struct fsi_window_clock *c, const fs_snapshot *m, enum fs_maui_dialect dialect,
			   enum fs_running running, const double *rate, struct fs_error *err)
{
	const int64_t before = m->info.time;
	int rc;

	*c = (struct fsi_window_clock){ .began = before, .rate = rate, .steady = 1 };
	rc = fsi_maui_conf_load(m, dialect, &c->conf, err);
	if (!rc)
		rc = fs_snapshot_copy(&c->m, m, err);
	if (rc)
		return rc;
	c->rows = (uint32_t)m->credential.n + 1;
	c->window = (before - c->conf.poll_s) - (before - c->conf.poll_s) % c->conf.interval_s;
	if (fsi_model_own(c->m) || (running == FS_RUNNING_TO_LIMIT && end_at_limits(c)))
		rc = fsi_nomem(err);
	if (!rc && running == FS_RUNNING_NONE)
		rc = end_now(c, err);
	c->kept = c->m->window.n;
	if (c->nends)
		c->steady = fsi_window_clock_number(c, fsi_window_clock_iteration(c, c->end[c->nends - 1])) + 1;
	c->steady = c->steady > 1 ? c->steady : 1;
	return rc;
}

void fsi_window_clock_release(struct fsi_window_clock *c)
{
	for (size_t i = 0; i < c->closed.n; i++)
		free(c->closed.v[i]);
	FSI_VEC_FREE(&c->closed);
	free(c->end);
	fs_snapshot_free(c->m);
	*c = (struct fsi_window_clock){ 0 };
}

/* ---- the clock */

/* Adds what is charged by rates to window k until t. */
static int add_rates(struct fsi_window_clock *c, int64_t k, int64_t t, struct fs_error *err)
{
	const int64_t roll = fsi_window_clock_first(c, k) - c->conf.poll_s, from = roll > c->began ? roll : c->began;
	double *v = take_current(c, err);
	int rc;

	if (!v)
		return err->code;
	for (uint32_t i = 0; i < c->rows; i++)
		v[i] += c->rate[i] * (double)(t - from);
	rc = add_records(c, k, v) ? fsi_nomem(err) : 0;
	free(v);
	return rc;
}

/* Sets it to t, in window k, before which all are closed, as far as they differ. */
static int set(struct fsi_window_clock *c, int64_t k, int64_t t, struct fs_error *err)
{
	const int64_t first = k > (int64_t)c->conf.depth ? k - (int64_t)c->conf.depth : 0;

	c->m->info.time = t;
	c->m->window.n = c->kept;
	for (int64_t i = first; i < k; i++)
		if (add_records(c, i, c->closed.v[i < c->steady ? i : c->steady]))
			return fsi_nomem(err);
	return c->rate ? add_rates(c, k, t, err) : 0;
}

/* What the window holds at its last iteration is kept. */
static int close_window(struct fsi_window_clock *c, int64_t k, struct fs_error *err)
{
	const int rc = set(c, k, fsi_window_clock_last(c, k), err);
	double *v;

	if (rc)
		return rc;
	v = take_current(c, err);
	if (!v)
		return err->code;
	if (FSI_VEC_ROOM(&c->closed)) {
		free(v);
		return fsi_nomem(err);
	}
	c->closed.v[c->closed.n++] = v;
	return 0;
}

int fsi_window_clock_set(struct fsi_window_clock *c, int64_t t, struct fs_error *err)
{
	const int64_t k = c->conf.policy == FSI_FS_NONE ? 0 : fsi_window_clock_number(c, t);
	int rc = 0;

	while (!rc && (int64_t)c->closed.n < k && (int64_t)c->closed.n <= c->steady)
		rc = close_window(c, (int64_t)c->closed.n, err);
	return rc ? rc : set(c, k, t, err);
}
