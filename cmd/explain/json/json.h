/* fs-explain/1: the same numbers as the text. man/fs-explain-1.schema.json. */
#ifndef EXPLAIN_JSON_H
#define EXPLAIN_JSON_H

#include "explain/text.h"

/* All return exit statuses, or a negative number without memory. */
int explain_job_json(const struct explain_view *v, const struct fs_explain_job *job);
int explain_jobs_versus_json(const struct explain_view *v, const struct fs_explain_job *a,
			     const struct fs_explain_job *b);

int explain_credentials_versus_json(const struct explain_view *v, uint32_t a, uint32_t b);
int explain_credential_json(const struct explain_view *v, uint32_t window_row);

/* kind "user" or "account"; rows: share rows. */
int explain_rows_json(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n);
int explain_rows_versus_json(const struct explain_view *v, uint32_t a, uint32_t b);

/* ---- what its parts share */

/* Opens the document of a subject of that kind; of a view without a snapshot, too. */
void explain_json_begin(struct fs_json *j, const struct explain_view *v, const char *kind);

/* Values: an element of `sums`, the object `fairshare` (or null). */
void explain_json_sum(struct fs_json *j, const struct fs_explain_sum *s, bool placed);
void explain_json_path(struct fs_json *j, const struct explain_view *v, const struct fs_explain_path *p);

/* What is in a job's way: the keys choices, limits and obstacles. */
void explain_limits_json(struct fs_json *j, const struct fs_explain_job *job);

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
