/* What --plan, --start and the JSON share. */
#ifndef SHOWQ_PLAN_H
#define SHOWQ_PLAN_H

#include "showq/showq.h"

/* 0 or the exit status (reported). */
int plan_compute(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out);

/* The row of a job that may be seen, and the id that --start was given: 0 or the exit status (reported). */
int plan_find(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row);
int plan_job_id(const struct showq_run *r, uint64_t *id);

/* The nodes of row i as a list expression, cut with ",..." where buf ends; returns buf. */
char *plan_nodes_text(const fs_plan *p, size_t i, char *buf, size_t size);

/* Cells: a time, and how long until then; FS_UNKNOWN is a dash. And what a planned start waits for, in words. */
void plan_put_when(const struct showq_run *r, int64_t time);
void plan_put_in(const struct showq_run *r, int64_t time);
void plan_put_why(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row);
const char *plan_id_text(char buf[FS_JOB_ID_TEXT], const struct showq_run *r, uint64_t id); /* as the scheduler writes it */

/* What the plan leaves out of account, below a page. */
void plan_put_assumptions(const fs_plan *p);

#endif
