/* Fair Tree (src/plugins/priority/multifactor/fair_tree.c, Slurm 22.05 and 26.11).
 *
 *   S = raw shares / level shares            (of a `parent` association: those of its fs parent)
 *   U = usage / usage of the fs parent       (0 if that has none)
 *   LF = S / U, 0 if S is 0, infinite if U is 0; a user with `parent` shares: infinite
 *   Siblings are ranked by falling LF, users before accounts when equal; an account's place is taken by
 *   its descendants in their own order. Factor = rank / users: the best user has 1, nobody 0.
 *   Users with equal LF share the higher rank and use up their places.
 *
 * Accounts of equal LF are documented to be merged, but the daemons do not: the first entry inside an
 * account that ties with the one before it shares the rank last given (tests/cases/slurm, s7-ties). */
#include "fairshare/fairshare.h"

#include <math.h>
#include <stdlib.h>

static const long double no_val = 4294967294.0L; /* the level of accounts with `parent` shares is NO_VAL */

static void set_shares(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		const uint32_t of = fsi_uses_parent_shares(a) && s->fs_parent != FSI_NO_INDEX
					    ? s->fs_parent
					    : i;
		/* level_shares of the root is never set: NO_VAL */
		const uint32_t level = f->share[of].fs_parent == FSI_NO_INDEX
					       ? 0xfffffffeu
					       : f->share[of].level_shares;

		s->shares_norm = level ? (double)f->m->association.v[of].shares / level : 0;
		if (f->share[of].fs_parent != FSI_NO_INDEX && !f->share[of].level_known)
			s->shares_norm = NAN;
	}
}

static void set_levels(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		long double parent_usage;

		if (s->fs_parent == FSI_NO_INDEX) {
			s->level_fs = no_val;
			continue;
		}
		parent_usage = f->share[s->fs_parent].usage_raw;
		s->usage_efctv = isnan(parent_usage) ? NAN
				 : parent_usage > 0  ? s->usage_raw / parent_usage
						     : 0;
		if (fsi_uses_parent_shares(a))
			s->level_fs = a->user ? INFINITY : no_val;
		else if (s->shares_norm == 0)
			s->level_fs = 0;
		else
			s->level_fs =
				s->usage_efctv == 0 ? INFINITY : s->shares_norm / s->usage_efctv;
	}
}

struct sibling {
	long double level;
	bool account;
	uint32_t place, row; /* place: in the list, since the sort must be stable */
};

static int cmp_sibling(const void *x, const void *y)
{
	const struct sibling *a = x, *b = y;

	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	if (a->account != b->account)
		return a->account ? 1 : -1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Sorts each list of children; keys is room for the longest. */
static void sort_lists(struct fsi_fairshare *f, struct sibling *keys)
{
	for (uint32_t p = 0; p < f->n; p++) {
		const uint32_t start = f->first[p], count = f->first[p + 1] - start;

		for (uint32_t k = 0; k < count; k++) {
			const uint32_t row = f->child[start + k];

			keys[k] = (struct sibling){ f->share[row].level_fs,
						    !f->m->association.v[row].user,
						    fsi_list_place(f, row, row), row };
		}
		qsort(keys, count, sizeof(*keys), cmp_sibling);
		for (uint32_t k = 0; k < count; k++)
			f->child[start + k] = keys[k].row;
	}
}

struct frame {
	uint32_t pos, end;
	bool tied; /* the group's first entry ties with what was ranked before it */
	long double previous;
};

/* Depth-first through the sorted lists; stack has room for every account. */
static void rank_users(struct fsi_fairshare *f, struct frame *stack)
{
	uint32_t rank = f->users, next = f->users;
	struct frame *top = stack;

	*top = (struct frame){ f->first[0], f->first[1], false, no_val };
	for (;;) {
		if (top->pos == top->end) {
			if (top-- == stack)
				break;
			continue;
		}
		const uint32_t row = f->child[top->pos++];
		struct fsi_share *s = &f->share[row];
		const bool tied = top->tied || s->level_fs == top->previous;

		top->tied = false;
		top->previous = s->level_fs;
		if (f->m->association.v[row].user) {
			if (!tied)
				rank = next;
			next--;
			s->rank = rank;
			s->factor = rank / (double)f->users;
		} else {
			*++top = (struct frame){ f->first[row], f->first[row + 1], tied, no_val };
		}
	}
}

/* Are there sibling accounts of equal level whose order by name is not that of the database? */
static bool order_counts(const struct fsi_fairshare *f)
{
	const struct fsi_association *a = f->m->association.v;

	for (uint32_t p = 0; p < f->n; p++)
		for (uint32_t k = f->first[p]; k + 1 < f->first[p + 1]; k++) {
			const uint32_t x = f->child[k], y = f->child[k + 1];

			if (!a[x].user && !a[y].user && f->share[x].level_fs == f->share[y].level_fs &&
			    FSI_HAS(&a[x], ASSOCIATION, lft) && FSI_HAS(&a[y], ASSOCIATION, lft) &&
			    (x < y) != (a[x].lft < a[y].lft))
				return true;
		}
	return false;
}

static void rank_in_order(struct fsi_fairshare *f, struct sibling *keys, struct frame *stack)
{
	sort_lists(f, keys);
	rank_users(f, stack);
}

static void rank_all(struct fsi_fairshare *f, struct sibling *keys, struct frame *stack)
{
	const bool by_database = f->by_database;

	rank_in_order(f, keys, stack);
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].other_rank = f->share[i].rank;
	if (!fsi_list_order_is_open(f->m) || !order_counts(f))
		return;
	f->by_database = !by_database;
	rank_in_order(f, keys, stack);
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].other_rank = f->share[i].rank;
	f->by_database = by_database;
	rank_in_order(f, keys, stack);
}

static void finish(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];

		if (s->fs_parent == FSI_NO_INDEX || fsi_uses_parent_shares(&f->m->association.v[i]))
			s->level_fs = NAN;
		s->printed = s->factor;
		s->daemon = f->m->association.v[i].user ? s->factor : 0;
	}
}

static int compute(struct fsi_fairshare *f)
{
	struct sibling *keys = malloc(((size_t)f->n + 1) * sizeof(*keys));
	struct frame *stack = malloc(((size_t)f->n + 1) * sizeof(*stack));
	const bool ok = keys && stack;
	bool known = true;

	if (ok) {
		set_shares(f);
		set_levels(f);
		for (uint32_t i = 0; i < f->n; i++) {
			f->share[i].factor = NAN;
			known = known && !isnan(f->share[i].level_fs);
		}
		if (known && f->m->tree[0].end == f->n) /* all levels known, one root */
			rank_all(f, keys, stack);
		finish(f);
	}
	free(keys);
	free(stack);
	return ok ? 0 : -1;
}

const struct fsi_algorithm fsi_fair_tree = {
	.name = "fair_tree",
	.summary = "Slurm's default: users ranked level by level through the tree",
	.has_levels = true,
	.compute = compute,
};
