/* Internal interface of the Slurm scenario commands (libfs/scenario/slurm/ and libfs/scenario/sbatch.c).
 *
 * fsi_slurm_edit (slurm.c) runs the command: scontrol, scancel, sbatch, sacctmgr, or a line of slurm.conf. scontrol
 * update job: job.c; how much a job asks for: effects.c and gres.c; hold, release, cancel, requeue, suspend, top:
 * signal.c; nodes and partitions: node.c; reservations: reservation.c; sacctmgr: assoc.c.
 *
 * All functions change the snapshot of struct fsi_scenario. Functions that return int return 0 or an FS_ error code and
 * fill s->err: FS_EUSAGE if the command is refused, FS_ENOMEM if out of memory. */
#ifndef FSI_SCENARIO_SLURM_SLURM_H
#define FSI_SCENARIO_SLURM_SLURM_H

#include "scenario/edit.h"

/* ---- jobs */

typedef int (*fsi_job_edit_fn)(struct fsi_scenario *s, struct fsi_job *job, void *ctx);

/* How to treat an array task that has no record of its own: split it off as a new record, or use the record of the
 * remaining tasks (scontrol top). */
enum fsi_task_handling { FSI_TASKS_SPLIT_OFF, FSI_TASKS_UNSPLIT };

/* Calls fn for each job of a list such as "12,14_3,15_[1-4]"; an array id stands for all records of the array. fn may
 * cancel the job. Returns FS_EUSAGE if a job is not in the snapshot, else the first error of fn. */
int fsi_slurm_each_job(struct fsi_scenario *s, const char *list, enum fsi_task_handling tasks, fsi_job_edit_fn fn,
		       void *ctx);

/* How many tasks of a record a task list names. */
enum fsi_task_match { FSI_NAMED_NONE, FSI_NAMED_SOME, FSI_NAMED_ALL };

/* Returns true if the job is held, by a priority of 0 or by its state. */
bool fsi_slurm_is_held(const struct fsi_job *job);

/* ---- effects of a change on a job */

/* Effect of a change on the job's age, if limits are enforced and ACCRUE_ALWAYS is not set; otherwise the age is kept
 * (src/plugins/priority/multifactor; src/slurmctld/acct_policy.c: acct_policy_remove_accrue_time). FSI_AGE_DIPS: the
 * age counts as 0 until the next priority calculation, but is lost if an accrue limit applies to the job. FSI_AGE_LOST:
 * the age starts again at 0. */
enum fsi_age { FSI_AGE_DIPS, FSI_AGE_LOST };
void fsi_slurm_change_age(struct fsi_scenario *s, struct fsi_job *job, enum fsi_age age);

/* Sets the job's CPU count and updates its billing; its memory is not changed. Returns FS_ENOMEM if out of memory. */
int fsi_slurm_set_cpus(struct fsi_scenario *s, struct fsi_job *job, uint32_t cpus);
/* Sets the job's node count and updates its billing. Returns FS_ENOMEM if out of memory. */
int fsi_slurm_set_nodes(struct fsi_scenario *s, struct fsi_job *job, uint32_t nodes);
/* Sets the amount of the TRES that the job requests in total; 0 removes the TRES. Updates the billing. Returns
 * FS_ENOMEM if out of memory. */
int fsi_slurm_request_tres(struct fsi_scenario *s, struct fsi_job *job, uint32_t tres, int64_t amount);
/* Multiplies the amounts of all generic resources that the cluster counts as TRES by times / by; times = 0 removes all
 * requests for generic resources. Returns FS_ENOMEM if out of memory. */
int fsi_slurm_scale_gres(struct fsi_scenario *s, struct fsi_job *job, uint32_t times, uint32_t by);
/* Call before the GPU request of the job changes. If the job has been evaluated with GPUs, stores the CPUs that those
 * GPUs required in gpu_cpus, because the scheduler does not update that number (libfs/model/jobs.h). Returns FS_ENOMEM
 * if out of memory. */
int fsi_slurm_save_gpu_cpus(struct fsi_scenario *s, struct fsi_job *job);
/* Returns the number of nodes that the job requests; at least 1. */
uint32_t fsi_slurm_requested_nodes(const fs_snapshot *m, const struct fsi_job *job);

/* Charges the job to its user's association with the account: the one for the job's first partition, or else the one
 * for all partitions. Returns FS_EUSAGE if there is none, and associations are enforced and in the snapshot. */
int fsi_slurm_charge_account(struct fsi_scenario *s, struct fsi_job *job, uint32_t account);

/* Clears the values that the scheduler recorded for the job: recorded factors and, if the job is pending, its estimated
 * start and end, scheduled nodes, reason and priority. A held job keeps its reason and priority. A priority set by an
 * administrator stays, as does the reason of a job that waits for its array's task limit. */
void fsi_slurm_drop_recorded(struct fsi_scenario *s, struct fsi_job *job);

/* Makes array tasks eligible that were waiting for their array's task limit (ArrayTaskThrottle) and are now within it.
 * Returns FS_ENOMEM if out of memory. */
int fsi_slurm_release_throttled(struct fsi_scenario *s);

/* Clears all recorded values, and the priorities of all pending jobs that are not held and have no priority set by an
 * administrator. */
void fsi_slurm_drop_all_recorded(struct fsi_scenario *s);

/* ---- requests that scontrol update job and sbatch have in common */

int fsi_slurm_set_partition(struct fsi_scenario *s, struct fsi_job *job, const char *list);
int fsi_slurm_set_qos(struct fsi_scenario *s, struct fsi_job *job, const char *list);
/* ---- how much a job asks for */

enum fsi_gres_by { FSI_GRES_BY_JOB, FSI_GRES_BY_NODE, FSI_GRES_BY_TASK, FSI_GRES_BY_SOCKET, FSI_GRES_BY_COUNT };

/* The size that one command gives a job. All of it is applied at once, so that the order of the words does not matter.
 * 0 or NULL: not given. */
struct fsi_slurm_size {
	uint32_t nodes, max_nodes, tasks, cpus_per_task, cpus, min_cpus_per_node, mem_mb;
	bool has_min_cpus, has_mem, mem_by_node;
	bool has_gres, submitted; /* submitted: the job is a new one (sbatch) */
	uint32_t sockets; /* sockets per node */
	const char *gres[FSI_GRES_BY_COUNT], *cpus_per_gpu, *mem_per_gpu;
};

/* Sets the job's request for generic resources from a list such as "gpu:2" or "gres/gpu:a100:2"; by: the unit (job,
 * node, task or socket) that each number is for. "" removes the request. The cluster must count the resource as a TRES,
 * but not necessarily its type. */
int fsi_slurm_request_gres(struct fsi_scenario *s, struct fsi_job *job, const char *list, enum fsi_gres_by by,
			   const struct fsi_slurm_size *size);
/* Sets the CPUs and the memory per GPU. Call after fsi_slurm_request_gres. */
int fsi_slurm_set_per_gpu(struct fsi_scenario *s, struct fsi_job *job, const struct fsi_slurm_size *size);

/* Applies nodes, tasks, CPUs and memory of the size, but not generic resources. If the new nodes and tasks need more
 * CPUs, the CPU count is raised and the memory is computed again. Otherwise the job's total memory stays unless the
 * command sets it. */
int fsi_slurm_apply_size(struct fsi_scenario *s, struct fsi_job *job, const struct fsi_slurm_size *size);

/* A keyword table of sacctmgr, in the order in which sacctmgr compares the keywords. */
struct fsi_keyword_table {
	const struct fsi_edit_keyword *v;
	size_t n;
};

/* ---- commands; their arguments begin at s->words[at] */

int fsi_slurm_update_job(struct fsi_scenario *s, const char *jobs, size_t at);
/* Returns true if the word is a keyword of scontrol update job, or a valid abbreviation of one. */
bool fsi_slurm_is_job_keyword(const char *word, size_t len);
/* Applies "word=value" of scontrol update job to a new job, with no effects on other records. */
int fsi_slurm_set_keyword(struct fsi_scenario *s, struct fsi_job *job, const char *word, const char *value);
/* Changes the partition; its new settings begin at s->words[at]. */
int fsi_slurm_update_partition(struct fsi_scenario *s, const char *name, size_t at);
/* Sets *out to the comma-separated node names of "n[1-4]" or "ALL". With += and -=, or parts beginning with + or -, the
 * list `old` is changed instead. what: the keyword, for messages. Returns FS_EUSAGE if a node is not in the
 * snapshot. */
int fsi_slurm_parse_nodes(struct fsi_scenario *s, const char *what, struct fsi_operand v, uint32_t old, uint32_t *out);
/* Changes the nodes of the hostlist; their new settings begin at s->words[at]. */
int fsi_slurm_update_nodes(struct fsi_scenario *s, const char *list, size_t at);
int fsi_slurm_run_hold(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_uhold(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_release(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_scancel(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_requeue(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_requeuehold(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_suspend(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_resume(struct fsi_scenario *s, size_t at);
/* The words after "reservation", or from ReservationName= on, begin at s->words[at]. */
int fsi_slurm_create_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_update_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_delete_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_top(struct fsi_scenario *s, size_t at);
bool fsi_slurm_has_user_top(const fs_snapshot *m); /* returns true if SchedulerParameters has enable_user_top */
int fsi_slurm_run_sbatch(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_sacctmgr(struct fsi_scenario *s, size_t at);

#endif
