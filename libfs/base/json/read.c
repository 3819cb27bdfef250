/* cJSON is the reference: lines that the quick pass does not know, and every refusal, come from it.
 *
 * It holds numbers as doubles: a line with an integer of 16 digits or more gets the literal text of
 * such numbers attached (valuestring of a number item, which cJSON leaves NULL and frees itself). */
#include "base/json/read.h"

#include "base/json/lex.h"
#include "base/json/pool.h"
#include "base/num.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>

/* The next number of the line at or after p, skipping strings; the line has been scanned. */
static const char *next_number(const char *p, const char *end)
{
	const char *bad, *problem;

	for (; p < end; p++) {
		if (*p == '"')
			p = fsi_json_string_end(p + 1, end, &bad, &problem);
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
		*text = fsi_json_number_end(start, &digits);
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
	const struct fsi_json_scan scan = fsi_json_scan_line(line, len);

	return scan.problem ? fail(where, scan.bad, err, scan.problem) : 0;
}

static const char *keep(struct fsi_json_pool *p, const char *s, uint32_t *len)
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
		struct fsi_json *v = fsi_json_pool_add(p, type_of(item));

		if (!v)
			return -1;
		if (item->string)
			v->key = keep(p, item->string, &v->key_len);
		v->yes = cJSON_IsTrue(item) || item->child;
		if (v->type == FSI_JSTRING)
			v->as.string = keep(p, item->valuestring, &v->len);
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
	return fsi_json_pool_text(p, len) ? copy_items(p, root) : -1;
}

int fsi_json_parse_by_cjson(struct fsi_json_pool *p, const struct fsi_json **out, const char *line,
			    size_t len, struct fsi_where where, struct fs_error *err)
{
	const struct fsi_json_scan scan = fsi_json_scan_line(line, len);
	const char *end = NULL;
	cJSON *root;

	fsi_json_pool_reset(p);
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
	fsi_json_pool_reset(p);
	const int quick = fsi_json_quick(p, line, len);

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
