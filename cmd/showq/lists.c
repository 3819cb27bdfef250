#include "showq/lists.h"

#include "render/emit.h"
#include "render/text.h"

#include <stdlib.h>
#include <string.h>

static bool is_active(enum fs_section section)
{
	return section == FS_SECTION_RUNNING || section == FS_SECTION_COMPLETING ||
	       section == FS_SECTION_SUSPENDED;
}

static bool wanted(const struct showq_run *r, uint32_t row)
{
	struct fs_job job;

	fs_snapshot_job(r->snapshot, row, &job);
	return showq_of_user(r, &job) && showq_in_partition(r, row);
}

static int64_t table_place(const fs_snapshot *s, uint32_t row)
{
	struct fs_job job;

	fs_snapshot_job(s, row, &job);
	return job.table_place == FS_UNKNOWN ? INT64_MAX : job.table_place;
}

int showq_table_order(const fs_snapshot *s, uint32_t a, uint32_t b)
{
	const int64_t x = table_place(s, a), y = table_place(s, b);

	return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

static int by_table(const void *x, const void *y, const void *ctx)
{
	const struct fs_queue_row *a = x, *b = y;

	return showq_table_order(ctx, a->job_row, b->job_row);
}

/* Splits the queue into eligible and blocked jobs; a job with several records is placed by its first. */
static void split(const struct showq_run *r, struct showq_lists *l, bool *seen)
{
	struct fs_queue_row row;

	for (size_t i = 0; i < fs_queue_count(l->queue); i++) {
		fs_queue_row(l->queue, i, &row);
		if (!seen[row.job_row] || !wanted(r, row.job_row))
			continue;
		seen[row.job_row] = false;
		if (row.eligible)
			l->line[l->nline++] = row;
		else
			l->blocked[l->nblocked++] = row;
	}
}

static int fill(const struct showq_run *r, struct showq_lists *l, bool *seen)
{
	const struct fs_reason *reason;

	fs_snapshot_visible_jobs(r->snapshot, input_viewer(&r->input), seen);
	for (uint32_t i = 0; i < r->info->jobs; i++)
		if (seen[i] && is_active(fs_job_section(r->snapshot, i, &reason)) && wanted(r, i))
			l->active[l->nactive++] = i;
	split(r, l, seen);
	return fs_sort(l->blocked, l->nblocked, sizeof(*l->blocked), by_table, r->snapshot);
}

int showq_lists_load(const struct showq_run *r, struct showq_lists *l)
{
	const struct fs_queue_options o = { .view = input_view(&r->input) };
	const size_t n = r->info->jobs + 1;
	bool *seen = calloc(n, sizeof(*seen));
	struct fs_error err;

	*l = (struct showq_lists){ 0 };
	if (fs_queue_compute(&l->queue, r->snapshot, &o, &err)) {
		free(seen);
		return report(r->inv, &err);
	}
	l->active = malloc(n * sizeof(*l->active));
	l->line = malloc(n * sizeof(*l->line));
	l->blocked = malloc(n * sizeof(*l->blocked));
	if (!seen || !l->active || !l->line || !l->blocked || fill(r, l, seen)) {
		free(seen);
		showq_lists_release(l);
		return no_memory(r->inv);
	}
	free(seen);
	return 0;
}

void showq_lists_release(struct showq_lists *l)
{
	free(l->active);
	free(l->line);
	free(l->blocked);
	fs_queue_free(l->queue);
	*l = (struct showq_lists){ 0 };
}

void showq_put_why(const struct showq_run *r, const fs_queue *q, const struct fs_queue_row *row,
		   const char *previous)
{
	char visible[256];

	emit("  ");
	if (!row->eligible)
		showq_put_verdict(r, q, row->job_row);
	else if (row->key != FS_QUEUE_KEY_NONE && previous)
		emit("%s: behind %s", fs_queue_key_name(row->key),
		       text_visible(visible, sizeof(visible), previous));
	else
		emit("first");
}
