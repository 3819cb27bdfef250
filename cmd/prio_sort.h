/* Sorting fs-prio's rows by format letters, as sprio does: keys from the last to the first, each a
 * stable sort; `-` before a letter falls. */
#ifndef PRIO_SORT_H
#define PRIO_SORT_H

#include "prio_columns.h"

/* Checks the keys: the first letter that cannot be sorted by, or 0. */
char prio_sort_check(const char *keys, unsigned version);

/* Reorders n row numbers. -1 without memory. */
int prio_sort(fs_prios *p, const char *keys, unsigned version, size_t *rows, size_t n);

#endif
