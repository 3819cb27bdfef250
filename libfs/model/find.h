/* Lookup of records by id or name, and values derived from a single record. */
#ifndef FSI_MODEL_FIND_H
#define FSI_MODEL_FIND_H

#include "model/tables.h"
#include "fs/shares.h"

/* Iterator for code that needs all jobs that are not pending. The code must skip pending jobs itself, because the
 * iterator may return some pending jobs, too. Using the iterator is usually faster than scanning all jobs. */
struct fsi_active_jobs {
	size_t at; /* number of jobs returned so far */
	uint32_t row; /* row of the job that was returned last */
};

/* Advances to the next job. Returns false at the end. */
static inline bool fsi_active_jobs_next(const fs_snapshot *m, struct fsi_active_jobs *b)
{
	if (b->at >= (m->active_jobs.known ? m->active_jobs.row.n : m->job.n))
		return false;
	b->row = m->active_jobs.known ? m->active_jobs.row.v[b->at] : (uint32_t)b->at;
	b->at++;
	return true;
}

/* Return the index of an association; FSI_NO_INDEX: none. Names are given as name ids, 0 for no name. */
uint32_t fsi_assoc_find_by_id(const fs_snapshot *m, uint32_t id);
uint32_t fsi_assoc_find_by_names(const fs_snapshot *m, uint32_t account, uint32_t user, uint32_t partition);

/* Returns the association that a job is charged to. Searches by the job's association id; then by account, user and
 * partition, for each of the job's partitions in order; then by account and user without a partition. Returns the first
 * association found. FSI_NO_INDEX: the snapshot has no such association. */
uint32_t fsi_job_find_assoc(const fs_snapshot *m, const struct fsi_job *job);

/* Returns the row of a job; FSI_NO_INDEX: none. */
uint32_t fsi_job_find_row(const fs_snapshot *m, uint64_t id);

/* Return the record with the name id `name`; NULL: none. */
const struct fsi_partition *fsi_partition_find(const fs_snapshot *m, uint32_t name);
/* Searches all nodes for the name. Returns NULL if there is no such node or name is 0. */
const struct fsi_node *fsi_node_find(const fs_snapshot *m, uint32_t name);
const struct fsi_reservation *fsi_reservation_find(const fs_snapshot *m, uint32_t name);
/* Returns the row of a partition; FSI_NO_INDEX for NULL. */
static inline uint32_t fsi_partition_row(const fs_snapshot *m, const struct fsi_partition *p)
{
	return p ? (uint32_t)(p - m->partition.v) : FSI_NO_INDEX;
}
const struct fsi_qos *fsi_qos_find(const fs_snapshot *m, uint32_t name);
uint32_t fsi_qos_priority(const fs_snapshot *m, uint32_t name); /* returns the priority of the QOS; 0: no such QOS */

/* Return the record of the first partition and of the first QOS in the job's lists. NULL: the list is empty, or the
 * snapshot has no such record. */
const struct fsi_partition *fsi_job_first_partition(const fs_snapshot *m, const struct fsi_job *job);
const struct fsi_qos *fsi_job_first_qos(const fs_snapshot *m, const struct fsi_job *job);
/* Returns true if the node is in the partition; `partition`: partition row. */
bool fsi_node_is_in_partition(const fs_snapshot *m, const struct fsi_node *node, uint32_t partition);
/* Returns true if the partitions in rows `a` and `b` have a common node. */
bool fsi_partitions_share_nodes(const fs_snapshot *m, uint32_t a, uint32_t b);
/* Returns the job's QOS with the highest priority; if several QOS have this priority, the first of them; NULL: no QOS
 * of the job has a record. */
const struct fsi_qos *fsi_job_highest_qos(const fs_snapshot *m, const struct fsi_job *job);
/* Returns the last QOS with which the scheduler tried the job before computing the job's priority; NULL: unknown. */
const struct fsi_qos *fsi_job_tried_qos(const fs_snapshot *m, const struct fsi_job *job);
const struct fsi_user *fsi_user_find(const fs_snapshot *m, uint32_t name);

/* Returns true if the begin time of a Slurm job has passed. If the begin time is unknown (squeue without that column),
 * returns true if the job has a reason that the scheduler sets only after the begin time
 * (src/slurmctld/job_scheduler.c: build_job_queue calls job_independent first). */
bool fsi_slurm_job_may_begin(const fs_snapshot *m, const struct fsi_job *job, int64_t now);

/* Return the beginning and the end of the period in which a job may start in the Slurm reservation. INT64_MIN and
 * INT64_MAX: the reservation has the flag FLEX, or the time is unknown (src/slurmctld/reservation.c:
 * job_test_resv_now). */
int64_t fsi_reservation_opening_time(const fs_snapshot *m, const struct fsi_reservation *r);
int64_t fsi_reservation_closing_time(const fs_snapshot *m, const struct fsi_reservation *r);

/* Returns true if the lists of users, accounts and groups of the Slurm reservation admit the job
 * (src/slurmctld/reservation.c: _valid_job_access_resv). If the reservation lists groups, the job is assumed to be a
 * member of one group: the group with which it runs. Returns false for a reservation without such lists. */
bool fsi_reservation_admits_job(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j);
/* Returns true if the lists of the Slurm reservation certainly exclude the job. Returns false for jobs of root, for
 * jobs without a known user or account, and for a reservation with groups, because their members are unknown. */
bool fsi_reservation_excludes_job(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j);

/* Returns the run time of the job without suspensions, seconds; FS_UNKNOWN: the job is pending, or the run time is not
 * known. */
int64_t fsi_job_run_time_s(const fs_snapshot *m, const struct fsi_job *j);

/* Returns the total amount of a TRES (name id) that the job asks for. The cluster need not track that TRES. */
int64_t fsi_job_requested_amount(const fs_snapshot *m, const struct fsi_job *job, uint32_t tres);

/* Returns true if the state of a Slurm node, such as "IDLE+CLOUD+POWERED_DOWN" or "DOWN*+DRAIN", contains at least one
 * of the n elements of `words`. */
bool fsi_node_state_has(const char *state, const char *const *words, size_t n);

/* Returns true if the node does not respond. Returns false for a node that is being powered up, because jobs are still
 * allocated on such a node (src/slurmctld/power_save.c: _do_power_work leaves the node in avail_node_bitmap). */
bool fsi_node_is_unresponsive(const char *state);

/* Returns true if the node is powered down or powering down. */
bool fsi_node_is_powered_down(const char *state);
/* Returns true if the node is powering up. */
bool fsi_node_is_powering_up(const char *state);

/* Returns true if the node is powering down, or will be powered down as soon as it is idle. No job is allocated on the
 * node until it is powered down (src/slurmctld/node_mgr.c: make_node_avail). Jobs may be allocated on a node that is
 * already powered down: the node is then powered up again. */
bool fsi_node_will_power_down(const char *state);

/* Credentials: Maui's users, groups, accounts, QOS and classes that have settings of their own.
 *
 * The records are m->credential and m->window. A credential is identified by its kind and its name. Functions return
 * the row of the credential's record; FSI_NO_INDEX: no record. fsi_credentials_check ensures that all kinds and target
 * modes are valid, and that no two credentials have the same kind and name. */

/* Kinds of Maui's credentials, in the order of Maui's lists: X(TAG, word in records and in Maui's FS files). */
#define FSI_CRED_KINDS(X) X(USER, "user") X(GROUP, "group") X(ACCT, "acct") X(QOS, "qos") X(CLASS, "class")

/* Returns the kind of credential that `word` names; -1: no such kind. "sched" names the total of all credentials, for
 * which the result is FS_CRED_KINDS. */
int fsi_parse_cred_kind(const char *word);

/* Returns the target mode that `word` names; -1: no such mode. "" names the mode of a target without a suffix. */
int fsi_parse_target_mode(const char *word);

/* Index that gives the row of m->credential for a kind and a name. The caller releases the index. */
struct fsi_creds {
	uint32_t *row[FS_CRED_KINDS]; /* row[kind][name id]: 1 + row of the credential; 0: none */
	uint32_t names;		      /* greatest name id for which `row` has an element */
};
int fsi_creds_init(struct fsi_creds *x, const fs_snapshot *m); /* returns -1 if out of memory */
void fsi_creds_release(struct fsi_creds *x);
uint32_t fsi_creds_find(const struct fsi_creds *x, enum fs_cred_kind kind, uint32_t name);

/* Returns the name id of the job's QOS. If the job names no QOS, returns the name id of the QOS DEFAULT. 0: the name
 * does not occur in the snapshot. */
uint32_t fsi_job_qos_or_default(const fs_snapshot *m, const struct fsi_job *job);

/* Sets out[kind] to the row of the job's credential of that kind; FSI_NO_INDEX: the job has none, or the credential has
 * no record. */
void fsi_job_find_creds(const fs_snapshot *m, const struct fsi_creds *x, const struct fsi_job *job,
			uint32_t out[FS_CRED_KINDS]);

/* Checks the records of credentials and windows. Errors: FS_EDATA for an unknown kind or mode, or for a credential that
 * occurs twice; FS_ENOMEM. */
int fsi_credentials_check(fs_snapshot *m, struct fs_error *err);

#endif
