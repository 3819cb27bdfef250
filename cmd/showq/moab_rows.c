/* The sections of Moab's layout: headings, rows and cells. */
#include "showq/moab.h"

#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

enum cell {
	END,
	ID,
	ID_SHORT,
	USER,
	GROUP,
	STATE,
	PROCS,
	LEFT,
	LIMIT,
	START,
	SUBMIT,
	ENDED,
	PRIORITY,
	PAR,
	XFACTOR,
	QOS,
	HOST,
	CCODE,
	WALL,
};

struct column {
	enum cell cell;
	const char *heading;
	int width; /* < 0: to the left */
};

#define WIDE_ID { ID, "JOBID", -19 }
#define WIDE_OWNER { PAR, "PAR", 3 }, { XFACTOR, "XFACTOR", 7 }, { QOS, "Q", 2 }, { USER, "USERNAME", 9 }, { GROUP, "GROUP", 9 }
#define SHORT { ID_SHORT, "JOBID", -18 }, { USER, "USERNAME", 8 }, { STATE, "STATE", 10 }, { PROCS, "PROCS", 5 }

static const struct column all_active[] = { SHORT, { LEFT, "REMAINING", 11 }, { START, "STARTTIME", 22 }, { END, NULL, 0 } };
static const struct column all_waiting[] = { SHORT, { LIMIT, "WCLIMIT", 11 }, { SUBMIT, "QUEUETIME", 22 }, { END, NULL, 0 } };
static const struct column only_active[] = {
	WIDE_ID, { STATE, "STATUS", -10 }, WIDE_OWNER, { HOST, "MHOST", 16 }, { PROCS, "PROCS", 5 },
	{ LEFT, "REMAINING", 11 }, { START, "STARTTIME", 22 }, { END, NULL, 0 },
};
static const struct column only_idle[] = {
	WIDE_ID, { PRIORITY, "PRIORITY", 10 }, WIDE_OWNER, { PROCS, "PROCS", 5 }, { LIMIT, "WCLIMIT", 11 },
	{ SUBMIT, "SYSTEMQUEUETIME", 22 }, { END, NULL, 0 },
};
static const struct column only_blocked[] = {
	{ ID_SHORT, "JOBID", -18 }, { USER, "USERNAME", 8 }, { GROUP, "GROUP", 8 }, { STATE, "STATE", 10 },
	{ PROCS, "PROCS", 5 }, { LIMIT, "WCLIMIT", 11 }, { SUBMIT, "QUEUETIME", 22 }, { END, NULL, 0 },
};
static const struct column only_ended[] = {
	WIDE_ID, { STATE, "STATUS", -10 }, { CCODE, "CCODE", -6 }, WIDE_OWNER, { HOST, "MHOST", 16 },
	{ PROCS, "PROCS", 5 }, { WALL, "WALLTIME", 11 }, { ENDED, "COMPLETIONTIME", 22 }, { END, NULL, 0 },
};

/* "1:02:03:04", "2:03:04"; main.cpp holds it in an int. */
static void duration(char buf[32], int64_t seconds, bool strict)
{
	const int64_t s = strict ? (int32_t)(uint32_t)seconds : seconds, p = s < 0 ? -s : s;
	int n = 0;

	if (s < 0)
		buf[n++] = '-';
	if (p >= 86400)
		n += snprintf(buf + n, 32 - (size_t)n, "%lld:%02d", (long long)(p / 86400), (int)(p / 3600 % 24));
	else
		n += snprintf(buf + n, 32 - (size_t)n, "%d", (int)(p / 3600));
	snprintf(buf + n, 32 - (size_t)n, ":%02d:%02d", (int)(p / 60 % 60), (int)(p % 60));
}

static void put_limit(const struct showq_run *r, char buf[32], const struct moab_job *j)
{
	if (j->limit_s == FS_UNLIMITED && !r->strict)
		strcpy(buf, "INFINITY");
	else
		duration(buf, showq_limit_s(&j->job), r->strict);
}

static void put_date(const struct showq_run *r, char buf[32], int64_t t)
{
	if (t == FS_UNKNOWN && !r->strict)
		strcpy(buf, "?");
	else
		showq_date(r, buf, t);
}

static void put_number(char buf[32], int64_t n)
{
	snprintf(buf, 32, "%lld", (long long)n);
}

/* A text of the job's own; NULL: buf was written. */
static const char *text_of(const struct showq_run *r, const struct moab_job *j, enum cell cell, size_t *max)
{
	const struct fs_job *job = &j->job;
	const char *qos = fs_job_qos(r->snapshot, j->of->row, 0);

	switch (cell) {
	case ID:
	case ID_SHORT:
		*max = cell == ID ? 19 : 18;
		return r->moab.names ? (job->has_name ? job->name : "") : j->id;
	case USER:
		return *job->user ? job->user : "?";
	case GROUP:
		return *job->group ? job->group : "?";
	case STATE:
		return j->state;
	case PAR:
		*max = 3;
		return j->partition;
	case QOS:
		*max = 2;
		return qos ? qos : "";
	case HOST:
		return *j->host ? j->host : r->strict ? "(null)" : "";
	default:
		return NULL;
	}
}

static bool number_of(const struct fs_job *job, enum cell cell, int64_t *n)
{
	*n = cell == PROCS	? job->tasks
	     : cell == PRIORITY ? job->priority
	     : !strcmp(job->state, "COMPLETED") ? 0 /* of others the code is not recorded */
				: FS_UNKNOWN;
	return cell == PROCS || cell == PRIORITY || cell == CCODE;
}

static void value_of(const struct showq_run *r, const struct moab_job *j, enum cell cell, char buf[32])
{
	const struct fs_job *job = &j->job;
	const int64_t start = r->strict && job->start_time == FS_UNKNOWN ? 0 : job->start_time;
	int64_t n;

	strcpy(buf, "?");
	if (number_of(job, cell, &n)) {
		if (n != FS_UNKNOWN)
			put_number(buf, n);
	} else if (cell == XFACTOR && !isnan(j->xfactor)) {
		snprintf(buf, 32, "%.1f", j->xfactor);
	} else if (cell == LEFT && j->left_s != FS_UNKNOWN) {
		duration(buf, j->left_s, r->strict);
	} else if (cell == LIMIT && j->limit_s != FS_UNKNOWN) {
		put_limit(r, buf, j);
	} else if (cell == WALL && job->end_time != FS_UNKNOWN && start != FS_UNKNOWN) {
		duration(buf, job->end_time - start, r->strict);
	} else if (cell == START || cell == SUBMIT || cell == ENDED) {
		put_date(r, buf, cell == START ? job->start_time : cell == SUBMIT ? job->submit_time : job->end_time);
	}
}

static void put_cell(const struct column *c, const char *text, size_t max)
{
	char visible[256];
	const char *s = text_visible(visible, sizeof(visible), text);
	const int len = (int)strnlen(s, max), width = c->width < 0 ? -c->width : c->width,
		  pad = width > len ? width - len : 0;

	emit("%*s%.*s%*s", c->width < 0 ? 0 : pad, "", len, s, c->width < 0 ? pad : 0, "");
}

static void put_row(const struct showq_run *r, const struct column *c, const struct showq_job *row, bool nodes)
{
	struct moab_job j;
	char buf[32];

	moab_job(r, row, &j);
	for (const struct column *k = c; k->cell; k++) {
		size_t max = 255;
		const char *text = text_of(r, &j, k->cell, &max);

		if (!text)
			value_of(r, &j, k->cell, buf);
		emit(k == c ? "" : " ");
		put_cell(k, text ? text : buf, max);
	}
	putchar('\n');
	if (nodes)
		emit("    Nodes: %s\n", j.job.node_list);
}

static void put_heading(const char *title, const struct column *c)
{
	emit("%s\n", title);
	for (const struct column *k = c; k->cell; k++)
		emit("%s%*s", k == c ? "" : " ", k->width, k->heading);
	emit("\n\n");
}

static const char *const titles[] = {
	[PLACE_ACTIVE] = "active jobs------------------------",
	[PLACE_WAITING] = "eligible jobs----------------------",
	[PLACE_BLOCKED] = "blocked jobs-----------------------",
	[PLACE_ERRORED] = "completed jobs---------------------",
};

/* With other sections, and alone. */
static const struct column *const columns[][2] = {
	[PLACE_ACTIVE] = { all_active, only_active },
	[PLACE_WAITING] = { all_waiting, only_idle },
	[PLACE_BLOCKED] = { all_waiting, only_blocked },
	[PLACE_ERRORED] = { only_ended, only_ended },
};

void moab_section(const struct showq_run *r, enum showq_place place, bool alone)
{
	const bool nodes = r->moab.nodes && (place == PLACE_ACTIVE || place == PLACE_ERRORED);
	const struct column *c = columns[place][alone];

	putchar('\n');
	put_heading(titles[place], c);
	for (size_t i = 0; i < r->n; i++)
		if (r->jobs[i].place == place)
			put_row(r, c, &r->jobs[i], nodes);
	putchar('\n');
}
