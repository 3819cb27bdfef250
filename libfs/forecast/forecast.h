/* Forecast: how the factor and rank of a share row, and the priority of a job, change as time passes. Comments call
 * them the followed row and the followed job; names of functions contain "subject". Jobs near the followed job in
 * scheduling order are its neighbour jobs; names of functions contain "rival". There is one forecast for each
 * assumption about which jobs run. No scheduler computes forecasts. The modules usage, fairshare and priority compute
 * the states at single times.
 *
 * fs_forecast_compute makes a forecast in these steps:
 *   fsi_forecast_prepare_decay, prepare_windows_forecast (Maui)
 *       collect the tree, running jobs, neighbour jobs, and the priority calculations at which something changes
 *   fsi_forecast_record_flips, for each assumption
 *       finds the calculations at which one sibling overtakes another
 *   fsi_forecast_follow_subject, for each assumption
 *       examines the followed row and job at every collected calculation; records forecast points and events
 *   fsi_forecast_record_unmet_pairs, fsi_forecast_record_unmet_rivals
 *       record an event without a time for each sibling or neighbour job ahead that is not overtaken
 *   fsi_forecast_sort_events
 *       joins events that are equal under several assumptions
 * Between two collected calculations, the difference of two compared values changes its sign at most once, so
 * fsi_forecast_solve_crossing can search for the calculation at which the sign changes.
 *
 * A forecast owns its memory and borrows the snapshot and the evaluation. Functions that return int return 0 or the
 * error codes of fs_forecast_compute, unless stated otherwise. */
#ifndef FSI_FORECAST_FORECAST_H
#define FSI_FORECAST_FORECAST_H

#include "base/memory.h"
#include "base/error.h"
#include "usage/maui_windows.h"

#include "fs/forecast.h"
#include "fs/plan.h"
#include "fs/queue.h"

/* Number of a priority calculation (Maui: an iteration): 0 is the snapshot's time, k the k-th calculation after it. */
typedef int64_t fsi_calculation;

/* Two siblings of the tree. `a` is on the path to the root from the followed row, or from the row of a neighbour
 * job. */
struct fsi_sibling_pair {
	uint32_t a, b;
	double shares_a, shares_b;
	/* share row `a` is on the path from the followed row to the root, and the viewer may see share row `b` */
	bool own;
	bool is_next_ahead;  /* at the snapshot's time, row `b` is the sibling directly ahead of row `a` */
	unsigned passed_under; /* assumptions under which `a` overtakes `b`, as bits 1 << assumption */
};

/* maximum number of neighbour jobs on each side of the followed job (ahead of it, behind it) */
enum { FSI_RIVALS_PER_SIDE = 5 };

/* A neighbour job: a job near the followed job in scheduling order. */
struct fsi_rival_job {
	uint32_t job;
	bool ahead; /* this job is ahead of the followed job at the snapshot's time */
	bool wins_ties;  /* this job is ahead of the followed job if both have equal priority */
	/* the assumptions under which the followed job passes this job, as bits 1 << assumption */
	unsigned passed_under;
};

struct fsi_calculation_list {
	fsi_calculation *v;
	size_t n, cap;
};

/* Times of the priority calculations, and the decay of usage between them. */
struct fsi_forecast_clock {
	int64_t now;	     /* the snapshot's time */
	/* time of one priority calculation, seconds since the epoch; all other calculations are a multiple of period_s
	 * seconds earlier or later */
	int64_t base;
	int64_t period_s;    /* seconds from one priority calculation to the next */
	int64_t half_life_s; /* half-life of usage, seconds; 0: usage does not decay */
	/* number of calculations by which the usage_norm of accounts lags behind charges (fairshare/narrow.h) */
	fsi_calculation lag;
};

/* The end of the forecast, and the end of the search for events. */
struct fsi_forecast_range {
	fsi_calculation until;	 /* number of the priority calculation with which the forecast ends */
	fsi_calculation horizon; /* number of the last priority calculation searched for events */
	/* true: nothing cuts the search for events short. false: the search ends early because usage is reset, or
	 * because more than WINDOWS_MAX windows of Maui would have to be examined. */
	bool endless;
};

/* Numbers of the priority calculations that the forecast examines under the current assumption. */
struct fsi_forecast_calculations {
	/* priority calculations at which a function passed to fsi_forecast_solve_crossing may jump or suddenly change
	 * its slope. Between two consecutive calculations of this list, each such function is smooth. */
	struct fsi_calculation_list bend;
	struct fsi_calculation_list flip; /* priority calculations at which one sibling overtakes another */
	struct fsi_calculation_list end;  /* priority calculations at which running jobs end */
	/* priority calculations that the forecast examines for other reasons: calculations of the forecast points, and
	 * calculations at which an age factor becomes full, usage is reset, etc. */
	struct fsi_calculation_list mark;
};

struct fsi_cached_point {
	fsi_calculation k;
	struct fs_forecast_point point;
	bool known; /* false: the other members are not set */
};

struct fs_forecast {
	const fs_snapshot *m;
	struct fs_forecast_options o;
	struct fs_error *err;
	/* recorded usage, from which the forecast gets the times of calculations and the decay; NULL for Maui */
	fs_usage *recorded_usage;
	struct fsi_window_clock *windows; /* Maui: state of the usage windows, indexed by assumption; else NULL */
	struct fsi_forecast_clock clock;
	struct fsi_forecast_range range;
	int64_t reset; /* time of the first reset of usage; FS_UNKNOWN: none before the end of the forecast */
	uint32_t row;
	/* name of the partition whose priority row the forecast uses if the followed job has several priority rows;
	 * borrowed */
	const char *partition;
	uint32_t *parent;      /* indexed by share row: nearest ancestor with shares of its own; FS_NO_ROW: none */
	/* indexed by share row: true if the member `pair` has the pairs of this row and its siblings */
	bool *is_paired;
	/* indexed by share row: charges per second under the assumption FS_ASSUME_SHARES. Maui: indexed by credential,
	 * like the member `rate` of struct fsi_window_clock */
	double *rate;
	double running_rate; /* charges per second of all running jobs together */
	uint32_t *job; /* rows of the followed job and its neighbour jobs in the snapshot, ascending */
	size_t njobs;
	FSI_VEC(struct fsi_sibling_pair) pair;
	FSI_VEC(struct fsi_rival_job) rival;
	struct fsi_forecast_calculations calculations;
	FSI_VEC(struct fs_forecast_event) event;
	/* the points of the events, indexed by k modulo a constant; NULL: none yet */
	struct fsi_cached_point *point_cache[FS_ASSUMPTION_COUNT];
	struct fs_forecast_point *point[FS_ASSUMPTION_COUNT];
	bool is_constant[FS_ASSUMPTION_COUNT];
	struct fsi_arena arena;
};

/* ---- preparation: computes everything that does not depend on the assumption, for schedulers whose usage has a
 * half-life */

int fsi_forecast_prepare_decay(struct fs_forecast *f);
/* Steps of fsi_forecast_prepare_decay that the preparation for Maui also uses. fsi_forecast_list_jobs and
 * fsi_forecast_mark_points return -1 if out of memory. */
int fsi_forecast_list_jobs(struct fs_forecast *f);
int fsi_forecast_mark_points(struct fs_forecast *f);
int fsi_forecast_set_end(struct fs_forecast *f);

/* ---- usage, shares and priorities at a priority calculation, and the search for the calculation at which a function
 * changes its sign */

/* Parts of a state, in the order of their computation. To compute a part, all parts before it are computed first. */
enum fsi_forecast_part { FSI_STATE_USAGE, FSI_STATE_SHARES, FSI_STATE_PRIOS };

struct fsi_forecast_state {
	fs_usage *usage;
	fs_shares *shares;
	fs_prios *prios; /* priorities of the followed job and its neighbour jobs */
};

/* Computes usage, shares and priorities at priority calculation number k, under the assumption `a` about future usage.
 * Stops after `part`. The caller releases *out, also after an error. */
int fsi_forecast_compute_state(struct fs_forecast *f, enum fs_assumption a, fsi_calculation k,
			       enum fsi_forecast_part part, struct fsi_forecast_state *out);
void fsi_forecast_release_state(struct fsi_forecast_state *s);

int64_t fsi_forecast_time_of(const struct fs_forecast *f, fsi_calculation k);
/* Returns the number of the first priority calculation at or after time t. */
fsi_calculation fsi_forecast_calculation_at(const struct fs_forecast *f, int64_t t);

/* Returns the index in p of the job's row for partition f->partition. If there is no such row, returns the index of the
 * job's first row; FS_NO_ROW: the job has no row. */
size_t fsi_forecast_find_job_row(const struct fs_forecast *f, const fs_prios *p, uint32_t job);

/* Returns the row of s->shares that is the followed row; NULL: none. */
const struct fs_share_row *fsi_forecast_find_share(const struct fs_forecast *f, const struct fsi_forecast_state *s);

/* Returns the forecast point at calculation k: factor, rank and usage of the followed row, and priority of the followed
 * job. `s`: state at calculation k, with usage, shares and priorities. */
struct fs_forecast_point fsi_forecast_make_point(const struct fs_forecast *f, const struct fsi_forecast_state *s,
						 fsi_calculation k);

/* Callback. Sets *g to the difference of two values at calculation k, for example the priority of one job minus the
 * priority of another. Returns 0 or an error code. */
typedef int (*fsi_forecast_fn)(void *ctx, fsi_calculation k, double *g);

/* Sets *out to the first calculation in (lo, hi] at which the function `fn` has the sign of `g_hi`. The function must
 * change its sign once between lo and hi. The search is fastest if the function is linear in the decay of usage
 * (`by_decay` true) or in time (`by_decay` false). */
int fsi_forecast_solve_crossing(struct fs_forecast *f, fsi_forecast_fn fn, void *ctx, bool by_decay, fsi_calculation lo,
				double g_lo, fsi_calculation hi, double g_hi, fsi_calculation *out);
static inline int fsi_get_sign(double g)
{
	return (g > 0) - (g < 0);
}

/* Adds priority calculation number k to a list, unless k is greater than f->range.horizon. Returns -1 if out of
 * memory. */
int fsi_forecast_add_calculation(const struct fs_forecast *f, struct fsi_calculation_list *to, fsi_calculation k);
/* Adds the priority calculations k - 1 and k to a list, each with fsi_forecast_add_calculation. Returns -1 if out of
 * memory. */
int fsi_forecast_add_change(const struct fs_forecast *f, struct fsi_calculation_list *to, fsi_calculation k);
/* Sorts a list of numbers of priority calculations and removes duplicates. */
void fsi_forecast_sort_calculations(struct fsi_calculation_list *m);

/* Fills e->before and e->after with the values of the followed row and job at calculations k - 1 and k. */
int fsi_forecast_fill_event(struct fs_forecast *f, enum fs_assumption a, fsi_calculation k,
			    struct fs_forecast_event *e);

/* ---- pairs of siblings: the sibling with less usage per share is ahead */

/* For each row on the path from `row` to the root, adds the pairs (struct fsi_sibling_pair) of this row and its
 * siblings. `own`: true if `row` is the row that the forecast follows. Returns -1 if out of memory. */
int fsi_forecast_add_pairs(struct fs_forecast *f, uint32_t row, bool own);
/* Finds the priority calculations at which one sibling overtakes another, and adds them to f->calculations.flip.
 * Records an event if one of the siblings is on the path from the followed row to the root. */
int fsi_forecast_record_flips(struct fs_forecast *f, enum fs_assumption a);
/* Looks at each row on the path from the followed row to the root. If the row has not passed the sibling directly ahead
 * of it when the horizon is reached, records an event (FS_FORECAST_PASSES) without a time. Returns -1 if out of
 * memory. */
int fsi_forecast_record_unmet_pairs(struct fs_forecast *f);

/* ---- order of two jobs */

/* Returns a positive value if the neighbour job *r is ahead of the followed job, a negative value if *r is behind the
 * followed job; NAN: unknown. */
double fsi_forecast_rival_lead(const struct fs_forecast *f, const fs_prios *p, const struct fsi_rival_job *r);
/* Returns true if queue record a is ahead of queue record b at equal priority, according to the other sort keys of the
 * queue. */
bool fsi_forecast_is_record_ahead(const fs_queue *q, size_t a, size_t b);

/* ---- the forecast points of the followed row and job, and the neighbour jobs */

int fsi_forecast_find_rivals(struct fs_forecast *f);
/* Computes the values of all forecast points. Records events of the followed job, and of the factor, rank and usage of
 * the followed row. */
int fsi_forecast_follow_subject(struct fs_forecast *f, enum fs_assumption a);
int fsi_forecast_record_unmet_rivals(struct fs_forecast *f);

/* ---- events */

enum { FSI_ALL_ASSUMPTIONS = (1u << FS_ASSUMPTION_COUNT) - 1 };

/* Returns an event without a time, for the followed job. The caller sets the time, and the other members that this kind
 * of event has, such as `own` and `other_job`. */
struct fs_forecast_event fsi_forecast_make_event(const struct fs_forecast *f, unsigned assumptions,
						 enum fs_forecast_kind kind);
/* Adds an event to f->event. Returns -1 if out of memory. */
int fsi_forecast_record_event(struct fs_forecast *f, const struct fs_forecast_event *e);
/* Sorts f->event, and joins events that are equal except for their assumptions. */
void fsi_forecast_sort_events(struct fs_forecast *f);
/* Returns true if it is certain that no event occurs after the horizon under assumption `a`. */
bool fsi_forecast_is_exact(const struct fs_forecast *f, enum fs_assumption a);

#endif
