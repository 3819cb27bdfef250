/* What waiting gives a job of Maui: its queue time and its expansion factor grow, by weights that a QOS may add to, and
 * the expansion factor of a short job grows faster than that of a long one. */
#include "explain/explain.h"

#include <math.h>

/* Points an hour at the present rates: a term or component at its cap gains no more, and those that depend on
 * targets are left out. */
static double gain_of(const fs_prios *p, size_t row, const struct fs_prio_row *r)
{
	const double hour_s = 3600, minute_s = 60;
	struct fs_prio_inputs in;
	double gain = 0;

	for (size_t g = 0; g < p->ngroups; g++) {
		const struct fs_prio_group *group = &p->groups[g];
		const bool full =
			group->cap > 0 && r->terms[group->first + group->count - 1].points < 0;

		for (size_t t = group->first; !full && t < group->first + group->count; t++) {
			fs_prios_inputs(p, row, t, &in);
			if (r->terms[t].cut > 0 || r->terms[t].weight == 0)
				continue;
			if (in.rule == FS_INPUTS_WAITED)
				gain += r->terms[t].weight * hour_s / minute_s;
			else if (in.rule == FS_INPUTS_EXPANSION)
				gain += r->terms[t].weight * hour_s / in.of;
		}
	}
	return r->direct ? 0 : gain;
}

/* Is the priority the sum itself, neither raised to the minimum nor cut to the maximum? */
static bool within_bounds(const struct fs_prio_row *r)
{
	for (size_t i = 0; i < r->nsteps; i++)
		if (r->steps[i].step == FS_STEP_RAISED || r->steps[i].step == FS_STEP_CUT)
			return false;
	return true;
}

void fsi_explain_waiting(const fs_explain *x, const struct fs_explain_job *job, struct fs_explain_ahead *out)
{
	const fs_prios *p = x->from.prios;
	struct fs_prio_row row;
	size_t own;

	out->gain = NAN;
	if (!p || !p->ngroups || !fsi_explain_prio_rows(x, job->job_row, &own))
		return;
	fs_prios_row(p, own, &row);
	if (!within_bounds(&row))
		return;
	out->gain = gain_of(p, own, &row);
	for (size_t i = 0; i < p->row.n; i++) {
		const struct fsi_queue_record *r = fsi_explain_record(x, p->row.v[i].job);

		if (!r || !r->position || r->position >= job->sums->position ||
		    !fsi_viewer_sees_job(&x->viewer, &x->m->job.v[r->job]))
			continue;
		fs_prios_row(p, i, &row);
		out->all.passed += !row.direct && gain_of(p, i, &row) < out->gain;
	}
}
