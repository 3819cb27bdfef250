#include "fairshare/fairshare.h"
#include "model/find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fsi_has_parent_shares(const struct fsi_association *a)
{
	return FSI_SPECIAL(a, ASSOCIATION, shares);
}

/* ---- shares and normalized usage, common to Slurm's three algorithms
 *
 *   fs parent     first ancestor whose shares are a number (src/common/assoc_mgr.c:_find_assoc_parent)
 *   level shares  sum of the numbers among the children of the fs parent, in uint32 arithmetic
 *                 (assoc_mgr.c:_get_children_level_shares); users of a `parent` account thus compete
 *                 with the account's siblings
 *   usage_norm    usage / usage of the root, at most 1; 0 if the root has no usage
 *                 (priority_multifactor.c:set_assoc_usage_norm); the root itself has no usage_norm */

static uint32_t find_fs_parent(const struct fsi_fairshare *f, uint32_t i)
{
	uint32_t p = f->m->tree[i].parent;

	while (p != FSI_NO_INDEX && f->m->tree[p].parent != FSI_NO_INDEX &&
	       fsi_has_parent_shares(&f->m->association.v[p]))
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
			if (!fsi_has_parent_shares(a))
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
	/* Sorts the rows by fs parent. After the first loop, next[p + 1] is the number of children of p. After the
	 * second loop, next[p] is the index in f->child at which the next child of p is stored. At the end, next[p],
	 * which is first[p + 1], is the index after the last child of p. */
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

void fsi_shares_set_usage_norm(struct fsi_fairshare *f)
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

/* ---- differences in the first calculation after the controller's start
 *
 * Lists: Slurm before 23.11 loads associations in the order of the accounting database (lft). Slurm sorts associations
 * by name only when associations change, which may never happen (src/common/assoc_mgr.c: _post_assoc_list,
 * assoc_mgr_update_assocs). Confirmed by the ranks of tied accounts in 22.05. If the snapshot has no list_order, the
 * first calculation is assumed to use database order.
 *
 * Caches: usage_norm is NO_VAL until an association is evaluated, and DEPTH_OBLIVIOUS sums usage_norm over siblings
 * (priority_multifactor.c:_depth_oblivious_set_usage_efctv). Associations evaluated early get almost no effective
 * usage. */

bool fsi_is_first_calculation(const fs_snapshot *m)
{
	/* The first priority calculation runs when the controller starts. The second one follows after
	 * PriorityCalcPeriod, which is at least a minute. */
	const int64_t shortest_period_s = 60;
	const int64_t boot = fsi_config_get_int(m, "BOOT_TIME", -1);

	return boot >= 0 && m->info.priority_time_known && m->info.priority_time - boot < shortest_period_s;
}

bool fsi_is_new_tree(const fs_snapshot *m)
{
	return FSI_HAS(&m->head, SNAPSHOT, new_tree) ? m->head.new_tree : fsi_is_first_calculation(m);
}

static bool is_list_order_known(const fs_snapshot *m)
{
	return FSI_HAS(&m->head, SNAPSHOT, list_order);
}

static bool may_use_database_order(const fs_snapshot *m)
{
	return !fs_slurm_has(m->info.version, FS_SLURM_LINEAGE);
}

bool fsi_is_database_order(const fs_snapshot *m)
{
	if (is_list_order_known(m))
		return !strcmp(fsi_name_text(m, m->head.list_order), FSI_LISTS_BY_DATABASE);
	return may_use_database_order(m) && fsi_is_first_calculation(m);
}

/* Returns true if the snapshot does not record the order of the lists, and the order is assumed. */
static bool is_list_order_assumed(const fs_snapshot *m)
{
	return may_use_database_order(m) && !is_list_order_known(m);
}

uint32_t fsi_get_list_position(const struct fsi_fairshare *f, uint32_t row, uint32_t k)
{
	const struct fsi_association *a = &f->m->association.v[row];

	return f->by_database && FSI_HAS(a, ASSOCIATION, lft) ? a->lft : k;
}

/* Fills f->eval_order with the order in which associations are evaluated for the first time: accounts in list order,
 * then users in the order of their first pending jobs, then other users when sshare requests shares. Returns -1 if out
 * of memory. */
static int set_first_order(struct fsi_fairshare *f)
{
	/* users without pending jobs have sort keys of at least `late`; all other sort keys are less */
	const uint32_t late = UINT32_MAX / 2;
	uint32_t next = 0;

	f->eval_order = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*f->eval_order));
	if (!f->eval_order)
		return -1;
	for (uint32_t i = 0; i < f->n; i++) {
		const bool is_user = f->m->association.v[i].user != 0;
		const uint32_t position = fsi_get_list_position(f, i, i);

		f->eval_order[i] = is_user ? late + i : position;
		if (!is_user && position >= next)
			next = position + 1;
	}
	for (size_t k = 0; k < f->m->job.n; k++) {
		const struct fsi_job *job = &f->m->job.v[k];
		const uint32_t i = fsi_job_find_assoc(f->m, job);

		if (job->state == FSI_STATE_PENDING && job->priority && i != FSI_NO_INDEX && f->eval_order[i] >= late)
			f->eval_order[i] = next++;
	}
	return 0;
}

/* ---- Fair Tree (src/plugins/priority/multifactor/fair_tree.c, Slurm 22.05 and 26.11)
 *
 *   S = raw shares / level shares            (for `parent` shares: values of the fs parent)
 *   U = usage / usage of the fs parent       (0 if the fs parent has no usage)
 *   LF = S / U; 0 if S is 0; infinite if U is 0, and for a user with `parent` shares
 *   fs parent: first ancestor with shares of its own
 *
 * Siblings are ranked by descending LF. If users and accounts have equal LF, the users are first. In the ranking, an
 * account is replaced by its descendants in their own order. Factor = rank / number of users; the best factor is 1, and
 * no factor is 0. Users with equal LF share the higher rank, and the lower ranks of the tie are skipped.
 *
 * According to the documentation, accounts of equal LF are merged, but the daemons do not merge them. If an account
 * ties with the account before it, the first user below it gets the rank that was assigned last (tests/cases/slurm,
 * s7-ties). */

/* Slurm's NO_VAL, which is also level_fs of the root and of accounts with `parent` shares */
static const long double slurm_no_val = 4294967294.0L;

static void set_tree_shares(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		const uint32_t of = fsi_has_parent_shares(a) && s->fs_parent != FSI_NO_INDEX ? s->fs_parent : i;
		/* Slurm never sets level_shares of the root, so it is NO_VAL */
		const uint32_t level = f->share[of].fs_parent == FSI_NO_INDEX ? 0xfffffffeu : f->share[of].level_shares;

		s->shares_norm = level ? (double)f->m->association.v[of].shares / level : 0;
		if (f->share[of].fs_parent != FSI_NO_INDEX && !f->share[of].level_known)
			s->shares_norm = NAN;
	}
}

static void set_level_factors(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		long double parent_usage;

		if (s->fs_parent == FSI_NO_INDEX) {
			s->level_fs = slurm_no_val;
			continue;
		}
		parent_usage = f->share[s->fs_parent].usage_raw;
		s->usage_efctv = isnan(parent_usage) ? NAN
				 : parent_usage > 0  ? s->usage_raw / parent_usage
						     : 0;
		if (fsi_has_parent_shares(a))
			s->level_fs = a->user ? INFINITY : slurm_no_val;
		else if (s->shares_norm == 0)
			s->level_fs = 0;
		else
			s->level_fs =
				s->usage_efctv == 0 ? INFINITY : s->shares_norm / s->usage_efctv;
	}
}

struct ranked_sibling {
	long double level;
	bool account;
	uint32_t list_position, row; /* list_position is the last sort key, and makes the sort stable */
};

static int compare_ranked_siblings(const void *x, const void *y)
{
	const struct ranked_sibling *a = x, *b = y;

	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	if (a->account != b->account)
		return a->account ? 1 : -1;
	return (a->list_position > b->list_position) - (a->list_position < b->list_position);
}

/* Sorts the list of children of each row in ranking order. `keys` has space for the longest list. */
static void sort_child_lists(struct fsi_fairshare *f, struct ranked_sibling *keys)
{
	for (uint32_t p = 0; p < f->n; p++) {
		const uint32_t start = f->first[p], count = f->first[p + 1] - start;

		for (uint32_t k = 0; k < count; k++) {
			const uint32_t row = f->child[start + k];

			keys[k] = (struct ranked_sibling){ f->share[row].level_fs, !f->m->association.v[row].user,
							   fsi_get_list_position(f, row, row), row };
		}
		qsort(keys, count, sizeof(*keys), compare_ranked_siblings);
		for (uint32_t k = 0; k < count; k++)
			f->child[start + k] = keys[k].row;
	}
}

struct list_frame {
	uint32_t pos, end;
	/* true: the account whose children are in this list ties with the row ranked before it. The first user ranked
	 * below the account then gets the same rank as the user ranked before. */
	bool tied;
	long double previous;
};

/* Ranks all users in a depth-first walk through the sorted lists of children. `stack` has space for every account. */
static void rank_tree_users(struct fsi_fairshare *f, struct list_frame *stack)
{
	uint32_t rank = f->users, next = f->users;
	struct list_frame *top = stack;

	*top = (struct list_frame){ f->first[0], f->first[1], false, slurm_no_val };
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
			*++top = (struct list_frame){ f->first[row], f->first[row + 1], tied, slurm_no_val };
		}
	}
}

/* Returns true if there are two sibling accounts with equal LevelFS whose order by name differs from their database
 * order. */
static bool does_order_matter(const struct fsi_fairshare *f)
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

static void rank_in_order(struct fsi_fairshare *f, struct ranked_sibling *keys, struct list_frame *stack)
{
	sort_child_lists(f, keys);
	rank_tree_users(f, stack);
}

static void rank_both_orders(struct fsi_fairshare *f, struct ranked_sibling *keys, struct list_frame *stack)
{
	const bool by_database = f->by_database;

	rank_in_order(f, keys, stack);
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].other_rank = f->share[i].rank;
	if (!is_list_order_assumed(f->m) || !does_order_matter(f))
		return;
	f->by_database = !by_database;
	rank_in_order(f, keys, stack);
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].other_rank = f->share[i].rank;
	f->by_database = by_database;
	rank_in_order(f, keys, stack);
}

static void finish_tree_rows(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];

		if (s->fs_parent == FSI_NO_INDEX || fsi_has_parent_shares(&f->m->association.v[i]))
			s->level_fs = NAN;
		s->printed_factor = s->factor;
		s->daemon_factor = f->m->association.v[i].user ? s->factor : 0;
	}
}

static int compute_fair_tree(struct fsi_fairshare *f)
{
	struct ranked_sibling *keys = malloc(((size_t)f->n + 1) * sizeof(*keys));
	struct list_frame *stack = malloc(((size_t)f->n + 1) * sizeof(*stack));
	const bool ok = keys && stack;
	bool known = true;

	if (ok) {
		set_tree_shares(f);
		set_level_factors(f);
		for (uint32_t i = 0; i < f->n; i++) {
			f->share[i].factor = NAN;
			known = known && !isnan(f->share[i].level_fs);
		}
		if (known && f->m->tree[0].end == f->n) /* all levels are known and the tree has one root */
			rank_both_orders(f, keys, stack);
		finish_tree_rows(f);
	}
	free(keys);
	free(stack);
	return ok ? 0 : -1;
}

const struct fsi_algorithm fsi_algorithm_fair_tree = {
	.name = "fair_tree",
	.summary = "Slurm's default: users ranked level by level through the tree",
	.has_levels = true,
	.compute = compute_fair_tree,
};

/* ---- Slurm's classic algorithms (src/plugins/priority/multifactor/priority_multifactor.c)
 *
 *   shares_norm  product of raw shares / level shares over the association and its ancestors, without the root
 *                and without associations with `parent` shares
 *                (assoc_mgr.c:_normalize_assoc_shares_traditional)
 *   classic      E = U + (Ep - U) s / L      (_set_usage_efctv)
 *   depth        E = Rp Rl^k S               (_depth_oblivious_set_usage_efctv; see fsi_depth_ratios)
 *   factor       2^(-(E / S) / FairShareDampeningFactor)    (_set_assoc_fs_factor)
 *
 * E: effective usage of the association. Ep: effective usage of its fs parent (first ancestor with shares of its own).
 * U: usage_norm. S: shares_norm. s: raw shares. L: level shares.
 *
 * The daemon mixes values of different times: it computes the usage_norm of an account before a decay run adds usage
 * (fairshare/narrow.h). */

static void set_classic_shares(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		const uint32_t parent = f->m->tree[i].parent;

		if (parent == FSI_NO_INDEX)
			s->shares_norm = 1;
		else if (fsi_has_parent_shares(a))
			s->shares_norm = f->share[s->fs_parent].shares_norm;
		else if (!s->level_known)
			s->shares_norm = NAN;
		else if (!s->level_shares)
			s->shares_norm = 0;
		else
			s->shares_norm = (double)a->shares / s->level_shares * f->share[s->fs_parent].shares_norm;
	}
}

static long double compute_classic_usage(const struct fsi_fairshare *f, uint32_t i)
{
	const struct fsi_share *s = &f->share[i], *p = &f->share[s->fs_parent];
	const struct fsi_association *a = &f->m->association.v[i];

	if (p->fs_parent == FSI_NO_INDEX)
		return s->usage_norm;
	if (fsi_has_parent_shares(a) || !s->level_shares)
		return p->usage_efctv;
	return s->usage_norm + (p->usage_efctv - s->usage_norm) * a->shares / s->level_shares;
}

static long double get_previous_norm(const struct fsi_fairshare *f, uint32_t row)
{
	return f->previous_norm ? f->previous_norm[row] : slurm_no_val;
}

/* Returns the sum of usage_norm over i and its siblings that have shares of their own. For a sibling that Slurm
 * evaluates after i, uses the usage_norm of the previous priority calculation (NO_VAL if there was none). */
static long double sum_level_usage(const struct fsi_fairshare *f, uint32_t i)
{
	const uint32_t parent = f->share[i].fs_parent;
	long double sum = 0;

	if (f->level_usage)
		return f->level_usage[parent];
	for (uint32_t k = f->first[parent]; k < f->first[parent + 1]; k++) {
		const uint32_t row = f->child[k];

		if (!fsi_has_parent_shares(&f->m->association.v[row]))
			sum += f->eval_order && f->eval_order[row] > f->eval_order[i] ? get_previous_norm(f, row)
										      : f->share[row].usage_norm;
	}
	return sum;
}

/* Computes the terms of DEPTH_OBLIVIOUS for association i; its effective usage is E = Rp Rl^k S:
 *
 *   Rp = Ep / Sp, Rl = (U / S) / Rs, Rs = (sum of usage_norm over i and its siblings) / Sp
 *   k = 1 / (1 + (5 ln Rp)^2) if one of Rp and Rl is above 1 and the other below 1; else k = 1
 *
 * U, S: usage_norm and shares_norm of i. Ep, Sp: usage_efctv and shares_norm of the fs parent of i (first ancestor with
 * shares of its own). */
bool fsi_depth_ratios(const struct fsi_fairshare *f, uint32_t i, struct fsi_depth_ratios *out)
{
	const struct fsi_share *s = &f->share[i], *p = &f->share[s->fs_parent];
	long double rs;

	*out = (struct fsi_depth_ratios){ .damping = 1 };
	if (p->fs_parent == FSI_NO_INDEX || fsi_has_parent_shares(&f->m->association.v[i]))
		return false;
	if (s->shares_norm == 0 || p->shares_norm == 0 || p->usage_efctv == 0 || s->usage_norm == 0)
		return false;
	out->parent = p->usage_efctv / p->shares_norm;
	rs = sum_level_usage(f, i) / p->shares_norm;
	out->level = s->usage_norm / s->shares_norm / rs;
	if (out->parent != 0 && out->level != 0 && logl(out->parent) * logl(out->level) < 0)
		out->damping = 1 / (1 + powl(5 * logl(out->parent), 2));
	return true;
}

static long double compute_depth_usage(const struct fsi_fairshare *f, uint32_t i)
{
	const struct fsi_share *s = &f->share[i], *p = &f->share[s->fs_parent];
	struct fsi_depth_ratios r;

	if (!fsi_depth_ratios(f, i, &r))
		return p->fs_parent != FSI_NO_INDEX && fsi_has_parent_shares(&f->m->association.v[i]) ? p->usage_efctv
												       : s->usage_norm;
	return r.parent * pow((double)r.level, (double)r.damping) * s->shares_norm;
}

static double compute_usage_factor(const struct fsi_fairshare *f, long double efctv, double shares_norm)
{
	if (!(shares_norm > 0))
		return isnan(shares_norm) ? NAN : 0;
	return pow(2.0, -((double)efctv / shares_norm) / f->dampening);
}

/* Sets factor, printed_factor and daemon_factor. In versions with FS_SLURM_DAEMON_FACTOR, the daemon stores and returns
 * the factor of every row but the root (priority_multifactor.c:priority_p_set_assoc_usage). Older daemons store the
 * factors of users only, and return no factor. Older versions of sshare compute FairShare from the row's EffectvUsage
 * and NormShares. For rows with `parent` shares, this value differs from the daemon's factor. */
static void set_classic_factors(struct fsi_fairshare *f)
{
	const bool by_sshare = !fs_slurm_has(f->compat, FS_SLURM_DAEMON_FACTOR);

	for (uint32_t i = 0; i < f->n; i++) {
		const struct fsi_association *a = &f->m->association.v[i];
		struct fsi_share *s = &f->share[i];
		const struct fsi_share *of = s;
		double factor;

		if (fsi_has_parent_shares(a) && s->fs_parent != FSI_NO_INDEX)
			of = &f->share[s->fs_parent];
		factor = compute_usage_factor(f, of->usage_efctv, of->shares_norm);
		s->factor = a->user ? factor : NAN;
		s->printed_factor = by_sshare ? compute_usage_factor(f, s->usage_efctv, s->shares_norm) : s->factor;
		s->daemon_factor = by_sshare || s->fs_parent == FSI_NO_INDEX ? 0 : factor;
		s->level_fs = NAN;
	}
}

static int compute_with_usage(struct fsi_fairshare *f, long double (*usage)(const struct fsi_fairshare *, uint32_t))
{
	set_classic_shares(f);
	for (uint32_t i = 0; i < f->n; i++)
		if (f->share[i].fs_parent != FSI_NO_INDEX)
			f->share[i].usage_efctv = usage(f, i);
	set_classic_factors(f);
	return 0;
}

static int compute_classic_shares(struct fsi_fairshare *f)
{
	return compute_with_usage(f, compute_classic_usage);
}

/* Fills f->level_usage. Returns -1 if out of memory. */
static int set_level_usage(struct fsi_fairshare *f)
{
	long double *sums = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*sums));

	if (!sums)
		return -1;
	for (uint32_t i = 0; i < f->n; i++)
		if (f->first[i] < f->first[i + 1])
			sums[i] = sum_level_usage(f, f->child[f->first[i]]);
	f->level_usage = sums;
	return 0;
}

static int compute_depth_shares(struct fsi_fairshare *f)
{
	if (f->new_tree && set_first_order(f))
		return -1;
	if (!f->eval_order && set_level_usage(f))
		return -1;
	return compute_with_usage(f, compute_depth_usage);
}

const struct fsi_algorithm fsi_algorithm_classic = {
	.name = "classic",
	.summary = "Slurm with NO_FAIR_TREE: usage compared with shares along the path to the root",
	.mixes_usage_times = true,
	.compute = compute_classic_shares,
};

const struct fsi_algorithm fsi_algorithm_depth_oblivious = {
	.name = "depth_oblivious",
	.summary = "Slurm with DEPTH_OBLIVIOUS: like classic, but independent of the tree's depth",
	.mixes_usage_times = true,
	.sums_siblings = true,
	.compute = compute_depth_shares,
};

/* ---- priority/basic: Slurm records usage, but no plugin computes shares or factors from this usage
 *
 * sshare shows the fields as the controller initialized them (src/common/assoc_mgr.c). */

static int compute_no_fairshare(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];
		const bool user = f->m->association.v[i].user != 0;

		s->shares_norm = NAN;
		s->usage_norm = NAN;
		s->usage_efctv = 0;
		s->level_fs = fsi_has_parent_shares(&f->m->association.v[i]) ? NAN : 0;
		s->factor = s->printed_factor = user ? 0 : NAN;
	}
	return 0;
}

static const struct fsi_algorithm fsi_no_fairshare = {
	.name = "none",
	.summary = "priority/basic: no fair share",
	.has_levels = true,
	.compute = compute_no_fairshare,
};

/* Returns the algorithm that slurm.conf selects. DEPTH_OBLIVIOUS also disables Fair Tree (src/common/read_config.c). */
const struct fsi_algorithm *fsi_slurm_algorithm(const fs_snapshot *m)
{
	const char *type = fs_snapshot_config_text(m, "PriorityType");
	const uint32_t set = fsi_config_get_list(m, "PriorityFlags");

	if (type && !strcmp(type, "priority/basic"))
		return &fsi_no_fairshare;
	if (fsi_list_has_word(m, set, "DEPTH_OBLIVIOUS"))
		return &fsi_algorithm_depth_oblivious;
	return fsi_list_has_word(m, set, "NO_FAIR_TREE") ? &fsi_algorithm_classic : &fsi_algorithm_fair_tree;
}
