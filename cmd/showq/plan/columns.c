/* The columns of planned starts: of --plan, of --start, and of "plan" in fs-showq/1. */
#include "showq/plan/plan.h"

#include "dialect/dialect.h"
#include "render/text.h"

#include <string.h>

enum { NAME = 24, NODES = 40 }; /* as much of a name, and of the nodes, as the page shows */

static void write_nodes(struct fs_json *j, const void *of, const void *row)
{
	const fs_plan *p = ((const struct plan_source *)of)->plan;
	const char *name;

	fs_json_array(j);
	for (uint32_t k = 0; (name = fs_plan_node(p, ((const struct plan_line *)row)->at, k)); k++)
		fs_json_string(j, name);
	fs_json_end_array(j);
}

static void write_unmodelled(struct fs_json *j, const void *of, const void *row)
{
	static const char *const words[] = { "features", "licenses", "gres", "reservation", "max_nodes", "wait" };
	const unsigned bits = ((const struct plan_line *)row)->row.unmodelled;

	(void)of;
	fs_json_array(j);
	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (bits >> i & 1)
			fs_json_string(j, words[i]);
	fs_json_end_array(j);
}

/* ---- cells */

const char *plan_when_text(char buf[COLUMN_TEXT], const struct showq_run *r, int64_t time)
{
	if (time == FS_UNKNOWN)
		return strcpy(buf, "-");
	showq_iso_time(buf, time + fs_snapshot_utc_offset(r->snapshot, time));
	return buf;
}

/* `0:05:00`, `2-03:00:00` from now. */
static void in_text(char buf[COLUMN_TEXT], const struct showq_run *r, int64_t time)
{
	const int64_t s = time == FS_UNKNOWN ? 0 : time - r->info->time, day = 86400;
	const int minutes = (int)(s / 60 % 60), seconds = (int)(s % 60);

	if (time == FS_UNKNOWN)
		strcpy(buf, "-");
	else if (s < day)
		snprintf(buf, COLUMN_TEXT, "%lld:%02d:%02d", (long long)(s / 3600), minutes, seconds);
	else
		snprintf(buf, COLUMN_TEXT, "%lld-%02d:%02d:%02d", (long long)(s / day), (int)(s / 3600 % 24), minutes,
			 seconds);
}

static const char *partition_heading(const void *of)
{
	return ((const struct plan_source *)of)->r->dialect->nouns.partition_heading;
}

COLUMN_CELL(id_cell, struct plan_source, struct plan_line, plan_id_text(buf, of->r, row->row.job))

COLUMN_CELL(partition_cell, void, struct plan_line, text_visible(buf, NAME, row->row.partition))
COLUMN_CELL(user_cell, void, struct plan_line, text_visible(buf, NAME, row->job.user))
COLUMN_CELL(start_cell, struct plan_source, struct plan_line, plan_when_text(buf, of->r, row->row.start_time))
COLUMN_CELL(in_cell, struct plan_source, struct plan_line, in_text(buf, of->r, row->row.start_time))

static void where_cell(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	char nodes[NODES];

	fs_plan_nodes(((const struct plan_source *)of)->plan, ((const struct plan_line *)row)->at, nodes,
			sizeof(nodes));
	text_visible(buf, COLUMN_TEXT, nodes);
}

#define MEMBER(m) COLUMN_MEMBER(struct plan_line, row.m)
#define TIME(m) MEMBER(m), .unit = UNIT_TIME

/* In the order of the JSON. */
enum {
	JOBID, USER, STATE, PARTITION, START, IN, END, NODE_COUNT, WHERE, WAITS, WAITS_FOR, FREES,
	BLOCKED_BY, HELD_BY, TASKS_PLANNED, LAST_START, SHOWN_START, LIMIT, LIMIT_TRES, LIMIT_OF, LIMIT_START,
	LIMIT_FREES, LIKELY_START, LIKELY_LOW, LIKELY_HIGH, UNMODELLED, PLAN_COLUMNS
};

static const struct column plan_columns[PLAN_COLUMNS] = {
	[JOBID] = { "JOBID", NULL, -10, .text = id_cell, .help = "the job" },
	[USER] = { "USER", NULL, -15, .text = user_cell, .help = "who submitted it" },
	[STATE] = { "PLAN", "state", -13, MEMBER(state), .word = fs_plan_state_name, .help = "what becomes of it" },
	[PARTITION] = { "PARTITION", "partition", -12, MEMBER(partition), .text = partition_cell,
			.heading = partition_heading, .help = "where it is planned" },
	[START] = { "START", "start_time", -20, TIME(start_time), .text = start_cell, .help = "its planned start" },
	[IN] = { "IN", NULL, 12, .text = in_cell, .help = "how long until then" },
	[END] = { NULL, "end_time", TIME(end_time), .help = "its planned end, by its time limit" },
	[NODE_COUNT] = { "NODES", NULL, 5, MEMBER(nodes), .help = "how many nodes it gets" },
	[WHERE] = { "WHERE", "nodes", -18, .text = where_cell, .json = write_nodes, .help = "which" },
	[WAITS] = { "WAITS FOR", NULL, .width = 0, .help = "what it waits for, and who makes room" },
	[WAITS_FOR] = { NULL, "waits_for", MEMBER(wait), .word = fs_plan_wait_name, .help = "what it waits for, in a word" },
	[FREES] = { NULL, "frees", MEMBER(frees), .none_at_0 = true, .help = "the job whose end makes room" },
	[BLOCKED_BY] = { NULL, "blocked_by", MEMBER(blocked_by), .none_at_0 = true,
			 .help = "the job that it may not delay" },
	[HELD_BY] = { NULL, "held_by", MEMBER(blocked_by), .none_at_0 = true, .help = "the same" },
	[TASKS_PLANNED] = { NULL, "tasks_planned", MEMBER(tasks_planned), .help = "how many of its tasks start so" },
	[LAST_START] = { NULL, "last_start_time", TIME(last_start_time), .help = "the start of the last of them" },
	[SHOWN_START] = { NULL, "shown_start_time", TIME(shown_start_time), .help = "what squeue shows all the same" },
	[LIMIT] = { NULL, "limit", MEMBER(limit), .help = "the limit that it waits for" },
	[LIMIT_TRES] = { NULL, "limit_tres", MEMBER(limit_tres), .help = "of which TRES" },
	[LIMIT_OF] = { NULL, "limit_of", MEMBER(limit_of), .help = "of whom" },
	[LIMIT_START] = { NULL, "limit_start_time", TIME(limit_start_time), .help = "when the limit lets it start" },
	[LIMIT_FREES] = { NULL, "limit_frees", MEMBER(limit_frees), .none_at_0 = true,
			  .help = "after which job" },
	[LIKELY_START] = { NULL, "likely_start_time", TIME(likely_start_time), .help = "by the simulation" },
	[LIKELY_LOW] = { NULL, "likely_low_time", TIME(likely_low_time), .help = "one run of ten starts it before" },
	[LIKELY_HIGH] = { NULL, "likely_high_time", TIME(likely_high_time), .help = "one run of ten starts it after" },
	[UNMODELLED] = { NULL, "unmodelled", .json = write_unmodelled, .help = "parts of its request that are not modelled" },
};

struct column_page plan_page(const struct plan_source *of)
{
	static const unsigned char pick[] = { JOBID, PARTITION, USER, STATE, START, IN, NODE_COUNT, WHERE, WAITS };

	return (struct column_page){ plan_columns, sizeof(pick), of, .pick = pick, .characters = true };
}

void plan_line_json(struct fs_json *j, const struct plan_source *of, const struct plan_line *line)
{
	columns_json(j, plan_columns, PLAN_COLUMNS, of, line);
}

/* ---- --start: a row for each way to tell it */

COLUMN_CELL(estimate_start_cell, struct showq_run, struct estimate_line, plan_when_text(buf, of, row->start_time))
COLUMN_CELL(estimate_in_cell, struct showq_run, struct estimate_line, in_text(buf, of, row->start_time))

#define ESTIMATE(m) COLUMN_MEMBER(struct estimate_line, m)

struct column_page estimate_page(const struct showq_run *r)
{
	static const struct column columns[] = {
		{ "ESTIMATE", NULL, -18, ESTIMATE(name), .help = "whose it is" },
		{ "START", NULL, -20, .text = estimate_start_cell, .help = "the start" },
		{ "IN", NULL, 12, .text = estimate_in_cell, .help = "how long until then" },
		{ "PLAN", NULL, -13, ESTIMATE(plan), .help = "what becomes of it" },
		{ "WHERE", NULL, -18, ESTIMATE(nodes), .help = "on which nodes" },
		{ "ASSUMES", NULL, .width = 0, .help = "what it rests on" },
	};

	return (struct column_page){ COLUMNS(columns), r, .characters = true };
}
