/* The columns of Maui's showq (3.5: src/server/omclient.c:MCShowQ, MCShowIdle, MCShowRun, MCShowBlocked). What is not
 * known has a question mark in place of the number. */
#include "showq/maui/maui.h"

#include "render/format.h"
#include "render/maui_text.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

typedef char text[COLUMN_TEXT];

const char *maui_count(char buf[MAUI_TEXT], int64_t n)
{
	if (n == FS_UNKNOWN)
		return strcpy(buf, "?");
	snprintf(buf, MAUI_TEXT, "%lld", (long long)n);
	return buf;
}

const char *maui_share(char buf[MAUI_TEXT], int64_t part, int64_t all)
{
	if (part == FS_UNKNOWN || all == FS_UNKNOWN)
		return strcpy(buf, "?");
	format_text(buf, MAUI_TEXT, "%.2f%%", all ? (double)part / (double)all * 100.0 : 0.0);
	return buf;
}

int64_t maui_ends(const struct fs_job *job)
{
	if (job->end_time != FS_UNKNOWN)
		return job->end_time;
	if (job->start_time == FS_UNKNOWN || job->time_limit_s == FS_UNKNOWN ||
	    job->time_limit_s == FS_UNLIMITED)
		return FS_UNKNOWN;
	return job->start_time + job->time_limit_s;
}

bool maui_has_limit(const struct fs_job *job)
{
	return job->time_limit_s > 0 && job->time_limit_s != FS_UNLIMITED;
}

static int64_t queued_since(const struct fs_job *job)
{
	return job->eligible_time != FS_UNKNOWN ? job->eligible_time : job->submit_time;
}

/* ---- cells: of a struct maui_page, and a struct maui_line */

static const struct fs_job *job_of(const void *row)
{
	return &((const struct maui_line *)row)->job;
}

static const struct showq_run *run_of(const void *page)
{
	return ((const struct maui_page *)page)->r;
}

/* Cuts a name at its first dot, as the tool does. */
static void name_cell(text buf, const void *page, const void *row)
{
	const struct fs_job *job = job_of(row);
	const size_t dot = strcspn(job->name, ".");
	char name[MAUI_TEXT];

	(void)page;
	snprintf(name, sizeof(name), "%.*s", dot && dot < MAUI_TEXT ? (int)dot : MAUI_TEXT, job->name);
	text_visible(buf, MAUI_TEXT, name);
}

static void put_duration(text buf, int64_t s)
{
	if (s == FS_UNKNOWN)
		strcpy(buf, "?");
	else
		maui_duration(buf, MAUI_TEXT, s == FS_UNLIMITED ? INT32_MAX : s);
}

COLUMN_CELL(limit_cell, void, struct maui_line, put_duration(buf, row->job.time_limit_s))

static void remaining_cell(text buf, const void *page, const void *row)
{
	const struct fs_job *job = job_of(row);
	const int64_t end = maui_ends(job);

	if (end == FS_UNKNOWN)
		put_duration(buf, job->time_limit_s == FS_UNLIMITED ? FS_UNLIMITED : FS_UNKNOWN);
	else
		put_duration(buf, end - run_of(page)->info->time);
}

static void put_date(text buf, const struct maui_page *page, int64_t time)
{
	if (time == FS_UNKNOWN)
		strcpy(buf, "?");
	else
		showq_date(page->r, buf, time);
}

COLUMN_CELL(start_cell, struct maui_page, struct maui_line, put_date(buf, of, row->job.start_time))
COLUMN_CELL(submit_cell, struct maui_page, struct maui_line, put_date(buf, of, row->job.submit_time))
COLUMN_CELL(queued_cell, struct maui_page, struct maui_line, put_date(buf, of, queued_since(&row->job)))

/* A hold is shown as the state; other jobs that are blocked are idle. */
static void state_cell(text buf, const void *page, const void *row)
{
	const struct fs_queue_row *q = ((const struct maui_line *)row)->waits;

	(void)page;
	if (!q)
		strcpy(buf, strcmp(job_of(row)->state, "SUSPENDED") ? "Running" : "Suspended");
	else if (!q->eligible && q->section == FS_SECTION_HELD && q->reason)
		text_visible(buf, COLUMN_TEXT, q->reason->name);
	else
		strcpy(buf, "Idle");
}

COLUMN_CELL(letter_cell, void, struct maui_line, strcpy(buf, strcmp(row->job.state, "SUSPENDED") ? "R" : "S"))
COLUMN_CELL(reserved_cell, struct maui_page, struct maui_line,
	    strcpy(buf, fs_job_flag(of->r->snapshot, row->row, "RESERVED") ? "*" : " "))

static void mark_cell(text buf, const void *page, const void *row)
{
	const fs_snapshot *s = run_of(page)->snapshot;
	const uint32_t job = ((const struct maui_line *)row)->row;
	const bool preemptee = fs_job_flag(s, job, "PREEMPTEE");

	if (fs_job_flag(s, job, "SPVIOLATION"))
		strcpy(buf, "_");
	else if (fs_job_flag(s, job, "BACKFILL"))
		strcpy(buf, preemptee ? "*" : "+");
	else
		strcpy(buf, preemptee ? "-" : " ");
}

COLUMN_CELL(priority_cell, void, struct maui_line,
	    format_text(buf, COLUMN_TEXT, isnan(row->waits->priority) ? "?" : "%.0f", row->waits->priority))
COLUMN_CELL(run_priority_cell, struct maui_page, struct maui_line, maui_count(buf, of->run_priority[row->row]))

/* XFACTOR = (seconds queued + limit) / limit, queued until now or until the start. */
static void xfactor_cell(text buf, const void *page, const void *row)
{
	const struct fs_job *job = job_of(row);
	const bool waits = ((const struct maui_line *)row)->waits != NULL;
	const int64_t since = queued_since(job), until = waits ? run_of(page)->info->time : job->start_time;

	if (since == FS_UNKNOWN || until == FS_UNKNOWN || !maui_has_limit(job))
		strcpy(buf, "?");
	else
		format_text(buf, COLUMN_TEXT, "%.1f", (double)(until - since + job->time_limit_s) / (double)job->time_limit_s);
}

/* Shows two bytes of the QOS; a waiting job of the default QOS has a dash. */
static void qos_cell(text buf, const void *page, const void *row)
{
	const struct maui_line *l = row;
	const char *qos = fs_job_qos(run_of(page)->snapshot, l->row, 0);
	char visible[MAUI_TEXT];

	if (l->waits && (!qos || !strcmp(qos, "DEFAULT")))
		strcpy(buf, "-");
	else
		snprintf(buf, COLUMN_TEXT, "%.2s", text_visible(visible, sizeof(visible), qos ? qos : "DEFAULT"));
}

static void class_cell(text buf, const void *page, const void *row)
{
	const char *class = fs_job_partition(run_of(page)->snapshot, ((const struct maui_line *)row)->row, 0);

	text_visible(buf, MAUI_TEXT, class ? class : "-");
}

static void partition_cell(text buf, const void *page, const void *row)
{
	char word[MAUI_TEXT];

	(void)page;
	text_visible(word, MAUI_TEXT, *job_of(row)->maui_partition ? job_of(row)->maui_partition : "DEF");
	snprintf(buf, COLUMN_TEXT, "%.3s", word);
}

COLUMN_CELL(efficiency_cell, void, struct maui_line,
	    format_text(buf, COLUMN_TEXT, isnan(row->job.efficiency) ? "------" : "%.2f", row->job.efficiency))

static int take_first(void *ctx, const char *name, size_t len)
{
	snprintf(ctx, MAUI_TEXT, "%.*s", (int)len, name);
	return 1;
}

static void host_cell(text buf, const void *page, const void *row)
{
	char host[MAUI_TEXT] = "?";

	(void)page;
	fs_hostlist_each(job_of(row)->node_list, take_first, host);
	text_visible(buf, MAUI_TEXT, host);
}

/* ---- the lists */

#define JOB(m) COLUMN_MEMBER(struct maui_line, job.m)
#define ALL(time_heading, time, date_heading, date)                                                                   \
	{ "JOBNAME", NULL, -18, .text = name_cell }, { "USERNAME", NULL, 8, JOB(user) },                                \
	{ "STATE", NULL, 10, .text = state_cell }, { "PROC", NULL, 5, JOB(cpus) },                                      \
	{ time_heading, NULL, 11, .text = time }, { date_heading, NULL, 20, .text = date }

static const struct column active[] = { ALL("REMAINING", remaining_cell, "STARTTIME", start_cell) };
static const struct column waiting[] = { ALL("WCLIMIT", limit_cell, "QUEUETIME", submit_cell) };

/* A mark stands right behind the name, and nothing between some columns: the tool's widths. */
static const struct column idle[] = {
	{ "JobName", NULL, 18, .text = name_cell },
	{ "", NULL, 1, .text = reserved_cell, .before = "" },
	{ "Priority", NULL, 11, .text = priority_cell, .before = "" },
	{ "XFactor", NULL, 8, .text = xfactor_cell },
	{ "Q", NULL, 2, .text = qos_cell },
	{ "User", NULL, 9, JOB(user) },
	{ "Group", NULL, 8, JOB(group) },
	{ "Procs", NULL, 6, JOB(cpus) },
	{ "WCLimit", NULL, 12, .text = limit_cell, .before = "" },
	{ "Class", NULL, 9, .text = class_cell },
	{ "SystemQueueTime", NULL, 20, .text = queued_cell },
};

#define RUNNING_NAME                                                                                                   \
	{ "JobName", NULL, 18, .text = name_cell }, { "", NULL, 1, .text = mark_cell, .before = "" },                   \
	{ "S", NULL, 1, .text = letter_cell }
#define RUNNING_REST                                                                                                   \
	{ "Par", NULL, 3, .text = partition_cell }, { "Effic", NULL, 6, .text = efficiency_cell },                      \
	{ "XFactor", NULL, 8, .text = xfactor_cell }, { "Q", NULL, 2, .text = qos_cell },                               \
	{ "User", NULL, 9, JOB(user) }, { "Group", NULL, 8, JOB(group) }, { "MHost", NULL, 8, .text = host_cell },      \
	{ "Procs", NULL, 5, JOB(cpus) }, { "Remaining", NULL, 11, .text = remaining_cell },                             \
	{ "StartTime", NULL, 20, .text = start_cell }

static const struct column running[] = { RUNNING_NAME, RUNNING_REST };
static const struct column running_verbose[] = {
	RUNNING_NAME, { "prio", NULL, 6, .text = run_priority_cell }, RUNNING_REST
};

/* The reason is the page's own text, behind the row. */
static const struct column blocked[] = {
	{ "JobName", NULL, 18, .text = name_cell }, { "User", NULL, 9, JOB(user) }, { "Reason", NULL, .width = 20 }
};

static struct column_page list_of(const struct maui_page *p, enum maui_list list)
{
	static const struct {
		const struct column *columns;
		size_t n;
	} lists[] = {
		[MAUI_ACTIVE] = { COLUMNS(active) },	   [MAUI_WAITING] = { COLUMNS(waiting) },
		[MAUI_IDLE] = { COLUMNS(idle) },	   [MAUI_RUNNING] = { COLUMNS(running) },
		[MAUI_RUNNING_VERBOSE] = { COLUMNS(running_verbose) }, [MAUI_BLOCKED] = { COLUMNS(blocked) },
	};

	return (struct column_page){ .columns = lists[list].columns, .n = lists[list].n, .of = p };
}

void maui_put_heading(const struct maui_page *p, enum maui_list list)
{
	const struct column_page page = list_of(p, list);

	columns_heading(&page);
	putchar('\n');
}

void maui_put_row(const struct maui_page *p, enum maui_list list, uint32_t job_row, const struct fs_queue_row *waits)
{
	const struct column_page page = list_of(p, list);
	struct maui_line line = { .row = job_row, .waits = waits };

	fs_snapshot_job(p->r->snapshot, job_row, &line.job);
	columns_row(&page, &line);
}
