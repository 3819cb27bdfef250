/* Pages and JSON documents of explanations. fs_explain (fs/explain.h) computes the numbers; these functions format them
 * as sentences, tables and JSON.
 *
 * The view borrows everything it points to. Functions that add to a struct page report an allocation failure through
 * page.failed. */
#ifndef EXPLAIN_TEXT_H
#define EXPLAIN_TEXT_H

#include "fs/advise.h"
#include "fs/cause.h"
#include "fs/explain.h"
#include "fs/site.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/json.h"
#include "render/text.h"
#include "words/words.h"

struct dialect;
struct explain_algorithm;
struct explain_past;

/* Inputs of a forecast (--forecast). */
struct explain_forecast {
	struct fs_view view;
	/* results computed for `view`; for Maui, `eval->shares` has the share rows of the credentials */
	const struct fs_eval *eval;
	int64_t until;
};

struct explain_view {
	const struct fs_eval *eval;
	const fs_snapshot *snapshot; /* the snapshot of `eval` */
	const struct dialect *dialect;
	const struct vocabulary *vocabulary; /* the words of `dialect` */
	/* words and functions for the fair-share algorithm that computed the shares */
	const struct explain_algorithm *algorithm;
	fs_explain *explain;
	/* shares computed for comparison by a second algorithm, which is explain_algorithm.compared_with; NULL: there
	 * is no second algorithm. Only the algorithms of Flux have one. */
	const fs_shares *second_shares;
	/* for the algorithm flux_range: formula for the position of a share row in its parent's range of fair-share
	 * values */
	enum fs_position position;
	enum json_form json;
	bool brief;                /* add the four-line summary to the JSON document of a job */
	bool verbose;              /* add sentences about why the job waits and which jobs are ahead */
	const fs_plan *plan;       /* plan of starts; NULL: there is none, for the reason in `no_plan` */
	const char *no_plan;       /* why there is no plan; NULL: no plan was attempted */
	bool advise;               /* advice was requested by an option */
	const fs_advices *advices; /* advice for the job; NULL: there is none, for the reason in `no_advice` */
	const char *no_advice;
	bool advice_skipped; /* true: there is no advice, because the queue is long */
	const fs_causes *causes; /* causes of the job's wait; NULL: not computed, or the job does not wait */
	const struct explain_forecast *forecast; /* inputs of the forecast; NULL: no forecast was requested */
	const struct explain_past *past; /* past and current executions of the job, and their cost; NULL: none known */
	const fs_usage *usage; /* usage computed by fs-tools; NULL: the recorded usage, at the snapshot's time */
};

/* Initializes a view of the evaluation `from`. The view keeps the pointer, so *from must exist as long as the view. If
 * the share rows of *from are Maui credentials, the function sets from->shares to NULL, so the caller passes a copy.
 * Pages about Maui show credential windows instead of share rows, because both describe the same credentials. */
void explain_init_view(struct explain_view *v, struct fs_eval *from);

/* If v->algorithm names an algorithm for comparison (`compared_with`), computes the shares with that algorithm. Stores
 * the shares in *out and in the view. The caller frees *out. Returns 0, also if data is missing (FS_ENODATA), or an
 * error code of fs_shares_compute. */
int explain_compute_second_shares(struct explain_view *v, fs_shares **out, const struct fs_view *view,
				  struct fs_error *err);

/* Finds the job in the plan of starts, and sets *out to its row. Returns false if the view has no plan, or if the plan
 * has no row for the job. */
bool explain_find_plan_row(const struct explain_view *v, uint32_t job_row, struct fs_plan_row *out);

/* Returns true if the planned allocation of a job exceeds a limit, although the job's request does not exceed it. The
 * caller ensures that the request itself exceeds no limit. */
static inline bool explain_exceeds_limit_when_allocated(const struct fs_plan_row *r)
{
	return r->state == FS_PLAN_BLOCKED &&
	       (r->section == FS_SECTION_ASSOC_LIMIT || r->section == FS_SECTION_QOS_LIMIT);
}

/* ---- functions that add all sections of a page */

/* Adds a job's page: title, summary, cost, priority sums and the path of the fair-share factor. If view->verbose is
 * set, sentences about why the job waits follow the summary. If view->advise is set, the page has only the title, these
 * sentences and the advice. If only `ahead` is set, it has the title, these sentences and a table of the jobs ahead. */
void explain_add_job(struct page *p, const struct explain_view *v, const struct fs_explain_job *job, bool ahead);
/* Adds the summary: the lines "Why", "When", "Ahead" and "What you can do". These lines use the view's plan and
 * advice. */
void explain_add_summary(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_add_job_pair(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			  const struct fs_explain_job *b);

/* These functions add the page of a user, of an account, or of two compared share rows. They return -1 if out of
 * memory. If `account` is NULL, the page shows all associations of the user. */
int explain_add_user(struct page *p, const struct explain_view *v, const char *user, const char *account);
int explain_add_account(struct page *p, const struct explain_view *v, uint32_t row);
int explain_add_share_pair(struct page *p, const struct explain_view *v, uint32_t a, uint32_t b);

/* Writes a job's page as an HTML document to the file. Its figures show the priorities of the job and of the jobs
 * ahead, and a timeline of the nodes of the job. Returns the exit status; errors are reported. */
int explain_save_job_html(const struct explain_view *v, const struct invocation *inv, const char *viewer,
			  const struct fs_explain_job *job, const char *file);
/* Writes an SVG picture that answers why the job waits: its summary, its priority beside those of the jobs ahead, and a
 * timeline of its nodes. Returns the exit status; errors are reported. */
int explain_save_job_picture(const struct explain_view *v, const struct invocation *inv, const char *viewer,
			     const struct fs_explain_job *job, const char *file);
/* Fills *doc with the HTML document that explain_save_job_html writes. Returns false if out of memory. */
bool explain_make_job_document(struct markup *doc, const struct explain_view *v, const char *viewer,
			       const struct fs_explain_job *job);

/* Writes a picture of a forecast as SVG to the file. The forecast is for the job or, if `job_row` is FS_NO_ROW, for the
 * share row. Returns the exit status; errors are reported. */
int explain_save_forecast_picture(const struct explain_view *v, const struct invocation *inv, uint32_t share_row,
				  uint32_t job_row, const char *file);
/* Returns the share row of a Maui credential in the evaluation that the forecast uses; FS_NO_ROW if the credential has
 * neither target nor usage. */
uint32_t explain_find_credential_share(const struct explain_view *v, uint32_t window_row);
/* Functions that add a forecast: of a credential, of a job, or of n share rows. They return -1 if out of memory. */
int explain_add_credential_forecast(struct page *p, const struct explain_view *v, uint32_t window_row);
int explain_add_job_forecast(struct page *p, const struct explain_view *v, uint32_t job_row);
int explain_add_shares_forecast(struct page *p, const struct explain_view *v, const uint32_t *rows, size_t n);

/* explain_add_credential_pair compares two Maui credentials (users, groups, accounts, QOS or classes).
 * explain_add_credential adds the page of one credential. */
void explain_add_credential_pair(struct page *p, const struct explain_view *v, uint32_t a, uint32_t b);
void explain_add_credential(struct page *p, const struct explain_view *v, uint32_t window_row);

/* ---- sections of pages */

enum { BRIEF_LINE = 2200 };

/* Appends formatted text to a line of the summary; text that does not fit into BRIEF_LINE bytes is cut. */
#define APPEND_TO_LINE(line, ...) append_text(line, BRIEF_LINE, __VA_ARGS__)

/* Adds a sentence with the number of hidden jobs that are ahead. Adds nothing if there are none. */
void explain_add_unseen_jobs(struct page *p, const struct explain_view *v, const struct fs_explain_ahead *a);

/* Returns the number of jobs in other partitions that are tried before the job. `certain`: counts the partitions that
 * compete for the same nodes; else the partitions whose nodes are unknown. */
uint64_t explain_count_rivals(const struct fs_explain_ahead *a, bool certain);

/* Formats the values of the factor that puts a group of jobs ahead: "0.2 to 0.5 against 0.1". */
const char *explain_format_factor_range(char buf[WORDS], const struct fs_explain_group *g);

/* Formats the clause for a job that a scheduling cycle does not reach; `r` is the job's row in the plan. */
const char *explain_format_cycle_end(char buf[WORDS], const struct fs_plan_row *r);
/* Fills the empty line "Why" of a pending job: the recorded reason, the cause of the wait, and the start without this
 * cause. Without computed causes, the line has the recorded reason and the verdict. Sets *failed to true if out of
 * memory. */
void explain_fill_why(char line[BRIEF_LINE], const struct explain_view *v, const struct fs_explain_job *job,
		      bool *failed);
/* Adds the fair-share target of a Maui credential, the computation of its factor, and its usage in each window. */
void explain_add_credential_fairshare(struct page *p, const struct explain_view *v, const struct fs_window_row *r);

void explain_add_priority_sum(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_add_fairshare_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_add_limits(struct page *p, const struct fs_explain_job *job, bool gets_too_much);
void explain_add_divergence(struct page *p, const struct explain_view *v, const struct fs_explain_path *a,
			    const struct fs_explain_path *b);
/* Returns true if the snapshot was made from pasted text: what it lacks is missing from the text, not hidden. */
bool explain_is_paste(const struct explain_view *v);
/* Adds a sentence that counts the records that were read from pasted text, and a sentence about the lines that were not
 * read; "": there are none. */
void explain_add_paste_contents(struct page *p, const fs_snapshot *s, const char *unread);
void explain_add_source(struct page *p, const struct explain_view *v);

/* ---- JSON documents fs-explain/1, with the same numbers as the text: man/fs-explain-1.schema.json */

/* The functions that write a document return the exit status, or FS_ENOMEM (negative). */
int explain_write_job(const struct explain_view *v, const struct fs_explain_job *job);
int explain_write_job_pair(const struct explain_view *v, const struct fs_explain_job *a,
			   const struct fs_explain_job *b);

int explain_write_credential_pair(const struct explain_view *v, uint32_t a, uint32_t b);
int explain_write_credential(const struct explain_view *v, uint32_t window_row);

/* Writes n share rows. `kind`: "user" or "account". */
int explain_write_share_rows(const struct explain_view *v, const char *kind, const uint32_t *rows, size_t n);
int explain_write_share_pair(const struct explain_view *v, uint32_t a, uint32_t b);

/* ---- parts of the JSON documents */

/* Begins a JSON document; `kind`: kind of the subject, "job" or "user" for example. The view may have no snapshot. */
void explain_begin_document(struct fs_json *j, const struct explain_view *v, const char *kind);

/* Writes the key `brief`: the job's summary; null if it was not requested. */
void explain_write_summary(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job);

/* Writes the key `forecast` of a share row or of a job. One of `share_row` and `job_row` is FS_NO_ROW. The value of the
 * key is null if no forecast was requested or data is missing. Returns 0 or FS_ENOMEM. */
int explain_write_forecast(struct fs_json *j, const struct explain_view *v, uint32_t share_row, uint32_t job_row);

/* Writes the key `runs`: the executions of the job with their cost; an empty list if none are known. */
void explain_write_past_runs(struct fs_json *j, const struct explain_view *v);

/* Writes the key `advice`; null if no advice was requested or available. */
void explain_write_advice(struct fs_json *j, const struct explain_view *v);

/* ---- the page of the whole site: cmd/explain/site.c */

/* Results that the page of a site shows. */
struct explain_site {
	const fs_site *site;
	enum fs_site_part part; /* the part of the cluster that is explained */
	const char *name;       /* name of the part; "": the whole cluster */
	/* number of values that fs_snapshot_verify compared, 0: none; number of values that differ */
	size_t compared, differ;
};

/* Adds the page of the site. Returns 0 or FS_ENOMEM. */
int explain_add_site(struct page *p, const struct explain_view *v, const struct explain_site *x);
/* Writes the page as JSON, schema fs-site/1. Returns the exit status or FS_ENOMEM. */
int explain_write_site(const struct explain_view *v, const struct explain_site *x);

/* ---- the list of a user's jobs, and the meaning of pending reasons */

/* Adds a list of the user's pending jobs: job id, partition, planned start, verdict. Returns 0 or FS_ENOMEM. */
int explain_add_job_list(struct page *p, const struct explain_view *v, const char *user);
/* writes the list of explain_add_job_list as JSON; returns the exit status */
int explain_write_job_list(const struct explain_view *v, const char *user);

/* Finds a pending reason by its name, ignoring case. Returns NULL if the name is unknown. */
const struct fs_reason *explain_find_reason(const char *word);
/* Adds the meaning of a pending reason, and the number of jobs in the snapshot with this reason. If `v` is NULL, there
 * is no snapshot, and the number is left out. */
void explain_add_reason(struct page *p, const struct explain_view *v, const struct fs_reason *r);
int explain_write_reason(const struct explain_view *v, const struct fs_reason *r);
/* Writes the key `reason` of a job: an object with the name and meaning of the reason, and what clears the reason. */
void explain_write_job_reason(struct fs_json *j, const struct fs_reason *r);

#endif
