/* JSON output of the commands: the members every document begins with, the list of rows, and values that may be
 * unknown. All functions append to a struct fs_json that writes to standard output. */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "cmd.h"
#include "fs/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Layout of a document. AS_FITS: indented on a terminal, otherwise on one line. LINES (JSON Lines): the members
 * before the rows on the first line, then one line per row. */
enum json_form { JSON_NONE, JSON_AS_FITS, JSON_PRETTY, JSON_LINES };

/* Parses the value of --json (NULL: no value). Returns -1 to continue, or the exit status after an error that has
 * been reported. */
int json_parse_option(const struct invocation *inv, const char *value, enum json_form *out);

/* Opens a document that does not describe a snapshot: {"schema": ... */
void json_begin_plain_document(struct fs_json *j, const char *schema, enum json_form form);

/* Opens a document: {"schema": ..., "snapshot": {...}. If commands were applied to the snapshot (a hypothetical state),
 * appends "if": [commands]. The document stays open for more members, such as "rows". */
void json_begin_document(struct fs_json *j, const char *schema, const fs_snapshot *s, enum json_form form);

/* Opens a document about two states: "snapshot" describes s, "if" lists the commands that were applied to `changed`. */
void json_begin_changed_document(struct fs_json *j, const char *schema, const fs_snapshot *s,
				 const fs_snapshot *changed, enum json_form form);

/* Opens the list "rows". A document in JSON Lines has no members after it. Call json_end_row after each row. */
void json_begin_rows(struct fs_json *j);
void json_end_row(struct fs_json *j);
void json_end_rows(struct fs_json *j);

/* Closes the document and flushes it. Returns EXIT_DONE, or EXIT_FAILED if writing failed. */
int json_end_document(struct fs_json *j);

/* Writes a key and opens an object or a list as its value, or writes null. */
void json_begin_object(struct fs_json *j, const char *key);
void json_begin_list(struct fs_json *j, const char *key);
void json_write_null(struct fs_json *j, const char *key);

void json_write_text(struct fs_json *j, const char *key, const char *value);      /* "" becomes null */
/* Writes a job id in the scheduler's own notation (Flux: f58); null if that notation is plain decimal. */
void json_write_f58_id(struct fs_json *j, const fs_snapshot *s, uint64_t id);
void json_write_number(struct fs_json *j, const char *key, double value);         /* NAN becomes null */
void json_write_whole(struct fs_json *j, const char *key, bool known, uint64_t value);
/* FS_UNKNOWN becomes null, FS_UNLIMITED "unlimited" */
void json_write_integer(struct fs_json *j, const char *key, int64_t value);
void json_write_flag(struct fs_json *j, const char *key, bool value);

/* Stores the next character of *at in `out` as it is written between JSON quotes, and advances *at. Returns the
 * number of bytes stored. A slash is escaped, as json-c does. Characters that are unsafe on a terminal become \u
 * escapes, so that a parser still reads the same text. Bytes that are not UTF-8 become U+FFFD. */
enum { JSON_STEP = 16 };
size_t json_escape_next(const char **at, char out[JSON_STEP]);

/* Sink of a JSON document; its fs_write_fn is json_write_escaped. It receives the document in pieces and
 * escapes characters that are unsafe on a terminal. */
struct json_out {
	FILE *file;
	char part[5]; /* bytes of a UTF-8 character that is continued in the next piece */
	unsigned n;
	bool lines; /* the document is written as JSON Lines */
};
int json_write_escaped(void *json_out, const void *data, size_t size);

#endif
