/* The parts of the commands that belong to the test scheduler: nouns for messages, a column of fs-prio, and a layout of
 * fs-showq. The layout lists the eligible jobs in order. */
#include "dialect/dialect.h"
#include "explain/explain.h"
#include "prio/prio.h"
#include "render/emit.h"
#include "showq/showq.h"

static int show(struct showq_run *r)
{
	struct showq_lists list;
	const int status = showq_lists_load(r, &list);

	for (size_t i = 0; !status && i < list.neligible; i++)
		emit("%zu %s\n", i + 1, list.eligible[i].user);
	showq_lists_release(&list);
	return status;
}

static const struct showq_style plain = { .style = STYLE_FASRC, .print_page = show };
static const struct showq_style *const queue[] = { &plain, NULL };

static const char *format(bool wide, bool norm)
{
	(void)wide;
	(void)norm;
	return "%.6i %6u %.8Y %.8A";
}

static const struct prio_layout layout = { PRIO_SPRIO, "", format };
static const struct prio_dialect prio = { .style = STYLE_SLURM, .layout = &layout };
static const struct explain_dialect explain = { .account_optional = true };

const struct dialect dialect_fcfs = {
	.name = "fcfs",
	.vocabulary = { .scheduler = "FCFS",
		   .account = "account",
		   .accounts = "accounts",
		   .Account = "Account",
		   .partition = "queue",
		   .closed = "down",
		   .partitions = "queues",
		   .cpu = "slot",
		   .cpus = "slots",
		   .cpu_column = "slots",
		   .hours_column = "slot-hours",
		   .account_heading = "ACCOUNT",
		   .tree_heading = "ACCOUNT / USER",
		   .partition_heading = "QUEUE",
		   .share_holders = "associations",
		   .direct = "set by hand",
		   .direct_by = "hand",
		   .direct_mark = "by hand",
		   .hidden_suffix = "",
		   .limit_owner = { "the association of", "account", "QOS", "the queue's QOS" },
		   .shares_one_order = true },
	.prio = &prio,
	.queue_styles = queue,
	.explain = &explain,
};
