#include "top/model.h"
#include "fs/queue.h"
#include "fs/scenario.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void model_free_data(struct model *m)
{
	for (int v = 0; v < VIEWS; v++)
		list_free_rows(&m->list[v]);
	lines_free_all(&m->pane.lines);
	lines_free_all(&m->pane.summary);
	lines_free_all(&m->text.lines);
	data_free_results(m->retired);
	data_free_results(m->data);
	m->data = m->retired = NULL;
}

struct data *model_take_retired_data(struct model *m)
{
	struct data *d = m->retired;

	m->retired = NULL;
	return d;
}

/* ---- replacing the data of the model by new data */

static void make_job_key(const struct data *d, uint32_t row, struct job_key *out)
{
	struct fs_queue_row r;

	fs_queue_row(d->eval.queue, row, &r);
	out->job = r.job;
	snprintf(out->partition, sizeof(out->partition), "%s", r.partition);
	snprintf(out->qos, sizeof(out->qos), "%s", r.qos);
}

static uint32_t find_selected_again(const struct list *l, const struct data *old, const struct data *d)
{
	const uint32_t row = list_get_selected_row(l);

	return row == FS_NO_ROW || !l->ops->find_row_again ? FS_NO_ROW : l->ops->find_row_again(d, old, row);
}

int model_adopt_data(struct model *m, struct data *data)
{
	struct data *old = m->data;
	int rc = 0;

	for (int v = 0; v < VIEWS && old; v++) {
		struct list *l = &m->list[v];

		l->row_to_select = l->ops->has_jobs && !m->follow ? FS_NO_ROW : find_selected_again(l, old, data);
		/* until list_adopt_data is called, `top` holds the number of list rows on the screen above the selected
		 * row */
		l->top = l->sel >= l->top ? l->sel - l->top : 0;
	}
	for (int v = 0; v < VIEWS && old; v++)
		if (m->list[v].ops->carry_row_state && m->list[v].ops->carry_row_state(&m->list[v], old, data))
			rc = -1;
	m->data = data;
	for (int v = 0; v < VIEWS; v++) {
		struct list *l = &m->list[v];
		const size_t above = l->top;

		if (list_adopt_data(l, data))
			rc = -1;
		l->top = l->sel >= above ? l->sel - above : 0;
	}
	for (unsigned i = 0; i < m->tags.n; i++) {
		m->tags.row[i] = data->eval.queue ? data_find_job(data, m->tags.key[i].job, m->tags.key[i].partition,
								  m->tags.key[i].qos)
						  : FS_NO_ROW;
	}
	m->pane.width = 0; /* makes model_refresh_screen compose the pane again */
	m->search.rows_left = 0;
	if (old && old->snapshot == data->snapshot) {
		old->borrowed = true;
		data->borrowed = false;
	}
	data_free_results(m->retired);
	m->retired = old;
	return rc;
}

/* ---- tags: the jobs that the user marks for a comparison */

bool model_is_row_tagged(const struct model_tags *t, uint32_t row)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->row[i] == row)
			return true;
	return false;
}

static void remove_tag_at_index(struct model_tags *t, unsigned i)
{
	for (t->n--; i < t->n; i++) {
		t->key[i] = t->key[i + 1];
		t->row[i] = t->row[i + 1];
	}
}

/* Tags a row, or removes the tag of a tagged row. A third tag replaces the first tag. */
void model_toggle_row_tag(struct model *m, uint32_t row)
{
	struct model_tags *t = &m->tags;

	for (unsigned i = 0; i < t->n; i++)
		if (t->row[i] == row) {
			remove_tag_at_index(t, i);
			return;
		}
	if (t->n == TAGS)
		remove_tag_at_index(t, 0);
	make_job_key(m->data, row, &t->key[t->n]);
	t->row[t->n++] = row;
}

/* ---- layout: the rows of the screen that each part occupies */

static unsigned get_smaller(size_t a, unsigned b)
{
	return a < b ? (unsigned)a : b;
}

struct pane_columns model_get_pane_columns(const struct model *m)
{
	enum { BESIDE_COLS = 140, MAX_SUMMARY_WIDTH = 110, GAP = 3 };
	const unsigned width = m->screen.cols > 1 ? m->screen.cols - 1 : 1;
	const bool beside = m->screen.cols >= BESIDE_COLS && m->list[m->view].ops->get_job_row;
	const unsigned summary = beside ? get_smaller(width / 2, MAX_SUMMARY_WIDTH) : width;

	return (struct pane_columns){ summary, beside ? summary + GAP : 1, beside ? width - summary - GAP : width,
				      beside };
}

/* Returns the number of rows that the title and the lines of the pane need. */
static unsigned count_pane_rows(const struct model *m)
{
	const unsigned summary = m->pane.has_summary ? (unsigned)m->pane.nsummary : m->pane.most_summary,
		       lines = (unsigned)m->pane.lines.n;

	return 1 + (!model_get_pane_columns(m).beside ? summary + lines : summary > lines ? summary : lines);
}

void model_get_row_layout(const struct model *m, struct layout *out)
{
	enum { METER_ROWS = 20, WHAT_IF_ROWS = 10, PANE_ROWS = 8, MIN_LIST_ROWS = 4 };
	const unsigned rows = get_smaller(list_count_rows(&m->list[m->view]), UINT_MAX);
	unsigned y = 1, body, list, pane, wants, free;

	*out = (struct layout){ .meters_row = 0 };
	if (m->screen.rows >= METER_ROWS && m->data->capacity.nodes.total)
		out->meters_row = y++;
	out->tabs_row = y++;
	if (m->screen.rows >= WHAT_IF_ROWS && fs_snapshot_command(m->data->snapshot, 0))
		out->what_if_row = y++;
	out->headings_row = y++;
	out->list_top = y++;
	body = m->screen.rows > y ? m->screen.rows - y : 0;
	/* the list gets the rows that it needs, at least two fifths */
	list = body * 2 / 5 > MIN_LIST_ROWS ? body * 2 / 5 : MIN_LIST_ROWS;
	list = rows < list ? rows : list;
	pane = body >= PANE_ROWS ? body - list : 0;
	wants = count_pane_rows(m);
	out->pane_rows = get_smaller(wants > m->pane.most_rows ? wants : m->pane.most_rows, pane);
	out->list_rows = body - out->pane_rows;
	if (out->pane_rows && out->list_rows > rows) {
		/* rows that the list does not need show the lines after the summary */
		free = get_smaller(m->pane.summary.n - m->pane.nsummary, out->list_rows - rows);
		out->pane_rows += free;
		out->list_rows -= free;
	}
	out->pane_top = out->list_top + out->list_rows;
}

static bool shows_several_partitions(const struct model *m)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->data->partitions; i++)
		n += m->data->partition[i].waiting > 0;
	return n > 1 && !*m->list[VIEW_QUEUE].filter.partition;
}

bool model_shows_column(const struct model *m, size_t column)
{
	const int chosen = column < MAX_COLUMNS ? m->column_choice[m->view][column] : 0;
	struct view_column c;
	unsigned from;

	if (chosen)
		return chosen > 0;
	view_column_get(m->list[m->view].ops, m->data, column, &c);
	from = c.mixed_from_cols && shows_several_partitions(m) ? c.mixed_from_cols
								 : view_column_min_width(m->data, &c);
	return m->screen.cols >= from && (c.kind != CELL_MOVE || m->data->previous.position);
}

/* ---- names with which Tab completes the text of a prompt */

static bool is_new_name_completion(const char *name, const char *typed, const char *const *names, size_t n)
{
	if (!*name || strncmp(name, typed, strlen(typed)) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return false;
	return true;
}

size_t model_list_prompt_names(const struct model *m, const char **names, size_t max)
{
	const struct data *d = m->data;
	const size_t rows = m->prompt.kind != PROMPT_PARTITION ? data_count_share_rows(d) : 0;
	size_t n = 0;

	if (m->prompt.kind < PROMPT_USER || m->prompt.kind > PROMPT_PARTITION)
		return 0;
	for (size_t i = 0; i < rows && n < max; i++) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);
		const char *name = m->prompt.kind == PROMPT_USER ? row->user : row->account;

		if (row->visible && is_new_name_completion(name, m->prompt.text, names, n))
			names[n++] = name;
	}
	for (size_t i = 0; i < d->partitions && m->prompt.kind == PROMPT_PARTITION && n < max; i++)
		if (is_new_name_completion(d->partition[i].name, m->prompt.text, names, n))
			names[n++] = d->partition[i].name;
	return n;
}

/* ---- after each event: scroll to the selection and update the pane */

static void scroll_to_selection(struct list *l, unsigned rows)
{
	const size_t n = list_count_rows(l);

	if (l->sel < l->top)
		l->top = l->sel;
	else if (rows && l->sel >= l->top + rows)
		l->top = l->sel - rows + 1;
	if (l->top + rows > n)
		l->top = n > rows ? n - rows : 0;
}

/* Updates the largest numbers of lines after a change of the pane. */
static void measure_pane(struct model_pane *p, unsigned rows)
{
	if (p->nsummary > p->most_summary)
		p->most_summary = (unsigned)p->nsummary;
	if (rows > p->most_rows)
		p->most_rows = rows;
}

static void refresh_pane_lines(struct model *m)
{
	enum { EXPECTED_SUMMARY_LINES = 6 };
	struct model_pane *p = &m->pane;
	const uint32_t row = list_get_selected_row(&m->list[m->view]);

	if (row == p->row && m->view == p->view && m->screen.cols == p->width)
		return;
	if (m->view != p->view || m->screen.cols != p->width)
		p->most_rows = p->most_summary = 0;
	lines_clear_all(&p->lines);
	lines_clear_all(&p->summary);
	p->nsummary = 0;
	p->has_summary = !model_has_summaries(m) || row == FS_NO_ROW;
	if (!p->has_summary && !p->most_summary)
		p->most_summary = EXPECTED_SUMMARY_LINES;
	model_explain_selected(m, &p->lines, model_get_pane_columns(m).lines_width);
	p->row = row;
	p->view = m->view;
	p->width = p->lines.failed ? 0 : m->screen.cols;
	if (p->lines.failed)
		model_report_no_memory(&m->status);
}

void model_refresh_screen(struct model *m)
{
	struct list *l = &m->list[m->view];
	struct layout at;
	const size_t text_rows = m->screen.rows > 2 ? m->screen.rows - 2 : 0;

	if (l->sel >= list_count_rows(l))
		l->sel = list_count_rows(l) ? list_count_rows(l) - 1 : 0;
	refresh_pane_lines(m);
	if (m->pane.has_summary)
		measure_pane(&m->pane, count_pane_rows(m));
	model_get_row_layout(m, &at);
	m->pane.summary_width = at.pane_rows ? model_get_pane_columns(m).summary_width : 0;
	scroll_to_selection(l, at.list_rows);
	if (m->mode == MODE_TEXT && m->text.first_shown + text_rows > m->text.lines.n)
		m->text.first_shown = m->text.lines.n > text_rows ? m->text.lines.n - text_rows : 0;
}

void model_use_blocks(struct model *m, bool can)
{
	const bool blocks = can && m->screen.theme != THEME_MONO;

	m->screen.can_show_blocks = can;
	m->screen.blocks = m->pane.lines.blocks = m->text.lines.blocks = blocks;
	m->pane.width = 0; /* makes model_refresh_screen compose the pane again */
	model_refresh_screen(m);
}

void model_use_theme(struct model *m, enum theme t)
{
	m->screen.theme = t;
	model_use_blocks(m, m->screen.can_show_blocks);
}

/* ---- positions of the columns on the screen */

static unsigned get_natural_column_width(const struct model *m, const struct view_column *c)
{
	enum { WIDE_SCREEN_COLS = 120, MAX_WIDENED_TEXT = 12 };

	if (c->format_width)
		return c->format_width(m);
	return c->kind == CELL_TEXT && c->width <= MAX_WIDENED_TEXT && m->screen.cols >= WIDE_SCREEN_COLS ? c->width + 4
												   : c->width;
}

/* Adds the unused width of the screen to the bar column. The columns after it move to the right. */
static void widen_bar_column_slot(const struct model *m, struct column_slots *f, struct column_slot *bar, unsigned end)
{
	enum { MAX_BAR_WIDTH = 48 };
	const unsigned left = m->screen.cols - end,
		       max = bar->column.has_unlimited_width ? left : MAX_BAR_WIDTH - bar->width,
		       more = left < max ? left : max;

	bar->width += more;
	for (struct column_slot *p = bar + 1; p < f->place + f->n; p++)
		p->x += more;
}

void layout_place_visible_columns(const struct model *m, struct column_slots *f)
{
	enum { MIN_TEXT_WIDTH = 8 }; /* a text that does not fit is cut, at least to this width */
	const struct list *l = &m->list[m->view];
	unsigned x = LAYOUT_MARK_COLUMNS, skip = m->scroll[m->view];
	struct column_slot *bar = NULL;

	f->n = 0;
	for (size_t i = 0; i < l->columns && f->n < MAX_COLUMNS; i++) {
		struct column_slot *p = &f->place[f->n];

		if (!model_shows_column(m, i))
			continue;
		if (i >= l->ops->fixed_columns && skip) {
			skip--;
			continue;
		}
		view_column_get(l->ops, m->data, i, &p->column);
		*p = (struct column_slot){ p->column, x, get_natural_column_width(m, &p->column), i };
		if (p->column.kind == CELL_TEXT && x + p->width > m->screen.cols &&
		    x + MIN_TEXT_WIDTH <= m->screen.cols)
			p->width = m->screen.cols - x;
		if (x + p->width > m->screen.cols)
			continue;
		bar = p->column.kind == CELL_BAR ? p : bar;
		x += p->width + 1;
		f->n++;
	}
	if (bar && x - 1 < m->screen.cols)
		widen_bar_column_slot(m, f, bar, x - 1);
}

size_t layout_find_column_at(const struct model *m, unsigned x)
{
	struct column_slots f;

	layout_place_visible_columns(m, &f);
	for (size_t i = 0; i < f.n; i++)
		if (x >= f.place[i].x && x < f.place[i].x + f.place[i].width)
			return f.place[i].index;
	return SIZE_MAX;
}

/* ---- columns of the screen at which the tabs begin */

unsigned layout_get_tab_column(const struct model *m, enum view v)
{
	unsigned x = 0;

	for (int i = 0; i < (int)v; i++)
		x += (unsigned)strlen(m->list[i].ops->tab) + 2;
	return x;
}

enum view layout_find_tab_at(const struct model *m, unsigned x)
{
	int v = 0;

	while (v < VIEWS && x >= layout_get_tab_column(m, (enum view)(v + 1)))
		v++;
	return (enum view)v;
}

/* ---- the key hints in the last line of the screen */

static const enum action key_bar_actions[] = {
	ACT_HELP, ACT_QUIT, ACT_EXPLAIN, ACT_IF,      ACT_SEARCH,   ACT_FILTER,
	ACT_USER, ACT_TREE, ACT_SORT,    ACT_COMPARE, ACT_ALGORITHM
};

static const struct binding *find_labelled_binding(enum action a)
{
	size_t i = 0;

	while (bindings[i].action != a || !bindings[i].hint_text)
		i++;
	return &bindings[i];
}

bool layout_get_bar_key(unsigned cols, size_t i, struct key_slot *out)
{
	unsigned x = 0;

	if (i >= sizeof(key_bar_actions) / sizeof(*key_bar_actions))
		return false;
	for (size_t k = 0; k <= i; k++) {
		const struct binding *b = find_labelled_binding(key_bar_actions[k]);

		*out = (struct key_slot){ b, x, (unsigned)(strlen(b->hint_key) + 1 + strlen(b->hint_text)) };
		x += out->width + 1;
	}
	return out->x + out->width <= cols;
}

/* Returns the action of the key hint at column x of the last screen line. Returns ACT_NONE if no key hint is there or a
 * message covers it. */
enum action layout_find_action_at(const struct model *m, unsigned x)
{
	struct key_slot key;

	if (*m->status.message || *m->status.load_error)
		return ACT_NONE;
	for (size_t i = 0; layout_get_bar_key(m->screen.cols, i, &key); i++)
		if (x >= key.x && x < key.x + key.width)
			return key.binding->action;
	return ACT_NONE;
}

/* ---- positions of menu entries on the screen */

size_t layout_count_menu_entries(const struct model *m)
{
	return m->list[m->view].columns + (m->menu.kind == MENU_SORT ? 1 : THEMES);
}

size_t layout_get_menu_top(const struct model *m)
{
	struct layout at;
	unsigned rows;

	model_get_row_layout(m, &at);
	rows = m->screen.rows - at.list_top - 1;
	return m->menu.selected >= rows ? m->menu.selected - rows + 1 : 0;
}
