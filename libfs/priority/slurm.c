#include "base/error.h"
#include "base/hostlist.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/records/limit_names.h"
#include "model/scheduler.h"
#include "priority/priority.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factors of Slurm's multifactor plugin (src/plugins/priority/multifactor/priority_multifactor.c:
 * set_priority_factors). Each factor is in 0..1 unless a NO_NORMAL flag is set.
 *
 *   age        time since accrue_time / PriorityMaxAge, at most 1
 *   assoc      association priority / greatest association priority
 *   jobsize    see struct fsi_job_size
 *   partition  PriorityJobFactor / greatest PriorityJobFactor, which is at least 1
 *   qos        QOS priority / greatest QOS priority
 *   tres       allocated amount (without an allocation: requested amount) / amount in the partition */

/* Returns from the calling function. The returned value is the greatest value of the member in the table, but at least
 * `min`; NAN if some records are hidden or lack the member. */
#define RETURN_GREATEST_VALUE(m, table, TAG, member, min)                                                     \
	double max = min;                                                                        \
	\
	if (fsi_is_type_hidden(m, #table))                                                                 \
		return NAN;                                                                        \
	for (size_t i = 0; i < (m)->table.n; i++) {                                                \
		if (!FSI_HAS(&(m)->table.v[i], TAG, member))                                       \
			return NAN;                                                                \
		if ((m)->table.v[i].member > max)                                                  \
			max = (m)->table.v[i].member;                                              \
	}                                                                                          \
	return max

static double find_greatest_assoc_priority(const fs_snapshot *m)
{
	if (!m->association.n)
		return NAN;
	RETURN_GREATEST_VALUE(m, association, ASSOCIATION, priority, 0);
}

static double find_greatest_job_factor(const fs_snapshot *m)
{
	/* the result is at least 1, as in Slurm (DEF_PART_MAX_PRIORITY) */
	RETURN_GREATEST_VALUE(m, partition, PARTITION, job_factor, 1);
}

static double find_greatest_qos_priority(const fs_snapshot *m)
{
	RETURN_GREATEST_VALUE(m, qos, QOS, priority, 0);
}

/* Returns the totals and maxima by which inputs are divided to give factors. */
static struct fsi_slurm_totals compute_factor_totals(const fs_snapshot *m)
{
	struct fsi_job_size cluster;

	fsi_job_size_set_cluster(m, &cluster);
	return (struct fsi_slurm_totals){ cluster.of_cpus, cluster.of_nodes, find_greatest_assoc_priority(m),
					  find_greatest_job_factor(m), find_greatest_qos_priority(m) };
}

/* Returns true if the job accrues age at the time for which priorities are computed. Sets *since to the start of its
 * age: its accrue_time, if it has one. If the job has no accrue_time and becomes eligible after the snapshot's time,
 * its age starts when it becomes eligible. If the job is eligible at the snapshot's time, its age starts at that time,
 * unless an accrue limit prevents that. */
static bool has_accrual_start(const struct fsi_slurm_prio *p, const struct fsi_job *job, int64_t *since)
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
	return row.state == FS_ACCRUE_READY;
}

static double safe_factor_ratio(double have, double of)
{
	return have == 0 || of == 0 ? 0 : have / of;
}

static struct fsi_job_size to_job_size(const struct fs_prio_inputs *in)
{
	return (struct fsi_job_size){ .nodes = in->have,
				      .of_nodes = in->of,
				      .cpus = in->cpus,
				      .of_cpus = in->of_cpus,
				      .minutes = in->minutes,
				      .by_time = in->by_time,
				      .small = in->small };
}

static double compute_size_factor(const struct fs_prio_inputs *in)
{
	const struct fsi_job_size s = to_job_size(in);

	return fsi_job_size_factor(&s);
}

/* Returns the unweighted factor computed from the inputs; NAN: an input is unknown. */
static double compute_slurm_factor(const struct fs_prio_inputs *in)
{
	switch (in->rule) {
	case FS_INPUTS_PLAIN:
		return in->have;
	case FS_INPUTS_RATIO:
		return safe_factor_ratio(in->have, in->of);
	case FS_INPUTS_SIZE:
		return compute_size_factor(in);
	case FS_INPUTS_AGE:
		if (in->since == FS_UNKNOWN)
			return isnan(in->have) ? in->have : 0;
		return in->have < in->of ? in->have / in->of : 1;
	default:
		return NAN;
	}
}

/* Returns the inputs of the AGE factor. */
static struct fs_prio_inputs age_factor_inputs(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	struct fs_prio_inputs in = { .rule = FS_INPUTS_AGE,
				     .since = FS_UNKNOWN,
				     .of = (double)p->conf.max_age_s };
	int64_t since, computed = p->last_run;

	if (!FSI_HAS(job, JOB, accrue_time) && fsi_is_type_hidden(p->m, FSI_HIDDEN_JOB_FIELDS)) {
		in.have = NAN;
		return in;
	}
	if (!has_accrual_start(p, job, &since))
		return in;
	in.since = since;
	if (FSI_HAS(job, JOB, priority_time) && fsi_job_ext(p->m, job)->priority_time > computed)
		computed = fsi_job_ext(p->m, job)->priority_time;
	in.have = computed > since ? (double)(computed - since) : 0;
	return in;
}

static struct fs_prio_inputs make_ratio_inputs(bool plain, double have, double of)
{
	return (struct fs_prio_inputs){ .rule = plain ? FS_INPUTS_PLAIN : FS_INPUTS_RATIO,
					.have = have,
					.of = of };
}

/* Returns the inputs of the ASSOC factor. */
static struct fs_prio_inputs assoc_factor_inputs(const struct fsi_slurm_prio *p, uint32_t assoc)
{
	double priority = NAN;

	if (assoc == FSI_NO_INDEX)
		priority =
			fsi_is_type_hidden(p->m, "association") || !p->m->association.n ? (double)NAN : 0;
	else if (FSI_HAS(&p->m->association.v[assoc], ASSOCIATION, priority))
		priority = p->m->association.v[assoc].priority;
	return make_ratio_inputs(p->conf.no_normal_assoc, priority, p->totals.max_assoc);
}

/* Returns the minimum number of nodes that the job requests. NumNodes of a pending job is only an estimate from its
 * tasks. */
static double requested_min_nodes(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	const bool known = FSI_HAS(job, JOB, tres_req) && p->node;
	const double asked = known ? (double)fsi_amount_of_tres(p->m, job->tres_req, p->node) : 0;

	if (asked != 0)
		return asked;
	return FSI_HAS(job, JOB, nodes) ? (double)job->nodes : (double)NAN;
}

/* Returns the job's time limit in minutes. If the job has none, returns the time limit of its first partition. Returns
 * Slurm's INFINITE if the time is unlimited. */
static double time_limit_minutes(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	const double infinite = 4294967295.0;
	size_t n;
	const uint32_t *names = fsi_list_items(p->m, job->partitions, &n);
	const struct fsi_partition *part = n ? fsi_partition_find(p->m, names[0]) : NULL;

	if (FSI_HAS(job, JOB, time_limit_s))
		return FSI_SPECIAL(job, JOB, time_limit_s) ? infinite
							   : (double)(job->time_limit_s / 60);
	if (!n)
		return 1;
	if (!part || !FSI_HAS(part, PARTITION, max_time_s))
		return NAN;
	return FSI_SPECIAL(part, PARTITION, max_time_s) ? infinite : (double)(part->max_time_s / 60);
}

/* Returns the number of CPUs from which the stored job-size factor was computed. Returns 0 if the controller cannot
 * have counted that number of CPUs for the job. Features with counts, such as [haswell*1&milan*2], are tested one by
 * one, each with its own number of nodes, and the last test counts (src/slurmctld/node_scheduler.c:
 * _get_req_features). */
static double find_stored_cpus(const struct fsi_slurm_prio *p, const struct fsi_job *job,
			       const struct fs_prio_inputs *asked, const struct fsi_counted_request *q)
{
	const struct fsi_job_size s = to_job_size(asked);
	const double cpus = fsi_job_size_cpus(&s, fsi_job_ext(p->m, job)->size_factor);
	const double min = strchr(fsi_name_text(p->m, job->features), '[') ? 1 : (double)q->min_cpus;

	return cpus == (double)q->asked_cpus || (cpus >= min && cpus <= (double)q->max_cpus) ? cpus : 0;
}

/* Sets in->cpus to the number of CPUs that the scheduler counts for the job. If the job has a stored job-size factor,
 * in->cpus is the number of CPUs that gives this factor. If the job has no stored factor, and the scheduler evaluated
 * the job before the last priority calculation, in->cpus is the minimum that fsi_request_count_cpus computes. In all
 * other cases, in->cpus is not changed. */
static void set_counted_cpus(const struct fsi_slurm_prio *p, const struct fsi_job *job, struct fs_prio_inputs *in)
{
	const uint32_t stored = p->shared_request_of ? p->shared_request_of[job - p->m->job.v] : 0;
	const struct fsi_counted_request q =
		stored ? p->shared_requests[stored - 1] : fsi_request_count_cpus(&p->requests, job, FSI_NO_INDEX);
	const bool tested = FSI_HAS(job, JOB, last_sched_eval) && job->last_sched_eval <= p->last_run;
	const double held =
		q.growth_reason && FSI_HAS(job, JOB, size_factor) ? find_stored_cpus(p, job, in, &q) : 0;

	if (held == 0 && (!tested || FSI_HAS(job, JOB, size_factor)))
		return;
	in->cpus = held > 0 ? held : (double)q.min_cpus;
	if (in->cpus > (double)q.asked_cpus) {
		in->asked_cpus = (double)q.asked_cpus;
		in->grows = q.growth_reason;
	}
}

/* Sets in->have to the number of nodes that the running job requested, which is at most the number of allocated nodes.
 * Computes this number from the stored job-size factor. If no number gives that factor, leaves in->have unchanged. */
static void set_requested_nodes(const struct fsi_slurm_prio *p, const struct fsi_job *job, struct fs_prio_inputs *in)
{
	const struct fsi_job_size s = to_job_size(in);
	const double asked = fsi_job_size_nodes(&s, fsi_job_ext(p->m, job)->size_factor);

	if (asked > 0)
		in->have = asked;
}

/* Returns the inputs of the JOBSIZE factor (struct fsi_job_size). The nodes are the requested ones, not the allocated
 * ones. */
static struct fs_prio_inputs jobsize_factor_inputs(const struct fsi_slurm_prio *p, const struct fsi_job *job)
{
	struct fs_prio_inputs in = {
		.rule = FS_INPUTS_SIZE,
		.have = requested_min_nodes(p, job),
		.of = p->totals.nodes,
		.cpus = FSI_HAS(job, JOB, cpus) ? (double)job->cpus : (double)NAN,
		.of_cpus = p->totals.cpus,
		.minutes = p->conf.small_relative_to_time ? time_limit_minutes(p, job) : 0,
		.by_time = p->conf.small_relative_to_time,
		.small = p->conf.favor_small,
	};

	if (job->state == FSI_STATE_PENDING && FSI_HAS(job, JOB, cpus))
		set_counted_cpus(p, job, &in);
	else if (job->state != FSI_STATE_PENDING && FSI_HAS(job, JOB, size_factor))
		set_requested_nodes(p, job, &in);
	return in;
}

/* Returns the inputs of the PARTITION factor. */
static struct fs_prio_inputs partition_factor_inputs(const struct fsi_slurm_prio *p, uint32_t partition)
{
	double factor = NAN;

	if (partition != FSI_NO_INDEX && FSI_HAS(&p->m->partition.v[partition], PARTITION, job_factor))
		factor = p->m->partition.v[partition].job_factor;
	return make_ratio_inputs(p->conf.no_normal_part, factor, p->totals.max_partition);
}

/* Returns the QOS whose priority gives the QOS factor in the job's row for the QOS `name`. The result is the QOS `name`
 * itself, with one exception: in a job with several QOS, a QOS with priority 0 does not change the job's QOS term
 * (_priority_each_qos, _create_prio_list_qos). The term then comes from the QOS with which the job was last tried. If
 * that QOS is unknown, the job's QOS with the highest priority is assumed, because the term comes from that QOS until
 * the job is first tried. */
static const struct fsi_qos *find_counted_qos(const fs_snapshot *m, const struct fsi_job *job, uint32_t name)
{
	const struct fsi_qos *q = fsi_qos_find(m, name), *tried;
	size_t n;

	fsi_list_items(m, job->qos, &n);
	if (n < 2 || !q || !FSI_HAS(q, QOS, priority) || q->priority)
		return q;
	tried = fsi_job_tried_qos(m, job);
	return tried ? tried : fsi_job_highest_qos(m, job);
}

/* Returns the inputs of the QOS factor. */
static struct fs_prio_inputs qos_factor_inputs(const struct fsi_slurm_prio *p, const struct fsi_job *job, uint32_t qos)
{
	const struct fsi_qos *q = qos ? find_counted_qos(p->m, job, qos) : NULL;
	const bool has_one = qos && !fsi_job_lost_qos(p->m, job);
	struct fs_prio_inputs in;
	double priority = 0;

	if (!qos && !FSI_HAS(job, JOB, qos) && fsi_is_type_hidden(p->m, FSI_HIDDEN_JOB_FIELDS))
		priority = NAN;
	else if (has_one && !q)
		priority = fsi_is_type_hidden(p->m, "qos") ? (double)NAN : 0;
	else if (has_one)
		priority = FSI_HAS(q, QOS, priority) ? (double)q->priority : (double)NAN;
	in = make_ratio_inputs(p->conf.no_normal_qos, priority, p->totals.max_qos);
	if (q && q->name != qos && q->priority)
		in.of_qos = fsi_name_text(p->m, q->name);
	return in;
}

/* Returns the inputs of the factor of one TRES. */
static struct fs_prio_inputs tres_factor_inputs(const struct fsi_slurm_prio *p, const struct fsi_job *job,
						uint32_t partition, uint32_t tres)
{
	const bool allocated = FSI_HAS(job, JOB, tres_alloc);
	double amount =
		(double)fsi_amount_of_tres(p->m, allocated ? job->tres_alloc : job->tres_req, tres);
	double total = NAN;

	if (!allocated && !FSI_HAS(job, JOB, tres_req))
		amount = NAN;
	if (partition != FSI_NO_INDEX && FSI_HAS(&p->m->partition.v[partition], PARTITION, tres))
		total = (double)fsi_amount_of_tres(p->m, p->m->partition.v[partition].tres, tres);
	return make_ratio_inputs(p->conf.no_normal_tres, p->conf.no_normal_tres && total == 0 ? 0 : amount, total);
}

/* ---- rows
 *
 * A job has rows if it is pending (with CALCULATE_RUNNING: in any state), not held, and eligible at the time for which
 * priorities are computed (priority_multifactor.c: _foreach_priority_factor_job). There is one row for each partition
 * and QOS of the job; partitions with the highest tier come first. */

/* Returns true if the base state of the job, without flags, is pending. If a job is shown as COMPLETING but has not
 * started, it was requeued. It is pending while its nodes are cleared (job_mgr.c: pack_job sends a past start time only
 * for jobs that have started). */
static bool is_base_state_pending(const struct fs_prios *p, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING ||
	       (job->state == FSI_STATE_COMPLETING &&
		(!FSI_HAS(job, JOB, start_time) || job->start_time > p->m->info.time));
}

/* Returns true if the controller computes a priority for the job and, unless `blocked` is true, sprio lists it. The
 * controller also computes the priorities of jobs that are not eligible yet (priority_multifactor.c:
 * decay_apply_weighted_factors). */
static bool has_priority_rows(const struct fs_prios *p, const struct fsi_job *job, bool blocked)
{
	const struct fsi_slurm_conf *c = &fsi_slurm_prio_data(p)->conf;

	if (fsi_slurm_prio_data(p)->printed_only)
		return true;
	if (job->state == FSI_STATE_REVOKED)
		return false;
	if (!is_base_state_pending(p, job) && !c->calculate_running)
		return false;
	if (FSI_HAS(job, JOB, priority) && !job->priority)
		return false;
	if (blocked)
		return true;
	if (c->accrue_always)
		return FSI_HAS(job, JOB, submit_time) && job->submit_time <= p->now;
	return fsi_slurm_job_may_begin(p->m, job, p->now);
}

static uint32_t partition_row_tier(const fs_snapshot *m, uint32_t partition)
{
	return partition == FSI_NO_INDEX ? 0 : m->partition.v[partition].tier;
}

/* Returns true if the job's rows stay in the order in which the scheduler tries the job's partitions (row_order). The
 * rows stay in this order if the order is known and the tier of at least one row is unknown. `start`: the job's first
 * row. */
static bool keeps_recorded_order(const struct fs_prios *p, size_t start)
{
	bool unknown = false;

	for (size_t i = start; i < p->row.n; i++)
		unknown = unknown || p->row.v[i].partition == FSI_NO_INDEX;
	return unknown && FSI_HAS(&p->m->job.v[p->row.v[start].job], JOB, row_order);
}

static int compare_row_tiers(const void *x, const void *y, const void *ctx)
{
	const struct fsi_prio_row *a = x, *b = y;
	const uint32_t s = partition_row_tier(ctx, a->partition), t = partition_row_tier(ctx, b->partition);

	return (s < t) - (s > t);
}

/* Sorts the rows of one job, which begin with row `start`. Partitions with a higher tier come first. Within a
 * partition, QOS with a higher priority come first. The insertion sort is stable. Returns -1 if out of memory. */
static int sort_job_rows(struct fs_prios *p, size_t start)
{
	const bool printed = start < p->row.n && keeps_recorded_order(p, start);

	/* after this sort, the insertion sort moves only rows of the same partition */
	if (!printed && p->row.n > start + 1 &&
	    fs_sort(p->row.v + start, p->row.n - start, sizeof(*p->row.v), compare_row_tiers, p->m))
		return -1;
	for (size_t i = start + 1; i < p->row.n; i++) {
		const struct fsi_prio_row r = p->row.v[i];
		size_t k = i;

		for (; k > start; k--) {
			const struct fsi_prio_row *q = &p->row.v[k - 1];
			const uint32_t a = printed ? 0 : partition_row_tier(p->m, q->partition),
				       b = printed ? 0 : partition_row_tier(p->m, r.partition);

			if (a > b ||
			    (a == b && (q->partition_name != r.partition_name ||
					fsi_qos_priority(p->m, q->qos) >= fsi_qos_priority(p->m, r.qos))))
				break;
			p->row.v[k] = *q;
		}
		p->row.v[k] = r;
	}
	return 0;
}

/* Adds the rows of all jobs that sprio lists; with o->blocked, also of jobs that are not eligible yet. Returns -1 if
 * out of memory. */
static int add_slurm_rows(struct fs_prios *p, const struct fs_prios_options *o)
{
	for (uint32_t i = 0; i < p->m->job.n; i++) {
		const size_t start = p->row.n;

		if (!fsi_prio_is_job_requested(o, i) || !has_priority_rows(p, &p->m->job.v[i], o && o->blocked))
			continue;
		if (fsi_prio_add_rows(p, i) || sort_job_rows(p, start))
			return -1;
	}
	return 0;
}

/* ---- sums
 *
 * sum = age + assoc + fairshare + jobsize + partition + qos + site - nice + tres..., where each term is factor *
 * weight. The priority is at least 1, and its fraction is dropped (src/sprio/print.c: _get_priority). */

/* Returns the priority that the scheduler computes from the sum of the terms: a whole number, at least 1. */
static double sum_to_stored_priority(double sum)
{
	return isnan(sum) ? NAN : sum < 1 ? 1 : trunc(sum);
}

static void fill_slurm_inputs(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out)
{
	const struct fsi_slurm_prio *s = fsi_slurm_prio_data(p);
	const struct fsi_prio_row *r = &p->row.v[i];
	const struct fsi_job *job = &p->m->job.v[r->job];

	switch (p->weights[t].factor) {
	case FS_FACTOR_AGE:
		*out = age_factor_inputs(s, job);
		break;
	case FS_FACTOR_ASSOC:
		*out = assoc_factor_inputs(s, fsi_job_find_assoc(p->m, job));
		break;
	case FS_FACTOR_JOBSIZE:
		*out = jobsize_factor_inputs(s, job);
		break;
	case FS_FACTOR_PARTITION:
		*out = partition_factor_inputs(s, r->partition);
		break;
	case FS_FACTOR_QOS:
		*out = qos_factor_inputs(s, job, r->qos);
		break;
	case FS_FACTOR_TRES:
		*out = tres_factor_inputs(s, job, r->partition, s->conf.weight_tres[t - FS_FACTOR_TRES].tres);
		break;
	default:
		break;
	}
}

static double assoc_fairshare_factor(const struct fs_prios *p, uint32_t assoc)
{
	const struct fsi_slurm_prio *s = fsi_slurm_prio_data(p);

	if (assoc == FSI_NO_INDEX)
		return s->fairshare && !fsi_is_type_hidden(p->m, "association") ? 0 : NAN;
	return s->fairshare[assoc];
}

static double compute_weighted_factor(uint32_t weight, struct fs_prio_inputs in)
{
	return weight ? compute_slurm_factor(&in) : 0;
}

static void compute_row_factors(const struct fs_prios *p, size_t i, double *v)
{
	const struct fsi_slurm_prio *s = fsi_slurm_prio_data(p);
	const struct fsi_slurm_conf *c = &s->conf;
	const struct fsi_prio_row *r = &p->row.v[i];
	const struct fsi_job *job = &p->m->job.v[r->job];
	const uint32_t assoc = fsi_job_find_assoc(p->m, job);

	v[FS_FACTOR_AGE] = compute_weighted_factor(c->weight_age, age_factor_inputs(s, job));
	v[FS_FACTOR_ASSOC] = compute_weighted_factor(c->weight_assoc, assoc_factor_inputs(s, assoc));
	v[FS_FACTOR_FAIRSHARE] = c->weight_fairshare ? assoc_fairshare_factor(p, assoc) : 0;
	v[FS_FACTOR_JOBSIZE] = compute_weighted_factor(c->weight_jobsize, jobsize_factor_inputs(s, job));
	v[FS_FACTOR_PARTITION] = compute_weighted_factor(c->weight_partition, partition_factor_inputs(s, r->partition));
	v[FS_FACTOR_QOS] = compute_weighted_factor(c->weight_qos, qos_factor_inputs(s, job, r->qos));
	for (size_t t = 0; t < c->ntres; t++) {
		const struct fs_prio_inputs in = tres_factor_inputs(s, job, r->partition, c->weight_tres[t].tres);

		v[FSI_ROW_FACTORS + t] = compute_slurm_factor(&in);
	}
}

static int store_fairshare_factors(struct fs_prios *p, const fs_shares *shares)
{
	const size_t n = shares ? p->m->association.n : 0;
	double *v = fsi_arena_array(&p->arena, n + 1, sizeof(*v));

	if (!v)
		return -1;
	for (size_t i = 0; i < n; i++)
		v[i] = shares->f.share[i].factor;
	fsi_slurm_prio_data(p)->fairshare = shares ? v : NULL;
	return 0;
}

static int make_slurm_weights(struct fs_prios *p)
{
	static const char *const names[] = { FS_FACTORS(FSI_NAME) };
	const struct fsi_slurm_conf *c = &fsi_slurm_prio_data(p)->conf;
	const double weights[] = { c->weight_age,     c->weight_assoc,	   c->weight_fairshare,
				   c->weight_jobsize, c->weight_partition, c->weight_qos,
				   1,		      -1 };

	p->nterms = FS_FACTOR_TRES + c->ntres;
	p->weights = fsi_arena_array(&p->arena, p->nterms, sizeof(*p->weights));
	if (!p->weights)
		return -1;
	for (size_t i = 0; i < FS_FACTOR_TRES; i++)
		p->weights[i] = (struct fs_prio_term){ .factor = (enum fs_factor)i,
						       .name = names[i],
						       .weight = weights[i] };
	for (size_t t = 0; t < c->ntres; t++) {
		const char *name = fsi_name_text(p->m, c->weight_tres[t].tres);
		const size_t len = strlen(name);
		char *full = fsi_arena_alloc(&p->arena, len + 6);

		if (!full)
			return -1;
		memcpy(full, "tres/", 5);
		memcpy(full + 5, name, len);
		p->weights[FS_FACTOR_TRES + t] = (struct fs_prio_term){
			.factor = FS_FACTOR_TRES, .name = full, .weight = c->weight_tres[t].weight
		};
	}
	return 0;
}

/* Returns true if the terms of the job are shown as sprio showed them before 23.02. This concerns only jobs with
 * several partitions; the caller tests that an administrator set the priority. Slurm before 23.02 set all stored
 * factors of such a job to 0, and then set the partition factor again. The site factor and nice are stored with an
 * offset, so a stored 0 means -NICE_OFFSET. sprio prints the sum of all these terms. */
static bool has_old_cleared_terms(const struct fs_prios *p, const struct fsi_job *job)
{
	size_t parts;

	fsi_list_items(p->m, job->partitions, &parts);
	return fsi_slurm_prio_data(p)->as_printed && parts > 1 && !fs_slurm_has(p->compat, FS_SLURM_ADMIN_SET_CLEARED);
}

static double job_site_factor(const struct fs_prios *p, const struct fsi_job *job)
{
	return (fsi_slurm_prio_data(p)->conf.site_plugin || fsi_is_type_hidden(p->m, FSI_HIDDEN_JOB_FIELDS)) &&
			       !FSI_HAS(job, JOB, site_factor)
		       ? (double)NAN
		       : job->site_factor;
}

static double job_nice_value(const struct fs_prios *p, const struct fsi_job *job)
{
	return !FSI_HAS(job, JOB, nice) && fsi_is_type_hidden(p->m, FSI_HIDDEN_JOB_FIELDS) ? (double)NAN : job->nice;
}

/* Sets the value of the term to the factor that sprio printed, if there is one. */
static void use_recorded_factor(const struct fs_prios *p, const struct fsi_recorded *r, size_t t,
				struct fs_prio_term *term)
{
	const struct fsi_slurm_prio *s = fsi_slurm_prio_data(p);
	const uint32_t tres = t < FS_FACTOR_TRES ? 0 : s->conf.weight_tres[t - FS_FACTOR_TRES].tres;

	const double printed = fsi_prio_recorded_factor(p->m, r, term->factor, tres, term->weight);

	if (!isnan(printed))
		term->value = printed;
	term->recorded = !isnan(term->value);
}

/* Returns true if the factor that sprio printed replaces the computed value of term t. Only the fair-share factor is
 * replaced, and only if associations are hidden. A computed factor would then come from sshare's output, which has one
 * digit less than sprio's. */
static bool prefers_recorded_factor(const struct fs_prios *p, size_t t)
{
	return t == FS_FACTOR_FAIRSHARE && p->weights[t].weight != 0 && fsi_is_type_hidden(p->m, "association");
}

/* Returns true if the scheduler no longer updates the job's factors. The printed values are then valid for every
 * time. */
static bool is_row_frozen(const struct fs_prios *p, size_t i)
{
	const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];

	return fsi_slurm_prio_data(p)->ended_frozen && (fsi_job_has_ended(job) || job->state == FSI_STATE_COMPLETING);
}

static const struct fsi_recorded *find_row_record(const struct fs_prios *p, size_t i)
{
	const struct fsi_prio_row *r = &p->row.v[i];

	if (!fsi_slurm_prio_data(p)->recorded.n || (p->now != p->m->info.time && !is_row_frozen(p, i)))
		return NULL;
	return fsi_prio_recorded_find(&fsi_slurm_prio_data(p)->recorded, p->m->job.v[r->job].id, r->partition_name,
				      r->qos);
}

/* Computes the terms of row i from its inputs. The factors are not stored: for a million rows, they would need more
 * memory than all other data of the rows. */
static void fill_slurm_terms(const struct fs_prios *p, size_t i, const struct fsi_job *job, bool direct,
			     struct fs_prio_row *row)
{
	const double nice_offset = 2147483648.0; /* NICE_OFFSET */
	const bool cleared = direct && has_old_cleared_terms(p, job), frozen = is_row_frozen(p, i);
	const struct fsi_recorded *record = find_row_record(p, i);
	double v[FS_PRIO_TERMS_MAX];

	compute_row_factors(p, i, v);
	for (size_t t = 0; t < p->nterms; t++) {
		struct fs_prio_term *term = &row->terms[t];

		*term = p->weights[t];
		if (t < FSI_ROW_FACTORS)
			term->value = direct && !(cleared && t == FS_FACTOR_PARTITION) ? 0 : v[t];
		else if (t == FS_FACTOR_SITE)
			term->value = cleared ? -nice_offset : direct ? 0 : job_site_factor(p, job);
		else if (t == FS_FACTOR_NICE)
			term->value = cleared ? -nice_offset : direct ? 0 : job_nice_value(p, job);
		else
			term->value = direct ? 0 : v[t - FS_FACTOR_TRES + FSI_ROW_FACTORS];
		if (record && (frozen || isnan(term->value) || prefers_recorded_factor(p, t)))
			use_recorded_factor(p, record, t, term);
		term->points = fs_slurm_wire(term->value * term->weight) + 0.0; /* avoids -0 */
		if (record && isnan(term->points)) {
			term->points = fsi_prio_recorded_points(record, term->factor);
			term->recorded = !isnan(term->points);
		}
	}
}

/* Returns the priority that the scheduler printed for row i; NAN: none. */
static double find_printed_priority(const struct fs_prios *p, size_t i)
{
	const struct fsi_recorded *record = find_row_record(p, i);
	const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];
	size_t parts;

	if (record && FSI_HAS(record, RECORDED, priority))
		return record->priority;
	fsi_list_items(p->m, job->partitions, &parts);
	return parts == 1 && FSI_HAS(job, JOB, priority) && p->now == p->m->info.time ? job->priority : (double)NAN;
}

/* Sets the priority of the row to the printed priority, if there is one. Used for a snapshot from pasted output, which
 * may lack fields of jobs. If the computed values differ from the printed ones by more than rounding explains, an
 * administrator may have set the priority. All terms and the sum are then set to unknown. */
static void prefer_printed_values(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const double printed = find_printed_priority(p, i);
	const struct fsi_recorded *record = find_row_record(p, i);
	size_t rounded = 1;
	bool contradicts = false;

	for (size_t t = 0; t < p->nterms; t++)
		rounded += row->terms[t].points != 0;
	contradicts = fabs(row->priority - printed) > (double)rounded;

	for (size_t t = 0; record && t < p->nterms; t++)
		contradicts = contradicts ||
			fabs(row->terms[t].points - fsi_prio_recorded_points(record, row->terms[t].factor)) > 1;
	if (isnan(printed) && !contradicts)
		return;
	for (size_t t = 0; contradicts && t < p->nterms; t++)
		row->terms[t].value = row->terms[t].points = NAN;
	if (contradicts)
		row->sum = NAN;
	row->priority = printed;
}

/* Returns the printed points of a TRES. sprio lists each TRES that has any points. Points less than 1 are unknown,
 * because sprio prints them as `mem=0`; the function returns DBL_MIN for these points. */
static double printed_tres_points(const struct fs_prios *p, const struct fsi_recorded *r, uint32_t tres)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(p->m, FSI_HAS(r, RECORDED, tres) ? r->tres : 0, &n);

	for (size_t i = 0; i < n; i++)
		if (a[i].tres == tres)
			return a[i].n ? (double)a[i].n : DBL_MIN;
	return 0;
}

/* Returns the printed points of a term. sprio prints the points of site and nice exactly, and the points of all other
 * terms as whole numbers. */
static double printed_term_points(const struct fs_prios *p, const struct fsi_recorded *r, size_t t,
				  const struct fs_prio_term *term)
{
	if (t >= FS_FACTOR_TRES)
		return printed_tres_points(p, r, fsi_slurm_prio_data(p)->conf.weight_tres[t - FS_FACTOR_TRES].tres);
	if (t == FS_FACTOR_SITE || t == FS_FACTOR_NICE)
		return term->value * term->weight + 0.0; /* avoids -0 */
	return fsi_prio_recorded_points(r, term->factor);
}

static void fill_printed_row(const struct fs_prios *p, size_t i, bool direct, struct fs_prio_row *row)
{
	const struct fsi_recorded *record = find_row_record(p, i);

	for (size_t t = 0; t < p->nterms; t++) {
		struct fs_prio_term *term = &row->terms[t];

		*term = p->weights[t];
		term->value = term->points = NAN;
		if (record) {
			use_recorded_factor(p, record, t, term);
			term->points = printed_term_points(p, record, t, term);
		}
		row->sum += term->points;
	}
	row->priority = record && FSI_HAS(record, RECORDED, priority) ? record->priority : (double)NAN;
	row->set_directly = direct;
	if (direct)
		row->sum = row->priority;
}

/* Replaces the factors and the points of row i by the values that sprio printed, unless the computed values round to
 * them. Factors of TRES are not printed with enough digits and stay. */
static void use_recorded_terms(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const double half_point = 0.5, half_digit = 0.5e-7; /* sprio prints whole points, and factors with 7 digits */
	const struct fsi_recorded *record = find_row_record(p, i);

	for (size_t t = 0; t < FS_FACTOR_SITE; t++) {
		struct fs_prio_term *term = &row->terms[t];
		const double points = fsi_prio_recorded_points(record, term->factor), computed = term->value;

		if (fabs(points - term->points) > half_point)
			term->points = points;
		use_recorded_factor(p, record, t, term);
		if (fabs(term->value - computed) <= half_digit)
			term->value = computed;
	}
	for (size_t t = FS_FACTOR_TRES; t < p->nterms && FSI_HAS(record, RECORDED, tres); t++) {
		struct fs_prio_term *term = &row->terms[t];
		const double points = printed_term_points(p, record, t, term);

		term->recorded = true;
		if (fabs(points - term->points) > half_point) {
			term->points = points;
			term->value = points / term->weight;
		}
	}
}

/* Replaces the priority of row i by the priority that sprio printed. */
static void use_recorded_priority(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const struct fsi_recorded *record = find_row_record(p, i);

	if (!record)
		return;
	if (fsi_slurm_prio_data(p)->as_printed)
		use_recorded_terms(p, i, row);
	if (!FSI_HAS(record, RECORDED, priority) || isnan(row->priority))
		return;
	if (FSI_HAS(record, RECORDED, norm_priority))
		row->norm_priority = record->norm_priority;
	row->unexplained = record->priority - row->priority;
	row->priority = record->priority;
	if (fsi_slurm_prio_data(p)->as_printed && row->unexplained != 0)
		row->sum = row->priority;
}

static void compute_slurm_row(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const struct fsi_job *job = &p->m->job.v[row->job_row];
	const bool direct = FSI_HAS(job, JOB, priority_set) && job->priority_set;
	const struct fsi_recorded *record;

	if (fsi_slurm_prio_data(p)->printed_only) {
		fill_printed_row(p, i, direct, row);
		return;
	}
	fill_slurm_terms(p, i, job, direct, row);
	row->set_directly = direct && !has_old_cleared_terms(p, job);
	if (row->set_directly) {
		row->sum = row->priority = job->priority_set;
		return;
	}
	for (size_t t = 0; t < p->nterms; t++)
		/* Printed points are rounded, so their sum is not exact. The sum is therefore unknown if the value of
		 * any term is NAN, even if the printed points of that term are known. */
		row->sum += isnan(row->terms[t].value) ? NAN : row->terms[t].points;
	row->priority = sum_to_stored_priority(row->sum);
	record = is_row_frozen(p, i) ? find_row_record(p, i) : NULL;
	if (record && FSI_HAS(record, RECORDED, priority))
		row->priority = record->priority;
	if (fsi_is_type_hidden(p->m, FSI_HIDDEN_JOB_FIELDS))
		prefer_printed_values(p, i, row);
	if (fsi_slurm_prio_data(p)->uses_recorded)
		use_recorded_priority(p, i, row);
}

/* Returns 1 if row i is the first row of a job with more than MANY_PARTITIONS partitions, else 0. All rows of such a
 * job share one computation of its request, because the computation visits each partition. For k partitions, a
 * computation for each row would take k^2 steps. */
static size_t starts_shared_request(const struct fs_prios *p, size_t i)
{
	enum { MANY_PARTITIONS = 4 };
	const uint32_t job = p->row.v[i].job;
	size_t n;

	fsi_list_items(p->m, p->m->job.v[job].partitions, &n);
	return n > MANY_PARTITIONS && (!i || p->row.v[i - 1].job != job);
}

static int store_shared_requests(struct fs_prios *p)
{
	struct fsi_slurm_prio *s = fsi_slurm_prio_data(p);
	struct fsi_counted_request *many;
	uint32_t *of;
	size_t n = 0;

	for (size_t i = 0; i < p->row.n; i++)
		n += starts_shared_request(p, i);
	if (!n)
		return 0;
	of = fsi_arena_array(&p->arena, p->m->job.n, sizeof(*of));
	many = fsi_arena_array(&p->arena, n, sizeof(*many));
	if (!of || !many)
		return -1;
	n = 0;
	for (size_t i = 0; i < p->row.n; i++)
		if (starts_shared_request(p, i)) {
			many[n] = fsi_request_count_cpus(&s->requests, &p->m->job.v[p->row.v[i].job], FSI_NO_INDEX);
			of[p->row.v[i].job] = (uint32_t)++n;
		}
	s->shared_request_of = of;
	s->shared_requests = many;
	return 0;
}

/* Returns true if the values that the scheduler printed apply: no command was applied to the snapshot, and the view
 * has the snapshot's own algorithm, usage and time. */
static bool is_state_unchanged(const struct fs_prios *p, const struct fs_view *view)
{
	struct fs_view v = *view;

	if (v.compat == p->m->info.version)
		v.compat = 0;
	return !fs_view_differs(&v) && !p->m->edits && p->now == p->m->info.time;
}

static int compute_slurm_priorities(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o,
				    struct fs_error *err)
{
	struct fsi_slurm_prio *s = p->own = fsi_arena_alloc(&p->arena, sizeof(*s));
	int rc;

	if (!s)
		return fsi_fail_no_memory(err);
	s->m = p->m;
	s->node = fsi_name_find(p->m, "node");
	s->last_run = p->last_run;
	s->as_printed = o && o->as_printed;
	s->printed_only = fsi_is_type_hidden(p->m, FSI_HIDDEN_PRIORITY_INPUTS);
	s->ended_frozen = fsi_slurm_freezes_ended_jobs(p->m);
	rc = fsi_slurm_conf_load(p->m, &s->conf, err);
	if (rc)
		return rc;
	if (!s->conf.multifactor)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: jobs have no priority factors: PriorityType is not priority/multifactor",
					  p->m->file);
	s->totals = compute_factor_totals(p->m);
	s->uses_recorded = o && o->recorded && is_state_unchanged(p, &o->view);
	if (fsi_prio_recorded_init(&s->recorded, p->m, s->uses_recorded, &p->arena) ||
	    fsi_request_settings_init(&s->requests, p->m, &p->arena))
		return fsi_fail_no_memory(err);
	if (make_slurm_weights(p))
		return fsi_fail_no_memory(err);
	if (p->now > p->m->info.time)
		rc = fs_accrue_compute(&p->accrue, p->m, p->compat, err);
	s->accrue = p->accrue;
	if (!rc && (store_fairshare_factors(p, shares) || add_slurm_rows(p, o) || store_shared_requests(p)))
		rc = fsi_fail_no_memory(err);
	return rc;
}

static void release_slurm_priorities(struct fs_prios *p)
{
	fs_accrue_free(p->accrue);
}

/* `max`: the controller stores priorities as uint32_t (priority_multifactor.c: _get_priority_internal). The sums that
 * sprio prints have no such maximum. */
const struct fsi_prio_scheduler fsi_slurm_prio = {
	.uses_recorded = true,
	.max = UINT32_MAX,
	.stored_priority = sum_to_stored_priority,
	.compute = compute_slurm_priorities,
	.row = compute_slurm_row,
	.inputs = fill_slurm_inputs,
	.release = release_slurm_priorities,
};

/* ---- accrue limits
 *
 * Accrue limits restrict which jobs accrue age (src/slurmctld/acct_policy.c: acct_policy_handle_accrue_time,
 * acct_policy_add_accrue_time).
 *
 * A job accrues age from its accrue_time on. If limits are enforced, an eligible job gets an accrue_time only while the
 * number of jobs in the limit's scope that accrue age is less than the limit. Each array task counts as one job. Only
 * one limit is checked for a job (_get_accrue_limits). The limit is selected from these levels:
 *
 *   QOS of the job            GrpJobsAccrue, MaxJobsAccruePerAccount, MaxJobsAccruePerUser
 *   association of the job    GrpJobsAccrue, MaxJobsAccrue
 *   each ancestor             GrpJobsAccrue
 *
 * The limit is taken from the first level that sets any limit. Within the level, versions up to 24.05.3 use the first
 * limit that is set. Later versions use the smallest limit, and the first one if several are equal
 * (_get_accrue_create_cnt). Jobs start to accrue age in the order of their ids, not of their priorities. */
/* Scope of a QOS limit: the jobs that the limit counts. Slurm checks the limits in the order of the enumerators. */
enum accrue_scope { ALL_USERS, ACCOUNT, USER };

struct accrue_decision {
	enum fs_accrue_state state;
	const char *limit;
	/* `scope`: name id of the QOS or account that sets the limit; `value`: value of the limit; `used`: number of
	 * jobs that accrue age under the limit; `ahead`: number of jobs with lower ids that wait for the limit. Each
	 * array task counts as one job */
	uint32_t scope, value, used, ahead;
};

struct fs_accrue {
	const fs_snapshot *m;
	/* true: if one QOS or association sets several limits, the smallest one applies; false: the first one
	 * applies */
	bool smallest_decides;
	/* ids of the combinations of a QOS, a scope (enum accrue_scope), and the name id of a user or account (0 for
	 * ALL_USERS) */
	struct fsi_intern keys;
	/* `accruing`: number of jobs that accrue age; `waiting`: number of jobs that wait for a QOS limit. Both are
	 * indexed by the ids in `keys` */
	FSI_VEC(uint32_t) accruing, waiting;
	/* `accruing_below`: number of jobs accruing age that belong to the association or to an association below it;
	 * `waiting_at`: number of jobs that wait for a limit of the association. Both are indexed by association */
	uint32_t *accruing_below, *waiting_at;
	/* accrue state and limit of each job, indexed by job row; NULL: limits are not enforced */
	struct accrue_decision *job;
};

static uint32_t count_job_tasks(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, array_tasks) ? fsi_count_tasks(fsi_name_text(m, job->array_tasks)) : 1;
}

/* Returns the index in a->accruing and a->waiting for the QOS, the scope, and the job's user or account. Adds an
 * element if there is none. Returns FSI_INTERN_FAILED if out of memory. */
static uint32_t intern_scope_key(struct fs_accrue *a, const struct fsi_qos *q, enum accrue_scope scope,
				 const struct fsi_job *job)
{
	const uint32_t name = scope == ACCOUNT ? job->account
			      : scope == USER  ? job->user
						   : 0;
	const uint32_t key[3] = { q->name, scope, name };
	const uint32_t id = fsi_intern_add(&a->keys, key, sizeof(key));

	while (id != FSI_INTERN_FAILED && a->accruing.n <= id) {
		if (FSI_VEC_RESERVE(&a->accruing) || FSI_VEC_RESERVE(&a->waiting))
			return FSI_INTERN_FAILED;
		a->accruing.v[a->accruing.n++] = 0;
		a->waiting.v[a->waiting.n++] = 0;
	}
	return id;
}

static bool has_accrue_time(const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING && FSI_HAS(job, JOB, accrue_time);
}

static bool is_eligible_now(const fs_snapshot *m, const struct fsi_job *job)
{
	const bool held = FSI_HAS(job, JOB, priority) && !job->priority;

	return !held && FSI_HAS(job, JOB, eligible_time) && job->eligible_time <= m->info.time;
}

static int count_accruing_jobs(struct fs_accrue *a)
{
	const fs_snapshot *m = a->m;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const struct fsi_qos *q = fsi_job_highest_qos(m, job);
		uint32_t assoc;

		if (!has_accrue_time(job))
			continue;
		for (enum accrue_scope s = ALL_USERS; q && s <= USER; s++) {
			const uint32_t key = intern_scope_key(a, q, s, job);

			if (key == FSI_INTERN_FAILED)
				return -1;
			a->accruing.v[key] += count_job_tasks(m, job);
		}
		assoc = fsi_job_find_assoc(m, job);
		if (assoc != FSI_NO_INDEX)
			a->accruing_below[assoc] += count_job_tasks(m, job);
	}
	for (size_t i = m->association.n; i-- > 0;)
		if (m->tree[i].parent != FSI_NO_INDEX)
			a->accruing_below[m->tree[i].parent] += a->accruing_below[i];
	return 0;
}

/* Stores a limit in *j if *j has none. If a->smallest_decides is set, also replaces a stored limit by a smaller one.
 * Returns true if it stored the limit. */
static bool offer_accrue_limit(const struct fs_accrue *a, struct accrue_decision *j, const char *limit, uint32_t scope,
			       uint32_t value, uint32_t used)
{
	if (j->limit && (!a->smallest_decides || j->value <= value))
		return false;
	j->limit = limit;
	j->scope = scope;
	j->value = value;
	j->used = used;
	return true;
}

#define QOS_ACCRUE_LIMIT(member, TYPE, name, column, shown, word, order, measure, counted) \
	[counted] = { name, q && FSI_HAS(q, QOS, member), q ? q->member : 0 },

/* Finds the accrue limit of the job's QOS that applies to the job, and stores it in *j. Returns the index of the limit
 * in a->accruing and a->waiting. Returns FSI_INTERN_FAILED if no QOS limit applies, or if out of memory. */
static uint32_t decide_qos_limit(struct fs_accrue *a, const struct fsi_job *job, struct accrue_decision *j)
{
	const struct fsi_qos *q = fsi_job_highest_qos(a->m, job);
	const struct {
		const char *name;
		bool set;
		uint32_t value;
	} limits[] = { FSI_QOS_ACCRUE_LIMITS(QOS_ACCRUE_LIMIT) };
	uint32_t deciding_key = FSI_INTERN_FAILED;

	for (enum accrue_scope s = ALL_USERS; s <= USER; s++) {
		const uint32_t key = limits[s].set ? intern_scope_key(a, q, s, job) : FSI_INTERN_FAILED;

		if (key != FSI_INTERN_FAILED &&
		    offer_accrue_limit(a, j, limits[s].name, q->name, limits[s].value, a->accruing.v[key]))
			deciding_key = key;
	}
	return deciding_key;
}

/* Finds the accrue limit of an association that applies to the job, and stores it in *j. The association is the job's
 * own or an ancestor. Returns the association; FSI_NO_INDEX: no such limit applies. */
static uint32_t decide_assoc_limit(struct fs_accrue *a, const struct fsi_job *job, struct accrue_decision *j)
{
	const uint32_t own = fsi_job_find_assoc(a->m, job);

	for (uint32_t i = own; i != FSI_NO_INDEX; i = a->m->tree[i].parent) {
		const struct fsi_association *x = &a->m->association.v[i];

		if (FSI_HAS(x, ASSOCIATION, grp_jobs_accrue))
			offer_accrue_limit(a, j, "GrpJobsAccrue", x->account, x->grp_jobs_accrue, a->accruing_below[i]);
		if (i == own && FSI_HAS(x, ASSOCIATION, max_jobs_accrue))
			offer_accrue_limit(a, j, "MaxJobsAccrue", x->account, x->max_jobs_accrue, a->accruing_below[i]);
		if (j->limit)
			return i;
	}
	return FSI_NO_INDEX;
}

static enum fs_accrue_state state_without_limits(const fs_snapshot *m, const struct fsi_job *job)
{
	if (job->state != FSI_STATE_PENDING || (!has_accrue_time(job) && !is_eligible_now(m, job)))
		return FS_ACCRUE_NOT_ELIGIBLE;
	return has_accrue_time(job) ? FS_ACCRUE_ACCRUING : FS_ACCRUE_READY;
}

/* Sets the accrue state of the job. If a limit applies and the job has no accrue_time, also adds the tasks of the job
 * to the number of jobs that wait for the limit. The caller must pass jobs in the order of their ids. */
static void decide_job_accrual(struct fs_accrue *a, const struct fsi_job *job, struct accrue_decision *j)
{
	uint32_t *queue = NULL, scope_id;

	j->state = state_without_limits(a->m, job);
	if (j->state == FS_ACCRUE_NOT_ELIGIBLE)
		return;
	scope_id = decide_qos_limit(a, job, j);
	if (scope_id != FSI_INTERN_FAILED)
		queue = &a->waiting.v[scope_id];
	else if ((scope_id = decide_assoc_limit(a, job, j)) != FSI_NO_INDEX)
		queue = &a->waiting_at[scope_id];
	if (queue && j->state != FS_ACCRUE_ACCRUING) {
		j->ahead = *queue;
		*queue += count_job_tasks(a->m, job);
		j->state = (int64_t)j->value - j->used > j->ahead ? FS_ACCRUE_READY : FS_ACCRUE_WAITING;
	}
}

static bool are_limits_enforced(const fs_snapshot *m)
{
	const uint32_t enforce = fsi_config_get_list(m, "AccountingStorageEnforce");

	return !fsi_config_list_has(m, "PriorityFlags", "ACCRUE_ALWAYS") &&
	       (fsi_list_has_word(m, enforce, "limits") || fsi_list_has_word(m, enforce, "safe"));
}

#define OR_QOS_HAS(member, ...) || FSI_HAS(&m->qos.v[i], QOS, member)
#define OR_ASSOC_HAS(member, ...) || FSI_HAS(&m->association.v[i], ASSOCIATION, member)

static bool has_accrue_limits(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->qos.n; i++)
		if (false FSI_QOS_ACCRUE_LIMITS(OR_QOS_HAS))
			return true;
	for (size_t i = 0; i < m->association.n; i++)
		if (false FSI_ASSOC_ACCRUE_LIMITS(OR_ASSOC_HAS))
			return true;
	return false;
}

static int decide_all_jobs(struct fs_accrue *a)
{
	const fs_snapshot *m = a->m;

	a->accruing_below = calloc(m->association.n + 1, sizeof(*a->accruing_below));
	a->waiting_at = calloc(m->association.n + 1, sizeof(*a->waiting_at));
	a->job = calloc(m->job.n + 1, sizeof(*a->job));
	if (!a->accruing_below || !a->waiting_at || !a->job || count_accruing_jobs(a))
		return -1;
	for (size_t i = 0; i < m->job.n; i++)
		decide_job_accrual(a, &m->job.v[i], &a->job[i]);
	return 0;
}

int fs_accrue_compute(fs_accrue **out, const fs_snapshot *m, unsigned compat, struct fs_error *err)
{
	struct fs_accrue *a;

	if (!m->scheduler->limits_age_accrual)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: limits on age accrual are not modelled for scheduler \"%s\"", m->file,
					  m->info.scheduler);
	a = calloc(1, sizeof(*a));
	if (!a)
		return fsi_fail_no_memory(err);
	a->m = m;
	a->smallest_decides = fs_slurm_has(compat ? compat : m->info.version, FS_SLURM_ACCRUE_SMALLEST);
	if (are_limits_enforced(m) && has_accrue_limits(m) && decide_all_jobs(a)) {
		fs_accrue_free(a);
		return fsi_fail_no_memory(err);
	}
	*out = a;
	return 0;
}

void fs_accrue_free(fs_accrue *a)
{
	if (!a)
		return;
	fsi_intern_release(&a->keys);
	FSI_VEC_FREE(&a->accruing);
	FSI_VEC_FREE(&a->waiting);
	free(a->accruing_below);
	free(a->waiting_at);
	free(a->job);
	free(a);
}

bool fs_accrue_job(const fs_accrue *a, uint32_t job_row, struct fs_accrue_row *out)
{
	struct accrue_decision plain = { 0 };
	const struct accrue_decision *j = &plain;

	if (!a || job_row >= a->m->job.n)
		return false;
	if (a->job)
		j = &a->job[job_row];
	else
		plain.state = state_without_limits(a->m, &a->m->job.v[job_row]);
	*out = (struct fs_accrue_row){ j->state, j->limit, fsi_name_text(a->m, j->scope),  j->value,
				       j->used,  j->ahead, fsi_is_type_hidden(a->m, "job") };
	return true;
}

struct fsi_slurm_prio *fsi_slurm_prio_data(const struct fs_prios *p)
{
	return p->own;
}
