/* Sets of nodes: bitmaps with one bit per node, 64 to a word, indexed by the node's position in fsi_cluster.node.
 *
 * A set has fsi_cluster.words words, which the caller allocates. The last word may have bits after the bit of the last
 * node. These bits have no meaning; they are 1 in a set of all nodes. */
#ifndef FSI_NODES_BITS_H
#define FSI_NODES_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool fsi_bit_is_set(const uint64_t *set, uint32_t i)
{
	return set[i / 64] >> (i % 64) & 1;
}

static inline void fsi_bit_set(uint64_t *set, uint32_t i)
{
	set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void fsi_bit_clear(uint64_t *set, uint32_t i)
{
	set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Removes from `to` the nodes that are not in `with`. The sets must not overlap in memory. The first loop processes
 * four words per step. Compilers can vectorize this loop, because its index cannot overflow. */
static inline void fsi_bits_and(uint64_t *restrict to, const uint64_t *restrict with, uint32_t words)
{
	size_t w = 0;

	for (; w + 4 <= words; w += 4) {
		to[w] &= with[w];
		to[w + 1] &= with[w + 1];
		to[w + 2] &= with[w + 2];
		to[w + 3] &= with[w + 3];
	}
	for (; w < words; w++)
		to[w] &= with[w];
}

/* Removes from `to` the nodes that are in `without`. The sets must not overlap in memory. */
static inline void fsi_bits_and_not(uint64_t *restrict to, const uint64_t *restrict without, uint32_t words)
{
	size_t w = 0;

	for (; w + 4 <= words; w += 4) {
		to[w] &= ~without[w];
		to[w + 1] &= ~without[w + 1];
		to[w + 2] &= ~without[w + 2];
		to[w + 3] &= ~without[w + 3];
	}
	for (; w < words; w++)
		to[w] &= ~without[w];
}

/* Returns the number of nodes in the set. Adds up the bits of each word in parallel: pairs of bits, then groups of four
 * and eight bits, then the bytes. The compiler's built-in population count is not used: on processors without
 * an instruction for it, the compiler calls a library function, which is slower. */
static inline uint32_t fsi_bits_count(const uint64_t *set, uint32_t words)
{
	const uint64_t each2 = UINT64_C(0x5555555555555555), each4 = UINT64_C(0x3333333333333333),
		       each8 = UINT64_C(0x0f0f0f0f0f0f0f0f), bytes = UINT64_C(0x0101010101010101);
	uint64_t n = 0;

	for (uint32_t w = 0; w < words; w++) {
		uint64_t b = set[w];

		b -= b >> 1 & each2;
		b = (b & each4) + (b >> 2 & each4);
		n += ((b + (b >> 4)) & each8) * bytes >> 56;
	}
	return (uint32_t)n;
}

/* Returns true if all nodes of `a` are in `b`. */
static inline bool fsi_bits_is_subset(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		if (a[w] & ~b[w])
			return false;
	return true;
}

/* Returns true if at least one node is in both sets. */
static inline bool fsi_bits_has_common(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

static inline bool fsi_bits_is_equal(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	return !memcmp(a, b, words * sizeof(*a));
}

/* Loops over the index i of each node in the set, lowest index first. */
#define FSI_BITS_FOR_EACH(i, set, words) \
	for (uint32_t i##_w = 0, i = 0; i##_w < (words); i##_w++) \
		for (uint64_t i##_b = (set)[i##_w]; \
		     i##_b && (i = i##_w * 64 + (uint32_t)__builtin_ctzll(i##_b), true); \
		     i##_b &= i##_b - 1)

#endif
