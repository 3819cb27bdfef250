#include "import/outputs.h"

#include "import/slurm/slurm.h"
#include "model/records/limit_names.h"

/* The outputs of Slurm's commands. The order of the rows is the order of the steps of a capture:
 * - The configuration comes first, because it shows the version, which selects the forms of the other commands.
 * - The commands that ask the accounting database are next, because the database is slow and changes rarely. They must
 *   run before the commands that print usage, because an association may be created in between. The capture then lacks
 *   the new association, but the usage of the parent includes the usage of the new association. If usage were printed
 *   first, the capture would have the association without usage, and all usage would be unknown.
 * - Then come the outputs that must belong to the same calculation of priorities: usage and shares in parallel, then
 *   jobs, priorities and nodes.
 * - The clock is read just before the jobs, because with an earlier clock the newest jobs would not be eligible yet. */

/* The columns `list`, whose fields are fields of the record type TAG. */
#define COLUMNS(form, TAG, list) \
	.shape = FSI_SHAPE_##form, .record = FSI_RECORD_##TAG, .columns = (list), \
	.ncolumns = sizeof(list) / sizeof(*(list))
#define OF_SHARES (1u << FS_IMPORT_SHARES)
#define OF_PRIORITIES (1u << FS_IMPORT_PRIORITIES)

/* Columns of the lists below: a value that is stored as printed in the field `member` of the record type TAG, a value
 * that is stored in another form, and a value that is read by name or not stored. The last argument is the constant
 * FSI_NEED_... */
#define VALUE(key, TAG, member, needed) \
	{ key, .bit = FSI_##TAG##_##member, .need = FSI_NEED_##needed }
#define FORM(key, TAG, member, how, needed) \
	{ key, .bit = FSI_##TAG##_##member, .form = FSI_FORM_##how, .need = FSI_NEED_##needed }
#define OWN(key, needed) { key, .form = FSI_FORM_OWN, .need = FSI_NEED_##needed }

/* ---- scontrol show config
 *
 * The command always prints these parameters. It prints the parameters in rows with PRIORITY only if the plugin
 * priority/multifactor is loaded. Each parameter has a value, perhaps "(null)" or "none"; only PriorityFlags may be empty
 * (src/common/read_config.c and src/api/config_info.c: slurm_ctl_conf_2_key_pairs). All parameters that are stored are
 * in fsi_slurm_settings (model/slurm.h). */

#define PRIORITY(key, needed) \
	{ key, .form = FSI_FORM_OWN, .need = FSI_NEED_##needed, .with = "priority/multifactor" }

static const struct fsi_column config_parameters[] = {
	OWN("AccountingStorageEnforce", VALUE),
	OWN("AccountingStorageTRES", VALUE),
	OWN("BOOT_TIME", VALUE),
	OWN("ClusterName", VALUE),
	OWN("EnforcePartLimits", VALUE),
	OWN("MaxArraySize", VALUE),
	OWN("PreemptMode", VALUE),
	OWN("PreemptType", VALUE),
	OWN("PriorityType", VALUE),
	OWN("PrivateData", VALUE),
	OWN("SLURM_VERSION", VALUE),
	OWN("SchedulerParameters", VALUE),
	OWN("SchedulerType", VALUE),
	OWN("SelectType", VALUE),
	OWN("SelectTypeParameters", VALUE),
	PRIORITY("FairShareDampeningFactor", VALUE),
	PRIORITY("PriorityCalcPeriod", VALUE),
	PRIORITY("PriorityDecayHalfLife", VALUE),
	PRIORITY("PriorityFavorSmall", VALUE),
	PRIORITY("PriorityFlags", NAME),
	PRIORITY("PriorityMaxAge", VALUE),
	PRIORITY("PriorityUsageResetPeriod", VALUE),
	PRIORITY("PriorityWeightAge", VALUE),
	PRIORITY("PriorityWeightAssoc", VALUE),
	PRIORITY("PriorityWeightFairShare", VALUE),
	PRIORITY("PriorityWeightJobSize", VALUE),
	PRIORITY("PriorityWeightPartition", VALUE),
	PRIORITY("PriorityWeightQOS", VALUE),
	PRIORITY("PriorityWeightTRES", VALUE),
};

/* ---- sacctmgr -P show */

#define ASSOC_COLUMN(member, TYPE, name, column, ...) VALUE(column, ASSOCIATION, member, NAME),
#define QOS_COLUMN(member, TYPE, name, column, ...) VALUE(column, QOS, member, NAME),

static const struct fsi_column association_columns[] = {
	VALUE("Account", ASSOCIATION, account, VALUE),
	VALUE("User", ASSOCIATION, user, NAME),
	VALUE("Partition", ASSOCIATION, partition, NAME),
	VALUE("ID", ASSOCIATION, id, VALUE),
	VALUE("ParentName", ASSOCIATION, parent, NAME),
	VALUE("Share", ASSOCIATION, shares, VALUE),
	VALUE("Priority", ASSOCIATION, priority, NAME),
	VALUE("LFT", ASSOCIATION, lft, NOTHING),
	FSI_ASSOC_GROUP_LIMITS(ASSOC_COLUMN)
	FSI_ASSOC_OWN_LIMITS(ASSOC_COLUMN)
	FSI_ASSOC_ACCRUE_LIMITS(ASSOC_COLUMN)
	VALUE("QOS", ASSOCIATION, qos, NOTHING),
	VALUE("Def QOS", ASSOCIATION, default_qos, NAME),
	OWN("Cluster", NOTHING),
};

static const struct fsi_column qos_columns[] = {
	FSI_QOS_LIMITS(QOS_COLUMN)
	FSI_QOS_ACCRUE_LIMITS(QOS_COLUMN)
	VALUE("Name", QOS, name, VALUE),
	VALUE("ID", QOS, id, VALUE),
	VALUE("Priority", QOS, priority, VALUE),
	VALUE("Preempt", QOS, preempt, NAME),
	VALUE("PreemptMode", QOS, preempt_mode, NAME),
	VALUE("Flags", QOS, flags, NAME),
	VALUE("UsageThres", QOS, usage_threshold, NAME),
	VALUE("UsageFactor", QOS, usage_factor, VALUE),
	VALUE("LimitFactor", QOS, limit_factor, NAME),
	VALUE("GraceTime", QOS, grace_s, NOTHING),
	VALUE("MaxTRESRunMinsPU", QOS, max_tres_run_min_per_user, NOTHING),
	VALUE("MaxTRESRunMinsPA", QOS, max_tres_run_min_per_account, NOTHING),
};

static const struct fsi_column tres_columns[] = {
	OWN("Type", VALUE),
	OWN("Name", NAME),
	VALUE("ID", TRES, id, VALUE),
};

static const struct fsi_column user_columns[] = {
	VALUE("User", USER, name, VALUE),
	VALUE("Def Acct", USER, default_account, NAME),
	OWN("Admin", NAME),
	VALUE("Coord Accounts", USER, coordinates, NAME),
};
/* ---- scontrol -o show assoc_mgr
 *
 * Keys that every association record and every QOS record has (src/scontrol/info_assoc_mgr.c: _print_assoc_mgr_info,
 * 20.11 to 26.05). Every association and QOS of the cluster in accounting is also known to the controller. The command
 * omits associations that PrivateData hides (src/common/assoc_mgr.c: assoc_mgr_info_get_pack_msg); import/slurm/main.c
 * then marks the record type as hidden. */

#define ASSOC_KEY(member, TYPE, name, column, shown, ...) FORM(shown, ASSOCIATION, member, COUNTED, NOTHING),
#define QOS_KEY(member, TYPE, name, column, shown, ...) FORM(shown, QOS, member, COUNTED, NOTHING),

/* The first FSI_ASSOC_MGR_USAGE columns are usage. */
static const struct fsi_column association_keys[] = {
	FORM("GrpTRESMins", ASSOCIATION, usage_by_tres_min, USED, NOTHING),
	FORM("GrpTRESRunMins", ASSOCIATION, run_by_tres_min, USED, NOTHING),
	FORM("GrpWall", ASSOCIATION, usage_wall_min, USED, NOTHING),
	OWN("ClusterName", NAME),
	VALUE("Account", ASSOCIATION, account, NAME),
	FORM("UserName", ASSOCIATION, user, NAME, NAME),
	VALUE("Priority", ASSOCIATION, priority, NAME),
	VALUE("ID", ASSOCIATION, id, NAME),
	OWN("SharesRaw/Norm/Level/Factor", NAME),
	OWN("GrpJobs", NAME),
	OWN("UsageRaw/Norm/Efctv", NAME),
	OWN("GrpSubmitJobs", NAME),
	OWN("GrpWall", NAME),
	OWN("GrpTRES", NAME),
	OWN("GrpTRESMins", NAME),
	OWN("MaxJobs", NAME),
	OWN("GrpTRESRunMins", NAME),
	OWN("MaxSubmitJobs", NAME),
	OWN("MaxWallPJ", NAME),
	OWN("MaxTRESPJ", NAME),
	VALUE("Partition", ASSOCIATION, partition, NOTHING),
	FORM("ParentAccount", ASSOCIATION, parent, NAME, NOTHING),
	VALUE("Lft", ASSOCIATION, lft, NOTHING),
	FSI_ASSOC_GROUP_LIMITS(ASSOC_KEY)
	FSI_ASSOC_OWN_LIMITS(ASSOC_KEY)
	FSI_ASSOC_ACCRUE_LIMITS(ASSOC_KEY)
};

/* If a limit is per user or account, scontrol prints the limit once for each user or account that has jobs. All these
 * copies have the same value. */
static const struct fsi_column qos_keys[] = {
	FORM("GrpTRESMins", QOS, usage_by_tres_min, USED, NOTHING),
	FORM("GrpTRESRunMins", QOS, run_by_tres_min, USED, NOTHING),
	FORM("GrpWall", QOS, usage_wall_min, USED, NOTHING),
	OWN("UsageRaw", NAME),
	OWN("GrpJobs", NAME),
	OWN("GrpSubmitJobs", NAME),
	OWN("GrpWall", NAME),
	OWN("GrpTRES", NAME),
	OWN("GrpTRESMins", NAME),
	FORM("Priority", QOS, priority, COUNTED, NAME),
	OWN("GrpTRESRunMins", NAME),
	OWN("MaxWallPJ", NAME),
	FORM("QOS", QOS, name, NAME, NOTHING),
	FORM("QOS", QOS, id, INSIDE, NOTHING),
	FSI_QOS_LIMITS(QOS_KEY)
	FSI_QOS_RUN_MINUTE_LIMITS(QOS_KEY)
	FSI_QOS_ACCRUE_LIMITS(QOS_KEY)
};

static const struct fsi_column user_keys[] = {
	FORM("UserName", USER, name, NAME, NOTHING),
	FORM("UserName", USER, uid, INSIDE, NOTHING),
};

/* ---- sshare, sprio, sacct, squeue */

static const struct fsi_column share_columns[] = {
	OWN("Account", VALUE),
	OWN("User", NAME),
	OWN("RawShares", NAME),
	VALUE("NormShares", RECORDED, norm_shares, NOTHING),
	VALUE("RawUsage", RECORDED, raw_usage, VALUE),
	VALUE("NormUsage", RECORDED, norm_usage, EVEN_LONG),
	VALUE("EffectvUsage", RECORDED, effective_usage, EVEN),
	VALUE("FairShare", RECORDED, factor, EVEN),
	OWN("LevelFS", EVEN_OWN),
};

/* The fields of sprio_format_new. Slurm before 23.02 lacks %o and %n. Job, partition and numbers are never blank. */
static const struct fsi_column priority_fields[] = {
	VALUE("%i", RECORDED, job, VALUE),
	VALUE("%r", RECORDED, partition, VALUE),
	OWN("%u", NOTHING),
	{ "%o", .form = FSI_FORM_OWN, .since = FS_SLURM_SPRIO_NAMES },
	VALUE("%Y", RECORDED, priority, VALUE),
	VALUE("%S", RECORDED, site, VALUE),
	VALUE("%A", RECORDED, age, VALUE),
	VALUE("%B", RECORDED, assoc, VALUE),
	VALUE("%F", RECORDED, fairshare, VALUE),
	VALUE("%J", RECORDED, jobsize, VALUE),
	VALUE("%P", RECORDED, partition_points, VALUE),
	{ "%n", .bit = FSI_RECORDED_qos, .since = FS_SLURM_SPRIO_NAMES },
	VALUE("%Q", RECORDED, qos_points, VALUE),
	VALUE("%N", RECORDED, nice, VALUE),
	VALUE("%T", RECORDED, tres, NOTHING),
	VALUE("%y", RECORDED, norm_priority, VALUE),
	VALUE("%a", RECORDED, norm_age, VALUE),
	VALUE("%b", RECORDED, norm_assoc, VALUE),
	VALUE("%f", RECORDED, norm_fairshare, VALUE),
	VALUE("%j", RECORDED, norm_jobsize, VALUE),
	VALUE("%p", RECORDED, norm_partition, VALUE),
	VALUE("%q", RECORDED, norm_qos, VALUE),
	OWN("%t", NOTHING),
};

static const struct fsi_column usage_columns[] = {
	OWN("JobIDRaw", NOTHING),
	VALUE("User", USAGE, user, NOTHING),
	VALUE("Account", USAGE, account, NOTHING),
	VALUE("AssocID", USAGE, association, NOTHING),
	VALUE("Partition", USAGE, partition, NOTHING),
	VALUE("QOS", USAGE, qos, NOTHING),
	OWN("State", NOTHING),
	VALUE("Start", USAGE, start_time, NOTHING),
	VALUE("End", USAGE, end_time, NOTHING),
	VALUE("AllocTRES", USAGE, tres, NOTHING),
	VALUE("Submit", USAGE, submit_time, NOTHING),
	VALUE("Eligible", USAGE, eligible_time, NOTHING),
};

/* ---- scontrol show job, node, partition, reservation
 *
 * Required are the keys that scontrol prints for every record, whatever their value (slurm_sprint_job_info in
 * src/api/job_info.c, later in src/scontrol; slurm_sprint_node_table; slurm_sprint_partition_info; 20.11 to 26.11). */

/* A key of a job, the field that it sets, and the headings of squeue, sacct and sprio with the same value. */
#define SHOWN(key, member, needed, others) \
	{ key, .headings = others, .bit = FSI_JOB_##member, .need = FSI_NEED_##needed }
#define SHOWN_OWN(key, needed, others) { key, .headings = others, .form = FSI_FORM_OWN, .need = FSI_NEED_##needed }
#define JOB_FORM(key, member, how, needed) FORM(key, JOB, member, how, needed)

/* The first FSI_JOB_KEYS_BEFORE_NAME keys precede JobName in a record. Since 24.11, ReqTRES and AllocTRES replace TRES,
 * and MinMemoryTRES (memory per GPU) may replace MinMemoryCPU. */
static const struct fsi_column job_keys[] = {
	SHOWN("JobId", id, NOTHING, "JOBID|JobID"),
	SHOWN("ArrayJobId", array_job_id, NOTHING, NULL),
	SHOWN("HetJobId", het_job_id, NOTHING, NULL),
	SHOWN("HetJobOffset", het_offset, NOTHING, NULL),
	{ "UserId", .headings = "USER|User", .bit = FSI_JOB_user, .form = FSI_FORM_NAME, .need = FSI_NEED_NAME },
	JOB_FORM("UserId", uid, INSIDE, NOTHING),
	JOB_FORM("GroupId", group, NAME, NOTHING),
	SHOWN("Priority", priority, VALUE, "PRIORITY|Priority"),
	SHOWN("Nice", nice, VALUE, "NICE"),
	SHOWN("Account", account, NAME, "ACCOUNT|Account"),
	SHOWN("QOS", qos, VALUE, "QOS"),
	SHOWN_OWN("JobState", VALUE, "STATE|State|ST"),
	SHOWN("Reason", reason, NAME, "REASON|Reason"),
	SHOWN("Dependency", dependency, NAME, "DEPENDENCY"),
	SHOWN_OWN("TimeLimit", VALUE, "TIME_LIMIT|Timelimit"),
	SHOWN("SubmitTime", submit_time, VALUE, "SUBMIT_TIME|Submit"),
	SHOWN("EligibleTime", eligible_time, VALUE, "ELIGIBLE_TIME|Eligible"),
	SHOWN("AccrueTime", accrue_time, VALUE, "ACCRUE_TIME"),
	SHOWN("StartTime", start_time, VALUE, "START_TIME|Start"),
	SHOWN("EndTime", end_time, VALUE, "END_TIME|End"),
	SHOWN("SuspendTime", suspend_time, NOTHING, NULL),
	SHOWN("Deadline", deadline, NOTHING, NULL),
	SHOWN("PreemptEligibleTime", preemptable_time, NOTHING, NULL),
	SHOWN("Scheduler", looked_at_by, NOTHING, NULL),
	SHOWN("TimeMin", time_min_s, NOTHING, NULL),
	SHOWN("Partition", partitions, VALUE, "PARTITION|Partition"),
	SHOWN_OWN("NumNodes", VALUE, "NODES|NNodes"),
	{ "NumCPUs", .headings = "CPUS|AllocCPUS|ReqCPUS|NCPUS", .bit = FSI_JOB_cpus, .form = FSI_FORM_MINIMUM,
	  .need = FSI_NEED_VALUE },
	{ "ReqTRES", .also = { "TRES" }, .headings = "TRES_ALLOC", .form = FSI_FORM_OWN, .need = FSI_NEED_VALUE },
	{ "ArrayTaskId", .form = FSI_FORM_OWN, .need = FSI_NEED_NAME, .with = "ArrayJobId" },
	SHOWN("OverSubscribe", oversubscribe, VALUE, "OVER_SUBSCRIBE"),
	{ "Exclusive", .bit = FSI_JOB_oversubscribe, .form = FSI_FORM_EXCLUSIVE, .since = FS_SLURM_EXCLUSIVE_FIELD },
	{ "NumTasks", .headings = "TASKS", .bit = FSI_JOB_tasks, .form = FSI_FORM_MINIMUM, .need = FSI_NEED_VALUE },
	{ "AllocTRES", .form = FSI_FORM_OWN, .need = FSI_NEED_NAME, .with = "ReqTRES" },
	SHOWN("CPUs/Task", cpus_per_task, VALUE, NULL),
	JOB_FORM("MinCPUsNode", min_cpus_per_node, MINIMUM, VALUE),
	{ "MinMemoryCPU", .also = { "MinMemoryNode", "MinMemoryTRES" }, .form = FSI_FORM_OWN, .need = FSI_NEED_VALUE },
	SHOWN("Features", features, NAME, "FEATURES"),
	SHOWN("Prefer", prefer, NOTHING, NULL),
	SHOWN("Licenses", licenses, NAME, "LICENSES"),
	SHOWN("NodeList", node_list, NAME, "NODELIST|NodeList"),
	SHOWN("ReqNodeList", req_nodes, NAME, "REQ_NODES"),
	SHOWN("ExcNodeList", exc_nodes, NAME, "EXC_NODES"),
	SHOWN("SchedNodeList", sched_nodes, NOTHING, "SCHEDNODES"),
	SHOWN("LastSchedEval", last_sched_eval, NAME, NULL),
	SHOWN("Reservation", reservation, NOTHING, "RESERVATION"),
	SHOWN("Contiguous", contiguous, NOTHING, NULL),
	SHOWN("SpreadJob", spread_job, NOTHING, NULL),
	SHOWN("Restarts", restarts, NOTHING, NULL),
	SHOWN("Comment", comment, NOTHING, NULL),
	JOB_FORM("NtasksPerN:B:S:C", ntasks_per_node, PART_1, NOTHING),
	JOB_FORM("NtasksPerN:B:S:C", ntasks_per_socket, PART_3, NOTHING),
	JOB_FORM("NtasksPerN:B:S:C", ntasks_per_core, PART_4, NOTHING),
	JOB_FORM("Socks/Node", sockets_per_node, PART_1, NOTHING),
	JOB_FORM("ReqB:S:C:T", cores_per_socket, PART_3, NOTHING),
	JOB_FORM("ReqB:S:C:T", threads_per_core, PART_4, NOTHING),
	JOB_FORM("MinMemoryCPU", mem_per_cpu_mb, MEMORY, NOTHING),
	JOB_FORM("MinTmpDiskNode", tmp_disk_mb, MEMORY, NOTHING),
	OWN("Switches", NOTHING),
	OWN("TresPerJob", NOTHING),
	OWN("TresPerNode", NOTHING),
	OWN("TresPerTask", NOTHING),
	OWN("TresPerSocket", NOTHING),
	OWN("CpusPerTres", NOTHING),
	OWN("MemPerTres", NOTHING),
	OWN("SecsPreSuspend", NOTHING),
	/* The keys from here on are not read. The reader recognizes a known key faster than free text. */
	SHOWN_OWN("RunTime", NOTHING, "TIME|Elapsed"),
	OWN("MCS_label", NOTHING),
	OWN("Requeue", NOTHING),
	OWN("BatchFlag", NOTHING),
	OWN("Reboot", NOTHING),
	OWN("ExitCode", NOTHING),
	OWN("AllocNode:Sid", NOTHING),
	OWN("BatchHost", NOTHING),
	OWN("CoreSpec", NOTHING),
	OWN("DelayBoot", NOTHING),
	OWN("Network", NOTHING),
	OWN("Command", NOTHING),
	OWN("SubmitLine", NOTHING),
	OWN("WorkDir", NOTHING),
	OWN("StdErr", NOTHING),
	OWN("StdIn", NOTHING),
	OWN("StdOut", NOTHING),
	OWN("Power", NOTHING),
	OWN("PreemptTime", NOTHING),
	OWN("LicensesAlloc", NOTHING),
};

static const struct fsi_column node_keys[] = {
	VALUE("NodeName", NODE, name, NOTHING),
	VALUE("CPUTot", NODE, cpus, VALUE),
	VALUE("State", NODE, state, VALUE),
	VALUE("RealMemory", NODE, mem_mb, VALUE),
	VALUE("CfgTRES", NODE, tres, VALUE),
	VALUE("ThreadsPerCore", NODE, threads_per_core, VALUE),
	VALUE("Weight", NODE, weight, VALUE),
	VALUE("CPUEfctv", NODE, effective_cpus, NOTHING),
	VALUE("CPUAlloc", NODE, alloc_cpus, NOTHING),
	VALUE("Sockets", NODE, sockets, NOTHING),
	VALUE("CoresPerSocket", NODE, cores_per_socket, NOTHING),
	VALUE("TmpDisk", NODE, tmp_disk_mb, NOTHING),
	VALUE("AllocMem", NODE, alloc_mem_mb, NOTHING),
	VALUE("ActiveFeatures", NODE, features, NOTHING),
	VALUE("Gres", NODE, gres, NOTHING),
	VALUE("Partitions", NODE, partitions, NOTHING),
	VALUE("AllocTRES", NODE, alloc_tres, NOTHING),
	VALUE("Reason", NODE, reason, NOTHING),
};

/* If there is no limit, scontrol prints UNLIMITED or ALL. */
static const struct fsi_column partition_keys[] = {
	VALUE("PartitionName", PARTITION, name, NOTHING),
	VALUE("PriorityTier", PARTITION, tier, VALUE),
	VALUE("PriorityJobFactor", PARTITION, job_factor, VALUE),
	{ "State", .headings = "AVAIL", .bit = FSI_PARTITION_state, .need = FSI_NEED_VALUE },
	VALUE("TotalCPUs", PARTITION, total_cpus, VALUE),
	VALUE("TotalNodes", PARTITION, total_nodes, VALUE),
	VALUE("Nodes", PARTITION, nodes, NAME),
	{ "MaxTime", .headings = "TIMELIMIT", .bit = FSI_PARTITION_max_time_s, .need = FSI_NEED_VALUE },
	VALUE("QoS", PARTITION, qos, NAME),
	VALUE("TRES", PARTITION, tres, NAME),
	{ "AllowAccounts", .also = { "DenyAccounts" }, .form = FSI_FORM_OWN, .need = FSI_NEED_NAME },
	{ "AllowQos", .also = { "DenyQos" }, .form = FSI_FORM_OWN, .need = FSI_NEED_NAME },
	FORM("AllowAccounts", PARTITION, allow_accounts, LIMIT, NOTHING),
	FORM("AllowQos", PARTITION, allow_qos, LIMIT, NOTHING),
	FORM("AllowGroups", PARTITION, allow_groups, LIMIT, NOTHING),
	VALUE("DenyAccounts", PARTITION, deny_accounts, NOTHING),
	VALUE("DenyQos", PARTITION, deny_qos, NOTHING),
	VALUE("TRESBillingWeights", PARTITION, billing_weights, NOTHING),
	VALUE("DefaultTime", PARTITION, default_time_s, NOTHING),
	VALUE("MinNodes", PARTITION, min_nodes, NOTHING),
	FORM("MaxNodes", PARTITION, max_nodes, LIMIT, NOTHING),
	FORM("MaxCPUsPerNode", PARTITION, max_cpus_per_node, LIMIT, NOTHING),
	FORM("MaxMemPerCPU", PARTITION, max_mem_per_cpu_mb, LIMIT, NOTHING),
	VALUE("Default", PARTITION, is_default, NOTHING),
	VALUE("Hidden", PARTITION, is_hidden, NOTHING),
	VALUE("RootOnly", PARTITION, root_only, NOTHING),
	VALUE("OverSubscribe", PARTITION, oversubscribe, NOTHING),
	{ "Exclusive", .bit = FSI_PARTITION_oversubscribe, .form = FSI_FORM_EXCLUSIVE,
	  .since = FS_SLURM_EXCLUSIVE_FIELD },
	VALUE("ExclusiveUser", PARTITION, exclusive_user, NOTHING),
	VALUE("LLN", PARTITION, least_loaded, NOTHING),
	VALUE("PreemptMode", PARTITION, preempt_mode, NOTHING),
	OWN("JobDefaults", NOTHING),
};

/* Keys of reservations. Slurm 22.05 to 26.11 prints the required keys in every record. */
static const struct fsi_column reservation_keys[] = {
	VALUE("ReservationName", RESERVATION, name, NOTHING),
	VALUE("StartTime", RESERVATION, start_time, NAME),
	VALUE("EndTime", RESERVATION, end_time, NAME),
	VALUE("Nodes", RESERVATION, nodes, NAME),
	VALUE("PartitionName", RESERVATION, partition, NAME),
	VALUE("Flags", RESERVATION, flags, NAME),
	VALUE("Users", RESERVATION, users, NAME),
	VALUE("Accounts", RESERVATION, accounts, NAME),
	VALUE("State", RESERVATION, state, NAME),
	VALUE("NodeCnt", RESERVATION, node_count, NOTHING),
	VALUE("CoreCnt", RESERVATION, core_count, NOTHING),
	VALUE("Features", RESERVATION, features, NOTHING),
	VALUE("Groups", RESERVATION, groups, NOTHING),
	VALUE("Licenses", RESERVATION, licenses, NOTHING),
	VALUE("TRES", RESERVATION, tres, NOTHING),
	OWN("CoreIDs", NOTHING),
};

static const struct fsi_column switch_keys[] = {
	OWN("SwitchName", NOTHING),
	OWN("Level", NOTHING),
	OWN("Nodes", NOTHING),
};

/* ---- arguments of commands */

#define ASSOC_FORMAT(version_fields, rest)                                                                \
	"format=Cluster,Account,User,Partition,ID,ParentName," version_fields                      \
	",Fairshare,Priority,GrpJobs,GrpJobsAccrue,GrpSubmitJobs,GrpTRES,GrpTRESMins,"             \
	"GrpTRESRunMins,GrpWall,MaxJobs,MaxJobsAccrue,MaxSubmitJobs,MaxTRES,MaxTRESPerNode,"       \
	"MaxTRESMins,MaxWall,QOS,QosRaw,DefaultQOS" rest

static const char assoc_format_new[] = ASSOC_FORMAT("Lineage", ",Flags,Comment");
static const char assoc_format_old[] = ASSOC_FORMAT("ParentID,LFT,RGT", "");

static const char qos_format[] =
	"format=Name,ID,Priority,GraceTime,Preempt,PreemptMode,PreemptExemptTime,Flags,UsageThres,"
	"UsageFactor,LimitFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpJobsAccrue,"
	"GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,MaxJobsPU,"
	"MaxJobsAccruePU,MaxSubmitPU,MaxTRESPA,MaxJobsPA,MaxJobsAccruePA,MaxSubmitPA,MinTRES,"
	"MaxTRESRunMinsPU,MaxTRESRunMinsPA,"
	"MinPrioThreshold,Description";

static const char squeue_format[] =
	"JobID:20,JobArrayID:24,ArrayTaskID:20,Name:24,UserName:32,UserID:10,GroupName:12,"
	"Account:36,Partition:30,QOS:24,State:14,StateCompact:4,Reason:32,PriorityLong:14,"
	"Priority:18,Nice:14,NumCPUs:10,NumNodes:8,MaxNodes:8,NumTasks:8,MinCPUs:8,cpus-per-task:14,"
	"MinMemory:14,tres:60,tres-alloc:60,TimeLimit:16,TimeUsed:14,TimeLeft:14,SubmitTime:22,"
	"EligibleTime:22,AccrueTime:22,StartTime:22,EndTime:22,PendingTime:14,LastSchedEval:22,"
	"PreemptTime:22,Dependency:30,Reservation:20,Feature:16,NodeList:20,ReqNodes:16,"
	"SchedNodes:16,OverSubscribe:16,AssocID:10,RestartCnt:10,Command:20,WorkDir:12,"
	"Comment:20,admin_comment:24";

static const char sacct_format[] =
	"JobIDRaw,User,Account,AssocID,Partition,QOS,State,Start,End,AllocTRES,Submit,Eligible";

static const char sprio_format_new[] =
	"%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t";
static const char sprio_format_old[] = "%i|%r|%u|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t";

/* ---- the rows */

static const struct fsi_output rows[] = {
	{ .capture = { "scontrol_config.txt", "config",
	    .kind = FS_OUTPUT_CONFIG, .short_for = OF_SHARES | OF_PRIORITIES,
	    .argv = { { "scontrol", "show", "config" } } },
	  .shape = FSI_SHAPE_CONFIG, .signature = { "Configuration data as of" }, .hides = "config",
	  .columns = config_parameters, .ncolumns = sizeof(config_parameters) / sizeof(*config_parameters) },
	{ .capture = { "slurm.conf", "config", .kind = FS_OUTPUT_FLAGS, .short_for = OF_SHARES | OF_PRIORITIES } },
	{ .capture = { "sacctmgr_assoc.txt", "association",
	    "the order of accounts with equal ranks, default QOS, other data that only the accounting database has",
	    .since = FS_SLURM_LINEAGE,
	    .argv = { { "sacctmgr", "-P", "show", "assoc", assoc_format_new },
		      { "sacctmgr", "-P", "show", "assoc", assoc_format_old } } },
	  COLUMNS(PIPES, ASSOCIATION, association_columns), .signature = { "Cluster|", "Account|" },
	  .hides = "association" },
	{ .capture = { "sacctmgr_qos_all.txt", "qos",
	    "limits and flags of QOS",
	    .parallel_with_previous = true,
	    .argv = { { "sacctmgr", "-P", "show", "qos", qos_format }, { "sacctmgr", "-P", "show", "qos" } } },
	  COLUMNS(PIPES, QOS, qos_columns), .signature = { "Name|" }, .hides = "qos" },
	{ .capture = { "sacctmgr_qos.txt", "qos", .kind = FS_OUTPUT_NOT_CAPTURED, .argv = { { "sacctmgr", "-P", "show", "qos" } } },
	  COLUMNS(PIPES, QOS, qos_columns), .hides = "qos" },
	{ .capture = { "sacctmgr_tres.txt", "tres", .parallel_with_previous = true,
	    .argv = { { "sacctmgr", "-P", "show", "tres" } } },
	  COLUMNS(PIPES, TRES, tres_columns), .signature = { "Type|" }, .hides = "tres" },
	{ .capture = { "sacctmgr_user.txt", "user", .parallel_with_previous = true,
	    .argv = { { "sacctmgr", "-P", "show", "user", "withcoord" } } },
	  COLUMNS(PIPES, USER, user_columns), .signature = { "User|" }, .hides = "user" },
	{ .capture = { "scontrol_assoc_mgr_o.txt", "association",
	    "usage by TRES, decimals of usage, amounts in use under limits",
	    .short_for = OF_SHARES,
	    .argv = { { "scontrol", "-o", "show", "assoc_mgr" } } },
	  COLUMNS(KEYS, ASSOCIATION, association_keys), .signature = { "Current Association Manager state" },
	  .text = "ClusterName=" },
	{ .capture = { "scontrol_assoc_mgr_o.txt", "qos", .kind = FS_OUTPUT_NOT_CAPTURED },
	  COLUMNS(KEYS, QOS, qos_keys), .text = "QOS=", .has_braces = true },
	{ .capture = { "scontrol_assoc_mgr_o.txt", .kind = FS_OUTPUT_NOT_CAPTURED },
	  COLUMNS(KEYS, USER, user_keys), .text = "UserName=" },
	{ .capture = { "sshare.txt", "association", .short_for = OF_SHARES, .parallel_with_previous = true,
	    .argv = { { "sshare", "-a", "-l", "-P" } } },
	  COLUMNS(PIPES, RECORDED, share_columns), .signature = { "Account|", "ID|Account|" } },
	{ .capture = { "sshare.txt", "recorded", "recorded shares (for fs-snap verify)", .kind = FS_OUTPUT_NOT_CAPTURED } },
	/* the values of sshare.txt with full precision */
	{ .capture = { "sshare_a.json", "association",
	    .short_for = OF_SHARES, .parallel_with_previous = true, .from = FS_SLURM_SSHARE_JSON,
	    .argv = { { "sshare", "-a", "--json" } } },
	  .shape = FSI_SHAPE_JSON },
	{ .capture = { "date_begin", "config",
	    "the exact time of the capture (the time of sdiag or the configuration, seconds earlier, is used instead)",
	    .kind = FS_OUTPUT_CLOCK, .short_for = OF_SHARES | OF_PRIORITIES } },
	{ .capture = { "scontrol_job_o.txt", "job", .of_jobs = true, .argv = { { "scontrol", "-o", "show", "job" } } },
	  COLUMNS(KEYS, JOB, job_keys), .text = "JobId=", .no_records = "No jobs in the system",
	  .hides = "job" },
	{ .capture = { "sprio.txt", "recorded",
	    "recorded priorities (for fs-snap verify), priorities set by an administrator, time of the last priority "
	    "calculation",
	    .of_jobs = true, .short_for = OF_PRIORITIES, .parallel_with_previous = true,
	    .since = FS_SLURM_SPRIO_NAMES,
	    .argv = { { "sprio", "-h", "-o", sprio_format_new }, { "sprio", "-h", "-o", sprio_format_old } } },
	  /* the file has no signature, because it is empty if no job is pending */
	  COLUMNS(FIELDS, RECORDED, priority_fields) },
	/* only this command prints a job's SLUID and its CPUs on each node */
	{ .capture = { "scontrol_job_d.txt", "job",
	    "the CPUs of each job on each node (fs-showq --plan divides the job's CPUs evenly)",
	    .of_jobs = true, .parallel_with_previous = true,
	    .argv = { { "scontrol", "-d", "show", "job" } } },
	  .signature = { "JobId=", "No jobs in the system" } },
	{ .capture = { "squeue_O.txt", "job",
	    "checks that the job list is complete and that no job name imitates a record (associations are found by user "
	    "and account)",
	    .of_jobs = true, .parallel_with_previous = true,
	    .argv = { { "squeue", "-a", "-O", squeue_format } } },
	  .shape = FSI_SHAPE_WIDTHS, .signature = { "JOBID" } },
	{ .capture = { "scontrol_node_o.txt", "node", .of_jobs = true, .parallel_with_previous = true,
	    .argv = { { "scontrol", "-o", "show", "node" } } },
	  COLUMNS(KEYS, NODE, node_keys), .text = "NodeName=", .no_records = "No nodes in the system",
	  .hides = "node" },
	{ .capture = { "scontrol_partition_o.txt", "partition",
	    .of_jobs = true, .parallel_with_previous = true,
	    .argv = { { "scontrol", "-o", "show", "partition" } } },
	  COLUMNS(KEYS, PARTITION, partition_keys), .text = "PartitionName=",
	  .no_records = "No partitions in the system", .hides = "partition" },
	{ .capture = { "scontrol_topology.txt", "node",
	    "switches (for the choice of nodes in fs-showq --plan with topology/tree)",
	    .parallel_with_previous = true,
	    .argv = { { "scontrol", "show", "topology" } } },
	  COLUMNS(KEYS, NODE, switch_keys), .text = "SwitchName=" },
	{ .capture = { "scontrol_reservation.txt", "reservation",
	    .of_jobs = true, .parallel_with_previous = true,
	    .argv = { { "scontrol", "show", "reservation" } } },
	  COLUMNS(GROUPS, RESERVATION, reservation_keys),
	  .signature = { "ReservationName=", "No reservations in the system" }, .text = "ReservationName=",
	  .hides = "reservation" },
	{ .capture = { "sacct.txt", "usage", .parallel_with_previous = true, .kind = FS_OUTPUT_RECORDS,
	    .argv = { { "sacct", "-a", "-D", "-X", "-P", "-S", FS_OUTPUT_SINCE, "-o", sacct_format } } },
	  COLUMNS(PIPES, USAGE, usage_columns), .signature = { "Account|", "JobID" }, .hides = "usage" },
	{ .capture = { "sacct.json", "usage", .kind = FS_OUTPUT_NOT_CAPTURED, .parallel_with_previous = true,
	    .argv = { { "sacct", "-a", "-D", "-S", FS_OUTPUT_SINCE, "--json" } } },
	  .shape = FSI_SHAPE_JSON },
	/* accounting looks up the steps of each job separately, so steps of the last week only are requested */
	{ .capture = { "sacct_steps.txt", .parallel_with_previous = true, .kind = FS_OUTPUT_RECORDS,
	    .argv = { { "sacct", "-a", "-P", "-s", "CD", "-S", "now-7days", "-o", "JobIDRaw,MaxRSS" } } },
	  .shape = FSI_SHAPE_PIPES },
	{ .capture = { "sdiag.txt", "config", .of_jobs = true, .parallel_with_previous = true, .argv = { { "sdiag" } } },
	  .signature = { "sdiag output at" } },
	{ .capture = { "caller", .kind = FS_OUTPUT_CALLER, .short_for = OF_SHARES | OF_PRIORITIES } },
	{ .capture = { "zone", .kind = FS_OUTPUT_ZONE, .short_for = OF_SHARES | OF_PRIORITIES } },
};

const struct fsi_outputs fsi_slurm_outputs = { rows, sizeof(rows) / sizeof(*rows) };
