/* Credentials: users, groups, accounts, QOS and classes that have settings of their own, as Maui has them.
 *
 * The records are m->credential and m->window. Once fsi_credentials_check has passed, each pair of kind and name occurs
 * once, and all kinds and target modes are known words. A credential is identified by its kind and its name; functions
 * return the row of its record, or FSI_NO_INDEX. */
#ifndef FSI_MODEL_CREDENTIAL_H
#define FSI_MODEL_CREDENTIAL_H

#include "fs/shares.h"
#include "model/tables.h"

/* X(TAG, word in records and FS files) in the order of Maui's lists. */
#define FSI_CRED_KINDS(X) X(USER, "user") X(GROUP, "group") X(ACCT, "acct") X(QOS, "qos") X(CLASS, "class")

/* Returns the kind with that word; FS_CRED_KINDS for "sched", the total of all; -1 if there is no such kind. */
int fsi_parse_cred_kind(const char *word);

/* Returns the target mode with that word; "" is the mode of a plain target. Returns -1 if there is no such mode. */
int fsi_parse_target_mode(const char *word);

/* Rows of m->credential by kind and name. The caller releases the index. */
struct fsi_creds {
	uint32_t *row[FS_CRED_KINDS]; /* by name id: row + 1; 0: none */
	uint32_t names;		      /* greatest name id */
};
int fsi_creds_init(struct fsi_creds *x, const fs_snapshot *m); /* -1 if out of memory */
void fsi_creds_release(struct fsi_creds *x);
uint32_t fsi_creds_find(const struct fsi_creds *x, enum fs_cred_kind kind, uint32_t name);

/* Returns the name of the job's QOS, or of DEFAULT if the job names none; 0: the snapshot does not have that name. */
uint32_t fsi_job_qos_or_default(const fs_snapshot *m, const struct fsi_job *job);

/* Sets out[kind] to the row of the job's credential; FSI_NO_INDEX: the job has none, or it has no record. */
void fsi_job_find_creds(const fs_snapshot *m, const struct fsi_creds *x, const struct fsi_job *job,
			uint32_t out[FS_CRED_KINDS]);

/* Checks the records of credentials and windows. Errors: FS_EDATA for an unknown kind or mode, or for a credential that
 * occurs twice; FS_ENOMEM. */
int fsi_credentials_check(fs_snapshot *m, struct fs_error *err);

#endif
