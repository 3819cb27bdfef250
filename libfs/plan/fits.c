#include "plan/fits.h"

#include "plan/bits.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 128, FIRST_SIZE = 64, MAX_KEPT = 512, FAR_BEHIND = 256 };

/* All of a request that decides what a node can give it, and how much of it is wanted of each. */
static void read_key(int64_t *k, const struct fsi_plan_request *q, int64_t share,
		     bool any_share)
{
	memset(k, 0, sizeof(((struct fsi_fits *)0)->key));
	k[0] = q->step;
	k[1] = q->min;
	k[2] = q->max_nodes == 1 ? q->tasks : -1;
	k[3] = q->cpus_per_node;
	k[4] = q->core_threads;
	k[5] = q->mem_per_cpu;
	k[6] = q->whole;
	k[7] = share;
	k[15] = any_share ? (int64_t)q->share << 32 | q->partition : -1;
	memcpy(&k[8], &q->per_node[FSI_RES_MEM], (FSI_RES_MAX - 1) * sizeof(*k));
}

static uint64_t hash(const int64_t *k, size_t n)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < n; i++) {
		h = (h ^ (uint64_t)k[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

static struct fsi_fits *find(const struct fsi_fits_table *t, const int64_t *k)
{
	const size_t n = sizeof(t->v->key) / sizeof(*k);

	for (uint64_t i = hash(k, n);; i++) {
		struct fsi_fits *f = &t->v[i & (t->size - 1)];

		if (!f->used || !memcmp(f->key, k, sizeof(f->key)))
			return f;
	}
}

static void release_list(struct fsi_fits_list *l)
{
	free(l->v);
	free(l->set);
	*l = (struct fsi_fits_list){ 0 };
}

void fsi_fits_release(struct fsi_fits_table *t)
{
	for (uint32_t i = 0; i < t->size; i++) {
		release_list(&t->v[i].any);
		release_list(&t->v[i].much);
	}
	free(t->v);
	*t = (struct fsi_fits_table){ .round = t->round };
}

struct fsi_fits_mark fsi_fits_mark(const struct fsi_fits_table *t)
{
	return (struct fsi_fits_mark){ t->branch ? t->branch - 1 : t->made, t->round };
}

void fsi_fits_back(struct fsi_fits_table *t, struct fsi_fits_mark mark)
{
	for (uint32_t i = 0; i < t->size; i++)
		if (t->v[i].used && t->v[i].made > mark.made) {
			release_list(&t->v[i].any);
			release_list(&t->v[i].much);
		}
	t->branch = mark.made + 1;
	t->round = mark.round;
}

static int grow(struct fsi_fits_table *t)
{
	struct fsi_fits_table bigger = *t;

	bigger.size = t->size ? 2 * t->size : FIRST_SIZE;
	bigger.v = calloc(bigger.size, sizeof(*bigger.v));
	if (!bigger.v)
		return -1;
	for (uint32_t i = 0; i < t->size; i++)
		if (t->v[i].used)
			*find(&bigger, t->v[i].key) = t->v[i];
	free(t->v);
	*t = bigger;
	return 0;
}

/* ---- making one */

static int by_moment(const void *x, const void *y)
{
	const struct fsi_fits_from *a = x, *b = y;

	if (a->from.when != b->from.when)
		return a->from.when < b->from.when ? -1 : 1;
	if (a->from.id != b->from.id)
		return a->from.id < b->from.id ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static int finish_list(struct fsi_fits_list *l, uint32_t words)
{
	const uint32_t steps = l->n / STEP + 1;

	qsort(l->v, l->n, sizeof(*l->v), by_moment);
	l->set = calloc((size_t)steps * words, sizeof(*l->set));
	if (!l->set)
		return -1;
	for (uint32_t s = 1; s < steps; s++) {
		uint64_t *set = &l->set[(size_t)s * words];

		memcpy(set, set - words, words * sizeof(*set));
		for (uint32_t k = (s - 1) * STEP; k < s * STEP; k++)
			fsi_bit_set(set, l->v[k].node);
	}
	return 0;
}

/* Goes through the ends of the node's jobs. */
static void add_node(struct fsi_fits *f, const struct fsi_plan_cluster *c,
		     const struct fsi_plan_request *q, uint32_t i)
{
	struct fsi_plan_moment at = { INT64_MIN, 0 };
	bool any = false, much = false;

	for (;;) {
		const struct fsi_plan_room r = fsi_plan_room_at(c, i, q, at);

		if (r.cpus > 0 && !any)
			f->any.v[f->any.n++] = (struct fsi_fits_from){ at, i };
		any = any || r.cpus > 0;
		if (r.cpus >= f->share && !much)
			f->much.v[f->much.n++] = (struct fsi_fits_from){ at, i };
		much = much || r.cpus >= f->share;
		f->most = r.cpus > f->most ? r.cpus : f->most;
		if (r.until.when == INT64_MAX)
			return;
		at = r.until;
	}
}

static int fill(struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q)
{
	const size_t room = (size_t)c->nnodes + 1;

	release_list(&f->any);
	release_list(&f->much);
	f->most = 0;
	f->any.v = malloc(room * sizeof(*f->any.v));
	f->much.v = malloc(room * sizeof(*f->much.v));
	if (!f->any.v || !f->much.v)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		add_node(f, c, q, i);
	return finish_list(&f->much, c->words) || finish_list(&f->any, c->words) ? -1 : 0;
}

/* The CPUs that one of its nodes must give at least. */
static int64_t share_of(const struct fsi_plan_request *q)
{
	const int64_t nodes = fsi_plan_most_nodes(q);

	return q->cpus / nodes + (q->cpus % nodes != 0);
}

const struct fsi_fits *fsi_fits_of(struct fsi_fits_table *t, const struct fsi_plan_cluster *c,
				   const struct fsi_plan_request *q, bool make)
{
	int64_t key[sizeof(t->v->key) / sizeof(*t->v->key)];
	const int64_t share = share_of(q);
	struct fsi_fits *f;

	if (q->preempts || (2 * (t->n + 1) > t->size && grow(t)))
		return NULL;
	read_key(key, q, share, c->any_share);
	f = find(t, key);
	if (f->used && f->any.set && t->round - f->round < FAR_BEHIND)
		return f;
	if (!make || (!f->used && t->n >= MAX_KEPT))
		return NULL;
	t->n += !f->used;
	f->used = true;
	f->share = share;
	f->round = t->round;
	f->made = ++t->made;
	memcpy(f->key, key, sizeof(key));
	return fill(f, c, q) ? NULL : f;
}

/* ---- asking */

/* How many of the list can be had at the moment. */
static uint32_t count_until(const struct fsi_fits_list *l, struct fsi_plan_moment when)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;
		const struct fsi_plan_moment *m = &l->v[mid].from;

		if (m->when < when.when || (m->when == when.when && m->id <= when.id))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void set_at(const struct fsi_fits_list *l, uint32_t words, struct fsi_plan_moment when,
		   uint64_t *set)
{
	const uint32_t n = count_until(l, when);

	memcpy(set, &l->set[(size_t)(n / STEP) * words], words * sizeof(*set));
	for (uint32_t k = n / STEP * STEP; k < n; k++)
		fsi_bit_set(set, l->v[k].node);
}

/* With so many nodes of at least the share, and as many of less as may be added to them: can it be enough? */
static bool can_suffice(const struct fsi_fits *f, const struct fsi_plan_request *q, uint32_t much)
{
	const int64_t nodes = fsi_plan_most_nodes(q), small = f->share - 1;

	if (nodes > UINT32_MAX)
		return true;
	return much >= nodes || much * f->most + (nodes - much) * small >= q->cpus;
}

bool fsi_fits_at(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		 const struct fsi_plan_request *q, struct fsi_plan_moment when, uint64_t *set,
		 uint64_t *scratch)
{
	set_at(&f->much, c->words, when, scratch);
	fsi_bits_and(scratch, set, c->words);
	if (!can_suffice(f, q, fsi_bits_count(scratch, c->words)))
		return false;
	set_at(&f->any, c->words, when, scratch);
	if (q->required)
		for (uint32_t w = 0; w < c->words; w++)
			if (q->required[w] & set[w] & ~scratch[w])
				return false;
	fsi_bits_and(set, scratch, c->words);
	return fsi_bits_count(set, c->words) >= q->min_nodes;
}
