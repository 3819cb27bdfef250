/* Between the files that look for an amount: what moves, and what is asked for. */
#ifndef FSI_SOLVER_H
#define FSI_SOLVER_H

#include "fairshare/fairshare.h"

#include <fs/solve.h>

struct fsi_solve_credential {
	enum fs_cred_kind kind;
	uint32_t name;
};

struct fsi_solver {
	fs_snapshot *m;
	struct fs_solve_options o;
	struct fs_solution *out;
	struct fs_error *err;
	uint32_t of;
	double usage, own; /* usage of `of` now, with all below it, and that of its own record */
	double *kept;	   /* by row: usage_tres_s as it was */
	double all;	   /* shares of `of` and of the one that gives them, together */
	double per;	   /* of the amounts that are tried so many are one of those that are told */
	/* Changes the state to the amount. Error codes. */
	int (*set)(struct fsi_solver *s, double amount, bool tell);
	double now;
	double given; /* the target given last */
	/* Of windows: whose they are, what its target asks for, and the two records that are changed. */
	struct fsi_solve_credential credential;
	enum fs_target_mode mode;
	struct {
		size_t at;
		double was;
	} record[2];
};

/* Gives the command to the snapshot; tell: with what should be known of it (libfs/solve/give.c). */
int fsi_solve_give(struct fsi_solver *s, const char *command, bool tell);

/* Where there are targets and windows instead of shares and a tree (libfs/solve/windows.c): a target in hundredths of
 * a percent, from 1 to s->all - 1, or the usage of the current window. Error codes of fs_solve_shares. */
int fsi_solve_start_target(struct fsi_solver *s);
int fsi_solve_start_window(struct fsi_solver *s);

/* Its row of windows, without name and windows; of one that has none the factor is NAN. Error codes of
 * fs_windows_compute. */
int fsi_solve_window_row(struct fs_window_row *out, const struct fsi_solve_credential *of, const fs_snapshot *m,
			 const struct fs_solve_options *o, struct fs_error *err);

/* Both; FS_EUSAGE too where its target is a cap, and FS_ENODATA where there is no fair share. */
int fsi_solve_factor_of(struct fsi_solve_credential *of, const fs_snapshot *m, const struct fs_solve_options *o,
			struct fs_window_row *row, struct fs_error *err);

#endif
