/* Limits of associations and QOS, and the names of each limit; used by import, by the commands of sacctmgr and by the
 * limit checks. Types and meanings of the fields are in records.h.
 *
 * X(member, TYPE, name, column, shown, word, order, measure, counted)
 *   name    the limit's name in pending reasons and explanations
 *   column  its column heading in the output of sacctmgr -p
 *   shown   its name in the output of scontrol show assoc_mgr
 *   word    its name in the command sacctmgr modify
 *   order   its number in the order in which src/slurmctld/acct_policy.c tests limits
 *   measure, counted  enum fsi_limit_measure and enum fsi_limit_counted (limits/limits.h)
 * Accrue limits (libfs/priority/slurm.c) have neither order nor measure. */
#ifndef FSI_MODEL_RECORDS_LIMIT_NAMES_H
#define FSI_MODEL_RECORDS_LIMIT_NAMES_H

/* Limits on the jobs of an association and of all associations below it, taken together. A job must satisfy the limits
 * of its own association and of all ancestors. */
#define FSI_ASSOC_GROUP_LIMITS(X)                                                                                  \
	X(grp_tres, TRES, "GrpTRES", "GrpTRES", "GrpTRES", "GrpTRES", 0, RUNNING_TRES, ALL_USERS)                  \
	X(grp_jobs, U32, "GrpJobs", "GrpJobs", "GrpJobs", "GrpJobs", 1, RUNNING_JOBS, ALL_USERS)                   \
	X(grp_submit_jobs, U32, "GrpSubmitJobs", "GrpSubmit", "GrpSubmitJobs", "GrpSubmitJobs", 2, QUEUED_JOBS,    \
	  ALL_USERS)                                                                                               \
	X(grp_tres_min, TRES, "GrpTRESMins", "GrpTRESMins", "GrpTRESMins", "GrpTRESMins", 3, USED_MINUTES,         \
	  ALL_USERS)                                                                                               \
	X(grp_tres_run_min, TRES, "GrpTRESRunMins", "GrpTRESRunMins", "GrpTRESRunMins", "GrpTRESRunMins", 4,       \
	  RUN_MINUTES, ALL_USERS)                                                                                  \
	X(grp_wall_s, DUR, "GrpWall", "GrpWall", "GrpWall", "GrpWall", 5, USED_WALL, ALL_USERS)
#define FSI_COUNT_LIMIT(...) +1
enum { FSI_ASSOC_GROUP_LIMIT_COUNT = FSI_ASSOC_GROUP_LIMITS(FSI_COUNT_LIMIT) };

/* Limits of the job's own association only. An association that does not set such a limit inherits the limit from its
 * parent. */
#define FSI_ASSOC_OWN_LIMITS(X)                                                                                    \
	X(max_jobs, U32, "MaxJobs", "MaxJobs", "MaxJobs", "MaxJobs", 6, RUNNING_JOBS, ALL_USERS)                   \
	X(max_submit_jobs, U32, "MaxSubmitJobs", "MaxSubmit", "MaxSubmitJobs", "MaxSubmitJobs", 7, QUEUED_JOBS,    \
	  ALL_USERS)                                                                                               \
	X(max_tres, TRES, "MaxTRESPerJob", "MaxTRES", "MaxTRESPJ", "MaxTRESPerJob", 8, JOB_TRES, ALL_USERS)        \
	X(max_tres_per_node, TRES, "MaxTRESPerNode", "MaxTRESPerNode", "MaxTRESPN", "MaxTRESPerNode", 9, NODE_TRES, \
	  ALL_USERS)                                                                                               \
	X(max_tres_min, TRES, "MaxTRESMinsPerJob", "MaxTRESMins", "MaxTRESMinsPJ", "MaxTRESMins", 10, JOB_MINUTES, \
	  ALL_USERS)                                                                                               \
	X(max_wall_s, DUR, "MaxWall", "MaxWall", "MaxWallPJ", "MaxWall", 11, JOB_TIME, ALL_USERS)

#define FSI_ASSOC_ACCRUE_LIMITS(X)                                                                                 \
	X(grp_jobs_accrue, U32, "GrpJobsAccrue", "GrpJobsAccrue", "GrpJobsAccrue", "GrpJobsAccrue", , , )           \
	X(max_jobs_accrue, U32, "MaxJobsAccrue", "MaxJobsAccrue", "MaxJobsAccrue", "MaxJobsAccrue", , , )

#define FSI_QOS_LIMITS(X)                                                                                          \
	FSI_ASSOC_GROUP_LIMITS(X)                                                                                  \
	X(max_tres_per_user, TRES, "MaxTRESPU", "MaxTRESPU", "MaxTRESPU", "MaxTRESPerUser", 6, RUNNING_TRES, USER) \
	X(max_jobs_per_user, U32, "MaxJobsPU", "MaxJobsPU", "MaxJobsPU", "MaxJobsPerUser", 7, RUNNING_JOBS, USER)  \
	X(max_submit_jobs_per_user, U32, "MaxSubmitJobsPU", "MaxSubmitPU", "MaxSubmitJobsPU",                      \
	  "MaxSubmitJobsPerUser", 8, QUEUED_JOBS, USER)                                                            \
	X(max_tres_per_account, TRES, "MaxTRESPA", "MaxTRESPA", "MaxTRESPA", "MaxTRESPerAccount", 10,              \
	  RUNNING_TRES, ACCOUNT)                                                                                   \
	X(max_jobs_per_account, U32, "MaxJobsPA", "MaxJobsPA", "MaxJobsPA", "MaxJobsPerAccount", 11,               \
	  RUNNING_JOBS, ACCOUNT)                                                                                   \
	X(max_submit_jobs_per_account, U32, "MaxSubmitJobsPA", "MaxSubmitPA", "MaxSubmitJobsPA",                   \
	  "MaxSubmitJobsPerAccount", 12, QUEUED_JOBS, ACCOUNT)                                                     \
	X(max_tres, TRES, "MaxTRESPerJob", "MaxTRES", "MaxTRESPJ", "MaxTRESPerJob", 14, JOB_TRES, ALL_USERS)       \
	X(max_tres_per_node, TRES, "MaxTRESPerNode", "MaxTRESPerNode", "MaxTRESPN", "MaxTRESPerNode", 15,          \
	  NODE_TRES, ALL_USERS)                                                                                    \
	X(max_tres_min, TRES, "MaxTRESMinsPerJob", "MaxTRESMins", "MaxTRESMinsPJ", "MaxTRESMins", 16, JOB_MINUTES, \
	  ALL_USERS)                                                                                               \
	X(max_wall_s, DUR, "MaxWall", "MaxWall", "MaxWallPJ", "MaxWall", 17, JOB_TIME, ALL_USERS)                  \
	X(min_tres, TRES, "MinTRESPerJob", "MinTRES", "MinTRESPJ", "MinTRESPerJob", 18, MIN_TRES, ALL_USERS)

/* Limits without a column in sacctmgr; only scontrol shows these limits. */
#define FSI_QOS_RUN_MINUTE_LIMITS(X)                                                                                 \
	X(max_tres_run_min_per_user, TRES, "MaxTRESRunMinsPU", , "MaxTRESRunMinsPU", "MaxTRESRunMinsPU", 9, RUN_MINUTES, USER)       \
	X(max_tres_run_min_per_account, TRES, "MaxTRESRunMinsPA", , "MaxTRESRunMinsPA", "MaxTRESRunMinsPA", 13, RUN_MINUTES,         \
	  ACCOUNT)

#define FSI_QOS_ACCRUE_LIMITS(X)                                                                                   \
	X(grp_jobs_accrue, U32, "GrpJobsAccrue", "GrpJobsAccrue", "GrpJobsAccrue", "GrpJobsAccrue", , , ALL_USERS)  \
	X(max_jobs_accrue_per_user, U32, "MaxJobsAccruePerUser", "MaxJobsAccruePU", "MaxJobsAccruePU",             \
	  "MaxJobsAccruePerUser", , , USER)                                                                        \
	X(max_jobs_accrue_per_account, U32, "MaxJobsAccruePerAccount", "MaxJobsAccruePA", "MaxJobsAccruePA",       \
	  "MaxJobsAccruePerAccount", , , ACCOUNT)

#endif
