#include "base/num.h"
#include "explain/explain.h"
#include "fairshare/maui.h"
#include "fs/import.h"
#include "import/flux/flux.h"
#include "import/maui/maui.h"
#include "import/outputs.h"
#include "model/find.h"
#include "limits/flux_limits.h"
#include "plan/maui.h"
#include "plan/plan.h"
#include "priority/flux.h"
#include "model/maui_tables.h"
#include "priority/priority.h"
#include "queue/maui_queue.h"
#include "queue/queue.h"
#include "scenario/edit.h"
#include "snapshot/snapshot.h"
#include "usage/billing.h"

#include <string.h>

/* The table of all schedulers; no other file lists them. */

static const struct fsi_scheduler fsi_slurm, fsi_flux_framework, fsi_maui_scheduler;
static const struct fsi_scheduler *const schedulers[] = { &fsi_slurm, &fsi_flux_framework, &fsi_maui_scheduler };

const struct fsi_algorithm *const fsi_algorithms[] = { &fsi_algorithm_fair_tree,
						       &fsi_algorithm_classic,
						       &fsi_algorithm_depth_oblivious,
						       &fsi_flux,
						       &fsi_algorithm_flux_exact,
						       &fsi_algorithm_flux_range,
						       &fsi_maui };
const size_t fsi_algorithm_count = sizeof(fsi_algorithms) / sizeof(*fsi_algorithms);

static const struct fsi_explain_scheduler default_explain = { .may_lack_node_lists = false };

/* Entry for every unknown scheduler: its snapshots can be read, and shares can be computed if the caller names the
 * algorithm. */
static const struct fsi_scheduler unknown_scheduler = {
	.kind = FS_OTHER_SCHEDULER,
	.name = "",
	.charged_to = fsi_job_find_assoc,
	.charging = &fsi_charging_slurm,
	.explain = &default_explain,
};

const struct fsi_scheduler *fsi_scheduler_find_by_name(const char *text)
{
	const size_t len = strcspn(text, " ");

	if (!len)
		return &fsi_slurm;
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(*schedulers); i++)
		if (len == strlen(schedulers[i]->name) && !memcmp(text, schedulers[i]->name, len))
			return schedulers[i];
	return &unknown_scheduler;
}

/* ---- Flux with flux-accounting */

static const char *const flux_charged_tres[] = { "node", "cpu", "gres/gpu", NULL };

static const struct fsi_algorithm *get_flux_algorithm(const fs_snapshot *m)
{
	(void)m;
	return &fsi_flux;
}

static const struct fsi_explain_scheduler flux_explain = { .may_lack_node_lists = true };

static const struct fsi_scheduler fsi_flux_framework = {
	.kind = FS_FLUX,
	.name = "flux",
	.import = fs_import_flux,
	.outputs = &fsi_flux_outputs,
	.charged_tres = flux_charged_tres,
	.check_references = fsi_check_flux_snapshot,
	.parse_job_id = fsi_f58_parse_id,
	.format_job_id = fs_f58_format,
	.charged_to = fsi_flux_find_assoc,
	.algorithm = get_flux_algorithm,
	.prio = &fsi_flux_prio,
	.queue = &fsi_queue_of_flux,
	.charging = &fsi_charging_flux,
	.explain = &flux_explain,
	.verify = fsi_verify_flux,
	.holds = fsi_flux_find_holds,
	.plan = &fsi_plan_of_flux,
	.apply_command = fsi_flux_edit,
	.begins_command = fsi_flux_begins_command,
	.commands = &fsi_flux_commands,
	.write_shares = fsi_flux_write_shares,
};

/* ---- Maui */

static const struct fsi_algorithm *get_maui_algorithm(const fs_snapshot *m)
{
	(void)m;
	return &fsi_maui;
}

/* Returns true: the shares need the jobs, because Maui's caps on fair-share usage depend on running jobs. */
static bool maui_shares_need_jobs(const fs_snapshot *m)
{
	(void)m;
	return true;
}

static const struct fsi_explain_scheduler maui_explain = {
	.explain_waiting = fsi_explain_add_waiting_jobs,
};

static int import_maui_folder(fs_snapshot **out, const struct fs_source *source, struct fs_error *err)
{
	return fs_import_maui(out, source, NULL, err);
}

static const struct fsi_scheduler fsi_maui_scheduler = {
	.kind = FS_MAUI,
	.name = "maui",
	.import = import_maui_folder,
	.outputs = &fsi_maui_outputs,
	.check_references = fsi_check_maui_snapshot,
	.charged_to = fsi_job_find_assoc,
	.shares_need_jobs = maui_shares_need_jobs,
	.algorithm = get_maui_algorithm,
	.prio = &fsi_maui_prio,
	.queue = &fsi_queue_of_maui,
	.charging = &fsi_charging_slurm,
	.explain = &maui_explain,
	.plan = &fsi_plan_of_maui,
	.verify = fsi_verify_recorded,
	.apply_command = fsi_maui_edit,
	.begins_command = fsi_maui_begins_command,
	.commands = &fsi_maui_commands,
	.has_future_jobs = true,
	.has_single_order = true,
	.has_usage_windows = true,
};

/* ---- Slurm */

/* Parses "slurm 22.05.8". */
static unsigned parse_slurm_version(const char *text)
{
	return *text ? fs_slurm_release(text + strcspn(text, " ")) : 0;
}

/* Returns true if fair share cannot be computed without the jobs. The classic algorithms need the jobs, because the
 * NormUsage of some associations may lack the last charges of running jobs (fairshare/narrow.h). */
static bool slurm_shares_need_jobs(const fs_snapshot *m)
{
	return !m->config.n || fsi_slurm_algorithm(m)->mixes_usage_times;
}

static const struct fsi_explain_scheduler slurm_explain = { .may_lack_node_lists = false };

static int import_slurm_folder(fs_snapshot **out, const struct fs_source *source, struct fs_error *err)
{
	return fs_import_slurm(out, source, NULL, err);
}

static const struct fsi_scheduler fsi_slurm = {
	.kind = FS_SLURM,
	.name = "slurm",
	.import = import_slurm_folder,
	.outputs = &fsi_slurm_outputs,
	.version = parse_slurm_version,
	.check_references = fsi_check_slurm_snapshot,
	.charged_to = fsi_job_find_assoc,
	.shares_need_jobs = slurm_shares_need_jobs,
	.shares_need_ended = true,
	.algorithm = fsi_slurm_algorithm,
	.prio = &fsi_slurm_prio,
	.queue = &fsi_queue_of_slurm,
	.charging = &fsi_charging_slurm,
	.explain = &slurm_explain,
	.verify = fsi_verify_recorded,
	.apply_command = fsi_slurm_edit,
	.begins_command = fsi_slurm_begins_command,
	.commands = &fsi_slurm_commands,
	.write_shares = fsi_slurm_write_shares,
	.has_select_plugin = true,
	.has_job_arrays = true,
	.limits_age_accrual = true,
	.plan = &fsi_plan_of_slurm,
};
