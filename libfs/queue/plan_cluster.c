/* The nodes as they are now: what each has, what running jobs hold until when, and when advance reservations
 * take them away. */
#include "base/hostlist.h"
#include "base/num.h"
#include "queue/plan.h"

#include <stdlib.h>
#include <string.h>

enum { HOSTS_MOST = 1 << 20 };

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

/* The generic resources that jobs ask for, in the order in which they come up. */
static void find_resources(struct fsi_plan_cluster *c)
{
	uint32_t last = 0;

	c->nres = FSI_RES_GRES;
	c->res_name[FSI_RES_CPU] = fsi_name_find(c->m, "cpu");
	c->res_name[FSI_RES_MEM] = fsi_name_find(c->m, "mem");
	for (size_t i = 0; i < c->m->job.n; i++) {
		const uint32_t set = c->m->job.v[i].tres_req;
		size_t n;
		const struct fsi_amount *a = fsi_amounts(c->m, set, &n);

		if (set == last)
			continue;
		for (size_t k = 0; k < n; k++)
			add_resource(c, a[k].tres);
		last = set;
	}
}

/* `gpu:a100:4(S:0-1),fs:10`: how many of "gres/gpu" or "gres/gpu:a100". */
static int64_t gres_of(const char *text, const char *name)
{
	const size_t len = strlen(name);
	int64_t sum = 0;

	for (; *text; text += strcspn(text, ","), text += *text == ',') {
		const size_t item = strcspn(text, ",("), all = strcspn(text, ",");
		const char *colon = text + item;
		int64_t n = 1;

		while (colon > text && *colon != ':')
			colon--;
		if (colon > text && fsi_parse_count(colon + 1, (size_t)(text + item - colon - 1), &n))
			n = 1;
		if (item >= len && !strncmp(text, name, len) && (item == len || text[len] == ':'))
			sum += n;
		if (text[all] == ')')
			text++;
	}
	return sum;
}

/* ---- nodes */

/* Words of a node's state that keep jobs away; an asterisk means that it does not respond. */
static bool node_up(const char *state)
{
	static const char *const bad[] = { "DOWN",	   "DRAIN",   "DRAINED", "DRAINING",	"FAIL",	   "FAILING",
					   "ERROR",	   "UNKNOWN", "FUTURE",	 "INVAL",	"INVALID_REG",
					   "NOT_RESPONDING", "NO_RESPOND", "POWERING_DOWN" };

	if (strchr(state, '*'))
		return false;
	while (*state) {
		const size_t item = strcspn(state, "+"), word = strspn(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

		for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
			if (word == strlen(bad[i]) && !strncmp(state, bad[i], word))
				return false;
		state += item + (state[item] == '+');
	}
	return true;
}

static void fill_node(const struct fsi_plan_cluster *c, struct fsi_plan_node *n, uint32_t row)
{
	const fs_snapshot *m = c->m;
	const struct fsi_node *r = &m->node.v[row];

	n->row = row;
	n->weight = r->weight;
	n->threads = FSI_HAS(r, NODE, threads_per_core) && r->threads_per_core ? r->threads_per_core : 1;
	n->up = node_up(fsi_str(m, r->state));
	n->total[FSI_RES_CPU] = FSI_HAS(r, NODE, effective_cpus) ? r->effective_cpus : r->cpus;
	n->total[FSI_RES_MEM] = c->memory_counts && FSI_HAS(r, NODE, mem_mb) && r->mem_mb <= INT64_MAX
					? (int64_t)r->mem_mb
					: INT64_MAX / 4;
	for (uint32_t i = FSI_RES_GRES; i < c->nres; i++) {
		const int64_t known = fsi_amount_of(m, r->tres, c->res_name[i]);

		n->total[i] = known ? known : gres_of(fsi_str(m, r->gres), fsi_str(m, c->res_name[i]) + 5);
	}
	memcpy(n->free, n->total, sizeof(n->free));
}

static int by_weight(const void *x, const void *y, const void *ctx)
{
	const struct fsi_plan_node *a = x, *b = y;
	const fs_snapshot *m = ctx;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return strcmp(fsi_str(m, m->node.v[a->row].name), fsi_str(m, m->node.v[b->row].name));
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
	if (fs_sort(c->node, c->nnodes, sizeof(*c->node), by_weight, m))
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		c->node_of[m->node.v[c->node[i].row].name] = i + 1;
	return 0;
}

/* ---- partitions: by their node list, else by what the nodes say */

struct marks {
	const struct fsi_plan_cluster *c;
	bool *has;
	uint32_t n;
};

static int mark(void *ctx, const char *name, size_t len)
{
	struct marks *k = ctx;
	const uint32_t id = fsi_intern_find(&k->c->m->names, name, len), i = id ? k->c->node_of[id] : 0;

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
		fsi_hostlist_each(fsi_str(c->m, p->nodes), HOSTS_MOST, mark, k);
	else
		mark_members(k, p->name);
	part->node = fsi_arena_array(&c->arena, (size_t)k->n + 1, sizeof(*part->node));
	if (!part->node)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (k->has[i])
			part->node[part->n++] = i;
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

/* ---- what is in use */

int fsi_plan_add_hold(struct fsi_plan_node *n, const struct fsi_plan_hold *h, uint32_t nres)
{
	size_t i;

	if (FSI_VEC_ROOM(&n->hold))
		return -1;
	for (i = n->hold.n++; i && n->hold.v[i - 1].end > h->end; i--)
		n->hold.v[i] = n->hold.v[i - 1];
	n->hold.v[i] = *h;
	for (uint32_t r = 0; r < nres; r++)
		n->free[r] -= h->amount[r];
	return 0;
}

int fsi_plan_add_block(struct fsi_plan_node *n, struct fsi_plan_block b)
{
	size_t i;

	if (FSI_VEC_ROOM(&n->block))
		return -1;
	for (i = n->block.n++; i && n->block.v[i - 1].start > b.start; i--)
		n->block.v[i] = n->block.v[i - 1];
	n->block.v[i] = b;
	return 0;
}

struct gather {
	const struct fsi_plan_cluster *c;
	uint32_t *v, n;
};

static int collect(void *ctx, const char *name, size_t len)
{
	struct gather *g = ctx;
	const uint32_t id = fsi_intern_find(&g->c->m->names, name, len), i = id ? g->c->node_of[id] : 0;

	if (i && g->n < g->c->nnodes)
		g->v[g->n++] = i - 1;
	return 0;
}

uint32_t fsi_plan_nodes_of(const struct fsi_plan_cluster *c, uint32_t list, uint32_t *v)
{
	struct gather g = { .c = c, .v = v };

	fsi_hostlist_each(fsi_str(c->m, list), HOSTS_MOST, collect, &g);
	return g.n;
}

/* A job's amounts, shared out evenly; the first nodes get what does not divide. */
static int64_t share(int64_t all, uint32_t nodes, uint32_t i)
{
	return all / nodes + (i < all % nodes);
}

static bool holds_nodes(const struct fsi_job *j)
{
	const enum fsi_job_state s = (enum fsi_job_state)j->state;

	return s == FSI_STATE_RUNNING || s == FSI_STATE_CONFIGURING || s == FSI_STATE_COMPLETING ||
	       s == FSI_STATE_RESIZING || s == FSI_STATE_SIGNALING || s == FSI_STATE_STAGE_OUT ||
	       s == FSI_STATE_SUSPENDED;
}

/* Start plus time limit; a job past it is about to end. */
static int64_t job_end(const struct fsi_plan_cluster *c, const struct fsi_job *j)
{
	int64_t end = c->now + 365 * INT64_C(86400);

	if (FSI_HAS(j, JOB, end_time))
		end = j->end_time;
	else if (FSI_HAS(j, JOB, start_time) && FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		end = j->start_time + j->time_limit_s;
	return end > c->now ? end : c->now + 1;
}

static int64_t taken(const struct fsi_plan_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes, uint32_t i)
{
	const uint32_t set = j->tres_alloc ? j->tres_alloc : j->tres_req;
	const int64_t all = fsi_amount_of(c->m, set, c->res_name[r]);

	return share(all || r != FSI_RES_CPU ? all : (int64_t)j->cpus, nodes, i);
}

static int place_job(struct fsi_plan_cluster *c, uint32_t row, uint32_t *v)
{
	const struct fsi_job *j = &c->m->job.v[row];
	const uint32_t n = j->node_list ? fsi_plan_nodes_of(c, j->node_list, v) : 0;
	struct fsi_plan_hold h = { .end = job_end(c, j), .job = row };

	c->unplaced += !n;
	for (uint32_t i = 0; i < n; i++) {
		struct fsi_plan_node *node = &c->node[v[i]];

		for (uint32_t r = 0; r < c->nres; r++) {
			h.amount[r] = taken(c, j, r, n, i);
			if (r == FSI_RES_MEM && !c->memory_counts)
				h.amount[r] = 0;
		}
		if (fsi_plan_add_hold(node, &h, c->nres))
			return -1;
	}
	return 0;
}

/* What a node says is in use beyond its known jobs stays in use: nobody knows until when. */
static int place_rest(struct fsi_plan_cluster *c, struct fsi_plan_node *n)
{
	const struct fsi_node *r = &c->m->node.v[n->row];
	struct fsi_plan_hold h = { .end = INT64_MAX, .job = FSI_NO_INDEX };
	bool any = false;

	for (uint32_t i = 0; i < c->nres; i++) {
		int64_t used = 0;

		if (i == FSI_RES_CPU)
			used = FSI_HAS(r, NODE, alloc_cpus) ? r->alloc_cpus : 0;
		else if (i == FSI_RES_MEM)
			used = c->memory_counts && FSI_HAS(r, NODE, alloc_mem_mb) ? (int64_t)r->alloc_mem_mb : 0;
		else
			used = fsi_amount_of(c->m, r->alloc_tres, c->res_name[i]);
		used -= n->total[i] - n->free[i];
		h.amount[i] = used > 0 ? used : 0;
		any = any || h.amount[i];
	}
	return any ? fsi_plan_add_hold(n, &h, c->nres) : 0;
}

static int place_jobs(struct fsi_plan_cluster *c, uint32_t *v)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < c->m->job.n; i++)
		if (holds_nodes(&c->m->job.v[i]))
			rc = place_job(c, i, v);
	for (uint32_t i = 0; !rc && i < c->nnodes; i++)
		rc = place_rest(c, &c->node[i]);
	return rc;
}

static int place_reservations(struct fsi_plan_cluster *c, uint32_t *v)
{
	for (uint32_t i = 0; i < c->m->reservation.n; i++) {
		const struct fsi_reservation *r = &c->m->reservation.v[i];
		struct fsi_plan_block b = { r->start_time, r->end_time, FSI_NO_INDEX, i };
		const uint32_t n = r->nodes ? fsi_plan_nodes_of(c, r->nodes, v) : 0;

		if (!FSI_HAS(r, RESERVATION, start_time))
			b.start = c->now;
		if (!FSI_HAS(r, RESERVATION, end_time))
			b.end = INT64_MAX;
		if (b.end <= c->now)
			continue;
		c->vague_reservations += !n;
		for (uint32_t k = 0; k < n; k++)
			if (fsi_plan_add_block(&c->node[v[k]], b))
				return -1;
	}
	return 0;
}

/* Without the parameter memory is taken to be consumed, as almost everywhere. */
static bool memory_is_consumed(const fs_snapshot *m)
{
	const char *s = fs_snapshot_config_text(m, "SelectTypeParameters");

	return !s || strstr(s, "MEMORY") || strstr(s, "Memory");
}

int fsi_plan_cluster_init(struct fsi_plan_cluster *c, const fs_snapshot *m)
{
	uint32_t *v = calloc(m->node.n + 2, sizeof(*v));
	int rc = v ? 0 : -1;

	*c = (struct fsi_plan_cluster){ .m = m, .now = m->info.time, .memory_counts = memory_is_consumed(m) };
	find_resources(c);
	if (!rc)
		rc = make_nodes(c);
	if (!rc)
		rc = make_partitions(c);
	if (!rc)
		rc = place_jobs(c, v);
	if (!rc)
		rc = place_reservations(c, v);
	free(v);
	return rc;
}

void fsi_plan_cluster_release(struct fsi_plan_cluster *c)
{
	for (uint32_t i = 0; c->node && i < c->nnodes; i++) {
		FSI_VEC_FREE(&c->node[i].hold);
		FSI_VEC_FREE(&c->node[i].block);
	}
	free(c->node);
	free(c->node_of);
	free(c->part);
	fsi_arena_release(&c->arena);
}
