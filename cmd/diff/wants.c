/* Which rows --job, --user and --account leave. */
#include "diff/diff.h"

#include <string.h>

bool diff_wants_job(const struct diff_run *r, const struct fs_compared_job *j)
{
	return (!r->job || j->job == r->job_id) && (!r->user || !strcmp(j->user, r->user)) &&
	       (!r->account || !strcmp(j->account, r->account));
}

bool diff_wants_share(const struct diff_run *r, const struct fs_compared_share *s)
{
	const struct fs_share_row *row = s->row[FS_AFTER] ? s->row[FS_AFTER] : s->row[FS_BEFORE];

	return !r->job && (!r->user || !strcmp(row->user, r->user)) &&
	       (!r->account || !strcmp(row->account, r->account));
}
