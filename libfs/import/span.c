/* Stretches of text in captured files. */
#include "base/num.h"
#include "base/number/f58.h"
#include "base/text.h"
#include "import/import.h"

#include <stdio.h>
#include <string.h>

bool fsi_span_is(struct fsi_span v, const char *word)
{
	return fsi_same_any_case(v.s, v.len, word);
}

bool fsi_span_equals(struct fsi_span v, struct fsi_span other)
{
	return v.len == other.len && (!v.len || !memcmp(v.s, other.s, v.len));
}

bool fsi_span_begins(struct fsi_span v, const char *with)
{
	const size_t n = strlen(with);

	return v.len >= n && !memcmp(v.s, with, n);
}

const char *fsi_span_find(struct fsi_span v, const char *text, size_t rare)
{
	const size_t n = strlen(text);
	const char *s = v.s, *end = v.s + v.len;

	while ((size_t)(end - s) >= n) {
		const char *p = memchr(s + rare, text[rare], (size_t)(end - s) - (n - 1));

		if (!p)
			return NULL;
		s = p - rare;
		if (!memcmp(s, text, n))
			return s;
		s++;
	}
	return NULL;
}

bool fsi_span_holds(struct fsi_span v, const char *text)
{
	return fsi_span_find(v, text, 0) != NULL;
}

/* Each of the words that say "nothing" has a length and a first letter of its own. */
static bool is_word(struct fsi_span v, const char *word, size_t len)
{
	return v.len == len && fsi_lower(*v.s) == *word && fsi_span_is(v, word);
}

bool fsi_span_unset(struct fsi_span v)
{
	return !v.len || is_word(v, "(null)", 6) || is_word(v, "n/a", 3);
}

bool fsi_span_none(struct fsi_span v)
{
	return fsi_span_unset(v) || is_word(v, "none", 4) || is_word(v, "unknown", 7);
}

struct fsi_span fsi_span_trim(struct fsi_span v)
{
	while (v.len && (*v.s == ' ' || *v.s == '\t')) {
		v.s++;
		v.len--;
	}
	while (v.len && (v.s[v.len - 1] == ' ' || v.s[v.len - 1] == '\t' || v.s[v.len - 1] == '\r'))
		v.len--;
	return v;
}

bool fsi_span_cut(struct fsi_span *rest, char sep, struct fsi_span *part)
{
	const char *end;

	*part = (struct fsi_span){ "", 0 };
	if (!rest->s)
		return false;
	end = memchr(rest->s, sep, rest->len);
	*part = *rest;
	if (end) {
		part->len = (size_t)(end - rest->s);
		rest->len -= part->len + 1;
		rest->s = end + 1;
	} else {
		rest->s = NULL;
		rest->len = 0;
	}
	return true;
}

size_t fsi_span_words(struct fsi_span line, struct fsi_span *word, size_t max)
{
	const char *p = line.s, *end = line.s + line.len;
	size_t n = 0;

	while (p < end) {
		const char *start;

		while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
			p++;
		for (start = p; p < end && *p != ' ' && *p != '\t' && *p != '\r'; p++)
			;
		if (p > start && n < max)
			word[n] = (struct fsi_span){ start, (size_t)(p - start) };
		n += p > start;
	}
	return n;
}

/* Snapshots are UTF-8 without NUL: other bytes become \xHH, so that names that differ stay different. */
uint32_t fsi_import_name(struct fsi_import *imp, struct fsi_span v)
{
	char buf[1024];
	size_t n = 0, i = 0;

	while (i < v.len && v.s[i] && (v.s[i] & 0x80) == 0)
		i++;
	while (i < v.len && v.s[i] && fsi_utf8_len(v.s + i, v.len - i))
		i += fsi_utf8_len(v.s + i, v.len - i);
	if (i == v.len)
		return fsi_intern(&imp->m->names, v.s, v.len);
	for (i = 0; i < v.len && n + 8 < sizeof(buf);) {
		const size_t len = v.s[i] ? fsi_utf8_len(v.s + i, v.len - i) : 0;

		if (len)
			memcpy(buf + n, v.s + i, len);
		n += len ? len : (size_t)snprintf(buf + n, 8, "\\x%02x", (unsigned char)v.s[i]);
		i += len ? len : 1;
	}
	return fsi_intern(&imp->m->names, buf, n);
}

int fsi_import_flux_id(struct fsi_span v, uint64_t *id)
{
	char text[64];

	if (!v.len || v.len >= sizeof(text))
		return -1;
	memcpy(text, v.s, v.len);
	text[v.len] = '\0';
	return fsi_f58_parse(text, id) && fsi_parse_u64(v.s, v.len, id) ? -1 : 0;
}
