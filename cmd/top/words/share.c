/* The pane of a share: its way down the tree, or the windows of a credential. */
#include "explain/algorithm.h"
#include "render/format.h"
#include "top/words/explain.h"
#include "top/words/words.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A number with four decimals, or blanks. */
static const char *number(double v, char *buf, size_t size)
{
	if (isnan(v))
		*buf = '\0';
	else
		format_text(buf, size, "%.4f", v);
	return buf;
}

struct level_line {
	const char *name, *share, *usage, *value, *siblings;
};
#define LEVEL(m) COLUMN_MEMBER(struct level_line, m)

/* The headings that only algorithms with levels have. */
static const char *value_heading(const void *algorithm)
{
	return algorithm ? ((const struct explain_algorithm *)algorithm)->level : "";
}

static const char *siblings_heading(const void *algorithm)
{
	return algorithm ? "   among its siblings" : "   ";
}

static const struct column level_columns[] = {
	{ "level", .width = -18, .cut = true, LEVEL(name), .before = "  ", .help = "an account, or the user" },
	{ "share", .width = 8, LEVEL(share), .help = "its part of the cluster" },
	{ "usage", .width = 8, LEVEL(usage), .help = "its part of all usage" },
	{ "value", .width = 10, LEVEL(value), .heading = value_heading, .help = "what siblings are ordered by" },
	{ "siblings", .width = 0, LEVEL(siblings), .heading = siblings_heading, .before = "", .help = "its place among them" },
};

static void put_level(struct lines *l, const struct data *d, const struct fs_explain_level *level)
{
	const struct fs_share_row *row = fs_shares_row(d->eval.shares, level->row);
	char share[32], usage[32], value[32], place[WORDS], siblings[2 * WORDS] = "";

	if (level->place)
		snprintf(siblings, sizeof(siblings), "   %s of %" PRIu32,
			 ordinal_words(place, level->place), level->count);
	lines_row(l, ATTR_PLAIN, &(struct column_page){ COLUMNS(level_columns), .characters = true },
		  &(struct level_line){ *row->user ? row->user : row->account,
					number(row->norm_shares, share, sizeof(share)),
					number(row->effective_usage, usage, sizeof(usage)),
					number(level->place ? row->level_fs : (double)NAN, value, sizeof(value)), siblings });
}

/* ---- Maui: windows */

uint32_t explain_window(const struct data *d, const struct fs_share_row *row)
{
	const size_t n = d->eval.windows ? fs_windows_count(d->eval.windows) : 0;
	const char *kind = *row->user ? row->account : row->parent,
		   *name = *row->user ? row->user : row->account;

	for (uint32_t i = 0; i < n; i++) {
		const struct fs_window_row *w = fs_windows_row(d->eval.windows, i);

		if (!strcmp(w->name, name) && !strcmp(fs_cred_kind_name(w->kind), kind))
			return i;
	}
	return FS_NO_ROW;
}

struct window_line {
	const char *window, *weight, *percent, *bar;
};
#define WINDOW(m) COLUMN_MEMBER(struct window_line, m)

enum { WINDOW_BAR = 3, WINDOW_COLUMNS };
static const struct column window_columns[WINDOW_COLUMNS] = {
	{ "window", .width = 6, WINDOW(window), .before = "  ", .help = "0: that of now" },
	{ "weight", .width = 9, WINDOW(weight), .help = "what it counts" },
	{ "usage %", .width = 9, WINDOW(percent), .help = "part of what was used in it" },
	[WINDOW_BAR] = { "bar", .width = 0, WINDOW(bar), .before = " |", .help = "the same part" },
};

/* The bar has no heading, and the sum no bar. */
static const struct column_page window_page = { window_columns, .n = WINDOW_COLUMNS },
				numbers_page = { window_columns, .n = WINDOW_BAR };

static void put_window(struct lines *l, const struct fs_windows_info *info,
			const struct fs_window_row *w, uint32_t i, unsigned width)
{
	const unsigned room = width > 32 ? (width - 32 < 100 ? width - 32 : 100) : 0;
	const double part = info->total_usage_s[i] > 0
				    ? w->window_usage_s[i] / info->total_usage_s[i]
				    : (double)NAN;
	char bar[384] = "", percent[32] = "", window[16], weight[32];

	if (!isnan(part)) {
		lines_bar(l, bar, sizeof(bar), part, room, '=');
		format_text(percent, sizeof(percent), "%.2f", part * 100);
	}
	snprintf(window, sizeof(window), "%" PRIu32, i);
	lines_row(l, ATTR_PLAIN, &window_page,
		  &(struct window_line){ window, number(info->weight[i], weight, sizeof(weight)), percent, bar });
}

static void explain_windows(struct lines *l, struct words_source *s, const struct fs_window_row *w, unsigned width)
{
	const struct fs_windows_info *info = fs_windows_info(s->from.windows);
	char percent[40];
	struct page p;

	page_init(&p, PAGE_TEXT, (int)width, true);
	explain_target_text(&p, &s->view, w);
	page_end(&p);
	words_page(l, &p, ATTR_STRONG);
	lines_heading(l, &numbers_page);
	for (uint32_t i = 0; i < info->depth; i++)
		put_window(l, info, w, i, width);
	format_text(percent, sizeof(percent), "%.2f", w->percent);
	lines_row(l, ATTR_PLAIN, &numbers_page, &(struct window_line){ "all", "", percent, "" });
}

/* ---- the way down the tree */

static void put_factor(struct lines *l, struct words_source *s, const struct fs_share_row *row,
		       const struct fs_explain_path *path, unsigned width)
{
	struct page p;

	page_init(&p, PAGE_TEXT, (int)width, true);
	explain_factor_text(&p, &s->view, path);
	page_end(&p);
	words_page(l, &p, ATTR_STRONG);
	if (!s->view.algorithm->rule || !*row->user)
		return;
	page_init(&p, PAGE_TEXT, (int)width, true);
	page_say(&p, "%s", s->view.algorithm->rule);
	page_end(&p);
	words_page(l, &p, ATTR_PLAIN);
}

static void put_path(struct lines *l, const struct words_source *s, const struct data *d,
		     const struct fs_explain_path *path)
{
	const bool levels = fs_shares_has_levels(d->eval.shares);

	if (path->levels)
		lines_heading(l, &(struct column_page){ COLUMNS(level_columns),
							.of = levels ? s->view.algorithm : NULL });
	for (size_t i = 0; i < path->levels; i++)
		put_level(l, d, &path->level[i]);
}

static void explain_row(struct lines *l, struct words_source *s, const struct data *d, uint32_t i, unsigned width)
{
	struct fs_explain_path path;
	struct fs_error err;

	if (fs_explain_path(s->view.x, i, &path, &err)) {
		l->failed = true;
		return;
	}
	put_factor(l, s, fs_shares_row(d->eval.shares, i), &path, width);
	put_path(l, s, d, &path);
}

void explain_share(struct lines *l, const struct data *d, uint32_t i, unsigned width)
{
	const uint32_t window = explain_window(d, fs_shares_row(d->eval.shares, i));
	struct words_source s;

	if (window == FS_NO_ROW && fs_algorithm_of_credentials(d->algorithm)) {
		lines_wrap(l, ATTR_PLAIN, width, 0,
			   "Credentials of one kind, each with its share or its target.");
		return;
	}
	if (words_open(&s, d)) {
		l->failed = true;
		return;
	}
	if (window != FS_NO_ROW)
		explain_windows(l, &s, fs_windows_row(d->eval.windows, window), width);
	else
		explain_row(l, &s, d, i, width);
	words_close(&s);
}
