/* Explanations as pages. The numbers are those of fs_explain; here they become sentences and tables. */
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

/* What --forecast asks for. */
struct explain_forecast {
	struct fs_view view;
	const struct fs_eval *eval; /* of that view, with the shares of credentials too */
	int64_t until;
};

struct explain_view {
	const struct fs_eval *from;
	const struct dialect *dialect;
	const struct explain_algorithm *algorithm; /* of the shares */
	fs_explain *x;
	const fs_shares *other; /* Flux: what flux_exact makes of it, or (flux_exact, flux_range) flux; else NULL */
	enum fs_position position; /* of flux_range */
	enum json_form json;
	bool brief; /* the four lines, of jobs: alone if asked for, else ahead of the page */
	bool verbose; /* a job's page tells in sentences too what it waits for and who is ahead */
	const fs_plan *plan; /* for them; NULL: none could be made, and no_plan says why */
	const char *no_plan; /* NULL: none was tried */
	bool advise; /* advice was asked for */
	const fs_advices *advices; /* of the job; NULL: none could be had, and no_advice says why */
	const char *no_advice;
	const struct explain_forecast *forecast; /* NULL: not asked for */
	const struct explain_past *past; /* what a job that ran cost; NULL: not known */
	const fs_usage *usage; /* as computed for it; NULL: as recorded, at the snapshot's time */
};

/* A view of what was evaluated; from is a copy, in which shares of credentials are dropped: the windows have all of
 * them, and no page reads such rows. */
void explain_view_init(struct explain_view *v, struct fs_eval *from);

/* The shares by the algorithm that is shown too, if there is one: *out is yours. As fs_shares_compute, but for
 * FS_ENODATA. */
int explain_view_other(struct explain_view *v, fs_shares **out, const struct fs_view *view, struct fs_error *err);

/* The job's row of the view's plan; false: there is none. */
bool explain_plan_row(const struct explain_view *v, uint32_t job_row, struct fs_plan_row *out);

/* Has it no start since the nodes that it would get give it more than a limit allows? Ask it of jobs that wait for
 * their turn: the limit has room for what they ask for. */
static inline bool explain_gets_too_much(const struct fs_plan_row *r)
{
	return r->state == FS_PLAN_BLOCKED &&
	       (r->section == FS_SECTION_ASSOC_LIMIT || r->section == FS_SECTION_QOS_LIMIT);
}

/* ---- whole pages */

/* The four lines, with view->verbose all in sentences, and the sum and the path; with ahead those ahead in their
 * place. */
void explain_job_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, bool ahead);
/* Why, When, Ahead, What you can do: with plan and advice of the view. */
void explain_brief_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_jobs_versus_text(struct page *p, const struct explain_view *v,
			      const struct fs_explain_job *a, const struct fs_explain_job *b);

/* Of an account, or of a user: all of them with account NULL. Negative: out of memory. */
int explain_user_text(struct page *p, const struct explain_view *v, const char *user, const char *account);
int explain_account_text(struct page *p, const struct explain_view *v, uint32_t row);
int explain_rows_versus_text(struct page *p, const struct explain_view *v, uint32_t a, uint32_t b);

/* A job's page as a document of HTML, into the file: with bars of its priority and of those ahead, those ahead, and the
 * plan of its nodes. The view's plan and advice as in explain_job_text. Exit status, complained of:
 * cmd/explain/job.c. */
int explain_job_html(const struct explain_view *v, const struct invocation *inv, const char *viewer,
		     const struct fs_explain_job *job, const char *file);
/* The same, made in memory; false: out of memory. */
bool explain_job_document(struct markup *doc, const struct explain_view *v, const char *viewer,
			  const struct fs_explain_job *job);

/* The forecast of one of them as a picture; exit status. */
int explain_forecast_picture(const struct explain_view *v, const struct invocation *inv, uint32_t share_row,
			     uint32_t job_row, const char *file);
/* The share row of a credential where a forecast was asked for; FS_NO_ROW: it has neither target nor use. */
uint32_t explain_credential_row(const struct explain_view *v, uint32_t window_row);
/* The forecast alone, of a job, of a credential or of share rows. Negative: out of memory. */
int explain_credential_forecast_text(struct page *p, const struct explain_view *v, uint32_t window_row);
int explain_job_forecast_text(struct page *p, const struct explain_view *v, uint32_t job_row);
int explain_rows_forecast_text(struct page *p, const struct explain_view *v, const uint32_t *rows, size_t n);

/* Of a credential of Maui, or of two. */
void explain_credentials_versus_text(struct page *p, const struct explain_view *v, uint32_t a, uint32_t b);
void explain_credential_text(struct page *p, const struct explain_view *v, uint32_t window_row);

/* ---- parts of pages */

enum { BRIEF_LINE = 2200 };

/* Adds to the line what is told of the row of the queue that is right ahead of that sum of a job: whose it is, by how
 * much it leads and why. False: it cannot be told. */
bool explain_next_words(char line[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_job *job,
			size_t sum, uint32_t next);
/* "In gpu it is 2nd of 6", without its stop; own is of an eligible row. several: it is so in one partition of several. */
const char *explain_place_words(char buf[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_sum *own,
				bool several);
/* How a factor stands among those of other users: "FAIRSHARE 0.703704. dana stands better than 18 of 27 users...". */
void explain_factor_text(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
/* What Maui's credential has for a target, and what factor follows. */
void explain_target_text(struct page *p, const struct explain_view *v, const struct fs_window_row *r);

void explain_sum_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_path_text(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_limits_text(struct page *p, const struct fs_explain_job *job, bool gets_too_much);
void explain_divergence_text(struct page *p, const struct explain_view *v,
			  const struct fs_explain_path *a, const struct fs_explain_path *b);
void explain_source_text(struct page *p, const struct explain_view *v);

/* fs-explain/1: the same numbers as the text. man/fs-explain-1.schema.json. */

/* All return exit statuses, or a negative number without memory. */
int explain_job_json(const struct explain_view *v, const struct fs_explain_job *job);
int explain_jobs_versus_json(const struct explain_view *v, const struct fs_explain_job *a,
			     const struct fs_explain_job *b);

int explain_credentials_versus_json(const struct explain_view *v, uint32_t a, uint32_t b);
int explain_credential_json(const struct explain_view *v, uint32_t window_row);

/* kind "user" or "account"; rows: share rows. */
int explain_rows_json(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n);
int explain_rows_versus_json(const struct explain_view *v, uint32_t a, uint32_t b);

/* ---- what its parts share */

/* Opens the document of a subject of that kind; of a view without a snapshot, too. */
void explain_json_begin(struct fs_json *j, const struct explain_view *v, const char *kind);

/* The key `brief`: null unless it was asked for. */
void explain_brief_json(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job);

/* The key `forecast`: null unless it was asked for and could be had; FS_ENOMEM. A row is FS_NO_ROW if the other
 * tells. */
int explain_forecast_json(struct fs_json *j, const struct explain_view *v, uint32_t share_row, uint32_t job_row);

/* The key `runs`: what those of the view cost; empty where none are known. */
void explain_runs_json(struct fs_json *j, const struct explain_view *v);

/* The key `advice`: null unless it was asked for and could be had. */
void explain_advice_json(struct fs_json *j, const struct explain_view *v);

/* The viewer's pending jobs, what a reason means, and names near one that is none. */

/* Lists the user's pending jobs: job, partition, planned start, verdict. Negative without memory. */
int explain_list_text(struct page *p, const struct explain_view *v, const char *user);
int explain_list_json(const struct explain_view *v, const char *user); /* exit status */

/* Finds a reason by its name, in capitals or not; NULL if there is none. */
const struct fs_reason *explain_find_reason(const char *word);
/* v NULL: there is no snapshot to count in. */
void explain_reason_text(struct page *p, const struct explain_view *v, const struct fs_reason *r);
int explain_reason_json(const struct explain_view *v, const struct fs_reason *r);

#endif
