#include "top/columns.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TERM = 1000 };

enum {
	Q_PLACE, Q_MOVE, Q_JOBID, Q_USER, Q_ACCOUNT, Q_PARTITION, Q_QOS, Q_PRIORITY, Q_FACTORS,
	Q_REASON, Q_NAME, Q_CPUS, Q_NODES, Q_LIMIT, Q_WAITED, Q_TIER, Q_TASKS, Q_SECTION
};

static const struct view_column queue_columns[] = {
	{ "#", CELL_WHOLE, 4, 0, Q_PLACE,
	  "place in the order in which the scheduler tries jobs: in the partition if the list is of one, else of all. "
	  "Empty: it does not try this row now" },
	{ "MOVE", CELL_MOVE, 4, 0, Q_MOVE,
	  "places won (^2) or lost (v3) since the snapshot before; new: it was not there" },
	{ "JOBID", CELL_TEXT, 10, 0, Q_JOBID, "the job; [..] are array tasks not yet split off" },
	{ "USER", CELL_TEXT, 8, 0, Q_USER, "who submitted it" },
	{ "ACCOUNT", CELL_TEXT, 9, 50, Q_ACCOUNT, "account that is charged, and whose share counts" },
	{ "PARTITION", CELL_TEXT, 9, 100, Q_PARTITION, "a job has a row for each partition it asks for" },
	{ "QOS", CELL_TEXT, 9, 130, Q_QOS, "quality of service" },
	{ "PRIORITY", CELL_WHOLE, 10, 0, Q_PRIORITY, "the number the scheduler sorts by, in this partition" },
	{ "FACTORS", CELL_BAR, 8, 70, Q_FACTORS,
	  "what the priority is made of: each factor has a letter, its part of the bar is its part of the sum; "
	  "Enter shows them one by one" },
	{ "TIER", CELL_WHOLE, 5, 180, Q_TIER, "PriorityTier of the partition, which counts before priority" },
	{ "WAITED", CELL_SECONDS, 6, 100, Q_WAITED, "time since it could have started" },
	{ "CPUS", CELL_WHOLE, 6, 115, Q_CPUS, "CPUs asked for" },
	{ "NODES", CELL_WHOLE, 5, 165, Q_NODES, "nodes asked for" },
	{ "LIMIT", CELL_SECONDS, 6, 140, Q_LIMIT, "time limit" },
	{ "TASKS", CELL_WHOLE, 5, 190, Q_TASKS, "jobs this row stands for: tasks of an array" },
	{ "REASON", CELL_TEXT, 12, 60, Q_REASON, "why it waits, in the scheduler's own word" },
	{ "KIND", CELL_TEXT, 11, UINT_MAX, Q_SECTION, "what sort of reason that is" },
	{ "NAME", CELL_TEXT, 16, 150, Q_NAME, "the job's name" },
};

enum {
	S_NAME, S_SHARES, S_NORM, S_USAGE, S_PART, S_BAR, S_FAIRSHARE, S_LEVEL, S_RANK, S_RAW,
	S_PARTITION
};

static const struct view_column share_columns[] = {
	{ "ACCOUNT / USER", CELL_TEXT, 24, 0, S_NAME,
	  "accounts and, one step deeper, their users; + can be opened, - closed" },
	{ "SHARES", CELL_TEXT, 8, 60, S_SHARES, "raw shares; parent: its members compete one level higher" },
	{ "SHARE", CELL_FRACTION, 8, 0, S_NORM, "normalised shares, 0 to 1" },
	{ "USAGE", CELL_FRACTION, 8, 0, S_USAGE, "effective usage, 0 to 1, as the algorithm defines it" },
	{ "USED", CELL_BAR, 10, 75, S_BAR,
	  "usage beside share: = used, up to the share at |; # used beyond it; . still free. With flux_range: the slice "
	  "of 0 to 1 that a bank owns, from [ to its factor at o" },
	{ "FAIRSHARE", CELL_FRACTION, 10, 0, S_FAIRSHARE, "the factor that jobs get, 0 to 1" },
	{ "LEVELFS", CELL_FRACTION, 9, 70, S_LEVEL,
	  "share divided by usage among siblings: above 1 is less used than promised" },
	{ "RANK", CELL_WHOLE, 6, 90, S_RANK, "Fair Tree's or Flux's: the highest number goes first" },
	{ "RAWUSAGE", CELL_WHOLE, 12, 100, S_RAW, "decayed usage in TRES seconds" },
	{ "PARTITION", CELL_TEXT, 10, 110, S_PARTITION, "the partition this association is for, if only one" },
	{ "CLUSTERPART", CELL_FRACTION, 11, 130, S_PART, "part of the whole cluster's usage" },
};

enum { P_NAME, P_TIER, P_CPUS, P_NODES, P_RUNNING, P_BUSY, P_BAR, P_WAITING, P_LINE, P_FIRST, P_FIRST_USER };

static const struct view_column partition_columns[] = {
	{ "PARTITION", CELL_TEXT, 14, 0, P_NAME, "its name" },
	{ "TIER", CELL_WHOLE, 5, 70, P_TIER, "PriorityTier: jobs of a higher one are tried first" },
	{ "NODES", CELL_WHOLE, 6, 75, P_NODES, "nodes it has" },
	{ "CPUS", CELL_WHOLE, 8, 0, P_CPUS, "CPUs it has" },
	{ "BUSY", CELL_WHOLE, 8, 60, P_BUSY, "CPUs of the jobs that run in it" },
	{ "LOAD", CELL_BAR, 10, 90, P_BAR, "busy CPUs of all it has" },
	{ "RUNNING", CELL_WHOLE, 8, 0, P_RUNNING, "jobs running" },
	{ "WAITING", CELL_WHOLE, 8, 0, P_WAITING, "jobs pending, whatever for" },
	{ "ELIGIBLE", CELL_WHOLE, 8, 0, P_LINE, "pending jobs that wait for nothing but their turn" },
	{ "FIRST", CELL_TEXT, 10, 76, P_FIRST, "the job that is tried first" },
	{ "OF USER", CELL_TEXT, 12, 95, P_FIRST_USER, "whose it is" },
};

static const struct {
	const struct view_column *v;
	size_t n;
} tables[VIEWS] = {
	{ queue_columns, sizeof(queue_columns) / sizeof(*queue_columns) },
	{ share_columns, sizeof(share_columns) / sizeof(*share_columns) },
	{ partition_columns, sizeof(partition_columns) / sizeof(*partition_columns) },
};

size_t view_columns(enum view view, const struct data *d)
{
	return tables[view].n + (view == VIEW_QUEUE && d->eval.prios ? fs_prios_terms(d->eval.prios) : 0);
}

void view_column_get(enum view view, const struct data *d, size_t i, struct view_column *out)
{
	const size_t term = i - tables[view].n;

	if (i < tables[view].n) {
		*out = tables[view].v[i];
		return;
	}
	*out = (struct view_column){ fs_prios_weights(d->eval.prios)[term].name, CELL_WHOLE, 10, UINT_MAX,
				TERM + (int)term, "what this factor adds to the priority" };
}

unsigned view_column_from(enum view view, const struct data *d, const struct view_column *c)
{
	enum { BESIDE_RANGES = 130 };
	const bool yields =
		view == VIEW_SHARES && (c->id == S_SHARES || c->id == S_USAGE || c->id == S_LEVEL);

	return yields && d->eval.shares && fs_shares_has_ranges(d->eval.shares) ? BESIDE_RANGES
								      : c->from_cols;
}

static double known(int64_t n)
{
	return n == FS_UNKNOWN ? (double)NAN : n == FS_UNLIMITED ? (double)INFINITY : (double)n;
}

/* ---- the queue */

static double moved(uint32_t was, uint32_t is)
{
	return was == MOVE_NEW ? (double)INFINITY
	       : was && is     ? (double)was - (double)is
			       : (double)NAN;
}

static double factor_points(const struct data *d, const struct fs_queue_row *row, int term)
{
	struct fs_prio_row prio;

	if (!data_prio(d, row, &prio))
		return (double)NAN;
	return term < 0 ? prio.sum : prio.direct ? (double)NAN : prio.terms[term].points;
}

static void job_value(const struct data *d, const struct fs_queue_row *row, int id,
		      struct shown *out)
{
	const int64_t now = d->time;
	struct fs_job job;

	fs_snapshot_job(d->snapshot, row->job_row, &job);
	switch (id) {
	case Q_REASON:
		out->text = job.reason;
		break;
	case Q_NAME:
		out->text = job.name;
		break;
	case Q_CPUS:
		out->number = known(job.cpus);
		break;
	case Q_NODES:
		out->number = known(job.nodes);
		break;
	case Q_LIMIT:
		out->number = known(job.time_limit_s);
		break;
	case Q_WAITED:
		out->number = job.eligible_time > now ? (double)NAN
						      : (double)now - known(job.eligible_time);
		break;
	}
}

static void queue_value(const struct data *d, uint32_t i, int id, struct shown *out)
{
	struct fs_queue_row row;

	fs_queue_row(d->eval.queue, i, &row);
	switch (id) {
	case Q_PLACE:
		out->number = row.position ? row.position : (double)NAN;
		break;
	case Q_MOVE:
		out->number = d->was ? moved(d->was[i], row.position) : (double)NAN;
		break;
	case Q_JOBID:
		out->number = (double)row.job;
		break;
	case Q_USER:
		out->text = row.user;
		break;
	case Q_ACCOUNT:
		out->text = row.account;
		break;
	case Q_PARTITION:
		out->text = row.partition;
		break;
	case Q_QOS:
		out->text = row.qos;
		break;
	case Q_PRIORITY:
		out->number = row.priority;
		break;
	case Q_TIER:
		out->number = known(row.tier);
		break;
	case Q_TASKS:
		out->number = (double)row.tasks;
		break;
	case Q_SECTION:
		out->text = fs_section_name(row.section);
		break;
	case Q_FACTORS:
		out->number = factor_points(d, &row, -1);
		break;
	default:
		if (id >= TERM)
			out->number = factor_points(d, &row, id - TERM);
		else
			job_value(d, &row, id, out);
	}
}

void job_text(const struct data *d, const struct fs_queue_row *row, char *buf, size_t size)
{
	struct fs_job job;
	char id[FS_JOB_ID_TEXT];

	fs_snapshot_job(d->snapshot, row->job_row, &job);
	fs_job_id_format(id, d->snapshot, job.id, true);
	if (*job.array_tasks)
		snprintf(buf, size, "%s_[%s]", id, job.array_tasks);
	else
		snprintf(buf, size, "%s", id);
}

/* ---- shares and partitions */

static const char *raw_shares(const struct fs_share_row *row)
{
	return row->shares_kind == FS_SHARES_PARENT  ? "parent"
	       : row->shares_kind == FS_SHARES_UNSET ? ""
						     : NULL;
}

static void share_value(const struct data *d, uint32_t i, int id, struct shown *out)
{
	const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);

	switch (id) {
	case S_NAME:
		out->text = *row->user ? row->user : row->account;
		break;
	case S_SHARES:
		out->text = raw_shares(row);
		out->number = row->shares_kind == FS_SHARES_NUMBER ? row->raw_shares : (double)NAN;
		break;
	case S_NORM:
		out->number = row->parent_row == UINT32_MAX ? (double)NAN : row->norm_shares;
		break;
	case S_USAGE:
	case S_BAR:
		out->number = row->effective_usage;
		break;
	case S_FAIRSHARE:
		out->number = row->fairshare;
		break;
	case S_LEVEL:
		out->number = row->level_fs;
		break;
	case S_RANK:
		out->number = row->rank ? row->rank : (double)NAN;
		break;
	case S_RAW:
		out->number = row->raw_usage;
		break;
	case S_PART:
		out->number = row->norm_usage;
		break;
	case S_PARTITION:
		out->text = row->partition;
		break;
	}
}

static void first_value(const struct data *d, const struct partition_row *p, int id,
			struct shown *out)
{
	struct fs_queue_row row;

	out->text = "";
	if (!p->nfirst)
		return;
	fs_queue_row(d->eval.queue, p->first[0], &row);
	if (id == P_FIRST) {
		out->number = (double)row.job;
		out->text = NULL;
	} else {
		out->text = row.user;
	}
}

static void partition_value(const struct data *d, uint32_t i, int id, struct shown *out)
{
	const struct partition_row *p = &d->partition[i];

	switch (id) {
	case P_NAME:
		out->text = *p->name ? p->name : "(none)";
		break;
	case P_TIER:
		out->number = known(p->tier);
		break;
	case P_CPUS:
		out->number = known(p->cpus);
		break;
	case P_NODES:
		out->number = known(p->nodes);
		break;
	case P_RUNNING:
		out->number = p->running;
		break;
	case P_BUSY:
		out->number = (double)p->running_cpus;
		break;
	case P_BAR:
		out->number = p->cpus > 0 ? (double)p->running_cpus / (double)p->cpus : (double)NAN;
		break;
	case P_WAITING:
		out->number = p->waiting;
		break;
	case P_LINE:
		out->number = p->eligible;
		break;
	default:
		first_value(d, p, id, out);
	}
}

void cell_value(enum view view, const struct data *d, uint32_t row, const struct view_column *c,
		  struct shown *out)
{
	*out = (struct shown){ NULL, (double)NAN };
	if (view == VIEW_QUEUE)
		queue_value(d, row, c->id, out);
	else if (view == VIEW_SHARES)
		share_value(d, row, c->id, out);
	else
		partition_value(d, row, c->id, out);
}
