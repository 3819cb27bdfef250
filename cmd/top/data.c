#include "top/data.h"

#include "cmd.h"
#include "fs/queue.h"
#include "top/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the chart */

/* Largest queue for which a plan is made interactively; its time grows with the square of the number of entries. */
enum { MOST = 40000 };

/* Frees the chart, which may be NULL. */
static void chart_free(struct chart *c)
{
	if (!c)
		return;
	timeline_free(&c->t);
	fs_plan_free(c->plan);
	free(c->first);
	free(c);
}

static void say(struct chart *c, const char *why)
{
	snprintf(c->why, sizeof(c->why), "%s", why);
}

/* Sets the reason why there is no plan, without the file name, because a long one would push the reason off the line.
 */
static void say_error(struct chart *c, const struct data *d, const char *message)
{
	const char *file = fs_snapshot_info(d->snapshot)->file;
	const size_t n = strlen(file);

	say(c, strncmp(message, file, n) || strncmp(message + n, ": ", 2) ? message : message + n + 2);
}

static void plan(struct chart *c, const struct data *d)
{
	const struct fs_plan_options o = {
		.view = { .viewer = d->eval.viewer, .algorithm = d->chosen, .position = d->position }
	};
	struct fs_error err;

	if (d->usage)
		say(c, "starts are planned at the snapshot's own time alone, without --at and --usage");
	else if (d->eval.queue && fs_queue_count(d->eval.queue) > MOST)
		say(c, "with that many jobs a plan takes long; fs-showq --plan makes it");
	else if (fs_plan_compute(&c->plan, d->snapshot, &o, &err))
		say_error(c, d, err.message);
}

/* Sets c->first. The bars are sorted by lane. */
static int index_lanes(struct chart *c)
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

struct chart *chart_make(const struct data *d)
{
	struct chart *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	plan(c, d);
	if (!c->plan)
		return c;
	if (timeline_make(&c->t, d->snapshot, c->plan, d->eval.viewer, FS_NO_ROW, UINT32_MAX) || index_lanes(c)) {
		chart_free(c);
		return NULL;
	}
	if (!c->t.lanes)
		say(c, "no start on any node is planned");
	return c;
}

uint32_t chart_lane_of(const struct chart *c, uint32_t job_row)
{
	for (size_t i = 0; c && i < c->t.n; i++)
		if (c->t.bar[i].job_row == job_row)
			return c->t.bar[i].lane;
	return FS_NO_ROW;
}

/* ---- queue rows by job, and their positions in the previous snapshot */

static size_t slot_of(const struct data *d, uint64_t job)
{
	return (size_t)((job + 1) * 0x9e3779b97f4a7c15u >> 20) & d->slots_mask;
}

static int fill_slots(struct data *d)
{
	const size_t n = fs_queue_count(d->eval.queue);
	struct fs_queue_row row;

	for (d->slots_mask = 15; d->slots_mask < n * 2; d->slots_mask = d->slots_mask * 2 + 1)
		;
	d->slots = calloc(d->slots_mask + 1, sizeof(*d->slots));
	for (size_t i = 0; d->slots && i < n; i++) {
		size_t at;

		fs_queue_row(d->eval.queue, i, &row);
		for (at = slot_of(d, row.job); d->slots[at]; at = (at + 1) & d->slots_mask)
			;
		d->slots[at] = (uint32_t)i + 1;
	}
	return d->slots ? 0 : -1;
}

static bool same_row(const struct fs_queue_row *a, const struct fs_queue_row *b)
{
	return a->job == b->job && !strcmp(a->partition, b->partition) && !strcmp(a->qos, b->qos);
}

/* Returns the row with the job, partition and QOS of `wanted`. If there is none and `exact` is false, returns the first
 * visible row of the job; else FS_NO_ROW. */
static uint32_t look_up(const struct data *d, const struct fs_queue_row *wanted, bool exact)
{
	uint32_t other = FS_NO_ROW;
	struct fs_queue_row row;

	for (size_t at = slot_of(d, wanted->job); d->slots[at]; at = (at + 1) & d->slots_mask) {
		const uint32_t i = d->slots[at] - 1;

		fs_queue_row(d->eval.queue, i, &row);
		if (same_row(&row, wanted))
			return i;
		if (!exact && row.job == wanted->job && row.visible && i < other)
			other = i;
	}
	return other;
}

/* Sets d->was and d->was_in_partition from the positions in old. */
static int data_compare(struct data *d, const struct data *old)
{
	const size_t n = fs_queue_count(d->eval.queue), nold = fs_queue_count(old->eval.queue);
	struct fs_queue_row was;

	d->was = malloc((n + 1) * sizeof(*d->was));
	d->was_in_partition = malloc((n + 1) * sizeof(*d->was_in_partition));
	if (!d->was || !d->was_in_partition || fill_slots(d))
		return -1;
	for (size_t i = 0; i < n; i++)
		d->was[i] = d->was_in_partition[i] = MOVE_NEW;
	for (size_t i = 0; i < nold; i++) {
		fs_queue_row(old->eval.queue, i, &was);
		const uint32_t is = look_up(d, &was, true);

		if (is == FS_NO_ROW)
			continue;
		d->was[is] = was.position;
		d->was_in_partition[is] = was.partition_position;
	}
	return 0;
}

/* The first snapshot has no hash table, because there is no earlier selection to find again. */
uint32_t data_find_job(const struct data *d, uint64_t job, const char *partition, const char *qos)
{
	const struct fs_queue_row wanted = { .job = job, .partition = partition, .qos = qos };

	return d->slots ? look_up(d, &wanted, false) : FS_NO_ROW;
}

/* ---- partitions */

static struct partition_row *add_partition(struct data *d, const char *name)
{
	struct fs_partition known;
	struct partition_row *p = room_for_one(d->partition, d->partitions, &d->partitions_cap, sizeof(*p));

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

/* Compares pointers first: equal names of one snapshot are nearly always the same string. */
static struct partition_row *partition_of(struct data *d, const char *name)
{
	for (size_t i = 0; i < d->partitions; i++)
		if (d->partition[i].name == name)
			return &d->partition[i];
	for (size_t i = 0; i < d->partitions; i++)
		if (!strcmp(d->partition[i].name, name))
			return &d->partition[i];
	return add_partition(d, name);
}

static int list_partitions(struct data *d)
{
	const char *name;

	for (size_t i = 0; (name = fs_snapshot_partition_name(d->snapshot, i)); i++)
		if (!partition_of(d, name))
			return -1;
	return 0;
}

/* ---- counts */

static int count_place(struct data *d, const struct fs_queue_place *at, uint32_t i)
{
	struct partition_row *p = partition_of(d, at->partition);

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

static int count_queue(struct data *d)
{
	const size_t n = fs_queue_count(d->eval.queue);
	bool *seen = calloc(fs_snapshot_info(d->snapshot)->jobs + 1, sizeof(*seen));
	struct fs_queue_place at;
	int rc = 0;

	d->jobs = malloc((n + 1) * sizeof(*d->jobs));
	if (!d->jobs || !seen)
		rc = -1;
	for (size_t i = 0; !rc && i < n; i++) {
		fs_queue_place(d->eval.queue, i, &at);
		d->eligible += at.position != 0;
		if (!at.direct && at.priority + 1 > d->max_points) /* + 1: the priority is the sum of points without its
								    * fraction */
			d->max_points = at.priority + 1;
		d->waiting += !seen[at.job_row];
		seen[at.job_row] = true;
		if (at.visible)
			d->jobs[d->njobs++] = (uint32_t)i;
		rc = count_place(d, &at, (uint32_t)i);
	}
	free(seen);
	return rc;
}

static int count_running(struct data *d)
{
	struct partition_row *p;
	struct fs_job job;
	size_t at = 0;
	uint32_t i;

	if (list_partitions(d))
		return -1;
	while ((i = fs_job_next_begun(d->snapshot, &at)) != FS_NO_ROW) {
		if (!fs_job_runs(d->snapshot, i))
			continue;
		d->running++;
		fs_snapshot_job(d->snapshot, i, &job);
		if (!fs_job_partition(d->snapshot, i, 0))
			continue;
		p = partition_of(d, fs_job_partition(d->snapshot, i, 0));
		if (!p)
			return -1;
		p->running++;
		p->running_cpus += job.cpus == FS_UNKNOWN ? 0 : job.cpus;
	}
	return 0;
}

/* ---- priorities */

static int index_prios(struct data *d)
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

void data_free(struct data *d)
{
	if (!d)
		return;
	fs_eval_release(&d->eval);
	if (!d->borrowed) {
		fs_usage_free(d->usage);
		fs_snapshot_free(d->snapshot);
	}
	chart_free(d->chart);
	free(d->jobs);
	free(d->slots);
	free(d->sorted.row);
	free(d->first_prio);
	free(d->partition);
	free(d->was);
	free(d->was_in_partition);
	free(d);
}

/* ---- computing the data */

bool data_is_large(const fs_snapshot *s)
{
	enum { LARGE = 5000 };

	return fs_snapshot_info(s)->jobs > LARGE;
}

const char *data_unordered(const struct data *d)
{
	return d->unordered ? "working: the queue is put in order ..." : NULL;
}

/* Computes everything except the queue, which takes longest. Returns false and changes nothing if shares or priorities
 * cannot be computed. */
static bool begin(struct data *d, const struct fs_view *view)
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

/* Computes the results. If one of them fails, its error is stored in d->eval; without any result, or if the shares fail
 * with FS_EUSAGE or FS_EDATA, the error is returned. */
static int compute(struct data *d, const struct data_options *o, struct fs_error *err)
{
	struct fs_view view = o->view;
	struct fs_eval *e = &d->eval;

	view.usage = d->usage;
	if (!(o->without_queue && begin(d, &view)) && fs_eval_compute(d->snapshot, &view, e, err))
		return FS_ENOMEM;
	if (index_prios(d) || count_running(d))
		return out_of_memory(err);
	if ((!e->shares && !e->prios && !e->queue) || e->shares_error.code == FS_EUSAGE ||
	    e->shares_error.code == FS_EDATA) {
		*err = e->shares_error;
		return err->code;
	}
	snprintf(d->algorithm, sizeof(d->algorithm), "%s", e->shares ? fs_shares_algorithm(e->shares) : "");
	return 0;
}

static int sort_queue(struct data *d, const struct view_ops *queue, size_t column)
{
	if (column == SIZE_MAX || column >= view_columns(queue, d))
		return 0;
	d->sorted_by = column;
	return sort_rows(queue, d, column, d->jobs, d->njobs, &d->sorted);
}

static void set_clock(struct data *d)
{
	struct fs_usage_info info;

	d->time = fs_snapshot_info(d->snapshot)->time;
	if (!d->usage)
		return;
	fs_usage_info(d->usage, &info);
	d->time = info.at;
}

int data_make(struct data **out, fs_snapshot *s, fs_usage *usage, const struct data_options *o,
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
	set_clock(d);
	d->borrowed = o->borrow;
	d->chosen = o->view.algorithm;
	d->sorted_by = SIZE_MAX;
	rc = compute(d, o, err);
	if (!rc && d->eval.queue &&
	    (count_queue(d) || (old && old->eval.queue && data_compare(d, old)) ||
	     sort_queue(d, o->queue, o->sorted_by)))
		rc = out_of_memory(err);
	if (rc) {
		data_free(d);
		return rc;
	}
	*out = d;
	return 0;
}
