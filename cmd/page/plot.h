/* Curves in text. */
#ifndef PAGE_PLOT_H
#define PAGE_PLOT_H

#include "page/page.h"

/* A curve of n numbers, NAN none, as blocks of that height, the scale on the left, and below its ends what they are;
 * nothing if it never changes. */
void plot_curve(struct page *p, const char *first, const char *last, const double *v, size_t n, int height,
		int decimals);

#endif
