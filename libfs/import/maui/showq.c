/* The rows that showq prints. Times of day in outputs are local: that of a queued job, beside the time of its trace,
 * tells the offset from UTC. */
#include "import/maui/queue.h"

#include "base/num.h"

#include <math.h>

static int add_row(struct fsi_queue *q, struct fsi_queue_row row, struct fsi_span name)
{
	row.job = fsi_maui_job(q->x, name);
	if (row.job == FSI_NO_INDEX && fsi_maui_add_job(q->x, name, &row.job))
		return FS_ENOMEM;
	if (FSI_VEC_ROOM(&q->row))
		return fsi_nomem(q->x->imp->err);
	q->row.v[q->row.n++] = row;
	return 0;
}

/* Total Jobs: N Active Jobs: N Idle Jobs: N Blocked Jobs: N */
static void note_totals(struct fsi_queue *q, struct fsi_span line)
{
	struct fsi_span w[12];
	const size_t n = fsi_span_words(line, w, 12);

	for (size_t i = FSI_QUEUE_NONE; i <= FSI_QUEUE_BLOCKED && 3 * i + 2 < n; i++)
		if (fsi_parse_i64(w[3 * i + 2].s, w[3 * i + 2].len, &q->total[i]))
			q->total[i] = -1;
}

/* JOBNAME USERNAME STATE PROC REMAINING|WCLIMIT Sun Sep 13 12:26:40 */
static int showq_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_queue *q = ctx;
	struct fsi_queue_row row = { .section = q->section,
				     .priority = -1,
				     .efficiency = (double)NAN };
	struct fsi_span w[9];

	if (fsi_span_begins(line, "ACTIVE JOBS"))
		q->section = FSI_QUEUE_ACTIVE;
	else if (fsi_span_begins(line, "IDLE JOBS"))
		q->section = FSI_QUEUE_IDLE;
	else if (fsi_span_begins(line, "BLOCKED JOBS"))
		q->section = FSI_QUEUE_BLOCKED;
	else if (q->section == FSI_QUEUE_ACTIVE && fsi_span_words(line, w, 9) == 6 &&
		 fsi_span_is(w[3], "Nodes") && fsi_parse_i64(w[0].s, w[0].len, &q->active_nodes))
		q->active_nodes = -1;
	else if (fsi_span_begins(line, "Total Jobs:"))
		note_totals(q, line);
	else if (q->section && fsi_span_words(line, w, 9) == 9 &&
		 !fsi_parse_i64(w[3].s, w[3].len, &row.procs) &&
		 !fsi_maui_duration(w[4], &row.time_s) &&
		 !fsi_maui_ctime(q->x, w + 5, &row.local)) {
		row.user = fsi_import_name(imp, w[1]);
		row.state = fsi_import_name(imp, w[2]);
		return add_row(q, row, w[0]);
	}
	return 0;
}

bool fsi_queue_is_mark(char c)
{
	return c == '_' || c == '+' || c == '*' || c == '-';
}

/* Is it a row of showq -r: JobName S [prio] Par Effic XFactor Q User Group MHost Procs Remaining StartTime, with no
 * word too few? Efficiency is ------ where nothing was used yet. */
static bool is_running_row(const struct fsi_queue *q, const struct fsi_span *w, size_t n, struct fsi_queue_row *row)
{
	const struct fsi_span *const state = n > 2 && w[1].len == 1 && fsi_queue_is_mark(*w[1].s) ? &w[2] : &w[1];
	double factor;

	if (n < 15 || n > 17 || !fsi_span_is(*state, "R") || fsi_parse_i64(w[n - 6].s, w[n - 6].len, &row->procs) ||
	    fsi_maui_duration(w[n - 5], &row->time_s) || fsi_maui_ctime(q->x, w + n - 4, &row->local))
		return false;
	if (fsi_parse_double(w[n - 12].s, w[n - 12].len, &row->efficiency)) {
		row->efficiency = (double)NAN;
		if (!fsi_span_is(w[n - 12], "------"))
			return false;
	}
	return state + 14 <= w + n && !fsi_parse_double(w[n - 11].s, w[n - 11].len, &factor);
}

/* The last line: N Jobs P of P Processors Active (100.00%) */
static void note_running(struct fsi_queue *q, const struct fsi_span *w, size_t n)
{
	if (n >= 7 && fsi_span_is(w[1], "Jobs") && fsi_span_is(w[5], "Processors") &&
	    fsi_parse_i64(w[0].s, w[0].len, &q->total[FSI_QUEUE_NONE]))
		q->total[FSI_QUEUE_NONE] = -1;
}

static int running_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_queue *q = ctx;
	struct fsi_queue_row row = { .section = FSI_QUEUE_ACTIVE,
				     .priority = -1,
				     .efficiency = (double)NAN };
	struct fsi_span w[17] = { { NULL, 0 } }, name;
	const size_t n = fsi_span_words(line, w, 17);

	if (!is_running_row(q, w, n, &row)) {
		note_running(q, w, n);
		return 0;
	}
	name = w[0];
	if (name.len > 1 && fsi_queue_is_mark(name.s[name.len - 1]) &&
	    fsi_maui_job(q->x, name) == FSI_NO_INDEX)
		row.mark = name.s[--name.len];
	if (fsi_parse_i64(w[n - 14].s, w[n - 14].len, &row.priority) || row.priority > UINT32_MAX)
		row.priority = -1;
	if (!fsi_span_is(w[n - 13], "DEF"))
		row.partition = fsi_import_name(imp, w[n - 13]);
	if (row.partition == FSI_INTERN_FAILED)
		return fsi_nomem(imp->err);
	row.state = fsi_name(imp->m, "Running");
	row.host = fsi_import_name(imp, w[n - 7]);
	row.user = fsi_import_name(imp, w[n - 9]);
	return add_row(q, row, name);
}

static int read_queue(struct fsi_queue *q, const char *file, fsi_line_fn fn)
{
	q->row.n = 0;
	q->section = FSI_QUEUE_NONE;
	q->active_nodes = -1;
	for (size_t i = 0; i < sizeof(q->total) / sizeof(*q->total); i++)
		q->total[i] = -1;
	q->file = file;
	return fsi_import_lines(q->x->imp, file, fn, q);
}

enum { OFFSET_STEP_S = 900, MAX_OFFSET_S = 14 * 3600 };

/* Counts the waiting jobs that were submitted, by their traces, just so much before what showq prints. */
static size_t agreeing(const struct fsi_maui_import *x, const struct fsi_queue *q, int64_t offset)
{
	size_t n = 0;

	for (size_t i = 0; i < q->row.n; i++) {
		const struct fsi_queue_row *r = &q->row.v[i];
		const struct fsi_job *job = &x->imp->m->job.v[r->job];

		n += r->section != FSI_QUEUE_ACTIVE && FSI_HAS(job, JOB, submit_time) &&
		     r->local - job->submit_time == offset;
	}
	return n;
}

/* Offsets are quarters of hours. Most of the jobs must agree on one, and one job alone proves nothing. */
static void learn_offset(struct fsi_maui_import *x, const struct fsi_queue *q)
{
	size_t told = 0;

	if (x->imp->zone)
		return;
	for (size_t i = 0; i < q->row.n; i++)
		told += q->row.v[i].section != FSI_QUEUE_ACTIVE &&
			FSI_HAS(&x->imp->m->job.v[q->row.v[i].job], JOB, submit_time);
	for (int64_t s = -MAX_OFFSET_S; s <= MAX_OFFSET_S; s += OFFSET_STEP_S) {
		const size_t n = agreeing(x, q, s);

		if (n > 1 && n * 2 > told)
			x->imp->utc_offset_s = s;
	}
}

/* When was this row printed? 0: it does not tell. */
static int64_t row_time(const struct fsi_maui_import *x, const struct fsi_queue_row *r)
{
	const struct fsi_job *job = &x->imp->m->job.v[r->job];

	if (r->section != FSI_QUEUE_ACTIVE || !FSI_HAS(job, JOB, time_limit_s))
		return 0;
	return fsi_import_utc(x->imp, r->local) + job->time_limit_s - r->time_s;
}

int64_t fsi_queue_time(const struct fsi_maui_import *x, const struct fsi_queue *q)
{
	for (size_t i = 0; i < q->row.n; i++)
		if (row_time(x, &q->row.v[i]))
			return row_time(x, &q->row.v[i]);
	return 0;
}

/* Of several captures of one server those that say when they were made must agree with the time asked for. */
int fsi_queue_find(struct fsi_queue *q)
{
	static const char *const files[] = { "showq.txt",	 "out/showq.txt",   "showq.1.txt",
					     "out/showq.1.txt", "showq.2.txt", "out/showq.2.txt" };
	struct fsi_maui_import *x = q->x;
	int rc = 1;

	q->capture = 0;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && rc > 0; i++) {
		rc = read_queue(q, files[i], showq_line);
		if (rc)
			continue;
		q->capture = i / 2;
		learn_offset(x, q);
		if (x->now && fsi_queue_time(x, q) && fsi_queue_time(x, q) != x->now)
			rc = 1;
	}
	if (rc > 0) {
		q->row.n = 0;
		q->active_nodes = -1;
		q->file = NULL;
	}
	x->queue_known = !rc;
	return rc < 0 ? rc : 0;
}

static int find_running(struct fsi_queue *q, const char *const *files)
{
	int rc = 1;

	for (size_t i = 0; i < 6 && rc > 0; i++) {
		rc = read_queue(q, files[i], running_line);
		if (!rc && q->x->now && fsi_queue_time(q->x, q) && fsi_queue_time(q->x, q) != q->x->now)
			rc = 1;
	}
	if (rc > 0) {
		q->row.n = 0;
		q->file = NULL;
	}
	return rc < 0 ? rc : 0;
}

int fsi_queue_find_running(struct fsi_queue *q)
{
	static const char *const files[] = { "showq_-r.txt",   "out/showq_-r.txt",
					     "showq_-r.1.txt", "out/showq_-r.1.txt",
					     "showq_-r.2.txt", "out/showq_-r.2.txt" };

	return find_running(q, files);
}

int fsi_queue_find_verbose(struct fsi_queue *q)
{
	static const char *const files[] = { "showq_-r_-v.txt",   "out/showq_-r_-v.txt",
					     "showq_-r_-v.1.txt", "out/showq_-r_-v.1.txt",
					     "showq_-r_-v.2.txt", "out/showq_-r_-v.2.txt" };

	return find_running(q, files);
}
