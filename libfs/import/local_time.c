/* Local times of a capture's files are read in its zone, if that is told, else with one offset for all. */
#include "import/import.h"

#include "base/zone.h"

int64_t fsi_import_utc(struct fsi_import *imp, int64_t local)
{
	int64_t t = local - imp->utc_offset_s;
	const unsigned moments = imp->zone ? fsi_zone_utc(imp->zone, imp->nzone, local, &t) : 1;

	if (moments > 1 && !imp->twice.n++)
		imp->twice.first = imp->where;
	if (!moments && !imp->never.n++)
		imp->never.first = imp->where;
	return t;
}
