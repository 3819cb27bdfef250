/* The role of each field of texts, of parameters and of names that mean the same everywhere. */
#include "anonymise/anonymise.h"

#include <string.h>

struct role_row {
	const char *type, *key; /* type NULL: of any record */
	enum fsi_role role;
};

static const struct role_row roles[] = {
	{ "snapshot", "cluster", FSI_ROLE_CLUSTER },
	{ "snapshot", "captured_by", FSI_ROLE_USER },
	{ "snapshot", "scheduler", FSI_ROLE_KEEP },
	{ "snapshot", "priority_time_from", FSI_ROLE_KEEP },
	{ "snapshot", "priority_time_before_from", FSI_ROLE_KEEP },
	{ "snapshot", "list_order", FSI_ROLE_KEEP },
	{ "snapshot", "usage_source", FSI_ROLE_KEEP },
	{ "snapshot", "utc_offsets", FSI_ROLE_KEEP },
	{ "snapshot", "hidden", FSI_ROLE_KEEP },
	{ "snapshot", "sources", FSI_ROLE_KEEP },
	{ "tres", "name", FSI_ROLE_KEEP },
	{ "user", "name", FSI_ROLE_USER },
	{ "user", "admin", FSI_ROLE_KEEP },
	{ "user", "default_account", FSI_ROLE_ACCOUNT },
	{ "user", "coordinates", FSI_ROLE_ACCOUNT },
	{ "qos", "name", FSI_ROLE_QOS },
	{ "qos", "preempt", FSI_ROLE_QOS },
	{ "partition", "name", FSI_ROLE_PARTITION },
	{ "partition", "nodes", FSI_ROLE_NODES },
	{ "partition", "billing_weights", FSI_ROLE_KEEP },
	{ "partition", "allow_accounts", FSI_ROLE_ACCOUNT },
	{ "partition", "allow_groups", FSI_ROLE_GROUP },
	{ "partition", "allow_qos", FSI_ROLE_QOS },
	{ "partition", "deny_accounts", FSI_ROLE_ACCOUNT },
	{ "partition", "deny_qos", FSI_ROLE_QOS },
	{ "node", "name", FSI_ROLE_NODES },
	{ "node", "gres", FSI_ROLE_KEEP },
	{ "node", "opsys", FSI_ROLE_KEEP },
	{ "node", "arch", FSI_ROLE_KEEP },
	{ "node", "switches", FSI_ROLE_NODES },
	{ "reservation", "name", FSI_ROLE_RESERVATION },
	{ "reservation", "nodes", FSI_ROLE_NODES },
	{ "reservation", "cores", FSI_ROLE_KEEP },
	{ "reservation", "users", FSI_ROLE_USER },
	{ "reservation", "accounts", FSI_ROLE_ACCOUNT },
	{ "reservation", "groups", FSI_ROLE_GROUP },
	{ "reservation", "classes", FSI_ROLE_PARTITION },
	{ "job", "array_tasks", FSI_ROLE_KEEP },
	{ "job", "sluid", FSI_ROLE_KEEP },
	{ "job", "name", FSI_ROLE_JOB },
	{ "job", "group", FSI_ROLE_GROUP },
	{ "job", "reason", FSI_ROLE_REASON },
	{ "job", "dependency", FSI_ROLE_KEEP },
	{ "job", "reservation", FSI_ROLE_RESERVATION },
	{ "job", "req_nodes", FSI_ROLE_NODES },
	{ "job", "exc_nodes", FSI_ROLE_NODES },
	{ "job", "sched_nodes", FSI_ROLE_NODES },
	{ "job", "node_list", FSI_ROLE_NODES },
	{ "job", "phase", FSI_ROLE_KEEP },
	{ "job", "row_order", FSI_ROLE_PARTITION },
	{ "job", "looked_at_by", FSI_ROLE_KEEP },
	{ "job", "prefer", FSI_ROLE_KEEP },
	{ "job", "node_cores", FSI_ROLE_KEEP },
	{ "job", "node_needs", FSI_ROLE_KEEP },
	{ "job", "node_cpus", FSI_ROLE_KEEP },
	{ "job", "node_mem_mb", FSI_ROLE_KEEP },
	{ "job", "cpu_ids", FSI_ROLE_KEEP },
	{ "job", "gres_per", FSI_ROLE_KEEP },
	{ "job", "node_gres", FSI_ROLE_KEEP },
	{ "credential", "name", FSI_ROLE_BY_KIND },
	{ "credential", "target_mode", FSI_ROLE_KEEP },
	{ "window", "name", FSI_ROLE_BY_KIND },
	{ "recorded", "terms", FSI_ROLE_KEEP },
	{ NULL, "account", FSI_ROLE_ACCOUNT },
	{ NULL, "parent", FSI_ROLE_ACCOUNT },
	{ NULL, "user", FSI_ROLE_USER },
	{ NULL, "maui_partition", FSI_ROLE_PARTITION },
	{ NULL, "partition", FSI_ROLE_PARTITION },
	{ NULL, "partitions", FSI_ROLE_PARTITION },
	{ NULL, "queues", FSI_ROLE_PARTITION },
	{ NULL, "last_queue", FSI_ROLE_PARTITION },
	{ NULL, "projects", FSI_ROLE_PROJECT },
	{ NULL, "qos", FSI_ROLE_QOS },
	{ NULL, "default_qos", FSI_ROLE_QOS },
	{ NULL, "kind", FSI_ROLE_KEEP },
	{ NULL, "state", FSI_ROLE_KEEP },
	{ NULL, "flags", FSI_ROLE_KEEP },
	{ NULL, "features", FSI_ROLE_KEEP },
	{ NULL, "licenses", FSI_ROLE_KEEP },
	{ NULL, "preempt_mode", FSI_ROLE_KEEP },
	{ NULL, "oversubscribe", FSI_ROLE_KEEP },
	{ NULL, "reason", FSI_ROLE_LEAVE },
	{ NULL, "comment", FSI_ROLE_LEAVE },
	{ NULL, "incomplete", FSI_ROLE_LEAVE },
};

enum fsi_role fsi_role_of(const char *type, const char *key)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (!strcmp(roles[i].key, key) && (!roles[i].type || !strcmp(roles[i].type, type)))
			return roles[i].role;
	return FSI_ROLE_LEAVE;
}

static bool among(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

enum fsi_role fsi_role_of_kind(const char *kind)
{
	static const struct {
		const char *kind;
		enum fsi_role role;
	} of[] = { { "user", FSI_ROLE_USER }, { "group", FSI_ROLE_GROUP }, { "acct", FSI_ROLE_ACCOUNT },
		   { "qos", FSI_ROLE_QOS },   { "class", FSI_ROLE_PARTITION } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (!strcmp(of[i].kind, kind))
			return of[i].role;
	return FSI_ROLE_LEAVE;
}

bool fsi_config_stays(const char *name)
{
	static const char *const words[] = {
		"AccountingStorageEnforce", "AccountingStorageTRES", "AccountingStorageType", "BACKFILLMETRIC", "BACKFILLPOLICY",
		"EnforcePartLimits", "FSPOLICY", "JOBNODEMATCHPOLICY", "JOBPRIOACCRUALPOLICY", "JobDefaults", "Licenses",
		"NODEACCESSPOLICY", "NODEALLOCATIONPOLICY", "NODESETPOLICY", "PreemptMode", "PreemptType", "PriorityFlags", "PriorityType",
		"PriorityUsageResetPeriod", "PriorityWeightTRES", "PrivateData", "RESERVATIONPOLICY", "RESERVATIONTHRESHOLDTYPE",
		"SERVERMODE", "SchedulerParameters", "SchedulerType", "SelectType", "SelectTypeParameters", "TopologyParam",
		"TopologyPlugin", "flux_scheduler", "fluxion_match_policy", "fluxion_queue_policy",
	};

	return among(words, sizeof(words) / sizeof(*words), name);
}

bool fsi_name_stays(const char *name)
{
	static const char *const words[] = { "",    "root", "DEFAULT", "NOGROUP", "[NONE]", "NONE", "none",
					     "ALL", "all",  "normal",  "(null)",  "N/A",    "*" };

	return among(words, sizeof(words) / sizeof(*words), name);
}
