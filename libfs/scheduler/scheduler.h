/* The schedulers there are, for the registry. */
#ifndef FSI_SCHEDULER_SCHEDULER_H
#define FSI_SCHEDULER_SCHEDULER_H

#include "model/scheduler.h"

extern const struct fsi_scheduler fsi_slurm, fsi_flux_framework, fsi_maui_scheduler;

#endif
