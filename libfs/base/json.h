/* JSON input: a reader for single lines, and a splitter for documents of any size. The reader of lines has a fast path;
 * cJSON reads all lines that the fast path does not handle. Values are in memory of a pool or of the caller's line.
 * Functions that return int return 0 or a negative error code, unless stated otherwise. */
#ifndef FSI_BASE_JSON_H
#define FSI_BASE_JSON_H

#include "base/error.h"
#include "fs/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parsed values of one line. Both readers (the fast one and cJSON) store them in this form. */

enum { FSI_JSON_DEPTH = 16 };

enum fsi_json_type { FSI_JNULL, FSI_JBOOL, FSI_JNUMBER, FSI_JSTRING, FSI_JARRAY, FSI_JOBJECT };

/* A value of a parsed line; use the functions below to read it. Values are stored in document order: the first child
 * directly follows its parent. */
struct fsi_json {
	const char *key; /* key of a member of an object; NULL for other values */
	union {
		const char *string; /* text of the value, if its type is FSI_JSTRING */
		/* absolute value of an FSI_JNUMBER, if the number is written as an integer of at most 64 bits */
		uint64_t whole;
		double real;        /* value of an FSI_JNUMBER whose is_whole is false */
	} as;
	uint32_t key_len, len; /* `len`: length of `string` in bytes */
	uint32_t next;         /* number of values from this value to its next sibling; 0: there is none */
	uint8_t type;
	/* only for numbers. is_whole: the absolute value is in as.whole; negative: the value is below 0 */
	bool is_whole, negative;
	bool yes;                /* for a boolean: its value; for a list or object: true if it has children */
};

/* Storage for the values of one line, reused for the next line. A pool must be zeroed before its first use. */
struct fsi_json_pool {
	struct fsi_json *v;
	size_t n, cap;
	/* texts of the strings of a line read by cJSON; the strings of other lines are in the line itself */
	char *text;
	size_t text_used, text_cap;
};

void fsi_json_pool_release(struct fsi_json_pool *p);

/* Parser of one JSON object from one line of text. A fast reader handles usual JSON; cJSON reads all other lines, such
 * as lines with escapes in strings. No other code calls cJSON.
 *
 * The parser rejects input that cJSON accepts: text after the object, raw control bytes, NUL escapes and invalid UTF-8
 * in strings, numbers outside the JSON grammar, and nesting deeper than FSI_JSON_DEPTH. Integers retain all 64 bits.
 * Keys are compared exactly. The caller has to reject duplicate keys (fsi_json_next_sibling returns every member). */

/* Parses the `len` bytes at `line`, which must contain one object and be followed by a NUL. Modifies the line. *out is
 * valid until the line is freed or the pool is used again. Returns FS_EDATA with the column on a syntax error. */
int fsi_json_parse_line(struct fsi_json_pool *p, const struct fsi_json **out, char *line, size_t len,
			struct fsi_input_position where, struct fs_error *err);

/* Parses with cJSON only, which is slower. The line is not modified, and *out does not refer to the line. */
int fsi_json_parse_line_by_cjson(struct fsi_json_pool *p, const struct fsi_json **out, const char *line, size_t len,
				 struct fsi_input_position where, struct fs_error *err);

/* Runs only the checks that precede parsing with cJSON: strings, numbers, control bytes and nesting. */
int fsi_json_scan_line(const char *line, size_t len, struct fsi_input_position where, struct fs_error *err);

static inline enum fsi_json_type fsi_json_get_type(const struct fsi_json *v)
{
	return (enum fsi_json_type)v->type;
}

const char *fsi_json_type_name(enum fsi_json_type type);

/* fsi_json_first_child and fsi_json_next_sibling iterate over the children of an array or object in document order.
 * Both return NULL if there is no further child. */
static inline const struct fsi_json *fsi_json_first_child(const struct fsi_json *v)
{
	return v->type >= FSI_JARRAY && v->yes ? v + 1 : NULL;
}

static inline const struct fsi_json *fsi_json_next_sibling(const struct fsi_json *v)
{
	return v->next ? v + v->next : NULL;
}

/* Returns the member with the given key; NULL if there is no such member, or if `object` is NULL or not an object. */
const struct fsi_json *fsi_json_find_member(const struct fsi_json *object, const char *key);

/* Returns the key of an object's member. */
static inline const char *fsi_json_get_key(const struct fsi_json *v)
{
	return v->key;
}

static inline size_t fsi_json_get_key_len(const struct fsi_json *v)
{
	return v->key_len;
}

/* Returns the text of a string; NULL for other values. */
static inline const char *fsi_json_get_string(const struct fsi_json *v)
{
	return v->type == FSI_JSTRING ? v->as.string : NULL;
}

static inline size_t fsi_json_get_string_len(const struct fsi_json *v)
{
	return v->len;
}

bool fsi_json_get_bool(const struct fsi_json *v);
double fsi_json_get_double(const struct fsi_json *v);

/* These functions set *out to the integer value of `v`. They return 0, or -1 if `v` is not an integer or is out of
 * range. */
int fsi_json_get_i64(const struct fsi_json *v, int64_t *out);
int fsi_json_get_u64(const struct fsi_json *v, uint64_t *out);

/* Splitter: passes the objects of a JSON document to callbacks, one at a time. The document is an object or a list of
 * objects. Memory use is bounded by the size of the largest object.
 *
 * The caller lists keys whose values are nested objects, or lists of nested objects. The splitter passes these nested
 * objects separately, before the object that encloses them. An empty list replaces the nested objects in the enclosing
 * object, so that they do not add to the size of the enclosing object. */

enum { FSI_JSON_NESTING = 100000, FSI_JSON_OBJECT_MAX = 4 * 1024 * 1024 };

struct fsi_json_split {
	/* keys whose values are nested objects or lists of nested objects; NULL-terminated */
	const char *const *keys;
	/* Two callbacks; each may be NULL. The callbacks return 0 or a negative error code. `begin` is called at the
	 * start of an object, before any callback for its nested objects. `object` is called at the end of the object.
	 * `depth` is the number of enclosing objects. */
	int (*begin)(void *ctx, uint32_t depth);
	int (*object)(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where);
	void *ctx;
};

/* Returns 0, FS_EDATA with the line number of the error, FS_EIO, FS_ENOMEM, or the value returned by a callback. */
int fsi_json_split_document(const struct fsi_json_split *split, fs_read_fn read, void *stream, const char *name,
			    struct fs_error *err);

#endif
