/* How results of a snapshot are computed; the same for all of them. */
#ifndef FS_VIEW_H
#define FS_VIEW_H

#include <fs/import.h>
#include <fs/usage.h>

FS_BEGIN_DECLS

/* What flux_range makes of x, usage over shares among siblings: 2^-x, 1/(1+x), or the place in the order. */
enum fs_position { FS_POSITION_POW2, FS_POSITION_RATIO, FS_POSITION_RANK };
FS_API const char *fs_position_name(size_t i); /* by value; NULL past the end */

/* All zero: as the snapshot's scheduler computes, at the snapshot's time, for one who may see everything. */
struct fs_view {
	const char *viewer;		   /* login name whose permissions apply; NULL sees all */
	const char *algorithm;		   /* of fair share; NULL: what the snapshot's scheduler uses */
	enum fs_position position;	   /* of algorithm flux_range */
	unsigned compat;		   /* FS_SLURM_RELEASE to behave like, 0: the snapshot's */
	const fs_usage *usage;		   /* its time is the clock; NULL: recorded usage and the snapshot's time */
	bool computed;			   /* priorities are computed for all jobs, as if anything else differed */
	void *reserved[5];		   /* zero: for members to come */
};

/* Returns true if the view or the snapshot asks for anything but what the scheduler recorded: commands were given to
 * the snapshot, or the view has another algorithm, position, version, usage or time. Then no recorded priority
 * counts: the queue is ordered by the computed ones. v: NULL is all zero. */
FS_API bool fs_view_differs(const fs_snapshot *s, const struct fs_view *v);

FS_END_DECLS

#endif
