/* Creating, filling, finishing and changing a snapshot. */
#ifndef FSI_MODEL_MODEL_H
#define FSI_MODEL_MODEL_H

#include "model/tables.h"

/* Creates an empty snapshot; NULL: out of memory. file: name of the input for messages. */
fs_snapshot *fsi_model_create(const char *file);

/* Sorts and links the tables. Rejects impossible data with FS_EDATA and the record's line: duplicate ids or names,
 * missing parents (unless association records are hidden), cycles. Errors: FS_ENOMEM. */
int fsi_model_finish(fs_snapshot *m, struct fs_error *err);
int fsi_name_build_indices(fs_snapshot *m,
			   struct fs_error *err); /* builds the name indices; a step of fsi_model_finish */
/* limits the number of host names; a step of fsi_model_finish */
int fsi_model_check_hosts(const fs_snapshot *m, struct fs_error *err);
/* Sets m->scheduler and the version in m->info from the header. Code that needs them before fsi_model_finish calls this
 * first. */
void fsi_model_find_scheduler(fs_snapshot *m);

/* Appends the rows of n jobs, the first of which has the row `first`, to m->begun if they are not pending. Rows must be
 * appended in rising order. Returns -1 if out of memory. */
int fsi_active_jobs_append(fs_snapshot *m, const struct fsi_job *jobs, uint32_t first, size_t n);

/* Copies borrowed tables, so that they may be changed, and clears m->begun.known. Returns -1 if out of memory. */
int fsi_model_own_tables(fs_snapshot *m);

/* Sorts the associations and builds m->tree: libfs/model/tree.c. */
int fsi_tree_build(fs_snapshot *m, struct fs_error *err);
/* Compares two associations of one account and user by partition, in the order of sshare. Returns a number with the
 * sign of strcmp. Requires fsi_model_find_scheduler, since the order depends on the version. */
int fsi_tree_compare_partitions(const fs_snapshot *m, const struct fsi_association *x, const struct fsi_association *y);

/* Indexes the associations by id and by name; rejects duplicates: libfs/model/model.c. */
int fsi_assoc_build_indices(fs_snapshot *m, struct fs_error *err);

/* Rejects a usage record that ends before it starts: FS_EDATA. */
int fsi_usage_check_times(const struct fsi_usage *u, struct fsi_input_position where, struct fs_error *err);

/* Rejects invalid offsets of local time in the header: FS_EDATA. */
int fsi_zone_check_offsets(const fs_snapshot *m, struct fs_error *err);

/* Appends a formatted warning. Returns -1 if out of memory. */
int fsi_model_add_warning(fs_snapshot *m, const char *fmt, ...) FSI_PRINTF(2, 3);

#endif
