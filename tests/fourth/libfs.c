/* A scheduler made up for a test: first come, first served, and all users have equal shares. */
#include "explain/explain.h"
#include "queue/queue.h"
#include "fs/priority.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "snapshot/snapshot.h"
#include "usage/billing.h"

#include <stdlib.h>

static int equal_shares(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];

		s->shares_norm = f->m->association.v[i].user ? 1.0 / f->users : 1;
		s->factor = s->printed_factor = f->m->association.v[i].user ? 1.0 / f->users : (double)NAN;
	}
	return 0;
}

static const struct fsi_algorithm equal = { .name = "equal", .summary = "equal shares", .compute = equal_shares };

static const struct fsi_algorithm *algorithm_of(const fs_snapshot *m)
{
	(void)m;
	return &equal;
}

static int compute(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o, struct fs_error *err)
{
	(void)shares;
	(void)o;
	p->nterms = p->nvalues = 1;
	p->weights = fsi_arena_array(&p->arena, 1, sizeof(*p->weights));
	if (!p->weights)
		return fsi_fail_no_memory(err);
	p->weights[0] = (struct fs_prio_term){ .factor = FS_FACTOR_AGE, .name = "age", .weight = 1 };
	for (uint32_t i = 0; i < p->m->job.n; i++) {
		if (p->m->job.v[i].state != FSI_STATE_PENDING)
			continue;
		if (fsi_prio_add_rows(p, i))
			return fsi_fail_no_memory(err);
		p->values[p->row.n - 1] = (double)(p->now - p->m->job.v[i].submit_time);
	}
	return 0;
}

static void fill_row(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	row->terms[0] = p->weights[0];
	row->terms[0].value = row->terms[0].points = p->values[i];
	row->sum = row->priority = p->values[i];
}

static const struct fsi_prio_scheduler prio = { .compute = compute, .row = fill_row };

static const struct fsi_queue_key keys[] = { { FS_QUEUE_KEY_PRIORITY, fsi_queue_compare_priority },
					     { FS_QUEUE_KEY_JOBID, fsi_queue_compare_id },
					     { FS_QUEUE_KEY_TASK, fsi_queue_compare_task } };

static int prepare(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	bool *has = calloc(q->m->job.n + 1, sizeof(*has));
	int rc;

	for (size_t i = 0; i < q->record.n; i++)
		q->record.v[i].priority = (double)NAN;
	rc = has ? fsi_queue_fill_priorities(q, o, has, err) : fsi_fail_no_memory(err);
	for (size_t i = 0; i < q->record.n; i++) {
		q->record.v[i].tried = q->record.v[i].eligible = true;
		q->record.v[i].section = FS_SECTION_ELIGIBLE;
	}
	free(has);
	return rc;
}

static const struct fsi_queue_scheduler queue = {
	.keys = keys, .nkeys = sizeof(keys) / sizeof(*keys), .prepare = prepare
};

static const struct fsi_explain_scheduler explain = { .may_lack_node_lists = false };

const struct fsi_scheduler fsi_fcfs = {
	.kind = FS_OTHER_SCHEDULER,
	.name = "fcfs",
	.check_references = fsi_check_references,
	.charged_to = fsi_job_find_assoc,
	.algorithm = algorithm_of,
	.charging = &fsi_charging_slurm,
	.prio = &prio,
	.queue = &queue,
	.has_single_order = true,
	.explain = &explain,
};
