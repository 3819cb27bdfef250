/* Bytes in memory: checksum, byte order. */
#ifndef FSI_BASE_BYTES_H
#define FSI_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A fast checksum of bytes, against damage and not against an enemy: lanes of multiplications, eight bytes each, as
 * many as keep one from waiting for the product before. */

enum { FSI_CHECKSUM_LANES = 16, FSI_CHECKSUM_STEP = 8 * FSI_CHECKSUM_LANES };

struct fsi_checksum {
	uint64_t lane[FSI_CHECKSUM_LANES], bytes;
};

void fsi_checksum_init(struct fsi_checksum *c);

/* A last step that is not whole is filled up with zeros. */
void fsi_checksum_add(struct fsi_checksum *c, const void *data, size_t size);
uint64_t fsi_checksum_end(const struct fsi_checksum *c);

uint64_t fsi_checksum(const void *data, size_t size);

/* Bytes compared without a call, since keys and names are short and mostly equal; fetched; and a hash of numbers. */

static inline uint64_t fsi_word_at(const void *s)
{
	uint64_t word;

	memcpy(&word, s, sizeof(word));
	return word;
}

static inline uint32_t fsi_half_at(const void *s)
{
	uint32_t half;

	memcpy(&half, s, sizeof(half));
	return half;
}

/* memcmp(a, b, len) == 0. The last step takes the last bytes, some of them perhaps again. */
static inline bool fsi_equal_bytes(const void *x, const void *y, size_t len)
{
	const unsigned char *a = x, *b = y;

	if (len < 4) {
		while (len && a[len - 1] == b[len - 1])
			len--;
		return !len;
	}
	if (len < 8)
		return fsi_half_at(a) == fsi_half_at(b) && fsi_half_at(a + len - 4) == fsi_half_at(b + len - 4);
	for (; len > 8; a += 8, b += 8, len -= 8)
		if (fsi_word_at(a) != fsi_word_at(b))
			return false;
	return fsi_word_at(a + len - 8) == fsi_word_at(b + len - 8);
}

static inline uint64_t fsi_hash_fields(const int64_t *field, size_t n)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < n; i++) {
		h = (h ^ (uint64_t)field[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

#endif
