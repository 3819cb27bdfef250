/* The order of whole numbers, and how qsort and bsearch ask for it. */
#ifndef FSI_SORT_H
#define FSI_SORT_H

#include <stdint.h>

static inline int fsi_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int fsi_rising_u32(const void *a, const void *b);
int fsi_rising_u64(const void *a, const void *b);
int fsi_rising_i64(const void *a, const void *b);

#endif
