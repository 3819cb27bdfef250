/* As flux-accounting prints it (fluxacct/accounting/formatter.py): columns of 20, a blank of indent a level, rows of
 * banks without a last column, numbers as Python's str() has them; names are never cut. */
#include "share/flux.h"
#include "render/emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

	snprintf(text, sizeof(text), "%.2f", v);
	return strtod(text, NULL);
}

static double usage_of(const struct fs_share_row *row, bool asked_for)
{
	const double usage = isnan(row->listed_usage) ? row->raw_usage : row->listed_usage;

	return asked_for && !*row->user && !isnan(usage) ? two_places(usage) : usage;
}

/* Who was never ranked has the value that new users start with. */
static double factor_of(const struct share_flux *s, const struct fs_share_row *row)
{
	const double unranked = 0.5;
	char text[40];

	if (!isnan(row->stored_fairshare) && (!s->computed || !row->counted))
		return row->stored_fairshare;
	if (!row->counted)
		return unranked;
	if (isnan(row->fairshare))
		return NAN;
	snprintf(text, sizeof(text), "%f", row->fairshare);
	return strtod(text, NULL);
}

static void print_row(const struct share_flux *s, const struct fs_share_row *row)
{
	char name[512], user[512], usage[TEXT_PYTHON], factor[TEXT_PYTHON], shares[16] = "";
	unsigned indent = s->rows->indent[row->row];
	const char *active = row->active ? "true" : "false";

	indent = indent > 200 ? 200 : indent;
	memset(name, ' ', indent);
	text_visible(name + indent, sizeof(name) - indent, row->account);
	text_visible(user, sizeof(user), row->user);
	text_python(usage, usage_of(row, !s->rows->indent[row->row]));
	text_python(factor, *row->user ? factor_of(s, row) : (double)NAN);
	if (row->shares_kind == FS_SHARES_PARENT)
		strcpy(shares, "parent");
	else if (row->shares_kind == FS_SHARES_NUMBER || row->parent_row == FS_NO_ROW)
		snprintf(shares, sizeof(shares), "%u", row->raw_shares);
	if (s->parsable)
		emit("%s|%s|%s|%s|%s%s%s\n", name, user, active, shares, usage,
		       *row->user ? "|" : "", factor);
	else if (*row->user)
		emit("%-20s%20s%20s%20s%20s%20s\n", name, user, active, shares, usage, factor);
	else
		emit("%-20s%20s%20s%20s%20s\n", name, user, active, shares, usage);
}

int share_flux_print(const struct share_flux *s)
{
	const size_t n = fs_shares_count(s->shares);
	const struct fs_share_row **order = malloc((n + 1) * sizeof(*order));
	bool *shown = calloc(n + 1, sizeof(*shown));
	const int rc = order && shown ? share_rows_thread(s->shares, by_parent_and_id, order) : -1;

	for (size_t i = 0; i < s->rows->n && !rc; i++)
		shown[s->rows->v[i]->row] = true;
	if (!rc && s->header)
		emit_line(s->parsable
			     ? "Bank|Username|Active|RawShares|RawUsage|Fairshare"
			     : "Bank                            Username              Active           RawShares"
			       "            RawUsage           Fairshare");
	for (size_t i = 0; i < n && !rc; i++)
		if (shown[order[i]->row] &&
		    !(s->concise && *order[i]->user && !(usage_of(order[i], false) > 0)))
			print_row(s, order[i]);
	free(order);
	free(shown);
	return rc;
}
