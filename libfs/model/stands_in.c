#include "model/slurm/conf.h"

bool fsi_recorded_stands_in(const fs_snapshot *m)
{
	return fsi_hidden(m, "association") || fsi_hidden(m, "qos") || fsi_hidden(m, "partition") ||
	       fsi_hidden(m, "node") || fsi_slurm_keeps_ended(m);
}
