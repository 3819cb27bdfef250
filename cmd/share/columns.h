/* The columns of fs-share as data: one table for sshare's text, the format option, -e and JSON. */
#ifndef SHARE_COLUMNS_H
#define SHARE_COLUMNS_H

#include "cmd.h"
#include "column.h"
#include "render/text.h"

/* In the order of the JSON. */
enum share_column {
	SHARE_ID, SHARE_ACCOUNT, SHARE_PARENT, SHARE_USER, SHARE_PARTITION, SHARE_RAW_SHARES, SHARE_NORM_SHARES,
	SHARE_RAW_USAGE, SHARE_LATE_USAGE, SHARE_NORM_USAGE, SHARE_EFFECTIVE_USAGE, SHARE_FAIRSHARE, SHARE_LEVEL_FS,
	SHARE_RANK, SHARE_LOW, SHARE_HIGH, SHARE_POSITION, SHARE_TIED, SHARE_COUNTED, SHARE_ACTIVE,
	SHARE_STORED_FAIRSHARE, SHARE_LISTED_USAGE, SHARE_GRP_TRES_MINS, SHARE_GRP_TRES_RAW, SHARE_TRES_RUN_MINS,
	SHARE_CLUSTER, SHARE_COLUMNS
};

/* Of struct fs_share_row. */
extern const struct column share_columns[SHARE_COLUMNS];

/* What its rows belong to. */
struct share_source {
	const fs_snapshot *snapshot;
	const fs_shares *shares;
	struct fs_tres *tres; /* room for all of the cluster's */
	size_t ntres;
};

/* The columns that can be named on a command line, in the order that decides which one an abbreviation means: number i,
 * NULL past the end. ours: those too that sshare has none of. */
const struct column *share_column_named(size_t i, bool ours);

/* Which TRES the column has; false: it is none of TRES. */
bool share_column_tres(const struct column *c, enum fs_share_tres *which);

/* A column chosen for output. */
struct share_field {
	const struct column *column;
	int width;
};

struct share_format {
	struct share_field *field;
	size_t n, cap;
	int *width; /* by column: naming one under two spellings gives both the last width */
};

/* The column that a prefix of its name in any case means: the first that fits, or NULL. */
const struct column *share_column_find(const char *word, size_t len, bool ours);

/* Adds `name[%width],...`. A width of 0 keeps the default one (as in sshare), or with ours makes the column as
 * wide as its widest cell. With ours our own columns may be named. Returns 0, -1 without memory, or 1 with *bad
 * (of bad_size bytes) the word that names no column. */
int share_format_add(struct share_format *f, const char *list, bool ours, char *bad,
		     size_t bad_size);

/* The columns shown by default: sshare's by version of -l and -m, with levels or not; and where the algorithm has
 * them, the ranges. */
const char *share_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide,
				 bool with_partition);
void share_format_free(struct share_format *f);

#endif
