/* Which rows fs-prio shows, and in which order. */
#ifndef PRIO_ROWS_H
#define PRIO_ROWS_H

#include "input/names.h"
#include "prio/format.h"

struct prio_filter {
	const struct names *jobs, *users, *partitions, *states; /* those not empty (users: given) restrict */
	const char *viewer; /* whose eyes the rows were computed for */
	const char *me, *subtree;
};

/* Puts the numbers of the rows wanted into `rows`, which has room for all; returns how many. */
size_t prio_rows_select(size_t *rows, const fs_prios *p, const fs_snapshot *s,
			const struct prio_filter *f);

/* Sorting by format letters as sprio does: keys from the last to the first, each a stable sort; `-` before a
 * letter falls. The first letter that cannot be sorted by, or 0. */
char prio_sort_check(const struct prio_layout *l, const char *keys, unsigned version);

/* Reorders n row numbers. -1 without memory. */
int prio_sort(const fs_prios *p, const struct prio_layout *l, const char *keys, unsigned version,
	      size_t *rows, size_t n);

#endif
