/* The queue of a Flux: in sections, with the columns and the INFO of `flux jobs` (flux-core:
 * src/bindings/python/flux/job/info.py). */
#include "columns/column.h"
#include "showq/lists.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <string.h>

enum { TEXT = 256 };

struct page {
	const struct showq_run *r;
	struct showq_lists list;
	fs_holds *holds;
};

static const char *job_id(char *buf, const struct fs_job *job)
{
	return fs_f58_format(job->id, !text_utf8(), buf);
}

/* Seconds as flux jobs shows them, less the fractions below a second that are not in a snapshot: 30s, 1.5m, 2h, 3.125d
 * (src/bindings/python/flux/util.py: fsd). */
static const char *time_text(char *text, int64_t s)
{
	static const struct {
		int64_t from;
		char letter;
	} units[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' } };

	snprintf(text, 40, "%llds", (long long)s);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (s >= units[i].from) {
			format_text(text, 40, "%.4g%c", (double)s / (double)units[i].from, units[i].letter);
			break;
		}
	return text;
}

/* What it expects, told in place of a hold (src/bindings/python/flux/job/info.py: contextual_info). */
static void put_eta(const struct page *p, const struct fs_job *job)
{
	const bool known = job->start_time != FS_UNKNOWN;
	const int64_t s = known ? job->start_time - p->r->info->time : 0;
	char text[40];

	if (known)
		emit(" eta:%s", s < 0 ? "now" : time_text(text, s));
}

/* ---- columns */

struct line {
	uint32_t row;
	struct fs_job job;
	int64_t time; /* that it has run; below 0: none */
	double priority;
};

COLUMN_CELL(id_cell, void, struct line, job_id(buf, &row->job))
COLUMN_GET(get_queue, struct page, struct line, fs_job_partition(of->r->snapshot, row->row, 0))

static void time_cell(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	const int64_t time = ((const struct line *)row)->time;

	(void)of;
	if (time < 0)
		strcpy(buf, "-");
	else
		time_text(buf, time);
}

COLUMN_CELL(priority_cell, void, struct line,
	    format_text(buf, COLUMN_TEXT, row->priority >= 0 ? "%.0f" : "-", row->priority))

#define JOB(m) COLUMN_MEMBER(struct line, job.m)

static const struct column columns[] = {
	{ "JOBID", NULL, -14, .text = id_cell, .help = "the job" },
	{ "QUEUE", NULL, -9, .get = get_queue, .help = "its queue" },
	{ "USER", NULL, -9, JOB(user), .help = "who submitted it" },
	{ "NAME", NULL, -10, JOB(name), .help = "its name" },
	{ "NTASKS", NULL, 6, JOB(tasks), .help = "tasks asked for" },
	{ "NNODES", NULL, 6, JOB(nodes), .help = "nodes asked for" },
	{ "TIME", NULL, 8, .text = time_cell, .help = "how long it has run" },
	{ "PRIORITY", NULL, 10, .text = priority_cell, .help = "the number that it is sorted by" },
	{ "INFO", NULL, .width = 0, .help = "where it runs, or what it waits for" },
};

static void heading(const char *title, size_t n)
{
	const struct column_page page = { COLUMNS(columns), .characters = true };

	emit("%s (%zu)\n", title, n);
	columns_heading(&page);
}

static void put_job(const struct page *p, uint32_t row, const struct fs_job *job, int64_t time, double priority)
{
	const struct column_page page = { COLUMNS(columns), p, .characters = true };
	const struct line l = { row, *job, time, priority };

	columns_row(&page, &l);
}

static void put_active(const struct page *p)
{
	const int64_t now = p->r->info->time;
	char visible[TEXT];

	heading("RUNNING", p->list.nactive);
	for (size_t i = 0; i < p->list.nactive; i++) {
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, p->list.active[i], &job);
		put_job(p, p->list.active[i], &job,
			job.start_time == FS_UNKNOWN ? -1 : now - job.start_time,
			job.priority == FS_UNKNOWN ? -1 : (double)job.priority);
		emit(*job.node_list ? " %s\n" : "%s\n",
		       text_visible(visible, sizeof(visible), job.node_list));
	}
}

/* What flux jobs leaves empty: a job that never starts, or whose nodes or queue are not there. */
static void put_verdict(const struct page *p, uint32_t row)
{
	const enum fs_verdict_kind kind = fs_queue_verdict_kind(p->list.queue, row);

	if (p->r->why || (kind != FS_VERDICT_NEVER && kind != FS_VERDICT_NODES))
		return;
	putchar(' ');
	showq_put_verdict(p->r, p->list.queue, row);
}

static void put_waiting(const struct page *p)
{
	char previous[FS_F58_TEXT] = "";

	heading("WAITING", p->list.nline);
	for (size_t i = 0; i < p->list.nline; i++) {
		const struct fs_queue_row *row = &p->list.line[i];
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, row->job_row, &job);
		put_job(p, row->job_row, &job, -1, row->priority);
		put_eta(p, &job);
		put_verdict(p, row->job_row);
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, row, *previous ? previous : NULL);
		putchar('\n');
		job_id(previous, &job);
	}
}

static bool is_dependency(const char *reason)
{
	return strcmp(reason, "held") != 0 && strcmp(reason, "priority-hold") != 0 &&
	       strcmp(reason, "priority-wait") != 0;
}

/* "after-success=3915147902976" with the id as Flux's commands take it. */
static const char *reason_text(const struct page *p, const char *reason, char *buf, size_t size)
{
	const char *equals = !strncmp(reason, "after-", strlen("after-")) ? strchr(reason, '=') : NULL;
	char id[FS_JOB_ID_TEXT];
	uint64_t job;

	if (!equals || fs_job_id_parse(p->r->snapshot, equals + 1, &job))
		return text_visible(buf, size, reason);
	snprintf(buf, size, "%.*s%s", (int)(equals + 1 - reason), reason, fs_job_id_format(p->r->snapshot, job, false, id));
	return buf;
}

/* depends:max-run-jobs-queue (max_running_jobs of queue batch: 2 of 2) */
static void put_holds(const struct page *p, uint32_t row)
{
	char visible[TEXT];

	for (size_t k = 0; k < fs_holds_count(p->holds, row); k++) {
		const struct fs_hold_row *h = fs_holds_row(p->holds, row, k);

		if (is_dependency(h->reason))
			emit_text(k ? "," : " depends:");
		else
			putchar(' ');
		emit_text(reason_text(p, h->reason, visible, sizeof(visible)));
		if (!h->limit)
			continue;
		emit(" (%s of %s %s", h->limit, h->of_queue ? "queue" : "bank",
		       text_visible(visible, sizeof(visible), h->scope));
		if (h->used >= 0 && h->value >= 0)
			emit(": %.0f of %.0f)", h->used, h->value);
		else
			putchar(')');
	}
}

static void put_blocked(const struct page *p)
{
	heading("BLOCKED", p->list.nblocked);
	for (size_t i = 0; i < p->list.nblocked; i++) {
		const struct fs_queue_row *row = &p->list.blocked[i];
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, row->job_row, &job);
		put_job(p, row->job_row, &job, -1, row->priority);
		put_holds(p, row->job_row);
		put_verdict(p, row->job_row);
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, row, NULL);
		putchar('\n');
	}
}

static int show(struct showq_run *r)
{
	struct page p = { .r = r };
	struct fs_error err;
	int status = showq_lists_load(r, &p.list);

	if (status)
		return status;
	if (fs_holds_compute(&p.holds, r->snapshot, &err)) {
		showq_lists_release(&p.list);
		return report(r->inv, &err);
	}
	put_active(&p);
	putchar('\n');
	put_waiting(&p);
	putchar('\n');
	put_blocked(&p);
	emit("\nTotal Jobs: %zu   Running: %zu   Waiting: %zu   Blocked: %zu\n",
	       p.list.nactive + p.list.nline + p.list.nblocked, p.list.nactive, p.list.nline,
	       p.list.nblocked);
	fs_holds_free(p.holds);
	showq_lists_release(&p.list);
	return 0;
}

const struct showq_style showq_flux = { .style = STYLE_FLUX, .partitions = true, .page = show };
