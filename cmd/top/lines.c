#include "top/lines.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void add(struct lines *l, enum attr attr, const char *text)
{
	char *copy = strdup(text);

	if (copy && l->n == l->cap) {
		const size_t cap = l->cap ? l->cap * 2 : 32;
		struct line *v = realloc(l->v, cap * sizeof(*v));

		if (v) {
			l->v = v;
			l->cap = cap;
		}
	}
	if (!copy || l->n == l->cap) {
		free(copy);
		l->failed = true;
		return;
	}
	l->v[l->n++] = (struct line){ copy, attr };
}

void lines_add(struct lines *l, enum attr attr, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	add(l, attr, buf);
}

/* Bytes of UTF-8 that begin a character. */
static size_t characters(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

/* Bytes that fit the width, up to a blank if there is one. */
static size_t fitting(const char *s, unsigned width)
{
	size_t end = 0, i = 0;

	while (s[i] && characters(s, i + 1) <= width)
		if (s[i++] == ' ')
			end = i - 1;
	while (s[i] && ((unsigned char)s[i] & 0xc0) == 0x80)
		i++;
	return !s[i] || s[i] == ' ' || !end ? (i ? i : 1) : end;
}

void lines_wrap(struct lines *l, enum attr attr, unsigned width, unsigned indent, const char *text)
{
	bool first = true;

	do {
		const unsigned room = first || width <= indent ? width : width - indent;
		const size_t n = *text ? fitting(text, room ? room : 1) : 0;

		lines_add(l, attr, "%*s%.*s", first ? 0 : (int)indent, "", (int)n, text);
		text += n;
		text += strspn(text, " ");
		first = false;
	} while (*text);
}

void lines_drop(struct lines *l)
{
	if (l->n)
		free(l->v[--l->n].text);
}

void lines_clear(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].text);
	l->n = 0;
	l->failed = false;
}

void lines_free(struct lines *l)
{
	lines_clear(l);
	free(l->v);
	*l = (struct lines){ 0 };
}
