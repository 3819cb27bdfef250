#include "usage/windows.h"

#include <math.h>
#include <stdlib.h>

/* ---- What running jobs have added to the current window, which no file holds until the window is over.
 *
 * Maui charges in every iteration (src/moab/MStats.c:MStatUpdateActiveJobUsage): to each running job the time since
 * the iteration before, nothing in the one in which it was first seen running. The first iteration of a window is
 * still charged to the window before (src/server/Server.c:ServerProcessRequests rolls after it). Iterations are
 * taken to be RMPOLLINTERVAL apart, the last one at the time of the snapshot.
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

	if ((job->state != FSI_STATE_RUNNING && !ended) || !FSI_HAS(job, JOB, start_time) ||
	    job->start_time > now)
		return 0;
	if (ended && job->end_time <= now) /* the last iteration that still saw it */
		to = now - ((now - job->end_time) / w->conf.poll_s + 1) * w->conf.poll_s;
	from = iteration_from(w, job->start_time);
	if (from < roll)
		from = roll;
	return to > from ? to - from : 0;
}

/* Charges the running jobs, by processors or their equivalents, to slot 0 of all credentials they have. */
static void charge_running(struct fsi_windows *w)
{
	uint32_t rows[FS_CRED_KINDS];

	for (size_t i = 0; i < w->m->job.n; i++) {
		const struct fsi_job *job = &w->m->job.v[i];
		const int64_t seconds = charged_s(w, job);
		double amount;

		if (!seconds)
			continue;
		amount = (double)seconds * (w->conf.policy == FSI_FS_DEDICATEDPES
						    ? fsi_maui_pe(w->m, &w->totals, job)
						    : (double)job->cpus);
		fsi_job_creds(w->m, &w->creds, job, rows);
		for (int k = 0; k < FS_CRED_KINDS; k++)
			if (rows[k] != FSI_NO_INDEX)
				w->usage[(size_t)rows[k] * w->slots] += amount;
		w->usage[(size_t)(w->n - 1) * w->slots] += amount;
	}
}

/* ---- the windows */

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
static int load(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect, int64_t start,
		struct fs_error *err)
{
	int rc;

	*w = (struct fsi_windows){ .m = m };
	rc = fsi_maui_conf_load(m, dialect, &w->conf, err);
	if (rc)
		return rc;
	if (make_room(w)) {
		fsi_windows_release(w);
		return fsi_nomem(err);
	}
	w->totals = fsi_maui_totals(m);
	w->start = start < 0 ? fsi_window_shown(&w->conf, m->info.time) : start;
	if (w->conf.policy != FSI_FS_NONE)
		take_records(w);
	charge_running(w);
	decay(w);
	return 0;
}

int fsi_windows_load(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect,
		     struct fs_error *err)
{
	return load(w, m, dialect, -1, err);
}

int fsi_windows_load_slot(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect, int64_t start,
			  struct fs_error *err)
{
	return load(w, m, dialect, start, err);
}

void fsi_windows_release(struct fsi_windows *w)
{
	free(w->usage);
	free(w->past);
	free(w->weight);
	fsi_creds_release(&w->creds);
	*w = (struct fsi_windows){ 0 };
}

double fsi_windows_percent(const struct fsi_windows *w, double usage)
{
	const double total = fsi_windows_total(w);

	return total > 0 ? usage / total * 100.0 : 0;
}

