/* Flux with flux-accounting. */
#include "base/number/f58.h"
#include "explain/explain.h"
#include "plan/scheduler.h"
#include "priority/flux.h"
#include "priority/verify.h"
#include "queue/queue.h"
#include "scenario/scenario.h"
#include "scheduler/schedulers.h"
#include "snapshot/check.h"
#include "usage/charging.h"

static const char *const charged[] = { "node", "cpu", "gres/gpu", NULL };

static const struct fsi_algorithm *algorithm_of(const fs_snapshot *m)
{
	(void)m;
	return &fsi_flux;
}

static const struct fsi_explain_scheduler explain = { .nodes_elsewhere = true };

const struct fsi_scheduler fsi_flux_framework = {
	.kind = FS_FLUX,
	.name = "flux",
	.charged = charged,
	.check = fsi_check_flux,
	.parse_job_id = fsi_f58_parse,
	.format_job_id = fs_f58_format,
	.charged_to = fsi_flux_assoc,
	.algorithm = algorithm_of,
	.prio = &fsi_flux_prio,
	.queue = &fsi_queue_of_flux,
	.charging = &fsi_charging_flux,
	.explain = &explain,
	.verify = fsi_verify_flux,
	.holds = fsi_flux_holds,
	.plan = &fsi_plan_of_flux,
	.edit = fsi_flux_edit,
	.begins_command = fsi_flux_begins_command,
	.commands = &fsi_flux_commands,
	.write_shares = fsi_flux_write_shares,
};
