/* History lines: parsing them, making them from an evaluated snapshot, and grouping their points into series. */
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

/* ---- parsing of lines */

int line_field(char *buf, size_t size, const char *text)
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

/* Replaces each \xHH by the character, in place. */
static void unescape(char *s)
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

/* Splits the next field off *text at a tab. Returns NULL after the last field. */
static char *next_field(char **text)
{
	char *field = *text, *tab = field ? strchr(field, '\t') : NULL;

	*text = tab ? tab + 1 : NULL;
	if (tab)
		*tab = '\0';
	return field;
}

/* Appends the name=number fields of the text to the record. Returns -1 if one of them is invalid. */
static int parse_values(char *text, struct line *out)
{
	char *field, *equals, *end;

	while ((field = next_field(&text))) {
		if (!*field)
			continue;
		equals = strchr(field, '=');
		if (!equals || out->n == LINE_VALUES)
			return -1;
		*equals = '\0';
		out->value[out->n] = (struct line_value){ field, equals[1] ? strtod(equals + 1, &end) : (double)NAN };
		if (equals[1] && (end == equals + 1 || *end))
			return -1;
		out->n++;
	}
	return 0;
}

int line_parse(char *text, struct line *out)
{
	const char **share[] = { &out->user, &out->account, &out->partition };
	const char **job[] = { &out->partition, &out->qos, &out->user, &out->account, &out->state };
	const char *kind = next_field(&text);

	*out = (struct line){ .user = "", .account = "", .partition = "", .qos = "", .state = "" };
	if (!kind || (strcmp(kind, "s") && strcmp(kind, "j")))
		return -1;
	out->of_job = *kind == 'j';
	if (out->of_job) {
		const char *id = next_field(&text);

		if (!id || !isdigit((unsigned char)*id))
			return -1;
		out->job = strtoull(id, NULL, 10);
	}
	for (size_t i = 0; i < (out->of_job ? 5 : 3); i++) {
		char *field = next_field(&text);

		if (!field)
			return -1;
		unescape(field);
		*(out->of_job ? job[i] : share[i]) = field;
	}
	return parse_values(text, out);
}

int line_order(const struct line *a, const struct line *b)
{
	int order = (a->job > b->job) - (a->job < b->job);

	order = order ? order : strcmp(a->user, b->user);
	order = order ? order : strcmp(a->account, b->account);
	order = order ? order : strcmp(a->partition, b->partition);
	return order ? order : strcmp(a->qos, b->qos);
}

double line_value(const struct line *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->value[i].name, name))
			return l->value[i].value;
	return (double)NAN;
}

/* ---- lines of an evaluated snapshot */

enum { LINE = 8192 };

/* A line that is being written. */
struct builder {
	char text[LINE];
	size_t len;
	bool failed; /* the line does not fit into text */
};

static void add(struct builder *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct builder *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(b->text + b->len, LINE - b->len, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= LINE - b->len)
		b->failed = true;
	else
		b->len += (size_t)n;
}

static void add_field(struct builder *b, const char *text)
{
	if (b->failed || line_field(b->text + b->len, LINE - b->len - 1, text)) {
		b->failed = true;
		return;
	}
	b->len += strlen(b->text + b->len);
	add(b, "\t");
}

static void add_value(struct builder *b, const char *name, double value)
{
	if (isnan(value))
		add(b, "%s=\t", name);
	else
		add(b, "%s=%.16e\t", name, value);
}

/* Passes the line to fn, unless it is longer than LINE_TEXT_SIZE: such a line is left out of the history. No scheduler
 * allows names that long. */
static int pass_line(const struct builder *b, line_fn fn, void *ctx)
{
	return b->failed ? 0 : fn(ctx, b->text);
}

/* Calls fn for the line of each visible share row. Returns 0, also if the snapshot has no shares (FS_ENODATA), the
 * first non-zero value that fn returned, or an error code. */
static int gather_shares(const fs_snapshot *s, const struct fs_view *view, line_fn fn, void *ctx, struct fs_error *err)
{
	struct share_source of = { .snapshot = s };
	struct builder b;
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
		b = (struct builder){ .len = 0 };
		add(&b, "s\t");
		add_field(&b, row->user);
		add_field(&b, row->account);
		add_field(&b, row->partition);
		for (size_t k = 0; k < share_measures_count; k++) {
			const struct column *c = &share_columns[share_measures[k]];

			column_value(c, &of, row, &v);
			add_value(&b, c->key, value_number(&v));
		}
		rc = pass_line(&b, fn, ctx);
	}
	fs_shares_free(shares);
	return rc;
}

/* ---- lines of jobs */

/* The evaluated snapshot, indexed by job row. */
struct jobs {
	struct fs_eval eval;
	uint32_t *position; /* position among all eligible jobs, from 1; 0: none */
	size_t *first;	    /* first priority row of the job; FS_NO_ROW: none */
};

static void find_first(struct jobs *j, size_t n)
{
	for (size_t i = 0; i < n; i++)
		j->first[i] = FS_NO_ROW;
	for (size_t i = j->eval.prios ? fs_prios_count(j->eval.prios) : 0; i-- > 0;)
		j->first[fs_prios_job_row(j->eval.prios, i)] = i;
}

static void find_positions(struct jobs *j)
{
	struct fs_queue_place p;

	for (size_t i = 0; j->eval.queue && i < fs_queue_count(j->eval.queue); i++) {
		fs_queue_place(j->eval.queue, i, &p);
		if (p.position)
			j->position[p.job_row] = p.position;
	}
}

/* Begins a line with the key fields and the state of a job. */
static void begin_job(struct builder *b, const struct fs_job *job, const char *partition, const char *qos)
{
	*b = (struct builder){ .len = 0 };
	add(b, "j\t%020llu\t", (unsigned long long)job->id);
	add_field(b, partition);
	add_field(b, qos);
	add_field(b, job->user);
	add_field(b, job->account);
	add_field(b, job->state);
}

/* Calls fn for one line per priority row of the job. A job without a priority row gets one line without numbers. */
static int gather_job(const struct jobs *j, uint32_t row, line_fn fn, void *ctx)
{
	const fs_snapshot *s = j->eval.snapshot;
	const fs_prios *p = j->eval.prios;
	struct fs_prio_row prio;
	struct fs_job job;
	struct builder b;
	int rc = 0;

	fs_snapshot_job(s, row, &job);
	const size_t first = j->first[row];

	if (first == FS_NO_ROW) {
		const char *partition = fs_job_partition(s, row, 0), *qos = fs_job_qos(s, row, 0);

		begin_job(&b, &job, partition ? partition : "", qos ? qos : "");
		return pass_line(&b, fn, ctx);
	}
	for (size_t i = first; i < fs_prios_count(p) && fs_prios_job_row(p, i) == row && !rc; i++) {
		fs_prios_row(p, i, &prio);
		begin_job(&b, &job, prio.partition, prio.qos);
		add_value(&b, "priority", prio.priority);
		add_value(&b, "position", j->position[row] ? j->position[row] : (double)NAN);
		for (size_t t = 0; t < fs_prios_terms(p) && !prio.direct; t++)
			add_value(&b, prio.terms[t].name, prio.terms[t].points);
		rc = pass_line(&b, fn, ctx);
	}
	return rc;
}

static int gather_jobs(const fs_snapshot *s, const struct fs_view *view, line_fn fn, void *ctx, struct fs_error *err)
{
	const size_t n = fs_snapshot_info(s)->jobs;
	struct jobs j = { .position = calloc(n + 1, sizeof(*j.position)), .first = malloc((n + 1) * sizeof(*j.first)) };
	bool *seen = calloc(n + 1, sizeof(*seen));
	int rc = FS_ENOMEM;

	if (!j.position || !j.first || !seen)
		*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	else
		rc = fs_eval_compute(s, view, &j.eval, err);
	if (!rc) {
		find_positions(&j);
		find_first(&j, n);
		fs_snapshot_visible_jobs(s, view->viewer, seen);
		for (uint32_t i = 0; i < n && !rc; i++)
			rc = seen[i] ? gather_job(&j, i, fn, ctx) : 0;
		fs_eval_release(&j.eval);
	}
	free(j.position);
	free(j.first);
	free(seen);
	return rc;
}

int lines_gather(const fs_snapshot *s, const struct fs_view *view, unsigned which, line_fn fn, void *ctx,
		 struct fs_error *err)
{
	const int rc = which & LINES_OF_SHARES ? gather_shares(s, view, fn, ctx, err) : 0;

	return !rc && which & LINES_OF_JOBS ? gather_jobs(s, view, fn, ctx, err) : rc;
}

/* ---- series: text plots and greatest changes */

enum { WIDTH = 80, COLUMNS = 64, HEIGHT = 8, DECIMALS = 6 };

const char *point_time(char out[POINT_TIME], const struct course_point *p)
{
	const time_t local = (time_t)(p->time + p->utc_offset_s);
	struct tm tm;

	if (!gmtime_r(&local, &tm) || !strftime(out, POINT_TIME, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(out, POINT_TIME, "?");
	return out;
}

const char *point_number(char buf[POINT_NUMBER], double v)
{
	return isnan(v) ? "" : text_number(buf, POINT_NUMBER, v, DECIMALS);
}

/* Compares two points by the series that they belong to. */
static int by_thing(const void *x, const void *y, const void *ctx)
{
	const struct course_point *const *a = x, *const *b = y;

	(void)ctx;
	return line_order((*a)->line, (*b)->line);
}

const char *course_measure(const struct course *c, const struct line *l)
{
	if (c->jobs)
		return "priority";
	return isnan(line_value(l, "fairshare")) ? "effective_usage" : "fairshare";
}

const char *course_name(char buf[POINT_NAME], const struct line *l, const char *measure)
{
	const char *in = *l->partition ? " in " : "";

	if (l->of_job)
		snprintf(buf, POINT_NAME, "%s of job %llu%s%s", measure, (unsigned long long)l->job, in, l->partition);
	else
		snprintf(buf, POINT_NAME, "%s of %s%s%s%s%s", measure, l->user, *l->user ? " at " : "", l->account, in, l->partition);
	return buf;
}

static void print_name(const struct line *l, const char *measure)
{
	char name[POINT_NAME];

	emit("%s", course_name(name, l, measure));
}

/* Prints the greatest change between successive points and the command that shows its causes. Prints nothing if the
 * value never changed. */
static void print_step(void *ctx, const struct course *c, const struct course_point *const *v, size_t n)
{
	const char *measure = course_measure(c, v[0]->line);
	size_t at = 0;
	double max = 0;
	char before[POINT_NUMBER], after[POINT_NUMBER], when[POINT_TIME], then[POINT_TIME];

	(void)ctx;
	for (size_t i = 1; i < n; i++) {
		const double change = fabs(line_value(v[i]->line, measure) - line_value(v[i - 1]->line, measure));

		if (change > max) {
			max = change;
			at = i;
		}
	}
	if (!at)
		return;
	const struct line *l = v[at]->line;

	point_time(then, v[at - 1]);
	point_time(when, v[at]);
	emit("\n");
	print_name(l, measure);
	emit(" changed most from %s to %s: %s, then %s.\n", then, when,
	     point_number(before, line_value(v[at - 1]->line, measure)), point_number(after, line_value(l, measure)));
	emit("Why: fs-diff");
	if (c->jobs)
		emit(" --job=%llu", (unsigned long long)l->job);
	else
		emit(*l->user ? " --user=%s" : " --account=%s", *l->user ? l->user : l->account);
	emit(" %s %s\n", v[at - 1]->file, v[at]->file);
}

/* Divides the time of the series into PLOT_COLUMNS equal spans. Sets out[i] to the value of the last point before the
 * end of span i; NAN if that value is unknown. */
static void sample(const struct course_point *const *v, size_t n, const char *measure, double out[COLUMNS])
{
	const int64_t first = v[0]->time, span = v[n - 1]->time - first;
	size_t next = 0;
	double last = (double)NAN;

	for (int i = 0; i < COLUMNS; i++) {
		const double until = (double)span * (i + 1) / COLUMNS;

		for (; next < n && (double)(v[next]->time - first) <= until; next++)
			last = line_value(v[next]->line, measure);
		out[i] = last;
	}
}

/* Returns true if two sampled values differ. */
static bool changes(const double v[COLUMNS])
{
	for (int i = 1; i < COLUMNS; i++)
		if (v[i] != v[0] && !(isnan(v[i]) && isnan(v[0])))
			return true;
	return false;
}

/* Prints the name of a series and its curve, or its value if the value does not change. */
static void draw(void *ctx, const struct course *c, const struct course_point *const *v, size_t n)
{
	const char *measure = course_measure(c, v[0]->line);
	char from[POINT_TIME], to[POINT_TIME], buf[POINT_NUMBER];
	double value[COLUMNS];
	struct page page;

	(void)ctx;
	point_time(from, v[0]);
	point_time(to, v[n - 1]);
	sample(v, n, measure, value);
	print_name(v[0]->line, measure);
	if (!changes(value)) {
		emit(": %s from %s to %s\n", point_number(buf, value[0]), from, to);
		return;
	}
	emit("\n");
	page_init(&page, PAGE_TEXT, WIDTH, text_utf8());
	plot_curve(&page, from, to, value, COLUMNS, HEIGHT, c->jobs ? 0 : 4);
	page_print(&page, stdout, false);
	page_free(&page);
}

/* One series: n successive points of an array sorted by series. */
struct series {
	const struct course_point *const *v;
	size_t n;
};

static int by_first_point(const void *x, const void *y, const void *ctx)
{
	const struct series *a = x, *b = y;

	(void)ctx;
	return (a->v[0] > b->v[0]) - (a->v[0] < b->v[0]);
}

/* Splits n points, sorted by series, into series. Returns the number of series. The sort was stable, so the points of
 * a series are in the order of time. */
static size_t part(const struct course_point *const *v, size_t n, struct series *out)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (!i || by_thing(&v[i - 1], &v[i], NULL))
			out[count++] = (struct series){ &v[i], 0 };
		out[count - 1].n++;
	}
	return count;
}

int course_each(const struct course *c, const struct course_points *p, series_fn fn, void *ctx)
{
	const struct course_point **v = malloc((p->n + 1) * sizeof(*v));
	struct series *series = malloc((p->n + 1) * sizeof(*series));
	int status = v && series ? EXIT_DONE : no_memory(c->inv);
	size_t n = 0;

	for (size_t i = 0; !status && i < p->n; i++)
		v[i] = &p->v[i];
	if (!status && fs_sort(v, p->n, sizeof(*v), by_thing, NULL))
		status = no_memory(c->inv);
	if (!status)
		n = part(v, p->n, series);
	if (!status && fs_sort(series, n, sizeof(*series), by_first_point, NULL))
		status = no_memory(c->inv);
	for (size_t i = 0; !status && i < n; i++)
		fn(ctx, c, series[i].v, series[i].n);
	free(v);
	free(series);
	return status;
}

int course_pictures(const struct course *c, const struct course_points *p)
{
	return course_each(c, p, draw, NULL);
}

int course_steps(const struct course *c, const struct course_points *p)
{
	return course_each(c, p, print_step, NULL);
}
