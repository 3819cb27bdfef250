/* Flux's commands, in two files. */
#ifndef FSI_SCENARIO_FLUX_H
#define FSI_SCENARIO_FLUX_H

#include "scenario/scenario.h"

/* What stands behind `flux account`, from word `at` on. */
int fsi_flux_account(struct fsi_scenario *s, size_t at);

/* Notes that it takes the instance owner, where somebody else gives the command. */
void fsi_flux_only_owner(struct fsi_scenario *s);

#endif
