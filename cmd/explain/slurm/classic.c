/* Slurm's classic fair share and DEPTH_OBLIVIOUS: what each level makes of usage and shares. */
#include "explain/algorithm.h"
#include "explain/parts.h"
#include "render/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The decimals of ratios: enough for a factor of six. */
enum { PLACES = 9 };

static void classic_note(char *buf, size_t size, const struct explain_view *v,
			 const struct fs_explain_level *l, size_t k)
{
	const struct fs_share_row *r = share_row(v, l->row), *up = share_row(v, l->above);
	char name[WORDS], e[WORDS], b[WORDS], c[WORDS];

	row_words(name, r);
	if (r->shares_kind == FS_SHARES_PARENT)
		snprintf(buf, size, "%s: shares=parent, so those of %s count", name, up->account);
	else if (!k)
		format_text(buf, size, "%s: %" PRIu32 " of %.0f shares; E = U at the top", name,
			 r->raw_shares, l->level_shares);
	else if (!isnan(l->parent_ratio))
		format_text(buf, size, "%s: %" PRIu32 " of %.0f shares; E = %s × %s^%s × S",
			 name, r->raw_shares, l->level_shares,
			 decimals_words(e, l->parent_ratio, PLACES),
			 decimals_words(b, l->level_ratio, PLACES),
			 decimals_words(c, l->damping, PLACES));
	else
		format_text(buf, size,
			 "%s: %" PRIu32 " of %.0f shares; E = U + (%s − U) × %" PRIu32 "/%.0f",
			 name, r->raw_shares, l->level_shares, ratio_words(e, up->effective_usage),
			 r->raw_shares, l->level_shares);
}

static void classic_levels(struct page *p, const struct explain_view *v,
			   const struct fs_explain_path *path, bool depth)
{
	static const struct page_column columns[] = { { "level", ALIGN_LEFT },
						      { "shares S", ALIGN_POINT },
						      { "own use U", ALIGN_POINT },
						      { "counted E", ALIGN_POINT },
						      { "", ALIGN_LEFT } };
	char a[WORDS], note[700];

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = share_row(v, l->row);

		page_cell(p, "%s", cell_words(a, share_row(v, l->above)->account));
		page_cell(p, "%s", ratio_words(a, r->norm_shares));
		page_cell(p, "%s", ratio_words(a, r->norm_usage));
		page_cell(p, "%s", ratio_words(a, r->effective_usage));
		classic_note(note, sizeof(note), v, l, k);
		if (depth && k && isnan(l->parent_ratio) && r->shares_kind != FS_SHARES_PARENT)
			snprintf(note, sizeof(note), "%s: no usage or no shares here, so E = U",
				 row_words(a, r));
		page_cell(p, "%s", note);
		page_row(p, TONE_PLAIN);
	}
	page_table_end(p);
}

/* U and the usage that sshare prints beside it are not of one moment. */
static void say_moments(struct page *p, const struct explain_view *v, bool depth)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(v->from->snapshot);
	char at[WORDS], before[WORDS];

	if (!fs_shares_mix_moments(v->from->shares))
		return;
	page_say(p,
		 "U is of the moment it was computed: of an account, before the calculation of %s added what jobs had used "
		 "since the one of %s; of a user with pending jobs, in the midst of adding; of another user, when shares were "
		 "next asked for.",
		 time_words(at, v->from->snapshot, info->priority_time),
		 time_words(before, v->from->snapshot, info->priority_time_before));
	if (!strcmp(info->priority_time_before_from, "shares"))
		page_join(p, " The two times make the printed shares come out.");
	else
		page_join(p, " That the one before was a PriorityCalcPeriod earlier is assumed: no printed share tells.");
	if (depth)
		page_join(p, " Where a sibling was computed later its U of the calculation before counted, which is lost: E may be off.");
	page_end(p);
}

void explain_classic_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const bool depth = v->algorithm->ratios;
	const struct fs_share_row *r = share_row(v, path->row);
	char name[WORDS], e[WORDS], s[WORDS];

	if (path->user && isnan(path->factor))
		explain_unknown_factor(p);
	else if (path->user)
		page_say(
			p,
			"FAIRSHARE %.6f = 2^(−E/S/d) = 2^(−%s/%s/%.0f), with usage E, shares S and "
			"FairShareDampeningFactor d ·",
			path->factor, decimals_words(e, path->formula_usage, PLACES),
			decimals_words(s, path->formula_shares, PLACES), path->dampening);
	page_say(
		p,
		"%s: S is the product of the shares along the way, U what part of the whole cluster's usage is its own, "
		"and E blends in what the accounts above it used.",
		depth ? "DEPTH_OBLIVIOUS" : "Classic fair share");
	page_say(p, "E equal to S gives 2^(−1/d), which is 0.5 without damping; no usage gives 1.");
	page_end(p);
	say_moments(p, v, depth);
	classic_levels(p, v, path, depth);
	explain_rank_text(p, v, path);
	row_words(name, r);
	if (path->formula_row != path->row)
		page_say(
			p,
			"%s has shares=parent: usage and shares in the formula are those of account %s.",
			name, share_row(v, path->formula_row)->account);
	else if (path->formula_shares == 0)
		page_say(p, "%s has no shares: its factor is 0, whatever it used.", name);
	else if (path->formula_usage == 0)
		page_say(
			p,
			"%s and the accounts above it have used nothing that still counts: the factor is 1.",
			name);
	page_end(p);
}
