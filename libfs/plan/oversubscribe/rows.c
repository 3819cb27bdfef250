/* The rows of a partition whose CPUs are given out more than once (select/cons_common/job_resources.c:
 * job_res_add_job, job_res_rm_job; part_data.c: part_data_build_row_bitmaps, part_data_sort_res; from 24.11 the same
 * functions of select/cons_tres).
 *
 * A job that starts gets into the first row in which nobody has one of its CPUs. When one of the partition ends, all
 * rows are made anew: the jobs that are left by their first CPU, with the fewest first, each in the first row, and
 * after each the fullest row comes first. That is so of those that end before the time looked at too. Without
 * preempt/qos each try that comes to them sorts the controller's own rows (job_test.c: _job_test), so that they are
 * sorted at each start. */
#include "plan/oversubscribe/steps.h"

#include "plan/bits.h"
#include "plan/oversubscribe/cores.h"

#include <string.h>

/* A job in the rows. */
struct in_row {
	const struct fsi_plan_end *end;
	uint32_t core; /* its first CPU, on its first node */
	int64_t cpus, start;
	bool added; /* since rows were last made anew */
};

static const struct fsi_plan_alloc *hold_of(const struct fsi_plan_node *n, uint32_t job)
{
	for (size_t i = 0; i < n->hold.n; i++)
		if (n->hold.v[i].job == job)
			return &n->hold.v[i];
	return NULL;
}

static uint32_t first_core(const struct fsi_plan_alloc *h, uint32_t words)
{
	FSI_BITS_EACH(i, h->cores, words)
	return i;
	return 0;
}

static int64_t start_of(const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING ? INT64_MAX : j->start_time;
}

/* Gathers the jobs that are there; is one of the partition gone? */
static uint32_t gather(const struct fsi_steps *t, struct in_row *v, bool *gone)
{
	const struct fsi_plan_cluster *c = &t->p->c;
	uint32_t n = 0;

	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end *e = &c->end.v[i];
		const struct fsi_plan_alloc *h = e->n ? hold_of(&c->node[e->node[0]], e->job) : NULL;

		t->p->looks += 1 + e->n;
		if (!h || h->partition != t->q->partition)
			continue;
		*gone = *gone || !fsi_steps_there(t, h);
		if (!fsi_steps_there(t, h))
			continue;
		v[n] = (struct in_row){ e, first_core(h, fsi_cores_words(c, e->node[0])), 0,
					start_of(&c->m->job.v[e->job]), false };
		for (uint32_t k = 0; k < e->n; k++) {
			h = hold_of(&c->node[e->node[k]], e->job);
			v[n].cpus += h ? h->amount[FSI_RES_CPU] : 0;
		}
		n++;
	}
	return n;
}

/* Jobs that were there when rows were last made go by their first CPU, then the others as they were added. */
static int by_place(const void *x, const void *y, const void *ctx)
{
	const struct in_row *a = x, *b = y;

	(void)ctx;
	if (a->added != b->added)
		return a->added ? 1 : -1;
	if (a->added && a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->added)
		return (a->end->id > b->end->id) - (a->end->id < b->end->id);
	if (a->end->node[0] != b->end->node[0])
		return a->end->node[0] < b->end->node[0] ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return (a->cpus > b->cpus) - (a->cpus < b->cpus);
}

static bool fits_in(const struct fsi_steps *t, const struct in_row *j, uint64_t *row)
{
	const struct fsi_plan_cluster *c = &t->p->c;

	for (uint32_t k = 0; k < j->end->n; k++) {
		const uint32_t i = j->end->node[k];
		const struct fsi_plan_alloc *h = hold_of(&c->node[i], j->end->job);

		if (h && fsi_bits_meet(fsi_cores_on(c, row, i), h->cores, fsi_cores_words(c, i)))
			return false;
	}
	return true;
}

static void put_in(const struct fsi_steps *t, const struct in_row *j, struct fsi_plan_core_row *row)
{
	const struct fsi_plan_cluster *c = &t->p->c;

	for (uint32_t k = 0; k < j->end->n; k++) {
		const uint32_t i = j->end->node[k];
		const struct fsi_plan_alloc *h = hold_of(&c->node[i], j->end->job);

		if (h)
			fsi_cores_add(fsi_cores_on(c, row->set, i), h->cores, fsi_cores_words(c, i));
	}
	row->count += j->cpus;
}

static void sort_rows(struct fsi_plan_core_row *row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			if (row[k].count > row[i].count) {
				const struct fsi_plan_core_row r = row[i];

				row[i] = row[k];
				row[k] = r;
			}
}

/* A job that fits into no row is left out: it must be in one, but which is not known. */
static void put_in_first(const struct fsi_steps *t, const struct in_row *j, uint32_t n)
{
	struct fsi_plan_core_row *row = t->p->steps.row;
	uint32_t r = 0;

	while (r < n && !fits_in(t, j, row[r].set))
		r++;
	if (r < n)
		put_in(t, j, &row[r]);
	if (!j->added || !t->p->steps.extra)
		sort_rows(row, n);
}

bool fsi_steps_make_rows(const struct fsi_steps *t, uint32_t n)
{
	struct fsi_plan_core_row *row = t->p->steps.row;
	struct in_row *v = fsi_arena_array(&t->p->scratch, t->p->c.end.n + 1, sizeof(*v));
	bool gone = false;
	const uint32_t jobs = v ? gather(t, v, &gone) : 0;

	for (uint32_t r = 0; r < n; r++) {
		fsi_steps_clear(t, row[r].set);
		row[r].count = 0;
	}
	for (uint32_t k = 0; k < jobs; k++)
		v[k].added = !gone && v[k].start > t->p->steps.last_end[t->q->partition];
	if (!v || fs_sort(v, jobs, sizeof(*v), by_place, NULL))
		return false;
	for (uint32_t k = 0; k < jobs; k++)
		put_in_first(t, &v[k], n);
	return true;
}

void fsi_steps_clear(const struct fsi_steps *t, uint64_t *set)
{
	memset(set, 0, t->p->c.core_at[t->p->c.nnodes] * sizeof(*set));
}

/* ---- what ended before */

static void note_end(struct fs_plan *p, uint32_t name, int64_t end)
{
	const struct fsi_partition *part = fsi_partition_find(p->c.m, name);
	int64_t *last = part ? &p->steps.last_end[part - p->c.m->partition.v] : NULL;

	if (last && end <= p->c.now && end > *last)
		*last = end;
}

int fsi_steps_note_ends(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;

	p->steps.last_end = fsi_arena_array(&p->c.arena, m->partition.n + 1, sizeof(*p->steps.last_end));
	if (!p->steps.last_end)
		return -1;
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		size_t n;
		const uint32_t *part = fsi_list(m, j->partitions, &n);

		if (n && j->state != FSI_STATE_PENDING && FSI_HAS(j, JOB, end_time))
			note_end(p, part[0], j->end_time);
	}
	for (size_t i = 0; i < m->usage.n; i++)
		if (m->usage.v[i].partition && FSI_HAS(&m->usage.v[i], USAGE, end_time))
			note_end(p, m->usage.v[i].partition, m->usage.v[i].end_time);
	return 0;
}
