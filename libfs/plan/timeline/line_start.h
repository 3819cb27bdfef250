/* The row of a job that a plan on a timeline starts, as that of Flux's and that of Maui's do. */
#ifndef FSI_PLAN_LINE_START_H
#define FSI_PLAN_LINE_START_H

#include "plan/run.h"
#include "plan/timeline/timeline.h"

/* Starts all of the job then on the pieces that t has chosen. gave: by node of t the job whose end makes room just
 * now; FSI_NO_INDEX: none. Returns the row; NULL without memory. */
struct fsi_plan_row *fsi_line_start(struct fs_plan *p, const struct fsi_timeline *t, const struct fsi_line_want *w,
				    int64_t at, const uint32_t *gave);

#endif
