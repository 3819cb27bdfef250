#include "queue/maui_queue.h"

#include "base/error.h"
#include "fairshare/maui.h"
#include "priority/maui.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order */

/* Sorts eligible records by the start priority in the iteration before. */
static int compare_earlier_priority(const struct fs_queue *q, const struct fsi_queue_record *a,
				    const struct fsi_queue_record *b)
{
	const double *earlier = fsi_maui_queue_data(q)->earlier;
	const double x = earlier && a->eligible ? earlier[a->job] : 0;
	const double y = earlier && b->eligible ? earlier[b->job] : 0;

	return (x < y) - (x > y);
}

/* Sorts records whose order Maui leaves open by the position in its job table; by id if a position is unknown. */
static int compare_open_order(const struct fs_queue *q, const struct fsi_queue_record *a,
			      const struct fsi_queue_record *b)
{
	const int by_place = fsi_queue_compare_table_position(q, a, b);

	return by_place ? by_place : fsi_queue_compare_id(q, a, b);
}

static const struct fsi_queue_key maui_keys[] = {
	{ FS_QUEUE_KEY_PRIORITY, fsi_queue_compare_priority },
	{ FS_QUEUE_KEY_EARLIER, compare_earlier_priority },
	{ FS_QUEUE_KEY_OPEN, compare_open_order },
	{ FS_QUEUE_KEY_LISTED, fsi_queue_compare_choice },
};

/* ---- blocked jobs */

static const char *get_recorded_reason(const struct fs_queue *q, uint32_t job)
{
	return fsi_name_text(q->m, q->m->job.v[job].reason);
}

/* Returns the reason that blocks the job before limits are tested; NULL: none. */
static const char *find_early_reason(const struct fs_queue *q, uint32_t job, double priority)
{
	const struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	const struct fs_reason *reason =
		*get_recorded_reason(q, job) ? fs_reason_find(get_recorded_reason(q, job)) : NULL;

	if (reason && reason->section == FS_SECTION_HELD)
		return reason->name;
	if (x->state && x->state->deferred_until[job] > q->m->info.time)
		return "Deferred";
	return x->windows && x->windows->w.conf.reject_negative && priority < 0 ? "NegativePriority" : NULL;
}

/* Returns the reason that blocks the job, in the order in which Maui tests; NULL: the job is eligible. A limit or cap
 * explains more than the recorded "Blocked". Soft limits are tested only for a job that is recorded as blocked; limits
 * on eligible jobs are tested for such a job, and for all jobs if the scheduler listed no blocked jobs (has_list
 * false). */
static const char *find_blocking_reason(const struct fs_queue *q, uint32_t job, double priority, bool has_list)
{
	const struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	const char *stopped = find_early_reason(q, job, priority);
	const bool blocked = *get_recorded_reason(q, job) != '\0';
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (stopped)
		return stopped;
	if (fsi_maui_limits_find_exceeded(x->limits, job, blocked, blocked || !has_list, &limit))
		return "Limit";
	if (x->windows && fs_windows_capped(x->windows, job, &cap))
		return "FairShare";
	return blocked ? "Blocked" : NULL;
}

/* Returns true if the scheduler listed its blocked jobs. The list does not count in a plan, whose time is later. */
static bool has_blocked_list(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n && !q->planner_state; i++)
		if (!strcmp(get_recorded_reason(q, q->record.v[i].job), "Blocked"))
			return true;
	return false;
}

/* Sets whether each record is eligible, and its reason. The priority of a blocked job is unknown: it counts with the
 * time that the job had waited when it was last eligible (J->EffQueueDuration, src/MPolicy.c:MQueueSelectJobs), which
 * the snapshot does not have. */
static void set_eligible_records(struct fs_queue *q)
{
	const bool has_list = has_blocked_list(q);

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		const char *why = find_blocking_reason(q, r->job, r->priority, has_list);

		r->tried = r->eligible = !why;
		if (why)
			r->priority = (double)NAN;
		const struct fs_reason *reason = fs_reason_find(why ? why : "None");

		r->reason_number = fsi_reason_to_number(reason);
		r->section = (uint8_t)reason->section;
	}
}

/* Counts the eligible jobs for limits. priority: start priorities by job row. Returns 0 or FS_ENOMEM. */
static int count_eligible_jobs(struct fs_queue *q, const double *priority, struct fs_error *err)
{
	bool *stopped = calloc(q->m->job.n + 1, sizeof(*stopped));
	int rc = stopped ? 0 : fsi_fail_no_memory(err);

	for (size_t i = 0; i < q->record.n && !rc; i++)
		stopped[q->record.v[i].job] = find_early_reason(q, q->record.v[i].job, q->record.v[i].priority) != NULL;
	if (!rc)
		rc = fsi_maui_limits_count_eligible(fsi_maui_queue_data(q)->limits, priority, stopped, err);
	free(stopped);
	return rc;
}

/* Returns the priority by which Maui sorted the job. A running job has its recorded priority, except in a plan, whose
 * time is later. A job that just started has no run priority yet: its start priority counts. */
static double get_sort_priority(const struct fs_queue *q, const struct fs_prio_row *row)
{
	const struct fsi_job *j = &q->m->job.v[row->job_row];

	if (fsi_maui_is_just_started(q->m, row->job_row))
		return row->nsteps ? row->steps[row->nsteps - 1].value : row->sum;
	if (fs_job_is_running(q->m, row->job_row) && !q->planner_state && FSI_HAS(j, JOB, priority))
		return j->priority;
	return row->priority;
}

/* Computes the priorities of all jobs, also blocked and running ones: sets priority[job row], the priorities of the
 * records, and the priorities of the iteration before. Error codes of fs_prios_compute. */
static int compute_all_priorities(struct fs_queue *q, const struct fs_queue_options *qo, double *priority,
				  struct fs_error *err)
{
	const struct fs_prios_options o = { .view = { .usage = qo ? qo->view.usage : NULL },
					    .blocked = true,
					    .running = true };
	struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	fs_prios *all = NULL;
	int rc;

	x->earlier = calloc(q->m->job.n + 1, sizeof(*x->earlier));
	rc = x->earlier ? fsi_prios_compute_planned(&all, q->m, &o, x->state, err) : fsi_fail_no_memory(err);
	for (size_t i = 0; !rc && i < fs_prios_count(all); i++) {
		const double earlier = fsi_prio_maui_previous_priority(all, i);
		struct fs_prio_row row;

		fs_prios_brief(all, i, &row);
		priority[row.job_row] = get_sort_priority(q, &row);
		x->earlier[row.job_row] = isnan(earlier) ? 0 : earlier;
	}
	for (size_t i = 0; !rc && i < q->record.n; i++)
		q->record.v[i].priority = priority[q->record.v[i].job];
	fs_prios_free(all);
	return rc;
}

static int prepare_maui_queue(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	struct fsi_maui_queue *x = calloc(1, sizeof(*x));
	double *priority = malloc((q->m->job.n + 1) * sizeof(*priority));
	int rc;

	q->scheduler_data = x;
	if (!x || !priority) {
		free(priority);
		return fsi_fail_no_memory(err);
	}
	x->state = q->planner_state;
	for (size_t i = 0; i < q->m->job.n; i++)
		priority[i] = (double)NAN;
	for (size_t i = 0; i < q->record.n; i++)
		q->record.v[i].priority = (double)NAN;
	rc = fs_windows_compute(&x->windows, q->m, err);
	if (!rc)
		rc = compute_all_priorities(q, o, priority, err);
	else if (rc == FS_ENODATA)
		rc = 0;
	if (!rc)
		rc = fsi_maui_limits_load_active(&x->limits, q->m, x->windows, x->state, err);
	if (!rc)
		rc = count_eligible_jobs(q, priority, err);
	if (!rc)
		set_eligible_records(q);
	free(priority);
	return rc;
}

static void release_maui_queue(struct fs_queue *q)
{
	struct fsi_maui_queue *x = fsi_maui_queue_data(q);

	if (!x)
		return;
	fsi_maui_limits_free(x->limits);
	fs_windows_free(x->windows);
	free(x->earlier);
	free(x);
}

/* ---- public functions */

bool fs_queue_shown_limit(const fs_queue *q, uint32_t job_row, struct fs_explain_limit *out)
{
	return q->scheduler == &fsi_queue_of_maui &&
	       fsi_maui_limits_find_shown(fsi_maui_queue_data(q)->limits, job_row, out);
}

/* ---- verdict */

/* Returns the unit of a fair-share cap. */
static const char *get_cap_unit(const struct fs_queue *q, const struct fs_cap_row *cap)
{
	if (cap->mode != FS_TARGET_CAP_ABS)
		return "%";
	return strcmp(fs_windows_info(fsi_maui_queue_data(q)->windows)->policy, "DEDICATEDPES") ? "processor seconds" : "PE seconds";
}

/* Sets the verdict of a job that exceeds a fair-share cap. Returns -1 if out of memory. */
static int block_by_cap(const struct fs_queue *q, struct fsi_arena *arena, const struct fs_cap_row *cap,
			struct fs_verdict *out)
{
	const struct fs_explain_limit l = {
		.name = "fair-share cap",
		.tres = get_cap_unit(q, cap),
		.scope = FS_LIMIT_ASSOC,
		.set_by = cap->name,
		.counted_for = fs_cred_kind_name(cap->kind),
		.user = "",
		.partition = "",
		.qos = "",
		.value = cap->cap,
		.used = cap->usage,
		.wants = cap->need,
		.factor = 1,
		.reserved_minutes = NAN,
		.blocks = true,
		/* the use of all jobs grows, and with it what a cap in percent allows */
		.never = (cap->mode == FS_TARGET_CAP_ABS || cap->cap < 0) && cap->need > cap->cap,
	};

	return fsi_verdict_block_by_limit(out, arena, &l);
}

static int find_maui_verdict(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			     struct fs_verdict *out)
{
	const struct fsi_maui_queue *x = fsi_maui_queue_data(q);
	const char *name = out->reason ? out->reason->name : "";
	struct fs_explain_obstacle lack;
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (fsi_maui_find_obstacle(q, first->job, &lack)) {
		out->kind = FS_VERDICT_NEVER;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
		out->obstacle = fsi_arena_copy(arena, &lack, sizeof(lack));
		if (!out->obstacle)
			return -1;
		return fsi_maui_limits_find_exceeded(x->limits, first->job, true, true, &limit)
			       ? fsi_verdict_add_limit(out, arena, &limit)
			       : 0;
	}
	if (first->eligible)
		return 0;
	if (out->reason && out->reason->section == FS_SECTION_HELD) {
		out->kind = FS_VERDICT_HELD;
		out->cause = !strcmp(name, "UserHold")	  ? FS_VERDICT_CAUSE_OWNER
			     : !strcmp(name, "SystemHold") ? FS_VERDICT_CAUSE_ADMINISTRATOR
			     : !strcmp(name, "BatchHold")  ? FS_VERDICT_CAUSE_NONE /* who set it is unknown */
							   : FS_VERDICT_CAUSE_SCHEDULER;
		return 0;
	}
	out->kind = FS_VERDICT_LIMIT;
	out->cause = FS_VERDICT_CAUSE_POLICY;
	if (!strcmp(name, "Limit") && fsi_maui_limits_find_exceeded(x->limits, first->job, true, true, &limit))
		return fsi_verdict_block_by_limit(out, arena, &limit);
	if (!strcmp(name, "FairShare") && x->windows && fs_windows_capped(x->windows, first->job, &cap))
		return block_by_cap(q, arena, &cap, out);
	return 0;
}

const struct fsi_queue_scheduler fsi_queue_of_maui = {
	.keys = maui_keys,
	.nkeys = sizeof(maui_keys) / sizeof(*maui_keys),
	.find_verdict = find_maui_verdict,
	.prepare = prepare_maui_queue,
	.release = release_maui_queue,
};
