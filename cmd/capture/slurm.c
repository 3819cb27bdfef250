/* The files of a capture of Slurm, the commands asked for them. */
#include "capture/steps.h"

#define ASSOC(version_fields, rest)                                                                \
	"format=Cluster,Account,User,Partition,ID,ParentName," version_fields                      \
	",Fairshare,Priority,GrpJobs,GrpJobsAccrue,GrpSubmitJobs,GrpTRES,GrpTRESMins,"             \
	"GrpTRESRunMins,GrpWall,MaxJobs,MaxJobsAccrue,MaxSubmitJobs,MaxTRES,MaxTRESPerNode,"       \
	"MaxTRESMins,MaxWall,QOS,QosRaw,DefaultQOS" rest

static const char assoc_new[] = ASSOC("Lineage", ",Flags,Comment");
static const char assoc_old[] = ASSOC("ParentID,LFT,RGT", "");

static const char qos[] =
	"format=Name,ID,Priority,GraceTime,Preempt,PreemptMode,PreemptExemptTime,Flags,UsageThres,"
	"UsageFactor,LimitFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpJobsAccrue,"
	"GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,MaxJobsPU,"
	"MaxJobsAccruePU,MaxSubmitPU,MaxTRESPA,MaxJobsPA,MaxJobsAccruePA,MaxSubmitPA,MinTRES,"
	"MaxTRESRunMinsPU,MaxTRESRunMinsPA,"
	"MinPrioThreshold,Description";

static const char squeue[] =
	"JobID:20,JobArrayID:24,ArrayTaskID:20,Name:24,UserName:32,UserID:10,GroupName:12,"
	"Account:36,Partition:30,QOS:24,State:14,StateCompact:4,Reason:32,PriorityLong:14,"
	"Priority:18,Nice:14,NumCPUs:10,NumNodes:8,MaxNodes:8,NumTasks:8,MinCPUs:8,cpus-per-task:14,"
	"MinMemory:14,tres:60,tres-alloc:60,TimeLimit:16,TimeUsed:14,TimeLeft:14,SubmitTime:22,"
	"EligibleTime:22,AccrueTime:22,StartTime:22,EndTime:22,PendingTime:14,LastSchedEval:22,"
	"PreemptTime:22,Dependency:30,Reservation:20,Feature:16,NodeList:20,ReqNodes:16,"
	"SchedNodes:16,OverSubscribe:16,AssocID:10,RestartCnt:10,Command:20,WorkDir:12,"
	"Comment:20,admin_comment:24";

static const char sacct[] = "JobIDRaw,User,Account,AssocID,Partition,QOS,State,Start,End,AllocTRES,Submit,Eligible";

static const char sprio_new[] =
	"%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t";
static const char sprio_old[] = "%i|%r|%u|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t";

/* The configuration first: its version decides the forms. Then the accounting database, slow and
 * seldom changed, and before usage: an association made in between then only counts into its
 * parent, while one listed without usage would leave all usage unknown. Then what must be of one
 * calculation: usage and shares at the same time, then jobs, priorities and the machine. The clock is that
 * of the jobs, or those just submitted would not be eligible yet. */
const struct capture_step capture_slurm_steps[] = {
	{ .file = "scontrol_config.txt",
	  .kind = CAPTURE_CONFIG,
	  .of = OF_SHARES | OF_PRIORITIES,
	  .argv = { { "scontrol", "show", "config" } } },
	{ .file = "sacctmgr_tres.txt", .argv = { { "sacctmgr", "-P", "show", "tres" } } },
	{ .file = "sacctmgr_qos_all.txt",
	  .with_last = true,
	  .argv = { { "sacctmgr", "-P", "show", "qos", qos },
		    { "sacctmgr", "-P", "show", "qos" } } },
	{ .file = "sacctmgr_user.txt",
	  .with_last = true,
	  .argv = { { "sacctmgr", "-P", "show", "user", "withcoord" } } },
	{ .file = "sacctmgr_assoc.txt",
	  .with_last = true,
	  .since = FS_SLURM_LINEAGE,
	  .argv = { { "sacctmgr", "-P", "show", "assoc", assoc_new },
		    { "sacctmgr", "-P", "show", "assoc", assoc_old } } },
	{ .file = "scontrol_assoc_mgr_o.txt",
	  .of = OF_SHARES,
	  .argv = { { "scontrol", "-o", "show", "assoc_mgr" } } },
	{ .file = "sshare.txt",
	  .of = OF_SHARES,
	  .with_last = true, .argv = { { "sshare", "-a", "-l", "-P" } } },
	{ .file = "sshare_a.json",
	  .of = OF_SHARES,
	  .with_last = true, /* the same numbers in full precision */
	  .from = FS_SLURM_SSHARE_JSON,
	  .argv = { { "sshare", "-a", "--json" } } },
	{ .file = "date_begin", .kind = CAPTURE_CLOCK, .of = OF_SHARES | OF_PRIORITIES },
	{ .file = "scontrol_job_o.txt",
	  .of_jobs = true, .argv = { { "scontrol", "-o", "show", "job" } } },
	{ .file = "sprio.txt",
	  .of_jobs = true,
	  .of = OF_PRIORITIES,
	  .with_last = true,
	  .since = FS_SLURM_SPRIO_NAMES,
	  .argv = { { "sprio", "-h", "-o", sprio_new }, { "sprio", "-h", "-o", sprio_old } } },
	{ .file = "squeue_O.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "squeue", "-a", "-O", squeue } } },
	{ .file = "scontrol_job_d.txt",
	  .of_jobs = true,
	  .with_last = true, /* the CPUs on each node, and the SLUID, which stand nowhere else */
	  .argv = { { "scontrol", "-d", "show", "job" } } },
	{ .file = "scontrol_partition_o.txt",
	  .of_jobs = true,
	  .with_last = true,
	  .argv = { { "scontrol", "-o", "show", "partition" } } },
	{ .file = "scontrol_node_o.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "scontrol", "-o", "show", "node" } } },
	{ .file = "scontrol_topology.txt",
	  .with_last = true, .argv = { { "scontrol", "show", "topology" } } },
	{ .file = "scontrol_reservation.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "scontrol", "show", "reservation" } } },
	{ .file = "sacct.txt",
	  .with_last = true,
	  .kind = CAPTURE_RECORDS,
	  .argv = { { "sacct", "-a", "-D", "-X", "-P", "-S", CAPTURE_SINCE, "-o", sacct } } },
	{ .file = "sdiag.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "sdiag" } } },
	{ .file = "slurm.conf", .kind = CAPTURE_FLAGS, .of = OF_SHARES | OF_PRIORITIES },
	{ .file = "caller", .kind = CAPTURE_CALLER, .of = OF_SHARES | OF_PRIORITIES },
	{ .file = "zone", .kind = CAPTURE_ZONE, .of = OF_SHARES | OF_PRIORITIES },
};
const size_t capture_slurm_steps_count = sizeof(capture_slurm_steps) / sizeof(*capture_slurm_steps);
