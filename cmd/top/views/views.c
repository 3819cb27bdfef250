/* The views there are, and a model of them at its beginning. */
#include "top/model/model.h"

static const struct view_ops *const views[VIEWS] = {
	[VIEW_QUEUE] = &view_queue,
	[VIEW_SHARES] = &view_shares,
	[VIEW_PARTITIONS] = &view_partitions,
	[VIEW_TIMELINE] = &view_timeline,
};

int model_init(struct model *m, struct data *data, unsigned cols, unsigned rows)
{
	*m = (struct model){ .cols = cols,
			     .rows = rows,
			     .now = FS_UNKNOWN,
			     .follow = true,
			     .pane_row = FS_NO_ROW };
	for (int v = 0; v < VIEWS; v++) {
		m->list[v].ops = views[v];
		m->list[v].sort = SIZE_MAX;
		m->list[v].wanted = FS_NO_ROW;
	}
	if (!data->unordered && view_queue.trouble(data) && !view_shares.trouble(data))
		m->view = VIEW_SHARES;
	if (model_adopt(m, data))
		return -1;
	model_refresh(m);
	return 0;
}
