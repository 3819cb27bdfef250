/* The jobs before one in its partition, by account, user and array, and what puts them there. */
#include "explain/groups.h"

#include <math.h>
#include <stdlib.h>

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
	uint32_t at = fsi_groups_of(&c->in, j);

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

/* What is asked for of the entries that come next is far apart: rows of priorities, jobs, and the groups of users. */
static void fetch_soon(const struct counting *c, const uint32_t *line, size_t n)
{
	enum { GROUP = 3, FAR = 2 * FSI_JOBS_SOON };
	const struct fsi_queue_record *r = c->x->from.queue->record.v;
	const uint32_t *first = c->x->prio_row;

	if (n > FAR && first)
		__builtin_prefetch(&first[r[line[FAR]].job]);
	if (n > FSI_JOBS_SOON) {
		const uint32_t job = r[line[FSI_JOBS_SOON]].job;

		fsi_job_fetch(c->x->m, job);
		if (first && first[job] != FSI_NO_INDEX)
			__builtin_prefetch(&c->x->from.prios->row.v[first[job]]);
	}
	if (n > GROUP)
		fsi_groups_fetch(&c->in, &c->x->m->job.v[r[line[GROUP]].job]);
}

static int count_line(struct counting *c, const uint32_t *line, size_t n, struct fs_explain_ahead *out)
{
	const fs_queue *q = c->x->from.queue;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_queue_record *r = &q->record.v[line[i]];

		fetch_soon(c, line + i, n - i);
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
	if (room && !fsi_groups_begin(&c->in)) {
		const uint32_t *line = line_before(q, row, room, &n);

		rc = count_line(c, line, n, out);
	}
	free(room);
	return rc || fsi_groups_publish(&c->in, out) || fsi_explain_rivals(c->x, row, c->seen, out) ? -1 : 0;
}

int fsi_explain_ahead(fs_explain *x, struct fs_explain_job *out, bool heads)
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
	fsi_groups_release(&c.in);
	free(c.seen);
	return rc;
}
