#include "base/json.h"

#include "base/memory.h"
#include "base/num.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scanning of JSON tokens, for the fast reader and for cJSON. Finds the ends of numbers and strings. Also finds bytes
 * that a line must not contain. */

/* Largest number of digits for which every integer is exact as a double. */
enum { EXACT_DIGITS = 15 };

/* Result of scanning a line. */
struct line_scan {
	size_t bad;          /* offset of the first error in the line, in bytes */
	const char *problem; /* error message; NULL: no error */
	bool long_integers;
};

/* Returns the end of the number at `s`, or NULL if the text at `s` is not a number of the JSON grammar. Sets
 * *integer_digits to the number of digits, or to 0 if the number has a fraction or an exponent. The text is
 * NUL-terminated. */
static const char *find_number_end(const char *s, size_t *integer_digits)
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

/* Loads eight bytes into an integer. The first byte becomes the lowest eight bits on any machine. Compilers turn this
 * function into a single load. */
static uint64_t load_eight_bytes(const char *s)
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

/* Returns true for an ASCII byte other than a control character, a quote or a backslash. Such a byte needs no further
 * check in a string. */
static bool is_plain_input(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* Returns the address of the first byte at or after `s` that is a control character, a quote, a backslash or not ASCII.
 * There is always such a byte, because the NUL at `end` is a control character. */
static const char *find_plain_end(const char *s, const char *end)
{
	const uint64_t each = 0x0101010101010101u;

	for (; end - s >= 8; s += 8) {
		/* Finds the first byte of `w` that is a control character, a quote, a backslash or not ASCII. This byte
		 * has the same position as the lowest byte of `special` whose top bit is set. */
		const uint64_t w = load_eight_bytes(s), quote = w ^ each * '"', escape = w ^ each * '\\';
		const uint64_t special = ((w - each * 0x20) | (quote - each) | (escape - each)) &
				       each * 0x80;

		if (special)
			return s + lowest_byte_set(special);
	}
	while (is_plain_input(*s))
		s++;
	return s;
}

/* Returns the address of the closing quote of the string whose contents start at `s`. On error, returns NULL, sets *bad
 * to the address of the invalid byte, and *problem to the message. */
static const char *find_string_end(const char *s, const char *end, const char **bad, const char **problem)
{
	for (;; s++) {
		size_t len;

		s = find_plain_end(s, end);
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
		len = (unsigned char)*s < 0x80 ? 0 : fsi_utf8_sequence_length(s, strnlen(s, 4));
		if (!len) {
			*problem =
				(unsigned char)*s < 0x80 ? "control byte in a string" : "not UTF-8";
			return NULL;
		}
		s += len - 1;
	}
}

static struct line_scan scan_json_line(const char *line, size_t len)
{
	struct line_scan r = { 0 };
	const char *p = line, *end = line + len, *bad = line;
	size_t digits;
	int depth = 0;

	for (; p < end; p++) {
		const char c = *p;

		if (c == ',' || c == ':')
			continue;
		if (c == '"') {
			p = find_string_end(p + 1, end, &bad, &r.problem);
			if (!p) {
				if (bad >= end)
					r.problem = "the line ends inside a string";
				break;
			}
		} else if (fsi_is_digit(c) || c == '-') {
			bad = p;
			p = find_number_end(p, &digits);
			if (!p) {
				r.problem = "malformed number";
				break;
			}
			if (digits > EXACT_DIGITS)
				r.long_integers = true;
			p--;
		} else if (c == '{' || c == '[') {
			bad = p;
			if (++depth > FSI_JSON_DEPTH) {
				r.problem = "the JSON values are nested too deeply";
				break;
			}
		} else if (c == '}' || c == ']') {
			depth--;
		} else if ((unsigned char)c < 0x20 && c != '\t' && c != '\r') {
			bad = p;
			r.problem = c ? "unexpected control byte" : "unexpected NUL byte";
			break;
		}
	}
	r.bad = (size_t)(bad - line);
	return r;
}

/* If the capacity of a pool exceeds this number of values, the pool is freed before the next line. */
enum { REUSED_POOL_MAX = 16384 };

/* Appends a value to the pool and sets only its type. Returns NULL if out of memory. The values of the pool may move in
 * memory. */
static struct fsi_json *add_pool_value(struct fsi_json_pool *p, enum fsi_json_type type)
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

static void reset_value_pool(struct fsi_json_pool *p)
{
	if (p->cap > REUSED_POOL_MAX)
		fsi_json_pool_release(p);
	p->n = p->text_used = 0;
}

/* Fast reader: parses in one pass JSON in the form that writers usually produce. All other lines, valid or not, are
 * parsed by cJSON. */

struct fast_reader {
	struct fsi_json_pool *p;
	char *at, *end;
	size_t len; /* length of the line in bytes */
	bool nomem;
};

struct json_text_reader {
	const char *s;
	uint32_t len;
};

/* NUMBER_MAX: length of the longest number that cJSON can read (its parse_number has a buffer of 64 bytes). U64_DIGITS:
 * an integer with at most this number of digits fits into 64 bits. */
enum { NUMBER_MAX = 63, U64_DIGITS = 19 };

static bool read_any_value(struct fast_reader *q, const struct json_text_reader *key, int depth);

static void skip_json_blanks(struct fast_reader *q)
{
	while (*q->at == ' ' || *q->at == '\t' || *q->at == '\r')
		q->at++;
}

/* Reads the string whose opening quote is at q->at. Returns false if the string has an escape, which cJSON decodes. */
static bool read_quoted_string(struct fast_reader *q, struct json_text_reader *out)
{
	char *const start = q->at + 1;

	q->at = start;
	for (;;) {
		q->at += find_plain_end(q->at, q->end) - q->at;
		if (*q->at == '"')
			break;
		if ((unsigned char)*q->at < 0x80)
			return false;
		const size_t len = fsi_utf8_sequence_length(q->at, (size_t)(q->end - q->at));
		if (!len)
			return false;
		q->at += len;
	}
	*q->at = '\0';
	*out = (struct json_text_reader){ start, (uint32_t)(q->at - start) };
	q->at++;
	return true;
}

static struct fsi_json *add_keyed_value(struct fast_reader *q, const struct json_text_reader *key,
					enum fsi_json_type type)
{
	struct fsi_json *v = add_pool_value(q->p, type);

	if (!v) {
		q->nomem = true;
		return NULL;
	}
	v->key = key->s;
	v->key_len = key->len;
	return v;
}

static bool read_real_number(struct fast_reader *q, const struct json_text_reader *key, const char *end)
{
	struct fsi_json *v;

	if (end - q->at > NUMBER_MAX)
		return false;
	v = add_keyed_value(q, key, FSI_JNUMBER);
	if (!v)
		return false;
	v->as.real = strtod(q->at, NULL);
	q->at += end - q->at;
	return true;
}

static bool read_any_number(struct fast_reader *q, const struct json_text_reader *key)
{
	const bool negative = *q->at == '-';
	const char *const start = q->at + negative;
	const char *s = start;
	uint64_t n = 0;
	size_t digits;

	for (; fsi_is_digit(*s); s++)
		n = n * 10 + (uint64_t)(*s - '0');
	if (*s == '.' || *s == 'e' || *s == 'E') {
		s = find_number_end(q->at, &digits);
		return s && read_real_number(q, key, s);
	}
	if (s == start || s - start > U64_DIGITS || (*start == '0' && s - start > 1))
		return false;
	struct fsi_json *v = add_keyed_value(q, key, FSI_JNUMBER);
	if (!v)
		return false;
	v->is_whole = true;
	v->negative = negative;
	v->as.whole = n;
	q->at += s - q->at;
	return true;
}

static bool read_literal_word(struct fast_reader *q, const struct json_text_reader *key, const char *word, size_t len,
			      enum fsi_json_type type)
{
	struct fsi_json *v;

	if (strncmp(q->at, word, len) != 0)
		return false;
	v = add_keyed_value(q, key, type);
	if (!v)
		return false;
	v->yes = *word == 't';
	q->at += len;
	return true;
}

static bool read_member_key(struct fast_reader *q, struct json_text_reader *key)
{
	if (*q->at != '"' || !read_quoted_string(q, key))
		return false;
	skip_json_blanks(q);
	if (*q->at != ':')
		return false;
	q->at++;
	skip_json_blanks(q);
	return true;
}

/* Reads the object or list at q->at with all its members or elements, and moves q->at after its closing bracket. */
static bool read_container_children(struct fast_reader *q, const struct json_text_reader *key, int depth, bool object)
{
	struct fsi_json *v = depth < FSI_JSON_DEPTH ?
				     add_keyed_value(q, key, object ? FSI_JOBJECT : FSI_JARRAY) :
				     NULL;
	const char close = object ? '}' : ']';
	struct json_text_reader name = { NULL, 0 };
	size_t before;

	if (!v)
		return false;
	q->at++;
	skip_json_blanks(q);
	v->yes = *q->at != close;
	while (*q->at != close) {
		before = q->p->n;
		if ((object && !read_member_key(q, &name)) || !read_any_value(q, &name, depth + 1))
			return false;
		skip_json_blanks(q);
		if (*q->at == close)
			break;
		if (*q->at != ',')
			return false;
		q->at++;
		skip_json_blanks(q);
		if (*q->at == close)
			return false;
		q->p->v[before].next = (uint32_t)(q->p->n - before);
	}
	q->at++;
	return true;
}

static bool read_any_value(struct fast_reader *q, const struct json_text_reader *key, int depth)
{
	struct json_text_reader string;
	struct fsi_json *v;

	switch (*q->at) {
	case '"':
		if (!read_quoted_string(q, &string))
			return false;
		v = add_keyed_value(q, key, FSI_JSTRING);
		if (!v)
			return false;
		v->as.string = string.s;
		v->len = string.len;
		return true;
	case '{':
	case '[':
		return read_container_children(q, key, depth, *q->at == '{');
	case 't':
		return read_literal_word(q, key, "true", 4, FSI_JBOOL);
	case 'f':
		return read_literal_word(q, key, "false", 5, FSI_JBOOL);
	case 'n':
		return read_literal_word(q, key, "null", 4, FSI_JNULL);
	default:
		return read_any_number(q, key);
	}
}

/* Restores the closing quotes that the fast reader has replaced by NULs: replaces every NUL by a quote. The `len` bytes
 * at `line` had no other NULs, because the fast reader stops at a NUL. */
static void restore_closing_quotes(char *line, size_t len)
{
	const char *end = line + len;

	while ((line = memchr(line, '\0', (size_t)(end - line))))
		*line = '"';
}

/* Runs the fast reader. Returns 1 if the values are in the pool; closing quotes in the line have then been replaced by
 * NULs. Returns 0 if cJSON has to read the line, or -1 if out of memory; the line is then unchanged. */
static int run_fast_reader(struct fsi_json_pool *p, char *line, size_t len)
{
	struct fast_reader q = { p, line, line + len, len, false };
	const struct json_text_reader none = { NULL, 0 };

	skip_json_blanks(&q);
	if (*q.at == '{' && read_any_value(&q, &none, 0)) {
		skip_json_blanks(&q);
		if (q.at == q.end)
			return 1;
	}
	restore_closing_quotes(line, (size_t)(q.at - line));
	return q.nomem ? -1 : 0;
}

/* Parsing with cJSON. cJSON parses the lines that the fast reader does not handle. All errors in a line are reported
 * here.
 *
 * cJSON stores numbers as doubles, which may be inexact for integers of more than EXACT_DIGITS digits. The text of such
 * an integer is therefore stored in the member `valuestring` of its cJSON item. The parser of cJSON sets this member
 * for strings only, but cJSON_Delete frees it for every item. */

/* Returns the address of the next number at or after `p` that is not in a string; `end` if there is none. The text must
 * have passed scan_json_line without an error. */
static const char *find_next_number(const char *p, const char *end)
{
	const char *bad, *problem;

	for (; p < end; p++) {
		if (*p == '"')
			p = find_string_end(p + 1, end, &bad, &problem);
		else if (fsi_is_digit(*p) || *p == '-')
			return p;
	}
	return p;
}

/* Visits the items and at the same time the numbers of the text; both are in document order. Attaches the text of each
 * integer with more than EXACT_DIGITS digits to its item. Returns -1 if out of memory. */
static int attach_integer_texts(cJSON *item, const char **text, const char *end)
{
	for (; item; item = item->next) {
		if (item->child && attach_integer_texts(item->child, text, end))
			return -1;
		if (!cJSON_IsNumber(item))
			continue;
		const char *start = find_next_number(*text, end);
		size_t digits = 0;
		*text = find_number_end(start, &digits);
		if (digits <= EXACT_DIGITS)
			continue;
		item->valuestring = cJSON_malloc((size_t)(*text - start) + 1);
		if (!item->valuestring)
			return -1;
		memcpy(item->valuestring, start, (size_t)(*text - start));
		item->valuestring[*text - start] = '\0';
	}
	return 0;
}

static int fail_at_offset(struct fsi_input_position where, size_t offset, struct fs_error *err, const char *problem)
{
	where.column = (uint32_t)offset + 1;
	return fsi_fail_at(err, where, NULL, "%s", problem);
}

int fsi_json_scan_line(const char *line, size_t len, struct fsi_input_position where, struct fs_error *err)
{
	const struct line_scan scan = scan_json_line(line, len);

	return scan.problem ? fail_at_offset(where, scan.bad, err, scan.problem) : 0;
}

static const char *copy_pool_text(struct fsi_json_pool *p, const char *s, uint32_t *len)
{
	char *to = p->text + p->text_used;

	*len = (uint32_t)strlen(s);
	memcpy(to, s, *len + 1);
	p->text_used += *len + 1;
	return to;
}

static void set_number_value(struct fsi_json *v, const cJSON *item)
{
	const char *s = item->valuestring;

	v->as.real = item->valuedouble;
	if (!s)
		return;
	v->negative = *s == '-';
	s += v->negative;
	v->is_whole = !fsi_parse_u64(s, strlen(s), &v->as.whole);
}

static enum fsi_json_type get_cjson_type(const cJSON *item)
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

/* Copies the item, its following siblings and all their children to the pool. The total length of their texts does not
 * exceed the length of the line. */
static int copy_cjson_items(struct fsi_json_pool *p, const cJSON *item)
{
	for (; item; item = item->next) {
		const size_t at = p->n;
		struct fsi_json *v = add_pool_value(p, get_cjson_type(item));

		if (!v)
			return -1;
		if (item->string)
			v->key = copy_pool_text(p, item->string, &v->key_len);
		v->yes = cJSON_IsTrue(item) || item->child;
		if (v->type == FSI_JSTRING)
			v->as.string = copy_pool_text(p, item->valuestring, &v->len);
		else if (v->type == FSI_JNUMBER)
			set_number_value(v, item);
		if (item->child && copy_cjson_items(p, item->child))
			return -1;
		if (item->next)
			p->v[at].next = (uint32_t)(p->n - at);
	}
	return 0;
}

/* Copies all items to the pool, whose text buffer gets space for all texts of a line of `len` bytes. */
static int copy_cjson_document(struct fsi_json_pool *p, const cJSON *root, size_t len)
{
	if (p->text_cap <= len) {
		free(p->text);
		p->text = malloc(len + 1);
		p->text_cap = p->text ? len + 1 : 0;
	}
	return p->text ? copy_cjson_items(p, root) : -1;
}

int fsi_json_parse_line_by_cjson(struct fsi_json_pool *p, const struct fsi_json **out, const char *line, size_t len,
				 struct fsi_input_position where, struct fs_error *err)
{
	const struct line_scan scan = scan_json_line(line, len);
	const char *end = NULL;
	cJSON *root;

	reset_value_pool(p);
	if (scan.problem)
		return fail_at_offset(where, scan.bad, err, scan.problem);
	errno = 0; /* cJSON does not set errno; a failed malloc sets it to ENOMEM */
	root = cJSON_ParseWithLengthOpts(line, len, &end, 0);
	if (!root && errno == ENOMEM)
		return fsi_fail_no_memory(err);
	if (!root)
		return fail_at_offset(where, end ? (size_t)(end - line) : 0, err, "not valid JSON");
	end += strspn(end, " \t\r");
	if (end != line + len || !cJSON_IsObject(root)) {
		const bool object = cJSON_IsObject(root);

		cJSON_Delete(root);
		return fail_at_offset(where, object ? (size_t)(end - line) : 0, err,
				      object ? "unexpected text after the JSON object" : "not a JSON object");
	}
	const int rc = (scan.long_integers && attach_integer_texts(root, &line, end)) ||
		       copy_cjson_document(p, root, len);
	cJSON_Delete(root);
	*out = p->v;
	return rc ? fsi_fail_no_memory(err) : 0;
}

int fsi_json_parse_line(struct fsi_json_pool *p, const struct fsi_json **out, char *line, size_t len,
			struct fsi_input_position where, struct fs_error *err)
{
	reset_value_pool(p);
	const int fast = run_fast_reader(p, line, len);

	if (!fast)
		return fsi_json_parse_line_by_cjson(p, out, line, len, where, err);
	*out = p->v;
	return fast < 0 ? fsi_fail_no_memory(err) : 0;
}

const char *fsi_json_type_name(enum fsi_json_type type)
{
	static const char *const names[] = { "null",   "a boolean", "a number",
					     "a string", "a list",    "an object" };

	return names[type];
}

const struct fsi_json *fsi_json_find_member(const struct fsi_json *object, const char *key)
{
	const struct fsi_json *v =
		object && fsi_json_get_type(object) == FSI_JOBJECT ? fsi_json_first_child(object) : NULL;

	while (v && strcmp(fsi_json_get_key(v), key) != 0)
		v = fsi_json_next_sibling(v);
	return v;
}

bool fsi_json_get_bool(const struct fsi_json *v)
{
	return v->type == FSI_JBOOL && v->yes;
}

double fsi_json_get_double(const struct fsi_json *v)
{
	if (v->type != FSI_JNUMBER)
		return 0;
	if (!v->is_whole)
		return v->as.real;
	return v->negative ? -(double)v->as.whole : (double)v->as.whole;
}

/* If the value is an integer, sets *negative and *n and returns true; else returns false. 1.0 and 1e3 are integers,
 * too. */
static bool get_whole_number(const struct fsi_json *v, bool *negative, uint64_t *n)
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

int fsi_json_get_i64(const struct fsi_json *v, int64_t *out)
{
	uint64_t n = 0;
	bool negative;

	if (!get_whole_number(v, &negative, &n) || n > (uint64_t)INT64_MAX + negative)
		return -1;
	*out = negative ? (int64_t)(0 - n) : (int64_t)n;
	return 0;
}

int fsi_json_get_u64(const struct fsi_json *v, uint64_t *out)
{
	uint64_t n = 0;
	bool negative;

	if (!get_whole_number(v, &negative, &n) || (negative && n))
		return -1;
	*out = n;
	return 0;
}

/* A container on the splitter's stack: an object that will be passed to the callback, or a list of such objects. */
enum container_kind { OBJECT_CONTAINER, OBJECT_LIST };

struct open_container {
	enum container_kind kind;
	/* OBJECT_CONTAINER: number of open brackets, including the object's own; OBJECT_LIST: a state of
	 * handle_list_byte */
	uint32_t depth;
	size_t start;   /* OBJECT_CONTAINER: offset of the object's first byte in `text` of struct json_splitter */
	uint64_t line;
};

struct json_splitter {
	const struct fsi_json_split *o;
	struct fs_error *err;
	fs_read_fn read;
	void *stream;
	struct fsi_input_position where;
	char in[65536];
	size_t at, end;
	FSI_VEC(char) text;
	struct fsi_json_pool pool;
	FSI_VEC(struct open_container) stack;
	uint32_t objects; /* number of objects on the stack */
	/* range of the last string in `text`; the string is a key if a colon follows it */
	size_t string, string_end;
	bool started, done;
};

enum { END_OF_INPUT = -1, READ_FAILED = -2 };

static int fail_in_document(struct json_splitter *s, const char *problem)
{
	return fsi_fail_at(s->err, s->where, NULL, "%s", problem);
}

/* Returns the next byte, END_OF_INPUT or READ_FAILED. */
static int read_next_byte(struct json_splitter *s)
{
	if (s->at == s->end) {
		const ptrdiff_t n = s->read(s->stream, s->in, sizeof(s->in));

		if (n < 0) {
			fsi_fail_with_code(s->err, FS_EIO, "%s: read error", s->where.file);
			return READ_FAILED;
		}
		if (!n)
			return END_OF_INPUT;
		s->at = 0;
		s->end = (size_t)n;
	}
	if (s->in[s->at] == '\n')
		s->where.line++;
	return (unsigned char)s->in[s->at++];
}

static int append_split_byte(struct json_splitter *s, char c)
{
	if (s->stack.n && s->text.n - s->stack.v[s->stack.n - 1].start >= FSI_JSON_OBJECT_MAX)
		return fail_in_document(s, "a JSON object is larger than 4 MiB");
	if (FSI_VEC_RESERVE(&s->text))
		return fsi_fail_no_memory(s->err);
	s->text.v[s->text.n++] = c;
	return 0;
}

/* Reads a string after its opening quote. Raw newlines are stored unchanged; the parser then rejects them. */
static int copy_split_string(struct json_splitter *s)
{
	int c, rc = append_split_byte(s, '"');

	s->string = s->text.n;
	while (!rc) {
		c = read_next_byte(s);
		if (c < 0)
			return c == END_OF_INPUT ? fail_in_document(s, "the file ends inside a string") : FS_EIO;
		if (c == '"')
			break;
		rc = append_split_byte(s, (char)c);
		if (!rc && c == '\\') {
			c = read_next_byte(s);
			if (c < 0)
				return c == END_OF_INPUT ? fail_in_document(s, "the file ends inside a string")
							 : FS_EIO;
			rc = append_split_byte(s, (char)c);
		}
	}
	s->string_end = s->text.n;
	return rc ? rc : append_split_byte(s, '"');
}

static int push_split_container(struct json_splitter *s, enum container_kind kind)
{
	struct open_container o = { kind, 1, s->text.n, s->where.line };

	if (s->stack.n >= FSI_JSON_NESTING)
		return fail_in_document(s, "the JSON values are nested too deeply");
	if (FSI_VEC_RESERVE(&s->stack))
		return fsi_fail_no_memory(s->err);
	s->stack.v[s->stack.n++] = o;
	if (kind != OBJECT_CONTAINER)
		return 0;
	s->objects++;
	if (s->o->begin) {
		const int rc = s->o->begin(s->o->ctx, s->objects - 1);

		if (rc)
			return rc;
	}
	return append_split_byte(s, '{');
}

/* Passes a complete object to the callback and removes its text from s->text. The text of the enclosing object already
 * contains `[]` instead. */
static int close_split_object(struct json_splitter *s)
{
	const struct open_container o = s->stack.v[s->stack.n - 1];
	const struct fsi_input_position where = { s->where.file, o.line, 0 };
	const struct fsi_json *root = NULL;
	int rc = append_split_byte(s, '\0');

	if (rc)
		return rc;
	rc = fsi_json_parse_line(&s->pool, &root, s->text.v + o.start, s->text.n - o.start - 1, where, s->err);
	if (rc && s->err)
		/* the parser counts columns from the start of the object, so the column in the document is unknown */
		s->err->column = 0;
	if (!rc && s->o->object)
		rc = s->o->object(s->o->ctx, s->objects - 1, root, where);
	s->text.n = o.start;
	s->stack.n--;
	s->objects--;
	return rc;
}

/* Returns true if the next value is a direct member of the innermost open object, and its key is in s->o->keys. */
static bool is_under_key(const struct json_splitter *s)
{
	size_t i = s->text.n;
	const struct open_container *o = &s->stack.v[s->stack.n - 1];

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

/* Opens a nested object or list of objects, which the splitter passes to the callback separately. Writes `[]` into the
 * text of the enclosing object as a replacement. */
static int open_nested_container(struct json_splitter *s, enum container_kind kind)
{
	int rc = append_split_byte(s, '[');

	if (!rc)
		rc = append_split_byte(s, ']');
	return rc ? rc : push_split_container(s, kind);
}

static int handle_object_byte(struct json_splitter *s, int c)
{
	struct open_container *o = &s->stack.v[s->stack.n - 1];

	if (c == '"')
		return copy_split_string(s);
	if ((c == '{' || c == '[') && is_under_key(s))
		return open_nested_container(s, c == '{' ? OBJECT_CONTAINER : OBJECT_LIST);
	if (c == '{' || c == '[')
		o->depth++;
	if (c == '}' || c == ']')
		o->depth--;
	const int rc = append_split_byte(s, c == '\n' || c == '\r' || c == '\t' ? ' ' : (char)c);

	return rc || o->depth ? rc : close_split_object(s);
}

/* Handles a byte that is in a list but outside the objects of the list: a bracket, or a comma where a comma is
 * allowed. */
static int handle_list_byte(struct json_splitter *s, int c)
{
	struct open_container *o = &s->stack.v[s->stack.n - 1];
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
		return push_split_container(s, OBJECT_CONTAINER);
	}
	return fail_in_document(s, "not valid JSON: expected a list of objects");
}

static int handle_split_byte(struct json_splitter *s, int c)
{
	const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';

	if (s->stack.n && s->stack.v[s->stack.n - 1].kind == OBJECT_CONTAINER)
		return handle_object_byte(s, c);
	if (blank)
		return 0;
	if (s->stack.n)
		return handle_list_byte(s, c);
	if (s->started)
		return fail_in_document(s, "unexpected text after the JSON document");
	s->started = true;
	if (c == '{' || c == '[')
		return push_split_container(s, c == '{' ? OBJECT_CONTAINER : OBJECT_LIST);
	return fail_in_document(s, "not JSON: expected an object or a list");
}

static int split_json_stream(struct json_splitter *s)
{
	int c, rc = 0;

	while (!rc && (c = read_next_byte(s)) >= 0)
		rc = handle_split_byte(s, c);
	if (rc)
		return rc;
	if (c == READ_FAILED)
		return FS_EIO;
	if (!s->started)
		return fail_in_document(s, "empty: expected JSON");
	return s->stack.n ? fail_in_document(s, "the file ends inside the JSON document") : 0;
}

int fsi_json_split_document(const struct fsi_json_split *split, fs_read_fn read, void *stream, const char *name,
			    struct fs_error *err)
{
	struct json_splitter *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return fsi_fail_no_memory(err);
	s->o = split;
	s->err = err;
	s->read = read;
	s->stream = stream;
	s->where = (struct fsi_input_position){ name, 1, 0 };
	rc = split_json_stream(s);
	fsi_json_pool_release(&s->pool);
	FSI_VEC_FREE(&s->text);
	FSI_VEC_FREE(&s->stack);
	free(s);
	return rc;
}

/* Streaming JSON writer with a buffer of fixed size, so that memory use does not depend on the size of the document.
 * After a write error the writer writes nothing more, and `failed` remains true. */

static void flush_json_buffer(struct fs_json *j)
{
	if (!j->failed && j->len && j->write(j->ctx, j->buf, j->len))
		j->failed = true;
	j->len = 0;
}

static void write_text_bytes(struct fs_json *j, const char *s, size_t len)
{
	while (len) {
		const size_t space = sizeof(j->buf) - j->len, n = len < space ? len : space;

		memcpy(j->buf + j->len, s, n);
		j->len += n;
		s += n;
		len -= n;
		if (j->len == sizeof(j->buf))
			flush_json_buffer(j);
	}
}

static inline void write_json_char(struct fs_json *j, char c)
{
	if (j->len == sizeof(j->buf))
		flush_json_buffer(j);
	j->buf[j->len++] = c;
}

static void write_json_text(struct fs_json *j, const char *s)
{
	write_text_bytes(j, s, strlen(s));
}

static void write_line_indent(struct fs_json *j)
{
	static const char blanks[] = "\n                                ";
	const size_t max = (sizeof(blanks) - 2) / 2;
	size_t left = (size_t)j->depth;

	if (!j->pretty)
		return;
	write_text_bytes(j, blanks, 1 + 2 * (left < max ? left : max));
	for (; left > max; left--)
		write_text_bytes(j, "  ", 2);
}

/* Writes the comma and line break before a value or a key. */
static void write_separator_before(struct fs_json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	if (j->need_comma)
		write_json_char(j, ',');
	if (j->depth)
		write_line_indent(j);
	j->need_comma = true;
}

/* Returns true for ASCII characters that need no escape in a string. */
static bool is_plain_output(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Writes the character at s, which needs an escape or is not ASCII. Returns its length in bytes. */
static size_t write_special_character(struct fs_json *j, const char *s)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char c = (unsigned char)*s;
	const char quoted[] = { '\\', *s }, code[] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
	size_t n = 1;

	if (c == '"' || c == '\\') {
		write_text_bytes(j, quoted, sizeof(quoted));
	} else if (c < 0x80) {
		write_text_bytes(j, code, sizeof(code));
	} else {
		n = fsi_utf8_sequence_length(s, strnlen(s, 4));
		write_text_bytes(j, n ? s : "\xef\xbf\xbd", n ? n : 3);
	}
	return n ? n : 1;
}

/* Returns true if is_plain_output is false for any of the eight bytes of `w`. */
static bool has_special_byte(uint64_t w)
{
	const uint64_t each = 0x0101010101010101u, quote = w ^ each * '"', escape = w ^ each * '\\',
		       del = w ^ each * 0x7f;

	return (w | (w - each * 0x20) | (quote - each) | (escape - each) | (del - each)) & each * 0x80;
}

/* Copies the bytes before the first byte for which is_plain_output is false, eight per step. Returns the number of
 * copied bytes. The last step copies the last eight bytes; it may copy some bytes a second time. */
static size_t copy_plain_prefix(char *to, const char *s, size_t len)
{
	size_t n = 0;

	while (len >= 8 && n < len) {
		const size_t at = len - n < 8 ? len - 8 : n;
		const uint64_t w = fsi_load_word(s + at);

		if (has_special_byte(w))
			break;
		memcpy(to + at, &w, sizeof(w));
		n = at + 8;
	}
	for (; n < len && is_plain_output((unsigned char)s[n]); n++)
		to[n] = s[n];
	return n;
}

static void write_quoted_text(struct fs_json *j, const char *s)
{
	size_t left = strlen(s);

	write_json_char(j, '"');
	while (left) {
		const size_t space = sizeof(j->buf) - j->len;
		size_t n = copy_plain_prefix(j->buf + j->len, s, left < space ? left : space);

		j->len += n;
		if (n < left && j->len == sizeof(j->buf))
			flush_json_buffer(j);
		else if (n < left)
			n += write_special_character(j, s + n);
		s += n;
		left -= n;
	}
	write_json_char(j, '"');
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
	flush_json_buffer(j);
	return j->failed ? FS_EIO : 0;
}

void fs_json_newline(struct fs_json *j)
{
	write_json_char(j, '\n');
	j->need_comma = false;
}

int fs_json_finish(struct fs_json *j)
{
	fs_json_newline(j);
	return fs_json_flush(j);
}

static void open_json_bracket(struct fs_json *j, char bracket)
{
	write_separator_before(j);
	write_json_char(j, bracket);
	j->depth++;
	j->need_comma = false;
}

static void close_json_bracket(struct fs_json *j, char bracket)
{
	j->depth--;
	if (j->need_comma)
		write_line_indent(j);
	write_json_char(j, bracket);
	j->need_comma = true;
}

void fs_json_object(struct fs_json *j)
{
	open_json_bracket(j, '{');
}

void fs_json_end_object(struct fs_json *j)
{
	close_json_bracket(j, '}');
}

void fs_json_array(struct fs_json *j)
{
	open_json_bracket(j, '[');
}

void fs_json_end_array(struct fs_json *j)
{
	close_json_bracket(j, ']');
}

void fs_json_key(struct fs_json *j, const char *key)
{
	write_separator_before(j);
	write_quoted_text(j, key);
	write_json_char(j, ':');
	if (j->pretty)
		write_json_char(j, ' ');
	j->after_key = true;
}

void fs_json_string(struct fs_json *j, const char *s)
{
	write_separator_before(j);
	write_quoted_text(j, s);
}

void fs_json_bool(struct fs_json *j, bool v)
{
	write_separator_before(j);
	write_json_text(j, v ? "true" : "false");
}

void fs_json_null(struct fs_json *j)
{
	write_separator_before(j);
	write_json_text(j, "null");
}

/* Returns an address in the buffer with space for the longest number. */
static char *reserve_number_space(struct fs_json *j)
{
	write_separator_before(j);
	if (sizeof(j->buf) - j->len < FSI_DOUBLE_TEXT)
		flush_json_buffer(j);
	return j->buf + j->len;
}

void fs_json_i64(struct fs_json *j, int64_t v)
{
	j->len += (size_t)fsi_format_i64(reserve_number_space(j), v);
}

void fs_json_u64(struct fs_json *j, uint64_t v)
{
	j->len += (size_t)fsi_format_u64(reserve_number_space(j), v);
}

void fs_json_double(struct fs_json *j, double v)
{
	if (isnan(v))
		fs_json_null(j);
	else if (isinf(v))
		fs_json_string(j, v < 0 ? "-inf" : "inf");
	else
		j->len += (size_t)fsi_format_double(reserve_number_space(j), v);
}
