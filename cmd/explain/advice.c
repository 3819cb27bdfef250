/* Advice on a job's page: changes that would make the job start earlier, what they cost, and who may make them. */
#include "columns/column.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "words/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- advice as text */

const char *explain_format_start(char buf[ADVICE_WORDS], const fs_snapshot *s, const struct fs_advice *a)
{
	char start[WORDS];

	format_full_time(start, s, a->start_after);
	if (a->unreliable)
		snprintf(buf, ADVICE_WORDS, "%s, unless other jobs delay it", start);
	else if (a->start_before == FS_UNKNOWN)
		snprintf(buf, ADVICE_WORDS, "%s", start);
	else
		snprintf(buf, ADVICE_WORDS, "%s, %s earlier", start,
			 format_time_span(BUF, (double)(a->start_before - a->start_after)));
	return buf;
}

static void add_advice_start(struct page *p, const fs_snapshot *s, const struct fs_advice *a)
{
	char start[ADVICE_WORDS];

	page_add_sentence(p, "Starts %s", explain_format_start(start, s, a));
	if (a->start_before == FS_UNKNOWN)
		page_append_text(p, "; without the change no start is planned");
	if (a->start_likely != FS_UNKNOWN)
		page_append_text(p, ", but likely %s", format_full_time(BUF, s, a->start_likely));
	page_append_text(p, ".");
}

static void add_advice_cost(struct page *p, const struct fs_advice *a)
{
	if (isnan(a->cost_after) || isinf(a->cost_after))
		return;
	page_add_sentence(p, "Costs %s billing hours", format_decimal_number(BUF, a->cost_after, 1));
	if (a->cost_after == a->cost_before)
		page_append_text(p, ", as now.");
	else if (isfinite(a->cost_before))
		page_append_text(p, " instead of %s.", format_decimal_number(BUF, a->cost_before, 1));
	else
		page_append_text(p, ".");
}

/* ---- the replaced values, and what they cost the job */

enum amount_unit { AMOUNT_TEXT, AMOUNT_NUMBER, AMOUNT_SPAN, AMOUNT_TIME, AMOUNT_MEMORY };

/* How a replaced value is written. `label`: text before the two values; NULL: the values are not written. `loss`: what
 * the job gives up if the amount gets smaller or the text is removed, a clause; NULL: nothing. */
static const struct value_words {
	const char *label;
	enum amount_unit unit;
	const char *loss;
} value_words[FS_ADVICE_VALUE_COUNT] = {
	[FS_ADVICE_TIME_LIMIT] = { "Time limit", AMOUNT_SPAN, NULL },
	[FS_ADVICE_TIME_MIN] = { "Minimum time limit", AMOUNT_SPAN, NULL },
	[FS_ADVICE_BEGIN] = { "Begin time", AMOUNT_TIME, NULL },
	[FS_ADVICE_NODES] = { "Nodes", AMOUNT_NUMBER, "the same work takes longer" },
	[FS_ADVICE_CPUS] = { "CPUs", AMOUNT_NUMBER, "the same work takes longer" },
	[FS_ADVICE_TASKS] = { "Tasks", AMOUNT_NUMBER, "the same work takes longer" },
	[FS_ADVICE_CPU_MEMORY] = { "Memory per CPU", AMOUNT_MEMORY, "the job fails if it needs more" },
	[FS_ADVICE_NODE_MEMORY] = { "Memory per node", AMOUNT_MEMORY, "the job fails if it needs more" },
	[FS_ADVICE_DISK] = { "Temporary disk per node", AMOUNT_MEMORY, "the job fails if it needs more" },
	[FS_ADVICE_GRES] = { NULL, AMOUNT_NUMBER, "the same work takes longer" },
	[FS_ADVICE_LICENSES] = { "Licenses", AMOUNT_TEXT, NULL },
	[FS_ADVICE_PARTITION] = { "Partition", AMOUNT_TEXT, NULL },
	[FS_ADVICE_QOS] = { "QOS", AMOUNT_TEXT, NULL },
	[FS_ADVICE_ACCOUNT] = { "Account", AMOUNT_TEXT, NULL },
	[FS_ADVICE_RESERVATION] = { "Reservation", AMOUNT_TEXT, "the job does not use its reserved nodes" },
	[FS_ADVICE_NODE_LIST] = { "Required nodes", AMOUNT_TEXT, "the job may run on other nodes" },
	[FS_ADVICE_EXCLUDED] = { "Excluded nodes", AMOUNT_TEXT, "the job may run on these nodes" },
	[FS_ADVICE_FEATURES] = { "Features", AMOUNT_TEXT, "the job may run on nodes without them" },
	[FS_ADVICE_CONTIGUOUS] = { "Contiguous", AMOUNT_NUMBER, "the nodes need not be adjacent" },
	[FS_ADVICE_ARRAY_LIMIT] = { "Running tasks of the array", AMOUNT_NUMBER, NULL },
	[FS_ADVICE_DEPENDENCY] = { "Dependency", AMOUNT_TEXT, "the job does not wait for results that it may need" },
	[FS_ADVICE_NICE] = { "Nice", AMOUNT_NUMBER, NULL },
	[FS_ADVICE_URGENCY] = { "Urgency", AMOUNT_NUMBER, NULL },
	[FS_ADVICE_PRIORITY] = { "Priority", AMOUNT_NUMBER, NULL },
	[FS_ADVICE_OTHER_JOB] = { NULL, AMOUNT_NUMBER, NULL },
	[FS_ADVICE_LIMIT] = { NULL, AMOUNT_NUMBER, NULL },
	[FS_ADVICE_SHARES] = { "Shares", AMOUNT_NUMBER, NULL },
};

static const char *format_value(char buf[WORDS], const fs_snapshot *s, enum amount_unit unit, double v)
{
	if (isnan(v))
		return "computed";
	if (isinf(v))
		return "no limit";
	switch (unit) {
	case AMOUNT_SPAN:
		return v > 0 ? format_time_span(buf, v) : "none";
	case AMOUNT_TIME:
		return format_full_time(buf, s, (int64_t)v);
	case AMOUNT_MEMORY:
		return format_tres_amount(buf, "mem", v);
	default:
		return format_decimal_number(buf, v, 0);
	}
}

/* Adds the old and the new value: "CPUs 13 → 2". Adds nothing for a change that the command itself shows completely. */
static void add_value_pair(struct page *p, const fs_snapshot *s, const struct fs_advice_change *c)
{
	const struct value_words *w = &value_words[c->value];
	const char *label = c->value != FS_ADVICE_GRES                    ? w->label
			    : c->from_text && strcmp(c->from_text, "gpu") ? c->from_text
									  : "GPUs";

	if (!label)
		return;
	if (w->unit == AMOUNT_TEXT)
		page_add_sentence(p, "%s %s → %s", label, *c->from_text ? c->from_text : "none",
				  *c->to_text ? c->to_text : "none");
	else if (c->value == FS_ADVICE_PRIORITY && c->from == 0)
		page_add_sentence(p, "Released");
	else
		page_add_sentence(p, "%s %s → %s", label, format_value(BUF, s, w->unit, c->from),
				  format_value(BUF, s, w->unit, c->to));
}

/* Returns true if the change removes a text or lowers an amount. */
static bool is_loss(const struct fs_advice_change *c)
{
	return c->to_text ? !*c->to_text : c->to < c->from;
}

/* Adds what the job gives up with one replaced value: ": the same work takes longer." */
static void add_value_loss(struct page *p, const fs_snapshot *s, const struct fs_advice_change *c)
{
	const struct value_words *w = &value_words[c->value];

	if (c->value == FS_ADVICE_TIME_LIMIT && is_loss(c) && isinf(c->from))
		page_append_text(p, ": the job is killed after %s", format_value(BUF, s, w->unit, c->to));
	else if (c->value == FS_ADVICE_TIME_LIMIT && is_loss(c))
		page_append_text(p, ": the job is killed after %s instead of %s", format_value(BUF, s, w->unit, c->to),
				 format_value(BUF, s, w->unit, c->from));
	else if (c->value == FS_ADVICE_TIME_MIN)
		page_append_text(p, ": the job may be killed after only %s", format_value(BUF, s, w->unit, c->to));
	else if (c->value == FS_ADVICE_ACCOUNT)
		page_append_text(p, ": account %s pays for the job", c->to_text);
	else if (is_loss(c) && w->loss)
		page_append_text(p, ": %s", w->loss);
	page_append_text(p, ".");
}

/* Returns true if another replaced value implies the change: CPUs imply the tasks, and the urgency in Flux implies the
 * priority. */
static bool is_change_implied(const struct fs_advice *a, enum fs_advice_value value)
{
	const enum fs_advice_value by = value == FS_ADVICE_TASKS      ? FS_ADVICE_CPUS
					: value == FS_ADVICE_PRIORITY ? FS_ADVICE_URGENCY
								      : value;

	for (size_t i = 0; i < a->changes; i++)
		if (by != value && a->change[i].value == by)
			return true;
	return false;
}

void explain_add_advice_changes(struct page *p, const fs_snapshot *s, const struct fs_advice *a)
{
	for (size_t i = 0; i < a->changes; i++) {
		const struct fs_advice_change *c = &a->change[i];

		if (c->value == FS_ADVICE_OTHER_JOB)
			page_add_sentence(p, "Job %.0f of the same user then waits until it is released.", c->to);
		if (c->value == FS_ADVICE_LIMIT)
			page_add_sentence(p, "This raises %s for all jobs that it limits.", c->from_text);
		if (c->value == FS_ADVICE_OTHER_JOB || c->value == FS_ADVICE_LIMIT || is_change_implied(a, c->value))
			continue;
		add_value_pair(p, s, c);
		add_value_loss(p, s, c);
	}
	if (a->price == FS_ADVICE_PRICE_UNSUITABLE)
		page_add_sentence(p, "All nodes of %s have %s, which this job does not need: ask before you use them.",
				  a->unsuitable_partition, a->unsuitable_gpus ? "GPUs" : "large memory");
}

/* Adds how long the owner's completed jobs ran, or how much memory they used, compared with the new value. */
static void add_advice_history(struct page *p, const struct fs_advice *a, const struct fs_job *j)
{
	const struct fs_advice_history *h = &a->history;
	const bool memory =
		h->jobs && a->change[0].value != FS_ADVICE_TIME_LIMIT && a->change[0].value != FS_ADVICE_TIME_MIN;
	char greatest[WORDS];

	if (!h->jobs)
		return;
	if (memory)
		format_tres_amount(greatest, "mem", h->greatest);
	else
		format_time_span(greatest, h->greatest);
	page_add_sentence(p, "Of %zu completed jobs of %s%s%s, %zu %s; the %s %s.", h->jobs, j->user,
			  *h->partition ? " in " : "", h->partition, h->exceeding,
			  memory ? "used more memory in a task" : "ran longer",
			  memory ? "largest task used" : "longest ran", greatest);
}

static void add_one_advice(struct page *p, const fs_snapshot *s, const struct fs_advice *a, const struct fs_job *j)
{
	page_end_with(p, "%s", a->command);
	add_advice_start(p, s, a);
	explain_add_advice_changes(p, s, a);
	add_advice_history(p, a, j);
	add_advice_cost(p, a);
	if (*a->effects)
		page_add_sentence(p, "Also: %s.", a->effects);
	page_end_paragraph(p);
	page_add_gap(p);
}

const char *explain_get_role_name(const struct explain_view *v, enum fs_who who)
{
	return who == FS_WHO_ADMINISTRATOR ? "an administrator"
	       : who == FS_WHO_COORDINATOR ? "a coordinator"
					   : v->vocabulary->operator_name;
}

/* Writes the role's name in capitals to buf. */
static const char *format_role_heading(char buf[WORDS], const struct explain_view *v, enum fs_who who)
{
	snprintf(buf, WORDS, "%s", explain_get_role_name(v, who));
	for (char *c = buf; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return buf;
}

/* Adds the names of the coordinators of the job's account: "physics is coordinated by carol and dana." */
static void add_account_coordinators(struct page *p, const struct explain_view *v, const struct fs_job *j)
{
	const fs_snapshot *s = v->snapshot;
	const char *name = fs_snapshot_coordinator(s, v->eval->viewer, j->account, 0);

	if (!name)
		return;
	page_add_sentence(p, "%s is coordinated by %s", j->account, name);
	for (size_t i = 1; name; i++) {
		const char *next = fs_snapshot_coordinator(s, v->eval->viewer, j->account, i + 1);

		name = fs_snapshot_coordinator(s, v->eval->viewer, j->account, i);
		if (name)
			page_append_text(p, "%s%s", next ? ", " : " and ", name);
	}
	page_append_text(p, ".");
	page_end_paragraph(p);
	page_add_gap(p);
}

/* Adds a list of the changes that `who` may make, with a heading. Returns the number of changes. */
static size_t add_advice_group(struct page *p, const struct explain_view *v, enum fs_who who, const struct fs_job *j)
{
	size_t listed = 0;

	for (size_t i = 0; i < fs_advices_count(v->advices); i++) {
		const struct fs_advice *a = fs_advices_row(v->advices, i);

		if (a->who != who)
			continue;
		if (!listed++ && who != FS_WHO_OWNER)
			page_add_heading(p, "WHAT %s CAN DO", format_role_heading(BUF, v, who));
		if (listed == 1 && who == FS_WHO_COORDINATOR)
			add_account_coordinators(p, v, j);
		add_one_advice(p, v->snapshot, a, j);
	}
	return listed;
}

bool explain_is_viewers_job(const struct explain_view *v, const struct fs_job *j)
{
	return !v->eval->viewer || !*j->user || !strcmp(v->eval->viewer, j->user);
}

bool explain_is_start_now(const struct explain_view *v)
{
	const int64_t start = fs_advices_start(v->advices);

	return start != FS_UNKNOWN && start <= fs_snapshot_info(v->snapshot)->time;
}

const char *explain_format_nothing_helps(char buf[ADVICE_WORDS], const struct explain_view *v, const struct fs_job *j)
{
	snprintf(buf, ADVICE_WORDS,
		 fs_advices_start(v->advices) == FS_UNKNOWN
			 ? "No single change by %s%s gives it a reliable start"
			 : "No single change by %s%s reliably makes its wait a tenth shorter",
		 explain_is_viewers_job(v, j) ? "you" : j->user,
		 fs_advices_is_partial(v->advices) ? " (not all were tried)" : "");
	return buf;
}

bool explain_has_remedy(const struct explain_view *v, const struct fs_verdict *verdict)
{
	const bool tried = v->advices && (verdict->limit || verdict->obstacle) && !v->vocabulary->requests_are_final;

	return verdict->kind == FS_VERDICT_NEVER && !tried;
}

static void add_no_advice(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			  const struct fs_job *j)
{
	const char *tried =
		format_counted_term(BUF, fs_advices_tried(v->advices), "change was tried", "changes were tried");
	char nothing[ADVICE_WORDS], remedy[VERDICT_TEXT];

	if (explain_is_start_now(v))
		page_add_sentence(p, "The plan starts it now: nothing needs to change.");
	else if (explain_has_remedy(v, &job->verdict))
		page_add_sentence(p, "%s", format_verdict_remedy(remedy, v->vocabulary, &job->verdict));
	else if (job->verdict.kind == FS_VERDICT_NEVER)
		page_add_sentence(p, "%s; none that %s can make gives it a start.", tried,
				  explain_is_viewers_job(v, j) ? "you" : j->user);
	else
		page_add_sentence(p, "%s: %s.", explain_format_nothing_helps(nothing, v, j), tried);
}

/* If any advised change leads to a start after the snapshot's time, adds a warning that the plan is an estimate. For
 * example, the plan may reserve whole nodes for a job that then uses only some of their CPUs. Other jobs may then start
 * on these nodes earlier than planned (observed with running controllers). */
static void add_later_start_warning(struct page *p, const struct explain_view *v)
{
	const int64_t now = fs_snapshot_info(v->snapshot)->time;

	for (size_t i = 0; i < fs_advices_count(v->advices); i++)
		if (fs_advices_row(v->advices, i)->start_after > now) {
			page_add_sentence(
				p,
				"A start later than now is an estimate. It assumes that jobs use their full time "
				"limits, priorities stay the same and no jobs are submitted. If a job ends or starts "
				"earlier than planned, or gets ahead, the start may change.");
			page_end_paragraph(p);
			page_add_gap(p);
			return;
		}
}

static void add_partial_warning(struct page *p, const struct explain_view *v)
{
	if (!fs_advices_is_partial(v->advices))
		return;
	page_add_sentence(p, "There are too many possible changes: the advice is partial, after %zu of them.",
			  fs_advices_tried(v->advices));
	page_end_paragraph(p);
	page_add_gap(p);
}

static void add_missing_jobs_warning(struct page *p, const struct explain_view *v)
{
	const fs_snapshot *s = v->snapshot;

	if (!has_missing_jobs(s) || (!fs_advices_count(v->advices) && !explain_is_start_now(v)))
		return;
	page_end_with(p, "%s: starts may be later.", get_plan_gaps_text(s));
	page_add_gap(p);
}

static void add_start_without_advice(struct page *p, const struct explain_view *v)
{
	const fs_snapshot *s = v->snapshot;
	const int64_t start = fs_advices_start(v->advices), begins = fs_advices_begins(v->advices);

	if (begins == FS_UNKNOWN && (start == FS_UNKNOWN || !fs_advices_count(v->advices)))
		return;
	if (begins != FS_UNKNOWN)
		page_add_sentence(p, "Its begin time is %s; the plans below assume that this time has passed.",
				  format_full_time(BUF, s, begins));
	if (start != FS_UNKNOWN && fs_advices_count(v->advices))
		page_add_sentence(p, "Planned start without a change: %s. Each change below is planned alone:",
				  format_full_time(BUF, s, start));
	page_end_paragraph(p);
	page_add_gap(p);
}

void explain_add_advice(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const fs_snapshot *s = v->snapshot;
	struct fs_job j;

	fs_snapshot_job(s, job->job_row, &j);
	page_add_gap(p);
	if (explain_is_viewers_job(v, &j))
		page_add_heading(p, "WHAT YOU CAN DO");
	else
		page_add_heading(p, "WHAT %s CAN DO", j.user);
	if (!v->advices) {
		page_end_with(p, "Unknown: %s.", v->no_advice);
		return;
	}
	add_start_without_advice(p, v);
	if (!add_advice_group(p, v, FS_WHO_OWNER, &j)) {
		add_no_advice(p, v, job, &j);
		page_end_paragraph(p);
		page_add_gap(p);
	}
	for (enum fs_who who = FS_WHO_COORDINATOR; who < FS_WHO_COUNT; who++)
		add_advice_group(p, v, who, &j);
	add_partial_warning(p, v);
	add_missing_jobs_warning(p, v);
	add_later_start_warning(p, v);
}

/* ---- advice as JSON */

#define ADVICE(m) COLUMN_MEMBER(struct fs_advice, m)

static const struct column start_columns[] = {
	{ NULL, "before", ADVICE(start_before), .unit = UNIT_TIME, .help = "planned start without the command" },
	{ NULL, "after", ADVICE(start_after), .unit = UNIT_TIME, .help = "planned start with the command" },
	{ NULL, "unreliable", ADVICE(unreliable), .help = "other jobs may delay this start" },
	{ NULL, "likely", ADVICE(start_likely), .unit = UNIT_TIME,
	  .help = "likely start without the command, if no start is planned" },
};

static void write_advice_start(struct fs_json *j, const void *of, const void *row)
{
	columns_write_object(j, COLUMNS(start_columns), of, row);
}

static const struct column cost_columns[] = {
	{ NULL, "before", ADVICE(cost_before), .help = "billing hours without the command" },
	{ NULL, "after", ADVICE(cost_after), .help = "billing hours with the command" },
};

static void write_advice_cost(struct fs_json *j, const void *of, const void *row)
{
	columns_write_object(j, COLUMNS(cost_columns), of, row);
}

static void write_change_value(struct fs_json *j, const char *key, const struct fs_advice_change *c, double amount,
			       const char *text)
{
	fs_json_key(j, key);
	if (value_words[c->value].unit == AMOUNT_TEXT)
		fs_json_string(j, text);
	else if (isinf(amount))
		fs_json_string(j, "unlimited");
	else
		fs_json_double(j, amount);
}

/* Writes the replaced values: [{"value":"cpus","from":13,"to":2}]. */
static void write_advice_changes(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_advice *a = row;

	(void)of;
	fs_json_array(j);
	for (size_t i = 0; i < a->changes; i++) {
		const struct fs_advice_change *c = &a->change[i];

		fs_json_object(j);
		fs_json_key(j, "value");
		fs_json_string(j, fs_advice_value_name(c->value));
		write_change_value(j, "from", c, c->from, c->from_text);
		write_change_value(j, "to", c, c->to, c->to_text);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

#define HISTORY(m) COLUMN_MEMBER(struct fs_advice, history.m)

static const struct column history_columns[] = {
	{ NULL, "jobs", HISTORY(jobs), .help = "completed jobs of the owner" },
	{ NULL, "partition", HISTORY(partition), .help = "partition in which they ran; empty: any" },
	{ NULL, "exceeding", HISTORY(exceeding), .help = "jobs that exceeded the new value" },
	{ NULL, "greatest", HISTORY(greatest), .help = "greatest run time, s, or greatest memory of a task, MiB" },
};

static void write_advice_history(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_advice *a = row;

	if (a->history.jobs)
		columns_write_object(j, COLUMNS(history_columns), of, row);
	else
		fs_json_null(j);
}

static const struct column advice_columns[] = {
	{ NULL, "command", ADVICE(command), .help = "command, quoted for a shell" },
	{ NULL, "who", ADVICE(who), .enum_name = fs_who_name, .help = "who may run the command" },
	{ NULL, "price", ADVICE(price), .enum_name = fs_advice_price_name, .help = "what the change costs the job" },
	{ NULL, "changes", .write_json = write_advice_changes, .help = "the replaced values" },
	{ NULL, "start", .write_json = write_advice_start, .help = "the planned start" },
	{ NULL, "cost", .write_json = write_advice_cost, .help = "billing hours if the job runs to its time limit" },
	{ NULL, "history", .write_json = write_advice_history, .help = "past jobs, for a lower time limit or memory" },
	{ NULL, "effects", ADVICE(effects), .help = "side effects of the command" },
};

void explain_write_advice(struct fs_json *j, const struct explain_view *v)
{
	json_write_flag(j, "advice_partial", v->advise && v->advices && fs_advices_is_partial(v->advices));
	fs_json_key(j, "advice");
	if (!v->advise || !v->advices) {
		fs_json_null(j);
		return;
	}
	fs_json_array(j);
	for (size_t i = 0; i < fs_advices_count(v->advices); i++)
		columns_write_object(j, COLUMNS(advice_columns), NULL, fs_advices_row(v->advices, i));
	fs_json_end_array(j);
}
