/* Plans a job again after changes to the snapshot. Saves checkpoints of the first plan, and begins later plans at a
 * checkpoint. */
#include "backfill/replan.h"

#include "base/error.h"
#include "model/scheduler.h"

#include <stdlib.h>
#include <string.h>

struct replan_queue {
	fs_queue *queue;
	struct fsi_backfill_order order;
};

/* ---- comparison of queues
 *
 * Two records are equal if all members that fsi_backfill_run_record reads are equal. Two queues therefore give the same
 * plan up to the first record in which they differ. */

/* Returns the record at position i of the scheduling order. */
static const struct fsi_queue_record *get_ordered_record(const struct replan_queue *q, size_t i)
{
	return &q->queue->record.v[q->order.record[i]];
}

/* Returns true if all members that fsi_backfill_run_record reads are equal in both records. */
static bool is_same_record(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return a->job == b->job && !memcmp(&a->priority, &b->priority, sizeof(a->priority)) &&
	       a->partition == b->partition && a->partition_name == b->partition_name && a->qos == b->qos &&
	       a->preemption_row == b->preemption_row && a->tasks.n == b->tasks.n && a->section == b->section &&
	       a->blocker == b->blocker && a->tried == b->tried && a->eligible == b->eligible;
}

/* Returns the number of leading records that are the same in both queues. */
static size_t count_common_records(const struct replan_queue *a, const struct replan_queue *b)
{
	const size_t n = a->order.n < b->order.n ? a->order.n : b->order.n;
	size_t i = 0;

	while (i < n && is_same_record(get_ordered_record(a, i), get_ordered_record(b, i)) &&
	       a->order.limited_since[i] == b->order.limited_since[i] &&
	       a->order.magnetic_resv[i] == b->order.magnetic_resv[i])
		i++;
	return i;
}

/* Returns the number of records before the job's first record. If the job has no record, returns the number of all
 * records. */
static size_t count_records_before(const struct replan_queue *q, uint32_t job)
{
	size_t i = 0;

	while (i < q->order.n && get_ordered_record(q, i)->job != job)
		i++;
	return i;
}

/* Returns the number of records up to and including the job's last record. If the job has no record, returns the number
 * of all records. */
static size_t count_records_through(const struct replan_queue *q, uint32_t job)
{
	size_t n = q->order.n;

	while (n && get_ordered_record(q, n - 1)->job != job)
		n--;
	return n ? n : q->order.n;
}

/* Frees the queue and its scheduling order, and clears *q. */
static void free_replan_queue(struct replan_queue *q)
{
	fs_queue_free(q->queue);
	fsi_backfill_free_order(&q->order);
	q->queue = NULL;
}

/* ---- checkpoints
 *
 * The first plan saves checkpoints at intervals before the job's first record; these are the base checkpoints. A
 * checkpoint belongs to the queue with which it was saved. A checkpoint is valid for a trial if the trial's queue has
 * the same records before the checkpoint. A trial begins at the last valid checkpoint. */

/* BASE_CHECKPOINTS: number of base checkpoints that are saved at regular intervals before the job's first record;
 * TRIAL_CHECKPOINTS: maximum number of checkpoints that trials save directly before the job's first record. */
enum { BASE_CHECKPOINTS = 16, TRIAL_CHECKPOINTS = 4 };

/* A checkpoint, and its position in the scheduling order. */
struct replan_checkpoint {
	struct fsi_checkpoint state;
	size_t records_done; /* number of records before the checkpoint in the scheduling order */
	bool used;
};

/* The queue of a trial, and the checkpoint directly before the job's first record. */
struct replan_trial {
	struct replan_queue queue;
	struct replan_checkpoint checkpoint;
};

struct fsi_replan {
	/* the plan that was made last; plan->queue may be first_queue.queue or the queue of an element of `trial` */
	struct fs_plan *plan;
	/* backfill cycle of the plan; NULL: the scheduler does not plan record by record (is_planned_stepwise) */
	struct fsi_backfill *bf;
	struct fs_plan_options options;
	struct replan_queue first_queue;
	uint32_t job;
	int64_t first_start; /* if `bf` is NULL: start of the job in the first plan, INT64_MAX: none */
	uint64_t work_before; /* plan->work at the checkpoint at which the last plan began */
	/* true: the jobs that the cycle started occupy their nodes before the first record is tried, and
	 * base_checkpoint[1] is used. false: base_checkpoint[0] is used. */
	bool started_first;
	/* true: the checkpoints in base_checkpoint[1] have been saved */
	bool has_started_checkpoints;
	struct replan_checkpoint base_checkpoint[2][BASE_CHECKPOINTS + 2];
	/* the most recent trials; trials are stored only while `started_first` is false */
	struct replan_trial trial[TRIAL_CHECKPOINTS];
	size_t checkpoint_count[2], ntrial, checkpoint_bytes;
};

/* Returns true if the scheduler makes the plan record by record. Only such a plan can continue from a checkpoint. */
static bool is_planned_stepwise(const struct fsi_replan *k)
{
	return k->plan->scheduler->runs_by_record;
}

/* Returns the plan's row of the job k->job. */
static const struct fsi_plan_row *get_job_row(const struct fsi_replan *k)
{
	return &k->plan->row[k->plan->row_of_job[k->job] - 1];
}

/* ---- the queue of the plan */

/* Returns the current queue of the plan, with its scheduling order. */
static struct replan_queue get_current_queue(const struct fsi_replan *k)
{
	return (struct replan_queue){ k->plan->queue, k->bf ? k->bf->order : (struct fsi_backfill_order){ 0 } };
}

/* Returns the number of records up to and including the job's last record. For a component of a het job, returns the
 * number of all records, since it may wait for components whose records come later. */
static size_t find_job_end(const struct fsi_replan *k, const struct replan_queue *q)
{
	return fsi_backfill_het_get_id(k->plan->m, k->job) ? q->order.n : count_records_through(q, k->job);
}

/* ---- saving checkpoints of the cycle, and running the cycle from a checkpoint */

/* Saves the state of the cycle in *m, as a checkpoint before record `at`. Returns -1 if out of memory. */
static int save_checkpoint_at(struct fsi_replan *k, struct replan_checkpoint *m, size_t at)
{
	if (m->used)
		fsi_checkpoint_release(&m->state);
	m->used = false;
	if (fsi_checkpoint_save_cycle(&m->state, k->bf))
		return -1;
	m->records_done = at;
	m->used = true;
	return 0;
}

/* Calls fsi_backfill_run_record for the records at positions `from` to `to` - 1. Returns -1 if out of memory. */
static int run_steps_between(struct fsi_replan *k, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (fsi_backfill_run_record(k->bf, i))
			return -1;
	return 0;
}

/* Saves a base checkpoint before record `at`, unless FSI_REPLAN_MAX_BYTES would be exceeded. The first checkpoint and
 * the checkpoint directly before the job (`before_job` true) are always saved. Returns -1 if out of memory. */
static int add_base_checkpoint(struct fsi_replan *k, size_t at, bool before_job)
{
	const size_t bytes = fsi_checkpoint_estimate_bytes(k->bf);

	if (!before_job && at && k->checkpoint_bytes + bytes > FSI_REPLAN_MAX_BYTES)
		return 0;
	k->checkpoint_bytes += bytes;
	return save_checkpoint_at(k, &k->base_checkpoint[k->started_first][k->checkpoint_count[k->started_first]++],
				  at);
}

/* Returns true if all tasks of the job start now, because later records do not affect such a job. Returns false for a
 * component of a het job, because later records may affect a component that starts now. */
static bool are_tasks_started(const struct fsi_replan *k)
{
	const struct fsi_plan_row *row = get_job_row(k);

	return row->array.started_tasks && row->array.started_tasks >= row->array.tasks &&
	       !fsi_backfill_het_get_id(k->plan->m, k->job);
}

/* Returns 1 if no record of the job at or after position i can give the job an earlier start, 0 if this is not certain,
 * -1 if out of memory. */
static int is_start_final(const struct fsi_replan *k, size_t i)
{
	const struct replan_queue q = get_current_queue(k);
	const struct fsi_plan_row *row = get_job_row(k);
	int is_final =
		row->start != FS_UNKNOWN && row->array.tasks == 1 && !fsi_backfill_het_get_id(k->plan->m, k->job);

	for (; i < q.order.n && is_final == 1; i++)
		if (get_ordered_record(&q, i)->job == k->job)
			is_final = fsi_backfill_cannot_start_before(k->bf, i, row->start);
	return is_final;
}

/* Calls fsi_backfill_run_record for each record from the job's first record to its last record. Stops earlier if later
 * records do not affect the job (are_tasks_started), or cannot give the job an earlier start (is_start_final). Calls
 * is_start_final at growing intervals. `before_job`: position of the job's first record. Returns -1 if out of
 * memory. */
static int place_job_records(struct fsi_replan *k, size_t before_job)
{
	const struct replan_queue q = get_current_queue(k);
	const size_t end = find_job_end(k, &q), min_interval = 8;
	size_t next_check = before_job + 1;
	int is_final = 0;

	for (size_t i = before_job; i < end && !are_tasks_started(k) && !is_final; i++) {
		if (run_steps_between(k, i, i + 1))
			return -1;
		if (i + 1 < next_check || i + 1 == end)
			continue;
		is_final = is_start_final(k, i + 1);
		next_check = i + 1 + min_interval + (i - before_job) / min_interval;
	}
	return is_final < 0 ? -1 : 0;
}

/* ---- the first plan */

/* Simulates the scheduler up to the time k->first_start. Used if is_planned_stepwise returns false. Returns 0 or an
 * error code of fs_plan_compute. */
static int simulate_whole_plan(struct fsi_replan *k, struct fs_error *err)
{
	k->plan->focus_job = k->job + 1;
	k->plan->stop_time = k->first_start;
	return k->plan->scheduler->run(k->plan, err);
}

/* Makes the first simulation, and sets k->first_start to the job's start. Returns 0 or an error code of
 * fs_plan_compute. */
static int make_first_simulation(struct fsi_replan *k, struct fs_error *err)
{
	int rc;

	k->first_start = INT64_MAX;
	rc = simulate_whole_plan(k, err);
	if (!rc && k->plan->row_of_job[k->job] && get_job_row(k)->start != FS_UNKNOWN)
		k->first_start = get_job_row(k)->start;
	return rc;
}

/* Runs the first plan, and saves base checkpoints before the job's first record. Returns -1 if out of memory. */
static int run_first_plan(struct fsi_replan *k)
{
	const size_t before_job = count_records_before(&k->first_queue, k->job),
		     interval = before_job / BASE_CHECKPOINTS + 1;

	for (size_t i = 0; i < before_job; i++)
		if ((i % interval == 0 && add_base_checkpoint(k, i, false)) || run_steps_between(k, i, i + 1))
			return -1;
	if (add_base_checkpoint(k, before_job, true) || place_job_records(k, before_job))
		return -1;
	fsi_backfill_het_set_starts(k->bf);
	return 0;
}

/* Creates and sets up the cycle, and makes the first plan. Returns -1 if out of memory. */
static int make_first_plan(struct fsi_replan *k)
{
	bool ran;

	if (fsi_backfill_create_cycle(k->plan))
		return -1;
	k->bf = k->plan->backfill;
	if (fsi_backfill_set_up(k->bf) || fsi_backfill_make_order(k->bf))
		return -1;
	k->first_queue.order = k->bf->order;
	return fsi_backfill_decide_start_positions(k->bf, false, &ran) || run_first_plan(k) ? -1 : 0;
}

int fsi_replan_make_first(struct fsi_replan **out, const fs_snapshot *m, const struct fs_plan_options *options,
			  uint32_t job, struct fs_error *err)
{
	struct fsi_replan *k = calloc(1, sizeof(*k));
	int rc;

	if (!k)
		return fsi_fail_no_memory(err);
	k->options = *options;
	k->options.queue = NULL;
	k->job = job;
	rc = fsi_plan_create(&k->plan, m, &k->options, err);
	if (!rc && !is_planned_stepwise(k)) {
		rc = make_first_simulation(k, err);
	} else if (!rc) {
		k->plan->focus_job = job + 1;
		k->first_queue.queue = k->plan->queue;
		rc = make_first_plan(k) ? fsi_fail_no_memory(err) : 0;
	}
	if (!rc && !k->plan->row_of_job[job])
		rc = fsi_fail_with_code(err, FS_ENODATA, "%s: job %llu is not in the plan", m->file,
					(unsigned long long)m->job.v[job].id);
	if (rc) {
		fsi_replan_free(k);
		return rc;
	}
	*out = k;
	return 0;
}

/* ---- trials: plans after changes to the snapshot */

/* Returns the last checkpoint at or before position `before_job` that is valid for the queue q. A checkpoint is valid
 * if q has the same records before it as the queue with which it was saved. `before_job`: number of records of q before
 * the job's first record. */
static const struct replan_checkpoint *find_nearest_checkpoint(const struct fsi_replan *k, const struct replan_queue *q,
							       size_t before_job)
{
	const size_t same = count_common_records(&k->first_queue, q), c = same < before_job ? same : before_job;
	const struct replan_checkpoint *base = k->base_checkpoint[k->started_first], *best = base;

	for (size_t i = 0; i < k->checkpoint_count[k->started_first]; i++)
		if (base[i].used && base[i].records_done <= c && base[i].records_done > best->records_done)
			best = &base[i];
	for (size_t i = 0; i < TRIAL_CHECKPOINTS && !k->started_first; i++) {
		const struct replan_checkpoint *m = &k->trial[i].checkpoint;

		if (m->used && m->records_done > best->records_done && m->records_done <= before_job &&
		    m->records_done <= count_common_records(&k->trial[i].queue, q))
			best = m;
	}
	return best;
}

/* Returns true if *k stores the queue q: it is the queue of the first plan or of a recent trial. */
static bool is_queue_stored(const struct fsi_replan *k, const fs_queue *q)
{
	bool is_stored = q == k->first_queue.queue;

	for (size_t i = 0; i < TRIAL_CHECKPOINTS; i++)
		is_stored = is_stored || q == k->trial[i].queue.queue;
	return is_stored;
}

/* Makes q the queue of the plan. Frees the previous queue, unless it is stored (is_queue_stored). */
static void replace_plan_queue(struct fsi_replan *k, fs_queue *q)
{
	struct replan_queue old = get_current_queue(k);

	if (!is_queue_stored(k, old.queue))
		free_replan_queue(&old);
	k->plan->queue = q;
	if (k->bf)
		k->bf->order = (struct fsi_backfill_order){ 0 };
}

/* Stores the queue of this trial, with a checkpoint at position `at`, directly before the job's first record. Later
 * trials with the same queue begin at this checkpoint. Returns -1 if out of memory. */
static int store_trial_queue(struct fsi_replan *k, size_t at)
{
	struct replan_trial *t = &k->trial[k->ntrial++ % TRIAL_CHECKPOINTS];

	free_replan_queue(&t->queue);
	t->queue = get_current_queue(k);
	return save_checkpoint_at(k, &t->checkpoint, at);
}

/* Plans the job with the current queue, beginning at the nearest checkpoint. Returns -1 if out of memory. */
static int replan_from_checkpoint(struct fsi_replan *k)
{
	const struct replan_queue q = get_current_queue(k);
	const size_t before_job = count_records_before(&q, k->job), min_distance = 16;
	const struct replan_checkpoint *from = find_nearest_checkpoint(k, &q, before_job);
	const size_t at = from->records_done;

	if (fsi_backfill_het_grow(k->bf) || fsi_checkpoint_load_cycle(k->bf, &from->state))
		return -1;
	k->work_before = k->plan->work;
	if (fsi_plan_reset_row(k->plan, k->job) || run_steps_between(k, at, before_job) ||
	    (!k->started_first && before_job > at + min_distance && store_trial_queue(k, before_job)) ||
	    place_job_records(k, before_job))
		return -1;
	fsi_backfill_het_set_starts(k->bf);
	return 0;
}

/* Saves the checkpoints in base_checkpoint[1]. For these checkpoints, the first plan is repeated up to the job's first
 * record. In the repetition, all jobs that the cycle started occupy their nodes before the first record is tried.
 * Leaves the plan's queue unchanged. Returns -1 if out of memory. */
static int make_started_checkpoints(struct fsi_replan *k)
{
	const struct replan_queue current = get_current_queue(k);
	const size_t before_job = count_records_before(&k->first_queue, k->job),
		     interval = before_job / BASE_CHECKPOINTS + 1;
	int rc = 0;

	if (fsi_checkpoint_load_cycle(k->bf, &k->base_checkpoint[0][0].state) ||
	    fsi_backfill_put_starts_before(k->bf, NULL))
		return -1;
	k->has_started_checkpoints = true;
	k->plan->queue = k->first_queue.queue;
	k->bf->order = k->first_queue.order;
	for (size_t i = 0; i <= before_job && !rc; i++)
		if (((i == before_job || i % interval == 0) && add_base_checkpoint(k, i, i == before_job)) ||
		    (i < before_job && run_steps_between(k, i, i + 1)))
			rc = -1;
	k->plan->queue = current.queue;
	k->bf->order = current.order;
	return rc;
}

/* Plans the job k->job with the current queue. If the plan gives a record the resources that, in the snapshot, belong
 * to a job started by the cycle, plans k->job a second time. In the second plan, all jobs that the cycle started occupy
 * their nodes before the first record is tried. fsi_backfill_decide_start_positions does the same for a new plan.
 * Returns -1 if out of memory. */
static int replan_current_queue(struct fsi_replan *k)
{
	int rc;

	k->bf->cycle_starts.is_overlapped = false;
	if (replan_from_checkpoint(k) || fsi_backfill_put_starts_before(k->bf, NULL))
		return -1;
	if (!k->bf->cycle_starts.is_overlapped)
		return 0;
	k->started_first = true;
	rc = (!k->has_started_checkpoints && make_started_checkpoints(k)) || replan_from_checkpoint(k) ? -1 : 0;
	k->started_first = false;
	return rc;
}

/* Simulates the changed snapshot in a new plan, up to the time at which the job starts in the first plan. Returns 0 or
 * an error code of fs_plan_compute. */
static int rerun_whole_simulation(struct fsi_replan *k, struct fs_error *err)
{
	struct fs_plan *p;
	int rc = fsi_plan_create(&p, k->plan->m, &k->options, err);

	if (rc)
		return rc;
	fs_plan_free(k->plan);
	k->plan = p;
	return simulate_whole_plan(k, err);
}

int fsi_replan_make_next(struct fsi_replan *k, struct fs_error *err)
{
	const struct fs_queue_options o = { .view = k->options.view };
	fs_queue *q;
	int rc;

	if (!is_planned_stepwise(k))
		return rerun_whole_simulation(k, err);
	rc = fs_queue_compute(&q, k->plan->m, &o, err);
	if (rc)
		return rc;
	replace_plan_queue(k, q);
	return fsi_backfill_make_order(k->bf) || replan_current_queue(k) ? fsi_fail_no_memory(err) : 0;
}

const fs_plan *fsi_replan_get_plan(const struct fsi_replan *k)
{
	return k->plan;
}

size_t fsi_replan_get_row(const struct fsi_replan *k)
{
	return k->plan->row_of_job[k->job] - 1;
}

uint64_t fsi_replan_get_work(const struct fsi_replan *k)
{
	return k->plan->work - k->work_before;
}

bool fsi_replan_has_late_start(const struct fsi_replan *k)
{
	const struct fsi_plan_row *row = get_job_row(k);
	const int64_t minute_s = 60;

	return row->start != FS_UNKNOWN && row->start_if_longer && row->start_if_longer >= row->start + minute_s;
}

void fsi_replan_free(struct fsi_replan *k)
{
	if (!k)
		return;
	for (int b = 0; b < 2; b++)
		for (size_t i = 0; i < k->checkpoint_count[b]; i++)
			if (k->base_checkpoint[b][i].used)
				fsi_checkpoint_release(&k->base_checkpoint[b][i].state);
	if (k->plan) {
		replace_plan_queue(k, NULL);
		fs_plan_free(k->plan);
	}
	for (size_t i = 0; i < TRIAL_CHECKPOINTS; i++) {
		if (k->trial[i].checkpoint.used)
			fsi_checkpoint_release(&k->trial[i].checkpoint.state);
		free_replan_queue(&k->trial[i].queue);
	}
	free_replan_queue(&k->first_queue);
	free(k);
}
