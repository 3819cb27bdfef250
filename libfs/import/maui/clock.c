/* The time of a capture, from the first of: the caller; date_begin; showq or showq -r (start + limit - what remains of
 * a running job); checkjob of an idle job (submission + time queued); a reservation of showres (its start, less how far
 * that is off); a simulation's start + RMPOLLINTERVAL, when its first display comes; with a warning the newest
 * submission of a queued job. Jobs that have finished tell nothing. On the way system priorities are found. */
#include "import/maui/queue.h"

#include "base/num.h"

#include <string.h>

static int date_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	const struct fsi_span v = fsi_span_trim(line);
	const char *dot = memchr(v.s, '.', v.len);

	if (imp->where.line > 1)
		return 0;
	return fsi_parse_i64(v.s, dot ? (size_t)(dot - v.s) : v.len, &x->now) || x->now <= 0
		       ? fsi_import_bad(imp, "date", v, "seconds since 1970")
		       : 0;
}

/* showq -i: JobName[mark] Priority ...; a priority beyond 1e9 is a system priority. */
static int idle_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[3];
	uint32_t row;
	uint64_t n;
	size_t at = 1;

	if (fsi_span_words(line, w, 3) < 3)
		return 0;
	row = fsi_maui_job(x, w[0]);
	if (row == FSI_NO_INDEX && w[0].len > 1 && fsi_queue_is_mark(w[0].s[w[0].len - 1]))
		row = fsi_maui_job(x, (struct fsi_span){ w[0].s, w[0].len - 1 });
	at += w[1].len == 1 && fsi_queue_is_mark(*w[1].s);
	if (row == FSI_NO_INDEX || fsi_parse_u64(w[at].s, w[at].len, &n) || n <= 1000000000 ||
	    n > 3000000000u)
		return 0;
	imp->m->job.v[row].priority_set = (uint32_t)(n - 1000000000);
	FSI_SET(&imp->m->job.v[row], JOB, priority_set);
	return 0;
}

int fsi_maui_clock(struct fsi_maui_import *x)
{
	static const char *const dates[] = { "date_begin", NULL };
	static const char *const idle[] = { "showq_-i.txt", "out/showq_-i.txt", NULL };
	struct fsi_queue q = { .x = x };
	int rc = 0;

	x->now = x->o->time;
	if (!x->now)
		rc = fsi_maui_first_file(x, dates, date_line);
	if (rc >= 0)
		rc = fsi_queue_find(&q);
	if (!rc && !x->now)
		x->now = fsi_queue_time(x, &q);
	if (!rc && !x->now)
		rc = fsi_queue_find_running(&q);
	if (!rc && !x->now)
		x->now = fsi_queue_time(x, &q);
	if (!rc)
		rc = fsi_maui_checked(x);
	if (!rc)
		rc = fsi_maui_first_file(x, idle, idle_line);
	FSI_VEC_FREE(&q.row);
	if (rc < 0)
		return rc;
	rc = x->now ? 0 : fsi_maui_printed_time(x);
	if (rc)
		return rc;
	if (!x->now && x->simulation && x->clock_start)
		x->now = x->clock_start + fsi_config_int(x->imp->m, "RMPOLLINTERVAL", FSI_MAUI_POLL_S);
	else if (!x->now && x->newest_queued) {
		x->now = x->newest_queued;
		x->imp->where = (struct fsi_where){ 0 };
		if (fsi_warn(x->imp->m,
			     "%s: nothing tells when this was captured: taken to be when the last job was submitted",
			     x->imp->source->name))
			return fsi_nomem(x->imp->err);
	}
	if (!x->now)
		return fsi_fail(x->imp->err, FS_ENODATA,
				"%s: nothing tells when this was captured: give the time of the capture",
				x->imp->source->name);
	return 0;
}
