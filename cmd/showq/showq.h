/* fs-showq: prints the queue in the layout of an emulated showq, and plans the starts of pending jobs.
 *
 * One call of fs-showq is a struct showq_run. The layout (struct showq_style) is selected by --style, else by the
 * scheduler of the snapshot:
 *	fasrc	Harvard's slurm_showq (cmd/showq/layout.c)
 *	tacc	TACC's slurm_showq (cmd/showq/rows.c)
 *	maui	Maui's showq (cmd/showq/maui.c)
 *	flux	sections like showq with the columns of `flux jobs` (cmd/showq/jobs.c)
 * The layouts of Slurm are data: their sections, columns, and the section and state text for each pending reason. They
 * load the jobs with showq_load_jobs and print them with showq_print_layout. The layouts of Maui and Flux print their
 * page with a function of their own, from the lists of showq_lists_load.
 *
 * Under the name `showq`, or with --strict-compat (member strict), fs-showq reproduces the emulated tool, including its
 * defects. Otherwise it corrects the defects. */
#ifndef SHOWQ_SHOWQ_H
#define SHOWQ_SHOWQ_H

#include "fs/eval.h"
#include "fs/plan.h"
#include "fs/queue.h"
#include "input/input.h"
#include "render/json.h"
#include "options/options.h"
#include "columns/column.h"

/* Sections of a page, in the order in which they are printed. ERRORED: completing and suspended jobs, and pending jobs
 * that can never start. */
enum showq_section_id { SHOWQ_ACTIVE, SHOWQ_WAITING, SHOWQ_BLOCKED, SHOWQ_ERRORED, SHOWQ_SECTION_COUNT };

/* Content of a column. */
enum showq_cell_content {
	CELL_END, /* ends the list of columns */
	CELL_ID,
	CELL_NAME,  /* the first 10 bytes of the job name */
	CELL_USER,  /* the first 14 bytes of the user name */
	CELL_STATE, /* state text of the tool */
	CELL_CPUS,
	CELL_GPUS,
	CELL_NODES,
	CELL_PARTITIONS,      /* the first 14 bytes of the job's partitions, separated by commas */
	CELL_TIME_LEFT,       /* time until the time limit */
	CELL_TIME_LEFT_HOURS, /* time until the time limit; "Unknown" if less than an hour */
	CELL_TIME_LIMIT,      /* time limit */
	CELL_START_TIME,
	CELL_SUBMIT_TIME
};

struct showq_column {
	enum showq_cell_content cell;
	int width;                  /* in bytes; of a time: width of the hours */
	const char *before, *after; /* printed before and after the cell */
};

struct showq_section {
	const char *title;
	const char *heading[2]; /* [0]: short format; [1]: long format (-l) */
	int rule[2];            /* number of '=' below the heading */
	const struct showq_column *columns[2];
};

/* Section and state text of pending jobs with a given reason. */
struct showq_reason {
	const char *name; /* reason as Slurm prints it */
	enum showq_section_id section;
	const char *state_text;
};

struct showq_run;
struct showq_job;

/* A layout. */
struct showq_style {
	enum style style;
	/* Prints the whole page and returns the exit status; the members from `sections` on are unused. NULL:
	 * showq_print_layout prints the page. */
	int (*print_page)(struct showq_run *r);
	/* Sets the section and state text of a job; returns false if the job is not listed. NULL: by the reason of the
	 * job. */
	bool (*assign_section)(const struct showq_run *r, const struct fs_job *job, struct showq_job *j);
	/* Parses the command line as the emulated tool does. NULL: as fs-showq does. */
	void (*parse_arguments)(struct showq_run *r, int argc, char **argv);
	/* Applies the options that only this layout has. Returns -1 to continue, or an exit status. NULL: it has
	 * none. */
	int (*check_options)(struct showq_run *r);
	struct showq_section sections[SHOWQ_SECTION_COUNT];
	const struct showq_reason *reasons; /* the last entry has the name NULL and is used for unlisted reasons */
	const char *version;                /* version printed under the name of the tool */
	int active_count_width;             /* width of the number of active jobs */
	bool drops_over_limit_jobs;         /* strict: a warning replaces a running job over its time limit */
	bool blocked_ignores_filters; /* BLOCKED lists the jobs of `user` (all for root or with -b) in all partitions */
	bool errored_needs_blocked;   /* strict: ERRORED is printed only if jobs are blocked */
	bool unknown_is_blocked;      /* strict: BLOCKED lists jobs with an unlisted reason, uncounted */
	bool has_partition_options;   /* the tool has the options -p, -q, -o, -s and -b */
	/* NULL: no such lines */
	void (*print_top_lines)(struct showq_run *r);    /* prints the lines above the first section */
	void (*print_utilisation)(struct showq_run *r);  /* prints the utilisation after the number of active jobs */
	void (*print_bottom_lines)(struct showq_run *r); /* prints the lines after the totals */
};

extern const struct showq_style showq_fasrc, showq_tacc, showq_flux;

/* A job of the page. The struct is small because there may be a million jobs; other fields are read from the snapshot
 * when the job is printed. */
struct showq_job {
	uint32_t row;  /* job row of the snapshot */
	uint32_t rank; /* position in scheduling order, from 1; 0: not eligible, or the queue was not loaded */
	const char *state_text;
	double priority;       /* NAN: unknown */
	uint32_t previous_row; /* job row of the preceding eligible job, if order_key is not FS_QUEUE_KEY_NONE */
	uint8_t order_key;     /* enum fs_queue_key that orders the job after the preceding one */
	uint8_t section;       /* enum showq_section_id */
	bool has_known_reason; /* the job is not pending, or its reason is listed in the style's reasons */
	bool is_pending;       /* the state is PENDING */
};

/* Totals of a page. */
struct showq_counts {
	unsigned active, idle, blocked;            /* numbers of jobs */
	int64_t cpus, gpus, nodes, node_count_sum; /* of active jobs: sums; nodes: number of distinct nodes */
};

struct dialect;

/* One call of fs-showq: options, the snapshot, and the loaded jobs. */
struct showq_run {
	const struct invocation *inv;
	struct input input;
	bool long_format, show_blocked, own_jobs_only, summary_only, by_priority, strict, plan, why, version, metrics;
	bool names_missing;           /* a requested user or partition is unknown */
	bool help, arguments_invalid; /* strict: print the usage, because it is requested or an option is unknown */
	enum json_form json;
	bool only_idle, only_running, verbose; /* -i, -r, -v of Maui's showq */
	const char *argument_after_u;          /* argument after -u, which is the user in Maui's showq; NULL: none */
	const char *named_partition;           /* -p of Maui's showq, unless ALL: shown above the lists; NULL: none */
	const char *only_user;                 /* only jobs of this user (-U, Maui: -u); NULL: not given */
	const char *partition;                 /* only jobs of this partition (-p); NULL: all */
	const char *start;                     /* job id of --start; NULL: not given */
	const char *svg;                       /* file of --svg; NULL: not given */
	const char *config;                    /* file of --config; NULL: not given */
	const char *program;                   /* argv[0]; showq.conf is searched beside it */
	const struct showq_style *style;
	fs_snapshot *snapshot;
	const struct dialect *dialect;
	const struct fs_snapshot_info *info;
	const char *user;        /* user of -U, else the viewer */
	int64_t hosts_available; /* hosts_available of showq.conf; 0: not set */
	char config_file[512];   /* path of showq.conf */
	bool config_found;       /* showq.conf was opened */
	bool config_is_custom;   /* the path of showq.conf was set by --config or $TACC_SHOWQ_CONF */
	struct showq_job *jobs;  /* listed jobs that the viewer may see, in the order of the snapshot */
	size_t n;
	fs_queue *queue; /* NULL if the scheduling order was not needed */
	struct showq_counts counts;
	bool *oom; /* set if out of memory: some text was left out */
};

/* Fills r->jobs. Returns 0, or the exit status after an error message. */
int showq_load_jobs(struct showq_run *r);

/* Parses the command line as the showq of Harvard does. */
void showq_parse_harvard_arguments(struct showq_run *r, int argc, char **argv);

/* Returns true if only the jobs of one user are listed (-u, -U). */
bool showq_has_user_filter(const struct showq_run *r);

/* Returns the reason of a pending job; NULL if it is not a known reason. */
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

/* Return true if the job is of the requested user or partition, or if none is requested. */
bool showq_matches_user(const struct showq_run *r, const struct fs_job *job);
bool showq_matches_partition(const struct showq_run *r, uint32_t row);

/* Prints the title, heading and rule of a section. */
void showq_print_heading(const struct showq_run *r, enum showq_section_id section);

/* Prints the row of a job. With --why, adds the reason why it comes after the preceding job, or what blocks it. */
void showq_print_row(const struct showq_run *r, enum showq_section_id section, const struct showq_job *job);

/* Prints the verdict on a job as a clause. Sets *r->oom and prints nothing if out of memory. */
void showq_print_verdict(const struct showq_run *r, const fs_queue *q, uint32_t job_row);

/* Returns the amount of the first TRES of the job's request whose name contains "gpu"; 0 if there is none. */
int64_t showq_get_job_gpus(const fs_snapshot *s, uint32_t row);

/* Returns the seconds until the job's time limit, negative after it; FS_UNKNOWN if the limit is unknown. An unknown
 * start counts as 0, as in the tools. */
int64_t showq_get_time_left_s(const struct showq_run *r, const struct fs_job *job);

/* Formats a time in the time zone of the snapshot as the first 19 bytes of ctime(3): "Sun Sep 13 12:26:40". */
void showq_format_date(const struct showq_run *r, char text[32], int64_t time);

/* Formats a local time: "2026-11-21T13:00:00"; "?" if it cannot be converted. */
void showq_format_iso_time(char text[24], int64_t local);

/* Print a page and return the exit status. showq_print_layout prints the queue in a layout of Slurm; the others print
 * the output of --openmetrics, --plan, --start and --svg. */
int showq_print_layout(struct showq_run *r);
int showq_print_metrics(struct showq_run *r);
int showq_print_plan(struct showq_run *r);
int showq_print_start(struct showq_run *r);
int showq_draw_plan(struct showq_run *r);

/* ---- rows of the option table, and how they set members of struct showq_run */

enum { OPT_STRICT = OPT_FIRST_FREE, OPT_PLAN, OPT_START, OPT_SHOWQ_FREE };
#define SHOWQ_STYLES "fasrc, tacc, maui or flux", "fasrc tacc maui flux"
#define SHOWQ_JSON_OPTION JSON_OPTION("schema fs-showq/1, with --plan the starts too")
#define SHOWQ_START_OPTIONS \
	OPTION_HEADING("Start times"), \
		{ OPT_PLAN, "plan", NULL, "when each pending job may start, by simulation", SHOWQ_SETS(plan) }, \
	{ \
		OPT_START, "start", "JOB", "one job's start: as recorded, by priority alone, with backfill", \
			SHOWQ_SETS(start) \
	}
#define SHOWQ_STRICT_OPTION { OPT_STRICT, "strict-compat", NULL, "the tool's own defects too", SHOWQ_SETS(strict) }
#define SHOWQ_SETS(member) OPTION_SETS(struct showq_run, member)
#define SHOWQ_SETS_OF(member, values) OPTION_SETS_OF(struct showq_run, member, values)

/* The jobs of a page of Maui or Flux. showq_lists_release frees them. */

struct showq_lists {
	uint32_t *active;             /* job rows of running, completing and suspended jobs */
	struct fs_queue_row *eligible;    /* eligible jobs, in scheduling order */
	struct fs_queue_row *blocked; /* blocked jobs, in the order of the scheduler's job table */
	size_t nactive, neligible, nblocked;
	fs_queue *queue; /* owns the strings of the queue rows */
};

/* Lists the requested jobs that the viewer may see. Returns 0, or the exit status after an error message. */
int showq_lists_load(const struct showq_run *r, struct showq_lists *out);
void showq_lists_release(struct showq_lists *l);

/* Compares two job rows by the jobs' positions in the scheduler's job table. Jobs without a known position come last,
 * by job row. */
int showq_compare_table_order(const fs_snapshot *s, uint32_t a, uint32_t b);

/* Prints the text of --why after the row of a pending job: "  priority: behind 1009" or "  first" if the job is
 * eligible, else its verdict. previous: name of the preceding job; NULL: none. */
void showq_print_order_text(const struct showq_run *r, const fs_queue *q, const struct fs_queue_row *row,
			    const char *previous);

/* ---- planned starts, for --plan, --start and JSON */

/* Computes the plan. Returns 0, or the exit status after an error message. */
int showq_compute_plan(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out);

/* Sets *row to the plan row of a job that the viewer may see. Returns 0, or EXIT_NOTHING after an error message. */
int showq_find_plan_row(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row);

/* Sets *id to the job id of --start. Returns 0, or the exit status after an error message. */
int showq_parse_start_job(const struct showq_run *r, uint64_t *id);

/* The plan and the run to which the rows of a plan belong. */
struct showq_plan_context {
	const struct showq_run *r;
	const fs_plan *plan;
};

/* A planned start: one row of a plan. */
struct showq_planned_start {
	struct fs_plan_row row;
	struct fs_job job;
	size_t plan_index; /* index of the row in the plan */
};

/* Writes the members of a planned start into the open JSON object. */
void showq_write_plan_json(struct fs_json *j, const struct showq_plan_context *of,
			   const struct showq_planned_start *planned);

/* A row of --start: one estimate of the job's start. */
struct showq_start_estimate {
	const char *name;   /* method: "recorded", "plan by priority", "plan with backfill", "likely" */
	const char *plan;   /* state of the plan */
	const char *nodes;  /* node list; "-": unknown */
	int64_t start_time; /* seconds since the epoch; FS_UNKNOWN: none */
};

#endif
