/* The queue of a Flux: in sections, with the columns and the INFO of `flux jobs` (flux-core:
 * src/bindings/python/flux/job/info.py). */
#include "showq/lists.h"

#include "render/emit.h"
#include "render/text.h"

#include <string.h>

enum { TEXT = 256 };

struct page {
	const struct showq_run *r;
	struct showq_lists list;
	fs_holds *holds;
};

static const char *job_id(char buf[FS_F58_TEXT], const struct fs_job *job)
{
	return fs_f58_format(buf, job->id, !text_utf8());
}

static void put_text(int width, const char *s)
{
	char visible[TEXT];

	emit(" %-*s", width, text_visible(visible, sizeof(visible), s));
}

static void put_count(int64_t n)
{
	if (n == FS_UNKNOWN)
		emit(" %6s", "?");
	else
		emit(" %6lld", (long long)n);
}

/* Seconds as flux jobs shows them, less the fractions below a second that are not in a snapshot: 30s, 1.5m, 2h, 3.125d
 * (src/bindings/python/flux/util.py: fsd). */
static const char *time_text(char text[40], int64_t s)
{
	static const struct {
		int64_t from;
		char letter;
	} units[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' } };

	snprintf(text, 40, "%llds", (long long)s);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (s >= units[i].from) {
			snprintf(text, 40, "%.4g%c", (double)s / (double)units[i].from, units[i].letter);
			break;
		}
	return text;
}

static void put_time(int64_t s)
{
	char text[40];

	emit(" %8s", s < 0 ? "-" : time_text(text, s));
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

static void heading(const char *title, size_t n)
{
	emit("%s (%zu)\n%-14s %-9s %-9s %-10s %6s %6s %8s %10s INFO\n", title, n, "JOBID",
	       "QUEUE", "USER", "NAME", "NTASKS", "NNODES", "TIME", "PRIORITY");
}

/* f58 ids may begin with a character of two bytes. */
static void put_job(const struct page *p, uint32_t row, const struct fs_job *job, int64_t time,
		    double priority)
{
	const char *queue = fs_job_partition(p->r->snapshot, row, 0);
	char f58[FS_F58_TEXT];
	const char *id = job_id(f58, job);

	emit("%-*s", 14 + (*id != 'f'), id);
	put_text(9, queue ? queue : "");
	put_text(9, job->user);
	put_text(10, job->name);
	put_count(job->tasks);
	put_count(job->nodes);
	put_time(time);
	if (priority >= 0)
		emit(" %10.0f", priority);
	else
		emit(" %10s", "-");
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
		emit_text(text_visible(visible, sizeof(visible), h->reason));
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
