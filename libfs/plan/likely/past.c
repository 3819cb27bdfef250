#include "plan/likely/past.h"

#include <stdlib.h>

struct ran {
	uint32_t user, account, partition;
	int64_t run_s;
};

struct fsi_past {
	struct ran *exact, *wide; /* by user, account, partition and run time; the same without the partition */
	size_t n;
};

static int compare(const void *x, const void *y)
{
	const struct ran *a = x, *b = y;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->account != b->account)
		return a->account < b->account ? -1 : 1;
	if (a->partition != b->partition)
		return a->partition < b->partition ? -1 : 1;
	return (a->run_s > b->run_s) - (a->run_s < b->run_s);
}

struct fsi_past *fsi_past_new(const fs_snapshot *m)
{
	struct fsi_past *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->exact = malloc((m->usage.n + 1) * sizeof(*p->exact));
	p->wide = malloc((m->usage.n + 1) * sizeof(*p->wide));
	if (!p->exact || !p->wide) {
		fsi_past_free(p);
		return NULL;
	}
	for (size_t i = 0; i < m->usage.n; i++) {
		const struct fsi_usage *u = &m->usage.v[i];

		if (!FSI_HAS(u, USAGE, end_time) || u->end_time <= u->start_time)
			continue;
		p->exact[p->n] = (struct ran){ u->user, u->account, u->partition, u->end_time - u->start_time };
		p->wide[p->n] = p->exact[p->n];
		p->wide[p->n++].partition = 0;
	}
	qsort(p->exact, p->n, sizeof(*p->exact), compare);
	qsort(p->wide, p->n, sizeof(*p->wide), compare);
	return p;
}

void fsi_past_free(struct fsi_past *p)
{
	if (!p)
		return;
	free(p->exact);
	free(p->wide);
	free(p);
}

static size_t first_above(const struct ran *v, size_t n, const struct ran *key)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if (compare(&v[mid], key) <= 0)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

struct class {
	const struct ran *first;
	size_t n;
};

static struct class class_in(const struct fsi_past *p, const struct ran *v, struct ran key, int64_t ran_s,
			     int64_t limit_s)
{
	size_t first, end;

	key.run_s = ran_s;
	first = first_above(v, p->n, &key);
	key.run_s = limit_s;
	end = first_above(v, p->n, &key);
	return (struct class){ v + first, end > first ? end - first : 0 };
}

static struct class class_of(const struct fsi_past *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			     int64_t limit_s)
{
	const struct ran exact = { j->user, j->account, partition, 0 }, wide = { j->user, j->account, 0, 0 };
	struct class c = class_in(p, p->exact, exact, ran_s, limit_s);

	if (c.n < FSI_PAST_ENOUGH)
		c = class_in(p, p->wide, wide, ran_s, limit_s);
	return c.n < FSI_PAST_ENOUGH ? (struct class){ NULL, 0 } : c;
}

size_t fsi_past_records(const struct fsi_past *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			int64_t limit_s)
{
	return class_of(p, j, partition, ran_s, limit_s).n;
}

int64_t fsi_past_run(const struct fsi_past *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
		     int64_t limit_s, uint32_t drawn)
{
	const struct class c = class_of(p, j, partition, ran_s, limit_s);

	return c.n ? c.first[(uint64_t)drawn * c.n >> 32].run_s : limit_s;
}
