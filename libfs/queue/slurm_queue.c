/* Slurm's queue order (src/slurmctld/job_scheduler.c: build_job_queue, sort_job_queue2).
 *
 * Eligible are pending jobs that are not held, whose begin time has come, whose dependencies are met, whose
 * reservation is active and whose partition takes them (_job_runnable_test1/2, job_independent,
 * job_limits_check). The first key that differs decides: may preempt the other, has a reservation,
 * PriorityTier, priority, submit time, job id, task id. */
#include "priority/priority.h"
#include "queue/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_preemption(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return fsi_preempts(q, b, a) - fsi_preempts(q, a, b);
}

static int by_reservation(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const struct fsi_queue_het *x = fsi_queue_het(q, a, b), *y = fsi_queue_het(q, b, a);

	return COMPARE(y ? y->reserved : b->reserved, x ? x->reserved : a->reserved);
}

static int by_tier(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const struct fsi_queue_het *x = fsi_queue_het(q, a, b), *y = fsi_queue_het(q, b, a);

	return COMPARE(y ? y->tier : b->tier, x ? x->tier : a->tier);
}

static int by_priority(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const struct fsi_queue_het *x = fsi_queue_het(q, a, b), *y = fsi_queue_het(q, b, a);
	const struct fsi_queue_record first = { .priority = x ? x->priority : a->priority },
				      second = { .priority = y ? y->priority : b->priority };

	return fsi_key_priority(q, &first, &second);
}

static const struct fsi_queue_key slurm_keys[] = {
	{ FS_QUEUE_KEY_PREEMPTION, by_preemption }, { FS_QUEUE_KEY_RESERVATION, by_reservation },
	{ FS_QUEUE_KEY_TIER, by_tier },	      { FS_QUEUE_KEY_PRIORITY, by_priority },
	{ FS_QUEUE_KEY_SUBMIT, fsi_key_submit },    { FS_QUEUE_KEY_JOBID, fsi_key_id },
	{ FS_QUEUE_KEY_TASK, fsi_key_task },	      { FS_QUEUE_KEY_LISTED, fsi_key_listed },
};

/* May jobs start in the reservation now? One that is not in the snapshot is taken to admit them. */
static bool reservation_usable(const struct fs_queue *q, uint32_t name)
{
	const struct fsi_reservation *r = fsi_reservation_find(q->m, name);

	return !r || (fsi_reservation_opens(q->m, r) <= q->now && fsi_reservation_closes(q->m, r) > q->now);
}

/* Is it a reason for the whole job which nothing else in its record tells? */
static bool set_aside(const struct fs_reason *r)
{
	static const char *const names[] = { "Dependency", "DependencyNeverSatisfied", "Cleaning",
					     "Prolog", "DeadLine", "InvalidAccount", "InvalidQOS",
					     "ReservationDeleted", "ReservationInvalid" };

	for (size_t i = 0; r && !r->eligible && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(r->name, names[i]))
			return true;
	return false;
}

/* Is the job tried? What bars it in a partition or with a QOS is found later (libfs/queue/verdict/verdict.c). */
static bool is_tried(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const struct fsi_job *j = &q->m->job.v[r->job];
	const struct fs_reason *reason = fsi_queue_reason(r);

	if (j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT)
		return false;
	if (set_aside(reason))
		return false;
	if (!FSI_HAS(j, JOB, priority) && reason && reason->section == FS_SECTION_HELD)
		return false;
	if (FSI_HAS(j, JOB, priority) && !j->priority)
		return false;
	if (!fsi_slurm_job_begins(q->m, j, q->now))
		return false;
	return !j->dependency && (!j->reservation || reservation_usable(q, j->reservation));
}

/* ---- priorities of records: a job with one partition and QOS has its own, others have what sprio printed, else what
 * is computed */

static bool needs_priorities(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];

		if (r->tried && (q->computed || isnan(r->priority) || (r->listed && !r->printed)))
			return true;
	}
	return false;
}

/* Records of a job in one partition sort by the job's own priority, whatever their QOS (sort_job_queue2 asks for
 * part_ptr_list): it is that with the QOS it was last tried with. */
static bool has_its_own(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	size_t parts;

	fsi_list(q->m, q->m->job.v[r->job].partitions, &parts);
	return parts < 2;
}

static uint64_t job_printed(const fs_snapshot *m, uint32_t row)
{
	return m->recorded.v[row].job;
}

static int by_job(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int c = COMPARE(job_printed(ctx, a), job_printed(ctx, b));

	return c ? c : COMPARE(a, b);
}

/* By job: the row of m->recorded that is its priority in a partition. NULL without memory. */
static uint32_t *rows_printed(const fs_snapshot *m, size_t *n)
{
	uint32_t *rows = malloc((m->recorded.n + 1) * sizeof(*rows));

	*n = 0;
	for (uint32_t i = 0; rows && i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];

		if (FSI_HAS(r, RECORDED, job) && r->partition && FSI_HAS(r, RECORDED, priority))
			rows[(*n)++] = i;
	}
	if (rows && fs_sort(rows, *n, sizeof(*rows), by_job, m)) {
		free(rows);
		return NULL;
	}
	return rows;
}

static void take_printed(const fs_snapshot *m, const uint32_t *rows, size_t n, struct fsi_queue_record *r)
{
	const uint64_t job = m->job.v[r->job].id;
	size_t lo = 0, hi = n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (job_printed(m, rows[mid]) < job)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < n && job_printed(m, rows[lo]) == job; lo++) {
		const struct fsi_recorded *p = &m->recorded.v[rows[lo]];

		if (p->partition == r->partition_name && (!p->qos || p->qos == r->qos)) {
			r->priority = p->priority;
			r->printed = true;
			return;
		}
	}
}

/* The scheduler sorts by the priorities that it last computed, one for each partition, which are those sprio prints
 * (src/slurmctld/job_scheduler.c: build_job_queue, priority_array). Not if all are computed, nor where somebody set
 * one.
 * -1 without memory. */
static int take_all_printed(struct fs_queue *q)
{
	uint32_t *rows;
	size_t n;

	if (q->computed || !q->m->recorded.n)
		return 0;
	rows = rows_printed(q->m, &n);
	for (size_t i = 0; rows && i < q->record.n; i++)
		if (!q->record.v[i].direct &&
		    (!has_its_own(q, &q->record.v[i]) || isnan(q->record.v[i].priority)))
			take_printed(q->m, rows, n, &q->record.v[i]);
	free(rows);
	return rows ? 0 : -1;
}

/* Returns true if the priority of any row could be computed. */
static bool any_known(const fs_prios *p)
{
	struct fs_prio_row row;

	for (size_t i = 0; i < p->row.n; i++) {
		fs_prios_brief(p, i, &row);
		if (!isnan(row.priority))
			return true;
	}
	return false;
}

/* Returns true if the record has the priority that counts: one that was recorded, or that somebody set. */
static bool has_priority(const struct fs_queue *q, const struct fsi_queue_record *r, bool computed)
{
	if (computed)
		return r->direct && !isnan(r->priority);
	return r->printed || (has_its_own(q, r) && !isnan(r->priority));
}

/* Records and rows of the priorities both go by job; the rows of one job may be in another order. If priorities are
 * computed, a recorded one counts for no job that is tried, unless none can be computed. */
static void take_priorities(struct fs_queue *q, const fs_prios *p)
{
	const bool computed = q->computed && any_known(p);
	size_t first = 0;
	struct fs_prio_row row;

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		const double before = computed && r->tried ? (double)NAN : r->priority;

		while (first < p->row.n && p->row.v[first].job < r->job)
			first++;
		if (has_priority(q, r, computed))
			continue;
		r->priority = before;
		for (size_t k = first; k < p->row.n && p->row.v[k].job == r->job; k++)
			if (p->row.v[k].partition_name == r->partition_name &&
			    p->row.v[k].qos == r->qos) {
				fs_prios_brief(p, k, &row);
				r->priority = isnan(row.priority) ? before : row.priority;
				break;
			}
	}
}

/* Without multifactor priorities the jobs' own numbers are all there is. */
static int record_priorities(struct fs_queue *q, const struct fs_queue_options *qo, struct fs_error *err)
{
	const struct fs_prios_options o = { .view = { .algorithm = qo ? qo->view.algorithm : NULL,
						      .position = qo ? qo->view.position : FS_POSITION_POW2,
						      .compat = qo ? qo->view.compat : 0,
						      .usage = q->usage } };
	struct fs_error why;
	fs_prios *p = NULL;
	int rc;

	if (!needs_priorities(q))
		return 0;
	if (q->prios) {
		take_priorities(q, q->prios);
		return 0;
	}
	rc = fs_prios_compute(&p, q->m, &o, &why);
	if (!rc)
		take_priorities(q, p);
	fs_prios_free(p);
	if (rc && rc != FS_ENODATA && err)
		*err = why;
	return rc == FS_ENODATA ? 0 : rc;
}

static bool later(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return a->tier != b->tier ? a->tier < b->tier : a->priority < b->priority;
}

/* With INCR_ONLY a job keeps the highest priority that it had in each partition, whatever is computed now, and all of
 * them were highest at the same time. Its own is that of the partition it was last tried in, the last of the queue
 * (src/plugins/priority/multifactor/priority_multifactor.c: _get_priority_internal;
 * src/plugins/sched/backfill/backfill.c: _attempt_backfill). */
static void keep_highest(struct fs_queue *q)
{
	for (size_t first = 0, end; first < q->record.n; first = end) {
		const struct fsi_queue_record *last = &q->record.v[first];
		const struct fsi_job *j = &q->m->job.v[last->job];
		double risen;

		for (end = first + 1; end < q->record.n && q->record.v[end].job == last->job; end++)
			last = later(&q->record.v[end], last) ? &q->record.v[end] : last;
		risen = FSI_HAS(j, JOB, priority) && !last->direct ? (double)j->priority - last->priority : 0;
		for (size_t i = first; risen > 0 && i < end; i++)
			q->record.v[i].priority += risen;
	}
}

static void slurm_fill(const struct fs_queue *q, struct fsi_queue_record *r)
{
	r->tier = r->partition == FSI_NO_INDEX ? 0 : q->m->partition.v[r->partition].tier;
	r->reserved = q->m->job.v[r->job].reservation != 0;
	r->tried = r->eligible = is_tried(q, r);
}

static int slurm_prepare(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	int rc = take_all_printed(q) ? fsi_nomem(err) : record_priorities(q, o, err);

	if (!rc && !q->computed && fsi_config_lists(q->m, "PriorityFlags", "INCR_ONLY"))
		keep_highest(q);
	if (!rc && (fsi_queue_hets(q) || fsi_preemption(q)))
		rc = fsi_nomem(err);
	return rc;
}

const struct fsi_queue_scheduler fsi_slurm_queue = {
	.keys = slurm_keys,
	.nkeys = sizeof(slurm_keys) / sizeof(*slurm_keys),
	.fill = slurm_fill,
	.keeps = true,
	.bar = fsi_slurm_bars,
	.verdict = fsi_slurm_verdict,
	.lacks_nodes = fsi_verdict_lacks_nodes,
	.prepare = slurm_prepare,
};
