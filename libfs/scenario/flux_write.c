/* Commands of flux-accounting, in the words of flux.c. */
#include "scenario/scenario.h"
#include "scenario/write.h"

#include <inttypes.h>

void fsi_flux_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a, uint32_t shares)
{
	const char *bank = fsi_str(m, a->account);

	if (a->user)
		fsi_command_put(c, "flux account edit-user %s --bank=%s --shares=%" PRIu32, fsi_str(m, a->user), bank, shares);
	else
		fsi_command_put(c, "flux account edit-bank %s --shares=%" PRIu32, bank, shares);
}
