/* Bytes in memory: a checksum, comparison, unaligned loads and a hash of integers. No function allocates memory or
 * fails. */
#ifndef FSI_BASE_BYTES_H
#define FSI_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Checksum that detects accidental damage; it does not protect against deliberate changes. It multiplies in
 * FSI_CHECKSUM_LANES independent lanes of eight bytes, so that no multiplication waits for the result of the previous
 * one. */

enum { FSI_CHECKSUM_LANES = 16, FSI_CHECKSUM_STEP = 8 * FSI_CHECKSUM_LANES };

struct fsi_checksum {
	uint64_t lane[FSI_CHECKSUM_LANES], bytes;
};

void fsi_checksum_init(struct fsi_checksum *c);

/* Adds `size` bytes to the checksum. A last step of less than FSI_CHECKSUM_STEP bytes is padded with zeros, so only the
 * last call may have a size that is not a multiple of FSI_CHECKSUM_STEP. */
void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size);
uint64_t fsi_checksum_end(const struct fsi_checksum *c);

uint64_t fsi_checksum_of_bytes(const void *data, size_t size);

/* Inline comparison and loads: keys and names are short and mostly equal, so a call to memcmp would cost more. */

static inline uint64_t fsi_load_word(const void *s)
{
	uint64_t word;

	memcpy(&word, s, sizeof(word));
	return word;
}

static inline uint32_t fsi_load_half_word(const void *s)
{
	uint32_t half;

	memcpy(&half, s, sizeof(half));
	return half;
}

/* Returns true if the len bytes at x and y are equal. The last step compares the last eight bytes, which may overlap
 * the bytes of the step before. */
static inline bool fsi_is_equal_bytes(const void *x, const void *y, size_t len)
{
	const unsigned char *a = x, *b = y;

	if (len < 4) {
		while (len && a[len - 1] == b[len - 1])
			len--;
		return !len;
	}
	if (len < 8)
		return fsi_load_half_word(a) == fsi_load_half_word(b) &&
		       fsi_load_half_word(a + len - 4) == fsi_load_half_word(b + len - 4);
	for (; len > 8; a += 8, b += 8, len -= 8)
		if (fsi_load_word(a) != fsi_load_word(b))
			return false;
	return fsi_load_word(a + len - 8) == fsi_load_word(b + len - 8);
}

static inline uint64_t fsi_hash_integer_fields(const int64_t *field, size_t n)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < n; i++) {
		h = (h ^ (uint64_t)field[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

#endif
