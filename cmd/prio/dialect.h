/* How fs-prio shows a scheduler's priorities. */
#ifndef PRIO_DIALECT_H
#define PRIO_DIALECT_H

#include "input/input.h"

struct prio_dialect {
	enum style style;
	const struct prio_layout *layout; /* columns of the terms */
	bool holds;                       /* limits hold jobs back, which is told with the priority */
	/* A page of its own in place of columns, and with -v the jobs that have no priority; exit status. NULL:
	 * columns. */
	int (*page)(const struct invocation *inv, const fs_prios *p, const size_t *rows, size_t n);
	int (*blocked)(const struct invocation *inv, const struct input *in, const fs_snapshot *s);
};

extern const struct prio_dialect prio_of_slurm, prio_of_flux, prio_of_maui;

#endif
