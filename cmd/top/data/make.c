/* What is computed of a snapshot for the screens. */
#include "threads.h"
#include "top/data/chart.h"
#include "top/data/parts.h"
#include "top/list/sorter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	if (data_index_prios(d) || data_count_running(d))
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
	    (data_count_queue(d) || (old && old->eval.queue && data_compare(d, old)) ||
	     sort_queue(d, o->queue, o->sorted_by)))
		rc = out_of_memory(err);
	if (rc) {
		data_free(d);
		return rc;
	}
	*out = d;
	return 0;
}
