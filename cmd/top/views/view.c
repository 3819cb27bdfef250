#include "top/views/view.h"

#include "top/list/columns.h"
#include "top/update/keys.h"
#include "top/model/place.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* ---- the two lines at the top */

/* Writes when the snapshot was taken; its age stands for the date if there is a clock. */
static void clock_text(const struct model *m, char *buf, size_t size)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(m->data->snapshot);
	const time_t local = (time_t)(m->data->time + fs_snapshot_utc_offset(m->data->snapshot, m->data->time));
	struct tm tm;
	const int64_t age = m->now == FS_UNKNOWN ? -1 : m->now - info->time;
	char text[24];
	size_t n = 0;

	*buf = '\0';
	if (m->data->time != info->time)
		n = (size_t)snprintf(buf, size, "as of ");
	if (gmtime_r(&local, &tm))
		n += strftime(buf + n, size - n, age < 0 ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	if (age < 0)
		return;
	duration_text(age < 60 ? 0 : (double)(age - age % 60), text, sizeof(text));
	snprintf(buf + n, size - n, "  %s old", age < 60 ? "<1m" : text);
}

/* What is counted: jobs that wait only once the queue is in order. */
static void counts_text(const struct data *d, bool short_words, char *buf, size_t size)
{
	if (d->unordered)
		snprintf(buf, size, "running %" PRIu32 " ", d->running);
	else
		snprintf(buf, size,
			 short_words ? "pend %" PRIu32 " run %" PRIu32 " blocked %" PRIu32 " "
				     : "pending %" PRIu32 "  running %" PRIu32 "  blocked %" PRIu32 " ",
			 d->waiting, d->running, d->waiting - d->eligible);
}

static void draw_title(const struct model *m, struct grid *g)
{
	const struct data *d = m->data;
	char clock[80], left[400], right[120];
	unsigned used;

	clock_text(m, clock, sizeof(clock));
	snprintf(left, sizeof(left), " fs-top %.60s  %s", fs_snapshot_info(d->snapshot)->cluster, clock);
	counts_text(d, false, right, sizeof(right));
	grid_fill(g, 0, 0, g->cols, ' ', ATTR_TITLE);
	used = grid_text(g, 0, 0, g->cols, left, ATTR_TITLE);
	if (used + 2 + strlen(right) > g->cols)
		counts_text(d, true, right, sizeof(right));
	if (used + 2 + strlen(right) <= g->cols)
		grid_right(g, used, 0, g->cols - used, right, ATTR_TITLE);
}

static void add_word(char *buf, size_t size, const char *what, const char *value)
{
	const size_t n = strlen(buf);

	if (*value && n < size)
		snprintf(buf + n, size - n, "  %s %s", what, value);
}

/* Writes the commands of a hypothetical state. */
static void what_if_text(const struct model *m, char *buf, size_t size)
{
	const char *command;
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; n < size && (command = fs_snapshot_command(m->data->snapshot, i)); i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "; " : " WHAT IF: ", command);
}

static void draw_tabs(const struct model *m, struct grid *g)
{
	const struct filter *f = &m->list[m->view].filter;
	char text[800] = "", what_if[800], name[24];
	unsigned x = 0;

	for (int v = 0; v < VIEWS; v++) {
		const bool here = m->view == (enum view)v;

		snprintf(name, sizeof(name), here ? "[%s]" : " %s ", m->list[v].ops->tab);
		x = place_tab(m, (enum view)v);
		x += grid_text(g, x, 1, g->cols, name, here ? ATTR_STRONG : ATTR_PLAIN);
	}
	x += grid_text(g, x, 1, g->cols,
		       m->loading                        ? " working"
		       : list_sorting(&m->list[m->view]) ? " sorting"
							 : "",
		       ATTR_DIM);
	what_if_text(m, what_if, sizeof(what_if));
	x += grid_text(g, x, 1, g->cols > x ? g->cols - x : 0, what_if, ATTR_WARN);
	add_word(text, sizeof(text), "partition", f->partition);
	add_word(text, sizeof(text), "user", f->user);
	add_word(text, sizeof(text), "account", f->account);
	add_word(text, sizeof(text), "filter:", f->text);
	if (!*text && !*what_if)
		snprintf(text, sizeof(text), "  %s", m->data->algorithm);
	grid_right(g, x, 1, g->cols > x ? g->cols - x : 0, text, ATTR_PLAIN);
}

/* ---- the last line */

static void draw_bar(struct grid *g, unsigned y)
{
	struct key_place key;

	for (size_t i = 0; place_key(g->cols, i, &key); i++) {
		const unsigned x = key.x + grid_text(g, key.x, y, g->cols, key.binding->bar, ATTR_PLAIN) + 1;

		grid_text(g, x, y, g->cols, key.binding->label, ATTR_LABEL);
	}
}

static void draw_prompt(const struct model *m, struct grid *g, unsigned y)
{
	static const char *const labels[] = { "Search: ",  "Filter: ",    "User: ",
					      "Account: ", "Partition: ", "Write to file: ", "What if: " };
	const char *names[16];
	const size_t n = model_names(m, names, sizeof(names) / sizeof(*names));
	const char *shown = m->prompt;
	unsigned x = grid_text(g, 0, y, g->cols, labels[m->prompt_kind], ATTR_STRONG);

	while (*shown && x + 1 + grid_width(g, shown) > g->cols)
		shown++;
	x += grid_text(g, x, y, g->cols, shown, ATTR_PLAIN);
	g->cursor_x = x < g->cols ? x : g->cols - 1;
	g->cursor_y = y;
	x += 2;
	if (m->prompt_kind == PROMPT_SEARCH && m->search.missed)
		grid_text(g, x, y, g->cols, "no match", ATTR_WARN);
	for (size_t i = 0; i < n && x < g->cols; i++)
		x += grid_text(g, x, y, g->cols, names[i], ATTR_DIM) + 1;
}

static void draw_bottom(const struct model *m, struct grid *g)
{
	const unsigned y = g->rows - 1;
	char text[500];

	if (m->mode == MODE_PROMPT) {
		draw_prompt(m, g, y);
	} else if (*m->message) {
		grid_text(g, 0, y, g->cols, m->message, m->warns ? ATTR_WARN : ATTR_STRONG);
	} else if (*m->trouble) {
		snprintf(text, sizeof(text), "! still the old snapshot: %s", m->trouble);
		grid_text(g, 0, y, g->cols, text, ATTR_WARN);
	} else {
		draw_bar(g, y);
	}
}

/* ---- pane, texts, menus */

static void draw_lines(struct grid *g, const struct lines *l, size_t first, unsigned top, unsigned rows)
{
	for (unsigned i = 0; i < rows && first + i < l->n; i++)
		grid_text(g, 1, top + i, g->cols > 1 ? g->cols - 1 : 0, l->v[first + i].text,
			  l->v[first + i].attr);
}

static void draw_pane(const struct model *m, struct grid *g)
{
	struct layout at;
	char subject[128], title[200];

	model_layout(m, &at);
	if (!at.pane_rows)
		return;
	model_subject(m, subject, sizeof(subject));
	snprintf(title, sizeof(title), " %s ", *subject ? subject : "nothing selected");
	grid_fill(g, 0, at.pane_top, g->cols, '-', ATTR_DIM);
	grid_text(g, 2, at.pane_top, g->cols > 4 ? g->cols - 4 : 0, title, ATTR_TITLE);
	draw_lines(g, &m->pane, 0, at.pane_top + 1, at.pane_rows - 1);
	if (m->pane.n > at.pane_rows - 1 && g->cols > 24)
		grid_right(g, 0, at.pane_top, g->cols - 2, " Enter: more ", ATTR_DIM);
}

/* Paints the key, column or word that a line of the help is about. */
static void paint_words(const struct model *m, struct grid *g, unsigned rows)
{
	enum { WORD = 14 };

	for (unsigned i = 0; i < rows && m->text_top + i < m->text.n; i++) {
		const struct line *l = &m->text.v[m->text_top + i];

		if (l->attr == ATTR_PLAIN && *l->text != ' ')
			grid_paint(g, 1, 1 + i, WORD, (enum attr)(ATTR_FACTOR + 2));
	}
}

static void draw_text(const struct model *m, struct grid *g)
{
	const unsigned rows = g->rows - 2;
	const size_t last = m->text_top + rows < m->text.n ? m->text_top + rows : m->text.n;
	char text[200];

	grid_fill(g, 0, 0, g->cols, ' ', ATTR_HEADING);
	grid_text(g, 1, 0, g->cols, m->title, ATTR_HEADING);
	draw_lines(g, &m->text, m->text_top, 1, rows);
	if (m->text_kind == TEXT_HELP)
		paint_words(m, g, rows);
	snprintf(text, sizeof(text), "Esc back%s   %zu-%zu of %zu",
		 m->text_kind == TEXT_HELP ? "" : "  y write to a file",
		 m->text.n ? m->text_top + 1 : 0, last, m->text.n);
	if (m->mode == MODE_PROMPT || *m->message)
		draw_bottom(m, g);
	else
		grid_text(g, 0, g->rows - 1, g->cols, text, ATTR_LABEL);
}

static void menu_line(const struct model *m, size_t i, char *buf, size_t size, const char **help)
{
	struct view_column c;

	if (m->menu_kind == MENU_SORT && !i) {
		snprintf(buf, size, "as they come");
		*help = "the order of the scheduler, the tree or the configuration";
		return;
	}
	i -= m->menu_kind == MENU_SORT;
	if (i >= m->list[m->view].columns) {
		const enum theme t = (enum theme)(i - m->list[m->view].columns);

		snprintf(buf, size, "(%c) theme %s", t == m->theme ? '*' : ' ', theme_name(t));
		*help = theme_help(t);
		return;
	}
	view_column_get(m->list[m->view].ops, m->data, i, &c);
	*help = c.help;
	if (m->menu_kind == MENU_SORT)
		snprintf(buf, size, "%s", c.name);
	else
		snprintf(buf, size, "[%c] %s", model_shows(m, i) ? 'x' : ' ', c.name);
}

static void draw_menu(const struct model *m, struct grid *g)
{
	const size_t n = place_menu_entries(m);
	const unsigned width = g->cols < PLACE_MENU_WIDTH ? g->cols : PLACE_MENU_WIDTH, rows = g->rows - 4;
	const size_t top = place_menu_top(m);
	const char *help;
	char text[100];

	grid_fill(g, 0, 2, width, ' ', ATTR_HEADING);
	grid_text(g, 1, 2, width - 1,
		  m->menu_kind == MENU_SORT ? "Sort by (Enter)" : "Columns, theme (Space)",
		  ATTR_HEADING);
	for (unsigned i = 0; i < rows; i++) {
		const bool here = top + i == m->menu_sel;

		grid_fill(g, 0, 3 + i, width, ' ', here ? ATTR_SELECTED : ATTR_PLAIN);
		grid_text(g, width - 1, 3 + i, 1, "|", ATTR_DIM);
		if (top + i >= n)
			continue;
		menu_line(m, top + i, text, sizeof(text), &help);
		grid_text(g, 0, 3 + i, 1, here ? ">" : " ", here ? ATTR_SELECTED : ATTR_PLAIN);
		grid_text(g, 2, 3 + i, width - 4, text, here ? ATTR_SELECTED : ATTR_PLAIN);
		if (here) {
			grid_fill(g, 0, g->rows - 1, g->cols, ' ', ATTR_PLAIN);
			grid_text(g, 0, g->rows - 1, g->cols, help, ATTR_STRONG);
			g->cursor_y = 3 + i;
		}
	}
}

int view_draw(const struct model *m, struct grid *g)
{
	g->utf8 = m->utf8;
	g->blocks = m->blocks;
	g->theme = m->theme;
	g->cursor_x = g->cursor_y = 0;
	if (grid_size(g, m->cols, m->rows))
		return -1;
	if (m->cols < MIN_COLS || m->rows < MIN_ROWS) {
		grid_text(g, 0, 0, m->cols, "too small", ATTR_PLAIN);
		return 0;
	}
	if (m->mode == MODE_TEXT || (m->mode == MODE_PROMPT && m->under == MODE_TEXT)) {
		draw_text(m, g);
		return 0;
	}
	draw_title(m, g);
	draw_tabs(m, g);
	view_list(m, g);
	draw_pane(m, g);
	draw_bottom(m, g);
	if (m->mode == MODE_MENU)
		draw_menu(m, g);
	return 0;
}
