/* The order of the views of few rows, made whole each time: the tree and the partitions. */
#include "top/list_parts.h"
#include "top/sorter.h"

#include <stdlib.h>
#include <string.h>

/* Marks the rows to show: those that pass, in a tree also what is above them. */
static void mark_rows(const struct list *l, const struct data *d, size_t n, bool *show)
{
	const bool all = !*l->filter.text;

	for (size_t i = n; i-- > 0;) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);

		if (!row->visible || (l->flat && !*row->user))
			continue;
		show[i] = show[i] || all || list_passes(l, d, (uint32_t)i);
		if (show[i] && !l->flat && row->parent_row != UINT32_MAX)
			show[row->parent_row] = true;
	}
	for (size_t i = 0; i < n && all && !l->flat; i++) {
		const uint32_t parent = fs_shares_row(d->eval.shares, i)->parent_row;

		if (parent != UINT32_MAX && (l->closed[parent] || !show[parent]))
			show[i] = false;
	}
}

/* Preorder over `rows`, in which siblings stand as they are to be shown. */
static int walk_tree(struct list *l, const struct data *d, const uint32_t *rows, size_t n)
{
	const size_t all = data_shares(d);
	uint32_t *first = malloc((all + 1) * sizeof(*first)),
		 *next = malloc((all + 1) * sizeof(*next));
	uint32_t at = UINT32_MAX;

	if (!first || !next) {
		free(first);
		free(next);
		return -1;
	}
	memset(first, 0xff, (all + 1) * sizeof(*first));
	for (size_t i = n; i-- > 0;) { /* slot `all` is the roots' */
		const uint32_t parent = fs_shares_row(d->eval.shares, rows[i])->parent_row;
		uint32_t *head = &first[parent == UINT32_MAX ? all : parent];

		next[rows[i]] = *head;
		*head = rows[i];
	}
	for (at = first[all]; at != UINT32_MAX;) {
		l->own[l->n++] = at;
		if (first[at] != UINT32_MAX) {
			at = first[at];
			continue;
		}
		while (at != UINT32_MAX && next[at] == UINT32_MAX)
			at = fs_shares_row(d->eval.shares, at)->parent_row;
		at = at == UINT32_MAX ? at : next[at];
	}
	free(first);
	free(next);
	return 0;
}

static void reverse(uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const uint32_t t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

/* The rows in `rows`, sorted and turned round as asked for, into *out (yours). */
static int arrange(const struct list *l, const struct data *d, const uint32_t *rows, size_t n,
		   uint32_t **out)
{
	struct sorted sorted = { 0 };

	if (l->sort != SIZE_MAX) {
		if (sort_rows(l->view, d, l->sort, rows, n, &sorted))
			return -1;
	} else {
		sorted.row = malloc((n + 1) * sizeof(*rows));
		if (!sorted.row)
			return -1;
		memcpy(sorted.row, rows, n * sizeof(*rows));
	}
	if (l->inverted)
		reverse(sorted.row, n - sorted.unknown);
	*out = sorted.row;
	return 0;
}

static int take_own(struct list *l, uint32_t *rows, size_t n)
{
	free(l->own);
	l->own = rows;
	l->order = rows;
	l->n = n;
	l->unknown = 0;
	return 0;
}

int list_order_shares(struct list *l, const struct data *d)
{
	const size_t all = data_shares(d);
	bool *show = calloc(all + 1, sizeof(*show));
	uint32_t *rows = malloc((all + 1) * sizeof(*rows)), *arranged = NULL;
	size_t n = 0;
	int rc = -1;

	if (!show || !rows)
		goto out;
	mark_rows(l, d, all, show);
	for (size_t i = 0; i < all; i++)
		if (show[i])
			rows[n++] = (uint32_t)i;
	if (arrange(l, d, rows, n, &arranged))
		goto out;
	take_own(l, rows, 0);
	rows = NULL;
	rc = 0;
	if (l->flat) {
		take_own(l, arranged, n);
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

int list_order_partitions(struct list *l, const struct data *d)
{
	uint32_t *rows = malloc((d->partitions + 1) * sizeof(*rows)), *arranged;
	size_t n = 0;
	int rc;

	if (!rows)
		return -1;
	for (uint32_t i = 0; i < d->partitions; i++)
		if (list_passes(l, d, i))
			rows[n++] = i;
	rc = arrange(l, d, rows, n, &arranged);
	free(rows);
	return rc ? rc : take_own(l, arranged, n);
}
