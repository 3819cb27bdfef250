/* Creating, filling, finishing and changing a snapshot. */
#ifndef FSI_MODEL_MODEL_H
#define FSI_MODEL_MODEL_H

#include "model/tables.h"

/* Creates an empty snapshot; NULL: out of memory. `file`: name of the input, for messages. */
fs_snapshot *fsi_model_create(const char *file);

/* Sorts and links the tables. Rejects impossible data: duplicate ids or names, missing parents (unless association
 * records are hidden), cycles. Errors: FS_EDATA with the line of the rejected record; FS_ENOMEM. */
int fsi_model_finish(fs_snapshot *m, struct fs_error *err);
int fsi_name_build_indices(fs_snapshot *m,
			   /* builds the name indices (partition_by_name and so on); a step of fsi_model_finish */
			   struct fs_error *err);
/* Fails if the node lists contain too many host names in total; a step of fsi_model_finish */
int fsi_model_check_hosts(const fs_snapshot *m, struct fs_error *err);
/* Sets m->scheduler, and the version in m->info, from the snapshot's header. Code that needs the scheduler or the
 * version before fsi_model_finish calls this function first. */
void fsi_model_find_scheduler(fs_snapshot *m);

/* Appends to m->active_jobs the rows of all elements of `jobs` that are not pending. jobs[i] has the row `first` + i.
 * Rows must be appended in ascending order. Returns -1 if out of memory. */
int fsi_active_jobs_append(fs_snapshot *m, const struct fsi_job *jobs, uint32_t first, size_t n);

/* Copies borrowed tables, so that they may be changed, and clears m->active_jobs.known. Returns -1 if out of memory. */
int fsi_model_own_tables(fs_snapshot *m);

/* Sorts the associations and builds m->tree. Defined in libfs/model/tree.c. */
int fsi_tree_build(fs_snapshot *m, struct fs_error *err);
/* Compares two associations of one account and user by partition, in the order of sshare. Returns a number with the
 * sign of strcmp. Requires fsi_model_find_scheduler, since the order depends on the version. */
int fsi_tree_compare_partitions(const fs_snapshot *m, const struct fsi_association *x, const struct fsi_association *y);

/* Indexes the associations by id and by name, and rejects duplicates. Defined in libfs/model/model.c. */
int fsi_assoc_build_indices(fs_snapshot *m, struct fs_error *err);

/* Rejects a usage record that ends before it starts: FS_EDATA. */
int fsi_usage_check_times(const struct fsi_usage *u, struct fsi_input_position where, struct fs_error *err);

/* Rejects invalid offsets of local time in the header: FS_EDATA. */
int fsi_zone_check_offsets(const fs_snapshot *m, struct fs_error *err);

/* Appends a formatted warning. Returns -1 if out of memory. */
int fsi_model_add_warning(fs_snapshot *m, const char *fmt, ...) FSI_PRINTF(2, 3);

/* Permissions of a login name under Slurm's PrivateData. */

/* A viewer: the user whose permissions decide what is shown. The snapshot owns `record`. */
struct fsi_viewer {
	const fs_snapshot *m;
	const struct fsi_user *record; /* user record of the viewer; NULL: not in the accounting database */
	uint32_t user;                 /* name id of the viewer; 0: the name does not occur in the snapshot */
	bool sees_everything; /* the viewer is an operator, an administrator or root, or no viewer is given */
	/* private_usage: PrivateData contains `usage`; private_jobs: it contains `jobs` */
	bool private_usage, private_jobs;
	bool has_future_jobs; /* simulation: some jobs may not be submitted yet; no viewer sees such a job */
	bool private_tree; /* PrivateData contains `usage`, `users` or `accounts` */
};

/* Initialises a viewer. name NULL: the viewer sees everything. */
void fsi_viewer_init(struct fsi_viewer *v, const fs_snapshot *m, const char *name);

/* Returns true if the viewer may see the usage of an association. With PrivateData=usage, viewers see the usage of
 * their own associations, of the accounts that they coordinate, and of the users in these accounts
 * (src/common/assoc_mgr.c: _foreach_get_share). */
bool fsi_viewer_may_see_usage(const struct fsi_viewer *v, const struct fsi_association *a);
/* Returns true if the viewer may see the job. */
bool fsi_viewer_may_see_job(const struct fsi_viewer *v, const struct fsi_job *job);

/* Returns true if the viewer can know that nobody coordinates the account. A coordinator of an ancestor account counts
 * as a coordinator of the account (src/plugins/accounting_storage/mysql/as_mysql_user.c: _get_user_coords). */
bool fsi_viewer_knows_no_coordinators(const struct fsi_viewer *v, const char *account);

#endif
