#include "base/num.h"
#include "import/maui/maui.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads the rows of showq. Times in the rows are local. The offset from UTC follows from queued jobs, whose submit
 * times in the trace are in UTC. */

static void add_showq_row(struct fsi_showq *q, struct fsi_showq_row row, struct fsi_span name)
{
	row.job = fsi_maui_find_job(q->x, name);
	if (row.job == FSI_NO_INDEX)
		row.job = fsi_maui_add_job(q->x, name);
	if (row.job == FSI_NO_INDEX || FSI_VEC_RESERVE(&q->row))
		q->x->imp->m->out_of_memory = true;
	else
		q->row.v[q->row.n++] = row;
}

/* Reads the last line of showq: Total Jobs: N Active Jobs: N Idle Jobs: N Blocked Jobs: N */
static void read_total_line(struct fsi_showq *q, struct fsi_span line)
{
	struct fsi_span w[12];
	const size_t n = fsi_span_split_words(line, w, 12);

	for (size_t i = FSI_SHOWQ_NONE; i <= FSI_SHOWQ_BLOCKED && 3 * i + 2 < n; i++)
		if (fsi_parse_i64(w[3 * i + 2].s, w[3 * i + 2].len, &q->total[i]))
			q->total[i] = -1;
}

/* Reads a line of showq: JOBNAME USERNAME STATE PROC REMAINING|WCLIMIT Sun Sep 13 12:26:40 */
static int read_showq_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_showq *q = ctx;
	struct fsi_showq_row row = { .section = q->section, .priority = -1, .efficiency = (double)NAN };
	struct fsi_span w[9];

	if (fsi_span_starts_with(line, "ACTIVE JOBS"))
		q->section = FSI_SHOWQ_ACTIVE;
	else if (fsi_span_starts_with(line, "IDLE JOBS"))
		q->section = FSI_SHOWQ_IDLE;
	else if (fsi_span_starts_with(line, "BLOCKED JOBS"))
		q->section = FSI_SHOWQ_BLOCKED;
	else if (q->section == FSI_SHOWQ_ACTIVE && fsi_span_split_words(line, w, 9) == 6 &&
		 fsi_span_is_word(w[3], "Nodes") && fsi_parse_i64(w[0].s, w[0].len, &q->active_nodes))
		q->active_nodes = -1;
	else if (fsi_span_starts_with(line, "Total Jobs:"))
		read_total_line(q, line);
	else if (q->section && fsi_span_split_words(line, w, 9) == 9 && !fsi_parse_i64(w[3].s, w[3].len, &row.procs) &&
		 !fsi_maui_parse_duration(w[4], &row.time_s) && !fsi_maui_parse_ctime(q->x, w + 5, &row.local)) {
		row.user = fsi_import_intern_name(imp, w[1]);
		row.state = fsi_import_intern_name(imp, w[2]);
		add_showq_row(q, row, w[0]);
	}
	return 0;
}

bool fsi_showq_is_mark(char c)
{
	return c == '_' || c == '+' || c == '*' || c == '-';
}

/* Returns true if the words are a complete row of showq -r: JobName S [prio] Par Effic XFactor Q User Group MHost Procs
 * Remaining StartTime. Efficiency is ------ if the job has not used anything yet. */
static bool parse_running_row(const struct fsi_showq *q, const struct fsi_span *w, size_t n, struct fsi_showq_row *row)
{
	const struct fsi_span *const state = n > 2 && w[1].len == 1 && fsi_showq_is_mark(*w[1].s) ? &w[2] : &w[1];
	double factor;

	if (n < 15 || n > 17 || !fsi_span_is_word(*state, "R") ||
	    fsi_parse_i64(w[n - 6].s, w[n - 6].len, &row->procs) || fsi_maui_parse_duration(w[n - 5], &row->time_s) ||
	    fsi_maui_parse_ctime(q->x, w + n - 4, &row->local))
		return false;
	if (fsi_parse_double(w[n - 12].s, w[n - 12].len, &row->efficiency)) {
		row->efficiency = (double)NAN;
		if (!fsi_span_is_word(w[n - 12], "------"))
			return false;
	}
	return state + 14 <= w + n && !fsi_parse_double(w[n - 11].s, w[n - 11].len, &factor);
}

/* Reads the last line of showq -r: N Jobs P of P Processors Active (100.00%) */
static void read_running_total(struct fsi_showq *q, const struct fsi_span *w, size_t n)
{
	if (n >= 7 && fsi_span_is_word(w[1], "Jobs") && fsi_span_is_word(w[5], "Processors") &&
	    fsi_parse_i64(w[0].s, w[0].len, &q->total[FSI_SHOWQ_NONE]))
		q->total[FSI_SHOWQ_NONE] = -1;
}

static int read_running_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_showq *q = ctx;
	struct fsi_showq_row row = { .section = FSI_SHOWQ_ACTIVE, .priority = -1, .efficiency = (double)NAN };
	struct fsi_span w[17] = { { NULL, 0 } }, name;
	const size_t n = fsi_span_split_words(line, w, 17);

	if (!parse_running_row(q, w, n, &row)) {
		read_running_total(q, w, n);
		return 0;
	}
	name = w[0];
	if (name.len > 1 && fsi_showq_is_mark(name.s[name.len - 1]) && fsi_maui_find_job(q->x, name) == FSI_NO_INDEX)
		row.mark = name.s[--name.len];
	if (fsi_parse_i64(w[n - 14].s, w[n - 14].len, &row.priority) || row.priority > UINT32_MAX)
		row.priority = -1;
	if (!fsi_span_is_word(w[n - 13], "DEF"))
		row.partition = fsi_import_intern_name(imp, w[n - 13]);
	row.state = fsi_name_intern(imp->m, "Running");
	row.host = fsi_import_intern_name(imp, w[n - 7]);
	row.user = fsi_import_intern_name(imp, w[n - 9]);
	add_showq_row(q, row, name);
	return 0;
}

static int read_showq_file(struct fsi_showq *q, const char *name, fsi_line_fn fn)
{
	q->row.n = 0;
	q->section = FSI_SHOWQ_NONE;
	q->active_nodes = -1;
	for (size_t i = 0; i < sizeof(q->total) / sizeof(*q->total); i++)
		q->total[i] = -1;
	return fsi_import_read_lines(q->x->imp, name, fn, q);
}

enum { OFFSET_STEP_S = 900, OFFSET_MAX_S = 14 * 3600 };

/* Counts the queued jobs whose submit time in showq is exactly `offset` later than in the trace. */
static size_t count_offset_matches(const struct fsi_maui_import *x, const struct fsi_showq *q, int64_t offset)
{
	size_t n = 0;

	for (size_t i = 0; i < q->row.n; i++) {
		const struct fsi_showq_row *r = &q->row.v[i];
		const struct fsi_job *job = &x->imp->m->job.v[r->job];

		n += r->section != FSI_SHOWQ_ACTIVE && FSI_HAS(job, JOB, submit_time) &&
		     r->local - job->submit_time == offset;
	}
	return n;
}

/* Sets the UTC offset of the capture, a multiple of 15 minutes. The offset is the difference between the submit times
 * that showq prints and the submit times in the traces. This difference must be the same for at least two jobs, and for
 * more than half of the queued jobs that a trace contains. */
static void infer_utc_offset(struct fsi_maui_import *x, const struct fsi_showq *q)
{
	size_t with_trace = 0;

	if (x->imp->zone)
		return;
	for (size_t i = 0; i < q->row.n; i++)
		with_trace += q->row.v[i].section != FSI_SHOWQ_ACTIVE &&
			FSI_HAS(&x->imp->m->job.v[q->row.v[i].job], JOB, submit_time);
	for (int64_t s = -OFFSET_MAX_S; s <= OFFSET_MAX_S; s += OFFSET_STEP_S) {
		const size_t n = count_offset_matches(x, q, s);

		if (n > 1 && n * 2 > with_trace)
			x->imp->utc_offset_s = s;
	}
}

/* Returns the time at which Maui printed the row; 0: unknown. */
static int64_t get_row_print_time(const struct fsi_maui_import *x, const struct fsi_showq_row *r)
{
	const struct fsi_job *job = &x->imp->m->job.v[r->job];

	if (r->section != FSI_SHOWQ_ACTIVE || !FSI_HAS(job, JOB, time_limit_s))
		return 0;
	return fsi_import_local_to_utc(x->imp, r->local) + job->time_limit_s - r->time_s;
}

int64_t fsi_showq_capture_time(const struct fsi_maui_import *x, const struct fsi_showq *q)
{
	for (size_t i = 0; i < q->row.n; i++)
		if (get_row_print_time(x, &q->row.v[i]))
			return get_row_print_time(x, &q->row.v[i]);
	return 0;
}

/* Reads the first usable output among COMMAND.txt, out/COMMAND.txt, COMMAND.1.txt, ... and out/COMMAND.2.txt. An output
 * is not usable if its time and x->now are known and differ. If the command is showq, infers the UTC offset from each
 * output that is read. */
static int read_showq_outputs(struct fsi_showq *q, const char *command, fsi_line_fn fn)
{
	struct fsi_maui_import *x = q->x;
	int rc = 1;

	for (size_t i = 0; i < 6 && rc > 0; i++) {
		char number[8] = "";

		q->capture_no = i / 2;
		if (q->capture_no)
			snprintf(number, sizeof(number), ".%zu", q->capture_no);
		snprintf(q->file, sizeof(q->file), "%s%s%s.txt", i % 2 ? "out/" : "", command, number);
		rc = read_showq_file(q, q->file, fn);
		if (!rc && fn == read_showq_line)
			infer_utc_offset(x, q);
		if (!rc && x->now && fsi_showq_capture_time(x, q) && fsi_showq_capture_time(x, q) != x->now)
			rc = 1;
	}
	if (rc > 0) {
		q->row.n = q->capture_no = 0;
		q->active_nodes = -1;
		q->file[0] = '\0';
	}
	return rc;
}

int fsi_showq_read_queue(struct fsi_showq *q)
{
	const int rc = read_showq_outputs(q, "showq", read_showq_line);

	q->x->queue_known = !rc;
	return rc < 0 ? rc : 0;
}

int fsi_showq_read_running(struct fsi_showq *q)
{
	const int rc = read_showq_outputs(q, "showq_-r", read_running_line);

	return rc < 0 ? rc : 0;
}

/* Sets the states of jobs from showq, and removes jobs that are not in the queue. fsi_maui_add_job has already
 * allocated each job's optional fields, so FSI_SET_JOB_EXT cannot run out of memory here. */

void fsi_maui_add_job_flag(struct fsi_import *imp, struct fsi_job *job, const char *flag)
{
	uint32_t flags = fsi_job_ext(imp->m, job)->flags;

	if (!fsi_list_has_word(imp->m, flags, flag) &&
	    !fsi_list_append_name(imp->m, &flags, 129, fsi_name_intern(imp->m, flag)))
		(void)FSI_SET_JOB_EXT(imp->m, job, flags, flags);
}

static void set_mark_flags(struct fsi_import *imp, struct fsi_job *job, char mark)
{
	if (mark == '_')
		fsi_maui_add_job_flag(imp, job, "SPVIOLATION");
	if (mark == '+' || mark == '*')
		fsi_maui_add_job_flag(imp, job, "BACKFILL");
	if (mark == '-' || mark == '*')
		fsi_maui_add_job_flag(imp, job, "PREEMPTEE");
}

static void unset_run_times(struct fsi_job *job)
{
	FSI_UNSET(job, JOB, start_time);
	FSI_UNSET(job, JOB, end_time);
	job->start_time = job->end_time = 0;
}

static void apply_showq_row(struct fsi_maui_import *x, const struct fsi_showq_row *r)
{
	struct fsi_job *job = &x->imp->m->job.v[r->job];

	if (!FSI_HAS(job, JOB, cpus)) { /* the job is not in a trace */
		FSI_PUT(job, JOB, user, r->user);
		FSI_PUT(job, JOB, cpus, (uint32_t)r->procs);
	}
	if (r->section == FSI_SHOWQ_ACTIVE) {
		job->state = FSI_STATE_RUNNING;
		FSI_PUT(job, JOB, start_time, fsi_import_local_to_utc(x->imp, r->local));
		FSI_PUT(job, JOB, end_time, x->now + r->time_s);
		if (r->host)
			FSI_PUT(job, JOB, node_list, r->host);
		set_mark_flags(x->imp, job, r->mark);
		if (r->partition && !FSI_HAS(job, JOB, maui_partition))
			(void)FSI_SET_JOB_EXT(x->imp->m, job, maui_partition, r->partition);
		if (!isnan(r->efficiency))
			(void)FSI_SET_JOB_EXT(x->imp->m, job, efficiency, r->efficiency);
		if (r->priority >= 0)
			FSI_PUT(job, JOB, priority, (uint32_t)r->priority);
		return;
	}
	job->state = FSI_STATE_PENDING;
	unset_run_times(job);
	if (!FSI_HAS(job, JOB, time_limit_s))
		FSI_PUT(job, JOB, time_limit_s, r->time_s);
	if (!FSI_HAS(job, JOB, submit_time) || job->submit_time != fsi_import_local_to_utc(x->imp, r->local)) {
		job->submit_time = job->eligible_time = fsi_import_local_to_utc(x->imp, r->local);
		FSI_SET(job, JOB, submit_time);
		FSI_SET(job, JOB, eligible_time);
	}
	if (r->section == FSI_SHOWQ_BLOCKED) {
		job->reason =
			fsi_name_find(x->imp->m, "Idle") == r->state ? fsi_name_intern(x->imp->m, "Blocked") : r->state;
		FSI_SET(job, JOB, reason);
	}
}

/* If the job ended after x->now, the job was running or pending at the capture: sets the job's state to the state at
 * the capture. The statistics may contain such jobs. */
static void undo_future_end(struct fsi_maui_import *x, struct fsi_job *job)
{
	if (job->state != FSI_STATE_COMPLETED || job->end_time <= x->now)
		return;
	job->state = job->start_time <= x->now ? FSI_STATE_RUNNING : FSI_STATE_PENDING;
}

/* Returns true if Maui's simulation had certainly submitted the job by the time of the capture. Such a job must be in
 * showq, unless it has ended. */
static bool must_be_accounted(const struct fsi_maui_import *x, const struct fsi_job *job)
{
	const bool submitted =
		fsi_job_ext(x->imp->m, job)->position < x->queue_depth ||
		(job->submit_time > x->clock_start && job->submit_time <= x->now);

	return x->simulation && x->queue_known && x->has_statistics && x->queue_depth && submitted;
}

static bool is_job_queued(const struct fsi_maui_import *x, const struct fsi_job *job, bool listed)
{
	if (x->queue_known)
		return listed;
	return !x->simulation || !x->queue_depth || job->state == FSI_STATE_RUNNING ||
	       fsi_job_ext(x->imp->m, job)->position < x->queue_depth;
}

/* Returns the row of the first job that the simulation has not submitted yet; x->workload_jobs if the simulation has
 * submitted all jobs. A simulation submits jobs in the order of its trace, and waits for the submit time of each job
 * (src/MSim.c:MSimGetWorkload, MSimJobSubmit). */
static size_t find_first_future_job(const struct fsi_maui_import *x)
{
	size_t i = x->submits_by_trace && x->queue_depth < x->workload_jobs ? x->queue_depth : x->workload_jobs;

	while (i < x->workload_jobs && x->imp->m->job.v[i].submit_time <= x->now)
		i++;
	return i;
}

/* Sets the state of a job that will be submitted later. Such a job waits from its submit time on; the queue time in the
 * trace is not used. */
static void set_future_state(struct fsi_job *job)
{
	job->state = FSI_STATE_FUTURE;
	unset_run_times(job);
	FSI_PUT(job, JOB, eligible_time, job->submit_time);
}

/* Removes the jobs that are not in the queue, unless they will be submitted later. `listed` is indexed by job row. */
static void remove_unlisted_jobs(struct fsi_maui_import *x, const bool *listed)
{
	fs_snapshot *m = x->imp->m;
	const size_t first_future = find_first_future_job(x);
	size_t n = 0, missing = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		struct fsi_job *job = &m->job.v[i];
		bool keep = job->state == FSI_STATE_COMPLETED || is_job_queued(x, job, listed[i]);

		if (!keep && i >= first_future && i < x->workload_jobs) {
			set_future_state(job);
			keep = true;
		}
		missing += !keep && must_be_accounted(x, job);
		x->job_rows.v[job->name] = keep ? (uint32_t)n + 1 : 0;
		if (keep)
			m->job.v[n++] = *job;
	}
	m->job.n = n;
	if (missing)
		fsi_import_warn_incomplete(x->imp, "job",
					   "%s: %zu job%s of the trace %s neither in showq nor among the ended jobs",
					   x->imp->source->name, missing, missing == 1 ? "" : "s",
					   missing == 1 ? "is" : "are");
}

/* Sets the states and other fields of jobs from the rows of q, in the order of the rows. `listed` is indexed by job
 * row. Its element is set to true for each job that has a row in q. */
static void apply_showq_rows(struct fsi_maui_import *x, const struct fsi_showq *q, bool *listed)
{
	for (size_t i = 0; i < q->row.n; i++) {
		const struct fsi_showq_row *row = &q->row.v[i];
		struct fsi_job *job = &x->imp->m->job.v[row->job];

		if (row->section == FSI_SHOWQ_IDLE && !x->first_idle)
			x->first_idle = job->name;
		apply_showq_row(x, row);
		/* the position in the list of active jobs; an earlier output may have set it */
		if (row->section == FSI_SHOWQ_ACTIVE && !FSI_HAS(job, JOB, active_place))
			(void)FSI_SET_JOB_EXT(x->imp->m, job, active_place, (uint32_t)i);
		listed[row->job] = true;
	}
}

static size_t count_section_rows(const struct fsi_showq *q, enum fsi_showq_section section)
{
	size_t n = 0;

	for (size_t i = 0; i < q->row.n; i++)
		n += section == FSI_SHOWQ_NONE || q->row.v[i].section == section;
	return n;
}

/* Warns if showq is missing or incomplete. The last line has the number of all jobs, and the number of jobs in each
 * section (src/server/omclient.c:MCShowQ). */
static void check_showq_totals(struct fsi_maui_import *x, const struct fsi_showq *q)
{
	static const char *const words[] = { "", "active ", "idle ", "blocked " };
	const char *dir = x->imp->source->name;

	if (!*q->file && x->traced_jobs)
		fsi_model_add_warning(x->imp->m,
				      "%s: the folder has no output of showq: the import uses the jobs of the traces as the queue", dir);
	if (!*q->file)
		return;
	if (x->simulation && !x->has_statistics)
		fsi_model_add_warning(
			x->imp->m,
			"%s: the folder has no file stats/simstat.out: ended jobs of the simulation and their usage are unknown",
			dir);
	if (q->total[FSI_SHOWQ_NONE] < 0) {
		fsi_import_warn_incomplete(x->imp, "job", "%s/%s: the line \"Total Jobs\" is missing", dir, q->file);
		return;
	}
	for (size_t i = FSI_SHOWQ_NONE; i <= FSI_SHOWQ_BLOCKED; i++) {
		const size_t n = count_section_rows(q, (enum fsi_showq_section)i);

		if (q->total[i] < 0 || (uint64_t)q->total[i] == n)
			continue;
		fsi_import_warn_incomplete(x->imp, "job", "%s/%s: the total line shows %lld %sjobs, but the file lists %zu",
					   dir, q->file, (long long)q->total[i], words[i], n);
		return;
	}
}

/* Warns of jobs that showq lists but no trace has, because showq and checkjob print less about a job than a trace. Does
 * nothing if no trace was read. */
static void check_traced_jobs(struct fsi_maui_import *x)
{
	const fs_snapshot *m = x->imp->m;
	const size_t n = m->job.n - x->traced_jobs;

	if (x->traced_jobs && n)
		fsi_import_warn_incomplete(x->imp, NULL, "%s: the traces lack %zu job%s that showq lists, first: %.100s",
					   x->imp->source->name, n, n == 1 ? "" : "s",
					   fsi_name_text(m, m->job.v[x->traced_jobs].name));
}

/* Sets the states of jobs from the outputs of showq, showq -r and showq -r -v. */
static int apply_showq_outputs(struct fsi_maui_import *x, const struct fsi_showq q[3])
{
	fs_snapshot *m = x->imp->m;
	bool *listed = calloc(m->job.n + 1, sizeof(*listed));

	if (!listed)
		return fsi_fail_no_memory(x->imp->err);
	if (q[0].active_nodes >= 0 && q[0].active_nodes <= UINT32_MAX)
		FSI_PUT(&m->head, SNAPSHOT, active_nodes, (uint32_t)q[0].active_nodes);
	for (size_t i = 0; i < m->job.n; i++)
		undo_future_end(x, &m->job.v[i]);
	for (size_t i = 0; i < 3; i++)
		apply_showq_rows(x, &q[i], listed);
	if (m->job.n)
		remove_unlisted_jobs(x, listed);
	free(listed);
	return 0;
}

int fsi_maui_read_queue(struct fsi_maui_import *x)
{
	struct fsi_showq q[3] = { { .x = x }, { .x = x }, { .x = x } };
	int rc = fsi_showq_read_queue(&q[0]);

	x->capture_no = q[0].capture_no;
	if (!rc)
		rc = fsi_showq_read_running(&q[1]);
	/* showq -r -v prints priorities */
	if (!rc)
		rc = read_showq_outputs(&q[2], "showq_-r_-v", read_running_line);
	if (rc >= 0 && !x->partial) {
		check_showq_totals(x, &q[0]);
		for (size_t i = 1; i < 3; i++)
			if (*q[i].file)
				fsi_maui_check_count(x, q[i].file, q[i].total[FSI_SHOWQ_NONE], q[i].row.n);
	}
	if (rc >= 0) {
		check_traced_jobs(x);
		rc = apply_showq_outputs(x, q);
	}
	for (size_t i = 0; i < 3; i++)
		FSI_VEC_FREE(&q[i].row);
	return rc;
}
