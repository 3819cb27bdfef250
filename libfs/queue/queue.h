/* The queue in scheduling order: records, sort keys, preemption, and the table of pending reasons. */
#ifndef FSI_QUEUE_QUEUE_H
#define FSI_QUEUE_QUEUE_H

#include "fs/eval.h"
#include "fs/plan.h"
#include "fs/queue.h"
#include "model/scheduler.h"
#include "model/viewer.h"

/* The table of pending reasons in three parts: Slurm's limits, its other reasons, and those of Maui and Flux. */

struct fs_queue_options;
struct fs_queue_row;

/* Its place in all three parts from 1, and back: 0 and NULL for none. */
uint16_t fsi_reason_number(const struct fs_reason *r);
static inline const struct fs_reason *fsi_reason_numbered(uint16_t number)
{
	return number ? fs_reason_at(number - 1u) : NULL;
}

/* Returns true if the reason says that nodes which the job needs are not available. text: the recorded reason. */
bool fsi_reason_names_nodes(const struct fs_reason *r, const char *text);

/* Returns true if the detail says that these nodes are reserved: "ReqNodeNotAvail, Reserved for maintenance". */
bool fsi_reason_is_reserved(const char *text);

/* Is it a reason of this list? NULL is in none. */
bool fsi_reason_in(const struct fs_reason *r, const char *const *names, size_t n);
#define FSI_REASON_IN(r, names) fsi_reason_in(r, names, sizeof(names) / sizeof(*(names)))

/* The queue in scheduling order behind one table of schedulers: each is a list of sort keys. */

/* The jobs that a record represents: the tasks of an array that are not split off, else one job. */
struct fsi_queue_tasks {
	uint64_t n;
	uint64_t ahead; /* jobs of the eligible records ahead of it in its partition's line */
	bool exact;	/* false: the capture cut the list of tasks, so there are more */
};

/* The position of a record in scheduling order. "Before it" means the closest eligible record. */
struct fsi_queue_rank {
	uint32_t overall;      /* position among all jobs, from 1; 0: none, or an earlier record of the job has it */
	uint32_t in_partition; /* position in its partition's line, from 1; 0: none */
	uint32_t before;       /* record before it in its partition's line; UINT32_MAX: none */
	uint8_t key;	       /* enum fs_queue_key: first key by which it differs from the record before it */
	uint8_t partition_key; /* enum fs_queue_key: the same for its partition's line */
};

/* A pending job in one partition with one QOS. */
struct fsi_queue_record {
	double priority; /* NAN unknown */
	uint64_t id;     /* of the array for a task of one */
	int64_t submit;
	struct fsi_queue_tasks tasks;
	uint32_t job, partition; /* rows; partition FSI_NO_INDEX: not in the snapshot */
	uint32_t partition_name, qos;
	uint32_t tier, task;       /* task: UINT32_MAX for what is not split off */
	uint32_t preemptor;	   /* row of q->preempts; FSI_NO_INDEX none */
	uint32_t listed;           /* place in the job's own lists */
	uint32_t table;            /* place in the scheduler's job table; UINT32_MAX: not known */
	uint32_t next;		    /* in the sorted queue: the job's next record, FSI_NO_INDEX none */
	struct fsi_queue_rank rank;
	uint8_t section;            /* enum fs_section */
	uint8_t bar;		    /* enum fsi_queue_bar */
	bool tried;		    /* the scheduler looks for nodes for it, in this order */
	bool eligible;		    /* and it may start, so that others stand behind it */
	bool reserved, direct;
	bool printed : 1;	    /* Slurm: priority is what sprio printed for this partition */
	/* Slurm: it is not tried, for a limit that is looked at when its turn has come, so that it stands in the
	 * scheduler's queue all the same */
	bool passed_over : 1;
	uint16_t reason;	    /* fsi_reason_number */
};

static inline const struct fs_reason *fsi_queue_reason(const struct fsi_queue_record *r)
{
	return fsi_reason_numbered(r->reason);
}

/* What keeps a record from being eligible. */
enum fsi_queue_bar {
	FSI_BAR_NONE,
	FSI_BAR_LIMIT, /* it would pass a limit */
	FSI_BAR_NEVER, /* a limit or its partition bars it, however long it waits */
	FSI_BAR_SHUT   /* its partition is down */
};

/* One sort key: negative when a goes before b, 0 when the next key decides. */
typedef int fsi_key_fn(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b);
struct fsi_queue_key {
	enum fs_queue_key key;
	fsi_key_fn *compare;
};

/* The eligible records of a line. */
struct fsi_queue_end {
	uint32_t last; /* 1 + the last of them, 0 none */
	uint32_t count;
};

/* How the components of a het job count beside other jobs. */
struct fsi_queue_het {
	uint64_t id;
	double tier, priority;
	bool reserved;
	uint32_t n; /* records */
};

struct fs_queue {
	const fs_snapshot *m;
	const struct fsi_queue_scheduler *scheduler;
	const fs_usage *usage; /* NULL: as recorded */
	bool computed;	       /* fs_view_differs: no recorded priority counts */
	int64_t now;
	fs_prios *prios; /* while it is computed: the caller's, or NULL */
	FSI_VEC(struct fsi_queue_record) record;
	struct fsi_viewer viewer;
	uint32_t *record_of; /* by job row: its first record, FSI_NO_INDEX none */
	struct fsi_queue_end *end_of; /* by line (fsi_queue_line) */
	struct fsi_verdicts *verdicts;
	FSI_VEC(struct fsi_queue_het) het; /* Slurm, by id: with bf_hetjob_prio; else none */
	bool limits_stop;    /* Slurm: jobs at a limit stop those behind them */
	fs_holds *holds;     /* Flux */
	void *own;	     /* what the scheduler's functions keep; its release frees it */
	const void *planner_state; /* what the scheduler's planner knows of jobs; NULL: the snapshot's jobs as they are */
	uint8_t *preempts;  /* enum fsi_preempts, by row and column; NULL: nobody preempts */
	uint32_t npreempts; /* rows: QOS or, by tier, partitions */
	bool preempt_by_tier;
};

/* As fs_queue_compute, for a planner of the snapshot's scheduler. planner_state: that scheduler's; NULL: none. */
int fsi_queue_compute_planned(fs_queue **out, const fs_snapshot *m, const struct fs_queue_options *options,
			      const void *planner_state, struct fs_error *err);

struct fsi_queue_scheduler {
	const struct fsi_queue_key *keys; /* the last one decides between any two records */
	size_t nkeys;
	/* Fills what the keys need of this record's job and partition, and eligible if those tell it; or NULL. */
	void (*fill)(const struct fs_queue *q, struct fsi_queue_record *r);
	/* Makes records that something bars not eligible, before the queue is sorted; NULL: prepare does. -1 without
	 * memory. */
	int (*bar)(struct fs_queue *q);
	/* Why a job is not eligible, with what it can tell; kind NONE: its place tells, or nothing does. out:
	 * partition, QOS and reason filled. NULL: only its place ever tells. -1 without memory. */
	int (*verdict)(const struct fs_queue *q, const struct fsi_queue_record *first,
		       struct fsi_arena *arena, struct fs_verdict *out);
	/* Are too few of the nodes that an eligible job may use up? Then *out says so. NULL: it is never known. */
	bool (*lacks_nodes)(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);
	/* Fills what else the keys need, and eligible. algorithm: that of the fair-share factor, or NULL. Error
	 * codes of fs_queue_compute. */
	int (*prepare)(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err);
	void (*release)(struct fs_queue *q); /* frees what only this scheduler allocates; NULL: nothing */
};

extern const struct fsi_queue_scheduler fsi_slurm_queue, fsi_queue_of_flux;

/* The line of a partition, a name: 0 where there is one for all. */
static inline uint32_t fsi_queue_line_of(const struct fs_queue *q, uint32_t partition)
{
	return q->m->scheduler->one_line ? 0 : partition;
}

/* The line that a record stands in, and its place there from 1, 0 if it has none. */
static inline uint32_t fsi_queue_line(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return fsi_queue_line_of(q, r->partition_name);
}

static inline uint32_t fsi_queue_place(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return q->m->scheduler->one_line ? r->rank.overall : r->rank.in_partition;
}

/* Computes the priorities of records that have none; for schedulers where a job has one. has, by job: those that
 * fs_prios_compute has a row for are set. Error codes of that. */
int fsi_queue_priorities(struct fs_queue *q, const struct fs_queue_options *o, bool *has, struct fs_error *err);

/* Notes a record in them, and returns the job's next one. Records are noted from the last to the first. */
static inline uint32_t fsi_queue_note(struct fs_queue *q, uint32_t i)
{
	const struct fsi_queue_record *r = &q->record.v[i];
	struct fsi_queue_end *end = &q->end_of[fsi_queue_line(q, r)];
	const uint32_t next = q->record_of[r->job];

	if (r->eligible && !end->count++)
		end->last = i + 1;
	q->record_of[r->job] = i;
	return next;
}

/* The first key by which they differ, with its sign in *c; FS_QUEUE_KEY_NONE and 0 for a record and itself. */
enum fs_queue_key fsi_queue_first_key(const struct fs_queue *q, const struct fsi_queue_record *a,
				      const struct fsi_queue_record *b, int *c);

/* May the QOS or partition of one record preempt that of another? */
enum fsi_preempts {
	FSI_PREEMPTS_NOT,
	FSI_PREEMPTS,
	FSI_PREEMPTS_LOWER,	/* one of lower priority */
	FSI_PREEMPTS_NOT_HIGHER /* one whose priority is not higher */
};

/* libfs/queue/preemption.c: fills q->preempts and the records' rows of it. -1 without memory. */
int fsi_preemption(struct fs_queue *q);

/* May a preempt b, were b running? */
bool fsi_preempts(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b);

/* Sorts the records by the scheduler's keys. -1 without memory. */
int fsi_queue_sort(struct fs_queue *q);

/* The section of a job with this reason, NULL if it is not a known one. */
enum fs_section fsi_job_section(const fs_snapshot *m, const struct fsi_job *j, const struct fs_reason *reason);

/* Keys that schedulers share. */
fsi_key_fn fsi_key_priority, fsi_key_submit, fsi_key_id, fsi_key_task, fsi_key_listed, fsi_key_table;

#endif
