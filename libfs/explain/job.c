/* Explains a job: its priority sums, the groups of the jobs ahead of it, the partitions that compete with its own for
 * nodes, its limits, its obstacles and its verdict. Also compares two jobs. */
#include "base/memory.h"
#include "base/hostlist.h"
#include "explain/explain.h"
#include "fairshare/fairshare.h"
#include "model/find.h"
#include "model/model.h"
#include "priority/priority.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- types for the groups of the jobs ahead */

/* A group of the jobs ahead. The struct has the part that fs_explain_job returns, and sums over the group's queue
 * records that are ahead by priority. */
struct job_group {
	struct fs_explain_group g;
	uint32_t account, user; /* name ids of the group's account and user; 0: none */
	/* index of the parent group. The parent of an array is the user's group, the parent of a user is the account's
	 * group, and the parent of an account is group 0 (all jobs ahead). */
	uint32_t parent;
	/* Indices of the account's group (`account_group`) and of the user's group (`user_group`) that contain the jobs
	 * of this group. In a user's group, `user_group` is the index of that group itself. In an account's group, both
	 * members are the index of that group itself. */
	uint32_t account_group, user_group;
	uint32_t compared;	/* number of queue records from which `points`, `lowest` and `highest` are computed */
	/* Three arrays, indexed by priority term. `points`: sum of the differences to the explained job's points.
	 * `lowest`, `highest`: lowest and highest value of the factor. */
	double *points, *lowest, *highest;
};

struct group_table {
	fs_explain *x;
	const struct fs_explain_sum *own;
	uint32_t own_user; /* name id of the explained job's user */
	/* true: jobs are grouped only by account; jobs without an account are grouped by user instead */
	bool accounts_only;
	size_t nterms;
	FSI_VEC(struct job_group) group;
	struct group_slot *slots; /* hash table of the groups; at most half full */
	size_t nslots;		      /* number of entries of `slots`, a power of 2; 0: not allocated */
};

/* ---- priority sums of a job: one for each pair of partition and QOS, in the order in which the scheduler tries
 * them */

/* Returns the number of rows that the job has in the table of computed priorities, and sets *first to the index of the
 * first one. Returns 0 if no priorities were computed. */
static size_t find_priority_rows(const fs_explain *x, uint32_t job_row, size_t *first)
{
	const fs_prios *p = x->from.prios;
	size_t n = 0;

	*first = x->prio_row ? x->prio_row[job_row] : FSI_NO_INDEX;
	while (*first != FSI_NO_INDEX && *first + n < p->row.n && p->row.v[*first + n].job == job_row)
		n++;
	return n;
}

/* ---- recorded values of a priority sum */

static const struct fsi_recorded *find_recorded_sum(const fs_explain *x, const struct fsi_prio_row *row)
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

static double get_recorded_tres(const fs_snapshot *m, const struct fsi_recorded *r, const char *term)
{
	const uint32_t name = fsi_name_find(m, term + strlen("tres/"));

	return name ? (double)fsi_amount_of_tres(m, r->tres, name) : 0;
}

#define RECORDED_OR_NAN(r, member) (FSI_HAS(r, RECORDED, member) ? (double)(r)->member : (double)NAN)

static double get_recorded_points(const fs_snapshot *m, const struct fsi_recorded *r, const struct fs_prio_term *t)
{
	switch (t->factor) {
	case FS_FACTOR_AGE:
		return RECORDED_OR_NAN(r, age);
	case FS_FACTOR_ASSOC:
		return RECORDED_OR_NAN(r, assoc);
	case FS_FACTOR_FAIRSHARE:
		return RECORDED_OR_NAN(r, fairshare);
	case FS_FACTOR_JOBSIZE:
		return RECORDED_OR_NAN(r, jobsize);
	case FS_FACTOR_PARTITION:
		return RECORDED_OR_NAN(r, partition_points);
	case FS_FACTOR_QOS:
		return RECORDED_OR_NAN(r, qos_points);
	case FS_FACTOR_SITE:
		return RECORDED_OR_NAN(r, site);
	case FS_FACTOR_NICE:
		return 0 - RECORDED_OR_NAN(r, nice);
	case FS_FACTOR_TRES:
		return FSI_HAS(r, RECORDED, tres) ? get_recorded_tres(m, r, t->name) : (double)NAN;
	default:
		return NAN;
	}
}

/* Returns true if recorded priorities replace computed ones: the scheduler's recorded priorities are used, no command
 * was applied to the snapshot, and the priorities are computed for the snapshot's own algorithm, usage and time. */
static bool is_state_unchanged(const fs_explain *x)
{
	const fs_prios *p = x->from.prios;

	return p->scheduler->uses_recorded && !x->m->edits && x->from.queue && !x->from.queue->ignores_recorded &&
	       p->now == x->m->info.time;
}

/* Sets the recorded priority and recorded points of the sum. If an administrator set the priority, uses the priority in
 * the job record, because sprio may print another value. `is_only_sum`: the job has no other sum. Returns -1 if out of
 * memory. */
static int fill_recorded_sum(fs_explain *x, const struct fsi_prio_row *row, bool is_only_sum, struct fs_explain_sum *s)
{
	const struct fsi_job *j = &x->m->job.v[row->job];
	const struct fsi_recorded *r = s->direct ? NULL : find_recorded_sum(x, row);
	double *points;

	s->recorded = NAN;
	if (r) {
		points = fsi_arena_array(&x->arena, s->nterms + 1, sizeof(*points));
		if (!points)
			return -1;
		for (size_t t = 0; t < s->nterms; t++)
			points[t] = get_recorded_points(x->m, r, &s->terms[t]);
		s->recorded = RECORDED_OR_NAN(r, priority);
		s->recorded_points = points;
	} else if ((is_only_sum || s->direct) && FSI_HAS(j, JOB, priority)) {
		s->recorded = j->priority;
	}
	if (is_state_unchanged(x) && !isnan(s->recorded) && !isnan(s->total) && fabs(s->recorded - s->total) >= 1) {
		s->unexplained = s->recorded - s->total;
		s->total = s->recorded;
	}
	return 0;
}

/* ---- computing a priority sum */

static int64_t get_partition_tier(const fs_snapshot *m, uint32_t partition)
{
	return partition != FSI_NO_INDEX && FSI_HAS(&m->partition.v[partition], PARTITION, tier)
		       ? m->partition.v[partition].tier
		       : FS_UNKNOWN;
}

/* Stores the weights of a priority term of Maui. A configured weight is the product of the component's weight and the
 * term's own weight. If the component's weight is 0, `own_weight` and `qos_weight` stay 0. */
static struct fs_explain_parts split_credential_term(const struct fs_prio_term *t, double configured,
						     double group_weight)
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

static int fill_term_parts(fs_explain *x, struct fs_explain_sum *s)
{
	const fs_prios *p = x->from.prios;
	struct fs_explain_parts *parts = fsi_arena_array(&x->arena, s->nterms + 1, sizeof(*parts));

	s->ngroups = fs_prios_groups(p);
	s->groups = fs_prios_group(p, 0);
	if (!parts)
		return -1;
	for (size_t g = 0; g < s->ngroups; g++)
		for (size_t t = s->groups[g].first; t < s->groups[g].first + s->groups[g].count; t++)
			parts[t] =
				split_credential_term(&s->terms[t], fs_prios_weights(p)[t].weight, s->groups[g].weight);
	s->parts = parts;
	return 0;
}

static int fill_one_sum(fs_explain *x, size_t i, bool is_only_sum, struct fs_explain_sum *s)
{
	const fs_prios *p = x->from.prios;
	struct fs_prio_inputs *inputs;
	struct fs_prio_row row;

	fs_prios_row(p, i, &row);
	*s = (struct fs_explain_sum){
		.partition = row.partition,
		.qos = row.qos,
		.nterms = fs_prios_terms(p),
		.direct = row.set_directly,
		.sum = row.sum,
		.total = row.stored_priority,
		.tier = get_partition_tier(x->m, p->row.v[i].partition),
		.queue_priority = NAN,
		.queue_row = FSI_NO_INDEX,
		.urgency = row.urgency,
		.nsteps = row.nsteps,
	};
	memcpy(s->steps, row.steps, sizeof(s->steps));
	s->terms = fsi_explain_copy_array(x, row.terms, s->nterms, sizeof(*s->terms));
	s->inputs = inputs = fsi_arena_array(&x->arena, s->nterms + 1, sizeof(*inputs));
	if (!s->terms || !inputs || (fs_prios_groups(p) && fill_term_parts(x, s)))
		return -1;
	for (size_t t = 0; t < s->nterms; t++)
		fs_prios_inputs(p, i, t, &inputs[t]);
	return fill_recorded_sum(x, &p->row.v[i], is_only_sum, s);
}

/* Returns the number of eligible records in the scheduling order of the partition. If the jobs of all partitions are in
 * one scheduling order, counts the eligible records of all partitions. */
static uint32_t count_eligible_records(const fs_explain *x, const char *partition)
{
	const fs_queue *q = x->from.queue;

	return q->order_end[fsi_queue_get_partition_order(q, fsi_name_find(x->m, partition))].eligible_count;
}

/* Sets position, queue row and priority of each priority sum from the job's queue records. Also sets the number of
 * eligible records in the scheduling order of each sum's partition. */
static void set_sum_positions(const fs_explain *x, uint32_t job_row, struct fs_explain_sum *s, size_t n)
{
	const fs_queue *q = x->from.queue;

	for (size_t k = 0; q && k < n; k++)
		s[k].of = count_eligible_records(x, s[k].partition);
	for (uint32_t i = q ? q->first_record[job_row] : FSI_NO_INDEX; i != FSI_NO_INDEX;
	     i = q->record.v[i].next_of_job) {
		const struct fsi_queue_record *r = &q->record.v[i];

		for (size_t k = 0; k < n; k++)
			if (fsi_name_text(x->m, r->partition_name) == s[k].partition &&
			    fsi_name_text(x->m, r->qos) == s[k].qos) {
				s[k].queue_row = i;
				s[k].position = r->eligible ? fsi_queue_get_position(q, r) : 0;
				s[k].queue_priority = r->priority;
			}
	}
}

/* Sets s->printed to the points that the scheduler printed for the job in the partition of `row`. These points are
 * shown if the terms cannot be computed. Returns -1 if out of memory. */
static int fill_printed_terms(fs_explain *x, const struct fsi_prio_row *row, struct fs_explain_sum *s)
{
	static const struct fs_prio_term factors[] = {
		{ .factor = FS_FACTOR_SITE, .name = "site" },	    { .factor = FS_FACTOR_AGE, .name = "age" },
		{ .factor = FS_FACTOR_ASSOC, .name = "assoc" },	    { .factor = FS_FACTOR_FAIRSHARE, .name = "fairshare" },
		{ .factor = FS_FACTOR_JOBSIZE, .name = "jobsize" }, { .factor = FS_FACTOR_PARTITION, .name = "partition" },
		{ .factor = FS_FACTOR_QOS, .name = "qos" },	    { .factor = FS_FACTOR_NICE, .name = "nice" },
	};
	enum { PRINTED_TERMS = sizeof(factors) / sizeof(*factors) };
	const struct fsi_recorded *r = find_recorded_sum(x, row);
	struct fs_prio_term *terms = r ? fsi_explain_copy_array(x, factors, PRINTED_TERMS, sizeof(*factors)) : NULL;

	if (!terms)
		return r ? -1 : 0;
	for (size_t t = 0; t < PRINTED_TERMS; t++) {
		terms[t].points = get_recorded_points(x->m, r, &terms[t]);
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

/* For a job without computed priority factors, makes one sum for each of its queue records for which the scheduler
 * tries to find nodes, or for which the scheduler printed the points. Such a sum has the priority that the scheduler
 * uses and the points that the scheduler printed, but no computed terms. If `s` is NULL, only counts the sums. Returns
 * -1 if out of memory. */
static int fill_queue_sums(fs_explain *x, uint32_t job_row, struct fs_explain_sum *s, size_t *count)
{
	const fs_queue *q = x->from.queue;
	size_t n = 0;

	for (uint32_t i = q ? q->first_record[job_row] : FSI_NO_INDEX; i != FSI_NO_INDEX;
	     i = q->record.v[i].next_of_job) {
		const struct fsi_queue_record *r = &q->record.v[i];
		const struct fsi_prio_row row = { job_row, r->partition, r->qos, r->partition_name };

		if (!r->tried && !find_recorded_sum(x, &row))
			break;
		if (s) {
			s[n] = (struct fs_explain_sum){
				.partition = fsi_name_text(x->m, r->partition_name),
				.qos = fsi_name_text(x->m, r->qos),
				.sum = NAN,
				.total = r->priority,
				.recorded = r->priority,
				.queue_priority = r->priority,
				.urgency = NAN,
				.tier = get_partition_tier(x->m, r->partition),
				.queue_row = i,
			};
			if (!r->priority_set && fill_printed_terms(x, &row, &s[n]))
				return -1;
		}
		n++;
	}
	*count = n;
	return 0;
}

/* Returns true if priority sum `a` is sorted before priority sum `b`. Sums of eligible queue records come first, then
 * sums of ineligible records. Within each of the two groups, sums are in the order of the queue. */
static bool is_sum_before(const struct fs_explain_sum *a, const struct fs_explain_sum *b)
{
	const bool a_eligible = a->position != 0, b_eligible = b->position != 0;

	return a_eligible != b_eligible ? a_eligible : a->queue_row < b->queue_row;
}

static void sort_job_sums(struct fs_explain_sum *s, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct fs_explain_sum at = s[i];
		size_t k = i;

		for (; k > 0 && is_sum_before(&at, &s[k - 1]); k--)
			s[k] = s[k - 1];
		s[k] = at;
	}
}

/* Sets out->sums to the job's priority sums, one for each partition and QOS. Sums of eligible queue records come first.
 * Returns -1 if out of memory. */
static int fill_job_sums(fs_explain *x, struct fs_explain_job *out)
{
	size_t first, n = find_priority_rows(x, out->job_row, &first);
	const bool factors = n > 0;
	struct fs_explain_sum *s;

	if (!factors && fill_queue_sums(x, out->job_row, NULL, &n))
		return -1;
	s = fsi_arena_array(&x->arena, n + 1, sizeof(*s));
	if (!s)
		return -1;
	for (size_t i = 0; factors && i < n; i++)
		if (fill_one_sum(x, first + i, n == 1, &s[i]))
			return -1;
	if (!factors && fill_queue_sums(x, out->job_row, s, &n))
		return -1;
	if (n) {
		set_sum_positions(x, out->job_row, s, n);
		sort_job_sums(s, n);
	}
	out->sums = s;
	out->nsums = n;
	return 0;
}

/* ---- building the groups of the jobs ahead */

struct group_slot {
	uint64_t group_key, array;
	uint32_t at; /* index of the group; 0: this entry of the hash table is free */
};

static int append_new_group(struct group_table *c, const struct job_group *from)
{
	double *storage = fsi_arena_array(&c->x->arena, 3 * c->nterms + 1, sizeof(*storage));

	if (!storage || FSI_VEC_RESERVE(&c->group))
		return -1;
	c->group.v[c->group.n] = *from;
	c->group.v[c->group.n].points = storage;
	c->group.v[c->group.n].lowest = storage + c->nterms;
	c->group.v[c->group.n].highest = storage + 2 * c->nterms;
	c->group.n++;
	return 0;
}

static uint64_t make_group_key(uint32_t account, uint32_t user)
{
	return (uint64_t)account << 32 | user;
}

/* Returns the slot of the hash table that has the group with this user, account and array. If there is no such group,
 * returns the free slot in which to add it. */
static struct group_slot *find_group_slot(const struct group_table *c, uint64_t group_key, uint64_t array)
{
	const uint64_t multiplier = 0x9e3779b97f4a7c15u, hash = (group_key * multiplier ^ array) * multiplier;
	size_t i = (size_t)(hash ^ hash >> 32) & (c->nslots - 1);

	while (c->slots[i].at && (c->slots[i].group_key != group_key || c->slots[i].array != array))
		i = (i + 1) & (c->nslots - 1);
	return &c->slots[i];
}

static int grow_slot_table(struct group_table *c)
{
	enum { FIRST_SLOTS = 256 };
	const struct group_slot *old = c->slots;
	const size_t n = c->nslots;

	if ((c->group.n + 1) * 2 <= n)
		return 0;
	c->nslots = n ? n * 2 : FIRST_SLOTS;
	c->slots = calloc(c->nslots, sizeof(*c->slots));
	for (size_t i = 0; c->slots && i < n; i++)
		if (old[i].at)
			*find_group_slot(c, old[i].group_key, old[i].array) = old[i];
	free((void *)(uintptr_t)old);
	return c->slots ? 0 : -1;
}

enum { NO_USER = UINT32_MAX }; /* value of `user` in the key of a group that has the jobs of all users of an account */

/* Returns the index of the group with this account, user and array. Adds the group and its parent groups if they are
 * missing. Jobs without an account (name id 0) have a group of their own. Returns FSI_NO_INDEX if out of memory. */
static uint32_t find_or_add_group(struct group_table *c, uint32_t account, uint32_t user, uint64_t array)
{
	const uint64_t group_key = make_group_key(account, user);
	struct job_group new = { .account = account,
				 .user = user == NO_USER ? 0 : user,
				 .g = { .array = array,
					.depth = user == NO_USER ? 0
						 : array         ? 2
								 : 1 } };
	const uint32_t known = c->slots ? find_group_slot(c, group_key, array)->at : 0;

	if (known)
		return known;
	new.parent = array             ? find_or_add_group(c, account, user, 0)
		     : user != NO_USER ? find_or_add_group(c, account, NO_USER, 0)
				       : 0;
	if (new.parent == FSI_NO_INDEX || grow_slot_table(c))
		return FSI_NO_INDEX;
	const uint32_t at = (uint32_t)c->group.n;

	new.account_group = new.g.depth ? c->group.v[new.parent].account_group : at;
	new.user_group = new.g.depth > 1 ? new.parent : at;
	if (append_new_group(c, &new))
		return FSI_NO_INDEX;
	*find_group_slot(c, group_key, array) = (struct group_slot){ group_key, array, at };
	return at;
}

/* Returns the index of the smallest group that contains the job: the group of its array, or of its user if the job is
 * not in an array. If `accounts_only` is set, returns the group of the job's account, or of its user if the job has no
 * account. Adds the group if it does not exist. Returns FSI_NO_INDEX if out of memory. */
static uint32_t find_job_group(struct group_table *c, const struct fsi_job *j)
{
	if (c->accounts_only)
		return find_or_add_group(c, j->account, j->account ? NO_USER : j->user, 0);
	return find_or_add_group(c, j->account, j->user, j->array_job_id);
}

/* Adds group 0, which has all jobs ahead. Returns -1 if out of memory. */
static int add_top_group(struct group_table *c)
{
	static const struct job_group all = { .parent = 0 };

	return append_new_group(c, &all);
}

/* ---- results about the groups of the jobs ahead */

static void finish_one_group(const struct group_table *c, struct job_group *g)
{
	struct fs_explain_group *e = &g->g;

	e->account = fsi_name_text(c->x->m, g->account);
	e->user = fsi_name_text(c->x->m, g->user);
	e->is_own = g->user && g->user == c->own_user;
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

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_group_jobs(const struct job_group *a, const struct job_group *b)
{
	return THREE_WAY(b->g.jobs, a->g.jobs);
}

/* Compares two groups for sorting. An account with more jobs comes before an account with fewer jobs. Users of an
 * account, and arrays of a user, are sorted in the same way. Each group comes after its parent group. */
static int compare_group_order(const void *pa, const void *pb, const void *ctx)
{
	const struct group_table *c = ctx;
	const struct job_group *v = c->group.v, *a = &v[*(const uint32_t *)pa], *b = &v[*(const uint32_t *)pb];
	int d = compare_group_jobs(&v[a->account_group], &v[b->account_group]);

	d = d ? d : strcmp(a->g.account, b->g.account);
	d = d ? d : THREE_WAY(a->g.depth > 0, b->g.depth > 0);
	d = d || !a->g.depth ? d : compare_group_jobs(&v[a->user_group], &v[b->user_group]);
	d = d ? d : strcmp(a->g.user, b->g.user);
	d = d ? d : THREE_WAY(a->g.depth > 1, b->g.depth > 1);
	d = d ? d : compare_group_jobs(a, b);
	return d ? d : THREE_WAY(a->g.array, b->g.array);
}

static int sort_group_results(const struct group_table *c, uint32_t *order, struct fs_explain_ahead *out)
{
	struct fs_explain_group *v = fsi_arena_array(&c->x->arena, c->group.n + 1, sizeof(*v));

	for (uint32_t i = 1; i < c->group.n; i++)
		order[i - 1] = i;
	if (!v || (c->group.n > 1 && fs_sort(order, c->group.n - 1, sizeof(*order), compare_group_order, c)))
		return -1;
	for (size_t i = 0; i + 1 < c->group.n; i++)
		v[i] = c->group.v[order[i]].g;
	out->groups = v;
	out->ngroups = c->group.n - 1;
	return 0;
}

/* Sets out->all and out->groups after all jobs have been added to the groups. Returns -1 if out of memory. */
static int publish_group_results(struct group_table *c, struct fs_explain_ahead *out)
{
	uint32_t *order = malloc((c->group.n + 1) * sizeof(*order));
	int rc;

	if (!order)
		return -1;
	for (size_t i = 0; i < c->group.n; i++)
		finish_one_group(c, &c->group.v[i]);
	if (c->group.v->g.entries)
		out->all = c->group.v->g;
	rc = sort_group_results(c, order, out);
	free(order);
	return rc;
}

static void release_group_table(struct group_table *c)
{
	FSI_VEC_FREE(&c->group);
	free(c->slots);
}

/* ---- partitions that compete for the same nodes */

struct host_marks {
	const fs_snapshot *m;
	bool *marked; /* indexed by name id: true if a node of the partition has this name */
};

static int mark_own_host(void *ctx, const char *name, size_t len)
{
	struct host_marks *k = ctx;

	k->marked[fsi_intern_find_id(&k->m->names, name, len)] = true;
	return 0;
}

/* Returns 1 if the array `marked` is true for this name, else 0. Returns 0 if the name does not occur in the snapshot
 * (id 0). */
static int is_marked_host(void *ctx, const char *name, size_t len)
{
	struct host_marks *k = ctx;
	const uint32_t id = fsi_intern_find_id(&k->m->names, name, len);

	return id && k->marked[id];
}

/* Returns an array indexed by partition row: true if that partition shares nodes with `partition`. The arena owns the
 * array. Returns NULL if out of memory. */
static const bool *find_overlapping_partitions(fs_explain *x, uint32_t partition)
{
	const fs_snapshot *m = x->m;
	bool *overlaps = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*overlaps));
	struct host_marks k = { m, fsi_arena_array(&x->arena, (size_t)m->names.count + 1, sizeof(bool)) };
	const struct fsi_partition *own;

	if (!overlaps || !k.marked)
		return NULL;
	if (partition == FSI_NO_INDEX)
		return overlaps;
	own = &m->partition.v[partition];
	fsi_hostlist_expand_each(fsi_name_text(m, own->nodes), FSI_MAX_HOSTS, mark_own_host, &k);
	for (uint32_t i = 0; i < m->partition.n; i++) {
		const struct fsi_partition *p = &m->partition.v[i];

		overlaps[i] =
			i == partition || (p->nodes && p->nodes == own->nodes) ||
			fsi_hostlist_expand_each(fsi_name_text(m, p->nodes), FSI_MAX_HOSTS, is_marked_host, &k) == 1;
	}
	return overlaps;
}

/* Returns an array indexed by partition row: true if that partition may compete for nodes with the partition of the
 * record. Sets *any to true if there is such a partition. Returns NULL if out of memory. */
static const bool *list_rival_partitions(fs_explain *x, const struct fsi_queue_record *own, const bool *overlaps,
					 bool *any)
{
	const fs_snapshot *m = x->m;
	bool *rival = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*rival));

	*any = false;
	for (uint32_t i = 0; rival && i < m->partition.n; i++) {
		rival[i] = i != own->partition && (overlaps[i] || !fsi_explain_has_node_list(m, i));
		*any |= rival[i];
	}
	return rival;
}

static void count_rival_records(const fs_explain *x, uint32_t end, const bool *rival, bool *seen,
				struct fs_explain_rival *v)
{
	const fs_queue *q = x->from.queue;

	for (uint32_t i = 0; i < end; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];

		if (r->partition == FSI_NO_INDEX || !rival[r->partition] || !r->eligible || seen[r->job] ||
		    !fsi_viewer_may_see_job(&x->viewer, &x->m->job.v[r->job]))
			continue;
		seen[r->job] = true;
		v[r->partition].entries++;
		v[r->partition].jobs += r->tasks.n;
	}
}

/* Sets out->rivals: for each competing partition, the number of its jobs that are ahead of queue record `row`. `seen`,
 * indexed by job row, is true for jobs that are not to be counted; it is set to true for each job that is counted.
 * Returns -1 if out of memory. */
static int fill_rival_partitions(fs_explain *x, uint32_t row, bool *seen, struct fs_explain_ahead *out)
{
	const fs_snapshot *m = x->m;
	const struct fsi_queue_record *own = &x->from.queue->record.v[row];
	const bool *overlaps = find_overlapping_partitions(x, own->partition);
	struct fs_explain_rival *v = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*v));
	bool any;
	const bool *rival = overlaps ? list_rival_partitions(x, own, overlaps, &any) : NULL;

	if (!rival || !v)
		return -1;
	if (any)
		count_rival_records(x, row, rival, seen, v);
	for (uint32_t i = 0; i < m->partition.n; i++)
		if (v[i].entries) {
			v[i].partition = fsi_name_text(m, m->partition.v[i].name);
			v[i].certain = overlaps[i];
			v[i].tier = FSI_HAS(&m->partition.v[i], PARTITION, tier) ? m->partition.v[i].tier : FS_UNKNOWN;
			v[out->nrivals++] = v[i];
		}
	out->rivals = v;
	return 0;
}

/* ---- jobs ahead in the same scheduling order */

struct ahead_counter {
	fs_explain *x;
	struct group_table groups;
	const struct fs_explain_sum *own;
	uint32_t gpu; /* name id of the TRES "gres/gpu"; 0: GPUs are no TRES of the cluster */
	size_t nterms;
	bool *seen; /* indexed by job row: true for the explained job and for each job already counted as ahead */
};

/* ---- a queue record that is ahead of the explained job */

struct ahead_entry {
	const struct fsi_queue_record *record;
	enum fs_queue_key key;
	/* priority terms of `record`. NULL: the priority is not the sort key by which `record` is ahead, or the terms
	 * of the two jobs cannot be compared */
	const struct fs_prio_term *terms;
	bool passed, direct;
	int64_t cpus, gpus;
	double cpu_hours;
};

static double compute_cpu_hours(const struct fsi_job *j, int64_t cpus)
{
	const double hour_s = 3600;

	if (FSI_SPECIAL(j, JOB, time_limit_s))
		return INFINITY;
	return FSI_HAS(j, JOB, time_limit_s) && FSI_HAS(j, JOB, cpus)
		       ? (double)cpus * (double)j->time_limit_s / hour_s
		       : (double)NAN;
}

static void add_term_differences(const struct ahead_counter *c, struct job_group *g, const struct fs_prio_term *terms)
{
	for (size_t t = 0; t < c->nterms; t++) {
		const double v = terms[t].value;

		g->points[t] += terms[t].points - c->own->terms[t].points;
		g->lowest[t] = g->compared && g->lowest[t] < v ? g->lowest[t] : v;
		g->highest[t] = g->compared && g->highest[t] > v ? g->highest[t] : v;
	}
	g->compared++;
}

static void add_entry_to_group(const struct ahead_counter *c, struct job_group *g, const struct ahead_entry *e)
{
	g->g.entries++;
	g->g.jobs += e->record->tasks.n;
	g->g.cpus = g->g.cpus == FS_UNKNOWN || e->cpus == FS_UNKNOWN ? FS_UNKNOWN : g->g.cpus + e->cpus;
	g->g.gpus += e->gpus;
	g->g.cpu_hours += e->cpu_hours;
	g->g.by[e->key]++;
	g->g.passed += e->passed;
	g->g.direct += e->direct;
	if (e->terms)
		add_term_differences(c, g, e->terms);
}

/* Returns true if the explained job overtakes the other job by waiting. Both jobs gain points for age at the same rate,
 * up to the same maximum. Once both jobs have that maximum, the other terms of their sums decide which job is ahead.
 * `other_age`: points for age that the other job has now. */
static bool is_passed_by_waiting(const struct ahead_counter *c, const struct fs_prio_row *other, double other_age)
{
	const struct fs_explain_sum *own = c->own;

	for (size_t t = 0; t < c->nterms; t++)
		if (own->terms[t].factor == FS_FACTOR_AGE)
			return own->inputs[t].since != FS_UNKNOWN && own->terms[t].weight > 0 &&
			       own->sum - own->terms[t].points > other->sum - other_age;
	return false;
}

/* Sets *row to the computed priority of the record's job in the record's partition and QOS. Returns false if there is
 * none. */
static bool find_record_priority(const fs_explain *x, const struct fsi_queue_record *r, struct fs_prio_row *row)
{
	size_t first;
	const size_t n = find_priority_rows(x, r->job, &first);

	for (size_t k = first; k < first + n; k++)
		if (x->from.prios->row.v[k].partition_name == r->partition_name &&
		    x->from.prios->row.v[k].qos == r->qos) {
			fs_prios_brief(x->from.prios, k, row);
			return true;
		}
	return false;
}

/* Compares the priority sum of e->record with that of the explained job. Sets e->direct, e->passed and e->terms. `row`:
 * scratch memory to which e->terms points after the call. */
static void compare_entry_sums(const struct ahead_counter *c, struct ahead_entry *e, struct fs_prio_row *row)
{
	if (e->key != FS_QUEUE_KEY_PRIORITY || !find_record_priority(c->x, e->record, row))
		return;
	e->direct = row->set_directly;
	if (row->set_directly || c->own->direct || isnan(row->sum) || isnan(c->own->sum))
		return;
	e->terms = row->terms;
	for (size_t t = 0; t < c->nterms; t++)
		if (row->terms[t].factor == FS_FACTOR_AGE)
			e->passed = is_passed_by_waiting(c, row, row->terms[t].points);
}

static int count_one_entry(struct ahead_counter *c, uint32_t i, struct fs_explain_ahead *out)
{
	fs_explain *x = c->x;
	const struct fsi_queue_record *r = &x->from.queue->record.v[i];
	const struct fsi_job *j = &x->m->job.v[r->job];
	const int64_t tasks = (int64_t)r->tasks.n;
	struct ahead_entry e = { .record = r, .key = fs_queue_deciding_key(x->from.queue, i, c->own->queue_row) };
	struct fs_prio_row row;
	uint32_t at = find_job_group(&c->groups, j);

	if (at == FSI_NO_INDEX)
		return -1;
	e.cpus = FSI_HAS(j, JOB, cpus) ? j->cpus * tasks : FS_UNKNOWN;
	e.gpus = c->gpu ? fsi_amount_of_tres(x->m, j->tres_req, c->gpu) * tasks : 0;
	e.cpu_hours = compute_cpu_hours(j, e.cpus);
	compare_entry_sums(c, &e, &row);
	for (; at; at = c->groups.group.v[at].parent)
		add_entry_to_group(c, &c->groups.group.v[at], &e);
	add_entry_to_group(c, &c->groups.group.v[0], &e);
	out->own_entries += j->user == c->groups.own_user;
	return 0;
}

/* Returns the index of the record directly ahead of record i in its scheduling order; FS_NO_ROW: none. If each
 * partition has its own scheduling order, returns the closest eligible record ahead. If there is one order for all
 * partitions, the returned record may be ineligible. */
static uint32_t get_record_ahead(const fs_queue *q, uint32_t i)
{
	return !q->m->scheduler->has_single_order ? q->record.v[i].rank.before : i ? i - 1 : FS_NO_ROW;
}

/* Returns the indices of the records that are ahead of `row` in its scheduling order. The first record of that order
 * comes first. Sets *n to the number of indices. `storage`: array with space for `row` + 1 indices. */
static const uint32_t *list_records_ahead(const fs_queue *q, uint32_t row, uint32_t *storage, size_t *n)
{
	uint32_t k = row;

	for (uint32_t i = get_record_ahead(q, row); i != FS_NO_ROW; i = get_record_ahead(q, i))
		storage[--k] = i;
	*n = row - k;
	return storage + k;
}

static int count_records_ahead(struct ahead_counter *c, const uint32_t *records, size_t n, struct fs_explain_ahead *out)
{
	const fs_queue *q = c->x->from.queue;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_queue_record *r = &q->record.v[records[i]];

		if (c->seen[r->job] || !r->eligible)
			continue;
		c->seen[r->job] = true;
		if (!fsi_viewer_may_see_job(&c->x->viewer, &c->x->m->job.v[r->job])) {
			out->unseen++;
			continue;
		}
		out->next = records[i];
		if (count_one_entry(c, records[i], out))
			return -1;
	}
	return 0;
}

static int count_all_ahead(struct ahead_counter *c, struct fs_explain_ahead *out)
{
	const fs_queue *q = c->x->from.queue;
	const uint32_t row = c->own->queue_row;
	uint32_t *storage = malloc(((size_t)row + 1) * sizeof(*storage));
	size_t n;
	int rc = -1;

	c->seen[q->record.v[row].job] = true;
	out->next = FSI_NO_INDEX;
	if (storage && !add_top_group(&c->groups)) {
		const uint32_t *records = list_records_ahead(q, row, storage, &n);

		rc = count_records_ahead(c, records, n, out);
	}
	free(storage);
	return rc || publish_group_results(&c->groups, out) || fill_rival_partitions(c->x, row, c->seen, out) ? -1 : 0;
}

/* Sets out->ahead to the jobs ahead of out->sums[0] in the scheduling order. If `heads` is true, groups the jobs only
 * by account (fs_explain_job_heads). Returns -1 if out of memory. */
static int fill_jobs_ahead(fs_explain *x, struct fs_explain_job *out, bool heads)
{
	struct ahead_counter c = { .x = x,
				   .own = out->sums,
				   .groups = { .x = x, .own = out->sums, .accounts_only = heads } };
	int rc;

	out->ahead.next = FSI_NO_INDEX;
	out->ahead.gain = NAN;
	if (!out->nsums || !out->sums[0].position)
		return 0;
	c.groups.own_user = x->m->job.v[out->job_row].user;
	c.gpu = fsi_name_find(x->m, "gres/gpu");
	c.nterms = c.groups.nterms = c.own->nterms;
	c.seen = calloc(x->m->job.n + 1, sizeof(*c.seen));
	rc = c.seen ? count_all_ahead(&c, &out->ahead) : -1;
	if (!rc && x->m->scheduler->explain->explain_waiting)
		x->m->scheduler->explain->explain_waiting(x, out, &out->ahead);
	release_group_table(&c.groups);
	free(c.seen);
	return rc;
}

/* ---- fs_explain_job */

static enum fs_explain_state verdict_to_state(enum fs_verdict_kind kind)
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

static enum fs_explain_state get_job_state(const fs_explain *x, const struct fs_explain_job *j)
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
	return verdict_to_state(j->verdict.kind);
}

/* Sets limits and obstacles of *out, and the verdict that follows from them. Returns -1 if out of memory. */
static int fill_limits_and_verdict(fs_explain *x, struct fs_explain_job *out)
{
	const struct fsi_limits_context from = { .m = x->m,
						 .viewer = &x->viewer,
						 .usage = x->from.shares ? x->from.shares->usage : NULL,
						 .arena = &x->arena };
	const struct fsi_queue_scheduler *s = x->m->scheduler->queue;
	const bool has_blockers = s && s->block_records;
	struct fsi_blockers b = { .job_row = out->job_row };

	if (has_blockers && fsi_blockers_find(&b, &from, out->job_row, out->reason))
		return -1;
	out->choices = b.choices;
	out->nchoices = b.nchoices;
	out->limits = b.limits;
	out->nlimits = b.nlimits;
	out->obstacles = b.obstacles;
	out->nobstacles = b.nobstacles;
	out->verdict = (struct fs_verdict){ .time = FS_UNKNOWN, .partition = "", .qos = "", .reason_text = "" };
	return x->from.queue ? fsi_verdict_find_for_job(x->from.queue, out->job_row, has_blockers ? &b : NULL,
							&x->arena, &out->verdict)
			     : 0;
}

static void fill_window_credentials(const fs_explain *x, struct fs_explain_job *out)
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
					.share_row = fsi_explain_find_association(x->m, &x->m->job.v[job_row]),
					.ahead = { .next = FSI_NO_INDEX, .gain = NAN } };
	out->section = fsi_explain_get_section(x, job_row, &out->reason);
	out->nholds = x->from.holds ? fs_holds_count(x->from.holds, job_row) : 0;
	fill_window_credentials(x, out);
	out->jobs_missing = fsi_is_type_hidden(x->m, "job");
	out->jobs_hidden = out->jobs_missing || (x->viewer.private_jobs && !x->viewer.sees_everything);
	out->state = get_job_state(x, out);
	if (fill_job_sums(x, out))
		return fsi_fail_no_memory(err);
	if (out->share_row == FSI_NO_INDEX || !x->from.shares)
		return 0;
	return fs_explain_path(x, out->share_row, &out->path, err);
}

static int fill_job_explanation(fs_explain *x, uint32_t job_row, bool heads, struct fs_explain_job *out,
				struct fs_error *err)
{
	const int rc = fs_explain_job_brief(x, job_row, out, err);

	if (rc)
		return rc;
	if (fill_jobs_ahead(x, out, heads))
		return fsi_fail_no_memory(err);
	if (fill_limits_and_verdict(x, out))
		return fsi_fail_no_memory(err);
	out->has_accrue = x->from.accrue != NULL;
	if (out->has_accrue)
		fs_accrue_job(x->from.accrue, job_row, &out->accrue);
	out->state = get_job_state(x, out);
	return 0;
}

int fs_explain_job(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	return fill_job_explanation(x, job_row, false, out, err);
}

int fs_explain_job_heads(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	return fill_job_explanation(x, job_row, true, out, err);
}

/* ---- Maui: points that a job gains by waiting. The job's queue time and its expansion factor grow while it waits. A
 * QOS may add to the weights of both. The expansion factor of a short job grows faster. */

/* Returns the points per hour that the job gains at present. A term or component that has reached its cap gains
 * nothing. Terms that depend on targets are ignored. */
static double compute_hourly_gain(const fs_prios *p, size_t row, const struct fs_prio_row *r)
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
	return r->set_directly ? 0 : gain;
}

/* Returns true if the sum of the priority terms was neither raised to a minimum nor lowered to a maximum. */
static bool is_within_bounds(const struct fs_prio_row *r)
{
	for (size_t i = 0; i < r->nsteps; i++)
		if (r->steps[i].step == FS_STEP_RAISED || r->steps[i].step == FS_STEP_CUT)
			return false;
	return true;
}

void fsi_explain_add_waiting_jobs(const fs_explain *x, const struct fs_explain_job *job, struct fs_explain_ahead *out)
{
	const fs_prios *p = x->from.prios;
	struct fs_prio_row row;
	size_t own;

	out->gain = NAN;
	if (!p || !p->ngroups || !find_priority_rows(x, job->job_row, &own))
		return;
	fs_prios_row(p, own, &row);
	if (!is_within_bounds(&row))
		return;
	out->gain = compute_hourly_gain(p, own, &row);
	for (size_t i = 0; i < p->row.n; i++) {
		const struct fsi_queue_record *r = fsi_explain_find_record(x, p->row.v[i].job);

		if (!r || !r->rank.overall || r->rank.overall >= job->sums->position ||
		    !fsi_viewer_may_see_job(&x->viewer, &x->m->job.v[r->job]))
			continue;
		fs_prios_row(p, i, &row);
		out->all.passed += !row.set_directly && compute_hourly_gain(p, i, &row) < out->gain;
	}
}

/* ---- comparing two jobs by the first sort key in which they differ, in a scheduling order that contains both jobs */

/* Compares the terms of two jobs. Returns the index of the priority term in which the job ahead has the largest lead in
 * points; FS_NO_ROW if it leads in no term. */
static size_t find_deciding_term(const struct fs_explain_comparison *v, size_t nterms)
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

/* Returns true if an unknown priority hides which job is ahead: if the priority of `a` or `b` is unknown, and the sort
 * key `key` is the priority itself or a key that is compared after the priority. */
static bool is_decided_by_unknown(const fs_queue *q, enum fs_queue_key key, const struct fs_explain_sum *a,
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

static int compare_two_sums(fs_explain *x, const struct fs_explain_sum *a, const struct fs_explain_sum *b,
			    struct fs_explain_comparison *out)
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
	if (is_decided_by_unknown(x->from.queue, out->key, a, b)) {
		out->key = FS_QUEUE_KEY_PRIORITY;
		return 0;
	}
	out->first = a->queue_row < b->queue_row ? -1 : 1;
	if (out->key == FS_QUEUE_KEY_PRIORITY && !a->direct && !b->direct)
		out->term = find_deciding_term(out, a->nterms);
	return 0;
}

/* Finds a priority sum of job a and a priority sum of job b that are in the same scheduling order. Sets out->sum_a and
 * out->sum_b to their indices. Prefers sums whose records are eligible. Returns false if there are no such sums. */
static bool find_common_sums(const fs_explain *x, const struct fs_explain_job *a, const struct fs_explain_job *b,
			     struct fs_explain_comparison *out)
{
	const bool single_order = x->from.queue && fs_queue_has_single_order(x->from.queue);

	for (int eligible = 1; eligible >= 0; eligible--)
		for (size_t i = 0; i < a->nsums; i++)
			for (size_t k = 0; k < b->nsums; k++) {
				const bool both = a->sums[i].position && b->sums[k].position;

				if ((strcmp(a->sums[i].partition, b->sums[k].partition) != 0 &&
				     !single_order) ||
				    (eligible && !both))
					continue;
				out->sum_a = i;
				out->sum_b = k;
				return true;
			}
	return false;
}

static int compare_partition_nodes(fs_explain *x, const char *a, const char *b, struct fs_explain_comparison *out)
{
	const fs_snapshot *m = x->m;
	const struct fsi_partition *p = fsi_partition_find(m, fsi_name_find(m, a));
	const struct fsi_partition *q = fsi_partition_find(m, fsi_name_find(m, b));
	const bool *overlaps;

	if (!p || !q)
		return 0;
	overlaps = find_overlapping_partitions(x, (uint32_t)(p - m->partition.v));
	if (!overlaps)
		return -1;
	out->overlap = overlaps[q - m->partition.v];
	out->nodes_known = fsi_explain_has_node_list(m, (uint32_t)(p - m->partition.v)) &&
			   fsi_explain_has_node_list(m, (uint32_t)(q - m->partition.v));
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
	out->same_order = find_common_sums(x, a, b, out);
	if (!out->same_order) {
		out->sum_a = out->sum_b = 0;
		if (compare_partition_nodes(x, a->sums[0].partition, b->sums[0].partition, out))
			return FS_ENOMEM;
	}
	return compare_two_sums(x, &a->sums[out->sum_a], &b->sums[out->sum_b], out) ? FS_ENOMEM : 0;
}
