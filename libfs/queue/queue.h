/* The queue in scheduling order behind one table of schedulers: each is a list of sort keys. */
#ifndef FSI_QUEUE_H
#define FSI_QUEUE_H

#include "model/viewer.h"

/* One partition and QOS of a pending job. */
struct fsi_queue_record {
	double priority; /* NAN unknown */
	uint64_t id;     /* of the array for a task of one */
	int64_t submit;
	uint64_t tasks, tasks_ahead;
	uint32_t job, partition; /* rows; partition FSI_NO_INDEX: not in the snapshot */
	uint32_t partition_name, qos;
	uint32_t tier, task;       /* task: UINT32_MAX for what is not split off */
	uint32_t preempts;         /* rank: higher may preempt lower; 0 nothing */
	uint32_t listed;           /* place in the job's own lists */
	uint32_t table;            /* place in the scheduler's job table; UINT32_MAX: not known */
	uint32_t position, partition_position;
	uint8_t key, partition_key; /* enum fs_queue_key */
	uint8_t section;            /* enum fs_section */
	bool in_line, tasks_exact, reserved, visible, direct;
	uint32_t before;	    /* record before it in its partition's line, UINT32_MAX none */
	const struct fs_reason *reason;
};

/* One sort key: negative when a goes before b, 0 when it does not part them. */
struct fsi_queue_key {
	enum fs_queue_key key;
	int (*compare)(const struct fsi_queue_record *a, const struct fsi_queue_record *b);
};

struct fs_queue {
	const fs_snapshot *m;
	const struct fsi_queue_scheduler *scheduler;
	const fs_usage *usage; /* NULL: as recorded */
	int64_t now;
	fs_prios *prios; /* while it is computed: the caller's, or NULL */
	FSI_VEC(struct fsi_queue_record) record;
	struct fsi_viewer viewer;
};

struct fsi_queue_scheduler {
	enum fs_scheduler scheduler;
	const struct fsi_queue_key *keys; /* the last one parts any two records */
	size_t nkeys;
	bool one_line; /* jobs of all partitions stand in one line, not in one each */
	/* Fills what the keys need of this record's job and partition, and in_line, if those tell it; or NULL. */
	void (*settle)(const struct fs_queue *q, struct fsi_queue_record *r);
	/* Fills what else the keys need, and in_line. algorithm: of the fair-share factor,
	 * or NULL. Error codes of fs_queue_compute. */
	int (*prepare)(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err);
};

extern const struct fsi_queue_scheduler fsi_slurm_queue, fsi_queue_of_flux, fsi_queue_of_maui;

/* In which line a record stands: 0, or the name of its partition; and its place there from 1, 0 if it has none. */
static inline uint32_t fsi_queue_line(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return q->scheduler->one_line ? 0 : r->partition_name;
}

static inline uint32_t fsi_queue_place(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return q->scheduler->one_line ? r->position : r->partition_position;
}

/* Computes the priorities of records that have none; for schedulers where a job has one. has, by job: those that
 * fs_prios_compute has a row for are set. Error codes of that. */
int fsi_queue_priorities(struct fs_queue *q, const struct fs_queue_options *o, bool *has,
			 struct fs_error *err);

/* The first key that parts them, with the sign in *c; FS_KEY_NONE and 0 for a record and itself. */
enum fs_queue_key fsi_queue_first_key(const struct fs_queue *q, const struct fsi_queue_record *a,
				      const struct fsi_queue_record *b, int *c);

/* Sorts the records by the scheduler's keys. -1 without memory. */
int fsi_queue_sort(struct fs_queue *q);

/* The section of a job with this reason, NULL if it is not a known one. */
enum fs_section fsi_job_section(const fs_snapshot *m, const struct fsi_job *j,
				const struct fs_reason *reason);

/* Keys that schedulers share. */
int fsi_key_priority(const struct fsi_queue_record *a, const struct fsi_queue_record *b);
int fsi_key_submit(const struct fsi_queue_record *a, const struct fsi_queue_record *b);
int fsi_key_id(const struct fsi_queue_record *a, const struct fsi_queue_record *b);
int fsi_key_task(const struct fsi_queue_record *a, const struct fsi_queue_record *b);
int fsi_key_listed(const struct fsi_queue_record *a, const struct fsi_queue_record *b);
int fsi_key_table(const struct fsi_queue_record *a, const struct fsi_queue_record *b);

#endif
