/* The rows of a view: which of them, in which order, which one is selected. A million jobs are filtered and sorted
 * in slices (list_work), sorted once for each column asked for; moving about touches only what is on the screen. */
#ifndef TOP_LIST_H
#define TOP_LIST_H

#include "top/views/ops.h"

enum { FILTER_SIZE = 256 };

struct filter {
	char text[FILTER_SIZE]; /* in any text of the row; "" all */
	char user[FILTER_SIZE], account[FILTER_SIZE], partition[FILTER_SIZE]; /* of the queue */
};

struct list {
	const struct view_ops *ops;
	const uint32_t *order; /* all rows, borrowed from the data, from sorted or own */
	size_t n, unknown;
	uint32_t *own; /* of the small views, made whole each time */
	struct sorted *sorted;
	size_t columns, sort; /* sort SIZE_MAX: as they come */
	struct sorter *sorter; /* sorts by the column `sorting`; NULL: nothing is being sorted */
	size_t sorting;
	bool failed;	      /* memory ran out in list_work: what was asked for is not shown */
	bool inverted, flat;  /* flat: no tree */
	bool *closed;	      /* by row of the shares: its children are not shown */

	struct filter filter;
	bool filtered;
	uint32_t *kept; /* rows that pass, in order, of the first `scanned` */
	size_t nkept, scanned;

	size_t sel, top;
	uint32_t wanted; /* the row to select once filtering has come to it, FS_NO_ROW none */
};

/* For new data; what was chosen stays. -1 without memory, like the others. */
int list_adopt(struct list *l, const struct data *d);
void list_free(struct list *l);

/* Applies sort, filter and tree again, keeping the selection on its row. narrower: the filter has only become
 * stricter. */
int list_refresh(struct list *l, const struct data *d, bool narrower);

/* Turns the order round. */
int list_invert(struct list *l, const struct data *d);

/* Goes on sorting and filtering for a while; true if there is more to do. */
bool list_work(struct list *l, const struct data *d);

/* Returns whether the rows still have the old order. */
bool list_sorting(const struct list *l);

size_t list_count(const struct list *l);
uint32_t list_row(const struct list *l, size_t k);
uint32_t list_selected(const struct list *l); /* row, or FS_NO_ROW */

/* Selects the row if it is in the list, once filtering has come to it. */
void list_select(struct list *l, uint32_t row);

bool filter_active(const struct filter *f);

#endif
