/* Which groups the jobs ahead of one are in, and what is told of each when all are counted. */
#include "explain/groups.h"

#include "base/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fsi_group_slot {
	uint64_t who, array;
	uint32_t at; /* 0: free */
};

static int add_group(struct fsi_groups *c, const struct fsi_group *from)
{
	double *room = fsi_arena_array(&c->x->arena, 3 * c->nterms + 1, sizeof(*room));

	if (!room || FSI_VEC_ROOM(&c->group))
		return -1;
	c->group.v[c->group.n] = *from;
	c->group.v[c->group.n].points = room;
	c->group.v[c->group.n].lowest = room + c->nterms;
	c->group.v[c->group.n].highest = room + 2 * c->nterms;
	c->group.n++;
	return 0;
}

static uint64_t who_of(uint32_t account, uint32_t user)
{
	return (uint64_t)account << 32 | user;
}

/* The slot of a group, or the free one where it belongs. */
static struct fsi_group_slot *slot_of(const struct fsi_groups *c, uint64_t who, uint64_t array)
{
	const uint64_t odd = 0x9e3779b97f4a7c15u, hash = (who * odd ^ array) * odd;
	size_t i = (size_t)(hash ^ hash >> 32) & (c->nslots - 1);

	while (c->slots[i].at && (c->slots[i].who != who || c->slots[i].array != array))
		i = (i + 1) & (c->nslots - 1);
	return &c->slots[i];
}

static int slots_room(struct fsi_groups *c)
{
	enum { FIRST = 256 };
	const struct fsi_group_slot *old = c->slots;
	const size_t n = c->nslots;

	if ((c->group.n + 1) * 2 <= n)
		return 0;
	c->nslots = n ? n * 2 : FIRST;
	c->slots = calloc(c->nslots, sizeof(*c->slots));
	for (size_t i = 0; c->slots && i < n; i++)
		if (old[i].at)
			*slot_of(c, old[i].who, old[i].array) = old[i];
	free((void *)(uintptr_t)old);
	return c->slots ? 0 : -1;
}

enum { NOBODY = UINT32_MAX }; /* no name: the group is the account's */

/* Jobs without an account (name 0) form a group of their own. FSI_NO_INDEX without memory. */
static uint32_t group_of(struct fsi_groups *c, uint32_t account, uint32_t user, uint64_t array)
{
	const uint64_t who = who_of(account, user);
	struct fsi_group new = { .account = account,
			     .user = user == NOBODY ? 0 : user,
			     .g = { .array = array, .depth = user == NOBODY ? 0 : array ? 2 : 1 } };
	const uint32_t known = c->slots ? slot_of(c, who, array)->at : 0;

	if (known)
		return known;
	new.within = array ? group_of(c, account, user, 0) : user != NOBODY ? group_of(c, account, NOBODY, 0) : 0;
	if (new.within == FSI_NO_INDEX || slots_room(c))
		return FSI_NO_INDEX;
	const uint32_t at = (uint32_t)c->group.n;

	new.account_of = new.g.depth ? c->group.v[new.within].account_of : at;
	new.user_of = new.g.depth > 1 ? new.within : at;
	if (add_group(c, &new))
		return FSI_NO_INDEX;
	*slot_of(c, who, array) = (struct fsi_group_slot){ who, array, at };
	return at;
}

uint32_t fsi_groups_of(struct fsi_groups *c, const struct fsi_job *j)
{
	if (c->heads)
		return group_of(c, j->account, j->account ? NOBODY : j->user, 0);
	return group_of(c, j->account, j->user, j->array_job_id);
}

int fsi_groups_begin(struct fsi_groups *c)
{
	static const struct fsi_group all = { .within = 0 };

	return add_group(c, &all);
}

void fsi_groups_fetch(const struct fsi_groups *c, const struct fsi_job *j)
{
	if (!c->slots || c->heads)
		return;
	const struct fsi_group *g = &c->group.v[slot_of(c, who_of(j->account, j->user), 0)->at];

	fsi_fetch(g, sizeof(*g));
	fsi_fetch(g->points, 3 * c->nterms * sizeof(*g->points));
}

/* ---- when all are counted */

static void finish_group(const struct fsi_groups *c, struct fsi_group *g)
{
	struct fs_explain_group *e = &g->g;

	e->account = fsi_str(c->x->m, g->account);
	e->user = fsi_str(c->x->m, g->user);
	e->mine = g->user && g->user == c->own_user;
	for (int k = 1; k < FS_QUEUE_KEY_COUNT; k++)
		if (e->by[k] > e->by[e->key])
			e->key = (enum fs_queue_key)k;
	e->term = FS_NO_ROW;
	e->lowest = e->highest = e->own = e->difference = NAN;
	for (size_t t = 0; g->compared && t < c->nterms; t++)
		if (e->term == FS_NO_ROW || g->points[t] > g->points[e->term])
			e->term = t;
	if (e->term == FS_NO_ROW)
		return;
	e->difference = g->points[e->term] / g->compared;
	e->lowest = g->lowest[e->term];
	e->highest = g->highest[e->term];
	e->own = c->own->terms[e->term].value;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int larger(const struct fsi_group *a, const struct fsi_group *b)
{
	return COMPARE(b->g.jobs, a->g.jobs);
}

/* By account, the one with most jobs first; in it by user and array likewise, each behind what it is a part of. */
static int compare_groups(const void *pa, const void *pb, const void *ctx)
{
	const struct fsi_groups *c = ctx;
	const struct fsi_group *v = c->group.v, *a = &v[*(const uint32_t *)pa], *b = &v[*(const uint32_t *)pb];
	int d = larger(&v[a->account_of], &v[b->account_of]);

	d = d ? d : strcmp(a->g.account, b->g.account);
	d = d ? d : COMPARE(a->g.depth > 0, b->g.depth > 0);
	d = d || !a->g.depth ? d : larger(&v[a->user_of], &v[b->user_of]);
	d = d ? d : strcmp(a->g.user, b->g.user);
	d = d ? d : COMPARE(a->g.depth > 1, b->g.depth > 1);
	d = d ? d : larger(a, b);
	return d ? d : COMPARE(a->g.array, b->g.array);
}

static int sorted_groups(const struct fsi_groups *c, uint32_t *order, struct fs_explain_ahead *out)
{
	struct fs_explain_group *v = fsi_arena_array(&c->x->arena, c->group.n + 1, sizeof(*v));

	for (uint32_t i = 1; i < c->group.n; i++)
		order[i - 1] = i;
	if (!v || (c->group.n > 1 && fs_sort(order, c->group.n - 1, sizeof(*order), compare_groups, c)))
		return -1;
	for (size_t i = 0; i + 1 < c->group.n; i++)
		v[i] = c->group.v[order[i]].g;
	out->groups = v;
	out->ngroups = c->group.n - 1;
	return 0;
}

int fsi_groups_publish(struct fsi_groups *c, struct fs_explain_ahead *out)
{
	uint32_t *order = malloc((c->group.n + 1) * sizeof(*order));
	int rc;

	if (!order)
		return -1;
	for (size_t i = 0; i < c->group.n; i++)
		finish_group(c, &c->group.v[i]);
	if (c->group.v->g.entries)
		out->all = c->group.v->g;
	rc = sorted_groups(c, order, out);
	free(order);
	return rc;
}

void fsi_groups_release(struct fsi_groups *c)
{
	FSI_VEC_FREE(&c->group);
	free(c->slots);
}
