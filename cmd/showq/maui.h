/* Maui's showq: what its pages are made from, and its cells. */
#ifndef SHOWQ_MAUI_H
#define SHOWQ_MAUI_H

#include "showq/lists.h"

enum { MAUI_TEXT = 256 };

struct maui_page {
	const struct showq_run *r;
	struct showq_lists list;
	struct fs_machine machine;
	int64_t *run_priority; /* by job row; FS_UNKNOWN where none is known */
};

/* ---- cells: maui_cells.c. Texts are written to buf; "?" is what is not known. */

const char *maui_job_name(char buf[MAUI_TEXT], const struct fs_job *job); /* until the first dot, as the tool cuts it */
const char *maui_count(char buf[MAUI_TEXT], int64_t n);
const char *maui_share(char buf[MAUI_TEXT], int64_t part, int64_t all);
const char *maui_time(char buf[MAUI_TEXT], int64_t s);
const char *maui_remaining(char buf[MAUI_TEXT], const struct maui_page *p, const struct fs_job *job);
const char *maui_xfactor(char buf[MAUI_TEXT], const struct fs_job *job, int64_t until); /* (seconds queued + limit) / limit */
const char *maui_qos_of(const struct maui_page *p, uint32_t row);
int64_t maui_queued_since(const struct fs_job *job);
int64_t maui_ends(const struct fs_job *job); /* by its limit */
bool maui_has_limit(const struct fs_job *job);

void maui_put_text(int width, const char *s);
void maui_put_date(const struct maui_page *p, int64_t time);

/* ---- -i, -r and -b: maui_lists.c */

void maui_put_idle(const struct maui_page *p);
void maui_put_running(const struct maui_page *p);
void maui_put_blocked(const struct maui_page *p);

#endif
