/* Maui. */
#include "dialect/dialect.h"
#include "explain/dialect.h"
#include "prio/dialect.h"
#include "showq/showq.h"

static const struct showq_style *const queue[] = { &showq_maui, NULL };

static const struct source_row sources[] = {
	{ "config", "maui.cfg and what it includes", "weights, and with them priorities" },
	{ "credential", "maui.cfg, traces, FS files, diagnose -u", "targets, limits and priorities of users, groups, accounts, QOS and classes" },
	{ "window", "files FS.* of fs_in or stats", "usage of fs-share, fair-share terms: a window without a file counts as nothing" },
	{ "node", "traces/resource", "starts of fs-showq --plan, processor equivalents" },
	{ "job", "showq, showq -r and -i, checkjob, diagnose -j, showres, traces/workload, stats/simstat.out",
	  "the queue of fs-showq, the jobs of fs-prio, what running jobs have used" },
	{ NULL, NULL, NULL },
};

static const struct source_gap gaps[] = {
	{ "config", "date_begin", "the capture's own clock: its time is worked out from what clients printed" },
	{ "credential", "diagnose_-u.txt", "users without a job or setting" },
	{ "job", "showq.*", "which jobs of the trace are there, and what each does: fs-showq, fs-prio" },
	{ "job", "showq_-r.*", "when running jobs began, and their nodes: ends and starts of fs-showq --plan" },
	{ "job", "showq_-r_-v*", "priorities of running jobs: fs-snap verify" },
	{ "job", "showq_-i*", "since when jobs are queued, which have a reservation: by rule in fs-prio and fs-showq --plan" },
	{ "job", "checkjob*", "system priorities (setspri), holds and what a job's reservation is: fs-prio, fs-explain" },
	{ "job", "diagnose_-j.txt", "since when jobs are queued, as showq -i or checkjob do not tell: fs-prio" },
	{ "job", "showres.txt", "which jobs have a reservation: by rule in fs-showq --plan" },
	{ "job", "showres_-n.txt", "nodes of each job and reservations of administrators: fs-showq --plan goes without" },
	{ "job", "workload", "what jobs ask for, where no other page tells: fs-prio, fs-showq --plan" },
	{ "job", "simstat.out", "what jobs that have ended used: memory of nodes in fs-showq --plan of a simulation" },
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
	.gaps = gaps,
};
