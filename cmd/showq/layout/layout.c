/* A page of a layout: active, waiting, blocked and completing jobs, then the totals.
 *
 * The tools' own defects are mended here unless strict: a reason the tool does not know is listed and counted
 * where it belongs instead of a warning, and a running job past its limit stays in the list. */
#include "showq/showq.h"
#include "render/emit.h"

#include <math.h>
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

/* ---- active */

/* Counts each node once; a job whose nodes are not known counts with their number. */
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

static int64_t known(int64_t n)
{
	return n == FS_UNKNOWN ? 0 : n;
}

static bool dropped(const struct showq_run *r, const struct fs_job *job)
{
	return r->strict && r->style->over_limit_is_dropped && showq_left_s(r, job) < 0;
}

static unsigned reason_number(const struct showq_run *r, const struct showq_job *j)
{
	const struct fs_reason *reason = showq_reason_of(r, j);

	return reason ? reason->number : 0;
}

static void active(struct showq_run *r)
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
			emit("[Warn]: runlimit exhausted: runningpending job reason = %u\n",
			       reason_number(r, j));
			continue;
		}
		if (!r->summary)
			showq_row(r, PLACE_ACTIVE, j);
		c->active++;
		c->cpus += known(job.cpus);
		c->node_sum += known(job.nodes);
		c->gpus += showq_gpus(r->snapshot, j->row);
	}
	if (showq_one_user(r))
		return;
	putchar('\n');
	emit("%*u active job%s", r->style->active_width, c->active, c->active == 1 ? "  " : "s ");
	r->style->utilisation(r);
	putchar('\n');
}

/* ---- pending */

static bool pending(const struct showq_job *j)
{
	return j->place == PLACE_WAITING || j->place == PLACE_BLOCKED ||
	       (j->place == PLACE_ERRORED && j->pending);
}

/* The tool keeps priorities in an int: what does not fit is negative there. */
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

/* Orders eligible jobs by rank, before all others. */
static int by_rank(const void *x, const void *y, const void *ctx)
{
	const struct showq_run *r = ctx;
	const uint32_t p = r->jobs[*(const uint32_t *)x].rank - 1, q = r->jobs[*(const uint32_t *)y].rank - 1;

	return (p > q) - (p < q);
}

/* Returns indexes into r->jobs of pending jobs, in the order of the page; NULL without memory. */
static uint32_t *pending_order(struct showq_run *r, size_t *n)
{
	uint32_t *v = malloc((r->n + 1) * sizeof(*v));
	int rc = 0;

	*n = 0;
	for (uint32_t i = 0; v && i < r->n; i++)
		if (pending(&r->jobs[i]))
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

static void count_unknown(struct showq_run *r, const struct showq_job *j)
{
	if (r->strict)
		emit("[Warn]: unknown job state - pending job reason = %u\n", reason_number(r, j));
	else if (j->place == PLACE_WAITING)
		r->counts.idle++;
	else
		r->counts.blocked++;
}

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

/* Returns whether a blocked job is listed: Harvard's tool shows them in every partition, to their owners, to root,
 * or with -b. */
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

/* ---- completing and errored: first those that hold nodes, then pending ones that can never start */

static void errored(struct showq_run *r)
{
	bool any = false;

	if (r->summary || (r->strict && r->style->errored_needs_blocked && !r->counts.blocked))
		return;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < r->n; i++) {
			const struct showq_job *j = &r->jobs[i];

			if (j->place != PLACE_ERRORED || pending(j) != pass || !wanted(r, j))
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
	active(r);
	waiting(r, order, n);
	free(order);
	blocked(r);
	errored(r);
	emit("\nTotal Jobs: %-4u  Active Jobs: %-4u  Idle Jobs: %-4u  Blocked Jobs: %-4u\n",
	       c->active + c->idle + c->blocked, c->active, c->idle, c->blocked);
	r->style->end(r);
	return EXIT_DONE;
}
