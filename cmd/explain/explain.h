/* Parts of fs-explain: the run of the command, the parts of a page about a job, user, account or credential, and the
 * tables that select them by scheduler and fair-share algorithm.
 *
 * A run is parsed from the command line (cmd/explain/explain.c), then evaluates the snapshot, finds the subject,
 * computes the plan and advice if needed, and writes one page: as text, Markdown, HTML or JSON. Page functions report
 * an allocation failure through page.failed. */
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "cmd.h"
#include "explain/text.h"
#include "input/input.h"
#include "render/json.h"
#include "words/words.h"
#include "dialect/dialect.h"

/* ---- the page of a job, made for another user */

struct fs_queue_row;

/* Finds the job with that id (array tasks included) and sets *row. Returns 0, or the exit status after an error that
 * has been reported. */
int explain_find_ticket_job(const struct invocation *inv, fs_snapshot *s, const char *job, uint32_t *row);

/* Writes the job's page for the viewer, as fs-explain --markdown and --html do. Returns 0, or the exit status after
 * an error that has been reported. */
int explain_write_ticket_pages(const struct invocation *inv, fs_snapshot *s, const char *job, const char *viewer,
			       FILE *markdown, FILE *html);

/* ---- outlook: what a job's page shows beyond the current state */

enum { OUTLOOK_WHY = 512 };

/* Plan of starts, and the advice based on it. Initialised to zero; outlook_free_parts frees it. */
struct outlook {
	fs_plan *plan;
	fs_advices *advices;
	char no_plan[OUTLOOK_WHY], no_advice[OUTLOOK_WHY]; /* why the plan or the advice is missing */
};

/* Computes the plan and the advice for the job and stores them in *o and *v. asked: the options request them;
 * otherwise they are computed only if the queue is short enough. Neither is computed if v->usage moves the view to
 * another time. name: the job as the user wrote it, for hints in messages. Returns 0 or an error code of
 * fs_plan_compute or fs_advise; missing data is no error. */
int outlook_compute_parts(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row,
			  bool asked, const char *name, struct fs_error *err);
void outlook_free_parts(struct outlook *o);

/* ---- a run of fs-explain */

enum kind { GUESS, JOB, USER, ACCOUNT, CREDENTIAL, REASON, PAST };

/* What a word on the command line stands for. row: a job row, a share row, or (Maui) a row of fs_windows. A PAST job
 * occurs in usage records only; the view holds its runs. */
struct subject {
	enum kind kind;
	uint32_t row;
	const struct fs_reason *reason; /* REASON only */
};

struct explain_run {
	const struct invocation *inv;
	struct input input;
	const char *word, *job, *user, *account, *versus;
	const char *svg;   /* FILE of --svg */
	const char *html;  /* FILE of --html */
	const char *until; /* end of the forecast; NULL: the default */
	bool own_jobs; /* list the viewer's pending jobs: --me, or no subject named */
	bool ahead, advise, brief, verbose, forecast, markdown, no_pager, colour;
	enum json_form json;
	fs_snapshot *snapshot;
	fs_usage *usage;
	struct explain_past *past;
	struct fs_eval eval, view_eval; /* view_eval: copy of eval for the view, without shares of credentials */
	struct outlook outlook;
	fs_shares *second_shares; /* shares by the second algorithm of the page; NULL: none */
	struct explain_view view;
	struct explain_forecast forecast_inputs; /* inputs of a forecast, referenced by the view */
};

/* What pages say differently for each scheduler. A NULL function adds nothing, or where noted the common text is
 * used. */
struct explain_dialect {
	bool account_optional; /* a job without an account is normal */
	bool title_partition;  /* the title of a job's page names its partition */
	bool held_has_no_position;       /* a held job has no queue position and does not age */
	bool sum_in_steps;     /* the page lists the steps of rounding and caps between the sum and the priority */
	bool sum_of_class;     /* a sum is computed for the job's class, not for one of several partitions */
	/* a priority set by an administrator is a step after the sum, so the terms are shown too */
	bool direct_is_step;
	const char *no_association_note; /* origin of the factor of a job without an association */
	/* Adds why a pending job waits; NULL: the common text. */
	void (*state)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* Adds what waiting alone changes about the jobs ahead. */
	void (*waiting)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* Adds the limits that apply to a job. gets_too_much: in the plan, the nodes the job would get exceed a
	 * limit, although its request does not. */
	void (*limits)(struct page *p, const struct fs_explain_job *job, bool gets_too_much);
	/* Sets *out to the reservation that keeps the job from starting before its planned start. Returns false if
	 * there is none. */
	bool (*find_blocker)(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out);
	/* Adds the text about a directly set priority. If it returns false, or is NULL, the common text is used. */
	bool (*direct)(struct page *p, const struct fs_explain_sum *s);
	/* Adds the rows of the sum's terms (NULL: common rows), and what their weights are made of. */
	void (*terms)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_explain_sum *s, const struct sum_decimals *d);
	void (*weights)(struct page *p, const struct fs_explain_sum *s);
	/* What would change a term of the job's sum, in place of the words for all schedulers. */
	void (*remedy)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		       const char *term);
	/* Why a stored priority, or a stored factor, differs from the one computed. */
	void (*stored_sum)(struct page *p, const struct fs_explain_sum *s);
	void (*stored_factor)(struct page *p, const struct fs_explain_path *path);
	/* adds the usage of an account or user; NULL: common text */
	void (*usage)(struct page *p, const struct explain_view *v, const struct fs_share_row *r);
};

extern const struct explain_dialect explain_slurm, explain_flux, explain_other;

/* The vocabulary of a fair-share algorithm, and its explanation of a row of the share tree. */
struct explain_algorithm {
	const char *name;
	const char *level;  /* heading of the column shares / usage: "LevelFS" */
	const char *compared_with;  /* algorithm whose result is shown as well; NULL: none */
	bool exact;         /* variant without the rounding of the other algorithm */
	/* depth_oblivious: the usage counted at a level depends on its ratio of usage to shares and that of its
	 * parent */
	bool ratios;
	bool finite_when_unused;        /* an unused share has a large number instead of infinity */
	const char *rule;   /* sentence about how two users compare; NULL: the algorithm has no levels */
	void (*path)(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
};

/* Returns the algorithm's entry. For an unknown name the entry has no texts; the result is never NULL. */
const struct explain_algorithm *explain_get_algorithm(const char *name);

/* ---- parts of pages */

static inline const struct nouns *get_scheduler_nouns(const struct explain_view *v)
{
	return &v->dialect->nouns;
}

/* Returns a row of the view's shares. */
static inline const struct fs_share_row *get_share_row(const struct explain_view *v, uint32_t row)
{
	return fs_shares_row(v->eval->shares, row);
}

/* Adds a job's position among the eligible jobs, which jobs are ahead, and what would change that. Adds nothing if
 * the job has no position. Defined in cmd/explain/place.c. */
void explain_add_position(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Fills *row and *job for a queue row; job->sums[*at] is the sum for that row. Returns false if the job has no such
 * sum or memory runs out. Defined in cmd/explain/place.c. */
bool explain_find_sum_of_row(const struct explain_view *v, uint32_t queue_row, struct fs_queue_row *row,
			     struct fs_explain_job *job, size_t *at);

/* Adds the verdict as a sentence, and for a job that can never start what must change. Defined in
 * cmd/explain/limits.c. */
void explain_add_verdict(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Adds what would change a job's position. Defined in cmd/explain/place.c. */
void explain_add_position_changes(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Adds the cells of a share table: share, usage and, if the algorithm has levels, the level (LevelFS). */
void explain_add_share_cells(struct page *p, const struct explain_view *v, const struct fs_share_row *r);

/* Formats a term's factor with at least seven decimals, and as many more as factor times weight needs to give the
 * points rounded to `digits` decimals. */
const char *explain_format_factor(char buf[WORDS], const struct fs_prio_term *t, int digits);

/* Adds the cells name, value, weight and points of a term. The caller adds the note and ends the row. */
void explain_add_points_cells(struct page *p, const char *name, const struct fs_prio_term *t,
			      const struct sum_decimals *d, int64_t points);

/* Adds the cost of the job's runs, if known. Defined in cmd/explain/list.c. */
void explain_add_cost(struct page *p, const struct explain_view *v);
double explain_get_past_cost(const struct explain_view *v); /* total of all runs; NAN: unknown */
const char *explain_get_cost_unit(const struct explain_view *v);

/* Adds why the job is not eligible; nothing if it is. Defined in cmd/explain/limits.c. */
void explain_add_not_eligible(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- a started job compared with another: cmd/explain/limits.c */

bool explain_has_job_started(const struct fs_explain_job *job); /* returns true if the job is running or has ended */
bool explain_is_job_suspended(const struct fs_job *j);

/* Adds when the started job went first, and why. At least one of the jobs has started. */
void explain_add_started_pair(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			      const struct fs_explain_job *b);

/* ---- advice: cmd/explain/limits.c */

enum { ADVICE_WORDS = 2 * WORDS };

/* Returns true if the viewer owns the job, or if viewer or owner is unknown. */
bool explain_is_viewers_job(const struct explain_view *v, const struct fs_job *j);
/* Returns true if the job starts now in the plan that advice is compared with */
bool explain_is_start_now(const struct explain_view *v);
/* Formats the start with the advised change, and how much earlier it is if a start was planned before. */
const char *explain_format_start(char buf[ADVICE_WORDS], const fs_snapshot *s, const struct fs_advice *a);
/* Formats "Nothing that you can change helps", without a full stop. */
const char *explain_format_nothing_helps(char buf[ADVICE_WORDS], const struct explain_view *v, const struct fs_job *j);
void explain_add_advice(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- Flux: cmd/explain/flux.c */

void explain_add_flux_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_add_flux_range_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- Maui: cmd/explain/maui.c */

/* "user", "group", "account", "QOS", "class" */
const char *get_credential_noun(enum fs_cred_kind kind);

/* Explains the fair-share targets and windows of the credentials that count for the job. */
void explain_windows_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- classic fair share and DEPTH_OBLIVIOUS: cmd/explain/tree.c */

void explain_add_classic_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- the path through the share tree: cmd/explain/tree.c */

/* Adds a table with one row per level: shares, usage, shares over usage (with that heading), and the neighbours in
 * the ranking. */
void explain_add_levels_table(struct page *p, const struct explain_view *v, const struct fs_explain_path *path,
			      const char *heading);
void explain_add_fair_tree_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
/* Adds the equation factor = rank / users. whose: "Fair Tree's". */
void explain_add_rank_factor(struct page *p, const struct fs_explain_path *path, const char *whose);
void explain_add_rank(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- charged runs of one job: ended runs from the usage records, and the current run */

enum { PAST_RUNS = 8 };

struct past_run {
	char user[WORDS], account[WORDS], partition[WORDS], qos[WORDS], state[WORDS];
	int64_t submit, eligible, start, end; /* end of the current run: the snapshot's time */
	int64_t ran; /* without suspended time; FS_UNKNOWN: not known */
	bool running, suspended;
	double rate, factor;       /* rate: TRES seconds per second; factor: UsageFactor of the QOS */
	double cost, still_counts; /* TRES seconds; still_counts: rest after decay, NAN while the job runs */
	struct fs_bill bill;
};

/* The last runs of a job. Run i of n is v[i % PAST_RUNS]; earlier runs are overwritten. */
struct explain_past {
	const fs_snapshot *snapshot;
	const char *viewer;
	uint64_t job;
	struct past_run v[PAST_RUNS];
	size_t n;
};

/* Reads the job's runs that the viewer may see into r->past, and sets r->view.past if there are any. If usage cannot
 * be computed there are none, which is no error. Returns the exit status. */
int explain_read_past_runs(struct explain_run *r, uint64_t job);

/* Adds the page of a job that occurs only in usage records. */
void explain_add_past_job(struct page *p, const struct explain_view *v);
int explain_write_past_job(const struct explain_view *v);

#endif
