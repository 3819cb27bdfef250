/* Maui's showq: what its pages are made from, and the columns of its lists. */
#ifndef SHOWQ_MAUI_H
#define SHOWQ_MAUI_H

#include "columns/column.h"
#include "showq/lists.h"

enum { MAUI_TEXT = 256 };

struct maui_page {
	const struct showq_run *r;
	struct showq_lists list;
	struct fs_machine machine;
	int64_t *run_priority; /* by job row; FS_UNKNOWN where none is known */
};

/* ---- columns.c */

/* The two tables of the whole queue; those of -i, -r, -r -v and -b. */
enum maui_list { MAUI_ACTIVE, MAUI_WAITING, MAUI_IDLE, MAUI_RUNNING, MAUI_RUNNING_VERBOSE, MAUI_BLOCKED };

struct maui_line {
	uint32_t row;
	struct fs_job job;
	const struct fs_queue_row *waits; /* NULL: it is active */
};

/* With an empty line below it. */
void maui_put_heading(const struct maui_page *p, enum maui_list list);
/* Without the end of its line. */
void maui_put_row(const struct maui_page *p, enum maui_list list, uint32_t job_row, const struct fs_queue_row *waits);

/* Texts are written to buf; "?" is what is not known. */
const char *maui_count(char buf[MAUI_TEXT], int64_t n);
const char *maui_share(char buf[MAUI_TEXT], int64_t part, int64_t all);
int64_t maui_ends(const struct fs_job *job); /* by its limit */
bool maui_has_limit(const struct fs_job *job);

/* ---- -i, -r and -b: lists.c */

void maui_put_idle(const struct maui_page *p);
void maui_put_running(const struct maui_page *p);
void maui_put_blocked(const struct maui_page *p);

#endif
