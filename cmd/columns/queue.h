/* The columns of the queue. A pending job has one row for each partition and QOS that it requests, a running job has
 * one row. */
#ifndef COLUMNS_QUEUE_H
#define COLUMNS_QUEUE_H

#include "columns/column.h"
#include "fs/queue.h"

/* Indices of queue_columns, in the order of the JSON. */
enum queue_column {
	QUEUE_JOBID, QUEUE_F58, QUEUE_NAME, QUEUE_USER, QUEUE_ACCOUNT, QUEUE_STATE, QUEUE_SECTION, QUEUE_REASON,
	QUEUE_MEANING, QUEUE_CLEARS, QUEUE_LIMIT, QUEUE_TASKS, QUEUE_TASKS_EXACT, QUEUE_NODES, QUEUE_CPUS, QUEUE_GPUS,
	QUEUE_TIME_LIMIT, QUEUE_SUBMIT_TIME, QUEUE_START_TIME, QUEUE_END_TIME, QUEUE_NODELIST, QUEUE_PARTITION,
	QUEUE_QOS, QUEUE_PRIORITY, QUEUE_POSITION, QUEUE_PARTITION_POSITION, QUEUE_ELIGIBLE, QUEUE_IN_LINE,
	QUEUE_TASKS_AHEAD, QUEUE_WHY, QUEUE_PARTITION_WHY, QUEUE_VERDICT, QUEUE_VERDICT_CAUSE, QUEUE_VERDICT_TEXT,
	QUEUE_TIER, QUEUE_COLUMNS
};

/* A row of the queue. column.row_part says which members a column needs. QUEUE_NEEDS_ROW: `row`. QUEUE_NEEDS_JOB: `row`
 * and `job`. QUEUE_NEEDS_EXTRAS: `gpus` and the three `verdict` members. The caller may leave the other members
 * unset. */
enum { QUEUE_NEEDS_ROW, QUEUE_NEEDS_JOB, QUEUE_NEEDS_EXTRAS };
struct queue_table_row {
	struct fs_queue_row row; /* if the job is not pending, the positions are 0 and the keys are FS_QUEUE_KEY_NONE */
	struct fs_job job;
	int64_t gpus;
	const char *verdict, *verdict_cause, *verdict_text;
};

/* The data that all rows of a queue table use. */
struct queue_source {
	const fs_snapshot *snapshot;
	/* true: a pending reason is shown as recorded (dialect.records_waiting_reasons); false: the name of its
	 * fs_reason is shown, or the recorded text if libfs does not know the reason */
	bool waiting_reasons;
};

extern const struct column queue_columns[QUEUE_COLUMNS];

#endif
