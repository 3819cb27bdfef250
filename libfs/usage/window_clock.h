/* A Maui snapshot at later times: windows end as iterations go on, and what ran in them stands as the scheduler's own
 * files would have it. */
#ifndef FSI_WINDOW_CLOCK_H
#define FSI_WINDOW_CLOCK_H

#include "usage/windows.h"

#include <fs/usage.h>

struct fsi_window_clock {
	fs_snapshot *m; /* a copy: as it is at the time set last */
	struct fsi_maui_conf conf;
	int64_t began; /* the snapshot's time: iterations are so many times conf.poll_s behind it */
	int64_t window; /* start of the one that was current then, number 0 */
	int64_t *end;  /* of running jobs that end at their limits, rising */
	size_t nends;
	int64_t steady;	     /* from this number on each window is charged as the next one */
	const double *rate; /* by credential, then of all: seconds charged each second; NULL: none but what jobs that run get */
	size_t kept;	     /* records that the snapshot itself has, and those of window 0 until then */
	FSI_VEC(double *) closed; /* by number of the window: what each credential, then all, was charged */
	uint32_t rows;
};

/* Adds a record of the window that starts then; a later one counts. -1 without memory. */
int fsi_window_add(fs_snapshot *m, int64_t start, uint32_t kind, uint32_t name, double usage_s);

/* What runs goes on as told; rate is borrowed. Error codes of fsi_windows_load. */
int fsi_window_clock_begin(struct fsi_window_clock *c, const fs_snapshot *m, enum fs_maui_dialect dialect,
			   enum fs_running running, const double *rate, struct fs_error *err);
void fsi_window_clock_release(struct fsi_window_clock *c);

/* Sets c->m to an iteration, at or after the snapshot's. Error codes of fsi_windows_load. */
int fsi_window_clock_set(struct fsi_window_clock *c, int64_t t, struct fs_error *err);

/* The first iteration at or after t. */
int64_t fsi_window_clock_iteration(const struct fsi_window_clock *c, int64_t t);
/* The number of the window that is current at that iteration. */
int64_t fsi_window_clock_number(const struct fsi_window_clock *c, int64_t t);
/* The first and the last iteration at which window k is current: one is over at the first iteration that is one
 * RMPOLLINTERVAL behind its end, which is still charged to it (libfs/usage/maui_charge.c). */
int64_t fsi_window_clock_first(const struct fsi_window_clock *c, int64_t k);
int64_t fsi_window_clock_last(const struct fsi_window_clock *c, int64_t k);

#endif
