/* A fast checksum of bytes, against damage and not against an enemy: lanes of multiplications, eight bytes each, as
 * many as keep one from waiting for the product before. */
#ifndef FSI_CHECKSUM_H
#define FSI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { FSI_CHECKSUM_LANES = 16, FSI_CHECKSUM_STEP = 8 * FSI_CHECKSUM_LANES };

struct fsi_checksum {
	uint64_t lane[FSI_CHECKSUM_LANES], bytes;
};

void fsi_checksum_init(struct fsi_checksum *c);

/* A last step that is not whole is filled up with zeros. */
void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size);
uint64_t fsi_checksum_end(const struct fsi_checksum *c);

uint64_t fsi_checksum(const void *data, size_t size);

#endif
