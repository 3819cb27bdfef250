/* Trials: each applies a command to the copy of the snapshot and plans the copy; the next trial undoes the command.
 * Also searches for the greatest value of a request, such as the time limit, with which the job starts earlier. */
#include "advise/advise.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "plan/plan.h"
#include "usage/billing.h"

#include "fs/scenario.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the plan of the snapshot's copy: the first plan is computed completely; each later plan resumes at the first
 * queue record that the command affects */

/* RECORD_WORK: work for each job and each queue record of a plan, besides the counted work: computing the queue, and
 * restoring the tables. MAX_WORK, MAX_TRIALS: changes are tried until the work reaches MAX_WORK, and the work for the
 * jobs of MAX_TRIALS plans; about three seconds for a snapshot of 1 MB. */
enum { RECORD_WORK = 3400, MAX_TRIALS = 200 };
#define MAX_WORK UINT64_C(3000000000)

static void count_plan_work(struct fs_advices *a, const fs_plan *p, uint64_t work)
{
	a->work += work + RECORD_WORK * (a->m->job.n + fs_queue_count(fs_plan_queue(p)));
}

/* Returns true if no further change is tried. */
static bool is_work_done(const struct fs_advices *a)
{
	return a->later && a->work + a->later->work > MAX_WORK + MAX_TRIALS * RECORD_WORK * (uint64_t)a->m->job.n;
}

/* Plans the copy of the snapshot, and sets *out to the job's row of that plan. Sets *has_late_start to the result of
 * fsi_replan_has_late_start. If the plan has no row for the job, sets *has_row to false. */
static int plan_snapshot_copy(struct fs_advices *a, struct fs_plan_row *out, bool *has_row, bool *has_late_start)
{
	const struct fs_plan_options o = { .view = a->view, .next_cycle = true };
	const int rc = a->replan
			       ? fsi_replan_make_next(a->replan, a->err)
			       : fsi_replan_make_first(&a->replan, a->m, &o, fsi_job_find_row(a->m, a->job), a->err);
	const size_t row = rc ? SIZE_MAX : fsi_replan_get_row(a->replan);

	if (!rc)
		count_plan_work(a, fsi_replan_get_plan(a->replan), fsi_replan_get_work(a->replan));
	*has_row = row != SIZE_MAX;
	*has_late_start = *has_row && fsi_replan_has_late_start(a->replan);
	if (*has_row)
		fs_plan_row(fsi_replan_get_plan(a->replan), row, out);
	return rc;
}

/* ---- saving and restoring the tables of the copied snapshot */

int fsi_advise_save_tables(struct fs_advices *a)
{
	bool saved_all = true;

#define SAVE_TABLE(name) \
	a->saved.name.n = a->m->name.n; \
	a->saved.name.v = fsi_arena_array(&a->arena, a->m->name.n + 1, sizeof(*a->m->name.v)); \
	saved_all = saved_all && a->saved.name.v; \
	if (saved_all && a->m->name.n) \
		memcpy(a->saved.name.v, a->m->name.v, a->m->name.n * sizeof(*a->m->name.v));
	FSI_ADVISE_TABLES(SAVE_TABLE)
#undef SAVE_TABLE
	return saved_all ? 0 : fsi_fail_no_memory(a->err);
}

int fsi_advise_pass_begin_time(struct fs_advices *a, const struct fsi_command *command)
{
	struct fsi_trial t;
	const int rc = fsi_advise_apply_command(a, command, &t);

	if (rc)
		return rc > 0 ? 0 : rc;
	a->begins = a->unchanged.start;
	fsi_replan_free(a->replan);
	a->replan = NULL;
	return fsi_advise_save_tables(a);
}

/* Restores the saved tables. Removes the rows that a command appended to these tables. */
static void restore_saved_tables(struct fs_advices *a)
{
#define RESTORE_TABLE(name) \
	a->m->name.n = a->saved.name.n; \
	if (a->saved.name.n) \
		memcpy(a->m->name.v, a->saved.name.v, a->saved.name.n * sizeof(*a->m->name.v));
	FSI_ADVISE_TABLES(RESTORE_TABLE)
#undef RESTORE_TABLE
}

/* ---- trying one command: applies the command to the copy of the snapshot, and plans the job */

static void append_trial_effect(void *trial, const char *sentence)
{
	struct fsi_trial *t = trial;
	const size_t len = strlen(t->effects);

	snprintf(t->effects + len, sizeof(t->effects) - len, "%s%s", len ? "; " : "", sentence);
}

int fsi_advise_apply_command(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out)
{
	const struct fs_edit_options o = { .note = append_trial_effect,
					   .note_ctx = out,
					   .about_job = a->job,
					   .at_once = !a->later };
	const uint32_t edits = a->m->edits;
	struct fs_error err;
	int rc;

	restore_saved_tables(a);
	out->effects[0] = 0;
	if (command && !command->len)
		return 1;
	rc = command ? fs_snapshot_edit(a->m, command->text, &o, &err) : 0;
	/* without this assignment, the list of applied commands would grow with each trial */
	a->m->edits = edits;
	if (rc == FS_EUSAGE || rc == FS_ENODATA)
		return 1;
	return rc ? fsi_fail_no_memory(a->err) : 0;
}

static int compute_job_cost(struct fs_advices *a, const struct fsi_job *j, const char *partition, double *out)
{
	double tres_s;

	if (fsi_bill_job_to_limit(&tres_s, a->m, j, fsi_partition_find(a->m, fsi_name_find(a->m, partition))))
		return fsi_fail_no_memory(a->err);
	*out = tres_s / 3600;
	return 0;
}

int64_t fsi_advise_clamp_start(const struct fs_advices *a, int64_t start)
{
	return start == FS_UNKNOWN || a->begins == FS_UNKNOWN || start > a->begins ? start : a->begins;
}

/* Plans the job, and sets *out to its start and cost. Sets *stable to false if the start is not reliable: a longer time
 * limit would delay it, or it is more than a minute after the begin time for which the job waits. */
static int plan_trial_job(struct fs_advices *a, struct fsi_trial *out, bool *stable)
{
	struct fs_plan_row r;
	bool has_row, late = false;
	const int rc = plan_snapshot_copy(a, &r, &has_row, &late);

	if (rc || !has_row)
		return rc;
	out->start = fsi_advise_clamp_start(a, r.start_time);
	*stable = !late && (a->begins == FS_UNKNOWN || out->start <= a->begins + FSI_ADVICE_MIN_S);
	snprintf(out->partition, sizeof(out->partition), "%s", r.partition);
	out->state = r.state;
	out->blocked_by = r.blocked_by;
	return compute_job_cost(a, &a->m->job.v[fsi_job_find_row(a->m, a->job)], r.partition, &out->cost);
}

static bool is_earlier_start(const struct fs_advices *a, int64_t start, int64_t than)
{
	int64_t gain = FSI_ADVICE_MIN_S;

	if (start == FS_UNKNOWN || than == FS_UNKNOWN)
		return start != FS_UNKNOWN;
	if (gain < (than - a->m->info.time) / 10)
		gain = (than - a->m->info.time) / 10;
	return start + gain <= than;
}

bool fsi_advise_is_gain(const struct fs_advices *a, int64_t start)
{
	return is_earlier_start(a, start, a->unchanged.start) && is_earlier_start(a, start, a->recomputed.start) &&
	       is_earlier_start(a, start, a->likely);
}

/* Sets *stable to true if the command gives the same start, within a minute, one minute later. */
static int check_later_start(struct fs_advices *a, const struct fsi_command *command, int64_t start, bool *stable)
{
	struct fsi_trial t;
	const int rc = fsi_advise_try_command(a->later, command, &t);

	*stable = !rc && t.start != FS_UNKNOWN && llabs(t.start - start) <= FSI_ADVICE_MIN_S;
	return rc;
}

static void reject_start(struct fsi_trial *t)
{
	t->unreliable_start = t->start;
	t->start = FS_UNKNOWN;
}

int fsi_advise_try_command(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out)
{
	bool stable = true;
	int rc;

	*out = (struct fsi_trial){ .start = FS_UNKNOWN,
				   .unreliable_start = FS_UNKNOWN,
				   .cost = (double)NAN,
				   .state = FS_PLAN_NEVER };
	if (command && is_work_done(a)) {
		a->partial = out->refused = true;
		return 0;
	}
	rc = fsi_advise_apply_command(a, command, out);
	out->refused = rc > 0;
	if (rc)
		return rc > 0 ? 0 : rc;
	a->tried++;
	rc = plan_trial_job(a, out, &stable);
	if (rc || !command || !a->later || !fsi_advise_is_gain(a, out->start))
		return rc;
	if (stable)
		rc = check_later_start(a, command, out->start, &stable);
	if (!stable)
		reject_start(out);
	return rc;
}

/* Plans the copy of the snapshot with a simulation in which jobs run to their time limits. */
static int plan_with_simulation(struct fs_advices *a, fs_plan **out)
{
	const struct fs_plan_options o = { .view = a->view, .likely = true, .next_cycle = true };
	const size_t past_jobs = a->m->usage.n;
	int rc;

	a->m->usage.n = 0;
	rc = fs_plan_compute(out, a->m, &o, a->err);
	a->m->usage.n = past_jobs;
	if (!rc)
		count_plan_work(a, *out, (*out)->work);
	return rc;
}

/* Returns the job's start in the simulation of the plan; FS_UNKNOWN: none. */
static int64_t find_simulated_start(const struct fs_advices *a, const fs_plan *p)
{
	int64_t start = FS_UNKNOWN;
	struct fs_plan_row r;

	for (size_t i = 0; fs_plan_row(p, i, &r); i++)
		if (r.job == a->job && r.likely.start_time != FS_UNKNOWN &&
		    (start == FS_UNKNOWN || r.likely.start_time < start))
			start = r.likely.start_time;
	return start;
}

int fsi_advise_simulate_start(struct fs_advices *a, int64_t *out)
{
	fs_plan *p;
	const int rc = plan_with_simulation(a, &p);

	*out = FS_UNKNOWN;
	if (rc)
		return rc;
	*out = find_simulated_start(a, p);
	fs_plan_free(p);
	return 0;
}

/* Returns true if the partitions with the two names have a common node. */
static bool have_common_node(const fs_snapshot *m, const char *x, const char *y)
{
	const uint32_t a = fsi_partition_row(m, fsi_partition_find(m, fsi_name_find(m, x))),
		       b = fsi_partition_row(m, fsi_partition_find(m, fsi_name_find(m, y)));

	return a != FSI_NO_INDEX && b != FSI_NO_INDEX && fsi_partitions_share_nodes(m, a, b);
}

/* Returns the highest priority of the job in the queue. If it is unknown with the command, returns the priority without
 * the command. NAN: that is unknown too. */
static double get_queue_priority(const struct fs_advices *a, const fs_queue *q, uint32_t job_row)
{
	const struct fsi_job *saved = &a->saved.job.v[job_row];
	struct fs_queue_place at;
	double priority = (double)NAN;

	for (size_t i = 0; fs_queue_place(q, i, &at); i++)
		if (at.job_row == job_row && !(at.priority <= priority))
			priority = at.priority;
	return isnan(priority) && FSI_HAS(saved, JOB, priority) ? (double)saved->priority : priority;
}

/* ---- jobs that become eligible before a planned start */

/* Returns the time at which the running job ends; INT64_MAX: the job does not run, or its end is unknown. */
static int64_t get_run_end(const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) ? j->end_time : INT64_MAX;
}

/* Returns the time at which the first running task of the job's array ends; INT64_MAX: none. */
static int64_t find_next_task_end(const fs_snapshot *m, const struct fsi_job *pending)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; pending->array_job_id && i < m->job.n; i++)
		if (m->job.v[i].array_job_id == pending->array_job_id && get_run_end(&m->job.v[i]) < first)
			first = get_run_end(&m->job.v[i]);
	return first;
}

/* Returns the time at which the running jobs on which a job depends have ended; INT64_MAX: not known. */
static int64_t find_dependency_end(const fs_snapshot *m, const struct fs_verdict *v)
{
	const int64_t minute_s = 60;
	int64_t last = v->nneeds ? 0 : INT64_MAX;

	for (size_t i = 0; i < v->nneeds; i++) {
		const struct fs_verdict_need *need = &v->needs[i];
		const int64_t end = need->job_row == FS_NO_ROW ? INT64_MAX : get_run_end(&m->job.v[need->job_row]);

		if (end == INT64_MAX)
			return INT64_MAX;
		if (end + need->delay_min * minute_s > last)
			last = end + need->delay_min * minute_s;
	}
	return last;
}

/* Sets *out to the time at which a job becomes eligible that waits for running tasks of its array or for the ends of
 * running jobs; INT64_MAX: the job waits for something else, or the time is unknown. */
static int find_eligible_time(const struct fs_advices *a, const fs_queue *q, uint32_t job_row, int64_t *out)
{
	struct fs_verdict v;

	*out = INT64_MAX;
	if (fs_queue_verdict(q, job_row, &v))
		return fsi_fail_no_memory(a->err);
	if (v.kind == FS_VERDICT_ARRAY_LIMIT)
		*out = find_next_task_end(a->m, &a->m->job.v[job_row]);
	else if (v.kind == FS_VERDICT_DEPENDENCY)
		*out = find_dependency_end(a->m, &v);
	fs_verdict_release(&v);
	return 0;
}

/* Sets *out to the time from which the job of the plan row may take nodes that the plan gives to other jobs: its likely
 * start, if it waits for a limit or for its begin time; or the time at which it becomes eligible (find_eligible_time).
 * INT64_MAX: the plan gives the job its own nodes, or the time is unknown. */
static int find_unplanned_start(const struct fs_advices *a, const fs_queue *q, const struct fs_plan_row *r,
				int64_t *out)
{
	*out = INT64_MAX;
	if (r->start_time != FS_UNKNOWN && r->state != FS_PLAN_BEGINS)
		return 0;
	if (r->likely.start_time == FS_UNKNOWN)
		return r->section == FS_SECTION_REQUEST ? find_eligible_time(a, q, r->job_row, out) : 0;
	*out = r->likely.start_time;
	return 0;
}

/* Sets *overtaken to true if another job may take the nodes before: a job that the plan does not start, that is ahead
 * of the job or may get ahead of it, that may use the same nodes, and that may start no later than two minutes after
 * `start`. Priorities change until the start, so that a job with almost the same priority may get ahead. */
static int check_start_overtaken(const struct fs_advices *a, const fs_plan *p, const char *partition, int64_t start,
				 bool *overtaken)
{
	const fs_queue *q = fs_plan_queue(p);
	const double own = get_queue_priority(a, q, fsi_job_find_row(a->m, a->job));
	struct fs_plan_row r;
	bool ahead = true;

	*overtaken = false;
	for (size_t i = 0; !*overtaken && fs_plan_row(p, i, &r); i++) {
		int64_t from;

		ahead = ahead && r.job != a->job;
		if (r.job == a->job || !have_common_node(a->m, r.partition, partition))
			continue;
		if (find_unplanned_start(a, q, &r, &from))
			return FS_ENOMEM;
		*overtaken = from <= start + 2 * FSI_ADVICE_MIN_S &&
			     (ahead || get_queue_priority(a, q, r.job_row) > own - fabs(own) / 20);
	}
	return 0;
}

/* Rejects the start if a simulation of the queue with the command gives another start, or if another job may take the
 * nodes before. The command is applied to a->m. In the simulation, jobs that start first use limits, and jobs
 * that a limit blocks now start when the limit permits. The plan ignores both. A start now needs no simulation. */
static int check_simulated_start(struct fs_advices *a, struct fsi_trial *t)
{
	int64_t simulated;
	bool overtaken = false;
	fs_plan *p;
	int rc;

	if (!fsi_advise_is_gain(a, t->start) || t->start <= a->m->info.time)
		return 0;
	rc = plan_with_simulation(a, &p);
	if (rc)
		return rc;
	simulated = fsi_advise_clamp_start(a, find_simulated_start(a, p));
	if (simulated != FS_UNKNOWN)
		rc = check_start_overtaken(a, p, t->partition, t->start, &overtaken);
	if (overtaken || (simulated != FS_UNKNOWN && llabs(simulated - t->start) > FSI_ADVICE_MIN_S))
		reject_start(t);
	fs_plan_free(p);
	return rc;
}

int fsi_advise_propose_command(struct fs_advices *a, enum fs_who who, const struct fsi_command *command, int64_t *start)
{
	struct fsi_trial t;
	struct fs_advice row = { .who = who };
	int rc = fsi_advise_try_command(a, command, &t);

	if (!rc)
		rc = check_simulated_start(a, &t);

	if (start)
		*start = !rc && fsi_advise_is_gain(a, t.start) ? t.start : FS_UNKNOWN;
	/* For a job that never starts without a change, a start that may become later is better than no start. */
	row.unreliable = t.start == FS_UNKNOWN &&
			 (a->removes_wait || (a->unchanged.start == FS_UNKNOWN && a->likely == FS_UNKNOWN));
	if (row.unreliable)
		t.start = t.unreliable_start;
	if (rc || !fsi_advise_is_gain(a, t.start))
		return rc;
	row.command = fsi_arena_strndup(&a->arena, command->text, command->len);
	row.effects = fsi_arena_strndup(&a->arena, t.effects, strlen(t.effects));
	if (!row.command || !row.effects || FSI_VEC_RESERVE(&a->row))
		return fsi_fail_no_memory(a->err);
	row.start_before = a->unchanged.start;
	row.start_after = t.start;
	row.start_likely = a->likely;
	row.cost_before = a->unchanged.cost;
	row.cost_after = t.cost;
	rc = fsi_advise_describe_change(a, &row);
	if (!rc)
		a->row.v[a->row.n++] = row;
	return rc;
}

int fsi_advise_propose_change(struct fs_advices *a, enum fs_who who, enum fsi_change what, const char *value)
{
	struct fsi_command c;

	fsi_command_begin_update(&c, a->m, a->job);
	fsi_command_add_change(&c, a->m, what, "%s", value);
	return fsi_advise_propose_command(a, who, &c, NULL);
}

/* ---- binary search for the greatest amount, such as a time limit, with which the job starts earlier than without a
 * command */

static int try_one_amount(struct fs_advices *a, fsi_amount_fn write, int64_t amount, struct fsi_trial *t)
{
	struct fsi_command c;

	write(a, &c, amount);
	return fsi_advise_try_command(a, &c, t);
}

static int try_amount_start(struct fs_advices *a, fsi_amount_fn write, int64_t amount, int64_t *start)
{
	struct fsi_trial t;
	const int rc = try_one_amount(a, write, amount, &t);

	*start = t.start;
	return rc;
}

/* Doubles *min while the job cannot start with the amount *min; a limit or partition may require more (MinTRESPerJob,
 * MinNodes). Stops when *min reaches half of `max`. Sets *start to the job's start with *min. */
static int find_least_amount(struct fs_advices *a, fsi_amount_fn write, int64_t *min, int64_t max, int64_t *start)
{
	struct fsi_trial t;
	int rc;

	while (!(rc = try_one_amount(a, write, *min, &t)) && (t.state == FS_PLAN_BLOCKED || t.state == FS_PLAN_NEVER) &&
	       *min < max / 2)
		*min *= 2;
	*start = t.start;
	return rc;
}

/* Sets *out to the greatest amount, at least `min` and less than `max`, that gives an early start. A start is early if
 * it is no later than `by`. If `by` is FS_UNKNOWN, a start is early if it is a gain (fsi_advise_is_gain). The amount
 * `min` must give an early start. */
static int find_greatest_amount(struct fs_advices *a, fsi_amount_fn write, int64_t min, int64_t max, int64_t by,
				int64_t *out)
{
	while (max - min > 1) {
		const int64_t middle = min + (max - min) / 2;
		int64_t start;
		const int rc = try_amount_start(a, write, middle, &start);

		if (rc)
			return rc;
		if (by == FS_UNKNOWN ? fsi_advise_is_gain(a, start) : start != FS_UNKNOWN && start <= by)
			min = middle;
		else
			max = middle;
	}
	*out = min;
	return 0;
}

static int propose_one_amount(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t amount)
{
	struct fsi_command c;

	write(a, &c, amount);
	return fsi_advise_propose_command(a, who, &c, NULL);
}

static int propose_best_amounts(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max)
{
	int64_t first, amount, start;
	int rc = find_least_amount(a, write, &min, max, &first);

	if (rc || !fsi_advise_is_gain(a, first))
		return rc;
	rc = find_greatest_amount(a, write, min, max, FS_UNKNOWN, &amount);
	if (!rc)
		rc = try_amount_start(a, write, amount, &start);
	if (!rc)
		rc = propose_one_amount(a, who, write, amount);
	if (rc || first + FSI_ADVICE_MIN_S > start)
		return rc;
	rc = find_greatest_amount(a, write, min, amount, first, &amount);
	return rc ? rc : propose_one_amount(a, who, write, amount);
}

int fsi_advise_propose_greatest(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max)
{
	if (min < 1)
		min = 1;
	return min >= max ? 0 : propose_best_amounts(a, who, write, min, max);
}
