#include "columns/column.h"
#include "fs/explain.h"
#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"
#include "showq/maui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Maui's showq: what its pages are made from, and the columns of its lists. */

enum { MAUI_TEXT = 256 };

struct maui_page {
	const struct showq_run *r;
	struct showq_lists list;
	struct fs_machine machine;
	int64_t *run_priority; /* by job row; FS_UNKNOWN where none is known */
};

/* The two tables of the whole queue; those of -i, -r, -r -v and -b. */
enum maui_list { MAUI_ACTIVE, MAUI_WAITING, MAUI_IDLE, MAUI_RUNNING, MAUI_RUNNING_VERBOSE, MAUI_BLOCKED };

struct maui_line {
	uint32_t row;
	struct fs_job job;
	const struct fs_queue_row *waits; /* NULL: it is active */
};

/* ---- -i, -r and -b */

/* The columns of Maui's showq (3.5: src/server/omclient.c:MCShowQ, MCShowIdle, MCShowRun, MCShowBlocked). What is not
 * known has a question mark in place of the number. */

typedef char text[COLUMN_TEXT];

/* Writes the number to buf and returns it; "?" if unknown. */
static const char *maui_count(char buf[MAUI_TEXT], int64_t n)
{
	if (n == FS_UNKNOWN)
		return strcpy(buf, "?");
	snprintf(buf, MAUI_TEXT, "%lld", (long long)n);
	return buf;
}

/* Writes part of all in percent to buf and returns it; "?" if unknown. */
static const char *maui_share(char buf[MAUI_TEXT], int64_t part, int64_t all)
{
	if (part == FS_UNKNOWN || all == FS_UNKNOWN)
		return strcpy(buf, "?");
	format_text(buf, MAUI_TEXT, "%.2f%%", all ? (double)part / (double)all * 100.0 : 0.0);
	return buf;
}

/* Returns when the job ends by its time limit. */
static int64_t maui_ends(const struct fs_job *job)
{
	if (job->end_time != FS_UNKNOWN)
		return job->end_time;
	if (job->start_time == FS_UNKNOWN || job->time_limit_s == FS_UNKNOWN || job->time_limit_s == FS_UNLIMITED)
		return FS_UNKNOWN;
	return job->start_time + job->time_limit_s;
}

/* Returns true if the job has a time limit. */
static bool maui_has_limit(const struct fs_job *job)
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
		text_colon_duration(buf, MAUI_TEXT, s == FS_UNLIMITED ? INT32_MAX : s);
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

/* With an empty line below it. */
static void maui_put_heading(const struct maui_page *p, enum maui_list list)
{
	const struct column_page page = list_of(p, list);

	columns_heading(&page);
	putchar('\n');
}

/* Without the end of its line. */
static void maui_put_row(const struct maui_page *p, enum maui_list list, uint32_t job_row,
			 const struct fs_queue_row *waits)
{
	const struct column_page page = list_of(p, list);
	struct maui_line line = { .row = job_row, .waits = waits };

	fs_snapshot_job(p->r->snapshot, job_row, &line.job);
	columns_row(&page, &line);
}

/* Maui's showq -i, -r and -b (3.5: src/server/omclient.c:MCShowIdle, MCShowRun, MCShowBlocked). */

/* ---- -i */

/* Processor seconds at the most. */
static double backlog_of(const struct maui_page *p, uint32_t job_row)
{
	struct fs_job job;

	fs_snapshot_job(p->r->snapshot, job_row, &job);
	return job.cpus == FS_UNKNOWN || !maui_has_limit(&job) ? 0 : (double)job.cpus * (double)job.time_limit_s;
}

static void put_idle_job(const struct maui_page *p, const struct fs_queue_row *row)
{
	maui_put_row(p, MAUI_IDLE, row->job_row, row);
	if (p->r->why)
		showq_put_why(p->r, p->list.queue, row, NULL);
	putchar('\n');
}

static void maui_put_idle(const struct maui_page *p)
{
	double backlog = 0;

	if (p->r->named_partition)
		emit("Partition: %s\n", p->r->named_partition);
	maui_put_heading(p, MAUI_IDLE);
	for (size_t i = 0; i < p->list.nline; i++) {
		put_idle_job(p, &p->list.line[i]);
		backlog += backlog_of(p, p->list.line[i].job_row);
	}
	emit("\nJobs: %zu  Total Backlog:  %.2f ProcHours  ", p->list.nline, backlog / 3600.0);
	if (p->machine.procs > 0)
		emit("(%.2f Hours)\n", backlog / 3600.0 / (double)p->machine.procs);
	else
		emit("(?)\n");
}

/* ---- -r */

static void maui_put_running(const struct maui_page *p)
{
	const enum maui_list list = p->r->verbose ? MAUI_RUNNING_VERBOSE : MAUI_RUNNING;
	const struct fs_machine *m = &p->machine;
	char a[MAUI_TEXT], b[MAUI_TEXT], c[MAUI_TEXT];

	if (p->r->named_partition)
		emit("partition: %s\n", p->r->named_partition);
	maui_put_heading(p, list);
	for (size_t i = 0; i < p->list.nactive; i++) {
		maui_put_row(p, list, p->list.active[i], NULL);
		putchar('\n');
	}
	emit("\n%3zu Jobs   %5s of %5s Processors Active (%s)\n", p->list.nactive,
	       maui_count(a, m->busy_procs), maui_count(b, m->procs), maui_share(c, m->busy_procs, m->procs));
}

/* ---- -b */

/* What the tool's check complains of (src/MPolicy.c:MQueueSelectAllJobs), without its first two words: a limit, but no
 * soft one; of a hold one word is left, of a negative priority none, and then the tool prints the words of the row
 * before (its sscanf leaves them there). False: nothing. */
static bool complaint(char buf[2 * MAUI_TEXT], const struct maui_page *p, const struct fs_queue_row *row)
{
	char name[MAUI_TEXT];
	struct fs_explain_limit l;

	if (row->reason && !strcmp(row->reason->name, "NegativePriority"))
		return true;
	if (row->section == FS_SECTION_HELD) {
		strcpy(buf, " active");
		return true;
	}
	if (!fs_queue_shown_limit(p->list.queue, row->job_row, &l))
		return false;
	format_text(buf, 2 * MAUI_TEXT, " violates %s limit of %.0f for %s %s %s (R: %.0f, U: %.0f)", l.name, l.value, l.whose,
		 text_visible(name, sizeof(name), l.of), *l.user ? "user" : "", l.wants, l.used);
	return true;
}

/* --why adds those that the tool leaves out. */
static void maui_put_blocked(const struct maui_page *p)
{
	char told[2 * MAUI_TEXT] = " ";

	maui_put_heading(p, MAUI_BLOCKED);
	for (size_t i = 0; i < p->list.nblocked; i++) {
		const struct fs_queue_row *row = &p->list.blocked[i];
		const bool listed = complaint(told, p, row);

		if (!listed && !p->r->why)
			continue;
		maui_put_row(p, MAUI_BLOCKED, row->job_row, row);
		emit_text(listed ? told : "");
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, row, NULL);
		putchar('\n');
	}
}

/* Maui's showq (3.5: src/server/omclient.c:MCShowQ). */

/* ---- the whole queue */

static void put_total(const char *label, int64_t busy, int64_t all, const char *what)
{
	char a[MAUI_TEXT], b[MAUI_TEXT], c[MAUI_TEXT];

	emit("%21s %4s of %4s %s (%s)\n", label, maui_count(a, busy), maui_count(b, all), what, maui_share(c, busy, all));
}

static void active_totals(const struct maui_page *p)
{
	const struct fs_machine *m = &p->machine;
	char label[MAUI_TEXT];

	snprintf(label, sizeof(label), "%zu Active Job%c   ", p->list.nactive, p->list.nactive == 1 ? ' ' : 's');
	putchar('\n');
	put_total(label, m->busy_procs, m->procs, "Processors Active");
	if (m->nodes > 0 && m->procs != m->nodes)
		put_total("", m->busy_nodes, m->nodes, "Nodes Active     ");
}

static void put_active(const struct maui_page *p)
{
	emit_line("ACTIVE JOBS--------------------");
	maui_put_heading(p, MAUI_ACTIVE);
	for (size_t i = 0; i < p->list.nactive; i++) {
		maui_put_row(p, MAUI_ACTIVE, p->list.active[i], NULL);
		putchar('\n');
	}
	active_totals(p);
}

static void put_waiting(const struct maui_page *p, const char *title, const struct fs_queue_row *v, size_t n)
{
	char previous[MAUI_TEXT] = "";

	emit_line(title);
	maui_put_heading(p, MAUI_WAITING);
	for (size_t i = 0; i < n; i++) {
		struct fs_job job;

		maui_put_row(p, MAUI_WAITING, v[i].job_row, &v[i]);
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, &v[i], *previous ? previous : NULL);
		putchar('\n');
		fs_snapshot_job(p->r->snapshot, v[i].job_row, &job);
		snprintf(previous, sizeof(previous), "%s", job.name);
	}
}

static void put_queue(const struct maui_page *p)
{
	const struct showq_lists *l = &p->list;

	put_active(p);
	putchar('\n');
	put_waiting(p, "IDLE JOBS----------------------", l->line, l->nline);
	emit("\n%zu Idle Job%c\n\n", l->nline, l->nline == 1 ? ' ' : 's');
	put_waiting(p, "BLOCKED JOBS----------------", l->blocked, l->nblocked);
	emit("\nTotal Jobs: %zu   Active Jobs: %zu   Idle Jobs: %zu   Blocked Jobs: %zu\n",
	       l->nactive + l->nline + l->nblocked, l->nactive, l->nline, l->nblocked);
}

/* Active jobs by the time they end at the latest. The list is sorted anew, in a stable way, for each job that is added
 * to it (src/MQueue.c:MQueueAddAJob): equal ones stand as showq listed them. Where that was not captured they stand as
 * they started, of one iteration those by priority before those by backfill, and then the one of higher priority first,
 * for which the priority that is known now has to stand. */
static int by_end(const void *x, const void *y, const void *ctx)
{
	const struct maui_page *p = ctx;
	const uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const int64_t m = p->run_priority[i], n = p->run_priority[j];
	const bool filled = fs_job_flag(p->r->snapshot, i, "BACKFILL");
	struct fs_job a, b;

	fs_snapshot_job(p->r->snapshot, i, &a);
	fs_snapshot_job(p->r->snapshot, j, &b);
	if (maui_ends(&a) != maui_ends(&b))
		return maui_ends(&a) > maui_ends(&b) ? 1 : -1;
	if (a.active_place != b.active_place && a.active_place != FS_UNKNOWN && b.active_place != FS_UNKNOWN)
		return a.active_place > b.active_place ? 1 : -1;
	if (a.start_time != b.start_time)
		return a.start_time > b.start_time ? 1 : -1;
	if (filled != fs_job_flag(p->r->snapshot, j, "BACKFILL"))
		return filled ? 1 : -1;
	if (m != n && m != FS_UNKNOWN && n != FS_UNKNOWN)
		return m < n ? 1 : -1;
	return showq_table_order(p->r->snapshot, i, j);
}

/* Loads the priorities of active jobs: as the tool printed them, else computed. 0 or FS_ENOMEM. */
static int load_run_priorities(struct maui_page *p)
{
	const struct fs_prios_options o = { .view = input_view(&p->r->input), .running = true };
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

static int show(struct showq_run *r)
{
	struct maui_page p = { .r = r };
	int status = showq_lists_load(r, &p.list);

	if (status)
		return status;
	if (fs_snapshot_machine(r->snapshot, &p.machine) || load_run_priorities(&p) ||
	    fs_sort(p.list.active, p.list.nactive, sizeof(*p.list.active), by_end, &p)) {
		status = no_memory(r->inv);
	} else if (r->only_idle) {
		maui_put_idle(&p);
	} else if (r->only_running) {
		maui_put_running(&p);
	} else if (r->show_blocked) {
		maui_put_blocked(&p);
	} else {
		put_queue(&p);
	}
	free(p.run_priority);
	showq_lists_release(&p.list);
	return status;
}

/* ---- options under the name showq, read as the tool itself reads them (mclient.c: __MCGetArgList, MUtil.c:
 * MUGetOpt): one letter in each word; its value is the rest of the word, or the next word */

/* Returns the value of the letter in argv[*i]: the rest of the word, or the next word unless that is a letter; "" if
 * there is none. Moves *i to the last word that was read. */
static const char *take_letter_value(int argc, char **argv, int *i)
{
	if (argv[*i][2])
		return argv[*i] + 2;
	return *i + 1 < argc && argv[*i + 1][0] != '-' ? argv[++*i] : "";
}

/* Applies one letter. C, D, F and P are options of the client: a file, a level, a host, a port. */
static void read_letter(struct showq_run *r, int argc, char **argv, int *i)
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
		r->partition = take_letter_value(argc, argv, i);
		break;
	case 'u':
		r->user_word = take_letter_value(argc, argv, i);
		break;
	case 'C':
	case 'D':
	case 'F':
	case 'P':
		take_letter_value(argc, argv, i);
		break;
	case '-':
		r->version |= !strcmp(argv[*i], "--version");
		r->refused |= !strcmp(argv[*i], "--help");
		break;
	default:
		r->refused |= !strchr("ahV", argv[*i][1]) || !argv[*i][1];
		break;
	}
}

static void read_option_letters(struct showq_run *r, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '-')
			read_letter(r, argc, argv, &i);
}

/* Applies the user after -u, and the partition after -p: a partition of nodes, which for jobs is DEFAULT or ALL.
 * Returns -1, so that the command goes on. */
static int apply_user_and_partition(struct showq_run *r)
{
	if (r->user_word)
		r->named = r->user_word;
	if (r->partition && strcmp(r->partition, "ALL") != 0)
		r->named_partition = r->partition;
	if (r->partition && (!strcmp(r->partition, "ALL") || !strcmp(r->partition, "DEFAULT")))
		r->partition = NULL;
	return -1;
}

const struct showq_style showq_maui = { .style = STYLE_MAUI,
					.partitions = true,
					.page = show,
					.words = read_option_letters,
					.check = apply_user_and_partition };
