/* How fs-prio shows a scheduler's priorities. */
#ifndef PRIO_DIALECT_H
#define PRIO_DIALECT_H

#include "input/input.h"

struct prio_run;

struct prio_dialect {
	enum style style;
	const struct prio_layout *layout; /* columns of the terms */
	bool holds;                       /* limits hold jobs back, which is told with the priority */
	/* A page of its own in place of columns, and with -v the jobs that have no priority; exit status. NULL:
	 * columns. */
	int (*page)(const struct prio_run *r);
	int (*blocked)(const struct prio_run *r);
};

extern const struct prio_dialect prio_of_slurm, prio_of_flux, prio_of_maui;

#endif
