#include "top/data.h"

#include "cmd.h"
#include "fs/queue.h"
#include "top/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the chart of planned starts */

/* Maximum number of queue rows for which starts are planned; the time for a plan grows with the square of this
 * number. */
enum { MAX_PLANNED_ENTRIES = 40000, MAX_ENTRIES_PLANNED_AT_ONCE = 12000 };

/* Maximum number of queue rows for which likely starts are simulated, as in fs-explain. */
enum { MAX_SIMULATED_ENTRIES = 2500 };

static bool has_at_most_rows(const struct data *d, size_t max)
{
	return !d->eval.queue || fs_queue_count(d->eval.queue) <= max;
}

bool chart_is_planned_at_once(const struct data *d)
{
	return has_at_most_rows(d, MAX_ENTRIES_PLANNED_AT_ONCE);
}

/* Frees the chart, which may be NULL. */
static void free_planned_chart(struct chart *c)
{
	if (!c)
		return;
	timeline_free_bars(&c->t);
	fs_plan_free(c->plan);
	free(c->freed);
	free(c->first);
	free(c);
}

static void set_chart_failure_reason(struct chart *c, const char *why)
{
	snprintf(c->why, sizeof(c->why), "%s", why);
}

/* Sets c->why to the message without the file name at its start, because a long file name would leave no room for the
 * reason. */
static void set_chart_error_reason(struct chart *c, const struct data *d, const char *message)
{
	const char *file = fs_snapshot_info(d->snapshot)->file;
	const size_t n = strlen(file);

	set_chart_failure_reason(c, strncmp(message, file, n) || strncmp(message + n, ": ", 2) ? message
											       : message + n + 2);
}

/* Computes the plan; without a plan, sets the reason. Returns -1 if out of memory. */
static int compute_chart_plan(struct chart *c, const struct data *d)
{
	const struct fs_plan_options o = {
		.view = { .viewer = d->eval.viewer, .algorithm = d->requested_algorithm, .position = d->position },
		.likely = has_at_most_rows(d, MAX_SIMULATED_ENTRIES)
	};
	struct fs_error err;
	int rc = 0;

	if (d->usage)
		set_chart_failure_reason(c, "starts cannot be planned with --at or --usage");
	else if (!has_at_most_rows(d, MAX_PLANNED_ENTRIES))
		set_chart_failure_reason(c, "too many pending jobs to plan here; use fs-showq --plan");
	else
		rc = fs_plan_compute(&c->plan, d->snapshot, &o, &err);
	if (rc)
		set_chart_error_reason(c, d, err.message);
	return rc == FS_ENOMEM ? -1 : 0;
}

/* Sets c->first[i] to the index of the first bar of lane i. The bars are sorted by lane; a lane shows one node. Returns
 * -1 if out of memory. */
static int index_chart_lanes(struct chart *c)
{
	size_t k = 0;

	c->first = malloc((c->t.lanes + 1) * sizeof(*c->first));
	for (size_t i = 0; c->first && i <= c->t.lanes; i++) {
		while (k < c->t.n && c->t.bar[k].lane < i)
			k++;
		c->first[i] = k;
	}
	return c->first ? 0 : -1;
}

static int compare_freed_jobs(const void *x, const void *y)
{
	const struct chart_freed *a = x, *b = y;

	if (a->by != b->by)
		return a->by < b->by ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Lists the planned jobs that start when a running job ends. Returns -1 if out of memory. */
static int list_freed_jobs(struct chart *c)
{
	const size_t n = fs_plan_count(c->plan);
	struct fs_plan_row row;

	c->freed = malloc((n + 1) * sizeof(*c->freed));
	for (size_t i = 0; c->freed && i < n; i++) {
		fs_plan_row(c->plan, i, &row);
		if (row.frees && row.visible && row.start_time != FS_UNKNOWN)
			c->freed[c->nfreed++] = (struct chart_freed){ row.frees, (uint32_t)i };
	}
	if (c->nfreed)
		qsort(c->freed, c->nfreed, sizeof(*c->freed), compare_freed_jobs);
	return c->freed ? 0 : -1;
}

const struct chart_freed *chart_find_freed(const struct chart *c, uint64_t job, size_t *n)
{
	size_t low = 0, high = c ? c->nfreed : 0, end;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (c->freed[middle].by < job)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; c && end < c->nfreed && c->freed[end].by == job;)
		end++;
	*n = end - low;
	return *n ? &c->freed[low] : NULL;
}

bool chart_find_plan_row(const struct chart *c, uint32_t job_row, struct fs_plan_row *out)
{
	const size_t i = c && c->plan ? fs_plan_find(c->plan, job_row) : FS_NO_ROW;

	return i != FS_NO_ROW && fs_plan_row(c->plan, i, out);
}

struct chart *chart_make_planned(const struct data *d)
{
	struct chart *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	if (compute_chart_plan(c, d)) {
		free_planned_chart(c);
		return NULL;
	}
	if (!c->plan)
		return c;
	if (timeline_make_bars(&c->t, d->snapshot, c->plan, d->eval.viewer, FS_NO_ROW, UINT32_MAX) ||
	    index_chart_lanes(c) || list_freed_jobs(c)) {
		free_planned_chart(c);
		return NULL;
	}
	if (!c->t.lanes)
		set_chart_failure_reason(c, "no start is planned on any node");
	return c;
}

uint32_t chart_find_job_lane(const struct chart *c, uint32_t job_row)
{
	for (size_t i = 0; c && i < c->t.n; i++)
		if (c->t.bar[i].job_row == job_row)
			return c->t.bar[i].lane;
	return FS_NO_ROW;
}

/* ---- queue rows by job, and their positions in the previous snapshot */

static size_t compute_job_slot(const struct data *d, uint64_t job)
{
	return (size_t)((job + 1) * 0x9e3779b97f4a7c15u >> 20) & d->job_index.mask;
}

static int build_job_slots(struct data *d)
{
	const size_t n = fs_queue_count(d->eval.queue);
	struct fs_queue_row row;

	for (d->job_index.mask = 15; d->job_index.mask < n * 2; d->job_index.mask = d->job_index.mask * 2 + 1)
		;
	d->job_index.slots = calloc(d->job_index.mask + 1, sizeof(*d->job_index.slots));
	for (size_t i = 0; d->job_index.slots && i < n; i++) {
		size_t at;

		fs_queue_row(d->eval.queue, i, &row);
		for (at = compute_job_slot(d, row.job); d->job_index.slots[at]; at = (at + 1) & d->job_index.mask)
			;
		d->job_index.slots[at] = (uint32_t)i + 1;
	}
	return d->job_index.slots ? 0 : -1;
}

static bool is_same_queue_row(const struct fs_queue_row *a, const struct fs_queue_row *b)
{
	return a->job == b->job && !strcmp(a->partition, b->partition) && !strcmp(a->qos, b->qos);
}

/* Returns the queue row with the job, partition and QOS of `wanted`. If there is no such row and `exact` is false,
 * returns the first visible row of the job. Returns FS_NO_ROW if no row is found. */
static uint32_t look_up_queue_row(const struct data *d, const struct fs_queue_row *wanted, bool exact)
{
	uint32_t other = FS_NO_ROW;
	struct fs_queue_row row;

	for (size_t at = compute_job_slot(d, wanted->job); d->job_index.slots[at]; at = (at + 1) & d->job_index.mask) {
		const uint32_t i = d->job_index.slots[at] - 1;

		fs_queue_row(d->eval.queue, i, &row);
		if (is_same_queue_row(&row, wanted))
			return i;
		if (!exact && row.job == wanted->job && row.visible && i < other)
			other = i;
	}
	return other;
}

/* Sets d->previous to the positions and planned starts that the queue rows had in `old`. Returns -1 if out of
 * memory. */
static int record_previous_positions(struct data *d, const struct data *old)
{
	const size_t n = fs_queue_count(d->eval.queue), old_rows = fs_queue_count(old->eval.queue);
	struct fs_queue_row was;
	struct fs_plan_row plan;

	d->previous.position = malloc((n + 1) * sizeof(*d->previous.position));
	d->previous.partition_position = malloc((n + 1) * sizeof(*d->previous.partition_position));
	d->previous.start = malloc((n + 1) * sizeof(*d->previous.start));
	if (!d->previous.position || !d->previous.partition_position || !d->previous.start || build_job_slots(d))
		return -1;
	for (size_t i = 0; i < n; i++) {
		d->previous.position[i] = d->previous.partition_position[i] = POSITION_NEW;
		d->previous.start[i] = FS_UNKNOWN;
	}
	for (size_t i = 0; i < old_rows; i++) {
		fs_queue_row(old->eval.queue, i, &was);
		const uint32_t is = look_up_queue_row(d, &was, true);

		if (is == FS_NO_ROW)
			continue;
		d->previous.position[is] = was.position;
		d->previous.partition_position[is] = was.partition_position;
		if (chart_find_plan_row(old->chart, was.job_row, &plan))
			d->previous.start[is] = plan.start_time;
	}
	return 0;
}

/* Returns FS_NO_ROW if `d` has no hash table of queue rows. The table is missing if there was no earlier queue, because
 * then no selected job has to be found again. */
uint32_t data_find_job(const struct data *d, uint64_t job, const char *partition, const char *qos)
{
	const struct fs_queue_row wanted = { .job = job, .partition = partition, .qos = qos };

	return d->job_index.slots ? look_up_queue_row(d, &wanted, false) : FS_NO_ROW;
}

/* ---- rows of the partition view */

static struct partition_row *add_partition_row(struct data *d, const char *name)
{
	struct fs_partition known;
	struct partition_row *p = array_grow_by_one(d->partition, d->partitions, &d->partitions_cap, sizeof(*p));

	if (!p)
		return NULL;
	d->partition = p;
	p += d->partitions++;
	*p = (struct partition_row){
		.name = name, .cpus = FS_UNKNOWN, .nodes = FS_UNKNOWN, .tier = FS_UNKNOWN
	};
	if (fs_snapshot_partition(d->snapshot, name, &known)) {
		p->cpus = known.cpus;
		p->nodes = known.nodes;
	}
	return p;
}

/* Compares pointers first, because equal names of one snapshot are nearly always the same string. */
static struct partition_row *find_partition_row(struct data *d, const char *name)
{
	for (size_t i = 0; i < d->partitions; i++)
		if (d->partition[i].name == name)
			return &d->partition[i];
	for (size_t i = 0; i < d->partitions; i++)
		if (!strcmp(d->partition[i].name, name))
			return &d->partition[i];
	return add_partition_row(d, name);
}

static int add_snapshot_partitions(struct data *d)
{
	const char *name;

	for (size_t i = 0; (name = fs_snapshot_partition_name(d->snapshot, i)); i++)
		if (!find_partition_row(d, name))
			return -1;
	return 0;
}

/* ---- numbers of jobs, in the cluster and in each partition */

static int count_queue_place(struct data *d, const struct fs_queue_place *at, uint32_t i)
{
	struct partition_row *p = find_partition_row(d, at->partition);

	if (!p)
		return -1;
	p->tier = at->tier;
	p->waiting++;
	if (!at->eligible)
		return 0;
	p->eligible++;
	if (at->visible && p->nfirst < sizeof(p->first) / sizeof(*p->first))
		p->first[p->nfirst++] = i;
	return 0;
}

/* Updates d->last_cycle and d->reason_width with a pending job. */
static void read_pending_job(struct data *d, uint32_t job_row)
{
	struct fs_job job;
	size_t width;

	fs_snapshot_job(d->snapshot, job_row, &job);
	width = strlen(job.reason);
	if (width > d->reason_width)
		d->reason_width = width < MAX_REASON_WIDTH ? (unsigned)width : MAX_REASON_WIDTH;
	if (job.times.last_sched_eval > d->last_cycle && job.times.last_sched_eval <= d->time)
		d->last_cycle = job.times.last_sched_eval;
}

static int count_pending_queue_jobs(struct data *d)
{
	const size_t n = fs_queue_count(d->eval.queue);
	bool *seen = calloc(fs_snapshot_info(d->snapshot)->jobs + 1, sizeof(*seen));
	struct fs_queue_place at;
	int rc = 0;

	d->visible_rows = malloc((n + 1) * sizeof(*d->visible_rows));
	if (!d->visible_rows || !seen)
		rc = -1;
	for (size_t i = 0; !rc && i < n; i++) {
		fs_queue_place(d->eval.queue, i, &at);
		d->counts.eligible += at.position != 0;
		/* the recorded priority is a whole number; the sum of points may be up to 1 greater, because it has a
		 * fraction */
		if (!at.direct && at.priority + 1 > d->max_points)
			d->max_points = at.priority + 1;
		if (!seen[at.job_row])
			read_pending_job(d, at.job_row);
		d->counts.pending += !seen[at.job_row];
		seen[at.job_row] = true;
		if (at.visible)
			d->visible_rows[d->nvisible_rows++] = (uint32_t)i;
		rc = count_queue_place(d, &at, (uint32_t)i);
	}
	free(seen);
	return rc;
}

int64_t data_get_latest_end(const struct fs_job *j)
{
	return j->request.time_limit_s == FS_UNLIMITED || j->request.time_limit_s == FS_UNKNOWN ||
			       j->times.start == FS_UNKNOWN
		       ? j->times.end
		       : j->times.start + j->request.time_limit_s;
}

struct running_end {
	int64_t end;
	uint32_t row;
};

static int compare_running_ends(const void *x, const void *y)
{
	const struct running_end *a = x, *b = y;
	const uint64_t ends[] = { (uint64_t)a->end, (uint64_t)b->end }; /* FS_UNKNOWN is last */

	if (ends[0] != ends[1])
		return ends[0] < ends[1] ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Lists the running jobs that the viewer may see. Returns -1 if out of memory. */
static int list_running_jobs(struct data *d)
{
	const size_t jobs = fs_snapshot_info(d->snapshot)->jobs;
	struct running_end *ends = malloc((d->counts.running + 1) * sizeof(*ends));
	bool *seen = malloc(jobs + 1);
	struct fs_job job;
	size_t at = 0;
	uint32_t i;

	d->running = malloc((d->counts.running + 1) * sizeof(*d->running));
	if (ends && seen && d->running) {
		fs_snapshot_visible_jobs(d->snapshot, d->eval.viewer, seen);
		while ((i = fs_job_next_active(d->snapshot, &at)) != FS_NO_ROW) {
			if (!seen[i] || !fs_job_is_running(d->snapshot, i))
				continue;
			fs_snapshot_job(d->snapshot, i, &job);
			ends[d->nrunning++] = (struct running_end){ data_get_latest_end(&job), i };
		}
		if (d->nrunning)
			qsort(ends, d->nrunning, sizeof(*ends), compare_running_ends);
		for (size_t k = 0; k < d->nrunning; k++)
			d->running[k] = ends[k].row;
	}
	free(seen);
	free(ends);
	return ends && seen && d->running ? 0 : -1;
}

static int count_jobs_running_now(struct data *d)
{
	struct partition_row *p;
	struct fs_job job;
	size_t at = 0;
	uint32_t i;

	if (add_snapshot_partitions(d))
		return -1;
	while ((i = fs_job_next_active(d->snapshot, &at)) != FS_NO_ROW) {
		if (!fs_job_is_running(d->snapshot, i))
			continue;
		d->counts.running++;
		fs_snapshot_job(d->snapshot, i, &job);
		if (!fs_job_partition(d->snapshot, i, 0))
			continue;
		p = find_partition_row(d, fs_job_partition(d->snapshot, i, 0));
		if (!p)
			return -1;
		p->running++;
		p->running_cpus += job.request.cpus == FS_UNKNOWN ? 0 : job.request.cpus;
	}
	return 0;
}

/* ---- priority rows by job */

static int index_priority_rows(struct data *d)
{
	const size_t jobs = fs_snapshot_info(d->snapshot)->jobs,
		     n = d->eval.prios ? fs_prios_count(d->eval.prios) : 0;

	d->first_prio = malloc((jobs + 1) * sizeof(*d->first_prio));
	if (!d->first_prio)
		return -1;
	memset(d->first_prio, 0xff, (jobs + 1) * sizeof(*d->first_prio));
	for (size_t i = n; i-- > 0;)
		d->first_prio[fs_prios_job_row(d->eval.prios, i)] = (uint32_t)i;
	return 0;
}

void data_free_results(struct data *d)
{
	if (!d)
		return;
	fs_eval_release(&d->eval);
	if (!d->borrowed) {
		fs_usage_free(d->usage);
		fs_snapshot_free(d->snapshot);
	}
	free_planned_chart(d->chart);
	free(d->visible_rows);
	free(d->job_index.slots);
	free(d->sorted.row);
	free(d->first_prio);
	free(d->running);
	free(d->partition);
	free(d->previous.position);
	free(d->previous.partition_position);
	free(d->previous.start);
	free(d);
}

/* ---- computing the data of a snapshot */

bool data_is_large(const fs_snapshot *s)
{
	enum { LARGE_JOB_COUNT = 5000 };

	return fs_snapshot_info(s)->jobs > LARGE_JOB_COUNT;
}

const char *data_get_unordered_text(const struct data *d)
{
	return d->unordered ? "working: sorting the queue ..." : NULL;
}

/* Computes all results except the queue, which takes longest. If shares or priorities cannot be computed, returns false
 * and changes nothing. */
static bool compute_without_queue(struct data *d, const struct fs_view *view)
{
	struct fs_eval e = { .snapshot = d->snapshot, .viewer = view->viewer };
	struct fs_prios_options prios = { .view = *view };

	if (!fs_shares_compute(&e.shares, d->snapshot, view, &e.shares_error)) {
		prios.shares = view->compat ? NULL : e.shares;
		d->unordered = !fs_prios_compute(&e.prios, d->snapshot, &prios, &e.prios_error) &&
			       fs_windows_compute(&e.windows, d->snapshot, &e.windows_error) !=
				       FS_ENOMEM;
	}
	if (d->unordered)
		d->eval = e;
	else
		fs_eval_release(&e);
	return d->unordered;
}

/* Computes the results. Stores the error of a result that cannot be computed in d->eval. Fails if no result can be
 * computed, if computing the shares fails with FS_EUSAGE or FS_EDATA, or if out of memory. Returns 0, or an error code
 * after setting *err. */
static int compute_data_results(struct data *d, const struct data_options *o, struct fs_error *err)
{
	struct fs_view view = o->view;
	struct fs_eval *e = &d->eval;

	view.usage = d->usage;
	if (!(o->without_queue && compute_without_queue(d, &view)) && fs_eval_compute(d->snapshot, &view, e, err))
		return FS_ENOMEM;
	if (e->shares)
		fs_shares_use_recorded(e->shares, d->snapshot, &view);
	if (index_priority_rows(d) || count_jobs_running_now(d) || list_running_jobs(d) ||
	    fs_snapshot_capacity(d->snapshot, &d->capacity))
		return out_of_memory(err);
	if ((!e->shares && !e->prios && !e->queue) || e->shares_error.code == FS_EUSAGE ||
	    e->shares_error.code == FS_EDATA) {
		*err = e->shares_error;
		return err->code;
	}
	snprintf(d->algorithm, sizeof(d->algorithm), "%s", e->shares ? fs_shares_algorithm(e->shares) : "");
	return 0;
}

static int sort_queue_rows(struct data *d, const struct view_ops *queue, size_t column)
{
	if (column == SIZE_MAX || column >= view_count_columns(queue, d))
		return 0;
	d->sorted_by = column;
	return sort_rows_by_column(queue, d, column, d->visible_rows, d->nvisible_rows, &d->sorted);
}

static void set_time_of_data(struct data *d)
{
	struct fs_usage_info info;

	d->time = fs_snapshot_info(d->snapshot)->time;
	if (!d->usage)
		return;
	fs_usage_info(d->usage, &info);
	d->time = info.at;
}

int data_make_from_snapshot(struct data **out, fs_snapshot *s, fs_usage *usage, const struct data_options *o,
			    const struct data *old, struct fs_error *err)
{
	struct data *d = calloc(1, sizeof(*d));
	int rc;

	if (!d) {
		if (!o->borrow) {
			fs_usage_free(usage);
			fs_snapshot_free(s);
		}
		return out_of_memory(err);
	}
	d->snapshot = s;
	d->usage = usage;
	d->position = o->view.position;
	set_time_of_data(d);
	d->borrowed = o->borrow;
	d->requested_algorithm = o->view.algorithm;
	d->sorted_by = SIZE_MAX;
	d->last_cycle = FS_UNKNOWN;
	rc = compute_data_results(d, o, err);
	if (!rc && d->eval.queue &&
	    (count_pending_queue_jobs(d) || (old && old->eval.queue && record_previous_positions(d, old)) ||
	     sort_queue_rows(d, o->queue, o->sorted_by)))
		rc = out_of_memory(err);
	if (rc) {
		data_free_results(d);
		return rc;
	}
	*out = d;
	return 0;
}
