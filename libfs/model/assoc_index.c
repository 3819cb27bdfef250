/* Associations by id and by name. */
#include "base/sort.h"
#include "model/model.h"

#include <stdlib.h>

/* A sort key with the row it belongs to, since qsort passes no context. */
struct key {
	uint64_t hi;
	uint32_t lo, row;
};

static int cmp_key(const void *x, const void *y)
{
	const struct key *a = x, *b = y;
	int c = fsi_order(a->hi, b->hi);

	if (!c)
		c = fsi_order(a->lo, b->lo);
	return c ? c : fsi_order(a->row, b->row);
}

static struct key id_key(const struct fsi_association *a, uint32_t row)
{
	return (struct key){ a->id, 0, row };
}

static struct key name_key(const struct fsi_association *a, uint32_t row)
{
	return (struct key){ (uint64_t)a->account << 32 | a->user, a->partition, row };
}

static int index_associations(fs_snapshot *m,
			      struct key (*key_of)(const struct fsi_association *, uint32_t),
			      const char *field, uint32_t **out, struct fs_error *err)
{
	const size_t n = m->association.n;
	struct key *keys = malloc((n + 1) * sizeof(*keys));
	int rc = 0;

	*out = fsi_arena_array(&m->arena, n + 1, sizeof(**out));
	if (!keys || !*out) {
		free(keys);
		return fsi_nomem(err);
	}
	for (uint32_t i = 0; i < n; i++)
		keys[i] = key_of(&m->association.v[i], i);
	qsort(keys, n, sizeof(*keys), cmp_key);
	for (size_t i = 0; i < n && !rc; i++) {
		(*out)[i] = keys[i].row;
		if (i && keys[i - 1].hi == keys[i].hi && keys[i - 1].lo == keys[i].lo) {
			const struct fsi_association *a = &m->association.v[keys[i].row];

			rc = fsi_fail_at(err, fsi_where_of(m, &a->rec), field,
					 "association %u: the same as another's", a->id);
		}
	}
	free(keys);
	return rc;
}

static uint32_t lookup(const fs_snapshot *m, const uint32_t *index,
		       struct key (*key_of)(const struct fsi_association *, uint32_t),
		       struct key want)
{
	size_t lo = 0, hi = index ? m->association.n : 0;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		struct key k = key_of(&m->association.v[index[mid]], 0);
		const int c = cmp_key(&k, &want);

		if (!c)
			return index[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return FSI_NO_INDEX;
}

/* Ids are mostly dense: a table by id then saves the search. */
static int table_associations(fs_snapshot *m, struct fs_error *err)
{
	const size_t n = m->association.n, max = n ? m->association.v[m->assoc_by_id[n - 1]].id : 0;

	if (max > 8 * n + 1024)
		return 0;
	m->assoc_row = fsi_arena_array(&m->arena, max + 1, sizeof(*m->assoc_row));
	if (!m->assoc_row)
		return fsi_nomem(err);
	m->assoc_max_id = (uint32_t)max;
	for (size_t id = 0; id <= max; id++)
		m->assoc_row[id] = FSI_NO_INDEX;
	for (uint32_t i = 0; i < n; i++)
		m->assoc_row[m->association.v[i].id] = i;
	return 0;
}

int fsi_assoc_index(fs_snapshot *m, struct fs_error *err)
{
	int rc = index_associations(m, id_key, "id", &m->assoc_by_id, err);

	if (!rc)
		rc = table_associations(m, err);
	if (!rc)
		rc = index_associations(m, name_key, "user", &m->assoc_by_name, err);
	return rc;
}

uint32_t fsi_assoc_by_id(const fs_snapshot *m, uint32_t id)
{
	if (m->assoc_row)
		return id <= m->assoc_max_id ? m->assoc_row[id] : FSI_NO_INDEX;
	return lookup(m, m->assoc_by_id, id_key, (struct key){ id, 0, 0 });
}

uint32_t fsi_assoc_find(const fs_snapshot *m, uint32_t account, uint32_t user, uint32_t partition)
{
	return lookup(m, m->assoc_by_name, name_key,
		      (struct key){ (uint64_t)account << 32 | user, partition, 0 });
}

uint32_t fsi_job_assoc(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *partitions = fsi_list(m, job->partitions, &n);
	uint32_t i = FSI_NO_INDEX;

	if (FSI_HAS(job, JOB, association) && job->association)
		i = fsi_assoc_by_id(m, job->association);
	for (size_t p = 0; i == FSI_NO_INDEX && p < n; p++)
		i = fsi_assoc_find(m, job->account, job->user, partitions[p]);
	return i == FSI_NO_INDEX ? fsi_assoc_find(m, job->account, job->user, 0) : i;
}
