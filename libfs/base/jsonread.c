/* cJSON holds numbers as doubles: a line with an integer of 16 digits or more gets the literal text of
 * such numbers attached (valuestring of a number item, which cJSON leaves NULL and frees itself). */
#include "base/jsonread.h"

#include "base/num.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_DIGITS = 15 };

/* What the scan before parsing learns. */
struct scan {
	size_t bad;          /* offset of what is wrong */
	const char *problem; /* NULL: nothing */
	bool long_integers;
};

struct fsi_json {
	cJSON item; /* never instantiated: the address of a cJSON item */
};

static const cJSON *item_of(const struct fsi_json *v)
{
	return &v->item;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of the number at s, or NULL if it is not in JSON's grammar; *integer_digits as it says. */
static const char *number_end(const char *s, size_t *integer_digits)
{
	const char *p = s + (*s == '-'), *start = p;

	if (!is_digit(*p) || (*p == '0' && is_digit(p[1])))
		return NULL;
	while (is_digit(*p))
		p++;
	*integer_digits = (size_t)(p - start);
	if (*p == '.') {
		*integer_digits = 0;
		if (!is_digit(*++p))
			return NULL;
		while (is_digit(*p))
			p++;
	}
	if (*p == 'e' || *p == 'E') {
		*integer_digits = 0;
		p++;
		p += *p == '+' || *p == '-';
		if (!is_digit(*p))
			return NULL;
		while (is_digit(*p))
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
static bool is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* The first byte at or after s that is not plain; the NUL at end is none. */
static const char *plain_end(const char *s, const char *end)
{
	const uint64_t each = 0x0101010101010101u;

	for (; end - s >= 8; s += 8) {
		/* In the first byte that is not plain, and in none before it, the top bit is set. */
		const uint64_t w = eight_bytes(s), quote = w ^ each * '"', escape = w ^ each * '\\';
		const uint64_t other = ((w - each * 0x20) | (quote - each) | (escape - each)) &
				       each * 0x80;

		if (other)
			return s + lowest_byte_set(other);
	}
	while (is_plain(*s))
		s++;
	return s;
}

/* The closing quote of the string whose inside starts at s, or NULL with *bad at the offence. */
static const char *string_end(const char *s, const char *end, const char **bad,
			      const char **problem)
{
	for (;; s++) {
		size_t len;

		s = plain_end(s, end);
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

static struct scan scan_line(const char *line, size_t len)
{
	struct scan r = { 0 };
	const char *p = line, *end = line + len, *bad = line;
	size_t digits;
	int depth = 0;

	for (; p < end; p++) {
		const char c = *p;

		if (c == ',' || c == ':')
			continue;
		if (c == '"') {
			p = string_end(p + 1, end, &bad, &r.problem);
			if (!p) {
				if (bad >= end)
					r.problem = "cut short inside a string";
				break;
			}
		} else if (is_digit(c) || c == '-') {
			bad = p;
			p = number_end(p, &digits);
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

/* The next number of the line at or after p, skipping strings; the line has been scanned. */
static const char *next_number(const char *p, const char *end)
{
	const char *bad, *problem;

	for (; p < end; p++) {
		if (*p == '"')
			p = string_end(p + 1, end, &bad, &problem);
		else if (is_digit(*p) || *p == '-')
			return p;
	}
	return p;
}

/* Walks the items in document order beside the numbers of the text. */
static int attach_literals(cJSON *item, const char **text, const char *end)
{
	for (; item; item = item->next) {
		if (item->child && attach_literals(item->child, text, end))
			return -1;
		if (!cJSON_IsNumber(item))
			continue;
		const char *start = next_number(*text, end);
		size_t digits = 0;
		*text = number_end(start, &digits);
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

static int fail(struct fsi_where where, size_t offset, struct fs_error *err, const char *problem)
{
	where.column = (uint32_t)offset + 1;
	return fsi_fail_at(err, where, NULL, "%s", problem);
}

int fsi_json_scan(const char *line, size_t len, struct fsi_where where, struct fs_error *err)
{
	const struct scan scan = scan_line(line, len);

	return scan.problem ? fail(where, scan.bad, err, scan.problem) : 0;
}

int fsi_json_parse(struct fsi_json **out, const char *line, size_t len, struct fsi_where where,
		   struct fs_error *err)
{
	const struct scan scan = scan_line(line, len);
	const char *end = NULL;
	cJSON *root;

	if (scan.problem)
		return fail(where, scan.bad, err, scan.problem);
	root = cJSON_ParseWithLengthOpts(line, len, &end, 0);
	if (!root)
		return fail(where, end ? (size_t)(end - line) : 0, err, "not valid JSON");
	end += strspn(end, " \t\r");
	if (end != line + len || !cJSON_IsObject(root)) {
		const bool object = cJSON_IsObject(root);

		cJSON_Delete(root);
		return fail(where, object ? (size_t)(end - line) : 0, err,
			    object ? "text after the JSON object" : "not a JSON object");
	}
	if (scan.long_integers && attach_literals(root, &line, end)) {
		cJSON_Delete(root);
		return fsi_nomem(err);
	}
	*out = (struct fsi_json *)root;
	return 0;
}

void fsi_json_free(struct fsi_json *root)
{
	cJSON_Delete((cJSON *)root);
}

enum fsi_json_type fsi_json_type(const struct fsi_json *v)
{
	switch (item_of(v)->type & 0xff) {
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

const char *fsi_json_type_name(enum fsi_json_type type)
{
	static const char *const names[] = { "null",   "a boolean", "a number",
					     "a string", "a list",    "an object" };

	return names[type];
}

const struct fsi_json *fsi_json_first(const struct fsi_json *v)
{
	return (const struct fsi_json *)item_of(v)->child;
}

const struct fsi_json *fsi_json_next(const struct fsi_json *v)
{
	return (const struct fsi_json *)item_of(v)->next;
}

const struct fsi_json *fsi_json_member(const struct fsi_json *object, const char *key)
{
	const struct fsi_json *v =
		object && fsi_json_type(object) == FSI_JOBJECT ? fsi_json_first(object) : NULL;

	while (v && strcmp(fsi_json_key(v), key) != 0)
		v = fsi_json_next(v);
	return v;
}

const char *fsi_json_key(const struct fsi_json *v)
{
	return item_of(v)->string;
}

const char *fsi_json_string(const struct fsi_json *v)
{
	return item_of(v)->valuestring;
}

bool fsi_json_bool(const struct fsi_json *v)
{
	return cJSON_IsTrue(item_of(v));
}

double fsi_json_double(const struct fsi_json *v)
{
	return item_of(v)->valuedouble;
}

int fsi_json_i64(const struct fsi_json *v, int64_t *out)
{
	const cJSON *item = item_of(v);

	if (fsi_json_type(v) != FSI_JNUMBER)
		return -1;
	if (item->valuestring)
		return fsi_parse_i64(item->valuestring, strlen(item->valuestring), out);
	if (!(fabs(item->valuedouble) <= 1e15))
		return -1;
	*out = (int64_t)item->valuedouble;
	return (double)*out == item->valuedouble ? 0 : -1;
}

int fsi_json_u64(const struct fsi_json *v, uint64_t *out)
{
	const cJSON *item = item_of(v);

	if (fsi_json_type(v) != FSI_JNUMBER)
		return -1;
	if (item->valuestring)
		return fsi_parse_u64(item->valuestring, strlen(item->valuestring), out);
	if (!(item->valuedouble >= 0 && item->valuedouble <= 1e15))
		return -1;
	*out = (uint64_t)(int64_t)item->valuedouble;
	return (double)*out == item->valuedouble ? 0 : -1;
}
