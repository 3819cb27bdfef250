/* A page as the elements of an HTML body: its lines, each an element of its own or a row of a table. */
#include "page/parts.h"

#include <stdio.h>
#include <string.h>

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

/* The first heading of the body is its title. */
static void put_heading(struct page *p, const char *s)
{
	const bool title = !p->titled;

	p->titled = true;

	put(p, title ? "<h1>" : "<h2>");
	put(p, s);
	put(p, title ? "</h1>" : "</h2>");
	end_line(p);
}

static void put_paragraph(struct page *p)
{
	page_add_line(p, "<p>", p->words, p->len, TONE_PLAIN);
	page_add_line(p, "", "</p>", 4, TONE_PLAIN);
}

static void put_labelled(struct page *p, const char *label, const char *s)
{
	put(p, "<p class=\"labelled\"><b>");
	put(p, label);
	put(p, "</b> <span>");
	put(p, s);
	put(p, "</span></p>");
	end_line(p);
}

/* Blanks in front of a cell are its depth. */
static void put_cell(struct page *p, const char *element, bool number, size_t span, const char *s)
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

/* ruled: there is a line above it, the first below those that are summed up. */
static void put_row(struct page *p, const struct page_row *r, bool ruled)
{
	size_t over = 1;

	while (page_runs_over(p, r, 0) && over < p->columns && !*page_cell_of(r, over))
		over++;
	put(p, r->tone == TONE_TOTAL ? "<tr class=\"total\">" : ruled ? "<tr class=\"ruled\">" : "<tr>");
	put_cell(p, "td", is_number(p, 0), over, page_cell_of(r, 0));
	for (size_t k = over; k < p->columns; k++)
		put_cell(p, "td", is_number(p, k), 1, page_cell_of(r, k));
	put(p, "</tr>");
	end_line(p);
}

static void put_table(struct page *p)
{
	bool ruled = false;

	put(p, "<div class=\"wide\"><table><thead><tr>");
	for (size_t k = 0; k < p->columns; k++)
		put_cell(p, "th", is_number(p, k), 1, page_heading_of(p, k));
	put(p, "</tr></thead><tbody>");
	end_line(p);
	for (size_t i = 0; i < p->rows; i++) {
		if (!p->row[i].rule)
			put_row(p, &p->row[i], ruled);
		ruled = p->row[i].rule;
	}
	page_add_line(p, "", "</tbody></table></div>", strlen("</tbody></table></div>"), TONE_PLAIN);
}

const struct page_ops page_html_ops = { "  ", 6, escape, put_heading, put_labelled, put_paragraph, put_table };
