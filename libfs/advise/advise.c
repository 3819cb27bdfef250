/* fs_advise: plans the job without a change, tries every change, and sorts the changes with a gain. */
#include "advise/advise.h"
#include "base/error.h"
#include "model/find.h"
#include "model/scheduler.h"

#include "fs/scenario.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *fs_who_name(enum fs_who who)
{
	static const char *const names[] = { FS_WHOS(FSI_NAME) };

	return names[who];
}

const char *fs_advice_value_name(enum fs_advice_value value)
{
	static const char *const names[] = { FS_ADVICE_VALUES(FSI_NAME) };

	return names[value];
}

const char *fs_advice_price_name(enum fs_advice_price price)
{
	static const char *const names[] = { FS_ADVICE_PRICES(FSI_NAME) };

	return names[price];
}

static int check_advice_possible(const fs_snapshot *s, uint32_t job_row, struct fs_error *err)
{
	if (!s->scheduler->commands)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: cannot compute advice: commands of scheduler \"%s\" are not modelled",
					  s->file, s->info.scheduler);
	if (s->job.v[job_row].state != FSI_STATE_PENDING)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot compute advice: job %" PRIu64 " is not pending", s->file,
					  s->job.v[job_row].id);
	if (!s->scheduler->plan || !s->node.n)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot plan starts: the snapshot has no nodes", s->file);
	return 0;
}

static int64_t get_reservation_begin(const struct fs_advices *a)
{
	const struct fsi_reservation *r = fsi_reservation_find(a->m, fsi_advise_saved_job(a)->reservation);

	return r && fsi_reservation_opening_time(a->m, r) > a->m->info.time ? r->start_time : FS_UNKNOWN;
}

/* Sets *may to true if the plan's likely start can be used. The likely start cannot be used if the job waits for nodes
 * that are down, or is blocked by a limit on a single job. The computation of likely starts ignores nodes that are down
 * and limits on single jobs. */
static int check_likely_applies(struct fs_advices *a, const fs_queue *q, bool *may)
{
	struct fs_verdict v;

	if (fs_queue_verdict(q, fsi_job_find_row(a->m, a->job), &v))
		return fsi_fail_no_memory(a->err);
	*may = v.kind != FS_VERDICT_NODES && !(v.limit && v.limit->per_job);
	fs_verdict_release(&v);
	return 0;
}

/* Sets a->likely for a job without a planned start. The value is the likely start that a plan computes. For example, a
 * limit may allow the job only at that time, or a later cycle may reach the job then. If the job's reservation begins
 * later than the likely start, a->likely is the begin time of the reservation. A change is a gain only if the change
 * makes the job start before a->likely. */
static int find_likely_start(struct fs_advices *a)
{
	const struct fs_queue_options o = { .view = a->view };
	const int64_t begins = get_reservation_begin(a);
	bool may = false;
	fs_queue *q;
	int rc = fs_queue_compute(&q, a->m, &o, a->err);

	if (rc)
		return rc;
	rc = check_likely_applies(a, q, &may);
	if (!rc && may)
		rc = fsi_advise_simulate_start(a, &a->likely);
	fs_queue_free(q);
	if (begins != FS_UNKNOWN && (a->likely == FS_UNKNOWN || a->likely < begins))
		a->likely = begins;
	a->likely = fsi_advise_clamp_start(a, a->likely);
	return rc;
}

/* Makes two plans: one after an update of the job that changes nothing, and one without any command. The controller
 * computes the priority again after any update. Even an update that changes nothing may therefore change the start. The
 * plan after the update is made first, because later plans resume from the first plan. */
static int plan_present_state(struct fs_advices *a)
{
	struct fsi_command c;
	int rc;

	fsi_command_begin_update(&c, a->m, a->job);
	fsi_command_add_change(&c, a->m, FSI_CHANGE_NOTHING, "-");
	rc = c.len ? fsi_advise_try_command(a, &c, &a->recomputed) : 0;
	if (!rc)
		rc = fsi_advise_try_command(a, NULL, &a->unchanged);
	if (!c.len)
		a->recomputed = a->unchanged;
	return rc;
}

/* ---- the state one minute later */

static bool has_reached_limit(const fs_snapshot *m, const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, start_time) && FSI_HAS(j, JOB, time_limit_s) &&
	       !FSI_SPECIAL(j, JOB, time_limit_s) && j->start_time + j->time_limit_s <= m->info.time;
}

/* Adapts the copy to its later time: ends the running jobs that have reached their time limits, and removes the
 * scheduler's estimates for pending jobs, because the next scheduling cycle replaces them. */
static int pass_time(fs_snapshot *m, struct fs_error *err)
{
	const uint32_t edits = m->edits;
	int rc = 0;

	/* from the last job to the first, because a cancelled job is removed from the table */
	for (size_t i = m->job.n; i-- > 0 && rc != FS_ENOMEM;) {
		struct fsi_job *j = &m->job.v[i];
		struct fsi_command c = { 0 };

		if (j->state == FSI_STATE_PENDING) {
			FSI_UNSET(j, JOB, start_time);
			FSI_UNSET(j, JOB, end_time);
			FSI_UNSET(j, JOB, sched_nodes);
		} else if (has_reached_limit(m, j)) {
			fsi_command_set_text(&c, "%s %" PRIu64, m->scheduler->commands->cancel, j->id);
			rc = fs_snapshot_edit(m, c.text, NULL, err);
		}
	}
	m->edits = edits;
	return rc == FS_ENOMEM ? rc : 0;
}

/* Allocates the state of the snapshot's copy. `later_s`: seconds by which the copy is later than the snapshot. */
static int open_advice_state(struct fs_advices **out, const fs_snapshot *s, uint32_t job_row,
			     const struct fs_view *view, int64_t later_s, struct fs_error *err)
{
	struct fs_advices *a = calloc(1, sizeof(*a));
	int rc;

	if (!a)
		return fsi_fail_no_memory(err);
	a->err = err;
	a->likely = a->begins = FS_UNKNOWN;
	a->other_change.value = FS_ADVICE_VALUE_COUNT;
	a->view = view ? *view : (struct fs_view){ 0 };
	a->view.computed = fs_view_differs(&a->view);
	a->view.usage = NULL;
	a->job = s->job.v[job_row].id;
	rc = fs_snapshot_copy(&a->m, s, err);
	if (!rc) {
		a->m->info.time += later_s;
		rc = later_s ? pass_time(a->m, err) : 0;
	}
	if (!rc)
		rc = fsi_advise_save_tables(a);
	if (!rc)
		rc = fsi_advise_find_median_memory(a);
	if (rc)
		fs_advices_free(a);
	else
		*out = a;
	return rc;
}

/* Plans the job without a change. If the job waits for its begin time, makes a second plan, as if that time had
 * come. */
static int plan_without_change(struct fs_advices *a)
{
	struct fsi_command c;
	int rc = plan_present_state(a);

	fsi_command_begin_update(&c, a->m, a->job);
	fsi_command_add_change(&c, a->m, FSI_CHANGE_BEGIN, "now");
	if (!rc && a->unchanged.state == FS_PLAN_BEGINS && c.len)
		rc = fsi_advise_pass_begin_time(a, &c);
	if (!rc && a->begins != FS_UNKNOWN)
		rc = plan_present_state(a);
	return rc || a->unchanged.start != FS_UNKNOWN || !a->later ? rc : find_likely_start(a);
}

static double get_sortable_cost(double cost)
{
	return isnan(cost) ? (double)INFINITY : cost;
}

static int compare_by_gain(const void *x, const void *y, const void *ctx)
{
	const struct fs_advice *a = x, *b = y;

	(void)ctx;
	if (a->who != b->who)
		return a->who < b->who ? -1 : 1;
	if (a->price != b->price)
		return a->price < b->price ? -1 : 1;
	if (a->start_after != b->start_after)
		return a->start_after < b->start_after ? -1 : 1;
	if (get_sortable_cost(a->cost_after) != get_sortable_cost(b->cost_after))
		return get_sortable_cost(a->cost_after) < get_sortable_cost(b->cost_after) ? -1 : 1;
	/* if two commands give the same start, role and cost, the command with the shorter text comes first, because a
	 * shorter command changes less */
	if (strlen(a->command) != strlen(b->command))
		return strlen(a->command) < strlen(b->command) ? -1 : 1;
	return strcmp(a->command, b->command);
}

/* Plans the job without a change, also one minute later. */
static int plan_both_states(struct fs_advices *a)
{
	int rc = plan_without_change(a);

	if (!rc && a->unchanged.state != FS_PLAN_NOW)
		rc = plan_without_change(a->later);
	return rc;
}

static int try_all_changes(struct fs_advices *a)
{
	int rc = plan_both_states(a);

	if (!rc && a->begins != FS_UNKNOWN)
		rc = fsi_advise_try_begin(a);
	if (rc || a->unchanged.state == FS_PLAN_NOW)
		return rc;
	rc = fsi_advise_try_sizes(a);
	if (!rc)
		rc = fsi_advise_try_others(a);
	if (!rc)
		rc = fsi_advise_try_shares(a);
	/* last, because there may be thousands of partitions or QOS */
	return rc ? rc : fsi_advise_try_credentials(a);
}

int fs_advise(fs_advices **out, const fs_snapshot *s, uint32_t job_row, const struct fs_view *view,
	      struct fs_error *err)
{
	struct fs_advices *a;
	int rc = check_advice_possible(s, job_row, err);

	if (!rc)
		rc = open_advice_state(&a, s, job_row, view, 0, err);
	if (rc)
		return rc;
	rc = open_advice_state(&a->later, s, job_row, view, FSI_ADVICE_LATER_S, err);
	if (!rc)
		rc = try_all_changes(a);
	if (!rc && fs_sort(a->row.v, a->row.n, sizeof(*a->row.v), compare_by_gain, NULL))
		rc = fsi_fail_no_memory(err);
	if (rc) {
		fs_advices_free(a);
		return rc;
	}
	*out = a;
	return 0;
}

void fs_advices_free(fs_advices *a)
{
	if (!a)
		return;
	fs_advices_free(a->later);
	fsi_replan_free(a->replan);
	fs_snapshot_free(a->m);
	FSI_VEC_FREE(&a->row);
	fsi_arena_release(&a->arena);
	free(a);
}

size_t fs_advices_count(const fs_advices *a)
{
	return a->row.n;
}

const struct fs_advice *fs_advices_row(const fs_advices *a, size_t i)
{
	return i < a->row.n ? &a->row.v[i] : NULL;
}

int64_t fs_advices_start(const fs_advices *a)
{
	return a->unchanged.start;
}

int64_t fs_advices_begins(const fs_advices *a)
{
	return a->begins;
}

size_t fs_advices_tried(const fs_advices *a)
{
	return a->tried;
}

bool fs_advices_is_partial(const fs_advices *a)
{
	return a->partial;
}
