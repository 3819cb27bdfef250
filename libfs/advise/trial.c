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
#include <string.h>

/* ---- the plan of the snapshot's copy: the first plan is computed completely; each later plan resumes at the first
 * queue record that the command affects */

/* Plans the copy of the snapshot, and sets *out to the job's row of that plan. Sets *late to the result of
 * fsi_replan_get_late_start. If the plan has no row for the job, sets *has_row to false and *late to FS_UNKNOWN. */
static int plan_snapshot_copy(struct fs_advices *a, struct fs_plan_row *out, bool *has_row, int64_t *late)
{
	const struct fs_plan_options o = { .view = a->view };
	const int rc = a->replan
			       ? fsi_replan_make_next(a->replan, a->err)
			       : fsi_replan_make_first(&a->replan, a->m, &o, fsi_job_find_row(a->m, a->job), a->err);
	const size_t row = rc ? SIZE_MAX : fsi_replan_get_row(a->replan);

	*has_row = row != SIZE_MAX;
	*late = *has_row ? fsi_replan_get_late_start(a->replan) : FS_UNKNOWN;
	if (*has_row)
		fs_plan_row(fsi_replan_get_plan(a->replan), row, out);
	return rc;
}

/* ---- saving and restoring the tables of the copied snapshot */

static int save_copy_tables(struct fs_advices *a)
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

int fsi_advise_open_copy(struct fs_advices *a, const fs_snapshot *s)
{
	const int rc = fs_snapshot_copy(&a->m, s, a->err);

	return rc ? rc : save_copy_tables(a);
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
	return save_copy_tables(a);
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

const struct fsi_job *fsi_advise_saved_job(const struct fs_advices *a)
{
	return &a->saved.job.v[fsi_job_find_row(a->m, a->job)];
}

const struct fsi_job_ext *fsi_advise_saved_optional(const struct fs_advices *a)
{
	return fsi_job_ext_in(a->saved.job_ext.v, fsi_advise_saved_job(a));
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
	const struct fs_edit_options o = { .note = append_trial_effect, .note_ctx = out, .about_job = a->job };
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

static int plan_trial_job(struct fs_advices *a, struct fsi_trial *out)
{
	struct fs_plan_row r;
	bool has_row;
	const int rc = plan_snapshot_copy(a, &r, &has_row, &out->late_start);

	if (rc || !has_row)
		return rc;
	out->start = fsi_advise_clamp_start(a, r.start_time);
	out->late_start = fsi_advise_clamp_start(a, out->late_start);
	out->state = r.state;
	out->blocked_by = r.blocked_by;
	return compute_job_cost(a, &a->m->job.v[fsi_job_find_row(a->m, a->job)], r.partition, &out->cost);
}

int fsi_advise_try_command(struct fs_advices *a, const struct fsi_command *command, struct fsi_trial *out)
{
	int rc;

	*out = (struct fsi_trial){
		.start = FS_UNKNOWN, .late_start = FS_UNKNOWN, .cost = (double)NAN, .state = FS_PLAN_NEVER
	};
	rc = fsi_advise_apply_command(a, command, out);
	out->refused = rc > 0;
	if (rc)
		return rc > 0 ? 0 : rc;
	a->tried++;
	return plan_trial_job(a, out);
}

static bool is_earlier_start(int64_t start, int64_t than)
{
	return start != FS_UNKNOWN && (than == FS_UNKNOWN || start + FSI_ADVICE_MIN_S <= than);
}

bool fsi_advise_is_gain(const struct fs_advices *a, int64_t start)
{
	return is_earlier_start(start, a->unchanged.start) && is_earlier_start(start, a->recomputed.start) &&
	       is_earlier_start(start, a->likely);
}

int fsi_advise_propose_command(struct fs_advices *a, enum fs_who who, const struct fsi_command *command, int64_t *start)
{
	struct fsi_trial t;
	struct fs_advice row = { .who = who };
	const int rc = fsi_advise_try_command(a, command, &t);

	if (start)
		*start = !rc && fsi_advise_is_gain(a, t.late_start) ? t.late_start : FS_UNKNOWN;
	if (rc || !fsi_advise_is_gain(a, t.late_start))
		return rc;
	row.command = fsi_arena_strndup(&a->arena, command->text, command->len);
	row.effects = fsi_arena_strndup(&a->arena, t.effects, strlen(t.effects));
	if (!row.command || !row.effects || FSI_VEC_RESERVE(&a->row))
		return fsi_fail_no_memory(a->err);
	row.start_before = a->unchanged.start;
	row.start_after = t.start;
	row.start_late = t.late_start < t.start + FSI_ADVICE_MIN_S ? FS_UNKNOWN : t.late_start;
	row.start_likely = a->likely;
	row.cost_before = a->unchanged.cost;
	row.cost_after = t.cost;
	a->row.v[a->row.n++] = row;
	return 0;
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

	*start = t.late_start;
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
	*start = t.late_start;
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

/* Returns `amount` - `slack` if this difference is at least `min` and the job would start at once; otherwise returns
 * `amount`. At once means that `start` is at most FSI_ADVICE_MIN_S seconds after the time of the snapshot. The slack is
 * needed because the next cycle runs later than the plan assumes, but the planned starts of the other jobs stay the
 * same. Without slack, the job's time limit might end exactly at the planned start of another job. If the next cycle
 * then runs later, the job no longer fits.
 *
 * Always returns `amount` if the scheduler's plan is made record by record (fsi_plan_scheduler.runs_by_record). No
 * slack is needed in this case, because the trials include a delay of the next cycle (fsi_replan_get_late_start). */
static int64_t subtract_start_slack(const struct fs_advices *a, int64_t amount, int64_t start, int64_t min,
				    int64_t slack)
{
	if (a->m->scheduler->plan->runs_by_record)
		return amount;
	return start <= a->m->info.time + FSI_ADVICE_MIN_S && amount - slack >= min ? amount - slack : amount;
}

static int propose_best_amounts(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max,
				int64_t slack)
{
	int64_t first, amount, start;
	int rc = find_least_amount(a, write, &min, max, &first);

	if (rc || !fsi_advise_is_gain(a, first))
		return rc;
	rc = find_greatest_amount(a, write, min, max, FS_UNKNOWN, &amount);
	if (!rc)
		rc = try_amount_start(a, write, amount, &start);
	if (!rc)
		rc = propose_one_amount(a, who, write, subtract_start_slack(a, amount, start, min, slack));
	if (rc || first + FSI_ADVICE_MIN_S > start)
		return rc;
	rc = find_greatest_amount(a, write, min, amount, first, &amount);
	return rc ? rc : propose_one_amount(a, who, write, subtract_start_slack(a, amount, first, min, slack));
}

int fsi_advise_propose_greatest(struct fs_advices *a, enum fs_who who, fsi_amount_fn write, int64_t min, int64_t max,
				int64_t slack)
{
	if (min < 1)
		min = 1;
	return min >= max ? 0 : propose_best_amounts(a, who, write, min, max, slack);
}
