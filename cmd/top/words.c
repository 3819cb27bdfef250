#include "top/words.h"

#include "explain/text.h"
#include "render/forecast.h"
#include "top/explain.h"

struct source {
	struct fs_eval from;
	struct explain_view view;
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
	return ops->page && !ops->trouble(d);
}

static int open_source(struct source *s, const struct data *d)
{
	const struct fs_view view = { .viewer = d->eval.viewer, .position = d->position, .usage = d->usage };
	struct fs_error err;

	*s = (struct source){ .from = d->eval };
	explain_view_init(&s->view, &s->from);
	s->view.position = d->position;
	s->view.usage = d->usage;
	if (explain_view_beside(&s->view, &s->other, &view, &err))
		return err.code;
	return fs_explain_new(&s->view.x, &s->from, &err);
}

static void close_source(struct source *s)
{
	fs_explain_free(s->view.x);
	fs_shares_free(s->other);
}

static void copy_page(struct lines *l, const struct page *p)
{
	static const enum attr attrs[] = { [TONE_PLAIN] = ATTR_PLAIN, [TONE_HEADING] = ATTR_HEADING,
					   [TONE_TOTAL] = ATTR_STRONG };

	for (size_t i = 0; i < p->n; i++)
		lines_add(l, attrs[p->line[i].tone], "%s", p->line[i].text);
}

/* As far ahead as fs-explain looks unasked. */
static int look_forward(struct source *s, const struct data *d)
{
	struct fs_error err;

	s->forecast.view = (struct fs_view){
		.viewer = d->eval.viewer, .algorithm = d->chosen, .position = d->position
	};
	s->view.forecast = &s->forecast;
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
		rc = q->ops->page(&p, &s.view, d, q);
	copy_page(l, &p);
	l->failed = l->failed || rc || p.failed;
	page_free(&p);
	close_source(&s);
}
