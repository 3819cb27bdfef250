/* JSON documents of the commands: the keys that all have, rows, and values that may be unknown. */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "cmd.h"
#include "fs/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What all our JSON documents begin with. */

/* How it is laid out. AS_FITS: indented on a terminal, else in one line. LINES: what stands before the rows in one
 * line, each row in one of its own. */
enum json_form { JSON_NONE, JSON_AS_FITS, JSON_PRETTY, JSON_LINES };

/* Takes the value of --json, NULL for none: -1 to go on, or the exit status (reported). */
int json_option(const struct invocation *inv, const char *value, enum json_form *out);

/* Opens a document that is of no snapshot: {"schema": ... */
void json_begin_plain(struct fs_json *j, const char *schema, enum json_form form);

/* Opens the document: {"schema": ..., "snapshot": {...}, "if": [...] of a hypothetical state, and leaves it
 * open for "rows". */
void json_begin(struct fs_json *j, const char *schema, const fs_snapshot *s, enum json_form form);

/* The same of two states, of which commands were given to the second. */
void json_begin_changed(struct fs_json *j, const char *schema, const fs_snapshot *s, const fs_snapshot *changed,
			enum json_form form);

/* The list "rows", after which a document of lines has no more members. json_row_done follows each of them. */
void json_rows(struct fs_json *j);
void json_row_done(struct fs_json *j);
void json_end_rows(struct fs_json *j);

/* Closes it and flushes; EXIT_FAILED when writing failed. */
int json_end(struct fs_json *j);

/* A key, and behind it the beginning of an object or a list, or null. */
void json_object(struct fs_json *j, const char *key);
void json_list(struct fs_json *j, const char *key);
void json_null(struct fs_json *j, const char *key);

void json_text(struct fs_json *j, const char *key, const char *value);      /* "" is null */
/* A job's id as its scheduler writes it, null where that is the decimal number. */
void json_f58_value(struct fs_json *j, const fs_snapshot *s, uint64_t id);
void json_number(struct fs_json *j, const char *key, double value);         /* NAN is null */
void json_whole(struct fs_json *j, const char *key, bool known, uint64_t value);
void json_integer(struct fs_json *j, const char *key, int64_t value); /* FS_UNKNOWN is null, FS_UNLIMITED "unlimited" */
void json_flag(struct fs_json *j, const char *key, bool value);

/* Text in JSON: what a terminal must not see is written as \u, which reads back as the same text. */

/* The next character as it stands between quotes (a slash with a backslash, as json-c does), and how many bytes that
 * is; *at goes behind it. Bytes that are no UTF-8 become U+FFFD. */
enum { JSON_STEP = 16 };
size_t json_step(const char **at, char out[JSON_STEP]);

/* A document made by fs_json, a piece at a time (an fs_write_fn): its texts are made safe on their way. */
struct json_out {
	FILE *file;
	char part[5]; /* of a character whose rest comes with the next piece */
	unsigned n;
	bool lines; /* of the document: a row a line */
};
int json_write(void *json_out, const void *data, size_t size);

#endif
