/* The text of the breakdown pane, of the full explanation and of what is written to a file: one of these for each
 * kind of row. Nothing is computed here but differences and percentages of what libfs gives. */
#ifndef TOP_EXPLAIN_H
#define TOP_EXPLAIN_H

#include "top/data.h"
#include "top/lines.h"

void explain_job(struct lines *l, const struct data *d, uint32_t row, unsigned width);
void explain_share(struct lines *l, const struct data *d, uint32_t row, unsigned width);
void explain_partition(struct lines *l, const struct data *d, uint32_t row);

/* Two rows of the queue, factor by factor. */
void explain_compare(struct lines *l, const struct data *d, uint32_t a, uint32_t b, unsigned width);

#endif
