/* The parts of fs_import_maui. */
#ifndef FSI_IMPORT_MAUI_MAUI_H
#define FSI_IMPORT_MAUI_MAUI_H

#include "import/import.h"
#include "model/maui.h"
#include "model/tables.h"

/* NODECFG[node] PARTITION=partition */
struct fsi_maui_node_partition {
	uint32_t node, partition; /* names */
};

struct fsi_maui_import {
	struct fsi_import *imp;
	const struct fs_maui_import_options *o;
	struct fsi_intern keys;             /* "kind/name" of each credential: id is row + 1 */
	uint32_t positions[FS_CRED_KINDS];  /* given out so far */
	FSI_VEC(struct fsi_maui_node_partition) node_partition;
	struct fsi_intern told;             /* warnings that are given once */
	bool simulation;
	/* the clock's start in a simulation, or the newest time in the traces: years are guessed from it */
	int64_t clock_start;
	int64_t newest_queued; /* newest submission in the trace of queued jobs; 0: there is none */
	int64_t now;          /* 0: not known yet */
	uint32_t queue_depth; /* SIMINITIALQUEUEDEPTH, 0: not given */
	bool submits;	      /* a simulation submits the jobs of its trace at the times that it tells */
	bool other_runs;      /* a simulation's jobs run for other times than their traces say */
	FSI_VEC(uint32_t) job_of; /* by name id: row of the job + 1 */
	bool queue_known;     /* a showq listed the jobs there are */
	size_t odd_fields;    /* lines of traces that have more or fewer than all */
	bool statistics;      /* was there a file of the jobs that have ended? */
	size_t workload;      /* jobs that the trace of queued ones tells of, the first in the table */
	size_t traced;        /* and those that any does */
	size_t capture;       /* which of several captures it was: 0, 1, 2 */
	uint32_t first_idle;  /* name of the first idle job that it listed; 0: none */
	bool partial;	      /* nothing says that the files are complete */
	bool reserved_known;  /* showres, showq -i or a checkjob tells who has a reservation */
	char file[160];       /* scratch for a path */
};

/* fs_import_maui; partial: what is not there is unknown, and every type of record counts as hidden in part. */
int fsi_import_maui(fs_snapshot **out, const struct fs_source *source, const struct fs_maui_import_options *options,
		    bool partial, struct fs_error *err);

/* ---- libfs/import/maui/common.c */

/* The credential of that kind and name, made if it is new; NULL without memory. */
struct fsi_credential *fsi_maui_credential(struct fsi_maui_import *x, enum fs_cred_kind kind, struct fsi_span name);

/* Warns with file and line of the input, once for each key (NULL: always). -1 without memory. */
int fsi_maui_warn(struct fsi_maui_import *x, const char *key, const char *fmt, ...)
	FSI_PRINTF(3, 4);

/* The row of the job of that name (cut at its first dot), FSI_NO_INDEX if there is none. */
uint32_t fsi_maui_job(struct fsi_maui_import *x, struct fsi_span name);

/* Adds a job of that name. *row is FSI_NO_INDEX without memory. */
int fsi_maui_add_job(struct fsi_maui_import *x, struct fsi_span name, uint32_t *row);

/* Reads the first of the files that is there; 1 when there is none. */
int fsi_maui_first_file(struct fsi_maui_import *x, const char *const *files, fsi_line_fn fn);

/* Warns where a page that counts its jobs has no count (-1), or not that of the jobs that can be read. */
int fsi_maui_counted(struct fsi_maui_import *x, const char *file, int64_t counted, size_t read);

/* The error of a source whose list of a folder gave rc < 0. */
int fsi_maui_no_list(struct fsi_maui_import *x, int rc, const char *dir);

/* The word behind the first `label` of the line; empty where there is none. */
struct fsi_span fsi_maui_after(struct fsi_span line, const char *label);

/* `[[D:]HH:]MM:SS` of Maui's output, with a sign; INFINITY is 8640000. */
int fsi_maui_duration(struct fsi_span v, int64_t *out);

/* "Sun Sep 13 12:26:40", four words: local time, in the year that brings it closest to x->clock_start. */
int fsi_maui_ctime(const struct fsi_maui_import *x, const struct fsi_span *words, int64_t *local);

/* Do the words stand as in a row of diagnose -p, which begins "%-20s %10.0lf"? What a terminal folded off a row does
 * not. */
bool fsi_maui_is_priority(struct fsi_span line, struct fsi_span name, struct fsi_span priority);

/* ---- the steps, in their order */

int fsi_maui_config(struct fsi_maui_import *x);    /* maui.cfg */
/* What the nodes of a job must have, as a trace has it; mem is compared as `compares` says. Sets node_needs. */
struct fsi_maui_needs {
	struct fsi_span opsys, arch, compares, mem;
	int64_t per_node; /* tasks, below 1 for any number */
};

int fsi_maui_traces(struct fsi_maui_import *x);    /* nodes and jobs; before the clock is known */
int fsi_maui_node_partitions(struct fsi_maui_import *x); /* of the nodes, by maui.cfg */
/* Sets x->now by what showres prints; leaves it alone where that prints nothing. */
int fsi_maui_printed_time(struct fsi_maui_import *x);
int fsi_maui_printed(struct fsi_maui_import *x); /* what diagnose -p and -f print in place of configuration and windows */
/* The times of a line of a trace, 0 for none: submission, start, end, and from when the job was queued. finished: it
 * has ended. */
struct fsi_maui_times {
	int64_t submit, start, end, queued;
};

int fsi_maui_checked(struct fsi_maui_import *x); /* what checkjob tells of jobs: x->now, system priorities, reservations */
int fsi_maui_pages(struct fsi_maui_import *x);   /* jobs that no trace tells of; after the queue */
int fsi_maui_read_job_pages(struct fsi_maui_import *x); /* when jobs were queued, what is reserved; after the queue */
int fsi_maui_places(struct fsi_maui_import *x);  /* where tasks run; after the queue */
int fsi_maui_admits_read(struct fsi_maui_import *x); /* whom reservations admit; after the places */
int fsi_maui_queue(struct fsi_maui_import *x);     /* showq: states; jobs that are not there go */
int fsi_maui_windows(struct fsi_maui_import *x);   /* FS.<epoch> */

int fsi_maui_resolve(struct fsi_maui_import *x);    /* credentials of jobs and nodes, QOS each job gets */

/* maui.cfg as the lines Maui sees, before anything is made of them. */

/* A line after comments, continuations and '=' are dealt with. */
struct fsi_cfg_line {
	const char *file;
	uint64_t line;
	bool indented;
	struct fsi_span name, index, value; /* NAME[index] value; index.s NULL: none */
};

struct fsi_cfg {
	struct fsi_arena arena;
	FSI_VEC(struct fsi_cfg_line) line;
};

/* The lines of maui.cfg, while they are read. */
struct fsi_maui_config {
	struct fsi_maui_import *x;
	struct fsi_cfg cfg;
};

int fsi_maui_parameters(struct fsi_maui_config *c);
int fsi_maui_credentials(struct fsi_maui_config *c);
/* Those of USERCFG[DEFAULT] and its like in their older form, before any in the new one. */
int fsi_maui_old_limits(struct fsi_maui_config *c);

/* Lets warnings tell of this line from now on. */
void fsi_cfg_set_location(struct fsi_maui_config *c, const struct fsi_cfg_line *l);

bool fsi_cfg_is(struct fsi_span s, const char *word); /* capitals matter */
struct fsi_span fsi_cfg_first_word(struct fsi_span v);

/* A copy for strtol and the like; it is cut where it is unreasonably long. */
const char *fsi_cfg_text(struct fsi_span v, char *buf, size_t size);

/* Reads maui.cfg and what it includes, whose text comes last. Error: FS_ENODATA when there is no maui.cfg. */
int fsi_cfg_read(struct fsi_maui_import *x, struct fsi_cfg *cfg);
void fsi_cfg_release(struct fsi_cfg *cfg);

/* A line of maui.cfg is given to a snapshot of Maui, as changeparam and an edit of the file do. */

/* *wrong: why the line is not taken, borrowed from the snapshot; NULL: it is taken. *changed: does it change
 * anything that is read of the file? Nothing is changed where it is not taken. Error: FS_ENOMEM. */
int fsi_maui_line(fs_snapshot *m, const char *line, const char **wrong, bool *changed, struct fs_error *err);

/* The parameters that Maui knows, by name. */
const char *const *fsi_maui_parameter_names(size_t *n);

/* Rows of showq and showq -r. */

enum fsi_queue_section { FSI_QUEUE_NONE, FSI_QUEUE_ACTIVE, FSI_QUEUE_IDLE, FSI_QUEUE_BLOCKED };

struct fsi_queue_row {
	uint32_t job;
	enum fsi_queue_section section;
	uint32_t state, host, user; /* names */
	uint32_t partition;	    /* its name or the first three letters, 0: DEFAULT, or not told */
	int64_t procs, time_s, local; /* time_s: what remains, or the limit; local: start, or submission */
	int64_t priority;             /* of a running job; -1: not told */
	double efficiency;            /* percent; NAN: not told */
	char mark;
};

struct fsi_queue {
	struct fsi_maui_import *x;
	enum fsi_queue_section section;
	FSI_VEC(struct fsi_queue_row) row;
	int64_t active_nodes; /* -1: not told */
	int64_t total[4];     /* jobs by section, all under FSI_QUEUE_NONE, by the last line; -1: it has none */
	const char *file;     /* that was read; NULL: none */
	size_t capture;	      /* which of several made one after the other: 0, 1, 2 */
};

/* Reads the first of several captures whose time is x->now, if that is known; no rows if there is none. */
int fsi_queue_find(struct fsi_queue *q);         /* showq */
int fsi_queue_find_running(struct fsi_queue *q); /* showq -r */

/* When the rows were printed; 0: they do not tell. */
int64_t fsi_queue_time(const struct fsi_maui_import *x, const struct fsi_queue *q);

/* Adds a flag to those that the job has. */
void fsi_maui_add_flag(struct fsi_import *imp, struct fsi_job *job, const char *flag);

/* Is it one of Maui's marks behind a job's name? */
bool fsi_queue_is_mark(char c);

#endif
