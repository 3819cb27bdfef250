/* The parts of fs_import_flux. */
#ifndef FSI_IMPORT_FLUX_FLUX_H
#define FSI_IMPORT_FLUX_FLUX_H

#include "import/import.h"

/* Rows by the id of their name. */
struct fsi_flux_names {
	uint32_t *row; /* plus one, 0 none */
	size_t cap;
};

/* A job that was submitted, over or not. */
struct fsi_flux_submitted {
	uint32_t user, bank, queue; /* 0: none told */
	uint64_t id;
	int64_t time;
};

/* What the priority plugin holds for a user in a bank. */
struct fsi_flux_held {
	uint64_t uid;
	uint32_t bank;
	int32_t queue_factor;
};

struct fsi_flux_import {
	struct fsi_import imp;
	struct fsi_flux_names bank, user;
	char banks_file[200], users_file[200]; /* that the rows came from, for messages */
	bool users, factors, queues;           /* which files there were */
	bool tree;                             /* of export-db -F or an emulator, not of tables */
	const char *jobs_file;		       /* that told of the jobs; NULL none did */
	FSI_VEC(struct fsi_flux_submitted) ended; /* jobs that are over; then all */
	FSI_VEC(struct fsi_flux_held) held;
	double ended_from;		       /* jobs that ended before are not among them; 0: all are */
	bool ended_known;		       /* was there any file that tells of them? */
	bool partial;                          /* nothing says that the files are complete */
};

/* fs_import_flux; partial: what is not there is unknown, and every type of record counts as hidden in part. */
int fsi_import_flux(fs_snapshot **out, const struct fs_source *source, bool partial, struct fs_error *err);

/* Takes one row of a table, or one JSON object: names and values as text. */
typedef int (*fsi_flux_row_fn)(struct fsi_flux_import *f, const struct fsi_kv *row);

struct fsi_required;

/* Reads the first of the files that is there (names end with NULL): JSON when it is called *.json, else a table with
 * ` | ` between columns. Warns of rows without those of the n keys. 0, 1 when none is there, or negative. */
int fsi_flux_rows(struct fsi_flux_import *f, const char *const *files, fsi_flux_row_fn fn,
		  const struct fsi_required *keys, size_t n);

/* The scalars of an object as text, borrowed from it and from buf. */
enum { FSI_FLUX_NUMBERS = 4096 };
int fsi_flux_flatten(struct fsi_flux_import *f, const struct fsi_json *object, struct fsi_kv *row,
		     char buf[FSI_FLUX_NUMBERS]);

/* fsi_kv_set_all for values that may be "unlimited". */
int fsi_flux_set(struct fsi_flux_import *f, const struct fsi_kv *row, const struct fsi_import_map *map, size_t n,
		 enum fsi_record_type type, struct fsi_rec *rec);

/* The row of a name, FSI_NO_INDEX if there is none; and giving it one: 1 when it had one already, -1 without memory. */
uint32_t fsi_flux_numbered(const struct fsi_flux_names *v, uint32_t name);
int fsi_flux_number(struct fsi_flux_names *v, uint32_t name, uint32_t row);

int fsi_flux_banks(struct fsi_flux_import *f);    /* view-bank, list-banks, list-users, export-db -F */
int fsi_flux_resources(struct fsi_flux_import *f); /* flux resource R, list and status, config get, module list */
int fsi_flux_jobs(struct fsi_flux_import *f);     /* flux jobs --json */
int fsi_flux_jobs_whole(struct fsi_flux_import *f); /* warns of jobs that lack what all have, known by all files of jobs */
int fsi_flux_ended(struct fsi_flux_import *f);    /* jobs that are over, of the jobs read by then or a file */
int fsi_flux_last_jobs(struct fsi_flux_import *f); /* last_job and last_queue, of a finished model */
int fsi_flux_plugin(struct fsi_flux_import *f);   /* what the priority plugin holds */
int fsi_flux_held_factors(struct fsi_flux_import *f); /* queue_factor, of a finished model */
int fsi_flux_jobspecs(struct fsi_flux_import *f); /* GPUs, whole nodes and constraints of the jobs read by then */
/* Sets node_cores of a job that runs, if its nodes have unlike numbers of cores. */
int fsi_flux_records(struct fsi_flux_import *f);  /* view-job-records: usage records */

/* Reads a tree from a stream. */
int fsi_flux_tree(struct fsi_flux_import *f, fs_read_fn read, void *stream, const char *name);

/* Refuses two banks of one name, warns of what is below a bank that is not there, and drops it; marks users of banks
 * that have sub-banks. */
int fsi_flux_check(struct fsi_flux_import *f);

#endif
