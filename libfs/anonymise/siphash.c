/* SipHash-2-4 (Aumasson and Bernstein, 2012): without the key nobody can tell which name a number was made of, not even
 * by trying all names there are. */
#include "anonymise/anonymise.h"

static uint64_t left(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static uint64_t little(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

static void rounds(uint64_t v[4], int n)
{
	while (n--) {
		v[0] += v[1];
		v[1] = left(v[1], 13) ^ v[0];
		v[0] = left(v[0], 32);
		v[2] += v[3];
		v[3] = left(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = left(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = left(v[1], 17) ^ v[2];
		v[2] = left(v[2], 32);
	}
}

uint64_t fsi_siphash(const unsigned char key[16], const void *bytes, size_t n)
{
	const uint64_t k0 = little(key, 8), k1 = little(key + 8, 8);
	uint64_t v[4] = { k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
			  k1 ^ 0x7465646279746573u };
	const unsigned char *p = bytes;
	size_t i = 0;

	for (; i <= n; i += 8) {
		const size_t rest = n - i;
		const uint64_t word = rest < 8 ? little(p + i, rest) | (uint64_t)(n & 0xff) << 56 : little(p + i, 8);

		v[3] ^= word;
		rounds(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
