/* Constraints of jobs of Flux over one node (flux-core: src/bindings/python/flux/resource/Rv1Set.py:
 * _matches_constraint). As text: "batch&(gpu|^old)&!(hosts:n[1-3])"; a comma is & too. ^ before a property: without
 * it. */
#include "model/flux/flux.h"

#include "base/hostlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const fs_snapshot *m;
	const struct fsi_node *node;
	const char *s;
	unsigned depth;
};

enum { MAX_DEPTH = 32 };

static bool alternatives(struct reader *r);

static int is_it(void *ctx, const char *name, size_t len)
{
	(void)len;
	return !strcmp(ctx, name);
}

/* Where an instance for trials has several brokers on a host, the rank stands behind the host's name: "n/3". A
 * constraint names the host. */
static bool on_host(const struct reader *r, const char *list)
{
	char host[FSI_HOST_NAME_MAX + 1];
	const char *name = fsi_str(r->m, r->node->name);

	snprintf(host, sizeof(host), "%.*s", (int)strcspn(name, "/"), name);
	return fsi_hostlist_each(list, FSI_MAX_HOSTS, is_it, host) == 1;
}

/* Nodes stand in the order of their ranks. */
static bool of_ranks(const struct reader *r, const char *set)
{
	char rank[24];

	snprintf(rank, sizeof(rank), "%zu", (size_t)(r->node - r->m->node.v));
	return fsi_hostlist_each(set, FSI_MAX_HOSTS, is_it, rank) == 1;
}

static bool term_holds(const struct reader *r, const char *term)
{
	static const char hosts[] = "hosts:", ranks[] = "ranks:";

	if (!strncmp(term, hosts, strlen(hosts)))
		return on_host(r, term + strlen(hosts));
	if (!strncmp(term, ranks, strlen(ranks)))
		return of_ranks(r, term + strlen(ranks));
	return *term == '^' ? !fsi_list_has(r->m, r->node->features, term + 1)
			    : fsi_list_has(r->m, r->node->features, term);
}

/* A term ends at an operator; within brackets there is none. */
static size_t term_length(const char *s)
{
	size_t n = 0;

	for (bool inside = false; s[n] && (inside || !strchr("&|,()!", s[n])); n++)
		inside = s[n] == '[' || (inside && s[n] != ']');
	return n;
}

static bool term(struct reader *r)
{
	const size_t len = term_length(r->s);
	char *text = len ? strndup(r->s, len) : NULL;
	const bool holds = text && term_holds(r, text);

	r->s += len;
	free(text);
	return holds;
}

static bool operand(struct reader *r)
{
	bool holds;

	if (*r->s == '!') {
		r->s++;
		return r->depth++ < MAX_DEPTH && !operand(r);
	}
	if (*r->s != '(')
		return term(r);
	r->s++;
	holds = r->depth++ < MAX_DEPTH && alternatives(r);
	r->s += *r->s == ')';
	return holds;
}

static bool conjunction(struct reader *r)
{
	bool holds = operand(r);

	while (*r->s == '&' || *r->s == ',') {
		r->s++;
		holds = operand(r) && holds;
	}
	return holds;
}

static bool alternatives(struct reader *r)
{
	bool holds = conjunction(r);

	while (*r->s == '|') {
		r->s++;
		holds = conjunction(r) || holds;
	}
	return holds;
}

bool fsi_flux_suits(const fs_snapshot *m, const char *constraint, const struct fsi_node *node)
{
	struct reader r = { .m = m, .node = node, .s = constraint };

	return !*constraint || (alternatives(&r) && !*r.s);
}
