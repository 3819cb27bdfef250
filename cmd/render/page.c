#include "render/page.h"

#include "render/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct page_row {
	char *cell[PAGE_COLUMNS];
	enum page_tone tone;
	bool rule;
	size_t rule_column;
};

/* ---- characters */

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

static int columns_of(const char *s, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

static int width_of(const char *s)
{
	return columns_of(s, strlen(s));
}

/* The signs our own sentences use, for terminals that have only ASCII. */
static const char *ascii_for(const char *s, size_t len)
{
	static const char *const pairs[][2] = { { "·", "-" }, { "×", "x" },  { "−", "-" },
						{ "–", "-" }, { "…", "..." }, { "ƒ", "f" } };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (strlen(pairs[i][0]) == len && !memcmp(pairs[i][0], s, len))
			return pairs[i][1];
	return "?";
}

/* Bytes that are no UTF-8 become '?', and without UTF-8 so does what has no ASCII sign. dst: 3 bytes for each. */
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

static bool word_byte(char c)
{
	const unsigned char u = (unsigned char)c;

	return u >= 0x80 || (u >= '0' && u <= '9') || ((u | 0x20) >= 'a' && (u | 0x20) <= 'z');
}

/* Marks that would mean something in Markdown; `_` only does at the edge of a word. dst: 2 bytes for each. */
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

/* What was said, fit for the page; NULL without memory. */
__attribute__((format(printf, 2, 0))) static char *clean(struct page *p, const char *fmt, va_list ap)
{
	va_list again;
	char *raw, *visible = NULL, *out = NULL;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return NULL;
	raw = malloc((size_t)n + 1);
	if (raw) {
		vsnprintf(raw, (size_t)n + 1, fmt, ap);
		visible = malloc((size_t)n * 4 + 16);
	}
	if (visible) {
		text_visible(visible, (size_t)n * 4 + 16, raw);
		out = malloc(strlen(visible) * 6 + 1);
	}
	if (out && p->form == PAGE_MARKDOWN) {
		char *escaped = malloc(strlen(visible) * 2 + 1);

		if (escaped) {
			escape_markdown(escaped, visible);
			to_charset(out, escaped, p->utf8);
		} else {
			p->failed = true;
			*out = '\0';
		}
		free(escaped);
	} else if (out) {
		to_charset(out, visible, p->utf8);
	}
	free(raw);
	free(visible);
	return out;
}

/* ---- lines */

void page_init(struct page *p, enum page_form form, int width, bool utf8)
{
	*p = (struct page){ .form = form, .width = width < 40 ? 40 : width, .utf8 = utf8 };
}

static void free_rows(struct page *p)
{
	for (size_t i = 0; i < p->rows; i++)
		for (size_t k = 0; k < PAGE_COLUMNS; k++)
			free(p->row[i].cell[k]);
	p->rows = p->cells = 0;
}

void page_free(struct page *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->line[i].text);
	free_rows(p);
	free(p->line);
	free(p->words);
	free(p->row);
	*p = (struct page){ 0 };
}

static void add_line(struct page *p, const char *indent, const char *s, size_t len, enum page_tone tone)
{
	const size_t before = strlen(indent);
	char *text = malloc(before + len + 1);

	if (text && p->n == p->cap) {
		const size_t cap = p->cap ? p->cap * 2 : 64;
		struct page_line *v = realloc(p->line, cap * sizeof(*v));

		if (v) {
			p->line = v;
			p->cap = cap;
		}
	}
	if (!text || p->n == p->cap) {
		free(text);
		p->failed = true;
		return;
	}
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
		add_line(p, "", "", 0, TONE_PLAIN);
}

/* Bytes of s that fit into so many columns, cut at a blank if there is one. */
static size_t fitting(const char *s, int columns)
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

static void wrap(struct page *p, const char *s, enum page_tone tone)
{
	while (*s) {
		const size_t n = fitting(s, p->width);

		add_line(p, "", s, n, tone);
		s += n;
		s += strspn(s, " ");
	}
}

void page_heading(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = clean(p, fmt, ap);
	va_end(ap);
	if (!s)
		p->failed = true;
	else if (p->form == PAGE_MARKDOWN) {
		page_gap(p);
		add_line(p, "### ", s, strlen(s), TONE_PLAIN);
		page_gap(p);
	} else
		wrap(p, s, TONE_HEADING);
	free(s);
}

/* ---- paragraphs */

/* Room for n bytes more, a blank and the NUL. */
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

static void add_bytes(struct page *p, const char *s, size_t n)
{
	if (!words_room(p, n))
		return;
	memcpy(p->words + p->len, s, n);
	p->len += n;
	p->words[p->len] = '\0';
}

/* Takes s. */
static void add_words(struct page *p, bool blank, char *s)
{
	if (!s) {
		p->failed = true;
		return;
	}
	if (blank && p->len)
		add_bytes(p, " ", 1);
	add_bytes(p, s, strlen(s));
	free(s);
}

void page_say(struct page *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_words(p, true, clean(p, fmt, ap));
	va_end(ap);
}

void page_join(struct page *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_words(p, false, clean(p, fmt, ap));
	va_end(ap);
}

void page_end(struct page *p)
{
	if (!p->len)
		return;
	if (p->form == PAGE_MARKDOWN) {
		page_gap(p);
		add_line(p, "", p->words, p->len, TONE_PLAIN);
		page_gap(p);
	} else {
		wrap(p, p->words, TONE_PLAIN);
	}
	p->len = 0;
}

/* ---- tables */

void page_table(struct page *p, const struct page_column *columns, size_t n)
{
	page_end(p);
	p->column = columns;
	p->columns = n;
	free_rows(p);
}

static struct page_row *row_at_hand(struct page *p)
{
	if (p->rows == p->rows_cap) {
		const size_t cap = p->rows_cap ? p->rows_cap * 2 : 32;
		struct page_row *v = realloc(p->row, cap * sizeof(*v));

		if (!v) {
			p->failed = true;
			return NULL;
		}
		p->row = v;
		p->rows_cap = cap;
	}
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
	s = clean(p, fmt, ap);
	va_end(ap);
	if (!s)
		p->failed = true;
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

static const char *cell_of(const struct page_row *r, size_t k)
{
	return r->cell[k] ? r->cell[k] : "";
}

static int before_point(const char *s)
{
	const char *dot = strchr(s, '.');

	return dot ? columns_of(s, (size_t)(dot - s)) : width_of(s);
}

struct widths {
	int all[PAGE_COLUMNS], left[PAGE_COLUMNS]; /* left: of the decimal point */
};

/* A cell of the first column runs over empty ones behind it. */
static bool runs_over(const struct page *p, const struct page_row *r, size_t k)
{
	return !k && p->columns > 2 && !*cell_of(r, 1);
}

static void measure(const struct page *p, struct widths *w)
{
	*w = (struct widths){ 0 };
	for (size_t k = 0; k < p->columns; k++) {
		int right = 0;

		for (size_t i = 0; i < p->rows; i++) {
			const char *s = cell_of(&p->row[i], k);
			const int all = width_of(s), left = before_point(s);

			if (runs_over(p, &p->row[i], k))
				continue;
			w->left[k] = left > w->left[k] ? left : w->left[k];
			right = all - left > right ? all - left : right;
			w->all[k] = all > w->all[k] ? all : w->all[k];
		}
		if (p->column[k].align == ALIGN_POINT)
			w->all[k] = w->left[k] + right;
		if (width_of(p->column[k].heading) > w->all[k]) {
			const int more = width_of(p->column[k].heading) - w->all[k];

			w->all[k] += more;
			w->left[k] += more;
		}
	}
}

static void put_blanks(struct page *p, int n)
{
	for (; n > 0; n--)
		add_bytes(p, " ", 1);
}

/* One cell into the line at hand, without its trailing blanks; returns how many are owed. */
static int put_cell(struct page *p, const struct widths *w, size_t k, const char *s, bool heading)
{
	const enum page_align align = heading && p->column[k].align == ALIGN_POINT ? ALIGN_RIGHT : p->column[k].align;
	const int width = width_of(s);
	const int before = align == ALIGN_RIGHT ? w->all[k] - width : align == ALIGN_POINT ? w->left[k] - before_point(s) : 0;

	put_blanks(p, before);
	add_bytes(p, s, strlen(s));
	return w->all[k] - before - width;
}

static const char gap[] = "  ";
static const int least_last = 18; /* narrower, the last column goes below its row */

/* Is there room for it behind its row, in so many columns from the left? */
static bool stands_beside(const struct page *p, const char *s, int at)
{
	return width_of(s) <= p->width - at || p->width - at >= least_last;
}

/* The last column in what is left of the width, or below when that is too little. */
static void put_last(struct page *p, const char *s, int at, enum page_tone tone)
{
	const int deep = stands_beside(p, s, at) ? at : 8;
	size_t n;

	if (deep != at) {
		add_line(p, "", p->words, p->len, tone);
		p->len = 0;
		put_blanks(p, deep);
	}
	do {
		n = fitting(s, p->width - deep);
		add_bytes(p, s, n);
		add_line(p, "", p->words, p->len, tone);
		p->len = 0;
		s += n;
		s += strspn(s, " ");
		if (*s)
			put_blanks(p, deep);
	} while (*s);
}

static void put_text_row(struct page *p, const struct widths *w, const char *const *cells, enum page_tone tone,
			 bool heading)
{
	int owed = (int)strlen(gap), at = owed;

	for (size_t k = 0; k < p->columns; k++) {
		const bool last = k + 1 == p->columns;

		if (last && *cells[k] && p->column[k].align == ALIGN_LEFT) {
			put_blanks(p, stands_beside(p, cells[k], at) ? owed : 0);
			put_last(p, cells[k], at, tone);
			return;
		}
		if (*cells[k]) {
			put_blanks(p, owed);
			owed = put_cell(p, w, k, cells[k], heading);
		} else {
			owed += w->all[k];
		}
		owed += (int)strlen(gap);
		at += w->all[k] + (int)strlen(gap);
	}
	add_line(p, "", p->words, p->len, tone);
	p->len = 0;
}

static void put_text_rule(struct page *p, const struct widths *w, size_t column)
{
	int at = (int)strlen(gap);

	for (size_t k = 0; k < column; k++)
		at += w->all[k] + (int)strlen(gap);
	put_blanks(p, at);
	for (int i = 0; i < w->all[column]; i++)
		add_bytes(p, "-", 1);
	add_line(p, "", p->words, p->len, TONE_PLAIN);
	p->len = 0;
}

static void put_text_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];
	struct widths w;

	measure(p, &w);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = p->column[k].heading;
	put_text_row(p, &w, cells, TONE_PLAIN, true);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = cell_of(&p->row[i], k);
		if (p->row[i].rule)
			put_text_rule(p, &w, p->row[i].rule_column);
		else
			put_text_row(p, &w, cells, p->row[i].tone, false);
	}
}

/* Cells are clean already. */
static void put_markdown_row(struct page *p, const char *const *cells)
{
	for (size_t k = 0; k < p->columns; k++) {
		const char *s = cells[k] + strspn(cells[k], " ");

		add_bytes(p, "| ", 2);
		add_bytes(p, s, strlen(s));
		add_bytes(p, " ", 1);
	}
	add_bytes(p, "|", 1);
	add_line(p, "", p->words, p->len, TONE_PLAIN);
	p->len = 0;
}

static void put_markdown_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];

	page_gap(p);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = p->column[k].heading;
	put_markdown_row(p, cells);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = p->column[k].align == ALIGN_LEFT ? "---" : "---:";
	put_markdown_row(p, cells);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = cell_of(&p->row[i], k);
		if (!p->row[i].rule)
			put_markdown_row(p, cells);
	}
	page_gap(p);
}

void page_table_end(struct page *p)
{
	p->len = 0;
	if (p->failed)
		return;
	if (p->form == PAGE_MARKDOWN)
		put_markdown_table(p);
	else
		put_text_table(p);
	free_rows(p);
}

/* ---- printing */

void page_print(const struct page *p, FILE *out, bool colour)
{
	static const char *const begin[] = { "", "\033[1m", "\033[1;32m" };

	for (size_t i = 0; i < p->n; i++) {
		const struct page_line *l = &p->line[i];
		const bool dress = colour && l->tone != TONE_PLAIN && *l->text;

		fprintf(out, "%s%s%s\n", dress ? begin[l->tone] : "", l->text, dress ? "\033[0m" : "");
	}
}
