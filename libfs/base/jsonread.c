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

/* Bytes a string may hold that need no second look: printable ASCII but quote and backslash. */
#define ONES 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
static const bool plain[256] = {
	[0x20] = 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ONES, ONES, /* 0x22 quote */
	[0x50] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, ONES, ONES, /* 0x5c backslash */
};
#undef ONES

/* The closing quote of the string whose inside starts at s, or NULL with *bad at the offence. */
static const char *string_end(const char *s, const char **bad, const char **problem)
{
	for (;; s++) {
		size_t len;

		while (plain[(unsigned char)*s])
			s++;
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
			*problem = (unsigned char)*s < 0x80 ? "control byte in a string" : "not UTF-8";
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

		if (c == '"') {
			p = string_end(p + 1, &bad, &r.problem);
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
static const char *next_number(const char *p)
{
	const char *bad, *problem;

	for (; *p; p++) {
		if (*p == '"')
			p = string_end(p + 1, &bad, &problem);
		else if (is_digit(*p) || *p == '-')
			return p;
	}
	return p;
}

/* Walks the items in document order beside the numbers of the text. */
static int attach_literals(cJSON *item, const char **text)
{
	for (; item; item = item->next) {
		if (item->child && attach_literals(item->child, text))
			return -1;
		if (!cJSON_IsNumber(item))
			continue;
		const char *start = next_number(*text);
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
	if (scan.long_integers && attach_literals(root, &line)) {
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

	if (!cJSON_IsNumber(item))
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
	int64_t i;

	if (cJSON_IsNumber(item) && item->valuestring)
		return fsi_parse_u64(item->valuestring, strlen(item->valuestring), out);
	if (fsi_json_i64(v, &i) || i < 0)
		return -1;
	*out = (uint64_t)i;
	return 0;
}
