/* What the parts of the update share. */
#ifndef TOP_UPDATE_H
#define TOP_UPDATE_H

#include "top/model.h"
#include "top/ops.h"

/* Returns the list of the view shown. */
struct list *update_list(struct model *m);
/* Recomputes the rows of the list; narrower: the filter only got stricter. */
void update_refresh(struct model *m, struct list *l, bool narrower);
void update_partition(struct model *m, const char *name); /* the queue of this one alone; "" of all */

/* at moved by the action within n rows; false if it is no movement. */
bool update_moved(const struct model *m, enum action a, size_t n, size_t *at);

#endif
