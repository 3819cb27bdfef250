#include "base/number/exact.h"

#include <math.h>
#include <string.h>

/* v = *mantissa * 2^result, the mantissa odd or 0. */
static int take_apart(double v, uint64_t *mantissa)
{
	int exponent;

	*mantissa = 0;
	if (!(v > 0) || !isfinite(v))
		return 0;
	*mantissa = (uint64_t)ldexp(frexp(v, &exponent), 53);
	exponent -= 53;
	for (; !(*mantissa & 1); *mantissa >>= 1)
		exponent++;
	return exponent;
}

void fsi_exact_see(struct fsi_exact_range *r, double v)
{
	uint64_t mantissa;
	const int low = take_apart(v, &mantissa);
	int high = low;

	if (!mantissa)
		return;
	for (; mantissa; mantissa >>= 1)
		high++;
	if (!r->any || low < r->low)
		r->low = low;
	if (!r->any || high > r->high)
		r->high = high;
	r->any = true;
}

struct fsi_exact_form fsi_exact_form(const struct fsi_exact_range *r, size_t n)
{
	struct fsi_exact_form f = { r->low, 0 };
	int bits = r->high - r->low;

	for (; n; n >>= 1)
		bits++;
	if (r->any)
		f.limbs = (uint32_t)(bits + 31) / 32;
	return f;
}

static void add_limb(uint32_t limbs, uint32_t *sum, uint32_t at, uint32_t v)
{
	uint64_t carry = v;

	for (; carry && at < limbs; at++) {
		carry += sum[at];
		sum[at] = (uint32_t)carry;
		carry >>= 32;
	}
}

void fsi_exact_add_double(struct fsi_exact_form f, uint32_t *sum, double v)
{
	uint64_t mantissa, low, high;
	const int exponent = take_apart(v, &mantissa);
	uint32_t at, shift;

	if (!mantissa)
		return;
	at = (uint32_t)(exponent - f.low) / 32;
	shift = (uint32_t)(exponent - f.low) % 32;
	low = (mantissa & UINT32_MAX) << shift;
	high = mantissa >> 32 << shift;
	add_limb(f.limbs, sum, at, (uint32_t)low);
	add_limb(f.limbs, sum, at + 1, (uint32_t)(low >> 32 | high));
	add_limb(f.limbs, sum, at + 2, (uint32_t)(high >> 32));
}

void fsi_exact_add(uint32_t limbs, uint32_t *sum, const uint32_t *v)
{
	uint64_t carry = 0;

	for (uint32_t i = 0; i < limbs; i++) {
		carry += (uint64_t)sum[i] + v[i];
		sum[i] = (uint32_t)carry;
		carry >>= 32;
	}
}

bool fsi_exact_zero(uint32_t limbs, const uint32_t *v)
{
	for (uint32_t i = 0; i < limbs; i++)
		if (v[i])
			return false;
	return true;
}

int fsi_exact_cmp(uint32_t limbs, const uint32_t *a, const uint32_t *b)
{
	for (uint32_t i = limbs; i-- > 0;)
		if (a[i] != b[i])
			return a[i] > b[i] ? 1 : -1;
	return 0;
}

void fsi_exact_mul(uint32_t *out, const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb)
{
	memset(out, 0, ((size_t)na + nb) * sizeof(*out));
	for (uint32_t i = 0; i < na; i++) {
		uint64_t carry = 0;

		for (uint32_t k = 0; k < nb; k++) {
			carry += (uint64_t)a[i] * b[k] + out[i + k];
			out[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
		out[i + nb] = (uint32_t)carry;
	}
}

static int bit_length(uint32_t limbs, const uint32_t *v)
{
	while (limbs && !v[limbs - 1])
		limbs--;
	if (!limbs)
		return 0;
	int bits = (int)(limbs - 1) * 32;
	for (uint32_t top = v[limbs - 1]; top; top >>= 1)
		bits++;
	return bits;
}

static void shift_left(uint32_t limbs, uint32_t *v, uint32_t bits)
{
	const uint32_t whole = bits / 32, part = bits % 32;

	for (uint32_t i = limbs; i-- > 0;) {
		const uint32_t high = i >= whole ? v[i - whole] : 0;
		const uint32_t low = i > whole ? v[i - whole - 1] : 0;

		v[i] = part ? high << part | low >> (32 - part) : high;
	}
}

static void subtract(uint32_t limbs, uint32_t *a, const uint32_t *b)
{
	uint64_t borrow = 0;

	for (uint32_t i = 0; i < limbs; i++) {
		const uint64_t d = (uint64_t)a[i] - b[i] - borrow;

		a[i] = (uint32_t)d;
		borrow = d >> 63;
	}
}

/* Long division, one bit a step: the quotient's first 54 bits, and whether anything is left. */
double fsi_exact_div(uint32_t limbs, const uint32_t *a, const uint32_t *b, uint32_t *work)
{
	const uint32_t n = limbs + 1;
	uint32_t *rest = work, *divisor = work + n;
	const int an = bit_length(limbs, a), bn = bit_length(limbs, b);
	int exponent = an - bn;
	uint64_t q = 0;

	if (!an)
		return 0;
	memcpy(rest, a, limbs * sizeof(*a));
	memcpy(divisor, b, limbs * sizeof(*b));
	rest[limbs] = divisor[limbs] = 0;
	shift_left(n, exponent < 0 ? rest : divisor,
		   (uint32_t)(exponent < 0 ? -exponent : exponent));
	if (fsi_exact_cmp(n, rest, divisor) < 0) {
		shift_left(n, rest, 1);
		exponent--;
	}
	for (int i = 0; i < 54; i++) {
		q <<= 1;
		if (fsi_exact_cmp(n, rest, divisor) >= 0) {
			subtract(n, rest, divisor);
			q |= 1;
		}
		shift_left(n, rest, 1);
	}
	const bool half = q & 1, more = !fsi_exact_zero(n, rest);
	q >>= 1;
	if (half && (more || (q & 1)))
		q++;
	return ldexp((double)q, exponent - 52);
}
