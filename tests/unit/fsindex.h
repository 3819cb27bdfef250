/* Recomputes the checksums of an index that a test changed. */
#ifndef FSINDEX_H
#define FSINDEX_H

#include "snapshot/index.h"

#include <stddef.h>

/* Sets the checksums of the index of `size` bytes (at least FSI_INDEX_START). If h->optional_at is outside of the
 * index, sets only the checksum of the head. */
static inline void fst_index_sums(void *bytes, size_t size)
{
	struct fsi_index_head *h = bytes;
	char *all = bytes;

	if (h->optional_at >= FSI_INDEX_START && h->optional_at <= size) {
		h->checksum = fsi_checksum_of_bytes(all + FSI_INDEX_START, h->optional_at - FSI_INDEX_START);
		h->optional_checksum = fsi_checksum_of_bytes(all + h->optional_at, size - h->optional_at);
	}
	h->head_checksum = fsi_checksum_of_bytes(h, offsetof(struct fsi_index_head, head_checksum));
}

#endif
