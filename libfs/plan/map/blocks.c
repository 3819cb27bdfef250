#include "plan/map/blocks.h"

#include "plan/bits.h"
#include "plan/map/map.h"

#include <stdlib.h>

enum { MAX_SLOTS = 32 };

uint32_t fsi_map_block_of(const struct fsi_plan_map *m, uint32_t i)
{
	uint32_t lo = 0, hi = m->blocks->n;

	while (hi - lo > 1) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (m->blocks->v[mid].first <= i)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

uint32_t fsi_map_block_end(const struct fsi_plan_map *m, uint32_t b)
{
	return b + 1 < m->blocks->n ? m->blocks->v[b + 1].first : m->n;
}

static void fill_block(struct fsi_plan_map *m, uint32_t b)
{
	const struct fsi_map_block *k = &m->blocks->v[b];

	memcpy(k->nodes, m->v[k->first].nodes, m->words * sizeof(*k->nodes));
	for (uint32_t i = k->first + 1; i < fsi_map_block_end(m, b); i++)
		fsi_bits_and(k->nodes, m->v[i].nodes, m->words);
}

/* Inserts an empty block before block b, which must be filled. */
static int insert(struct fsi_plan_map *m, uint32_t b, uint32_t first)
{
	struct fsi_map_blocks *all = m->blocks;
	uint64_t *nodes = malloc(m->words * sizeof(*nodes) + 1);

	if (nodes && all->n == all->cap) {
		struct fsi_map_block *v = realloc(all->v, 2 * ((size_t)all->cap + 1) * sizeof(*v));

		if (v) {
			all->v = v;
			all->cap = 2 * (all->cap + 1);
		}
	}
	if (!nodes || all->n == all->cap) {
		free(nodes);
		return -1;
	}
	memmove(&all->v[b + 1], &all->v[b], (all->n++ - b) * sizeof(*all->v));
	all->v[b] = (struct fsi_map_block){ first, nodes };
	return 0;
}

static void drop(struct fsi_map_blocks *all, uint32_t b)
{
	free(all->v[b].nodes);
	memmove(&all->v[b], &all->v[b + 1], (--all->n - b) * sizeof(*all->v));
}

int fsi_map_blocks_make(struct fsi_plan_map *m)
{
	if (!m->blocks)
		m->blocks = calloc(1, sizeof(*m->blocks));
	if (!m->blocks)
		return -1;
	while (m->blocks->n)
		drop(m->blocks, m->blocks->n - 1);
	for (uint32_t i = 0; i < m->n; i += MAX_SLOTS / 2)
		if (insert(m, m->blocks->n, i))
			return -1;
	for (uint32_t b = 0; b < m->blocks->n; b++)
		fill_block(m, b);
	return 0;
}

void fsi_map_blocks_release(struct fsi_plan_map *m)
{
	while (m->blocks && m->blocks->n)
		drop(m->blocks, m->blocks->n - 1);
	if (m->blocks)
		free(m->blocks->v);
	free(m->blocks);
	m->blocks = NULL;
}

int fsi_map_blocks_split(struct fsi_plan_map *m, uint32_t i)
{
	const uint32_t b = fsi_map_block_of(m, i);
	uint32_t first, end;

	for (uint32_t k = b + 1; k < m->blocks->n; k++)
		m->blocks->v[k].first++;
	first = m->blocks->v[b].first;
	end = fsi_map_block_end(m, b);
	if (end - first <= MAX_SLOTS)
		return 0;
	if (insert(m, b + 1, first + (end - first) / 2))
		return -1;
	fill_block(m, b);
	fill_block(m, b + 1);
	return 0;
}

void fsi_map_blocks_merged(struct fsi_plan_map *m, uint32_t i)
{
	const uint32_t b = fsi_map_block_of(m, i), of_next = fsi_map_block_of(m, i + 1);

	for (uint32_t k = of_next + 1; k < m->blocks->n; k++)
		m->blocks->v[k].first--;
	if (of_next == b)
		return;
	if (fsi_map_block_end(m, of_next) == i + 1)
		drop(m->blocks, of_next);
	else
		fill_block(m, of_next);
}
