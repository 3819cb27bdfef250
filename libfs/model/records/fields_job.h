/* Fields of the record types "job", "tried" and "recorded". Columns and types are described in records.h, the only file
 * that includes this one. X##_EXT is used for optional fields, which few jobs have. X##_LINK is the job's reference to
 * its optional fields (struct fsi_job_ext). */
#ifndef FSI_MODEL_RECORDS_FIELDS_JOB_H
#define FSI_MODEL_RECORDS_FIELDS_JOB_H

#define FSI_JOB_FIELDS(X)                                                                          \
	X(id, U64, FSI_REQ, "", "job id")                                                          \
	X(state, STATE, FSI_REQ, "", "state")                                                      \
	X##_LINK                                                                                   \
	X(accruing, BOOL, 0, "", "false: its age did not yet count when priorities were last computed")    \
	X(array_job_id, U64, 0, "", "id of the array it belongs to")                               \
	X##_EXT(het_job_id, U64, 0, "", "id of the heterogeneous job it belongs to")               \
	X(submit_time, TIME, 0, "s", "submission")                                                 \
	X(eligible_time, TIME, 0, "s", "when it may first start; absent while it may not")         \
	X(accrue_time, TIME, 0, "s", "since when its age counts; absent while it does not")        \
	X(start_time, TIME, 0, "s", "start; of a pending job: the scheduler's estimate")           \
	X(end_time, TIME, 0, "s", "end; of a running job: start plus time limit")                  \
	X##_EXT(suspend_time, TIME, 0, "s", "when it was last suspended or resumed; absent: never, or not recorded") \
	X##_EXT(pre_suspend_s, U32, 0, "s", "how long it had run by then, without the time it was suspended") \
	X##_EXT(deadline, TIME, 0, "s", "must have ended by then")                                 \
	X##_EXT(preemptable_time, TIME, 0, "s", "nobody preempts it before that")                  \
	X(last_sched_eval, TIME, 0, "s", "when the scheduler last looked at it")                   \
	X(time_limit_s, DUR, 0, "s", "time limit")                                                 \
	X##_EXT(time_min_s, DUR, 0, "s", "least time limit acceptable")                            \
	X(array_task_id, U32, 0, "", "number of the array task")                                   \
	X(array_tasks, STR, 0, "", "array tasks not yet split off: \"1,3,5-9%2\"")                 \
	X##_EXT(het_offset, U32, 0, "", "number of the heterogeneous component")                   \
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
	X##_EXT(prefer, STR, 0, "", "features in place of those, if nodes that have them let it start at once") \
	X##_EXT(licenses, STR, 0, "", "licenses asked for")                                        \
	X(dependency, STR, 0, "", "dependency not yet met")                                        \
	X(reservation, STR, 0, "", "reservation it runs in")                                       \
	X##_EXT(req_nodes, STR, 0, "", "nodes it must have")                                       \
	X##_EXT(exc_nodes, STR, 0, "", "nodes it must not have")                                   \
	X(sched_nodes, STR, 0, "", "nodes planned for it; Maui: once for each task")               \
	X(node_list, STR, 0, "", "nodes it runs on; Maui: once for each task, if that is known")                                               \
	X(oversubscribe, STR, 0, "", "OverSubscribe as asked; Exclusive, where it is not NO")       \
	X(contiguous, BOOL, 0, "", "its nodes must be neighbours")                                 \
	X##_EXT(switches, U32, 0, "", "leaf switches that its nodes may be on at most")            \
	X##_EXT(switches_wait_s, U32, 0, "s", "for how long it waits for so few")                  \
	X(restarts, U32, 0, "", "times it was started again")                                      \
	X##_EXT(comment, STR, 0, "", "comment")                                                    \
	X##_EXT(phase, STR, 0, "", "state in Flux's own words: DEPEND, PRIORITY, SCHED, RUN, CLEANUP")  \
	X##_EXT(urgency, U32, 0, "", "urgency 0 to 31 (flux): 0 holds, 31 goes first")             \
	X##_EXT(fairshare_ppm, U32, 0, "1e-6", "fair-share factor its priority was computed with (flux)")  \
	X##_EXT(tasks_per_node, U32, 0, "", "Maui: it takes so many tasks of a node at a time")    \
	X##_EXT(node_needs, LIST, 0, "", "Maui: what each of its nodes must have: \"cpu==4\", \"mem>=2048\" (MiB), \"opsys==Linux\", \"arch==x86\"") \
	X##_EXT(maui_partition, STR, 0, "", "Maui: partition of the nodes it runs on, or the first three letters; absent: DEFAULT") \
	X##_EXT(position, U32, 0, "", "Maui: place in the scheduler's job table")                  \
	X##_EXT(bypass, U32, 0, "", "Maui: times a later job overtook it by backfill")             \
	X##_EXT(simulated_run_s, U32, 0, "s", "Maui: how long it runs in the simulation")          \
	X##_EXT(eligible_s, U32, 0, "s", "Maui: for how long it had waited when nothing blocked it last; 0: something always did") \
	X##_EXT(active_place, U32, 0, "", "Maui: place among the active jobs that showq listed")   \
	X##_EXT(flags, LIST, 0, "", "Maui: job flags, such as SPVIOLATION, BACKFILL or RESERVED")  \
	X##_EXT(efficiency, DBL, 0, "%", "Maui: processor time used of that dedicated to it")      \
	X##_EXT(size_factor, DBL, FSI_POS, "", "job-size factor the scheduler held, where the job may count for other nodes or CPUs than it tells") \
	X##_EXT(whole_nodes, BOOL, 0, "", "it takes whole nodes, though OverSubscribe says that it shares them") \
	X##_EXT(row_order, LIST, 0, "", "its partitions in the scheduler's order, where that is known; of one that runs also those it asked for") \
	X##_EXT(ntasks_per_node, U32, 0, "", "tasks on each node")                                 \
	X##_EXT(ntasks_per_socket, U32, 0, "", "most tasks on a socket")                           \
	X##_EXT(ntasks_per_core, U32, 0, "", "most tasks on a core")                               \
	X##_EXT(threads_per_core, U32, 0, "", "threads of a core it uses")                         \
	X##_EXT(sockets_per_node, U32, 0, "", "sockets that each of its nodes has at least")       \
	X##_EXT(cores_per_socket, U32, 0, "", "cores that each socket of these has at least")      \
	X##_EXT(tmp_disk_mb, U32, 0, "MiB", "temporary disk that each of its nodes has at least")  \
	X##_EXT(cpus_per_gpu, U32, 0, "", "CPUs it takes for each GPU, once it was tested also those of its partition") \
	X##_EXT(cpus_per_gpu_default, BOOL, 0, "", "it did not ask for these: they are the default of its partition or of the cluster") \
	X##_EXT(gpu_cpus, U32, 0, "", "CPUs in all that GPUs brought it when it was first tested, if they would bring others now") \
	X##_EXT(mem_per_gpu_mb, U32, 0, "MiB", "memory it asked for with each GPU")  \
	X##_EXT(no_memory, BOOL, 0, "", "it asks for no memory: that of its TRES is of the first node of its partition") \
	X##_EXT(all_memory, BOOL, 0, "", "it takes all memory of its nodes, none of which may be in use, unless GPUs bring it some") \
	X(looked_at_by, STR, 0, "", "Main or Backfill: who of Slurm looked at it last, and started it if it runs") \
	X##_EXT(node_cores, STR, 0, "", "Flux: cores on each node of node_list, \"1,1,2\", where they are not alike") \
	X##_EXT(asked_nodes, U32, 0, "", "Flux: nodes that limits count for it while it runs on others, 1 for none asked") \
	X##_EXT(asked_cores, U32, 0, "", "Flux: cores, likewise")                                  \
	X##_EXT(node_cpus, STR, 0, "", "CPUs of its cores on each node of node_list, \"13(x2),15\"; of one node where they are not just cpus") \
	X##_EXT(node_mem_mb, STR, 0, "", "MiB of memory on each of them, likewise")  \
	X##_EXT(cpu_ids, STR, 0, "", "which CPUs on each node of node_list, \"0-3,8;0-4\", where jobs share them") \
	X##_EXT(gres_req, TRES, FSI_POS, "", "generic resources requested that are no TRES of the cluster: gres/gpu:a100") \
	X##_EXT(gres_per, STR, 0, "", "job, task or socket: what it asked for generic resources by, where not by node") \
	X##_EXT(no_gres, BOOL, 0, "", "it asks for no generic resource any more, though its TRES still count some") \
	X##_EXT(node_gres, STR, 0, "", "generic resources on each node of node_list, \"gpu:a100:1;gpu:a100:1,gpu:v100:1\"; of one node those that are no TRES")

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
	X(level_fs, DBL, 0, "", "level fair-share; absent when infinite or none") \
	X(terms, LIST, 0, "", "Maui: points as diagnose -p printed them, a term and its points each: \"res/proc 12\"")

#endif
