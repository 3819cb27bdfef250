/* Fields of the record types "job", "tried" (the QOS that Slurm last tried for a job) and "recorded" (values that the
 * scheduler printed). Columns and types are described in records.h, the only file that includes this one. X##_EXT is
 * used for optional fields, which few jobs have. X##_LINK is the job's reference to its optional fields (struct
 * fsi_job_ext). */
#ifndef FSI_MODEL_RECORDS_FIELDS_JOB_H
#define FSI_MODEL_RECORDS_FIELDS_JOB_H

#define FSI_JOB_FIELDS(X)                                                                          \
	X(id, U64, FSI_REQ, "", "job id")                                                          \
	X(state, STATE, FSI_REQ, "", "job state")                                                  \
	X##_LINK                                                                                   \
	X(accruing, BOOL, 0, "", "false: the job's age did not count in the last priority calculation") \
	X(array_job_id, U64, 0, "", "job id of the array")                                         \
	X##_EXT(het_job_id, U64, 0, "", "job id of the het job")                                   \
	X(submit_time, TIME, 0, "s", "submit time")                                                \
	X(eligible_time, TIME, 0, "s", "when the job becomes eligible; absent: not eligible")      \
	X(accrue_time, TIME, 0, "s", "when the job's age began to accrue; absent: not yet")      \
	X(start_time, TIME, 0, "s", "start time; for a pending job, the scheduler's estimate")     \
	X(end_time, TIME, 0, "s", "end time; for a running job, start plus time limit")            \
	X##_EXT(suspend_time, TIME, 0, "s", "time of the last suspension or resumption; absent: never or unknown") \
	X##_EXT(pre_suspend_s, U32, 0, "s", "run time before suspend_time, without suspended time") \
	X##_EXT(deadline, TIME, 0, "s", "time by which the job must end")                          \
	X##_EXT(preemptable_time, TIME, 0, "s", "earliest time at which the job may be preempted") \
	X(last_sched_eval, TIME, 0, "s", "when the scheduler last evaluated the job")              \
	X(time_limit_s, DUR, 0, "s", "time limit")                                                 \
	X##_EXT(time_min_s, DUR, 0, "s", "minimum acceptable time limit")                          \
	X(array_task_id, U32, 0, "", "array task number")                                          \
	X(array_tasks, STR, FSI_ROLE_KEEP, "", "array tasks without their own records: \"1,3,5-9%2\"") \
	X##_EXT(het_offset, U32, 0, "", "component number in the het job")                         \
	X(sluid, STR, FSI_ROLE_KEEP, "", "Slurm's own unique job id (26.05 and later)")            \
	X(name, STR, FSI_ROLE_JOB, "", "job name")                                                 \
	X(user, STR, FSI_ROLE_USER, "", "owner")                                                   \
	X(uid, U32, 0, "", "numeric id of the owner")                                              \
	X(group, STR, FSI_ROLE_GROUP, "", "group of the owner")                                    \
	X(account, STR, FSI_ROLE_ACCOUNT, "", "account charged")                                   \
	X(association, U32, 0, "", "id of the association charged")                                \
	X(partitions, LIST, FSI_ROLE_PARTITION, "", "requested partitions, or the partition in which the job runs") \
	X(qos, LIST, FSI_ROLE_QOS, "", "requested QOS, or the QOS with which the job runs")        \
	X(reason, STR, FSI_ROLE_REASON, "", "scheduler's reason why the job is pending")           \
	X(priority, U32, 0, "", "recorded priority; 0: held")                                      \
	X(priority_set, U32, 0, "", "priority set by an administrator")                            \
	X##_EXT(priority_time, TIME, 0, "s", "when the job's priority was computed, if later than the priorities of all jobs") \
	X(nice, I32, 0, "", "number subtracted from the priority")                                 \
	X(site_factor, I32, 0, "", "number added to the priority by the site's plugin")            \
	X(nodes, U32, 0, "", "number of nodes; for a pending job, the minimum")                    \
	X(max_nodes, U32, 0, "", "maximum number of nodes; absent: no limit or unknown")           \
	X(cpus, U32, 0, "", "number of CPUs")                                                      \
	X(mem_per_cpu_mb, U32, 0, "MiB", "memory per CPU; absent if requested per node")           \
	X(tasks, U32, 0, "", "number of tasks")                                                    \
	X(cpus_per_task, U32, 0, "", "CPUs per task")                                              \
	X(min_cpus_per_node, U32, 0, "", "minimum CPUs on each node")                              \
	X(tres_req, TRES, FSI_POS, "", "TRES requested")                              \
	X(tres_alloc, TRES, FSI_POS, "", "TRES allocated")                                         \
	X(features, STR, FSI_ROLE_KEEP, "", "requested features")                                  \
	X##_EXT(prefer, STR, FSI_ROLE_KEEP, "", "preferred features, which replace the required features if the job can then start at once") \
	X##_EXT(licenses, STR, FSI_ROLE_KEEP, "", "requested licenses")                            \
	X(dependency, STR, FSI_ROLE_KEEP, "", "unmet dependency")                                  \
	X(reservation, STR, FSI_ROLE_RESERVATION, "", "reservation that the job requested")        \
	X##_EXT(req_nodes, STR, FSI_ROLE_NODES, "", "required nodes")                              \
	X##_EXT(exc_nodes, STR, FSI_ROLE_NODES, "", "excluded nodes")                              \
	X(sched_nodes, STR, FSI_ROLE_NODES, "", "nodes on which the scheduler plans to start the job; Maui: each node once per task")    \
	X(node_list, STR, FSI_ROLE_NODES, "", "nodes on which the job runs; Maui: each node once per task, if the tasks are known") \
	X(oversubscribe, STR, FSI_ROLE_KEEP, "", "requested value of Exclusive, or of OverSubscribe if Exclusive is NO or absent") \
	X(contiguous, BOOL, 0, "", "true: the job's nodes must be adjacent")                       \
	X##_EXT(spread_job, BOOL, 0, "", "true: the job uses as many nodes as possible (--spread-job)") \
	X##_EXT(switches, U32, 0, "", "maximum number of leaf switches for the job")               \
	X##_EXT(switches_wait_s, U32, 0, "s", "how long the limit in switches may delay the job")  \
	X(restarts, U32, 0, "", "number of restarts")                                              \
	X##_EXT(comment, STR, 0, "", "job comment")                                                \
	X##_EXT(phase, STR, FSI_ROLE_KEEP, "", "Flux state: DEPEND, PRIORITY, SCHED, RUN or CLEANUP") \
	X##_EXT(urgency, U32, 0, "", "urgency, 0 to 31 (flux); 0: held, 31: expedited")            \
	X##_EXT(fairshare_ppm, U32, 0, "1e-6", "fair-share factor used in the priority (flux)")    \
	X##_EXT(tasks_per_node, U32, 0, "", "Maui: each node gets a multiple of this number of tasks") \
	X##_EXT(wait_message, STR, 0, "", "Maui: why the job does not run, as checkjob prints it") \
	X##_EXT(node_needs, LIST, FSI_ROLE_KEEP, "", "Maui: requirements for each node: \"cpu==4\", \"mem>=2048\" (MiB), \"opsys==Linux\", \"arch==x86\"") \
	X##_EXT(maui_partition, STR, FSI_ROLE_PARTITION, "", "Maui: job's partition, or the first three letters of its name; absent: DEFAULT") \
	X##_EXT(position, U32, 0, "", "Maui: position in the scheduler's job table")               \
	X##_EXT(bypass, U32, 0, "", "Maui: number of times that backfill started a later job first") \
	X##_EXT(simulated_run_s, U32, 0, "s", "Maui: run time in the simulation")                  \
	X##_EXT(eligible_s, U32, 0, "s", "Maui: how long the job had waited when it was last eligible; 0: never eligible") \
	X##_EXT(active_place, U32, 0, "", "Maui: position among the active jobs in showq")         \
	X##_EXT(flags, LIST, FSI_ROLE_KEEP, "", "Maui: job flags, such as SPVIOLATION, BACKFILL or RESERVED") \
	X##_EXT(efficiency, DBL, 0, "%", "Maui: percentage of dedicated processor time that the job used") \
	X##_EXT(size_factor, DBL, FSI_POS, "", "recorded job-size factor, if the scheduler may have computed it from numbers other than nodes and cpus") \
	X##_EXT(whole_nodes, BOOL, 0, "", "true: the job uses whole nodes, although oversubscribe does not show this") \
	X##_EXT(row_order, LIST, FSI_ROLE_PARTITION, "", "requested partitions in scheduling order, if known") \
	X##_EXT(ntasks_per_node, U32, 0, "", "tasks on each node")                                 \
	X##_EXT(ntasks_per_socket, U32, 0, "", "maximum tasks on a socket")                        \
	X##_EXT(ntasks_per_core, U32, 0, "", "maximum tasks on a core")                            \
	X##_EXT(threads_per_core, U32, 0, "", "threads used per core")                             \
	X##_EXT(sockets_per_node, U32, 0, "", "minimum sockets of each node")                      \
	X##_EXT(cores_per_socket, U32, 0, "", "minimum cores of each socket")                      \
	X##_EXT(tmp_disk_mb, U32, 0, "MiB", "minimum temporary disk of each node")                 \
	X##_EXT(cpus_per_gpu, U32, 0, "", "requested CPUs per GPU, or the default when the scheduler first tested the job") \
	X##_EXT(cpus_per_gpu_default, BOOL, 0, "", "true: cpus_per_gpu is the default of the partition or of the cluster") \
	X##_EXT(gpu_cpus, U32, 0, "", "total CPUs for GPUs when the scheduler first tested the job, if the number has changed") \
	X##_EXT(mem_per_gpu_mb, U32, 0, "MiB", "requested memory per GPU")                         \
	X##_EXT(no_memory, BOOL, 0, "", "true: the job requests no memory; tres_req has the memory of the partition's first node") \
	X##_EXT(all_memory, BOOL, 0, "", "true: the job needs all memory of its nodes, unless requested or default memory per GPU applies") \
	X(looked_at_by, STR, FSI_ROLE_KEEP, "", "Slurm scheduler that started or last evaluated the job: \"Main\" or \"Backfill\"") \
	X##_EXT(node_cores, STR, FSI_ROLE_KEEP, "", "Flux: cores on each node of node_list, if they differ: \"1,1,2\"") \
	X##_EXT(asked_nodes, U32, 0, "", "Flux: requested nodes, as counted against limits (1 if none requested); absent: same as nodes") \
	X##_EXT(asked_cores, U32, 0, "", "Flux: requested cores, as counted against limits; absent: same as cpus") \
	X##_EXT(node_cpus, STR, FSI_ROLE_KEEP, "", "CPUs on each node of node_list, \"13(x2),15\"; absent if one node has all CPUs") \
	X##_EXT(node_mem_mb, STR, FSI_ROLE_KEEP, "", "memory in MiB on each node of node_list, \"3000(x2),4000\"; absent if the job has one node") \
	X##_EXT(cpu_ids, STR, FSI_ROLE_KEEP, "", "CPU ids on each node of node_list, if jobs may share CPUs: \"0-3,8;0-4\"") \
	X##_EXT(gres_req, TRES, FSI_POS, "", "requested generic resources that are not TRES of the cluster: gres/gpu:a100") \
	X##_EXT(gres_per, STR, FSI_ROLE_KEEP, "", "unit of the request for generic resources: job, task or socket; absent: node") \
	X##_EXT(no_gres, BOOL, 0, "", "true: the request for generic resources was removed, but the job's TRES still count them") \
	X##_EXT(node_gres, STR, FSI_ROLE_KEEP, "", "generic resources on each node of node_list, \"gpu:a100:1;gpu:a100:1,gpu:v100:1\"; if the job has one node, only resources that its TRES lack")

#define FSI_TRIED_FIELDS(X)                                                                        \
	X(job, U64, FSI_REQ, "", "job id")                                                         \
	X(qos, STR, FSI_REQ | FSI_ROLE_QOS, "", "QOS that the scheduler last tried before it computed priorities")

#define FSI_RECORDED_FIELDS(X)                                                                     \
	X(job, U64, 0, "", "job id; absent in the record of an association")                                       \
	X(partition, STR, FSI_ROLE_PARTITION, "", "partition of the job")                          \
	X(qos, STR, FSI_ROLE_QOS, "", "QOS of the job")                                            \
	X(priority, DBL, 0, "", "printed priority")                                                \
	X(site, DBL, 0, "", "site factor")                                                         \
	X(nice, DBL, 0, "", "nice value")                                                          \
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
	X(norm_priority, DBL, 0, "", "normalized priority: priority divided by 4294967295")        \
	X(association, U32, 0, "", "association id; absent in the record of a job")              \
	X(norm_shares, DBL, 0, "", "normalized shares")                                            \
	X(raw_usage, U64, 0, "TRES s", "raw usage, truncated")                                     \
	X(norm_usage, DBL, 0, "", "normalized usage")                                              \
	X(effective_usage, DBL, 0, "", "effective usage")                                          \
	X(factor, DBL, 0, "", "fair-share factor")                                                 \
	X(level_fs, DBL, 0, "", "LevelFS; absent: infinite or not printed")                        \
	X(terms, LIST, FSI_ROLE_KEEP, "", "Maui: each term and its points as diagnose -p printed them: \"res/proc 12\"")

#endif
