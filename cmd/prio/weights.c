#include "prio/prio.h"

#include "page/page.h"
#include "render/format.h"
#include "page/what_if.h"
#include "render/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* before: NULL without --if. */
struct report {
	const struct prio_run *run;
	const fs_weights *now, *before;
	const fs_snapshot *snapshot;
	size_t zero_shares; /* counted users without shares; 0 where shares are not known */
};

static double part(uint64_t n, uint64_t of)
{
	return of ? (double)n / (double)of : (double)NAN;
}

/* A term that has neither weight nor points is none of the site's; nice and site have a weight everywhere. */
static bool is_used(const struct report *r, size_t t)
{
	const struct fs_weight_row *w = fs_weights_row(r->now, t), *b = r->before ? fs_weights_row(r->before, t) : w;

	const bool set = strcmp(w->name, "nice") != 0 && strcmp(w->name, "site") != 0;

	return (w->weight != 0 && (w->min_points != 0 || w->max_points != 0 || set)) || b->weight != w->weight;
}

/* ---- text */

/* Of one length in a column; what is there is never told as nothing. */
static const char *share_words(char buf[WORDS], uint64_t n, uint64_t of)
{
	const double percent = 100 * part(n, of);

	if (!of)
		return "-";
	format_text(buf, WORDS, n && percent < 0.01 ? "< 0.01 %%" : "%.2f %%", percent);
	return buf;
}

static const char *verdict(const struct fs_weight_row *w, const fs_weights *all)
{
	if (!fs_weights_pairs(all))
		return "";
	return !w->flips ? "dead" : w->alone ? "alone" : "";
}

COLUMN_GET(get_share, fs_weights, struct fs_weight_row, part(row->flips, fs_weights_pairs(of)))
COLUMN_GET(get_dead, void, struct fs_weight_row, !row->flips)

#define WEIGHT(m) COLUMN_MEMBER(struct fs_weight_row, m)

/* Of a struct fs_weight_row, which belongs to fs_weights; the page's headings are in its own order. */
enum { FACTOR, VALUE, FLIPS, TURNS, DEAD, ALONE, MIN, MAX, FULL, NONE, WEIGHT_COLUMNS };

static const struct column weight_columns[WEIGHT_COLUMNS] = {
	[FACTOR] = { "factor", "factor", WEIGHT(name), .help = "the factor" },
	[VALUE] = { "weight", "weight", WEIGHT(weight), .help = "its weight" },
	[FLIPS] = { NULL, "flips", WEIGHT(flips), .help = "pairs whose order is another one without it" },
	[TURNS] = { "turns", "share", .get = get_share, .help = "the part of all pairs that these are" },
	[DEAD] = { NULL, "dead", .get = get_dead, .help = "there are none" },
	[ALONE] = { NULL, "alone", WEIGHT(alone), .help = "it outweighs all others wherever two jobs differ in it" },
	[MIN] = { "min", "min", WEIGHT(min_points), .help = "its least points" },
	[MAX] = { "max", "max", WEIGHT(max_points), .help = "its greatest points" },
	[FULL] = { "full", "full", WEIGHT(full), .help = "rows with a factor of 1 or more" },
	[NONE] = { NULL, "none", WEIGHT(none), .help = "rows with a factor of 0" },
};

static void write_row(struct page *p, const struct report *r, size_t t)
{
	const struct fs_weight_row *w = fs_weights_row(r->now, t);
	char a[WORDS], b[WORDS];

	page_cell(p, "%s", factor_words(a, w->name));
	page_cell(p, "%s", number_words(a, w->weight));
	if (r->before) {
		const struct fs_weight_row *o = fs_weights_row(r->before, t);

		page_cell(p, "%s", share_words(b, o->flips, fs_weights_pairs(r->before)));
	}
	page_cell(p, "%s", share_words(a, w->flips, fs_weights_pairs(r->now)));
	page_cell(p, "%s", isnan(w->min_points) ? "-" : decimals_words(a, w->min_points, 0));
	page_cell(p, "%s", isnan(w->max_points) ? "-" : decimals_words(a, w->max_points, 0));
	page_cell(p, "%s", share_words(a, w->full, fs_weights_rows(r->now)));
	page_cell(p, "%s", verdict(w, r->now));
	page_row(p, TONE_PLAIN);
}

static void write_table(struct page *p, const struct report *r)
{
	struct page_column column[] = {
		{ weight_columns[FACTOR].name, ALIGN_LEFT },  { weight_columns[VALUE].name, ALIGN_RIGHT },
		{ "before", ALIGN_RIGHT },		      { weight_columns[TURNS].name, ALIGN_RIGHT },
		{ weight_columns[MIN].name, ALIGN_RIGHT },    { weight_columns[MAX].name, ALIGN_RIGHT },
		{ weight_columns[FULL].name, ALIGN_RIGHT },   { "", ALIGN_LEFT },
	};
	size_t n = sizeof(column) / sizeof(*column);

	if (!r->before)
		memmove(&column[2], &column[3], (--n - 2) * sizeof(*column));
	page_table(p, column, n);
	for (size_t t = 0; t < fs_weights_count(r->now); t++)
		if (is_used(r, t))
			write_row(p, r, t);
	page_table_end(p);
}

/* Does what is used count undiminished? *resets: until it is reset. */
static bool never_decays(const fs_snapshot *s, bool *resets)
{
	const struct fs_usage_options o = { .totals_only = true };
	struct fs_usage_info info;
	fs_usage *u = NULL;

	if (fs_usage_begin(&u, s, &o, NULL))
		return false;
	fs_usage_info(u, &info);
	fs_usage_free(u);
	*resets = info.resets;
	return !info.half_life_s;
}

static void say_settings(struct page *p, const struct report *r)
{
	bool resets = false;
	const bool no_decay = never_decays(r->snapshot, &resets);
	char a[WORDS];

	if (no_decay || r->zero_shares)
		page_gap(p);
	if (no_decay)
		page_say(p, "Usage has no half-life: it counts for ever%s.",
			 resets ? ", or until it is reset" : "");
	if (r->zero_shares)
		page_say(p, "%s without shares: last of their siblings, whatever they use.",
			 count_words(a, r->zero_shares, "user is", "users are"));
	page_end(p);
}

static int write_text(const struct report *r)
{
	char a[WORDS], b[WORDS];
	struct page p;

	page_init(&p, PAGE_TEXT, 80, text_utf8());
	what_if_page(&p, r->snapshot);
	page_say(&p, "%s of priorities, %s that wait for the same nodes.", count_words(a, fs_weights_rows(r->now), "row", "rows"),
		 count_words(b, fs_weights_pairs(r->now), "pair", "pairs"));
	page_say(&p, "turns: the pairs that would stand in another order without the factor%s. min, max: its points. full: rows "
		     "whose factor is 1. dead: it turns no pair. alone: it outweighs all others together wherever two jobs differ in it.",
		 r->before ? ", before the command and with it" : "");
	page_end(&p);
	page_gap(&p);
	write_table(&p, r);
	say_settings(&p, r);
	if (!p.failed)
		page_print(&p, stdout, false);
	page_free(&p);
	return p.failed ? no_memory(r->run->inv) : EXIT_DONE;
}

/* ---- JSON */

static int write_json(const struct report *r)
{
	struct fs_json j;

	json_begin(&j, "fs-weights/2", r->snapshot, r->run->json);
	json_whole(&j, "compared", true, fs_weights_rows(r->now));
	json_whole(&j, "pairs", true, fs_weights_pairs(r->now));
	json_whole(&j, "users_without_shares", true, r->zero_shares);
	json_rows(&j);
	for (size_t t = 0; t < fs_weights_count(r->now); t++) {
		fs_json_object(&j);
		columns_json(&j, weight_columns, WEIGHT_COLUMNS, r->now, fs_weights_row(r->now, t));
		columns_json_object(&j, "before", weight_columns + VALUE, WEIGHT_COLUMNS - VALUE, r->before,
				    r->before ? fs_weights_row(r->before, t) : NULL);
		fs_json_end_object(&j);
		json_row_done(&j);
	}
	json_end_rows(&j);
	return json_end(&j);
}

/* ---- both */

static size_t count_zero_shares(const struct prio_run *r)
{
	const struct fs_view view = input_view(&r->input);
	fs_shares *s = NULL;
	size_t n = 0;

	if (fs_shares_compute(&s, r->snapshot, &view, NULL))
		return 0;
	for (size_t i = 0; i < fs_shares_count(s); i++) {
		const struct fs_share_row *row = fs_shares_row(s, i);

		n += *row->user && row->counted && row->visible && row->shares_kind == FS_SHARES_NUMBER &&
		     !row->raw_shares;
	}
	fs_shares_free(s);
	return n;
}

/* The weights before the commands: the same file once more. */
static int before_edits(const struct prio_run *r, fs_snapshot **snapshot, fs_prios **prios, fs_weights **out)
{
	struct input in = r->input;
	struct fs_prios_options o = { .view = input_view(&in) };
	struct fs_error err;
	const char *file;
	const enum input_source source = input_source(&in, &file);
	int status;

	if (!in.edits.n)
		return 0;
	in.edits.n = 0;
	in.spool = NULL;
	if (source != INPUT_DEMO && !(source == INPUT_FILE && strcmp(file, "-") != 0)) {
		complain(r->inv, "--weights-report with --if reads the snapshot twice: give a file");
		return EXIT_USAGE;
	}
	status = input_open(r->inv, &in, snapshot);
	if (!status && (fs_prios_compute(prios, *snapshot, &o, &err) || fs_weights_compute(out, *prios, &err)))
		status = report(r->inv, &err);
	input_release(&in);
	return status;
}

int prio_weights_report(struct prio_run *r)
{
	fs_snapshot *old = NULL;
	fs_prios *prios = NULL;
	fs_weights *now = NULL, *before = NULL;
	struct fs_error err;
	int status = fs_weights_compute(&now, r->prios, &err) ? report(r->inv, &err)
							      : before_edits(r, &old, &prios, &before);

	if (!status && before && fs_weights_count(before) != fs_weights_count(now)) {
		fs_weights_free(before);
		before = NULL;
	}
	if (!status) {
		const struct report x = { r, now, before, r->snapshot, count_zero_shares(r) };

		status = r->json ? write_json(&x) : write_text(&x);
	}
	fs_weights_free(before);
	fs_weights_free(now);
	fs_prios_free(prios);
	fs_snapshot_free(old);
	return status;
}
