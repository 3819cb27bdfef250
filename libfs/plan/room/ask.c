/* What the lists say of a moment. */
#include "plan/bits.h"
#include "plan/room/fits.h"

enum { STEP = FSI_FITS_STEP };

uint32_t fsi_fits_until(const struct fsi_fits_list *l, struct fsi_plan_moment when)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;
		const struct fsi_plan_moment *m = &l->v[mid].from;

		if (m->when < when.when || (m->when == when.when && m->id <= when.id))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void set_at(const struct fsi_fits *f, const struct fsi_fits_list *l, uint32_t words,
		   struct fsi_plan_moment when, uint64_t *set)
{
	const uint32_t n = fsi_fits_until(l, when);

	memcpy(set, &l->set[(size_t)(n / STEP) * words], words * sizeof(*set));
	for (uint32_t k = n / STEP * STEP; k < n; k++)
		fsi_bit_set(set, l->v[k].node);
	fsi_bits_and_not(set, f->is_recent, words);
	for (uint32_t k = 0; k < f->nrecent; k++)
		if (!fsi_plan_before(when, l == &f->much ? f->recent[k].much : f->recent[k].any))
			fsi_bit_set(set, f->recent[k].node);
}

/* Can so many nodes with at least the share, and as many with less as may be added to them, be enough? */
static bool can_suffice(const struct fsi_fits *f, const struct fsi_plan_request *q, uint32_t much)
{
	const int64_t nodes = fsi_plan_max_nodes(q), small = f->share - 1;

	if (nodes > UINT32_MAX)
		return true;
	return much >= nodes || much * f->max + (nodes - much) * small >= q->cpus;
}

static bool much_suffices(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
			  const struct fsi_plan_request *q, struct fsi_plan_moment when, const uint64_t *set,
			  uint64_t *scratch)
{
	set_at(f, &f->much, c->words, when, scratch);
	fsi_bits_and(scratch, set, c->words);
	return can_suffice(f, q, fsi_bits_count(scratch, c->words));
}

bool fsi_fits_enough(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		     const struct fsi_plan_request *q, struct fsi_plan_moment when, const uint64_t *set,
		     uint64_t *scratch)
{
	return f->all ? can_suffice(f, q, fsi_bits_count(set, c->words)) : much_suffices(f, c, q, when, set, scratch);
}

bool fsi_fits_any(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		  const struct fsi_plan_request *q, struct fsi_plan_moment when, uint64_t *set,
		  uint64_t *scratch)
{
	set_at(f, &f->any, c->words, when, scratch);
	if (q->required)
		for (uint32_t w = 0; w < c->words; w++)
			if (q->required[w] & set[w] & ~scratch[w])
				return false;
	fsi_bits_and(set, scratch, c->words);
	return fsi_bits_count(set, c->words) >= q->min_nodes;
}

bool fsi_fits_suffice(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		      const struct fsi_plan_request *q, struct fsi_plan_moment when, uint64_t *set,
		      uint64_t *scratch)
{
	return (f->all || much_suffices(f, c, q, when, set, scratch)) && fsi_fits_any(f, c, q, when, set, scratch) &&
	       (!f->all || fsi_fits_enough(f, c, q, when, set, scratch));
}

uint32_t fsi_fits_least(const struct fsi_fits *f, const struct fsi_plan_request *q)
{
	const int64_t min = f->max > 0 ? q->cpus / f->max + (q->cpus % f->max != 0) : 0;

	return min > q->min_nodes && min < UINT32_MAX ? (uint32_t)min : q->min_nodes;
}
