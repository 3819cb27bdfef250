/* All dialects: the only place that lists them. */
#include "dialect/dialect.h"

#include <string.h>

const struct dialect *dialect_of(const fs_snapshot *s)
{
	static const struct dialect *const all[] = { &dialect_slurm, &dialect_flux, &dialect_maui };
	const char *scheduler = fs_snapshot_info(s)->scheduler;
	const size_t len = strcspn(scheduler, " ");

	if (!len)
		return &dialect_slurm;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i]->name) == len && !memcmp(all[i]->name, scheduler, len))
			return all[i];
	return &dialect_other;
}
