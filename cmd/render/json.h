/* JSON output of the commands: the members that every document begins with, the list of rows, and values that may be
 * unknown. All functions append to a struct fs_json that writes to standard output. */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "cmd.h"
#include "fs/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Layout of a document. JSON_NONE: no JSON. JSON_AS_FITS: indented on a terminal, otherwise on one line. JSON_PRETTY:
 * indented. JSON_LINES (JSON Lines): the members before the rows on the first line, then one line per row. */
enum json_form { JSON_NONE, JSON_AS_FITS, JSON_PRETTY, JSON_LINES };

/* Parses the value of --json (NULL: no value). Returns -1 to continue, or the exit status after an error message. */
int json_parse_option(const struct invocation *inv, const char *value, enum json_form *out);

/* Begins a document that does not describe a snapshot: {"schema": ... */
void json_begin_plain_document(struct fs_json *j, const char *schema, enum json_form form);

/* Begins a document about a snapshot: {"schema": ..., "snapshot": {...}. If commands were applied to the snapshot (a
 * hypothetical state), adds "if": [commands]. The caller adds more members, such as "rows", and ends the document. */
void json_begin_document(struct fs_json *j, const char *schema, const fs_snapshot *s, enum json_form form);

/* Begins a document about two states, the snapshots `s` and `changed`. The member "snapshot" describes `s`; "if" lists
 * the commands that were applied to `changed`. */
void json_begin_changed_document(struct fs_json *j, const char *schema, const fs_snapshot *s,
				 const fs_snapshot *changed, enum json_form form);

/* json_begin_rows begins the list "rows". The caller calls json_end_row after each row, and json_end_rows after the
 * last one. In JSON Lines a document can have no members after the list. */
void json_begin_rows(struct fs_json *j);
void json_end_row(struct fs_json *j);
void json_end_rows(struct fs_json *j);

/* Ends the document and flushes standard output. Returns EXIT_DONE, or EXIT_FAILED if writing failed. */
int json_end_document(struct fs_json *j);

/* Each function writes a key and then its value: null (json_write_null), or the beginning of an object
 * (json_begin_object) or of a list (json_begin_list). */
void json_begin_object(struct fs_json *j, const char *key);
void json_begin_list(struct fs_json *j, const char *key);
void json_write_null(struct fs_json *j, const char *key);

void json_write_text(struct fs_json *j, const char *key, const char *value);      /* "" is written as null */
/* Writes a Flux job id in Flux's own notation (f58). Writes null for schedulers whose job ids are decimal numbers. */
void json_write_f58_id(struct fs_json *j, const fs_snapshot *s, uint64_t id);
void json_write_number(struct fs_json *j, const char *key, double value);         /* NAN is written as null */
void json_write_whole(struct fs_json *j, const char *key, bool known, uint64_t value);
/* Writes a key with an integer value; FS_UNKNOWN is written as null, FS_UNLIMITED as "unlimited". */
void json_write_integer(struct fs_json *j, const char *key, int64_t value);
void json_write_flag(struct fs_json *j, const char *key, bool value);

/* Stores the next character of *at in `out` escaped for a JSON string, and advances *at. Returns the number of bytes
 * stored. A slash is escaped, as json-c does. Characters that are unsafe on a terminal become \u escapes, which a JSON
 * parser turns into the same characters. Bytes that are not UTF-8 become U+FFFD. */
enum { JSON_STEP = 16 };
size_t json_escape_next(const char **at, char out[JSON_STEP]);

/* Destination of a JSON document. The fs_write_fn of the document is json_write_escaped, which gets the document in
 * pieces and escapes characters that are unsafe on a terminal. */
struct json_out {
	FILE *file;
	char part[5]; /* the first `n` bytes of a UTF-8 character that is divided between two pieces of the document */
	unsigned n;
	bool lines; /* the layout of the document is JSON Lines */
};
int json_write_escaped(void *json_out, const void *data, size_t size);

#endif
