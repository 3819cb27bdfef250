/* snprintf for text that users read: an unknown number (NaN) prints as '?' in the width of its field.
 *
 * All text that contains a double is formatted here or by render/emit.h; tests/lint/numbers.sh checks this. */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Format like snprintf and vsnprintf, and return the same length. */
int format_text(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int format_args(char *buf, size_t size, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));

/* One parsed conversion of a printf format, shared with render/emit.c. */
struct spec {
	char flags[8];
	int width, precision; /* precision: negative if none is given */
	char length[3], conversion;
};

/* Parses the conversion that follows a '%', takes the arguments of its '*', and advances *at past it. */
void parse_format_conversion(struct spec *f, const char **at, va_list *ap);

/* Returns true if the conversion takes a double. */
bool is_double_conversion(const struct spec *f);

#endif
