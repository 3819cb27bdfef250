/* Slurm's commands, in the words of job.c, hold.c and sacctmgr.c. */
#include "model/records/limit_names.h"
#include "scenario/slurm/slurm.h"
#include "scenario/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD(member, type, name, column, shown, word, order, measure, counted) { name, word },
static const struct {
	const char *limit, *word; /* of sacctmgr */
} words[] = { FSI_ASSOC_GROUP_LIMITS(WORD) FSI_ASSOC_OWN_LIMITS(WORD) FSI_QOS_LIMITS(WORD)
		      FSI_QOS_PROMISED_LIMITS(WORD) };
#undef WORD

static const char *word_of(const char *limit)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].limit, limit))
			return words[i].word;
	return NULL;
}

static void write_limit(struct fsi_command *c, const struct fsi_limit_change *l)
{
	const char *word = word_of(l->name), *equals = *l->tres ? "=" : "";

	if (!word)
		return;
	switch (l->scope) {
	case FS_LIMIT_QOS:
	case FS_LIMIT_PARTITION_QOS:
		fsi_command_put(c, "sacctmgr modify qos where name=%s set %s=%s%s%.0f", l->of, word, l->tres, equals, l->amount);
		break;
	case FS_LIMIT_ACCOUNT:
		fsi_command_put(c, "sacctmgr modify account where name=%s set %s=%s%s%.0f", l->of, word, l->tres, equals, l->amount);
		break;
	case FS_LIMIT_ASSOC:
		fsi_command_put(c, "sacctmgr modify user where name=%s account=%s set %s=%s%s%.0f", l->user, l->account, word,
				l->tres, equals, l->amount);
		break;
	}
}

void fsi_slurm_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			    uint32_t shares)
{
	const char *account = fsi_str(m, a->account), *partition = fsi_str(m, a->partition);

	if (a->user)
		fsi_command_put(c, "sacctmgr modify user where name=%s account=%s%s%s set fairshare=%" PRIu32, fsi_str(m, a->user), account,
				*partition ? " partition=" : "", partition, shares);
	else
		fsi_command_put(c, "sacctmgr modify account where name=%s set fairshare=%" PRIu32, account, shares);
}

/* "1:30:00", "2-06:00:00" */
static void write_minutes(char *out, size_t size, int64_t minutes)
{
	const int64_t days = minutes / 1440, rest = minutes % 1440;

	if (days)
		snprintf(out, size, "%" PRId64 "-%02" PRId64 ":%02" PRId64 ":00", days, rest / 60, rest % 60);
	else
		snprintf(out, size, "%" PRId64 ":%02" PRId64 ":00", rest / 60, rest % 60);
}

const struct fsi_commands fsi_slurm_commands = {
	.update = "scontrol update job %s",
	.hold = "scontrol hold %s",
	.release = "scontrol release %s",
	.top = "scontrol top %s",
	.owner_tops = fsi_slurm_users_top,
	.word = {
		[FSI_CHANGE_NOTHING] = " Comment=",
		[FSI_CHANGE_TIME_LIMIT] = " TimeLimit=",
		[FSI_CHANGE_TIME_MIN] = " TimeMin=",
		[FSI_CHANGE_BEGIN] = " StartTime=",
		[FSI_CHANGE_NODES] = " NumNodes=",
		[FSI_CHANGE_CPUS] = " NumCPUs=",
		[FSI_CHANGE_TASKS] = " NumTasks=",
		[FSI_CHANGE_CPU_MEMORY] = " MinMemoryCPU=",
		[FSI_CHANGE_NODE_MEMORY] = " MinMemoryNode=",
		[FSI_CHANGE_DISK] = " MinTmpDiskNode=",
		[FSI_CHANGE_GRES] = " Gres=",
		[FSI_CHANGE_GRES_IN_ALL] = " TresPerJob=",
		[FSI_CHANGE_LICENSES] = " Licenses=",
		[FSI_CHANGE_PARTITIONS] = " Partition=",
		[FSI_CHANGE_QOS] = " QOS=",
		[FSI_CHANGE_ACCOUNT] = " Account=",
		[FSI_CHANGE_NODE_LIST] = " ReqNodeList=",
		[FSI_CHANGE_EXCLUDED] = " ExcNodeList=",
		[FSI_CHANGE_FEATURES] = " Features=",
		[FSI_CHANGE_RESERVATION] = " ReservationName=",
		[FSI_CHANGE_CONTIGUOUS] = " Contiguous=",
		[FSI_CHANGE_THROTTLE] = " ArrayTaskThrottle=",
		[FSI_CHANGE_NICE] = " Nice=",
		[FSI_CHANGE_PRIORITY] = " Priority=",
	},
	.minutes = write_minutes,
	.limit = write_limit,
	.weight_of_shares = "PriorityWeightFairShare",
};
