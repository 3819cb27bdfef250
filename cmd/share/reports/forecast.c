/* fs-share --forecast: how the rows that were chosen will stand. */
#include "share/share.h"

#include "dialect/dialect.h"
#include "page/what_if.h"
#include "picture/forecast.h"
#include "render/text.h"
#include "threads.h"

#include <string.h>

struct outlook {
	const struct share_run *r;
	struct fs_eval eval;
	struct fs_forecast_options options;
	struct page page;
};

/* Returns whether a row is forecast: those of users, and of accounts that were asked for. */
static bool wanted(const struct fs_share_row *row, const struct names *accounts)
{
	if (*row->user)
		return row->visible;
	for (size_t i = 0; i < accounts->n; i++)
		if (!strcmp(accounts->v[i], row->account))
			return true;
	return false;
}

static void title(char *out, size_t size, const struct outlook *o, const struct fs_share_row *row)
{
	if (o->eval.windows)
		snprintf(out, size, "%s %s", row->parent, *row->user ? row->user : row->account);
	else if (*row->user)
		snprintf(out, size, "%s in %s%s%s", row->user, row->account, *row->partition ? ", partition " : "", row->partition);
	else
		snprintf(out, size, "%s", row->account);
}

static int show_row(struct outlook *o, uint32_t row)
{
	const struct share_run *r = o->r;
	struct fs_error err;
	char name[256];
	fs_forecast *f;
	int status = EXIT_DONE;

	o->options.share_row = row;
	title(name, sizeof(name), o, fs_shares_row(o->eval.shares, row));
	if (fs_forecast_compute(&f, r->snapshot, &o->options, &err))
		return report(r->inv, &err);
	if (r->svg) {
		status = forecast_picture(r->inv, r->snapshot, &o->eval, f, name, r->svg);
	} else {
		page_gap(&o->page);
		page_heading(&o->page, "%s", name);
		page_gap(&o->page);
		forecast_text(&o->page, r->snapshot, &o->eval, f, dialect_of(r->snapshot)->nouns.account);
	}
	fs_forecast_free(f);
	return status;
}

/* Writes a row and its forecast, null where it cannot be made. */
static int write_row(struct outlook *o, struct fs_json *j, const struct fs_share_row *row)
{
	struct fs_error err;
	fs_forecast *f = NULL;

	o->options.share_row = row->row;
	if (fs_forecast_compute(&f, o->r->snapshot, &o->options, &err) && err.code != FS_ENODATA)
		return report(o->r->inv, &err);
	fs_json_object(j);
	columns_json(j, share_columns + SHARE_ACCOUNT, 1, NULL, row);
	columns_json(j, share_columns + SHARE_PARENT, 1, NULL, row);
	columns_json(j, share_columns + SHARE_USER, 1, NULL, row);
	columns_json(j, share_columns + SHARE_PARTITION, 1, NULL, row);
	fs_json_key(j, "forecast");
	if (f)
		forecast_json(j, o->r->snapshot, &o->eval, f);
	else
		fs_json_null(j);
	fs_json_end_object(j);
	json_row_done(j);
	fs_forecast_free(f);
	return EXIT_DONE;
}

/* fs-forecast/1 */
static int write_rows(struct outlook *o)
{
	const struct share_rows *rows = &o->r->rows;
	struct fs_json j;
	int status = EXIT_DONE;

	json_begin(&j, "fs-forecast/1", o->r->snapshot, o->r->json);
	json_text(&j, "algorithm", fs_shares_algorithm(o->eval.shares));
	json_whole(&j, "ranked_users", true, fs_shares_users(o->eval.shares));
	json_rows(&j);
	for (size_t i = 0; i < rows->n && status == EXIT_DONE; i++)
		if (wanted(rows->v[i], &o->r->accounts))
			status = write_row(o, &j, rows->v[i]);
	if (status != EXIT_DONE)
		return status;
	json_end_rows(&j);
	return json_end(&j);
}

static int show_rows(struct outlook *o)
{
	const struct share_rows *rows = &o->r->rows;
	const bool svg = o->r->svg;
	size_t n = 0;
	int status = EXIT_DONE;

	for (size_t i = 0; i < rows->n; i++)
		n += wanted(rows->v[i], &o->r->accounts);
	if (!n || (svg && n > 1)) {
		complain(o->r->inv, n ? "--svg: a picture is of one row, and these are %zu; name a user with -u, or an account" :
					"--forecast: no user is among the rows", n);
		return n ? EXIT_USAGE : EXIT_NOTHING;
	}
	if (o->r->json != JSON_NONE && !svg)
		return write_rows(o);
	for (size_t i = 0; i < rows->n && status == EXIT_DONE; i++)
		if (wanted(rows->v[i], &o->r->accounts))
			status = show_row(o, rows->v[i]->row);
	return status;
}

int share_forecast(const struct share_run *r)
{
	struct outlook o = { .r = r, .options = FS_FORECAST_OPTIONS_INIT };
	struct fs_error err;
	int status;

	o.options.view = input_view(&r->input);
	o.options.eval = &o.eval;
	o.options.points = FORECAST_POINTS;
	o.options.job_row = FS_NO_ROW;
	if (forecast_until(r->snapshot, r->of, &o.options.until, &err))
		return report(r->inv, &err);
	if (fs_eval_compute(r->snapshot, &o.options.view, threads_run, NULL, &o.eval, &err))
		return report(r->inv, &err);
	page_init(&o.page, PAGE_TEXT, 80, text_utf8());
	what_if_page(&o.page, r->snapshot);
	status = o.eval.shares_error.code ? report(r->inv, &o.eval.shares_error) : show_rows(&o);
	if (status == EXIT_DONE && o.page.failed)
		status = no_memory(r->inv);
	if (status == EXIT_DONE && !r->svg && r->json == JSON_NONE)
		page_print(&o.page, stdout, false);
	page_free(&o.page);
	fs_eval_release(&o.eval);
	return status;
}
