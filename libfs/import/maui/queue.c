#include "base/num.h"
#include "import/maui/maui.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

/* The rows that showq prints. Times of day in outputs are local: that of a queued job, beside the time of its trace,
 * tells the offset from UTC. */

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
	if (name.len > 1 && fsi_queue_is_mark(name.s[name.len - 1]) && fsi_maui_job(q->x, name) == FSI_NO_INDEX)
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

/* As fsi_queue_find_running, from showq -r -v, which prints priorities. */
static int queue_find_verbose(struct fsi_queue *q)
{
	static const char *const files[] = { "showq_-r_-v.txt",   "out/showq_-r_-v.txt",
					     "showq_-r_-v.1.txt", "out/showq_-r_-v.1.txt",
					     "showq_-r_-v.2.txt", "out/showq_-r_-v.2.txt" };

	return find_running(q, files);
}

/* The states that showq tells: what each job does, and which jobs are not there. Every job has its rare fields since
 * fsi_maui_add_job, which takes memory for them and tells where there is none. */

void fsi_maui_add_flag(struct fsi_import *imp, struct fsi_job *job, const char *flag)
{
	uint32_t flags = fsi_job_rare(imp->m, job)->flags;

	if (!fsi_list_has(imp->m, flags, flag) && !fsi_list_add(imp->m, &flags, 129, fsi_name(imp->m, flag)))
		(void)FSI_SET_RARE(imp->m, job, flags, flags);
}

static void set_flags(struct fsi_import *imp, struct fsi_job *job, char mark)
{
	if (mark == '_')
		fsi_maui_add_flag(imp, job, "SPVIOLATION");
	if (mark == '+' || mark == '*')
		fsi_maui_add_flag(imp, job, "BACKFILL");
	if (mark == '-' || mark == '*')
		fsi_maui_add_flag(imp, job, "PREEMPTEE");
}

static void forget_run(struct fsi_job *job)
{
	FSI_UNSET(job, JOB, start_time);
	FSI_UNSET(job, JOB, end_time);
	job->start_time = job->end_time = 0;
}

static void take_row(struct fsi_maui_import *x, const struct fsi_queue_row *r)
{
	struct fsi_job *job = &x->imp->m->job.v[r->job];

	if (!FSI_HAS(job, JOB, cpus)) { /* no trace tells of it */
		FSI_PUT(job, JOB, user, r->user);
		FSI_PUT(job, JOB, cpus, (uint32_t)r->procs);
	}
	if (r->section == FSI_QUEUE_ACTIVE) {
		job->state = FSI_STATE_RUNNING;
		FSI_PUT(job, JOB, start_time, fsi_import_utc(x->imp, r->local));
		FSI_PUT(job, JOB, end_time, x->now + r->time_s);
		if (r->host)
			FSI_PUT(job, JOB, node_list, r->host);
		set_flags(x->imp, job, r->mark);
		if (r->partition && !FSI_HAS(job, JOB, maui_partition))
			(void)FSI_SET_RARE(x->imp->m, job, maui_partition, r->partition);
		if (!isnan(r->efficiency))
			(void)FSI_SET_RARE(x->imp->m, job, efficiency, r->efficiency);
		if (r->priority >= 0)
			FSI_PUT(job, JOB, priority, (uint32_t)r->priority);
		return;
	}
	job->state = FSI_STATE_PENDING;
	forget_run(job);
	if (!FSI_HAS(job, JOB, time_limit_s))
		FSI_PUT(job, JOB, time_limit_s, r->time_s);
	if (!FSI_HAS(job, JOB, submit_time) || job->submit_time != fsi_import_utc(x->imp, r->local)) {
		job->submit_time = job->eligible_time = fsi_import_utc(x->imp, r->local);
		FSI_SET(job, JOB, submit_time);
		FSI_SET(job, JOB, eligible_time);
	}
	if (r->section == FSI_QUEUE_BLOCKED) {
		job->reason = fsi_name_find(x->imp->m, "Idle") == r->state ? fsi_name(x->imp->m, "Blocked") : r->state;
		FSI_SET(job, JOB, reason);
	}
}

/* A job that the statistics finish after now is still queued, or runs. */
static void undo_later_end(struct fsi_maui_import *x, struct fsi_job *job)
{
	if (job->state != FSI_STATE_COMPLETED || job->end_time <= x->now)
		return;
	job->state = job->start_time <= x->now ? FSI_STATE_RUNNING : FSI_STATE_PENDING;
}

/* Was the job in a simulation's queue when it was captured, so that it must be listed or have ended? */
static bool must_be_somewhere(const struct fsi_maui_import *x, const struct fsi_job *job)
{
	const bool submitted =
		fsi_job_rare(x->imp->m, job)->position < x->queue_depth ||
		(job->submit_time > x->clock_start && job->submit_time <= x->now);

	return x->simulation && x->queue_known && x->statistics && x->queue_depth && submitted;
}

static bool is_queued(const struct fsi_maui_import *x, const struct fsi_job *job, bool listed)
{
	if (x->queue_known)
		return listed;
	return !x->simulation || !x->queue_depth || job->state == FSI_STATE_RUNNING ||
	       fsi_job_rare(x->imp->m, job)->position < x->queue_depth;
}

/* The row of the first job that the simulation submits later, and with it all behind: it takes them in the order of its
 * trace and waits for the time of each (src/MSim.c:MSimGetWorkload, MSimJobSubmit). Past the trace: there is none. */
static size_t first_to_come(const struct fsi_maui_import *x)
{
	size_t i = x->submits && x->queue_depth < x->workload ? x->queue_depth : x->workload;

	while (i < x->workload && x->imp->m->job.v[i].submit_time <= x->now)
		i++;
	return i;
}

/* Such a job waits from its submission on, whatever the trace says of its time in a queue. */
static void make_future(struct fsi_job *job)
{
	job->state = FSI_STATE_FUTURE;
	forget_run(job);
	FSI_PUT(job, JOB, eligible_time, job->submit_time);
}

/* Leaves out jobs that the queue does not have and never will: they are gone. */
static int drop_jobs(struct fsi_maui_import *x, const bool *listed)
{
	fs_snapshot *m = x->imp->m;
	const size_t to_come = first_to_come(x);
	size_t n = 0, lost = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		struct fsi_job *job = &m->job.v[i];
		bool kept = job->state == FSI_STATE_COMPLETED || is_queued(x, job, listed[i]);

		if (!kept && i >= to_come && i < x->workload) {
			make_future(job);
			kept = true;
		}
		lost += !kept && must_be_somewhere(x, job);
		x->job_of.v[job->name] = kept ? (uint32_t)n + 1 : 0;
		if (kept)
			m->job.v[n++] = *job;
	}
	m->job.n = n;
	return lost ? fsi_import_incomplete(x->imp, "job", "%s: %zu job%s of the trace %s neither listed by showq nor among those that have ended",
					    x->imp->source->name, lost, lost == 1 ? "" : "s", lost == 1 ? "is" : "are")
		    : 0;
}

/* Of several lists the first one that tells the place counts. */
static void set_place(fs_snapshot *m, struct fsi_job *job, uint32_t place)
{
	if (!FSI_HAS(job, JOB, active_place))
		(void)FSI_SET_RARE(m, job, active_place, place);
}

/* Takes rows in their order; listed: the jobs that they are of. */
static void take_rows(struct fsi_maui_import *x, const struct fsi_queue *q, bool *listed)
{
	for (size_t i = 0; i < q->row.n; i++) {
		if (q->row.v[i].section == FSI_QUEUE_IDLE && !x->first_idle)
			x->first_idle = x->imp->m->job.v[q->row.v[i].job].name;
		take_row(x, &q->row.v[i]);
		if (q->row.v[i].section == FSI_QUEUE_ACTIVE)
			set_place(x->imp->m, &x->imp->m->job.v[q->row.v[i].job], (uint32_t)i);
		listed[q->row.v[i].job] = true;
	}
}

static size_t rows_of(const struct fsi_queue *q, enum fsi_queue_section section)
{
	size_t n = 0;

	for (size_t i = 0; i < q->row.n; i++)
		n += section == FSI_QUEUE_NONE || q->row.v[i].section == section;
	return n;
}

/* showq closes with the number of its jobs, and of those of each section (src/server/omclient.c:MCShowQ). */
static int look_whole(struct fsi_maui_import *x, const struct fsi_queue *q)
{
	static const char *const words[] = { "", "active ", "idle ", "blocked " };
	const char *dir = x->imp->source->name;

	if (!q->file && !x->traced)
		return 0;
	if (!q->file)
		return fsi_warn(x->imp->m, "%s: no showq: the jobs of the traces are taken for the queue", dir) ? fsi_nomem(x->imp->err) : 0;
	if (x->simulation && !x->statistics &&
	    fsi_warn(x->imp->m, "%s: no stats/simstat.out: what has ended in the simulation, and used something, is not known", dir))
		return fsi_nomem(x->imp->err);
	if (q->total[FSI_QUEUE_NONE] < 0)
		return fsi_import_incomplete(x->imp, "job", "%s/%s: it is not whole, without \"Total Jobs\"", dir, q->file);
	for (size_t i = FSI_QUEUE_NONE; i <= FSI_QUEUE_BLOCKED; i++)
		if (q->total[i] >= 0 && (uint64_t)q->total[i] != rows_of(q, (enum fsi_queue_section)i))
			return fsi_import_incomplete(x->imp, "job", "%s/%s: it counts %lld %sjobs, of which %zu can be read", dir,
						     q->file, (long long)q->total[i], words[i],
						     rows_of(q, (enum fsi_queue_section)i));
	return 0;
}

/* showq -r closes with the number of its jobs too. */
static int look_running(struct fsi_maui_import *x, const struct fsi_queue *q)
{
	return q->file ? fsi_maui_counted(x, q->file, q->total[FSI_QUEUE_NONE], q->row.n) : 0;
}

/* Traces that tell of some jobs must tell of all; showq and checkjob say less. */
static int look_traced(struct fsi_maui_import *x, size_t traced)
{
	const size_t n = x->imp->m->job.n - traced;

	if (!traced || !n)
		return 0;
	return fsi_import_incomplete(x->imp, NULL, "%s: no trace tells of %zu job%s that showq lists, the first %.100s",
				     x->imp->source->name, n, n == 1 ? "" : "s",
				     fsi_str(x->imp->m, x->imp->m->job.v[traced].name));
}

int fsi_maui_queue(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	struct fsi_queue all = { .x = x }, running = { .x = x }, verbose = { .x = x };
	bool *listed = NULL;
	int rc = fsi_queue_find(&all);

	if (!rc)
		rc = fsi_queue_find_running(&running);
	if (!rc)
		rc = queue_find_verbose(&verbose);
	x->capture = all.capture;
	if (!rc && !x->partial)
		rc = look_whole(x, &all);
	if (!rc && !x->partial)
		rc = look_running(x, &running);
	if (!rc && !x->partial)
		rc = look_running(x, &verbose);
	if (!rc)
		rc = look_traced(x, x->traced);
	if (!rc && all.active_nodes >= 0 && all.active_nodes <= UINT32_MAX) {
		m->head.active_nodes = (uint32_t)all.active_nodes;
		FSI_SET(&m->head, SNAPSHOT, active_nodes);
	}
	for (size_t i = 0; i < m->job.n; i++)
		undo_later_end(x, &m->job.v[i]);
	if (!rc) { /* both lists may have added jobs */
		listed = calloc(m->job.n + 1, sizeof(*listed));
		rc = listed ? 0 : fsi_nomem(x->imp->err);
	}
	if (!rc) {
		take_rows(x, &all, listed);
		take_rows(x, &running, listed);
		take_rows(x, &verbose, listed);
		if (m->job.n)
			rc = drop_jobs(x, listed);
	}
	free(listed);
	FSI_VEC_FREE(&all.row);
	FSI_VEC_FREE(&running.row);
	FSI_VEC_FREE(&verbose.row);
	return rc;
}
