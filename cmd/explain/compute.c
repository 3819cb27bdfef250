/* What fs-explain explains from. */
#include "explain/run.h"
#include "render/forecast.h"
#include "threads.h"
#include "usage_input.h"

#include <string.h>

static int settle(const struct explain_run *r, int rc, const struct fs_error *err)
{
	return rc && rc != FS_ENODATA ? report(r->inv, err) : 0;
}

/* What cannot be computed for want of data is unknown on the page; anything else ends it. */
static int check(const struct explain_run *r)
{
	const struct fs_eval *e = &r->eval;
	int status = settle(r, e->shares_error.code, &e->shares_error);

	if (!status)
		status = settle(r, e->prios_error.code, &e->prios_error);
	if (!status)
		status = settle(r, e->queue_error.code, &e->queue_error);
	return status ? status : settle(r, e->windows_error.code, &e->windows_error);
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
	if (fs_eval_compute(&r->eval, r->snapshot, &view, threads_run, NULL, &err))
		return report(r->inv, &err);
	status = check(r);
	if (status)
		return status;
	r->from = r->eval;
	explain_view_init(&r->view, &r->from);
	r->view.json = r->json;
	r->view.position = r->input.position;
	r->view.usage = r->usage;
	if (explain_view_beside(&r->view, &r->other, &view, &err))
		return report(r->inv, &err);
	return fs_explain_new(&r->view.x, r->view.from, &err) ? report(r->inv, &err) : 0;
}

int explain_look_forward(struct explain_run *r)
{
	struct fs_error err;

	r->ahead_of = (struct explain_forecast){ .view = input_view(&r->input) };
	r->view.forecast = &r->ahead_of;
	if (forecast_until(r->snapshot, r->until, &r->ahead_of.until, &err))
		return report(r->inv, &err);
	if (r->ahead_of.until > fs_snapshot_info(r->snapshot)->time)
		return 0;
	complain(r->inv, "--forecast: its end is after the snapshot's time");
	return EXIT_USAGE;
}

/* Without the name of the file that all of the page is about. */
static void keep_why(char *why, size_t size, const fs_snapshot *s, const struct fs_error *err)
{
	const char *file = fs_snapshot_info(s)->file;
	const size_t n = strlen(file);
	const bool named = n && !strncmp(err->message, file, n) && !strncmp(err->message + n, ": ", 2);

	snprintf(why, size, "%s", err->message + (named ? n + 2 : 0));
}

bool explain_plan_is_quick(const struct explain_view *v)
{
	enum { QUICK = 4000 }; /* half a second */

	return v->from->queue && fs_queue_count(v->from->queue) <= QUICK;
}

bool explain_advice_is_quick(const struct explain_view *v)
{
	enum { QUICK = 800 };

	return v->from->queue && fs_queue_count(v->from->queue) <= QUICK;
}

int explain_plan(struct explain_run *r)
{
	const struct fs_plan_options o = { .view = input_view(&r->input),
					   .likely = r->me || r->brief || r->verbose || explain_advice_is_quick(&r->view) };
	struct fs_error err;
	const int rc = fs_plan_compute(&r->plan, r->snapshot, &o, &err);

	r->view.plan = r->plan;
	if (rc == FS_ENODATA)
		keep_why(r->no_plan, sizeof(r->no_plan), r->snapshot, &err);
	r->view.no_plan = r->no_plan;
	return settle(r, rc, &err);
}

int explain_advise(struct explain_run *r, uint32_t job_row)
{
	const struct fs_view view = input_view(&r->input);
	struct fs_error err;
	const int rc = fs_advise(&r->advices, r->snapshot, job_row, &view, &err);

	r->view.advices = r->advices;
	if (rc == FS_ENODATA)
		keep_why(r->no_advice, sizeof(r->no_advice), r->snapshot, &err);
	r->view.no_advice = r->no_advice;
	return settle(r, rc, &err);
}

static void leave_out(struct explain_run *r, bool plan)
{
	const char *job = r->job ? r->job : r->word;
	char *why = plan ? r->no_plan : r->no_advice;

	if (usage_wanted(&r->input))
		snprintf(why, sizeof(r->no_plan), "planned at the snapshot's own time alone, without --at and --usage");
	else
		snprintf(why, sizeof(r->no_plan), "with that many jobs it takes a while; fs-explain %.60s --%s", job,
			 plan ? "brief tells" : "advise tells");
	*(plan ? &r->view.no_plan : &r->view.no_advice) = why;
}

int explain_outlook(struct explain_run *r, uint32_t job_row)
{
	const bool timed = usage_wanted(&r->input), asked = r->brief || r->verbose;
	int status = 0;

	r->view.advise = r->advise || (r->verbose && r->json);
	r->view.verbose = r->verbose;
	r->view.brief = r->brief || r->verbose;
	if (r->ahead || (r->json && !r->brief && !r->verbose && !r->advise))
		return 0;
	if (r->advise && !r->brief)
		return explain_advise(r, job_row);
	if (!timed && (asked || explain_plan_is_quick(&r->view)))
		status = explain_plan(r);
	else
		leave_out(r, true);
	if (!status && !timed && (asked || explain_advice_is_quick(&r->view)))
		return explain_advise(r, job_row);
	leave_out(r, false);
	return status;
}

void explain_release(struct explain_run *r)
{
	fs_advices_free(r->advices);
	fs_plan_free(r->plan);
	fs_explain_free(r->view.x);
	fs_shares_free(r->other);
	fs_eval_release(&r->eval);
	fs_usage_free(r->usage);
	input_release(&r->input);
	fs_snapshot_free(r->snapshot);
}
