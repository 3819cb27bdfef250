/* How a job, user or account will stand if nothing is done: --forecast. */
#include "explain/json/json.h"
#include "explain/parts.h"
#include "picture/forecast.h"

#include <string.h>

static int compute(const struct explain_view *v, uint32_t share_row, uint32_t job_row, fs_forecast **out,
		   struct fs_error *err)
{
	const struct fs_forecast_options o = { .view = v->forecast->view,
					       .eval = v->forecast->eval,
					       .until = v->forecast->until,
					       .points = FORECAST_POINTS,
					       .share_row = share_row,
					       .job_row = job_row };

	return fs_forecast_compute(out, v->from->snapshot, &o, err);
}

static int show(struct page *p, const struct explain_view *v, uint32_t share_row, uint32_t job_row)
{
	struct fs_error err;
	fs_forecast *f = NULL;

	if (compute(v, share_row, job_row, &f, &err)) {
		if (err.code != FS_ENODATA)
			return -1;
		page_say(p, "No forecast: %s.", err.message);
		page_end(p);
		return 0;
	}
	forecast_text(p, v->from->snapshot, v->forecast->eval, f, nouns(v)->account);
	fs_forecast_free(f);
	return 0;
}

/* Maui works out priorities of eligible jobs alone. */
static void say_blocked(struct page *p, const struct explain_view *v, const struct fs_job *j)
{
	const struct fs_eval *e = v->forecast->eval;

	if (!e->windows || !e->prios || j->start_time != FS_UNKNOWN || fs_prios_find(e->prios, j->id) != FS_NO_ROW)
		return;
	page_say(p, "The job is not eligible, and has no priority until it is.");
	page_end(p);
	page_gap(p);
}

int explain_job_forecast_text(struct page *p, const struct explain_view *v, uint32_t job_row)
{
	struct fs_job j;
	char id[WORDS];

	fs_snapshot_job(v->from->snapshot, job_row, &j);
	page_heading(p, "Job %s · %s · %s", job_words(id, v->from->snapshot, job_row), j.user, j.account);
	page_gap(p);
	if (show(p, v, FS_NO_ROW, job_row))
		return -1;
	say_blocked(p, v, &j);
	explain_source_text(p, v);
	return 0;
}

int explain_rows_forecast_text(struct page *p, const struct explain_view *v, const uint32_t *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = share_row(v, rows[i]);

		page_gap(p);
		if (*r->user)
			page_heading(p, "%s in %s %s%s%s", r->user, nouns(v)->account, r->account,
				     *r->partition ? ", partition " : "", r->partition);
		else
			page_heading(p, "%s %s", nouns(v)->Account, r->account);
		page_gap(p);
		if (show(p, v, rows[i], FS_NO_ROW))
			return -1;
	}
	explain_source_text(p, v);
	return 0;
}

uint32_t explain_credential_row(const struct explain_view *v, uint32_t window_row)
{
	const struct fs_window_row *c = fs_windows_row(v->from->windows, window_row);
	const fs_shares *shares = v->forecast ? v->forecast->eval->shares : NULL;

	for (uint32_t i = 0; shares && i < fs_shares_count(shares); i++) {
		const struct fs_share_row *r = fs_shares_row(shares, i);

		if (!strcmp(r->parent, fs_cred_kind_name(c->kind)) && !strcmp(*r->user ? r->user : r->account, c->name))
			return i;
	}
	return FS_NO_ROW;
}

int explain_credential_forecast_text(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	const struct fs_window_row *c = fs_windows_row(v->from->windows, window_row);

	page_heading(p, "The %s %s", kind_noun(c->kind), c->name);
	page_gap(p);
	if (show(p, v, explain_credential_row(v, window_row), FS_NO_ROW))
		return -1;
	explain_source_text(p, v);
	return 0;
}

int explain_forecast_json(struct fs_json *j, const struct explain_view *v, uint32_t share_row, uint32_t job_row)
{
	struct fs_error err;
	fs_forecast *f = NULL;

	fs_json_key(j, "forecast");
	if (v->forecast && !compute(v, share_row, job_row, &f, &err)) {
		forecast_json(j, v->from->snapshot, v->forecast->eval, f);
		fs_forecast_free(f);
		return 0;
	}
	fs_json_null(j);
	return v->forecast && err.code != FS_ENODATA ? FS_ENOMEM : 0;
}

int explain_forecast_picture(const struct explain_view *v, const struct invocation *inv, uint32_t share_row,
			     uint32_t job_row, const char *file)
{
	const struct fs_share_row *row = fs_shares_row(v->forecast->eval->shares, share_row);
	char title[2 * WORDS] = "", name[WORDS];
	struct fs_error err;
	fs_forecast *f = NULL;
	int status;

	if (compute(v, share_row, job_row, &f, &err))
		return report(inv, &err);
	if (job_row != FS_NO_ROW)
		snprintf(title, sizeof(title), "job %s", job_words(name, v->from->snapshot, job_row));
	else if (row)
		snprintf(title, sizeof(title), "%s", row_words(name, row));
	status = forecast_picture(inv, v->from->snapshot, v->forecast->eval, f, title, file);
	fs_forecast_free(f);
	return status;
}
