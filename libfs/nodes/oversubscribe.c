#include "nodes/oversubscribe.h"

#include "base/num.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Rules that determine which jobs may run on the same node (src/plugins/select/cons_tres: _verify_node_state,
 * _is_node_busy). A job that shares CPUs cannot use a node if a job there does not share CPUs. A job that does not
 * share CPUs cannot use a node if a job there belongs to another partition, and that partition oversubscribes its CPUs.
 * With OverSubscribe=FORCE:4, all jobs of the partition share CPUs; with YES:4, only jobs that ask for sharing share
 * CPUs. */

/* Returns the number after the colon in a text such as FORCE:4 or YES:4. If the text has no number, returns 4, Slurm's
 * default. */
static uint32_t parse_oversubscribe_times(const char *s)
{
	const uint32_t by_default = 4;
	const char *colon = strchr(s, ':');
	int64_t n;

	if (!colon || fsi_parse_i64(colon + 1, strlen(colon + 1), &n) || n < 1 || n > UINT16_MAX)
		return by_default;
	return (uint32_t)n;
}

uint32_t fsi_oversubscribe_count_rows(const fs_snapshot *m, const struct fsi_partition *p)
{
	const char *s = fsi_name_text(m, p->oversubscribe);

	return !strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3) ? parse_oversubscribe_times(s) : 1;
}

uint32_t fsi_oversubscribe_get_for_job(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const char *s = fsi_name_text(m, p->oversubscribe);
	const bool force = !strncmp(s, "FORCE", 5), yes = !strncmp(s, "YES", 3);

	return force || (yes && !strcmp(fsi_name_text(m, j->oversubscribe), "YES")) ? parse_oversubscribe_times(s) : 0;
}

bool fsi_oversubscribe_is_exclusive(const fs_snapshot *m, const struct fsi_partition *p)
{
	const char *s = fsi_name_text(m, p->oversubscribe);

	return !strcmp(s, "EXCLUSIVE") || !strcmp(s, "NODE");
}

bool fsi_cluster_has_oversubscribe(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->partition.n; i++) {
		const char *s = fsi_name_text(m, m->partition.v[i].oversubscribe);

		if (!strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3))
			return true;
	}
	return false;
}

bool fsi_oversubscribe_must_avoid_hold(const struct fsi_request *q, const struct fsi_node_hold *h)
{
	if (h->job == FSI_NO_INDEX)
		return false;
	if (q->sharing.oversubscribe || q->sharing.exclusive_partition)
		return !h->oversubscribe || (q->sharing.exclusive_partition && !q->sharing.ignores_shared_cpus);
	return !q->sharing.ignores_shared_cpus && h->partition_oversubscribes && h->partition != q->partition;
}

/* ---- the rows of a partition (OverSubscribe=FORCE:N) on a node */

enum { MAX_ROWS = 64 };

/* The rows of a partition on one node. `used`: number of CPUs in use in each row; `sum`: number of CPUs in use in all
 * rows; `n`: number of rows with at least one job. */
struct node_rows {
	int64_t used[MAX_ROWS], sum;
	uint32_t n;
};

static bool is_sharing_cpus(const struct fsi_request *q, const struct fsi_node_hold *h, struct fsi_end_moment at)
{
	return h->oversubscribe > 1 && !fsi_hold_has_ended(h, at) && !fsi_request_may_preempt_hold(q, h);
}

/* Returns the element of n->hold with the lowest job id that is greater than the job id `above`; NULL: none. Ignores
 * jobs of other partitions, jobs that do not share CPUs at the moment `at`, and jobs that the request may preempt. */
static const struct fsi_node_hold *find_next_sharing_hold(const struct fsi_cluster_node *n, const struct fsi_request *q,
							  struct fsi_end_moment at, uint32_t partition, uint64_t above)
{
	const struct fsi_node_hold *next = NULL;

	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_node_hold *h = &n->hold.v[i];

		if (h->partition == partition && h->id > above && is_sharing_cpus(q, h, at) &&
		    (!next || h->id < next->id))
			next = h;
	}
	return next;
}

/* Assigns the jobs of the partition to its rows, in the order of their ids. Each job gets the first row that has enough
 * free CPUs; if no row has enough, the job gets the last row (_add_job_to_row, part_data_build_row_bitmaps). */
static void fill_node_rows(struct node_rows *r, const struct fsi_cluster_node *n, const struct fsi_request *q,
			   struct fsi_end_moment at, uint32_t partition)
{
	const struct fsi_node_hold *h;

	*r = (struct node_rows){ .n = 0 };
	for (uint64_t id = 0; (h = find_next_sharing_hold(n, q, at, partition, id)); id = h->id) {
		const int64_t cpus = h->amount[FSI_RES_CPU];
		const uint32_t max = h->oversubscribe < MAX_ROWS ? h->oversubscribe : MAX_ROWS;
		uint32_t k = 0;

		while (k < r->n && k + 1 < max && r->used[k] + cpus > n->total[FSI_RES_CPU])
			k++;
		r->n = k == r->n ? k + 1 : r->n;
		r->used[k] += cpus;
		r->sum += cpus;
	}
}

/* Returns the number of CPUs of a node that the request cannot get because of the jobs of one partition. In the
 * request's own partition (`own` true), the result is the lowest number of CPUs in use in any row; 0 if the partition
 * may have one more row. In another partition, the result is the highest number of CPUs in use in any row. */
static int64_t count_taken_cpus(const struct node_rows *r, const struct fsi_request *q, bool own)
{
	int64_t min = r->used[0], max = r->used[0];

	for (uint32_t k = 1; k < r->n; k++) {
		min = r->used[k] < min ? r->used[k] : min;
		max = r->used[k] > max ? r->used[k] : max;
	}
	return !own ? max : r->n < q->sharing.oversubscribe && r->n < MAX_ROWS ? 0 : min;
}

int64_t fsi_oversubscribe_add_shared_cpus(const struct fsi_cluster_node *n, const struct fsi_request *q,
					  struct fsi_end_moment at, int64_t cpus)
{
	struct node_rows r;

	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_node_hold *h = &n->hold.v[i];

		if (!is_sharing_cpus(q, h, at) || find_next_sharing_hold(n, q, at, h->partition, 0) != h)
			continue;
		fill_node_rows(&r, n, q, at, h->partition);
		cpus += r.sum - count_taken_cpus(&r, q, q->sharing.oversubscribe > 1 && h->partition == q->partition);
	}
	return cpus;
}

uint64_t *fsi_cores_choose_cpus(struct fsi_cluster *c, uint32_t node, const uint64_t *in_use, int64_t n)
{
	uint64_t *v = fsi_arena_array(&c->arena, (size_t)fsi_cores_count_words(c, node) + 1, sizeof(*v));
	const int64_t all = c->node[node].total[FSI_RES_CPU];

	for (int again = 0; v && again < 2; again++)
		for (int64_t i = 0; i < all && n > 0; i++)
			if (!fsi_bit_is_set(v, (uint32_t)i) &&
			    (again || !in_use || !fsi_bit_is_set(in_use, (uint32_t)i))) {
				fsi_bit_set(v, (uint32_t)i);
				n--;
			}
	return v;
}

/* ---- the CPU sets of running jobs */

struct core_assignment {
	struct fsi_cluster *c;
	/* CPU sets of one node: for each row of a partition, the set of the CPUs in use in that row; then the set of
	 * all CPUs in use on the node */
	uint64_t *rows;
	uint32_t words;
};

static uint64_t *get_row_cores(const struct core_assignment *s, uint32_t r)
{
	return &s->rows[(size_t)r * s->words];
}

/* Adds the CPUs of the job h->job to the first row in which all these CPUs are free. If there is no such row, adds them
 * to the last row. */
static void add_cores_to_row(const struct core_assignment *s, const struct fsi_node_hold *h, uint32_t words)
{
	uint32_t r = 0;

	while (r + 1 < FSI_CORES_MAX_ROWS && fsi_bits_has_common(get_row_cores(s, r), h->cores, words))
		r++;
	fsi_cores_add_set(get_row_cores(s, r), h->cores, words);
}

/* Returns the set of the CPUs that the job h->job should not get. Returns all CPUs in use on the node if enough other
 * CPUs are left, or if no row of the job's partition has enough unused CPUs. Otherwise returns the CPUs in use in the
 * first row that has enough unused CPUs. */
static const uint64_t *find_cores_to_avoid(const struct core_assignment *s, uint32_t node,
					   const struct fsi_node_hold *h)
{
	const struct fsi_cluster_node *n = &s->c->node[node];
	const uint32_t words = fsi_cores_count_words(s->c, node);
	const int64_t want = h->amount[FSI_RES_CPU], all = n->total[FSI_RES_CPU];
	uint64_t *of_all = get_row_cores(s, FSI_CORES_MAX_ROWS);

	memset(s->rows, 0, ((size_t)FSI_CORES_MAX_ROWS + 1) * s->words * sizeof(*s->rows));
	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_node_hold *o = &n->hold.v[i];

		if (!o->cores)
			continue;
		fsi_cores_add_set(of_all, o->cores, words);
		if (o->partition == h->partition)
			add_cores_to_row(s, o, words);
	}
	if (all - fsi_bits_count(of_all, words) >= want)
		return of_all;
	for (uint32_t r = 0; r < FSI_CORES_MAX_ROWS; r++)
		if (all - fsi_bits_count(get_row_cores(s, r), words) >= want)
			return get_row_cores(s, r);
	return of_all;
}

static int assign_hold_cores(const struct core_assignment *s, uint32_t node, struct fsi_node_hold *h)
{
	if (!h->cores)
		h->cores = fsi_cores_choose_cpus(s->c, node, find_cores_to_avoid(s, node, h), h->amount[FSI_RES_CPU]);
	return h->cores ? 0 : -1;
}

/* Adds the CPUs of a list such as "0-3,8" to the set v. The list ends at a semicolon or at the end of the text. Returns
 * a pointer to that end; NULL if the list is invalid or has a CPU number that is not less than `cpus`. */
static const char *parse_cpu_ids(uint64_t *v, const char *s, int64_t cpus)
{
	while (*s >= '0' && *s <= '9') {
		char *end;
		const long long from = strtoll(s, &end, 10), to = *end == '-' ? strtoll(end + 1, &end, 10) : from;

		if (to < from || to >= cpus)
			return NULL;
		for (long long i = from; i <= to; i++)
			fsi_bit_set(v, (uint32_t)i);
		s = end + (*end == ',');
		if (*end != ',')
			break;
	}
	return !*s || *s == ';' ? s : NULL;
}

static uint32_t count_listed_nodes(const char *s)
{
	uint32_t n = *s != 0;

	for (; *s; s++)
		n += *s == ';';
	return n;
}

/* If the snapshot lists CPUs for each node of the job, sets the job's CPU set on each node to the listed CPUs. Stops at
 * an invalid list: the CPU sets on that node and on the nodes after it are not set. Returns -1 if out of memory. */
static int assign_listed_cores(struct fsi_cluster *c, const struct fsi_running_job *e)
{
	const char *s = fsi_name_text(c->m, fsi_job_ext(c->m, &c->m->job.v[e->job])->cpu_ids);

	if (count_listed_nodes(s) != e->nnodes)
		return 0;
	for (uint32_t k = 0; s && k < e->nnodes; k++) {
		const uint32_t node = e->node[k];
		struct fsi_cluster_node *n = &c->node[node];
		uint64_t *v = fsi_cores_choose_cpus(c, node, NULL, 0);

		if (!v)
			return -1;
		s = parse_cpu_ids(v, s, n->total[FSI_RES_CPU]);
		for (size_t i = 0; s && i < n->hold.n; i++)
			if (n->hold.v[i].job == e->job && n->hold.v[i].amount[FSI_RES_CPU])
				n->hold.v[i].cores = v;
		s = s && *s ? s + 1 : s;
	}
	return 0;
}

/* Chooses CPUs for the job (a row) on the node, unless the job already has a CPU set there. If `job` is FSI_NO_INDEX,
 * chooses CPUs for all jobs on the node. */
static int assign_node_cores(const struct core_assignment *s, uint32_t node, uint32_t job)
{
	struct fsi_cluster_node *n = &s->c->node[node];

	for (size_t i = 0; i < n->hold.n; i++)
		if ((job == FSI_NO_INDEX || n->hold.v[i].job == job) && assign_hold_cores(s, node, &n->hold.v[i]))
			return -1;
	return 0;
}

static int compare_ends_by_start(const void *x, const void *y, const void *ctx)
{
	const struct fsi_cluster *c = ctx;
	const struct fsi_running_job *a = &c->end.v[*(const uint32_t *)x], *b = &c->end.v[*(const uint32_t *)y];
	const int64_t s = c->m->job.v[a->job].start_time, t = c->m->job.v[b->job].start_time;

	if (s != t)
		return s < t ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int assign_all_cores(const struct core_assignment *s, uint32_t *order)
{
	const struct fsi_cluster *c = s->c;

	for (uint32_t k = 0; k < c->end.n; k++) {
		order[k] = k;
		if (assign_listed_cores(s->c, &c->end.v[k]))
			return -1;
	}
	if (fs_sort(order, c->end.n, sizeof(*order), compare_ends_by_start, c))
		return -1;
	for (uint32_t k = 0; k < c->end.n; k++) {
		const struct fsi_running_job *e = &c->end.v[order[k]];

		for (uint32_t i = 0; i < e->nnodes; i++)
			if (assign_node_cores(s, e->node[i], e->job))
				return -1;
	}
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (assign_node_cores(s, i, FSI_NO_INDEX))
			return -1;
	return 0;
}

/* Sets c->core_offset, the index of each node's first word in a CPU set, and *max to the largest number of words that a
 * node has. Returns -1 if out of memory. */
static int make_core_offsets(struct fsi_cluster *c, uint32_t *max)
{
	c->core_offset = fsi_arena_array(&c->arena, (size_t)c->nnodes + 1, sizeof(*c->core_offset));
	*max = 1;
	for (uint32_t i = 0; c->core_offset && i < c->nnodes; i++) {
		const int64_t cpus = c->node[i].total[FSI_RES_CPU];
		const uint32_t words = cpus > 0 && cpus < UINT16_MAX ? (uint32_t)(cpus + 63) / 64 : 1;

		*max = words > *max ? words : *max;
		c->core_offset[i + 1] = c->core_offset[i] + words;
	}
	return c->core_offset ? 0 : -1;
}

int fsi_cores_init_sets(struct fsi_cluster *c)
{
	struct core_assignment s = { .c = c };
	uint32_t *order;
	int rc;

	if (!c->rules.any_oversubscribe && !c->rules.gang)
		return 0;
	if (make_core_offsets(c, &s.words))
		return -1;
	s.rows = calloc(((size_t)FSI_CORES_MAX_ROWS + 1) * s.words, sizeof(*s.rows));
	order = calloc(c->end.n + 1, sizeof(*order));
	rc = s.rows && order ? assign_all_cores(&s, order) : -1;
	free(s.rows);
	free(order);
	return rc;
}
