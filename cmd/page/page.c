#include "page/page.h"

#include "cmd.h"
#include "fs/scenario.h"
#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *page_clean(struct page *p, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
static char *page_cleaned(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- safe text: control bytes, characters with a meaning in the form, characters that the terminal lacks */

static size_t utf8_len(const unsigned char *s)
{
	const size_t n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : *s >= 0xe0 && *s < 0xf0 ? 3
			 : *s >= 0xf0 && *s < 0xf5			      ? 4
										      : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Returns how many terminal columns the first len bytes occupy: one per character. */
static int page_columns_of(const char *s, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

/* Returns how many terminal columns the text occupies. */
static int page_width_of(const char *s)
{
	return page_columns_of(s, strlen(s));
}

/* Returns the ASCII replacement of a character that our sentences use; "?" for any other. */
static const char *ascii_for(const char *s, size_t len)
{
	static const char *const pairs[][2] = { { "·", "-" }, { "×", "x" },  { "−", "-" },
						{ "–", "-" }, { "…", "..." }, { "ƒ", "f" } };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (strlen(pairs[i][0]) == len && !memcmp(pairs[i][0], s, len))
			return pairs[i][1];
	return "?";
}

/* Replaces bytes that are not UTF-8 by '?', and if `utf8` is false also non-ASCII characters. dst needs 3 bytes per
 * byte of s. */
static void to_charset(char *dst, const char *s, bool utf8)
{
	while (*s) {
		const size_t len = utf8_len((const unsigned char *)s);
		const char *as = len == 0 ? "?" : len == 1 || utf8 ? NULL : ascii_for(s, len);
		const size_t n = as ? strlen(as) : len;

		memcpy(dst, as ? as : s, n);
		dst += n;
		s += len ? len : 1;
	}
	*dst = '\0';
}

/* Formats into allocated memory, which the caller frees. Returns NULL if out of memory. */
__attribute__((format(printf, 1, 0))) static char *formatted(const char *fmt, va_list ap)
{
	char most[128]; /* most texts are shorter */
	va_list again;

	va_copy(again, ap);
	const int n = format_args(most, sizeof(most), fmt, again);
	char *s = n < 0 ? NULL : malloc((size_t)n + 1);

	va_end(again);
	if (s && (size_t)n < sizeof(most))
		memcpy(s, most, (size_t)n + 1);
	else if (s)
		format_args(s, (size_t)n + 1, fmt, ap);
	return s;
}

static bool is_plain(const char *s)
{
	while (*s >= 0x20 && *s < 0x7f)
		s++;
	return !*s;
}

/* Formats text and makes it safe for the page. The caller frees the result. Returns NULL and sets p->failed if out of
 * memory. */
static char *page_clean(struct page *p, const char *fmt, va_list ap)
{
	const struct page_ops *ops = p->ops;
	char *raw = formatted(fmt, ap), *visible, *out = NULL;

	if (!raw)
		p->failed = true;
	if (!raw || (!ops->escape && is_plain(raw)))
		return raw;
	const size_t size = strlen(raw) * 4 + 16;

	visible = malloc(size);
	if (visible) {
		text_visible(visible, size, raw);
		out = malloc(strlen(visible) * ops->growth * 3 + 1);
	}
	if (out && ops->escape) {
		char *escaped = malloc(strlen(visible) * ops->growth + 1);

		if (escaped) {
			ops->escape(escaped, visible);
			to_charset(out, escaped, p->utf8);
		} else {
			p->failed = true;
			*out = '\0';
		}
		free(escaped);
	} else if (out) {
		to_charset(out, visible, p->utf8);
	}
	if (!out)
		p->failed = true;
	free(raw);
	free(visible);
	return out;
}

/* Like page_clean, with arguments instead of a va_list. */
static char *page_cleaned(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = page_clean(p, fmt, ap);
	va_end(ap);
	return s;
}

/* ---- lines */

/* Frees the cells and headings of the current table. */
static void page_free_rows(struct page *p)
{
	for (size_t i = 0; i < p->rows; i++)
		for (size_t k = 0; k < PAGE_COLUMNS; k++)
			free(p->row[i].cell[k]);
	p->rows = p->cells = 0;
	for (size_t k = 0; k < PAGE_COLUMNS; k++) {
		free(p->heading[k]);
		p->heading[k] = NULL;
	}
}

void page_free(struct page *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->line[i].text);
	page_free_rows(p);
	free(p->line);
	free(p->words);
	free(p->row);
	*p = (struct page){ 0 };
}

/* Adds a line: the indentation and len bytes of s, without trailing blanks. */
static void page_add_line(struct page *p, const char *indent, const char *s, size_t len, enum page_tone tone)
{
	const size_t before = strlen(indent);
	char *text = malloc(before + len + 1);
	struct page_line *v = text ? room_for_one(p->line, p->n, &p->cap, sizeof(*v)) : NULL;

	if (!v) {
		free(text);
		p->failed = true;
		return;
	}
	p->line = v;
	memcpy(text, indent, before);
	if (len)
		memcpy(text + before, s, len);
	while (len && text[before + len - 1] == ' ')
		len--;
	text[before + len] = '\0';
	p->line[p->n++] = (struct page_line){ text, tone };
}

void page_gap(struct page *p)
{
	if (p->n && *p->line[p->n - 1].text)
		page_add_line(p, "", "", 0, TONE_PLAIN);
}

void page_labelled(struct page *p, const char *label, const char *text)
{
	char *s = page_cleaned(p, "%s", text);

	if (s)
		p->ops->labelled(p, label, s);
	free(s);
}

void page_heading(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = page_clean(p, fmt, ap);
	va_end(ap);
	if (s)
		p->ops->heading(p, s);
	free(s);
}

/* ---- paragraphs */

/* Makes room for n more bytes, a blank and the NUL. Returns false if out of memory. */
static bool words_room(struct page *p, size_t n)
{
	const size_t want = p->len + n + 2;
	char *v;

	if (want <= p->room)
		return true;
	v = realloc(p->words, want * 2);
	if (!v) {
		p->failed = true;
		return false;
	}
	p->words = v;
	p->room = want * 2;
	return true;
}

/* Appends to the current paragraph. */
static void page_add_bytes(struct page *p, const char *s, size_t n)
{
	if (!words_room(p, n))
		return;
	memcpy(p->words + p->len, s, n);
	p->len += n;
	p->words[p->len] = '\0';
}

/* Appends s and frees it. */
static void add_words(struct page *p, bool blank, char *s)
{
	if (!s)
		return;
	if (blank && p->len)
		page_add_bytes(p, " ", 1);
	page_add_bytes(p, s, strlen(s));
	free(s);
}

void page_say(struct page *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_words(p, true, page_clean(p, fmt, ap));
	va_end(ap);
}

void page_join(struct page *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_words(p, false, page_clean(p, fmt, ap));
	va_end(ap);
}

void page_end(struct page *p)
{
	if (!p->len)
		return;
	p->ops->paragraph(p);
	p->len = 0;
}

/* ---- printing */

void page_print(const struct page *p, FILE *out, bool colour)
{
	static const char *const begin[] = { "", "\033[1m", "\033[1;32m" };

	for (size_t i = 0; i < p->n; i++) {
		const struct page_line *l = &p->line[i];
		const bool dress = colour && l->tone != TONE_PLAIN && *l->text;

		emit_own(out, dress ? begin[l->tone] : "");
		emit_to(out, "%s", l->text);
		emit_own(out, dress ? "\033[0m\n" : "\n");
	}
}

/* The commands stay on one line, however long, because its beginning marks a hypothetical state. */
void what_if_page(struct page *p, const fs_snapshot *s)
{
	const int width = p->width;
	const char *command;

	for (size_t i = 0; (command = fs_snapshot_command(s, i)); i++) {
		if (i)
			page_join(p, ";");
		page_say(p, i ? "%s" : "WHAT IF: %s", command);
	}
	p->width = INT_MAX;
	page_end(p);
	p->width = width;
	page_gap(p);
}

/* ---- the forms of a page */

static const struct page_ops page_text_ops, page_markdown_ops, page_html_ops;

void page_init(struct page *p, enum page_form form, int width, bool utf8)
{
	static const struct page_ops *const forms[] = { [PAGE_TEXT] = &page_text_ops,
							[PAGE_MARKDOWN] = &page_markdown_ops,
							[PAGE_HTML] = &page_html_ops };

	*p = (struct page){ .ops = forms[form], .width = width < 40 ? 40 : width, .utf8 = utf8 };
}

/* ---- tables: collecting rows and cells */

/* Returns the heading of column k of the current table; "" if it has none. */
static const char *page_heading_of(const struct page *p, size_t k)
{
	return p->heading[k] ? p->heading[k] : "";
}

void page_table(struct page *p, const struct page_column *columns, size_t n)
{
	page_end(p);
	page_free_rows(p);
	p->column = columns;
	p->columns = n;
	for (size_t k = 0; k < n; k++)
		p->heading[k] = page_cleaned(p, "%s", columns[k].heading);
}

static struct page_row *row_at_hand(struct page *p)
{
	struct page_row *v = room_for_one(p->row, p->rows, &p->rows_cap, sizeof(*v));

	if (!v) {
		p->failed = true;
		return NULL;
	}
	p->row = v;
	return &p->row[p->rows];
}

static void start_row(struct page *p)
{
	struct page_row *r = row_at_hand(p);

	if (r)
		*r = (struct page_row){ 0 };
}

void page_cell(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	if (!p->cells)
		start_row(p);
	va_start(ap, fmt);
	s = page_clean(p, fmt, ap);
	va_end(ap);
	if (!s || p->rows == p->rows_cap || p->cells == PAGE_COLUMNS) {
		free(s);
		return;
	}
	p->row[p->rows].cell[p->cells++] = s;
}

void page_row(struct page *p, enum page_tone tone)
{
	if (!p->cells)
		start_row(p);
	if (p->rows == p->rows_cap)
		return;
	p->row[p->rows++].tone = tone;
	p->cells = 0;
}

void page_rule(struct page *p, size_t column)
{
	start_row(p);
	if (p->rows == p->rows_cap)
		return;
	p->row[p->rows].rule = true;
	p->row[p->rows].rule_column = column;
	p->rows++;
}

/* Returns cell k of the row; "" if it is missing. */
static const char *page_cell_of(const struct page_row *r, size_t k)
{
	return r->cell[k] ? r->cell[k] : "";
}

/* Returns true if cell k may extend over the empty cells after it: only a cell of the first column may. */
static bool page_runs_over(const struct page *p, const struct page_row *r, size_t k)
{
	return !k && p->columns > 2 && !*page_cell_of(r, 1);
}

void page_table_end(struct page *p)
{
	p->len = 0;
	if (p->failed)
		return;
	p->ops->table(p);
	page_free_rows(p);
}

/* ---- HTML: every line is an element or a row of a table */

static void escape(char *dst, const char *s)
{
	for (; *s; s++) {
		const char one[] = { *s, '\0' };
		const char *as = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '"' ? "&quot;" :
				 *s == '\'' ? "&#39;" : one;
		const size_t n = strlen(as);

		memcpy(dst, as, n);
		dst += n;
	}
	*dst = '\0';
}

static void put(struct page *p, const char *s)
{
	page_add_bytes(p, s, strlen(s));
}

static void end_line(struct page *p)
{
	page_add_line(p, "", p->words, p->len, TONE_PLAIN);
	p->len = 0;
}

/* The first heading of the page becomes <h1>. */
static void html_put_heading(struct page *p, const char *s)
{
	const bool title = !p->titled;

	p->titled = true;

	put(p, title ? "<h1>" : "<h2>");
	put(p, s);
	put(p, title ? "</h1>" : "</h2>");
	end_line(p);
}

static void html_put_paragraph(struct page *p)
{
	page_add_line(p, "<p>", p->words, p->len, TONE_PLAIN);
	page_add_line(p, "", "</p>", 4, TONE_PLAIN);
}

static void html_put_labelled(struct page *p, const char *label, const char *s)
{
	put(p, "<p class=\"labelled\"><b>");
	put(p, label);
	put(p, "</b> <span>");
	put(p, s);
	put(p, "</span></p>");
	end_line(p);
}

/* Leading blanks of a cell become padding. */
static void html_put_cell(struct page *p, const char *element, bool number, size_t span, const char *s)
{
	const size_t depth = strspn(s, " ");
	char open[120];
	size_t n = (size_t)snprintf(open, sizeof(open), "<%s%s", element, number ? " class=\"number\"" : "");

	if (span > 1)
		n += (size_t)snprintf(open + n, sizeof(open) - n, " colspan=\"%zu\"", span);
	if (depth && !number)
		n += (size_t)snprintf(open + n, sizeof(open) - n, " style=\"padding-left:%zuch\"", depth + 1);
	snprintf(open + n, sizeof(open) - n, ">");
	put(p, open);
	put(p, s + depth);
	put(p, "</");
	put(p, element);
	put(p, ">");
}

static bool is_number(const struct page *p, size_t k)
{
	return p->column[k].align != ALIGN_LEFT;
}

/* ruled: draws a line above the row, which is the first row below the summands */
static void put_row(struct page *p, const struct page_row *r, bool ruled)
{
	size_t over = 1;

	while (page_runs_over(p, r, 0) && over < p->columns && !*page_cell_of(r, over))
		over++;
	put(p, r->tone == TONE_TOTAL ? "<tr class=\"total\">" : ruled ? "<tr class=\"ruled\">" : "<tr>");
	html_put_cell(p, "td", is_number(p, 0), over, page_cell_of(r, 0));
	for (size_t k = over; k < p->columns; k++)
		html_put_cell(p, "td", is_number(p, k), 1, page_cell_of(r, k));
	put(p, "</tr>");
	end_line(p);
}

static void put_table(struct page *p)
{
	bool ruled = false;

	put(p, "<div class=\"wide\"><table><thead><tr>");
	for (size_t k = 0; k < p->columns; k++)
		html_put_cell(p, "th", is_number(p, k), 1, page_heading_of(p, k));
	put(p, "</tr></thead><tbody>");
	end_line(p);
	for (size_t i = 0; i < p->rows; i++) {
		if (!p->row[i].rule)
			put_row(p, &p->row[i], ruled);
		ruled = p->row[i].rule;
	}
	page_add_line(p, "", "</tbody></table></div>", strlen("</tbody></table></div>"), TONE_PLAIN);
}

static const struct page_ops page_html_ops = { "  ", 6, escape, html_put_heading, html_put_labelled, html_put_paragraph, put_table };

/* ---- Markdown: one line per paragraph */

static bool word_byte(char c)
{
	const unsigned char u = (unsigned char)c;

	return u >= 0x80 || (u >= '0' && u <= '9') || ((u | 0x20) >= 'a' && (u | 0x20) <= 'z');
}

/* Escapes characters that have a meaning in Markdown; `_` has one only at the edge of a word. dst needs 2 bytes per
 * byte of s. */
static void escape_markdown(char *dst, const char *s)
{
	for (const char *at = s; *at; at++) {
		const bool inside = at > s && word_byte(at[-1]) && word_byte(at[1]);

		if (strchr("\\`*[]<>|#~", *at) || (*at == '_' && !inside))
			*dst++ = '\\';
		*dst++ = *at;
	}
	*dst = '\0';
}

static void markdown_put_heading(struct page *p, const char *s)
{
	page_gap(p);
	page_add_line(p, "### ", s, strlen(s), TONE_PLAIN);
	page_gap(p);
}

static void markdown_put_paragraph(struct page *p)
{
	page_gap(p);
	page_add_line(p, "", p->words, p->len, TONE_PLAIN);
	page_gap(p);
}

static void markdown_put_labelled(struct page *p, const char *label, const char *s)
{
	page_add_bytes(p, "**", 2);
	page_add_bytes(p, label, strlen(label));
	page_add_bytes(p, "** ", 3);
	page_add_bytes(p, s, strlen(s));
	page_end(p);
}

/* The cells are already escaped. */
static void put_markdown_row(struct page *p, const char *const *cells)
{
	for (size_t k = 0; k < p->columns; k++) {
		const char *s = cells[k] + strspn(cells[k], " ");

		page_add_bytes(p, "| ", 2);
		page_add_bytes(p, s, strlen(s));
		page_add_bytes(p, " ", 1);
	}
	page_add_bytes(p, "|", 1);
	page_add_line(p, "", p->words, p->len, TONE_PLAIN);
	p->len = 0;
}

static void put_markdown_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];

	page_gap(p);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = page_heading_of(p, k);
	put_markdown_row(p, cells);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = p->column[k].align == ALIGN_LEFT ? "---" : "---:";
	put_markdown_row(p, cells);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = page_cell_of(&p->row[i], k);
		if (!p->row[i].rule)
			put_markdown_row(p, cells);
	}
	page_gap(p);
}

static const struct page_ops page_markdown_ops = { "    ", 2, escape_markdown, markdown_put_heading, markdown_put_labelled, markdown_put_paragraph,
					    put_markdown_table };

/* ---- plots of eighths of a block: the height of a column is proportional to its number */

enum { SCALE = 10, LINE = 512 };

static const char *block(const struct page *p, int eighths)
{
	static const char *const utf8[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ".", ":", ":", "|", "|", "#", "#" };

	return (p->utf8 ? utf8 : ascii)[eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
}

/* Returns how many eighths of a row, counted from below, the value fills. The lowest value still fills one. */
static int filled(double v, double low, double high, int height, int row)
{
	const double all = 1 + (v - low) / (high - low) * (height * 8 - 1);

	return isnan(v) ? 0 : (int)(all + 0.5) - row * 8;
}

static void add(char line[LINE], const char *text)
{
	const size_t n = strlen(line);

	snprintf(line + n, LINE - n, "%s", text);
}

static void ends(struct page *p, const char *first, const char *last, size_t n)
{
	char line[LINE];
	size_t gap;

	gap = strlen(first) + strlen(last) < n ? n - strlen(first) - strlen(last) : 1;
	snprintf(line, sizeof(line), "%*s%s%*s%s", SCALE + 1, "", first, (int)gap, "", last);
	page_add_line(p, p->ops->plot_indent, line, strlen(line), TONE_PLAIN);
}

void plot_curve(struct page *p, const char *first, const char *last, const double *v, size_t n, int height,
		int decimals)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = v[i] < low ? v[i] : low;
		high = v[i] > high ? v[i] : high;
	}
	if (!(high > low) || isinf(high))
		return;
	for (int row = height - 1; row >= 0; row--) {
		char line[LINE] = "";

		if (row == height - 1 || row == 0)
			format_text(line, sizeof(line), "%*.*f ", SCALE, decimals, row ? high : low);
		else
			snprintf(line, sizeof(line), "%*s", SCALE + 1, "");
		for (size_t i = 0; i < n; i++)
			add(line, block(p, filled(v[i], low, high, height, row)));
		page_add_line(p, p->ops->plot_indent, line, strlen(line), TONE_PLAIN);
	}
	ends(p, first, last, n);
}

/* ---- text of a given width: wrapped paragraphs, aligned columns, the last column of a table wrapped */

size_t page_fitting(const char *s, int columns)
{
	size_t at = 0, blank = 0;
	int n = 0;

	while (s[at] && n <= columns) {
		if (s[at] == ' ')
			blank = at;
		if (n == columns)
			break;
		at++;
		while (((unsigned char)s[at] & 0xc0) == 0x80)
			at++;
		n++;
	}
	if (!s[at])
		return at;
	return blank ? blank : at;
}

static void text_put_labelled(struct page *p, const char *label, const char *s)
{
	char before[PAGE_LABEL + 1];

	snprintf(before, sizeof(before), "%-*s", PAGE_LABEL, label);
	for (bool first = true; first || *s; first = false) {
		const size_t n = page_fitting(s, p->width - PAGE_LABEL);

		if (!first)
			memset(before, ' ', PAGE_LABEL);
		page_add_line(p, before, s, n, TONE_PLAIN);
		s += n;
		s += strspn(s, " ");
	}
}

static void wrap(struct page *p, const char *s, enum page_tone tone)
{
	while (*s) {
		const size_t n = page_fitting(s, p->width);

		page_add_line(p, "", s, n, tone);
		s += n;
		s += strspn(s, " ");
	}
}

static void text_put_heading(struct page *p, const char *s)
{
	wrap(p, s, TONE_HEADING);
}

static void text_put_paragraph(struct page *p)
{
	wrap(p, p->words, TONE_PLAIN);
}

/* ---- text tables */

static int before_point(const char *s)
{
	const char *dot = strchr(s, '.');

	return dot ? page_columns_of(s, (size_t)(dot - s)) : page_width_of(s);
}

struct widths {
	int all[PAGE_COLUMNS], left[PAGE_COLUMNS]; /* left: columns before the decimal point */
};

/* Returns how many blanks align a cell in its column. */
static int blanks_before(const struct page *p, const struct widths *w, size_t k, const char *s)
{
	return p->column[k].align == ALIGN_RIGHT   ? w->all[k] - page_width_of(s)
	       : p->column[k].align == ALIGN_POINT ? w->left[k] - before_point(s)
						   : 0;
}

static const char text_gap[] = "  ";

/* Widens column k if its cell does not fit before the next cell that is not empty. */
static void make_room(const struct page *p, struct widths *w, const struct page_row *row, size_t k)
{
	int room = w->all[k];
	size_t next = k + 1;

	for (; next < p->columns && !*page_cell_of(row, next); next++)
		room += (int)strlen(text_gap) + w->all[next];
	if (next < p->columns)
		room += blanks_before(p, w, next, page_cell_of(row, next));
	if (page_width_of(page_cell_of(row, k)) > room)
		w->all[k] += page_width_of(page_cell_of(row, k)) - room;
}

static void measure(const struct page *p, struct widths *w)
{
	*w = (struct widths){ 0 };
	for (size_t k = 0; k < p->columns; k++) {
		int right = 0;

		for (size_t i = 0; i < p->rows; i++) {
			const char *s = page_cell_of(&p->row[i], k);
			const int all = page_width_of(s), left = before_point(s);

			if (page_runs_over(p, &p->row[i], k))
				continue;
			w->left[k] = left > w->left[k] ? left : w->left[k];
			right = all - left > right ? all - left : right;
			w->all[k] = all > w->all[k] ? all : w->all[k];
		}
		if (p->column[k].align == ALIGN_POINT)
			w->all[k] = w->left[k] + right;
		if (page_width_of(page_heading_of(p, k)) > w->all[k]) {
			const int more = page_width_of(page_heading_of(p, k)) - w->all[k];

			w->all[k] += more;
			w->left[k] += more;
		}
	}
	for (size_t i = 0; i < p->rows; i++)
		for (size_t k = 0; k < p->columns; k++)
			if (page_runs_over(p, &p->row[i], k))
				make_room(p, w, &p->row[i], k);
}

static void put_blanks(struct page *p, int n)
{
	for (; n > 0; n--)
		page_add_bytes(p, " ", 1);
}

/* Appends a cell to the current line without trailing blanks. Returns how many blanks are due before the next cell. */
static int text_put_cell(struct page *p, const struct widths *w, size_t k, const char *s, bool heading)
{
	const enum page_align align = heading && p->column[k].align == ALIGN_POINT ? ALIGN_RIGHT : p->column[k].align;
	const int width = page_width_of(s);
	const int before = align == p->column[k].align ? blanks_before(p, w, k, s) : w->all[k] - width;

	put_blanks(p, before);
	page_add_bytes(p, s, strlen(s));
	return w->all[k] - before - width;
}

static const int min_last = 18; /* narrowest last column; a narrower one is printed below its row */

/* Returns true if the last column fits to the right of column `at`, on one line or wrapped. */
static bool stands_beside(const struct page *p, const char *s, int at)
{
	return page_width_of(s) <= p->width - at || p->width - at >= min_last;
}

/* Prints the last column, wrapped into the remaining width; below the row if that is too narrow. */
static void put_last(struct page *p, const char *s, int at, enum page_tone tone)
{
	const int deep = stands_beside(p, s, at) ? at : 8;
	size_t n;

	if (deep != at) {
		page_add_line(p, "", p->words, p->len, tone);
		p->len = 0;
		put_blanks(p, deep);
	}
	do {
		n = page_fitting(s, p->width - deep);
		page_add_bytes(p, s, n);
		page_add_line(p, "", p->words, p->len, tone);
		p->len = 0;
		s += n;
		s += strspn(s, " ");
		if (*s)
			put_blanks(p, deep);
	} while (*s);
}

static void put_text_row(struct page *p, const struct widths *w, const char *const *cells,
			 enum page_tone tone, bool heading)
{
	int owed = (int)strlen(text_gap), at = owed;

	for (size_t k = 0; k < p->columns; k++) {
		const bool last = k + 1 == p->columns;

		if (last && *cells[k] && p->column[k].align == ALIGN_LEFT) {
			put_blanks(p, stands_beside(p, cells[k], at) ? owed : 0);
			put_last(p, cells[k], at, tone);
			return;
		}
		if (*cells[k]) {
			put_blanks(p, owed);
			owed = text_put_cell(p, w, k, cells[k], heading);
		} else {
			owed += w->all[k];
		}
		owed += (int)strlen(text_gap);
		at += w->all[k] + (int)strlen(text_gap);
	}
	page_add_line(p, "", p->words, p->len, tone);
	p->len = 0;
}

static void put_text_rule(struct page *p, const struct widths *w, size_t column)
{
	int at = (int)strlen(text_gap);

	for (size_t k = 0; k < column; k++)
		at += w->all[k] + (int)strlen(text_gap);
	put_blanks(p, at);
	for (int i = 0; i < w->all[column]; i++)
		page_add_bytes(p, "-", 1);
	page_add_line(p, "", p->words, p->len, TONE_PLAIN);
	p->len = 0;
}

static void put_text_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];
	struct widths w;

	measure(p, &w);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = page_heading_of(p, k);
	put_text_row(p, &w, cells, TONE_PLAIN, true);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = page_cell_of(&p->row[i], k);
		if (p->row[i].rule)
			put_text_rule(p, &w, p->row[i].rule_column);
		else
			put_text_row(p, &w, cells, p->row[i].tone, false);
	}
}

static const struct page_ops page_text_ops = { "  ", 1, NULL, text_put_heading, text_put_labelled, text_put_paragraph, put_text_table };
