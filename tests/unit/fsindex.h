/* What was changed in an index gets the sums that its reader asks for. */
#ifndef FSINDEX_H
#define FSINDEX_H

#include "snapshot/index.h"

#include <stddef.h>

/* size: at least FSI_INDEX_START. Where nothing can begin at h->apart, only the head has its sum. */
static inline void fst_index_sums(void *bytes, size_t size)
{
	struct fsi_index_head *h = bytes;
	char *all = bytes;

	if (h->apart >= FSI_INDEX_START && h->apart <= size) {
		h->checksum = fsi_checksum(all + FSI_INDEX_START, h->apart - FSI_INDEX_START);
		h->apart_checksum = fsi_checksum(all + h->apart, size - h->apart);
	}
	h->head_checksum = fsi_checksum(h, offsetof(struct fsi_index_head, head_checksum));
}

#endif
