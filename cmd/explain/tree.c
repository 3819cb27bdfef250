/* The path of a fair-share factor through the share tree, for Fair Tree, classic fair share and DEPTH_OBLIVIOUS. */
#include "explain/explain.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the levels of the share tree, and how each algorithm ranks or weighs them */

/* Formats shares divided by usage: "42.58". If usage is 0, writes "inf"; but for Flux, which then computes a large
 * number instead of infinity, writes "unused". */
static const char *format_level_weight(char buf[WORDS], const struct explain_view *v, double level)
{
	return isinf(level) && v->algorithm->finite_when_unused ? "unused" : format_share_level(buf, level);
}

void explain_add_share_cells(struct page *p, const struct explain_view *v, const struct fs_share_row *r)
{
	const bool parent = r->shares_kind == FS_SHARES_PARENT;

	page_add_cell(p, "%s", parent ? "parent" : format_percent_value(BUF, r->norm_shares));
	page_add_cell(p, "%s", format_percent_value(BUF, r->effective_usage));
	if (fs_shares_has_levels(v->eval->shares))
		page_add_cell(p, "%s", parent ? "" : format_level_weight(BUF, v, r->level_fs));
}

/* Formats the number by which siblings are ordered, which is shares divided by usage: "42.58" or "inf". For a row with
 * shares=parent, writes "parent". */
static const char *format_sibling_rank(char buf[WORDS], const struct explain_view *v, const struct fs_share_row *r)
{
	return r->shares_kind == FS_SHARES_PARENT ? "parent" : format_level_weight(buf, v, r->level_fs);
}

/* Appends a sibling and the number by which siblings are ordered: "biology 42.58", "bob inf". */
static void append_sibling_level(char *buf, size_t size, const struct explain_view *v, uint32_t row)
{
	const struct fs_share_row *r = get_share_row(v, row);

	append_text(buf, size, "%s%s %s", *buf ? ", " : "", format_share_name(BUF, r),
		    r->visible ? format_sibling_rank(BUF, v, r) : "hidden");
}

/* Formats a list of the row's siblings in ranking order: up to four that rank before the row and up to four that rank
 * after it. Each end of the list shows the number of siblings that are left out there. */
static void list_ranking_neighbours(char *buf, size_t size, const struct explain_view *v,
				    const struct fs_explain_level *l)
{
	enum { AROUND = 4 };
	uint32_t own = 0;

	*buf = '\0';
	while (own < l->count && l->siblings[own] != l->row)
		own++;
	const uint32_t from = own > AROUND ? own - AROUND : 0;
	const uint32_t to = l->count - own > AROUND ? own + AROUND : l->count - 1;

	if (from)
		append_text(buf, size, "%" PRIu32 " more", from);
	for (uint32_t k = from; k <= to && k < l->count; k++)
		if (k != own)
			append_sibling_level(buf, size, v, l->siblings[k]);
	if (to + 1 < l->count)
		append_text(buf, size, ", %" PRIu32 " more", l->count - 1 - to);
}

static const char *format_sibling_kind(char buf[WORDS], const struct explain_view *v, const struct fs_explain_level *l,
				       bool many)
{
	bool users = false, accounts = false;

	for (uint32_t k = 0; k < l->count; k++)
		*(*get_share_row(v, l->siblings[k])->user ? &users : &accounts) = true;
	if (users && accounts)
		return "";
	if (users)
		return many ? " users" : " user";
	return format_words(buf, " %s", (many ? v->vocabulary->accounts : v->vocabulary->account));
}

static void format_level_place(char *buf, size_t size, const struct explain_view *v, const struct fs_explain_level *l)
{
	const struct fs_share_row *r = get_share_row(v, l->row);
	char name[WORDS], place[WORDS], list[400];

	format_share_name(name, r);
	if (l->count == 1) {
		snprintf(buf, size, "%s has no siblings", name);
		return;
	}
	list_ranking_neighbours(list, sizeof(list), v, l);
	if (!l->place)
		snprintf(buf, size, "%s; siblings: %s", name, list);
	else if (l->tied)
		snprintf(buf, size, "%s is tied for %s of %" PRIu32 " with %" PRIu32 " other%s: %s", name,
			 l->place == 1 ? "first" : format_ordinal_number(place, l->place), l->count, l->tied,
			 l->tied == 1 ? "" : "s", list);
	else
		snprintf(buf, size, "%s is %s of %" PRIu32 "%s: %s", name,
			 l->place == 1          ? "first"
			 : l->place == l->count ? "last"
						: format_ordinal_number(place, l->place),
			 l->count, format_sibling_kind(BUF, v, l, true), list);
}

/* ---- Fair Tree: the path of a factor through the levels of the share tree */

void explain_add_levels_table(struct page *p, const struct explain_view *v, const struct fs_explain_path *path,
			      const char *heading)
{
	char note[900];

	PAGE_BEGIN_TABLE(p, AT_LEFT("level"), AT_POINT("shares"), AT_POINT("usage"), AT_POINT(heading), AT_LEFT(""));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];

		page_add_cell(p, "%s", format_cell_name(BUF, get_share_row(v, l->above)->account));
		explain_add_share_cells(p, v, get_share_row(v, l->row));
		format_level_place(note, sizeof(note), v, l);
		page_add_cell(p, "%s", note);
		page_end_row(p, TONE_PLAIN);
	}
	page_end_table(p);
}

static void add_parent_shares_note(struct page *p, const char *account)
{
	page_add_sentence(p,
			  "Account %s has shares=parent: it is not a level, and its members compete with its siblings.",
			  account);
}

/* Adds a sentence for each special case of the rows on the path: shares=parent, no shares, no usage. */
static void add_special_rows(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	for (uint32_t i = get_share_row(v, path->row)->parent_row; i != FS_NO_ROW; i = get_share_row(v, i)->parent_row)
		if (get_share_row(v, i)->shares_kind == FS_SHARES_PARENT)
			add_parent_shares_note(p, get_share_row(v, i)->account);
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_share_row *r = get_share_row(v, path->level[k].row);
		char name[WORDS];

		format_share_name(name, r);
		if (r->shares_kind == FS_SHARES_PARENT && *r->user)
			page_add_sentence(
				p,
				"%s has shares=parent: its usage does not count, and it ranks first among its "
				"competitors, tied with any that have no usage.",
				name);
		else if (r->shares_kind == FS_SHARES_PARENT)
			add_parent_shares_note(p, name);
		else if (r->norm_shares == 0)
			page_add_sentence(
				p, "%s has no shares: its LevelFS is 0, and it ranks last here whatever its usage.",
				name);
		else if (isinf(r->level_fs) && !v->algorithm->finite_when_unused)
			page_add_sentence(p, "%s has no usage that still counts: its LevelFS is infinite (inf).", name);
	}
}

/* If the rank is uncertain, adds a sentence with the other possible rank of the row. Slurm before 23.11 orders accounts
 * with equal LevelFS as in the accounting database. After an association is changed, it orders them by name. */
static void add_other_possible_rank(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const struct fs_share_row *r = get_share_row(v, path->row);

	if (r->other_rank != r->rank && r->rank == path->rank)
		page_add_sentence(
			p,
			"This rank is uncertain because some accounts are equal. Slurm before 23.11 ranks equal "
			"accounts in the order of the accounting database, but by name after an association has "
			"changed. In the other order %s has Fair Tree's rank %" PRIu32 " of %" PRIu32 ".",
			format_share_name(BUF, r), r->other_rank, path->users);
}

void explain_add_rank(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	char name[WORDS];

	if (!path->rank_known)
		return;
	format_share_name(name, get_share_row(v, path->row));
	page_add_sentence(p, "%s ranks above %s.", name, format_worse_users(BUF, path));
	add_other_possible_rank(p, v, path);
	if (path->better)
		page_add_sentence(p, "%s above %s.", format_counted_term(BUF, path->better, "user ranks", "users rank"),
				  name);
	if (path->tied)
		page_add_sentence(p, "%s tied with %s, with the same factor.",
				  format_counted_term(BUF, path->tied, "user is", "users are"), name);
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];

		if (l->place == l->count && l->count > 1 && !l->tied && k + 1 < path->levels) {
			page_add_sentence(p, "Everyone else under %s ranks above %s, whatever their own usage.",
					  get_share_row(v, l->above)->account,
					  format_share_name(BUF, get_share_row(v, path->level[k].row)));
			break;
		}
		if (l->place == 1 && l->count > 1 && !l->tied && k + 1 < path->levels) {
			page_add_sentence(p, "Everyone under %s ranks above everyone else under %s.",
					  format_share_name(BUF, get_share_row(v, l->row)),
					  get_share_row(v, l->above)->account);
			break;
		}
	}
}

/* Adds a sentence that says that the fair-share factor is unknown. */
static void add_unknown_factor(struct page *p)
{
	page_add_sentence(
		p, "The fair-share factor is not known: shares or usage of some associations were not captured.");
}

void explain_add_rank_factor(struct page *p, const struct fs_explain_path *path, const char *possessive)
{
	page_add_sentence(p, "FAIRSHARE %.6f = rank/users = %" PRIu32 "/%" PRIu32 " (%s best rank is %" PRIu32 ") ·",
			  path->factor, path->rank, path->users, possessive, path->users);
}

void explain_add_fair_tree_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	if (path->user && !path->rank)
		add_unknown_factor(p);
	if (path->user && path->rank)
		explain_add_rank_factor(p, path, "Fair Tree's");
	page_add_sentence(p, "%s", v->algorithm->rule);
	page_add_sentence(
		p, "LevelFS is shares divided by usage: above 1, usage is less than the share; below 1, more. Only the "
		   "order of LevelFS counts, not the difference.");
	page_end_paragraph(p);
	explain_add_levels_table(p, v, path, "LevelFS");
	explain_add_rank(p, v, path);
	add_special_rows(p, v, path);
	page_end_paragraph(p);
}

/* ---- the level at which two paths diverge */

static void add_divergence_level(struct page *p, const struct explain_view *v, const struct fs_explain_path *a,
				 const struct fs_explain_path *b, const struct fs_explain_divergence *d)
{
	const struct fs_explain_level *la = &a->level[d->level_a], *lb = &b->level[d->level_b];
	const struct fs_share_row *ra = get_share_row(v, la->row), *rb = get_share_row(v, lb->row);
	char na[WORDS], nb[WORDS];
	const bool levels = fs_shares_has_levels(v->eval->shares);

	format_share_name(na, ra);
	format_share_name(nb, rb);
	if (d->tied && levels) {
		page_add_sentence(p, "Their paths diverge at %s, where %s and %s are equal (%s)",
				  get_share_row(v, la->above)->account, na, nb,
				  format_level_weight(BUF, v, ra->level_fs));
		if (*ra->user && *rb->user)
			page_append_text(p, ": fair share does not separate them.");
		else
			page_append_text(p, ": their members are compared as if they were in one %s.",
					 v->vocabulary->account);
		return;
	}
	if (levels && !d->first && !d->tied)
		page_add_sentence(p, "Their paths diverge at %s, at %s and %s; which one ranks higher is not known.",
				  get_share_row(v, la->above)->account, na, nb);
	else if (levels)
		page_add_sentence(p, "FAIRSHARE differs at %s: %s %s against %s %s.",
				  get_share_row(v, la->above)->account, na, format_sibling_rank(BUF, v, ra), nb,
				  format_sibling_rank(BUF, v, rb));
	else
		page_add_sentence(p,
				  "Their paths diverge at %s, but no level decides: the factors are compared directly.",
				  get_share_row(v, la->above)->account);
	if (levels && d->first && (d->level_a + 1 < a->levels || d->level_b + 1 < b->levels))
		page_add_sentence(p, "The usage of %s and %s inside their %s does not matter.",
				  format_share_name(BUF, get_share_row(v, a->row)),
				  format_share_name(BUF, get_share_row(v, b->row)), v->vocabulary->accounts);
}

void explain_add_divergence(struct page *p, const struct explain_view *v, const struct fs_explain_path *a,
			    const struct fs_explain_path *b)
{
	struct fs_explain_divergence d;

	if (!a->algorithm || !b->algorithm)
		return;
	if (a->recorded_factor_used || a->hidden || b->recorded_factor_used || b->hidden) {
		page_add_sentence(
			p, "The level at which their paths diverge is not known: other associations are hidden.");
	} else {
		fs_explain_compare_paths(v->explain, a, b, &d);
		if (d.same)
			page_add_sentence(p, "FAIRSHARE does not separate them: %s.",
					  a->row == b->row ? "they have the same association"
							   : "one is above the other in the tree");
		else
			add_divergence_level(p, v, a, b, &d);
	}
	page_end_paragraph(p);
}

/* ---- Slurm's classic fair share and DEPTH_OBLIVIOUS: how shares and usage at each level of the tree determine the
 * factor */

/* number of decimals of printed ratios: three more than a factor has, so that a reader can recompute the factor */
enum { RATIO_DECIMALS = 9 };

static void format_classic_note(char *buf, size_t size, const struct explain_view *v, const struct fs_explain_level *l,
				size_t k)
{
	const struct fs_share_row *r = get_share_row(v, l->row), *up = get_share_row(v, l->above);
	char name[WORDS];

	format_share_name(name, r);
	if (r->shares_kind == FS_SHARES_PARENT)
		snprintf(buf, size, "%s: shares=parent, so the shares of %s count", name, up->account);
	else if (!k)
		format_text(buf, size, "%s: %" PRIu32 " of %.0f shares; E = U at the top", name, r->raw_shares,
			    l->level_shares);
	else if (!isnan(l->parent_ratio))
		format_text(buf, size, "%s: %" PRIu32 " of %.0f shares; E = %s × %s^%s × S", name, r->raw_shares,
			    l->level_shares, format_decimal_number(BUF, l->parent_ratio, RATIO_DECIMALS),
			    format_decimal_number(BUF, l->level_ratio, RATIO_DECIMALS),
			    format_decimal_number(BUF, l->damping, RATIO_DECIMALS));
	else
		format_text(buf, size, "%s: %" PRIu32 " of %.0f shares; E = U + (%s − U) × %" PRIu32 "/%.0f", name,
			    r->raw_shares, l->level_shares, format_share_ratio(BUF, up->effective_usage), r->raw_shares,
			    l->level_shares);
}

static void print_classic_levels(struct page *p, const struct explain_view *v, const struct fs_explain_path *path,
				 bool depth)
{
	char note[700];

	PAGE_BEGIN_TABLE(p, AT_LEFT("level"), AT_POINT("shares S"), AT_POINT("own use U"), AT_POINT("counted E"),
			 AT_LEFT(""));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = get_share_row(v, l->row);

		format_classic_note(note, sizeof(note), v, l, k);
		if (depth && k && isnan(l->parent_ratio) && r->shares_kind != FS_SHARES_PARENT)
			snprintf(note, sizeof(note), "%s: no usage or no shares here, so E = U",
				 format_share_name(BUF, r));
		PAGE_ADD_ROW(p, TONE_PLAIN, format_cell_name(BUF, get_share_row(v, l->above)->account),
			     format_share_ratio(BUF, r->norm_shares), format_share_ratio(BUF, r->norm_usage),
			     format_share_ratio(BUF, r->effective_usage), note);
	}
	page_end_table(p);
}

/* If the values in the column U (normalized usage) were computed at different times, adds a sentence with the times. */
static void add_usage_times_note(struct page *p, const struct explain_view *v, bool depth)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(v->snapshot);

	if (!fs_shares_mix_moments(v->eval->shares))
		return;
	page_add_sentence(
		p,
		"U was computed at different times. For an account: before the calculation at %s added the usage since "
		"the calculation at %s. For a user with pending jobs: while this usage was added. For any other user: "
		"when shares were next requested.",
		format_short_time(BUF, v->snapshot, info->priority_time),
		format_short_time(BUF, v->snapshot, info->priority_time_before));
	if (!strcmp(info->priority_time_before_from, "shares"))
		page_append_text(p, " These two times reproduce the printed shares.");
	else
		page_append_text(p, " The earlier time is assumed to be one PriorityCalcPeriod before the later one.");
	if (depth)
		page_append_text(
			p, " E may be inexact: for siblings computed later, Slurm used their previous U, which is not "
			   "recorded.");
	page_end_paragraph(p);
}

void explain_add_classic_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const bool depth = v->algorithm->ratios;
	const struct fs_share_row *r = get_share_row(v, path->row);
	char name[WORDS];

	if (path->user && isnan(path->factor))
		add_unknown_factor(p);
	else if (path->user)
		page_add_sentence(p,
				  "FAIRSHARE %.6f = 2^(−E/S/d) = 2^(−%s/%s/%.0f), with usage E, shares S and "
				  "FairShareDampeningFactor d ·",
				  path->factor, format_decimal_number(BUF, path->formula_usage, RATIO_DECIMALS),
				  format_decimal_number(BUF, path->formula_shares, RATIO_DECIMALS), path->dampening);
	page_add_sentence(
		p,
		"%s: S is the product of the shares along the path, U is its own part of the cluster's usage, "
		"and E combines U with the usage of the accounts above.",
		depth ? "DEPTH_OBLIVIOUS" : "Classic fair share");
	page_end_with(p, "If E equals S, the factor is 2^(−1/d), 0.5 without dampening. Without usage, it is 1.");
	add_usage_times_note(p, v, depth);
	print_classic_levels(p, v, path, depth);
	explain_add_rank(p, v, path);
	format_share_name(name, r);
	if (path->formula_row != path->row)
		page_add_sentence(p, "%s has shares=parent: usage and shares in the formula are those of account %s.",
				  name, get_share_row(v, path->formula_row)->account);
	else if (path->formula_shares == 0)
		page_add_sentence(p, "%s has no shares: its factor is 0, whatever its usage.", name);
	else if (path->formula_usage == 0)
		page_add_sentence(p, "%s and the accounts above it have no usage that still counts: the factor is 1.",
				  name);
	page_end_paragraph(p);
}
