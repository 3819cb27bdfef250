/* What Slurm's commands change, between the files that do it. */
#ifndef FSI_SCENARIO_SLURM_H
#define FSI_SCENARIO_SLURM_H

#include "scenario/scenario.h"

/* ---- jobs: slurm_find.c */

typedef int (*fsi_job_edit_fn)(struct fsi_scenario *s, struct fsi_job *job, void *ctx);

/* Each job of a list "12,14_3,15": of an array every record. Error: FS_EUSAGE where one is not in the snapshot, or what
 * fn gave. */
int fsi_slurm_each_job(struct fsi_scenario *s, const char *list, fsi_job_edit_fn fn, void *ctx);

/* Each job of the words from `at` on: ids by blanks or commas, also as jobid=12. */
int fsi_slurm_each_word(struct fsi_scenario *s, size_t at, fsi_job_edit_fn fn, void *ctx);

/* "job 12: ", borrowed until the command is done; "" without memory. */
const char *fsi_slurm_of_job(struct fsi_scenario *s, const struct fsi_job *job);

/* Holds it a priority of 0, or does its state? */
bool fsi_slurm_held(const struct fsi_job *job);

/* Its priority becomes 0, with that reason (slurm_hold.c). */
void fsi_slurm_hold_for(struct fsi_scenario *s, struct fsi_job *job, uint32_t reason);

/* ---- effects: slurm_effects.c */

/* What becomes of the time a job waited (src/plugins/priority/multifactor and src/slurmctld/acct_policy.c:
 * acct_policy_remove_accrue_time), if limits are enforced and ACCRUE_ALWAYS is not set; else it is kept. */
enum fsi_age { FSI_AGE_DIPS, FSI_AGE_LOST };
void fsi_slurm_age(struct fsi_scenario *s, struct fsi_job *job, enum fsi_age age);

/* The job now asks for so many CPUs; what it is billed with follows, its memory stays. Error: FS_ENOMEM. */
int fsi_slurm_set_cpus(struct fsi_scenario *s, struct fsi_job *job, uint32_t cpus);
/* For so many nodes: at least a CPU on each, with the memory of a CPU; what is asked for by node stays as it is in all,
 * as the controller leaves it. Error: FS_ENOMEM. */
int fsi_slurm_set_nodes(struct fsi_scenario *s, struct fsi_job *job, uint32_t nodes);
/* It asks for this much of a TRES in all; 0: not at all. Error: FS_ENOMEM. */
int fsi_slurm_ask(struct fsi_scenario *s, struct fsi_job *job, uint32_t tres, int64_t amount);
/* Nodes it asks for, at least 1. */
uint32_t fsi_slurm_nodes(const fs_snapshot *m, const struct fsi_job *job);

/* The association of the job's user in the account, for its partition or for all. Error: FS_EUSAGE where associations
 * are enforced and known and there is none. */
int fsi_slurm_charge(struct fsi_scenario *s, struct fsi_job *job, uint32_t account);

/* What the scheduler last said of the job no longer tells: its reason, its estimate, its nodes, its priority. */
void fsi_slurm_untold(struct fsi_scenario *s, struct fsi_job *job);

/* The same of the priorities of all jobs that wait, and of all that was printed. */
void fsi_slurm_all_untold(struct fsi_scenario *s);

/* ---- requests as both scontrol update job and sbatch take them: slurm_request.c */

int fsi_slurm_partition(struct fsi_scenario *s, struct fsi_job *job, const char *list);
int fsi_slurm_qos(struct fsi_scenario *s, struct fsi_job *job, const char *list);
/* "gpu:2", "gres/gpu:a100:2", of each of its nodes; a kind the cluster counts, a type whether it does or not. */
int fsi_slurm_gres(struct fsi_scenario *s, struct fsi_job *job, const char *list);
/* Of all its nodes together. */
int fsi_slurm_gres_in_all(struct fsi_scenario *s, struct fsi_job *job, const char *list);

/* ---- words of scontrol update job: slurm_size.c */

/* The word's value as a whole number; refused below `min` and above `max`. */
int fsi_slurm_number(struct fsi_scenario *s, const struct fsi_edit_word *w, const char *text, int64_t min,
		     int64_t max, int64_t *out);

FSI_SETTER(fsi_slurm_edit_nodes);
FSI_SETTER(fsi_slurm_edit_cpus);
FSI_SETTER(fsi_slurm_edit_min_cpus);
FSI_SETTER(fsi_slurm_edit_mem_per_cpu);
FSI_SETTER(fsi_slurm_edit_mem_per_node);
FSI_SETTER(fsi_slurm_edit_gres);

/* slurm_dependency.c */
FSI_SETTER(fsi_slurm_edit_dependency);

/* ---- commands; the words behind the command's own begin at s->word[at] */

int fsi_slurm_update_job(struct fsi_scenario *s, const char *jobs, size_t at);
/* One of its words: its value into the job, and nothing else. */
int fsi_slurm_set_job(struct fsi_scenario *s, struct fsi_job *job, const char *word, const char *value);
/* The words behind the partition's name begin at s->word[at]. */
int fsi_slurm_update_partition(struct fsi_scenario *s, const char *name, size_t at);
/* Its Nodes=, which may also add (+=, or +n1) and take away (slurm_nodes.c). */
FSI_SETTER(fsi_slurm_partition_nodes);
/* "n[1-4]", "ALL" into a list with names apart. Error: FS_EUSAGE where one is not in the snapshot. */
int fsi_slurm_node_list(struct fsi_scenario *s, const char *what, struct fsi_operand v, uint32_t old, uint32_t *out);
/* Nodes by a hostlist; the words behind it begin at s->word[at]. */
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
/* "PriorityWeightAge=0": s->word[0]. */
int fsi_slurm_setting(struct fsi_scenario *s);

#endif
