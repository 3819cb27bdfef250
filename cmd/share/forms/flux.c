/* As flux-accounting prints it (fluxacct/accounting/formatter.py): columns of 20, a blank of indent a level, rows of
 * banks without a last column, numbers as Python's str() has them; names are never cut. */
#include "share/share.h"

#include "render/emit.h"
#include "render/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 512 }; /* bytes of a name */

static int by_parent_and_id(const void *x, const void *y, const void *ctx)
{
	const struct fs_share_row *a = *(const struct fs_share_row *const *)x,
				  *b = *(const struct fs_share_row *const *)y;

	(void)ctx;
	if (a->parent_row != b->parent_row)
		return a->parent_row > b->parent_row ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Python's round(x, 2), which only the usage of the bank that was asked for goes through (bank_subcommands.py:
 * view_bank). */
static double two_places(double v)
{
	char text[400];

	format_text(text, sizeof(text), "%.2f", v);
	return strtod(text, NULL);
}

static double usage_of(const struct fs_share_row *row, bool asked_for)
{
	const double usage = isnan(row->listed_usage) ? row->raw_usage : row->listed_usage;

	return asked_for && !*row->user && !isnan(usage) ? two_places(usage) : usage;
}

/* A user who was never ranked has the factor that new users start with. */
static double factor_of(const struct share_run *r, const struct fs_share_row *row)
{
	const double unranked = 0.5;
	char text[40];

	if (!isnan(row->stored_fairshare) && (!r->input.algorithm || !row->counted))
		return row->stored_fairshare;
	if (!row->counted)
		return unranked;
	if (isnan(row->fairshare))
		return NAN;
	format_text(text, sizeof(text), "%f", row->fairshare);
	return strtod(text, NULL);
}

/* ---- columns */

static void bank_text(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	const struct share_run *r = of;
	const struct fs_share_row *bank = row;
	const unsigned indent = r->rows.indent[bank->row] > 200 ? 200 : r->rows.indent[bank->row];

	memset(buf, ' ', indent);
	text_visible(buf + indent, NAME - indent, bank->account);
}

COLUMN_CELL(user_text, void, struct fs_share_row, text_visible(buf, NAME, row->user))
COLUMN_CELL(active_text, void, struct fs_share_row, strcpy(buf, row->active ? "true" : "false"))

static void shares_text(char buf[COLUMN_TEXT], const void *of, const void *r)
{
	const struct fs_share_row *row = r;

	(void)of;
	*buf = '\0';
	if (row->shares_kind == FS_SHARES_PARENT)
		strcpy(buf, "parent");
	else if (row->shares_kind == FS_SHARES_NUMBER || row->parent_row == FS_NO_ROW)
		snprintf(buf, COLUMN_TEXT, "%u", row->raw_shares);
}

COLUMN_CELL(usage_text, struct share_run, struct fs_share_row,
	    text_python(buf, usage_of(row, !of->rows.indent[row->row])))
COLUMN_CELL(factor_text, struct share_run, struct fs_share_row, text_python(buf, factor_of(of, row)))

/* The last column is only in rows of users. */
static const struct column columns[] = {
	{ .name = "Bank", .width = -20, .text = bank_text, .help = "bank, indented by its level" },
	{ .name = "Username", .width = 20, .before = "", .text = user_text, .help = "user; none of a bank" },
	{ .name = "Active", .width = 20, .before = "", .text = active_text, .help = "may it be charged" },
	{ .name = "RawShares", .width = 20, .before = "", .text = shares_text, .help = "shares among its siblings" },
	{ .name = "RawUsage", .width = 20, .before = "", .text = usage_text, .help = "usage, weighted and decayed" },
	{ .name = "Fairshare", .width = 20, .before = "", .text = factor_text, .help = "the factor of a user" },
};

static void print_row(const struct column_page *page, const struct fs_share_row *row)
{
	struct column_page own = *page;

	own.n -= !*row->user;
	columns_row(&own, row);
	emit("\n");
}

int share_flux(struct share_run *r)
{
	const struct column_page page = { COLUMNS(columns), .of = r, .between = r->layout == ALIGNED ? NULL : "|" };

	if (share_rows_thread(&r->rows, r->shares, by_parent_and_id))
		return -1;
	if (!r->no_header)
		columns_heading(&page);
	for (size_t i = 0; i < r->rows.n; i++)
		if (!r->concise || !*r->rows.v[i]->user || usage_of(r->rows.v[i], false) > 0)
			print_row(&page, r->rows.v[i]);
	return EXIT_DONE;
}
