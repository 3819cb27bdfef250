/* The way of an association through the tree, and where two ways part. */
#include "explain/explain.h"

#include "fairshare/fairshare.h"
#include "fairshare/walk.h"

#include <math.h>

/* How siblings are ranked; finish() of Fair Tree leaves `parent` users without a level, but they stand first. */
static long double level_of(const struct fsi_fairshare *f, uint32_t row)
{
	const struct fsi_association *a = &f->m->association.v[row];

	return fsi_uses_parent_shares(a) && a->user ? INFINITY : f->share[row].level_fs;
}

static bool transparent(const struct fsi_fairshare *f, uint32_t row)
{
	const struct fsi_association *a = &f->m->association.v[row];

	return fsi_uses_parent_shares(a) && !a->user;
}

/* Siblings in the order in which the walk placed them; those without a place are last. */
static int by_place(const void *x, const void *y, const void *ctx)
{
	const struct fsi_fairshare *f = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const uint32_t pa = f->share[a].place, pb = f->share[b].place;

	if (!pa != !pb)
		return pa ? -1 : 1;
	if (pa != pb)
		return pa < pb ? -1 : 1;
	return (a > b) - (a < b);
}

/* The children of the fs parent without `parent` accounts, whose children stand in the list themselves. */
static int list_siblings(fs_explain *x, struct fs_explain_level *l)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	const uint32_t start = f->first[l->above], end = f->first[l->above + 1];
	uint32_t *v = fsi_arena_array(&x->arena, (size_t)(end - start) + 1, sizeof(*v));

	if (!v)
		return -1;
	for (uint32_t k = start; k < end; k++)
		if (!transparent(f, f->child[k]))
			v[l->count++] = f->child[k];
	l->siblings = v;
	return x->from.shares->algorithm->has_places ? fs_sort(v, l->count, sizeof(*v), by_place, f) : 0;
}

/* Ranks by the comparison of the algorithm itself: Fair Tree's, or the places that the walk of Flux gave. */
static void rank_level(const fs_explain *x, struct fs_explain_level *l)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	const long double own = level_of(f, l->row);

	if (x->from.shares->algorithm->has_places) {
		l->place = f->share[l->row].place;
		l->tied = f->share[l->row].peers;
		l->other_kind_ties = f->share[l->row].other_kind_ties;
		return;
	}
	if (isnan(own))
		return;
	l->place = 1;
	for (uint32_t k = 0; k < l->count; k++) {
		if (l->siblings[k] == l->row)
			continue;
		if (level_of(f, l->siblings[k]) == own)
			l->tied++;
		else
			l->place += level_of(f, l->siblings[k]) > own;
	}
}

/* What the weight and the place in a slice are made of. */
static void fill_flux_level(const fs_explain *x, struct fs_explain_level *l)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	const struct fsi_share *own = &f->share[l->row];

	l->level_shares = l->level_usage = 0;
	l->group = own->group;
	l->groups = own->groups;
	for (uint32_t k = 0; k < l->count; k++) {
		const uint32_t row = l->siblings[k];

		if (f->m->tree[row].uncounted)
			continue;
		l->level_usage += x->from.shares->rows[row].raw_usage;
		if (fsi_flux_competes(f, row))
			l->level_shares += f->m->association.v[row].shares;
		if (own->groups && own->group && f->share[row].group == own->group - 1)
			l->lower = row;
	}
}

static int fill_level(fs_explain *x, uint32_t row, struct fs_explain_level *l)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	struct fsi_depth_ratios d;

	*l = (struct fs_explain_level){ .row = row, .above = f->share[row].fs_parent };
	l->level_shares = f->share[row].level_known ? f->share[row].level_shares : (double)NAN;
	l->level_usage = l->parent_ratio = l->level_ratio = l->damping = NAN;
	l->lower = FS_NO_ROW;
	if (list_siblings(x, l))
		return -1;
	if (x->from.shares->algorithm->has_places)
		fill_flux_level(x, l);
	if (x->from.shares->algorithm->has_levels)
		rank_level(x, l);
	if (x->from.shares->algorithm == &fsi_depth_oblivious && fsi_depth_ratios(f, row, &d)) {
		l->parent_ratio = (double)d.parent;
		l->level_ratio = (double)d.level;
		l->damping = (double)d.damping;
	}
	return 0;
}

static int fill_levels(fs_explain *x, struct fs_explain_path *out)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	struct fs_explain_level *v;
	uint32_t row = out->row;
	size_t n = 0;

	for (uint32_t i = row; f->share[i].fs_parent != FSI_NO_INDEX; i = f->share[i].fs_parent)
		n++;
	v = fsi_arena_array(&x->arena, n + 1, sizeof(*v));
	if (!v)
		return -1;
	for (size_t k = n; k-- > 0; row = f->share[row].fs_parent)
		if (fill_level(x, row, &v[k]))
			return -1;
	out->level = v;
	out->levels = n;
	return 0;
}

static void count_ranks(const struct fsi_fairshare *f, struct fs_explain_path *out)
{
	out->rank = f->share[out->row].rank;
	for (uint32_t i = 0; out->rank && i < f->n; i++) {
		const uint32_t rank = f->share[i].rank;

		out->better += rank > out->rank;
		out->tied += rank == out->rank && i != out->row;
		out->worse += rank && rank < out->rank;
	}
}

/* Algorithms that rank nobody still put users in an order: by their factors. */
static void count_factors(const struct fsi_fairshare *f, struct fs_explain_path *out)
{
	out->users = 0;
	for (uint32_t i = 0; i < f->n; i++) {
		const double factor = f->share[i].factor;

		if (!f->m->association.v[i].user)
			continue;
		if (isnan(factor))
			return;
		out->users++;
		out->better += factor > out->factor;
		out->tied += factor == out->factor && i != out->row;
		out->worse += factor < out->factor;
	}
	out->stands = true;
}

/* Counts the users before, beside and behind a user among all. */
static void count_users(const fs_shares *s, struct fs_explain_path *out)
{
	count_ranks(&s->f, out);
	if (out->rank)
		out->stands = true;
	else if (out->user && !isnan(out->factor) && !s->algorithm->has_levels)
		count_factors(&s->f, out);
}

static double recorded_factor(const fs_explain *x, uint32_t row)
{
	const fs_snapshot *m = x->m;

	if (!isnan(x->from.shares->rows[row].stored_fairshare))
		return x->from.shares->rows[row].stored_fairshare;
	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];

		if (FSI_HAS(r, RECORDED, association) && r->association == m->association.v[row].id)
			return FSI_HAS(r, RECORDED, factor) ? r->factor : (double)NAN;
	}
	return NAN;
}

static bool some_hidden(const fs_explain *x, const struct fs_explain_path *p)
{
	const struct fs_share_row *rows = x->from.shares->rows;

	for (size_t k = 0; k < p->levels; k++)
		for (uint32_t i = 0; i < p->level[k].count; i++)
			if (!rows[p->level[k].siblings[i]].visible)
				return true;
	return false;
}

int fs_explain_path(fs_explain *x, uint32_t row, struct fs_explain_path *out, struct fs_error *err)
{
	const fs_shares *s = x->from.shares;
	const struct fsi_fairshare *f = &s->f;
	const bool above = fsi_uses_parent_shares(&x->m->association.v[row]);

	*out = (struct fs_explain_path){
		.algorithm = s->algorithm->name,
		.row = row,
		.user = x->m->association.v[row].user != 0,
		.users = f->users,
		.factor = f->share[row].factor,
		.formula_row = above && f->share[row].fs_parent != FSI_NO_INDEX
				       ? f->share[row].fs_parent
				       : row,
		.dampening = f->dampening,
		.recorded = recorded_factor(x, row),
		.ranges = s->algorithm->has_ranges,
		.given = fsi_hidden(x->m, "association"),
	};
	out->formula_usage = (double)f->share[out->formula_row].usage_efctv;
	out->formula_shares = f->share[out->formula_row].shares_norm;
	if (fill_levels(x, out))
		return fsi_nomem(err);
	count_users(s, out);
	out->hidden = some_hidden(x, out);
	return 0;
}

/* Compares the two rows where their ways part: do they tie there, and which goes first? Flux decides by the places
 * of its walk. */
static void compare_levels(const fs_explain *x, uint32_t a, uint32_t b, struct fs_explain_divergence *out)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	const uint32_t pa = f->share[a].place, pb = f->share[b].place;
	const long double la = level_of(f, a), lb = level_of(f, b);

	if (x->from.shares->algorithm->has_places) {
		out->tied = pa && pa == pb;
		out->first = pa && pb ? (pa > pb) - (pa < pb) : 0;
	} else if (!isnan(la) && !isnan(lb)) {
		out->tied = la == lb;
		out->first = (lb > la) - (lb < la);
	}
}

static int by_factor(const struct fs_explain_path *a, const struct fs_explain_path *b)
{
	return isnan(a->factor) || isnan(b->factor)
		       ? 0
		       : (b->factor > a->factor) - (a->factor > b->factor);
}

void fs_explain_compare_paths(const fs_explain *x, const struct fs_explain_path *a,
			   const struct fs_explain_path *b, struct fs_explain_divergence *out)
{
	size_t k = 0;

	*out = (struct fs_explain_divergence){ 0 };
	while (k < a->levels && k < b->levels && a->level[k].row == b->level[k].row)
		k++;
	out->level_a = out->level_b = k;
	out->same = k == a->levels || k == b->levels;
	if (out->same)
		return;
	if (x->from.shares->algorithm->has_levels) {
		compare_levels(x, a->level[k].row, b->level[k].row, out);
		if (a->rank && b->rank) /* where levels tie, what is below them has a part in it */
			out->first = (b->rank > a->rank) - (b->rank < a->rank);
	} else {
		out->first = by_factor(a, b);
		out->tied = a->factor == b->factor;
	}
}
