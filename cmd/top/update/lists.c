/* What keys do in the lists. */
#include "top/update/update.h"

#include <string.h>

/* Each of these functions does what one action means and returns reactions; n is the argument in the table at the
 * end. */

static unsigned show_view(struct model *m, int step)
{
	update_show(m, (enum view)(((int)m->view + VIEWS + step) % VIEWS));
	return 0;
}

/* ---- filters */

/* Filters by the next or previous partition; behind the last one follow all of them, then the first. */
static unsigned step_partition(struct model *m, int step)
{
	const struct data *d = m->data;
	const size_t n = d->partitions;
	size_t at = n;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(d->partition[i].name, m->list[VIEW_QUEUE].filter.partition))
			at = i;
	at = (at + (step > 0 ? 1 : n)) % (n + 1);
	m->view = VIEW_QUEUE;
	update_partition(m, at < n ? d->partition[at].name : "");
	return 0;
}

static void clear_filters(struct model *m)
{
	struct list *l = update_list(m);

	l->filter = (struct filter){ 0 };
	update_refresh(m, l, false);
}

/* ---- sorting */

/* Sorts by the next or previous column shown; before the first one rows stand as they come. */
static unsigned step_sort(struct model *m, int step)
{
	const struct list *l = update_list(m);
	size_t at = l->sort;

	do
		at = at == SIZE_MAX    ? (step > 0 ? 0 : l->columns - 1)
		     : step < 0 && !at ? SIZE_MAX
				       : at + (size_t)step;
	while (at < l->columns && !model_shows(m, at));
	update_sort(m, at < l->columns ? at : SIZE_MAX);
	return 0;
}

/* ---- texts */

static unsigned compare(struct model *m, int n)
{
	(void)n;
	if (m->tags < TAGS)
		model_say(m, false, "tag two jobs with Space, then compare them with c");
	else if (m->tag_row[0] == FS_NO_ROW || m->tag_row[1] == FS_NO_ROW)
		model_say(m, true, "a tagged job is not in the queue any more");
	else
		model_open_text(m, TEXT_COMPARE);
	return 0;
}

static unsigned explain(struct model *m, int n)
{
	(void)n;
	if (list_selected(update_list(m)) != FS_NO_ROW)
		model_open_text(m, TEXT_EXPLAIN);
	return 0;
}

static unsigned forecast(struct model *m, int n)
{
	const struct list *l = update_list(m);

	(void)n;
	if (!l->ops->forecasts)
		model_say(m, false, "a forecast is of a job, a user or an account");
	else if (list_selected(l) != FS_NO_ROW && words_known(m->data, l->ops))
		model_open_text(m, TEXT_FORECAST);
	return 0;
}

static unsigned back(struct model *m, int n)
{
	(void)n;
	if (filter_active(&update_list(m)->filter))
		clear_filters(m);
	else if (m->tags)
		m->tags = 0;
	return 0;
}

static unsigned sideways(struct model *m, int step)
{
	unsigned *scroll = &m->scroll[m->view];

	if (step > 0)
		*scroll += *scroll + 1 < update_list(m)->columns;
	else
		*scroll -= *scroll > 0;
	return 0;
}

/* ---- what opens something, or is small */

static unsigned prompt(struct model *m, int kind)
{
	if (kind != PROMPT_WRITE || list_selected(update_list(m)) != FS_NO_ROW)
		prompt_open(m, (enum prompt_kind)kind);
	return 0;
}

static unsigned menu(struct model *m, int kind)
{
	menu_open(m, (enum menu_kind)kind);
	return 0;
}

static unsigned help(struct model *m, int n)
{
	(void)n;
	model_open_text(m, TEXT_HELP);
	return 0;
}

static unsigned next_match(struct model *m, int backwards)
{
	search_next(m, backwards);
	return 0;
}

static unsigned invert(struct model *m, int n)
{
	(void)n;
	if (list_invert(update_list(m), m->data))
		model_starve(m);
	return 0;
}

static unsigned follow(struct model *m, int n)
{
	(void)n;
	m->follow = !m->follow;
	model_say(m, false,
		  m->follow ? "the selection follows its job" : "the selection stays at its place");
	return 0;
}

static unsigned undo(struct model *m, int n)
{
	(void)n;
	return what_if_undo(m);
}

static unsigned react(struct model *m, int reaction)
{
	(void)m;
	return (unsigned)reaction;
}

static const struct {
	unsigned (*run)(struct model *m, int n);
	int n;
} handlers[ACTIONS] = {
	[ACT_LEFT] = { sideways, -1 },
	[ACT_RIGHT] = { sideways, 1 },
	[ACT_VIEW] = { show_view, 1 },
	[ACT_VIEW_BACK] = { show_view, -1 },
	[ACT_SEARCH] = { prompt, PROMPT_SEARCH },
	[ACT_FILTER] = { prompt, PROMPT_FILTER },
	[ACT_USER] = { prompt, PROMPT_USER },
	[ACT_ACCOUNT] = { prompt, PROMPT_ACCOUNT },
	[ACT_PARTITION] = { prompt, PROMPT_PARTITION },
	[ACT_WRITE] = { prompt, PROMPT_WRITE },
	[ACT_NEXT] = { next_match, false },
	[ACT_PREVIOUS] = { next_match, true },
	[ACT_PARTITION_ON] = { step_partition, 1 },
	[ACT_PARTITION_BACK] = { step_partition, -1 },
	[ACT_SORT] = { menu, MENU_SORT },
	[ACT_COLUMNS] = { menu, MENU_COLUMNS },
	[ACT_SORT_LEFT] = { step_sort, -1 },
	[ACT_SORT_RIGHT] = { step_sort, 1 },
	[ACT_INVERT] = { invert, 0 },
	[ACT_COMPARE] = { compare, 0 },
	[ACT_EXPLAIN] = { explain, 0 },
	[ACT_FORECAST] = { forecast, 0 },
	[ACT_HELP] = { help, 0 },
	[ACT_FOLLOW] = { follow, 0 },
	[ACT_BACK] = { back, 0 },
	[ACT_ALGORITHM] = { react, REACT_ALGORITHM },
	[ACT_IF] = { prompt, PROMPT_IF },
	[ACT_UNDO] = { undo, 0 },
	[ACT_RELOAD] = { react, REACT_RELOAD },
	[ACT_REDRAW] = { react, REACT_REDRAW },
	[ACT_QUIT] = { react, REACT_QUIT },
};

unsigned list_key(struct model *m, int key)
{
	struct list *l = update_list(m);
	const enum action a = action_of(key);

	if (update_moved(m, a, list_count(l), &l->sel)) {
		l->wanted = FS_NO_ROW;
		m->search.left = 0;
		return 0;
	}
	if (l->ops->act && l->ops->act(m, a))
		return 0;
	if (key >= '0' && key <= '9') {
		prompt_open(m, PROMPT_SEARCH);
		return prompt_key(m, key);
	}
	return handlers[a].run ? handlers[a].run(m, handlers[a].n) : 0;
}
