/* The sums of a job, one for each partition and QOS, in the order in which the scheduler tries them. */
#include "explain/explain.h"
#include "priority/recorded.h"

#include <math.h>
#include <string.h>

size_t fsi_explain_prio_rows(const fs_explain *x, uint32_t job_row, size_t *first)
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

static double recorded_points(const fs_snapshot *m, const struct fsi_recorded *r,
			      const struct fs_prio_term *t)
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
		for (size_t t = s->groups[g].first; t < s->groups[g].first + s->groups[g].count;
		     t++)
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

int fsi_explain_sums(fs_explain *x, struct fs_explain_job *out)
{
	size_t first, n = fsi_explain_prio_rows(x, out->job_row, &first);
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
