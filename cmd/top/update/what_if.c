/* What would be if commands of the scheduler were given: a history of them, the last of which can be taken back. */
#include "top/update/update.h"

#include "dialect/dialect.h"

#include <string.h>

/* Fills the prompt with the beginning of a command that changes the selected job, if one is selected. */
void what_if_begin(struct model *m)
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

void what_if_recall(struct model *m, bool earlier)
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

/* Returns whether data are being read, for which the commands must not change. */
static bool is_busy(struct model *m)
{
	if (m->loading)
		model_say(m, true, "new data is on its way: once more when it is there");
	return m->loading;
}

/* What stands behind that beginning and the job it names; NULL where it stands there no more. */
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

void what_if_typed(struct model *m)
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

unsigned what_if_add(struct model *m)
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

unsigned what_if_undo(struct model *m)
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

void what_if_done(struct model *m)
{
	struct what_ifs *w = &m->what_if;

	if (w->n > 1)
		model_say(m, false, "if %s, and %zu before it", w->text[w->n - 1], w->n - 1);
	else if (w->n)
		model_say(m, false, "if %s", w->text[0]);
	w->added = false;
}

bool what_if_failed(struct model *m, const char *why)
{
	struct what_ifs *w = &m->what_if;

	if (!w->added)
		return false;
	w->added = false;
	w->n--;
	model_say(m, true, "%s", why);
	return true;
}
