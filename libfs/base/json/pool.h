/* The values of one line as both readers make them. */
#ifndef FSI_BASE_JSON_POOL_H
#define FSI_BASE_JSON_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* A new value at the end of the pool, with nothing but its type; NULL without memory. It may move the others. */
struct fsi_json *fsi_json_pool_add(struct fsi_json_pool *p, enum fsi_json_type type);

void fsi_json_pool_reset(struct fsi_json_pool *p);
void fsi_json_pool_release(struct fsi_json_pool *p);

/* Room for text of len bytes and its NUL, the longest of the line, behind what is kept: the caller adds what it
 * took to text_used. NULL without memory. */
char *fsi_json_pool_text(struct fsi_json_pool *p, size_t len);

/* One pass over a line without surprises: 1 when it is in the pool, strings ended by a NUL in the line itself; 0 when
 * the line has something else and is as it was; -1 without memory. */
int fsi_json_quick(struct fsi_json_pool *p, char *line, size_t len);

/* The value that begins at `at`, a member's, by the same pass: NULL when it has something else, and then
 * the line is as it was. *behind is what follows it; fsi_json_restore makes what is before that what it was. */
const struct fsi_json *fsi_json_quick_value(struct fsi_json_pool *p, char *at, char *end, char **behind);

/* Makes a line that was parsed what it was. */
void fsi_json_restore(char *line, size_t len);

#endif
