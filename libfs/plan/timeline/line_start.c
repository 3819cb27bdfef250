/* A start on a timeline as the plan's rows tell it: the nodes in the order in which they were chosen, and what it
 * waited for. A node that a job gave up just now was waited for; where none was, those ahead of it were. */
#include "plan/timeline/line_start.h"

static int name_nodes(struct fs_plan *p, const struct fsi_timeline *t, struct fsi_plan_row *row, const uint32_t *gave)
{
	row->node = fsi_arena_array(&p->c.arena, t->npieces + 1, sizeof(*row->node));
	if (!row->node)
		return -1;
	row->nnodes = t->npieces;
	for (uint32_t k = 0; k < t->npieces; k++) {
		const uint32_t node = t->piece[k].node;

		row->node[k] = p->c.m->node.v[t->node[node].row].name;
		if (row->frees == FSI_NO_INDEX)
			row->frees = gave[node];
	}
	return 0;
}

struct fsi_plan_row *fsi_line_start(struct fs_plan *p, const struct fsi_timeline *t, const struct fsi_line_want *w,
				    int64_t at, const uint32_t *gave)
{
	struct fsi_plan_row *row = &p->row[p->row_of[w->job] - 1];
	const bool at_once = at == p->c.m->info.time;

	row->state = at_once ? FS_PLAN_NOW : FS_PLAN_LATER;
	row->start = row->last_start = at;
	row->limit_s = w->limit_s;
	row->tasks_planned = row->started = 1;
	if (name_nodes(p, t, row, gave))
		return NULL;
	row->wait = at_once                      ? FS_PLAN_WAIT_NOTHING
		    : row->frees == FSI_NO_INDEX ? FS_PLAN_WAIT_AHEAD
						 : FS_PLAN_WAIT_CPUS;
	return row;
}
