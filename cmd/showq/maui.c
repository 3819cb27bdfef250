/* Maui's showq and its -i, -r and -b (3.5: src/server/omclient.c:MCShowQ, MCShowIdle, MCShowRun, MCShowBlocked). What is
 * not known has a question mark in place of the number. */
#include "showq/lists.h"

#include "maui_text.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

enum { TEXT = 256 };

struct page {
	const struct showq_run *r;
	struct showq_lists list;
	struct fs_machine machine;
};

/* ---- cells */

/* Until the first dot, as the tool cuts names. */
static const char *job_name(char buf[TEXT], const struct fs_job *job)
{
	char name[TEXT];
	const size_t dot = strcspn(job->name, ".");

	snprintf(name, sizeof(name), "%.*s", dot ? (int)(dot < TEXT ? dot : TEXT) : TEXT,
		 job->name);
	return text_visible(buf, TEXT, name);
}

static const char *count(char buf[TEXT], int64_t n)
{
	if (n == FS_UNKNOWN)
		return strcpy(buf, "?");
	snprintf(buf, TEXT, "%lld", (long long)n);
	return buf;
}

static const char *share(char buf[TEXT], int64_t part, int64_t all)
{
	if (part == FS_UNKNOWN || all == FS_UNKNOWN)
		return strcpy(buf, "?");
	snprintf(buf, TEXT, "%.2f%%", all ? (double)part / (double)all * 100.0 : 0.0);
	return buf;
}

static const char *duration(char buf[TEXT], int64_t s)
{
	if (s == FS_UNKNOWN)
		return strcpy(buf, "?");
	return maui_duration(buf, TEXT, s == FS_UNLIMITED ? INT32_MAX : s);
}

static int64_t queued_since(const struct fs_job *job)
{
	return job->eligible_time != FS_UNKNOWN ? job->eligible_time : job->submit_time;
}

static int64_t ends(const struct fs_job *job)
{
	if (job->end_time != FS_UNKNOWN)
		return job->end_time;
	if (job->start_time == FS_UNKNOWN || job->time_limit_s == FS_UNKNOWN ||
	    job->time_limit_s == FS_UNLIMITED)
		return FS_UNKNOWN;
	return job->start_time + job->time_limit_s;
}

static const char *remaining(char buf[TEXT], const struct page *p, const struct fs_job *job)
{
	const int64_t end = ends(job);

	if (end == FS_UNKNOWN)
		return duration(buf, job->time_limit_s == FS_UNLIMITED ? FS_UNLIMITED : FS_UNKNOWN);
	return duration(buf, end - p->r->info->time);
}

static bool has_limit(const struct fs_job *job)
{
	return job->time_limit_s > 0 && job->time_limit_s != FS_UNLIMITED;
}

/* (seconds queued + limit) / limit */
static const char *xfactor(char buf[TEXT], const struct fs_job *job, int64_t until)
{
	const int64_t since = queued_since(job);

	if (since == FS_UNKNOWN || until == FS_UNKNOWN || !has_limit(job))
		return strcpy(buf, "?");
	snprintf(buf, TEXT, "%.1f",
		 (double)(until - since + job->time_limit_s) / (double)job->time_limit_s);
	return buf;
}

static const char *qos_of(const struct page *p, uint32_t row)
{
	const char *qos = fs_job_qos(p->r->snapshot, row, 0);

	return qos ? qos : "DEFAULT";
}

static void put_text(int width, const char *s)
{
	char visible[TEXT];

	emit(" %*s", width, text_visible(visible, sizeof(visible), s));
}

static void put_date(const struct page *p, int64_t time)
{
	if (time == FS_UNKNOWN)
		emit("%19s", "?");
	else
		showq_put_date(p->r, time);
}

/* ---- the whole queue */

static void heading(const char *title, const char *time, const char *date)
{
	emit("%s\n%-18s %8s %10s %5s %11s %20s\n\n", title, "JOBNAME", "USERNAME", "STATE",
	       "PROC", time, date);
}

static void put_job(const struct page *p, const struct fs_job *job, const char *state,
		    const char *time, int64_t date)
{
	char a[TEXT], b[TEXT];

	emit("%-18s", job_name(a, job));
	put_text(8, job->user);
	emit(" %10s %5s %11s  ", state, count(b, job->cpus), time);
	put_date(p, date);
}

static void active_totals(const struct page *p)
{
	const struct fs_machine *m = &p->machine;
	char label[TEXT], a[TEXT], b[TEXT], c[TEXT];

	snprintf(label, sizeof(label), "%zu Active Job%c   ", p->list.nactive,
		 p->list.nactive == 1 ? ' ' : 's');
	emit("\n%21s %4s of %4s Processors Active (%s)\n", label, count(a, m->busy_procs),
	       count(b, m->procs), share(c, m->busy_procs, m->procs));
	if (m->nodes > 0 && m->procs != m->nodes)
		emit("%21s %4s of %4s Nodes Active      (%s)\n", "", count(a, m->busy_nodes),
		       count(b, m->nodes), share(c, m->busy_nodes, m->nodes));
}

static void put_active(const struct page *p)
{
	char time[TEXT];

	heading("ACTIVE JOBS--------------------", "REMAINING", "STARTTIME");
	for (size_t i = 0; i < p->list.nactive; i++) {
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, p->list.active[i], &job);
		put_job(p, &job, strcmp(job.state, "SUSPENDED") ? "Running" : "Suspended",
			remaining(time, p, &job), job.start_time);
		putchar('\n');
	}
	active_totals(p);
}

/* A hold is shown as the state; other jobs that are blocked are idle. */
static const char *state_of(const struct fs_queue_row *row)
{
	return !row->eligible && row->section == FS_SECTION_HELD && row->reason ? row->reason->name
									       : "Idle";
}

static void put_waiting(const struct page *p, const struct fs_queue_row *v, size_t n)
{
	char time[TEXT], previous[TEXT] = "";

	for (size_t i = 0; i < n; i++) {
		struct fs_job job;

		fs_snapshot_job(p->r->snapshot, v[i].job_row, &job);
		put_job(p, &job, state_of(&v[i]), duration(time, job.time_limit_s),
			job.submit_time);
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, &v[i], *previous ? previous : NULL);
		putchar('\n');
		snprintf(previous, sizeof(previous), "%s", job.name);
	}
}

static void put_queue(const struct page *p)
{
	const struct showq_lists *l = &p->list;

	put_active(p);
	putchar('\n');
	heading("IDLE JOBS----------------------", "WCLIMIT", "QUEUETIME");
	put_waiting(p, l->line, l->nline);
	emit("\n%zu Idle Job%c\n\n", l->nline, l->nline == 1 ? ' ' : 's');
	heading("BLOCKED JOBS----------------", "WCLIMIT", "QUEUETIME");
	put_waiting(p, l->blocked, l->nblocked);
	emit("\nTotal Jobs: %zu   Active Jobs: %zu   Idle Jobs: %zu   Blocked Jobs: %zu\n",
	       l->nactive + l->nline + l->nblocked, l->nactive, l->nline, l->nblocked);
}

/* ---- -i */

static double put_idle_job(const struct page *p, const struct fs_queue_row *row)
{
	const fs_snapshot *s = p->r->snapshot;
	const char *class = fs_job_partition(s, row->job_row, 0), *qos = qos_of(p, row->job_row);
	char a[TEXT], b[TEXT], visible[TEXT];
	struct fs_job job;

	fs_snapshot_job(s, row->job_row, &job);
	emit("%18s%c", job_name(a, &job), fs_job_flag(s, row->job_row, "RESERVED") ? '*' : ' ');
	if (isnan(row->priority))
		emit("%11s", "?");
	else
		emit("%11.0f", row->priority);
	emit(" %8s %2.2s", xfactor(a, &job, p->r->info->time),
	       strcmp(qos, "DEFAULT") ? text_visible(visible, sizeof(visible), qos) : "-");
	put_text(9, job.user);
	put_text(8, job.group);
	emit(" %6s%12s", count(a, job.cpus), duration(b, job.time_limit_s));
	put_text(9, class ? class : "-");
	emit("  ");
	put_date(p, queued_since(&job));
	if (p->r->why)
		showq_put_why(p->r, p->list.queue, row, NULL);
	putchar('\n');
	return job.cpus == FS_UNKNOWN || !has_limit(&job)
		       ? 0
		       : (double)job.cpus * (double)job.time_limit_s;
}

static void put_idle(const struct page *p)
{
	double backlog = 0;

	if (p->r->named_partition)
		emit("Partition: %s\n", p->r->named_partition);
	emit("%18s %11s %8s %2s %9s %8s %6s %11s %9s %20s\n\n", "JobName", "Priority", "XFactor",
	       "Q", "User", "Group", "Procs", "WCLimit", "Class", "SystemQueueTime");
	for (size_t i = 0; i < p->list.nline; i++)
		backlog += put_idle_job(p, &p->list.line[i]);
	emit("\nJobs: %zu  Total Backlog:  %.2f ProcHours  ", p->list.nline, backlog / 3600.0);
	if (p->machine.procs > 0)
		emit("(%.2f Hours)\n", backlog / 3600.0 / (double)p->machine.procs);
	else
		emit("(?)\n");
}

/* ---- -r */

static char mark_of(const fs_snapshot *s, uint32_t row)
{
	const bool preemptee = fs_job_flag(s, row, "PREEMPTEE");

	if (fs_job_flag(s, row, "SPVIOLATION"))
		return '_';
	if (fs_job_flag(s, row, "BACKFILL"))
		return preemptee ? '*' : '+';
	return preemptee ? '-' : ' ';
}

struct first_host {
	char name[TEXT];
};

static int take_first(void *ctx, const char *name, size_t len)
{
	struct first_host *h = ctx;

	snprintf(h->name, sizeof(h->name), "%.*s", (int)len, name);
	return 1;
}

static void put_running_job(const struct page *p, uint32_t row)
{
	struct first_host host = { "?" };
	char a[TEXT], b[TEXT], visible[TEXT];
	struct fs_job job;

	fs_snapshot_job(p->r->snapshot, row, &job);
	fs_hostlist_each(job.node_list, take_first, &host);
	emit("%18s%c %c", job_name(a, &job), mark_of(p->r->snapshot, row),
	       strcmp(job.state, "SUSPENDED") ? 'R' : 'S');
	if (p->r->verbose)
		emit(" %6s", count(a, job.priority));
	emit(" %3.3s ", "DEFAULT");
	if (isnan(job.efficiency))
		emit("%6s", "------");
	else
		emit("%6.2f", job.efficiency);
	emit(" %8s %2.2s", xfactor(a, &job, job.start_time),
	       text_visible(visible, sizeof(visible), qos_of(p, row)));
	put_text(9, job.user);
	put_text(8, job.group);
	put_text(8, host.name);
	emit(" %5s %11s  ", count(a, job.cpus), remaining(b, p, &job));
	put_date(p, job.start_time);
	putchar('\n');
}

static void put_running(const struct page *p)
{
	const struct fs_machine *m = &p->machine;
	char a[TEXT], b[TEXT], c[TEXT];

	if (p->r->named_partition)
		emit("partition: %s\n", p->r->named_partition);
	emit("%18s  %1s", "JobName", "S");
	if (p->r->verbose)
		emit(" %6s", "prio");
	emit(" %3s %6s %8s %2s %9s %8s %8s %5s %11s  %19s\n\n", "Par", "Effic", "XFactor", "Q",
	       "User", "Group", "MHost", "Procs", "Remaining", "StartTime");
	for (size_t i = 0; i < p->list.nactive; i++)
		put_running_job(p, p->list.active[i]);
	emit("\n%3zu Jobs   %5s of %5s Processors Active (%s)\n", p->list.nactive,
	       count(a, m->busy_procs), count(b, m->procs), share(c, m->busy_procs, m->procs));
}

/* ---- -b */

/* What the tool's check complains of (src/MPolicy.c:MQueueSelectAllJobs), without its first two words: a limit, but no soft
 * one; of a hold one word is left, of a negative priority none, and then the tool prints the words of the row before (its
 * sscanf leaves them there). False: nothing. */
static bool complaint(char buf[2 * TEXT], const struct page *p, const struct fs_queue_row *row)
{
	char name[TEXT];
	struct fs_verdict v;
	bool hard;

	if (row->reason && !strcmp(row->reason->name, "NegativePriority"))
		return true;
	if (row->section == FS_SECTION_HELD) {
		strcpy(buf, " active");
		return true;
	}
	if (fs_queue_verdict(p->list.queue, row->job_row, &v)) {
		*p->r->starved = true;
		return false;
	}
	hard = v.limit && !strncmp(v.limit->name, "active HARD", strlen("active HARD"));
	if (hard)
		snprintf(buf, 2 * TEXT, " violates %s limit of %.0f for %s %s  (R: %.0f, U: %.0f)",
			 v.limit->name, v.limit->value, v.limit->whose,
			 text_visible(name, sizeof(name), v.limit->of), v.limit->wants, v.limit->used);
	fs_verdict_release(&v);
	return hard;
}

/* --why adds those that the tool leaves out. */
static void put_blocked(const struct page *p)
{
	char told[2 * TEXT] = " ";

	emit("%18s %9s %20s\n\n", "JobName", "User", "Reason");
	for (size_t i = 0; i < p->list.nblocked; i++) {
		const struct fs_queue_row *row = &p->list.blocked[i];
		char name[TEXT];
		const bool listed = complaint(told, p, row);
		struct fs_job job;

		if (!listed && !p->r->why)
			continue;
		fs_snapshot_job(p->r->snapshot, row->job_row, &job);
		emit("%18s", job_name(name, &job));
		put_text(9, job.user);
		emit_text(listed ? told : "");
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, row, NULL);
		putchar('\n');
	}
}

/* ---- */

/* Active jobs by the time they end at the latest. The list is sorted anew, in a stable way, for each job that is added to it
 * (src/MQueue.c:MQueueAddAJob): equal ones stand as they started, and of one iteration the one of higher priority first,
 * for which the priority that is known now has to stand. */
static int by_end(const void *x, const void *y, const void *ctx)
{
	const struct page *p = ctx;
	const uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	struct fs_job a, b;

	fs_snapshot_job(p->r->snapshot, i, &a);
	fs_snapshot_job(p->r->snapshot, j, &b);
	if (ends(&a) != ends(&b))
		return ends(&a) > ends(&b) ? 1 : -1;
	if (a.start_time != b.start_time)
		return a.start_time > b.start_time ? 1 : -1;
	if (a.priority != b.priority && a.priority != FS_UNKNOWN && b.priority != FS_UNKNOWN)
		return a.priority < b.priority ? 1 : -1;
	return showq_table_order(p->r->snapshot, i, j);
}

static int show(struct showq_run *r)
{
	struct page p = { .r = r };
	int status = showq_lists_load(r, &p.list);

	if (status)
		return status;
	if (fs_snapshot_machine(r->snapshot, &p.machine) ||
	    fs_sort(p.list.active, p.list.nactive, sizeof(*p.list.active), by_end, &p)) {
		status = no_memory(r->inv);
	} else if (r->only_idle) {
		put_idle(&p);
	} else if (r->only_running) {
		put_running(&p);
	} else if (r->show_blocked) {
		put_blocked(&p);
	} else {
		put_queue(&p);
	}
	showq_lists_release(&p.list);
	return status;
}

const struct showq_style showq_maui = { .style = STYLE_MAUI, .partitions = true, .page = show, .words = showq_words_maui };
