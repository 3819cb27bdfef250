#include "select/choose.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* A selection of nodes in progress: the resources that are still missing, and the resources that may still be taken.
 * Slurm computes these amounts in _cpus_to_use. */

struct node_selection {
	struct fsi_selection *s;
	const struct fsi_cluster *c;
	const struct fsi_request *q;
	const uint32_t *cand;
	const int64_t *available_cpus; /* available_cpus[node]: CPUs that the node can give if it is taken */
	int64_t max_node_cpus;	     /* largest number of CPUs that a candidate can give */
	/* true: the current evaluation has lowered the number of CPUs that a candidate can give */
	bool cpus_reduced;
	int64_t wanted_nodes;	     /* number of nodes that the current evaluation tries to select */
	/* true: the last evaluation failed because the selected nodes are on more switches than the request allows */
	bool too_many_switches;
	uint32_t n, nruns;
	uint32_t nremaining; /* number of candidates that have not been dropped */
	uint32_t drop_quota; /* number of candidates that drop_size_from_runs may still drop */
	/* true: node runs are split at dropped candidates, and `cand` still includes the dropped candidates */
	bool runs_split;
	int64_t min_size; /* lower bound of the remaining candidates' sizes in CPUs; used only if node runs are split */
	/* `missing_cpus`: CPUs still missing; `max_more_cpus`: CPUs that may still be taken */
	int64_t missing_cpus, max_more_cpus;
	/* maximum number of CPUs to take on one node (get_max_node_cpus) */
	int64_t max_cpus_on_node;
	/* `missing_nodes`: nodes to take until the wanted number is reached; `missing_min_nodes`: nodes to take until
	 * the minimum is reached; `max_more_nodes`: nodes that may still be taken */
	int64_t missing_nodes, missing_min_nodes, max_more_nodes;
	int64_t missing_gpus;		    /* GPUs still missing if GPUs are requested as a total */
};

static inline bool is_selection_complete(const struct node_selection *g)
{
	return g->missing_nodes <= 0 && g->missing_cpus <= 0 && g->missing_gpus <= 0;
}

/* ---- allocating the memory that node selections use */

/* Allocates the node sets of all switches, and s->node_sets, in one memory block; the set of the first switch is at the
 * beginning of that block. Returns -1 if out of memory. */
static int init_switch_sets(struct fsi_selection *s, const struct fsi_cluster *c)
{
	const size_t sets = (size_t)c->topology.nswitches + sizeof(s->node_sets) / sizeof(*s->node_sets);
	uint64_t *sets_memory = calloc(sets * c->words, sizeof(*sets_memory));

	s->switch_state = calloc(c->topology.nswitches, sizeof(*s->switch_state));
	if (!s->switch_state || !sets_memory) {
		free(sets_memory);
		return -1;
	}
	for (uint32_t i = 0; i < c->topology.nswitches; i++, sets_memory += c->words)
		s->switch_state[i].nodes = sets_memory;
	for (size_t i = 0; i < sizeof(s->node_sets) / sizeof(*s->node_sets); i++, sets_memory += c->words)
		s->node_sets[i] = sets_memory;
	return 0;
}

int fsi_selection_init(struct fsi_selection *s, const struct fsi_cluster *c)
{
	const size_t n = (size_t)c->nnodes + 1;

	*s = (struct fsi_selection){
		.candidates = calloc(n, sizeof(*s->candidates)),
		.cpus = calloc(n, sizeof(*s->cpus)),
		.gpus = calloc(n, sizeof(*s->gpus)),
		.size = calloc(n, sizeof(*s->size)),
		.limited_cpus = calloc(n, sizeof(*s->limited_cpus)),
		.weight = calloc(n, sizeof(*s->weight)),
		.taken_cpus = malloc(n * sizeof(*s->taken_cpus)),
		.taken = calloc(n, sizeof(*s->taken)),
		.runs = calloc(n, sizeof(*s->runs)),
		.split_runs = calloc(n, sizeof(*s->split_runs)),
		.remaining = calloc(n, sizeof(*s->remaining)),
		.cpus_before = calloc(n, sizeof(*s->cpus_before)),
		.next_of_size = calloc(n, sizeof(*s->next_of_size)),
		.candidates_by_size = calloc(FSI_SELECT_MAX_LISTED_SIZE + 1, sizeof(*s->candidates_by_size)),
		.node = calloc(n, sizeof(*s->node)),
		.node_cpus = calloc(n, sizeof(*s->node_cpus)),
	};
	if (!s->candidates || !s->cpus || !s->gpus || !s->size || !s->limited_cpus || !s->weight || !s->taken_cpus ||
	    !s->taken || !s->runs || !s->split_runs || !s->remaining || !s->cpus_before || !s->next_of_size ||
	    !s->candidates_by_size || !s->node || !s->node_cpus)
		return -1;
	for (size_t i = 0; i < n; i++)
		s->taken_cpus[i] = -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		s->weight[i] = c->node[i].weight << 8 | FSI_SELECT_NO_GPUS;
	return c->topology.nswitches ? init_switch_sets(s, c) : 0;
}

void fsi_selection_release(struct fsi_selection *s)
{
	if (s->switch_state)
		free(s->switch_state[0].nodes);
	free(s->switch_state);
	free(s->candidates);
	free(s->cpus);
	free(s->gpus);
	free(s->size);
	free(s->limited_cpus);
	free(s->weight);
	free(s->taken_cpus);
	free(s->taken);
	free(s->runs);
	free(s->split_runs);
	free(s->remaining);
	free(s->cpus_before);
	free(s->next_of_size);
	free(s->candidates_by_size);
	free(s->node);
	free(s->node_cpus);
}

static bool is_candidate_required(const struct node_selection *g, uint32_t i)
{
	return g->q->set.required && fsi_bit_is_set(g->q->set.required, i);
}

/* Returns the size of candidate i; the smallest candidates are dropped first. If candidates are dropped one by one, the
 * size is fsi_selection.size. Otherwise the size is the number of CPUs, plus the number of GPUs if the request wants
 * GPUs. */
static int64_t get_candidate_size(const struct node_selection *g, uint32_t i)
{
	if (g->c->rules.drops_nodes_singly)
		return g->s->size[i];
	return g->s->cpus[i] + (g->q->gpu.per_node ? g->s->gpus[i] : 0);
}

/* Returns true if the selection reaches the request's minimum number of nodes with n more nodes. The wanted number of
 * nodes need not be reached (_enough_nodes). */
static bool is_node_count_enough(const struct node_selection *g, int64_t n)
{
	const int64_t more = (int64_t)g->wanted_nodes - g->q->nodes.min;

	return n >= g->missing_nodes - (more > 0 ? more : 0);
}

/* Returns the number of GPUs that the request can use if `gpus` GPUs and `cpus` CPUs are free
 * (select/cons_common/gres_select_filter.c: gres_select_filter_remove_unusable, near_gpus). */
static int64_t count_usable_gpus(const struct fsi_request *q, int64_t cpus, int64_t gpus)
{
	const int64_t all = q->gpu.total ? q->gpu.total : q->gpu.per_task * q->cpu.tasks;
	int64_t n = all || q->sharing.whole_nodes ? gpus : q->gpu.per_node;

	if (all && n > all && !q->sharing.whole_nodes)
		n = all;
	if (q->gpu.cpus_per_gpu && n > cpus / q->gpu.cpus_per_gpu)
		n = cpus / q->gpu.cpus_per_gpu;
	return n < FSI_SELECT_NO_GPUS ? n : FSI_SELECT_NO_GPUS;
}

/* Sets the weight of a node that could give the request `cpus` CPUs and `gpus` GPUs. Among nodes with the same
 * configured weight, nodes with more usable GPUs get a lower weight (select/cons_tres/job_test.c: can_job_run_on_node,
 * sched_weight; from 19.05 on). */
static void set_node_weight(struct fsi_selection *s, const struct fsi_request *q, uint32_t node, int64_t cpus,
			    int64_t gpus)
{
	s->weight[node] =
		(s->weight[node] | FSI_SELECT_NO_GPUS) - (q->gpu.per_node ? count_usable_gpus(q, cpus, gpus) : 0);
}

/* Sets the weights of the candidates. If s->keeps_weights is set and the request wants no GPUs, does nothing, so that
 * the weights set for earlier requests remain. */
static void weigh_all_candidates(struct node_selection *g)
{
	for (uint32_t k = 0; (g->q->gpu.per_node || !g->s->keeps_weights) && k < g->n; k++)
		set_node_weight(g->s, g->q, g->cand[k], g->s->cpus[g->cand[k]],
				g->q->gpu.per_node ? g->s->gpus[g->cand[k]] : 0);
}

void fsi_select_weigh_unused_node(struct fsi_selection *s, const struct fsi_cluster *c, const struct fsi_request *q,
				  uint32_t node, struct fsi_end_moment at)
{
	const struct fsi_node_avail avail = fsi_avail_get_beside_cpus(c, node, q, at, 0);

	if (avail.cpus > 0)
		set_node_weight(s, q, node, avail.cpus, avail.gpus);
}

void fsi_select_reset_weights(struct fsi_selection *s, const struct fsi_cluster_partition *part,
			      const struct fsi_request *q)
{
	uint32_t next = 0;

	for (uint32_t k = 0; k < part->nnodes; k++) {
		const uint32_t i = part->node[k];

		while (q->gpu.per_node && next < s->ncandidates && s->candidates[next] < i)
			next++;
		if ((!q->gpu.per_node || next == s->ncandidates || s->candidates[next] != i) &&
		    (!q->set.allowed || fsi_bit_is_set(q->set.allowed, i)))
			s->weight[i] |= FSI_SELECT_NO_GPUS;
	}
}

/* Returns the number of CPUs to reserve for each further node when node n is taken: the CPUs of one core of node n;
 * under CR_Socket, the CPUs of one socket of node n. */
static int64_t get_cpus_for_others(const struct fsi_cluster *c, const struct fsi_cluster_node *n)
{
	return c->rules.whole_sockets && n->sockets ? n->total[FSI_RES_CPU] / n->sockets : n->threads_per_core;
}

/* Returns the number of CPUs to take on node i. If the request wants whole nodes, returns all available CPUs of the
 * node. Otherwise returns at most the CPUs that may still be taken, minus the CPUs reserved for further nodes. This
 * maximum is never less than q->cpu.min_per_node. */
static int64_t compute_cpus_to_use(struct node_selection *g, uint32_t i)
{
	int64_t max = g->max_more_cpus, cpus = g->available_cpus[i];

	if (g->q->sharing.whole_nodes)
		return cpus;
	if (g->missing_min_nodes > 1)
		max -= (g->missing_min_nodes - 1) * get_cpus_for_others(g->c, &g->c->node[i]);
	if (cpus > max) {
		cpus = max > g->q->cpu.min_per_node ? max : g->q->cpu.min_per_node;
		g->cpus_reduced = g->cpus_reduced || g->s->cpus[i] != cpus;
		g->s->cpus[i] = cpus;
	}
	return cpus;
}

/* Takes free GPUs of node i, at most as many as the node has CPUs for. Returns the number of CPUs to take on the node.
 * If the job requested CPUs per GPU and GPUs are taken, returns the number of CPUs for the taken GPUs; otherwise
 * returns `cpus` (select/cons_common/gres_select_filter.c: gres_select_filter_sock_core; cons_tres/gres_sched.c:
 * gres_sched_add). */
static int64_t take_node_gpus(struct node_selection *g, uint32_t i, int64_t cpus)
{
	const int64_t each = g->q->gpu.cpus_per_gpu, free = g->s->gpus[i],
		      of = g->q->gpu.cpus_per_gpu_requested ? cpus : g->available_cpus[i],
		      gpus = each && of / each < free ? of / each : free;

	g->missing_gpus -= gpus;
	return g->q->gpu.cpus_per_gpu_requested && gpus ? gpus * each : cpus;
}

/* Adds node i, which must not be taken yet, to the taken nodes. */
static void take_free_node(struct node_selection *g, uint32_t i)
{
	int64_t cpus = compute_cpus_to_use(g, i);

	if (g->q->gpu.total)
		cpus = take_node_gpus(g, i, cpus);
	g->s->taken_cpus[i] = cpus;
	g->s->taken[g->s->ntaken++] = i;
	g->missing_cpus -= cpus;
	g->max_more_cpus -= cpus;
	g->missing_nodes--;
	g->missing_min_nodes--;
	g->max_more_nodes--;
}

/* Stores the taken nodes as the result of the selection. Returns true. */
static bool store_taken_result(struct fsi_selection *s)
{
	s->nnodes = s->ntaken;
	memcpy(s->node, s->taken, s->ntaken * sizeof(*s->node));
	qsort(s->node, s->nnodes, sizeof(*s->node), fsi_compare_rising_u32);
	for (uint32_t k = 0; k < s->nnodes; k++)
		s->node_cpus[k] = s->taken_cpus[s->node[k]];
	return true;
}

/* Undoes the last evaluation: marks the nodes taken by it as not taken. */
static void release_taken_nodes(struct fsi_selection *s)
{
	while (s->ntaken)
		s->taken_cpus[s->taken[--s->ntaken]] = -1;
}

/* ---- taking nodes one after the other by weight (select/cons_tres/job_test.c: _eval_nodes_busy, _eval_nodes_lln,
 * _eval_nodes_serial)
 *
 * Nodes of the same weight are taken in one of three orders (enum fsi_node_rank): nodes in use before idle nodes; nodes
 * with the largest fraction of free CPUs first; or the last node first. */

struct rank_iterator {
	const struct fsi_selection *s;
	const uint32_t *cand;
	uint32_t n;
	const struct fsi_cluster *c;
	enum fsi_node_rank order;
	int64_t weight;
	/* position of the last visited candidate; FSI_NO_INDEX: no candidate of this weight has been visited */
	uint32_t last_visited;
	/* CPUs that the candidate at position `last_visited` could give to the request before the candidate was
	 * taken */
	int64_t cpus_of_last;
};

/* Returns the number of CPUs that the candidate at position `place` could give before it was taken. Slurm stores this
 * number in avail_res_t.max_cpus, which _cpus_to_use does not lower. */
static int64_t get_ranked_cpus(const struct rank_iterator *r, uint32_t place)
{
	return place == r->last_visited ? r->cpus_of_last : r->s->cpus[r->cand[place]];
}

/* Returns true if the candidate at position a precedes the candidate at position b; both have the same weight. If their
 * ranks are equal too, the lower position precedes. */
static bool is_ranked_before(const struct rank_iterator *r, uint32_t a, uint32_t b)
{
	const uint32_t i = r->cand[a], k = r->cand[b];
	const struct fsi_cluster_node *m = &r->c->node[i], *n = &r->c->node[k];

	if (r->order == FSI_RANK_LAST)
		return a > b;
	if (r->order == FSI_RANK_LEAST_LOADED) {
		const int64_t x = get_ranked_cpus(r, a) * n->total[FSI_RES_CPU],
			      y = get_ranked_cpus(r, b) * m->total[FSI_RES_CPU];

		if (x != y)
			return x > y;
	} else if ((m->hold.n == 0) != (n->hold.n == 0)) {
		return n->hold.n == 0;
	}
	return a < b;
}

static uint32_t find_next_of_weight(const struct rank_iterator *r)
{
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t k = 0; k < r->n; k++)
		if (r->s->weight[r->cand[k]] == r->weight && r->s->taken_cpus[r->cand[k]] < 0 &&
		    (r->last_visited == FSI_NO_INDEX || is_ranked_before(r, r->last_visited, k)) &&
		    (best == FSI_NO_INDEX || is_ranked_before(r, k, best)))
			best = k;
	return best;
}

/* Sets *last to the next higher weight: the lowest weight of the n candidates that is above the old value of *last.
 * Returns false if there is no such weight. `without`: the bits that are ignored in each weight, 0 or
 * FSI_SELECT_NO_GPUS. */
static bool find_next_weight(const struct fsi_selection *s, const uint32_t *cand, uint32_t n, int64_t without,
			     int64_t *last)
{
	int64_t weight = INT64_MAX;

	for (uint32_t k = 0; k < n; k++) {
		const int64_t w = s->weight[cand[k]] | without;

		if (w > *last && w < weight)
			weight = w;
	}
	*last = weight;
	return weight != INT64_MAX;
}

/* Calls `take` for each of the n candidates, in order of weight and then of rank, until `take` returns false. */
static void visit_nodes_by_rank(const struct fsi_selection *s, const uint32_t *cand, uint32_t n,
				const struct fsi_cluster *c, enum fsi_node_rank by,
				bool (*take)(void *ctx, uint32_t node), void *ctx)
{
	struct rank_iterator r = { .s = s, .cand = cand, .n = n, .c = c, .order = by, .weight = -1 };
	while (find_next_weight(s, cand, n, 0, &r.weight)) {
		r.last_visited = FSI_NO_INDEX;
		while ((r.last_visited = find_next_of_weight(&r)) != FSI_NO_INDEX) {
			r.cpus_of_last = s->cpus[cand[r.last_visited]];
			if (!take(ctx, cand[r.last_visited]))
				return;
		}
	}
}

/* ---- node runs: neighbouring candidates of the same weight (select/cons_tres/job_test.c: _eval_nodes)
 *
 * After candidates were dropped, the node runs are either computed again from the remaining candidates, or split at the
 * dropped candidates (begin_run_splitting). */

/* Returns the node run, a sequence of neighbouring candidates of the same weight, that begins at position k. */
static struct fsi_node_run read_candidate_run(const struct node_selection *g, uint32_t k)
{
	struct fsi_node_run r = { .first = k, .first_required = FSI_NO_INDEX };
	int64_t cpus = 0;
	uint32_t left = 0;

	do {
		const uint32_t i = g->cand[k];
		const int64_t weight = g->s->weight[i];

		if (left && weight != r.weight && !g->q->nodes.contiguous)
			break;
		if (is_candidate_required(g, i)) {
			r.first_required = r.first_required == FSI_NO_INDEX ? k : r.first_required;
			continue;
		}
		cpus += g->available_cpus[i];
		r.weight = weight;
		left++;
	} while (++k < g->n && g->cand[k] == g->cand[k - 1] + 1);
	r.end = k;
	r.cpus = cpus;
	r.free_nodes = left;
	return r;
}

/* Divides all candidates into node runs (groups of neighboring nodes). Omits runs that consist only of required
 * nodes. */
static void make_candidate_runs(struct node_selection *g)
{
	g->nruns = 0;
	for (uint32_t k = 0; k < g->n;) {
		struct fsi_node_run *r = &g->s->runs[g->nruns];

		*r = read_candidate_run(g, k);
		g->nruns += r->free_nodes > 0;
		k = r->end;
	}
}

static bool has_run_enough_gpus(const struct node_selection *g, const struct fsi_node_run *r)
{
	int64_t gpus = 0;

	for (uint32_t k = r->first; g->q->gpu.total && k < r->end; k++)
		if (!is_candidate_required(g, g->cand[k]))
			gpus += g->s->gpus[g->cand[k]];
	return !g->q->gpu.total || gpus >= g->missing_gpus;
}

/* Returns true if the nodes of run r (a group of neighboring candidates) alone have all CPUs, nodes and GPUs that the
 * request still needs. */
static bool is_run_sufficient(const struct node_selection *g, const struct fsi_node_run *r)
{
	return r->cpus >= g->missing_cpus && is_node_count_enough(g, r->free_nodes) && has_run_enough_gpus(g, r);
}

/* Returns true if node run r is taken before node run `best`, the best node run compared so far. `fits`, `best_fits`: r
 * or `best` alone suffices for the request (is_run_sufficient). The result of the search depends on the order of the
 * node runs: if `best` suffices, a later run of the same weight with more CPUs replaces `best` even if the later run
 * does not suffice. */
static bool is_run_better(const struct node_selection *g, const struct fsi_node_run *r, bool fits,
			  const struct fsi_node_run *best, bool best_fits)
{
	if (best && g->q->nodes.contiguous && fits && !best_fits)
		return true;
	if (!best || (best->first_required == FSI_NO_INDEX && r->first_required != FSI_NO_INDEX) ||
	    r->weight < best->weight)
		return true;
	if (r->weight != best->weight)
		return false;
	return (fits && !best_fits) || (fits ? r->cpus < best->cpus : r->cpus > best->cpus);
}

/* Returns true if node run r cannot be better than node run `best`. In this case both runs have the same weight. In
 * addition, r has no required node, fewer CPUs than are missing, and at most as many CPUs as `best`. This test is
 * faster than is_run_sufficient. */
static bool is_run_never_better(const struct fsi_node_run *r, const struct fsi_node_run *best, int64_t cpus_left)
{
	return best && r->cpus <= best->cpus && r->cpus < cpus_left && r->weight == best->weight &&
	       r->first_required == FSI_NO_INDEX;
}

/* Returns the range of neighbouring nodes to take nodes from next; NULL: no range has a free node. */
static struct fsi_node_run *find_best_run(struct node_selection *g)
{
	const int64_t cpus_left = g->missing_cpus;
	struct fsi_node_run *best = NULL;
	bool best_fits = false;

	for (struct fsi_node_run *r = g->s->runs; r < g->s->runs + g->nruns; r++) {
		bool fits;

		if (!r->free_nodes || is_run_never_better(r, best, cpus_left))
			continue;
		fits = is_run_sufficient(g, r);
		if (is_run_better(g, r, fits, best, best_fits)) {
			best = r;
			best_fits = fits;
		}
	}
	return best;
}

/* ---- splitting runs of neighbouring candidates at candidates that are dropped */

/* Makes a list of the candidates of each size (get_candidate_size), and sets s->cpus_before. Returns false if any
 * candidate has a size of FSI_SELECT_MAX_LISTED_SIZE or more. */
static bool list_candidates_by_size(struct node_selection *g)
{
	struct fsi_selection *s = g->s;

	memset(s->candidates_by_size, 0, FSI_SELECT_MAX_LISTED_SIZE * sizeof(*s->candidates_by_size));
	for (uint32_t k = g->n; k-- > 0;) {
		const int64_t size = get_candidate_size(g, g->cand[k]);

		if (size >= FSI_SELECT_MAX_LISTED_SIZE)
			return false;
		s->next_of_size[k] = s->candidates_by_size[size];
		s->candidates_by_size[size] = k + 1;
	}
	s->cpus_before[0] = 0;
	for (uint32_t k = 0; k < g->n; k++)
		s->cpus_before[k + 1] = s->cpus_before[k] + g->available_cpus[g->cand[k]];
	g->min_size = 0;
	return true;
}

/* Appends the part of node run `of` in positions [first, end) to s->split_runs, if that part is not empty. */
static void append_run_part(struct node_selection *g, const struct fsi_node_run *of, uint32_t first, uint32_t end)
{
	struct fsi_node_run *r = &g->s->split_runs[g->nruns];

	*r = *of;
	r->first = first;
	r->end = end;
	r->free_nodes = end - first;
	r->cpus = g->s->cpus_before[end] - g->s->cpus_before[first];
	g->nruns += first < end;
}

/* Drops nodes of one size from node run r. The parts of the run between the dropped nodes become runs of their own.
 * `*of_size`: 1 + position of the first node to drop; on return, 1 + position of the next node of the same size; 0:
 * none. */
static void split_candidate_run(struct node_selection *g, const struct fsi_node_run *r, uint32_t *of_size)
{
	uint32_t from = r->first;

	for (; *of_size && *of_size <= r->end && g->drop_quota && g->nremaining > g->q->nodes.min;
	     *of_size = g->s->next_of_size[from - 1]) {
		append_run_part(g, r, from, *of_size - 1);
		from = *of_size;
		g->nremaining--;
		g->drop_quota--;
	}
	append_run_part(g, r, from, r->end);
}

static void drop_size_from_runs(struct node_selection *g, uint32_t *of_size)
{
	struct fsi_selection *s = g->s;
	struct fsi_node_run *const run = s->runs;
	const uint32_t nruns = g->nruns;

	g->nruns = 0;
	for (uint32_t n = 0; n < nruns; n++)
		if (*of_size && *of_size <= run[n].end) {
			split_candidate_run(g, &run[n], of_size);
		} else {
			s->split_runs[g->nruns] = run[n];
			s->split_runs[g->nruns++].free_nodes = run[n].end - run[n].first;
		}
	s->runs = s->split_runs;
	s->split_runs = run;
}

/* Drops candidates of size `max` or less (fsi_selection.size) from the node runs, while the runs have more nodes than
 * the request's minimum. If a candidate is dropped, all nodes of the runs are marked as not taken
 * (fsi_node_run.free_nodes). Returns the value of `max` for the next call. */
static int64_t drop_sizes_from_runs(struct node_selection *g, int64_t max)
{
	uint32_t *of = g->s->candidates_by_size;

	g->drop_quota = UINT32_MAX;
	for (; g->min_size < FSI_SELECT_MAX_LISTED_SIZE; g->min_size++) {
		if (g->min_size <= max && of[g->min_size] && g->nremaining > g->q->nodes.min)
			drop_size_from_runs(g, &of[g->min_size]);
		if (of[g->min_size])
			break;
	}
	return g->min_size > max ? g->min_size : max + 1;
}

/* Finds the smallest size (fsi_selection.size) of the candidates in node runs (groups of neighbouring candidates).
 * Drops up to `most` candidates of this size from their node runs, in order of position. */
static void drop_smallest_from_runs(struct node_selection *g, uint32_t most)
{
	uint32_t *of = g->s->candidates_by_size;

	while (g->min_size < FSI_SELECT_MAX_LISTED_SIZE && !of[g->min_size])
		g->min_size++;
	g->drop_quota = most;
	if (g->min_size < FSI_SELECT_MAX_LISTED_SIZE)
		drop_size_from_runs(g, &of[g->min_size]);
}

/* Sets listed[] to the candidates that belong to a node run, in order of position. Returns their number. */
static uint32_t list_run_candidates(struct node_selection *g, uint32_t *listed)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->nruns; i++)
		for (uint32_t k = g->s->runs[i].first; k < g->s->runs[i].end; k++)
			listed[n++] = g->cand[k];
	return n;
}

/* ---- selection under topology/tree (until 23.11 select/cons_tres/job_test.c: _eval_nodes_topo; from 24.05
 * topology/tree/eval_nodes_tree.c, with the differences named below)
 *
 * Only nodes below one switch, the top switch, are used. The top switch is the highest switch that can hold the job. If
 * there are several, switches with a node of the lowest weight are preferred, and the last of them is used. If the
 * request has required nodes, the top switch is the highest switch that has a required node.
 *
 * Usable nodes are collected in order of weight, lowest first, until they suffice. From 23.02 on, the wanted number of
 * nodes must also be reached. The usable nodes are taken in this order:
 *   1. All usable nodes except the nodes of the highest weight.
 *   2. The other usable nodes of the leaf switches in use.
 *   3. The usable nodes of further leaves. To find the next leaf, each leaf is compared with the best leaf so far. A
 *      leaf suffices if it has all missing nodes and CPUs. If two leaves are equally near to the leaves in use, a leaf
 *      that suffices is better. If both suffice, the leaf with fewer nodes is better. If neither suffices, the switches
 *      above them are compared in the same way (_topo_compare_switches). If these do not suffice either, the leaf below
 *      the switch with more nodes is better. If a leaf is nearer than the best leaf so far, both are compared in the
 *      same way. From 24.05.3 on, the nearer leaf is better only if it suffices, or if the last compared switch above
 *      it suffices. Before 24.05.3, the nearer leaf is better unless the comparison finds that the other leaf is
 *      better.
 * The nodes of a leaf are taken in order of their index.
 *
 * A job with a maximum number of switches (--switches) waits a limited time for nodes on few enough switches. After
 * that time, it may start on more switches. From 23.02 on, if the selected nodes are on too many switches, the
 * selection is repeated with one node fewer, down to the minimum number of nodes. */

enum {
	SET_TAKEN,
	SET_USABLE,
	SET_LOWER_WEIGHTS
/* Indices in fsi_selection.node_sets. SET_TAKEN: nodes taken; SET_USABLE: nodes that may be taken; SET_LOWER_WEIGHTS:
 * the nodes of SET_USABLE except the nodes of the highest weight. */
};

/* The state of a selection of nodes by switches. */
struct switch_selection {
	struct node_selection *g;
	const struct fsi_cluster *c;
	struct fsi_selection *s;
	struct fsi_switch_state *at;
	uint32_t top_switch;
	bool has_lower_weights; /* true: the node set SET_LOWER_WEIGHTS is not empty */
};

static bool is_tree_node_required(const struct switch_selection *t, uint32_t i)
{
	return t->g->q->set.required && fsi_bit_is_set(t->g->q->set.required, i);
}

/* ---- the top switch */

/* Returns the lowest weight of the candidates below the switch. */
static int64_t get_min_switch_weight(const struct switch_selection *t, uint32_t sw)
{
	int64_t min = INT64_MAX;

	FSI_BITS_FOR_EACH(i, t->at[sw].nodes, t->c->words)
	{
		if (t->s->weight[i] < min)
			min = t->s->weight[i];
	}
	return min;
}

static void count_switch_nodes(struct switch_selection *t, uint32_t sw)
{
	struct fsi_switch_state *a = &t->at[sw];

	a->count = fsi_bits_count(a->nodes, t->c->words);
	a->cpus = 0;
	FSI_BITS_FOR_EACH(i, a->nodes, t->c->words)
	{
		a->cpus += t->s->cpus[i];
	}
}

static bool can_switch_hold_job(const struct switch_selection *t, uint32_t sw)
{
	return is_node_count_enough(t->g, t->at[sw].count) &&
	       (!t->c->topology.counts_cpus || t->g->missing_cpus <= t->at[sw].cpus);
}

static void find_top_switch(struct switch_selection *t)
{
	const uint64_t *required = t->g->q->set.required;
	int64_t weight = 0;

	if (t->c->work)
		*t->c->work += (uint64_t)t->c->topology.nswitches * t->c->words;
	t->top_switch = FSI_NO_INDEX;
	for (uint32_t k = 0; k < t->c->topology.nswitches; k++) {
		const uint32_t level = t->c->topology.switches[k].level;

		memcpy(t->at[k].nodes, t->c->topology.switches[k].nodes, t->c->words * sizeof(*t->at[k].nodes));
		fsi_bits_and(t->at[k].nodes, t->s->node_sets[SET_TAKEN], t->c->words);
		count_switch_nodes(t, k);
		t->at[k].in_use = required && fsi_bits_has_common(required, t->at[k].nodes, t->c->words);
		if (required) {
			if (t->at[k].in_use &&
			    (t->top_switch == FSI_NO_INDEX || level > t->c->topology.switches[t->top_switch].level))
				t->top_switch = k;
			continue;
		}
		if (!can_switch_hold_job(t, k) || !t->at[k].count)
			continue;
		if (t->top_switch == FSI_NO_INDEX ||
		    (level >= t->c->topology.switches[t->top_switch].level && get_min_switch_weight(t, k) <= weight)) {
			t->top_switch = k;
			weight = get_min_switch_weight(t, k);
		}
	}
}

/* ---- collecting the usable nodes, lowest weight first */

/* Returns the lowest weight of all candidates with a weight above `above`; INT64_MAX: there is no such candidate. */
static int64_t find_next_switch_weight(const struct switch_selection *t, int64_t above)
{
	int64_t next = INT64_MAX;

	for (uint32_t k = 0; k < t->g->n; k++) {
		const int64_t w = t->s->weight[t->g->cand[k]];

		if (w > above && w < next)
			next = w;
	}
	return next;
}

/* Adds nodes to the node set SET_USABLE, lowest weight first, until these nodes satisfy the request. Sets
 * SET_LOWER_WEIGHTS to the nodes of SET_USABLE except those of the highest weight. Returns false if all usable nodes
 * together do not satisfy the request. */
static bool find_usable_nodes(struct switch_selection *t)
{
	const struct node_selection *g = t->g;
	uint64_t *best = t->s->node_sets[SET_USABLE];
	int64_t nodes = 0, cpus = 0, gpus = 0;
	bool is_enough = false, all = false;

	for (int64_t w = find_next_switch_weight(t, -1); w != INT64_MAX && !all; w = find_next_switch_weight(t, w)) {
		t->has_lower_weights = nodes > 0;
		memcpy(t->s->node_sets[SET_LOWER_WEIGHTS], best, t->c->words * sizeof(*best));
		for (uint32_t k = 0; k < g->n; k++) {
			const uint32_t i = g->cand[k];

			if (t->s->weight[i] != w || is_tree_node_required(t, i) ||
			    !fsi_bit_is_set(t->at[t->top_switch].nodes, i) || g->available_cpus[i] <= 0)
				continue;
			fsi_bit_set(best, i);
			nodes++;
			cpus += g->available_cpus[i];
			gpus += g->q->gpu.total ? t->s->gpus[i] : 0;
		}
		is_enough = cpus >= g->missing_cpus && gpus >= g->missing_gpus && is_node_count_enough(g, nodes);
		all = t->c->topology.counts_cpus ? is_enough && nodes >= g->missing_nodes : is_enough;
	}
	return is_enough;
}

/* ---- taking nodes under topology/tree */

static void take_switch_node(struct switch_selection *t, uint32_t i)
{
	take_free_node(t->g, i);
	fsi_bit_set(t->s->node_sets[SET_TAKEN], i);
}

static void take_lower_weights(struct switch_selection *t)
{
	FSI_BITS_FOR_EACH(i, t->s->node_sets[SET_LOWER_WEIGHTS], t->c->words)
	{
		if (t->g->max_more_nodes > 0)
			take_switch_node(t, i);
	}
	for (uint32_t k = 0; k < t->c->topology.nswitches; k++)
		t->at[k].in_use = t->at[k].in_use ||
				  fsi_bits_has_common(t->s->node_sets[SET_LOWER_WEIGHTS], t->at[k].nodes, t->c->words);
}

/* Takes nodes of the leaf switch until enough nodes are taken. Returns the number of nodes taken. */
static uint32_t take_leaf_nodes(struct switch_selection *t, uint32_t leaf)
{
	uint32_t n = 0;

	FSI_BITS_FOR_EACH(i, t->at[leaf].nodes, t->c->words)
	{
		if (is_selection_complete(t->g) || t->g->max_more_nodes <= 0)
			return n;
		if (!fsi_bit_is_set(t->s->node_sets[SET_TAKEN], i) && t->g->available_cpus[i] > 0) {
			take_switch_node(t, i);
			n++;
		}
	}
	return n;
}

/* Subtracts n taken nodes from the counts of the switch and of all switches above it (from 24.05.3 on). */
static void subtract_taken_nodes(struct switch_selection *t, uint32_t sw, int64_t n)
{
	for (; t->c->topology.subtracts_taken_nodes && sw != FSI_NO_INDEX; sw = t->c->topology.switches[sw].parent)
		t->at[sw].count -= t->at[sw].count < n ? t->at[sw].count : n;
}

static void fill_used_leaves(struct switch_selection *t)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < t->c->topology.nswitches && !is_selection_complete(t->g); k++)
		if (t->at[k].in_use && !t->c->topology.switches[k].level) {
			n += take_leaf_nodes(t, k);
			subtract_taken_nodes(t, k, n);
		}
}

/* ---- choosing further leaf switches for the nodes that are still missing */

static void add_switch_distances(struct switch_selection *t, uint32_t sw)
{
	for (uint32_t k = 0; k < t->c->topology.nswitches; k++) {
		const uint32_t d = t->c->topology.distance[(size_t)sw * t->c->topology.nswitches + k];

		t->at[k].distance =
			d == FSI_NO_INDEX || t->at[k].distance == FSI_NO_INDEX ? FSI_NO_INDEX : t->at[k].distance + d;
	}
}

/* Returns true if this switch alone has all missing nodes and CPUs. Before 24.05.3, if more CPUs are taken than
 * requested, no switch suffices: Slurm then reads the negative number of missing CPUs as a very large number. */
static bool is_switch_sufficient(const struct switch_selection *t, uint32_t sw)
{
	const bool cpus = t->at[sw].cpus >= t->g->missing_cpus &&
			  (t->c->topology.subtracts_taken_nodes || t->g->missing_cpus >= 0);

	return t->at[sw].count >= t->g->missing_nodes && (!t->c->topology.counts_cpus || cpus);
}

static int compare_two_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Compares two switches. Returns 1 if switch a is better, -1 if switch b is better, 0 if they are equal. Sets *a_does
 * to true if switch a alone suffices, else to false. If neither switch suffices, compares the switches above them
 * instead; *a_does then refers to the switch above a. */
static int compare_two_switches(const struct switch_selection *t, uint32_t a, uint32_t b, bool *a_does)
{
	const struct fsi_topology_switch *sw = t->c->topology.switches;

	for (;;) {
		const bool b_does = is_switch_sufficient(t, b);

		*a_does = is_switch_sufficient(t, a);
		if (*a_does && b_does && t->at[a].count != t->at[b].count)
			return compare_two_numbers(t->at[b].count, t->at[a].count);
		if (*a_does != b_does)
			return *a_does ? 1 : -1;
		if (*a_does || sw[a].parent == sw[b].parent || sw[a].parent == FSI_NO_INDEX ||
		    sw[b].parent == FSI_NO_INDEX)
			break;
		a = sw[a].parent;
		b = sw[b].parent;
	}
	return t->at[a].count != t->at[b].count ? compare_two_numbers(t->at[a].count, t->at[b].count)
						: compare_two_numbers(sw[b].level, sw[a].level);
}

static bool is_leaf_better(const struct switch_selection *t, uint32_t a, uint32_t best)
{
	bool does;
	const int c = compare_two_switches(t, a, best, &does);

	if (t->at[a].distance == t->at[best].distance)
		return c > 0;
	return t->at[a].distance < t->at[best].distance && (t->c->topology.subtracts_taken_nodes ? does : c >= 0);
}

static uint32_t find_best_leaf(const struct switch_selection *t)
{
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t k = 0; k < t->c->topology.nswitches; k++) {
		const struct fsi_switch_state *a = &t->at[k];

		if (a->in_use || t->c->topology.switches[k].level || !a->count || a->distance == FSI_NO_INDEX)
			continue;
		if (best == FSI_NO_INDEX || is_leaf_better(t, k, best))
			best = k;
	}
	return best;
}

static void add_further_leaves(struct switch_selection *t)
{
	int64_t old_missing = t->g->missing_nodes + 1;

	while (!is_selection_complete(t->g) && old_missing != t->g->missing_nodes) {
		const uint32_t leaf = find_best_leaf(t);

		old_missing = t->g->missing_nodes;
		if (leaf == FSI_NO_INDEX)
			return;
		add_switch_distances(t, leaf);
		take_leaf_nodes(t, leaf);
		subtract_taken_nodes(t, leaf, t->at[leaf].count);
		t->at[leaf].count = 0;
	}
}

/* ---- the whole selection under topology/tree */

/* Restricts the nodes of each switch to nodes in SET_USABLE and nodes already taken. */
static void restrict_switch_nodes(struct switch_selection *t)
{
	uint64_t *best = t->s->node_sets[SET_USABLE];

	for (uint32_t w = 0; w < t->c->words; w++)
		best[w] |= t->s->node_sets[SET_TAKEN][w];
	for (uint32_t k = 0; k < t->c->topology.nswitches; k++) {
		fsi_bits_and(t->at[k].nodes, best, t->c->words);
		t->at[k].count = fsi_bits_count(t->at[k].nodes, t->c->words);
		t->at[k].distance = 0;
	}
}

static bool has_too_many_leaves(struct switch_selection *t)
{
	uint32_t leaves = 0;

	for (uint32_t k = 0; k < t->c->topology.nswitches; k++)
		leaves += !t->c->topology.switches[k].level &&
			  fsi_bits_has_common(t->at[k].nodes, t->s->node_sets[SET_TAKEN], t->c->words);
	t->g->too_many_switches = t->g->q->nodes.max_switches && leaves > t->g->q->nodes.max_switches;
	return t->g->too_many_switches;
}

static void begin_switch_selection(struct switch_selection *t)
{
	const size_t size = t->c->words * sizeof(uint64_t);

	memset(t->s->node_sets[SET_TAKEN], 0, size);
	memset(t->s->node_sets[SET_USABLE], 0, size);
	for (uint32_t k = 0; k < t->g->n; k++)
		fsi_bit_set(t->s->node_sets[SET_TAKEN], t->g->cand[k]);
	find_top_switch(t);
	memset(t->s->node_sets[SET_TAKEN], 0, size);
	if (t->g->q->set.required)
		memcpy(t->s->node_sets[SET_TAKEN], t->g->q->set.required, size);
	for (uint32_t k = 0; k < t->c->topology.nswitches && t->top_switch != FSI_NO_INDEX; k++)
		if (k != t->top_switch)
			fsi_bits_and(t->at[k].nodes, t->at[t->top_switch].nodes, t->c->words);
}

/* Selects nodes by the switches of the cluster. Required nodes must be taken already. */
static bool select_by_switches(struct node_selection *g)
{
	struct switch_selection t = { .g = g, .c = g->c, .s = g->s, .at = g->s->switch_state };

	begin_switch_selection(&t);
	if (t.top_switch == FSI_NO_INDEX || g->max_more_nodes <= 0 ||
	    (g->q->set.required && !fsi_bits_is_subset(g->q->set.required, t.at[t.top_switch].nodes, t.c->words)) ||
	    !find_usable_nodes(&t))
		return false;
	if (t.has_lower_weights) {
		take_lower_weights(&t);
		if (!is_selection_complete(g) && g->max_more_nodes <= 0)
			return false;
	}
	restrict_switch_nodes(&t);
	if (g->q->set.required || t.has_lower_weights)
		fill_used_leaves(&t);
	for (uint32_t k = 0; k < t.c->topology.nswitches; k++)
		if (t.at[k].in_use)
			add_switch_distances(&t, k);
	add_further_leaves(&t);
	return (is_selection_complete(g) ||
		(g->missing_cpus <= 0 && g->missing_gpus <= 0 && g->missing_min_nodes <= 0)) &&
	       !has_too_many_leaves(&t);
}

/* ---- one evaluation of the candidates (select/cons_tres/job_test.c: _eval_nodes, _cpus_to_use; from 24.11
 * topology/common/eval_nodes.c, which does the same)
 *
 * Required nodes are taken first. The other candidates form node runs: neighbours of the same weight. Runs are taken
 * one after the other until the request is satisfied. Each time, the runs are compared one by one with the best run so
 * far (is_run_better). A run is better in these cases:
 *   - It has a required node, and the best run so far has none.
 *   - Its weight is lower.
 *   - Its weight is equal, and it alone suffices. If both runs suffice, the run with fewer CPUs is better.
 *   - Its weight is equal, it does not suffice, and it has more CPUs.
 * If at most one more node is needed, one node with all missing CPUs and GPUs is taken. If the run has several such
 * nodes, the one with the fewest CPUs is taken. If the run has no such node, its nodes are taken in order. If the run
 * has a required node, its nodes are taken outwards from its first required node. A node gives the missing CPUs, but
 * leaves one core for each node that must still be taken.
 *
 * Under topology/tree, nodes are selected by switches instead of runs. With bf_busy_nodes, LLN or pack_serial_at_end,
 * nodes are taken one after the other (enum fsi_node_rank). With --contiguous, a run may have nodes of several weights,
 * and the request must fit in one run. A run that suffices is then better than a run that does not. */

static void take_required_nodes(struct node_selection *g)
{
	for (uint32_t k = 0; g->q->set.required && k < g->n; k++)
		if (is_candidate_required(g, g->cand[k]) && g->max_more_nodes > 0)
			take_free_node(g, g->cand[k]);
}

/* Compares the nodes of run r that have all missing CPUs and GPUs, and returns the one with the fewest CPUs. Returns
 * FSI_NO_INDEX if there is no such node, or if the request still needs more than one node. */
static uint32_t find_single_node(const struct node_selection *g, const struct fsi_node_run *r)
{
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t k = r->first; g->missing_nodes <= 1 && k < r->end; k++) {
		const uint32_t i = g->cand[k];

		if (g->available_cpus[i] < g->missing_cpus || g->s->taken_cpus[i] >= 0 ||
		    (g->q->gpu.total && g->s->gpus[i] < g->missing_gpus))
			continue;
		if (g->available_cpus[i] == g->missing_cpus)
			return i;
		if (best == FSI_NO_INDEX || g->available_cpus[i] < g->available_cpus[best])
			best = i;
	}
	return best;
}

static bool may_take_more_nodes(const struct node_selection *g)
{
	return g->max_more_nodes > 0 && !is_selection_complete(g);
}

static void take_node_if_free(struct node_selection *g, uint32_t i)
{
	if (may_take_more_nodes(g) && g->s->taken_cpus[i] < 0 && g->available_cpus[i] > 0)
		take_free_node(g, i);
}

static void take_run_nodes(struct node_selection *g, struct fsi_node_run *r)
{
	const bool around = r->first_required != FSI_NO_INDEX;
	const uint32_t one = around ? FSI_NO_INDEX : find_single_node(g, r);

	r->free_nodes = 0;
	if (one != FSI_NO_INDEX) {
		take_node_if_free(g, one);
		return;
	}
	for (uint32_t k = around ? r->first_required : r->first; k < r->end && may_take_more_nodes(g); k++) {
		const uint32_t i = g->cand[k];

		if (around || g->max_more_nodes != 1 || g->available_cpus[i] >= g->missing_cpus)
			take_node_if_free(g, i);
	}
	for (uint32_t k = around ? r->first_required : r->first; k-- > r->first && may_take_more_nodes(g);)
		take_node_if_free(g, g->cand[k]);
}

/* Called when only one more node may be taken: this node must have all missing CPUs. Marks each node run without such a
 * node as used up, to save time; does not mark runs with a required node. */
static void skip_insufficient_runs(struct node_selection *g)
{
	for (uint32_t n = 0; n < g->nruns; n++) {
		struct fsi_node_run *r = &g->s->runs[n];
		uint32_t k = r->first;

		if (!r->free_nodes || r->first_required != FSI_NO_INDEX)
			continue;
		while (k < r->end &&
		       (g->s->taken_cpus[g->cand[k]] >= 0 || g->available_cpus[g->cand[k]] < g->missing_cpus))
			k++;
		if (k == r->end)
			r->free_nodes = 0;
	}
}

static bool take_ranked_node(void *ctx, uint32_t i)
{
	struct node_selection *g = ctx;

	take_node_if_free(g, i);
	return may_take_more_nodes(g);
}

/* Returns true if nodes are taken one after the other by rank, and sets *by to the rank that is used. Returns false if
 * nodes are selected by runs or switches. */
static bool is_order_ranked(const struct node_selection *g, enum fsi_node_rank *by)
{
	if (g->s->busy_first && !g->q->nodes.contiguous)
		*by = FSI_RANK_BUSY;
	else if (g->q->nodes.least_loaded_first)
		*by = FSI_RANK_LEAST_LOADED;
	else if (g->c->rules.serial_at_end && g->q->cpu.total == 1 && g->wanted_nodes == 1)
		*by = FSI_RANK_LAST;
	else
		return false;
	return true;
}

static bool evaluate_by_rank(struct node_selection *g, enum fsi_node_rank by)
{
	visit_nodes_by_rank(g->s, g->cand, g->n, g->c, by, take_ranked_node, g);
	return g->missing_cpus <= 0 && g->missing_gpus <= 0 && g->missing_min_nodes <= 0 && store_taken_result(g->s);
}

static int64_t get_cpus_of_tasks(const struct node_selection *g)
{
	const struct fsi_request *q = g->q;

	if (q->nodes.max == 1 || g->c->rules.tasks_limit_gres_cpus)
		return q->cpu.tasks * q->cpu.per_task;
	return q->cpu.tasks == 1 || (q->cpu.tasks == q->nodes.min && q->cpu.tasks == q->nodes.max) ? q->cpu.per_task
												   : INT64_MAX;
}

/* Returns the maximum number of CPUs to take on one node; INT64_MAX: no maximum. There is a maximum only if the request
 * wants generic resources and has a number of tasks. The maximum is the number of CPUs of the tasks that may run on one
 * node, but at least q->cpu.min_per_node (gres_select_filter_sock_core: req_cpus; _select_cores). */
static int64_t get_max_node_cpus(const struct node_selection *g)
{
	const int64_t most = g->q->wants_gres && g->q->cpu.tasks ? get_cpus_of_tasks(g) : INT64_MAX;

	return most > g->q->cpu.min_per_node ? most : g->q->cpu.min_per_node;
}

static const int64_t *compute_available_cpus(const struct node_selection *g)
{
	struct fsi_selection *s = g->s;

	if (!g->q->wants_gres || g->q->sharing.whole_nodes)
		return s->cpus;
	for (uint32_t k = 0; k < g->n; k++) {
		const uint32_t i = g->cand[k];
		const int64_t cpus = s->cpus[i] < g->max_cpus_on_node ? s->cpus[i] : g->max_cpus_on_node;

		s->limited_cpus[i] = cpus - cpus % g->q->cpu.per_task;
	}
	return s->limited_cpus;
}

/* Returns true if the nodes that may still be taken have too few CPUs together. Each of them is assumed to have as many
 * CPUs as the largest candidate. */
static bool has_too_few_nodes(const struct node_selection *g)
{
	return g->missing_cpus > g->max_node_cpus && g->missing_cpus / g->max_node_cpus >= g->max_more_nodes &&
	       g->missing_cpus > g->max_more_nodes * g->max_node_cpus;
}

/* Returns true if nodes are selected by switches. With TopologyParam=TopoOptional, nodes are selected by switches only
 * for jobs that request a maximum number of switches. */
static bool is_decided_by_switches(const struct node_selection *g)
{
	return g->c->topology.nswitches && !g->q->nodes.contiguous &&
	       (!g->c->topology.optional || g->q->nodes.max_switches);
}

/* Returns true if nodes are selected by node runs, and all nodes of a run have the same weight. Returns false with
 * --contiguous, or if nodes are selected by rank or by switches. */
static bool is_decided_by_runs(const struct node_selection *g)
{
	enum fsi_node_rank by;

	return !g->q->nodes.contiguous && !is_order_ranked(g, &by) && !is_decided_by_switches(g);
}

/* Selects `want` nodes among the candidates. Returns true if the candidates suffice. */
static bool evaluate_node_count(struct node_selection *g, int64_t want)
{
	const struct fsi_request *q = g->q;
	enum fsi_node_rank by;
	struct fsi_node_run *r;

	g->missing_cpus = q->cpu.total;
	/* the maximum number of CPUs is computed as in Slurm's _get_rem_max_cpus */
	g->max_more_cpus = q->gpu.max_cpus > q->cpu.total ? q->gpu.max_cpus : q->cpu.total;
	g->missing_min_nodes = q->nodes.min;
	g->missing_nodes = g->wanted_nodes = want;
	g->missing_gpus = q->gpu.total;
	if (q->gpu.total)
		g->missing_nodes = q->nodes.min;
	g->max_more_nodes = fsi_request_get_max_nodes(q);
	g->max_cpus_on_node = get_max_node_cpus(g);
	g->cpus_reduced = false;
	release_taken_nodes(g->s);
	g->available_cpus = compute_available_cpus(g);
	take_required_nodes(g);
	if (is_selection_complete(g))
		return store_taken_result(g->s);
	if (is_order_ranked(g, &by))
		return evaluate_by_rank(g, by);
	if (is_decided_by_switches(g))
		return select_by_switches(g) && store_taken_result(g->s);
	if (!g->runs_split)
		make_candidate_runs(g);
	while (may_take_more_nodes(g) && !has_too_few_nodes(g)) {
		if (g->max_more_nodes == 1 && !q->nodes.contiguous)
			skip_insufficient_runs(g);
		r = find_best_run(g);
		if (!r || (q->nodes.contiguous && !is_run_sufficient(g, r)))
			break;
		take_run_nodes(g, r);
	}
	return (is_selection_complete(g) ||
		(g->missing_cpus <= 0 && g->missing_gpus <= 0 && is_node_count_enough(g, 0))) &&
	       store_taken_result(g->s);
}

/* Evaluates the candidates for the wanted number of nodes. From 23.02 on, if the selected nodes are on too many
 * switches, repeats the evaluation for one node fewer. If more nodes are wanted than there are candidates, the first
 * repetition is for the number of candidates. All greater numbers would fail in the same way as the wanted number. */
static bool try_node_counts(struct node_selection *g)
{
	const int64_t min = g->q->nodes.min, n = g->n;
	int64_t want = g->q->nodes.wanted > min ? g->q->nodes.wanted : min;

	do {
		g->too_many_switches = false;
		if (evaluate_node_count(g, want))
			return true;
		want = want <= n ? want - 1 : n;
	} while (g->too_many_switches && g->c->topology.counts_cpus && want >= min);
	return false;
}

/* ---- selection without the smallest candidates (select/cons_tres/job_test.c: choose_nodes; from 24.11
 * topology/common/common_topo.c: common_topo_choose_nodes)
 *
 * If the evaluation of all candidates fails, it is repeated without the smallest candidates. First, candidates with 1
 * CPU are dropped, then candidates with up to 2 CPUs, and so on. At least the minimum number of nodes remains. From
 * 25.11 on, candidates are dropped one by one instead, in order of their CPUs multiplied by their GPUs. */

/* Drops the candidates whose size (get_candidate_size) is at most `max`, but keeps the minimum number of nodes. Returns
 * the value of `max` for the next call. */
static int64_t drop_small_candidates(struct node_selection *g, int64_t max)
{
	int64_t next = INT64_MAX;
	uint32_t n = 0;

	if (g->runs_split)
		return drop_sizes_from_runs(g, max);
	for (uint32_t k = 0; k < g->n; k++) {
		const uint32_t i = g->cand[k];
		const int64_t size = get_candidate_size(g, i);

		if (size <= max && g->nremaining > g->q->nodes.min && !is_candidate_required(g, i)) {
			g->nremaining--;
			continue;
		}
		g->s->remaining[n++] = i;
		if (size < next && !is_candidate_required(g, i))
			next = size;
	}
	g->cand = g->s->remaining;
	g->n = n;
	return next > max ? next : max + 1;
}

/* Begins to split node runs at dropped candidates. Does nothing in these cases: the selection does not use runs; the
 * request has required nodes; the last evaluation reduced the CPUs of a candidate; a candidate is too large for
 * list_candidates_by_size. */
static void begin_run_splitting(struct node_selection *g)
{
	g->runs_split = !g->cpus_reduced && !g->q->set.required && is_decided_by_runs(g) && list_candidates_by_size(g);
}

/* Ends the splitting of node runs, because an evaluation has reduced the CPUs of a candidate. The next evaluation makes
 * new runs of the remaining candidates. */
static void end_run_splitting(struct node_selection *g)
{
	g->n = list_run_candidates(g, g->s->remaining);
	g->cand = g->s->remaining;
	g->runs_split = false;
}

/* Drops the candidates of the smallest size (get_candidate_size) and repeats the evaluation. Continues with the next
 * size until an evaluation succeeds. Returns false if no evaluation succeeds. */
static bool try_dropping_sizes(struct node_selection *g)
{
	int64_t max = 0;

	for (uint32_t k = 0; k < g->n; k++)
		max = get_candidate_size(g, g->cand[k]) > max ? get_candidate_size(g, g->cand[k]) : max;
	begin_run_splitting(g);
	for (int64_t count = 1, next; count < max; count = next) {
		const uint32_t stay = g->nremaining;

		next = drop_small_candidates(g, count);
		if (g->nremaining == stay && (count > 1 || !g->cpus_reduced))
			continue;
		if (try_node_counts(g))
			return true;
		if (g->nremaining <= g->q->nodes.min)
			break;
		/* the last evaluation may have reduced the size of a candidate to less than `next` */
		if (g->cpus_reduced)
			next = count + 1;
		if (g->cpus_reduced && g->runs_split)
			end_run_splitting(g);
	}
	return false;
}

/* Drops at most `most` of the candidates that have the smallest size (fsi_selection.size), in order of position.
 * Returns false if all remaining candidates are required nodes. */
static bool drop_smallest_candidates(struct node_selection *g, uint32_t most)
{
	int64_t smallest = INT64_MAX;
	uint32_t n = 0, others = 0;

	if (g->runs_split) {
		drop_smallest_from_runs(g, most);
		return true;
	}
	for (uint32_t k = 0; k < g->n; k++)
		if (!is_candidate_required(g, g->cand[k])) {
			smallest = g->s->size[g->cand[k]] < smallest ? g->s->size[g->cand[k]] : smallest;
			others++;
		}
	for (uint32_t k = 0; k < g->n; k++) {
		const uint32_t i = g->cand[k];

		if (most && g->nremaining > g->q->nodes.min && g->s->size[i] == smallest &&
		    !is_candidate_required(g, i)) {
			g->nremaining--;
			most--;
			others--;
		} else {
			g->s->remaining[n++] = i;
		}
	}
	g->cand = g->s->remaining;
	g->n = n;
	return others > 0;
}

/* Number of node runs or nodes that may be evaluated while candidates are dropped one by one. When this number is
 * reached, all candidates that have the smallest size (fsi_selection.size) are dropped at once. Only large clusters
 * reach this number. */
enum { SINGLE_DROP_WORK = 1 << 13 };

static bool try_dropping_singly(struct node_selection *g)
{
	uint64_t work = 0;

	begin_run_splitting(g);
	while (!try_node_counts(g)) {
		if (g->nremaining <= g->q->nodes.min)
			return false;
		if (g->cpus_reduced && g->runs_split)
			end_run_splitting(g);
		work += g->runs_split ? g->nruns : g->n;
		if (!drop_smallest_candidates(g, work < SINGLE_DROP_WORK ? 1 : UINT32_MAX))
			return false;
	}
	return true;
}

/* Repeats a failed selection after dropping the smallest candidates. */
static bool try_dropping_smallest(struct node_selection *g)
{
	if (g->c->rules.drops_nodes_singly)
		return try_dropping_singly(g);
	return g->n == g->q->nodes.min ? try_node_counts(g) : try_dropping_sizes(g);
}

/* ---- select/linear, which allocates whole nodes (src/plugins/select/linear/select_linear.c: _job_test; the same from
 * 22.05 to 26.11)
 *
 * Required nodes are taken first. The other nodes are taken in one of two ways:
 *   1. By size, under two conditions: the nodes differ in their CPUs, and the CPUs of the smallest node times the
 *      wanted number of nodes do not suffice. The node with most CPUs is taken first; among nodes with equally many
 *      CPUs, the last node is taken first.
 *   2. By node runs (neighbouring nodes) in all other cases. Runs with required nodes come first. If several runs
 *      suffice, the run with the fewest CPUs is taken; if no run suffices, the run with most CPUs is taken. The nodes
 *      of a run are taken in order; if the run has a required node, they are taken outwards from its first required
 *      node.
 * Weights are ignored, and no candidates are dropped. */

enum { NO_NODE = -1 };

/* The state of a selection of nodes by select/linear. */
struct linear_selection {
	struct fsi_selection *s;
	const struct fsi_request *q;
	/* `missing_cpus`: CPUs still missing; `missing_nodes`: nodes still missing; `max_more_nodes`: nodes that may
	 * still be taken */
	int64_t missing_cpus, missing_nodes, max_more_nodes;
	uint32_t nruns;
};

static bool is_linear_node_required(const struct linear_selection *l, uint32_t i)
{
	return l->q->set.required && fsi_bit_is_set(l->q->set.required, i);
}

static bool is_linear_complete(const struct linear_selection *l)
{
	return l->missing_nodes <= 0 && l->missing_cpus <= 0;
}

static void take_linear_node(struct linear_selection *l, uint32_t i)
{
	struct fsi_selection *s = l->s;

	s->taken_cpus[i] = s->cpus[i];
	s->taken[s->ntaken++] = i;
	l->missing_cpus -= s->cpus[i];
	l->missing_nodes--;
	l->max_more_nodes--;
}

static void take_linear_if_free(struct linear_selection *l, uint32_t i)
{
	if (l->max_more_nodes > 0 && !is_linear_complete(l) && l->s->taken_cpus[i] < 0)
		take_linear_node(l, i);
}

/* Returns true if the selection reaches the request's minimum number of nodes with n more nodes. The wanted number of
 * nodes need not be reached. */
static bool is_linear_count_enough(const struct linear_selection *l, int64_t n)
{
	const int64_t want = l->q->nodes.wanted, min = l->q->nodes.min;

	return n >= (want > min ? l->missing_nodes + min - want : l->missing_nodes);
}

/* ---- select/linear: node runs */

static void make_linear_runs(struct linear_selection *l)
{
	struct fsi_selection *s = l->s;

	for (uint32_t k = 0; k < s->ncandidates; k++) {
		const uint32_t i = s->candidates[k];
		const bool more = k && s->candidates[k - 1] + 1 == i;
		struct fsi_node_run *r;

		if (!more)
			s->runs[l->nruns++] = (struct fsi_node_run){ .first = k, .first_required = FSI_NO_INDEX };
		r = &s->runs[l->nruns - 1];
		r->end = k + 1;
		if (is_linear_node_required(l, i)) {
			r->first_required = r->first_required == FSI_NO_INDEX ? k : r->first_required;
		} else {
			r->cpus += s->cpus[i];
			r->free_nodes++;
		}
	}
}

static bool is_linear_run_sufficient(const struct linear_selection *l, const struct fsi_node_run *r)
{
	return r->cpus >= l->missing_cpus && is_linear_count_enough(l, r->free_nodes);
}

static bool is_linear_run_better(const struct linear_selection *l, const struct fsi_node_run *r,
				 const struct fsi_node_run *best)
{
	const bool will = is_linear_run_sufficient(l, r);

	return !best || (best->first_required == FSI_NO_INDEX && r->first_required != FSI_NO_INDEX) ||
	       (will && !is_linear_run_sufficient(l, best)) || (will && r->cpus < best->cpus) ||
	       (!will && r->cpus > best->cpus);
}

static struct fsi_node_run *find_best_linear_run(const struct linear_selection *l)
{
	const bool one = l->q->nodes.contiguous && l->q->set.required;
	struct fsi_node_run *best = NULL;
	uint32_t with_required = 0;

	for (uint32_t k = 0; k < l->nruns; k++) {
		struct fsi_node_run *r = &l->s->runs[k];

		if (!r->free_nodes || (one && r->first_required == FSI_NO_INDEX))
			continue;
		with_required += r->first_required != FSI_NO_INDEX;
		if (is_linear_run_better(l, r, best))
			best = r;
	}
	return one && with_required > 1 ? NULL : best;
}

static void take_linear_run(struct linear_selection *l, struct fsi_node_run *r)
{
	const uint32_t from = r->first_required == FSI_NO_INDEX ? r->first : r->first_required;

	for (uint32_t k = from; k < r->end; k++)
		take_linear_if_free(l, l->s->candidates[k]);
	for (uint32_t k = from; k-- > r->first;)
		take_linear_if_free(l, l->s->candidates[k]);
	r->free_nodes = 0;
}

static void select_linear_by_runs(struct linear_selection *l)
{
	struct fsi_node_run *r;

	make_linear_runs(l);
	while (l->max_more_nodes > 0 && !is_linear_complete(l) && (r = find_best_linear_run(l))) {
		if (l->q->nodes.contiguous && !is_linear_run_sufficient(l, r))
			return;
		take_linear_run(l, r);
		if (l->q->nodes.contiguous)
			return;
	}
}

/* ---- select/linear: taking the largest nodes */

/* Returns true if the candidates have different numbers of CPUs, and the nodes still to take may have too few CPUs in
 * total. For this test, each node still to take counts with the CPUs of the smallest candidate. */
static bool is_smallest_insufficient(const struct linear_selection *l)
{
	const struct fsi_selection *s = l->s;
	int64_t least = INT64_MAX, most = 0;

	for (uint32_t k = 0; k < s->ncandidates; k++) {
		const int64_t cpus = s->cpus[s->candidates[k]];

		least = cpus < least ? cpus : least;
		most = cpus > most ? cpus : most;
	}
	return least != most && l->missing_cpus > least * l->missing_nodes;
}

static void select_linear_by_size(struct linear_selection *l)
{
	const struct fsi_selection *s = l->s;

	while (l->max_more_nodes > 0 && !is_linear_complete(l)) {
		int64_t best = NO_NODE;

		for (uint32_t k = 0; k < s->ncandidates; k++) {
			const uint32_t i = s->candidates[k];

			if (s->taken_cpus[i] < 0 && (best == NO_NODE || s->cpus[i] >= s->cpus[best]))
				best = i;
		}
		if (best == NO_NODE)
			return;
		take_linear_node(l, (uint32_t)best);
	}
}

static bool choose_linear_nodes(struct fsi_selection *s, const struct fsi_request *q)
{
	struct linear_selection l = { .s = s,
				      .q = q,
				      .missing_cpus = q->cpu.total,
				      .missing_nodes = q->nodes.wanted > q->nodes.min ? q->nodes.wanted : q->nodes.min,
				      .max_more_nodes = fsi_request_get_max_nodes(q) };

	release_taken_nodes(s);
	if (s->ncandidates < q->nodes.min)
		return false;
	for (uint32_t k = 0; q->set.required && k < s->ncandidates; k++)
		if (is_linear_node_required(&l, s->candidates[k]) && l.max_more_nodes > 0)
			take_linear_node(&l, s->candidates[k]);
	if (is_smallest_insufficient(&l))
		select_linear_by_size(&l);
	else
		select_linear_by_runs(&l);
	return l.missing_cpus <= 0 && is_linear_count_enough(&l, 0) && store_taken_result(s);
}

/* ---- the selection among all candidates (select/cons_tres/job_test.c: choose_nodes; from 24.11
 * topology/common/common_topo.c)
 *
 * All candidates are evaluated together. If they do not suffice, the smallest candidates are dropped. From 26.05 on, a
 * job that may get only one node gets the node of lowest weight that can hold the job (_get_one_res). */

static int64_t get_max_candidate_cpus(const struct node_selection *g)
{
	int64_t most = 0;

	for (uint32_t k = 0; k < g->n; k++) {
		const int64_t cpus = g->s->cpus[g->cand[k]];

		most = cpus > most ? cpus : most;
	}
	return most;
}

/* Returns true if no selection can succeed: the request may get n nodes, and the n largest candidates together have too
 * few CPUs. Candidates with FSI_SELECT_MAX_LISTED_SIZE CPUs or more are assumed to have as many CPUs as the largest
 * candidate. */
static bool is_request_too_large(const struct node_selection *g)
{
	int64_t nodes_left = fsi_request_get_max_nodes(g->q), missing = g->q->cpu.total, top;
	const int64_t most = g->max_node_cpus;
	uint32_t *of = g->s->candidates_by_size;

	if (most >= missing)
		return false;
	top = most < FSI_SELECT_MAX_LISTED_SIZE ? most : FSI_SELECT_MAX_LISTED_SIZE;
	memset(of, 0, ((size_t)top + 1) * sizeof(*of));
	for (uint32_t k = 0; k < g->n; k++) {
		const int64_t cpus = g->s->cpus[g->cand[k]];

		of[cpus < top ? cpus : top]++;
	}
	for (int64_t i = top; i > 0 && nodes_left > 0 && missing > 0; i--) {
		const int64_t n = of[i] < nodes_left ? of[i] : nodes_left, cpus = i == top ? most : i;

		if (cpus >= missing && n)
			return false;
		missing -= n * cpus;
		nodes_left -= n;
	}
	return missing > 0;
}

static void compute_candidate_sizes(const struct node_selection *g)
{
	struct fsi_selection *s = g->s;

	for (uint32_t k = 0; k < g->n; k++)
		s->size[g->cand[k]] = s->cpus[g->cand[k]] * (g->q->gpu.per_node ? s->gpus[g->cand[k]] : 1);
}

/* Selects the node of lowest weight that can hold a job that requests one node. Returns false if there is none. */
static bool choose_single_node(const struct node_selection *g)
{
	for (int64_t weight = -1; find_next_weight(g->s, g->cand, g->n, FSI_SELECT_NO_GPUS, &weight);)
		for (uint32_t k = 0; k < g->n; k++) {
			const uint32_t i = g->cand[k];
			struct node_selection one = {
				.s = g->s, .c = g->c, .q = g->q, .cand = &i, .n = 1, .nremaining = 1
			};

			one.max_node_cpus = g->s->cpus[i];
			if ((g->s->weight[i] | FSI_SELECT_NO_GPUS) == weight && one.max_node_cpus >= g->q->cpu.total &&
			    (!g->q->set.required || is_candidate_required(g, i)) && try_node_counts(&one))
				return true;
		}
	return false;
}

bool fsi_select_choose_nodes(struct fsi_selection *s, const struct fsi_cluster *c, const struct fsi_request *q)
{
	struct node_selection g = {
		.s = s, .c = c, .q = q, .cand = s->candidates, .n = s->ncandidates, .nremaining = s->ncandidates
	};

	if (c->requests.linear)
		return choose_linear_nodes(s, q);
	if (c->rules.first_node_for_one && q->nodes.max == 1)
		return choose_single_node(&g);
	g.max_node_cpus = get_max_candidate_cpus(&g);
	weigh_all_candidates(&g);
	if (!g.n || g.n < q->nodes.min || is_request_too_large(&g))
		return false;
	if (c->rules.drops_nodes_singly)
		compute_candidate_sizes(&g);
	return try_node_counts(&g) || try_dropping_smallest(&g);
}
