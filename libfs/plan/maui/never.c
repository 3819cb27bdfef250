/* Which jobs of Maui no nodes would do for, and which of these stand in nobody's way. */
#include "plan/maui/maui.h"

/* Would a partition's nodes do if nothing ran there, and no reservation were there that ever ends? */
static bool possible(struct fsi_maui_run *x, uint32_t job)
{
	bool any = false;

	for (x->at_part = 0; x->at_part < x->nparts; x->at_part++) {
		const struct fsi_line_want w = fsi_maui_want(x, job);

		fsi_maui_note_entry(x, job);
		any = any || fsi_line_fits(&x->line, &w, FSI_MAUI_FOR_EVER - 1, NULL);
	}
	return any;
}

/* One that can never start is left out where Maui never lets it through: its class is on no node, or it asks for more
 * processors than there are. Any other keeps its place until its turn comes, and is the first that gets no reservation,
 * behind which nobody starts by priority; then it is deferred
 * (src/MPolicy.c:MQueueCheckSingleJob, MQueueSelectAllJobs, src/MJob.c:MJobPReserve). */
static bool left_out(struct fsi_maui_run *x, uint32_t job)
{
	bool enters = false;

	for (x->at_part = 0; x->at_part < x->nparts; x->at_part++)
		enters = enters || fsi_maui_entry_of(x, job) == FSI_MAUI_ENTERS;
	return !enters;
}

static void note(struct fsi_maui_run *x, uint32_t job)
{
	x->impossible[job] = !possible(x, job);
	x->never[job] = x->impossible[job] && left_out(x, job);
}

void fsi_maui_find_never(struct fsi_maui_run *x)
{
	for (uint32_t i = 0; i < x->view.job.n; i++)
		if (x->view.job.v[i].state == FSI_STATE_FUTURE)
			note(x, i);
	for (size_t i = 0; i < x->p->nrows; i++) {
		struct fsi_plan_row *row = &x->p->row[i];

		note(x, row->job);
		if (x->impossible[row->job])
			row->state = FS_PLAN_NEVER;
		else
			x->left++;
	}
}
