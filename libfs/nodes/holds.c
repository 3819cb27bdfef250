/* Adds running jobs and advance reservations to the nodes of a cluster, as node holds and node blocks
 * (nodes/cluster.h). */
#include "nodes/oversubscribe.h"

#include "base/num.h"
#include "base/memory.h"
#include "model/find.h"
#include "model/jobs.h"

#include <stdlib.h>
#include <string.h>

/* ---- amounts of a job on each of its nodes
 *
 * A snapshot has the total amounts of a job, the usage of each node, and sometimes the job's amounts on each node. The
 * amounts of a job on one node are called a job piece. Pieces that are unknown are computed for one resource at a time:
 *   If all pieces on a node except one are known, the unknown one is the node's usage minus the known pieces.
 *   If all pieces of a job except one are known, the unknown one is the job's total minus the known pieces.
 *   Otherwise the totals of jobs are split among their nodes, one job after the other, in order of start time. The
 *   first nodes of a job get as many of its CPUs as are in use there, but one core is left for each further node of the
 *   job (select/cons_tres: _cpus_to_use). Other resources are split evenly. CPUs are split evenly too if the node's
 *   usage is unknown.
 * Memory is split in proportion to the CPUs, or evenly if it was requested per node. Resources that are not TRES of the
 * cluster are not split. */

/* The state of a job while the amounts of a resource are split among the job's nodes. */
struct job_remainder {
	/* the elements of amount_split.piece that belong to the job: `n` elements from index `first` on, one for each
	 * of the job's nodes */
	uint32_t first, n;
	uint32_t nunknown;     /* number of nodes on which the amount of the job is unknown */
	int64_t remainder;      /* amount of the job's total that is not yet assigned to one of its nodes */
};

/* The state of a node while the amounts of a resource are split among the nodes of each job. */
struct node_remainder {
	/* start of the list of the node's amounts that were unknown when the split began: index of its first element
	 * in amount_split.piece; FSI_NO_INDEX: the list is empty. The other elements are found through
	 * amount_split.next */
	uint32_t first;
	uint32_t nunknown; /* number of jobs whose amount on the node is unknown */
	bool usage_known;   /* the snapshot has the node's usage of the resource */
	int64_t remainder; /* usage of the node minus the known amounts of its jobs */
};

struct amount_split {
	const struct fsi_cluster *c;
	struct fsi_job_piece *piece;
	uint32_t npieces, njobs, norder, r;
	uint32_t *order; /* indices in `job` of the jobs that run on several nodes, in order of start time */
	/* Two arrays with one element for each element of `piece`. `job_of`: index in `job` of the job of the element.
	 * `next`: index in `piece` of the next element of the same node's list, which begins at node_remainder.first;
	 * FSI_NO_INDEX: end of the list. */
	uint32_t *job_of, *next;
	bool *known;
	struct job_remainder *job;
	struct node_remainder *node;
	/* a stack of indices in `piece`: unknown amounts that can be computed from known amounts; `nready`: height of
	 * the stack */
	uint32_t *ready, nready;
};

/* Appends to s->ready the index of each amount that can now be computed. The last unknown amount on node `n` can be
 * computed if the usage of the node is known. The last unknown amount of job `j` can always be computed. */
static void queue_derived_pieces(struct amount_split *s, const struct job_remainder *j, const struct node_remainder *n)
{
	for (uint32_t k = n->nunknown == 1 && n->usage_known ? n->first : FSI_NO_INDEX; k != FSI_NO_INDEX;
	     k = s->next[k])
		if (!s->known[k])
			s->ready[s->nready++] = k;
	for (uint32_t k = j->first; j->nunknown == 1 && k < j->first + j->n; k++)
		if (!s->known[k])
			s->ready[s->nready++] = k;
}

/* Sets the amount of piece[k] to `amount`, but at most to the part of the job's total that is not yet assigned to a
 * node. */
static void assign_piece_amount(struct amount_split *s, uint32_t k, int64_t amount)
{
	struct job_remainder *j = &s->job[s->job_of[k]];
	struct node_remainder *n = &s->node[s->piece[k].node];

	if (amount > j->remainder)
		amount = j->remainder;
	if (amount < 0)
		amount = 0;
	s->known[k] = true;
	s->piece[k].amount[s->r] = amount;
	j->remainder -= amount;
	n->remainder -= amount;
	j->nunknown--;
	n->nunknown--;
	queue_derived_pieces(s, j, n);
}

static void assign_derived_pieces(struct amount_split *s)
{
	while (s->nready) {
		const uint32_t k = s->ready[--s->nready];
		const struct job_remainder *j = &s->job[s->job_of[k]];

		if (!s->known[k])
			assign_piece_amount(s, k,
					    j->nunknown == 1 ? j->remainder : s->node[s->piece[k].node].remainder);
	}
}

static int64_t compute_even_piece(const struct job_remainder *j)
{
	return j->remainder / j->nunknown + (j->remainder % j->nunknown != 0);
}

static int64_t compute_filling_piece(const struct amount_split *s, uint32_t k)
{
	const struct job_remainder *j = &s->job[s->job_of[k]];
	const struct node_remainder *n = &s->node[s->piece[k].node];
	const int64_t others = (int64_t)s->c->node[s->piece[k].node].threads_per_core * (j->nunknown - 1);
	const int64_t capacity = n->remainder - (int64_t)(n->nunknown - 1);
	const int64_t max = capacity < j->remainder - others ? capacity : j->remainder - others;

	return !n->usage_known ? compute_even_piece(j) : max > 0 ? max : 1;
}

static void split_job_amounts(struct amount_split *s, const struct job_remainder *j)
{
	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		if (s->known[k])
			continue;
		assign_piece_amount(s, k, s->r == FSI_RES_CPU ? compute_filling_piece(s, k) : compute_even_piece(j));
		assign_derived_pieces(s);
	}
}

static void split_one_resource(struct amount_split *s)
{
	for (uint32_t k = 0; k < s->npieces; k++) {
		const struct node_remainder *n = &s->node[s->piece[k].node];

		if (!s->known[k] && n->usage_known && n->nunknown == 1)
			s->ready[s->nready++] = k;
		assign_derived_pieces(s);
	}
	for (uint32_t i = 0; i < s->norder; i++)
		split_job_amounts(s, &s->job[s->order[i]]);
}

/* Returns the job's memory on the node of piece[k]. The job's total memory `all` is split in proportion to the CPUs, or
 * evenly if the job did not request memory per CPU. */
static int64_t compute_piece_memory(const struct amount_split *s, uint32_t k, int64_t all)
{
	const struct job_remainder *j = &s->job[s->job_of[k]];
	int64_t cpus = 0;

	if (!s->c->m->job.v[s->piece[k].job].mem_per_cpu_mb)
		return all / j->n + (k - j->first < all % j->n);
	for (uint32_t i = j->first; i < j->first + j->n; i++)
		cpus += s->piece[i].amount[FSI_RES_CPU];
	return cpus ? all / cpus * s->piece[k].amount[FSI_RES_CPU] : 0;
}

static void split_job_memory(struct amount_split *s)
{
	for (uint32_t i = 0; i < s->njobs; i++) {
		const struct job_remainder *j = &s->job[i];
		int64_t all = 0;

		for (uint32_t k = j->first; k < j->first + j->n; k++)
			all += s->piece[k].amount[FSI_RES_MEM];
		for (uint32_t k = j->first; j->n > 1 && k < j->first + j->n; k++)
			if (!(s->piece[k].listed >> FSI_RES_MEM & 1))
				s->piece[k].amount[FSI_RES_MEM] = compute_piece_memory(s, k, all);
	}
}

/* If the node of piece[k] has none of the generic resource, sets the amount of piece[k] to 0. The previous amount is
 * added to j->remainder, which is split among the job's other nodes. */
static void skip_node_without_gres(struct amount_split *s, struct job_remainder *j, uint32_t k)
{
	int64_t *amount = &s->piece[k].amount[s->r];

	if (s->r < FSI_RES_GRES || s->c->node[s->piece[k].node].total[s->r])
		return;
	s->known[k] = true;
	j->remainder += *amount;
	*amount = 0;
	j->nunknown--;
}

/* Prepares the computation of how much of resource r each job uses on each of its nodes. Two kinds of amounts are known
 * from the beginning: amounts of jobs that run on one node, and amounts that the snapshot lists. `complete`: the
 * snapshot has all jobs, so the usage of a node is the sum of the amounts of its jobs. */
static void begin_resource_split(struct amount_split *s, uint32_t r, bool complete)
{
	s->r = r;
	for (uint32_t i = 0; i < s->c->nnodes; i++) {
		s->node[i] = (struct node_remainder){ .first = FSI_NO_INDEX };
		s->node[i].usage_known = complete && fsi_cluster_get_node_usage(s->c, i, r, &s->node[i].remainder);
	}
	for (uint32_t j = 0; j < s->njobs; j++) {
		s->job[j].nunknown = s->job[j].n;
		s->job[j].remainder = 0;
	}
	for (uint32_t k = 0; k < s->npieces; k++) {
		struct job_remainder *j = &s->job[s->job_of[k]];
		struct node_remainder *n = &s->node[s->piece[k].node];

		s->known[k] = j->n == 1 || s->piece[k].listed >> r & 1;
		if (!s->known[k])
			skip_node_without_gres(s, j, k);
		if (s->known[k]) {
			n->remainder -= s->piece[k].amount[r];
			continue;
		}
		j->remainder += s->piece[k].amount[r];
		s->next[k] = n->first;
		n->first = k;
		n->nunknown++;
	}
}

static void group_pieces_by_job(struct amount_split *s)
{
	for (uint32_t k = 0; k < s->npieces; k++) {
		if (!k || s->piece[k].job != s->piece[k - 1].job)
			s->job[s->njobs++] = (struct job_remainder){ .first = k };
		s->job_of[k] = s->njobs - 1;
		s->job[s->njobs - 1].n++;
	}
}

static int compare_split_by_start(const void *x, const void *y, const void *ctx)
{
	const struct amount_split *s = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_job *i = &s->c->m->job.v[s->piece[s->job[a].first].job],
			     *j = &s->c->m->job.v[s->piece[s->job[b].first].job];

	if (i->start_time != j->start_time)
		return i->start_time < j->start_time ? -1 : 1;
	return (i->id > j->id) - (i->id < j->id);
}

static int sort_split_jobs(struct amount_split *s)
{
	for (uint32_t i = 0; i < s->njobs; i++)
		if (s->job[i].n > 1)
			s->order[s->norder++] = i;
	return fs_sort(s->order, s->norder, sizeof(*s->order), compare_split_by_start, s);
}

static int split_all_resources(struct amount_split *s)
{
	group_pieces_by_job(s);
	if (sort_split_jobs(s))
		return -1;
	for (uint32_t r = 0; r < s->c->ntres_resources; r++) {
		if (r == FSI_RES_MEM) {
			split_job_memory(s);
			continue;
		}
		begin_resource_split(s, r, !fsi_is_type_hidden(s->c->m, "job"));
		split_one_resource(s);
	}
	return 0;
}

/* Splits the amounts of each job among its nodes. The elements of piece[] that belong to one job must be adjacent, and
 * their amounts must add up to the job's total. Returns -1 if out of memory. */
static int split_jobs_among_nodes(const struct fsi_cluster *c, struct fsi_job_piece *piece, uint32_t n)
{
	const size_t capacity = (size_t)n + 1;
	struct amount_split s = { .c = c,
				  .piece = piece,
				  .npieces = n,
				  .job_of = calloc(capacity, sizeof(*s.job_of)),
				  .next = calloc(capacity, sizeof(*s.next)),
				  .known = calloc(capacity, sizeof(*s.known)),
				  .job = calloc(capacity, sizeof(*s.job)),
				  .order = calloc(capacity, sizeof(*s.order)),
				  .node = calloc((size_t)c->nnodes + 1, sizeof(*s.node)),
				  .ready = calloc(3 * capacity, sizeof(*s.ready)) };
	const int rc =
		s.job_of && s.next && s.known && s.job && s.order && s.node && s.ready ? split_all_resources(&s) : -1;

	free(s.order);
	free(s.job_of);
	free(s.next);
	free(s.known);
	free(s.job);
	free(s.node);
	free(s.ready);
	return rc;
}

/* ---- node holds (resources in use by jobs), and the ends of running jobs */

static void update_free_after(struct fsi_cluster_node *n, uint32_t nres)
{
	const int64_t *before = n->free;

	fsi_node_update_first_end(n);
	for (size_t i = 0; i < n->hold.n; i++) {
		struct fsi_node_hold *h = &n->hold.v[i];

		for (uint32_t r = 0; r < nres; r++)
			h->free_after[r] = before[r] + h->amount[r];
		before = h->free_after;
	}
}

/* Inserts *h into the array n->hold, which stays sorted by the ends of the jobs. The caller must then call
 * update_free_after. */
static int insert_hold_in_order(struct fsi_cluster_node *n, const struct fsi_node_hold *h, uint32_t nres)
{
	size_t i;

	if (FSI_VEC_RESERVE(&n->hold))
		return -1;
	for (i = n->hold.n++;
	     i && (n->hold.v[i - 1].end > h->end || (n->hold.v[i - 1].end == h->end && n->hold.v[i - 1].id > h->id));
	     i--)
		n->hold.v[i] = n->hold.v[i - 1];
	n->hold.v[i] = *h;
	for (uint32_t r = 0; r < nres; r++)
		n->free[r] -= h->amount[r];
	return 0;
}

int fsi_node_add_hold(struct fsi_cluster_node *n, const struct fsi_node_hold *h, uint32_t nres)
{
	if (insert_hold_in_order(n, h, nres))
		return -1;
	update_free_after(n, nres);
	return 0;
}

void fsi_node_drop_hold(struct fsi_cluster_node *n, uint32_t job, uint32_t nres, struct fsi_node_hold *h)
{
	size_t i = 0;

	h->job = FSI_NO_INDEX;
	while (i < n->hold.n && n->hold.v[i].job != job)
		i++;
	if (i == n->hold.n)
		return;
	*h = n->hold.v[i];
	memmove(&n->hold.v[i], &n->hold.v[i + 1], (--n->hold.n - i) * sizeof(*n->hold.v));
	for (uint32_t r = 0; r < nres; r++)
		n->free[r] += h->amount[r];
	update_free_after(n, nres);
}

int fsi_node_add_block(struct fsi_cluster_node *n, struct fsi_node_block b)
{
	size_t i;

	if (FSI_VEC_RESERVE(&n->block))
		return -1;
	for (i = n->block.n++; i && n->block.v[i - 1].start > b.start; i--)
		n->block.v[i] = n->block.v[i - 1];
	n->block.v[i] = b;
	return 0;
}

static int compare_job_ends(const struct fsi_running_job *a, const struct fsi_running_job *b)
{
	if (a->when != b->when)
		return a->when < b->when ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int compare_sorted_ends(const void *x, const void *y, const void *ctx)
{
	(void)ctx;
	return compare_job_ends(x, y);
}

/* Appends a job to c->end. The caller must then restore the order of c->end. */
static int append_job_end(struct fsi_cluster *c, const struct fsi_running_job *e)
{
	uint32_t *node = fsi_arena_array(&c->arena, (size_t)e->nnodes + 1, sizeof(*node));

	if (!node || FSI_VEC_RESERVE(&c->end))
		return -1;
	memcpy(node, e->node, e->nnodes * sizeof(*node));
	c->end.v[c->end.n] = *e;
	c->end.v[c->end.n].first_node = e->nnodes ? node[0] : 0;
	c->end.v[c->end.n++].node = node;
	return 0;
}

int fsi_cluster_add_running_job(struct fsi_cluster *c, const struct fsi_running_job *e)
{
	size_t lo = 0, hi = c->end.n;

	if (append_job_end(c, e))
		return -1;
	const struct fsi_running_job last = c->end.v[hi];

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (compare_job_ends(&c->end.v[mid], e) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	memmove(&c->end.v[lo + 1], &c->end.v[lo], (c->end.n - 1 - lo) * sizeof(*c->end.v));
	c->end.v[lo] = last;
	return 0;
}

/* Returns true if the job uses resources of its nodes. A completing job has released its resources; its nodes accept no
 * jobs until its epilogs have ended (src/slurmctld/node_scheduler.c: deallocate_nodes). */
static bool is_job_holding_nodes(const struct fsi_job *j)
{
	const enum fsi_job_state s = (enum fsi_job_state)j->state;

	return s == FSI_STATE_RUNNING || s == FSI_STATE_CONFIGURING || s == FSI_STATE_RESIZING ||
	       s == FSI_STATE_SIGNALING || s == FSI_STATE_STAGE_OUT || s == FSI_STATE_SUSPENDED;
}

int64_t fsi_cluster_get_job_end(const struct fsi_cluster *c, const struct fsi_job *j)
{
	int64_t end = c->now + 365 * INT64_C(86400);

	if (FSI_HAS(j, JOB, end_time))
		end = j->end_time;
	else if (FSI_HAS(j, JOB, start_time) && FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		end = j->start_time + j->time_limit_s;
	return end > c->now ? end : c->now + 1;
}

/* Returns true if the job was suspended by an administrator. Other jobs can then get its CPUs, but none of its other
 * resources. A job that is suspended by preemption or time-slicing keeps its CPUs (select/cons_tres:
 * select_p_job_suspend). */
static bool has_released_cpus(const struct fsi_cluster *c, const struct fsi_job *j)
{
	const char *mode = fs_snapshot_config_text(c->m, "PreemptMode");

	return j->state == FSI_STATE_SUSPENDED && !(mode && (strstr(mode, "SUSPEND") || strstr(mode, "GANG")));
}

static int64_t get_held_amount(const struct fsi_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes,
			       uint32_t i)
{
	const uint32_t set = j->tres_alloc ? j->tres_alloc : j->tres_req;
	const int64_t all = fsi_cluster_limit_amount(fsi_amount_of_tres(c->m, set, c->res_name[r]));

	if (r >= c->ntres_resources)
		return fsi_cluster_get_held_gres(c, j, r, nodes, i);
	if (r == FSI_RES_CPU && has_released_cpus(c, j))
		return 0;
	return fsi_compute_even_part(all || r != FSI_RES_CPU ? all : (int64_t)j->cpus, nodes, i);
}

/* Reads the amounts of resource r that a job has on its n nodes, from a text such as "13(x2),15". Stores each amount in
 * an element of piece[]. Returns false if the text does not have exactly n amounts. Also returns false if their sum is
 * less than the job's total amount `all` or greater than the maximum `most`. */
static bool parse_node_amounts(const char *text, struct fsi_job_piece *piece, uint32_t n, uint32_t r, int64_t all,
			       int64_t most)
{
	int64_t sum = 0;
	uint32_t at = 0;
	char *end;

	while (*text >= '0' && *text <= '9') {
		const int64_t one = fsi_cluster_limit_amount(strtoll(text, &end, 10));
		long long times = strncmp(end, "(x", 2) == 0 ? strtoll(end + 2, &end, 10) : 1;

		for (; times > 0 && at < n; times--) {
			piece[at++].amount[r] = one;
			sum = fsi_cluster_limit_amount(sum + one);
		}
		end += *end == ')';
		if (times || (*end && *end != ','))
			return false;
		text = end + (*end == ',');
	}
	return !*text && at == n && sum >= all && sum <= most;
}

struct job_pieces {
	struct fsi_job_piece *v;
	size_t n, cap;
};

/* Sets the amount of resource r on each of the job's n nodes from `text` (a name id; 0: none). CPUs are held in whole
 * cores, even if the job uses only one thread of a core (select/cons_common/job_resources.c: job_res_add_job). A text
 * that does not match the job's nodes and total is ignored. Returns -1 if out of memory. */
static int fill_listed_amounts(const struct fsi_cluster *c, uint32_t text, struct fsi_job_piece *piece, uint32_t n,
			       uint32_t r)
{
	struct fsi_job_piece *listed;
	int64_t all = 0, threads = 1;

	if (!text)
		return 0;
	listed = malloc(n * sizeof(*listed));
	if (!listed)
		return -1;
	memcpy(listed, piece, n * sizeof(*listed));
	for (uint32_t i = 0; i < n; i++) {
		const int64_t here = c->node[piece[i].node].threads_per_core;

		all += piece[i].amount[r];
		threads = r == FSI_RES_CPU && here > threads ? here : threads;
	}
	if (parse_node_amounts(fsi_name_text(c->m, text), listed, n, r, all, all * threads)) {
		memcpy(piece, listed, n * sizeof(*listed));
		for (uint32_t i = 0; i < n; i++)
			piece[i].listed |= 1u << r;
	}
	free(listed);
	return 0;
}

/* If the listed amounts of generic resource r add up to the job's total, sets the amount on each of the job's n
 * nodes. */
static void fill_listed_gres(const struct fsi_cluster *c, const struct fsi_job *j, struct fsi_job_piece *piece,
			     uint32_t n, uint32_t r)
{
	int64_t all = 0, listed = 0;

	for (uint32_t i = 0; i < n; i++) {
		all += piece[i].amount[r];
		listed += fsi_cluster_get_held_gres(c, j, r, n, i);
	}
	for (uint32_t i = 0; listed == all && i < n; i++) {
		piece[i].amount[r] = fsi_cluster_get_held_gres(c, j, r, n, i);
		piece[i].listed |= 1u << r;
	}
}

/* Sets the amounts that the snapshot lists for each of the job's n nodes. Returns -1 if out of memory. */
static int fill_listed_pieces(const struct fsi_cluster *c, const struct fsi_job *j, struct fsi_job_piece *piece,
			      uint32_t n)
{
	const struct fsi_job_ext *ext = fsi_job_ext(c->m, j);

	for (uint32_t r = FSI_RES_GRES; r < c->ntres_resources && fsi_cluster_has_listed_gres(c, j, n); r++)
		fill_listed_gres(c, j, piece, n, r);
	if (!has_released_cpus(c, j) && fill_listed_amounts(c, ext->node_cpus, piece, n, FSI_RES_CPU))
		return -1;
	return fill_listed_amounts(c, ext->node_mem_mb, piece, n, FSI_RES_MEM);
}

static int add_job_pieces(struct fsi_cluster *c, struct job_pieces *all, uint32_t row, uint32_t *v)
{
	const struct fsi_job *j = &c->m->job.v[row];
	const uint32_t n = j->node_list ? fsi_cluster_list_nodes(c, j->node_list, v) : 0;

	const struct fsi_running_job e = {
		.when = fsi_cluster_get_job_end(c, j), .id = j->id, .job = row, .nnodes = n, .node = v
	};

	const size_t first = all->n;

	c->nunplaced += !n;
	if (n && append_job_end(c, &e))
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		struct fsi_job_piece p = { .job = row, .node = v[i] };

		for (uint32_t r = 0; r < c->nres; r++)
			if (r != FSI_RES_MEM || c->rules.memory_is_consumable)
				p.amount[r] = get_held_amount(c, j, r, n, i);
		if (FSI_VEC_RESERVE(all))
			return -1;
		all->v[all->n++] = p;
	}
	return n ? fill_listed_pieces(c, j, &all->v[first], n) : 0;
}

/* Adds an element to the node's array `hold` for the part of the node's usage that its known jobs do not explain. The
 * end of this usage is unknown, so the element never ends. */
static int place_unexplained_usage(struct fsi_cluster *c, uint32_t node)
{
	struct fsi_cluster_node *n = &c->node[node];
	struct fsi_node_hold h = { .end = INT64_MAX, .job = FSI_NO_INDEX };
	bool any = false;
	int64_t used;

	for (uint32_t r = 0; r < c->nres; r++) {
		if (!fsi_cluster_get_node_usage(c, node, r, &used))
			continue;
		used -= n->total[r] - n->free[r];
		h.amount[r] = used > 0 ? used : 0;
		any = any || h.amount[r];
	}
	return any ? fsi_node_add_hold(n, &h, c->nres) : 0;
}

/* Sets the members `partition`, `oversubscribe` and `partition_oversubscribes` of *h. */
static void set_hold_partition(const struct fsi_cluster *c, struct fsi_node_hold *h)
{
	const struct fsi_job *j = &c->m->job.v[h->job];
	const struct fsi_partition *p = fsi_job_first_partition(c->m, j);

	h->partition = fsi_partition_row(c->m, p);
	h->oversubscribe = p ? fsi_oversubscribe_get_for_job(c->m, j, p) : 0;
	h->partition_oversubscribes = p && fsi_oversubscribe_count_rows(c->m, p) > 1;
}

static int place_job_pieces(struct fsi_cluster *c, const struct job_pieces *all)
{
	for (size_t k = 0; k < all->n; k++) {
		const struct fsi_job_piece *p = &all->v[k];
		struct fsi_node_hold h = { .end = fsi_cluster_get_job_end(c, &c->m->job.v[p->job]),
					   .job = p->job,
					   .id = c->m->job.v[p->job].id };

		set_hold_partition(c, &h);
		memcpy(h.amount, p->amount, sizeof(h.amount));
		if (insert_hold_in_order(&c->node[p->node], &h, c->nres))
			return -1;
	}
	for (uint32_t i = 0; i < c->nnodes; i++)
		update_free_after(&c->node[i], c->nres);
	return 0;
}

static int place_running_jobs(struct fsi_cluster *c, uint32_t *v)
{
	struct job_pieces all = { 0 };
	int rc = 0;

	for (struct fsi_active_jobs b = { 0 }; !rc && fsi_active_jobs_next(c->m, &b);)
		if (is_job_holding_nodes(&c->m->job.v[b.row]))
			rc = add_job_pieces(c, &all, b.row, v);
	if (!rc && c->end.n)
		rc = fs_sort(c->end.v, c->end.n, sizeof(*c->end.v), compare_sorted_ends, NULL) ? -1 : 0;
	if (!rc)
		rc = split_jobs_among_nodes(c, all.v, (uint32_t)all.n) || place_job_pieces(c, &all) ? -1 : 0;
	FSI_VEC_FREE(&all);
	for (uint32_t i = 0; !rc && i < c->nnodes; i++)
		rc = place_unexplained_usage(c, i);
	return rc ? rc : fsi_cores_init_sets(c);
}

/* If reservation i reserves cores, sets the number of CPUs that it takes on each of its `n` nodes. v[]: indices of the
 * nodes. Returns -1 if out of memory. */
static int place_reserved_cores(struct fsi_cluster *c, uint32_t i, const uint32_t *v, uint32_t n)
{
	const char *text = fsi_name_text(c->m, c->m->reservation.v[i].cores);

	if (!*text || !n)
		return 0;
	c->reserved.any_cores = true;
	c->reserved.cpus[i] = fsi_arena_array(&c->arena, c->nnodes, sizeof(**c->reserved.cpus));
	for (uint32_t k = 0; c->reserved.cpus[i] && k < n && *text; k++) {
		char *end;

		c->reserved.cpus[i][v[k]] =
			fsi_cluster_limit_amount(strtoll(text, &end, 10)) * c->node[v[k]].threads_per_core;
		text = end + (*end == ',');
	}
	return c->reserved.cpus[i] ? 0 : -1;
}

static int place_one_reservation(struct fsi_cluster *c, uint32_t i, uint32_t *v)
{
	const struct fsi_reservation *r = &c->m->reservation.v[i];
	struct fsi_node_block b = { r->start_time, r->end_time, FSI_NO_INDEX, i, 0 };
	const uint32_t n = r->nodes ? fsi_cluster_list_nodes(c, r->nodes, v) : 0;

	if (!FSI_HAS(r, RESERVATION, start_time))
		b.start = c->now;
	if (!FSI_HAS(r, RESERVATION, end_time))
		b.end = INT64_MAX;
	if (b.end <= c->now)
		return 0;
	c->reserved.nunplaced += !n;
	if (n)
		c->reserved.nodes[i] = fsi_arena_array(&c->arena, c->words, sizeof(**c->reserved.nodes));
	if ((n && !c->reserved.nodes[i]) || place_reserved_cores(c, i, v, n))
		return -1;
	for (uint32_t k = 0; k < n; k++) {
		fsi_bit_set(c->reserved.nodes[i], v[k]);
		b.cpus = c->reserved.cpus[i] ? c->reserved.cpus[i][v[k]] : 0;
		if (fsi_node_add_block(&c->node[v[k]], b))
			return -1;
	}
	return 0;
}

static int place_all_reservations(struct fsi_cluster *c, uint32_t *v)
{
	int rc = 0;

	c->reserved.nodes = fsi_arena_array(&c->arena, c->m->reservation.n + 1, sizeof(*c->reserved.nodes));
	c->reserved.cpus = fsi_arena_array(&c->arena, c->m->reservation.n + 1, sizeof(*c->reserved.cpus));
	if (!c->reserved.nodes || !c->reserved.cpus)
		return -1;
	for (uint32_t i = 0; !rc && i < c->m->reservation.n; i++)
		rc = place_one_reservation(c, i, v);
	return rc;
}

int fsi_cluster_place_jobs(struct fsi_cluster *c)
{
	/* scratch memory for the node indices of one job or reservation */
	uint32_t *v = calloc(c->m->node.n + 2, sizeof(*v));
	int rc = v ? place_running_jobs(c, v) : -1;

	if (!rc)
		rc = place_all_reservations(c, v);
	free(v);
	return rc;
}
