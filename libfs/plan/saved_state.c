#include "plan/kept.h"

#include <stdlib.h>
#include <string.h>

/* A copy of n elements; NULL without memory alone. */
static void *copy(const void *v, size_t n, size_t size)
{
	void *c = malloc(n * size + 1);

	if (c && n)
		memcpy(c, v, n * size);
	return c;
}

/* ---- nodes */

static int save_nodes(struct fsi_plan_state *s, const struct fs_plan *p)
{
	const struct fsi_plan_cluster *c = &p->c;
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
		o->weight = p->found.choice.weight[i];
		memcpy(o->free, n->free, sizeof(o->free));
	}
	return 0;
}

/* Within a run a node's lists only grow, so that there is room. */
static void load_nodes(struct fs_plan *p, const struct fsi_plan_state *s)
{
	struct fsi_plan_cluster *c = &p->c;
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
		p->found.choice.weight[i] = o->weight;
		memcpy(n->free, o->free, sizeof(n->free));
	}
}

/* ---- all of the state */

static int save_rest(struct fsi_plan_state *s, const struct fs_plan *p)
{
	const size_t components = p->het.n ? p->c.m->job.n : 0;

	s->ends = p->c.end.n;
	s->end = copy(p->c.end.v, s->ends, sizeof(*s->end));
	s->rows = p->nrows;
	s->row = copy(p->row, p->nrows, sizeof(*s->row));
	s->license = copy(p->licenses.v, p->licenses.n, sizeof(*s->license));
	s->het_start = copy(p->het.start, components, sizeof(*s->het_start));
	s->het_ins = p->het.nin;
	s->het_in = copy(p->het.in, s->het_ins, sizeof(*s->het_in));
	s->array_id = p->array_id;
	s->array_count = p->array_count;
	s->tested = p->tested;
	s->starts = p->starts;
	s->over = p->over;
	s->looks = p->looks;
	s->given_up = p->given_up;
	s->next_started = p->next_started;
	s->memo_round = p->memo.round;
	return !fsi_fits_mark(&s->fits, &p->fits) && s->end && s->row && s->license && s->het_start && s->het_in ? 0
														 : -1;
}

int fsi_plan_save(struct fsi_plan_state *s, const struct fs_plan *p)
{
	*s = (struct fsi_plan_state){ 0 };
	if (fsi_map_save(&s->map, &p->map) || save_nodes(s, p) || save_rest(s, p) ||
	    fsi_plan_counts_copy(&s->counts, &p->counts) || fsi_plan_memo_copy(&s->memo, &p->memo)) {
		fsi_plan_state_release(s);
		return -1;
	}
	return 0;
}

static void load_rest(struct fs_plan *p, const struct fsi_plan_state *s)
{
	const size_t components = p->het.n ? p->c.m->job.n : 0;

	p->c.end.n = s->ends;
	if (s->ends)
		memcpy(p->c.end.v, s->end, s->ends * sizeof(*s->end));
	while (p->nrows > s->rows)
		p->row_of[p->row[--p->nrows].job] = 0;
	memcpy(p->row, s->row, p->nrows * sizeof(*s->row));
	if (p->licenses.n)
		memcpy(p->licenses.v, s->license, p->licenses.n * sizeof(*s->license));
	if (components)
		memcpy(p->het.start, s->het_start, components * sizeof(*s->het_start));
	p->het.nin = s->het_ins;
	if (s->het_ins)
		memcpy(p->het.in, s->het_in, s->het_ins * sizeof(*s->het_in));
	p->array_id = s->array_id;
	p->array_count = s->array_count;
	p->tested = s->tested;
	p->starts = s->starts;
	p->over = s->over;
	p->looks = s->looks;
	p->given_up = s->given_up;
	p->next_started = s->next_started;
	fsi_fits_back(&p->fits, &s->fits, p->c.words);
	p->memo.round = s->memo_round;
	p->users_own = fsi_plan_users_own(p);
}

int fsi_plan_load(struct fs_plan *p, const struct fsi_plan_state *s)
{
	struct fsi_plan_counts counts;
	struct fsi_plan_memo memo;

	if (fsi_plan_counts_copy(&counts, &s->counts))
		return -1;
	if (fsi_plan_memo_copy(&memo, &s->memo) || fsi_map_load(&p->map, &s->map)) {
		fsi_plan_counts_release(&counts);
		fsi_plan_memo_release(&memo);
		return -1;
	}
	fsi_plan_counts_release(&p->counts);
	p->counts = counts;
	fsi_plan_memo_release(&p->memo);
	p->memo = memo;
	load_nodes(p, s);
	load_rest(p, s);
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

size_t fsi_plan_state_bytes(const struct fs_plan *p)
{
	return fsi_map_bytes(&p->map) + p->nrows * sizeof(*p->row) + p->c.nnodes * sizeof(struct fsi_plan_state_node) +
	       p->memo.size * sizeof(*p->memo.v);
}
