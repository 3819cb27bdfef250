/* The jobs before one in its partition, by account, user and array, and what puts them there. */
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A group while it grows: its public part, and sums over those of its entries that are ahead by priority. */
struct group {
	struct fs_explain_group g;
	uint32_t account, user; /* names */
	uint32_t within;	/* the group that it is a part of, as those of an account are of group 0, which has all */
	uint32_t account_of, user_of; /* groups it is a part of, or is */
	uint32_t compared;	/* entries in the sums */
	double *points, *lowest, *highest; /* by term */
};

struct slot {
	uint64_t who, array;
	uint32_t at; /* 0: free */
};

struct counting {
	fs_explain *x;
	const struct fs_explain_sum *own;
	uint32_t own_user, gpu; /* names */
	bool heads;		/* accounts alone, and users where there is none */
	size_t nterms;
	FSI_VEC(struct group) group;
	struct slot *slots; /* hash table of groups, at most half full */
	size_t nslots;	    /* a power of 2 */
	bool *seen; /* by job row */
};

static int add_group(struct counting *c, const struct group *from)
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

/* ---- the group of an entry */

/* The slot of a group, or the free one where it belongs. */
static struct slot *slot_of(const struct counting *c, uint64_t who, uint64_t array)
{
	const uint64_t odd = 0x9e3779b97f4a7c15u, hash = (who * odd ^ array) * odd;
	size_t i = (size_t)(hash ^ hash >> 32) & (c->nslots - 1);

	while (c->slots[i].at && (c->slots[i].who != who || c->slots[i].array != array))
		i = (i + 1) & (c->nslots - 1);
	return &c->slots[i];
}

static int slots_room(struct counting *c)
{
	enum { FIRST = 256 };
	const struct slot *old = c->slots;
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
static uint32_t group_of(struct counting *c, uint32_t account, uint32_t user, uint64_t array)
{
	const uint64_t who = (uint64_t)account << 32 | user;
	struct group new = { .account = account,
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
	*slot_of(c, who, array) = (struct slot){ who, array, at };
	return at;
}

/* The smallest group that is told of. */
static uint32_t group_of_job(struct counting *c, const struct fsi_job *j)
{
	if (c->heads)
		return group_of(c, j->account, j->account ? NOBODY : j->user, 0);
	return group_of(c, j->account, j->user, j->array_job_id);
}

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

static void add_terms(const struct counting *c, struct group *g, const struct fs_prio_term *terms)
{
	for (size_t t = 0; t < c->nterms; t++) {
		const double v = terms[t].value;

		g->points[t] += terms[t].points - c->own->terms[t].points;
		g->lowest[t] = g->compared && g->lowest[t] < v ? g->lowest[t] : v;
		g->highest[t] = g->compared && g->highest[t] > v ? g->highest[t] : v;
	}
	g->compared++;
}

static void add_entry(const struct counting *c, struct group *g, const struct entry *e)
{
	g->g.entries++;
	g->g.jobs += e->record->tasks;
	g->g.cpus =
		g->g.cpus == FS_UNKNOWN || e->cpus == FS_UNKNOWN ? FS_UNKNOWN : g->g.cpus + e->cpus;
	g->g.gpus += e->gpus;
	g->g.cpu_hours += e->cpu_hours;
	g->g.by[e->key]++;
	g->g.passed += e->passed;
	g->g.direct += e->direct;
	if (e->terms)
		add_terms(c, g, e->terms);
}

/* Does waiting end it? Both jobs age at the same rate until each has the whole bonus: then what is left decides. */
static bool waiting_passes(const struct counting *c, const struct fs_prio_row *theirs,
			   double their_age)
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
	const size_t n = fsi_explain_prio_rows(x, r->job, &first);

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
	uint32_t at = group_of_job(c, j);

	if (at == FSI_NO_INDEX)
		return -1;
	e.cpus = FSI_HAS(j, JOB, cpus) ? j->cpus * tasks : FS_UNKNOWN;
	e.gpus = c->gpu ? fsi_amount_of(x->m, j->tres_req, c->gpu) * tasks : 0;
	e.cpu_hours = hours_of(j, e.cpus);
	compare_sums(c, &e, &row);
	for (; at; at = c->group.v[at].within)
		add_entry(c, &c->group.v[at], &e);
	add_entry(c, &c->group.v[0], &e);
	out->own_entries += j->user == c->own_user;
	return 0;
}

/* ---- when all are counted */

static void finish_group(const struct counting *c, struct group *g)
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

static int larger(const struct group *a, const struct group *b)
{
	return COMPARE(b->g.jobs, a->g.jobs);
}

/* By account, the one with most jobs first; in it by user and array likewise, each behind what it is a part of. */
static int compare_groups(const void *pa, const void *pb, const void *ctx)
{
	const struct counting *c = ctx;
	const struct group *v = c->group.v, *a = &v[*(const uint32_t *)pa], *b = &v[*(const uint32_t *)pb];
	int d = larger(&v[a->account_of], &v[b->account_of]);

	d = d ? d : strcmp(a->g.account, b->g.account);
	d = d ? d : COMPARE(a->g.depth > 0, b->g.depth > 0);
	d = d || !a->g.depth ? d : larger(&v[a->user_of], &v[b->user_of]);
	d = d ? d : strcmp(a->g.user, b->g.user);
	d = d ? d : COMPARE(a->g.depth > 1, b->g.depth > 1);
	d = d ? d : larger(a, b);
	return d ? d : COMPARE(a->g.array, b->g.array);
}

static int sorted_groups(const struct counting *c, uint32_t *order, struct fs_explain_ahead *out)
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

static int publish(struct counting *c, struct fs_explain_ahead *out)
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

/* The record before this one in its partition's line, FS_NO_ROW if there is none. With one line for all partitions
 * it need not be eligible. */
static uint32_t one_before(const fs_queue *q, uint32_t i)
{
	return !q->scheduler->one_line ? q->record.v[i].before : i ? i - 1 : FS_NO_ROW;
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

		if (i + FSI_JOBS_SOON < n)
			fsi_job_fetch(c->x->m, q->record.v[line[i + FSI_JOBS_SOON]].job);
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
	static const struct group all = { .within = 0 };
	const fs_queue *q = c->x->from.queue;
	const uint32_t row = c->own->queue_row;
	uint32_t *room = malloc(((size_t)row + 1) * sizeof(*room));
	size_t n;
	int rc = -1;

	c->seen[q->record.v[row].job] = true;
	out->next = FSI_NO_INDEX;
	if (room && !add_group(c, &all)) {
		const uint32_t *line = line_before(q, row, room, &n);

		rc = count_line(c, line, n, out);
	}
	free(room);
	return rc || publish(c, out) || fsi_explain_rivals(c->x, row, c->seen, out) ? -1 : 0;
}

int fsi_explain_ahead(fs_explain *x, struct fs_explain_job *out, bool heads)
{
	struct counting c = { .x = x, .heads = heads };
	int rc;

	out->ahead.next = FSI_NO_INDEX;
	out->ahead.gain = NAN;
	if (!out->nsums || !out->sums[0].position)
		return 0;
	c.own = &out->sums[0];
	c.own_user = x->m->job.v[out->job_row].user;
	c.gpu = fsi_name_find(x->m, "gres/gpu");
	c.nterms = c.own->nterms;
	c.seen = calloc(x->m->job.n + 1, sizeof(*c.seen));
	rc = c.seen ? count_all(&c, &out->ahead) : -1;
	if (!rc && x->m->scheduler->explain->waiting)
		x->m->scheduler->explain->waiting(x, out, &out->ahead);
	FSI_VEC_FREE(&c.group);
	free(c.slots);
	free(c.seen);
	return rc;
}
