/* The records of a snapshot, as data. Each table names every field once: JSON key = C member, type,
 * flags, unit and meaning. From it come the struct, the reader, the writer, and the field lists of
 * man/fs-snapshot.5 (a test compares them).
 *
 * X(member, TYPE, FLAGS, unit, meaning)
 *   TYPE   C type     JSON
 *   U32    uint32_t   integer 0..4294967295
 *   U64    uint64_t   integer 0..18446744073709551615, exact
 *   I32    int32_t    integer
 *   TIME   int64_t    integer >= 0, seconds since 1970
 *   DUR    int64_t    integer >= 0, or "unlimited"
 *   SHARES uint32_t   integer, or "parent"
 *   DBL    double     number
 *   BOOL   bool       true or false
 *   STR    uint32_t   string (interned)
 *   STATE  uint8_t    one of FSI_JOB_STATES
 *   LIST   uint32_t   list of strings (interned set of string ids)
 *   TRES   uint32_t   object: TRES name to integer (interned set)
 *   TRESF  uint32_t   object: TRES name to number (interned set)
 *   FLAGS  REQ required, POS not negative, PART from 0 to 1, 0 none
 * A field that is absent is unknown, which is not zero: its bit in rec.has is clear. The words
 * "unlimited" and "parent" set the bit in rec.special. */
#ifndef FSI_RECORDS_H
#define FSI_RECORDS_H

#include "model/presence.h"

#define FSI_C_U32 uint32_t
#define FSI_C_U64 uint64_t
#define FSI_C_I32 int32_t
#define FSI_C_TIME int64_t
#define FSI_C_DUR int64_t
#define FSI_C_SHARES uint32_t
#define FSI_C_DBL double
#define FSI_C_BOOL bool
#define FSI_C_STR uint32_t
#define FSI_C_STATE uint8_t
#define FSI_C_LIST uint32_t
#define FSI_C_TRES uint32_t
#define FSI_C_TRESF uint32_t

enum fsi_field_type {
	FSI_U32,
	FSI_U64,
	FSI_I32,
	FSI_TIME,
	FSI_DUR,
	FSI_SHARES,
	FSI_DBL,
	FSI_BOOL,
	FSI_STR,
	FSI_STATE,
	FSI_LIST,
	FSI_TRES,
	FSI_TRESF
};

enum { FSI_REQ = 1, FSI_POS = 2, FSI_PART = 6 };

#define FSI_SNAPSHOT_FIELDS(X)                                                                     \
	X(format, U32, FSI_REQ, "", "version of this format: 1")                                   \
	X(time, TIME, FSI_REQ, "s", "when the state was captured: the clock of every command")     \
	X(cluster, STR, FSI_REQ, "", "name of the cluster")                                        \
	X(scheduler, STR, FSI_REQ, "", "scheduler and version: \"slurm 26.11.0\"")                 \
	X(captured_by, STR, 0, "", "login name whose view of the cluster this is")                 \
	X(utc_offset_s, I32, 0, "s", "local time minus UTC at that moment")                        \
	X(utc_offsets, LIST, 0, "s",                                                               \
	  "the same since when, for times that a change lies before: \"1792890000 3600\", rising")   \
	X(priority_time, TIME, 0, "s", "when the scheduler last computed its priorities")          \
	X(priority_time_from, STR, 0, "",                                                          \
	  "how priority_time was found: \"ages\", \"promises\", \"start\", \"no ages\" or \"shares\"") \
	X(priority_time_error_s, U32, 0, "s", "by how much it may be off; absent if nothing tells") \
	X(priority_time_before, TIME, 0, "s",                                                      \
	  "when the scheduler had computed them before: classic shares of accounts lack what was used since") \
	X(priority_time_before_from, STR, 0, "",                                                   \
	  "how priority_time_before was found: \"shares\" or \"period\"")                          \
	X(priority_time_before_error_s, U32, 0, "s", "by how much it may be off; absent if nothing tells") \
	X(shares_time, TIME, 0, "s",                                                               \
	  "when classic shares of users without a pending job were first asked for after priority_time") \
	X(list_order, STR, 0, "",                                                                  \
	  "order of equal accounts, \"database\" or \"name\"; absent where nothing tells (Slurm before 23.11)") \
	X(usage_source, STR, 0, "", "where usage came from, which says how many digits it has")    \
	X(whole_shares, BOOL, 0, "",                                                               \
	  "recorded usages and level_fs are whole doubles (sshare --json), not six decimals")      \
	X(active_nodes, U32, 0, "", "Maui: nodes in use, as the scheduler counted them")           \
	X(hidden, LIST, 0, "", "record types that are missing or incomplete in the capture")         \
	X(incomplete, LIST, 0, "", "what was missing in the files of the capture, a sentence each")

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
	X(grp_jobs_accrue, U32, 0, "", "limit: jobs ageing together")                              \
	X(grp_submit_jobs, U32, 0, "", "limit: jobs pending or running together")                  \
	X(grp_wall_s, DUR, 0, "s", "limit: wall clock together")                                   \
	X(grp_tres, TRES, FSI_POS, "", "limit: TRES together")                                     \
	X(grp_tres_min, TRES, FSI_POS, "min", "limit: TRES minutes together")                      \
	X(grp_tres_run_min, TRES, FSI_POS, "min", "limit: TRES minutes of running jobs")           \
	X(max_jobs, U32, 0, "", "limit: running jobs")                                             \
	X(max_jobs_accrue, U32, 0, "", "limit: jobs ageing")                                       \
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
	X(projects, LIST, 0, "", "projects that may be charged (flux)")

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
	X(grp_jobs_accrue, U32, 0, "", "limit: jobs ageing together")                              \
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
	X(max_jobs_accrue_per_user, U32, 0, "", "limit: jobs of a user ageing")                    \
	X(max_submit_jobs_per_user, U32, 0, "", "limit: jobs of a user pending or running")        \
	X(max_tres_run_min_per_user, TRES, FSI_POS, "min", "limit: TRES minutes of a user's running jobs") \
	X(max_tres_per_account, TRES, FSI_POS, "", "limit: TRES of an account")                    \
	X(max_jobs_per_account, U32, 0, "", "limit: running jobs of an account")                   \
	X(max_jobs_accrue_per_account, U32, 0, "", "limit: jobs of an account ageing")             \
	X(max_submit_jobs_per_account, U32, 0, "", "limit: jobs of an account pending or running") \
	X(max_tres_run_min_per_account, TRES, FSI_POS, "min", "limit: TRES minutes of an account's running jobs") \
	X(min_tres, TRES, FSI_POS, "", "limit: least TRES of a job")

#define FSI_PARTITION_FIELDS(X)                                                                    \
	X(name, STR, FSI_REQ, "", "name")                                                          \
	X(state, STR, 0, "", "\"UP\", \"DOWN\", \"DRAIN\" or \"INACTIVE\"")                        \
	X(job_factor, U32, 0, "", "PriorityJobFactor")                                             \
	X(tier, U32, 0, "", "PriorityTier: higher tiers are scheduled first")                      \
	X(qos, STR, 0, "", "partition QOS")                                                        \
	X(nodes, STR, 0, "", "node list expression")                                               \
	X(total_cpus, U32, 0, "", "CPUs")                                                          \
	X(total_nodes, U32, 0, "", "nodes")                                                        \
	X(tres, TRES, FSI_POS, "", "total TRES (mem in MiB)")                                      \
	X(billing_weights, STR, 0, "", "TRESBillingWeights as configured")                         \
	X(default_time_s, DUR, 0, "s", "time limit of jobs that ask for none")                     \
	X(max_time_s, DUR, 0, "s", "greatest time limit")                                          \
	X(min_nodes, U32, 0, "", "least nodes of a job")                                           \
	X(max_nodes, U32, 0, "", "most nodes of a job; absent when unlimited")                     \
	X(max_cpus_per_node, U32, 0, "", "most CPUs a job may use on a node")                      \
	X(max_mem_per_cpu_mb, U32, 0, "MiB", "most memory for a CPU: a job that asks for more gets more CPUs") \
	X(is_default, BOOL, 0, "", "jobs that name no partition come here")                        \
	X(is_hidden, BOOL, 0, "", "not shown to all")                                              \
	X(root_only, BOOL, 0, "", "only root may submit")                                          \
	X(oversubscribe, STR, 0, "", "OverSubscribe as configured; Exclusive, where it is not NO")  \
	X(exclusive_user, BOOL, 0, "", "jobs share nodes only with those of their user")           \
	X(least_loaded, BOOL, 0, "", "jobs get the least loaded nodes (LLN)")                      \
	X(preempt_mode, STR, 0, "", "how its jobs are preempted")                                  \
	X(allow_accounts, LIST, 0, "", "accounts admitted; absent: all")                           \
	X(allow_groups, LIST, 0, "", "groups admitted; absent: all")                               \
	X(allow_qos, LIST, 0, "", "QOS admitted; absent: all")                                     \
	X(deny_accounts, LIST, 0, "", "accounts refused")                                          \
	X(deny_qos, LIST, 0, "", "QOS refused")                                                    \
	X(priority, I32, 0, "", "priority of a queue (flux)")                                      \
	X(max_jobs_per_assoc, U32, 0, "", "limit: running jobs of a user in a bank (flux)")        \
	X(max_nodes_per_assoc, U32, 0, "", "limit: nodes of a user in a bank, running and in SCHED (flux)") \
	X(max_sched_jobs, U32, 0, "", "limit: jobs of a user in a bank in SCHED (flux)")           \
	X(max_sched_nodes, U32, 0, "", "limit: their nodes (flux)")                                \
	X(max_sched_cores, U32, 0, "", "limit: their cores (flux)")

#define FSI_NODE_FIELDS(X)                                                                         \
	X(name, STR, FSI_REQ, "", "name")                                                          \
	X(state, STR, 0, "", "state with its flags: \"IDLE+DRAIN\"")                               \
	X(cpus, U32, 0, "", "CPUs")                                                                \
	X(effective_cpus, U32, 0, "", "CPUs that jobs may use")                                    \
	X(alloc_cpus, U32, 0, "", "CPUs in use")                                                   \
	X(threads_per_core, U32, 0, "", "CPUs of a core, which are given out together")            \
	X(mem_mb, U64, 0, "MiB", "memory")                                                         \
	X(alloc_mem_mb, U64, 0, "MiB", "memory in use")                                            \
	X(weight, U32, 0, "", "scheduling weight: lower first")                                    \
	X(features, LIST, 0, "", "features")                                                       \
	X(gres, STR, 0, "", "generic resources as configured")                                     \
	X(partitions, LIST, 0, "", "partitions")                                                   \
	X(tres, TRES, FSI_POS, "", "configured TRES (mem in MiB)")                                 \
	X(alloc_tres, TRES, FSI_POS, "", "TRES in use")                                            \
	X(reason, STR, 0, "", "why it is down or drained")

#define FSI_RESERVATION_FIELDS(X)                                                                  \
	X(name, STR, FSI_REQ, "", "name")                                                          \
	X(start_time, TIME, 0, "s", "start")                                                       \
	X(end_time, TIME, 0, "s", "end")                                                           \
	X(state, STR, 0, "", "\"ACTIVE\" or \"INACTIVE\"")                                         \
	X(nodes, STR, 0, "", "node list expression")                                               \
	X(node_count, U32, 0, "", "nodes")                                                         \
	X(core_count, U32, 0, "", "cores")                                                         \
	X(partition, STR, 0, "", "partition")                                                      \
	X(flags, LIST, 0, "", "flags")                                                             \
	X(features, STR, 0, "", "features")                                                        \
	X(users, LIST, 0, "", "users admitted")                                                    \
	X(accounts, LIST, 0, "", "accounts admitted")                                              \
	X(licenses, STR, 0, "", "licenses")                                                        \
	X(tres, TRES, FSI_POS, "", "TRES reserved")

#define FSI_JOB_FIELDS(X)                                                                          \
	X(id, U64, FSI_REQ, "", "job id")                                                          \
	X(state, STATE, FSI_REQ, "", "state")                                                      \
	X(accruing, BOOL, 0, "", "false: its age did not yet count when priorities were last computed")    \
	X(array_job_id, U64, 0, "", "id of the array it belongs to")                               \
	X(het_job_id, U64, 0, "", "id of the heterogeneous job it belongs to")                     \
	X(submit_time, TIME, 0, "s", "submission")                                                 \
	X(eligible_time, TIME, 0, "s", "when it may first start; absent while it may not")         \
	X(accrue_time, TIME, 0, "s", "since when its age counts; absent while it does not")        \
	X(start_time, TIME, 0, "s", "start; of a pending job: the scheduler's estimate")           \
	X(end_time, TIME, 0, "s", "end; of a running job: start plus time limit")                  \
	X(deadline, TIME, 0, "s", "must have ended by then")                                       \
	X(last_sched_eval, TIME, 0, "s", "when the scheduler last looked at it")                   \
	X(time_limit_s, DUR, 0, "s", "time limit")                                                 \
	X(time_min_s, DUR, 0, "s", "least time limit acceptable")                                  \
	X(array_task_id, U32, 0, "", "number of the array task")                                   \
	X(array_tasks, STR, 0, "", "array tasks not yet split off: \"1,3,5-9%2\"")                 \
	X(het_offset, U32, 0, "", "number of the heterogeneous component")                         \
	X(sluid, STR, 0, "", "Slurm's own unique job id (26.05 and later)")                        \
	X(name, STR, 0, "", "name")                                                                \
	X(user, STR, 0, "", "owner")                                                               \
	X(uid, U32, 0, "", "numeric id of the owner")                                              \
	X(group, STR, 0, "", "group of the owner")                                                 \
	X(account, STR, 0, "", "account charged")                                                  \
	X(association, U32, 0, "", "id of the association charged")                                \
	X(partitions, LIST, 0, "", "partitions asked for, or the one it runs in")                  \
	X(qos, LIST, 0, "", "QOS asked for, or the one it runs with")                              \
	X(reason, STR, 0, "", "why the scheduler says it is pending")                              \
	X(priority, U32, 0, "", "priority held by the scheduler; 0 is held")                       \
	X(priority_set, U32, 0, "", "priority set by an administrator")                            \
	X(nice, I32, 0, "", "subtracted from the priority")                                        \
	X(site_factor, I32, 0, "", "added to the priority by the site's plugin")                   \
	X(nodes, U32, 0, "", "nodes, as the scheduler counts them")                                \
	X(max_nodes, U32, 0, "", "most nodes it takes; absent when it sets no limit, or none is told") \
	X(cpus, U32, 0, "", "CPUs")                                                                \
	X(mem_per_cpu_mb, U32, 0, "MiB", "memory for each CPU; absent when it is asked for by node") \
	X(tasks, U32, 0, "", "tasks")                                                              \
	X(cpus_per_task, U32, 0, "", "CPUs per task")                                              \
	X(min_cpus_per_node, U32, 0, "", "fewest CPUs it takes on each node")                      \
	X(tres_req, TRES, FSI_POS, "", "TRES requested (mem in MiB)")                              \
	X(tres_alloc, TRES, FSI_POS, "", "TRES allocated")                                         \
	X(features, STR, 0, "", "features asked for")                                              \
	X(licenses, STR, 0, "", "licenses asked for")                                              \
	X(dependency, STR, 0, "", "dependency not yet met")                                        \
	X(reservation, STR, 0, "", "reservation it runs in")                                       \
	X(req_nodes, STR, 0, "", "nodes it must have")                                             \
	X(exc_nodes, STR, 0, "", "nodes it must not have")                                         \
	X(sched_nodes, STR, 0, "", "nodes planned for it")                                         \
	X(node_list, STR, 0, "", "nodes it runs on; Maui: once for each task, if that is known")                                               \
	X(oversubscribe, STR, 0, "", "OverSubscribe as asked; Exclusive, where it is not NO")       \
	X(contiguous, BOOL, 0, "", "its nodes must be neighbours")                                 \
	X(restarts, U32, 0, "", "times it was started again")                                      \
	X(comment, STR, 0, "", "comment")                                                          \
	X(phase, STR, 0, "", "state in Flux's own words: DEPEND, PRIORITY, SCHED, RUN, CLEANUP")   \
	X(urgency, U32, 0, "", "urgency 0 to 31 (flux): 0 holds, 31 goes first")                   \
	X(fairshare_ppm, U32, 0, "1e-6", "fair-share factor its priority was computed with (flux)")                     \
	X(position, U32, 0, "", "Maui: place in the scheduler's job table")                        \
	X(bypass, U32, 0, "", "Maui: times a later job overtook it by backfill")                   \
	X(flags, LIST, 0, "", "Maui: job flags, such as SPVIOLATION, BACKFILL or RESERVED")        \
	X(efficiency, DBL, 0, "%", "Maui: processor time used of that dedicated to it") \
	X(size_factor, DBL, FSI_POS, "", "job-size factor the scheduler held, where the job may count for more CPUs than it asks for") \
	X(row_order, LIST, 0, "", "its partitions in the scheduler's order, where that is known")  \
	X(ntasks_per_core, U32, 0, "", "most tasks on a core")                                     \
	X(threads_per_core, U32, 0, "", "threads of a core it uses")                               \
	X(looked_at_by, STR, 0, "", "Main or Backfill: who of Slurm looked at it last, and started it if it runs")

#define FSI_CREDENTIAL_FIELDS(X)                                                                   \
	X(kind, STR, FSI_REQ, "", "\"user\", \"group\", \"acct\", \"qos\" or \"class\"")             \
	X(name, STR, FSI_REQ, "", "name; DEFAULT holds what the others of its kind fall back on")  \
	X(position, U32, 0, "", "order in which the scheduler learnt of those of its kind")        \
	X(target, DBL, 0, "", "fair-share target: percent, or with cap_abs processor seconds")     \
	X(target_mode, STR, 0, "",                                                                 \
	  "\"target\", \"floor\", \"ceiling\", \"cap_rel\" or \"cap_abs\"; absent: target")         \
	X(priority, I32, 0, "", "priority of its jobs")                                            \
	X(qos, LIST, 0, "", "QOS that may be used")                                                \
	X(default_qos, STR, 0, "", "QOS of jobs that ask for none")                                \
	X(queuetime_weight, I32, 0, "", "QOS: added to QUEUETIMEWEIGHT")                           \
	X(xfactor_weight, I32, 0, "", "QOS: added to XFACTORWEIGHT")                               \
	X(queuetime_target, I32, 0, "", "QOS: target queue time, as Maui reads it")                \
	X(xfactor_target, DBL, 0, "", "QOS: target expansion factor") \
	X(max_job, I32, 0, "", "MAXJOB: most jobs that may run; 0: no limit") \
	X(max_job_soft, I32, 0, "", "MAXJOB: most jobs that may run, soft") \
	X(max_proc, I32, 0, "", "MAXPROC: most processors of its running jobs; 0: no limit") \
	X(max_proc_soft, I32, 0, "", "MAXPROC: most processors of its running jobs, soft") \
	X(max_node, I32, 0, "", "MAXNODE: most nodes of its running jobs; 0: no limit") \
	X(max_node_soft, I32, 0, "", "MAXNODE: most nodes of its running jobs, soft") \
	X(max_ps, I32, 0, "s", "MAXPS: most processor seconds that its running jobs have left; 0: no limit") \
	X(max_ps_soft, I32, 0, "s", "MAXPS: most processor seconds that its running jobs have left, soft") \
	X(max_idle_job, I32, 0, "", "MAXIJOB: most jobs that may be eligible and idle; 0: no limit") \
	X(max_idle_job_soft, I32, 0, "", "MAXIJOB: most jobs that may be eligible and idle, soft") \
	X(max_pe, I32, 0, "", "MAXPE: most processor equivalents of its running jobs; 0: no limit") \
	X(max_pe_soft, I32, 0, "", "MAXPE: most processor equivalents of its running jobs, soft") \
	X(max_wc, I32, 0, "s", "MAXWC: most time that its running jobs have left, added up; 0: no limit") \
	X(max_wc_soft, I32, 0, "s", "MAXWC: most time that its running jobs have left, added up, soft") \
	X(override_job, I32, 0, "", "OMAXJOB: QOS: takes the place of MAXJOB of every credential of its jobs; 0: no limit") \
	X(override_job_soft, I32, 0, "", "OMAXJOB: QOS: takes the place of MAXJOB of every credential of its jobs, soft") \
	X(override_proc, I32, 0, "", "OMAXPROC: QOS: takes the place of MAXPROC of every credential of its jobs; 0: no limit") \
	X(override_proc_soft, I32, 0, "", "OMAXPROC: QOS: takes the place of MAXPROC of every credential of its jobs, soft") \
	X(override_node, I32, 0, "", "OMAXNODE: QOS: takes the place of MAXNODE of every credential of its jobs; 0: no limit") \
	X(override_node_soft, I32, 0, "", "OMAXNODE: QOS: takes the place of MAXNODE of every credential of its jobs, soft") \
	X(override_ps, I32, 0, "s", "OMAXPS: QOS: takes the place of MAXPS of every credential of its jobs; 0: no limit") \
	X(override_ps_soft, I32, 0, "s", "OMAXPS: QOS: takes the place of MAXPS of every credential of its jobs, soft") \
	X(override_pe, I32, 0, "", "OMAXPE: QOS: takes the place of MAXPE of every credential of its jobs; 0: no limit") \
	X(override_pe_soft, I32, 0, "", "OMAXPE: QOS: takes the place of MAXPE of every credential of its jobs, soft") \
	X(override_wc, I32, 0, "s", "OMAXWC: QOS: takes the place of MAXWC of every credential of its jobs; 0: no limit") \
	X(override_wc_soft, I32, 0, "s", "OMAXWC: QOS: takes the place of MAXWC of every credential of its jobs, soft") \
	X(override_idle_job, I32, 0, "", "OMAXIJOB: QOS: takes the place of MAXIJOB of every credential of its jobs; 0: no limit") \
	X(override_idle_job_soft, I32, 0, "", "OMAXIJOB: QOS: takes the place of MAXIJOB of every credential of its jobs, soft")

#define FSI_WINDOW_FIELDS(X)                                                                       \
	X(start, TIME, FSI_REQ, "s", "when the window begins")                                     \
	X(kind, STR, FSI_REQ, "", "kind of credential, or \"sched\" for the total of all")         \
	X(name, STR, 0, "", "credential")                                                          \
	X(usage_s, DBL, FSI_REQ, "s", "processor (or processor equivalent) seconds used")

#define FSI_TRIED_FIELDS(X)                                                                        \
	X(job, U64, FSI_REQ, "", "job id")                                                         \
	X(qos, STR, FSI_REQ, "", "of its QOS the one it was last tried with before priorities were computed")

#define FSI_RECORDED_FIELDS(X)                                                                     \
	X(job, U64, 0, "", "a job's priority: its job id")                                         \
	X(partition, STR, 0, "", "its partition")                                                  \
	X(qos, STR, 0, "", "its QOS")                                                              \
	X(priority, DBL, 0, "", "priority printed")                                                \
	X(site, DBL, 0, "", "site factor")                                                         \
	X(nice, DBL, 0, "", "nice")                                                                \
	X(age, DBL, 0, "", "weighted age factor")                                                  \
	X(assoc, DBL, 0, "", "weighted association factor")                                        \
	X(fairshare, DBL, 0, "", "weighted fair-share factor")                                     \
	X(jobsize, DBL, 0, "", "weighted job-size factor")                                         \
	X(partition_points, DBL, 0, "", "weighted partition factor")                               \
	X(qos_points, DBL, 0, "", "weighted QOS factor")                                           \
	X(tres, TRES, 0, "", "weighted TRES factors")                                              \
	X(norm_age, DBL, 0, "", "age factor, 0 to 1")                                              \
	X(norm_fairshare, DBL, 0, "", "fair-share factor, 0 to 1")                                 \
	X(norm_assoc, DBL, 0, "", "association factor")                                            \
	X(norm_jobsize, DBL, 0, "", "job-size factor, 0 to 1")                                     \
	X(norm_partition, DBL, 0, "", "partition factor")                                          \
	X(norm_qos, DBL, 0, "", "QOS factor")                                                      \
	X(association, U32, 0, "", "an association's shares: its id")                              \
	X(norm_shares, DBL, 0, "", "normalised shares")                                            \
	X(raw_usage, U64, 0, "TRES s", "usage, truncated")                                         \
	X(norm_usage, DBL, 0, "", "normalised usage")                                              \
	X(effective_usage, DBL, 0, "", "effective usage")                                          \
	X(factor, DBL, 0, "", "fair-share factor")                                                 \
	X(level_fs, DBL, 0, "", "level fair-share; absent when infinite or none")

#define FSI_USAGE_FIELDS(X)                                                                        \
	X(job, U64, FSI_REQ, "", "job id; a job that was requeued has one record per run")         \
	X(user, STR, 0, "", "owner")                                                               \
	X(account, STR, 0, "", "account charged")                                                  \
	X(association, U32, 0, "", "id of the association charged")                                \
	X(partition, STR, 0, "", "partition it ran in")                                            \
	X(qos, STR, 0, "", "QOS it ran with")                                                      \
	X(state, STR, 0, "", "state it ended in")                                                  \
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

/* X(TAG, struct name, JSON type) for every record kept in a table of the model. */
#define FSI_RECORD_TYPES(X)                                                                        \
	X(TRES, tres, "tres")                                                                      \
	X(ASSOCIATION, association, "association")                                                 \
	X(USER, user, "user")                                                                      \
	X(QOS, qos, "qos")                                                                         \
	X(PARTITION, partition, "partition")                                                       \
	X(NODE, node, "node")                                                                      \
	X(RESERVATION, reservation, "reservation")                                                 \
	X(JOB, job, "job")                                                                         \
	X(USAGE, usage, "usage")                                                                   \
	X(GRANT, grant, "grant")                                                                   \
	X(CREDENTIAL, credential, "credential")                                                    \
	X(WINDOW, window, "window")                                                                \
	X(TRIED, tried, "tried")                                                                   \
	X(RECORDED, recorded, "recorded")

#define FSI_JOB_STATES(X)                                                                          \
	X(PENDING) X(RUNNING) X(SUSPENDED) X(CONFIGURING) X(COMPLETING) X(COMPLETED) X(CANCELLED)  \
	X(FAILED) X(TIMEOUT) X(NODE_FAIL) X(PREEMPTED) X(BOOT_FAIL) X(DEADLINE) X(OUT_OF_MEMORY)   \
	X(REQUEUED) X(REQUEUE_HOLD) X(REQUEUE_FED) X(SPECIAL_EXIT) X(RESIZING) X(SIGNALING)        \
	X(STAGE_OUT) X(STOPPED) X(REVOKED) X(LAUNCH_FAILED) X(UNKNOWN)

#define FSI_STATE_ENUM(s) FSI_STATE_##s,
enum fsi_job_state { FSI_JOB_STATES(FSI_STATE_ENUM) FSI_STATE_COUNT };
#undef FSI_STATE_ENUM

#define FSI_MEMBER(member, type, flags, unit, help) FSI_C_##type member;

/* The enumerators are the bit numbers of the fields in rec.has: FSI_JOB_id, FSI_JOB_state, ... */
#define FSI_F_SNAPSHOT(m, t, f, u, h) FSI_SNAPSHOT_##m,
#define FSI_F_TRES(m, t, f, u, h) FSI_TRES_##m,
#define FSI_F_ASSOCIATION(m, t, f, u, h) FSI_ASSOCIATION_##m,
#define FSI_F_USER(m, t, f, u, h) FSI_USER_##m,
#define FSI_F_QOS(m, t, f, u, h) FSI_QOS_##m,
#define FSI_F_PARTITION(m, t, f, u, h) FSI_PARTITION_##m,
#define FSI_F_NODE(m, t, f, u, h) FSI_NODE_##m,
#define FSI_F_RESERVATION(m, t, f, u, h) FSI_RESERVATION_##m,
#define FSI_F_JOB(m, t, f, u, h) FSI_JOB_##m,
#define FSI_F_USAGE(m, t, f, u, h) FSI_USAGE_##m,
#define FSI_F_GRANT(m, t, f, u, h) FSI_GRANT_##m,
#define FSI_F_CREDENTIAL(m, t, f, u, h) FSI_CREDENTIAL_##m,
#define FSI_F_WINDOW(m, t, f, u, h) FSI_WINDOW_##m,
#define FSI_F_TRIED(m, t, f, u, h) FSI_TRIED_##m,
#define FSI_F_RECORDED(m, t, f, u, h) FSI_RECORDED_##m,

enum { FSI_SNAPSHOT_FIELDS(FSI_F_SNAPSHOT) FSI_SNAPSHOT_COUNT };
_Static_assert(FSI_SNAPSHOT_COUNT <= FSI_FIELDS_MAX, "one presence bit per field");

struct fsi_header {
	struct fsi_rec rec;
	FSI_SNAPSHOT_FIELDS(FSI_MEMBER)
};

#define FSI_RECORD_STRUCT(TAG, name, json)                                                         \
	enum { FSI_##TAG##_FIELDS(FSI_F_##TAG) FSI_##TAG##_COUNT };                                \
	struct fsi_##name {                                                                        \
		struct fsi_rec rec;                                                                \
		FSI_##TAG##_FIELDS(FSI_MEMBER)                                                     \
	};                                                                                         \
	_Static_assert(FSI_##TAG##_COUNT <= FSI_FIELDS_MAX, "one presence bit per field");
FSI_RECORD_TYPES(FSI_RECORD_STRUCT)
#undef FSI_RECORD_STRUCT

#define FSI_RECORD_ENUM(TAG, name, json) FSI_RECORD_##TAG,
enum fsi_record_type { FSI_RECORD_TYPES(FSI_RECORD_ENUM) FSI_RECORD_COUNT };
#undef FSI_RECORD_ENUM

/* One row of a field table. */
struct fsi_field {
	const char *key;
	enum fsi_field_type type;
	uint8_t flags;
	uint16_t offset;
	const char *unit, *help;
};

struct fsi_record_table {
	const char *type; /* value of "type" */
	const struct fsi_field *fields;
	uint32_t nfields;
	uint32_t size; /* of the struct */
};

const struct fsi_record_table *fsi_record_table(enum fsi_record_type type);
const struct fsi_record_table *fsi_header_table(void);

/* Name of a job state, and back: FSI_STATE_COUNT when s is none. */
const char *fsi_job_state_name(enum fsi_job_state state);
enum fsi_job_state fsi_job_state_parse(const char *s, uint32_t len);

/* Has it ended? Then slurmctld has cleared its QOS, too. */
bool fsi_job_finished(const struct fsi_job *job);

#endif
