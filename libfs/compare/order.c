/* The order in which compared jobs are shown: each part is sorted on its own, then they are merged. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double priority_change(const struct fs_compared_job *r)
{
	const double d = fabs(r->priority[1] - r->priority[0]);

	return isnan(d) ? 0 : d;
}

static uint32_t place_change(const struct fs_compared_job *r)
{
	const uint32_t a = r->partition_position[0], b = r->partition_position[1];

	return a > b ? a - b : b - a;
}

/* A row and what rows are sorted by. */
struct changed {
	const struct fs_compared_job *row;
	double priority;
	uint64_t job;
	uint32_t place, fate;
};

static int by_change(const void *x, const void *y, const void *ctx)
{
	const struct changed *a = x, *b = y;

	(void)ctx;
	if (a->fate != b->fate)
		return a->fate < b->fate ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	if (a->place != b->place)
		return a->place > b->place ? -1 : 1;
	if (a->job != b->job)
		return a->job < b->job ? -1 : 1;
	return strcmp(a->row->partition[FS_AFTER], b->row->partition[FS_AFTER]);
}

static struct changed changed(const struct fs_compared_job *r)
{
	return (struct changed){ r, priority_change(r), r->job, place_change(r), r->fate };
}

/* Rows in order; of the parts' rows, one behind the other. */
struct run {
	struct changed *v;
	size_t n;
};

struct work {
	struct fs_comparison *c;
	struct run run[FSI_COMPARED_PARTS];
	bool failed[FSI_COMPARED_PARTS];
};

static void sort_part(void *arg, size_t i)
{
	struct work *w = arg;
	const struct fsi_compared_part *p = &w->c->part[i];

	for (size_t k = 0; k < p->job.n; k++)
		w->run[i].v[k] = changed(&p->job.v[k]);
	w->failed[i] = fs_sort(w->run[i].v, w->run[i].n, sizeof(*w->run[i].v), by_change, NULL) != 0;
}

/* The run whose next row comes first, the earliest of equal ones. */
static struct run *first_of(struct work *w)
{
	struct run *best = NULL;

	for (size_t i = 0; i < w->c->parts; i++)
		if (w->run[i].n && (!best || by_change(w->run[i].v, best->v, NULL) < 0))
			best = &w->run[i];
	return best;
}

static void merge(struct work *w)
{
	struct fs_comparison *c = w->c;

	for (size_t i = 0; i < c->jobs; i++) {
		struct run *r = first_of(w);

		c->order[i] = r->v->row;
		r->v++;
		r->n--;
	}
}

int fsi_compare_order(struct fs_comparison *c)
{
	struct work w = { .c = c };
	struct changed *v;
	bool failed = false;

	for (size_t i = 0; i < c->parts; i++)
		c->jobs += w.run[i].n = c->part[i].job.n;
	v = malloc((c->jobs + 1) * sizeof(*v));
	c->order = malloc((c->jobs + 1) * sizeof(*c->order));
	failed = !v || !c->order;
	for (size_t i = 0, at = 0; i < c->parts && !failed; at += w.run[i++].n)
		w.run[i].v = v + at;
	if (!failed)
		fsi_compare_each(c, c->parts, sort_part, &w);
	for (size_t i = 0; i < c->parts; i++)
		failed = failed || w.failed[i];
	if (!failed)
		merge(&w);
	free(v);
	return failed ? -1 : 0;
}
