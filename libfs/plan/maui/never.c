/* Which jobs of Maui no nodes would do for, and which of these stand in nobody's way. */
#include "plan/maui/maui.h"

/* Would its nodes do if nothing ran there, and no reservation were there that ever ends? */
static bool possible(struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_line_want w = fsi_maui_want(x, job);

	return fsi_line_fits(&x->line, &w, FSI_MAUI_FOR_EVER - 1, NULL);
}

/* One that can never start is left out where Maui drops or defers it: its class is on no node, it asks for more
 * processors than there are, or no reservations are made and none can be. Any other keeps its place until its turn for
 * a reservation comes, and is the first that gets none, behind which nobody starts by priority
 * (src/MPolicy.c:MQueueCheckSingleJob, MQueueSelectAllJobs, src/MJob.c:MJobPReserve). */
static bool left_out(const struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_job *j = &x->view.job.v[job];
	int64_t cpus = 0;
	bool class = false;

	for (uint32_t i = 0; i < x->line.n; i++) {
		cpus += x->line.node[i].up ? x->line.node[i].total[FSI_LINE_CPU] : 0;
		class = class || fsi_maui_has_class(&x->view, j, &x->view.node.v[x->line.node[i].row]);
	}
	return !class || j->cpus > cpus || x->rules.backfill == FSI_BF_NONE || x->rules.reserve == FSI_RSV_NEVER;
}

void fsi_maui_find_never(struct fsi_maui_run *x)
{
	for (uint32_t i = 0; i < x->view.job.n; i++)
		if (x->view.job.v[i].state == FSI_STATE_FUTURE)
			x->never[i] = !possible(x, i) && left_out(x, i);
	for (size_t i = 0; i < x->p->nrows; i++) {
		struct fsi_plan_row *row = &x->p->row[i];

		if (!possible(x, row->job))
			row->state = FS_PLAN_NEVER;
		else
			x->left++;
		x->never[row->job] = row->state == FS_PLAN_NEVER && left_out(x, row->job);
	}
}
