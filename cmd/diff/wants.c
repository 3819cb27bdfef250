/* Which rows --job, --user and --account leave. */
#include "diff/diff.h"

#include <string.h>

bool diff_wants_job(const struct diff_run *r, const struct fs_compared_job *j)
{
	return (!r->job || j->job == r->job_id) && (!r->user || !strcmp(j->user, r->user)) &&
	       (!r->account || !strcmp(j->account, r->account));
}

void diff_find_job(struct diff_run *r)
{
	r->of_job = NULL;
	for (size_t i = 0; r->job && !r->of_job && i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			r->of_job = fs_comparison_job(r->compared, i);
}

/* Does the job that is asked for ask for the partition? */
static bool in_partition(const struct diff_run *r, const char *partition)
{
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++) {
		const struct fs_compared_job *j = fs_comparison_job(r->compared, i);

		if (diff_wants_job(r, j) && !strcmp(j->partition[FS_AFTER], partition))
			return true;
	}
	return false;
}

/* Is it the row whose factor the job that is asked for has? */
static bool is_of_job(const struct diff_run *r, const struct fs_share_row *row)
{
	const struct fs_compared_job *j = r->of_job;

	return j && *row->user && !strcmp(j->user, row->user) && !strcmp(j->account, row->account) &&
	       (!*row->partition || in_partition(r, row->partition));
}

bool diff_wants_share(const struct diff_run *r, const struct fs_compared_share *s)
{
	const struct fs_share_row *row = s->row[FS_AFTER] ? s->row[FS_AFTER] : s->row[FS_BEFORE];

	return (!r->job || is_of_job(r, row)) && (!r->user || !strcmp(row->user, r->user)) &&
	       (!r->account || !strcmp(row->account, r->account));
}
