/* Schubfach: Raffaello Giulietti, "The Schubfach way to render doubles" (2020), sections 9 and 10. The neighbours'
 * midpoints and v are scaled by a power of ten so that at most one multiple of ten, or else one or two whole numbers,
 * lie between the midpoints; four times everything keeps the midpoints whole. */
#include "base/number/shortest.h"

#include "base/number/pow10.h"

#include <stdbool.h>
#include <string.h>

enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1075, EXPONENT_MASK = 0x7ff };

/* floor(log10(2^q)), or of three quarters of it where the midpoint below is nearer; |q| <= 1500. */
static int floor_log10_pow2(int q, bool uneven)
{
	return (q * 1262611 - (uneven ? 524031 : 0)) >> 22;
}

/* floor(log2(10^k)), |k| <= 1233. */
static int floor_log2_pow10(int k)
{
	return (k * 1741647) >> 19;
}

static uint64_t product(uint64_t a, uint64_t b, uint64_t *high)
{
#ifdef __SIZEOF_INT128__
	__extension__ const unsigned __int128 p = (unsigned __int128)a * b;

	*high = (uint64_t)(p >> 64);
	return (uint64_t)p;
#else
	const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
	const uint64_t low = a0 * b0, m1 = a1 * b0 + (low >> 32), m2 = a0 * b1 + (m1 & 0xffffffff);

	*high = a1 * b1 + (m1 >> 32) + (m2 >> 32);
	return m2 << 32 | (low & 0xffffffff);
#endif
}

/* x * g / 2^128, odd when anything was lost: it compares as the exact product would. */
static uint64_t scaled(const struct fsi_pow10 *g, uint64_t x)
{
	uint64_t high, carried;
	uint64_t low = product(g->high, x, &high);

	product(g->low, x, &carried);
	low += carried;
	high += low < carried;
	return high | (low > 1);
}

/* The choice among the whole numbers s and s + 1 (s = v / 4), when both or none lie between the midpoints. */
static uint64_t nearer(uint64_t v, uint64_t s)
{
	const uint64_t middle = 4 * s + 2;

	return s + (v > middle || (v == middle && (s & 1)));
}

static struct fsi_decimal choose(uint64_t low, uint64_t v, uint64_t high, int k)
{
	const uint64_t s = v / 4, tens = s / 10;

	if (s >= 10) {
		const bool below = low <= 40 * tens, above = 40 * tens + 40 <= high;

		if (below != above)
			return (struct fsi_decimal){ tens + above, k + 1 };
	}
	const bool below = low <= 4 * s, above = 4 * s + 4 <= high;

	return (struct fsi_decimal){ below != above ? s + above : nearer(v, s), k };
}

static struct fsi_decimal without_zeros(struct fsi_decimal d)
{
	for (; d.digits && d.digits % 10 == 0; d.exponent++)
		d.digits /= 10;
	return d;
}

struct fsi_decimal fsi_shortest(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	const uint64_t fraction = bits & ((1ull << MANTISSA_BITS) - 1);
	const int biased = (int)(bits >> MANTISSA_BITS & EXPONENT_MASK);
	const uint64_t c = biased ? fraction | 1ull << MANTISSA_BITS : fraction;
	const int q = (biased ? biased : 1) - EXPONENT_BIAS;
	const bool uneven = !fraction && biased > 1;

	if (!c)
		return (struct fsi_decimal){ 0, 0 };
	const int k = floor_log10_pow2(q, uneven), h = q + floor_log2_pow10(-k) + 1;
	const struct fsi_pow10 *g = &fsi_pow10[-k - FSI_POW10_MIN];
	const uint64_t odd = c & 1; /* then the midpoints read back as others */

	return without_zeros(choose(scaled(g, (4 * c - 2 + uneven) << h) + odd,
				    scaled(g, (4 * c) << h), scaled(g, (4 * c + 2) << h) - odd, k));
}
