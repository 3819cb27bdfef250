/* The shortest decimal that reads back as a double; of those, the nearest to it. */
#ifndef FSI_BASE_NUMBER_SHORTEST_H
#define FSI_BASE_NUMBER_SHORTEST_H

#include <stdint.h>

/* digits * 10^exponent; digits has at most 17 and does not end with 0 (it is 0 for 0). */
struct fsi_decimal {
	uint64_t digits;
	int exponent;
};

/* v must be finite; its sign is left out. */
struct fsi_decimal fsi_shortest(double v);

#endif
