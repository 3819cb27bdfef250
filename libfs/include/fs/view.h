/* View: the viewer, the algorithm and the time with which all results of a snapshot are computed. */
#ifndef FS_VIEW_H
#define FS_VIEW_H

#include <fs/import.h>
#include <fs/usage.h>

FS_BEGIN_DECLS

/* Algorithm flux_range: formula for the position of a row in its parent's range, 0..1. x is the row's usage divided by
 * its shares, both relative to its siblings. POW2: 2^-x; RATIO: 1/(1+x); RANK: the rank of the row among its siblings,
 * sorted by x. */
enum fs_position { FS_POSITION_POW2, FS_POSITION_RATIO, FS_POSITION_RANK };
FS_API const char *fs_position_name(size_t i); /* name of the i-th formula; NULL past the end */

/* The view. If all members are zero: the scheduler's own algorithm, the snapshot's time, and a viewer who sees
 * everything. */
struct fs_view {
	const char *viewer;		   /* login name whose permissions apply; NULL: everything is visible */
	const char *algorithm;		   /* fair-share algorithm; NULL: the algorithm of the snapshot's scheduler */
	/* formula for the position of a row; used only by the algorithm flux_range */
	enum fs_position position;
	/* release of Slurm to reproduce, a number of FS_SLURM_RELEASE; 0: the release named in the snapshot */
	unsigned compat;
	/* usage from which all results are computed; the results are for the time of this usage. NULL: recorded usage
	 * at the snapshot's time */
	const fs_usage *usage;
	bool computed; /* true: priorities of all jobs are computed, and recorded priorities are ignored */
	/* true: if the state is unchanged, fs_eval_compute replaces shares and priorities by the values that the
	 * scheduler printed (fs_shares_use_recorded; member `recorded` of fs_prios_options) */
	bool recorded;
	void *reserved[5];		   /* zero; reserved for future members */
};

/* Returns true if recorded priorities do not apply: the view sets `algorithm`, `position`, `compat`, `usage` or
 * `computed`. The queue is then sorted by computed priorities. `v` NULL: a view whose members are all zero. */
FS_API bool fs_view_differs(const struct fs_view *v);

FS_END_DECLS

#endif
