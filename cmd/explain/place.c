/* Sections of a job's page: the job's position in the queue, the jobs ahead, and what would change the position. */
#include "explain/explain.h"
#include "fs/queue.h"
#include "render/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- what would change a job's position */

bool explain_find_sum_of_row(const struct explain_view *v, uint32_t queue_row, struct fs_queue_row *row,
			     struct fs_explain_job *job, size_t *at)
{
	fs_queue_row(v->eval->queue, queue_row, row);
	if (fs_explain_job_brief(v->explain, row->job_row, job, NULL))
		return false;
	for (*at = 0; *at < job->nsums; ++*at)
		if (job->sums[*at].queue_row == queue_row)
			return true;
	return false;
}

static const char *get_size_remedy(const struct fs_prio_inputs *in)
{
	if (in->by_time)
		return in->small ? "JOBSIZE rises with fewer CPUs and with a longer time limit."
				 : "JOBSIZE rises with more CPUs and with a shorter time limit.";
	return in->small ? "JOBSIZE rises with fewer nodes and CPUs (PriorityFavorSmall)."
			 : "JOBSIZE rises with more nodes and CPUs.";
}

static const char *get_factor_remedy(enum fs_factor factor, const struct fs_prio_inputs *in)
{
	static const char *const texts[] = {
		[FS_FACTOR_ASSOC] = "Association priorities are set by administrators.",
		[FS_FACTOR_PARTITION] =
			"PARTITION is the partition's priority factor; other partitions may have a higher one.",
		[FS_FACTOR_QOS] = "A QOS of higher priority would raise QOS.",
		[FS_FACTOR_NICE] = "The job's owner can set NICE; only operators may make it negative.",
		[FS_FACTOR_SITE] = "SITE is set by the site's plugin or an administrator.",
		[FS_FACTOR_TRES] = "TRES rises with the requested amount of that resource.",
		[FS_FACTOR_QUEUE] = "A queue of higher priority would raise QUEUE.",
		[FS_FACTOR_BANK] =
			"A bank of higher priority would raise BANK; administrators set the priorities of banks.",
		[FS_FACTOR_URGENCY] =
			"Users set the urgency of their jobs (flux job urgency); only the instance owner may exceed 16.",
	};

	if (factor == FS_FACTOR_JOBSIZE)
		return get_size_remedy(in);
	return factor < sizeof(texts) / sizeof(*texts) ? texts[factor] : NULL;
}

/* Slurm: adds a sentence that says whether the job will overtake any job ahead if nothing but the age terms changes. */
static void add_age_effect(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_sum *own = job->sums;
	const struct fs_explain_ahead *a = &job->ahead;
	size_t age = 0;

	while (age < own->nterms && own->terms[age].factor != FS_FACTOR_AGE)
		age++;
	if (age == own->nterms || own->direct || a->all.key != FS_QUEUE_KEY_PRIORITY)
		return;
	if (own->terms[age].weight == 0)
		page_add_sentence(p, "Waiting alone passes no job: the age weight is 0.");
	else if (own->inputs[age].since == FS_UNKNOWN && isnan(own->inputs[age].have))
		page_add_sentence(p, "Its age was not captured.");
	else if (own->inputs[age].since == FS_UNKNOWN)
		page_add_sentence(p, "It does not age now.");
	else if (a->all.passed)
		page_add_sentence(
			p,
			"Waiting alone passes %" PRIu32 " of the %" PRIu32
			" ahead by %s, when this job's age bonus is full; theirs is full earlier.",
			a->all.passed, a->all.entries,
			format_full_time(BUF, v->snapshot, own->inputs[age].since + (int64_t)own->inputs[age].of));
	else
		page_add_sentence(p,
				  "Waiting alone will not pass %s: all jobs age equally. The age bonus is full after "
				  "PriorityMaxAge (%s).",
				  a->all.entries == 1 ? "the job ahead" : "the jobs ahead",
				  format_time_span(BUF, own->inputs[age].of));
}

static void add_decay_effect(struct page *p, const fs_snapshot *s)
{
	if (fs_usage_half_life(s) != 0)
		page_add_sentence(p, "Decay alone does not help.");
}

/* Adds a sentence that says under which condition the job passes the job `other`, which is ahead: the user of `other`
 * must use more per share than the user of the job. If the two users are not siblings in the share tree, the sentence
 * says that the levels above each user count too. Called for algorithms that do not rank by levels. */
static void add_factor_change(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			      const struct fs_explain_job *other)
{
	const struct fs_share_row *other_share = get_share_row(v, other->path.row);
	const struct fs_share_row *own = get_share_row(v, job->path.row);

	page_add_sentence(p, "%s passes %s only if %s%s uses more per share than %s%s from now on.",
			  format_display_job_id(BUF, v->snapshot, job->job_row),
			  format_display_job_id(BUF, v->snapshot, other->job_row), format_share_name(BUF, other_share),
			  other_share->parent_row == own->parent_row ? "" : " (with the levels above it)",
			  format_share_name(BUF, own),
			  other_share->parent_row == own->parent_row ? "" : " (with the levels above it)");
	add_decay_effect(p, v->snapshot);
}

/* Adds sentences that say how usage in the share tree must change before the job can overtake the next job ahead. */
static void add_fairshare_change(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_explain_job other;
	struct fs_explain_divergence d;
	const struct fs_share_row *other_share, *own;
	struct fs_queue_row row;
	char b[WORDS], id[WORDS], next[WORDS];
	size_t at;

	if (job->ahead.next == FS_NO_ROW || !explain_find_sum_of_row(v, job->ahead.next, &row, &other, &at) ||
	    !job->path.algorithm || !other.path.algorithm || job->path.recorded_factor_used || job->path.hidden ||
	    other.path.hidden)
		return;
	fs_explain_compare_paths(v->explain, &job->path, &other.path, &d);
	if (d.same || d.first <= 0)
		return;
	other_share = get_share_row(v, other.path.level[d.level_b].row);
	own = get_share_row(v, job->path.level[d.level_a].row);
	if (!fs_shares_has_levels(v->eval->shares)) {
		add_factor_change(p, v, job, &other);
		return;
	}
	format_display_job_id(id, v->snapshot, job->job_row);
	format_display_job_id(next, v->snapshot, other.job_row);
	if (!isnan(fs_snapshot_config_number(v->snapshot, "priority_usage_reset_period"))) {
		page_add_sentence(
			p,
			"%s passes %s only if %s uses more per share than %s from now on, or if old usage of %s "
			"is dropped.",
			id, next, format_share_name(BUF, other_share), format_share_name(b, own), b);
		return;
	}
	page_add_sentence(p, "%s passes %s only if %s uses more%s than %s from now on.", id, next,
			  format_share_name(BUF, other_share),
			  other_share->norm_shares == own->norm_shares ? "" : " per share", format_share_name(b, own));
	add_decay_effect(p, v->snapshot);
}

void explain_add_position_changes(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_group *g = &job->ahead.all;

	if (!g->entries)
		return;
	add_age_effect(p, v, job);
	if (v->dialect->explain->waiting)
		v->dialect->explain->waiting(p, v, job);
	if (g->key != FS_QUEUE_KEY_PRIORITY || g->term == FS_NO_ROW)
		return;
	if (job->sums->terms[g->term].factor == FS_FACTOR_FAIRSHARE)
		add_fairshare_change(p, v, job);
	else if (v->dialect->explain->remedy)
		v->dialect->explain->remedy(p, v, job, job->sums->terms[g->term].name);
	else if (get_factor_remedy(job->sums->terms[g->term].factor, &job->sums->inputs[g->term]))
		page_add_sentence(p, "%s",
				  get_factor_remedy(job->sums->terms[g->term].factor, &job->sums->inputs[g->term]));
}

/* ---- a job's position among the eligible jobs, which jobs are ahead, and why */

/* ---- sentences about the position of the job */

/* Formats the list of the partitions in which the job is eligible: "a_tier, b_tier or normal". */
static void format_partition_list(char *buf, size_t size, const struct fs_explain_job *job)
{
	size_t last = 0;

	*buf = '\0';
	while (last < job->nsums && job->sums[last].position)
		last++;
	for (size_t i = 0; i < last; i++)
		append_text(buf, size, "%s%s", !i ? "" : i + 1 == last ? " or " : ", ", job->sums[i].partition);
}

static bool has_several_partitions(const struct fs_explain_job *job)
{
	return job->nsums > 1 && strcmp(job->sums[0].partition, job->sums[job->nsums - 1].partition) != 0;
}

static void add_first_partition(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_sum *s = job->sums;
	char list[800];
	enum fs_queue_key key = FS_QUEUE_KEY_NONE;

	format_partition_list(list, sizeof(list), job);
	/* the priority sums are sorted: the sums for partitions in which the job is eligible come first */
	if (!s[1].position) {
		page_add_sentence(p, "Only one of its partitions accepts it now: %s.", s->partition);
		return;
	}
	if (s[1].queue_row != FS_NO_ROW)
		key = fs_queue_deciding_key(v->eval->queue, s[0].queue_row, s[1].queue_row);
	page_add_sentence(p, "It may start in %s; %s is tried first", list, s->partition);
	if (key == FS_QUEUE_KEY_TIER)
		page_append_text(p, ": its PriorityTier is %" PRId64 ", the tier of %s is %" PRId64 ".", s->tier,
				 s[1].partition, s[1].tier);
	else if (key == FS_QUEUE_KEY_PRIORITY)
		page_append_text(p, ": the job's priority is highest there.");
	else
		page_append_text(p, ".");
}

/* Formats a job's position in a partition, "In gpu it is 2nd of 6", without a full stop. `own`: the job's priority sum
 * in this partition, in which the job must be eligible. `several`: the job asks for several partitions. The text then
 * begins with "There" instead of "In gpu", because the caller has already named the partition. */
static const char *format_position(char buf[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_sum *own,
				   bool several)
{
	const bool one_line = fs_queue_has_single_order(v->eval->queue), some = has_missing_jobs(v->snapshot);
	char place[WORDS], where[BRIEF_LINE / 2] = "There";

	if (own->position == 1)
		snprintf(place, sizeof(place), "first");
	else
		format_ordinal_number(place, own->position);
	if (!several)
		snprintf(where, sizeof(where), "In %.300s", *own->partition ? own->partition : "the queue");
	if (one_line && own->of == 1)
		return some ? "It is the only visible eligible job" : "It is the only eligible job";
	if (one_line)
		format_text(buf, BRIEF_LINE, "It is %s of %s%" PRIu32 " eligible jobs%s, counting all classes", place,
			    some ? "the " : "", own->of, some ? " that are visible" : "");
	else
		snprintf(buf, BRIEF_LINE, "%s it is %s of %s%" PRIu32 "%s", where, place, some ? "the " : "", own->of,
			 some ? " visible jobs" : "");
	return buf;
}

/* Adds the job's position: "In gpu it is 2nd of 6:". If all partitions have one common scheduling order, the text is
 * "It is 2nd of 6 eligible jobs, counting all classes:". */
static void add_queue_position(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_sum *s = job->sums;
	const bool one_line = fs_queue_has_single_order(v->eval->queue), several = has_several_partitions(job);
	char words[BRIEF_LINE];

	if (several && !one_line)
		add_first_partition(p, v, job);
	page_add_sentence(p, "%s%s", format_position(words, v, s, several),
			  s->position == 1 && job->jobs_missing ? "." : ":");
	if (s->position == 1 && !job->jobs_missing)
		page_add_sentence(p, one_line ? "no job is ahead of it." : "no job is ahead of it there.");
}

/* ---- which jobs are ahead */

struct group_heads {
	unsigned depth; /* 0: the text lists accounts; 1: it lists users, because no job has an account */
	uint32_t n;
};

static struct group_heads count_group_heads(const struct fs_explain_ahead *a)
{
	struct group_heads h = { .depth = 1 };

	for (size_t i = 0; i < a->ngroups; i++)
		if (!a->groups[i].depth && *a->groups[i].account)
			h.depth = 0;
	for (size_t i = 0; i < a->ngroups; i++)
		h.n += a->groups[i].depth == h.depth;
	return h;
}

static const char *get_head_name(const struct group_heads *h, const struct fs_explain_group *g)
{
	return h->depth ? (*g->user ? g->user : "user unknown") : *g->account ? g->account : "no account";
}

/* Adds the number of jobs that are ahead, by account or user: "...: 140 of smith_lab, 41 of jones_lab and 31 of 5 other
 * accounts." */
static void add_group_heads(struct page *p, const struct explain_view *v, const struct fs_explain_ahead *a)
{
	enum { MAX_GROUPS = 3 };
	const struct group_heads h = count_group_heads(a);
	/* if only one account or user would be left out, the list names all */
	const uint32_t shown = h.n <= MAX_GROUPS + 1 ? h.n : MAX_GROUPS;
	uint64_t named_jobs = 0;
	uint32_t k = 0;
	char n[WORDS];

	page_add_sentence(p, "%s%s %s ahead of it", has_missing_jobs(v->snapshot) ? "at least " : "",
			  format_entry_count(n, a->all.entries, a->all.jobs), a->all.jobs == 1 ? "is" : "are");
	if (h.n == 1)
		page_append_text(p, ", all of");
	else
		page_append_text(p, ":");
	for (size_t i = 0; i < a->ngroups && k < shown; i++) {
		const struct fs_explain_group *g = &a->groups[i];

		if (g->depth != h.depth)
			continue;
		k++;
		named_jobs += g->jobs;
		if (h.n == 1)
			page_add_sentence(p, "%s.", get_head_name(&h, g));
		else
			page_add_sentence(p, "%s%" PRIu64 " of %s%s", k == h.n ? "and " : "", g->jobs,
					  get_head_name(&h, g),
					  k == h.n                     ? "."
					  : k + 1 == h.n || k == shown ? ""
								       : ",");
	}
	if (shown < h.n)
		page_add_sentence(p, "and %" PRIu64 " of %" PRIu32 " other %s.", a->all.jobs - named_jobs, h.n - shown,
				  h.depth ? "users" : v->vocabulary->accounts);
}

/* Returns a text that says whether the priorities of a group of jobs are higher than the explained job's priority or
 * equal to it. Ignores jobs whose priority was set by an administrator. */
static const char *get_priority_comparison(const struct fs_explain_group *g)
{
	const uint32_t others = g->entries - g->direct, by_priority = g->by[FS_QUEUE_KEY_PRIORITY];

	if (by_priority <= g->direct)
		return others == 1 ? "is equal to this job's" : "are equal to this job's";
	if (by_priority == g->entries)
		return others == 1 ? "is higher" : "are higher";
	return "are equal to this job's or higher";
}

const char *explain_format_factor_range(char buf[WORDS], const struct fs_explain_group *g)
{
	const char *highest = format_factor_value(BUF, g->highest), *own = format_factor_value(BUF, g->own);

	return g->lowest == g->highest
		       ? format_words(buf, "%s against %s", highest, own)
		       : format_words(buf, "%s to %s against %s", format_factor_value(BUF, g->lowest), highest, own);
}

/* Adds sentences that say why the jobs of one account or user are ahead. */
static void add_group_cause(struct page *p, const struct explain_view *v, const struct fs_explain_sum *own,
			    const struct fs_explain_group *g)
{
	const char *direct = v->vocabulary->direct;
	char a[WORDS];

	if (g->key != FS_QUEUE_KEY_PRIORITY) {
		page_add_sentence(p, "%s: %s.",
				  g->by[g->key] == g->entries ? "The reason" : "The reason for most of them",
				  fs_queue_key_text(g->key));
	} else if ((g->term == FS_NO_ROW || g->difference == 0) && !own->direct && !g->direct) {
		page_add_sentence(p, g->entries == 1 ? "Its priority is higher." : "Their priorities are higher.");
	} else if (g->term == FS_NO_ROW) {
		if (!own->direct && g->direct && g->direct < g->entries)
			page_add_sentence(p, "The priority of %" PRIu32 " of them was %s, %s of the other%s %s.",
					  g->direct, direct, g->entries - g->direct == 1 ? "that" : "those",
					  g->entries - g->direct == 1 ? "" : "s", get_priority_comparison(g));
		else
			page_add_sentence(p,
					  own->direct       ? "This job's priority was %s; theirs are higher."
					  : g->entries == 1 ? "Its priority was %s."
							    : "Their priorities were %s.",
					  direct);
	} else {
		format_decimal_number(a, g->difference, fabs(g->difference) < 1 ? 6 : 1);
		page_add_sentence(p, "%s decides: %s %s on average in their favour",
				  format_factor_name(BUF, own->terms[g->term].name), a,
				  strcmp(a, "1") ? "points" : "point");
		page_append_text(p, " (%s).", explain_format_factor_range(BUF, g));
		if (g->direct)
			page_add_sentence(p, "The priority of %" PRIu32 " of them was %s.", g->direct, direct);
	}
}

/* Appends the number of priority points by which job `other` is ahead, and the factor that causes this difference. */
static void add_next_lead(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			  const struct fs_explain_job *other, const struct fs_explain_sum *other_sum)
{
	const struct fs_explain_sum *own = job->sums;
	struct fs_explain_comparison d;

	if (fs_explain_compare_jobs(v->explain, other, job, &d) || isnan(d.queue_difference)) {
		page_append_text(p, ".");
		return;
	}
	page_append_text(p, ", %.0f %s ahead", d.queue_difference, d.queue_difference == 1 ? "point" : "points");
	if (fabs(d.queue_difference - d.total) >= 1)
		page_append_text(p, " by the recorded priorities (%.0f by the computed ones)", d.total);
	if (other_sum->direct || own->direct)
		page_append_text(p, other_sum->direct ? ": its priority was %s." : ".", v->vocabulary->direct);
	else if (d.term == FS_NO_ROW || d.total <= 0)
		page_append_text(p, ".");
	else if (d.differences[d.term] > d.total)
		page_append_text(p, "; %s alone gives it %.0f more.", format_factor_name(BUF, own->terms[d.term].name),
				 d.differences[d.term]);
	else
		page_append_text(p, "; %s contributes %.0f.", format_factor_name(BUF, own->terms[d.term].name),
				 d.differences[d.term]);
}

/* Adds the next job ahead, the number of points by which that job leads, and the reason for the lead. */
static void add_next_ahead(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			   const char *intro)
{
	struct fs_explain_job other;
	struct fs_queue_row row;
	enum fs_queue_key key;
	size_t at;
	bool exact;

	if (job->ahead.next == FS_NO_ROW || !explain_find_sum_of_row(v, job->ahead.next, &row, &other, &at))
		return;
	const uint64_t tasks = fs_job_tasks(v->snapshot, row.job_row, &exact);

	page_add_sentence(p, "%s %s of %s", intro, format_display_job_id(BUF, v->snapshot, row.job_row), row.user);
	if (*row.account)
		page_append_text(p, " (%s)", row.account);
	if (tasks > 1)
		page_append_text(p, ", an array of %" PRIu64 " tasks", tasks);
	key = fs_queue_deciding_key(v->eval->queue, job->ahead.next, job->sums->queue_row);
	if (key != FS_QUEUE_KEY_PRIORITY && key == job->ahead.all.key && job->ahead.all.entries > 1)
		page_append_text(p, "."); /* an earlier sentence says why all these jobs are ahead */
	else if (key != FS_QUEUE_KEY_PRIORITY)
		page_append_text(p, ": %s.", fs_queue_key_text(key));
	else
		add_next_lead(p, v, job, &other, &other.sums[at]);
}

void explain_add_unseen_jobs(struct page *p, const struct explain_view *v, const struct fs_explain_ahead *a)
{
	if (a->unseen)
		page_add_sentence(p, "Also ahead: %s%s.",
				  format_counted_term(BUF, a->unseen, "hidden job", "hidden jobs"),
				  v->vocabulary->hidden_suffix);
}

uint64_t explain_count_rivals(const struct fs_explain_ahead *a, bool certain)
{
	uint64_t jobs = 0;

	for (size_t i = 0; i < a->nrivals; i++)
		jobs += a->rivals[i].certain == certain ? a->rivals[i].jobs : 0;
	return jobs;
}

static void add_who_is_ahead(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;

	if (a->all.entries == 1) {
		add_next_ahead(p, v, job,
			       job->jobs_missing ? "at least one job is ahead of it," : "one job is ahead of it,");
	} else if (a->all.entries) {
		add_group_heads(p, v, a);
		add_group_cause(p, v, job->sums, &a->all);
		add_next_ahead(p, v, job, "Closest ahead:");
	}
	explain_add_unseen_jobs(p, v, a);
}

static void add_competing_partitions(struct page *p, const struct explain_view *v, const struct fs_explain_ahead *a)
{
	const uint64_t certain = explain_count_rivals(a, true), others = explain_count_rivals(a, false);

	if (certain)
		page_add_sentence(p, "%s ahead of it in other %s %s for the same nodes.",
				  format_counted_term(BUF, certain, "job", "jobs"), v->vocabulary->partitions,
				  certain == 1 ? "competes" : "compete");
	if (others)
		page_add_sentence(
			p,
			"%s in other %s %s ahead of it in the overall order; the nodes of the %s are not in the "
			"snapshot.",
			format_counted_term(BUF, others, "job", "jobs"), v->vocabulary->partitions,
			others == 1 ? "is" : "are", v->vocabulary->partitions);
}

void explain_add_position(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	if (job->state == FS_EXPLAIN_NEVER || !job->nsums || !job->sums->position)
		return;
	if (is_verdict_without_position(&job->verdict)) {
		page_add_sentence(p, "The jobs ahead of it are not known: %s.",
				  get_no_position_text(v->snapshot, &job->verdict));
		return;
	}
	add_queue_position(p, v, job);
	add_who_is_ahead(p, v, job);
	explain_add_position_changes(p, v, job);
	add_competing_partitions(p, v, &job->ahead);
}
