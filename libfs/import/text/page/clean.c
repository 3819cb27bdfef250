/* A paste becomes lines without terminal colours, e-mail quoting, carriage returns, and blanks other than ASCII's. */
#include "import/text/text.h"

#include <string.h>

struct paste {
	const unsigned char *p, *end;
	char *out; /* of the line at hand */
	size_t n, cap;
};

static bool at(const struct paste *c, const char *bytes)
{
	const size_t n = strlen(bytes);

	return (size_t)(c->end - c->p) >= n && !memcmp(c->p, bytes, n);
}

/* Goes on behind what a terminal would obey and not show (ECMA-48: control sequences, strings, single functions). */
static void skip_escape(struct paste *c)
{
	c->p++;
	if (c->p == c->end)
		return;
	if (*c->p == '[') {
		for (c->p++; c->p < c->end && *c->p != '\n'; c->p++)
			if (*c->p >= 0x40 && *c->p <= 0x7e) {
				c->p++;
				return;
			}
	} else if (*c->p == ']' || *c->p == 'P') {
		while (c->p < c->end && *c->p != '\n' && *c->p != 7 && *c->p != 0x1b)
			c->p++;
		if (at(c, "\x1b\\"))
			c->p += 2;
		else if (c->p < c->end && *c->p == 7)
			c->p++;
	} else if (*c->p == '(' || *c->p == ')') {
		c->p += c->end - c->p > 1 ? 2 : 1;
	} else if (*c->p != '\n') {
		c->p++;
	}
}

static void put(struct paste *c, char byte)
{
	if (c->n < c->cap)
		c->out[c->n++] = byte;
}

static void put_char(struct paste *c)
{
	if (*c->p == 0x1b) {
		skip_escape(c);
	} else if (at(c, "\xc2\xa0")) { /* no-break space */
		put(c, ' ');
		c->p += 2;
	/* Flux's job ids: ƒ is made one byte, as it is one column */
	} else if (at(c, "\xc6\x92") && (!c->n || c->out[c->n - 1] == ' ')) {
		put(c, 'f');
		c->p += 2;
	} else if (at(c, "\xe2\x80\x8b") || at(c, "\xef\xbb\xbf")) { /* zero-width space, byte-order mark */
		c->p += 3;
	} else {
		if (*c->p == '\t')
			do
				put(c, ' ');
			while (c->n % 8 && c->n < c->cap);
		else if (*c->p == '\b')
			c->n -= c->n > 0;
		else if (*c->p >= ' ' && *c->p != 0x7f)
			put(c, (char)*c->p);
		c->p++;
	}
}

/* Mail programs mark what they quote: "> > squeue". */
static struct fsi_span unquote(struct fsi_span v)
{
	for (;;) {
		size_t i = 0;

		while (i < v.len && i < 2 && v.s[i] == ' ')
			i++;
		if (i == v.len || v.s[i] != '>')
			return v;
		i++;
		i += i < v.len && v.s[i] == ' ';
		v = fsi_span_from(v, i);
	}
}

static int add_line(struct fsi_text *t, struct paste *c, uint32_t no, bool cut)
{
	struct fsi_span v = unquote((struct fsi_span){ c->out, c->n });
	char *copy;

	while (v.len && v.s[v.len - 1] == ' ')
		v.len--;
	if (v.len >= 3 && !memcmp(v.s, "```", 3))
		v.len = 0;
	copy = fsi_arena_strndup(&t->arena, v.s, v.len);
	if (!copy || FSI_VEC_ROOM(&t->lines))
		return fsi_nomem(t->err);
	t->lines.v[t->lines.n++] = (struct fsi_text_line){ copy, (uint32_t)v.len, no, cut };
	return 0;
}

int fsi_text_clean(struct fsi_text *t, const char *text, size_t size)
{
	struct paste c = { .p = (const unsigned char *)text };
	uint32_t no = 0;
	int rc = 0;

	c.end = c.p + size;
	while (c.p < c.end && !rc) {
		const unsigned char *eol = memchr(c.p, '\n', (size_t)(c.end - c.p));
		const unsigned char *end = eol ? eol : c.end;

		c.n = 0;
		c.cap = (size_t)(end - c.p) * 8;
		c.out = malloc(c.cap + 1);
		if (!c.out)
			return fsi_nomem(t->err);
		while (c.p < end)
			put_char(&c);
		c.p = eol ? eol + 1 : c.end;
		rc = add_line(t, &c, ++no, !eol);
		free(c.out);
	}
	return rc;
}
