/* Priorities as bars: the points of each factor beside each other, those that are taken away to the left of nothing. */
#ifndef PICTURE_BARS_H
#define PICTURE_BARS_H

#include "fs.h"
#include "picture/svg.h"

struct bars_row {
	const char *name;
	const struct fs_prio_term *terms;
	size_t n;
	double priority; /* NAN unknown */
	bool marked;	 /* it stands out */
};

/* inside: of an HTML document. */
void bars_draw(struct markup *v, const struct bars_row *rows, size_t n, bool inside);

#endif
