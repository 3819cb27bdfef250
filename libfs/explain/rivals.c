/* Which partitions compete for the same nodes. */
#include "explain/explain.h"

#include "base/hostlist.h"

struct marks {
	const fs_snapshot *m;
	bool *is; /* partitions of the host, by name */
};

static int mark_host(void *ctx, const char *name, size_t len)
{
	struct marks *k = ctx;

	k->is[fsi_intern_find(&k->m->names, name, len)] = true;
	return 0;
}

/* Host names that no node record has all intern to 0, and are ignored. */
static int test(void *ctx, const char *name, size_t len)
{
	struct marks *k = ctx;
	const uint32_t id = fsi_intern_find(&k->m->names, name, len);

	return id && k->is[id];
}

const bool *fsi_explain_overlaps(fs_explain *x, uint32_t partition)
{
	const fs_snapshot *m = x->m;
	bool *overlaps = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*overlaps));
	struct marks k = { m,
			   fsi_arena_array(&x->arena, (size_t)m->names.count + 1, sizeof(bool)) };
	const struct fsi_partition *own;

	if (!overlaps || !k.is)
		return NULL;
	if (partition == FSI_NO_INDEX)
		return overlaps;
	own = &m->partition.v[partition];
	fsi_hostlist_each(fsi_str(m, own->nodes), FSI_MAX_HOSTS, mark_host, &k);
	for (uint32_t i = 0; i < m->partition.n; i++) {
		const struct fsi_partition *p = &m->partition.v[i];

		overlaps[i] = i == partition || (p->nodes && p->nodes == own->nodes) ||
			      fsi_hostlist_each(fsi_str(m, p->nodes), FSI_MAX_HOSTS, test, &k) == 1;
	}
	return overlaps;
}
