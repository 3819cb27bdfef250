/* Evaluation: all results computed from a snapshot for one view, each computed once. */
#ifndef FS_EVAL_H
#define FS_EVAL_H

#include <fs/priority.h>

FS_BEGIN_DECLS

struct fs_queue; /* the queue of pending jobs; fs/queue.h defines this struct */

/* All results of one view. NULL in a member: the scheduler has no such result, or the result could not be computed. If
 * a result could not be computed, the error member of the result, if there is one, gives the reason. Functions that
 * count or read rows treat NULL as an empty table. The struct owns the results. The results borrow from the snapshot
 * and from the view's usage. */
struct fs_eval {
	const fs_snapshot *snapshot; /* snapshot from which the results were computed, never NULL */
	const char *viewer; /* login name whose permissions apply; NULL: everything is visible */
	fs_shares *shares; /* shares; NULL: none, and shares_error gives the reason, if any */
	fs_prios *prios; /* priorities; NULL: none, and prios_error gives the reason, if any */
	struct fs_queue *queue; /* queue of pending jobs; NULL: none, and queue_error gives the reason, if any */
	/* Maui: usage of the credentials in windows; NULL: none, and windows_error gives the reason */
	fs_windows *windows;
	fs_accrue *accrue;   /* Slurm: accrue state of each pending job; NULL: none */
	fs_holds *holds;     /* Flux: holds of the pending jobs; NULL: none */
	/* reason why the result with the name before `_error` is missing; code 0: no error */
	struct fs_error shares_error, prios_error, queue_error, windows_error;
};

/* Computes all results. If `view` is NULL, all members of the view are zero. Errors: FS_ENOMEM; *out is then
 * unchanged. */
FS_API int fs_eval_compute(const fs_snapshot *s, const struct fs_view *view, struct fs_eval *out, struct fs_error *err);
FS_API void fs_eval_release(struct fs_eval *e); /* frees the results, not `e` itself */

FS_END_DECLS

#endif
