/* The columns and rows that fs-share prints: their selection by options, order and indentation. struct share_format and
 * struct share_rows own their arrays. The rows themselves belong to the fs_shares that they are selected from. */
#ifndef SHARE_ROWS_H
#define SHARE_ROWS_H

#include "cmd.h"
#include "columns/share.h"
#include "render/text.h"
#include "input/input.h"

/* Returns column number i (0-based) of the columns that the command line can name; NULL past the end. The order
 * matters: an abbreviation that matches several columns means the first match. with_extensions: also count the columns
 * that sshare does not have. */
const struct column *share_get_named_column(size_t i, bool with_extensions);

/* A column to print. `width`: width in characters; negative: left-aligned. */
struct share_field {
	const struct column *column;
	int width;
};

struct share_format {
	struct share_field *field;
	size_t n, cap;
	/* indexed as share_columns: width of the column in all fields that print it. The command line may give several
	 * widths for a column; the last one is used. If the command line gives no width, the column's default width is
	 * used. */
	int *width;
};

/* Appends the columns of a list `name[%width],...` to the format. A width of 0 has no effect, as in sshare. With
 * `with_extensions`, the list may name columns that sshare does not have, and a column of width 0 is as wide as its
 * widest cell. Returns 0, or -1 if out of memory. If a column is unknown, copies its name to `bad` (bad_size bytes)
 * and returns 1. */
int share_format_add_columns(struct share_format *f, const char *list, bool with_extensions, char *bad,
			     size_t bad_size);

/* Returns the list of the default columns. `wide` and `with_partition`: sshare's options -l and -m. The columns also
 * depend on the scheduler and on the fair-share algorithm. */
const char *share_get_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide, bool with_partition);
void share_format_free(struct share_format *f);

/* ---- selection and order of the rows */

struct share_filter {
	const struct names *accounts; /* if accounts->given is true: select only rows of accounts in this list */
	/* select the rows of the users in this list and the rows of all accounts; ignored if `all` is true */
	const struct names *users;
	/* select only rows of this user and of the accounts above the user; NULL: no restriction */
	const char *me;
	/* select only the row of this account and the rows below it; NULL: no restriction */
	const char *subtree;
	bool all, users_only;
};

struct share_rows {
	const struct fs_share_row **v;
	/* indexed by share row of fs_shares: indentation of the row, one more than that of the parent row; 0 if the
	 * parent row is not selected */
	unsigned *indent;
	size_t n;
};

/* Selects rows and stores them in the order of the share tree. Returns 0, -1 if out of memory, or 1 if the account
 * `subtree` does not exist. */
int share_rows_select(struct share_rows *r, const fs_shares *shares, const struct share_filter *f);

/* Sorts by the keys `[-]column,...`; the first key is the most important. Rows that are equal by all keys keep their
 * order. Returns 0, or -1 if out of memory. If a word names no column, or a column by which rows cannot be sorted,
 * copies the word to `bad` and returns 1. */
int share_rows_sort(struct share_rows *r, const char *keys, char *bad, size_t bad_size);

/* Puts the selected rows in depth-first order, each row after its parent. The function `siblings` defines the order of
 * siblings. `siblings` gets pointers to rows, and must compare parent_row first. Returns -1 if out of memory. */
int share_rows_sort_siblings(struct share_rows *r, const fs_shares *shares, fs_compare_fn siblings);

void share_rows_free(struct share_rows *r);

#endif
