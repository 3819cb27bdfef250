/* The parts of fs_import_maui. */
#ifndef FSI_IMPORT_MAUI_H
#define FSI_IMPORT_MAUI_H

#include "import/import.h"
#include "model/maui/maui.h"

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
struct fsi_credential *fsi_maui_credential(struct fsi_maui_import *x, enum fs_cred_kind kind,
					   struct fsi_span name);

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
int fsi_maui_needs(struct fsi_import *imp, struct fsi_job *job, const struct fsi_maui_needs *v);

int fsi_maui_traces(struct fsi_maui_import *x);    /* nodes and jobs; before the clock is known */
int fsi_maui_node_partitions(struct fsi_maui_import *x); /* of the nodes, by maui.cfg */
int fsi_maui_clock(struct fsi_maui_import *x);     /* date_begin, showq, checkjob: sets x->now */
/* Sets x->now by what showres prints; leaves it alone where that prints nothing. */
int fsi_maui_printed_time(struct fsi_maui_import *x);
int fsi_maui_printed(struct fsi_maui_import *x); /* what diagnose -p and -f print in place of configuration and windows */
/* The times of a line of a trace, 0 for none: submission, start, end, and from when the job was queued. finished: it
 * has ended. */
struct fsi_maui_times {
	int64_t submit, start, end, queued;
};
int fsi_maui_trace_times(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_maui_times t, bool finished);

/* Calls fn for each page of checkjob in the folders out and ., by name, with x->file set to it; ends when fn fails. */
int fsi_maui_checkjobs(struct fsi_maui_import *x, int (*fn)(struct fsi_maui_import *x, void *ctx), void *ctx);
int fsi_maui_checked(struct fsi_maui_import *x); /* what checkjob tells of jobs: x->now, system priorities, reservations */
int fsi_maui_pages(struct fsi_maui_import *x);   /* jobs that no trace tells of; after the queue */
int fsi_maui_read_job_pages(struct fsi_maui_import *x); /* when jobs were queued, what is reserved; after the queue */
int fsi_maui_places(struct fsi_maui_import *x);  /* where tasks run; after the queue */
int fsi_maui_admits_read(struct fsi_maui_import *x); /* whom reservations admit; after the places */
int fsi_maui_queue(struct fsi_maui_import *x);     /* showq: states; jobs that are not there go */
int fsi_maui_windows(struct fsi_maui_import *x);   /* FS.<epoch> */

/* Reads the window file of that start in the folder, if it is there; current: the window is not over, or only since
 * the last iteration. The second sets the time of writing by the first line, 0: unknown. Both return as
 * fsi_import_lines. */
int fsi_maui_window(struct fsi_maui_import *x, const char *dir, int64_t start, bool current);
int fsi_maui_window_written(struct fsi_maui_import *x, const char *dir, int64_t start, int64_t *written);
int fsi_maui_resolve(struct fsi_maui_import *x);    /* credentials of jobs and nodes, QOS each job gets */

/* Is the name one of Maui 3.5's parameters (src/moab/MConst.c:MCfg)? libfs/import/maui/known.c */
bool fsi_maui_known_parameter(struct fsi_span name);

#endif
