/* The page of a job, user or account as one string, for tests of its text. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include "explain/text.h"
#include "fstest.h"

struct explained {
	fs_snapshot *snapshot;
	struct fs_eval eval, from;
	struct explain_view view;
};

/* Fails the test on any error except FS_ENODATA, which means that the snapshot has too little data for a result. */
static inline void explained_lacks_data(const struct fs_error *err)
{
	if (err->code != FS_ENODATA)
		fst_no_error(err->code, err);
}

/* Takes ownership of the snapshot. */
static inline void explained_of(struct explained *e, fs_snapshot *snapshot, const char *algorithm)
{
	const struct fs_view view = { .algorithm = algorithm };
	struct fs_error err;

	*e = (struct explained){ .snapshot = snapshot };
	fst_no_error(fs_eval_compute(snapshot, &view, &e->eval, &err), &err);
	explained_lacks_data(&e->eval.shares_error);
	explained_lacks_data(&e->eval.prios_error);
	explained_lacks_data(&e->eval.queue_error);
	explained_lacks_data(&e->eval.windows_error);
	assert_true(e->eval.queue || fs_snapshot_info(snapshot)->kind != FS_SLURM);
	e->from = e->eval;
	explain_init_view(&e->view, &e->from);
	e->view.verbose = true;
	fst_no_error(fs_explain_new(&e->view.explain, &e->from, &err), &err);
}

static inline void explained_open(struct explained *e, const char *text, const char *algorithm)
{
	explained_of(e, fst_snapshot(text), algorithm);
}

static inline void explained_close(struct explained *e)
{
	fs_explain_free(e->view.explain);
	fs_eval_release(&e->eval);
	fs_snapshot_free(e->snapshot);
}

/* Writes the page of a job, 80 columns wide; the caller frees it with page_free_text. */
static inline void explained_job(struct page *out, const struct explained *e, uint32_t row)
{
	struct fs_explain_job job;

	page_init_form(out, PAGE_TEXT, 80, true);
	assert_int_equal(fs_explain_job_heads(e->view.explain, row, &job, NULL), 0);
	explain_add_job(out, &e->view, &job, false);
	assert_false(out->failed);
}

/* Returns all words with one blank between them, so that a search finds a sentence wherever its lines were wrapped. The
 * caller frees the result. */
static inline char *explained_text(const struct page *p)
{
	struct fst_sink s = { 0 };

	fst_write(&s, "", 0);
	for (size_t i = 0; i < p->n; i++)
		for (const char *at = p->lines[i].text; *at;) {
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
