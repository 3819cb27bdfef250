/* The page of a job, as text and as an HTML document, and its table of jobs ahead. */
#include "explain/explain.h"
#include "fs/queue.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the table of the jobs ahead, by account, user and array */

/* Columns of the table of jobs ahead. `entries`: the table has a column with the number of queue entries, because this
 * number differs from the number of jobs. `gpus`: the table has a column with GPUs, because some jobs ahead use
 * GPUs. */
struct ahead_columns {
	struct page_column column[7];
	size_t n;
	bool entries, gpus;
};

static void choose_ahead_columns(struct ahead_columns *c, const struct explain_view *v,
				 const struct fs_explain_ahead *a)
{
	*c = (struct ahead_columns){ { AT_LEFT("who") }, 1, a->all.entries != a->all.jobs, a->all.gpus != 0 };
	if (c->entries)
		c->column[c->n++] = (struct page_column)AT_RIGHT("entries");
	c->column[c->n++] = (struct page_column)AT_RIGHT("jobs");
	c->column[c->n++] = (struct page_column)AT_RIGHT(v->vocabulary->cpu_column);
	if (c->gpus)
		c->column[c->n++] = (struct page_column)AT_RIGHT("GPUs");
	c->column[c->n++] = (struct page_column)AT_RIGHT(v->vocabulary->hours_column);
	c->column[c->n++] = (struct page_column)AT_LEFT("ahead by");
}

static void format_group_lead(char buf[VERDICT_TEXT], const struct explain_view *v, const struct fs_explain_sum *own,
			      const struct fs_explain_group *g)
{
	const bool set = own->direct || g->direct;

	*buf = '\0';
	if (g->key == FS_QUEUE_KEY_SUBMIT)
		append_text(buf, VERDICT_TEXT, "submitted earlier");
	else if (g->key != FS_QUEUE_KEY_PRIORITY || (g->term == FS_NO_ROW && !set))
		append_text(buf, VERDICT_TEXT, "%s", fs_queue_key_name(g->key));
	else if (g->term == FS_NO_ROW)
		append_text(buf, VERDICT_TEXT, "priority %s",
			    own->direct ? "(this job's was set directly)" : v->vocabulary->direct);
	else
		append_text(buf, VERDICT_TEXT, "%.60s %s", format_factor_name(BUF, own->terms[g->term].name),
			    explain_format_factor_range(BUF, g));
}

static void print_ahead_group(struct page *p, const struct ahead_columns *c, const struct explain_view *v,
			      const struct fs_explain_sum *own, const struct fs_explain_group *g)
{
	char by[VERDICT_TEXT];

	if (g->depth == 2)
		page_add_cell(p, "    %" PRIu64 "_[]", g->array);
	else if (g->depth == 1)
		page_add_cell(p, "  %s%s", format_cell_name(BUF, *g->user ? g->user : "unknown"),
			      g->is_own ? " *" : "");
	else
		page_add_cell(p, "%s", format_cell_name(BUF, *g->account ? g->account : "no account"));
	if (c->entries)
		page_add_cell(p, "%" PRIu32, g->entries);
	page_add_cell(p, "%" PRIu64, g->jobs);
	page_add_cell(p, g->cpus == FS_UNKNOWN ? "unknown" : "%" PRId64, g->cpus);
	if (c->gpus)
		page_add_cell(p, "%" PRId64, g->gpus);
	format_group_lead(by, v, own, g);
	PAGE_ADD_ROW(p, TONE_PLAIN, isinf(g->cpu_hours) ? "unlimited" : format_rounded_number(BUF, g->cpu_hours, 0),
		     by);
}

static void add_rival_partitions(struct page *p, const struct explain_view *v, const struct fs_explain_ahead *a,
				 bool certain)
{
	bool some = false;

	for (size_t i = 0; i < a->nrivals; i++) {
		const struct fs_explain_rival *r = &a->rivals[i];

		if (r->certain != certain)
			continue;
		if (some)
			page_append_text(p, ",");
		else
			page_add_sentence(p,
					  certain ? "Ahead in other %s that compete for the same nodes:"
						  : "Ahead in other %s, whose nodes are not in the snapshot:",
					  v->vocabulary->partitions);
		page_add_sentence(p, "%s in %s", format_counted_term(BUF, r->jobs, "job", "jobs"), r->partition);
		if (r->tier != FS_UNKNOWN)
			page_append_text(p, " (tier %" PRId64 ")", r->tier);
		some = true;
	}
	if (some)
		page_append_text(p, ".");
	page_end_paragraph(p);
}

/* Formats the sort keys of the queue as a list, "priority, job id". Omits keys that only compare queue rows of the same
 * job: its array tasks, partitions and QOS. */
static void format_sort_keys(char buf[WORDS], const struct explain_view *v)
{
	enum fs_queue_key key;

	*buf = '\0';
	for (size_t i = 0; (key = fs_queue_order(v->eval->queue, i)) != FS_QUEUE_KEY_NONE; i++)
		if (key != FS_QUEUE_KEY_TASK && key != FS_QUEUE_KEY_LISTED)
			append_text(buf, WORDS, "%s%s", *buf ? ", " : "", fs_queue_key_name(key));
}

static void add_ahead_heading(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const struct fs_explain_sum *own = job->sums;
	char order[WORDS];

	format_sort_keys(order, v);
	if (fs_queue_has_single_order(v->eval->queue))
		page_add_heading(p, "AHEAD of %s", format_display_job_id(BUF, v->snapshot, job->job_row));
	else
		page_add_heading(p, "AHEAD of %s in %s", format_display_job_id(BUF, v->snapshot, job->job_row),
				 own->partition);
	if (job->jobs_missing && !a->all.jobs) {
		page_end_with(p, "The jobs ahead are not known: %s.", get_missing_jobs_text(v->snapshot));
		return;
	}
	page_end_with(p, "%s%s ahead of it (order: %s).%s", job->jobs_missing ? "At least " : "",
		      format_counted_term(BUF, a->all.jobs, "job is", "jobs are"), order,
		      a->all.entries != a->all.jobs ? " An entry is one job, or all array tasks not yet split off."
						    : "");
}

static void add_ahead_section(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const struct fs_explain_sum *own = job->sums;
	struct ahead_columns shape;

	if (!job->nsums || !own->position) {
		page_end_with(p, "%s is not among the eligible jobs, so no job is ahead of it.",
			      format_display_job_id(BUF, v->snapshot, job->job_row));
		return;
	}
	page_add_gap(p);
	if (is_verdict_without_position(&job->verdict)) {
		page_end_with(p, "The jobs ahead of %s are not known: %s.",
			      format_display_job_id(BUF, v->snapshot, job->job_row),
			      get_no_position_text(v->snapshot, &job->verdict));
		return;
	}
	add_ahead_heading(p, v, job);
	if (a->ngroups) {
		choose_ahead_columns(&shape, v, a);
		page_begin_table(p, shape.column, shape.n);
		for (size_t i = 0; i < a->ngroups; i++)
			print_ahead_group(p, &shape, v, own, &a->groups[i]);
		page_end_table(p);
	}
	add_rival_partitions(p, v, a, true);
	add_rival_partitions(p, v, a, false);
	if (job->jobs_missing && a->all.jobs)
		page_add_sentence(p, "Jobs of %s.", get_missing_others_text(v->snapshot));
	else
		explain_add_unseen_jobs(p, v, a);
	page_end_with(p, "Jobs of the same user ahead%s: %" PRIu32 ".", a->own_entries ? " (*)" : "", a->own_entries);
}

/* ---- a job's page: what the job waits for, which jobs are ahead and why, and what would change its start */

/* ---- the title of the page */

void explain_add_title(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	enum { SIZE = 1200 };
	const fs_snapshot *s = v->snapshot;
	char text[SIZE] = "";
	struct fs_tres t;
	struct fs_job j;

	fs_snapshot_job(s, job->job_row, &j);

	append_text(text, SIZE, "Job %s · %s", format_display_job_id(BUF, s, job->job_row),
		    *j.user ? j.user : "user unknown");
	if (*j.account || !v->dialect->explain->account_optional)
		append_text(text, SIZE, " · %s %s", v->vocabulary->account, *j.account ? j.account : "unknown");
	for (size_t k = 0; fs_job_qos(s, job->job_row, k); k++)
		append_text(text, SIZE, "%s%s", k ? "," : " · QOS ", fs_job_qos(s, job->job_row, k));
	if (v->dialect->explain->title_partition && fs_job_partition(s, job->job_row, 0))
		append_text(text, SIZE, " · %s %s", v->vocabulary->partition, fs_job_partition(s, job->job_row, 0));
	if (j.request.cpus != FS_UNKNOWN)
		append_text(
			text, SIZE, " · %s",
			format_counted_term(BUF, (uint64_t)j.request.cpus, v->vocabulary->cpu, v->vocabulary->cpus));
	for (size_t k = 0; fs_job_tres(s, job->job_row, k, &t); k++)
		if (!strcmp(t.name, "mem") || !strcmp(t.name, "node") || !strncmp(t.name, "gres/", 5))
			append_text(text, SIZE, ", %s", format_tres_amount(BUF, t.name, (double)t.amount));
	if (j.request.time_limit_s != FS_UNKNOWN)
		append_text(text, SIZE, " · limit %s",
			    format_time_span(BUF, j.request.time_limit_s == FS_UNLIMITED
							  ? (double)INFINITY
							  : (double)j.request.time_limit_s));
	page_add_heading(p, "%s", text);
	page_add_gap(p);
}

/* ---- why the job waits */

/* Returns true if the job is first in all its partitions but its recorded reason is Priority: another job was ahead
 * when the reason was recorded. */
static bool is_first_since_reason(const struct fs_explain_job *job)
{
	if (!job->nsums || !job->reason || strcmp(job->reason->name, "Priority") != 0)
		return false;
	for (size_t i = 0; i < job->nsums; i++)
		if (job->sums[i].position != 1)
			return false;
	return true;
}

/* Copies a sentence of the scheduler to `buf` with blanks in place of underscores. The scheduler prints blanks as
 * underscores (src/api/job_info.c). */
static const char *format_scheduler_sentence(char *buf, size_t size, const char *s)
{
	snprintf(buf, size, "%s", s);
	for (char *c = buf; *c; c++)
		if (*c == '_')
			*c = ' ';
	return buf;
}

static void add_reason_meaning(struct page *p, const struct fs_explain_job *job, const struct fs_job *j)
{
	char text[400];

	if (job->reason)
		page_add_sentence(p, "(%s): %s.", job->reason->name, job->reason->meaning);
	else
		page_add_sentence(p, "(recorded reason: %s).",
				  *j->reason ? format_scheduler_sentence(text, sizeof(text), j->reason) : "none");
}

/* Adds what ends the recorded reason. Adds nothing if a limit blocks the job now, but did not block it when the reason
 * was recorded. */
static void add_reason_clearing(struct page *p, const struct fs_explain_job *job)
{
	if (job->verdict.kind == FS_VERDICT_WAITS ||
	    (job->verdict.limit && job->reason && job->reason->section != FS_SECTION_ASSOC_LIMIT &&
	     job->reason->section != FS_SECTION_QOS_LIMIT))
		return;
	if (is_first_since_reason(job))
		page_add_sentence(p, "The next scheduling cycle tries it first there.");
	else if (job->reason && *job->reason->clears)
		page_add_sentence(p, "What clears it: %s.", job->reason->clears);
}

/* Adds a sentence with the other components of the het job, because the job waits until all components can get nodes at
 * the same time (src/plugins/sched/backfill/backfill.c: _het_job_start_test). */
static void add_het_job_components(struct page *p, const fs_snapshot *s, const struct fs_job *j)
{
	const size_t n = fs_snapshot_info(s)->jobs;
	struct fs_job other;
	size_t count = 0;

	if (!j->het_job)
		return;
	for (size_t i = 0; i < n; i++) {
		fs_snapshot_job(s, i, &other);
		if (other.het_job != j->het_job || other.id == j->id)
			continue;
		page_add_sentence(p, count++ ? "and" : "It starts together with");
		page_add_sentence(p, "%" PRIu64, other.id);
	}
	if (count)
		page_append_text(p, ", %s of het job %" PRIu64 ".",
				 count == 1 ? "another component" : "other components", j->het_job);
	else
		page_add_sentence(p, "It is a component of het job %" PRIu64 ": all components start together.",
				  j->het_job);
}

static void add_job_details(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			    const struct fs_job *j)
{
	const fs_snapshot *s = v->snapshot;
	struct fs_job last;

	add_het_job_components(p, s, j);
	if (*j->request.dependency && job->verdict.kind != FS_VERDICT_DEPENDENCY)
		page_add_sentence(p, "Its dependency is %s.", j->request.dependency);
	if (job->verdict.kind != FS_VERDICT_BEGIN && j->times.eligible != FS_UNKNOWN &&
	    j->times.eligible > fs_snapshot_info(s)->time)
		page_add_sentence(p, "It may not start before %s.", format_full_time(BUF, s, j->times.eligible));
	if (*j->request.reservation)
		page_add_sentence(p, "It requests reservation %s.", j->request.reservation);
	if (job->verdict.kind > FS_VERDICT_BEGIN && j->times.start != FS_UNKNOWN &&
	    j->times.start > fs_snapshot_info(s)->time) {
		page_add_sentence(p, "The scheduler's own estimate of its start is %s.",
				  format_full_time(BUF, s, j->times.start));
		if (find_latest_component(s, j, &last))
			page_add_sentence(p,
					  "The estimate for component %" PRIu64 " is %s; no component starts earlier.",
					  last.id, format_full_time(BUF, s, last.times.start));
	}
}

/* Returns true if the recorded reason can explain why an eligible job waits. A stale reason cannot explain it; neither
 * can reasons about partitions, access or holds. */
static bool is_reason_of_turn(const struct fs_explain_job *job)
{
	return !job->reason || (!job->verdict.stale && job->section != FS_SECTION_PARTITION &&
				job->section != FS_SECTION_ACCESS && job->section != FS_SECTION_HELD);
}

/* Adds the scheduler's own words for the reason if they say more than the name of the reason, for example node
 * names. */
static void add_reason_detail(struct page *p, const struct fs_explain_job *job, const struct fs_job *j)
{
	char text[400];

	if (job->reason && strcmp(job->reason->name, j->reason) != 0 && *j->reason)
		page_add_sentence(p, "The scheduler printed: %s.",
				  format_scheduler_sentence(text, sizeof(text), j->reason));
}

/* Adds a sentence that says why an eligible job waits. If other jobs are known to be ahead, the sentence says that the
 * job waits for its turn. Otherwise it states the verdict. */
static void add_turn_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			   const struct fs_job *j)
{
	if (job->verdict.kind == FS_VERDICT_WAITS) {
		explain_add_verdict(p, v, job);
		return;
	}
	if (job->verdict.kind > FS_VERDICT_BEHIND) {
		explain_add_verdict(p, v, job);
		if (is_first_since_reason(job))
			page_add_sentence(p, "When the reason (Priority) was recorded, a job was ahead of it.");
		else if (job->reason && is_reason_of_turn(job) && job->reason->number != FS_REASON_RESOURCES)
			page_add_sentence(p, "The recorded reason is %s: %s.", job->reason->name, job->reason->meaning);
		return;
	}
	page_add_sentence(p, is_reason_of_turn(job) ? "It waits for its turn" : "It waits for its turn.");
	if (is_reason_of_turn(job))
		add_reason_meaning(p, job, j);
}

static void add_suspended_state(struct page *p, const fs_snapshot *s, const struct fs_job *j)
{
	page_add_sentence(p, "It is suspended,");
	if (j->times.suspend == FS_UNKNOWN)
		page_add_sentence(p, "since an unknown time:");
	else
		page_add_sentence(p, "since %s:", format_full_time(BUF, s, j->times.suspend));
	page_add_sentence(p, "started %s on %s,", format_full_time(BUF, s, j->times.start),
			  *j->node_list ? j->node_list : "unknown nodes");
	page_add_sentence(p, "ran %s.",
			  j->run_time_s == FS_UNKNOWN ? "for an unknown time"
						      : format_time_span(BUF, (double)j->run_time_s));
}

static void add_job_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			  const struct fs_job *j)
{
	const fs_snapshot *s = v->snapshot;

	if (v->dialect->explain->state && !explain_has_job_started(job)) {
		v->dialect->explain->state(p, v, job);
		return;
	}
	switch (job->state) {
	case FS_EXPLAIN_RUNNING:
		if (explain_is_job_suspended(j)) {
			add_suspended_state(p, s, j);
			return;
		}
		page_add_sentence(p, "It is %s: started %s on %s, ends %s at the latest.", j->state,
				  format_full_time(BUF, s, j->times.start),
				  *j->node_list ? j->node_list : "unknown nodes",
				  format_full_time(BUF, s, j->times.end));
		return;
	case FS_EXPLAIN_ENDED:
		page_add_sentence(p, "It has ended (%s, %s).", j->state, format_full_time(BUF, s, j->times.end));
		return;
	case FS_EXPLAIN_NEVER:
	case FS_EXPLAIN_HELD:
	case FS_EXPLAIN_BLOCKED:
		explain_add_verdict(p, v, job);
		break;
	case FS_EXPLAIN_QUEUED:
		add_turn_state(p, v, job, j);
		break;
	}
	if (job->state == FS_EXPLAIN_NEVER)
		return;
	if (job->state != FS_EXPLAIN_QUEUED && (job->verdict.kind != FS_VERDICT_NODES || !job->verdict.nodes.all) &&
	    job->verdict.cause != FS_VERDICT_CAUSE_REQUEUE)
		add_reason_clearing(p, job);
	add_reason_detail(p, job, j);
	add_job_details(p, v, job, j);
}

/* ---- notes: the job's age does not grow, or the snapshot lacks other jobs */

static const char *get_limit_each_text(const char *limit)
{
	return strstr(limit, "PerUser") ? " per user" : strstr(limit, "PerAccount") ? " per account" : "";
}

static void add_accrue_limit_note(struct page *p, const struct fs_accrue_row *a)
{
	char wait[WORDS] = "";

	if (a->ahead)
		snprintf(wait, sizeof(wait), ", and %" PRIu32 " with a lower id %s to age first", a->ahead,
			 a->ahead == 1 ? "waits" : "wait");
	page_add_sentence(p,
			  "Its age bonus is not growing: at most %s%s may age (%s of %s); %s%" PRIu32 " %s now%s. "
			  "The time until it ages does not count.",
			  format_counted_term(BUF, a->value, "job", "jobs"), get_limit_each_text(a->limit), a->limit,
			  a->scope, a->at_least ? "at least " : "", a->used, a->used == 1 ? "ages" : "age", wait);
}

static void add_accrue_note(struct page *p, const struct fs_explain_job *job)
{
	const struct fs_accrue_row *a = &job->accrue;

	if (!job->has_accrue || job->state == FS_EXPLAIN_NEVER || !job->nsums || !job->sums->nterms ||
	    job->sums->direct)
		return;
	if (a->state == FS_ACCRUE_WAITING)
		add_accrue_limit_note(p, a);
	else if (a->state == FS_ACCRUE_READY)
		page_add_sentence(p, "It has not begun to age; it begins when the scheduler next evaluates it.");
}

static void add_missing_jobs_note(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	if (job->jobs_missing)
		page_add_sentence(p, "Jobs of %s: positions and counts include only visible jobs.",
				  get_missing_others_text(v->snapshot));
}

/* ---- the whole page */

/* Returns true if fair share contributes to the job's priority: the weight of fair share is not 0, and no administrator
 * set the priority. */
static bool has_fairshare_term(const struct fs_explain_job *job)
{
	if (!job->nsums)
		return true;
	for (size_t t = 0; t < job->sums->nterms; t++)
		if (job->sums->terms[t].factor == FS_FACTOR_FAIRSHARE)
			return !job->sums->direct && job->sums->terms[t].weight != 0;
	return false;
}

static void add_job_sentences(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			      const struct fs_job *j)
{
	add_job_state(p, v, job, j);
	if (job->verdict.stale && job->state == FS_EXPLAIN_QUEUED)
		page_add_sentence(p, "The recorded reason, %s, no longer applies.", job->verdict.reason->name);
	explain_add_position(p, v, job);
	if (job->state == FS_EXPLAIN_QUEUED && is_reason_of_turn(job) && v->dialect->records_waiting_reasons)
		add_reason_clearing(p, job);
	add_accrue_note(p, job);
	add_missing_jobs_note(p, v, job);
	page_end_paragraph(p);
}

static bool has_too_large_allocation(const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_plan_row r;

	return job->verdict.kind >= FS_VERDICT_BEHIND && explain_find_plan_row(v, job->job_row, &r) &&
	       explain_exceeds_limit_when_allocated(&r);
}

/* Adds the first section of a job's page: title, summary, and limits. */
static void add_job_head(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, bool ahead)
{
	const bool in_words = v->verbose || v->advise || ahead;
	struct fs_job j;

	fs_snapshot_job(v->snapshot, job->job_row, &j);
	explain_add_title(p, v, job);
	if (!v->advise && !ahead)
		explain_add_summary(p, v, job);
	if (in_words && !v->advise && !ahead)
		page_add_gap(p);
	if (in_words)
		add_job_sentences(p, v, job, &j);
	else
		page_add_gap(p);
	if (v->dialect->explain->limits)
		v->dialect->explain->limits(p, job, has_too_large_allocation(v, job));
}

/* Returns the value of the job's fair-share term. Takes it from the first priority sum that contains a known value;
 * NAN: no sum does. The page uses this value if no share row has the fair-share factor that is recorded for the job. */
static double get_printed_factor(const struct fs_explain_job *job)
{
	for (size_t i = 0; i < job->nsums; i++)
		for (size_t t = 0; t < job->sums[i].nterms; t++) {
			const struct fs_prio_term *term = &job->sums[i].terms[t];

			if (term->factor == FS_FACTOR_FAIRSHARE && !isnan(term->value))
				return term->value;
		}
	return (double)NAN;
}

/* Adds the second section of a job's page: priority sums and the path of the fair-share factor. */
static void add_job_sums(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_explain_path path = job->path;

	if (path.recorded_factor_used && isnan(path.factor))
		path.factor = get_printed_factor(job);
	explain_add_priority_sum(p, v, job);
	explain_windows_path(p, v, job);
	if (path.algorithm && has_fairshare_term(job))
		explain_add_fairshare_path(p, v, &path);
}

void explain_add_job(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, bool ahead)
{
	add_job_head(p, v, job, ahead);
	if (v->advise)
		explain_add_advice(p, v, job);
	else if (ahead)
		add_ahead_section(p, v, job);
	else {
		explain_add_cost(p, v);
		add_job_sums(p, v, job);
	}
	explain_add_source(p, v);
}

/* ---- a job's page as an HTML document, with figures that show the numbers of the page */

enum { MAX_BARS_AHEAD = 5, MAX_LANES = 24, BAR_NAME_SIZE = 2 * WORDS };

struct priority_bars {
	struct bars_row row[MAX_BARS_AHEAD + 1];
	char name[MAX_BARS_AHEAD + 1][BAR_NAME_SIZE];
	size_t n;
};

static void add_priority_bar(struct priority_bars *b, const struct explain_view *v, uint32_t job_row,
			     const struct fs_explain_sum *s, bool own)
{
	struct fs_job j;

	fs_snapshot_job(v->snapshot, job_row, &j);
	snprintf(b->name[b->n], BAR_NAME_SIZE, "%s %s", format_display_job_id(BUF, v->snapshot, job_row), j.user);
	b->row[b->n] = (struct bars_row){ .name = b->name[b->n], .terms = s->terms, .n = s->direct ? 0 : s->nterms,
					  .priority = s->queue_priority, .marked = own,
					  .set_by = s->direct ? v->vocabulary->direct_by : NULL };
	b->n++;
}

/* Collects the priority bars of the job, of the job directly ahead of it, of the job directly ahead of that job, and so
 * on: at most MAX_BARS_AHEAD + 1 bars. Returns -1 if out of memory. */
static int collect_priority_bars(struct priority_bars *b, const struct explain_view *v,
				  const struct fs_explain_job *job)
{
	uint32_t next = job->ahead.next;

	add_priority_bar(b, v, job->job_row, job->sums, true);
	while (next != FS_NO_ROW && b->n <= MAX_BARS_AHEAD) {
		struct fs_explain_job other;
		struct fs_queue_row row;
		size_t at;

		if (!explain_find_sum_of_row(v, next, &row, &other, &at))
			return 0;
		if (fs_explain_job_heads(v->explain, row.job_row, &other, NULL))
			return -1;
		for (at = 0; at < other.nsums && other.sums[at].queue_row != next; at++)
			;
		if (at == other.nsums)
			return 0;
		add_priority_bar(b, v, row.job_row, &other.sums[at], false);
		/* `ahead.next` is the job directly ahead in the partition of the first priority sum; for the other
		 * partitions, the job ahead is not known */
		next = at ? FS_NO_ROW : other.ahead.next;
	}
	return 0;
}

/* Draws the priority bars of the job and of the jobs ahead, the highest priority first. The caption is NULL if there is
 * nothing to draw. */
static struct picture_part draw_priority_bars(const struct explain_view *v, const struct fs_explain_job *job)
{
	struct picture_part part = { .caption = NULL };
	struct priority_bars b = { .n = 0 };
	struct bars_row turned[MAX_BARS_AHEAD + 1];

	if (!job->nsums || !job->sums->nterms || job->sums->direct)
		return part;
	if (collect_priority_bars(&b, v, job)) {
		part.picture.failed = true;
		return part;
	}
	for (size_t i = 0; i < b.n; i++)
		turned[i] = b.row[b.n - 1 - i];
	part.caption = b.n > 1 ? "Its priority and the priorities of the jobs directly ahead" : "Its priority";
	svg_draw_priority_bars(&part.picture, turned, b.n, true);
	return part;
}

static struct picture_part draw_plan_timeline(const struct explain_view *v, const char *viewer, uint32_t job_row)
{
	struct picture_part part = { .caption = NULL };
	struct timeline t;

	if (!v->plan)
		return part;
	if (timeline_make_bars(&t, v->snapshot, v->plan, viewer, job_row, MAX_LANES)) {
		part.picture.failed = true;
		return part;
	}
	if (t.lanes) {
		part.caption = has_missing_jobs(v->snapshot)
				       ? "Planned start, and which jobs use its nodes until then, counting only visible jobs"
				       : "Planned start, and which jobs use its nodes until then";
		timeline_draw_svg(&part.picture, v->snapshot, &t, job_row, true);
	}
	timeline_free_bars(&t);
	return part;
}

bool explain_make_job_document(struct markup *doc, const struct explain_view *v, const char *viewer,
			       const struct fs_explain_job *job)
{
	enum { WIDTH = 80 };
	char title[BAR_NAME_SIZE];
	struct page p;
	size_t lines;

	snprintf(title, sizeof(title), "Job %s, as of %s", format_display_job_id(BUF, v->snapshot, job->job_row),
		 format_full_time((char[WORDS]){ 0 }, v->snapshot, fs_snapshot_info(v->snapshot)->time));
	html_begin_document(doc, title);
	page_init_form(&p, PAGE_HTML, WIDTH, true);
	page_add_what_if(&p, v->snapshot);
	add_job_head(&p, v, job, false);
	lines = html_add_page_lines(doc, &p, 0);
	html_add_figure(doc, draw_priority_bars(v, job));
	explain_add_cost(&p, v);
	add_job_sums(&p, v, job);
	if (job->state == FS_EXPLAIN_QUEUED && job->ahead.next != FS_NO_ROW)
		add_ahead_section(&p, v, job);
	lines = html_add_page_lines(doc, &p, lines);
	html_add_figure(doc, draw_plan_timeline(v, viewer, job->job_row));
	explain_add_source(&p, v);
	html_add_page_lines(doc, &p, lines);
	page_free_text(&p);
	html_end_document(doc);
	return !doc->failed;
}

int explain_save_job_picture(const struct explain_view *v, const struct invocation *inv, const char *viewer,
			     const struct fs_explain_job *job, const char *file)
{
	enum { WIDTH = 110 };
	struct picture_part parts[] = { draw_priority_bars(v, job), draw_plan_timeline(v, viewer, job->job_row) };
	struct markup picture = { .state = v->eval->snapshot };
	char id[WORDS], title[BAR_NAME_SIZE];
	struct page p;

	snprintf(title, sizeof(title), "Why job %s waits, as of %s",
		 format_display_job_id(id, v->eval->snapshot, job->job_row),
		 format_full_time((char[WORDS]){ 0 }, v->eval->snapshot, fs_snapshot_info(v->eval->snapshot)->time));
	page_init_form(&p, PAGE_TEXT, WIDTH, true);
	explain_add_summary(&p, v, job);
	page_end_paragraph(&p);
	svg_draw_parts(&picture, title, &p, parts, sizeof(parts) / sizeof(*parts));
	page_free_text(&p);
	return markup_save_file(inv, &picture, file);
}

int explain_save_job_html(const struct explain_view *v, const struct invocation *inv, const char *viewer,
			  const struct fs_explain_job *job, const char *file)
{
	struct markup doc = { .state = v->snapshot };

	if (explain_make_job_document(&doc, v, viewer, job))
		return markup_save_file(inv, &doc, file);
	markup_free_text(&doc);
	return cmd_report_no_memory(inv);
}
