/* The line "Why" of a job's summary: the recorded reason, the cause of the wait, and what the cause costs. */
#include "explain/explain.h"
#include "explain/text.h"
#include "fs/queue.h"
#include "render/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the line is made from. */
struct why {
	char *line; /* BRIEF_LINE bytes */
	const struct explain_view *v;
	const struct fs_explain_job *job;
	const struct fs_cause *cause; /* the cause to name; NULL: causes were not computed */
	struct fs_plan_row plan;      /* the job's row in the plan; `job` is 0 if there is none */
	bool *failed;                 /* set to true if out of memory */
};

/* ---- jobs that the line names */

/* Fills *out with the job that has this id. Returns false if the viewer may not see the job. */
static bool find_named_job(const struct why *w, const char *id, struct fs_job *out)
{
	const uint32_t row = fs_explain_find_job(w->v->explain, id);

	if (row == FS_NO_ROW)
		return false;
	fs_snapshot_job(w->v->snapshot, row, out);
	return true;
}

/* Appends "job 12 of emil", or "another job" if the viewer may not see the job. */
static void append_named_job(const struct why *w, const char *id)
{
	struct fs_job j;

	if (find_named_job(w, id, &j))
		APPEND_TO_LINE(w->line, "job %s of %s", id, *j.user ? j.user : "an unknown user");
	else
		APPEND_TO_LINE(w->line, "another job");
}

/* Returns true if the viewer may see all jobs that the cause names. */
static bool is_every_job_visible(const struct why *w)
{
	for (size_t i = 0; i < w->cause->nnames; i++)
		if (fs_explain_find_job(w->v->explain, w->cause->names[i]) == FS_NO_ROW)
			return false;
	return true;
}

/* Appends the names of the cause: at most MAX_NAMES of them, and the number of the others. */
static void append_names(const struct why *w)
{
	enum { MAX_NAMES = 4 };
	const size_t n = w->cause->nnames, shown = n > MAX_NAMES ? MAX_NAMES - 1 : n;

	for (size_t i = 0; i < shown; i++)
		APPEND_TO_LINE(w->line, "%s%s", !i ? "" : i + 1 == n ? " and " : ", ", w->cause->names[i]);
	if (shown < n)
		APPEND_TO_LINE(w->line, " and %zu more", n - shown);
}

/* Returns the latest end of the jobs that the cause names; FS_UNKNOWN: the end of one of them is not known. */
static int64_t get_latest_end(const struct why *w)
{
	int64_t latest = FS_UNKNOWN;
	struct fs_job j;

	for (size_t i = 0; i < w->cause->nnames; i++) {
		if (!find_named_job(w, w->cause->names[i], &j) || j.times.end == FS_UNKNOWN ||
		    explain_is_job_suspended(&j))
			return FS_UNKNOWN;
		latest = latest == FS_UNKNOWN || j.times.end > latest ? j.times.end : latest;
	}
	return latest;
}

/* ---- one clause for each kind of cause */

/* Appends a clause that says why the job waits according to its verdict. */
static void append_verdict(const struct why *w)
{
	char words[VERDICT_TEXT];

	format_verdict_clause(words, w->v->vocabulary, w->v->snapshot, &w->job->verdict);
	APPEND_TO_LINE(w->line, "%s", *words ? words : "the cause is not known");
}

/* Returns the resource that is not free. */
static const char *get_missing_resource(const struct why *w)
{
	switch (w->plan.wait) {
	case FS_PLAN_WAIT_MEMORY:
		return "memory";
	case FS_PLAN_WAIT_GRES:
		return "GPUs or other GRES";
	case FS_PLAN_WAIT_NODES:
		return "nodes";
	case FS_PLAN_WAIT_CPUS:
		return w->v->vocabulary->cpus;
	default:
		return "resources";
	}
}

/* Appends the running jobs that the cause names: "job 12 of emil", "jobs 12, 13 and 14" or "2 other jobs". */
static void append_cause_jobs(const struct why *w)
{
	if (w->cause->nnames == 1) {
		append_named_job(w, w->cause->names[0]);
	} else if (!is_every_job_visible(w)) {
		APPEND_TO_LINE(w->line, "%zu other jobs", w->cause->nnames);
	} else {
		APPEND_TO_LINE(w->line, "jobs ");
		append_names(w);
	}
}

/* Appends a clause for running jobs. If the plan gives the nodes to other pending jobs first, the job may fit on the
 * free resources. In this case, the clause does not say that the job needs the resources of the running jobs. */
static void append_running_jobs(const struct why *w)
{
	const bool waits_for_others = w->plan.wait == FS_PLAN_WAIT_PLANNED;
	const int64_t end = get_latest_end(w);

	if (waits_for_others)
		APPEND_TO_LINE(w->line, "it waits for the end of ");
	else
		APPEND_TO_LINE(w->line, "it needs %s that ", get_missing_resource(w));
	append_cause_jobs(w);
	if (!waits_for_others)
		APPEND_TO_LINE(w->line, w->cause->nnames == 1 ? " uses" : " use");
	if (end != FS_UNKNOWN)
		APPEND_TO_LINE(w->line, waits_for_others ? ", %s at the latest" : ", until %s at the latest",
			       format_full_time(BUF, w->v->snapshot, end));
}

/* Appends the number of jobs ahead, and the account with the most of them. If there are none in the partition, appends
 * the number of jobs in other partitions that compete for the same nodes. */
static void append_jobs_ahead(const struct why *w)
{
	const struct fs_explain_ahead *a = &w->job->ahead;
	const struct fs_explain_group *most = a->ngroups ? &a->groups[0] : NULL;
	const uint64_t others = explain_count_rivals(a, true);

	if (!a->all.jobs && !others) {
		APPEND_TO_LINE(w->line, "other jobs get the nodes first");
		return;
	}
	APPEND_TO_LINE(w->line, "%s%s ahead of it", w->job->jobs_missing ? "at least " : "",
		       format_counted_term(BUF, a->all.jobs ? a->all.jobs : others, "job is", "jobs are"));
	if (a->all.jobs && most && *most->account && most->jobs < a->all.jobs)
		APPEND_TO_LINE(w->line, ", %" PRIu64 " of account %s", most->jobs, most->account);
	if (!a->all.jobs)
		APPEND_TO_LINE(w->line, " in other %s that use the same nodes", w->v->vocabulary->partitions);
}

static void append_ahead(const struct why *w)
{
	if (!w->cause->nnames) {
		append_jobs_ahead(w);
		return;
	}
	APPEND_TO_LINE(w->line, "the nodes it needs are planned for ");
	append_named_job(w, w->cause->names[0]);
	APPEND_TO_LINE(w->line, ", which is tried first");
}

/* Finds the reservation that the cause names. */
static bool find_named_reservation(const struct why *w, struct fs_reservation *out)
{
	for (size_t i = 0; fs_snapshot_reservation(w->v->snapshot, i, out); i++)
		if (!strcmp(out->name, w->cause->names[0]))
			return true;
	return false;
}

static void append_reservation(const struct why *w)
{
	const fs_snapshot *s = w->v->snapshot;
	struct fs_reservation r;

	if (!w->cause->nnames || !find_named_reservation(w, &r)) {
		APPEND_TO_LINE(w->line, "nodes that it needs are reserved");
		return;
	}
	APPEND_TO_LINE(w->line, "reservation %s holds nodes that it %s", r.name,
		       r.end_time == FS_UNKNOWN || w->plan.start_time == FS_UNKNOWN || w->plan.start_time >= r.end_time
			       ? "needs"
			       : "could use");
	if (r.start_time != FS_UNKNOWN && r.start_time > fs_snapshot_info(s)->time && r.end_time != FS_UNKNOWN)
		APPEND_TO_LINE(w->line, " from %s to %s", format_full_time(BUF, s, r.start_time),
			       format_full_time(BUF, s, r.end_time));
	else if (r.end_time != FS_UNKNOWN)
		APPEND_TO_LINE(w->line, " until %s", format_full_time(BUF, s, r.end_time));
}

/* Returns the reason that is recorded for all nodes of the cause; "" if there is none, or if their reasons differ. */
static const char *get_common_node_reason(const struct why *w)
{
	struct fs_node first, other;

	if (!w->cause->nnames || !fs_snapshot_node(w->v->snapshot, w->cause->names[0], &first))
		return "";
	for (size_t i = 1; i < w->cause->nnames; i++)
		if (!fs_snapshot_node(w->v->snapshot, w->cause->names[i], &other) ||
		    strcmp(first.reason, other.reason) != 0)
			return "";
	return first.reason;
}

/* Appends the nodes that are down or drained, and the reason that the scheduler shows for them. */
static void append_unavailable_nodes(const struct why *w)
{
	const char *reason = get_common_node_reason(w);
	struct fs_node n;

	if (w->job->verdict.kind == FS_VERDICT_NODES || !w->cause->nnames) {
		append_verdict(w);
	} else if (w->cause->nnames == 1 && fs_snapshot_node(w->v->snapshot, w->cause->names[0], &n)) {
		APPEND_TO_LINE(w->line, "node %s, which it could use, is %s", n.name, n.state);
	} else {
		APPEND_TO_LINE(w->line, "%zu nodes that it could use are down or drained: ", w->cause->nnames);
		append_names(w);
	}
	if (*reason)
		APPEND_TO_LINE(w->line, " (%s)", reason);
}

const char *explain_format_cycle_end(char buf[WORDS], const struct fs_plan_row *r)
{
	return format_words(buf, "a scheduling cycle ends before it reaches this job in the queue (%s=%lld)",
			    r->cycle_limit.name, (long long)r->cycle_limit.value);
}

static void append_search_limit(const struct why *w)
{
	if (w->plan.state == FS_PLAN_NOT_REACHED)
		APPEND_TO_LINE(w->line, "%s", explain_format_cycle_end(BUF, &w->plan));
	else
		APPEND_TO_LINE(w->line, "the scheduler looks for a start only in the next %s (bf_window)",
			       format_time_span(BUF, (double)w->plan.window_s));
}

/* Appends a clause for a job for which no constraint was found whose removal helps. */
static void append_unknown(const struct why *w)
{
	if (!w->plan.job || w->job->verdict.kind < FS_VERDICT_BEHIND ||
	    (w->job->verdict.kind == FS_VERDICT_FIRST && w->plan.start_time == FS_UNKNOWN))
		append_verdict(w);
	else if (w->plan.state == FS_PLAN_NEVER && w->plan.wait != FS_PLAN_WAIT_COMPONENT)
		APPEND_TO_LINE(w->line, "no nodes that are up fit it");
	else if (w->plan.state == FS_PLAN_BLOCKED && *w->plan.limit.name)
		APPEND_TO_LINE(w->line, "jobs that start before it reach limit %s of %s", w->plan.limit.name,
			       w->plan.limit.of);
	else if (explain_exceeds_limit_when_allocated(&w->plan))
		APPEND_TO_LINE(w->line, "its request fits a limit that its planned nodes exceed");
	else
		APPEND_TO_LINE(w->line, "the cause is not known: %s", w->cause->why_not);
}

/* Returns true if the line says that the plan starts the job now. If not, the line has the verdict. */
static bool is_planned_now(const struct why *w)
{
	return w->job->ahead.all.entries || w->job->verdict.kind == FS_VERDICT_FIRST;
}

/* Appends a clause for a job that the plan starts in less than a minute. */
static void append_planned_now(const struct why *w)
{
	const struct fs_explain_group *ahead = &w->job->ahead.all;

	if (!is_planned_now(w)) {
		append_verdict(w);
		return;
	}
	APPEND_TO_LINE(w->line, "the plan starts it %s",
		       w->plan.state == FS_PLAN_NOW ? "now" : "in less than a minute");
	if (ahead->entries)
		APPEND_TO_LINE(w->line, " despite the %s%s ahead of it", w->job->jobs_missing ? "at least " : "",
			       format_entry_count(BUF, ahead->entries, ahead->jobs));
}

static void append_closed_partition(const struct why *w)
{
	if (w->job->verdict.kind <= FS_VERDICT_NODES || !w->cause->nnames)
		append_verdict(w);
	else
		APPEND_TO_LINE(w->line, "%s %s is closed", w->v->vocabulary->partition, w->cause->names[0]);
}

static void append_licenses(const struct why *w)
{
	APPEND_TO_LINE(w->line, "the licenses that it asks for are not free");
}

static void append_cause(const struct why *w)
{
	static void (*const clauses[FS_CAUSE_KINDS])(const struct why *w) = {
		[FS_CAUSE_RUNNING] = append_running_jobs,
		[FS_CAUSE_AHEAD] = append_ahead,
		[FS_CAUSE_RESERVATION] = append_reservation,
		[FS_CAUSE_NODES] = append_unavailable_nodes,
		[FS_CAUSE_PARTITION] = append_closed_partition,
		[FS_CAUSE_LICENSES] = append_licenses,
		[FS_CAUSE_NOT_REACHED] = append_search_limit,
		[FS_CAUSE_NONE] = append_planned_now,
		[FS_CAUSE_UNKNOWN] = append_unknown,
	};

	if (w->job->verdict.kind < FS_VERDICT_UNKNOWN || !clauses[w->cause->kind]) /* the job is not eligible */
		append_verdict(w);
	else
		clauses[w->cause->kind](w);
}

/* ---- what the cause costs */

/* Formats a text for a cause that is several running or pending jobs. The jobs of the first cause are named before; of
 * another cause, at most two are named. `also`: end of the text. */
static const char *format_job_set(const struct why *w, char buf[WORDS], const char *also)
{
	const struct fs_cause *x = w->cause;

	if (x == fs_causes_row(w->v->causes, 0))
		return format_words(buf, "Without these %zu jobs%s", x->nnames, also);
	if (x->nnames == 2 && is_every_job_visible(w))
		return format_words(buf, "Without jobs %.24s and %.24s%s", x->names[0], x->names[1], also);
	return format_words(buf, "Without %zu of the %s jobs%s", x->nnames,
			    x->kind == FS_CAUSE_RUNNING ? "running" : "pending", also);
}

/* Formats a text for a cause that is running or pending jobs. Without names, all jobs ahead are the cause. */
static const char *format_jobs_text(const struct why *w, char buf[WORDS])
{
	const struct fs_cause *x = w->cause;
	const char *also = x->remove ? "" : ", and with the highest priority";

	if (!x->nnames)
		return "With the highest priority";
	if (x->nnames > 1)
		return format_job_set(w, buf, also);
	return is_every_job_visible(w) ? format_words(buf, "Without job %.80s%s", *x->names, also)
				       : format_words(buf, "Without that job%s", also);
}

/* Returns a text for the state in which the cause is removed, as the beginning of a sentence. */
static const char *get_without_text(const struct why *w, char buf[WORDS])
{
	static const char *const texts[FS_CAUSE_KINDS] = {
		[FS_CAUSE_HELD] = "If it is released now",        [FS_CAUSE_BEGIN] = "Without the begin time",
		[FS_CAUSE_DEPENDENCY] = "Without the dependency", [FS_CAUSE_ARRAY_LIMIT] = "Without the array's limit",
		[FS_CAUSE_LICENSES] = "With enough licenses",     [FS_CAUSE_PARTITION] = "Without this restriction",
	};
	const struct fs_cause *x = w->cause;

	switch (x->kind) {
	case FS_CAUSE_LIMIT:
		return w->job->verdict.limit || !x->nnames ? "Without the limit"
							   : format_words(buf, "Without %.80s", *x->names);
	case FS_CAUSE_RESERVATION:
		return x->nnames ? format_words(buf, "Without reservation %.80s", *x->names)
				 : "Without the reservation";
	case FS_CAUSE_NODES:
		return x->nnames == 1 ? format_words(buf, "With node %.80s", *x->names)
				      : format_words(buf, "With these %zu nodes", x->nnames);
	case FS_CAUSE_NOT_REACHED:
		return format_words(buf, "With a higher %.80s", *x->names);
	default:
		return texts[x->kind] ? texts[x->kind] : format_jobs_text(w, buf);
	}
}

const char *explain_format_start_without(char buf[WORDS], const struct explain_view *v, const struct fs_cause *x)
{
	const fs_snapshot *s = v->snapshot;

	return x->start_without <= fs_snapshot_info(s)->time ? "now" : format_full_time(buf, s, x->start_without);
}

static void append_start_without(const struct why *w, const struct fs_cause *x, const char *without)
{
	APPEND_TO_LINE(w->line, " %s: %s.", without, explain_format_start_without(BUF, w->v, x));
}

/* Returns the cause whose removal gives the earliest start, if that is at least a minute earlier than the start without
 * the named cause; else NULL. */
static const struct fs_cause *find_larger_cause(const struct why *w)
{
	const struct fs_cause *best = w->cause, *x;

	for (size_t i = 1; (x = fs_causes_row(w->v->causes, i)); i++)
		if (x->start_without != FS_UNKNOWN && x->start_without < best->start_without)
			best = x;
	return best->start_without <= w->cause->start_without - 60 ? best : NULL;
}

/* Appends the start without the cause. If another cause costs more, also appends the start without that one. */
static void append_size(const struct why *w)
{
	const struct fs_cause *larger;
	struct why other = *w;
	char a[WORDS];

	if (!w->cause || w->cause->start_without == FS_UNKNOWN)
		return;
	append_start_without(w, w->cause, get_without_text(w, a));
	larger = find_larger_cause(w);
	if (!larger)
		return;
	other.cause = larger;
	append_start_without(w, larger, get_without_text(&other, a));
}

/* ---- the tally of nodes */

/* Returns the partition whose nodes are counted: the partition of the planned start, or else the first one that the job
 * names; NULL: unknown. */
static const char *get_tally_partition(const struct why *w)
{
	return w->plan.job && *w->plan.partition ? w->plan.partition
						 : fs_job_partition(w->v->snapshot, w->job->job_row, 0);
}

/* Counts the nodes of that partition. Returns false if the counts are not known. */
static bool count_nodes(const struct why *w, struct fs_node_tally *out)
{
	const char *partition = get_tally_partition(w);
	struct fs_error err;
	int rc;

	if (!partition)
		return false;
	rc = fs_node_tally_job(w->v->snapshot, w->job->job_row, partition, out, &err);
	*w->failed = *w->failed || rc == FS_ENOMEM;
	return !rc;
}

/* If no node of the job's partition is available, says so. Used for a job without a recorded reason. */
static void append_unavailable_partition(const struct why *w)
{
	struct fs_node_tally t;

	if (w->job->verdict.kind != FS_VERDICT_UNKNOWN || !count_nodes(w, &t) || !t.nodes || t.unavailable < t.nodes)
		return;
	APPEND_TO_LINE(w->line,
		       t.nodes == 1 ? " The only node of %s is down or drained"
				    : " All nodes of %s are down or drained",
		       t.partition);
	APPEND_TO_LINE(w->line,
		       *t.unavailable_reason ? " (%" PRIu32 " of %" PRIu32 ", %s)." : " (%" PRIu32 " of %" PRIu32 ").",
		       t.unavailable, t.nodes, t.unavailable_reason);
}

/* For a job that waits for nodes, appends how many nodes of its partition cannot take it now, and why. */
static void append_tally(const struct why *w)
{
	struct fs_node_tally t;

	if (!w->cause || w->job->verdict.kind < FS_VERDICT_NODES ||
	    (w->cause->kind != FS_CAUSE_RUNNING && w->cause->kind != FS_CAUSE_NODES &&
	     w->cause->kind != FS_CAUSE_UNKNOWN) ||
	    !count_nodes(w, &t) || t.nodes < 2)
		return;
	const struct {
		uint32_t n;
		const char *one, *many, *text;
	} counts[] = {
		{ t.unavailable, "is", "are", "down or drained" },
		{ t.unknown, "is", "are", "of unknown size" },
		{ t.small_cpus, "has", "have", "too few CPUs" },
		{ t.small_memory, "has", "have", "too little memory" },
		{ t.small_gres, "has", "have", "too few GPUs or other GRES" },
		{ t.excluded, "does", "do", "not meet the job's constraints" },
		{ t.reserved, "is", "are", "reserved" },
		{ t.busy_cpus, "has", "have", "too few free CPUs" },
		{ t.busy_memory, "has", "have", "too little free memory" },
		{ t.busy_gres, "has", "have", "too few free GPUs or other GRES" },
		{ t.partly_free, "has", "have", "some free resources" },
	};
	bool any = false;

	APPEND_TO_LINE(w->line, " Of %" PRIu32 " nodes of %s: ", t.nodes, t.partition);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (!counts[i].n)
			continue;
		APPEND_TO_LINE(w->line, "%s%" PRIu32 " %s %s", any ? ", " : "", counts[i].n,
			       counts[i].n == 1 ? counts[i].one : counts[i].many, counts[i].text);
		any = true;
	}
	APPEND_TO_LINE(w->line, ".");
}

/* ---- the recorded reason */

/* Formats the recorded reason in the words that the user saw; "": none. Flux and Maui record states instead of reasons.
 * A state is shown only if it contains the name of a reason, such as "Depends:max-resources-user-limit". */
static void format_shown_reason(char reason[VERDICT_TEXT], const struct why *w)
{
	const struct fs_reason *known = w->job->verdict.reason;
	struct fs_job j;

	fs_snapshot_job(w->v->snapshot, w->job->job_row, &j);
	format_recorded_reason(reason, &w->job->verdict);
	if (w->v->dialect->records_waiting_reasons)
		return;
	if (*j.wait_message) {
		snprintf(reason, VERDICT_TEXT, "%s", j.wait_message);
		return;
	}
	if (known && has_text_ignoring_case(reason, known->name))
		snprintf(reason, VERDICT_TEXT, "%s", known->name);
	else
		*reason = '\0';
}

/* A node list, and the running job that uses one of its nodes. */
struct node_user {
	const struct why *w;
	char node[WORDS]; /* node that the job uses */
	uint32_t job_row; /* FS_NO_ROW: none found */
};

/* Returns true if the job runs on the node in u->node. */
static int compare_node_name(void *ctx, const char *name, size_t len)
{
	const struct node_user *u = ctx;

	return strlen(u->node) == len && !memcmp(u->node, name, len);
}

/* Finds a visible running job on the node. */
static int find_node_user(void *ctx, const char *name, size_t len)
{
	struct node_user *u = ctx;
	const fs_snapshot *s = u->w->v->snapshot;
	struct fs_job j;

	snprintf(u->node, sizeof(u->node), "%.*s", (int)len, name);
	for (uint32_t i = 0; i < fs_snapshot_info(s)->jobs; i++) {
		fs_snapshot_job(s, i, &j);
		if (strcmp(j.state, "RUNNING") != 0 || fs_hostlist_each(j.node_list, compare_node_name, u) != 1 ||
		    fs_explain_find_job(u->w->v->explain, format_display_job_id(BUF, s, i)) == FS_NO_ROW)
			continue;
		u->job_row = i;
		return 1;
	}
	return 0;
}

/* If the snapshot has no nodes, but the reason names unavailable nodes, appends the running job that uses one of
 * them. */
static void append_node_user(const struct why *w)
{
	static const char key[] = "UnavailableNodes:";
	const fs_snapshot *s = w->v->snapshot;
	const char *nodes = strstr(w->job->verdict.reason_text, key);
	struct node_user u = { w, "", FS_NO_ROW };
	struct fs_job j;
	int64_t end;

	if (!nodes || fs_snapshot_records(s, "node") || fs_hostlist_each(nodes + strlen(key), find_node_user, &u) != 1)
		return;
	fs_snapshot_job(s, u.job_row, &j);
	end = j.times.end == FS_UNKNOWN && j.times.start != FS_UNKNOWN && j.request.time_limit_s > 0
		      ? j.times.start + j.request.time_limit_s
		      : j.times.end;
	APPEND_TO_LINE(w->line, " Job %s of %s runs on %s", format_display_job_id(BUF, s, u.job_row),
		       *j.user ? j.user : "an unknown user", u.node);
	if (end != FS_UNKNOWN)
		APPEND_TO_LINE(w->line, ", until %s at the latest", format_full_time(BUF, s, end));
	APPEND_TO_LINE(w->line, ".");
}

/* Puts the recorded reason in front of the clause in `w->line`, unless the clause has it already or the reason is
 * stale. */
static void add_reason(const struct why *w)
{
	const bool is_cause_known = w->job->verdict.kind != FS_VERDICT_WAITS ||
				    (w->cause && w->cause->kind != FS_CAUSE_UNKNOWN) ||
				    w->v->dialect->records_waiting_reasons;
	char reason[VERDICT_TEXT], clause[BRIEF_LINE];

	format_shown_reason(reason, w);
	if (!*reason || w->job->verdict.stale || strstr(w->line, reason))
		return;
	snprintf(clause, sizeof(clause), "%s", w->line);
	*w->line = '\0';
	if (w->cause && w->cause->kind == FS_CAUSE_NONE && is_planned_now(w))
		APPEND_TO_LINE(w->line, "The recorded reason is %s, but %s", reason, clause);
	else
		APPEND_TO_LINE(w->line, is_cause_known ? "%s: %s" : "%s", reason, clause);
}

void explain_fill_why(char line[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_job *job,
		      bool *failed)
{
	struct why w = { .line = line, .v = v, .job = job, .failed = failed };

	w.cause = v->causes ? fs_causes_row(v->causes, 0) : NULL;
	explain_find_plan_row(v, job->job_row, &w.plan);
	if (w.cause)
		append_cause(&w);
	else
		append_verdict(&w);
	add_reason(&w);
	APPEND_TO_LINE(line, ".");
	if (line[0] >= 'a' && line[0] <= 'z')
		line[0] = (char)(line[0] - 'a' + 'A');
	append_size(&w);
	append_tally(&w);
	append_node_user(&w);
	append_unavailable_partition(&w);
	if (job->verdict.stale && job->verdict.reason)
		APPEND_TO_LINE(line, " The recorded reason, %s, no longer applies.", job->verdict.reason->name);
}
