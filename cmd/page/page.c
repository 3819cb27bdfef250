#include "page/page.h"

#include "cmd.h"
#include "fs/scenario.h"
#include "render/emit.h"
#include "render/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *format_safe_text(struct page *p, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* ---- safe text: replaces control bytes, characters with a meaning in Markdown or HTML, and characters that the
 * terminal cannot print */

static size_t get_utf8_length(const unsigned char *s)
{
	const size_t n = *s < 0x80                 ? 1
			 : *s >= 0xc2 && *s < 0xe0 ? 2
			 : *s >= 0xe0 && *s < 0xf0 ? 3
			 : *s >= 0xf0 && *s < 0xf5 ? 4
						   : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Returns the number of terminal columns that the first len bytes of s occupy: one column per character. */
static int count_text_columns(const char *s, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

/* Returns the number of terminal columns that the string occupies. */
static int get_text_columns(const char *s)
{
	return count_text_columns(s, strlen(s));
}

/* Returns the ASCII replacement of a non-ASCII character. Only the characters that fs-tools itself prints on pages have
 * one; for any other character returns "?". */
static const char *get_ascii_replacement(const char *s, size_t len)
{
	static const char *const pairs[][2] = { { "·", "-" }, { "×", "x" },   { "−", "-" }, { "→", "->" },
						{ "–", "-" }, { "…", "..." }, { "ƒ", "f" } };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (strlen(pairs[i][0]) == len && !memcmp(pairs[i][0], s, len))
			return pairs[i][1];
	return "?";
}

/* Copies s to dst. Replaces bytes that are not UTF-8 by '?' and, if `utf8` is false, non-ASCII characters by ASCII. dst
 * needs 3 bytes per byte of s. */
static void convert_to_charset(char *dst, const char *s, bool utf8)
{
	while (*s) {
		const size_t len = get_utf8_length((const unsigned char *)s);
		const char *as = len == 0 ? "?" : len == 1 || utf8 ? NULL : get_ascii_replacement(s, len);
		const size_t n = as ? strlen(as) : len;

		memcpy(dst, as ? as : s, n);
		dst += n;
		s += len ? len : 1;
	}
	*dst = '\0';
}

/* Formats a string into allocated memory, which the caller frees. Returns NULL if out of memory. */
__attribute__((format(printf, 1, 0))) static char *format_allocated_text(const char *fmt, va_list ap)
{
	char most[128]; /* most texts fit into this buffer, so they are formatted only once */
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

static bool is_printable_ascii(const char *s)
{
	while (*s >= 0x20 && *s < 0x7f)
		s++;
	return !*s;
}

/* Makes the allocated text `raw` safe, and frees it. `escape` escapes characters with a meaning in the form of the
 * page; NULL: there are none. The caller frees the result. Returns NULL and sets p->failed if out of memory. */
static char *make_text_safe(struct page *p, char *raw, void (*escape)(char *dst, const char *s))
{
	const struct page_ops *ops = p->ops;
	char *visible, *out = NULL;

	if (!raw)
		p->failed = true;
	if (!raw || (!escape && is_printable_ascii(raw)))
		return raw;
	const size_t size = strlen(raw) * 4 + 16;

	visible = malloc(size);
	if (visible) {
		text_make_visible(visible, size, raw);
		out = malloc(strlen(visible) * ops->growth * 3 + 1);
	}
	if (out && escape) {
		char *escaped = malloc(strlen(visible) * ops->growth + 1);

		if (escaped) {
			escape(escaped, visible);
			convert_to_charset(out, escaped, p->utf8);
		} else {
			p->failed = true;
			*out = '\0';
		}
		free(escaped);
	} else if (out) {
		convert_to_charset(out, visible, p->utf8);
	}
	if (!out)
		p->failed = true;
	free(raw);
	free(visible);
	return out;
}

/* Formats text, and makes it safe for the form of the page. The caller frees the result. Returns NULL and sets
 * p->failed if out of memory. */
static char *format_safe_text(struct page *p, const char *fmt, va_list ap)
{
	return make_text_safe(p, format_allocated_text(fmt, ap), p->ops->escape);
}

/* Copies text, and makes it safe for the form of the page. Otherwise works like format_safe_text. */
static char *copy_safe_text(struct page *p, const char *text)
{
	return make_text_safe(p, strdup(text), p->ops->escape);
}

/* ---- lines of the page */

/* Frees the cells and headings of the current table. */
static void free_table_rows(struct page *p)
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

void page_free_text(struct page *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->lines[i].text);
	free_table_rows(p);
	free(p->lines);
	free(p->paragraph);
	free(p->row);
	*p = (struct page){ 0 };
}

/* Adds a line to the page: the indentation and len bytes of s, without trailing blanks. */
static void add_line_to_page(struct page *p, const char *indent, const char *s, size_t len, enum page_tone tone)
{
	const size_t before = strlen(indent);
	char *text = malloc(before + len + 1);
	struct page_line *v = text ? array_grow_by_one(p->lines, p->n, &p->cap, sizeof(*v)) : NULL;

	if (!v) {
		free(text);
		p->failed = true;
		return;
	}
	p->lines = v;
	memcpy(text, indent, before);
	if (len)
		memcpy(text + before, s, len);
	while (len && text[before + len - 1] == ' ')
		len--;
	text[before + len] = '\0';
	p->lines[p->n++] = (struct page_line){ text, tone };
}

void page_add_gap(struct page *p)
{
	if (p->n && *p->lines[p->n - 1].text)
		add_line_to_page(p, "", "", 0, TONE_PLAIN);
}

void page_add_labelled(struct page *p, const char *label, const char *text)
{
	char *s = copy_safe_text(p, text);

	if (s)
		p->ops->labelled(p, label, s);
	free(s);
}

void page_add_command(struct page *p, const char *command)
{
	char *s = make_text_safe(p, strdup(command), p->ops->literal_commands ? NULL : p->ops->escape);

	if (s)
		p->ops->command(p, s);
	free(s);
}

void page_add_heading(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = format_safe_text(p, fmt, ap);
	va_end(ap);
	if (s)
		p->ops->heading(p, s);
	free(s);
}

/* ---- the current paragraph */

/* Makes the buffer of the current paragraph large enough for n more bytes, a blank and the NUL. Returns false if out of
 * memory. */
static bool reserve_paragraph_bytes(struct page *p, size_t n)
{
	const size_t want = p->paragraph_len + n + 2;
	char *v;

	if (want <= p->paragraph_cap)
		return true;
	v = realloc(p->paragraph, want * 2);
	if (!v) {
		p->failed = true;
		return false;
	}
	p->paragraph = v;
	p->paragraph_cap = want * 2;
	return true;
}

/* Appends n bytes of s to the current paragraph. */
static void append_paragraph_bytes(struct page *p, const char *s, size_t n)
{
	if (!reserve_paragraph_bytes(p, n))
		return;
	memcpy(p->paragraph + p->paragraph_len, s, n);
	p->paragraph_len += n;
	p->paragraph[p->paragraph_len] = '\0';
}

static void append_paragraph_text(struct page *p, const char *s)
{
	append_paragraph_bytes(p, s, strlen(s));
}

/* Adds the text of the current paragraph to the page as one line. */
static void end_paragraph_line(struct page *p, const char *indent, enum page_tone tone)
{
	add_line_to_page(p, indent, p->paragraph, p->paragraph_len, tone);
	p->paragraph_len = 0;
}

/* Adds a line that consists of three texts. */
static void add_joined_line(struct page *p, const char *before, const char *s, const char *after)
{
	append_paragraph_text(p, before);
	append_paragraph_text(p, s);
	append_paragraph_text(p, after);
	end_paragraph_line(p, "", TONE_PLAIN);
}

/* Appends s to the current paragraph and frees s. `blank`: a blank separates s from the text before it. */
static void append_owned_text(struct page *p, bool blank, char *s)
{
	if (!s)
		return;
	if (blank && p->paragraph_len)
		append_paragraph_text(p, " ");
	append_paragraph_text(p, s);
	free(s);
}

void page_add_sentence(struct page *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	append_owned_text(p, true, format_safe_text(p, fmt, ap));
	va_end(ap);
}

void page_append_text(struct page *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	append_owned_text(p, false, format_safe_text(p, fmt, ap));
	va_end(ap);
}

void page_end_paragraph(struct page *p)
{
	if (!p->paragraph_len)
		return;
	p->ops->paragraph(p);
	p->paragraph_len = 0;
}

void page_end_with(struct page *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	append_owned_text(p, true, format_safe_text(p, fmt, ap));
	va_end(ap);
	page_end_paragraph(p);
}

/* ---- printing the page */

void page_print_lines(const struct page *p, FILE *out, bool colour)
{
	static const char *const begin[] = { "", "\033[1m", "\033[1;32m" };

	for (size_t i = 0; i < p->n; i++) {
		const struct page_line *l = &p->lines[i];
		const bool styled = colour && l->tone != TONE_PLAIN && *l->text;

		emit_raw_text(out, styled ? begin[l->tone] : "");
		emit_to_stream(out, "%s", l->text);
		emit_raw_text(out, styled ? "\033[0m\n" : "\n");
	}
}

/* Adds all commands of --if on one line, without wrapping it. The beginning "WHAT IF:" of the line shows that the state
 * is hypothetical. */
void page_add_what_if(struct page *p, const fs_snapshot *s)
{
	const int width = p->width;
	const char *command;

	for (size_t i = 0; (command = fs_snapshot_command(s, i)); i++) {
		if (i)
			page_append_text(p, ";");
		page_add_sentence(p, i ? "%s" : "WHAT IF: %s", command);
	}
	p->width = INT_MAX;
	page_end_paragraph(p);
	p->width = width;
	page_add_gap(p);
}

/* ---- the forms of a page: text, Markdown, HTML */

static const struct page_ops page_text_ops, page_markdown_ops, page_html_ops;

void page_init_form(struct page *p, enum page_form form, int width, bool utf8)
{
	static const struct page_ops *const forms[] = {
		[PAGE_TEXT] = &page_text_ops, [PAGE_MARKDOWN] = &page_markdown_ops, [PAGE_HTML] = &page_html_ops
	};

	*p = (struct page){ .ops = forms[form], .width = width < 40 ? 40 : width, .utf8 = utf8 };
}

/* ---- tables: collecting rows and cells */

/* Returns the heading of column k of the current table; "" if the column has no heading. */
static const char *get_column_heading(const struct page *p, size_t k)
{
	return p->heading[k] ? p->heading[k] : "";
}

void page_begin_table(struct page *p, const struct page_column *columns, size_t n)
{
	page_end_paragraph(p);
	free_table_rows(p);
	p->columns = n;
	for (size_t k = 0; k < n; k++) {
		p->align[k] = columns[k].align;
		p->heading[k] = copy_safe_text(p, columns[k].heading);
	}
}

static void start_table_row(struct page *p)
{
	struct page_table_row *v = array_grow_by_one(p->row, p->rows, &p->rows_cap, sizeof(*v));

	if (!v) {
		p->failed = true;
		return;
	}
	p->row = v;
	p->row[p->rows] = (struct page_table_row){ 0 };
}

void page_add_cell(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	if (!p->cells)
		start_table_row(p);
	va_start(ap, fmt);
	s = format_safe_text(p, fmt, ap);
	va_end(ap);
	if (!s || p->rows == p->rows_cap || p->cells == PAGE_COLUMNS) {
		free(s);
		return;
	}
	p->row[p->rows].cell[p->cells++] = s;
}

void page_end_row(struct page *p, enum page_tone tone)
{
	if (!p->cells)
		start_table_row(p);
	if (p->rows == p->rows_cap)
		return;
	p->row[p->rows++].tone = tone;
	p->cells = 0;
}

void page_add_row(struct page *p, enum page_tone tone, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		page_add_cell(p, "%s", texts[i]);
	page_end_row(p, tone);
}

void page_add_rule(struct page *p, size_t column)
{
	start_table_row(p);
	if (p->rows == p->rows_cap)
		return;
	p->row[p->rows].rule = true;
	p->row[p->rows].rule_column = column;
	p->rows++;
}

/* Returns cell k of the row; "" if the cell is missing. */
static const char *get_row_cell_text(const struct page_table_row *r, size_t k)
{
	return r->cell[k] ? r->cell[k] : "";
}

/* Returns true if cell k may extend over the empty cells to its right. Only a cell of the first column may. */
static bool may_cell_run_over(const struct page *p, const struct page_table_row *r, size_t k)
{
	return !k && p->columns > 2 && !*get_row_cell_text(r, 1);
}

void page_end_table(struct page *p)
{
	p->paragraph_len = 0;
	if (p->failed)
		return;
	p->ops->table(p);
	free_table_rows(p);
}

/* ---- HTML: every line is an element or a table row */

static void escape_html_text(char *dst, const char *s)
{
	for (; *s; s++) {
		const char one[] = { *s, '\0' };
		const char *as = *s == '&'    ? "&amp;"
				 : *s == '<'  ? "&lt;"
				 : *s == '>'  ? "&gt;"
				 : *s == '"'  ? "&quot;"
				 : *s == '\'' ? "&#39;"
					      : one;
		const size_t n = strlen(as);

		memcpy(dst, as, n);
		dst += n;
	}
	*dst = '\0';
}

/* Adds a heading: <h1> for the first heading of the page, <h2> for others. */
static void put_html_heading(struct page *p, const char *s)
{
	const bool title = !p->titled;

	p->titled = true;
	add_joined_line(p, title ? "<h1>" : "<h2>", s, title ? "</h1>" : "</h2>");
}

static void put_html_paragraph(struct page *p)
{
	end_paragraph_line(p, "<p>", TONE_PLAIN);
	add_line_to_page(p, "", "</p>", 4, TONE_PLAIN);
}

static void put_html_labelled(struct page *p, const char *label, const char *s)
{
	append_paragraph_text(p, "<p class=\"labelled\"><b>");
	append_paragraph_text(p, label);
	add_joined_line(p, "</b> <span>", s, "</span></p>");
}

static void put_html_command(struct page *p, const char *s)
{
	add_joined_line(p, "<pre class=\"command\">", s, "</pre>");
}

/* Appends a cell to the current HTML row. Leading blanks of its text become padding. */
static void put_html_table_cell(struct page *p, const char *element, bool number, size_t span, const char *s)
{
	const size_t depth = strspn(s, " ");
	char open[120];
	size_t n = (size_t)snprintf(open, sizeof(open), "<%s%s", element, number ? " class=\"number\"" : "");

	if (span > 1)
		n += (size_t)snprintf(open + n, sizeof(open) - n, " colspan=\"%zu\"", span);
	if (depth && !number)
		n += (size_t)snprintf(open + n, sizeof(open) - n, " style=\"padding-left:%zuch\"", depth + 1);
	snprintf(open + n, sizeof(open) - n, ">");
	append_paragraph_text(p, open);
	append_paragraph_text(p, s + depth);
	append_paragraph_text(p, "</");
	append_paragraph_text(p, element);
	append_paragraph_text(p, ">");
}

static bool is_number_column(const struct page *p, size_t k)
{
	return p->align[k] != ALIGN_LEFT;
}

/* Adds a table row. `ruled`: a line is drawn above the row. */
static void put_html_table_row(struct page *p, const struct page_table_row *r, bool ruled)
{
	size_t over = 1;

	while (may_cell_run_over(p, r, 0) && over < p->columns && !*get_row_cell_text(r, over))
		over++;
	append_paragraph_text(p, r->tone == TONE_TOTAL ? "<tr class=\"total\">"
				 : ruled               ? "<tr class=\"ruled\">"
						       : "<tr>");
	put_html_table_cell(p, "td", is_number_column(p, 0), over, get_row_cell_text(r, 0));
	for (size_t k = over; k < p->columns; k++)
		put_html_table_cell(p, "td", is_number_column(p, k), 1, get_row_cell_text(r, k));
	add_joined_line(p, "</tr>", "", "");
}

static void put_html_table(struct page *p)
{
	bool ruled = false;

	append_paragraph_text(p, "<div class=\"wide\"><table><thead><tr>");
	for (size_t k = 0; k < p->columns; k++)
		put_html_table_cell(p, "th", is_number_column(p, k), 1, get_column_heading(p, k));
	add_joined_line(p, "</tr></thead><tbody>", "", "");
	for (size_t i = 0; i < p->rows; i++) {
		if (!p->row[i].rule)
			put_html_table_row(p, &p->row[i], ruled);
		ruled = p->row[i].rule;
	}
	add_joined_line(p, "</tbody></table></div>", "", "");
}

static const struct page_ops page_html_ops = { "  ",
					       6,
					       false,
					       escape_html_text,
					       put_html_heading,
					       put_html_labelled,
					       put_html_command,
					       put_html_paragraph,
					       put_html_table };

/* ---- Markdown: one line per paragraph */

static bool is_word_byte(char c)
{
	const unsigned char u = (unsigned char)c;

	return u >= 0x80 || (u >= '0' && u <= '9') || ((u | 0x20) >= 'a' && (u | 0x20) <= 'z');
}

/* Escapes characters that have a meaning in Markdown; `_` has a meaning only at the beginning or end of a word. dst
 * needs 2 bytes per byte of s. */
static void escape_markdown_text(char *dst, const char *s)
{
	for (const char *at = s; *at; at++) {
		const bool inside = at > s && is_word_byte(at[-1]) && is_word_byte(at[1]);

		if (strchr("\\`*[]<>|#~", *at) || (*at == '_' && !inside))
			*dst++ = '\\';
		*dst++ = *at;
	}
	*dst = '\0';
}

/* Adds a line with an empty line before and after it. */
static void put_markdown_line(struct page *p, const char *indent, const char *s, size_t len)
{
	page_add_gap(p);
	add_line_to_page(p, indent, s, len, TONE_PLAIN);
	page_add_gap(p);
}

static void put_markdown_heading(struct page *p, const char *s)
{
	put_markdown_line(p, "### ", s, strlen(s));
}

static void put_markdown_paragraph(struct page *p)
{
	put_markdown_line(p, "", p->paragraph, p->paragraph_len);
}

static void put_markdown_labelled(struct page *p, const char *label, const char *s)
{
	if (*label) {
		append_paragraph_text(p, "**");
		append_paragraph_text(p, label);
		append_paragraph_text(p, "** ");
	}
	append_paragraph_text(p, s);
	page_end_paragraph(p);
}

static void put_markdown_command(struct page *p, const char *s)
{
	put_markdown_line(p, "    ", s, strlen(s));
}

/* Adds a table row; the cells are already escaped. */
static void put_markdown_table_row(struct page *p, const char *const *cells)
{
	for (size_t k = 0; k < p->columns; k++) {
		append_paragraph_text(p, "| ");
		append_paragraph_text(p, cells[k] + strspn(cells[k], " "));
		append_paragraph_text(p, " ");
	}
	add_joined_line(p, "|", "", "");
}

static void put_markdown_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];

	page_add_gap(p);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = get_column_heading(p, k);
	put_markdown_table_row(p, cells);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = p->align[k] == ALIGN_LEFT ? "---" : "---:";
	put_markdown_table_row(p, cells);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = get_row_cell_text(&p->row[i], k);
		if (!p->row[i].rule)
			put_markdown_table_row(p, cells);
	}
	page_add_gap(p);
}

static const struct page_ops page_markdown_ops = { "    ",
						   2,
						   true,
						   escape_markdown_text,
						   put_markdown_heading,
						   put_markdown_labelled,
						   put_markdown_command,
						   put_markdown_paragraph,
						   put_markdown_table };

/* ---- plots: a column of block characters for each number, with a height proportional to the number */

enum { PLOT_SCALE_WIDTH = 10, PLOT_LINE_SIZE = 512 };

static const char *get_plot_block(const struct page *p, int eighths)
{
	static const char *const utf8[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ".", ":", ":", "|", "|", "#", "#" };

	return (p->utf8 ? utf8 : ascii)[eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
}

/* Returns how much of the character cell in row `row` of a plot (0: lowest row) is filled for the value v, in eighths
 * of the cell. If the result is 0 or less, the cell is empty; if it is 8 or more, the cell is full. The value `low`
 * fills one eighth of row 0. */
static int count_filled_eighths(double v, double low, double high, int height, int row)
{
	const double all = 1 + (v - low) / (high - low) * (height * 8 - 1);

	return isnan(v) ? 0 : (int)(all + 0.5) - row * 8;
}

static void add_plot_labels(struct page *p, const char *first, const char *last, size_t n)
{
	char line[PLOT_LINE_SIZE];
	size_t gap;

	gap = strlen(first) + strlen(last) < n ? n - strlen(first) - strlen(last) : 1;
	snprintf(line, sizeof(line), "%*s%s%*s%s", PLOT_SCALE_WIDTH + 1, "", first, (int)gap, "", last);
	add_line_to_page(p, p->ops->plot_indent, line, strlen(line), TONE_PLAIN);
}

void page_plot_curve(struct page *p, const char *first, const char *last, const double *v, size_t n, int height,
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
		char line[PLOT_LINE_SIZE] = "";

		if (row == height - 1 || row == 0)
			format_text(line, sizeof(line), "%*.*f ", PLOT_SCALE_WIDTH, decimals, row ? high : low);
		else
			snprintf(line, sizeof(line), "%*s", PLOT_SCALE_WIDTH + 1, "");
		for (size_t i = 0; i < n; i++)
			append_text(line, sizeof(line), "%s",
				    get_plot_block(p, count_filled_eighths(v[i], low, high, height, row)));
		add_line_to_page(p, p->ops->plot_indent, line, strlen(line), TONE_PLAIN);
	}
	add_plot_labels(p, first, last, n);
}

/* ---- text of a given width: wrapped paragraphs, aligned columns, and tables whose last column is wrapped */

size_t page_count_fitting_bytes(const char *s, int columns)
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

static void put_text_labelled(struct page *p, const char *label, const char *s)
{
	char before[PAGE_LABEL + 1];

	snprintf(before, sizeof(before), "%-*s", PAGE_LABEL, label);
	for (bool first = true; first || *s; first = false) {
		const size_t n = page_count_fitting_bytes(s, p->width - PAGE_LABEL);

		if (!first)
			memset(before, ' ', PAGE_LABEL);
		add_line_to_page(p, before, s, n, TONE_PLAIN);
		s += n;
		s += strspn(s, " ");
	}
}

/* Adds the command on a line of its own, so that it can be copied. A command that is too long for the page is continued
 * on further lines; a backslash, as in a shell, ends each line but the last. */
static void put_text_command(struct page *p, const char *s)
{
	enum { SHORT_INDENT = 2 };
	const size_t len = strlen(s);
	const int indent = count_text_columns(s, len) + PAGE_LABEL <= p->width ? PAGE_LABEL : SHORT_INDENT;
	char before[PAGE_LABEL + 1];

	snprintf(before, sizeof(before), "%*s", indent, "");
	while (count_text_columns(s, strlen(s)) + indent > p->width) {
		const size_t n = page_count_fitting_bytes(s, p->width - indent - (int)strlen(" \\"));

		if (s[n] != ' ')
			break;
		append_paragraph_bytes(p, s, n);
		append_paragraph_text(p, " \\");
		end_paragraph_line(p, before, TONE_PLAIN);
		s += n + 1;
	}
	add_line_to_page(p, before, s, strlen(s), TONE_PLAIN);
}

static void wrap_text_lines(struct page *p, const char *s, enum page_tone tone)
{
	while (*s) {
		const size_t n = page_count_fitting_bytes(s, p->width);

		add_line_to_page(p, "", s, n, tone);
		s += n;
		s += strspn(s, " ");
	}
}

static void put_text_heading(struct page *p, const char *s)
{
	wrap_text_lines(p, s, TONE_HEADING);
}

static void put_text_paragraph(struct page *p)
{
	wrap_text_lines(p, p->paragraph, TONE_PLAIN);
}

/* ---- text tables */

static int count_columns_before_point(const char *s)
{
	const char *dot = strchr(s, '.');

	return dot ? count_text_columns(s, (size_t)(dot - s)) : get_text_columns(s);
}

struct column_widths {
	/* `width`: width of the column in characters; `before_point`: number of characters to the left of its decimal
	 * points */
	int width[PAGE_COLUMNS], before_point[PAGE_COLUMNS];
};

/* Returns the number of blanks to the left of a cell that align it in its column. */
static int count_alignment_blanks(const struct page *p, const struct column_widths *w, size_t k, const char *s)
{
	return p->align[k] == ALIGN_RIGHT   ? w->width[k] - get_text_columns(s)
	       : p->align[k] == ALIGN_POINT ? w->before_point[k] - count_columns_before_point(s)
					    : 0;
}

static const char text_gap[] = "  ";

/* Widens column k if cell k of the row does not fit into the space before the next cell that is not empty. */
static void widen_overflowing_column(const struct page *p, struct column_widths *w, const struct page_table_row *row,
				     size_t k)
{
	int space = w->width[k];
	size_t next = k + 1;

	for (; next < p->columns && !*get_row_cell_text(row, next); next++)
		space += (int)strlen(text_gap) + w->width[next];
	if (next < p->columns)
		space += count_alignment_blanks(p, w, next, get_row_cell_text(row, next));
	if (get_text_columns(get_row_cell_text(row, k)) > space)
		w->width[k] += get_text_columns(get_row_cell_text(row, k)) - space;
}

static void measure_column_widths(const struct page *p, struct column_widths *w)
{
	*w = (struct column_widths){ 0 };
	for (size_t k = 0; k < p->columns; k++) {
		int right = 0;

		for (size_t i = 0; i < p->rows; i++) {
			const char *s = get_row_cell_text(&p->row[i], k);
			const int all = get_text_columns(s), left = count_columns_before_point(s);

			if (may_cell_run_over(p, &p->row[i], k))
				continue;
			w->before_point[k] = left > w->before_point[k] ? left : w->before_point[k];
			right = all - left > right ? all - left : right;
			w->width[k] = all > w->width[k] ? all : w->width[k];
		}
		if (p->align[k] == ALIGN_POINT)
			w->width[k] = w->before_point[k] + right;
		if (get_text_columns(get_column_heading(p, k)) > w->width[k]) {
			const int more = get_text_columns(get_column_heading(p, k)) - w->width[k];

			w->width[k] += more;
			w->before_point[k] += more;
		}
	}
	for (size_t i = 0; i < p->rows; i++)
		for (size_t k = 0; k < p->columns; k++)
			if (may_cell_run_over(p, &p->row[i], k))
				widen_overflowing_column(p, w, &p->row[i], k);
}

static void append_paragraph_blanks(struct page *p, int n)
{
	for (; n > 0; n--)
		append_paragraph_text(p, " ");
}

/* Appends a cell to the current line, but not the blanks to the right of its text. Returns the number of blanks that
 * the caller must append before the next cell. */
static int put_text_table_cell(struct page *p, const struct column_widths *w, size_t k, const char *s, bool heading)
{
	const enum page_align align = heading && p->align[k] == ALIGN_POINT ? ALIGN_RIGHT : p->align[k];
	const int width = get_text_columns(s);
	const int before = align == p->align[k] ? count_alignment_blanks(p, w, k, s) : w->width[k] - width;

	append_paragraph_blanks(p, before);
	append_paragraph_text(p, s);
	return w->width[k] - before - width;
}

/* minimum width of the last column; if less width is left, the last cell is printed below its row */
static const int min_last_width = 18;

/* Returns true if the last cell fits to the right of column `at`, on one line or wrapped. */
static bool fits_last_column(const struct page *p, const char *s, int at)
{
	return get_text_columns(s) <= p->width - at || p->width - at >= min_last_width;
}

/* Adds the last cell of a row, wrapped into the remaining width. If that width is too small, adds the cell below the
 * row. */
static void put_last_column(struct page *p, const char *s, int at, enum page_tone tone)
{
	const int indent = fits_last_column(p, s, at) ? at : 8;
	size_t n;

	if (indent != at) {
		end_paragraph_line(p, "", tone);
		append_paragraph_blanks(p, indent);
	}
	do {
		n = page_count_fitting_bytes(s, p->width - indent);
		append_paragraph_bytes(p, s, n);
		end_paragraph_line(p, "", tone);
		s += n;
		s += strspn(s, " ");
		if (*s)
			append_paragraph_blanks(p, indent);
	} while (*s);
}

static void put_text_table_row(struct page *p, const struct column_widths *w, const char *const *cells,
			       enum page_tone tone, bool heading)
{
	int due_blanks = (int)strlen(text_gap), at = due_blanks;

	for (size_t k = 0; k < p->columns; k++) {
		const bool last = k + 1 == p->columns;

		if (last && *cells[k] && p->align[k] == ALIGN_LEFT) {
			append_paragraph_blanks(p, fits_last_column(p, cells[k], at) ? due_blanks : 0);
			put_last_column(p, cells[k], at, tone);
			return;
		}
		if (*cells[k]) {
			append_paragraph_blanks(p, due_blanks);
			due_blanks = put_text_table_cell(p, w, k, cells[k], heading);
		} else {
			due_blanks += w->width[k];
		}
		due_blanks += (int)strlen(text_gap);
		at += w->width[k] + (int)strlen(text_gap);
	}
	end_paragraph_line(p, "", tone);
}

static void put_text_table_rule(struct page *p, const struct column_widths *w, size_t column)
{
	int at = (int)strlen(text_gap);

	for (size_t k = 0; k < column; k++)
		at += w->width[k] + (int)strlen(text_gap);
	append_paragraph_blanks(p, at);
	for (int i = 0; i < w->width[column]; i++)
		append_paragraph_text(p, "-");
	end_paragraph_line(p, "", TONE_PLAIN);
}

static void put_text_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];
	struct column_widths w;

	measure_column_widths(p, &w);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = get_column_heading(p, k);
	put_text_table_row(p, &w, cells, TONE_PLAIN, true);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = get_row_cell_text(&p->row[i], k);
		if (p->row[i].rule)
			put_text_table_rule(p, &w, p->row[i].rule_column);
		else
			put_text_table_row(p, &w, cells, p->row[i].tone, false);
	}
}

static const struct page_ops page_text_ops = {
	"  ", 1, true, NULL, put_text_heading, put_text_labelled, put_text_command, put_text_paragraph, put_text_table
};
