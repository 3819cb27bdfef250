#include "model/reasons.h"

#include "model/find.h"

#include <string.h>

/* ---- the table of pending reasons */

/* A row of the table. Optional members follow the meaning, as VERDICT, REFUSES, REMEDY, TEXTS, FASRC and TACC. */
#define ROW(number_, name_, section_, eligible_, limit_, resource_, meaning_, clears_, ...) \
	{ \
		.shown = { .name = name_, \
			   .section = FS_SECTION_##section_, \
			   .number = number_, \
			   .limit = limit_, \
			   .resource = resource_, \
			   .meaning = meaning_, \
			   .clears = clears_, \
			   .eligible = eligible_ }, \
		__VA_ARGS__ \
	}
#define VERDICT(kind_, cause_) .kind = FS_VERDICT_##kind_, .cause = FS_VERDICT_CAUSE_##cause_
#define REFUSES(how) .refusal = FSI_REFUSES_##how
#define REMEDY(text) .shown.remedy = text
#define TEXTS(...) .texts = { __VA_ARGS__ }
#define FASRC(section_, state) .shown.fasrc = { FS_SHOWQ_##section_, state }
#define TACC(section_, state) .shown.tacc = { FS_SHOWQ_##section_, state }

/* Limits of an association or a QOS in Slurm (src/common/job_state_reason.c). src/slurmctld/acct_policy.c tests these
 * limits. */

#define CPUS "CPUs"
#define MEM "memory"
#define ENERGY "energy"
#define NODE_TRES "nodes"
#define GRES "GRES (GPUs)"
#define LICENSES "licenses"
#define BB "burst buffer"
#define BILLING "billing units"
#define OTHER_TRES "a TRES that the reason does not name"

/* Each macro expands to four members of struct fs_reason: `limit`, `resource`, `meaning` and `clears`. */
#define GRP_TRES(r) \
	"GrpTRES", r, "the job would raise the use of " r " above the limit", "running jobs under this limit end"
#define GRP_TRES_MINS(r) \
	"GrpTRESMins", r, "the usage of " r " in TRES minutes has reached the limit", \
		"past usage decays or is reset, or the limit is raised"
#define GRP_TRES_RUN_MINS(r) \
	"GrpTRESRunMins", r, "the job would raise the run minutes of " r " above the limit", \
		"running jobs under this limit progress or end, or the job asks for less time"
#define GRP_JOBS "GrpJobs", "", "the limit on running jobs is reached", "a running job under this limit ends"
#define GRP_SUBMIT \
	"GrpSubmitJobs", "", "the limit on pending and running jobs is reached", \
		"a job under this limit ends or is cancelled"
#define GRP_WALL \
	"GrpWall", "", "the total wall-clock time that the limit allows is used up", \
		"past usage decays or is reset, or the limit is raised"
#define MAX_JOBS \
	"MaxJobs", "", "the limit on running jobs of the user in the account is reached", \
		"a running job under this limit ends"
#define MAX_SUBMIT \
	"MaxSubmitJobs", "", "the limit on pending and running jobs of the user in the account is reached", \
		"a job under this limit ends or is cancelled"
#define MAX_WALL \
	"MaxWall", "", "the job asks for more time than is allowed per job", \
		"the job asks for less time, or the limit is raised"
#define MAX_TRES_JOB(r) \
	"MaxTRESPerJob", r, "the job's request for " r " exceeds the limit per job", "the job asks for less"
#define MAX_TRES_NODE(r) \
	"MaxTRESPerNode", r, "the job's request for " r " per node exceeds the limit", \
		"the job asks for less per node, or for more nodes"
#define MAX_TRES_MINS_JOB(r) \
	"MaxTRESMinsPerJob", r, "the job's request for " r " times its time limit exceeds the limit per job", \
		"the job asks for fewer resources or less time"
#define MIN_TRES_JOB(r) \
	"MinTRESPerJob", r, "the job's request for " r " is below the minimum per job", \
		"the job asks for more, or moves to another QOS"
#define MAX_TRES_USER(r) \
	"MaxTRESPU", r, "the job would raise the user's use of " r " in the QOS above the limit", \
		"running jobs of the user in the QOS end"
#define MAX_JOBS_USER \
	"MaxJobsPU", "", "the limit on running jobs per user in the QOS is reached", \
		"a running job of the user in the QOS ends"
#define MAX_SUBMIT_USER \
	"MaxSubmitJobsPU", "", "the limit on pending and running jobs per user in the QOS is reached", \
		"a job of the user in the QOS ends or is cancelled"
#define MAX_TRES_ACCOUNT(r) \
	"MaxTRESPA", r, "the job would raise the account's use of " r " in the QOS above the limit", \
		"running jobs of the account in the QOS end"
#define MAX_JOBS_ACCOUNT \
	"MaxJobsPA", "", "the limit on running jobs per account in the QOS is reached", \
		"a running job of the account in the QOS ends"
#define MAX_SUBMIT_ACCOUNT \
	"MaxSubmitJobsPA", "", "the limit on pending and running jobs per account in the QOS is reached", \
		"a job of the account in the QOS ends or is cancelled"
#define RUN_MINS_USER(r) \
	"MaxTRESRunMinsPU", r, "the job would raise the user's run minutes of " r " in the QOS above the limit", \
		"running jobs of the user in the QOS progress or end, or the job asks for less time"
#define RUN_MINS_ACCOUNT(r) \
	"MaxTRESRunMinsPA", r, "the job would raise the account's run minutes of " r " in the QOS above the limit", \
		"running jobs of the account in the QOS progress or end, or the job asks for less time"

/* LIMIT_ROW receives the four members of a limit macro as four arguments. */
#define LIMIT_ROW(number, name, section, ...) ROW(number, name, section, true, __VA_ARGS__)
#define ASSOC(number, name, ...) LIMIT_ROW(number, name, ASSOC_LIMIT, __VA_ARGS__)
#define QOS(number, name, ...) LIMIT_ROW(number, name, QOS_LIMIT, __VA_ARGS__)

/* All other reasons of a pending Slurm job. */

#define REASON(number, name, section, eligible, ...) ROW(number, name, section, eligible, "", "", __VA_ARGS__)

/* A text that the topology plugins set for the reason "Resources". */
#define TOPOLOGY(name, ...) REASON(FS_REASON_RESOURCES, name, ELIGIBLE, true, __VA_ARGS__)

#define RUN_ENDED "nothing; the reason describes a run that has ended"

/* Reasons of Maui and Flux. */

#define OTHER_REASON(name, section, ...) ROW(0, name, section, false, "", "", __VA_ARGS__)
#define LIMIT(name, limit, resource, ...) ROW(0, name, ASSOC_LIMIT, false, limit, resource, __VA_ARGS__)

static const struct fsi_reason reasons[] = {
	/* Slurm (src/common/job_state_reason.c), with the numbers of slurm.h in 26.11. Numbers differ between versions.
	 * A reason is therefore identified by its name. */
	REASON(0, "None", ELIGIBLE, true, "no reason is recorded yet", "the scheduler tries the job in its next cycle",
	       FASRC(WAITING, "Waiting"), TACC(WAITING, "Waiting")),
	REASON(1, "Priority", ELIGIBLE, true,
	       "a job ahead was still pending when the scheduler last considered this job",
	       "the jobs ahead start, or backfill can start the job without delaying them", FASRC(WAITING, "Waiting"),
	       TACC(WAITING, "Waiting")),
	REASON(FS_REASON_RESOURCES, "Resources", ELIGIBLE, true,
	       "the resources the job needs are in use, down or reserved for higher tiers",
	       "running jobs end, nodes return, or the job asks for less", TEXTS("Nodes required for job are DOWN"),
	       FASRC(WAITING, "Waiting"), TACC(WAITING, "Waiting")),
	/* since 26.05 instead of "Resources" (src/slurmctld/node_scheduler.c: select_nodes, texts of the ESLURM_TOPO_*
	 * errors; the plugins in src/plugins/topology set them) */
	TOPOLOGY("Required nodes lack available resources",
		 "nodes that the job requires (-w) are in use or not available",
		 "the required nodes become free, or the job requires other nodes"),
	TOPOLOGY("Required nodes do not fit topology",
		 "the nodes that the job requires (-w) are not in one unit of the topology, such as a block",
		 "the job requires nodes of one unit, or none"),
	TOPOLOGY("No suitable topology unit found",
		 "no unit of the topology, such as a block or ring, has enough free nodes for the whole job",
		 "running jobs in one unit end, or the job asks for less"),
	TOPOLOGY("No suitable topology unit found for segment",
		 "no unit of the topology has enough free nodes for each segment of the job (--segment)",
		 "running jobs in one unit end, or the job asks for smaller segments"),
	TOPOLOGY("Insufficient resources in topology unit",
		 "the units of the topology from which nodes may be selected have too few free resources",
		 "running jobs on these nodes end, or the job asks for less"),
	TOPOLOGY("Weight-based selection could not satisfy request within topology unit",
		 "the nodes with the lowest weights do not fit into the units of the topology that the job may use",
		 "running jobs in these units end, or the job asks for less"),
	TOPOLOGY("Exceeded maximum node limit during topology allocation",
		 "the units of the topology have enough free resources only with more nodes than the job may have",
		 "more resources become free on single nodes, or the job may have more nodes"),
	TOPOLOGY("No available nodes in topology", "no node that the job may use is free in the topology",
		 "running jobs end, or nodes return"),
	REASON(2, "Dependency", REQUEST, false, "the job's dependency is not satisfied yet",
	       "the jobs it depends on start or end as the dependency requires", VERDICT(DEPENDENCY, DEPENDENCY),
	       FASRC(BLOCKED, "Waiting"), TACC(BLOCKED, "WaitDep")),
	REASON(9, "BeginTime", REQUEST, false, "the job's begin time has not come yet",
	       "the begin time comes, or is set earlier (scontrol update StartTime)", VERDICT(BEGIN, NONE),
	       FASRC(BLOCKED, "Waiting"), TACC(BLOCKED, "WaitTim")),
	REASON(39, "DependencyNeverSatisfied", REQUEST, false, "the job's dependency can never be satisfied",
	       "the dependency is changed, or the job is cancelled", VERDICT(NEVER, DEPENDENCY),
	       REMEDY("Its dependency must be changed or removed, or the job cancelled."), TACC(ERRORED, "ErrDep")),
	REASON(72, "JobArrayTaskLimit", REQUEST, false, "the array's own limit (%N) on running tasks is reached",
	       "a task of the array ends, or the array's limit is raised", VERDICT(ARRAY_LIMIT, ARRAY),
	       FASRC(BLOCKED, "Waiting")),
	REASON(8, "JobHeldAdmin", HELD, false, "held by an operator or by the system", "an operator releases the job",
	       VERDICT(HELD, ADMINISTRATOR), FASRC(BLOCKED, "Waiting"), TACC(BLOCKED, "HeldAdm")),
	REASON(16, "JobHeldUser", HELD, false, "held by its owner", "the owner releases the job", VERDICT(HELD, OWNER),
	       TEXTS("job requeued in held state", "job requeued in special exit state"), FASRC(BLOCKED, "Waiting"),
	       TACC(BLOCKED, "HeldUsr")),
	REASON(21, "BadConstraints", HELD, false, "no usable node satisfies the job's request; Slurm has held the job",
	       "the request is changed, or the job is released when nodes that satisfy it are up",
	       VERDICT(HELD, SCHEDULER), REMEDY("It needs a request that nodes can meet; then release it."),
	       FASRC(BLOCKED, "Waiting"), TACC(ERRORED, "ErrCons")),
	REASON(71, "JobHoldMaxRequeue", HELD, false, "the job failed to start; Slurm has held it",
	       "the cause is fixed and the job is released", VERDICT(HELD, SCHEDULER),
	       TEXTS("launch failed requeued held", "user env retrieval failed requeued held")),
	REASON(4, "PartitionNodeLimit", PARTITION, false,
	       "the job asks for fewer or more nodes than the partition allows, or for more than are usable now",
	       "the request or the partition is changed, or nodes that are down or drained return", REFUSES(BY_NODES),
	       REMEDY("It needs a different number of nodes or another partition."), TEXTS("Partition node limit"),
	       FASRC(WAITING, "Waiting"), TACC(ERRORED, "ErrNode")),
	REASON(5, "PartitionTimeLimit", PARTITION, false, "the job asks for more time than the partition allows",
	       "the job asks for less time or moves to another partition", REFUSES(BY_TIME),
	       REMEDY("It needs a shorter time limit or another partition."), TEXTS("Partition time limit"),
	       FASRC(WAITING, "Waiting"), TACC(ERRORED, "ErrTime")),
	REASON(6, "PartitionDown", PARTITION, false, "the partition is down: it accepts jobs, but starts none",
	       "an administrator sets the partition up", REFUSES(CLOSED), FASRC(WAITING, "Waiting"),
	       TACC(WAITING, "Waiting")),
	REASON(7, "PartitionInactive", PARTITION, false, "the partition is inactive: it accepts and starts no jobs",
	       "an administrator sets the partition up", REFUSES(CLOSED), TACC(WAITING, "Waiting")),
	REASON(178, "PartitionConfig", PARTITION, false,
	       "the partition does not admit the job (group, account, QOS or submit node)",
	       "the request or the partition's rules are changed", REFUSES(ALWAYS),
	       REMEDY("It needs another partition, account or QOS."), FASRC(BLOCKED, "Waiting")),
	REASON(182, "MaxMemPerLimit", PARTITION, false,
	       "the job asks for more memory than MaxMemPerCPU or MaxMemPerNode allows", "the job asks for less memory",
	       REFUSES(ALWAYS), REMEDY("It needs less memory or another partition.")),
	REASON(14, "Reservation", RESERVATION, false, "the job's reservation has not begun, or cannot be used now",
	       "the reservation can be used", VERDICT(RESERVATION, RESERVATION), FASRC(WAITING, "Waiting"),
	       TACC(BLOCKED, "WaitRes")),
	REASON(198, "ReservationDeleted", RESERVATION, false,
	       "the job's reservation was deleted; Slurm has held the job",
	       "the job gets another reservation or none, and is released", VERDICT(NEVER, RESERVATION),
	       REMEDY("It needs another reservation or none; then release it.")),
	REASON(199, "ReservationInvalid", RESERVATION, false,
	       "the job's reservation is not valid; Slurm has held the job",
	       "the job gets another reservation or none, and is released", VERDICT(NEVER, RESERVATION),
	       REMEDY("It needs another reservation or none; then release it.")),
	REASON(15, "ReqNodeNotAvail", NODES, true,
	       "nodes the job needs are down, drained or reserved (perhaps for a maintenance within its time limit)",
	       "the nodes return, the reservation ends, or the job asks for less time",
	       TEXTS("Required node not available"), FASRC(WAITING, "Waiting"), TACC(BLOCKED, "WaitNod")),
	REASON(17, "NvidiaImexChannels", NODES, true, "no NVIDIA IMEX channel is free", "another job frees a channel"),
	REASON(200, "Constraints", NODES, true, "no node has the requested features now", "features of nodes change"),
	REASON(219, "MaxPoweredUpNodes", NODES, true, "no more nodes may be powered up", "nodes are powered down"),
	REASON(220, "MpiPortsBusy", NODES, true, "the reserved MPI ports of the nodes are in use",
	       "job steps on those nodes end"),
	REASON(10, "Licenses", RESOURCES, true, "not enough licenses are free", "licenses become free"),
	REASON(73, "BurstBufferResources", RESOURCES, true, "not enough burst buffer space is free",
	       "space becomes free"),
	REASON(74, "BurstBufferStageIn", RESOURCES, true, "the job's data is being staged in", "the stage-in ends"),
	REASON(75, "BurstBufferOperation", HELD, false, "a burst buffer operation failed; Slurm has held the job",
	       "the cause is fixed and the job is released", VERDICT(HELD, SCHEDULER)),
	REASON(27, "InvalidAccount", ACCESS, false, "the job's account is no longer valid",
	       "the association is restored, or the job gets another account", VERDICT(NEVER, ACCESS),
	       REMEDY("It needs another account, or its association must be restored.")),
	REASON(28, "InvalidQOS", ACCESS, false, "the job's QOS is no longer valid for its association",
	       "the QOS is allowed again, or the job gets another QOS", VERDICT(NEVER, ACCESS),
	       REMEDY("It needs another QOS, or permission to use this one.")),
	REASON(29, "QOSUsageThreshold", ACCESS, true, "the job's fair-share factor is below its QOS's UsageThreshold",
	       "the factor rises above the threshold, or the job gets another QOS"),
	REASON(37, "QOSNotAllowed", ACCESS, false, "the partition does not allow the job's QOS",
	       "the job gets an allowed QOS or another partition", REFUSES(ALWAYS),
	       REMEDY("It needs another QOS or partition."),
	       TEXTS("Job's QOS not permitted to use this partition", "QOS not permitted to use this partition"),
	       TACC(BLOCKED, "WaitQOS")),
	REASON(38, "AccountNotAllowed", ACCESS, false, "the partition does not allow the job's account",
	       "the job gets an allowed account or another partition", REFUSES(ALWAYS),
	       REMEDY("It needs another account or partition."),
	       TEXTS("Job's account not permitted to use this partition")),
	REASON(179, "AccountingPolicy", ACCESS, false, "an accounting policy refuses the job",
	       "the job meets the policy, or the policy is changed"),
	REASON(18, "SchedDefer", TRANSIENT, true, "the scheduler did not try the job at submission",
	       "the scheduler tries the job in its next cycle"),
	REASON(35, "Cleaning", TRANSIENT, false, "an earlier run of the job is still being cleaned up",
	       "the cleanup ends"),
	REASON(36, "Prolog", TRANSIENT, false, "the job's prolog is still running", "the prolog ends"),
	REASON(180, "FedJobLock", TRANSIENT, true, "the job's origin cluster did not grant the federation lock",
	       "a later attempt gets the lock"),
	REASON(20, "NodeDown", ENDED, true, "a node failed while the job ran there",
	       "the scheduler tries the job in its next cycle", TACC(BLOCKED, "DownNode")),
	REASON(22, "SystemFailure", ENDED, true, "a system failure ended the job",
	       "the scheduler tries the job in its next cycle"),
	REASON(23, "JobLaunchFailure", ENDED, true, "the job failed to start",
	       "the scheduler tries the job in its next cycle"),
	REASON(24, "NonZeroExitCode", ENDED, true, "the job ended with a non-zero exit code", RUN_ENDED),
	REASON(25, "TimeLimit", ENDED, true, "the job reached its time limit", RUN_ENDED),
	REASON(26, "InactiveLimit", ENDED, true, "the job was inactive for too long", RUN_ENDED),
	REASON(33, "RaisedSignal", ENDED, true, "a signal ended the job", RUN_ENDED),
	REASON(167, "DeadLine", ENDED, false, "the job's deadline can no longer be met", "nothing; Slurm ends the job",
	       VERDICT(NEVER, CONSTRAINTS), REMEDY("It needs a later deadline.")),
	REASON(181, "OutOfMemory", ENDED, true, "the job ran out of memory", RUN_ENDED),
	/* Slurm: limits of an association or a QOS */
	ASSOC(57, "AssocGrpCpuLimit", GRP_TRES(CPUS)),
	ASSOC(58, "AssocGrpCPUMinutesLimit", GRP_TRES_MINS(CPUS)),
	ASSOC(59, "AssocGrpCPURunMinutesLimit", GRP_TRES_RUN_MINS(CPUS)),
	ASSOC(60, "AssocGrpJobsLimit", GRP_JOBS),
	ASSOC(61, "AssocGrpMemLimit", GRP_TRES(MEM)),
	ASSOC(62, "AssocGrpNodeLimit", GRP_TRES(NODE_TRES)),
	ASSOC(63, "AssocGrpSubmitJobsLimit", GRP_SUBMIT),
	ASSOC(64, "AssocGrpWallLimit", GRP_WALL),
	ASSOC(65, "AssocMaxJobsLimit", MAX_JOBS),
	ASSOC(66, "AssocMaxCpuPerJobLimit", MAX_TRES_JOB(CPUS)),
	ASSOC(67, "AssocMaxCpuMinutesPerJobLimit", MAX_TRES_MINS_JOB(CPUS)),
	ASSOC(68, "AssocMaxNodePerJobLimit", MAX_TRES_JOB(NODE_TRES)),
	ASSOC(69, "AssocMaxWallDurationPerJobLimit", MAX_WALL),
	ASSOC(70, "AssocMaxSubmitJobLimit", MAX_SUBMIT),
	ASSOC(78, "AssocGrpUnknown", GRP_TRES(OTHER_TRES)),
	ASSOC(79, "AssocGrpUnknownMinutes", GRP_TRES_MINS(OTHER_TRES)),
	ASSOC(80, "AssocGrpUnknownRunMinutes", GRP_TRES_RUN_MINS(OTHER_TRES)),
	ASSOC(81, "AssocMaxUnknownPerJob", MAX_TRES_JOB(OTHER_TRES)),
	ASSOC(82, "AssocMaxUnknownPerNode", MAX_TRES_NODE(OTHER_TRES)),
	ASSOC(83, "AssocMaxUnknownMinutesPerJob", MAX_TRES_MINS_JOB(OTHER_TRES)),
	ASSOC(84, "AssocMaxCpuPerNode", MAX_TRES_NODE(CPUS)),
	ASSOC(85, "AssocGrpMemMinutes", GRP_TRES_MINS(MEM)),
	ASSOC(86, "AssocGrpMemRunMinutes", GRP_TRES_RUN_MINS(MEM)),
	ASSOC(87, "AssocMaxMemPerJob", MAX_TRES_JOB(MEM)),
	ASSOC(88, "AssocMaxMemPerNode", MAX_TRES_NODE(MEM)),
	ASSOC(89, "AssocMaxMemMinutesPerJob", MAX_TRES_MINS_JOB(MEM)),
	ASSOC(90, "AssocGrpNodeMinutes", GRP_TRES_MINS(NODE_TRES)),
	ASSOC(91, "AssocGrpNodeRunMinutes", GRP_TRES_RUN_MINS(NODE_TRES)),
	ASSOC(92, "AssocMaxNodeMinutesPerJob", MAX_TRES_MINS_JOB(NODE_TRES)),
	ASSOC(93, "AssocGrpEnergy", GRP_TRES(ENERGY)),
	ASSOC(94, "AssocGrpEnergyMinutes", GRP_TRES_MINS(ENERGY)),
	ASSOC(95, "AssocGrpEnergyRunMinutes", GRP_TRES_RUN_MINS(ENERGY)),
	ASSOC(96, "AssocMaxEnergyPerJob", MAX_TRES_JOB(ENERGY)),
	ASSOC(97, "AssocMaxEnergyPerNode", MAX_TRES_NODE(ENERGY)),
	ASSOC(98, "AssocMaxEnergyMinutesPerJob", MAX_TRES_MINS_JOB(ENERGY)),
	ASSOC(99, "AssocGrpGRES", GRP_TRES(GRES)),
	ASSOC(100, "AssocGrpGRESMinutes", GRP_TRES_MINS(GRES)),
	ASSOC(101, "AssocGrpGRESRunMinutes", GRP_TRES_RUN_MINS(GRES)),
	ASSOC(102, "AssocMaxGRESPerJob", MAX_TRES_JOB(GRES)),
	ASSOC(103, "AssocMaxGRESPerNode", MAX_TRES_NODE(GRES)),
	ASSOC(104, "AssocMaxGRESMinutesPerJob", MAX_TRES_MINS_JOB(GRES)),
	ASSOC(105, "AssocGrpLicense", GRP_TRES(LICENSES)),
	ASSOC(106, "AssocGrpLicenseMinutes", GRP_TRES_MINS(LICENSES)),
	ASSOC(107, "AssocGrpLicenseRunMinutes", GRP_TRES_RUN_MINS(LICENSES)),
	ASSOC(108, "AssocMaxLicensePerJob", MAX_TRES_JOB(LICENSES)),
	ASSOC(109, "AssocMaxLicenseMinutesPerJob", MAX_TRES_MINS_JOB(LICENSES)),
	ASSOC(110, "AssocGrpBB", GRP_TRES(BB)),
	ASSOC(111, "AssocGrpBBMinutes", GRP_TRES_MINS(BB)),
	ASSOC(112, "AssocGrpBBRunMinutes", GRP_TRES_RUN_MINS(BB)),
	ASSOC(113, "AssocMaxBBPerJob", MAX_TRES_JOB(BB)),
	ASSOC(114, "AssocMaxBBPerNode", MAX_TRES_NODE(BB)),
	ASSOC(115, "AssocMaxBBMinutesPerJob", MAX_TRES_MINS_JOB(BB)),
	ASSOC(183, "AssocGrpBilling", GRP_TRES(BILLING)),
	ASSOC(184, "AssocGrpBillingMinutes", GRP_TRES_MINS(BILLING)),
	ASSOC(185, "AssocGrpBillingRunMinutes", GRP_TRES_RUN_MINS(BILLING)),
	ASSOC(186, "AssocMaxBillingPerJob", MAX_TRES_JOB(BILLING)),
	ASSOC(187, "AssocMaxBillingPerNode", MAX_TRES_NODE(BILLING)),
	ASSOC(188, "AssocMaxBillingMinutesPerJob", MAX_TRES_MINS_JOB(BILLING)),
	QOS(40, "QOSGrpCpuLimit", GRP_TRES(CPUS)),
	QOS(41, "QOSGrpCPUMinutesLimit", GRP_TRES_MINS(CPUS)),
	QOS(42, "QOSGrpCPURunMinutesLimit", GRP_TRES_RUN_MINS(CPUS)),
	QOS(43, "QOSGrpJobsLimit", GRP_JOBS),
	QOS(44, "QOSGrpMemLimit", GRP_TRES(MEM)),
	QOS(45, "QOSGrpNodeLimit", GRP_TRES(NODE_TRES)),
	QOS(46, "QOSGrpSubmitJobsLimit", GRP_SUBMIT),
	QOS(47, "QOSGrpWallLimit", GRP_WALL),
	QOS(48, "QOSMaxCpuPerJobLimit", MAX_TRES_JOB(CPUS), FASRC(BLOCKED, "Waiting")),
	QOS(49, "QOSMaxCpuMinutesPerJobLimit", MAX_TRES_MINS_JOB(CPUS), FASRC(BLOCKED, "Waiting")),
	QOS(50, "QOSMaxNodePerJobLimit", MAX_TRES_JOB(NODE_TRES), FASRC(BLOCKED, "Waiting")),
	QOS(51, "QOSMaxWallDurationPerJobLimit", MAX_WALL, FASRC(BLOCKED, "Waiting")),
	QOS(52, "QOSMaxCpuPerUserLimit", MAX_TRES_USER(CPUS), FASRC(WAITING, "Waiting")),
	QOS(53, "QOSMaxJobsPerUserLimit", MAX_JOBS_USER, FASRC(WAITING, "Waiting")),
	QOS(54, "QOSMaxNodePerUserLimit", MAX_TRES_USER(NODE_TRES), FASRC(WAITING, "Waiting")),
	QOS(55, "QOSMaxSubmitJobPerUserLimit", MAX_SUBMIT_USER, FASRC(WAITING, "Waiting")),
	QOS(56, "QOSMinCpuNotSatisfied", MIN_TRES_JOB(CPUS)),
	QOS(116, "QOSGrpUnknown", GRP_TRES(OTHER_TRES)),
	QOS(117, "QOSGrpUnknownMinutes", GRP_TRES_MINS(OTHER_TRES)),
	QOS(118, "QOSGrpUnknownRunMinutes", GRP_TRES_RUN_MINS(OTHER_TRES)),
	QOS(119, "QOSMaxUnknownPerJob", MAX_TRES_JOB(OTHER_TRES)),
	QOS(120, "QOSMaxUnknownPerNode", MAX_TRES_NODE(OTHER_TRES)),
	QOS(121, "QOSMaxUnknownPerUser", MAX_TRES_USER(OTHER_TRES)),
	QOS(122, "QOSMaxUnknownMinutesPerJob", MAX_TRES_MINS_JOB(OTHER_TRES)),
	QOS(123, "QOSMinUnknown", MIN_TRES_JOB(OTHER_TRES)),
	QOS(124, "QOSMaxCpuPerNode", MAX_TRES_NODE(CPUS)),
	QOS(125, "QOSGrpMemoryMinutes", GRP_TRES_MINS(MEM)),
	QOS(126, "QOSGrpMemoryRunMinutes", GRP_TRES_RUN_MINS(MEM)),
	QOS(127, "QOSMaxMemoryMinutesPerJob", MAX_TRES_MINS_JOB(MEM)),
	QOS(128, "QOSMaxMemoryPerJob", MAX_TRES_JOB(MEM)),
	QOS(129, "QOSMaxMemoryPerNode", MAX_TRES_NODE(MEM)),
	QOS(130, "QOSMaxMemoryPerUser", MAX_TRES_USER(MEM)),
	QOS(131, "QOSMinMemory", MIN_TRES_JOB(MEM)),
	QOS(132, "QOSGrpEnergy", GRP_TRES(ENERGY)),
	QOS(133, "QOSGrpEnergyMinutes", GRP_TRES_MINS(ENERGY)),
	QOS(134, "QOSGrpEnergyRunMinutes", GRP_TRES_RUN_MINS(ENERGY)),
	QOS(135, "QOSMaxEnergyPerJob", MAX_TRES_JOB(ENERGY)),
	QOS(136, "QOSMaxEnergyPerNode", MAX_TRES_NODE(ENERGY)),
	QOS(137, "QOSMaxEnergyPerUser", MAX_TRES_USER(ENERGY)),
	QOS(138, "QOSMaxEnergyMinutesPerJob", MAX_TRES_MINS_JOB(ENERGY)),
	QOS(139, "QOSMinEnergy", MIN_TRES_JOB(ENERGY)),
	QOS(140, "QOSGrpNodeMinutes", GRP_TRES_MINS(NODE_TRES)),
	QOS(141, "QOSGrpNodeRunMinutes", GRP_TRES_RUN_MINS(NODE_TRES)),
	QOS(142, "QOSMaxNodeMinutesPerJob", MAX_TRES_MINS_JOB(NODE_TRES)),
	QOS(143, "QOSMinNode", MIN_TRES_JOB(NODE_TRES)),
	QOS(144, "QOSGrpGRES", GRP_TRES(GRES)),
	QOS(145, "QOSGrpGRESMinutes", GRP_TRES_MINS(GRES)),
	QOS(146, "QOSGrpGRESRunMinutes", GRP_TRES_RUN_MINS(GRES)),
	QOS(147, "QOSMaxGRESPerJob", MAX_TRES_JOB(GRES), FASRC(BLOCKED, "Waiting")),
	QOS(148, "QOSMaxGRESPerNode", MAX_TRES_NODE(GRES)),
	QOS(149, "QOSMaxGRESPerUser", MAX_TRES_USER(GRES), FASRC(WAITING, "Waiting")),
	QOS(150, "QOSMaxGRESMinutesPerJob", MAX_TRES_MINS_JOB(GRES)),
	QOS(151, "QOSMinGRES", MIN_TRES_JOB(GRES)),
	QOS(152, "QOSGrpLicense", GRP_TRES(LICENSES)),
	QOS(153, "QOSGrpLicenseMinutes", GRP_TRES_MINS(LICENSES)),
	QOS(154, "QOSGrpLicenseRunMinutes", GRP_TRES_RUN_MINS(LICENSES)),
	QOS(155, "QOSMaxLicensePerJob", MAX_TRES_JOB(LICENSES)),
	QOS(156, "QOSMaxLicensePerUser", MAX_TRES_USER(LICENSES)),
	QOS(157, "QOSMaxLicenseMinutesPerJob", MAX_TRES_MINS_JOB(LICENSES)),
	QOS(158, "QOSMinLicense", MIN_TRES_JOB(LICENSES)),
	QOS(159, "QOSGrpBB", GRP_TRES(BB)),
	QOS(160, "QOSGrpBBMinutes", GRP_TRES_MINS(BB)),
	QOS(161, "QOSGrpBBRunMinutes", GRP_TRES_RUN_MINS(BB)),
	QOS(162, "QOSMaxBBPerJob", MAX_TRES_JOB(BB)),
	QOS(163, "QOSMaxBBPerNode", MAX_TRES_NODE(BB)),
	QOS(164, "QOSMaxBBPerUser", MAX_TRES_USER(BB)),
	QOS(165, "AssocMaxBBMinutesPerJob", MAX_TRES_MINS_JOB(BB)),
	QOS(166, "QOSMinBB", MIN_TRES_JOB(BB)),
	QOS(168, "MaxBBPerAccount", MAX_TRES_ACCOUNT(BB)),
	QOS(169, "MaxCpuPerAccount", MAX_TRES_ACCOUNT(CPUS)),
	QOS(170, "MaxEnergyPerAccount", MAX_TRES_ACCOUNT(ENERGY)),
	QOS(171, "MaxGRESPerAccount", MAX_TRES_ACCOUNT(GRES)),
	QOS(172, "MaxNodePerAccount", MAX_TRES_ACCOUNT(NODE_TRES)),
	QOS(173, "MaxLicensePerAccount", MAX_TRES_ACCOUNT(LICENSES)),
	QOS(174, "MaxMemoryPerAccount", MAX_TRES_ACCOUNT(MEM)),
	QOS(175, "MaxUnknownPerAccount", MAX_TRES_ACCOUNT(OTHER_TRES)),
	QOS(176, "MaxJobsPerAccount", MAX_JOBS_ACCOUNT),
	QOS(177, "MaxSubmitJobsPerAccount", MAX_SUBMIT_ACCOUNT),
	QOS(189, "QOSGrpBilling", GRP_TRES(BILLING)),
	QOS(190, "QOSGrpBillingMinutes", GRP_TRES_MINS(BILLING)),
	QOS(191, "QOSGrpBillingRunMinutes", GRP_TRES_RUN_MINS(BILLING)),
	QOS(192, "QOSMaxBillingPerJob", MAX_TRES_JOB(BILLING)),
	QOS(193, "QOSMaxBillingPerNode", MAX_TRES_NODE(BILLING)),
	QOS(194, "QOSMaxBillingPerUser", MAX_TRES_USER(BILLING)),
	QOS(195, "QOSMaxBillingMinutesPerJob", MAX_TRES_MINS_JOB(BILLING)),
	QOS(196, "MaxBillingPerAccount", MAX_TRES_ACCOUNT(BILLING)),
	QOS(197, "QOSMinBilling", MIN_TRES_JOB(BILLING)),
	QOS(201, "MaxBBRunMinsPerAccount", RUN_MINS_ACCOUNT(BB)),
	QOS(202, "MaxBillingRunMinsPerAccount", RUN_MINS_ACCOUNT(BILLING)),
	QOS(203, "MaxCpuRunMinsPerAccount", RUN_MINS_ACCOUNT(CPUS)),
	QOS(204, "MaxEnergyRunMinsPerAccount", RUN_MINS_ACCOUNT(ENERGY)),
	QOS(205, "MaxGRESRunMinsPerAccount", RUN_MINS_ACCOUNT(GRES)),
	QOS(206, "MaxNodeRunMinsPerAccount", RUN_MINS_ACCOUNT(NODE_TRES)),
	QOS(207, "MaxLicenseRunMinsPerAccount", RUN_MINS_ACCOUNT(LICENSES)),
	QOS(208, "MaxMemoryRunMinsPerAccount", RUN_MINS_ACCOUNT(MEM)),
	QOS(209, "MaxUnknownRunMinsPerAccount", RUN_MINS_ACCOUNT(OTHER_TRES)),
	QOS(210, "MaxBBRunMinsPerUser", RUN_MINS_USER(BB)),
	QOS(211, "MaxBillingRunMinsPerUser", RUN_MINS_USER(BILLING)),
	QOS(212, "MaxCpuRunMinsPerUser", RUN_MINS_USER(CPUS)),
	QOS(213, "MaxEnergyRunMinsPerUser", RUN_MINS_USER(ENERGY)),
	QOS(214, "MaxGRESRunMinsPerUser", RUN_MINS_USER(GRES)),
	QOS(215, "MaxNodeRunMinsPerUser", RUN_MINS_USER(NODE_TRES)),
	QOS(216, "MaxLicenseRunMinsPerUser", RUN_MINS_USER(LICENSES)),
	QOS(217, "MaxMemoryRunMinsPerUser", RUN_MINS_USER(MEM)),
	QOS(218, "MaxUnknownRunMinsPerUser", RUN_MINS_USER(OTHER_TRES)),
	ASSOC(11, "AssociationJobLimit", "jobs", "", "a job limit of the association is reached",
	      "a running job under this limit ends", FASRC(BLOCKED, "Quota")),
	ASSOC(12, "AssociationResourceLimit", "resources", "", "a resource limit of the association is reached",
	      "running jobs under this limit end"),
	ASSOC(13, "AssociationTimeLimit", "time", "", "a time limit of the association is reached",
	      "past usage decays, or the limit is raised"),
	QOS(30, "QOSJobLimit", "jobs", "", "a job limit of the QOS is reached", "a running job under this limit ends",
	    FASRC(WAITING, "Waiting")),
	QOS(31, "QOSResourceLimit", "resources", "", "a resource limit of the QOS is reached",
	    "running jobs under this limit end", FASRC(WAITING, "Waiting")),
	QOS(32, "QOSTimeLimit", "time", "", "a time limit of the QOS is reached",
	    "past usage decays, or the limit is raised", FASRC(WAITING, "Waiting")),
	/* Maui (states and holds: src/moab/MConst.c: MHoldType, MJobState; FairShare: MAllocRejType) and Flux
	 * (dependencies of flux-accounting: src/plugins/mf_priority.cpp; names in flux-core:
	 * src/bindings/python/flux/job/info.py). These schedulers have no numbers for their reasons. */
	OTHER_REASON("UserHold", HELD, "held by its owner", "the owner releases the job", VERDICT(HELD, OWNER)),
	OTHER_REASON("SystemHold", HELD, "held by an administrator", "an administrator releases the job",
		     VERDICT(HELD, ADMINISTRATOR)),
	OTHER_REASON(
		"BatchHold", HELD,
		"held by an administrator (sethold -b), or by Maui because the job failed to start or can never run",
		"an administrator releases the job", VERDICT(HELD, NONE)),
	OTHER_REASON("Deferred", HELD, "deferred: Maui could not start it, or its request cannot be met now",
		     "DEFERTIME passes", VERDICT(HELD, SCHEDULER)),
	OTHER_REASON("FairShare", ACCESS, "the job would raise the usage of a credential above its fair-share cap",
		     "past usage decays, or the job asks for less"),
	OTHER_REASON("NegativePriority", ACCESS,
		     "the job's priority is negative, and REJECTNEGPRIOJOBS blocks such jobs", "the priority rises"),
	LIMIT("Limit", "MAXJOB, MAXPROC, MAXNODE or MAXPS", "jobs, processors, nodes or processor seconds",
	      "the job would exceed a limit of one of its credentials", "jobs under this limit end"),
	OTHER_REASON("Blocked", OTHER, "a policy or limit blocks the job; the snapshot does not show which",
		     "the policy or limit no longer blocks the job"),
	OTHER_REASON("held", HELD, "the job's urgency is 0", "the urgency is raised", VERDICT(HELD, OWNER)),
	OTHER_REASON("priority-hold", HELD, "the job's priority is 0, and Flux does not try such jobs",
		     "the priority or the urgency rises", VERDICT(HELD, SCHEDULER)),
	OTHER_REASON("priority-wait", TRANSIENT, "the job's priority is not known yet",
		     "the priority plugin receives the user's data", VERDICT(HELD, SCHEDULER)),
	OTHER_REASON("queue-stopped", PARTITION, "the queue is stopped and starts no jobs",
		     "an administrator starts the queue"),
	OTHER_REASON("dependency", REQUEST, "the job's dependency is not satisfied yet", "the dependency is satisfied"),
	LIMIT("max-running-jobs-user-limit", "max_running_jobs", "jobs",
	      "the limit on running jobs of the user in the bank is reached", "a running job under this limit ends"),
	LIMIT("max-resources-user-limit", "max_nodes, max_cores", "nodes or cores",
	      "the job would raise the nodes or cores of the user's running jobs in the bank above the limit",
	      "running jobs under this limit end"),
	LIMIT("max-sched-jobs-user-limit", "max_sched_jobs", "jobs",
	      "the limit on SCHED jobs of the user in the bank is reached", "a SCHED job under this limit starts"),
	OTHER_REASON("max-run-jobs-queue", PARTITION,
		     "the queue's limit on running jobs of the user and bank is reached",
		     "a running job under this limit ends"),
	OTHER_REASON("max-resources-queue", PARTITION,
		     "the job would raise the nodes of running jobs of the user and bank above the queue's limit",
		     "running jobs under this limit end"),
	OTHER_REASON("max-sched-jobs-queue-limit", PARTITION,
		     "the queue's limit on SCHED jobs of the user and bank is reached",
		     "a SCHED job under this limit starts"),
	OTHER_REASON("max-sched-nodes-queue-limit", PARTITION,
		     "the job would raise the nodes of SCHED jobs of the user and bank above the queue's limit",
		     "SCHED jobs under this limit start"),
	OTHER_REASON("max-sched-cores-queue-limit", PARTITION,
		     "the job would raise the cores of SCHED jobs of the user and bank above the queue's limit",
		     "SCHED jobs under this limit start"),
	OTHER_REASON("eligible", ELIGIBLE, "the job waits for jobs ahead or for nodes in use",
		     "jobs ahead start, or nodes become free"),
};
enum { REASON_COUNT = sizeof(reasons) / sizeof(*reasons) };

/* Returns true if the text begins with the words in `with`. A blank in the words also matches an underscore in the
 * text. */
static bool begins_with_words(const char *text, const char *with)
{
	for (; *with; text++, with++)
		if (*text != *with && !(*text == '_' && *with == ' '))
			return false;
	return true;
}

/* Returns true if the first `len` bytes of `s` are the name. An underscore in `s` also matches a blank in the name. */
static bool is_reason_name(const char *s, size_t len, const char *name)
{
	for (size_t i = 0; i < len; i++)
		if (name[i] != s[i] && !(name[i] == ' ' && s[i] == '_'))
			return false;
	return !name[len];
}

const struct fs_reason *fs_reason_at(size_t i)
{
	return i < REASON_COUNT ? &reasons[i].shown : NULL;
}

uint16_t fsi_reason_to_number(const struct fs_reason *r)
{
	return r ? (uint16_t)(fsi_reason_row(r) - reasons + 1) : 0;
}

/* Returns true if the text begins with one of the other texts of the reason. */
static bool has_other_text(const struct fsi_reason *r, const char *text)
{
	for (size_t i = 0; i < FSI_REASON_TEXTS && r->texts[i]; i++)
		if (begins_with_words(text, r->texts[i]))
			return true;
	return false;
}

const struct fs_reason *fs_reason_find(const char *text)
{
	const size_t len = strcspn(text, ",(");

	if (!*text)
		return &reasons[0].shown;
	for (size_t i = 0; i < REASON_COUNT; i++)
		if (reasons[i].shown.name[0] == *text && is_reason_name(text, len, reasons[i].shown.name))
			return &reasons[i].shown;
	for (size_t i = 0; i < REASON_COUNT; i++)
		if (has_other_text(&reasons[i], text))
			return &reasons[i].shown;
	return NULL;
}

enum fs_verdict_kind fsi_reason_verdict(const struct fs_reason *r)
{
	return r ? fsi_reason_row(r)->kind : FS_VERDICT_NONE;
}

bool fsi_reason_names_nodes(const struct fs_reason *r, const char *text)
{
	return r && (r->section == FS_SECTION_NODES || begins_with_words(text, "Nodes required for job are DOWN"));
}

bool fsi_reason_names_reservation(const char *text)
{
	const char *detail = strchr(text, ',');

	return detail && (begins_with_words(detail, ", Reserved for") || begins_with_words(detail, ",Reserved for"));
}

const char *fs_section_name(enum fs_section section)
{
	static const char *const names[] = { FS_SECTIONS(FSI_NAME) };

	return names[section];
}

bool fsi_reason_means_requeue(const char *text)
{
	return begins_with_words(text, "job requeued in held state") ||
	       begins_with_words(text, "job requeued in special exit state");
}

/* Returns true if slurmctld sets the reason only after the begin time of the job has passed
 * (src/slurmctld/job_scheduler.c: job_independent). */
static bool is_reason_after_begin(const struct fs_reason *r)
{
	switch (r->section) {
	case FS_SECTION_ELIGIBLE:
		return r != &reasons[0].shown;
	case FS_SECTION_PARTITION:
	case FS_SECTION_NODES:
	case FS_SECTION_RESOURCES:
	case FS_SECTION_ASSOC_LIMIT:
	case FS_SECTION_QOS_LIMIT:
		return true;
	case FS_SECTION_ACCESS:
		return r->eligible || fsi_reason_row(r)->refusal;
	default:
		return false;
	}
}

bool fsi_slurm_job_may_begin(const fs_snapshot *m, const struct fsi_job *job, int64_t now)
{
	/* first words of such reasons, for texts that name no known reason or that were cut */
	static const char *const first[] = {
		"QOS",   "Assoc",       "Max",          "Partition",    "Job's account", "Job's QOS", "Required",
		"Nodes", "No_suitable", "No_available", "Insufficient", "Weight-based",  "Exceeded",
	};
	const char *text = FSI_HAS(job, JOB, reason) ? fsi_name_text(m, job->reason) : "";
	const struct fs_reason *r = fs_reason_find(text);

	if (FSI_HAS(job, JOB, eligible_time))
		return job->eligible_time <= now;
	if (r)
		return is_reason_after_begin(r);
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		if (!strncmp(text, first[i], strlen(first[i])))
			return true;
	return false;
}

/* ---- the section of the queue that a job is in */

static enum fs_section get_pending_section(const fs_snapshot *m, const struct fsi_job *j, const struct fs_reason *r)
{
	if (r && r->section != FS_SECTION_ELIGIBLE)
		return r->section;
	if (FSI_HAS(j, JOB, priority) && !j->priority)
		return FS_SECTION_HELD;
	if (FSI_HAS(j, JOB, eligible_time) && j->eligible_time > m->info.time)
		return FS_SECTION_REQUEST;
	return r ? r->section : FS_SECTION_OTHER;
}

enum fs_section fsi_job_get_section(const fs_snapshot *m, const struct fsi_job *j, const struct fs_reason *reason)
{
	switch ((enum fsi_job_state)j->state) {
	case FSI_STATE_PENDING:
	case FSI_STATE_REQUEUED:
		return get_pending_section(m, j, reason);
	case FSI_STATE_REQUEUE_HOLD:
	case FSI_STATE_SPECIAL_EXIT:
		return FS_SECTION_HELD;
	case FSI_STATE_RUNNING:
	case FSI_STATE_CONFIGURING:
	case FSI_STATE_RESIZING:
	case FSI_STATE_SIGNALING:
	case FSI_STATE_STAGE_OUT:
		return FS_SECTION_RUNNING;
	case FSI_STATE_COMPLETING:
		return FS_SECTION_COMPLETING;
	case FSI_STATE_SUSPENDED:
	case FSI_STATE_STOPPED:
		return FS_SECTION_SUSPENDED;
	case FSI_STATE_UNKNOWN:
		return FS_SECTION_OTHER;
	default:
		return FS_SECTION_ENDED;
	}
}

enum fs_section fs_job_section(const fs_snapshot *m, size_t i, const struct fs_reason **reason)
{
	*reason = i < m->job.n ? fs_reason_find(fsi_name_text(m, m->job.v[i].reason)) : NULL;
	return i < m->job.n ? fsi_job_get_section(m, &m->job.v[i], *reason) : FS_SECTION_OTHER;
}

bool fs_job_is_running(const fs_snapshot *m, size_t i)
{
	return i < m->job.n && fsi_job_get_section(m, &m->job.v[i], NULL) == FS_SECTION_RUNNING;
}
