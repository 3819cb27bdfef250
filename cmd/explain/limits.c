/* Sections of a job's page: limits and obstacles, the verdict, and the comparison with a started job. */
#include "columns/column.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- limits that block a job, with their usage, and obstacles that do not go away by waiting */

/* Formats the partition and QOS in which a limit applies: " in partition gpu with QOS high". Omits an empty
 * name. */
static void format_limit_choice(char *buf, size_t size, const char *partition, const char *qos)
{
	snprintf(buf, size, "%s%s%s%s", *partition ? " in partition " : "", partition, *qos ? " with QOS " : "", qos);
}

static void format_limit_scope(char *buf, size_t size, const struct fs_explain_limit *l)
{
	static const char *const kinds[] = { "the association of", "account", "QOS", "the partition's QOS" };
	char choice[300];

	format_limit_choice(choice, sizeof(choice), l->partition, l->scope == FS_LIMIT_QOS ? "" : l->qos);
	if (l->scope == FS_LIMIT_ASSOC)
		snprintf(buf, size, "%s %s in account %s%s", kinds[l->scope], l->counted_for, l->set_by, choice);
	else if (*l->counted_for)
		snprintf(buf, size, "%s %s, for %s%s", kinds[l->scope], l->set_by, l->counted_for, choice);
	else
		snprintf(buf, size, "%s %s%s", kinds[l->scope], l->set_by, choice);
}

static void add_limit_holders(struct page *p, const struct fs_explain_limit *l)
{
	enum { MAX_HOLDERS = 4 };

	for (size_t i = 0; i < l->nholders && i < MAX_HOLDERS; i++) {
		const struct fs_explain_holder *h = &l->holders[i];

		page_add_sentence(p, "%s%s", i ? "" : "by ", *h->user ? h->user : "others");
		if (*l->tres)
			page_append_text(p, " (%s in %s)", format_limit_amount(BUF, l, h->amount),
					 format_counted_term(BUF, h->jobs, "job", "jobs"));
		else
			page_append_text(p, " (%s)", format_counted_term(BUF, h->jobs, "job", "jobs"));
		page_append_text(p, i + 1 == l->nholders || i + 1 == MAX_HOLDERS ? "" : ",");
	}
	if (l->nholders > MAX_HOLDERS)
		page_add_sentence(p, "and %zu more", l->nholders - MAX_HOLDERS);
}

static void add_growth_cause(struct page *p, const struct fs_explain_limit *l)
{
	static const char *const why[] = { "", "takes whole nodes", "takes more CPUs for its memory",
					   "takes whole cores", "takes CPUs for each GPU" };

	if (l->grows)
		page_add_sentence(p, "It asks for less, but %s.", why[l->grows]);
}

/* Appends the text of a limit on a single job: "a job may ask for at most 4 CPUs on a node; this job asks for 8
 * CPUs." */
static void add_request_limit(struct page *p, const struct fs_explain_limit *l)
{
	const bool on_node = is_limit_per_node(l);

	page_append_text(p, " a job may ask for %s %s%s; this job %s %s.", l->is_min ? "no less than" : "at most",
			 format_limit_amount(BUF, l, l->value), on_node ? " on a node" : "",
			 is_limit_of_larger_nodes(l) ? "takes at least"
			 : l->grows                  ? "takes"
						     : "asks for",
			 format_limit_amount(BUF, l, l->wants));
	add_growth_cause(p, l);
}

static void add_used_amount(struct page *p, const struct fs_explain_limit *l)
{
	if (isnan(l->used))
		page_append_text(p, "the limit is %s, its usage is not known", format_limit_amount(BUF, l, l->value));
	else
		page_append_text(p, "%s", format_limit_use(BUF, l));
}

/* The kinds of notes on a limit that does not block the job. FITS: the job does not exceed the limit. FITS_AS_VISIBLE:
 * the job does not exceed the limit, unless jobs that the viewer may not see use it too. FITS_AS_REQUESTED: the request
 * does not exceed the limit, but the planned allocation (whole nodes or sockets) does. */
enum limit_fit { FITS, FITS_AS_VISIBLE, FITS_AS_REQUESTED };

static void add_limit_free_note(struct page *p, enum limit_fit fit)
{
	page_add_sentence(p, fit == FITS ? "It fits the limit now: it is tried again in the next scheduling cycle."
			     : fit == FITS_AS_VISIBLE ? "Counting only visible jobs, it fits the limit."
						      : "Its request fits the limit, but its planned nodes exceed it.");
}

static void add_limit_usage(struct page *p, const struct fs_explain_limit *l, bool hidden, enum limit_fit fit)
{
	page_append_text(p, hidden && l->nholders ? " at least " : " ");
	add_used_amount(p, l);
	if (l->nholders)
		page_append_text(p, ",");
	add_limit_holders(p, l);
	if (!isnan(l->reserved_minutes))
		page_append_text(p, "; running jobs may still use %s",
				 format_limit_amount(BUF, l, l->reserved_minutes));
	if ((*l->tres || is_limit_on_time(l)) && l->wants > 0)
		page_append_text(p, "; this job would add %s", format_limit_amount(BUF, l, l->wants));
	page_append_text(p, ".");
	add_growth_cause(p, l);
	if (l->factor != 1)
		page_add_sentence(p, "The limit is multiplied by the LimitFactor %s of the QOS.",
				  format_config_number(BUF, l->factor));
	if (!strcmp(l->tres, "node") && !is_limit_in_minutes(l))
		page_add_sentence(p, "Nodes already in use there are not counted twice.");
	if (l->never && l->wants > l->value)
		page_add_sentence(p, "This exceeds the whole limit: the job cannot start even if nothing else runs.");
	else if (!l->blocks && !isnan(l->used))
		add_limit_free_note(p, fit);
}

static void add_limit_paragraph(struct page *p, const struct fs_explain_limit *l, bool hidden, enum limit_fit fit)
{
	char scope[800];

	format_limit_scope(scope, sizeof(scope), l);
	page_add_sentence(p, "%s of %s:", l->name, scope);
	if (l->per_job)
		add_request_limit(p, l);
	else
		add_limit_usage(p, l, hidden, fit);
	page_end_paragraph(p);
}

/* If limits block the job in some of its partitions and QOS, adds the partitions and QOS in which no limit blocks
 * it. */
static void add_unblocked_choices(struct page *p, const struct fs_explain_job *job)
{
	char choice[300];
	size_t open = 0, listed = 0;

	for (size_t i = 0; i < job->nchoices; i++)
		open += !job->choices[i].blocked && !job->choices[i].never;
	if (!open || open == job->nchoices)
		return;
	page_add_sentence(p, "Nothing listed above blocks it");
	for (size_t i = 0; i < job->nchoices; i++) {
		const struct fs_explain_choice *c = &job->choices[i];

		if (c->blocked || c->never)
			continue;
		format_limit_choice(choice, sizeof(choice), c->partition, c->qos);
		page_append_text(p, "%s%s", listed ? listed + 1 == open ? " or" : "," : "", choice);
		listed++;
	}
	page_append_text(p, ".");
	page_end_paragraph(p);
}

static void add_obstacle_paragraph(struct page *p, const struct fs_explain_obstacle *o)
{
	if (!strcmp(o->what, "time"))
		page_add_sentence(p, "Partition %s: it asks for %s, but at most %s is allowed there.", o->partition,
				  format_time_span(BUF, o->wants), format_time_span(BUF, o->has));
	else if (!strcmp(o->what, "min_nodes"))
		page_add_sentence(p, "Partition %s: it asks for at most %s, but jobs there get at least %s.",
				  o->partition, format_tres_amount(BUF, "node", o->wants),
				  format_tres_amount(BUF, "node", o->has));
	else if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		page_add_sentence(p, "Partition %s does not admit %s %s.", o->partition,
				  !strcmp(o->what, "qos") ? "QOS" : "account", o->name);
	else
		page_add_sentence(p, "Partition %s: it asks for %s, but the partition has %s.", o->partition,
				  format_tres_amount(BUF, o->what, o->wants), format_tres_amount(BUF, o->what, o->has));
	page_end_paragraph(p);
}

static bool is_limit_in_reason(const struct fs_explain_job *job)
{
	return job->reason && *job->reason->limit &&
	       (job->section == FS_SECTION_ASSOC_LIMIT || job->section == FS_SECTION_QOS_LIMIT);
}

/* If the snapshot has no limit of the kind that the scheduler's reason names, adds a sentence that says that this limit
 * is missing. */
static void add_unknown_limit(struct page *p, const struct fs_explain_job *job)
{
	for (size_t i = 0; i < job->nlimits; i++)
		if (job->limits[i].named)
			return;
	page_add_sentence(
		p, "%s%s%s%s of the %s, which the recorded reason names, is not in the snapshot: its usage is unknown.",
		job->reason->limit, *job->reason->resource ? " (" : "", job->reason->resource,
		*job->reason->resource ? ")" : "", job->section == FS_SECTION_QOS_LIMIT ? "QOS" : "association");
	page_end_paragraph(p);
}

void explain_add_limits(struct page *p, const struct fs_explain_job *job, bool gets_too_much)
{
	const enum limit_fit fit = gets_too_much ? FITS_AS_REQUESTED : job->jobs_hidden ? FITS_AS_VISIBLE : FITS;

	if (job->state == FS_EXPLAIN_RUNNING || job->state == FS_EXPLAIN_ENDED)
		return;
	if (job->nobstacles) {
		page_add_gap(p);
		page_add_heading(p, "WHERE IT CANNOT START");
		for (size_t i = 0; i < job->nobstacles; i++)
			add_obstacle_paragraph(p, &job->obstacles[i]);
	}
	if (job->nlimits || is_limit_in_reason(job)) {
		page_add_gap(p);
		page_add_heading(p, "LIMITS");
		if (is_limit_in_reason(job))
			add_unknown_limit(p, job);
		for (size_t i = 0; i < job->nlimits; i++)
			add_limit_paragraph(p, &job->limits[i], job->jobs_hidden, fit);
	}
	if (job->nobstacles || job->nlimits)
		add_unblocked_choices(p, job);
}

/* ---- writing the verdict into a page, as a sentence */

void explain_add_verdict(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const enum fs_verdict_kind kind = job->verdict.kind;
	char words[VERDICT_TEXT], remedy[VERDICT_TEXT];

	format_verdict_clause(words, v->vocabulary, v->snapshot, &job->verdict);
	if (kind == FS_VERDICT_HELD)
		page_add_sentence(p, "It is %s.", *words ? words : "held");
	else if (!strncmp(words, "waits for ", strlen("waits for ")))
		page_add_sentence(p, "It %s.", words);
	else if (*words)
		page_add_sentence(p, "%c%s.", *words >= 'a' && *words <= 'z' ? *words - 'a' + 'A' : *words, words + 1);
	if (!v->advise && explain_has_remedy(v, &job->verdict))
		page_add_sentence(p, "%s", format_verdict_remedy(remedy, v->vocabulary, &job->verdict));
	else if (kind == FS_VERDICT_HELD && v->dialect->explain->held_has_no_position)
		page_add_sentence(p, "While it is held it is not eligible%s.",
				  job->nsums ? "" : ", has no priority and does not age");
	else if (job->verdict.stale)
		page_add_sentence(p, "The recorded reason, %s, no longer applies.", job->verdict.reason->name);
}

void explain_add_not_eligible(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	char words[VERDICT_TEXT];

	if (job->nsums && job->sums->position)
		return;
	page_add_sentence(p, "Job %s is not eligible: %s.", format_display_job_id(BUF, v->snapshot, job->job_row),
			  format_verdict_clause(words, v->vocabulary, v->snapshot, &job->verdict));
}

/* ---- sentences that compare a job that has started with another job: when the first job started, whether backfill or
 * the main scheduling loop started it, and the state of the other job at that time */

/* Returns true if the job was cancelled while pending. For such a job, Slurm stores the time of the cancellation as the
 * start time too. */
static bool has_never_run(const struct fs_explain_job *job, const struct fs_job *j)
{
	return job->state == FS_EXPLAIN_ENDED && !*j->node_list && j->times.start != FS_UNKNOWN &&
	       j->times.start == j->times.end;
}

static bool is_partition_requested(const fs_snapshot *s, uint32_t row, const char *partition)
{
	const char *own;

	for (size_t i = 0; (own = fs_job_partition(s, row, i)); i++)
		if (!strcmp(own, partition))
			return true;
	return false;
}

static void add_other_job_partitions(struct page *p, const fs_snapshot *s, const char *partition, uint32_t other_row)
{
	const char *own = fs_job_partition(s, other_row, 0);

	if (!own || is_partition_requested(s, other_row, partition))
		return;
	page_add_sentence(p, "Job %s asks for %s", format_display_job_id(BUF, s, other_row),
			  format_cell_name(BUF, own));
	for (size_t i = 1; (own = fs_job_partition(s, other_row, i)); i++)
		page_add_sentence(p, "or %s", format_cell_name(BUF, own));
	page_append_text(p, ".");
}

/* Adds a sentence that says whether backfill or the main scheduling loop started the job. Only Slurm records this
 * (Scheduler= of scontrol show job). */
static void add_start_rule(struct page *p, const fs_snapshot *s, uint32_t row, const struct fs_job *j,
			   uint32_t other_row)
{
	const char *partition = fs_job_partition(s, row, 0);

	if (partition)
		page_add_sentence(p, "It started in %s,", format_cell_name(BUF, partition));
	else
		page_add_sentence(p, "It started");
	if (!strncmp(j->evaluated_by, "Backfill", strlen("Backfill")))
		page_add_sentence(p, "by backfill, which may start jobs out of order.");
	else if (!strcmp(j->evaluated_by, "Main"))
		page_add_sentence(p, "in the order of priorities (main scheduler).");
	else
		page_add_sentence(p, "but it is not recorded whether by its priority or by backfill.");
	if (partition)
		add_other_job_partitions(p, s, partition, other_row);
}

static void add_both_priorities(struct page *p, const fs_snapshot *s, const struct fs_job *started,
				const struct fs_job *other, uint32_t other_row)
{
	/* a priority of 0 means that the job is held */
	if (started->priority == FS_UNKNOWN || !started->priority || other->priority == FS_UNKNOWN || !other->priority)
		return;
	page_add_sentence(p, "It started with priority %" PRId64 "; job %s has %" PRId64 " now.", started->priority,
			  format_display_job_id(BUF, s, other_row), other->priority);
}

/* Adds the end of a sentence, which says whether job `other` was already submitted and eligible when job `started`
 * began to run. Returns true if `other` was waiting at that time. */
static bool add_other_job_state(struct page *p, const fs_snapshot *s, const struct fs_job *started,
				const struct fs_job *other, uint32_t other_row)
{
	const int64_t start = started->times.start;
	char id[WORDS];

	format_display_job_id(id, s, other_row);
	if (other->times.submit != FS_UNKNOWN && start == other->times.submit)
		page_append_text(p, ", the second in which job %s was submitted.", id);
	else if (other->times.submit != FS_UNKNOWN && start < other->times.submit)
		page_append_text(p, ", before job %s was submitted (%s).", id,
				 format_short_time(BUF, s, other->times.submit));
	else if (other->times.eligible != FS_UNKNOWN && start < other->times.eligible)
		page_append_text(p, ", before job %s was eligible (%s).", id,
				 format_short_time(BUF, s, other->times.eligible));
	else if (other->times.submit == FS_UNKNOWN)
		page_append_text(p, ". The submit time of job %s is not recorded.", id);
	else {
		page_append_text(p, ", while job %s waited.", id);
		return true;
	}
	return false;
}

static void add_job_start(struct page *p, const fs_snapshot *s, const struct fs_explain_job *job,
			  const struct fs_job *j)
{
	char user[WORDS];

	page_add_sentence(p, "Job %s (%s)", format_display_job_id(BUF, s, job->job_row),
			  format_cell_name(user, j->user));
	if (has_never_run(job, j)) {
		page_add_sentence(p, "never ran: it ended at %s (%s)", format_short_time(BUF, s, j->times.end),
				  j->state);
		return;
	}
	if (j->times.start == FS_UNKNOWN)
		page_add_sentence(p, job->state == FS_EXPLAIN_ENDED
					     ? "has ended; whether and when it started is not recorded"
					     : "has started; its start time is not recorded");
	else if (job->state == FS_EXPLAIN_ENDED)
		page_add_sentence(p, "ran from %s", format_short_time(BUF, s, j->times.start));
	else if (explain_is_job_suspended(j))
		page_append_text(p, ", suspended now, started at %s", format_short_time(BUF, s, j->times.start));
	else
		page_add_sentence(p, "has been running since %s", format_short_time(BUF, s, j->times.start));
	if (job->state == FS_EXPLAIN_ENDED && j->times.end != FS_UNKNOWN)
		page_add_sentence(p, "to %s", format_short_time(BUF, s, j->times.end));
}

bool explain_is_job_suspended(const struct fs_job *j)
{
	return !strcmp(j->state, "SUSPENDED");
}

bool explain_has_job_started(const struct fs_explain_job *job)
{
	return job->state == FS_EXPLAIN_RUNNING || job->state == FS_EXPLAIN_ENDED;
}

static void add_both_starts(struct page *p, const fs_snapshot *s, const struct fs_explain_job *a,
			    const struct fs_explain_job *b)
{
	struct fs_job x, y;

	fs_snapshot_job(s, a->job_row, &x);
	fs_snapshot_job(s, b->job_row, &y);
	add_job_start(p, s, a, &x);
	page_append_text(p, ".");
	add_job_start(p, s, b, &y);
	page_append_text(p, ".");
	if (x.times.start != FS_UNKNOWN && x.times.start == y.times.start)
		page_add_sentence(p, "They started in the same second.");
}

void explain_add_started_pair(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			      const struct fs_explain_job *b)
{
	const fs_snapshot *s = v->snapshot;
	const struct fs_explain_job *first = explain_has_job_started(a) ? a : b;
	const struct fs_explain_job *second = first == a ? b : a;
	struct fs_job started, other;

	if (explain_has_job_started(second)) {
		add_both_starts(p, s, a, b);
		return;
	}
	fs_snapshot_job(s, first->job_row, &started);
	fs_snapshot_job(s, second->job_row, &other);
	add_job_start(p, s, first, &started);
	if (started.times.start == FS_UNKNOWN || has_never_run(first, &started)) {
		page_append_text(p, ".");
	} else if (add_other_job_state(p, s, &started, &other, second->job_row)) {
		add_start_rule(p, s, first->job_row, &started, second->job_row);
		add_both_priorities(p, s, &started, &other, second->job_row);
	}
	explain_add_not_eligible(p, v, second);
}
