/* The layout of Harvard's showq (fasrc/slurm_showq 0.12: slurm_showq.cpp). */
#include "showq/showq.h"
#include "render/emit.h"

#include <stdio.h>
#include <string.h>

static const struct showq_column active[] = {
	{ CELL_ID, 10, "", "" },  { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" }, { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_LEFT, 2, " ", "  " }, { CELL_START, 0, "", "" },
	{ CELL_END, 0, "", "" },
};

static const struct showq_column active_long[] = {
	{ CELL_ID, 10, "", "" },   { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" },  { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_NODES, 4, "", "" },  { CELL_QUEUE, 14, " ", "" },
	{ CELL_LEFT, 2, " ", "  " }, { CELL_START, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column pending[] = {
	{ CELL_ID, 10, "", "" },  { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" }, { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_LIMIT, 2, " ", "  " }, { CELL_SUBMIT, 0, "", "" },
	{ CELL_END, 0, "", "" },
};

static const struct showq_column pending_long[] = {
	{ CELL_ID, 10, "", "" },   { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" },  { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_NODES, 4, "", " " }, { CELL_QUEUE, 14, "", "" },
	{ CELL_LIMIT, 2, " ", "  " }, { CELL_SUBMIT, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column errored[] = {
	{ CELL_ID, 10, "", "" },   { CELL_NAME, 11, "", "" },  { CELL_USER, 14, "", "" },  { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_LEFT, 2, " ", "  " }, { CELL_START, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_reason reasons[] = {
	{ "Dependency", PLACE_BLOCKED, "Waiting" },
	{ "JobHeldAdmin", PLACE_BLOCKED, "Waiting" },
	{ "BeginTime", PLACE_BLOCKED, "Waiting" },
	{ "AssociationJobLimit", PLACE_BLOCKED, "Quota" },
	{ "QOSMaxCpuPerJobLimit", PLACE_BLOCKED, "Waiting" },
	{ "QOSMaxCpuMinutesPerJobLimit", PLACE_BLOCKED, "Waiting" },
	{ "QOSMaxNodePerJobLimit", PLACE_BLOCKED, "Waiting" },
	{ "QOSMaxWallDurationPerJobLimit", PLACE_BLOCKED, "Waiting" },
	{ "QOSMaxGRESPerJob", PLACE_BLOCKED, "Waiting" },
	{ "JobHeldUser", PLACE_BLOCKED, "Waiting" },
	{ "BadConstraints", PLACE_BLOCKED, "Waiting" },
	{ "PartitionConfig", PLACE_BLOCKED, "Waiting" },
	{ "JobArrayTaskLimit", PLACE_BLOCKED, "Waiting" },
	{ "Priority", PLACE_WAITING, "Waiting" },
	{ "Resources", PLACE_WAITING, "Waiting" },
	{ "None", PLACE_WAITING, "Waiting" },
	{ "ReqNodeNotAvail", PLACE_WAITING, "Waiting" },
	{ "PartitionNodeLimit", PLACE_WAITING, "Waiting" },
	{ "PartitionTimeLimit", PLACE_WAITING, "Waiting" },
	{ "PartitionDown", PLACE_WAITING, "Waiting" },
	{ "QOSJobLimit", PLACE_WAITING, "Waiting" },
	{ "QOSResourceLimit", PLACE_WAITING, "Waiting" },
	{ "QOSTimeLimit", PLACE_WAITING, "Waiting" },
	{ "QOSMaxCpuPerUserLimit", PLACE_WAITING, "Waiting" },
	{ "QOSMaxJobsPerUserLimit", PLACE_WAITING, "Waiting" },
	{ "QOSMaxNodePerUserLimit", PLACE_WAITING, "Waiting" },
	{ "QOSMaxGRESPerUser", PLACE_WAITING, "Waiting" },
	{ "QOSMaxSubmitJobPerUserLimit", PLACE_WAITING, "Waiting" },
	{ "Reservation", PLACE_WAITING, "Waiting" },
	{ NULL, PLACE_BLOCKED, "Waiting" },
};

static void summaries(struct showq_run *r)
{
	if (showq_one_user(r))
		emit("\nSUMMARY OF JOBS FOR USER: <%s>\n", r->user);
	if (r->partition)
		emit("\nSUMMARY OF JOBS FOR QUEUE: <%s>\n\n", r->partition);
}

/* Of 0 of 0 the tool prints -nan per cent. */
static void share_of(const struct showq_run *r, int64_t used, int64_t total, const char *what)
{
	const float share = (float)100. * (float)used / (float)(total > 0 ? total : 1);

	emit(": %4lld of %4lld %s ", (long long)used, (long long)total, what);
	if (total > 0)
		emit("(%6.2f %%)", (double)share);
	else
		emit_text(!r->strict ? "(  0.00 %)" : used ? "(   inf %)" : "(  -nan %)");
}

static int64_t partition_gpus(const struct showq_run *r)
{
	struct fs_tres t;

	for (size_t k = 0; fs_partition_tres(r->snapshot, r->partition, k, &t); k++)
		if (strstr(t.name, "gpu"))
			return t.amount;
	return 0;
}

static int64_t known(int64_t n)
{
	return n == FS_UNKNOWN ? 0 : n;
}

static void utilisation(struct showq_run *r)
{
	struct fs_partition p = { .cpus = 0, .nodes = 0 };
	const bool found = r->partition && fs_snapshot_partition(r->snapshot, r->partition, &p);
	const int64_t nodes = found ? known(p.nodes) : r->hosts,
		      gpus = r->partition ? partition_gpus(r) : 0;

	if (r->hosts)
		share_of(r, r->counts.nodes, nodes, "nodes");
	if (r->partition) {
		share_of(r, r->counts.cpus, known(p.cpus), "cores");
		emit(": %4lld of %4lld gpus (%6.2f %%)", (long long)r->counts.gpus,
		       (long long)gpus,
		       (double)((float)100. * (float)r->counts.gpus /
				(float)(gpus > 1 ? gpus : 1)));
		share_of(r, r->counts.nodes, nodes, "nodes");
	}
}

static void nothing(struct showq_run *r)
{
	(void)r;
}

const struct showq_style showq_fasrc = {
	.style = STYLE_FASRC,
	.words = showq_words_harvard,
	.section = {
		[PLACE_ACTIVE] = {
			"ACTIVE JOBS--------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    REMAINING  STARTTIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    NODE QUEUE         REMAINING  "
			  "STARTTIME" },
			{ 84, 103 },
			{ active, active_long },
		},
		[PLACE_WAITING] = {
			"WAITING JOBS------------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    HOST  QUEUE           WCLIMIT  "
			  "QUEUETIME" },
			{ 84, 102 },
			{ pending, pending_long },
		},
		[PLACE_BLOCKED] = {
			"BLOCKED JOBS--",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    HOST  QUEUE           WCLIMIT  "
			  "QUEUETIME" },
			{ 84, 103 },
			{ pending, pending_long },
		},
		[PLACE_ERRORED] = {
			"COMPLETING/ERRORED JOBS-------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE     WCLIMIT  QUEUETIME" },
			{ 80, 80 },
			{ errored, errored },
		},
	},
	.reasons = reasons,
	.version = "0.1\n\nTexas Advanced Computing Center\nThe University of Texas at Austin\nResearch Computing\n"
		   "Harvard University",
	.active_width = 6,
	.blocked_of_all_users = true,
	.errored_needs_blocked = true,
	.partitions = true,
	.begin = summaries,
	.utilisation = utilisation,
	.end = nothing,
};
