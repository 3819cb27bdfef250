/* Explanations, comparisons and help: the texts of the whole screen. What fs-explain says comes when it is ready. */
#include "top/model/model.h"
#include "top/list/columns.h"
#include "top/update/keys.h"
#include "words/words.h"

#include <string.h>

/* ---- help: keys, the parts of bars, what each column means, and a glossary */

/* A word and what it means: the second column begins where the lines below it go on. */
struct help_line {
	const char *word, *meaning;
};
#define HELP(m) COLUMN_MEMBER(struct help_line, m)

enum { MEANING_FROM = 15 };
static const struct column help_columns[] = {
	{ "word", .width = -(MEANING_FROM - 1), HELP(word), .help = "a column, a key, a word" },
	{ "meaning", .width = 0, HELP(meaning), .help = "what it is" },
};

static void put_help(struct lines *l, const char *word, const char *meaning, unsigned width)
{
	const struct column_page page = { COLUMNS(help_columns), .characters = true };

	lines_wrap_row(l, ATTR_PLAIN, width, MEANING_FROM, &page, &(struct help_line){ word, meaning });
}

/* The column that is chosen in a menu, else the one sorted by. */
static void chosen_help(struct lines *l, const struct model *m, unsigned width)
{
	const struct list *list = &m->list[m->view];
	const size_t chosen = m->menu_kind == MENU_SORT ? m->menu_sel - 1 : m->menu_sel;
	const size_t column = m->over_menu ? chosen : list->sort;
	struct view_column c;

	if (column >= list->columns)
		return;
	view_column_get(m->list[m->view].ops, m->data, column, &c);
	lines_add(l, ATTR_TITLE, "THIS COLUMN");
	put_help(l, c.name, c.help, width);
	lines_add(l, ATTR_PLAIN, "%s", "");
}

static const struct help_line glossary[] = {
	{ "snapshot", "the state of the cluster at one moment, from which all of this is computed" },
	{ "priority", "the sum of the factors, each times its weight; the scheduler drops the fraction" },
	{ "factor", "a number from 0 to 1: age, fair share, size of the job, partition, QOS, TRES asked for" },
	{ "fair share", "high for those who used less than their shares promise, low for those who used more" },
	{ "LevelFS", "share divided by usage, among siblings of the tree only" },
	{ "raw usage", "TRES seconds charged, halved every PriorityDecayHalfLife" },
	{ "tier", "partitions of a higher PriorityTier are tried first, whatever the priorities" },
	{ "pending", "jobs that wait, an array not yet split off being one; those blocked are among them" },
	{ "blocked", "pending, but for something else than their turn: a limit, a time, another job, a hold" },
	{ "eligible", "pending for nothing but its turn, and tried by the scheduler in this order" },
	{ "reason", "why the scheduler did not start it when it last looked: one of perhaps several" },
};

/* Shows each part of the bars as it is drawn, with its factor. */
static void legend(struct lines *l, const struct data *d)
{
	enum { ROOM = 8 }; /* columns */
	char letters[MAX_TERMS], bar[ROOM * 3 + 1], name[WORDS];
	const size_t n = term_letters(d, letters, MAX_TERMS);
	const struct fs_prio_term *terms = n ? fs_prios_weights(d->eval.prios) : NULL;

	if (!n)
		return;
	lines_add(l, ATTR_PLAIN, "%s", "");
	lines_add(l, ATTR_TITLE, "LEGEND");
	for (size_t i = 0; i < n; i++)
		lines_add(l, term_attr(&terms[i]), "%s  %s", lines_bar(l, bar, sizeof(bar), 1, ROOM, letters[i]),
			  factor_words(name, terms[i].name));
}

/* The lines of the help: keys, then what each column means. */
static void help_lines(struct lines *l, const struct model *m, unsigned width)
{
	chosen_help(l, m, width);
	lines_add(l, ATTR_TITLE, "KEYS");
	for (size_t i = 0; i < bindings_count; i++)
		if (bindings[i].shown)
			put_help(l, bindings[i].shown, bindings[i].help, width);
	legend(l, m->data);
	for (int v = 0; v < VIEWS; v++) {
		const struct view_ops *ops = m->list[v].ops;
		const size_t n = view_columns(ops, m->data);
		struct view_column c;

		lines_add(l, ATTR_PLAIN, "%s", "");
		lines_add(l, ATTR_TITLE, "COLUMNS OF THE VIEW: %s", ops->name);
		for (size_t i = 0; i < n; i++) {
			view_column_get(ops, m->data, i, &c);
			put_help(l, c.name, c.help, width);
		}
	}
	lines_add(l, ATTR_PLAIN, "%s", "");
	lines_add(l, ATTR_TITLE, "WORDS");
	for (size_t i = 0; i < sizeof(glossary) / sizeof(*glossary); i++)
		put_help(l, glossary[i].word, glossary[i].meaning, width);
}

void model_explain(const struct model *m, struct lines *l, unsigned width)
{
	const struct list *list = &m->list[m->view];
	const uint32_t row = list_selected(list);

	if (row != FS_NO_ROW)
		list->ops->pane(l, m->data, row, width);
}

void model_subject(const struct model *m, char *buf, size_t size)
{
	const struct list *list = &m->list[m->view];
	const uint32_t row = list_selected(list);

	*buf = '\0';
	if (row != FS_NO_ROW)
		list->ops->subject(m->data, row, buf, size);
}

/* ---- the words of fs-explain */

bool model_words_wanted(const struct model *m, struct words_request *out)
{
	if (m->has_words || m->mode != MODE_TEXT || m->text_kind == TEXT_HELP ||
	    !model_words_to_write(m, out))
		return false;
	out->width = m->cols > 1 ? m->cols - 1 : 1;
	out->utf8 = m->utf8;
	return true;
}

bool model_words_to_write(const struct model *m, struct words_request *out)
{
	const bool compares = m->mode == MODE_TEXT && m->text_kind == TEXT_COMPARE;
	const uint32_t row = compares ? m->tag_row[0] : list_selected(&m->list[m->view]);

	if (row == FS_NO_ROW || !words_known(m->data, m->list[m->view].ops))
		return false;
	*out = (struct words_request){ .ops = m->list[m->view].ops,
				       .row = row,
				       .other = compares ? m->tag_row[1] : FS_NO_ROW,
				       .width = WORDS_WIDTH,
				       .utf8 = m->writes_utf8,
				       .forecast = m->mode == MODE_TEXT && m->text_kind == TEXT_FORECAST };
	return true;
}

static const char working[] = "working: here follows what fs-explain says ...";

/* Puts the words in place of the line that said they were coming. */
void model_take_words(struct model *m, const struct words_request *q, const struct lines *words)
{
	struct words_request wanted;

	if (!model_words_wanted(m, &wanted) || !words_same(&wanted, q))
		return;
	if (m->text_kind == TEXT_EXPLAIN)
		lines_clear(&m->text);
	else
		lines_drop(&m->text);
	for (size_t i = 0; i < words->n; i++)
		lines_add(&m->text, words->v[i].attr, "%s", words->v[i].text);
	if (words->failed || m->text.failed)
		model_starve(m);
	m->has_words = true;
}

/* ---- the text on the screen */

static void fill_text(struct model *m)
{
	const unsigned width = m->cols > 1 ? m->cols - 1 : 1;
	char subject[128], a[FS_JOB_ID_TEXT], b[FS_JOB_ID_TEXT];

	lines_clear(&m->text);
	model_subject(m, subject, sizeof(subject));
	if (m->text_kind == TEXT_HELP) {
		snprintf(m->title, sizeof(m->title), "Help");
		help_lines(&m->text, m, width);
	} else if (m->text_kind == TEXT_COMPARE) {
		snprintf(m->title, sizeof(m->title), "%s compared with %s",
			 fs_job_id_format(m->data->snapshot, m->tag[0].job, true, a),
			 fs_job_id_format(m->data->snapshot, m->tag[1].job, true, b));
	} else if (m->text_kind == TEXT_FORECAST) {
		snprintf(m->title, sizeof(m->title), "Forecast of %s", subject);
	} else {
		snprintf(m->title, sizeof(m->title), "%s", subject);
		model_explain(m, &m->text, width);
		if (words_known(m->data, m->list[m->view].ops))
			lines_add(&m->text, ATTR_PLAIN, "%s", "");
	}
	m->has_words = m->text_kind == TEXT_HELP || !words_known(m->data, m->list[m->view].ops);
	if (!m->has_words)
		lines_add(&m->text, ATTR_DIM, "%s", working);
	if (m->text.failed)
		model_starve(m);
}

/* Opens a text, or fills the open one again when the width or the data have changed. */
void model_open_text(struct model *m, enum text_kind kind)
{
	const bool again = m->mode == MODE_TEXT && m->text_kind == kind;

	if (kind == TEXT_COMPARE &&
	    (m->tags < TAGS || m->tag_row[0] == FS_NO_ROW || m->tag_row[1] == FS_NO_ROW)) {
		m->mode = MODE_LIST;
		return;
	}
	m->text_kind = kind;
	m->mode = MODE_TEXT;
	m->text_top = again ? m->text_top : 0;
	fill_text(m);
}
