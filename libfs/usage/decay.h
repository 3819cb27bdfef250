/* Decay of usage: how much of a past charge still counts. There are two models.
 *
 * FS_DECAY_SLURM is Slurm's model (src/plugins/priority/multifactor/priority_multifactor.c: _init_decay_vars,
 * _decay_thread, _apply_new_usage, priority_p_job_end). The decay factor for each second is f = 1 - 0.693 / half-life.
 * The decay thread runs every PriorityCalcPeriod, at T(1), T(2), ... Each run multiplies all usage by f^(T(i) -
 * T(i-1)). Then the run adds d * f^d for each running job, where d is the job's run time since T(i-1). If limits are
 * enforced, Slurm also adds d * f^d when a job ends. The next run multiplies this last charge by the factor for the
 * whole time since T(i-1).
 *
 * FS_DECAY_EXACT: usage at time x is multiplied by 2^(-(now - x) / half-life).
 *
 * Flux (fluxacct/accounting/job_usage_calculation.py) decays usage in steps of one half-life. The times of the steps
 * are unknown, so usage of Flux is only computed with FS_DECAY_EXACT. Flux charges jobs when they have ended, and drops
 * usage older than the reset period.
 *
 * Known runs of the decay thread: the snapshot has the time of the last run. From this time, runs are assumed every
 * PriorityCalcPeriod, forward and also back to the start of the controller. These regular runs are called the grid. If
 * the caller gives the times of earlier runs, the grid begins at the last run in the snapshot. Before the first known
 * run, usage at time x is multiplied by f^(now - x), as if the decay thread ran all the time.
 *
 * A struct fsi_decay is set up once by fsi_decay_init and then only read. Memory comes from the caller's arena. */
#ifndef FSI_DECAY_H
#define FSI_DECAY_H

#include "fs/usage.h"
#include "model/tables.h"

enum { FSI_DEFAULT_HALF_LIFE = 7 * 86400 };

struct fsi_decay {
	enum fs_decay model;
	int64_t at;          /* point in time for which usage is computed, seconds since the epoch */
	int64_t last;        /* time of the last run of the decay thread at or before `at`, seconds since the epoch */
	/* time of the last run of the decay thread in the snapshot, seconds since the epoch; recorded usage is decayed
	 * up to this run */
	int64_t base;
	int64_t half_life_s; /* half-life of usage, seconds; 0: usage does not decay */
	int64_t period_s;
	double f, log_f;     /* decay factor of one second, and its logarithm */
	/* times of the decay thread's known runs before the time `grid`, ascending, seconds since the epoch */
	int64_t *run;
	size_t runs;
	/* start of the regular runs, seconds since the epoch: the decay thread is assumed to run at `grid` and every
	 * period_s seconds after `grid` */
	int64_t grid;
	/* true: the start of the controller is unknown, so the decay thread is assumed to have run every period_s
	 * seconds at all times before `grid` */
	bool grid_is_endless;
	/* limits are enforced: when a job ends, Slurm charges the job for the time since the last run of the decay
	 * thread */
	bool charges_job_end;
	bool resets;	     /* Slurm: usage is reset at the start of each PriorityUsageResetPeriod */
	bool has_reset;      /* true: the member `reset` is set (in Slurm: usage was reset at or before `at`) */
	/* seconds since the epoch. Slurm: time at which the last reset was due, which is the start of a reset period or
	 * of the controller. Flux: usage before this time does not count. */
	int64_t reset;
	int64_t reset_run;   /* Slurm: time of the run of the decay thread that reset usage, seconds since the epoch */
};

/* Functions that return times at which the decay thread runs. fsi_decay_run_before sets *out to the last run at
 * or before t, or returns false if no such run is known. fsi_decay_run_after returns the first run after t.
 * fsi_decay_first_run returns the first known run, or INT64_MIN if d->grid_is_endless. */
bool fsi_decay_run_before(const struct fsi_decay *d, int64_t t, int64_t *out);
int64_t fsi_decay_run_after(const struct fsi_decay *d, int64_t t);
int64_t fsi_decay_first_run(const struct fsi_decay *d);

/* Sets *out to the configuration parameter `name`, in seconds; to `default_s` if the parameter is not set. Returns
 * FS_EDATA if the value is negative or not an integer. */
int fsi_parse_config_seconds(const fs_snapshot *m, const char *name, int64_t default_s, int64_t *out,
			     struct fs_error *err);

/* Fills *d from the snapshot's configuration and the options o (NULL: defaults). Errors: FS_ENODATA if the snapshot has
 * no configuration; FS_EDATA if a parameter is invalid; FS_EUSAGE if the options request a time before the snapshot's
 * time or after FSI_SECONDS_MAX, or a decay model that the scheduler does not have; FS_ENOMEM. */
int fsi_decay_init(struct fsi_decay *d, const fs_snapshot *m, const struct fs_usage_options *o,
		   struct fsi_arena *arena, struct fs_error *err);

/* Returns the decayed run time of a job: the number of seconds in [start, end) that still count at d->at. Seconds
 * before the time `from` count as 0; with `from` INT64_MIN all seconds count. `ended`: the job has ended by d->at. If
 * `ended` is false, the job still runs and `end` is ignored. */
double fsi_decay_seconds(const struct fsi_decay *d, int64_t start, int64_t end, bool ended, int64_t from);

/* Returns d * f^d, where d is `seconds` and f is the decay factor of one second. One run of the decay thread adds this
 * charge for a job that has run d seconds since the previous run, at a rate of 1. */
double fsi_decay_at_once(const struct fsi_decay *d, int64_t seconds);

/* Returns the fraction (0 to 1) of usage at time t that still counts at d->at. Ignores resets. */
double fsi_decay_factor_at(const struct fsi_decay *d, int64_t t);

/* Returns the fraction (0 to 1) of the recorded usage that still counts at d->at; 0 if usage was reset after
 * d->base. */
double fsi_decay_recorded(const struct fsi_decay *d);

/* Returns the fraction of the present usage that will still count in n half-lives; 1 if usage does not decay. */
double fsi_decay_half_lives(const struct fsi_decay *d, double n);

#endif
