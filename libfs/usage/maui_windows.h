/* Maui's fair-share windows: the usage in each window, decayed sums, and the charges of running jobs to the current
 * window.
 *
 * Windows begin at multiples of FSINTERVAL since 1970 (UTC). If u[0] is the usage in the current window and u[i]
 * the usage in the i-th window before it, the decayed sum is u[0] + sum of u[i] * FSDECAY^i, with i from 1 to
 * FSDEPTH - 1 (src/moab/MFS.c:MFSCalcFactor). With FSPOLICY NONE no window is read from the snapshot (MFSInitialize),
 * and the current window never ends. */
#ifndef FSI_USAGE_MAUI_WINDOWS_H
#define FSI_USAGE_MAUI_WINDOWS_H

#include "model/maui.h"
#include "usage/billing.h"

struct fsi_windows {
	const fs_snapshot *m;
	struct fsi_maui_conf conf;
	struct fsi_maui_totals totals;
	struct fsi_creds creds;
	int64_t start;   /* start of the current window, seconds since the epoch */
	/* time at which Maui last wrote the file of the current window, seconds since the epoch; 0: never */
	int64_t written;
	uint32_t slots;  /* number of windows per row: FSDEPTH, at least 1 */
	uint32_t n;      /* number of rows: one for each row of m->credential, then one for the total */
	/* indexed by row and window (n * slots elements): charged processor seconds; the current window is first */
	double *usage;
	double *past;    /* indexed by row: decayed sum of the usage in all windows except the current one */
	double *weight;  /* weight[i]: FSDECAY^i, the weight of the i-th window before the current window */
};

/* Returns the start of the window that is current in the iteration at time `now`. This is the window that contains the
 * time of the previous iteration, one RMPOLLINTERVAL earlier. In every iteration Maui schedules jobs and serves clients
 * before Maui starts a new window (src/server/Server.c:main, ServerProcessRequests). */
int64_t fsi_window_start_shown(const struct fsi_maui_conf *c, int64_t now);

/* Loads the window that is current at the snapshot's time, and the windows before it. Returns 0, FS_ENOMEM, or the
 * error codes of fsi_maui_conf_load. */
int fsi_windows_load(struct fsi_windows *w, const fs_snapshot *m, struct fs_error *err);
/* Loads an earlier state of the windows, in which the current window is the window that began at `start`. `start` must
 * be at or before the start of the snapshot's current window. Returns the codes of fsi_windows_load. */
int fsi_windows_load_slot(struct fsi_windows *w, const fs_snapshot *m, int64_t start, struct fs_error *err);
void fsi_windows_release(struct fsi_windows *w);

/* Sets *out to a time by which all windows of the snapshot are too old to count. Returns the codes of
 * fsi_maui_conf_load. */
int fsi_windows_last_effect(const fs_snapshot *m, int64_t *out, struct fs_error *err);

static inline const double *fsi_windows_of_row(const struct fsi_windows *w, uint32_t row)
{
	return w->usage + (size_t)row * w->slots;
}

static inline double fsi_windows_sum(const struct fsi_windows *w, uint32_t row)
{
	return w->past[row] + fsi_windows_of_row(w, row)[0];
}

static inline double fsi_windows_total(const struct fsi_windows *w)
{
	return fsi_windows_sum(w, w->n - 1);
}

/* Returns `usage` in percent of the total; 0 if the total is not positive. */
double fsi_windows_percent(const struct fsi_windows *w, double usage);

/* A Maui snapshot at later times: new windows start in later iterations, and each closed window has the usage that Maui
 * would have written to the window's file. */

struct fsi_window_clock {
	fs_snapshot *m; /* copy of the snapshot, changed to the state at the time that was set last */
	struct fsi_maui_conf conf;
	/* the snapshot's time, seconds since the epoch; iterations are at start_time + i * conf.poll_s */
	int64_t start_time;
	int64_t first_window; /* start of window 0, which is current at the snapshot's time; seconds since the epoch */
	/* times at which running jobs reach their time limits, ascending, seconds since the epoch */
	int64_t *job_ends;
	size_t n_job_ends;
	int64_t steady_from;	     /* number of a window; each later window has the same charges as this window */
	/* indexed by credential, the total last: processor seconds charged per second; NULL: only running jobs are
	 * charged */
	const double *rate;
	/* number of window records of `m` when fsi_window_clock_begin returns; fsi_window_clock_set replaces all later
	 * records */
	size_t own_records;
	/* indexed by the number of a closed window: array with the usage of each credential in that window, the total
	 * last */
	FSI_VEC(double *) closed;
	uint32_t rows;
};

/* Sets up *c with a copy of the snapshot, in the state at the snapshot's time. `running`: assumption about when running
 * jobs end. `rate`: stored in the member `rate`; borrowed. Returns 0 or the error codes of fsi_windows_load. */
int fsi_window_clock_begin(struct fsi_window_clock *c, const fs_snapshot *m,
			   enum fs_running running, const double *rate, struct fs_error *err);
void fsi_window_clock_release(struct fsi_window_clock *c);

/* Changes c->m to the state at time t, the time of an iteration at or after the snapshot's time. Returns 0 or the error
 * codes of fsi_windows_load. */
int fsi_window_clock_set(struct fsi_window_clock *c, int64_t t, struct fs_error *err);

/* Returns the time of the first iteration in which window k is current. This is the first iteration that is at least
 * one RMPOLLINTERVAL after the window's start. The previous iteration charges window k - 1. */
int64_t fsi_window_clock_first(const struct fsi_window_clock *c, int64_t k);
#endif
