/* A usage record of a run, for what sacct prints in either form. */
#include "import/import.h"

#include <string.h>

struct fsi_usage *fsi_slurm_add_run(struct fsi_import *imp, uint64_t id)
{
	struct fsi_usage *u;

	u = FSI_VEC_ADD(&imp->m->usage);
	if (!u)
		return NULL;
	FSI_PUT(u, USAGE, job, id);
	return u;
}
