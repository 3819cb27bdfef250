/* The forms in which fs-share prints its rows: the trees and tables of flux-accounting and sshare, JSON, YAML, metrics
 * and bars. */
#include "picture/picture.h"
#include "render/doc.h"
#include "render/emit.h"
#include "render/text.h"
#include "share/share.h"

#include <errno.h>
#include <grp.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- the tree of `flux account view-bank root -t`
 *
 * The layout follows flux-accounting (fluxacct/accounting/formatter.py). Columns are 20 characters wide and names are
 * indented by one blank for each level. Numbers are formatted like Python's str(). Rows of banks have no last column.
 * Names are never cut. */

enum { FLUX_NAME_SIZE = 512 }; /* size, in bytes, of the buffer for a name */

static int compare_parent_and_id(const void *x, const void *y, const void *ctx)
{
	const struct fs_share_row *a = *(const struct fs_share_row *const *)x,
				  *b = *(const struct fs_share_row *const *)y;

	(void)ctx;
	if (a->parent_row != b->parent_row)
		return a->parent_row > b->parent_row ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Rounds v as Python's round(v, 2) does. flux-accounting rounds only the usage of the requested bank
 * (bank_subcommands.py: view_bank). */
static double round_to_two_places(double v)
{
	char text[400];

	format_text(text, sizeof(text), "%.2f", v);
	return strtod(text, NULL);
}

/* Returns the usage that flux-accounting lists for the row, or the computed usage if the listed usage is unknown.
 * `asked_for`: the row is the first row of the tree, which shows the requested bank. */
static double get_flux_usage(const struct fs_share_row *row, bool asked_for)
{
	const double usage = isnan(row->stored.usage) ? row->raw_usage : row->stored.usage;

	return asked_for && !*row->user && !isnan(usage) ? round_to_two_places(usage) : usage;
}

/* Returns the fair-share factor that flux-accounting shows: the stored factor, or with --algorithm the computed factor.
 * For a user to whom flux-accounting never gave a factor, returns 0.5, the factor of new users. */
static double get_flux_factor(const struct share_run *r, const struct fs_share_row *row)
{
	const double unranked = 0.5;
	char text[40];

	if (!isnan(row->stored.fairshare) && (!r->input.algorithm || !row->counted))
		return row->stored.fairshare;
	if (!row->counted)
		return unranked;
	if (isnan(row->fairshare))
		return NAN;
	format_text(text, sizeof(text), "%f", row->fairshare);
	return strtod(text, NULL);
}

/* ---- columns of the tree of flux-accounting */

static void format_bank_cell(char buf[COLUMN_TEXT_SIZE], const void *of, const void *row)
{
	const struct share_run *r = of;
	const struct fs_share_row *bank = row;
	const unsigned indent = r->rows.indent[bank->row] > 200 ? 200 : r->rows.indent[bank->row];

	memset(buf, ' ', indent);
	text_make_visible(buf + indent, FLUX_NAME_SIZE - indent, bank->account);
}

COLUMN_FORMAT_CELL(format_user_cell, void, struct fs_share_row, text_make_visible(buf, FLUX_NAME_SIZE, row->user))
COLUMN_FORMAT_CELL(format_active_cell, void, struct fs_share_row, strcpy(buf, row->active ? "true" : "false"))

static void format_shares_cell(char buf[COLUMN_TEXT_SIZE], const void *of, const void *r)
{
	const struct fs_share_row *row = r;

	(void)of;
	*buf = '\0';
	if (row->shares_kind == FS_SHARES_PARENT)
		strcpy(buf, "parent");
	else if (row->shares_kind == FS_SHARES_NUMBER || row->parent_row == FS_NO_ROW)
		snprintf(buf, COLUMN_TEXT_SIZE, "%u", row->raw_shares);
}

COLUMN_FORMAT_CELL(format_usage_cell, struct share_run, struct fs_share_row,
		   text_format_python(buf, get_flux_usage(row, !of->rows.indent[row->row])))
COLUMN_FORMAT_CELL(format_factor_cell, struct share_run, struct fs_share_row,
		   text_format_python(buf, get_flux_factor(of, row)))

/* Columns of the tree; a row is a struct fs_share_row. Rows of banks do not have the last column. */
static const struct column flux_columns[] = {
	{ .name = "Bank", .width = -20, .format_cell = format_bank_cell, .help = "bank, indented by its level" },
	{ .name = "Username", .width = 20, .prefix = "", .format_cell = format_user_cell,
	  .help = "user; empty in the row of a bank" },
	{ .name = "Active", .width = 20, .prefix = "", .format_cell = format_active_cell,
	  .help = "true: the bank or user is active" },
	{ .name = "RawShares",
	  .width = 20,
	  .prefix = "",
	  .format_cell = format_shares_cell,
	  .help = "shares, relative to the shares of the siblings" },
	{ .name = "RawUsage",
	  .width = 20,
	  .prefix = "",
	  .format_cell = format_usage_cell,
	  .help = "usage, weighted and decayed" },
	{ .name = "Fairshare", .width = 20, .prefix = "", .format_cell = format_factor_cell,
	  .help = "fair-share factor of a user" },
};

static void print_flux_row(const struct column_page *page, const struct fs_share_row *row)
{
	struct column_page own = *page;

	own.n -= !*row->user;
	columns_print_row(&own, row);
	emit("\n");
}

/* Returns true if the tree shows the row. -c and --active omit users, not banks. */
static bool is_flux_row_shown(const struct share_run *r, const struct fs_share_row *row)
{
	return !*row->user ||
	       ((!r->concise || get_flux_usage(row, false) > 0) && (!r->active_only || row->active));
}

int share_print_flux_tree(struct share_run *r)
{
	const struct column_page page = { COLUMNS(flux_columns), .rows_owner = r,
					  .separator = r->layout == LAYOUT_ALIGNED ? NULL : "|" };

	if (share_rows_sort_siblings(&r->rows, r->shares, compare_parent_and_id))
		return -1;
	if (!r->no_header)
		columns_print_heading(&page);
	for (size_t i = 0; i < r->rows.n; i++)
		if (is_flux_row_shown(r, r->rows.v[i]))
			print_flux_row(&page, r->rows.v[i]);
	return EXIT_DONE;
}

/* ---- the tree of `flux account bank-info -t BANK`
 *
 * The layout follows flux-accounting (fluxacct/accounting/formatter.py: format_bank_info_node), the numbers follow
 * bank_subcommands.py: _build_sharetree. Unlike in fair share, users and banks of the same parent do not compete, and
 * inactive rows count. The column "Level FS" has the stored fair-share factor of a user. */

struct bank_info {
	const struct share_run *run;
	/* `norm_shares`: indexed by share row. `sums`: sum of the shares of the banks below row i at index 2 * i, of
	 * the users at 2 * i + 1 */
	double *norm_shares;
	uint64_t *sums;
	double root_usage;
};

static const char *get_short_name(const struct fs_share_row *row)
{
	return *row->user ? row->user : row->account;
}

static size_t get_sum_index(const struct fs_share_row *row)
{
	return 2 * (size_t)row->parent_row + (*row->user != '\0');
}

/* Fills info->norm_shares. flux-accounting gives 0 to rows that have the name of the root bank. */
static void compute_bank_info_shares(const struct bank_info *info)
{
	const fs_shares *shares = info->run->shares;
	const size_t n = fs_shares_count(shares);

	for (size_t i = 0; i < n; i++)
		if (fs_shares_row(shares, i)->parent_row != FS_NO_ROW)
			info->sums[get_sum_index(fs_shares_row(shares, i))] += fs_shares_row(shares, i)->raw_shares;
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *row = fs_shares_row(shares, i);

		if (row->parent_row == FS_NO_ROW)
			info->norm_shares[i] = 1;
		else if (info->sums[get_sum_index(row)] &&
			 strcmp(get_short_name(row), fs_shares_row(shares, 0)->account) != 0)
			info->norm_shares[i] = row->raw_shares / (double)info->sums[get_sum_index(row)] *
					       info->norm_shares[row->parent_row];
	}
}

static double get_normalized_usage(const struct bank_info *info, const struct fs_share_row *row)
{
	if (info->root_usage > 0)
		return get_flux_usage(row, false) / info->root_usage;
	return row->parent_row == FS_NO_ROW ? 1 : 0;
}

static void format_info_name_cell(char buf[COLUMN_TEXT_SIZE], const void *of, const void *r)
{
	const struct fs_share_row *row = r;
	const unsigned indent = row->depth > 200 ? 200 : row->depth + (*row->user != '\0');

	(void)of;
	memset(buf, ' ', indent);
	text_make_visible(buf + indent, FLUX_NAME_SIZE - indent, get_short_name(row));
}

COLUMN_FORMAT_CELL(format_info_shares_cell, void, struct fs_share_row,
		   snprintf(buf, COLUMN_TEXT_SIZE, "%u", row->raw_shares))
COLUMN_FORMAT_CELL(format_info_norm_shares_cell, struct bank_info, struct fs_share_row,
		   format_text(buf, COLUMN_TEXT_SIZE, "%.6f", of->norm_shares[row->row]))
COLUMN_FORMAT_CELL(format_info_usage_cell, void, struct fs_share_row,
		   format_text(buf, COLUMN_TEXT_SIZE, "%.1f", get_flux_usage(row, false)))
COLUMN_FORMAT_CELL(format_info_norm_usage_cell, struct bank_info, struct fs_share_row,
		   format_text(buf, COLUMN_TEXT_SIZE, "%.6f", get_normalized_usage(of, row)))
COLUMN_FORMAT_CELL(format_info_type_cell, void, struct fs_share_row, strcpy(buf, *row->user ? "User" : "Bank"))

/* Formats the stored factor of a user. The root bank has "inf", other banks have no factor. With -P and -v, the factor
 * has six decimals. */
static void format_info_factor_cell(char buf[COLUMN_TEXT_SIZE], const void *of, const void *r)
{
	const struct bank_info *info = of;
	const struct fs_share_row *row = r;
	const bool long_form = info->run->verbose && info->run->layout != LAYOUT_ALIGNED;

	if (row->parent_row == FS_NO_ROW)
		strcpy(buf, "inf");
	else if (!*row->user)
		strcpy(buf, long_form ? "nan" : "--");
	else
		format_text(buf, COLUMN_TEXT_SIZE, long_form ? "%.6f" : "%.3f", get_flux_factor(info->run, row));
}

/* Columns of bank-info with -v. Without -v, the columns of usage and type are left out. */
static const struct column bank_info_columns[] = {
	{ .name = "Name", .width = -20, .format_cell = format_info_name_cell, .help = "bank or user, indented" },
	{ .name = "Shares", .width = 10, .format_cell = format_info_shares_cell, .help = "shares" },
	{ .name = "Norm Shares", .width = 12, .format_cell = format_info_norm_shares_cell,
	  .help = "shares as a fraction of all shares" },
	{ .name = "Usage", .width = 13, .format_cell = format_info_usage_cell, .help = "usage, weighted and decayed" },
	{ .name = "Norm Usage", .width = 12, .format_cell = format_info_norm_usage_cell,
	  .help = "usage as a fraction of the root bank's usage" },
	{ .name = "Level FS", .width = 10, .format_cell = format_info_factor_cell, .help = "fair-share factor of a user" },
	{ .name = "Type", .width = 5, .format_cell = format_info_type_cell, .help = "User or Bank" },
};

static int compare_parent_and_name(const void *x, const void *y, const void *ctx)
{
	const struct fs_share_row *a = *(const struct fs_share_row *const *)x,
				  *b = *(const struct fs_share_row *const *)y;

	(void)ctx;
	if (a->parent_row != b->parent_row)
		return a->parent_row > b->parent_row ? 1 : -1;
	return strcmp(get_short_name(a), get_short_name(b));
}

static void print_bank_info_heading(const struct bank_info *info, const struct column_page *page)
{
	if (info->run->layout == LAYOUT_ALIGNED)
		columns_print_heading(page);
	else
		emit(info->run->verbose ? "Name|Shares|Norm_Shares|Usage|Norm_Usage|Norm_FS|Type\n"
					: "Name|Shares|Norm_Shares|Norm_Usage|Norm_FS\n");
}

static void print_bank_info_rows(const struct bank_info *info)
{
	const struct share_run *r = info->run;
	struct column columns[sizeof(bank_info_columns) / sizeof(*bank_info_columns)];
	struct column_page page = { columns, 0, .rows_owner = info,
				    .separator = r->layout == LAYOUT_ALIGNED ? NULL : "|" };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (r->verbose || (bank_info_columns[i].format_cell != format_info_usage_cell &&
				   bank_info_columns[i].format_cell != format_info_type_cell))
			columns[page.n++] = bank_info_columns[i];
	if (!r->no_header)
		print_bank_info_heading(info, &page);
	for (size_t i = 0; i < r->rows.n; i++) {
		columns_print_row(&page, r->rows.v[i]);
		emit("\n");
	}
}

int share_print_bank_info(struct share_run *r)
{
	const size_t n = fs_shares_count(r->shares);
	struct bank_info info = { r, calloc(n + 1, sizeof(double)), calloc(2 * n + 1, sizeof(uint64_t)), 0 };
	const int status = !info.norm_shares || !info.sums ||
					   share_rows_sort_siblings(&r->rows, r->shares, compare_parent_and_name)
				   ? -1
				   : EXIT_DONE;

	if (!status) {
		info.root_usage = get_flux_usage(fs_shares_row(r->shares, 0), false);
		compute_bank_info_shares(&info);
		print_bank_info_rows(&info);
	}
	free(info.norm_shares);
	free(info.sums);
	return status;
}

/* ---- fs-share --json: schema fs-share/1 (man/fs-share.1, man/fs-share-1.schema.json) */

int share_print_json(const struct share_run *r)
{
	struct share_source of = { r->snapshot, r->shares, NULL, fs_snapshot_tres_count(r->snapshot) };
	struct fs_json j;

	of.tres = calloc(of.ntres + 1, sizeof(*of.tres));
	if (!of.tres)
		return -1;
	json_begin_document(&j, "fs-share/1", r->snapshot, r->json);
	json_write_text(&j, "algorithm", fs_shares_algorithm(r->shares));
	json_write_whole(&j, "ranked_users", true, fs_shares_users(r->shares));
	json_begin_rows(&j);
	for (size_t i = 0; i < r->rows.n; i++) {
		columns_write_object(&j, share_columns, SHARE_COLUMNS, &of, r->rows.v[i]);
		json_end_row(&j);
	}
	json_end_rows(&j);
	free(of.tres);
	return json_end_document(&j);
}

/* ---- fs-share --openmetrics */

static int write_column_metric(const struct share_source *of, const struct share_rows *rows, const struct column *c,
			       struct metric_record *v)
{
	char name[64], help[160];
	const struct metric_family family = { name, help, { "account", "user", "partition" }, METRIC_SUM };

	snprintf(name, sizeof(name), "fs_share_%s", c->key);
	snprintf(help, sizeof(help), "fs-share: %s.", c->help);
	for (size_t i = 0; i < rows->n; i++) {
		const struct fs_share_row *row = rows->v[i];
		struct value value;

		column_get_value(c, of, row, &value);
		v[i] = (struct metric_record){ { row->account, row->user, row->partition }, value_to_number(&value) };
	}
	return metrics_print_family(of->snapshot, &family, v, rows->n);
}

int share_print_metrics(const struct share_run *r)
{
	const struct share_source of = { r->snapshot, r->shares, NULL, 0 };
	struct metric_record *v = calloc(r->rows.n + 1, sizeof(*v));
	int status = v ? EXIT_DONE : -1;

	if (v)
		metrics_print_time(r->snapshot, "fs_share");
	for (size_t i = 0; i < share_metric_columns_count && !status; i++)
		status = write_column_metric(&of, &r->rows, &share_columns[share_metric_columns[i]], v);
	free(v);
	return status ? -1 : metrics_print_end();
}

/* ---- fs-share --ranges --svg: a picture of the range of fair-share values that each account and user has */

enum {
	PICTURE_NAME_CHARS = 26,
	PICTURE_NAME_WIDTH = PICTURE_NAME_CHARS * SVG_CHAR,
	PICTURE_FACTOR_WIDTH = 70,
	PICTURE_BAR_WIDTH = 500,
	PICTURE_TOP = 56,
	PICTURE_MARGIN = 12,
	PICTURE_INDENT = 12
};

static double scale_to_picture_x(double v)
{
	return PICTURE_MARGIN + PICTURE_NAME_WIDTH + PICTURE_FACTOR_WIDTH + fmin(fmax(v, 0), 1) * PICTURE_BAR_WIDTH;
}

static void draw_picture_scale(struct markup *v, double bottom)
{
	char number[8];

	for (int i = 0; i <= 10; i += 2) {
		format_text(number, sizeof(number), "%.1f", i / 10.0);
		svg_draw_line(v, scale_to_picture_x(i / 10.0), PICTURE_TOP - 14, scale_to_picture_x(i / 10.0), bottom,
			      SVG_GRID);
		svg_draw_text(v, scale_to_picture_x(i / 10.0), PICTURE_TOP - 20, SVG_MIDDLE, SVG_FAINT, 0, number);
	}
}

static void draw_picture_row(struct markup *v, const struct share_run *r, const struct fs_share_row *row, double y)
{
	const double indent = fmin(r->rows.indent[row->row], 8) * PICTURE_INDENT;
	const bool user = *row->user;
	char text[64];

	svg_draw_text(v, PICTURE_MARGIN + indent, y + 14, SVG_START, SVG_INK,
		      PICTURE_NAME_CHARS - (size_t)indent / SVG_CHAR, user ? row->user : row->account);
	if (isnan(row->fairshare)) {
		svg_draw_text(v, scale_to_picture_x(0) - PICTURE_MARGIN, y + 14, SVG_END, SVG_FAINT, 0,
			      row->counted ? "?" : "-");
		return;
	}
	format_text(text, sizeof(text), "%.4f", row->fairshare);
	svg_draw_text(v, scale_to_picture_x(0) - PICTURE_MARGIN, y + 14, SVG_END, SVG_FAINT, 0, text);
	if (user) {
		svg_draw_rectangle(v, scale_to_picture_x(row->fairshare) - 2, y + 3, 4, 13, svg_get_series(1), text);
		return;
	}
	format_text(text, sizeof(text), "%.6f to %.6f", row->range.low, row->fairshare);
	svg_draw_rectangle(v, scale_to_picture_x(row->range.low), y + 5,
			   scale_to_picture_x(row->fairshare) - scale_to_picture_x(row->range.low), 9,
			   svg_get_series(0), text);
}

int share_save_ranges_picture(const struct share_run *r)
{
	const double height = PICTURE_TOP + (double)r->rows.n * SVG_LINE + PICTURE_MARGIN,
		     width = scale_to_picture_x(1) + 2 * PICTURE_MARGIN;
	struct markup v = { .state = r->snapshot };

	svg_begin_picture(
		&v, width, height, "Ranges of banks and users from 0 to 1",
		"One line for each bank and user. A bar is the range of a bank, which contains all its members; a mark "
		"is the factor of a user.");
	svg_draw_text(&v, PICTURE_MARGIN, PICTURE_TOP - 20, SVG_START, SVG_FAINT, 0, "bank / user");
	draw_picture_scale(&v, height - PICTURE_MARGIN);
	for (size_t i = 0; i < r->rows.n; i++)
		draw_picture_row(&v, r, r->rows.v[i], PICTURE_TOP + (double)i * SVG_LINE);
	svg_end_picture(&v);
	return markup_save_file(r->inv, &v, r->svg);
}

/* ---- fs-share --ranges: a bar for the range of fair-share values that each account and user has */

enum {
	RANGES_FACTOR_WIDTH = 8,
	BAR_FRAME_WIDTH = 2,
	BAR_WIDTH_MIN = 11,
	BAR_WIDTH_MAX = 201,
	BAR_NAME_WIDTH_MIN = 8,
	TERMINAL_WIDTH_DEFAULT = 80
};

/* The strings that a bar consists of, in UTF-8 or ASCII. */
struct bar_characters {
	const char *frame, *start, *slice, *end, *empty;
};

static const struct bar_characters ascii_bar_characters = { "|", "[", "=", "o", " " };
static const struct bar_characters unicode_bar_characters = { "\xe2\x94\x82", "\xe2\x94\x9c", "\xe2\x94\x80",
							      "\xe2\x97\x8f", " " };

struct bars_page {
	const struct bar_characters *characters;
	/* `name_width`: width of the names in characters. `bar_width`: width of a bar without its frame, in
	 * characters */
	unsigned name_width, bar_width;
};

static unsigned get_terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize w;
	long n;

	if (isatty(1) && !ioctl(1, TIOCGWINSZ, &w) && w.ws_col)
		return w.ws_col;
	n = columns ? strtol(columns, NULL, 10) : 0;
	return n > 0 && n < 10000 ? (unsigned)n : TERMINAL_WIDTH_DEFAULT;
}

/* Orders siblings by factor, the highest first; unknown factors come last. Siblings with equal factors are ordered by
 * shares divided by usage, because different factors can round to the same number. */
static int compare_underserved_siblings(const void *x, const void *y, const void *ctx)
{
	const struct fs_share_row *a = *(const struct fs_share_row *const *)x,
				  *b = *(const struct fs_share_row *const *)y;

	(void)ctx;
	if (a->parent_row != b->parent_row)
		return a->parent_row > b->parent_row ? 1 : -1;
	if (a->fairshare != b->fairshare && !isnan(a->fairshare) && !isnan(b->fairshare))
		return a->fairshare > b->fairshare ? -1 : 1;
	if (isnan(a->fairshare) != isnan(b->fairshare))
		return isnan(a->fairshare) ? 1 : -1;
	if (a->level_fs != b->level_fs && !isnan(a->level_fs) && !isnan(b->level_fs))
		return a->level_fs > b->level_fs ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static unsigned find_bar_cell(const struct bars_page *s, double v)
{
	return (unsigned)lround(fmin(fmax(v, 0), 1) * (s->bar_width - 1));
}

static void print_range_bar(const struct bars_page *s, const struct fs_share_row *row)
{
	const bool known = !isnan(row->fairshare);
	const unsigned at = known ? find_bar_cell(s, row->fairshare) : 0;
	const unsigned from = known && !*row->user ? find_bar_cell(s, row->range.low) : at;
	const bool root = row->parent_row == FS_NO_ROW;

	emit_safe_text(s->characters->frame);
	for (unsigned i = 0; i < s->bar_width; i++)
		if (!known || i < from || i > at)
			emit_safe_text(s->characters->empty);
		else if (root)
			emit_safe_text(s->characters->slice);
		else
			emit_safe_text(i == at     ? s->characters->end
				       : i == from ? s->characters->start
						   : s->characters->slice);
	emit_safe_line(s->characters->frame);
}

/* Returns the number of characters of the UTF-8 string s. */
static size_t count_utf8_characters(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

/* Prints s, padded to `width` characters. A longer name is cut and ends with '+'. */
static void print_padded_name(const char *s, unsigned width)
{
	size_t left = count_utf8_characters(s) > width ? width - 1 : width, n = 0;
	const bool cut = count_utf8_characters(s) > width;

	for (; s[n] && left; left--)
		do
			n++;
		while ((s[n] & 0xc0) == 0x80);
	emit_cut_text(stdout, s, n);
	emit("%*s", cut ? 1 : (int)left, cut ? "+" : "");
}

static void format_indented_name(const struct fs_share_row *row, const unsigned *indent, char *buf, size_t size)
{
	const unsigned n = indent[row->row] < 100 ? indent[row->row] : 100;

	memset(buf, ' ', n);
	text_make_visible(buf + n, size - n, *row->user ? row->user : row->account);
}

/* Prints a scale above the bars, with as many numbers as fit. The first digit of each number is directly above the
 * column of the bars that represents the number. Exception: the number 1.0 begins one column to the left of its
 * column. */
static void print_bars_scale(const struct bars_page *s)
{
	const unsigned step = s->bar_width >= 44 ? 1 : s->bar_width >= 23 ? 2 : s->bar_width >= 11 ? 5 : 10;
	char line[BAR_WIDTH_MAX + 8], number[8];

	memset(line, ' ', sizeof(line));
	for (unsigned tenth = 0; tenth <= 10; tenth += step) {
		const unsigned at = BAR_FRAME_WIDTH / 2 + find_bar_cell(s, tenth / 10.0);

		format_text(number, sizeof(number), "%.1f", tenth / 10.0);
		memcpy(line + (tenth == 10 ? at - 1 : at), number, 3);
	}
	line[s->bar_width + BAR_FRAME_WIDTH + 1] = '\0';
	for (size_t n = strlen(line); n && line[n - 1] == ' ';)
		line[--n] = '\0';
	print_padded_name("bank / user", s->name_width);
	emit("%*s  %s\n", RANGES_FACTOR_WIDTH, "factor", line);
}

static void print_bars_row(const struct bars_page *s, const struct fs_share_row *row, const unsigned *indent)
{
	char name[600];

	format_indented_name(row, indent, name, sizeof(name));
	print_padded_name(name, s->name_width);
	if (isnan(row->fairshare))
		emit("%*s  ", RANGES_FACTOR_WIDTH, row->counted ? "?" : "-");
	else
		emit("%*.4f  ", RANGES_FACTOR_WIDTH, row->fairshare);
	print_range_bar(s, row);
}

static void print_bars_legend(const struct bars_page *s, enum fs_position position)
{
	static const char *const of[] = {
		"2^(-1/weight)", "weight/(1+weight)", "rank among the siblings",
	};

	emit("%s%s%s%s is the range of a bank, which contains all its members.\n",
	       s->characters->start, s->characters->slice, s->characters->slice, s->characters->end);
	emit("Position in the range: %s", of[position]);
	emit(position == FS_POSITION_RANK ? ".\n"
					 : "; weight = shares/usage among siblings.\nA member that used "
					   "exactly its shares is in the middle.\n");
}

static struct bars_page plan_bars_page(const struct share_run *r)
{
	const unsigned width = get_terminal_width();
	struct bars_page page = { text_has_utf8() ? &unicode_bar_characters : &ascii_bar_characters,
				  (unsigned)strlen("bank / user"), 0 };
	const unsigned rest = RANGES_FACTOR_WIDTH + 2 + BAR_FRAME_WIDTH;
	unsigned max =
		width > rest + BAR_WIDTH_MIN + BAR_NAME_WIDTH_MIN ? width - rest - BAR_WIDTH_MIN : BAR_NAME_WIDTH_MIN;
	char name[600];

	for (size_t i = 0; i < r->rows.n; i++) {
		format_indented_name(r->rows.v[i], r->rows.indent, name, sizeof(name));
		if (count_utf8_characters(name) > page.name_width)
			page.name_width = (unsigned)count_utf8_characters(name);
	}
	if (max > width * 2 / 5 && width * 2 / 5 >= BAR_NAME_WIDTH_MIN)
		max = width * 2 / 5;
	page.name_width = page.name_width > max ? max : page.name_width;
	page.bar_width =
		width > page.name_width + rest + BAR_WIDTH_MIN ? width - page.name_width - rest : BAR_WIDTH_MIN;
	page.bar_width = page.bar_width > BAR_WIDTH_MAX ? BAR_WIDTH_MAX : page.bar_width;
	return page;
}

int share_print_ranges(struct share_run *r)
{
	const struct bars_page page = plan_bars_page(r);

	if (share_rows_sort_siblings(&r->rows, r->shares, compare_underserved_siblings))
		return -1;
	if (!r->no_header)
		print_bars_scale(&page);
	for (size_t i = 0; i < r->rows.n; i++)
		print_bars_row(&page, r->rows.v[i], r->rows.indent);
	if (!r->no_header)
		print_bars_legend(&page, r->input.position);
	return EXIT_DONE;
}

/* ---- the documents of Slurm's `sshare --json` and `--yaml`
 *
 * The fields and their order follow src/plugins/data_parser (parsers v0.0.40 to v0.0.46). */

struct slurm_document {
	const struct share_run *r;
	unsigned compat; /* Slurm version whose document is written (FS_SLURM_RELEASE) */
	int parser;	 /* number of the data_parser plugin: 42 for v0.0.42 */
	struct doc d;
	struct fs_tres *tres;
	double *seconds;
	size_t tres_count; /* number of TRES of the cluster: length of `tres` and `seconds` */
	const char *group; /* primary group of the viewer */
};

static void write_number_flags(struct doc *d, bool set, bool infinite)
{
	doc_write_bool(d, "set", set);
	doc_write_bool(d, "infinite", infinite);
}

/* Writes an object {set, infinite, number}. For NAN, "set" is false. */
static void write_number_object(struct doc *d, const char *key, double v)
{
	doc_begin_map(d, key);
	write_number_flags(d, isfinite(v), isinf(v));
	doc_write_double(d, "number", isfinite(v) ? v : 0);
	doc_end_map(d);
}

static void write_integer_object(struct doc *d, const char *key, bool set, bool infinite, int64_t v)
{
	doc_begin_map(d, key);
	write_number_flags(d, set, infinite);
	doc_write_int(d, "number", set ? v : 0);
	doc_end_map(d);
}

enum { FIRST_PARSER = 40 }; /* number of the data_parser of the first release whose sshare prints JSON */

/* The release that introduced each data_parser after FIRST_PARSER, in the order of the parser numbers. */
static const enum fs_slurm_feature later_parsers[] = { FS_SLURM_PARSER_41, FS_SLURM_PARSER_42, FS_SLURM_PARSER_43,
						       FS_SLURM_PARSER_44, FS_SLURM_PARSER_45, FS_SLURM_PARSER_46 };
enum { LATER_PARSERS = sizeof(later_parsers) / sizeof(*later_parsers) };

/* Returns the number of the data_parser that a Slurm release uses by default. */
static int get_default_parser(unsigned version)
{
	int n = 0;

	while (n < LATER_PARSERS && fs_slurm_has(version, later_parsers[n]))
		n++;
	return FIRST_PARSER + n;
}

/* Returns true if the release that introduced the data_parser has the feature. */
static bool parser_has_feature(int number, enum fs_slurm_feature feature)
{
	return number > FIRST_PARSER &&
	       fs_slurm_has(fs_slurm_difference(later_parsers[number - FIRST_PARSER - 1])->since, feature);
}

/* Writes the field "factor", "level" or "effective_usage". A data_parser without FS_SLURM_JSON_OBJECTS writes a plain
 * number, and NO_VAL instead of NAN. Later data_parsers write an object. */
static void write_changed_number_field(struct slurm_document *w, const char *key, double v)
{
	if (parser_has_feature(w->parser, FS_SLURM_JSON_OBJECTS))
		write_number_object(&w->d, key, v);
	else
		doc_write_double(&w->d, key, isnan(v) ? 4294967294.0 : v);
}

static void write_tres_limits(struct slurm_document *w, const struct fs_share_row *r)
{
	const int n = fs_shares_tres(w->r->shares, r->row, FS_SHARE_TRES_LIMIT, w->tres, w->tres_count);

	doc_begin_list(&w->d, "group_minutes", !w->tres_count);
	for (size_t i = 0; i < w->tres_count; i++) {
		const char *name = fs_snapshot_tres_name(w->r->snapshot, i);
		int k = 0;

		while (k < n && strcmp(w->tres[k].name, name) != 0)
			k++;
		doc_begin_map(&w->d, NULL);
		doc_write_string(&w->d, "name", name);
		write_integer_object(&w->d, "value", k < n, k >= n, k < n ? w->tres[k].amount : 0);
		doc_end_map(&w->d);
	}
	doc_end_list(&w->d);
}

/* Writes a list of all TRES with an amount for each. Amounts that running jobs use are written as objects
 * {set, infinite, number}. Amounts of past usage are written as plain numbers. */
static void write_tres_seconds(struct slurm_document *w, const struct fs_share_row *r, const char *key,
			       enum fs_share_tres which)
{
	const bool known = fs_shares_tres_seconds(w->r->shares, r->row, which, w->seconds, w->tres_count) >= 0;

	doc_begin_list(&w->d, key, !w->tres_count);
	for (size_t i = 0; i < w->tres_count; i++) {
		doc_begin_map(&w->d, NULL);
		doc_write_string(&w->d, "name", fs_snapshot_tres_name(w->r->snapshot, i));
		if (which == FS_SHARE_TRES_RUNNING)
			write_integer_object(&w->d, "value", known, false, known ? (int64_t)w->seconds[i] : 0);
		else
			doc_write_double(&w->d, "value", known ? w->seconds[i] : NAN);
		doc_end_map(&w->d);
	}
	doc_end_list(&w->d);
}

static void write_fairshare_object(struct slurm_document *w, const struct fs_share_row *r)
{
	double level = r->level_fs;

	if (!fs_shares_has_levels(w->r->shares)) /* the classic algorithms compute no LevelFS */
		level = 0;
	else if (*r->user && r->shares_kind == FS_SHARES_PARENT)
		level = INFINITY; /* users with `parent` shares; sshare's table leaves their LevelFS blank */
	doc_begin_map(&w->d, "fairshare");
	write_changed_number_field(w, "factor", isnan(r->daemon_factor) ? 0 : fs_slurm_wire(r->daemon_factor));
	write_changed_number_field(w, "level", level);
	doc_end_map(&w->d);
}

static void write_slurm_row(struct slurm_document *w, const struct fs_share_row *r)
{
	struct doc *d = &w->d;
	const bool parent = r->shares_kind == FS_SHARES_PARENT;

	doc_begin_map(d, NULL);
	doc_write_int(d, "id", r->id);
	doc_write_string(d, "cluster", fs_snapshot_info(w->r->snapshot)->cluster);
	doc_write_string(d, "name", *r->user ? r->user : r->account);
	doc_write_string(d, "parent", r->parent);
	doc_write_string(d, "partition", r->partition);
	write_number_object(d, "shares_normalized", fs_slurm_wire(r->norm_shares));
	write_integer_object(d, "shares", r->shares_kind != FS_SHARES_UNSET, false,
			     parent ? 2147483647 : (int64_t)r->raw_shares);
	doc_begin_map(d, "tres");
	write_tres_seconds(w, r, "run_seconds", FS_SHARE_TRES_RUNNING);
	write_tres_limits(w, r);
	write_tres_seconds(w, r, "usage", FS_SHARE_TRES_USAGE);
	doc_end_map(d);
	write_changed_number_field(w, "effective_usage", r->effective_usage);
	write_number_object(d, "usage_normalized", r->norm_usage);
	doc_write_int(d, "usage", r->raw_usage >= 0 && r->raw_usage < 9e18 ? (int64_t)r->raw_usage : 0);
	write_fairshare_object(w, r);
	doc_begin_list(d, "type", false);
	doc_write_string(d, NULL, *r->user ? "USER" : "ASSOCIATION");
	doc_end_list(d);
	doc_end_map(d);
}

/* Returns the number of the oldest data_parser that a release includes. A release includes its default data_parser and
 * the two preceding parsers (23.11: one preceding parser; from 25.05 on: three preceding parsers). */
static int get_oldest_parser(unsigned version)
{
	const int own = get_default_parser(version);

	return own == FIRST_PARSER ? own - 1 : fs_slurm_has(version, FS_SLURM_PARSER_43) ? own - 3 : own - 2;
}

/* Returns the number of a data_parser given by name: "v0.0.42", "data_parser/v0.0.42", "latest", or NULL for the
 * default of the release. Returns 0 if the release does not include the parser or fs-tools does not support it
 * (v0.0.39, and names with flags such as "v0.0.42+complex"). */
static int find_named_parser(unsigned compat, const char *name)
{
	const int own = get_default_parser(compat), oldest = get_oldest_parser(compat);
	int n, end = 0;

	if (!name || !strcasecmp(name, "latest"))
		return own;
	if (!strncmp(name, "data_parser/", strlen("data_parser/")))
		name += strlen("data_parser/");
	if (sscanf(name, "v0.0.%d%n", &n, &end) != 1 || name[end])
		return 0;
	return n >= oldest && n >= FIRST_PARSER && n <= own ? n : 0;
}

/* Prints the list of the data_parsers that a release includes, as `sshare --json=list` does. */
static void print_parser_list(unsigned compat)
{
	emit_to_stream(stderr, "Possible data_parser plugins:\n");
	for (int n = get_oldest_parser(compat); n <= get_default_parser(compat); n++)
		emit("data_parser/v0.0.%d\n", n);
}

/* Writes the Slurm version, taken from the scheduler's name: "slurm 26.11.0-0rc1" is release 26.11.0-0rc1 with major
 * 26, minor 11 and micro 0. */
static void write_slurm_version(struct doc *d, const fs_snapshot *s)
{
	const char *release = strchr(fs_snapshot_info(s)->scheduler, ' ');
	char part[3][8] = { "", "", "" };

	release = release ? release + 1 : "";
	sscanf(release, "%7[0-9].%7[0-9].%7[0-9]", part[0], part[1], part[2]);
	doc_begin_map(d, "slurm");
	doc_begin_map(d, "version");
	doc_write_string(d, "major", part[0]);
	doc_write_string(d, "micro", part[2]);
	doc_write_string(d, "minor", part[1]);
	doc_end_map(d);
	doc_write_string(d, "release", release);
	doc_write_string(d, "cluster", fs_snapshot_info(s)->cluster);
	doc_end_map(d);
}

/* Returns the primary group of the login name `user`; "" if this machine does not know the user; NULL if out of
 * memory. */
static const char *get_primary_group(const char *user)
{
	const struct passwd *pw;
	const struct group *gr;

	errno = 0;
	pw = getpwnam(user);
	gr = pw ? getgrgid(pw->pw_gid) : NULL;
	return gr ? gr->gr_name : errno == ENOMEM ? NULL : "";
}

/* Prints the heading above each cluster of -M (src/sshare/sshare.c:_multi_cluster). sshare prints the heading above a
 * document too. */
static void print_cluster_heading(const struct share_run *r)
{
	if (r->input.clusters)
		emit("CLUSTER: %s\n", fs_snapshot_info(r->snapshot)->cluster);
}

static void write_meta_object(struct slurm_document *w)
{
	const char *storage = fs_snapshot_config_text(w->r->snapshot, "AccountingStorageType");
	const int words = fs_slurm_has(w->compat, FS_SLURM_JSON_LAST_WORD) ? w->r->argc : w->r->argc - 1;
	struct doc *d = &w->d;
	char parser[40];

	snprintf(parser, sizeof(parser), "data_parser/v0.0.%d", w->parser);
	doc_begin_map(d, "meta");
	doc_begin_map(d, "plugin");
	doc_write_string(d, "type", "");
	doc_write_string(d, "name", "");
	doc_write_string(d, "data_parser", parser);
	doc_write_string(d, "accounting_storage", storage ? storage : "");
	doc_end_map(d);
	doc_begin_map(d, "client");
	doc_write_string(d, "source", "");
	doc_write_string(d, "user", input_get_viewer_name(&w->r->input));
	doc_write_string(d, "group", w->group);
	doc_end_map(d);
	doc_begin_list(d, "command", !words);
	for (int i = 0; i < words; i++)
		doc_write_string(d, NULL, w->r->argv[i]);
	doc_end_list(d);
	write_slurm_version(d, w->r->snapshot);
	doc_end_map(d);
}

static void write_slurm_document(struct slurm_document *w)
{
	doc_begin_map(&w->d, "shares");
	doc_begin_list(&w->d, "shares", !w->r->rows.n);
	for (size_t i = 0; i < w->r->rows.n; i++)
		write_slurm_row(w, w->r->rows.v[i]);
	doc_end_list(&w->d);
	doc_write_int(&w->d, "total_shares", 0);
	doc_end_map(&w->d);
	write_meta_object(w);
	doc_begin_list(&w->d, "errors", true);
	doc_end_list(&w->d);
	doc_begin_list(&w->d, "warnings", true);
	doc_end_list(&w->d);
}

/* Checks the flags in $SLURM_JSON or $SLURM_YAML (src/interfaces/serializer.c:_parse_config). Sets *compact to true if
 * the flags select the compact form. Returns 0, or the exit status after an error message. */
static int parse_document_flags(const struct share_run *r, const char *variable, bool *compact)
{
	static const char *const known[] = { "compact", "pretty", "complex", "no_tag" };
	const char *text = getenv(variable);
	struct names flags = { 0 };
	int status = text && names_add_comma_list(&flags, text, true) ? cmd_report_no_memory(r->inv) : 0;

	for (size_t i = 0; i < flags.n && !status; i++) {
		size_t k = 0;

		while (k < sizeof(known) / sizeof(*known) && strcmp(flags.v[i], known[k]) != 0)
			k++;
		if (k == sizeof(known) / sizeof(*known)) {
			cmd_print_message(r->inv, "fatal: Unable to parse serializer \"%s\" flags: Invalid argument", text);
			status = EXIT_FAILED;
		}
	}
	*compact = names_contain_word(&flags, "compact") && !names_contain_word(&flags, "pretty");
	names_free_all(&flags);
	return status;
}

/* Chooses the form of the document. The emulated sshare reads the variables of the serializers; SLURM_YAML=compact
 * changes only the width of lines, which this program never breaks. Returns 0, or the exit status after an error
 * message. */
static int choose_document_form(const struct slurm_document *w, enum doc_form *form)
{
	bool compact = false, yaml = false;
	int status = 0;

	if (w->r->inv->emulated && fs_slurm_has(w->compat, FS_SLURM_JSON_VARIABLE)) {
		status = parse_document_flags(w->r, "SLURM_JSON", &compact);
		if (!status)
			status = parse_document_flags(w->r, "SLURM_YAML", &yaml);
	}
	*form = w->r->output_form == OUTPUT_SLURM_YAML ? DOC_YAML : compact ? DOC_JSON_COMPACT : DOC_JSON;
	return status;
}

static int print_slurm_document(struct slurm_document *w, enum doc_form form)
{
	int status = -1;

	w->tres_count = fs_snapshot_tres_count(w->r->snapshot);
	w->group = get_primary_group(input_get_viewer_name(&w->r->input));
	w->tres = calloc(w->tres_count + 1, sizeof(*w->tres));
	w->seconds = calloc(w->tres_count + 1, sizeof(*w->seconds));
	if (w->tres && w->seconds && w->group) {
		doc_begin_document(&w->d, stdout, form);
		write_slurm_document(w);
		doc_end_document(&w->d);
		status = ferror(stdout) ? EXIT_FAILED : EXIT_DONE;
	}
	free(w->tres);
	free(w->seconds);
	return status;
}

int share_print_slurm_document(const struct share_run *r)
{
	const bool yaml = r->output_form == OUTPUT_SLURM_YAML;
	struct slurm_document w = { .r = r, .compat = r->input.compat };
	enum doc_form form;
	int status;

	if (!w.compat)
		w.compat = fs_snapshot_info(r->snapshot)->version;
	if (r->inv->emulated && !fs_slurm_has(w.compat, FS_SLURM_SSHARE_JSON)) {
		options_report_unknown_option(r->inv, r->argv[0], yaml ? "--yaml" : "--json");
		return EXIT_FAILED;
	}
	if (r->parser && !strcasecmp(r->parser, "list")) {
		print_parser_list(w.compat);
		return EXIT_DONE;
	}
	w.parser = find_named_parser(w.compat, r->parser);
	if (!w.parser) {
		cmd_print_message(r->inv, "application/%s output not supported by %s", yaml ? "x-yaml" : "json",
				  r->parser);
		return cmd_get_usage_status(r->inv);
	}
	status = choose_document_form(&w, &form);
	if (status)
		return status;
	if (r->inv->emulated)
		print_cluster_heading(r);
	return print_slurm_document(&w, form);
}

/* ---- the table of sshare, aligned or parsable */

/* Buffers for the TRES of a row, and for their text. */
struct tres_buffers {
	struct fs_tres *tres;
	size_t capacity, text_size; /* `capacity`: maximum number of TRES; `text_size`: size of `text` in bytes */
	char *text;
};

static int allocate_tres_buffers(struct tres_buffers *buffers, const fs_snapshot *s)
{
	buffers->capacity = fs_snapshot_tres_count(s);
	buffers->text_size = 1;
	for (size_t i = 0; i < buffers->capacity; i++)
		buffers->text_size += strlen(",=-") + TEXT_STEP * strlen(fs_snapshot_tres_name(s, i)) + DIGITS_WHOLE;
	buffers->tres = calloc(buffers->capacity + 1, sizeof(*buffers->tres));
	buffers->text = malloc(buffers->text_size);
	return buffers->tres && buffers->text ? 0 : -1;
}

/* Formats the first n TRES as `cpu=1,mem=2` in the text buffer. Returns the length of the text in bytes. */
static size_t format_tres_list(const struct tres_buffers *buffers, int n)
{
	char *at = buffers->text;

	for (int i = 0; i < n; i++) {
		const int64_t amount = buffers->tres[i].amount;

		if (i)
			*at++ = ',';
		at += text_copy_escaped(at, buffers->text_size - (size_t)(at - buffers->text), buffers->tres[i].name);
		*at++ = '=';
		if (amount < 0)
			*at++ = '-';
		at += format_whole_digits(at, amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount);
	}
	return (size_t)(at - buffers->text);
}

static void print_indented_text(FILE *out, enum field_style style, int width, unsigned indent, const char *s)
{
	char text[512];

	if (indent > 200)
		indent = 200;
	memset(text, ' ', indent);
	field_print_text(out, style, width, text, indent + text_copy_escaped(text + indent, sizeof(text) - indent, s));
}

/* Returns the LevelFS that sshare prints. If the algorithm has no levels, slurmctld sends 0 for each row whose shares
 * are not `parent`. */
static double get_shown_level_fs(const struct share_run *r, const struct fs_share_row *row)
{
	const bool zero = !fs_shares_has_levels(r->shares) && row->shares_kind != FS_SHARES_PARENT;

	return zero ? 0 : row->level_fs;
}

/* Prints usage without its fraction of a second, because slurmctld sends whole seconds. */
static void print_whole_seconds(FILE *out, enum field_style style, int width, double usage)
{
	if (usage >= 0)
		field_print_u64(out, style, width, usage < 1.8e19 ? (uint64_t)usage : UINT64_MAX);
	else
		field_print_blank(out, style, width);
}

static void print_column_value(const struct share_run *r, FILE *out, enum field_style style,
			       const struct share_field *f, const struct fs_share_row *row)
{
	const struct share_source of = { .snapshot = r->snapshot };
	const enum share_column column = (enum share_column)(f->column - share_columns);
	struct value v;

	column_get_value(f->column, &of, row, &v);
	if (column == SHARE_RAW_USAGE)
		print_whole_seconds(out, style, f->width, v.number);
	else if (v.type == VALUE_TEXT)
		print_indented_text(out, style, f->width, column == SHARE_ACCOUNT ? r->rows.indent[row->row] : 0,
				    v.text);
	else if (v.type == VALUE_UNSIGNED)
		field_print_u64(out, style, f->width, v.whole);
	else
		field_print_double(out, style, f->width,
				   column == SHARE_LEVEL_FS ? get_shown_level_fs(r, row) : v.number);
}

static void print_table_cell(const struct share_run *r, const struct tres_buffers *buffers, FILE *out,
			     enum field_style style, const struct share_field *f, const struct fs_share_row *row)
{
	enum fs_share_tres which;

	if (share_get_column_tres(f->column, &which))
		field_print_text(out, style, f->width, buffers->text,
				 format_tres_list(buffers, fs_shares_tres(r->shares, row->row, which, buffers->tres,
									  buffers->capacity)));
	else
		print_column_value(r, out, style, f, row);
}

/* Sets f->width to the width of the column's heading or of its widest cell, whichever is wider. Returns -1 if out of
 * memory. */
static int set_natural_width(const struct share_run *r, const struct tres_buffers *buffers, struct share_field *f)
{
	size_t widest = strlen(f->column->name);

	for (size_t i = 0; i < r->rows.n; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *s = open_memstream(&text, &size);

		if (s)
			print_table_cell(r, buffers, s, FIELD_PARSABLE, f, r->rows.v[i]);
		const bool failed = !s || (ferror(s) | fclose(s));

		free(text);
		if (failed)
			return -1;
		if (size > widest)
			widest = size;
	}
	f->width = (int)widest * (f->column->width < 0 ? -1 : 1);
	return 0;
}

static void print_cell_separator(const struct share_run *r, size_t i)
{
	if (r->layout == LAYOUT_PARSABLE || (r->layout == LAYOUT_PARSABLE2 && i + 1 < r->format.n))
		putchar('|');
}

static void print_share_table_header(const struct share_run *r)
{
	for (size_t i = 0; i < r->format.n; i++) {
		const struct share_field *f = &r->format.field[i];

		if (r->layout == LAYOUT_ALIGNED)
			emit("%*.*s ", f->width, abs(f->width), f->column->name);
		else
			emit_safe_text(f->column->name);
		print_cell_separator(r, i);
	}
	putchar('\n');
	if (r->layout != LAYOUT_ALIGNED)
		return;
	for (size_t i = 0; i < r->format.n; i++) {
		for (int k = 0; k < abs(r->format.field[i].width); k++)
			putchar('-');
		putchar(' ');
	}
	putchar('\n');
}

static int set_natural_widths(struct share_run *r, const struct tres_buffers *buffers)
{
	for (size_t k = 0; k < r->format.n; k++)
		if (!r->format.field[k].width && set_natural_width(r, buffers, &r->format.field[k]))
			return -1;
	return 0;
}

static void print_share_table_rows(const struct share_run *r, const struct tres_buffers *buffers)
{
	const enum field_style style = r->layout == LAYOUT_ALIGNED ? FIELD_TABLE : FIELD_PARSABLE;

	for (size_t i = 0; i < r->rows.n; i++) {
		for (size_t k = 0; k < r->format.n; k++) {
			print_table_cell(r, buffers, stdout, style, &r->format.field[k], r->rows.v[i]);
			print_cell_separator(r, k);
		}
		putchar('\n');
	}
}

int share_print_table(struct share_run *r)
{
	struct tres_buffers buffers;
	const int rc = allocate_tres_buffers(&buffers, r->snapshot) || set_natural_widths(r, &buffers) ? -1 : EXIT_DONE;

	if (!rc)
		print_cluster_heading(r);
	if (!rc && !r->no_header)
		print_share_table_header(r);
	if (!rc)
		print_share_table_rows(r, &buffers);
	free(buffers.tres);
	free(buffers.text);
	return rc;
}
