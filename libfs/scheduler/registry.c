/* All schedulers: the only place that lists them. */
#include "explain/explain.h"
#include "scheduler/schedulers.h"
#include "usage/charging.h"

#include <string.h>

static const struct fsi_scheduler *const schedulers[] = { &fsi_slurm, &fsi_flux_framework, &fsi_maui_scheduler };

static const struct fsi_explain_scheduler explain = { .nodes_elsewhere = false };

/* A scheduler of which nothing is known but what its records say. */
static const struct fsi_scheduler unknown = {
	.kind = FS_OTHER_SCHEDULER,
	.name = "",
	.charged_to = fsi_job_assoc,
	.charging = &fsi_charging_slurm,
	.explain = &explain,
};

const struct fsi_scheduler *fsi_scheduler_named(const char *text)
{
	const size_t len = strcspn(text, " ");

	if (!len)
		return &fsi_slurm;
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(*schedulers); i++)
		if (len == strlen(schedulers[i]->name) && !memcmp(text, schedulers[i]->name, len))
			return schedulers[i];
	return &unknown;
}
