/* Checkpoints: saves and restores the state of a backfill cycle between two records. */
#include "backfill/backfill.h"

#include <stdlib.h>
#include <string.h>

/* Returns a copy of the n elements of v; the caller frees it. Returns NULL only if out of memory, not if n is 0. */
static void *copy_array_elements(const void *v, size_t n, size_t size)
{
	void *c = malloc(n * size + 1);

	if (c && n)
		memcpy(c, v, n * size);
	return c;
}

/* ---- state of the nodes: running jobs, planned jobs, weights */

static int save_node_states(struct fsi_checkpoint *s, const struct fsi_select *sel)
{
	const struct fsi_cluster *c = sel->cluster;
	size_t holds = 0, blocks = 0;

	s->node = malloc(((size_t)c->nnodes + 1) * sizeof(*s->node));
	for (uint32_t i = 0; i < c->nnodes; i++) {
		holds += c->node[i].hold.n;
		blocks += c->node[i].block.n;
	}
	s->hold = malloc(holds * sizeof(*s->hold) + 1);
	s->block = malloc(blocks * sizeof(*s->block) + 1);
	if (!s->node || !s->hold || !s->block)
		return -1;
	holds = blocks = 0;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		const struct fsi_cluster_node *n = &c->node[i];
		struct fsi_checkpoint_node *o = &s->node[i];

		if (n->hold.n)
			memcpy(&s->hold[holds], n->hold.v, n->hold.n * sizeof(*s->hold));
		if (n->block.n)
			memcpy(&s->block[blocks], n->block.v, n->block.n * sizeof(*s->block));
		o->holds_end = holds += n->hold.n;
		o->blocks_end = blocks += n->block.n;
		o->closed_until = n->closed_until;
		o->closed_by_job = n->closed_by_job;
		o->weight = sel->attempt.selection.weight[i];
		memcpy(o->free, n->free, sizeof(o->free));
	}
	return 0;
}

/* Restores the state of all nodes. This function allocates no memory: the arrays of a node are never made smaller, and
 * the saved elements therefore fit into these arrays. */
static void load_node_states(struct fsi_select *sel, const struct fsi_checkpoint *s)
{
	struct fsi_cluster *c = sel->cluster;
	size_t holds = 0, blocks = 0;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		struct fsi_cluster_node *n = &c->node[i];
		const struct fsi_checkpoint_node *o = &s->node[i];

		n->hold.n = o->holds_end - holds;
		n->block.n = o->blocks_end - blocks;
		if (n->hold.n)
			memcpy(n->hold.v, &s->hold[holds], n->hold.n * sizeof(*s->hold));
		fsi_node_update_first_end(n);
		if (n->block.n)
			memcpy(n->block.v, &s->block[blocks], n->block.n * sizeof(*s->block));
		holds = o->holds_end;
		blocks = o->blocks_end;
		n->closed_until = o->closed_until;
		n->closed_by_job = o->closed_by_job;
		sel->attempt.selection.weight[i] = o->weight;
		memcpy(n->free, o->free, sizeof(n->free));
	}
}

/* ---- the state of the cycle except the nodes */

static int save_remaining_state(struct fsi_checkpoint *s, const struct fsi_backfill *bf)
{
	const size_t components = bf->het.ncomponents ? bf->cluster.m->job.n : 0;

	s->nends = bf->cluster.end.n;
	s->end = copy_array_elements(bf->cluster.end.v, s->nends, sizeof(*s->end));
	s->nrows = bf->plan->nrows;
	s->row = copy_array_elements(bf->plan->row, bf->plan->nrows, sizeof(*s->row));
	s->license = copy_array_elements(bf->select.licenses.v, bf->select.licenses.n, sizeof(*s->license));
	s->het_earliest_start = copy_array_elements(bf->het.earliest_start, components, sizeof(*s->het_earliest_start));
	s->nhet_partition_starts = bf->het.npartition_starts;
	s->het_partition_start =
		copy_array_elements(bf->het.partition_start, s->nhet_partition_starts, sizeof(*s->het_partition_start));
	s->array_id = bf->counter.array_id;
	s->array_count = bf->counter.array_tasks;
	s->tested_records = bf->counter.tested;
	s->started_jobs = bf->counter.started;
	s->is_over = bf->is_over;
	s->work = bf->plan->work;
	s->over_budget = bf->plan->over_budget;
	s->next_cycle_start = bf->cycle_starts.next;
	s->nplanned_starts = bf->planned_starts.start.n;
	s->planned_start = copy_array_elements(bf->planned_starts.start.v, s->nplanned_starts,
					       sizeof(*s->planned_start));
	return !fsi_avail_index_save_changes(&s->avail_index, &bf->select.avail_index) && s->end && s->row &&
			       s->license && s->planned_start && s->het_earliest_start && s->het_partition_start
		       ? 0
		       : -1;
}

int fsi_checkpoint_save_cycle(struct fsi_checkpoint *s, const struct fsi_backfill *bf)
{
	*s = (struct fsi_checkpoint){ 0 };
	if (fsi_node_space_save(&s->node_space, &bf->node_space) || save_node_states(s, &bf->select) ||
	    save_remaining_state(s, bf) || fsi_backfill_counts_copy(&s->counts, &bf->counts)) {
		fsi_checkpoint_release(s);
		return -1;
	}
	return 0;
}

static void load_remaining_state(struct fsi_backfill *bf, const struct fsi_checkpoint *s)
{
	const size_t components = bf->het.ncomponents ? bf->cluster.m->job.n : 0;

	bf->cluster.end.n = s->nends;
	if (s->nends)
		memcpy(bf->cluster.end.v, s->end, s->nends * sizeof(*s->end));
	while (bf->plan->nrows > s->nrows)
		bf->plan->row_of_job[bf->plan->row[--bf->plan->nrows].job] = 0;
	memcpy(bf->plan->row, s->row, bf->plan->nrows * sizeof(*s->row));
	if (bf->select.licenses.n)
		memcpy(bf->select.licenses.v, s->license, bf->select.licenses.n * sizeof(*s->license));
	if (components)
		memcpy(bf->het.earliest_start, s->het_earliest_start, components * sizeof(*s->het_earliest_start));
	bf->het.npartition_starts = s->nhet_partition_starts;
	if (s->nhet_partition_starts)
		memcpy(bf->het.partition_start, s->het_partition_start,
		       s->nhet_partition_starts * sizeof(*s->het_partition_start));
	bf->counter.array_id = s->array_id;
	bf->counter.array_tasks = s->array_count;
	bf->counter.tested = s->tested_records;
	bf->counter.started = s->started_jobs;
	bf->is_over = s->is_over;
	bf->plan->work = s->work;
	bf->plan->over_budget = s->over_budget;
	bf->cycle_starts.next = s->next_cycle_start;
	/* the array is never made smaller, so the saved elements fit into it */
	bf->planned_starts.start.n = s->nplanned_starts;
	if (s->nplanned_starts)
		memcpy(bf->planned_starts.start.v, s->planned_start, s->nplanned_starts * sizeof(*s->planned_start));
	bf->planned_starts.ncounted = SIZE_MAX; /* the ledgers are filled again */
	fsi_avail_index_restore_changes(&bf->select.avail_index, &s->avail_index, bf->cluster.words);
	bf->cluster.any_exclusive_user = fsi_select_has_exclusive_user(&bf->cluster);
}

int fsi_checkpoint_load_cycle(struct fsi_backfill *bf, const struct fsi_checkpoint *s)
{
	struct fsi_backfill_counts counts;

	if (fsi_backfill_counts_copy(&counts, &s->counts))
		return -1;
	if (fsi_node_space_load(&bf->node_space, &s->node_space)) {
		fsi_backfill_counts_release(&counts);
		return -1;
	}
	fsi_backfill_counts_release(&bf->counts);
	bf->counts = counts;
	fsi_request_cache_release(&bf->select.request_cache);
	load_node_states(&bf->select, s);
	load_remaining_state(bf, s);
	return 0;
}

void fsi_checkpoint_release(struct fsi_checkpoint *s)
{
	fsi_node_space_copy_release(&s->node_space);
	fsi_avail_index_release_checkpoint(&s->avail_index);
	fsi_backfill_counts_release(&s->counts);
	free(s->node);
	free(s->hold);
	free(s->block);
	free(s->end);
	free(s->row);
	free(s->license);
	free(s->het_earliest_start);
	free(s->planned_start);
	free(s->het_partition_start);
	*s = (struct fsi_checkpoint){ 0 };
}

size_t fsi_checkpoint_estimate_bytes(const struct fsi_backfill *bf)
{
	return fsi_node_space_estimate_bytes(&bf->node_space) + bf->plan->nrows * sizeof(*bf->plan->row) +
	       bf->cluster.nnodes * sizeof(struct fsi_checkpoint_node);
}
