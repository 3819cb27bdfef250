#include "priority/priority.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "model/model.h"

#include <stdlib.h>

static int init_priority_context(struct fs_prios *p, const fs_snapshot *m, const struct fs_prios_options *o,
				 struct fs_error *err)
{
	struct fs_usage_info info;

	p->m = m;
	p->compat = o && o->view.compat ? o->view.compat : m->info.version;
	p->now = m->info.time;
	p->last_run = m->info.priority_time;
	if (o && o->view.usage) {
		fs_usage_info(o->view.usage, &info);
		p->now = info.at;
		p->last_run = info.at == m->info.time ? p->last_run : info.last_run;
	}
	p->scheduler = m->scheduler->prio;
	if (!p->scheduler)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: priorities are not modelled for scheduler \"%s\"",
					  m->file, m->info.scheduler);
	p->viewer = fsi_arena_alloc(&p->arena, sizeof(*p->viewer));
	if (!p->viewer)
		return fsi_fail_no_memory(err);
	fsi_viewer_init(p->viewer, m, o ? o->view.viewer : NULL);
	return 0;
}

int fs_prios_compute(fs_prios **out, const fs_snapshot *m, const struct fs_prios_options *options, struct fs_error *err)
{
	return fsi_prios_compute_planned(out, m, options, NULL, err);
}

int fsi_prios_compute_planned(fs_prios **out, const fs_snapshot *m, const struct fs_prios_options *options,
			      const void *planner_state, struct fs_error *err)
{
	struct fs_prios_options own;
	const struct fs_prios_options *o = FSI_OPTIONS(own, options);
	const fs_shares *given = m->association.n ? o->shares : NULL;
	struct fs_prios *p = calloc(1, sizeof(*p));
	struct fs_view full_view = o->view;
	fs_shares *shares = NULL;
	int rc;

	if (!p)
		return fsi_fail_no_memory(err);
	p->planner_state = planner_state;
	full_view.viewer = NULL;
	full_view.compat = 0;
	rc = init_priority_context(p, m, o, err);
	if (!rc && m->association.n && !given)
		rc = fs_shares_compute(&shares, m, &full_view, err);
	if (!rc)
		rc = p->scheduler->compute(p, given ? given : shares, o, err);
	fs_shares_free(shares);
	if (rc) {
		fs_prios_free(p);
		return rc;
	}
	*out = p;
	return 0;
}

void fs_prios_free(fs_prios *p)
{
	if (!p)
		return;
	if (p->scheduler && p->scheduler->release)
		p->scheduler->release(p);
	FSI_VEC_FREE(&p->row);
	free(p->values);
	fsi_arena_release(&p->arena);
	free(p);
}

size_t fs_prios_count(const fs_prios *p)
{
	return p ? p->row.n : 0;
}

size_t fs_prios_find(const fs_prios *p, uint64_t job)
{
	for (size_t i = 0; i < fs_prios_count(p); i++)
		if (p->m->job.v[p->row.v[i].job].id == job)
			return i;
	return FS_NO_ROW;
}

size_t fs_prios_terms(const fs_prios *p)
{
	return p ? p->nterms : 0;
}

const struct fs_prio_term *fs_prios_weights(const fs_prios *p)
{
	return p ? p->weights : NULL;
}

size_t fs_prios_find_term(const fs_prios *p, enum fs_factor factor)
{
	const size_t usual = (size_t)factor; /* Slurm's terms are in the order of enum fs_factor */

	if (usual < fs_prios_terms(p) && p->weights[usual].factor == factor)
		return usual;
	for (size_t t = 0; t < fs_prios_terms(p); t++)
		if (p->weights[t].factor == factor)
			return t;
	return FS_NO_ROW;
}

size_t fs_prios_groups(const fs_prios *p)
{
	return p ? p->ngroups : 0;
}

const struct fs_prio_group *fs_prios_group(const fs_prios *p, size_t i)
{
	return i < fs_prios_groups(p) ? &p->groups[i] : NULL;
}

bool fs_prios_shown_by_qos(const fs_prios *p, size_t term)
{
	return term < fs_prios_terms(p) && p->shown_by_qos && p->shown_by_qos[term];
}

bool fs_prios_brief(const fs_prios *p, size_t i, struct fs_prio_row *row)
{
	if (i >= fs_prios_count(p))
		return false;
	fsi_prio_row_init(row, p->row.v[i].job);
	row->nterms = p->nterms;
	p->scheduler->row(p, i, row);
	row->stored_priority = p->scheduler->max > 0 && row->priority > p->scheduler->max
			    ? p->scheduler->max
			    : row->priority;
	return true;
}

uint32_t fs_prios_job_row(const fs_prios *p, size_t i)
{
	return i < fs_prios_count(p) ? p->row.v[i].job : FS_NO_ROW;
}

static void fill_row_label(const fs_prios *p, const struct fsi_prio_row *r, struct fs_prio_row *row)
{
	const fs_snapshot *m = p->m;
	const struct fsi_job *job = &m->job.v[r->job];

	row->job = job->id;
	row->partition = fsi_name_text(m, r->partition_name);
	row->user = fsi_name_text(m, job->user);
	row->account = fsi_name_text(m, job->account);
	row->qos = fsi_job_lost_qos(m, job) ? "" : fsi_name_text(m, r->qos);
	row->sluid = fsi_name_text(m, job->sluid);
	row->state = fsi_job_state_name(job->state);
	row->name = fsi_name_text(m, job->name);
	row->uid = job->uid;
	row->visible = fsi_viewer_may_see_job(p->viewer, job);
}

bool fs_prios_label(const fs_prios *p, size_t i, struct fs_prio_row *row)
{
	if (i >= fs_prios_count(p))
		return false;
	fsi_prio_row_init(row, p->row.v[i].job);
	row->sum = row->priority = row->stored_priority = NAN;
	fill_row_label(p, &p->row.v[i], row);
	return true;
}

bool fs_prios_row(const fs_prios *p, size_t i, struct fs_prio_row *row)
{
	if (!fs_prios_brief(p, i, row))
		return false;
	fill_row_label(p, &p->row.v[i], row);
	return true;
}

bool fs_prios_inputs(const fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out)
{
	if (i >= fs_prios_count(p) || t >= p->nterms)
		return false;
	*out = (struct fs_prio_inputs){ .rule = FS_INPUTS_NONE, .since = FS_UNKNOWN };
	if (p->scheduler->inputs)
		p->scheduler->inputs(p, i, t, out);
	return true;
}

struct record_key {
	uint64_t job;
	uint32_t row;
};

static int compare_record_keys(const void *x, const void *y)
{
	const struct record_key *a = x, *b = y;
	const int c = (a->job > b->job) - (a->job < b->job);

	return c ? c : (a->row > b->row) - (a->row < b->row);
}

int fsi_prio_recorded_init(struct fsi_prio_recorded *r, const fs_snapshot *m, bool always, struct fsi_arena *arena)
{
	struct record_key *keys;

	*r = (struct fsi_prio_recorded){ .m = m };
	if (!always && !fsi_uses_recorded_values(m))
		return 0;
	keys = malloc((m->recorded.n + 1) * sizeof(*keys));
	r->row = fsi_arena_array(arena, m->recorded.n + 1, sizeof(*r->row));
	if (!keys || !r->row) {
		free(keys);
		return -1;
	}
	for (uint32_t i = 0; i < m->recorded.n; i++)
		if (FSI_HAS(&m->recorded.v[i], RECORDED, job))
			keys[r->n++] = (struct record_key){ m->recorded.v[i].job, i };
	qsort(keys, r->n, sizeof(*keys), compare_record_keys);
	for (size_t i = 0; i < r->n; i++)
		r->row[i] = keys[i].row;
	free(keys);
	return 0;
}

const struct fsi_recorded *fsi_prio_recorded_find(const struct fsi_prio_recorded *r, uint64_t job,
						  uint32_t partition, uint32_t qos)
{
	size_t lo = 0, hi = r->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (r->m->recorded.v[r->row[mid]].job < job)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < r->n && r->m->recorded.v[r->row[lo]].job == job; lo++) {
		const struct fsi_recorded *x = &r->m->recorded.v[r->row[lo]];

		if (x->partition == partition && (!FSI_HAS(x, RECORDED, qos) || x->qos == qos))
			return x;
	}
	return NULL;
}

#define PRINTED(r, field) (FSI_HAS(r, RECORDED, field) ? (double)(r)->field : (double)NAN)

double fsi_prio_recorded_factor(const fs_snapshot *m, const struct fsi_recorded *r,
				enum fs_factor factor, uint32_t tres, double weight)
{
	switch (factor) {
	case FS_FACTOR_AGE:
		return PRINTED(r, norm_age);
	case FS_FACTOR_ASSOC:
		return PRINTED(r, norm_assoc);
	case FS_FACTOR_FAIRSHARE:
		return PRINTED(r, norm_fairshare);
	case FS_FACTOR_JOBSIZE:
		return PRINTED(r, norm_jobsize);
	case FS_FACTOR_PARTITION:
		return PRINTED(r, norm_partition);
	case FS_FACTOR_QOS:
		return PRINTED(r, norm_qos);
	case FS_FACTOR_TRES:
		return FSI_HAS(r, RECORDED, tres) ? (double)fsi_amount_of_tres(m, r->tres, tres) / weight : (double)NAN;
	case FS_FACTOR_SITE:
		return PRINTED(r, site);
	case FS_FACTOR_NICE:
		return PRINTED(r, nice);
	default:
		return NAN;
	}
}

double fsi_prio_recorded_points(const struct fsi_recorded *r, enum fs_factor factor)
{
	switch (factor) {
	case FS_FACTOR_AGE:
		return PRINTED(r, age);
	case FS_FACTOR_ASSOC:
		return PRINTED(r, assoc);
	case FS_FACTOR_FAIRSHARE:
		return PRINTED(r, fairshare);
	case FS_FACTOR_JOBSIZE:
		return PRINTED(r, jobsize);
	case FS_FACTOR_PARTITION:
		return PRINTED(r, partition_points);
	case FS_FACTOR_QOS:
		return PRINTED(r, qos_points);
	default:
		return NAN;
	}
}

/* ---- priority rows of a job */

static int reserve_row_values(struct fs_prios *p)
{
	if (p->row.n * p->nvalues > p->values_cap) {
		const size_t want = p->row.cap * p->nvalues;
		double *v = realloc(p->values, want * sizeof(*v));

		if (!v)
			return -1;
		p->values = v;
		p->values_cap = want;
	}
	return 0;
}

bool fsi_prio_is_job_requested(const struct fs_prios_options *o, uint32_t i)
{
	return !o || !o->jobs || bsearch(&i, o->jobs, o->njobs, sizeof(i), fsi_compare_rising_u32);
}

int fsi_prio_add_rows(struct fs_prios *p, uint32_t i)
{
	static const uint32_t none[1] = { 0 };
	const struct fsi_job *job = &p->m->job.v[i];
	size_t parts, qoses;
	const uint32_t *part = fsi_list_items(
		p->m, FSI_HAS(job, JOB, row_order) ? fsi_job_ext(p->m, job)->row_order : job->partitions, &parts);
	const uint32_t *qos = fsi_list_items(p->m, job->qos, &qoses);

	if (!parts)
		part = none;
	if (!qoses)
		qos = none;
	for (size_t a = 0; a < (parts ? parts : 1); a++)
		for (size_t b = 0; b < (qoses ? qoses : 1); b++) {
			if (FSI_VEC_RESERVE(&p->row))
				return -1;
			p->row.v[p->row.n++] =
				(struct fsi_prio_row){ i, fsi_partition_row(p->m, fsi_partition_find(p->m, part[a])),
						       qos[b], part[a] };
		}
	return reserve_row_values(p);
}

/* ---- scheduling orders
 *
 * Jobs compete in one order if their partitions have the same tier and share nodes, directly or through other
 * partitions. Jobs in partitions of different tiers are ordered by tier. (sort_job_queue2 in
 * src/slurmctld/job_scheduler.c compares the tier before the priority. The main loop and backfill allocate nodes in
 * that order.) If the scheduler has a single order for all jobs, as Maui has, all rows are in one scheduling order. */

static uint32_t find_order_root(uint32_t *order, uint32_t i)
{
	while (order[i] != i)
		i = order[i] = order[order[i]];
	return i;
}

/* Merges the scheduling orders of partitions that contain the node and have the same tier. */
static void join_partition_orders(const fs_snapshot *m, const struct fsi_node *node, uint32_t *order)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, node->partitions, &n);

	for (size_t i = 1; i < n; i++) {
		const struct fsi_partition *a = fsi_partition_find(m, names[i]), *b = NULL;

		for (size_t k = 0; a && k < i && !b; k++) {
			b = fsi_partition_find(m, names[k]);
			b = b && b->tier == a->tier ? b : NULL;
		}
		/* the first match is enough: the partitions before names[i] that have the same tier are already in one
		 * scheduling order */
		if (b)
			order[find_order_root(order, fsi_partition_row(m, a))] =
				find_order_root(order, fsi_partition_row(m, b));
	}
}

void fsi_prio_assign_orders(const fs_snapshot *m, uint32_t *order)
{
	for (uint32_t i = 0; i < m->partition.n; i++)
		order[i] = i;
	for (size_t i = 0; i < m->node.n; i++)
		if (!i || m->node.v[i].partitions != m->node.v[i - 1].partitions)
			join_partition_orders(m, &m->node.v[i], order);
	for (uint32_t i = 0; i < m->partition.n; i++)
		order[i] = find_order_root(order, i);
}

uint64_t fsi_prio_order_of_row(const fs_snapshot *m, const uint32_t *order, const struct fsi_prio_row *row)
{
	const uint64_t unknown = UINT64_C(1) << 32;

	if (m->scheduler->has_single_order)
		return 0;
	return row->partition == FSI_NO_INDEX ? unknown + row->partition_name : order[row->partition];
}

void fsi_prio_row_init(struct fs_prio_row *row, uint32_t job_row)
{
	memset(row, 0, offsetof(struct fs_prio_row, terms));
	row->job_row = job_row;
	row->urgency = row->norm_priority = NAN;
}

double fsi_prio_record_step(struct fs_prio_row *row, enum fs_step step, double before, double after)
{
	if (before != after && !isnan(before))
		row->steps[row->nsteps++] = (struct fs_prio_step){ step, after };
	return after;
}
