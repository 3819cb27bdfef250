/* The lines in which jobs of Flux wait for the scheduler. */
#include "plan/flux/flux.h"

#include <string.h>

static struct fsi_flux_line *line_of(struct fsi_flux_run *r, uint32_t queue)
{
	const uint32_t name = r->rules.each_queue ? queue : 0;

	for (size_t i = 0; i < r->nlines; i++)
		if (r->lines[i].queue == name)
			return &r->lines[i];
	r->lines[r->nlines] = (struct fsi_flux_line){ .queue = name };
	return &r->lines[r->nlines++];
}

/* Queues are served in the order of their names (flux-sched: qmanager/modules/qmanager.cpp, a std::map). */
static int by_name(const void *a, const void *b, const void *ctx)
{
	const struct fsi_flux_line *x = a, *y = b;

	return strcmp(fsi_str(ctx, x->queue), fsi_str(ctx, y->queue));
}

/* The order over all queues, by falling priority. */
static bool before(const struct fsi_queue_record *x, const struct fsi_queue_record *y)
{
	return x->priority != y->priority ? x->priority > y->priority : x->id < y->id;
}

int fsi_flux_line_up(struct fsi_flux_run *r, const struct fsi_queue_record *q)
{
	const struct fs_queue *queue = r->p->queue;
	struct fsi_flux_line *l = line_of(r, q->partition_name);
	size_t at;

	if (FSI_VEC_ROOM(&l->job))
		return -1;
	for (at = l->job.n++; at && before(q, &queue->record.v[queue->record_of[l->job.v[at - 1]]]); at--)
		l->job.v[at] = l->job.v[at - 1];
	l->job.v[at] = q->job;
	r->left++;
	return 0;
}

void fsi_flux_take_out(struct fsi_flux_line *l, size_t at)
{
	memmove(l->job.v + at, l->job.v + at + 1, (l->job.n - at - 1) * sizeof(*l->job.v));
	l->job.n--;
}

int fsi_flux_make_lines(struct fsi_flux_run *r)
{
	const struct fs_queue *q = r->p->queue;

	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *record = &q->record.v[i];

		line_of(r, record->partition_name);
		r->never[record->job] = fs_queue_verdict_kind(q, record->job) == FS_VERDICT_NEVER;
	}
	if (fs_sort(r->lines, r->nlines, sizeof(*r->lines), by_name, r->p->c.m))
		return -1;
	for (size_t i = 0; i < q->record.n; i++)
		if (q->record.v[i].eligible && fsi_flux_line_up(r, &q->record.v[i]))
			return -1;
	return 0;
}
