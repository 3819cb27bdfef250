/* Tally of a partition's nodes: why each node cannot take a job now. */
#include "cause/cause.h"

#include "base/error.h"
#include "model/scheduler.h"
#include "nodes/avail.h"
#include "nodes/request.h"

struct tally {
	struct fsi_cluster cluster;
	struct fsi_request request;
	struct fsi_arena arena;
};

static bool is_bit_clear(const uint64_t *set, uint32_t node)
{
	return set && !fsi_bit_is_set(set, node);
}

/* Returns the first resource that the node has too little of for the request; FSI_RES_CPU: the CPUs, or a
 * combination of resources, do not suffice. */
static uint32_t find_missing_resource(const struct tally *t, const int64_t *amount)
{
	const struct fsi_request *q = &t->request;
	const int64_t cpus = q->cpu.min_per_node > 1 ? q->cpu.min_per_node : 1;

	for (uint32_t r = FSI_RES_GRES; r < t->cluster.nres; r++)
		if (q->per_node[r] > amount[r])
			return r;
	if (q->per_node[FSI_RES_MEM] > amount[FSI_RES_MEM] || q->mem.per_cpu * cpus > amount[FSI_RES_MEM])
		return FSI_RES_MEM;
	return FSI_RES_CPU;
}

/* Returns true if the CPUs that a node can give are too few: none, or fewer than a job on a single node needs. */
static bool are_too_few(const struct fsi_request *q, int64_t cpus)
{
	return cpus <= 0 || (q->nodes.max == 1 && cpus < q->cpu.total);
}

/* Returns true if a reservation that the job does not use occupies the whole node while the job would run. */
static bool is_reserved(const struct tally *t, const struct fsi_cluster_node *n)
{
	const int64_t now = t->cluster.now;

	for (size_t i = 0; i < n->block.n; i++) {
		const struct fsi_node_block *b = &n->block.v[i];

		if (b->job == FSI_NO_INDEX && !b->cpus && b->reservation != t->request.reservation && b->end > now &&
		    b->start < now + t->request.limit_s)
			return true;
	}
	return false;
}

/* Returns true if the snapshot lacks the node's number of CPUs, or its memory although jobs consume memory. */
static bool is_size_unknown(const struct fsi_cluster *c, const struct fsi_node *n)
{
	return (!FSI_HAS(n, NODE, cpus) && !FSI_HAS(n, NODE, effective_cpus)) ||
	       (c->rules.memory_is_consumable && !FSI_HAS(n, NODE, mem_mb));
}

/* Counts an unavailable node with this reason. */
static void count_unavailable(struct fs_node_tally *out, const char *reason)
{
	if (!out->unavailable++)
		out->unavailable_reason = reason;
	else if (strcmp(out->unavailable_reason, reason) != 0)
		out->unavailable_reason = "";
}

/* Counts one node of the partition. */
static void count_node(const struct tally *t, uint32_t i, struct fs_node_tally *out)
{
	static const struct fsi_node_occupancy no_jobs = { false, 0 };
	const struct fsi_cluster *c = &t->cluster;
	const struct fsi_cluster_node *n = &c->node[i];
	const struct fsi_request *q = &t->request;
	const struct fsi_end_moment now = { c->now, 0 };
	uint32_t *const small[] = { &out->small_cpus, &out->small_memory, &out->small_gres };
	uint32_t *const busy[] = { &out->busy_cpus, &out->busy_memory, &out->busy_gres };
	uint32_t r;

	out->nodes++;
	if (!n->accepts_jobs) {
		count_unavailable(out, fsi_name_text(c->m, c->m->node.v[n->row].reason));
	} else if (is_size_unknown(c, &c->m->node.v[n->row])) {
		out->unknown++;
	} else if (are_too_few(q, fsi_avail_compute_cpus(c, n, q, n->total, &no_jobs))) {
		r = find_missing_resource(t, n->total);
		++*small[r < FSI_RES_GRES ? r : FSI_RES_GRES];
	} else if (is_bit_clear(q->set.allowed, i) || is_bit_clear(q->set.named, i)) {
		out->excluded++;
	} else if (is_reserved(t, n)) {
		out->reserved++;
	} else if (are_too_few(q, fsi_avail_get_at_moment(c, i, q, now).cpus)) {
		r = find_missing_resource(t, n->free);
		++*busy[r < FSI_RES_GRES ? r : FSI_RES_GRES];
	} else {
		out->partly_free++;
	}
}

/* Returns the row of the partition with this name; FSI_NO_INDEX: none. */
static uint32_t find_partition_row(const fs_snapshot *m, const char *name)
{
	for (size_t i = 0; i < m->partition.n; i++)
		if (!strcmp(fsi_name_text(m, m->partition.v[i].name), name))
			return (uint32_t)i;
	return FSI_NO_INDEX;
}

static int tally_partition(struct tally *t, uint32_t job_row, uint32_t partition, struct fs_node_tally *out)
{
	const struct fsi_cluster *c = &t->cluster;

	if (fsi_cluster_init(&t->cluster, c->m) || fsi_cluster_place_jobs(&t->cluster) ||
	    fsi_request_read_job(&t->request, c, job_row, partition, &t->arena))
		return -1;
	for (uint32_t k = 0; k < c->partition[partition].nnodes; k++)
		count_node(t, c->partition[partition].node[k], out);
	return 0;
}

int fs_node_tally_job(const fs_snapshot *s, uint32_t job_row, const char *partition, struct fs_node_tally *out,
		      struct fs_error *err)
{
	const uint32_t row = find_partition_row(s, partition);
	struct tally t = { .cluster = { .m = s, .now = s->info.time } };
	int rc;

	*out = (struct fs_node_tally){ .partition = partition, .unavailable_reason = "" };
	if (row == FSI_NO_INDEX || !s->node.n || job_row >= s->job.n || !s->scheduler->has_select_plugin)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot count the nodes of partition '%s': %s", s->file,
					  partition,
					  row == FSI_NO_INDEX ? "the snapshot has no such partition"
					  : !s->node.n	      ? "the snapshot has no nodes"
					  : job_row >= s->job.n ? "the snapshot has no such job"
								: "the scheduler's choice of nodes is not modelled");
	t.cluster.release = s->info.version;
	rc = tally_partition(&t, job_row, row, out) ? fsi_fail_no_memory(err) : 0;
	fsi_cluster_release(&t.cluster);
	fsi_arena_release(&t.arena);
	return rc;
}
