/* The text of the breakdown pane, of the full explanation and of what is written to a file: one of these for each
 * kind of row. Nothing is computed here but differences and percentages of what libfs gives. */
#ifndef TOP_WORDS_EXPLAIN_H
#define TOP_WORDS_EXPLAIN_H

#include "top/data/data.h"
#include "top/screen/lines.h"

void explain_job(struct lines *l, const struct data *d, uint32_t row, unsigned width);
void explain_share(struct lines *l, const struct data *d, uint32_t row, unsigned width);
void explain_partition(struct lines *l, const struct data *d, uint32_t row);

/* Row of d->eval.windows that a row of Maui's shares stands for, FS_NO_ROW none. */
uint32_t explain_window(const struct data *d, const struct fs_share_row *row);

#endif
