#include "top/words.h"

#include "explain_text.h"

struct source {
	struct fs_explain_from from;
	struct explain_view view;
	fs_accrue *accrue;
	fs_holds *holds;
};

static int open_source(struct source *s, const struct data *d)
{
	struct fs_error err;
	int rc = 0;

	*s = (struct source){ 0 };
	if (fs_snapshot_info(d->snapshot)->kind == FS_SLURM)
		rc = fs_accrue_compute(&s->accrue, d->snapshot, &err);
	if (!rc && fs_snapshot_info(d->snapshot)->kind == FS_FLUX)
		rc = fs_holds_compute(&s->holds, d->snapshot, &err);
	if (rc && rc != FS_ENODATA)
		return rc;
	s->from = (struct fs_explain_from){ .snapshot = d->snapshot,
					    .shares = d->shares,
					    .prios = d->prios,
					    .queue = d->queue,
					    .accrue = s->accrue,
					    .holds = s->holds,
					    .windows = d->windows,
					    .viewer = d->viewer };
	s->view.from = &s->from;
	return fs_explain_new(&s->view.x, &s->from, &err);
}

static void close_source(struct source *s)
{
	fs_explain_free(s->view.x);
	fs_accrue_free(s->accrue);
	fs_holds_free(s->holds);
}

static void copy_page(struct lines *l, const struct page *p)
{
	static const enum attr attrs[] = { [TONE_PLAIN] = ATTR_PLAIN, [TONE_HEADING] = ATTR_HEADING,
					   [TONE_TOTAL] = ATTR_STRONG };

	for (size_t i = 0; i < p->n; i++)
		lines_add(l, attrs[p->line[i].tone], "%s", p->line[i].text);
}

void words_of_job(struct lines *l, const struct data *d, uint32_t queue_row, unsigned width, bool utf8)
{
	struct fs_queue_row row;
	struct source s;
	struct page p;

	fs_queue_row(d->queue, queue_row, &row);
	if (open_source(&s, d)) {
		l->failed = true;
		close_source(&s);
		return;
	}
	if (explain_lines(&p, &s.view, row.job_row, (int)width, utf8))
		l->failed = true;
	copy_page(l, &p);
	page_free(&p);
	close_source(&s);
}

void words_of_share(struct lines *l, const struct data *d, uint32_t share_row, unsigned width, bool utf8)
{
	const struct fs_share_row *row = fs_shares_row(d->shares, share_row);
	struct source s;
	struct page p;
	int rc;

	if (open_source(&s, d)) {
		l->failed = true;
		close_source(&s);
		return;
	}
	page_init(&p, PAGE_TEXT, (int)width, utf8);
	rc = *row->user ? explain_user_text(&p, &s.view, row->user, row->account)
			: explain_account_text(&p, &s.view, row->row);
	if (rc || p.failed)
		l->failed = true;
	copy_page(l, &p);
	page_free(&p);
	close_source(&s);
}
