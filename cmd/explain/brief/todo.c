/* Of the four lines: what can be done. */
#include "explain/brief/parts.h"

#include "words/verdict.h"

#include <ctype.h>
#include <string.h>

static const struct fs_advice *best(const struct explain_view *v)
{
	for (size_t i = 0; v->advices && i < fs_advices_count(v->advices); i++)
		if (fs_advices_row(v->advices, i)->who == FS_WHO_OWNER)
			return fs_advices_row(v->advices, i);
	return NULL;
}

static void add_advice(char *line, const struct explain_view *v, const struct fs_advice *a, const struct fs_job *j)
{
	char start[ADVICE_WORDS];

	if (!explain_is_mine(v, j))
		brief_add(line, "Ask %s: ", j->user);
	explain_start_words(start, v->from->snapshot, a);
	brief_add(line, "%s starts it %.*s", a->command, (int)strcspn(start, ","), start);
	brief_add_if_short(line, start + strcspn(start, ","));
	brief_add(line, "%s.", jobs_are_missing(v->from->snapshot) ? ", as far as jobs can be seen" : "");
}

static bool is_for_anybody(const struct fs_verdict *v)
{
	return v->kind == FS_VERDICT_LIMIT || v->kind == FS_VERDICT_NODES ||
	       (v->kind == FS_VERDICT_HELD && v->cause == FS_VERDICT_CAUSE_ADMINISTRATOR);
}

/* Adds what the owner can do; of another user's job it begins "For emil:". */
static void add_for_owner(char *line, const struct explain_view *v, const struct fs_verdict *verdict,
			  const struct fs_job *j, const char *text)
{
	if (explain_is_mine(v, j) || is_for_anybody(verdict))
		brief_add(line, "%s", text);
	else
		brief_add(line, "For %s: %c%s", j->user, tolower((unsigned char)*text), text + 1);
}

/* Adds sentences about what would change the job's place, as many as there is room for. */
static void add_change(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job)
{
	char *line = b->todo;
	char text[BRIEF_LINE], *at = text, *end;
	struct page p;

	page_init(&p, PAGE_TEXT, 80, true);
	explain_change_text(&p, v, job);
	b->failed = b->failed || p.failed;
	snprintf(text, sizeof(text), "%s%s", *line ? " " : "", p.words && p.len ? p.words : "");
	page_free(&p);
	while ((end = strstr(at, ". ")) || (*at && (end = at + strlen(at) - 1, true))) {
		const char after = end[1];

		end[1] = '\0';
		if (!brief_is_short(line, at))
			return;
		brief_add(line, "%s", at);
		end[1] = after;
		at = end + 1;
	}
}

bool brief_held_by_sum(const struct fs_verdict *v)
{
	return v->reason && !strcmp(v->reason->name, "priority-hold");
}

/* Says what can be done about what holds the job back, where no command was tried. */
static const char *by_verdict(const struct fs_verdict *v)
{
	switch (v->kind) {
	case FS_VERDICT_HELD:
		return v->cause == FS_VERDICT_CAUSE_OWNER           ? "Release it."
		       : v->cause == FS_VERDICT_CAUSE_ADMINISTRATOR ? "Ask an administrator to release it."
		       : v->cause == FS_VERDICT_CAUSE_REQUEUE
			       ? "Mend what made it fail, then release it; if that is refused, ask an administrator."
		       : brief_held_by_sum(v) ? "Bring its sum above 0: with more urgency, or another queue or bank."
					      : "";
	case FS_VERDICT_DEPENDENCY:
		return "Wait for that, or take the dependency away.";
	case FS_VERDICT_BEGIN:
		return "Wait until then, or give it an earlier begin time.";
	case FS_VERDICT_RESERVATION:
		return v->cause != FS_VERDICT_CAUSE_RESERVATION ? ""
		       : v->time == FS_UNKNOWN ? "Wait until the reservation can be used, or run it outside."
					       : "Wait until the reservation begins, or run it outside.";
	case FS_VERDICT_ARRAY_LIMIT:
		return "Wait until a task of the array ends, or raise the array's limit (ArrayTaskThrottle).";
	case FS_VERDICT_LIMIT:
		return v->limit && limit_is_by_node(v->limit) ? "Wait until it gets more nodes."
		       : v->limit && limit_is_by_larger_nodes(v->limit)
			       ? "Wait until it gets smaller nodes."
		       : v->limit ? "Wait until the limit has room."
				  : "";
	case FS_VERDICT_NODES:
		return v->cause == FS_VERDICT_CAUSE_PARTITION
			       ? "Ask an administrator when it is opened, or move the job."
		       : v->nodes.all ? "Wait until the nodes are back."
				      : "";
	default:
		return "";
	}
}

/* Returns what clears the scheduler's reason where nothing but the reason says why the job waits. */
static const char *cure(const struct fs_verdict *v)
{
	const bool alone = v->kind < FS_VERDICT_NODES || v->kind == FS_VERDICT_WAITS ||
			   (v->kind == FS_VERDICT_NODES && !v->nodes.all);

	return alone && *v->reason_text && v->reason ? v->reason->clears : "";
}

/* The line where no advice was found, or none was looked for. */
static void todo_without(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
			 const struct fs_job *j)
{
	char *line = b->todo;
	char remedy[VERDICT_TEXT], nothing[ADVICE_WORDS], id[WORDS];

	if (*verdict_remedy(remedy, nouns(v), &job->verdict))
		add_for_owner(line, v, &job->verdict, j, remedy);
	else if (v->advices && explain_starts_now(v))
		brief_add(line, "Nothing needs to change%s.", job->jobs_missing ? ", as far as jobs can be seen" : "");
	else if (*by_verdict(&job->verdict))
		add_for_owner(line, v, &job->verdict, j, by_verdict(&job->verdict));
	else if (v->advices)
		brief_add(line, "%s.", explain_nothing_helps(nothing, v, j));
	else if (*cure(&job->verdict))
		brief_add(line, "What clears it: %s.", cure(&job->verdict));
	else if (job->verdict.kind == FS_VERDICT_UNKNOWN && !*job->verdict.reason_text)
		brief_add(line, "Look at its reason: scontrol show job %s.",
			  job_words(id, v->from->snapshot, job->job_row));
	if (!*line || (v->advices && !explain_starts_now(v) && job->state == FS_EXPLAIN_QUEUED))
		add_change(b, v, job);
	if (!*line)
		brief_add(line, "Unknown: %s.",
			  v->no_advice && *v->no_advice ? v->no_advice : "no change was tried here");
}

void brief_fill_todo(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		     const struct fs_job *j)
{
	const struct fs_advice *a = best(v);

	if (job->state == FS_EXPLAIN_RUNNING && explain_is_suspended(j))
		brief_add(b->todo, "Wait until it is resumed.");
	else if (explain_has_started(job))
		brief_add(b->todo, "Nothing: it %s.", job->state == FS_EXPLAIN_RUNNING ? "runs" : "has ended");
	else if (a)
		add_advice(b->todo, v, a, j);
	else
		todo_without(b, v, job, j);
}
