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

/* What is in a job's way: the keys choices, limits and obstacles. */
void explain_limits_json(struct fs_json *j, const struct fs_explain_job *job);

/* kind "user" or "account"; rows: share rows. */
int explain_rows_json(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n);
int explain_rows_versus_json(const struct explain_view *v, uint32_t a, uint32_t b);

#endif
