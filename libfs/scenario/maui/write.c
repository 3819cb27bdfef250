/* Maui's commands, and the resource manager's, in the words of maui.c. */
#include "scenario/scenario.h"
#include "scenario/write.h"

#include <inttypes.h>
#include <stdio.h>

static void write_minutes(char *out, size_t size, int64_t minutes)
{
	snprintf(out, size, "%" PRId64 ":%02" PRId64 ":00", minutes / 60, minutes % 60);
}

void fsi_maui_write_target(struct fsi_command *c, enum fs_cred_kind kind, const char *name, double target,
			   enum fs_target_mode mode)
{
	static const char *const words[] = { "USERCFG", "GROUPCFG", "ACCOUNTCFG", "QOSCFG", "CLASSCFG" };
	static const char *const marks[] = { "", "+", "-", "%", "^" };

	fsi_command_put(c, "%s[%s] FSTARGET=%.2f%s", words[kind], name, target, marks[mode]);
}

const struct fsi_commands fsi_maui_commands = {
	.update = "qalter %s",
	.job_last = true,
	.hold = "sethold -u %s",
	.release = "releasehold -a %s",
	.release_own = "releasehold -u %s",
	.first = "setspri 1000 %s",
	.word = {
		[FSI_CHANGE_TIME_LIMIT] = " -l walltime=",
		[FSI_CHANGE_QOS] = " -W x=QOS:",
	},
	.minutes = write_minutes,
};
