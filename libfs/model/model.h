/* Making a snapshot: new, filled with records, finished, and changed. */
#ifndef FSI_MODEL_MODEL_H
#define FSI_MODEL_MODEL_H

#include "model/tables.h"

fs_snapshot *fsi_model_new(const char *file);

/* Orders and links the tables and refuses what cannot be true: a duplicate id or name, a dangling
 * parent (unless association records are hidden), a cycle. Error: FS_EDATA with the record's line. */
int fsi_model_finish(fs_snapshot *m, struct fs_error *err);
int fsi_name_index(fs_snapshot *m, struct fs_error *err); /* a part of it */
int fsi_hosts_check(const fs_snapshot *m, struct fs_error *err); /* a part of it */
/* Finds the header's `scheduler` and its version. Whoever asks for either before the tables are finished calls it
 * first. */
void fsi_model_scheduler(fs_snapshot *m);

/* Notes the next rows as m->begun has them; the rows that were noted before end before the first of them. -1 without
 * memory. */
int fsi_begun_note(fs_snapshot *m, const struct fsi_job *jobs, uint32_t first, size_t n);

/* Before a change: makes tables that are borrowed the model's own; -1 without memory. */
int fsi_model_own(fs_snapshot *m);

/* Builds m->tree: libfs/model/tree.c. */
int fsi_tree_build(fs_snapshot *m, struct fs_error *err);
/* strcmp's sign: the order in which sshare lists two associations of one account and user, by partition. Asks for the
 * version: fsi_model_scheduler first. */
int fsi_tree_cmp_partitions(const fs_snapshot *m, const struct fsi_association *x, const struct fsi_association *y);

/* Associations by id and by name, none twice: libfs/model/model.c. */
int fsi_assoc_index(fs_snapshot *m, struct fs_error *err);

/* Refuses a usage record that ends before it starts: FS_EDATA. */
int fsi_usage_check(const struct fsi_usage *u, struct fsi_where where, struct fs_error *err);

/* Are the header's offsets of local time what they should be? */
int fsi_zone_check(const fs_snapshot *m, struct fs_error *err);

/* Keeps a copy of the message; -1 without memory. */
int fsi_warn(fs_snapshot *m, const char *fmt, ...) FSI_PRINTF(2, 3);

#endif
