/* What would make the job start earlier, and who may do it. */
#include "columns/column.h"
#include "explain/json/json.h"
#include "explain/parts.h"
#include "words/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- text */

const char *explain_start_words(char buf[ADVICE_WORDS], const fs_snapshot *s, const struct fs_advice *a)
{
	char start[WORDS], gain[WORDS];

	date_words(start, s, a->start_after);
	if (a->start_before == FS_UNKNOWN)
		snprintf(buf, ADVICE_WORDS, "%s", start);
	else
		snprintf(buf, ADVICE_WORDS, "%s, %s earlier", start,
			 duration_words(gain, (double)(a->start_before - a->start_after)));
	return buf;
}

static void say_start(struct page *p, const fs_snapshot *s, const struct fs_advice *a)
{
	char start[ADVICE_WORDS], likely[WORDS], late[WORDS];

	page_say(p, "Starts %s", explain_start_words(start, s, a));
	if (a->start_before == FS_UNKNOWN)
		page_join(p, "; without it no start is planned");
	if (a->start_likely != FS_UNKNOWN)
		page_join(p, ", but likely %s", date_words(likely, s, a->start_likely));
	page_join(p, ".");
	if (a->start_late != FS_UNKNOWN)
		page_say(p, "If the next cycle comes too late for that, it starts %s.", date_words(late, s, a->start_late));
}

static void say_cost(struct page *p, const struct fs_advice *a)
{
	char before[WORDS], after[WORDS];

	if (isnan(a->cost_after) || isinf(a->cost_after))
		return;
	page_say(p, "Costs %s billing hours", decimals_words(after, a->cost_after, 1));
	if (a->cost_after == a->cost_before)
		page_join(p, ", as now.");
	else if (isfinite(a->cost_before))
		page_join(p, " instead of %s.", decimals_words(before, a->cost_before, 1));
	else
		page_join(p, ".");
}

static void say_one(struct page *p, const fs_snapshot *s, const struct fs_advice *a)
{
	page_say(p, "%s", a->command);
	page_end(p);
	say_start(p, s, a);
	say_cost(p, a);
	if (*a->effects)
		page_say(p, "Also: %s.", a->effects);
	page_end(p);
	page_gap(p);
}

static const char *who_heading(const struct explain_view *v, enum fs_who who)
{
	return who == FS_WHO_ADMINISTRATOR ? "AN ADMINISTRATOR" : who == FS_WHO_COORDINATOR ? "A COORDINATOR" : nouns(v)->operator_heading;
}

/* "physics is coordinated by carol and dana." */
static void say_coordinators(struct page *p, const struct explain_view *v, const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	const char *name = fs_snapshot_coordinator(s, v->from->viewer, j->account, 0);

	if (!name)
		return;
	page_say(p, "%s is coordinated by %s", j->account, name);
	for (size_t i = 1; name; i++) {
		const char *next = fs_snapshot_coordinator(s, v->from->viewer, j->account, i + 1);

		name = fs_snapshot_coordinator(s, v->from->viewer, j->account, i);
		if (name)
			page_join(p, "%s%s", next ? ", " : " and ", name);
	}
	page_join(p, ".");
	page_end(p);
	page_gap(p);
}

/* Lists the changes that this kind of person may make; returns how many there are. */
static size_t say_group(struct page *p, const struct explain_view *v, enum fs_who who, const struct fs_job *j)
{
	size_t told = 0;

	for (size_t i = 0; i < fs_advices_count(v->advices); i++) {
		const struct fs_advice *a = fs_advices_row(v->advices, i);

		if (a->who != who)
			continue;
		if (!told++ && who != FS_WHO_OWNER)
			page_heading(p, "WHAT %s CAN DO", who_heading(v, who));
		if (told == 1 && who == FS_WHO_COORDINATOR)
			say_coordinators(p, v, j);
		say_one(p, v->from->snapshot, a);
	}
	return told;
}

bool explain_is_mine(const struct explain_view *v, const struct fs_job *j)
{
	return !v->from->viewer || !*j->user || !strcmp(v->from->viewer, j->user);
}

bool explain_starts_now(const struct explain_view *v)
{
	const int64_t start = fs_advices_start(v->advices);

	return start != FS_UNKNOWN && start <= fs_snapshot_info(v->from->snapshot)->time;
}

const char *explain_nothing_helps(char buf[ADVICE_WORDS], const struct explain_view *v, const struct fs_job *j)
{
	snprintf(buf, ADVICE_WORDS, "Nothing that %s can change helps", explain_is_mine(v, j) ? "you" : j->user);
	return buf;
}

static void say_none(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		     const struct fs_job *j)
{
	char a[WORDS], nothing[ADVICE_WORDS];

	if (explain_starts_now(v)) {
		page_say(p, "It starts now by the plan: nothing needs to change.");
		return;
	}
	if (job->verdict.kind == FS_VERDICT_NEVER) {
		page_say(p, "Of %s, none that %s can make gives it a start.",
			 count_words(a, fs_advices_tried(v->advices), "change that was planned", "changes that were planned"),
			 explain_is_mine(v, j) ? "you" : j->user);
		return;
	}
	page_say(p, "%s:", explain_nothing_helps(nothing, v, j));
	page_say(p, "%s, and none brings its start forward.",
		 count_words(a, fs_advices_tried(v->advices), "change was planned", "changes were planned"));
}

/* Planned jobs keep whole nodes, and take only CPUs of them once they start, so that others start beside them before
 * the plan has them: seen beside living controllers. */
static void say_later(struct page *p, const struct explain_view *v)
{
	const int64_t now = fs_snapshot_info(v->from->snapshot)->time;

	for (size_t i = 0; i < fs_advices_count(v->advices); i++)
		if (fs_advices_row(v->advices, i)->start_after > now) {
			page_say(p, "A start that is not now holds as far as the plan does, which takes jobs to use their time limits, priorities to stay as they are, and nothing to be submitted: a job that ends or starts sooner than planned, or passes it, may take its place.");
			page_end(p);
			page_gap(p);
			return;
		}
}

static void say_missing(struct page *p, const struct explain_view *v)
{
	const fs_snapshot *s = v->from->snapshot;

	if (!jobs_are_missing(s) || (!fs_advices_count(v->advices) && !explain_starts_now(v)))
		return;
	page_say(p, "%s: starts may be later.", plan_lacks_words(s));
	page_end(p);
	page_gap(p);
}

static void say_before(struct page *p, const struct explain_view *v)
{
	const fs_snapshot *s = v->from->snapshot;
	const int64_t start = fs_advices_start(v->advices), begins = fs_advices_begins(v->advices);
	char when[WORDS];

	if (begins == FS_UNKNOWN && (start == FS_UNKNOWN || !fs_advices_count(v->advices)))
		return;
	if (begins != FS_UNKNOWN)
		page_say(p, "It may not begin before %s; what follows is planned as if that had come.",
			 date_words(when, s, begins));
	if (start != FS_UNKNOWN && fs_advices_count(v->advices))
		page_say(p, "Planned as things are: %s. One change at a time, and nothing else changes:",
			 date_words(when, s, start));
	page_end(p);
	page_gap(p);
}

void explain_advice_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const fs_snapshot *s = v->from->snapshot;
	struct fs_job j;

	fs_snapshot_job(s, job->job_row, &j);
	page_gap(p);
	if (explain_is_mine(v, &j))
		page_heading(p, "WHAT YOU CAN DO");
	else
		page_heading(p, "WHAT %s CAN DO", j.user);
	if (!v->advices) {
		page_say(p, "Unknown: %s.", v->no_advice);
		page_end(p);
		return;
	}
	say_before(p, v);
	if (!say_group(p, v, FS_WHO_OWNER, &j)) {
		say_none(p, v, job, &j);
		page_end(p);
		page_gap(p);
	}
	for (enum fs_who who = FS_WHO_COORDINATOR; who < FS_WHO_COUNT; who++)
		say_group(p, v, who, &j);
	say_missing(p, v);
	say_later(p, v);
}

/* ---- JSON */

#define ADVICE(m) COLUMN_MEMBER(struct fs_advice, m)

static const struct column start_columns[] = {
	{ NULL, "before", ADVICE(start_before), .unit = UNIT_TIME, .help = "as things are" },
	{ NULL, "after", ADVICE(start_after), .unit = UNIT_TIME, .help = "with the command" },
	{ NULL, "late", ADVICE(start_late), .unit = UNIT_TIME, .help = "with it, if the next cycle comes too late for that" },
	{ NULL, "likely", ADVICE(start_likely), .unit = UNIT_TIME, .help = "without it, where no start is planned" },
};

static void write_start(struct fs_json *j, const void *of, const void *row)
{
	columns_object(j, COLUMNS(start_columns), of, row);
}

static const struct column cost_columns[] = {
	{ NULL, "before", ADVICE(cost_before), .help = "as things are" },
	{ NULL, "after", ADVICE(cost_after), .help = "with the command" },
};

static void write_cost(struct fs_json *j, const void *of, const void *row)
{
	columns_object(j, COLUMNS(cost_columns), of, row);
}

static const struct column advice_columns[] = {
	{ NULL, "command", ADVICE(command), .help = "for a shell" },
	{ NULL, "who", ADVICE(who), .word = fs_who_name, .help = "who may give it" },
	{ NULL, "start", .json = write_start, .help = "the planned start" },
	{ NULL, "cost", .json = write_cost, .help = "billing units if it runs to its limit" },
	{ NULL, "effects", ADVICE(effects), .help = "what else it does" },
};

void explain_advice_json(struct fs_json *j, const struct explain_view *v)
{
	fs_json_key(j, "advice");
	if (!v->advise || !v->advices) {
		fs_json_null(j);
		return;
	}
	fs_json_array(j);
	for (size_t i = 0; i < fs_advices_count(v->advices); i++)
		columns_object(j, COLUMNS(advice_columns), NULL, fs_advices_row(v->advices, i));
	fs_json_end_array(j);
}
