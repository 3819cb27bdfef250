#include "top/update.h"

#include "dialect/dialect.h"
#include "fs/queue.h"
#include "fs/scenario.h"
#include "top/data.h"

#include <stdio.h>
#include <string.h>

/* ---- functions shared by all modes: moving, sorting and filtering the current list */

struct list *update_list(struct model *m)
{
	return &m->list[m->view];
}

/* Shows the view. In the timeline, selects the lane of the job selected in the queue. */
static void update_show(struct model *m, enum view v)
{
	const struct list *queue = &m->list[VIEW_QUEUE];
	const uint32_t row = list_selected(queue);
	struct fs_queue_row job;
	uint32_t lane;

	m->view = v;
	if (v != VIEW_TIMELINE || row == FS_NO_ROW || !m->data->eval.queue)
		return;
	fs_queue_row(m->data->eval.queue, row, &job);
	lane = chart_lane_of(m->data->chart, job.job_row);
	if (lane != FS_NO_ROW)
		list_select(update_list(m), lane);
}

void update_refresh(struct model *m, struct list *l, bool narrower)
{
	if (list_refresh(l, m->data, narrower))
		model_starve(m);
}

static size_t moves_page(const struct model *m)
{
	struct layout at;

	if (m->mode == MODE_TEXT)
		return m->rows > 3 ? m->rows - 3 : 1;
	model_layout(m, &at);
	return m->mode == MODE_MENU ? 8 : at.list_rows > 1 ? at.list_rows - 1 : 1;
}

bool update_moved(const struct model *m, enum action a, size_t n, size_t *at)
{
	const size_t step = a == ACT_UP || a == ACT_DOWN ? 1 : moves_page(m);

	switch (a) {
	case ACT_UP:
	case ACT_PAGE_UP:
		*at = *at > step ? *at - step : 0;
		return true;
	case ACT_DOWN:
	case ACT_PAGE_DOWN:
		*at = *at + step < n ? *at + step : n ? n - 1 : 0;
		return true;
	case ACT_HOME:
		*at = 0;
		return true;
	case ACT_END:
		*at = n ? n - 1 : 0;
		return true;
	default:
		return false;
	}
}

/* Sorts the list by the column; SIZE_MAX: the view's own order. */
static void update_sort(struct model *m, size_t column)
{
	struct list *l = update_list(m);

	l->sort = column;
	update_refresh(m, l, false);
}

void update_partition(struct model *m, const char *name)
{
	struct list *l = &m->list[VIEW_QUEUE];

	snprintf(l->filter.partition, sizeof(l->filter.partition), "%s", name);
	update_refresh(m, l, false);
}

/* ---- menus of columns */

/* Opens the menu for the sort column, or for the columns to show. */
static void menu_open(struct model *m, enum menu_kind kind)
{
	m->mode = MODE_MENU;
	m->menu_kind = kind;
	m->menu_sel = kind == MENU_SORT && update_list(m)->sort != SIZE_MAX ? update_list(m)->sort + 1 : 0;
	m->menu_top = 0;
}

static void choose(struct model *m)
{
	if (m->menu_kind == MENU_SORT) {
		m->mode = MODE_LIST;
		update_sort(m, m->menu_sel ? m->menu_sel - 1 : SIZE_MAX);
	} else if (m->menu_sel >= update_list(m)->columns) {
		model_use_theme(m, (enum theme)(m->menu_sel - update_list(m)->columns));
	} else if (m->menu_sel < MAX_COLUMNS) {
		m->chosen[m->view][m->menu_sel] = model_shows(m, m->menu_sel) ? -1 : 1;
	}
}

/* Handles a key in the menu. Returns reactions (bits). */
static unsigned menu_key(struct model *m, int key)
{
	const size_t n = place_menu_entries(m);
	const enum action a = action_of(key);

	if (update_moved(m, a, n, &m->menu_sel))
		return 0;
	switch (a) {
	case ACT_TAG:
		choose(m);
		break;
	case ACT_EXPLAIN:
		if (m->menu_kind == MENU_SORT)
			choose(m);
		m->mode = MODE_LIST;
		break;
	case ACT_HELP:
		m->over_menu = true;
		model_open_text(m, TEXT_HELP);
		break;
	case ACT_BACK:
	case ACT_QUIT:
	case ACT_COLUMNS:
	case ACT_SORT:
		m->mode = MODE_LIST;
		break;
	default:
		break;
	}
	return 0;
}

/* ---- hypothetical commands: a list whose last command can be removed */

/* Fills the prompt with the start of a command that changes the selected job, if one is selected. */
static void what_if_begin(struct model *m)
{
	const char *begin = dialect_of(m->data->snapshot)->changes_job;
	const struct list *l = &m->list[VIEW_QUEUE];
	const uint32_t at = m->view == VIEW_QUEUE ? list_selected(l) : FS_NO_ROW;
	struct fs_queue_row row;
	char id[FS_JOB_ID_TEXT];

	m->what_if.recalled = m->what_if.n;
	if (!begin || at == FS_NO_ROW)
		return;
	fs_queue_row(m->data->eval.queue, at, &row);
	snprintf(m->prompt, sizeof(m->prompt), "%s %s ", begin, fs_job_id_format(m->data->snapshot, row.job, true, id));
}

/* Replaces the prompt by an earlier or later command. */
static void what_if_recall(struct model *m, bool earlier)
{
	struct what_ifs *w = &m->what_if;

	if (earlier && w->recalled)
		w->recalled--;
	else if (!earlier && w->recalled < w->n)
		w->recalled++;
	if (w->recalled < w->n)
		memcpy(m->prompt, w->text[w->recalled], sizeof(m->prompt));
	else
		*m->prompt = '\0';
}

/* Returns true and shows a warning if data is being loaded: the commands must not change then. */
static bool is_busy(struct model *m)
{
	if (m->loading)
		model_say(m, true, "new data is on its way: once more when it is there");
	return m->loading;
}

/* Returns the text after the filled-in command and its job id; NULL if the prompt no longer starts with that command.
 */
static const char *behind_job(const struct model *m)
{
	const char *begin = dialect_of(m->data->snapshot)->changes_job, *at = m->prompt;

	if (!begin || strncmp(at, begin, strlen(begin)) != 0)
		return NULL;
	at += strlen(begin);
	at += strspn(at, " ");
	at += strcspn(at, " ");
	return at + strspn(at, " ");
}

/* Removes the filled-in text if the user types another command or a configuration line after it. */
static void what_if_typed(struct model *m)
{
	const char *tail = behind_job(m);
	char word[sizeof(m->prompt)];
	const size_t len = tail ? strcspn(tail, " =[") : 0;

	if (!len || !tail[len] || tail[len + 1])
		return;
	snprintf(word, sizeof(word), "%.*s", (int)(tail[len] == ' ' ? len : len + 1), tail);
	if (fs_command_begins(m->data->snapshot, word))
		memmove(m->prompt, tail, strlen(tail) + 1);
}

/* Adds the command in the prompt. Returns reactions (bits). */
static unsigned what_if_add(struct model *m)
{
	struct what_ifs *w = &m->what_if;

	if (!*m->prompt || is_busy(m))
		return 0;
	if (w->n == WHAT_IFS) {
		model_say(m, true, "no more than %d: U takes the last one back", WHAT_IFS);
		return 0;
	}
	snprintf(w->text[w->n++], sizeof(*w->text), "%s", m->prompt);
	w->added = true;
	return REACT_RELOAD;
}

/* Removes the last command. Returns reactions (bits). */
static unsigned what_if_undo(struct model *m)
{
	struct what_ifs *w = &m->what_if;

	if (!w->n) {
		model_say(m, false, "there is no what-if to take back: i supposes one");
		return 0;
	}
	if (is_busy(m))
		return 0;
	w->n--;
	return REACT_RELOAD;
}

/* Reports which commands the new data includes. */
static void what_if_done(struct model *m)
{
	struct what_ifs *w = &m->what_if;

	if (w->n > 1)
		model_say(m, false, "if %s, and %zu before it", w->text[w->n - 1], w->n - 1);
	else if (w->n)
		model_say(m, false, "if %s", w->text[0]);
	w->added = false;
}

/* If the failed load was for a newly added command, removes the command, shows the reason and returns true. */
static bool what_if_failed(struct model *m, const char *why)
{
	struct what_ifs *w = &m->what_if;

	if (!w->added)
		return false;
	w->added = false;
	w->n--;
	model_say(m, true, "%s", why);
	return true;
}

/* ---- prompts: search and filter while typing, names completed with Tab, a file to write */

/* Opens a prompt in the last line. */
static void prompt_open(struct model *m, enum prompt_kind kind)
{
	const struct filter *f = &update_list(m)->filter;
	const bool compares = m->mode == MODE_TEXT && m->text_kind == TEXT_COMPARE;
	char subject[160];

	if (kind == PROMPT_USER || kind == PROMPT_ACCOUNT || kind == PROMPT_PARTITION)
		m->view = VIEW_QUEUE;
	m->under = m->mode;
	m->mode = MODE_PROMPT;
	m->prompt_kind = kind;
	*m->prompt = '\0';
	if (kind == PROMPT_FILTER)
		snprintf(m->prompt, sizeof(m->prompt), "%s", f->text);
	if (kind == PROMPT_SEARCH)
		m->search.from = update_list(m)->sel;
	m->search.missed = false;
	if (kind == PROMPT_IF)
		what_if_begin(m);
	if (kind == PROMPT_WRITE) {
		model_subject(m, subject, sizeof(subject));
		if (compares)
			snprintf(subject, sizeof(subject), "%s", m->title);
		for (char *p = subject; *p; p++)
			if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
				*p = '-';
		snprintf(m->prompt, sizeof(m->prompt), "fs-top-%.100s.txt", subject);
	}
}

static void begin_search(struct model *m, size_t from, bool backwards)
{
	m->search.at = from;
	m->search.backwards = backwards;
	m->search.missed = false;
	m->search.left = *m->search.text ? list_count(update_list(m)) : 0;
}

/* Searches the next match, or the previous one if `backwards`. */
static void search_next(struct model *m, bool backwards)
{
	const size_t n = list_count(update_list(m)), sel = update_list(m)->sel;

	if (!*m->search.text || !n)
		model_say(m, false, "nothing to search for: / first");
	else
		begin_search(m, backwards ? (sel ? sel : n) - 1 : (sel + 1) % n, backwards);
}

/* Updates the search or the filter after each key. longer: text was added. */
static void prompt_changed(struct model *m, bool longer)
{
	struct list *l = update_list(m);

	if (m->prompt_kind == PROMPT_IF && longer)
		what_if_typed(m);
	if (m->prompt_kind == PROMPT_SEARCH) {
		snprintf(m->search.text, sizeof(m->search.text), "%s", m->prompt);
		begin_search(m, m->search.from, false);
	} else if (m->prompt_kind == PROMPT_FILTER) {
		snprintf(l->filter.text, sizeof(l->filter.text), "%s", m->prompt);
		update_refresh(m, l, longer);
	}
}

static void encode(unsigned c, char out[5])
{
	const unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (unsigned i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(first[n == 1 ? 0 : n] | c);
	out[n] = '\0';
}

static void type(struct model *m, int key)
{
	const size_t n = strlen(m->prompt);
	char bytes[5];

	encode((unsigned)key, bytes);
	if (n + strlen(bytes) < sizeof(m->prompt)) {
		strcat(m->prompt, bytes);
		prompt_changed(m, true);
	}
}

static void rub_out(struct model *m)
{
	size_t n = strlen(m->prompt);

	while (n && ((unsigned char)m->prompt[n - 1] & 0xc0) == 0x80)
		n--;
	m->prompt[n ? n - 1 : 0] = '\0';
	prompt_changed(m, false);
}

/* Completes the prompt with the common prefix of all names that start with it. */
static void complete_name(struct model *m)
{
	enum { MAX = 64 };
	const char *names[MAX];
	const size_t n = model_names(m, names, MAX);
	size_t len = n ? strlen(names[0]) : 0;

	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < len; k++)
			if (names[i][k] != names[0][k])
				len = k;
	if (n && len < sizeof(m->prompt)) {
		memcpy(m->prompt, names[0], len);
		m->prompt[len] = '\0';
	}
}

static unsigned accept_prompt(struct model *m)
{
	struct filter *f = &m->list[VIEW_QUEUE].filter;

	m->mode = m->under;
	switch (m->prompt_kind) {
	case PROMPT_USER:
		snprintf(f->user, sizeof(f->user), "%s", m->prompt);
		break;
	case PROMPT_ACCOUNT:
		snprintf(f->account, sizeof(f->account), "%s", m->prompt);
		break;
	case PROMPT_PARTITION:
		snprintf(f->partition, sizeof(f->partition), "%s", m->prompt);
		break;
	case PROMPT_IF:
		return what_if_add(m);
	case PROMPT_WRITE:
		return *m->prompt ? REACT_WRITE : 0;
	default:
		return 0;
	}
	update_refresh(m, &m->list[VIEW_QUEUE], false);
	return 0;
}

static void cancel_prompt(struct model *m)
{
	m->mode = m->under;
	if (m->prompt_kind == PROMPT_SEARCH) {
		m->search.left = 0;
		update_list(m)->sel = m->search.from;
	} else if (m->prompt_kind == PROMPT_FILTER) {
		*update_list(m)->filter.text = '\0';
		update_refresh(m, update_list(m), false);
	}
}

/* Handles a key in the prompt. Returns reactions (bits). */
static unsigned prompt_key(struct model *m, int key)
{
	switch (key) {
	case CODE_ENTER:
		return accept_prompt(m);
	case CODE_ESC:
		cancel_prompt(m);
		return 0;
	case CODE_BACKSPACE:
		rub_out(m);
		return 0;
	case CODE_TAB:
		complete_name(m);
		return 0;
	case CODE_UP:
	case CODE_DOWN:
		if (m->prompt_kind == PROMPT_IF)
			what_if_recall(m, key == CODE_UP);
		return 0;
	case CONTROL('u'):
		*m->prompt = '\0';
		prompt_changed(m, false);
		return 0;
	default:
		if (key >= ' ' && key <= CODE_FIRST && key != 0x7f)
			type(m, key);
		return 0;
	}
}

/* ---- actions in lists */

/* Each of these functions runs one action and returns reactions. Its second argument is the number in the table
 * `handlers`. */

static unsigned show_view(struct model *m, int step)
{
	update_show(m, (enum view)(((int)m->view + VIEWS + step) % VIEWS));
	return 0;
}

/* ---- filters */

/* Filters by the next or previous partition. After the last one come all partitions together, then the first again. */
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

/* Sorts by the next or previous column shown. Before the first column is the view's own order. */
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

/* ---- prompts, menus and small actions */

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
	model_say(m, false, m->follow ? "the selection follows its job" : "the selection stays at its place");
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

/* ---- keys in lists */
static unsigned list_key(struct model *m, int key)
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

/* ---- events */

/* ---- keys */

static unsigned text_key(struct model *m, int key)
{
	const enum action a = action_of(key);
	size_t at = m->text_top;

	if (update_moved(m, a, m->text.n + 1, &at)) {
		m->text_top = at;
		return 0;
	}
	switch (a) {
	case ACT_WRITE:
		if (m->text_kind != TEXT_HELP)
			prompt_open(m, PROMPT_WRITE);
		return 0;
	case ACT_REDRAW:
		return REACT_REDRAW;
	case ACT_BACK:
	case ACT_QUIT:
	case ACT_EXPLAIN:
	case ACT_FORECAST:
	case ACT_HELP:
	case ACT_COMPARE:
		m->mode = m->over_menu ? MODE_MENU : MODE_LIST;
		m->over_menu = false;
		return 0;
	default:
		return 0;
	}
}

static unsigned key_event(struct model *m, int key)
{
	*m->message = '\0';
	if (key == CONTROL('c'))
		return REACT_QUIT;
	switch (m->mode) {
	case MODE_PROMPT:
		return prompt_key(m, key);
	case MODE_MENU:
		return menu_key(m, key);
	case MODE_TEXT:
		return text_key(m, key);
	default:
		return list_key(m, key);
	}
}

static unsigned click_heading(struct model *m, unsigned x)
{
	const size_t column = place_column_at(m, x);

	if (column == SIZE_MAX)
		return 0;
	if (column == update_list(m)->sort)
		return key_event(m, 'I');
	update_sort(m, column);
	return 0;
}

static unsigned click_list(struct model *m, const struct event *e)
{
	struct list *l = update_list(m);
	struct layout at;

	model_layout(m, &at);
	if (e->y == PLACE_TABS) {
		const enum view v = place_tab_at(m, e->x);

		update_show(m, v < VIEWS ? v : m->view);
	} else if (e->y == PLACE_HEADINGS) {
		return click_heading(m, e->x);
	} else if (e->y + 1 == m->rows) {
		const int key = key_for(place_action_at(m, e->x));

		return key ? key_event(m, key) : 0;
	} else if (e->y >= at.list_top && e->y < at.list_top + at.list_rows &&
		   l->top + (e->y - at.list_top) < list_count(l)) {
		l->sel = l->top + (e->y - at.list_top);
	}
	return 0;
}

/* Selects the clicked menu entry. A click elsewhere closes the menu. */
static unsigned click_menu(struct model *m, const struct event *e)
{
	const size_t at = place_menu_top(m) + e->y - PLACE_MENU;

	if (e->x >= PLACE_MENU_WIDTH)
		return key_event(m, CODE_ESC);
	if (e->y < PLACE_MENU || e->y + 1 >= m->rows || at >= place_menu_entries(m))
		return 0;
	m->menu_sel = at;
	return key_event(m, ' ');
}

static unsigned mouse(struct model *m, const struct event *e)
{
	if (m->mode == MODE_PROMPT)
		return 0;
	if (e->key != CODE_ENTER)
		return key_event(m, e->key);
	if (m->cols < MIN_COLS || m->rows < MIN_ROWS)
		return 0;
	switch (m->mode) {
	case MODE_LIST:
		return click_list(m, e);
	case MODE_MENU:
		return click_menu(m, e);
	default: /* the last line of a text shows how to go back */
		return e->y + 1 == m->rows ? key_event(m, CODE_ESC) : 0;
	}
}

/* ---- other events */

static void take_data(struct model *m, struct data *data)
{
	m->loading = false;
	*m->trouble = '\0';
	what_if_done(m);
	if (model_adopt(m, data))
		model_starve(m);
	if (m->mode == MODE_MENU)
		m->mode = MODE_LIST;
	m->over_menu = false;
	if (m->mode == MODE_TEXT)
		model_open_text(m, m->text_kind);
}

static void take_chart(struct model *m, struct chart *chart)
{
	m->loading = false;
	m->data->chart = chart;
	if (!chart)
		model_starve(m);
	m->pane_width = 0; /* invalidates the pane */
	update_refresh(m, &m->list[VIEW_TIMELINE], false);
	update_show(m, m->view);
}

static void resize(struct model *m, unsigned cols, unsigned rows)
{
	m->cols = cols;
	m->rows = rows;
	if (m->mode == MODE_TEXT)
		model_open_text(m, m->text_kind);
}

unsigned model_update(struct model *m, const struct event *e)
{
	struct words_request words;
	unsigned reaction = 0;

	switch (e->kind) {
	case EV_KEY:
		reaction = key_event(m, e->key);
		break;
	case EV_MOUSE:
		reaction = mouse(m, e);
		break;
	case EV_RESIZE:
		resize(m, e->x, e->y);
		break;
	case EV_CLOCK:
		m->now = e->time;
		break;
	case EV_LOADING:
		m->loading = true;
		break;
	case EV_DATA:
		take_data(m, e->data);
		break;
	case EV_PLANNED:
		take_chart(m, e->chart);
		break;
	case EV_FAILED:
		m->loading = false;
		if (what_if_failed(m, e->text))
			break;
		snprintf(m->trouble, sizeof(m->trouble), "%s", e->text);
		break;
	case EV_WORDS:
		model_take_words(m, e->request, e->words);
		break;
	case EV_SAID:
	case EV_WARNED:
		model_say(m, e->kind == EV_WARNED, "%s", e->text);
		break;
	}
	model_refresh(m);
	if (update_list(m)->ops->planned && !m->data->chart)
		reaction |= REACT_PLAN;
	return model_words_wanted(m, &words) ? reaction | REACT_WORDS : reaction;
}

/* ---- work in slices */

enum { SEARCH_SLICE = 4096 };

static bool search_work(struct model *m)
{
	struct list *l = update_list(m);
	const size_t n = list_count(l);
	struct search *s = &m->search;

	for (unsigned i = 0; i < SEARCH_SLICE && s->left; i++, s->left--) {
		s->at = s->at < n ? s->at : 0;
		if (s->at < n && l->ops->contains(m->data, list_row(l, s->at), s->text)) {
			l->sel = s->at;
			s->left = 0;
			return false;
		}
		s->at = s->backwards ? (s->at ? s->at : n) - 1 : s->at + 1;
	}
	s->missed = !s->left;
	if (!s->left)
		model_say(m, true, "no row contains %s", s->text);
	return s->left != 0;
}

bool model_work(struct model *m)
{
	bool more = list_work(update_list(m), m->data);

	if (update_list(m)->failed)
		model_starve(m);
	update_list(m)->failed = false;
	if (m->search.left)
		more = search_work(m) || more;
	model_refresh(m);
	return more;
}
