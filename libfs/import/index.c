/* Rows by their ids, for files that name jobs and associations by number. */
#include "base/sort.h"
#include "fs.h"
#include "import/import.h"

#include <stdlib.h>

static int cmp_entry(const void *x, const void *y)
{
	const struct fsi_id_index_entry *a = x, *b = y;

	return fsi_order(a->id, b->id);
}

static int cmp_in_order(const void *x, const void *y, const void *ctx)
{
	(void)ctx;
	return cmp_entry(x, y);
}

static int make_room(struct fsi_id_index *x, size_t n)
{
	x->n = n;
	x->v = malloc((n + 1) * sizeof(*x->v));
	return x->v ? 0 : -1;
}

/* Most lists come in order, all or nearly. */
static int put_in_order(struct fsi_id_index *x)
{
	if (!fs_sort(x->v, x->n, sizeof(*x->v), cmp_in_order, NULL))
		return 0;
	free(x->v);
	x->v = NULL;
	return -1;
}

int fsi_index_jobs(struct fsi_id_index *x, const fs_snapshot *m)
{
	if (make_room(x, m->job.n))
		return -1;
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i] = (struct fsi_id_index_entry){ m->job.v[i].id, i };
	return put_in_order(x);
}

int fsi_index_associations(struct fsi_id_index *x, const fs_snapshot *m)
{
	if (make_room(x, m->association.n))
		return -1;
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i] = (struct fsi_id_index_entry){ m->association.v[i].id, i };
	return put_in_order(x);
}

uint32_t fsi_index_find(const struct fsi_id_index *x, uint64_t id)
{
	const struct fsi_id_index_entry want = { id, 0 };
	const struct fsi_id_index_entry *e = bsearch(&want, x->v, x->n, sizeof(*x->v), cmp_entry);

	return e ? e->row : FSI_NO_INDEX;
}
