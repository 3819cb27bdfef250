/* Checkpoints: saves and restores the state of a backfill cycle between two records. */
#include "backfill/backfill.h"

#include <stdlib.h>
#include <string.h>

/* Returns a copy of n elements, to be freed by the caller; also for n = 0. Returns NULL only if out of memory. */
static void *copy_array_elements(const void *v, size_t n, size_t size)
{
	void *c = malloc(n * size + 1);

	if (c && n)
		memcpy(c, v, n * size);
	return c;
}

/* ---- nodes: running jobs, planned jobs, weights */

static int save_node_states(struct fsi_plan_state *s, const struct fsi_select *sel)
{
	const struct fsi_plan_cluster *c = sel->cluster;
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
		const struct fsi_plan_node *n = &c->node[i];
		struct fsi_plan_state_node *o = &s->node[i];

		if (n->hold.n)
			memcpy(&s->hold[holds], n->hold.v, n->hold.n * sizeof(*s->hold));
		if (n->block.n)
			memcpy(&s->block[blocks], n->block.v, n->block.n * sizeof(*s->block));
		o->holds = holds += n->hold.n;
		o->blocks = blocks += n->block.n;
		o->from = n->from;
		o->from_job = n->from_job;
		o->weight = sel->found.choice.weight[i];
		memcpy(o->free, n->free, sizeof(o->free));
	}
	return 0;
}

/* The lists of a node never lose capacity within a run. So the saved elements fit, and loading needs no memory. */
static void load_node_states(struct fsi_select *sel, const struct fsi_plan_state *s)
{
	struct fsi_plan_cluster *c = sel->cluster;
	size_t holds = 0, blocks = 0;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		struct fsi_plan_node *n = &c->node[i];
		const struct fsi_plan_state_node *o = &s->node[i];

		n->hold.n = o->holds - holds;
		n->block.n = o->blocks - blocks;
		if (n->hold.n)
			memcpy(n->hold.v, &s->hold[holds], n->hold.n * sizeof(*s->hold));
		fsi_plan_note_first(n);
		if (n->block.n)
			memcpy(n->block.v, &s->block[blocks], n->block.n * sizeof(*s->block));
		holds = o->holds;
		blocks = o->blocks;
		n->from = o->from;
		n->from_job = o->from_job;
		sel->found.choice.weight[i] = o->weight;
		memcpy(n->free, o->free, sizeof(n->free));
	}
}

/* ---- the rest of the state */

static int save_remaining_state(struct fsi_plan_state *s, const struct fsi_backfill *bf)
{
	const size_t components = bf->het.n ? bf->cluster.m->job.n : 0;

	s->ends = bf->cluster.end.n;
	s->end = copy_array_elements(bf->cluster.end.v, s->ends, sizeof(*s->end));
	s->rows = bf->plan->nrows;
	s->row = copy_array_elements(bf->plan->row, bf->plan->nrows, sizeof(*s->row));
	s->license = copy_array_elements(bf->select.licenses.v, bf->select.licenses.n, sizeof(*s->license));
	s->het_start = copy_array_elements(bf->het.start, components, sizeof(*s->het_start));
	s->het_ins = bf->het.nin;
	s->het_in = copy_array_elements(bf->het.in, s->het_ins, sizeof(*s->het_in));
	s->array_id = bf->array_id;
	s->array_count = bf->array_count;
	s->tested = bf->tested;
	s->starts = bf->starts;
	s->over = bf->over;
	s->looks = bf->plan->looks;
	s->given_up = bf->plan->given_up;
	s->next_started = bf->next_started;
	s->memo_round = bf->select.memo.round;
	return !fsi_fits_mark(&s->fits, &bf->select.fits) && s->end && s->row && s->license && s->het_start && s->het_in
		       ? 0
		       : -1;
}

int fsi_plan_save(struct fsi_plan_state *s, const struct fsi_backfill *bf)
{
	*s = (struct fsi_plan_state){ 0 };
	if (fsi_map_save(&s->map, &bf->map) || save_node_states(s, &bf->select) || save_remaining_state(s, bf) ||
	    fsi_plan_counts_copy(&s->counts, &bf->counts) || fsi_plan_memo_copy(&s->memo, &bf->select.memo)) {
		fsi_plan_state_release(s);
		return -1;
	}
	return 0;
}

static void load_remaining_state(struct fsi_backfill *bf, const struct fsi_plan_state *s)
{
	const size_t components = bf->het.n ? bf->cluster.m->job.n : 0;

	bf->cluster.end.n = s->ends;
	if (s->ends)
		memcpy(bf->cluster.end.v, s->end, s->ends * sizeof(*s->end));
	while (bf->plan->nrows > s->rows)
		bf->plan->row_of[bf->plan->row[--bf->plan->nrows].job] = 0;
	memcpy(bf->plan->row, s->row, bf->plan->nrows * sizeof(*s->row));
	if (bf->select.licenses.n)
		memcpy(bf->select.licenses.v, s->license, bf->select.licenses.n * sizeof(*s->license));
	if (components)
		memcpy(bf->het.start, s->het_start, components * sizeof(*s->het_start));
	bf->het.nin = s->het_ins;
	if (s->het_ins)
		memcpy(bf->het.in, s->het_in, s->het_ins * sizeof(*s->het_in));
	bf->array_id = s->array_id;
	bf->array_count = s->array_count;
	bf->tested = s->tested;
	bf->starts = s->starts;
	bf->over = s->over;
	bf->plan->looks = s->looks;
	bf->plan->given_up = s->given_up;
	bf->next_started = s->next_started;
	fsi_fits_back(&bf->select.fits, &s->fits, bf->cluster.words);
	bf->select.memo.round = s->memo_round;
	bf->cluster.users_own = fsi_plan_users_own(&bf->cluster);
}

int fsi_plan_load(struct fsi_backfill *bf, const struct fsi_plan_state *s)
{
	struct fsi_plan_counts counts;
	struct fsi_plan_memo memo;

	if (fsi_plan_counts_copy(&counts, &s->counts))
		return -1;
	if (fsi_plan_memo_copy(&memo, &s->memo) || fsi_map_load(&bf->map, &s->map)) {
		fsi_plan_counts_release(&counts);
		fsi_plan_memo_release(&memo);
		return -1;
	}
	fsi_plan_counts_release(&bf->counts);
	bf->counts = counts;
	fsi_plan_memo_release(&bf->select.memo);
	bf->select.memo = memo;
	load_node_states(&bf->select, s);
	load_remaining_state(bf, s);
	return 0;
}

void fsi_plan_state_release(struct fsi_plan_state *s)
{
	fsi_map_saved_release(&s->map);
	fsi_fits_mark_release(&s->fits);
	fsi_plan_counts_release(&s->counts);
	fsi_plan_memo_release(&s->memo);
	free(s->node);
	free(s->hold);
	free(s->block);
	free(s->end);
	free(s->row);
	free(s->license);
	free(s->het_start);
	free(s->het_in);
	*s = (struct fsi_plan_state){ 0 };
}

size_t fsi_plan_state_bytes(const struct fsi_backfill *bf)
{
	return fsi_map_bytes(&bf->map) + bf->plan->nrows * sizeof(*bf->plan->row) +
	       bf->cluster.nnodes * sizeof(struct fsi_plan_state_node) +
	       bf->select.memo.size * sizeof(*bf->select.memo.v);
}
