/* Jobs that the cycle started itself run in the snapshot, but did not yet when those before them were tried
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill goes down the queue and starts what can be): they are put
 * on their nodes where they stood in the queue. Where a job planned before them took what they have, the plan is not
 * the cycle's, and they are there from the beginning. */
#include "plan/run.h"

#include <stdlib.h>
#include <string.h>

bool fsi_plan_of_cycle(const struct fs_plan *p, const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING && j->partitions && FSI_HAS(j, JOB, start_time) &&
	       j->start_time > p->c.now - p->params.interval_s &&
	       !strncmp(fsi_str(p->c.m, j->looked_at_by), "Backfill", strlen("Backfill"));
}

/* A record with what the keys of the queue need. */
static struct fsi_queue_record record_of(const struct fs_plan *p, uint32_t row)
{
	const fs_snapshot *m = p->c.m;
	const struct fsi_job *j = &m->job.v[row];
	const bool task = FSI_HAS(j, JOB, array_task_id);
	size_t n;
	const uint32_t name = *fsi_list(m, j->partitions, &n);
	const struct fsi_partition *part = fsi_partition_find(m, name);
	struct fsi_queue_record r = {
		.priority = FSI_HAS(j, JOB, priority) ? j->priority : 0,
		.id = task && j->array_job_id ? j->array_job_id : j->id,
		.submit = FSI_HAS(j, JOB, submit_time) ? j->submit_time : INT64_MAX,
		.job = row,
		.task = task ? j->array_task_id : UINT32_MAX,
		.partition_name = name,
		.partition = fsi_partition_row(m, part),
		.preemptor = FSI_NO_INDEX,
	};

	if (p->queue->scheduler->fill)
		p->queue->scheduler->fill(p->queue, &r);
	return r;
}

static int before(const void *x, const void *y, const void *ctx)
{
	const struct fs_plan *p = ctx;
	const struct fsi_plan_started *a = x, *b = y;
	int c;

	fsi_queue_first_key(p->queue, &a->record, &b->record, &c);
	return c;
}

int fsi_plan_started_init(struct fs_plan *p)
{
	struct fsi_plan_cluster *c = &p->c;
	size_t kept = 0;

	p->started = fsi_arena_array(&c->arena, c->end.n + 1, sizeof(*p->started));
	if (!p->started)
		return -1;
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end e = c->end.v[i];
		struct fsi_plan_started *s = &p->started[p->nstarted];

		c->end.v[kept++] = e;
		if (!fsi_plan_of_cycle(p, &c->m->job.v[e.job]))
			continue;
		*s = (struct fsi_plan_started){ record_of(p, e.job), e,
						fsi_arena_array(&c->arena, (size_t)e.n + 1, sizeof(*s->hold)) };
		if (!s->hold)
			return -1;
		for (uint32_t k = 0; k < e.n; k++)
			fsi_plan_drop_hold(&c->node[e.node[k]], e.job, c->nres, &s->hold[k]);
		p->nstarted++;
		kept--;
	}
	c->end.n = kept;
	return fs_sort(p->started, p->nstarted, sizeof(*p->started), before, p);
}

static bool has_room(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n, const struct fsi_plan_alloc *h)
{
	const bool shares = h->share || c->gang;

	for (uint32_t r = 0; r < c->nres; r++)
		if ((r != FSI_RES_CPU || !shares) && h->amount[r] > 0 && h->amount[r] > n->free[r])
			return false;
	return true;
}

/* What the job has on its first node, as a request: what it asked for is no longer told. */
static struct fsi_plan_request had(const struct fs_plan *p, const struct fsi_plan_started *s)
{
	struct fsi_plan_request q = { .job = s->end.job, .partition = s->record.partition, .step = 1, .min = 1,
				      .cpus_per_node = INT64_MAX };

	for (uint32_t r = FSI_RES_MEM; r < p->c.nres && s->end.n; r++) {
		const bool gpu = r >= FSI_RES_GRES && p->c.res_name[r] == p->c.requests.gpu;

		if (gpu || r == FSI_RES_MEM)
			q.per_node[r] = s->hold[0].amount[r];
		if (gpu && q.per_node[r] < UINT32_MAX)
			q.gpus = (uint32_t)q.per_node[r];
	}
	return q;
}

static void weigh_anew(struct fs_plan *p, const struct fsi_plan_started *s)
{
	const struct fsi_plan_moment now = { p->c.now, UINT64_MAX };
	const struct fsi_plan_request q = had(p, s);
	const struct fsi_plan_part *part;

	if (!p->found.choice.keeps_weights || q.partition == FSI_NO_INDEX)
		return;
	part = &p->c.part[q.partition];
	p->found.choice.n = 0;
	fsi_plan_weigh_anew(&p->found.choice, part, &q);
	for (uint32_t k = 0; q.gpus && k < part->n; k++)
		fsi_plan_weigh_unused(&p->found.choice, &p->c, &q, part->node[k], now);
}

static int start(struct fs_plan *p, const struct fsi_plan_started *s)
{
	weigh_anew(p, s);
	for (uint32_t k = 0; k < s->end.n; k++) {
		struct fsi_plan_node *n = &p->c.node[s->end.node[k]];

		if (s->hold[k].job != s->end.job)
			continue;
		p->clash = p->clash || !has_room(&p->c, n, &s->hold[k]);
		if (fsi_plan_start_on(p, s->end.node[k], &s->hold[k]))
			return -1;
	}
	p->memo.round++;
	fsi_plan_count_start(p);
	if (fsi_plan_add_end(&p->c, &s->end))
		return -1;
	p->users_own = fsi_plan_users_own(p);
	return 0;
}

int fsi_plan_start_before(struct fs_plan *p, const struct fsi_queue_record *r)
{
	for (; p->next_started < p->nstarted; p->next_started++) {
		const struct fsi_plan_started *s = &p->started[p->next_started];
		int c = -1;

		if (r)
			fsi_queue_first_key(p->queue, &s->record, r, &c);
		if (c > 0)
			return 0;
		if (start(p, s))
			return -1;
	}
	return 0;
}
