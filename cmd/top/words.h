/* What fs-explain says, as lines of the screen. */
#ifndef TOP_WORDS_H
#define TOP_WORDS_H

#include "top/data.h"
#include "top/lines.h"

/* Of the job of a queue row, or of a share row. It looks at all jobs of the queue: not for every key. */
void words_of_job(struct lines *l, const struct data *d, uint32_t queue_row, unsigned width, bool utf8);
void words_of_share(struct lines *l, const struct data *d, uint32_t share_row, unsigned width, bool utf8);

#endif
