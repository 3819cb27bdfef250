/* Fields of accounting records: TRES, associations, users, QOS, past usage, grants. Columns and types are described in
 * records.h, the only file that includes this one. */
#ifndef FSI_MODEL_RECORDS_FIELDS_ACCOUNTING_H
#define FSI_MODEL_RECORDS_FIELDS_ACCOUNTING_H

#define FSI_TRES_FIELDS(X)                                                                         \
	X(id, U32, FSI_REQ, "", "number of the TRES: columns list TRES in this order")             \
	X(name, STR, FSI_REQ, "", "\"cpu\", \"mem\", \"gres/gpu\"")

#define FSI_ASSOCIATION_FIELDS(X)                                                                  \
	X(id, U32, FSI_REQ, "", "association id")                                                  \
	X(account, STR, FSI_REQ, "", "account (bank)")                                             \
	X(user, STR, 0, "", "user; absent in the association of the account itself")               \
	X(partition, STR, 0, "", "partition, when the association holds only there")               \
	X(parent, STR, 0, "", "parent account; absent in users and in the root account")           \
	X(shares, SHARES, 0, "", "raw shares among the siblings")                                  \
	X(priority, U32, 0, "", "association priority")                                            \
	X(lft, U32, 0, "", "position in the accounting database (Slurm before 23.11)")             \
	X(usage_tres_s, DBL, FSI_POS, "TRES s",                                                    \
	  "decayed usage; of an account: only what no association listed below it holds")          \
	X(usage_wall_s, DBL, FSI_POS, "s", "decayed wall clock, likewise")                         \
	X(usage_by_tres_s, TRESF, FSI_POS, "s", "decayed usage by TRES, likewise")                 \
	X(usage_by_tres_min, TRES, FSI_POS, "min", "the same with all below, whole minutes")       \
	X(usage_wall_min, DBL, FSI_POS, "min", "decayed wall clock with all below, two decimals")  \
	X(run_by_tres_min, TRES, FSI_POS, "min", "TRES minutes promised to running jobs")          \
	X(qos, LIST, 0, "", "QOS that may be used")                                                \
	X(default_qos, STR, 0, "", "QOS of jobs that ask for none")                                \
	X(grp_jobs, U32, 0, "", "limit: running jobs together")                                    \
	X(grp_jobs_accrue, U32, 0, "", "limit: jobs that accrue age together")                              \
	X(grp_submit_jobs, U32, 0, "", "limit: jobs pending or running together")                  \
	X(grp_wall_s, DUR, 0, "s", "limit: wall clock together")                                   \
	X(grp_tres, TRES, FSI_POS, "", "limit: TRES together")                                     \
	X(grp_tres_min, TRES, FSI_POS, "min", "limit: TRES minutes together")                      \
	X(grp_tres_run_min, TRES, FSI_POS, "min", "limit: TRES minutes of running jobs")           \
	X(max_jobs, U32, 0, "", "limit: running jobs")                                             \
	X(max_jobs_accrue, U32, 0, "", "limit: jobs that accrue age")                                       \
	X(max_submit_jobs, U32, 0, "", "limit: jobs pending or running")                           \
	X(max_tres, TRES, FSI_POS, "", "limit: TRES of a job")                                     \
	X(max_tres_per_node, TRES, FSI_POS, "", "limit: TRES of a job on a node")                  \
	X(max_tres_min, TRES, FSI_POS, "min", "limit: TRES minutes of a job")                      \
	X(max_wall_s, DUR, 0, "s", "limit: wall clock of a job")                                   \
	X(active, BOOL, 0, "", "false: not counted in fair share, nor is anything below it (flux)")\
	X(left_out, BOOL, 0, "", "true: a user of a bank that has sub-banks: not counted (flux)")  \
	X(fairshare, DBL, FSI_PART, "", "fair-share factor the scheduler holds, six decimals (flux)") \
	X(total_usage, DBL, FSI_POS, "", "usage of a bank as listed, inactive rows included (flux)") \
	X(bank_priority, DBL, 0, "", "priority of a bank (flux)")                                  \
	X(max_sched_jobs, U32, 0, "", "limit: jobs in SCHED; 2147483647 is none (flux)")           \
	X(max_nodes, U32, 0, "", "limit: nodes of running jobs; 2147483647 is none (flux)")        \
	X(max_cores, U32, 0, "", "limit: cores of running jobs; 2147483647 is none (flux)")        \
	X(queues, LIST, 0, "", "queues that may be used; none: no queue is needed (flux)")         \
	X(projects, LIST, 0, "", "projects that may be charged (flux)")                            \
	X(last_job, U64, 0, "", "id of the job submitted last, ended or not (flux)")               \
	X(last_queue, STR, 0, "", "the queue that counts since then; absent beside last_job: none (flux)") \
	X(queue_factor, I32, 0, "", "priority of a queue that the scheduler holds for all jobs here (flux)") \
	X(bank_factor, DBL, 0, "", "priority of the bank that it holds, where it is not the bank's (flux)")

#define FSI_USER_FIELDS(X)                                                                         \
	X(name, STR, FSI_REQ, "", "login name")                                                    \
	X(uid, U32, 0, "", "numeric user id")                                                      \
	X(default_account, STR, 0, "", "account of jobs that name none")                           \
	X(admin, STR, 0, "", "\"none\", \"operator\" or \"administrator\"")                        \
	X(coordinates, LIST, 0, "", "accounts this user coordinates")

#define FSI_QOS_FIELDS(X)                                                                          \
	X(name, STR, FSI_REQ, "", "name")                                                          \
	X(id, U32, 0, "", "number")                                                                \
	X(priority, U32, 0, "", "priority")                                                        \
	X(usage_factor, DBL, FSI_POS, "", "usage of its jobs is multiplied by this")               \
	X(usage_threshold, DBL, FSI_POS, "", "least fair-share factor a job may have")             \
	X(limit_factor, DBL, FSI_POS, "", "grp_tres and max_tres of associations count times this") \
	X(flags, LIST, 0, "", "flags")                                                             \
	X(preempt, LIST, 0, "", "QOS it may preempt")                                              \
	X(preempt_mode, STR, 0, "", "how it is preempted")                                         \
	X(grace_s, DUR, 0, "s", "grace time before preemption")                                    \
	X(usage_by_tres_min, TRES, FSI_POS, "min", "decayed usage of its jobs, whole minutes")     \
	X(usage_wall_min, DBL, FSI_POS, "min", "decayed wall clock of its jobs, two decimals")     \
	X(run_by_tres_min, TRES, FSI_POS, "min", "TRES minutes promised to its running jobs")      \
	X(grp_jobs, U32, 0, "", "limit: running jobs together")                                    \
	X(grp_jobs_accrue, U32, 0, "", "limit: jobs that accrue age together")                              \
	X(grp_submit_jobs, U32, 0, "", "limit: jobs pending or running together")                  \
	X(grp_wall_s, DUR, 0, "s", "limit: wall clock together")                                   \
	X(grp_tres, TRES, FSI_POS, "", "limit: TRES together")                                     \
	X(grp_tres_min, TRES, FSI_POS, "min", "limit: TRES minutes together")                      \
	X(grp_tres_run_min, TRES, FSI_POS, "min", "limit: TRES minutes of running jobs")           \
	X(max_tres, TRES, FSI_POS, "", "limit: TRES of a job")                                     \
	X(max_tres_per_node, TRES, FSI_POS, "", "limit: TRES of a job on a node")                  \
	X(max_tres_min, TRES, FSI_POS, "min", "limit: TRES minutes of a job")                      \
	X(max_wall_s, DUR, 0, "s", "limit: wall clock of a job")                                   \
	X(max_tres_per_user, TRES, FSI_POS, "", "limit: TRES of a user")                           \
	X(max_jobs_per_user, U32, 0, "", "limit: running jobs of a user")                          \
	X(max_jobs_accrue_per_user, U32, 0, "", "limit: jobs of a user that accrue age")                    \
	X(max_submit_jobs_per_user, U32, 0, "", "limit: jobs of a user pending or running")        \
	X(max_tres_run_min_per_user, TRES, FSI_POS, "min", "limit: TRES minutes of a user's running jobs") \
	X(max_tres_per_account, TRES, FSI_POS, "", "limit: TRES of an account")                    \
	X(max_jobs_per_account, U32, 0, "", "limit: running jobs of an account")                   \
	X(max_jobs_accrue_per_account, U32, 0, "", "limit: jobs of an account that accrue age")             \
	X(max_submit_jobs_per_account, U32, 0, "", "limit: jobs of an account pending or running") \
	X(max_tres_run_min_per_account, TRES, FSI_POS, "min", "limit: TRES minutes of an account's running jobs") \
	X(min_tres, TRES, FSI_POS, "", "limit: least TRES of a job")

#define FSI_USAGE_FIELDS(X)                                                                        \
	X(job, U64, FSI_REQ, "", "job id; a job that was requeued has one record per run")         \
	X(user, STR, 0, "", "owner")                                                               \
	X(account, STR, 0, "", "account charged")                                                  \
	X(association, U32, 0, "", "id of the association charged")                                \
	X(partition, STR, 0, "", "partition it ran in")                                            \
	X(qos, STR, 0, "", "QOS it ran with")                                                      \
	X(state, STR, 0, "", "state it ended in")                                                  \
	X(submit_time, TIME, 0, "s", "when it was submitted")                                      \
	X(eligible_time, TIME, 0, "s", "when it could have started first")                         \
	X(start_time, TIME, FSI_REQ, "s", "start")                                                 \
	X(end_time, TIME, 0, "s", "end; absent while it runs")                                     \
	X(tres, TRES, FSI_POS, "", "TRES allocated (mem in MiB)")

#define FSI_GRANT_FIELDS(X)                                                                        \
	X(account, STR, FSI_REQ, "", "account that holds the grant")                               \
	X(kind, STR, FSI_REQ, "", "\"gratis\", \"lab\" or \"communal\"")                           \
	X(shares, DBL, FSI_POS, "", "shares of the pool; absent: computed from its partitions")    \
	X(partitions, LIST, 0, "", "partitions of the pool; of a gratis grant by default the public ones")  \
	X(fraction, DBL, FSI_POS, "", "part of the pool; of a gratis grant by default one account's")       \
	X(comment, STR, 0, "", "where it came from")

#endif
