#include "base/bytes.h"
#include "base/hostlist.h"
#include "explain/explain.h"
#include "fairshare/fairshare.h"
#include "model/find.h"
#include "model/viewer.h"
#include "priority/priority.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The groups of the jobs ahead of one, while they grow. */

/* Its public part, and sums over those of its entries that are ahead by priority. */
struct fsi_group {
	struct fs_explain_group g;
	uint32_t account, user; /* names */
	uint32_t within;	/* the group that it is a part of, as those of an account are of group 0, which has all */
	uint32_t account_of, user_of; /* groups it is a part of, or is */
	uint32_t compared;	/* entries in the sums */
	double *points, *lowest, *highest; /* by term */
};

struct fsi_groups {
	fs_explain *x;
	const struct fs_explain_sum *own;
	uint32_t own_user; /* name */
	bool heads;	   /* accounts alone, and users where there is none */
	size_t nterms;
	FSI_VEC(struct fsi_group) group;
	struct fsi_group_slot *slots; /* hash table of groups, at most half full */
	size_t nslots;		      /* a power of 2 */
};

/* The sums of a job, one for each partition and QOS, in the order in which the scheduler tries them. */

/* Rows of a job's priorities: *first and how many; none without priorities. */
static size_t explain_prio_rows(const fs_explain *x, uint32_t job_row, size_t *first)
{
	const fs_prios *p = x->from.prios;
	size_t n = 0;

	*first = x->prio_row ? x->prio_row[job_row] : FSI_NO_INDEX;
	while (*first != FSI_NO_INDEX && *first + n < p->row.n && p->row.v[*first + n].job == job_row)
		n++;
	return n;
}

/* ---- what the scheduler printed */

static const struct fsi_recorded *recorded_sum(const fs_explain *x, const struct fsi_prio_row *row)
{
	const fs_snapshot *m = x->m;

	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];

		if (FSI_HAS(r, RECORDED, job) && r->job == m->job.v[row->job].id &&
		    (!r->partition || r->partition == row->partition_name) &&
		    (!r->qos || r->qos == row->qos))
			return r;
	}
	return NULL;
}

static double recorded_tres(const fs_snapshot *m, const struct fsi_recorded *r, const char *term)
{
	const uint32_t name = fsi_name_find(m, term + strlen("tres/"));

	return name ? (double)fsi_amount_of(m, r->tres, name) : 0;
}

#define KNOWN(r, member) (FSI_HAS(r, RECORDED, member) ? (double)(r)->member : (double)NAN)

static double recorded_points(const fs_snapshot *m, const struct fsi_recorded *r, const struct fs_prio_term *t)
{
	switch (t->factor) {
	case FS_FACTOR_AGE:
		return KNOWN(r, age);
	case FS_FACTOR_ASSOC:
		return KNOWN(r, assoc);
	case FS_FACTOR_FAIRSHARE:
		return KNOWN(r, fairshare);
	case FS_FACTOR_JOBSIZE:
		return KNOWN(r, jobsize);
	case FS_FACTOR_PARTITION:
		return KNOWN(r, partition_points);
	case FS_FACTOR_QOS:
		return KNOWN(r, qos_points);
	case FS_FACTOR_SITE:
		return KNOWN(r, site);
	case FS_FACTOR_NICE:
		return 0 - KNOWN(r, nice);
	case FS_FACTOR_TRES:
		return FSI_HAS(r, RECORDED, tres) ? recorded_tres(m, r, t->name) : (double)NAN;
	default:
		return NAN;
	}
}

/* An administrator's priority stands in the job itself; what sprio prints then need not be it. */
static int take_recorded(fs_explain *x, const struct fsi_prio_row *row, bool alone, struct fs_explain_sum *s)
{
	const struct fsi_job *j = &x->m->job.v[row->job];
	const struct fsi_recorded *r = s->direct ? NULL : recorded_sum(x, row);
	double *points;

	s->recorded = NAN;
	if (r) {
		points = fsi_arena_array(&x->arena, s->nterms + 1, sizeof(*points));
		if (!points)
			return -1;
		for (size_t t = 0; t < s->nterms; t++)
			points[t] = recorded_points(x->m, r, &s->terms[t]);
		s->recorded = KNOWN(r, priority);
		s->recorded_points = points;
	} else if ((alone || s->direct) && FSI_HAS(j, JOB, priority)) {
		s->recorded = j->priority;
	}
	return 0;
}

/* ---- the sums themselves */

static int64_t tier_of(const fs_snapshot *m, uint32_t partition)
{
	return partition != FSI_NO_INDEX && FSI_HAS(&m->partition.v[partition], PARTITION, tier)
		       ? m->partition.v[partition].tier
		       : FS_UNKNOWN;
}

/* A weight as it is configured is a product of the component's weight and its own; where the component's is 0 the
 * parts tell nothing. */
static struct fs_explain_parts parts_of(const struct fs_prio_term *t, double configured, double group_weight)
{
	struct fs_explain_parts o = { .group_weight = group_weight,
				      .uncut_value = t->value,
				      .uncut_points = t->points };

	if (group_weight != 0) {
		o.own_weight = configured / group_weight;
		o.qos_weight = (t->weight - configured) / group_weight;
	}
	if (t->cut != 0) {
		o.uncut_value += t->cut;
		o.cut_points = -t->cut * t->weight;
		o.uncut_points -= o.cut_points;
	}
	return o;
}

static int fill_groups(fs_explain *x, struct fs_explain_sum *s)
{
	const fs_prios *p = x->from.prios;
	struct fs_explain_parts *parts = fsi_arena_array(&x->arena, s->nterms + 1, sizeof(*parts));

	s->ngroups = fs_prios_groups(p);
	s->groups = fs_prios_group(p, 0);
	if (!parts)
		return -1;
	for (size_t g = 0; g < s->ngroups; g++)
		for (size_t t = s->groups[g].first; t < s->groups[g].first + s->groups[g].count; t++)
			parts[t] = parts_of(&s->terms[t], fs_prios_weights(p)[t].weight, s->groups[g].weight);
	s->parts = parts;
	return 0;
}

static int fill_sum(fs_explain *x, size_t i, bool alone, struct fs_explain_sum *s)
{
	const fs_prios *p = x->from.prios;
	struct fs_prio_inputs *inputs;
	struct fs_prio_row row;

	fs_prios_row(p, i, &row);
	*s = (struct fs_explain_sum){
		.partition = row.partition,
		.qos = row.qos,
		.nterms = fs_prios_terms(p),
		.direct = row.direct,
		.sum = row.sum,
		.total = row.stored_priority,
		.tier = tier_of(x->m, p->row.v[i].partition),
		.queue_priority = NAN,
		.queue_row = FSI_NO_INDEX,
		.urgency = row.urgency,
		.nsteps = row.nsteps,
	};
	memcpy(s->steps, row.steps, sizeof(s->steps));
	s->terms = fsi_explain_keep(x, row.terms, s->nterms, sizeof(*s->terms));
	s->inputs = inputs = fsi_arena_array(&x->arena, s->nterms + 1, sizeof(*inputs));
	if (!s->terms || !inputs || (fs_prios_groups(p) && fill_groups(x, s)))
		return -1;
	for (size_t t = 0; t < s->nterms; t++)
		fs_prios_inputs(p, i, t, &inputs[t]);
	return take_recorded(x, &p->row.v[i], alone, s);
}

/* The eligible records of a partition, or of the one line there is. */
static uint32_t eligible_in(const fs_explain *x, const char *partition)
{
	const fs_queue *q = x->from.queue;

	return q->end_of[fsi_queue_line_of(q, fsi_name_find(x->m, partition))].count;
}

/* Records of the queue that are the job's, and how many are eligible in each of its partitions. */
static void place_sums(const fs_explain *x, uint32_t job_row, struct fs_explain_sum *s, size_t n)
{
	const fs_queue *q = x->from.queue;

	for (size_t k = 0; q && k < n; k++)
		s[k].of = eligible_in(x, s[k].partition);
	for (uint32_t i = q ? q->record_of[job_row] : FSI_NO_INDEX; i != FSI_NO_INDEX; i = q->record.v[i].next) {
		const struct fsi_queue_record *r = &q->record.v[i];

		for (size_t k = 0; k < n; k++)
			if (fsi_str(x->m, r->partition_name) == s[k].partition && fsi_str(x->m, r->qos) == s[k].qos) {
				s[k].queue_row = i;
				s[k].position = r->eligible ? fsi_queue_place(q, r) : 0;
				s[k].queue_priority = r->priority;
			}
	}
}

/* Where no weight is known the terms are the points that the scheduler printed for the job in that partition. -1
 * without memory. */
static int printed_terms(fs_explain *x, const struct fsi_prio_row *row, struct fs_explain_sum *s)
{
	static const struct fs_prio_term factors[] = {
		{ .factor = FS_FACTOR_SITE, .name = "site" },	    { .factor = FS_FACTOR_AGE, .name = "age" },
		{ .factor = FS_FACTOR_ASSOC, .name = "assoc" },	    { .factor = FS_FACTOR_FAIRSHARE, .name = "fairshare" },
		{ .factor = FS_FACTOR_JOBSIZE, .name = "jobsize" }, { .factor = FS_FACTOR_PARTITION, .name = "partition" },
		{ .factor = FS_FACTOR_QOS, .name = "qos" },	    { .factor = FS_FACTOR_NICE, .name = "nice" },
	};
	enum { N = sizeof(factors) / sizeof(*factors) };
	const struct fsi_recorded *r = recorded_sum(x, row);
	struct fs_prio_term *terms = r ? fsi_explain_keep(x, factors, N, sizeof(*factors)) : NULL;

	if (!terms)
		return r ? -1 : 0;
	for (size_t t = 0; t < N; t++) {
		terms[t].points = recorded_points(x->m, r, &terms[t]);
		if (isnan(terms[t].points))
			continue;
		terms[t].value = fsi_prio_recorded_factor(x->m, r, terms[t].factor, 0, NAN);
		terms[t].weight = NAN;
		terms[t].recorded = true;
		terms[s->nprinted++] = terms[t];
	}
	s->printed = terms;
	return 0;
}

/* Without factors a sum still has its place and the priority that the scheduler holds. With s NULL they are counted
 * alone. -1 without memory. */
static int sums_of_queue(fs_explain *x, uint32_t job_row, struct fs_explain_sum *s, size_t *count)
{
	const fs_queue *q = x->from.queue;
	size_t n = 0;

	for (uint32_t i = q ? q->record_of[job_row] : FSI_NO_INDEX; i != FSI_NO_INDEX; i = q->record.v[i].next) {
		const struct fsi_queue_record *r = &q->record.v[i];
		const struct fsi_prio_row row = { job_row, r->partition, r->qos, r->partition_name };

		if (!r->tried)
			break;
		if (s) {
			s[n] = (struct fs_explain_sum){
				.partition = fsi_str(x->m, r->partition_name),
				.qos = fsi_str(x->m, r->qos),
				.sum = NAN,
				.total = r->priority,
				.recorded = r->priority,
				.queue_priority = r->priority,
				.urgency = NAN,
				.tier = tier_of(x->m, r->partition),
				.queue_row = i,
			};
			if (!r->direct && printed_terms(x, &row, &s[n]))
				return -1;
		}
		n++;
	}
	*count = n;
	return 0;
}

/* Eligible sums go first, then by their place in the queue. They are few, so that an insertion sort is enough. */
static bool goes_before(const struct fs_explain_sum *a, const struct fs_explain_sum *b)
{
	const bool one = a->position != 0, other = b->position != 0;

	return one != other ? one : a->queue_row < b->queue_row;
}

static void order_sums(struct fs_explain_sum *s, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct fs_explain_sum at = s[i];
		size_t k = i;

		for (; k > 0 && goes_before(&at, &s[k - 1]); k--)
			s[k] = s[k - 1];
		s[k] = at;
	}
}

/* libfs/explain/job.c: fills out->sums. -1 without memory, like those below. */
static int explain_sums(fs_explain *x, struct fs_explain_job *out)
{
	size_t first, n = explain_prio_rows(x, out->job_row, &first);
	const bool factors = n > 0;
	struct fs_explain_sum *s;

	if (!factors && sums_of_queue(x, out->job_row, NULL, &n))
		return -1;
	s = fsi_arena_array(&x->arena, n + 1, sizeof(*s));
	if (!s)
		return -1;
	for (size_t i = 0; factors && i < n; i++)
		if (fill_sum(x, first + i, n == 1, &s[i]))
			return -1;
	if (!factors && sums_of_queue(x, out->job_row, s, &n))
		return -1;
	if (n) {
		place_sums(x, out->job_row, s, n);
		order_sums(s, n);
	}
	out->sums = s;
	out->nsums = n;
	return 0;
}

/* Which groups the jobs ahead of one are in, and what is told of each when all are counted. */

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

/* The smallest group of a job that is told of, made if it is new; FSI_NO_INDEX without memory. */
static uint32_t groups_of(struct fsi_groups *c, const struct fsi_job *j)
{
	if (c->heads)
		return group_of(c, j->account, j->account ? NOBODY : j->user, 0);
	return group_of(c, j->account, j->user, j->array_job_id);
}

/* Makes group 0. -1 without memory. */
static int groups_begin(struct fsi_groups *c)
{
	static const struct fsi_group all = { .within = 0 };

	return add_group(c, &all);
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

/* When all entries are in them: fills all and groups. -1 without memory. */
static int groups_publish(struct fsi_groups *c, struct fs_explain_ahead *out)
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

static void groups_release(struct fsi_groups *c)
{
	FSI_VEC_FREE(&c->group);
	free(c->slots);
}

/* Which partitions compete for the same nodes, and whose jobs in them are ahead. */

struct marks {
	const fs_snapshot *m;
	bool *is; /* partitions of the host, by name */
};

static int mark_host(void *ctx, const char *name, size_t len)
{
	struct marks *k = ctx;

	k->is[fsi_intern_find(&k->m->names, name, len)] = true;
	return 0;
}

/* Host names that no node record has all intern to 0, and are ignored. */
static int test(void *ctx, const char *name, size_t len)
{
	struct marks *k = ctx;
	const uint32_t id = fsi_intern_find(&k->m->names, name, len);

	return id && k->is[id];
}

/* libfs/explain/job.c: partitions that share nodes with this one; by row of the partition table, borrowed from
 * the arena. NULL without memory. */
static const bool *explain_overlaps(fs_explain *x, uint32_t partition)
{
	const fs_snapshot *m = x->m;
	bool *overlaps = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*overlaps));
	struct marks k = { m,
			   fsi_arena_array(&x->arena, (size_t)m->names.count + 1, sizeof(bool)) };
	const struct fsi_partition *own;

	if (!overlaps || !k.is)
		return NULL;
	if (partition == FSI_NO_INDEX)
		return overlaps;
	own = &m->partition.v[partition];
	fsi_hostlist_each(fsi_str(m, own->nodes), FSI_MAX_HOSTS, mark_host, &k);
	for (uint32_t i = 0; i < m->partition.n; i++) {
		const struct fsi_partition *p = &m->partition.v[i];

		overlaps[i] = i == partition || (p->nodes && p->nodes == own->nodes) ||
			      fsi_hostlist_each(fsi_str(m, p->nodes), FSI_MAX_HOSTS, test, &k) == 1;
	}
	return overlaps;
}

/* Which partitions may compete with a record's own; *any: there is one. NULL without memory. */
static const bool *rival_partitions(fs_explain *x, const struct fsi_queue_record *own, const bool *overlaps, bool *any)
{
	const fs_snapshot *m = x->m;
	bool *rival = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*rival));

	*any = false;
	for (uint32_t i = 0; rival && i < m->partition.n; i++) {
		rival[i] = i != own->partition && (overlaps[i] || !fsi_explain_nodes_known(m, i));
		*any |= rival[i];
	}
	return rival;
}

static void count_rivals(const fs_explain *x, uint32_t end, const bool *rival, bool *seen, struct fs_explain_rival *v)
{
	const fs_queue *q = x->from.queue;

	for (uint32_t i = 0; i < end; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];

		if (r->partition == FSI_NO_INDEX || !rival[r->partition] || !r->eligible || seen[r->job] ||
		    !fsi_viewer_sees_job(&x->viewer, &x->m->job.v[r->job]))
			continue;
		seen[r->job] = true;
		v[r->partition].entries++;
		v[r->partition].jobs += r->tasks;
	}
}

/* libfs/explain/job.c: fills out->rivals with the jobs before record `row` that are not seen, by job row, which
 * then are. */
static int explain_rivals(fs_explain *x, uint32_t row, bool *seen, struct fs_explain_ahead *out)
{
	const fs_snapshot *m = x->m;
	const struct fsi_queue_record *own = &x->from.queue->record.v[row];
	const bool *overlaps = explain_overlaps(x, own->partition);
	struct fs_explain_rival *v = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*v));
	bool any;
	const bool *rival = overlaps ? rival_partitions(x, own, overlaps, &any) : NULL;

	if (!rival || !v)
		return -1;
	if (any)
		count_rivals(x, row, rival, seen, v);
	for (uint32_t i = 0; i < m->partition.n; i++)
		if (v[i].entries) {
			v[i].partition = fsi_str(m, m->partition.v[i].name);
			v[i].certain = overlaps[i];
			v[i].tier = FSI_HAS(&m->partition.v[i], PARTITION, tier) ? m->partition.v[i].tier : FS_UNKNOWN;
			v[out->nrivals++] = v[i];
		}
	out->rivals = v;
	return 0;
}

/* The jobs before one in its partition, by account, user and array, and what puts them there. */

struct counting {
	fs_explain *x;
	struct fsi_groups in;
	const struct fs_explain_sum *own;
	uint32_t gpu; /* name */
	size_t nterms;
	bool *seen; /* by job row */
};

/* ---- what one entry adds */

struct entry {
	const struct fsi_queue_record *record;
	enum fs_queue_key key;
	const struct fs_prio_term *terms; /* NULL: not by priority, or no sum to compare */
	bool passed, direct;
	int64_t cpus, gpus;
	double cpu_hours;
};

static double hours_of(const struct fsi_job *j, int64_t cpus)
{
	const double hour_s = 3600;

	if (FSI_SPECIAL(j, JOB, time_limit_s))
		return INFINITY;
	return FSI_HAS(j, JOB, time_limit_s) && FSI_HAS(j, JOB, cpus)
		       ? (double)cpus * (double)j->time_limit_s / hour_s
		       : (double)NAN;
}

static void add_terms(const struct counting *c, struct fsi_group *g, const struct fs_prio_term *terms)
{
	for (size_t t = 0; t < c->nterms; t++) {
		const double v = terms[t].value;

		g->points[t] += terms[t].points - c->own->terms[t].points;
		g->lowest[t] = g->compared && g->lowest[t] < v ? g->lowest[t] : v;
		g->highest[t] = g->compared && g->highest[t] > v ? g->highest[t] : v;
	}
	g->compared++;
}

static void add_entry(const struct counting *c, struct fsi_group *g, const struct entry *e)
{
	g->g.entries++;
	g->g.jobs += e->record->tasks;
	g->g.cpus = g->g.cpus == FS_UNKNOWN || e->cpus == FS_UNKNOWN ? FS_UNKNOWN : g->g.cpus + e->cpus;
	g->g.gpus += e->gpus;
	g->g.cpu_hours += e->cpu_hours;
	g->g.by[e->key]++;
	g->g.passed += e->passed;
	g->g.direct += e->direct;
	if (e->terms)
		add_terms(c, g, e->terms);
}

/* Does waiting end it? Both jobs age at the same rate until each has the whole bonus: then what is left decides. */
static bool waiting_passes(const struct counting *c, const struct fs_prio_row *theirs, double their_age)
{
	const struct fs_explain_sum *own = c->own;

	for (size_t t = 0; t < c->nterms; t++)
		if (own->terms[t].factor == FS_FACTOR_AGE)
			return own->inputs[t].since != FS_UNKNOWN && own->terms[t].weight > 0 &&
			       own->sum - own->terms[t].points > theirs->sum - their_age;
	return false;
}

/* The row of priorities that belongs to a queue record, or false. */
static bool find_row(const fs_explain *x, const struct fsi_queue_record *r, struct fs_prio_row *row)
{
	size_t first;
	const size_t n = explain_prio_rows(x, r->job, &first);

	for (size_t k = first; k < first + n; k++)
		if (x->from.prios->row.v[k].partition_name == r->partition_name &&
		    x->from.prios->row.v[k].qos == r->qos) {
			fs_prios_brief(x->from.prios, k, row);
			return true;
		}
	return false;
}

/* row: room for the terms that the entry then has. */
static void compare_sums(const struct counting *c, struct entry *e, struct fs_prio_row *row)
{
	if (e->key != FS_QUEUE_KEY_PRIORITY || !find_row(c->x, e->record, row))
		return;
	e->direct = row->direct;
	if (row->direct || c->own->direct || isnan(row->sum) || isnan(c->own->sum))
		return;
	e->terms = row->terms;
	for (size_t t = 0; t < c->nterms; t++)
		if (row->terms[t].factor == FS_FACTOR_AGE)
			e->passed = waiting_passes(c, row, row->terms[t].points);
}

static int count_entry(struct counting *c, uint32_t i, struct fs_explain_ahead *out)
{
	fs_explain *x = c->x;
	const struct fsi_queue_record *r = &x->from.queue->record.v[i];
	const struct fsi_job *j = &x->m->job.v[r->job];
	const int64_t tasks = (int64_t)r->tasks;
	struct entry e = { .record = r,
			   .key = fs_queue_deciding_key(x->from.queue, i, c->own->queue_row) };
	struct fs_prio_row row;
	uint32_t at = groups_of(&c->in, j);

	if (at == FSI_NO_INDEX)
		return -1;
	e.cpus = FSI_HAS(j, JOB, cpus) ? j->cpus * tasks : FS_UNKNOWN;
	e.gpus = c->gpu ? fsi_amount_of(x->m, j->tres_req, c->gpu) * tasks : 0;
	e.cpu_hours = hours_of(j, e.cpus);
	compare_sums(c, &e, &row);
	for (; at; at = c->in.group.v[at].within)
		add_entry(c, &c->in.group.v[at], &e);
	add_entry(c, &c->in.group.v[0], &e);
	out->own_entries += j->user == c->in.own_user;
	return 0;
}

/* The record before this one in its partition's line, FS_NO_ROW if there is none. With one line for all partitions
 * it need not be eligible. */
static uint32_t one_before(const fs_queue *q, uint32_t i)
{
	return !q->m->scheduler->one_line ? q->record.v[i].before : i ? i - 1 : FS_NO_ROW;
}

/* The records before one in its line, from the first on, in room of row + 1; *n of them. */
static const uint32_t *line_before(const fs_queue *q, uint32_t row, uint32_t *room, size_t *n)
{
	uint32_t k = row;

	for (uint32_t i = one_before(q, row); i != FS_NO_ROW; i = one_before(q, i))
		room[--k] = i;
	*n = row - k;
	return room + k;
}

static int count_line(struct counting *c, const uint32_t *line, size_t n, struct fs_explain_ahead *out)
{
	const fs_queue *q = c->x->from.queue;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_queue_record *r = &q->record.v[line[i]];

		if (c->seen[r->job] || !r->eligible)
			continue;
		c->seen[r->job] = true;
		if (!fsi_viewer_sees_job(&c->x->viewer, &c->x->m->job.v[r->job])) {
			out->unseen++;
			continue;
		}
		out->next = line[i];
		if (count_entry(c, line[i], out))
			return -1;
	}
	return 0;
}

static int count_all(struct counting *c, struct fs_explain_ahead *out)
{
	const fs_queue *q = c->x->from.queue;
	const uint32_t row = c->own->queue_row;
	uint32_t *room = malloc(((size_t)row + 1) * sizeof(*room));
	size_t n;
	int rc = -1;

	c->seen[q->record.v[row].job] = true;
	out->next = FSI_NO_INDEX;
	if (room && !groups_begin(&c->in)) {
		const uint32_t *line = line_before(q, row, room, &n);

		rc = count_line(c, line, n, out);
	}
	free(room);
	return rc || groups_publish(&c->in, out) || explain_rivals(c->x, row, c->seen, out) ? -1 : 0;
}

/* libfs/explain/job.c: fills out->ahead for the first sum; heads: with groups as fs_explain_job_heads has them. */
static int explain_ahead(fs_explain *x, struct fs_explain_job *out, bool heads)
{
	struct counting c = { .x = x, .own = out->sums, .in = { .x = x, .own = out->sums, .heads = heads } };
	int rc;

	out->ahead.next = FSI_NO_INDEX;
	out->ahead.gain = NAN;
	if (!out->nsums || !out->sums[0].position)
		return 0;
	c.in.own_user = x->m->job.v[out->job_row].user;
	c.gpu = fsi_name_find(x->m, "gres/gpu");
	c.nterms = c.in.nterms = c.own->nterms;
	c.seen = calloc(x->m->job.n + 1, sizeof(*c.seen));
	rc = c.seen ? count_all(&c, &out->ahead) : -1;
	if (!rc && x->m->scheduler->explain->waiting)
		x->m->scheduler->explain->waiting(x, out, &out->ahead);
	groups_release(&c.in);
	free(c.seen);
	return rc;
}

/* A job: what it waits for, its sums, its place, its way through the tree, what is in its way. */

static enum fs_explain_state waiting_state(enum fs_verdict_kind kind)
{
	switch (kind) {
	case FS_VERDICT_NEVER:
		return FS_EXPLAIN_NEVER;
	case FS_VERDICT_HELD:
		return FS_EXPLAIN_HELD;
	case FS_VERDICT_BEGIN:
	case FS_VERDICT_DEPENDENCY:
	case FS_VERDICT_RESERVATION:
	case FS_VERDICT_ARRAY_LIMIT:
	case FS_VERDICT_LIMIT:
	case FS_VERDICT_UNKNOWN:
	case FS_VERDICT_NODES:
		return FS_EXPLAIN_BLOCKED;
	default:
		return FS_EXPLAIN_QUEUED;
	}
}

static enum fs_explain_state state_of(const fs_explain *x, const struct fs_explain_job *j)
{
	switch (j->section) {
	case FS_SECTION_RUNNING:
	case FS_SECTION_SUSPENDED:
	case FS_SECTION_COMPLETING:
		return FS_EXPLAIN_RUNNING;
	case FS_SECTION_ENDED:
		if (x->m->job.v[j->job_row].state != FSI_STATE_PENDING)
			return FS_EXPLAIN_ENDED;
		break;
	default:
		break;
	}
	if (j->verdict.kind == FS_VERDICT_NONE && j->section == FS_SECTION_HELD)
		return FS_EXPLAIN_HELD;
	return waiting_state(j->verdict.kind);
}

/* Limits and obstacles with all their facts, and the verdict that rests on them. */
static int look_at_bars(fs_explain *x, struct fs_explain_job *out)
{
	const struct fsi_bars_from from = { .m = x->m,
					    .viewer = &x->viewer,
					    .usage = x->from.shares ? x->from.shares->usage : NULL,
					    .arena = &x->arena };
	const struct fsi_queue_scheduler *s = x->m->scheduler->queue;
	const bool bars = s && s->bar;
	struct fsi_bars b = { .job_row = out->job_row };

	if (bars && fsi_bars(&b, &from, out->job_row, out->reason))
		return -1;
	out->choices = b.choices;
	out->nchoices = b.nchoices;
	out->limits = b.limits;
	out->nlimits = b.nlimits;
	out->obstacles = b.obstacles;
	out->nobstacles = b.nobstacles;
	return x->from.queue ? fsi_verdict(x->from.queue, out->job_row, bars ? &b : NULL, &x->arena, &out->verdict)
			     : 0;
}

static void fill_credentials(const fs_explain *x, struct fs_explain_job *out)
{
	const fs_windows *w = x->from.windows;

	for (int k = 0; k < FS_CRED_KINDS; k++)
		out->credential[k] = FSI_NO_INDEX;
	if (!w)
		return;
	fsi_windows_job_credentials(w, &x->m->job.v[out->job_row], out->credential);
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		const uint32_t own = out->credential[k];

		out->by_default[k] = fsi_windows_default_priority(w, (enum fs_cred_kind)k, own);
		if (own != FSI_NO_INDEX)
			out->credential[k] = fsi_windows_credential_row(w, own);
	}
	out->capped = fs_windows_capped(w, out->job_row, &out->cap);
}

int fs_explain_job_brief(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	*out = (struct fs_explain_job){ .job_row = job_row,
					.share_row =
						fsi_explain_charged(x->m, &x->m->job.v[job_row]),
					.ahead = { .next = FSI_NO_INDEX, .gain = NAN } };
	out->section = fsi_explain_section(x, job_row, &out->reason);
	out->nholds = x->from.holds ? fs_holds_count(x->from.holds, job_row) : 0;
	fill_credentials(x, out);
	out->jobs_missing = fsi_hidden(x->m, "job");
	out->jobs_hidden = out->jobs_missing || (x->viewer.private_jobs && !x->viewer.all);
	out->state = state_of(x, out);
	if (explain_sums(x, out))
		return fsi_nomem(err);
	if (out->share_row == FSI_NO_INDEX || !x->from.shares)
		return 0;
	return fs_explain_path(x, out->share_row, &out->path, err);
}

static int explain_job(fs_explain *x, uint32_t job_row, bool heads, struct fs_explain_job *out, struct fs_error *err)
{
	const int rc = fs_explain_job_brief(x, job_row, out, err);

	if (rc)
		return rc;
	if (explain_ahead(x, out, heads))
		return fsi_nomem(err);
	if (look_at_bars(x, out))
		return fsi_nomem(err);
	out->has_accrue = x->from.accrue != NULL;
	if (out->has_accrue)
		fs_accrue_job(x->from.accrue, job_row, &out->accrue);
	out->state = state_of(x, out);
	return 0;
}

int fs_explain_job(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	return explain_job(x, job_row, false, out, err);
}

int fs_explain_job_heads(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	return explain_job(x, job_row, true, out, err);
}

/* What waiting gives a job of Maui: its queue time and its expansion factor grow, by weights that a QOS may add to, and
 * the expansion factor of a short job grows faster than that of a long one. */

/* Points an hour at the present rates: a term or component at its cap gains no more, and those that depend on
 * targets are left out. */
static double gain_of(const fs_prios *p, size_t row, const struct fs_prio_row *r)
{
	const double hour_s = 3600, minute_s = 60;
	struct fs_prio_inputs in;
	double gain = 0;

	for (size_t g = 0; g < p->ngroups; g++) {
		const struct fs_prio_group *group = &p->groups[g];
		const bool full = group->cap > 0 && r->terms[group->first + group->count - 1].points < 0;

		for (size_t t = group->first; !full && t < group->first + group->count; t++) {
			fs_prios_inputs(p, row, t, &in);
			if (r->terms[t].cut > 0 || r->terms[t].weight == 0)
				continue;
			if (in.rule == FS_INPUTS_WAITED)
				gain += r->terms[t].weight * hour_s / minute_s;
			else if (in.rule == FS_INPUTS_EXPANSION)
				gain += r->terms[t].weight * hour_s / in.of;
		}
	}
	return r->direct ? 0 : gain;
}

/* Is the priority the sum itself, neither raised to the minimum nor cut to the maximum? */
static bool within_bounds(const struct fs_prio_row *r)
{
	for (size_t i = 0; i < r->nsteps; i++)
		if (r->steps[i].step == FS_STEP_RAISED || r->steps[i].step == FS_STEP_CUT)
			return false;
	return true;
}

void fsi_explain_waiting(const fs_explain *x, const struct fs_explain_job *job, struct fs_explain_ahead *out)
{
	const fs_prios *p = x->from.prios;
	struct fs_prio_row row;
	size_t own;

	out->gain = NAN;
	if (!p || !p->ngroups || !explain_prio_rows(x, job->job_row, &own))
		return;
	fs_prios_row(p, own, &row);
	if (!within_bounds(&row))
		return;
	out->gain = gain_of(p, own, &row);
	for (size_t i = 0; i < p->row.n; i++) {
		const struct fsi_queue_record *r = fsi_explain_record(x, p->row.v[i].job);

		if (!r || !r->position || r->position >= job->sums->position ||
		    !fsi_viewer_sees_job(&x->viewer, &x->m->job.v[r->job]))
			continue;
		fs_prios_row(p, i, &row);
		out->all.passed += !row.direct && gain_of(p, i, &row) < out->gain;
	}
}

/* Two jobs compared: the line in which both stand, and the first key of the order in which they differ. */

/* The term with the greatest lead of the job that goes first. */
static size_t deciding_term(const struct fs_explain_comparison *v, size_t nterms)
{
	size_t best = FS_NO_ROW;
	double max = 0;

	for (size_t t = 0; v->differences && t < nterms; t++) {
		const double lead = v->first < 0 ? v->differences[t] : -v->differences[t];

		if (lead > max) {
			max = lead;
			best = t;
		}
	}
	return best;
}

/* Does the order come to a priority, and one that is not known, before it comes to that key? Then the key says
 * nothing. */
static bool rests_on_unknown(const fs_queue *q, enum fs_queue_key key, const struct fs_explain_sum *a,
			     const struct fs_explain_sum *b)
{
	enum fs_queue_key k;

	if (!isnan(a->queue_priority) && !isnan(b->queue_priority))
		return false;
	for (size_t i = 0; (k = fs_queue_order(q, i)) != FS_QUEUE_KEY_NONE && k != FS_QUEUE_KEY_PRIORITY; i++)
		if (k == key)
			return false;
	return k == FS_QUEUE_KEY_PRIORITY;
}

static int sums_versus(fs_explain *x, const struct fs_explain_sum *a,
		       const struct fs_explain_sum *b, struct fs_explain_comparison *out)
{
	double *d;

	out->total = a->total - b->total;
	out->queue_difference = a->queue_priority - b->queue_priority;
	if (a->nterms && a->nterms == b->nterms) {
		d = fsi_arena_array(&x->arena, a->nterms, sizeof(*d));
		if (!d)
			return -1;
		for (size_t t = 0; t < a->nterms; t++)
			d[t] = a->terms[t].points - b->terms[t].points;
		out->differences = d;
	}
	if (!a->position || !b->position || a->queue_row == b->queue_row)
		return 0;
	out->key = fs_queue_deciding_key(x->from.queue, a->queue_row, b->queue_row);
	if (rests_on_unknown(x->from.queue, out->key, a, b)) {
		out->key = FS_QUEUE_KEY_PRIORITY;
		return 0;
	}
	out->first = a->queue_row < b->queue_row ? -1 : 1;
	if (out->key == FS_QUEUE_KEY_PRIORITY && !a->direct && !b->direct)
		out->term = deciding_term(out, a->nterms);
	return 0;
}

/* The pair of sums to compare: of the lines in which both jobs stand, the one that is tried first. */
static bool common_sums(const fs_explain *x, const struct fs_explain_job *a,
			const struct fs_explain_job *b, struct fs_explain_comparison *out)
{
	const bool one_line = x->from.queue && fs_queue_one_line(x->from.queue);

	for (int eligible = 1; eligible >= 0; eligible--)
		for (size_t i = 0; i < a->nsums; i++)
			for (size_t k = 0; k < b->nsums; k++) {
				const bool both = a->sums[i].position && b->sums[k].position;

				if ((strcmp(a->sums[i].partition, b->sums[k].partition) != 0 &&
				     !one_line) ||
				    (eligible && !both))
					continue;
				out->sum_a = i;
				out->sum_b = k;
				return true;
			}
	return false;
}

static int share_nodes(fs_explain *x, const char *a, const char *b, struct fs_explain_comparison *out)
{
	const fs_snapshot *m = x->m;
	const struct fsi_partition *p = fsi_partition_find(m, fsi_name_find(m, a));
	const struct fsi_partition *q = fsi_partition_find(m, fsi_name_find(m, b));
	const bool *overlaps;

	if (!p || !q)
		return 0;
	overlaps = explain_overlaps(x, (uint32_t)(p - m->partition.v));
	if (!overlaps)
		return -1;
	out->overlap = overlaps[q - m->partition.v];
	out->nodes_known = fsi_explain_nodes_known(m, (uint32_t)(p - m->partition.v)) &&
			   fsi_explain_nodes_known(m, (uint32_t)(q - m->partition.v));
	return 0;
}

int fs_explain_compare_jobs(fs_explain *x, const struct fs_explain_job *a,
			   const struct fs_explain_job *b, struct fs_explain_comparison *out)
{
	*out = (struct fs_explain_comparison){
		.sum_a = FS_NO_ROW, .sum_b = FS_NO_ROW, .term = FS_NO_ROW, .total = NAN, .queue_difference = NAN
	};
	if (!a->nsums || !b->nsums)
		return 0;
	out->same_line = common_sums(x, a, b, out);
	if (!out->same_line) {
		out->sum_a = out->sum_b = 0;
		if (share_nodes(x, a->sums[0].partition, b->sums[0].partition, out))
			return FS_ENOMEM;
	}
	return sums_versus(x, &a->sums[out->sum_a], &b->sums[out->sum_b], out) ? FS_ENOMEM : 0;
}
