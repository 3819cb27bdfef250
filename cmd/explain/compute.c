/* What fs-explain explains from. */
#include "explain/run.h"
#include "input/usage.h"
#include "picture/forecast.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

static int ignore_nodata(const struct explain_run *r, int rc, const struct fs_error *err)
{
	return rc && rc != FS_ENODATA ? report(r->inv, err) : 0;
}

/* What the snapshot lacks data for is unknown on the page; any other error ends the command. */
static int check(const struct explain_run *r)
{
	const struct fs_eval *e = &r->eval;
	int status = ignore_nodata(r, e->shares_error.code, &e->shares_error);

	if (!status)
		status = ignore_nodata(r, e->prios_error.code, &e->prios_error);
	if (!status)
		status = ignore_nodata(r, e->queue_error.code, &e->queue_error);
	return status ? status : ignore_nodata(r, e->windows_error.code, &e->windows_error);
}

int explain_compute(struct explain_run *r)
{
	struct fs_view view = input_view(&r->input);
	struct fs_error err;
	int status = usage_wanted(&r->input)
			     ? usage_load(r->inv, &r->input, r->snapshot, NULL, NULL, &r->usage)
			     : 0;

	if (status)
		return status;
	view.usage = r->usage;
	if (fs_eval_compute(r->snapshot, &view, threads_run, NULL, &r->eval, &err))
		return report(r->inv, &err);
	status = check(r);
	if (status)
		return status;
	r->from = r->eval;
	explain_view_init(&r->view, &r->from);
	r->view.json = r->json;
	r->view.position = r->input.position;
	r->view.usage = r->usage;
	if (explain_view_other(&r->view, &r->other, &view, &err))
		return report(r->inv, &err);
	return fs_explain_new(&r->view.x, r->view.from, &err) ? report(r->inv, &err) : 0;
}

int explain_look_forward(struct explain_run *r)
{
	struct fs_error err;

	r->ahead_of = (struct explain_forecast){ .view = input_view(&r->input), .eval = &r->eval };
	r->view.forecast = &r->ahead_of;
	if (forecast_until(r->snapshot, r->until, &r->ahead_of.until, &err))
		return report(r->inv, &err);
	if (r->ahead_of.until > fs_snapshot_info(r->snapshot)->time)
		return 0;
	complain(r->inv, "--forecast: its end is after the snapshot's time");
	return EXIT_USAGE;
}

int explain_plan(struct explain_run *r)
{
	const struct fs_view view = input_view(&r->input);
	struct fs_error err;

	return outlook_plan(&r->outlook, &r->view, &view, r->me || r->brief || r->verbose, &err) ? report(r->inv, &err)
												 : 0;
}

int explain_outlook(struct explain_run *r, uint32_t job_row)
{
	const struct fs_view view = input_view(&r->input);
	struct fs_error err;
	int rc = 0;

	r->view.advise = r->advise || (r->verbose && r->json);
	r->view.verbose = r->verbose;
	r->view.brief = r->brief || r->verbose;
	if (r->ahead || (r->json && !r->brief && !r->verbose && !r->advise))
		return 0;
	if (r->advise && !r->brief)
		rc = outlook_advise(&r->outlook, &r->view, &view, job_row, &err);
	else
		rc = outlook_make(&r->outlook, &r->view, &view, job_row, r->brief || r->verbose,
				  r->job ? r->job : r->word, &err);
	return rc ? report(r->inv, &err) : 0;
}

void explain_release(struct explain_run *r)
{
	outlook_release(&r->outlook);
	fs_explain_free(r->view.x);
	fs_shares_free(r->other);
	fs_eval_release(&r->eval);
	fs_usage_free(r->usage);
	free(r->past);
	input_release(&r->input);
	fs_snapshot_free(r->snapshot);
}
