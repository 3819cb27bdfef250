/* With bf_hetjob_prio the components of a het job stand together in Slurm's queue: to jobs of others each counts with
 * the least, greatest or mean tier and priority of all of them in all their partitions, and as reserved if one is
 * (src/plugins/sched/backfill/backfill.c: _set_hetjob_details; src/slurmctld/job_scheduler.c: sort_job_queue2). */
#include "base/sort.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum mean { NONE, MIN, MAX, AVG };

static enum mean configured(const fs_snapshot *m)
{
	static const char name[] = "bf_hetjob_prio=", *const words[] = { [MIN] = "min", [MAX] = "max", [AVG] = "avg" };
	const char *s = fsi_queue_parameter(m, name);

	for (enum mean i = MIN; s && i <= AVG; i++)
		if (!strncasecmp(s + strlen(name), words[i], strlen(words[i])))
			return i;
	return fsi_queue_parameter(m, "bf_hetjob_immediate") ? MIN : NONE;
}

static uint64_t het_of(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	return fsi_job_rare(q->m, &q->m->job.v[r->job])->het_job_id;
}

static int by_id(const void *x, const void *y, const void *ctx)
{
	const struct fsi_queue_het *a = x, *b = y;

	(void)ctx;
	return (a->id > b->id) - (a->id < b->id);
}

static double joined(enum mean how, double all, double one)
{
	if (how == AVG || isnan(all) || isnan(one))
		return all + one;
	return (how == MIN) == (one < all) ? one : all;
}

static void join(struct fsi_queue_het *h, enum mean how, const struct fsi_queue_het *one)
{
	h->tier = joined(how, h->tier, one->tier);
	h->priority = joined(how, h->priority, one->priority);
	h->reserved |= one->reserved;
	h->n++;
}

static int add_records(struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *r = &q->record.v[i];
		struct fsi_queue_het *h = het_of(q, r) ? FSI_VEC_ADD(&q->het) : NULL;

		if (h)
			*h = (struct fsi_queue_het){ het_of(q, r), r->tier, r->priority, r->reserved, 1 };
		else if (het_of(q, r))
			return -1;
	}
	return fs_sort(q->het.v, q->het.n, sizeof(*q->het.v), by_id, NULL);
}

int fsi_queue_hets(struct fs_queue *q)
{
	const enum mean how = configured(q->m);
	size_t n = 0;

	if (!how)
		return 0;
	if (add_records(q))
		return -1;
	for (size_t i = 0; i < q->het.n; i++)
		if (n && q->het.v[n - 1].id == q->het.v[i].id)
			join(&q->het.v[n - 1], how, &q->het.v[i]);
		else
			q->het.v[n++] = q->het.v[i];
	q->het.n = n;
	for (size_t i = 0; how == AVG && i < n; i++) {
		q->het.v[i].tier = floor(q->het.v[i].tier / q->het.v[i].n);
		q->het.v[i].priority = floor(q->het.v[i].priority / q->het.v[i].n);
	}
	return 0;
}

const struct fsi_queue_het *fsi_queue_het(const struct fs_queue *q, const struct fsi_queue_record *r,
					  const struct fsi_queue_record *beside)
{
	const uint64_t id = q->het.n ? het_of(q, r) : 0;
	size_t lo = 0, hi = q->het.n;

	if (!id || id == het_of(q, beside))
		return NULL;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (q->het.v[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &q->het.v[lo];
}
