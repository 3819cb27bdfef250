#include "top/words/words.h"

#include "picture/forecast.h"

struct source {
	struct words_source words;
	struct explain_forecast forecast;
	fs_shares *other;
};

bool words_same(const struct words_request *a, const struct words_request *b)
{
	return a->ops == b->ops && a->row == b->row && a->other == b->other &&
	       a->width == b->width && a->utf8 == b->utf8 && a->forecast == b->forecast;
}

bool words_known(const struct data *d, const struct view_ops *ops)
{
	return ops->page && !d->unordered && !ops->trouble(d);
}

int words_open(struct words_source *s, const struct data *d)
{
	struct fs_error err;

	*s = (struct words_source){ .from = d->eval };
	explain_view_init(&s->view, &s->from);
	s->view.position = d->position;
	s->view.usage = d->usage;
	return fs_explain_new(&s->view.x, &s->from, &err);
}

void words_close(struct words_source *s)
{
	fs_explain_free(s->view.x);
}

static int open_source(struct source *s, const struct data *d)
{
	const struct fs_view view = { .viewer = d->eval.viewer, .position = d->position, .usage = d->usage };
	struct fs_error err;

	*s = (struct source){ .other = NULL };
	if (words_open(&s->words, d))
		return FS_ENOMEM;
	return explain_view_other(&s->words.view, &s->other, &view, &err) ? err.code : 0;
}

static void close_source(struct source *s)
{
	words_close(&s->words);
	fs_shares_free(s->other);
}

void words_page(struct lines *l, struct page *p, enum attr plain)
{
	const enum attr attrs[] = { [TONE_PLAIN] = plain, [TONE_HEADING] = ATTR_HEADING, [TONE_TOTAL] = ATTR_STRONG };

	for (size_t i = 0; i < p->n; i++)
		lines_add(l, attrs[p->line[i].tone], "%s", p->line[i].text);
	l->failed = l->failed || p->failed;
	page_free(p);
}

/* Prepares a forecast as far as fs-explain looks if no time is given. */
static int look_forward(struct source *s, const struct data *d)
{
	struct fs_error err;

	s->forecast.view = (struct fs_view){
		.viewer = d->eval.viewer, .algorithm = d->chosen, .position = d->position
	};
	s->forecast.eval = &d->eval;
	s->words.view.forecast = &s->forecast;
	return forecast_until(d->snapshot, NULL, &s->forecast.until, &err);
}

void words_make(struct lines *l, const struct data *d, const struct words_request *q)
{
	struct source s;
	struct page p;
	int rc = open_source(&s, d);

	if (!rc && q->forecast)
		rc = look_forward(&s, d);
	page_init(&p, PAGE_TEXT, (int)q->width, q->utf8);
	if (!rc)
		rc = q->ops->page(&p, &s.words.view, d, q);
	l->failed = l->failed || rc;
	words_page(l, &p, ATTR_PLAIN);
	close_source(&s);
}
