/* Maui's fair-share windows: usage by slot, decayed sums, what running jobs added since the last roll.
 *
 * Windows begin at multiples of FSINTERVAL since 1970 (UTC); slot 0 is the current one. A sum is
 * u[0] + sum of u[i] * FSDECAY^i, i from 1 to FSDEPTH - 1 (src/moab/MFS.c:MFSCalcFactor). With FSPOLICY NONE nothing is
 * loaded (MFSInitialize) or charged. */
#ifndef FSI_WINDOWS_H
#define FSI_WINDOWS_H

#include "model/maui/maui.h"
#include "usage/maui_pe.h"

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

int fsi_windows_load(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect,
		     struct fs_error *err);
/* Likewise where the window that began at `start`, at or before the snapshot's own, is still the current one. */
int fsi_windows_load_slot(struct fsi_windows *w, const fs_snapshot *m, enum fs_maui_dialect dialect, int64_t start,
			  struct fs_error *err);
void fsi_windows_release(struct fsi_windows *w);

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

/* Charges the running jobs, by processors or their equivalents, to slot 0 of all credentials they have. */
void fsi_maui_charge(struct fsi_windows *w);

#endif
