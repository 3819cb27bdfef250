/* The slots, slot blocks, licenses and queries of node_space. */
#include "backfill/node_space.h"

#include <stdlib.h>
#include <string.h>

/* ---- slot blocks
 *
 * A slot block covers neighboring slots, and has the set of the nodes that are free in all these slots. With blocks, a
 * query over many slots needs few set operations. Blocks are updated whenever slots change. */

struct fsi_node_space;

struct slot_block {
	/* index of the first slot of the block; the block ends before the first slot of the next block */
	uint32_t first;
	uint64_t *nodes; /* set of the nodes that are free in all slots of the block */
};

struct fsi_node_space_blocks {
	struct slot_block *v;
	uint32_t n, cap;
};

/* Maximum number of slots in a block; a larger block is split. */
enum { MAX_BLOCK_SLOTS = 32 };

/* Returns the index of the block that contains slot i. */
static uint32_t find_slot_block(const struct fsi_node_space *m, uint32_t i)
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

/* Returns the index of the slot after the last slot of block b. */
static uint32_t get_block_end(const struct fsi_node_space *m, uint32_t b)
{
	return b + 1 < m->blocks->n ? m->blocks->v[b + 1].first : m->n;
}

/* Computes the node set of block b from the slots of the block. */
static void fill_block_nodes(struct fsi_node_space *m, uint32_t b)
{
	const struct slot_block *k = &m->blocks->v[b];

	memcpy(k->nodes, m->v[k->first].nodes, m->words * sizeof(*k->nodes));
	for (uint32_t i = k->first + 1; i < get_block_end(m, b); i++)
		fsi_bits_and(k->nodes, m->v[i].nodes, m->words);
}

/* Inserts a block before block b. `first`: index of the first slot of the new block. The caller must then call
 * fill_block_nodes for the new block. Returns -1 if out of memory. */
static int insert_empty_block(struct fsi_node_space *m, uint32_t b, uint32_t first)
{
	struct fsi_node_space_blocks *all = m->blocks;
	uint64_t *nodes = malloc(m->words * sizeof(*nodes) + 1);

	if (nodes && all->n == all->cap) {
		struct slot_block *v = realloc(all->v, 2 * ((size_t)all->cap + 1) * sizeof(*v));

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
	all->v[b] = (struct slot_block){ first, nodes };
	return 0;
}

static void remove_slot_block(struct fsi_node_space_blocks *all, uint32_t b)
{
	free(all->v[b].nodes);
	memmove(&all->v[b], &all->v[b + 1], (--all->n - b) * sizeof(*all->v));
}

/* Rebuilds all slot blocks from the slots. Returns -1 if out of memory. */
static int rebuild_all_blocks(struct fsi_node_space *m)
{
	if (!m->blocks)
		m->blocks = calloc(1, sizeof(*m->blocks));
	if (!m->blocks)
		return -1;
	while (m->blocks->n)
		remove_slot_block(m->blocks, m->blocks->n - 1);
	for (uint32_t i = 0; i < m->n; i += MAX_BLOCK_SLOTS / 2)
		if (insert_empty_block(m, m->blocks->n, i))
			return -1;
	for (uint32_t b = 0; b < m->blocks->n; b++)
		fill_block_nodes(m, b);
	return 0;
}

static void free_all_blocks(struct fsi_node_space *m)
{
	while (m->blocks && m->blocks->n)
		remove_slot_block(m->blocks, m->blocks->n - 1);
	if (m->blocks)
		free(m->blocks->v);
	free(m->blocks);
	m->blocks = NULL;
}

/* Updates the slot blocks after slot i was split into two slots with the same content. Returns -1 if out of memory. */
static int update_split_block(struct fsi_node_space *m, uint32_t i)
{
	const uint32_t b = find_slot_block(m, i);
	uint32_t first, end;

	for (uint32_t k = b + 1; k < m->blocks->n; k++)
		m->blocks->v[k].first++;
	first = m->blocks->v[b].first;
	end = get_block_end(m, b);
	if (end - first <= MAX_BLOCK_SLOTS)
		return 0;
	if (insert_empty_block(m, b + 1, first + (end - first) / 2))
		return -1;
	fill_block_nodes(m, b);
	fill_block_nodes(m, b + 1);
	return 0;
}

/* Updates the slot blocks after slot i + 1 was merged into slot i. Both slots had the same content. */
static void update_merged_block(struct fsi_node_space *m, uint32_t i)
{
	const uint32_t b = find_slot_block(m, i), of_next = find_slot_block(m, i + 1);

	for (uint32_t k = of_next + 1; k < m->blocks->n; k++)
		m->blocks->v[k].first--;
	if (of_next == b)
		return;
	if (get_block_end(m, of_next) == i + 1)
		remove_slot_block(m->blocks, of_next);
	else
		fill_block_nodes(m, of_next);
}

/* ---- licenses, with bf_licenses (src/slurmctld/licenses.c: bf_licenses_avail, bf_licenses_deduct,
 * bf_licenses_transfer, bf_licenses_equal)
 *
 * A job takes the licenses of its reservation first, then licenses that are free for all jobs. Before 25.05, a slot in
 * which a reservation has licenses never equals the next slot. The reason is that Slurm searches for the reservation's
 * license among the licenses for all jobs, and does not find it there. */

/* Special amount in the license row of a reservation: the reservation does not have the license. */
static const int64_t NOT_RESERVED = -1;

/* Returns the number of license amounts in all license rows of a slot. */
static size_t count_license_amounts(const struct fsi_node_space_licenses *l)
{
	return (size_t)l->n * (1 + l->nowners);
}

void fsi_node_space_licenses_init(const struct fsi_node_space_licenses *l, int64_t *row, const int64_t *all)
{
	for (size_t i = 0; i < count_license_amounts(l); i++)
		row[i] = i < l->n ? all[i] : NOT_RESERVED;
}

/* Returns the amount of license k in the row of the reservation w.owner_position; 0 if the reservation does not have
 * the license. `row`: the license rows of a slot. */
static int64_t get_reserved_amount(const struct fsi_node_space_licenses *l, const int64_t *row,
				   struct fsi_license_demand w, uint32_t k)
{
	const int64_t n = w.owner_position ? row[w.owner_position * l->n + k] : NOT_RESERVED;

	return n == NOT_RESERVED ? 0 : n;
}

bool fsi_node_space_licenses_suffice(const struct fsi_node_space_licenses *l, const int64_t *row,
				     struct fsi_license_demand w)
{
	for (uint32_t k = 0; w.amount && k < l->n; k++)
		if (w.amount[k] > 0 && get_reserved_amount(l, row, w, k) + row[k] < w.amount[k])
			return false;
	return true;
}

/* Returns `of` - `n`, or 0 if the difference is negative. */
static int64_t subtract_to_zero(int64_t of, int64_t n)
{
	return of > n ? of - n : 0;
}

void fsi_node_space_licenses_take(const struct fsi_node_space_licenses *l, int64_t *row, struct fsi_license_demand w)
{
	for (uint32_t k = 0; w.amount && k < l->n; k++) {
		const int64_t reserved = get_reserved_amount(l, row, w, k),
			      first = reserved < w.amount[k] ? reserved : w.amount[k];

		if (first)
			row[w.owner_position * l->n + k] -= first;
		row[k] = subtract_to_zero(row[k], w.amount[k] - first);
	}
}

void fsi_node_space_licenses_reserve(const struct fsi_node_space_licenses *l, int64_t *row, struct fsi_license_demand w)
{
	for (uint32_t k = 0; k < l->n; k++) {
		if (w.amount[k] <= 0)
			continue;
		row[w.owner_position * l->n + k] = row[k] < w.amount[k] ? row[k] : w.amount[k];
		row[k] = subtract_to_zero(row[k], w.amount[k]);
	}
}

/* Returns true if the licenses of two neighboring slots are equal. `a`, `b`: the license rows of the slots. */
static bool has_equal_licenses(const struct fsi_node_space_licenses *l, const int64_t *a, const int64_t *b)
{
	size_t n = count_license_amounts(l);

	for (size_t i = l->n; !l->compares_reserved && i < n; i++)
		if (a[i] != NOT_RESERVED)
			return false;
	n = l->compares_reserved ? n : l->n;
	return !n || !memcmp(a, b, n * sizeof(*a));
}

/* ---- slots: node_space of src/plugins/sched/backfill/backfill.c (_add_reservation, _test_resv_overlap, and the loop
 * of _attempt_backfill that narrows the nodes of a job and determines when to try it again)
 *
 * When nodes are taken from `start` to `end`:
 *
 * - The slot that contains `start` and the slot that contains `end` are split.
 * - If `start` is the beginning of the first slot, the split leaves an empty first slot.
 * - The changed slots and their neighbors are searched for two adjacent slots with the same content. Only the first
 *   such pair is merged.
 *
 * When a job cannot start at the tried time, these rules determine the next time to try it:
 *
 * - The search looks for the first slot, from the tried time on, at whose end one of the job's usable nodes becomes
 *   free. The next time to try is the end of this slot.
 * - The search stops at the first slot that begins after the job's end. If the search has found no slot, versions
 *   before 24.11 do not try the job again. From 24.11 on, the next time to try is then the end of the slot after the
 *   slot at which the search stopped. If that next slot is the last slot of node_space, the job is not tried again
 *   (_attempt_backfill, Slurm commit d5e0c8e664).
 * - If too few licenses are free in some slots from the tried time to the job's end, the next time to try is the end
 *   of the last such slot. */

/* Special values of fsi_node_space_slot.gained_node. GAIN_UNKNOWN: not computed; GAINS_NONE: no node is free in this
 * slot but not in the previous slot. Any other value: index of a node that was free in this slot but not in the
 * previous slot when the value was computed. */
static const uint32_t GAIN_UNKNOWN = UINT32_MAX, GAINS_NONE = UINT32_MAX - 1;

/* Returns the size in bytes of the content of a slot: its nodes and licenses. */
static size_t get_content_size(const struct fsi_node_space *m)
{
	return (m->words + count_license_amounts(&m->licenses) + 1) * sizeof(uint64_t);
}

/* Returns the license rows of a slot, which follow its set of free nodes in memory. */
static int64_t *get_slot_licenses(const struct fsi_node_space *m, const struct fsi_node_space_slot *s)
{
	return (int64_t *)(s->nodes + m->words);
}

/* Returns memory for the content of a slot, from m->spare_content if possible. Returns NULL if out of memory. */
static uint64_t *allocate_slot_content(struct fsi_node_space *m)
{
	uint64_t *c = m->spare_content;

	if (!c)
		return malloc(get_content_size(m));
	memcpy(&m->spare_content, c, sizeof(m->spare_content));
	return c;
}

/* Adds the slot content `c` to m->spare_content, the list of unused slot contents. */
static void recycle_slot_content(struct fsi_node_space *m, uint64_t *c)
{
	memcpy(c, &m->spare_content, sizeof(m->spare_content));
	m->spare_content = c;
}

int fsi_node_space_init(struct fsi_node_space *m, int64_t begin, int64_t end, int64_t step_s, const uint64_t *nodes,
			uint32_t words, const struct fsi_node_space_licenses *lics, const int64_t *all)
{
	*m = (struct fsi_node_space){ .words = words, .licenses = *lics, .step_s = step_s, .cap = 64 };
	m->v = malloc(m->cap * sizeof(*m->v));
	if (!m->v)
		return -1;
	m->v[0] = (struct fsi_node_space_slot){ begin, end, allocate_slot_content(m), GAIN_UNKNOWN };
	if (!m->v[0].nodes)
		return -1;
	m->n = m->slots_made = 1;
	memcpy(m->v[0].nodes, nodes, words * sizeof(*nodes));
	fsi_node_space_licenses_init(&m->licenses, get_slot_licenses(m, &m->v[0]), all);
	return rebuild_all_blocks(m);
}

void fsi_node_space_release(struct fsi_node_space *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		free(m->v[i].nodes);
	while (m->spare_content) {
		uint64_t *c = m->spare_content;

		memcpy(&m->spare_content, c, sizeof(m->spare_content));
		free(c);
	}
	free(m->v);
	free_all_blocks(m);
	*m = (struct fsi_node_space){ 0 };
}

int fsi_node_space_save(struct fsi_node_space_copy *s, const struct fsi_node_space *m)
{
	const size_t size = get_content_size(m);

	*s = (struct fsi_node_space_copy){ .n = m->n, .slots_made = m->slots_made };
	s->v = malloc(m->n * sizeof(*s->v));
	s->content = malloc(m->n * size);
	if (!s->v || !s->content) {
		fsi_node_space_copy_release(s);
		return -1;
	}
	memcpy(s->v, m->v, m->n * sizeof(*s->v));
	for (uint32_t i = 0; i < m->n; i++)
		memcpy((char *)s->content + i * size, m->v[i].nodes, size);
	return 0;
}

int fsi_node_space_load(struct fsi_node_space *m, const struct fsi_node_space_copy *s)
{
	const size_t size = get_content_size(m);

	while (m->n > s->n)
		recycle_slot_content(m, m->v[--m->n].nodes);
	for (; m->n < s->n; m->n++)
		if (!(m->v[m->n].nodes = allocate_slot_content(m)))
			return -1;
	for (uint32_t i = 0; i < s->n; i++) {
		m->v[i].begin = s->v[i].begin;
		m->v[i].end = s->v[i].end;
		m->v[i].gained_node = GAIN_UNKNOWN;
		memcpy(m->v[i].nodes, (const char *)s->content + i * size, size);
	}
	m->slots_made = s->slots_made;
	return rebuild_all_blocks(m);
}

void fsi_node_space_copy_release(struct fsi_node_space_copy *s)
{
	free(s->v);
	free(s->content);
	*s = (struct fsi_node_space_copy){ 0 };
}

size_t fsi_node_space_estimate_bytes(const struct fsi_node_space *m)
{
	return m->n * (get_content_size(m) + sizeof(*m->v));
}

/* Splits slot i at time t into two slots with the same content. Returns -1 if out of memory. */
static int split_slot_at(struct fsi_node_space *m, uint32_t i, int64_t t)
{
	uint64_t *c;

	if (m->n == m->cap) {
		struct fsi_node_space_slot *v = realloc(m->v, 2 * (size_t)m->cap * sizeof(*v));

		if (!v)
			return -1;
		m->v = v;
		m->cap *= 2;
	}
	c = allocate_slot_content(m);
	if (!c)
		return -1;
	memcpy(c, m->v[i].nodes, get_content_size(m));
	memmove(&m->v[i + 2], &m->v[i + 1], (m->n++ - i - 1) * sizeof(*m->v));
	m->v[i + 1] = (struct fsi_node_space_slot){ t, m->v[i].end, c, GAIN_UNKNOWN };
	m->v[i].end = t;
	m->slots_made++;
	return update_split_block(m, i);
}

/* Merges slot i + 1 into slot i, which has the same content. */
static void merge_next_slot(struct fsi_node_space *m, uint32_t i)
{
	m->v[i].end = m->v[i + 1].end;
	recycle_slot_content(m, m->v[i + 1].nodes);
	memmove(&m->v[i + 1], &m->v[i + 2], (--m->n - i - 1) * sizeof(*m->v));
	update_merged_block(m, i);
}

/* Returns true if slots i and i + 1 have the same content. */
static bool is_equal_to_next(const struct fsi_node_space *m, uint32_t i)
{
	return fsi_bits_is_equal(m->v[i].nodes, m->v[i + 1].nodes, m->words) &&
	       has_equal_licenses(&m->licenses, get_slot_licenses(m, &m->v[i]), get_slot_licenses(m, &m->v[i + 1]));
}

/* Returns the index of the first slot that ends at or after t; m->n: none. */
static uint32_t find_slot_ending(const struct fsi_node_space *m, int64_t t)
{
	uint32_t lo = 0, hi = m->n;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (m->v[mid].end < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns the index of the first slot that begins at or after t; m->n: none. */
static uint32_t find_slot_beginning(const struct fsi_node_space *m, int64_t t)
{
	const uint32_t i = find_slot_ending(m, t);

	return i < m->n && m->v[i].begin < t ? i + 1 : i;
}

/* A range of words of a node set; all words outside the range are 0. The range is short for most jobs, since the nodes
 * of a job are in few words. */
struct word_range {
	uint32_t first, n;
};

/* Returns the smallest range of words that includes all nonzero words of the node set. */
static struct word_range find_word_range(const struct fsi_node_space *m, const uint64_t *nodes)
{
	struct word_range s = { 0, m->words };

	while (s.n && !nodes[s.n - 1])
		s.n--;
	while (s.first < s.n && !nodes[s.first])
		s.first++;
	s.n -= s.first;
	return s;
}

/* Removes the nodes from the blocks that contain slots `from` to `to`. The caller has removed the nodes from all these
 * slots. */
static void take_block_nodes(struct fsi_node_space *m, uint32_t from, uint32_t to, struct word_range s,
			     const uint64_t *nodes)
{
	for (uint32_t b = find_slot_block(m, from); b < m->blocks->n && m->blocks->v[b].first <= to; b++)
		fsi_bits_and_not(&m->blocks->v[b].nodes[s.first], &nodes[s.first], s.n);
}

/* A change to apply to slots: nodes and licenses to take, or licenses to reserve. */
struct slot_change {
	const uint64_t *nodes;
	/* range of words of `nodes` that includes all nodes to take; empty: no nodes are taken */
	struct word_range span;
	struct fsi_license_demand licenses;
	/* true: reserves the licenses for the advance reservation at licenses.owner_position; false: takes the
	 * licenses */
	bool reserves;
};

static void change_one_slot(struct fsi_node_space *m, uint32_t i, const struct slot_change *c)
{
	int64_t *row = get_slot_licenses(m, &m->v[i]);

	fsi_bits_and_not(&m->v[i].nodes[c->span.first], &c->nodes[c->span.first], c->span.n);
	if (c->reserves)
		fsi_node_space_licenses_reserve(&m->licenses, row, c->licenses);
	else
		fsi_node_space_licenses_take(&m->licenses, row, c->licenses);
}

/* Applies the change c to the slots from `start` to `end`. If this time is shorter than m->step_s seconds, applies it
 * for m->step_s seconds. Returns -1 if out of memory. */
static int change_slots_between(struct fsi_node_space *m, int64_t start, int64_t end, const struct slot_change *c)
{
	uint32_t at, last, before;

	if (start < m->v[0].begin)
		start = m->v[0].begin;
	if (end < start + m->step_s)
		end = start + m->step_s;
	at = find_slot_ending(m, start);
	if (at == m->n)
		return 0;
	before = at ? at - 1 : 0;
	if (m->v[at].end > start && split_slot_at(m, at, start))
		return -1;
	for (last = ++at; last < m->n; last++) {
		if (end < m->v[last].end && split_slot_at(m, last, end))
			return -1;
		change_one_slot(m, last, c);
		if (end == m->v[last].end)
			break;
	}
	if (at < m->n)
		take_block_nodes(m, at, last, c->span, c->nodes);
	if (last + 1 < m->n)
		m->v[last + 1].gained_node = GAIN_UNKNOWN;
	for (uint32_t i = before; i + 1 < m->n && i <= last; i++)
		if (is_equal_to_next(m, i)) {
			merge_next_slot(m, i);
			break;
		}
	return 0;
}

int fsi_node_space_take_nodes(struct fsi_node_space *m, int64_t start, int64_t end, const uint64_t *nodes,
			      struct fsi_license_demand lic)
{
	const struct slot_change c = { .nodes = nodes, .span = find_word_range(m, nodes), .licenses = lic };

	return change_slots_between(m, start, end, &c);
}

int fsi_node_space_reserve_licenses(struct fsi_node_space *m, int64_t start, int64_t end, struct fsi_license_demand lic)
{
	const struct slot_change c = { .nodes = m->v[0].nodes, .licenses = lic, .reserves = true };

	return change_slots_between(m, start, end, &c);
}

bool fsi_node_space_has_overlap(const struct fsi_node_space *m, int64_t start, int64_t end, const uint64_t *nodes,
				struct fsi_license_demand lic)
{
	const struct word_range s = find_word_range(m, nodes);

	for (uint32_t i = find_slot_ending(m, start + 1); i < m->n && m->v[i].begin < end; i++)
		if (!fsi_bits_is_subset(&nodes[s.first], &m->v[i].nodes[s.first], s.n) ||
		    !fsi_node_space_licenses_suffice(&m->licenses, get_slot_licenses(m, &m->v[i]), lic))
			return true;
	return false;
}

/* Returns true if one of the nodes is free in slot i but not in slot i - 1. Tests the node `gained_node` of slot i
 * first, and updates `gained_node`. */
static bool has_gained_node(struct fsi_node_space *m, uint32_t i, const uint64_t *nodes)
{
	const uint64_t *before = m->v[i - 1].nodes, *now = m->v[i].nodes;
	uint32_t *gain = &m->v[i].gained_node;
	uint64_t any = 0;

	if (*gain == GAINS_NONE)
		return false;
	if (*gain != GAIN_UNKNOWN && fsi_bit_is_set(nodes, *gain) && fsi_bit_is_set(now, *gain) &&
	    !fsi_bit_is_set(before, *gain))
		return true;
	for (uint32_t w = 0; w < m->words; w++) {
		const uint64_t added = now[w] & ~before[w];

		if (added & nodes[w]) {
			*gain = w * 64 + (uint32_t)__builtin_ctzll(added & nodes[w]);
			return true;
		}
		any |= added;
	}
	*gain = any ? GAIN_UNKNOWN : GAINS_NONE;
	return false;
}

/* Returns the next time to try a job that may use the nodes in `nodes`; 0: the job is not tried again. Ignores
 * licenses. `first`: index of the slot that contains l->start. */
static int64_t find_next_gain(struct fsi_node_space *m, const struct fsi_node_space_query *l, uint32_t first,
			      const uint64_t *nodes)
{
	for (uint32_t i = first; i + 1 < m->n; i++) {
		if (has_gained_node(m, i + 1, nodes))
			return m->v[i].end;
		if (m->v[i].begin > l->end)
			return l->rules_24_11 && i + 2 < m->n ? m->v[i + 1].end : 0;
	}
	return 0;
}

/* Searches the slots from `first` to the job's end for slots with too few free licenses. If there are such slots, sets
 * l->lacks_licenses to true, and l->next_try to the end of the last such slot. */
static void find_license_shortage(const struct fsi_node_space *m, struct fsi_node_space_query *l, uint32_t first)
{
	for (uint32_t i = first; l->licenses.amount && i < m->n && m->v[i].begin <= l->end; i++)
		if (!fsi_node_space_licenses_suffice(&m->licenses, get_slot_licenses(m, &m->v[i]), l->licenses)) {
			l->lacks_licenses = true;
			l->next_try = m->v[i].end;
		}
}

void fsi_node_space_find_next_try(struct fsi_node_space *m, struct fsi_node_space_query *l, const uint64_t *nodes)
{
	const uint32_t first = find_slot_ending(m, l->start + 1);

	l->lacks_licenses = false;
	l->next_try = find_next_gain(m, l, first, nodes);
	find_license_shortage(m, l, first);
}

int64_t fsi_node_space_find_last_gain(struct fsi_node_space *m, const uint64_t *nodes, int64_t from, int64_t until)
{
	for (uint32_t i = find_slot_beginning(m, until + 1); i-- > 1 && m->v[i].begin > from;)
		if (has_gained_node(m, i, nodes))
			return m->v[i].begin;
	return from;
}

int64_t fsi_node_space_find_end_ahead(const struct fsi_node_space *m, int64_t from, uint32_t slots)
{
	const uint32_t i = find_slot_ending(m, from + 1);

	return m->v[i < m->n && slots < m->n - i ? i + slots : m->n - 1].end;
}

/* After this number of intersections of node sets, the remaining nodes are counted. If fewer nodes than the minimum are
 * left, the search for free nodes ends early. */
enum { COUNT_EACH = 8 };

/* A node set that is intersected with the free nodes of slots and slot blocks. */
struct narrowing {
	const struct fsi_node_space *m;
	struct word_range span;
	uint64_t *nodes; /* span.n words of the node set, from word span.first on */
	/* `min`: minimum number of nodes; if fewer are left, the search for free nodes may end early; `steps`: number
	 * of intersections made so far */
	uint32_t min, steps;
};

/* Intersects the node set with `nodes`. Every COUNT_EACH-th call also counts the remaining nodes, and returns false if
 * fewer than n->min are left. All other calls return true. */
static bool narrow_by_nodes(struct narrowing *n, const uint64_t *nodes)
{
	fsi_bits_and(n->nodes, &nodes[n->span.first], n->span.n);
	return ++n->steps % COUNT_EACH || fsi_bits_count(n->nodes, n->span.n) >= n->min;
}

/* Intersects the node set with the free nodes of the slots `from` to `to` - 1. Stops and returns false if
 * narrow_by_nodes returns false. */
static bool narrow_by_slots(struct narrowing *n, uint32_t from, uint32_t to)
{
	while (from < to && narrow_by_nodes(n, n->m->v[from].nodes))
		from++;
	return from >= to;
}

/* Intersects the node set with the node set of each slot block that is completely within the slots *from to *to - 1.
 * Sets *from and *to to the range of slots that these blocks cover. Stops and returns false if narrow_by_nodes returns
 * false. */
static bool narrow_by_blocks(struct narrowing *n, uint32_t *from, uint32_t *to)
{
	const struct fsi_node_space *m = n->m;
	const uint32_t end = *to;
	uint32_t b = find_slot_block(m, *from);

	b += m->blocks->v[b].first < *from;
	*from = *to = b < m->blocks->n && m->blocks->v[b].first < end ? m->blocks->v[b].first : end;
	for (; b < m->blocks->n && get_block_end(m, b) <= end; b++) {
		if (!narrow_by_nodes(n, m->blocks->v[b].nodes))
			return false;
		*to = get_block_end(m, b);
	}
	return true;
}

/* Intersects the node set first with whole slot blocks, then with the slots that these blocks do not cover. A block
 * removes every node that is not free in one of its slots. */
uint32_t fsi_node_space_narrow_nodes(const struct fsi_node_space *m, const struct fsi_node_space_query *l,
				     uint64_t *nodes)
{
	const uint32_t first = find_slot_ending(m, l->start + 1), end = find_slot_beginning(m, l->end + 1);
	const struct word_range span = find_word_range(m, nodes);
	struct narrowing n = { m, span, &nodes[span.first], l->min_nodes, 0 };
	uint32_t from = first, to = end;

	if (first < end && narrow_by_blocks(&n, &from, &to) && narrow_by_slots(&n, first, from))
		narrow_by_slots(&n, to, end);
	return fsi_bits_count(n.nodes, span.n);
}
