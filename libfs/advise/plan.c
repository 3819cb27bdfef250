/* The copy as it is planned: once from the start, then again from where a command changes it. */
#include "advise/advise.h"

int fsi_advise_plan(struct fs_advices *a, struct fs_plan_row *out, bool *there, int64_t *late)
{
	const struct fs_plan_options o = { .view = a->view };
	const int rc = !a->kept	   ? fsi_plan_keep(&a->kept, a->m, &o, fsi_job_row(a->m, a->job), a->err)
				   : fsi_plan_again(a->kept, a->err);
	const size_t row = rc ? SIZE_MAX : fsi_plan_kept_row(a->kept);

	*there = row != SIZE_MAX;
	*late = *there ? fsi_plan_kept_late(a->kept) : FS_UNKNOWN;
	if (*there)
		fs_plan_row(fsi_plan_kept_plan(a->kept), row, out);
	return rc;
}
