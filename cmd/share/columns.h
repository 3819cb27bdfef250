/* The columns of fs-share as data: one table for sshare's text, the format option, -e and JSON. */
#ifndef SHARE_COLUMNS_H
#define SHARE_COLUMNS_H

#include "cmd.h"
#include "columns/share.h"
#include "render/text.h"

/* The columns that can be named on a command line, in the order that decides which one an abbreviation means: number i,
 * NULL past the end. ours: those too that sshare has none of. */
const struct column *share_column_named(size_t i, bool ours);

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
int share_format_add(struct share_format *f, const char *list, bool ours, char *bad, size_t bad_size);

/* The columns shown by default: sshare's by version of -l and -m, with levels or not; and where the algorithm has
 * them, the ranges. */
const char *share_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide,
				 bool with_partition);
void share_format_free(struct share_format *f);

#endif
