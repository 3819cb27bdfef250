/* Everything that is computed of a snapshot for one view, each once. */
#ifndef FS_EVAL_H
#define FS_EVAL_H

#include <fs/priority.h>

FS_BEGIN_DECLS

struct fs_queue; /* fs/queue.h */

/* NULL: it cannot be computed, for the reason in its error if it has one; or the scheduler has nothing of the kind. The
 * functions that count or read rows take NULL for an empty table.
 * Owned by the struct; borrowed from the snapshot, and from the usage of the view. */
struct fs_eval {
	const fs_snapshot *snapshot; /* as given, never NULL */
	const char *viewer; /* of the view */
	fs_shares *shares; /* why not: shares_error */
	fs_prios *prios; /* why not: prios_error */
	struct fs_queue *queue; /* why not: queue_error */
	fs_windows *windows; /* Maui */
	fs_accrue *accrue;   /* Slurm */
	fs_holds *holds;     /* Flux */
	struct fs_error shares_error, prios_error, queue_error, windows_error; /* code 0: none */
};

/* Computes all of it. view: NULL is all zero. Error: FS_ENOMEM alone, and then *out holds nothing. */
FS_API int fs_eval_compute(const fs_snapshot *s, const struct fs_view *view, struct fs_eval *out, struct fs_error *err);
FS_API void fs_eval_release(struct fs_eval *e); /* frees what it owns, not e itself */

FS_END_DECLS

#endif
