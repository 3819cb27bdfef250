/* Four lines: why the job waits, when it starts, who is ahead, what can be done. */
#include "explain/json_parts.h"
#include "explain/parts.h"
#include "render/page_parts.h"
#include "render/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 800 };

struct brief {
	char why[LINE], when[LINE], ahead[LINE], todo[LINE];
};

__attribute__((format(printf, 2, 3))) static void add(char *line, const char *fmt, ...)
{
	const size_t len = strlen(line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line + len, LINE - len, fmt, ap);
	va_end(ap);
}

/* A clause as a sentence. */
static void sentence(char *line, const char *clause)
{
	const size_t at = strlen(line);

	add(line, "%s.", clause);
	if (line[at] >= 'a' && line[at] <= 'z')
		line[at] = (char)(line[at] - 'a' + 'A');
}

static bool over(const struct fs_explain_job *job)
{
	return job->state == FS_EXPLAIN_RUNNING || job->state == FS_EXPLAIN_ENDED;
}

/* Does it go on two lines of the page, with the full stop that is to come? */
static bool is_short(const char *text, const char *more)
{
	char all[2 * LINE], *at = all;

	snprintf(all, sizeof(all), "%s%s.", text, more);
	for (int lines = 0; lines < 2 && *at; lines++) {
		at += page_fitting(at, 80 - PAGE_LABEL);
		at += strspn(at, " ");
	}
	return !*at;
}

/* What is left out where the line would get longer than two. */
static void add_if_short(char *line, const char *more)
{
	if (is_short(line, more))
		add(line, "%s", more);
}

/* ---- why */

/* "job 12 of emil"; of one that may not be seen "another job". */
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
		add(line, "job %s of %s", word, *j.user ? j.user : "an unknown user");
		return;
	}
	add(line, "another job");
}

/* What an eligible job waits for. */
static bool why_by_plan(char *line, const struct explain_view *v, const struct fs_plan_row *r)
{
	char cpus[WORDS];
	const char *few = r->wait == FS_WAIT_CPUS     ? cpus
			  : r->wait == FS_WAIT_MEMORY ? "Too little memory is"
			  : r->wait == FS_WAIT_GRES   ? "Too few GPUs or other gres are"
			  : r->wait == FS_WAIT_NODES  ? "Too few nodes are"
						      : NULL;

	snprintf(cpus, sizeof(cpus), "Too few %s are", nouns(v)->cpus);

	if (r->blocked_by && r->wait != FS_WAIT_COMPONENT) {
		add(line, "The nodes it needs are planned for ");
		add_job(line, v, r->blocked_by);
		add(line, ", which goes before it.");
	} else if (r->frees && few) {
		add(line, "%s free until ", few);
		add_job(line, v, r->frees);
		add(line, " ends.");
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
		add(line, "; it waited %s", duration_words(a, (double)(j->start_time - from)));
}

/* Slurm shows where it runs as a list expression, Maui each node once for each task. */
static void why_running(char *line, const fs_snapshot *s, const struct fs_job *j)
{
	char a[WORDS], nodes[LINE];

	add(line, "It is %s since %s", j->state, date_words(a, s, j->start_time));
	snprintf(nodes, sizeof(nodes), " on %.700s", j->node_list);
	if (*j->node_list)
		add_if_short(line, nodes);
	add_waited(line, j);
	add(line, ".");
}

/* A clause too long for two lines goes without what the line below says or the scheduler's reason means, and then without
 * the name of the limit. */
static const char *shortened(char *words, enum fs_verdict_kind kind)
{
	static const char never[] = "it can never start: ";
	char *limit = strrchr(words, '('), *meaning = strstr(words, ": ");

	if (kind == FS_VERDICT_WAITS && meaning && !is_short(words, ""))
		*meaning = '\0';

	if (!is_short(words, "") && !strncmp(words, never, strlen(never)))
		words += strlen(never);
	if (!is_short(words, "") && limit > words && words[strlen(words) - 1] == ')')
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
		add(b->why, "It has ended (%s)", j->state);
		add_waited(b->why, j);
		add(b->why, ".");
	} else if (job->verdict.kind < FS_VERDICT_BEHIND || !explain_plan_row(v, job->job_row, &r) || !why_by_plan(b->why, v, &r)) {
		verdict_words(words, nouns(v), s, &job->verdict);
		sentence(b->why, *words ? shortened(words, job->verdict.kind) : "it waits; by what is not known");
	}
}

/* ---- when */

static void add_estimate(char *line, const struct explain_view *v, const struct fs_job *j, int64_t start)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS];

	if (j->start_time == FS_UNKNOWN || j->start_time <= fs_snapshot_info(s)->time ||
	    (start != FS_UNKNOWN && llabs(j->start_time - start) <= 60))
		return;
	add(line, "%s%s's own estimate: %s.", *line ? " " : "", v->dialect->nouns.scheduler, date_words(a, s, j->start_time));
}

/* What its start depends on, where the plan has none. */
static const char *until_when(const struct fs_verdict *v)
{
	if (v->kind == FS_VERDICT_NODES && v->cause == FS_CAUSE_PARTITION)
		return "not before an administrator opens it again";
	switch (v->kind) {
	case FS_VERDICT_HELD:
		return "not before it is released";
	case FS_VERDICT_DEPENDENCY:
		return "not before what it depends on has happened";
	case FS_VERDICT_BEGIN:
		return "not before its begin time, which is not recorded";
	case FS_VERDICT_LIMIT:
		return "when the limit has room for it";
	case FS_VERDICT_NODES:
		return "when enough nodes are back";
	default:
		return "the plan finds no start for it";
	}
}

static void when_by_plan(char *line, const struct explain_view *v, const struct fs_explain_job *job,
			 const struct fs_plan_row *r)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS];

	switch (r->state) {
	case FS_PLAN_NOW:
		add(line, "Now: by the plan the next scheduling cycle starts it.");
		break;
	case FS_PLAN_LATER:
	case FS_PLAN_BEYOND:
		add(line, "%s, if running jobs use their whole limits%s.", date_words(a, s, r->start_time),
		    r->state == FS_PLAN_BEYOND ? "; further ahead than the scheduler plans" : "");
		break;
	case FS_PLAN_BEGINS:
		add(line, "Not before %s.", date_words(a, s, r->start_time));
		break;
	case FS_PLAN_NEVER:
		add(line, "Never.");
		break;
	case FS_PLAN_NOT_REACHED:
		add(line, "Unknown: a scheduling cycle does not look as far down the queue as this job.");
		break;
	default:
		add(line, "Unknown: %s.", until_when(&job->verdict));
	}
}

/* What a simulation says beside the plan, where it says something else. */
static void add_likely(char *line, const struct explain_view *v, const struct fs_plan_row *r)
{
	const fs_snapshot *s = v->from->snapshot;
	const bool both = r->likely_start_time != FS_UNKNOWN && r->start_time != FS_UNKNOWN;
	const bool as_planned = both && llabs(r->likely_start_time - r->start_time) <= 60;
	struct fs_plan_runs runs;
	char a[WORDS], b[WORDS], more[2 * WORDS];

	if (r->likely_start_time == FS_UNKNOWN || r->state == FS_PLAN_NOW || (as_planned && r->likely_low_time == FS_UNKNOWN))
		return;
	fs_plan_runs(v->plan, &runs);
	add(line, " Likely %s", time_words(a, s, r->likely_start_time));
	snprintf(more, sizeof(more), " (in 4 of 5 runs %.60s to %.60s)", time_words(a, s, r->likely_low_time),
		 time_words(b, s, r->likely_high_time));
	if (r->likely_low_time != FS_UNKNOWN && r->likely_high_time != FS_UNKNOWN)
		add_if_short(line, more);
	add_if_short(line, runs.runs ? ", by how long jobs ran before" : ", as jobs share nodes");
	add(line, ".");
}

static void fill_when(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	struct fs_plan_row r = { .start_time = FS_UNKNOWN };
	char a[WORDS];

	if (over(job)) {
		add(b->when, job->state == FS_EXPLAIN_ENDED ? "It ended %s." : "It ends by %s.", date_words(a, s, j->end_time));
		return;
	}
	if (job->state == FS_EXPLAIN_NEVER) {
		add(b->when, "Never.");
		return;
	}
	if (explain_plan_row(v, job->job_row, &r))
		when_by_plan(b->when, v, job, &r);
	if (r.job)
		add_likely(b->when, v, &r);
	add_estimate(b->when, v, j, r.start_time);
	if (!*b->when)
		add(b->when, "Unknown: %s.",
		    v->plan		     ? "the plan has no row for it"
		    : v->no_plan && *v->no_plan ? v->no_plan
						: "no plan was made here; fs-showq --start makes one");
}

/* ---- ahead */

static void add_lead(char *line, const struct explain_view *v, const struct fs_explain_job *job,
		     const struct fs_explain_job *other, const struct fs_explain_sum *theirs)
{
	const struct fs_explain_sum *own = job->sums;
	struct fs_explain_comparison d;
	char factor[WORDS], a[WORDS], c[WORDS], more[2 * WORDS];

	if (fs_explain_compare_jobs(v->x, other, job, &d) || isnan(d.queue_difference))
		return;
	snprintf(more, sizeof(more), ", by %.0f %s", d.queue_difference, d.queue_difference == 1 ? "point" : "points");
	add_if_short(line, more);
	*more = '\0';
	if (theirs->direct && !own->direct)
		snprintf(more, sizeof(more), ": its priority was %.60s", nouns(v)->direct);
	else if (!theirs->direct && !own->direct && d.differences && d.term != FS_NO_ROW && d.total > 0)
		snprintf(more, sizeof(more), ": %.60s %.30s against %.30s", factor_words(factor, own->terms[d.term].name),
			 factor_number(a, theirs->terms[d.term].value), factor_number(c, own->terms[d.term].value));
	add_if_short(line, more);
}

/* fs_queue_key_text in fewer words. */
static const char *key_words(enum fs_queue_key key)
{
	switch (key) {
	case FS_KEY_SUBMIT:
		return ": as high, and submitted earlier";
	case FS_KEY_JOBID:
		return ": as high, and of lower id";
	case FS_KEY_TASK:
		return ": as high, and an earlier task";
	case FS_KEY_TABLE:
		return ": as high; first in the job table";
	case FS_KEY_EARLIER:
		return ": as high now; higher before";
	case FS_KEY_CIRCLE:
		return ": preemption puts it first";
	case FS_KEY_TIER:
		return ": its partition has a higher PriorityTier";
	default:
		return NULL;
	}
}

static void add_next(char *line, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_explain_job other;
	struct fs_queue_row row;
	enum fs_queue_key key;
	char id[WORDS], more[2 * WORDS];
	size_t at;

	if (job->ahead.next == FS_NO_ROW || !explain_sum_of_row(v, job->ahead.next, &row, &other, &at))
		return;
	add(line, "%s%s of %s", job->ahead.all.entries > 1 ? "; the next is " : "", job_words(id, v->from->snapshot, row.job_row),
	    row.user);
	snprintf(more, sizeof(more), " (%.200s)", row.account);
	if (*row.account)
		add_if_short(line, more);
	key = fs_queue_deciding_key(v->from->queue, job->ahead.next, job->sums->queue_row);
	if (key == FS_KEY_PRIORITY)
		add_lead(line, v, job, &other, &other.sums[at]);
	else if (key_words(key))
		add_if_short(line, key_words(key));
	else
		add(line, ": %s", fs_queue_key_text(key));
}

/* Why it is not tried at all. */
static const char *not_eligible(const struct fs_explain_job *job)
{
	if (job->state == FS_EXPLAIN_RUNNING)
		return "Nobody: it runs.";
	if (job->state == FS_EXPLAIN_ENDED)
		return "Nobody: it has ended.";
	switch (job->verdict.kind) {
	case FS_VERDICT_NEVER:
		return "It is not eligible: it cannot start.";
	case FS_VERDICT_HELD:
		return "It is not eligible while it is held.";
	case FS_VERDICT_DEPENDENCY:
	case FS_VERDICT_BEGIN:
		return "It is not eligible until then.";
	case FS_VERDICT_LIMIT:
		return "It is not eligible while that limit is reached.";
	default:
		return "It is not eligible now.";
	}
}

static void fill_ahead(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	char n[WORDS], in[WORDS] = "";

	if (over(job) || !job->nsums || !job->sums->position) {
		add(b->ahead, "%s", not_eligible(job));
		return;
	}
	if (job->verdict.kind == FS_VERDICT_WAITS) {
		add(b->ahead, "Unknown: %s.", verdict_unplaced(&job->verdict));
		return;
	}
	if (!fs_queue_one_line(v->from->queue) && *job->sums->partition)
		snprintf(in, sizeof(in), " in %.140s", job->sums->partition);
	if (!a->all.entries && !a->unseen) {
		add(b->ahead, "Nobody%s.", in);
		return;
	}
	if (a->all.entries > 1)
		add(b->ahead, "%s%s", entries_words(n, a->all.entries, a->all.jobs), in);
	if (a->all.entries)
		add_next(b->ahead, v, job);
	if (a->unseen)
		add(b->ahead, "%s%s that cannot be seen%s", a->all.entries ? ", and " : "", count_words(n, a->unseen, "job", "jobs"), nouns(v)->hidden);
	add(b->ahead, ".");
}

/* ---- what can be done */

static const struct fs_advice *best(const struct explain_view *v)
{
	for (size_t i = 0; v->advices && i < fs_advices_count(v->advices); i++)
		if (fs_advices_row(v->advices, i)->who == FS_WHO_OWNER)
			return fs_advices_row(v->advices, i);
	return NULL;
}

static void add_advice(char *line, const struct explain_view *v, const struct fs_advice *a)
{
	char start[ADVICE_WORDS];

	add(line, "%s starts it %s.", a->command, explain_start_words(start, v->from->snapshot, a));
}

/* Sentences of what would change its place: as many as there is room for. */
static void add_change(char *line, const struct explain_view *v, const struct fs_explain_job *job)
{
	char text[LINE], *at = text, *end;
	struct page p;

	page_init(&p, PAGE_TEXT, 80, true);
	explain_change_text(&p, v, job);
	snprintf(text, sizeof(text), "%s%s", *line ? " " : "", p.words && p.len ? p.words : "");
	page_free(&p);
	while ((end = strstr(at, ". ")) || (*at && (end = at + strlen(at) - 1, true))) {
		const char after = end[1];

		end[1] = '\0';
		if (!is_short(line, at))
			return;
		add(line, "%s", at);
		end[1] = after;
		at = end + 1;
	}
}

/* What can be done of what holds it back, where no command was tried. */
static const char *by_verdict(const struct fs_verdict *v)
{
	switch (v->kind) {
	case FS_VERDICT_HELD:
		return v->cause == FS_CAUSE_OWNER	   ? "Release it."
		       : v->cause == FS_CAUSE_ADMINISTRATOR ? "Ask an administrator to release it."
							     : "";
	case FS_VERDICT_DEPENDENCY:
		return "Wait for that, or take the dependency away.";
	case FS_VERDICT_BEGIN:
		return "Wait until then, or give it an earlier begin time.";
	case FS_VERDICT_LIMIT:
		return "Wait until the limit has room.";
	case FS_VERDICT_NODES:
		return v->cause == FS_CAUSE_PARTITION ? "Ask an administrator when it is opened, or move the job."
						      : "Wait until the nodes are back.";
	default:
		return "";
	}
}

/* Nothing was found, or nothing was tried. */
static void todo_without(char *line, const struct explain_view *v, const struct fs_explain_job *job,
			 const struct fs_job *j)
{
	char remedy[VERDICT_TEXT], nothing[ADVICE_WORDS];

	if (*verdict_remedy(remedy, nouns(v), &job->verdict))
		add(line, "%s", remedy);
	else if (v->advices && explain_starts_now(v))
		add(line, "Nothing needs to change.");
	else if (!v->advices && *by_verdict(&job->verdict))
		add(line, "%s", by_verdict(&job->verdict));
	else if (v->advices)
		add(line, "%s.", explain_nothing_helps(nothing, v, j));
	if (!*line || (v->advices && job->state == FS_EXPLAIN_QUEUED))
		add_change(line, v, job);
	if (!*line)
		add(line, "Unknown: %s.", v->no_advice && *v->no_advice ? v->no_advice : "no change was tried here");
}

static void fill_todo(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_job *j)
{
	const struct fs_advice *a = best(v);

	if (over(job))
		add(b->todo, "Nothing: it %s.", job->state == FS_EXPLAIN_RUNNING ? "runs" : "has ended");
	else if (a)
		add_advice(b->todo, v, a);
	else
		todo_without(b->todo, v, job, j);
}

static void fill(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_job j;

	*b = (struct brief){ "", "", "", "" };
	fs_snapshot_job(v->from->snapshot, job->job_row, &j);
	fill_why(b, v, job, &j);
	fill_when(b, v, job, &j);
	fill_ahead(b, v, job);
	fill_todo(b, v, job, &j);
}

void explain_brief_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct brief b;

	fill(&b, v, job);
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
	fs_json_object(j);
	json_text(j, "why", b.why);
	json_text(j, "when", b.when);
	json_text(j, "ahead", b.ahead);
	json_text(j, "what_you_can_do", b.todo);
	fs_json_end_object(j);
}
