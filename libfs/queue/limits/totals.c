/* Jobs that hold resources, by user, account and association: a limit is counted over few of them, and once for all
 * jobs that wait for it. */
#include "queue/limits/limits.h"

#include <math.h>
#include <stdlib.h>

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

static int compare(const void *x, const void *y, const void *ctx)
{
	const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	(void)ctx;
	return (a > b) - (a < b);
}

/* Rows sorted by their key, those of one key as they stand: in each word the key stands before the row. */
static uint32_t *sorted(const struct fsi_limit_totals *t, uint32_t (*key)(const fs_snapshot *m, uint32_t row))
{
	uint64_t *with_key = malloc((t->n + 1) * sizeof(*with_key));
	uint32_t *v = malloc((t->n + 1) * sizeof(*v));
	int rc = -1;

	if (with_key && v) {
		for (size_t i = 0; i < t->n; i++)
			with_key[i] = (uint64_t)key(t->m, t->holding[i]) << 32 | t->holding[i];
		rc = fs_sort(with_key, t->n, sizeof(*with_key), compare, NULL);
		for (size_t i = 0; i < t->n; i++)
			v[i] = (uint32_t)with_key[i];
	}
	free(with_key);
	if (!rc)
		return v;
	free(v);
	return NULL;
}

/* Finds the jobs that hold resources, when they are first asked for. -1 without memory. */
static int find_holding(struct fsi_limit_totals *t)
{
	const fs_snapshot *m = t->m;

	if (t->holding)
		return 0;
	t->holding = malloc((m->job.n + 1) * sizeof(*t->holding));
	if (!t->holding)
		return -1;
	for (struct fsi_begun b = { 0 }; fsi_begun_next(m, &b);)
		if (fsi_job_holds(&m->job.v[b.row]))
			t->holding[t->n++] = b.row;
	return 0;
}

void fsi_limit_totals_release(struct fsi_limit_totals *t)
{
	free(t->holding);
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

/* The rows whose key is from `from` to before `end`; *by: all rows by that key, sorted when they are first asked
 * for. */
static const uint32_t *slice(const struct fsi_limit_totals *t, uint32_t **by,
			     uint32_t (*key)(const fs_snapshot *m, uint32_t row), uint32_t from,
			     uint32_t end, size_t *n)
{
	if (!*by)
		*by = sorted(t, key);
	if (!*by)
		return NULL;
	const size_t first = first_of(t, *by, key, from);

	*n = first_of(t, *by, key, end) - first;
	return *by + first;
}

const uint32_t *fsi_limit_totals_jobs(struct fsi_limit_totals *t, const struct fsi_limit_kind *k,
				      const struct fsi_limit_place *at, const struct fsi_job *job,
				      size_t *n)
{
	if (find_holding(t))
		return NULL;
	if (k->counted == FSI_USER)
		return slice(t, &t->by_user, user_of, job->user, job->user + 1, n);
	if (k->counted == FSI_ACCOUNT)
		return slice(t, &t->by_account, account_of, job->account, job->account + 1, n);
	if (at->assoc != FSI_NO_INDEX)
		return slice(t, &t->by_assoc, assoc_of, at->assoc, t->m->tree[at->assoc].end, n);
	*n = t->n;
	return t->holding;
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
