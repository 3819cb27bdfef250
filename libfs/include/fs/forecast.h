/* Forecast: how fair-share factors, ranks and priorities change with time, under each of four assumptions about future
 * use. */
#ifndef FS_FORECAST_H
#define FS_FORECAST_H

#include <fs/eval.h>

FS_BEGIN_DECLS

/* Future values of a share row, a job, or both, at several points in time, and events such as a change of rank. */
typedef struct fs_forecast fs_forecast;

/* Assumptions about future usage. SHARES: the current sum of charges per second continues for ever, divided among users
 * by their shares. */
#define FS_ASSUMPTIONS(X)                                          \
	X(IDLE, "idle", "no job runs from now on")                 \
	X(RUNNING, "running", "running jobs use their time limits") \
	X(AS_NOW, "as_now", "current usage rates continue")        \
	X(SHARES, "shares", "current usage is split by shares")
#define FS_ASSUMPTION_ENUM(tag, name, text) FS_ASSUME_##tag,
enum fs_assumption { FS_ASSUMPTIONS(FS_ASSUMPTION_ENUM) FS_ASSUMPTION_COUNT };
#undef FS_ASSUMPTION_ENUM
FS_API const char *fs_assumption_name(enum fs_assumption a); /* "idle" */
FS_API const char *fs_assumption_text(enum fs_assumption a); /* a clause, such as "no job runs from now on" */

/* What a forecast follows (a share row, a job, or both), and its time span. */
struct fs_forecast_options {
	size_t size; /* size of this struct in bytes; FS_FORECAST_OPTIONS_INIT sets it */
	struct fs_view view;	    /* view on the snapshot; the member `usage` of the view is ignored */
	/* evaluation of `view` at the snapshot's time; must have `shares`, and if a job is followed also `prios` and
	 * `queue` */
	const struct fs_eval *eval;
	int64_t until;		    /* end of the forecast, seconds since the epoch; after the snapshot's time */
	/* number of points in time, at least 2, including the snapshot's time and `until` */
	size_t points;
	uint32_t share_row;	    /* share row to follow; FS_NO_ROW: the share row of the job */
	uint32_t job_row;	    /* job to follow; FS_NO_ROW: no job */
	/* factor that the row should reach from below; reaching it is an event; 0: no goal */
	double goal_factor;
	uint32_t goal_rank;	    /* rank that the row should reach; reaching it is an event; 0: no goal */
};
#define FS_FORECAST_OPTIONS_INIT FS_INIT(struct fs_forecast_options)

/* Values of the share row and the job at one time. NAN in a member, or 0 in `rank`: no value. */
struct fs_forecast_point {
	int64_t time; /* time of a priority calculation (Maui: an iteration); the first point has the snapshot's time */
	double fairshare, priority; /* fairshare: factor of the row; priority: stored priority of the job */
	uint32_t rank; /* rank of the share row, as in struct fs_share_row */
	double usage;  /* usage of the row as a fraction of all usage: effective_usage in struct fs_share_row */
};

/* Kinds of future events. */
#define FS_FORECAST_EVENTS(X)                                                                    \
	X(AGE_FULL, "age_full")	      /* the job's age factor reaches 1 */                       \
	X(HALF, "half") /* the factor reaches 0.5; if the algorithm ranks users, there is no such event */             \
	X(GOAL, "goal")		      /* factor or rank reaches its goal, possibly later than `until` */ \
	X(PASSES, "passes")	      /* `own`, on the path from the row to the root, overtakes its sibling `other` */ \
	X(PASSED, "passed")	      /* `other` overtakes its sibling `own` */                  \
	X(JOB_PASSES, "job_passes")   /* the job overtakes other_job */                          \
	X(JOB_PASSED, "job_passed")                                                              \
	X(TARGET, "target")		    /* the row's usage falls below its target, or rises above it */ \
	X(WINDOW_LEAVES, "window_leaves")   /* Maui: a window that has usage at the snapshot's time no longer counts */
#define FS_FORECAST_ENUM(tag, name) FS_FORECAST_##tag,
enum fs_forecast_kind { FS_FORECAST_EVENTS(FS_FORECAST_ENUM) FS_FORECAST_COUNT };
#undef FS_FORECAST_ENUM
FS_API const char *fs_forecast_kind_name(enum fs_forecast_kind kind); /* "age_full" */

/* An event of a forecast. */
struct fs_forecast_event {
	enum fs_forecast_kind kind; /* kind of the event */
	/* set of bits 1 << assumption: the assumptions under which the event occurs at this time with these values */
	unsigned assumptions;
	/* time of the first priority calculation that shows the event; FS_UNKNOWN: the event does not occur */
	int64_t time;
	bool never;	      /* the event never occurs, not even later than `until`; `time` is FS_UNKNOWN */
	uint32_t own, other;  /* own: followed share row, or a row above it; other: sibling of `own`; FS_NO_ROW: none */
	/* job: followed job; other_job: job that it overtakes, or that overtakes it; FS_NO_ROW: none */
	uint32_t job, other_job;
	/* Values at the last priority calculation before the event, and at the calculation that shows the event. For a
	 * GOAL that is not reached, `before` and `after` both have the values at the last calculation of the forecast.
	 * For other events that do not occur, all members are 0. For AGE_FULL and WINDOW_LEAVES, all members are always
	 * 0. */
	struct fs_forecast_point before, after;
	int64_t window; /* WINDOW_LEAVES: start of the Maui window; else 0 */
	/* WINDOW_LEAVES: usage in the window that starts at `window`. usage_s: usage of the followed row, NAN if the
	 * row has no usage of its own; total_s: usage of all credentials. Both are NAN if the window is not over at
	 * the snapshot's time. */
	double usage_s, total_s;
};

/* Sets *out to a suitable end of a forecast: two half-lives of usage after the snapshot, or 14 days if usage does not
 * decay. Maui: (FSDEPTH + 1) * FSINTERVAL after the snapshot; by then, the windows of the snapshot no longer count.
 * Errors: FS_ENOMEM; FS_EDATA for settings that are not numbers. */
FS_API int fs_forecast_default_until(const fs_snapshot *s, int64_t *out, struct fs_error *err);

/* Computes a forecast. Only usage and age change with time; pending jobs, shares and weights stay the same. An event
 * has the time of the first priority calculation that shows it. Special rules for Maui:
 *   - The share row may be that of any credential. If only a job is given, the forecast follows the credential whose
 *     fair share has the most weight in the job's priority.
 *   - FS_ASSUME_SHARES: a credential with a target of P percent gets P percent of the charges of all running jobs.
 *   - The forecast does not show which other jobs the job overtakes.
 * The forecast borrows from the snapshot and the evaluation. Errors: FS_EUSAGE if `until` is not after the snapshot's
 * time; FS_ENODATA if usage or the job's position is unknown; FS_ENOMEM. */
FS_API int fs_forecast_compute(fs_forecast **out, const fs_snapshot *s, const struct fs_forecast_options *options,
			       struct fs_error *err);
FS_API void fs_forecast_free(fs_forecast *f); /* `f` may be NULL */

FS_API size_t fs_forecast_points(const fs_forecast *f); /* number of points in time for each assumption */
/* Returns point `i` under assumption `a`. The points are in order of time and borrowed from `f`. */
FS_API const struct fs_forecast_point *fs_forecast_point(const fs_forecast *f, enum fs_assumption a, size_t i);
/* Returns the number of events. Events are sorted by time; events that do not occur are last. */
FS_API size_t fs_forecast_events(const fs_forecast *f);
/* Returns event i, borrowed from f; NULL past the end. */
FS_API const struct fs_forecast_event *fs_forecast_event(const fs_forecast *f, size_t i);
/* Returns the share row that the forecast follows; FS_NO_ROW: none. */
FS_API uint32_t fs_forecast_row(const fs_forecast *f);
/* Returns the amount that all running jobs together are charged per second. Unit: TRES seconds; in Maui the unit of
 * FSPOLICY. */
FS_API double fs_forecast_rate(const fs_forecast *f);
/* Returns the time of the first usage reset before the end of the forecast; FS_UNKNOWN: none. */
FS_API int64_t fs_forecast_reset(const fs_forecast *f);
/* Returns a phrase that names a subject which the forecast leaves out, such as "which other jobs this job passes".
 * NULL: the forecast leaves out nothing. */
FS_API const char *fs_forecast_unmodelled(const fs_forecast *f);
/* Returns true if usage decays by a half-life. Returns false for Maui, whose usage is in windows. */
FS_API bool fs_forecast_decays(const fs_forecast *f);
/* Returns true if factor and rank of the row never change under assumption `a`. */
FS_API bool fs_forecast_is_constant(const fs_forecast *f, enum fs_assumption a);

FS_END_DECLS

#endif
