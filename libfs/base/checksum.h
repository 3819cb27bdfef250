/* A fast checksum of bytes, against damage and not against an enemy: four lanes of multiplications, eight bytes
 * each. */
#ifndef FSI_CHECKSUM_H
#define FSI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { FSI_CHECKSUM_STEP = 32 };

struct fsi_checksum {
	uint64_t lane[4], bytes;
};

void fsi_checksum_init(struct fsi_checksum *c);

/* What lacks to a whole step counts as zeros. */
void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size);
uint64_t fsi_checksum_end(const struct fsi_checksum *c);

uint64_t fsi_checksum(const void *data, size_t size);

#endif
