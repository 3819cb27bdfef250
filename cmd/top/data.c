/* What is computed of a snapshot, by two threads: the queue in one, the priorities in the other. */
#include "top/both.h"
#include "top/data_parts.h"
#include "top/sorter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	return FS_ENOMEM;
}

void data_free(struct data *d)
{
	if (!d)
		return;
	fs_queue_free(d->queue);
	fs_prios_free(d->reader);
	fs_prios_free(d->prios);
	fs_windows_free(d->windows);
	fs_shares_free(d->shares);
	if (!d->borrowed) {
		fs_usage_free(d->usage);
		fs_snapshot_free(d->snapshot);
	}
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

struct making {
	struct data *d;
	const struct data_options *o;
	struct fs_queue_options qo;
	int shares, prios, queue; /* what became of each; FS_ENOMEM ends it all */
	int counted;
};

static void make_prios(void *arg)
{
	struct making *m = arg;
	const struct fs_prios_options po = { .viewer = m->o->viewer,
					     .algorithm = m->o->algorithm,
					     .compat = m->o->compat,
					     .maui_dialect = m->o->maui_dialect,
					     .position = m->o->position,
					     .usage = m->d->usage };

	m->prios = fs_prios_compute(&m->d->prios, m->d->snapshot, &po, &m->d->prios_error);
	m->counted = data_index_prios(m->d) || data_count_running(m->d) ? -1 : 0;
}

static void begin_queue(void *arg)
{
	struct making *m = arg;
	const struct fs_shares_options so = { .algorithm = m->o->algorithm,
					      .viewer = m->o->viewer,
					      .compat = m->o->compat,
					      .maui_dialect = m->o->maui_dialect,
					      .position = m->o->position,
					      .usage = m->d->usage };

	m->shares = fs_shares_compute(&m->d->shares, m->d->snapshot, &so, &m->d->shares_error);
	m->queue = fs_queue_begin(&m->d->queue, m->d->snapshot, &m->qo, &m->d->queue_error);
}

static void finish_queue(struct making *m)
{
	if (m->queue)
		return;
	m->qo.prios = m->o->compat ? NULL : m->d->prios;
	m->queue = fs_queue_finish(m->d->queue, &m->qo, &m->d->queue_error);
	if (!m->queue)
		return;
	fs_queue_free(m->d->queue);
	m->d->queue = NULL;
}

/* What cannot be computed is kept as the reason; only a lack of memory is an error of its own. */
static int compute(struct data *d, const struct data_options *o, struct fs_error *err)
{
	struct making m = { .d = d,
			    .o = o,
			    .qo = { .viewer = o->viewer,
				    .algorithm = o->algorithm,
				    .position = o->position,
				    .maui_dialect = o->maui_dialect,
				    .usage = d->usage } };

	both(make_prios, begin_queue, &m);
	finish_queue(&m);
	if (d->prios && fs_prios_reader(&d->reader, d->prios, err))
		return FS_ENOMEM;
	if (m.shares == FS_ENOMEM || m.prios == FS_ENOMEM || m.queue == FS_ENOMEM || m.counted)
		return no_memory(err);
	if (m.shares && m.prios && m.queue) {
		*err = d->shares_error;
		return m.shares;
	}
	if (m.shares == FS_EUSAGE || m.shares == FS_EDATA) {
		*err = d->shares_error;
		return m.shares;
	}
	if (fs_snapshot_info(d->snapshot)->credentials &&
	    fs_windows_compute(&d->windows, d->snapshot, o->maui_dialect, err) == FS_ENOMEM)
		return FS_ENOMEM;
	snprintf(d->algorithm, sizeof(d->algorithm), "%s",
		 d->shares ? fs_shares_algorithm(d->shares) : "");
	return 0;
}

static int sort_queue(struct data *d, size_t column)
{
	if (column >= columns_count(VIEW_QUEUE, d))
		return 0;
	d->sorted_by = column;
	return sort_rows(VIEW_QUEUE, d, column, d->jobs, d->njobs, &d->sorted);
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
		return no_memory(err);
	}
	d->snapshot = s;
	d->usage = usage;
	d->position = o->position;
	set_clock(d);
	d->borrowed = o->borrow;
	d->chosen = o->algorithm;
	d->viewer = o->viewer;
	d->sorted_by = SIZE_MAX;
	rc = compute(d, o, err);
	if (!rc && d->queue &&
	    (data_count_queue(d) || (old && old->queue && data_compare(d, old)) ||
	     sort_queue(d, o->sorted_by)))
		rc = no_memory(err);
	if (rc) {
		data_free(d);
		return rc;
	}
	*out = d;
	return 0;
}
