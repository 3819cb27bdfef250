/* Nodes of maui.cfg: NODECFG[name] ATTRIBUTE=VALUE ... (src/moab/MNode.c:MNodeProcessConfig, MPar.c:MParAdd). Of the
 * attributes that say where jobs may run the partition is taken; of the others it is told that they are not. */
#include "import/maui/cfg.h"

#include <stdlib.h>

static const struct fsi_span default_partition = { "DEFAULT", 7 };

/* A node is in the partition that was named last. */
static int set_partition(struct fsi_maui_import *x, struct fsi_span node, struct fsi_span partition)
{
	const struct fsi_maui_node_partition p = {
		.node = fsi_import_name(x->imp, node),
		.partition = fsi_span_is(partition, default_partition.s) ? 0 : fsi_import_name(x->imp, partition),
	};

	if (p.node == FSI_INTERN_FAILED || p.partition == FSI_INTERN_FAILED || FSI_VEC_ROOM(&x->node_partition))
		return fsi_nomem(x->imp->err);
	x->node_partition.v[x->node_partition.n++] = p;
	return 0;
}

static int take_attribute(struct fsi_maui_config *c, struct fsi_span node, struct fsi_span word)
{
	static const char *const left_out[] = { "MAXJOB", "MAXJOBPERUSER", "MAXPROC", "MAXPROCPERUSER", "FEATURES" };
	struct fsi_span name;

	if (!fsi_span_cut(&word, '=', &name) || !word.len)
		return 0;
	if (fsi_span_is(name, "PARTITION"))
		return set_partition(c->x, node, word);
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (fsi_span_is(name, left_out[i]))
			return fsi_maui_warn(c->x, left_out[i], "NODECFG %s is not used: nodes are taken without it", left_out[i]);
	return 0;
}

int fsi_maui_node_settings(struct fsi_maui_config *c)
{
	int rc = 0;

	for (size_t i = 0; i < c->cfg.line.n && !rc; i++) {
		const struct fsi_cfg_line *l = &c->cfg.line.v[i];
		struct fsi_span rest = l->value, word;

		if (!fsi_cfg_is(l->name, "NODECFG") || !l->index.len)
			continue;
		fsi_cfg_set_location(c, l);
		while (!rc && fsi_span_words(rest, &word, 1)) {
			rest = fsi_span_from(rest, (size_t)(word.s + word.len - rest.s));
			rc = take_attribute(c, l->index, word);
		}
	}
	return rc;
}

int fsi_maui_node_partitions(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	uint32_t *of = calloc((size_t)m->names.count + 1, sizeof(*of));

	if (!of)
		return fsi_nomem(x->imp->err);
	for (size_t i = 0; i < x->node_partition.n; i++)
		of[x->node_partition.v[i].node] = x->node_partition.v[i].partition;
	for (size_t i = 0; i < m->node.n; i++)
		if (of[m->node.v[i].name])
			FSI_PUT(&m->node.v[i], NODE, maui_partition, of[m->node.v[i].name]);
	free(of);
	return 0;
}
