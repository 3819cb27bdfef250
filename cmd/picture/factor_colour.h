/* One colour for each factor, the same on every picture and screen and under every scheduler. */
#ifndef PICTURE_FACTOR_COLOUR_H
#define PICTURE_FACTOR_COLOUR_H

#include <stddef.h>

enum { FACTOR_COLOURS = 8 };

/* By the term's name, of which what is behind a slash does not count; FACTOR_COLOURS: it has none. */
size_t factor_colour(const char *term);

#endif
