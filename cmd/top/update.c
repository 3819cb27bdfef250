/* What events do to the model. */
#include "top/update.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

struct list *update_list(struct model *m)
{
	return &m->list[m->view];
}

void update_refresh(struct model *m, struct list *l, bool narrower)
{
	if (list_refresh(l, m->data, narrower))
		model_say(m, true, "out of memory");
}

/* ---- moving */

static size_t page(const struct model *m)
{
	struct layout at;

	if (m->mode == MODE_TEXT)
		return m->rows > 3 ? m->rows - 3 : 1;
	model_layout(m, &at);
	return m->mode == MODE_MENU ? 8 : at.list_rows > 1 ? at.list_rows - 1 : 1;
}

bool update_moved(const struct model *m, enum action a, size_t n, size_t *at)
{
	const size_t step = a == ACT_UP || a == ACT_DOWN ? 1 : page(m);

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

static void show_view(struct model *m, int step)
{
	m->view = (enum view)(((int)m->view + VIEWS + step) % VIEWS);
}

/* ---- filters */

static void set_partition(struct model *m, const char *name)
{
	struct list *l = &m->list[VIEW_QUEUE];

	snprintf(l->filter.partition, sizeof(l->filter.partition), "%s", name);
	update_refresh(m, l, false);
}

/* The partitions stand in a circle, with all of them between the last and the first. */
static void step_partition(struct model *m, int step)
{
	const struct data *d = m->data;
	const size_t n = d->partitions;
	size_t at = n;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(d->partition[i].name, m->list[VIEW_QUEUE].filter.partition))
			at = i;
	at = (at + (step > 0 ? 1 : n)) % (n + 1);
	m->view = VIEW_QUEUE;
	set_partition(m, at < n ? d->partition[at].name : "");
}

static void clear_filters(struct model *m)
{
	struct list *l = update_list(m);

	l->filter = (struct filter){ 0 };
	update_refresh(m, l, false);
}

/* ---- sorting */

void update_sort(struct model *m, size_t column)
{
	struct list *l = update_list(m);

	l->sort = column;
	update_refresh(m, l, false);
}

/* Among the columns shown; left of the first the rows stand as they come. */
static void step_sort(struct model *m, int step)
{
	const struct list *l = update_list(m);
	size_t at = l->sort;

	do
		at = at == SIZE_MAX ? (step > 0 ? 0 : l->columns - 1) : step < 0 && !at ? SIZE_MAX : at + (size_t)step;
	while (at < l->columns && !model_shows(m, m->view, at));
	update_sort(m, at < l->columns ? at : SIZE_MAX);
}

/* ---- the tree */

static void toggle_branch(struct model *m, int open)
{
	struct list *l = &m->list[VIEW_SHARES];
	const uint32_t row = list_selected(l);
	const struct fs_share_row *share;

	if (m->view != VIEW_SHARES || row == UINT32_MAX || l->flat)
		return;
	share = fs_shares_row(m->data->shares, row);
	if (*share->user || (open == 0 && l->closed[row])) {
		if (open == 0 && share->parent_row != UINT32_MAX)
			list_select(l, share->parent_row);
		return;
	}
	l->closed[row] = open < 0 ? !l->closed[row] : !open;
	update_refresh(m, l, false);
}

static void show_owner(struct model *m)
{
	struct list *l = &m->list[VIEW_SHARES];
	const uint32_t row = list_selected(&m->list[VIEW_QUEUE]);
	struct fs_queue_row job;
	uint32_t at;

	if (row == UINT32_MAX)
		return;
	fs_queue_row(m->data->queue, row, &job);
	at = data_find_share(m->data, job.account, job.user, job.partition);
	if (at == UINT32_MAX) {
		model_say(m, true, "%s has no share in %s", job.user, job.account);
		return;
	}
	for (uint32_t up = fs_shares_row(m->data->shares, at)->parent_row; up != UINT32_MAX;
	     up = fs_shares_row(m->data->shares, up)->parent_row)
		l->closed[up] = false;
	*l->filter.text = '\0';
	m->view = VIEW_SHARES;
	update_refresh(m, l, false);
	list_select(l, at);
}

static void tree(struct model *m)
{
	if (m->view == VIEW_QUEUE) {
		show_owner(m);
	} else if (m->view == VIEW_SHARES) {
		update_list(m)->flat = !update_list(m)->flat;
		update_refresh(m, update_list(m), false);
	}
}

/* ---- tags and texts */

static void tag(struct model *m)
{
	struct list *l = update_list(m);
	const uint32_t row = list_selected(l);
	size_t n = list_count(l);

	if (m->view == VIEW_SHARES)
		toggle_branch(m, -1);
	if (m->view != VIEW_QUEUE || row == UINT32_MAX)
		return;
	model_tag(m, row);
	update_moved(m, ACT_DOWN, n, &l->sel);
}

static void compare(struct model *m)
{
	const uint32_t row = list_selected(&m->list[VIEW_QUEUE]);

	if (m->tags == 1 && m->view == VIEW_QUEUE && row != UINT32_MAX && !model_tagged(m, row))
		model_tag(m, row);
	if (m->tags < TAGS)
		model_say(m, false, "tag two jobs with Space, then compare them with c");
	else if (m->tag_row[0] == UINT32_MAX || m->tag_row[1] == UINT32_MAX)
		model_say(m, true, "a tagged job is not in the queue any more");
	else
		model_open_text(m, TEXT_COMPARE);
}

static void explain(struct model *m)
{
	const uint32_t row = list_selected(update_list(m));

	if (row == UINT32_MAX)
		return;
	if (m->view == VIEW_PARTITIONS) {
		m->view = VIEW_QUEUE;
		set_partition(m, m->data->partition[row].name);
	} else {
		model_open_text(m, TEXT_EXPLAIN);
	}
}

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
		if (m->text_kind == TEXT_EXPLAIN || m->text_kind == TEXT_COMPARE)
			prompt_open(m, PROMPT_WRITE);
		return 0;
	case ACT_REDRAW:
		return REACT_REDRAW;
	case ACT_BACK:
	case ACT_QUIT:
	case ACT_EXPLAIN:
	case ACT_HELP:
	case ACT_COMPARE:
		m->mode = m->over_menu ? MODE_MENU : MODE_LIST;
		m->over_menu = false;
		return 0;
	default:
		return 0;
	}
}

static void back(struct model *m)
{
	if (filter_active(&update_list(m)->filter))
		clear_filters(m);
	else if (m->tags)
		m->tags = 0;
}

static void sideways(struct model *m, int step)
{
	unsigned *scroll = &m->scroll[m->view];

	if (m->view == VIEW_SHARES && !update_list(m)->flat)
		toggle_branch(m, step > 0);
	else if (step > 0)
		*scroll += *scroll + 1 < update_list(m)->columns;
	else
		*scroll -= *scroll > 0;
}

static unsigned list_key(struct model *m, int key)
{
	struct list *l = update_list(m);
	const enum action a = action_of(key);

	if (update_moved(m, a, list_count(l), &l->sel)) {
		l->wanted = UINT32_MAX;
		m->search.left = 0;
		return 0;
	}
	switch (a) {
	case ACT_LEFT:
	case ACT_RIGHT:
		sideways(m, a == ACT_RIGHT ? 1 : -1);
		break;
	case ACT_VIEW:
	case ACT_VIEW_BACK:
		show_view(m, a == ACT_VIEW ? 1 : -1);
		break;
	case ACT_SEARCH:
		prompt_open(m, PROMPT_SEARCH);
		break;
	case ACT_NEXT:
	case ACT_PREVIOUS:
		search_next(m, a == ACT_PREVIOUS);
		break;
	case ACT_FILTER:
		prompt_open(m, PROMPT_FILTER);
		break;
	case ACT_USER:
		prompt_open(m, PROMPT_USER);
		break;
	case ACT_ACCOUNT:
		prompt_open(m, PROMPT_ACCOUNT);
		break;
	case ACT_PARTITION:
		prompt_open(m, PROMPT_PARTITION);
		break;
	case ACT_PARTITION_ON:
	case ACT_PARTITION_BACK:
		step_partition(m, a == ACT_PARTITION_ON ? 1 : -1);
		break;
	case ACT_SORT:
		menu_open(m, MENU_SORT);
		break;
	case ACT_COLUMNS:
		menu_open(m, MENU_COLUMNS);
		break;
	case ACT_SORT_LEFT:
	case ACT_SORT_RIGHT:
		step_sort(m, a == ACT_SORT_RIGHT ? 1 : -1);
		break;
	case ACT_INVERT:
		if (list_invert(l, m->data))
			model_say(m, true, "out of memory");
		break;
	case ACT_TREE:
		tree(m);
		break;
	case ACT_OPEN:
	case ACT_CLOSE:
		toggle_branch(m, a == ACT_OPEN);
		break;
	case ACT_TAG:
		tag(m);
		break;
	case ACT_COMPARE:
		compare(m);
		break;
	case ACT_EXPLAIN:
		explain(m);
		break;
	case ACT_HELP:
		model_open_text(m, TEXT_HELP);
		break;
	case ACT_WRITE:
		if (list_selected(l) != UINT32_MAX)
			prompt_open(m, PROMPT_WRITE);
		break;
	case ACT_FOLLOW:
		m->follow = !m->follow;
		model_say(m, false, m->follow ? "the selection follows its job" : "the selection stays at its place");
		break;
	case ACT_BACK:
		back(m);
		break;
	case ACT_ALGORITHM:
		return REACT_ALGORITHM;
	case ACT_RELOAD:
		return REACT_RELOAD;
	case ACT_REDRAW:
		return REACT_REDRAW;
	case ACT_QUIT:
		return REACT_QUIT;
	default:
		break;
	}
	return 0;
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

static unsigned mouse(struct model *m, const struct event *e)
{
	struct list *l = update_list(m);
	struct layout at;

	if (e->key != CODE_ENTER)
		return m->mode == MODE_PROMPT ? 0 : key_event(m, e->key);
	model_layout(m, &at);
	if (m->mode != MODE_LIST || e->y < at.list_top || e->y >= at.list_top + at.list_rows)
		return 0;
	if (l->top + (e->y - at.list_top) < list_count(l))
		l->sel = l->top + (e->y - at.list_top);
	return 0;
}

/* ---- events that are no keys */

static void take_data(struct model *m, struct data *data)
{
	m->loading = false;
	*m->trouble = '\0';
	if (model_adopt(m, data))
		model_say(m, true, "out of memory");
	if (m->mode == MODE_MENU)
		m->mode = MODE_LIST;
	m->over_menu = false;
	if (m->mode == MODE_TEXT)
		model_open_text(m, m->text_kind);
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
	case EV_FAILED:
		m->loading = false;
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
	model_settle(m);
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
		if (s->at < n && list_matches(l->view, m->data, list_row(l, s->at), s->text)) {
			l->sel = s->at;
			s->left = 0;
			return false;
		}
		s->at = s->backwards ? (s->at ? s->at : n) - 1 : s->at + 1;
	}
	if (!s->left)
		model_say(m, true, "no row contains %s", s->text);
	return s->left != 0;
}

bool model_work(struct model *m)
{
	bool more = list_work(update_list(m), m->data);

	if (update_list(m)->failed)
		model_say(m, true, "out of memory");
	update_list(m)->failed = false;
	if (m->search.left)
		more = search_work(m) || more;
	model_settle(m);
	return more;
}
