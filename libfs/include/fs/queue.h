/* Jobs in the order in which they are tried, and one verdict for each. */
#ifndef FS_QUEUE_H
#define FS_QUEUE_H

#include <fs/priority.h>
#include <fs/verdict.h>

FS_BEGIN_DECLS

/* ---- the queue */

/* The pending jobs in the order in which the scheduler tries them: a row for each partition and QOS a job asks
 * for. First the eligible ones, then those it does not try now, by the same keys. */
typedef struct fs_queue fs_queue;

/* A job in one partition with one QOS that it asks for. */
struct fs_queue_row {
	uint64_t job; /* id */
	uint32_t job_row; /* of the snapshot */
	const char *partition, *qos; /* "" if the job names none */
	const char *user, *account; /* "" unknown */
	enum fs_section section; /* where it stands */
	const struct fs_reason *reason; /* NULL: not a known one */
	/* From 1, counting eligible rows. The place of one that the scheduler tries but passes over (a limit of TRES, a
	 * partition that cannot take it) is the one it would have. position: of the job; 0 in its later rows. */
	uint32_t position, partition_position; /* 0: not tried */
	enum fs_queue_key key, partition_key;  /* what puts it behind the one before, overall and there */
	int64_t tier;	 /* of the partition */
	double priority; /* of the record; NAN unknown */
	uint64_t tasks;	 /* fs_job_tasks */
	uint64_t partition_tasks_ahead; /* array tasks of the eligible rows before it there, one by one */
	bool eligible;			   /* it waits for nothing but its turn there; nobody waits behind one that does not */
	bool tasks_exact, visible; /* tasks are all there are; the viewer may see the job */
};

/* How the order is made. */
struct fs_queue_options {
	size_t size; /* FS_QUEUE_OPTIONS_INIT */
	struct fs_view view; /* as everywhere */
	fs_prios *prios;     /* of the same snapshot and view, not to be computed again; or NULL */
};
#define FS_QUEUE_OPTIONS_INIT FS_INIT(struct fs_queue_options)

/* Errors: FS_ENODATA when no order is known for the scheduler, FS_EDATA for a bad configuration. */
FS_API int fs_queue_compute(fs_queue **out, const fs_snapshot *s, const struct fs_queue_options *options,
		     struct fs_error *err);
FS_API void fs_queue_free(fs_queue *q); /* NULL is fine */

FS_API size_t fs_queue_count(const fs_queue *q); /* rows */
FS_API bool fs_queue_row(const fs_queue *q, size_t i, struct fs_queue_row *out); /* row i */

/* What can be told of a row without looking at its job, for walking over all of them. */
struct fs_queue_place {
	uint32_t job_row; /* of the snapshot */
	const char *partition; /* "" if the job names none */
	uint32_t position; /* as in fs_queue_row */
	uint32_t before; /* eligible row before it in its partition, FS_NO_ROW none */
	int64_t tier; /* of the partition */
	double priority; /* as in fs_queue_row */
	bool eligible, visible; /* as in fs_queue_row */
	bool direct; /* the priority was set by an administrator, or (Flux) by urgency 0 or 31 */
};
FS_API bool fs_queue_place(const fs_queue *q, size_t i, struct fs_queue_place *out); /* of row i */

/* The first key by which rows a and b differ, NONE if they are the same row. CIRCLE: by that key the later one would be
 * ahead, but preemption, which relates pairs, made no order, and the scheduler's sort came to this. */
FS_API enum fs_queue_key fs_queue_deciding_key(const fs_queue *q, size_t a, size_t b);

/* The keys by which this scheduler sorts, the first one first; NONE past the end. */
FS_API enum fs_queue_key fs_queue_order(const fs_queue *q, size_t i);

/* Do the jobs of all partitions stand in one line (Maui, whose partitions here are classes)? Else each partition has
 * one of its own. */
FS_API bool fs_queue_one_line(const fs_queue *q);

/* ---- verdict */

/* The kind of the verdict on any job. fs_queue_verdict gives what fs_verdict_release takes back: its pointers are
 * good until then, or until the queue is freed. Errors: FS_ENOMEM, and there is nothing to release. */
FS_API enum fs_verdict_kind fs_queue_verdict_kind(const fs_queue *q, uint32_t job_row);
/* The kind and all the rest. */
FS_API int fs_queue_verdict(const fs_queue *q, uint32_t job_row, struct fs_verdict *out);

/* The limit that the scheduler's own commands name for a job that is blocked, with the use that they print. False: they
 * name none, as those of Slurm and Flux do. Maui's name hard limits alone; the use of its limits on eligible jobs is
 * what the last scheduling left behind, mostly below 0, so that others are blocked than were then. Names are good until
 * the queue is freed. */
FS_API bool fs_queue_shown_limit(const fs_queue *q, uint32_t job_row, struct fs_explain_limit *out);

FS_END_DECLS

#endif
