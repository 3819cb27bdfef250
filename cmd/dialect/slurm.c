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
		.direct_by = "an administrator", .direct_mark = "set by admin",                \
		.limit_of = { "the association of", "account", "QOS", "the partition's QOS" }, \
		.limit_elsewhere = { NULL, NULL, "QOS", "partition or QOS" },                  \
		.hidden = " (PrivateData)",                                                    \
	}

const struct dialect dialect_slurm = {
	.name = "slurm",
	.nouns = NOUNS("Slurm"),
	.waiting_reasons = true,
	.runs = true,
	.prio = &prio_of_slurm,
	.queue = queue,
	.explain = &explain_slurm,
};

static const struct showq_style *const no_queue[] = { NULL };

/* A scheduler that is not known is spoken of in Slurm's words. */
const struct dialect dialect_other = {
	.name = "",
	.nouns = NOUNS("unknown"),
	.prio = &prio_of_slurm,
	.queue = no_queue,
	.explain = &explain_other,
};
