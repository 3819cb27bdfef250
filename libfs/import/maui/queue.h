/* Rows of showq and showq -r. */
#ifndef FSI_MAUI_QUEUE_H
#define FSI_MAUI_QUEUE_H

#include "import/maui/maui.h"

enum fsi_queue_section { FSI_QUEUE_NONE, FSI_QUEUE_ACTIVE, FSI_QUEUE_IDLE, FSI_QUEUE_BLOCKED };

struct fsi_queue_row {
	uint32_t job;
	enum fsi_queue_section section;
	uint32_t state, host, user; /* names */
	uint32_t partition;	    /* its name or the first three letters, 0: DEFAULT, or not told */
	int64_t procs, time_s, local; /* time_s: what remains, or the limit; local: start, or submission */
	int64_t priority;             /* of a running job; -1: not told */
	double efficiency;            /* percent; NAN: not told */
	char mark;
};

struct fsi_queue {
	struct fsi_maui_import *x;
	enum fsi_queue_section section;
	FSI_VEC(struct fsi_queue_row) row;
	int64_t active_nodes; /* -1: not told */
	int64_t total[4];     /* jobs by section, all under FSI_QUEUE_NONE, by the last line; -1: it has none */
	const char *file;     /* that was read; NULL: none */
	size_t capture;	      /* which of several made one after the other: 0, 1, 2 */
};

/* Of several captures of one server the first that is not of another time than x->now, if that is known; no rows
 * when there is none. */
int fsi_queue_find(struct fsi_queue *q);         /* showq */
int fsi_queue_find_running(struct fsi_queue *q); /* showq -r */
int fsi_queue_find_verbose(struct fsi_queue *q); /* showq -r -v: the same with priorities */

/* When the rows were printed; 0: they do not tell. */
int64_t fsi_queue_time(const struct fsi_maui_import *x, const struct fsi_queue *q);

/* Adds a flag to those that the job has. */
void fsi_maui_add_flag(struct fsi_import *imp, struct fsi_job *job, const char *flag);

/* Is it one of Maui's marks behind a job's name? */
bool fsi_queue_is_mark(char c);

#endif
