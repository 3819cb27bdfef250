/* fs-share --grants */
#include "share/share.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

/* A line of the page: of a grant, of the sum, of the shares that there are. */
struct line {
	const char *label, *shares, *rest;
};

#define GRANT(m) COLUMN_MEMBER(struct fs_grant_row, m)
#define LINE(m) COLUMN_MEMBER(struct line, m)

static const struct column columns[] = {
	{ NULL, "kind", GRANT(kind), .help = "gratis, lab or communal" },
	{ NULL, "pool", GRANT(pool), .help = "shares of the pool" },
	{ NULL, "hardware", GRANT(hardware), .help = "TRES of the pool's partitions" },
	{ NULL, "partitions", GRANT(partitions), .help = "those partitions" },
	{ NULL, "fraction", GRANT(fraction), .help = "part of the pool" },
	{ NULL, "accounts", GRANT(accounts), .none_at_0 = true, .help = "how many accounts share it alike" },
	{ NULL, "shares", GRANT(shares), .help = "shares granted" },
	{ NULL, "comment", GRANT(comment), .help = "where it came from" },
	{ NULL, "missing", GRANT(why), .help = "why it cannot be computed" },
};

static const struct column page_columns[] = {
	{ "kind", NULL, -10, LINE(label), .before = "  ", .help = "gratis, lab or communal" },
	{ "shares", NULL, 12, LINE(shares), .help = "shares granted" },
	{ "source", NULL, 0, LINE(rest), .before = "", .help = "what they follow from" },
};

/* The row of an account; NULL if it is not there. */
static const struct fs_share_row *find_account(const fs_shares *shares, const char *account)
{
	for (size_t i = 0; i < fs_shares_count(shares); i++) {
		const struct fs_share_row *row = fs_shares_row(shares, i);

		if (!*row->user && !strcmp(row->account, account))
			return row;
	}
	return NULL;
}

static void print_line(const char *label, const char *shares, const char *rest)
{
	const struct column_page page = { COLUMNS(page_columns), .characters = true };

	columns_row(&page, &(struct line){ label, shares, rest });
	putchar('\n');
}

/* "  = 4.0000 TRES of cpu,gpu / 2 accounts  (paid)": what the shares follow from. */
static void source_words(char *buf, size_t size, const struct fs_grant_row *g)
{
	char text[160], pool[240] = "", part[80] = "";

	if (!isnan(g->hardware))
		format_text(pool, sizeof(pool), "  = %.4f TRES of %s", g->pool, text_visible(text, sizeof(text), g->partitions));
	else if (g->fraction != 1)
		format_text(pool, sizeof(pool), "  = %.4f", g->pool);
	if (g->accounts)
		snprintf(part, sizeof(part), " / %zu accounts", g->accounts);
	else if (g->fraction != 1)
		snprintf(part, sizeof(part), " * %s", text_number(text, sizeof(text), g->fraction, 9));
	text_visible(text, sizeof(text), g->comment);
	snprintf(buf, size, *text ? "%s%s  (%s)" : "%s%s", pool, part, text);
}

static void print_row(const struct fs_grant_row *g)
{
	char shares[40], rest[COLUMN_TEXT];

	if (g->why) {
		snprintf(rest, sizeof(rest), "  %s", g->why);
		print_line(g->kind, "unknown", rest);
		return;
	}
	format_text(shares, sizeof(shares), "%.4f", g->shares);
	source_words(rest, sizeof(rest), g);
	print_line(g->kind, shares, rest);
}

/* Shares are whole: a fraction may be dropped or rounded up. */
static const char *verdict(double sum, const struct fs_share_row *row)
{
	if (!row || row->shares_kind != FS_SHARES_NUMBER || isnan(sum))
		return "unknown";
	return fabs(sum - row->raw_shares) < 1 ? "as granted" : "NOT as granted";
}

static void print_raw_shares(const struct fs_share_row *row, double sum)
{
	char number[16];

	if (row && row->shares_kind == FS_SHARES_NUMBER) {
		snprintf(number, sizeof(number), "%u", row->raw_shares);
		print_line("RawShares", number, isnan(sum) ? "  " : fabs(sum - row->raw_shares) < 1 ? "  as granted" : "  NOT as granted");
	} else {
		print_line("RawShares", row && row->shares_kind == FS_SHARES_PARENT ? "parent" : "unknown", "");
	}
}

static void print_account(const fs_grants *g, const fs_shares *shares, const char *account, double sum)
{
	const struct fs_share_row *row = find_account(shares, account);
	char text[160];

	emit_line(text_visible(text, sizeof(text), account));
	for (size_t i = 0; i < fs_grants_count(g); i++)
		if (!strcmp(fs_grants_row(g, i)->account, account))
			print_row(fs_grants_row(g, i));
	format_text(text, sizeof(text), isnan(sum) ? "unknown" : "%.4f", sum);
	print_line("sum", text, "");
	print_raw_shares(row, sum);
}

static double sum_of(const fs_grants *g, const char *account)
{
	double sum = 0;

	for (size_t i = 0; i < fs_grants_count(g); i++)
		if (!strcmp(fs_grants_row(g, i)->account, account))
			sum += fs_grants_row(g, i)->shares;
	return sum;
}

static void write_account(struct fs_json *j, const fs_grants *g, const fs_shares *shares,
			  const char *account, double sum)
{
	const struct fs_share_row *row = find_account(shares, account);

	fs_json_object(j);
	json_text(j, "account", account);
	json_number(j, "sum", sum);
	json_whole(j, "raw_shares", row && row->shares_kind == FS_SHARES_NUMBER,
		   row ? row->raw_shares : 0);
	json_text(j, "verdict", verdict(sum, row));
	json_list(j, "grants");
	for (size_t i = 0; i < fs_grants_count(g); i++) {
		const struct fs_grant_row *r = fs_grants_row(g, i);

		if (strcmp(r->account, account) != 0)
			continue;
		columns_object(j, COLUMNS(columns), NULL, r);
	}
	fs_json_end_array(j);
	fs_json_end_object(j);
	json_row_done(j);
}

/* Is grant i the first of its account? */
static bool is_first(const fs_grants *g, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(fs_grants_row(g, k)->account, fs_grants_row(g, i)->account))
			return false;
	return true;
}

static int print(const struct share_run *r, const fs_grants *g, const fs_shares *shares)
{
	const char *account = r->of;
	struct fs_json j;
	size_t found = 0;
	int status = EXIT_DONE;

	if (r->json) {
		json_begin(&j, "fs-usage/2", r->snapshot, r->json);
		json_text(&j, "report", "grants");
		json_rows(&j);
	}
	for (size_t i = 0; i < fs_grants_count(g); i++) {
		const char *name = fs_grants_row(g, i)->account;

		if ((account && strcmp(account, name) != 0) || !is_first(g, i))
			continue;
		if (r->json)
			write_account(&j, g, shares, name, sum_of(g, name));
		else
			print_account(g, shares, name, sum_of(g, name));
		found++;
	}
	if (r->json) {
		json_end_rows(&j);
		status = json_end(&j);
	}
	if (!found)
		complain(r->inv, "no grants for account \"%s\"", account ? account : "");
	return found ? status : EXIT_NOTHING;
}

int share_grants(const struct share_run *r)
{
	fs_grants *g = NULL;
	fs_shares *shares = NULL;
	struct fs_error err;
	int status;

	if (fs_grants_compute(&g, r->snapshot, &err) || fs_shares_compute(&shares, r->snapshot, NULL, &err))
		status = report(r->inv, &err);
	else
		status = print(r, g, shares);
	fs_shares_free(shares);
	fs_grants_free(g);
	return status;
}
