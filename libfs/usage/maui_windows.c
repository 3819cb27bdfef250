#include "usage/maui_windows.h"

#include "base/error.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

/* Charges running jobs to the current window. The charge begins when Maui last wrote the window's file, or at the start
 * of the window if Maui has not written the file.
 *
 * In every iteration Maui charges each running job for the time since the previous iteration
 * (src/moab/MStats.c:MStatUpdateActiveJobUsage). In the first iteration in which a job runs, Maui charges nothing for
 * this job. The first iteration after the start of a window still charges the previous window, because
 * src/server/Server.c:ServerProcessRequests starts the new window only after the charge. Iterations are assumed to be
 * RMPOLLINTERVAL apart, with the last one at the snapshot's time. A server in NORMAL mode writes the file of a window
 * at every checkpoint, after the iteration's charge (ServerProcessRequests). A simulation does not write window files.
 *
 * Charge of a job, by FSPOLICY:
 *   DEDICATEDPS    seconds * processors
 *   UTILIZEDPS     seconds * processors, because snapshots do not contain the load of jobs
 *   DEDICATEDPES   seconds * processor equivalents
 *   NONE           seconds * processors; fair share ignores this usage, and the current window never ends */

/* Returns the time of Maui's first scheduling iteration at or after t. */
static int64_t find_next_iteration(const struct fsi_windows *w, int64_t t)
{
	const int64_t now = w->m->info.time;

	return now - (now - t) / w->conf.poll_s * w->conf.poll_s;
}

/* Returns the number of seconds for which a job has been charged to the current window. */
static int64_t count_charged_seconds(const struct fsi_windows *w, const struct fsi_job *job)
{
	const int64_t now = w->m->info.time;
	const bool rolls = w->conf.policy != FSI_FS_NONE;
	const int64_t roll = rolls ? find_next_iteration(w, w->start) : INT64_MIN;
	const bool ended = job->state == FSI_STATE_COMPLETED && FSI_HAS(job, JOB, end_time);
	int64_t from, to = now;

	if ((job->state != FSI_STATE_RUNNING && !ended) || !FSI_HAS(job, JOB, start_time) || job->start_time > now)
		return 0;
	if (ended && job->end_time <= now) /* time of the last iteration in which the job was running */
		to = now - ((now - job->end_time) / w->conf.poll_s + 1) * w->conf.poll_s;
	from = find_next_iteration(w, job->start_time);
	if (from < roll)
		from = roll;
	if (from < w->written)
		from = w->written;
	return to > from ? to - from : 0;
}

/* Adds the charges of running jobs to the current window of each of their credentials and of the total. */
static void charge_current_window(struct fsi_windows *w)
{
	uint32_t rows[FS_CRED_KINDS];

	for (size_t i = 0; i < w->m->job.n; i++) {
		const struct fsi_job *job = &w->m->job.v[i];
		const int64_t seconds = count_charged_seconds(w, job);
		double amount;

		if (!seconds)
			continue;
		amount = (double)seconds * (w->conf.policy == FSI_FS_DEDICATEDPES
						    ? fsi_maui_processor_equivalents(w->m, &w->totals, job)
						    : (double)job->cpus);
		fsi_job_find_creds(w->m, &w->creds, job, rows);
		for (int k = 0; k < FS_CRED_KINDS; k++)
			if (rows[k] != FSI_NO_INDEX)
				w->usage[(size_t)rows[k] * w->slots] += amount;
		w->usage[(size_t)(w->n - 1) * w->slots] += amount;
	}
}

static double *find_window_slot(struct fsi_windows *w, uint32_t row, int64_t start)
{
	const int64_t age = w->start - start;

	if (age < 0 || age % w->conf.interval_s || age / w->conf.interval_s >= (int64_t)w->slots)
		return NULL;
	return w->usage + (size_t)row * w->slots + age / w->conf.interval_s;
}

/* Reads the window records. A later record of the same window and credential replaces an earlier one, as with the lines
 * of Maui's files. */
static void read_window_records(struct fsi_windows *w)
{
	const fs_snapshot *m = w->m;

	for (size_t i = 0; i < m->window.n; i++) {
		const struct fsi_window *x = &m->window.v[i];
		const int kind = fsi_parse_cred_kind(fsi_name_text(m, x->kind));
		const uint32_t row =
			kind == FS_CRED_KINDS
				? w->n - 1
				: fsi_creds_find(&w->creds, (enum fs_cred_kind)kind, x->name);
		double *u = row == FSI_NO_INDEX ? NULL : find_window_slot(w, row, x->start);

		if (u)
			*u = x->usage_s;
		if (x->start == w->start && FSI_HAS(x, WINDOW, written) && x->written > w->written)
			w->written = x->written;
	}
}

static void sum_past_slots(struct fsi_windows *w)
{
	for (uint32_t i = 0; i < w->slots; i++)
		w->weight[i] = pow(w->conf.decay, i);
	for (uint32_t row = 0; row < w->n; row++) {
		const double *u = fsi_windows_of_row(w, row);

		for (uint32_t i = 1; i < w->conf.depth; i++)
			w->past[row] += u[i] * w->weight[i];
	}
}

static int allocate_window_tables(struct fsi_windows *w)
{
	w->slots = w->conf.depth ? w->conf.depth : 1;
	w->n = (uint32_t)w->m->credential.n + 1;
	w->usage = calloc((size_t)w->n * w->slots, sizeof(*w->usage));
	w->past = calloc(w->n, sizeof(*w->past));
	w->weight = calloc(w->slots, sizeof(*w->weight));
	return w->usage && w->past && w->weight ? fsi_creds_init(&w->creds, w->m) : -1;
}

int64_t fsi_window_start_shown(const struct fsi_maui_conf *c, int64_t now)
{
	const int64_t before = now - c->poll_s;

	return before - before % c->interval_s;
}

/* Returns the start of the current window. If the snapshot has usage of the window in which the capture was made, Maui
 * has begun this window: it writes or reads the window's file only then (src/Server.c, src/moab/MFS.c:
 * MFSInitialize). */
static int64_t find_current_window(const fs_snapshot *m, const struct fsi_maui_conf *c)
{
	const int64_t newest = m->info.time - m->info.time % c->interval_s;

	for (size_t i = 0; i < m->window.n; i++)
		if (m->window.v[i].start == newest)
			return newest;
	return fsi_window_start_shown(c, m->info.time);
}

/* Loads the window that begins at `start` as the current window, and the windows before it. If start < 0, the current
 * window is the window that is current at the snapshot's time. */
static int load_windows_at(struct fsi_windows *w, const fs_snapshot *m, int64_t start, struct fs_error *err)
{
	int rc;

	*w = (struct fsi_windows){ .m = m };
	rc = fsi_maui_conf_load(m, &w->conf, err);
	if (rc)
		return rc;
	if (allocate_window_tables(w)) {
		fsi_windows_release(w);
		return fsi_fail_no_memory(err);
	}
	w->totals = fsi_maui_count_totals(m);
	w->start = start < 0 ? find_current_window(m, &w->conf) : start;
	if (w->conf.policy != FSI_FS_NONE)
		read_window_records(w);
	charge_current_window(w);
	sum_past_slots(w);
	return 0;
}

int fsi_windows_load(struct fsi_windows *w, const fs_snapshot *m, struct fs_error *err)
{
	return load_windows_at(w, m, -1, err);
}

int fsi_windows_load_slot(struct fsi_windows *w, const fs_snapshot *m, int64_t start, struct fs_error *err)
{
	return load_windows_at(w, m, start, err);
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

static int64_t find_clock_iteration(const struct fsi_window_clock *c, int64_t t)
{
	const int64_t s = t > c->start_time ? t - c->start_time : 0;

	return c->start_time + (s + c->conf.poll_s - 1) / c->conf.poll_s * c->conf.poll_s;
}

/* Returns the number of the window that is current in the iteration at time t. */
static int64_t get_window_number(const struct fsi_window_clock *c, int64_t t)
{
	return (t - c->conf.poll_s - c->first_window) / c->conf.interval_s;
}

int64_t fsi_window_clock_first(const struct fsi_window_clock *c, int64_t k)
{
	return find_clock_iteration(c, c->first_window + k * c->conf.interval_s + c->conf.poll_s);
}

static int64_t find_last_iteration(const struct fsi_window_clock *c, int64_t k)
{
	return fsi_window_clock_first(c, k + 1) - c->conf.poll_s;
}

/* ---- window records */

static int add_window_record(fs_snapshot *m, int64_t start, uint32_t kind, uint32_t name, double usage_s)
{
	struct fsi_window r = { .start = start, .kind = kind, .name = name, .usage_s = usage_s };

	FSI_SET(&r, WINDOW, start);
	FSI_SET(&r, WINDOW, kind);
	FSI_SET(&r, WINDOW, name);
	FSI_SET(&r, WINDOW, usage_s);
	if (FSI_VEC_RESERVE(&m->window))
		return -1;
	m->window.v[m->window.n++] = r;
	return 0;
}

/* Adds records for the usage of each credential, and of the total, in window k. The new records replace earlier records
 * of window k. */
static int add_window_records(struct fsi_window_clock *c, int64_t k, const double *usage_s)
{
	const uint32_t all = fsi_name_intern(c->m, fs_cred_kind_name(FS_CRED_KINDS));
	const int64_t start = c->first_window + k * c->conf.interval_s;

	if (all == FSI_INTERN_FAILED)
		return -1;
	for (uint32_t i = 0; i + 1 < c->rows; i++) {
		const struct fsi_credential *cr = &c->m->credential.v[i];

		if (add_window_record(c->m, start, cr->kind, cr->name, usage_s[i]))
			return -1;
	}
	return add_window_record(c->m, start, all, 0, usage_s[c->rows - 1]);
}

/* Returns the usage of each credential, the total last, in the current window of c->m; NULL on error. The caller frees
 * the array. */
static double *copy_current_usage(struct fsi_window_clock *c, struct fs_error *err)
{
	struct fsi_windows w;
	double *v;

	if (fsi_windows_load(&w, c->m, err))
		return NULL;
	v = calloc(w.n, sizeof(*v));
	for (uint32_t i = 0; v && i < w.n; i++)
		v[i] = fsi_windows_of_row(&w, i)[0];
	if (!v)
		fsi_fail_no_memory(err);
	fsi_windows_release(&w);
	return v;
}

/* ---- running jobs */

static int compare_times_rising(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* Marks running jobs with a time limit as completed, with their end at the limit. Fills c->job_ends. Returns -1 if out
 * of memory. */
static int end_jobs_at_limits(struct fsi_window_clock *c)
{
	c->job_ends = calloc(c->m->job.n + 1, sizeof(*c->job_ends));
	for (size_t i = 0; c->job_ends && i < c->m->job.n; i++) {
		struct fsi_job *j = &c->m->job.v[i];

		if (j->state != FSI_STATE_RUNNING || !FSI_HAS(j, JOB, start_time) || !FSI_HAS(j, JOB, time_limit_s) ||
		    FSI_SPECIAL(j, JOB, time_limit_s))
			continue;
		j->state = FSI_STATE_COMPLETED;
		j->end_time = j->start_time + j->time_limit_s;
		FSI_SET(j, JOB, end_time);
		c->job_ends[c->n_job_ends++] = j->end_time;
	}
	if (c->n_job_ends)
		qsort(c->job_ends, c->n_job_ends, sizeof(*c->job_ends), compare_times_rising);
	return c->job_ends ? 0 : -1;
}

/* Adds window records with the charges up to the snapshot's time. Then marks running and completed jobs as cancelled,
 * so that nothing more is charged for them. */
static int end_jobs_now(struct fsi_window_clock *c, struct fs_error *err)
{
	double *v = copy_current_usage(c, err);
	const int rc = v ? add_window_records(c, 0, v) : 0;

	if (!v)
		return err->code;
	free(v);
	for (size_t i = 0; !rc && i < c->m->job.n; i++)
		if (c->m->job.v[i].state == FSI_STATE_RUNNING || c->m->job.v[i].state == FSI_STATE_COMPLETED)
			c->m->job.v[i].state = FSI_STATE_CANCELLED;
	return rc ? fsi_fail_no_memory(err) : 0;
}

int fsi_window_clock_begin(struct fsi_window_clock *c, const fs_snapshot *m,
			   enum fs_running running, const double *rate, struct fs_error *err)
{
	const int64_t before = m->info.time;
	int rc;

	*c = (struct fsi_window_clock){ .start_time = before, .rate = rate, .steady_from = 1 };
	rc = fsi_maui_conf_load(m, &c->conf, err);
	if (!rc)
		rc = fs_snapshot_copy(&c->m, m, err);
	if (rc)
		return rc;
	c->rows = (uint32_t)m->credential.n + 1;
	c->first_window = (before - c->conf.poll_s) - (before - c->conf.poll_s) % c->conf.interval_s;
	if (fsi_model_own_tables(c->m) || (running == FS_RUNNING_TO_LIMIT && end_jobs_at_limits(c)))
		rc = fsi_fail_no_memory(err);
	if (!rc && running == FS_RUNNING_NONE)
		rc = end_jobs_now(c, err);
	c->own_records = c->m->window.n;
	if (c->n_job_ends)
		c->steady_from = get_window_number(c, find_clock_iteration(c, c->job_ends[c->n_job_ends - 1])) + 1;
	c->steady_from = c->steady_from > 1 ? c->steady_from : 1;
	return rc;
}

void fsi_window_clock_release(struct fsi_window_clock *c)
{
	for (size_t i = 0; i < c->closed.n; i++)
		free(c->closed.v[i]);
	FSI_VEC_FREE(&c->closed);
	free(c->job_ends);
	fs_snapshot_free(c->m);
	*c = (struct fsi_window_clock){ 0 };
}

/* ---- changing the snapshot to a later time */

/* Adds the charges up to time t to window k. c->rate has the charges per second. */
static int add_rate_charges(struct fsi_window_clock *c, int64_t k, int64_t t, struct fs_error *err)
{
	const int64_t roll = fsi_window_clock_first(c, k) - c->conf.poll_s,
		      from = roll > c->start_time ? roll : c->start_time;
	double *v = copy_current_usage(c, err);
	int rc;

	if (!v)
		return err->code;
	for (uint32_t i = 0; i < c->rows; i++)
		v[i] += c->rate[i] * (double)(t - from);
	rc = add_window_records(c, k, v) ? fsi_fail_no_memory(err) : 0;
	free(v);
	return rc;
}

/* Changes c->m to the state at time t, which is in window k. c->closed must contain the usage of all windows before k.
 * c->closed need not contain windows after c->steady_from, because these windows have the same usage as window
 * c->steady_from. */
static int set_clock_time(struct fsi_window_clock *c, int64_t k, int64_t t, struct fs_error *err)
{
	const int64_t first = k > (int64_t)c->conf.depth ? k - (int64_t)c->conf.depth : 0;

	c->m->info.time = t;
	c->m->window.n = c->own_records;
	for (int64_t i = first; i < k; i++)
		if (add_window_records(c, i, c->closed.v[i < c->steady_from ? i : c->steady_from]))
			return fsi_fail_no_memory(err);
	return c->rate ? add_rate_charges(c, k, t, err) : 0;
}

/* Appends to c->closed the usage that window k has at its last iteration. */
static int close_clock_window(struct fsi_window_clock *c, int64_t k, struct fs_error *err)
{
	const int rc = set_clock_time(c, k, find_last_iteration(c, k), err);
	double *v;

	if (rc)
		return rc;
	v = copy_current_usage(c, err);
	if (!v)
		return err->code;
	if (FSI_VEC_RESERVE(&c->closed)) {
		free(v);
		return fsi_fail_no_memory(err);
	}
	c->closed.v[c->closed.n++] = v;
	return 0;
}

int fsi_window_clock_set(struct fsi_window_clock *c, int64_t t, struct fs_error *err)
{
	const int64_t k = c->conf.policy == FSI_FS_NONE ? 0 : get_window_number(c, t);
	int rc = 0;

	while (!rc && (int64_t)c->closed.n < k && (int64_t)c->closed.n <= c->steady_from)
		rc = close_clock_window(c, (int64_t)c->closed.n, err);
	return rc ? rc : set_clock_time(c, k, t, err);
}
