/* The parts of fs-explain: pages about a job, user, account or pair of users, and their lines and tables. */
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "cmd.h"
#include "explain/text.h"
#include "input/input.h"
#include "render/json.h"
#include "words/words.h"
#include "dialect/dialect.h"

/* The page of a job for somebody else to read. */

struct fs_queue_row;

/* The job of that id, array task included: its row. 0, or the exit status (reported). */
int explain_ticket_job(const struct invocation *inv, fs_snapshot *s, const char *job, uint32_t *row);

/* The job's page as fs-explain --markdown and --html write it for the viewer: 0, or the exit status (reported). */
int explain_ticket_page(const struct invocation *inv, fs_snapshot *s, const char *job, const char *viewer,
			FILE *markdown, FILE *html);

/* What a job's page tells beyond the state: the plan of starts, and the advice found by it. */

enum { OUTLOOK_WHY = 512 };

/* All zero at first. */
struct outlook {
	fs_plan *plan;
	fs_advices *advices;
	char no_plan[OUTLOOK_WHY], no_advice[OUTLOOK_WHY]; /* why there is none, for want of data or of time */
};

/* Both, so far as they are asked for or quick, and the snapshot's own time is looked at: that of the view's usage is
 * not. name: the job, for the command that makes them all the same. */
int outlook_make(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row, bool asked,
		 const char *name, struct fs_error *err);
void outlook_release(struct outlook *o);

/* One call of fs-explain: what was asked for, and what it is explained from. */

enum kind { GUESS, JOB, USER, ACCOUNT, CREDENTIAL, REASON, PAST };

/* What a word stands for: a job row, a share row, (Maui) a row of fs_windows, a reason, or a job that only usage
 * records tell of, which is then the view's. */
struct subject {
	enum kind kind;
	uint32_t row;
	const struct fs_reason *reason; /* of REASON alone */
};

struct explain_run {
	const struct invocation *inv;
	struct input input;
	const char *word, *job, *user, *account, *versus;
	const char *svg;   /* the file for the picture */
	const char *html;  /* the file for the document */
	const char *until; /* of the forecast; NULL: as far as seems best */
	bool me; /* or nothing was named: the viewer's pending jobs */
	bool ahead, advise, brief, verbose, forecast, markdown, no_pager, colour;
	enum json_form json;
	fs_snapshot *snapshot;
	fs_usage *usage;
	struct explain_past *past;
	struct fs_eval eval, from; /* from: as the view has it */
	struct outlook outlook;
	fs_shares *other; /* by the algorithm that is shown too; NULL none */
	struct explain_view view;
	struct explain_forecast ahead_of; /* what the view has of a forecast */
};

/* What of an explanation only one scheduler has. NULL: nothing is said there. */

struct explain_dialect {
	bool account_optional; /* a job without an account is nothing to mention */
	bool title_partition;  /* the title of a job's page names its partition */
	bool held_apart;       /* a held job has no place and does not age */
	bool sum_in_steps;     /* between sum and priority stand the steps of rounding and caps */
	bool sum_of_class;     /* a sum is of the job's class, not of one partition of several */
	bool direct_is_a_step; /* an administrator's priority is a step from the sum, whose terms are shown all the same */
	const char *posted_factor; /* of a job without an association: where its factor is from */
	/* Why a pending job waits, in place of the words for all schedulers. */
	void (*state)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* What mere waiting does about those ahead. */
	void (*waiting)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* the limits that apply to a job; by the plan, does one not allow what the nodes that it would get give it? */
	void (*limits)(struct page *p, const struct fs_explain_job *job, bool gets_too_much);
	/* The reservation that keeps it from starting before its planned start, if one does. */
	bool (*kept_off)(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out);
	/* A priority that something sets directly, in place of the words for all schedulers; false: they will do. */
	bool (*direct)(struct page *p, const struct fs_explain_sum *s);
	/* The rows of the sum's terms, in place of those of all schedulers; and what is said of their weights. */
	void (*terms)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_explain_sum *s, const struct sheet *d);
	void (*weights)(struct page *p, const struct fs_explain_sum *s);
	/* What would change a term of the job's sum, in place of the words for all schedulers. */
	void (*remedy)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		       const char *term);
	/* Why a stored priority, or a stored factor, differs from the one computed. */
	void (*stored_sum)(struct page *p, const struct fs_explain_sum *s);
	void (*stored_factor)(struct page *p, const struct fs_explain_path *path);
	void (*usage)(struct page *p, const struct explain_view *v, const struct fs_share_row *r); /* the page of an account */
};

extern const struct explain_dialect explain_slurm, explain_flux, explain_other;

/* What each algorithm of fair share calls its numbers, and how it explains a row of the tree. */

struct explain_algorithm {
	const char *name;
	const char *level;  /* heading of shares over usage: "LevelFS" */
	const char *other;  /* the algorithm whose result is shown too; NULL: none */
	bool exact;         /* of its kind: without the roundings of the other */
	bool ratios;        /* what a level counts follows from its ratio of usage to shares and that of its parent */
	bool finite;        /* unused shares have a large number instead of infinity */
	const char *rule;   /* how two users compare, in a sentence; NULL: it has no levels */
	void (*path)(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
};

/* Never NULL: an unknown name gets an algorithm without texts. */
const struct explain_algorithm *explain_algorithm_of(const char *name);

/* Parts of pages that only one scheduler has. */

static inline const struct nouns *nouns(const struct explain_view *v)
{
	return &v->dialect->nouns;
}

/* A row of the view's shares. */
static inline const struct fs_share_row *share_row(const struct explain_view *v, uint32_t row)
{
	return fs_shares_row(v->from->shares, row);
}

/* A job's place among the eligible ones, who is ahead of it, and what would change that; nothing if it has none.
 * cmd/explain/place.c. */
void explain_place_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Explains the job of a queue row: job->sums[*at] is the sum of that row. cmd/explain/place.c. */
bool explain_sum_of_row(const struct explain_view *v, uint32_t queue_row, struct fs_queue_row *row,
			struct fs_explain_job *job, size_t *at);

/* The verdict as a sentence, and of a job that can never start what to ask for instead. cmd/explain/limits.c. */
void explain_verdict_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- what would change a job's place */
void explain_change_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Cells of a table of shares: share, usage and, where there are levels, LevelFS. */
void explain_share_cells(struct page *p, const struct explain_view *v, const struct fs_share_row *r);

/* The factor with as many decimals, seven at least, as give the points with that many digits. */
const char *explain_value_words(char buf[WORDS], const struct fs_prio_term *t, int digits);

/* Name, value, weight and points of a line of the sum; its note and the end of the row are the caller's. */
void explain_points_row(struct page *p, const char *name, const struct fs_prio_term *t,
			const struct sheet *d, int64_t points);

/* What its runs cost, where that is known: cmd/explain/list.c */
void explain_cost_text(struct page *p, const struct explain_view *v);
double explain_past_cost(const struct explain_view *v); /* of all its runs; NAN unknown */
const char *explain_cost_unit(const struct explain_view *v);

/* Why it is not eligible; nothing of one that is: cmd/explain/limits.c */
void explain_not_eligible_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- one that has started against another job: cmd/explain/limits.c */

bool explain_has_started(const struct fs_explain_job *job); /* it runs, or has ended */
bool explain_is_suspended(const struct fs_job *j);

/* Of two jobs, one of which at least has started. */
void explain_started_text(struct page *p, const struct explain_view *v,
			  const struct fs_explain_job *a, const struct fs_explain_job *b);

/* ---- advice: cmd/explain/limits.c */

enum { ADVICE_WORDS = 2 * WORDS };

/* Does the viewer own it, or nobody in particular look? */
bool explain_is_mine(const struct explain_view *v, const struct fs_job *j);
bool explain_starts_now(const struct explain_view *v); /* in the plan that advice is compared with */
/* When it starts with that, and how much earlier that is, if it had a start. */
const char *explain_start_words(char buf[ADVICE_WORDS], const fs_snapshot *s, const struct fs_advice *a);
/* "Nothing that you can change helps", without its stop. */
const char *explain_nothing_helps(char buf[ADVICE_WORDS], const struct explain_view *v, const struct fs_job *j);
void explain_advice_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- Flux: cmd/explain/flux.c */

void explain_flux_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_flux_range_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- Maui: cmd/explain/maui.c */

/* "user", "group", "account", "QOS", "class" */
const char *kind_noun(enum fs_cred_kind kind);

/* Explains the fair-share targets and windows of the credentials that count for the job. */
void explain_windows_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- classic and DEPTH_OBLIVIOUS: cmd/explain/tree.c */

void explain_classic_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- the way through the tree: cmd/explain/tree.c */

/* Level, shares, usage, shares over usage (under that heading), and who stands beside it. */
void explain_levels_table(struct page *p, const struct explain_view *v,
			  const struct fs_explain_path *path, const char *heading);
void explain_fair_tree_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
/* The factor as its rank makes it; whose: "Fair Tree's". */
void explain_rank_factor(struct page *p, const struct fs_explain_path *path, const char *whose);
void explain_rank_text(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* The charged runs of one job: ended runs from the usage records, and the current run. */

enum { PAST_RUNS = 8 };

struct past_run {
	char user[WORDS], account[WORDS], partition[WORDS], qos[WORDS], state[WORDS];
	int64_t submit, eligible, start, end; /* of one that goes on the snapshot's time */
	int64_t ran; /* without the time it was suspended; FS_UNKNOWN: not known */
	bool running, suspended;
	double rate, factor;       /* TRES seconds a second, UsageFactor of the QOS */
	double cost, still_counts; /* TRES seconds; the second NAN while it runs */
	struct fs_bill bill;
};

/* The last PAST_RUNS of n. */
struct explain_past {
	const fs_snapshot *snapshot;
	const char *viewer;
	uint64_t job;
	struct past_run v[PAST_RUNS];
	size_t n;
};

/* Of that job, as far as the viewer may see it. Where usage cannot be computed none: that is no error. Exit status. */
int explain_read_past(struct explain_run *r, uint64_t job);

/* A page of a job that is in no other record. */
void explain_past_text(struct page *p, const struct explain_view *v);
int explain_past_json(const struct explain_view *v);

#endif
