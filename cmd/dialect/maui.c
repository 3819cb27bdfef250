/* Maui. */
#include "dialect/dialect.h"
#include "explain/dialect.h"
#include "prio/dialect.h"
#include "showq/showq.h"

static const struct showq_style *const queue[] = { &showq_maui, NULL };

static const struct source_row sources[] = {
	{ "config", "maui.cfg and what it includes", "weights, and with them priorities" },
	{ "credential", "maui.cfg, traces, FS files", "targets, limits and priorities of users, groups, accounts, QOS and classes" },
	{ "window", "files FS.* of fs_in or stats", "usage of fs-share, fair-share terms: a window without a file counts as nothing" },
	{ "node", "traces/resource", "starts of fs-showq --plan, processor equivalents" },
	{ "job", "showq, showq -r and -i, checkjob, diagnose -j, traces/workload, stats/simstat.out",
	  "the queue of fs-showq, the jobs of fs-prio, what running jobs have used" },
	{ NULL, NULL, NULL },
};

const struct dialect dialect_maui = {
	.name = "maui",
	.changes_job = "setspri 0",
	.nouns = { .scheduler = "Maui",
		   .account = "account",
		   .accounts = "accounts",
		   .Account = "Account",
		   .partition = "class", .shut = "down",
		   .partitions = "classes",
		   .cpu = "processor",
		   .cpus = "processors",
		   .cpu_column = "procs",
		   .hours_column = "proc-hours",
		   .account_heading = "ACCOUNT",
		.tree_heading = "ACCOUNT / USER",
		.partition_heading = "CLASS",
		.sharers = "credentials",
		   .direct = "set by an administrator",
		   .direct_by = "an administrator",
		   .direct_mark = "set by admin",
		   .operator_heading = "AN ADMINISTRATOR",
		   .limit_adds = true,
		   .one_line = true,
		   .hidden = "" },
	.windows = true,
	.shares = STYLE_MAUI,
	.prio = &prio_of_maui,
	.queue = queue,
	.explain = &explain_maui,
	.sources = sources,
};
