/* A usage record of a run, for what sacct prints in either form. */
#include "import/import.h"

#include <string.h>

struct fsi_usage *fsi_slurm_add_run(struct fsi_import *imp, uint64_t id)
{
	struct fsi_usage *u;

	if (FSI_VEC_ROOM(&imp->m->usage))
		return NULL;
	u = &imp->m->usage.v[imp->m->usage.n++];
	memset(u, 0, sizeof(*u));
	u->job = id;
	FSI_SET(u, USAGE, job);
	return u;
}
