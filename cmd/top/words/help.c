/* The help of the screen: keys, the parts of bars, what each column means, and a glossary. */
#include "top/list/columns.h"
#include "top/model/model.h"
#include "top/update/keys.h"
#include "words/words.h"

#include <string.h>

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

void help_lines(struct lines *l, const struct model *m, unsigned width)
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
