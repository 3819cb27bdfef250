#include "fairshare/fairshare.h"
#include "fairshare/flux.h"
#include "model/find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is different in the first decay cycle of a controller's life.
 *
 * Lists: Slurm before 23.11 loads associations in the order of the accounting database (lft) and sorts them by name
 * only when associations change, which may be never (src/common/assoc_mgr.c: _post_assoc_list,
 * assoc_mgr_update_assocs). Seen in the ranks of tied accounts, 22.05. What was printed tells which order it is, else a
 * first cycle has the database's. Caches: usage_norm is NO_VAL until an association is evaluated, and DEPTH_OBLIVIOUS
 * sums it over siblings (priority_multifactor.c:_depth_oblivious_set_usage_efctv): early ones get almost no usage. */

bool fsi_first_cycle(const fs_snapshot *m)
{
	/* The first cycle runs at once, the next one a period later. */
	const int64_t shortest_period_s = 60;
	const int64_t boot = fsi_config_int(m, "BOOT_TIME", -1);

	return boot >= 0 && m->info.priority_time_known &&
	       m->info.priority_time - boot < shortest_period_s;
}

bool fsi_new_tree(const fs_snapshot *m)
{
	return FSI_HAS(&m->head, SNAPSHOT, new_tree) ? m->head.new_tree : fsi_first_cycle(m);
}

static bool order_is_told(const fs_snapshot *m)
{
	return FSI_HAS(&m->head, SNAPSHOT, list_order);
}

static bool may_be_by_database(const fs_snapshot *m)
{
	return !fs_slurm_has(m->info.version, FS_SLURM_LINEAGE);
}

bool fsi_lists_by_database(const fs_snapshot *m)
{
	if (order_is_told(m))
		return !strcmp(fsi_str(m, m->head.list_order), FSI_LISTS_BY_DATABASE);
	return may_be_by_database(m) && fsi_first_cycle(m);
}

bool fsi_list_order_is_open(const fs_snapshot *m)
{
	return may_be_by_database(m) && !order_is_told(m);
}

uint32_t fsi_list_place(const struct fsi_fairshare *f, uint32_t row, uint32_t k)
{
	const struct fsi_association *a = &f->m->association.v[row];

	return f->by_database && FSI_HAS(a, ASSOCIATION, lft) ? a->lft : k;
}

int fsi_first_turns(struct fsi_fairshare *f)
{
	const uint32_t late = UINT32_MAX / 2; /* behind all accounts and all jobs */
	uint32_t next = 0;

	f->turn = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*f->turn));
	if (!f->turn)
		return -1;
	for (uint32_t i = 0; i < f->n; i++) {
		const bool user = f->m->association.v[i].user != 0;
		const uint32_t place = fsi_list_place(f, i, i);

		f->turn[i] = user ? late + i : place;
		if (!user && place >= next)
			next = place + 1;
	}
	for (size_t k = 0; k < f->m->job.n; k++) {
		const struct fsi_job *job = &f->m->job.v[k];
		const uint32_t i = fsi_job_assoc(f->m, job);

		if (job->state == FSI_STATE_PENDING && job->priority && i != FSI_NO_INDEX &&
		    f->turn[i] >= late)
			f->turn[i] = next++;
	}
	return 0;
}

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

/* Usage over shares of a row in its level, as exact fractions: (usage / level usage) / (shares / level shares).
 * Shares are integers and usage is sums of doubles, which are fractions themselves. */

enum { SHARE_LIMBS = 1, LEVEL_SHARE_LIMBS = 2 };

static uint32_t *usage_of(const struct fsi_ratios *r, uint32_t row)
{
	return r->usage + (size_t)row * r->form.limbs;
}

static uint32_t *level_usage_of(const struct fsi_ratios *r, uint32_t row)
{
	return r->level_usage + (size_t)r->f->share[row].fs_parent * r->form.limbs;
}

static uint64_t level_shares_of(const struct fsi_ratios *r, uint32_t row)
{
	return r->level_shares[r->f->share[row].fs_parent];
}

static void add_up(struct fsi_ratios *r)
{
	const struct fsi_fairshare *f = r->f;

	for (uint32_t i = f->n; i-- > 0;) {
		const uint32_t parent = f->m->tree[i].parent;

		if (f->m->tree[i].uncounted)
			continue;
		fsi_exact_add_double(r->form, usage_of(r, i), f->own_usage[i]);
		if (parent != FSI_NO_INDEX)
			fsi_exact_add(r->form.limbs, usage_of(r, parent), usage_of(r, i));
	}
	for (uint32_t p = 0; p < f->n; p++)
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const uint32_t row = f->child[k];

			if (fsi_flux_dissolved(f, row))
				continue;
			fsi_exact_add(r->form.limbs, level_usage_of(r, row), usage_of(r, row));
			if (fsi_flux_competes(f, row))
				r->level_shares[p] += f->m->association.v[row].shares;
		}
}

int fsi_ratios_make(struct fsi_ratios *r, const struct fsi_fairshare *f)
{
	struct fsi_exact_range range = { 0 };
	size_t limbs;

	for (uint32_t i = 0; i < f->n; i++)
		if (!f->m->tree[i].uncounted)
			fsi_exact_see(&range, f->own_usage[i]);
	*r = (struct fsi_ratios){ .f = f, .form = fsi_exact_form(&range, f->n) };
	limbs = r->form.limbs;
	r->usage = fsi_arena_array(f->arena, ((size_t)f->n + 1) * (limbs + 1), sizeof(*r->usage));
	r->level_usage =
		fsi_arena_array(f->arena, ((size_t)f->n + 1) * (limbs + 1), sizeof(*r->usage));
	r->level_shares = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*r->level_shares));
	r->work = fsi_arena_array(f->arena, 8 * (limbs + 4), sizeof(*r->work));
	if (!r->usage || !r->level_usage || !r->level_shares || !r->work)
		return -1;
	add_up(r);
	return 0;
}

enum fsi_standing fsi_ratio_standing(const struct fsi_ratios *r, uint32_t row)
{
	if (!fsi_flux_competes(r->f, row))
		return FSI_UNUSED;
	if (!r->f->m->association.v[row].shares)
		return FSI_NO_SHARES;
	return fsi_exact_zero(r->form.limbs, usage_of(r, row)) ? FSI_UNUSED : FSI_USED;
}

/* out (limbs + LEVEL_SHARE_LIMBS) = v * by */
static void scale(uint32_t *out, const uint32_t *v, uint32_t limbs, uint64_t by)
{
	const uint32_t factor[LEVEL_SHARE_LIMBS] = { (uint32_t)by, (uint32_t)(by >> 32) };

	fsi_exact_mul(out, v, limbs, factor, LEVEL_SHARE_LIMBS);
}

/* out (2 * limbs + 3) = usage of a * level shares of a * level usage of b * shares of b: a's side of the comparison
 * x(a) ? x(b) once both are multiplied by all denominators. */
static void cross(const struct fsi_ratios *r, uint32_t a, uint32_t b, uint32_t *out, uint32_t *work)
{
	const uint32_t limbs = r->form.limbs, shares = r->f->m->association.v[b].shares;
	uint32_t *product = work + limbs + LEVEL_SHARE_LIMBS;

	scale(work, usage_of(r, a), limbs, level_shares_of(r, a));
	fsi_exact_mul(product, work, limbs + LEVEL_SHARE_LIMBS, level_usage_of(r, b), limbs);
	fsi_exact_mul(out, product, 2 * limbs + LEVEL_SHARE_LIMBS, &shares, SHARE_LIMBS);
}

static int compare_in_level(const struct fsi_ratios *r, uint32_t a, uint32_t b)
{
	const uint32_t limbs = r->form.limbs + LEVEL_SHARE_LIMBS;
	uint32_t *left = r->work, *right = r->work + limbs;

	scale(left, usage_of(r, a), r->form.limbs, r->f->m->association.v[b].shares);
	scale(right, usage_of(r, b), r->form.limbs, r->f->m->association.v[a].shares);
	return fsi_exact_cmp(limbs, left, right);
}

static int compare_across(const struct fsi_ratios *r, uint32_t a, uint32_t b)
{
	const uint32_t limbs = 2 * r->form.limbs + LEVEL_SHARE_LIMBS + SHARE_LIMBS;
	uint32_t *left = r->work, *right = left + limbs, *rest = right + limbs;

	cross(r, a, b, left, rest);
	cross(r, b, a, right, rest);
	return fsi_exact_cmp(limbs, left, right);
}

/* Is a more under-served (-1), less (1) or the same (0)? Each by its usage over its shares in its own level. */
static int ratio_cmp(const struct fsi_ratios *r, uint32_t a, uint32_t b)
{
	const enum fsi_standing sa = fsi_ratio_standing(r, a), sb = fsi_ratio_standing(r, b);

	if (sa != sb)
		return sa > sb ? -1 : 1;
	if (sa != FSI_USED)
		return 0;
	return r->f->share[a].fs_parent == r->f->share[b].fs_parent ? compare_in_level(r, a, b)
								    : compare_across(r, a, b);
}

/* numerator = usage * level shares, denominator = level usage * shares, of limbs + 3 limbs each. */
static uint32_t fraction(const struct fsi_ratios *r, uint32_t row, uint32_t *numerator,
			 uint32_t *denominator)
{
	const uint32_t limbs = r->form.limbs;

	scale(numerator, usage_of(r, row), limbs, level_shares_of(r, row));
	scale(denominator, level_usage_of(r, row), limbs, r->f->m->association.v[row].shares);
	numerator[limbs + LEVEL_SHARE_LIMBS] = denominator[limbs + LEVEL_SHARE_LIMBS] = 0;
	return limbs + LEVEL_SHARE_LIMBS + 1;
}

double fsi_ratio_x(const struct fsi_ratios *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.limbs + 4;
	const uint32_t limbs = fraction(r, row, a, b);

	return fsi_exact_div(limbs, a, b, b + limbs);
}

double fsi_ratio_position(const struct fsi_ratios *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.limbs + 4;
	const uint32_t limbs = fraction(r, row, a, b);

	fsi_exact_add(limbs, a, b);
	return fsi_exact_div(limbs, b, a, b + limbs);
}

static double ratio_usage(const struct fsi_ratios *r, uint32_t row)
{
	if (fsi_exact_zero(r->form.limbs, level_usage_of(r, row)))
		return 0;
	return fsi_exact_div(r->form.limbs, usage_of(r, row), level_usage_of(r, row), r->work);
}

void fsi_ratio_show(const struct fsi_ratios *r, uint32_t row, struct fsi_share *s)
{
	const enum fsi_standing standing = fsi_ratio_standing(r, row);

	s->usage_efctv = ratio_usage(r, row);
	s->level_fs = standing == FSI_USED     ? 1 / fsi_ratio_x(r, row)
		      : standing == FSI_UNUSED ? INFINITY
					       : 0;
}

int fsi_ratio_compare_rows(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int c = ratio_cmp(ctx, a, b);

	return c ? c : (a > b) - (a < b);
}

bool fsi_ratio_tied(const void *ctx, uint32_t a, uint32_t b)
{
	return !ratio_cmp(ctx, a, b);
}
