/* Who gives way to a job (src/slurmctld/preempt.c: slurm_find_preemptable_jobs): what runs on a node of its partition
 * and may be preempted by it, unless its mode is OFF. What is suspended gives its CPUs and keeps memory and generic
 * resources; what is requeued or cancelled gives all (select/cons_common/job_test.c: _build_cr_job_list; 24.11
 * cons_tres alike). */
#include "plan/run.h"

#include <string.h>
#include <strings.h>

/* The job's own mode, else the cluster's (src/slurmctld/preempt.c: slurm_job_preempt_mode). */
static const char *mode_of(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	const struct fsi_qos *qos = fsi_qos_find(p->c.m, r->qos);
	const uint32_t mode = p->queue->preempt_by_tier
				      ? (r->partition == FSI_NO_INDEX
						 ? 0
						 : p->c.m->partition.v[r->partition].preempt_mode)
				      : (qos ? qos->preempt_mode : 0);
	const char *own = fsi_str(p->c.m, mode), *all = fs_snapshot_config_text(p->c.m, "PreemptMode");

	return *own && strcasecmp(own, "cluster") != 0 ? own : all ? all : "";
}

static bool is_off(const char *mode)
{
	return !strcasecmp(mode, "off");
}

static bool is_suspend(const char *mode)
{
	return !strncasecmp(mode, "suspend", strlen("suspend")) || !strcasecmp(mode, "gang,suspend");
}

/* A running job as the queue's record that it would be. */
static struct fsi_queue_record as_record(const struct fs_plan *p, uint32_t row)
{
	const struct fsi_job *j = &p->c.m->job.v[row];
	struct fsi_queue_record r = { .priority = j->priority,
				      .job = row,
				      .partition = FSI_NO_INDEX,
				      .preemptor = FSI_NO_INDEX };
	const struct fsi_partition *part = fsi_first_partition(p->c.m, j);
	const struct fsi_qos *qos;

	if (part)
		r.partition = (uint32_t)(part - p->c.m->partition.v);
	r.qos = fsi_list_first(p->c.m, j->qos);
	qos = fsi_qos_find(p->c.m, r.qos);
	if (p->queue->preempt_by_tier)
		r.preemptor = r.partition;
	else if (qos)
		r.preemptor = (uint32_t)(qos - p->c.m->qos.v);
	return r;
}

/* Is it safe for some time after its start (src/slurmctld/acct_policy.c: acct_policy_is_job_preempt_exempt)? */
static bool is_exempt(const struct fs_plan *p, uint32_t job)
{
	const struct fsi_job *j = &p->c.m->job.v[job];

	return FSI_HAS(j, JOB, preemptable_time) && fsi_job_rare(p->c.m, j)->preemptable_time > p->c.now;
}

const bool *fsi_plan_pushed(struct fs_plan *p, const struct fsi_queue_record *r)
{
	bool any = false;

	if (!p->queue->preempts || r->partition == FSI_NO_INDEX)
		return NULL;
	for (size_t i = 0; i < p->c.end.n; i++) {
		const struct fsi_plan_end *e = &p->c.end.v[i];
		const struct fsi_queue_record other = as_record(p, e->job);

		const char *mode = mode_of(p, &other);

		p->pushed[e->job] = fsi_preempts(p->queue, r, &other) && !is_off(mode) &&
				    !is_exempt(p, e->job) && fsi_plan_ends_on(e, p->c.part[r->partition].has);
		p->suspended[e->job] = is_suspend(mode);
		any = any || p->pushed[e->job];
	}
	return any ? p->pushed : NULL;
}

bool fsi_plan_pushes(const struct fs_plan *p, const struct fsi_plan_request *q)
{
	const struct fsi_plan_moment now = { p->c.now, UINT64_MAX };
	struct fsi_plan_request alone = *q;

	alone.preempts = NULL;
	for (uint32_t k = 0; q->preempts && k < p->found.choice.nnodes; k++)
		if (fsi_plan_room(&p->c, p->found.choice.node[k], &alone, now) <
		    p->found.choice.units[k])
			return true;
	return false;
}
