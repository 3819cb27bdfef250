/* What the parts of fs-explain/1 share. */
#ifndef EXPLAIN_JSON_PARTS_H
#define EXPLAIN_JSON_PARTS_H

#include "explain/text.h"

/* Values: an element of `sums`, the object `fairshare` (or null). */
void explain_json_sum(struct fs_json *j, const struct fs_explain_sum *s, bool placed);
void explain_json_path(struct fs_json *j, const struct explain_view *v, const struct fs_explain_path *p);

/* The key `brief`: null unless it was asked for. */
void explain_brief_json(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job);

/* The key `forecast`: null unless it was asked for and could be had; FS_ENOMEM. A row is FS_NO_ROW if the other
 * tells. */
int explain_forecast_json(struct fs_json *j, const struct explain_view *v, uint32_t share_row, uint32_t job_row);

/* The key `runs`: what those of the view cost; empty where none are known. */
void explain_runs_json(struct fs_json *j, const struct explain_view *v);

/* The key `advice`: null unless it was asked for and could be had. */
void explain_advice_json(struct fs_json *j, const struct explain_view *v);

/* The keys `credentials` and `blocked_by_cap` of a job. */
void explain_json_credentials(struct fs_json *j, const struct explain_view *v,
			      const struct fs_explain_job *job);

#endif
