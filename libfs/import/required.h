/* What the files of the schedulers' commands always have: keys, columns, cells, and records that other files speak
 * of. */
#ifndef FSI_IMPORT_REQUIRED_H
#define FSI_IMPORT_REQUIRED_H

#include "import/keyed.h"

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

/* Takes a record of one line; or a line of a record, and its end. */
void fsi_lacking_line(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line);
void fsi_lacking_end(struct fsi_lacking *l, const struct fsi_required *keys, size_t n);
void fsi_lacking_record(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line);

/* Takes a line whose values were told apart by the numbers of keys, which are always the same; it is a whole record. */
void fsi_lacking_keyed(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, const struct fsi_keyed *line);

/* Warns in one sentence of all that is lacking. */
int fsi_lacking_warn(struct fsi_import *imp, const struct fsi_lacking *l, const struct fsi_required *keys, size_t n,
		     const char *file);

/* Checks the configuration and the tables, and that there are as many nodes as partitions count, after the records
 * are read. */
int fsi_slurm_required(struct fsi_import *imp);

/* Two files may differ in a job that began, ended or became eligible within so many seconds of the capture. */
enum { FSI_BETWEEN_S = 60 };

/* The rows that sprio has of a job with more partitions are not checked. */
enum { FSI_ROW_PARTITIONS_MAX = 64 };

/* Warns of records that one file has and another lacks, after all are read and what is private is known. */
int fsi_slurm_cross(struct fsi_import *imp);

/* The part of it for rows of sshare and sprio, and for the algorithm that sshare's heading tells. */
int fsi_slurm_cross_rows(struct fsi_import *imp);
int fsi_slurm_cross_algorithm(struct fsi_import *imp);

/* The part of it for names of QOS, partitions, users, TRES and reservations that a list lacks, and for jobs that run
 * and that sacct does not know. */
int fsi_slurm_cross_names(struct fsi_import *imp);

/* The part of it for what squeue lists of jobs: waiting tasks of arrays, reservations. */
int fsi_slurm_cross_squeue(struct fsi_import *imp);

#endif
