#include "top/words.h"

#include "dialect/dialect.h"
#include "explain/explain.h"
#include "fs/queue.h"
#include "picture/picture.h"
#include "render/text.h"
#include "top/list.h"
#include "top/model.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct forecast_source {
	struct words_source words;
	struct explain_forecast forecast;
	fs_shares *other;
};

static bool is_same_request(const struct explanation_request *a, const struct explanation_request *b)
{
	return a->ops == b->ops && a->row == b->row && a->compared_row == b->compared_row &&
	       a->width == b->width && a->utf8 == b->utf8 && a->forecast == b->forecast && a->summary == b->summary;
}

bool words_are_available(const struct data *d, const struct view_ops *ops)
{
	return ops->write_page && !d->unordered && !ops->get_problem(d);
}

/* Computes the results that explanations of the data need. Returns 0 or FS_ENOMEM; after an error close_words_source
 * must not be called. */
static int open_words_source(struct words_source *s, const struct data *d)
{
	struct fs_error err;

	*s = (struct words_source){ .eval = d->eval };
	explain_init_view(&s->view, &s->eval);
	s->view.position = d->position;
	s->view.usage = d->usage;
	return fs_explain_new(&s->view.explain, &s->eval, &err);
}

/* Frees what open_words_source allocated. */
static void close_words_source(struct words_source *s)
{
	fs_explain_free(s->view.explain);
}

static int open_forecast_source(struct forecast_source *s, const struct data *d)
{
	const struct fs_view view = { .viewer = d->eval.viewer, .position = d->position, .usage = d->usage };
	struct fs_error err;

	*s = (struct forecast_source){ .other = NULL };
	if (open_words_source(&s->words, d))
		return FS_ENOMEM;
	return explain_compute_second_shares(&s->words.view, &s->other, &view, &err) ? err.code : 0;
}

static void close_forecast_source(struct forecast_source *s)
{
	close_words_source(&s->words);
	fs_shares_free(s->other);
}

/* Appends the lines of a page to l and frees the page. `plain`: attribute of lines for which the page sets no
 * attribute. */
static void append_page_lines(struct lines *l, struct page *p, enum attr plain)
{
	const enum attr attrs[] = { [TONE_PLAIN] = plain, [TONE_HEADING] = ATTR_HEADING, [TONE_TOTAL] = ATTR_STRONG };

	for (size_t i = 0; i < p->n; i++)
		lines_add_formatted(l, attrs[p->lines[i].tone], "%s", p->lines[i].text);
	l->failed = l->failed || p->failed;
	page_free_text(p);
}

/* Prepares a forecast that ends at the default end time of fs-explain. */
static int set_default_forecast_end(struct forecast_source *s, const struct data *d)
{
	struct fs_error err;

	s->forecast.view = (struct fs_view){
		.viewer = d->eval.viewer, .algorithm = d->requested_algorithm, .position = d->position
	};
	s->forecast.eval = &d->eval;
	s->words.view.forecast = &s->forecast;
	return forecast_parse_until(d->snapshot, NULL, &s->forecast.until, &err);
}

int words_write_job_summary(struct page *p, struct explain_view *v, const struct data *d, uint32_t job_row)
{
	const struct fs_view view = { .viewer = d->eval.viewer,
				      .algorithm = d->requested_algorithm,
				      .position = d->position };
	struct outlook outlook = { .plan = NULL };
	char id[WORDS];
	struct fs_explain_job job;
	struct fs_error err;
	int rc;

	rc = outlook_compute_parts(&outlook, v, &view, job_row, false, format_display_job_id(id, d->snapshot, job_row),
				   &err);
	if (!rc)
		rc = fs_explain_job_heads(v->explain, job_row, &job, NULL);
	if (!rc) {
		explain_add_summary(p, v, &job);
		page_add_gap(p);
		if (job.path.algorithm && job.nsums)
			explain_add_fairshare_path(p, v, &job.path);
	}
	outlook_free_parts(&outlook);
	return rc ? -1 : 0;
}

void words_make_explanation(struct lines *l, const struct data *d, const struct explanation_request *q)
{
	struct forecast_source s;
	struct page p;
	int rc = open_forecast_source(&s, d);

	if (!rc && q->forecast)
		rc = set_default_forecast_end(&s, d);
	page_init_form(&p, PAGE_TEXT, (int)q->width, q->utf8);
	s.words.view.plan = d->chart ? d->chart->plan : NULL;
	if (!rc)
		rc = q->ops->write_page(&p, &s.words.view, d, q);
	l->failed = l->failed || rc;
	append_page_lines(l, &p, ATTR_PLAIN);
	close_forecast_source(&s);
}

/* ---- the panes of a job and of a partition */

/* ---- the priority factors of a job */

/* number of screen columns to the left of the bar. A screen with fewer columns shows only the name and the points of a
 * factor. */
enum { COLS_BESIDE_BAR = 56 };

struct factor_row {
	const char *letter, *name, *value, *weight, *points, *bar;
};
#define FACTOR_MEMBER(m) COLUMN_MEMBER(struct factor_row, m)

enum {
	FACTOR_LETTER,
	FACTOR_NAME,
	FACTOR_VALUE,
	FACTOR_WEIGHT,
	FACTOR_POINTS,
	FACTOR_BAR,
	FACTOR_NARROW_POINTS,
	FACTOR_SUM,
	FACTOR_NARROW_SUM,
	FACTOR_COLUMNS
};
static const struct column factor_columns[FACTOR_COLUMNS] = {
	[FACTOR_LETTER] = { "", .width = 1, FACTOR_MEMBER(letter), .help = "letter of the factor in bars" },
	[FACTOR_NAME] = { "factor", .width = -13, .cuts_wide_cells = true, FACTOR_MEMBER(name),
			  .help = "name of the factor" },
	[FACTOR_VALUE] = { "value", .width = 12, FACTOR_MEMBER(value), .help = "value of the factor, 0 to 1" },
	[FACTOR_WEIGHT] = { "weight", .width = 8, FACTOR_MEMBER(weight), .prefix = " x ",
			    .help = "weight of the factor in the configuration" },
	[FACTOR_POINTS] = { "points", .width = 12, FACTOR_MEMBER(points), .prefix = " = ",
			    .help = "value times weight" },
	[FACTOR_BAR] = { "bar", .width = 0, FACTOR_MEMBER(bar), .prefix = " |",
			 .help = "points of the factor as a part of the sum" },
	[FACTOR_NARROW_POINTS] = { "points", .width = 10, FACTOR_MEMBER(points), .help = "value times weight" },
	[FACTOR_SUM] = { "sum", .width = 39, FACTOR_MEMBER(points), .prefix = "", .help = "sum of the points" },
	[FACTOR_NARROW_SUM] = { "sum", .width = 11, FACTOR_MEMBER(points), .prefix = "", .help = "sum of the points" },
};

static void append_factor_row(struct lines *l, enum attr attr, const struct factor_row *row, unsigned width)
{
	static const unsigned char wide[] = { FACTOR_LETTER, FACTOR_NAME,   FACTOR_VALUE,
					      FACTOR_WEIGHT, FACTOR_POINTS, FACTOR_BAR },
				   narrow[] = { FACTOR_LETTER, FACTOR_NAME, FACTOR_NARROW_POINTS };
	const bool has_bar = width >= COLS_BESIDE_BAR;

	lines_add_row(l, attr,
		      &(struct column_page){ factor_columns, has_bar ? sizeof(wide) : sizeof(narrow),
					     .column_indices = has_bar ? wide : narrow, .width_in_characters = true },
		      row);
}

static void append_priority_term(struct lines *l, const struct fs_prio_term *t, char letter, enum attr attr, double max,
				 unsigned width)
{
	const unsigned bar_width = width > COLS_BESIDE_BAR ? width - COLS_BESIDE_BAR : 0;
	const double part = max > 0 && t->points > 0 ? t->points / max : 0;
	char name[WORDS], bar[768], points[40], value[40], weight[40];

	format_text(points, sizeof(points), isnan(t->points) ? "?" : "%.3f", t->points);
	format_text(value, sizeof(value), isnan(t->value) ? "?" : "%.7f", t->value);
	format_text(weight, sizeof(weight), "%.0f", t->weight);
	lines_format_bar(l, bar, sizeof(bar), part, bar_width, letter);
	append_factor_row(l, attr,
			  &(struct factor_row){ (const char[]){ letter, '\0' }, format_factor_name(name, t->name),
						value, weight, points, bar },
			  width);
}

static void append_amount_row(struct lines *l, enum attr attr, const char *name, int decimals, double amount,
			      unsigned width)
{
	const unsigned char pick[] = { FACTOR_LETTER, FACTOR_NAME,
				       width < COLS_BESIDE_BAR ? FACTOR_NARROW_SUM : FACTOR_SUM };
	char points[40];

	format_text(points, sizeof(points), "%.*f", decimals, amount);
	lines_add_row(l, attr, &(struct column_page){ factor_columns, sizeof(pick), .column_indices = pick },
		      &(struct factor_row){ .letter = "", .name = name, .points = points });
}

static void append_priority_sum(struct lines *l, const struct fs_prio_row *prio, unsigned width)
{
	append_amount_row(l, ATTR_PLAIN, "sum", 3, prio->sum, width);
	if (prio->priority != prio->sum)
		append_amount_row(l, ATTR_PLAIN, prio->sum > prio->priority ? "dropped" : "raised", 3,
				  prio->priority - prio->sum, width);
	append_amount_row(l, ATTR_STRONG, "PRIORITY", 0, prio->priority, width);
}

static void append_priority_factors(struct lines *l, const struct data *d, const struct fs_queue_row *row,
				    unsigned width)
{
	char letters[MAX_TERMS];
	const size_t n = term_assign_letters(d, letters, MAX_TERMS);
	struct fs_prio_row prio;

	if (!d->eval.prios) {
		lines_add_wrapped_text(l, ATTR_WARN, width, 0, d->eval.prios_error.message);
		return;
	}
	if (!data_get_priority_row(d, row, &prio)) {
		lines_add_wrapped_text(l, ATTR_PLAIN, width, 0,
				       "No factors: the scheduler computes none for a job in this state.");
		return;
	}
	if (prio.set_directly) {
		lines_add_formatted(l, ATTR_STRONG, "  PRIORITY %.0f, set by %s: factors do not count", prio.priority,
				    find_scheduler_dialect(d->snapshot)->vocabulary.direct_by);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (prio.terms[i].points != 0 || fabs(prio.terms[i].weight) > 1)
			append_priority_term(l, &prio.terms[i], letters[i], term_choose_attr(&prio.terms[i]), prio.sum,
					     width);
	if (isnan(prio.sum))
		lines_add_formatted(l, ATTR_WARN, "  sum unknown: an input is missing in the snapshot");
	else
		append_priority_sum(l, &prio, width);
}

void explain_append_job_pane(struct lines *l, const struct data *d, uint32_t i, unsigned width)
{
	struct fs_queue_row row;

	fs_queue_row(d->eval.queue, i, &row);
	append_priority_factors(l, d, &row, width);
}

/* ---- lines about jobs: on a node of the timeline, or after the end of a running job */

struct job_line {
	const char *job, *user, *what;
};
#define JOB_LINE_MEMBER(m) COLUMN_MEMBER(struct job_line, m)

enum { WHAT_COLUMN = 22 }; /* screen column at which the column "what" begins */
static const struct column job_line_columns[] = {
	{ "job", .width = -10, JOB_LINE_MEMBER(job), .help = "job id" },
	{ "user", .width = -10, .cuts_wide_cells = true, JOB_LINE_MEMBER(user), .help = "user of the job" },
	{ "what", .width = 0, JOB_LINE_MEMBER(what), .help = "time during which the job runs" },
};

void explain_append_job_line(struct lines *l, const struct data *d, uint32_t job_row, unsigned width, const char *what)
{
	const struct column_page page = { COLUMNS(job_line_columns), .width_in_characters = true };
	char id[WORDS];
	struct fs_job j;

	fs_snapshot_job(d->snapshot, job_row, &j);
	lines_add_wrapped_row(l, ATTR_PLAIN, width, WHAT_COLUMN, &page,
			      &(struct job_line){ format_display_job_id(id, d->snapshot, job_row), j.user, what });
}

static void append_freed_job(struct lines *l, const struct data *d, size_t i, unsigned width)
{
	char start[WORDS], nodes[WORDS], what[3 * WORDS];
	struct fs_plan_row plan;

	fs_plan_row(d->chart->plan, i, &plan);
	snprintf(what, sizeof(what), "starts %s on %s", format_short_time(start, d->snapshot, plan.start_time),
		 fs_plan_nodes(d->chart->plan, i, nodes, sizeof(nodes)));
	explain_append_job_line(l, d, plan.job_row, width, what);
}

void explain_append_running_pane(struct lines *l, const struct data *d, uint32_t job_row, unsigned width)
{
	const struct chart_freed *freed;
	struct fs_job j;
	size_t n;

	if (!d->chart || !d->chart->plan)
		return;
	fs_snapshot_job(d->snapshot, job_row, &j);
	freed = chart_find_freed(d->chart, j.id, &n);
	lines_add_formatted(l, ATTR_STRONG, "%s", n ? "When it ends at its limit:" : "No planned job waits for its end.");
	for (size_t i = 0; i < n; i++)
		append_freed_job(l, d, freed[i].row, width);
}

/* ---- the pane of a partition */

struct next_job_row {
	uint32_t position;
	const char *job, *user, *account, *priority, *key;
};
#define NEXT_JOB_MEMBER(m) COLUMN_MEMBER(struct next_job_row, m)

static const struct column next_columns[] = {
	{ "next", .width = 4, NEXT_JOB_MEMBER(position), .prefix = "  ",
	  .help = "position in the scheduling order of the partition" },
	{ "job", .width = 12, NEXT_JOB_MEMBER(job), .help = "job id" },
	{ "user", .width = -10, .cuts_wide_cells = true, NEXT_JOB_MEMBER(user), .help = "user who submitted the job" },
	{ "account", .width = -12, .cuts_wide_cells = true, NEXT_JOB_MEMBER(account),
	  .help = "account that is charged for the job" },
	{ "priority", .width = 12, NEXT_JOB_MEMBER(priority), .help = "priority" },
	{ "why behind", .width = 0, NEXT_JOB_MEMBER(key), .prefix = "  ",
	  .help = "sort key by which the job comes after the previous one" },
};

void explain_append_partition_pane(struct lines *l, const struct data *d, uint32_t i)
{
	const struct column_page page = { COLUMNS(next_columns), .width_in_characters = true };
	const struct partition_row *p = &d->partition[i];
	struct fs_queue_row row;
	char id[FS_JOB_ID_TEXT], priority[40];

	lines_add_formatted(l, ATTR_STRONG,
			    "Jobs: %" PRIu32 " running, %" PRIu32 " pending, %" PRIu32 " of them eligible.",
			    p->running, p->waiting, p->eligible);
	if (!p->nfirst)
		return;
	lines_add_heading(l, &page);
	for (uint32_t k = 0; k < p->nfirst; k++) {
		fs_queue_row(d->eval.queue, p->first[k], &row);
		format_text(priority, sizeof(priority), "%.0f", row.priority);
		lines_add_row(l, ATTR_PLAIN, &page,
			      &(struct next_job_row){ row.partition_position,
						      fs_job_id_format(d->snapshot, row.job, true, id), row.user,
						      row.account, priority, fs_queue_key_name(row.partition_key) });
	}
}

/* ---- fair-share windows of Maui */

uint32_t explain_find_window(const struct data *d, const struct fs_share_row *row)
{
	const size_t n = d->eval.windows ? fs_windows_count(d->eval.windows) : 0;
	const char *kind = *row->user ? row->account : row->parent,
		   *name = *row->user ? row->user : row->account;

	for (uint32_t i = 0; i < n; i++) {
		const struct fs_window_row *w = fs_windows_row(d->eval.windows, i);

		if (!strcmp(w->name, name) && !strcmp(fs_cred_kind_name(w->kind), kind))
			return i;
	}
	return FS_NO_ROW;
}

/* ---- texts of the whole screen: explanations, comparisons and help. Explanations of fs-explain are inserted when they
 * are ready. */

/* ---- help: keys, legend of the bars, columns and glossary */

/* A row of the help: a word and its meaning. Continuation lines of the meaning begin at MEANING_COLUMN. */
struct help_row {
	const char *word, *meaning;
};
#define HELP_MEMBER(m) COLUMN_MEMBER(struct help_row, m)

enum { MEANING_COLUMN = 15 };
static const struct column help_columns[] = {
	{ "word", .width = -(MEANING_COLUMN - 1), HELP_MEMBER(word), .help = "column, key or word" },
	{ "meaning", .width = 0, HELP_MEMBER(meaning), .help = "meaning of the word" },
};

static void append_help_row(struct lines *l, const char *word, const char *meaning, unsigned width)
{
	const struct column_page page = { COLUMNS(help_columns), .width_in_characters = true };

	lines_add_wrapped_row(l, ATTR_PLAIN, width, MEANING_COLUMN, &page, &(struct help_row){ word, meaning });
}

/* Appends the help text of one column: the column selected in the open menu, or else the sort column. */
static void append_column_help(struct lines *l, const struct model *m, unsigned width)
{
	const struct list *list = &m->list[m->view];
	const size_t chosen = m->menu.kind == MENU_SORT ? m->menu.selected - 1 : m->menu.selected;
	const size_t column = m->text.over_menu ? chosen : list->sort;
	struct view_column c;

	if (column >= list->columns)
		return;
	view_column_get(m->list[m->view].ops, m->data, column, &c);
	lines_add_formatted(l, ATTR_TITLE, "THIS COLUMN");
	append_help_row(l, c.name, c.help, width);
	lines_add_formatted(l, ATTR_PLAIN, "%s", "");
}

static const struct help_row glossary[] = {
	{ "snapshot", "state of the cluster at one time; all numbers here are computed from it" },
	{ "priority", "sum of the factors, each multiplied by its weight; the scheduler drops the fraction" },
	{ "factor", "a number from 0 to 1: age, fair share, job size, partition, QOS, requested TRES" },
	{ "fair share", "high for users who used less than their share, low for users who used more" },
	{ "LevelFS", "shares divided by usage, among siblings of the tree" },
	{ "raw usage", "charged TRES seconds; half of them decay in each PriorityDecayHalfLife" },
	{ "tier", "jobs in partitions of a higher PriorityTier are tried first, whatever their priorities" },
	{ "pending", "jobs that wait, including blocked jobs; array tasks without a job record of their own count as "
		     "one job" },
	{ "blocked", "pending jobs that cannot start yet because of a limit, a time, another job or a hold" },
	{ "eligible", "pending jobs that wait only for their turn; the scheduler tries them in this order" },
	{ "reason", "why the scheduler did not start the job at its last try; there may be more reasons" },
};

/* Appends a sample of the bar of each priority factor. */
static void append_bar_legend(struct lines *l, const struct data *d)
{
	enum { SAMPLE_WIDTH = 8 }; /* width of a sample bar in columns */
	char letters[MAX_TERMS], bar[SAMPLE_WIDTH * 3 + 1], name[WORDS];
	const size_t n = term_assign_letters(d, letters, MAX_TERMS);
	const struct fs_prio_term *terms = n ? fs_prios_weights(d->eval.prios) : NULL;

	if (!n)
		return;
	lines_add_formatted(l, ATTR_PLAIN, "%s", "");
	lines_add_formatted(l, ATTR_TITLE, "LEGEND");
	for (size_t i = 0; i < n; i++)
		lines_add_formatted(l, term_choose_attr(&terms[i]), "%s  %s",
				    lines_format_bar(l, bar, sizeof(bar), 1, SAMPLE_WIDTH, letters[i]),
				    format_factor_name(name, terms[i].name));
}

/* Appends the help text: keys, legend of the bars, columns of all views, and glossary. */
static void append_help_text(struct lines *l, const struct model *m, unsigned width)
{
	append_column_help(l, m, width);
	lines_add_formatted(l, ATTR_TITLE, "KEYS");
	for (size_t i = 0; i < bindings_count; i++)
		if (bindings[i].help_keys)
			append_help_row(l, bindings[i].help_keys, bindings[i].help, width);
	append_bar_legend(l, m->data);
	for (int v = 0; v < VIEWS; v++) {
		const struct view_ops *ops = m->list[v].ops;
		const size_t n = view_count_columns(ops, m->data);
		struct view_column c;

		lines_add_formatted(l, ATTR_PLAIN, "%s", "");
		lines_add_formatted(l, ATTR_TITLE, "COLUMNS OF THE VIEW: %s", ops->name);
		for (size_t i = 0; i < n; i++) {
			view_column_get(ops, m->data, i, &c);
			append_help_row(l, c.name, c.help, width);
		}
	}
	lines_add_formatted(l, ATTR_PLAIN, "%s", "");
	lines_add_formatted(l, ATTR_TITLE, "WORDS");
	for (size_t i = 0; i < sizeof(glossary) / sizeof(*glossary); i++)
		append_help_row(l, glossary[i].word, glossary[i].meaning, width);
}

void model_explain_selected(const struct model *m, struct lines *l, unsigned width)
{
	const struct list *list = &m->list[m->view];
	const uint32_t row = list_get_selected_row(list);

	if (row != FS_NO_ROW && list->ops->append_pane)
		list->ops->append_pane(l, m->data, row, width);
}

void model_format_subject(const struct model *m, char *buf, size_t size)
{
	const struct view_ops *ops = m->list[m->view].ops;
	const uint32_t row = list_get_selected_row(&m->list[m->view]);
	char id[FS_JOB_ID_TEXT];
	struct fs_job job;

	*buf = '\0';
	if (row == FS_NO_ROW)
		return;
	if (ops->format_subject) {
		ops->format_subject(m->data, row, buf, size);
		return;
	}
	fs_snapshot_job(m->data->snapshot, ops->get_job_row(m->data, row), &job);
	snprintf(buf, size, "%s %s", fs_job_id_format(m->data->snapshot, job.id, true, id), job.user);
}

/* ---- explanations of fs-explain */

bool model_has_summaries(const struct model *m)
{
	const struct view_ops *ops = m->list[m->view].ops;

	return words_are_available(m->data, ops);
}

bool model_lacks_chart(const struct model *m)
{
	const struct view_ops *ops = m->list[m->view].ops;

	return !m->data->chart && !m->data->unordered &&
	       (ops->needs_chart || (ops->uses_chart && chart_is_planned_at_once(m->data)));
}

/* Requests the summary that the pane lacks. The summary needs the plan, so it is not requested before the plan is
 * computed. Returns false if nothing is missing. */
static bool needs_summary(const struct model *m, struct explanation_request *out)
{
	if (m->pane.has_summary || !m->pane.summary_width || model_lacks_chart(m) || !model_get_file_request(m, out))
		return false;
	out->summary = true;
	out->width = m->pane.summary_width;
	return true;
}

bool model_needs_explanation(const struct model *m, struct explanation_request *out)
{
	if (m->mode != MODE_TEXT) {
		if (!needs_summary(m, out))
			return false;
	} else {
		if (m->text.has_explanation || m->text.kind == TEXT_HELP || !model_get_file_request(m, out))
			return false;
		out->width = m->screen.cols > 1 ? m->screen.cols - 1 : 1;
	}
	out->utf8 = m->screen.utf8;
	return true;
}

bool model_get_file_request(const struct model *m, struct explanation_request *out)
{
	const bool compares = m->mode == MODE_TEXT && m->text.kind == TEXT_COMPARE;
	const struct list *list = &m->list[compares ? VIEW_QUEUE : m->view]; /* tagged jobs are rows of the queue */
	const uint32_t row = compares ? m->tags.row[0] : list_get_selected_row(list);

	if (row == FS_NO_ROW || !words_are_available(m->data, list->ops))
		return false;
	*out = (struct explanation_request){ .ops = list->ops,
					     .row = row,
					     .compared_row = compares ? m->tags.row[1] : FS_NO_ROW,
					     .width = WORDS_WIDTH,
					     .utf8 = m->screen.writes_utf8,
					     .forecast = m->mode == MODE_TEXT && m->text.kind == TEXT_FORECAST };
	return true;
}

static const char working_text[] = "working: computing the explanation ...";

static void append_lines(struct lines *to, const struct lines *from)
{
	for (size_t i = 0; i < from->n; i++)
		lines_add_formatted(to, from->v[i].attr, "%s", from->v[i].text);
	to->failed = to->failed || from->failed;
}

/* Inserts the explanation if `q` is the request of the text on the screen, and this text has no explanation yet. The
 * explanation replaces the last line of the text ("working: ..."). A text of kind TEXT_EXPLAIN is replaced as a
 * whole. */
void model_take_words(struct model *m, const struct explanation_request *q, const struct lines *words)
{
	struct explanation_request wanted;

	if (!model_needs_explanation(m, &wanted) || !is_same_request(&wanted, q))
		return;
	if (q->summary) {
		append_lines(&m->pane.summary, words);
		while (m->pane.nsummary < words->n && *words->v[m->pane.nsummary].text)
			m->pane.nsummary++;
		m->pane.has_summary = true;
		if (m->pane.summary.failed)
			model_report_no_memory(&m->status);
		return;
	}
	if (m->text.kind == TEXT_EXPLAIN)
		lines_clear_all(&m->text.lines);
	else
		lines_drop_last(&m->text.lines);
	append_lines(&m->text.lines, words);
	if (m->text.lines.failed)
		model_report_no_memory(&m->status);
	m->text.has_explanation = true;
}

/* ---- the text on the screen */

static void fill_text_of_screen(struct model *m)
{
	const unsigned width = m->screen.cols > 1 ? m->screen.cols - 1 : 1;
	char subject[128], a[FS_JOB_ID_TEXT], b[FS_JOB_ID_TEXT];

	lines_clear_all(&m->text.lines);
	model_format_subject(m, subject, sizeof(subject));
	if (m->text.kind == TEXT_HELP) {
		snprintf(m->text.title, sizeof(m->text.title), "Help");
		append_help_text(&m->text.lines, m, width);
	} else if (m->text.kind == TEXT_COMPARE) {
		snprintf(m->text.title, sizeof(m->text.title), "%s compared with %s",
			 fs_job_id_format(m->data->snapshot, m->tags.key[0].job, true, a),
			 fs_job_id_format(m->data->snapshot, m->tags.key[1].job, true, b));
	} else if (m->text.kind == TEXT_FORECAST) {
		snprintf(m->text.title, sizeof(m->text.title), "Forecast of %s", subject);
	} else {
		snprintf(m->text.title, sizeof(m->text.title), "%s", subject);
		model_explain_selected(m, &m->text.lines, width);
		if (words_are_available(m->data, m->list[m->view].ops))
			lines_add_formatted(&m->text.lines, ATTR_PLAIN, "%s", "");
	}
	m->text.has_explanation = m->text.kind == TEXT_HELP || !words_are_available(m->data, m->list[m->view].ops);
	if (!m->text.has_explanation)
		lines_add_formatted(&m->text.lines, ATTR_DIM, "%s", working_text);
	if (m->text.lines.failed)
		model_report_no_memory(&m->status);
}

/* Opens a text. If the text is open already, composes the text again and preserves the scroll position. */
void model_open_text(struct model *m, enum text_kind kind)
{
	const bool again = m->mode == MODE_TEXT && m->text.kind == kind;

	if (kind == TEXT_COMPARE && (m->tags.n < TAGS || m->tags.row[0] == FS_NO_ROW || m->tags.row[1] == FS_NO_ROW)) {
		m->mode = MODE_LIST;
		return;
	}
	m->text.kind = kind;
	m->mode = MODE_TEXT;
	m->text.first_shown = again ? m->text.first_shown : 0;
	fill_text_of_screen(m);
}
