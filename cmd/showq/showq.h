/* fs-showq: what its parts share. A style is a layout as data: its sections, their columns, and the place and
 * word its tool gives to each pending reason. */
#ifndef SHOWQ_SHOWQ_H
#define SHOWQ_SHOWQ_H

#include "fs/eval.h"
#include "fs/plan.h"
#include "fs/queue.h"
#include "input/input.h"
#include "render/json.h"
#include "options/options.h"
#include "columns/column.h"

/* Sections of a layout, in the order in which they are printed. */
enum showq_place { PLACE_ACTIVE, PLACE_WAITING, PLACE_BLOCKED, PLACE_ERRORED, PLACE_COUNT };

enum showq_cell {
	CELL_END,
	CELL_ID,
	CELL_NAME,  /* 10 bytes of it */
	CELL_USER,  /* 14 bytes of it */
	CELL_STATE, /* the tool's word */
	CELL_CPUS,
	CELL_GPUS,
	CELL_NODES,
	CELL_QUEUE, /* 14 bytes of it */
	CELL_LEFT,  /* time until its limit */
	CELL_LEFT_HOURS, /* the same, but unknown below an hour */
	CELL_LIMIT,
	CELL_START,
	CELL_SUBMIT
};

struct showq_column {
	enum showq_cell cell;
	int width;
	const char *before, *after;
};

struct showq_section {
	const char *title;
	const char *heading[2]; /* short, long */
	int rule[2];		/* '=' below it */
	const struct showq_column *columns[2];
};

/* Where the tool puts a pending job with this reason, and under which word. */
struct showq_reason {
	const char *name;
	enum showq_place place;
	const char *word;
};

struct showq_run;
struct showq_job;

struct showq_style {
	enum style style;
	int (*page)(struct showq_run *r); /* prints it all; then sections and what follows are not used */
	bool (*place)(const struct showq_run *r, const struct fs_job *job, struct showq_job *j); /* where it stands; false: nowhere */
	void (*words)(struct showq_run *r, int argc, char **argv); /* what they mean to the tool itself; NULL: as to ours */
	int (*check)(struct showq_run *r); /* the options that only it has; exit status, -1 to go on; NULL: it has none */
	struct showq_section section[PLACE_COUNT];
	const struct showq_reason *reasons; /* name NULL ends it */
	const char *version;		    /* what --version prints under the tool's name */
	int active_width;		    /* of the number of active jobs */
	bool over_limit_is_dropped;	    /* with a warning, in the tool itself */
	bool blocked_of_all_users;	    /* -u and -U do not restrict BLOCKED: ownership does */
	bool errored_needs_blocked;	    /* ERRORED is printed only together with BLOCKED */
	bool unknown_is_blocked;	    /* a reason it does not know is listed as Blocked, though not counted */
	bool partitions;		    /* knows -p, -q, -o, -s and -b */
	void (*begin)(struct showq_run *r); /* what it prints first */
	void (*utilisation)(struct showq_run *r);
	void (*end)(struct showq_run *r);
};

extern const struct showq_style showq_fasrc, showq_tacc, showq_flux;

/* What there is of each of a million jobs: what the snapshot has of it is asked for where it is printed. */
struct showq_job {
	uint32_t row;
	uint32_t rank;	  /* in scheduling order */
	const char *word; /* of its state */
	double priority;  /* to sort by; NAN unknown */
	uint32_t behind;  /* row of the job before it, where key is not NONE */
	uint8_t key;	  /* enum fs_queue_key: what puts it behind that one */
	uint8_t place;	  /* enum showq_place */
	bool known;	  /* its reason has a place of its own in the tool */
	bool pending;	  /* its state */
};

struct showq_counts {
	unsigned active, idle, blocked;
	int64_t cpus, gpus, nodes, node_sum; /* of active jobs; nodes: each once */
};

struct dialect;

struct showq_run {
	const struct invocation *inv;
	struct input input;
	bool wide, show_blocked, own, summary, by_priority, strict, plan, why, version, metrics;
	bool missing; /* of what was asked for by name */
	bool help, refused; /* its usage is asked for, or the answer to a word that it does not take */
	enum json_form json;
	bool only_idle, only_running, verbose; /* -i, -r, -v of Maui's */
	const char *user_word; /* Maui's -u USER: the word behind -u */
	const char *named_partition; /* Maui's -p, unless ALL */
	const char *named, *partition; /* -U, -p; NULL if not given */
	const char *start;	       /* --start */
	const char *svg;	       /* the file for the picture */
	const char *config;	       /* --config */
	const char *program;	       /* as called, for showq.conf beside it */
	const struct showq_style *style;
	fs_snapshot *snapshot;
	const struct dialect *dialect;
	const struct fs_snapshot_info *info;
	const char *user; /* whose eyes, or -U's */
	int64_t hosts;	  /* hosts_available of showq.conf; 0 none */
	char config_file[512];
	bool config_found, config_custom;
	struct showq_job *jobs; /* those the viewer sees and the layouts show; in the controller's order */
	size_t n;
	fs_queue *queue; /* NULL where it was not needed */
	struct showq_counts counts;
	bool *starved; /* set when memory was out, and something is not shown */
};

/* cmd/showq/jobs.c: fills r->jobs; 0 or the exit status. */
int showq_load(struct showq_run *r);

/* Read the words that the real tool takes after its options. */
void showq_words_harvard(struct showq_run *r, int argc, char **argv);

bool showq_one_user(const struct showq_run *r);

/* Of a pending job, NULL: none that is known. */
static inline const struct fs_reason *showq_reason_of(const struct showq_run *r, const struct showq_job *j)
{
	const struct fs_reason *reason;

	fs_job_section(r->snapshot, j->row, &reason);
	return reason;
}

static inline struct fs_job showq_job_of(const struct showq_run *r, const struct showq_job *j)
{
	struct fs_job job;

	fs_snapshot_job(r->snapshot, j->row, &job);
	return job;
}

bool showq_of_user(const struct showq_run *r, const struct fs_job *job);
bool showq_in_partition(const struct showq_run *r, uint32_t row);

/* cmd/showq/rows.c */
void showq_heading(const struct showq_run *r, enum showq_place place);
void showq_row(const struct showq_run *r, enum showq_place place, const struct showq_job *job);
void showq_put_verdict(const struct showq_run *r, const fs_queue *q, uint32_t job_row); /* in words */
int64_t showq_gpus(const fs_snapshot *s, uint32_t row);
int64_t showq_left_s(const struct showq_run *r, const struct fs_job *job); /* until its limit */
void showq_date(const struct showq_run *r, char text[32], int64_t time);
void showq_iso_time(char text[24], int64_t local); /* 2026-11-21T13:00:00 */

/* cmd/showq/layout.c: the whole page. */
int showq_layout(struct showq_run *r);

int showq_metrics(struct showq_run *r);
int showq_plan(struct showq_run *r);
int showq_start(struct showq_run *r);
int showq_plan_picture(struct showq_run *r);

/* Rows that all layouts of fs-showq have in their tables of options. */

enum { OPT_STRICT = OPT_FIRST_FREE, OPT_PLAN, OPT_START, OPT_SHOWQ_FREE };
#define SHOWQ_STYLES "fasrc, tacc, maui or flux", "fasrc tacc maui flux"
#define SHOWQ_JSON_OPTION JSON_OPTION("schema fs-showq/1, with --plan the starts too")
#define START_OPTIONS                                                                              \
	HEADING("Start times"),                                                                    \
	{ OPT_PLAN, "plan", NULL, "when each pending job may start, by simulation", SET(plan) },   \
	{ OPT_START, "start", "JOB", "one job's start: as recorded, by priority alone, with backfill", SET(start) }
#define STRICT_OPTION { OPT_STRICT, "strict-compat", NULL, "the tool's own defects too", SET(strict) }
#define SET(member) OPTION_SETS(struct showq_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct showq_run, member, values)

/* The jobs of a page that is not a table of columns: those that run, those eligible, those that are blocked. */

struct showq_lists {
	uint32_t *active; /* job rows: running, completing, suspended */
	struct fs_queue_row *line, *blocked; /* eligible jobs in scheduling order; blocked ones in that of the job table */
	size_t nactive, nline, nblocked;
	fs_queue *queue; /* what the rows point to */
};

/* Lists the jobs that are wanted and visible. 0 or the exit status (reported). */
int showq_lists_load(const struct showq_run *r, struct showq_lists *out);
void showq_lists_release(struct showq_lists *l);

/* Compares two jobs by their place in the scheduler's job table, those without one by their row. */
int showq_table_order(const fs_snapshot *s, uint32_t a, uint32_t b);

/* "  priority: behind 1009" after an eligible row, what blocks it in words after one that is blocked; for --why.
 * previous: name of the job ahead, NULL if it is the first. */
void showq_put_why(const struct showq_run *r, const fs_queue *q, const struct fs_queue_row *row, const char *previous);

/* What --plan, --start and the JSON share. */

/* 0 or the exit status (reported). */
int plan_compute(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out);

/* The row of a job that may be seen, and the id that --start was given: 0 or the exit status (reported). */
int plan_find(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row);
int plan_job_id(const struct showq_run *r, uint64_t *id);

/* ---- a planned start as a row, followed on the page by the text of plan_put_why */

struct plan_source {
	const struct showq_run *r;
	const fs_plan *plan;
};
struct plan_line {
	struct fs_plan_row row;
	struct fs_job job;
	size_t at; /* in the plan */
};

void plan_line_json(struct fs_json *j, const struct plan_source *of, const struct plan_line *line);

/* One of several start estimates (--start). */
struct estimate_line {
	const char *name, *plan, *nodes;
	int64_t start_time;
};

#endif
