/* Explanations, comparisons and help: the texts of the whole screen. What fs-explain says comes when it is ready. */
#include "top/model/model.h"

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
