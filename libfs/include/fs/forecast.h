/* How factors, ranks and priorities move as time passes if nothing is done: under four assumptions of what runs. */
#ifndef FS_FORECAST_H
#define FS_FORECAST_H

#include <fs/eval.h>

FS_BEGIN_DECLS

/* Points and events of a row of shares, of a job, or of both. */
typedef struct fs_forecast fs_forecast;

/* SHARES: what runs now goes on for ever, and is divided among the users by their shares. */
#define FS_ASSUMPTIONS(X)                                          \
	X(IDLE, "idle", "nothing more runs")                       \
	X(RUNNING, "running", "running jobs go on to their limits") \
	X(AS_NOW, "as_now", "everybody goes on as now")            \
	X(SHARES, "shares", "all use their shares")
#define FS_ASSUMPTION_ENUM(tag, name, text) FS_ASSUME_##tag,
enum fs_assumption { FS_ASSUMPTIONS(FS_ASSUMPTION_ENUM) FS_ASSUMPTION_COUNT };
#undef FS_ASSUMPTION_ENUM
FS_API const char *fs_assumption_name(enum fs_assumption a); /* "idle" */
FS_API const char *fs_assumption_text(enum fs_assumption a); /* "nothing more runs" */

/* What is looked at, and how far ahead. */
struct fs_forecast_options {
	size_t size; /* FS_FORECAST_OPTIONS_INIT */
	struct fs_view view;	    /* its usage says nothing here */
	const struct fs_eval *eval; /* of that view, at the snapshot's time; with shares, and for a job with the rest */
	int64_t until;		    /* after the snapshot's time */
	size_t points;		    /* at least 2, now and until among them */
	uint32_t share_row;	    /* FS_NO_ROW: that of the job */
	uint32_t job_row;	    /* FS_NO_ROW: of no job */
	double goal_factor;	    /* an event when the row's factor comes from below it to it; 0: of none */
	uint32_t goal_rank;	    /* likewise of the rank */
};
#define FS_FORECAST_OPTIONS_INIT FS_INIT(struct fs_forecast_options)

/* The row and the job at a time; NAN, rank 0: it has none. */
struct fs_forecast_point {
	int64_t time; /* of a calculation of priorities, of Maui an iteration; the first is the snapshot's */
	double fairshare, priority; /* factor of the row, stored priority of the job */
	uint32_t rank; /* of the row, as in struct fs_share_row */
	double usage;  /* the row's part of all usage, effective_usage of struct fs_share_row */
};

/* What may happen meanwhile. */
#define FS_FORECAST_EVENTS(X)                                                                    \
	X(AGE_FULL, "age_full")	      /* the job's age factor reaches 1 */                       \
	X(HALF, "half")		      /* the factor reaches 0.5, from below or above; where it is no rank */ \
	X(GOAL, "goal")		      /* factor or rank reach the goal; looked for beyond the end of the forecast too */ \
	X(PASSES, "passes")	      /* own, on the way from the row to the root, passes other, its sibling */ \
	X(PASSED, "passed")	      /* the other way round */                                  \
	X(JOB_PASSES, "job_passes")   /* the job goes before the other job */                    \
	X(JOB_PASSED, "job_passed")                                                              \
	X(TARGET, "target")		    /* the row's use gets below its target, or above it */ \
	X(WINDOW_LEAVES, "window_leaves")   /* a window that has usage now counts no more */
#define FS_FORECAST_ENUM(tag, name) FS_FORECAST_##tag,
enum fs_forecast_kind { FS_FORECAST_EVENTS(FS_FORECAST_ENUM) FS_FORECAST_COUNT };
#undef FS_FORECAST_ENUM
FS_API const char *fs_forecast_kind_name(enum fs_forecast_kind kind); /* "age_full" */

/* The first time that something happens. */
struct fs_forecast_event {
	enum fs_forecast_kind kind; /* what happens */
	unsigned assumptions; /* bit 1 << assumption for each under which it comes then, and so */
	int64_t time;	      /* of the first calculation that shows it; FS_UNKNOWN: it does not come */
	bool never;	      /* without a time: not after the end of the forecast either */
	uint32_t own, other;  /* share rows; FS_NO_ROW none */
	uint32_t job, other_job; /* job rows; FS_NO_ROW none */
	/* What the row and the job have at the calculation before, and at that one. An event that does not come has
	 * none, but for a goal that is not reached: how far they get until time has no more to give, or the forecast
	 * ends. */
	struct fs_forecast_point before, after;
	int64_t window; /* of WINDOW_LEAVES: its start; else 0 */
	double usage_s, total_s; /* what the row, and all, used in it; NAN: it is not over yet, or there is no row */
};

/* A time to which a forecast may well look: two half-lives of usage from the snapshot's, 14 days where it does not
 * decay, of Maui until every window of now counts no more. Errors: FS_ENOMEM; FS_EDATA for settings that are no
 * numbers. */
FS_API int fs_forecast_default_until(const fs_snapshot *s, int64_t *out, struct fs_error *err);

/* What moves follows from the decay of usage and from age alone: jobs, shares and weights stay as they are. The
 * times are those of calculations of priorities, found by solving for the place where two of its functions of time
 * meet between the moments at which these bend: ends of running jobs, full ages, resets of usage, ranks that
 * change; of Maui ends of windows and targets. Which other jobs a Maui job passes is not
 * modelled. Of Maui a row may be any credential; "all use their shares"
 * gives each that has a target so many percent of what runs, and a job's row is the credential whose fair share
 * weighs most.
 * Errors: FS_EUSAGE for a time that is not after the snapshot's, FS_ENODATA where usage is unknown, or the place
 * of the job is not known; FS_ENOMEM. Borrows from the snapshot and the evaluation. */
FS_API int fs_forecast_compute(fs_forecast **out, const fs_snapshot *s, const struct fs_forecast_options *options,
			       struct fs_error *err);
FS_API void fs_forecast_free(fs_forecast *f); /* NULL is fine */

FS_API size_t fs_forecast_points(const fs_forecast *f); /* of each assumption */
/* The points by time. */
FS_API const struct fs_forecast_point *fs_forecast_point(const fs_forecast *f, enum fs_assumption a, size_t i);
/* The events by time, those that do not come last. */
FS_API size_t fs_forecast_events(const fs_forecast *f);
FS_API const struct fs_forecast_event *fs_forecast_event(const fs_forecast *f, size_t i); /* borrowed from f */
/* The row of shares that is followed; FS_NO_ROW: of none. */
FS_API uint32_t fs_forecast_row(const fs_forecast *f);
/* TRES seconds a second, of Maui what FSPOLICY counts, that running jobs are charged now. */
FS_API double fs_forecast_rate(const fs_forecast *f);
/* When usage is reset first, until the end of the forecast; FS_UNKNOWN: it is not. */
FS_API int64_t fs_forecast_reset(const fs_forecast *f);
/* What this forecast does not model, as part of a sentence: "which other jobs this job passes, ..."; NULL: nothing is
 * known to be missing. */
FS_API const char *fs_forecast_unmodelled(const fs_forecast *f);
/* Does usage decay by a half-life? Windows (Maui) have none. */
FS_API bool fs_forecast_decays(const fs_forecast *f);
/* Does nothing move under the assumption, so that factor and rank stay the same for ever? */
FS_API bool fs_forecast_still(const fs_forecast *f, enum fs_assumption a);

FS_END_DECLS

#endif
