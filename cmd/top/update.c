#include "top/update.h"

#include "dialect/dialect.h"
#include "fs/queue.h"
#include "fs/scenario.h"
#include "top/data.h"

#include <stdio.h>
#include <string.h>

/* ---- functions shared by all modes: moving, sorting and filtering the current list */

struct list *update_get_list(struct model *m)
{
	return &m->list[m->view];
}

/* Shows the view. In the timeline, also selects the first node on which the plan places the job selected in the
 * queue. */
static void show_view_with_selection(struct model *m, enum view v)
{
	const struct list *queue = &m->list[VIEW_QUEUE];
	const uint32_t row = list_get_selected_row(queue);
	struct fs_queue_row job;
	uint32_t lane;

	m->view = v;
	if (v != VIEW_TIMELINE || row == FS_NO_ROW || !m->data->eval.queue)
		return;
	fs_queue_row(m->data->eval.queue, row, &job);
	lane = chart_find_job_lane(m->data->chart, job.job_row);
	if (lane != FS_NO_ROW)
		list_select_row(update_get_list(m), lane);
}

void update_refresh_list(struct model *m, struct list *l, bool narrower)
{
	if (list_refresh_rows(l, m->data, narrower))
		model_report_no_memory(&m->status);
}

static size_t get_page_step(const struct model *m)
{
	struct layout at;

	if (m->mode == MODE_TEXT)
		return m->screen.rows > 3 ? m->screen.rows - 3 : 1;
	model_get_row_layout(m, &at);
	return m->mode == MODE_MENU ? 8 : at.list_rows > 1 ? at.list_rows - 1 : 1;
}

bool update_moved_position(const struct model *m, enum action a, size_t n, size_t *at)
{
	const size_t step = a == ACT_UP || a == ACT_DOWN ? 1 : get_page_step(m);

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

/* Sorts the list by the column; SIZE_MAX: restores the view's own order. */
static void sort_list_by_column(struct model *m, size_t column)
{
	struct list *l = update_get_list(m);

	l->sort = column;
	update_refresh_list(m, l, false);
}

void update_partition_filter(struct model *m, const char *name)
{
	struct list *l = &m->list[VIEW_QUEUE];

	snprintf(l->filter.partition, sizeof(l->filter.partition), "%s", name);
	update_refresh_list(m, l, false);
}

/* ---- menus for choosing columns */

/* Opens the menu that selects the sort column (MENU_SORT) or the columns to show (MENU_COLUMNS). */
static void open_column_menu(struct model *m, enum menu_kind kind)
{
	m->mode = MODE_MENU;
	m->menu.kind = kind;
	m->menu.selected = kind == MENU_SORT && update_get_list(m)->sort != SIZE_MAX ? update_get_list(m)->sort + 1 : 0;
}

static void choose_selected_menu_entry(struct model *m)
{
	if (m->menu.kind == MENU_SORT) {
		m->mode = MODE_LIST;
		sort_list_by_column(m, m->menu.selected ? m->menu.selected - 1 : SIZE_MAX);
	} else if (m->menu.selected >= update_get_list(m)->columns) {
		model_use_theme(m, (enum theme)(m->menu.selected - update_get_list(m)->columns));
	} else if (m->menu.selected < MAX_COLUMNS) {
		m->column_choice[m->view][m->menu.selected] = model_shows_column(m, m->menu.selected) ? -1 : 1;
	}
}

/* Handles a key in the menu. Returns a bit set of reactions (REACT_). */
static unsigned handle_menu_key(struct model *m, int key)
{
	const size_t n = layout_count_menu_entries(m);
	const enum action a = key_to_bound_action(key);

	if (update_moved_position(m, a, n, &m->menu.selected))
		return 0;
	switch (a) {
	case ACT_TAG:
		choose_selected_menu_entry(m);
		break;
	case ACT_EXPLAIN:
		if (m->menu.kind == MENU_SORT)
			choose_selected_menu_entry(m);
		m->mode = MODE_LIST;
		break;
	case ACT_HELP:
		m->text.over_menu = true;
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

/* Fills the prompt with the beginning of a command that changes the selected job. Changes nothing if no job is
 * selected. */
static void fill_what_if_prompt(struct model *m)
{
	const char *begin = find_scheduler_dialect(m->data->snapshot)->job_change_command;
	const struct list *l = &m->list[VIEW_QUEUE];
	const uint32_t at = m->view == VIEW_QUEUE ? list_get_selected_row(l) : FS_NO_ROW;
	struct fs_queue_row row;
	char id[FS_JOB_ID_TEXT];

	m->what_if.recalled = m->what_if.n;
	if (!begin || at == FS_NO_ROW)
		return;
	fs_queue_row(m->data->eval.queue, at, &row);
	snprintf(m->prompt.text, sizeof(m->prompt.text), "%s %s ", begin, fs_job_id_format(m->data->snapshot, row.job, true, id));
}

/* Replaces the text of the prompt by the previous hypothetical command if `earlier` is true, else by the next one. */
static void recall_what_if_command(struct what_ifs *w, struct model_prompt *p, bool earlier)
{
	if (earlier && w->recalled)
		w->recalled--;
	else if (!earlier && w->recalled < w->n)
		w->recalled++;
	if (w->recalled < w->n)
		memcpy(p->text, w->text[w->recalled], sizeof(p->text));
	else
		*p->text = '\0';
}

/* If data is being loaded, shows a warning and returns true. The caller must then not change the hypothetical commands.
 */
static bool warn_if_still_loading(struct model *m)
{
	if (m->loading)
		model_set_message(&m->status, true, "new data is being loaded; try again afterwards");
	return m->loading;
}

/* Returns the text after the prefilled command and its job id. Returns NULL if the prompt no longer starts with the
 * prefilled command. */
static const char *find_text_after_job(const fs_snapshot *s, const char *prompt)
{
	const char *begin = find_scheduler_dialect(s)->job_change_command, *at = prompt;

	if (!begin || strncmp(at, begin, strlen(begin)) != 0)
		return NULL;
	at += strlen(begin);
	at += strspn(at, " ");
	at += strcspn(at, " ");
	return at + strspn(at, " ");
}

/* Removes the prefilled text if the user typed another command or a configuration line after this text. Removes the
 * text only when the user has just typed the blank, "=" or "[" that ends the first word after the prefilled text. */
static void drop_prefilled_command(struct model *m)
{
	const char *tail = find_text_after_job(m->data->snapshot, m->prompt.text);
	char word[sizeof(m->prompt.text)];
	const size_t len = tail ? strcspn(tail, " =[") : 0;

	if (!len || !tail[len] || tail[len + 1])
		return;
	snprintf(word, sizeof(word), "%.*s", (int)(tail[len] == ' ' ? len : len + 1), tail);
	if (fs_command_begins(m->data->snapshot, word))
		memmove(m->prompt.text, tail, strlen(tail) + 1);
}

/* Adds the text of the prompt to the hypothetical commands. Returns a bit set of reactions (REACT_). */
static unsigned add_what_if_command(struct model *m)
{
	struct what_ifs *w = &m->what_if;

	if (!*m->prompt.text || warn_if_still_loading(m))
		return 0;
	if (w->n == WHAT_IFS) {
		model_set_message(&m->status, true, "cannot add a what-if: the maximum is %d; U undoes the last one", WHAT_IFS);
		return 0;
	}
	snprintf(w->text[w->n++], sizeof(*w->text), "%s", m->prompt.text);
	w->is_last_new = true;
	return REACT_RELOAD;
}

/* Removes the last hypothetical command. Returns a bit set of reactions (REACT_). */
static unsigned remove_last_what_if(struct model *m)
{
	struct what_ifs *w = &m->what_if;

	if (!w->n) {
		model_set_message(&m->status, false, "no what-if to undo; i adds one");
		return 0;
	}
	if (warn_if_still_loading(m))
		return 0;
	w->n--;
	return REACT_RELOAD;
}

/* Handles a failed load. If a hypothetical command was added for this load, removes the command, shows the reason `why`
 * and returns true. */
static bool remove_failed_what_if(struct model *m, const char *why)
{
	struct what_ifs *w = &m->what_if;

	if (!w->is_last_new)
		return false;
	w->is_last_new = false;
	w->n--;
	model_set_message(&m->status, true, "%s", why);
	return true;
}

/* ---- prompts: search and filter while the user types, names that Tab completes, and names of files to write */

/* Opens a prompt in the last screen line. */
static void open_prompt_line(struct model *m, enum prompt_kind kind)
{
	const struct filter *f = &update_get_list(m)->filter;
	const bool compares = m->mode == MODE_TEXT && m->text.kind == TEXT_COMPARE;
	char subject[160];

	if (kind == PROMPT_USER || kind == PROMPT_ACCOUNT || kind == PROMPT_PARTITION)
		m->view = VIEW_QUEUE;
	m->prompt.mode_below = m->mode;
	m->mode = MODE_PROMPT;
	m->prompt.kind = kind;
	*m->prompt.text = '\0';
	if (kind == PROMPT_FILTER)
		snprintf(m->prompt.text, sizeof(m->prompt.text), "%s", f->text);
	if (kind == PROMPT_SEARCH)
		m->search.start_row = update_get_list(m)->sel;
	m->search.no_match = false;
	if (kind == PROMPT_IF)
		fill_what_if_prompt(m);
	if (kind == PROMPT_WRITE) {
		model_format_subject(m, subject, sizeof(subject));
		if (compares)
			snprintf(subject, sizeof(subject), "%s", m->text.title);
		for (char *p = subject; *p; p++)
			if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
				*p = '-';
		snprintf(m->prompt.text, sizeof(m->prompt.text), "fs-top-%.100s.txt", subject);
	}
}

static void start_list_search(struct model *m, size_t from, bool backwards)
{
	m->search.next_row = from;
	m->search.backwards = backwards;
	m->search.no_match = false;
	m->search.rows_left = *m->search.text ? list_count_rows(update_get_list(m)) : 0;
}

/* Searches for the next match, or for the previous match if `backwards` is true. */
static void start_next_search(struct model *m, bool backwards)
{
	const size_t n = list_count_rows(update_get_list(m)), sel = update_get_list(m)->sel;

	if (!*m->search.text || !n)
		model_set_message(&m->status, false,
				  *m->search.text ? "no rows to search" : "no search text; / starts a search");
	else
		start_list_search(m, backwards ? (sel ? sel : n) - 1 : (sel + 1) % n, backwards);
}

/* Updates the search or the filter after each key in the prompt. `longer`: the key added text. */
static void apply_prompt_change(struct model *m, bool longer)
{
	struct list *l = update_get_list(m);

	if (m->prompt.kind == PROMPT_IF && longer)
		drop_prefilled_command(m);
	if (m->prompt.kind == PROMPT_SEARCH) {
		snprintf(m->search.text, sizeof(m->search.text), "%s", m->prompt.text);
		start_list_search(m, m->search.start_row, false);
	} else if (m->prompt.kind == PROMPT_FILTER) {
		snprintf(l->filter.text, sizeof(l->filter.text), "%s", m->prompt.text);
		update_refresh_list(m, l, longer);
	}
}

static void encode_utf8_character(unsigned c, char out[5])
{
	const unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (unsigned i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(first[n == 1 ? 0 : n] | c);
	out[n] = '\0';
}

static void append_prompt_character(struct model *m, int key)
{
	const size_t n = strlen(m->prompt.text);
	char bytes[5];

	encode_utf8_character((unsigned)key, bytes);
	if (n + strlen(bytes) < sizeof(m->prompt.text)) {
		strcat(m->prompt.text, bytes);
		apply_prompt_change(m, true);
	}
}

static void erase_prompt_character(struct model *m)
{
	size_t n = strlen(m->prompt.text);

	while (n && ((unsigned char)m->prompt.text[n - 1] & 0xc0) == 0x80)
		n--;
	m->prompt.text[n ? n - 1 : 0] = '\0';
	apply_prompt_change(m, false);
}

/* Completes the text in the prompt to the common prefix of all names that start with it. */
static void complete_prompt_name(struct model *m)
{
	enum { MAX_COMPLETIONS = 64 };
	const char *names[MAX_COMPLETIONS];
	const size_t n = model_list_prompt_names(m, names, MAX_COMPLETIONS);
	size_t len = n ? strlen(names[0]) : 0;

	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < len; k++)
			if (names[i][k] != names[0][k])
				len = k;
	if (n && len < sizeof(m->prompt.text)) {
		memcpy(m->prompt.text, names[0], len);
		m->prompt.text[len] = '\0';
	}
}

static unsigned accept_prompt_text(struct model *m)
{
	struct filter *f = &m->list[VIEW_QUEUE].filter;

	m->mode = m->prompt.mode_below;
	switch (m->prompt.kind) {
	case PROMPT_USER:
		snprintf(f->user, sizeof(f->user), "%s", m->prompt.text);
		break;
	case PROMPT_ACCOUNT:
		snprintf(f->account, sizeof(f->account), "%s", m->prompt.text);
		break;
	case PROMPT_PARTITION:
		snprintf(f->partition, sizeof(f->partition), "%s", m->prompt.text);
		break;
	case PROMPT_IF:
		return add_what_if_command(m);
	case PROMPT_WRITE:
		return *m->prompt.text ? REACT_WRITE : 0;
	default:
		return 0;
	}
	update_refresh_list(m, &m->list[VIEW_QUEUE], false);
	return 0;
}

static void cancel_prompt_line(struct model *m)
{
	m->mode = m->prompt.mode_below;
	if (m->prompt.kind == PROMPT_SEARCH) {
		m->search.rows_left = 0;
		update_get_list(m)->sel = m->search.start_row;
	} else if (m->prompt.kind == PROMPT_FILTER) {
		*update_get_list(m)->filter.text = '\0';
		update_refresh_list(m, update_get_list(m), false);
	}
}

static bool is_function_key(int key)
{
	return key >= CODE_F1 && key <= CODE_F10;
}

/* Closes the prompt before a function key takes effect. A search stays at its match and a filter remains; other prompts
 * are cancelled. */
static void leave_prompt(struct model *m)
{
	if (m->prompt.kind == PROMPT_SEARCH || m->prompt.kind == PROMPT_FILTER)
		m->mode = m->prompt.mode_below;
	else
		cancel_prompt_line(m);
}

/* Handles a key in the prompt. Returns a bit set of reactions (REACT_). */
static unsigned handle_prompt_key(struct model *m, int key)
{
	switch (key) {
	case CODE_ENTER:
		return accept_prompt_text(m);
	case CODE_ESC:
		cancel_prompt_line(m);
		return 0;
	case CODE_BACKSPACE:
		erase_prompt_character(m);
		return 0;
	case CODE_TAB:
		complete_prompt_name(m);
		return 0;
	case CODE_UP:
	case CODE_DOWN:
		if (m->prompt.kind == PROMPT_IF)
			recall_what_if_command(&m->what_if, &m->prompt, key == CODE_UP);
		return 0;
	case CONTROL('u'):
		*m->prompt.text = '\0';
		apply_prompt_change(m, false);
		return 0;
	default:
		if (key >= ' ' && key <= CODE_FIRST && key != 0x7f)
			append_prompt_character(m, key);
		return 0;
	}
}

/* ---- actions in lists */

/* Functions that run one action each and return a bit set of reactions (REACT_). Their second argument is the member
 * `n` of `action_handlers`. */

static unsigned run_show_view(struct model *m, int step)
{
	show_view_with_selection(m, (enum view)(((int)m->view + VIEWS + step) % VIEWS));
	return 0;
}

/* ---- actions that filter a list */

/* Shows only the jobs of the next partition (step > 0) or of the previous one. The step after the last partition shows
 * all partitions. */
static unsigned run_step_partition(struct model *m, int step)
{
	const struct data *d = m->data;
	const size_t n = d->partitions;
	size_t at = n;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(d->partition[i].name, m->list[VIEW_QUEUE].filter.partition))
			at = i;
	at = (at + (step > 0 ? 1 : n)) % (n + 1);
	m->view = VIEW_QUEUE;
	update_partition_filter(m, at < n ? d->partition[at].name : "");
	return 0;
}

static void clear_list_filter(struct model *m)
{
	struct list *l = update_get_list(m);

	l->filter = (struct filter){ 0 };
	update_refresh_list(m, l, false);
}

/* ---- actions that sort a list */

/* Sorts by the next shown column (step > 0) or by the previous one. The step before the first column selects the view's
 * own order. */
static unsigned run_step_sort(struct model *m, int step)
{
	const struct list *l = update_get_list(m);
	size_t at = l->sort;

	do
		at = at == SIZE_MAX    ? (step > 0 ? 0 : l->columns - 1)
		     : step < 0 && !at ? SIZE_MAX
				       : at + (size_t)step;
	while (at < l->columns && !model_shows_column(m, at));
	sort_list_by_column(m, at < l->columns ? at : SIZE_MAX);
	return 0;
}

/* ---- actions that open a text */

static unsigned run_compare_tagged(struct model *m, int n)
{
	(void)n;
	if (m->tags.n < TAGS)
		model_set_message(&m->status, false, "tag two jobs with Space, then compare them with c");
	else if (m->tags.row[0] == FS_NO_ROW || m->tags.row[1] == FS_NO_ROW)
		model_set_message(&m->status, true, "a tagged job is no longer in the queue");
	else
		model_open_text(m, TEXT_COMPARE);
	return 0;
}

static unsigned run_explain_row(struct model *m, int n)
{
	(void)n;
	if (list_get_selected_row(update_get_list(m)) != FS_NO_ROW)
		model_open_text(m, TEXT_EXPLAIN);
	return 0;
}

static unsigned run_forecast_row(struct model *m, int n)
{
	const struct list *l = update_get_list(m);

	(void)n;
	if (!l->ops->has_forecasts)
		model_set_message(&m->status, false, "forecasts exist only for jobs, users and accounts");
	else if (list_get_selected_row(l) != FS_NO_ROW && words_are_available(m->data, l->ops))
		model_open_text(m, TEXT_FORECAST);
	return 0;
}

static unsigned run_step_back_action(struct model *m, int n)
{
	(void)n;
	if (filter_is_active(&update_get_list(m)->filter))
		clear_list_filter(m);
	else if (m->tags.n)
		m->tags.n = 0;
	return 0;
}

static unsigned run_scroll_columns(struct model *m, int step)
{
	unsigned *scroll = &m->scroll[m->view];

	if (step > 0)
		*scroll += *scroll + 1 < update_get_list(m)->columns;
	else
		*scroll -= *scroll > 0;
	return 0;
}

/* ---- prompts, menus and small actions */

static unsigned run_open_prompt(struct model *m, int kind)
{
	if (kind != PROMPT_WRITE || list_get_selected_row(update_get_list(m)) != FS_NO_ROW)
		open_prompt_line(m, (enum prompt_kind)kind);
	return 0;
}

static unsigned run_open_menu(struct model *m, int kind)
{
	open_column_menu(m, (enum menu_kind)kind);
	return 0;
}

static unsigned run_open_help(struct model *m, int n)
{
	(void)n;
	model_open_text(m, TEXT_HELP);
	return 0;
}

static unsigned run_search_next_match(struct model *m, int backwards)
{
	start_next_search(m, backwards);
	return 0;
}

static unsigned run_invert_order(struct model *m, int n)
{
	(void)n;
	if (list_invert_order(update_get_list(m), m->data))
		model_report_no_memory(&m->status);
	return 0;
}

static unsigned run_toggle_follow(struct model *m, int n)
{
	(void)n;
	m->follow = !m->follow;
	model_set_message(&m->status, false,
			  m->follow ? "the selection follows its job" : "the selection stays at its row");
	return 0;
}

static unsigned run_undo_what_if(struct model *m, int n)
{
	(void)n;
	return remove_last_what_if(m);
}

static unsigned run_return_reaction(struct model *m, int reaction)
{
	(void)m;
	return (unsigned)reaction;
}

static const struct {
	unsigned (*run)(struct model *m, int n);
	int n;
} action_handlers[ACTIONS] = {
	[ACT_LEFT] = { run_scroll_columns, -1 },
	[ACT_RIGHT] = { run_scroll_columns, 1 },
	[ACT_VIEW] = { run_show_view, 1 },
	[ACT_VIEW_BACK] = { run_show_view, -1 },
	[ACT_SEARCH] = { run_open_prompt, PROMPT_SEARCH },
	[ACT_FILTER] = { run_open_prompt, PROMPT_FILTER },
	[ACT_USER] = { run_open_prompt, PROMPT_USER },
	[ACT_ACCOUNT] = { run_open_prompt, PROMPT_ACCOUNT },
	[ACT_PARTITION] = { run_open_prompt, PROMPT_PARTITION },
	[ACT_WRITE] = { run_open_prompt, PROMPT_WRITE },
	[ACT_NEXT] = { run_search_next_match, false },
	[ACT_PREVIOUS] = { run_search_next_match, true },
	[ACT_PARTITION_ON] = { run_step_partition, 1 },
	[ACT_PARTITION_BACK] = { run_step_partition, -1 },
	[ACT_SORT] = { run_open_menu, MENU_SORT },
	[ACT_COLUMNS] = { run_open_menu, MENU_COLUMNS },
	[ACT_SORT_LEFT] = { run_step_sort, -1 },
	[ACT_SORT_RIGHT] = { run_step_sort, 1 },
	[ACT_INVERT] = { run_invert_order, 0 },
	[ACT_COMPARE] = { run_compare_tagged, 0 },
	[ACT_EXPLAIN] = { run_explain_row, 0 },
	[ACT_FORECAST] = { run_forecast_row, 0 },
	[ACT_HELP] = { run_open_help, 0 },
	[ACT_FOLLOW] = { run_toggle_follow, 0 },
	[ACT_BACK] = { run_step_back_action, 0 },
	[ACT_ALGORITHM] = { run_return_reaction, REACT_ALGORITHM },
	[ACT_IF] = { run_open_prompt, PROMPT_IF },
	[ACT_UNDO] = { run_undo_what_if, 0 },
	[ACT_RELOAD] = { run_return_reaction, REACT_RELOAD },
	[ACT_REDRAW] = { run_return_reaction, REACT_REDRAW },
	[ACT_QUIT] = { run_return_reaction, REACT_QUIT },
};

/* ---- handling of keys while a list is shown */
static unsigned handle_list_key(struct model *m, int key)
{
	struct list *l = update_get_list(m);
	const enum action a = key_to_bound_action(key);

	if (update_moved_position(m, a, list_count_rows(l), &l->sel)) {
		l->row_to_select = FS_NO_ROW;
		m->search.rows_left = 0;
		return 0;
	}
	if (l->ops->run_action && l->ops->run_action(m, a))
		return 0;
	if (key >= '0' && key <= '9') {
		open_prompt_line(m, PROMPT_SEARCH);
		return handle_prompt_key(m, key);
	}
	return action_handlers[a].run ? action_handlers[a].run(m, action_handlers[a].n) : 0;
}

/* ---- events */

/* ---- keys and mouse */

static unsigned handle_text_key(struct model *m, int key)
{
	const enum action a = key_to_bound_action(key);
	size_t at = m->text.first_shown;

	if (update_moved_position(m, a, m->text.lines.n + 1, &at)) {
		m->text.first_shown = at;
		return 0;
	}
	switch (a) {
	case ACT_WRITE:
		if (m->text.kind != TEXT_HELP)
			open_prompt_line(m, PROMPT_WRITE);
		return 0;
	case ACT_REDRAW:
		return REACT_REDRAW;
	case ACT_BACK:
	case ACT_QUIT:
	case ACT_EXPLAIN:
	case ACT_FORECAST:
	case ACT_HELP:
	case ACT_COMPARE:
		m->mode = m->text.over_menu ? MODE_MENU : MODE_LIST;
		m->text.over_menu = false;
		return 0;
	default:
		return 0;
	}
}

/* Closes a prompt, menu or text that does not use the function key, so that the key then acts on the list. */
static void leave_mode_for_function_key(struct model *m, int key)
{
	const enum action a = key_to_bound_action(key);

	if (m->mode == MODE_PROMPT)
		leave_prompt(m);
	if (m->mode == MODE_MENU && a != ACT_HELP && a != ACT_QUIT && a != ACT_COLUMNS && a != ACT_SORT)
		m->mode = MODE_LIST;
	if (m->mode == MODE_TEXT && a != ACT_HELP && a != ACT_QUIT)
		m->mode = MODE_LIST;
}

static unsigned handle_key_event(struct model *m, int key)
{
	*m->status.message = '\0';
	if (key == CONTROL('c'))
		return REACT_QUIT;
	if (is_function_key(key))
		leave_mode_for_function_key(m, key);
	switch (m->mode) {
	case MODE_PROMPT:
		return handle_prompt_key(m, key);
	case MODE_MENU:
		return handle_menu_key(m, key);
	case MODE_TEXT:
		return handle_text_key(m, key);
	default:
		return handle_list_key(m, key);
	}
}

static unsigned handle_heading_click(struct model *m, unsigned x)
{
	const size_t column = layout_find_column_at(m, x);

	if (column == SIZE_MAX)
		return 0;
	if (column == update_get_list(m)->sort)
		return handle_key_event(m, 'I');
	sort_list_by_column(m, column);
	return 0;
}

static unsigned handle_list_click(struct model *m, const struct event *e)
{
	struct list *l = update_get_list(m);
	struct layout at;

	model_get_row_layout(m, &at);
	if (e->y == at.tabs_row) {
		const enum view v = layout_find_tab_at(m, e->x);

		show_view_with_selection(m, v < VIEWS ? v : m->view);
	} else if (e->y == at.headings_row) {
		return handle_heading_click(m, e->x);
	} else if (e->y + 1 == m->screen.rows) {
		const int key = action_to_first_key(layout_find_action_at(m, e->x));

		return key ? handle_key_event(m, key) : 0;
	} else if (e->y >= at.list_top && e->y < at.list_top + at.list_rows &&
		   l->top + (e->y - at.list_top) < list_count_rows(l)) {
		l->sel = l->top + (e->y - at.list_top);
	}
	return 0;
}

/* Selects the clicked menu entry. A click elsewhere closes the menu. */
static unsigned handle_menu_click(struct model *m, const struct event *e)
{
	struct layout screen;
	size_t entry;

	model_get_row_layout(m, &screen);
	entry = layout_get_menu_top(m) + e->y - screen.list_top;
	if (e->x >= LAYOUT_MENU_WIDTH)
		return handle_key_event(m, CODE_ESC);
	if (e->y < screen.list_top || e->y + 1 >= m->screen.rows || entry >= layout_count_menu_entries(m))
		return 0;
	m->menu.selected = entry;
	return handle_key_event(m, ' ');
}

static unsigned handle_mouse_event(struct model *m, const struct event *e)
{
	if (m->mode == MODE_PROMPT)
		return 0;
	if (e->key != CODE_ENTER)
		return handle_key_event(m, e->key);
	if (m->screen.cols < MIN_COLS || m->screen.rows < MIN_ROWS)
		return 0;
	switch (m->mode) {
	case MODE_LIST:
		return handle_list_click(m, e);
	case MODE_MENU:
		return handle_menu_click(m, e);
	default: /* while a full-screen text is open, the last screen line shows the key that closes the text */
		return e->y + 1 == m->screen.rows ? handle_key_event(m, CODE_ESC) : 0;
	}
}

/* ---- events other than keys and the mouse */

static void adopt_new_model_data(struct model *m, struct data *data)
{
	m->loading = false;
	*m->status.load_error = '\0';
	m->what_if.is_last_new = false;
	if (model_adopt_data(m, data))
		model_report_no_memory(&m->status);
	if (m->mode == MODE_MENU)
		m->mode = MODE_LIST;
	m->text.over_menu = false;
	if (m->mode == MODE_TEXT)
		model_open_text(m, m->text.kind);
}

static void adopt_new_planned_chart(struct model *m, struct chart *chart)
{
	m->data->chart = chart;
	if (!chart)
		model_report_no_memory(&m->status);
	m->pane.width = 0; /* makes model_refresh_screen compose the pane again */
	for (int v = 0; v < VIEWS; v++)
		if (m->list[v].ops->needs_chart || m->list[v].sort != SIZE_MAX)
			update_refresh_list(m, &m->list[v], false);
	show_view_with_selection(m, m->view);
}

static void resize_screen_of_model(struct model *m, unsigned cols, unsigned rows)
{
	m->screen.cols = cols;
	m->screen.rows = rows;
	if (m->mode == MODE_TEXT)
		model_open_text(m, m->text.kind);
}

unsigned model_update_on_event(struct model *m, const struct event *e)
{
	struct explanation_request words;
	unsigned reaction = 0;

	switch (e->kind) {
	case EV_KEY:
		reaction = handle_key_event(m, e->key);
		break;
	case EV_MOUSE:
		reaction = handle_mouse_event(m, e);
		break;
	case EV_RESIZE:
		resize_screen_of_model(m, e->x, e->y);
		break;
	case EV_CLOCK:
		m->now = e->time;
		break;
	case EV_LOADING:
		m->loading = true;
		break;
	case EV_DATA:
		adopt_new_model_data(m, e->data);
		break;
	case EV_PLANNED:
		adopt_new_planned_chart(m, e->chart);
		break;
	case EV_FAILED:
		m->loading = false;
		if (remove_failed_what_if(m, e->text))
			break;
		snprintf(m->status.load_error, sizeof(m->status.load_error), "%s", e->text);
		break;
	case EV_WORDS:
		model_take_words(m, e->request, e->words);
		break;
	case EV_REPORTED:
	case EV_WARNED:
		model_set_message(&m->status, e->kind == EV_WARNED, "%s", e->text);
		break;
	}
	model_refresh_screen(m);
	if (model_lacks_chart(m))
		reaction |= REACT_PLAN;
	return model_needs_explanation(m, &words) ? reaction | REACT_WORDS : reaction;
}

/* ---- searching, sorting and filtering in steps, between events */

enum { SEARCH_SLICE_ROWS = 4096 };

static bool continue_list_search(struct model *m)
{
	struct list *l = update_get_list(m);
	const size_t n = list_count_rows(l);
	struct search *s = &m->search;

	for (unsigned i = 0; i < SEARCH_SLICE_ROWS && s->rows_left; i++, s->rows_left--) {
		s->next_row = s->next_row < n ? s->next_row : 0;
		if (s->next_row < n && l->ops->contains(m->data, list_get_row_at(l, s->next_row), s->text)) {
			l->sel = s->next_row;
			s->rows_left = 0;
			return false;
		}
		s->next_row = s->backwards ? (s->next_row ? s->next_row : n) - 1 : s->next_row + 1;
	}
	s->no_match = !s->rows_left;
	if (!s->rows_left)
		model_set_message(&m->status, true, "no row contains %s", s->text);
	return s->rows_left != 0;
}

bool model_continue_work(struct model *m)
{
	bool more = list_continue_work(update_get_list(m), m->data);

	if (update_get_list(m)->failed)
		model_report_no_memory(&m->status);
	update_get_list(m)->failed = false;
	if (m->search.rows_left)
		more = continue_list_search(m) || more;
	model_refresh_screen(m);
	return more;
}
