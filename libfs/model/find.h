/* Rows of a snapshot by id or name, and what follows from a row alone. */
#ifndef FSI_MODEL_FIND_H
#define FSI_MODEL_FIND_H

#include "model/tables.h"

/* Walks over the jobs that do not wait, and some that do. They are few of many, so that the table need not be gone
 * through. */
struct fsi_begun {
	size_t at;
	uint32_t row;
};

static inline bool fsi_begun_next(const fs_snapshot *m, struct fsi_begun *b)
{
	if (b->at >= (m->begun.known ? m->begun.row.n : m->job.n))
		return false;
	b->row = m->begun.known ? m->begun.row.v[b->at] : (uint32_t)b->at;
	b->at++;
	return true;
}

/* Index of an association, FSI_NO_INDEX if there is none. Names are interned ids, 0 for none. */
uint32_t fsi_assoc_by_id(const fs_snapshot *m, uint32_t id);
uint32_t fsi_assoc_find(const fs_snapshot *m, uint32_t account, uint32_t user, uint32_t partition);

/* The association a job is charged to: by its id, else that of its partition, else that for all; FSI_NO_INDEX if
 * hidden. */
uint32_t fsi_job_assoc(const fs_snapshot *m, const struct fsi_job *job);

/* Row of a job, FSI_NO_INDEX if it is not there. */
uint32_t fsi_job_row(const fs_snapshot *m, uint64_t id);

const struct fsi_partition *fsi_partition_find(const fs_snapshot *m, uint32_t name);
/* Goes through all nodes. NULL: there is none of that name, or name is 0. */
const struct fsi_node *fsi_node_find(const fs_snapshot *m, uint32_t name);
const struct fsi_reservation *fsi_reservation_find(const fs_snapshot *m, uint32_t name);
static inline uint32_t fsi_partition_row(const fs_snapshot *m, const struct fsi_partition *p) /* FSI_NO_INDEX of NULL */
{
	return p ? (uint32_t)(p - m->partition.v) : FSI_NO_INDEX;
}
const struct fsi_qos *fsi_qos_find(const fs_snapshot *m, uint32_t name);
uint32_t fsi_qos_priority(const fs_snapshot *m, uint32_t name); /* 0: there is none */

/* Of the lists that a job was submitted with, the first; NULL if it is empty or the name is not known. */
const struct fsi_partition *fsi_first_partition(const fs_snapshot *m, const struct fsi_job *job);
const struct fsi_qos *fsi_first_qos(const fs_snapshot *m, const struct fsi_job *job);
bool fsi_node_in(const fs_snapshot *m, const struct fsi_node *node, uint32_t partition); /* a row */
/* Of the QOS that a job lists the first with the highest priority; NULL if none is known. */
const struct fsi_qos *fsi_job_highest_qos(const fs_snapshot *m, const struct fsi_job *job);
/* The QOS that the job was last tried with before priorities were computed; NULL where nothing tells. */
const struct fsi_qos *fsi_job_tried_qos(const fs_snapshot *m, const struct fsi_job *job);
const struct fsi_user *fsi_user_find(const fs_snapshot *m, uint32_t name);

/* Has the time come from which a job of Slurm may begin? Where it is not known (a squeue without that column): yes for
 * a job that has a reason which the scheduler gives to jobs behind that time alone, since it tries no others
 * (src/slurmctld/job_scheduler.c: build_job_queue asks job_independent first). */
bool fsi_slurm_job_begins(const fs_snapshot *m, const struct fsi_job *job, int64_t now);

/* From when on and until when jobs that name a reservation of Slurm may start: INT64_MIN and INT64_MAX with FLEX, and
 * where it is not told (src/slurmctld/reservation.c: job_test_resv_now). */
int64_t fsi_reservation_opens(const fs_snapshot *m, const struct fsi_reservation *r);
int64_t fsi_reservation_closes(const fs_snapshot *m, const struct fsi_reservation *r);

/* Returns how long the job has run, without the time it was suspended; FS_UNKNOWN: pending, or not known. */
int64_t fsi_job_ran_s(const fs_snapshot *m, const struct fsi_job *j);

/* How much of a TRES the job asks for, on all nodes together, be it a TRES that the cluster counts or not. */
int64_t fsi_job_asks(const fs_snapshot *m, const struct fsi_job *job, uint32_t tres);

/* Does the state of a Slurm node, "IDLE+CLOUD+POWERED_DOWN" or "DOWN*+DRAIN", have one of the n words? */
bool fsi_node_state_has(const char *state, const char *const *words, size_t n);

/* Does it not answer, for another reason than that it is being powered up, in which time jobs are given it all the same
 * (src/slurmctld/power_save.c: _do_power_work leaves it in avail_node_bitmap)? */
bool fsi_node_is_silent(const char *state);

/* Is it powered down, or being powered up? Jobs may be given it. */
bool fsi_node_is_asleep(const char *state);
bool fsi_node_is_waking(const char *state);

/* Is it, or will it be as soon as it can be, powered down, and taken by no job until it is
 * (src/slurmctld/node_mgr.c: make_node_avail)? One that is powered down wakes for a job. */
bool fsi_node_goes_to_sleep(const char *state);

#endif
