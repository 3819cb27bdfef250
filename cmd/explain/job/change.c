/* What would change a job's place. */
#include "explain/parts.h"

#include <inttypes.h>
#include <math.h>

bool explain_sum_of_row(const struct explain_view *v, uint32_t queue_row, struct fs_queue_row *row,
			struct fs_explain_job *job, size_t *at)
{
	fs_queue_row(v->from->queue, queue_row, row);
	if (fs_explain_job_brief(v->x, row->job_row, job, NULL))
		return false;
	for (*at = 0; *at < job->nsums; ++*at)
		if (job->sums[*at].queue_row == queue_row)
			return true;
	return false;
}

static const char *size_words(const struct fs_prio_inputs *in)
{
	if (in->by_time)
		return in->small ? "JOBSIZE is higher, the fewer CPUs a job asks for and the longer its limit is."
				 : "JOBSIZE is higher, the more CPUs a job asks for and the shorter its limit is.";
	return in->small ? "JOBSIZE is higher, the fewer nodes and CPUs a job asks for (PriorityFavorSmall)."
			 : "JOBSIZE is higher, the more nodes and CPUs a job asks for.";
}

static const char *remedy(enum fs_factor factor, const struct fs_prio_inputs *in)
{
	switch (factor) {
	case FS_FACTOR_ASSOC:
		return "Association priorities are set by administrators.";
	case FS_FACTOR_JOBSIZE:
		return size_words(in);
	case FS_FACTOR_PARTITION:
		return "PARTITION is the priority factor of the partition: another one would change it.";
	case FS_FACTOR_QOS:
		return "A QOS of higher priority would raise QOS.";
	case FS_FACTOR_NICE:
		return "NICE is the job's own; only operators may make it negative.";
	case FS_FACTOR_SITE:
		return "SITE is set by the site's plugin or an administrator.";
	case FS_FACTOR_TRES:
		return "TRES is higher, the more a job asks for of that resource.";
	case FS_FACTOR_QUEUE:
		return "A queue of higher priority would raise QUEUE.";
	case FS_FACTOR_BANK:
		return "A bank of higher priority would raise BANK; administrators set the priorities of banks.";
	case FS_FACTOR_URGENCY:
		return "Urgency is the job's own (flux job urgency); only the instance owner may raise it above 16.";
	default:
		return NULL;
	}
}

/* Slurm: says whether waiting alone brings the job ahead of anybody. */
static void say_age(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_sum *own = job->sums;
	const struct fs_explain_ahead *a = &job->ahead;
	char b[WORDS];
	size_t age = 0;

	while (age < own->nterms && own->terms[age].factor != FS_FACTOR_AGE)
		age++;
	if (age == own->nterms || own->direct || a->all.key != FS_QUEUE_KEY_PRIORITY)
		return;
	if (own->terms[age].weight == 0)
		page_say(p, "Waiting alone passes nobody: age has no weight here.");
	else if (own->inputs[age].since == FS_UNKNOWN && isnan(own->inputs[age].have))
		page_say(p, "How long it has aged was not captured.");
	else if (own->inputs[age].since == FS_UNKNOWN)
		page_say(p, "It does not age now.");
	else if (a->all.passed)
		page_say(p,
			 "Waiting alone passes %" PRIu32 " of the %" PRIu32
			 " ahead by %s, when its age bonus is full: theirs is full sooner.",
			 a->all.passed, a->all.entries,
			 date_words(b, v->from->snapshot, own->inputs[age].since + (int64_t)own->inputs[age].of));
	else
		page_say(p,
			 "Waiting alone will not pass %s: all age at the same rate. The age bonus is full after "
			 "PriorityMaxAge (%s).",
			 a->all.entries == 1 ? "the job ahead" : "the jobs ahead",
			 duration_words(b, own->inputs[age].of));
}

static void say_decay(struct page *p, const fs_snapshot *s)
{
	if (fs_usage_half_life(s) != 0)
		page_say(p, "Decay alone changes nothing.");
}

/* The accounts above both users matter too, unless they are siblings. */
static void say_factor_change(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			      const struct fs_explain_job *other)
{
	const struct fs_share_row *theirs = share_row(v, other->path.row);
	const struct fs_share_row *own = share_row(v, job->path.row);
	char a[WORDS], b[WORDS], id[WORDS], next[WORDS];

	page_say(p, "%s passes %s only if %s%s uses more for its shares than %s%s from now on.",
		 job_words(id, v->from->snapshot, job->job_row),
		 job_words(next, v->from->snapshot, other->job_row), row_words(a, theirs),
		 theirs->parent_row == own->parent_row ? "" : ", with the accounts above it,", row_words(b, own),
		 theirs->parent_row == own->parent_row ? "" : ", with those above it,");
	say_decay(p, v->from->snapshot);
}

/* Says what would have to change in the tree against the user right ahead. */
static void say_fairshare_change(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_explain_job other;
	struct fs_explain_divergence d;
	const struct fs_share_row *theirs, *own;
	struct fs_queue_row row;
	char a[WORDS], b[WORDS], id[WORDS], next[WORDS];
	size_t at;

	if (job->ahead.next == FS_NO_ROW || !explain_sum_of_row(v, job->ahead.next, &row, &other, &at) ||
	    !job->path.algorithm || !other.path.algorithm || job->path.given || job->path.hidden || other.path.hidden)
		return;
	fs_explain_compare_paths(v->x, &job->path, &other.path, &d);
	if (d.same || d.first <= 0)
		return;
	theirs = share_row(v, other.path.level[d.level_b].row);
	own = share_row(v, job->path.level[d.level_a].row);
	if (!fs_shares_has_levels(v->from->shares)) {
		say_factor_change(p, v, job, &other);
		return;
	}
	job_words(id, v->from->snapshot, job->job_row);
	job_words(next, v->from->snapshot, other.job_row);
	if (!isnan(fs_snapshot_config_number(v->from->snapshot, "priority_usage_reset_period"))) {
		page_say(p,
			 "%s passes %s only if %s uses more for its shares than %s from now on, or what %s used "
			 "long ago drops out.",
			 id, next, row_words(a, theirs), row_words(b, own), b);
		return;
	}
	page_say(p, "%s passes %s only if %s uses more%s than %s from now on.", id, next, row_words(a, theirs),
		 theirs->norm_shares == own->norm_shares ? "" : " for its shares", row_words(b, own));
	say_decay(p, v->from->snapshot);
}

void explain_change_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_group *g = &job->ahead.all;

	if (!g->entries)
		return;
	say_age(p, v, job);
	if (v->dialect->explain->waiting)
		v->dialect->explain->waiting(p, v, job);
	if (g->key != FS_QUEUE_KEY_PRIORITY || g->term == FS_NO_ROW)
		return;
	if (job->sums->terms[g->term].factor == FS_FACTOR_FAIRSHARE)
		say_fairshare_change(p, v, job);
	else if (job->sums->terms[g->term].factor == FS_FACTOR_MAUI)
		explain_maui_remedy(p, v, job, job->sums->terms[g->term].name);
	else if (remedy(job->sums->terms[g->term].factor, &job->sums->inputs[g->term]))
		page_say(p, "%s", remedy(job->sums->terms[g->term].factor, &job->sums->inputs[g->term]));
}
