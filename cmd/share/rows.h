/* The columns and rows that fs-share prints: their selection by options, order and indentation. A struct share_format
 * and a struct share_rows own their arrays. The rows are borrowed from fs_shares. */
#ifndef SHARE_ROWS_H
#define SHARE_ROWS_H

#include "cmd.h"
#include "columns/share.h"
#include "render/text.h"
#include "input/input.h"

/* Returns column i of those that can be named on a command line; NULL past the end. An abbreviation means the first
 * column in this order that matches. with_extensions: includes the columns that sshare does not have. */
const struct column *share_get_named_column(size_t i, bool with_extensions);

/* A column chosen for output, and its width as in struct column. */
struct share_field {
	const struct column *column;
	int width;
};

struct share_format {
	struct share_field *field;
	size_t n, cap;
	int *width; /* by column of share_columns: the width given last, which applies to each field of the column */
};

/* Adds the columns of a list `name[%width],...`. A width of 0 keeps the default width, as in sshare. If with_extensions
 * is set, a width of 0 makes the column as wide as its widest cell, and the columns that sshare does not have can be
 * named. Returns 0, or -1 if out of memory. If a word names no column, copies it to `bad`, a buffer of bad_size bytes,
 * and returns 1. */
int share_format_add_columns(struct share_format *f, const char *list, bool with_extensions, char *bad,
			     size_t bad_size);

/* Returns the default columns: those of sshare with or without -l (`wide`) and -m (`with_partition`), with LevelFS if
 * the algorithm has levels, with Low and High if it has ranges. */
const char *share_get_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide, bool with_partition);
void share_format_free(struct share_format *f);

/* ---- rows */

struct share_filter {
	const struct names *accounts; /* only the rows of these accounts, if `given` */
	const struct names *users;    /* only the rows of these users and of all accounts; ignored if `all` */
	const char *me;               /* only the rows of this user and of the accounts above; NULL: no restriction */
	const char *subtree;          /* only this account and the rows below it; NULL: no restriction */
	bool all, users_only;
};

struct share_rows {
	const struct fs_share_row **v;
	/* by row of fs_shares: one more than that of the parent row, 0 if the parent row is not selected */
	unsigned *indent;
	size_t n;
};

/* Selects rows in the order of the tree. Returns 0, -1 if out of memory, or 1 if there is no account `subtree`. */
int share_rows_select(struct share_rows *r, const fs_shares *shares, const struct share_filter *f);

/* Sorts by `[-]column,...`, the first column first. Equal rows keep their order. Returns 0, or -1 if out of memory.
 * Returns 1 if a word names no column or a column without an order, and copies the word to `bad`. */
int share_rows_sort(struct share_rows *r, const char *keys, char *bad, size_t bad_size);

/* Puts the selected rows in depth-first order: each after its parent, siblings in the order of `siblings`. This
 * function compares pointers to rows by parent_row first. Returns -1 if out of memory. */
int share_rows_sort_siblings(struct share_rows *r, const fs_shares *shares, fs_compare_fn siblings);

void share_rows_free(struct share_rows *r);

#endif
