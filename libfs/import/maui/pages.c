#include "base/num.h"
#include "base/text.h"
#include "import/maui/maui.h"
#include "model/find.h"
#include "model/maui.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads checkjob pages (src/UserI.c:UICheckJob) of known jobs. A page gives the time that the job has been queued, from
 * which the time of the capture follows. The page also gives the job's reservation and system priority and, in a
 * simulation, its run time. */

/* ---- finding the checkjob files in the folder of a capture */

struct checkjob_files {
	struct fsi_maui_import *x;
	FSI_VEC(char *) name;
};

static int add_checkjob_file(void *ctx, const char *name)
{
	struct checkjob_files *f = ctx;

	if (strncmp(name, "checkjob_", strlen("checkjob_")) != 0)
		return 0;
	if (FSI_VEC_RESERVE(&f->name))
		return FS_ENOMEM;
	f->name.v[f->name.n] = fsi_arena_strndup(&f->x->imp->m->arena, name, strlen(name));
	return f->name.v[f->name.n++] ? 0 : FS_ENOMEM;
}

static int compare_file_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_checkjob_folder(struct fsi_maui_import *x, const char *dir,
				int (*fn)(struct fsi_maui_import *x))
{
	const struct fs_source *source = x->imp->source;
	struct checkjob_files f = { .x = x };
	int rc = source->list ? source->list(source->ctx, dir, add_checkjob_file, &f) : 0;

	rc = rc < 0 ? fsi_maui_fail_unreadable_folder(x, rc, dir) : 0;
	if (f.name.n)
		qsort(f.name.v, f.name.n, sizeof(*f.name.v), compare_file_names);
	for (size_t i = 0; i < f.name.n && !rc; i++) {
		snprintf(x->file, sizeof(x->file), "%s%s%s", dir, *dir ? "/" : "", f.name.v[i]);
		rc = fn(x);
	}
	FSI_VEC_FREE(&f.name);
	return rc;
}

/* Calls fn for each checkjob page in the folders "out" and ".", sorted by name, with x->file set to its path. Stops if
 * fn fails. */
static int for_each_checkjob(struct fsi_maui_import *x, int (*fn)(struct fsi_maui_import *x))
{
	const int rc = read_checkjob_folder(x, "out", fn);

	return rc ? rc : read_checkjob_folder(x, "", fn);
}

/* Sets *s to the duration after `label` in the line, without a closing parenthesis. Returns false if there is none, or
 * if it is negative or does not fit into 32 bits. */
static bool find_duration(struct fsi_span line, const char *label, int64_t *s)
{
	struct fsi_span v = fsi_maui_word_after(line, label);

	v.len -= v.len && v.s[v.len - 1] == ')';
	return v.len && !fsi_maui_parse_duration(v, s) && *s >= 0 && *s <= UINT32_MAX;
}

/* Sets *n to the number after `label` in the line. Returns false if there is no number of 32 bits. */
static bool find_number(struct fsi_span line, const char *label, uint64_t *n)
{
	const struct fsi_span v = fsi_maui_word_after(line, label);

	return v.s && !fsi_parse_u64(v.s, v.len, n) && *n <= UINT32_MAX;
}

/* ---- checkjob pages of jobs that are in a trace or in showq
 *
 * FSI_SET_JOB_EXT cannot fail, because fsi_maui_add_job has allocated the job's optional fields. */

struct checkjob_page {
	struct fsi_maui_import *x;
	struct fsi_job *job; /* NULL: unknown */
	/* has_name: the line with the job's name was read. state: the line with the job's state was read. is_idle,
	 * is_running: this state is Idle or Running. */
	bool has_name, state, is_idle, is_running;
	int64_t queued_s; /* time queued, seconds; -1: unknown */
};

static struct fsi_job *get_listed_job(struct fsi_maui_import *x, struct fsi_span name)
{
	const uint32_t row = fsi_maui_find_job(x, name);

	return row == FSI_NO_INDEX ? NULL : &x->imp->m->job.v[row];
}

/* Sets the partition of a running job from "Req[0] TaskCount: 12 Partition: p2" (src/UserI.c:UICheckJob). For a pending
 * job, Maui prints ALL. */
static void set_job_partition(struct checkjob_page *c, struct fsi_span line)
{
	const struct fsi_span v = fsi_maui_word_after(line, "  Partition: ");

	if (v.len && fsi_span_starts_with(line, "Req[") && c->is_running && !fsi_span_is_word(v, "DEFAULT") &&
	    !fsi_span_is_word(v, "ALL"))
		(void)FSI_SET_JOB_EXT(c->x->imp->m, c->job, maui_partition, fsi_import_intern_name(c->x->imp, v));
}

/* Reads a line of a page about the job c->job:
 *  - "WallTime: 00:00:00 of 2:00:00 (Recorded WallTime: 1:35:00)": the run time of the job in a simulation. Only
 *    simulations print it (src/UserI.c:UICheckJob).
 *  - "(Time Queued Total: 00:20:00 Eligible: 00:12:00)" of an idle job: eligible_s (src/UserI.c:UICheckJob, from
 *    J->EffQueueDuration). For a blocked job, the printed duration ends at the time when the job was last eligible. No
 *    other output shows this duration. */
static void read_known_job_line(struct checkjob_page *c, struct fsi_span line)
{
	fs_snapshot *m = c->x->imp->m;
	int64_t s;
	uint64_t n;

	if (c->is_idle && fsi_maui_word_after(line, "(Time Queued").len && find_duration(line, "  Eligible:", &s))
		(void)FSI_SET_JOB_EXT(m, c->job, eligible_s, (uint32_t)s);
	set_job_partition(c, line);
	if (c->is_idle) {
		c->x->reservations_known = true;
		if (fsi_span_starts_with(line, "Reservation '"))
			fsi_maui_add_job_flag(c->x->imp, c->job, "RESERVED");
	}
	if (find_duration(line, "(Recorded WallTime:", &s))
		(void)FSI_SET_JOB_EXT(m, c->job, simulated_run_s, (uint32_t)s);
	if (find_number(line, "TasksPerNode:", &n))
		(void)FSI_SET_JOB_EXT(m, c->job, tasks_per_node, (uint32_t)n);
	if (find_number(line, "SystemPriority:", &n))
		FSI_PUT(c->job, JOB, priority_set, (uint32_t)n);
}

static int read_checkjob_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct checkjob_page *c = ctx;
	struct fsi_span v = fsi_maui_word_after(line, "checking job ");

	(void)imp;
	if (v.s) {
		c->job = get_listed_job(c->x, v);
		c->has_name = true;
	}
	if (fsi_span_starts_with(line, "State:")) {
		v = fsi_maui_word_after(line, "State:");
		c->state = v.len > 0;
		c->is_idle = fsi_span_is_word(v, "Idle");
		c->is_running = fsi_span_is_word(v, "Running");
	}
	v = fsi_maui_word_after(line, "(Time Queued  Total:");
	if (v.s && fsi_maui_parse_duration(v, &c->queued_s))
		c->queued_s = -1;
	if (c->job)
		read_known_job_line(c, line);
	return 0;
}

/* Warns if a page lacks the job's name, its state or its time queued, which checkjob always prints (src/moab/UserI.c:
 * UICheckJob). */
static void check_checkjob_page(const struct checkjob_page *c)
{
	const char *missing = !c->has_name      ? "checking job"
			      : !c->state       ? "State:"
			      : c->queued_s < 0 ? "(Time Queued  Total:"
						: NULL;

	if (missing)
		fsi_import_warn_incomplete(
			c->x->imp, NULL,
			"%s/%s: the file is not the output of checkjob: the text \"%s\" is missing",
			c->x->imp->source->name, c->x->file, missing);
}

static int read_checkjob_page(struct fsi_maui_import *x)
{
	struct checkjob_page c = { .x = x, .queued_s = -1 };
	const int rc = fsi_import_read_lines(x->imp, x->file, read_checkjob_line, &c);

	if (!rc && !x->now && c.is_idle && c.queued_s >= 0 && c.job && FSI_HAS(c.job, JOB, submit_time))
		x->now = c.job->submit_time + c.queued_s;
	if (!rc && !x->partial)
		check_checkjob_page(&c);
	return rc > 0 ? 0 : rc;
}

int fsi_maui_read_checkjob(struct fsi_maui_import *x)
{
	return for_each_checkjob(x, read_checkjob_page);
}

/* Reads jobs that are not in a trace, for example those of a real server, from diagnose -j, showq -i, -r and -b,
 * checkjob and diagnose -p.
 *
 * Sources of the formats: src/UserI.c (UIDiagnoseJobs: names are cut at eight characters, the QOS at three;
 * UICheckJob), src/server/omclient.c (MCShowIdle, MCShowRun, MCShowBlocked), src/moab/MPriority.c. */

enum { NAME_CUT_AT = 8, QOS_CUT_AT = 3 };

/* Returns the job with this name if the job is not in a trace; NULL if the job is in a trace. If no job has this name,
 * adds a job if the capture is partial, or returns NULL if the capture is complete. */
static struct fsi_job *get_untraced_job(struct fsi_maui_import *x, struct fsi_span name)
{
	uint32_t row = fsi_maui_find_job(x, name);

	if (row == FSI_NO_INDEX && x->partial && name.len)
		row = fsi_maui_add_job(x, name);
	return row == FSI_NO_INDEX || row < x->traced_jobs ? NULL : &x->imp->m->job.v[row];
}

static bool is_page_value(struct fsi_span v)
{
	return v.len && !fsi_span_is_word(v, "-") && !fsi_span_is_word(v, "[NONE]");
}

/* Sets a name field of a job. Does nothing if an earlier output has set the field, or if v may be cut. `cut`: width of
 * the column in characters; 0: unlimited. */
static void set_uncut_name(struct fsi_maui_import *x, struct fsi_job *job, unsigned bit, uint32_t *member,
			   struct fsi_span v, size_t cut)
{
	if (!is_page_value(v) || (cut && v.len >= cut) || fsi_is_field_known(&job->rec, bit))
		return;
	*member = fsi_import_intern_name(x->imp, v);
	fsi_mark_known(&job->rec, bit);
}

static void set_single_name_list(struct fsi_maui_import *x, struct fsi_job *job, unsigned bit, uint32_t *member,
				 struct fsi_span v)
{
	uint32_t name = 0;

	set_uncut_name(x, job, bit, &name, v, 0);
	if (name)
		*member = fsi_intern_add(&x->imp->m->sets, &name, sizeof(name));
}

static void set_unknown_limit(struct fsi_job *job, struct fsi_span v)
{
	int64_t s;

	if (FSI_HAS(job, JOB, time_limit_s) || fsi_maui_parse_duration(v, &s) || s < 0)
		return;
	FSI_PUT(job, JOB, time_limit_s, s);
}

/* Sets a field of 32 bits, such as the number of processors, from a number of at least `min`. Does nothing if the field
 * is known. */
static void set_unknown_number(struct fsi_job *job, unsigned bit, uint32_t *member, struct fsi_span v, int64_t min)
{
	int64_t n;

	if (fsi_is_field_known(&job->rec, bit) || fsi_parse_i64(v.s, v.len, &n) || n < min || n > UINT32_MAX)
		return;
	*member = (uint32_t)n;
	fsi_mark_known(&job->rec, bit);
}

/* Sets the state of a job from the name of the state, which may be cut. Holds and deferral become reasons. */
static void set_state_or_reason(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_span v)
{
	static const char *const hold_states[] = { "UserHold", "SystemHold", "BatchHold", "Deferred" };

	if (fsi_span_is_word(v, "Running") || fsi_span_is_word(v, "Starting"))
		job->state = FSI_STATE_RUNNING;
	for (size_t i = 0; i < sizeof(hold_states) / sizeof(*hold_states); i++)
		if (v.len >= NAME_CUT_AT && !strncmp(hold_states[i], v.s, v.len))
			set_uncut_name(x, job, FSI_JOB_reason, &job->reason, fsi_string_to_span(hold_states[i]), 0);
}

/* Returns the class in a text like "[batch:1]"; an empty span if there is none. */
static struct fsi_span get_bracket_class(struct fsi_span v)
{
	struct fsi_span name;

	if (!v.len || *v.s != '[')
		return (struct fsi_span){ NULL, 0 };
	v = fsi_span_skip_bytes(v, 1);
	fsi_span_cut_part(&v, ':', &name);
	return fsi_span_is_word(name, "NONE]") ? (struct fsi_span){ NULL, 0 } : name;
}

/* ---- diagnose -j: Name State Par Proc QOS WCLimit R Min User Group Account QueuedTime Network Opsys Arch Mem Disk
 * Procs Class Features */

static int read_untraced_diagnosed(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { NAME, STATE, PAR, PROC, QOS, LIMIT, RESERVED, MIN, USER, GROUP, ACCOUNT, QUEUED, CLASS = 18, ALL };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[ALL + 8];
	const size_t n = fsi_span_split_words(line, w, ALL + 8);
	struct fsi_job *job;
	int64_t waited, procs;

	(void)imp;
	if (n < QUEUED + 1 || n > ALL + 8 || fsi_maui_parse_duration(w[QUEUED], &waited) ||
	    fsi_parse_i64(w[PROC].s, w[PROC].len, &procs) || w[RESERVED].len != 1)
		return 0;
	job = get_untraced_job(x, w[NAME]);
	if (!job)
		return 0;
	set_unknown_number(job, FSI_JOB_cpus, &job->cpus, w[PROC], 0);
	set_unknown_limit(job, w[LIMIT]);
	set_state_or_reason(x, job, w[STATE]);
	set_uncut_name(x, job, FSI_JOB_user, &job->user, w[USER], NAME_CUT_AT);
	set_uncut_name(x, job, FSI_JOB_group, &job->group, w[GROUP], NAME_CUT_AT);
	set_uncut_name(x, job, FSI_JOB_account, &job->account, w[ACCOUNT], NAME_CUT_AT);
	if (w[QOS].len < QOS_CUT_AT)
		set_single_name_list(x, job, FSI_JOB_qos, &job->qos, w[QOS]);
	if (n >= ALL)
		set_single_name_list(x, job, FSI_JOB_partitions, &job->partitions, get_bracket_class(w[CLASS]));
	return 0;
}

/* ---- showq -i: JobName[mark] Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime */

/* A row of showq -i. */
struct idle_row {
	struct fsi_span w[16], name, priority;
	size_t n; /* number of words */
	bool is_reserved; /* the mark * shows that the job has a reservation */
	int64_t local; /* queue time, local time */
};

/* Reads a row of showq -i. Most words are counted from the end of the line: the column Q may be empty, and a mark after
 * the job's name may be a separate word. A * at the end of the name is a mark if no job has the name with the *.
 * Returns false if the line is not a row. */
static bool parse_idle_row(struct fsi_maui_import *x, struct fsi_span line, struct idle_row *r)
{
	bool is_separate;

	*r = (struct idle_row){ .n = 0 };
	r->n = fsi_span_split_words(line, r->w, 16);
	if (r->n < 12 || r->n > 15 || fsi_maui_parse_ctime(x, r->w + r->n - 4, &r->local))
		return false;
	is_separate = r->w[1].len == 1 && *r->w[1].s == '*';
	r->name = r->w[0];
	r->priority = r->w[1 + is_separate];
	r->is_reserved = is_separate;
	if (!is_separate && r->name.len > 1 && r->name.s[r->name.len - 1] == '*' && !get_listed_job(x, r->name)) {
		r->is_reserved = true;
		r->name.len--;
	}
	return true;
}

static int read_untraced_idle(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct idle_row r;
	struct fsi_job *job;
	int64_t priority;

	(void)imp;
	if (!parse_idle_row(x, line, &r) || fsi_parse_i64(r.priority.s, r.priority.len, &priority))
		return 0;
	job = get_untraced_job(x, r.name);
	if (!job)
		return 0;
	set_unknown_number(job, FSI_JOB_priority, &job->priority, r.priority, 0);
	set_unknown_limit(job, r.w[r.n - 6]);
	set_unknown_number(job, FSI_JOB_cpus, &job->cpus, r.w[r.n - 7], 0);
	set_uncut_name(x, job, FSI_JOB_group, &job->group, r.w[r.n - 8], 0);
	set_uncut_name(x, job, FSI_JOB_user, &job->user, r.w[r.n - 9], 0);
	set_single_name_list(x, job, FSI_JOB_partitions, &job->partitions, r.w[r.n - 5]);
	return 0;
}

/* ---- showq -b: JobName User Reason, "%18s %9s %s" */

/* Returns true if the word ends at `column`, or if the word has more than nine characters and ends after `column`. This
 * rule distinguishes the row of a job from a line that continues the reason in the row before it. */
static bool ends_at_column(struct fsi_span line, struct fsi_span word, size_t column)
{
	const size_t end = (size_t)(word.s - line.s) + word.len;

	return end == column || (end > column && word.len > 9);
}

static int read_blocked_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[3];
	struct fsi_job *job;

	(void)imp;
	if (fsi_span_split_words(line, w, 3) < 3 || fsi_span_is_word(w[0], "JobName") ||
	    !ends_at_column(line, w[0], 18) || !ends_at_column(line, w[1], 28))
		return 0;
	job = get_untraced_job(x, w[0]);
	if (!job)
		return 0;
	set_uncut_name(x, job, FSI_JOB_user, &job->user, w[1], 0);
	if (job->state == FSI_STATE_PENDING)
		set_uncut_name(x, job, FSI_JOB_reason, &job->reason, fsi_string_to_span("Blocked"), 0);
	return 0;
}

/* ---- diagnose -p: Job PRIORITY* and the terms of the priority */

static int read_job_priority_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[2];
	struct fsi_job *job;
	int64_t priority;

	(void)imp;
	if (fsi_span_split_words(line, w, 2) < 2)
		return 0;
	w[1].len -= w[1].s[w[1].len - 1] == '*';
	if (!fsi_maui_is_priority_row(line, w[0], w[1]) || fsi_parse_i64(w[1].s, w[1].len, &priority) ||
	    !memchr(line.s, '(', line.len))
		return 0;
	job = get_untraced_job(x, w[0]);
	/* a printed 0 does not show whether Maui raises the priority to 1 or rejects the job */
	if (job)
		set_unknown_number(job, FSI_JOB_priority, &job->priority, w[1], 1);
	return 0;
}

/* ---- checkjob */

struct untraced_checkjob {
	struct fsi_maui_import *x;
	struct fsi_job *job;
};

static void set_labelled_time(struct untraced_checkjob *c, struct fsi_span line, const char *label, unsigned bit,
			      int64_t *member)
{
	const size_t n = strlen(label);
	struct fsi_span w[5];
	int64_t local;

	if (line.len <= n || memcmp(line.s, label, n) != 0 || fsi_is_field_known(&c->job->rec, bit) ||
	    fsi_span_split_words(fsi_span_skip_bytes(line, n), w, 5) < 4 || fsi_maui_parse_ctime(c->x, w, &local))
		return;
	*member = fsi_import_local_to_utc(c->x->imp, local);
	fsi_mark_known(&c->job->rec, bit);
}

static void set_job_credentials(struct untraced_checkjob *c, struct fsi_span line)
{
	struct fsi_maui_import *x = c->x;
	struct fsi_job *job = c->job;

	set_uncut_name(x, job, FSI_JOB_user, &job->user, fsi_maui_word_after(line, "user:"), 0);
	set_uncut_name(x, job, FSI_JOB_group, &job->group, fsi_maui_word_after(line, "group:"), 0);
	set_uncut_name(x, job, FSI_JOB_account, &job->account, fsi_maui_word_after(line, "account:"), 0);
	set_single_name_list(x, job, FSI_JOB_partitions, &job->partitions, fsi_maui_word_after(line, "class:"));
	set_single_name_list(x, job, FSI_JOB_qos, &job->qos, fsi_maui_word_after(line, "qos:"));
}

/* Returns the text of "job cannot run in partition DEFAULT (insufficient idle procs available: 640 < 704)" in
 * parentheses, or the text of "Messages:  exceeds available partition procs"; an empty span for another line
 * (src/UserI.c:UICheckJob). */
static struct fsi_span get_wait_message(struct fsi_span line)
{
	static const char cannot[] = "job cannot run in partition", messages[] = "Messages:";
	const char *open = memchr(line.s, '(', line.len);
	struct fsi_span v = { NULL, 0 };

	if (fsi_span_starts_with(line, messages))
		v = fsi_span_trim_blanks(fsi_span_skip_bytes(line, strlen(messages)));
	else if (fsi_span_starts_with(line, cannot) && open && line.s[line.len - 1] == ')')
		v = (struct fsi_span){ open + 1, (size_t)(line.s + line.len - open) - 2 };
	return fsi_span_is_word(v, "-") || fsi_span_is_word(v, "NONE") ? (struct fsi_span){ NULL, 0 } : v;
}

/* Sets the job's wait message from the line, unless it is known. */
static void set_wait_message(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_span line)
{
	const struct fsi_span v = get_wait_message(line);

	if (v.len && !fsi_job_ext(x->imp->m, job)->wait_message)
		(void)FSI_SET_JOB_EXT(x->imp->m, job, wait_message, fsi_import_intern_name(x->imp, v));
}

static int read_untraced_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct untraced_checkjob *c = ctx;
	const struct fsi_span name = fsi_maui_word_after(line, "checking job "), trimmed = fsi_span_trim_blanks(line);
	struct fsi_span v;

	(void)imp;
	if (name.len)
		c->job = get_untraced_job(c->x, name);
	if (!c->job)
		return 0;
	if (fsi_maui_word_after(line, "Creds:").len)
		set_job_credentials(c, line);
	v = fsi_maui_word_after(line, "State:");
	if (v.len && v.s - line.s < 12)
		set_state_or_reason(c->x, c->job, v);
	/* "Holds:    Defer" (src/UserI.c:UICheckJob): a deferred job */
	if (fsi_span_is_word(fsi_maui_word_after(trimmed, "Holds:"), "Defer"))
		set_uncut_name(c->x, c->job, FSI_JOB_reason, &c->job->reason, fsi_string_to_span("Deferred"), 0);
	set_wait_message(c->x, c->job, trimmed);
	v = fsi_maui_word_after(line, " of ");
	if (v.len && fsi_maui_word_after(line, "WallTime:").len)
		set_unknown_limit(c->job, v);
	set_labelled_time(c, line, "SubmitTime: ", FSI_JOB_submit_time, &c->job->submit_time);
	set_labelled_time(c, line, "StartTime: ", FSI_JOB_start_time, &c->job->start_time);
	set_unknown_number(c->job, FSI_JOB_tasks, &c->job->tasks, fsi_maui_word_after(line, "Total Tasks:"), 1);
	if (c->job->state == FSI_STATE_PENDING)
		set_unknown_number(c->job, FSI_JOB_priority, &c->job->priority,
				   fsi_maui_word_after(line, "StartPriority:"), 0);
	return 0;
}

static int read_untraced_checkjob(struct fsi_maui_import *x)
{
	struct untraced_checkjob c = { .x = x };
	const int rc = fsi_import_read_lines(x->imp, x->file, read_untraced_line, &c);

	return rc > 0 ? 0 : rc;
}

/* ---- reading all outputs: checkjob, showq -i and showq -b come before diagnose -j, which cuts names */

int fsi_maui_read_untraced_jobs(struct fsi_maui_import *x)
{
	static const struct {
		const char *file;
		fsi_line_fn fn;
	} pages[] = {
		{ "showq_-i.txt", read_untraced_idle },
		{ "showq_-b.txt", read_blocked_line },
		{ "diagnose_-j.txt", read_untraced_diagnosed },
		{ "diagnose_-p.txt", read_job_priority_line },
	};
	int rc = for_each_checkjob(x, read_untraced_checkjob);

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages) && rc >= 0; i++)
		rc = fsi_maui_read_page(x, pages[i].file, pages[i].fn, x);
	return rc < 0 ? rc : 0;
}

/* Reads the queue times of jobs, and marks the jobs that have a reservation. showq without options shows neither queue
 * times nor reservations.
 *
 *  - The queue time is J->SystemQueueTime, which showq -i, checkjob and diagnose -j print. Maui resets it while a limit
 *    blocks the job (src/MPolicy.c:MQueueSelectJobs).
 *  - showq -i, showres and checkjob show which jobs have a reservation. If no output shows reservations,
 *    assume_first_reservation assumes one reservation.
 * Times of day are local. */

/* State of reading an output whose last line has the number of its rows. */
struct counted_page {
	struct fsi_maui_import *x;
	size_t rows;
	int64_t printed_count; /* number of rows according to the last line; -1: unknown */
};

/* Reads a page, and warns if it is incomplete. Returns 1 if the file does not exist. */
static int read_counted_page(struct fsi_maui_import *x, const char *file, fsi_line_fn fn)
{
	struct counted_page page = { .x = x, .printed_count = -1 };
	const int rc = fsi_maui_read_page(x, file, fn, &page);

	if (!rc && !x->partial)
		fsi_maui_check_count(x, x->page, page.printed_count, page.rows);
	return rc;
}

static void set_printed_count(struct counted_page *page, struct fsi_span word)
{
	if (fsi_parse_i64(word.s, word.len, &page->printed_count) || page->printed_count < 0)
		page->printed_count = -1;
}

static void set_queue_time(struct fsi_maui_import *x, struct fsi_job *job, int64_t t)
{
	if (t <= 0 || t > x->now)
		return;
	FSI_PUT(job, JOB, eligible_time, t);
	if (!FSI_HAS(job, JOB, submit_time) || job->submit_time > t)
		FSI_PUT(job, JOB, submit_time, t);
}

/* Reads the queue time of a job from a line of diagnose -j: Name State Par Proc QOS WCLimit R Min User Group Account
 * QueuedTime ... */
static int read_queue_time_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { STATE = 1, PAR, GROUP = 9, QUEUED = 11, MIN = 15 };
	struct counted_page *page = ctx;
	struct fsi_maui_import *x = page->x;
	struct fsi_span w[24];
	const size_t n = fsi_span_split_words(line, w, 24);
	struct fsi_job *job;
	int64_t waited;

	(void)imp;
	if (n == 6 && fsi_span_is_word(w[0], "Total") && fsi_span_is_word(w[1], "Jobs:"))
		set_printed_count(page, w[2]);
	if (n < MIN || fsi_maui_parse_duration(w[QUEUED], &waited))
		return 0;
	page->rows++;
	job = get_listed_job(x, w[0]);
	if (job && waited >= 0)
		set_queue_time(x, job, x->now - waited);
	return 0;
}

/* Reads a line of showq -i. */
static int read_idle_reservation_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct counted_page *page = ctx;
	struct idle_row r;
	const bool is_row = parse_idle_row(page->x, line, &r);
	struct fsi_job *job = is_row && r.n >= 13 ? get_listed_job(page->x, r.name) : NULL;

	if (r.n > 2 && fsi_span_is_word(r.w[0], "Jobs:") && fsi_span_is_word(r.w[2], "Total"))
		set_printed_count(page, r.w[1]);
	if (!job)
		return 0;
	if (r.is_reserved)
		fsi_maui_add_job_flag(imp, job, "RESERVED");
	page->rows++;
	set_queue_time(page->x, job, fsi_import_local_to_utc(imp, r.local));
	return 0;
}

/* Parses a line of showres: ReservationID Job S Start End Duration N/P Sun Sep 13 14:00:40. Returns false if the line
 * has another form. */
static bool parse_reservation_line(const struct fsi_maui_import *x, struct fsi_span line, struct fsi_span *w,
				   int64_t *start_in_s, int64_t *local)
{
	enum { START = 3, DATE = 7, ALL = 11 };

	return fsi_span_split_words(line, w, ALL) == ALL && !fsi_maui_parse_duration(w[START], start_in_s) &&
	       !fsi_maui_parse_ctime(x, w + DATE, local);
}

static int read_reserved_job_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct counted_page *page = ctx;
	struct fsi_maui_import *x = page->x;
	struct fsi_span w[11];
	int64_t in_s, local;
	struct fsi_job *job;

	if (fsi_span_split_words(line, w, 11) == 3 && fsi_span_is_word(w[2], "located"))
		set_printed_count(page, w[0]);
	if (!parse_reservation_line(x, line, w, &in_s, &local))
		return 0;
	page->rows++;
	if (!fsi_span_is_word(w[1], "Job") || !fsi_span_is_word(w[2], "I"))
		return 0;
	job = get_listed_job(x, w[0]);
	if (job && job->state == FSI_STATE_PENDING)
		fsi_maui_add_job_flag(imp, job, "RESERVED");
	return 0;
}

static int read_reservation_time(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[11];
	int64_t in_s, local;

	if (!x->now && parse_reservation_line(x, line, w, &in_s, &local))
		x->now = fsi_import_local_to_utc(imp, local) - in_s;
	return 0;
}

static bool may_get_reservation(const fs_snapshot *m, const struct fsi_job *j)
{
	struct fsi_maui_bucket b[FSI_MAUI_BUCKETS];
	unsigned i;

	fsi_maui_read_buckets(m, b);
	i = fsi_maui_find_bucket(b, fsi_maui_job_qos_name(m, j));
	return i < FSI_MAUI_BUCKETS && b[i].depth > 0;
}

/* Assumes that the first idle job has a reservation, if no output shows reservations. Maui always makes a reservation
 * for the pending job of highest priority (src/moab/MQueue.c:MQueueScheduleRJobs, MQueueScheduleIJobs). */
static void assume_first_reservation(struct fsi_maui_import *x)
{
	const fs_snapshot *m = x->imp->m;
	const struct fsi_config_entry *policy = fsi_config_find(m, "RESERVATIONPOLICY");
	const uint32_t row = x->first_idle ? x->job_rows.v[x->first_idle] : 0;

	if (x->reservations_known || x->partial || !row || !may_get_reservation(m, &m->job.v[row - 1]) ||
	    (policy && !strcmp(fsi_name_text(m, (uint32_t)policy->i), "NEVER")))
		return;
	fsi_maui_add_job_flag(x->imp, &x->imp->m->job.v[row - 1], "RESERVED");
}

int fsi_maui_read_printed_time(struct fsi_maui_import *x)
{
	const int rc = fsi_maui_read_page(x, "showres.txt", read_reservation_time, x);

	return rc < 0 ? rc : 0;
}

int fsi_maui_read_job_pages(struct fsi_maui_import *x)
{
	static const char *const idle[] = { "showq_-i.txt", "showq_-i.1.txt", "showq_-i.2.txt" };
	int rc = 0;

	if (!x->queue_known && !x->partial)
		return 0;
	if (!x->capture_no)
		rc = read_counted_page(x, "diagnose_-j.txt", read_queue_time_line);
	if (rc >= 0 && !x->capture_no) {
		rc = read_counted_page(x, "showres.txt", read_reserved_job_line);
		x->reservations_known = x->reservations_known || !rc;
	}
	if (rc >= 0) {
		rc = read_counted_page(x, idle[x->capture_no], read_idle_reservation_line);
		x->reservations_known = x->reservations_known || !rc;
	}
	if (rc < 0)
		return rc;
	assume_first_reservation(x);
	return 0;
}

/* Reads the nodes of jobs, and the number of tasks on each node, from showres -n. The output has a line for each job
 * and node. Maui's node list of a running job begins with the job's master host, which showq -r prints. For an idle
 * job, the line shows a node and the start time of the job's reservation. */

struct node_tasks {
	uint32_t job, node, position; /* job: row of the job; node: name ID; position: index of the line in the file */
	/* tasks: number of the job's tasks on the node; start: start of the reservation, seconds since the epoch
	 * (FS_UNKNOWN: the job runs) */
	int64_t tasks, start;
};

struct node_task_reader {
	struct fsi_maui_import *x;
	FSI_VEC(struct node_tasks) entry;
};

enum {
	NODE_WORD,
	TYPE_WORD,
	ID_WORD,
	STATE_WORD,
	TASKS_WORD,
	START_WORD,
	DURATION_WORD,
	DATE_WORD,
	NODE_LINE_WORDS = 11
};

static struct fsi_reservation *ensure_reservation(fs_snapshot *m, uint32_t name)
{
	struct fsi_reservation *r;

	for (size_t i = 0; i < m->reservation.n; i++)
		if (m->reservation.v[i].name == name)
			return &m->reservation.v[i];
	r = FSI_VEC_ADD(&m->reservation);
	m->out_of_memory |= !r;
	if (r)
		FSI_PUT(r, RESERVATION, name, name);
	return r;
}

static void add_reservation_node(fs_snapshot *m, struct fsi_reservation *r, struct fsi_span node)
{
	const char *before = fsi_name_text(m, r->nodes);
	const size_t size = strlen(before) + node.len + 2;
	char *list = malloc(size);

	m->out_of_memory |= !list;
	if (!list)
		return;
	snprintf(list, size, "%s%s%.*s", before, *before ? "," : "", (int)node.len, node.s);
	FSI_PUT(r, RESERVATION, nodes, fsi_name_intern(m, list));
	free(list);
}

/* Stores a standing reservation, or a reservation made by an administrator, from a line like
 * "node00 User maint.0 N/A 1 1:56:00 1:00:00 Sun Sep 13 14:27:40". */
static void store_user_reservation(const struct node_task_reader *p, struct fsi_import *imp, const struct fsi_span *w)
{
	const uint32_t name = fsi_import_intern_name(imp, w[ID_WORD]);
	struct fsi_reservation *r;
	const bool for_ever = fsi_span_is_word(w[DURATION_WORD], "INFINITE");
	int64_t local, lasts_s = 0;

	if (fsi_maui_parse_ctime(p->x, w + DATE_WORD, &local) ||
	    (!for_ever && fsi_maui_parse_duration(w[DURATION_WORD], &lasts_s)))
		return;
	r = ensure_reservation(imp->m, name);
	if (!r)
		return;
	add_reservation_node(imp->m, r, w[NODE_WORD]);
	FSI_PUT(r, RESERVATION, start_time, fsi_import_local_to_utc(imp, local));
	FSI_PUT(r, RESERVATION, end_time, for_ever ? FSI_MAUI_MAX_TIME : r->start_time + lasts_s);
}

/* Stores the tasks of a job on a node, from a line like "node00 Job 5 Running 2 -00:41:00 1:30:00 Sun Sep 13 12:30:40".
 *
 * Warns of tasks whose reservation Maui has deleted without removing the reservation from the node. Maui's simulation
 * does so: MResDestroy clears name and start of the reservation (src/MRes.c). The node's processors stay blocked until
 * the node's table of reservations is overwritten. */
static void store_node_tasks(struct node_task_reader *p, struct fsi_import *imp, const struct fsi_span *w)
{
	struct node_tasks entry = { .job = fsi_maui_find_job(p->x, w[ID_WORD]),
				    .position = (uint32_t)p->entry.n,
				    .start = FS_UNKNOWN };
	const bool runs = fsi_span_is_word(w[STATE_WORD], "Running");
	int64_t local;

	if (fsi_span_is_word(w[START_WORD], "-INFINITY")) {
		fsi_model_add_warning(
			imp->m,
			"%s: node %.*s: plans ignore a deleted reservation for which Maui still blocks processors (tasks: %.*s)",
			imp->source->name, (int)w[NODE_WORD].len, w[NODE_WORD].s, (int)w[TASKS_WORD].len,
			w[TASKS_WORD].s);
		return;
	}
	if (entry.job == FSI_NO_INDEX || fsi_parse_i64(w[TASKS_WORD].s, w[TASKS_WORD].len, &entry.tasks) ||
	    entry.tasks <= 0 ||
	    (!runs && (!fsi_span_is_word(w[STATE_WORD], "Idle") ||
		       fsi_maui_parse_ctime(p->x, w + DATE_WORD, &local))))
		return;
	if (!runs)
		entry.start = fsi_import_local_to_utc(imp, local);
	entry.node = fsi_import_intern_name(imp, w[NODE_WORD]);
	if (FSI_VEC_RESERVE(&p->entry))
		imp->m->out_of_memory = true;
	else
		p->entry.v[p->entry.n++] = entry;
}

/* Reads a line of showres -n, such as: node00 Job 5 Running 2 -00:41:00 1:30:00 Sun Sep 13 12:30:40 */
static int read_node_tasks_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_span w[NODE_LINE_WORDS];

	if (fsi_span_split_words(line, w, NODE_LINE_WORDS) != NODE_LINE_WORDS)
		return 0;
	if (fsi_span_is_word(w[TYPE_WORD], "User"))
		store_user_reservation(ctx, imp, w);
	else if (fsi_span_is_word(w[TYPE_WORD], "Job"))
		store_node_tasks(ctx, imp, w);
	return 0;
}

static int compare_job_nodes(const void *a, const void *b, const void *ctx)
{
	const struct node_tasks *x = a, *y = b;

	(void)ctx;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

/* Corrects the number of tasks on each node if NODEACCESSPOLICY is SINGLEJOB or SINGLETASK: Maui then prints one task
 * for each node, whatever the real number is (src/MRes.c:MResJCreate). Fills the nodes in the order of v, with one task
 * for each processor, but leaves at least one task for each later node. */
static void distribute_job_tasks(const fs_snapshot *m, struct node_tasks *v, size_t n, int64_t tasks)
{
	const char *policy = fs_snapshot_config_text(m, "NODEACCESSPOLICY");

	if (!policy || (strcmp(policy, "SINGLEJOB") != 0 && strcmp(policy, "SINGLETASK") != 0))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct fsi_node *node = fsi_node_find(m, v[i].node);
		const int64_t most = tasks - (int64_t)(n - 1 - i), fit = node ? node->cpus : 0;

		v[i].tasks = fit < most ? fit : most;
		tasks -= v[i].tasks;
	}
}

/* Sets the nodes of one job from v[0..n), the rows of the job in showres -n. The rows of a running job show the job's
 * nodes; the rows of an idle job show the nodes and the start of its reservation. The stored list has the name of each
 * node once for each task on the node, and begins with the master host. Changes nothing if the rows do not agree with
 * the job's state, master host or number of tasks. */
static void set_job_node_list(fs_snapshot *m, struct node_tasks *v, size_t n, struct fsi_buf *t)
{
	struct fsi_job *job = &m->job.v[v->job];
	const bool idle = v->start != FS_UNKNOWN;
	const uint32_t master = !idle && FSI_HAS(job, JOB, node_list) ? job->node_list : 0;
	int64_t tasks = 0;
	bool found = idle;

	t->n = 0;
	if (FSI_HAS(job, JOB, tasks) && job->tasks >= (int64_t)n)
		distribute_job_tasks(m, v, n, job->tasks);
	for (int others = 0; others < 2; others++)
		for (size_t i = 0; i < n; i++) {
			const char *name = fsi_name_text(m, v[i].node);

			if ((v[i].node != master) != others)
				continue;
			found = found || !others;
			tasks += v[i].tasks;
			for (int64_t k = 0; k < v[i].tasks; k++)
				m->out_of_memory |= (t->n && fsi_buf_append_bytes(t, ",", 1)) ||
						    fsi_buf_append_bytes(t, name, strlen(name));
		}
	if (!found || !FSI_HAS(job, JOB, tasks) || tasks != job->tasks || idle != (job->state == FSI_STATE_PENDING) ||
	    fsi_model_is_out_of_memory(m))
		return;
	if (idle) {
		FSI_PUT(job, JOB, sched_nodes, fsi_name_intern(m, t->v));
		FSI_PUT(job, JOB, start_time, v->start);
	} else {
		job->node_list = fsi_name_intern(m, t->v);
	}
}

int fsi_maui_read_node_lists(struct fsi_maui_import *x)
{
	struct node_task_reader p = { .x = x };
	struct fsi_buf t = { 0 };
	int rc = 0;

	if ((x->queue_known || x->partial) && !x->capture_no)
		rc = fsi_maui_read_page(x, "showres_-n.txt", read_node_tasks_line, &p);
	if (rc >= 0)
		rc = fs_sort(p.entry.v, p.entry.n, sizeof(*p.entry.v), compare_job_nodes, NULL)
			     ? fsi_fail_no_memory(x->imp->err)
			     : 0;
	for (size_t i = 0, n; i < p.entry.n && !rc; i += n) {
		for (n = 1; i + n < p.entry.n && p.entry.v[i + n].job == p.entry.v[i].job; n++)
			;
		set_job_node_list(x->imp->m, &p.entry.v[i], n, &t);
	}
	free(t.v);
	FSI_VEC_FREE(&p.entry);
	return rc;
}

/* Reads the access lists of reservations made by administrators, from diagnose -r. The list follows the row of the
 * reservation:
 *
 *   ACL: RES==maint= USER==bob+:==eve+ GROUP==staff+
 *
 * (src/MACL.c:MACLListShow). If a word denies access, requires a credential or uses another comparison, the list is
 * treated as unknown. */

struct acl_reader {
	struct fsi_maui_import *x;
	/* the reservation whose access list is in the next line that begins with ACL:; NULL if this is the reservation
	 * of a job or an unknown reservation */
	struct fsi_reservation *reservation;
};

static struct fsi_reservation *find_reservation_by_name(fs_snapshot *m, struct fsi_span name)
{
	for (size_t i = 0; i < m->reservation.n; i++)
		if (fsi_span_is_word(name, fsi_name_text(m, m->reservation.v[i].name)))
			return &m->reservation.v[i];
	return NULL;
}

/* Changes "==bob+" to "bob". Returns false if the word denies access, requires a credential or uses another
 * comparison. */
static bool parse_admitted_name(struct fsi_span *v)
{
	if (v->len < 4 || memcmp(v->s, "==", 2) != 0 || !memchr("+-=", v->s[v->len - 1], strlen("+-=")))
		return false;
	*v = (struct fsi_span){ v->s + 2, v->len - 3 };
	return !memchr("!*^", v->s[v->len - 1], strlen("!*^"));
}

/* Reads a word like "USER==bob+:==eve+". Adds its names to the lists of users, groups, accounts, classes and QOS that
 * may use the reservation. Returns false if the word is not understood or a list is full. */
static bool read_acl_word(struct fsi_import *imp, struct fsi_reservation *r, struct fsi_span word)
{
	const struct {
		const char *type;
		uint32_t *list;
		unsigned bit;
	} types[] = { { "RES", NULL, 0 },
		      { "USER", &r->users, FSI_RESERVATION_users },
		      { "GROUP", &r->groups, FSI_RESERVATION_groups },
		      { "ACCT", &r->accounts, FSI_RESERVATION_accounts },
		      { "CLASS", &r->classes, FSI_RESERVATION_classes },
		      { "QOS", &r->qos, FSI_RESERVATION_qos } };
	const size_t n = sizeof(types) / sizeof(*types);
	const char *sign = memchr(word.s, '=', word.len);
	const struct fsi_span type = { word.s, sign ? (size_t)(sign - word.s) : 0 };
	struct fsi_span one;
	size_t at = 0;

	while (at < n && !fsi_span_is_word(type, types[at].type))
		at++;
	word = fsi_span_skip_bytes(word, type.len);
	while (fsi_span_cut_part(&word, ':', &one)) {
		if (at == n || !parse_admitted_name(&one))
			return false;
		if (!types[at].list)
			continue;
		if (fsi_list_append_name(imp->m, types[at].list, 64, fsi_import_intern_name(imp, one)))
			return false;
		fsi_mark_known(&r->rec, types[at].bit);
	}
	return true;
}

enum { ACL_WORDS_MAX = 64 };

static int read_acl_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct acl_reader *d = ctx;
	struct fsi_span w[ACL_WORDS_MAX];
	const size_t n = fsi_span_split_words(line, w, ACL_WORDS_MAX);

	if (n >= 8 && (fsi_span_is_word(w[1], "User") || fsi_span_is_word(w[1], "Job")))
		d->reservation = fsi_span_is_word(w[1], "User") ? find_reservation_by_name(imp->m, w[0]) : NULL;
	if (n > 1 && n < ACL_WORDS_MAX && fsi_span_is_word(w[0], "ACL:") && d->reservation) {
		size_t i = 1;

		while (i < n && read_acl_word(imp, d->reservation, w[i]))
			i++;
		FSI_PUT(d->reservation, RESERVATION, admits_told, i == n);
	}
	return 0;
}

int fsi_maui_read_access_lists(struct fsi_maui_import *x)
{
	struct acl_reader d = { .x = x };
	const int rc = x->imp->m->reservation.n ? fsi_maui_read_page(x, "diagnose_-r.txt", read_acl_line, &d) : 0;

	return rc < 0 ? rc : 0;
}
