/* snprintf for text that a user reads: a number that is not known (NaN) prints as '?', in the width of its field.
 *
 * All text with a double in it is formatted here or by render/emit.h; tests/lint/numbers.sh checks it. */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* As snprintf and vsnprintf. */
int format_text(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int format_args(char *buf, size_t size, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));

/* One conversion of a printf format, as emit.c and format.c read it. */

struct spec {
	char flags[8];
	int width, precision; /* precision < 0: none */
	char length[3], conversion;
};

/* Reads the conversion after the '%', takes its '*' arguments, and moves *at behind it. */
void spec_read(struct spec *f, const char **at, va_list *ap);

/* Returns true for conversions of a double. */
bool spec_is_double(const struct spec *f);

#endif
