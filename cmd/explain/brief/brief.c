/* Four lines: why the job waits, when it starts, who is ahead, what can be done. */
#include "explain/brief/parts.h"
#include "explain/json/json.h"
#include "words/verdict.h"

#include <string.h>

/* ---- why the job waits */

/* Adds "job 12 of emil", or "another job" if the viewer may not see it. */
static void add_job(char *line, const struct explain_view *v, uint64_t id)
{
	const fs_snapshot *s = v->from->snapshot;
	const size_t n = fs_snapshot_info(s)->jobs;
	char word[WORDS];
	struct fs_job j;

	for (size_t i = 0; i < n; i++) {
		fs_snapshot_job(s, i, &j);
		if (j.id != id)
			continue;
		job_words(word, s, (uint32_t)i);
		if (fs_explain_find_job(v->x, word) == FS_NO_ROW)
			break;
		brief_add(line, "job %s of %s", word, *j.user ? j.user : "an unknown user");
		return;
	}
	brief_add(line, "another job");
}

/* Says what an eligible job waits for, by the plan. */
static bool why_by_plan(char *line, const struct explain_view *v, const struct fs_explain_job *job,
			const struct fs_job *j, const struct fs_plan_row *r)
{
	char cpus[WORDS];
	const char *few = r->wait == FS_PLAN_WAIT_CPUS     ? cpus
			  : r->wait == FS_PLAN_WAIT_MEMORY ? "Too little memory is"
			  : r->wait == FS_PLAN_WAIT_GRES   ? "Too few GPUs or other gres are"
			  : r->wait == FS_PLAN_WAIT_NODES  ? "Too few nodes are"
							   : NULL;

	struct fs_reservation kept;

	snprintf(cpus, sizeof(cpus), "Too few %s are", nouns(v)->cpus);

	if (r->state == FS_PLAN_NEVER && r->wait != FS_PLAN_WAIT_COMPONENT) {
		brief_add(line, "No nodes that are up fit it.");
	} else if (r->state == FS_PLAN_BLOCKED && r->section == FS_SECTION_REQUEST && *j->licenses) {
		brief_add(line, "Licences that it asks for are not free.");
	} else if (explain_gets_too_much(r)) {
		brief_add(line, "The nodes that it would get give it more than a limit allows.");
	} else if (r->state == FS_PLAN_NOW && job->ahead.all.entries) {
		brief_add(line, "There is room for it now, beside the %s%s ahead of it.",
			  job->jobs_missing ? "at least " : "", entries_words(cpus, job->ahead.all.entries, job->ahead.all.jobs));
	} else if (r->blocked_by && r->wait != FS_PLAN_WAIT_COMPONENT) {
		brief_add(line, "The nodes it needs are planned for ");
		add_job(line, v, r->blocked_by);
		brief_add(line, ", which goes before it.");
	} else if (r->wait == FS_PLAN_WAIT_RESERVATION && v->dialect->explain->kept_off &&
		   v->dialect->explain->kept_off(v, job->job_row, r->start_time, &kept)) {
		brief_add(line, "Reservation %.200s keeps nodes that it needs until %s.", kept.name,
			  date_words(cpus, v->from->snapshot, kept.end_time));
	} else if (r->frees && few) {
		brief_add(line, "%s free until ", few);
		add_job(line, v, r->frees);
		brief_add(line, " ends.");
	} else {
		return false;
	}
	return true;
}

static void add_waited(char *line, const struct fs_job *j)
{
	const int64_t from = j->eligible_time == FS_UNKNOWN ? j->submit_time : j->eligible_time;
	char a[WORDS];

	if (from != FS_UNKNOWN && j->start_time != FS_UNKNOWN && j->start_time >= from)
		brief_add(line, "; it waited %s", duration_words(a, (double)(j->start_time - from)));
}

static void add_suspended(char *line, const fs_snapshot *s, const struct fs_job *j)
{
	char a[WORDS];

	if (j->suspend_time == FS_UNKNOWN)
		brief_add(line, "It is suspended, since when is not recorded; it started %s", date_words(a, s, j->start_time));
	else
		brief_add(line, "It is suspended since %s", date_words(a, s, j->suspend_time));
}

/* Slurm shows where it runs as a list expression, Maui each node once for each task. */
static void why_running(char *line, const fs_snapshot *s, const struct fs_job *j)
{
	char a[WORDS], nodes[BRIEF_LINE];

	if (explain_is_suspended(j))
		add_suspended(line, s, j);
	else
		brief_add(line, "It is %s since %s", j->state, date_words(a, s, j->start_time));
	snprintf(nodes, sizeof(nodes), " on %.700s", j->node_list);
	if (*j->node_list)
		brief_add_if_short(line, nodes);
	if (explain_is_suspended(j) && j->ran_s != FS_UNKNOWN)
		brief_add(line, ", after running %s", duration_words(a, (double)j->ran_s));
	add_waited(line, j);
	brief_add(line, ".");
}

/* A clause too long for two lines goes without what a line below says, and then without the name of the limit. */
static const char *shortened(char *words)
{
	static const char never[] = "it can never start: ";
	char *limit = strrchr(words, '(');

	if (!brief_is_short(words, "") && !strncmp(words, never, strlen(never)))
		words += strlen(never);
	if (!brief_is_short(words, "") && limit > words && words[strlen(words) - 1] == ')')
		limit[-1] = '\0';
	return words;
}

static void fill_why(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		    const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	char words[VERDICT_TEXT];
	struct fs_plan_row r;

	if (job->state == FS_EXPLAIN_RUNNING) {
		why_running(b->why, s, j);
	} else if (job->state == FS_EXPLAIN_ENDED) {
		brief_add(b->why, "It has ended (%s)", j->state);
		add_waited(b->why, j);
		brief_add(b->why, ".");
	} else if (job->verdict.kind >= FS_VERDICT_BEHIND && explain_plan_row(v, job->job_row, &r) &&
		   why_by_plan(b->why, v, job, j, &r)) {
		if (job->verdict.reason && job->verdict.reason->section == FS_SECTION_NODES)
			brief_add(b->why, " The reason shown is %s.", verdict_reason(words, &job->verdict));
	} else {
		verdict_words(words, nouns(v), s, &job->verdict);
		brief_sentence(b->why, *words ? shortened(words) : "it waits; by what is not known");
	}
}

static void fill(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_job j;

	*b = (struct brief){ "", "", "", "", false };
	fs_snapshot_job(v->from->snapshot, job->job_row, &j);
	fill_why(b, v, job, &j);
	brief_fill_when(b, v, job, &j);
	brief_fill_ahead(b, v, job, &j);
	brief_fill_todo(b, v, job, &j);
}

void explain_brief_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct brief b;

	fill(&b, v, job);
	p->failed = p->failed || b.failed;
	page_labelled(p, "Why", b.why);
	page_labelled(p, "When", b.when);
	page_labelled(p, "Ahead", b.ahead);
	page_labelled(p, "What you can do", b.todo);
}

void explain_brief_json(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct brief b;

	fs_json_key(j, "brief");
	if (!v->brief) {
		fs_json_null(j);
		return;
	}
	fill(&b, v, job);
	j->failed = j->failed || b.failed;
	fs_json_object(j);
	json_text(j, "why", b.why);
	json_text(j, "when", b.when);
	json_text(j, "ahead", b.ahead);
	json_text(j, "what_you_can_do", b.todo);
	fs_json_end_object(j);
}
