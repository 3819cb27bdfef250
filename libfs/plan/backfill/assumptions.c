/* Tells what a plan of Slurm assumes. */
#include "plan/scheduler.h"

#include "model/slurm/conf.h"

#include <string.h>

static bool any_unmodelled(const struct fs_plan *p, unsigned bit)
{
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].unmodelled & bit)
			return true;
	return false;
}

static int common_assumptions(struct fs_plan *p)
{
	return fsi_plan_assume(p, "Every job runs for its whole time limit.") ||
	       fsi_plan_assume(p, "No job arrives, is changed or cancelled, and no node changes state.") ||
	       fsi_plan_assume(p, "Priorities stay as they are now.") ||
	       fsi_plan_assume(p, "The scheduler heeds limits of associations and QOS as they are now: a job that one "
		      "keeps gets no start from it, and those that start are not held to theirs.") ||
	       (p->mode == FS_PLAN_BACKFILL &&
		fsi_plan_assume(p, "When a limit lets a job start is told beside it: as running and planned jobs give it "
			  "back at their ends."));
}

static int backfill_assumptions(struct fs_plan *p)
{
	const struct fsi_plan_params *q = &p->params;

	return fsi_plan_assume(p,
		      "Jobs planned for later take their nodes whole; times are kept in steps of %lld s "
		      "(bf_resolution), up to %lld min ahead (bf_window).",
		      (long long)q->resolution_s, (long long)(q->window_s / 60)) ||
	       fsi_plan_assume(p,
		      "A cycle gets through %u records (bf_max_job_test); a real one may be cut short by time or "
		      "load.",
		      q->max_test) ||
	       (!q->looks_on &&
		fsi_plan_assume(p, "This version gives a job up when no nodes come free for longer than it "
			  "runs: it is not reached."));
}

/* Did sprio tell the job-size factor of any job? */
static bool size_factors_told(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->recorded.n; i++)
		if (FSI_HAS(&m->recorded.v[i], RECORDED, job) && FSI_HAS(&m->recorded.v[i], RECORDED, norm_jobsize))
			return true;
	return false;
}

/* Is there a partition with FORCE in which only the job-size factor, which is not known either, would tell that a
 * job asked for whole nodes, since the version tells it of no job there? (libfs/import/slurm/whole.c) */
static bool hides_whole_nodes(const fs_snapshot *m)
{
	struct fsi_slurm_conf conf;
	struct fs_error err;
	bool any = false;

	for (size_t i = 0; i < m->partition.n; i++)
		any = any || !strncmp(fsi_str(m, m->partition.v[i].oversubscribe), "FORCE", strlen("FORCE"));
	if (!any || fs_slurm_has(m->info.version, FS_SLURM_EXCLUSIVE_TOLD))
		return false;
	return fsi_slurm_conf_load(m, &conf, &err) || conf.small_relative_to_time || !conf.weight_jobsize ||
	       !size_factors_told(m);
}

static int conditional_assumptions(struct fs_plan *p)
{
	const char *preempt = fs_snapshot_config_text(p->c.m, "PreemptType");
	int rc = 0;

	if (preempt && strcmp(preempt, "preempt/none") != 0)
		rc = fsi_plan_assume(
			p,
			"What a job may preempt counts as gone for it, and starts no second time.");
	if (!rc && p->c.unplaced)
		rc = fsi_plan_assume(
			p,
			"%u running jobs have no node list: what nodes have in use beyond known jobs is taken to "
			"stay in use.",
			p->c.unplaced);
	if (!rc && p->c.unplaced_reservations)
		rc = fsi_plan_assume(p, "%u reservations have no node list and are left out.",
			    p->c.unplaced_reservations);
	if (!rc && any_unmodelled(p, FS_UNMODELLED_FEATURES))
		rc = fsi_plan_assume(p, "Features that are no names with operators, and by priority those in brackets, are left out.");
	if (!rc && any_unmodelled(p, FS_UNMODELLED_LICENSES))
		rc = fsi_plan_assume(p, "Licenses that are not in the snapshot are left out.");
	if (!rc && any_unmodelled(p, FS_UNMODELLED_MAX_NODES))
		rc = fsi_plan_assume(p, "Whether jobs of several tasks that fit on one node asked for one alone is "
			       "unknown: they are taken not to.");
	if (!rc && hides_whole_nodes(p->c.m))
		rc = fsi_plan_assume(p, "Before Slurm 23.11.6 a job in a partition with OverSubscribe=FORCE does not tell that it "
			       "asked for whole nodes, nor does sprio without rows, without a weight of job size, or with one by time: it "
			       "is taken to share.");
	if (!rc && p->c.requests.linear && (p->c.core_at || p->c.nswitches))
		rc = fsi_plan_assume(p, "select/linear: nodes that jobs share and the network's topology are left out.");
	for (size_t i = 0; !rc && fsi_plan_left_out(p->c.m, i); i++)
		rc = fsi_plan_assume(p, "%.*s of SchedulerParameters is left out.",
				     (int)strcspn(fsi_plan_left_out(p->c.m, i), "="), fsi_plan_left_out(p->c.m, i));
	if (!rc && fsi_plan_of_groups(p))
		rc = fsi_plan_assume(p, "Who belongs to a group is unknown: a magnetic reservation of groups takes the jobs that "
			       "run with one of them.");
	if (!rc && p->c.topology_unknown)
		rc = fsi_plan_assume(p, "The network's topology is left out.");
	return rc;
}

static int make_assumptions(struct fs_plan *p)
{
	if (common_assumptions(p))
		return -1;
	if (p->mode == FS_PLAN_BACKFILL && backfill_assumptions(p))
		return -1;
	if (p->mode == FS_PLAN_BY_PRIORITY &&
	    fsi_plan_assume(p, "No job passes another of its partition that cannot start."))
		return -1;
	return conditional_assumptions(p);
}

static int run_slurm(struct fs_plan *p, struct fs_error *err)
{
	return fsi_plan_run(p) ? fsi_nomem(err) : 0;
}

const struct fsi_plan_scheduler fsi_plan_of_slurm = { .partitions = true,
						       .stepwise = true,
						       .tells_begin = true,
						       .run = run_slurm,
						       .assume = make_assumptions };
