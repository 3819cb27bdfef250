/* One job's turn in an iteration of Maui: may it start, and on which nodes. */
#include "plan/maui/maui.h"

#include "queue/maui/limits.h"

bool fsi_maui_is_idle(const struct fsi_maui_run *x, uint32_t job)
{
	return x->view.job.v[job].state == FSI_STATE_PENDING;
}

bool fsi_maui_within(const struct fsi_maui_run *x, uint32_t job, bool soft)
{
	return !fsi_maui_over(x->queue, job, soft);
}

/* Fills how long nodes are free for the job from now on. -1 without memory. */
static int measure_spans(struct fsi_maui_run *x, const struct fsi_line_want *w)
{
	for (uint32_t i = 0; i < x->line.n; i++) {
		x->span[i] = fsi_line_span(&x->line, i, w, x->now);
		if (x->span[i] < 0)
			return -1;
	}
	return 0;
}

void fsi_maui_give_up(struct fsi_maui_run *x, uint32_t job)
{
	if (x->reserved[job] == FS_UNKNOWN)
		return;
	fsi_line_drop(&x->line, job);
	x->reserved[job] = FS_UNKNOWN;
}

/* A reservation of its own goes; its nodes come first, and those of one that admits it; then of the last available
 * nodes those that stay free the longest (src/MNode.c:MNodeSelectIdleTasks, src/MSched.c:MJobAllocMNL). */
int fsi_maui_try(struct fsi_maui_run *x, uint32_t job, const bool *among)
{
	const struct fsi_line_want w = fsi_maui_want(x, job);
	const struct fsi_line_choice by = { .room = x->room, .among = among, .first = x->own, .span = x->span };

	fsi_line_held(&x->line, &w, x->now, x->own);
	fsi_maui_give_up(x, job);
	if (!fsi_line_fits(&x->line, &w, x->now, among))
		return 0;
	if (measure_spans(x, &w))
		return -1;
	fsi_line_room(&x->line, &w, x->now, x->room);
	if (!fsi_line_choose(&x->line, &w, &by, x->rules.order))
		return 0;
	return fsi_maui_start(x, &w) ? -1 : 1;
}
