/* The layout of Maui's showq (3.5: src/server/omclient.c:MCShowQ, MCShowIdle, MCShowRun, MCShowBlocked). */
#include "columns/column.h"
#include "fs/explain.h"
#include "render/emit.h"
#include "render/text.h"
#include "dialect/maui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAUI_TEXT_SIZE = 256 };

struct maui_page {
	const struct showq_run *r;
	struct showq_lists list;
	struct fs_machine machine;
	int64_t *run_priority; /* indexed by job row: priority of the job; FS_UNKNOWN: unknown */
};

/* The tables of a page. The page of the whole queue has MAUI_ACTIVE and MAUI_WAITING. The options -i, -r, -r -v and -b
 * select MAUI_IDLE, MAUI_RUNNING, MAUI_RUNNING_VERBOSE and MAUI_BLOCKED. */
enum maui_table { MAUI_ACTIVE, MAUI_WAITING, MAUI_IDLE, MAUI_RUNNING, MAUI_RUNNING_VERBOSE, MAUI_BLOCKED };

/* A table row, which shows one job. */
struct maui_job_row {
	uint32_t row;
	struct fs_job job;
	const struct fs_queue_row *queue_row; /* queue row of a pending job; NULL: the job is active */
};

/* ---- formatting; an unknown number is formatted as "?" */

typedef char maui_cell_text[COLUMN_TEXT_SIZE];

/* Formats a number into buf and returns buf. */
static const char *format_maui_count(char buf[MAUI_TEXT_SIZE], int64_t n)
{
	if (n == FS_UNKNOWN)
		return strcpy(buf, "?");
	snprintf(buf, MAUI_TEXT_SIZE, "%lld", (long long)n);
	return buf;
}

/* Formats part / all as a percentage into buf and returns buf. */
static const char *format_maui_share(char buf[MAUI_TEXT_SIZE], int64_t part, int64_t all)
{
	if (part == FS_UNKNOWN || all == FS_UNKNOWN)
		return strcpy(buf, "?");
	format_text(buf, MAUI_TEXT_SIZE, "%.2f%%", all ? (double)part / (double)all * 100.0 : 0.0);
	return buf;
}

/* Returns the time at which the job ends at the latest: its end time if known, else its start plus its time limit.
 * Returns FS_UNKNOWN if neither is known. */
static int64_t get_latest_end(const struct fs_job *job)
{
	if (job->times.end != FS_UNKNOWN)
		return job->times.end;
	if (job->times.start == FS_UNKNOWN || job->request.time_limit_s == FS_UNKNOWN ||
	    job->request.time_limit_s == FS_UNLIMITED)
		return FS_UNKNOWN;
	return job->times.start + job->request.time_limit_s;
}

/* Returns true if the job has a time limit that is known and finite. */
static bool has_time_limit(const struct fs_job *job)
{
	return job->request.time_limit_s > 0 && job->request.time_limit_s != FS_UNLIMITED;
}

/* Returns the time at which the job's time in the queue begins: its eligible time if known, else its submit time. */
static int64_t get_queue_time(const struct fs_job *job)
{
	return job->times.eligible != FS_UNKNOWN ? job->times.eligible : job->times.submit;
}

/* ---- cells of the tables; a format function gets the struct maui_page and the struct maui_job_row */

static const struct fs_job *get_maui_row_job(const void *row)
{
	return &((const struct maui_job_row *)row)->job;
}

static const struct showq_run *get_maui_page_run(const void *page)
{
	return ((const struct maui_page *)page)->r;
}

/* Formats the job name up to its first dot, as Maui's showq does. */
static void format_name_cell(maui_cell_text buf, const void *page, const void *row)
{
	const struct fs_job *job = get_maui_row_job(row);
	const size_t dot = strcspn(job->name, ".");
	char name[MAUI_TEXT_SIZE];

	(void)page;
	snprintf(name, sizeof(name), "%.*s", dot && dot < MAUI_TEXT_SIZE ? (int)dot : MAUI_TEXT_SIZE, job->name);
	text_make_visible(buf, MAUI_TEXT_SIZE, name);
}

static void format_text_colon_duration(maui_cell_text buf, int64_t s)
{
	if (s == FS_UNKNOWN)
		strcpy(buf, "?");
	else
		text_colon_duration(buf, MAUI_TEXT_SIZE, s == FS_UNLIMITED ? INT32_MAX : s);
}

COLUMN_FORMAT_CELL(format_limit_cell, void, struct maui_job_row,
		   format_text_colon_duration(buf, row->job.request.time_limit_s))

static void format_remaining_cell(maui_cell_text buf, const void *page, const void *row)
{
	const struct fs_job *job = get_maui_row_job(row);
	const int64_t end = get_latest_end(job);

	if (end == FS_UNKNOWN)
		format_text_colon_duration(buf, job->request.time_limit_s == FS_UNLIMITED ? FS_UNLIMITED : FS_UNKNOWN);
	else
		format_text_colon_duration(buf, end - get_maui_page_run(page)->info->time);
}

static void format_maui_date(maui_cell_text buf, const struct maui_page *page, int64_t time)
{
	if (time == FS_UNKNOWN)
		strcpy(buf, "?");
	else
		showq_format_date(page->r, buf, time);
}

COLUMN_FORMAT_CELL(format_start_cell, struct maui_page, struct maui_job_row,
		   format_maui_date(buf, of, row->job.times.start))
COLUMN_FORMAT_CELL(format_submit_cell, struct maui_page, struct maui_job_row,
		   format_maui_date(buf, of, row->job.times.submit))
COLUMN_FORMAT_CELL(format_queued_cell, struct maui_page, struct maui_job_row,
		   format_maui_date(buf, of, get_queue_time(&row->job)))

/* Formats the state of a job. The state of a held job is the name of the hold. The state of other blocked jobs is
 * "Idle". */
static void format_state_cell(maui_cell_text buf, const void *page, const void *row)
{
	const struct fs_queue_row *q = ((const struct maui_job_row *)row)->queue_row;

	(void)page;
	if (!q)
		strcpy(buf, strcmp(get_maui_row_job(row)->state, "SUSPENDED") ? "Running" : "Suspended");
	else if (!q->eligible && q->section == FS_SECTION_HELD && q->reason)
		text_make_visible(buf, COLUMN_TEXT_SIZE, q->reason->name);
	else
		strcpy(buf, "Idle");
}

COLUMN_FORMAT_CELL(format_letter_cell, void, struct maui_job_row,
		   strcpy(buf, strcmp(row->job.state, "SUSPENDED") ? "R" : "S"))
COLUMN_FORMAT_CELL(format_reserved_cell, struct maui_page, struct maui_job_row,
		   strcpy(buf, fs_job_flag(of->r->snapshot, row->row, "RESERVED") ? "*" : " "))

/* Formats the mark after the job name: "_" if the job violates a soft policy, "+" if it was backfilled, "*" if it was
 * backfilled and is a preemptee, "-" if it is a preemptee. */
static void format_mark_cell(maui_cell_text buf, const void *page, const void *row)
{
	const fs_snapshot *s = get_maui_page_run(page)->snapshot;
	const uint32_t job = ((const struct maui_job_row *)row)->row;
	const bool preemptee = fs_job_flag(s, job, "PREEMPTEE");

	if (fs_job_flag(s, job, "SPVIOLATION"))
		strcpy(buf, "_");
	else if (fs_job_flag(s, job, "BACKFILL"))
		strcpy(buf, preemptee ? "*" : "+");
	else
		strcpy(buf, preemptee ? "-" : " ");
}

COLUMN_FORMAT_CELL(format_priority_cell, void, struct maui_job_row,
		   format_text(buf, COLUMN_TEXT_SIZE, isnan(row->queue_row->priority) ? "?" : "%.0f",
			       row->queue_row->priority))
COLUMN_FORMAT_CELL(format_run_priority_cell, struct maui_page, struct maui_job_row,
		   format_maui_count(buf, of->run_priority[row->row]))

/* Formats the expansion factor, (time in the queue + time limit) / time limit. An active job's time in the queue ends
 * at its start. */
static void format_xfactor_cell(maui_cell_text buf, const void *page, const void *row)
{
	const struct fs_job *job = get_maui_row_job(row);
	const bool is_pending = ((const struct maui_job_row *)row)->queue_row != NULL;
	const int64_t since = get_queue_time(job),
		      until = is_pending ? get_maui_page_run(page)->info->time : job->times.start;

	if (since == FS_UNKNOWN || until == FS_UNKNOWN || !has_time_limit(job))
		strcpy(buf, "?");
	else
		format_text(buf, COLUMN_TEXT_SIZE, "%.1f",
			    (double)(until - since + job->request.time_limit_s) / (double)job->request.time_limit_s);
}

/* Formats the first two bytes of the QOS, or "-" for a pending job with the default QOS. */
static void format_qos_cell(maui_cell_text buf, const void *page, const void *row)
{
	const struct maui_job_row *l = row;
	const char *qos = fs_job_qos(get_maui_page_run(page)->snapshot, l->row, 0);
	char visible[MAUI_TEXT_SIZE];

	if (l->queue_row && (!qos || !strcmp(qos, "DEFAULT")))
		strcpy(buf, "-");
	else
		snprintf(buf, COLUMN_TEXT_SIZE, "%.2s",
			 text_make_visible(visible, sizeof(visible), qos ? qos : "DEFAULT"));
}

static void format_class_cell(maui_cell_text buf, const void *page, const void *row)
{
	const char *class =
		fs_job_partition(get_maui_page_run(page)->snapshot, ((const struct maui_job_row *)row)->row, 0);

	text_make_visible(buf, MAUI_TEXT_SIZE, class ? class : "-");
}

static void format_partition_cell(maui_cell_text buf, const void *page, const void *row)
{
	char visible[MAUI_TEXT_SIZE];

	(void)page;
	text_make_visible(visible, MAUI_TEXT_SIZE,
			  *get_maui_row_job(row)->maui_partition ? get_maui_row_job(row)->maui_partition : "DEF");
	snprintf(buf, COLUMN_TEXT_SIZE, "%.3s", visible);
}

COLUMN_FORMAT_CELL(format_efficiency_cell, void, struct maui_job_row,
		   format_text(buf, COLUMN_TEXT_SIZE, isnan(row->job.efficiency) ? "------" : "%.2f",
			       row->job.efficiency))

/* An fs_hostlist_each callback: copies the first host name to ctx, and returns 1 to end the iteration. */
static int copy_first_host(void *ctx, const char *name, size_t len)
{
	snprintf(ctx, MAUI_TEXT_SIZE, "%.*s", (int)len, name);
	return 1;
}

static void format_host_cell(maui_cell_text buf, const void *page, const void *row)
{
	char host[MAUI_TEXT_SIZE] = "?";

	(void)page;
	fs_hostlist_each(get_maui_row_job(row)->node_list, copy_first_host, host);
	text_make_visible(buf, MAUI_TEXT_SIZE, host);
}

/* ---- columns of the tables */

#define MAUI_JOB_MEMBER(m) COLUMN_MEMBER(struct maui_job_row, job.m)
#define MAUI_QUEUE_COLUMNS(time_heading, time, date_heading, date) \
	{ "JOBNAME", NULL, -18, .format_cell = format_name_cell }, { "USERNAME", NULL, 8, MAUI_JOB_MEMBER(user) }, \
	{ "STATE", NULL, 10, .format_cell = format_state_cell }, { "PROC", NULL, 5, MAUI_JOB_MEMBER(request.cpus) }, \
	{ time_heading, NULL, 11, .format_cell = time }, { date_heading, NULL, 20, .format_cell = date }

static const struct column maui_active_columns[] = {
	MAUI_QUEUE_COLUMNS("REMAINING", format_remaining_cell, "STARTTIME", format_start_cell)
};
static const struct column maui_waiting_columns[] = {
	MAUI_QUEUE_COLUMNS("WCLIMIT", format_limit_cell, "QUEUETIME", format_submit_cell)
};

/* The widths equal the widths in the emulated tool. Columns with an empty prefix directly follow the preceding
 * column. */
static const struct column maui_idle_columns[] = {
	{ "JobName", NULL, 18, .format_cell = format_name_cell },
	{ "", NULL, 1, .format_cell = format_reserved_cell, .prefix = "" },
	{ "Priority", NULL, 11, .format_cell = format_priority_cell, .prefix = "" },
	{ "XFactor", NULL, 8, .format_cell = format_xfactor_cell },
	{ "Q", NULL, 2, .format_cell = format_qos_cell },
	{ "User", NULL, 9, MAUI_JOB_MEMBER(user) },
	{ "Group", NULL, 8, MAUI_JOB_MEMBER(group) },
	{ "Procs", NULL, 6, MAUI_JOB_MEMBER(request.cpus) },
	{ "WCLimit", NULL, 12, .format_cell = format_limit_cell, .prefix = "" },
	{ "Class", NULL, 9, .format_cell = format_class_cell },
	{ "SystemQueueTime", NULL, 20, .format_cell = format_queued_cell },
};

#define MAUI_RUNNING_FIRST \
	{ "JobName", NULL, 18, .format_cell = format_name_cell }, { "", NULL, 1, .format_cell = format_mark_cell, .prefix = "" }, \
	{ "S", NULL, 1, .format_cell = format_letter_cell }
#define MAUI_RUNNING_OTHERS \
	{ "Par", NULL, 3, .format_cell = format_partition_cell }, { "Effic", NULL, 6, .format_cell = format_efficiency_cell }, \
	{ "XFactor", NULL, 8, .format_cell = format_xfactor_cell }, { "Q", NULL, 2, .format_cell = format_qos_cell }, \
	{ "User", NULL, 9, MAUI_JOB_MEMBER(user) }, { "Group", NULL, 8, MAUI_JOB_MEMBER(group) }, \
	{ "MHost", NULL, 8, .format_cell = format_host_cell }, { "Procs", NULL, 5, MAUI_JOB_MEMBER(request.cpus) }, \
	{ "Remaining", NULL, 11, .format_cell = format_remaining_cell }, { "StartTime", NULL, 20, .format_cell = format_start_cell }

static const struct column maui_running_columns[] = { MAUI_RUNNING_FIRST, MAUI_RUNNING_OTHERS };
static const struct column maui_verbose_columns[] = {
	MAUI_RUNNING_FIRST, { "prio", NULL, 6, .format_cell = format_run_priority_cell }, MAUI_RUNNING_OTHERS
};

/* The reason column is not in this table; it is printed after the row. */
static const struct column maui_blocked_columns[] = {
	{ "JobName", NULL, 18, .format_cell = format_name_cell },
	{ "User", NULL, 9, MAUI_JOB_MEMBER(user) },
	{ "Reason", NULL, .width = 20 },
};

static struct column_page make_table_page(const struct maui_page *p, enum maui_table table)
{
	static const struct {
		const struct column *columns;
		size_t n;
	} tables[] = {
		[MAUI_ACTIVE] = { COLUMNS(maui_active_columns) },
		[MAUI_WAITING] = { COLUMNS(maui_waiting_columns) },
		[MAUI_IDLE] = { COLUMNS(maui_idle_columns) },
		[MAUI_RUNNING] = { COLUMNS(maui_running_columns) },
		[MAUI_RUNNING_VERBOSE] = { COLUMNS(maui_verbose_columns) },
		[MAUI_BLOCKED] = { COLUMNS(maui_blocked_columns) },
	};

	return (struct column_page){ .columns = tables[table].columns, .n = tables[table].n, .rows_owner = p };
}

/* Prints the heading of a table, followed by an empty line. */
static void print_maui_heading(const struct maui_page *p, enum maui_table table)
{
	const struct column_page page = make_table_page(p, table);

	columns_print_heading(&page);
	putchar('\n');
}

/* Prints a row of a table without the newline. queue_row: NULL if the job is active. */
static void print_maui_row(const struct maui_page *p, enum maui_table table, uint32_t job_row,
			   const struct fs_queue_row *queue_row)
{
	const struct column_page page = make_table_page(p, table);
	struct maui_job_row line = { .row = job_row, .queue_row = queue_row };

	fs_snapshot_job(p->r->snapshot, job_row, &line.job);
	columns_print_row(&page, &line);
}

/* ---- idle jobs (-i) */

/* Returns the maximum processor seconds of a job: its CPUs times its time limit; 0 if unknown. */
static double get_job_backlog(const struct maui_page *p, uint32_t job_row)
{
	struct fs_job job;

	fs_snapshot_job(p->r->snapshot, job_row, &job);
	return job.request.cpus == FS_UNKNOWN || !has_time_limit(&job)
		       ? 0
		       : (double)job.request.cpus * (double)job.request.time_limit_s;
}

static void print_maui_idle_job(const struct maui_page *p, const struct fs_queue_row *row)
{
	print_maui_row(p, MAUI_IDLE, row->job_row, row);
	if (p->r->why)
		showq_print_order_text(p->r, p->list.queue, row, NULL);
	putchar('\n');
}

static void print_maui_idle_list(const struct maui_page *p)
{
	double backlog = 0;

	if (p->r->named_partition)
		emit("Partition: %s\n", p->r->named_partition);
	print_maui_heading(p, MAUI_IDLE);
	for (size_t i = 0; i < p->list.neligible; i++) {
		print_maui_idle_job(p, &p->list.eligible[i]);
		backlog += get_job_backlog(p, p->list.eligible[i].job_row);
	}
	emit("\nJobs: %zu  Total Backlog:  %.2f ProcHours  ", p->list.neligible, backlog / 3600.0);
	if (p->machine.procs > 0)
		emit("(%.2f Hours)\n", backlog / 3600.0 / (double)p->machine.procs);
	else
		emit("(?)\n");
}

/* ---- running jobs (-r) */

static void print_maui_running_list(const struct maui_page *p)
{
	const enum maui_table table = p->r->verbose ? MAUI_RUNNING_VERBOSE : MAUI_RUNNING;
	const struct fs_machine *m = &p->machine;
	char a[MAUI_TEXT_SIZE], b[MAUI_TEXT_SIZE], c[MAUI_TEXT_SIZE];

	if (p->r->named_partition)
		emit("partition: %s\n", p->r->named_partition);
	print_maui_heading(p, table);
	for (size_t i = 0; i < p->list.nactive; i++) {
		print_maui_row(p, table, p->list.active[i], NULL);
		putchar('\n');
	}
	emit("\n%3zu Jobs   %5s of %5s Processors Active (%s)\n", p->list.nactive, format_maui_count(a, m->busy_procs),
	     format_maui_count(b, m->procs), format_maui_share(c, m->busy_procs, m->procs));
}

/* ---- blocked jobs (-b) */

/* Sets message to the text in the Reason column: the message of the tool's policy check without its first two words
 * (src/MPolicy.c:MQueueSelectAllJobs). Returns false if the tool does not list the job.
 * - The message for a violated hard limit says which limit. Soft limits are not reported.
 * - The message for a hold has three words, so that only the third word is left: " active".
 * - The message for a negative priority has only two words, so that nothing is left. The tool then prints the text of
 *   the previous row, because its sscanf leaves the old text in the buffer. To print the same text, this function
 *   leaves `message` unchanged. */
static bool format_policy_message(char message[2 * MAUI_TEXT_SIZE], const struct maui_page *p,
				  const struct fs_queue_row *row)
{
	char name[MAUI_TEXT_SIZE];
	struct fs_explain_limit l;

	if (row->reason && !strcmp(row->reason->name, "NegativePriority"))
		return true;
	if (row->section == FS_SECTION_HELD) {
		strcpy(message, " active");
		return true;
	}
	if (!fs_queue_shown_limit(p->list.queue, row->job_row, &l))
		return false;
	format_text(message, 2 * MAUI_TEXT_SIZE, " violates %s limit of %.0f for %s %s %s (R: %.0f, U: %.0f)", l.name,
		    l.value, l.counted_for, text_make_visible(name, sizeof(name), l.set_by), *l.user ? "user" : "",
		    l.wants, l.used);
	return true;
}

/* Prints the list of blocked jobs. With --why the list also contains the jobs that the emulated tool leaves out. */
static void print_maui_blocked_list(const struct maui_page *p)
{
	char message[2 * MAUI_TEXT_SIZE] = " ";

	print_maui_heading(p, MAUI_BLOCKED);
	for (size_t i = 0; i < p->list.nblocked; i++) {
		const struct fs_queue_row *row = &p->list.blocked[i];
		const bool listed = format_policy_message(message, p, row);

		if (!listed && !p->r->why)
			continue;
		print_maui_row(p, MAUI_BLOCKED, row->job_row, row);
		emit_safe_text(listed ? message : "");
		if (p->r->why)
			showq_print_order_text(p->r, p->list.queue, row, NULL);
		putchar('\n');
	}
}

/* ---- the page of the whole queue */

static void print_maui_total(const char *label, int64_t busy, int64_t all, const char *what)
{
	char a[MAUI_TEXT_SIZE], b[MAUI_TEXT_SIZE], c[MAUI_TEXT_SIZE];

	emit("%21s %4s of %4s %s (%s)\n", label, format_maui_count(a, busy), format_maui_count(b, all), what,
	     format_maui_share(c, busy, all));
}

static void print_maui_active_totals(const struct maui_page *p)
{
	const struct fs_machine *m = &p->machine;
	char label[MAUI_TEXT_SIZE];

	snprintf(label, sizeof(label), "%zu Active Job%c   ", p->list.nactive, p->list.nactive == 1 ? ' ' : 's');
	putchar('\n');
	print_maui_total(label, m->busy_procs, m->procs, "Processors Active");
	if (m->nodes > 0 && m->procs != m->nodes)
		print_maui_total("", m->busy_nodes, m->nodes, "Nodes Active     ");
}

static void print_maui_active_table(const struct maui_page *p)
{
	emit_safe_line("ACTIVE JOBS--------------------");
	print_maui_heading(p, MAUI_ACTIVE);
	for (size_t i = 0; i < p->list.nactive; i++) {
		print_maui_row(p, MAUI_ACTIVE, p->list.active[i], NULL);
		putchar('\n');
	}
	print_maui_active_totals(p);
}

static void print_maui_pending_table(const struct maui_page *p, const char *title, const struct fs_queue_row *v,
				     size_t n)
{
	char previous[MAUI_TEXT_SIZE] = "";

	emit_safe_line(title);
	print_maui_heading(p, MAUI_WAITING);
	for (size_t i = 0; i < n; i++) {
		struct fs_job job;

		print_maui_row(p, MAUI_WAITING, v[i].job_row, &v[i]);
		if (p->r->why)
			showq_print_order_text(p->r, p->list.queue, &v[i], *previous ? previous : NULL);
		putchar('\n');
		fs_snapshot_job(p->r->snapshot, v[i].job_row, &job);
		snprintf(previous, sizeof(previous), "%s", job.name);
	}
}

static void print_whole_maui_queue(const struct maui_page *p)
{
	const struct showq_lists *l = &p->list;

	print_maui_active_table(p);
	putchar('\n');
	print_maui_pending_table(p, "IDLE JOBS----------------------", l->eligible, l->neligible);
	emit("\n%zu Idle Job%c\n\n", l->neligible, l->neligible == 1 ? ' ' : 's');
	print_maui_pending_table(p, "BLOCKED JOBS----------------", l->blocked, l->nblocked);
	emit("\nTotal Jobs: %zu   Active Jobs: %zu   Idle Jobs: %zu   Blocked Jobs: %zu\n",
	       l->nactive + l->neligible + l->nblocked, l->nactive, l->neligible, l->nblocked);
}

/* Orders active jobs by the latest time at which they end, the earliest first. Maui keeps jobs with the same end time
 * in the order in which they were added (src/MQueue.c:MQueueAddAJob). If the capture lacks this order, the earlier
 * start comes first. Among jobs with the same start, backfilled jobs come last, and higher priorities come first. The
 * priority that a job had when it started is unknown, so its current priority is used. */
static int compare_by_latest_end(const void *x, const void *y, const void *ctx)
{
	const struct maui_page *p = ctx;
	const uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const int64_t m = p->run_priority[i], n = p->run_priority[j];
	const bool backfilled = fs_job_flag(p->r->snapshot, i, "BACKFILL");
	struct fs_job a, b;

	fs_snapshot_job(p->r->snapshot, i, &a);
	fs_snapshot_job(p->r->snapshot, j, &b);
	if (get_latest_end(&a) != get_latest_end(&b))
		return get_latest_end(&a) > get_latest_end(&b) ? 1 : -1;
	if (a.position.active != b.position.active && a.position.active != FS_UNKNOWN &&
	    b.position.active != FS_UNKNOWN)
		return a.position.active > b.position.active ? 1 : -1;
	if (a.times.start != b.times.start)
		return a.times.start > b.times.start ? 1 : -1;
	if (backfilled != fs_job_flag(p->r->snapshot, j, "BACKFILL"))
		return backfilled ? 1 : -1;
	if (m != n && m != FS_UNKNOWN && n != FS_UNKNOWN)
		return m < n ? 1 : -1;
	return showq_compare_table_order(p->r->snapshot, i, j);
}

/* Sets p->run_priority of all jobs to the recorded priority, or to the computed priority if the recorded priority is
 * unknown. Returns 0 or FS_ENOMEM. */
static int load_run_priorities(struct maui_page *p)
{
	const struct fs_prios_options o = { .view = input_get_view(&p->r->input), .running = true };
	const fs_snapshot *s = p->r->snapshot;
	fs_prios *prios = NULL;
	struct fs_error err;

	p->run_priority = malloc((p->r->info->jobs + 1) * sizeof(*p->run_priority));
	if (!p->run_priority || fs_prios_compute(&prios, s, &o, &err) == FS_ENOMEM)
		return FS_ENOMEM;
	for (uint32_t i = 0; i < p->r->info->jobs; i++) {
		struct fs_job job;

		fs_snapshot_job(s, i, &job);
		p->run_priority[i] = job.priority;
	}
	for (size_t i = 0; prios && i < fs_prios_count(prios); i++) {
		struct fs_prio_row row;

		fs_prios_brief(prios, i, &row);
		if (p->run_priority[row.job_row] == FS_UNKNOWN && !isnan(row.priority))
			p->run_priority[row.job_row] = (int64_t)row.priority;
	}
	fs_prios_free(prios);
	return 0;
}

static int print_maui_page(struct showq_run *r)
{
	struct maui_page p = { .r = r };
	int status = showq_lists_load(r, &p.list);

	if (status)
		return status;
	if (fs_snapshot_machine(r->snapshot, &p.machine) || load_run_priorities(&p) ||
	    fs_sort(p.list.active, p.list.nactive, sizeof(*p.list.active), compare_by_latest_end, &p)) {
		status = cmd_report_no_memory(r->inv);
	} else if (r->only_idle) {
		print_maui_idle_list(&p);
	} else if (r->only_running) {
		print_maui_running_list(&p);
	} else if (r->show_blocked) {
		print_maui_blocked_list(&p);
	} else {
		print_whole_maui_queue(&p);
	}
	free(p.run_priority);
	showq_lists_release(&p.list);
	return status;
}

/* ---- the command line of the tool
 *
 * Maui's showq parses option letters (mclient.c: __MCGetArgList and MUtil.c: MUGetOpt): one letter per argument, with
 * its value after the letter or in the next argument. */

/* Returns the value of the option letter in argument *i: the text after the letter, or the next argument if that is not
 * an option. If the value is the next argument, advances *i to it. Returns "" if there is no value. */
static const char *parse_letter_value(int argc, char **argv, int *i)
{
	if (argv[*i][2])
		return argv[*i] + 2;
	return *i + 1 < argc && argv[*i + 1][0] != '-' ? argv[++*i] : "";
}

/* Applies the option letter in argument *i. Skips the values of the letters C, D, F and P, which are options of every
 * Maui client: configuration file, debug level, host and port. */
static void parse_maui_letter(struct showq_run *r, int argc, char **argv, int *i)
{
	switch (argv[*i][1]) {
	case 'b':
		r->show_blocked = true;
		break;
	case 'i':
		r->only_idle = true;
		break;
	case 'r':
		r->only_running = true;
		break;
	case 'v':
		r->verbose = true;
		break;
	case 'p':
		r->partition = parse_letter_value(argc, argv, i);
		break;
	case 'u':
		r->argument_after_u = parse_letter_value(argc, argv, i);
		break;
	case 'C':
	case 'D':
	case 'F':
	case 'P':
		parse_letter_value(argc, argv, i);
		break;
	case '-':
		r->version |= !strcmp(argv[*i], "--version");
		r->arguments_invalid |= !strcmp(argv[*i], "--help");
		break;
	default:
		r->arguments_invalid |= !strchr("ahV", argv[*i][1]) || !argv[*i][1];
		break;
	}
}

static void parse_maui_arguments(struct showq_run *r, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '-')
			parse_maui_letter(r, argc, argv, &i);
}

/* Interprets options as Maui's showq does. The argument after -u is a user. The argument of -p is a partition of Maui,
 * not a class. Snapshots contain only Maui's partition DEFAULT, so ALL and DEFAULT select all jobs. Always returns -1
 * (continue). */
static int apply_maui_options(struct showq_run *r)
{
	if (r->argument_after_u)
		r->only_user = r->argument_after_u;
	if (r->partition && strcmp(r->partition, "ALL") != 0)
		r->named_partition = r->partition;
	if (r->partition && (!strcmp(r->partition, "ALL") || !strcmp(r->partition, "DEFAULT")))
		r->partition = NULL;
	return -1;
}

const struct showq_style showq_maui = { .style = STYLE_MAUI,
					.has_partition_options = true,
					.print_page = print_maui_page,
					.parse_arguments = parse_maui_arguments,
					.check_options = apply_maui_options };
