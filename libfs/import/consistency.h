/* What the files of the schedulers' commands always have: keys, columns, cells, and records that other files speak
 * of. */
#ifndef FSI_IMPORT_CONSISTENCY_H
#define FSI_IMPORT_CONSISTENCY_H

#include "import/tables.h"

/* A key, or another in its place, or a third (NULL: none). It is required of the records that have the key `with`
 * (NULL: of all). */
struct fsi_required {
	const char *key, *other, *with, *third;
};

#define FSI_ALWAYS(name) { name, NULL, NULL, NULL }

enum { FSI_REQUIRED_MAX = 40 };

/* How many of the records lack each of the keys. Zero it first. */
struct fsi_lacking {
	size_t records, n[FSI_REQUIRED_MAX];
	uint64_t seen, asked; /* of the record at hand, by key */
	uint64_t of_first[256]; /* keys by the byte that a name of theirs begins with, once it is ready */
	bool ready;
	uint8_t number[FSI_REQUIRED_MAX][4]; /* of key, other, with and third among the keys of lines, once it is numbered */
	bool numbered;
	uint64_t before[FSI_KEYED_WORDS], lacked_before; /* the keys that a line had, and those that it lacked */
};

/* Checks one line of a record; fsi_lacking_end ends the record. */
void fsi_lacking_line(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line);
void fsi_lacking_end(struct fsi_lacking *l, const struct fsi_required *keys, size_t n);

/* Warns in one sentence of all that is lacking. */
int fsi_lacking_warn(struct fsi_import *imp, const struct fsi_lacking *l, const struct fsi_required *keys, size_t n,
		     const char *file);

/* Two files may differ in a job that began, ended or became eligible within so many seconds of the capture. */
enum { FSI_BETWEEN_S = 60 };

/* The rows that sprio has of a job with more partitions are not checked. */
enum { FSI_ROW_PARTITIONS_MAX = 64 };

/* Warns of records that one file has and another lacks, after all are read and what is private is known. */
int fsi_slurm_cross(struct fsi_import *imp);

/* Is a file one of Slurm's commands, and is it whole? */

/* What is looked at in a file of records. */
struct fsi_look {
	const struct fsi_look_kind *kind;
	size_t records, odd;
	struct fsi_lacking lacking;
	bool none, read;
	uint64_t odd_line;
	char odd_text[61];
};

/* jobs is filled while they are read; jobs->read: the file is there */
int fsi_slurm_jobs(struct fsi_import *imp, struct fsi_look *jobs); /* scontrol show job, squeue */

void fsi_look_at_jobs(struct fsi_look *look);
int fsi_look_line(struct fsi_import *imp, void *look, struct fsi_span line);

/* Takes a line whose values were told apart, but for the free text in its midst, which may look like keys. */
int fsi_look_keyed(struct fsi_import *imp, struct fsi_look *look, struct fsi_span line, const struct fsi_keyed *values,
		   struct fsi_span text);

/* Files of `scontrol -o show` hold a record a line, or say that there is none. Anything else, an error's text for
 * one, is warned of, and its record type hidden. */
int fsi_slurm_whole(struct fsi_import *imp, const struct fsi_look *jobs);

/* After the jobs are read. Free text of a job (name, comment, paths) may hold newlines, which scontrol prints as they
 * are (seen on 22.05), so a name can look like jobs of others. squeue -O JobID prints no such text: a job that waits or
 * runs and is not in its list is left out, and so are all of one id; both are told. */
int fsi_slurm_cross_jobs(struct fsi_import *imp);

#endif
