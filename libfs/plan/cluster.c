#include "base/hostlist.h"
#include "base/num.h"
#include "base/vec.h"
#include "model/find.h"
#include "model/jobs.h"
#include "plan/bits.h"
#include "plan/plan.h"
#include "plan/run.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Generic resources of nodes and jobs. Where they are TRES of the cluster jobs and nodes tell the amounts. Of
 * others, such as types of GPU that AccountingStorageTRES does not name, jobs tell what they ask for (gres_req) and
 * what they have on each node (node_gres), and nodes what they have in all (gres). */

/* `gpu:a100:4`, `gpu`: without a number there is one. */
static int64_t count_of(const char *item, size_t len)
{
	size_t colon = len;
	int64_t n;

	while (colon && item[colon - 1] != ':')
		colon--;
	return colon && !fsi_parse_count(item + colon, len - colon, &n) ? fsi_plan_amount(n > 0 ? n : 0) : 1;
}

/* `gpu:a100:4(S:0-1),fs:10`: how many of "gres/gpu" or "gres/gpu:a100" the text tells. */
static int64_t plan_gres_in(const char *text, size_t len, const char *tres)
{
	const char *end = text + len, *slash = strchr(tres, '/'), *name = slash ? slash + 1 : tres;
	const size_t want = strlen(name);
	int64_t sum = 0;

	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text)), *stop = comma ? comma : end;
		const char *about = memchr(text, '(', (size_t)(stop - text));
		const size_t item = (size_t)((about ? about : stop) - text);

		if (item >= want && !strncmp(text, name, want) && (item == want || text[want] == ':'))
			sum = fsi_plan_amount(sum + count_of(text, item));
		text = stop + (comma != NULL);
	}
	return sum;
}

int64_t fsi_plan_asked(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres)
{
	return fsi_plan_amount(fsi_job_asks(m, j, tres));
}

/* The i-th part of a list of n parts with semicolons between; NULL if it has not n. */
static const char *part_of(const char *list, uint32_t n, uint32_t i, size_t *len)
{
	const char *part = NULL;

	for (uint32_t k = 0; k < n; k++, list += k < n) {
		const size_t has = strcspn(list, ";");

		if (k == i) {
			part = list;
			*len = has;
		}
		list += has;
		if ((*list == ';') != (k + 1 < n))
			return NULL;
	}
	return part;
}

bool fsi_plan_gres_told(const struct fsi_plan_cluster *c, const struct fsi_job *j, uint32_t nodes)
{
	const uint32_t list = fsi_job_rare(c->m, j)->node_gres;
	size_t len;

	return list && part_of(fsi_str(c->m, list), nodes, 0, &len);
}

int64_t fsi_plan_gres_held(const struct fsi_plan_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes,
			   uint32_t i)
{
	const struct fsi_job_rare *rare = fsi_job_rare(c->m, j);
	size_t len = 0;
	const char *own = rare->node_gres ? part_of(fsi_str(c->m, rare->node_gres), nodes, i, &len) : NULL;

	return own ? plan_gres_in(own, len, fsi_str(c->m, c->res_name[r]))
		   : fsi_even_part(fsi_plan_asked(c->m, j, c->res_name[r]), nodes, i);
}

/* The switches of topology/tree, from the paths of nodes (topology/tree/topology_tree.c: _validate_switches). Their
 * order is that of the first nodes on them, and inner ones behind leaves. */

/* Are the letters anywhere in the parameter, large or small? So does the controller look for them. */
static bool param_has(const fs_snapshot *m, const char *word)
{
	const char *s = fs_snapshot_config_text(m, "TopologyParam");

	while (s && *s && strncasecmp(s, word, strlen(word)) != 0)
		s++;
	return s && *s;
}

static uint32_t find_switch(const struct fsi_plan_cluster *c, uint32_t name)
{
	uint32_t k = 0;

	while (k < c->topology.nswitches && c->topology.sw[k].name != name)
		k++;
	return k;
}

/* A node on two leaves has no path. */
static bool add_path(struct fsi_plan_cluster *c, uint32_t node)
{
	size_t n;
	const uint32_t *path = fsi_list(c->m, c->m->node.v[c->node[node].row].switches, &n);

	for (uint32_t level = 0; level < n; level++) {
		const uint32_t k = find_switch(c, path[level]),
			       parent = level + 1 < n ? path[level + 1] : FSI_NO_INDEX;

		if (k == c->topology.nswitches) {
			c->topology.sw[k] = (struct fsi_plan_switch){ .name = path[level], .level = level, .parent = parent };
			c->topology.sw[k].nodes = fsi_arena_array(&c->arena, c->words, sizeof(*c->topology.sw[k].nodes));
			c->topology.nswitches++;
		}
		if (!c->topology.sw[k].nodes || c->topology.sw[k].parent != parent)
			return false;
		c->topology.sw[k].level = level > c->topology.sw[k].level ? level : c->topology.sw[k].level;
		fsi_bit_set(c->topology.sw[k].nodes, node);
	}
	return true;
}

/* Steps up and down the tree, through the first switch above both. */
static uint32_t distance(const struct fsi_plan_cluster *c, uint32_t a, uint32_t b)
{
	uint32_t up = 0;

	for (; a != FSI_NO_INDEX; a = c->topology.sw[a].parent, up++) {
		uint32_t down = 0, k = b;

		while (k != FSI_NO_INDEX && k != a) {
			k = c->topology.sw[k].parent;
			down++;
		}
		if (k == a)
			return up + down;
	}
	return FSI_NO_INDEX;
}

static int make_distances(struct fsi_plan_cluster *c)
{
	const size_t n = c->topology.nswitches;

	c->topology.distance = fsi_arena_array(&c->arena, n * n + 1, sizeof(*c->topology.distance));
	if (!c->topology.distance)
		return -1;
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			c->topology.distance[a * n + b] = distance(c, a, b);
	return 0;
}

/* Replaces the names of switches above by their places. */
static void find_parents(struct fsi_plan_cluster *c)
{
	for (uint32_t k = 0; k < c->topology.nswitches; k++)
		if (c->topology.sw[k].parent != FSI_NO_INDEX)
			c->topology.sw[k].parent = find_switch(c, c->topology.sw[k].parent);
}

static size_t max_switches(const struct fsi_plan_cluster *c)
{
	size_t all = 0, n;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		fsi_list(c->m, c->m->node.v[c->node[i].row].switches, &n);
		all += n;
	}
	return all;
}

/* Makes its switches, as a part of that. -1 without memory. */
static int plan_switches(struct fsi_plan_cluster *c)
{
	const char *plugin = fs_snapshot_config_text(c->m, "TopologyPlugin");
	bool ok = true;

	c->topology.unknown = !plugin || (strcmp(plugin, "topology/none") != 0 && strcmp(plugin, "topology/default") != 0 &&
					  strcmp(plugin, "topology/flat") != 0);
	if (!plugin || strcmp(plugin, "topology/tree") != 0 || param_has(c->m, "dragonfly"))
		return 0;
	c->topology.sw = fsi_arena_array(&c->arena, max_switches(c) + 1, sizeof(*c->topology.sw));
	if (!c->topology.sw)
		return -1;
	for (uint32_t i = 0; ok && i < c->nnodes; i++)
		ok = add_path(c, i);
	if (!ok)
		c->topology.nswitches = 0;
	c->topology.unknown = !c->topology.nswitches;
	c->topology.optional = param_has(c->m, "TopoOptional");
	find_parents(c);
	return make_distances(c);
}

/* Jobs that share CPUs and those that do not keep apart (src/plugins/select/cons_tres: _verify_node_state,
 * _is_node_busy): one that may share them gets no node with a job that does not; one that does not gets no node with
 * those of another partition whose CPUs are given out more than once. OverSubscribe=FORCE:4 shares always, YES:4 where
 * the job asks. A partition that does has a node in so many rows, each with all of its CPUs. */

/* The number behind the colon of FORCE:4 and YES:4; Slurm's default where there is none. */
static uint32_t times_of(const char *s)
{
	const uint32_t by_default = 4;
	const char *colon = strchr(s, ':');
	int64_t n;

	if (!colon || fsi_parse_i64(colon + 1, strlen(colon + 1), &n) || n < 1 || n > UINT16_MAX)
		return by_default;
	return (uint32_t)n;
}

uint32_t fsi_plan_rows(const fs_snapshot *m, const struct fsi_partition *p)
{
	const char *s = fsi_str(m, p->oversubscribe);

	return !strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3) ? times_of(s) : 1;
}

uint32_t fsi_plan_share(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const char *s = fsi_str(m, p->oversubscribe);
	const bool force = !strncmp(s, "FORCE", 5), yes = !strncmp(s, "YES", 3);

	return force || (yes && !strcmp(fsi_str(m, j->oversubscribe), "YES")) ? times_of(s) : 0;
}

bool fsi_plan_reserves(const fs_snapshot *m, const struct fsi_partition *p)
{
	const char *s = fsi_str(m, p->oversubscribe);

	return !strcmp(s, "EXCLUSIVE") || !strcmp(s, "NODE");
}

/* Returns true if a partition of the snapshot lets jobs share CPUs. */
static bool plan_any_share(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->partition.n; i++) {
		const char *s = fsi_str(m, m->partition.v[i].oversubscribe);

		if (!strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3))
			return true;
	}
	return false;
}

bool fsi_plan_apart(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h)
{
	if (h->job == FSI_NO_INDEX)
		return false;
	if (q->sharing.oversubscribe || q->sharing.exclusive_partition)
		return !h->share || (q->sharing.exclusive_partition && !q->sharing.ignores_shared_cpus);
	return !q->sharing.ignores_shared_cpus && h->in_rows && h->partition != q->partition;
}

/* ---- rows */

enum { MAX_ROWS = 64 };

/* The rows of a node, as many as its CPUs are given out times: what jobs have of each. */
struct rows {
	int64_t used[MAX_ROWS], sum;
	uint32_t n;
};

static bool shares(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h, struct fsi_plan_moment at)
{
	return h->share > 1 && !fsi_plan_ended(h, at) && !fsi_plan_gives_way(q, h);
}

/* The job of the partition with the least id above that one; NULL: there is none. */
static const struct fsi_plan_alloc *next_sharing(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
						 struct fsi_plan_moment at, uint32_t partition, uint64_t above)
{
	const struct fsi_plan_alloc *next = NULL;

	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_plan_alloc *h = &n->hold.v[i];

		if (h->partition == partition && h->id > above && shares(q, h, at) && (!next || h->id < next->id))
			next = h;
	}
	return next;
}

/* Puts each job into the first row that has room for it (_add_job_to_row, part_data_build_row_bitmaps). */
static void fill_rows(struct rows *r, const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      struct fsi_plan_moment at, uint32_t partition)
{
	const struct fsi_plan_alloc *h;

	*r = (struct rows){ .n = 0 };
	for (uint64_t id = 0; (h = next_sharing(n, q, at, partition, id)); id = h->id) {
		const int64_t cpus = h->amount[FSI_RES_CPU];
		const uint32_t max = h->share < MAX_ROWS ? h->share : MAX_ROWS;
		uint32_t k = 0;

		while (k < r->n && k + 1 < max && r->used[k] + cpus > n->total[FSI_RES_CPU])
			k++;
		r->n = k == r->n ? k + 1 : r->n;
		r->used[k] += cpus;
		r->sum += cpus;
	}
}

/* The CPUs that are taken from the request: of its own partition what the emptiest row has, of another one all that
 * are in use there. */
static int64_t taken_of(const struct rows *r, const struct fsi_plan_request *q, bool own)
{
	int64_t min = r->used[0], max = r->used[0];

	for (uint32_t k = 1; k < r->n; k++) {
		min = r->used[k] < min ? r->used[k] : min;
		max = r->used[k] > max ? r->used[k] : max;
	}
	return !own ? max : r->n < q->sharing.oversubscribe && r->n < MAX_ROWS ? 0 : min;
}

int64_t fsi_plan_with_shared(const struct fsi_plan_node *n, const struct fsi_plan_request *q, struct fsi_plan_moment at,
			     int64_t cpus)
{
	struct rows r;

	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_plan_alloc *h = &n->hold.v[i];

		if (!shares(q, h, at) || next_sharing(n, q, at, h->partition, 0) != h)
			continue;
		fill_rows(&r, n, q, at, h->partition);
		cpus += r.sum - taken_of(&r, q, q->sharing.oversubscribe > 1 && h->partition == q->partition);
	}
	return cpus;
}

/* The nodes as they are now: what each has, what running jobs hold until when, and when advance reservations
 * take them away. */

/* A list may name nodes that the snapshot does not have, but not any number of them. */
static uint64_t max_hosts(const struct fsi_plan_cluster *c)
{
	const uint64_t spare = 1024;

	return 4 * (uint64_t)c->nnodes + spare;
}

/* ---- resources */

static void add_resource(struct fsi_plan_cluster *c, uint32_t name)
{
	if (strncmp(fsi_str(c->m, name), "gres/", 5) != 0 || c->nres == FSI_RES_MAX)
		return;
	for (uint32_t i = FSI_RES_GRES; i < c->nres; i++)
		if (c->res_name[i] == name)
			return;
	c->res_name[c->nres++] = name;
}

static void add_resources(struct fsi_plan_cluster *c, uint32_t set)
{
	size_t n;
	const struct fsi_amount *a = fsi_amounts(c->m, set, &n);

	for (size_t k = 0; k < n; k++)
		add_resource(c, a[k].tres);
}

/* Finds the generic resources that jobs ask for, in the order in which they come up; those that are no TRES of the
 * cluster behind the others. */
static void find_resources(struct fsi_plan_cluster *c)
{
	uint32_t last = 0;

	c->nres = FSI_RES_GRES;
	c->res_name[FSI_RES_CPU] = fsi_name_find(c->m, "cpu");
	c->res_name[FSI_RES_MEM] = fsi_name_find(c->m, "mem");
	for (size_t i = 0; i < c->m->job.n; i++) {
		const uint32_t set = c->m->job.v[i].tres_req;

		if (set != last)
			add_resources(c, set);
		last = set;
	}
	c->ncounted = c->nres;
	for (size_t i = 0; i < c->m->job_rare.n; i++)
		add_resources(c, c->m->job_rare.v[i].gres_req);
}

/* ---- nodes */

static bool node_up(const char *state)
{
	static const char *const bad[] = { "DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING", "ERROR", "UNKNOWN",
					   "FUTURE", "INVAL", "INVALID_REG" };

	return !fsi_node_state_has(state, bad, sizeof(bad) / sizeof(*bad)) && !fsi_node_is_silent(state) &&
	       !fsi_node_goes_to_sleep(state);
}

/* Is what the state is, without its flags, one of a node that is not there? "DOWN*", "UNKNOWN+DRAIN". */
static bool node_down(const char *state)
{
	static const char *const bases[] = { "DOWN", "UNKNOWN", "FUTURE" };
	const size_t base = strspn(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

	for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
		if (base == strlen(bases[i]) && !strncmp(state, bases[i], base))
			return true;
	return false;
}

/* Nodes that must be powered up first are taken last (src/slurmctld/node_scheduler.c: _build_node_list; from 23.11 on
 * src/plugins/select/cons_tres/job_test.c: _set_sched_weight). */
static int64_t weight_of(const struct fsi_plan_cluster *c, const struct fsi_node *n)
{
	const int64_t last = INT64_C(1) << 40, all_alike = 0xfffffffe;
	const char *state = fsi_str(c->m, n->state);

	if (fsi_node_is_asleep(state) || (fsi_node_is_waking(state) && fs_slurm_has(c->compat, FS_SLURM_WAKING_LAST)))
		return fs_slurm_has(c->compat, FS_SLURM_SLEEPERS_WEIGH) ? last + n->weight : all_alike;
	return n->weight;
}

static void fill_node(const struct fsi_plan_cluster *c, struct fsi_plan_node *n, uint32_t row)
{
	const fs_snapshot *m = c->m;
	const struct fsi_node *r = &m->node.v[row];

	n->row = row;
	n->threads = FSI_HAS(r, NODE, threads_per_core) && r->threads_per_core ? r->threads_per_core : 1;
	n->sockets = FSI_HAS(r, NODE, sockets) ? r->sockets : 0;
	n->weight = weight_of(c, r);
	n->up = node_up(fsi_str(m, r->state));
	n->completing = strstr(fsi_str(m, r->state), "COMPLETING") != NULL;
	n->total[FSI_RES_CPU] = FSI_HAS(r, NODE, effective_cpus) ? r->effective_cpus : r->cpus;
	n->total[FSI_RES_MEM] = c->rules.memory_counts ? fsi_plan_mem_in_all(m, row) : FSI_PLAN_MOST;
	for (uint32_t i = FSI_RES_GRES; i < c->nres; i++) {
		const int64_t known = fsi_amount_of(m, r->tres, c->res_name[i]);

		n->total[i] =
			fsi_plan_amount(known ? known
					      : plan_gres_in(fsi_str(m, r->gres), strlen(fsi_str(m, r->gres)),
							     fsi_str(m, c->res_name[i])));
	}
	memcpy(n->free, n->total, sizeof(n->free));
}

/* Numbers by value, everything else as characters. */
static int by_name(const void *x, const void *y, const void *ctx)
{
	const struct fsi_plan_node *m = x, *n = y;
	const fs_snapshot *s = ctx;
	const char *a = fsi_str(s, s->node.v[m->row].name), *b = fsi_str(s, s->node.v[n->row].name);
	const char *const a0 = a, *const b0 = b;

	while (*a && *b) {
		const size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");
		const size_t za = na ? strspn(a, "0") : 0, zb = nb ? strspn(b, "0") : 0;

		if (!na || !nb) {
			if (*a != *b)
				return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
			a++;
			b++;
			continue;
		}
		if (na - za != nb - zb)
			return na - za < nb - zb ? -1 : 1;
		if (memcmp(a + za, b + zb, na - za) != 0)
			return memcmp(a + za, b + zb, na - za);
		a += na;
		b += nb;
	}
	return *a || *b ? (*a ? 1 : -1) : strcmp(a0, b0);
}

static void note_least(struct fsi_plan_cluster *c, uint32_t node)
{
	const struct fsi_plan_node *n = &c->node[node];
	const uint32_t cpus = fsi_plan_cpus_in_all(c->m, n->row);
	const int64_t mem = fsi_plan_mem_in_all(c->m, n->row);

	if (!node || cpus < c->smallest.cpus)
		c->smallest.cpus = cpus;
	if (!node || mem < c->smallest.mem_mb)
		c->smallest.mem_mb = mem;
}

static int make_nodes(struct fsi_plan_cluster *c)
{
	const fs_snapshot *m = c->m;

	c->nnodes = (uint32_t)m->node.n;
	c->node = calloc((size_t)c->nnodes + 1, sizeof(*c->node));
	c->node_of = calloc((size_t)m->names.count + 1, sizeof(*c->node_of));
	if (!c->node || !c->node_of)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		fill_node(c, &c->node[i], i);
	if (fs_sort(c->node, c->nnodes, sizeof(*c->node), by_name, m))
		return -1;
	c->words = c->nnodes / 64 + 1;
	c->up = fsi_arena_array(&c->arena, c->words, sizeof(*c->up));
	c->not_down = fsi_arena_array(&c->arena, c->words, sizeof(*c->not_down));
	if (!c->up || !c->not_down)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		c->node_of[m->node.v[c->node[i].row].name] = i + 1;
		note_least(c, i);
		if (c->node[i].up)
			fsi_bit_set(c->up, i);
		if (!node_down(fsi_str(m, m->node.v[c->node[i].row].state)))
			fsi_bit_set(c->not_down, i);
	}
	return 0;
}

/* ---- partitions: by their node list, else by what the nodes say */

struct marks {
	const struct fsi_plan_cluster *c;
	bool *has;
	uint32_t n;
};

static int mark_node(void *ctx, const char *name, size_t len)
{
	struct marks *k = ctx;
	const uint32_t id = fsi_intern_find(&k->c->m->names, name, len),
		       i = id ? k->c->node_of[id] : 0;

	if (i && !k->has[i - 1]) {
		k->has[i - 1] = true;
		k->n++;
	}
	return 0;
}

static void mark_members(struct marks *k, uint32_t partition_name)
{
	for (uint32_t i = 0; i < k->c->nnodes; i++) {
		size_t n;
		const uint32_t *parts = fsi_list(k->c->m, k->c->m->node.v[k->c->node[i].row].partitions, &n);

		for (size_t p = 0; p < n; p++)
			if (parts[p] == partition_name && !k->has[i]) {
				k->has[i] = true;
				k->n++;
			}
	}
}

static int make_partition(struct fsi_plan_cluster *c, uint32_t row, struct marks *k)
{
	const struct fsi_partition *p = &c->m->partition.v[row];
	struct fsi_plan_part *part = &c->part[row];

	memset(k->has, 0, (size_t)c->nnodes + 1);
	k->n = 0;
	if (p->nodes)
		fsi_hostlist_each(fsi_str(c->m, p->nodes), max_hosts(c), mark_node, k);
	else
		mark_members(k, p->name);
	part->node = fsi_arena_array(&c->arena, (size_t)k->n + 1, sizeof(*part->node));
	part->has = fsi_arena_array(&c->arena, c->words, sizeof(*part->has));
	if (!part->node || !part->has)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (k->has[i]) {
			part->node[part->n++] = i;
			fsi_bit_set(part->has, i);
		}
	return 0;
}

static int make_partitions(struct fsi_plan_cluster *c)
{
	struct marks k = { .c = c, .has = calloc((size_t)c->nnodes + 1, sizeof(bool)) };
	int rc = k.has ? 0 : -1;

	c->part = calloc(c->m->partition.n + 1, sizeof(*c->part));
	if (!c->part)
		rc = -1;
	for (uint32_t i = 0; !rc && i < c->m->partition.n; i++)
		rc = make_partition(c, i, &k);
	free(k.has);
	return rc;
}

bool fsi_plan_is_gpu(const struct fsi_plan_cluster *c, uint32_t r)
{
	const char *s = fsi_str(c->m, c->res_name[r]);

	return !strcmp(s, "gres/gpu") || !strncmp(s, "gres/gpu:", 9);
}

/* ---- lists of nodes */

struct gather {
	const struct fsi_plan_cluster *c;
	uint32_t *v, n;
};

static int collect(void *ctx, const char *name, size_t len)
{
	struct gather *g = ctx;
	const uint32_t id = fsi_intern_find(&g->c->m->names, name, len),
		       i = id ? g->c->node_of[id] : 0;

	if (i && g->n < g->c->nnodes)
		g->v[g->n++] = i - 1;
	return 0;
}

uint32_t fsi_plan_nodes_of(const struct fsi_plan_cluster *c, uint32_t list, uint32_t *v)
{
	struct gather g = { .c = c, .v = v };

	fsi_hostlist_each(fsi_str(c->m, list), max_hosts(c), collect, &g);
	return g.n;
}

bool fsi_plan_used(const struct fsi_plan_cluster *c, uint32_t node, uint32_t r, int64_t *used)
{
	const struct fsi_node *n = &c->m->node.v[c->node[node].row];
	bool known;

	if (r == FSI_RES_CPU) {
		known = FSI_HAS(n, NODE, alloc_cpus);
		*used = n->alloc_cpus;
	} else if (r == FSI_RES_MEM) {
		known = FSI_HAS(n, NODE, alloc_mem_mb) && n->alloc_mem_mb <= INT64_MAX;
		*used = known && c->rules.memory_counts ? (int64_t)n->alloc_mem_mb : 0;
	} else {
		known = FSI_HAS(n, NODE, alloc_tres) && r < c->ncounted;
		*used = fsi_amount_of(c->m, n->alloc_tres, c->res_name[r]);
	}
	*used = fsi_plan_amount(*used);
	return known;
}

/* ---- the whole cluster */

/* Where the parameters are not known memory is taken to be consumed, as it is almost everywhere. */
static bool select_has(const fs_snapshot *m, const char *big, const char *small, bool otherwise)
{
	const char *s = fs_snapshot_config_text(m, "SelectTypeParameters");

	return s ? strstr(s, big) || strstr(s, small) : otherwise;
}

static bool takes_turns(const fs_snapshot *m)
{
	const char *mode = fs_snapshot_config_text(m, "PreemptMode");

	return mode && strstr(mode, "GANG");
}

int fsi_plan_cluster_init(struct fsi_plan_cluster *c, const fs_snapshot *m)
{
	*c = (struct fsi_plan_cluster){ .m = m,
					.now = c->now,
					.looks = c->looks,
					.compat = c->compat,
					.rules.memory_counts = select_has(m, "MEMORY", "Memory", true),
					.rules.any_oversubscribe = plan_any_share(m),
					.rules.gang = takes_turns(m),
					.rules.least_loaded_first = select_has(m, "LLN", "lln", false),
					.rules.whole_cores = select_has(m, "CR_CORE", "CR_Core", false),
					.rules.whole_sockets = select_has(m, "CR_SOCKET", "CR_Socket", false),
					.rules.packs_sockets = select_has(m, "DIST_BLOCK", "dist_block", false) };
	find_resources(c);
	return fsi_requests_init(&c->requests, m, &c->arena) || make_nodes(c) || make_partitions(c) ||
			       plan_switches(c)
		       ? -1
		       : 0;
}

void fsi_plan_cluster_release(struct fsi_plan_cluster *c)
{
	for (uint32_t i = 0; c->node && i < c->nnodes; i++) {
		FSI_VEC_FREE(&c->node[i].hold);
		FSI_VEC_FREE(&c->node[i].block);
	}
	FSI_VEC_FREE(&c->end);
	free(c->node);
	free(c->node_of);
	free(c->part);
	fsi_arena_release(&c->arena);
}

/* How much a job that runs on several nodes holds on each. A snapshot tells the job's amounts in all, what is in use on
 * each node, and maybe what the job has on each (told). Where all jobs of a node but one are known, the rest is that
 * one's; where all nodes of a job but one are known, so is the last. When neither helps, the jobs go one after the
 * other as they started, and CPUs fill a job's first nodes, but for a core for each of its others (select/cons_tres:
 * _cpus_to_use); of other resources, and where a node does not tell what is in use, the next node gets an even part.
 * Memory goes with the CPUs, or evenly if it was asked for by node. Resources that are no TRES of the cluster stay as
 * they are. One resource at a time. */

struct job_left {
	uint32_t first, n; /* its pieces */
	uint32_t open;     /* pieces of them not yet known */
	int64_t left;      /* amount not yet given to one of them */
};

struct node_left {
	uint32_t first; /* a piece that was open, or FSI_NO_INDEX */
	uint32_t open;
	bool tells;   /* what is in use there */
	int64_t left; /* in use by what is not yet known */
};

struct splitting {
	const struct fsi_plan_cluster *c;
	struct fsi_plan_piece *piece;
	uint32_t npieces, njobs, norder, r;
	uint32_t *order; /* jobs of several pieces, those that started first before the others */
	uint32_t *job_of, *next; /* by piece: its job, the next piece on its node */
	bool *known;
	struct job_left *job;
	struct node_left *node;
	uint32_t *ready, nready; /* pieces whose amounts follow from the others' */
};

static void propagate(struct splitting *s, const struct job_left *j, const struct node_left *n)
{
	for (uint32_t k = n->open == 1 && n->tells ? n->first : FSI_NO_INDEX; k != FSI_NO_INDEX; k = s->next[k])
		if (!s->known[k])
			s->ready[s->nready++] = k;
	for (uint32_t k = j->first; j->open == 1 && k < j->first + j->n; k++)
		if (!s->known[k])
			s->ready[s->nready++] = k;
}

static void assign(struct splitting *s, uint32_t k, int64_t amount)
{
	struct job_left *j = &s->job[s->job_of[k]];
	struct node_left *n = &s->node[s->piece[k].node];

	if (amount > j->left)
		amount = j->left;
	if (amount < 0)
		amount = 0;
	s->known[k] = true;
	s->piece[k].amount[s->r] = amount;
	j->left -= amount;
	n->left -= amount;
	j->open--;
	n->open--;
	propagate(s, j, n);
}

static void follow(struct splitting *s)
{
	while (s->nready) {
		const uint32_t k = s->ready[--s->nready];
		const struct job_left *j = &s->job[s->job_of[k]];

		if (!s->known[k])
			assign(s, k, j->open == 1 ? j->left : s->node[s->piece[k].node].left);
	}
}

static int64_t even_part(const struct job_left *j)
{
	return j->left / j->open + (j->left % j->open != 0);
}

static int64_t fill_piece(const struct splitting *s, uint32_t k)
{
	const struct job_left *j = &s->job[s->job_of[k]];
	const struct node_left *n = &s->node[s->piece[k].node];
	const int64_t others = (int64_t)s->c->node[s->piece[k].node].threads * (j->open - 1);
	const int64_t room = n->left - (int64_t)(n->open - 1);
	const int64_t max = room < j->left - others ? room : j->left - others;

	return !n->tells ? even_part(j) : max > 0 ? max : 1;
}

static void split_job(struct splitting *s, const struct job_left *j)
{
	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		if (s->known[k])
			continue;
		assign(s, k, s->r == FSI_RES_CPU ? fill_piece(s, k) : even_part(j));
		follow(s);
	}
}

static void split_resource(struct splitting *s)
{
	for (uint32_t k = 0; k < s->npieces; k++) {
		const struct node_left *n = &s->node[s->piece[k].node];

		if (!s->known[k] && n->tells && n->open == 1)
			s->ready[s->nready++] = k;
		follow(s);
	}
	for (uint32_t i = 0; i < s->norder; i++)
		split_job(s, &s->job[s->order[i]]);
}

/* The memory of a piece whose CPUs are known. */
static int64_t memory_of(const struct splitting *s, uint32_t k, int64_t all)
{
	const struct job_left *j = &s->job[s->job_of[k]];
	int64_t cpus = 0;

	if (!s->c->m->job.v[s->piece[k].job].mem_per_cpu_mb)
		return all / j->n + (k - j->first < all % j->n);
	for (uint32_t i = j->first; i < j->first + j->n; i++)
		cpus += s->piece[i].amount[FSI_RES_CPU];
	return cpus ? all / cpus * s->piece[k].amount[FSI_RES_CPU] : 0;
}

static void split_memory(struct splitting *s)
{
	for (uint32_t i = 0; i < s->njobs; i++) {
		const struct job_left *j = &s->job[i];
		int64_t all = 0;

		for (uint32_t k = j->first; k < j->first + j->n; k++)
			all += s->piece[k].amount[FSI_RES_MEM];
		for (uint32_t k = j->first; j->n > 1 && k < j->first + j->n; k++)
			if (!(s->piece[k].told >> FSI_RES_MEM & 1))
				s->piece[k].amount[FSI_RES_MEM] = memory_of(s, k, all);
	}
}

/* A node that has none of a generic resource gives none: the others have the job's. */
static void leave_out(struct splitting *s, struct job_left *j, uint32_t k)
{
	int64_t *amount = &s->piece[k].amount[s->r];

	if (s->r < FSI_RES_GRES || s->c->node[s->piece[k].node].total[s->r])
		return;
	s->known[k] = true;
	j->left += *amount;
	*amount = 0;
	j->open--;
}

/* Pieces that are the only ones of their job are known as they are, and so are CPUs that were told. */
static void begin_resource(struct splitting *s, uint32_t r, bool complete)
{
	s->r = r;
	for (uint32_t i = 0; i < s->c->nnodes; i++) {
		s->node[i] = (struct node_left){ .first = FSI_NO_INDEX };
		s->node[i].tells = complete && fsi_plan_used(s->c, i, r, &s->node[i].left);
	}
	for (uint32_t j = 0; j < s->njobs; j++) {
		s->job[j].open = s->job[j].n;
		s->job[j].left = 0;
	}
	for (uint32_t k = 0; k < s->npieces; k++) {
		struct job_left *j = &s->job[s->job_of[k]];
		struct node_left *n = &s->node[s->piece[k].node];

		s->known[k] = j->n == 1 || s->piece[k].told >> r & 1;
		if (!s->known[k])
			leave_out(s, j, k);
		if (s->known[k]) {
			n->left -= s->piece[k].amount[r];
			continue;
		}
		j->left += s->piece[k].amount[r];
		s->next[k] = n->first;
		n->first = k;
		n->open++;
	}
}

static void number_jobs(struct splitting *s)
{
	for (uint32_t k = 0; k < s->npieces; k++) {
		if (!k || s->piece[k].job != s->piece[k - 1].job)
			s->job[s->njobs++] = (struct job_left){ .first = k };
		s->job_of[k] = s->njobs - 1;
		s->job[s->njobs - 1].n++;
	}
}

static int by_start(const void *x, const void *y, const void *ctx)
{
	const struct splitting *s = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_job *i = &s->c->m->job.v[s->piece[s->job[a].first].job],
			     *j = &s->c->m->job.v[s->piece[s->job[b].first].job];

	if (i->start_time != j->start_time)
		return i->start_time < j->start_time ? -1 : 1;
	return (i->id > j->id) - (i->id < j->id);
}

static int sort_jobs(struct splitting *s)
{
	for (uint32_t i = 0; i < s->njobs; i++)
		if (s->job[i].n > 1)
			s->order[s->norder++] = i;
	return fs_sort(s->order, s->norder, sizeof(*s->order), by_start, s);
}

static int split_all(struct splitting *s)
{
	number_jobs(s);
	if (sort_jobs(s))
		return -1;
	for (uint32_t r = 0; r < s->c->ncounted; r++) {
		if (r == FSI_RES_MEM) {
			split_memory(s);
			continue;
		}
		begin_resource(s, r, !fsi_hidden(s->c->m, "job"));
		split_resource(s);
	}
	return 0;
}

int fsi_plan_split(const struct fsi_plan_cluster *c, struct fsi_plan_piece *piece, uint32_t n)
{
	const size_t room = (size_t)n + 1;
	struct splitting s = { .c = c,
			       .piece = piece,
			       .npieces = n,
			       .job_of = calloc(room, sizeof(*s.job_of)),
			       .next = calloc(room, sizeof(*s.next)),
			       .known = calloc(room, sizeof(*s.known)),
			       .job = calloc(room, sizeof(*s.job)),
			       .order = calloc(room, sizeof(*s.order)),
			       .node = calloc((size_t)c->nnodes + 1, sizeof(*s.node)),
			       .ready = calloc(3 * room, sizeof(*s.ready)) };
	const int rc = s.job_of && s.next && s.known && s.job && s.order && s.node && s.ready ? split_all(&s) : -1;

	free(s.order);
	free(s.job_of);
	free(s.next);
	free(s.known);
	free(s.job);
	free(s.node);
	free(s.ready);
	return rc;
}

/* Nodes that jobs do not share with those of other users (src/slurmctld/node_scheduler.c: filter_by_node_owner): one
 * that must have them for its user gets none on which a job of another user runs, and nobody else gets a node that such
 * a job has. Until 24.05 what runs now counts, whenever the job would start.
 *
 * From 24.11 (src/plugins/sched/backfill/backfill.c: _filter_exclusive_user_mcs_nodes, _rm_node_or_delay_start;
 * 8f7b80d6eb) a node counts until the last job on it has ended, and the one that is free last is taken out first. As
 * many stay as the job needs: if one of these is kept from it, it is tried again when that one is free. There a node
 * that is not DOWN stays, though it be drained or not respond (up_node_bitmap), and the job does without the others. */

static bool keeps_others_out(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_partition *part = fsi_first_partition(m, j);

	return fsi_request_own_user(m, j, part);
}

/* Does the running job keep nodes from the one that asks? */
static bool in_the_way(const fs_snapshot *m, const struct fsi_plan_request *q, uint32_t running)
{
	const struct fsi_job *j = &m->job.v[q->job], *o = &m->job.v[running];

	return o->user != j->user && (q->sharing.exclusive_user || keeps_others_out(m, o));
}

static void take_out(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, uint64_t *nodes)
{
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end *e = &c->end.v[i];

		for (uint32_t k = 0; in_the_way(c->m, q, e->job) && k < e->n; k++)
			fsi_bit_clear(nodes, e->node[k]);
	}
}

/* A node that is kept from the job, and until when. */
struct kept {
	int64_t until;
	uint32_t node;
};

static int by_end(const void *x, const void *y, const void *ctx)
{
	const struct kept *a = x, *b = y;

	(void)ctx;
	return (a->until < b->until) - (a->until > b->until);
}

/* Lists those of the nodes; returns how many. */
static uint32_t list_kept(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, int64_t start,
			  const uint64_t *nodes, struct kept *v)
{
	uint32_t n = 0;

	FSI_BITS_EACH(i, nodes, c->words)
	{
		const struct fsi_plan_node *node = &c->node[i];
		struct kept one = { INT64_MIN, i };
		bool kept = false;

		for (size_t k = 0; k < node->hold.n; k++) {
			const struct fsi_plan_alloc *h = &node->hold.v[k];

			kept = kept || (h->job != FSI_NO_INDEX && in_the_way(c->m, q, h->job));
			one.until = h->end > one.until ? h->end : one.until;
		}
		if (kept && one.until > start)
			v[n++] = one;
	}
	return n;
}

int fsi_plan_owned(const struct fsi_select *sel, const struct fsi_plan_request *q, int64_t start, uint64_t *nodes,
		   struct fsi_plan_owned *out)
{
	struct kept *v;
	int64_t left;
	uint32_t n;

	*out = (struct fsi_plan_owned){ 0 };
	if (!q->sharing.exclusive_user && !sel->cluster->users_own)
		return 0;
	if (!sel->params->looks_on) {
		take_out(sel->cluster, q, nodes);
		return 0;
	}
	fsi_bits_and(nodes, sel->cluster->not_down, sel->cluster->words);
	if (q->set.named)
		fsi_bits_and(nodes, q->set.named, sel->cluster->words);
	v = malloc((sel->cluster->nnodes + (size_t)1) * sizeof(*v));
	n = v ? list_kept(sel->cluster, q, start, nodes, v) : 0;
	if (!v || fs_sort(v, n, sizeof(*v), by_end, NULL)) {
		free(v);
		return -1;
	}
	left = fsi_bits_count(nodes, sel->cluster->words);
	for (uint32_t i = 0; i < n && !out->delays; i++) {
		out->until = v[i].until;
		out->delays = left <= q->nodes.min || (q->set.required && fsi_bit(q->set.required, v[i].node));
		if (!out->delays)
			fsi_bit_clear(nodes, v[i].node);
		left--;
	}
	free(v);
	return 0;
}

bool fsi_plan_users_own(const struct fsi_plan_cluster *c)
{
	for (size_t i = 0; i < c->end.n; i++)
		if (keeps_others_out(c->m, &c->m->job.v[c->end.v[i].job]))
			return true;
	return false;
}
