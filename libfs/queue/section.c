/* The section of the queue that a job belongs to. */
#include "queue/queue.h"

static enum fs_section pending_section(const fs_snapshot *m, const struct fsi_job *j,
				       const struct fs_reason *r)
{
	if (r && r->section != FS_SECTION_ELIGIBLE)
		return r->section;
	if (FSI_HAS(j, JOB, priority) && !j->priority)
		return FS_SECTION_HELD;
	if (FSI_HAS(j, JOB, eligible_time) && j->eligible_time > m->info.time)
		return FS_SECTION_REQUEST;
	return r ? r->section : FS_SECTION_OTHER;
}

enum fs_section fsi_job_section(const fs_snapshot *m, const struct fsi_job *j, const struct fs_reason *reason)
{
	switch ((enum fsi_job_state)j->state) {
	case FSI_STATE_PENDING:
	case FSI_STATE_REQUEUED:
		return pending_section(m, j, reason);
	case FSI_STATE_REQUEUE_HOLD:
	case FSI_STATE_SPECIAL_EXIT:
		return FS_SECTION_HELD;
	case FSI_STATE_RUNNING:
	case FSI_STATE_CONFIGURING:
	case FSI_STATE_RESIZING:
	case FSI_STATE_SIGNALING:
	case FSI_STATE_STAGE_OUT:
		return FS_SECTION_RUNNING;
	case FSI_STATE_COMPLETING:
		return FS_SECTION_COMPLETING;
	case FSI_STATE_SUSPENDED:
	case FSI_STATE_STOPPED:
		return FS_SECTION_SUSPENDED;
	case FSI_STATE_UNKNOWN:
		return FS_SECTION_OTHER;
	default:
		return FS_SECTION_ENDED;
	}
}

enum fs_section fs_job_section(const fs_snapshot *m, size_t i, const struct fs_reason **reason)
{
	*reason = i < m->job.n ? fs_reason_find(fsi_str(m, m->job.v[i].reason)) : NULL;
	return i < m->job.n ? fsi_job_section(m, &m->job.v[i], *reason) : FS_SECTION_OTHER;
}

bool fs_job_runs(const fs_snapshot *m, size_t i)
{
	return i < m->job.n && fsi_job_section(m, &m->job.v[i], NULL) == FS_SECTION_RUNNING;
}
