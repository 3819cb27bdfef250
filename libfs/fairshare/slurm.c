#include "fairshare/fairshare.h"
#include "model/find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fsi_uses_parent_shares(const struct fsi_association *a)
{
	return FSI_SPECIAL(a, ASSOCIATION, shares);
}

/* Shares and normalised usage, alike in Slurm's three algorithms.
 *
 *   fs parent     first ancestor whose shares are a number (src/common/assoc_mgr.c:_find_assoc_parent)
 *   level shares  sum of the numbers among the children of the fs parent, uint32 arithmetic
 *                 (assoc_mgr.c:_get_children_level_shares); users of a `parent` account thus compete
 *                 with the account's siblings
 *   usage_norm    usage / usage of root, at most 1, 0 if root has none
 *                 (priority_multifactor.c:set_assoc_usage_norm); the root itself never gets one */

static uint32_t find_fs_parent(const struct fsi_fairshare *f, uint32_t i)
{
	uint32_t p = f->m->tree[i].parent;

	while (p != FSI_NO_INDEX && f->m->tree[p].parent != FSI_NO_INDEX &&
	       fsi_uses_parent_shares(&f->m->association.v[p]))
		p = f->share[p].fs_parent;
	return p;
}

static void sum_level_shares(struct fsi_fairshare *f)
{
	for (uint32_t p = 0; p < f->n; p++) {
		uint32_t sum = 0;
		bool known = true;

		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const struct fsi_association *a = &f->m->association.v[f->child[k]];

			known = known && FSI_HAS(a, ASSOCIATION, shares);
			if (!fsi_uses_parent_shares(a))
				sum += a->shares;
		}
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			f->share[f->child[k]].level_shares = sum;
			f->share[f->child[k]].level_known = known;
		}
	}
}

int fsi_shares_link(struct fsi_fairshare *f)
{
	const uint32_t n = f->n;
	uint32_t *next;

	f->first = fsi_arena_array(f->arena, (size_t)n + 2, sizeof(*f->first));
	f->child = fsi_arena_array(f->arena, (size_t)n + 1, sizeof(*f->child));
	if (!f->first || !f->child)
		return -1;
	/* Counts become positions by filling and then starts: one array, shifted by one. */
	next = f->first + 1;
	for (uint32_t i = 0; i < n; i++) {
		struct fsi_share *s = &f->share[i];

		s->fs_parent = find_fs_parent(f, i);
		s->level_known = true;
		if (f->m->tree[i].uncounted)
			continue;
		f->users += f->m->association.v[i].user != 0;
		if (s->fs_parent != FSI_NO_INDEX)
			next[s->fs_parent + 1]++;
	}
	for (uint32_t i = 1; i <= n; i++)
		next[i] += next[i - 1];
	for (uint32_t i = 0; i < n; i++)
		if (f->share[i].fs_parent != FSI_NO_INDEX && !f->m->tree[i].uncounted)
			f->child[next[f->share[i].fs_parent]++] = i;
	sum_level_shares(f);
	return 0;
}

void fsi_usage_norm(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];
		const long double root = f->share[0].usage_raw;

		if (f->m->tree[i].parent == FSI_NO_INDEX) {
			s->usage_norm = NAN;
			s->usage_efctv = 1;
		} else {
			s->usage_norm = root > 0 ? s->usage_raw / root : 0;
			if (isnan(root))
				s->usage_norm = NAN;
			if (s->usage_norm > 1)
				s->usage_norm = 1;
		}
	}
}

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

	return boot >= 0 && m->info.priority_time_known && m->info.priority_time - boot < shortest_period_s;
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

/* Fills f->turn with the order in which associations are evaluated for the first time: accounts in list order, then
 * users as their pending jobs come up, then the rest as sshare asks. -1 without memory. */
static int first_turns(struct fsi_fairshare *f)
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

		if (job->state == FSI_STATE_PENDING && job->priority && i != FSI_NO_INDEX && f->turn[i] >= late)
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

static void set_tree_shares(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		const uint32_t of = fsi_uses_parent_shares(a) && s->fs_parent != FSI_NO_INDEX ? s->fs_parent : i;
		/* level_shares of the root is never set: NO_VAL */
		const uint32_t level = f->share[of].fs_parent == FSI_NO_INDEX ? 0xfffffffeu : f->share[of].level_shares;

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

static int compute_fair_tree(struct fsi_fairshare *f)
{
	struct sibling *keys = malloc(((size_t)f->n + 1) * sizeof(*keys));
	struct frame *stack = malloc(((size_t)f->n + 1) * sizeof(*stack));
	const bool ok = keys && stack;
	bool known = true;

	if (ok) {
		set_tree_shares(f);
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
	.compute = compute_fair_tree,
};

/* Slurm's classic algorithms (src/plugins/priority/multifactor/priority_multifactor.c).
 *
 *   shares_norm  product of raw shares / level shares from the association up to below the root, leaving
 *                out links with `parent` shares (assoc_mgr.c:_normalize_assoc_shares_traditional)
 *   classic      E = U + (Ep - U) s / L      (_set_usage_efctv; U = usage_norm, Ep of the fs parent)
 *   depth        E = Rp Rl^k S               (_depth_oblivious_set_usage_efctv; see fsi_depth_ratios)
 *   factor       2^(-(E / shares_norm) / FairShareDampeningFactor)    (_set_assoc_fs_factor)
 *
 * The daemon mixes moments: accounts' usage_norm is that of before a decay run's additions (fairshare/narrow.h). */

static void set_classic_shares(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		const uint32_t parent = f->m->tree[i].parent;

		if (parent == FSI_NO_INDEX)
			s->shares_norm = 1;
		else if (fsi_uses_parent_shares(a))
			s->shares_norm = f->share[s->fs_parent].shares_norm;
		else if (!s->level_known)
			s->shares_norm = NAN;
		else if (!s->level_shares)
			s->shares_norm = 0;
		else
			s->shares_norm = (double)a->shares / s->level_shares * f->share[s->fs_parent].shares_norm;
	}
}

static long double classic_usage(const struct fsi_fairshare *f, uint32_t i)
{
	const struct fsi_share *s = &f->share[i], *p = &f->share[s->fs_parent];
	const struct fsi_association *a = &f->m->association.v[i];

	if (p->fs_parent == FSI_NO_INDEX)
		return s->usage_norm;
	if (fsi_uses_parent_shares(a) || !s->level_shares)
		return p->usage_efctv;
	return s->usage_norm + (p->usage_efctv - s->usage_norm) * a->shares / s->level_shares;
}

static long double norm_before(const struct fsi_fairshare *f, uint32_t row)
{
	return f->norm_before ? f->norm_before[row] : no_val;
}

/* Usage of i and of its siblings that have shares of their own, as a fraction of the cluster's; of those not yet
 * computed what they had before, in the first cycle NO_VAL. */
static long double level_usage(const struct fsi_fairshare *f, uint32_t i)
{
	const uint32_t parent = f->share[i].fs_parent;
	long double sum = 0;

	for (uint32_t k = f->first[parent]; k < f->first[parent + 1]; k++) {
		const uint32_t row = f->child[k];

		if (!fsi_uses_parent_shares(&f->m->association.v[row]))
			sum += f->turn && f->turn[row] > f->turn[i] ? norm_before(f, row) : f->share[row].usage_norm;
	}
	return sum;
}

/* Rp = Ep / Sp, Rs = sum of the level's usage_norm / Sp, Rl = (U / S) / Rs: how far the parent and the
 * association among its siblings are over their shares; k damps the second when they disagree. */
bool fsi_depth_ratios(const struct fsi_fairshare *f, uint32_t i, struct fsi_depth_ratios *out)
{
	const struct fsi_share *s = &f->share[i], *p = &f->share[s->fs_parent];
	long double rs;

	*out = (struct fsi_depth_ratios){ .damping = 1 };
	if (p->fs_parent == FSI_NO_INDEX || fsi_uses_parent_shares(&f->m->association.v[i]))
		return false;
	if (s->shares_norm == 0 || p->shares_norm == 0 || p->usage_efctv == 0 || s->usage_norm == 0)
		return false;
	out->parent = p->usage_efctv / p->shares_norm;
	rs = level_usage(f, i) / p->shares_norm;
	out->level = s->usage_norm / s->shares_norm / rs;
	if (out->parent != 0 && out->level != 0 && logl(out->parent) * logl(out->level) < 0)
		out->damping = 1 / (1 + powl(5 * logl(out->parent), 2));
	return true;
}

static long double depth_usage(const struct fsi_fairshare *f, uint32_t i)
{
	const struct fsi_share *s = &f->share[i], *p = &f->share[s->fs_parent];
	struct fsi_depth_ratios r;

	if (!fsi_depth_ratios(f, i, &r))
		return p->fs_parent != FSI_NO_INDEX && fsi_uses_parent_shares(&f->m->association.v[i]) ? p->usage_efctv
												       : s->usage_norm;
	return r.parent * pow((double)r.level, (double)r.damping) * s->shares_norm;
}

static double factor_of(const struct fsi_fairshare *f, long double efctv, double shares_norm)
{
	if (!(shares_norm > 0))
		return isnan(shares_norm) ? NAN : 0;
	return pow(2.0, -((double)efctv / shares_norm) / f->dampening);
}

/* Where sshare computes the column itself, for every row and from the row's own numbers, which differ from the daemon's
 * where shares are `parent`, the daemon keeps the factor of users alone and hands out none. Where it does not, the
 * daemon sets and hands out that of every row but the root (priority_multifactor.c:priority_p_set_assoc_usage). */
static void set_factors(struct fsi_fairshare *f)
{
	const bool by_sshare = !fs_slurm_has(f->compat, FS_SLURM_DAEMON_FACTOR);

	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		const struct fsi_share *of = s;
		double factor;

		if (fsi_uses_parent_shares(a) && s->fs_parent != FSI_NO_INDEX)
			of = &f->share[s->fs_parent];
		factor = factor_of(f, of->usage_efctv, of->shares_norm);
		s->factor = a->user ? factor : NAN;
		s->printed = by_sshare ? factor_of(f, s->usage_efctv, s->shares_norm) : s->factor;
		s->daemon = by_sshare || s->fs_parent == FSI_NO_INDEX ? 0 : factor;
		s->level_fs = NAN;
	}
}

static int compute_with(struct fsi_fairshare *f, long double (*usage)(const struct fsi_fairshare *, uint32_t))
{
	set_classic_shares(f);
	for (uint32_t i = 0; i < f->n; i++)
		if (f->share[i].fs_parent != FSI_NO_INDEX)
			f->share[i].usage_efctv = usage(f, i);
	set_factors(f);
	return 0;
}

static int compute_classic(struct fsi_fairshare *f)
{
	return compute_with(f, classic_usage);
}

static int compute_depth(struct fsi_fairshare *f)
{
	if (f->new_tree && first_turns(f))
		return -1;
	return compute_with(f, depth_usage);
}

const struct fsi_algorithm fsi_classic = {
	.name = "classic",
	.summary = "Slurm with NO_FAIR_TREE: usage against shares along the path",
	.mixes_moments = true,
	.compute = compute_classic,
};

const struct fsi_algorithm fsi_depth_oblivious = {
	.name = "depth_oblivious",
	.summary = "Slurm with DEPTH_OBLIVIOUS: classic, made independent of tree depth",
	.mixes_moments = true,
	.sums_siblings = true,
	.compute = compute_depth,
};

/* priority/basic: usage is kept, but no plugin ever computes shares or factors from it; sshare shows the
 * fields as the controller initialised them (src/common/assoc_mgr.c). */

static int compute_none(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];
		const bool user = f->m->association.v[i].user != 0;

		s->shares_norm = NAN;
		s->usage_norm = NAN;
		s->usage_efctv = 0;
		s->level_fs = fsi_uses_parent_shares(&f->m->association.v[i]) ? NAN : 0;
		s->factor = s->printed = user ? 0 : NAN;
	}
	return 0;
}

static const struct fsi_algorithm fsi_no_fairshare = {
	.name = "none",
	.summary = "priority/basic: no fair share",
	.has_levels = true,
	.compute = compute_none,
};

/* DEPTH_OBLIVIOUS also switches Fair Tree off (src/common/read_config.c). */
const struct fsi_algorithm *fsi_slurm_algorithm(const fs_snapshot *m)
{
	const char *type = fs_snapshot_config_text(m, "PriorityType");
	const uint32_t set = fsi_config_list(m, "PriorityFlags");

	if (type && !strcmp(type, "priority/basic"))
		return &fsi_no_fairshare;
	if (fsi_list_has(m, set, "DEPTH_OBLIVIOUS"))
		return &fsi_depth_oblivious;
	return fsi_list_has(m, set, "NO_FAIR_TREE") ? &fsi_classic : &fsi_fair_tree;
}
