/* The records of queues and nodes are made of what was gathered of the machine. */
#include "import/flux/machine.h"

#include "base/hostlist.h"

#include <stdlib.h>
#include <string.h>

static int make_partition(struct fsi_flux_machine *x, uint32_t name)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_partition *q;

	for (size_t i = 0; i < m->partition.n; i++)
		if (m->partition.v[i].name == name)
			return 0;
	q = FSI_VEC_ADD(&m->partition);
	if (!q)
		return fsi_nomem(x->f->imp.err);
	FSI_PUT(q, PARTITION, name, name);
	if (x->f->queues) /* a queue that flux-accounting does not know has no priority there */
		FSI_SET(q, PARTITION, priority);
	return 0;
}

/* A record for each queue of the configuration. */
static int make_partitions(struct fsi_flux_machine *x)
{
	int rc = 0;

	for (size_t i = 0; i < x->need.n && !rc; i++)
		rc = make_partition(x, x->need.v[i].queue);
	return rc;
}

static bool has_property(const struct fsi_flux_node *n, uint32_t property)
{
	for (size_t i = 0; i < n->property.n; i++)
		if (n->property.v[i] == property)
			return true;
	return !property;
}

/* Is the node in the queue? The configuration tells, without it what the list prints. */
static bool is_in(struct fsi_flux_machine *x, const struct fsi_flux_node *n, uint32_t queue)
{
	const fs_snapshot *m = x->f->imp.m;
	struct fsi_span rest, name;
	bool told = false;

	for (size_t i = 0; i < x->need.n && x->from_r; i++)
		if (x->need.v[i].queue == queue) {
			told = true;
			if (!has_property(n, x->need.v[i].property))
				return false;
		}
	if (told)
		return true;
	rest = (struct fsi_span){ fsi_str(m, n->group), strlen(fsi_str(m, n->group)) };
	while (fsi_span_cut(&rest, ',', &name))
		if (fsi_span_is(name, fsi_str(m, queue)))
			return true;
	return false;
}

static int set_queues(struct fsi_flux_machine *x, const struct fsi_flux_node *n, struct fsi_node *out)
{
	fs_snapshot *m = x->f->imp.m;
	uint32_t *names = malloc((m->partition.n + 1) * sizeof(*names));
	size_t k = 0;

	if (!names)
		return -1;
	for (size_t i = 0; i < m->partition.n; i++) {
		struct fsi_partition *q = &m->partition.v[i];

		if (!is_in(x, n, q->name))
			continue;
		names[k++] = q->name;
		q->total_nodes++;
		FSI_SET(q, PARTITION, total_nodes);
		if (n->known) {
			q->total_cpus += n->cores;
			FSI_SET(q, PARTITION, total_cpus);
		}
	}
	FSI_PUT(out, NODE, partitions, fsi_intern(&m->sets, names, k * sizeof(*names)));
	free(names);
	return out->partitions == FSI_INTERN_FAILED ? -1 : 0;
}

/* The nodes of a queue as one list, in their order; -1 without memory. */
static int list_nodes(fs_snapshot *m, struct fsi_partition *q)
{
	struct fsi_hostlist_fold f;
	size_t room = 16;
	char *text;

	for (size_t i = 0; i < m->node.n; i++)
		room += 2 * strlen(fsi_str(m, m->node.v[i].name)) + 4;
	text = malloc(room);
	if (!text)
		return -1;
	fsi_hostlist_fold_begin(&f, text, room);
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_list_has(m, m->node.v[i].partitions, fsi_str(m, q->name)))
			fsi_hostlist_fold_add(&f, fsi_str(m, m->node.v[i].name));
	fsi_hostlist_fold_end(&f);
	q->nodes = fsi_name(m, text);
	free(text);
	FSI_SET(q, PARTITION, nodes);
	return q->nodes == FSI_INTERN_FAILED ? -1 : 0;
}

static const char *state_word(unsigned state)
{
	const bool busy = state & FSI_FLUX_BUSY;

	if (state & FSI_FLUX_DRAINED)
		return busy ? "ALLOCATED+DRAIN" : state & FSI_FLUX_DOWN ? "DOWN+DRAIN" : "IDLE+DRAIN";
	if (state & FSI_FLUX_DOWN)
		return "DOWN";
	return !busy ? "IDLE" : state & FSI_FLUX_FREE ? "MIXED" : "ALLOCATED";
}

static int set_amounts(fs_snapshot *m, const struct fsi_flux_node *n, struct fsi_node *out)
{
	struct fsi_amount a[2] = { { fsi_name(m, "cpu"), 0, n->cores }, { fsi_name(m, "gres/gpu"), 0, n->gpus } };

	if (!n->known)
		return 0;
	FSI_PUT(out, NODE, cpus, n->cores);
	if (a[0].tres == FSI_INTERN_FAILED || a[1].tres == FSI_INTERN_FAILED)
		return -1;
	FSI_PUT(out, NODE, tres, fsi_intern(&m->sets, a, (n->gpus ? 2 : 1) * sizeof(*a)));
	return out->tres == FSI_INTERN_FAILED ? -1 : 0;
}

static int make_node(struct fsi_flux_machine *x, const struct fsi_flux_node *n)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_node *out = FSI_VEC_ADD(&m->node);

	if (!out)
		return -1;
	FSI_PUT(out, NODE, name, n->name);
	if (x->states || x->drained) {
		/* `flux resource list` calls a drained node down, which it need not be */
		const bool drained = n->state & FSI_FLUX_DRAINED;

		out->state = fsi_name(m, state_word(drained ? n->state & ~(unsigned)FSI_FLUX_DOWN : n->state));
		if (out->state == FSI_INTERN_FAILED)
			return -1;
		FSI_SET(out, NODE, state);
	}
	if (n->property.n) {
		out->features = fsi_intern(&m->sets, n->property.v, n->property.n * sizeof(*n->property.v));
		if (out->features == FSI_INTERN_FAILED)
			return -1;
		FSI_SET(out, NODE, features);
	}
	return set_amounts(m, n, out) || set_queues(x, n, out) ? -1 : 0;
}

/* A record for each node. */
static int make_nodes(struct fsi_flux_machine *x)
{
	fs_snapshot *m = x->f->imp.m;

	for (size_t i = 0; i < x->node.n; i++)
		if (make_node(x, &x->node.v[i]))
			return fsi_nomem(x->f->imp.err);
	for (size_t i = 0; i < m->partition.n && m->node.n; i++)
		if (list_nodes(m, &m->partition.v[i]))
			return fsi_nomem(x->f->imp.err);
	return 0;
}

static void release(struct fsi_flux_machine *x)
{
	for (size_t i = 0; i < x->node.n; i++)
		FSI_VEC_FREE(&x->node.v[i].property);
	FSI_VEC_FREE(&x->node);
	FSI_VEC_FREE(&x->sum);
	FSI_VEC_FREE(&x->need);
	FSI_VEC_FREE(&x->rank);
	free(x->by_name.row);
}

int fsi_flux_resources(struct fsi_flux_import *f)
{
	struct fsi_flux_machine x = { .f = f };
	int rc = fsi_flux_read_r(&x);

	if (rc >= 0)
		rc = fsi_flux_read_lists(&x);
	if (rc >= 0)
		rc = fsi_flux_read_config(&x);
	if (rc >= 0)
		rc = make_partitions(&x);
	if (!rc)
		rc = make_nodes(&x);
	release(&x);
	return rc;
}
