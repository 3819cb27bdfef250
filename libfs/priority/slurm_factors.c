/* Factors of the multifactor plugin (src/plugins/priority/multifactor/priority_multifactor.c:
 * set_priority_factors), each 0..1 unless a NO_NORMAL flag is set.
 *
 *   age        time since accrue_time / PriorityMaxAge, at most 1
 *   assoc      association priority / greatest of all associations
 *   jobsize    see fsi_inputs_jobsize
 *   partition  PriorityJobFactor / greatest of all partitions, at least 1
 *   qos        QOS priority / greatest of all QOS
 *   tres       amount / the partition's total; allocated if the job has an allocation, else requested */
#include "priority/slurm.h"

#include "model/job/last_run.h"
#include "model/job/size.h"

#include <math.h>

/* The greatest priority of a table, at least `min`; NAN when some are hidden or unknown. */
#define GREATEST(m, table, TAG, member, min)                                                     \
	double max = min;                                                                        \
	\
	if (fsi_hidden(m, #table))                                                                 \
		return NAN;                                                                        \
	for (size_t i = 0; i < (m)->table.n; i++) {                                                \
		if (!FSI_HAS(&(m)->table.v[i], TAG, member))                                       \
			return NAN;                                                                \
		if ((m)->table.v[i].member > max)                                                  \
			max = (m)->table.v[i].member;                                              \
	}                                                                                          \
	return max

static double greatest_assoc(const fs_snapshot *m)
{
	if (!m->association.n)
		return NAN;
	GREATEST(m, association, ASSOCIATION, priority, 0);
}

static double greatest_partition(const fs_snapshot *m)
{
	GREATEST(m, partition, PARTITION, job_factor, 1); /* DEF_PART_MAX_PRIORITY */
}

static double greatest_qos(const fs_snapshot *m)
{
	GREATEST(m, qos, QOS, priority, 0);
}

struct fsi_slurm_totals fsi_slurm_totals(const fs_snapshot *m)
{
	struct fsi_job_size cluster;

	fsi_job_size_of_cluster(m, &cluster);
	return (struct fsi_slurm_totals){ cluster.of_cpus, cluster.of_nodes, greatest_assoc(m), greatest_partition(m),
					  greatest_qos(m) };
}

/* Has a job whose age did not accrue at the snapshot's time begun to age by a later one? It has since it became
 * eligible, or, where it was eligible already, since the scheduler next looked, unless an accrue limit keeps it. */
static bool accrues_since(const struct fsi_slurm_prio *p, const struct fsi_job *job, int64_t *since)
{
	struct fs_accrue_row row;

	*since = job->accrue_time;
	if (FSI_HAS(job, JOB, accrue_time) && (!FSI_HAS(job, JOB, accruing) || job->accruing))
		return true;
	if (!p->accrue)
		return false;
	if (FSI_HAS(job, JOB, accrue_time))
		return true;
	if (FSI_HAS(job, JOB, eligible_time) && job->eligible_time > p->m->info.time) {
		*since = job->eligible_time;
		return true;
	}
	fs_accrue_job(p->accrue, (uint32_t)(job - p->m->job.v), &row);
	*since = p->m->info.time;
	return row.state == FS_ACCRUE_ROOM;
}

static double ratio(double have, double of)
{
	return have == 0 || of == 0 ? 0 : have / of;
}

static struct fsi_job_size size_of(const struct fs_prio_inputs *in)
{
	return (struct fsi_job_size){ .nodes = in->have,
				      .of_nodes = in->of,
				      .cpus = in->cpus,
				      .of_cpus = in->of_cpus,
				      .minutes = in->minutes,
				      .by_time = in->by_time,
				      .small = in->small };
}

static double size_value(const struct fs_prio_inputs *in)
{
	const struct fsi_job_size s = size_of(in);

	return fsi_job_size_factor(&s);
}

double fsi_slurm_value(const struct fs_prio_inputs *in)
{
	switch (in->rule) {
	case FS_INPUTS_PLAIN:
		return in->have;
	case FS_INPUTS_RATIO:
		return ratio(in->have, in->of);
	case FS_INPUTS_SIZE:
		return size_value(in);
	case FS_INPUTS_AGE:
		if (in->since == FS_UNKNOWN)
			return isnan(in->have) ? in->have : 0;
		return in->have < in->of ? in->have / in->of : 1;
	default:
		return NAN;
	}
}

struct fs_prio_inputs fsi_inputs_age(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	struct fs_prio_inputs in = { .rule = FS_INPUTS_AGE,
				     .since = FS_UNKNOWN,
				     .of = (double)p->conf.max_age_s };
	int64_t since;

	if (!FSI_HAS(job, JOB, accrue_time) && fsi_hidden(p->m, FSI_HIDDEN_JOB_FIELDS)) {
		in.have = NAN;
		return in;
	}
	if (!accrues_since(p, job, &since))
		return in;
	in.since = since;
	in.have = p->last_run > since ? (double)(p->last_run - since) : 0;
	return in;
}

static struct fs_prio_inputs share_of(bool plain, double have, double of)
{
	return (struct fs_prio_inputs){ .rule = plain ? FS_INPUTS_PLAIN : FS_INPUTS_RATIO,
					.have = have,
					.of = of };
}

struct fs_prio_inputs fsi_inputs_assoc(const struct fsi_slurm_prio *p, uint32_t assoc)
{
	double priority = NAN;

	if (assoc == FSI_NO_INDEX)
		priority =
			fsi_hidden(p->m, "association") || !p->m->association.n ? (double)NAN : 0;
	else if (FSI_HAS(&p->m->association.v[assoc], ASSOCIATION, priority))
		priority = p->m->association.v[assoc].priority;
	return share_of(p->conf.no_normal_assoc, priority, p->totals.max_assoc);
}

/* min_nodes as requested: NumNodes of a pending job is a guess from its tasks. */
static double min_nodes(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	const bool known = FSI_HAS(job, JOB, tres_req) && p->node;
	const double asked = known ? (double)fsi_amount_of(p->m, job->tres_req, p->node) : 0;

	if (asked != 0)
		return asked;
	return FSI_HAS(job, JOB, nodes) ? (double)job->nodes : (double)NAN;
}

/* The job's time limit in minutes, else its partition's; unlimited counts as INFINITE. */
static double limit_minutes(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	const double infinite = 4294967295.0;
	size_t n;
	const uint32_t *names = fsi_list(p->m, job->partitions, &n);
	const struct fsi_partition *part = n ? fsi_partition_find(p->m, names[0]) : NULL;

	if (FSI_HAS(job, JOB, time_limit_s))
		return FSI_SPECIAL(job, JOB, time_limit_s) ? infinite
							   : (double)(job->time_limit_s / 60);
	if (!n)
		return 1;
	if (!part || !FSI_HAS(part, PARTITION, max_time_s))
		return NAN;
	return FSI_SPECIAL(part, PARTITION, max_time_s) ? infinite
							: (double)(part->max_time_s / 60);
}

/* The CPUs that the factor which the scheduler held is made of; 0: none that the job can count for. */
static double held_cpus(const struct fs_prio_inputs *asked, const struct fsi_request *q, double factor)
{
	const struct fsi_job_size s = size_of(asked);
	const double cpus = fsi_job_size_cpus(&s, factor);

	return cpus == (double)q->asked || (cpus >= (double)q->min && cpus <= (double)q->max) ? cpus : 0;
}

/* The CPUs that the job counts for: those that the factor which was held tells, else, once it was tested, those of
 * the rules. */
static void count_cpus(const struct fsi_slurm_prio *p, const struct fsi_job *job,
		       struct fs_prio_inputs *in)
{
	const uint32_t kept = p->many_of ? p->many_of[job - p->m->job.v] : 0;
	const struct fsi_request q = kept ? p->many[kept - 1] : fsi_request_of(&p->requests, job, FSI_NO_INDEX);
	const bool tested = FSI_HAS(job, JOB, last_sched_eval) &&
			    job->last_sched_eval <= p->last_run;
	const double held =
		q.why && FSI_HAS(job, JOB, size_factor) ? held_cpus(in, &q, fsi_job_rare(p->m, job)->size_factor) : 0;

	if (held == 0 && (!tested || FSI_HAS(job, JOB, size_factor)))
		return;
	in->cpus = held > 0 ? held : (double)q.min;
	if (in->cpus > (double)q.asked) {
		in->asked_cpus = (double)q.asked;
		in->grows = q.why;
	}
}

/* The nodes that a running job asked for, which had to be no more than those it has. */
static void count_nodes(const struct fsi_slurm_prio *p, const struct fsi_job *job, struct fs_prio_inputs *in)
{
	const struct fsi_job_size s = size_of(in);
	const double asked = fsi_job_size_nodes(&s, fsi_job_rare(p->m, job)->size_factor);

	if (asked > 0)
		in->have = asked;
}

/* See libfs/model/job/size.h; nodes count as requested. */
struct fs_prio_inputs fsi_inputs_jobsize(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	struct fs_prio_inputs in = {
		.rule = FS_INPUTS_SIZE,
		.have = min_nodes(p, job),
		.of = p->totals.nodes,
		.cpus = FSI_HAS(job, JOB, cpus) ? (double)job->cpus : (double)NAN,
		.of_cpus = p->totals.cpus,
		.minutes = p->conf.small_relative_to_time ? limit_minutes(p, job) : 0,
		.by_time = p->conf.small_relative_to_time,
		.small = p->conf.favor_small,
	};

	if (job->state == FSI_STATE_PENDING && FSI_HAS(job, JOB, cpus))
		count_cpus(p, job, &in);
	else if (job->state != FSI_STATE_PENDING && FSI_HAS(job, JOB, size_factor))
		count_nodes(p, job, &in);
	return in;
}

struct fs_prio_inputs fsi_inputs_partition(const struct fsi_slurm_prio *p, uint32_t partition)
{
	double factor = NAN;

	if (partition != FSI_NO_INDEX &&
	    FSI_HAS(&p->m->partition.v[partition], PARTITION, job_factor))
		factor = p->m->partition.v[partition].job_factor;
	return share_of(p->conf.no_normal_part, factor, p->totals.max_partition);
}

/* A QOS of priority 0 in a list leaves the job's own term as it is (_priority_each_qos, _create_prio_list_qos): that
 * of the QOS it was last tried with where that is known, else that of its highest QOS, as before the first try. */
static const struct fsi_qos *counted_qos(const fs_snapshot *m, const struct fsi_job *job, uint32_t name)
{
	const struct fsi_qos *q = fsi_qos_find(m, name), *tried;
	size_t n;

	fsi_list(m, job->qos, &n);
	if (n < 2 || !q || !FSI_HAS(q, QOS, priority) || q->priority)
		return q;
	tried = fsi_job_tried_qos(m, job);
	return tried ? tried : fsi_job_highest_qos(m, job);
}

struct fs_prio_inputs fsi_inputs_qos(const struct fsi_slurm_prio *p, const struct fsi_job *job,
				     uint32_t qos)
{
	const struct fsi_qos *q = qos ? counted_qos(p->m, job, qos) : NULL;
	const bool has_one = qos && !fsi_job_lost_qos(p->m, job);
	struct fs_prio_inputs in;
	double priority = 0;

	if (!qos && !FSI_HAS(job, JOB, qos) && fsi_hidden(p->m, FSI_HIDDEN_JOB_FIELDS))
		priority = NAN;
	else if (has_one && !q)
		priority = fsi_hidden(p->m, "qos") ? (double)NAN : 0;
	else if (has_one)
		priority = FSI_HAS(q, QOS, priority) ? (double)q->priority : (double)NAN;
	in = share_of(p->conf.no_normal_qos, priority, p->totals.max_qos);
	if (q && q->name != qos && q->priority)
		in.of_qos = fsi_str(p->m, q->name);
	return in;
}

struct fs_prio_inputs fsi_inputs_tres(const struct fsi_slurm_prio *p, const struct fsi_job *job,
				      uint32_t partition, uint32_t tres)
{
	const bool allocated = FSI_HAS(job, JOB, tres_alloc);
	double amount =
		(double)fsi_amount_of(p->m, allocated ? job->tres_alloc : job->tres_req, tres);
	double total = NAN;

	if (!allocated && !FSI_HAS(job, JOB, tres_req))
		amount = NAN;
	if (partition != FSI_NO_INDEX && FSI_HAS(&p->m->partition.v[partition], PARTITION, tres))
		total = (double)fsi_amount_of(p->m, p->m->partition.v[partition].tres, tres);
	return share_of(p->conf.no_normal_tres, p->conf.no_normal_tres && total == 0 ? 0 : amount,
			total);
}
