/* Queue: pending jobs in scheduling order, and one verdict for each job. */
#ifndef FS_QUEUE_H
#define FS_QUEUE_H

#include <fs/priority.h>
#include <fs/verdict.h>

FS_BEGIN_DECLS

/* ---- queue */

/* Pending jobs in the order in which the scheduler tries them, one row for each partition and QOS that a job asks for.
 * The rows that the scheduler tries are first, then the rows that it does not try at present. Both groups are sorted by
 * the scheduler's sort keys. */
typedef struct fs_queue fs_queue;

/* A job in one partition with one QOS that it asks for. */
struct fs_queue_row {
	uint64_t job; /* job id */
	uint32_t job_row; /* row of the job in the snapshot */
	const char *partition, *qos; /* "": the job asks for no partition, or for no QOS */
	const char *user, *account; /* "": unknown */
	enum fs_section section; /* section of the queue that the job is in */
	const struct fs_reason *reason; /* pending reason of the job; NULL: not a known reason */
	/* position:            1-based position of the job among the eligible jobs of the whole queue; set only in the
	 *                      job's first eligible row, or in its first row if none is eligible; 0 in other rows
	 * partition_position:  1-based position of the row among the eligible rows of its partition
	 *
	 * Both are 0 if the scheduler does not try the row. A row that the scheduler reaches and then skips (TRES
	 * limit, or a partition that cannot run the job) counts as tried. The position of such a row is the position at
	 * which the scheduler reaches the row. */
	uint32_t position, partition_position;
	/* sort key by which the row comes after its predecessor in the whole queue (`key`) and in the partition
	 * (`partition_key`) */
	enum fs_queue_key key, partition_key;
	int64_t tier;	 /* tier of the partition */
	double priority; /* priority of the job in this row; NAN: unknown */
	uint64_t tasks;	 /* number of jobs that the row represents, as returned by fs_job_tasks */
	/* number of jobs in eligible rows ahead of this row in its partition, each array task counted */
	uint64_t partition_tasks_ahead;
	/* true: in this partition the job waits only for jobs ahead of it and for free resources; false: another cause
	 * prevents the job's start, so the row delays no other row */
	bool eligible;
	/* `tasks_exact`: `tasks` is the exact number, not a minimum; `visible`: the viewer may see the job */
	bool tasks_exact, visible;
};

/* Options of fs_queue_compute. */
struct fs_queue_options {
	size_t size; /* size of the struct in bytes; set by FS_QUEUE_OPTIONS_INIT */
	struct fs_view view; /* the viewer for whom the queue is computed, and other inputs of the computation */
	fs_prios *prios;     /* priorities of the same snapshot and view; NULL: fs_queue_compute computes them */
};
#define FS_QUEUE_OPTIONS_INIT FS_INIT(struct fs_queue_options)

/* Computes the queue. Errors: FS_ENODATA if the scheduler's order is not known; FS_EDATA for a bad configuration;
 * FS_ENOMEM. */
FS_API int fs_queue_compute(fs_queue **out, const fs_snapshot *s, const struct fs_queue_options *options,
		     struct fs_error *err);
FS_API void fs_queue_free(fs_queue *q); /* frees the queue; q may be NULL */

FS_API size_t fs_queue_count(const fs_queue *q); /* number of rows of the queue */
/* fills *out with row i; returns false past the end */
FS_API bool fs_queue_row(const fs_queue *q, size_t i, struct fs_queue_row *out);

/* Members of a queue row that can be filled without reading the job of the row; for fast loops over all rows. */
struct fs_queue_place {
	uint32_t job_row; /* row of the job in the snapshot */
	const char *partition; /* "": the job asks for no partition */
	uint32_t position; /* position of the job in the whole queue, as in struct fs_queue_row */
	uint32_t before; /* index of the closest eligible row ahead in the same partition; FS_NO_ROW: none */
	int64_t tier; /* tier of the partition */
	double priority; /* priority of the job in this row; NAN: unknown */
	bool eligible, visible; /* eligible: the row may start; visible: the viewer may see the job */
	bool direct; /* the priority was set by an administrator, or in Flux by urgency 0 or 31 */
};
/* fills *out for row i; returns false past the end */
FS_API bool fs_queue_place(const fs_queue *q, size_t i, struct fs_queue_place *out);

/* Returns the first sort key by which rows `a` and `b` differ; NONE if they are the same row. CIRCLE: the preemption
 * rule compares pairs of jobs, and its results contradict each other. The order of the rows is then the order that the
 * scheduler's sort function produces. */
FS_API enum fs_queue_key fs_queue_deciding_key(const fs_queue *q, size_t a, size_t b);

/* Returns the i-th sort key of the scheduler, NONE past the end. */
FS_API enum fs_queue_key fs_queue_order(const fs_queue *q, size_t i);

/* Returns true if the jobs of all partitions are in one scheduling order, as in Maui, where partitions are classes.
 * Returns false if each partition has its own order. */
FS_API bool fs_queue_has_single_order(const fs_queue *q);

/* ---- verdict */

/* Returns the kind of the verdict on a job. The job need not be pending. */
FS_API enum fs_verdict_kind fs_queue_verdict_kind(const fs_queue *q, uint32_t job_row);
/* Fills *out with the verdict on a job. The job need not be pending. fs_verdict_release frees the memory of *out.
 * Pointers in *out are valid until that call, or until the queue is freed. Errors: FS_ENOMEM; after this error, *out
 * must not be released. */
FS_API int fs_queue_verdict(const fs_queue *q, uint32_t job_row, struct fs_verdict *out);

/* Fills *out with the limit that the scheduler's own commands show for a blocked job, and with the use of the limit
 * that these commands print. Returns false if the commands show no limit. Only Maui's commands show limits, and only
 * hard limits. For limits on eligible jobs, the commands print the use in Maui's tables after the last iteration; this
 * use is often negative. The jobs that the commands show as blocked may therefore differ from the jobs that the
 * iteration blocked. Names in *out are valid until the queue is freed. */
FS_API bool fs_queue_shown_limit(const fs_queue *q, uint32_t job_row, struct fs_explain_limit *out);

FS_END_DECLS

#endif
