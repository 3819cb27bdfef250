/* The columns of shares. A row is an account or user (struct fs_share_row). */
#ifndef COLUMNS_SHARE_H
#define COLUMNS_SHARE_H

#include "columns/column.h"
#include "fs/shares.h"

/* Indices of share_columns, in the order of the JSON. */
enum share_column {
	SHARE_ID, SHARE_ACCOUNT, SHARE_PARENT, SHARE_USER, SHARE_PARTITION, SHARE_RAW_SHARES, SHARE_NORM_SHARES,
	SHARE_RAW_USAGE, SHARE_LATE_USAGE, SHARE_NORM_USAGE, SHARE_EFFECTIVE_USAGE, SHARE_FAIRSHARE, SHARE_LEVEL_FS,
	SHARE_RANK, SHARE_LOW, SHARE_HIGH, SHARE_POSITION, SHARE_TIED, SHARE_COUNTED, SHARE_ACTIVE,
	SHARE_STORED_FAIRSHARE, SHARE_HELD_FAIRSHARE, SHARE_LISTED_USAGE, SHARE_GRP_TRES_MINS, SHARE_GRP_TRES_RAW,
	SHARE_TRES_RUN_MINS,
	SHARE_CLUSTER, SHARE_COLUMNS
};

extern const struct column share_columns[SHARE_COLUMNS];

/* The numeric columns that --history shows and --openmetrics prints. Their JSON keys are the names of the metrics. */
extern const enum share_column share_metric_columns[];
extern const size_t share_metric_columns_count;

/* The data that all rows of a share table use. Only columns with TRES amounts need `shares` and `tres`. */
struct share_source {
	const fs_snapshot *snapshot;
	const fs_shares *shares;
	struct fs_tres *tres; /* buffer for `ntres` entries, one for each TRES of the cluster */
	size_t ntres;
};

/* Writes the member `key` of the current JSON object: an object with the account, user and partition of the row; null
 * if `row` is NULL. */
void share_write_row_name(struct fs_json *j, const char *key, const struct fs_share_row *row);

/* Returns true if the column shows TRES amounts, and sets *which to their meaning: limits, usage, or what running jobs
 * may still use. */
bool share_get_column_tres(const struct column *c, enum fs_share_tres *which);

#endif
