/* One cycle of Slurm's backfill scheduler. */
#ifndef FSI_BACKFILL_BACKFILL_H
#define FSI_BACKFILL_BACKFILL_H

#include "backfill/node_space.h"
#include "plan/plan.h"

/* Components of het jobs (libfs/backfill/job_start.c). */
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

/* Gets each start that is given, with bf->select.found as it was found; other than 0 ends the run. For tests. */
struct fsi_backfill;
typedef int (*fsi_plan_watch_fn)(void *ctx, const struct fsi_backfill *bf, const struct fsi_plan_request *q);

/* A job that the cycle itself started (libfs/backfill/commit.c). */
struct fsi_plan_started {
	struct fsi_queue_record record; /* as it stood in the queue */
	struct fsi_plan_end end;
	struct fsi_plan_alloc *hold; /* its hold on each node; of no job: there is none */
};

/* Where a record is tried; once more for each magnetic reservation that admits its job. */
struct fsi_plan_place {
	uint32_t record, magnet; /* magnet: 1 + the row of the reservation, 0: none */
};

/* The queue's records as the cycle came to them (libfs/backfill/commit.c). */
struct fsi_plan_line {
	uint32_t *at; /* by place: which record */
	uint32_t *magnet; /* and as in fsi_plan_place */
	bool *since;  /* by place: is it kept by a limit that was not reached before the cycle started others? */
	size_t n;
	bool any; /* is any of since true? */
};

/* What a backfill cycle counts against bf_max_job_user, _part, _assoc and _user_part
 * (src/plugins/sched/backfill/backfill.c: _job_exceeds_max_bf_param). */

struct fsi_plan_pair {
	uint32_t user, partition, n; /* user, partition: names; n 0: there is no entry */
};

struct fsi_plan_counts {
	uint32_t *of_user; /* by name id, of jobs in default accounts; then the same of those in others */
	uint32_t *of_part, *reserved_part; /* by name id */
	uint32_t *of_assoc;                          /* by association row */
	struct fsi_plan_pair *pair;                  /* by user and partition */
	uint32_t names, assocs, size, npairs;                /* size of pair: 0 or a power of 2 */
};

/* One cycle of Slurm's backfill scheduler. */
struct fsi_backfill {
	struct fs_plan *plan; /* owns this */
	struct fsi_plan_cluster cluster;
	struct fsi_plan_params params;
	struct fsi_select select;
	struct fsi_plan_map map;
	struct fsi_plan_line line; /* the order in which the cycle came to the queue's records */
	struct fsi_plan_het het;
	struct fsi_plan_counts counts;
	uint32_t magnet; /* of the record that is being tried: as in fsi_plan_place */
	uint32_t tested; /* as bf_max_job_test counts */
	uint32_t starts; /* as bf_max_job_start counts */
	uint64_t array_id; /* the array that nodes were last reserved for, and how often in a row */
	uint32_t array_count;
	bool limits_by_node; /* fsi_plan_limits_nodes */
	bool over;	     /* the cycle has ended: the node space is full, or bf_max_job_start is reached */
	bool had_start;	     /* the job had a start before the record that is being tried */
	bool *pushed, *suspended; /* by job row: preempted for the record, and by being suspended */
	int64_t next_try; /* when the record would have been tried next; 0: never */
	int64_t longer;	  /* as in its row, of the last try of the only job */
	struct fsi_plan_started *started; /* jobs that the cycle itself started, in the order of the queue */
	size_t nstarted, next_started;	  /* next: to be placed on its nodes */
	bool clash; /* a job that the cycle started has what the plan gave to one before it */
	struct fsi_plan_since {
		struct fsi_ledgers *ledgers; /* of limits as they are now; NULL: not needed yet */
		int64_t *end_of; /* by job row: end of each running job; now for those not placed yet */
		size_t counted;	 /* how many of `started` count there */
	} since;
	fsi_plan_watch_fn watch;
	void *watch_ctx;
};

/* Is it certain that the record at place i of the line, which was not come to yet, gets no start before that,
 * whatever stands before it? 1, or 0: it is not; -1 without memory. */
int fsi_plan_no_sooner(struct fsi_backfill *bf, size_t i, int64_t start);

/* Does a reservation of Slurm's admit the job? A group stands for its members. */
bool fsi_plan_admits(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j);
/* Is there one that admits the members of a group, who are not known? */
bool fsi_plan_of_groups(const struct fsi_backfill *bf);

/* Makes p->line of p->queue as it is; the line before is not freed. -1 without memory. */
int fsi_plan_line_make(struct fsi_backfill *bf);
void fsi_plan_line_free(struct fsi_plan_line *l);
/* The start found is what the scheduler tells of the job, unless another partition gave an earlier one; one at which no
 * nodes are kept takes the place of an earlier one, too, within the window (src/plugins/sched/backfill/backfill.c:
 * _attempt_backfill, orig_start_time). */
void fsi_plan_tell(const struct fs_plan *p, struct fsi_plan_row *row, int64_t start, bool kept);
/* Is the record the first of its partition that is tried, and of its job? The main scheduler then has tried it there,
 * and no other. */
bool fsi_plan_heads_partition(const struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Puts the jobs that the cycle started before the record (NULL: all) on their nodes. Returns -1 if out of memory. */
int fsi_plan_start_before(struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Decides once, by a run, whether the jobs that the cycle started are put on their nodes in their turn or at once.
 * With `stay` the run's rows are left as they are if the jobs stay. -1 without memory. */
int fsi_plan_decide_started(struct fsi_backfill *bf, bool stay, bool *ran);

/* Does the cycle begin with the weights that one like it would leave (libfs/backfill/commit.c)? */
bool fsi_plan_carries_weights(const struct fsi_select *sel);

/* -1 without memory. */
int fsi_plan_het_init(struct fsi_backfill *bf);

/* To be called again when a job was given other partitions; 0, or -1 without memory. */
int fsi_plan_het_room(struct fsi_backfill *bf);

/* The het job that it is a component of; 0: none. */
static inline uint64_t fsi_plan_het_job(const fs_snapshot *m, uint32_t job)
{
	return fsi_job_rare(m, &m->job.v[job])->het_job_id;
}

/* May the record of a job be tried? Not if another component of its het job has no start. All other jobs may. */
bool fsi_plan_het_may(struct fsi_backfill *bf, uint32_t job);

/* A start is not before now, and not before those of the components that were tried already. */
int64_t fsi_plan_het_from(const struct fsi_backfill *bf, uint32_t job);

/* Notes that a try found the start; nothing is noted for jobs that are no component. */
void fsi_plan_het_found(struct fsi_backfill *bf, uint32_t job, int64_t start);

/* Notes the start in p->found. Would the het job wait for another one that waits for it? Then no nodes are kept. */
bool fsi_plan_het_would_block(struct fsi_backfill *bf, const struct fsi_plan_request *q);

/* Starts components together at the end of the cycle, or not at all. */
void fsi_plan_het_start(struct fsi_backfill *bf);

/* By job row: who of those that run gives way to the record; NULL: nobody (libfs/backfill/job_start.c). */
const bool *fsi_plan_pushed(struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Must anybody give way for the start found? Then nodes are kept for it while those that do so end. */
bool fsi_plan_pushes(const struct fsi_select *sel, const struct fsi_plan_request *q);

/* Finds the start that one cycle of the backfill scheduler finds, into p->found (libfs/backfill/job_start.c). */
bool fsi_plan_try(struct fsi_backfill *bf, const struct fsi_plan_request *q, bool now_only);

/* Puts the start in p->found off until its nodes do not run into what is planned; false: there is none. */
bool fsi_plan_try_on(struct fsi_backfill *bf, const struct fsi_plan_request *q);

/* Would its nodes do if nothing ran there? (libfs/backfill/commit.c) */
bool fsi_plan_possible(struct fsi_select *sel, const struct fsi_plan_request *q);

/* Is it certain that the request gets no start before that, now and whatever else is placed? For requests that
 * nobody gives way to. */
bool fsi_plan_none_before(struct fsi_backfill *bf, const struct fsi_plan_request *q, int64_t start);

/* Fills the nodes chosen; the nodes of its partition that are up and that it may use. */
void fsi_plan_found_set(const struct fsi_plan_cluster *c, const struct fsi_plan_found *f, uint64_t *set);
void fsi_plan_open_nodes(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, uint64_t *set);

/* Does the cycle count the record that is being tried, and keep nodes for it? */
static inline bool fsi_plan_counts_in(const struct fsi_backfill *bf)
{
	return !bf->magnet || bf->params.magnetic_slot;
}

/* Is bf_job_part_count_reserve reached in its partition? */
bool fsi_plan_part_is_full(const struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Gives the start in p->found (libfs/backfill/commit.c). *later: tasks that nodes are kept for, counted on. 1 when
 * the next task may be tried, 0 when not, -1 without memory. */
int fsi_plan_give(struct fsi_backfill *bf, const struct fsi_queue_record *r,
		  const struct fsi_plan_request *q, struct fsi_plan_row *row, uint64_t *later);
int fsi_plan_give_by_priority(struct fsi_backfill *bf, const struct fsi_queue_record *r,
			      const struct fsi_plan_request *q, struct fsi_plan_row *row);

/* Has its QOS NoReserve? */
bool fsi_plan_keeps_none(const fs_snapshot *m, const struct fsi_queue_record *r);

/* Are nodes kept for it then? Counts it if so; the cycle ends when the map is full. */
bool fsi_plan_keeps(struct fsi_backfill *bf, const struct fsi_queue_record *r,
		    const struct fsi_plan_request *q, struct fsi_plan_row *row);

/* May nodes be kept for another task of the array? Tasks are counted on from one partition to the next, unless
 * another array comes between. The array's throttle counts the tasks that run; from 23.02.4 also those that nodes are
 * kept for (ec5dbb55aa). */
bool fsi_plan_next_task(struct fsi_backfill *bf, const struct fsi_plan_row *row);

/* Keeps the nodes of p->found. -1 without memory. */
int fsi_plan_reserve(struct fsi_backfill *bf, const struct fsi_plan_request *q);

/* Nobody of the partition starts on its nodes before that time. */
void fsi_plan_close(struct fsi_plan_cluster *c, const struct fsi_plan_request *q, int64_t until);

/* Makes p->backfill, empty, with what is set in the plan. -1 without memory. */
int fsi_backfill_new(struct fs_plan *p);

/* Runs a cycle of Slurm's for a plan that was begun; watch: NULL, or gets each start. -1 without memory. */
int fsi_backfill_run(struct fs_plan *p, fsi_plan_watch_fn watch, void *ctx);

/* One record of the queue as a cycle comes to it, for the files of this folder that plan it. */

/* What jobs that run, and those given a start in a simulation, take of each limit of associations and QOS, and when
 * that lets another start (src/slurmctld/acct_policy.c: _validate_tres_usage_limits, _qos_job_runnable_pre_select; the
 * controller keeps no account of what it plans). Limits on what was used up (minutes, wall time) are given back by
 * decay alone, which is not told here. */

struct fsi_ledgers;

struct fsi_ledgers *fsi_ledgers_new(const struct fsi_backfill *bf); /* NULL without memory */
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
int fsi_ledgers_room(struct fsi_backfill *bf, const struct fsi_queue_record *r, size_t started, bool *room);

/* Does a limit bar the start in p->found, where the request takes nodes whole, has too much on each, or they are too
 * many? Limits are taken as they are now, without what the cycle started behind it. -1 without memory. */
int fsi_ledgers_bar(struct fsi_backfill *bf, const struct fsi_plan_request *q, bool *bars);

/* Limits on nodes, which hold once nodes were found for a job. */

/* Is there any limit on what a job has on a node, or on the nodes of jobs together? */
bool fsi_plan_limits_nodes(const fs_snapshot *m);

/* When jobs are likely to start: the queue in its order placed on nodes that jobs share, with limits of
 * associations and QOS counted (limit_ledger.c), once with time limits for run times, and RUNS times with run
 * times drawn from those of jobs of the same user, account and partition before, where there are enough. The
 * drawing follows from FSI_LIKELY_SEED, the job and the run alone, so that the same snapshot gives the same numbers. */

enum { FSI_LIKELY_RUNS = 25, FSI_LIKELY_MIN_RUNS = 10, FSI_LIKELY_SEED = 20260 };

/* Fills likely_* and limit_* of the rows, and p->likely; without runs where the cluster is too large for it. -1
 * without memory. */
int fsi_plan_likely(struct fsi_backfill *bf);

/* -1 without memory. */
int fsi_plan_counts_init(struct fsi_plan_counts *n, const fs_snapshot *m);
int fsi_plan_counts_copy(struct fsi_plan_counts *to, const struct fsi_plan_counts *n);
void fsi_plan_counts_release(struct fsi_plan_counts *n);

/* Counts a record, or one more task of its array, of a job in a partition (a name), unless as many as the parameters
 * admit were counted before it: then it is not counted, nor tried. It is only asked for unless `counts`. Returns 0 if
 * it was counted, what fsi_plan_count_limit takes if not, -1 if out of memory. */
int fsi_plan_count(struct fsi_plan_counts *n, const fs_snapshot *m, const struct fsi_plan_params *p,
		   const struct fsi_job *j, uint32_t partition, bool counts);

/* Returns the parameter for which fsi_plan_count did not count a record; full: what it returned, above 0. */
struct fsi_plan_cycle_limit fsi_plan_count_limit(const struct fsi_plan_params *p, int full);

/* How many records have nodes kept for them in a partition (a name). */
uint32_t *fsi_plan_reserved_in(const struct fsi_plan_counts *n, uint32_t partition);

/* All of a run that changes from record to record, taken down and put back. What was found for requests that are alike
 * (select/avail_index.h) is kept as far as it holds then too, so that going on costs no more than it did the first
 * time. */

struct fsi_plan_state {
	struct fsi_map_saved map;
	struct fsi_plan_state_node {
		int64_t free[FSI_RES_MAX], from, weight;
		uint32_t from_job;
		size_t holds, blocks; /* of all nodes, up to this one's */
	} *node;
	struct fsi_plan_alloc *hold;
	struct fsi_plan_block *block;
	struct fsi_plan_end *end;
	struct fsi_plan_row *row;
	struct fsi_plan_license *license;
	struct fsi_plan_counts counts;
	struct fsi_plan_memo memo; /* its entries have no nodes */
	int64_t *het_start;
	struct fsi_plan_het_in *het_in;
	size_t rows, ends, het_ins, next_started;
	uint64_t array_id, looks;
	uint32_t array_count, tested, starts, memo_round;
	struct fsi_fits_mark fits;
	bool over, given_up;
};

/* -1 without memory; then the state is released, or as it was. */
int fsi_plan_save(struct fsi_plan_state *s, const struct fsi_backfill *bf);
int fsi_plan_load(struct fsi_backfill *bf, const struct fsi_plan_state *s);
void fsi_plan_state_release(struct fsi_plan_state *s);
size_t fsi_plan_state_bytes(const struct fsi_backfill *bf); /* about what saving takes */

/* Was the running job started by the cycle? */
bool fsi_backfill_has_started(const struct fsi_select *sel, const struct fsi_job *j);

/* Takes the jobs that the cycle started off their nodes. Returns -1 if out of memory. */
int fsi_backfill_take_starts(struct fsi_backfill *bf);

#endif
