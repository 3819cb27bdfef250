/* Of the four lines: when the job starts. */
#include "explain/brief/parts.h"
#include "render/format.h"
#include "words/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_estimate(char *line, const struct explain_view *v, const struct fs_job *j, int64_t start)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS];

	if (j->start_time == FS_UNKNOWN || j->start_time <= fs_snapshot_info(s)->time ||
	    (start != FS_UNKNOWN && llabs(j->start_time - start) <= 60))
		return;
	brief_add(line, "%s%s's own estimate: %s.", *line ? " " : "", v->dialect->nouns.scheduler,
		  date_words(a, s, j->start_time));
}

/* Says what the start depends on if the plan has none. */
static const char *until_when(const struct fs_verdict *v)
{
	static const char alone[] = "the reason alone gives no time";

	if (v->kind == FS_VERDICT_NODES && v->cause == FS_VERDICT_CAUSE_PARTITION)
		return "not before an administrator opens it again";
	switch (v->kind) {
	case FS_VERDICT_HELD:
		return brief_held_by_sum(v) ? "not before its priority is above 0" : "not before it is released";
	case FS_VERDICT_DEPENDENCY:
		if (v->nneeds && !strncmp(v->needs[0].kind, "begin", strlen("begin")))
			return "not before its begin time";
		return "not before what it depends on has happened";
	case FS_VERDICT_BEGIN:
		return "not before its begin time, which is not recorded";
	case FS_VERDICT_RESERVATION:
		return alone;
	case FS_VERDICT_ARRAY_LIMIT:
		return "not before a task of the array ends, or its limit is raised";
	case FS_VERDICT_UNKNOWN:
		return *v->reason_text ? alone : "why it waits is not in the snapshot";
	case FS_VERDICT_LIMIT:
		if (!v->limit && v->reason && v->reason->section == FS_SECTION_PARTITION)
			return alone;
		return v->limit && limit_is_by_node(v->limit)		? "not before it gets more nodes"
		       : v->limit && limit_is_by_larger_nodes(v->limit) ? "not before it gets smaller nodes"
									: "not before the limit has room for it";
	case FS_VERDICT_NODES:
		return v->nodes.all ? "not before enough nodes are back" : alone;
	default:
		return "the plan finds no start for it";
	}
}

/* Says that the plan finds no start, and how far ahead it searched. */
static void no_start(char *line, const struct fs_explain_job *job, const struct fs_plan_row *r)
{
	char a[WORDS];

	if (job->verdict.kind >= FS_VERDICT_WAITS && r->window_s != FS_UNKNOWN)
		brief_add(line, "Unknown: the plan finds no start for it within the next %s (bf_window).",
			  duration_words(a, (double)r->window_s));
	else
		brief_add(line, "Unknown: %s.", until_when(&job->verdict));
}

static void when_by_plan(char *line, const struct explain_view *v, const struct fs_explain_job *job,
			 const struct fs_plan_row *r)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS];

	switch (r->state) {
	case FS_PLAN_NOW:
		brief_add(line, "Now: by the plan the next scheduling cycle starts it.");
		break;
	case FS_PLAN_LATER:
	case FS_PLAN_BEYOND:
		brief_add(line, "%s, if running jobs use their whole limits%s.", date_words(a, s, r->start_time),
			  r->state == FS_PLAN_BEYOND ? "; further ahead than the scheduler plans" : "");
		break;
	case FS_PLAN_BEGINS:
		brief_add(line, "Not before %s.", date_words(a, s, r->start_time));
		break;
	case FS_PLAN_NEVER: /* as the machine's nodes are now */
		if (job->verdict.kind == FS_VERDICT_NODES)
			brief_add(line, "Unknown: %s.", until_when(&job->verdict));
		else
			brief_add(line, "Never.");
		break;
	case FS_PLAN_GIVEN_UP:
		brief_add(line, "Unknown: the plan took too long and was given up before it came to this job.");
		break;
	case FS_PLAN_NOT_REACHED:
		if (job->verdict.kind == FS_VERDICT_NODES) {
			brief_add(line, "Unknown: %s.", until_when(&job->verdict));
			break;
		}
		brief_add(line, "Unknown: a scheduling cycle does not look as far down the queue as this job (%s=%lld).",
			  r->cycle_limit, (long long)r->cycle_limit_value);
		break;
	case FS_PLAN_NO_START:
		no_start(line, job, r);
		break;
	default:
		if (job->verdict.time != FS_UNKNOWN)
			brief_add(line, "Not before %s.", date_words(a, s, job->verdict.time));
		else
			brief_add(line, "Unknown: %s.", until_when(&job->verdict));
	}
}

/* Without a plan: does it depend on more than its turn? */
static bool depends(const struct fs_verdict *v)
{
	return v->kind > FS_VERDICT_NEVER && v->kind < FS_VERDICT_WAITS;
}

/* Adds the simulated start if it differs from the planned one. */
static void add_likely(char *line, const struct explain_view *v, const struct fs_plan_row *r)
{
	const fs_snapshot *s = v->from->snapshot;
	const bool both = r->likely_start_time != FS_UNKNOWN && r->start_time != FS_UNKNOWN;
	const bool as_planned = both && llabs(r->likely_start_time - r->start_time) <= 60;
	struct fs_plan_runs runs;
	char a[WORDS], b[WORDS], more[2 * WORDS];

	if (r->likely_start_time == FS_UNKNOWN || r->state == FS_PLAN_NOW ||
	    (as_planned && r->likely_low_time == FS_UNKNOWN))
		return;
	fs_plan_runs(v->plan, &runs);
	brief_add(line, " Likely %s", time_words(a, s, r->likely_start_time));
	snprintf(more, sizeof(more), " (in 4 of 5 runs %.60s to %.60s)", time_words(a, s, r->likely_low_time),
		 time_words(b, s, r->likely_high_time));
	if (r->likely_low_time != FS_UNKNOWN && r->likely_high_time != FS_UNKNOWN)
		brief_add_if_short(line, more);
	brief_add_if_short(line, runs.runs ? ", by how long jobs ran before" : ", as jobs share nodes");
	brief_add(line, ".");
}

/* Adds when the job ran and what that cost. */
static void add_run(char *line, const struct explain_view *v, const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	const double cost = explain_past_cost(v);
	const bool spans = j->start_time != FS_UNKNOWN && j->end_time != FS_UNKNOWN;
	const int64_t ran = j->ran_s == FS_UNKNOWN && spans ? j->end_time - j->start_time : j->ran_s;
	char a[WORDS], b[WORDS], more[2 * WORDS];

	if (!*j->node_list || j->start_time == FS_UNKNOWN || j->end_time == FS_UNKNOWN || j->end_time < j->start_time)
		brief_add(line, "It ended %s", date_words(a, s, j->end_time));
	else
		brief_add(line, "It ran %s, from %s to %s", duration_words(more, (double)ran),
			  date_words(a, s, j->start_time), time_words(b, s, j->end_time));
	format_text(more, sizeof(more), cost < 10000 ? ", and cost %.2f %.60s" : ", and cost %.0f %.60s", cost,
		 explain_cost_unit(v));
	brief_add_if_short(line, isnan(cost) ? "" : more);
	brief_add(line, ".");
}

/* The time limit of a suspended job stands still, so that its end is not known. */
static void add_end(char *line, const fs_snapshot *s, const struct fs_job *j)
{
	const bool left_known = j->ran_s != FS_UNKNOWN && j->time_limit_s >= 0 && j->ran_s <= j->time_limit_s;
	char a[WORDS];

	if (!explain_is_suspended(j))
		brief_add(line, "It ends by %s.", date_words(a, s, j->end_time));
	else if (left_known)
		brief_add(line, "Unknown: it is suspended, with %s of its time limit left.",
			  duration_words(a, (double)(j->time_limit_s - j->ran_s)));
	else
		brief_add(line, "Unknown: it is suspended, and its time limit stands still.");
}

/* Returns true if the line names a time that the plan computed. */
static bool gives_time(const struct fs_plan_row *r)
{
	return r->job && r->state != FS_PLAN_BEGINS &&
	       (r->start_time != FS_UNKNOWN || r->likely_start_time != FS_UNKNOWN);
}

void brief_fill_when(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		     const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	struct fs_plan_row r = { .start_time = FS_UNKNOWN };

	if (explain_has_started(job)) {
		if (job->state == FS_EXPLAIN_ENDED)
			add_run(b->when, v, j);
		else
			add_end(b->when, s, j);
		return;
	}
	if (job->state == FS_EXPLAIN_NEVER) {
		brief_add(b->when, "Never.");
		return;
	}
	if (explain_plan_row(v, job->job_row, &r))
		when_by_plan(b->when, v, job, &r);
	if (r.unmodelled & FS_UNMODELLED_WAIT)
		brief_add(b->when, " Its wait before it was blocked is unknown (checkjob %s).", j->name);
	if (r.job && job->verdict.kind != FS_VERDICT_NODES)
		add_likely(b->when, v, &r);
	if (job->jobs_missing && gives_time(&r))
		brief_add(b->when, " %s.", plan_lacks_words(s));
	add_estimate(b->when, v, j, r.start_time);
	if (!*b->when && !v->plan && depends(&job->verdict))
		brief_add(b->when, "Unknown: %s.", until_when(&job->verdict));
	if (!*b->when)
		brief_add(b->when, "Unknown: %s.",
			  v->plan                     ? "the plan has no row for it"
			  : v->no_plan && *v->no_plan ? v->no_plan
						      : "no plan was made here; fs-showq --start makes one");
}
