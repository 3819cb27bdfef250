#include "top/list/list.h"
#include "top/list/parts.h"
#include "top/list/sorter.h"

#include <stdlib.h>

enum { SLICE = 4096, AT_ONCE = 16384 };

size_t list_count(const struct list *l)
{
	return l->filtered ? l->nkept : l->n;
}

/* Returns the row at a place; the orders of small views are inverted already. */
static uint32_t at_place(const struct list *l, size_t k)
{
	const size_t turned = l->n - l->unknown;

	return l->order[l->ops->jobs && l->inverted && k < turned ? turned - 1 - k : k];
}

uint32_t list_row(const struct list *l, size_t k)
{
	return l->filtered ? l->kept[k] : at_place(l, k);
}

uint32_t list_selected(const struct list *l)
{
	return l->sel < list_count(l) ? list_row(l, l->sel) : FS_NO_ROW;
}

void list_select(struct list *l, uint32_t row)
{
	const size_t n = list_count(l);

	l->wanted = FS_NO_ROW;
	for (size_t k = 0; k < n; k++)
		if (list_row(l, k) == row) {
			l->sel = k;
			return;
		}
	l->wanted = row;
}

/* ---- the order of many rows */

static void use_order(struct list *l, const uint32_t *order, size_t n, size_t unknown)
{
	l->order = order;
	l->n = n;
	l->unknown = unknown;
}

static void stop_sorting(struct list *l)
{
	sorter_free(l->sorter);
	l->sorter = NULL;
}

/* Sorts a few rows at once; of many the old order is shown until list_work has finished. */
static int begin_sorting(struct list *l, const struct data *d)
{
	if (l->sorter && l->sorting == l->sort)
		return 0;
	stop_sorting(l);
	l->sorting = l->sort;
	if (d->njobs <= AT_ONCE)
		return sort_rows(l->ops, d, l->sort, d->jobs, d->njobs, &l->sorted[l->sort]);
	l->sorter = sorter_begin(l->ops, d, l->sort, d->jobs, d->njobs);
	return l->sorter ? 0 : -1;
}

static int order_all(struct list *l, const struct data *d)
{
	if (l->sort != SIZE_MAX && !l->sorted[l->sort].row && begin_sorting(l, d)) {
		l->sort = SIZE_MAX;
		return -1;
	}
	if (l->sort == SIZE_MAX || l->sorted[l->sort].row)
		stop_sorting(l);
	if (l->sort != SIZE_MAX && l->sorted[l->sort].row)
		use_order(l, l->sorted[l->sort].row, d->njobs, l->sorted[l->sort].unknown);
	else if (l->sort == SIZE_MAX || !l->order)
		use_order(l, d->jobs, d->njobs, 0);
	return 0;
}

bool list_sorting(const struct list *l)
{
	return l->sorter;
}

/* Goes on sorting; an order that is complete is kept until there are new data. */
static void go_on_sorting(struct list *l, const struct data *d)
{
	struct sorter *s = l->sorter;

	if (sorter_work(s))
		return;
	l->sorter = NULL;
	if (sorter_take(s, &l->sorted[l->sorting])) {
		l->sort = SIZE_MAX;
		l->failed = true;
	}
	if (list_refresh(l, d, false))
		l->failed = true;
}

/* ---- filtering */

static bool go_on_filtering(struct list *l, const struct data *d)
{
	const size_t end = l->n - l->scanned > SLICE ? l->scanned + SLICE : l->n;

	if (!l->filtered || l->scanned == l->n)
		return false;
	for (; l->scanned < end; l->scanned++) {
		const uint32_t row = at_place(l, l->scanned);

		if (!list_passes(l, d, row))
			continue;
		if (row == l->wanted) {
			l->sel = l->nkept;
			l->wanted = FS_NO_ROW;
		}
		l->kept[l->nkept++] = row;
	}
	return l->scanned < l->n;
}

/* Filters what has passed so far once more, since the filter has become stricter. */
static void narrow(struct list *l, const struct data *d)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nkept; i++)
		if (list_passes(l, d, l->kept[i]))
			l->kept[n++] = l->kept[i];
	l->nkept = n;
}

static int refilter(struct list *l, const struct data *d, bool narrower)
{
	const bool was = l->filtered;

	l->filtered = filter_active(&l->filter);
	if (!l->filtered)
		return 0;
	if (!l->kept)
		l->kept = malloc((l->n + 1) * sizeof(*l->kept));
	if (!l->kept) {
		l->filtered = false;
		return -1;
	}
	if (was && narrower && l->nkept <= SLICE) {
		narrow(l, d);
	} else {
		l->nkept = 0;
		l->scanned = 0;
	}
	go_on_filtering(l, d);
	return 0;
}

/* ---- */

bool list_work(struct list *l, const struct data *d)
{
	if (l->sorter) {
		go_on_sorting(l, d);
		return true;
	}
	return go_on_filtering(l, d);
}

int list_order_large(struct list *l, const struct data *d, bool narrower)
{
	return order_all(l, d) || refilter(l, d, narrower) ? -1 : 0;
}

/* Makes room for the order, when data are new or when there was no memory before. */
static int prepare(struct list *l, const struct data *d)
{
	if (!l->sorted) {
		const size_t n = view_columns(l->ops, d);

		l->sorted = calloc(n + 1, sizeof(*l->sorted));
		if (!l->sorted)
			return -1;
		l->columns = n;
		if (l->sort != SIZE_MAX && l->sort >= n)
			l->sort = SIZE_MAX;
		if (l->ops->jobs && l->sort != SIZE_MAX && l->sort == d->sorted_by)
			l->sorted[l->sort] = (struct sorted){ d->sorted.row, d->sorted.unknown, true };
	}
	return 0;
}

int list_refresh(struct list *l, const struct data *d, bool narrower)
{
	const uint32_t row = l->wanted != FS_NO_ROW ? l->wanted : list_selected(l);

	if (prepare(l, d) || (l->ops->order ? l->ops->order(l, d, narrower) : list_order_passing(l, d)))
		return -1;
	list_select(l, row);
	return 0;
}

int list_invert(struct list *l, const struct data *d)
{
	if (l->wanted == FS_NO_ROW)
		l->wanted = list_selected(l);
	l->inverted = !l->inverted;
	return list_refresh(l, d, false);
}

static void forget_sorted(struct list *l)
{
	stop_sorting(l);
	for (size_t i = 0; i < l->columns; i++)
		if (!l->sorted[i].borrowed)
			free(l->sorted[i].row);
	free(l->sorted);
	l->sorted = NULL;
	l->columns = 0;
}

int list_adopt(struct list *l, const struct data *d)
{
	forget_sorted(l);
	free(l->kept);
	l->kept = NULL;
	l->filtered = false;
	l->order = NULL;
	l->n = 0;
	l->nkept = 0;
	return list_refresh(l, d, false);
}

void list_free(struct list *l)
{
	forget_sorted(l);
	free(l->own);
	free(l->closed);
	free(l->kept);
	*l = (struct list){ 0 };
}
