/* Jobs that hold something, by user, account and association, so that a limit is counted over few of them, and once
 * for all jobs that wait for it. */
#include "queue/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t user_of(const fs_snapshot *m, uint32_t row)
{
	return m->job.v[row].user;
}

static uint32_t account_of(const fs_snapshot *m, uint32_t row)
{
	return m->job.v[row].account;
}

static uint32_t assoc_of(const fs_snapshot *m, uint32_t row)
{
	return fsi_job_assoc(m, &m->job.v[row]);
}

struct order {
	const fs_snapshot *m;
	uint32_t (*key)(const fs_snapshot *m, uint32_t row);
};

static int compare(const void *x, const void *y, const void *ctx)
{
	const struct order *o = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const uint32_t p = o->key(o->m, a), r = o->key(o->m, b);

	return p != r ? (p > r) - (p < r) : (a > b) - (a < b);
}

static uint32_t *sorted(const struct fsi_limit_totals *t, const uint32_t *rows,
			uint32_t (*key)(const fs_snapshot *m, uint32_t row))
{
	const struct order o = { t->m, key };
	uint32_t *v = malloc((t->n + 1) * sizeof(*v));

	if (!v)
		return NULL;
	memcpy(v, rows, t->n * sizeof(*v));
	if (fs_sort(v, t->n, sizeof(*v), compare, &o)) {
		free(v);
		return NULL;
	}
	return v;
}

int fsi_limit_totals_init(struct fsi_limit_totals *t, const fs_snapshot *m)
{
	uint32_t *rows = malloc((m->job.n + 1) * sizeof(*rows));

	*t = (struct fsi_limit_totals){ .m = m };
	if (!rows)
		return -1;
	for (uint32_t i = 0; i < m->job.n; i++)
		if (fsi_job_holds(&m->job.v[i]))
			rows[t->n++] = i;
	t->by_user = sorted(t, rows, user_of);
	t->by_account = sorted(t, rows, account_of);
	t->by_assoc = sorted(t, rows, assoc_of);
	free(rows);
	return t->by_user && t->by_account && t->by_assoc ? 0 : -1;
}

void fsi_limit_totals_release(struct fsi_limit_totals *t)
{
	free(t->by_user);
	free(t->by_account);
	free(t->by_assoc);
	fsi_intern_release(&t->keys);
	FSI_VEC_FREE(&t->use);
}

/* The first place in v whose key is at least that. */
static size_t first_of(const struct fsi_limit_totals *t, const uint32_t *v,
		       uint32_t (*key)(const fs_snapshot *m, uint32_t row), uint32_t min)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (key(t->m, v[mid]) < min)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static const uint32_t *slice(const struct fsi_limit_totals *t, const uint32_t *v,
			     uint32_t (*key)(const fs_snapshot *m, uint32_t row), uint32_t from,
			     uint32_t end, size_t *n)
{
	const size_t first = first_of(t, v, key, from);

	*n = first_of(t, v, key, end) - first;
	return v + first;
}

const uint32_t *fsi_limit_totals_jobs(const struct fsi_limit_totals *t,
				      const struct fsi_limit_kind *k,
				      const struct fsi_limit_place *at, const struct fsi_job *job,
				      size_t *n)
{
	if (k->counted == FSI_USER)
		return slice(t, t->by_user, user_of, job->user, job->user + 1, n);
	if (k->counted == FSI_ACCOUNT)
		return slice(t, t->by_account, account_of, job->account, job->account + 1, n);
	if (at->assoc != FSI_NO_INDEX)
		return slice(t, t->by_assoc, assoc_of, at->assoc, t->m->tree[at->assoc].end, n);
	*n = t->n;
	return t->by_user;
}

double *fsi_limit_totals_use(struct fsi_limit_totals *t, const struct fsi_limit_kind *k,
			     const struct fsi_limit_place *at, uint32_t tres,
			     const struct fsi_job *job)
{
	const uint32_t key[] = { (uint32_t)k->measure,
				 (uint32_t)k->counted,
				 (uint32_t)k->type,
				 at->assoc,
				 at->qos,
				 tres,
				 k->counted == FSI_USER      ? job->user
				 : k->counted == FSI_ACCOUNT ? job->account
							     : 0 };
	const uint32_t id = fsi_intern(&t->keys, key, sizeof(key));

	if (id == FSI_INTERN_FAILED || (id > t->use.n && FSI_VEC_ROOM(&t->use)))
		return NULL;
	if (id > t->use.n)
		t->use.v[t->use.n++] = (double)NAN;
	return &t->use.v[id - 1];
}
