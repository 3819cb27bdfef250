#include "base/json.h"

#include "base/bytes.h"
#include "base/num.h"
#include "base/text.h"
#include "base/vec.h"

#include <cjson/cJSON.h>
#include <emmintrin.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest pieces of JSON: numbers, strings and what a line must not hold, shared by both readers. */

/* Integers of more digits may not fit in a double. */
enum { FSI_JSON_EXACT_DIGITS = 15 };

/* What the scan of a whole line learns. */
struct fsi_json_scan {
	size_t bad;          /* offset of what is wrong */
	const char *problem; /* NULL: nothing */
	bool long_integers;
};

#ifdef __SSE2__
#endif

/* The end of the number at s, or NULL if it is not in JSON's grammar; *integer_digits is 0 when it has a fraction
 * or an exponent. s ends with a NUL. */
static const char *json_number_end(const char *s, size_t *integer_digits)
{
	const char *p = s + (*s == '-'), *start = p;

	if (!fsi_is_digit(*p) || (*p == '0' && fsi_is_digit(p[1])))
		return NULL;
	while (fsi_is_digit(*p))
		p++;
	*integer_digits = (size_t)(p - start);
	if (*p == '.') {
		*integer_digits = 0;
		if (!fsi_is_digit(*++p))
			return NULL;
		while (fsi_is_digit(*p))
			p++;
	}
	if (*p == 'e' || *p == 'E') {
		*integer_digits = 0;
		p++;
		p += *p == '+' || *p == '-';
		if (!fsi_is_digit(*p))
			return NULL;
		while (fsi_is_digit(*p))
			p++;
	}
	return p;
}

/* The first byte in the lowest bits on any machine; compilers make it one load. */
static uint64_t eight_bytes(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;

	return b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
	       (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
	       (uint64_t)b[7] << 56;
}

static unsigned lowest_byte_set(uint64_t bits)
{
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(bits) / 8;
#else
	unsigned n = 0;

	for (; !(bits & 0xff); bits >>= 8)
		n++;
	return n;
#endif
}

/* ASCII but controls, quote and backslash: a string may hold it without a second look. */
static bool lex_is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* The first byte at or after s that is a control, a quote, a backslash or not ASCII; the NUL at end is one. */
static const char *json_plain_end(const char *s, const char *end)
{
	const uint64_t each = 0x0101010101010101u;

#ifdef __SSE2__
	for (; end - s >= 16; s += 16) {
		/* As signed numbers, bytes from 0x80 on are less than 0x20, too. */
		const __m128i w = _mm_loadu_si128((const __m128i *)(const void *)s);
		const __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(w, _mm_set1_epi8('"')),
						   _mm_cmpeq_epi8(w, _mm_set1_epi8('\\')));
		const int other = _mm_movemask_epi8(_mm_or_si128(marks, _mm_cmplt_epi8(w, _mm_set1_epi8(0x20))));

		if (other)
			return s + __builtin_ctz((unsigned)other);
	}
#endif
	for (; end - s >= 8; s += 8) {
		/* In the first byte that is not plain, and in none before it, the top bit is set. */
		const uint64_t w = eight_bytes(s), quote = w ^ each * '"', escape = w ^ each * '\\';
		const uint64_t other = ((w - each * 0x20) | (quote - each) | (escape - each)) &
				       each * 0x80;

		if (other)
			return s + lowest_byte_set(other);
	}
	while (lex_is_plain(*s))
		s++;
	return s;
}

/* The closing quote of the string whose inside starts at s, or NULL with *bad at the offence. */
static const char *json_string_end(const char *s, const char *end, const char **bad, const char **problem)
{
	for (;; s++) {
		size_t len;

		s = json_plain_end(s, end);
		if (*s == '"')
			return s;
		*bad = s;
		if (*s == '\\') {
			s++;
			if (!strncmp(s, "u0000", 5)) {
				*problem = "NUL in a string";
				return NULL;
			}
			if (!*s)
				s--;
			continue;
		}
		len = (unsigned char)*s < 0x80 ? 0 : fsi_utf8_len(s, strnlen(s, 4));
		if (!len) {
			*problem =
				(unsigned char)*s < 0x80 ? "control byte in a string" : "not UTF-8";
			return NULL;
		}
		s += len - 1;
	}
}

/* Most numbers are integers. */
static const char *number_end(const char *s, size_t *integer_digits)
{
	const char *p = s;

	while (fsi_is_digit(*p))
		p++;
	*integer_digits = (size_t)(p - s);
	if (p > s && (*s != '0' || p - s == 1) && (*p == ',' || *p == '}'))
		return p;
	return json_number_end(s, integer_digits);
}

static struct fsi_json_scan json_scan_line(const char *line, size_t len)
{
	struct fsi_json_scan r = { 0 };
	const char *p = line, *end = line + len, *bad = line;
	size_t digits;
	int depth = 0;

	for (; p < end; p++) {
		const char c = *p;

		if (c == ',' || c == ':')
			continue;
		if (c == '"') {
			p = json_string_end(p + 1, end, &bad, &r.problem);
			if (!p) {
				if (bad >= end)
					r.problem = "cut short inside a string";
				break;
			}
		} else if (fsi_is_digit(c) || c == '-') {
			bad = p;
			p = number_end(p, &digits);
			if (!p) {
				r.problem = "malformed number";
				break;
			}
			if (digits > FSI_JSON_EXACT_DIGITS)
				r.long_integers = true;
			p--;
		} else if (c == '{' || c == '[') {
			bad = p;
			if (++depth > FSI_JSON_DEPTH) {
				r.problem = "nested too deep";
				break;
			}
		} else if (c == '}' || c == ']') {
			depth--;
		} else if ((unsigned char)c < 0x20 && c != '\t' && c != '\r') {
			bad = p;
			r.problem = c ? "control byte" : "NUL byte";
			break;
		}
	}
	r.bad = (size_t)(bad - line);
	return r;
}

/* A pool that grew larger gives its memory back before the next line. */
enum { POOL_KEPT = 16384 };

/* A new value at the end of the pool, with nothing but its type; NULL without memory. It may move the others. */
static struct fsi_json *json_pool_add(struct fsi_json_pool *p, enum fsi_json_type type)
{
	if (p->n == p->cap) {
		const size_t cap = p->cap ? p->cap * 2 : 256;
		struct fsi_json *v = realloc(p->v, cap * sizeof(*v));

		if (!v)
			return NULL;
		p->v = v;
		p->cap = cap;
	}
	p->v[p->n] = (struct fsi_json){ .type = (uint8_t)type };
	return &p->v[p->n++];
}

void fsi_json_pool_release(struct fsi_json_pool *p)
{
	free(p->v);
	free(p->text);
	memset(p, 0, sizeof(*p));
}

/* Room for text of len bytes and its NUL, the longest of the line, behind what is kept: the caller adds what it
 * took to text_used. NULL without memory. */
static char *json_pool_text(struct fsi_json_pool *p, size_t len)
{
	if (!p->text_used && p->text_cap <= len) {
		free(p->text);
		p->text_cap = 0;
		p->text = malloc(len + 1);
		if (!p->text)
			return NULL;
		p->text_cap = len + 1;
	}
	return p->text + p->text_used;
}

static void json_pool_reset(struct fsi_json_pool *p)
{
	if (p->cap > POOL_KEPT)
		fsi_json_pool_release(p);
	p->n = p->text_used = 0;
}

/* One pass over the line: what writers of JSON write. Whatever it does not know, right or wrong, is left to cJSON. */

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
	const char *close = json_string_end(q->at, q->end, &bad, &problem);
	char *const text = close ? json_pool_text(q->p, q->len) : NULL, *to = text;

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
static bool quick_take_string(struct quick *q, struct text *out)
{
	char *const start = q->at + 1;

	q->at = start;
	for (;;) {
		q->at += json_plain_end(q->at, q->end) - q->at;
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
	struct fsi_json *v = json_pool_add(q->p, type);

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
		s = json_number_end(q->at, &digits);
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

static bool take_word(struct quick *q, const struct text *key, const char *word, size_t len, enum fsi_json_type type)
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
	if (*q->at != '"' || !quick_take_string(q, key))
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
		if (!quick_take_string(q, &string))
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
/* Makes a line what it was before parsing changed it. */
static void restore(char *line, size_t len)
{
	const char *end = line + len;

	while ((line = memchr(line, '\0', (size_t)(end - line))))
		*line = '"';
}

/* One pass over a line without surprises: 1 when it is in the pool, strings ended by a NUL in the line itself; 0 when
 * the line has something else and is as it was; -1 without memory. */
static int json_quick(struct fsi_json_pool *p, char *line, size_t len)
{
	struct quick q = { p, line, line + len, len, false };
	const struct text none = { NULL, 0 };

	skip_blanks(&q);
	if (*q.at == '{' && take_value(&q, &none, 0)) {
		skip_blanks(&q);
		if (q.at == q.end)
			return 1;
	}
	restore(line, (size_t)(q.at - line));
	return q.nomem ? -1 : 0;
}

/* cJSON is the reference: lines that the quick pass does not know, and every refusal, come from it.
 *
 * It holds numbers as doubles: a line with an integer of 16 digits or more gets the literal text of
 * such numbers attached (valuestring of a number item, which cJSON leaves NULL and frees itself). */

/* The next number of the line at or after p, skipping strings; the line has been scanned. */
static const char *next_number(const char *p, const char *end)
{
	const char *bad, *problem;

	for (; p < end; p++) {
		if (*p == '"')
			p = json_string_end(p + 1, end, &bad, &problem);
		else if (fsi_is_digit(*p) || *p == '-')
			return p;
	}
	return p;
}

/* Walks the items in document order and the numbers of the text in step. */
static int attach_literals(cJSON *item, const char **text, const char *end)
{
	for (; item; item = item->next) {
		if (item->child && attach_literals(item->child, text, end))
			return -1;
		if (!cJSON_IsNumber(item))
			continue;
		const char *start = next_number(*text, end);
		size_t digits = 0;
		*text = json_number_end(start, &digits);
		if (digits <= FSI_JSON_EXACT_DIGITS)
			continue;
		item->valuestring = cJSON_malloc((size_t)(*text - start) + 1);
		if (!item->valuestring)
			return -1;
		memcpy(item->valuestring, start, (size_t)(*text - start));
		item->valuestring[*text - start] = '\0';
	}
	return 0;
}

static int fail(struct fsi_where where, size_t offset, struct fs_error *err, const char *problem)
{
	where.column = (uint32_t)offset + 1;
	return fsi_fail_at(err, where, NULL, "%s", problem);
}

int fsi_json_scan(const char *line, size_t len, struct fsi_where where, struct fs_error *err)
{
	const struct fsi_json_scan scan = json_scan_line(line, len);

	return scan.problem ? fail(where, scan.bad, err, scan.problem) : 0;
}

static const char *read_keep(struct fsi_json_pool *p, const char *s, uint32_t *len)
{
	char *to = p->text + p->text_used;

	*len = (uint32_t)strlen(s);
	memcpy(to, s, *len + 1);
	p->text_used += *len + 1;
	return to;
}

static void set_number(struct fsi_json *v, const cJSON *item)
{
	const char *s = item->valuestring;

	v->as.real = item->valuedouble;
	if (!s)
		return;
	v->negative = *s == '-';
	s += v->negative;
	v->is_whole = !fsi_parse_u64(s, strlen(s), &v->as.whole);
}

static enum fsi_json_type type_of(const cJSON *item)
{
	switch (item->type & 0xff) {
	case cJSON_False:
	case cJSON_True:
		return FSI_JBOOL;
	case cJSON_Number:
		return FSI_JNUMBER;
	case cJSON_String:
		return FSI_JSTRING;
	case cJSON_Array:
		return FSI_JARRAY;
	case cJSON_Object:
		return FSI_JOBJECT;
	default:
		return FSI_JNULL;
	}
}

/* The item and its siblings; their texts together are no longer than the line. */
static int copy_items(struct fsi_json_pool *p, const cJSON *item)
{
	for (; item; item = item->next) {
		const size_t at = p->n;
		struct fsi_json *v = json_pool_add(p, type_of(item));

		if (!v)
			return -1;
		if (item->string)
			v->key = read_keep(p, item->string, &v->key_len);
		v->yes = cJSON_IsTrue(item) || item->child;
		if (v->type == FSI_JSTRING)
			v->as.string = read_keep(p, item->valuestring, &v->len);
		else if (v->type == FSI_JNUMBER)
			set_number(v, item);
		if (item->child && copy_items(p, item->child))
			return -1;
		if (item->next)
			p->v[at].next = (uint32_t)(p->n - at);
	}
	return 0;
}

static int copied(struct fsi_json_pool *p, const cJSON *root, size_t len)
{
	return json_pool_text(p, len) ? copy_items(p, root) : -1;
}

int fsi_json_parse_by_cjson(struct fsi_json_pool *p, const struct fsi_json **out, const char *line,
			    size_t len, struct fsi_where where, struct fs_error *err)
{
	const struct fsi_json_scan scan = json_scan_line(line, len);
	const char *end = NULL;
	cJSON *root;

	json_pool_reset(p);
	if (scan.problem)
		return fail(where, scan.bad, err, scan.problem);
	errno = 0; /* which cJSON leaves alone, and malloc does not */
	root = cJSON_ParseWithLengthOpts(line, len, &end, 0);
	if (!root && errno == ENOMEM)
		return fsi_nomem(err);
	if (!root)
		return fail(where, end ? (size_t)(end - line) : 0, err, "not valid JSON");
	end += strspn(end, " \t\r");
	if (end != line + len || !cJSON_IsObject(root)) {
		const bool object = cJSON_IsObject(root);

		cJSON_Delete(root);
		return fail(where, object ? (size_t)(end - line) : 0, err,
			    object ? "text after the JSON object" : "not a JSON object");
	}
	const int rc = (scan.long_integers && attach_literals(root, &line, end)) ||
		       copied(p, root, len);
	cJSON_Delete(root);
	*out = p->v;
	return rc ? fsi_nomem(err) : 0;
}

int fsi_json_parse(struct fsi_json_pool *p, const struct fsi_json **out, char *line, size_t len,
		   struct fsi_where where, struct fs_error *err)
{
	json_pool_reset(p);
	const int quick = json_quick(p, line, len);

	if (!quick)
		return fsi_json_parse_by_cjson(p, out, line, len, where, err);
	*out = p->v;
	return quick < 0 ? fsi_nomem(err) : 0;
}

const char *fsi_json_type_name(enum fsi_json_type type)
{
	static const char *const names[] = { "null",   "a boolean", "a number",
					     "a string", "a list",    "an object" };

	return names[type];
}

const struct fsi_json *fsi_json_member(const struct fsi_json *object, const char *key)
{
	const struct fsi_json *v =
		object && fsi_json_type(object) == FSI_JOBJECT ? fsi_json_first(object) : NULL;

	while (v && strcmp(fsi_json_key(v), key) != 0)
		v = fsi_json_next(v);
	return v;
}

bool fsi_json_bool(const struct fsi_json *v)
{
	return v->type == FSI_JBOOL && v->yes;
}

double fsi_json_double(const struct fsi_json *v)
{
	if (v->type != FSI_JNUMBER)
		return 0;
	if (!v->is_whole)
		return v->as.real;
	return v->negative ? -(double)v->as.whole : (double)v->as.whole;
}

/* A number with a fraction or an exponent may be whole as well. */
static bool whole(const struct fsi_json *v, bool *negative, uint64_t *n)
{
	if (v->type != FSI_JNUMBER)
		return false;
	*negative = v->is_whole ? v->negative : v->as.real < 0;
	if (v->is_whole)
		*n = v->as.whole;
	else if (fabs(v->as.real) <= 1e15)
		*n = (uint64_t)fabs(v->as.real);
	return v->is_whole || (double)*n == fabs(v->as.real);
}

int fsi_json_i64(const struct fsi_json *v, int64_t *out)
{
	uint64_t n = 0;
	bool negative;

	if (!whole(v, &negative, &n) || n > (uint64_t)INT64_MAX + negative)
		return -1;
	*out = negative ? (int64_t)(0 - n) : (int64_t)n;
	return 0;
}

int fsi_json_u64(const struct fsi_json *v, uint64_t *out)
{
	uint64_t n = 0;
	bool negative;

	if (!whole(v, &negative, &n) || (negative && n))
		return -1;
	*out = n;
	return 0;
}

/* An object being handed out, or a container in the document that is cut out of it. */
enum kind { OBJECT, LIST_OF_OBJECTS };

struct open {
	enum kind kind;
	uint32_t depth; /* brackets open inside an OBJECT, its own counted */
	size_t start;   /* of the OBJECT in text */
	uint64_t line;
};

struct split {
	const struct fsi_json_split *o;
	struct fs_error *err;
	fs_read_fn read;
	void *stream;
	struct fsi_where where;
	char in[65536];
	size_t at, end;
	FSI_VEC(char) text;
	struct fsi_json_pool pool;
	FSI_VEC(struct open) stack;
	uint32_t objects; /* on the stack */
	/* the string that ended last, in text; a key if a colon follows */
	size_t string, string_end;
	bool started, done;
};

enum { END = -1, FAILED = -2 };

static int bad(struct split *s, const char *problem)
{
	return fsi_fail_at(s->err, s->where, NULL, "%s", problem);
}

/* A byte, END, or FAILED. */
static int next(struct split *s)
{
	if (s->at == s->end) {
		const ptrdiff_t n = s->read(s->stream, s->in, sizeof(s->in));

		if (n < 0) {
			fsi_fail(s->err, FS_EIO, "%s: cannot be read", s->where.file);
			return FAILED;
		}
		if (!n)
			return END;
		s->at = 0;
		s->end = (size_t)n;
	}
	if (s->in[s->at] == '\n')
		s->where.line++;
	return (unsigned char)s->in[s->at++];
}

static int split_keep(struct split *s, char c)
{
	if (s->stack.n && s->text.n - s->stack.v[s->stack.n - 1].start >= FSI_JSON_OBJECT_MAX)
		return bad(s, "an object of more than 4 MiB");
	if (FSI_VEC_ROOM(&s->text))
		return fsi_nomem(s->err);
	s->text.v[s->text.n++] = c;
	return 0;
}

/* After its opening quote; raw newlines are kept, so that parsing refuses them. */
static int split_take_string(struct split *s)
{
	int c, rc = split_keep(s, '"');

	s->string = s->text.n;
	while (!rc) {
		c = next(s);
		if (c < 0)
			return c == END ? bad(s, "cut short inside a string") : FS_EIO;
		if (c == '"')
			break;
		rc = split_keep(s, (char)c);
		if (!rc && c == '\\') {
			c = next(s);
			if (c < 0)
				return c == END ? bad(s, "cut short inside a string") : FS_EIO;
			rc = split_keep(s, (char)c);
		}
	}
	s->string_end = s->text.n;
	return rc ? rc : split_keep(s, '"');
}

static int open_container(struct split *s, enum kind kind)
{
	struct open o = { kind, 1, s->text.n, s->where.line };

	if (s->stack.n >= FSI_JSON_NESTING)
		return bad(s, "nested too deep");
	if (FSI_VEC_ROOM(&s->stack))
		return fsi_nomem(s->err);
	s->stack.v[s->stack.n++] = o;
	if (kind != OBJECT)
		return 0;
	s->objects++;
	if (s->o->begin) {
		const int rc = s->o->begin(s->o->ctx, s->objects - 1);

		if (rc)
			return rc;
	}
	return split_keep(s, '{');
}

/* A finished object goes out, and nothing of it stays but `[]` in what it stands in. */
static int close_object(struct split *s)
{
	const struct open o = s->stack.v[s->stack.n - 1];
	const struct fsi_where where = { s->where.file, o.line, 0 };
	const struct fsi_json *root = NULL;
	int rc = split_keep(s, '\0');

	if (rc)
		return rc;
	rc = fsi_json_parse(&s->pool, &root, s->text.v + o.start, s->text.n - o.start - 1, where, s->err);
	if (rc && s->err)
		s->err->column = 0; /* of its text, not of the document's line */
	if (!rc && s->o->object)
		rc = s->o->object(s->o->ctx, s->objects - 1, root, where);
	s->text.n = o.start;
	s->stack.n--;
	s->objects--;
	return rc;
}

/* Is the value that begins now one of those cut out: directly under a key named? */
static bool under_key(const struct split *s)
{
	size_t i = s->text.n;
	const struct open *o = &s->stack.v[s->stack.n - 1];

	if (o->depth != 1)
		return false;
	while (i > o->start && s->text.v[i - 1] == ' ')
		i--;
	if (i <= o->start || s->text.v[i - 1] != ':')
		return false;
	while (i > o->start && (s->text.v[i - 1] == ' ' || s->text.v[i - 1] == ':'))
		i--;
	if (i != s->string_end + 1 || s->string < o->start)
		return false;
	for (const char *const *k = s->o->keys; *k; k++)
		if (strlen(*k) == s->string_end - s->string &&
		    !memcmp(*k, s->text.v + s->string, s->string_end - s->string))
			return true;
	return false;
}

/* `[]` stands for what was cut out. */
static int cut_out(struct split *s, enum kind kind)
{
	int rc = split_keep(s, '[');

	if (!rc)
		rc = split_keep(s, ']');
	return rc ? rc : open_container(s, kind);
}

static int in_object(struct split *s, int c)
{
	struct open *o = &s->stack.v[s->stack.n - 1];

	if (c == '"')
		return split_take_string(s);
	if ((c == '{' || c == '[') && under_key(s))
		return cut_out(s, c == '{' ? OBJECT : LIST_OF_OBJECTS);
	if (c == '{' || c == '[')
		o->depth++;
	if (c == '}' || c == ']')
		o->depth--;
	const int rc = split_keep(s, c == '\n' || c == '\r' || c == '\t' ? ' ' : (char)c);

	return rc || o->depth ? rc : close_object(s);
}

/* Between the objects of a list: commas where they belong. */
static int in_list(struct split *s, int c)
{
	struct open *o = &s->stack.v[s->stack.n - 1];
	enum { WANT_VALUE = 1, WANT_COMMA, AFTER_COMMA };

	if (c == ']' && o->depth != AFTER_COMMA) {
		s->stack.n--;
		return 0;
	}
	if (c == ',' && o->depth == WANT_COMMA) {
		o->depth = AFTER_COMMA;
		return 0;
	}
	if (c == '{' && o->depth != WANT_COMMA) {
		o->depth = WANT_COMMA;
		return open_container(s, OBJECT);
	}
	return bad(s, "not valid JSON: expected a list of objects");
}

static int take_byte(struct split *s, int c)
{
	const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';

	if (s->stack.n && s->stack.v[s->stack.n - 1].kind == OBJECT)
		return in_object(s, c);
	if (blank)
		return 0;
	if (s->stack.n)
		return in_list(s, c);
	if (s->started)
		return bad(s, "text after the JSON document");
	s->started = true;
	if (c == '{' || c == '[')
		return open_container(s, c == '{' ? OBJECT : LIST_OF_OBJECTS);
	return bad(s, "not JSON: expected an object or a list");
}

static int run(struct split *s)
{
	int c, rc = 0;

	while (!rc && (c = next(s)) >= 0)
		rc = take_byte(s, c);
	if (rc)
		return rc;
	if (c == FAILED)
		return FS_EIO;
	if (!s->started)
		return bad(s, "empty: expected JSON");
	return s->stack.n ? bad(s, "cut short") : 0;
}

int fsi_json_split(const struct fsi_json_split *split, fs_read_fn read, void *stream,
		   const char *name, struct fs_error *err)
{
	struct split *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return fsi_nomem(err);
	s->o = split;
	s->err = err;
	s->read = read;
	s->stream = stream;
	s->where = (struct fsi_where){ name, 1, 0 };
	rc = run(s);
	fsi_json_pool_release(&s->pool);
	FSI_VEC_FREE(&s->text);
	FSI_VEC_FREE(&s->stack);
	free(s);
	return rc;
}

/* JSON by pieces through a buffer of fixed size: memory does not grow with the document. Once a write fails nothing
 * more is written, and `failed` stays set. */

static void flush(struct fs_json *j)
{
	if (!j->failed && j->len && j->write(j->ctx, j->buf, j->len))
		j->failed = true;
	j->len = 0;
}

static void put_long(struct fs_json *j, const char *s, size_t len)
{
	while (len) {
		const size_t room = sizeof(j->buf) - j->len, n = len < room ? len : room;

		memcpy(j->buf + j->len, s, n);
		j->len += n;
		s += n;
		len -= n;
		if (j->len == sizeof(j->buf))
			flush(j);
	}
}

/* Most pieces are shorter than a call of memcpy is worth. */
static inline void put(struct fs_json *j, const char *s, size_t len)
{
	enum { SHORT = 16 };

	if (len > SHORT || len >= sizeof(j->buf) - j->len) {
		put_long(j, s, len);
		return;
	}
	for (size_t i = 0; i < len; i++)
		j->buf[j->len + i] = s[i];
	j->len += len;
}

static inline void put_char(struct fs_json *j, char c)
{
	if (j->len == sizeof(j->buf))
		flush(j);
	j->buf[j->len++] = c;
}

static void put_str(struct fs_json *j, const char *s)
{
	put(j, s, strlen(s));
}

static void indent(struct fs_json *j)
{
	static const char blanks[] = "\n                                ";
	const size_t max = (sizeof(blanks) - 2) / 2;
	size_t left = (size_t)j->depth;

	if (!j->pretty)
		return;
	put_long(j, blanks, 1 + 2 * (left < max ? left : max));
	for (; left > max; left--)
		put(j, "  ", 2);
}

/* The comma and line break that stand before a value or a key. */
static void separate(struct fs_json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	if (j->need_comma)
		put_char(j, ',');
	if (j->depth)
		indent(j);
	j->need_comma = true;
}

/* ASCII that stands for itself in a string. */
static bool write_is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* The character at s, which is not plain; returns how many bytes it has. */
static size_t put_odd(struct fs_json *j, const char *s)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char c = (unsigned char)*s;
	const char quoted[] = { '\\', *s }, code[] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
	size_t n = 1;

	if (c == '"' || c == '\\') {
		put(j, quoted, sizeof(quoted));
	} else if (c < 0x80) {
		put(j, code, sizeof(code));
	} else {
		n = fsi_utf8_len(s, strnlen(s, 4));
		put(j, n ? s : "\xef\xbf\xbd", n ? n : 3);
	}
	return n ? n : 1;
}

/* Is one of the eight bytes not plain? The top bit is then set in the first of them at least. */
static bool has_odd(uint64_t w)
{
	const uint64_t each = 0x0101010101010101u, quote = w ^ each * '"', escape = w ^ each * '\\',
		       del = w ^ each * 0x7f;

	return (w | (w - each * 0x20) | (quote - each) | (escape - each) | (del - each)) & each * 0x80;
}

/* As far as the text is plain, eight bytes a step; how much of it that was. The last step takes the last eight bytes,
 * some of them perhaps again. */
static size_t copy_plain(char *to, const char *s, size_t len)
{
	size_t n = 0;

	while (len >= 8 && n < len) {
		const size_t at = len - n < 8 ? len - 8 : n;
		const uint64_t w = fsi_word_at(s + at);

		if (has_odd(w))
			break;
		memcpy(to + at, &w, sizeof(w));
		n = at + 8;
	}
	for (; n < len && write_is_plain((unsigned char)s[n]); n++)
		to[n] = s[n];
	return n;
}

static void put_quoted_part(struct fs_json *j, const char *s, size_t left)
{
	put_char(j, '"');
	while (left) {
		const size_t room = sizeof(j->buf) - j->len;
		size_t n = copy_plain(j->buf + j->len, s, left < room ? left : room);

		j->len += n;
		if (n < left && j->len == sizeof(j->buf))
			flush(j);
		else if (n < left)
			n += put_odd(j, s + n);
		s += n;
		left -= n;
	}
	put_char(j, '"');
}

/* Nearly every text is plain, and there is room for it. */
static void put_quoted(struct fs_json *j, const char *s)
{
	const size_t len = strlen(s);
	char *to = j->buf + j->len;

	if (len + 2 > sizeof(j->buf) - j->len || copy_plain(to + 1, s, len) != len) {
		put_quoted_part(j, s, len);
		return;
	}
	to[0] = to[len + 1] = '"';
	j->len += len + 2;
}

void fs_json_init(struct fs_json *j, fs_write_fn write, void *ctx, bool pretty)
{
	j->write = write;
	j->ctx = ctx;
	j->len = 0;
	j->depth = 0;
	j->pretty = pretty;
	j->failed = j->need_comma = j->after_key = false;
}

int fs_json_flush(struct fs_json *j)
{
	flush(j);
	return j->failed ? FS_EIO : 0;
}

void fs_json_newline(struct fs_json *j)
{
	put_char(j, '\n');
	j->need_comma = false;
}

int fs_json_finish(struct fs_json *j)
{
	fs_json_newline(j);
	return fs_json_flush(j);
}

static void open_with(struct fs_json *j, char bracket)
{
	separate(j);
	put_char(j, bracket);
	j->depth++;
	j->need_comma = false;
}

static void close_with(struct fs_json *j, char bracket)
{
	j->depth--;
	if (j->need_comma)
		indent(j);
	put_char(j, bracket);
	j->need_comma = true;
}

void fs_json_object(struct fs_json *j)
{
	open_with(j, '{');
}

void fs_json_end_object(struct fs_json *j)
{
	close_with(j, '}');
}

void fs_json_array(struct fs_json *j)
{
	open_with(j, '[');
}

void fs_json_end_array(struct fs_json *j)
{
	close_with(j, ']');
}

void fs_json_key(struct fs_json *j, const char *key)
{
	separate(j);
	put_quoted(j, key);
	put_char(j, ':');
	if (j->pretty)
		put_char(j, ' ');
	j->after_key = true;
}

void fsi_json_plain_key(struct fs_json *j, const char *key)
{
	const size_t len = strlen(key);
	char *to = j->buf + j->len;

	if (j->pretty || len + sizeof(",\"\":") > sizeof(j->buf) - j->len) {
		fs_json_key(j, key);
		return;
	}
	if (j->need_comma)
		*to++ = ',';
	*to++ = '"';
	memcpy(to, key, len);
	to[len] = '"';
	to[len + 1] = ':';
	j->len = (size_t)(to + len + 2 - j->buf);
	j->need_comma = j->after_key = true;
}

void fs_json_string(struct fs_json *j, const char *s)
{
	separate(j);
	put_quoted(j, s);
}

void fs_json_bool(struct fs_json *j, bool v)
{
	separate(j);
	put_str(j, v ? "true" : "false");
}

void fs_json_null(struct fs_json *j)
{
	separate(j);
	put_str(j, "null");
}

/* Where the text of a number may be written: as many bytes as the longest has. */
static char *room_for_number(struct fs_json *j)
{
	separate(j);
	if (sizeof(j->buf) - j->len < FSI_DOUBLE_TEXT)
		flush(j);
	return j->buf + j->len;
}

void fs_json_i64(struct fs_json *j, int64_t v)
{
	j->len += (size_t)fsi_format_i64(room_for_number(j), v);
}

void fs_json_u64(struct fs_json *j, uint64_t v)
{
	j->len += (size_t)fsi_format_u64(room_for_number(j), v);
}

void fs_json_double(struct fs_json *j, double v)
{
	if (isnan(v))
		fs_json_null(j);
	else if (isinf(v))
		fs_json_string(j, v < 0 ? "-inf" : "inf");
	else
		j->len += (size_t)fsi_format_double(room_for_number(j), v);
}
