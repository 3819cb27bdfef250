/* Why a classic factor moved. It is 2^(-E / S / d), where down the way from the root
 *
 *   E = U + (E above - U) * S / (S above),  U = usage over usage of the root,  E of the first level = U
 *
 * (priority_multifactor.c:_calc_fs_factor, set_assoc_usage_efctv), so that usage counts only in ratios: what decay
 * takes from all alike moves nothing, and the usage before is taken as it would be after it. What is left is what was
 * used since, by the user, by others below the accounts above, and by the rest, and shares. Each gets the mean of what
 * it adds in every order (Shapley); what the daemons' factor lacks of the formula's is a term of its own. */
#include "compare/compare.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 64, PLAYERS = 4 };

struct level {
	double usage[2]; /* with all below it */
	double shares[2];
};

struct way {
	struct level level[DEEPEST]; /* from below the root to the user */
	size_t n;
	double all[2], dampening[2];
};

static bool classic(const struct fs_compared *s)
{
	return s->eval->shares && !strcmp(fs_shares_algorithm(s->eval->shares), "classic");
}

static const struct fs_share_row *above(const fs_shares *s, const struct fs_share_row *r)
{
	return r->parent_row == FS_NO_ROW ? NULL : fs_shares_row(s, r->parent_row);
}

static bool dissolved(const struct fs_share_row *r)
{
	return r->shares_kind == FS_SHARES_PARENT;
}

/* Fills the way from the user up; -1 if the two states have not the same way, or a number on it is unknown. */
static int walk(const struct fs_comparison *c, const struct fs_compared_share *s, struct way *w)
{
	const fs_shares *shares[2] = { c->side[0].eval->shares, c->side[1].eval->shares };
	const struct fs_share_row *a = s->row[0], *b = s->row[1];

	for (w->n = 0; a && b && a->parent_row != FS_NO_ROW && b->parent_row != FS_NO_ROW;
	     a = above(shares[0], a), b = above(shares[1], b)) {
		if (strcmp(a->account, b->account) != 0 || dissolved(a) != dissolved(b) || w->n == DEEPEST)
			return -1;
		if (dissolved(a))
			continue;
		w->level[w->n++] = (struct level){ { a->raw_usage, b->raw_usage }, { a->norm_shares, b->norm_shares } };
		if (!(a->norm_shares > 0 && b->norm_shares > 0))
			return -1;
	}
	if (!a || !b || a->parent_row != b->parent_row || !w->n)
		return -1;
	w->all[0] = a->raw_usage;
	w->all[1] = b->raw_usage;
	for (size_t i = 0; i < w->n / 2; i++) {
		const struct level t = w->level[i];

		w->level[i] = w->level[w->n - 1 - i];
		w->level[w->n - 1 - i] = t;
	}
	return w->all[0] > 0 && w->all[1] > 0 ? 0 : -1;
}

/* The factor with own usage, siblings' usage, others' usage and shares each taken from the state that its bit says. */
static double factor(const struct way *w, unsigned from, double left)
{
	const struct level *user = &w->level[w->n - 1], *first = &w->level[0];
	const unsigned own = from & 1, mates = from >> 1 & 1, others = from >> 2 & 1, shares = from >> 3 & 1;
	const double scale[2] = { left, 1 };
	const double mine = user->usage[own] * scale[own];
	const double top = mine + (first->usage[mates] - user->usage[mates]) * scale[mates];
	const double all = top + (w->all[others] - first->usage[others]) * scale[others];
	double e = 0;

	for (size_t i = 0; i < w->n; i++) {
		const double u = (mine + (w->level[i].usage[mates] - user->usage[mates]) * scale[mates]) / all;

		e = i ? u + (e - u) * w->level[i].shares[shares] / w->level[i - 1].shares[shares] : u;
	}
	return all > 0 ? exp2(-e / user->shares[shares] / w->dampening[shares]) : (double)NAN;
}

static double shapley(const double value[1 << PLAYERS], unsigned player)
{
	/* Shapley's weight of an order in which so many of the other three players come before this one. */
	static const double weight[PLAYERS] = { 1.0 / 4, 1.0 / 12, 1.0 / 12, 1.0 / 4 };
	double sum = 0;

	for (unsigned set = 0; set < 1 << PLAYERS; set++) {
		unsigned before = 0;

		if (set >> player & 1)
			continue;
		for (unsigned k = 0; k < PLAYERS; k++)
			before += set >> k & 1;
		sum += weight[before] * (value[set | 1u << player] - value[set]);
	}
	return sum;
}

size_t fsi_compare_classic(const struct fs_comparison *c, const struct fs_compared_share *s,
			   struct fs_rank_cause out[FSI_CLASSIC_CAUSES])
{
	static const enum fs_rank_cause_kind kinds[] = { FS_RANK_OWN_USE, FS_RANK_SIBLINGS_USE, FS_RANK_OTHERS_USE,
							 FS_RANK_SHARES };
	const double noise = 1e-12;
	double value[1 << PLAYERS], rest = s->row[1]->fairshare - s->row[0]->fairshare;
	struct way w;
	size_t n = 0;

	if (!classic(&c->side[0]) || !classic(&c->side[1]) || isnan(rest) || walk(c, s, &w))
		return 0;
	for (int k = 0; k < 2; k++)
		w.dampening[k] = fmax(1, (double)fsi_config_int(c->side[k].eval->snapshot, "FairShareDampeningFactor", 1));
	for (unsigned set = 0; set < 1 << PLAYERS; set++)
		value[set] = factor(&w, set, c->left);
	for (unsigned k = 0; k < PLAYERS; k++) {
		const double change = shapley(value, k);

		if (!isfinite(change))
			return 0;
		rest -= change;
		if (fabs(change) > noise)
			out[n++] = (struct fs_rank_cause){ .kind = kinds[k], .change = change };
	}
	if (fabs(rest) > noise)
		out[n++] = (struct fs_rank_cause){ .kind = FS_RANK_REST, .change = rest };
	return n;
}
