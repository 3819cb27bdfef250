/* Prompts: search and filter as you type, names that Tab completes, a file to write to. */
#include "top/update/update.h"

#include <string.h>

void prompt_open(struct model *m, enum prompt_kind kind)
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
			if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
			      (*p >= 'A' && *p <= 'Z')))
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

void search_next(struct model *m, bool backwards)
{
	const size_t n = list_count(update_list(m)), sel = update_list(m)->sel;

	if (!*m->search.text || !n)
		model_say(m, false, "nothing to search for: / first");
	else
		begin_search(m, backwards ? (sel ? sel : n) - 1 : (sel + 1) % n, backwards);
}

/* Searches or filters with each letter. */
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

/* Completes what was typed as far as all names that continue it agree. */
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

unsigned prompt_key(struct model *m, int key)
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
