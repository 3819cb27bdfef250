#include "dialect/dialect.h"

#include "dialect/maui.h"

#include <string.h>

/* ---- Flux with flux-accounting */

static const struct showq_style *const flux_queue[] = { &showq_flux, NULL };

static const struct source_row flux_sources[] = {
	{ "config", "flux account list-factors, list-configs", "weights, and therefore priorities" },
	{ "association", "flux account list-banks, list-users, view-bank",
	  "shares and usage in fs-share, fair-share factors" },
	{ "partition", "flux account list-queues, flux queue status", "priorities and limits of queues" },
	{ "node", "flux resource R, list, status", "starts in fs-showq --plan, jobs that can never run" },
	{ "job", "flux jobs, jobspecs", "the queue in fs-showq, the jobs in fs-prio, jobs held back by limits" },
	{ "usage", "flux account view-job-records", "fs-share --spent, computed usage" },
	{ NULL, NULL, NULL },
};

static const struct dialect dialect_flux = {
	.name = "flux",
	.job_change_command = "flux update",
	.vocabulary = { .scheduler = "Flux",
			.account = "bank",
			.accounts = "banks",
			.Account = "Bank",
			.partition = "queue",
			.closed = "stopped",
			.partitions = "queues",
			.cpu = "core",
			.cpus = "cores",
			.cpu_column = "cores",
			.hours_column = "core-hours",
			.account_heading = "BANK",
			.tree_heading = "BANK / USER",
			.partition_heading = "QUEUE",
			.share_holders = "associations",
			.direct = "set by urgency 31 (expedited)",
			.direct_by = "its urgency",
			.direct_mark = "by urgency",
			.requests_are_final = true,
			.operator_name = "the instance owner",
			.limit_owner = { "queue", "bank", "queue", "queue" },
			.shows_any_addition = true,
			.holder_unknown = true,
			.job_command = "flux jobs",
			.shares_command = "flux account view-bank root -t",
			.hidden_suffix = "" },
	.unmodelled_usage =
		"Flux also drops usage that is older than the oldest period that counts, which may change the order. A "
		"snapshot does not show the age of a bank's usage, so this forecast only applies decay.",
	.wide_share_columns = "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS",
	.prio = &prio_dialect_flux,
	.queue_styles = flux_queue,
	.explain = &explain_flux,
	.sources = flux_sources,
};

/* ---- Maui */

static const struct showq_style *const maui_queue[] = { &showq_maui, NULL };

static const struct source_row maui_sources[] = {
	{ "config", "maui.cfg and what it includes", "weights, and therefore priorities" },
	{ "credential", "maui.cfg, traces, FS files, diagnose -u",
	  "targets, limits and priorities of users, groups, accounts, QOS and classes" },
	{ "window", "files FS.* of fs_in or stats",
	  "usage in fs-share, fair-share terms (a window without a file has no usage)" },
	{ "node", "traces/resource", "starts in fs-showq --plan, processor equivalents" },
	{ "job", "showq, showq -r and -i, checkjob, diagnose -j, showres, traces/workload, stats/simstat.out",
	  "the queue in fs-showq, the jobs in fs-prio, usage of running jobs" },
	{ NULL, NULL, NULL },
};

static const struct dialect dialect_maui = {
	.name = "maui",
	.job_change_command = "setspri 0",
	.vocabulary = { .scheduler = "Maui",
			.account = "account",
			.accounts = "accounts",
			.Account = "Account",
			.partition = "class",
			.closed = "down",
			.partitions = "classes",
			.cpu = "processor",
			.cpus = "processors",
			.cpu_column = "procs",
			.hours_column = "proc-hours",
			.account_heading = "ACCOUNT",
			.tree_heading = "ACCOUNT / USER",
			.partition_heading = "CLASS",
			.share_holders = "credentials",
			.direct = "set by an administrator",
			.direct_by = "an administrator",
			.direct_mark = "set by admin",
			.requests_are_final = true,
			.operator_name = "an administrator",
			.shows_any_addition = true,
			.shares_one_order = true,
			.job_command = "checkjob",
			.shares_command = "diagnose -f",
			.hidden_suffix = "" },
	.has_usage_windows = true,
	.default_share_style = STYLE_MAUI,
	.prio = &prio_dialect_maui,
	.queue_styles = maui_queue,
	.explain = &explain_maui,
	.sources = maui_sources,
};

/* ---- the table of all dialects */

static const struct dialect dialect_flux, dialect_maui, dialect_other;

const struct dialect *find_scheduler_dialect(const fs_snapshot *s)
{
	static const struct dialect *const all[] = { &dialect_slurm, &dialect_flux, &dialect_maui };
	const char *scheduler = fs_snapshot_info(s)->scheduler;
	const size_t len = strcspn(scheduler, " ");

	if (!len)
		return &dialect_slurm;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i]->name) == len && !memcmp(all[i]->name, scheduler, len))
			return all[i];
	return &dialect_other;
}

/* ---- Slurm */

static const struct showq_style *const slurm_queue[] = { &showq_fasrc, &showq_tacc, NULL };

#define VOCABULARY(name)                                                                            \
	{                                                                                      \
		.scheduler = name, .account = "account", .accounts = "accounts",               \
		.Account = "Account", .partition = "partition", .partitions = "partitions", .closed = "down", \
		.cpu = "CPU", .cpus = "CPUs", .cpu_column = "CPUs", .hours_column = "CPU-hours", \
		.account_heading = "ACCOUNT", .tree_heading = "ACCOUNT / USER", .partition_heading = "PARTITION", \
		.share_holders = "associations", .direct = "set by an administrator",                \
		.direct_by = "an administrator", .direct_mark = "set by admin", .operator_name = "an operator",              \
		.limit_owner = { "the association of", "account", "QOS", "the partition's QOS" }, \
		.limit_alternative = { NULL, NULL, "QOS", "partition or QOS" },                  \
		.job_command = "scontrol show job", .shares_command = "sshare -a -l", .config_command = "scontrol show config",            \
		.hidden_suffix = " (PrivateData)",                                                    \
	}

static const struct source_row slurm_sources[] = {
	{ "config", "scontrol show config, slurm.conf",
	  "weights, decay and algorithm, and therefore priorities and shares" },
	{ "tres", "sacctmgr show tres", "limits and usage by TRES, billing" },
	{ "association", "sacctmgr show assoc, scontrol show assoc_mgr, sshare",
	  "shares and usage in fs-share, fair-share factors, limits of accounts and users" },
	{ "user", "sacctmgr show user, scontrol show assoc_mgr",
	  "administrators and coordinators, and therefore what a viewer may see" },
	{ "qos", "sacctmgr show qos, scontrol show assoc_mgr", "QOS factors and limits" },
	{ "partition", "scontrol show partition", "partition factors, order of the queue, limits of partitions" },
	{ "node", "scontrol show node", "node and core counts in fs-showq, starts in fs-showq --plan" },
	{ "reservation", "scontrol show reservation", "reservations in fs-showq --plan" },
	{ "job", "scontrol show job, squeue",
	  "the queue in fs-showq, the jobs in fs-prio, amounts in use under limits" },
	{ "recorded", "sprio, sshare",
	  "fs-snap verify, priorities set by an administrator, time of the last priority calculation" },
	{ "usage", "sacct", "fs-share --spent and --usage=computed" },
	{ NULL, NULL, NULL },
};

const struct dialect dialect_slurm = {
	.name = "slurm",
	.job_change_command = "scontrol update job",
	.vocabulary = VOCABULARY("Slurm"),
	.records_waiting_reasons = true,
	.has_priority_runs = true,
	.prio = &prio_dialect_slurm,
	.queue_styles = slurm_queue,
	.explain = &explain_slurm,
	.sources = slurm_sources,
};

static const struct showq_style *const no_queue[] = { NULL };

/* The dialect of an unknown scheduler. It uses Slurm's nouns. */
static const struct dialect dialect_other = {
	.name = "",
	.job_change_command = "scontrol update job",
	.vocabulary = VOCABULARY("unknown"),
	.prio = &prio_dialect_slurm,
	.queue_styles = no_queue,
	.explain = &explain_other,
};
