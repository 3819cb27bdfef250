/* Writes a forecast as text, JSON and SVG. */
#include "columns/share.h"
#include "dialect/dialect.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/text.h"
#include "render/json.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the curves of a forecast: one per assumption about future jobs */

static bool has_any_priority(const fs_forecast *f)
{
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		for (size_t i = 0; i < fs_forecast_points(f); i++)
			if (!isnan(fs_forecast_point(f, (enum fs_assumption)a, i)->priority))
				return true;
	return false;
}

/* Selects the quantity that the curves show: the priority if any is known, otherwise the fair-share factor if it is
 * known, otherwise usage as a fraction of all usage. */
static struct forecast_curve choose_curve_quantity(const fs_forecast *f)
{
	return (struct forecast_curve){ .f = f,
					.priority = has_any_priority(f),
					.factor = !isnan(fs_forecast_point(f, FS_ASSUME_IDLE, 0)->fairshare) };
}

/* Returns the name of the quantity that the curves show: "Priority", "FairShare", or "Usage (%)". */
static const char *get_curve_name(const struct forecast_curve *c)
{
	return c->priority ? "Priority" : c->factor ? "FairShare" : "Usage (%)";
}

/* Returns the number of decimals with which the values of the curves are printed. */
static int get_curve_decimals(const struct forecast_curve *c)
{
	return c->priority ? 0 : c->factor ? 4 : 2;
}

/* Returns the value of the curve for assumption `a` at its point number i (0-based); NAN: unknown. */
static double get_curve_value(const struct forecast_curve *c, int a, size_t i)
{
	const struct fs_forecast_point *x = fs_forecast_point(c->f, (enum fs_assumption)a, i);

	return c->priority ? x->priority : c->factor ? x->fairshare : x->usage * 100;
}

/* Returns true if the curves for assumptions `a` and `b` are equal. */
static bool is_same_curve(const struct forecast_curve *c, int a, int b)
{
	const double noise = 1e-9;

	for (size_t i = 0; i < fs_forecast_points(c->f); i++) {
		const double x = get_curve_value(c, a, i), y = get_curve_value(c, b, i);

		if (isnan(x) != isnan(y) || fabs(x - y) > noise * (1 + fabs(x)))
			return false;
	}
	return true;
}

/* Formats the letters of the assumptions under which the fair-share factor does not change: "a, b". The list begins
 * with assumption number `first`; earlier assumptions are left out. Returns the length of the text. */
static size_t format_constant_assumptions(char text[WORDS], const fs_forecast *f, int first)
{
	size_t n = 0;

	*text = '\0';
	for (int a = first; a < FS_ASSUMPTION_COUNT; a++)
		if (fs_forecast_is_constant(f, (enum fs_assumption)a))
			n += (size_t)snprintf(text + n, WORDS - n, "%s%c", n ? ", " : "", (char)('a' + a));
	return n;
}

/* Returns the first words of the sentence that says that the fair-share factor does not change: "FairShare", or
 * "From the next calculation on, FairShare" if the factor at the start of the forecast differs from the constant value.
 * `is_delayed`: if true, the longer text is "From the second calculation on, FairShare". */
static const char *get_constant_factor_subject(const fs_forecast *f, bool is_delayed)
{
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		if (fs_forecast_is_constant(f, (enum fs_assumption)a) &&
		    fs_forecast_point(f, (enum fs_assumption)a, 0)->fairshare !=
			    fs_forecast_point(f, (enum fs_assumption)a, fs_forecast_points(f) - 1)->fairshare)
			return is_delayed ? "From the second calculation on, FairShare"
					  : "From the next calculation on, FairShare";
	return "FairShare";
}

/* Adds a note to the page. The note lists the assumptions under which the fair-share factor does not change, and says
 * when usage is reset. `usage_note`: last sentence of the note, about a change of usage that forecasts ignore; NULL:
 * none. */
static void add_constant_factor_note(struct page *p, const fs_snapshot *s, const fs_forecast *f, const char *usage_note,
				     bool in_windows)
{
	const bool factor = choose_curve_quantity(f).factor,
		   ranked = fs_forecast_point(f, FS_ASSUME_IDLE, 0)->rank != 0;
	char text[WORDS], runs[WORDS], when[WORDS];
	const size_t n = format_constant_assumptions(text, f, FS_ASSUME_IDLE),
		     more = format_constant_assumptions(runs, f, FS_ASSUME_IDLE + 1);
	const char *from = get_constant_factor_subject(f, !ranked && !in_windows);
	const char *unchanged = ranked ? "the order" : "the factor";
	const bool run = more && fs_forecast_rate(f) > 0;

	if (fs_forecast_reset(f) != FS_UNKNOWN)
		page_add_sentence(p, "Usage is reset on %s: earlier usage then no longer counts.",
				  format_full_time(when, s, fs_forecast_reset(f)));
	if (n && factor)
		page_add_sentence(p, "%s does not change in %s", from, text);
	if (n && factor && in_windows)
		page_append_text(
			p,
			": it depends on the part of all usage, which is the same in each window that counts.");
	else if (n && factor && usage_note)
		page_append_text(p, ", as far as the snapshot shows usage: all usage decays at the same rate.");
	else if (n && factor && fs_forecast_decays(f))
		page_append_text(p, ": all usage decays at the same rate, which does not change %s%s%s.", unchanged,
				 run ? ", and neither do the jobs that run in " : "", run ? runs : "");
	else if (n && factor)
		page_append_text(p, ": usage does not decay%s%s%s%s.", run ? ", and the jobs that run in " : "",
				 run ? runs : "", run ? " do not change " : "", run ? unchanged : "");
	if (factor && usage_note)
		page_add_sentence(p, "%s", usage_note);
	page_end_paragraph(p);
}

enum { PLOT_HEIGHT = 3, MAX_EVENT_ROWS = 24, SECONDS_HOUR = 3600 };

int forecast_parse_until(const fs_snapshot *s, const char *word, int64_t *out, struct fs_error *err)
{
	return word ? fs_time_parse(s, word, out, err) : fs_forecast_default_until(s, out, err);
}

static const struct fs_forecast_point *get_last_point(const fs_forecast *f, int a)
{
	return fs_forecast_point(f, (enum fs_assumption)a, fs_forecast_points(f) - 1);
}

static char get_assumption_letter(int a)
{
	return (char)('a' + a);
}

/* ---- the table of values now and at the end of the forecast */

static void add_forecast_point_cells(struct page *p, const struct forecast_curve *c, const struct fs_forecast_point *x,
				     uint32_t users, bool use, const char *no_priority)
{
	if (use)
		page_add_cell(p, "%.2f %%", x->usage * 100);
	if (c->factor && x->rank)
		page_add_cell(p, "%.6f (%" PRIu32 "/%" PRIu32 ")", x->fairshare, x->rank, users);
	else if (c->factor)
		page_add_cell(p, "%.6f", x->fairshare);
	if (c->priority && isnan(x->priority))
		page_add_cell(p, "%s", no_priority);
	else if (c->priority)
		page_add_cell(p, "%.0f", x->priority);
}

static void add_forecast_values_table(struct page *p, const struct fs_eval *e, const fs_forecast *f, const char *until)
{
	static const char *const names[] = { "FairShare", "priority" };
	const struct forecast_curve c = choose_curve_quantity(f);
	struct page_column column[5] = { { "", ALIGN_LEFT } };
	const uint32_t users = fs_shares_users(e->shares);
	const char *no_priority = e->windows ? "none" : "unknown";
	const bool use = (e->windows || !c.factor) && !isnan(fs_forecast_point(f, FS_ASSUME_IDLE, 0)->usage);
	size_t n = 1;

	if (use)
		column[n++] = (struct page_column){ "usage", ALIGN_RIGHT };

	if (c.factor)
		column[n++] = (struct page_column){ names[0], ALIGN_LEFT };
	if (c.priority)
		column[n++] = (struct page_column){ names[1], ALIGN_RIGHT };
	if (n == 1)
		return;
	page_begin_table(p, column, n);
	page_add_cell(p, "now");
	add_forecast_point_cells(p, &c, fs_forecast_point(f, FS_ASSUME_IDLE, 0), users, use, no_priority);
	page_end_row(p, TONE_PLAIN);
	page_add_cell(p, "%s, if", until);
	page_end_row(p, TONE_PLAIN);
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		page_add_cell(p, "  %c  %s", get_assumption_letter(a), fs_assumption_text((enum fs_assumption)a));
		add_forecast_point_cells(p, &c, get_last_point(f, a), users, use, no_priority);
		page_end_row(p, TONE_PLAIN);
	}
	page_end_table(p);
}

/* ---- plotted curves */

/* Adds the first words of a sentence about the curve for assumption `a`, such as "Priority in a, c". The letters name
 * assumption `a` and the later assumptions with an equal curve. `verb`: text to insert after "Priority"; "": none. */
static void add_curve_name(struct page *p, const struct forecast_curve *c, int a, const char *verb)
{
	page_add_sentence(p, "%s%s in %c", get_curve_name(c), verb, get_assumption_letter(a));
	for (int b = a + 1; b < FS_ASSUMPTION_COUNT; b++)
		if (is_same_curve(c, a, b))
			page_append_text(p, ", %c", get_assumption_letter(b));
}

/* Plots the curve for assumption `a`, unless the curve for an earlier assumption is equal. If the lowest and the
 * highest value of the curve give the same printed text, adds a sentence instead of the plot. A constant fair-share
 * factor is omitted, because add_constant_factor_note reports it. */
static void plot_forecast_curve(struct page *p, const fs_snapshot *s, const struct forecast_curve *c, int a)
{
	char first[WORDS], last[WORDS];
	double v[FORECAST_POINTS];
	const size_t n = fs_forecast_points(c->f) < FORECAST_POINTS ? fs_forecast_points(c->f) : FORECAST_POINTS;
	double low = (double)INFINITY, high = -(double)INFINITY;

	for (int b = 0; b < a; b++)
		if (is_same_curve(c, a, b))
			return;
	for (size_t i = 0; i < n; i++) {
		v[i] = get_curve_value(c, a, i);
		low = fmin(low, v[i]);
		high = fmax(high, v[i]);
	}
	if (!(low <= high) || (!c->priority && c->factor && fs_forecast_is_constant(c->f, (enum fs_assumption)a)))
		return;
	format_decimal_number(first, low, get_curve_decimals(c));
	format_decimal_number(last, high, get_curve_decimals(c));
	if (!strcmp(first, last)) {
		add_curve_name(p, c, a, " stays the same");
		page_append_text(p, ": %s.", first);
		page_end_paragraph(p);
		page_add_gap(p);
		return;
	}
	add_curve_name(p, c, a, "");
	page_append_text(p, ":");
	page_end_paragraph(p);
	page_add_gap(p);
	format_short_time(first, s, fs_forecast_point(c->f, (enum fs_assumption)a, 0)->time);
	format_short_time(last, s, fs_forecast_point(c->f, (enum fs_assumption)a, n - 1)->time);
	page_plot_curve(p, first, last, v, n, PLOT_HEIGHT, get_curve_decimals(c));
	page_add_gap(p);
}

/* ---- the table of events */

static void format_other_subject(char buf[WORDS], const fs_snapshot *s, const struct fs_eval *e,
				 const struct fs_forecast_event *x)
{
	char id[WORDS];
	struct fs_job j;

	if (x->other_job == FS_NO_ROW) {
		format_share_name(buf, fs_shares_row(e->shares, x->other));
		return;
	}
	fs_snapshot_job(s, x->other_job, &j);
	snprintf(buf, WORDS, "%s of %s", format_display_job_id(id, s, x->other_job), j.user);
}

/* Returns the name of the Maui credential that the share row represents. */
static const char *get_credential_name(const struct fs_share_row *r)
{
	return *r->user ? r->user : r->account;
}

static void format_window_event(char buf[FORECAST_EVENT], const fs_snapshot *s, const char *subject,
				const struct fs_forecast_event *x)
{
	char when[WORDS], own[WORDS], all[WORDS];

	format_full_time(when, s, x->window);
	if (isnan(x->total_s))
		snprintf(buf, FORECAST_EVENT, "the current window, %s, no longer counts", when);
	else
		snprintf(buf, FORECAST_EVENT, "the window of %s no longer counts: %s had %s of its %s hours", when,
			 subject, format_decimal_number(own, x->usage_s / SECONDS_HOUR, 1),
			 format_decimal_number(all, x->total_s / SECONDS_HOUR, 1));
}

/* Formats the description of an event for the table of events and for the picture. */
static void format_event_text(char buf[FORECAST_EVENT], const fs_snapshot *s, const struct fs_eval *e,
			      const struct fs_forecast_event *x)
{
	static const char *const plain[] = {
		[FS_FORECAST_AGE_FULL] = "the age factor reaches 1",
		[FS_FORECAST_GOAL] = "the goal is reached",
	};
	char other[WORDS] = "", own[WORDS] = "";
	const char *subject = x->own == FS_NO_ROW ? "" : get_credential_name(fs_shares_row(e->shares, x->own));

	if (x->other_job != FS_NO_ROW || x->other != FS_NO_ROW)
		format_other_subject(other, s, e, x);
	if (x->other != FS_NO_ROW)
		format_share_name(own, fs_shares_row(e->shares, x->own));
	switch (x->kind) {
	case FS_FORECAST_TARGET:
		snprintf(buf, FORECAST_EVENT, "the usage of %s %s its target", subject,
			 x->after.usage > x->before.usage ? "rises above" : "falls below");
		break;
	case FS_FORECAST_WINDOW_LEAVES:
		format_window_event(buf, s, subject, x);
		break;
	case FS_FORECAST_HALF:
		snprintf(buf, FORECAST_EVENT, "FairShare %s 0.5", x->after.fairshare > x->before.fairshare ? "rises to" : "falls to");
		break;
	case FS_FORECAST_JOB_PASSES:
		snprintf(buf, FORECAST_EVENT, "this job passes job %s", other);
		break;
	case FS_FORECAST_JOB_PASSED:
		snprintf(buf, FORECAST_EVENT, "job %s passes this job", other);
		break;
	case FS_FORECAST_PASSES:
	case FS_FORECAST_PASSED:
		snprintf(buf, FORECAST_EVENT, "%s passes %s", x->kind == FS_FORECAST_PASSES ? own : other,
			 x->kind == FS_FORECAST_PASSES ? other : own);
		if (x->time != FS_UNKNOWN && x->before.fairshare != x->after.fairshare && !isnan(x->after.fairshare))
			format_text(buf + strlen(buf), FORECAST_EVENT - strlen(buf), ": FairShare %.6f, then %.6f", x->before.fairshare,
				 x->after.fairshare);
		break;
	default:
		snprintf(buf, FORECAST_EVENT, "%s", plain[x->kind]);
	}
}

/* Returns true if `y` is not NULL, and the events `x` and `y` have equal members `time`, `kind`, `other_job` and
 * `other`. Their assumptions may differ. */
static bool is_same_change(const struct fs_forecast_event *x, const struct fs_forecast_event *y)
{
	return y && x->time == y->time && x->kind == y->kind && x->other_job == y->other_job && x->other == y->other;
}

/* Returns a bit mask of the assumptions under which event i, or another event with the same text and time, occurs.
 * Returns 0 if an event before event i has the same text and time. */
static unsigned merge_event_assumptions(const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f, size_t i)
{
	const struct fs_forecast_event *x = fs_forecast_event(f, i), *y;
	char own[FORECAST_EVENT], other[FORECAST_EVENT];
	unsigned assumptions = x->assumptions;
	size_t k = i;

	while (k && is_same_change(x, fs_forecast_event(f, k - 1)))
		k--;
	format_event_text(own, s, e, x);
	for (; is_same_change(x, y = fs_forecast_event(f, k)); k++) {
		if (k == i || y->never != x->never)
			continue;
		format_event_text(other, s, e, y);
		if (strcmp(own, other) != 0)
			continue;
		if (k < i)
			return 0;
		assumptions |= y->assumptions;
	}
	return assumptions;
}

static void add_assumptions_cell(struct page *p, unsigned assumptions)
{
	char text[WORDS] = "";
	size_t n = 0;

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		if (assumptions >> a & 1)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%c", n ? " " : "",
					      get_assumption_letter(a));
	page_add_cell(p, "%s", assumptions == (1u << FS_ASSUMPTION_COUNT) - 1 ? "all" : text);
}

static void add_forecast_events_table(struct page *p, const fs_snapshot *s, const struct fs_eval *e,
				      const fs_forecast *f, const char *until)
{
	static const struct page_column column[] = { { "when", ALIGN_LEFT }, { "in", ALIGN_LEFT }, { "what", ALIGN_LEFT } };
	const size_t n = fs_forecast_events(f);
	char when[WORDS], what[FORECAST_EVENT];

	if (!n)
		return;
	page_add_gap(p);
	page_begin_table(p, column, sizeof(column) / sizeof(*column));
	for (size_t i = 0, shown_rows = 0; i < n; i++) {
		const struct fs_forecast_event *x = fs_forecast_event(f, i);
		const unsigned assumptions = merge_event_assumptions(s, e, f, i);

		if (!assumptions || (x->time != FS_UNKNOWN && shown_rows++ >= MAX_EVENT_ROWS))
			continue;
		if (x->time != FS_UNKNOWN)
			page_add_cell(p, "%s", format_full_time(when, s, x->time));
		else
			page_add_cell(p, x->never ? "never" : "not by %s", until);
		add_assumptions_cell(p, assumptions);
		format_event_text(what, s, e, x);
		page_add_cell(p, "%s", what);
		page_end_row(p, TONE_PLAIN);
	}
	page_end_table(p);
}

static void add_omitted_events_note(struct page *p, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f)
{
	size_t dated = 0;
	char a[WORDS];

	for (size_t i = 0; i < fs_forecast_events(f); i++)
		dated += fs_forecast_event(f, i)->time != FS_UNKNOWN && merge_event_assumptions(s, e, f, i);
	if (dated > MAX_EVENT_ROWS)
		page_add_sentence(p, "%s omitted; --json lists all.",
				  format_counted_term(a, dated - MAX_EVENT_ROWS, "later change is",
						      "later changes are"));
	page_end_paragraph(p);
}

void forecast_add_text(struct page *p, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		       const char *account)
{
	const struct forecast_curve c = choose_curve_quantity(f);
	char until[WORDS], row[WORDS];

	format_full_time(until, s, get_last_point(f, 0)->time);
	page_add_heading(p, "FORECAST until %s", until);
	page_add_sentence(p, "The forecast assumes that nothing is submitted, changed or cancelled, except as stated here.");
	if (fs_forecast_rate(f) == 0)
		page_add_sentence(p, "No running job is charged, so all four assumptions give the same values.");
	if (e->windows && c.factor && c.priority)
		page_add_sentence(p, "FairShare is the factor of %s.",
				  format_share_name(row, fs_shares_row(e->shares, fs_forecast_row(f))));
	else if (e->windows && !c.factor)
		page_add_sentence(p, "No target gives a fair-share factor.");
	else if (!e->windows && fs_forecast_row(f) == FS_NO_ROW)
		page_add_sentence(p, "The job's user has no share in this %s: the fair-share factor is unknown.",
				  account);
	else if (!e->windows && !c.factor)
		page_add_sentence(p, "The %s has no factor of its own: only its place among its siblings changes.",
				  account);
	if (fs_forecast_unmodelled(f))
		page_add_sentence(p, "Not modelled: %s.", fs_forecast_unmodelled(f));
	page_end_paragraph(p);
	page_add_gap(p);
	add_forecast_values_table(p, e, f, until);
	page_add_gap(p);
	add_constant_factor_note(p, s, f, find_scheduler_dialect(s)->unmodelled_usage, e->windows != NULL);
	page_add_gap(p);
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		plot_forecast_curve(p, s, &c, a);
	add_forecast_events_table(p, s, e, f, until);
	add_omitted_events_note(p, s, e, f);
	page_add_gap(p);
}

/* ---- the forecast as JSON */

#define POINT(m) COLUMN_MEMBER(struct fs_forecast_point, m)

static const struct column point_columns[] = {
	{ NULL, "time", POINT(time), .unit = UNIT_TIME, .help = "time of a priority calculation" },
	{ NULL, "fairshare", POINT(fairshare), .help = "fair-share factor of the user or account" },
	{ NULL, "rank", POINT(rank), .zero_is_none = true, .help = "rank of the user" },
	{ NULL, "priority", POINT(priority), .help = "priority of the job" },
	{ NULL, "usage", POINT(usage), .help = "usage of the user or account as a fraction of all usage" },
};

static void write_assumption_object(struct fs_json *j, const fs_forecast *f, enum fs_assumption a)
{
	fs_json_object(j);
	json_write_text(j, "name", fs_assumption_name(a));
	json_write_text(j, "text", fs_assumption_text(a));
	json_write_flag(j, "still", fs_forecast_is_constant(f, a));
	json_begin_list(j, "points");
	for (size_t i = 0; i < fs_forecast_points(f); i++)
		columns_write_object(j, COLUMNS(point_columns), NULL, fs_forecast_point(f, a, i));
	fs_json_end_array(j);
	fs_json_end_object(j);
}

static void write_event_share_row(struct fs_json *j, const char *key, const struct fs_eval *e, uint32_t row)
{
	share_write_row_name(j, key, row == FS_NO_ROW ? NULL : fs_shares_row(e->shares, row));
}

static void write_event_job(struct fs_json *j, const char *key, const fs_snapshot *s, uint32_t row)
{
	struct fs_job job;

	if (row != FS_NO_ROW)
		fs_snapshot_job(s, row, &job);
	json_write_whole(j, key, row != FS_NO_ROW, row != FS_NO_ROW ? job.id : 0);
}

/* Returns true if events of this kind change a value: they have a value before and a value after. */
static bool has_event_values(enum fs_forecast_kind kind)
{
	switch (kind) {
	case FS_FORECAST_AGE_FULL:
	case FS_FORECAST_WINDOW_LEAVES:
		return false;
	default:
		return true;
	}
}

static void write_event_object(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e,
			       const struct fs_forecast_event *x)
{
	const bool seen = x->time != FS_UNKNOWN && has_event_values(x->kind),
		   window = x->kind == FS_FORECAST_WINDOW_LEAVES;

	fs_json_object(j);
	json_write_text(j, "kind", fs_forecast_kind_name(x->kind));
	json_write_integer(j, "time", x->time);
	json_write_flag(j, "never", x->never);
	json_begin_list(j, "assumptions");
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		if (x->assumptions >> a & 1)
			fs_json_string(j, fs_assumption_name((enum fs_assumption)a));
	fs_json_end_array(j);
	write_event_share_row(j, "own", e, x->own);
	write_event_share_row(j, "other", e, x->other);
	write_event_job(j, "jobid", s, x->job);
	write_event_job(j, "other_jobid", s, x->other_job);
	columns_write_named_object(j, "before", COLUMNS(point_columns), NULL, seen ? &x->before : NULL);
	columns_write_named_object(j, "after", COLUMNS(point_columns), NULL, seen ? &x->after : NULL);
	json_write_integer(j, "window", window ? x->window : FS_UNKNOWN);
	json_write_number(j, "window_usage_s", window ? x->usage_s : (double)NAN);
	json_write_number(j, "window_total_s", window ? x->total_s : (double)NAN);
	fs_json_end_object(j);
}

void forecast_write_json(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f)
{
	const char *left_out = fs_forecast_unmodelled(f);

	fs_json_object(j);
	json_write_integer(j, "until", fs_forecast_point(f, FS_ASSUME_IDLE, fs_forecast_points(f) - 1)->time);
	json_write_integer(j, "usage_reset", fs_forecast_reset(f));
	json_write_number(j, "rate", fs_forecast_rate(f));
	left_out = left_out ? left_out : find_scheduler_dialect(s)->unmodelled_usage;
	json_write_text(j, "left_out", left_out ? left_out : "");
	json_begin_list(j, "assumptions");
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		write_assumption_object(j, f, (enum fs_assumption)a);
	fs_json_end_array(j);
	json_begin_list(j, "events");
	for (size_t i = 0; i < fs_forecast_events(f); i++)
		write_event_object(j, s, e, fs_forecast_event(f, i));
	fs_json_end_array(j);
	fs_json_end_object(j);
}

/* ---- SVG: a line for each distinct curve, and a mark for each event with a known time */

enum {
	PICTURE_WIDTH = 940,
	PICTURE_LEFT = 84,
	PICTURE_RIGHT = 24,
	PICTURE_TOP = 44,
	PICTURE_PLOT = 220,
	SCALE_LINES = 4,
	EVENT_MARK_WIDTH = 3,
	MAX_LISTED_EVENTS = 6
};

struct picture_frame {
	struct markup *v;
	const fs_snapshot *s;
	const fs_forecast *f;
	struct forecast_curve quantity;
	double min, max, step; /* ends of the value scale, and distance of its lines; round numbers */
	int64_t from, to;
};

static double get_x_on_picture(const struct picture_frame *r, int64_t time)
{
	return PICTURE_LEFT +
	       (PICTURE_WIDTH - PICTURE_LEFT - PICTURE_RIGHT) * (double)(time - r->from) / (double)(r->to - r->from);
}

static double get_y_on_picture(const struct picture_frame *r, double value)
{
	return PICTURE_TOP + PICTURE_PLOT * (r->max - value) / (r->max - r->min);
}

/* Sets the range of the value scale to the range of all values. If all values are equal, adds a margin above and below,
 * so that the line is in the middle of the picture. Returns false if there is nothing to draw. */
static bool fit_frame_scale(struct picture_frame *r)
{
	const size_t n = fs_forecast_points(r->f);

	r->min = INFINITY;
	r->max = -INFINITY;
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		for (size_t i = 0; i < n; i++) {
			const double v = get_curve_value(&r->quantity, a, i);

			r->min = fmin(r->min, v);
			r->max = fmax(r->max, v);
		}
	if (!isfinite(r->min) || r->to <= r->from)
		return false;
	if (r->max - r->min < 1e-9) {
		const double margin = r->quantity.priority ? 1 : .01;

		r->min -= margin;
		r->max += margin;
	}
	r->step = value_choose_step(r->max - r->min, SCALE_LINES);
	r->min = floor(r->min / r->step) * r->step;
	r->max = ceil(r->max / r->step) * r->step;
	return true;
}

static void draw_value_scale(const struct picture_frame *r)
{
	const int lines = (int)lround((r->max - r->min) / r->step);
	char text[WORDS];

	for (int i = 0; i <= lines; i++) {
		const double value = r->min + r->step * i, y = get_y_on_picture(r, value);

		format_text(text, sizeof(text), "%.*f", get_curve_decimals(&r->quantity), value);
		svg_draw_line(r->v, PICTURE_LEFT, y, PICTURE_WIDTH - PICTURE_RIGHT, y, SVG_GRID);
		svg_draw_text(r->v, PICTURE_LEFT - 8, y + 4, SVG_END, SVG_FAINT, 0, text);
	}
	svg_draw_time_scale(r->v, &(struct time_scale){ r->s, r->from, r->to, PICTURE_LEFT,
							PICTURE_WIDTH - PICTURE_LEFT - PICTURE_RIGHT, PICTURE_TOP,
							PICTURE_TOP + PICTURE_PLOT, PICTURE_TOP + PICTURE_PLOT + SVG_LINE });
}

static bool is_curve_drawn_before(const struct picture_frame *r, int a)
{
	for (int b = 0; b < a; b++)
		if (is_same_curve(&r->quantity, a, b))
			return true;
	return false;
}

static void draw_curve_line(const struct picture_frame *r, int a)
{
	bool on = false;
	double x = 0, y = 0;

	for (size_t i = 0; i < fs_forecast_points(r->f); i++) {
		const double value = get_curve_value(&r->quantity, a, i), to_y = get_y_on_picture(r, value),
			     to_x = get_x_on_picture(r, fs_forecast_point(r->f, (enum fs_assumption)a, i)->time);

		if (on && !isnan(value))
			svg_draw_line(r->v, x, y, to_x, to_y, svg_get_series((size_t)a));
		on = !isnan(value);
		x = to_x;
		y = to_y;
	}
}

/* Draws the legend, which is below the plot and names the curves. `y`: y coordinate of the legend's first line. */
static void draw_curve_legend(const struct picture_frame *r, double y)
{
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		char text[2 * WORDS];
		size_t n;

		if (is_curve_drawn_before(r, a))
			continue;
		n = (size_t)snprintf(text, sizeof(text), "%s", fs_assumption_text((enum fs_assumption)a));
		for (int b = a + 1; b < FS_ASSUMPTION_COUNT && n < sizeof(text); b++)
			if (is_same_curve(&r->quantity, a, b))
				n += (size_t)snprintf(text + n, sizeof(text) - n, "; %s",
						      fs_assumption_text((enum fs_assumption)b));
		svg_draw_rectangle(r->v, PICTURE_LEFT, y - 8, 14, EVENT_MARK_WIDTH, svg_get_series((size_t)a), NULL);
		svg_draw_text(r->v, PICTURE_LEFT + 22, y, SVG_START, SVG_INK,
			      (PICTURE_WIDTH - PICTURE_LEFT - PICTURE_RIGHT) / SVG_CHAR, text);
		y += SVG_LINE;
	}
}

static bool is_event_in_frame(const struct picture_frame *r, const struct fs_forecast_event *x)
{
	return x->time != FS_UNKNOWN && x->time >= r->from && x->time <= r->to;
}

static int count_distinct_curves(const struct picture_frame *r)
{
	int n = 0;

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		n += !is_curve_drawn_before(r, a);
	return n;
}

/* Returns the color of the mark of an event. If the assumptions under which the event occurs have different curves,
 * returns SVG_FAINT. Otherwise returns the color of their common curve, with one exception: if the picture has a single
 * curve and the event occurs under the first assumption, returns SVG_FAINT. */
static enum svg_role get_event_colour(const struct picture_frame *r, const struct fs_forecast_event *x)
{
	int line = -1;

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		if (!(x->assumptions >> a & 1))
			continue;
		if (line >= 0 && !is_same_curve(&r->quantity, line, a))
			return SVG_FAINT;
		line = line < 0 ? a : line;
	}
	for (int b = 0; b < line; b++)
		if (is_same_curve(&r->quantity, line, b))
			return svg_get_series((size_t)b);
	return line >= 0 && count_distinct_curves(r) > 1 ? svg_get_series((size_t)line) : SVG_FAINT;
}

static void draw_event_marks(const struct picture_frame *r, const struct fs_eval *e)
{
	for (size_t i = 0; i < fs_forecast_events(r->f); i++) {
		const struct fs_forecast_event *x = fs_forecast_event(r->f, i);
		char what[FORECAST_EVENT], when[WORDS], text[FORECAST_EVENT + WORDS];

		if (!is_event_in_frame(r, x))
			continue;
		format_event_text(what, r->s, e, x);
		snprintf(text, sizeof(text), "%s: %s", format_full_time(when, r->s, x->time), what);
		svg_draw_rectangle(r->v, get_x_on_picture(r, x->time) - 1, PICTURE_TOP + PICTURE_PLOT - 12,
				   EVENT_MARK_WIDTH, 12, get_event_colour(r, x), text);
	}
}

/* Returns the number of events that the picture lists below the plot, at most MAX_LISTED_EVENTS. */
static size_t count_listed_events(const struct picture_frame *r)
{
	size_t n = 0;

	for (size_t i = 0; i < fs_forecast_events(r->f); i++)
		n += is_event_in_frame(r, fs_forecast_event(r->f, i));
	return n < MAX_LISTED_EVENTS ? n : MAX_LISTED_EVENTS;
}

static void draw_event_list(const struct picture_frame *r, const struct fs_eval *e, double y)
{
	char what[FORECAST_EVENT], when[WORDS], text[FORECAST_EVENT + WORDS];
	size_t listed = 0;

	for (size_t i = 0; i < fs_forecast_events(r->f) && listed < MAX_LISTED_EVENTS; i++) {
		const struct fs_forecast_event *x = fs_forecast_event(r->f, i);

		if (!is_event_in_frame(r, x))
			continue;
		listed++;
		format_event_text(what, r->s, e, x);
		snprintf(text, sizeof(text), "%s: %s", format_full_time(when, r->s, x->time), what);
		svg_draw_rectangle(r->v, PICTURE_LEFT + 6, y - 10, EVENT_MARK_WIDTH, 12, get_event_colour(r, x), NULL);
		svg_draw_text(r->v, PICTURE_LEFT + 22, y, SVG_START, SVG_INK,
			      (PICTURE_WIDTH - PICTURE_LEFT - PICTURE_RIGHT) / SVG_CHAR, text);
		y += SVG_LINE;
	}
}

/* Draws the curves of a forecast with scale, event marks and legend. `title`: name of the row or job whose forecast is
 * drawn. Returns false if no value is known. */
static bool draw_forecast_picture(struct markup *v, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
				  const char *title)
{
	const size_t n = fs_forecast_points(f);
	struct picture_frame r = { .v = v, .s = s, .f = f, .quantity = choose_curve_quantity(f) };
	char heading[3 * WORDS], from[WORDS];

	r.from = fs_forecast_point(f, FS_ASSUME_IDLE, 0)->time;
	r.to = fs_forecast_point(f, FS_ASSUME_IDLE, n - 1)->time;
	if (!fit_frame_scale(&r))
		return false;
	snprintf(heading, sizeof(heading), "%s of %s, from %s (local time)", get_curve_name(&r.quantity), title,
		 format_full_time(from, s, r.from));
	svg_begin_picture(
		v, PICTURE_WIDTH,
		PICTURE_TOP + PICTURE_PLOT +
			SVG_LINE * (count_distinct_curves(&r) + (double)count_listed_events(&r) + 2.5),
		heading,
		"Each line is the curve under one or more of the assumptions named below. The marks at the bottom are "
		"events; each has the colour of its line.");
	svg_draw_text(v, PICTURE_LEFT, PICTURE_TOP - 20, SVG_START, SVG_INK,
		      (PICTURE_WIDTH - PICTURE_LEFT - PICTURE_RIGHT) / SVG_CHAR, heading);
	draw_value_scale(&r);
	draw_event_marks(&r, e);
	for (int a = FS_ASSUMPTION_COUNT - 1; a >= 0; a--)
		if (!is_curve_drawn_before(&r, a))
			draw_curve_line(&r, a);
	draw_curve_legend(&r, PICTURE_TOP + PICTURE_PLOT + 2.5 * SVG_LINE);
	draw_event_list(&r, e, PICTURE_TOP + PICTURE_PLOT + (count_distinct_curves(&r) + 2.5) * SVG_LINE);
	svg_end_picture(v);
	return true;
}

int forecast_report_error(const struct invocation *inv, const struct fs_error *err)
{
	if (err->code != FS_ENODATA)
		return cmd_report_error(inv, err);
	cmd_print_message(inv, "cannot compute a forecast: %s", err->message);
	return EXIT_FAILED;
}

int forecast_save_picture(const struct invocation *inv, const fs_snapshot *s, const struct fs_eval *e,
			  const fs_forecast *f, const char *title, const char *file)
{
	struct markup v = { .state = s };

	if (draw_forecast_picture(&v, s, e, f, title))
		return markup_save_file(inv, &v, file);
	markup_free_text(&v);
	cmd_print_message(inv, "--svg: cannot draw the forecast of %s: no value is known", title);
	return EXIT_NOTHING;
}
