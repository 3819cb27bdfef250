/* One JSON object from one line of text: a quick pass of our own over what is written as usual, and the only door to
 * cJSON, with its leniencies closed, for all else.
 *
 * Refused although cJSON takes them: trailing text, raw control bytes, NUL escapes and what is not UTF-8 in strings,
 * numbers outside the JSON grammar, nesting beyond FSI_JSON_DEPTH. Integers keep all 64 bits.
 * Keys compare exactly; duplicates are the caller's to refuse (fsi_json_next shows every member). */
#ifndef FSI_BASE_JSON_READ_H
#define FSI_BASE_JSON_READ_H

#include "base/error.h"
#include "base/json/pool.h"

/* Parses [line, line+len), which must be NUL-terminated and hold one object. *out lasts until the pool is used
 * again, and as long as the line, which is written to. Error: FS_EDATA with the column. */
int fsi_json_parse(struct fsi_json_pool *p, const struct fsi_json **out, char *line, size_t len,
		   struct fsi_where where, struct fs_error *err);

/* The same, slowly, by cJSON alone; the line stays as it is, and *out does not need it. */
int fsi_json_parse_by_cjson(struct fsi_json_pool *p, const struct fsi_json **out, const char *line,
			    size_t len, struct fsi_where where, struct fs_error *err);

/* Only the checks before parsing: strings, numbers, nesting. */
int fsi_json_scan(const char *line, size_t len, struct fsi_where where, struct fs_error *err);

static inline enum fsi_json_type fsi_json_type(const struct fsi_json *v)
{
	return (enum fsi_json_type)v->type;
}

const char *fsi_json_type_name(enum fsi_json_type type);

/* Children of an array or object in document order; NULL at the end. */
static inline const struct fsi_json *fsi_json_first(const struct fsi_json *v)
{
	return v->type >= FSI_JARRAY && v->yes ? v + 1 : NULL;
}

static inline const struct fsi_json *fsi_json_next(const struct fsi_json *v)
{
	return v->next ? v + v->next : NULL;
}

/* The member of that key; NULL when it is not there, or object is NULL or no object. */
const struct fsi_json *fsi_json_member(const struct fsi_json *object, const char *key);

/* The key of a member of an object. */
static inline const char *fsi_json_key(const struct fsi_json *v)
{
	return v->key;
}

static inline size_t fsi_json_key_len(const struct fsi_json *v)
{
	return v->key_len;
}

/* The text of a string; NULL of any other value. */
static inline const char *fsi_json_string(const struct fsi_json *v)
{
	return v->type == FSI_JSTRING ? v->as.string : NULL;
}

static inline size_t fsi_json_string_len(const struct fsi_json *v)
{
	return v->len;
}

bool fsi_json_bool(const struct fsi_json *v);
double fsi_json_double(const struct fsi_json *v);

/* 0, or -1 when v is not a number, not whole, or does not fit. */
int fsi_json_i64(const struct fsi_json *v, int64_t *out);
int fsi_json_u64(const struct fsi_json *v, uint64_t *out);

#endif
