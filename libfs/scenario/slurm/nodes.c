/* Nodes of a partition or reservation as commands choose them, and what a partition has with its nodes
 * (src/slurmctld/partition_mgr.c: update_part, build_part_bitmap; src/common/assoc_mgr.c). */
#include "base/hostlist.h"
#include "scenario/slurm/slurm.h"
#include "usage/billing.h"

#include <stdlib.h>
#include <string.h>

struct choice {
	struct fsi_scenario *s;
	const char *what;
	bool *has; /* by row of the nodes */
	bool in;
	bool refused;
};

static int choose(void *ctx, const char *name, size_t len)
{
	struct choice *c = ctx;
	const fs_snapshot *m = c->s->m;
	const struct fsi_node *n = fsi_node_find(m, fsi_intern_find(&m->names, name, len));

	if (n)
		c->has[n - m->node.v] = c->in;
	if (n || !c->what)
		return 0;
	c->refused = true;
	return fsi_scenario_refuse(c->s, "%s: there is no node \"%.*s\"", c->what, (int)(len < 60 ? len : 60), name);
}

/* The length of the part up to the next comma that is in no brackets. */
static size_t part(const char *p)
{
	size_t n = 0;

	for (bool in = false; p[n] && (in || p[n] != ','); n++)
		in = p[n] == '[' || (in && p[n] != ']');
	return n;
}

/* "n[1-3],-n2": each part adds, or takes away behind a minus or under -=. */
static int choose_parts(struct choice *c, const struct fsi_operand *v)
{
	char text[FSI_COMMAND_MAX];
	int rc = 0;

	for (const char *p = v->text; *p && !rc; p += *p == ',') {
		const size_t len = part(p);
		const bool minus = *p == '-', sign = minus || *p == '+';

		memcpy(text, p + sign, len - sign);
		text[len - sign] = '\0';
		c->in = !minus && v->op != '-';
		if (*text)
			rc = fsi_hostlist_each(text, c->s->m->node.n, choose, c);
		if (rc && !c->refused)
			rc = fsi_scenario_refuse(c->s, "%s: there are no nodes \"%.60s\"", c->what, text);
		p += len;
	}
	return rc;
}

static int write_list(struct fsi_scenario *s, const bool *has, uint32_t *out)
{
	const fs_snapshot *m = s->m;
	size_t len = 1;
	char *text, *to;

	for (size_t i = 0; i < m->node.n; i++)
		len += has[i] ? strlen(fsi_str(m, m->node.v[i].name)) + 1 : 0;
	to = text = malloc(len);
	if (!text)
		return fsi_nomem(s->err);
	for (size_t i = 0; i < m->node.n; i++)
		if (has[i]) {
			const char *name = fsi_str(m, m->node.v[i].name);

			if (to > text)
				*to++ = ',';
			memcpy(to, name, strlen(name));
			to += strlen(name);
		}
	*to = '\0';
	*out = fsi_name(s->m, text);
	free(text);
	return *out == FSI_INTERN_FAILED ? fsi_nomem(s->err) : 0;
}

int fsi_slurm_node_list(struct fsi_scenario *s, const char *what, struct fsi_operand v, uint32_t old, uint32_t *out)
{
	struct choice c = { .s = s, .has = calloc(s->m->node.n + 1, sizeof(bool)), .in = true };
	const bool all = v.text && fsi_same_any_case(v.text, strlen(v.text), "ALL");
	const bool adds = v.text && (v.op != '=' || *v.text == '+' || *v.text == '-');
	int rc = c.has ? 0 : fsi_nomem(s->err);

	if (!rc && !v.text)
		rc = fsi_scenario_refuse(s, "%s needs a value", what);
	if (!rc && adds)
		fsi_hostlist_each(fsi_str(s->m, old), s->m->node.n, choose, &c);
	c.what = what;
	for (size_t i = 0; !rc && all && i < s->m->node.n; i++)
		c.has[i] = true;
	if (!rc && !all)
		rc = choose_parts(&c, &v);
	if (!rc)
		rc = write_list(s, c.has, out);
	free(c.has);
	return rc;
}

/* ---- what a partition then has */

struct sums {
	struct fsi_scenario *s;
	struct fsi_partition *p;
	uint32_t nodes, cpus, set; /* set: TRES together */
	bool known;
};

static int add_node(void *ctx, const char *name, size_t len)
{
	struct sums *x = ctx;
	fs_snapshot *m = x->s->m;
	const uint32_t id = fsi_intern_find(&m->names, name, len);

	for (size_t i = 0; i < m->node.n; i++) {
		struct fsi_node *node = &m->node.v[i];
		size_t n;
		const struct fsi_amount *a = fsi_amounts(m, node->tres, &n);

		if (node->name != id)
			continue;
		x->nodes++;
		x->cpus += node->cpus;
		x->known = x->known && FSI_HAS(node, NODE, tres);
		for (size_t k = 0; k < n && x->set != FSI_INTERN_FAILED; k++) {
			const struct fsi_amount own = a[k];

			x->set = fsi_scenario_amount(m, x->set, own.tres, fsi_amount_of(m, x->set, own.tres) + own.n);
			a = fsi_amounts(m, node->tres, &n);
		}
		node->partitions = fsi_scenario_change_list(m, node->partitions, x->p->name, true);
		if (node->partitions == FSI_INTERN_FAILED || x->set == FSI_INTERN_FAILED)
			return fsi_nomem(x->s->err);
		FSI_SET(node, NODE, partitions);
		return 0;
	}
	return 0;
}

static int leave_partition(struct fsi_scenario *s, const struct fsi_partition *p)
{
	for (size_t i = 0; i < s->m->node.n; i++) {
		struct fsi_node *n = &s->m->node.v[i];

		n->partitions = fsi_scenario_change_list(s->m, n->partitions, p->name, false);
		if (n->partitions == FSI_INTERN_FAILED)
			return fsi_nomem(s->err);
	}
	return 0;
}

/* Nodes count as a TRES of their own, and billing is what the weights make of all others. */
static int put_tres(struct sums *x)
{
	fs_snapshot *m = x->s->m;
	const uint32_t node = fsi_name(m, "node");
	struct fsi_billing b;
	struct fs_bill bill;
	const struct fsi_amount *a;
	size_t n;

	x->set = fsi_scenario_amount(m, x->set, node, x->nodes);
	if (x->set == FSI_INTERN_FAILED || fsi_billing_init(&b, m, &x->s->arena))
		return fsi_nomem(x->s->err);
	a = fsi_amounts(m, x->set, &n);
	fsi_billing_compute(&b, b.mode, (uint32_t)(x->p - m->partition.v), a, n, &bill);
	if (b.billing)
		x->set = fsi_scenario_amount(m, x->set, b.billing, fsi_scenario_billed(bill.rate));
	if (x->set == FSI_INTERN_FAILED)
		return fsi_nomem(x->s->err);
	x->p->tres = x->set;
	FSI_SET(x->p, PARTITION, tres);
	return 0;
}

FSI_SETTER(fsi_slurm_partition_nodes)
{
	struct fsi_partition *p = (struct fsi_partition *)(void *)rec;
	struct sums x = { .s = s, .p = p, .known = true };
	uint32_t list;

	if (!s->m->node.n)
		return fsi_scenario_refuse(s, "%s: the snapshot tells no nodes", w->word);
	if (fsi_slurm_node_list(s, w->word, v, p->nodes, &list) || leave_partition(s, p))
		return FS_EUSAGE;
	p->nodes = list;
	FSI_SET(p, PARTITION, nodes);
	if (fsi_hostlist_each(fsi_str(s->m, list), s->m->node.n, add_node, &x))
		return FS_ENOMEM;
	p->total_nodes = x.nodes;
	p->total_cpus = x.cpus;
	FSI_SET(p, PARTITION, total_nodes);
	FSI_SET(p, PARTITION, total_cpus);
	FSI_FORGET(p, PARTITION, tres);
	return x.known ? put_tres(&x) : 0;
}
