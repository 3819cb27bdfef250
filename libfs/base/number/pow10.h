/* Powers of ten to 128 bits: 10^k = (high * 2^64 + low) * 2^(e - 127) with e = floor(log2(10^k)), rounded up where it
 * is not exact (k < 0 or k > 55). Computed with whole numbers of any size from that definition. */
#ifndef FSI_BASE_NUMBER_POW10_H
#define FSI_BASE_NUMBER_POW10_H

#include <stdint.h>

enum { FSI_POW10_MIN = -292, FSI_POW10_MAX = 324 };

struct fsi_pow10 {
	uint64_t high, low;
};

extern const struct fsi_pow10 fsi_pow10[FSI_POW10_MAX - FSI_POW10_MIN + 1]; /* by k - FSI_POW10_MIN */

#endif
