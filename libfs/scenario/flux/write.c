/* Flux's commands, in the words of flux.c. */
#include "scenario/scenario.h"
#include "scenario/write.h"

#include <inttypes.h>
#include <stdio.h>

void fsi_flux_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			   uint32_t shares)
{
	const char *bank = fsi_str(m, a->account);

	if (a->user)
		fsi_command_put(c, "flux account edit-user %s --bank=%s --shares=%" PRIu32, fsi_str(m, a->user), bank, shares);
	else
		fsi_command_put(c, "flux account edit-bank %s --shares=%" PRIu32, bank, shares);
}

static void write_minutes(char *out, size_t size, int64_t minutes)
{
	snprintf(out, size, "%" PRId64 "m", minutes);
}

const struct fsi_commands fsi_flux_commands = {
	.update = "flux update %s",
	.hold = "flux job urgency %s hold",
	.release = "flux job urgency %s default",
	.first = "flux job urgency %s expedite",
	.word = {
		[FSI_CHANGE_TIME_LIMIT] = " duration=",
		[FSI_CHANGE_PARTITIONS] = " queue=",
		[FSI_CHANGE_ACCOUNT] = " bank=",
	},
	.minutes = write_minutes,
};
