/* Maui's start priority (src/moab/MPriority.c:MJobGetStartPriority): the scheduler's row for fs_prios_compute. */
#ifndef FSI_PRIORITY_MAUI_H
#define FSI_PRIORITY_MAUI_H

#include "priority/priority.h"

extern const struct fsi_prio_scheduler fsi_maui_prio;

/* Returns the priority that row i had in the iteration before, which decides between jobs of equal priority; NAN:
 * unknown. */
double fsi_prio_maui_previous_priority(const struct fs_prios *p, size_t i);

#endif
