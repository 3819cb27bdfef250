#include "dialect/dialect.h"

const struct dialect *dialect_of(const fs_snapshot *s)
{
	static const struct dialect *const all[] = { [FS_SLURM] = &dialect_slurm,
						     [FS_FLUX] = &dialect_flux,
						     [FS_MAUI] = &dialect_maui,
						     [FS_OTHER_SCHEDULER] = &dialect_other };

	return all[fs_snapshot_info(s)->kind];
}
