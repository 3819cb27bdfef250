/* What the files of a forecast share. */
#ifndef FSI_FORECAST_H
#define FSI_FORECAST_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <fs/forecast.h>

/* The moments of a forecast are numbered: 0 is the snapshot's time, k the k-th calculation of priorities after it. */
typedef int64_t fsi_moment;

/* Two siblings of the tree, a on the way from the subject's row or from that of a rival. */
struct fsi_pair {
	uint32_t a, b;
	double shares_a, shares_b;
	bool own;   /* a is on the subject's way */
	bool next;  /* b is the one right before a now */
	unsigned met; /* bits of the assumptions under which a passes b */
};

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
	int64_t now, base, period_s, half_life_s;
	fsi_moment until, horizon; /* horizon: as good as for ever, if endless */
	bool endless;
	uint32_t row;
	const char *partition; /* of the job's row that is followed */
	uint32_t *parent;      /* by share row, the next one upwards that has shares of its own; FS_NO_ROW */
	double *rate;	       /* by share row, if all use their shares */
	double running;
	uint32_t *job; /* the job and its rivals, rising */
	size_t njobs;
	FSI_VEC(struct fsi_pair) pair;
	FSI_VEC(struct fsi_rival) rival;
	/* Of the assumption at hand the moments between which its functions are smooth, those at which siblings pass
	 * each other, and of all the ends of running jobs, and the rest: points, full ages, resets. */
	struct fsi_moments bend, flip, end, mark;
	FSI_VEC(struct fs_forecast_event) event;
	struct fs_forecast_point *point[FS_ASSUMPTION_COUNT];
	bool still[FS_ASSUMPTION_COUNT];
	struct fsi_arena arena;
};

/* ---- prepare.c: all but the assumptions. Error codes of fs_forecast_compute. */

int fsi_forecast_prepare(struct fs_forecast *f);

/* ---- clock.c: states at moments, and the place where functions of time meet */

/* What of a state is wanted: each with those before it. */
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

/* Point of the subject in a state with all parts. */
struct fs_forecast_point fsi_forecast_point(const struct fs_forecast *f, const struct fsi_state *s, fsi_moment k);

/* A function of time whose sign says who is first; error codes of fs_forecast_compute. */
typedef int (*fsi_forecast_fn)(void *ctx, fsi_moment k, double *g);

/* Of a function that has one sign at lo and another one at hi: the first moment between them at which it has that of
 * hi, if it changes once. Linear in usage's decay or, with by_decay false, in time, it is met at once. */
int fsi_forecast_solve(struct fs_forecast *f, fsi_forecast_fn fn, void *ctx, bool by_decay, fsi_moment lo, double g_lo,
		       fsi_moment hi, double g_hi, fsi_moment *out);
static inline int fsi_sign(double g)
{
	return (g > 0) - (g < 0);
}

/* Adds a moment within the horizon. -1 without memory. */
int fsi_forecast_note_one(const struct fs_forecast *f, struct fsi_moments *to, fsi_moment k);
/* And the one before it. */
int fsi_forecast_note(const struct fs_forecast *f, struct fsi_moments *to, fsi_moment k);
/* In their order, each once. */
void fsi_forecast_sort(struct fsi_moments *m);

/* The subject at the moment before and at that one, into the event. Error codes. */
int fsi_forecast_look(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, struct fs_forecast_event *e);

/* ---- pairs.c: siblings, whose order is that of usage over shares */

/* Those on the way from the row to the root. -1 without memory. */
int fsi_forecast_add_pairs(struct fs_forecast *f, uint32_t row, bool own);
/* Where they pass each other: events of those of the subject, bends at all of them. Error codes. */
int fsi_forecast_flips(struct fs_forecast *f, enum fs_assumption a);
/* Of those right ahead now that are never passed. -1 without memory. */
int fsi_forecast_unmet_pairs(struct fs_forecast *f);

/* ---- rivals.c: the subject's points, and the jobs near it */

int fsi_forecast_find_rivals(struct fs_forecast *f);
/* Fills points, and events of jobs and of the factor. Error codes. */
int fsi_forecast_follow(struct fs_forecast *f, enum fs_assumption a);
int fsi_forecast_unmet_rivals(struct fs_forecast *f);

/* ---- events.c */

/* Adds the event, to one that is there already under another assumption if it is the same. -1 without memory. */
int fsi_forecast_record(struct fs_forecast *f, const struct fs_forecast_event *e);
void fsi_forecast_sort_events(struct fs_forecast *f);
/* Is what does not come until the horizon out of reach for ever? */
bool fsi_forecast_exact(const struct fs_forecast *f, enum fs_assumption a);

#endif
