/* Slurm's queue order (src/slurmctld/job_scheduler.c: build_job_queue, sort_job_queue2).
 *
 * In line are pending jobs that are not held, whose begin time has come, whose dependencies are met, whose
 * reservation is active and whose partition takes them (_job_runnable_test1/2, job_independent,
 * job_limits_check). The first key that differs decides: may preempt the other, has a reservation,
 * PriorityTier, priority, submit time, job id, task id.
 *
 * Preemption there compares pairs, which need not make an order; here a QOS or partition has a rank, the
 * longest chain of those it may preempt, so that whoever may preempt another always stands ahead of it. */
#include "base/hostlist.h"
#include "priority/priority.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_preemption(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return COMPARE(b->preempts, a->preempts);
}

static int by_reservation(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return COMPARE(b->reserved, a->reserved);
}

static int by_tier(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return COMPARE(b->tier, a->tier);
}

static const struct fsi_queue_key slurm_keys[] = {
	{ FS_KEY_PREEMPTION, by_preemption }, { FS_KEY_RESERVATION, by_reservation },
	{ FS_KEY_TIER, by_tier },	      { FS_KEY_PRIORITY, fsi_key_priority },
	{ FS_KEY_SUBMIT, fsi_key_submit },    { FS_KEY_JOBID, fsi_key_id },
	{ FS_KEY_TASK, fsi_key_task },	      { FS_KEY_LISTED, fsi_key_listed },
};

/* Is the reservation one that jobs may start in now? One that is not in the snapshot is taken to be. */
static bool reservation_usable(const struct fs_queue *q, uint32_t name)
{
	const fs_snapshot *m = q->m;

	for (size_t i = 0; i < m->reservation.n; i++) {
		const struct fsi_reservation *r = &m->reservation.v[i];

		if (r->name == name)
			return (!FSI_HAS(r, RESERVATION, start_time) || r->start_time <= q->now) &&
			       (!FSI_HAS(r, RESERVATION, end_time) || r->end_time > q->now);
	}
	return true;
}

static bool in_line(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const struct fsi_job *j = &q->m->job.v[r->job];

	if (j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT)
		return false;
	if (r->reason && !r->reason->in_line)
		return false;
	if (FSI_HAS(j, JOB, priority) && !j->priority)
		return false;
	if (!FSI_HAS(j, JOB, eligible_time) || j->eligible_time > q->now)
		return false;
	return !j->dependency && (!j->reservation || reservation_usable(q, j->reservation));
}

/* ---- priorities of records: a job with one partition and QOS has its own, others are computed */

static bool needs_priorities(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];

		if (r->in_line && (q->usage || isnan(r->priority) || r->listed))
			return true;
	}
	return false;
}

static bool alone(const struct fs_queue *q, size_t i)
{
	const struct fsi_queue_record *r = &q->record.v[i];

	return !r->listed && (i + 1 == q->record.n || q->record.v[i + 1].job != r->job);
}

/* Records and rows of the priorities both go by job; the rows of a job differ in their order. */
static void take_priorities(struct fs_queue *q, fs_prios *p)
{
	size_t first = 0;
	struct fs_prio_row row;

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];

		while (first < p->row.n && p->row.v[first].job < r->job)
			first++;
		if (!q->usage && alone(q, i) && !isnan(r->priority))
			continue;
		for (size_t k = first; k < p->row.n && p->row.v[k].job == r->job; k++)
			if (p->row.v[k].partition_name == r->partition_name &&
			    p->row.v[k].qos == r->qos) {
				fs_prios_brief(p, k, &row);
				r->priority = isnan(row.priority) ? r->priority : row.priority;
				break;
			}
	}
}

/* Without multifactor priorities the jobs' own numbers are all there is. */
static int record_priorities(struct fs_queue *q, const struct fs_queue_options *qo,
			     struct fs_error *err)
{
	const struct fs_prios_options o = { .algorithm = qo ? qo->algorithm : NULL,
					    .position = qo ? qo->position : FS_POSITION_POW2,
					    .usage = q->usage };
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

/* ---- who may preempt whom */

enum preemption { NO_PREEMPTION, BY_QOS, BY_TIER };

static enum preemption preemption_of(const fs_snapshot *m)
{
	const char *type = fs_snapshot_config_text(m, "PreemptType");

	if (type && strstr(type, "preempt/qos"))
		return BY_QOS;
	return type && strstr(type, "preempt/partition_prio") ? BY_TIER : NO_PREEMPTION;
}

struct relation {
	const fs_snapshot *m;
	uint32_t n;	/* of QOS or partitions */
	bool *preempts; /* n * n: may row preempt column? */
	uint32_t *rank;
};

/* rank = 1 + the greatest of those it may preempt; n rounds at most, so that a circle ends. */
static void rank_all(struct relation *r)
{
	bool changed = true;

	for (uint32_t round = 0; changed && round < r->n; round++) {
		changed = false;
		for (uint32_t a = 0; a < r->n; a++)
			for (uint32_t b = 0; b < r->n; b++)
				if (r->preempts[(size_t)a * r->n + b] && r->rank[a] <= r->rank[b]) {
					r->rank[a] = r->rank[b] + 1;
					changed = true;
				}
	}
}

static void relate_qos(struct relation *r)
{
	for (uint32_t a = 0; a < r->n; a++) {
		size_t n;
		const uint32_t *names = fsi_list(r->m, r->m->qos.v[a].preempt, &n);

		for (size_t i = 0; i < n; i++) {
			const struct fsi_qos *b = fsi_qos_find(r->m, names[i]);

			if (b && b != &r->m->qos.v[a])
				r->preempts[(size_t)a * r->n + (size_t)(b - r->m->qos.v)] = true;
		}
	}
}

struct node_marks {
	const fs_snapshot *m;
	uint32_t *last; /* by name: 1 + the partition that had it */
	uint32_t partition;
	bool *shares; /* by partition */
};

static int mark_node(void *ctx, const char *name, size_t len)
{
	struct node_marks *k = ctx;

	k->last[fsi_intern_find(&k->m->names, name, len)] = k->partition + 1;
	return 0;
}

static int test_node(void *ctx, const char *name, size_t len)
{
	struct node_marks *k = ctx;
	const uint32_t id = fsi_intern_find(&k->m->names, name, len);

	return id && k->last[id] == k->partition + 1;
}

enum { NODES_MOST = 1 << 20 };

/* A partition may preempt those of a lower tier that share a node with it. */
static int relate_partitions(struct relation *r)
{
	struct node_marks k = { .m = r->m,
				.last = calloc((size_t)r->m->names.count + 1, sizeof(uint32_t)) };

	if (!k.last)
		return -1;
	for (k.partition = 0; k.partition < r->n; k.partition++) {
		const struct fsi_partition *a = &r->m->partition.v[k.partition];

		fsi_hostlist_each(fsi_str(r->m, a->nodes), NODES_MOST, mark_node, &k);
		for (uint32_t b = 0; b < r->n; b++) {
			const struct fsi_partition *p = &r->m->partition.v[b];

			if (p->tier < a->tier && fsi_hostlist_each(fsi_str(r->m, p->nodes),
								   NODES_MOST, test_node, &k) == 1)
				r->preempts[(size_t)k.partition * r->n + b] = true;
		}
	}
	free(k.last);
	return 0;
}

static void take_ranks(struct fs_queue *q, const struct relation *r, enum preemption by)
{
	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *rec = &q->record.v[i];
		const struct fsi_qos *qos = fsi_qos_find(q->m, rec->qos);

		if (by == BY_QOS && qos)
			rec->preempts = r->rank[qos - q->m->qos.v];
		else if (by == BY_TIER && rec->partition != FSI_NO_INDEX)
			rec->preempts = r->rank[rec->partition];
	}
}

static int preemption_ranks(struct fs_queue *q)
{
	const enum preemption by = preemption_of(q->m);
	struct relation r = { .m = q->m };
	int rc = 0;

	if (by == NO_PREEMPTION)
		return 0;
	r.n = (uint32_t)(by == BY_QOS ? q->m->qos.n : q->m->partition.n);
	r.preempts = calloc((size_t)r.n * r.n + 1, sizeof(*r.preempts));
	r.rank = calloc((size_t)r.n + 1, sizeof(*r.rank));
	if (!r.preempts || !r.rank)
		rc = -1;
	else if (by == BY_QOS)
		relate_qos(&r);
	else
		rc = relate_partitions(&r);
	if (!rc) {
		rank_all(&r);
		take_ranks(q, &r, by);
	}
	free(r.preempts);
	free(r.rank);
	return rc;
}

static void slurm_settle(const struct fs_queue *q, struct fsi_queue_record *r)
{
	r->tier = r->partition == FSI_NO_INDEX ? 0 : q->m->partition.v[r->partition].tier;
	r->reserved = q->m->job.v[r->job].reservation != 0;
	r->in_line = in_line(q, r);
}

static int slurm_prepare(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	int rc = record_priorities(q, o, err);

	if (!rc && preemption_ranks(q))
		rc = fsi_nomem(err);
	return rc;
}

const struct fsi_queue_scheduler fsi_slurm_queue = { .scheduler = FS_SLURM,
	.keys = slurm_keys,
	.nkeys = sizeof(slurm_keys) / sizeof(*slurm_keys),
	.settle = slurm_settle,
	.prepare = slurm_prepare };
