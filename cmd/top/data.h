/* The data of one snapshot that the screens show: its computed results and indexes into them. struct data owns the
 * snapshot and the usage unless `borrowed` is set. After data_make_from_snapshot only the chart is added, when the
 * timeline is first shown. */
#ifndef TOP_DATA_H
#define TOP_DATA_H

#include "picture/picture.h"

struct chart;
struct fs_queue_row;
struct view_ops;

struct data_options {
	struct fs_view view; /* `usage` in it is ignored; data_make_from_snapshot sets it */
	const struct view_ops *queue; /* operations of the queue view, which read the values to sort by */
	size_t sorted_by; /* column of the queue view by which the rows are also sorted; SIZE_MAX: none */
	bool borrow; /* the caller keeps ownership of snapshot and usage */
	bool without_queue; /* leave the queue out, if the rest can be computed without it: see `unordered` */
};

/* A partition. The counts are numbers of jobs; the tasks of an array that have no job id of their own yet count as one
 * job. */
struct partition_row {
	const char *name;
	int64_t cpus, nodes, tier; /* FS_UNKNOWN: unknown */
	uint32_t waiting, eligible, running;
	int64_t running_cpus;
	uint32_t first[10], nfirst; /* queue rows of its first eligible jobs that the viewer may see */
};

/* Rows in the order of a column. */
struct sorted_rows {
	uint32_t *row;
	size_t without_value; /* number of rows at the end that have no value in the column */
	bool borrowed;
};

/* Numbers of jobs in the cluster. */
struct job_counts {
	uint32_t pending;  /* distinct pending jobs */
	uint32_t eligible; /* pending jobs that are eligible */
	uint32_t running;
};

/* A hash table of queue rows by job, with open addressing. */
struct job_index {
	uint32_t *slots; /* queue row + 1, 0: free; NULL: there was no earlier snapshot */
	size_t mask;	 /* number of slots - 1 */
};

/* By queue row: position in the previous snapshot, POSITION_NEW if the row was not in it; NULL: no previous snapshot.
 */
struct previous_positions {
	uint32_t *position, *partition_position;
};

struct data {
	fs_snapshot *snapshot;
	fs_usage *usage; /* usage computed from job records or at another time; NULL: as the snapshot records it */
	bool borrowed;	 /* snapshot and usage belong to somebody else */
	int64_t time;	 /* time of the data, seconds since the epoch */
	enum fs_position position;
	struct fs_eval eval;
	bool unordered; /* the queue has not been computed yet, so the scheduling order is unknown */
	char algorithm[40];	/* algorithm that computed the shares; "": none */
	const char *requested_algorithm; /* NULL: none was requested */

	uint32_t *visible_rows; /* queue rows that the viewer may see */
	size_t nvisible_rows;
	uint32_t *first_prio; /* by job row: first row of the priorities, FS_NO_ROW: none */
	struct sorted_rows sorted; /* the queue in the order of the column sorted_by */
	size_t sorted_by; /* SIZE_MAX: none */
	double max_points;   /* largest number of points of a job whose priority was not set by an administrator: the
			      * scale of the bars */
	struct job_counts counts;
	struct partition_row *partition;
	size_t partitions, partitions_cap;
	struct job_index job_index;
	struct previous_positions previous;
	struct chart *chart; /* planned starts; NULL: not computed yet */
};

enum { POSITION_NEW = UINT32_MAX };

/* Computes the data of a snapshot and takes ownership of it and of the usage (may be NULL), also on error, unless
 * o->borrow is set. old: the previous data, for the positions then; NULL: none. Returns 0, or an error code. */
int data_make_from_snapshot(struct data **out, fs_snapshot *s, fs_usage *usage, const struct data_options *o,
			    const struct data *old, struct fs_error *err);
void data_free_results(struct data *d);

/* Returns true if the snapshot has so many jobs that computing the queue noticeably delays the first screen. */
bool data_is_large(const fs_snapshot *s);

/* Returns the text to show instead of pending jobs while d->unordered is set, else NULL. */
const char *data_get_unordered_text(const struct data *d);

/* Returns the number of share rows. */
size_t data_count_share_rows(const struct data *d);

/* Sets *out to the priority factors of a queue row. Returns false if they are unknown. */
bool data_get_priority_row(const struct data *d, const struct fs_queue_row *row, struct fs_prio_row *out);

/* Returns the queue row of this job, partition and QOS, else another visible row of the job, else FS_NO_ROW. */
uint32_t data_find_job(const struct data *d, uint64_t job, const char *partition, const char *qos);

/* Returns the visible share row of this account and user ("": the account itself), preferably of this partition;
 * FS_NO_ROW if there is none. */
uint32_t data_find_share_row(const struct data *d, const char *account, const char *user, const char *partition);

/* ---- the chart of planned starts, shown by the timeline view */

struct chart {
	fs_plan *plan; /* owns the names of the lanes */
	struct timeline t;
	size_t *first; /* per lane the index of its first bar; one more entry marks the end of the last lane */
	char why[512]; /* why there is no plan; "": there is one */
};

/* Computes the planned starts with the data's snapshot and algorithm. May run in another thread while the data is read.
 * Returns NULL if out of memory. */
struct chart *chart_make_planned(const struct data *d);

/* Returns the first lane on which the job is planned; FS_NO_ROW if none. c may be NULL. */
uint32_t chart_find_job_lane(const struct chart *c, uint32_t job_row);

#endif
