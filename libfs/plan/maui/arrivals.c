/* Jobs that a simulation submits while the plan runs: in its trace's order, each when its time has come, and not before
 * those ahead of it (src/MSim.c:MSimGetWorkload, MSimJobSubmit). */
#include "plan/maui/maui.h"

static bool is_to_come(const struct fsi_job *j)
{
	return j->state == FSI_STATE_FUTURE;
}

bool fsi_maui_any_to_come(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (is_to_come(&m->job.v[i]))
			return true;
	return false;
}

int64_t fsi_maui_next_arrival(const struct fsi_maui_run *x)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < x->view.job.n; i++) {
		const struct fsi_job *j = &x->view.job.v[i];

		if (is_to_come(j) && j->submit_time > x->now && j->submit_time < next)
			next = j->submit_time;
	}
	return next;
}

/* The place of the first job whose time has not come, or is not known; UINT32_MAX: there is none. */
static uint32_t first_to_come(const struct fsi_maui_run *x)
{
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < x->view.job.n; i++) {
		const struct fsi_job *j = &x->view.job.v[i];
		const uint32_t place = fsi_job_rare(&x->view, j)->position;
		const bool waits = !FSI_HAS(j, JOB, submit_time) || j->submit_time > x->now;

		if (is_to_come(j) && waits && place < first)
			first = place;
	}
	return first;
}

void fsi_maui_submit(struct fsi_maui_run *x)
{
	const uint32_t first = first_to_come(x);

	for (size_t i = 0; i < x->view.job.n; i++) {
		struct fsi_job *j = &x->view.job.v[i];

		if (is_to_come(j) && fsi_job_rare(&x->view, j)->position < first)
			j->state = FSI_STATE_PENDING;
	}
}
