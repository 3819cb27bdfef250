/* Checks that captured files are complete and agree with each other.
 *
 * Contract. The functions change nothing but the snapshot's header (fsi_import_hide, fsi_import_incomplete), its
 * warnings, and in fsi_slurm_cross_jobs the job table. They return 0 or a negative code. The caller owns all structs;
 * none of them owns memory. Which keys and records a complete file has follows from Slurm's source; the functions of
 * Slurm are cited beside each table in consistency.c.
 *
 * The checks of a Slurm import, in this order:
 *   keys of each record     fsi_lacking_line, fsi_lacking_end, fsi_lacking_warn: keys that every record must have
 *   files of records        fsi_look_line while jobs are read, fsi_slurm_whole afterwards: records, no error messages
 *   jobs against squeue     fsi_slurm_cross_jobs: removes job records that a newline in a job's name has made up
 *   files against another   fsi_slurm_cross: records that one file names and another lacks */
#ifndef FSI_IMPORT_CONSISTENCY_H
#define FSI_IMPORT_CONSISTENCY_H

#include "import/tables.h"

/* A key that records must have. `other` and `third` are alternative names for it (NULL: none). It is required only of
 * records that have the key `with`; NULL: of all records. */
struct fsi_required {
	const char *key, *other, *with, *third;
};

/* A key without alternatives that every record must have. */
#define FSI_ALWAYS(name) { name, NULL, NULL, NULL }

/* Maximum number of required keys of one record type. */
enum { FSI_REQUIRED_MAX = 40 };

/* Counts the records that lack each of the required keys. Zero it first. */
struct fsi_lacking {
	/* number of records; number of those that lack each key */
	size_t records, n[FSI_REQUIRED_MAX];
	uint64_t seen, asked; /* one bit per key: the current record has the key; it has the key's `with` */
	uint64_t of_first[256]; /* by first byte of a name: bits of the keys with such a name; valid once `ready` */
	bool ready;
	/* numbers of key, other, with and third in a struct fsi_keyed; valid once `numbered` */
	uint8_t number[FSI_REQUIRED_MAX][4];
	bool numbered;
	/* of the last one-line record: bits of the keys that it has in struct fsi_keyed, and of the required keys that
	 * it lacks */
	uint64_t before[FSI_KEYED_WORDS], lacked_before;
};

/* Reads the keys of one line of a record. fsi_lacking_end ends the record and counts the keys that it lacks. */
void fsi_lacking_line(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line);
void fsi_lacking_end(struct fsi_lacking *l, const struct fsi_required *keys, size_t n);

/* Warns, in one message, of all required keys that some records lack. */
int fsi_lacking_warn(struct fsi_import *imp, const struct fsi_lacking *l, const struct fsi_required *keys, size_t n,
		     const char *file);

/* Tolerance in seconds. Captured commands run one after the other, so two files may disagree about a job that started,
 * ended or became eligible this shortly before or after the capture time. */
enum { FSI_BETWEEN_S = 60 };

/* Maximum number of partitions or QOS of a job whose rows in sprio are checked. */
enum { FSI_ROW_PARTITIONS_MAX = 64 };

/* Warns of records that one file names and another lacks. Call it after all files are read and hidden types are
 * marked. */
int fsi_slurm_cross(struct fsi_import *imp);

/* State of checking one file of `scontrol -o show`. */
struct fsi_look {
	const struct fsi_look_kind *kind;
	/* numbers of records, and of other lines */
	size_t records, odd;
	struct fsi_lacking lacking;
	/* the file has the line "No ... in the system"; the file exists and was read */
	bool none, read;
	/* line number and beginning of the first line that is no record */
	uint64_t odd_line;
	char odd_text[61];
};

/* Reads the jobs from scontrol show job and squeue. Checks the job records in *jobs meanwhile; jobs->read is false if
 * the file does not exist. */
int fsi_slurm_jobs(struct fsi_import *imp, struct fsi_look *jobs);

/* Initialises the check of job records. */
void fsi_look_at_jobs(struct fsi_look *look);
/* Line callback: checks one line; `look` is a struct fsi_look. */
int fsi_look_line(struct fsi_import *imp, void *look, struct fsi_span line);

/* Checks a record whose keys were already split into `values`. `text` is the free text of the record (a job's name),
 * which is not in `values` but may contain what looks like keys. */
int fsi_look_keyed(struct fsi_import *imp, struct fsi_look *look, struct fsi_span line, const struct fsi_keyed *values,
		   struct fsi_span text);

/* Checks that each file is the complete output of its command. Warns of an empty file, an error message or any other
 * unexpected line, and marks the record type as hidden. Also checks required keys, the configuration, and the tables
 * of sacctmgr and sshare. Call it after the records are read. *jobs is the result of fsi_slurm_jobs. */
int fsi_slurm_whole(struct fsi_import *imp, const struct fsi_look *jobs);

/* Removes job records that are not genuine; call it after the jobs are read. scontrol prints newlines in a job's free
 * text (name, comment, paths) as they are (seen with 22.05), so a job's name can imitate records of other jobs. squeue
 * -O JobID prints no free text. Removes pending and running jobs that squeue does not list, and all jobs whose id
 * occurs twice. Warns of both. */
int fsi_slurm_cross_jobs(struct fsi_import *imp);

#endif
