/* What the parts of the list share. */
#ifndef TOP_LIST_PARTS_H
#define TOP_LIST_PARTS_H

#include "fs.h"

struct data;
struct list;

/* ---- order.c
 * Capitals do not matter. */
bool text_contains(const char *text, const char *word);

/* The rows in `rows`, sorted and turned round as asked for, into *out (yours). -1 without memory. */
int list_arrange(const struct list *l, const struct data *d, const uint32_t *rows, size_t n, uint32_t **out);

/* Makes these rows the ones shown; the list owns them from then on. */
void list_take(struct list *l, uint32_t *rows, size_t n);

/* Does the row pass the view's filter? */
bool list_passes(const struct list *l, const struct data *d, uint32_t row);

/* Shows the rows of the view that pass, in their order. -1 without memory. */
int list_order_passing(struct list *l, const struct data *d);

/* ---- list.c: of many rows, those of the data. */
int list_order_large(struct list *l, const struct data *d, bool narrower);

/* ---- tree.c: see struct view_ops */
int tree_order(struct list *l, const struct data *d, bool narrower);
uint32_t tree_find(const struct data *d, const struct fs_share_row *old, size_t guess);
int tree_carry(struct list *l, const struct data *old, const struct data *d);

#endif
