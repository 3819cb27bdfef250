/* Usage is narrowed, from how it was captured and from what else was printed, to more digits. */
#include "fairshare/narrow.h"

#include <math.h>
#include <string.h>

/* More than a tree of a thousand users takes. Larger ones seldom need it, since usage of production size has digits
 * enough. */
static const uint64_t max_work = 100000000;

bool fsi_captured_error(const fs_snapshot *m, double *below, double *above)
{
	const char *source = m->info.usage_source;

	*below = *above = 0;
	if (!strcmp(source, "assoc_mgr"))
		*below = *above = 0.005;
	else if (!strcmp(source, "exact"))
		*below = *above = 0.5e-6;
	else if (!strcmp(source, "sshare"))
		*above = 1;
	return *above > 0;
}

/* May the two have used as much for each of their shares? Before the first calculation all factors are alike. */
static bool may_tie(const struct fsi_narrow *w, uint32_t i, uint32_t k)
{
	const double a = w->m->association.v[i].shares, b = w->m->association.v[k].shares;

	return w->lo[i] * b <= w->hi[k] * a && w->lo[k] * a <= w->hi[i] * b;
}

static bool is_alike(const struct fsi_narrow *w, uint32_t i, uint32_t k)
{
	const struct fsi_recorded *a = w->rec[i], *b = w->rec[k];

	return a && b && FSI_HAS(a, RECORDED, factor) && FSI_HAS(b, RECORDED, factor) && a->factor == b->factor &&
	       may_tie(w, i, k);
}

/* Groups users of one level that tie: ranks of others differ, and so does what is printed. */
static void set_groups(struct fsi_narrow *w)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		w->group[i] = FSI_NO_INDEX;
	for (uint32_t p = 0; w->levels && p < w->f->n; p++) {
		uint32_t last = FSI_NO_INDEX; /* children stand in the order of their levels */

		for (uint32_t c = w->f->first[p]; c < w->f->first[p + 1]; c++) {
			const uint32_t i = w->f->child[c];

			if (!w->m->association.v[i].user || fsi_uses_parent_shares(&w->m->association.v[i]) ||
			    !(w->x[i] > 0) || !w->m->association.v[i].shares)
				continue;
			if (last != FSI_NO_INDEX && is_alike(w, i, last))
				w->group[i] = w->group[last] =
					w->group[last] == FSI_NO_INDEX ? last : w->group[last];
			last = i;
		}
	}
}

/* In Fair Tree all numbers are of one moment, that of the last calculation. */
static int find_missing(struct fsi_narrow *w, const fs_shares *s, struct fsi_arena *arena)
{
	const struct fsi_moment_times t = fsi_moment_times(w->m, NULL);
	struct fsi_moments moments;

	for (uint32_t i = 0; i < w->f->n; i++)
		w->missing[i] = (struct fsi_missing){ w->f->share[i].late, w->f->share[0].late };
	if (!s->algorithm->mixes_moments || !w->m->info.priority_time_known)
		return 0;
	if (fsi_moments_init(&moments, w->m, NULL, t.run, arena))
		return -1;
	fsi_moments_fill(&moments, &t, w->missing);
	return 0;
}

static int prepare(struct fsi_narrow *w, fs_shares *s, struct fsi_arena *arena)
{
	const fs_snapshot *m = w->m;
	const size_t n = m->association.n + 1;
	double below, above;

	w->f = &s->f;
	w->levels = s->algorithm == &fsi_fair_tree;
	w->work = max_work;
	w->rec = fsi_arena_array(arena, n, sizeof(*w->rec));
	w->x = fsi_arena_array(arena, n, sizeof(*w->x));
	w->lo = fsi_arena_array(arena, n, sizeof(*w->lo));
	w->hi = fsi_arena_array(arena, n, sizeof(*w->hi));
	w->total = fsi_arena_array(arena, 3 * n, sizeof(*w->total));
	w->missing = fsi_arena_array(arena, n, sizeof(*w->missing));
	w->effective_lo = fsi_arena_array(arena, 2 * n, sizeof(*w->effective_lo));
	w->mean = fsi_arena_array(arena, n, sizeof(*w->mean));
	w->weight = fsi_arena_array(arena, n, sizeof(*w->weight));
	w->group = fsi_arena_array(arena, n, sizeof(*w->group));
	if (!w->rec || !w->x || !w->lo || !w->hi || !w->total || !w->mean || !w->weight || !w->group ||
	    !w->missing || !w->effective_lo || find_missing(w, s, arena))
		return -1;
	w->effective_hi = w->effective_lo + n;
	w->total_lo = w->total + n;
	w->total_hi = w->total_lo + n;
	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const uint32_t row = FSI_HAS(r, RECORDED, association)
					     ? fsi_assoc_by_id(m, r->association)
					     : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			w->rec[row] = r;
	}
	fsi_captured_error(m, &below, &above);
	for (uint32_t i = 0; i < w->f->n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const bool moves = a->usage_tres_s > 0 || (a->user && above < 1);

		w->x[i] = a->usage_tres_s;
		w->lo[i] = fmax(0, a->usage_tres_s - (moves ? below : 0));
		w->hi[i] = a->usage_tres_s + (moves ? above : 0);
		if (w->x[i] == 0 && !(w->rec[i] && FSI_HAS(w->rec[i], RECORDED, level_fs) &&
				      w->rec[i]->level_fs > 0))
			w->hi[i] = 0; /* an infinite level is that of no usage at all */
	}
	set_groups(w);
	for (size_t i = 0; i < n; i++)
		w->effective_lo[i] = w->effective_hi[i] = NAN;
	if (s->algorithm == &fsi_classic)
		fsi_narrow_classic_bounds(w);
	return 0;
}

/* Counts the users whose FairShare does not come out as printed. */
static size_t wrong_factors(const struct fsi_narrow *w, const struct fsi_fairshare *f)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (w->rec[i] && FSI_HAS(w->rec[i], RECORDED, factor) &&
		    !isnan(f->share[i].printed) &&
		    fabs(f->share[i].printed - w->rec[i]->factor) > 1e-6)
			n++;
	return n;
}

static void put_usage(fs_snapshot *m, const double *x)
{
	for (size_t i = 0; i < m->association.n; i++)
		if (FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s))
			m->association.v[i].usage_tres_s = x[i];
}

/* A rank may depend on ties that no digit decides: what made a factor worse is undone. */
static int put_if_no_worse(fs_snapshot *m, const struct fsi_narrow *w, const double *before)
{
	fs_shares *after;
	struct fs_error err;

	put_usage(m, w->x);
	if (fs_shares_compute(&after, m, NULL, &err))
		return -1;
	if (wrong_factors(w, &after->f) > wrong_factors(w, w->f))
		put_usage(m, before);
	fs_shares_free(after);
	return 0;
}

static int narrow_usage(fs_snapshot *m, fs_shares *s, struct fsi_arena *arena)
{
	struct fsi_narrow w = { .m = m };
	double *before;

	if (prepare(&w, s, arena))
		return -1;
	before = fsi_arena_array(arena, m->association.n + 1, sizeof(*before));
	if (!before)
		return -1;
	memcpy(before, w.x, m->association.n * sizeof(*before));
	if (m->head.whole_shares && fsi_narrow_whole(&w))
		return -1;
	if (!m->head.whole_shares)
		fsi_narrow_decimals(&w);
	return put_if_no_worse(m, &w, before);
}

bool fsi_narrow_possible(const fs_snapshot *m)
{
	const struct fsi_algorithm *a = fsi_algorithm_find(m, NULL);
	double below, above;

	if (!m->association.n || !m->recorded.n || fsi_hidden(m, "association") ||
	    m->tree[0].end != m->association.n || !fsi_captured_error(m, &below, &above))
		return false;
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->tree[i].uncounted && !FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s))
			return false;
	return a == &fsi_fair_tree || a == &fsi_classic || a == &fsi_depth_oblivious;
}

int fsi_narrow_usage(fs_snapshot *m)
{
	struct fsi_arena arena = { 0 };
	struct fs_error err;
	fs_shares *s;
	int rc;

	if (fs_shares_compute(&s, m, NULL, &err))
		return -1;
	rc = narrow_usage(m, s, &arena);
	fsi_arena_release(&arena);
	fs_shares_free(s);
	return rc;
}
