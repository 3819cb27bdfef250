/* Slurm. */
#include "explain/explain.h"
#include "plan/scheduler.h"
#include "priority/verify.h"
#include "queue/queue.h"
#include "scenario/scenario.h"
#include "scheduler/schedulers.h"
#include "snapshot/check.h"
#include "usage/charging.h"

#include <string.h>

/* "slurm 22.05.8" */
static unsigned version_of(const char *text)
{
	return *text ? fs_slurm_release(text + strcspn(text, " ")) : 0;
}

/* What running jobs were charged last may count for some rows and not for others (fairshare/moments.h). */
static bool shares_need_jobs(const fs_snapshot *m)
{
	return !m->config.n || fsi_slurm_algorithm(m)->mixes_moments;
}

static const struct fsi_explain_scheduler explain = { .nodes_elsewhere = false };

const struct fsi_scheduler fsi_slurm = {
	.kind = FS_SLURM,
	.name = "slurm",
	.version = version_of,
	.check = fsi_check_slurm,
	.charged_to = fsi_job_assoc,
	.shares_need_jobs = shares_need_jobs,
	.shares_need_ended = true,
	.algorithm = fsi_slurm_algorithm,
	.prio = &fsi_slurm_prio,
	.queue = &fsi_slurm_queue,
	.charging = &fsi_charging_slurm,
	.explain = &explain,
	.verify = fsi_verify_recorded,
	.edit = fsi_slurm_edit,
	.begins_command = fsi_slurm_begins_command,
	.commands = &fsi_slurm_commands,
	.write_shares = fsi_slurm_write_shares,
	.arrays = true,
	.accrues = true,
	.plan = &fsi_plan_of_slurm,
};
