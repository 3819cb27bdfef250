/* What the files of a forecast share. */
#ifndef FSI_FORECAST_FORECAST_H
#define FSI_FORECAST_FORECAST_H

#include "base/memory.h"
#include "base/error.h"
#include "base/vec.h"
#include "usage/maui_windows.h"

#include "fs/forecast.h"
#include "fs/plan.h"
#include "fs/queue.h"

/* The moments of a forecast are numbered: 0 is the snapshot's time, k the k-th calculation of priorities after it; of
 * Maui, the k-th iteration. */
typedef int64_t fsi_moment;

/* Two siblings of the tree; a is on the way from the subject's row, or from that of a rival, to the root. */
struct fsi_pair {
	uint32_t a, b;
	double shares_a, shares_b;
	bool own;   /* a is on the subject's way */
	bool next;  /* b is the one right before a now */
	unsigned met; /* bits of the assumptions under which a passes b */
};

enum { FSI_NEAR = 5 }; /* so many jobs on either side are followed */

/* A job close to the subject's in the order in which jobs are tried. */
struct fsi_rival {
	uint32_t job;
	bool ahead; /* now */
	bool wins;  /* it goes first at equal priority */
	unsigned met; /* bits of the assumptions under which it is passed */
};

struct fsi_moments {
	fsi_moment *v;
	size_t n, cap;
};

struct fs_forecast {
	const fs_snapshot *m;
	struct fs_forecast_options o;
	struct fs_error *err;
	fs_usage *clock; /* as recorded: has the runs and the decay */
	struct fsi_window_clock *windows; /* Maui's, by assumption, which takes the place of clock; else NULL */
	int64_t now, base, period_s, half_life_s;
	fsi_moment until, horizon; /* horizon: as good as for ever, if endless */
	fsi_moment lag; /* so many calculations later accounts have what a calculation charged: fairshare/narrow.h */
	bool endless;
	int64_t reset; /* the first there is; FS_UNKNOWN */
	uint32_t row;
	const char *partition; /* of the job's row that is followed */
	uint32_t *parent;      /* by share row: the nearest one above that has shares of its own; FS_NO_ROW */
	bool *paired;	       /* by share row: it is the first of all its pairs */
	double *rate;	       /* by share row, if all use their shares; of windows as fsi_window_clock has it */
	double running;
	uint32_t *job; /* the job and its rivals, rising */
	size_t njobs;
	FSI_VEC(struct fsi_pair) pair;
	FSI_VEC(struct fsi_rival) rival;
	/* Moments under the assumption at hand: `bend` those between which its functions are smooth, `flip` those at
	 * which siblings pass each other, `end` those at which running jobs end, `mark` the rest: points, full ages,
	 * resets. */
	struct fsi_moments bend, flip, end, mark;
	FSI_VEC(struct fs_forecast_event) event;
	struct fs_forecast_point *point[FS_ASSUMPTION_COUNT];
	bool still[FS_ASSUMPTION_COUNT];
	struct fsi_arena arena;
};

/* ---- all but the assumptions, where usage has a half-life. Error codes of fs_forecast_compute. */

int fsi_forecast_prepare(struct fs_forecast *f);
/* Parts of it. The first two: -1 without memory. */
int fsi_forecast_list_jobs(struct fs_forecast *f);
int fsi_forecast_mark_points(struct fs_forecast *f);
int fsi_forecast_take_until(struct fs_forecast *f);

/* ---- states at moments, and the place where functions of time meet */

/* The parts of a state that are wanted; each needs those before it. */
enum fsi_state_part { FSI_STATE_USAGE, FSI_STATE_SHARES, FSI_STATE_PRIOS };

struct fsi_state {
	fs_usage *usage;
	fs_shares *shares;
	fs_prios *prios; /* of the job and its rivals */
};

/* Error codes of fs_forecast_compute; released by the caller in any case. */
int fsi_forecast_state(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, enum fsi_state_part part,
		       struct fsi_state *out);
void fsi_forecast_release(struct fsi_state *s);

int64_t fsi_forecast_time(const struct fs_forecast *f, fsi_moment k);
/* The first moment not before t. */
fsi_moment fsi_forecast_moment(const struct fs_forecast *f, int64_t t);

/* The row of the job in a state, in the partition that is followed if it has one there; FS_NO_ROW. */
size_t fsi_forecast_row_of(const struct fs_forecast *f, const fs_prios *p, uint32_t job);

/* The subject's row of shares in a state; NULL none. */
const struct fs_share_row *fsi_forecast_share(const struct fs_forecast *f, const struct fsi_state *s);

/* What the subject is and has in a state with all parts. */
struct fs_forecast_point fsi_forecast_point(const struct fs_forecast *f, const struct fsi_state *s, fsi_moment k);

/* A function of time whose sign says who goes first. Error codes of fs_forecast_compute. */
typedef int (*fsi_forecast_fn)(void *ctx, fsi_moment k, double *g);

/* The first moment between lo and hi at which the function has its sign at hi, which is not that at lo, if it
 * changes sign once. It is found at once where the function is linear in usage's decay or, with by_decay false, in
 * time. */
int fsi_forecast_solve(struct fs_forecast *f, fsi_forecast_fn fn, void *ctx, bool by_decay, fsi_moment lo, double g_lo,
		       fsi_moment hi, double g_hi, fsi_moment *out);
static inline int fsi_sign(double g)
{
	return (g > 0) - (g < 0);
}

/* Adds a moment within the horizon. -1 without memory. */
int fsi_forecast_note_one(const struct fs_forecast *f, struct fsi_moments *to, fsi_moment k);
/* Adds the moment and the one before it. */
int fsi_forecast_note(const struct fs_forecast *f, struct fsi_moments *to, fsi_moment k);
/* Sorts the moments and drops those that come twice. */
void fsi_forecast_sort(struct fsi_moments *m);

/* Fills the event with the subject as it is at the moment before and at that one. Error codes. */
int fsi_forecast_look(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, struct fs_forecast_event *e);

/* ---- siblings, whose order is that of usage over shares */

/* Those on the way from the row to the root. -1 without memory. */
int fsi_forecast_add_pairs(struct fs_forecast *f, uint32_t row, bool own);
/* Records where siblings pass each other: those of the subject as events, all as moments to look at. Error codes. */
int fsi_forecast_flips(struct fs_forecast *f, enum fs_assumption a);
/* Notes the siblings right ahead now that are never passed. -1 without memory. */
int fsi_forecast_unmet_pairs(struct fs_forecast *f);

/* ---- which of two jobs goes first */

/* Positive where the rival goes first; NAN unknown. */
double fsi_forecast_lead(const struct fs_forecast *f, const fs_prios *p, const struct fsi_rival *r);
/* Does record a go before b at equal priority, by the queue's own keys? */
bool fsi_forecast_goes_first(const fs_queue *q, size_t a, size_t b);

/* ---- the subject's points, and the jobs near it */

int fsi_forecast_find_rivals(struct fs_forecast *f);
/* Fills points, and events of jobs and of the factor. Error codes. */
int fsi_forecast_follow(struct fs_forecast *f, enum fs_assumption a);
int fsi_forecast_unmet_rivals(struct fs_forecast *f);

/* ---- events.c */

enum { FSI_ALL_ASSUMPTIONS = (1u << FS_ASSUMPTION_COUNT) - 1 };

/* An event of the subject's job, without a time or anybody else. */
struct fs_forecast_event fsi_forecast_event(const struct fs_forecast *f, unsigned assumptions,
					    enum fs_forecast_kind kind);
/* Adds it. -1 without memory. */
int fsi_forecast_record(struct fs_forecast *f, const struct fs_forecast_event *e);
/* Joins those that are the same under several assumptions, and sorts them. */
void fsi_forecast_sort_events(struct fs_forecast *f);
/* Is what does not come until the horizon out of reach for ever? */
bool fsi_forecast_exact(const struct fs_forecast *f, enum fs_assumption a);

#endif
