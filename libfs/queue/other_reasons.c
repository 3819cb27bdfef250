/* What keeps jobs of Maui (states and holds: src/moab/MConst.c:MHoldType, MJobState; FairShare: MAllocRejType) and of
 * Flux (the dependencies of flux-accounting's src/plugins/mf_priority.cpp; the words of flux-core's
 * src/bindings/python/flux/job/info.py). They have no numbers. */
#include "queue/reasons.h"

#define OTHER(name, section, meaning, clears) { name, FS_SECTION_##section, 0, "", "", meaning, clears, false }
#define LIMIT(name, limit, resource, meaning, clears)                                              \
	{ name, FS_SECTION_ASSOC_LIMIT, 0, limit, resource, meaning, clears, false }

const struct fs_reason fsi_other_reasons[] = {
	OTHER("UserHold", HELD, "held by its owner", "its owner releases it"),
	OTHER("SystemHold", HELD, "held by an administrator", "an administrator releases it"),
	OTHER("BatchHold", HELD,
	      "held by an administrator (sethold -b), or by Maui, since it could not be started or can never run",
	      "an administrator releases it"),
	OTHER("Deferred", HELD, "set aside for a while after a start that failed",
	      "DEFERTIME passes"),
	OTHER("FairShare", ACCESS,
	      "with it, the use of one of its credentials would pass a fair-share cap",
	      "past usage decays, or it asks for less"),
	OTHER("NegativePriority", ACCESS,
	      "its priority is negative, and REJECTNEGPRIOJOBS blocks such jobs",
	      "its priority rises"),
	LIMIT("Limit", "MAXJOB, MAXPROC, MAXNODE or MAXPS", "jobs, processors, nodes or processor seconds",
	      "with it, a limit of one of its credentials would be passed",
	      "jobs that count in that limit end"),
	OTHER("Blocked", OTHER, "blocked by a policy or limit; the snapshot does not tell which",
	      "that depends on the policy"),
	OTHER("held", HELD, "its urgency is 0", "its urgency is raised"),
	OTHER("priority-hold", HELD, "its priority is 0, and such jobs are not tried",
	      "its priority or urgency rises"),
	OTHER("priority-wait", TRANSIENT, "its priority is not known yet",
	      "the priority plugin has its user's data"),
	OTHER("queue-stopped", PARTITION, "its queue is stopped, and none of its jobs starts",
	      "an administrator starts the queue"),
	OTHER("dependency", REQUEST, "what it depends on has not happened yet", "that happens"),
	LIMIT("max-running-jobs-user-limit", "max_running_jobs", "jobs",
	      "as many jobs of its user in the bank run as the bank allows", "one of them ends"),
	LIMIT("max-resources-user-limit", "max_nodes, max_cores", "nodes or cores",
	      "running jobs of its user in the bank have all the nodes or cores that the bank allows",
	      "some of them end"),
	LIMIT("max-sched-jobs-user-limit", "max_sched_jobs", "jobs",
	      "as many jobs of its user in the bank are eligible as the bank allows",
	      "one of them starts"),
	OTHER("max-run-jobs-queue", PARTITION,
	      "as many jobs of its user and bank run in the queue as the queue allows",
	      "one of them ends"),
	OTHER("max-resources-queue", PARTITION,
	      "jobs of its user and bank have all the nodes that the queue allows",
	      "some of them end"),
	OTHER("max-sched-jobs-queue-limit", PARTITION,
	      "as many jobs of its user and bank are eligible in the queue as the queue allows",
	      "one of them starts"),
	OTHER("max-sched-nodes-queue-limit", PARTITION,
	      "eligible jobs of its user and bank in the queue ask for all the nodes that the queue allows",
	      "some of them start"),
	OTHER("max-sched-cores-queue-limit", PARTITION,
	      "eligible jobs of its user and bank in the queue ask for all the cores that the queue allows",
	      "some of them start"),
	OTHER("eligible", ELIGIBLE, "it waits for the jobs before it or for nodes in use", "its turn comes"),
};
const size_t fsi_other_reason_count = sizeof(fsi_other_reasons) / sizeof(*fsi_other_reasons);
