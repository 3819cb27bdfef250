/* Solver: finds the shares or the usage with which a share row reaches a goal. Also computes the row's standing after a
 * charge or with new hardware. The standing of a row is its factor, rank, level_fs and so on. In Maui all functions
 * fail with FS_ENODATA, because Maui has targets and windows instead of shares. */
#ifndef FS_SOLVE_H
#define FS_SOLVE_H

#include <fs/forecast.h>
#include <fs/shares.h>

FS_BEGIN_DECLS

/* Kinds of goals. `value` is a member of fs_solve_options. */
enum fs_goal {
	FS_GOAL_FACTOR, /* the fair-share factor is at least `value` */
	FS_GOAL_RANK,	/* the rank is at least `value`; the best rank is the number of users */
	FS_GOAL_LEVEL	/* level_fs is at least `value`; an error if the algorithm does not define level_fs */
};

/* The goal of fs_solve_shares or fs_solve_usage, and the rows whose shares or usage may change. */
struct fs_solve_options {
	size_t size; /* size of this struct in bytes; FS_SOLVE_OPTIONS_INIT sets it */
	/* viewer, algorithm and other settings for computing the results; `view.usage` is ignored */
	struct fs_view view;
	uint32_t row;	     /* row of fs_shares that should reach the goal */
	uint32_t of;	     /* row whose shares or usage change; FS_NO_ROW: the same as `row` */
	/* Sibling of the row `of`. The sum of the shares of both rows stays constant: each share that one row gains is
	 * taken from the other row. FS_NO_ROW: no sibling changes. */
	uint32_t from;
	enum fs_goal goal; /* kind of goal */
	double value;	     /* value that the goal requires: a factor, rank or level_fs */
	fs_note_fn note;     /* receives notes on a command, as in fs_snapshot_edit; NULL: no callback */
	void *note_ctx; /* pointer that the library passes to `note` as its first argument */
};
#define FS_SOLVE_OPTIONS_INIT FS_INIT(struct fs_solve_options)

/* Shares, usage and fair-share factor of a share row, before or after a change (enum fs_solve). Members have the same
 * names as in struct fs_share_row. */
struct fs_standing {
	/* the same values as in struct fs_share_row; NAN: the value is unknown, or the row has none */
	double norm_shares, raw_usage, norm_usage, effective_usage, level_fs, fairshare;
	uint32_t rank; /* 0: none */
};

/* Indices of arrays in struct fs_solution. In the comments below, an amount is a number of shares, or usage in TRES
 * seconds. */
enum fs_solve {
	FS_SOLVE_NOW,  /* the present amount, before any change */
	/* The amount after the change. In a search, it is the smallest number of shares or the greatest usage that
	 * reaches the goal. If no amount reaches the goal, it is the greatest number of shares or a usage of 0. */
	FS_SOLVE_THEN,
	/* nearest amount that misses the goal: the amount of FS_SOLVE_THEN minus 1 share or plus 1 TRES second */
	FS_SOLVE_SHORT,
	FS_SOLVE_COUNT
};

enum { FS_SOLVE_COMMAND = 512 }; /* size of the buffer for a command, bytes */

/* Result of a search or computation. The arrays have one element for each member of enum fs_solve (such as before and
 * after the change): the amount, or the row's factor, rank and other values with that amount. */
struct fs_solution {
	bool possible;	/* false: no amount reaches the goal */
	/* true: the elements FS_SOLVE_SHORT of the arrays are set. false: these elements have no values, because every
	 * amount reaches the goal, no amount reaches it, or the function ignores the goal */
	bool bounded;
	/* indexed by enum fs_solve: raw shares or TRES seconds of usage of the row `of`; NAN: none */
	double amount[FS_SOLVE_COUNT];
	/* indexed by enum fs_solve: raw shares of the sibling `from` in fs_solve_options; NAN: none */
	double from[FS_SOLVE_COUNT];
	/* indexed by enum fs_solve: factor, rank and other values of the row `row` in fs_solve_options */
	struct fs_standing at[FS_SOLVE_COUNT];
	char command[2][FS_SOLVE_COMMAND];    /* commands that make the change; "": none */
};

/* Finds the smallest number of shares, at least 1, that reaches the goal. Each number is tried by applying the
 * scheduler's own command to the snapshot. Afterwards the snapshot contains the last trial. Errors: FS_EUSAGE if the
 * row has no value for this kind of goal, or no shares of its own; FS_ENODATA if the scheduler has no command for the
 * change, or the row's standing (struct fs_standing) is unknown; FS_ENOMEM. */
FS_API int fs_solve_shares(fs_snapshot *s, const struct fs_solve_options *options, struct fs_solution *out,
			   struct fs_error *err);

/* Finds the largest usage of the row `of`, in whole TRES seconds, that reaches the goal. If the rows below `of` have
 * more usage than a trial amount, the trial multiplies the usage of `of` and of all rows below it by the same factor.
 * The usage of all other rows stays the same. Each trial is made in the snapshot, which afterwards contains the last
 * trial. Errors as for fs_solve_shares. */
FS_API int fs_solve_usage(fs_snapshot *s, const struct fs_solve_options *options, struct fs_solution *out,
			  struct fs_error *err);

/* Computes factor, rank and other values (struct fs_standing) of the row before and after a charge of tres_s TRES
 * seconds to the row `of`. Sets the elements FS_SOLVE_NOW and FS_SOLVE_THEN in *out. Ignores the goal in *options. The
 * snapshot afterwards contains the charge. Errors as for fs_solve_shares. */
FS_API int fs_solve_charge(fs_snapshot *s, const struct fs_solve_options *options, double tres_s,
			   struct fs_solution *out, struct fs_error *err);

/* Computes the number of shares that a row (member `of` of *options) should have after it buys new hardware:
 *
 *   shares of the row + (shares of the row and its siblings) * more / have, rounded to the nearest whole number
 *
 * Siblings without a fair share are left out. The formula assumes that the row and its siblings own the existing
 * hardware in proportion to their shares. `have`: billing per second of the existing hardware; `more`: billing per
 * second of the new hardware. Sets the elements FS_SOLVE_NOW and FS_SOLVE_THEN in *out. Ignores the goal in *options.
 * The snapshot afterwards contains the new shares. Errors as for fs_solve_shares. */
FS_API int fs_solve_hardware(fs_snapshot *s, const struct fs_solve_options *options, double have, double more,
			     struct fs_solution *out, struct fs_error *err);

FS_END_DECLS

#endif
