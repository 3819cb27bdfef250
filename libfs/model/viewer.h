/* What PrivateData lets a login name see (Slurm). */
#ifndef FSI_MODEL_VIEWER_H
#define FSI_MODEL_VIEWER_H

#include "model/tables.h"

struct fsi_viewer {
	const fs_snapshot *m;
	const struct fsi_user *record; /* NULL: not in the accounting database */
	uint32_t user;                 /* interned name, 0 when it appears nowhere */
	bool all;                      /* operator, administrator, root, or nobody in particular */
	bool private_usage, private_jobs;
	bool jobs_to_come; /* there may be some that are not submitted yet, which nobody sees */
	bool private_tree; /* usage, users or accounts */
};

/* A viewer whose name is NULL sees everything. */
void fsi_viewer_init(struct fsi_viewer *v, const fs_snapshot *m, const char *name);

/* src/common/assoc_mgr.c:_foreach_get_share: with PrivateData=usage only own rows, and the accounts one
 * coordinates with the users in them. */
bool fsi_viewer_sees_usage(const struct fsi_viewer *v, const struct fsi_association *a);
bool fsi_viewer_sees_job(const struct fsi_viewer *v, const struct fsi_job *job);

/* Is it known to him that nobody coordinates the account? Whoever coordinates one above it does (src/plugins/
 * accounting_storage/mysql/as_mysql_user.c: _get_user_coords). */
bool fsi_viewer_knows_no_coordinator(const struct fsi_viewer *v, const char *account);

#endif
