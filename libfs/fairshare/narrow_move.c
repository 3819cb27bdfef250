/* Moves of one value within its bounds, and the sum of each row with all below it, which the moves change. */
#include "fairshare/narrow.h"

#include <math.h>

void fsi_narrow_sum(const struct fsi_narrow *w, const double *own, double *total)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		total[i] = own[i];
	for (uint32_t i = w->f->n; i-- > 1;)
		if (!w->m->tree[i].uncounted)
			total[w->m->tree[i].parent] += total[i];
}

void fsi_narrow_shift(struct fsi_narrow *w, uint32_t j, double by)
{
	w->x[j] = fmin(fmax(w->x[j] + by, w->lo[j]), w->hi[j]);
}
