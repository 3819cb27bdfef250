/* The jobs of the layouts: where each stands, and under which word. */
#include "showq/showq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool showq_of_user(const struct showq_run *r, const struct fs_job *job)
{
	return !showq_one_user(r) || !strcmp(job->user, r->user);
}

bool showq_in_partition(const struct showq_run *r, uint32_t row)
{
	const char *name;

	if (!r->partition)
		return true;
	for (size_t k = 0; (name = fs_job_partition(r->snapshot, row, k)); k++)
		if (!strcmp(name, r->partition))
			return true;
	return false;
}

/* What the tool knows of a reason; the last entry stands for those it does not. */
static const struct showq_reason *known_reason(const struct showq_style *style,
					       const struct fs_reason *reason)
{
	const struct showq_reason *e = style->reasons;

	while (e->name && (!reason || strcmp(e->name, reason->name) != 0))
		e++;
	return e;
}

enum showq_place showq_mended_place(enum fs_section section)
{
	return section == FS_SECTION_ELIGIBLE || section == FS_SECTION_TRANSIENT ? PLACE_WAITING
										 : PLACE_BLOCKED;
}

static void place_pending(const struct showq_run *r, struct showq_job *j, enum fs_section section,
			  const struct fs_reason *reason)
{
	const struct showq_reason *e = known_reason(r->style, reason);

	j->known = e->name != NULL;
	j->place = (uint8_t)(j->known ? e->place : r->strict ? PLACE_BLOCKED : showq_mended_place(section));
	j->word = j->known || j->place == PLACE_BLOCKED ? e->word : "Waiting";
}

/* Puts a job into its section. Jobs that hold nodes but are in no section of the tools are listed with the
 * completing ones. */
static bool place_job(const struct showq_run *r, const struct fs_job *job, struct showq_job *j)
{
	const struct fs_reason *reason;
	const enum fs_section section = fs_job_section(r->snapshot, j->row, &reason);
	const bool running = !strcmp(job->state, "RUNNING");

	j->known = true;
	switch (section) {
	case FS_SECTION_RUNNING:
		j->place = PLACE_ACTIVE;
		j->word = "Running";
		return running || !r->strict;
	case FS_SECTION_COMPLETING:
		j->place = PLACE_ERRORED;
		j->word = "Complte";
		return !r->strict || showq_left_s(r, job) >= 300;
	case FS_SECTION_SUSPENDED:
		j->place = PLACE_ERRORED;
		j->word = "Suspend";
		return !r->strict;
	case FS_SECTION_ENDED:
		if (!j->pending)
			return false;
		break;
	default:
		break;
	}
	place_pending(r, j, section, reason);
	return true;
}

static bool *visible_jobs(const struct showq_run *r)
{
	bool *seen = calloc(r->info->jobs + 1, sizeof(*seen));

	if (seen)
		fs_snapshot_visible_jobs(r->snapshot, input_viewer(&r->input), seen);
	return seen;
}

/* Priorities and ranks from the queue, where the jobs do not have them. */
static int take_queue(struct showq_run *r, const uint32_t *place_of)
{
	const struct fs_queue_options o = { .view = input_view(&r->input) };
	uint32_t before = FS_NO_ROW, rank = 0;
	struct fs_queue_row row;
	struct fs_error err;
	fs_queue *q = NULL;

	if (fs_queue_compute(&q, r->snapshot, &o, &err))
		return report(r->inv, &err);
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		struct showq_job *j;

		fs_queue_row(q, i, &row);
		if (place_of[row.job_row] == FS_NO_ROW ||
		    (r->partition && strcmp(row.partition, r->partition) != 0))
			continue;
		j = &r->jobs[place_of[row.job_row]];
		if (!j->rank && row.eligible) {
			j->rank = ++rank;
			j->key = (uint8_t)(before == FS_NO_ROW ? FS_QUEUE_KEY_NONE
					   : r->partition	 ? row.partition_key
								 : row.key);
			j->behind = before;
			before = row.job_row;
		}
		if (isnan(j->priority))
			j->priority = row.priority;
	}
	r->queue = q;
	return 0;
}

static bool queue_needed(const struct showq_run *r)
{
	if (r->why)
		return true;
	for (size_t i = 0; r->by_priority && !r->strict && i < r->n; i++)
		if (isnan(r->jobs[i].priority) && (r->jobs[i].place == PLACE_WAITING))
			return true;
	return false;
}

static int load_queue(struct showq_run *r)
{
	uint32_t *place_of;
	int status;

	if (!queue_needed(r))
		return 0;
	place_of = malloc((r->info->jobs + 1) * sizeof(*place_of));
	if (!place_of)
		return no_memory(r->inv);
	memset(place_of, 0xff, (r->info->jobs + 1) * sizeof(*place_of));
	for (size_t i = 0; i < r->n; i++)
		place_of[r->jobs[i].row] = (uint32_t)i;
	status = take_queue(r, place_of);
	free(place_of);
	return status;
}

int showq_load(struct showq_run *r)
{
	bool *seen = visible_jobs(r);
	struct fs_job job;

	r->jobs = malloc((r->info->jobs + 1) * sizeof(*r->jobs));
	if (!r->jobs || !seen) {
		free(seen);
		return no_memory(r->inv);
	}
	for (uint32_t i = 0; i < r->info->jobs; i++) {
		struct showq_job *j = &r->jobs[r->n];

		if (!seen[i])
			continue;
		fs_snapshot_job(r->snapshot, i, &job);
		*j = (struct showq_job){ .row = i,
					 .pending = !strcmp(job.state, "PENDING"),
					 .priority = job.priority == FS_UNKNOWN ? (double)NAN : (double)job.priority };
		r->n += r->style->place ? r->style->place(r, &job, j) : place_job(r, &job, j);
	}
	free(seen);
	return load_queue(r);
}
