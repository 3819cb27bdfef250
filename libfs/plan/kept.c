#include "plan/kept.h"

#include "plan/scheduler.h"
#include "plan/state.h"
#include "model/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* Marks of the way that is kept, made once, and of where trials went on from. */
enum { ON_THE_WAY = 8, OF_TRIALS = 4 };

struct mark {
	struct fsi_plan_state state;
	size_t at; /* records done */
	bool used;
};

struct fsi_plan_kept {
	struct fs_plan *p;
	struct fs_plan_options options;
	fs_queue *queue; /* as it was kept; p->queue may be another */
	uint32_t job;
	struct mark way[ON_THE_WAY + 2], trial[OF_TRIALS];
	size_t nway, ntrial, bytes, steps;
};

static bool stepwise(const struct fsi_plan_kept *k)
{
	return k->p->c.m->scheduler->plan->stepwise;
}

/* ---- the queue */

static bool same_record(const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	return a->job == b->job && !memcmp(&a->priority, &b->priority, sizeof(a->priority)) && a->partition == b->partition &&
	       a->partition_name == b->partition_name && a->qos == b->qos && a->preemptor == b->preemptor &&
	       a->tasks == b->tasks && a->section == b->section && a->bar == b->bar && a->tried == b->tried &&
	       a->eligible == b->eligible;
}

/* How many records are the same in both queues, before the first of the job itself. */
static size_t common(const struct fsi_plan_kept *k, const fs_queue *q)
{
	const size_t n = k->queue->record.n < q->record.n ? k->queue->record.n : q->record.n;
	size_t i = 0;

	while (i < n && q->record.v[i].job != k->job && same_record(&k->queue->record.v[i], &q->record.v[i]))
		i++;
	return i;
}

/* Components of a het job wait for each other, wherever they stand. */
static size_t end_of_job(const struct fsi_plan_kept *k, const fs_queue *q)
{
	size_t n = q->record.n;

	if (k->p->c.m->job.v[k->job].het_job_id)
		return n;
	while (n && q->record.v[n - 1].job != k->job)
		n--;
	return n ? n : q->record.n;
}

/* ---- going on */

static int mark(struct fsi_plan_kept *k, struct mark *m, size_t at)
{
	if (m->used)
		fsi_plan_state_release(&m->state);
	m->used = false;
	if (fsi_plan_save(&m->state, k->p))
		return -1;
	m->at = at;
	m->used = true;
	return 0;
}

static int run(struct fsi_plan_kept *k, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++, k->steps++)
		if (fsi_plan_step(k->p, i))
			return -1;
	return 0;
}

/* A mark on the way costs memory; that before the job is worth any. */
static int mark_way(struct fsi_plan_kept *k, size_t at, bool before_job)
{
	const size_t bytes = fsi_plan_state_bytes(k->p);

	if (!before_job && at && k->bytes + bytes > FSI_KEPT_BYTES)
		return 0;
	k->bytes += bytes;
	return mark(k, &k->way[k->nway++], at);
}

static int run_way(struct fsi_plan_kept *k)
{
	const fs_queue *q = k->queue;
	const size_t own = common(k, q), end = end_of_job(k, q), every = own / ON_THE_WAY + 1;

	for (size_t i = 0; i < end; i++)
		if (((i == own || (i < own && i % every == 0)) && mark_way(k, i, i == own)) || run(k, i, i + 1))
			return -1;
	fsi_plan_het_settle(k->p);
	return 0;
}

int fsi_plan_keep(struct fsi_plan_kept **out, const fs_snapshot *m, const struct fs_plan_options *options, uint32_t job,
		  struct fs_error *err)
{
	struct fsi_plan_kept *k = calloc(1, sizeof(*k));
	int rc;

	if (!k)
		return fsi_nomem(err);
	k->options = *options;
	k->job = job;
	rc = fsi_plan_begin(&k->p, m, options, err);
	if (!rc && !stepwise(k)) {
		rc = m->scheduler->plan->run(k->p, err);
	} else if (!rc) {
		k->queue = k->p->queue;
		rc = fsi_plan_setup(k->p) || run_way(k) ? fsi_nomem(err) : 0;
	}
	if (!rc && !k->p->row_of[job])
		rc = fsi_fail(err, FS_ENODATA, "%s: job %llu does not wait", m->file, (unsigned long long)m->job.v[job].id);
	if (rc) {
		fsi_plan_kept_free(k);
		return rc;
	}
	*out = k;
	return 0;
}

/* The mark furthest on that is not behind record c. */
static const struct mark *nearest(const struct fsi_plan_kept *k, size_t c)
{
	const struct mark *best = &k->way[0];

	for (size_t i = 0; i < k->nway; i++)
		if (k->way[i].used && k->way[i].at <= c && k->way[i].at > best->at)
			best = &k->way[i];
	for (size_t i = 0; i < OF_TRIALS; i++)
		if (k->trial[i].used && k->trial[i].at <= c && k->trial[i].at > best->at)
			best = &k->trial[i];
	return best;
}

static int take_queue(struct fsi_plan_kept *k, fs_queue *q)
{
	if (k->p->queue != k->queue)
		fs_queue_free(k->p->queue);
	k->p->queue = q;
	return 0;
}

static int go_on(struct fsi_plan_kept *k, const fs_queue *q)
{
	const size_t c = common(k, q), a_few = 16;
	const struct mark *from = nearest(k, c);
	const size_t at = from->at;

	if (fsi_plan_load(k->p, &from->state) || fsi_plan_reset_row(k->p, k->job) || run(k, at, c) ||
	    (c > at + a_few && mark(k, &k->trial[k->ntrial++ % OF_TRIALS], c)) || run(k, c, end_of_job(k, q)))
		return -1;
	fsi_plan_het_settle(k->p);
	return 0;
}

static int anew(struct fsi_plan_kept *k, struct fs_error *err)
{
	const fs_snapshot *m = k->p->c.m;
	struct fs_plan *p;
	int rc = fsi_plan_begin(&p, m, &k->options, err);

	if (rc)
		return rc;
	fs_plan_free(k->p);
	k->p = p;
	return m->scheduler->plan->run(p, err);
}

int fsi_plan_again(struct fsi_plan_kept *k, struct fs_error *err)
{
	const struct fs_queue_options o = { .view = k->options.view };
	fs_queue *q;
	int rc;

	if (!stepwise(k))
		return anew(k, err);
	rc = fs_queue_compute(&q, k->p->c.m, &o, err);
	if (rc)
		return rc;
	take_queue(k, q);
	return go_on(k, q) ? fsi_nomem(err) : 0;
}

const fs_plan *fsi_plan_kept_plan(const struct fsi_plan_kept *k)
{
	return k->p;
}

size_t fsi_plan_kept_row(const struct fsi_plan_kept *k)
{
	return k->p->row_of[k->job] - 1;
}

size_t fsi_plan_kept_steps(const struct fsi_plan_kept *k)
{
	return k->steps;
}

void fsi_plan_kept_free(struct fsi_plan_kept *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->nway; i++)
		if (k->way[i].used)
			fsi_plan_state_release(&k->way[i].state);
	for (size_t i = 0; i < OF_TRIALS; i++)
		if (k->trial[i].used)
			fsi_plan_state_release(&k->trial[i].state);
	if (k->p && k->p->queue != k->queue)
		fs_queue_free(k->queue);
	fs_plan_free(k->p);
	free(k);
}
