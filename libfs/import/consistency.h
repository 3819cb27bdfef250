/* Checks that captured files agree with each other. import/outputs.h checks that each file is complete.
 *
 * Contract. The functions change only the snapshot's header (fsi_import_hide_type, fsi_import_warn_incomplete) and its
 * warnings. fsi_slurm_drop_unlisted_jobs also changes the job table. The functions return 0 or a negative code. Slurm's
 * source determines which records a complete file has: the comments in consistency.c cite the functions of Slurm.
 *
 * The checks of a Slurm import, in this order:
 *   complete files       fsi_outputs_check, fsi_slurm_check_node_count
 *   jobs against squeue  fsi_slurm_drop_unlisted_jobs: removes job records made up by a newline in a job's name
 *   between files        fsi_slurm_check_consistency: records that one file names and another lacks */
#ifndef FSI_IMPORT_CONSISTENCY_H
#define FSI_IMPORT_CONSISTENCY_H

#include "import/import.h"

/* A key that every record must have. */
struct fsi_required_key {
	const char *key;
};

#define FSI_ALWAYS_REQUIRED(name) { name }

/* Maximum number of required keys of one record type. */
enum { FSI_REQUIRED_MAX = 40 };

/* Counts the records that lack each of the required keys. The caller zeroes the struct before use. */
struct fsi_missing_keys {
	size_t records; /* number of records checked so far */
	size_t n[FSI_REQUIRED_MAX]; /* indexed by required key: number of records that lack the key */
};

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

/* Warns if the total_nodes of a partition is larger than the number of nodes that scontrol shows. Call it after the
 * records are read. */
int fsi_slurm_check_node_count(struct fsi_import *imp);

/* Removes job records that may not be genuine, and warns of them. Such records are pending and running jobs that squeue
 * does not list, and all jobs whose id occurs more than once. A job's name can imitate records of other jobs, because
 * scontrol prints newlines in free text without escaping them (seen with 22.05). squeue -O JobID prints no free text.
 * Call the function after the jobs are read. */
int fsi_slurm_drop_unlisted_jobs(struct fsi_import *imp);

#endif
