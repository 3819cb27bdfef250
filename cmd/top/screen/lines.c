#include "top/screen/lines.h"

#include "render/format.h"
#include "room.h"

#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(struct lines *l, enum attr attr, const char *text)
{
	char *copy = strdup(text);
	struct line *v = copy ? room_for_one(l->v, l->n, &l->cap, sizeof(*v)) : NULL;

	if (!v) {
		free(copy);
		l->failed = true;
		return;
	}
	l->v = v;
	l->v[l->n++] = (struct line){ copy, attr };
}

void lines_add(struct lines *l, enum attr attr, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	format_args(buf, sizeof(buf), fmt, ap);
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

enum { ROW = 1024 };

void lines_heading(struct lines *l, const struct column_page *p)
{
	char buf[ROW];

	add(l, ATTR_DIM, columns_heading_text(buf, sizeof(buf), p));
}

void lines_row(struct lines *l, enum attr attr, const struct column_page *p, const void *row)
{
	char buf[ROW];

	add(l, attr, columns_row_text(buf, sizeof(buf), p, row));
}

void lines_wrap_row(struct lines *l, enum attr attr, unsigned width, unsigned indent, const struct column_page *p,
		    const void *row)
{
	char buf[ROW];

	lines_wrap(l, attr, width, indent, columns_row_text(buf, sizeof(buf), p, row));
}

void lines_drop(struct lines *l)
{
	if (l->n)
		free(l->v[--l->n].text);
}

const char *lines_bar(const struct lines *l, char *buf, size_t size, double part, unsigned room, char character)
{
	enum { FULL = 0x88, EIGHTHS = 8 }; /* U+2588 is e2 96 88 in UTF-8; each of the next seven is an eighth less */
	const double max = (double)((size - 1) / 3), columns = fmin(part * room, max);
	const unsigned eighths = (unsigned)(columns * EIGHTHS + .5);
	const unsigned whole = l->blocks ? eighths / EIGHTHS : (unsigned)(columns + .5);
	size_t n = 0;

	for (unsigned i = 0; i < whole; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s", l->blocks ? "\xe2\x96\x88" : (const char[]){ character, '\0' });
	if (l->blocks && eighths % EIGHTHS && n + 3 < size)
		n += (size_t)snprintf(buf + n, size - n, "\xe2\x96%c", (int)(FULL + EIGHTHS - eighths % EIGHTHS));
	buf[n] = '\0';
	return buf;
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
	*l = (struct lines){ .blocks = l->blocks };
}
