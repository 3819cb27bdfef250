/* The plan of Maui: its iterations, one after the other, over a state that goes on from the snapshot's. */
#ifndef FSI_PLAN_MAUI_H
#define FSI_PLAN_MAUI_H

#include "model/maui.h"
#include "plan/plan.h"
#include "plan/timeline.h"

extern const struct fsi_plan_scheduler fsi_plan_of_maui;

enum fsi_maui_backfill { FSI_BF_NONE, FSI_BF_FIRSTFIT, FSI_BF_BESTFIT, FSI_BF_GREEDY };
enum fsi_maui_reserve { FSI_RSV_HIGHEST, FSI_RSV_CURRENT, FSI_RSV_NEVER };
enum fsi_maui_metric { FSI_BFM_PROCS, FSI_BFM_PROCSECONDS, FSI_BFM_SECONDS };
enum fsi_maui_threshold { FSI_RSV_ANY, FSI_RSV_BYPASS, FSI_RSV_QUEUETIME, FSI_RSV_XFACTOR };

/* What else may be on a node where a job is (NODEACCESSPOLICY): anything, no other job, likewise, no job of another
 * user (src/MJob.c:MJobGetSNRange, src/MRes.c:MResJCreate). SINGLETASK is meant for one task a node, but tasks are
 * placed as with SINGLEJOB. */
enum fsi_maui_access { FSI_ACCESS_SHARED, FSI_ACCESS_SINGLEJOB, FSI_ACCESS_SINGLETASK, FSI_ACCESS_SINGLEUSER };

/* The rules of maui.cfg, with the defaults of src/moab/MPar.c:MParSetDefaults. */
struct fsi_maui_rules {
	enum fsi_maui_backfill backfill;
	enum fsi_maui_reserve reserve;
	enum fsi_maui_metric metric;
	enum fsi_maui_threshold threshold;
	enum fsi_line_order order;
	enum fsi_maui_access access;
	int64_t threshold_value, poll_s;
	int64_t backfill_depth; /* jobs that a window looks at; 0 or less: all */
	int64_t defer_s; /* a reserved job that may not start is put off for so long; INT64_MAX: a simulation drops it */
	bool simulated;		  /* jobs run as the simulation's traces say */
	bool order_known;	  /* is the order in which nodes are taken one that is modelled? */
	bool accrues;		  /* JOBPRIOACCRUALPOLICY: a job that a limit blocks begins its wait anew */
	bool held_accrues;	  /* and so does one that a hold, a cap or its priority blocks */
};
const char *fsi_maui_policy(const fs_snapshot *m); /* BACKFILLPOLICY; "" not set */
void fsi_maui_rules(const fs_snapshot *m, bool by_priority, struct fsi_maui_rules *r);

/* What the job's QOS says of it. */
struct fsi_maui_standing {
	uint8_t bucket;	    /* whose reservations it is counted among; FSI_MAUI_BUCKETS: it gets none */
	bool no_backfill;   /* NOBF */
	bool reserves_ever; /* RESERVEALWAYS: nodes are reserved for it in each iteration, whatever the policy */
};

/* Is the job among those that an iteration looks at for a partition (src/MPolicy.c:MQueueCheckSingleJob)? */
enum fsi_maui_entry { FSI_MAUI_ENTERS, FSI_MAUI_TOO_WIDE, FSI_MAUI_NO_CLASS };

struct fsi_maui_run {
	struct fs_plan *p;
	struct fsi_maui_rules rules;
	struct fsi_maui_bucket bucket[FSI_MAUI_BUCKETS];
	int64_t depth[FSI_MAUI_BUCKETS];    /* reservations that there are in this iteration */
	struct fsi_maui_standing *standing; /* by job row */
	fs_snapshot view; /* the snapshot as it will be at view.info.time; jobs and windows are its own, all else is shared */
	int64_t now;	  /* the time of view */
	fs_queue *queue;  /* the queue of view */
	struct fsi_timeline line;
	uint32_t *part;	 /* names of partitions of nodes, DEFAULT (0) first if it has any; a job is in one */
	uint32_t nparts, at_part;    /* at_part: the one that is looked at; nparts: all nodes are */
	uint8_t *entry;		     /* by job row and partition: enum fsi_maui_entry */
	uint32_t *reserved_in;	     /* by job row: the partition of its reservation */
	uint32_t *order; /* job rows that hard limits let through, by priority */
	size_t n;
	uint32_t *looked_at; /* places in order: jobs that a window of backfill looks at */
	bool *chosen;	   /* by job row: is it in order? */
	bool *soft;	   /* by place in order: soft limits let it through when the iteration began */
	struct fsi_maui_state state; /* reservations, waits and deferrals by job row */
	bool *may, *among; /* by node */
	int64_t *span;	   /* by node: fsi_line_span */
	int64_t *room;	   /* by node: tasks for the job at hand */
	bool *own;	   /* by node: has the job at hand a reservation there? */
	bool *waits_anew;  /* by job row: its wait begins anew until it is let through */
	bool *impossible;  /* by job row: no nodes would do */
	bool *never;	   /* by job row: so, and it stands in nobody's way */
	bool *opened;	   /* by node: a reservation of an administrator whose end this iteration sees */
	uint32_t *gave;	   /* by node: the job whose end this iteration sees; FSI_NO_INDEX none */
	int64_t (*free_mb)[FSI_LINE_RES]; /* by node: libfs/plan/maui_state.c; NULL: no simulation */
	size_t left;	   /* jobs of the snapshot's queue that may still start */
	size_t started, deferred; /* so far */
};

/* Sets up the run for p and rules: all that runs stands where it is known to, or where Maui would put it. -1 without
 * memory. */
int fsi_maui_run_init(struct fsi_maui_run *x);
void fsi_maui_run_release(struct fsi_maui_run *x);

/* Fills x->impossible, x->never, x->left, and the rows of jobs that can never start; those that are submitted later
 * have none. */
void fsi_maui_find_never(struct fsi_maui_run *x);

/* Returns when the next job that a simulation submits later may arrive; INT64_MAX: none. fsi_maui_submit adds those
 * that have arrived to the queue. */
int64_t fsi_maui_next_arrival(const struct fsi_maui_run *x);
void fsi_maui_submit(struct fsi_maui_run *x);

/* Is it over now, though it still counts as running? */
static inline bool fsi_maui_has_ended(const struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_job *j = &x->view.job.v[job];

	return j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time <= x->now;
}

/* What a job asks for, with the nodes of x->at_part that it may use in x->may. */
struct fsi_line_want fsi_maui_want(struct fsi_maui_run *x, uint32_t job);

/* Returns true if the node belongs to the current partition. */
bool fsi_maui_in_partition(const struct fsi_maui_run *x, const struct fsi_node *node);
/* Returns whether the job is tried in the current partition. */
enum fsi_maui_entry fsi_maui_entry_of(const struct fsi_maui_run *x, uint32_t job);

/* Starts it on the pieces chosen. -1 without memory. */
int fsi_maui_start(struct fsi_maui_run *x, const struct fsi_line_want *w);

/* A simulation's memory: fsi_maui_memory_begin begins an iteration; fsi_maui_memory_ends handles jobs that have ended,
 * before they release their nodes (-1: out of memory); fsi_maui_memory_grows returns true if a node will have more
 * memory in the next iteration. */
void fsi_maui_memory_begin(struct fsi_maui_run *x);
int fsi_maui_memory_ends(struct fsi_maui_run *x);
bool fsi_maui_memory_grows(const struct fsi_maui_run *x);

int fsi_maui_assumptions(struct fs_plan *p);

#endif
