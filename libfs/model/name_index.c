/* Rows of partitions, QOS and users by their names: jobs name them often, and sites may have thousands. */
#include "model/model.h"

#include <stdlib.h>

static int by_name(const void *x, const void *y)
{
	const struct fsi_named_row *a = x, *b = y;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Returns the index in the name index of the first entry that has the name, or of a later one. */
static size_t first_at(const struct fsi_name_index *x, uint32_t name)
{
	size_t lo = 0, hi = x->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (x->v[mid].name < name)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* A table that is still being read has no index. */
#define FIND_BY_NAME(type)                                                                         \
	const struct fsi_##type *fsi_##type##_find(const fs_snapshot *m, uint32_t name)            \
	{                                                                                          \
		const struct fsi_name_index *x = &m->type##_by_name;                               \
		const size_t at = first_at(x, name);                                               \
\
		if (x->n && x->n == m->type.n)                                                     \
			return at < x->n && x->v[at].name == name ? &m->type.v[x->v[at].row] : NULL; \
		for (size_t i = 0; i < m->type.n; i++)                                             \
			if (m->type.v[i].name == name)                                             \
				return &m->type.v[i];                                              \
		return NULL;                                                                       \
	}
FIND_BY_NAME(partition)
FIND_BY_NAME(qos)
FIND_BY_NAME(user)

#define INDEX(type)                                                                                \
	static int index_##type(fs_snapshot *m)                                                    \
	{                                                                                          \
		const size_t n = m->type.n;                                                        \
		struct fsi_named_row *v = fsi_arena_array(&m->arena, n + 1, sizeof(*v));           \
\
		if (!v)                                                                            \
			return -1;                                                                 \
		for (size_t i = 0; i < n; i++)                                                     \
			v[i] = (struct fsi_named_row){ m->type.v[i].name, (uint32_t)i };           \
		qsort(v, n, sizeof(*v), by_name);                                                  \
		m->type##_by_name = (struct fsi_name_index){ v, n };                               \
		return 0;                                                                          \
	}
INDEX(partition)
INDEX(qos)
INDEX(user)

int fsi_name_index(fs_snapshot *m, struct fs_error *err)
{
	return index_partition(m) || index_qos(m) || index_user(m) ? fsi_nomem(err) : 0;
}
