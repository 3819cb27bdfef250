#include "base/num.h"
#include "explain/explain.h"
#include "fairshare/maui.h"
#include "model/find.h"
#include "limits/flux_limits.h"
#include "plan/maui.h"
#include "plan/scheduler.h"
#include "priority/flux.h"
#include "priority/maui.h"
#include "priority/priority.h"
#include "queue/maui_queue.h"
#include "queue/queue.h"
#include "scenario/edit.h"
#include "scenario/maui.h"
#include "snapshot/maui.h"
#include "snapshot/snapshot.h"
#include "usage/billing.h"

#include <string.h>

/* All schedulers: the only place that lists them. */

static const struct fsi_scheduler fsi_slurm, fsi_flux_framework, fsi_maui_scheduler;
static const struct fsi_scheduler *const schedulers[] = { &fsi_slurm, &fsi_flux_framework, &fsi_maui_scheduler };

const struct fsi_algorithm *const fsi_algorithms[] = {
	&fsi_fair_tree,  &fsi_classic, &fsi_depth_oblivious, &fsi_flux, &fsi_flux_exact,
	&fsi_flux_range, &fsi_maui
};
const size_t fsi_algorithm_count = sizeof(fsi_algorithms) / sizeof(*fsi_algorithms);

static const struct fsi_explain_scheduler registry_explain = { .nodes_elsewhere = false };

/* A scheduler of which nothing is known but what its records say. */
static const struct fsi_scheduler unknown = {
	.kind = FS_OTHER_SCHEDULER,
	.name = "",
	.charged_to = fsi_job_assoc,
	.charging = &fsi_charging_slurm,
	.explain = &registry_explain,
};

const struct fsi_scheduler *fsi_scheduler_named(const char *text)
{
	const size_t len = strcspn(text, " ");

	if (!len)
		return &fsi_slurm;
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(*schedulers); i++)
		if (len == strlen(schedulers[i]->name) && !memcmp(text, schedulers[i]->name, len))
			return schedulers[i];
	return &unknown;
}

/* Flux with flux-accounting. */

static const char *const charged[] = { "node", "cpu", "gres/gpu", NULL };

static const struct fsi_algorithm *flux_algorithm_of(const fs_snapshot *m)
{
	(void)m;
	return &fsi_flux;
}

static const struct fsi_explain_scheduler flux_explain = { .nodes_elsewhere = true };

static const struct fsi_scheduler fsi_flux_framework = {
	.kind = FS_FLUX,
	.name = "flux",
	.charged = charged,
	.check = fsi_check_flux,
	.parse_job_id = fsi_f58_parse,
	.format_job_id = fs_f58_format,
	.charged_to = fsi_flux_assoc,
	.algorithm = flux_algorithm_of,
	.prio = &fsi_flux_prio,
	.queue = &fsi_queue_of_flux,
	.charging = &fsi_charging_flux,
	.explain = &flux_explain,
	.verify = fsi_verify_flux,
	.holds = fsi_flux_holds,
	.plan = &fsi_plan_of_flux,
	.edit = fsi_flux_edit,
	.begins_command = fsi_flux_begins_command,
	.commands = &fsi_flux_commands,
	.write_shares = fsi_flux_write_shares,
};

/* Maui. */

static const struct fsi_algorithm *maui_algorithm_of(const fs_snapshot *m)
{
	(void)m;
	return &fsi_maui;
}

/* Fair-share caps count running jobs. */
static bool maui_shares_need_jobs(const fs_snapshot *m)
{
	(void)m;
	return true;
}

static const struct fsi_explain_scheduler maui_explain = {
	.waiting = fsi_explain_waiting,
};

static const struct fsi_scheduler fsi_maui_scheduler = {
	.kind = FS_MAUI,
	.name = "maui",
	.check = fsi_check_maui,
	.charged_to = fsi_job_assoc,
	.shares_need_jobs = maui_shares_need_jobs,
	.algorithm = maui_algorithm_of,
	.prio = &fsi_maui_prio,
	.queue = &fsi_queue_of_maui,
	.charging = &fsi_charging_slurm,
	.explain = &maui_explain,
	.plan = &fsi_plan_of_maui,
	.verify = fsi_verify_recorded,
	.edit = fsi_maui_edit,
	.begins_command = fsi_maui_begins_command,
	.commands = &fsi_maui_commands,
	.simulates = true,
	.one_line = true,
	.in_windows = true,
};

/* Slurm. */

/* "slurm 22.05.8" */
static unsigned version_of(const char *text)
{
	return *text ? fs_slurm_release(text + strcspn(text, " ")) : 0;
}

/* What running jobs were charged last may count for some rows and not for others (fairshare/narrow.h). */
static bool slurm_shares_need_jobs(const fs_snapshot *m)
{
	return !m->config.n || fsi_slurm_algorithm(m)->mixes_moments;
}

static const struct fsi_explain_scheduler slurm_explain = { .nodes_elsewhere = false };

static const struct fsi_scheduler fsi_slurm = {
	.kind = FS_SLURM,
	.name = "slurm",
	.version = version_of,
	.check = fsi_check_slurm,
	.charged_to = fsi_job_assoc,
	.shares_need_jobs = slurm_shares_need_jobs,
	.shares_need_ended = true,
	.algorithm = fsi_slurm_algorithm,
	.prio = &fsi_slurm_prio,
	.queue = &fsi_slurm_queue,
	.charging = &fsi_charging_slurm,
	.explain = &slurm_explain,
	.verify = fsi_verify_recorded,
	.edit = fsi_slurm_edit,
	.begins_command = fsi_slurm_begins_command,
	.commands = &fsi_slurm_commands,
	.write_shares = fsi_slurm_write_shares,
	.arrays = true,
	.accrues = true,
	.plan = &fsi_plan_of_slurm,
};
