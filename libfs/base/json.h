/* JSON lines: a quick reader for snapshot lines, cJSON as reference and fallback, and splitting of arrays. */
#ifndef FSI_BASE_JSON_H
#define FSI_BASE_JSON_H

#include "base/error.h"
#include "fs/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of one line as both readers make them. */

enum { FSI_JSON_DEPTH = 16 };

enum fsi_json_type { FSI_JNULL, FSI_JBOOL, FSI_JNUMBER, FSI_JSTRING, FSI_JARRAY, FSI_JOBJECT };

/* A value inside a parsed line, for the functions below. They stand in document order: the first child of a value is
 * right behind it. */
struct fsi_json {
	const char *key; /* of a member of an object, else NULL */
	union {
		const char *string; /* FSI_JSTRING */
		uint64_t whole;     /* FSI_JNUMBER written as an integer of at most 64 bits: its magnitude */
		double real;        /* other numbers */
	} as;
	uint32_t key_len, len; /* len: of the string */
	uint32_t next;         /* how far behind its next sibling stands; 0: it is the last */
	uint8_t type;
	bool is_whole, negative; /* of numbers */
	bool yes;                /* a boolean's value; has a list or object children? */
};

/* The values of one line, with room for the next. Zero it first. */
struct fsi_json_pool {
	struct fsi_json *v;
	size_t n, cap;
	char *text; /* strings that do not stand in the line as they are meant */
	size_t text_used, text_cap;
};

void fsi_json_pool_release(struct fsi_json_pool *p);

/* One JSON object from one line of text: a quick pass of our own over what is written as usual, and the only door to
 * cJSON, with its leniencies closed, for all else.
 *
 * Refused although cJSON takes them: trailing text, raw control bytes, NUL escapes and what is not UTF-8 in strings,
 * numbers outside the JSON grammar, nesting beyond FSI_JSON_DEPTH. Integers keep all 64 bits.
 * Keys compare exactly; duplicates are the caller's to refuse (fsi_json_next shows every member). */

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

/* The objects of a JSON document one at a time, whatever its size: memory is bounded by the largest object without
 * those nested in it.
 *
 * Objects handed out are: the document itself when it is one, the elements of a document that is a list, and what
 * stands under one of the keys named, in an object handed out, as an object or a list of objects: to any
 * depth. Each is parsed by base/json.h, with an empty list in the place of what was handed out before it. */

enum { FSI_JSON_NESTING = 100000, FSI_JSON_OBJECT_MAX = 4 * 1024 * 1024 };

struct fsi_json_split {
	const char *const *keys; /* ends with NULL */
	/* Both return 0 or a negative code; either may be NULL. depth: 0 for the document or the elements of its
	 * list. begin comes before anything inside the object does. */
	int (*begin)(void *ctx, uint32_t depth);
	int (*object)(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where);
	void *ctx;
};

/* Errors: FS_EDATA with the line, FS_EIO, FS_ENOMEM, and what the callbacks return. */
int fsi_json_split(const struct fsi_json_split *split, fs_read_fn read, void *stream,
		   const char *name, struct fs_error *err);

/* What the writer of fs/json.h has for the library alone. */

/* As fs_json_key, for a name of letters, digits and underscores. */
void fsi_json_plain_key(struct fs_json *j, const char *key);

#endif
