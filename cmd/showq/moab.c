#include "columns/column.h"
#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"
#include "showq/showq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Moab's layout over Slurm: what its files share. */

/* One job's values as they are printed; numbers are FS_UNKNOWN where they are not known. */
struct moab_job {
	const struct showq_job *of;
	struct fs_job job;
	const char *state;
	char id[FS_JOB_ID_TEXT];
	char partition[256]; /* those it asks for, with commas between them */
	char host[256];	     /* the first of its nodes */
	int64_t limit_s;     /* or FS_UNLIMITED */
	int64_t left_s;	     /* until it must have ended */
	double xfactor;	     /* NAN unknown */
};

/* Of each place the number of jobs that are wanted. */
struct moab_counts {
	size_t n[PLACE_COUNT];
	int64_t busy_nodes, nodes; /* of active jobs, of the partitions; -1 without memory */
};

static void moab_job(const struct showq_run *r, const struct showq_job *j, struct moab_job *out);

/* The jobs of Moab's layout: where each stands, which are wanted, and their values.
 *
 *   XFACTOR = max(1, (T - eligible time) / time limit), T the start of a job that has started, else now
 *
 * Elemnir/slurm_showq: main.cpp. */

static const char *const blocking[] = {
	"Dependency", "JobHeldAdmin", "BeginTime", "AssociationJobLimit", "AssocJobLimit", "QOSMaxCpuPerJobLimit",
	"QOSMaxCpuMinutesPerJobLimit", "QOSMaxNodePerJobLimit", "QOSMaxWallDurationPerJobLimit", "JobHeldUser", NULL,
};

static bool blocks(const struct fs_reason *reason)
{
	for (size_t i = 0; reason && blocking[i]; i++)
		if (!strcmp(blocking[i], reason->name))
			return true;
	return false;
}

/* main.cpp: what is neither running nor pending goes to the jobs that ended. */
static bool moab_place(const struct showq_run *r, const struct fs_job *job, struct showq_job *j)
{
	const struct fs_reason *reason;
	const enum fs_section section = fs_job_section(r->snapshot, j->row, &reason);

	j->known = true;
	if (j->pending || (!r->strict && section != FS_SECTION_ENDED && section != FS_SECTION_RUNNING &&
			section != FS_SECTION_COMPLETING && section != FS_SECTION_SUSPENDED))
		j->place = (uint8_t)(blocks(reason) ? PLACE_BLOCKED
				     : r->strict    ? PLACE_WAITING
						    : showq_mended_place(section));
	else if (r->strict ? !strcmp(job->state, "RUNNING") : section != FS_SECTION_ENDED)
		j->place = PLACE_ACTIVE;
	else
		j->place = PLACE_ERRORED;
	return true;
}

static const char *state_word(const struct showq_run *r, const char *state)
{
	static const char *const words[][2] = {
		{ "PENDING", "Idle" },	       { "RUNNING", "Running" },     { "SUSPENDED", "Suspended" },
		{ "COMPLETED", "Complete" },   { "CANCELLED", "Cancelled" }, { "FAILED", "Failed" },
		{ "TIMEOUT", "TimeOut" },      { "NODE_FAIL", "NodeFail" },  { "PREEMPTED", "Preempted" },
		{ "BOOT_FAIL", "BootFail" },   { "DEADLINE", "Deadline" },   { "OUT_OF_MEMORY", "OomError" },
		{ "COMPLETING", "Completing" }, { "CONFIGURING", "Starting" },
	};
	const size_t theirs = 12, n = sizeof(words) / sizeof(*words);

	for (size_t i = 0; i < (r->strict ? theirs : n); i++)
		if (!strcmp(words[i][0], state))
			return words[i][1];
	return "Unknown";
}

/* Is this the name that is asked for, or one with that in it? NULL asks for none. */
static bool moab_is(const char *want, const char *have, bool part)
{
	return !want || (part ? strstr(have, want) != NULL : !strcmp(have, want));
}

static void join(const fs_snapshot *s, uint32_t row, const char *(*item)(const fs_snapshot *, size_t, size_t),
		 char *buf, size_t size)
{
	const char *name;
	size_t len = 0;

	*buf = '\0';
	for (size_t k = 0; len < size && (name = item(s, row, k)); k++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", k ? "," : "", name);
}

static bool among(const fs_snapshot *s, uint32_t row, const char *(*item)(const fs_snapshot *, size_t, size_t),
		  const char *want, bool part)
{
	char list[1024];
	const char *name;

	join(s, row, item, list, sizeof(list));
	if (part)
		return moab_is(want, list, true);
	for (size_t k = 0; want && (name = item(s, row, k)); k++)
		if (!strcmp(name, want))
			return true;
	return !want;
}

/* main.cpp looks for the names of partition and reservation anywhere in the job's. */
static bool moab_wanted(const struct showq_run *r, const struct showq_job *j)
{
	const struct moab_wants *w = &r->moab;
	const struct fs_job job = showq_job_of(r, j);

	return moab_is(w->user, job.user, false) && moab_is(w->group, job.group, false) &&
	       moab_is(w->account, job.account, false) && among(r->snapshot, j->row, fs_job_qos, w->qos, false) &&
	       among(r->snapshot, j->row, fs_job_partition, w->partition, r->strict) &&
	       moab_is(w->reservation, job.reservation, r->strict);
}

static int first_host(void *ctx, const char *name, size_t len)
{
	snprintf(ctx, sizeof(((struct moab_job *)0)->host), "%.*s", (int)(len < 250 ? len : 250), name);
	return 1;
}

static double xfactor(const struct showq_run *r, const struct fs_job *j, int64_t limit_s)
{
	const bool pending = !strcmp(j->state, "PENDING");
	const int64_t until = pending ? r->info->time : j->start_time;
	const int64_t since = j->eligible_time == FS_UNKNOWN && r->strict ? 0 : j->eligible_time;

	if (until == FS_UNKNOWN || since == FS_UNKNOWN || limit_s == FS_UNKNOWN)
		return NAN;
	return fmax(1, (double)(until - since) / (double)limit_s);
}

static void moab_job(const struct showq_run *r, const struct showq_job *j, struct moab_job *out)
{
	const struct fs_job *job = &out->job;

	*out = (struct moab_job){ .of = j, .job = showq_job_of(r, j) };
	out->state = state_word(r, job->state);
	out->limit_s = job->time_limit_s;
	fs_job_id_format(r->snapshot, job->id, true, out->id);
	join(r->snapshot, j->row, fs_job_partition, out->partition, sizeof(out->partition));
	if (*job->node_list && fs_hostlist_each(job->node_list, first_host, out->host) < 0)
		*out->host = '\0';
	out->left_s = job->end_time == FS_UNKNOWN ? FS_UNKNOWN : job->end_time - r->info->time;
	out->xfactor = xfactor(r, job, showq_limit_s(job));
}

/* The sections of Moab's layout: headings, rows and cells. */

/* "1:02:03:04", "2:03:04"; main.cpp holds it in an int. */
static void put_duration(char buf[COLUMN_TEXT], const struct showq_run *r, int64_t seconds)
{
	int64_t s = seconds, p;
	int n = 0;

	if (seconds == FS_UNKNOWN) {
		strcpy(buf, "?");
		return;
	}
	if (r->strict)
		s = (int32_t)(uint32_t)seconds;
	p = s < 0 ? -s : s;
	if (s < 0)
		buf[n++] = '-';
	if (p >= 86400)
		n += snprintf(buf + n, 32 - (size_t)n, "%lld:%02d", (long long)(p / 86400), (int)(p / 3600 % 24));
	else
		n += snprintf(buf + n, 32 - (size_t)n, "%d", (int)(p / 3600));
	snprintf(buf + n, 32 - (size_t)n, ":%02d:%02d", (int)(p / 60 % 60), (int)(p % 60));
}

/* A name's first bytes, as they may be shown. */
static void put_name(char buf[COLUMN_TEXT], const char *name, size_t max)
{
	text_visible(buf, 256, name);
	buf[strnlen(buf, max)] = '\0';
}

static void put_id(char buf[COLUMN_TEXT], const struct showq_run *r, const struct moab_job *j, size_t max)
{
	put_name(buf, !r->moab.names ? j->id : j->job.has_name ? j->job.name : "", max);
}

COLUMN_CELL(id_cell, struct showq_run, struct moab_job, put_id(buf, of, row, 19))
COLUMN_CELL(short_id_cell, struct showq_run, struct moab_job, put_id(buf, of, row, 18))
COLUMN_CELL(user_cell, void, struct moab_job, put_name(buf, *row->job.user ? row->job.user : "?", 255))
COLUMN_CELL(group_cell, void, struct moab_job, put_name(buf, *row->job.group ? row->job.group : "?", 255))
COLUMN_CELL(partition_cell, void, struct moab_job, put_name(buf, row->partition, 3))

static void qos_cell(char buf[COLUMN_TEXT], const void *run, const void *row)
{
	const struct showq_run *r = run;
	const char *qos = fs_job_qos(r->snapshot, ((const struct moab_job *)row)->of->row, 0);

	put_name(buf, qos ? qos : "", 2);
}

COLUMN_CELL(host_cell, struct showq_run, struct moab_job,
	    put_name(buf, *row->host ? row->host : of->strict ? "(null)" : "", 255))
COLUMN_CELL(xfactor_cell, void, struct moab_job,
	    format_text(buf, COLUMN_TEXT, isnan(row->xfactor) ? "?" : "%.1f", row->xfactor))

/* Only jobs that completed have an exit code on record. */
COLUMN_GET(get_code, void, struct moab_job, (int64_t)(strcmp(row->job.state, "COMPLETED") ? FS_UNKNOWN : 0))
COLUMN_CELL(left_cell, struct showq_run, struct moab_job, put_duration(buf, of, row->left_s))

static void limit_cell(char buf[COLUMN_TEXT], const void *run, const void *row)
{
	const struct showq_run *r = run;
	const struct moab_job *j = row;

	if (j->limit_s == FS_UNLIMITED && !r->strict)
		strcpy(buf, "INFINITY");
	else
		put_duration(buf, r, showq_limit_s(&j->job));
}

static void wall_cell(char buf[COLUMN_TEXT], const void *run, const void *row)
{
	const struct showq_run *r = run;
	const struct fs_job *job = &((const struct moab_job *)row)->job;
	const int64_t start = r->strict && job->start_time == FS_UNKNOWN ? 0 : job->start_time;
	const bool known = job->end_time != FS_UNKNOWN && start != FS_UNKNOWN;

	put_duration(buf, r, known ? job->end_time - start : FS_UNKNOWN);
}

static void put_date(char buf[COLUMN_TEXT], const struct showq_run *r, int64_t t)
{
	if (t == FS_UNKNOWN && !r->strict)
		strcpy(buf, "?");
	else
		showq_date(r, buf, t);
}

COLUMN_CELL(start_cell, struct showq_run, struct moab_job, put_date(buf, of, row->job.start_time))
COLUMN_CELL(submit_cell, struct showq_run, struct moab_job, put_date(buf, of, row->job.submit_time))
COLUMN_CELL(end_cell, struct showq_run, struct moab_job, put_date(buf, of, row->job.end_time))

/* ---- the sections */

#define OF(m) COLUMN_MEMBER(struct moab_job, m)
#define ID { "JOBID", NULL, -19, .text = id_cell }
#define SHORT_ID { "JOBID", NULL, -18, .text = short_id_cell }
#define USER { "USERNAME", NULL, 8, .text = user_cell }
#define STATE { "STATE", NULL, 10, OF(state) }
#define STATUS { "STATUS", NULL, -10, OF(state) }
#define PROCS { "PROCS", NULL, 5, OF(job.tasks) }
#define LEFT { "REMAINING", NULL, 11, .text = left_cell }
#define LIMIT { "WCLIMIT", NULL, 11, .text = limit_cell }
#define START { "STARTTIME", NULL, 22, .text = start_cell }
#define SUBMIT { "QUEUETIME", NULL, 22, .text = submit_cell }
#define OWNER                                                                                                          \
	{ "PAR", NULL, 3, .text = partition_cell }, { "XFACTOR", NULL, 7, .text = xfactor_cell },                       \
	{ "Q", NULL, 2, .text = qos_cell }, { "USERNAME", NULL, 9, .text = user_cell },                                 \
	{ "GROUP", NULL, 9, .text = group_cell }
#define HOST { "MHOST", NULL, 16, .text = host_cell }

static const struct column all_active[] = { SHORT_ID, USER, STATE, PROCS, LEFT, START };
static const struct column all_waiting[] = { SHORT_ID, USER, STATE, PROCS, LIMIT, SUBMIT };
static const struct column only_active[] = { ID, STATUS, OWNER, HOST, PROCS, LEFT, START };
static const struct column rows_only_idle[] = {
	ID, { "PRIORITY", NULL, 10, OF(job.priority) }, OWNER, PROCS, LIMIT,
	{ "SYSTEMQUEUETIME", NULL, 22, .text = submit_cell },
};
static const struct column only_blocked[] = {
	SHORT_ID, USER, { "GROUP", NULL, 8, .text = group_cell }, STATE, PROCS, LIMIT, SUBMIT
};
static const struct column only_ended[] = {
	ID, STATUS, { "CCODE", NULL, -6, .get = get_code }, OWNER, HOST, PROCS, { "WALLTIME", NULL, 11, .text = wall_cell },
	{ "COMPLETIONTIME", NULL, 22, .text = end_cell },
};

static const char *const titles[] = {
	[PLACE_ACTIVE] = "active jobs------------------------",
	[PLACE_WAITING] = "eligible jobs----------------------",
	[PLACE_BLOCKED] = "blocked jobs-----------------------",
	[PLACE_ERRORED] = "completed jobs---------------------",
};

/* The columns of a section beside others, and alone. */
static const struct {
	const struct column *columns;
	size_t n;
} sections[][2] = {
	[PLACE_ACTIVE] = { { COLUMNS(all_active) }, { COLUMNS(only_active) } },
	[PLACE_WAITING] = { { COLUMNS(all_waiting) }, { COLUMNS(rows_only_idle) } },
	[PLACE_BLOCKED] = { { COLUMNS(all_waiting) }, { COLUMNS(only_blocked) } },
	[PLACE_ERRORED] = { { COLUMNS(only_ended) }, { COLUMNS(only_ended) } },
};

/* cmd/showq/moab.c: the section of a place, with the columns that it has among others or alone. */
static void moab_section(const struct showq_run *r, enum showq_place place, bool alone)
{
	const bool nodes = r->moab.nodes && (place == PLACE_ACTIVE || place == PLACE_ERRORED);
	const struct column_page page = { sections[place][alone].columns, sections[place][alone].n, .of = r };
	struct moab_job j;

	emit("\n%s\n", titles[place]);
	columns_heading(&page);
	emit("\n");
	for (size_t i = 0; i < r->n; i++) {
		if (r->jobs[i].place != place)
			continue;
		moab_job(r, &r->jobs[i], &j);
		columns_row(&page, &j);
		putchar('\n');
		if (nodes)
			emit("    Nodes: %s\n", j.job.node_list);
	}
	putchar('\n');
}

/* The XML of Moab's showq --xml: a cluster, and a queue for each section. Attributes that nothing here tells are left
 * out; texts are made safe to show before they are escaped, so that the document is always well-formed. */

static void put_escaped(const char *text)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" } };
	char step[TEXT_STEP + 1];

	for (const char *at = text; *at;) {
		const size_t n = text_step(&at, step);
		const char *entity = NULL;

		step[n] = '\0';
		for (size_t i = 0; n == 1 && i < sizeof(entities) / sizeof(*entities); i++)
			if (*step == entities[i].c)
				entity = entities[i].entity;
		emit_text(entity ? entity : step);
	}
}

static void put_text(const char *name, const char *value)
{
	if (!*value)
		return;
	emit(" %s=\"", name);
	put_escaped(value);
	emit("\"");
}

static void put_number(const char *name, int64_t value)
{
	if (value == FS_UNLIMITED)
		put_text(name, "INFINITY");
	else if (value != FS_UNKNOWN)
		emit(" %s=\"%lld\"", name, (long long)value);
}

static int64_t since(const struct showq_run *r, int64_t start)
{
	return start == FS_UNKNOWN ? FS_UNKNOWN : r->info->time - start;
}

static void put_job(const struct showq_run *r, const struct showq_job *row)
{
	const char *qos = fs_job_qos(r->snapshot, row->row, 0);
	struct moab_job j;
	const struct fs_job *job = &j.job;
	const struct fs_reason *reason = showq_reason_of(r, row);

	moab_job(r, row, &j);
	emit("<job");
	if (row->place == PLACE_ACTIVE)
		put_number("AWDuration", since(r, job->start_time));
	put_text("Account", job->account);
	if (row->place == PLACE_BLOCKED)
		put_text("BlockReason", reason ? reason->name : job->reason);
	put_text("Class", j.partition);
	if (row->place == PLACE_ERRORED) {
		put_number("CompletionCode", strcmp(job->state, "COMPLETED") ? FS_UNKNOWN : 0);
		put_number("CompletionTime", job->end_time);
	}
	put_text("Group", job->group);
	put_text("JobID", j.id);
	put_text("JobName", job->name);
	put_text("MasterHost", j.host);
	put_text("QOS", qos ? qos : "");
	put_number("ReqAWDuration", job->time_limit_s);
	put_number("ReqNodes", job->nodes);
	put_number("ReqProcs", job->cpus);
	put_number("StartPriority", job->priority);
	if (row->place != PLACE_WAITING && row->place != PLACE_BLOCKED)
		put_number("StartTime", job->start_time);
	put_text("State", j.state);
	put_number("SubmissionTime", job->submit_time);
	put_text("User", job->user);
	emit("></job>");
}

static int put_cluster(const struct showq_run *r, const struct moab_counts *c)
{
	struct fs_machine m;

	if (fs_snapshot_machine(r->snapshot, &m))
		return -1;
	emit("<cluster");
	put_number("LocalActiveNodes", c->busy_nodes);
	put_number("LocalAllocProcs", m.procs == FS_UNKNOWN ? FS_UNKNOWN : m.busy_procs);
	put_number("LocalConfigNodes", c->nodes);
	put_number("LocalUpNodes", m.nodes);
	put_number("LocalUpProcs", m.procs);
	put_number("time", r->info->time);
	emit("></cluster>");
	return 0;
}

/* cmd/showq/moab.c: the sections of the mask (bit per enum showq_place). */
static int moab_xml(struct showq_run *r, const struct moab_counts *c, unsigned places)
{
	static const char *const options[] = { "active", "eligible", "blocked", "completed" };

	emit("<Data><Object>queue</Object>");
	if (put_cluster(r, c))
		return no_memory(r->inv);
	for (unsigned p = 0; p < PLACE_COUNT; p++) {
		if (!(places >> p & 1))
			continue;
		emit("<queue count=\"%zu\" option=\"%s\">", c->n[p], options[p]);
		for (size_t i = 0; i < r->n; i++)
			if (r->jobs[i].place == (enum showq_place)p)
				put_job(r, &r->jobs[i]);
		emit("</queue>");
	}
	emit("</Data>\n");
	return EXIT_DONE;
}

/* Moab's showq over Slurm, as slurm_showq 0.0.7 lays it out (Elemnir/slurm_showq: main.cpp), with the constraints (-w)
 * and the XML of Moab's own (Moab Workload Manager, Administrator Guide: showq).
 *
 * Mended unless strict: jobs that configure, complete or are suspended stand among the active ones and not among those
 * that ended; a limit that the tool does not know blocks; an endless limit is INFINITY; per cent have two decimals. */

static int64_t order_key(const struct showq_run *r, const struct fs_job *j)
{
	switch (r->moab.order) {
	case MOAB_REMAINING:
	case MOAB_REVERSEREMAINING:
		return j->end_time;
	case MOAB_JOB:
		return (int64_t)j->id;
	case MOAB_USER:
		return j->uid;
	default:
		return j->start_time;
	}
}

static int by_order(const struct showq_run *r, const struct fs_job *a, const struct fs_job *b)
{
	const int64_t p = order_key(r, a), q = order_key(r, b);

	return r->moab.order == MOAB_REVERSEREMAINING ? (p < q) - (p > q) : (p > q) - (p < q);
}

/* Active jobs come first, in the order asked for, and all others as they were. */
static int by_key(const void *x, const void *y, const void *ctx)
{
	const struct showq_job *a = x, *b = y;

	if (a->place != PLACE_ACTIVE || b->place != PLACE_ACTIVE)
		return (a->place != PLACE_ACTIVE) - (b->place != PLACE_ACTIVE);
	const struct fs_job p = showq_job_of(ctx, a), q = showq_job_of(ctx, b);

	return by_order(ctx, &p, &q);
}

static int64_t count_busy(const struct showq_run *r, uint32_t *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->jobs[i].place == PLACE_ACTIVE)
			rows[n++] = r->jobs[i].row;
	return fs_snapshot_count_nodes(r->snapshot, rows, n);
}

static int64_t count_all(const struct showq_run *r, uint32_t *rows)
{
	const char *name;
	size_t n = 0;

	for (uint32_t i = 0; (name = fs_snapshot_partition_name(r->snapshot, i)); i++)
		if (moab_is(r->moab.partition, name, r->strict))
			rows[n++] = i;
	return fs_snapshot_count_partition_nodes(r->snapshot, rows, n);
}

static int count(struct showq_run *r, struct moab_counts *c)
{
	size_t rows = r->n + 1;
	uint32_t *room;

	*c = (struct moab_counts){ .n = { 0 } };
	for (size_t i = 0; i < r->n; i++)
		c->n[r->jobs[i].place]++;
	while (fs_snapshot_partition_name(r->snapshot, rows))
		rows++;
	room = malloc(rows * sizeof(*room));
	if (!room)
		return -1;
	c->busy_nodes = count_busy(r, room);
	c->nodes = count_all(r, room);
	free(room);
	return c->busy_nodes < 0 || c->nodes < 0 ? -1 : 0;
}

static void active_line(const struct showq_run *r, const struct moab_counts *c)
{
	const double percent = (double)c->busy_nodes / (double)c->nodes * 100;

	emit("%zu active jobs\t\t%lld of %lld nodes active      (", c->n[PLACE_ACTIVE], (long long)c->busy_nodes,
	     (long long)c->nodes);
	if (c->nodes)
		emit(r->strict ? "%.2g%%)" : "%.2f%%)", percent);
	else
		emit_text(r->strict ? "-nan%)" : "0.00%)");
}

static void total(size_t n)
{
	emit("\n\nTotal jobs: %zu\n\n", n);
}

static void show_only(const struct showq_run *r, const struct moab_counts *c, enum showq_place place)
{
	static const char *const words[] = { "active", "eligible", "blocked", "completed" };

	moab_section(r, place, true);
	if (place == PLACE_ACTIVE)
		active_line(r, c);
	else
		emit("%zu %s jobs", c->n[place], words[place]);
	total(c->n[place]);
}

static void show_all(const struct showq_run *r, const struct moab_counts *c)
{
	moab_section(r, PLACE_ACTIVE, false);
	active_line(r, c);
	putchar('\n');
	moab_section(r, PLACE_WAITING, false);
	emit("%zu eligible jobs\n", c->n[PLACE_WAITING]);
	moab_section(r, PLACE_BLOCKED, false);
	emit("%zu blocked jobs", c->n[PLACE_BLOCKED]);
	total(c->n[PLACE_ACTIVE] + c->n[PLACE_WAITING] + c->n[PLACE_BLOCKED]);
}

static void show_summary(const struct moab_counts *c)
{
	emit("\nactive jobs: %zu  eligible jobs: %zu  blocked jobs: %zu", c->n[PLACE_ACTIVE], c->n[PLACE_WAITING],
	     c->n[PLACE_BLOCKED]);
	total(c->n[PLACE_ACTIVE] + c->n[PLACE_WAITING] + c->n[PLACE_BLOCKED]);
}

/* If several sections are asked for the first of these is shown: ended, active, eligible, blocked. */
static enum showq_place only(const struct showq_run *r)
{
	return r->moab.completed ? PLACE_ERRORED
	       : r->only_running ? PLACE_ACTIVE
	       : r->only_idle	 ? PLACE_WAITING
	       : r->show_blocked ? PLACE_BLOCKED
				 : PLACE_COUNT;
}

static void drop_unwanted(struct showq_run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (moab_wanted(r, &r->jobs[i]))
			r->jobs[n++] = r->jobs[i];
	r->n = n;
}

static int moab_page(struct showq_run *r)
{
	const enum showq_place one = only(r);
	struct moab_counts c;
	int status = showq_load(r);

	if (status)
		return status;
	drop_unwanted(r);
	if (count(r, &c) || (r->moab.order && fs_sort(r->jobs, r->n, sizeof(*r->jobs), by_key, r)))
		return no_memory(r->inv);
	if (r->moab.xml)
		return moab_xml(r, &c,
				one == PLACE_COUNT ? 1u << PLACE_ACTIVE | 1u << PLACE_WAITING | 1u << PLACE_BLOCKED
						   : 1u << one);
	if (r->summary)
		show_summary(&c);
	else if (one != PLACE_COUNT)
		show_only(r, &c, one);
	else
		show_all(r, &c);
	return EXIT_DONE;
}

const struct showq_style showq_moab = {
	.style = STYLE_MOAB,
	.partitions = true,
	.page = moab_page,
	.place = moab_place,
};

/* The options of Moab's layout: those of slurm_showq 0.0.7, the constraints (-w) and the XML of Moab's own (Moab
 * Workload Manager, Administrator Guide: showq), and what every layout here takes. */

enum { OPT_XML = OPT_SHOWQ_FREE };

static const struct option_row option_rows[] = {
	HEADING("Sections"),
	{ 'r', "running", NULL, "only active jobs, with what they use", SET(only_running) },
	{ 'i', "idle", NULL, "only eligible jobs, with their priorities", SET(only_idle) },
	{ 'b', "blocking", NULL, "only blocked jobs", SET(show_blocked) },
	{ 'c', "completed", NULL, "only jobs that ended", SET(moab.completed) },
	{ 's', "summary", NULL, "the numbers only", SET(summary) },
	HEADING("Rows"),
	{ 'u', "username", "USER", "only this user's jobs", SET(moab.user) },
	{ 'g', "group", "GROUP", "only this group's jobs", SET(moab.group) },
	{ 'a', "account", "ACCOUNT", "only jobs of this account", SET(moab.account) },
	{ 'p', "partition", "PARTITION", "only jobs of this partition", SET(moab.partition) },
	{ 'q', "qos", "QOS", "only jobs of this QOS", SET(moab.qos) },
	{ 'R', "reservation", "NAME", "only jobs of this reservation", SET(moab.reservation) },
	{ 'w', "where", "ATTR=VALUE", "the same: user, group, acct, class, partition, qos or rsv", TAKEN },
	HEADING("Columns and order"),
	{ 'n', "names", NULL, "names of jobs instead of ids", SET(moab.names) },
	{ 'N', "nodes", NULL, "the nodes of each active job below it", SET(moab.nodes) },
	{ 'o', "orderby", "KEY", "active jobs by REMAINING, REVERSEREMAINING, JOB, USER or STARTTIME", TAKEN },
	START_OPTIONS,
	HEADING("Output"),
	{ OPT_XML, "xml", NULL, "Moab's XML", SET(moab.xml) },
	SHOWQ_JSON_OPTION,
	JSONL_OPTION(SET(json)),
	STRICT_OPTION,
	COMMON_OPTIONS_STYLED(SHOWQ_STYLES),
	HEADING("Other"),
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION('h'),
	{ OPT_USAGE, "usage", NULL, NULL, DOES(OPTION_HELP) },
};
static const struct option_table options_option_table = { .synopsis = "--style=moab [OPTION]...",
						  .about = "The queue of Slurm as Moab's showq lays it out.",
						  OPTIONS(option_rows) };

static const char *const orders[] = {
	[MOAB_REMAINING] = "REMAINING", [MOAB_REVERSEREMAINING] = "REVERSEREMAINING", [MOAB_JOB] = "JOB",
	[MOAB_USER] = "USER",		[MOAB_STARTTIME] = "STARTTIME",
};

static int take_order(struct showq_run *r, const char *arg)
{
	for (size_t i = MOAB_REMAINING; i <= MOAB_STARTTIME; i++)
		if (!strcasecmp(orders[i], arg)) {
			r->moab.order = (enum moab_order)i;
			return -1;
		}
	complain(r->inv, "-o: no order \"%s\"; there are REMAINING, REVERSEREMAINING, JOB, USER and STARTTIME", arg);
	return EXIT_USAGE;
}

/* Where the value of an attribute of -w goes. */
static const char **constraint(struct showq_run *r, const char *name, size_t len)
{
	const struct {
		const char *name;
		const char **at;
	} known[] = {
		{ "user", &r->moab.user },	   { "group", &r->moab.group },
		{ "acct", &r->moab.account },	   { "account", &r->moab.account },
		{ "class", &r->moab.partition },   { "partition", &r->moab.partition },
		{ "qos", &r->moab.qos },	   { "rsv", &r->moab.reservation },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == len && !strncasecmp(known[i].name, name, len))
			return known[i].at;
	return NULL;
}

static int take_constraint(struct showq_run *r, const char *arg)
{
	const char *equals = strchr(arg, '=');
	const char **at = equals ? constraint(r, arg, (size_t)(equals - arg)) : NULL;

	if (!at) {
		complain(r->inv,
			 "-w: expected user, group, acct, class, partition, qos or rsv, = and a name, got \"%s\"", arg);
		return EXIT_USAGE;
	}
	*at = equals + 1;
	return -1;
}

static int take_option(void *run, const struct options *o, int id)
{
	return id == 'w' ? take_constraint(run, o->arg) : take_order(run, o->arg);
}

int showq_moab_options(struct showq_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .take = take_option };
	int next, status = options_parse(&to, &options_option_table, argc, argv, &next);

	if (status < 0 && next < argc) {
		complain(r->inv, "unexpected argument \"%s\"; see %s --style=moab --help", argv[next], r->inv->name);
		status = usage_status(r->inv);
	}
	r->partition = r->moab.partition;
	return status;
}
