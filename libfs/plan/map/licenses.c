/* Licences on the backfill map, with bf_licenses (src/slurmctld/licenses.c: bf_licenses_avail, bf_licenses_deduct,
 * bf_licenses_transfer, bf_licenses_equal). A job takes those of its reservation first, then those of all. Until 24.11
 * a slot in which a reservation has licences is like no other, as its record is sought among those of all. */
#include "plan/map/licenses.h"

#include <string.h>

static const int64_t NOT_KEPT = -1;

size_t fsi_map_lics_amounts(const struct fsi_map_lics *l)
{
	return (size_t)l->n * (1 + l->owners);
}

void fsi_map_lics_init(const struct fsi_map_lics *l, int64_t *row, const int64_t *all)
{
	for (size_t i = 0; i < fsi_map_lics_amounts(l); i++)
		row[i] = i < l->n ? all[i] : NOT_KEPT;
}

/* How many of the k-th its owner has; 0 if it keeps none. */
static int64_t own(const struct fsi_map_lics *l, const int64_t *row, struct fsi_map_want w, uint32_t k)
{
	const int64_t n = w.owner ? row[w.owner * l->n + k] : NOT_KEPT;

	return n == NOT_KEPT ? 0 : n;
}

bool fsi_map_lics_have(const struct fsi_map_lics *l, const int64_t *row, struct fsi_map_want w)
{
	for (uint32_t k = 0; w.amount && k < l->n; k++)
		if (w.amount[k] > 0 && own(l, row, w, k) + row[k] < w.amount[k])
			return false;
	return true;
}

static int64_t less(int64_t of, int64_t n)
{
	return of > n ? of - n : 0;
}

void fsi_map_lics_take(const struct fsi_map_lics *l, int64_t *row, struct fsi_map_want w)
{
	for (uint32_t k = 0; w.amount && k < l->n; k++) {
		const int64_t its = own(l, row, w, k), first = its < w.amount[k] ? its : w.amount[k];

		if (first)
			row[w.owner * l->n + k] -= first;
		row[k] = less(row[k], w.amount[k] - first);
	}
}

void fsi_map_lics_keep(const struct fsi_map_lics *l, int64_t *row, struct fsi_map_want w)
{
	for (uint32_t k = 0; k < l->n; k++) {
		if (w.amount[k] <= 0)
			continue;
		row[w.owner * l->n + k] = row[k] < w.amount[k] ? row[k] : w.amount[k];
		row[k] = less(row[k], w.amount[k]);
	}
}

bool fsi_map_lics_alike(const struct fsi_map_lics *l, const int64_t *a, const int64_t *b)
{
	size_t n = fsi_map_lics_amounts(l);

	for (size_t i = l->n; !l->compared && i < n; i++)
		if (a[i] != NOT_KEPT)
			return false;
	n = l->compared ? n : l->n;
	return !n || !memcmp(a, b, n * sizeof(*a));
}
