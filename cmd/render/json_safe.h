/* Text in JSON: what a terminal must not see is written as \u, which reads back as the same text. */
#ifndef RENDER_JSON_SAFE_H
#define RENDER_JSON_SAFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
