/* The machine of a Flux: `flux resource R` (RFC 20: ranks, cores, GPUs, hosts, properties). */
#include "import/flux/machine.h"

#include "base/hostlist.h"
#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets of ranks and hosts */

static int add_rank(void *ctx, const char *text, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	uint64_t n;

	if (fsi_parse_u64(text, len, &n) || n > UINT32_MAX)
		return -2;
	if (FSI_VEC_ROOM(&x->rank))
		return -3;
	x->rank.v[x->rank.n++] = (uint32_t)n;
	return 0;
}

/* Reads "0-3,7" into x->rank. */
static int ranks_of(struct fsi_flux_machine *x, const char *set)
{
	char *text = set ? malloc(strlen(set) + 3) : NULL;
	int rc;

	x->rank.n = 0;
	if (!set)
		return fsi_fail_at(x->f->imp.err, x->f->imp.where, "rank", "expected a set of ranks");
	if (!text)
		return fsi_nomem(x->f->imp.err);
	snprintf(text, strlen(set) + 3, "[%s]", set);
	rc = fsi_hostlist_each(text, FSI_MAX_HOSTS, add_rank, x);
	free(text);
	if (rc == -3)
		return fsi_nomem(x->f->imp.err);
	return rc ? fsi_fail_at(x->f->imp.err, x->f->imp.where, "rank", "expected a set of ranks") : 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct fsi_flux_node *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct fsi_flux_node *of_rank(struct fsi_flux_machine *x, uint32_t rank)
{
	const struct fsi_flux_node key = { .rank = rank };

	return x->node.n ? bsearch(&key, x->node.v, x->node.n, sizeof(key), by_rank) : NULL;
}

/* ---- flux resource R */

static int count_of(struct fsi_flux_machine *x, const struct fsi_json *children, const char *key, uint32_t *out)
{
	const struct fsi_json *v = fsi_json_member(children, key);
	const int rc = v ? ranks_of(x, fsi_json_string(v)) : 0;

	*out = v ? (uint32_t)x->rank.n : 0;
	return rc;
}

static int add_lite(struct fsi_flux_machine *x, const struct fsi_json *v)
{
	const struct fsi_json *children = fsi_json_member(v, "children");
	struct fsi_flux_node n = { .known = true };
	int rc = count_of(x, children, "core", &n.cores);

	if (!rc)
		rc = count_of(x, children, "gpu", &n.gpus);
	if (!rc)
		rc = ranks_of(x, fsi_flux_text(fsi_json_member(v, "rank")));
	for (size_t i = 0; i < x->rank.n && !rc; i++) {
		n.rank = x->rank.v[i];
		if (FSI_VEC_ROOM(&x->node))
			return fsi_nomem(x->f->imp.err);
		x->node.v[x->node.n++] = n;
	}
	return rc;
}

/* Hosts stand in the order of ranks. */
static int name_host(void *ctx, const char *name, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	uint32_t id = fsi_import_name(&x->f->imp, (struct fsi_span){ name, len });
	char text[FSI_HOST_NAME_MAX + 16];
	int rc;

	if (x->next >= x->node.n)
		return -2;
	rc = id == FSI_INTERN_FAILED ? -1 : fsi_flux_number(&x->by_name, id, x->next);
	if (rc == 1) { /* an instance for trials may have several brokers on a host */
		snprintf(text, sizeof(text), "%s/%u", name, x->node.v[x->next].rank);
		id = fsi_name(x->f->imp.m, text);
		rc = id == FSI_INTERN_FAILED ? -1 : fsi_flux_number(&x->by_name, id, x->next);
	}
	if (rc)
		return -3;
	x->node.v[x->next++].name = id;
	return 0;
}

static int name_nodes(struct fsi_flux_machine *x, const struct fsi_json *list)
{
	struct fsi_import *imp = &x->f->imp;
	int rc = 0;

	x->next = 0;
	for (const struct fsi_json *v = fsi_flux_first(list); v && !rc; v = fsi_json_next(v))
		rc = fsi_json_string(v) ? fsi_hostlist_each(fsi_json_string(v), FSI_MAX_HOSTS, name_host, x) : -2;
	if (rc == -3)
		return fsi_nomem(imp->err);
	if (rc || x->next != x->node.n)
		return fsi_fail_at(imp->err, imp->where, "nodelist", "expected a host for each of %zu ranks", x->node.n);
	return 0;
}

static int add_properties(struct fsi_flux_machine *x, const struct fsi_json *list)
{
	struct fsi_import *imp = &x->f->imp;
	int rc = 0;

	for (const struct fsi_json *v = fsi_flux_first(list); v && !rc; v = fsi_json_next(v)) {
		const uint32_t name = fsi_name(imp->m, fsi_json_key(v));

		rc = name == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : ranks_of(x, fsi_json_string(v));
		for (size_t i = 0; i < x->rank.n && !rc; i++) {
			struct fsi_flux_node *n = of_rank(x, x->rank.v[i]);

			if (n && FSI_VEC_ROOM(&n->property))
				return fsi_nomem(imp->err);
			if (n)
				n->property.v[n->property.n++] = name;
		}
	}
	return rc;
}

static int read_execution(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct fsi_flux_machine *x = ctx;
	const struct fsi_json *lite = fsi_json_member(v, "R_lite");
	int rc = 0;

	(void)depth;
	if (!lite || x->from_r)
		return 0;
	x->f->imp.where = where;
	x->from_r = true;
	for (const struct fsi_json *e = fsi_flux_first(lite); e && !rc; e = fsi_json_next(e))
		rc = add_lite(x, e);
	if (rc)
		return rc;
	if (x->node.n)
		qsort(x->node.v, x->node.n, sizeof(*x->node.v), by_rank);
	rc = name_nodes(x, fsi_json_member(v, "nodelist"));
	return rc ? rc : add_properties(x, fsi_json_member(v, "properties"));
}

int fsi_flux_read_r(struct fsi_flux_machine *x)
{
	static const char *const keys[] = { "execution", "scheduling", "graph", "nodes", "edges", NULL };
	const struct fsi_json_split r = { keys, NULL, read_execution, x };

	return fsi_import_json(&x->f->imp, "flux_resource_R.json", &r);
}
