/* fs-showq: prints the queue in the layout of an emulated showq, and plans the starts of pending jobs.
 *
 * One call of fs-showq is a struct showq_run. The layout (struct showq_style) is selected by --style, else by the
 * scheduler of the snapshot:
 *	fasrc	Harvard's slurm_showq (cmd/showq/layout.c)
 *	tacc	TACC's slurm_showq (cmd/showq/rows.c)
 *	maui	Maui's showq (cmd/showq/maui.c)
 *	flux	the sections of showq with the columns of `flux jobs` (cmd/showq/jobs.c)
 * The layouts of Slurm (fasrc, tacc) are data: their sections, columns, and the section and state text for each pending
 * reason. showq_load_jobs loads their jobs and showq_print_layout prints them. The layouts of Maui and Flux each have a
 * function that prints the page from the lists of showq_lists_load.
 *
 * Under the name `showq`, or with --strict-compat (member strict), fs-showq reproduces the emulated tool, including its
 * defects. Otherwise it corrects the defects. */
#ifndef SHOWQ_SHOWQ_H
#define SHOWQ_SHOWQ_H

#include "fs/eval.h"
#include "fs/cause.h"
#include "fs/plan.h"
#include "fs/queue.h"
#include "input/input.h"
#include "render/json.h"
#include "options/options.h"
#include "columns/column.h"

/* Sections of a page, in the order in which they are printed. SHOWQ_ERRORED contains completing and suspended jobs, and
 * pending jobs that can never start. */
enum showq_section_id { SHOWQ_ACTIVE, SHOWQ_WAITING, SHOWQ_BLOCKED, SHOWQ_ERRORED, SHOWQ_SECTION_COUNT };

/* What the cells of a column contain. */
enum showq_cell_content {
	CELL_END, /* marks the end of a list of columns */
	CELL_ID,
	CELL_NAME,  /* the first 10 bytes of the job name */
	CELL_USER,  /* the first 14 bytes of the user name */
	CELL_STATE, /* the job's state in the words of the emulated tool */
	CELL_CPUS,
	CELL_GPUS,
	CELL_NODES,
	/* the first 14 bytes of the list of the job's partitions, which are separated by commas */
	CELL_PARTITIONS,
	CELL_TIME_LEFT,       /* time that is left until the job reaches its time limit */
	CELL_TIME_LEFT_HOURS, /* time left until the time limit; "Unknown" if less than an hour is left */
	CELL_TIME_LIMIT,      /* time limit of the job */
	CELL_START_TIME,
	CELL_SUBMIT_TIME
};

struct showq_column {
	enum showq_cell_content cell;
	int width;                  /* width of the cell in bytes; for a duration, the width of the hours only */
	const char *before, *after; /* texts printed before and after the cell */
};

struct showq_section {
	const char *title;
	const char *heading[2]; /* [0]: heading of the short format; [1]: heading of the long format (-l) */
	int rule[2];            /* number of '=' in the rule below the heading, for the short and the long format */
	const struct showq_column *columns[2];
};

struct showq_run;
struct showq_job;

/* A layout of the page. */
struct showq_style {
	enum style style;
	/* Prints the whole page and returns the exit status. NULL: showq_print_layout prints the page, as the other
	 * members of this struct describe it. */
	int (*print_page)(struct showq_run *r);
	/* Parses the command line as the emulated tool does. If NULL, the command line is parsed as fs-showq does. */
	void (*parse_arguments)(struct showq_run *r, int argc, char **argv);
	/* Applies the options that only this layout has. Returns -1 to continue, or an exit status. NULL: the layout
	 * has no such options. */
	int (*check_options)(struct showq_run *r);
	struct showq_section sections[SHOWQ_SECTION_COUNT];
	/* returns the emulated tool's entry for a reason: section UNLISTED if the tool does not know the reason */
	struct fs_showq_entry (*get_entry)(const struct fs_reason *reason);
	const char *unlisted_state;         /* text in the column STATE for blocked jobs with an unknown reason */
	const char *version;                /* version that is printed under the name of the emulated tool */
	int active_count_width;             /* width of the field for the number of active jobs */
	/* strict mode does not list a running job over its time limit, but prints a warning */
	bool drops_over_limit_jobs;
	/* BLOCKED lists the blocked jobs of all partitions. For root, or with -b, it lists the jobs of all users;
	 * otherwise only the jobs of showq_run.user */
	bool blocked_ignores_filters;
	bool errored_needs_blocked;   /* in strict mode, ERRORED is not printed if there are no blocked jobs */
	/* in strict mode, a job whose reason the emulated tool does not know is listed in BLOCKED, but not included in
	 * the printed number of blocked jobs */
	bool unknown_is_blocked;
	bool has_partition_options;   /* the emulated tool has the options -p, -q, -o, -s and -b */
	/* Functions that print lines of the page; NULL: the page does not have the lines. */
	void (*print_top_lines)(struct showq_run *r);    /* prints the lines above the first section */
	/* prints the utilization of the cluster, after the number of active jobs */
	void (*print_utilisation)(struct showq_run *r);
	void (*print_bottom_lines)(struct showq_run *r); /* prints the lines after the totals */
};

extern const struct showq_style showq_fasrc, showq_tacc, showq_flux;

/* A job of the page. The struct is small, because there may be a million jobs. The other fields of a job are read from
 * the snapshot when the job is printed. */
struct showq_job {
	uint32_t row;  /* job row in the snapshot */
	/* 1-based position in the scheduling order; 0: the job is not eligible, or the queue was not computed */
	uint32_t rank;
	const char *state_text;
	double priority;       /* priority of the job; NAN: unknown */
	uint32_t previous_row; /* job row of the preceding eligible job; not set if order_key is FS_QUEUE_KEY_NONE */
	/* an enum fs_queue_key: the criterion by which the job is ordered after the preceding job */
	uint8_t order_key;
	uint8_t section;       /* section of the page that lists the job (enum showq_section_id) */
	bool has_known_reason; /* the emulated tool lists the job's reason; also true for a job that is not pending */
	bool is_pending;       /* the job's state is PENDING */
};

/* Totals of a page. */
struct showq_counts {
	unsigned active, idle, blocked;            /* numbers of active, idle and blocked jobs */
	/* totals of the active jobs: CPUs, GPUs, distinct nodes, and the sum of the jobs' numbers of nodes */
	int64_t cpus, gpus, nodes, node_count_sum;
};

struct dialect;

/* One call of fs-showq: its options, the snapshot, and the loaded jobs. */
struct showq_run {
	const struct invocation *inv;
	struct input input;
	bool long_format, show_blocked, own_jobs_only, summary_only, by_priority, strict, plan, why, version, metrics;
	bool names_missing;           /* a user or partition named by the options is unknown */
	/* `help`: help was requested; `arguments_invalid`: an option is invalid. In strict mode, each of the two makes
	 * fs-showq print the usage text */
	bool help, arguments_invalid;
	enum json_form json;
	bool only_idle, only_running, verbose; /* options -i, -r and -v of Maui's showq */
	/* argument after -u, which names the user for Maui's showq; NULL: none */
	const char *argument_after_u;
	/* value of -p of Maui's showq, printed above the lists; NULL: not given, or the value is ALL */
	const char *named_partition;
	/* list only jobs of this user (-U; in Maui's layout -u); NULL: not given */
	const char *only_user;
	/* list only jobs of this partition (-p); NULL: list jobs of all partitions */
	const char *partition;
	const char *start;                     /* value of --start, a job id; NULL: not given */
	const char *svg;                       /* value of --svg, a file; NULL: not given */
	const char *config;                    /* value of --config, a file; NULL: not given */
	const char *program;                   /* argv[0]; showq.conf is searched for in the folder of this program */
	const struct showq_style *style;
	fs_snapshot *snapshot;
	const struct dialect *dialect;
	const struct fs_snapshot_info *info;
	const char *user;        /* user given by -U, else the viewer */
	int64_t hosts_available; /* value of hosts_available in showq.conf; 0: not set */
	char config_file[512];   /* path of showq.conf */
	bool config_found;       /* showq.conf was opened */
	bool config_is_custom;   /* the path of showq.conf was set by --config or $TACC_SHOWQ_CONF */
	struct showq_job *jobs;  /* the listed jobs that the viewer may see, in the order of the snapshot */
	size_t n;
	fs_queue *queue; /* the queue; NULL: the scheduling order was not needed */
	struct showq_counts counts;
	bool *oom; /* set to true if memory ran out; the output is then incomplete */
};

/* Sets r->jobs to the jobs of the page. Returns 0, or the exit status after an error message. */
int showq_load_jobs(struct showq_run *r);

/* Parses the command line as Harvard's showq does. */
void showq_parse_harvard_arguments(struct showq_run *r, int argc, char **argv);

/* Returns true if only the jobs of one user are listed (-u, -U). */
bool showq_has_user_filter(const struct showq_run *r);

/* Returns libfs's entry for the reason of a pending job; NULL if libfs does not know the reason. */
static inline const struct fs_reason *showq_get_job_reason(const struct showq_run *r, const struct showq_job *j)
{
	const struct fs_reason *reason;

	fs_job_section(r->snapshot, j->row, &reason);
	return reason;
}

static inline struct fs_job showq_get_job(const struct showq_run *r, const struct showq_job *j)
{
	struct fs_job job;

	fs_snapshot_job(r->snapshot, j->row, &job);
	return job;
}

/* Return true if the job belongs to the requested user or partition. Also return true if no user or partition is
 * requested. */
bool showq_matches_user(const struct showq_run *r, const struct fs_job *job);
bool showq_matches_partition(const struct showq_run *r, uint32_t row);

/* Prints the title, heading and rule of a section. */
void showq_print_heading(const struct showq_run *r, enum showq_section_id section);

/* Prints the row of a job. With --why, adds a text to the row of a pending job: "priority: behind 1009", "first", or
 * the verdict on a job that is not eligible. */
void showq_print_row(const struct showq_run *r, enum showq_section_id section, const struct showq_job *job);

/* Prints the verdict on a job (fs/verdict.h: why it waits) as part of a sentence. If out of memory, sets *r->oom and
 * prints nothing. */
void showq_print_verdict(const struct showq_run *r, const fs_queue *q, uint32_t job_row);

/* Returns the amount of the first TRES of the job's request whose name contains "gpu"; 0 if there is none. */
int64_t showq_get_job_gpus(const fs_snapshot *s, uint32_t row);

/* Returns the seconds until the job's time limit, negative after the limit; FS_UNKNOWN if the limit is unknown. If the
 * start time is unknown, 0 (the epoch) is used instead, as in the emulated tools. */
int64_t showq_get_time_left_s(const struct showq_run *r, const struct fs_job *job);

/* Formats a time in the time zone of the snapshot. The text has the form of the first 19 bytes of ctime(3): "Sun Sep 13
 * 12:26:40". */
void showq_format_date(const struct showq_run *r, char text[32], int64_t time);

/* Formats `local`, a time to which the UTC offset was added already: "2026-11-21T13:00:00". Writes "?" if the time
 * cannot be converted. */
void showq_format_iso_time(char text[24], int64_t local);

/* Each function prints a page and returns the exit status. showq_print_layout prints the queue in a layout of Slurm.
 * The other functions print the output of --openmetrics, --plan, --start and --svg. */
int showq_print_layout(struct showq_run *r);
int showq_print_metrics(struct showq_run *r);
int showq_print_plan(struct showq_run *r);
int showq_print_start(struct showq_run *r);
int showq_draw_plan(struct showq_run *r);

/* ---- rows for option tables: options that set a member of struct showq_run */

enum { OPT_STRICT = OPT_FIRST_FREE, OPT_PLAN, OPT_START, OPT_SHOWQ_FREE };
#define SHOWQ_STYLES "fasrc, tacc, maui or flux", "fasrc tacc maui flux"
#define SHOWQ_JSON_OPTION JSON_OPTION("schema fs-showq/1, with --plan also planned starts")
#define SHOWQ_START_OPTIONS \
	OPTION_HEADING("Start times"), \
		{ OPT_PLAN, "plan", NULL, "show when each pending job may start, in scheduling order", SHOWQ_SETS(plan) }, \
	{ \
		OPT_START, "start", "JOB", "estimate one job's start: recorded, by priority, with backfill", \
			SHOWQ_SETS(start) \
	}
#define SHOWQ_STRICT_OPTION \
	{ OPT_STRICT, "strict-compat", NULL, "reproduce the original tool's defects too", SHOWQ_SETS(strict) }
#define SHOWQ_SETS(member) OPTION_SETS(struct showq_run, member)
#define SHOWQ_SETS_OF(member, values) OPTION_SETS_OF(struct showq_run, member, values)

/* The jobs on a page of Maui or Flux. showq_lists_release frees the contents. */

struct showq_lists {
	uint32_t *active;             /* job rows of the running, completing and suspended jobs */
	struct fs_queue_row *eligible;    /* eligible jobs, in scheduling order */
	struct fs_queue_row *blocked; /* blocked jobs, in the order of the scheduler's job table */
	size_t nactive, neligible, nblocked;
	fs_queue *queue; /* the queue, which owns the strings of the queue rows */
};

/* Sets *out to the requested jobs that the viewer may see. Returns 0, or the exit status after an error message. */
int showq_lists_load(const struct showq_run *r, struct showq_lists *out);
void showq_lists_release(struct showq_lists *l);

/* Compares two job rows by the positions of the jobs in the scheduler's job table. Jobs without a known position come
 * last, ordered by job row. */
int showq_compare_table_order(const fs_snapshot *s, uint32_t a, uint32_t b);

/* Prints two blanks and the text that --why adds to the row of a pending job. For an eligible job, the text is "first"
 * or "priority: behind 1009". For any other job, the text is the verdict on the job. `previous`: id of the job ahead,
 * such as "1009"; NULL: there is none. */
void showq_print_order_text(const struct showq_run *r, const fs_queue *q, const struct fs_queue_row *row,
			    const char *previous);

/* ---- planned starts, for --plan, --start and JSON */

/* Computes the plan of starts for the plan mode `mode`. Returns 0, or the exit status after an error message. */
int showq_compute_plan(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out);

/* Sets *row to the index of the first row of the plan that is for job `id` and that the viewer may see. Returns 0. If
 * there is no such row, prints an error message and returns EXIT_NOTHING. */
int showq_find_plan_row(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row);

/* Sets *id to the job id given by --start. Returns 0, or the exit status after an error message. */
int showq_parse_start_job(const struct showq_run *r, uint64_t *id);

/* The call of fs-showq and its plan. The argument `of` of the column functions for planned starts points to this
 * struct. */
struct showq_plan_context {
	const struct showq_run *r;
	const fs_plan *plan;
	const fs_delays *delays; /* jobs that delay the rows of `plan`; NULL: not computed */
};

/* With --why, sets *out to the jobs that delay the rows of the plan; otherwise to NULL. Returns 0, or the exit status
 * after an error message. */
int showq_find_delays(const struct showq_run *r, const fs_plan *p, fs_delays **out);

/* A planned start: one row of a plan. */
struct showq_planned_start {
	struct fs_plan_row row;
	struct fs_job job;
	size_t plan_index; /* index of `row` in the plan */
};

/* Writes the members of a planned start into the open JSON object. */
void showq_write_plan_json(struct fs_json *j, const struct showq_plan_context *of,
			   const struct showq_planned_start *planned);

/* A row of --start: one estimate of the job's start. */
struct showq_start_estimate {
	const char *name;   /* planning method: "recorded", "plan by priority", "plan with backfill" or "likely" */
	/* "estimate" (recorded start), "simulated" (likely start), "none", or the state of the job in the plan */
	const char *plan;
	const char *nodes;  /* list of nodes; "-": unknown */
	int64_t start_time; /* estimated start, seconds since the epoch; FS_UNKNOWN: none */
};

#endif
