/* Rows of columns as lines of text. */
#include "column.h"

#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct column *column_at(const struct column_page *p, size_t i)
{
	return &p->columns[p->pick ? p->pick[i] : i];
}

/* To the width of the column, in characters or in bytes. */
static void put_padded(const struct column_page *p, const struct column *c, const char *s)
{
	const size_t at = (size_t)(c - p->columns);
	const int own = p->width && p->width[at] ? p->width[at] : abs(c->width);
	int more = 0;

	for (const char *q = s; p->characters && *q; q++)
		more += ((unsigned char)*q & 0xc0) == 0x80;
	emit(c->width < 0 ? "%-*s" : "%*s", p->between ? 0 : own + more, s);
}

static void put_before(const struct column_page *p, const struct column *c, bool first)
{
	if (p->between)
		emit_text(first ? "" : p->between);
	else
		emit_text(c->before ? c->before : first ? "" : " ");
}

void columns_heading(const struct column_page *p)
{
	bool first = true;

	for (size_t i = 0; i < p->n; i++) {
		const struct column *c = column_at(p, i);

		if (!c->name)
			continue;
		put_before(p, c, first);
		put_padded(p, c, c->heading ? c->heading(p->of) : c->name);
		first = false;
	}
}

static void value_text(char buf[COLUMN_TEXT], const struct value *v)
{
	*buf = '\0';
	if (v->type == VALUE_NUMBER && isnan(v->number))
		strcpy(buf, "unknown");
	else if (v->type == VALUE_NUMBER) /* no -0.00 */
		snprintf(buf, COLUMN_TEXT, "%.2f", fabs(v->number) < 0.005 ? 0.0 : v->number);
	else if (v->type == VALUE_TEXT)
		text_visible(buf, COLUMN_TEXT, v->text);
	else if (v->type == VALUE_WHOLE)
		snprintf(buf, COLUMN_TEXT, "%llu", (unsigned long long)v->whole);
	else if (v->type == VALUE_INTEGER)
		snprintf(buf, COLUMN_TEXT, v->integer == FS_UNKNOWN ? "?" : "%lld", (long long)v->integer);
}

void columns_row(const struct column_page *p, const void *row)
{
	char buf[COLUMN_TEXT];
	bool first = true;

	for (size_t i = 0; i < p->n; i++) {
		const struct column *c = column_at(p, i);
		struct value v;

		if (!c->name || (!c->text && !c->get && !c->member))
			continue;
		if (c->text) {
			c->text(buf, p->of, row);
		} else {
			column_value(c, p->of, row, &v);
			value_text(buf, &v);
		}
		put_before(p, c, first);
		put_padded(p, c, buf);
		first = false;
	}
}
