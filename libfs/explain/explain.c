#include "explain/explain.h"

#include "fairshare/fairshare.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a user's word means, and the object that keeps an explanation. */

/* Rows are looked at backwards, so that the first one of each job is what stays. */
static int map_prios(fs_explain *x)
{
	const fs_prios *p = x->from.prios;

	if (!p)
		return 0;
	x->prio_row = fsi_arena_alloc(&x->arena, (x->m->job.n + 1) * sizeof(*x->prio_row));
	if (!x->prio_row)
		return -1;
	memset(x->prio_row, 0xff, (x->m->job.n + 1) * sizeof(*x->prio_row)); /* FSI_NO_INDEX */
	for (size_t i = p->row.n; i-- > 0;)
		x->prio_row[p->row.v[i].job] = (uint32_t)i;
	return 0;
}

int fs_explain_new(fs_explain **out, const struct fs_eval *from, struct fs_error *err)
{
	fs_explain *x = calloc(1, sizeof(*x));

	if (!x)
		return fsi_nomem(err);
	x->from = *from;
	x->m = from->snapshot;
	fsi_viewer_init(&x->viewer, x->m, from->viewer);
	if (map_prios(x)) {
		fs_explain_free(x);
		return fsi_nomem(err);
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
	struct fsi_job_word w;
	uint32_t found;
	int best = 0;

	if (fsi_job_word_parse(x->m, word, &w))
		return FSI_NO_INDEX;
	found = fsi_job_word_row(x->m, &w);
	if (found != FSI_NO_INDEX && fsi_viewer_sees_job(&x->viewer, &x->m->job.v[found]))
		return found;
	found = FSI_NO_INDEX;
	for (uint32_t i = 0; i < x->m->job.n && best < 3; i++) {
		const int f = fsi_job_word_fit(x->m, &x->m->job.v[i], &w);

		if (f > best && fsi_viewer_sees_job(&x->viewer, &x->m->job.v[i])) {
			best = f;
			found = i;
		}
	}
	return found;
}

/* ---- accounts and users */

static bool sees(const fs_explain *x, uint32_t row)
{
	return x->from.shares ? x->from.shares->rows[row].visible
			      : fsi_viewer_sees_usage(&x->viewer, &x->m->association.v[row]);
}

uint32_t fs_explain_find_row(const fs_explain *x, const char *account, const char *user)
{
	const fs_snapshot *m = x->m;
	const uint32_t a = *account ? fsi_name_find(m, account) : 0,
		       u = *user ? fsi_name_find(m, user) : 0;
	const struct fsi_user *record = u ? fsi_user_find(m, u) : NULL;
	uint32_t found = FSI_NO_INDEX;

	if ((*account && !a) || (*user && !u))
		return FSI_NO_INDEX;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *s = &m->association.v[i];

		if (s->user != u || (a && s->account != a) || !sees(x, i))
			continue;
		if (a || !record || s->account == record->default_account)
			return i;
		if (found == FSI_NO_INDEX)
			found = i;
	}
	return found;
}

/* libfs/explain/explain.c: counts a job by its section. */
static void explain_count_job(const fs_explain *x, uint32_t i, struct fs_explain_count *out)
{
	const struct fs_reason *reason;

	switch (fsi_explain_section(x, i, &reason)) {
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
		const uint32_t assoc = fsi_explain_charged(m, &m->job.v[i]);

		if (assoc != FSI_NO_INDEX && assoc >= share_row && assoc < end &&
		    fsi_viewer_sees_job(&x->viewer, &m->job.v[i]))
			explain_count_job(x, i, out);
	}
	for (size_t i = 0; x->from.queue && i < x->from.queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->from.queue->record.v[i];
		const uint32_t assoc = fsi_explain_charged(m, &m->job.v[r->job]);

		if (!r->tried)
			break;
		if (!r->eligible || !r->position || assoc == FSI_NO_INDEX || assoc < share_row || assoc >= end ||
		    !fsi_viewer_sees_job(&x->viewer, &m->job.v[r->job]))
			continue;
		if (!out->eligible++)
			out->first = r->job;
	}
}

/* The way of an association through the tree, and where two ways part. */

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
		if (!fsi_uses_parent_shares(&f->m->association.v[row]))
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
		compare_levels(x, a->level[k].row, b->level[k].row, out);
		if (a->rank && b->rank) /* where levels tie, what is below them has a part in it */
			out->first = (b->rank > a->rank) - (b->rank < a->rank);
	} else {
		out->first = by_factor(a, b);
		out->tied = a->factor == b->factor;
	}
}

/* Maui's credentials: what a word means, which jobs a credential has, and one compared with another. */

static uint32_t named_credential(const fs_windows *w, const char *name, bool any, enum fs_cred_kind kind)
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
			return named_credential(w, word + len + 1, false, (enum fs_cred_kind)k);
	}
	return named_credential(w, word, true, FS_CRED_USER);
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
		    !fsi_viewer_sees_job(&x->viewer, j))
			continue;
		explain_count_job(x, i, out);
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
