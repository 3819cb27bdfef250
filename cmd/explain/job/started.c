/* A job compared with one that has started: when that was, what the other was doing then, and by which rule it went
 * first. */
#include "explain/parts.h"

#include <inttypes.h>
#include <string.h>

/* Slurm keeps the time of a job's cancelling as its start time, too. */
static bool never_ran(const struct fs_explain_job *job, const struct fs_job *j)
{
	return job->state == FS_EXPLAIN_ENDED && !*j->node_list &&
	       j->start_time != FS_UNKNOWN && j->start_time == j->end_time;
}

static bool asks_for(const fs_snapshot *s, uint32_t row, const char *partition)
{
	const char *own;

	for (size_t i = 0; (own = fs_job_partition(s, row, i)); i++)
		if (!strcmp(own, partition))
			return true;
	return false;
}

static void say_elsewhere(struct page *p, const fs_snapshot *s, const char *partition, uint32_t other_row)
{
	const char *own = fs_job_partition(s, other_row, 0);
	char id[WORDS], buf[WORDS];

	if (!own || asks_for(s, other_row, partition))
		return;
	page_say(p, "Job %s asks for %s", job_words(id, s, other_row), cell_words(buf, own));
	for (size_t i = 1; (own = fs_job_partition(s, other_row, i)); i++)
		page_say(p, "or %s", cell_words(buf, own));
	page_join(p, ".");
}

/* Only Slurm's backfill leaves its name with the jobs that it starts past others. */
static void say_rule(struct page *p, const fs_snapshot *s, uint32_t row, const struct fs_job *j,
		     uint32_t other_row)
{
	const char *partition = fs_job_partition(s, row, 0);
	char buf[WORDS];

	if (partition)
		page_say(p, "It started in %s,", cell_words(buf, partition));
	else
		page_say(p, "It started");
	if (!strncmp(j->looked_at_by, "Backfill", strlen("Backfill")))
		page_say(p, "by backfill: it fitted beside the jobs ahead of it.");
	else if (!strcmp(j->looked_at_by, "Main"))
		page_say(p, "when its turn came in the order of priorities.");
	else
		page_say(p, "and it is not recorded whether by its priority or by backfill.");
	if (partition)
		say_elsewhere(p, s, partition, other_row);
}

static void say_priorities(struct page *p, const fs_snapshot *s, const struct fs_job *started,
			   const struct fs_job *other, uint32_t other_row)
{
	char id[WORDS];

	if (started->priority == FS_UNKNOWN || !started->priority || /* 0: it is held now */
	    other->priority == FS_UNKNOWN || !other->priority)
		return;
	page_say(p, "It started with priority %" PRId64 "; job %s has %" PRId64 " now.",
		 started->priority, job_words(id, s, other_row), other->priority);
}

/* Says what the other job was doing when this one started; true: it was eligible already. */
static bool say_other(struct page *p, const fs_snapshot *s, const struct fs_job *started,
		      const struct fs_job *other, uint32_t other_row)
{
	const int64_t start = started->start_time;
	char id[WORDS], buf[WORDS];

	job_words(id, s, other_row);
	if (other->submit_time != FS_UNKNOWN && start == other->submit_time)
		page_join(p, ", the second in which job %s was submitted.", id);
	else if (other->submit_time != FS_UNKNOWN && start < other->submit_time)
		page_join(p, ", before job %s was submitted (%s).", id,
			  time_words(buf, s, other->submit_time));
	else if (other->eligible_time != FS_UNKNOWN && start < other->eligible_time)
		page_join(p, ", before job %s could start at all (%s).", id,
			  time_words(buf, s, other->eligible_time));
	else if (other->submit_time == FS_UNKNOWN)
		page_join(p, ". When job %s was submitted is not recorded.", id);
	else {
		page_join(p, ", while job %s waited.", id);
		return true;
	}
	return false;
}

static void say_start(struct page *p, const fs_snapshot *s, const struct fs_explain_job *job,
		      const struct fs_job *j)
{
	char id[WORDS], buf[WORDS], user[WORDS];

	page_say(p, "Job %s (%s)", job_words(id, s, job->job_row), cell_words(user, j->user));
	if (never_ran(job, j)) {
		page_say(p, "never ran: it ended at %s (%s)", time_words(buf, s, j->end_time), j->state);
		return;
	}
	if (j->start_time == FS_UNKNOWN)
		page_say(p, job->state == FS_EXPLAIN_ENDED
				    ? "has ended; whether and when it started is not recorded"
				    : "has started; when is not recorded");
	else if (job->state == FS_EXPLAIN_ENDED)
		page_say(p, "ran from %s", time_words(buf, s, j->start_time));
	else if (explain_is_suspended(j))
		page_join(p, ", suspended now, started at %s", time_words(buf, s, j->start_time));
	else
		page_say(p, "has been running since %s", time_words(buf, s, j->start_time));
	if (job->state == FS_EXPLAIN_ENDED && j->end_time != FS_UNKNOWN)
		page_say(p, "to %s", time_words(buf, s, j->end_time));
}

bool explain_is_suspended(const struct fs_job *j)
{
	return !strcmp(j->state, "SUSPENDED");
}

bool explain_has_started(const struct fs_explain_job *job)
{
	return job->state == FS_EXPLAIN_RUNNING || job->state == FS_EXPLAIN_ENDED;
}

static void say_both(struct page *p, const fs_snapshot *s, const struct fs_explain_job *a,
		     const struct fs_explain_job *b)
{
	struct fs_job x, y;

	fs_snapshot_job(s, a->job_row, &x);
	fs_snapshot_job(s, b->job_row, &y);
	say_start(p, s, a, &x);
	page_join(p, ".");
	say_start(p, s, b, &y);
	page_join(p, ".");
	if (x.start_time != FS_UNKNOWN && x.start_time == y.start_time)
		page_say(p, "They started in the same second.");
}

void explain_started_text(struct page *p, const struct explain_view *v,
			  const struct fs_explain_job *a, const struct fs_explain_job *b)
{
	const fs_snapshot *s = v->from->snapshot;
	const struct fs_explain_job *first = explain_has_started(a) ? a : b;
	const struct fs_explain_job *second = first == a ? b : a;
	struct fs_job started, other;

	if (explain_has_started(second)) {
		say_both(p, s, a, b);
		return;
	}
	fs_snapshot_job(s, first->job_row, &started);
	fs_snapshot_job(s, second->job_row, &other);
	say_start(p, s, first, &started);
	if (started.start_time == FS_UNKNOWN || never_ran(first, &started)) {
		page_join(p, ".");
	} else if (say_other(p, s, &started, &other, second->job_row)) {
		say_rule(p, s, first->job_row, &started, second->job_row);
		say_priorities(p, s, &started, &other, second->job_row);
	}
	explain_not_eligible_text(p, v, second);
}
