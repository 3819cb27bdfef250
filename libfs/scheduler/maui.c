/* Maui. */
#include "explain/explain.h"
#include "plan/scheduler.h"
#include "priority/verify.h"
#include "queue/queue.h"
#include "scenario/scenario.h"
#include "scheduler/schedulers.h"
#include "snapshot/check.h"
#include "usage/charging.h"

static const struct fsi_algorithm *algorithm_of(const fs_snapshot *m)
{
	(void)m;
	return &fsi_maui;
}

/* Fair-share caps count running jobs. */
static bool shares_need_jobs(const fs_snapshot *m)
{
	(void)m;
	return true;
}

static const struct fsi_explain_scheduler explain = {
	.waiting = fsi_explain_waiting,
};

const struct fsi_scheduler fsi_maui_scheduler = {
	.kind = FS_MAUI,
	.name = "maui",
	.check = fsi_check_maui,
	.charged_to = fsi_job_assoc,
	.shares_need_jobs = shares_need_jobs,
	.algorithm = algorithm_of,
	.prio = &fsi_maui_prio,
	.queue = &fsi_queue_of_maui,
	.charging = &fsi_charging_slurm,
	.explain = &explain,
	.plan = &fsi_plan_of_maui,
	.verify = fsi_verify_recorded,
	.edit = fsi_maui_edit,
	.begins_command = fsi_maui_begins_command,
	.commands = &fsi_maui_commands,
	.simulates = true,
	.one_line = true,
	.in_windows = true,
	.write_target = fsi_maui_write_target,
};
