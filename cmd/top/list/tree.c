/* The rows of the tree of shares: which are open, in which order they are shown, and where they are in new data. */
#include "top/list/list.h"
#include "top/list/parts.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPEN = 200 };

/* Closes a large tree below its first level. */
static int close_tree(struct list *l, const struct data *d)
{
	const size_t n = data_shares(d);

	l->closed = calloc(n + 1, sizeof(*l->closed));
	for (size_t i = 0; l->closed && i < n; i++)
		l->closed[i] = n > MAX_OPEN && fs_shares_row(d->eval.shares, i)->depth >= 1;
	return l->closed ? 0 : -1;
}

/* Marks the rows to show: those that pass, in a tree also what is above them. */
static void mark_rows(const struct list *l, const struct data *d, size_t n, bool *show)
{
	const bool all = !*l->filter.text;

	for (size_t i = n; i-- > 0;) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);

		if (!row->visible || (l->flat && !*row->user))
			continue;
		show[i] = show[i] || all || list_passes(l, d, (uint32_t)i);
		if (show[i] && !l->flat && row->parent_row != FS_NO_ROW)
			show[row->parent_row] = true;
	}
	for (size_t i = 0; i < n && all && !l->flat; i++) {
		const uint32_t parent = fs_shares_row(d->eval.shares, i)->parent_row;

		if (parent != FS_NO_ROW && (l->closed[parent] || !show[parent]))
			show[i] = false;
	}
}

/* Preorder over `rows`, in which siblings stand as they are to be shown. */
static int walk_tree(struct list *l, const struct data *d, const uint32_t *rows, size_t n)
{
	const size_t all = data_shares(d);
	uint32_t *first = malloc((all + 1) * sizeof(*first)),
		 *next = malloc((all + 1) * sizeof(*next));
	uint32_t at = FS_NO_ROW;

	if (!first || !next) {
		free(first);
		free(next);
		return -1;
	}
	memset(first, 0xff, (all + 1) * sizeof(*first));
	for (size_t i = n; i-- > 0;) { /* the last slot is for the roots */
		const uint32_t parent = fs_shares_row(d->eval.shares, rows[i])->parent_row;
		uint32_t *head = &first[parent == FS_NO_ROW ? all : parent];

		next[rows[i]] = *head;
		*head = rows[i];
	}
	for (at = first[all]; at != FS_NO_ROW;) {
		l->own[l->n++] = at;
		if (first[at] != FS_NO_ROW) {
			at = first[at];
			continue;
		}
		while (at != FS_NO_ROW && next[at] == FS_NO_ROW)
			at = fs_shares_row(d->eval.shares, at)->parent_row;
		at = at == FS_NO_ROW ? at : next[at];
	}
	free(first);
	free(next);
	return 0;
}

int tree_order(struct list *l, const struct data *d, bool narrower)
{
	const size_t all = data_shares(d);
	bool *show = calloc(all + 1, sizeof(*show));
	uint32_t *rows = malloc((all + 1) * sizeof(*rows)), *arranged = NULL;
	size_t n = 0;
	int rc = -1;

	(void)narrower;
	if (!show || !rows || (!l->closed && close_tree(l, d)))
		goto out;
	mark_rows(l, d, all, show);
	for (size_t i = 0; i < all; i++)
		if (show[i])
			rows[n++] = (uint32_t)i;
	if (list_arrange(l, d, rows, n, &arranged))
		goto out;
	list_take(l, rows, 0);
	rows = NULL;
	rc = 0;
	if (l->flat) {
		list_take(l, arranged, n);
		arranged = NULL;
	} else {
		rc = walk_tree(l, d, arranged, n);
	}
out:
	free(show);
	free(rows);
	free(arranged);
	return rc;
}

/* Looks at the guessed number first: rows move only by what was added or removed above them. */
uint32_t tree_find(const struct data *d, const struct fs_share_row *old, size_t guess)
{
	if (guess < data_shares(d)) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, guess);

		if (!strcmp(row->account, old->account) && !strcmp(row->user, old->user) &&
		    !strcmp(row->partition, old->partition))
			return (uint32_t)guess;
	}
	return data_find_share(d, old->account, old->user, old->partition);
}

int tree_carry(struct list *l, const struct data *old, const struct data *d)
{
	const size_t n = data_shares(old);
	bool *closed = l->closed ? calloc(data_shares(d) + 1, sizeof(*closed)) : NULL;

	for (size_t i = 0, guess = 0; closed && i < n && d->eval.shares; i++, guess++) {
		const uint32_t at = l->closed[i]
					    ? tree_find(d, fs_shares_row(old->eval.shares, i), guess)
					    : FS_NO_ROW;

		if (at == FS_NO_ROW)
			continue;
		closed[at] = true;
		guess = at;
	}
	free(l->closed);
	l->closed = closed; /* NULL: no branch is closed */
	return closed ? 0 : -1;
}
