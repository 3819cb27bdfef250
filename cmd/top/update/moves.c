/* What keys of every mode do with the list shown: movement, another order, another choice of rows. */
#include "top/data/chart.h"
#include "top/update/update.h"

#include <stdio.h>

struct list *update_list(struct model *m)
{
	return &m->list[m->view];
}

void update_show(struct model *m, enum view v)
{
	const struct list *queue = &m->list[VIEW_QUEUE];
	const uint32_t row = list_selected(queue);
	struct fs_queue_row job;
	uint32_t lane;

	m->view = v;
	if (v != VIEW_TIMELINE || row == FS_NO_ROW || !m->data->eval.queue)
		return;
	fs_queue_row(m->data->eval.queue, row, &job);
	lane = chart_lane_of(m->data->chart, job.job_row);
	if (lane != FS_NO_ROW)
		list_select(update_list(m), lane);
}

void update_refresh(struct model *m, struct list *l, bool narrower)
{
	if (list_refresh(l, m->data, narrower))
		model_starve(m);
}

static size_t page(const struct model *m)
{
	struct layout at;

	if (m->mode == MODE_TEXT)
		return m->rows > 3 ? m->rows - 3 : 1;
	model_layout(m, &at);
	return m->mode == MODE_MENU ? 8 : at.list_rows > 1 ? at.list_rows - 1 : 1;
}

bool update_moved(const struct model *m, enum action a, size_t n, size_t *at)
{
	const size_t step = a == ACT_UP || a == ACT_DOWN ? 1 : page(m);

	switch (a) {
	case ACT_UP:
	case ACT_PAGE_UP:
		*at = *at > step ? *at - step : 0;
		return true;
	case ACT_DOWN:
	case ACT_PAGE_DOWN:
		*at = *at + step < n ? *at + step : n ? n - 1 : 0;
		return true;
	case ACT_HOME:
		*at = 0;
		return true;
	case ACT_END:
		*at = n ? n - 1 : 0;
		return true;
	default:
		return false;
	}
}

void update_sort(struct model *m, size_t column)
{
	struct list *l = update_list(m);

	l->sort = column;
	update_refresh(m, l, false);
}

void update_partition(struct model *m, const char *name)
{
	struct list *l = &m->list[VIEW_QUEUE];

	snprintf(l->filter.partition, sizeof(l->filter.partition), "%s", name);
	update_refresh(m, l, false);
}
