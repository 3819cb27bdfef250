/* Everything computed from one snapshot: what the screens show. Once it is made only the chart is added, when
 * somebody looks at the timeline. */
#ifndef TOP_DATA_H
#define TOP_DATA_H

#include "picture/picture.h"

struct chart;
struct fs_queue_row;
struct view_ops;

struct data_options {
	struct fs_view view; /* its usage is data_make's */
	const struct view_ops *queue; /* of the queue: its rows are wanted by this column as well, SIZE_MAX none */
	size_t sorted_by;
	bool borrow; /* the caller keeps snapshot and usage */
	bool without_queue; /* makes what takes a moment alone, if it can be computed: see unordered */
};

/* What a partition holds; counts are of jobs, an array not yet split off being one. */
struct partition_row {
	const char *name;
	int64_t cpus, nodes, tier; /* FS_UNKNOWN */
	uint32_t waiting, eligible, running;
	int64_t running_cpus;
	uint32_t first[10], nfirst; /* rows of the queue that stand first here, of those the viewer sees */
};

/* Rows in the order of a column. */
struct sorted {
	uint32_t *row;
	size_t unknown; /* at its end, without a value */
	bool borrowed;
};

struct data {
	fs_snapshot *snapshot;
	fs_usage *usage; /* at another time, or computed; NULL: as the snapshot has it, like its time */
	bool borrowed;	 /* both */
	int64_t time;	 /* the clock */
	enum fs_position position;
	struct fs_eval eval;
	bool unordered; /* the queue is not made yet: nothing is known of where jobs stand */
	char algorithm[40];	/* the one computed by */
	const char *chosen;	/* the one asked for, NULL none */

	uint32_t *jobs; /* rows of the queue that the viewer sees */
	size_t njobs;
	uint32_t *first_prio; /* by job row: first row of the priorities, FS_NO_ROW none */
	struct sorted sorted; /* the queue by this column, SIZE_MAX none */
	size_t sorted_by;
	double max_points;   /* the most points of any job whose priority no administrator set: the scale of bars */
	uint32_t waiting, eligible, running;
	struct partition_row *partition;
	size_t partitions, partitions_cap;

	uint32_t *slots; /* a hash of rows of the queue (+ 1) by job; NULL: there was no snapshot before */
	size_t slots_mask;
	struct chart *chart; /* of the planned starts; NULL: not made yet */
	/* By row of the queue: position in the snapshot before, MOVE_NEW if it was not there; NULL: none before. */
	uint32_t *was, *was_in_partition;
};

enum { MOVE_NEW = UINT32_MAX };

/* Takes the snapshot and the usage (or NULL) over, unless they are borrowed. old: the data before it, to tell what
 * moved, or NULL. */
int data_make(struct data **out, fs_snapshot *s, fs_usage *usage, const struct data_options *o,
	      const struct data *old, struct fs_error *err);
void data_free(struct data *d);

/* Have so many jobs waited for their order so long that somebody would rather see the rest before it? */
bool data_is_large(const fs_snapshot *s);

/* While d->unordered what stands instead of jobs that wait; else NULL. */
const char *data_unordered(const struct data *d);

/* Rows of the shares. */
size_t data_shares(const struct data *d);

/* The priority's terms of a row of the queue; false if they are not known. */
bool data_prio(const struct data *d, const struct fs_queue_row *row, struct fs_prio_row *out);

/* The row of the queue, or FS_NO_ROW. */
uint32_t data_find_job(const struct data *d, uint64_t job, const char *partition, const char *qos);

/* The row of the shares with this user ("" the account itself) and account, or FS_NO_ROW. */
uint32_t data_find_share(const struct data *d, const char *account, const char *user, const char *partition);

/* Who has which nodes when: the planned starts of a snapshot, for the view of the timeline. */

struct chart {
	fs_plan *plan; /* owns the names of the lanes */
	struct timeline t;
	size_t *first; /* bar of each lane, and one more: where the last lane's end */
	char why[512]; /* why there is no plan; "" if there is one */
};

/* Makes the chart of the data's snapshot and algorithm; one other thread may do that. NULL without memory. */
struct chart *chart_make(const struct data *d);

/* The first lane on which this job is planned, FS_NO_ROW none. c may be NULL. */
uint32_t chart_lane_of(const struct chart *c, uint32_t job_row);

#endif
