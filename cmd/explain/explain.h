/* Internals of fs-explain: the state of one call of the command, and the functions that add sections to a page. The
 * functions for one scheduler are members of struct explain_dialect. The functions for one fair-share algorithm are
 * members of struct explain_algorithm.
 *
 * The command parses its options (cmd/explain/explain.c) and evaluates the snapshot. It finds the subject of the page:
 * a job, user, account, credential or reason. It computes the plan and advice if needed, and writes the page as text,
 * Markdown, HTML or JSON. Functions that add to a page report an allocation failure through page.failed. */
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "cmd.h"
#include "explain/text.h"
#include "input/input.h"
#include "input/script.h"
#include "render/json.h"
#include "words/words.h"
#include "dialect/dialect.h"

/* ---- writing a job's page for fs-snap ticket, which writes an archive with a snapshot and the page of one job */

struct fs_queue_row;

/* Finds the job with the given id (array tasks included) and sets *row to its job row. Returns 0, or the exit status
 * after an error message. */
int explain_find_ticket_job(const struct invocation *inv, fs_snapshot *s, const char *job, uint32_t *row);

/* Writes the job's page for the viewer to two streams, as fs-explain --markdown and --html do. Returns 0, or the exit
 * status after an error message. */
int explain_write_ticket_pages(const struct invocation *inv, fs_snapshot *s, const char *job, const char *viewer,
			       FILE *markdown, FILE *html);

/* ---- outlook: the plan of starts and the advice, which the page of a job shows */

enum { OUTLOOK_WHY = 512 };

/* The plan of starts, and the advice based on it. The caller initializes the struct to zero; outlook_free_parts frees
 * the plan and the advice. */
struct outlook {
	fs_plan *plan;
	fs_advices *advices;
	fs_causes *causes;
	/* texts that say why there is no plan (no_plan) and no advice (no_advice); "": no text */
	char no_plan[OUTLOOK_WHY], no_advice[OUTLOOK_WHY];
};

/* Computes the plan and the advice for the job, and stores them in *o and *v. `asked`: an option requests the plan or
 * the advice. Without this option, each is computed only if the queue is short enough. Neither is computed if v->usage
 * is set, because both apply only to the snapshot's time. If v->plan is set, this plan is used
 * instead of a new one, and the caller remains its owner. `name`: the job as given on the command line, for hints in
 * messages. Returns 0 (even if data is missing) or an error code of fs_plan_compute or fs_advise. */
int outlook_compute_parts(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row,
			  bool asked, const char *name, struct fs_error *err);
void outlook_free_parts(struct outlook *o);

/* ---- a job script before it is submitted: cmd/explain/script.c */

/* An option that applies to the job, or a note about the script. */
struct script_option {
	char *name, *value;
	uint64_t line;
};

struct explain_script {
	const char *file;       /* name of the script; "-": standard input; NULL: no script is explained */
	struct job_script text; /* the script that was read last */
	const char *words[64];  /* options of sbatch on the command line */
	size_t nwords;
	char command[4096];            /* the sbatch command that submits the script */
	struct script_option *options; /* options of the script and of the command line */
	size_t noptions, capacity;
	char notes[2048];         /* sentences about ignored lines, one per line */
	struct fs_error error;    /* code FS_OK: the command was applied; otherwise: why it was not */
	uint32_t first_row, jobs; /* row of the first new job, and number of new jobs */
};

enum { REFUSAL_TEXT = 1024 };

/* What must change in the request, and what would be valid. */
struct request_problem {
	uint64_t line; /* line of the script; 0: none */
	char text[REFUSAL_TEXT];
};

/* The decision about a script, as texts. */
struct script_decision {
	bool accepted;
	bool enforcement_unknown; /* member of struct fs_submission */
	bool never;               /* the job can never start */
	const char *message;      /* what sbatch prints; "": none */
	struct request_problem problem[8];
	size_t n; /* number of elements of `problem` */
};

/* Fills *d. `job`: the job that the script submits; NULL: the command was refused. Returns 0 or an error code. */
int explain_decide_submission(struct script_decision *d, const struct explain_view *v,
			      const struct explain_script *script, const struct fs_explain_job *job,
			      struct fs_error *err);
/* Sets *hours to the cost of the job in the partition of its planned start. Returns 0 or an error code. */
int explain_compute_script_cost(const struct explain_view *v, const struct fs_explain_job *job, double *hours,
				struct fs_error *err);

/* One place where the job of a script could be submitted (--where). */
struct script_place {
	const char *partition, *qos, *account;
	char reservation[128]; /* "": none */
	bool accepted;
	bool denied;             /* the reservation does not admit the job; such places are left out */
	int64_t start;           /* planned start; FS_UNKNOWN: none */
	double priority, cost;   /* NAN: unknown */
	char note[REFUSAL_TEXT]; /* why it is refused or does not start; "": none */
};
struct script_places {
	struct script_place *v;
	size_t n, capacity;
	bool cut; /* there are more than PLACES_MAX places */
};
enum { PLACES_MAX = 200 };
/* Tries all partitions, accounts, QOS and reservations that the viewer may use; the best place is first. `s`: the
 * snapshot without the job. Returns 0, or the exit status after an error message. Defined in cmd/explain/where.c. */
int explain_find_places(const struct invocation *inv, struct explain_script *script, const struct fs_view *view,
			const fs_snapshot *s, struct script_places *out);
void explain_add_places(struct page *p, const fs_snapshot *s, const struct script_places *places);
/* Prints the header lines of the best place. Returns the exit status. */
int explain_print_header(const struct invocation *inv, const struct script_places *places);

struct explain_run;
/* Removes the options of sbatch that follow the name of a script from the command line, and stores them in
 * r->script. Returns the new number of arguments. `is_own`: returns true if fs-explain has the option; sets
 * *takes_value if the next argument is its value. */
int explain_split_script_options(struct explain_script *script, int argc, char **argv,
				 bool (*is_own)(const char *word, bool *takes_value));
/* Returns true if the word can name a script: it is "-" or contains a slash, or a file with this name exists and the
 * word is no job id. */
bool explain_is_script_name(const char *word);
/* Submits the script to the snapshot with the rights of `viewer`. A refusal is stored in script->error. Returns 0, or
 * the exit status after an error message. */
int explain_submit_script(const struct invocation *inv, struct explain_script *script, const char *viewer,
			  fs_snapshot *s);
void explain_free_script(struct explain_script *script);
/* Adds the page of a script: whether the job would be accepted, when it would start and why then, and its cost. `job`:
 * NULL if the command was refused. Sets *accepted. Returns 0 or an error code. */
int explain_add_script(struct page *p, const struct explain_view *v, const struct explain_script *script,
		       const struct fs_explain_job *job, bool *accepted, struct fs_error *err);
/* Writes the JSON document of a script. `places`: NULL without --where. Sets *accepted. Returns the exit status or an
 * error code. */
int explain_write_script(const struct explain_view *v, const struct explain_script *script,
			 const struct fs_explain_job *job, const struct script_places *places, bool *accepted);
/* Adds the heading of a job's page: id, owner, account, QOS and request. Defined in cmd/explain/job.c. */
void explain_add_title(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
/* Adds the lines "When" and "Why then" of a job that would be submitted. Defined in cmd/explain/brief.c. */
void explain_add_start_lines(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
/* Writes the lines "When" and "Why then" as the keys "when" and "why". Defined in cmd/explain/brief.c. */
void explain_write_start_lines(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- the state of one call of fs-explain */

enum kind { GUESS, JOB, USER, ACCOUNT, CREDENTIAL, REASON, PAST, PART };

/* Subject of a page: what a word on the command line names. `row` is a job row or a share row; for a Maui CREDENTIAL a
 * row of fs_windows. A PAST job occurs in usage records only: its runs are in explain_view.past. */
struct subject {
	enum kind kind;
	uint32_t row;
	const struct fs_reason *reason; /* the pending reason if `kind` is REASON */
	/* the part of the cluster if `kind` is PART, and its name */
	enum fs_site_part part;
	const char *name;
};

struct explain_run {
	const struct invocation *inv;
	struct input input;
	const char *word, *job, *user, *account, *versus;
	const char *svg;  /* output file of --svg; NULL: none */
	const char *html; /* output file of --html; NULL: none */
	struct explain_script script;
	const char *until; /* value of --forecast: the end of the forecast; NULL: the default end */
	/* names of --partition, --qos, --node and --reservation, by kind of part; NULL: not given */
	const char *part[FS_SITE_PART_COUNT];
	bool site;     /* --site: explain the whole cluster */
	bool own_jobs; /* list the viewer's pending jobs, because --me is given or the command line names no subject */
	bool where, write;           /* --where and --write of a job script */
	struct script_places places; /* result of --where */
	bool ahead, advise, brief, verbose, forecast, markdown, no_pager, colour;
	enum json_form json;
	fs_snapshot *snapshot;
	fs_usage *usage;
	struct explain_past *past;
	/* `eval`: results computed from the snapshot. `view_eval`: copy of `eval` for the functions that write the
	 * page; for Maui, its member `shares` is NULL */
	struct fs_eval eval, view_eval;
	struct outlook outlook;
	fs_shares *second_shares; /* shares computed by a second algorithm, for comparison; NULL: none */
	struct explain_view view;
	struct explain_forecast forecast_inputs; /* inputs of the forecast; the view points to them */
};

/* The parts of a page that differ between schedulers. If a function pointer is NULL, no text is added. Exception: the
 * comments on some members say that NULL adds the common text, which is the same for all schedulers. */
struct explain_dialect {
	bool account_optional;     /* the title of a job's page omits the account if the job has none */
	bool title_partition;      /* the title of a job's page names its partition */
	bool held_has_no_position; /* a held job has no queue position and does not age */
	bool sum_in_steps; /* the page lists the steps from the sum to the priority, such as rounding and caps */
	bool sum_of_class; /* the heading of a priority sum names the job's class instead of a partition */
	/* If an administrator set the priority, the page still has the table with the terms of the computed sum. The
	 * last row of the table is the priority that the administrator set. */
	bool direct_is_step;
	/* text about the source of the fair-share factor, for a job without an association */
	const char *no_association_note;
	/* Adds a sentence that says why a pending job waits; NULL: the common text is added. */
	void (*state)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* Adds sentences that say whether waiting alone will move the job past jobs that are ahead of it. */
	void (*waiting)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* Adds the limits that apply to a job. `gets_too_much`: the planned allocation of the job exceeds a limit,
	 * although the job's request does not exceed it. */
	void (*limits)(struct page *p, const struct fs_explain_job *job, bool gets_too_much);
	/* Sets *out to the reservation that must end before the job can start at its planned start time `start`.
	 * Returns false if there is no such reservation. */
	bool (*find_blocker)(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out);
	/* Adds the text about a priority set by an administrator or by the urgency. If the function returns false or is
	 * NULL, the common text is added. */
	bool (*direct)(struct page *p, const struct fs_explain_sum *s);
	/* `terms`: adds one table row per term of the priority sum; NULL: the common rows are added. `weights`: adds a
	 * sentence with the configured weights from which each term's weight is computed. */
	void (*terms)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_explain_sum *s, const struct sum_decimals *d);
	void (*weights)(struct page *p, const struct fs_explain_sum *s);
	/* Adds a sentence that says what would raise the term `term` of the job's priority sum; NULL: the common text
	 * is added. */
	void (*remedy)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		       const char *term);
	/* `stored_sum`: adds a sentence that says why the priority that the scheduler stored differs from the computed
	 * priority. `stored_factor`: adds a sentence that says why the stored fair-share factor differs from the
	 * computed factor; NULL: the common text is added. */
	void (*stored_sum)(struct page *p, const struct fs_explain_sum *s);
	void (*stored_factor)(struct page *p, const struct fs_explain_path *path);
	/* Adds the usage of an account or user; NULL: the common text is added. */
	void (*usage)(struct page *p, const struct explain_view *v, const struct fs_share_row *r);
};

extern const struct explain_dialect explain_slurm, explain_flux, explain_other;

/* The words that pages use for a fair-share algorithm, and the function that explains the factor of a share row. */
struct explain_algorithm {
	const char *name;
	const char *level;         /* heading of the column with shares divided by usage: "LevelFS" */
	const char *compared_with; /* name of the algorithm whose result is shown for comparison; NULL: none */
	/* true: the algorithm does not round sums and weights, but the algorithm `compared_with` does */
	bool exact;
	/* depth_oblivious: effective usage of a row depends on two ratios of usage to shares: the row's own ratio and
	 * its parent's */
	bool ratios;
	/* factors depend on the usage of earlier calculations, which the scheduler does not print */
	bool uses_earlier_usage;
	/* if usage is 0, shares divided by usage is a large number instead of infinity */
	bool finite_when_unused;
	/* sentence about how the algorithm compares two users; NULL: the algorithm does not rank by levels */
	const char *rule;
	void (*path)(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
};

/* Returns the texts for the algorithm with this name, never NULL. If the name is unknown, returns texts with an empty
 * name. */
const struct explain_algorithm *explain_get_algorithm(const char *name);

/* ---- sections and cells of pages */

/* Returns the share row with the index `row`. */
static inline const struct fs_share_row *get_share_row(const struct explain_view *v, uint32_t row)
{
	return fs_shares_row(v->eval->shares, row);
}

/* Adds the job's position among the eligible jobs, which jobs are ahead, and what would change the position. Adds
 * nothing if the job has no position. Defined in cmd/explain/place.c. */
void explain_add_position(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Finds the priority sum that belongs to a queue row, which is one job in one partition with one QOS. Sets *row to the
 * queue row, *job to the explanation of its job, and *at to the index of the sum in job->sums. Returns false if the job
 * has no sum for the queue row, or if out of memory. Defined in cmd/explain/place.c. */
bool explain_find_sum_of_row(const struct explain_view *v, uint32_t queue_row, struct fs_queue_row *row,
			     struct fs_explain_job *job, size_t *at);

/* Adds the verdict, the single answer to the question why the job waits, as a sentence. If the job can never start,
 * also adds what must change. Defined in cmd/explain/limits.c. */
void explain_add_verdict(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Adds sentences that say what would change the job's position. Defined in cmd/explain/place.c. */
void explain_add_position_changes(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* Adds cells to the current row of a share table: shares, usage and, if the algorithm ranks by levels, shares divided
 * by usage (LevelFS). */
void explain_add_share_cells(struct page *p, const struct explain_view *v, const struct fs_share_row *r);

/* Formats the value of a priority term with at least seven decimals. Adds decimals until value times weight, rounded to
 * `digits` decimals, gives the printed points of the term. */
const char *explain_format_factor(char buf[WORDS], const struct fs_prio_term *t, int digits);

/* Adds the cells name, value, weight and points of a priority term to the current table row. The caller adds the note
 * cell and ends the row. */
void explain_add_points_cells(struct page *p, const char *name, const struct fs_prio_term *t,
			      const struct sum_decimals *d, int64_t points);

/* Adds a table with the cost of each run of the job. A requeued job has more than one run. Adds nothing if the cost is
 * not known. Defined in cmd/explain/list.c. */
void explain_add_cost(struct page *p, const struct explain_view *v);
/* Returns the total cost of all runs of the job; NAN: it is not known, or the job had more than PAST_RUNS runs. */
double explain_get_past_cost(const struct explain_view *v);
const char *explain_get_cost_unit(const struct explain_view *v);

/* Adds a sentence that says why the job is not eligible; adds nothing if the job is eligible. Defined in
 * cmd/explain/limits.c. */
void explain_add_not_eligible(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- comparison of a job that has started with another job: cmd/explain/limits.c */

bool explain_has_job_started(const struct fs_explain_job *job); /* returns true if the job runs or has ended */
bool explain_is_job_suspended(const struct fs_job *j);

/* Adds sentences about the starts of two jobs; at least one job must have started. If one job is pending, the
 * sentences also say whether it was submitted and eligible when the other job started. If the pending job is not
 * eligible at the snapshot's time, they say why. */
void explain_add_started_pair(struct page *p, const struct explain_view *v, const struct fs_explain_job *a,
			      const struct fs_explain_job *b);

/* ---- advice: cmd/explain/advice.c */

enum { ADVICE_WORDS = 2 * WORDS };

/* Returns true if the viewer owns the job, or if the viewer or the owner is unknown. */
bool explain_is_viewers_job(const struct explain_view *v, const struct fs_job *j);
/* Returns true if the plan starts the job now, without any advised change. */
bool explain_is_start_now(const struct explain_view *v);
/* Formats the job's planned start with the advised change. If a start without the change is planned too, the text ends
 * with the time that the change gains: ", 2:00:00 earlier". */
const char *explain_format_start(char buf[ADVICE_WORDS], const fs_snapshot *s, const struct fs_advice *a);
/* Returns the planned start without the cause: "now", or its time, formatted in buf. The start must be known. */
const char *explain_format_start_without(char buf[WORDS], const struct explain_view *v, const struct fs_cause *x);
/* Formats "No single change by you reliably makes its wait a tenth shorter" without a full stop; if the job has no
 * planned start, "No single change by you gives it a reliable start". For another user's job, the user's name replaces
 * "you". */
const char *explain_format_nothing_helps(char buf[ADVICE_WORDS], const struct explain_view *v, const struct fs_job *j);
/* Returns the name of a role other than the owner, with its article: "an operator". */
const char *explain_get_role_name(const struct explain_view *v, enum fs_who who);
/* Adds the values that an advised change replaces, and what each costs the job, to the current paragraph. */
void explain_add_advice_changes(struct page *p, const fs_snapshot *s, const struct fs_advice *a);
/* Returns true if a page may show the remedy of a job that can never start (format_verdict_remedy). Returns false if
 * changes of the same kind were tried as advice. */
bool explain_has_remedy(const struct explain_view *v, const struct fs_verdict *verdict);
void explain_add_advice(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- Flux: cmd/explain/flux.c */

void explain_add_flux_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_add_flux_range_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- Maui: cmd/explain/maui.c */

/* Returns the word for a kind of credential: "user", "group", "account", "QOS" or "class". */
const char *get_credential_term(enum fs_cred_kind kind);

/* Adds the fair-share targets and windows of each credential that contributes to the job's priority, and of the
 * credential whose fair-share cap blocks the job. */
void explain_windows_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- classic fair share and DEPTH_OBLIVIOUS: cmd/explain/tree.c */

void explain_add_classic_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- the path through the share tree: cmd/explain/tree.c */

/* Adds a table with one row for each level of the path through the share tree. The columns are shares, usage, shares
 * divided by usage, and the siblings that rank just before and just after the row. `heading`: heading of the column
 * with shares divided by usage. */
void explain_add_levels_table(struct page *p, const struct explain_view *v, const struct fs_explain_path *path,
			      const char *heading);
void explain_add_fair_tree_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
/* Adds a sentence that shows how the factor is computed: the rank divided by the number of users. `possessive`: name of
 * the algorithm, such as "Fair Tree's". */
void explain_add_rank_factor(struct page *p, const struct fs_explain_path *path, const char *possessive);
void explain_add_rank(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- the runs (executions) of one job and the cost of each run: ended runs, which are in usage records, and the
 * current run */

enum { PAST_RUNS = 8 };

struct past_run {
	char user[WORDS], account[WORDS], partition[WORDS], qos[WORDS], state[WORDS];
	/* times of the run (execution), seconds since the epoch; for the current run, `end` is the snapshot's time */
	int64_t submit, eligible, start, end;
	int64_t ran; /* run time in seconds without suspended time; FS_UNKNOWN: not known */
	bool running, suspended;
	/* `rate`: TRES seconds that the run uses per second; `factor`: UsageFactor of the QOS */
	double rate, factor;
	/* `cost`: cost of the run in TRES seconds; `still_counts`: the part of `cost` that is left after decay, NAN if
	 * the job runs */
	double cost, still_counts;
	struct fs_bill bill;
};

/* The last PAST_RUNS runs (executions) of a job. If `n` runs were stored, run number i (0-based) is v[i % PAST_RUNS],
 * unless a later run has overwritten it. */
struct explain_past {
	const fs_snapshot *snapshot;
	const char *viewer;
	uint64_t job;
	struct past_run v[PAST_RUNS];
	size_t n;
};

/* Reads the job's runs that the viewer may see into r->past, and sets r->view.past if there are any. If usage cannot be
 * computed, reads no runs and returns 0. Returns the exit status if out of memory. */
int explain_read_past_runs(struct explain_run *r, uint64_t job);

/* Adds the page of a job that occurs in usage records only. */
void explain_add_past_job(struct page *p, const struct explain_view *v);
int explain_write_past_job(const struct explain_view *v);

#endif
