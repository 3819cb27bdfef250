/* Which rows of the tree are shown, in which order, and how far each account is indented. */
#ifndef SHARE_ROWS_H
#define SHARE_ROWS_H

#include "input/names.h"
#include "share/columns.h"

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
