/* What is computed of a snapshot for the screens. */
#include "threads.h"
#include "top/data/chart.h"
#include "top/data/parts.h"
#include "top/list/sorter.h"
#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Names of one snapshot are the same pointer nearly always. */
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

/* ---- jobs */

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
		if (!at.direct && at.priority + 1 > d->max_points) /* it has lost its fraction */
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

static int out_of_memory(struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	return FS_ENOMEM;
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

/* ---- computing it */

bool data_is_large(const fs_snapshot *s)
{
	enum { LARGE = 5000 };

	return fs_snapshot_info(s)->jobs > LARGE;
}

const char *data_unordered(const struct data *d)
{
	return d->unordered ? "working: the queue is put in order ..." : NULL;
}

/* All but the queue, which takes the longest; false, and nothing is done, where there are no shares or priorities. */
static bool begin(struct data *d, const struct fs_view *view)
{
	struct fs_eval e = { .snapshot = d->snapshot, .viewer = view->viewer };
	struct fs_prios_options prios = { .view = *view };

	if (!fs_shares_compute(&e.shares, d->snapshot, view, &e.shares_error)) {
		prios.shares = view->compat ? NULL : e.shares;
		d->unordered = !fs_prios_compute(&e.prios, d->snapshot, &prios, &e.prios_error) &&
			       fs_windows_compute(&e.windows, d->snapshot, view->maui_dialect, &e.windows_error) !=
				       FS_ENOMEM;
	}
	if (d->unordered)
		d->eval = e;
	else
		fs_eval_release(&e);
	return d->unordered;
}

/* If something cannot be computed the reason is kept; only a lack of memory is an error. */
static int compute(struct data *d, const struct data_options *o, struct fs_error *err)
{
	struct fs_view view = o->view;
	struct fs_eval *e = &d->eval;

	view.usage = d->usage;
	if (!(o->without_queue && begin(d, &view)) &&
	    fs_eval_compute(d->snapshot, &view, threads_run, NULL, e, err))
		return FS_ENOMEM;
	if (index_prios(d) || count_running(d))
		return out_of_memory(err);
	if ((!e->shares && !e->prios && !e->queue) || e->shares_error.code == FS_EUSAGE ||
	    e->shares_error.code == FS_EDATA) {
		*err = e->shares_error;
		return err->code;
	}
	snprintf(d->algorithm, sizeof(d->algorithm), "%s",
		 e->shares ? fs_shares_algorithm(e->shares) : "");
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
