/* View: the viewer, the algorithm and the time with which all results of a snapshot are computed. */
#ifndef FS_VIEW_H
#define FS_VIEW_H

#include <fs/import.h>
#include <fs/usage.h>

FS_BEGIN_DECLS

/* Mapping of x, a row's usage divided by its shares among its siblings, to a position in the parent's range of 0..1
 * (algorithm flux_range): 2^-x, 1/(1+x), or the rank in the order of x. */
enum fs_position { FS_POSITION_POW2, FS_POSITION_RATIO, FS_POSITION_RANK };
FS_API const char *fs_position_name(size_t i); /* name of the i-th value; NULL past the end */

/* The view. All zero: the scheduler's own algorithm, the snapshot's time, and a viewer who sees everything. */
struct fs_view {
	const char *viewer;		   /* login name whose permissions apply; NULL: everything is visible */
	const char *algorithm;		   /* fair-share algorithm; NULL: the algorithm of the snapshot's scheduler */
	enum fs_position position;	   /* mapping used by algorithm flux_range */
	unsigned compat; /* FS_SLURM_RELEASE whose behaviour is reproduced; 0: the release named in the snapshot */
	/* usage to compute with; its time is used as the clock; NULL: recorded usage at the snapshot's time */
	const fs_usage *usage;
	bool computed; /* true: priorities of all jobs are computed, and recorded ones are ignored */
	void *reserved[5];		   /* zero; reserved for future members */
};

/* Returns true if the view or the snapshot differs from what the scheduler recorded. They differ after a command edited
 * the snapshot, or if the view sets an algorithm, position, version, usage or `computed`. Recorded priorities are then
 * ignored: the queue is ordered by computed ones. v: NULL means all zero. */
FS_API bool fs_view_differs(const fs_snapshot *s, const struct fs_view *v);

FS_END_DECLS

#endif
