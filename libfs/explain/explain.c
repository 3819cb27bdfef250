/* Finds jobs, users, accounts and credentials by the words that a user types. Counts their jobs, and explains paths
 * through the share tree. */
#include "explain/explain.h"

#include "fairshare/fairshare.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets x->prio_row. The loop runs backwards, so that the entry of each job is its first row in the priorities. */
static int map_priority_rows(fs_explain *x)
{
	const fs_prios *p = x->from.prios;

	if (!p)
		return 0;
	x->prio_row = fsi_arena_alloc(&x->arena, (x->m->job.n + 1) * sizeof(*x->prio_row));
	if (!x->prio_row)
		return -1;
	memset(x->prio_row, 0xff, (x->m->job.n + 1) * sizeof(*x->prio_row)); /* sets all entries to FSI_NO_INDEX */
	for (size_t i = p->row.n; i-- > 0;)
		x->prio_row[p->row.v[i].job] = (uint32_t)i;
	return 0;
}

int fs_explain_new(fs_explain **out, const struct fs_eval *from, struct fs_error *err)
{
	fs_explain *x = calloc(1, sizeof(*x));

	if (!x)
		return fsi_fail_no_memory(err);
	x->from = *from;
	x->m = from->snapshot;
	fsi_viewer_init(&x->viewer, x->m, from->viewer);
	if (map_priority_rows(x)) {
		fs_explain_free(x);
		return fsi_fail_no_memory(err);
	}
	*out = x;
	return 0;
}

void fs_explain_free(fs_explain *x)
{
	if (!x)
		return;
	fsi_arena_release(&x->arena);
	free(x);
}

/* ---- jobs */

uint32_t fs_explain_find_job(const fs_explain *x, const char *word)
{
	struct fsi_job_ref w;
	uint32_t match;
	int best = 0;

	if (fsi_job_ref_parse(x->m, word, &w))
		return FSI_NO_INDEX;
	match = fsi_job_ref_row_by_id(x->m, &w);
	if (match != FSI_NO_INDEX && fsi_viewer_may_see_job(&x->viewer, &x->m->job.v[match]))
		return match;
	match = FSI_NO_INDEX;
	for (uint32_t i = 0; i < x->m->job.n && best < 3; i++) {
		const int f = fsi_job_ref_match(x->m, &x->m->job.v[i], &w);

		if (f > best && fsi_viewer_may_see_job(&x->viewer, &x->m->job.v[i])) {
			best = f;
			match = i;
		}
	}
	return match;
}

/* ---- accounts and users */

static bool may_see_row(const fs_explain *x, uint32_t row)
{
	return x->from.shares ? x->from.shares->rows[row].visible
			      : fsi_viewer_may_see_usage(&x->viewer, &x->m->association.v[row]);
}

uint32_t fs_explain_find_row(const fs_explain *x, const char *account, const char *user)
{
	const fs_snapshot *m = x->m;
	const uint32_t a = *account ? fsi_name_find(m, account) : 0,
		       u = *user ? fsi_name_find(m, user) : 0;
	const struct fsi_user *record = u ? fsi_user_find(m, u) : NULL;
	uint32_t match = FSI_NO_INDEX;

	if ((*account && !a) || (*user && !u))
		return FSI_NO_INDEX;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *s = &m->association.v[i];

		if (s->user != u || (a && s->account != a) || !may_see_row(x, i))
			continue;
		if (a || !record || s->account == record->default_account)
			return i;
		if (match == FSI_NO_INDEX)
			match = i;
	}
	return match;
}

/* Counts the job in row i. A suspended job counts as running, a held job as held and pending. Ended and completing jobs
 * are not counted. */
static void count_job_by_section(const fs_explain *x, uint32_t i, struct fs_explain_count *out)
{
	const struct fs_reason *reason;

	switch (fsi_explain_get_section(x, i, &reason)) {
	case FS_SECTION_RUNNING:
	case FS_SECTION_SUSPENDED:
		out->running++;
		break;
	case FS_SECTION_ENDED:
	case FS_SECTION_COMPLETING:
		break;
	case FS_SECTION_HELD:
		out->held++;
		out->pending++;
		break;
	default:
		out->pending++;
	}
}

void fs_explain_count(const fs_explain *x, uint32_t share_row, struct fs_explain_count *out)
{
	const fs_snapshot *m = x->m;
	const uint32_t end = m->tree[share_row].end;

	*out = (struct fs_explain_count){ .first = FSI_NO_INDEX };
	for (uint32_t i = 0; i < m->job.n; i++) {
		const uint32_t assoc = fsi_explain_find_association(m, &m->job.v[i]);

		if (assoc != FSI_NO_INDEX && assoc >= share_row && assoc < end &&
		    fsi_viewer_may_see_job(&x->viewer, &m->job.v[i]))
			count_job_by_section(x, i, out);
	}
	for (size_t i = 0; x->from.queue && i < x->from.queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->from.queue->record.v[i];
		const uint32_t assoc = fsi_explain_find_association(m, &m->job.v[r->job]);

		if (!r->tried)
			break;
		if (!r->eligible || !r->rank.overall || assoc == FSI_NO_INDEX || assoc < share_row || assoc >= end ||
		    !fsi_viewer_may_see_job(&x->viewer, &m->job.v[r->job]))
			continue;
		if (!out->eligible++)
			out->first = r->job;
	}
}

/* ---- paths through the share tree */

/* Returns the value by which siblings are ranked. The value is level_fs, except for users with `parent` shares. For
 * these users the value is INFINITY, because Fair Tree ranks them first without computing a level_fs. */
static long double get_sibling_level(const struct fsi_fairshare *f, uint32_t row)
{
	const struct fsi_association *a = &f->m->association.v[row];

	return fsi_has_parent_shares(a) && a->user ? INFINITY : f->share[row].level_fs;
}

static bool is_parent_shares_account(const struct fsi_fairshare *f, uint32_t row)
{
	const struct fsi_association *a = &f->m->association.v[row];

	return fsi_has_parent_shares(a) && !a->user;
}

/* Sorts siblings in the order in which Flux walks through the share tree; rows without a position in that walk come
 * last. */
static int compare_walk_positions(const void *x, const void *y, const void *ctx)
{
	const struct fsi_fairshare *f = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const uint32_t pa = f->share[a].sibling_position, pb = f->share[b].sibling_position;

	if (!pa != !pb)
		return pa ? -1 : 1;
	if (pa != pb)
		return pa < pb ? -1 : 1;
	return (a > b) - (a < b);
}

/* Sets l->siblings to the children of share row l->above. Leaves out accounts with `parent` shares, because their
 * children are already in the list. Returns -1 if out of memory. */
static int list_level_siblings(fs_explain *x, struct fs_explain_level *l)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	const uint32_t start = f->first[l->above], end = f->first[l->above + 1];
	uint32_t *v = fsi_arena_array(&x->arena, (size_t)(end - start) + 1, sizeof(*v));

	if (!v)
		return -1;
	for (uint32_t k = start; k < end; k++)
		if (!is_parent_shares_account(f, f->child[k]))
			v[l->count++] = f->child[k];
	l->siblings = v;
	return x->from.shares->algorithm->has_sibling_positions
		       ? fs_sort(v, l->count, sizeof(*v), compare_walk_positions, f)
		       : 0;
}

/* Sets the row's position among its siblings, and the number of siblings that are equal to it. The siblings are ranked
 * by level_fs or, for Flux, by the order in which Flux walks through the share tree. */
static void rank_among_siblings(const fs_explain *x, struct fs_explain_level *l)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	const long double own = get_sibling_level(f, l->row);

	if (x->from.shares->algorithm->has_sibling_positions) {
		l->place = f->share[l->row].sibling_position;
		l->tied = f->share[l->row].tied_peers;
		l->other_kind_ties = f->share[l->row].other_kind_ties;
		return;
	}
	if (isnan(own))
		return;
	l->place = 1;
	for (uint32_t k = 0; k < l->count; k++) {
		if (l->siblings[k] == l->row)
			continue;
		if (get_sibling_level(f, l->siblings[k]) == own)
			l->tied++;
		else
			l->place += get_sibling_level(f, l->siblings[k]) > own;
	}
}

/* Sets l->level_shares and l->level_usage to the sums over the siblings, from which Flux computes weights. Sets
 * l->group, l->groups and l->lower for flux_range, which forms groups of siblings of equal weight. */
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
		if (!fsi_has_parent_shares(&f->m->association.v[row]))
			l->level_shares += f->m->association.v[row].shares;
		if (own->groups && own->group && f->share[row].group == own->group - 1)
			l->lower = row;
	}
}

static int fill_path_level(fs_explain *x, uint32_t row, struct fs_explain_level *l)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	struct fsi_depth_ratios d;

	*l = (struct fs_explain_level){ .row = row, .above = f->share[row].fs_parent };
	l->level_shares = f->share[row].level_known ? f->share[row].level_shares : (double)NAN;
	l->level_usage = l->parent_ratio = l->level_ratio = l->damping = NAN;
	l->lower = FS_NO_ROW;
	if (list_level_siblings(x, l))
		return -1;
	if (x->from.shares->algorithm->has_sibling_positions)
		fill_flux_level(x, l);
	if (x->from.shares->algorithm->has_levels)
		rank_among_siblings(x, l);
	if (x->from.shares->algorithm == &fsi_algorithm_depth_oblivious && fsi_depth_ratios(f, row, &d)) {
		l->parent_ratio = (double)d.parent;
		l->level_ratio = (double)d.level;
		l->damping = (double)d.damping;
	}
	return 0;
}

static int fill_all_levels(fs_explain *x, struct fs_explain_path *out)
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
		if (fill_path_level(x, row, &v[k]))
			return -1;
	out->level = v;
	out->levels = n;
	return 0;
}

static void count_users_by_rank(const struct fsi_fairshare *f, struct fs_explain_path *out)
{
	out->rank = f->share[out->row].rank;
	for (uint32_t i = 0; out->rank && i < f->n; i++) {
		const uint32_t rank = f->share[i].rank;

		out->better += rank > out->rank;
		out->tied += rank == out->rank && i != out->row;
		out->worse += rank && rank < out->rank;
	}
}

/* Counts the users with a higher, an equal and a lower factor than the user in row out->row. Used for algorithms
 * without ranks. */
static void count_users_by_factor(const struct fsi_fairshare *f, struct fs_explain_path *out)
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
	out->rank_known = true;
}

/* Counts the users with a better, an equal and a worse fair share than the user in row out->row. Compares their ranks.
 * If the algorithm has no ranks, compares their factors. */
static void count_compared_users(const fs_shares *s, struct fs_explain_path *out)
{
	count_users_by_rank(&s->f, out);
	if (out->rank)
		out->rank_known = true;
	else if (out->user && !isnan(out->factor) && !s->algorithm->has_levels)
		count_users_by_factor(&s->f, out);
}

static double get_recorded_factor(const fs_explain *x, uint32_t row)
{
	const fs_snapshot *m = x->m;

	if (!isnan(x->from.shares->rows[row].stored.fairshare))
		return x->from.shares->rows[row].stored.fairshare;
	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];

		if (FSI_HAS(r, RECORDED, association) && r->association == m->association.v[row].id)
			return FSI_HAS(r, RECORDED, factor) ? r->factor : (double)NAN;
	}
	return NAN;
}

static bool has_hidden_sibling(const fs_explain *x, const struct fs_explain_path *p)
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
	const bool above = fsi_has_parent_shares(&x->m->association.v[row]);

	*out = (struct fs_explain_path){
		.algorithm = s->algorithm->name,
		.row = row,
		.user = x->m->association.v[row].user != 0,
		.users = f->users,
		.factor = f->share[row].factor,
		.formula_row = above && f->share[row].fs_parent != FSI_NO_INDEX ? f->share[row].fs_parent : row,
		.dampening = f->dampening,
		.recorded = get_recorded_factor(x, row),
		.has_ranges = s->algorithm->has_ranges,
		.recorded_factor_used = fsi_is_type_hidden(x->m, "association"),
	};
	out->formula_usage = (double)f->share[out->formula_row].usage_efctv;
	out->formula_shares = f->share[out->formula_row].shares_norm;
	if (fill_all_levels(x, out))
		return fsi_fail_no_memory(err);
	count_compared_users(s, out);
	out->hidden = has_hidden_sibling(x, out);
	return 0;
}

/* Compares the two siblings at which two paths diverge. Sets out->tied and out->first. For Flux, the sibling that the
 * walk through the share tree reaches earlier is ahead. */
static void compare_diverging_rows(const fs_explain *x, uint32_t a, uint32_t b, struct fs_explain_divergence *out)
{
	const struct fsi_fairshare *f = &x->from.shares->f;
	const uint32_t pa = f->share[a].sibling_position, pb = f->share[b].sibling_position;
	const long double la = get_sibling_level(f, a), lb = get_sibling_level(f, b);

	if (x->from.shares->algorithm->has_sibling_positions) {
		out->tied = pa && pa == pb;
		out->first = pa && pb ? (pa > pb) - (pa < pb) : 0;
	} else if (!isnan(la) && !isnan(lb)) {
		out->tied = la == lb;
		out->first = (lb > la) - (lb < la);
	}
}

static int compare_path_factors(const struct fs_explain_path *a, const struct fs_explain_path *b)
{
	return isnan(a->factor) || isnan(b->factor) ? 0 : (b->factor > a->factor) - (a->factor > b->factor);
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
		compare_diverging_rows(x, a->level[k].row, b->level[k].row, out);
		/* two siblings may be equal although the users below them are not; the ranks of the two users then
		 * decide which user is first */
		if (a->rank && b->rank)
			out->first = (b->rank > a->rank) - (b->rank < a->rank);
	} else {
		out->first = compare_path_factors(a, b);
		out->tied = a->factor == b->factor;
	}
}

/* ---- credentials of Maui */

static uint32_t find_named_credential(const fs_windows *w, const char *name, bool any, enum fs_cred_kind kind)
{
	for (uint32_t i = 0; i < fs_windows_count(w); i++) {
		const struct fs_window_row *r = fs_windows_row(w, i);

		if ((any || r->kind == kind) && !strcmp(r->name, name))
			return i;
	}
	return FSI_NO_INDEX;
}

uint32_t fs_explain_find_credential(const fs_explain *x, const char *word)
{
	const fs_windows *w = x->from.windows;
	const size_t len = strcspn(word, ":");

	if (!w || !*word)
		return FSI_NO_INDEX;
	for (int k = 0; word[len] && k < FS_CRED_KINDS; k++) {
		const char *kind = fs_cred_kind_name((enum fs_cred_kind)k);

		if (strlen(kind) == len && !strncmp(word, kind, len))
			return find_named_credential(w, word + len + 1, false, (enum fs_cred_kind)k);
	}
	return find_named_credential(w, word, true, FS_CRED_USER);
}

void fs_explain_count_credential(const fs_explain *x, uint32_t window_row, struct fs_explain_count *out)
{
	const fs_windows *w = x->from.windows;
	const enum fs_cred_kind kind = fs_windows_row(w, window_row)->kind;
	struct fs_cap_row cap;

	*out = (struct fs_explain_count){ .first = FSI_NO_INDEX };
	for (uint32_t i = 0; i < x->m->job.n; i++) {
		const struct fsi_job *j = &x->m->job.v[i];
		uint32_t creds[FS_CRED_KINDS];

		fsi_windows_job_credentials(w, j, creds);
		if (creds[kind] == FSI_NO_INDEX || fsi_windows_credential_row(w, creds[kind]) != window_row ||
		    !fsi_viewer_may_see_job(&x->viewer, j))
			continue;
		count_job_by_section(x, i, out);
		if (j->state == FSI_STATE_PENDING)
			out->blocked += fs_windows_capped(w, i, &cap);
	}
}

void fs_explain_compare_credentials(const fs_explain *x, uint32_t window_row_a,
				   uint32_t window_row_b, struct fs_explain_credentials *out)
{
	const struct fs_window_row *a = fs_windows_row(x->from.windows, window_row_a);
	const struct fs_window_row *b = fs_windows_row(x->from.windows, window_row_b);
	const fs_prios *p = x->from.prios;

	*out = (struct fs_explain_credentials){ .same_kind = a->kind == b->kind, .points = NAN };
	out->weighted = p && p->scheduler->fill_fairshare;
	if (out->weighted) {
		p->scheduler->fill_fairshare(p, a->kind, a->factor, &out->a);
		p->scheduler->fill_fairshare(p, b->kind, b->factor, &out->b);
	}
	out->factor = a->factor - b->factor;
	out->percent = a->percent - b->percent;
	out->usage_s = a->usage_s - b->usage_s;
	if (out->weighted)
		out->points = out->a.points - out->b.points;
}
