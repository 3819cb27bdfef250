/* All that commands print goes through here: printf to a stream, but of every text (%s) only what may be shown
 * (text_step). Nothing else in cmd/ prints a text that is not its own. */
#ifndef EMIT_H
#define EMIT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Flags, width and precision as usual; conversions d i u x c f e g s and %. A precision cuts what is shown,
 * in bytes, as it does in printf. */
void emit_to(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_args(FILE *out, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* On standard output. */
void emit(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void emit_text(const char *s);
void emit_line(const char *s); /* with a newline behind it */

/* The first n bytes of what is shown of it. */
void emit_cut(FILE *out, const char *s, size_t n);

/* A row that is put together before it is printed, for tables of many. */
struct emit_row {
	FILE *out;
	size_t n;
	char bytes[1024];
};

void emit_row_begin(struct emit_row *r, FILE *out);

void emit_row_blanks(struct emit_row *r, size_t n);
void emit_row_shown(struct emit_row *r, const char *s, size_t n); /* bytes made visible before, and our own */
/* The same in a field of that width, at its right end or its left; longer ones as long as they are. */
void emit_row_field(struct emit_row *r, const char *s, size_t n, size_t width, bool right);
void emit_row_cut(struct emit_row *r, const char *s, size_t n); /* as emit_cut */
void emit_row_own(struct emit_row *r, const char *s);           /* as emit_own */
void emit_row_end(struct emit_row *r);                          /* with a newline */

/* n rows, row i put by put(out, of, i): many of them by several threads at a time, and yet in their order. */
void emit_rows(size_t n, void (*put)(FILE *out, const void *of, size_t i), const void *of);

/* A text of our own or of the command line, as it is: colours, what stands between the columns of a format. */
void emit_own(FILE *out, const char *s);

#endif
