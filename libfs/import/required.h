/* What the files of the schedulers' commands always have: keys, columns, cells, and records that other files speak
 * of. */
#ifndef FSI_IMPORT_REQUIRED_H
#define FSI_IMPORT_REQUIRED_H

#include "import/keyed.h"

/* A key, or another in its place (NULL: none); of those records alone that have a third (NULL: of all). */
struct fsi_required {
	const char *key, *other, *with;
};

enum { FSI_REQUIRED_MAX = 40 };

/* How many of the records lack each of the keys. Zero it first. */
struct fsi_lacking {
	size_t records, n[FSI_REQUIRED_MAX];
	uint64_t seen, asked; /* of the record at hand, by key */
	uint64_t of_first[256]; /* keys by the byte that a name of theirs begins with, once it is ready */
	bool ready;
	uint8_t number[FSI_REQUIRED_MAX][3]; /* of key, other and with among the keys of lines, once it is numbered */
	bool numbered;
};

/* A record of one line; or a line of one, and its end. */
void fsi_lacking_line(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line);
void fsi_lacking_end(struct fsi_lacking *l, const struct fsi_required *keys, size_t n);
void fsi_lacking_record(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line);

/* A line whose values were told apart by the numbers of keys, always the same ones; its end too. */
void fsi_lacking_keyed(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, const struct fsi_keyed *line);

/* One sentence of all that is lacking. */
int fsi_lacking_warn(struct fsi_import *imp, const struct fsi_lacking *l, const struct fsi_required *keys, size_t n,
		     const char *file);

/* The configuration and the tables; whether there are as many nodes as partitions count. After the records are read. */
int fsi_slurm_required(struct fsi_import *imp);

/* Of a job that began, ended or became eligible so many seconds around the capture two files may differ. */
enum { FSI_BETWEEN_S = 60 };

/* A job that asks for more partitions has rows of sprio that are not held against them. */
enum { FSI_ROW_PARTITIONS_MAX = 64 };

/* Records that one file has and another lacks. After all are read, and what is private is known. */
int fsi_slurm_cross(struct fsi_import *imp);

/* Of these the rows of sshare and sprio, and the algorithm of which sshare's heading is. */
int fsi_slurm_cross_rows(struct fsi_import *imp);
int fsi_slurm_cross_algorithm(struct fsi_import *imp);

/* Of these names of QOS, partitions, users, TRES and reservations that a list lacks, and jobs that run of which sacct
 * knows nothing. */
int fsi_slurm_cross_names(struct fsi_import *imp);

/* Of these what squeue lists of jobs: waiting tasks of arrays, reservations. */
int fsi_slurm_cross_squeue(struct fsi_import *imp);

#endif
