/* The sections of Moab's layout: headings, rows and cells. */
#include "columns/column.h"
#include "showq/moab/moab.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

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
static const struct column only_idle[] = {
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
	[PLACE_WAITING] = { { COLUMNS(all_waiting) }, { COLUMNS(only_idle) } },
	[PLACE_BLOCKED] = { { COLUMNS(all_waiting) }, { COLUMNS(only_blocked) } },
	[PLACE_ERRORED] = { { COLUMNS(only_ended) }, { COLUMNS(only_ended) } },
};

void moab_section(const struct showq_run *r, enum showq_place place, bool alone)
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
