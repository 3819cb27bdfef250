/* What Maui's clients say of jobs beyond showq: since when a job is queued (J->SystemQueueTime, which is set anew while
 * a limit holds the job back: src/MPolicy.c:MQueueSelectJobs), by the first of showq -i, checkjob and diagnose -j; and
 * which jobs have a reservation, by showq -i, showres and checkjob, else by rule. Times of day are local. */
#include "import/maui/queue.h"

#include "base/num.h"
#include "model/maui/maui.h"
#include "model/maui/buckets.h"

#include <string.h>

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

static struct fsi_job *job_of(struct fsi_maui_import *x, struct fsi_span name)
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
static int diagnosed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
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
	job = job_of(x, w[0]);
	if (job && waited >= 0)
		queued_since(x, job, x->now - waited);
	return 0;
}

/* showq -i: JobName[mark] Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime */
static int idle_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
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
	job = job_of(x, w[0]);
	if (!job && w[0].len > 1 && w[0].s[w[0].len - 1] == '*') {
		w[0].len--;
		job = job_of(x, w[0]);
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
	job = job_of(x, w[0]);
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
		rc = read_page(x, jobs, diagnosed_line);
	if (rc >= 0 && !x->capture) {
		rc = read_page(x, reservations, reserved_line);
		x->reserved_known = x->reserved_known || !rc;
	}
	if (rc >= 0) {
		rc = read_page(x, idle[x->capture], idle_line);
		x->reserved_known = x->reserved_known || !rc;
	}
	if (rc < 0)
		return rc;
	first_is_reserved(x);
	return 0;
}
