/* Internal interface of the Slurm scenario commands (libfs/scenario/slurm/ and libfs/scenario/sbatch.c).
 *
 * fsi_slurm_edit (slurm.c) runs the command: scontrol, scancel, sbatch, sacctmgr, or a line of slurm.conf. Other files:
 *
 *   job.c                scontrol update job
 *   effects.c, gres.c    the amounts that a job asks for
 *   signal.c             hold, release, cancel, requeue, suspend, top
 *   node.c               nodes and partitions
 *   reservation.c        reservations
 *   assoc.c              sacctmgr
 *
 * All functions change the snapshot of struct fsi_scenario. Functions that return int return 0 or an FS_ error code and
 * fill s->err: FS_EUSAGE if the command is refused, FS_ENOMEM if out of memory. */
#ifndef FSI_SCENARIO_SLURM_SLURM_H
#define FSI_SCENARIO_SLURM_SLURM_H

#include "scenario/edit.h"

/* ---- jobs */

typedef int (*fsi_job_edit_fn)(struct fsi_scenario *s, struct fsi_job *job, void *ctx);

/* How to treat an array task that has no record of its own. FSI_TASKS_SPLIT_OFF: add a new record for the task.
 * FSI_TASKS_UNSPLIT (scontrol top): use the array's record, which contains all tasks without a record of their own. */
enum fsi_task_handling { FSI_TASKS_SPLIT_OFF, FSI_TASKS_UNSPLIT };

/* Calls fn for each job of a list such as "12,14_3,15_[1-4]"; an array id means all records of the array. fn may cancel
 * the job. Returns FS_EUSAGE if a listed job is not in the snapshot, or the first error that fn returns. */
int fsi_slurm_each_job(struct fsi_scenario *s, const char *list, enum fsi_task_handling tasks, fsi_job_edit_fn fn,
		       void *ctx);

/* Result of comparing a task list with an array record: the list names none, some or all of the record's tasks. */
enum fsi_task_match { FSI_NAMED_NONE, FSI_NAMED_SOME, FSI_NAMED_ALL };

/* Returns true if the job is held: by a priority of 0, or by its state. */
bool fsi_slurm_is_held(const struct fsi_job *job);

/* ---- effects of a command on a job */

/* Effect of a change on the job's age. FSI_AGE_LOST: the age starts again at 0. FSI_AGE_INTERRUPTED: the age counts as
 * 0 until the next priority calculation; if an accrue limit applies to the job, the age starts again at 0 instead. The
 * age does not change if limits are not enforced or ACCRUE_ALWAYS is set (src/plugins/priority/multifactor;
 * src/slurmctld/acct_policy.c: acct_policy_remove_accrue_time). */
enum fsi_age { FSI_AGE_INTERRUPTED, FSI_AGE_LOST };
void fsi_slurm_change_age(struct fsi_scenario *s, struct fsi_job *job, enum fsi_age age);

/* Sets the job's number of CPUs and updates its billing; its total memory stays the same. Returns FS_ENOMEM if out of
 * memory. */
int fsi_slurm_set_cpus(struct fsi_scenario *s, struct fsi_job *job, uint32_t cpus);
/* Sets the job's number of nodes and updates its billing. Returns FS_ENOMEM if out of memory. */
int fsi_slurm_set_nodes(struct fsi_scenario *s, struct fsi_job *job, uint32_t nodes);
/* Sets the total amount of the TRES that the job requests; 0 removes the TRES. Updates the billing. Returns FS_ENOMEM
 * if out of memory. */
int fsi_slurm_request_tres(struct fsi_scenario *s, struct fsi_job *job, uint32_t tres, int64_t amount);
/* Multiplies the amount of each generic resource in the job's requested TRES by `times` / `by`. If `times` is 0,
 * removes all requests for generic resources. Returns FS_ENOMEM if out of memory. */
int fsi_slurm_scale_gres(struct fsi_scenario *s, struct fsi_job *job, uint32_t times, uint32_t by);
/* Sets the job's gpu_cpus to the number of CPUs that its present GPU request requires. Must be called before the GPU
 * request changes, because the scheduler keeps the old number of CPUs (libfs/model/jobs.h). Does nothing if the
 * scheduler has not yet evaluated the job, or if gpu_cpus is already known. Returns FS_ENOMEM if out of memory. */
int fsi_slurm_save_gpu_cpus(struct fsi_scenario *s, struct fsi_job *job);
/* Returns the number of nodes that the job requests; at least 1. */
uint32_t fsi_slurm_requested_nodes(const fs_snapshot *m, const struct fsi_job *job);

/* Charges the job to an association of its user with the account: the association for the job's first partition or, if
 * there is none, the association for all partitions. If neither association exists, the job gets the account without an
 * association. Returns FS_EUSAGE in this case if the cluster enforces associations and the snapshot contains
 * associations. */
int fsi_slurm_charge_account(struct fsi_scenario *s, struct fsi_job *job, uint32_t account);

/* Clears the values that the scheduler recorded for the job: the factors and, if the job is pending, its estimated
 * start and end, scheduled nodes, reason and priority. There are three exceptions. A held job keeps its reason and
 * priority. A job that waits for the task limit of its array keeps its reason. A priority that an administrator set
 * stays. */
void fsi_slurm_drop_recorded(struct fsi_scenario *s, struct fsi_job *job);

/* Finds array tasks that waited for the task limit of their array (ArrayTaskThrottle) and no longer exceed it, and
 * makes them eligible. Returns FS_ENOMEM if out of memory. */
int fsi_slurm_release_throttled(struct fsi_scenario *s);

/* Returns the keyword of sacctmgr that sets the limit with this name, such as "GrpTRES"; NULL: there is none. */
const char *fsi_slurm_find_limit_keyword(const char *limit);
/* Returns true if the field of an association or QOS, such as "grp_tres", has the limit with this name, such as
 * "GrpTRES". */
bool fsi_slurm_is_limit_field(const char *limit, const char *field);

/* Returns true if priorities depend on a setting. `keyword`: a keyword of scontrol update PartitionName or of sacctmgr
 * modify, or a parameter of slurm.conf. */
bool fsi_slurm_changes_priorities(const char *keyword);

/* Clears all recorded values. Also clears the priorities of pending jobs, except for jobs that are held or whose
 * priority an administrator set. */
void fsi_slurm_drop_all_recorded(struct fsi_scenario *s);

/* ---- partition and QOS of scontrol update job and sbatch */

int fsi_slurm_set_partition(struct fsi_scenario *s, struct fsi_job *job, const char *list);
int fsi_slurm_set_qos(struct fsi_scenario *s, struct fsi_job *job, const char *list);
/* ---- amounts that a job asks for */

enum fsi_gres_by { FSI_GRES_BY_JOB, FSI_GRES_BY_NODE, FSI_GRES_BY_TASK, FSI_GRES_BY_SOCKET, FSI_GRES_BY_COUNT };

/* The parts of a job's size that one command sets. All parts are applied at once, so that the order of the command's
 * words does not matter. 0 or NULL: the command does not set that part. */
struct fsi_slurm_size {
	uint32_t nodes, max_nodes, tasks, cpus_per_task, cpus, min_cpus_per_node, mem_mb;
	bool has_min_cpus, has_mem, mem_by_node;
	/* `has_gres`: the command requests generic resources; `submitted`: the command is sbatch, which submits a new
	 * job */
	bool has_gres, submitted;
	uint32_t sockets; /* number of sockets per node */
	const char *gres[FSI_GRES_BY_COUNT], *cpus_per_gpu, *mem_per_gpu;
};

/* Sets the job's request for generic resources from a list such as "gpu:2" or "gres/gpu:a100:2". An empty list removes
 * the request. `by`: unit (job, node, task or socket) of the numbers in the list. The resource must be a TRES of the
 * cluster; the type of the resource need not be a TRES. */
int fsi_slurm_request_gres(struct fsi_scenario *s, struct fsi_job *job, const char *list, enum fsi_gres_by by,
			   const struct fsi_slurm_size *size);
/* Sets the job's CPUs and memory per GPU. Must be called after fsi_slurm_request_gres. */
int fsi_slurm_set_per_gpu(struct fsi_scenario *s, struct fsi_job *job, const struct fsi_slurm_size *size);

/* Applies the nodes, tasks, CPUs and memory in `size` to the job. If the new nodes and tasks need more CPUs than the
 * job has, raises the number of CPUs and computes the job's total memory again. Otherwise the total memory changes only
 * if the command sets it. From 23.02 on, if the command changes the number of tasks, also scales generic resources
 * requested per task. */
int fsi_slurm_apply_size(struct fsi_scenario *s, struct fsi_job *job, const struct fsi_slurm_size *size);

/* A keyword table of sacctmgr. Its rows are in the order in which sacctmgr compares the keywords. */
struct fsi_keyword_table {
	const struct fsi_edit_keyword *v;
	size_t n;
};

/* ---- functions that run commands; their parameter `at` is the index of the command's first argument in s->words */

int fsi_slurm_update_job(struct fsi_scenario *s, const char *jobs, size_t at);
/* Returns true if the word is a keyword of scontrol update job, or a valid abbreviation of one. */
bool fsi_slurm_is_job_keyword(const char *word, size_t len);
/* Applies a keyword of scontrol update job to a new job. Changes no other job record. */
int fsi_slurm_set_keyword(struct fsi_scenario *s, struct fsi_job *job, const char *word, const char *value);
/* Changes the partition `name`; the new settings begin at s->words[at]. */
int fsi_slurm_update_partition(struct fsi_scenario *s, const char *name, size_t at);
/* Sets *out to the comma-separated node names of an operand such as "n[1-4]" or "ALL". An operand with += or -=, and
 * parts of the operand that begin with + or -, change the list `old`. Any other operand replaces the list. `what`: the
 * keyword, for messages. Returns FS_EUSAGE if a node is not in the snapshot. */
int fsi_slurm_parse_nodes(struct fsi_scenario *s, const char *what, struct fsi_operand v, uint32_t old, uint32_t *out);
/* Changes the nodes of the host list `list`; the new settings begin at s->words[at]. */
int fsi_slurm_update_nodes(struct fsi_scenario *s, const char *list, size_t at);
int fsi_slurm_run_hold(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_uhold(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_release(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_scancel(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_requeue(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_requeuehold(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_suspend(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_resume(struct fsi_scenario *s, size_t at);
/* Run scontrol create, update and delete for a reservation. s->words[at] is the word after "reservation", or a word
 * such as "ReservationName=maint". */
int fsi_slurm_create_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_update_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_delete_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_top(struct fsi_scenario *s, size_t at);
bool fsi_slurm_has_user_top(const fs_snapshot *m); /* returns true if SchedulerParameters has enable_user_top */
int fsi_slurm_run_sbatch(struct fsi_scenario *s, size_t at);
int fsi_slurm_run_sacctmgr(struct fsi_scenario *s, size_t at);

#endif
