/* Pages and JSON documents of explanations. fs_explain (fs/explain.h) computes the numbers; these functions turn them
 * into sentences, tables and JSON.
 *
 * The view borrows everything it points to. Functions that fill a struct page report an allocation failure through
 * page.failed. */
#ifndef EXPLAIN_TEXT_H
#define EXPLAIN_TEXT_H

#include "fs/advise.h"
#include "fs/explain.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/json.h"

struct dialect;
struct explain_algorithm;
struct explain_past;

/* Inputs of a forecast (--forecast). */
struct explain_forecast {
	struct fs_view view;
	const struct fs_eval *eval; /* evaluation for that view, including shares of credentials */
	int64_t until;
};

struct explain_view {
	const struct fs_eval *eval;
	const struct dialect *dialect;
	const struct explain_algorithm *algorithm; /* algorithm of the shares */
	fs_explain *explain;
	/* Flux: shares by the algorithm shown for comparison (flux_exact, or flux if that is not the main one); else
	 * NULL */
	const fs_shares *second_shares;
	enum fs_position position; /* flux_range: how the position in a slice is computed */
	enum json_form json;
	bool brief; /* add the four-line summary to a job's page */
	bool verbose; /* a job's page also says in sentences why the job waits and who is ahead */
	const fs_plan *plan; /* NULL: missing, and no_plan says why */
	const char *no_plan; /* NULL: no plan was attempted */
	bool advise; /* advice was requested */
	const fs_advices *advices; /* advice for the job; NULL: missing, and no_advice says why */
	const char *no_advice;
	const struct explain_forecast *forecast; /* NULL: not requested */
	const struct explain_past *past; /* cost of a job that ran; NULL: not known */
	const fs_usage *usage; /* usage computed for the view; NULL: as recorded, at the snapshot's time */
};

/* Initialises a view of an evaluation. `from` is a copy, which loses the shares of credentials: the windows contain
 * them all, and no page reads them as share rows. */
void explain_init_view(struct explain_view *v, struct fs_eval *from);

/* Computes the shares by the algorithm shown for comparison, if there is one, and stores them in the view. The caller
 * frees *out. Returns an error code of fs_shares_compute, but 0 for FS_ENODATA. */
int explain_compute_second_shares(struct explain_view *v, fs_shares **out, const struct fs_view *view,
				  struct fs_error *err);

/* Sets *out to the job's row of the view's plan. Returns false if there is none. */
bool explain_find_plan_row(const struct explain_view *v, uint32_t job_row, struct fs_plan_row *out);

/* Returns true if the job has no planned start because the nodes it would get exceed a limit. Meaningful for a job
 * that waits for its turn, whose request itself is within the limits. */
static inline bool explain_exceeds_limit_when_allocated(const struct fs_plan_row *r)
{
	return r->state == FS_PLAN_BLOCKED &&
	       (r->section == FS_SECTION_ASSOC_LIMIT || r->section == FS_SECTION_QOS_LIMIT);
}

/* ---- whole pages */

/* Adds a job's page: summary, sums and the path of the fair-share factor. With view->verbose also sentences. With
 * `ahead`, the jobs ahead replace summary, sums and path. */
void explain_add_job(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, bool ahead);
/* Adds the summary: the lines Why, When, Ahead and What you can do, using the view's plan and advice. */
void explain_add_summary(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_add_job_pair(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			  const struct fs_explain_job *b);

/* Add the page of a user or account. account NULL: all associations of the user. Return -1 if out of memory. */
int explain_add_user(struct page *p, const struct explain_view *v, const char *user, const char *account);
int explain_add_account(struct page *p, const struct explain_view *v, uint32_t row);
int explain_add_share_pair(struct page *p, const struct explain_view *v, uint32_t a, uint32_t b);

/* Writes a job's page as an HTML document to the file: with bars of its priority and of the jobs ahead, the list of
 * jobs ahead, and a timeline of its nodes. Returns the exit status; errors are reported. */
int explain_save_job_html(const struct explain_view *v, const struct invocation *inv, const char *viewer,
			  const struct fs_explain_job *job, const char *file);
/* Makes the same HTML document in memory. Returns false if out of memory. */
bool explain_make_job_document(struct markup *doc, const struct explain_view *v, const char *viewer,
			       const struct fs_explain_job *job);

/* Writes a forecast as SVG: of the share row, or of the job if job_row is not FS_NO_ROW. Returns the exit status;
 * errors are reported. */
int explain_save_forecast_picture(const struct explain_view *v, const struct invocation *inv, uint32_t share_row,
				  uint32_t job_row, const char *file);
/* Returns the share row of a credential in the evaluation of the forecast; FS_NO_ROW if it has neither target nor
 * usage. */
uint32_t explain_find_credential_share(const struct explain_view *v, uint32_t window_row);
/* Add the forecast of a credential, a job, or share rows. Return -1 if out of memory. */
int explain_add_credential_forecast(struct page *p, const struct explain_view *v, uint32_t window_row);
int explain_add_job_forecast(struct page *p, const struct explain_view *v, uint32_t job_row);
int explain_add_shares_forecast(struct page *p, const struct explain_view *v, const uint32_t *rows, size_t n);

/* Add the page of one Maui credential, or of two compared. */
void explain_add_credential_pair(struct page *p, const struct explain_view *v, uint32_t a, uint32_t b);
void explain_add_credential(struct page *p, const struct explain_view *v, uint32_t window_row);

/* ---- parts of pages */

enum { BRIEF_LINE = 2200 };

/* Appends the queue entry directly ahead of sum `sum` of a job: job, owner, lead in points, and reason. next: its
 * queue row. Returns false if the entry is unknown. */
bool explain_append_next_ahead(char line[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_job *job,
			       size_t sum, uint32_t next);
/* Formats a job's position, "In gpu it is 2nd of 6", without a full stop. `own` is the sum of an eligible queue row.
 * several: the job asks for several partitions, so the text begins with "There" instead of naming one. */
const char *explain_format_position(char buf[BRIEF_LINE], const struct explain_view *v,
				    const struct fs_explain_sum *own, bool several);
/* Adds how a factor compares with those of other users: "FAIRSHARE 0.703704. dana stands better than 18 of 27
 * users...". */
void explain_add_factor(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
/* Adds the target of a Maui credential, and the factor that follows from it. */
void explain_add_target(struct page *p, const struct explain_view *v, const struct fs_window_row *r);

void explain_add_priority_sum(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_add_fairshare_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_add_limits(struct page *p, const struct fs_explain_job *job, bool gets_too_much);
void explain_add_divergence(struct page *p, const struct explain_view *v, const struct fs_explain_path *a,
			    const struct fs_explain_path *b);
void explain_add_source(struct page *p, const struct explain_view *v);

/* ---- JSON documents fs-explain/1, with the same numbers as the text: man/fs-explain-1.schema.json */

/* All return the exit status, or FS_ENOMEM (negative). */
int explain_write_job(const struct explain_view *v, const struct fs_explain_job *job);
int explain_write_job_pair(const struct explain_view *v, const struct fs_explain_job *a,
			   const struct fs_explain_job *b);

int explain_write_credential_pair(const struct explain_view *v, uint32_t a, uint32_t b);
int explain_write_credential(const struct explain_view *v, uint32_t window_row);

/* kind: "user" or "account"; rows: n share rows. */
int explain_write_share_rows(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n);
int explain_write_share_pair(const struct explain_view *v, uint32_t a, uint32_t b);

/* ---- parts of the documents */

/* Opens the document of a subject of that kind. The view may be without a snapshot. */
void explain_begin_document(struct fs_json *j, const struct explain_view *v, const char *kind);

/* Writes the key `brief`: the summary, or null if it was not requested. */
void explain_write_summary(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job);

/* Writes the key `forecast`, or null if no forecast was requested or data is missing. One of the rows is FS_NO_ROW.
 * Returns 0 or FS_ENOMEM. */
int explain_write_forecast(struct fs_json *j, const struct explain_view *v, uint32_t share_row, uint32_t job_row);

/* Writes the key `runs`: cost of the view's runs; an empty list if none are known. */
void explain_write_past_runs(struct fs_json *j, const struct explain_view *v);

/* Writes the key `advice`, or null if no advice was requested or available. */
void explain_write_advice(struct fs_json *j, const struct explain_view *v);

/* ---- list of a user's jobs, and reasons */

/* Lists the user's pending jobs: job, partition, planned start, verdict. Returns 0 or FS_ENOMEM. */
int explain_add_job_list(struct page *p, const struct explain_view *v, const char *user);
int explain_write_job_list(const struct explain_view *v, const char *user); /* returns the exit status */

/* Finds a reason by name, ignoring case; NULL if there is none. */
const struct fs_reason *explain_find_reason(const char *word);
/* Adds the meaning of a reason. v NULL: no snapshot in which to count the jobs that show it. */
void explain_add_reason(struct page *p, const struct explain_view *v, const struct fs_reason *r);
int explain_write_reason(const struct explain_view *v, const struct fs_reason *r);

#endif
