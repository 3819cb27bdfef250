/* History lines: parses them, makes them from an evaluated snapshot, and groups their points into series. */
#include "cmd.h"
#include "columns/share.h"
#include "fs/eval.h"
#include "fs/queue.h"
#include "history/history.h"
#include "page/page.h"
#include "render/emit.h"
#include "render/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- parsing history lines */

int history_escape_field(char *buf, size_t size, const char *text)
{
	size_t n = 0;

	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		const bool plain = c >= ' ' && c != 0x7f && c != '\\';

		if (n + 5 > size)
			return -1;
		if (plain)
			buf[n++] = (char)c;
		else
			n += (size_t)snprintf(buf + n, size - n, "\\x%02x", c);
	}
	buf[n] = '\0';
	return 0;
}

/* Replaces each \xHH by the character with that code, in place. */
static void unescape_line_field(char *s)
{
	char *to = s;
	unsigned c;

	while (*s) {
		if (s[0] == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) && isxdigit((unsigned char)s[3]) &&
		    sscanf(s + 2, "%2x", &c) == 1) {
			*to++ = (char)c;
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* Returns the next tab-separated field of *text, and advances *text past the field. Returns NULL after the last
 * field. */
static char *split_next_field(char **text)
{
	char *field = *text, *tab = field ? strchr(field, '\t') : NULL;

	*text = tab ? tab + 1 : NULL;
	if (tab)
		*tab = '\0';
	return field;
}

/* Appends the name=number fields of the text to the record. Returns -1 if a field is invalid. */
static int parse_record_values(char *text, struct history_record *out)
{
	char *field, *equals, *end;

	while ((field = split_next_field(&text))) {
		if (!*field)
			continue;
		equals = strchr(field, '=');
		if (!equals || out->n == RECORD_VALUES_MAX)
			return -1;
		*equals = '\0';
		out->value[out->n] =
			(struct history_value){ field, equals[1] ? strtod(equals + 1, &end) : (double)NAN };
		if (equals[1] && (end == equals + 1 || *end))
			return -1;
		out->n++;
	}
	return 0;
}

int history_parse_line(char *text, struct history_record *out)
{
	const char **share[] = { &out->user, &out->account, &out->partition };
	const char **job[] = { &out->partition, &out->qos, &out->user, &out->account, &out->state };
	const char *kind = split_next_field(&text);

	*out = (struct history_record){ .user = "", .account = "", .partition = "", .qos = "", .state = "" };
	if (!kind || (strcmp(kind, "s") && strcmp(kind, "j")))
		return -1;
	out->of_job = *kind == 'j';
	if (out->of_job) {
		const char *id = split_next_field(&text);

		if (!id || !isdigit((unsigned char)*id))
			return -1;
		out->job = strtoull(id, NULL, 10);
	}
	for (size_t i = 0; i < (out->of_job ? 5 : 3); i++) {
		char *field = split_next_field(&text);

		if (!field)
			return -1;
		unescape_line_field(field);
		*(out->of_job ? job[i] : share[i]) = field;
	}
	return parse_record_values(text, out);
}

int history_compare_records(const struct history_record *a, const struct history_record *b)
{
	int order = (a->job > b->job) - (a->job < b->job);

	order = order ? order : strcmp(a->user, b->user);
	order = order ? order : strcmp(a->account, b->account);
	order = order ? order : strcmp(a->partition, b->partition);
	return order ? order : strcmp(a->qos, b->qos);
}

double history_get_value(const struct history_record *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->value[i].name, name))
			return l->value[i].value;
	return (double)NAN;
}

/* ---- lines of an evaluated snapshot */

/* a line of this size and a block of DIGEST_BLOCK_SIZE fit into DIGEST_BLOCK_MAX */
enum { LINE_TEXT_SIZE = DIGEST_BLOCK_MAX - DIGEST_BLOCK_SIZE };

/* A history line that is being built. */
struct line_builder {
	char text[LINE_TEXT_SIZE];
	size_t len;
	bool is_too_long; /* the line does not fit into `text` */
};

static void append_line_text(struct line_builder *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void append_line_text(struct line_builder *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(b->text + b->len, LINE_TEXT_SIZE - b->len, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= LINE_TEXT_SIZE - b->len)
		b->is_too_long = true;
	else
		b->len += (size_t)n;
}

static void append_line_field(struct line_builder *b, const char *text)
{
	if (b->is_too_long || history_escape_field(b->text + b->len, LINE_TEXT_SIZE - b->len - 1, text)) {
		b->is_too_long = true;
		return;
	}
	b->len += strlen(b->text + b->len);
	append_line_text(b, "\t");
}

static void append_line_value(struct line_builder *b, const char *name, double value)
{
	if (isnan(value))
		append_line_text(b, "%s=\t", name);
	else
		append_line_text(b, "%s=%.16e\t", name, value);
}

/* Passes the line to fn. Returns FS_EDATA if the line is too long; no scheduler allows names that long. */
static int pass_built_line(const struct line_builder *b, history_line_fn fn, void *ctx, struct fs_error *err)
{
	if (!b->is_too_long)
		return fn(ctx, b->text);
	*err = (struct fs_error){ .code = FS_EDATA };
	snprintf(err->message, sizeof(err->message),
		 "cannot make a history: the names and numbers of a row have more than %d bytes", LINE_TEXT_SIZE);
	return FS_EDATA;
}

/* Calls fn for the history line of each visible share row. Returns 0, the first non-zero value that fn returned, or an
 * error code. Returns 0 also if the snapshot has no shares (FS_ENODATA). */
static int gather_share_lines(const fs_snapshot *s, const struct fs_view *view, history_line_fn fn, void *ctx,
			      struct fs_error *err)
{
	struct share_source of = { .snapshot = s };
	struct line_builder b;
	fs_shares *shares;
	struct value v;
	int rc = fs_shares_compute(&shares, s, view, err);

	if (rc)
		return rc == FS_ENODATA ? 0 : rc;
	of.shares = shares;
	for (size_t i = 0; i < fs_shares_count(shares) && !rc; i++) {
		const struct fs_share_row *row = fs_shares_row(shares, i);

		if (!row->visible)
			continue;
		b = (struct line_builder){ .len = 0 };
		append_line_text(&b, "s\t");
		append_line_field(&b, row->user);
		append_line_field(&b, row->account);
		append_line_field(&b, row->partition);
		for (size_t k = 0; k < share_metric_columns_count; k++) {
			const struct column *c = &share_columns[share_metric_columns[k]];

			column_get_value(c, &of, row, &v);
			append_line_value(&b, c->key, value_to_number(&v));
		}
		rc = pass_built_line(&b, fn, ctx, err);
	}
	fs_shares_free(shares);
	return rc;
}

/* ---- history lines of jobs */

/* The evaluated snapshot. The arrays `position` and `first_prio_row` are indexed by job row. */
struct evaluated_jobs {
	struct fs_eval eval;
	uint32_t *position;     /* 1-based position among all eligible jobs; 0: not eligible */
	size_t *first_prio_row; /* index of the job's first row in eval.prios; FS_NO_ROW: none */
};

static void index_first_prio_rows(struct evaluated_jobs *j, size_t n)
{
	for (size_t i = 0; i < n; i++)
		j->first_prio_row[i] = FS_NO_ROW;
	for (size_t i = j->eval.prios ? fs_prios_count(j->eval.prios) : 0; i-- > 0;)
		j->first_prio_row[fs_prios_job_row(j->eval.prios, i)] = i;
}

static void index_queue_positions(struct evaluated_jobs *j)
{
	struct fs_queue_place p;

	for (size_t i = 0; j->eval.queue && i < fs_queue_count(j->eval.queue); i++) {
		fs_queue_place(j->eval.queue, i, &p);
		if (p.position)
			j->position[p.job_row] = p.position;
	}
}

/* Begins a line with the key fields and the state of a job. */
static void begin_job_line(struct line_builder *b, const struct fs_job *job, const char *partition, const char *qos)
{
	*b = (struct line_builder){ .len = 0 };
	append_line_text(b, "j\t%020llu\t", (unsigned long long)job->id);
	append_line_field(b, partition);
	append_line_field(b, qos);
	append_line_field(b, job->user);
	append_line_field(b, job->account);
	append_line_field(b, job->state);
}

/* Calls fn with one line for each partition and QOS in which the job has a priority. If the job has no priority, calls
 * fn with one line without numbers. */
static int gather_lines_of_job(const struct evaluated_jobs *j, uint32_t row, history_line_fn fn, void *ctx,
			       struct fs_error *err)
{
	const fs_snapshot *s = j->eval.snapshot;
	const fs_prios *p = j->eval.prios;
	struct fs_prio_row prio;
	struct fs_job job;
	struct line_builder b;
	int rc = 0;

	fs_snapshot_job(s, row, &job);
	const size_t first = j->first_prio_row[row];

	if (first == FS_NO_ROW) {
		const char *partition = fs_job_partition(s, row, 0), *qos = fs_job_qos(s, row, 0);

		begin_job_line(&b, &job, partition ? partition : "", qos ? qos : "");
		return pass_built_line(&b, fn, ctx, err);
	}
	for (size_t i = first; i < fs_prios_count(p) && fs_prios_job_row(p, i) == row && !rc; i++) {
		fs_prios_row(p, i, &prio);
		begin_job_line(&b, &job, prio.partition, prio.qos);
		append_line_value(&b, "priority", prio.priority);
		append_line_value(&b, "position", j->position[row] ? j->position[row] : (double)NAN);
		for (size_t t = 0; t < fs_prios_terms(p) && !prio.set_directly; t++)
			append_line_value(&b, prio.terms[t].name, prio.terms[t].points);
		rc = pass_built_line(&b, fn, ctx, err);
	}
	return rc;
}

static int gather_job_lines(const fs_snapshot *s, const struct fs_view *view, history_line_fn fn, void *ctx,
			    struct fs_error *err)
{
	const size_t n = fs_snapshot_info(s)->jobs;
	struct evaluated_jobs j = { .position = calloc(n + 1, sizeof(*j.position)),
				    .first_prio_row = malloc((n + 1) * sizeof(*j.first_prio_row)) };
	bool *visible = calloc(n + 1, sizeof(*visible));
	int rc = FS_ENOMEM;

	if (!j.position || !j.first_prio_row || !visible)
		*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	else
		rc = fs_eval_compute(s, view, &j.eval, err);
	if (!rc) {
		index_queue_positions(&j);
		index_first_prio_rows(&j, n);
		fs_snapshot_visible_jobs(s, view->viewer, visible);
		for (uint32_t i = 0; i < n && !rc; i++)
			rc = visible[i] ? gather_lines_of_job(&j, i, fn, ctx, err) : 0;
		fs_eval_release(&j.eval);
	}
	free(j.position);
	free(j.first_prio_row);
	free(visible);
	return rc;
}

int history_gather_lines(const fs_snapshot *s, const struct fs_view *view, unsigned which, history_line_fn fn,
			 void *ctx, struct fs_error *err)
{
	const int rc = which & HISTORY_SHARE_LINES ? gather_share_lines(s, view, fn, ctx, err) : 0;

	return !rc && which & HISTORY_JOB_LINES ? gather_job_lines(s, view, fn, ctx, err) : rc;
}

/* ---- series: text plots and greatest changes */

enum { PLOT_WIDTH = 80, PLOT_COLUMNS = 64, PLOT_HEIGHT = 8, PRINTED_DECIMALS = 6 };

const char *history_format_time(char out[POINT_TIME_SIZE], const struct history_point *p)
{
	const time_t local = (time_t)(p->time + p->utc_offset_s);
	struct tm tm;

	if (!gmtime_r(&local, &tm) || !strftime(out, POINT_TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(out, POINT_TIME_SIZE, "?");
	return out;
}

const char *history_format_number(char buf[POINT_NUMBER_SIZE], double v)
{
	return isnan(v) ? "" : text_format_number(buf, POINT_NUMBER_SIZE, v, PRINTED_DECIMALS);
}

/* Compares two points by their series. */
static int compare_points_by_series(const void *x, const void *y, const void *ctx)
{
	const struct history_point *const *a = x, *const *b = y;

	(void)ctx;
	return history_compare_records((*a)->record, (*b)->record);
}

const char *history_select_value_name(const struct history_query *c, const struct history_record *l)
{
	if (c->jobs)
		return "priority";
	return isnan(history_get_value(l, "fairshare")) ? "effective_usage" : "fairshare";
}

const char *history_format_series_name(char buf[SERIES_NAME_SIZE], const struct history_record *l, const char *measure)
{
	const char *in = *l->partition ? " in " : "";

	if (l->of_job)
		snprintf(buf, SERIES_NAME_SIZE, "%s of job %llu%s%s", measure, (unsigned long long)l->job, in,
			 l->partition);
	else
		snprintf(buf, SERIES_NAME_SIZE, "%s of %s%s%s%s%s", measure, l->user, *l->user ? " at " : "",
			 l->account, in, l->partition);
	return buf;
}

static void print_series_name(const struct history_record *l, const char *measure)
{
	char name[SERIES_NAME_SIZE];

	emit("%s", history_format_series_name(name, l, measure));
}

/* For a series, prints the greatest change between two successive points, and the command that shows the causes of the
 * change. Prints nothing if the value never changed. */
static void print_greatest_change(void *ctx, const struct history_query *c, const struct history_point *const *v,
				  size_t n)
{
	const char *measure = history_select_value_name(c, v[0]->record);
	size_t at = 0;
	double max = 0;
	char before[POINT_NUMBER_SIZE], after[POINT_NUMBER_SIZE], when[POINT_TIME_SIZE], then[POINT_TIME_SIZE];

	(void)ctx;
	for (size_t i = 1; i < n; i++) {
		const double change =
			fabs(history_get_value(v[i]->record, measure) - history_get_value(v[i - 1]->record, measure));

		if (change > max) {
			max = change;
			at = i;
		}
	}
	if (!at)
		return;
	const struct history_record *l = v[at]->record;

	history_format_time(then, v[at - 1]);
	history_format_time(when, v[at]);
	emit("\n");
	print_series_name(l, measure);
	emit(" changed most between %s and %s: from %s to %s.\n", then, when,
	     history_format_number(before, history_get_value(v[at - 1]->record, measure)),
	     history_format_number(after, history_get_value(l, measure)));
	emit("Why: fs-diff");
	if (c->jobs)
		emit(" --job=%llu", (unsigned long long)l->job);
	else
		emit(*l->user ? " --user=%s" : " --account=%s", *l->user ? l->user : l->account);
	emit(" %s %s\n", v[at - 1]->file, v[at]->file);
}

/* Divides the time range of the series into PLOT_COLUMNS equal spans. Sets out[i] to the value named `measure` of the
 * last point before the end of span i; NAN if that value is unknown. */
static void sample_series_values(const struct history_point *const *v, size_t n, const char *measure,
				 double out[PLOT_COLUMNS])
{
	const int64_t first = v[0]->time, span = v[n - 1]->time - first;
	size_t next = 0;
	double last = (double)NAN;

	for (int i = 0; i < PLOT_COLUMNS; i++) {
		const double until = (double)span * (i + 1) / PLOT_COLUMNS;

		for (; next < n && (double)(v[next]->time - first) <= until; next++)
			last = history_get_value(v[next]->record, measure);
		out[i] = last;
	}
}

/* Returns true if any two of the sampled values differ. */
static bool has_different_values(const double v[PLOT_COLUMNS])
{
	for (int i = 1; i < PLOT_COLUMNS; i++)
		if (v[i] != v[0] && !(isnan(v[i]) && isnan(v[0])))
			return true;
	return false;
}

/* Prints the name of a series and a text plot of its values. Prints the value instead of the plot if all values are
 * equal. */
static void print_series_plot(void *ctx, const struct history_query *c, const struct history_point *const *v, size_t n)
{
	const char *measure = history_select_value_name(c, v[0]->record);
	char from[POINT_TIME_SIZE], to[POINT_TIME_SIZE], buf[POINT_NUMBER_SIZE];
	double value[PLOT_COLUMNS];
	struct page page;

	(void)ctx;
	history_format_time(from, v[0]);
	history_format_time(to, v[n - 1]);
	sample_series_values(v, n, measure, value);
	print_series_name(v[0]->record, measure);
	if (!has_different_values(value)) {
		emit(": %s from %s to %s\n", history_format_number(buf, value[0]), from, to);
		return;
	}
	emit("\n");
	page_init_form(&page, PAGE_TEXT, PLOT_WIDTH, text_has_utf8());
	page_plot_curve(&page, from, to, value, PLOT_COLUMNS, PLOT_HEIGHT, c->jobs ? 0 : 4);
	page_print_lines(&page, stdout, false);
	page_free_text(&page);
}

/* One series: n successive elements of an array of points that is sorted by series. */
struct point_series {
	const struct history_point *const *v;
	size_t n;
};

static int compare_series_by_start(const void *x, const void *y, const void *ctx)
{
	const struct point_series *a = x, *b = y;

	(void)ctx;
	return (a->v[0] > b->v[0]) - (a->v[0] < b->v[0]);
}

/* Splits n points, which are sorted by series, into series. Returns the number of series. The points of a series are in
 * the order of time, because the points were sorted with a stable sort. */
static size_t split_into_series(const struct history_point *const *v, size_t n, struct point_series *out)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (!i || compare_points_by_series(&v[i - 1], &v[i], NULL))
			out[count++] = (struct point_series){ &v[i], 0 };
		out[count - 1].n++;
	}
	return count;
}

int history_visit_series(const struct history_query *c, const struct history_points *p, history_series_fn fn, void *ctx)
{
	const struct history_point **v = malloc((p->n + 1) * sizeof(*v));
	struct point_series *series = malloc((p->n + 1) * sizeof(*series));
	int status = v && series ? EXIT_DONE : cmd_report_no_memory(c->inv);
	size_t n = 0;

	for (size_t i = 0; !status && i < p->n; i++)
		v[i] = &p->v[i];
	if (!status && fs_sort(v, p->n, sizeof(*v), compare_points_by_series, NULL))
		status = cmd_report_no_memory(c->inv);
	if (!status)
		n = split_into_series(v, p->n, series);
	if (!status && fs_sort(series, n, sizeof(*series), compare_series_by_start, NULL))
		status = cmd_report_no_memory(c->inv);
	for (size_t i = 0; !status && i < n; i++)
		fn(ctx, c, series[i].v, series[i].n);
	free(v);
	free(series);
	return status;
}

int history_print_plots(const struct history_query *c, const struct history_points *p)
{
	return history_visit_series(c, p, print_series_plot, NULL);
}

int history_print_greatest_changes(const struct history_query *c, const struct history_points *p)
{
	return history_visit_series(c, p, print_greatest_change, NULL);
}
