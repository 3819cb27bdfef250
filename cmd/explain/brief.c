/* The summary of a job: the lines "Why", "When", "Ahead" and "What you can do". */
#include "explain/explain.h"
#include "explain/text.h"
#include "fs/queue.h"
#include "fs/usage.h"
#include "page/page.h"
#include "render/text.h"
#include "words/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct job_summary {
	char why[BRIEF_LINE], when[BRIEF_LINE], ahead[BRIEF_LINE], todo[BRIEF_LINE];
	char command[BRIEF_LINE]; /* command that `todo` introduces; "": none */
	char effect[BRIEF_LINE];  /* clause about the effect of the command */
	bool failed;              /* memory ran out while a line was written, so the lines are incomplete */
};

/* ---- appending text to a summary line */

/* Returns true if the strings `text` and `more`, followed by a full stop, fit into two lines of the page. */
static bool fits_two_lines(const char *text, const char *more)
{
	char all[2 * BRIEF_LINE], *at = all;

	snprintf(all, sizeof(all), "%s%s.", text, more);
	for (int lines = 0; lines < 2 && *at; lines++) {
		at += page_count_fitting_bytes(at, 80 - PAGE_LABEL);
		at += strspn(at, " ");
	}
	return !*at;
}

static void append_if_short(char *line, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends the text to the summary line if the result fits in two lines of the page. */
static void append_if_short(char *line, const char *fmt, ...)
{
	char more[BRIEF_LINE];
	va_list ap;

	va_start(ap, fmt);
	format_args(more, sizeof(more), fmt, ap);
	va_end(ap);
	if (fits_two_lines(line, more))
		APPEND_TO_LINE(line, "%s", more);
}

/* ---- what the lines say about each kind of verdict */

/* Facts about a verdict, which select the texts of the lines. */
enum verdict_fact {
	BY_OWNER = 1 << 0,     /* the owner holds the job */
	BY_OPERATOR = 1 << 1,  /* an administrator holds the job */
	BY_REQUEUE = 1 << 2,   /* the job was requeued into a held state */
	BY_SUM = 1 << 3,       /* Flux: the priority sum holds the job (priority-hold), not a user or administrator */
	ON_TIME = 1 << 4,      /* the first dependency is a begin time */
	TIMED = 1 << 5,        /* the time of the verdict is known */
	EXCLUDED = 1 << 6,     /* the reservation does not admit the job */
	UNUSABLE = 1 << 7,     /* the reservation cannot be used now */
	PER_NODE = 1 << 8,     /* the limit applies to each node */
	LARGER_NODES = 1 << 9, /* the limit would allow the job on nodes with fewer CPUs */
	LIMITED = 1 << 10,     /* the limit is known */
	NEGATIVE = 1 << 11,    /* Maui: the priority is negative */
	REFUSED = 1 << 12,     /* the recorded reason is about the partition, and no limit is known */
	RECORDED = 1 << 13,    /* a reason is recorded */
	CLOSED = 1 << 14,      /* the partition or queue is closed */
	COUNTED = 1 << 15,     /* the nodes that suit the job are counted */
};

static unsigned get_verdict_facts(const struct fs_verdict *v)
{
	static const unsigned causes[FS_VERDICT_CAUSE_COUNT] = {
		[FS_VERDICT_CAUSE_OWNER] = BY_OWNER,       [FS_VERDICT_CAUSE_ADMINISTRATOR] = BY_OPERATOR,
		[FS_VERDICT_CAUSE_REQUEUE] = BY_REQUEUE,   [FS_VERDICT_CAUSE_ACCESS] = EXCLUDED,
		[FS_VERDICT_CAUSE_RESERVATION] = UNUSABLE, [FS_VERDICT_CAUSE_PARTITION] = CLOSED,
	};
	const struct fs_explain_limit *l = v->limit;
	unsigned facts = causes[v->cause];

	if (v->reason && !strcmp(v->reason->name, "priority-hold"))
		facts |= BY_SUM;
	if (v->reason && !strcmp(v->reason->name, "NegativePriority"))
		facts |= NEGATIVE;
	if (v->nneeds && !strncmp(v->needs[0].kind, "begin", strlen("begin")))
		facts |= ON_TIME;
	if (l)
		facts |= is_limit_per_node(l)          ? LIMITED | PER_NODE
			 : is_limit_of_larger_nodes(l) ? LIMITED | LARGER_NODES
						       : LIMITED;
	else if (v->reason && v->reason->section == FS_SECTION_PARTITION)
		facts |= REFUSED;
	return facts | (v->time != FS_UNKNOWN ? TIMED : 0u) | (*v->reason_text ? RECORDED : 0u) |
	       (v->nodes.all ? COUNTED : 0u);
}

/* The texts for a kind of verdict and for facts that must all be true. `ahead`: the line "Ahead" of a job that is not
 * eligible. `todo`: what to do about the cause. `when`: what must happen before the job can start; a text that does not
 * begin with "not" gives no condition. NULL: a later row has the text. The last row applies to every verdict. */
static const struct verdict_texts {
	enum fs_verdict_kind kind;
	unsigned facts;
	const char *ahead, *todo, *when;
} verdict_texts[] = {
	{ FS_VERDICT_NEVER, 0, "It is not eligible: it cannot start.", NULL, NULL },
	{ FS_VERDICT_HELD, BY_OWNER, NULL, "Release it.", NULL },
	{ FS_VERDICT_HELD, BY_OPERATOR, NULL, "Ask an administrator to release it.", NULL },
	{ FS_VERDICT_HELD, BY_REQUEUE, NULL,
	  "Fix what made it fail, then release it; if that is refused, ask an administrator.", NULL },
	{ FS_VERDICT_HELD, BY_SUM, NULL, "Raise its priority above 0: more urgency, another queue or another bank.",
	  "not before its priority is above 0" },
	{ FS_VERDICT_HELD, 0, "It is not eligible while it is held.", NULL, "not before it is released" },
	{ FS_VERDICT_DEPENDENCY, ON_TIME, NULL, NULL, "not before its begin time" },
	{ FS_VERDICT_DEPENDENCY, 0, "It is not eligible until its dependency is satisfied.",
	  "Wait for its dependency, or remove the dependency.", "not before its dependency is satisfied" },
	{ FS_VERDICT_BEGIN, 0, "It is not eligible until its begin time.",
	  "Wait for its begin time, or set an earlier one.", "not before its begin time, which is not recorded" },
	{ FS_VERDICT_RESERVATION, EXCLUDED, NULL,
	  "Run it without the reservation, or with an account that the reservation admits.",
	  "not while its reservation excludes it" },
	{ FS_VERDICT_RESERVATION, UNUSABLE | TIMED, NULL, "Wait until the reservation begins, or run it without one.",
	  NULL },
	{ FS_VERDICT_RESERVATION, UNUSABLE, NULL, "Wait until the reservation can be used, or run it without one.",
	  NULL },
	{ FS_VERDICT_RESERVATION, TIMED, "It is not eligible until its reservation begins.", NULL, NULL },
	{ FS_VERDICT_RESERVATION, 0, NULL, NULL, "the recorded reason does not give a time" },
	{ FS_VERDICT_ARRAY_LIMIT, 0, "It is not eligible while a limit blocks it.",
	  "Wait until a task of the array ends, or raise the array's limit (ArrayTaskThrottle).",
	  "not before a task of the array ends or the array's limit is raised" },
	{ FS_VERDICT_LIMIT, NEGATIVE, "It is not eligible while its priority is negative.", NULL, NULL },
	{ FS_VERDICT_LIMIT, REFUSED, NULL, NULL, "the recorded reason does not give a time" },
	{ FS_VERDICT_LIMIT, PER_NODE, NULL, "Wait until it can be spread over more nodes.",
	  "not before it can be spread over more nodes" },
	{ FS_VERDICT_LIMIT, LARGER_NODES, NULL, "Wait until nodes with fewer CPUs are free.",
	  "not before nodes with fewer CPUs are free" },
	{ FS_VERDICT_LIMIT, LIMITED, NULL, "Wait until less of the limit is in use.", NULL },
	{ FS_VERDICT_LIMIT, 0, "It is not eligible while a limit blocks it.", NULL,
	  "not before less of the limit is in use" },
	{ FS_VERDICT_UNKNOWN, RECORDED, NULL, NULL, "the recorded reason does not give a time" },
	{ FS_VERDICT_UNKNOWN, 0, "Unknown: the snapshot does not show whether it is eligible.", NULL,
	  "the snapshot does not show why it waits" },
	{ FS_VERDICT_NODES, CLOSED, NULL, "Ask an administrator when jobs can start there again, or move it.",
	  "not before an administrator lets jobs start there again" },
	{ FS_VERDICT_NODES, COUNTED, NULL, "Wait until the nodes are available again.",
	  "not before enough nodes are available again" },
	{ FS_VERDICT_NODES, 0, NULL, NULL, "the recorded reason does not give a time" },
	{ FS_VERDICT_COUNT, 0, "It is not eligible now.", "", "the plan finds no start for it" },
};

/* Returns the texts for the verdict. */
static struct verdict_texts get_verdict_texts(const struct fs_verdict *v)
{
	const unsigned facts = get_verdict_facts(v);
	struct verdict_texts found = { 0 };

	for (size_t i = 0; i < sizeof(verdict_texts) / sizeof(*verdict_texts); i++) {
		const struct verdict_texts *t = &verdict_texts[i];

		if ((t->kind != v->kind && t->kind != FS_VERDICT_COUNT) || (t->facts & ~facts))
			continue;
		found.ahead = found.ahead ? found.ahead : t->ahead;
		found.todo = found.todo ? found.todo : t->todo;
		found.when = found.when ? found.when : t->when;
	}
	return found;
}

/* For a job without a planned start, returns what must happen before it can start. If usage alone has reached the limit
 * that blocks the job, the condition depends on how usage decays. */
static const char *get_start_condition(const struct explain_view *view, const struct fs_verdict *v)
{
	const double half_life = fs_usage_half_life(view->snapshot);

	if (v->kind != FS_VERDICT_LIMIT || !v->limit || !is_limit_on_usage(v->limit) ||
	    v->limit->used < v->limit->value || isnan(half_life) || half_life < 0)
		return get_verdict_texts(v).when;
	return half_life == 0 ? "not before the limit is raised or its usage is reset: usage does not decay here"
			      : "not before the usage has decayed below the limit";
}

/* ---- the line "Ahead" */

/* Appends to the line "Ahead" the lead of `other` over `job` in points, and the main cause of this lead. Each of the
 * two jobs must have exactly one priority sum; these two sums are compared. */
static void append_priority_lead(char *line, const struct explain_view *v, const struct fs_explain_job *job,
				 const struct fs_explain_job *other)
{
	const struct fs_explain_sum *own = job->sums, *other_sum = other->sums;
	struct fs_explain_comparison d;

	if (fs_explain_compare_jobs(v->explain, other, job, &d) || isnan(d.queue_difference))
		return;
	append_if_short(line, ", by %.0f %s", d.queue_difference, d.queue_difference == 1 ? "point" : "points");
	if (other_sum->direct && !own->direct)
		append_if_short(line, ": its priority was %.60s", v->vocabulary->direct);
	else if (!other_sum->direct && !own->direct && d.differences && d.term != FS_NO_ROW && d.total > 0)
		append_if_short(line, ": %.60s %.30s against %.30s", format_factor_name(BUF, own->terms[d.term].name),
				format_factor_value(BUF, other_sum->terms[d.term].value),
				format_factor_value(BUF, own->terms[d.term].value));
}

/* Returns a short text for a sort key that decides which of two jobs is ahead; NULL: the key has no short text. */
static const char *get_queue_key_text(enum fs_queue_key key)
{
	static const char *const texts[FS_QUEUE_KEY_COUNT] = {
		[FS_QUEUE_KEY_SUBMIT] = ": same priority, submitted earlier",
		[FS_QUEUE_KEY_JOBID] = ": same priority, lower job id",
		[FS_QUEUE_KEY_TASK] = ": same priority, earlier array task",
		[FS_QUEUE_KEY_OPEN] = ": same priority; Maui does not define the order",
		[FS_QUEUE_KEY_EARLIER] = ": same priority now, higher before",
		[FS_QUEUE_KEY_CIRCLE] = ": the scheduler's sort for preemption puts it first",
		[FS_QUEUE_KEY_TIER] = ": its partition has a higher PriorityTier",
	};

	return texts[key];
}

/* Appends the job id, user and account of the queue row `next`, which is directly ahead of the job. Then appends why
 * `next` is ahead: by a number of points or for another reason. Appends nothing if `next` is FS_NO_ROW or its priority
 * sum is unknown. */
static void append_next_ahead(char line[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_job *job,
			      uint32_t next)
{
	struct fs_explain_job own = *job, other;
	struct fs_queue_row row;
	enum fs_queue_key key;
	size_t at;

	if (next == FS_NO_ROW || !explain_find_sum_of_row(v, next, &row, &other, &at))
		return;
	other.sums += at;
	own.nsums = other.nsums = 1;
	APPEND_TO_LINE(line, "%s of %s", format_display_job_id(BUF, v->snapshot, row.job_row),
		       *row.user ? row.user : "an unknown user");
	if (*row.account)
		append_if_short(line, " (%.200s)", row.account);
	key = fs_queue_deciding_key(v->eval->queue, next, own.sums->queue_row);
	if (key == FS_QUEUE_KEY_PRIORITY)
		append_priority_lead(line, v, &own, &other);
	else if (get_queue_key_text(key))
		append_if_short(line, "%s", get_queue_key_text(key));
	else
		APPEND_TO_LINE(line, ": %s", fs_queue_key_text(key));
}

/* Returns the text of the line "Ahead" for a job that is not eligible or has started. */
static const char *get_not_eligible_text(const struct fs_explain_job *job, const struct fs_job *j)
{
	if (job->state == FS_EXPLAIN_RUNNING)
		return explain_is_job_suspended(j) ? "Nobody: it is suspended." : "Nobody: it is running.";
	return job->state == FS_EXPLAIN_ENDED ? "Nobody: it has ended." : get_verdict_texts(&job->verdict).ahead;
}

/* Fills the line "Ahead" if jobs are missing from the snapshot: the number of jobs ahead is then a lower bound. If no
 * job ahead is visible, the line says that the number is unknown. */
static void fill_ahead_lower_bound(struct job_summary *b, const struct explain_view *v,
				   const struct fs_explain_job *job, const char *in)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const uint64_t jobs = a->all.jobs + a->unseen;

	if (!jobs) {
		APPEND_TO_LINE(b->ahead, "Unknown: %s.", get_missing_jobs_text(v->snapshot));
		return;
	}
	APPEND_TO_LINE(b->ahead, "At least %s%s; %s.", format_counted_term(BUF, jobs, "job", "jobs"), in,
		       get_missing_others_text(v->snapshot));
	if (!a->all.entries || a->next == FS_NO_ROW)
		return;
	APPEND_TO_LINE(b->ahead, " Closest visible: ");
	append_next_ahead(b->ahead, v, job, a->next);
	APPEND_TO_LINE(b->ahead, ".");
}

/* Appends the number of jobs in other partitions that compete for the same nodes and are tried earlier: "; 39 jobs in
 * gpu (tier 10) compete for the same nodes". Appends nothing if there are none. */
static void append_rivals(char *line, const struct explain_view *v, const struct fs_explain_ahead *a)
{
	const uint64_t jobs = explain_count_rivals(a, true);
	const struct fs_explain_rival *most = NULL;
	size_t partitions = 0;

	for (size_t i = 0; i < a->nrivals; i++) {
		const struct fs_explain_rival *r = &a->rivals[i];

		if (!r->certain || !r->jobs)
			continue;
		partitions++;
		most = most && most->jobs >= r->jobs ? most : r;
	}
	if (!most)
		return;
	APPEND_TO_LINE(line, "; %s in ", format_counted_term(BUF, jobs, "job", "jobs"));
	if (partitions > 1)
		APPEND_TO_LINE(line, "%zu other %s", partitions, v->vocabulary->partitions);
	else
		APPEND_TO_LINE(line, "%.100s", most->partition);
	if (partitions == 1 && most->tier != FS_UNKNOWN)
		APPEND_TO_LINE(line, " (tier %" PRId64 ")", most->tier);
	APPEND_TO_LINE(line, " %s for the same nodes", jobs == 1 ? "competes" : "compete");
}

static void fill_ahead_line(struct job_summary *b, const struct explain_view *v, const struct fs_explain_job *job,
			    const struct fs_job *j)
{
	const struct fs_explain_ahead *a = &job->ahead;
	char in[WORDS] = "";

	if (explain_has_job_started(job) || job->state == FS_EXPLAIN_NEVER || !job->nsums || !job->sums->position) {
		APPEND_TO_LINE(b->ahead, "%s", get_not_eligible_text(job, j));
		return;
	}
	if (is_verdict_without_position(&job->verdict)) {
		APPEND_TO_LINE(b->ahead, "Unknown: %s.", get_no_position_text(v->snapshot, &job->verdict));
		return;
	}
	if (!fs_queue_has_single_order(v->eval->queue) && *job->sums->partition)
		snprintf(in, sizeof(in), " in %.140s", job->sums->partition);
	if (job->jobs_missing) {
		fill_ahead_lower_bound(b, v, job, in);
		return;
	}
	if (!a->all.entries && !a->unseen) {
		APPEND_TO_LINE(b->ahead, "Nobody%s", in);
		append_rivals(b->ahead, v, a);
		APPEND_TO_LINE(b->ahead, ".");
		return;
	}
	if (a->all.entries > 1)
		APPEND_TO_LINE(b->ahead, "%s%s", format_entry_count(BUF, a->all.entries, a->all.jobs), in);
	if (a->all.entries > 1 && a->next != FS_NO_ROW)
		APPEND_TO_LINE(b->ahead, "; closest: ");
	if (a->all.entries)
		append_next_ahead(b->ahead, v, job, a->next);
	if (a->unseen)
		APPEND_TO_LINE(b->ahead, "%s%s%s", a->all.entries ? ", and " : "",
			       format_counted_term(BUF, a->unseen, "hidden job", "hidden jobs"),
			       v->vocabulary->hidden_suffix);
	append_rivals(b->ahead, v, a);
	APPEND_TO_LINE(b->ahead, ".");
}

/* ---- the line "What you can do" */

/* Returns the best change that the role may make; NULL: none. For roles other than the owner, changes of the priority
 * and of shares are skipped, because they help at the expense of other jobs. */
static const struct fs_advice *find_role_advice(const struct explain_view *v, enum fs_who who)
{
	for (size_t i = 0; v->advices && i < fs_advices_count(v->advices); i++) {
		const struct fs_advice *a = fs_advices_row(v->advices, i);
		const enum fs_advice_value first = a->changes ? a->change[0].value : FS_ADVICE_VALUE_COUNT;
		const bool ahead = first == FS_ADVICE_SHARES || first == FS_ADVICE_NICE || first == FS_ADVICE_URGENCY ||
				   (first == FS_ADVICE_PRIORITY && a->change[0].from != 0);

		if (a->who == who && (who == FS_WHO_OWNER || !ahead))
			return a;
	}
	return NULL;
}

static const struct fs_advice *find_best_advice(const struct explain_view *v)
{
	const struct fs_advice *a = NULL;

	for (enum fs_who who = FS_WHO_OWNER; who < FS_WHO_COUNT && !a; who++)
		a = find_role_advice(v, who);
	return a;
}

/* Appends the introduction of a command: "Run:", "dana can run:" or "An operator can run:". */
static void append_command_heading(char *line, const struct explain_view *v, const struct fs_job *j, enum fs_who who)
{
	const char *blank = *line ? " " : "";
	char role[WORDS];

	if (who != FS_WHO_OWNER) {
		snprintf(role, sizeof(role), "%s", explain_get_role_name(v, who));
		APPEND_TO_LINE(line, "%s%c%s can run:", blank, toupper((unsigned char)*role), role + 1);
	} else if (explain_is_viewers_job(v, j)) {
		APPEND_TO_LINE(line, "%sRun:", blank);
	} else {
		APPEND_TO_LINE(line, "%s%s can run:", blank, j->user);
	}
}

/* Appends the values that the command replaces, and what they cost the job. */
static void append_advice_changes(struct job_summary *b, const struct explain_view *v, const struct fs_advice *a)
{
	char text[BRIEF_LINE];
	struct page p;

	page_init_form(&p, PAGE_TEXT, 80, true);
	explain_add_advice_changes(&p, v->snapshot, a);
	b->failed = b->failed || p.failed;
	if (p.paragraph && p.paragraph_len) {
		snprintf(text, sizeof(text), ". %s", p.paragraph);
		text[strlen(text) - (text[strlen(text) - 1] == '.')] = '\0';
		APPEND_TO_LINE(b->effect, "%s", text);
	}
	page_free_text(&p);
}

static void fill_advice(struct job_summary *b, const struct explain_view *v, const struct fs_advice *a,
			const struct fs_job *j)
{
	char start[ADVICE_WORDS];

	append_command_heading(b->todo, v, j, a->who);
	APPEND_TO_LINE(b->command, "%s", a->command);
	APPEND_TO_LINE(b->effect, "planned start %s%s", explain_format_start(start, v->snapshot, a),
		       has_missing_jobs(v->snapshot) ? ", counting only visible jobs" : "");
	APPEND_TO_LINE(b->effect, "%s",
		       fs_advices_is_partial(v->advices) ? ", the best of the changes that were tried" : "");
	append_advice_changes(b, v, a);
}

static bool has_advice_for_all(const struct fs_verdict *v)
{
	return v->kind == FS_VERDICT_LIMIT || v->kind == FS_VERDICT_NODES ||
	       (v->kind == FS_VERDICT_HELD && v->cause == FS_VERDICT_CAUSE_ADMINISTRATOR);
}

/* Appends to `line` what the job's owner can do. If the viewer is not the owner, the text begins "For emil:", unless
 * the advice is the same for everybody. */
static void append_for_owner(char *line, const struct explain_view *v, const struct fs_verdict *verdict,
			     const struct fs_job *j, const char *text)
{
	if (explain_is_viewers_job(v, j) || has_advice_for_all(verdict))
		APPEND_TO_LINE(line, "%s", text);
	else
		APPEND_TO_LINE(line, "For %s: %c%s", j->user, tolower((unsigned char)*text), text + 1);
}

/* Appends to the line "What you can do" the sentences of explain_add_position_changes, in order, until one does not
 * fit. */
static void append_position_changes(struct job_summary *b, const struct explain_view *v,
				    const struct fs_explain_job *job)
{
	char *line = b->todo;
	char text[BRIEF_LINE], *at = text, *end;
	struct page p;

	page_init_form(&p, PAGE_TEXT, 80, true);
	explain_add_position_changes(&p, v, job);
	b->failed = b->failed || p.failed;
	if (p.paragraph && p.paragraph_len)
		snprintf(text, sizeof(text), "%s%s", *line ? " " : "", p.paragraph);
	else
		*text = '\0';
	page_free_text(&p);
	while ((end = strstr(at, ". ")) || (*at && (end = at + strlen(at) - 1, true))) {
		const char after = end[1];

		end[1] = '\0';
		if (!fits_two_lines(line, at))
			return;
		APPEND_TO_LINE(line, "%s", at);
		end[1] = after;
		at = end + 1;
	}
}

/* Returns true if the owner or an administrator can remove the cause of the wait with a command for this job alone, and
 * the job then has a planned start. */
static bool has_own_command(const struct fs_cause *x)
{
	return x && x->remove && x->start_without != FS_UNKNOWN &&
	       (x->kind == FS_CAUSE_HELD || x->kind == FS_CAUSE_BEGIN || x->kind == FS_CAUSE_DEPENDENCY ||
		x->kind == FS_CAUSE_ARRAY_LIMIT);
}

/* Adds the command that removes the cause of the wait, and the planned start with it. */
static void fill_cause_command(struct job_summary *b, const struct explain_view *v, const struct fs_explain_job *job,
			       const struct fs_job *j, const struct fs_cause *x)
{
	append_command_heading(b->todo, v, j,
			       job->verdict.cause == FS_VERDICT_CAUSE_ADMINISTRATOR ? FS_WHO_OPERATOR : FS_WHO_OWNER);
	APPEND_TO_LINE(b->command, "%s", x->remove);
	APPEND_TO_LINE(b->effect, "planned start %s", explain_format_start_without(BUF, v, x));
}

/* If the verdict is based only on the recorded reason, returns the text that says what makes this reason go away
 * (fs_reason.clears). Otherwise returns "". */
static const char *get_reason_clearing(const struct fs_verdict *v)
{
	const bool alone = v->kind < FS_VERDICT_NODES || v->kind == FS_VERDICT_WAITS ||
			   (v->kind == FS_VERDICT_NODES && !v->nodes.all);

	return alone && *v->reason_text && v->reason ? v->reason->clears : "";
}

static void fill_verdict_remedy(struct job_summary *b, const struct explain_view *v, const struct fs_explain_job *job,
				const struct fs_job *j)
{
	const struct fs_cause *x = v->causes ? fs_causes_row(v->causes, 0) : NULL;

	if (!has_own_command(x)) {
		append_for_owner(b->todo, v, &job->verdict, j, get_verdict_texts(&job->verdict).todo);
		return;
	}
	APPEND_TO_LINE(b->todo, "%s", get_verdict_texts(&job->verdict).todo);
	fill_cause_command(b, v, job, j, x);
}

/* Fills the line "What you can do" if there is no advice: no change helps, or advice was not computed. If changes were
 * tried, the line has no hint about a change, because all changes of one value were tried. */
static void fill_todo_without_advice(struct job_summary *b, const struct explain_view *v,
				     const struct fs_explain_job *job, const struct fs_job *j)
{
	char *line = b->todo;
	char remedy[VERDICT_TEXT], nothing[ADVICE_WORDS];

	if (v->advices && explain_is_start_now(v))
		APPEND_TO_LINE(line, "Nothing needs to change%s.",
			       job->jobs_missing ? ", counting only visible jobs" : "");
	else if (explain_has_remedy(v, &job->verdict))
		append_for_owner(line, v, &job->verdict, j,
				 format_verdict_remedy(remedy, v->vocabulary, &job->verdict));
	else if (*get_verdict_texts(&job->verdict).todo)
		fill_verdict_remedy(b, v, job, j);
	else if (v->advices)
		APPEND_TO_LINE(line, "%s.", explain_format_nothing_helps(nothing, v, j));
	else if (*get_reason_clearing(&job->verdict))
		APPEND_TO_LINE(line, "What clears it: %s.", get_reason_clearing(&job->verdict));
	else if (job->verdict.kind == FS_VERDICT_UNKNOWN && !*job->verdict.reason_text)
		APPEND_TO_LINE(line, "Look at its reason: %s %s.", v->vocabulary->job_command,
			       format_display_job_id(BUF, v->snapshot, job->job_row));
	if (!*line || (v->advices && !explain_is_start_now(v) && job->state == FS_EXPLAIN_QUEUED))
		append_position_changes(b, v, job);
	if (!*line)
		APPEND_TO_LINE(line, "Unknown: %s.",
			       v->no_advice && *v->no_advice ? v->no_advice : "no changes were tried");
	else if (v->advice_skipped)
		APPEND_TO_LINE(line, " Changes: %s.", v->no_advice);
}

static void fill_todo_line(struct job_summary *b, const struct explain_view *v, const struct fs_explain_job *job,
			   const struct fs_job *j)
{
	const struct fs_advice *a = find_best_advice(v);

	if (job->state == FS_EXPLAIN_RUNNING && explain_is_job_suspended(j))
		APPEND_TO_LINE(b->todo, "Wait until it is resumed.");
	else if (explain_has_job_started(job))
		APPEND_TO_LINE(b->todo, "Nothing: it %s.", job->state == FS_EXPLAIN_RUNNING ? "runs" : "has ended");
	else if (a)
		fill_advice(b, v, a, j);
	else
		fill_todo_without_advice(b, v, job, j);
}

/* ---- the line "When" of the brief explanation: when the job starts */

static void append_scheduler_estimate(char *line, const struct explain_view *v, const struct fs_job *j, int64_t start)
{
	const fs_snapshot *s = v->snapshot;

	if (j->times.start == FS_UNKNOWN || j->times.start <= fs_snapshot_info(s)->time ||
	    (start != FS_UNKNOWN && llabs(j->times.start - start) <= 60))
		return;
	APPEND_TO_LINE(line, "%s%s's own estimate, made earlier: %s.", *line ? " " : "", v->vocabulary->scheduler,
		       format_full_time(BUF, s, j->times.start));
}

/* Appends what must happen before the job can start. A text that gives no condition follows "Unknown", and is omitted if
 * a likely start is known. */
static void append_start_condition(char *line, const struct fs_plan_row *r, const char *condition)
{
	if (!strncmp(condition, "not ", strlen("not ")))
		APPEND_TO_LINE(line, "N%s.", condition + 1);
	else if (r->likely.start_time == FS_UNKNOWN)
		APPEND_TO_LINE(line, "Unknown: %s.", condition);
}

/* Appends to the line "When" when a limit allows the start of a job. Jobs that the plan starts first use the limit until
 * then. */
static void append_limit_start(char *line, const fs_snapshot *s, const struct fs_plan_row *r)
{
	if (r->limit.start_time == FS_UNKNOWN)
		APPEND_TO_LINE(line, "Not before less of limit %.60s of %.100s is in use.", r->limit.name, r->limit.of);
	else
		APPEND_TO_LINE(line, "Not before %s: jobs that start first use limit %.60s of %.100s.",
			       format_full_time(BUF, s, r->limit.start_time), r->limit.name, r->limit.of);
}

/* Returns true if simulations give a later start than the plan, for example because jobs that start first
 * use a limit. */
static bool is_likely_later(const struct fs_plan_row *r)
{
	return r->likely.start_time != FS_UNKNOWN && r->start_time != FS_UNKNOWN &&
	       r->likely.start_time > r->start_time + 60;
}

static void append_planned_start(char *line, const struct explain_view *v, const struct fs_explain_job *job,
				 const struct fs_plan_row *r)
{
	const fs_snapshot *s = v->snapshot;

	switch (r->state) {
	case FS_PLAN_NOW:
		APPEND_TO_LINE(line, "Now: the plan starts it in the next scheduling cycle.");
		break;
	case FS_PLAN_LATER:
	case FS_PLAN_BEYOND:
		APPEND_TO_LINE(line,
			       is_likely_later(r) ? "Planned for %s%s."
						  : "%s, if jobs run to their time limits and no job arrives%s.",
			       format_full_time(BUF, s, r->start_time),
			       r->state == FS_PLAN_BEYOND ? "; the scheduler does not plan that far ahead" : "");
		break;
	case FS_PLAN_BEGINS:
		APPEND_TO_LINE(line, "Not before %s.", format_full_time(BUF, s, r->start_time));
		break;
	/* The plan finds no start on the nodes that are up. If the verdict says that the job waits for nodes that are
	 * not available, the job may start when more nodes are up. */
	case FS_PLAN_NEVER:
		if (job->verdict.kind == FS_VERDICT_NODES)
			append_start_condition(line, r, get_start_condition(v, &job->verdict));
		else
			APPEND_TO_LINE(line, "Never.");
		break;
	case FS_PLAN_GIVEN_UP:
		APPEND_TO_LINE(line, "Unknown: the plan took too long and stopped before it reached this job.");
		break;
	case FS_PLAN_NOT_REACHED:
		append_start_condition(line, r,
				       job->verdict.kind == FS_VERDICT_NODES ? get_start_condition(v, &job->verdict)
									     : explain_format_cycle_end(BUF, r));
		break;
	case FS_PLAN_NO_START:
		append_start_condition(
			line, r,
			job->verdict.kind >= FS_VERDICT_WAITS && r->window_s != FS_UNKNOWN
				? format_words(BUF, "the plan finds no start for it within the next %s (bf_window)",
					       format_time_span(BUF, (double)r->window_s))
				: get_start_condition(v, &job->verdict));
		break;
	case FS_PLAN_BLOCKED:
		if (r->section == FS_SECTION_REQUEST && job->verdict.kind >= FS_VERDICT_WAITS) {
			append_start_condition(line, r, "not before the licenses that it asks for are free");
			break;
		}
		if (*r->limit.name && job->verdict.kind >= FS_VERDICT_WAITS) {
			append_limit_start(line, s, r);
			break;
		}
		/* fall through */
	default:
		if (job->verdict.time != FS_UNKNOWN)
			APPEND_TO_LINE(line, "Not before %s.", format_full_time(BUF, s, job->verdict.time));
		else
			append_start_condition(line, r, get_start_condition(v, &job->verdict));
	}
}

/* Returns true if the job waits for something other than its turn (a hold, dependency, limit, ...). Used if there is no
 * plan. */
static bool needs_more_than_turn(const struct fs_verdict *v)
{
	return v->kind > FS_VERDICT_NEVER && v->kind < FS_VERDICT_WAITS;
}

/* Appends the simulated start to the line "When" if it differs from the planned start by more than a minute, or if the
 * range of simulated starts is known. */
static void append_likely_start(char *line, const struct explain_view *v, const struct fs_plan_row *r)
{
	const fs_snapshot *s = v->snapshot;
	const bool both = r->likely.start_time != FS_UNKNOWN && r->start_time != FS_UNKNOWN;
	const bool as_planned = both && llabs(r->likely.start_time - r->start_time) <= 60;
	struct fs_plan_runs runs;

	if (r->likely.start_time == FS_UNKNOWN || r->state == FS_PLAN_NOW ||
	    (as_planned && r->likely.low_time == FS_UNKNOWN))
		return;
	fs_plan_runs(v->plan, &runs);
	APPEND_TO_LINE(line, "%sLikely %s%s", *line ? " " : "", is_likely_later(r) ? "later: " : "",
		       format_full_time(BUF, s, r->likely.start_time));
	if (r->likely.low_time != FS_UNKNOWN && r->likely.high_time != FS_UNKNOWN)
		append_if_short(line, " (4 of 5 simulations: %.60s to %.60s)",
				format_full_time(BUF, s, r->likely.low_time),
				format_full_time(BUF, s, r->likely.high_time));
	append_if_short(line, "%s",
			runs.runs            ? ", from the run times of past jobs"
			: is_likely_later(r) ? ", in a simulation of the queue"
					     : ", because jobs share nodes");
	APPEND_TO_LINE(line, ".");
}

/* Appends to the line "When" the time of the job's last run and the cost of all its runs. */
static void append_past_run(char *line, const struct explain_view *v, const struct fs_job *j)
{
	const fs_snapshot *s = v->snapshot;
	const double cost = explain_get_past_cost(v);
	const bool spans = j->times.start != FS_UNKNOWN && j->times.end != FS_UNKNOWN;
	const int64_t ran = j->run_time_s == FS_UNKNOWN && spans ? j->times.end - j->times.start : j->run_time_s;

	if (!*j->node_list || j->times.start == FS_UNKNOWN || j->times.end == FS_UNKNOWN ||
	    j->times.end < j->times.start)
		APPEND_TO_LINE(line, "It ended %s", format_full_time(BUF, s, j->times.end));
	else
		APPEND_TO_LINE(line, "It ran %s, from %s to %s", format_time_span(BUF, (double)ran),
			       format_full_time(BUF, s, j->times.start), format_short_time(BUF, s, j->times.end));
	if (!isnan(cost))
		append_if_short(line, ", and cost %.*f %.60s", cost < 10000 ? 2 : 0, cost, explain_get_cost_unit(v));
	APPEND_TO_LINE(line, ".");
}

/* Appends to the line "When" the time at which a started job ends. The time limit of a suspended job does not run down,
 * so the end of a suspended job is unknown. */
static void append_running_end(char *line, const fs_snapshot *s, const struct fs_job *j)
{
	const bool left_known =
		j->run_time_s != FS_UNKNOWN && j->request.time_limit_s >= 0 && j->run_time_s <= j->request.time_limit_s;

	if (!explain_is_job_suspended(j))
		APPEND_TO_LINE(line, "It ends by %s.", format_full_time(BUF, s, j->times.end));
	else if (left_known)
		APPEND_TO_LINE(line, "Unknown: it is suspended, with %s of its time limit left.",
			       format_time_span(BUF, (double)(j->request.time_limit_s - j->run_time_s)));
	else
		APPEND_TO_LINE(line, "Unknown: it is suspended, and its time limit does not run down.");
}

/* Returns true if the line "When" shows a time that the plan computed. */
static bool has_computed_start(const struct fs_plan_row *r)
{
	return r->job && r->state != FS_PLAN_BEGINS &&
	       (r->start_time != FS_UNKNOWN || r->likely.start_time != FS_UNKNOWN);
}

static void fill_when_line(struct job_summary *b, const struct explain_view *v, const struct fs_explain_job *job,
			   const struct fs_job *j)
{
	const fs_snapshot *s = v->snapshot;
	struct fs_plan_row r = { .start_time = FS_UNKNOWN, .likely = { .start_time = FS_UNKNOWN } };

	if (explain_has_job_started(job)) {
		if (job->state == FS_EXPLAIN_ENDED)
			append_past_run(b->when, v, j);
		else
			append_running_end(b->when, s, j);
		return;
	}
	if (job->state == FS_EXPLAIN_NEVER) {
		APPEND_TO_LINE(b->when, "Never.");
		return;
	}
	if (explain_find_plan_row(v, job->job_row, &r))
		append_planned_start(b->when, v, job, &r);
	if (r.unmodelled & FS_UNMODELLED_WAIT)
		APPEND_TO_LINE(b->when, " How long it waited before it was blocked is unknown (see checkjob %s).",
			       j->name);
	if (r.unmodelled & FS_UNMODELLED_NODE_SETS)
		APPEND_TO_LINE(b->when, " Node sets (NODESETPOLICY) are not modelled, so its start may differ.");
	if (r.unmodelled & FS_UNMODELLED_SPREAD)
		APPEND_TO_LINE(b->when, " --spread-job is not modelled, so its start and nodes may differ.");
	if (r.job && job->verdict.kind != FS_VERDICT_NODES)
		append_likely_start(b->when, v, &r);
	if (job->jobs_missing && has_computed_start(&r))
		APPEND_TO_LINE(b->when, " %s.", get_plan_gaps_text(s));
	append_scheduler_estimate(b->when, v, j, r.start_time);
	if (!*b->when && !v->plan && needs_more_than_turn(&job->verdict))
		append_start_condition(b->when, &r, get_start_condition(v, &job->verdict));
	if (!*b->when)
		APPEND_TO_LINE(b->when, "Unknown: %s.",
			       v->plan                     ? "the plan does not include it"
			       : v->no_plan && *v->no_plan ? v->no_plan
							   : "no plan was computed; fs-showq --start computes one");
}

/* ---- the line "Why" of a job that has started */

static void append_wait_time(char *line, const struct fs_job *j)
{
	const int64_t from = j->times.eligible == FS_UNKNOWN ? j->times.submit : j->times.eligible;

	if (from != FS_UNKNOWN && j->times.start != FS_UNKNOWN && j->times.start >= from)
		APPEND_TO_LINE(line, "; it waited %s", format_time_span(BUF, (double)(j->times.start - from)));
}

static void append_suspended_since(char *line, const fs_snapshot *s, const struct fs_job *j)
{
	if (j->times.suspend == FS_UNKNOWN)
		APPEND_TO_LINE(line, "It is suspended (since when is not recorded); it started %s",
			       format_full_time(BUF, s, j->times.start));
	else
		APPEND_TO_LINE(line, "It has been suspended since %s", format_full_time(BUF, s, j->times.suspend));
}

/* Appends the job's state, start time and nodes to the line "Why". Slurm records the nodes as a hostlist expression;
 * Maui lists a node once per task. */
static void append_running_state(char *line, const fs_snapshot *s, const struct fs_job *j)
{
	if (explain_is_job_suspended(j))
		append_suspended_since(line, s, j);
	else
		APPEND_TO_LINE(line, "It is %s; it started %s", j->state, format_full_time(BUF, s, j->times.start));
	if (*j->node_list)
		append_if_short(line, " on %.700s", j->node_list);
	if (explain_is_job_suspended(j) && j->run_time_s != FS_UNKNOWN)
		APPEND_TO_LINE(line, "; it has run %s", format_time_span(BUF, (double)j->run_time_s));
	append_wait_time(line, j);
	APPEND_TO_LINE(line, ".");
}

static void fill_why_line(struct job_summary *b, const struct explain_view *v, const struct fs_explain_job *job,
			  const struct fs_job *j)
{
	if (job->state == FS_EXPLAIN_RUNNING) {
		append_running_state(b->why, v->snapshot, j);
	} else if (job->state == FS_EXPLAIN_ENDED) {
		APPEND_TO_LINE(b->why, "It has ended (%s)", j->state);
		append_wait_time(b->why, j);
		APPEND_TO_LINE(b->why, ".");
	} else {
		explain_fill_why(b->why, v, job, &b->failed);
	}
}

static void fill_job_summary(struct job_summary *b, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_job j;

	*b = (struct job_summary){ .failed = false };
	fs_snapshot_job(v->snapshot, job->job_row, &j);
	fill_why_line(b, v, job, &j);
	fill_when_line(b, v, job, &j);
	fill_ahead_line(b, v, job, &j);
	fill_todo_line(b, v, job, &j);
}

void explain_add_summary(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct job_summary b;

	fill_job_summary(&b, v, job);
	p->failed = p->failed || b.failed;
	page_add_labelled(p, "Why", b.why);
	page_add_labelled(p, "When", b.when);
	page_add_labelled(p, "Ahead", b.ahead);
	page_add_labelled(p, "What you can do", b.todo);
	if (!*b.command)
		return;
	page_add_command(p, b.command);
	*b.todo = '\0';
	APPEND_TO_LINE(b.todo, "%c%s.", toupper((unsigned char)*b.effect), b.effect + 1);
	page_add_labelled(p, "", b.todo);
}

void explain_add_start_lines(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct job_summary b = { .failed = false };
	struct fs_job j;

	fs_snapshot_job(v->snapshot, job->job_row, &j);
	fill_why_line(&b, v, job, &j);
	fill_when_line(&b, v, job, &j);
	p->failed = p->failed || b.failed;
	page_add_labelled(p, "When", b.when);
	page_add_labelled(p, "Why then", b.why);
}

void explain_write_start_lines(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct job_summary b = { .failed = false };
	struct fs_job about;

	if (job) {
		fs_snapshot_job(v->snapshot, job->job_row, &about);
		fill_why_line(&b, v, job, &about);
		fill_when_line(&b, v, job, &about);
	}
	j->failed = j->failed || b.failed;
	json_write_text(j, "when", b.when);
	json_write_text(j, "why", b.why);
}

void explain_write_summary(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct job_summary b;

	fs_json_key(j, "brief");
	if (!v->brief) {
		fs_json_null(j);
		return;
	}
	fill_job_summary(&b, v, job);
	if (*b.command)
		APPEND_TO_LINE(b.todo, " %s; %s.", b.command, b.effect);
	j->failed = j->failed || b.failed;
	fs_json_object(j);
	json_write_text(j, "why", b.why);
	json_write_text(j, "when", b.when);
	json_write_text(j, "ahead", b.ahead);
	json_write_text(j, "what_you_can_do", b.todo);
	fs_json_end_object(j);
}
