/* What the parts of the list share. */
#ifndef TOP_LIST_PARTS_H
#define TOP_LIST_PARTS_H

#include "top/list.h"

/* ---- list_filter.c */
bool list_passes(const struct list *l, const struct data *d, uint32_t row);

/* ---- list_order.c: into l->own and l->order. -1 without memory. */
int list_order_shares(struct list *l, const struct data *d);
int list_order_partitions(struct list *l, const struct data *d);

#endif
