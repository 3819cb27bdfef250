/* The page of a job, user or account as one string, for tests of what it says. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include "explain_text.h"
#include "fstest.h"

struct explained {
	fs_snapshot *snapshot;
	fs_shares *shares;
	fs_prios *prios;
	fs_queue *queue;
	fs_accrue *accrue;
	struct fs_explain_from from;
	struct explain_view view;
};

static inline void explained_open(struct explained *e, const char *text, const char *algorithm)
{
	const struct fs_shares_options so = { .algorithm = algorithm };
	const struct fs_prios_options po = { .algorithm = algorithm };
	const struct fs_queue_options qo = { .algorithm = algorithm };
	struct fs_error err;

	*e = (struct explained){ .snapshot = fst_snapshot(text) };
	if (fs_shares_compute(&e->shares, e->snapshot, &so, &err))
		e->shares = NULL;
	if (fs_prios_compute(&e->prios, e->snapshot, &po, &err))
		e->prios = NULL;
	fst_no_error(fs_queue_compute(&e->queue, e->snapshot, &qo, &err), &err);
	fst_no_error(fs_accrue_compute(&e->accrue, e->snapshot, &err), &err);
	e->from = (struct fs_explain_from){ e->snapshot, e->shares, e->prios, e->queue, e->accrue, NULL };
	e->view.from = &e->from;
	fst_no_error(fs_explain_new(&e->view.x, &e->from, &err), &err);
}

static inline void explained_close(struct explained *e)
{
	fs_explain_free(e->view.x);
	fs_accrue_free(e->accrue);
	fs_queue_free(e->queue);
	fs_prios_free(e->prios);
	fs_shares_free(e->shares);
	fs_snapshot_free(e->snapshot);
}

/* All words with one blank between them, so that a sentence is found however it was wrapped. Yours to free. */
static inline char *explained_text(const struct page *p)
{
	struct fst_sink s = { 0 };

	fst_write(&s, "", 0);
	for (size_t i = 0; i < p->n; i++)
		for (const char *at = p->line[i].text; *at;) {
			const size_t blanks = strspn(at, " "), word = strcspn(at + blanks, " ");

			if (word) {
				fst_write(&s, at + blanks, word);
				fst_write(&s, " ", 1);
			}
			at += blanks + word;
		}
	return s.data;
}

static inline void explained_says(const char *text, const char *want)
{
	if (!strstr(text, want))
		print_error("it does not say \"%s\":\n%s\n", want, text);
	assert_non_null(strstr(text, want));
}

#endif
