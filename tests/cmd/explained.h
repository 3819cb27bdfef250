/* The page of a job, user or account as one string, for tests of what it says. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include "dialect/dialect.h"
#include "explain/algorithm.h"
#include "explain/text.h"
#include "fstest.h"

struct explained {
	fs_snapshot *snapshot;
	fs_shares *shares;
	fs_prios *prios;
	fs_queue *queue;
	fs_accrue *accrue;
	fs_holds *holds;
	fs_windows *windows;
	struct fs_explain_from from;
	struct explain_view view;
};

/* A snapshot may hold too little for a result, which then is NULL; any other failure is one of the test. */
static inline void explained_lacks_data(int rc, const struct fs_error *err)
{
	if (rc != FS_ENODATA)
		fst_no_error(rc, err);
}

/* Takes the snapshot. */
static inline void explained_of(struct explained *e, fs_snapshot *snapshot, const char *algorithm)
{
	const struct fs_shares_options so = { .algorithm = algorithm };
	const struct fs_prios_options po = { .algorithm = algorithm };
	const struct fs_queue_options qo = { .algorithm = algorithm };
	struct fs_error err;

	*e = (struct explained){ .snapshot = snapshot };
	explained_lacks_data(fs_shares_compute(&e->shares, e->snapshot, &so, &err), &err);
	explained_lacks_data(fs_prios_compute(&e->prios, e->snapshot, &po, &err), &err);
	const enum fs_scheduler kind = fs_snapshot_info(e->snapshot)->kind;

	explained_lacks_data(fs_queue_compute(&e->queue, e->snapshot, &qo, &err), &err);
	assert_true(e->queue || kind != FS_SLURM);
	if (kind == FS_SLURM)
		fst_no_error(fs_accrue_compute(&e->accrue, e->snapshot, 0, &err), &err);
	else if (kind == FS_FLUX)
		fst_no_error(fs_holds_compute(&e->holds, e->snapshot, &err), &err);
	else if (fs_snapshot_info(e->snapshot)->credentials)
		fst_no_error(fs_windows_compute(&e->windows, e->snapshot, FS_MAUI_CODE, &err), &err);
	if (kind == FS_MAUI) {
		fs_shares_free(e->shares);
		e->shares = NULL;
	}
	e->from = (struct fs_explain_from){ .snapshot = e->snapshot, .shares = e->shares, .prios = e->prios,
					    .queue = e->queue, .accrue = e->accrue, .holds = e->holds,
					    .windows = e->windows };
	e->view.from = &e->from;
	e->view.algorithm = explain_algorithm_of(e->shares ? fs_shares_algorithm(e->shares) : "");
	e->view.dialect = dialect_of(e->snapshot);
	fst_no_error(fs_explain_new(&e->view.x, &e->from, &err), &err);
}

static inline void explained_open(struct explained *e, const char *text, const char *algorithm)
{
	explained_of(e, fst_snapshot(text), algorithm);
}

static inline void explained_close(struct explained *e)
{
	fs_explain_free(e->view.x);
	fs_windows_free(e->windows);
	fs_holds_free(e->holds);
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
