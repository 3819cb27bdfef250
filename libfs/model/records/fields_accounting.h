/* Fields of accounting records: TRES, associations, users, QOS, past usage, and shares given to accounts (record type
 * "grant"). Columns and types are described in records.h, the only file that includes this one. */
#ifndef FSI_MODEL_RECORDS_FIELDS_ACCOUNTING_H
#define FSI_MODEL_RECORDS_FIELDS_ACCOUNTING_H

#define FSI_TRES_FIELDS(X)                                                                         \
	X(id, U32, FSI_REQ, "", "TRES number; commands sort TRES by this number")                  \
	X(name, STR, FSI_REQ | FSI_ROLE_KEEP, "", "TRES name: \"cpu\", \"mem\", \"gres/gpu\"")

#define FSI_ASSOCIATION_FIELDS(X)                                                                  \
	X(id, U32, FSI_REQ, "", "association id")                                                  \
	X(account, STR, FSI_REQ | FSI_ROLE_ACCOUNT, "", "account (bank)")                          \
	X(user, STR, FSI_ROLE_USER, "", "user name; absent for an account's own association")      \
	X(partition, STR, FSI_ROLE_PARTITION, "", "partition to which the association is limited, if any") \
	X(parent, STR, FSI_ROLE_ACCOUNT, "", "parent account; absent for users and the root account") \
	X(shares, SHARES, 0, "", "raw shares relative to the siblings")                            \
	X(priority, U32, 0, "", "association priority")                                            \
	X(lft, U32, 0, "", "position in the accounting database (Slurm before 23.11)")             \
	X(usage_tres_s, DBL, FSI_POS, "TRES s", "decayed usage, excluding descendant associations") \
	X(usage_wall_s, DBL, FSI_POS, "s", "decayed wall clock time, excluding descendant associations") \
	X(usage_by_tres_s, TRESF, FSI_POS, "s", "decayed usage by TRES, excluding descendant associations") \
	X(usage_by_tres_min, TRES, FSI_POS, "min", "decayed usage by TRES, including descendant associations; whole minutes") \
	X(usage_wall_min, DBL, FSI_POS, "min", "decayed wall clock time, including descendant associations; two decimals") \
	X(run_by_tres_min, TRES, FSI_POS, "min", "remaining TRES minutes of running jobs")         \
	X(qos, LIST, FSI_ROLE_QOS, "", "QOS that jobs may use")                                    \
	X(default_qos, STR, FSI_ROLE_QOS, "", "QOS of jobs that request no QOS")                   \
	X(grp_jobs, U32, 0, "", "group limit: running jobs")                                       \
	X(grp_jobs_accrue, U32, 0, "", "group limit: jobs that accrue age")                        \
	X(grp_submit_jobs, U32, 0, "", "group limit: pending and running jobs")                    \
	X(grp_wall_s, DUR, 0, "s", "group limit: wall clock time")                                 \
	X(grp_tres, TRES, FSI_POS, "", "group limit: TRES")                                        \
	X(grp_tres_min, TRES, FSI_POS, "min", "group limit: TRES minutes")                         \
	X(grp_tres_run_min, TRES, FSI_POS, "min", "group limit: remaining TRES minutes of running jobs") \
	X(max_jobs, U32, 0, "", "limit: running jobs")                                             \
	X(max_jobs_accrue, U32, 0, "", "limit: jobs that accrue age")                                       \
	X(max_submit_jobs, U32, 0, "", "limit: pending and running jobs")                          \
	X(max_tres, TRES, FSI_POS, "", "limit: TRES of a job")                                     \
	X(max_tres_per_node, TRES, FSI_POS, "", "limit: TRES of a job on a node")                  \
	X(max_tres_min, TRES, FSI_POS, "min", "limit: TRES minutes of a job")                      \
	X(max_wall_s, DUR, 0, "s", "limit: wall clock time of a job")                              \
	X(active, BOOL, 0, "", "false: fair share ignores the association and its descendants (flux)") \
	X(left_out, BOOL, 0, "", "true: fair share ignores the user, because the bank also has sub-banks (flux)") \
	X(fairshare, DBL, FSI_PART, "", "recorded fair-share factor, six decimals (flux)")         \
	X(total_usage, DBL, FSI_POS, "", "recorded usage of a bank, including inactive associations (flux)") \
	X(bank_priority, DBL, 0, "", "priority of a bank (flux)")                                  \
	X(max_sched_jobs, U32, 0, "", "limit: jobs in state SCHED; 2147483647: no limit (flux)")   \
	X(max_nodes, U32, 0, "", "limit: nodes of running jobs; 2147483647: no limit (flux)")      \
	X(max_cores, U32, 0, "", "limit: cores of running jobs; 2147483647: no limit (flux)")      \
	X(queues, LIST, FSI_ROLE_PARTITION, "", "queues that jobs may use; absent: jobs need no queue (flux)") \
	X(projects, LIST, FSI_ROLE_PROJECT, "", "projects that jobs may charge (flux)")            \
	X(last_job, U64, 0, "", "id of the last submitted job, even if it has ended (flux)")       \
	X(last_queue, STR, FSI_ROLE_PARTITION, "", "queue whose priority applies to all the association's jobs; absent, but last_job present: no queue (flux)") \
	X(queue_factor, I32, 0, "", "queue priority that the scheduler uses for all jobs of the association (flux)") \
	X(bank_factor, DBL, 0, "", "bank priority that the scheduler uses, if different from bank_priority (flux)")

#define FSI_USER_FIELDS(X)                                                                         \
	X(name, STR, FSI_REQ | FSI_ROLE_USER, "", "login name")                                    \
	X(uid, U32, 0, "", "numeric user id")                                                      \
	X(default_account, STR, FSI_ROLE_ACCOUNT, "", "account of jobs that request no account")   \
	X(admin, STR, FSI_ROLE_KEEP, "", "\"none\", \"operator\" or \"administrator\"")            \
	X(coordinates, LIST, FSI_ROLE_ACCOUNT, "", "accounts that the user coordinates")

#define FSI_QOS_FIELDS(X)                                                                          \
	X(name, STR, FSI_REQ | FSI_ROLE_QOS, "", "QOS name")                                       \
	X(id, U32, 0, "", "numeric QOS id")                                                        \
	X(priority, U32, 0, "", "QOS priority")                                                    \
	X(usage_factor, DBL, FSI_POS, "", "factor by which jobs' usage is multiplied")             \
	X(usage_threshold, DBL, FSI_POS, "", "minimum fair-share factor that a job needs to start")                 \
	X(limit_factor, DBL, FSI_POS, "", "factor by which grp_tres and max_tres of associations are multiplied")      \
	X(flags, LIST, FSI_ROLE_KEEP, "", "QOS flags")                                             \
	X(preempt, LIST, FSI_ROLE_QOS, "", "QOS whose jobs this QOS may preempt")                  \
	X(preempt_mode, STR, FSI_ROLE_KEEP, "", "how jobs with the QOS are preempted")                         \
	X(grace_s, DUR, 0, "s", "grace time before preemption")                                    \
	X(usage_by_tres_min, TRES, FSI_POS, "min", "decayed usage of jobs by TRES, in whole minutes") \
	X(usage_wall_min, DBL, FSI_POS, "min", "decayed wall clock time of jobs, two decimals")    \
	X(run_by_tres_min, TRES, FSI_POS, "min", "remaining TRES minutes of running jobs")         \
	X(grp_jobs, U32, 0, "", "group limit: running jobs")                                       \
	X(grp_jobs_accrue, U32, 0, "", "group limit: jobs that accrue age")                        \
	X(grp_submit_jobs, U32, 0, "", "group limit: pending and running jobs")                    \
	X(grp_wall_s, DUR, 0, "s", "group limit: wall clock time")                                 \
	X(grp_tres, TRES, FSI_POS, "", "group limit: TRES")                                        \
	X(grp_tres_min, TRES, FSI_POS, "min", "group limit: TRES minutes")                         \
	X(grp_tres_run_min, TRES, FSI_POS, "min", "group limit: remaining TRES minutes of running jobs") \
	X(max_tres, TRES, FSI_POS, "", "limit: TRES of a job")                                     \
	X(max_tres_per_node, TRES, FSI_POS, "", "limit: TRES of a job on a node")                  \
	X(max_tres_min, TRES, FSI_POS, "min", "limit: TRES minutes of a job")                      \
	X(max_wall_s, DUR, 0, "s", "limit: wall clock time of a job")                              \
	X(max_tres_per_user, TRES, FSI_POS, "", "limit: TRES of a user")                           \
	X(max_jobs_per_user, U32, 0, "", "limit: running jobs of a user")                          \
	X(max_jobs_accrue_per_user, U32, 0, "", "limit: jobs of a user that accrue age")                    \
	X(max_submit_jobs_per_user, U32, 0, "", "limit: pending and running jobs of a user")       \
	X(max_tres_run_min_per_user, TRES, FSI_POS, "min", "limit: remaining TRES minutes of a user's running jobs") \
	X(max_tres_per_account, TRES, FSI_POS, "", "limit: TRES of an account")                    \
	X(max_jobs_per_account, U32, 0, "", "limit: running jobs of an account")                   \
	X(max_jobs_accrue_per_account, U32, 0, "", "limit: jobs of an account that accrue age")             \
	X(max_submit_jobs_per_account, U32, 0, "", "limit: pending and running jobs of an account") \
	X(max_tres_run_min_per_account, TRES, FSI_POS, "min", "limit: remaining TRES minutes of an account's running jobs") \
	X(min_tres, TRES, FSI_POS, "", "limit: minimum TRES of a job")

#define FSI_USAGE_FIELDS(X)                                                                        \
	X(job, U64, FSI_REQ, "", "job id")                                                         \
	X(user, STR, FSI_ROLE_USER, "", "owner")                                                   \
	X(account, STR, FSI_ROLE_ACCOUNT, "", "account charged")                                   \
	X(association, U32, 0, "", "id of the association charged")                                \
	X(partition, STR, FSI_ROLE_PARTITION, "", "partition in which the job ran")                \
	X(qos, STR, FSI_ROLE_QOS, "", "QOS with which the job ran")                                \
	X(state, STR, FSI_ROLE_KEEP, "", "state in which the job ended")                           \
	X(submit_time, TIME, 0, "s", "submit time")                                                \
	X(eligible_time, TIME, 0, "s", "when the job became eligible")                             \
	X(start_time, TIME, FSI_REQ, "s", "start time")                                            \
	X(end_time, TIME, 0, "s", "end time; absent: not ended or unknown")                        \
	X(tres, TRES, FSI_POS, "", "TRES allocated")                                              \
	X(max_rss_mb, U32, 0, "MiB", "memory of the job's largest task")

#define FSI_GRANT_FIELDS(X)                                                                        \
	X(account, STR, FSI_REQ | FSI_ROLE_ACCOUNT, "", "account that holds the grant")            \
	X(kind, STR, FSI_REQ | FSI_ROLE_KEEP, "", "\"gratis\", \"lab\" or \"communal\"")           \
	X(shares, DBL, FSI_POS, "", "shares of the pool; absent: computed from the pool's partitions")    \
	X(partitions, LIST, FSI_ROLE_PARTITION, "", "partitions of the pool; absent in a gratis grant: the public partitions") \
	X(fraction, DBL, FSI_POS, "", "fraction of the pool; absent: 1; in a gratis grant without shares, 1 / number of accounts") \
	X(comment, STR, 0, "", "origin of the grant")

#endif
