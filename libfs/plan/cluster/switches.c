/* The switches of topology/tree, from the paths of nodes (topology/tree/topology_tree.c: _validate_switches). Their
 * order is that of the first nodes on them, and inner ones behind leaves. */
#include "plan/bits.h"
#include "plan/plan.h"

#include <string.h>
#include <strings.h>

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

	while (k < c->nswitches && c->sw[k].name != name)
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

		if (k == c->nswitches) {
			c->sw[k] = (struct fsi_plan_switch){ .name = path[level], .level = level, .parent = parent };
			c->sw[k].nodes = fsi_arena_array(&c->arena, c->words, sizeof(*c->sw[k].nodes));
			c->nswitches++;
		}
		if (!c->sw[k].nodes || c->sw[k].parent != parent)
			return false;
		c->sw[k].level = level > c->sw[k].level ? level : c->sw[k].level;
		fsi_bit_set(c->sw[k].nodes, node);
	}
	return true;
}

/* Steps up and down the tree, through the first switch above both. */
static uint32_t distance(const struct fsi_plan_cluster *c, uint32_t a, uint32_t b)
{
	uint32_t up = 0;

	for (; a != FSI_NO_INDEX; a = c->sw[a].parent, up++) {
		uint32_t down = 0, k = b;

		while (k != FSI_NO_INDEX && k != a) {
			k = c->sw[k].parent;
			down++;
		}
		if (k == a)
			return up + down;
	}
	return FSI_NO_INDEX;
}

static int make_distances(struct fsi_plan_cluster *c)
{
	const size_t n = c->nswitches;

	c->sw_dist = fsi_arena_array(&c->arena, n * n + 1, sizeof(*c->sw_dist));
	if (!c->sw_dist)
		return -1;
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			c->sw_dist[a * n + b] = distance(c, a, b);
	return 0;
}

/* Replaces the names of switches above by their places. */
static void find_parents(struct fsi_plan_cluster *c)
{
	for (uint32_t k = 0; k < c->nswitches; k++)
		if (c->sw[k].parent != FSI_NO_INDEX)
			c->sw[k].parent = find_switch(c, c->sw[k].parent);
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

int fsi_plan_switches(struct fsi_plan_cluster *c)
{
	const char *plugin = fs_snapshot_config_text(c->m, "TopologyPlugin");
	bool ok = true;

	c->topology_unknown = !plugin || (strcmp(plugin, "topology/none") != 0 && strcmp(plugin, "topology/default") != 0 &&
					  strcmp(plugin, "topology/flat") != 0);
	if (!plugin || strcmp(plugin, "topology/tree") != 0 || param_has(c->m, "dragonfly"))
		return 0;
	c->sw = fsi_arena_array(&c->arena, max_switches(c) + 1, sizeof(*c->sw));
	if (!c->sw)
		return -1;
	for (uint32_t i = 0; ok && i < c->nnodes; i++)
		ok = add_path(c, i);
	if (!ok)
		c->nswitches = 0;
	c->topology_unknown = !c->nswitches;
	c->topology_optional = param_has(c->m, "TopoOptional");
	find_parents(c);
	return make_distances(c);
}
