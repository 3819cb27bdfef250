/* Checks that captured files are complete and agree with each other.
 *
 * Contract. The functions change only the snapshot's header (fsi_import_hide_type, fsi_import_warn_incomplete) and its
 * warnings. fsi_slurm_drop_unlisted_jobs also changes the job table. The functions return 0 or a negative code. The
 * caller owns all structs; no struct owns memory. Slurm's source determines which keys and records a complete file has.
 * Each table in consistency.c cites the functions of Slurm from which it was made.
 *
 * The checks of a Slurm import, in this order:
 *   keys of each record     fsi_missing_keys_add_line, fsi_missing_keys_end_record, fsi_missing_keys_warn
 *   files of records        fsi_record_check_read_line while jobs are read, fsi_slurm_check_completeness afterwards:
 *                           each file has only records, and no error message
 *   jobs against squeue     fsi_slurm_drop_unlisted_jobs: removes job records made up by a newline in a job's name
 *   between files           fsi_slurm_check_consistency: records that one file names and another lacks */
#ifndef FSI_IMPORT_CONSISTENCY_H
#define FSI_IMPORT_CONSISTENCY_H

#include "import/import.h"

/* A required key. A record must have the key under one of the names `key`, `alternative` and `second_alternative`
 * (NULL: no such name). If condition_key is not NULL, only records that have the key `condition_key` must have the
 * required key. */
struct fsi_required_key {
	const char *key, *alternative, *condition_key, *second_alternative;
};

/* A key without alternatives that every record must have. */
#define FSI_ALWAYS_REQUIRED(name) { name, NULL, NULL, NULL }

/* Maximum number of required keys of one record type. */
enum { FSI_REQUIRED_MAX = 40 };

/* Counts the records that lack each of the required keys. The caller zeroes the struct before use. */
struct fsi_missing_keys {
	bool values_required; /* a key with an empty value counts as missing; used by fsi_missing_keys_add_line */
	size_t records; /* number of records checked so far */
	size_t n[FSI_REQUIRED_MAX]; /* indexed by required key: number of records that lack the key */
	uint64_t present; /* one bit for each required key: the current record has the key */
	uint64_t applicable; /* one bit for each required key: the current record has its condition_key */
	/* indexed by byte: required keys with a name that begins with this byte, one bit for each key; valid if
	 * has_byte_index */
	uint64_t by_first_byte[256];
	bool has_byte_index;
	/* indexed by required key: the key numbers (see struct fsi_kv_table) of the names in its members `key`,
	 * `alternative`, `condition_key` and `second_alternative`, in this order; valid if has_key_numbers */
	uint8_t key_numbers[FSI_REQUIRED_MAX][4];
	bool has_key_numbers;
	/* keys of a record that was checked before; one bit for each key number (see fsi_kv_table.has) */
	uint64_t last_keys[FSI_KV_TABLE_WORDS];
	uint64_t last_missing; /* one bit for each required key: a record with the keys last_keys lacks this key */
};

/* Reads the keys of one line of a record. fsi_missing_keys_end_record ends the record and counts its missing keys. */
void fsi_missing_keys_add_line(struct fsi_missing_keys *l, const struct fsi_required_key *keys, size_t n,
			       struct fsi_span line);
void fsi_missing_keys_end_record(struct fsi_missing_keys *l, const struct fsi_required_key *keys, size_t n);

/* Adds one warning that names every required key that at least one record lacks. */
int fsi_missing_keys_warn(struct fsi_import *imp, const struct fsi_missing_keys *l, const struct fsi_required_key *keys,
			  size_t n, const char *file);

/* Tolerance in seconds. Captured commands run one after the other. Two files may therefore disagree about a job that
 * started, ended or became eligible within this many seconds of the capture time. */
enum { FSI_CAPTURE_TOLERANCE_S = 60 };

/* Maximum length of a job's list of partitions, and of its list of QOS. A longer list counts as one name when the check
 * computes how many rows sprio must have for the job. */
enum { FSI_ROW_PARTITIONS_MAX = 64 };

/* Warns of records that one captured file names and another captured file lacks. Call it after all files are read and
 * every incomplete record type is marked as hidden. */
int fsi_slurm_check_consistency(struct fsi_import *imp);

/* State of checking one file of `scontrol -o show`. */
struct fsi_record_check {
	const struct fsi_record_file_kind *kind;
	size_t records; /* number of records in the file */
	size_t unexpected_lines; /* number of lines that are neither a record nor the line "No ... in the system" */
	struct fsi_missing_keys missing_keys;
	bool has_no_records_line; /* the file has the line "No ... in the system" */
	bool is_read; /* the file exists and was read */
	uint64_t first_unexpected_line; /* line number of the first line counted in unexpected_lines */
	char first_unexpected_text[61]; /* beginning of the first line counted in unexpected_lines */
};

/* Reads the jobs from the output of scontrol show job and squeue. Also checks the job records, and stores the result of
 * the check in *jobs. If the file of job records does not exist, sets jobs->is_read to false. */
int fsi_slurm_read_jobs(struct fsi_import *imp, struct fsi_record_check *jobs);

/* Initializes the check of job records. */
void fsi_record_check_init_jobs(struct fsi_record_check *check);
/* Line callback: checks one line; `check` is a struct fsi_record_check. */
int fsi_record_check_read_line(struct fsi_import *imp, void *check, struct fsi_span line);

/* Checks a record whose keys and values are already in the table `values`. `text` is the free text of the record (a
 * job's name), which is not in `values`. */
int fsi_record_check_split_line(struct fsi_import *imp, struct fsi_record_check *check, struct fsi_span line,
				const struct fsi_kv_table *values, struct fsi_span text);

/* Checks that each file is the complete output of its command. If a file is empty, or has an error message or another
 * unexpected line, warns of the file and marks its record type as hidden. Also checks required keys, the configuration,
 * and the tables of sacctmgr and sshare. Call it after the records are read. *jobs is the result of
 * fsi_slurm_read_jobs. */
int fsi_slurm_check_completeness(struct fsi_import *imp, const struct fsi_record_check *jobs);

/* Removes job records that may not be genuine, and warns of them. Such records are pending and running jobs that squeue
 * does not list, and all jobs whose id occurs more than once. A job's name can imitate records of other jobs, because
 * scontrol prints newlines in free text without escaping them (seen with 22.05). squeue -O JobID prints no free text.
 * Call the function after the jobs are read. */
int fsi_slurm_drop_unlisted_jobs(struct fsi_import *imp);

#endif
