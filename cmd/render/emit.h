/* Output of the commands: printf to a stream. Every %s argument is first made safe for a terminal (text_escape_next in
 * render/text.h). All text that does not come from fs-tools itself (snapshot, files, command line) is printed through
 * this module. */
#ifndef EMIT_H
#define EMIT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints like fprintf and vfprintf. Conversions: d i u x c f e g s and %, with flags, width and precision. The
 * precision of %s limits the printed bytes, after unsafe characters have been escaped. */
void emit_to_stream(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_format_args(FILE *out, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Prints like emit_to_stream, to standard output. */
void emit(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void emit_safe_text(const char *s);
void emit_safe_line(const char *s); /* appends a newline */

/* Prints at most n bytes of the escaped form of s. */
void emit_cut_text(FILE *out, const char *s, size_t n);

/* Output buffer for the rows of a large table: collects bytes and writes them to `out` in large pieces. */
struct emit_row {
	FILE *out;
	size_t n;
	char bytes[1024];
};

void emit_row_begin(struct emit_row *r, FILE *out);

void emit_row_add_blanks(struct emit_row *r, size_t n);
/* appends n bytes as they are: text that is already safe */
void emit_row_add_safe(struct emit_row *r, const char *s, size_t n);
/* Appends n safe bytes in a field of that width, right- or left-aligned. A longer text is not cut. */
void emit_row_add_field(struct emit_row *r, const char *s, size_t n, size_t width, bool right);
void emit_row_add_cut(struct emit_row *r, const char *s, size_t n); /* appends like emit_cut_text */
void emit_row_add_raw(struct emit_row *r, const char *s);           /* appends like emit_raw_text */
void emit_row_end(struct emit_row *r); /* appends a newline and writes the buffer to the stream */

/* Prints n rows to standard output in order; put(out, of, i) prints row i. Large tables are formatted by several
 * threads. */
void emit_all_rows(size_t n, void (*put)(FILE *out, const void *of, size_t i), const void *of);

/* Prints a text of fs-tools or of the command line without escaping: colour codes, column separators of a format. */
void emit_raw_text(FILE *out, const char *s);

#endif
