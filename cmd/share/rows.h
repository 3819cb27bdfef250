/* The columns and rows that fs-share prints: their selection by options, order and indentation. struct share_format and
 * struct share_rows own their arrays. The rows belong to fs_shares. */
#ifndef SHARE_ROWS_H
#define SHARE_ROWS_H

#include "cmd.h"
#include "columns/share.h"
#include "render/text.h"
#include "input/input.h"

/* Returns column number i (0-based) of the columns that the command line can name; NULL past the end. If an
 * abbreviation matches several columns, the first of them is meant. with_extensions: includes the columns that sshare
 * does not have. */
const struct column *share_get_named_column(size_t i, bool with_extensions);

/* A column that is printed, and its width (struct column: width). */
struct share_field {
	const struct column *column;
	int width;
};

struct share_format {
	struct share_field *field;
	size_t n, cap;
	/* indexed by column of share_columns: the width that the command line gave last. It applies to every field of
	 * the column */
	int *width;
};

/* Adds the columns of a list `name[%width],...`. A width of 0 means the default width, as in sshare. With
 * with_extensions, a width of 0 makes the column as wide as its widest cell, and the list can name columns that sshare
 * does not have. Returns 0, or -1 if out of memory. If a word names no column, copies the word to `bad`, a buffer of
 * bad_size bytes, and returns 1. */
int share_format_add_columns(struct share_format *f, const char *list, bool with_extensions, char *bad,
			     size_t bad_size);

/* Returns the list of the default columns: the columns of sshare, with -l if `wide` and with -m if `with_partition`.
 * Adds LevelFS if the algorithm has levels, and Low and High if it has ranges. */
const char *share_get_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide, bool with_partition);
void share_format_free(struct share_format *f);

/* ---- selection and order of the rows */

struct share_filter {
	const struct names *accounts; /* only the rows of these accounts, if accounts->given */
	const struct names *users;    /* only the rows of these users, and of accounts; ignored if `all` */
	const char *me;               /* only the rows of this user and of the accounts above; NULL: no restriction */
	const char *subtree;          /* only this account and the rows below it; NULL: no restriction */
	bool all, users_only;
};

struct share_rows {
	const struct fs_share_row **v;
	/* indexed by share row of fs_shares: one more than the indentation of the parent row; 0 if the parent row is
	 * not selected */
	unsigned *indent;
	size_t n;
};

/* Selects rows and stores them in the order of the share tree. Returns 0, -1 if out of memory, or 1 if the account
 * `subtree` does not exist. */
int share_rows_select(struct share_rows *r, const fs_shares *shares, const struct share_filter *f);

/* Sorts by the keys `[-]column,...`; the first key is the most important. Rows that are equal by all keys keep their
 * order. Returns 0, or -1 if out of memory. If a word names no column, or a column that has no order, copies the word
 * to `bad` and returns 1. */
int share_rows_sort(struct share_rows *r, const char *keys, char *bad, size_t bad_size);

/* Puts the selected rows in depth-first order: each row after its parent, siblings in the order of `siblings`.
 * `siblings` compares pointers to rows, and must compare parent_row first. Returns -1 if out of memory. */
int share_rows_sort_siblings(struct share_rows *r, const fs_shares *shares, fs_compare_fn siblings);

void share_rows_free(struct share_rows *r);

#endif
