/* Of the four lines: who is ahead. */
#include "explain/brief/parts.h"

#include "render/format.h"
#include "words/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Adds by how much the other job leads; both jobs have the one sum of their rows. */
static void add_lead(char *line, const struct explain_view *v, const struct fs_explain_job *job,
		     const struct fs_explain_job *other)
{
	const struct fs_explain_sum *own = job->sums, *theirs = other->sums;
	struct fs_explain_comparison d;
	char factor[WORDS], a[WORDS], c[WORDS], more[2 * WORDS];

	if (fs_explain_compare_jobs(v->x, other, job, &d) || isnan(d.queue_difference))
		return;
	format_text(more, sizeof(more), ", by %.0f %s", d.queue_difference, d.queue_difference == 1 ? "point" : "points");
	brief_add_if_short(line, more);
	*more = '\0';
	if (theirs->direct && !own->direct)
		snprintf(more, sizeof(more), ": its priority was %.60s", nouns(v)->direct);
	else if (!theirs->direct && !own->direct && d.differences && d.term != FS_NO_ROW && d.total > 0)
		snprintf(more, sizeof(more), ": %.60s %.30s against %.30s",
			 factor_words(factor, own->terms[d.term].name), factor_number(a, theirs->terms[d.term].value),
			 factor_number(c, own->terms[d.term].value));
	brief_add_if_short(line, more);
}

/* fs_queue_key_text in fewer words. */
static const char *key_words(enum fs_queue_key key)
{
	switch (key) {
	case FS_QUEUE_KEY_SUBMIT:
		return ": as high, and submitted earlier";
	case FS_QUEUE_KEY_JOBID:
		return ": as high, and of lower id";
	case FS_QUEUE_KEY_TASK:
		return ": as high, and an earlier task";
	case FS_QUEUE_KEY_OPEN:
		return ": as high; Maui leaves their order open";
	case FS_QUEUE_KEY_EARLIER:
		return ": as high now; higher before";
	case FS_QUEUE_KEY_CIRCLE:
		return ": preemption puts it first";
	case FS_QUEUE_KEY_TIER:
		return ": its partition has a higher PriorityTier";
	default:
		return NULL;
	}
}

bool explain_next_words(char line[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_job *job,
			size_t sum, uint32_t next)
{
	struct fs_explain_job own = *job, other;
	struct fs_queue_row row;
	enum fs_queue_key key;
	char id[WORDS], more[2 * WORDS];
	size_t at;

	if (next == FS_NO_ROW || !explain_sum_of_row(v, next, &row, &other, &at))
		return false;
	own.sums += sum;
	other.sums += at;
	own.nsums = other.nsums = 1;
	brief_add(line, "%s of %s", job_words(id, v->from->snapshot, row.job_row), row.user);
	snprintf(more, sizeof(more), " (%.200s)", row.account);
	if (*row.account)
		brief_add_if_short(line, more);
	key = fs_queue_deciding_key(v->from->queue, next, own.sums->queue_row);
	if (key == FS_QUEUE_KEY_PRIORITY)
		add_lead(line, v, &own, &other);
	else if (key_words(key))
		brief_add_if_short(line, key_words(key));
	else
		brief_add(line, ": %s", fs_queue_key_text(key));
	return true;
}

/* Says why a job is not eligible. */
static const char *not_eligible(const struct fs_explain_job *job, const struct fs_job *j)
{
	if (job->state == FS_EXPLAIN_RUNNING)
		return explain_is_suspended(j) ? "Nobody: it is suspended." : "Nobody: it runs.";
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
	case FS_VERDICT_RESERVATION:
		return job->verdict.time != FS_UNKNOWN ? "It is not eligible until then." : "It is not eligible now.";
	case FS_VERDICT_UNKNOWN:
		return "Unknown: whether it is eligible is not known.";
	case FS_VERDICT_ARRAY_LIMIT:
	case FS_VERDICT_LIMIT:
		if (job->verdict.reason && !strcmp(job->verdict.reason->name, "NegativePriority"))
			return "It is not eligible while its priority is negative.";
		return "It is not eligible while that limit is reached.";
	default:
		return "It is not eligible now.";
	}
}

/* The snapshot lacks jobs: the number ahead is a lower bound, and none is unknown. */
static void fill_at_least(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
			  const char *in)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const uint64_t jobs = a->all.jobs + a->unseen;
	char n[WORDS];

	if (!jobs) {
		brief_add(b->ahead, "Unknown: %s.", missing_jobs_words(v->from->snapshot));
		return;
	}
	brief_add(b->ahead, "At least %s%s; %s.", count_words(n, jobs, "job", "jobs"), in,
		  missing_others_words(v->from->snapshot));
	if (!a->all.entries || a->next == FS_NO_ROW)
		return;
	brief_add(b->ahead, " The next seen is ");
	explain_next_words(b->ahead, v, job, 0, a->next);
	brief_add(b->ahead, ".");
}

void brief_fill_ahead(struct brief *b, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_job *j)
{
	const struct fs_explain_ahead *a = &job->ahead;
	char n[WORDS], in[WORDS] = "";

	if (explain_has_started(job) || job->state == FS_EXPLAIN_NEVER || !job->nsums || !job->sums->position) {
		brief_add(b->ahead, "%s", not_eligible(job, j));
		return;
	}
	if (verdict_is_unplaced(&job->verdict)) {
		brief_add(b->ahead, "Unknown: %s.", verdict_unplaced(v->from->snapshot, &job->verdict));
		return;
	}
	if (!fs_queue_one_line(v->from->queue) && *job->sums->partition)
		snprintf(in, sizeof(in), " in %.140s", job->sums->partition);
	if (job->jobs_missing) {
		fill_at_least(b, v, job, in);
		return;
	}
	if (!a->all.entries && !a->unseen) {
		brief_add(b->ahead, "Nobody%s.", in);
		return;
	}
	if (a->all.entries > 1)
		brief_add(b->ahead, "%s%s", entries_words(n, a->all.entries, a->all.jobs), in);
	if (a->all.entries > 1 && a->next != FS_NO_ROW)
		brief_add(b->ahead, "; the next is ");
	if (a->all.entries)
		explain_next_words(b->ahead, v, job, 0, a->next);
	if (a->unseen)
		brief_add(b->ahead, "%s%s that cannot be seen%s", a->all.entries ? ", and " : "",
			  count_words(n, a->unseen, "job", "jobs"), nouns(v)->hidden);
	brief_add(b->ahead, ".");
}
