/* A page as Markdown: a line for each paragraph, its marks escaped. */
#include "page/parts.h"

#include <string.h>

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

static void put_heading(struct page *p, const char *s)
{
	page_gap(p);
	page_add_line(p, "### ", s, strlen(s), TONE_PLAIN);
	page_gap(p);
}

static void put_paragraph(struct page *p)
{
	page_gap(p);
	page_add_line(p, "", p->words, p->len, TONE_PLAIN);
	page_gap(p);
}

static void put_labelled(struct page *p, const char *label, const char *s)
{
	page_add_bytes(p, "**", 2);
	page_add_bytes(p, label, strlen(label));
	page_add_bytes(p, "** ", 3);
	page_add_bytes(p, s, strlen(s));
	page_end(p);
}

/* Cells are clean already. */
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

const struct page_ops page_markdown_ops = { "    ", 2, escape_markdown, put_heading, put_labelled, put_paragraph,
					    put_markdown_table };
