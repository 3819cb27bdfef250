/* Shared by the parts of model_update_on_event. */
#ifndef TOP_UPDATE_H
#define TOP_UPDATE_H

#include "top/model.h"
#include "top/ops.h"

/* Returns the list of the current view. */
struct list *update_get_list(struct model *m);
/* Recomputes the rows of the list. narrower: the filter has only become stricter. */
void update_refresh_list(struct model *m, struct list *l, bool narrower);
void update_partition_filter(struct model *m,
			     const char *name); /* filters the queue by this partition; "": all partitions */

/* Moves *at by a movement action within n rows. Returns false if the action is no movement. */
bool update_moved_position(const struct model *m, enum action a, size_t n, size_t *at);

#endif
