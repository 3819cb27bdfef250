/* Every limit that Slurm has, but those on jobs that accrue age, which are priority/accrue.c's. */
#include "queue/limits/limits.h"

#include "model/records/limit_names.h"

#include <string.h>

#define ROW(TAG, type, order, member, TYPE, name, measure, counted)                                              \
	[order] = { name, FSI_##measure, FSI_##counted, FSI_##TYPE, FSI_##TAG##_##member,                        \
		    offsetof(struct fsi_##type, member) },
#define ASSOC_ROW(member, TYPE, name, column, shown, word, order, measure, counted)                              \
	ROW(ASSOCIATION, association, order, member, TYPE, name, measure, counted)
#define QOS_ROW(member, TYPE, name, column, shown, word, order, measure, counted)                                \
	ROW(QOS, qos, order, member, TYPE, name, measure, counted)

const struct fsi_limit_kind fsi_assoc_limits[] = { FSI_ASSOC_GROUP_LIMITS(ASSOC_ROW) FSI_ASSOC_OWN_LIMITS(ASSOC_ROW) };
const size_t fsi_group_limit_count = FSI_ASSOC_GROUP_LIMIT_COUNT;
const size_t fsi_assoc_limit_count = sizeof(fsi_assoc_limits) / sizeof(*fsi_assoc_limits);

const struct fsi_limit_kind fsi_qos_limits[] = { FSI_QOS_LIMITS(QOS_ROW) FSI_QOS_PROMISED_LIMITS(QOS_ROW) };
const size_t fsi_qos_limit_count = sizeof(fsi_qos_limits) / sizeof(*fsi_qos_limits);

bool fsi_limit_before_nodes(const struct fsi_limit_kind *k)
{
	return k->measure == FSI_RUNNING_JOBS || k->measure == FSI_USED_WALL ||
	       k->measure == FSI_JOB_TIME;
}

bool fsi_limit_name_before_nodes(const char *name)
{
	for (size_t i = 0; i < fsi_assoc_limit_count; i++)
		if (!strcmp(fsi_assoc_limits[i].name, name))
			return fsi_limit_before_nodes(&fsi_assoc_limits[i]);
	for (size_t i = 0; i < fsi_qos_limit_count; i++)
		if (!strcmp(fsi_qos_limits[i].name, name))
			return fsi_limit_before_nodes(&fsi_qos_limits[i]);
	return false;
}

bool fsi_limit_holds(const struct fsi_limit_kind *k, unsigned version)
{
	return k->measure != FSI_PROMISED_MINUTES || k->counted == FSI_EVERYBODY ||
	       fs_slurm_has(version, FS_SLURM_RUN_MINUTES_OF_USERS);
}

/* MaxJobs and MaxSubmitJobs give way to those for each user and for each account. */
bool fsi_limit_replaces(const struct fsi_limit_kind *q, const struct fsi_limit_kind *a)
{
	const size_t len = strlen(a->name);

	if (!strcmp(q->name, a->name))
		return true;
	return (!strcmp(a->name, "MaxJobs") || !strcmp(a->name, "MaxSubmitJobs")) &&
	       !strncmp(q->name, a->name, len) &&
	       (!strcmp(q->name + len, "PU") || !strcmp(q->name + len, "PA"));
}
