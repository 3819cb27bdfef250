/* One pass over the line: what writers of JSON write. Whatever it does not know, right or wrong, is left to cJSON. */
#include "base/json/lex.h"
#include "base/json/pool.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct quick {
	struct fsi_json_pool *p;
	char *at, *end;
	size_t len; /* of the line */
	bool nomem;
};

struct text {
	const char *s;
	uint32_t len;
};

/* cJSON reads no longer number (parse_number's buffer of 64). */
enum { NUMBER_MAX = 63, U64_DIGITS = 19 };

static bool take_value(struct quick *q, const struct text *key, int depth);

static void skip_blanks(struct quick *q)
{
	while (*q->at == ' ' || *q->at == '\t' || *q->at == '\r')
		q->at++;
}

static char unescaped(char c)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *p = c ? strchr(from, c) : NULL;

	return p ? to[p - from] : '\0';
}

/* Takes the rest of a string from its first escape on, decoded outside of the line. \u is left to cJSON. */
static bool take_escaped(struct quick *q, const char *start, struct text *out)
{
	const char *s = start, *plain, *bad, *problem;
	const char *close = fsi_json_string_end(q->at, q->end, &bad, &problem);
	char *const text = close ? fsi_json_pool_text(q->p, q->len) : NULL, *to = text;

	if (!text) {
		q->nomem = close;
		return false;
	}
	for (; s < close; s = plain) {
		for (plain = s; plain < close && *plain != '\\';)
			plain++;
		memcpy(to, s, (size_t)(plain - s));
		to += plain - s;
		if (plain == close)
			break;
		*to = unescaped(plain[1]);
		if (!*to++)
			return false;
		plain += 2;
	}
	*to = '\0';
	*out = (struct text){ text, (uint32_t)(to - text) };
	q->p->text_used += (size_t)(to - text) + 1;
	q->at = q->end - (q->end - close) + 1;
	return true;
}

/* The string that begins at q->at, a quote. */
static bool take_string(struct quick *q, struct text *out)
{
	char *const start = q->at + 1;

	q->at = start;
	for (;;) {
		q->at += fsi_json_plain_end(q->at, q->end) - q->at;
		if (*q->at == '"')
			break;
		if (*q->at == '\\')
			return take_escaped(q, start, out);
		if ((unsigned char)*q->at < 0x80)
			return false;
		const size_t len = fsi_utf8_len(q->at, (size_t)(q->end - q->at));
		if (!len)
			return false;
		q->at += len;
	}
	*q->at = '\0';
	*out = (struct text){ start, (uint32_t)(q->at - start) };
	q->at++;
	return true;
}

static struct fsi_json *add_value(struct quick *q, const struct text *key, enum fsi_json_type type)
{
	struct fsi_json *v = fsi_json_pool_add(q->p, type);

	if (!v) {
		q->nomem = true;
		return NULL;
	}
	v->key = key->s;
	v->key_len = key->len;
	return v;
}

static bool take_real(struct quick *q, const struct text *key, const char *end)
{
	struct fsi_json *v;

	if (end - q->at > NUMBER_MAX)
		return false;
	v = add_value(q, key, FSI_JNUMBER);
	if (!v)
		return false;
	v->as.real = strtod(q->at, NULL);
	q->at += end - q->at;
	return true;
}

static bool take_number(struct quick *q, const struct text *key)
{
	const bool negative = *q->at == '-';
	const char *const start = q->at + negative;
	const char *s = start;
	uint64_t n = 0;
	size_t digits;

	for (; fsi_is_digit(*s); s++)
		n = n * 10 + (uint64_t)(*s - '0');
	if (*s == '.' || *s == 'e' || *s == 'E') {
		s = fsi_json_number_end(q->at, &digits);
		return s && take_real(q, key, s);
	}
	if (s == start || s - start > U64_DIGITS || (*start == '0' && s - start > 1))
		return false;
	struct fsi_json *v = add_value(q, key, FSI_JNUMBER);
	if (!v)
		return false;
	v->is_whole = true;
	v->negative = negative;
	v->as.whole = n;
	q->at += s - q->at;
	return true;
}

static bool take_word(struct quick *q, const struct text *key, const char *word, size_t len,
		      enum fsi_json_type type)
{
	struct fsi_json *v;

	if (strncmp(q->at, word, len) != 0)
		return false;
	v = add_value(q, key, type);
	if (!v)
		return false;
	v->yes = *word == 't';
	q->at += len;
	return true;
}

static bool take_key(struct quick *q, struct text *key)
{
	if (*q->at != '"' || !take_string(q, key))
		return false;
	skip_blanks(q);
	if (*q->at != ':')
		return false;
	q->at++;
	skip_blanks(q);
	return true;
}

/* What stands between the brackets of an object or a list, and the one that closes it. */
static bool take_children(struct quick *q, const struct text *key, int depth, bool object)
{
	struct fsi_json *v = depth < FSI_JSON_DEPTH ?
				     add_value(q, key, object ? FSI_JOBJECT : FSI_JARRAY) :
				     NULL;
	const char close = object ? '}' : ']';
	struct text name = { NULL, 0 };
	size_t before;

	if (!v)
		return false;
	q->at++;
	skip_blanks(q);
	v->yes = *q->at != close;
	while (*q->at != close) {
		before = q->p->n;
		if ((object && !take_key(q, &name)) || !take_value(q, &name, depth + 1))
			return false;
		skip_blanks(q);
		if (*q->at == close)
			break;
		if (*q->at != ',')
			return false;
		q->at++;
		skip_blanks(q);
		if (*q->at == close)
			return false;
		q->p->v[before].next = (uint32_t)(q->p->n - before);
	}
	q->at++;
	return true;
}

static bool take_value(struct quick *q, const struct text *key, int depth)
{
	struct text string;
	struct fsi_json *v;

	switch (*q->at) {
	case '"':
		if (!take_string(q, &string))
			return false;
		v = add_value(q, key, FSI_JSTRING);
		if (!v)
			return false;
		v->as.string = string.s;
		v->len = string.len;
		return true;
	case '{':
	case '[':
		return take_children(q, key, depth, *q->at == '{');
	case 't':
		return take_word(q, key, "true", 4, FSI_JBOOL);
	case 'f':
		return take_word(q, key, "false", 5, FSI_JBOOL);
	case 'n':
		return take_word(q, key, "null", 4, FSI_JNULL);
	default:
		return take_number(q, key);
	}
}

/* A line has no NUL of its own where it has been read. */
void fsi_json_restore(char *line, size_t len)
{
	const char *end = line + len;

	while ((line = memchr(line, '\0', (size_t)(end - line))))
		*line = '"';
}

int fsi_json_quick(struct fsi_json_pool *p, char *line, size_t len)
{
	struct quick q = { p, line, line + len, len, false };
	const struct text none = { NULL, 0 };

	skip_blanks(&q);
	if (*q.at == '{' && take_value(&q, &none, 0)) {
		skip_blanks(&q);
		if (q.at == q.end)
			return 1;
	}
	fsi_json_restore(line, (size_t)(q.at - line));
	return q.nomem ? -1 : 0;
}

const struct fsi_json *fsi_json_quick_value(struct fsi_json_pool *p, char *at, char *end, char **behind)
{
	struct quick q = { p, at, end, (size_t)(end - at), false };
	const struct text none = { NULL, 0 };

	fsi_json_pool_reset(p);
	if (take_value(&q, &none, 1)) {
		*behind = q.at;
		return p->v;
	}
	fsi_json_restore(at, (size_t)(q.at - at));
	return NULL;
}
