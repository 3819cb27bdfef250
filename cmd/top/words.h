/* Texts that explain a row of a list of fs-top, such as a job: short texts for the pane, and explanations by fs-explain
 * for the full screen and for files. Only differences and percentages of values from libfs are computed here. */
#ifndef TOP_WORDS_H
#define TOP_WORDS_H

#include "top/data.h"
#include "top/screen.h"
#include "explain/text.h"
#include "top/ops.h"

void explain_append_job_pane(struct lines *l, const struct data *d, uint32_t row, unsigned width);
/* Appends a line with the id and the user of the job, and the text `what`. */
void explain_append_job_line(struct lines *l, const struct data *d, uint32_t job_row, unsigned width, const char *what);
/* Appends the planned jobs that start when the running job ends. */
void explain_append_running_pane(struct lines *l, const struct data *d, uint32_t job_row, unsigned width);
void explain_append_partition_pane(struct lines *l, const struct data *d, uint32_t row);

/* Returns the index of the row in d->eval.windows (fair-share windows of Maui) that has the same credential as the
 * share row; FS_NO_ROW if there is none. */
uint32_t explain_find_window(const struct data *d, const struct fs_share_row *row);

/* ---- explanations by fs-explain as lines, wrapped to the width of the screen or, for a file, to the width of
 * fs-explain's output */

/* A request for an explanation. */
struct explanation_request {
	const struct view_ops *ops;
	uint32_t row;	/* row to explain, in the view that has the operations `ops` */
	uint32_t compared_row; /* queue row with which `row` is compared; FS_NO_ROW: `row` alone is explained */
	unsigned width;
	bool utf8;
	bool forecast; /* true: a forecast for the row; false: an explanation of the row as it is in the snapshot */
	bool summary;  /* only the summary for the pane */
};

/* Returns true if fs-explain can explain rows of this view. */
bool words_are_available(const struct data *d, const struct view_ops *ops);

/* Appends to `l` the explanation that `q` requests. The function examines all jobs of the queue, which is too slow for
 * the thread that handles keys. The function may run in a second thread while the thread that handles keys reads the
 * data. Sets l->failed if out of memory. */
void words_make_explanation(struct lines *l, const struct data *d, const struct explanation_request *q);

/* Writes the summary of a job and, after an empty line, the path of its fair-share factor. Returns -1 if out of
 * memory. */
int words_write_job_summary(struct page *p, struct explain_view *v, const struct data *d, uint32_t job_row);

/* Input that fs-explain needs to make explanations. */
struct words_source {
	struct fs_eval eval;
	struct explain_view view;
};

enum { WORDS_WIDTH = 80 }; /* width of fs-explain's output, in columns */

#endif
