#include "usage/usage.h"

#include "usage/ledger.h"

#include <math.h>

bool fsi_usage_totals(const fs_snapshot *m, const fs_usage *u, long double *total)
{
	bool known = true;

	for (uint32_t i = 0; u && i < m->association.n; i++) {
		total[i] = u->leaf[i];
		known = known && !isnan(total[i]);
	}
	if (u)
		return known;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];

		total[i] = a->usage_tres_s;
		if (!FSI_HAS(a, ASSOCIATION, usage_tres_s)) {
			total[i] = NAN;
			known = known && m->tree[i].uncounted;
		}
	}
	for (uint32_t i = (uint32_t)m->association.n; i-- > 0;)
		if (m->tree[i].parent != FSI_NO_INDEX && !m->tree[i].uncounted)
			total[m->tree[i].parent] += total[i];
	return known;
}

/* Saturates: usage beyond 64 bits is shown as the greatest number there is. */
static int64_t whole(long double v)
{
	return v >= 9223372036854775807.0L ? INT64_MAX : (int64_t)v;
}

static bool tres_known(const fs_snapshot *m, const fs_usage *u, uint32_t i)
{
	if (u)
		return u->tres_known;
	for (uint32_t k = i; k < m->tree[i].end; k++)
		if (!FSI_HAS(&m->association.v[k], ASSOCIATION, usage_by_tres_s))
			return false;
	return true;
}

static double own_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, size_t tres)
{
	size_t n;
	const struct fsi_amountf *a = fsi_amountfs(m, m->association.v[i].usage_by_tres_s, &n);

	if (u)
		return fsi_ledger_tres(u, i, tres);
	for (size_t j = 0; j < n; j++)
		if (a[j].tres == m->tres.v[tres].name)
			return a[j].n;
	return 0;
}

/* The seconds of one TRES (by row) in the subtree of association i. */
static long double tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, size_t tres)
{
	long double sum = 0;

	for (uint32_t k = i; k < m->tree[i].end; k++)
		sum += own_seconds(m, u, k, tres);
	return sum;
}

/* Long doubles travel as text with six decimals (src/common/pack.c:packlongdouble). */
static double six_decimals(long double v)
{
	return (double)(roundl(v * 1000000) / 1000000);
}

int fsi_usage_tres_seconds(const fs_snapshot *m, const fs_usage *u, uint32_t i, double *out,
			   size_t max)
{
	if (!tres_known(m, u, i))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++)
		out[k] = six_decimals(tres_seconds(m, u, i, k));
	return (int)m->tres.n;
}

int fsi_usage_tres_min(const fs_snapshot *m, const fs_usage *u, uint32_t i, struct fs_tres *out,
		       size_t max)
{
	const struct fsi_association *a = &m->association.v[i];
	const bool exact = tres_known(m, u, i);

	if (!exact && (u || !FSI_HAS(a, ASSOCIATION, usage_by_tres_min)))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++) {
		const uint32_t tres = m->tres.v[k].name;

		out[k].name = fsi_str(m, tres);
		out[k].amount = exact ? whole(tres_seconds(m, u, i, k) / 60)
				      : fsi_amount_of(m, a->usage_by_tres_min, tres);
	}
	return (int)m->tres.n;
}

bool fsi_usage_moved(const fs_snapshot *m, const fs_usage *u)
{
	return u && u->info.at != m->info.time;
}

double fsi_usage_wall_min(const fs_snapshot *m, const fs_usage *u, uint32_t i)
{
	const struct fsi_association *a = &m->association.v[i];
	const double minute_s = 60;
	double sum_s = 0;

	if (fsi_usage_moved(m, u))
		return NAN;
	if (FSI_HAS(a, ASSOCIATION, usage_wall_min)) /* the seconds that are known here are whole ones */
		return a->usage_wall_min;
	for (uint32_t k = i; k < m->tree[i].end; k++)
		sum_s += FSI_HAS(&m->association.v[k], ASSOCIATION, usage_wall_s)
				 ? m->association.v[k].usage_wall_s
				 : (double)NAN;
	return sum_s / minute_s;
}
