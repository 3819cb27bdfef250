/* Import of Maui captures (fs_import_maui): configuration, traces, statistics and output of Maui's client commands.
 *
 * Steps, in this order; each step needs the results of the earlier steps:
 *  - fsi_maui_read_config: maui.cfg
 *  - fsi_maui_read_traces and fsi_maui_set_node_partitions: nodes and jobs
 *  - find_capture_time in libfs/import/maui/main.c: the time of the capture, x->now
 *  - fsi_maui_read_queue, fsi_maui_read_untraced_jobs: states of jobs, and jobs that are not in a trace
 *  - fsi_maui_read_job_pages, fsi_maui_read_node_lists, fsi_maui_read_access_lists: queue times, nodes, reservations
 *  - fsi_maui_read_windows: usage
 *  - fsi_maui_resolve_credentials: credentials and QOS of jobs
 *
 * The state of an import and its tables are owned by fsi_import_maui; the snapshot is handed to the caller. Functions
 * that return int return 0, or a negative error code with x->imp->err set, unless said otherwise. Functions that
 * return void may fail for lack of memory: fsi_model_is_out_of_memory then returns true, and the import fails at the
 * end of the file or step (fsi_import_check_memory). */
#ifndef FSI_IMPORT_MAUI_MAUI_H
#define FSI_IMPORT_MAUI_MAUI_H

#include "import/import.h"
#include "model/maui.h"
#include "model/tables.h"
#include "import/text/text.h"

extern const struct fsi_outputs fsi_maui_outputs; /* the files of a capture (import/outputs.h) */

/* The partition of a node, from a line NODECFG[node] PARTITION=partition of maui.cfg. */
struct fsi_maui_node_partition {
	uint32_t node, partition; /* name IDs; 0 as `partition` means the partition DEFAULT */
};

/* State of a Maui import. */
struct fsi_maui_import {
	struct fsi_import *imp;
	const struct fs_maui_import_options *o;
	/* kind and name ID of each credential; fsi_intern_find_id returns 1 + the credential's row */
	struct fsi_intern keys;
	/* indexed by kind of credential: the `position` that the next added credential gets */
	uint32_t positions[FS_CRED_KINDS];
	FSI_VEC(struct fsi_maui_node_partition) node_partition;
	/* keys of the warnings that were added already (fsi_maui_add_warning) */
	struct fsi_intern warned_keys;
	size_t notes; /* number of warnings added by fsi_maui_add_note */
	bool simulation;
	/* start time of a simulation; for a real server, the newest time in the traces; seconds since the epoch. This
	 * time is used to guess the year of dates. */
	int64_t clock_start;
	int64_t newest_queued; /* newest submit time in the trace of queued jobs, seconds since the epoch; 0: none */
	int64_t now;          /* time of the capture, seconds since the epoch; 0: not known yet */
	uint32_t queue_depth; /* SIMINITIALQUEUEDEPTH; 0: not set */
	/* the capture is of a simulation that submits the jobs of its trace at their submit times */
	bool submits_by_trace;
	/* maui.cfg has a parameter whose name begins with SIMWC; the run times of jobs then differ from the run times
	 * in the trace */
	bool changes_run_times;
	FSI_VEC(uint32_t) job_rows; /* indexed by name ID: row of the job + 1; 0: no job has this name */
	bool queue_known;     /* showq was read and lists all jobs */
	size_t malformed_trace_lines;    /* number of trace lines with an unexpected number of fields */
	bool has_statistics;      /* the statistics of ended jobs were read */
	/* number of jobs in the trace of queued jobs; these jobs come first in the job table */
	size_t workload_jobs;
	size_t traced_jobs;        /* number of jobs that were read from traces and statistics */
	/* which showq output was used; 0: showq.txt, 1: showq.1.txt, 2: showq.2.txt */
	size_t capture_no;
	uint32_t first_idle;  /* name ID of the first idle job in showq; 0: none */
	bool partial;	      /* the capture is partial: files may be missing or incomplete */
	/* at least one captured output of showres, showq -i or checkjob shows which jobs have a reservation */
	bool reservations_known;
	char file[160];       /* buffer for the path of a file */
	char page[40];        /* name of the file that fsi_maui_read_page read last */
};

/* Same as fs_import_maui. If `partial` is set, missing data counts as unknown, and each record type is marked as partly
 * hidden. */
int fsi_import_maui(fs_snapshot **out, const struct fs_source *source, const struct fs_maui_import_options *options,
		    bool partial, struct fs_error *err);

/* TRES of jobs and nodes, in the order in which the trace readers pass their amounts. */
enum { FSI_MAUI_TRES_COUNT = 4 };
extern const char *const fsi_maui_tres_names[FSI_MAUI_TRES_COUNT];

/* ---- shared functions (libfs/import/maui/common.c) */

/* Returns the credential of this kind and name, adding the credential if it is new. If out of memory, returns NULL. */
struct fsi_credential *fsi_maui_ensure_credential(struct fsi_maui_import *x, enum fs_cred_kind kind,
						  struct fsi_span name);

/* Adds a warning with the file and line of the current input. Does nothing if a warning with the same `key` was added
 * before. If `key` is NULL, the warning is always added. */
void fsi_maui_add_warning(struct fsi_maui_import *x, const char *key, const char *fmt, ...)
	FSI_PRINTF(3, 4);

/* Adds a warning that a value is used in a different way than written, and counts it in x->notes. */
void fsi_maui_add_note(struct fsi_maui_import *x, const char *fmt, ...) FSI_PRINTF(2, 3);

/* Returns the row of the job with this name; FSI_NO_INDEX if there is none. The name is cut at its first dot. */
uint32_t fsi_maui_find_job(struct fsi_maui_import *x, struct fsi_span name);

/* Adds a job with this name. Returns its row, or FSI_NO_INDEX if out of memory. */
uint32_t fsi_maui_add_job(struct fsi_maui_import *x, struct fsi_span name);

/* Passes the lines of a file to fn: of the file `name`, or of out/`name` if the folder has no such file. If neither
 * exists, returns 1. Sets x->page to the name of the file that was read last. */
int fsi_maui_read_page(struct fsi_maui_import *x, const char *name, fsi_line_fn fn, void *ctx);

/* Warns if an output is incomplete. `counted` is the number of jobs in the last line of the output (-1: missing).
 * `read` is the number of jobs that were read from the output. The output is incomplete if the two numbers differ. */
void fsi_maui_check_count(struct fsi_maui_import *x, const char *file, int64_t counted, size_t read);

/* Sets the error for a folder whose files could not be listed. `rc`: negative value that the function fs_source.list
 * returned. */
int fsi_maui_fail_unreadable_folder(struct fsi_maui_import *x, int rc, const char *dir);

/* Returns the word after the first `label` in the line; an empty span if there is none. */
struct fsi_span fsi_maui_word_after(struct fsi_span line, const char *label);

/* Parses a duration in Maui's output, `[[D:]HH:]MM:SS` with an optional sign; INFINITY becomes 8640000. Returns -1 if
 * the text is not a duration. */
int fsi_maui_parse_duration(struct fsi_span v, int64_t *out);

/* Returns the target mode that is written with this mark, as in FSTARGET=25.0+; FS_TARGET_EXACT: the mark is none of
 * + - % ^. */
enum fs_target_mode fsi_maui_parse_target_mark(char mark);

/* Parses a date like "Sun Sep 13 12:26:40", given as four words. Sets *local to the local time. The date has no
 * year: the function takes the year in which the date is nearest to x->now (x->clock_start if x->now is not known).
 * Returns -1 if the words are not a date. */
int fsi_maui_parse_ctime(const struct fsi_maui_import *x, const struct fsi_span *words, int64_t *local);

/* Returns true if the two words are at the positions of the first two words of a row of diagnose -p, whose format is
 * "%-20s %10.0lf". If a row is folded, its second line has no words at these positions. */
bool fsi_maui_is_priority_row(struct fsi_span line, struct fsi_span name, struct fsi_span priority);

/* ---- steps of an import (their order: see the top of this file) */

/* Reads maui.cfg. */
int fsi_maui_read_config(struct fsi_maui_import *x);
/* Reads nodes and jobs from the traces, before the time of the capture is known. */
int fsi_maui_read_traces(struct fsi_maui_import *x);
/* Sets the partitions of nodes from the NODECFG lines of maui.cfg. */
int fsi_maui_set_node_partitions(struct fsi_maui_import *x);
/* Sets x->now from the output of showres, if showres prints a reservation. */
int fsi_maui_read_printed_time(struct fsi_maui_import *x);
/* For partial captures, which may lack maui.cfg and window files: reads the weights and points that diagnose -p prints,
 * and the usage and targets that diagnose -f prints. */
int fsi_maui_read_printed_shares(struct fsi_maui_import *x);
/* Reads checkjob pages of known jobs (in a trace or in showq); sets x->now, system priorities and reservations. */
int fsi_maui_read_checkjob(struct fsi_maui_import *x);
/* Reads jobs that are not in a trace, from the output of Maui's client commands; call it after fsi_maui_read_queue. */
int fsi_maui_read_untraced_jobs(struct fsi_maui_import *x);
/* Reads queue times of jobs, and marks the jobs that have a reservation; call it after fsi_maui_read_queue. */
int fsi_maui_read_job_pages(struct fsi_maui_import *x);
/* Reads the nodes of each job, and reservations; call it after fsi_maui_read_queue. */
int fsi_maui_read_node_lists(struct fsi_maui_import *x);
/* Reads the access lists of reservations; call it after fsi_maui_read_node_lists. */
int fsi_maui_read_access_lists(struct fsi_maui_import *x);
/* Reads showq: the states of jobs. Removes jobs that are not in the queue. */
int fsi_maui_read_queue(struct fsi_maui_import *x);
/* Reads the window files FS.<epoch>. */
int fsi_maui_read_windows(struct fsi_maui_import *x);

/* Adds the credentials of jobs and nodes, and sets the QOS of each job. */
int fsi_maui_resolve_credentials(struct fsi_maui_import *x);

/* ---- lines of maui.cfg */

/* A line of maui.cfg. Its comment is removed, continuation lines are joined to it, and each = is replaced by a
 * blank. */
struct fsi_cfg_line {
	const char *file;
	uint64_t line;
	bool indented;
	struct fsi_span name, index, value; /* NAME[index] value; index.s is NULL if the line has no index */
};

struct fsi_cfg {
	struct fsi_arena arena;
	FSI_VEC(struct fsi_cfg_line) line;
};

/* The lines of maui.cfg during the import. */
struct fsi_maui_config {
	struct fsi_maui_import *x;
	struct fsi_cfg cfg;
};

/* Reads the parameters into the configuration of the snapshot. */
void fsi_maui_read_parameters(struct fsi_maui_config *c);
/* Reads the credentials from USERCFG[...] and similar lines. */
void fsi_maui_read_credentials(struct fsi_maui_config *c);
/* Reads limits in the older form, such as MAXJOBPERUSERCOUNT, and sets these limits for the credential DEFAULT of
 * users, groups and accounts. Call it before the lines in the new form, such as USERCFG[name], are read. */
void fsi_maui_read_old_limits(struct fsi_maui_config *c);

/* Makes warnings print the file and line number of the line `l`. */
void fsi_cfg_set_location(struct fsi_maui_config *c, const struct fsi_cfg_line *l);

bool fsi_cfg_text_equals(struct fsi_span s, const char *word); /* case-sensitive */
/* Returns the first word of the text, or an empty text. */
struct fsi_span fsi_cfg_first_word(struct fsi_span v);

/* Sets *word to the first word of *rest, and removes the word from *rest. Returns false if there is none. */
bool fsi_cfg_next_word(struct fsi_span *rest, struct fsi_span *word);

/* Copies the text to buf with a NUL, truncated to size - 1 bytes. Returns buf. */
const char *fsi_cfg_copy_text(struct fsi_span v, char *buf, size_t size);

/* Reads maui.cfg and the files that it includes; the lines of included files come last. Error: FS_ENODATA if there is
 * no maui.cfg and the import is not partial. */
int fsi_cfg_read_file(struct fsi_maui_import *x, struct fsi_cfg *cfg);
void fsi_cfg_release_lines(struct fsi_cfg *cfg);

/* ---- a single line of maui.cfg */

/* Applies a line of maui.cfg to a Maui snapshot, as changeparam or an edit of the file does. Sets *wrong to the reason
 * why the line is rejected (a text that the snapshot owns), or NULL if the line is accepted. A rejected line changes
 * nothing. Sets *note to a sentence about an accepted value that is used in a different way than written, or NULL. Sets
 * *changed to true if the snapshot was changed, otherwise to false. Error: FS_ENOMEM. */
int fsi_maui_apply_line(fs_snapshot *m, const char *line, const char **wrong, const char **note, bool *changed,
			struct fs_error *err);

/* Returns the names of the parameters that Maui knows, sorted; *n is set to their number. */
const char *const *fsi_maui_parameter_names(size_t *n);

/* ---- rows of showq and showq -r */

enum fsi_showq_section { FSI_SHOWQ_NONE, FSI_SHOWQ_ACTIVE, FSI_SHOWQ_IDLE, FSI_SHOWQ_BLOCKED };

/* A row of showq or showq -r. Each row shows one job. */
struct fsi_showq_row {
	uint32_t job;
	enum fsi_showq_section section;
	uint32_t state, host, user; /* name IDs */
	uint32_t partition; /* ID of the partition's name, or of its first three letters; 0: DEFAULT or unknown */
	/* `time_s`, seconds: remaining time of an active job, time limit of any other job. `local`, local time: start
	 * of an active job, submit time of any other job. */
	int64_t procs, time_s, local;
	int64_t priority;             /* priority, known only for an active job; -1: unknown */
	double efficiency;            /* efficiency of the job, percent; NAN: unknown */
	char mark;                    /* mark after the job's name in showq -r; 0: none */
};

/* The rows of one output of showq or showq -r. */
struct fsi_showq {
	struct fsi_maui_import *x;
	enum fsi_showq_section section;
	FSI_VEC(struct fsi_showq_row) row;
	int64_t active_nodes; /* number of active nodes; -1: unknown */
	/* number of jobs in each section, from the last line of the output; -1: not printed. Indexed by section;
	 * element FSI_SHOWQ_NONE is the number of all jobs. */
	int64_t total[4];
	char file[32];     /* name of the file that was read; "": none */
	size_t capture_no; /* which output was read, as in showq.txt (0), showq.1.txt (1) and showq.2.txt (2) */
};

/* ---- outputs of showq and showq -r
 *
 * A command may have been captured up to three times (showq.txt, showq.1.txt, showq.2.txt). Its reader reads the first
 * usable output into q. An output is not usable if x->now is known and the rows show that the output was printed at a
 * different time. If there is no file, q->row stays empty. */
int fsi_showq_read_queue(struct fsi_showq *q);         /* showq */
int fsi_showq_read_running(struct fsi_showq *q); /* showq -r */

/* Returns the time at which Maui printed the showq output that q contains; 0: unknown. */
int64_t fsi_showq_capture_time(const struct fsi_maui_import *x, const struct fsi_showq *q);

/* Adds the flag to the job's flags, unless the job already has the flag. */
void fsi_maui_add_job_flag(struct fsi_import *imp, struct fsi_job *job, const char *flag);

/* Returns true if c is a mark that Maui prints after the name of a job. */
bool fsi_showq_is_mark(char c);

/* Import of pasted outputs of Maui's commands. The outputs are first written to files of a capture; a snapshot is then
 * made from these files. */

/* Converts the pasted outputs of Maui's commands to files of a capture. Returns the error codes of fs_import_text. */
int fsi_text_write_maui(struct fsi_text *t);

/* Imports the files of `source`. If the time of the capture was guessed, the end times of running jobs stay unknown,
 * because Maui prints only the time left. Returns the error codes of fs_import_maui. */
int fsi_text_import_maui(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source);

#endif
