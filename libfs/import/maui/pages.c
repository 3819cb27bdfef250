/* Jobs that no trace tells of, as those of a living server: what diagnose -j, showq -i, -r and -b, checkjob and
 * diagnose -p say of them. The formats: src/UserI.c (UIDiagnoseJobs: names cut at eight characters, the QOS at
 * three; UICheckJob), src/server/omclient.c (MCShowIdle, MCShowRun, MCShowBlocked), src/moab/MPriority.c. */
#include "import/maui/queue.h"

#include "base/num.h"

#include <string.h>

enum { CUT_AT = 8, QOS_CUT_AT = 3 };

/* The job of that name, if no trace tells of it; in a part of a capture also one that no list has. NULL: there is
 * none, or no memory, which *rc tells. */
static struct fsi_job *job_of(struct fsi_maui_import *x, struct fsi_span name, int *rc)
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
			return set_name(x, job, FSI_JOB_reason, &job->reason,
					fsi_span_of(holds[i]), 0);
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

static int diagnosed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
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
	job = job_of(x, w[NAME], &rc);
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
static int idle_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
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
	job = job_of(x, w[0], &rc);
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
	job = job_of(x, w[0], &rc);
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
	job = job_of(x, w[0], &rc);
	if (job && priority > 0) /* a priority of 0 may have been raised to 1, or rejected */
		set_priority(job, w[1]);
	return rc;
}

/* ---- checkjob */

struct checkjob {
	struct fsi_maui_import *x;
	struct fsi_job *job;
};

static void set_time(struct checkjob *c, struct fsi_span line, const char *label, unsigned bit, int64_t *member)
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

static int set_creds(struct checkjob *c, struct fsi_span line)
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
	struct checkjob *c = ctx;
	const struct fsi_span name = fsi_maui_after(line, "checking job ");
	struct fsi_span v;
	int64_t n;
	int rc = 0;

	(void)imp;
	if (name.len)
		c->job = job_of(c->x, name, &rc);
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

static int read_checkjob(struct fsi_maui_import *x, void *ctx)
{
	struct checkjob *c = ctx;
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
		{ { "showq_-i.txt", "out/showq_-i.txt", NULL }, idle_line },
		{ { "showq_-b.txt", "out/showq_-b.txt", NULL }, blocked_line },
		{ { "diagnose_-j.txt", "out/diagnose_-j.txt", NULL }, diagnosed_line },
		{ { "diagnose_-p.txt", "out/diagnose_-p.txt", NULL }, pointed_line },
	};
	struct checkjob c = { .x = x };
	int rc = fsi_maui_checkjobs(x, read_checkjob, &c);

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages) && rc >= 0; i++)
		rc = fsi_maui_first_file(x, pages[i].files, pages[i].fn);
	return rc < 0 ? rc : 0;
}
