/* The schedulers there are, for the registry. */
#ifndef FSI_SCHEDULERS_H
#define FSI_SCHEDULERS_H

#include "model/scheduler.h"

extern const struct fsi_scheduler fsi_slurm, fsi_flux_framework, fsi_maui_scheduler;

#endif
