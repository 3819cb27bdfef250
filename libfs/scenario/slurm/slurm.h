/* What the files of Slurm's commands share. */
#ifndef FSI_SCENARIO_SLURM_SLURM_H
#define FSI_SCENARIO_SLURM_SLURM_H

#include "scenario/edit.h"

/* ---- jobs */

typedef int (*fsi_job_edit_fn)(struct fsi_scenario *s, struct fsi_job *job, void *ctx);

/* What is meant by a task of an array that has no record of its own: it gets one, or the record that it is in, as
 * scontrol top has it. */
enum fsi_tasks_are { FSI_TASKS_APART, FSI_TASKS_TOGETHER };

/* Calls fn for each job of a list "12,14_3,15_[1-4]", and for every record of an array. Error: FS_EUSAGE where one is
 * not in the snapshot, or what fn returned. */
int fsi_slurm_each_job(struct fsi_scenario *s, const char *list, enum fsi_tasks_are tasks, fsi_job_edit_fn fn,
		       void *ctx);

/* How many tasks of a record a list names. */
enum fsi_tasks_named { FSI_NAMED_NONE, FSI_NAMED_SOME, FSI_NAMED_ALL };

/* Is the job held, by a priority of 0 or by its state? */
bool fsi_slurm_held(const struct fsi_job *job);

/* ---- effects */

/* What becomes of the time a job waited (src/plugins/priority/multifactor and src/slurmctld/acct_policy.c:
 * acct_policy_remove_accrue_time), if limits are enforced and ACCRUE_ALWAYS is not set; else it is kept. */
enum fsi_age { FSI_AGE_DIPS, FSI_AGE_LOST };
void fsi_slurm_age(struct fsi_scenario *s, struct fsi_job *job, enum fsi_age age);

/* Lets the job ask for so many CPUs: what it is billed follows, its memory stays. Error: FS_ENOMEM. */
int fsi_slurm_set_cpus(struct fsi_scenario *s, struct fsi_job *job, uint32_t cpus);
/* Lets it ask for so many nodes, and what it is billed follow. Error: FS_ENOMEM. */
int fsi_slurm_set_nodes(struct fsi_scenario *s, struct fsi_job *job, uint32_t nodes);
/* Lets it ask for this much of a TRES in all; 0: for none. Error: FS_ENOMEM. */
int fsi_slurm_ask(struct fsi_scenario *s, struct fsi_job *job, uint32_t tres, int64_t amount);
/* Lets it ask for times / by of each generic resource that the cluster counts; with 0 for none at all. Error:
 * FS_ENOMEM. */
int fsi_slurm_scale_gres(struct fsi_scenario *s, struct fsi_job *job, uint32_t times, uint32_t by);
/* Before a change of what GPUs bring: a job that was tested with some goes on counting for the CPUs that they brought
 * then (libfs/model/jobs.h). Error: FS_ENOMEM. */
int fsi_slurm_keep_gpu_cpus(struct fsi_scenario *s, struct fsi_job *job);
/* The nodes that it asks for, at least 1. */
uint32_t fsi_slurm_nodes(const fs_snapshot *m, const struct fsi_job *job);

/* Charges the job to its user's association in the account, for its partition or for all. Error: FS_EUSAGE where
 * associations are enforced and known and there is none. */
int fsi_slurm_charge(struct fsi_scenario *s, struct fsi_job *job, uint32_t account);

/* Drops what the scheduler last said of the job: its reason, its estimate, its nodes, its priority. */
void fsi_slurm_forget_recorded(struct fsi_scenario *s, struct fsi_job *job);

/* Makes tasks eligible that waited at the throttle of their array and now find it open. Error: FS_ENOMEM. */
int fsi_slurm_open_throttles(struct fsi_scenario *s);

/* Drops the priorities of all jobs that wait, and all that was printed. */
void fsi_slurm_forget_all_recorded(struct fsi_scenario *s);

/* ---- requests as both scontrol update job and sbatch take them: request.c */

int fsi_slurm_partition(struct fsi_scenario *s, struct fsi_job *job, const char *list);
int fsi_slurm_qos(struct fsi_scenario *s, struct fsi_job *job, const char *list);
/* ---- how much a job asks for */

enum fsi_gres_by { FSI_GRES_BY_JOB, FSI_GRES_BY_NODE, FSI_GRES_BY_TASK, FSI_GRES_BY_SOCKET, FSI_GRES_BY_COUNT };

/* What one command says of it, which takes effect together, whatever the order of its words. 0 or NULL: nothing. */
struct fsi_slurm_size {
	uint32_t nodes, max_nodes, tasks, cpus_per_task, cpus, min_cpus_per_node, mem_mb;
	bool min_cpus_said, mem_said, mem_by_node;
	bool asks_gres, submitted; /* submitted: of a job that is new */
	uint32_t sockets; /* of each node */
	const char *gres[FSI_GRES_BY_COUNT], *cpus_per_gpu, *mem_per_gpu;
};

/* Lets the job ask for "gpu:2" or "gres/gpu:a100:2" by that; "": for none (gres.c). The cluster must count the resource,
 * but not its type. Error: FS_EUSAGE, FS_ENOMEM. */
int fsi_slurm_gres(struct fsi_scenario *s, struct fsi_job *job, const char *list, enum fsi_gres_by by,
		   const struct fsi_slurm_size *size);
/* CPUs and memory of each GPU, after the GPUs. */
int fsi_slurm_of_each_gpu(struct fsi_scenario *s, struct fsi_job *job, const struct fsi_slurm_size *size);

/* Lets the job ask for all of it but generic resources. What its nodes and tasks need at least raises its
 * CPUs, and its memory then follows; else that stays the same in all. Error: FS_EUSAGE, FS_ENOMEM. */
int fsi_slurm_resize(struct fsi_scenario *s, struct fsi_job *job, const struct fsi_slurm_size *size);

/* What sacctmgr sets of associations and QOS, in the order in which it looks for the words; those of
 * accounts and users come before those of associations. */
struct fsi_edit_words {
	const struct fsi_edit_word *v;
	size_t n;
};

/* ---- commands; the words behind the command's own begin at s->word[at] */

int fsi_slurm_update_job(struct fsi_scenario *s, const char *jobs, size_t at);
/* Is it a word of scontrol update job, in full or a beginning that it takes? */
bool fsi_slurm_job_word(const char *word, size_t len);
/* Puts the value into a job that is new as that word of scontrol update job does, and does nothing else. */
int fsi_slurm_set_job(struct fsi_scenario *s, struct fsi_job *job, const char *word, const char *value);
/* The words behind the partition's name begin at s->word[at]. */
int fsi_slurm_update_partition(struct fsi_scenario *s, const char *name, size_t at);
/* Writes "n[1-4]" or "ALL" as a list with names apart. Error: FS_EUSAGE where a node is not in the snapshot. */
int fsi_slurm_node_list(struct fsi_scenario *s, const char *what, struct fsi_operand v, uint32_t old, uint32_t *out);
/* Changes the nodes of a hostlist; the words behind it begin at s->word[at]. */
int fsi_slurm_update_nodes(struct fsi_scenario *s, const char *list, size_t at);
int fsi_slurm_hold(struct fsi_scenario *s, size_t at);
int fsi_slurm_uhold(struct fsi_scenario *s, size_t at);
int fsi_slurm_release(struct fsi_scenario *s, size_t at);
int fsi_slurm_scancel(struct fsi_scenario *s, size_t at);
int fsi_slurm_requeue(struct fsi_scenario *s, size_t at);
int fsi_slurm_requeuehold(struct fsi_scenario *s, size_t at);
int fsi_slurm_suspend(struct fsi_scenario *s, size_t at);
int fsi_slurm_resume(struct fsi_scenario *s, size_t at);
/* The words behind "reservation" begin at s->word[at], or at one with ReservationName=. */
int fsi_slurm_create_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_update_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_delete_reservation(struct fsi_scenario *s, size_t at);
int fsi_slurm_top(struct fsi_scenario *s, size_t at);
bool fsi_slurm_users_top(const fs_snapshot *m); /* SchedulerParameters=enable_user_top */
int fsi_slurm_sbatch(struct fsi_scenario *s, size_t at);
int fsi_slurm_sacctmgr(struct fsi_scenario *s, size_t at);

#endif
