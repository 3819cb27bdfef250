/* One conversion of a printf format, as emit.c and format.c read it. */
#ifndef RENDER_SPEC_H
#define RENDER_SPEC_H

#include <stdarg.h>
#include <stdbool.h>

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
