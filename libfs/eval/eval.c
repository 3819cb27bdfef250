/* Computes all results (struct fs_eval) of a snapshot for one view. */
#include "base/error.h"
#include "fs/eval.h"
#include "fs/queue.h"

static bool has_memory_error(const struct fs_eval *e, const struct fs_error *other_errors)
{
	return e->shares_error.code == FS_ENOMEM || e->prios_error.code == FS_ENOMEM ||
	       e->queue_error.code == FS_ENOMEM || e->windows_error.code == FS_ENOMEM ||
	       other_errors[0].code == FS_ENOMEM || other_errors[1].code == FS_ENOMEM;
}

int fs_eval_compute(const fs_snapshot *s, const struct fs_view *view, struct fs_eval *out, struct fs_error *err)
{
	static const struct fs_view all = { 0 };
	const struct fs_view *v = view ? view : &all;
	struct fs_eval e = { .snapshot = s, .viewer = v->viewer };
	struct fs_prios_options prios = { .view = *v, .recorded = v->recorded };
	struct fs_queue_options queue = { .view = *v };
	struct fs_error other_errors[2] = { { 0 } };

	fs_shares_compute(&e.shares, s, v, &e.shares_error);
	prios.shares = v->compat ? NULL : e.shares;
	fs_prios_compute(&e.prios, s, &prios, &e.prios_error);
	if (e.shares && v->recorded)
		fs_shares_use_recorded(e.shares, s, v);
	queue.prios = e.prios;
	fs_queue_compute(&e.queue, s, &queue, &e.queue_error);
	fs_windows_compute(&e.windows, s, &e.windows_error);
	fs_accrue_compute(&e.accrue, s, v->compat, &other_errors[0]);
	fs_holds_compute(&e.holds, s, &other_errors[1]);
	if (has_memory_error(&e, other_errors)) {
		fs_eval_release(&e);
		return fsi_fail_no_memory(err);
	}
	*out = e;
	return 0;
}

void fs_eval_release(struct fs_eval *e)
{
	fs_holds_free(e->holds);
	fs_accrue_free(e->accrue);
	fs_windows_free(e->windows);
	fs_queue_free(e->queue);
	fs_prios_free(e->prios);
	fs_shares_free(e->shares);
	*e = (struct fs_eval){ 0 };
}
