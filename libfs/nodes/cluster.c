#include "nodes/oversubscribe.h"

#include "base/hostlist.h"
#include "base/memory.h"
#include "model/find.h"
#include "model/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- generic resources of nodes and jobs
 *
 * If a generic resource is a TRES of the cluster, the records of jobs and nodes have its amounts. A generic resource
 * that AccountingStorageTRES does not name, for example a GPU type, is not a TRES. A job record then has only the
 * requested amount (gres_req) and the amount on each node (node_gres). A node record has only the total (gres). */

/* Returns the count of an item such as "gpu:a100:4"; 1 if the item has no count. */
static int64_t parse_gres_count(const char *item, size_t len)
{
	size_t colon = len;
	int64_t n;

	while (colon && item[colon - 1] != ':')
		colon--;
	return colon && !fsi_parse_count(item + colon, len - colon, &n) ? fsi_cluster_limit_amount(n > 0 ? n : 0) : 1;
}

/* Returns the amount of a TRES such as "gres/gpu" or "gres/gpu:a100" in a text such as "gpu:a100:4(S:0-1),fs:10". */
static int64_t sum_gres_in_text(const char *text, size_t len, const char *tres)
{
	const char *end = text + len, *slash = strchr(tres, '/'), *name = slash ? slash + 1 : tres;
	const size_t want = strlen(name);
	int64_t sum = 0;

	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text)), *stop = comma ? comma : end;
		const char *about = memchr(text, '(', (size_t)(stop - text));
		const size_t item = (size_t)((about ? about : stop) - text);

		if (item >= want && !strncmp(text, name, want) && (item == want || text[want] == ':'))
			sum = fsi_cluster_limit_amount(sum + parse_gres_count(text, item));
		text = stop + (comma != NULL);
	}
	return sum;
}

int64_t fsi_cluster_get_requested_amount(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres)
{
	return fsi_cluster_limit_amount(fsi_job_requested_amount(m, j, tres));
}

/* Returns the i-th part of a list of n parts separated by semicolons; NULL if the list does not have n parts. */
static const char *find_list_part(const char *list, uint32_t n, uint32_t i, size_t *len)
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

bool fsi_cluster_has_listed_gres(const struct fsi_cluster *c, const struct fsi_job *j, uint32_t nodes)
{
	const uint32_t list = fsi_job_ext(c->m, j)->node_gres;
	size_t len;

	return list && find_list_part(fsi_name_text(c->m, list), nodes, 0, &len);
}

int64_t fsi_cluster_get_held_gres(const struct fsi_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes,
				  uint32_t i)
{
	const struct fsi_job_ext *ext = fsi_job_ext(c->m, j);
	size_t len = 0;
	const char *own = ext->node_gres ? find_list_part(fsi_name_text(c->m, ext->node_gres), nodes, i, &len) : NULL;

	return own ? sum_gres_in_text(own, len, fsi_name_text(c->m, c->res_name[r]))
		   : fsi_compute_even_part(fsi_cluster_get_requested_amount(c->m, j, c->res_name[r]), nodes, i);
}

/* ---- switches of topology/tree
 *
 * The record of each node lists the switches above the node, from the leaf to the top. The switches of the cluster are
 * made from these lists (topology/tree/topology_tree.c: _validate_switches). The lists are read in the order of node
 * names, and each new switch is appended. A leaf therefore precedes the switches above it. */

/* Returns true if TopologyParam contains the word. As in the controller, the case of letters is ignored, and the word
 * may be part of a longer word. */
static bool is_in_topology_param(const fs_snapshot *m, const char *word)
{
	const char *s = fs_snapshot_config_text(m, "TopologyParam");

	while (s && *s && strncasecmp(s, word, strlen(word)) != 0)
		s++;
	return s && *s;
}

static uint32_t find_switch_index(const struct fsi_cluster *c, uint32_t name)
{
	uint32_t k = 0;

	while (k < c->topology.nswitches && c->topology.switches[k].name != name)
		k++;
	return k;
}

/* Adds the node to each switch on its path to the top. Switches that are missing from the cluster are added. Returns
 * false if a switch has two parents, or if out of memory. */
static bool add_switch_path(struct fsi_cluster *c, uint32_t node)
{
	size_t n;
	const uint32_t *path = fsi_list_items(c->m, c->m->node.v[c->node[node].row].switches, &n);

	for (uint32_t level = 0; level < n; level++) {
		const uint32_t k = find_switch_index(c, path[level]),
			       parent = level + 1 < n ? path[level + 1] : FSI_NO_INDEX;

		if (k == c->topology.nswitches) {
			c->topology.switches[k] =
				(struct fsi_topology_switch){ .name = path[level], .level = level, .parent = parent };
			c->topology.switches[k].nodes =
				fsi_arena_array(&c->arena, c->words, sizeof(*c->topology.switches[k].nodes));
			c->topology.nswitches++;
		}
		if (!c->topology.switches[k].nodes || c->topology.switches[k].parent != parent)
			return false;
		c->topology.switches[k].level =
			level > c->topology.switches[k].level ? level : c->topology.switches[k].level;
		fsi_bit_set(c->topology.switches[k].nodes, node);
	}
	return true;
}

/* Returns the number of steps on the path from switch a to switch b: up to the lowest switch above both, then down. */
static uint32_t count_switch_steps(const struct fsi_cluster *c, uint32_t a, uint32_t b)
{
	uint32_t up = 0;

	for (; a != FSI_NO_INDEX; a = c->topology.switches[a].parent, up++) {
		uint32_t down = 0, k = b;

		while (k != FSI_NO_INDEX && k != a) {
			k = c->topology.switches[k].parent;
			down++;
		}
		if (k == a)
			return up + down;
	}
	return FSI_NO_INDEX;
}

static int make_switch_distances(struct fsi_cluster *c)
{
	const size_t n = c->topology.nswitches;

	c->topology.distance = fsi_arena_array(&c->arena, n * n + 1, sizeof(*c->topology.distance));
	if (!c->topology.distance)
		return -1;
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			c->topology.distance[a * n + b] = count_switch_steps(c, a, b);
	return 0;
}

/* Replaces the name id in each switch's `parent` by the index of the parent switch. */
static void resolve_switch_parents(struct fsi_cluster *c)
{
	for (uint32_t k = 0; k < c->topology.nswitches; k++)
		if (c->topology.switches[k].parent != FSI_NO_INDEX)
			c->topology.switches[k].parent = find_switch_index(c, c->topology.switches[k].parent);
}

static size_t count_listed_switches(const struct fsi_cluster *c)
{
	size_t all = 0, n;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		fsi_list_items(c->m, c->m->node.v[c->node[i].row].switches, &n);
		all += n;
	}
	return all;
}

/* Makes the switches of the cluster. Returns -1 if out of memory. */
static int make_cluster_switches(struct fsi_cluster *c)
{
	const char *plugin = fs_snapshot_config_text(c->m, "TopologyPlugin");
	bool ok = true;

	c->topology.unknown =
		!plugin || (strcmp(plugin, "topology/none") != 0 && strcmp(plugin, "topology/default") != 0 &&
			    strcmp(plugin, "topology/flat") != 0);
	if (!plugin || strcmp(plugin, "topology/tree") != 0 || is_in_topology_param(c->m, "dragonfly"))
		return 0;
	c->topology.switches = fsi_arena_array(&c->arena, count_listed_switches(c) + 1, sizeof(*c->topology.switches));
	if (!c->topology.switches)
		return -1;
	for (uint32_t i = 0; ok && i < c->nnodes; i++)
		ok = add_switch_path(c, i);
	if (!ok)
		c->topology.nswitches = 0;
	c->topology.unknown = !c->topology.nswitches;
	c->topology.optional = is_in_topology_param(c->m, "TopoOptional");
	resolve_switch_parents(c);
	return make_switch_distances(c);
}

/* Returns the maximum number of hosts to read from a host list. The maximum exceeds the number of nodes, because a list
 * may name hosts that the snapshot does not have. */
static uint64_t get_max_host_count(const struct fsi_cluster *c)
{
	const uint64_t spare = 1024;

	return 4 * (uint64_t)c->nnodes + spare;
}

/* ---- resources */

static void add_generic_resource(struct fsi_cluster *c, uint32_t name)
{
	if (strncmp(fsi_name_text(c->m, name), "gres/", 5) != 0 || c->nres == FSI_RES_MAX)
		return;
	for (uint32_t i = FSI_RES_GRES; i < c->nres; i++)
		if (c->res_name[i] == name)
			return;
	c->res_name[c->nres++] = name;
}

static void add_requested_resources(struct fsi_cluster *c, uint32_t set)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(c->m, set, &n);

	for (size_t k = 0; k < n; k++)
		add_generic_resource(c, a[k].tres);
}

/* Sets c->res_name to the resources of the cluster. Generic resources are in the order in which jobs first request
 * them; generic resources that are not TRES of the cluster come last. */
static void find_cluster_resources(struct fsi_cluster *c)
{
	uint32_t last = 0;

	c->nres = FSI_RES_GRES;
	c->res_name[FSI_RES_CPU] = fsi_name_find(c->m, "cpu");
	c->res_name[FSI_RES_MEM] = fsi_name_find(c->m, "mem");
	for (size_t i = 0; i < c->m->job.n; i++) {
		const uint32_t set = c->m->job.v[i].tres_req;

		if (set != last)
			add_requested_resources(c, set);
		last = set;
	}
	c->ntres_resources = c->nres;
	for (size_t i = 0; i < c->m->job_ext.n; i++)
		add_requested_resources(c, c->m->job_ext.v[i].gres_req);
}

/* ---- nodes */

/* Returns true if a node in the state `state` accepts jobs. */
static bool is_accepting_jobs_state(const char *state)
{
	static const char *const bad[] = { "DOWN",  "DRAIN",   "DRAINED", "DRAINING", "FAIL",       "FAILING",
					   "ERROR", "UNKNOWN", "FUTURE",  "INVAL",    "INVALID_REG" };

	return !fsi_node_state_has(state, bad, sizeof(bad) / sizeof(*bad)) && !fsi_node_is_unresponsive(state) &&
	       !fsi_node_will_power_down(state);
}

/* Returns true if the base state, without flags, is DOWN, UNKNOWN or FUTURE, for example in "DOWN*" and
 * "UNKNOWN+DRAIN". */
static bool is_down_base_state(const char *state)
{
	static const char *const bases[] = { "DOWN", "UNKNOWN", "FUTURE" };
	const size_t base = strspn(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

	for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
		if (base == strlen(bases[i]) && !strncmp(state, bases[i], base))
			return true;
	return false;
}

/* Returns the scheduling weight of the node. Nodes that must be powered up first are allocated last
 * (src/slurmctld/node_scheduler.c: _build_node_list; from 23.11 on src/plugins/select/cons_tres/job_test.c:
 * _set_sched_weight). Before 23.02, all nodes that must be powered up have the same weight. */
static int64_t compute_sched_weight(const struct fsi_cluster *c, const struct fsi_node *n)
{
	const int64_t last = INT64_C(1) << 40, same_weight = 0xfffffffe;
	const char *state = fsi_name_text(c->m, n->state);

	if (fsi_node_is_powered_down(state) ||
	    (fsi_node_is_powering_up(state) && fs_slurm_has(c->release, FS_SLURM_WAKING_LAST)))
		return fs_slurm_has(c->release, FS_SLURM_SLEEPERS_WEIGH) ? last + n->weight : same_weight;
	return n->weight;
}

static void fill_cluster_node(const struct fsi_cluster *c, struct fsi_cluster_node *n, uint32_t row)
{
	const fs_snapshot *m = c->m;
	const struct fsi_node *r = &m->node.v[row];

	n->row = row;
	n->threads_per_core = FSI_HAS(r, NODE, threads_per_core) && r->threads_per_core ? r->threads_per_core : 1;
	n->sockets = FSI_HAS(r, NODE, sockets) ? r->sockets : 0;
	n->weight = compute_sched_weight(c, r);
	n->accepts_jobs = is_accepting_jobs_state(fsi_name_text(m, r->state));
	n->is_completing = strstr(fsi_name_text(m, r->state), "COMPLETING") != NULL;
	n->total[FSI_RES_CPU] = FSI_HAS(r, NODE, effective_cpus) ? r->effective_cpus : r->cpus;
	n->total[FSI_RES_MEM] = c->rules.memory_is_consumable ? fsi_node_get_total_memory(m, row) : FSI_AMOUNT_MAX;
	for (uint32_t i = FSI_RES_GRES; i < c->nres; i++) {
		const int64_t known = fsi_amount_of_tres(m, r->tres, c->res_name[i]);

		n->total[i] = fsi_cluster_limit_amount(known ? known
							     : sum_gres_in_text(fsi_name_text(m, r->gres),
										strlen(fsi_name_text(m, r->gres)),
										fsi_name_text(m, c->res_name[i])));
	}
	memcpy(n->free, n->total, sizeof(n->free));
}

/* Compares the names of two nodes. Numbers in the names are compared by value, all other characters one by one. */
static int compare_nodes_by_name(const void *x, const void *y, const void *ctx)
{
	const struct fsi_cluster_node *m = x, *n = y;
	const fs_snapshot *s = ctx;
	const char *a = fsi_name_text(s, s->node.v[m->row].name), *b = fsi_name_text(s, s->node.v[n->row].name);
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

static void update_smallest_node(struct fsi_cluster *c, uint32_t node)
{
	const struct fsi_cluster_node *n = &c->node[node];
	const uint32_t cpus = fsi_node_get_total_cpus(c->m, n->row);
	const int64_t mem = fsi_node_get_total_memory(c->m, n->row);

	if (!node || cpus < c->smallest.cpus)
		c->smallest.cpus = cpus;
	if (!node || mem < c->smallest.mem_mb)
		c->smallest.mem_mb = mem;
}

static int make_cluster_nodes(struct fsi_cluster *c)
{
	const fs_snapshot *m = c->m;

	c->nnodes = (uint32_t)m->node.n;
	c->node = calloc((size_t)c->nnodes + 1, sizeof(*c->node));
	c->node_index = calloc((size_t)m->names.count + 1, sizeof(*c->node_index));
	if (!c->node || !c->node_index)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		fill_cluster_node(c, &c->node[i], i);
	if (fs_sort(c->node, c->nnodes, sizeof(*c->node), compare_nodes_by_name, m))
		return -1;
	c->words = c->nnodes / 64 + 1;
	c->up_nodes = fsi_arena_array(&c->arena, c->words, sizeof(*c->up_nodes));
	c->not_down_nodes = fsi_arena_array(&c->arena, c->words, sizeof(*c->not_down_nodes));
	if (!c->up_nodes || !c->not_down_nodes)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		c->node_index[m->node.v[c->node[i].row].name] = i + 1;
		update_smallest_node(c, i);
		if (c->node[i].accepts_jobs)
			fsi_bit_set(c->up_nodes, i);
		if (!is_down_base_state(fsi_name_text(m, m->node.v[c->node[i].row].state)))
			fsi_bit_set(c->not_down_nodes, i);
	}
	return 0;
}

/* ---- nodes of a partition, read from its node list; if it has no node list, from the partitions listed for each
 * node */

struct partition_members {
	const struct fsi_cluster *c;
	bool *has;
	uint32_t n;
};

static int mark_named_node(void *ctx, const char *name, size_t len)
{
	struct partition_members *k = ctx;
	const uint32_t id = fsi_intern_find_id(&k->c->m->names, name, len), i = id ? k->c->node_index[id] : 0;

	if (i && !k->has[i - 1]) {
		k->has[i - 1] = true;
		k->n++;
	}
	return 0;
}

static void mark_member_nodes(struct partition_members *k, uint32_t partition_name)
{
	for (uint32_t i = 0; i < k->c->nnodes; i++) {
		size_t n;
		const uint32_t *parts = fsi_list_items(k->c->m, k->c->m->node.v[k->c->node[i].row].partitions, &n);

		for (size_t p = 0; p < n; p++)
			if (parts[p] == partition_name && !k->has[i]) {
				k->has[i] = true;
				k->n++;
			}
	}
}

static int make_partition_nodes(struct fsi_cluster *c, uint32_t row, struct partition_members *k)
{
	const struct fsi_partition *p = &c->m->partition.v[row];
	struct fsi_cluster_partition *part = &c->partition[row];

	memset(k->has, 0, (size_t)c->nnodes + 1);
	k->n = 0;
	if (p->nodes)
		fsi_hostlist_expand_each(fsi_name_text(c->m, p->nodes), get_max_host_count(c), mark_named_node, k);
	else
		mark_member_nodes(k, p->name);
	part->node = fsi_arena_array(&c->arena, (size_t)k->n + 1, sizeof(*part->node));
	part->node_set = fsi_arena_array(&c->arena, c->words, sizeof(*part->node_set));
	if (!part->node || !part->node_set)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (k->has[i]) {
			part->node[part->nnodes++] = i;
			fsi_bit_set(part->node_set, i);
		}
	return 0;
}

static int make_cluster_partitions(struct fsi_cluster *c)
{
	struct partition_members k = { .c = c, .has = calloc((size_t)c->nnodes + 1, sizeof(bool)) };
	int rc = k.has ? 0 : -1;

	c->partition = calloc(c->m->partition.n + 1, sizeof(*c->partition));
	if (!c->partition)
		rc = -1;
	for (uint32_t i = 0; !rc && i < c->m->partition.n; i++)
		rc = make_partition_nodes(c, i, &k);
	free(k.has);
	return rc;
}

bool fsi_cluster_is_gpu_resource(const struct fsi_cluster *c, uint32_t r)
{
	const char *s = fsi_name_text(c->m, c->res_name[r]);

	return !strcmp(s, "gres/gpu") || !strncmp(s, "gres/gpu:", 9);
}

/* ---- lists of nodes */

struct listed_nodes {
	const struct fsi_cluster *c;
	uint32_t *v, n;
};

static int append_listed_node(void *ctx, const char *name, size_t len)
{
	struct listed_nodes *g = ctx;
	const uint32_t id = fsi_intern_find_id(&g->c->m->names, name, len), i = id ? g->c->node_index[id] : 0;

	if (i && g->n < g->c->nnodes)
		g->v[g->n++] = i - 1;
	return 0;
}

uint32_t fsi_cluster_list_nodes(const struct fsi_cluster *c, uint32_t list, uint32_t *v)
{
	struct listed_nodes g = { .c = c, .v = v };

	fsi_hostlist_expand_each(fsi_name_text(c->m, list), get_max_host_count(c), append_listed_node, &g);
	return g.n;
}

bool fsi_cluster_get_node_usage(const struct fsi_cluster *c, uint32_t node, uint32_t r, int64_t *used)
{
	const struct fsi_node *n = &c->m->node.v[c->node[node].row];
	bool known;

	if (r == FSI_RES_CPU) {
		known = FSI_HAS(n, NODE, alloc_cpus);
		*used = n->alloc_cpus;
	} else if (r == FSI_RES_MEM) {
		known = FSI_HAS(n, NODE, alloc_mem_mb) && n->alloc_mem_mb <= INT64_MAX;
		*used = known && c->rules.memory_is_consumable ? (int64_t)n->alloc_mem_mb : 0;
	} else {
		known = FSI_HAS(n, NODE, alloc_tres) && r < c->ntres_resources;
		*used = fsi_amount_of_tres(c->m, n->alloc_tres, c->res_name[r]);
	}
	*used = fsi_cluster_limit_amount(*used);
	return known;
}

/* ---- the cluster */

/* Returns true if SelectTypeParameters contains the text `big` or the text `small`: two spellings of one word, such as
 * CR_CORE and CR_Core. If SelectTypeParameters is unknown, returns `otherwise`. */
static bool is_in_select_parameters(const fs_snapshot *m, const char *big, const char *small, bool otherwise)
{
	const char *s = fs_snapshot_config_text(m, "SelectTypeParameters");

	return s ? strstr(s, big) || strstr(s, small) : otherwise;
}

static bool is_gang_scheduling_on(const fs_snapshot *m)
{
	const char *mode = fs_snapshot_config_text(m, "PreemptMode");

	return mode && strstr(mode, "GANG");
}

int fsi_cluster_init(struct fsi_cluster *c, const fs_snapshot *m)
{
	*c = (struct fsi_cluster){ .m = m,
				   .now = c->now,
				   .work = c->work,
				   .release = c->release,
				   .rules.memory_is_consumable = is_in_select_parameters(m, "MEMORY", "Memory", true),
				   .rules.any_oversubscribe = fsi_cluster_has_oversubscribe(m),
				   .rules.gang = is_gang_scheduling_on(m),
				   .rules.least_loaded_first = is_in_select_parameters(m, "LLN", "lln", false),
				   .rules.whole_cores = is_in_select_parameters(m, "CR_CORE", "CR_Core", false),
				   .rules.whole_sockets = is_in_select_parameters(m, "CR_SOCKET", "CR_Socket", false),
				   .rules.packs_sockets =
					   is_in_select_parameters(m, "DIST_BLOCK", "dist_block", false) };
	find_cluster_resources(c);
	return fsi_request_settings_init(&c->requests, m, &c->arena) || make_cluster_nodes(c) ||
			       make_cluster_partitions(c) || make_cluster_switches(c)
		       ? -1
		       : 0;
}

void fsi_cluster_release(struct fsi_cluster *c)
{
	for (uint32_t i = 0; c->node && i < c->nnodes; i++) {
		FSI_VEC_FREE(&c->node[i].hold);
		FSI_VEC_FREE(&c->node[i].block);
	}
	FSI_VEC_FREE(&c->end);
	free(c->node);
	free(c->node_index);
	free(c->partition);
	fsi_arena_release(&c->arena);
}
