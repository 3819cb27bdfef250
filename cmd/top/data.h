/* The data of one snapshot that the screens show: its computed results and indexes into them. struct data owns the
 * snapshot and the usage unless `borrowed` is set. data_make_from_snapshot computes everything except the chart. The
 * chart is added when the timeline is first shown. */
#ifndef TOP_DATA_H
#define TOP_DATA_H

#include "picture/picture.h"

struct chart;
struct fs_queue_row;
struct view_ops;

struct data_options {
	/* viewer, algorithm and other inputs of the computation. The member `view.usage` is ignored: the usage is a
	 * parameter of data_make_from_snapshot. */
	struct fs_view view;
	const struct view_ops *queue; /* the queue view; its columns give the values by which queue rows are sorted */
	/* index of the column of the queue view by which data.sorted is sorted; SIZE_MAX: data.sorted stays empty */
	size_t sorted_by;
	bool borrow; /* true: the caller remains the owner of the snapshot and the usage */
	/* do not compute the queue, and set data.unordered; ignored if shares or priorities cannot be computed */
	bool without_queue;
};

/* A partition. `waiting`, `eligible` and `running` are numbers of jobs. All tasks of an array that have no job id of
 * their own yet are counted as one job. */
struct partition_row {
	const char *name;
	int64_t cpus, nodes, tier; /* CPUs, nodes and tier of the partition; FS_UNKNOWN: not in the snapshot */
	uint32_t waiting, eligible, running;
	int64_t running_cpus;
	/* `first`: queue rows of the partition's first eligible jobs, without jobs that the viewer may not see;
	 * `nfirst`: number of elements in `first` */
	uint32_t first[10], nfirst;
};

/* Row numbers sorted by a column. */
struct sorted_rows {
	uint32_t *row;
	size_t without_value; /* number of rows at the end of `row` that have an unknown or empty value in the column */
	bool borrowed;
};

/* Numbers of jobs in the cluster. */
struct job_counts {
	uint32_t pending;  /* number of pending jobs; a job with several queue rows is counted once */
	uint32_t eligible; /* number of pending jobs that are eligible */
	uint32_t running;
};

/* A hash table that finds the queue row of a job. It uses open addressing. */
struct job_index {
	/* each slot: queue row + 1, or 0 if the slot is free; NULL: there was no earlier queue, so the table is not
	 * needed */
	uint32_t *slots;
	size_t mask;	 /* number of slots, which is a power of 2, minus 1 */
};

/* Positions and planned starts that the queue rows had in the previous queue. `position`: position among all jobs;
 * `partition_position`: position in the partition. POSITION_NEW: the previous queue does not contain the row. `start`:
 * planned start, seconds since the epoch; FS_UNKNOWN: none. All arrays are indexed by queue row. NULL: there is no
 * previous queue. */
struct previous_positions {
	uint32_t *position, *partition_position;
	int64_t *start;
};

struct data {
	fs_snapshot *snapshot;
	/* usage computed from job records, or for a time other than the snapshot's; NULL: the usage recorded in the
	 * snapshot is used */
	fs_usage *usage;
	bool borrowed;	 /* the snapshot and the usage belong to another struct data or to the caller */
	int64_t time;	 /* time for which the data is computed, seconds since the epoch */
	enum fs_position position;
	struct fs_eval eval;
	bool unordered; /* the queue has not been computed yet, so the scheduling order is unknown */
	char algorithm[40];	/* algorithm that computed the shares; "": there are no shares */
	const char *requested_algorithm; /* algorithm requested by the user; NULL: none */

	uint32_t *visible_rows; /* indexes of the queue rows that the viewer may see */
	size_t nvisible_rows;
	uint32_t *first_prio; /* element i: first priority row of the job in job row i; FS_NO_ROW: the job has none */
	struct sorted_rows sorted; /* the visible queue rows in the order of column `sorted_by` */
	/* index of the column of the queue view by which `sorted` is sorted; SIZE_MAX: `sorted` is not set */
	size_t sorted_by;
	/* sum of points that a priority bar of full width represents: the largest sum of all jobs. Jobs whose priority
	 * was set by an administrator, or by urgency 0 or 31 in Flux, are ignored */
	double max_points;
	struct job_counts counts;
	struct fs_capacity capacity; /* resources of the cluster and their use */
	int64_t last_cycle; /* latest time at which the scheduler tried a pending job; FS_UNKNOWN: not recorded */
	unsigned reason_width; /* length of the longest pending reason, at most MAX_REASON_WIDTH */
	uint32_t *running; /* job rows of the visible running jobs, the earliest end first */
	size_t nrunning;
	struct partition_row *partition;
	size_t partitions, partitions_cap;
	struct job_index job_index;
	struct previous_positions previous;
	struct chart *chart; /* planned starts; NULL: not computed yet */
};

enum { POSITION_NEW = UINT32_MAX, MAX_REASON_WIDTH = 32 };

/* Computes the data of a snapshot. Takes ownership of the snapshot and of the usage (may be NULL), also on error,
 * unless o->borrow is set. `old`: the previous data, which has the previous positions of the jobs; NULL: none. Returns
 * 0, or an error code. */
int data_make_from_snapshot(struct data **out, fs_snapshot *s, fs_usage *usage, const struct data_options *o,
			    const struct data *old, struct fs_error *err);
void data_free_results(struct data *d);

/* Returns true if the snapshot has so many jobs that computing the queue noticeably delays the first screen. */
bool data_is_large(const fs_snapshot *s);

/* Returns the text to show instead of pending jobs if d->unordered is set, else NULL. */
const char *data_get_unordered_text(const struct data *d);

/* Returns the number of share rows. */
size_t data_count_share_rows(const struct data *d);

/* Sets *out to the priority factors of a queue row. Returns false if the factors are unknown. */
bool data_get_priority_row(const struct data *d, const struct fs_queue_row *row, struct fs_prio_row *out);

/* Returns the queue row of this job, partition and QOS. If there is no such row, returns another visible queue row of
 * the job. Returns FS_NO_ROW if the job has no visible row. */
uint32_t data_find_job(const struct data *d, uint64_t job, const char *partition, const char *qos);

/* Returns the visible share row of this account and user. If `user` is "", returns the row of the account itself. If
 * there are several rows, prefers the row of this partition. Returns FS_NO_ROW if there is none. */
uint32_t data_find_share_row(const struct data *d, const char *account, const char *user, const char *partition);

/* ---- the chart of planned starts, shown by the timeline view */

/* A planned job that starts when a running job ends. */
struct chart_freed {
	uint64_t by;   /* id of the running job */
	uint32_t row; /* row of the plan */
};

struct chart {
	fs_plan *plan; /* plan whose starts `t` shows; the plan owns the node names in t.lane; NULL: there is no plan */
	struct timeline t;
	struct chart_freed *freed; /* sorted by `by`, then by `row` */
	size_t nfreed;
	/* first[i]: index in t.bar of the first bar of the node t.lane[i]; first[t.lanes]: number of bars */
	size_t *first;
	char why[512]; /* text that explains why there is no plan or no lane; "": there are lanes */
};

/* Computes the planned starts of the jobs in d->snapshot, with the fair-share algorithm of `d`. Another thread may read
 * `d` at the same time. Returns NULL if out of memory. */
struct chart *chart_make_planned(const struct data *d);

/* Returns true if the queue is so short that its starts are planned as soon as the queue is shown. */
bool chart_is_planned_at_once(const struct data *d);

/* Sets *out to the plan row of the job. Returns false if there is no plan or if the plan does not contain the job. `c`
 * may be NULL. */
bool chart_find_plan_row(const struct chart *c, uint32_t job_row, struct fs_plan_row *out);

/* Returns the first of the jobs that start when the running job `job` ends, and sets *n to their number. `c` may be
 * NULL. */
const struct chart_freed *chart_find_freed(const struct chart *c, uint64_t job, size_t *n);

/* Returns the latest end of a running job: its start plus its time limit. FS_UNKNOWN: not known. */
int64_t data_get_latest_end(const struct fs_job *j);

/* Returns the index in t.lane of the first node on which the job is planned. Returns FS_NO_ROW if there is none. `c`
 * may be NULL. */
uint32_t chart_find_job_lane(const struct chart *c, uint32_t job_row);

#endif
