#include "base/bytes.h"
#include "plan/room/fits.h"

#include "plan/bits.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = FSI_FITS_STEP, FIRST_SIZE = 64, MAX_KEPT = 512 };

/* The key is all of a request that decides what a node can give it, and how much it wants of each. */
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
	k[6] = q->whole | q->own_cores << 1 | q->all_memory << 2 | q->uncut << 3;
	k[7] = share;
	k[15] = any_share || q->cpus_per_node != INT64_MAX
			? (int64_t)q->share << 33 | (int64_t)q->forgets << 32 | q->partition
			: -1;
	k[16] = q->gpus_per_task;
	k[17] = q->mem_per_gpu;
	k[18] = q->on_node;
	k[19] = q->on_socket;
	memcpy(&k[8], &q->per_node[FSI_RES_MEM], (FSI_RES_MAX - 1) * sizeof(*k));
}

/* The place where a request of that key stands, or would stand. */
static struct fsi_fits **find_place(const struct fsi_fits_table *t, const int64_t *k)
{
	const size_t n = sizeof((*t->v)->key) / sizeof(*k);

	for (uint64_t i = fsi_hash_fields(k, n);; i++) {
		struct fsi_fits **f = &t->v[i & (t->size - 1)];

		if (!*f || !memcmp((*f)->key, k, sizeof((*f)->key)))
			return f;
	}
}

static void release_list(struct fsi_fits_list *l)
{
	free(l->v);
	free(l->set);
	*l = (struct fsi_fits_list){ 0 };
}

/* Forgets the lists; the key stays. */
static void forget(struct fsi_fits *f)
{
	release_list(&f->any);
	release_list(&f->much);
	free(f->is_recent);
	free(f->room);
	f->is_recent = NULL;
	f->room = NULL;
	f->nrecent = 0;
}

void fsi_fits_release(struct fsi_fits_table *t)
{
	for (uint32_t i = 0; i < t->size; i++)
		if (t->v[i]) {
			forget(t->v[i]);
			free(t->v[i]);
		}
	free(t->v);
	FSI_VEC_FREE(&t->change);
	*t = (struct fsi_fits_table){ 0 };
}

static int grow(struct fsi_fits_table *t)
{
	struct fsi_fits_table bigger = *t;

	bigger.size = t->size ? 2 * t->size : FIRST_SIZE;
	bigger.v = calloc(bigger.size, sizeof(*bigger.v));
	if (!bigger.v)
		return -1;
	for (uint32_t i = 0; i < t->size; i++)
		if (t->v[i])
			*find_place(&bigger, t->v[i]->key) = t->v[i];
	free(t->v);
	*t = bigger;
	return 0;
}

/* ---- changes */

int fsi_fits_changed(struct fsi_fits_table *t, uint32_t node)
{
	if (FSI_VEC_ROOM(&t->change))
		return -1;
	t->change.v[t->change.n++] = (struct fsi_fits_change){ t->changes++, node };
	return 0;
}

int fsi_fits_mark(struct fsi_fits_mark *mark, const struct fsi_fits_table *t)
{
	mark->n = (uint32_t)t->change.n;
	mark->change = malloc((t->change.n + 1) * sizeof(*mark->change));
	if (mark->change && mark->n)
		memcpy(mark->change, t->change.v, mark->n * sizeof(*mark->change));
	return mark->change ? 0 : -1;
}

void fsi_fits_mark_release(struct fsi_fits_mark *mark)
{
	free(mark->change);
	*mark = (struct fsi_fits_mark){ 0 };
}

static void clear_recent(struct fsi_fits *f, uint32_t words)
{
	memset(f->is_recent, 0, words * sizeof(*f->is_recent));
	f->nrecent = 0;
	f->seen = f->listed;
}

static void go_back(struct fsi_fits *f, uint32_t words)
{
	for (uint32_t k = 0; f->room && k < f->nrecent; k++)
		f->room[f->recent[k].node].until = INT64_MIN;
	clear_recent(f, words);
}

/* Within a run the number of changes only grows, so that there is room. */
void fsi_fits_back(struct fsi_fits_table *t, const struct fsi_fits_mark *mark, uint32_t words)
{
	uint32_t same = 0;

	while (same < mark->n && same < t->change.n && t->change.v[same].number == mark->change[same].number)
		same++;
	for (uint32_t i = 0; i < t->size; i++) {
		struct fsi_fits *f = t->v[i];

		if (f && f->is_recent && f->heeded > same)
			forget(f);
		else if (f && f->is_recent && f->seen > same)
			go_back(f, words);
	}
	t->change.n = mark->n;
	if (mark->n)
		memcpy(t->change.v, mark->change, mark->n * sizeof(*mark->change));
}

/* ---- making a list */

static int by_moment(const void *x, const void *y)
{
	const struct fsi_fits_from *a = x, *b = y;

	if (fsi_plan_before(a->from, b->from) || fsi_plan_before(b->from, a->from))
		return fsi_plan_before(a->from, b->from) ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static int make_sets(struct fsi_fits_list *l, uint32_t words)
{
	const uint32_t steps = l->n / STEP + 1;

	free(l->set);
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

static void add_to(struct fsi_fits_list *l, uint32_t node, struct fsi_plan_moment from)
{
	if (from.when != INT64_MAX)
		l->v[l->n++] = (struct fsi_fits_from){ from, node };
}

static int order(struct fsi_fits_list *l, uint32_t words)
{
	qsort(l->v, l->n, sizeof(*l->v), by_moment);
	return make_sets(l, words);
}

/* Is all that counts what the node has, and are CPUs all that is asked for? */
static bool keeps_room(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q)
{
	return !c->any_share && !q->gpus;
}

static int fill_lists(struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q)
{
	const size_t room = (size_t)c->nnodes + 1;

	forget(f);
	f->max = 0;
	f->any.v = malloc(room * sizeof(*f->any.v));
	f->much.v = f->all ? NULL : malloc(room * sizeof(*f->much.v));
	f->is_recent = calloc(c->words, sizeof(*f->is_recent));
	f->room = keeps_room(c, q) ? calloc(room, sizeof(*f->room)) : NULL;
	if (!f->any.v || (!f->all && !f->much.v) || !f->is_recent || (keeps_room(c, q) && !f->room))
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		const struct fsi_fits_node n = fsi_fits_node(f, c, q, i);

		add_to(&f->any, i, n.any);
		if (!f->all)
			add_to(&f->much, i, n.much);
	}
	return order(&f->any, c->words) || (!f->all && order(&f->much, c->words)) ? -1 : 0;
}

/* ---- recent ones */

/* Puts recent nodes into the list, by rising moment, in place of what it said of them. */
static int merge(struct fsi_fits_list *l, const struct fsi_fits *f, uint32_t words, bool much)
{
	struct fsi_fits_list add = { .v = malloc((FSI_FITS_RECENT + 1) * sizeof(*add.v)) };
	uint32_t kept = 0, added;

	if (!add.v)
		return -1;
	for (uint32_t k = 0; k < f->nrecent; k++)
		add_to(&add, f->recent[k].node, much ? f->recent[k].much : f->recent[k].any);
	qsort(add.v, add.n, sizeof(*add.v), by_moment);
	added = add.n;
	for (uint32_t k = 0; k < l->n; k++)
		if (!fsi_bit(f->is_recent, l->v[k].node))
			l->v[kept++] = l->v[k];
	for (l->n = kept; add.n; add.n--) {
		const uint32_t at = fsi_fits_until(l, add.v[add.n - 1].from);

		memmove(&l->v[at + add.n], &l->v[at], (l->n - at) * sizeof(*l->v));
		l->v[at + add.n - 1] = add.v[add.n - 1];
		l->n = at;
	}
	l->n = kept + added;
	free(add.v);
	return make_sets(l, words);
}

static int list_recent(struct fsi_fits *f, uint32_t words)
{
	if (merge(&f->any, f, words, false) || (!f->all && merge(&f->much, f, words, true)))
		return -1;
	f->listed = f->seen;
	clear_recent(f, words);
	return 0;
}

static struct fsi_fits_node *place_recent(struct fsi_fits *f, uint32_t node)
{
	for (uint32_t k = 0; fsi_bit(f->is_recent, node); k++)
		if (f->recent[k].node == node)
			return &f->recent[k];
	fsi_bit_set(f->is_recent, node);
	return &f->recent[f->nrecent++];
}

/* A node that changed again is asked again, since only how it is now matters. */
static int catch_up(struct fsi_fits *f, const struct fsi_fits_table *t, const struct fsi_plan_cluster *c,
		    const struct fsi_plan_request *q)
{
	while (f->seen < t->change.n) {
		const uint32_t node = t->change.v[f->seen].node;

		if (f->nrecent == FSI_FITS_RECENT && !fsi_bit(f->is_recent, node)) {
			f->heeded = (uint32_t)t->change.n;
			if (list_recent(f, c->words))
				return -1;
		}
		*place_recent(f, node) = fsi_fits_node(f, c, q, node);
		if (f->room)
			f->room[node].until = INT64_MIN;
		f->seen++;
	}
	return 0;
}

/* The fewest CPUs that one of its nodes must give. */
static int64_t share_of(const struct fsi_plan_request *q)
{
	const int64_t nodes = fsi_plan_max_nodes(q);

	return q->cpus / nodes + (q->cpus % nodes != 0);
}

/* What has any room gives a task, and all tasks where one node must do (fsi_plan_room_of). */
static bool gives_share(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, int64_t share)
{
	return share <= (q->max_nodes == 1 && q->tasks && !c->requests.linear ? q->tasks * q->step : q->step);
}

/* Are lists missing, or so far behind that making them anew is less work? */
static bool to_be_filled(const struct fsi_fits *f, const struct fsi_fits_table *t, const struct fsi_plan_cluster *c)
{
	return !f->is_recent || !f->any.set || (!f->all && !f->much.set) || t->change.n - f->seen > c->nnodes;
}

const struct fsi_fits *fsi_fits_of(struct fsi_fits_table *t, const struct fsi_plan_cluster *c,
				   const struct fsi_plan_request *q)
{
	int64_t key[sizeof((*t->v)->key) / sizeof(*(*t->v)->key)];
	const int64_t share = share_of(q);
	struct fsi_fits **at, *f;

	if (q->preempts || q->open || (2 * (t->n + 1) > t->size && grow(t)))
		return NULL;
	read_key(key, q, share, c->any_share);
	at = find_place(t, key);
	if (!*at) {
		f = t->n < MAX_KEPT ? calloc(1, sizeof(*f)) : NULL;
		if (!f)
			return NULL;
		memcpy(f->key, key, sizeof(key));
		f->share = share;
		f->all = gives_share(c, q, share);
		*at = f;
		t->n++;
	}
	f = *at;
	if (to_be_filled(f, t, c)) {
		f->listed = f->seen = f->heeded = (uint32_t)t->change.n;
		return fill_lists(f, c, q) ? NULL : f;
	}
	return catch_up(f, t, c, q) ? NULL : f;
}
