/* Switches (scontrol show topology, one a line): each node gets those above it, from its leaf up. */
#include "base/hostlist.h"
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

struct above {
	uint32_t node, level, name; /* row; its level; name of the switch */
};

struct reading {
	struct fsi_import *imp;
	uint32_t *row_of, names; /* by the name id of a node, `names` of them: its row + 1 */
	FSI_VEC(struct above) all;
	struct above now;
	bool no_memory;
};

static int add_node(void *ctx, const char *name, size_t len)
{
	struct reading *r = ctx;
	const uint32_t id = fsi_intern_find(&r->imp->m->names, name, len),
		       row = id && id <= r->names ? r->row_of[id] : 0;

	if (!row)
		return 0;
	if (FSI_VEC_ROOM(&r->all)) {
		r->no_memory = true;
		return 1;
	}
	r->now.node = row - 1;
	r->all.v[r->all.n++] = r->now;
	return 0;
}

/* Levels have one digit: nobody has deeper trees. */
static uint32_t level_of(struct fsi_span v)
{
	return v.len == 1 && v.s[0] >= '0' && v.s[0] <= '9' ? (uint32_t)(v.s[0] - '0') : 10;
}

static int switch_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reading *r = ctx;
	struct fsi_kv kv;
	struct fsi_span name, nodes;
	char *list;
	int rc;

	fsi_kv_split(&kv, line);
	name = fsi_kv_get(&kv, "SwitchName");
	nodes = fsi_kv_get(&kv, "Nodes");
	if (!name.len || !nodes.len)
		return 0;
	r->now.level = level_of(fsi_kv_get(&kv, "Level"));
	r->now.name = fsi_import_name(imp, name);
	list = strndup(nodes.s, nodes.len);
	if (!list || r->now.name == FSI_INTERN_FAILED) {
		free(list);
		return fsi_nomem(imp->err);
	}
	rc = fsi_hostlist_each(list, FSI_MAX_HOSTS, add_node, r);
	free(list);
	return r->no_memory ? fsi_nomem(imp->err) : rc ? fsi_import_bad(imp, "Nodes", nodes, "a node list") : 0;
}

/* Sorts by node, and from its leaf up. */
static int by_node(const void *x, const void *y)
{
	const struct above *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

static int set_paths(struct reading *r)
{
	struct fsi_import *imp = r->imp;
	uint32_t path[16], n = 0;

	if (r->all.n)
		qsort(r->all.v, r->all.n, sizeof(*r->all.v), by_node);
	for (size_t k = 0; k < r->all.n; k++) {
		const struct above *a = &r->all.v[k];
		struct fsi_node *node = &imp->m->node.v[a->node];

		if (n < sizeof(path) / sizeof(*path))
			path[n++] = a->name;
		if (k + 1 < r->all.n && a[1].node == a->node)
			continue;
		node->switches = fsi_intern(&imp->m->sets, path, n * sizeof(*path));
		if (node->switches == FSI_INTERN_FAILED)
			return fsi_nomem(imp->err);
		FSI_SET(node, NODE, switches);
		n = 0;
	}
	return 0;
}

int fsi_slurm_topology(struct fsi_import *imp)
{
	struct reading r = { .imp = imp, .row_of = calloc((size_t)imp->m->names.count + 1, sizeof(*r.row_of)) };
	int rc = r.row_of ? 0 : fsi_nomem(imp->err);

	for (uint32_t i = 0; !rc && i < imp->m->node.n; i++)
		r.row_of[imp->m->node.v[i].name] = i + 1;
	r.names = imp->m->names.count;
	if (!rc)
		rc = fsi_import_lines(imp, "scontrol_topology.txt", switch_line, &r);
	rc = rc > 0 ? 0 : rc;
	if (!rc)
		rc = set_paths(&r);
	FSI_VEC_FREE(&r.all);
	free(r.row_of);
	return rc;
}
