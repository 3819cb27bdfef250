/* Every reason a pending job can show (src/common/job_state_reason.c; the numbers are those of slurm.h in 26.11),
 * sorted into sections, with its meaning and what clears it. A reason is known by its text: numbers move
 * between versions. */
#include "queue/reasons.h"

#include "base/names.h"

#include <string.h>

#define REASON(number, name, section, eligible, meaning, clears)                                    \
	{ name, FS_SECTION_##section, number, "", "", meaning, clears, eligible }

static const struct fs_reason reasons[] = {
	REASON(0, "None", ELIGIBLE, true, "no reason is recorded yet",
	       "the next scheduling pass looks at it"),
	REASON(1, "Priority", ELIGIBLE, true,
	       "a job ahead of it still waited when the scheduler last looked",
	       "the jobs ahead of it start, or it fits in beside them (backfill)"),
	REASON(3, "Resources", ELIGIBLE, true,
	       "it was tried, and what it asks for is busy, down or kept for higher tiers",
	       "running jobs end, nodes return, or it asks for less"),
	REASON(2, "Dependency", REQUEST, false,
	       "the jobs it depends on have not started or ended as its dependency asks",
	       "those jobs start or end as its dependency asks"),
	REASON(9, "BeginTime", REQUEST, false, "its begin time is still to come",
	       "its begin time comes, or an earlier one is set (scontrol update StartTime)"),
	REASON(39, "DependencyNeverSatisfied", REQUEST, false,
	       "what it depends on can never happen any more",
	       "the dependency is changed, or the job cancelled"),
	REASON(72, "JobArrayTaskLimit", REQUEST, false,
	       "as many tasks of its array run as the array allows at a time (%)",
	       "a task of the array ends, or the array's own limit is raised"),
	REASON(8, "JobHeldAdmin", HELD, false, "held by an operator or by the system",
	       "an operator releases it"),
	REASON(16, "JobHeldUser", HELD, false, "held by its owner", "its owner releases it"),
	REASON(21, "BadConstraints", HELD, false,
	       "no node that the scheduler may use is as it asks for; it was held",
	       "the request is changed, or the job released once nodes that fit it exist and are up"),
	REASON(71, "JobHoldMaxRequeue", HELD, false, "its start failed; it was held",
	       "the cause is mended and the job released"),
	REASON(4, "PartitionNodeLimit", PARTITION, false,
	       "it asks for fewer nodes than the partition allows, or for more than it allows or can give now",
	       "the request or the partition is changed, or nodes that are down or drained return"),
	REASON(5, "PartitionTimeLimit", PARTITION, false,
	       "it asks for more time than the partition allows",
	       "it asks for less time or goes to another partition"),
	REASON(6, "PartitionDown", PARTITION, false,
	       "its partition is down: it takes jobs, but starts none",
	       "an administrator brings the partition up"),
	REASON(7, "PartitionInactive", PARTITION, false, "its partition is inactive",
	       "an administrator brings the partition up"),
	REASON(178, "PartitionConfig", PARTITION, false,
	       "the partition does not admit it (group, account, QOS, node it was sent from)",
	       "the request or the partition's rules are changed"),
	REASON(182, "MaxMemPerLimit", PARTITION, false,
	       "it asks for more memory than the partition allows", "it asks for less memory"),
	REASON(14, "Reservation", RESERVATION, false,
	       "its reservation has not begun, or cannot be used now", "the reservation begins"),
	REASON(198, "ReservationDeleted", RESERVATION, false,
	       "its reservation was deleted; it was held",
	       "it is given another reservation or none, and released"),
	REASON(199, "ReservationInvalid", RESERVATION, false,
	       "its reservation is not valid; it was held",
	       "it is given another reservation or none, and released"),
	REASON(15, "ReqNodeNotAvail", NODES, true,
	       "nodes it needs are down, drained or reserved, perhaps by maintenance its time limit would cross",
	       "the nodes return, the reservation ends, or it asks for less time"),
	REASON(17, "NvidiaImexChannels", NODES, true, "no NVIDIA IMEX channel is free",
	       "other jobs free one"),
	REASON(200, "Constraints", NODES, true, "no node has the features it asks for now",
	       "nodes' features change"),
	REASON(219, "MaxPoweredUpNodes", NODES, true, "no more nodes may be powered up",
	       "nodes power down"),
	REASON(220, "MpiPortsBusy", NODES, true, "the reserved MPI ports of its nodes are in use",
	       "steps on those nodes end"),
	REASON(10, "Licenses", RESOURCES, true, "not enough licenses are free",
	       "licenses become free"),
	REASON(73, "BurstBufferResources", RESOURCES, true, "not enough burst buffer is free",
	       "space becomes free"),
	REASON(74, "BurstBufferStageIn", RESOURCES, true, "its data is being staged in",
	       "staging ends"),
	REASON(75, "BurstBufferOperation", HELD, false,
	       "a burst buffer operation failed; it was held",
	       "the cause is mended and the job released"),
	REASON(27, "InvalidAccount", ACCESS, false, "its account is no longer valid",
	       "the association is restored, or the job moved"),
	REASON(28, "InvalidQOS", ACCESS, false, "its QOS is no longer valid for its association",
	       "the QOS is allowed again, or the job changed"),
	REASON(29, "QOSUsageThreshold", ACCESS, true,
	       "its fair-share factor is below what its QOS asks for",
	       "others use more for their shares than its user does, or it goes to another QOS"),
	REASON(37, "QOSNotAllowed", ACCESS, false, "its QOS is not allowed here",
	       "it goes to a QOS that is"),
	REASON(38, "AccountNotAllowed", ACCESS, false, "its account is not allowed here",
	       "it is charged to an account that is"),
	REASON(179, "AccountingPolicy", ACCESS, false, "refused by an accounting policy",
	       "that depends on the policy"),
	REASON(18, "SchedDefer", TRANSIENT, true, "it was not tried when it was submitted",
	       "the next pass"),
	REASON(35, "Cleaning", TRANSIENT, false, "an earlier run of it is still being cleaned up",
	       "that ends"),
	REASON(36, "Prolog", TRANSIENT, false, "its prolog is still running", "that ends"),
	REASON(180, "FedJobLock", TRANSIENT, true, "the cluster it came from did not give its lock",
	       "the next try"),
	REASON(20, "NodeDown", ENDED, true, "a node it ran on failed",
	       "the next scheduling pass looks at it"),
	REASON(22, "SystemFailure", ENDED, true, "the system failed it",
	       "the next scheduling pass looks at it"),
	REASON(23, "JobLaunchFailure", ENDED, true, "its start failed",
	       "the next scheduling pass looks at it"),
	REASON(24, "NonZeroExitCode", ENDED, true, "it ended with an exit code",
	       "nothing: it has ended"),
	REASON(25, "TimeLimit", ENDED, true, "it reached its time limit", "nothing: it has ended"),
	REASON(26, "InactiveLimit", ENDED, true, "it was idle for too long",
	       "nothing: it has ended"),
	REASON(33, "RaisedSignal", ENDED, true, "a signal ended it", "nothing: it has ended"),
	REASON(167, "DeadLine", ENDED, false, "its deadline can no longer be met",
	       "nothing: it has ended"),
	REASON(181, "OutOfMemory", ENDED, true, "it ran out of memory", "nothing: it has ended"),
};
enum { REASONS = sizeof(reasons) / sizeof(*reasons) };

/* Texts that the controller puts in place of the reason's own, and spellings of older versions. */
static const struct {
	const char *begins, *name;
} aliases[] = {
	{ "Nodes required for job are DOWN", "Resources" },
	{ "Required node not available", "ReqNodeNotAvail" },
	{ "launch failed requeued held", "JobHoldMaxRequeue" },
	{ "user env retrieval failed requeued held", "JobHoldMaxRequeue" },
	{ "job requeued in held state", "JobHeldUser" },
	{ "job requeued in special exit state", "JobHeldUser" },
	{ "Job's account not permitted to use this partition", "AccountNotAllowed" },
	{ "Job's QOS not permitted to use this partition", "QOSNotAllowed" },
	{ "QOS not permitted to use this partition", "QOSNotAllowed" },
	{ "Partition node limit", "PartitionNodeLimit" },
	{ "Partition time limit", "PartitionTimeLimit" },
};

static bool begins(const char *text, const char *with)
{
	for (; *with; text++, with++)
		if (*text != *with && !(*text == '_' && *with == ' '))
			return false;
	return true;
}

static const struct fs_reason *by_name(const char *s, size_t len)
{
	const struct fs_reason *r;

	for (size_t i = 0; (r = fs_reason_at(i)); i++)
		if (r->name[0] == *s && !strncmp(r->name, s, len) && !r->name[len])
			return r;
	return NULL;
}

const struct fs_reason *fs_reason_at(size_t i)
{
	if (i < REASONS)
		return &reasons[i];
	i -= REASONS;
	if (i < fsi_limit_reason_count)
		return &fsi_limit_reasons[i];
	i -= fsi_limit_reason_count;
	return i < fsi_other_reason_count ? &fsi_other_reasons[i] : NULL;
}

uint16_t fsi_reason_number(const struct fs_reason *r)
{
	const struct fs_reason *const part[] = { reasons, fsi_limit_reasons, fsi_other_reasons };
	const size_t n[] = { REASONS, fsi_limit_reason_count, fsi_other_reason_count };
	size_t before = 0;

	for (size_t i = 0; r && i < 3; before += n[i++])
		if (r >= part[i] && r < part[i] + n[i])
			return (uint16_t)(before + (size_t)(r - part[i]) + 1);
	return 0;
}

const struct fs_reason *fs_reason_find(const char *text)
{
	const struct fs_reason *r = by_name(text, strcspn(text, ",("));

	if (!*text)
		return &reasons[0];
	for (size_t i = 0; !r && i < sizeof(aliases) / sizeof(*aliases); i++)
		if (begins(text, aliases[i].begins))
			r = by_name(aliases[i].name, strlen(aliases[i].name));
	return r;
}

bool fsi_reason_names_nodes(const struct fs_reason *r, const char *text)
{
	return r && (r->section == FS_SECTION_NODES || begins(text, "Nodes required for job are DOWN"));
}

bool fsi_reason_is_reserved(const char *text)
{
	const char *detail = strchr(text, ',');

	return detail && (begins(detail, ", Reserved for") || begins(detail, ",Reserved for"));
}

const char *fs_section_name(enum fs_section section)
{
	static const char *const names[] = { FS_SECTIONS(FSI_NAME) };

	return names[section];
}

bool fsi_reason_in(const struct fs_reason *r, const char *const *names, size_t n)
{
	for (size_t i = 0; r && i < n; i++)
		if (!strcmp(r->name, names[i]))
			return true;
	return false;
}
