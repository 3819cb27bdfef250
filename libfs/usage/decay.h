/* How much of what was used still counts: two models of decay.
 *
 * Slurm's (src/plugins/priority/multifactor/priority_multifactor.c: _init_decay_vars, _decay_thread,
 * _apply_new_usage, priority_p_job_end). With f = 1 - 0.693 / half life, the daemon runs every
 * PriorityCalcPeriod, at T(1), T(2), ...: it multiplies all usage by f^(T(i) - T(i-1)), then adds, for each
 * running job, d * f^d, d being its seconds since T(i-1). A job that ends adds its d * f^d at once, so that
 * the next run decays that piece from T(i-1) again; without limits enforced it is not charged at all.
 *
 * The exact one: what was used at time x counts 2^(-(now - x) / half life).
 *
 * Flux (fluxacct/accounting/job_usage_calculation.py) decays in steps of a half-life at times that nothing tells;
 * of its usage there is the exact model only. Jobs count when they are over, and not beyond the reset period.
 *
 * The runs known are the last one, those a period apart from it back to the start of the controller, and any the
 * caller names. Before the first known run the limit of short periods stands in for the daemon's: x counts
 * f^(now - x). */
#ifndef FSI_DECAY_H
#define FSI_DECAY_H

#include "fs/usage.h"
#include "model/tables.h"

enum { FSI_DEFAULT_HALF_LIFE = 7 * 86400 };

struct fsi_decay {
	enum fs_decay model;
	int64_t at;          /* the time that counts */
	int64_t last;        /* last run not after it */
	int64_t base;        /* run that recorded usage is of */
	int64_t half_life_s; /* 0: no decay */
	int64_t period_s;
	double f, log_f;     /* a second's factor */
	int64_t *run;        /* known runs before the grid, rising */
	size_t runs;
	int64_t grid;        /* first run of the grid: every period_s from here on */
	bool endless;        /* the grid has no beginning */
	bool end_charged;    /* limits are enforced */
	bool resets;	     /* it is reset again and again */
	bool has_reset;      /* usage was reset ... */
	int64_t reset;       /* ... at this boundary */
	int64_t reset_run;   /* by this run */
};

/* The last run not after t; false if none is known. The first known run after t. The first run of the controller's
 * life, INT64_MIN if runs go back without end. */
bool fsi_decay_run_before(const struct fsi_decay *d, int64_t t, int64_t *out);
int64_t fsi_decay_run_after(const struct fsi_decay *d, int64_t t);
int64_t fsi_decay_first_run(const struct fsi_decay *d);

/* The seconds that are configured under that name, `otherwise` when the name is not there. FS_EDATA: they are no
 * seconds, or negative. */
int fsi_config_seconds(const fs_snapshot *m, const char *name, int64_t otherwise, int64_t *out, struct fs_error *err);

/* Sets up decay from the configuration and o (NULL: defaults). Errors: FS_ENODATA without configuration, FS_EDATA
 * for one of the wrong type, FS_EUSAGE for a time before the snapshot's. */
int fsi_decay_init(struct fsi_decay *d, const fs_snapshot *m, const struct fs_usage_options *o,
		   struct fsi_arena *arena, struct fs_error *err);

/* How much the seconds of a job of [start, end) still count; ended: it is over at d->at, otherwise it runs on and
 * end is ignored. Only what is charged from `from` on (INT64_MIN: all of it). */
double fsi_decay_seconds(const struct fsi_decay *d, int64_t start, int64_t end, bool ended, int64_t from);

/* Seconds that are charged at once, as if all had been used at their beginning: what they count then. */
double fsi_decay_at_once(const struct fsi_decay *d, int64_t seconds);

/* The part, 0 to 1, of usage of time t that still counts at d->at, resets aside. */
double fsi_decay_of(const struct fsi_decay *d, int64_t t);

/* The part, 0 to 1, of the recorded usage that still counts at d->at. */
double fsi_decay_recorded(const struct fsi_decay *d);

/* The part of present usage that will still count after so many half-lives; 1 without decay. */
double fsi_decay_half_lives(const struct fsi_decay *d, double n);

#endif
