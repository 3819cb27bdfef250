/* The columns of fs-share as data: one table for sshare's text, the format option, -e and JSON. */
#ifndef SHARE_ROWS_H
#define SHARE_ROWS_H

#include "cmd.h"
#include "columns/share.h"
#include "render/text.h"
#include "input/input.h"

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

/* Adds `name[%width],...`. A width of 0 keeps the default one (as in sshare), or with ours makes the column as
 * wide as its widest cell. With ours our own columns may be named. Returns 0, -1 without memory, or 1 with *bad
 * (of bad_size bytes) the word that names no column. */
int share_format_add(struct share_format *f, const char *list, bool ours, char *bad, size_t bad_size);

/* The columns shown by default: sshare's by version of -l and -m, with levels or not; and where the algorithm has
 * them, the ranges. */
const char *share_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide, bool with_partition);
void share_format_free(struct share_format *f);

/* Which rows of the tree are shown, in which order, and how far each account is indented. */

struct share_filter {
	const struct names *accounts; /* given: only these */
	const struct names *users;    /* unless all: only these users' rows, and all accounts */
	const char *me;               /* only this user's rows and the accounts above them */
	const char *subtree;          /* only this account and what is below it */
	bool all, users_only;
};

struct share_rows {
	const struct fs_share_row **v;
	unsigned *indent; /* by row of the tree; more than its parent's, none when that is not shown */
	size_t n;
};

/* -1 without memory, 1 when there is no account `subtree`. */
int share_rows_select(struct share_rows *r, const fs_shares *shares, const struct share_filter *f);

/* Sorts by `[-]column,...`, first column first; equal rows keep the tree's order. 1 with *bad the word that
 * names no column or one that has no order. */
int share_rows_sort(struct share_rows *r, const char *keys, char *bad, size_t bad_size);

/* The same rows, each behind its parent, siblings in another order than the tree's: the comparison is of pointers to
 * rows and goes by parent_row first. -1 without memory. */
int share_rows_thread(struct share_rows *r, const fs_shares *shares, fs_compare_fn siblings);

void share_rows_free(struct share_rows *r);

#endif
