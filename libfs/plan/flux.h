/* The plan of Flux: scheduling loops, one after the other, each when something ends. */
#ifndef FSI_PLAN_FLUX_H
#define FSI_PLAN_FLUX_H

#include "plan/plan.h"
#include "plan/timeline.h"

/* How a loop goes on behind a job that cannot start:
 *   FIFO      not at all (flux-core: src/modules/sched-fifo.py, sched-simple.py; Fluxion's fcfs, which has a line for
 *             each queue: flux-sched, qmanager/policies/queue_policy_fcfs_impl.hpp)
 *   SHADOW    what ends before the first job can start may start (src/modules/sched-backfill.py)
 *   RESERVE   the first of them get nodes kept from their earliest start on, others start around that
 *             (queue_policy_bf_base_impl.hpp: easy, hybrid, conservative) */
enum fsi_flux_policy { FSI_FLUX_FIFO, FSI_FLUX_SHADOW, FSI_FLUX_RESERVE };

struct fsi_flux_rules {
	enum fsi_flux_policy policy;
	const char *module, *name; /* module: the scheduler; name: its policy */
	bool told;		   /* is the module known, or is it what flux-core loads by default? */
	bool each_queue;	   /* a line for each queue, not one for all */
	bool worst_fit;		   /* nodes with most free cores first, of these with most free GPUs; not the first ones */
	bool last_fit;		   /* the last nodes first */
	bool whole_nodes;	   /* each job has its nodes for itself */
	/* depth: jobs that a loop looks at in a line; reservations: jobs that get nodes kept */
	uint32_t depth, reservations;
};
void fsi_flux_rules(const fs_snapshot *m, bool by_priority, struct fsi_flux_rules *r);

struct fsi_flux_run {
	struct fs_plan *p;
	struct fsi_flux_rules rules;
	int64_t now;
	struct fsi_timeline line;
	struct fsi_flux_line {
		uint32_t queue; /* name; 0: all */
		FSI_VEC(uint32_t) job; /* rows that wait, in order */
		FSI_VEC(uint32_t) reserved; /* job rows that nodes are kept for, until the line's next loop */
		size_t next; /* of job, whose turn it is in this loop */
		uint32_t tried; /* in this loop */
	} *lines;
	size_t nlines;
	bool *may;	 /* by node */
	struct fsi_flux_free {
		int64_t cores, gpus;
	} *free; /* by node, at a moment */
	uint32_t *order; /* by place: nodes in the order in which they are taken */
	uint32_t *gave;	 /* by node: the job whose end this loop sees; FSI_NO_INDEX none */
	bool *ended_job;	    /* by job row */
	bool *never;		    /* by job row: refused when its turn comes (src/modules/job-manager/alloc.c: a denied request is an exception) */
	struct fsi_flux_held *held; /* libfs/plan/flux.c */
	uint32_t starts_most; /* most jobs that may start in this look at the lines */
	size_t left;
	bool ended; /* no loop to come would start any more */
};

/* What happened to a job; the event may release jobs that depend on it. */
enum fsi_flux_event { FSI_FLUX_STARTS, FSI_FLUX_ENDS, FSI_FLUX_REFUSED };

#endif
