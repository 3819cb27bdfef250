/* Prints the page of Slurm's layouts: active, waiting, blocked, and completing or errored jobs, then the totals.
 * Defines Harvard's layout.
 *
 * Two defects of the tools are corrected unless strict. A job with a reason that the tool does not know is listed and
 * counted in the section where it belongs; the tool prints a warning instead. A running job over its time limit is
 * listed. */
#include "render/emit.h"
#include "showq/showq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool of_user(const struct showq_run *r, const struct showq_job *j)
{
	const struct fs_job job = showq_job_of(r, j);

	return showq_of_user(r, &job);
}

static bool wanted(const struct showq_run *r, const struct showq_job *j)
{
	return (!showq_one_user(r) || of_user(r, j)) && showq_in_partition(r, j->row);
}

/* ---- active jobs */

/* Counts the distinct nodes of the active jobs. A job whose nodes are unknown adds its number of nodes. Returns -1 if
 * out of memory. */
static int count_nodes(struct showq_run *r)
{
	uint32_t *rows = malloc((r->n + 1) * sizeof(*rows));
	size_t n = 0;
	int64_t nodes;

	if (!rows)
		return -1;
	for (size_t i = 0; i < r->n; i++)
		if (r->jobs[i].place == PLACE_ACTIVE && wanted(r, &r->jobs[i]))
			rows[n++] = r->jobs[i].row;
	nodes = fs_snapshot_count_nodes(r->snapshot, rows, n);
	free(rows);
	r->counts.nodes = nodes;
	return nodes < 0 ? -1 : 0;
}

static int64_t layout_known(int64_t n)
{
	return n == FS_UNKNOWN ? 0 : n;
}

/* Returns true if the tool prints a warning instead of the running job, because the job is over its time limit. */
static bool dropped(const struct showq_run *r, const struct fs_job *job)
{
	return r->strict && r->style->over_limit_is_dropped && showq_left_s(r, job) < 0;
}

static unsigned reason_number(const struct showq_run *r, const struct showq_job *j)
{
	const struct fs_reason *reason = showq_reason_of(r, j);

	return reason ? reason->number : 0;
}

static void layout_active(struct showq_run *r)
{
	struct showq_counts *c = &r->counts;

	if (!r->summary)
		showq_heading(r, PLACE_ACTIVE);
	for (size_t i = 0; i < r->n; i++) {
		const struct showq_job *j = &r->jobs[i];

		if (j->place != PLACE_ACTIVE || !wanted(r, j))
			continue;
		const struct fs_job job = showq_job_of(r, j);

		if (dropped(r, &job)) {
			emit("[Warn]: runlimit exhausted: runningpending job reason = %u\n", reason_number(r, j));
			continue;
		}
		if (!r->summary)
			showq_row(r, PLACE_ACTIVE, j);
		c->active++;
		c->cpus += layout_known(job.cpus);
		c->node_sum += layout_known(job.nodes);
		c->gpus += showq_gpus(r->snapshot, j->row);
	}
	if (showq_one_user(r))
		return;
	putchar('\n');
	emit("%*u active job%s", r->style->active_width, c->active, c->active == 1 ? "  " : "s ");
	r->style->utilisation(r);
	putchar('\n');
}

/* ---- pending jobs */

/* Returns true if the job is pending; completing and suspended jobs are in the ERRORED section but not pending. */
static bool layout_pending(const struct showq_job *j)
{
	return j->place == PLACE_WAITING || j->place == PLACE_BLOCKED || (j->place == PLACE_ERRORED && j->pending);
}

/* Returns the priority to sort by; 0 if unknown. Strict: the tools store priorities in an int, where large values
 * become negative. */
static double sort_priority(const struct showq_run *r, const struct showq_job *j)
{
	const double p = isnan(j->priority) ? 0 : j->priority;

	return r->strict && p > INT32_MAX ? p - 4294967296.0 : p;
}

static int by_priority(const void *x, const void *y, const void *ctx)
{
	const struct showq_run *r = ctx;
	const double a = sort_priority(r, &r->jobs[*(const uint32_t *)x]);
	const double b = sort_priority(r, &r->jobs[*(const uint32_t *)y]);

	return (a < b) - (a > b);
}

/* Orders jobs by rank; jobs without a rank come last, because 0 - 1 is the greatest uint32_t. */
static int by_rank(const void *x, const void *y, const void *ctx)
{
	const struct showq_run *r = ctx;
	const uint32_t p = r->jobs[*(const uint32_t *)x].rank - 1, q = r->jobs[*(const uint32_t *)y].rank - 1;

	return (p > q) - (p < q);
}

/* Returns the indexes of the pending jobs in r->jobs, in the order of the page; NULL if out of memory. */
static uint32_t *pending_order(struct showq_run *r, size_t *n)
{
	uint32_t *v = malloc((r->n + 1) * sizeof(*v));
	int rc = 0;

	*n = 0;
	for (uint32_t i = 0; v && i < r->n; i++)
		if (layout_pending(&r->jobs[i]))
			v[(*n)++] = i;
	if (v && r->why)
		rc = fs_sort(v, *n, sizeof(*v), by_rank, r);
	else if (v && r->by_priority)
		rc = fs_sort(v, *n, sizeof(*v), by_priority, r);
	if (!rc)
		return v;
	free(v);
	return NULL;
}

/* Counts a job whose reason the tool does not know. Strict: prints the tool's warning instead. */
static void count_unknown(struct showq_run *r, const struct showq_job *j)
{
	if (r->strict)
		emit("[Warn]: unknown job state - pending job reason = %u\n", reason_number(r, j));
	else if (j->place == PLACE_WAITING)
		r->counts.idle++;
	else
		r->counts.blocked++;
}

/* Counts the n selected pending jobs and prints the WAITING section. */
static void waiting(struct showq_run *r, const uint32_t *v, size_t n)
{
	if (n && !r->summary) {
		putchar('\n');
		showq_heading(r, PLACE_WAITING);
	}
	for (size_t i = 0; i < n; i++) {
		const struct showq_job *j = &r->jobs[v[i]];

		if (!wanted(r, j))
			continue;
		if (!j->known)
			count_unknown(r, j);
		else if (j->place == PLACE_WAITING)
			r->counts.idle++;
		else
			r->counts.blocked++;
		if (j->place == PLACE_WAITING && (j->known || !r->strict) && !r->summary)
			showq_row(r, PLACE_WAITING, j);
	}
}

/* Returns true if the BLOCKED section lists the job. Harvard's tool lists the blocked jobs of every partition: the
 * user's own, or all for root or with -b. */
static bool blocked_is_shown(const struct showq_run *r, const struct showq_job *j)
{
	if (j->place != PLACE_BLOCKED || (r->strict && !j->known && !r->style->unknown_is_blocked))
		return false;
	if (!r->style->blocked_of_all_users || !j->known)
		if (!wanted(r, j))
			return false;
	if (!r->style->blocked_of_all_users)
		return true;
	return r->show_blocked || !strcmp(r->user, "root") || !strcmp(showq_job_of(r, j).user, r->user);
}

static void blocked(struct showq_run *r)
{
	if (!r->counts.blocked || r->summary)
		return;
	putchar('\n');
	showq_heading(r, PLACE_BLOCKED);
	for (size_t i = 0; i < r->n; i++)
		if (blocked_is_shown(r, &r->jobs[i]))
			showq_row(r, PLACE_BLOCKED, &r->jobs[i]);
}

/* ---- completing and errored jobs */

/* Prints the ERRORED section: first jobs that still occupy nodes, then pending jobs that can never start. */
static void layout_errored(struct showq_run *r)
{
	bool any = false;

	if (r->summary || (r->strict && r->style->errored_needs_blocked && !r->counts.blocked))
		return;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < r->n; i++) {
			const struct showq_job *j = &r->jobs[i];

			if (j->place != PLACE_ERRORED || layout_pending(j) != pass || !wanted(r, j))
				continue;
			if (!any) {
				putchar('\n');
				showq_heading(r, PLACE_ERRORED);
			}
			any = true;
			showq_row(r, PLACE_ERRORED, j);
		}
}

int showq_layout(struct showq_run *r)
{
	const struct showq_counts *c = &r->counts;
	uint32_t *order;
	size_t n;

	if (count_nodes(r) || !(order = pending_order(r, &n)))
		return no_memory(r->inv);
	r->style->begin(r);
	layout_active(r);
	waiting(r, order, n);
	free(order);
	blocked(r);
	layout_errored(r);
	emit("\nTotal Jobs: %-4u  Active Jobs: %-4u  Idle Jobs: %-4u  Blocked Jobs: %-4u\n",
	       c->active + c->idle + c->blocked, c->active, c->idle, c->blocked);
	r->style->end(r);
	return EXIT_DONE;
}

/* ---- layout of Harvard's showq (fasrc/slurm_showq 0.12: slurm_showq.cpp) */

static const struct showq_column fasrc_active[] = {
	{ CELL_ID, 10, "", "" },  { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" }, { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_LEFT, 2, " ", "  " }, { CELL_START, 0, "", "" },
	{ CELL_END, 0, "", "" },
};

static const struct showq_column active_long[] = {
	{ CELL_ID, 10, "", "" },   { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" },  { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_NODES, 4, "", "" },  { CELL_QUEUE, 14, " ", "" },
	{ CELL_LEFT, 2, " ", "  " }, { CELL_START, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column fasrc_pending[] = {
	{ CELL_ID, 10, "", "" },  { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" }, { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_LIMIT, 2, " ", "  " }, { CELL_SUBMIT, 0, "", "" },
	{ CELL_END, 0, "", "" },
};

static const struct showq_column pending_long[] = {
	{ CELL_ID, 10, "", "" },   { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" },  { CELL_STATE, 8, "", "" },
	{ CELL_CPUS, 6, "", " " }, { CELL_GPUS, 6, "", " " }, { CELL_NODES, 4, "", " " }, { CELL_QUEUE, 14, "", "" },
	{ CELL_LIMIT, 2, " ", "  " }, { CELL_SUBMIT, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column fasrc_errored[] = {
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

/* Prints used, total and percentage. If the total is 0, the tool prints "-nan %" or "inf %". */
static void share_of(const struct showq_run *r, int64_t used, int64_t total, const char *what)
{
	const float share = (float)100. * (float)used / (float)(total > 0 ? total : 1);

	emit(": %4lld of %4lld %s ", (long long)used, (long long)total, what);
	if (total > 0)
		emit("(%6.2f %%)", (double)share);
	else
		emit_text(!r->strict ? "(  0.00 %)" : used ? "(   inf %)" : "(  -nan %)");
}

/* Returns the number of GPUs of the requested partition: the first TRES whose name contains "gpu". */
static int64_t partition_gpus(const struct showq_run *r)
{
	struct fs_tres t;

	for (size_t k = 0; fs_partition_tres(r->snapshot, r->partition, k, &t); k++)
		if (strstr(t.name, "gpu"))
			return t.amount;
	return 0;
}

static int64_t fasrc_known(int64_t n)
{
	return n == FS_UNKNOWN ? 0 : n;
}

static void utilisation(struct showq_run *r)
{
	struct fs_partition p = { .cpus = 0, .nodes = 0 };
	const bool found = r->partition && fs_snapshot_partition(r->snapshot, r->partition, &p);
	const int64_t nodes = found ? fasrc_known(p.nodes) : r->hosts,
		      gpus = r->partition ? partition_gpus(r) : 0;

	if (r->hosts)
		share_of(r, r->counts.nodes, nodes, "nodes");
	if (r->partition) {
		share_of(r, r->counts.cpus, fasrc_known(p.cpus), "cores");
		emit(": %4lld of %4lld gpus (%6.2f %%)", (long long)r->counts.gpus, (long long)gpus,
		       (double)((float)100. * (float)r->counts.gpus / (float)(gpus > 1 ? gpus : 1)));
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
			{ fasrc_active, active_long },
		},
		[PLACE_WAITING] = {
			"WAITING JOBS------------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    HOST  QUEUE           WCLIMIT  "
			  "QUEUETIME" },
			{ 84, 102 },
			{ fasrc_pending, pending_long },
		},
		[PLACE_BLOCKED] = {
			"BLOCKED JOBS--",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    HOST  QUEUE           WCLIMIT  "
			  "QUEUETIME" },
			{ 84, 103 },
			{ fasrc_pending, pending_long },
		},
		[PLACE_ERRORED] = {
			"COMPLETING/ERRORED JOBS-------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE     WCLIMIT  QUEUETIME" },
			{ 80, 80 },
			{ fasrc_errored, fasrc_errored },
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
