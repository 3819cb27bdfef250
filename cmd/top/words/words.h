/* What fs-explain says, as lines: of a screen's width, or as it prints them. */
#ifndef TOP_WORDS_H
#define TOP_WORDS_H

#include "explain/text.h"
#include "top/views/ops.h"

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

/* Makes the words. It looks at all jobs of the queue, which takes too long to be done at every key; one other thread
 * may do it while this one reads the data. l->failed: out of memory. */
void words_make(struct lines *l, const struct data *d, const struct words_request *q);

/* What fs-explain makes single sentences from. words_open: FS_ENOMEM, and nothing is to be closed. words_page copies
 * the lines of a page, the plain ones with that attribute, and frees the page. */
struct words_source {
	struct fs_eval from;
	struct explain_view view;
};
int words_open(struct words_source *s, const struct data *d);
void words_close(struct words_source *s);
void words_page(struct lines *l, struct page *p, enum attr plain);

enum { WORDS_WIDTH = 80 }; /* of fs-explain */

#endif
