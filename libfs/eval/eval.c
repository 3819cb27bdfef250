/* Shares come first; then priorities are computed from them, while another thread begins the queue, which needs none
 * of them yet. */
#include "base/error.h"
#include "queue/queue.h"

struct work {
	struct fs_eval *e;
	struct fs_queue_options queue;
	struct fs_prios_options prios;
};

static void priorities_or_queue(void *arg, size_t i)
{
	struct work *w = arg;
	struct fs_eval *e = w->e;

	if (i == 0)
		fs_prios_compute(&e->prios, e->snapshot, &w->prios, &e->prios_error);
	else
		fsi_queue_begin(&e->queue, e->snapshot, &w->queue, &e->queue_error);
}

static void finish_queue(struct work *w)
{
	struct fs_eval *e = w->e;

	if (!e->queue)
		return;
	w->queue.prios = e->prios;
	if (!fsi_queue_finish(e->queue, &w->queue, &e->queue_error))
		return;
	fs_queue_free(e->queue);
	e->queue = NULL;
}

static bool no_memory(const struct fs_eval *e, const struct fs_error *others)
{
	return e->shares_error.code == FS_ENOMEM || e->prios_error.code == FS_ENOMEM ||
	       e->queue_error.code == FS_ENOMEM || e->windows_error.code == FS_ENOMEM ||
	       others[0].code == FS_ENOMEM || others[1].code == FS_ENOMEM;
}

int fs_eval_compute(const fs_snapshot *s, const struct fs_view *view, fs_parallel_fn parallel,
		    void *parallel_ctx, struct fs_eval *out, struct fs_error *err)
{
	static const struct fs_view all = { 0 };
	const struct fs_view *v = view ? view : &all;
	struct fs_eval e = { .snapshot = s, .viewer = v->viewer };
	struct work w = { .e = &e, .queue = { .view = *v }, .prios = { .view = *v } };
	struct fs_error others[2] = { { 0 } };

	fs_shares_compute(&e.shares, s, v, &e.shares_error);
	w.prios.shares = v->compat ? NULL : e.shares;
	if (parallel) {
		parallel(parallel_ctx, 2, priorities_or_queue, &w);
	} else {
		priorities_or_queue(&w, 0);
		priorities_or_queue(&w, 1);
	}
	finish_queue(&w);
	fs_windows_compute(&e.windows, s, v->maui_dialect, &e.windows_error);
	fs_accrue_compute(&e.accrue, s, v->compat, &others[0]);
	fs_holds_compute(&e.holds, s, &others[1]);
	if (no_memory(&e, others)) {
		fs_eval_release(&e);
		return fsi_nomem(err);
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
