/* Curves in text. */
#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include "fs.h"
#include "render/page.h"

/* A curve of n numbers, NAN none, as blocks of that height, the scale on the left; nothing if it never changes. */
void plot_curve(struct page *p, const fs_snapshot *s, const int64_t *time, const double *v, size_t n, int height, int decimals);

#endif
