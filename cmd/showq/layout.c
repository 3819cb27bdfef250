/* Prints the page of Slurm's layouts: active, waiting, blocked, and completing or errored jobs, then the totals.
 * Defines Harvard's layout.
 *
 * Two defects of the tools are corrected, except in strict mode. A job whose reason the tool does not know is listed
 * and counted in its section; the tools print a warning instead. A running job over its time limit is listed; TACC's
 * tool prints a warning instead. */
#include "render/emit.h"
#include "showq/showq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_job_of_user(const struct showq_run *r, const struct showq_job *j)
{
	const struct fs_job job = showq_get_job(r, j);

	return showq_matches_user(r, &job);
}

static bool is_layout_job_selected(const struct showq_run *r, const struct showq_job *j)
{
	return (!showq_has_user_filter(r) || is_job_of_user(r, j)) && showq_matches_partition(r, j->row);
}

/* ---- active jobs */

/* Counts the distinct nodes of the active jobs. For a job whose node names are unknown, adds its number of nodes.
 * Returns -1 if out of memory. */
static int count_active_nodes(struct showq_run *r)
{
	uint32_t *rows = malloc((r->n + 1) * sizeof(*rows));
	size_t n = 0;
	int64_t nodes;

	if (!rows)
		return -1;
	for (size_t i = 0; i < r->n; i++)
		if (r->jobs[i].section == SHOWQ_ACTIVE && is_layout_job_selected(r, &r->jobs[i]))
			rows[n++] = r->jobs[i].row;
	nodes = fs_snapshot_count_nodes(r->snapshot, rows, n);
	free(rows);
	r->counts.nodes = nodes;
	return nodes < 0 ? -1 : 0;
}

static int64_t zero_if_unknown(int64_t n)
{
	return n == FS_UNKNOWN ? 0 : n;
}

/* Returns true if the running job is over its time limit and the emulated tool prints a warning instead of the job. */
static bool is_dropped_over_limit(const struct showq_run *r, const struct fs_job *job)
{
	return r->strict && r->style->drops_over_limit_jobs && showq_get_time_left_s(r, job) < 0;
}

static unsigned get_reason_number(const struct showq_run *r, const struct showq_job *j)
{
	const struct fs_reason *reason = showq_get_job_reason(r, j);

	return reason ? reason->number : 0;
}

/* Calls `print`, a function of the layout. Does nothing if `print` is NULL. */
static void print_own_lines(struct showq_run *r, void (*print)(struct showq_run *r))
{
	if (print)
		print(r);
}

static void print_active_section(struct showq_run *r)
{
	struct showq_counts *c = &r->counts;

	if (!r->summary_only)
		showq_print_heading(r, SHOWQ_ACTIVE);
	for (size_t i = 0; i < r->n; i++) {
		const struct showq_job *j = &r->jobs[i];

		if (j->section != SHOWQ_ACTIVE || !is_layout_job_selected(r, j))
			continue;
		const struct fs_job job = showq_get_job(r, j);

		if (is_dropped_over_limit(r, &job)) {
			emit("[Warn]: runlimit exhausted: runningpending job reason = %u\n", get_reason_number(r, j));
			continue;
		}
		if (!r->summary_only)
			showq_print_row(r, SHOWQ_ACTIVE, j);
		c->active++;
		c->cpus += zero_if_unknown(job.request.cpus);
		c->node_count_sum += zero_if_unknown(job.request.nodes);
		c->gpus += showq_get_job_gpus(r->snapshot, j->row);
	}
	if (showq_has_user_filter(r))
		return;
	putchar('\n');
	emit("%*u active job%s", r->style->active_count_width, c->active, c->active == 1 ? "  " : "s ");
	print_own_lines(r, r->style->print_utilisation);
	putchar('\n');
}

/* ---- pending jobs */

/* Returns true if the job is pending. Returns false for completing and suspended jobs, which are in SHOWQ_ERRORED. */
static bool is_job_pending(const struct showq_job *j)
{
	return j->section == SHOWQ_WAITING || j->section == SHOWQ_BLOCKED ||
	       (j->section == SHOWQ_ERRORED && j->is_pending);
}

/* Returns the priority to sort by; 0 if unknown. In strict mode large values become negative, because the tools store
 * priorities in an int. */
static double get_sort_priority(const struct showq_run *r, const struct showq_job *j)
{
	const double p = isnan(j->priority) ? 0 : j->priority;

	return r->strict && p > INT32_MAX ? p - 4294967296.0 : p;
}

static int compare_by_sort_priority(const void *x, const void *y, const void *ctx)
{
	const struct showq_run *r = ctx;
	const double a = get_sort_priority(r, &r->jobs[*(const uint32_t *)x]);
	const double b = get_sort_priority(r, &r->jobs[*(const uint32_t *)y]);

	return (a < b) - (a > b);
}

/* Orders jobs by rank. Jobs without a rank (0) come last, because rank - 1 is then the greatest uint32_t. */
static int compare_by_queue_rank(const void *x, const void *y, const void *ctx)
{
	const struct showq_run *r = ctx;
	const uint32_t p = r->jobs[*(const uint32_t *)x].rank - 1, q = r->jobs[*(const uint32_t *)y].rank - 1;

	return (p > q) - (p < q);
}

/* Returns the pending jobs as indexes into r->jobs, in the order of the page, and sets *n to their number. The caller
 * frees the array. NULL if out of memory. */
static uint32_t *list_pending_jobs(struct showq_run *r, size_t *n)
{
	uint32_t *v = malloc((r->n + 1) * sizeof(*v));
	int rc = 0;

	*n = 0;
	for (uint32_t i = 0; v && i < r->n; i++)
		if (is_job_pending(&r->jobs[i]))
			v[(*n)++] = i;
	if (v && r->why)
		rc = fs_sort(v, *n, sizeof(*v), compare_by_queue_rank, r);
	else if (v && r->by_priority)
		rc = fs_sort(v, *n, sizeof(*v), compare_by_sort_priority, r);
	if (!rc)
		return v;
	free(v);
	return NULL;
}

/* Counts a job whose reason the emulated tool does not know. In strict mode prints the tool's warning instead. */
static void count_unknown_reason(struct showq_run *r, const struct showq_job *j)
{
	if (r->strict)
		emit("[Warn]: unknown job state - pending job reason = %u\n", get_reason_number(r, j));
	else if (j->section == SHOWQ_WAITING)
		r->counts.idle++;
	else
		r->counts.blocked++;
}

/* Prints the WAITING section. `v`: indexes of the n pending jobs in r->jobs. Counts the selected jobs as idle or
 * blocked. */
static void print_waiting_section(struct showq_run *r, const uint32_t *v, size_t n)
{
	if (n && !r->summary_only) {
		putchar('\n');
		showq_print_heading(r, SHOWQ_WAITING);
	}
	for (size_t i = 0; i < n; i++) {
		const struct showq_job *j = &r->jobs[v[i]];

		if (!is_layout_job_selected(r, j))
			continue;
		if (!j->has_known_reason)
			count_unknown_reason(r, j);
		else if (j->section == SHOWQ_WAITING)
			r->counts.idle++;
		else
			r->counts.blocked++;
		if (j->section == SHOWQ_WAITING && (j->has_known_reason || !r->strict) && !r->summary_only)
			showq_print_row(r, SHOWQ_WAITING, j);
	}
}

/* Returns true if the BLOCKED section lists the job. Harvard's tool lists the blocked jobs of all partitions. For root,
 * or with -b, it lists the jobs of all users; otherwise only the jobs of r->user. */
static bool is_blocked_job_listed(const struct showq_run *r, const struct showq_job *j)
{
	if (j->section != SHOWQ_BLOCKED || (r->strict && !j->has_known_reason && !r->style->unknown_is_blocked))
		return false;
	if (!r->style->blocked_ignores_filters || !j->has_known_reason)
		if (!is_layout_job_selected(r, j))
			return false;
	if (!r->style->blocked_ignores_filters)
		return true;
	return r->show_blocked || !strcmp(r->user, "root") || !strcmp(showq_get_job(r, j).user, r->user);
}

static void print_blocked_section(struct showq_run *r)
{
	if (!r->counts.blocked || r->summary_only)
		return;
	putchar('\n');
	showq_print_heading(r, SHOWQ_BLOCKED);
	for (size_t i = 0; i < r->n; i++)
		if (is_blocked_job_listed(r, &r->jobs[i]))
			showq_print_row(r, SHOWQ_BLOCKED, &r->jobs[i]);
}

/* ---- completing and errored jobs */

/* Prints the ERRORED section: first the completing and suspended jobs, then the pending jobs that can never start. */
static void print_errored_section(struct showq_run *r)
{
	bool any = false;

	if (r->summary_only || (r->strict && r->style->errored_needs_blocked && !r->counts.blocked))
		return;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < r->n; i++) {
			const struct showq_job *j = &r->jobs[i];

			if (j->section != SHOWQ_ERRORED || is_job_pending(j) != pass || !is_layout_job_selected(r, j))
				continue;
			if (!any) {
				putchar('\n');
				showq_print_heading(r, SHOWQ_ERRORED);
			}
			any = true;
			showq_print_row(r, SHOWQ_ERRORED, j);
		}
}

int showq_print_layout(struct showq_run *r)
{
	const struct showq_counts *c = &r->counts;
	uint32_t *order;
	size_t n;

	if (count_active_nodes(r) || !(order = list_pending_jobs(r, &n)))
		return cmd_report_no_memory(r->inv);
	print_own_lines(r, r->style->print_top_lines);
	print_active_section(r);
	print_waiting_section(r, order, n);
	free(order);
	print_blocked_section(r);
	print_errored_section(r);
	emit("\nTotal Jobs: %-4u  Active Jobs: %-4u  Idle Jobs: %-4u  Blocked Jobs: %-4u\n",
	     c->active + c->idle + c->blocked, c->active, c->idle, c->blocked);
	print_own_lines(r, r->style->print_bottom_lines);
	return EXIT_DONE;
}

/* ---- layout of Harvard's showq (fasrc/slurm_showq 0.12: slurm_showq.cpp) */

static const struct showq_column fasrc_active[] = {
	{ CELL_ID, 10, "", "" },          { CELL_NAME, 11, "", "" },      { CELL_USER, 14, "", "" },
	{ CELL_STATE, 8, "", "" },        { CELL_CPUS, 6, "", " " },      { CELL_GPUS, 6, "", " " },
	{ CELL_TIME_LEFT, 2, " ", "  " }, { CELL_START_TIME, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column fasrc_active_long[] = {
	{ CELL_ID, 10, "", "" },        { CELL_NAME, 11, "", "" },        { CELL_USER, 14, "", "" },
	{ CELL_STATE, 8, "", "" },      { CELL_CPUS, 6, "", " " },        { CELL_GPUS, 6, "", " " },
	{ CELL_NODES, 4, "", "" },      { CELL_PARTITIONS, 14, " ", "" }, { CELL_TIME_LEFT, 2, " ", "  " },
	{ CELL_START_TIME, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column fasrc_pending[] = {
	{ CELL_ID, 10, "", "" },           { CELL_NAME, 11, "", "" },       { CELL_USER, 14, "", "" },
	{ CELL_STATE, 8, "", "" },         { CELL_CPUS, 6, "", " " },       { CELL_GPUS, 6, "", " " },
	{ CELL_TIME_LIMIT, 2, " ", "  " }, { CELL_SUBMIT_TIME, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column fasrc_pending_long[] = {
	{ CELL_ID, 10, "", "" },         { CELL_NAME, 11, "", "" },       { CELL_USER, 14, "", "" },
	{ CELL_STATE, 8, "", "" },       { CELL_CPUS, 6, "", " " },       { CELL_GPUS, 6, "", " " },
	{ CELL_NODES, 4, "", " " },      { CELL_PARTITIONS, 14, "", "" }, { CELL_TIME_LIMIT, 2, " ", "  " },
	{ CELL_SUBMIT_TIME, 0, "", "" }, { CELL_END, 0, "", "" },
};

static const struct showq_column fasrc_errored[] = {
	{ CELL_ID, 10, "", "" },        { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" },
	{ CELL_STATE, 8, "", "" },      { CELL_CPUS, 6, "", " " }, { CELL_TIME_LEFT, 2, " ", "  " },
	{ CELL_START_TIME, 0, "", "" }, { CELL_END, 0, "", "" },
};

static struct fs_showq_entry get_fasrc_entry(const struct fs_reason *reason)
{
	return reason->fasrc;
}

static void print_fasrc_summary_lines(struct showq_run *r)
{
	if (showq_has_user_filter(r))
		emit("\nSUMMARY OF JOBS FOR USER: <%s>\n", r->user);
	if (r->partition)
		emit("\nSUMMARY OF JOBS FOR QUEUE: <%s>\n\n", r->partition);
}

/* Prints the used amount, the total and the percentage. In strict mode, if the total is 0, prints "-nan %" or "inf %"
 * as the tool does. */
static void print_used_share(const struct showq_run *r, int64_t used, int64_t total, const char *what)
{
	const float share = (float)100. * (float)used / (float)(total > 0 ? total : 1);

	emit(": %4lld of %4lld %s ", (long long)used, (long long)total, what);
	if (total > 0)
		emit("(%6.2f %%)", (double)share);
	else
		emit_safe_text(!r->strict ? "(  0.00 %)" : used ? "(   inf %)" : "(  -nan %)");
}

/* Returns the number of GPUs of the requested partition: the amount of its first TRES whose name contains "gpu". */
static int64_t get_partition_gpus(const struct showq_run *r)
{
	struct fs_tres t;

	for (size_t k = 0; fs_partition_tres(r->snapshot, r->partition, k, &t); k++)
		if (strstr(t.name, "gpu"))
			return t.amount;
	return 0;
}

static int64_t known_or_zero(int64_t n)
{
	return n == FS_UNKNOWN ? 0 : n;
}

static void print_fasrc_utilisation(struct showq_run *r)
{
	struct fs_partition p = { .cpus = 0, .nodes = 0 };
	const bool found = r->partition && fs_snapshot_partition(r->snapshot, r->partition, &p);
	const int64_t nodes = found ? known_or_zero(p.nodes) : r->hosts_available,
		      gpus = r->partition ? get_partition_gpus(r) : 0;

	if (r->hosts_available)
		print_used_share(r, r->counts.nodes, nodes, "nodes");
	if (r->partition) {
		print_used_share(r, r->counts.cpus, known_or_zero(p.cpus), "cores");
		emit(": %4lld of %4lld gpus (%6.2f %%)", (long long)r->counts.gpus, (long long)gpus,
		     (double)((float)100. * (float)r->counts.gpus / (float)(gpus > 1 ? gpus : 1)));
		print_used_share(r, r->counts.nodes, nodes, "nodes");
	}
}

const struct showq_style showq_fasrc = {
	.style = STYLE_FASRC,
	.parse_arguments = showq_parse_harvard_arguments,
	.sections = {
		[SHOWQ_ACTIVE] = {
			"ACTIVE JOBS--------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    REMAINING  STARTTIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    NODE QUEUE         REMAINING  "
			  "STARTTIME" },
			{ 84, 103 },
			{ fasrc_active, fasrc_active_long },
		},
		[SHOWQ_WAITING] = {
			"WAITING JOBS------------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    HOST  QUEUE           WCLIMIT  "
			  "QUEUETIME" },
			{ 84, 102 },
			{ fasrc_pending, fasrc_pending_long },
		},
		[SHOWQ_BLOCKED] = {
			"BLOCKED JOBS--",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    HOST  QUEUE           WCLIMIT  "
			  "QUEUETIME" },
			{ 84, 103 },
			{ fasrc_pending, fasrc_pending_long },
		},
		[SHOWQ_ERRORED] = {
			"COMPLETING/ERRORED JOBS-------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   CORE     WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORE     WCLIMIT  QUEUETIME" },
			{ 80, 80 },
			{ fasrc_errored, fasrc_errored },
		},
	},
	.get_entry = get_fasrc_entry,
	.unlisted_state = "Waiting",
	.version = "0.1\n\nTexas Advanced Computing Center\nThe University of Texas at Austin\nResearch Computing\n"
		   "Harvard University",
	.active_count_width = 6,
	.blocked_ignores_filters = true,
	.errored_needs_blocked = true,
	.has_partition_options = true,
	.print_top_lines = print_fasrc_summary_lines,
	.print_utilisation = print_fasrc_utilisation,
};
