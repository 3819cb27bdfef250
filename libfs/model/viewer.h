/* Permissions of a login name under PrivateData (Slurm). */
#ifndef FSI_MODEL_VIEWER_H
#define FSI_MODEL_VIEWER_H

#include "model/tables.h"

/* A viewer. It borrows from the snapshot. */
struct fsi_viewer {
	const fs_snapshot *m;
	const struct fsi_user *record; /* user record; NULL: not in the accounting database */
	uint32_t user;                 /* name id; 0: the name does not occur in the snapshot */
	bool sees_everything;                      /* sees everything: operator, administrator, root, or no viewer is given */
	bool private_usage, private_jobs; /* PrivateData contains usage; contains jobs */
	bool has_future_jobs; /* some jobs may not be submitted yet (simulation), and nobody sees them */
	bool private_tree; /* PrivateData contains usage, users or accounts */
};

/* Initialises a viewer. name NULL: the viewer sees everything. */
void fsi_viewer_init(struct fsi_viewer *v, const fs_snapshot *m, const char *name);

/* Returns true if the viewer may see the usage of an association. With PrivateData=usage, viewers see their own rows,
 * and the rows of accounts they coordinate with the users in them (src/common/assoc_mgr.c: _foreach_get_share). */
bool fsi_viewer_may_see_usage(const struct fsi_viewer *v, const struct fsi_association *a);
/* Returns true if the viewer may see the job. */
bool fsi_viewer_may_see_job(const struct fsi_viewer *v, const struct fsi_job *job);

/* Returns true if the viewer can know that nobody coordinates the account. Coordinators of an ancestor count as
 * coordinators (src/plugins/accounting_storage/mysql/as_mysql_user.c: _get_user_coords). */
bool fsi_viewer_knows_no_coordinators(const struct fsi_viewer *v, const char *account);

#endif
