/* The jobs of a page that is not a table of columns: those that run, those eligible, those that are blocked. */
#ifndef SHOWQ_LISTS_H
#define SHOWQ_LISTS_H

#include "showq/showq.h"

struct showq_lists {
	uint32_t *active; /* job rows: running, completing, suspended */
	struct fs_queue_row *line, *blocked; /* eligible jobs in scheduling order; blocked ones in that of the job table */
	size_t nactive, nline, nblocked;
	fs_queue *queue; /* what the rows point to */
};

/* Lists the jobs that are wanted and visible. 0 or the exit status (reported). */
int showq_lists_load(const struct showq_run *r, struct showq_lists *out);
void showq_lists_release(struct showq_lists *l);

/* Compares two jobs by their place in the scheduler's job table, those without one by their row. */
int showq_table_order(const fs_snapshot *s, uint32_t a, uint32_t b);

/* "  priority: behind 1009" after an eligible row, what blocks it in words after one that is blocked; for --why.
 * previous: name of the job ahead, NULL if it is the first. */
void showq_put_why(const struct showq_run *r, const fs_queue *q, const struct fs_queue_row *row,
		   const char *previous);

#endif
