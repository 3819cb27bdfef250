#include "base/num.h"

#include "base/text.h"
#include "fs/shares.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double fs_slurm_wire(double v)
{
	return v * 1000000.0 / 1000000.0;
}

int fsi_parse_u64(const char *s, size_t len, uint64_t *out)
{
	uint64_t v = 0;

	if (!len)
		return -1;
	for (size_t i = 0; i < len; i++) {
		const unsigned d = (unsigned)(s[i] - '0');

		if (!fsi_is_digit(s[i]) || v > (UINT64_MAX - d) / 10)
			return -1;
		v = v * 10 + d;
	}
	*out = v;
	return 0;
}

int fsi_parse_i64(const char *s, size_t len, int64_t *out)
{
	const int neg = len && s[0] == '-';
	uint64_t v;

	if (!len)
		return -1;
	if (fsi_parse_u64(s + neg, len - (size_t)neg, &v))
		return -1;
	if (v > (uint64_t)INT64_MAX + (uint64_t)neg)
		return -1;
	*out = neg ? (int64_t)(0 - v) : (int64_t)v;
	return 0;
}

int fsi_parse_double(const char *s, size_t len, double *out)
{
	enum { EXACT_DIGITS = 15 }; /* an integer with at most this number of digits is exact as a double */
	char buf[512], *end;
	size_t i = 0;
	uint64_t whole;
	double v;

	if (!len || len >= sizeof(buf))
		return -1;
	if (len <= EXACT_DIGITS && !fsi_parse_u64(s, len, &whole)) {
		*out = (double)whole;
		return 0;
	}
	if (s[i] == '-')
		i++;
	if (i == len || !(fsi_is_digit(s[i]) || s[i] == '.'))
		return -1;
	for (; i < len; i++)
		if (!fsi_is_digit(s[i]) && !strchr(".eE+-", s[i]))
			return -1;
	memcpy(buf, s, len);
	buf[len] = '\0';
	v = strtod(buf, &end);
	if (end != buf + len || !isfinite(v))
		return -1;
	*out = v;
	return 0;
}

int fsi_parse_duration(const char *s, size_t len, int64_t *seconds)
{
	uint64_t part[3] = { 0, 0, 0 }, days = 0, total;
	const char *dash = memchr(s, '-', len), *end = s + len;
	int n = 0;

	if (dash) {
		if (fsi_parse_u64(s, (size_t)(dash - s), &days))
			return -1;
		s = dash + 1;
	}
	for (;;) {
		const char *colon = memchr(s, ':', (size_t)(end - s));
		const char *stop = colon ? colon : end;

		if (n == 3 || fsi_parse_u64(s, (size_t)(stop - s), &part[n++]))
			return -1;
		if (!colon)
			break;
		s = colon + 1;
	}
	if (days > 100000000 || part[0] > 1000000000 || part[1] > 1000000000 || part[2] > 1000000000)
		return -1;
	if (dash || n == 3)
		total = part[0] * 3600 + part[1] * 60 + part[2];
	else if (n == 2)
		total = part[0] * 60 + part[1];
	else
		return -1;
	*seconds = (int64_t)(days * 86400 + total);
	return 0;
}

uint64_t fsi_divide_rounding_up(uint64_t n, uint64_t by)
{
	return by ? n / by + (n % by != 0) : n;
}

int64_t fsi_compute_even_part(int64_t all, uint32_t n, uint32_t i)
{
	return all / n + (i < all % n);
}

int64_t fsi_divide_rounding_down(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Howard Hinnant's days_from_civil algorithm: its years begin in March, so that a leap day is the last day of a
 * year. */
int64_t fsi_days_from_civil(int64_t y, int64_t m, int64_t d)
{
	y -= m <= 2;
	const int64_t era = fsi_divide_rounding_down(y, 400), yoe = y - era * 400;
	const int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	const int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;

	return era * 146097 + doe - 719468;
}

static int days_in_month(int64_t y, int64_t m)
{
	static const signed char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	const int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return days[m - 1] + (m == 2 && leap);
}

int64_t fsi_month_of_day(int64_t day)
{
	int64_t month = fsi_divide_rounding_down(day * 400 * 12, 146097);

	while (fsi_first_of_month(month) > day)
		month--;
	while (fsi_first_of_month(month + 1) <= day)
		month++;
	return month;
}

int64_t fsi_first_of_month(int64_t month)
{
	const int64_t year = fsi_divide_rounding_down(month, 12);

	return fsi_days_from_civil(1970 + year, month - year * 12 + 1, 1);
}

/* Returns the value of the two decimal digits at s; 100 if one of the two characters is not a digit. */
static int parse_two_digits(const char *s)
{
	return fsi_is_digit(s[0]) && fsi_is_digit(s[1]) ? (s[0] - '0') * 10 + (s[1] - '0') : 100;
}

int fsi_parse_civil_time(const char *s, size_t len, int64_t *seconds)
{
	static const char form[] = "yyyy-mm-ddThh:mm:ss";

	if (len != sizeof(form) - 1 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':')
		return -1;
	const int century = parse_two_digits(s), years = parse_two_digits(s + 2), year = century * 100 + years,
		  month = parse_two_digits(s + 5), day = parse_two_digits(s + 8), hours = parse_two_digits(s + 11),
		  minutes = parse_two_digits(s + 14), rest = parse_two_digits(s + 17);
	if (century > 99 || years > 99 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) ||
	    hours > 23 || minutes > 59 || rest > 60)
		return -1;
	*seconds = fsi_days_from_civil(year, month, day) * 86400 + hours * 3600 + minutes * 60 + rest;
	return 0;
}

/* Parses a number with an optional unit letter (K = 1024, M = 1024^2, ... P = 1024^5). Sets *out to the value in units
 * of 1024^base, rounded. A number without a letter is in units of 1024^base. */
static int parse_scaled_number(const char *s, size_t len, int base, int64_t *out)
{
	static const char units[] = "KMGTP";
	double v, scale = 1;
	int power = base;

	if (!len)
		return -1;
	const char last = s[len - 1] >= 'a' ? (char)(s[len - 1] - 'a' + 'A') : s[len - 1];
	const char *u = last ? strchr(units, last) : NULL;
	if (u) {
		power = (int)(u - units) + 1;
		len--;
	}
	if (fsi_parse_double(s, len, &v))
		return -1;
	for (int i = base; i < power; i++)
		scale *= 1024;
	for (int i = power; i < base; i++)
		scale /= 1024;
	v = round(v * scale);
	if (v < -9.0e18 || v > 9.0e18)
		return -1;
	*out = (int64_t)v;
	return 0;
}

int fsi_parse_mem_mb(const char *s, size_t len, int64_t *mb)
{
	return parse_scaled_number(s, len, 2, mb);
}

int fsi_parse_count(const char *s, size_t len, int64_t *count)
{
	return fsi_parse_i64(s, len, count) ? parse_scaled_number(s, len, 0, count) : 0;
}

int fsi_format_u64(char *buf, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
				    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";
	enum { U64_DIGITS_MAX = 20 };
	int n = 1, at;

	for (uint64_t ten = 10; n < U64_DIGITS_MAX && v >= ten; ten *= 10)
		n++;
	buf[at = n] = '\0';
	for (; v >= 100; v /= 100) {
		at -= 2;
		memcpy(buf + at, pairs + v % 100 * 2, 2);
	}
	if (v >= 10)
		memcpy(buf, pairs + v * 2, 2);
	else
		*buf = pairs[v * 2 + 1];
	return n;
}

int fsi_format_i64(char *buf, int64_t v)
{
	*buf = '-';
	return v < 0 ? fsi_format_u64(buf + 1, 0 - (uint64_t)v) + 1 : fsi_format_u64(buf, (uint64_t)v);
}

/* Numbers of significant digits: different decimals of DIGITS_MIN digits are different doubles, and DIGITS_MAX digits
 * are enough to identify every double. */
enum { DIGITS_MIN = 15, DIGITS_MAX = 17 };

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128;

/* Writes a double from 1e-6 to 1e15 that is not an integer. Computes its decimals with integers, which is faster than
 * printf. v = m / 2^shift. A decimal d / 10^decimals reads back as v if it differs from v by less than half of
 * 1 / 2^shift, the distance between doubles. */
static int format_usual_double(char *buf, double v)
{
	int exponent, n = fsi_format_u64(buf, (uint64_t)v), decimals = DIGITS_MIN - (v < 1 ? 0 : n);
	const uint64_t m = (uint64_t)ldexp(frexp(v, &exponent), 53);
	const int shift = 53 - exponent;
	const u128 one = (u128)1 << shift, fraction = m & (one - 1);
	char digits[FSI_DOUBLE_TEXT];
	u128 power = 1;
	uint64_t d = 0;

	for (double first = 0.1; v < first; first /= 10)
		decimals++;
	for (int i = 0; i < decimals; i++)
		power *= 10;
	for (const int max = decimals + DIGITS_MAX - DIGITS_MIN; decimals <= max; decimals++, power *= 10) {
		const u128 rest = fraction * power & (one - 1);
		bool up;

		d = (uint64_t)(fraction * power >> shift);
		up = rest > one / 2 || (rest == one / 2 && d & 1);
		d += up;
		if (2 * (up ? one - rest : rest) < power)
			break;
	}
	for (; d % 10 == 0; d /= 10)
		decimals--;
	const int len = fsi_format_u64(digits, d);
	if (v < 1e-4) /* the limit of printf's %g for scientific notation */
		return snprintf(buf, FSI_DOUBLE_TEXT, "%c%s%se-%02d", *digits, len > 1 ? "." : "", digits + 1,
				decimals - len + 1);
	buf[n++] = '.';
	memset(buf + n, '0', (size_t)(decimals - len));
	memcpy(buf + n + decimals - len, digits, (size_t)len + 1);
	return n + decimals;
}
#endif

int fsi_format_double(char *buf, double v)
{
	int n = 0;

	if (v < 0) {
		*buf = '-';
		return 1 + fsi_format_double(buf + 1, -v);
	}
	if (v < 1e15 && (double)(uint64_t)v == v && !signbit(v))
		return fsi_format_u64(buf, (uint64_t)v);
#ifdef __SIZEOF_INT128__
	if (v >= 1e-6 && v < 1e15)
		return format_usual_double(buf, v);
#endif
	for (int digits = DIGITS_MIN; digits <= DIGITS_MAX; digits++) {
		n = snprintf(buf, FSI_DOUBLE_TEXT, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	return n;
}

/* Splits `v` into an odd mantissa and an exponent, and returns the exponent: v = *mantissa * 2^exponent. If `v` is not
 * positive and finite, sets *mantissa to 0. */
static int split_double_bits(double v, uint64_t *mantissa)
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

void fsi_exact_extend_range(struct fsi_exact_range *r, double v)
{
	uint64_t mantissa;
	const int low = split_double_bits(v, &mantissa);
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

struct fsi_exact_form fsi_exact_choose_form(const struct fsi_exact_range *r, size_t n)
{
	struct fsi_exact_form f = { r->low, 0 };
	int bits = r->high - r->low;

	for (; n; n >>= 1)
		bits++;
	if (r->any)
		f.words = (uint32_t)(bits + 31) / 32;
	return f;
}

static void add_word_at(uint32_t words, uint32_t *sum, uint32_t at, uint32_t v)
{
	uint64_t carry = v;

	for (; carry && at < words; at++) {
		carry += sum[at];
		sum[at] = (uint32_t)carry;
		carry >>= 32;
	}
}

void fsi_exact_add_double(struct fsi_exact_form f, uint32_t *sum, double v)
{
	uint64_t mantissa, low, high;
	const int exponent = split_double_bits(v, &mantissa);
	uint32_t at, shift;

	if (!mantissa)
		return;
	at = (uint32_t)(exponent - f.low) / 32;
	shift = (uint32_t)(exponent - f.low) % 32;
	low = (mantissa & UINT32_MAX) << shift;
	high = mantissa >> 32 << shift;
	add_word_at(f.words, sum, at, (uint32_t)low);
	add_word_at(f.words, sum, at + 1, (uint32_t)(low >> 32 | high));
	add_word_at(f.words, sum, at + 2, (uint32_t)(high >> 32));
}

void fsi_exact_add_words(uint32_t words, uint32_t *sum, const uint32_t *v)
{
	uint64_t carry = 0;

	for (uint32_t i = 0; i < words; i++) {
		carry += (uint64_t)sum[i] + v[i];
		sum[i] = (uint32_t)carry;
		carry >>= 32;
	}
}

bool fsi_exact_is_zero(uint32_t words, const uint32_t *v)
{
	for (uint32_t i = 0; i < words; i++)
		if (v[i])
			return false;
	return true;
}

int fsi_exact_compare_words(uint32_t words, const uint32_t *a, const uint32_t *b)
{
	for (uint32_t i = words; i-- > 0;)
		if (a[i] != b[i])
			return a[i] > b[i] ? 1 : -1;
	return 0;
}

void fsi_exact_multiply_words(uint32_t *out, const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb)
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

static int count_used_bits(uint32_t words, const uint32_t *v)
{
	while (words && !v[words - 1])
		words--;
	if (!words)
		return 0;
	int bits = (int)(words - 1) * 32;
	for (uint32_t top = v[words - 1]; top; top >>= 1)
		bits++;
	return bits;
}

static void shift_words_left(uint32_t words, uint32_t *v, uint32_t bits)
{
	const uint32_t whole = bits / 32, part = bits % 32;

	for (uint32_t i = words; i-- > 0;) {
		const uint32_t high = i >= whole ? v[i - whole] : 0;
		const uint32_t low = i > whole ? v[i - whole - 1] : 0;

		v[i] = part ? high << part | low >> (32 - part) : high;
	}
}

static void subtract_words_from(uint32_t words, uint32_t *a, const uint32_t *b)
{
	uint64_t borrow = 0;

	for (uint32_t i = 0; i < words; i++) {
		const uint64_t d = (uint64_t)a[i] - b[i] - borrow;

		a[i] = (uint32_t)d;
		borrow = d >> 63;
	}
}

/* Long division, one bit per step: computes 54 bits of the quotient, one more than a double has. The last bit and the
 * remainder decide the rounding. */
double fsi_exact_divide_words(uint32_t words, const uint32_t *a, const uint32_t *b, uint32_t *work)
{
	const uint32_t n = words + 1;
	uint32_t *rest = work, *divisor = work + n;
	const int an = count_used_bits(words, a), bn = count_used_bits(words, b);
	int exponent = an - bn;
	uint64_t q = 0;

	if (!an)
		return 0;
	memcpy(rest, a, words * sizeof(*a));
	memcpy(divisor, b, words * sizeof(*b));
	rest[words] = divisor[words] = 0;
	shift_words_left(n, exponent < 0 ? rest : divisor, (uint32_t)(exponent < 0 ? -exponent : exponent));
	if (fsi_exact_compare_words(n, rest, divisor) < 0) {
		shift_words_left(n, rest, 1);
		exponent--;
	}
	for (int i = 0; i < 54; i++) {
		q <<= 1;
		if (fsi_exact_compare_words(n, rest, divisor) >= 0) {
			subtract_words_from(n, rest, divisor);
			q |= 1;
		}
		shift_words_left(n, rest, 1);
	}
	const bool half = q & 1, more = !fsi_exact_is_zero(n, rest);
	q >>= 1;
	if (half && (more || (q & 1)))
		q++;
	return ldexp((double)q, exponent - 52);
}

/* Flux job ids in base 58 (RFC 19 of Flux; src/common/libutil/fluid.c): a prefix, then digits of the Bitcoin alphabet
 * without leading zeros. Id 0 is written as one zero digit, "1". */

static const char f58_digits[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
static const char f58_prefix[] = "\xc6\x92"; /* U+0192, the letter ƒ */
enum { F58_BASE = sizeof(f58_digits) - 1, F58_DIGITS_MAX = 11 };

const char *fs_f58_format(uint64_t id, bool ascii, char buf[FS_F58_TEXT])
{
	char reversed[F58_DIGITS_MAX];
	size_t n = 0, k;

	do {
		reversed[n++] = f58_digits[id % F58_BASE];
		id /= F58_BASE;
	} while (id);
	strcpy(buf, ascii ? "f" : f58_prefix);
	k = strlen(buf);
	while (n)
		buf[k++] = reversed[--n];
	buf[k] = '\0';
	return buf;
}

int fsi_f58_parse_id(const char *s, uint64_t *id)
{
	uint64_t v = 0;

	if (!strncmp(s, f58_prefix, sizeof(f58_prefix) - 1))
		s += sizeof(f58_prefix) - 1;
	else if (*s == 'f')
		s++;
	else
		return -1;
	if (!*s)
		return -1;
	for (; *s; s++) {
		const char *d = strchr(f58_digits, *s);
		const uint64_t digit = d ? (uint64_t)(d - f58_digits) : F58_BASE;

		if (!d || v > (UINT64_MAX - digit) / F58_BASE)
			return -1;
		v = v * F58_BASE + digit;
	}
	*id = v;
	return 0;
}
