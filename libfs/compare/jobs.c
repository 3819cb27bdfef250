/* Pending jobs of two states, matched by id, partition and QOS. */
#include "compare/compare.h"

#include "base/bytes.h"
#include "plan/plan.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a record stands in the queue; its row is read when its job's turn comes. */
struct place {
	uint32_t job_row;
	uint32_t at; /* in the queue */
};

/* A record of the job at hand. */
struct record {
	struct fs_queue_row row;
	bool taken;
};

struct list {
	const fs_queue *queue;
	const fs_snapshot *snapshot;
	struct place *place;
	const fs_plan *plan; /* NULL: none */
	size_t n;
	FSI_VEC(struct record) record;
};

/* Lists the places of the jobs that may be seen, by rising job and in each job in the order of the queue; `first`
 * has where those of each job begin, moved on by one. */
static void list_places(struct list *l, uint32_t *first, size_t jobs)
{
	struct fs_queue_place p;

	for (size_t i = 0; i < fs_queue_count(l->queue); i++) {
		fs_queue_place(l->queue, i, &p);
		first[p.job_row + 1] += p.visible;
		l->n += p.visible;
	}
	for (size_t i = 0; i < jobs; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < fs_queue_count(l->queue); i++) {
		fs_queue_place(l->queue, i, &p);
		if (p.visible)
			l->place[first[p.job_row]++] = (struct place){ p.job_row, (uint32_t)i };
	}
}

static int list_records(struct list *l, const struct fs_compared *side)
{
	const fs_queue *q = side->eval->queue;
	const size_t n = q ? fs_queue_count(q) : 0, jobs = fs_snapshot_info(side->eval->snapshot)->jobs;
	uint32_t *first = calloc(jobs + 2, sizeof(*first));

	l->queue = q;
	l->snapshot = side->eval->snapshot;
	l->place = malloc((n + 1) * sizeof(*l->place));
	if (q && first && l->place)
		list_places(l, first, jobs);
	free(first);
	l->plan = side->plan;
	return first && l->place ? 0 : -1;
}

/* The records of a job: [i, end) of the places. -1 without memory. */
static int take_job(struct list *l, size_t i, size_t end)
{
	for (size_t k = i + FSI_COMPARED_SOON; k < end + FSI_COMPARED_SOON && k < l->n; k++)
		fsi_fetch(&l->queue->record.v[l->place[k].at], sizeof(*l->queue->record.v));
	for (l->record.n = 0; i < end; i++) {
		if (FSI_VEC_ROOM(&l->record))
			return -1;
		struct record *r = &l->record.v[l->record.n++];

		r->taken = false;
		fs_queue_row(l->queue, l->place[i].at, &r->row);
	}
	return 0;
}

static size_t same_job(const struct list *l, size_t i)
{
	size_t end = i;

	while (end < l->n && l->place[end].job_row == l->place[i].job_row)
		end++;
	return end;
}

static bool runs(const struct fs_eval *e, uint64_t job)
{
	const uint32_t row = fsi_job_row(e->snapshot, job);

	return row != FSI_NO_INDEX && fs_job_runs(e->snapshot, row);
}

static void fill_side(struct fs_compared_job *out, const struct record *r, int side)
{
	out->partition[side] = r->row.partition;
	out->qos[side] = r->row.qos;
	out->priority[side] = r->row.priority;
	out->position[side] = r->row.position;
	out->partition_position[side] = r->row.partition_position;
}

/* The compared row of the two records; a or b is NULL where the job stands on one side alone. */
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
		fill_side(&out, a, FS_BEFORE);
	if (b)
		fill_side(&out, b, FS_AFTER);
	return out;
}

static int add_row(struct fsi_compared_part *p, const struct fs_compared_job *row)
{
	if (FSI_VEC_ROOM(&p->job))
		return -1;
	p->job.v[p->job.n++] = *row;
	return 0;
}

static bool differs(const struct fs_compared_job *r)
{
	return strcmp(r->partition[0], r->partition[1]) != 0 || strcmp(r->qos[0], r->qos[1]) != 0 ||
	       !fsi_same_number(r->priority[0], r->priority[1]) || r->position[0] != r->position[1] ||
	       r->partition_position[0] != r->partition_position[1] || r->start_time[0] != r->start_time[1];
}

struct pass {
	const struct fs_comparison *c;
	struct fsi_compared_part *part;
	struct list l[2]; /* those of the part */
};

static int put_pair(struct pass *p, const struct record *a, const struct record *b, bool first)
{
	struct fs_compared_job row = as_row(a, b);
	const uint32_t job_row[2] = { a->row.job_row, b->row.job_row };

	p->part->pending++;
	for (int k = 0; k < 2 && first; k++)
		row.start_time[k] = fsi_plan_start(p->l[k].plan, job_row[k]);
	if (fsi_compare_terms(p->part, job_row, &row))
		return -1;
	return differs(&row) ? add_row(p->part, &row) : 0;
}

static int put_single(struct pass *p, const struct record *r, int side, bool first, bool job_stays)
{
	struct fs_compared_job row = side == FS_BEFORE ? as_row(r, NULL) : as_row(NULL, r);

	if (first)
		row.start_time[side] = fsi_plan_start(p->l[side].plan, r->row.job_row);
	p->part->pending += job_stays;
	if (job_stays)
		row.fate = FS_FATE_PENDING;
	else if (side == FS_AFTER)
		row.fate = FS_FATE_NEW;
	else
		row.fate = runs(p->c->side[FS_AFTER].eval, row.job) ? FS_FATE_STARTED : FS_FATE_GONE;
	return add_row(p->part, &row);
}

static bool same_record(const struct record *a, const struct record *b)
{
	return !strcmp(a->row.partition, b->row.partition) && !strcmp(a->row.qos, b->row.qos);
}

/* The first record that is left, of those like a in partition and QOS where it must be alike; NULL if there is none. */
static struct record *mate(const struct record *a, struct list *l, bool alike)
{
	for (size_t k = 0; k < l->record.n; k++)
		if (!l->record.v[k].taken && (!alike || same_record(a, &l->record.v[k])))
			return &l->record.v[k];
	return NULL;
}

static int pair_up(struct pass *p, bool alike)
{
	for (size_t i = 0; i < p->l[0].record.n; i++) {
		struct record *a = &p->l[0].record.v[i], *b = a->taken ? NULL : mate(a, &p->l[1], alike);

		if (!b)
			continue;
		a->taken = b->taken = true;
		if (put_pair(p, a, b, i == 0))
			return -1;
	}
	return 0;
}

static int put_left(struct pass *p, int side, bool both)
{
	const struct list *l = &p->l[side];

	for (size_t i = 0; i < l->record.n; i++)
		if (!l->record.v[i].taken && put_single(p, &l->record.v[i], side, i == 0, both))
			return -1;
	return 0;
}

/* The rows of one job. */
static int put_job(struct pass *p)
{
	const bool both = p->l[0].record.n && p->l[1].record.n;

	if (pair_up(p, true) || pair_up(p, false))
		return -1;
	return put_left(p, FS_BEFORE, both) || put_left(p, FS_AFTER, both) ? -1 : 0;
}

/* The id of the job whose records are next, UINT64_MAX where none are left. */
static uint64_t id_at(const struct list *l, size_t i)
{
	return i == l->n ? UINT64_MAX : l->snapshot->job.v[l->place[i].job_row].id;
}

static int merge(struct pass *p)
{
	struct list *a = &p->l[0], *b = &p->l[1];
	uint64_t left = id_at(a, 0), right = id_at(b, 0);
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		const size_t iend = i < a->n && left <= right ? same_job(a, i) : i,
			     kend = k < b->n && right <= left ? same_job(b, k) : k;

		if (take_job(a, i, iend) || take_job(b, k, kend) || put_job(p))
			return -1;
		left = iend > i ? id_at(a, iend) : left;
		right = kend > k ? id_at(b, kend) : right;
		i = iend;
		k = kend;
	}
	return 0;
}

/* ---- by parts */

/* The first place of a job with that id or a higher one. */
static size_t place_from(const struct list *l, uint64_t id)
{
	size_t lo = 0, hi = l->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (id_at(l, mid) < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct work {
	struct fs_comparison *c;
	struct list whole[2];
	bool failed[FSI_COMPARED_PARTS];
};

static void list_side(void *arg, size_t k)
{
	struct work *w = arg;

	w->failed[k] = list_records(&w->whole[k], &w->c->side[k]) != 0;
}

/* Where part i begins, as far as an id can part them: that of every n-th job of the longer list. */
static uint64_t begins(const struct work *w, size_t i)
{
	const struct list *l = &w->whole[w->whole[1].n > w->whole[0].n];

	return i ? id_at(l, l->n / w->c->parts * i) : 0;
}

static void compare_part(void *arg, size_t i)
{
	struct work *w = arg;
	struct pass p = { .c = w->c, .part = &w->c->part[i] };

	p.part->c = w->c;
	for (int k = 0; k < 2; k++) {
		const struct list *l = &w->whole[k];
		const size_t from = place_from(l, begins(w, i)),
			     end = i + 1 < w->c->parts ? place_from(l, begins(w, i + 1)) : l->n;

		p.l[k] = *l;
		p.l[k].place += from;
		p.l[k].n = end - from;
	}
	w->failed[i] = merge(&p) != 0;
	for (int k = 0; k < 2; k++)
		FSI_VEC_FREE(&p.l[k].record);
}

static int compare_parts(struct work *w)
{
	bool failed = false;

	fsi_compare_each(w->c, w->c->parts, compare_part, w);
	for (size_t i = 0; i < w->c->parts; i++)
		failed = failed || w->failed[i];
	return failed ? -1 : 0;
}

int fsi_compare_jobs(struct fs_comparison *c)
{
	struct work w = { .c = c };
	int rc;

	fsi_compare_each(c, 2, list_side, &w);
	rc = w.failed[0] || w.failed[1] ? -1 : compare_parts(&w);
	for (int k = 0; k < 2; k++)
		free(w.whole[k].place);
	return rc ? rc : fsi_compare_order(c);
}
