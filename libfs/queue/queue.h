/* Queue: the pending jobs of a snapshot in scheduling order, the causes that block them, and the pending reasons.
 *
 * A record is a pending job in one partition with one QOS that the job may use (Slurm: struct job_queue_rec in
 * src/slurmctld/job_scheduler.h, built by job_scheduler.c: build_job_queue). A queue holds all records of all
 * pending jobs. Records that the scheduler tries come first, the other records follow; both groups are sorted by the
 * keys of the scheduler (Slurm: job_scheduler.c: sort_job_queue2).
 *
 * Slurm has an independent scheduling order for each partition, Flux for each queue. Maui has a single order for all
 * partitions (m->scheduler->has_single_order). fsi_queue_get_position returns the position of a record in its
 * scheduling order.
 *
 * Steps of fsi_queue_compute_planned (libfs/queue/order.c), and the members that are valid after each step:
 *
 *   add_pending_jobs           the records, with the members that come from the job and its partition; the records are
 *                              sorted by job row. Slurm: `tried` and `eligible`, from the job alone
 *   fsi_verdict_prepare_facts  q->verdict_facts. Slurm (fsi_slurm_block_records): `blocker` and `passed_over`;
 *                              new values of `tried` and `eligible` in blocked records
 *   scheduler->prepare         `priority`; Slurm: q->het_jobs, q->preemption_rules and `preemption_row`; Flux and
 *                              Maui: `tried`, `eligible`, `reason_number` and `section`
 *   fsi_queue_sort_records     the final order of q->record, so that indices of records are final
 *   number_queue_records       `rank` and tasks.ahead of tried records; in other records they stay 0, and rank.before
 *                              stays FS_NO_ROW
 *   index_all_records          q->first_record, q->order_end and `next_of_job`
 *
 * The verdict on a job (libfs/queue/verdict.h) is computed from the finished queue when a caller asks for the verdict.
 *
 * The caller owns the queue and frees it with fs_queue_free. The queue borrows the snapshot and the usage, which
 * must outlive the queue. Texts belong to the snapshot. A record contains no pointers, so it may be copied.
 *
 * Functions that return int return 0, or -1 if out of memory, unless their comment names other values. */
#ifndef FSI_QUEUE_QUEUE_H
#define FSI_QUEUE_QUEUE_H

#include "fs/eval.h"
#include "fs/plan.h"
#include "fs/queue.h"
#include "model/model.h"
#include "model/reasons.h"
#include "model/scheduler.h"

struct fs_queue_options;
struct fs_queue_row;

/* ---- records */

/* The jobs that a record represents: the tasks of an array that have no record of their own, or else one job. */
struct fsi_queue_tasks {
	uint64_t n; /* number of jobs that the record represents (fs_job_tasks) */
	/* number of jobs ahead of this record in its partition; counts the jobs of eligible records only */
	uint64_t ahead;
	/* false: the capture shows only a part of the array's task list, so the array has more than `n` tasks */
	bool exact;
};

/* The position of a record in scheduling order. The predecessor of a record is the closest eligible record ahead of
 * it. */
struct fsi_queue_rank {
	/* 1-based position among the eligible records of the whole queue; 0: none. Only one record of each job has this
	 * position. */
	uint32_t overall;
	uint32_t in_partition; /* 1-based position among the eligible records of its partition; 0: none */
	uint32_t before;       /* index of the predecessor in the record's partition; FS_NO_ROW: none */
	/* enum fs_queue_key: the sort key by which this record comes after its predecessor in the whole queue */
	uint8_t key;
	/* enum fs_queue_key: the sort key by which this record comes after its predecessor in the partition */
	uint8_t partition_key;
};

/* A pending job in one partition with one QOS that it may use. */
struct fsi_queue_record {
	double priority;     /* priority of the job in this partition with this QOS; NAN: unknown */
	uint64_t sort_id;    /* job id; for an array task, the id of its array */
	int64_t submit_time; /* submit time, seconds since the epoch; INT64_MAX: unknown */
	struct fsi_queue_tasks tasks;
	/* rows of the job and of the partition in the snapshot's tables; FSI_NO_INDEX: the snapshot has no such
	 * partition */
	uint32_t job, partition;
	uint32_t partition_name, qos; /* name ids of the partition and of the QOS; 0: the job names none */
	/* `tier`: PriorityTier of the partition; `task`: array task id, or UINT32_MAX if the record is not for a single
	 * array task */
	uint32_t tier, task;
	/* index of the row and column in q->preemption_rules, for the partition or the QOS by which the queue is sorted
	 * (libfs/queue/preemption.c); FSI_NO_INDEX: none */
	uint32_t preemption_row;
	/* index among the records of the same job. The records of a job are in the order of its partition list; records
	 * with the same partition are in order of QOS priority, highest first */
	uint32_t choice_index;
	uint32_t table_position; /* position in the scheduler's job table; UINT32_MAX: unknown */
	/* index in the sorted queue of the next record of the same job; FSI_NO_INDEX: none */
	uint32_t next_of_job;
	struct fsi_queue_rank rank;
	/* enum fs_section: section of the queue to which the pending reason assigns the record */
	uint8_t section;
	/* enum fsi_record_blocker: what blocks the record in its partition and with its QOS */
	uint8_t blocker;
	bool tried;           /* the scheduler tries to find nodes for the record */
	bool eligible;        /* the record is tried and may start; later records must wait for it */
	bool has_reservation; /* the job has a reservation */
	/* an administrator set the priority; Flux: the priority follows from an urgency of 0 or 31 */
	bool priority_set;
	bool priority_printed : 1; /* Slurm: sprio printed the priority for the record's partition */
	/* Slurm: the record is in the scheduler's queue, but the scheduler skips it because of a limit; `tried` is
	 * false */
	bool passed_over : 1;
	/* 1-based index of the pending reason in the table of reasons (fsi_reason_to_number); 0: not a known reason */
	uint16_t reason_number;
};

/* Returns the pending reason of a record; NULL: the job has none, or it is not a known reason. */
static inline const struct fs_reason *fsi_queue_get_reason(const struct fsi_queue_record *r)
{
	return fsi_reason_from_number(r->reason_number);
}

/* What blocks a record of a Slurm job in its partition and with its QOS. */
enum fsi_record_blocker {
	FSI_BLOCKER_NONE,
	FSI_BLOCKER_LIMIT, /* the job would exceed a limit, or asks for nodes that the partition cannot provide now */
	FSI_BLOCKER_NEVER, /* a limit or the partition never allows the job, however long it waits */
	FSI_BLOCKER_CLOSED /* the partition is DOWN or INACTIVE */
};

/* Compares two records by one sort key. Returns a negative number if `a` is tried before `b`, a positive number if `b`
 * is tried before `a`, and 0 if they are equal by this key. */
typedef int fsi_queue_compare_fn(const struct fs_queue *q, const struct fsi_queue_record *a,
				 const struct fsi_queue_record *b);
/* A sort key of a scheduler. */
struct fsi_queue_key {
	enum fs_queue_key key;         /* the key's name in the public interface */
	fsi_queue_compare_fn *compare; /* function that compares two records by the key */
};

/* The last eligible record of one scheduling order, and the number of eligible records in this order. */
struct fsi_queue_order_end {
	uint32_t last_eligible;  /* 1 + index in `record` of the last eligible record; 0: none */
	uint32_t eligible_count; /* number of eligible records in the order */
};

/* Values by which all components of a het job are compared with records of other jobs (src/plugins/sched/backfill/
 * backfill.c: _set_hetjob_details). */
struct fsi_queue_het_job {
	uint64_t id;           /* id of the het job */
	double tier, priority; /* minimum, maximum or mean of the records' tiers and priorities; NAN: unknown */
	bool has_reservation;  /* at least one component of the het job has a reservation */
	uint32_t record_count; /* number of queue records of all components of the het job */
};

/* A queue. In queues of Flux and Maui, `verdict_facts` is empty except for its index of array jobs. */
struct fs_queue {
	const fs_snapshot *m; /* the snapshot whose jobs are queued; borrowed */
	/* queue operations of the snapshot's scheduler; NULL only in a queue that is freed after an error */
	const struct fsi_queue_scheduler *scheduler;
	/* usage from which priorities and limits are computed, borrowed; NULL: the usage recorded in the snapshot */
	const fs_usage *usage;
	/* true: recorded priorities are ignored, because an option of the view requires computed priorities
	 * (fs_view_differs) */
	bool ignores_recorded;
	int64_t now; /* time of `usage` or, if that is NULL, of the snapshot; seconds since the epoch */
	/* priorities given by the caller, borrowed; set only while the scheduler's `prepare` runs; NULL: none were
	 * given */
	fs_prios *prios;
	FSI_VEC(struct fsi_queue_record) record;
	struct fsi_viewer viewer; /* the user to whom the queue is shown; decides which jobs are visible */
	/* indexed by job row: index of the job's first record in `record`; FSI_NO_INDEX: none */
	uint32_t *first_record;
	/* last eligible record and number of eligible records of each scheduling order; indexed by the id of the order
	 * (fsi_queue_get_record_order) */
	struct fsi_queue_order_end *order_end;
	/* facts that are computed once for all verdicts; the queue owns them */
	struct fsi_verdict_facts *verdict_facts;
	/* Slurm with bf_hetjob_prio: one element for each het job, sorted by the id of the het job; otherwise empty */
	FSI_VEC(struct fsi_queue_het_job) het_jobs;
	/* Slurm with assoc_limit_stop: a job that has reached a limit is tried, and the jobs after it in scheduling
	 * order must wait for it */
	bool stops_at_limit;
	fs_holds *holds;      /* Flux: the holds of pending jobs; the queue owns them */
	void *scheduler_data; /* data of the scheduler's own functions; freed by the scheduler's `release` */
	/* state of the simulation that plans the jobs (Maui), borrowed; NULL: jobs are as in the snapshot */
	const void *planner_state;
	/* enum fsi_preemption_rule, indexed by preemptor row * `preemption_rows` + preemptee row; NULL: no job may
	 * preempt another */
	uint8_t *preemption_rules;
	/* number of rows and columns of `preemption_rules`, one for each QOS, or for each partition if preempt_by_tier
	 * is set */
	uint32_t preemption_rows;
	/* preempt/partition_prio: the rows of `preemption_rules` are partitions; otherwise they are QOS */
	bool preempt_by_tier;
};

/* Computes a queue for use in a plan, in the same way as fs_queue_compute. `planner_state`: state of the simulation
 * (Maui: struct fsi_maui_state); NULL: none. Returns the error codes of fs_queue_compute. */
int fsi_queue_compute_planned(fs_queue **out, const fs_snapshot *m, const struct fs_queue_options *options,
			      const void *planner_state, struct fs_error *err);

/* The queue operations of a scheduler. */
struct fsi_queue_scheduler {
	/* sort keys, most significant first; no two records are equal in the last key */
	const struct fsi_queue_key *keys;
	size_t nkeys;
	/* Sets the members of a new record that depend only on its job and partition; Slurm: `tier`, `has_reservation`,
	 * `tried` and `eligible`. NULL: the scheduler has no such members. */
	void (*fill_record)(const struct fs_queue *q, struct fsi_queue_record *r);
	/* Called before the queue is sorted. Sets `blocker` of blocked records. Clears their `tried` if the scheduler
	 * does not try them, and their `eligible` if they may not start. Returns -1 if out of memory. Only Slurm has
	 * this function. NULL: `prepare` determines which records are eligible. */
	int (*block_records)(struct fs_queue *q);
	/* If the job can never start or is not eligible, sets the kind of the verdict *out, and the members that belong
	 * to that kind. Otherwise, or if nothing is known about the job, leaves the kind FS_VERDICT_NONE. The caller
	 * then sets the kind: if the job is eligible, a kind that follows from its position, else FS_VERDICT_UNKNOWN.
	 * `first`: first record of the job. The caller has set partition, QOS and reason in *out. The function is NULL
	 * if the caller determines every kind. Returns -1 if out of memory. */
	int (*find_verdict)(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			    struct fs_verdict *out);
	/* Returns true if an eligible job must wait because too few of the nodes that it may use are available. In this
	 * case, sets *out to the counts of nodes that the job may use. NULL: the scheduler has no such test. */
	bool (*lacks_nodes)(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);
	/* Sets the members of the records that the sort keys need and that are not set yet. If the scheduler has no
	 * function `fill_record` or `block_records`, also sets the members that this function would set. Returns the
	 * error codes of fs_queue_compute. */
	int (*prepare)(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err);
	void (*release)(struct fs_queue *q); /* frees q->scheduler_data and q->holds; NULL: both are unused */
};

extern const struct fsi_queue_scheduler fsi_queue_of_slurm, fsi_queue_of_flux;

/* ---- scheduling orders */

/* Returns the id of the scheduling order of a partition: the name id of the partition, or 0 if all partitions have a
 * single order. */
static inline uint32_t fsi_queue_get_partition_order(const struct fs_queue *q, uint32_t partition)
{
	return q->m->scheduler->has_single_order ? 0 : partition;
}

/* Returns the id of the scheduling order of the record. */
static inline uint32_t fsi_queue_get_record_order(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return fsi_queue_get_partition_order(q, r->partition_name);
}

/* Returns the 1-based position of the record in its scheduling order; 0: none. */
static inline uint32_t fsi_queue_get_position(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return q->m->scheduler->has_single_order ? r->rank.overall : r->rank.in_partition;
}

/* Gives each record without a priority the computed priority of its job. If q->ignores_recorded is set and any computed
 * priority is known, does the same for all records that the scheduler tries (member `tried`). Sets has[job row] to true
 * for each job with a row in the computed priorities. All records of a job must have the same priority. Returns the
 * error codes of fs_prios_compute. */
int fsi_queue_fill_priorities(struct fs_queue *q, const struct fs_queue_options *o, bool *has, struct fs_error *err);

/* Adds record i to q->first_record and q->order_end. Returns the index of the job's next record; FSI_NO_INDEX: none.
 * The caller must add the records in reverse order, the last one first. */
static inline uint32_t fsi_queue_index_record(struct fs_queue *q, uint32_t i)
{
	const struct fsi_queue_record *r = &q->record.v[i];
	struct fsi_queue_order_end *end = &q->order_end[fsi_queue_get_record_order(q, r)];
	const uint32_t next = q->first_record[r->job];

	if (r->eligible && !end->eligible_count++)
		end->last_eligible = i + 1;
	q->first_record[r->job] = i;
	return next;
}

/* Returns the first key by which `a` and `b` differ, and sets *c to the result of the comparison by that key. If `a`
 * and `b` are the same record, returns FS_QUEUE_KEY_NONE and sets *c to 0. */
enum fs_queue_key fsi_queue_find_deciding_key(const struct fs_queue *q, const struct fsi_queue_record *a,
					      const struct fsi_queue_record *b, int *c);

/* ---- preemption (libfs/queue/preemption.c) */

/* The rule of preemption for two rows (QOS or partitions): which jobs of the preemptee row the jobs of the preemptor
 * row may preempt. */
enum fsi_preemption_rule {
	FSI_PREEMPTS_NONE,      /* none */
	FSI_PREEMPTS_ALL,       /* all */
	FSI_PREEMPTS_LOWER,     /* the preemptor may preempt jobs of lower priority */
	FSI_PREEMPTS_NOT_HIGHER /* the preemptor may preempt jobs of lower or equal priority */
};

/* Sets q->preemption_rules, and `preemption_row` of each record. Returns -1 if out of memory. */
int fsi_queue_fill_preemption(struct fs_queue *q);

/* Returns true if record `a` could preempt the job of record `b`, if that job were running. */
bool fsi_queue_may_preempt(const struct fs_queue *q, const struct fsi_queue_record *a,
			   const struct fsi_queue_record *b);

/* ---- sorting */

/* Sorts q->record: first the records that the scheduler tries, then all others. Both groups are sorted by the
 * scheduler's keys. Returns -1 if out of memory. */
int fsi_queue_sort_records(struct fs_queue *q);

/* Sort keys that several schedulers use. The key "priority" puts the highest priority first and unknown priorities
 * last. The other keys put the lowest value first: submit time, job id, array task, index among the records of the job,
 * position in the scheduler's job table. */
fsi_queue_compare_fn fsi_queue_compare_priority, fsi_queue_compare_submit_time, fsi_queue_compare_id,
	fsi_queue_compare_task, fsi_queue_compare_choice, fsi_queue_compare_table_position;

#endif
