/* What fs-explain explains from. */
#include "dialect/dialect.h"
#include "explain/algorithm.h"
#include "explain/run.h"
#include "usage_input.h"

#include <string.h>

static int settle(const struct explain_run *r, int rc, const struct fs_error *err)
{
	return rc && rc != FS_ENODATA ? report(r->inv, err) : 0;
}

/* Shares of Maui are rows of credentials: fs_windows has all of it, and nothing here reads them. */
static int compute_windows(struct explain_run *r)
{
	struct fs_error err;

	if (r->shares && fs_algorithm_of_credentials(fs_shares_algorithm(r->shares))) {
		fs_shares_free(r->shares);
		r->shares = NULL;
	}
	return settle(r, fs_windows_compute(&r->windows, r->snapshot, r->input.maui_dialect, &err),
		      &err);
}

static int compute_beside(struct explain_run *r, const struct fs_shares_options *so)
{
	const char *algorithm = r->shares ? fs_shares_algorithm(r->shares) : "";
	struct fs_error err;

	return settle(r, explain_beside_compute(&r->beside, r->snapshot, so, algorithm, &err),
		      &err);
}

int explain_compute(struct explain_run *r)
{
	const char *viewer = input_viewer(&r->input);
	const char *algorithm = r->input.algorithm;
	struct fs_shares_options so = { .algorithm = algorithm,
					.viewer = viewer,
					.compat = r->input.compat };
	struct fs_prios_options po = { .viewer = viewer,
				       .algorithm = algorithm,
				       .compat = r->input.compat };
	struct fs_queue_options qo = { .viewer = viewer, .algorithm = algorithm };
	struct fs_error err;
	int status = usage_wanted(&r->input)
			     ? usage_load(r->inv, &r->input, r->snapshot, NULL, NULL, &r->usage)
			     : 0;

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
		status = compute_windows(r);
	if (!status)
		status = compute_beside(r, &so);
	if (status)
		return status;
	r->from = (struct fs_explain_from){ .snapshot = r->snapshot,
					    .shares = r->shares,
					    .prios = r->prios,
					    .queue = r->queue,
					    .accrue = r->beside.accrue,
					    .holds = r->beside.holds,
					    .windows = r->windows,
					    .viewer = viewer };
	r->view.from = &r->from;
	r->view.algorithm = explain_algorithm_of(r->shares ? fs_shares_algorithm(r->shares) : "");
	r->view.dialect = dialect_of(r->snapshot);
	r->view.other = r->beside.other;
	r->view.position = r->input.position;
	r->view.usage = r->usage;
	return fs_explain_new(&r->view.x, &r->from, &err) ? report(r->inv, &err) : 0;
}

void explain_release(struct explain_run *r)
{
	fs_explain_free(r->view.x);
	explain_beside_release(&r->beside);
	fs_windows_free(r->windows);
	fs_queue_free(r->queue);
	fs_prios_free(r->prios);
	fs_shares_free(r->shares);
	fs_usage_free(r->usage);
	input_release(&r->input);
	fs_snapshot_free(r->snapshot);
}
