/* Pending reasons that are limits of an association or a QOS (src/common/job_state_reason.c); what each
 * checks: src/slurmctld/acct_policy.c. */
#include "queue/reasons.h"

#define CPUS "CPUs"
#define MEM "memory"
#define ENERGY "energy"
#define NODES "nodes"
#define GRES "GRES (GPUs)"
#define LICENSES "licenses"
#define BB "burst buffer"
#define BILLING "billing units"
#define OTHER "a TRES without a reason of its own"

/* limit, resource, meaning, what clears it */
#define GRP_TRES(r) "GrpTRES", r, r " in use would pass the limit with this job", \
	"running jobs that count in it end"
#define GRP_TRES_MINS(r) "GrpTRESMins", r, r " times minutes used so far have reached the limit", \
	"past usage decays or is reset, or the limit is raised"
#define GRP_TRES_RUN_MINS(r) "GrpTRESRunMins", r, \
	r " times minutes promised to running jobs would pass the limit with this job", \
	"running jobs that count in it get on or end, or this job asks for less time"
#define GRP_JOBS "GrpJobs", "", "the limit on jobs that run at the same time is reached", \
	"a running job that counts in it ends"
#define GRP_SUBMIT "GrpSubmitJobs", "", "the limit on jobs in the queue, running or waiting, is reached", \
	"a job that counts in it ends or is cancelled"
#define GRP_WALL "GrpWall", "", "the wall-clock time that the limit allows in all is used up", \
	"past usage decays or is reset, or the limit is raised"
#define MAX_JOBS "MaxJobs", "", "the limit on jobs of the user in the account that run at the same time is reached", \
	"one of these running jobs ends"
#define MAX_SUBMIT "MaxSubmitJobs", "", \
	"the limit on jobs of the user in the account in the queue, running or waiting, is reached", \
	"one of these jobs ends or is cancelled"
#define MAX_WALL "MaxWall", "", "the job asks for more time than one job may", \
	"the job asks for less time, or the limit is raised"
#define MAX_TRES_JOB(r) "MaxTRESPerJob", r, "the job asks for more " r " than one job may", \
	"the job asks for less"
#define MAX_TRES_NODE(r) "MaxTRESPerNode", r, "the job asks for more " r " on a node than one job may", \
	"the job asks for less, or spreads out"
#define MAX_TRES_MINS_JOB(r) "MaxTRESMinsPerJob", r, \
	r " times the time limit is more than one job may", "the job asks for less, or for less time"
#define MIN_TRES_JOB(r) "MinTRESPerJob", r, "the job asks for fewer " r " than a job must", \
	"the job asks for more, or goes to another QOS"
#define MAX_TRES_USER(r) "MaxTRESPU", r, r " in use by the user in the QOS would pass the limit with this job", \
	"one of the user's running jobs ends"
#define MAX_JOBS_USER "MaxJobsPU", "", "the limit on jobs of one user that run in the QOS at the same time is reached", \
	"one of the user's running jobs ends"
#define MAX_SUBMIT_USER "MaxSubmitJobsPU", "", "the limit on jobs of one user in the queue with the QOS is reached", \
	"one of the user's jobs ends or is cancelled"
#define MAX_TRES_ACCOUNT(r) "MaxTRESPA", r, r " in use by the account in the QOS would pass the limit with this job", \
	"one of the account's running jobs ends"
#define MAX_JOBS_ACCOUNT "MaxJobsPA", "", "the limit on jobs of one account that run in the QOS at the same time is reached", \
	"one of the account's running jobs ends"
#define MAX_SUBMIT_ACCOUNT "MaxSubmitJobsPA", "", \
	"the limit on jobs of one account in the queue with the QOS is reached", \
	"one of the account's jobs ends or is cancelled"
#define RUN_MINS_USER(r) "MaxTRESRunMinsPU", r, \
	r " times minutes promised to the user's running jobs in the QOS would pass the limit with this job", \
	"the user's running jobs get on or end"
#define RUN_MINS_ACCOUNT(r) "MaxTRESRunMinsPA", r, \
	r " times minutes promised to the account's running jobs in the QOS would pass the limit with this job", \
	"the account's running jobs get on or end"

/* An extra step, so that what stands for several arguments becomes them first. */
#define ROW(number, name, section, ...) ROW_(number, name, section, __VA_ARGS__)
#define ROW_(number, name, section, limit, resource, meaning, clears) \
	{ name, FS_SECTION_##section, number, limit, resource, meaning, clears, true }
#define ASSOC(number, name, ...) ROW(number, name, ASSOC_LIMIT, __VA_ARGS__)
#define QOS(number, name, ...) ROW(number, name, QOS_LIMIT, __VA_ARGS__)

const struct fs_reason fsi_limit_reasons[] = {
	ASSOC(57, "AssocGrpCpuLimit", GRP_TRES(CPUS)),
	ASSOC(58, "AssocGrpCPUMinutesLimit", GRP_TRES_MINS(CPUS)),
	ASSOC(59, "AssocGrpCPURunMinutesLimit", GRP_TRES_RUN_MINS(CPUS)),
	ASSOC(60, "AssocGrpJobsLimit", GRP_JOBS),
	ASSOC(61, "AssocGrpMemLimit", GRP_TRES(MEM)),
	ASSOC(62, "AssocGrpNodeLimit", GRP_TRES(NODES)),
	ASSOC(63, "AssocGrpSubmitJobsLimit", GRP_SUBMIT),
	ASSOC(64, "AssocGrpWallLimit", GRP_WALL),
	ASSOC(65, "AssocMaxJobsLimit", MAX_JOBS),
	ASSOC(66, "AssocMaxCpuPerJobLimit", MAX_TRES_JOB(CPUS)),
	ASSOC(67, "AssocMaxCpuMinutesPerJobLimit", MAX_TRES_MINS_JOB(CPUS)),
	ASSOC(68, "AssocMaxNodePerJobLimit", MAX_TRES_JOB(NODES)),
	ASSOC(69, "AssocMaxWallDurationPerJobLimit", MAX_WALL),
	ASSOC(70, "AssocMaxSubmitJobLimit", MAX_SUBMIT),
	ASSOC(78, "AssocGrpUnknown", GRP_TRES(OTHER)),
	ASSOC(79, "AssocGrpUnknownMinutes", GRP_TRES_MINS(OTHER)),
	ASSOC(80, "AssocGrpUnknownRunMinutes", GRP_TRES_RUN_MINS(OTHER)),
	ASSOC(81, "AssocMaxUnknownPerJob", MAX_TRES_JOB(OTHER)),
	ASSOC(82, "AssocMaxUnknownPerNode", MAX_TRES_NODE(OTHER)),
	ASSOC(83, "AssocMaxUnknownMinutesPerJob", MAX_TRES_MINS_JOB(OTHER)),
	ASSOC(84, "AssocMaxCpuPerNode", MAX_TRES_NODE(CPUS)),
	ASSOC(85, "AssocGrpMemMinutes", GRP_TRES_MINS(MEM)),
	ASSOC(86, "AssocGrpMemRunMinutes", GRP_TRES_RUN_MINS(MEM)),
	ASSOC(87, "AssocMaxMemPerJob", MAX_TRES_JOB(MEM)),
	ASSOC(88, "AssocMaxMemPerNode", MAX_TRES_NODE(MEM)),
	ASSOC(89, "AssocMaxMemMinutesPerJob", MAX_TRES_MINS_JOB(MEM)),
	ASSOC(90, "AssocGrpNodeMinutes", GRP_TRES_MINS(NODES)),
	ASSOC(91, "AssocGrpNodeRunMinutes", GRP_TRES_RUN_MINS(NODES)),
	ASSOC(92, "AssocMaxNodeMinutesPerJob", MAX_TRES_MINS_JOB(NODES)),
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
	QOS(45, "QOSGrpNodeLimit", GRP_TRES(NODES)),
	QOS(46, "QOSGrpSubmitJobsLimit", GRP_SUBMIT),
	QOS(47, "QOSGrpWallLimit", GRP_WALL),
	QOS(48, "QOSMaxCpuPerJobLimit", MAX_TRES_JOB(CPUS)),
	QOS(49, "QOSMaxCpuMinutesPerJobLimit", MAX_TRES_MINS_JOB(CPUS)),
	QOS(50, "QOSMaxNodePerJobLimit", MAX_TRES_JOB(NODES)),
	QOS(51, "QOSMaxWallDurationPerJobLimit", MAX_WALL),
	QOS(52, "QOSMaxCpuPerUserLimit", MAX_TRES_USER(CPUS)),
	QOS(53, "QOSMaxJobsPerUserLimit", MAX_JOBS_USER),
	QOS(54, "QOSMaxNodePerUserLimit", MAX_TRES_USER(NODES)),
	QOS(55, "QOSMaxSubmitJobPerUserLimit", MAX_SUBMIT_USER),
	QOS(56, "QOSMinCpuNotSatisfied", MIN_TRES_JOB(CPUS)),
	QOS(116, "QOSGrpUnknown", GRP_TRES(OTHER)),
	QOS(117, "QOSGrpUnknownMinutes", GRP_TRES_MINS(OTHER)),
	QOS(118, "QOSGrpUnknownRunMinutes", GRP_TRES_RUN_MINS(OTHER)),
	QOS(119, "QOSMaxUnknownPerJob", MAX_TRES_JOB(OTHER)),
	QOS(120, "QOSMaxUnknownPerNode", MAX_TRES_NODE(OTHER)),
	QOS(121, "QOSMaxUnknownPerUser", MAX_TRES_USER(OTHER)),
	QOS(122, "QOSMaxUnknownMinutesPerJob", MAX_TRES_MINS_JOB(OTHER)),
	QOS(123, "QOSMinUnknown", MIN_TRES_JOB(OTHER)),
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
	QOS(140, "QOSGrpNodeMinutes", GRP_TRES_MINS(NODES)),
	QOS(141, "QOSGrpNodeRunMinutes", GRP_TRES_RUN_MINS(NODES)),
	QOS(142, "QOSMaxNodeMinutesPerJob", MAX_TRES_MINS_JOB(NODES)),
	QOS(143, "QOSMinNode", MIN_TRES_JOB(NODES)),
	QOS(144, "QOSGrpGRES", GRP_TRES(GRES)),
	QOS(145, "QOSGrpGRESMinutes", GRP_TRES_MINS(GRES)),
	QOS(146, "QOSGrpGRESRunMinutes", GRP_TRES_RUN_MINS(GRES)),
	QOS(147, "QOSMaxGRESPerJob", MAX_TRES_JOB(GRES)),
	QOS(148, "QOSMaxGRESPerNode", MAX_TRES_NODE(GRES)),
	QOS(149, "QOSMaxGRESPerUser", MAX_TRES_USER(GRES)),
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
	QOS(172, "MaxNodePerAccount", MAX_TRES_ACCOUNT(NODES)),
	QOS(173, "MaxLicensePerAccount", MAX_TRES_ACCOUNT(LICENSES)),
	QOS(174, "MaxMemoryPerAccount", MAX_TRES_ACCOUNT(MEM)),
	QOS(175, "MaxUnknownPerAccount", MAX_TRES_ACCOUNT(OTHER)),
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
	QOS(206, "MaxNodeRunMinsPerAccount", RUN_MINS_ACCOUNT(NODES)),
	QOS(207, "MaxLicenseRunMinsPerAccount", RUN_MINS_ACCOUNT(LICENSES)),
	QOS(208, "MaxMemoryRunMinsPerAccount", RUN_MINS_ACCOUNT(MEM)),
	QOS(209, "MaxUnknownRunMinsPerAccount", RUN_MINS_ACCOUNT(OTHER)),
	QOS(210, "MaxBBRunMinsPerUser", RUN_MINS_USER(BB)),
	QOS(211, "MaxBillingRunMinsPerUser", RUN_MINS_USER(BILLING)),
	QOS(212, "MaxCpuRunMinsPerUser", RUN_MINS_USER(CPUS)),
	QOS(213, "MaxEnergyRunMinsPerUser", RUN_MINS_USER(ENERGY)),
	QOS(214, "MaxGRESRunMinsPerUser", RUN_MINS_USER(GRES)),
	QOS(215, "MaxNodeRunMinsPerUser", RUN_MINS_USER(NODES)),
	QOS(216, "MaxLicenseRunMinsPerUser", RUN_MINS_USER(LICENSES)),
	QOS(217, "MaxMemoryRunMinsPerUser", RUN_MINS_USER(MEM)),
	QOS(218, "MaxUnknownRunMinsPerUser", RUN_MINS_USER(OTHER)),
	ASSOC(11, "AssociationJobLimit", "jobs", "", "a limit on its jobs is reached",
	      "a running job that counts in it ends"),
	ASSOC(12, "AssociationResourceLimit", "resources", "",
	      "a limit on its resources is reached", "running jobs that count in it end"),
	ASSOC(13, "AssociationTimeLimit", "time", "", "a limit on its time is reached",
	      "past usage decays, or the limit is raised"),
	QOS(30, "QOSJobLimit", "jobs", "", "a limit on its jobs is reached",
	    "a running job that counts in it ends"),
	QOS(31, "QOSResourceLimit", "resources", "", "a limit on its resources is reached",
	    "running jobs that count in it end"),
	QOS(32, "QOSTimeLimit", "time", "", "a limit on its time is reached",
	    "past usage decays, or the limit is raised"),
};

const size_t fsi_limit_reason_count = sizeof(fsi_limit_reasons) / sizeof(*fsi_limit_reasons);
