/* Fields of partitions, nodes and reservations. Columns and types are described in records.h, the only file that
 * includes this one. */
#ifndef FSI_MODEL_RECORDS_FIELDS_MACHINE_H
#define FSI_MODEL_RECORDS_FIELDS_MACHINE_H

#define FSI_PARTITION_FIELDS(X)                                                                    \
	X(name, STR, FSI_REQ | FSI_ROLE_PARTITION, "", "partition name")                           \
	X(state, STR, FSI_ROLE_KEEP, "", "partition state: \"UP\", \"DOWN\", \"DRAIN\" or \"INACTIVE\"") \
	X(job_factor, U32, 0, "", "value of PriorityJobFactor")                                    \
	X(tier, U32, 0, "", "PriorityTier: higher tiers are scheduled first")                      \
	X(qos, STR, FSI_ROLE_QOS, "", "partition QOS")                                             \
	X(nodes, STR, FSI_ROLE_NODES, "", "node list expression")                                  \
	X(total_cpus, U32, 0, "", "number of CPUs")                                                \
	X(total_nodes, U32, 0, "", "number of nodes")                                              \
	X(tres, TRES, FSI_POS, "", "total TRES")                                      \
	X(billing_weights, STR, FSI_ROLE_KEEP, "", "TRESBillingWeights as configured")             \
	X(default_time_s, DUR, 0, "s", "time limit of jobs that request no limit")                 \
	X(max_time_s, DUR, 0, "s", "maximum time limit")                                           \
	X(min_nodes, U32, 0, "", "minimum nodes of a job")                                         \
	X(max_nodes, U32, 0, "", "maximum nodes of a job; absent: no limit")                       \
	X(max_cpus_per_node, U32, 0, "", "maximum CPUs of a job on a node")                        \
	X(max_mem_per_cpu_mb, U32, 0, "MiB", "maximum memory per CPU: a job that requests more gets more CPUs") \
	X(cpus_per_gpu, U32, 0, "", "default CPUs per GPU")                                        \
	X(mem_per_gpu_mb, U32, 0, "MiB", "default memory per GPU, for jobs that request no memory") \
	X(is_default, BOOL, 0, "", "true: default partition")                                      \
	X(is_hidden, BOOL, 0, "", "true: hidden from users by default")                            \
	X(root_only, BOOL, 0, "", "true: only root may submit jobs")                               \
	X(oversubscribe, STR, FSI_ROLE_KEEP, "", "value of Exclusive, or of OverSubscribe if Exclusive is NO or absent") \
	X(exclusive_user, BOOL, 0, "", "true: jobs share nodes only with jobs of the same user")   \
	X(least_loaded, BOOL, 0, "", "true: jobs get the least loaded nodes (LLN)")                \
	X(preempt_mode, STR, FSI_ROLE_KEEP, "", "how jobs of the partition are preempted")                         \
	X(allow_accounts, LIST, FSI_ROLE_ACCOUNT, "", "accounts admitted; absent: all")            \
	X(allow_groups, LIST, FSI_ROLE_GROUP, "", "groups admitted; absent: all")                  \
	X(allow_qos, LIST, FSI_ROLE_QOS, "", "QOS admitted; absent: all")                          \
	X(deny_accounts, LIST, FSI_ROLE_ACCOUNT, "", "accounts refused")                           \
	X(deny_qos, LIST, FSI_ROLE_QOS, "", "QOS refused")                                         \
	X(priority, I32, 0, "", "priority of a queue (flux)")                                      \
	X(max_jobs_per_assoc, U32, 0, "", "limit: running jobs of an association (flux)")          \
	X(max_nodes_per_assoc, U32, 0, "", "limit: nodes of an association's running jobs (flux)") \
	X(counts_sched, BOOL, 0, "", "true: max_nodes_per_assoc also counts jobs in state SCHED (flux)") \
	X(max_sched_jobs, U32, 0, "", "limit: an association's jobs in state SCHED (flux)")        \
	X(max_sched_nodes, U32, 0, "", "limit: nodes of an association's jobs in state SCHED (flux)") \
	X(max_sched_cores, U32, 0, "", "limit: cores of an association's jobs in state SCHED (flux)")

#define FSI_NODE_FIELDS(X)                                                                         \
	X(name, STR, FSI_REQ | FSI_ROLE_NODES, "", "node name")                                    \
	X(state, STR, FSI_ROLE_KEEP, "", "node state and its flags: \"IDLE+DRAIN\"")               \
	X(cpus, U32, 0, "", "number of CPUs")                                                      \
	X(effective_cpus, U32, 0, "", "CPUs that jobs may use (CPUEfctv)")                         \
	X(alloc_cpus, U32, 0, "", "CPUs in use")                                                   \
	X(sockets, U32, 0, "", "number of sockets")                                                \
	X(threads_per_core, U32, 0, "", "threads (CPUs) per core")                                 \
	X(cores_per_socket, U32, 0, "", "cores per socket")                                        \
	X(tmp_disk_mb, U64, 0, "MiB", "temporary disk")                                            \
	X(mem_mb, U64, 0, "MiB", "memory")                                                         \
	X(alloc_mem_mb, U64, 0, "MiB", "memory in use")                                            \
	X(weight, U32, 0, "", "scheduling weight: lower weights are used first")                   \
	X(features, LIST, FSI_ROLE_KEEP, "", "node features")                                      \
	X(opsys, STR, FSI_ROLE_KEEP, "", "Maui: operating system")                                 \
	X(arch, STR, FSI_ROLE_KEEP, "", "Maui: architecture")                                      \
	X(maui_partition, STR, FSI_ROLE_PARTITION, "", "Maui: partition; absent: DEFAULT")         \
	X(gres, STR, FSI_ROLE_KEEP, "", "generic resources as configured")                         \
	X(partitions, LIST, FSI_ROLE_PARTITION, "", "partitions that contain the node")            \
	X(tres, TRES, FSI_POS, "", "configured TRES")                                 \
	X(alloc_tres, TRES, FSI_POS, "", "TRES in use")                                            \
	X(reason, STR, 0, "", "why the node is down or drained")                                   \
	X(switches, LIST, FSI_ROLE_NODES, "", "switches above the node, leaf switch first")

#define FSI_RESERVATION_FIELDS(X)                                                                  \
	X(name, STR, FSI_REQ | FSI_ROLE_RESERVATION, "", "reservation name")                       \
	X(start_time, TIME, 0, "s", "start time")                                                  \
	X(end_time, TIME, 0, "s", "end time")                                                      \
	X(state, STR, FSI_ROLE_KEEP, "", "\"ACTIVE\" or \"INACTIVE\"")                             \
	X(nodes, STR, FSI_ROLE_NODES, "", "node list expression")                                  \
	X(node_count, U32, 0, "", "number of nodes")                                               \
	X(core_count, U32, 0, "", "number of cores")                                               \
	X(cores, STR, FSI_ROLE_KEEP, "", "number of cores on each reserved node: \"4,4\"; absent: whole nodes") \
	X(partition, STR, FSI_ROLE_PARTITION, "", "partition of the reserved nodes")                                     \
	X(flags, LIST, FSI_ROLE_KEEP, "", "reservation flags")                                     \
	X(features, STR, FSI_ROLE_KEEP, "", "requested node features")                             \
	X(users, LIST, FSI_ROLE_USER, "", "users admitted")                                        \
	X(accounts, LIST, FSI_ROLE_ACCOUNT, "", "accounts admitted")                               \
	X(licenses, STR, FSI_ROLE_KEEP, "", "reserved licenses")                                   \
	X(tres, TRES, FSI_POS, "", "TRES reserved")                                                \
	X(groups, LIST, FSI_ROLE_GROUP, "", "groups admitted")                                     \
	X(classes, LIST, FSI_ROLE_PARTITION, "", "classes admitted (maui)")                        \
	X(qos, LIST, FSI_ROLE_QOS, "", "QOS admitted (maui)")                                      \
	X(admits_told, BOOL, 0, "", "true: the lists of admitted users, accounts, groups, classes and QOS are complete (maui)")

#endif
