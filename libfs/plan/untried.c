/* What the plan's rows say of jobs that the scheduler does not try. */
#include "plan/run.h"

void fsi_plan_block(struct fsi_plan_row *row, enum fs_section section)
{
	if (row->start != FS_UNKNOWN)
		return;
	row->state = FS_PLAN_BLOCKED;
	row->section = (uint8_t)section;
}

/* Jobs whose time alone has not come start not before that. */
static void not_eligible(struct fs_plan *p, const struct fsi_queue_record *r,
			struct fsi_plan_row *row)
{
	const struct fsi_job *j = &p->c.m->job.v[r->job];
	const bool begins = r->section == FS_SECTION_REQUEST && FSI_HAS(j, JOB, eligible_time) &&
			    j->eligible_time > p->c.now && !j->dependency;

	if (!begins) {
		fsi_plan_block(row, r->section == FS_SECTION_ELIGIBLE && j->dependency
				   ? FS_SECTION_REQUEST
				   : (enum fs_section)r->section);
		return;
	}
	row->state = FS_PLAN_BEGINS;
	row->start = j->eligible_time;
	row->limit_s = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s)
			       ? j->time_limit_s
			       : FS_UNKNOWN;
}

void fsi_plan_not_tried(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const enum fs_verdict_kind kind = fs_queue_verdict_kind(p->queue, r->job);

	if (kind == FS_VERDICT_NEVER)
		row->state = FS_PLAN_NEVER;
	else if (kind < FS_VERDICT_NODES || r->bar == FSI_BAR_SHUT)
		not_eligible(p, r, row);
}
