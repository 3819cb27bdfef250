/* The text of the breakdown pane, of the full explanation and of what is written to a file: one of these for each
 * kind of row. Nothing is computed here but differences and percentages of what libfs gives. */
#ifndef TOP_WORDS_H
#define TOP_WORDS_H

#include "top/data.h"
#include "top/screen.h"
#include "explain/text.h"
#include "top/ops.h"

void explain_job(struct lines *l, const struct data *d, uint32_t row, unsigned width);
void explain_share(struct lines *l, const struct data *d, uint32_t row, unsigned width);
void explain_partition(struct lines *l, const struct data *d, uint32_t row);

/* Row of d->eval.windows that a row of Maui's shares stands for, FS_NO_ROW none. */
uint32_t explain_window(const struct data *d, const struct fs_share_row *row);

/* What fs-explain says, as lines: of a screen's width, or as it prints them. */

/* What is to be explained. */
struct words_request {
	const struct view_ops *ops;
	uint32_t row;	/* of that view */
	uint32_t other; /* of the queue: compare with it; FS_NO_ROW: do not */
	unsigned width;
	bool utf8;
	bool forecast; /* how the row will stand, not why it stands so */
};

/* Is there anything fs-explain could say of such a row? */
bool words_known(const struct data *d, const struct view_ops *ops);

/* Makes the words. It looks at all jobs of the queue, which takes too long to be done at every key; one other thread
 * may do it while this one reads the data. l->failed: out of memory. */
void words_make(struct lines *l, const struct data *d, const struct words_request *q);

/* What the sentences of fs-explain are made from. */
struct words_source {
	struct fs_eval from;
	struct explain_view view;
};

enum { WORDS_WIDTH = 80 }; /* of fs-explain */

#endif
