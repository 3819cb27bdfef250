/* Sections of pages: comparisons of two jobs, users or accounts; forecasts. */
#include "explain/explain.h"
#include "explain/text.h"
#include "fs/queue.h"
#include "picture/picture.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- comparison of two jobs */

static void add_first_job_cause(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
				const struct fs_explain_job *b, const struct fs_explain_comparison *d)
{
	const fs_snapshot *s = v->snapshot;
	const struct fs_explain_job *first = d->first < 0 ? a : b, *second = d->first < 0 ? b : a;
	const struct fs_explain_sum *x = d->first < 0 ? &a->sums[d->sum_a] : &b->sums[d->sum_b];
	const struct fs_explain_sum *y = d->first < 0 ? &b->sums[d->sum_b] : &a->sums[d->sum_a];
	struct fs_job j;

	fs_snapshot_job(s, first->job_row, &j);
	page_add_sentence(p, "Job %s (%s) is ahead of %s", format_display_job_id(BUF, s, first->job_row), j.user,
			  format_display_job_id(BUF, s, second->job_row));
	if (!d->same_order)
		page_add_sentence(p, "(%s against %s):", x->partition, y->partition);
	else if (fs_queue_has_single_order(v->eval->queue))
		page_append_text(p, ":");
	else
		page_add_sentence(p, "in %s:", x->partition);
	if (d->key == FS_QUEUE_KEY_PRIORITY)
		page_add_sentence(p, "%spriority %.0f against %.0f.",
				  x->tier != FS_UNKNOWN && x->tier == y->tier ? "same tier, " : "", x->queue_priority,
				  y->queue_priority);
	else if (d->key == FS_QUEUE_KEY_TIER)
		page_add_sentence(p, "PriorityTier %" PRId64 " against %" PRId64 "; priority is not compared.", x->tier,
				  y->tier);
	else
		page_add_sentence(p, "%s; later sort keys do not matter.", fs_queue_key_text(d->key));
	if (d->same_order)
		return;
	if (d->overlap)
		page_add_sentence(p, "Their %s share nodes, so they compete.", v->vocabulary->partitions);
	else if (d->nodes_known)
		page_add_sentence(p, "Their %s share no known nodes, so they do not compete.",
				  v->vocabulary->partitions);
	else
		page_add_sentence(p, "The nodes of their %s are not in the snapshot; whether they compete is unknown.",
				  v->vocabulary->partitions);
}

static void format_job_heading(char buf[2 * WORDS], const fs_snapshot *s, uint32_t row)
{
	char user[WORDS];
	struct fs_job j;

	fs_snapshot_job(s, row, &j);
	snprintf(buf, 2 * WORDS, "%.60s %s", format_display_job_id(BUF, s, row), format_cell_name(user, j.user));
}

/* Formats a difference with its sign; "unknown" for NAN. */
static const char *format_difference(char buf[WORDS], double v, int digits)
{
	return isnan(v) ? "unknown" : format_words(buf, "%+.*f", digits, v);
}

static void print_priority_row(struct page *p, double a, double b, double difference, const char *note,
			       enum page_tone tone)
{
	PAGE_ADD_ROW(p, tone, "PRIORITY", format_rounded_number(BUF, a, 0), format_rounded_number(BUF, b, 0),
		     format_difference(BUF, difference, 0), note);
}

static void print_term_differences(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
				   const struct fs_explain_job *b, const struct fs_explain_comparison *d)
{
	const struct fs_explain_sum *x = &a->sums[d->sum_a], *y = &b->sums[d->sum_b];
	char na[2 * WORDS], nb[2 * WORDS];

	format_job_heading(na, v->snapshot, a->job_row);
	format_job_heading(nb, v->snapshot, b->job_row);
	PAGE_BEGIN_TABLE(p, AT_LEFT("factor"), AT_POINT(na), AT_POINT(nb), AT_POINT("difference"), AT_LEFT(""));
	for (size_t t = 0; t < x->nterms; t++) {
		if (x->terms[t].points == 0 && y->terms[t].points == 0)
			continue;
		PAGE_ADD_ROW(p, TONE_PLAIN, format_factor_name(BUF, x->terms[t].name),
			     format_rounded_number(BUF, x->terms[t].points, 3),
			     format_rounded_number(BUF, y->terms[t].points, 3),
			     format_difference(BUF, d->differences ? d->differences[t] : (double)NAN, 3),
			     t == d->term ? "<- decides" : "");
	}
	page_add_rule(p, 3);
	print_priority_row(p, x->total, y->total, d->total, x->direct || y->direct ? v->vocabulary->direct : "",
			   TONE_TOTAL);
	if (fabs(d->queue_difference - d->total) >= 1) {
		page_add_cell(p, "recorded priority");
		page_end_row(p, TONE_PLAIN);
		print_priority_row(p, x->queue_priority, y->queue_priority, d->queue_difference, "<- sorts the queue",
				   TONE_PLAIN);
	}
	page_end_table(p);
}

static void add_jobs_order(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			   const struct fs_explain_job *b, const struct fs_explain_comparison *d)
{
	if (a->job_row == b->job_row) {
		page_add_sentence(p, "They are the same job.");
		return;
	}
	if (explain_has_job_started(a) || explain_has_job_started(b)) {
		explain_add_started_pair(p, v, a, b);
		return;
	}
	if (d->first)
		add_first_job_cause(p, v, a, b, d);
	else if (d->key == FS_QUEUE_KEY_PRIORITY)
		page_add_sentence(p, "Their order is not known: a priority is not in the snapshot.");
	else
		page_add_sentence(p, "They are not both eligible, so neither is ahead of the other.");
	explain_add_not_eligible(p, v, a);
	explain_add_not_eligible(p, v, b);
}

static bool has_direct_priority(const struct fs_explain_job *job, size_t sum)
{
	return sum != FS_NO_ROW && job->sums[sum].direct;
}

/* If the priority of the job was set directly, says so, and that its terms do not count. */
static void add_direct_priorities(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
				  size_t sum)
{
	if (has_direct_priority(job, sum))
		page_add_sentence(p, "The priority of %s, %.0f, was %s, so the terms of this job do not count.",
				  format_display_job_id(BUF, v->snapshot, job->job_row), job->sums[sum].queue_priority,
				  v->vocabulary->direct);
}

void explain_add_job_pair(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			  const struct fs_explain_job *b)
{
	struct fs_explain_comparison d;

	page_add_heading(p, "Job %s against job %s", format_display_job_id(BUF, v->snapshot, a->job_row),
			 format_display_job_id(BUF, v->snapshot, b->job_row));
	page_add_gap(p);
	if (fs_explain_compare_jobs(v->explain, a, b, &d))
		return;
	add_jobs_order(p, v, a, b, &d);
	page_end_paragraph(p);
	if (has_direct_priority(a, d.sum_a) || has_direct_priority(b, d.sum_b)) {
		add_direct_priorities(p, v, a, d.sum_a);
		add_direct_priorities(p, v, b, d.sum_b);
		page_end_paragraph(p);
		explain_add_source(p, v);
		return;
	}
	if (d.sum_a != FS_NO_ROW && d.sum_b != FS_NO_ROW && !isnan(d.total))
		print_term_differences(p, v, a, b, &d);
	page_add_gap(p);
	if (!explain_has_job_started(a) && !explain_has_job_started(b))
		explain_add_divergence(p, v, &a->path, &b->path);
	explain_add_source(p, v);
}

/* ---- comparison of two users or accounts */

struct two_rows {
	const struct fs_share_row *a, *b;
	struct fs_explain_path path_a, path_b;
	struct fs_explain_divergence divergence;
};

static void print_level_row(struct page *p, const struct explain_view *v, uint32_t row)
{
	const struct fs_share_row *r = get_share_row(v, row);

	page_add_cell(p, "%s", format_cell_name(BUF, format_share_name(BUF, r)));
	explain_add_share_cells(p, v, r);
	if (!fs_shares_has_levels(v->eval->shares) && !isnan(r->fairshare))
		page_add_cell(p, "%.6f", r->fairshare);
	if (fs_shares_has_ranges(v->eval->shares)) {
		page_add_cell(p, "%.6f", r->range.low);
		page_add_cell(p, "%.6f", r->range.high);
	}
	page_end_row(p, TONE_PLAIN);
}

/* Prints a table with one row for each of two paths through the share tree. If the algorithm ranks by levels, the rows
 * show the accounts or users at which the paths diverge. Otherwise the rows show the last account or user of each
 * path. */
static void print_divergence_rows(struct page *p, const struct explain_view *v, const struct two_rows *t)
{
	const bool levels = fs_shares_has_levels(v->eval->shares);
	const char *level = v->algorithm->level;
	const struct page_column columns[] = {
		{ "", ALIGN_LEFT },     { "shares", ALIGN_POINT },     { "usage", ALIGN_POINT },
		{ level, ALIGN_POINT }, { "slice from", ALIGN_POINT }, { "to", ALIGN_POINT }
	};
	const size_t n = sizeof(columns) / sizeof(*columns);

	page_begin_table(p, columns, fs_shares_has_ranges(v->eval->shares) ? n : n - 2);
	print_level_row(p, v, levels ? t->path_a.level[t->divergence.level_a].row : t->path_a.row);
	print_level_row(p, v, levels ? t->path_b.level[t->divergence.level_b].row : t->path_b.row);
	page_end_table(p);
}

static void add_rows_ranking(struct page *p, const struct two_rows *t)
{
	char a[WORDS], b[WORDS];

	format_share_name(a, t->a);
	format_share_name(b, t->b);
	if (!t->divergence.same && t->divergence.first)
		page_add_sentence(p, "%s ranks above %s.", t->divergence.first < 0 ? a : b,
				  t->divergence.first < 0 ? b : a);
	else if (t->path_a.rank && t->path_a.rank == t->path_b.rank && t->path_a.row != t->path_b.row)
		page_add_sentence(p, "%s and %s have the same rank.", a, b);
	if (t->path_a.user && t->path_b.user && !isnan(t->path_a.factor) && !isnan(t->path_b.factor))
		page_add_sentence(p, "Fair-share factors: %.6f and %.6f.", t->path_a.factor, t->path_b.factor);
}

/* Formats the title of a share row: "bob (account physics)", "account physics". */
static const char *format_row_title(char *buf, size_t size, const struct explain_view *v, const struct fs_share_row *r)
{
	if (*r->user)
		snprintf(buf, size, "%s (%s %s)", format_share_name(BUF, r), v->vocabulary->account, r->account);
	else
		snprintf(buf, size, "%s %s", v->vocabulary->account, r->account);
	return buf;
}

int explain_add_share_pair(struct page *p, const struct explain_view *v, uint32_t row_a, uint32_t row_b)
{
	struct two_rows t = { .a = get_share_row(v, row_a), .b = get_share_row(v, row_b) };
	char a[3 * WORDS], b[3 * WORDS];

	if (fs_explain_path(v->explain, row_a, &t.path_a, NULL) || fs_explain_path(v->explain, row_b, &t.path_b, NULL))
		return -1;
	page_add_heading(p, "%s against %s", format_row_title(a, sizeof(a), v, t.a),
			 format_row_title(b, sizeof(b), v, t.b));
	page_add_gap(p);
	if (t.path_a.recorded_factor_used || t.path_a.hidden || t.path_b.hidden) {
		explain_add_divergence(p, v, &t.path_a, &t.path_b);
	} else {
		fs_explain_compare_paths(v->explain, &t.path_a, &t.path_b, &t.divergence);
		add_rows_ranking(p, &t);
		explain_add_divergence(p, v, &t.path_a, &t.path_b);
		if (!t.divergence.same)
			print_divergence_rows(p, v, &t);
	}
	explain_add_source(p, v);
	return 0;
}

/* ---- forecasts: --forecast */

static int compute_subject_forecast(const struct explain_view *v, uint32_t share_row, uint32_t job_row,
				    fs_forecast **out, struct fs_error *err)
{
	const struct fs_forecast_options o = { .view = v->forecast->view,
					       .eval = v->forecast->eval,
					       .until = v->forecast->until,
					       .points = FORECAST_POINTS,
					       .share_row = share_row,
					       .job_row = job_row };

	return fs_forecast_compute(out, v->snapshot, &o, err);
}

static int add_subject_forecast(struct page *p, const struct explain_view *v, uint32_t share_row, uint32_t job_row)
{
	struct fs_error err;
	fs_forecast *f = NULL;

	if (compute_subject_forecast(v, share_row, job_row, &f, &err)) {
		if (err.code != FS_ENODATA)
			return -1;
		page_end_with(p, "No forecast: %s.", err.message);
		return 0;
	}
	forecast_add_text(p, v->snapshot, v->forecast->eval, f, v->vocabulary->account);
	fs_forecast_free(f);
	return 0;
}

/* Adds a sentence that says that the job has no priority, because Maui computes priorities of eligible jobs only. */
static void add_no_priority_note(struct page *p, const struct explain_view *v, const struct fs_job *j)
{
	const struct fs_eval *e = v->forecast->eval;

	if (!e->windows || !e->prios || j->times.start != FS_UNKNOWN || fs_prios_find(e->prios, j->id) != FS_NO_ROW)
		return;
	page_end_with(p, "The job has no priority until it becomes eligible.");
	page_add_gap(p);
}

int explain_add_job_forecast(struct page *p, const struct explain_view *v, uint32_t job_row)
{
	struct fs_job j;

	fs_snapshot_job(v->snapshot, job_row, &j);
	page_add_heading(p, "Job %s · %s · %s", format_display_job_id(BUF, v->snapshot, job_row), j.user, j.account);
	page_add_gap(p);
	if (add_subject_forecast(p, v, FS_NO_ROW, job_row))
		return -1;
	add_no_priority_note(p, v, &j);
	explain_add_source(p, v);
	return 0;
}

int explain_add_shares_forecast(struct page *p, const struct explain_view *v, const uint32_t *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = get_share_row(v, rows[i]);

		page_add_gap(p);
		if (*r->user)
			page_add_heading(p, "%s in %s %s%s%s", r->user, v->vocabulary->account, r->account,
					 *r->partition ? ", partition " : "", r->partition);
		else
			page_add_heading(p, "%s %s", v->vocabulary->Account, r->account);
		page_add_gap(p);
		if (add_subject_forecast(p, v, rows[i], FS_NO_ROW))
			return -1;
	}
	explain_add_source(p, v);
	return 0;
}

uint32_t explain_find_credential_share(const struct explain_view *v, uint32_t window_row)
{
	const struct fs_window_row *c = fs_windows_row(v->eval->windows, window_row);
	const fs_shares *shares = v->forecast ? v->forecast->eval->shares : NULL;

	for (uint32_t i = 0; shares && i < fs_shares_count(shares); i++) {
		const struct fs_share_row *r = fs_shares_row(shares, i);

		if (!strcmp(r->parent, fs_cred_kind_name(c->kind)) && !strcmp(*r->user ? r->user : r->account, c->name))
			return i;
	}
	return FS_NO_ROW;
}

int explain_add_credential_forecast(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	const struct fs_window_row *c = fs_windows_row(v->eval->windows, window_row);

	page_add_heading(p, "The %s %s", get_credential_term(c->kind), c->name);
	page_add_gap(p);
	if (add_subject_forecast(p, v, explain_find_credential_share(v, window_row), FS_NO_ROW))
		return -1;
	explain_add_source(p, v);
	return 0;
}

int explain_write_forecast(struct fs_json *j, const struct explain_view *v, uint32_t share_row, uint32_t job_row)
{
	struct fs_error err;
	fs_forecast *f = NULL;

	fs_json_key(j, "forecast");
	if (v->forecast && !compute_subject_forecast(v, share_row, job_row, &f, &err)) {
		forecast_write_json(j, v->snapshot, v->forecast->eval, f);
		fs_forecast_free(f);
		return 0;
	}
	fs_json_null(j);
	return v->forecast && err.code != FS_ENODATA ? FS_ENOMEM : 0;
}

int explain_save_forecast_picture(const struct explain_view *v, const struct invocation *inv, uint32_t share_row,
				  uint32_t job_row, const char *file)
{
	const struct fs_share_row *row = fs_shares_row(v->forecast->eval->shares, share_row);
	char title[2 * WORDS] = "";
	struct fs_error err;
	fs_forecast *f = NULL;
	int status;

	if (compute_subject_forecast(v, share_row, job_row, &f, &err))
		return forecast_report_error(inv, &err);
	if (job_row != FS_NO_ROW)
		snprintf(title, sizeof(title), "job %s", format_display_job_id(BUF, v->snapshot, job_row));
	else if (row)
		snprintf(title, sizeof(title), "%s", format_share_name(BUF, row));
	status = forecast_save_picture(inv, v->snapshot, v->forecast->eval, f, title, file);
	fs_forecast_free(f);
	return status;
}
