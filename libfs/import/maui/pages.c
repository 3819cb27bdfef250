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
				int (*fn)(struct fsi_maui_import *x, void *ctx), void *ctx)
{
	const struct fs_source *source = x->imp->source;
	struct checkjob_files f = { .x = x };
	int rc = source->list ? source->list(source->ctx, dir, add_checkjob_file, &f) : 0;

	rc = rc < 0 ? fsi_maui_fail_unreadable_folder(x, rc, dir) : 0;
	if (f.name.n)
		qsort(f.name.v, f.name.n, sizeof(*f.name.v), compare_file_names);
	for (size_t i = 0; i < f.name.n && !rc; i++) {
		snprintf(x->file, sizeof(x->file), "%s%s%s", dir, *dir ? "/" : "", f.name.v[i]);
		rc = fn(x, ctx);
	}
	FSI_VEC_FREE(&f.name);
	return rc;
}

/* Calls fn for each checkjob page in the folders "out" and ".", sorted by name, with x->file set to its path. Stops if
 * fn fails. */
static int for_each_checkjob(struct fsi_maui_import *x, int (*fn)(struct fsi_maui_import *x, void *ctx), void *ctx)
{
	const int rc = read_checkjob_folder(x, "out", fn, ctx);

	return rc ? rc : read_checkjob_folder(x, "", fn, ctx);
}

/* ---- checkjob pages of jobs that are in a trace or in showq */

struct checkjob_page {
	struct fsi_maui_import *x;
	uint32_t job;
	/* has_name: the line with the job's name was read. state: the line with the job's state was read. is_idle,
	 * is_running: this state is Idle or Running. */
	bool has_name, state, is_idle, is_running;
	int64_t queued_s; /* time queued, seconds; -1: unknown */
};

/* Sets the run time of a job in a simulation from "WallTime: 00:00:00 of 2:00:00 (Recorded WallTime: 1:35:00)". Only
 * simulations print the recorded wall time (src/UserI.c:UICheckJob). */
static void set_recorded_run_time(struct checkjob_page *c, struct fsi_span line)
{
	struct fsi_span v = fsi_maui_word_after(line, "(Recorded WallTime:");
	int64_t s;

	if (v.len && v.s[v.len - 1] == ')')
		v.len--;
	if (!v.len || c->job == FSI_NO_INDEX || fsi_maui_parse_duration(v, &s) || s < 0 || s > UINT32_MAX)
		return;
	struct fsi_job *job = &c->x->imp->m->job.v[c->job];

	/* FSI_SET_JOB_EXT cannot fail, because fsi_maui_add_job has allocated the job's optional fields */
	(void)FSI_SET_JOB_EXT(c->x->imp->m, job, simulated_run_s, (uint32_t)s);
}

/* Sets eligible_s of an idle job from "(Time Queued Total: 00:20:00 Eligible: 00:12:00)" (src/UserI.c:UICheckJob, from
 * J->EffQueueDuration). For a blocked job, the printed duration ends at the time when the job was last eligible. No
 * other output shows this duration. */
static void set_eligible_time(struct checkjob_page *c, struct fsi_span line)
{
	struct fsi_span v = fsi_maui_word_after(line, "  Eligible:");
	int64_t s;

	if (v.len && v.s[v.len - 1] == ')')
		v.len--;
	if (!v.len || !c->is_idle || !fsi_maui_word_after(line, "(Time Queued").len || c->job == FSI_NO_INDEX ||
	    fsi_maui_parse_duration(v, &s) || s < 0 || s > UINT32_MAX)
		return;
	(void)FSI_SET_JOB_EXT(c->x->imp->m, &c->x->imp->m->job.v[c->job], eligible_s, (uint32_t)s);
}

/* Sets the partition of a running job from "Req[0] TaskCount: 12 Partition: p2" (src/UserI.c:UICheckJob). For a pending
 * job, Maui prints ALL. */
static int set_job_partition(struct checkjob_page *c, struct fsi_span line)
{
	const struct fsi_span v = fsi_maui_word_after(line, "  Partition: ");
	uint32_t name;

	if (!v.len || !fsi_span_starts_with(line, "Req[") || !c->is_running || c->job == FSI_NO_INDEX ||
	    fsi_span_is_word(v, "DEFAULT") || fsi_span_is_word(v, "ALL"))
		return 0;
	name = fsi_import_intern_name(c->x->imp, v);
	if (name == FSI_INTERN_FAILED ||
	    FSI_SET_JOB_EXT(c->x->imp->m, &c->x->imp->m->job.v[c->job], maui_partition, name))
		return fsi_fail_no_memory(c->x->imp->err);
	return 0;
}

static int read_checkjob_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct checkjob_page *c = ctx;
	struct fsi_span v = fsi_maui_word_after(line, "checking job ");
	uint64_t n;

	if (v.s) {
		c->job = fsi_maui_find_job(c->x, v);
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
	set_eligible_time(c, line);
	if (set_job_partition(c, line))
		return FS_ENOMEM;
	if (c->is_idle && c->job != FSI_NO_INDEX) {
		c->x->reservations_known = true;
		if (fsi_span_starts_with(line, "Reservation '"))
			fsi_maui_add_job_flag(imp, &imp->m->job.v[c->job], "RESERVED");
	}
	set_recorded_run_time(c, line);
	v = fsi_maui_word_after(line, "TasksPerNode:");
	if (v.s && c->job != FSI_NO_INDEX && !fsi_parse_u64(v.s, v.len, &n) && n <= UINT32_MAX)
		(void)FSI_SET_JOB_EXT(imp->m, &imp->m->job.v[c->job], tasks_per_node, (uint32_t)n);
	v = fsi_maui_word_after(line, "SystemPriority:");
	if (v.s && c->job != FSI_NO_INDEX && !fsi_parse_u64(v.s, v.len, &n) && n <= UINT32_MAX) {
		imp->m->job.v[c->job].priority_set = (uint32_t)n;
		FSI_SET(&imp->m->job.v[c->job], JOB, priority_set);
	}
	return 0;
}

/* Warns if a page lacks the job's name, its state or its time queued, which checkjob always prints (src/moab/UserI.c:
 * UICheckJob). */
static int check_checkjob_page(const struct checkjob_page *c)
{
	const char *missing = !c->has_name      ? "checking job"
			      : !c->state       ? "State:"
			      : c->queued_s < 0 ? "(Time Queued  Total:"
						: NULL;

	return missing ? fsi_import_warn_incomplete(c->x->imp, NULL,
						    "%s/%s: the file is not the output of checkjob: the text \"%s\" is missing",
						    c->x->imp->source->name, c->x->file, missing)
		       : 0;
}

static int read_checkjob_page(struct fsi_maui_import *x, void *ctx)
{
	struct checkjob_page *c = ctx;
	int rc;

	c->job = FSI_NO_INDEX;
	c->has_name = c->state = c->is_idle = c->is_running = false;
	c->queued_s = -1;
	rc = fsi_import_read_lines(x->imp, x->file, read_checkjob_line, c);
	if (!rc && !x->now && c->is_idle && c->queued_s >= 0 && c->job != FSI_NO_INDEX &&
	    FSI_HAS(&x->imp->m->job.v[c->job], JOB, submit_time))
		x->now = x->imp->m->job.v[c->job].submit_time + c->queued_s;
	return rc || x->partial ? (rc > 0 ? 0 : rc) : check_checkjob_page(c);
}

int fsi_maui_read_checkjob(struct fsi_maui_import *x)
{
	struct checkjob_page c = { .x = x };

	return for_each_checkjob(x, read_checkjob_page, &c);
}

/* Reads jobs that are not in a trace, for example those of a real server, from diagnose -j, showq -i, -r and -b,
 * checkjob and diagnose -p.
 *
 * Sources of the formats: src/UserI.c (UIDiagnoseJobs: names are cut at eight characters, the QOS at three;
 * UICheckJob), src/server/omclient.c (MCShowIdle, MCShowRun, MCShowBlocked), src/moab/MPriority.c. */

enum { NAME_CUT_AT = 8, QOS_CUT_AT = 3 };

/* Returns the job with this name if the job is not in a trace; NULL if the job is in a trace. If no job has this name,
 * adds a job if the capture is partial, or returns NULL if the capture is complete. On error, returns NULL and sets *rc
 * to the error code. */
static struct fsi_job *get_untraced_job(struct fsi_maui_import *x, struct fsi_span name, int *rc)
{
	uint32_t row = fsi_maui_find_job(x, name);

	*rc = 0;
	if (row == FSI_NO_INDEX && x->partial && name.len)
		*rc = fsi_maui_add_job(x, name, &row);
	return row == FSI_NO_INDEX || row < x->traced_jobs ? NULL : &x->imp->m->job.v[row];
}

static bool is_page_value(struct fsi_span v)
{
	return v.len && !fsi_span_is_word(v, "-") && !fsi_span_is_word(v, "[NONE]");
}

/* Sets a name field of a job. Does nothing if an earlier output has set the field, or if v may be cut. `cut`: width of
 * the column in characters; 0: unlimited. */
static int set_uncut_name(struct fsi_maui_import *x, struct fsi_job *job, unsigned bit, uint32_t *member,
			  struct fsi_span v, size_t cut)
{
	if (!is_page_value(v) || (cut && v.len >= cut) || fsi_is_field_known(&job->rec, bit))
		return 0;
	*member = fsi_import_intern_name(x->imp, v);
	fsi_mark_known(&job->rec, bit);
	return *member == FSI_INTERN_FAILED ? fsi_fail_no_memory(x->imp->err) : 0;
}

static int set_single_name_list(struct fsi_maui_import *x, struct fsi_job *job, unsigned bit, uint32_t *member,
				struct fsi_span v)
{
	uint32_t name = 0;
	int rc = fsi_is_field_known(&job->rec, bit) ? 0 : set_uncut_name(x, job, bit, &name, v, 0);

	if (rc || !name)
		return rc;
	*member = fsi_intern_add(&x->imp->m->sets, &name, sizeof(name));
	return *member == FSI_INTERN_FAILED ? fsi_fail_no_memory(x->imp->err) : 0;
}

static void set_unknown_limit(struct fsi_job *job, struct fsi_span v)
{
	int64_t s;

	if (FSI_HAS(job, JOB, time_limit_s) || fsi_maui_parse_duration(v, &s) || s < 0)
		return;
	FSI_PUT(job, JOB, time_limit_s, s);
}

static void set_unknown_cpus(struct fsi_job *job, struct fsi_span v)
{
	int64_t n;

	if (FSI_HAS(job, JOB, cpus) || fsi_parse_i64(v.s, v.len, &n) || n < 0 || n > UINT32_MAX)
		return;
	FSI_PUT(job, JOB, cpus, (uint32_t)n);
}

static void set_unknown_priority(struct fsi_job *job, struct fsi_span v)
{
	int64_t n;

	if (FSI_HAS(job, JOB, priority) || fsi_parse_i64(v.s, v.len, &n) || n < 0 || n > UINT32_MAX)
		return;
	FSI_PUT(job, JOB, priority, (uint32_t)n);
}

/* Sets the state of a job from the name of the state, which may be cut. Holds and deferral become reasons. */
static int set_state_or_reason(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_span v)
{
	static const char *const hold_states[] = { "UserHold", "SystemHold", "BatchHold", "Deferred" };

	if (fsi_span_is_word(v, "Running") || fsi_span_is_word(v, "Starting"))
		job->state = FSI_STATE_RUNNING;
	for (size_t i = 0; i < sizeof(hold_states) / sizeof(*hold_states); i++)
		if (v.len >= NAME_CUT_AT && !strncmp(hold_states[i], v.s, v.len) && !FSI_HAS(job, JOB, reason))
			return set_uncut_name(x, job, FSI_JOB_reason, &job->reason, fsi_string_to_span(hold_states[i]),
					      0);
	return 0;
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
	int rc;

	(void)imp;
	if (n < QUEUED + 1 || n > ALL + 8 || fsi_maui_parse_duration(w[QUEUED], &waited) ||
	    fsi_parse_i64(w[PROC].s, w[PROC].len, &procs) || w[RESERVED].len != 1)
		return 0;
	job = get_untraced_job(x, w[NAME], &rc);
	if (!job)
		return rc;
	set_unknown_cpus(job, w[PROC]);
	set_unknown_limit(job, w[LIMIT]);
	rc = set_state_or_reason(x, job, w[STATE]);
	rc = rc ? rc : set_uncut_name(x, job, FSI_JOB_user, &job->user, w[USER], NAME_CUT_AT);
	rc = rc ? rc : set_uncut_name(x, job, FSI_JOB_group, &job->group, w[GROUP], NAME_CUT_AT);
	rc = rc ? rc : set_uncut_name(x, job, FSI_JOB_account, &job->account, w[ACCOUNT], NAME_CUT_AT);
	if (!rc && w[QOS].len < QOS_CUT_AT)
		rc = set_single_name_list(x, job, FSI_JOB_qos, &job->qos, w[QOS]);
	return rc || n < ALL ? rc
			     : set_single_name_list(x, job, FSI_JOB_partitions, &job->partitions,
						    get_bracket_class(w[CLASS]));
}

/* ---- showq -i: JobName[mark] Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime */

/* Reads a line of showq -i. Most words are counted from the end of the line: the column Q may be empty, and a mark
 * after the job's name may be a separate word. */
static int read_untraced_idle(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[16];
	const size_t n = fsi_span_split_words(line, w, 16);
	const bool separate = n > 1 && w[1].len == 1 && *w[1].s == '*';
	struct fsi_job *job;
	int64_t local, priority;
	int rc;

	(void)imp;
	if (n < 12 || n > 15 || fsi_maui_parse_ctime(x, w + n - 4, &local) ||
	    fsi_parse_i64(w[1 + separate].s, w[1 + separate].len, &priority))
		return 0;
	w[0].len -=
		!separate && w[0].len > 1 && w[0].s[w[0].len - 1] == '*' && fsi_maui_find_job(x, w[0]) == FSI_NO_INDEX;
	job = get_untraced_job(x, w[0], &rc);
	if (!job)
		return rc;
	set_unknown_priority(job, w[1 + separate]);
	set_unknown_limit(job, w[n - 6]);
	set_unknown_cpus(job, w[n - 7]);
	rc = set_uncut_name(x, job, FSI_JOB_group, &job->group, w[n - 8], 0);
	rc = rc ? rc : set_uncut_name(x, job, FSI_JOB_user, &job->user, w[n - 9], 0);
	return rc ? rc : set_single_name_list(x, job, FSI_JOB_partitions, &job->partitions, w[n - 5]);
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
	static const struct fsi_span blocked = { "Blocked", 7 };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[3];
	struct fsi_job *job;
	int rc;

	(void)imp;
	if (fsi_span_split_words(line, w, 3) < 3 || fsi_span_is_word(w[0], "JobName") ||
	    !ends_at_column(line, w[0], 18) || !ends_at_column(line, w[1], 28))
		return 0;
	job = get_untraced_job(x, w[0], &rc);
	if (!job)
		return rc;
	rc = set_uncut_name(x, job, FSI_JOB_user, &job->user, w[1], 0);
	return rc || job->state != FSI_STATE_PENDING ? rc
						     : set_uncut_name(x, job, FSI_JOB_reason, &job->reason, blocked, 0);
}

/* ---- diagnose -p: Job PRIORITY* and the terms of the priority */

static int read_job_priority_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[2];
	struct fsi_job *job;
	int64_t priority;
	int rc;

	(void)imp;
	if (fsi_span_split_words(line, w, 2) < 2)
		return 0;
	w[1].len -= w[1].s[w[1].len - 1] == '*';
	if (!fsi_maui_is_priority_row(line, w[0], w[1]) || fsi_parse_i64(w[1].s, w[1].len, &priority) ||
	    !memchr(line.s, '(', line.len))
		return 0;
	job = get_untraced_job(x, w[0], &rc);
	/* a printed 0 does not show whether Maui raises the priority to 1 or rejects the job */
	if (job && priority > 0)
		set_unknown_priority(job, w[1]);
	return rc;
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

static int set_job_credentials(struct untraced_checkjob *c, struct fsi_span line)
{
	struct fsi_maui_import *x = c->x;
	struct fsi_job *job = c->job;
	int rc = set_uncut_name(x, job, FSI_JOB_user, &job->user, fsi_maui_word_after(line, "user:"), 0);

	rc = rc ? rc : set_uncut_name(x, job, FSI_JOB_group, &job->group, fsi_maui_word_after(line, "group:"), 0);
	rc = rc ? rc : set_uncut_name(x, job, FSI_JOB_account, &job->account, fsi_maui_word_after(line, "account:"), 0);
	rc = rc ? rc
		: set_single_name_list(x, job, FSI_JOB_partitions, &job->partitions,
				       fsi_maui_word_after(line, "class:"));
	return rc ? rc : set_single_name_list(x, job, FSI_JOB_qos, &job->qos, fsi_maui_word_after(line, "qos:"));
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
static int set_wait_message(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_span line)
{
	const struct fsi_span v = get_wait_message(fsi_span_trim_blanks(line));
	uint32_t text;

	if (!v.len || fsi_job_ext(x->imp->m, job)->wait_message)
		return 0;
	text = fsi_import_intern_name(x->imp, v);
	return text == FSI_INTERN_FAILED || FSI_SET_JOB_EXT(x->imp->m, job, wait_message, text)
		       ? fsi_fail_no_memory(x->imp->err)
		       : 0;
}

/* Reads "Holds:    Defer" (src/UserI.c:UICheckJob): a deferred job. */
static int set_deferred_reason(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_span line)
{
	return fsi_span_is_word(fsi_maui_word_after(line, "Holds:"), "Defer")
		       ? set_uncut_name(x, job, FSI_JOB_reason, &job->reason, fsi_string_to_span("Deferred"), 0)
		       : 0;
}

static int read_untraced_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct untraced_checkjob *c = ctx;
	const struct fsi_span name = fsi_maui_word_after(line, "checking job ");
	struct fsi_span v;
	int64_t n;
	int rc = 0;

	(void)imp;
	if (name.len)
		c->job = get_untraced_job(c->x, name, &rc);
	if (rc || !c->job)
		return rc;
	if (fsi_maui_word_after(line, "Creds:").len)
		rc = set_job_credentials(c, line);
	v = fsi_maui_word_after(line, "State:");
	if (!rc && v.len && v.s - line.s < 12)
		rc = set_state_or_reason(c->x, c->job, v);
	rc = rc ? rc : set_deferred_reason(c->x, c->job, fsi_span_trim_blanks(line));
	rc = rc ? rc : set_wait_message(c->x, c->job, line);
	v = fsi_maui_word_after(line, " of ");
	if (v.len && fsi_maui_word_after(line, "WallTime:").len)
		set_unknown_limit(c->job, v);
	set_labelled_time(c, line, "SubmitTime: ", FSI_JOB_submit_time, &c->job->submit_time);
	set_labelled_time(c, line, "StartTime: ", FSI_JOB_start_time, &c->job->start_time);
	v = fsi_maui_word_after(line, "Total Tasks:");
	if (v.len && !FSI_HAS(c->job, JOB, tasks) && !fsi_parse_i64(v.s, v.len, &n) && n > 0 && n <= UINT32_MAX)
		FSI_PUT(c->job, JOB, tasks, (uint32_t)n);
	v = fsi_maui_word_after(line, "StartPriority:");
	if (v.len && c->job->state == FSI_STATE_PENDING)
		set_unknown_priority(c->job, v);
	return rc;
}

static int read_untraced_checkjob(struct fsi_maui_import *x, void *ctx)
{
	struct untraced_checkjob *c = ctx;
	int rc;

	c->job = NULL;
	rc = fsi_import_read_lines(x->imp, x->file, read_untraced_line, c);
	return rc > 0 ? 0 : rc;
}

/* ---- reading all outputs: checkjob, showq -i and showq -b come before diagnose -j, which cuts names */

int fsi_maui_read_untraced_jobs(struct fsi_maui_import *x)
{
	static const struct {
		const char *files[3];
		fsi_line_fn fn;
	} pages[] = {
		{ { "showq_-i.txt", "out/showq_-i.txt", NULL }, read_untraced_idle },
		{ { "showq_-b.txt", "out/showq_-b.txt", NULL }, read_blocked_line },
		{ { "diagnose_-j.txt", "out/diagnose_-j.txt", NULL }, read_untraced_diagnosed },
		{ { "diagnose_-p.txt", "out/diagnose_-p.txt", NULL }, read_job_priority_line },
	};
	struct untraced_checkjob c = { .x = x };
	int rc = for_each_checkjob(x, read_untraced_checkjob, &c);

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages) && rc >= 0; i++)
		rc = fsi_maui_read_first_file(x, pages[i].files, pages[i].fn);
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

/* Reads the first file in the list `files` that exists, and warns if this file is incomplete. Returns 1 if none of the
 * files exists. */
static int read_counted_page(struct fsi_maui_import *x, const char *const *files, fsi_line_fn fn)
{
	struct counted_page page = { .x = x, .printed_count = -1 };
	int rc = 1;

	for (; rc > 0 && *files; files++) {
		rc = fsi_import_read_lines(x->imp, *files, fn, &page);
		if (!rc && !x->partial && fsi_maui_check_count(x, *files, page.printed_count, page.rows))
			return fsi_fail_no_memory(x->imp->err);
	}
	return rc;
}

static void set_printed_count(struct counted_page *page, struct fsi_span word)
{
	if (fsi_parse_i64(word.s, word.len, &page->printed_count) || page->printed_count < 0)
		page->printed_count = -1;
}

static struct fsi_job *get_listed_job(struct fsi_maui_import *x, struct fsi_span name)
{
	const uint32_t row = fsi_maui_find_job(x, name);

	return row == FSI_NO_INDEX ? NULL : &x->imp->m->job.v[row];
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

/* Reads a line of showq -i: JobName[mark] Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime */
static int read_idle_reservation_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct counted_page *page = ctx;
	struct fsi_maui_import *x = page->x;
	struct fsi_span w[16];
	const size_t n = fsi_span_split_words(line, w, 16);
	const bool separate = n > 1 && w[1].len == 1 && *w[1].s == '*';
	struct fsi_job *job;
	int64_t local;

	if (n > 2 && fsi_span_is_word(w[0], "Jobs:") && fsi_span_is_word(w[2], "Total"))
		set_printed_count(page, w[1]);
	if (n < 13 || n > 15 || fsi_maui_parse_ctime(x, w + n - 4, &local))
		return 0;
	job = get_listed_job(x, w[0]);
	if (!job && w[0].len > 1 && w[0].s[w[0].len - 1] == '*') {
		w[0].len--;
		job = get_listed_job(x, w[0]);
		if (job)
			fsi_maui_add_job_flag(imp, job, "RESERVED");
	} else if (job && separate) {
		fsi_maui_add_job_flag(imp, job, "RESERVED");
	}
	if (!job)
		return 0;
	page->rows++;
	set_queue_time(x, job, fsi_import_local_to_utc(imp, local));
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

static const char *const showres_files[] = { "showres.txt", "out/showres.txt", NULL };

int fsi_maui_read_printed_time(struct fsi_maui_import *x)
{
	const int rc = fsi_maui_read_first_file(x, showres_files, read_reservation_time);

	return rc < 0 ? rc : 0;
}

int fsi_maui_read_job_pages(struct fsi_maui_import *x)
{
	static const char *const jobs[] = { "diagnose_-j.txt", "out/diagnose_-j.txt", NULL };
	static const char *const idle[][3] = {
		{ "showq_-i.txt", "out/showq_-i.txt", NULL },
		{ "showq_-i.1.txt", "out/showq_-i.1.txt", NULL },
		{ "showq_-i.2.txt", "out/showq_-i.2.txt", NULL },
	};
	int rc = 0;

	if (!x->queue_known && !x->partial)
		return 0;
	if (!x->capture_no)
		rc = read_counted_page(x, jobs, read_queue_time_line);
	if (rc >= 0 && !x->capture_no) {
		rc = read_counted_page(x, showres_files, read_reserved_job_line);
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

/* Sets the start of an idle job's reservation. Returns -1 if the line has no date. */
static int set_reservation_start(const struct node_task_reader *p, struct fsi_import *imp, const struct fsi_span *date,
				 struct node_tasks *entry)
{
	int64_t local;

	if (fsi_maui_parse_ctime(p->x, date, &local))
		return -1;
	entry->start = fsi_import_local_to_utc(imp, local);
	return 0;
}

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
	if (r)
		FSI_PUT(r, RESERVATION, name, name);
	return r;
}

static int add_reservation_node(fs_snapshot *m, struct fsi_reservation *r, struct fsi_span node)
{
	const char *before = fsi_name_text(m, r->nodes);
	const size_t size = strlen(before) + node.len + 2;
	char *list = malloc(size);

	if (!list)
		return -1;
	snprintf(list, size, "%s%s%.*s", before, *before ? "," : "", (int)node.len, node.s);
	FSI_PUT(r, RESERVATION, nodes, fsi_name_intern(m, list));
	free(list);
	return r->nodes == FSI_INTERN_FAILED ? -1 : 0;
}

/* Stores a standing reservation, or a reservation made by an administrator, from a line like
 * "node00 User maint.0 N/A 1 1:56:00 1:00:00 Sun Sep 13 14:27:40". */
static int store_user_reservation(const struct node_task_reader *p, struct fsi_import *imp, const struct fsi_span *w)
{
	const uint32_t name = fsi_import_intern_name(imp, w[ID_WORD]);
	struct fsi_reservation *r;
	const bool for_ever = fsi_span_is_word(w[DURATION_WORD], "INFINITE");
	int64_t local, lasts_s = 0;

	if (fsi_maui_parse_ctime(p->x, w + DATE_WORD, &local) ||
	    (!for_ever && fsi_maui_parse_duration(w[DURATION_WORD], &lasts_s)))
		return 0;
	r = name == FSI_INTERN_FAILED ? NULL : ensure_reservation(imp->m, name);
	if (!r || add_reservation_node(imp->m, r, w[NODE_WORD]))
		return fsi_fail_no_memory(imp->err);
	FSI_PUT(r, RESERVATION, start_time, fsi_import_local_to_utc(imp, local));
	FSI_PUT(r, RESERVATION, end_time, for_ever ? FSI_MAUI_MAX_TIME : r->start_time + lasts_s);
	return 0;
}

/* Warns of tasks whose reservation Maui has deleted without removing the reservation from the node. Maui's simulation
 * does so: MResDestroy clears name and start of the reservation (src/MRes.c). The node's processors stay blocked until
 * the node's table of reservations is overwritten. */
static int warn_stale_reservation(struct fsi_import *imp, const struct fsi_span *w)
{
	return fsi_model_add_warning(
		       imp->m,
		       "%s: node %.*s: plans ignore a deleted reservation for which Maui still blocks processors (tasks: %.*s)",
		       imp->source->name, (int)w[NODE_WORD].len, w[NODE_WORD].s, (int)w[TASKS_WORD].len,
		       w[TASKS_WORD].s)
		       ? fsi_fail_no_memory(imp->err)
		       : 0;
}

/* Reads a line of showres -n, such as: node00 Job 5 Running 2 -00:41:00 1:30:00 Sun Sep 13 12:30:40 */
static int read_node_tasks_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct node_task_reader *p = ctx;
	struct fsi_span w[NODE_LINE_WORDS];
	struct node_tasks entry = { .start = FS_UNKNOWN };

	if (fsi_span_split_words(line, w, NODE_LINE_WORDS) != NODE_LINE_WORDS)
		return 0;
	if (fsi_span_is_word(w[TYPE_WORD], "User"))
		return store_user_reservation(p, imp, w);
	if (fsi_span_is_word(w[TYPE_WORD], "Job") && fsi_span_is_word(w[START_WORD], "-INFINITY"))
		return warn_stale_reservation(imp, w);
	if (!fsi_span_is_word(w[TYPE_WORD], "Job") || fsi_parse_i64(w[TASKS_WORD].s, w[TASKS_WORD].len, &entry.tasks))
		return 0;
	if (!fsi_span_is_word(w[STATE_WORD], "Running") &&
	    (!fsi_span_is_word(w[STATE_WORD], "Idle") || set_reservation_start(p, imp, w + DATE_WORD, &entry)))
		return 0;
	entry.job = fsi_maui_find_job(p->x, w[ID_WORD]);
	entry.node = fsi_import_intern_name(imp, w[NODE_WORD]);
	if (entry.node == FSI_INTERN_FAILED || FSI_VEC_RESERVE(&p->entry))
		return fsi_fail_no_memory(imp->err);
	entry.position = (uint32_t)p->entry.n;
	if (entry.job != FSI_NO_INDEX && entry.tasks > 0)
		p->entry.v[p->entry.n++] = entry;
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

static int append_repeated_name(struct fsi_buf *t, const char *name, int64_t times)
{
	for (; times > 0; times--)
		if ((t->n && fsi_buf_append_bytes(t, ",", 1)) || fsi_buf_append_bytes(t, name, strlen(name)))
			return -1;
	return 0;
}

/* Sets nodes and start of an idle job's reservation. */
static int set_job_reservation(fs_snapshot *m, struct fsi_job *job, int64_t start, const char *nodes)
{
	FSI_PUT(job, JOB, sched_nodes, fsi_name_intern(m, nodes));
	FSI_PUT(job, JOB, start_time, start);
	return job->sched_nodes == FSI_INTERN_FAILED ? -1 : 0;
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
 * nodes; the rows of an idle job show the nodes of its reservation. The stored list has the name of each node once for
 * each task on the node, and begins with the master host. Changes nothing if the rows do not agree with the job's
 * state, master host or number of tasks. */
static int set_job_node_list(fs_snapshot *m, struct node_tasks *v, size_t n, struct fsi_buf *t)
{
	struct fsi_job *job = &m->job.v[v->job];
	const bool idle = v->start != FS_UNKNOWN;
	const uint32_t master = !idle && FSI_HAS(job, JOB, node_list) ? job->node_list : 0;
	int64_t tasks = 0;
	bool found = idle;
	int rc = 0;

	t->n = 0;
	if (FSI_HAS(job, JOB, tasks) && job->tasks >= (int64_t)n)
		distribute_job_tasks(m, v, n, job->tasks);
	for (int others = 0; others < 2 && !rc; others++)
		for (size_t i = 0; i < n && !rc; i++) {
			if ((v[i].node != master) != others)
				continue;
			found = found || !others;
			tasks += v[i].tasks;
			rc = append_repeated_name(t, fsi_name_text(m, v[i].node), v[i].tasks);
		}
	if (rc || !found || !FSI_HAS(job, JOB, tasks) || tasks != job->tasks ||
	    idle != (job->state == FSI_STATE_PENDING))
		return rc;
	if (idle)
		return set_job_reservation(m, job, v->start, t->v);
	job->node_list = fsi_name_intern(m, t->v);
	return job->node_list == FSI_INTERN_FAILED ? -1 : 0;
}

int fsi_maui_read_node_lists(struct fsi_maui_import *x)
{
	static const char *const files[] = { "showres_-n.txt", "out/showres_-n.txt" };
	struct node_task_reader p = { .x = x };
	struct fsi_buf t = { 0 };
	int rc = (x->queue_known || x->partial) && !x->capture_no;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && rc > 0; i++)
		rc = fsi_import_read_lines(x->imp, files[i], read_node_tasks_line, &p);
	rc = rc > 0 ? 0 : rc;
	if (!rc && fs_sort(p.entry.v, p.entry.n, sizeof(*p.entry.v), compare_job_nodes, NULL))
		rc = fsi_fail_no_memory(x->imp->err);
	for (size_t i = 0, n; i < p.entry.n && !rc; i += n) {
		for (n = 1; i + n < p.entry.n && p.entry.v[i + n].job == p.entry.v[i].job; n++)
			;
		rc = set_job_node_list(x->imp->m, &p.entry.v[i], n, &t) ? fsi_fail_no_memory(x->imp->err) : 0;
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

/* Adds a name to the list of users, groups, accounts, classes or QOS that may use the reservation. Returns 1 if the
 * list is full. */
static int add_admitted_name(struct fsi_import *imp, struct fsi_reservation *r, uint32_t *list, unsigned bit,
			     struct fsi_span name)
{
	const int rc = fsi_list_append_name(imp->m, list, 64, fsi_import_intern_name(imp, name));

	if (rc)
		return rc < 0 ? fsi_fail_no_memory(imp->err) : rc;
	fsi_mark_known(&r->rec, bit);
	return 0;
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

/* Reads a word like "USER==bob+:==eve+". Returns 1 if the word is not understood. */
static int read_acl_word(struct fsi_import *imp, struct fsi_reservation *r, struct fsi_span word)
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
	size_t at = 0;
	int rc = 0;

	while (at < n && !fsi_span_is_word(type, types[at].type))
		at++;
	word = fsi_span_skip_bytes(word, type.len);
	while (!rc && word.s) {
		struct fsi_span one;

		fsi_span_cut_part(&word, ':', &one);
		if (at == n || !parse_admitted_name(&one))
			return 1;
		if (types[at].list)
			rc = add_admitted_name(imp, r, types[at].list, types[at].bit, one);
	}
	return rc;
}

static int read_acl_words(struct fsi_import *imp, struct fsi_reservation *r, const struct fsi_span *w, size_t n)
{
	int rc = 0;

	for (size_t i = 1; i < n && !rc; i++)
		rc = read_acl_word(imp, r, w[i]);
	if (rc < 0)
		return rc;
	FSI_PUT(r, RESERVATION, admits_told, rc == 0);
	return 0;
}

enum { ACL_WORDS_MAX = 64 };

static int read_acl_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct acl_reader *d = ctx;
	struct fsi_span w[ACL_WORDS_MAX];
	const size_t n = fsi_span_split_words(line, w, ACL_WORDS_MAX);

	if (n >= 8 && (fsi_span_is_word(w[1], "User") || fsi_span_is_word(w[1], "Job")))
		d->reservation = fsi_span_is_word(w[1], "User") ? find_reservation_by_name(imp->m, w[0]) : NULL;
	else if (n > 1 && n < ACL_WORDS_MAX && fsi_span_is_word(w[0], "ACL:") && d->reservation)
		return read_acl_words(imp, d->reservation, w, n);
	return 0;
}

int fsi_maui_read_access_lists(struct fsi_maui_import *x)
{
	static const char *const files[] = { "diagnose_-r.txt", "out/diagnose_-r.txt" };
	struct acl_reader d = { .x = x };
	int rc = x->imp->m->reservation.n > 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && rc > 0; i++)
		rc = fsi_import_read_lines(x->imp, files[i], read_acl_line, &d);
	return rc > 0 ? 0 : rc;
}
