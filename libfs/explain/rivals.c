/* Which partitions compete for the same nodes, and whose jobs in them are ahead. */
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

/* Which partitions may compete with a record's own; *any: there is one. NULL without memory. */
static const bool *rival_partitions(fs_explain *x, const struct fsi_queue_record *own, const bool *overlaps, bool *any)
{
	const fs_snapshot *m = x->m;
	bool *rival = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*rival));

	*any = false;
	for (uint32_t i = 0; rival && i < m->partition.n; i++) {
		rival[i] = i != own->partition && (overlaps[i] || !fsi_explain_nodes_known(m, i));
		*any |= rival[i];
	}
	return rival;
}

static void count_rivals(const fs_explain *x, uint32_t end, const bool *rival, bool *seen, struct fs_explain_rival *v)
{
	const fs_queue *q = x->from.queue;

	for (uint32_t i = 0; i < end; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];

		if (r->partition == FSI_NO_INDEX || !rival[r->partition] || !r->eligible || seen[r->job] ||
		    !fsi_viewer_sees_job(&x->viewer, &x->m->job.v[r->job]))
			continue;
		seen[r->job] = true;
		v[r->partition].entries++;
		v[r->partition].jobs += r->tasks;
	}
}

int fsi_explain_rivals(fs_explain *x, uint32_t row, bool *seen, struct fs_explain_ahead *out)
{
	const fs_snapshot *m = x->m;
	const struct fsi_queue_record *own = &x->from.queue->record.v[row];
	const bool *overlaps = fsi_explain_overlaps(x, own->partition);
	struct fs_explain_rival *v = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*v));
	bool any;
	const bool *rival = overlaps ? rival_partitions(x, own, overlaps, &any) : NULL;

	if (!rival || !v)
		return -1;
	if (any)
		count_rivals(x, row, rival, seen, v);
	for (uint32_t i = 0; i < m->partition.n; i++)
		if (v[i].entries) {
			v[i].partition = fsi_str(m, m->partition.v[i].name);
			v[i].certain = overlaps[i];
			v[i].tier = FSI_HAS(&m->partition.v[i], PARTITION, tier)
					    ? m->partition.v[i].tier
					    : FS_UNKNOWN;
			v[out->nrivals++] = v[i];
		}
	out->rivals = v;
	return 0;
}
