/* The viewer's pending jobs, what a reason means, and names near one that is none. */
#ifndef EXPLAIN_LIST_H
#define EXPLAIN_LIST_H

#include "explain/text.h"

/* Lists the user's pending jobs: job, partition, planned start, verdict. Negative without memory. */
int explain_list_text(struct page *p, const struct explain_view *v, const char *user);
int explain_list_json(const struct explain_view *v, const char *user); /* exit status */

/* Finds a reason by its name, in capitals or not; NULL if there is none. */
const struct fs_reason *explain_find_reason(const char *word);
/* v NULL: there is no snapshot to count in. */
void explain_reason_text(struct page *p, const struct explain_view *v, const struct fs_reason *r);
int explain_reason_json(const struct explain_view *v, const struct fs_reason *r);

#endif
