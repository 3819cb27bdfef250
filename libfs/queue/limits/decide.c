/* Is a limit in a job's way? (src/slurmctld/acct_policy.c: _validate_tres_usage_limits, _validate_tres_limits_for_qos
 * and _for_assoc, _qos_job_runnable_pre_select)
 *
 *   in use, promised      used + wants > limit, or wants > limit: then never
 *   running jobs          used >= limit
 *   minutes, wall used    used >= limit; with `safe` also used + promised + wants > limit
 *   asked for by a job    wants > limit (MinTRESPerJob: wants < limit); on a node: TRES / nodes that were chosen, whole
 *
 * Nodes that are in use there do not count again: whether a job needs others is known to the scheduler alone. Times
 * and uses are compared in whole minutes. What is unknown is not in the way. */
#include "queue/limits/limits.h"

#include <math.h>
#include <string.h>

static const double minute_s = 60;

/* ---- what the job asks for */

static double seconds_of(const struct fsi_job *j)
{
	if (FSI_SPECIAL(j, JOB, time_limit_s))
		return INFINITY;
	return FSI_HAS(j, JOB, time_limit_s) ? (double)j->time_limit_s : (double)NAN;
}

/* Backfill lets a job run for no longer than its --time-min while it asks whether there is room for its minutes
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill sets time_limit, acct_policy_job_runnable_post_select). */
static double least_seconds_of(const fs_snapshot *m, const struct fsi_job *j)
{
	const double all = seconds_of(j),
		     least = FSI_HAS(j, JOB, time_min_s) ? (double)fsi_job_rare(m, j)->time_min_s : 0;

	return least > 0 && least < all ? least : all;
}

/* The amount of any TRES but billing. */
static double resource_of(const struct fsi_limit_rules *r, uint32_t tres)
{
	const double asked = fsi_limit_amount(r->m, r->job, tres);

	if (!isnan(asked) && r->partition != FSI_NO_INDEX &&
	    !strncmp(fsi_str(r->m, tres), "gres/", strlen("gres/"))) {
		const double has = (double)fsi_request_whole_gres(r->requests, r->job, r->partition, tres);

		return has > asked ? has : asked;
	}
	if (isnan(asked) || !r->request.why || r->request.min <= r->request.asked)
		return asked;
	if (tres == r->cpu)
		return (double)r->request.min;
	if (tres == r->mem && r->request.mem_per_cpu_mb)
		return (double)r->request.min * r->request.mem_per_cpu_mb;
	return asked;
}

static bool grown(const struct fsi_limit_rules *r, uint32_t tres)
{
	return resource_of(r, tres) > fsi_limit_amount(r->m, r->job, tres);
}

/* Billed is what the job counts for (assoc_mgr_tres_weighted, cut to a whole number). */
static double billed(const struct fsi_limit_rules *r, double asked)
{
	const struct fsi_billing_weights *w = fsi_billing_weights_in(r->billing, r->partition);
	struct fsi_amount a[FSI_TRES_WEIGHTS_MAX + 1];
	struct fs_bill bill;
	bool more = !w->set && grown(r, r->cpu);
	size_t n = 0;

	a[n++] = (struct fsi_amount){ .tres = r->cpu, .n = (int64_t)resource_of(r, r->cpu) };
	for (size_t i = 0; w->set && i < w->n; i++) {
		more |= grown(r, w->w[i].tres);
		if (w->w[i].tres != r->cpu)
			a[n++] = (struct fsi_amount){ .tres = w->w[i].tres,
						      .n = (int64_t)resource_of(r, w->w[i].tres) };
	}
	if (!more)
		return asked;
	fsi_billing_compute(r->billing, r->billing->mode, r->partition, a, n, &bill);
	return floor(bill.rate) > asked ? floor(bill.rate) : asked;
}

/* Limits on resources are tested once nodes were chosen for the job (src/slurmctld/node_scheduler.c: select_nodes): by
 * the CPUs that it counts for then, the memory of these, the generic resources of whole nodes, and what all that
 * costs. */
static double amount_of(const struct fsi_limit_rules *r, uint32_t tres)
{
	const double asked = resource_of(r, tres);

	return tres == r->billing_name && tres && r->partition != FSI_NO_INDEX && !isnan(asked)
		       ? billed(r, asked)
		       : asked;
}

static double minutes_of(const struct fsi_limit_rules *r, uint32_t tres)
{
	const double amount = amount_of(r, tres);

	return amount == 0 ? 0
			   : amount * floor(floor(least_seconds_of(r->m, r->job) / minute_s) * r->time_factor);
}

/* The most nodes that may be chosen: each gives one CPU or more. Without tasks it is not told that they may be more. */
static double most_nodes(const struct fsi_limit_rules *r, double least)
{
	const struct fsi_job *j = r->job;
	const double max = FSI_HAS(j, JOB, max_nodes) && j->max_nodes ? j->max_nodes : amount_of(r, r->cpu);

	return FSI_HAS(j, JOB, tasks) && max > least ? max : least;
}

/* Does the job ask for so much of it on each node, however many there are? */
static bool by_node(const struct fsi_limit_rules *r, uint32_t tres)
{
	if (tres == r->mem)
		return !r->job->mem_per_cpu_mb;
	if (tres == r->cpu && r->cpus)
		return false;
	return r->request.why || (tres != r->cpu && !fsi_job_rare(r->m, r->job)->gres_per);
}

/* On each of the nodes chosen; fewest: as if those were as few as it asks for. */
static double on_a_node(const struct fsi_limit_rules *r, uint32_t tres, bool fewest)
{
	const double least = amount_of(r, r->node), amount = amount_of(r, tres),
		     nodes = fewest || by_node(r, tres) ? least : r->nodes ? r->nodes : most_nodes(r, least);

	return nodes > 0 ? floor(amount / nodes) : amount;
}

double fsi_limit_wants(const struct fsi_limit_rules *r, const struct fsi_limit_kind *k, uint32_t tres)
{
	switch (k->measure) {
	case FSI_RUNNING_TRES:
	case FSI_JOB_TRES:
	case FSI_MIN_TRES:
		return amount_of(r, tres);
	case FSI_NODE_TRES:
		return on_a_node(r, tres, false);
	case FSI_RUNNING_JOBS:
		return 1;
	case FSI_QUEUED_JOBS:
		return 0; /* it is there already */
	case FSI_USED_MINUTES:
		return r->safe ? minutes_of(r, tres) : 0;
	case FSI_PROMISED_MINUTES:
	case FSI_JOB_MINUTES:
		return minutes_of(r, tres);
	case FSI_USED_WALL:
		return r->safe ? seconds_of(r->job) : 0;
	case FSI_JOB_TIME:
		return seconds_of(r->job);
	}
	return NAN;
}

/* ---- */

static bool over_wall(const struct fs_explain_limit *l)
{
	const double used_min = floor(l->used / minute_s), value_min = floor(l->value / minute_s);

	return used_min >= value_min || used_min + floor(l->wants / minute_s) > value_min;
}

void fsi_limit_decide(const struct fsi_limit_rules *r, const struct fsi_limit_kind *k,
		      uint32_t tres, struct fs_explain_limit *l)
{
	const bool asks = k->type != FSI_TRES || amount_of(r, tres) != 0;
	const double used = r->free ? 0 : l->used,
		     promised = isnan(l->promised) || r->free ? 0 : l->promised;

	l->never = l->wants > l->value;
	if (k->type == FSI_TRES && amount_of(r, tres) > fsi_limit_amount(r->m, r->job, tres))
		l->grows = r->request.why ? r->request.why : FS_GROWS_NODES;
	switch (k->measure) {
	case FSI_RUNNING_TRES:
		l->blocks = l->never || (asks && l->used + l->wants > l->value &&
					 (l->named || tres != r->node));
		break;
	case FSI_RUNNING_JOBS:
		l->blocks = l->used >= l->value;
		break;
	case FSI_QUEUED_JOBS: /* looked at when jobs are submitted or changed */
		l->blocks = l->named && l->used >= l->value;
		break;
	case FSI_USED_MINUTES:
		l->blocks = l->never ||
			    (asks && (used >= l->value || used + promised + l->wants > l->value));
		break;
	case FSI_PROMISED_MINUTES:
		l->blocks = l->never || (asks && used + l->wants > l->value);
		break;
	case FSI_USED_WALL:
		l->blocks = l->never || over_wall(l);
		break;
	case FSI_NODE_TRES: /* the scheduler chose fewer nodes than it can */
		l->blocks = l->never || l->named;
		l->wants = l->never || !l->named ? l->wants : on_a_node(r, tres, true);
		break;
	case FSI_JOB_TRES: /* the scheduler chose larger nodes than it can */
		l->blocks = l->never || (l->named && l->grows == FS_GROWS_NODES);
		break;
	case FSI_MIN_TRES:
		l->never = l->wants < l->value;
		/* fall through */
	default:
		l->blocks = l->never;
	}
}

/* ---- is it the limit that the reason names? */

static bool same_resource(const char *resource, const char *tres)
{
	static const struct {
		const char *resource, *begins;
	} known[] = { { "CPUs", "cpu" },	 { "memory", "mem" },	{ "nodes", "node" },
		      { "GRES (GPUs)", "gres/" }, { "licenses", "license/" }, { "energy", "energy" },
		      { "burst buffer", "bb/" }, { "billing units", "billing" } };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(resource, known[i].resource))
			return !strncmp(tres, known[i].begins, strlen(known[i].begins));
	return true; /* "jobs", or a TRES without a reason of its own */
}

bool fsi_limit_named(const struct fs_reason *r, const struct fsi_limit_kind *k, bool of_assoc,
		     const char *tres)
{
	if (!r || (r->section != FS_SECTION_ASSOC_LIMIT && r->section != FS_SECTION_QOS_LIMIT))
		return false;
	return of_assoc == (r->section == FS_SECTION_ASSOC_LIMIT) && !strcmp(r->limit, k->name) &&
	       (k->type != FSI_TRES || same_resource(r->resource, tres));
}
