#include "usage/maui_windows.h"

#include "base/error.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

/* What running jobs have added to the current window since its file was written, or since it began.
 *
 * Maui charges in every iteration (src/moab/MStats.c:MStatUpdateActiveJobUsage): to each running job the time since
 * the iteration before, nothing in the one in which it was first seen running. The first iteration of a window is
 * still charged to the window before (src/server/Server.c:ServerProcessRequests rolls after it). Iterations are
 * taken to be RMPOLLINTERVAL apart, the last one at the time of the snapshot. A server in NORMAL mode writes the
 * window's file at every checkpoint, after the iteration's charge (ServerProcessRequests); a simulation does not.
 *
 *   DEDICATEDPS, UTILIZEDPS   seconds * processors (UTILIZEDPS: where no load is known, as here)
 *   NONE                      as DEDICATEDPS, though it counts for nothing; no window is read, and none ever ends
 *   DEDICATEDPES              seconds * processor equivalents */

/* The first iteration at or after t. */
static int64_t iteration_from(const struct fsi_windows *w, int64_t t)
{
	const int64_t now = w->m->info.time;

	return now - (now - t) / w->conf.poll_s * w->conf.poll_s;
}

/* The seconds for which a job was charged to the current window. */
static int64_t charged_s(const struct fsi_windows *w, const struct fsi_job *job)
{
	const int64_t now = w->m->info.time;
	const bool rolls = w->conf.policy != FSI_FS_NONE;
	const int64_t roll = rolls ? iteration_from(w, w->start) : INT64_MIN;
	const bool ended = job->state == FSI_STATE_COMPLETED && FSI_HAS(job, JOB, end_time);
	int64_t from, to = now;

	if ((job->state != FSI_STATE_RUNNING && !ended) || !FSI_HAS(job, JOB, start_time) || job->start_time > now)
		return 0;
	if (ended && job->end_time <= now) /* the last iteration that still saw it */
		to = now - ((now - job->end_time) / w->conf.poll_s + 1) * w->conf.poll_s;
	from = iteration_from(w, job->start_time);
	if (from < roll)
		from = roll;
	if (from < w->written)
		from = w->written;
	return to > from ? to - from : 0;
}

/* Charges the running jobs, by processors or their equivalents, to slot 0 of all credentials they have. */
static void maui_charge(struct fsi_windows *w)
{
	uint32_t rows[FS_CRED_KINDS];

	for (size_t i = 0; i < w->m->job.n; i++) {
		const struct fsi_job *job = &w->m->job.v[i];
		const int64_t seconds = charged_s(w, job);
		double amount;

		if (!seconds)
			continue;
		amount = (double)seconds * (w->conf.policy == FSI_FS_DEDICATEDPES
						    ? fsi_maui_processor_equivalents(w->m, &w->totals, job)
						    : (double)job->cpus);
		fsi_job_creds(w->m, &w->creds, job, rows);
		for (int k = 0; k < FS_CRED_KINDS; k++)
			if (rows[k] != FSI_NO_INDEX)
				w->usage[(size_t)rows[k] * w->slots] += amount;
		w->usage[(size_t)(w->n - 1) * w->slots] += amount;
	}
}

static double *slot_of(struct fsi_windows *w, uint32_t row, int64_t start)
{
	const int64_t age = w->start - start;

	if (age < 0 || age % w->conf.interval_s || age / w->conf.interval_s >= (int64_t)w->slots)
		return NULL;
	return w->usage + (size_t)row * w->slots + age / w->conf.interval_s;
}

/* A later record of the same window replaces an earlier one, as lines of a file do. */
static void take_records(struct fsi_windows *w)
{
	const fs_snapshot *m = w->m;

	for (size_t i = 0; i < m->window.n; i++) {
		const struct fsi_window *x = &m->window.v[i];
		const int kind = fsi_cred_kind(fsi_str(m, x->kind));
		const uint32_t row =
			kind == FS_CRED_KINDS
				? w->n - 1
				: fsi_creds_find(&w->creds, (enum fs_cred_kind)kind, x->name);
		double *u = row == FSI_NO_INDEX ? NULL : slot_of(w, row, x->start);

		if (u)
			*u = x->usage_s;
		if (x->start == w->start && FSI_HAS(x, WINDOW, written) && x->written > w->written)
			w->written = x->written;
	}
}

static void decay(struct fsi_windows *w)
{
	for (uint32_t i = 0; i < w->slots; i++)
		w->weight[i] = pow(w->conf.decay, i);
	for (uint32_t row = 0; row < w->n; row++) {
		const double *u = fsi_windows_of(w, row);

		for (uint32_t i = 1; i < w->conf.depth; i++)
			w->past[row] += u[i] * w->weight[i];
	}
}

static int make_room(struct fsi_windows *w)
{
	w->slots = w->conf.depth ? w->conf.depth : 1;
	w->n = (uint32_t)w->m->credential.n + 1;
	w->usage = calloc((size_t)w->n * w->slots, sizeof(*w->usage));
	w->past = calloc(w->n, sizeof(*w->past));
	w->weight = calloc(w->slots, sizeof(*w->weight));
	return w->usage && w->past && w->weight ? fsi_creds_init(&w->creds, w->m) : -1;
}

int64_t fsi_window_shown(const struct fsi_maui_conf *c, int64_t now)
{
	const int64_t before = now - c->poll_s;

	return before - before % c->interval_s;
}

/* A start below 0 asks for the window shown at the snapshot's time. */
static int load(struct fsi_windows *w, const fs_snapshot *m, int64_t start, struct fs_error *err)
{
	int rc;

	*w = (struct fsi_windows){ .m = m };
	rc = fsi_maui_conf_load(m, &w->conf, err);
	if (rc)
		return rc;
	if (make_room(w)) {
		fsi_windows_release(w);
		return fsi_nomem(err);
	}
	w->totals = fsi_maui_count_totals(m);
	w->start = start < 0 ? fsi_window_shown(&w->conf, m->info.time) : start;
	if (w->conf.policy != FSI_FS_NONE)
		take_records(w);
	maui_charge(w);
	decay(w);
	return 0;
}

int fsi_windows_load(struct fsi_windows *w, const fs_snapshot *m, struct fs_error *err)
{
	return load(w, m, -1, err);
}

int fsi_windows_load_slot(struct fsi_windows *w, const fs_snapshot *m, int64_t start, struct fs_error *err)
{
	return load(w, m, start, err);
}

void fsi_windows_release(struct fsi_windows *w)
{
	free(w->usage);
	free(w->past);
	free(w->weight);
	fsi_creds_release(&w->creds);
	*w = (struct fsi_windows){ 0 };
}

int fsi_windows_last_effect(const fs_snapshot *m, int64_t *out, struct fs_error *err)
{
	struct fsi_maui_conf c;
	const int rc = fsi_maui_conf_load(m, &c, err);

	if (!rc)
		*out = m->info.time + ((int64_t)c.depth + 1) * c.interval_s;
	return rc;
}

double fsi_windows_percent(const struct fsi_windows *w, double usage)
{
	const double total = fsi_windows_total(w);

	return total > 0 ? usage / total * 100.0 : 0;
}

static int64_t iteration_at(const struct fsi_window_clock *c, int64_t t)
{
	const int64_t s = t > c->began ? t - c->began : 0;

	return c->began + (s + c->conf.poll_s - 1) / c->conf.poll_s * c->conf.poll_s;
}

/* The number of the window that is current at that iteration. */
static int64_t window_clock_number(const struct fsi_window_clock *c, int64_t t)
{
	return (t - c->conf.poll_s - c->window) / c->conf.interval_s;
}

int64_t fsi_window_clock_first(const struct fsi_window_clock *c, int64_t k)
{
	return iteration_at(c, c->window + k * c->conf.interval_s + c->conf.poll_s);
}

static int64_t last_iteration(const struct fsi_window_clock *c, int64_t k)
{
	return fsi_window_clock_first(c, k + 1) - c->conf.poll_s;
}

/* ---- records */

static int add_to_window(fs_snapshot *m, int64_t start, uint32_t kind, uint32_t name, double usage_s)
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

		if (add_to_window(c->m, start, cr->kind, cr->name, usage_s[i]))
			return -1;
	}
	return add_to_window(c->m, start, all, 0, usage_s[c->rows - 1]);
}

/* Fills what window 0 of c->m holds. */
static double *take_current(struct fsi_window_clock *c, struct fs_error *err)
{
	struct fsi_windows w;
	double *v;

	if (fsi_windows_load(&w, c->m, err))
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

int fsi_window_clock_begin(struct fsi_window_clock *c, const fs_snapshot *m,
			   enum fs_running running, const double *rate, struct fs_error *err)
{
	const int64_t before = m->info.time;
	int rc;

	*c = (struct fsi_window_clock){ .began = before, .rate = rate, .steady = 1 };
	rc = fsi_maui_conf_load(m, &c->conf, err);
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
		c->steady = window_clock_number(c, iteration_at(c, c->end[c->nends - 1])) + 1;
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
	const int rc = set(c, k, last_iteration(c, k), err);
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
	const int64_t k = c->conf.policy == FSI_FS_NONE ? 0 : window_clock_number(c, t);
	int rc = 0;

	while (!rc && (int64_t)c->closed.n < k && (int64_t)c->closed.n <= c->steady)
		rc = close_window(c, (int64_t)c->closed.n, err);
	return rc ? rc : set(c, k, t, err);
}
