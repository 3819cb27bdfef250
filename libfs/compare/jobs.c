/* Pending jobs of two states, matched by id, partition and QOS. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct record {
	struct fs_queue_row row;
	size_t place; /* in the queue */
	bool taken;
};

struct start {
	uint64_t job;
	int64_t time;
};

struct list {
	struct record *record;
	struct start *start;
	size_t n, nstarts;
};

static int by_record(const void *x, const void *y)
{
	const struct record *a = x, *b = y;

	if (a->row.job != b->row.job)
		return a->row.job < b->row.job ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static int by_job(const void *x, const void *y)
{
	const struct start *a = x, *b = y;

	return (a->job > b->job) - (a->job < b->job);
}

static int list_starts(struct list *l, const fs_plan *p)
{
	struct fs_plan_row row;

	l->start = p ? malloc((fs_plan_count(p) + 1) * sizeof(*l->start)) : NULL;
	for (size_t i = 0; l->start && i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		l->start[l->nstarts++] = (struct start){ row.job, row.start_time };
	}
	if (l->start)
		qsort(l->start, l->nstarts, sizeof(*l->start), by_job);
	return !p || l->start ? 0 : -1;
}

static int list_records(struct list *l, const struct fs_compared *side)
{
	const fs_queue *q = side->eval->queue;
	const size_t n = q ? fs_queue_count(q) : 0;

	l->record = malloc((n + 1) * sizeof(*l->record));
	if (!l->record)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct record *r = &l->record[l->n];

		*r = (struct record){ .place = i };
		fs_queue_row(q, i, &r->row);
		l->n += r->row.visible;
	}
	qsort(l->record, l->n, sizeof(*l->record), by_record);
	return list_starts(l, side->plan);
}

static int64_t start_of(const struct list *l, uint64_t job)
{
	const struct start key = { job, 0 };
	const struct start *s = l->nstarts ? bsearch(&key, l->start, l->nstarts, sizeof(key), by_job) : NULL;

	return s ? s->time : FS_UNKNOWN;
}

static size_t same_job(const struct list *l, size_t i)
{
	size_t end = i;

	while (end < l->n && l->record[end].row.job == l->record[i].row.job)
		end++;
	return end;
}

static bool runs(const struct fs_eval *e, uint64_t job)
{
	size_t lo = 0, hi = fs_snapshot_info(e->snapshot)->jobs;
	const size_t n = hi;
	struct fs_job j;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		fs_snapshot_job(e->snapshot, mid, &j);
		if (j.id < job)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == n)
		return false;
	fs_snapshot_job(e->snapshot, lo, &j);
	return j.id == job && fs_job_runs(e->snapshot, lo);
}

static void fill(struct fs_compared_job *out, const struct record *r, int side)
{
	out->partition[side] = r->row.partition;
	out->qos[side] = r->row.qos;
	out->priority[side] = r->row.priority;
	out->position[side] = r->row.position;
	out->partition_position[side] = r->row.partition_position;
}

/* a or b NULL: it stands on one side alone. */
static struct fs_compared_job as_row(const struct record *a, const struct record *b)
{
	const struct record *r = b ? b : a;
	struct fs_compared_job out = { .job = r->row.job,
				       .partition = { "", "" },
				       .qos = { "", "" },
				       .user = r->row.user,
				       .account = r->row.account,
				       .priority = { NAN, NAN },
				       .start_time = { FS_UNKNOWN, FS_UNKNOWN },
				       .sum_change = NAN,
				       .rest_change = NAN };

	if (a)
		fill(&out, a, FS_BEFORE);
	if (b)
		fill(&out, b, FS_AFTER);
	return out;
}

static int put(struct fs_comparison *c, const struct fs_compared_job *row)
{
	if (FSI_VEC_ROOM(&c->job))
		return -1;
	c->job.v[c->job.n++] = *row;
	return 0;
}

static bool differs(const struct fs_compared_job *r)
{
	return strcmp(r->partition[0], r->partition[1]) != 0 || strcmp(r->qos[0], r->qos[1]) != 0 ||
	       !fsi_same_number(r->priority[0], r->priority[1]) || r->position[0] != r->position[1] ||
	       r->partition_position[0] != r->partition_position[1] || r->start_time[0] != r->start_time[1];
}

struct pass {
	struct fs_comparison *c;
	struct list l[2];
};

static int put_pair(struct pass *p, const struct record *a, const struct record *b, bool first)
{
	struct fs_compared_job row = as_row(a, b);
	const uint32_t job_row[2] = { a->row.job_row, b->row.job_row };

	p->c->pending++;
	for (int k = 0; k < 2 && first; k++)
		row.start_time[k] = start_of(&p->l[k], row.job);
	if (fsi_compare_terms(p->c, job_row, &row))
		return -1;
	return differs(&row) ? put(p->c, &row) : 0;
}

static int put_single(struct pass *p, const struct record *r, int side, bool first, bool job_stays)
{
	struct fs_compared_job row = side == FS_BEFORE ? as_row(r, NULL) : as_row(NULL, r);

	if (first)
		row.start_time[side] = start_of(&p->l[side], row.job);
	if (job_stays)
		row.fate = FS_FATE_PENDING;
	else if (side == FS_AFTER)
		row.fate = FS_FATE_NEW;
	else
		row.fate = runs(p->c->side[FS_AFTER].eval, row.job) ? FS_FATE_STARTED : FS_FATE_GONE;
	return put(p->c, &row);
}

static bool same_record(const struct record *a, const struct record *b)
{
	return !strcmp(a->row.partition, b->row.partition) && !strcmp(a->row.qos, b->row.qos);
}

/* Of [k, kend) the record like a, else, unless it must be alike, the first that is left; kend if there is none. */
static size_t mate(const struct record *a, const struct record *b, size_t k, size_t kend, bool alike)
{
	while (k < kend && (b[k].taken || (alike && !same_record(a, &b[k]))))
		k++;
	return k;
}

static int pair_up(struct pass *p, size_t i, size_t iend, size_t k, size_t kend, bool alike)
{
	struct record *a = p->l[0].record, *b = p->l[1].record;

	for (size_t x = i; x < iend; x++) {
		const size_t y = a[x].taken ? kend : mate(&a[x], b, k, kend, alike);

		if (y == kend)
			continue;
		a[x].taken = b[y].taken = true;
		if (put_pair(p, &a[x], &b[y], x == i))
			return -1;
	}
	return 0;
}

/* The rows of one job. */
static int put_job(struct pass *p, size_t i, size_t iend, size_t k, size_t kend)
{
	const struct record *a = p->l[0].record, *b = p->l[1].record;
	const bool both = i < iend && k < kend;

	if (pair_up(p, i, iend, k, kend, true) || pair_up(p, i, iend, k, kend, false))
		return -1;
	for (size_t x = i; x < iend; x++)
		if (!a[x].taken && put_single(p, &a[x], FS_BEFORE, x == i, both))
			return -1;
	for (size_t y = k; y < kend; y++)
		if (!b[y].taken && put_single(p, &b[y], FS_AFTER, y == k, both))
			return -1;
	return 0;
}

static int merge(struct pass *p)
{
	const struct list *a = &p->l[0], *b = &p->l[1];
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		const bool left = i < a->n && (k == b->n || a->record[i].row.job <= b->record[k].row.job),
			   right = k < b->n && (i == a->n || b->record[k].row.job <= a->record[i].row.job);
		const size_t iend = left ? same_job(a, i) : i, kend = right ? same_job(b, k) : k;

		if (put_job(p, i, iend, k, kend))
			return -1;
		i = iend;
		k = kend;
	}
	return 0;
}

static double priority_change(const struct fs_compared_job *r)
{
	const double d = fabs(r->priority[1] - r->priority[0]);

	return isnan(d) ? 0 : d;
}

static uint32_t place_change(const struct fs_compared_job *r)
{
	const uint32_t a = r->partition_position[0], b = r->partition_position[1];

	return a > b ? a - b : b - a;
}

static int by_change(const void *x, const void *y)
{
	const struct fs_compared_job *a = x, *b = y;
	const double p = priority_change(a), q = priority_change(b);

	if (a->fate != b->fate)
		return a->fate < b->fate ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	if (place_change(a) != place_change(b))
		return place_change(a) > place_change(b) ? -1 : 1;
	if (a->job != b->job)
		return a->job < b->job ? -1 : 1;
	return strcmp(a->partition[FS_AFTER], b->partition[FS_AFTER]);
}

int fsi_compare_jobs(struct fs_comparison *c)
{
	struct pass p = { .c = c };
	int rc = list_records(&p.l[0], &c->side[0]) || list_records(&p.l[1], &c->side[1]) ? -1 : merge(&p);

	for (int k = 0; k < 2; k++) {
		free(p.l[k].record);
		free(p.l[k].start);
	}
	if (!rc && c->job.n)
		qsort(c->job.v, c->job.n, sizeof(*c->job.v), by_change);
	return rc;
}
