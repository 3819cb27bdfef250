/* Flux with flux-accounting. */
#include "dialect/dialect.h"
#include "explain/dialect.h"
#include "prio/dialect.h"
#include "showq/showq.h"

static const struct showq_style *const queue[] = { &showq_flux, NULL };

static const struct source_row sources[] = {
	{ "config", "flux account list-factors, list-configs", "weights, and with them priorities" },
	{ "association", "flux account list-banks, list-users, view-bank", "shares and usage of fs-share, fair-share factors" },
	{ "partition", "flux account list-queues, flux queue status", "priorities by queue, limits of queues" },
	{ "node", "flux resource R, list, status", "starts of fs-showq --plan, jobs that can never run" },
	{ "job", "flux jobs, jobspecs", "the queue of fs-showq, the jobs of fs-prio, what limits hold back" },
	{ "usage", "flux account view-job-records", "fs-share --spent, computed usage" },
	{ NULL, NULL, NULL },
};

static const struct source_gap gaps[] = {
	{ "config", "date_begin", "the capture's own clock: its time is that of the latest job" },
	{ "config", "flux_version.txt", "the version of flux-core" },
	{ "config", "list-factors*", "weights: fs-prio prints priorities that jobs have, and no terms" },
	{ "config", "list-configs*", "periods and decay of usage: --at, --forecast and computed usage" },
	{ "association", "view-bank_root_-t_-P.txt", "shares and usage as printed: fs-snap verify of shares" },
	{ "association", "list-banks*", "banks that are not active, priorities of banks" },
	{ "association", "list-users*", "limits of users, their queues" },
	{ "partition", "list-queues*", "priorities of queues, their limits" },
	{ "partition", "flux_queue_status.txt", "which queues are stopped: starts of fs-showq --plan take none to be" },
	{ "node", "flux_resource_R.json", "cores, GPUs and properties of each node: a group's are shared out evenly in fs-showq --plan" },
	{ "node", "flux_resource_list.txt", "which nodes are down: starts of fs-showq --plan take none to be" },
	{ "node", "flux_resource_status.txt", "which nodes are drained: starts of fs-showq --plan take none to be" },
	{ "job", "flux_jobspecs.json", "GPUs, whole nodes, constraints and begin times of jobs: starts of fs-showq --plan, jobs that can never run" },
	{ "job", "flux_jobs_ended.json",
	  "jobs that have ended, of which the last submitted tells the queue that a priority counts: fs-prio, fs-snap verify" },
	{ "job", "flux_jobtap_query.json",
	  "the queue's priority that the plugin counts, once flux update or edit-queue changed it: fs-prio, fs-snap verify" },
	{ NULL, NULL, NULL },
};

const struct dialect dialect_flux = {
	.name = "flux",
	.changes_job = "flux update",
	.nouns = { .scheduler = "Flux",
		   .account = "bank",
		   .accounts = "banks",
		   .Account = "Bank",
		   .partition = "queue", .shut = "stopped",
		   .partitions = "queues",
		   .cpu = "core",
		   .cpus = "cores",
		   .cpu_column = "cores",
		   .hours_column = "core-hours",
		   .account_heading = "BANK",
		.tree_heading = "BANK / USER",
		.partition_heading = "QUEUE",
		.sharers = "associations",
		   .direct = "set by urgency 31 (expedited)",
		   .direct_by = "its urgency",
		   .direct_mark = "by urgency",
		   .operator_heading = "THE INSTANCE OWNER",
		   .limit_of = { "queue", "bank", "queue", "queue" },
		   .limit_adds = true,
		   .holder_unknown = true,
		   .hidden = "" },
	.forgets = "Flux also drops usage that is older than its last period, and then the order may change; when a bank's is, no snapshot tells: here it only decays.",
	.wide_shares = "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS",
	.prio = &prio_of_flux,
	.queue = queue,
	.explain = &explain_flux,
	.sources = sources,
	.gaps = gaps,
};
