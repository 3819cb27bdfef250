/* Maui's fair-share windows: usage by slot, decayed sums, what running jobs added since the last roll.
 *
 * Windows begin at multiples of FSINTERVAL since 1970 (UTC); slot 0 is the current one. A sum is
 * u[0] + sum of u[i] * FSDECAY^i, i from 1 to FSDEPTH - 1 (src/moab/MFS.c:MFSCalcFactor). With FSPOLICY NONE nothing is
 * loaded (MFSInitialize) or charged. */
#ifndef FSI_USAGE_MAUI_WINDOWS_H
#define FSI_USAGE_MAUI_WINDOWS_H

#include "model/maui.h"
#include "usage/billing.h"

struct fsi_windows {
	const fs_snapshot *m;
	struct fsi_maui_conf conf;
	struct fsi_maui_totals totals;
	struct fsi_creds creds;
	int64_t start;   /* of slot 0 */
	int64_t written; /* slot 0 already holds what running jobs were charged until then; 0: nothing of it */
	uint32_t slots;  /* per row: FSDEPTH, at least 1 */
	uint32_t n;      /* rows: those of m->credential, then that of the total */
	double *usage;   /* n * slots */
	double *past;    /* by row: the decayed sum of slots 1 to FSDEPTH - 1 */
	double *weight;  /* by slot: FSDECAY^i */
};

/* When the window began that an iteration has. Jobs are scheduled, and clients served, before a window is rolled, so
 * that it is that of the iteration before (src/Server.c:main, ServerProcessRequests). */
int64_t fsi_window_shown(const struct fsi_maui_conf *c, int64_t now);

int fsi_windows_load(struct fsi_windows *w, const fs_snapshot *m, struct fs_error *err);
/* Likewise where the window that began at `start`, at or before the snapshot's own, is still the current one. */
int fsi_windows_load_slot(struct fsi_windows *w, const fs_snapshot *m, int64_t start, struct fs_error *err);
void fsi_windows_release(struct fsi_windows *w);

/* Sets *out to the time when no window of the snapshot's time counts any longer. Error codes of fsi_windows_load. */
int fsi_windows_last_effect(const fs_snapshot *m, int64_t *out, struct fs_error *err);

static inline const double *fsi_windows_of(const struct fsi_windows *w, uint32_t row)
{
	return w->usage + (size_t)row * w->slots;
}

static inline double fsi_windows_sum(const struct fsi_windows *w, uint32_t row)
{
	return w->past[row] + fsi_windows_of(w, row)[0];
}

static inline double fsi_windows_total(const struct fsi_windows *w)
{
	return fsi_windows_sum(w, w->n - 1);
}

/* A part in percent of the total; 0 when the total is not positive. */
double fsi_windows_percent(const struct fsi_windows *w, double usage);

/* A Maui snapshot at later times: windows end as iterations go on, and what ran in them stands as the scheduler's own
 * files would have it. */

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

/* What runs goes on as told; rate is borrowed. Error codes of fsi_windows_load. */
int fsi_window_clock_begin(struct fsi_window_clock *c, const fs_snapshot *m,
			   enum fs_running running, const double *rate, struct fs_error *err);
void fsi_window_clock_release(struct fsi_window_clock *c);

/* Sets c->m to an iteration, at or after the snapshot's. Error codes of fsi_windows_load. */
int fsi_window_clock_set(struct fsi_window_clock *c, int64_t t, struct fs_error *err);

/* The first and the last iteration at which window k is current: one is over at the first iteration that is one
 * RMPOLLINTERVAL behind its end, which is still charged to it (libfs/usage/maui_windows.c). */
int64_t fsi_window_clock_first(const struct fsi_window_clock *c, int64_t k);
#endif
