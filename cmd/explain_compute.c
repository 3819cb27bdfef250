/* What fs-explain explains from. */
#include "explain_run.h"
#include "usage_input.h"

#include <string.h>

static int settle(const struct explain_run *r, int rc, const struct fs_error *err)
{
	return rc && rc != FS_ENODATA ? report(r->inv, err) : 0;
}

/* What only one scheduler has. */
static int compute_own(struct explain_run *r)
{
	struct fs_error err;

	switch (fs_snapshot_info(r->snapshot)->kind) {
	case FS_SLURM:
		return settle(r, fs_accrue_compute(&r->accrue, r->snapshot, &err), &err);
	case FS_FLUX:
		return settle(r, fs_holds_compute(&r->holds, r->snapshot, &err), &err);
	case FS_MAUI:
		return settle(r, fs_windows_compute(&r->windows, r->snapshot, r->input.maui_dialect, &err), &err);
	default:
		return 0;
	}
}

/* Shares by the algorithm beside which those of Flux are shown. Those of Maui are rows of credentials: fs_windows
 * has all of it, and nothing here reads them. */
static int compute_other(struct explain_run *r, const struct fs_shares_options *so)
{
	const char *name = r->shares ? fs_shares_algorithm(r->shares) : "";
	struct fs_shares_options o = *so;
	struct fs_error err;

	if (!strcmp(name, "maui")) {
		fs_shares_free(r->shares);
		r->shares = NULL;
	}
	if (strncmp(name, "flux", strlen("flux")) != 0)
		return 0;
	o.algorithm = !strcmp(name, "flux") ? "flux_exact" : "flux";
	return settle(r, fs_shares_compute(&r->other, r->snapshot, &o, &err), &err);
}

int explain_compute(struct explain_run *r)
{
	const char *viewer = input_viewer(&r->input);
	const char *algorithm = r->input.algorithm;
	struct fs_shares_options so = { .algorithm = algorithm, .viewer = viewer, .compat = r->input.compat };
	struct fs_prios_options po = { .viewer = viewer, .algorithm = algorithm, .compat = r->input.compat };
	struct fs_queue_options qo = { .viewer = viewer, .algorithm = algorithm };
	struct fs_error err;
	int status = usage_wanted(&r->input) ? usage_load(r->inv, &r->input, r->snapshot, NULL, NULL, &r->usage) : 0;

	if (status)
		return status;
	so.usage = po.usage = qo.usage = r->usage;
	so.maui_dialect = po.maui_dialect = qo.maui_dialect = r->input.maui_dialect;
	so.position = po.position = qo.position = r->input.position;
	status = settle(r, fs_shares_compute(&r->shares, r->snapshot, &so, &err), &err);
	if (!status)
		status = settle(r, fs_prios_compute(&r->prios, r->snapshot, &po, &err), &err);
	qo.prios = r->input.compat ? NULL : r->prios;
	if (!status)
		status = settle(r, fs_queue_compute(&r->queue, r->snapshot, &qo, &err), &err);
	if (!status)
		status = compute_own(r);
	if (!status)
		status = compute_other(r, &so);
	if (status)
		return status;
	r->from = (struct fs_explain_from){ .snapshot = r->snapshot, .shares = r->shares, .prios = r->prios,
					    .queue = r->queue, .accrue = r->accrue, .holds = r->holds,
					    .windows = r->windows, .viewer = viewer };
	r->view.from = &r->from;
	r->view.other = r->other;
	r->view.position = r->input.position;
	r->view.usage = r->usage;
	return fs_explain_new(&r->view.x, &r->from, &err) ? report(r->inv, &err) : 0;
}

void explain_release(struct explain_run *r)
{
	fs_explain_free(r->view.x);
	fs_shares_free(r->other);
	fs_windows_free(r->windows);
	fs_holds_free(r->holds);
	fs_accrue_free(r->accrue);
	fs_queue_free(r->queue);
	fs_prios_free(r->prios);
	fs_shares_free(r->shares);
	fs_usage_free(r->usage);
	input_release(&r->input);
	fs_snapshot_free(r->snapshot);
}
