/* Why ranks of users moved, in words. */
#include "diff/diff.h"
#include "diff/table.h"
#include "render/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_TEXT = 140, SHOWN = 6 };

static const char *name_of(char buf[NAME_TEXT], const struct fs_share_row *r)
{
	if (!r->visible)
		snprintf(buf, NAME_TEXT, "a %s that is not shown", *r->user ? "user" : "sibling");
	else if (*r->user)
		snprintf(buf, NAME_TEXT, "%.60s%s%.60s", r->user, *r->partition ? "/" : "", r->partition);
	else
		snprintf(buf, NAME_TEXT, "%.120s", r->account);
	return buf;
}

/* Returns by how much the logarithm of shares over usage moved, 0 if it is not finite. */
static double moved(double before, double after)
{
	const double d = log(after / before);

	return isfinite(d) ? d : 0;
}

static void put_moved(char *buf, size_t size, const char *whose, bool use, double before, double after)
{
	const char *way = after > before ? "rose" : "fell";

	if (use)
		format_text(buf, size, "%s use %s from %.1f to %.1f %%", whose, way, before * 100, after * 100);
	else
		format_text(buf, size, "%s shares %s from %.0f to %.0f", whose, way, before, after);
}

/* One of the four numbers that decide between two siblings. */
struct part {
	const char *whose;
	bool use;
	double before, after; /* as they are shown: of use, its part of the siblings' */
	double moved;	      /* the logarithm of what it moved by; of use, of what was used, whatever others did */
	double pull;	      /* 1 where more of it puts the sibling ahead */
};

static struct part use_of(const char *whose, const struct fs_share_row *const r[2], double left, double pull)
{
	return (struct part){ whose, true, r[0]->effective_usage, r[1]->effective_usage,
			      moved(r[0]->raw_usage * left, r[1]->raw_usage), pull };
}

static struct part shares_of(const char *whose, const struct fs_share_row *const r[2], double pull)
{
	const double before = r[0]->raw_shares, after = r[1]->raw_shares;

	return (struct part){ whose, false, before, after, moved(before, after), pull };
}

/* Finds the part that moved the most that way; by_shown: the numbers shown are all that is looked at, else they only
 * may not say the contrary. NULL: none. */
static const struct part *greatest(const struct part *part, size_t n, double way, bool by_shown)
{
	const struct part *best = NULL;
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		const double shown = way * part[i].pull * moved(part[i].before, part[i].after);
		const double pull = by_shown ? shown : way * part[i].pull * part[i].moved;

		if (shown > 0 && pull > max) {
			max = pull;
			best = &part[i];
		}
	}
	return best;
}

/* Names what decided between two siblings. */
static void cause_text(char *buf, size_t size, const struct fs_rank_cause *c, double left)
{
	const double way = c->kind == FS_RANK_PASSED ? 1 : -1;
	const struct part part[] = { use_of("their", c->other, left, -1), use_of("its own", c->own, left, 1),
				     shares_of("their", c->other, 1), shares_of("its own", c->own, -1) };
	const size_t n = sizeof(part) / sizeof(*part);
	const struct part *best = greatest(part, n, way, false);

	if (!best)
		best = greatest(part, n, way, true);
	*buf = 0;
	if (best)
		put_moved(buf, size, best->whose, best->use, best->before, best->after);
}

/* Names the account in which they are siblings: accounts that have their parent's shares are passed over. */
static const char *place_of(const struct diff_run *r, const struct fs_share_row *row)
{
	const fs_shares *s = r->side[FS_AFTER].eval.shares;

	do
		row = fs_shares_row(s, row->parent_row);
	while (row->shares_kind == FS_SHARES_PARENT && row->parent_row != FS_NO_ROW);
	return row->account;
}

static void cause_words(char *buf, size_t size, const struct diff_run *r, const struct fs_rank_cause *c)
{
	const struct fs_share_row *other = c->other[1] ? c->other[1] : c->other[0];
	char name[NAME_TEXT], own[NAME_TEXT], why[NAME_TEXT];

	switch (c->kind) {
	case FS_RANK_PASSED:
	case FS_RANK_PASSES:
		cause_text(why, sizeof(why), c, fs_comparison_left(r->compared));
		snprintf(buf, size, "%s %s %s at %.60s%s%s", name_of(own, c->own[1]),
			 c->kind == FS_RANK_PASSED ? "was passed by" : "passed", name_of(name, other), place_of(r, c->own[1]),
			 *why ? ": " : "", why);
		break;
	case FS_RANK_MEMBERS:
		snprintf(buf, size, "%s, ahead, has %lld users %s", name_of(name, other),
			 (long long)(c->users < 0 ? -c->users : c->users), c->users < 0 ? "fewer" : "more");
		break;
	case FS_RANK_TIES:
		snprintf(buf, size, "users of equal standing share a rank");
		break;
	case FS_RANK_TREE:
		snprintf(buf, size, "it stands elsewhere in the tree");
		break;
	case FS_RANK_OWN_USE:
		snprintf(buf, size, "what it used itself");
		break;
	case FS_RANK_SIBLINGS_USE:
		snprintf(buf, size, "what others in the accounts above it used");
		break;
	case FS_RANK_OTHERS_USE:
		snprintf(buf, size, "what all others used");
		break;
	case FS_RANK_SHARES:
		snprintf(buf, size, "shares");
		break;
	case FS_RANK_REST:
		snprintf(buf, size, "usage of accounts as of another calculation, and rounding");
		break;
	default:
		snprintf(buf, size, "there are %lld users %s", (long long)(c->users < 0 ? -c->users : c->users),
			 c->users < 0 ? "fewer" : "more");
	}
}

static bool names_user(const struct fs_compared_share *s)
{
	return s->row[0] && s->row[1] && *s->row[1]->user && s->row[0]->fairshare != s->row[1]->fairshare;
}

static void add_row(struct table *t, const struct fs_share_row *of, double change, const char *what)
{
	table_add(t, "%.60s", of ? of->user : "");
	table_add(t, "%.60s", of ? of->account : "");
	table_add(t, "%+.6f", change);
	table_add(t, "%s", what);
}

/* Adds a row for each of the greatest causes and one for the rest, so that the rows add up. */
static int add_user(struct table *t, const struct diff_run *r, size_t i)
{
	const struct fs_rank_cause *c;
	double rest = 0;
	char text[4 * NAME_TEXT];
	size_t n;

	if (fs_comparison_rank_causes(r->compared, i, &c, &n))
		return -1;
	for (size_t k = 0; k < n; k++) {
		if (k >= SHOWN && n > SHOWN + 1) {
			rest += c[k].change;
			continue;
		}
		cause_words(text, sizeof(text), r, &c[k]);
		add_row(t, k ? NULL : fs_comparison_share(r->compared, i)->row[1], c[k].change, text);
	}
	if (n > SHOWN + 1) {
		snprintf(text, sizeof(text), "%zu causes more", n - SHOWN);
		add_row(t, NULL, rest, text);
	}
	return 0;
}

int diff_ranks(const struct diff_run *r, struct table *t)
{
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++) {
		const struct fs_compared_share *s = fs_comparison_share(r->compared, i);

		if (names_user(s) && diff_wants_share(r, s) && add_user(t, r, i))
			return -1;
	}
	return 0;
}
