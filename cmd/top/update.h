/* Functions shared by the files that implement model_update_on_event. */
#ifndef TOP_UPDATE_H
#define TOP_UPDATE_H

#include "top/model.h"
#include "top/ops.h"

/* Returns the list of the current view. */
struct list *update_get_list(struct model *m);
/* Recomputes the rows of the list. `narrower`: every row that passes the filter also passed the previous filter. */
void update_refresh_list(struct model *m, struct list *l, bool narrower);
void update_partition_filter(struct model *m,
			     /* shows only the jobs of this partition in the queue; "": the jobs of all partitions */
			     const char *name);

/* Moves position *at in a list of n rows if the action is a movement; otherwise returns false. */
bool update_moved_position(const struct model *m, enum action a, size_t n, size_t *at);

#endif
