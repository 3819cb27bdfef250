/* The plan of Flux: scheduling loops, one after the other, each when something ends. */
#ifndef FSI_PLAN_FLUX_H
#define FSI_PLAN_FLUX_H

#include "plan/run.h"
#include "plan/timeline/timeline.h"

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
	bool *never;		    /* by job row: refused when its turn comes (alloc.c: a denied request is an exception) */
	struct fsi_flux_held *held; /* libfs/plan/flux/release.c */
	uint32_t starts_most; /* most jobs that may start in this look at the lines */
	size_t left;
	bool ended; /* no loop to come would start any more */
};

/* Fills r's lines and what runs. -1 without memory. */
int fsi_flux_run_init(struct fsi_flux_run *r);
void fsi_flux_run_release(struct fsi_flux_run *r);

/* What the job asks for, with the nodes it may use in r->may. False where that is not known. */
bool fsi_flux_want(struct fsi_flux_run *r, uint32_t job, struct fsi_line_want *w);

/* Chooses pieces in r->line for all of the request at that time; false if there is no room. */
bool fsi_flux_choose(struct fsi_flux_run *r, const struct fsi_line_want *w, int64_t at);

/* The first time from now on at which there is room: when something ends. INT64_MAX: there is none, or the search is
 * given up (fsi_line_too_long); -1 without memory. */
int64_t fsi_flux_earliest(struct fsi_flux_run *r, const struct fsi_line_want *w);

/* Starts the job now if it has room, or refuses it for ever: 1. 0: no room now, -1 without memory. */
int fsi_flux_try(struct fsi_flux_run *r, const struct fsi_line_want *w);

/* Takes a job out of its line. */
void fsi_flux_take_out(struct fsi_flux_line *l, size_t at);

/* Keeps nodes for the jobs that Fluxion kept some for when the snapshot was taken. -1 without memory. */
int fsi_flux_recall(struct fsi_flux_run *r);

/* One loop of Fluxion's backfill over all lines. -1 without memory. */
int fsi_flux_backfill(struct fsi_flux_run *r);

/* Starts the job now on the pieces that were chosen. -1 without memory. */
int fsi_flux_start(struct fsi_flux_run *r, const struct fsi_line_want *w);

/* Makes a line for each queue that jobs wait in, now or once they are released, with the eligible ones; and finds
 * those that can never start. -1 without memory. */
int fsi_flux_make_lines(struct fsi_flux_run *r);

/* Puts the job into its line by its priority. -1 without memory. */
int fsi_flux_line_up(struct fsi_flux_run *r, const struct fsi_queue_record *q);

/* Refuses the job: it is over without having run. -1 without memory. */
int fsi_flux_refuse(struct fsi_flux_run *r, uint32_t job);

/* ---- jobs that dependencies and limits hold (libfs/plan/flux/release.c) */

int fsi_flux_held_init(struct fsi_flux_run *r); /* -1 without memory */
void fsi_flux_held_free(struct fsi_flux_held *h);

/* Tells what becomes of a job; the next fsi_flux_release looks at what that releases. -1 without memory. */
enum fsi_flux_event { FSI_FLUX_STARTS, FSI_FLUX_ENDS, FSI_FLUX_REFUSED };
int fsi_flux_note_event(struct fsi_flux_run *r, uint32_t job, enum fsi_flux_event event);

/* Lines up the jobs that events and the time release. 1: there were some, 0: none, -1 without memory. */
int fsi_flux_release(struct fsi_flux_run *r);

/* Lines up the jobs whose limits have room, as an update of priorities does (mf_priority.cpp: reprior_cb). Without one
 * a job may go on waiting though there is room: when another of the user's was let go none runs, and none looks until
 * that one starts. -1 without memory. */
int fsi_flux_look_at_all(struct fsi_flux_run *r);

/* The next begin time after now, INT64_MAX if there is none. And may any held job be released yet? */
int64_t fsi_flux_next_begin(const struct fsi_flux_run *r);
bool fsi_flux_holds_any(const struct fsi_flux_run *r);

int fsi_flux_assumptions(struct fs_plan *p);

#endif
