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
	{ "job", "flux jobs", "the queue of fs-showq, the jobs of fs-prio, what limits hold back" },
	{ "usage", "flux account view-job-records", "fs-share --spent, computed usage" },
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
};
