#include "base/num.h"
#include "base/text.h"
#include "import/maui/maui.h"
#include "model/find.h"
#include "model/maui.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pages of checkjob (src/UserI.c:UICheckJob) tell of jobs that are known how long they have been queued, from
 * which the time follows, their reservations, system priorities and, in a simulation, how long they will run. Jobs
 * that no trace tells of are made of them in import/maui/pages.c. */

/* ---- the files of a folder */

struct files {
	struct fsi_maui_import *x;
	FSI_VEC(char *) name;
};

static int note_file(void *ctx, const char *name)
{
	struct files *f = ctx;

	if (strncmp(name, "checkjob_", strlen("checkjob_")) != 0)
		return 0;
	if (FSI_VEC_ROOM(&f->name))
		return FS_ENOMEM;
	f->name.v[f->name.n] = fsi_arena_strndup(&f->x->imp->m->arena, name, strlen(name));
	return f->name.v[f->name.n++] ? 0 : FS_ENOMEM;
}

static int cmp_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int in_folder(struct fsi_maui_import *x, const char *dir, int (*fn)(struct fsi_maui_import *x, void *ctx),
		     void *ctx)
{
	const struct fs_source *source = x->imp->source;
	struct files f = { .x = x };
	int rc = source->list ? source->list(source->ctx, dir, note_file, &f) : 0;

	rc = rc < 0 ? fsi_maui_no_list(x, rc, dir) : 0;
	if (f.name.n)
		qsort(f.name.v, f.name.n, sizeof(*f.name.v), cmp_string);
	for (size_t i = 0; i < f.name.n && !rc; i++) {
		snprintf(x->file, sizeof(x->file), "%s%s%s", dir, *dir ? "/" : "", f.name.v[i]);
		rc = fn(x, ctx);
	}
	FSI_VEC_FREE(&f.name);
	return rc;
}

/* Calls fn for each checkjob page in the folders "out" and ".", by name, with x->file set to it. Stops when fn
 * fails. */
static int maui_checkjobs(struct fsi_maui_import *x, int (*fn)(struct fsi_maui_import *x, void *ctx), void *ctx)
{
	const int rc = in_folder(x, "out", fn, ctx);

	return rc ? rc : in_folder(x, "", fn, ctx);
}

/* ---- what a page tells of a job that is known */

struct checkjob_checkjob {
	struct fsi_maui_import *x;
	uint32_t job;
	bool named, state, idle, runs; /* does it say which job it is of, and its state? */
	int64_t queued_s; /* -1: not said */
};

/* "WallTime: 00:00:00 of 2:00:00  (Recorded WallTime: 1:35:00)" stands in a simulation's page alone
 * (src/UserI.c:UICheckJob). */
static void set_simulated_run(struct checkjob_checkjob *c, struct fsi_span line)
{
	struct fsi_span v = fsi_maui_after(line, "(Recorded WallTime:");
	int64_t s;

	if (v.len && v.s[v.len - 1] == ')')
		v.len--;
	if (!v.len || c->job == FSI_NO_INDEX || fsi_maui_duration(v, &s) || s < 0 || s > UINT32_MAX)
		return;
	struct fsi_job *job = &c->x->imp->m->job.v[c->job];

	/* a job has rare fields since fsi_maui_add_job */
	(void)FSI_SET_RARE(c->x->imp->m, job, simulated_run_s, (uint32_t)s);
}

/* "(Time Queued  Total: 00:20:00  Eligible: 00:12:00)" (src/UserI.c:UICheckJob, of J->EffQueueDuration): how long a
 * blocked job had waited when nothing blocked it last is on no other page. */
static void set_eligible(struct checkjob_checkjob *c, struct fsi_span line)
{
	struct fsi_span v = fsi_maui_after(line, "  Eligible:");
	int64_t s;

	if (v.len && v.s[v.len - 1] == ')')
		v.len--;
	if (!v.len || !c->idle || !fsi_maui_after(line, "(Time Queued").len || c->job == FSI_NO_INDEX || fsi_maui_duration(v, &s) || s < 0 || s > UINT32_MAX)
		return;
	(void)FSI_SET_RARE(c->x->imp->m, &c->x->imp->m->job.v[c->job], eligible_s, (uint32_t)s);
}

/* "Req[0]  TaskCount: 12  Partition: p2" (src/UserI.c:UICheckJob); of a job that waits it is ALL. */
static int set_partition(struct checkjob_checkjob *c, struct fsi_span line)
{
	const struct fsi_span v = fsi_maui_after(line, "  Partition: ");
	uint32_t name;

	if (!v.len || !fsi_span_begins(line, "Req[") || !c->runs || c->job == FSI_NO_INDEX || fsi_span_is(v, "DEFAULT") ||
	    fsi_span_is(v, "ALL"))
		return 0;
	name = fsi_import_name(c->x->imp, v);
	if (name == FSI_INTERN_FAILED || FSI_SET_RARE(c->x->imp->m, &c->x->imp->m->job.v[c->job], maui_partition, name))
		return fsi_nomem(c->x->imp->err);
	return 0;
}

static int checkjob_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct checkjob_checkjob *c = ctx;
	struct fsi_span v = fsi_maui_after(line, "checking job ");
	uint64_t n;

	if (v.s) {
		c->job = fsi_maui_job(c->x, v);
		c->named = true;
	}
	if (fsi_span_begins(line, "State:")) {
		v = fsi_maui_after(line, "State:");
		c->state = v.len > 0;
		c->idle = fsi_span_is(v, "Idle");
		c->runs = fsi_span_is(v, "Running");
	}
	v = fsi_maui_after(line, "(Time Queued  Total:");
	if (v.s && fsi_maui_duration(v, &c->queued_s))
		c->queued_s = -1;
	set_eligible(c, line);
	if (set_partition(c, line))
		return FS_ENOMEM;
	if (c->idle && c->job != FSI_NO_INDEX) {
		c->x->reserved_known = true;
		if (fsi_span_begins(line, "Reservation '"))
			fsi_maui_add_flag(imp, &imp->m->job.v[c->job], "RESERVED");
	}
	set_simulated_run(c, line);
	v = fsi_maui_after(line, "TasksPerNode:");
	if (v.s && c->job != FSI_NO_INDEX && !fsi_parse_u64(v.s, v.len, &n) && n <= UINT32_MAX)
		(void)FSI_SET_RARE(imp->m, &imp->m->job.v[c->job], tasks_per_node, (uint32_t)n);
	v = fsi_maui_after(line, "SystemPriority:");
	if (v.s && c->job != FSI_NO_INDEX && !fsi_parse_u64(v.s, v.len, &n) && n <= UINT32_MAX) {
		imp->m->job.v[c->job].priority_set = (uint32_t)n;
		FSI_SET(&imp->m->job.v[c->job], JOB, priority_set);
	}
	return 0;
}

/* Warns of a page without the job's name, its state and how long it has been queued, with which checkjob begins
 * (src/moab/UserI.c: UICheckJob). */
static int look_at_checkjob(const struct checkjob_checkjob *c)
{
	const char *lacks = !c->named ? "checking job" : !c->state ? "State:" : c->queued_s < 0 ? "(Time Queued  Total:" : NULL;

	return lacks ? fsi_import_incomplete(c->x->imp, NULL, "%s/%s: it has no \"%s\": it is not what the command prints",
					     c->x->imp->source->name, c->x->file, lacks)
		     : 0;
}

static int checkjob_read_checkjob(struct fsi_maui_import *x, void *ctx)
{
	struct checkjob_checkjob *c = ctx;
	int rc;

	c->job = FSI_NO_INDEX;
	c->named = c->state = c->idle = c->runs = false;
	c->queued_s = -1;
	rc = fsi_import_lines(x->imp, x->file, checkjob_line, c);
	if (!rc && !x->now && c->idle && c->queued_s >= 0 && c->job != FSI_NO_INDEX &&
	    FSI_HAS(&x->imp->m->job.v[c->job], JOB, submit_time))
		x->now = x->imp->m->job.v[c->job].submit_time + c->queued_s;
	return rc || x->partial ? (rc > 0 ? 0 : rc) : look_at_checkjob(c);
}

int fsi_maui_checked(struct fsi_maui_import *x)
{
	struct checkjob_checkjob c = { .x = x };

	return maui_checkjobs(x, checkjob_read_checkjob, &c);
}

/* Jobs that no trace tells of, as those of a living server: what diagnose -j, showq -i, -r and -b, checkjob and
 * diagnose -p say of them. The formats: src/UserI.c (UIDiagnoseJobs: names cut at eight characters, the QOS at
 * three; UICheckJob), src/server/omclient.c (MCShowIdle, MCShowRun, MCShowBlocked), src/moab/MPriority.c. */

enum { CUT_AT = 8, QOS_CUT_AT = 3 };

/* The job of that name, if no trace tells of it; in a part of a capture also one that no list has. NULL: there is
 * none, or no memory, which *rc tells. */
static struct fsi_job *pages_job_of(struct fsi_maui_import *x, struct fsi_span name, int *rc)
{
	uint32_t row = fsi_maui_job(x, name);

	*rc = 0;
	if (row == FSI_NO_INDEX && x->partial && name.len)
		*rc = fsi_maui_add_job(x, name, &row);
	return row == FSI_NO_INDEX || row < x->traced ? NULL : &x->imp->m->job.v[row];
}

static bool given(struct fsi_span v)
{
	return v.len && !fsi_span_is(v, "-") && !fsi_span_is(v, "[NONE]");
}

/* The first page that tells a name counts. cut: as many characters as the column can hold, 0 any number. */
static int set_name(struct fsi_maui_import *x, struct fsi_job *job, unsigned bit, uint32_t *member, struct fsi_span v,
		    size_t cut)
{
	if (!given(v) || (cut && v.len >= cut) || fsi_known(&job->rec, bit))
		return 0;
	*member = fsi_import_name(x->imp, v);
	fsi_mark_known(&job->rec, bit);
	return *member == FSI_INTERN_FAILED ? fsi_nomem(x->imp->err) : 0;
}

static int set_list(struct fsi_maui_import *x, struct fsi_job *job, unsigned bit, uint32_t *member, struct fsi_span v)
{
	uint32_t name = 0;
	int rc = fsi_known(&job->rec, bit) ? 0 : set_name(x, job, bit, &name, v, 0);

	if (rc || !name)
		return rc;
	*member = fsi_intern(&x->imp->m->sets, &name, sizeof(name));
	return *member == FSI_INTERN_FAILED ? fsi_nomem(x->imp->err) : 0;
}

static void set_limit(struct fsi_job *job, struct fsi_span v)
{
	int64_t s;

	if (FSI_HAS(job, JOB, time_limit_s) || fsi_maui_duration(v, &s) || s < 0)
		return;
	FSI_PUT(job, JOB, time_limit_s, s);
}

static void set_cpus(struct fsi_job *job, struct fsi_span v)
{
	int64_t n;

	if (FSI_HAS(job, JOB, cpus) || fsi_parse_i64(v.s, v.len, &n) || n < 0 || n > UINT32_MAX)
		return;
	FSI_PUT(job, JOB, cpus, (uint32_t)n);
}

static void set_priority(struct fsi_job *job, struct fsi_span v)
{
	int64_t n;

	if (FSI_HAS(job, JOB, priority) || fsi_parse_i64(v.s, v.len, &n) || n < 0 || n > UINT32_MAX)
		return;
	FSI_PUT(job, JOB, priority, (uint32_t)n);
}

/* Sets the state from its word, which may be cut; holds and deferral become reasons. */
static int set_state(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_span v)
{
	static const char *const holds[] = { "UserHold", "SystemHold", "BatchHold", "Deferred" };

	if (fsi_span_is(v, "Running") || fsi_span_is(v, "Starting"))
		job->state = FSI_STATE_RUNNING;
	for (size_t i = 0; i < sizeof(holds) / sizeof(*holds); i++)
		if (v.len >= CUT_AT && !strncmp(holds[i], v.s, v.len) && !FSI_HAS(job, JOB, reason))
			return set_name(x, job, FSI_JOB_reason, &job->reason, fsi_span_of(holds[i]), 0);
	return 0;
}

/* "[batch:1]" */
static struct fsi_span class_of(struct fsi_span v)
{
	struct fsi_span name;

	if (!v.len || *v.s != '[')
		return (struct fsi_span){ NULL, 0 };
	v = fsi_span_from(v, 1);
	fsi_span_cut(&v, ':', &name);
	return fsi_span_is(name, "NONE]") ? (struct fsi_span){ NULL, 0 } : name;
}

/* ---- diagnose -j: Name State Par Proc QOS WCLimit R Min User Group Account QueuedTime Network Opsys Arch Mem Disk
 * Procs Class Features */

static int pages_diagnosed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { NAME, STATE, PAR, PROC, QOS, LIMIT, RESERVED, MIN, USER, GROUP, ACCOUNT, QUEUED, CLASS = 18, ALL };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[ALL + 8];
	const size_t n = fsi_span_words(line, w, ALL + 8);
	struct fsi_job *job;
	int64_t waited, procs;
	int rc;

	(void)imp;
	if (n < QUEUED + 1 || n > ALL + 8 || fsi_maui_duration(w[QUEUED], &waited) ||
	    fsi_parse_i64(w[PROC].s, w[PROC].len, &procs) || w[RESERVED].len != 1)
		return 0;
	job = pages_job_of(x, w[NAME], &rc);
	if (!job)
		return rc;
	set_cpus(job, w[PROC]);
	set_limit(job, w[LIMIT]);
	rc = set_state(x, job, w[STATE]);
	rc = rc ? rc : set_name(x, job, FSI_JOB_user, &job->user, w[USER], CUT_AT);
	rc = rc ? rc : set_name(x, job, FSI_JOB_group, &job->group, w[GROUP], CUT_AT);
	rc = rc ? rc : set_name(x, job, FSI_JOB_account, &job->account, w[ACCOUNT], CUT_AT);
	if (!rc && w[QOS].len < QOS_CUT_AT)
		rc = set_list(x, job, FSI_JOB_qos, &job->qos, w[QOS]);
	return rc || n < ALL ? rc : set_list(x, job, FSI_JOB_partitions, &job->partitions, class_of(w[CLASS]));
}

/* ---- showq -i: JobName[mark] Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime */

/* Words are taken from the end, since Q may be empty, and a mark may stand apart. */
static int pages_idle_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[16];
	const size_t n = fsi_span_words(line, w, 16);
	const bool apart = n > 1 && w[1].len == 1 && *w[1].s == '*';
	struct fsi_job *job;
	int64_t local, priority;
	int rc;

	(void)imp;
	if (n < 12 || n > 15 || fsi_maui_ctime(x, w + n - 4, &local) ||
	    fsi_parse_i64(w[1 + apart].s, w[1 + apart].len, &priority))
		return 0;
	w[0].len -= !apart && w[0].len > 1 && w[0].s[w[0].len - 1] == '*' && fsi_maui_job(x, w[0]) == FSI_NO_INDEX;
	job = pages_job_of(x, w[0], &rc);
	if (!job)
		return rc;
	set_priority(job, w[1 + apart]);
	set_limit(job, w[n - 6]);
	set_cpus(job, w[n - 7]);
	rc = set_name(x, job, FSI_JOB_group, &job->group, w[n - 8], 0);
	rc = rc ? rc : set_name(x, job, FSI_JOB_user, &job->user, w[n - 9], 0);
	return rc ? rc : set_list(x, job, FSI_JOB_partitions, &job->partitions, w[n - 5]);
}

/* ---- showq -b: JobName User Reason, "%18s %9s %s" */

/* Does the word end in that column, or is it too long for it? Of what a terminal folded off a reason neither is
 * true. */
static bool ends_at(struct fsi_span line, struct fsi_span word, size_t column)
{
	const size_t end = (size_t)(word.s - line.s) + word.len;

	return end == column || (end > column && word.len > 9);
}

static int blocked_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const struct fsi_span blocked = { "Blocked", 7 };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[3];
	struct fsi_job *job;
	int rc;

	(void)imp;
	if (fsi_span_words(line, w, 3) < 3 || fsi_span_is(w[0], "JobName") || !ends_at(line, w[0], 18) || !ends_at(line, w[1], 28))
		return 0;
	job = pages_job_of(x, w[0], &rc);
	if (!job)
		return rc;
	rc = set_name(x, job, FSI_JOB_user, &job->user, w[1], 0);
	return rc || job->state != FSI_STATE_PENDING ? rc : set_name(x, job, FSI_JOB_reason, &job->reason, blocked, 0);
}

/* ---- diagnose -p: Job PRIORITY* and the terms. */

static int pointed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[2];
	struct fsi_job *job;
	int64_t priority;
	int rc;

	(void)imp;
	if (fsi_span_words(line, w, 2) < 2)
		return 0;
	w[1].len -= w[1].s[w[1].len - 1] == '*';
	if (!fsi_maui_is_priority(line, w[0], w[1]) || fsi_parse_i64(w[1].s, w[1].len, &priority) ||
	    !memchr(line.s, '(', line.len))
		return 0;
	job = pages_job_of(x, w[0], &rc);
	if (job && priority > 0) /* a priority of 0 may have been raised to 1, or rejected */
		set_priority(job, w[1]);
	return rc;
}

/* ---- checkjob */

struct pages_checkjob {
	struct fsi_maui_import *x;
	struct fsi_job *job;
};

static void set_time(struct pages_checkjob *c, struct fsi_span line, const char *label, unsigned bit, int64_t *member)
{
	const size_t n = strlen(label);
	struct fsi_span w[5];
	int64_t local;

	if (line.len <= n || memcmp(line.s, label, n) != 0 || fsi_known(&c->job->rec, bit) ||
	    fsi_span_words(fsi_span_from(line, n), w, 5) < 4 || fsi_maui_ctime(c->x, w, &local))
		return;
	*member = fsi_import_utc(c->x->imp, local);
	fsi_mark_known(&c->job->rec, bit);
}

static int set_creds(struct pages_checkjob *c, struct fsi_span line)
{
	struct fsi_maui_import *x = c->x;
	struct fsi_job *job = c->job;
	int rc = set_name(x, job, FSI_JOB_user, &job->user, fsi_maui_after(line, "user:"), 0);

	rc = rc ? rc : set_name(x, job, FSI_JOB_group, &job->group, fsi_maui_after(line, "group:"), 0);
	rc = rc ? rc : set_name(x, job, FSI_JOB_account, &job->account, fsi_maui_after(line, "account:"), 0);
	rc = rc ? rc : set_list(x, job, FSI_JOB_partitions, &job->partitions, fsi_maui_after(line, "class:"));
	return rc ? rc : set_list(x, job, FSI_JOB_qos, &job->qos, fsi_maui_after(line, "qos:"));
}

static int checked_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct pages_checkjob *c = ctx;
	const struct fsi_span name = fsi_maui_after(line, "checking job ");
	struct fsi_span v;
	int64_t n;
	int rc = 0;

	(void)imp;
	if (name.len)
		c->job = pages_job_of(c->x, name, &rc);
	if (rc || !c->job)
		return rc;
	if (fsi_maui_after(line, "Creds:").len)
		rc = set_creds(c, line);
	v = fsi_maui_after(line, "State:");
	if (!rc && v.len && v.s - line.s < 12)
		rc = set_state(c->x, c->job, v);
	v = fsi_maui_after(line, " of ");
	if (v.len && fsi_maui_after(line, "WallTime:").len)
		set_limit(c->job, v);
	set_time(c, line, "SubmitTime: ", FSI_JOB_submit_time, &c->job->submit_time);
	set_time(c, line, "StartTime: ", FSI_JOB_start_time, &c->job->start_time);
	v = fsi_maui_after(line, "Total Tasks:");
	if (v.len && !FSI_HAS(c->job, JOB, tasks) && !fsi_parse_i64(v.s, v.len, &n) && n > 0 && n <= UINT32_MAX)
		FSI_PUT(c->job, JOB, tasks, (uint32_t)n);
	v = fsi_maui_after(line, "StartPriority:");
	if (v.len && c->job->state == FSI_STATE_PENDING)
		set_priority(c->job, v);
	return rc;
}

static int pages_read_checkjob(struct fsi_maui_import *x, void *ctx)
{
	struct pages_checkjob *c = ctx;
	int rc;

	c->job = NULL;
	rc = fsi_import_lines(x->imp, x->file, checked_line, c);
	return rc > 0 ? 0 : rc;
}

/* ---- all pages, those with whole names first */

int fsi_maui_pages(struct fsi_maui_import *x)
{
	static const struct {
		const char *files[3];
		fsi_line_fn fn;
	} pages[] = {
		{ { "showq_-i.txt", "out/showq_-i.txt", NULL }, pages_idle_line },
		{ { "showq_-b.txt", "out/showq_-b.txt", NULL }, blocked_line },
		{ { "diagnose_-j.txt", "out/diagnose_-j.txt", NULL }, pages_diagnosed_line },
		{ { "diagnose_-p.txt", "out/diagnose_-p.txt", NULL }, pointed_line },
	};
	struct pages_checkjob c = { .x = x };
	int rc = maui_checkjobs(x, pages_read_checkjob, &c);

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages) && rc >= 0; i++)
		rc = fsi_maui_first_file(x, pages[i].files, pages[i].fn);
	return rc < 0 ? rc : 0;
}

/* What Maui's clients say of jobs beyond showq: since when a job is queued (J->SystemQueueTime, which is set anew while
 * a limit holds the job back: src/MPolicy.c:MQueueSelectJobs), by the first of showq -i, checkjob and diagnose -j; and
 * which jobs have a reservation, by showq -i, showres and checkjob, else by rule. Times of day are local. */

/* A page that counts its rows in its last line. */
struct page {
	struct fsi_maui_import *x;
	size_t rows;
	int64_t counted; /* -1: not told */
};

/* Reads the first of the files that is there, and warns when it is not whole; 1 when there is none. */
static int read_page(struct fsi_maui_import *x, const char *const *files, fsi_line_fn fn)
{
	struct page page = { .x = x, .counted = -1 };
	int rc = 1;

	for (; rc > 0 && *files; files++) {
		rc = fsi_import_lines(x->imp, *files, fn, &page);
		if (!rc && !x->partial && fsi_maui_counted(x, *files, page.counted, page.rows))
			return fsi_nomem(x->imp->err);
	}
	return rc;
}

static void note_count(struct page *page, struct fsi_span word)
{
	if (fsi_parse_i64(word.s, word.len, &page->counted) || page->counted < 0)
		page->counted = -1;
}

static struct fsi_job *job_pages_job_of(struct fsi_maui_import *x, struct fsi_span name)
{
	const uint32_t row = fsi_maui_job(x, name);

	return row == FSI_NO_INDEX ? NULL : &x->imp->m->job.v[row];
}

static void queued_since(struct fsi_maui_import *x, struct fsi_job *job, int64_t t)
{
	if (t <= 0 || t > x->now)
		return;
	FSI_PUT(job, JOB, eligible_time, t);
	if (!FSI_HAS(job, JOB, submit_time) || job->submit_time > t)
		FSI_PUT(job, JOB, submit_time, t);
}

/* diagnose -j: Name State Par Proc QOS WCLimit R Min User Group Account QueuedTime ... */
static int job_pages_diagnosed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { STATE = 1, PAR, GROUP = 9, QUEUED = 11, MIN = 15 };
	struct page *page = ctx;
	struct fsi_maui_import *x = page->x;
	struct fsi_span w[24];
	const size_t n = fsi_span_words(line, w, 24);
	struct fsi_job *job;
	int64_t waited;

	(void)imp;
	if (n == 6 && fsi_span_is(w[0], "Total") && fsi_span_is(w[1], "Jobs:"))
		note_count(page, w[2]);
	if (n < MIN || fsi_maui_duration(w[QUEUED], &waited))
		return 0;
	page->rows++;
	job = job_pages_job_of(x, w[0]);
	if (job && waited >= 0)
		queued_since(x, job, x->now - waited);
	return 0;
}

/* showq -i: JobName[mark] Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime */
static int job_pages_idle_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct page *page = ctx;
	struct fsi_maui_import *x = page->x;
	struct fsi_span w[16];
	const size_t n = fsi_span_words(line, w, 16);
	const bool apart = n > 1 && w[1].len == 1 && *w[1].s == '*';
	struct fsi_job *job;
	int64_t local;

	if (n > 2 && fsi_span_is(w[0], "Jobs:") && fsi_span_is(w[2], "Total"))
		note_count(page, w[1]);
	if (n < 13 || n > 15 || fsi_maui_ctime(x, w + n - 4, &local))
		return 0;
	job = job_pages_job_of(x, w[0]);
	if (!job && w[0].len > 1 && w[0].s[w[0].len - 1] == '*') {
		w[0].len--;
		job = job_pages_job_of(x, w[0]);
		if (job)
			fsi_maui_add_flag(imp, job, "RESERVED");
	} else if (job && apart) {
		fsi_maui_add_flag(imp, job, "RESERVED");
	}
	if (!job)
		return 0;
	page->rows++;
	queued_since(x, job, fsi_import_utc(imp, local));
	return 0;
}

/* showres: ReservationID Job S Start End Duration N/P Sun Sep 13 14:00:40 */
static bool reservation(const struct fsi_maui_import *x, struct fsi_span line, struct fsi_span *w,
			int64_t *start_in_s, int64_t *local)
{
	enum { START = 3, DATE = 7, ALL = 11 };

	return fsi_span_words(line, w, ALL) == ALL && !fsi_maui_duration(w[START], start_in_s) &&
	       !fsi_maui_ctime(x, w + DATE, local);
}

static int reserved_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct page *page = ctx;
	struct fsi_maui_import *x = page->x;
	struct fsi_span w[11];
	int64_t in_s, local;
	struct fsi_job *job;

	if (fsi_span_words(line, w, 11) == 3 && fsi_span_is(w[2], "located"))
		note_count(page, w[0]);
	if (!reservation(x, line, w, &in_s, &local))
		return 0;
	page->rows++;
	if (!fsi_span_is(w[1], "Job") || !fsi_span_is(w[2], "I"))
		return 0;
	job = job_pages_job_of(x, w[0]);
	if (job && job->state == FSI_STATE_PENDING)
		fsi_maui_add_flag(imp, job, "RESERVED");
	return 0;
}

static int time_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[11];
	int64_t in_s, local;

	if (!x->now && reservation(x, line, w, &in_s, &local))
		x->now = fsi_import_utc(imp, local) - in_s;
	return 0;
}

static bool may_reserve(const fs_snapshot *m, const struct fsi_job *j)
{
	struct fsi_maui_bucket b[FSI_MAUI_BUCKETS];
	unsigned i;

	fsi_maui_buckets(m, b);
	i = fsi_maui_bucket_of(b, fsi_maui_qos_name(m, j));
	return i < FSI_MAUI_BUCKETS && b[i].depth > 0;
}

/* Where nothing tells who has a reservation the first idle job has one: Maui makes them anew for the jobs of highest
 * priority that do not start, at least for that one (src/moab/MQueue.c:MQueueScheduleRJobs, MQueueScheduleIJobs). */
static void first_is_reserved(struct fsi_maui_import *x)
{
	const fs_snapshot *m = x->imp->m;
	const struct fsi_config_entry *policy = fsi_config_find(m, "RESERVATIONPOLICY");
	const uint32_t row = x->first_idle ? x->job_of.v[x->first_idle] : 0;

	if (x->reserved_known || x->partial || !row || !may_reserve(m, &m->job.v[row - 1]) ||
	    (policy && !strcmp(fsi_str(m, (uint32_t)policy->i), "NEVER")))
		return;
	fsi_maui_add_flag(x->imp, &x->imp->m->job.v[row - 1], "RESERVED");
}

static const char *const reservations[] = { "showres.txt", "out/showres.txt", NULL };

int fsi_maui_printed_time(struct fsi_maui_import *x)
{
	const int rc = fsi_maui_first_file(x, reservations, time_line);

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
	if (!x->capture)
		rc = read_page(x, jobs, job_pages_diagnosed_line);
	if (rc >= 0 && !x->capture) {
		rc = read_page(x, reservations, reserved_line);
		x->reserved_known = x->reserved_known || !rc;
	}
	if (rc >= 0) {
		rc = read_page(x, idle[x->capture], job_pages_idle_line);
		x->reserved_known = x->reserved_known || !rc;
	}
	if (rc < 0)
		return rc;
	first_is_reserved(x);
	return 0;
}

/* The nodes on which jobs have their tasks, by showres -n, which has a line for each job and node. Maui keeps the
 * list of a running job with its master host first, which showq -r tells; the nodes of an idle job are those of its
 * reservation, and the line says from when on. */

struct piece {
	uint32_t job, node, place; /* job: row; node: name; place: in the file */
	int64_t tasks, start;	   /* start: FS_UNKNOWN for a running job */
};

struct places {
	struct fsi_maui_import *x;
	FSI_VEC(struct piece) piece;
};

/* The start of an idle job's reservation. -1 where the line tells none. */
static int reserved_from(const struct places *p, struct fsi_import *imp, const struct fsi_span *date,
			 struct piece *piece)
{
	int64_t local;

	if (fsi_maui_ctime(p->x, date, &local))
		return -1;
	piece->start = fsi_import_utc(imp, local);
	return 0;
}

enum { NODE, TYPE, ID, PLACES_STATE, TASKS, PLACES_START, LENGTH, PLACES_DATE, PLACES_ALL = 11 };

static struct fsi_reservation *reservation_of(fs_snapshot *m, uint32_t name)
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

static int one_node_more(fs_snapshot *m, struct fsi_reservation *r, struct fsi_span node)
{
	const char *before = fsi_str(m, r->nodes);
	const size_t size = strlen(before) + node.len + 2;
	char *list = malloc(size);

	if (!list)
		return -1;
	snprintf(list, size, "%s%s%.*s", before, *before ? "," : "", (int)node.len, node.s);
	FSI_PUT(r, RESERVATION, nodes, fsi_name(m, list));
	free(list);
	return r->nodes == FSI_INTERN_FAILED ? -1 : 0;
}

/* Keeps an administrator's or a standing reservation: node00 User maint.0 N/A 1 1:56:00 1:00:00 Sun Sep 13 14:27:40 */
static int keep_reservation(const struct places *p, struct fsi_import *imp, const struct fsi_span *w)
{
	const uint32_t name = fsi_import_name(imp, w[ID]);
	struct fsi_reservation *r;
	const bool for_ever = fsi_span_is(w[LENGTH], "INFINITE");
	int64_t local, lasts_s = 0;

	if (fsi_maui_ctime(p->x, w + PLACES_DATE, &local) || (!for_ever && fsi_maui_duration(w[LENGTH], &lasts_s)))
		return 0;
	r = name == FSI_INTERN_FAILED ? NULL : reservation_of(imp->m, name);
	if (!r || one_node_more(imp->m, r, w[NODE]))
		return fsi_nomem(imp->err);
	FSI_PUT(r, RESERVATION, start_time, fsi_import_utc(imp, local));
	FSI_PUT(r, RESERVATION, end_time, for_ever ? FSI_MAUI_FOR_EVER : r->start_time + lasts_s);
	return 0;
}

/* Tasks of a reservation that Maui gave up, and has forgotten to take from a node (seen in its simulation: MResDestroy
 * clears its name and start, src/MRes.c). Until the node's table is written over they are kept from everybody. */
static int warn_left_over(struct fsi_import *imp, const struct fsi_span *w)
{
	return fsi_warn(imp->m, "%s: %.*s: Maui keeps %.*s of its processors for a reservation that is gone: plans know nothing of it",
			imp->source->name, (int)w[NODE].len, w[NODE].s, (int)w[TASKS].len, w[TASKS].s)
		       ? fsi_nomem(imp->err)
		       : 0;
}

/* node00 Job 5 Running 2 -00:41:00 1:30:00 Sun Sep 13 12:30:40 */
static int place_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct places *p = ctx;
	struct fsi_span w[PLACES_ALL];
	struct piece piece = { .start = FS_UNKNOWN };

	if (fsi_span_words(line, w, PLACES_ALL) != PLACES_ALL)
		return 0;
	if (fsi_span_is(w[TYPE], "User"))
		return keep_reservation(p, imp, w);
	if (fsi_span_is(w[TYPE], "Job") && fsi_span_is(w[PLACES_START], "-INFINITY"))
		return warn_left_over(imp, w);
	if (!fsi_span_is(w[TYPE], "Job") || fsi_parse_i64(w[TASKS].s, w[TASKS].len, &piece.tasks))
		return 0;
	if (!fsi_span_is(w[PLACES_STATE], "Running") &&
	    (!fsi_span_is(w[PLACES_STATE], "Idle") || reserved_from(p, imp, w + PLACES_DATE, &piece)))
		return 0;
	piece.job = fsi_maui_job(p->x, w[ID]);
	piece.node = fsi_import_name(imp, w[NODE]);
	if (piece.node == FSI_INTERN_FAILED || FSI_VEC_ROOM(&p->piece))
		return fsi_nomem(imp->err);
	piece.place = (uint32_t)p->piece.n;
	if (piece.job != FSI_NO_INDEX && piece.tasks > 0)
		p->piece.v[p->piece.n++] = piece;
	return 0;
}

static int by_job(const void *a, const void *b, const void *ctx)
{
	const struct piece *x = a, *y = b;

	(void)ctx;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static int add_names(struct fsi_buf *t, const char *name, int64_t times)
{
	for (; times > 0; times--)
		if ((t->n && fsi_buf_add(t, ",", 1)) || fsi_buf_add(t, name, strlen(name)))
			return -1;
	return 0;
}

/* Sets where and when an idle job has its reservation. */
static int take_reserved(fs_snapshot *m, struct fsi_job *job, int64_t start, const char *nodes)
{
	FSI_PUT(job, JOB, sched_nodes, fsi_name(m, nodes));
	FSI_PUT(job, JOB, start_time, start);
	return job->sched_nodes == FSI_INTERN_FAILED ? -1 : 0;
}

/* Where a node is for one job its lines tell one task for each node, whatever there are (src/MRes.c:MResJCreate). Then
 * each has as many as fit, and those after it one at least. */
static void fill_nodes(const fs_snapshot *m, struct piece *v, size_t n, int64_t tasks)
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

/* Sets the list of one job: a name for each task, its master host first. The list stays as it is where the lines do
 * not have that host, or not all of the tasks. */
static int take_job(fs_snapshot *m, struct piece *v, size_t n, struct fsi_buf *t)
{
	struct fsi_job *job = &m->job.v[v->job];
	const bool idle = v->start != FS_UNKNOWN;
	const uint32_t master = !idle && FSI_HAS(job, JOB, node_list) ? job->node_list : 0;
	int64_t tasks = 0;
	bool found = idle;
	int rc = 0;

	t->n = 0;
	if (FSI_HAS(job, JOB, tasks) && job->tasks >= (int64_t)n)
		fill_nodes(m, v, n, job->tasks);
	for (int others = 0; others < 2 && !rc; others++)
		for (size_t i = 0; i < n && !rc; i++) {
			if ((v[i].node != master) != others)
				continue;
			found = found || !others;
			tasks += v[i].tasks;
			rc = add_names(t, fsi_str(m, v[i].node), v[i].tasks);
		}
	if (rc || !found || !FSI_HAS(job, JOB, tasks) || tasks != job->tasks ||
	    idle != (job->state == FSI_STATE_PENDING))
		return rc;
	if (idle)
		return take_reserved(m, job, v->start, t->v);
	job->node_list = fsi_name(m, t->v);
	return job->node_list == FSI_INTERN_FAILED ? -1 : 0;
}

int fsi_maui_places(struct fsi_maui_import *x)
{
	static const char *const files[] = { "showres_-n.txt", "out/showres_-n.txt" };
	struct places p = { .x = x };
	struct fsi_buf t = { 0 };
	int rc = (x->queue_known || x->partial) && !x->capture;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && rc > 0; i++)
		rc = fsi_import_lines(x->imp, files[i], place_line, &p);
	rc = rc > 0 ? 0 : rc;
	if (!rc && fs_sort(p.piece.v, p.piece.n, sizeof(*p.piece.v), by_job, NULL))
		rc = fsi_nomem(x->imp->err);
	for (size_t i = 0, n; i < p.piece.n && !rc; i += n) {
		for (n = 1; i + n < p.piece.n && p.piece.v[i + n].job == p.piece.v[i].job; n++)
			;
		rc = take_job(x->imp->m, &p.piece.v[i], n, &t) ? fsi_nomem(x->imp->err) : 0;
	}
	free(t.v);
	FSI_VEC_FREE(&p.piece);
	return rc;
}

/* Whom an administrator's reservation admits, as diagnose -r tells. Below a reservation's row stands
 *
 *   ACL: RES==maint= USER==bob+:==eve+ GROUP==staff+
 *
 * (src/MACL.c:MACLListShow). Where a word denies, requires or compares otherwise nobody is said to be admitted. */

struct reading {
	struct fsi_maui_import *x;
	struct fsi_reservation *at; /* the reservation whose row came last; NULL: a job's */
};

static struct fsi_reservation *named(fs_snapshot *m, struct fsi_span name)
{
	for (size_t i = 0; i < m->reservation.n; i++)
		if (fsi_span_is(name, fsi_str(m, m->reservation.v[i].name)))
			return &m->reservation.v[i];
	return NULL;
}

/* 1: the list is full. */
static int admit(struct fsi_import *imp, struct fsi_reservation *r, uint32_t *list, unsigned bit, struct fsi_span name)
{
	const int rc = fsi_list_add(imp->m, list, 64, fsi_import_name(imp, name));

	if (rc)
		return rc < 0 ? fsi_nomem(imp->err) : rc;
	fsi_mark_known(&r->rec, bit);
	return 0;
}

/* Turns "==bob+" into "bob". False: the word denies, requires or compares. */
static bool is_admitted(struct fsi_span *v)
{
	if (v->len < 4 || memcmp(v->s, "==", 2) != 0 || !memchr("+-=", v->s[v->len - 1], strlen("+-=")))
		return false;
	*v = (struct fsi_span){ v->s + 2, v->len - 3 };
	return !memchr("!*^", v->s[v->len - 1], strlen("!*^"));
}

/* Takes "USER==bob+:==eve+"; 1: it cannot be read. */
static int take_word(struct fsi_import *imp, struct fsi_reservation *r, struct fsi_span word)
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

	while (at < n && !fsi_span_is(type, types[at].type))
		at++;
	word = fsi_span_from(word, type.len);
	while (!rc && word.s) {
		struct fsi_span one;

		fsi_span_cut(&word, ':', &one);
		if (at == n || !is_admitted(&one))
			return 1;
		if (types[at].list)
			rc = admit(imp, r, types[at].list, types[at].bit, one);
	}
	return rc;
}

static int admits(struct fsi_import *imp, struct fsi_reservation *r, const struct fsi_span *w, size_t n)
{
	int rc = 0;

	for (size_t i = 1; i < n && !rc; i++)
		rc = take_word(imp, r, w[i]);
	if (rc < 0)
		return rc;
	FSI_PUT(r, RESERVATION, admits_told, rc == 0);
	return 0;
}

enum { WORDS = 64 };

static int line_of(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reading *d = ctx;
	struct fsi_span w[WORDS];
	const size_t n = fsi_span_words(line, w, WORDS);

	if (n >= 8 && (fsi_span_is(w[1], "User") || fsi_span_is(w[1], "Job")))
		d->at = fsi_span_is(w[1], "User") ? named(imp->m, w[0]) : NULL;
	else if (n > 1 && n < WORDS && fsi_span_is(w[0], "ACL:") && d->at)
		return admits(imp, d->at, w, n);
	return 0;
}

int fsi_maui_admits_read(struct fsi_maui_import *x)
{
	static const char *const files[] = { "diagnose_-r.txt", "out/diagnose_-r.txt" };
	struct reading d = { .x = x };
	int rc = x->imp->m->reservation.n > 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && rc > 0; i++)
		rc = fsi_import_lines(x->imp, files[i], line_of, &d);
	return rc > 0 ? 0 : rc;
}
