/* snprintf for text that a user reads: a number that is not known (NaN) prints as '?', in the width of its field.
 *
 * All text with a double in it is formatted here or by render/emit.h; tests/lint/numbers.sh checks it. */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* As snprintf and vsnprintf. */
int format_text(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int format_args(char *buf, size_t size, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));

#endif
