/* A job's page: what it waits for, who is ahead and why, what would change it. */
#include "explain_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- title */

static void say_title(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS], text[1200];
	struct fs_tres t;
	size_t n;

	n = (size_t)snprintf(text, sizeof(text), "Job %s · %s", job_words(a, s, job->job_row),
			     *j->user ? j->user : "user unknown");
	if (n < sizeof(text) && (*j->account || fs_snapshot_info(s)->kind != FS_MAUI))
		n += (size_t)snprintf(text + n, sizeof(text) - n, " · %s %s", account_noun(v, false),
				      *j->account ? j->account : "unknown");
	for (size_t k = 0; n < sizeof(text) && fs_job_qos(s, job->job_row, k); k++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", k ? "," : " · QOS ", fs_job_qos(s, job->job_row, k));
	if (n < sizeof(text) && j->cpus != FS_UNKNOWN)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " · %s", amount_words(a, "cpu", (double)j->cpus));
	for (size_t k = 0; n < sizeof(text) && fs_job_tres(s, job->job_row, k, &t); k++)
		if (!strcmp(t.name, "mem") || !strcmp(t.name, "node") || !strncmp(t.name, "gres/", 5))
			n += (size_t)snprintf(text + n, sizeof(text) - n, ", %s", amount_words(a, t.name, (double)t.amount));
	if (n < sizeof(text) && j->time_limit_s != FS_UNKNOWN)
		snprintf(text + n, sizeof(text) - n, " · limit %s",
			 duration_words(a, j->time_limit_s == FS_UNLIMITED ? (double)INFINITY : (double)j->time_limit_s));
	page_heading(p, "%s", text);
	page_gap(p);
}

/* ---- what it waits for */

static void say_reason(struct page *p, const struct fs_explain_job *job, const struct fs_job *j)
{
	if (job->reason)
		page_say(p, "(%s): %s.", job->reason->name, job->reason->meaning);
	else
		page_say(p, "(%s, a reason not known here).", *j->reason ? j->reason : "no reason");
}

static void say_clears(struct page *p, const struct fs_explain_job *job)
{
	if (job->reason && *job->reason->clears)
		page_say(p, "What clears it: %s.", job->reason->clears);
}

static void say_details(struct page *p, const struct explain_view *v, const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS];

	if (*j->dependency)
		page_say(p, "It depends on %s.", j->dependency);
	if (j->eligible_time != FS_UNKNOWN && j->eligible_time > fs_snapshot_info(s)->time)
		page_say(p, "It may start from %s on.", date_words(a, s, j->eligible_time));
	if (*j->reservation)
		page_say(p, "It is to run in reservation %s.", j->reservation);
	if (j->start_time != FS_UNKNOWN && j->start_time > fs_snapshot_info(s)->time)
		page_say(p, "The scheduler's own estimate of its start is %s.", date_words(a, s, j->start_time));
}

/* What the scheduler adds behind the reason: nodes, mostly. */
static void say_reason_text(struct page *p, const struct fs_explain_job *job, const struct fs_job *j)
{
	if (job->reason && strcmp(job->reason->name, j->reason) != 0 && *j->reason)
		page_say(p, "The scheduler's words: %s.", j->reason);
}

/* Other schedulers have words of their own for why a job waits. */
static bool say_own_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const enum fs_scheduler kind = fs_snapshot_info(v->from->snapshot)->kind;

	if (job->state == FS_EXPLAIN_RUNNING || job->state == FS_EXPLAIN_ENDED)
		return false;
	if (kind == FS_FLUX)
		explain_flux_state(p, v, job);
	else if (kind == FS_MAUI)
		explain_maui_state(p, v, job);
	return kind == FS_FLUX || kind == FS_MAUI;
}

static void say_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, const struct fs_job *j)
{
	const fs_snapshot *s = v->from->snapshot;
	char a[WORDS], b[WORDS];

	if (say_own_state(p, v, job))
		return;

	switch (job->state) {
	case FS_EXPLAIN_RUNNING:
		page_say(p, "It is %s: started %s on %s, ends %s at the latest.", j->state, date_words(a, s, j->start_time),
			 *j->node_list ? j->node_list : "unknown nodes", date_words(b, s, j->end_time));
		return;
	case FS_EXPLAIN_ENDED:
		page_say(p, "It has ended (%s, %s).", j->state, date_words(a, s, j->end_time));
		return;
	case FS_EXPLAIN_NEVER:
		page_say(p, "As things stand it will never start");
		say_reason(p, job, j);
		page_say(p, "Waiting does not help; the job or the configuration must change.");
		break;
	case FS_EXPLAIN_HELD:
		page_say(p, "It is held");
		say_reason(p, job, j);
		page_say(p, "While held it has no place in line%s.", job->nsums ? "" : ", no priority, and does not age");
		break;
	case FS_EXPLAIN_BLOCKED:
		page_say(p, "It waits, but not for its turn");
		say_reason(p, job, j);
		break;
	case FS_EXPLAIN_QUEUED:
		page_say(p, "It waits for its turn");
		say_reason(p, job, j);
		break;
	}
	if (job->state != FS_EXPLAIN_QUEUED)
		say_clears(p, job);
	say_reason_text(p, job, j);
	say_details(p, v, j);
}

/* ---- its place */

/* "a_tier, b_tier or normal" */
static void partition_list(char *buf, size_t size, const struct fs_explain_job *job)
{
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; i < job->nsums && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s",
				      !i			? ""
				      : i + 1 == job->nsums	? " or "
								: ", ",
				      job->sums[i].partition);
}

static bool several_partitions(const struct fs_explain_job *job)
{
	return job->nsums > 1 && strcmp(job->sums[0].partition, job->sums[job->nsums - 1].partition) != 0;
}

static void say_first_partition(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_sum *s = job->sums;
	char list[800];
	enum fs_queue_key key = FS_KEY_NONE;

	if (!several_partitions(job))
		return;
	partition_list(list, sizeof(list), job);
	if (s[1].queue_row != UINT32_MAX)
		key = fs_queue_parts(v->from->queue, s[0].queue_row, s[1].queue_row);
	page_say(p, "It may start in %s; %s comes first", list, s->partition);
	if (key == FS_KEY_TIER)
		page_join(p, ", because its PriorityTier (%" PRId64 ") beats theirs.", s->tier);
	else if (key == FS_KEY_PRIORITY)
		page_join(p, ", because its priority is highest there.");
	else
		page_join(p, ".");
}

static void say_place(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_sum *s = job->sums;
	char place[WORDS];

	if (!job->nsums || !s->position)
		return;
	say_first_partition(p, v, job);
	if (several_partitions(job))
		page_say(p, "There it is");
	else
		page_say(p, "In %s it is", *s->partition ? s->partition : "line");
	if (s->position == 1)
		page_say(p, "first of %" PRIu32 ": nothing stands before it there.", s->of);
	else
		page_say(p, "%s of %" PRIu32 ":", ordinal_words(place, s->position), s->of);
}

/* ---- who is ahead */

/* "4 jobs of chemistry stand before it." or "212 jobs stand before it: 140 of smith_lab, 41 of jones_lab and 31 of 5
 * other accounts." */
static void say_accounts(struct page *p, const struct fs_explain_ahead *a)
{
	enum { MOST = 3 };
	const struct fs_explain_group *first[MOST];
	uint64_t rest = a->all.jobs;
	uint32_t accounts = 0;
	char n[WORDS];

	for (size_t i = 0; i < a->ngroups; i++) {
		if (a->groups[i].depth)
			continue;
		if (accounts < MOST) {
			first[accounts] = &a->groups[i];
			rest -= a->groups[i].jobs;
		}
		accounts++;
	}
	if (accounts == 1) {
		page_say(p, "%s %s %s before it.", count_words(n, a->all.jobs, "job of", "jobs of"), first[0]->account,
			 a->all.jobs == 1 ? "stands" : "stand");
		return;
	}
	page_say(p, "%s before it:", count_words(n, a->all.jobs, "job stands", "jobs stand"));
	for (uint32_t i = 0; i < accounts && i < MOST; i++)
		page_say(p, "%s%" PRIu64 " of %s%s", i + 1 == accounts ? "and " : "", first[i]->jobs,
			 *first[i]->account ? first[i]->account : "no account",
			 i + 1 == accounts ? "." : i + 2 == accounts || i + 1 == MOST ? "" : ",");
	if (accounts > MOST)
		page_say(p, "and %" PRIu64 " of %s.", rest, count_words(n, accounts - MOST, "other account", "other accounts"));
}

/* How the group stands ahead, in a clause. */
static void say_why(struct page *p, const struct fs_explain_sum *own, const struct fs_explain_group *g)
{
	char factor[WORDS];

	if (g->key != FS_KEY_PRIORITY) {
		page_say(p, "%s: %s.", g->entries == 1 ? "The reason" : "For most the reason", fs_queue_key_text(g->key));
	} else if (g->term == SIZE_MAX) {
		page_say(p, own->direct ? "This job's priority was set by an administrator, theirs is higher."
			    : g->entries == 1 ? "Its priority was set by an administrator."
					      : "Priorities set by an administrator put them there.");
	} else {
		factor_words(factor, own->terms[g->term].name);
		page_say(p, "%s decides: %.6g points on average in their favour", factor, g->difference);
		if (g->lowest == g->highest)
			page_join(p, " (%.4g against %.4g).", g->highest, g->own);
		else
			page_join(p, " (%.4g to %.4g against %.4g).", g->lowest, g->highest, g->own);
		if (g->direct)
			page_say(p, "For %" PRIu32 " of them an administrator has set the priority.", g->direct);
	}
}

/* The sum that a queue record has, from its job's explanation. */
static bool sum_of_row(const struct explain_view *v, uint32_t queue_row, struct fs_queue_row *row,
		       struct fs_explain_job *job, size_t *at)
{
	fs_queue_row(v->from->queue, queue_row, row);
	if (!v->from->prios || fs_explain_job_brief(v->x, row->job_row, job, NULL))
		return false;
	for (*at = 0; *at < job->nsums; ++*at)
		if (job->sums[*at].queue_row == queue_row)
			return true;
	return false;
}

/* Where one job stands right before: its lead, and which factor makes how much of it. */
static void say_next(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, const char *intro)
{
	const struct fs_explain_sum *own = job->sums;
	struct fs_explain_versus d;
	struct fs_explain_job other;
	struct fs_queue_row row;
	char id[WORDS], factor[WORDS];
	size_t at;
	bool exact;

	if (job->ahead.next == UINT32_MAX || !sum_of_row(v, job->ahead.next, &row, &other, &at))
		return;
	const struct fs_explain_sum *s = &other.sums[at];
	const uint64_t tasks = fs_job_tasks(v->from->snapshot, row.job_row, &exact);

	page_say(p, "%s %s of %s (%s)", intro, job_words(id, v->from->snapshot, row.job_row), row.user, row.account);
	if (tasks > 1)
		page_join(p, ", an array of %" PRIu64, tasks);
	if (fs_queue_parts(v->from->queue, job->ahead.next, own->queue_row) != FS_KEY_PRIORITY) {
		page_join(p, ": %s.", fs_queue_key_text(fs_queue_parts(v->from->queue, job->ahead.next, own->queue_row)));
		return;
	}
	if (isnan(s->total) || isnan(own->total)) {
		page_join(p, ".");
		return;
	}
	page_join(p, ", %.0f points ahead", s->total - own->total);
	fs_explain_jobs_versus(v->x, job, &other, &d);
	if (s->direct || own->direct || d.term == SIZE_MAX)
		page_join(p, s->direct ? ": its priority was set by an administrator." : ".");
	else
		page_join(p, ", of which %s makes %.0f.", factor_words(factor, own->terms[d.term].name),
			  s->terms[d.term].points - own->terms[d.term].points);
}

static void say_ahead(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	char n[WORDS];

	if (!job->nsums || job->sums->position < 2)
		return;
	if (a->all.entries == 1) {
		say_next(p, v, job, "one job stands before it,");
	} else if (a->all.entries) {
		say_accounts(p, a);
		say_why(p, job->sums, &a->all);
		say_next(p, v, job, "Right before it stands");
	}
	if (a->unseen)
		page_say(p, "%s before it cannot be seen (PrivateData).", count_words(n, a->unseen, "job", "jobs"));
}

/* ---- what would change it */

static const char *remedy(enum fs_factor factor)
{
	switch (factor) {
	case FS_FACTOR_ASSOC:
		return "Association priorities are set by administrators.";
	case FS_FACTOR_JOBSIZE:
		return "It depends on how many nodes and CPUs are asked for.";
	case FS_FACTOR_PARTITION:
		return "Another partition would change it.";
	case FS_FACTOR_QOS:
		return "A QOS of higher priority would change it.";
	case FS_FACTOR_NICE:
		return "It is the job's own nice value; only operators may make it negative.";
	case FS_FACTOR_SITE:
		return "The site's plugin or an administrator sets it.";
	case FS_FACTOR_TRES:
		return "It depends on what resources are asked for.";
	default:
		return NULL;
	}
}

static void say_waiting(struct page *p, const struct fs_explain_job *job)
{
	const struct fs_explain_sum *own = job->sums;
	const struct fs_explain_ahead *a = &job->ahead;
	char b[WORDS];
	size_t age = 0;

	while (age < own->nterms && own->terms[age].factor != FS_FACTOR_AGE)
		age++;
	if (age == own->nterms || own->direct || a->all.key != FS_KEY_PRIORITY)
		return;
	if (own->terms[age].weight == 0)
		page_say(p, "Waiting alone passes nobody: age has no weight here.");
	else if (own->inputs[age].since == FS_UNKNOWN)
		page_say(p, "It does not age now.");
	else if (a->all.passed)
		page_say(p, "Waiting alone passes %" PRIu32 " of %" PRIu32 " in the end: all age at the same rate, and stop at "
			    "PriorityMaxAge (%s).", a->all.passed, a->all.entries, duration_words(b, own->inputs[age].of));
	else
		page_say(p, "Waiting alone will not pass %s: all age at the same rate, and none gets more than the full age "
			    "bonus after PriorityMaxAge (%s).", a->all.entries == 1 ? "it" : "them",
			 duration_words(b, own->inputs[age].of));
}

/* Of the way through the tree of whoever is right ahead. */
static void say_fairshare_change(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_explain_job other;
	struct fs_explain_parting d;
	struct fs_queue_row row;
	char a[WORDS], b[WORDS];
	size_t at;

	if (job->ahead.next == UINT32_MAX || !sum_of_row(v, job->ahead.next, &row, &other, &at) || !job->path.algorithm ||
	    !other.path.algorithm || job->path.given || job->path.hidden || other.path.hidden)
		return;
	fs_explain_paths_part(v->x, &job->path, &other.path, &d);
	if (d.same || d.first <= 0)
		return;
	row_words(a, fs_shares_row(v->from->shares, other.path.level[d.level_b].row));
	row_words(b, fs_shares_row(v->from->shares, job->path.level[d.level_a].row));
	page_say(p, "It passes %s when the usage of %s grows or that of %s decays.", job->ahead.all.entries == 1 ? "it" : "that one",
		 a, b);
}

static void say_change(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_group *g = &job->ahead.all;

	if (!job->nsums || !job->sums->position || !g->entries)
		return;
	say_waiting(p, job);
	if (g->key != FS_KEY_PRIORITY || g->term == SIZE_MAX)
		return;
	if (job->sums->terms[g->term].factor == FS_FACTOR_FAIRSHARE)
		say_fairshare_change(p, v, job);
	else if (remedy(job->sums->terms[g->term].factor))
		page_say(p, "%s", remedy(job->sums->terms[g->term].factor));
}

static void say_rivals(struct page *p, const struct fs_explain_ahead *a)
{
	uint64_t jobs = 0;
	char n[WORDS];

	for (size_t i = 0; i < a->nrivals; i++)
		jobs += a->rivals[i].jobs;
	if (jobs)
		page_say(p, "%s in other partitions before it %s for the same nodes.", count_words(n, jobs, "job", "jobs"),
			 jobs == 1 ? "competes" : "compete");
}

static void say_accrue(struct page *p, const struct fs_explain_job *job)
{
	const struct fs_accrue_row *a = &job->accrue;
	char n[WORDS];

	if (!job->has_accrue || !job->nsums || job->sums->direct)
		return;
	if (a->state == FS_ACCRUE_WAITING)
		page_say(p, "It does not age: %s of %s lets %s age at a time, %" PRIu32 " do, and %" PRIu32 " of lower id wait "
			    "for room before it. Time waited until then does not count.", a->limit, a->scope,
			 count_words(n, a->value, "job", "jobs"), a->used, a->ahead);
	else if (a->state == FS_ACCRUE_ROOM)
		page_say(p, "It has not begun to age; it does when the scheduler next looks at it.");
}

static void say_hidden(struct page *p, const struct fs_explain_job *job)
{
	if (job->jobs_hidden)
		page_say(p, "Jobs of others are hidden (PrivateData): places and counts are only what can be seen.");
}

/* ---- the page */

void explain_source_text(struct page *p, const struct explain_view *v)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(v->from->snapshot);
	struct fs_usage_info usage;
	char a[WORDS], b[WORDS];

	page_gap(p);
	page_say(p, "Computed from %s, captured %s", info->file, date_words(a, v->from->snapshot, info->time));
	if (info->kind == FS_MAUI)
		page_join(p, ".");
	else if (info->priority_time_known)
		page_join(p, "; factors as of %s.", time_words(b, v->from->snapshot, info->priority_time));
	else
		page_join(p, "; when the scheduler last computed its factors was not captured.");
	if (v->usage) {
		fs_usage_info(v->usage, &usage);
		page_say(p, "Carried forward to %s: nothing else starts or arrives meanwhile.",
			 date_words(a, v->from->snapshot, usage.at));
	}
	page_end(p);
}

/* Not where it has no weight, or an administrator has set the priority. */
static bool fairshare_counts(const struct fs_explain_job *job)
{
	if (!job->nsums)
		return true;
	for (size_t t = 0; t < job->sums->nterms; t++)
		if (job->sums->terms[t].factor == FS_FACTOR_FAIRSHARE)
			return !job->sums->direct && job->sums->terms[t].weight != 0;
	return false;
}

void explain_job_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, bool ahead)
{
	struct fs_job j;

	fs_snapshot_job(v->from->snapshot, job->job_row, &j);
	say_title(p, v, job, &j);
	say_state(p, v, job, &j);
	if (job->state != FS_EXPLAIN_NEVER) {
		say_place(p, v, job);
		say_ahead(p, v, job);
		say_change(p, v, job);
		say_rivals(p, &job->ahead);
	}
	if (job->state == FS_EXPLAIN_QUEUED && fs_snapshot_info(v->from->snapshot)->kind == FS_SLURM)
		say_clears(p, job);
	say_accrue(p, job);
	say_hidden(p, job);
	page_end(p);
	if (fs_snapshot_info(v->from->snapshot)->kind == FS_SLURM)
		explain_limits_text(p, job);
	if (ahead) {
		explain_ahead_text(p, v, job);
	} else {
		explain_sum_text(p, v, job);
		explain_maui_path(p, v, job);
		if (job->path.algorithm && fairshare_counts(job))
			explain_path_text(p, v, &job->path);
	}
	explain_source_text(p, v);
}

int explain_lines(struct page *out, const struct explain_view *v, uint32_t job_row, int width, bool utf8)
{
	struct fs_explain_job job;

	page_init(out, PAGE_TEXT, width, utf8);
	if (fs_explain_job(v->x, job_row, &job, NULL))
		return -1;
	explain_job_text(out, v, &job, false);
	return out->failed ? -1 : 0;
}
