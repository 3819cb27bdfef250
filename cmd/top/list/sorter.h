/* Sorting rows by a column, in steps: a million of them take longer than a key may. */
#ifndef TOP_LIST_SORTER_H
#define TOP_LIST_SORTER_H

#include "top/list/columns.h"

struct sorter;

/* Rows of the view, borrowed until the end. Texts rise, numbers fall, equal rows stay as they are; those without a
 * value come last. NULL without memory. */
struct sorter *sorter_begin(const struct view_ops *ops, const struct data *d, size_t column,
			    const uint32_t *rows, size_t n);

/* Sorts for a few milliseconds; true if there is more to do. Without memory it ends, and sorter_take fails. */
bool sorter_work(struct sorter *s);

/* Ends it and frees it: *out is yours. -1 if memory ran out. */
int sorter_take(struct sorter *s, struct sorted *out);
void sorter_free(struct sorter *s); /* NULL is fine */

/* Sorts the rows at once. -1 without memory. */
int sort_rows(const struct view_ops *ops, const struct data *d, size_t column, const uint32_t *rows, size_t n,
	      struct sorted *out);

#endif
