/* Which scheduler gives jobs of a Flux their nodes and by what policy, and what a plan of it assumes.
 *
 * flux-core loads sched-simple where nothing else is configured (etc/modprobe/modprobe.toml); its job-manager sends it
 * the 8 first jobs (sched-fifo.py: queue_depth), sched-backfill all (scheduler.py: queue_depth). Fluxion's defaults:
 * fcfs, queue-depth 32; easy keeps nodes for one job, hybrid for 64, conservative for all
 * (flux-sched: flux-config-sched-fluxion-qmanager(5), qmanager/policies/). */
#include "plan/flux/flux.h"

#include <string.h>

enum {
	SIMPLE_DEPTH = 8,
	FLUXION_DEPTH = 32,
	MAX_FLUXION_DEPTH = 1000000,
	EASY = 1,
	HYBRID = 64,
	MAX_RESERVED = 100000
};

static uint32_t number(const fs_snapshot *m, const char *name, uint32_t otherwise, uint32_t max)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e || e->kind != FSI_CONFIG_INT || e->i < 1)
		return otherwise;
	return e->i < max ? (uint32_t)e->i : max;
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* Which nodes a job gets, by a name or by options in words (flux-sched: resource/policies/
 * dfu_match_policy_factory.cpp); "first", the default, takes the first it finds. */
static void match(const char *policy, struct fsi_flux_rules *r)
{
	r->whole_nodes = has(policy, "nodex") || has(policy, "node_exclusive=true");
	r->last_fit = !strncmp(policy, "hi", strlen("hi")) ||
		      (has(policy, "policy=high") && !has(policy, "stop_on_1_matches=true"));
}

static void fluxion(const fs_snapshot *m, struct fsi_flux_rules *r)
{
	const char *chosen = fs_snapshot_config_text(m, "fluxion_match_policy");
	const char *policy = fs_snapshot_config_text(m, "fluxion_queue_policy");

	match(chosen ? chosen : "first", r);
	r->name = policy ? policy : "fcfs";
	r->each_queue = true;
	r->worst_fit = false;
	r->depth = number(m, "fluxion_queue_depth", FLUXION_DEPTH, MAX_FLUXION_DEPTH);
	r->policy = strcmp(r->name, "fcfs") ? FSI_FLUX_RESERVE : FSI_FLUX_FIFO;
	r->reservations = !strcmp(r->name, "easy")     ? EASY
			  : !strcmp(r->name, "hybrid") ? number(m, "fluxion_reservation_depth", HYBRID, MAX_RESERVED)
						       : MAX_RESERVED;
}

void fsi_flux_rules(const fs_snapshot *m, bool by_priority, struct fsi_flux_rules *r)
{
	const char *module = fs_snapshot_config_text(m, "flux_scheduler");
	const bool policy = fs_snapshot_config_text(m, "fluxion_queue_policy") != NULL;

	*r = (struct fsi_flux_rules){ .policy = FSI_FLUX_FIFO,
				      .name = "first come, first served",
				      .worst_fit = true,
				      .told = module || policy,
				      .depth = SIMPLE_DEPTH };
	r->module = module ? module : policy ? "sched-fluxion-qmanager" : "sched-simple";
	if (!strcmp(r->module, "sched-fluxion-qmanager")) {
		fluxion(m, r);
	} else if (!strcmp(r->module, "sched-backfill")) {
		r->policy = FSI_FLUX_SHADOW;
		r->depth = UINT32_MAX;
		r->name = "backfill";
	}
	if (by_priority)
		r->policy = FSI_FLUX_FIFO;
}

static int say_policy(struct fs_plan *p, const struct fsi_flux_rules *r)
{
	if (!r->told && fsi_plan_assume(p, "Which module schedules was not captured: it is taken to be sched-simple, which flux-core loads."))
		return -1;
	if (r->policy == FSI_FLUX_FIFO)
		return fsi_plan_assume(p, "%s: behind a job that cannot start, no other %s starts (%s).", r->module,
				       r->each_queue ? "of its queue" : "of any queue", r->name);
	if (r->policy == FSI_FLUX_SHADOW)
		return fsi_plan_assume(p, "%s: behind a first job that cannot start, those start whose limits end before it can.",
				       r->module);
	return fsi_plan_assume(p, "%s: %s backfill; a loop tries %u jobs of a queue (queue-depth) and keeps nodes for the first %u that "
				  "cannot start.",
			       r->module, r->name, r->depth, r->reservations);
}

static bool any_jobspec(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (FSI_HAS(&m->job.v[i], JOB, features) || FSI_HAS(&m->job.v[i], JOB, tres_req) ||
		    FSI_HAS(&m->job.v[i], JOB, oversubscribe))
			return true;
	return false;
}

/* Does a start or an end let anybody go? */
static bool any_dependent(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_PENDING && !strcmp(fsi_str(m, fsi_job_rare(m, &m->job.v[i])->phase), "DEPEND"))
			return true;
	return false;
}

/* flux-core lets go by messages, and starts one job each time that its reactor comes round (scheduler.py: schedule, a
 * generator): which is first when several could start is a race. */
static int say_race(struct fs_plan *p)
{
	return any_dependent(p->c.m) ? fsi_plan_assume(p, "Of jobs that could start in the same moment the first starts, and whom it lets go "
							  "stands in line before the next; Flux may be slower to let go.")
				     : 0;
}

int fsi_flux_assumptions(struct fs_plan *p)
{
	struct fsi_flux_rules r;

	fsi_flux_rules(p->c.m, p->mode == FS_PLAN_BY_PRIORITY, &r);
	if (fsi_plan_assume(p, "Every job runs for its whole time limit.") ||
	    fsi_plan_assume(p, "No job arrives, is changed or cancelled, and no node changes state.") ||
	    fsi_plan_assume(p, "Dependencies and limits let jobs go as others start and end here; one that runs to its limit ends well.") ||
	    say_race(p) ||
	    fsi_plan_assume(p, "Priorities stay as they are now.") || say_policy(p, &r) ||
	    (!any_jobspec(p->c.m) &&
	     fsi_plan_assume(p, "No job's jobspec asks for GPUs, whole nodes or properties, or none was captured: jobs are planned by "
				"their cores and nodes.")))
		return -1;
	if (p->c.unplaced &&
	    fsi_plan_assume(p, "%u running jobs are on nodes that are not in the snapshot: these are taken to be free.", p->c.unplaced))
		return -1;
	return 0;
}
