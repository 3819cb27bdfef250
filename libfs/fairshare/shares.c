#include "fairshare/narrow.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "model/model.h"
#include "usage/ledger.h"
#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The functions of fs/shares.h: select the algorithm, run it, and present its rows. */

const char *fs_algorithm_name(size_t i)
{
	return i < fsi_algorithm_count ? fsi_algorithms[i]->name : NULL;
}

const char *fs_position_name(size_t i)
{
	static const char *const names[] = { "pow2", "ratio", "rank" };

	return i < sizeof(names) / sizeof(*names) ? names[i] : NULL;
}

const struct fsi_algorithm *fsi_algorithm_find(const fs_snapshot *m, const char *name)
{
	if (!name)
		return m->scheduler->algorithm ? m->scheduler->algorithm(m) : NULL;
	for (size_t i = 0; i < fsi_algorithm_count; i++)
		if (!strcmp(fsi_algorithms[i]->name, name))
			return fsi_algorithms[i];
	return NULL;
}

bool fs_algorithm_of_credentials(const char *name)
{
	const struct fsi_algorithm *a = name ? fsi_algorithm_find(NULL, name) : NULL;

	return a && a->own_rows;
}

/* Returns a LevelFS, or a weight of Flux, as a double. Users and banks of Flux without usage have the weight 2^64. This
 * weight becomes INFINITY. */
static double get_public_level(long double level)
{
	return level >= 18446744073709551616.0L ? (double)INFINITY : (double)level;
}

static struct fs_share_row make_share_row(const struct fs_shares *s, uint32_t i)
{
	const fs_snapshot *m = s->f.m;
	const struct fsi_association *a = &m->association.v[i];
	const struct fsi_share *x = &s->f.share[i];
	const bool root = m->tree[i].parent == FSI_NO_INDEX && !a->user;
	struct fs_share_row r = {
		.account = fsi_name_text(m, a->account),
		.parent = fsi_name_text(m, a->user ? a->account : a->parent),
		.user = fsi_name_text(m, a->user),
		.partition = fsi_name_text(m, a->partition),
		.id = fsi_is_type_hidden(m, FSI_HIDDEN_ASSOCIATION_IDS) ? 0 : a->id,
		.depth = m->tree[i].depth,
		.row = i,
		.parent_row = m->tree[i].parent,
		.raw_shares = a->shares,
		.norm_shares = x->shares_norm,
		.raw_usage = (double)(x->usage_raw + x->late_usage),
		.late_usage = (double)x->late_usage,
		.norm_usage = (double)x->usage_norm,
		.effective_usage = (double)x->usage_efctv,
		.fairshare = x->printed_factor,
		.daemon_factor = x->daemon_factor,
		.level_fs = get_public_level(x->level_fs),
		.rank = x->rank,
		.other_rank = x->other_rank ? x->other_rank : x->rank,
		.range.low = s->algorithm->has_ranges ? x->low : (double)NAN,
		.range.high = s->algorithm->has_ranges ? x->high : (double)NAN,
		.range.position = s->algorithm->has_ranges ? x->position : (double)NAN,
		.range.tied = x->tied,
		.counted = !m->tree[i].uncounted,
		.active = !FSI_HAS(a, ASSOCIATION, active) || a->active,
		.stored.fairshare = FSI_HAS(a, ASSOCIATION, fairshare) ? a->fairshare : (double)NAN,
		.stored.usage = FSI_HAS(a, ASSOCIATION, total_usage)               ? a->total_usage
				: a->user && FSI_HAS(a, ASSOCIATION, usage_tres_s) ? a->usage_tres_s
										   : (double)NAN,
		.visible = true,
	};

	if (fsi_has_parent_shares(a))
		r.shares_kind = FS_SHARES_PARENT;
	else if (FSI_HAS(a, ASSOCIATION, shares) && !root)
		r.shares_kind = FS_SHARES_NUMBER;
	return r;
}

static double get_known_value(const struct fsi_recorded *r, unsigned bit, double value)
{
	return fsi_is_field_known(&r->rec, bit) ? value : NAN;
}

/* Returns the recorded LevelFS. If none is recorded and the algorithm has levels, returns INFINITY for a user whose
 * recorded effective usage is 0, because an infinite LevelFS is never recorded. In all other cases, returns NAN. */
static double get_recorded_level(const struct fs_shares *s, const struct fsi_recorded *r, uint32_t row)
{
	const bool is_infinite = s->algorithm->has_levels && s->f.m->association.v[row].user &&
			     FSI_HAS(r, RECORDED, effective_usage) && r->effective_usage == 0;

	return FSI_HAS(r, RECORDED, level_fs) ? r->level_fs : is_infinite ? INFINITY : (double)NAN;
}

/* Clears the usage of accounts. In a pasted snapshot this usage is not exact. It is the sum of the usage of users,
 * which was printed without fractions, and some users may be missing. Also clears the usage of each user whose usage is
 * not recorded. */
static void clear_account_usage(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (!f->m->association.v[i].user || !FSI_HAS(&f->m->association.v[i], ASSOCIATION, usage_tres_s))
			f->share[i].usage_raw = NAN;
}

/* Fills each row with the values that the scheduler printed for it, if there are any. Called if part of the tree is
 * hidden from the capture, because users cannot be ranked without the whole tree. */
static void use_recorded_shares(struct fs_shares *out)
{
	struct fsi_fairshare *f = &out->f;

	for (size_t i = 0; i < f->m->recorded.n; i++) {
		const struct fsi_recorded *r = &f->m->recorded.v[i];
		const uint32_t row = FSI_HAS(r, RECORDED, association)
					     ? fsi_assoc_find_by_id(f->m, r->association)
					     : FSI_NO_INDEX;
		struct fsi_share *s;

		if (row == FSI_NO_INDEX)
			continue;
		s = &f->share[row];
		if (isnan(s->usage_raw) && FSI_HAS(r, RECORDED, raw_usage))
			s->usage_raw = r->raw_usage;
		s->shares_norm = get_known_value(r, FSI_RECORDED_norm_shares, r->norm_shares);
		s->usage_norm = get_known_value(r, FSI_RECORDED_norm_usage, r->norm_usage);
		s->usage_efctv = get_known_value(r, FSI_RECORDED_effective_usage, r->effective_usage);
		s->level_fs = get_recorded_level(out, r, row);
		s->factor = get_known_value(r, FSI_RECORDED_factor, r->factor);
		if (!(s->factor >= 0 && s->factor <= 1))
			s->factor = NAN;
		s->printed_factor = s->daemon_factor = s->factor;
		s->rank = s->other_rank = 0;
	}
}

static void clear_share_values(struct fsi_share *s)
{
	s->shares_norm = s->factor = s->printed_factor = s->daemon_factor = NAN;
	s->usage_norm = s->usage_efctv = s->level_fs = NAN;
	s->low = s->high = s->position = NAN;
	s->rank = s->other_rank = s->tied = s->sibling_position = s->tied_peers = 0;
	s->other_kind_ties = false;
}

/* Clears the computed values of rows that have no fair share (fsi_tree_node.uncounted). If `all` is true, clears the
 * values of all rows, because no share, ratio or rank is valid without the whole tree. */
static void clear_unknown_shares(struct fsi_fairshare *f, bool all)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (all || f->m->tree[i].uncounted)
			clear_share_values(&f->share[i]);
}

/* Sets factor and printed_factor of each association to the fairshare value that flux-accounting stores for it. */
static void use_stored_factors(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (FSI_HAS(&f->m->association.v[i], ASSOCIATION, fairshare) && !f->m->tree[i].uncounted)
			f->share[i].factor = f->share[i].printed_factor = f->m->association.v[i].fairshare;
}

/* Fills f->own_usage, the usage of each row without the rows below it. If u is NULL, this is captured usage. Otherwise,
 * it is the total of the row minus the totals of its children; a difference within rounding error counts as 0. `total`:
 * usage of each row and all rows below it. */
static void find_own_usage(struct fsi_fairshare *f, const fs_usage *u, const long double *total)
{
	const double rounding = 1e-9;

	for (uint32_t i = 0; i < f->n; i++) {
		long double below = 0;

		f->own_usage[i] = u ? (double)total[i] : f->m->association.v[i].usage_tres_s;
		if (!u || f->m->association.v[i].user)
			continue;
		for (uint32_t c = i + 1; c < f->m->tree[i].end; c = f->m->tree[c].end)
			below += total[c];
		f->own_usage[i] = total[i] - below > rounding * total[i] ? (double)(total[i] - below) : 0;
	}
}

/* Subtracts from usage_raw the charges after the last priority calculation. Captured usage may be less than these
 * charges, because it has few digits; the result is then 0. Returns -1 if out of memory. */
static int subtract_late_usage(struct fsi_fairshare *f, long double *late)
{
	if (fsi_usage_find_late(f->m, 0, late))
		return -1;
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];

		s->late_usage = late[i] < s->usage_raw ? late[i] : s->usage_raw;
		s->usage_raw -= s->late_usage;
	}
	return 0;
}

/* Returns true if all charges in the usage u were made by runs of Slurm's decay thread. The result is true if u is NULL
 * (recorded usage), or if u is computed from recorded usage by later runs of that thread. */
static bool is_charged_by_runs(const fs_snapshot *m, const fs_usage *u)
{
	return !u || (fsi_is_usage_moved(m, u) && u->o.source == FS_USAGE_RECORDED && u->decay.model == FS_DECAY_SLURM);
}

/* Returns true if usage_norm and usage of the rows are values of different times. Three conditions must hold. The
 * algorithm is the scheduler's own and mixes values of different times; the decay thread charged the usage; the time of
 * the last calculation is known. */
static bool mixes_usage_times(const struct fs_shares *s)
{
	const fs_snapshot *m = s->f.m;

	return s->algorithm->mixes_usage_times && s->algorithm == fsi_algorithm_find(m, NULL) &&
	       is_charged_by_runs(m, s->usage) && m->info.priority_time_known;
}

static int compute_share_rows(struct fs_shares *s, const fs_snapshot *m, const struct fs_view *o)
{
	struct fsi_fairshare *f = &s->f;
	struct fsi_viewer viewer;
	long double *usage = malloc((m->association.n + 1) * sizeof(*usage));

	*f = (struct fsi_fairshare){ .m = m, .n = (uint32_t)m->association.n, .arena = &s->arena };
	f->position = o ? o->position : FS_POSITION_POW2;
	f->compat = o && o->compat ? o->compat : m->info.version;
	f->dampening = (double)fsi_config_get_int(m, "FairShareDampeningFactor", 1);
	if (f->dampening < 1)
		f->dampening = 1;
	f->new_tree = fsi_is_new_tree(m) && !(s->usage && s->usage->decay.last > m->info.priority_time);
	f->by_database = fsi_is_database_order(m);
	f->share = fsi_arena_array(&s->arena, (size_t)f->n + 1, sizeof(*f->share));
	s->rows = fsi_arena_array(&s->arena, (size_t)f->n + 1, sizeof(*s->rows));
	f->own_usage = fsi_arena_array(&s->arena, (size_t)f->n + 1, sizeof(*f->own_usage));
	if (!usage || !f->share || !f->own_usage || !s->rows || fsi_shares_link(f)) {
		free(usage);
		return -1;
	}
	fsi_usage_totals(m, s->usage, usage);
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].usage_raw = usage[i];
	find_own_usage(f, s->usage, usage);
	if (!s->usage && subtract_late_usage(f, usage)) {
		free(usage);
		return -1;
	}
	free(usage);
	fsi_shares_set_usage_norm(f);
	if (mixes_usage_times(s) && fsi_norm_times_apply(f, s->usage, s->algorithm->sums_siblings && !f->new_tree))
		return -1;
	if (s->algorithm->compute(f))
		return -1;
	clear_unknown_shares(f, fsi_is_type_hidden(m, "association"));
	if (fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS))
		clear_account_usage(f);
	if (fsi_is_type_hidden(m, "association")) {
		use_stored_factors(f);
		use_recorded_shares(s);
	}
	fsi_viewer_init(&viewer, m, o ? o->viewer : NULL);
	for (uint32_t i = 0; i < f->n; i++) {
		s->rows[i] = make_share_row(s, i);
		s->rows[i].visible = fsi_viewer_may_see_usage(&viewer, &m->association.v[i]);
	}
	return 0;
}

/* Returns FS_ENODATA if part of the tree is hidden, or if shares or usage of a counted association are missing. Called
 * if the algorithm needs this data and was requested by name. */
static int check_needed_inputs(const fs_snapshot *m, const char *name, struct fs_error *err)
{
	if (fsi_is_type_hidden(m, "association"))
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: algorithm %s requires the whole association tree; part of the tree "
					  "was hidden from the capture",
					  m->file, name);
	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const bool usage = FSI_HAS(a, ASSOCIATION, usage_tres_s);
		const bool shares = FSI_HAS(a, ASSOCIATION, shares) || m->tree[i].parent == FSI_NO_INDEX;

		if (!m->tree[i].uncounted && (!usage || !shares))
			return fsi_fail_with_code(err, FS_ENODATA,
						  "%s: algorithm %s requires the %s of every account and user; "
						  "association %u (%s%s%s) has none",
						  m->file, name, usage ? "shares" : "usage", a->id,
						  fsi_name_text(m, a->account), a->user ? " " : "",
						  fsi_name_text(m, a->user));
	}
	return 0;
}

int fs_shares_compute(fs_shares **out, const fs_snapshot *m, const struct fs_view *o, struct fs_error *err)
{
	const char *name = o ? o->algorithm : NULL;
	const struct fsi_algorithm *algorithm = fsi_algorithm_find(m, name);
	struct fs_shares *s;
	int rc;

	if (!algorithm && name)
		return fsi_fail_with_code(err, FS_EUSAGE, "unknown algorithm \"%s\"", name);
	if (!algorithm)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: no default fair-share algorithm for scheduler \"%s\": give --algorithm", m->file,
					  m->info.scheduler);
	if (!m->association.n && !algorithm->own_rows)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: the snapshot holds no associations%s", m->file,
					  fsi_is_type_hidden(m, "association") ? " (they were hidden from the capture)"
									       : "");
	if (name && algorithm->needs_all && !(o && o->usage) && (rc = check_needed_inputs(m, name, err)))
		return rc;
	s = calloc(1, sizeof(*s));
	if (!s)
		return fsi_fail_no_memory(err);
	s->algorithm = algorithm;
	s->usage = o ? o->usage : NULL;
	s->f.m = m;
	if (algorithm->own_rows)
		rc = algorithm->own_rows(s, m, err);
	else
		rc = compute_share_rows(s, m, o) ? fsi_fail_no_memory(err) : 0;
	if (rc)
		fs_shares_free(s);
	else
		*out = s;
	return rc;
}

/* ---- values that the scheduler printed */

/* Sets *value to the printed value. `known`: the value was printed. If the printed value has six decimals, as in the
 * tables of sshare, and *value rounds to it, keeps *value, which has more decimals. Values that are almost halfway
 * between two printed values are replaced, because they may be rounded to the other one. */
static void use_recorded_value(double *value, bool known, double printed)
{
	const double digit = 1e-6, half_digit = 0.499999e-6;
	const bool rounded = fabs(printed / digit - nearbyint(printed / digit)) < digit;

	if (known && !(rounded && fabs(*value - printed) <= half_digit))
		*value = printed;
}

static void use_recorded_row(const struct fs_shares *s, uint32_t i, const struct fsi_recorded *r)
{
	struct fs_share_row *row = &s->rows[i];
	const double level = get_recorded_level(s, r, i);

	use_recorded_value(&row->norm_shares, FSI_HAS(r, RECORDED, norm_shares), r->norm_shares);
	use_recorded_value(&row->norm_usage, FSI_HAS(r, RECORDED, norm_usage), r->norm_usage);
	use_recorded_value(&row->effective_usage, FSI_HAS(r, RECORDED, effective_usage), r->effective_usage);
	use_recorded_value(&row->fairshare, FSI_HAS(r, RECORDED, factor), r->factor);
	/* for some rows, such as users with shares=parent, sshare prints no LevelFS, and the computed value is NAN */
	use_recorded_value(&row->level_fs, !isnan(level) && !isnan(row->level_fs), level);
	/* sshare prints the whole part of the usage */
	if (FSI_HAS(r, RECORDED, raw_usage) && floor(row->raw_usage) != (double)r->raw_usage)
		row->raw_usage = (double)r->raw_usage;
}

void fs_shares_use_recorded(fs_shares *s, const fs_snapshot *m, const struct fs_view *view)
{
	struct fs_view v = view ? *view : (struct fs_view){ 0 };

	if (v.compat == m->info.version)
		v.compat = 0;
	if (!m->info.version || fs_view_differs(&v) || m->edits || s->algorithm->own_rows)
		return;
	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		uint32_t row = FSI_NO_INDEX;

		if (FSI_HAS(r, RECORDED, association))
			row = fsi_assoc_find_by_id(m, r->association);
		if (row != FSI_NO_INDEX)
			use_recorded_row(s, row, r);
	}
}

/* ---- new tree
 *
 * DEPTH_OBLIVIOUS sums usage_norm over siblings. An association added since the previous calculation has the usage_norm
 * NO_VAL until it is evaluated (priority_multifactor.c:_depth_oblivious_set_usage_efctv). NO_VAL is so large that
 * siblings evaluated before the new association get almost no effective usage, which the printed values show. Confirmed
 * on 22.05 with accounts that were added after the controller's start. */

/* Sets the header field new_tree to `new_tree` and computes shares. Sets *n to the number of associations whose
 * computed effective usage equals the printed one. Returns -1 if out of memory. */
static int count_matching_rows(fs_snapshot *m, bool new_tree, size_t *n)
{
	const double digit = 0.51e-6;
	struct fs_error err;
	fs_shares *s;

	*n = 0;
	m->head.new_tree = new_tree;
	FSI_SET(&m->head, SNAPSHOT, new_tree);
	if (fs_shares_compute(&s, m, NULL, &err))
		return -1;
	for (size_t k = 0; k < m->recorded.n; k++) {
		const struct fsi_recorded *r = &m->recorded.v[k];
		const bool is_recorded = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, effective_usage);
		const uint32_t row = is_recorded ? fsi_assoc_find_by_id(m, r->association) : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			*n += fabs((double)s->f.share[row].usage_efctv - r->effective_usage) <= digit;
	}
	fs_shares_free(s);
	return 0;
}

int fsi_infer_new_tree(fs_snapshot *m)
{
	const bool assumed = fsi_is_first_calculation(m);
	size_t as_assumed, otherwise;

	if (fsi_algorithm_find(m, NULL) != &fsi_algorithm_depth_oblivious || FSI_HAS(&m->head, SNAPSHOT, new_tree))
		return 0;
	if (count_matching_rows(m, assumed, &as_assumed) || count_matching_rows(m, !assumed, &otherwise))
		return -1;
	if (otherwise <= as_assumed)
		FSI_UNSET(&m->head, SNAPSHOT, new_tree);
	return 0;
}

/* ---- access to computed shares */

void fs_shares_free(fs_shares *s)
{
	if (!s)
		return;
	fsi_arena_release(&s->arena);
	free(s);
}

size_t fs_shares_count(const fs_shares *s)
{
	return s ? s->f.n : 0;
}

const struct fs_share_row *fs_shares_row(const fs_shares *s, size_t i)
{
	return i < fs_shares_count(s) ? &s->rows[i] : NULL;
}

const char *fs_shares_algorithm(const fs_shares *s)
{
	return s->algorithm->name;
}

bool fs_shares_mix_moments(const fs_shares *s)
{
	return s && s->f.usage_times_differ;
}

bool fs_shares_has_levels(const fs_shares *s)
{
	return s && s->algorithm->has_levels;
}

bool fs_shares_has_ranges(const fs_shares *s)
{
	return s && s->algorithm->has_ranges;
}

uint32_t fs_shares_users(const fs_shares *s)
{
	return s ? s->f.users : 0;
}

/* Fills out[] with TRES, in the cluster's order of TRES, and with the amount of each. If `all` is true, lists every
 * TRES, with amount 0 if it is not in the set; otherwise, lists only the TRES of the set. */
static int list_row_tres(const fs_snapshot *m, uint32_t set, bool all, struct fs_tres *out, size_t max)
{
	size_t n, count = 0;
	const struct fsi_amount *a = fsi_amount_items(m, set, &n);

	for (size_t k = 0; k < m->tres.n && count < max; k++) {
		size_t i = k < n && a[k].tres == m->tres.v[k].name ? k : 0;

		while (i < n && a[i].tres != m->tres.v[k].name)
			i++;
		if (i < n || all)
			out[count++] = (struct fs_tres){ fsi_name_text(m, m->tres.v[k].name), i < n ? a[i].n : 0 };
	}
	return (int)count;
}

int fs_shares_tres(const fs_shares *s, size_t i, enum fs_share_tres which, struct fs_tres *out, size_t max)
{
	const fs_snapshot *m;
	const struct fsi_association *a;

	if (i >= fs_shares_count(s) || s->algorithm->own_rows)
		return FS_ENODATA;
	m = s->f.m;
	a = &m->association.v[i];
	switch (which) {
	case FS_SHARE_TRES_LIMIT:
		return list_row_tres(m, a->grp_tres_min, false, out, max);
	case FS_SHARE_TRES_RUNNING:
		if (!FSI_HAS(a, ASSOCIATION, run_by_tres_min) || fsi_is_usage_moved(m, s->usage))
			return FS_ENODATA;
		return list_row_tres(m, a->run_by_tres_min, true, out, max);
	case FS_SHARE_TRES_USAGE:
		return fsi_usage_tres_min(m, s->usage, (uint32_t)i, out, max);
	}
	return FS_ENODATA;
}

int fs_shares_tres_seconds(const fs_shares *s, size_t i, enum fs_share_tres which, double *out, size_t max)
{
	if (i >= fs_shares_count(s) || s->algorithm->own_rows)
		return FS_ENODATA;
	switch (which) {
	case FS_SHARE_TRES_USAGE:
		return fsi_usage_tres_seconds(s->f.m, s->usage, (uint32_t)i, out, max);
	case FS_SHARE_TRES_RUNNING:
		return fsi_is_usage_moved(s->f.m, s->usage)
			       ? FS_ENODATA
			       : fsi_remaining_tres_seconds(s->f.m, (uint32_t)i, out, max);
	default:
		return FS_ENODATA;
	}
}

double fs_share_factor(const struct fs_share_row *row)
{
	return isnan(row->fairshare) && !*row->user && row->daemon_factor > 0 ? row->daemon_factor : row->fairshare;
}
