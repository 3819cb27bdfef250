/* Flux's commands, in two files. */
#ifndef FSI_SCENARIO_FLUX_H
#define FSI_SCENARIO_FLUX_H

#include "scenario/scenario.h"

/* Does what stands behind `flux account`, from word `at` on. */
int fsi_flux_account(struct fsi_scenario *s, size_t at);

/* Notes that only the instance owner may give the command, where somebody else gives it. */
void fsi_flux_only_owner(struct fsi_scenario *s);

#endif
