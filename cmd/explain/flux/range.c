/* flux_range: the slice of 0 to 1 that each bank and user has, and what it is made of. */
#include "explain/parts.h"
#include "render/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* PLACES: decimals of factors whose product has six. */
enum { BAR = 32, PLACES = 9 };

/* Draws the slice of 0 to 1 that belongs to a row: "[", "=" and, where its factor is, "o". */
static const char *bar_words(char buf[WORDS], const struct fs_share_row *r)
{
	memset(buf, ' ', BAR);
	buf[BAR] = '\0';
	if (isnan(r->low) || isnan(r->high))
		return buf;
	const int from = (int)lround(fmin(fmax(r->low, 0), 1) * (BAR - 1));
	const int to = (int)lround(fmin(fmax(r->high, 0), 1) * (BAR - 1));

	for (int i = from; i <= to; i++)
		buf[i] = i == to ? 'o' : i == from ? '[' : '=';
	return buf;
}

static void range_cell(struct page *p, double v)
{
	if (isnan(v))
		page_cell(p, "%s", "");
	else
		page_cell(p, "%.6f", v);
}

static void print_slices(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	static const struct page_column columns[] = { { "slice of", ALIGN_LEFT },
						      { "from", ALIGN_POINT },
						      { "to", ALIGN_POINT },
						      { "0 ............................ 1", ALIGN_LEFT } };
	char a[WORDS], b[WORDS];

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_share_row *r = share_row(v, path->level[k].row);

		page_cell(p, "%s", cell_words(a, row_words(b, r)));
		range_cell(p, r->low);
		range_cell(p, r->high);
		page_cell(p, "|%s|", bar_words(a, r));
		page_row(p, TONE_PLAIN);
	}
	page_table_end(p);
}

/* The sibling whose slice begins where this one ends; NULL: none. */
static const struct fs_share_row *next_higher(const struct explain_view *v, const struct fs_share_row *r)
{
	const size_t n = fs_shares_count(v->from->shares);
	const struct fs_share_row *found = NULL;

	for (uint32_t i = r->parent_row + 1; i < n; i++) {
		const struct fs_share_row *o = share_row(v, i);

		if (o->depth < r->depth)
			break;
		if (o->parent_row == r->parent_row && o->high > r->high && (!found || o->high < found->high))
			found = o;
	}
	return found;
}

/* "It begins where physics ends, because physics used more for its shares: 38 of 90 with 20 of 107." */
static void say_begin(struct page *p, const struct explain_view *v, const struct fs_explain_level *l)
{
	const struct fs_share_row *up = share_row(v, l->above);
	const struct fs_share_row *below = l->lower == FS_NO_ROW ? NULL : share_row(v, l->lower);
	char name[WORDS], used[WORDS], all[WORDS];

	if (!below)
		page_say(p, "It begins at the bottom of what %s owns: no sibling used more for its shares.",
			 up->account);
	else if (below->norm_shares == 0)
		page_say(p, "It begins where %s ends, which has no shares.", row_words(name, below));
	else
		page_say(p,
			 "It begins where %s ends, because %s used more for its shares: %s of %s with %" PRIu32
			 " of %.0f.",
			 row_words(name, below), name, decimals_words(used, below->raw_usage, 2),
			 decimals_words(all, l->level_usage, 2), below->raw_shares, l->level_shares);
}

/* Says why the slice ends at the factor: low + position * (high - low) of the slice above. */
static void say_end(struct page *p, const struct explain_view *v, const struct fs_explain_level *l)
{
	const struct fs_share_row *r = share_row(v, l->row), *up = share_row(v, l->above), *higher = next_higher(v, r);
	char used[WORDS], all[WORDS], name[WORDS], part[WORDS];

	if (r->norm_shares == 0)
		page_say(p, "It ends there too: without shares it owns nothing.");
	else if (isinf(r->level_fs))
		page_say(p, "It ends at the top of what %s owns, because it used nothing that still counts.",
			 up->account);
	else if (l->count == 1)
		page_say(p, "It ends at %s of what %s owns: it has no siblings%s.", percent_words(part, r->position),
			 up->account,
			 v->position == FS_POSITION_RANK
				 ? ""
				 : ", so that all is used by it and all shares are its own (its weight is 1)");
	else
		page_say(p,
			 "It ends at %s of what %s owns, because it used %s of %s itself with %" PRIu32
			 " of %.0f shares.",
			 percent_words(part, r->position), up->account, decimals_words(used, r->raw_usage, 2),
			 decimals_words(all, l->level_usage, 2), r->raw_shares, l->level_shares);
	if (higher)
		page_say(p, "Next above it is %s.", row_words(name, higher));
}

/* Says in words what each row owns, and why its slice begins and ends there. */
static void say_slices(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	char name[WORDS];

	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = share_row(v, l->row), *up = share_row(v, l->above);

		if (isnan(r->low) || isnan(r->high))
			continue;
		page_say(p, "%s owns %.6f to %.6f of the %.6f to %.6f of %s.", row_words(name, r), r->low, r->high,
			 up->low, up->high, up->account);
		say_begin(p, v, l);
		say_end(p, v, l);
		page_end(p);
	}
}

/* "weight (30 of 107 shares) / (25 of 90 used) = 1.0093; 2^(-1/weight) = 0.5032" */
static const char *position_words(char *buf, size_t size, const struct explain_view *v,
				  const struct fs_explain_level *l)
{
	const struct fs_share_row *r = share_row(v, l->row);
	char used[WORDS], all[WORDS], weight[WORDS], at[WORDS];

	decimals_words(at, r->position, PLACES);
	if (r->norm_shares == 0)
		snprintf(buf, size, "no shares: 0");
	else if (isinf(r->level_fs))
		snprintf(buf, size, "no usage: 1");
	else if (v->position == FS_POSITION_RANK)
		snprintf(buf, size, "from below it is number %" PRIu32 " of %" PRIu32 ": %s", l->group, l->groups, at);
	else
		format_text(buf, size, "weight (%" PRIu32 " of %.0f shares) / (%s of %s used) = %s; %s = %s", r->raw_shares,
			 l->level_shares, decimals_words(used, r->raw_usage, 6), decimals_words(all, l->level_usage, 6),
			 decimals_words(weight, r->level_fs, PLACES),
			 v->position == FS_POSITION_POW2 ? "2^(-1/weight)" : "weight/(1 + weight)", at);
	return buf;
}

static void print_positions(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	static const struct page_column columns[] = {
		{ "level", ALIGN_LEFT }, { "position", ALIGN_POINT }, { "factor", ALIGN_POINT }, { "", ALIGN_LEFT }
	};
	char a[WORDS], b[WORDS], c[WORDS], note[600];

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_explain_level *l = &path->level[k];
		const struct fs_share_row *r = share_row(v, l->row), *up = share_row(v, l->above);

		page_cell(p, "%s", cell_words(a, row_words(b, r)));
		range_cell(p, r->position);
		range_cell(p, r->high);
		if (isnan(r->position))
			page_cell(p, "%s", "");
		else
			page_cell(p, "%s; factor %s + %s × (%s − %s)",
				  position_words(note, sizeof(note), v, l),
				  decimals_words(a, up->low, PLACES), decimals_words(b, r->position, PLACES),
				  decimals_words(c, up->high, PLACES), a);
		page_row(p, TONE_PLAIN);
	}
	page_table_end(p);
}

static void say_lone(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	char name[WORDS];

	for (size_t k = 0; k < path->levels; k++) {
		const struct fs_share_row *r = share_row(v, path->level[k].row);

		if (r->tied > 1)
			page_say(p, "%s has its slice in common with %" PRIu32 " that %s equal to it.",
				 row_words(name, r), r->tied - 1, r->tied == 2 ? "is" : "are");
	}
}

void explain_flux_range_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const struct fs_share_row *o = v->other ? fs_shares_row(v->other, path->row) : NULL;

	if (!isnan(path->factor))
		page_say(p, "FAIRSHARE %.6f ·", path->factor);
	explain_flux_row(p, v, path);
	page_say(p, "flux_range is Don Lipari's design of 2017, which flux-accounting does not compute.");
	if (o && o->rank)
		page_say(p,
			 "By the ranking that it does compute the factor is %.6f = rank/users = %" PRIu32 "/%" PRIu32
			 " (of Flux's ranks %" PRIu32 " is the best).",
			 o->fairshare, o->rank, fs_shares_users(v->other), fs_shares_users(v->other));
	page_say(
		p,
		"Every bank and user has a slice of 0 to 1 that ends at its factor, and whoever is below a bank lives inside "
		"its slice.");
	page_say(
		p,
		"The weight is shares divided by usage, both as parts of the level. The position in the slice of the bank above is %s: "
		"1 without usage, 0 without shares. The factor is that slice's low + position × (high − low).",
		v->position == FS_POSITION_RATIO ? "weight/(1 + weight)"
		: v->position == FS_POSITION_RANK
			? "the place from below divided by the number of places, those of equal weight having one"
			: "2^(−1/weight)");
	page_end(p);
	print_slices(p, v, path);
	say_slices(p, v, path);
	print_positions(p, v, path);
	explain_rank_text(p, v, path);
	say_lone(p, v, path);
	page_end(p);
}
