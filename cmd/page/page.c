/* Lines and paragraphs of a page. */
#include "page/parts.h"
#include "render/emit.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

/* ---- lines */

void page_free_rows(struct page *p)
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

void page_add_line(struct page *p, const char *indent, const char *s, size_t len, enum page_tone tone)
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

void page_add_bytes(struct page *p, const char *s, size_t n)
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
