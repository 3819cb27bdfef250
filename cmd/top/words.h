/* What fs-explain says, as lines: of a screen's width, or as it prints them. */
#ifndef TOP_WORDS_H
#define TOP_WORDS_H

#include "top/view_ops.h"

/* What is to be explained. */
struct words_request {
	const struct view_ops *ops;
	uint32_t row;	/* of that view */
	uint32_t other; /* of the queue: compare with it; FS_NO_ROW: do not */
	unsigned width;
	bool utf8;
	bool forecast; /* how the row will stand, not why it stands so */
};

bool words_same(const struct words_request *a, const struct words_request *b);

/* Is there anything fs-explain could say of such a row? */
bool words_known(const struct data *d, const struct view_ops *ops);

/* It looks at all jobs of the queue: not for every key. One other thread may do it, while this one goes on reading
 * the data.
 * l->failed: out of memory. */
void words_make(struct lines *l, const struct data *d, const struct words_request *q);

enum { WORDS_WIDTH = 80 }; /* of fs-explain */

#endif
