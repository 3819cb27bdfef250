/* What --plan, --start and the JSON share. */
#ifndef SHOWQ_PLAN_H
#define SHOWQ_PLAN_H

#include "columns/column.h"
#include "showq/showq.h"

/* 0 or the exit status (reported). */
int plan_compute(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out);

/* The row of a job that may be seen, and the id that --start was given: 0 or the exit status (reported). */
int plan_find(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row);
int plan_job_id(const struct showq_run *r, uint64_t *id);

/* ---- columns.c: a planned start as a row. Behind a row of a page stand plan_put_why's words. */

struct plan_source {
	const struct showq_run *r;
	const fs_plan *plan;
};
struct plan_line {
	struct fs_plan_row row;
	struct fs_job job;
	size_t at; /* in the plan */
};

struct column_page plan_page(const struct plan_source *of);
void plan_line_json(struct fs_json *j, const struct plan_source *of, const struct plan_line *line);

/* --start: one estimate of several; behind a row stands what it assumes. */
struct estimate_line {
	const char *name, *plan, *nodes;
	int64_t start_time;
};
struct column_page estimate_page(const struct showq_run *r);

/* A time of the snapshot's zone, FS_UNKNOWN a dash. */
const char *plan_when_text(char buf[COLUMN_TEXT], const struct showq_run *r, int64_t time);

/* What a planned start waits for, in words; and an id. */
void plan_put_why(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row);
const char *plan_id_text(char buf[FS_JOB_ID_TEXT], const struct showq_run *r, uint64_t id); /* as the scheduler writes it */

/* What the plan leaves out of account, below a page. */
void plan_put_assumptions(const fs_plan *p);

#endif
