/* Printf-like output of the commands to a stream. Every %s argument is made safe for a terminal (text_escape_next in
 * render/text.h). All text that does not come from fs-tools (snapshot, files, command line) must be printed by this
 * module. */
#ifndef EMIT_H
#define EMIT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Both functions print like fprintf and vfprintf. Conversions: d i u x c f e g s and %, with flags, width and
 * precision. The precision of %s is the maximum number of bytes printed, counted after escaping. */
void emit_to_stream(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_format_args(FILE *out, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Prints like emit_to_stream, to standard output. */
void emit(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void emit_safe_text(const char *s);
void emit_safe_line(const char *s); /* prints s and a newline */

/* Prints s, escaped, and cut to at most n bytes. */
void emit_cut_text(FILE *out, const char *s, size_t n);

/* Output buffer for the rows of a large table: collects bytes, and writes them to `out` in large pieces. */
struct emit_row {
	FILE *out;
	size_t n;
	char bytes[1024];
};

void emit_row_begin(struct emit_row *r, FILE *out);

void emit_row_add_blanks(struct emit_row *r, size_t n);
/* Appends n bytes unchanged; the text must be safe for a terminal. */
void emit_row_add_safe(struct emit_row *r, const char *s, size_t n);
/* Appends n bytes, which must be safe for a terminal, in a field of `width` columns. `right`: aligned right, otherwise
 * left. A text longer than the field is not cut. */
void emit_row_add_field(struct emit_row *r, const char *s, size_t n, size_t width, bool right);
void emit_row_add_cut(struct emit_row *r, const char *s, size_t n); /* appends s escaped and cut, like emit_cut_text */
void emit_row_add_raw(struct emit_row *r, const char *s);           /* appends s unchanged, like emit_raw_text */
void emit_row_end(struct emit_row *r); /* appends a newline and writes the contents of the buffer to the stream */

/* Prints n rows to standard output in order, by calling put(out, of, i) for row i (0-based). Several threads call `put`
 * if the table is large. */
void emit_all_rows(size_t n, void (*put)(FILE *out, const void *of, size_t i), const void *of);

/* Prints a text without escaping. The text must be a part of fs-tools, such as a color code, or of the command line,
 * such as a column separator. */
void emit_raw_text(FILE *out, const char *s);

#endif
