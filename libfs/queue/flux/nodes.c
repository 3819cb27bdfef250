/* What the nodes of a Flux can never give a job (flux-core: src/bindings/python/flux/resource/Rv1Pool.py:
 * _check_feasibility, which looks at all nodes, up or not), or cannot while some are down or drained. */
#include "model/flux/flux.h"
#include "queue/verdict/verdict.h"

#include <string.h>

struct room {
	/* nodes: of the queue; with the properties too; wide enough for a slot, too */
	uint32_t of_queue, suiting, wide;
	uint32_t down, drained;		  /* of the wide ones */
	int64_t slots, up_slots, max;	  /* slots in all and on nodes that are up; the most cores of a node */
	int64_t gpus, max_gpus;	  /* GPUs in all; the most of a node */
	int64_t by_cores;		  /* slots, if GPUs did not count */
};

static bool of_queue(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_node *n)
{
	struct fsi_job plain = *j;

	plain.features = 0;
	return fsi_flux_may_use(m, &plain, n);
}

static void add_node(const fs_snapshot *m, const struct fsi_flux_request *want, const struct fsi_node *n,
		     struct room *r)
{
	const char *state = fsi_str(m, n->state);
	const struct fsi_flux_request plain = { .nodes = want->nodes, .cores = want->cores };
	const int64_t slots = fsi_flux_slots_of(m, want, n), gpus = fsi_amount_of(m, n->tres, fsi_name_find(m, "gres/gpu"));
	const bool drained = strstr(state, "DRAIN") != NULL, down = !drained && !strncmp(state, "DOWN", 4);

	r->suiting++;
	r->max = n->cpus > r->max ? n->cpus : r->max;
	r->max_gpus = gpus > r->max_gpus ? gpus : r->max_gpus;
	r->gpus += gpus;
	r->by_cores += fsi_flux_slots_of(m, &plain, n);
	if (!slots)
		return;
	r->wide++;
	r->slots += slots;
	r->up_slots += drained || down ? 0 : slots;
	r->drained += drained;
	r->down += down;
}

/* Counts the nodes. False where one does not tell its cores, or the job what it asks for. */
static bool measure(const fs_snapshot *m, const struct fsi_job *j, struct fsi_flux_request *want, struct room *r)
{
	*want = fsi_flux_request(m, j);
	*r = (struct room){ 0 };
	if (!want->slots || !m->node.n)
		return false;
	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *n = &m->node.v[i];

		if (!of_queue(m, j, n))
			continue;
		r->of_queue++;
		if (!FSI_HAS(n, NODE, cpus))
			return false;
		if (fsi_flux_may_use(m, j, n))
			add_node(m, want, n, r);
	}
	return true;
}

bool fsi_flux_never(const struct fs_queue *q, uint32_t job_row, struct fs_explain_obstacle *out)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[job_row];
	struct fsi_flux_request want;
	struct room r;
	size_t n;
	const uint32_t *queues = fsi_list(m, j->partitions, &n);

	if (!measure(m, j, &want, &r) || r.slots >= want.slots)
		return false;
	*out = (struct fs_explain_obstacle){ .partition = n ? fsi_str(m, queues[0]) : "", .name = "" };
	if (!r.of_queue) {
		out->what = "class";
	} else if (!r.suiting) {
		out->what = "features";
		out->name = fsi_str(m, j->features);
	} else if (want.nodes > r.suiting) {
		out->what = "node";
		out->wants = want.nodes;
		out->has = r.suiting;
	} else if (r.by_cores >= want.slots) {
		const bool each = want.nodes || r.max_gpus < want.gpus;

		out->what = each ? "node_gpu" : "gres/gpu";
		out->wants = (double)(each ? want.gpus : want.slots * want.gpus);
		out->has = (double)(each ? r.max_gpus : r.gpus);
	} else if (want.nodes || !r.wide) {
		out->what = "node_cpu";
		out->wants = (double)want.cores;
		out->has = (double)r.max;
	} else {
		out->what = "cpu";
		out->wants = (double)(want.slots * want.cores);
		out->has = (double)(r.slots * want.cores);
	}
	return true;
}

bool fsi_flux_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out)
{
	struct fsi_flux_request want;
	struct room room;
	int64_t each;

	if (!measure(q->m, &q->m->job.v[r->job], &want, &room) || room.slots < want.slots ||
	    room.up_slots >= want.slots)
		return false;
	each = want.nodes || room.max < want.cores ? 1 : room.max / want.cores;
	*out = (struct fs_verdict_nodes){ .all = room.wide,
					  .down = room.down,
					  .drained = room.drained,
					  .wants = (uint32_t)((want.slots + each - 1) / each) };
	return true;
}
