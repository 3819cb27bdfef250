#include "select/avail_index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- lookups in the lists of an index entry */

enum { PREFIX_SET_STEP = FSI_AVAIL_INDEX_STEP };

/* Returns the number of nodes in the list *l that have capacity at the moment `when`. */
static uint32_t count_listed_until(const struct fsi_avail_index_list *l, struct fsi_end_moment when)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;
		const struct fsi_end_moment *m = &l->v[mid].from;

		if (m->when < when.when || (m->when == when.when && m->id <= when.id))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Sets `set` to the nodes that have capacity at the moment `when`. Uses the list `l` and, for nodes that changed after
 * the last update of the list, f->recent. */
static void fill_capable_set(const struct fsi_avail_index *f, const struct fsi_avail_index_list *l, uint32_t words,
			     struct fsi_end_moment when, uint64_t *set)
{
	const uint32_t n = count_listed_until(l, when);

	memcpy(set, &l->set[(size_t)(n / PREFIX_SET_STEP) * words], words * sizeof(*set));
	for (uint32_t k = n / PREFIX_SET_STEP * PREFIX_SET_STEP; k < n; k++)
		fsi_bit_set(set, l->v[k].node);
	fsi_bits_and_not(set, f->is_recent, words);
	for (uint32_t k = 0; k < f->nrecent; k++)
		if (!fsi_moment_is_before(when, l == &f->share_list ? f->recent[k].share_from : f->recent[k].any_from))
			fsi_bit_set(set, f->recent[k].node);
}

/* Returns true if the nodes may have enough CPUs for the request. `much`: number of nodes on which the request can get
 * at least f->min_share CPUs; on every other node it can get fewer. */
static bool may_share_suffice(const struct fsi_avail_index *f, const struct fsi_request *q, uint32_t much)
{
	const int64_t nodes = fsi_request_get_max_nodes(q), small = f->min_share - 1;

	if (nodes > UINT32_MAX)
		return true;
	return much >= nodes || much * f->max_cpus + (nodes - much) * small >= q->cpu.total;
}

static bool may_large_nodes_suffice(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				    const struct fsi_request *q, struct fsi_end_moment when, const uint64_t *set,
				    uint64_t *scratch)
{
	fill_capable_set(f, &f->share_list, c->words, when, scratch);
	fsi_bits_and(scratch, set, c->words);
	return may_share_suffice(f, q, fsi_bits_count(scratch, c->words));
}

bool fsi_avail_index_may_suffice(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, struct fsi_end_moment when, const uint64_t *set,
				 uint64_t *scratch)
{
	return f->has_one_list ? may_share_suffice(f, q, fsi_bits_count(set, c->words))
		      : may_large_nodes_suffice(f, c, q, when, set, scratch);
}

bool fsi_avail_index_restrict_nodes(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				    const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
				    uint64_t *scratch)
{
	fill_capable_set(f, &f->any_list, c->words, when, scratch);
	if (q->set.required)
		for (uint32_t w = 0; w < c->words; w++)
			if (q->set.required[w] & set[w] & ~scratch[w])
				return false;
	fsi_bits_and(set, scratch, c->words);
	return fsi_bits_count(set, c->words) >= q->nodes.min;
}

bool fsi_avail_index_restrict_and_check(const struct fsi_avail_index *f, const struct fsi_cluster *c,
					const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
					uint64_t *scratch)
{
	return (f->has_one_list || may_large_nodes_suffice(f, c, q, when, set, scratch)) &&
	       fsi_avail_index_restrict_nodes(f, c, q, when, set, scratch) &&
	       (!f->has_one_list || fsi_avail_index_may_suffice(f, c, q, when, set, scratch));
}

uint32_t fsi_avail_index_get_min_nodes(const struct fsi_avail_index *f, const struct fsi_request *q)
{
	const int64_t min = f->max_cpus > 0 ? q->cpu.total / f->max_cpus + (q->cpu.total % f->max_cpus != 0) : 0;

	return min > q->nodes.min && min < UINT32_MAX ? (uint32_t)min : q->nodes.min;
}

/* ---- the moment from which a node has capacity */

enum { BINARY_SEARCH_HOLDS = 12 }; /* minimum number of jobs on a node for which binary search is used */

static const struct fsi_end_moment before_all_ends = { INT64_MIN, 0 };

int64_t fsi_avail_index_get_cpus(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, uint32_t node, struct fsi_end_moment when)
{
	struct fsi_avail_index_answer *cached = &f->answers[node];
	struct fsi_node_avail r;

	if (when.when > cached->from && when.when < cached->until) {
		if (c->work)
			*c->work += fsi_node_get_query_work(cached->holds);
		return cached->cpus;
	}
	r = fsi_avail_get_at_moment(c, node, q, when);
	*cached = (struct fsi_avail_index_answer){ r.from.when, r.until.when, r.cpus, (uint32_t)c->node[node].hold.n };
	return r.cpus;
}

/* Returns true if the end of a job never reduces the number of CPUs that the request can get on the node. Returns false
 * with shared CPUs (OverSubscribe). Also returns false with memory per CPU if whole cores are allocated and cores have
 * several threads: if memory is short, the request may get one CPU more when fewer CPUs are free
 * (fsi_avail_compute_cpus). */
static bool is_capacity_monotonic(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
				  const struct fsi_request *q)
{
	return !c->rules.any_oversubscribe && !(q->mem.per_cpu && c->rules.whole_cores && n->threads_per_core > 1);
}

/* Finds the first moment from which the node can give at least one CPU to the request, and the first moment from which
 * it can give f->min_share CPUs. Queries the node at the end of each job on the node. */
static void find_moments_linearly(struct fsi_avail_index *f, const struct fsi_cluster *c, const struct fsi_request *q,
				  struct fsi_avail_index_node *n)
{
	struct fsi_end_moment at = before_all_ends;

	for (;;) {
		const struct fsi_node_avail r = fsi_avail_get_at_moment(c, n->node, q, at);

		if (r.cpus > 0 && n->any_from.when == INT64_MAX)
			n->any_from = at;
		if (r.cpus >= f->min_share && n->share_from.when == INT64_MAX)
			n->share_from = at;
		f->max_cpus = r.cpus > f->max_cpus ? r.cpus : f->max_cpus;
		if (r.until.when == INT64_MAX)
			return;
		at = r.until;
	}
}

/* Returns the earliest moment at which the first `ended` jobs of n->hold have ended (n->hold is sorted by end). */
static struct fsi_end_moment get_moment_after_ends(const struct fsi_cluster_node *n, size_t ended)
{
	return ended ? fsi_hold_get_end(&n->hold.v[ended - 1]) : before_all_ends;
}

/* Returns the first moment at which the node can give `cpus` CPUs to the request. The caller knows that the node can
 * give that many CPUs once the first `ends` jobs in the node's array `hold` have ended. */
static struct fsi_end_moment find_first_moment(const struct fsi_cluster *c, const struct fsi_request *q, uint32_t node,
					       int64_t cpus, size_t ends)
{
	const struct fsi_cluster_node *n = &c->node[node];
	size_t lo = 0;

	while (lo < ends) {
		const size_t mid = lo + (ends - lo) / 2;

		if (fsi_avail_get_at_moment(c, node, q, get_moment_after_ends(n, mid)).cpus >= cpus)
			ends = mid;
		else
			lo = mid + 1;
	}
	return get_moment_after_ends(n, lo);
}

/* Finds the moments from which the node has capacity, by binary search. Adds the work of a linear search to the work
 * counter. The result of a plan with a work budget therefore does not depend on the search method. */
static void find_moments_by_bisection(struct fsi_avail_index *f, const struct fsi_cluster *c,
				      const struct fsi_request *q, struct fsi_avail_index_node *n)
{
	const struct fsi_cluster_node *node = &c->node[n->node];
	const uint64_t work = c->work ? *c->work : 0;
	size_t ends = node->hold.n;
	int64_t most;

	while (ends && node->hold.v[ends - 1].end == INT64_MAX)
		ends--;
	most = fsi_avail_get_at_moment(c, n->node, q, get_moment_after_ends(node, ends)).cpus;
	f->max_cpus = most > f->max_cpus ? most : f->max_cpus;
	if (most > 0)
		n->any_from = find_first_moment(c, q, n->node, 1, ends);
	if (most >= f->min_share)
		n->share_from = f->min_share == 1 ? n->any_from : find_first_moment(c, q, n->node, f->min_share, ends);
	if (c->work)
		*c->work = work + (ends + 1) * fsi_node_get_query_work(node->hold.n);
}

struct fsi_avail_index_node fsi_avail_index_query_node(struct fsi_avail_index *f, const struct fsi_cluster *c,
						       const struct fsi_request *q, uint32_t i)
{
	const struct fsi_end_moment never = { INT64_MAX, UINT64_MAX };
	struct fsi_avail_index_node n = { i, never, never };

	if (c->node[i].hold.n >= BINARY_SEARCH_HOLDS && is_capacity_monotonic(c, &c->node[i], q))
		find_moments_by_bisection(f, c, q, &n);
	else
		find_moments_linearly(f, c, q, &n);
	return n;
}

enum { INDEX_KEY_SIZE = 20, MAX_INDEX_ENTRIES = 512 };

/* Fills the key k of an index entry with the members of the request on which a node's capacity depends. `share`: member
 * min_share of the entry. */
static void fill_index_key(int64_t *k, const struct fsi_request *q, int64_t share, bool any_share)
{
	memset(k, 0, INDEX_KEY_SIZE * sizeof(*k));
	k[0] = q->cpu.per_task;
	k[1] = q->cpu.min_per_node;
	k[2] = q->nodes.max == 1 ? q->cpu.tasks : -1;
	k[3] = q->cpu.max_per_node;
	k[4] = q->cpu.max_core_threads;
	k[5] = q->mem.per_cpu;
	k[6] = q->sharing.whole_nodes | q->cpu.one_task_per_core << 1 | q->mem.whole_node << 2 |
	       q->cpu.needs_all_free_cpus << 3;
	k[7] = share;
	k[15] = any_share || q->cpu.max_per_node != INT64_MAX
			? (int64_t)q->sharing.oversubscribe << 33 | (int64_t)q->sharing.ignores_shared_cpus << 32 |
				  q->partition
			: -1;
	k[16] = q->gpu.per_task;
	k[17] = q->gpu.mem_per_gpu;
	k[18] = q->cpu.max_for_tasks;
	k[19] = q->cpu.max_per_socket;
	memcpy(&k[8], &q->per_node[FSI_RES_MEM], (FSI_RES_MAX - 1) * sizeof(*k));
}

static void release_node_list(struct fsi_avail_index_list *l)
{
	free(l->v);
	free(l->set);
	*l = (struct fsi_avail_index_list){ 0 };
}

/* Frees the lists of an index entry; its key stays valid. */
static void discard_entry_lists(struct fsi_avail_index *f)
{
	release_node_list(&f->any_list);
	release_node_list(&f->share_list);
	free(f->is_recent);
	free(f->answers);
	f->is_recent = NULL;
	f->answers = NULL;
	f->nrecent = 0;
}

void fsi_avail_index_release(struct fsi_avail_index_table *t)
{
	for (size_t i = 0; i < t->entry.n; i++)
		if (t->entry.v[i]) {
			discard_entry_lists(t->entry.v[i]);
			free(t->entry.v[i]);
		}
	FSI_VEC_FREE(&t->entry);
	fsi_intern_release(&t->keys);
	FSI_VEC_FREE(&t->change);
	*t = (struct fsi_avail_index_table){ 0 };
}

/* ---- the list of nodes that changed */

int fsi_avail_index_note_change(struct fsi_avail_index_table *t, uint32_t node)
{
	if (FSI_VEC_RESERVE(&t->change))
		return -1;
	t->change.v[t->change.n++] = (struct fsi_avail_index_change){ t->changes++, node };
	return 0;
}

int fsi_avail_index_save_changes(struct fsi_avail_index_checkpoint *mark, const struct fsi_avail_index_table *t)
{
	mark->n = (uint32_t)t->change.n;
	mark->change = malloc((t->change.n + 1) * sizeof(*mark->change));
	if (mark->change && mark->n)
		memcpy(mark->change, t->change.v, mark->n * sizeof(*mark->change));
	return mark->change ? 0 : -1;
}

void fsi_avail_index_release_checkpoint(struct fsi_avail_index_checkpoint *mark)
{
	free(mark->change);
	*mark = (struct fsi_avail_index_checkpoint){ 0 };
}

static void clear_recent_nodes(struct fsi_avail_index *f, uint32_t words)
{
	memset(f->is_recent, 0, words * sizeof(*f->is_recent));
	f->nrecent = 0;
	f->nseen_changes = f->nlisted_changes;
}

/* Discards the recent nodes of the index entry, which are the nodes that changed after the last update of its lists.
 * Also discards the stored answers for these nodes. */
static void discard_recent_nodes(struct fsi_avail_index *f, uint32_t words)
{
	for (uint32_t k = 0; f->answers && k < f->nrecent; k++)
		f->answers[f->recent[k].node].until = INT64_MIN;
	clear_recent_nodes(f, words);
}

/* Allocates no memory: t->change contained the changes of the checkpoint when the checkpoint was saved, and its memory
 * never shrinks. */
void fsi_avail_index_restore_changes(struct fsi_avail_index_table *t, const struct fsi_avail_index_checkpoint *mark,
				     uint32_t words)
{
	uint32_t same = 0;

	while (same < mark->n && same < t->change.n && t->change.v[same].number == mark->change[same].number)
		same++;
	for (size_t i = 0; i < t->entry.n; i++) {
		struct fsi_avail_index *f = t->entry.v[i];

		if (f && f->is_recent && f->max_listed_changes > same)
			discard_entry_lists(f);
		else if (f && f->is_recent && f->nseen_changes > same)
			discard_recent_nodes(f, words);
	}
	t->change.n = mark->n;
	if (mark->n)
		memcpy(t->change.v, mark->change, mark->n * sizeof(*mark->change));
}

/* ---- making the lists of an index entry */

static int compare_by_moment(const void *x, const void *y)
{
	const struct fsi_avail_index_item *a = x, *b = y;

	if (fsi_moment_is_before(a->from, b->from) || fsi_moment_is_before(b->from, a->from))
		return fsi_moment_is_before(a->from, b->from) ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static int make_prefix_sets(struct fsi_avail_index_list *l, uint32_t words)
{
	const uint32_t steps = l->n / PREFIX_SET_STEP + 1;

	free(l->set);
	l->set = calloc((size_t)steps * words, sizeof(*l->set));
	if (!l->set)
		return -1;
	for (uint32_t s = 1; s < steps; s++) {
		uint64_t *set = &l->set[(size_t)s * words];

		memcpy(set, set - words, words * sizeof(*set));
		for (uint32_t k = (s - 1) * PREFIX_SET_STEP; k < s * PREFIX_SET_STEP; k++)
			fsi_bit_set(set, l->v[k].node);
	}
	return 0;
}

static void append_listed_node_from(struct fsi_avail_index_list *l, uint32_t node, struct fsi_end_moment from)
{
	if (from.when != INT64_MAX)
		l->v[l->n++] = (struct fsi_avail_index_item){ from, node };
}

static int sort_node_list(struct fsi_avail_index_list *l, uint32_t words)
{
	qsort(l->v, l->n, sizeof(*l->v), compare_by_moment);
	return make_prefix_sets(l, words);
}

/* Returns true if the answer to a query of a node depends neither on shared CPUs (OverSubscribe) nor on GPUs. */
static bool is_answer_cacheable(const struct fsi_cluster *c, const struct fsi_request *q)
{
	return !c->rules.any_oversubscribe && !q->gpu.per_node;
}

static int fill_entry_lists(struct fsi_avail_index *f, const struct fsi_cluster *c, const struct fsi_request *q)
{
	const size_t capacity = (size_t)c->nnodes + 1;

	discard_entry_lists(f);
	f->max_cpus = 0;
	f->any_list.v = malloc(capacity * sizeof(*f->any_list.v));
	f->share_list.v = f->has_one_list ? NULL : malloc(capacity * sizeof(*f->share_list.v));
	f->is_recent = calloc(c->words, sizeof(*f->is_recent));
	f->answers = is_answer_cacheable(c, q) ? calloc(capacity, sizeof(*f->answers)) : NULL;
	if (!f->any_list.v || (!f->has_one_list && !f->share_list.v) || !f->is_recent ||
	    (is_answer_cacheable(c, q) && !f->answers))
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		const struct fsi_avail_index_node n = fsi_avail_index_query_node(f, c, q, i);

		append_listed_node_from(&f->any_list, i, n.any_from);
		if (!f->has_one_list)
			append_listed_node_from(&f->share_list, i, n.share_from);
	}
	return sort_node_list(&f->any_list, c->words) || (!f->has_one_list && sort_node_list(&f->share_list, c->words))
		       ? -1
		       : 0;
}

/* ---- recent nodes: nodes that changed after the last update of the lists of an index entry */

/* Updates the list l of an index entry. For each node that changed after the last update, replaces the moment in l
 * by the moment in f->recent. `much`: true if l is f->share_list, false if l is f->any_list. Returns -1 if out of
 * memory. */
static int merge_recent_nodes(struct fsi_avail_index_list *l, const struct fsi_avail_index *f, uint32_t words,
			      bool much)
{
	struct fsi_avail_index_list add = { .v = malloc((FSI_AVAIL_INDEX_RECENT + 1) * sizeof(*add.v)) };
	uint32_t cached = 0, added;

	if (!add.v)
		return -1;
	for (uint32_t k = 0; k < f->nrecent; k++)
		append_listed_node_from(&add, f->recent[k].node,
					much ? f->recent[k].share_from : f->recent[k].any_from);
	qsort(add.v, add.n, sizeof(*add.v), compare_by_moment);
	added = add.n;
	for (uint32_t k = 0; k < l->n; k++)
		if (!fsi_bit_is_set(f->is_recent, l->v[k].node))
			l->v[cached++] = l->v[k];
	for (l->n = cached; add.n; add.n--) {
		const uint32_t at = count_listed_until(l, add.v[add.n - 1].from);

		memmove(&l->v[at + add.n], &l->v[at], (l->n - at) * sizeof(*l->v));
		l->v[at + add.n - 1] = add.v[add.n - 1];
		l->n = at;
	}
	l->n = cached + added;
	free(add.v);
	return make_prefix_sets(l, words);
}

static int list_recent_nodes(struct fsi_avail_index *f, uint32_t words)
{
	if (merge_recent_nodes(&f->any_list, f, words, false) ||
	    (!f->has_one_list && merge_recent_nodes(&f->share_list, f, words, true)))
		return -1;
	f->nlisted_changes = f->nseen_changes;
	clear_recent_nodes(f, words);
	return 0;
}

static struct fsi_avail_index_node *get_recent_node(struct fsi_avail_index *f, uint32_t node)
{
	for (uint32_t k = 0; fsi_bit_is_set(f->is_recent, node); k++)
		if (f->recent[k].node == node)
			return &f->recent[k];
	fsi_bit_set(f->is_recent, node);
	return &f->recent[f->nrecent++];
}

/* Queries the nodes that have changed since the entry was last brought up to date. Stores in f->recent the moments from
 * which these nodes have capacity. Returns -1 if out of memory. */
static int catch_up_with_changes(struct fsi_avail_index *f, const struct fsi_avail_index_table *t,
				 const struct fsi_cluster *c, const struct fsi_request *q)
{
	while (f->nseen_changes < t->change.n) {
		const uint32_t node = t->change.v[f->nseen_changes].node;

		if (f->nrecent == FSI_AVAIL_INDEX_RECENT && !fsi_bit_is_set(f->is_recent, node)) {
			f->max_listed_changes = (uint32_t)t->change.n;
			if (list_recent_nodes(f, c->words))
				return -1;
		}
		*get_recent_node(f, node) = fsi_avail_index_query_node(f, c, q, node);
		if (f->answers)
			f->answers[node].until = INT64_MIN;
		f->nseen_changes++;
	}
	return 0;
}

/* Returns the CPUs of the request divided by its maximum number of nodes, rounded up. At least one node must give this
 * number of CPUs to the request. */
static int64_t compute_min_share(const struct fsi_request *q)
{
	const int64_t nodes = fsi_request_get_max_nodes(q);

	return q->cpu.total / nodes + (q->cpu.total % nodes != 0);
}

/* Returns true if the request can get at least `share` CPUs on each node that has capacity for the request. A node with
 * capacity gives the CPUs of at least one task. If the request may get only one node, a node with capacity gives the
 * CPUs of all tasks, except with select/linear (fsi_avail_compute_cpus). */
static bool is_share_guaranteed(const struct fsi_cluster *c, const struct fsi_request *q, int64_t share)
{
	return share <= (q->nodes.max == 1 && q->cpu.tasks && !c->requests.linear ? q->cpu.tasks * q->cpu.per_task
										  : q->cpu.per_task);
}

/* Returns true if the entry has no lists, or if there are so many new changes that making new lists is less work than
 * updating the lists. */
static bool needs_new_lists(const struct fsi_avail_index *f, const struct fsi_avail_index_table *t,
			    const struct fsi_cluster *c)
{
	return !f->is_recent || !f->any_list.set || (!f->has_one_list && !f->share_list.set) ||
	       t->change.n - f->nseen_changes > c->nnodes;
}

/* Returns NULL if out of memory. */
static struct fsi_avail_index *make_empty_entry(const struct fsi_cluster *c, const struct fsi_request *q, int64_t share)
{
	struct fsi_avail_index *f = calloc(1, sizeof(*f));

	if (f) {
		f->min_share = share;
		f->has_one_list = is_share_guaranteed(c, q, share);
	}
	return f;
}

const struct fsi_avail_index *fsi_avail_index_find_entry(struct fsi_avail_index_table *t, const struct fsi_cluster *c,
							 const struct fsi_request *q)
{
	int64_t key[INDEX_KEY_SIZE];
	const int64_t share = compute_min_share(q);
	struct fsi_avail_index *f;
	uint32_t id;

	if (q->preempt.jobs || q->unreserved_cpus || FSI_VEC_RESERVE(&t->entry))
		return NULL;
	fill_index_key(key, q, share, c->rules.any_oversubscribe);
	id = t->entry.n < MAX_INDEX_ENTRIES ? fsi_intern_add(&t->keys, key, sizeof(key))
					    : fsi_intern_find_id(&t->keys, key, sizeof(key));
	if (!id || id == FSI_INTERN_FAILED)
		return NULL;
	if (id > t->entry.n)
		t->entry.v[t->entry.n++] = make_empty_entry(c, q, share);
	f = t->entry.v[id - 1];
	if (!f)
		return NULL;
	if (needs_new_lists(f, t, c)) {
		f->nlisted_changes = f->nseen_changes = f->max_listed_changes = (uint32_t)t->change.n;
		return fill_entry_lists(f, c, q) ? NULL : f;
	}
	return catch_up_with_changes(f, t, c, q) ? NULL : f;
}

/* ---- request cache
 *
 * The result of a failed try is valid for all later equal requests of the cycle, because a cycle never frees nodes. If
 * too few nodes are free, or too few jobs end in time, a later equal request fails too. There is one exception: if a
 * try failed because the search rejected the start that the select plugin returned, a later search with other start
 * times may accept this start. The plugin is then called again. */

enum { CACHE_KEY_SIZE = 25, MAX_TRIES = 1024 };

static void fill_cache_key(int64_t *f, const struct fsi_request *q)
{
	memset(f, 0, CACHE_KEY_SIZE * sizeof(*f));
	f[0] = q->partition;
	f[1] = q->limit_s;
	f[2] = (int64_t)q->nodes.min << 32 | q->nodes.max;
	f[3] = (int64_t)q->sharing.oversubscribe << 32 | q->nodes.wanted;
	f[4] = q->cpu.total;
	f[5] = q->cpu.per_task;
	f[6] = q->cpu.min_per_node;
	f[7] = q->cpu.tasks;
	f[8] = q->cpu.max_per_node;
	f[9] = q->mem.per_cpu;
	memcpy(&f[10], &q->per_node[FSI_RES_MEM], (FSI_RES_MAX - 1) * sizeof(*f));
	f[17] = q->sharing.whole_nodes | q->nodes.contiguous << 1 | q->nodes.least_loaded_first << 2 |
		q->cpu.one_task_per_core << 3 | q->mem.whole_node << 4 | q->cpu.needs_all_free_cpus << 5 |
		q->cpu.max_core_threads << 6;
	f[18] = (int64_t)q->gpu.total << 32 | q->gpu.per_task;
	f[19] = (int64_t)q->gpu.cpus_per_gpu << 1 | q->gpu.cpus_per_gpu_requested;
	f[20] = q->gpu.mem_per_gpu;
	f[21] = q->gpu.max_cpus;
	f[22] = q->cpu.max_per_socket;
	f[23] = q->cpu.max_for_tasks;
	f[24] = q->full_limit_s;
}

struct fsi_cached_request *fsi_request_cache_find_entry(struct fsi_request_cache *m, const struct fsi_request *q)
{
	int64_t key[CACHE_KEY_SIZE];
	uint32_t id;

	if (q->set.allowed || q->set.required || q->preempt.jobs || q->sharing.exclusive_user ||
	    q->nodes.max_switches || q->reservation != FSI_NO_INDEX || FSI_VEC_RESERVE(&m->entry))
		return NULL;
	fill_cache_key(key, q);
	id = fsi_intern_add(&m->keys, key, sizeof(key));
	if (id == FSI_INTERN_FAILED)
		return NULL;
	if (id > m->entry.n)
		m->entry.v[m->entry.n++] =
			(struct fsi_cached_request){ .start_round = UINT32_MAX, .wait_round = UINT32_MAX };
	return &m->entry.v[id - 1];
}

void fsi_request_cache_add_try(struct fsi_failed_tries *t, struct fsi_failed_try tried)
{
	struct fsi_failed_try *last = t->n ? &t->v[t->n - 1] : NULL;

	if (last && last->too_few_nodes && tried.too_few_nodes && tried.start <= last->until)
		last->until = tried.until > last->until ? tried.until : last->until;
	else if (t->n < MAX_TRIES && !FSI_VEC_RESERVE(t))
		t->v[t->n++] = tried;
}

const struct fsi_failed_try *fsi_request_cache_find_try(const struct fsi_failed_tries *t, int64_t start, size_t *at)
{
	while (*at + 1 < t->n && t->v[*at + 1].start <= start)
		++*at;
	return *at < t->n && t->v[*at].start <= start && t->v[*at].until > start ? &t->v[*at] : NULL;
}

void fsi_request_cache_release(struct fsi_request_cache *m)
{
	for (size_t i = 0; i < m->entry.n; i++) {
		free(m->entry.v[i].node);
		FSI_VEC_FREE(&m->entry.v[i].tries);
	}
	FSI_VEC_FREE(&m->entry);
	fsi_intern_release(&m->keys);
	*m = (struct fsi_request_cache){ 0 };
}

/* ---- earliest start of a request
 *
 * As time passes, running jobs only free resources. A node therefore has enough capacity from a certain time on, except
 * while a planned job or a reservation blocks it. A heap contains the next change of each node. The search processes
 * the changes in order of time, and queries a node only when the node changes. */

/* ---- heap of changes, sorted by time. At equal times, changes with is_stop come first, and then the lowest node
 * index. */

static bool is_change_earlier(const struct fsi_avail_change *a, const struct fsi_avail_change *b)
{
	if (a->when != b->when)
		return a->when < b->when;
	if (a->is_stop != b->is_stop)
		return a->is_stop;
	return a->node < b->node;
}

static void sift_change_down(struct fsi_earliest_search *s, uint32_t i)
{
	const struct fsi_avail_change e = s->heap[i];

	for (uint32_t k; (k = 2 * i + 1) < s->nheap; i = k) {
		if (k + 1 < s->nheap && is_change_earlier(&s->heap[k + 1], &s->heap[k]))
			k++;
		if (!is_change_earlier(&s->heap[k], &e))
			break;
		s->heap[i] = s->heap[k];
	}
	s->heap[i] = e;
}

/* Replaces the top of the heap by the node's next change. `when` INT64_MAX: there is no next change; the top is
 * removed. */
static void replace_top_change(struct fsi_earliest_search *s, int64_t when, bool stop)
{
	if (when == INT64_MAX) {
		s->heap[0] = s->heap[--s->nheap];
	} else {
		s->heap[0].when = when;
		s->heap[0].is_stop = stop;
	}
	if (s->nheap)
		sift_change_down(s, 0);
}

/* ---- the search for the earliest start */

struct start_search {
	const struct fsi_cluster *c;
	const struct fsi_request *q;
	enum fsi_avail_constraints constraints;
	int64_t latest_start; /* latest start that the job's reservation allows; INT64_MAX: no limit */
	/* numbers of CPUs, nodes and required nodes that are available at the current time of the search */
	int64_t cpus;
	uint32_t nodes, required;
};

/* Returns the first time, at or after `fit`, at which the request can start on node i; INT64_MAX: never. `fit`: time
 * from which running jobs leave the node enough capacity. */
static int64_t find_next_start(struct fsi_earliest_search *s, const struct start_search *w, uint32_t i, int64_t fit)
{
	int64_t from;

	if (fit == INT64_MAX)
		return INT64_MAX;
	from = fsi_avail_find_gap(&w->c->node[i], w->q, fit, w->constraints, &s->last_start[i]);
	if (from > w->latest_start)
		return INT64_MAX;
	if (s->last_start[i] > w->latest_start && w->latest_start != INT64_MAX)
		s->last_start[i] = w->latest_start;
	return from;
}

static bool is_search_candidate(const struct start_search *w, uint32_t i)
{
	return w->c->node[i].accepts_jobs && (!w->q->set.allowed || fsi_bit_is_set(w->q->set.allowed, i));
}

static void fill_change_heap(struct fsi_earliest_search *s, const struct start_search *w, int64_t from)
{
	const struct fsi_cluster_partition *p = &w->c->partition[w->q->partition];

	s->nheap = 0;
	for (uint32_t k = 0; k < p->nnodes; k++) {
		const uint32_t i = p->node[k];
		const int64_t not_before = w->c->node[i].closed_until;
		int64_t when;

		s->current_cpus[i] = 0;
		if (!is_search_candidate(w, i))
			continue;
		when = find_next_start(s, w, i,
				       fsi_avail_find_first_fit(w->c, i, w->q, from > not_before ? from : not_before));
		if (when != INT64_MAX)
			s->heap[s->nheap++] = (struct fsi_avail_change){ when, i, false };
	}
	for (uint32_t i = s->nheap / 2; i-- > 0;)
		sift_change_down(s, i);
}

static void set_current_cpus(struct fsi_earliest_search *s, struct start_search *w, uint32_t i, int64_t cpus)
{
	const int64_t old = s->current_cpus[i];

	s->current_cpus[i] = cpus;
	w->cpus += cpus - old;
	w->nodes += (cpus > 0);
	w->nodes -= (old > 0);
	if (w->q->set.required && fsi_bit_is_set(w->q->set.required, i)) {
		w->required += (cpus > 0);
		w->required -= (old > 0);
	}
}

/* Processes the change at the top of the heap, and replaces it by the node's next change. */
static void process_top_change(struct fsi_earliest_search *s, struct start_search *w)
{
	const struct fsi_avail_change e = s->heap[0];
	const struct fsi_cluster_node *n = &w->c->node[e.node];
	int64_t more;

	if (e.is_stop) {
		set_current_cpus(s, w, e.node, 0);
		replace_top_change(
			s, find_next_start(s, w, e.node, fsi_avail_find_first_fit(w->c, e.node, w->q, e.when)), false);
		return;
	}
	set_current_cpus(s, w, e.node,
			 fsi_avail_get_cpus(w->c, e.node, w->q, (struct fsi_end_moment){ e.when, UINT64_MAX }));
	more = fsi_avail_find_next_end(n, e.when);
	if (s->last_start[e.node] != INT64_MAX && more > s->last_start[e.node])
		replace_top_change(s, s->last_start[e.node] + 1, true);
	else
		replace_top_change(s, more, false);
}

static bool choose_current_nodes(const struct fsi_earliest_search *s, const struct start_search *w, int64_t when,
				 struct fsi_selection *choice)
{
	const struct fsi_request *q = w->q;
	const struct fsi_cluster_partition *p = &w->c->partition[q->partition];
	const struct fsi_end_moment at = { when, UINT64_MAX };

	if (w->nodes < q->nodes.min || w->required < q->set.nrequired || w->cpus < q->cpu.total)
		return false;
	choice->ncandidates = 0;
	for (uint32_t k = 0; k < p->nnodes; k++)
		if (s->current_cpus[p->node[k]] > 0) {
			const uint32_t i = p->node[k];

			choice->cpus[i] = s->current_cpus[i];
			choice->candidates[choice->ncandidates++] = i;
			if (q->gpu.per_node)
				choice->gpus[i] = fsi_avail_get_at_moment(w->c, i, q, at).gpus;
		}
	return fsi_select_choose_nodes(choice, w->c, q);
}

/* Returns the end of the reservation that the job asks for; INT64_MAX: none. Raises *from to the start of that
 * reservation. */
static int64_t get_reservation_window(const struct fsi_cluster *c, const struct fsi_request *q, int64_t *from)
{
	const struct fsi_reservation *r;

	if (q->reservation == FSI_NO_INDEX)
		return INT64_MAX;
	r = &c->m->reservation.v[q->reservation];
	if (FSI_HAS(r, RESERVATION, start_time) && r->start_time > *from)
		*from = r->start_time;
	return FSI_HAS(r, RESERVATION, end_time) ? r->end_time : INT64_MAX;
}

int64_t fsi_select_find_earliest_start(struct fsi_earliest_search *s, struct fsi_selection *choice,
				       const struct fsi_cluster *c, const struct fsi_request *q, int64_t from,
				       enum fsi_avail_constraints constraints)
{
	struct start_search w = { .c = c, .q = q, .constraints = constraints };

	choice->busy_first = false;
	w.latest_start = get_reservation_window(c, q, &from);
	if (q->impossible || w.latest_start < from || (q->nodes.max && q->nodes.min > q->nodes.max))
		return INT64_MAX;
	fill_change_heap(s, &w, from);
	while (s->nheap) {
		const int64_t when = s->heap[0].when;

		while (s->nheap && s->heap[0].when == when)
			process_top_change(s, &w);
		if (choose_current_nodes(s, &w, when, choice))
			return when;
	}
	return INT64_MAX;
}

int fsi_earliest_search_init(struct fsi_earliest_search *s, const struct fsi_cluster *c)
{
	const size_t n = (size_t)c->nnodes + 1;

	*s = (struct fsi_earliest_search){
		.heap = calloc(n, sizeof(*s->heap)),
		.current_cpus = calloc(n, sizeof(*s->current_cpus)),
		.last_start = calloc(n, sizeof(*s->last_start)),
	};
	return s->heap && s->current_cpus && s->last_start ? 0 : -1;
}

void fsi_earliest_search_release(struct fsi_earliest_search *s)
{
	free(s->heap);
	free(s->current_cpus);
	free(s->last_start);
}
