/* Slurm. */
#include "dialect/dialect.h"
#include "explain/dialect.h"
#include "prio/dialect.h"
#include "showq/showq.h"

static const struct showq_style *const queue[] = { &showq_fasrc, &showq_tacc, &showq_moab, NULL };

#define NOUNS(name)                                                                            \
	{                                                                                      \
		.scheduler = name, .account = "account", .accounts = "accounts",               \
		.Account = "Account", .partition = "partition", .partitions = "partitions", .shut = "down", \
		.cpu = "CPU", .cpus = "CPUs", .cpu_column = "CPUs", .hours_column = "CPU-hours", \
		.account_heading = "ACCOUNT", .tree_heading = "ACCOUNT / USER", .partition_heading = "PARTITION", \
		.sharers = "associations", .direct = "set by an administrator",                \
		.direct_by = "an administrator", .direct_mark = "set by admin", .operator_heading = "AN OPERATOR",              \
		.limit_of = { "the association of", "account", "QOS", "the partition's QOS" }, \
		.limit_elsewhere = { NULL, NULL, "QOS", "partition or QOS" },                  \
		.hidden = " (PrivateData)",                                                    \
	}

static const struct source_row sources[] = {
	{ "config", "scontrol show config, slurm.conf", "weights, decay and algorithm, and with them priorities and shares" },
	{ "tres", "sacctmgr show tres", "limits and usage by TRES, billing" },
	{ "association", "sacctmgr show assoc, scontrol show assoc_mgr, sshare",
	  "shares and usage of fs-share, fair-share factors, limits of accounts and users" },
	{ "user", "sacctmgr show user, scontrol show assoc_mgr", "who administers and coordinates, and with it what a viewer may see" },
	{ "qos", "sacctmgr show qos, scontrol show assoc_mgr", "QOS factors and limits" },
	{ "partition", "scontrol show partition", "partition factors, order of the queue, limits of partitions" },
	{ "node", "scontrol show node", "machine lines of fs-showq, starts of fs-showq --plan" },
	{ "reservation", "scontrol show reservation", "starts of fs-showq --plan: what is reserved may be taken for free" },
	{ "job", "scontrol show job, squeue", "the queue of fs-showq, the jobs of fs-prio, limits in use" },
	{ "recorded", "sprio, sshare", "fs-snap verify, priorities that were set by hand, when priorities were computed" },
	{ "usage", "sacct", "fs-share --spent and --usage=computed" },
	{ NULL, NULL, NULL },
};

static const struct source_gap gaps[] = {
	{ "config", "date_begin", "the capture's own clock: its time is that of sdiag or of the configuration, seconds earlier" },
	{ "association", "sacctmgr_assoc.txt", "the order of equal accounts, default QOS, what the accounting database alone has" },
	{ "association", "scontrol_assoc_mgr_o.txt", "usage by TRES and its decimals, limits in use" },
	{ "qos", "sacctmgr_qos_all.txt", "limits and flags of QOS" },
	{ "node", "scontrol_topology.txt", "switches, by which fs-showq --plan chooses nodes under topology/tree" },
	{ "job", "scontrol_job_d.txt", "the CPUs on each node: starts of fs-showq --plan share them out evenly" },
	{ "job", "squeue_O.txt", "whether the list of jobs was cut, or a name made a job; associations are told by user and account" },
	{ "recorded", "sshare.txt", "fs-snap verify of shares" },
	{ "recorded", "sprio.txt", "fs-snap verify of priorities, those that were set by hand, when they were computed" },
	{ NULL, NULL, NULL },
};

const struct dialect dialect_slurm = {
	.name = "slurm",
	.changes_job = "scontrol update job",
	.nouns = NOUNS("Slurm"),
	.waiting_reasons = true,
	.runs = true,
	.prio = &prio_of_slurm,
	.queue = queue,
	.explain = &explain_slurm,
	.sources = sources,
	.gaps = gaps,
};

static const struct showq_style *const no_queue[] = { NULL };

/* A scheduler that is not known is spoken of in Slurm's words. */
const struct dialect dialect_other = {
	.name = "",
	.changes_job = "scontrol update job",
	.nouns = NOUNS("unknown"),
	.prio = &prio_of_slurm,
	.queue = no_queue,
	.explain = &explain_other,
};
