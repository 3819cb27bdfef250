/* One run of the planner: state of the cycle, jobs that were started, limits that were counted, rows of the result. */
#ifndef FSI_PLAN_RUN_H
#define FSI_PLAN_RUN_H

#include "plan/limits.h"
#include "plan/map.h"
#include "plan/room.h"
#include "queue/queue.h"

/* A run of the simulation, and the rows it leaves. */

/* A limit that keeps a job longer than nodes do. */
struct fsi_plan_limit {
	const char *name; /* "GrpTRES"; NULL none */
	uint32_t tres, of; /* names: of the TRES, 0 none; of the account or QOS */
	uint32_t frees;    /* job row whose end gives enough of it back, FSI_NO_INDEX none */
};

/* The default memory of a job in a partition that gives it none for its GPUs (libfs/plan/step.c). */
enum fsi_plan_memory { FSI_MEMORY_UNTOLD, FSI_MEMORY_KEPT, FSI_MEMORY_LOST };

struct fsi_plan_row {
	bool eligible; /* eligible in any partition */
	bool limited;  /* a limit keeps it from one of them */
	uint32_t job, partition_name, nnodes;
	uint32_t magnet; /* in which it starts: as in fsi_plan_place */
	uint32_t frees, blocked_by; /* rows of jobs, FSI_NO_INDEX: none */
	uint32_t *node;          /* names */
	int64_t start, last_start, limit_s;
	int64_t shown; /* the start that the scheduler tells, whether it can be or not: fsi_plan_tell */
	int64_t limit_start, likely, likely_low, likely_high; /* as in fs_plan_row */
	int64_t longer; /* of the only job: its start if it ran FSI_PLAN_LONGER_S more; INT64_MAX none, 0 not asked */
	struct fsi_plan_limit limit;
	uint64_t tasks, tasks_planned, throttle;
	uint32_t reserved; /* how often nodes are kept for it, in all partitions */
	uint64_t started;  /* tasks that start now; by priority all */
	unsigned unmodelled;
	enum fs_plan_state state;
	enum fs_plan_wait wait;
	enum fsi_plan_memory memory; /* what the tries before tell */
	bool reached;  /* backfill: the cycle came to the job in one of its partitions */
	bool searched; /* there all times up to the end of the window were tried, not the present alone */
	struct fsi_plan_cycle_limit cycle_limit; /* what kept the cycle from it in another; name NULL: nothing */
	bool has_start;		     /* it has one by now, in the cycle: job_ptr->start_time */
	uint8_t section;
	const struct fs_reason *reason;
};

/* Components of het jobs (libfs/plan/cycle.c). */
struct fsi_plan_het {
	uint32_t *row; /* pending components, by their het job */
	size_t n;
	int64_t *start; /* by job row: the earliest start found, a year ahead while there is none; 0: not tried yet */
	struct fsi_plan_het_in {
		uint64_t het;
		int64_t start; /* the latest found for its components there */
		uint32_t partition;
	} *in; /* room for as many as there are components and partitions of theirs: fsi_plan_het_room */
	size_t nin, room;
};

/* Gets each start that is given, with p->found as it was found; other than 0 ends the run. For tests. */
typedef int (*fsi_plan_watch_fn)(void *ctx, const struct fs_plan *p, const struct fsi_plan_request *q);

/* A start and the nodes for it. */
struct fsi_plan_found {
	int64_t start;
	bool pretends; /* the controller tells that it starts now, and cannot start it */
	struct fsi_plan_choice choice;
};

/* A job that the cycle itself started (libfs/plan/start.c). */
struct fsi_plan_started {
	struct fsi_queue_record record; /* as it stood in the queue */
	struct fsi_plan_end end;
	struct fsi_plan_alloc *hold; /* its hold on each node; of no job: there is none */
};

/* Where a record is tried; once more for each magnetic reservation that admits its job. */
struct fsi_plan_place {
	uint32_t record, magnet; /* magnet: 1 + the row of the reservation, 0: none */
};

/* The queue's records as the cycle came to them (libfs/plan/start.c). */
struct fsi_plan_line {
	uint32_t *at; /* by place: which record */
	uint32_t *magnet; /* and as in fsi_plan_place */
	bool *since;  /* by place: is it kept by a limit that was not reached before the cycle started others? */
	size_t n;
	bool any; /* is any of since true? */
};

enum { FSI_PLAN_ASSUMPTIONS = 16, FSI_PLAN_LONGER_S = 60 };

/* A row of a partition whose CPUs are given out more than once. */
struct fsi_plan_core_row {
	uint64_t *set; /* of CPUs */
	int64_t count;
};

/* Memory for choices step by step (libfs/plan/oversubscribe.c). */
struct fsi_plan_steps {
	uint64_t *set[3], *found; /* sets of CPUs; the CPUs taken when the last choice was made */
	struct fsi_plan_core_row *row;
	int64_t *last_end; /* by partition: when a job of it ended before now */
	bool extra; /* has each partition a row more, for those that preempt? */
};

/* Memory for features that are tried part by part. */
struct fsi_plan_kinds {
	uint64_t *nodes, *taken, *others; /* sets of nodes */
	int64_t *units;			  /* by node: CPUs taken */
};

struct fs_plan {
	struct fsi_plan_cluster c;
	struct fsi_plan_params params;
	struct fsi_plan_map map;
	struct fsi_plan_found found, other;
	struct fsi_plan_search sweep; /* by priority */
	uint64_t *set[3];	      /* room for sets of nodes */
	uint64_t *may[2];	      /* nodes that may have room */
	struct fsi_arena scratch;
	fs_queue *queue;
	struct fsi_plan_line line; /* the order in which the cycle came to the queue's records */
	bool lent; /* the queue is the caller's */
	struct fs_view view;
	enum fs_plan_mode mode;
	unsigned compat; /* FS_SLURM_RELEASE whose backfill it is */
	struct fsi_plan_row *row;
	size_t nrows;
	uint64_t looks, max_looks; /* holds looked at; FSI_LINE_MAX_LOOKS, of Maui's and Flux's simulation, too */
	bool given_up; /* did it take too long? What it did not come to then says nothing of the queue */
	uint32_t only; /* 1 + the row of the one job of which more than its start is told; 0: of all, FSI_NO_INDEX: of none */
	int64_t until; /* a simulation looks for no start of the only job then or later; INT64_MAX */
	uint32_t *row_of;       /* by job row: 1 + its row; of none, 0 until one of its records is looked at */
	uint64_t *running; /* array ids of tasks that run, sorted */
	size_t nrunning;
	uint32_t magnet; /* of the record that is being tried: as in fsi_plan_place */
	uint32_t tested; /* as bf_max_job_test counts */
	uint32_t starts; /* as bf_max_job_start counts */
	uint64_t array_id; /* the array that nodes were last kept for, and how often in a row */
	uint32_t array_count;
	int64_t *open; /* room for CPUs that reservations of cores leave, by node */
	bool limits_by_node; /* fsi_plan_limits_nodes */
	bool users_own; /* do any jobs keep those of other users from their nodes? */
	struct fsi_plan_licenses licenses;
	struct fsi_plan_memo memo;
	struct fsi_fits_table fits;
	struct fsi_plan_het het;
	struct fsi_plan_kinds kinds;
	struct fsi_plan_steps steps;
	bool *pushed, *suspended; /* by job row: who gives way to the record, and does so by being suspended; room for it */
	struct fs_plan_runs runs;
	bool over;        /* the cycle ended: no room on the map */
	bool asked;       /* was the select plugin asked in the last try? */
	bool had_start;   /* had the job one before the record that is planned? */
	int64_t next_try; /* when it would have been tried next, 0 never */
	int64_t longer;	  /* as in its row, of the last try of the only job */
	struct fsi_plan_started *started; /* in the order of the queue */
	size_t nstarted, next_started; /* next: to be put on its nodes */
	bool clash; /* a job that the cycle started has what the plan gave to one before it */
	struct fsi_ledgers *ledgers; /* of limits as they are now; NULL: not asked for yet */
	/* by job row: the end of each that runs, for the ledgers; now for those not put on their nodes yet */
	int64_t *end_of;
	size_t counted; /* there: how many of `started` count */
	struct fsi_plan_counts counts;
	char *assumption[FSI_PLAN_ASSUMPTIONS];
	size_t assumptions;
	fsi_plan_watch_fn watch;
	void *watch_ctx;
};

/* Is more wanted of the job than its start: what it waits for, whether it can ever start, and its nodes? Nothing
 * else depends on that. */
static inline bool fsi_plan_tells(const struct fs_plan *p, uint32_t job)
{
	return !p->only || p->only == job + 1;
}

/* Is that known of the only job which a simulation that has come to `now` is asked for? */
bool fsi_plan_settled(const struct fs_plan *p, int64_t now);

/* Need p->c.m, queue and mode. -1 without memory. */
int fsi_plan_make_rows(struct fs_plan *p); /* one for each pending job, as far as any is shown */
/* The row of the record's job, which is made if it has none. */
struct fsi_plan_row *fsi_plan_row_of(struct fs_plan *p, const struct fsi_queue_record *r);
int fsi_plan_setup(struct fs_plan *p); /* cluster, rows, counters; part of the run */
int fsi_plan_step(struct fs_plan *p, size_t i); /* the record at place i of the line */

/* Is it certain that the record at place i of the line, which was not come to yet, gets no start before that,
 * whatever stands before it? 1, or 0: it is not; -1 without memory. */
int fsi_plan_no_sooner(struct fs_plan *p, size_t i, int64_t start);

/* The records in the order of the queue, by backfill with those of magnetic reservations
 * (libfs/plan/cycle.c). *out is the caller's to free. -1 without memory. */
int fsi_plan_places(const struct fs_plan *p, struct fsi_plan_place **out, size_t *n);

/* Does a reservation of Slurm's admit the job? A group stands for its members. */
bool fsi_plan_admits(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j);
/* Is there one that admits the members of a group, who are not known? */
bool fsi_plan_of_groups(const struct fs_plan *p);

/* Makes p->line of p->queue as it is; the line before is not freed. -1 without memory. */
int fsi_plan_line_make(struct fs_plan *p);
void fsi_plan_line_free(struct fsi_plan_line *l);
/* The start found is what the scheduler tells of the job, unless another partition gave an earlier one; one at which no
 * nodes are kept takes the place of an earlier one, too, within the window (src/plugins/sched/backfill/backfill.c:
 * _attempt_backfill, orig_start_time). */
void fsi_plan_tell(const struct fs_plan *p, struct fsi_plan_row *row, int64_t start, bool kept);
/* Is the record the first of its partition that is tried, and of its job? The main scheduler then has tried it there,
 * and no other. */
bool fsi_plan_heads_partition(const struct fs_plan *p, const struct fsi_queue_record *r);

/* Puts the jobs that the cycle started before the record (NULL: all) on their nodes. Returns -1 if out of memory. */
int fsi_plan_start_before(struct fs_plan *p, const struct fsi_queue_record *r);

/* Decides once, by a run, whether the jobs that the cycle started are put on their nodes in their turn or at once.
 * With `stay` the run's rows are left as they are if the jobs stay. -1 without memory. */
int fsi_plan_decide_started(struct fs_plan *p, bool stay, bool *ran);

/* Does the cycle begin with the weights that one like it would leave (libfs/plan/start.c)? */
bool fsi_plan_carries_weights(const struct fs_plan *p);

/* Makes the row of a waiting job what it is before any of its records was tried, for the queue as it now is. -1
 * without memory. */
int fsi_plan_reset_row(struct fs_plan *p, uint32_t job);

/* Makes a plan with its queue, not run yet. Error codes of fs_plan_compute. */
int fsi_plan_begin(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o, struct fs_error *err);

/* Adds a sentence to what the plan assumes, up to FSI_PLAN_ASSUMPTIONS. -1 without memory. */
int fsi_plan_assume(struct fs_plan *p, const char *fmt, ...) FSI_PRINTF(2, 3);

/* Does asking for it leave marks on the nodes, so that each try counts, also one in vain: the weights by which jobs
 * after it choose (struct fsi_plan_choice, keeps_weights)? That takes long, and is not heeded past so many looks. */
#define FSI_PLAN_MARKED_LOOKS UINT64_C(1000000000)
static inline bool fsi_plan_marks(const struct fs_plan *p, const struct fsi_plan_request *q)
{
	return q->gpus && p->found.choice.keeps_weights && p->looks < FSI_PLAN_MARKED_LOOKS;
}

/* When the select plugin would start the request on `nodes` (libfs/plan/cycle.c). */
struct fsi_plan_will {
	const uint64_t *nodes;
	int64_t from, until; /* the start tried, and the next one that will be (0: none) */
	bool now_only;
	bool once;  /* nobody's end is waited for */
	bool stops; /* a start behind the next one tried is as good as none: none is told */
};

/* Likewise with features that are tried part by part (libfs/plan/cycle.c). */
bool fsi_plan_will_run(struct fs_plan *p, const struct fsi_plan_request *q,
		       const struct fsi_plan_will *w, struct fsi_plan_found *found);
int fsi_plan_kinds_init(struct fs_plan *p); /* -1 without memory */

/* What advance reservations leave (libfs/plan/limits.c). */
struct fsi_plan_left {
	int64_t start; /* moved on while a reservation closes the whole partition, or nodes that are required */
	int64_t for_s; /* in: how long it is taken to run */
	int64_t again;   /* when one of those that take nodes away ends; 0 none does */
	uint64_t *nodes; /* nodes that may be used, as far as reservations go */
	int64_t *open;	 /* as in a request, where opened */
	bool opened;
};
/* false: it cannot start, whenever it is tried. */
bool fsi_plan_unreserved(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_left *l);

/* Are there licences for the request, beside those in use now and those that are reserved from start to end? *until:
 * when the first reservation of such licences ends, 0 there is none. */
bool fsi_plan_licenses_open(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start, int64_t end,
			    int64_t *until);

/* Nodes that users keep for themselves. */
struct fsi_plan_owned {
	int64_t until; /* when to try again for those taken out, 0: never */
	bool delays;   /* it cannot do with the others: it is tried then, and not now */
};

/* Takes them out of `nodes` (libfs/plan/cluster.c). -1 without memory. */
int fsi_plan_owned(const struct fs_plan *p, const struct fsi_plan_request *q, int64_t start, uint64_t *nodes,
		   struct fsi_plan_owned *out);
bool fsi_plan_users_own(const struct fs_plan *p);

/* -1 without memory. */
int fsi_plan_het_init(struct fs_plan *p);

/* To be called again when a job was given other partitions; 0, or -1 without memory. */
int fsi_plan_het_room(struct fs_plan *p);

/* The het job that it is a component of; 0: none. */
static inline uint64_t fsi_plan_het_job(const struct fs_plan *p, uint32_t job)
{
	return fsi_job_rare(p->c.m, &p->c.m->job.v[job])->het_job_id;
}

/* May the record of a job be tried? Not if another component of its het job has no start. All other jobs may. */
bool fsi_plan_het_may(struct fs_plan *p, uint32_t job);

/* A start is not before now, and not before those of the components that were tried already. */
int64_t fsi_plan_het_from(const struct fs_plan *p, uint32_t job);

/* Notes that a try found the start; nothing is noted for jobs that are no component. */
void fsi_plan_het_found(struct fs_plan *p, uint32_t job, int64_t start);

/* Notes the start in p->found. Would the het job wait for another one that waits for it? Then no nodes are kept. */
bool fsi_plan_het_would_block(struct fs_plan *p, const struct fsi_plan_request *q);

/* Starts components together at the end of the cycle, or not at all. */
void fsi_plan_het_start(struct fs_plan *p);

/* By job row: who of those that run gives way to the record; NULL: nobody (libfs/plan/cycle.c). */
const bool *fsi_plan_pushed(struct fs_plan *p, const struct fsi_queue_record *r);

/* Must anybody give way for the start found? Then nodes are kept for it while those that do so end. */
bool fsi_plan_pushes(const struct fs_plan *p, const struct fsi_plan_request *q);

/* Finds the start that one cycle of the backfill scheduler finds, into p->found (libfs/plan/cycle.c). */
bool fsi_plan_try(struct fs_plan *p, const struct fsi_plan_request *q, bool now_only);

/* Puts the start in p->found off until its nodes do not run into what is planned; false: there is none. */
bool fsi_plan_try_on(struct fs_plan *p, const struct fsi_plan_request *q);

/* Would its nodes do if nothing ran there? (libfs/plan/start.c) */
bool fsi_plan_possible(struct fs_plan *p, const struct fsi_plan_request *q);

/* Is it certain that the request gets no start before that, now and whatever else is placed? For requests that
 * nobody gives way to. */
bool fsi_plan_none_before(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start);

/* The licences that it wants on the map; amount NULL: none, or they are not kept there. */
struct fsi_map_want fsi_plan_wants(struct fs_plan *p, const struct fsi_plan_request *q);

/* The slots of the map that a job takes: returns their start, *end their end. */
int64_t fsi_plan_slot(const struct fs_plan *p, int64_t start, int64_t limit_s, int64_t *end);

/* Fills the nodes chosen; the nodes of its partition that are up and that it may use. */
void fsi_plan_found_set(const struct fs_plan *p, const struct fsi_plan_found *f, uint64_t *set);
void fsi_plan_open_nodes(const struct fs_plan *p, const struct fsi_plan_request *q, uint64_t *set);

/* Does the cycle count the record that is being tried, and keep nodes for it? */
static inline bool fsi_plan_counts_in(const struct fs_plan *p)
{
	return !p->magnet || p->params.magnetic_slot;
}

/* Is bf_job_part_count_reserve reached in its partition? */
bool fsi_plan_part_is_full(const struct fs_plan *p, const struct fsi_queue_record *r);

/* Gives the start in p->found (libfs/plan/start.c). *later: tasks that nodes are kept for, counted on. 1 when
 * the next task may be tried, 0 when not, -1 without memory. */
int fsi_plan_give(struct fs_plan *p, const struct fsi_queue_record *r,
		  const struct fsi_plan_request *q, struct fsi_plan_row *row, uint64_t *later);
int fsi_plan_give_by_priority(struct fs_plan *p, const struct fsi_queue_record *r,
			      const struct fsi_plan_request *q, struct fsi_plan_row *row);

/* Has its QOS NoReserve? */
bool fsi_plan_keeps_none(const struct fs_plan *p, const struct fsi_queue_record *r);

/* Are nodes kept for it then? Counts it if so; the cycle ends when the map is full. */
bool fsi_plan_keeps(struct fs_plan *p, const struct fsi_queue_record *r,
		    const struct fsi_plan_request *q, struct fsi_plan_row *row);

/* May nodes be kept for another task of the array? Tasks are counted on from one partition to the next, unless
 * another array comes between. The array's throttle counts the tasks that run; from 23.02.4 also those that nodes are
 * kept for (ec5dbb55aa). */
bool fsi_plan_next_task(struct fs_plan *p, const struct fsi_plan_row *row);

/* Keeps the nodes of p->found. -1 without memory. */
int fsi_plan_reserve(struct fs_plan *p, const struct fsi_plan_request *q);

/* Nobody of the partition starts on its nodes before that time. */
void fsi_plan_close(struct fs_plan *p, const struct fsi_plan_request *q, int64_t until);

/* fs_plan_compute with a watcher. */
int fsi_plan_compute(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o,
		     fsi_plan_watch_fn watch, void *ctx, struct fs_error *err);

/* One record of the queue as a cycle comes to it, for the files of this folder that plan it. */

/* What jobs that run, and those given a start in a simulation, take of each limit of associations and QOS, and when
 * that lets another start (src/slurmctld/acct_policy.c: _validate_tres_usage_limits, _qos_job_runnable_pre_select; the
 * controller keeps no account of what it plans). Limits on what was used up (minutes, wall time) are given back by
 * decay alone, which is not told here. */

struct fsi_ledgers;

struct fsi_ledgers *fsi_ledgers_new(const struct fs_plan *p); /* NULL without memory */
void fsi_ledgers_free(struct fsi_ledgers *l);

/* Begins anew with the jobs that run. end_of: by job row, when those that hold resources end; borrowed. */
void fsi_ledgers_begin(struct fsi_ledgers *l, const int64_t *end_of);

/* The first time from `from` on at which all limits of the job (a row) let it start in the partition (a name);
 * INT64_MAX: never. Sets *why to the limit that keeps it longest, if one does. -1 without memory. */
int fsi_ledgers_open(struct fsi_ledgers *l, uint32_t job, uint32_t partition, int64_t from, int64_t *out,
		     struct fsi_plan_limit *why);

/* Enters the start of that job in the partition. -1 without memory. */
int fsi_ledgers_take(struct fsi_ledgers *l, uint32_t job, uint32_t partition, int64_t start, int64_t end);

/* Has each limit room for the record now, if only the first so many of the jobs that the cycle started count? -1
 * without memory. */
int fsi_ledgers_room(struct fs_plan *p, const struct fsi_queue_record *r, size_t started, bool *room);

/* Does a limit bar the start in p->found, where the request takes nodes whole, has too much on each, or they are too
 * many? Limits are taken as they are now, without what the cycle started behind it. -1 without memory. */
int fsi_ledgers_bar(struct fs_plan *p, const struct fsi_plan_request *q, bool *bars);

/* Limits on nodes, which hold once nodes were found for a job. */

/* Is there any limit on what a job has on a node, or on the nodes of jobs together? */
bool fsi_plan_limits_nodes(const fs_snapshot *m);

/* When jobs are likely to start: the queue in its order placed on nodes that jobs share, with limits of
 * associations and QOS counted (libfs/plan/ledgers.c), once with time limits for run times, and RUNS times with run
 * times drawn from those of jobs of the same user, account and partition before, where there are enough. The
 * drawing follows from FSI_LIKELY_SEED, the job and the run alone, so that the same snapshot gives the same numbers. */

enum { FSI_LIKELY_RUNS = 25, FSI_LIKELY_MIN_RUNS = 10, FSI_LIKELY_SEED = 20260 };

/* Fills likely_* and limit_* of the rows, and p->likely; without runs where the cluster is too large for it. -1
 * without memory. */
int fsi_plan_likely(struct fs_plan *p);

#endif
