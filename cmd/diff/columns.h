/* The columns of fs-diff: what a compared job and a compared share have, once or before and after. */
#ifndef DIFF_COLUMNS_H
#define DIFF_COLUMNS_H

#include "columns/column.h"
#include "columns/share.h"
#include "diff/diff.h"

/* column.part: is there one value, or one on each side? */
enum { DIFF_ONE, DIFF_EACH };

/* In the order of the JSON; those behind it are of the page alone. */
enum diff_job_column {
	DIFF_JOBID, DIFF_F58, DIFF_FATE, DIFF_WHERE, DIFF_PARTITIONS, DIFF_QOS, DIFF_USER, DIFF_ACCOUNT, DIFF_PRIORITY,
	DIFF_POSITION, DIFF_PARTITION_POSITION, DIFF_START, DIFF_SUM_CHANGE, DIFF_REST_CHANGE, DIFF_TERMS, DIFF_CHANGE,
	DIFF_JOB_COLUMNS
};

/* Of struct fs_compared_job, which belongs to a struct diff_run. */
extern const struct column diff_job_columns[DIFF_JOB_COLUMNS];

/* A column of the shares, of both states' rows, in the order of the JSON. */
struct diff_share_column {
	const char *name; /* NULL: in JSON alone */
	enum share_column column;
	bool whole;    /* the page cuts it to a whole number */
	bool if_moved; /* the page has it only where it differs in a row */
};
enum { DIFF_SHARE_COLUMNS = 7 };
extern const struct diff_share_column diff_share_columns[DIFF_SHARE_COLUMNS];

/* The value on one side; NONE where the state has no such row. */
void diff_job_value(const struct column *c, const struct fs_compared_job *j, int side, struct value *out);
void diff_share_value(const struct diff_share_column *c, const struct fs_compared_share *s, int side,
		      struct value *out);

#endif
