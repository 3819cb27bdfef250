/* One record of the queue as a cycle comes to it: whether it does, what it then asks for, and a try of it
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill). */
#include "plan/record.h"

#include <string.h>

/* As fsi_plan_count. */
static int count(struct fs_plan *p, const struct fsi_queue_record *r)
{
	return fsi_plan_count(&p->counts, p->c.m, &p->params, &p->c.m->job.v[r->job], r->partition_name,
			      fsi_plan_counts_in(p));
}

int fsi_record_counted(struct fs_plan *p, const struct fsi_queue_record *r)
{
	const int full = count(p, r);

	return full < 0 ? -1 : !full;
}

bool fsi_record_past_end(const struct fs_plan *p)
{
	return p->mode == FS_PLAN_BACKFILL && (p->over || p->tested >= p->params.max_test);
}

/* Returns the parameter that ended the cycle. */
static struct fsi_plan_cycle_limit end_of_cycle(const struct fs_plan *p)
{
	const struct fsi_plan_params *c = &p->params;

	if (p->tested >= c->max_test)
		return (struct fsi_plan_cycle_limit){ "bf_max_job_test", c->max_test };
	if (c->max_start && p->starts >= c->max_start)
		return (struct fsi_plan_cycle_limit){ "bf_max_job_start", c->max_start };
	return (struct fsi_plan_cycle_limit){ "bf_node_space_size", c->max_slots };
}

int fsi_record_reached(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	int full = 0;

	if (fsi_record_past_end(p)) {
		row->cycle_limit = end_of_cycle(p);
		return 0;
	}
	full = count(p, r);
	if (full > 0)
		row->cycle_limit = fsi_plan_count_limit(&p->params, full);
	row->reached |= !full;
	return full < 0 ? -1 : !full;
}

bool fsi_record_now_only(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row)
{
	const struct fsi_job *j = &p->c.m->job.v[r->job];

	return r->priority < p->params.min_prio_reserve ||
	       (FSI_HAS(j, JOB, eligible_time) && p->c.now - j->eligible_time < p->params.min_age_reserve_s) ||
	       (p->params.one_resv && row->has_start) ||
	       fsi_plan_part_is_full(p, r);
}

/* A partition's DefMemPerGPU clears what a job has by default, and so does that of the partition in which the select
 * plugin was asked for it last (select/cons_common/job_test.c: _verify_node_state runs before _set_gpu_defaults). The
 * main scheduler asks for the first job of a partition there alone. */
static bool loses_memory(const struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row)
{
	return row->memory == FSI_MEMORY_LOST ||
	       (row->memory == FSI_MEMORY_UNTOLD && !fsi_plan_heads_partition(p, r));
}

/* A partition in which the plugin is not asked was not asked in the cycle before either. */
static void note_memory(const struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	if (p->asked)
		row->memory = q->mem_of_gpus ? FSI_MEMORY_LOST : FSI_MEMORY_KEPT;
	else if (q->mem_of_gpus && row->memory == FSI_MEMORY_UNTOLD)
		row->memory = FSI_MEMORY_KEPT;
}

int fsi_record_request_with(struct fs_plan *p, const struct fsi_queue_record *r, uint32_t features,
			    const struct fsi_plan_row *row, struct fsi_plan_request *q)
{
	fsi_arena_release(&p->scratch);
	p->scratch = (struct fsi_arena){ 0 };
	if (fsi_plan_request_with(q, &p->c, r->job, r->partition, features, &p->scratch) ||
	    (p->magnet && fsi_plan_in_reservation(q, &p->c, p->magnet - 1, &p->scratch)))
		return -1;
	if (q->lost_mem && q->all_memory && !loses_memory(p, r, row)) {
		q->all_memory = false;
		q->mem_per_cpu = q->lost_mem;
	}
	q->forgets = p->mode == FS_PLAN_BACKFILL && p->params.forgets && p->c.core_at && !p->c.requests.linear;
	return 0;
}

int fsi_record_request(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row,
		       struct fsi_plan_request *q)
{
	return fsi_record_request_with(p, r, p->c.m->job.v[r->job].features, row, q);
}

/* A job whose QOS has NoReserve is tried as if it were to run for a minute, where jobs may be preempted. A try in vain
 * leaves the start that the job had before the record, whatever its earlier tasks got (backfill.c: orig_start_time). */
bool fsi_record_try(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
		    struct fsi_plan_row *row, bool now)
{
	const int64_t minute_s = 60;
	const char *mode = fs_snapshot_config_text(p->c.m, "PreemptMode");
	struct fsi_plan_request tried = *q;
	bool found;

	if (mode && strcmp(mode, "OFF") != 0 && fsi_plan_keeps_none(p, r))
		tried.limit_s = minute_s;
	found = fsi_plan_try(p, &tried, now);
	p->tested += p->asked && fsi_plan_counts_in(p);
	note_memory(p, q, row);
	if (found && p->found.start <= p->c.now && p->found.choice.keeps_weights && !fsi_plan_het_job(p, q->job))
		fsi_plan_weigh_anew(&p->found.choice, &p->c.part[q->partition], q);
	row->has_start = found || p->had_start;
	row->searched |= !now;
	return found;
}

void fsi_record_show(const struct fs_plan *p, struct fsi_plan_row *row)
{
	if (p->found.start > p->c.now)
		fsi_plan_tell(p, row, p->found.start, false);
}

void fsi_record_set_preempted(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_request *q)
{
	q->preempts = p->mode == FS_PLAN_BACKFILL ? fsi_plan_pushed(p, r) : NULL;
	q->suspends = q->preempts ? p->suspended : NULL;
	q->suspends_for_good = !p->params.looks_on;
}
