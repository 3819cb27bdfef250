#include "base/num.h"

#include "base/number/shortest.h"
#include "base/text.h"
#include "fs.h"

#include <math.h>
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
	enum { EXACT = 15 }; /* so many digits are a double whatever they are */
	char buf[512], *end;
	size_t i = 0;
	uint64_t whole;
	double v;

	if (!len || len >= sizeof(buf))
		return -1;
	if (len <= EXACT && !fsi_parse_u64(s, len, &whole)) {
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

int64_t fsi_floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Howard Hinnant's days_from_civil: years begin in March, so that leap days end them. */
int64_t fsi_days_from_civil(int64_t y, int64_t m, int64_t d)
{
	y -= m <= 2;
	const int64_t era = fsi_floor_div(y, 400), yoe = y - era * 400;
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
	int64_t month = fsi_floor_div(day * 400 * 12, 146097);

	while (fsi_first_of_month(month) > day)
		month--;
	while (fsi_first_of_month(month + 1) <= day)
		month++;
	return month;
}

int64_t fsi_first_of_month(int64_t month)
{
	const int64_t year = fsi_floor_div(month, 12);

	return fsi_days_from_civil(1970 + year, month - year * 12 + 1, 1);
}

/* 100 if they are none. */
static int two_digits(const char *s)
{
	return fsi_is_digit(s[0]) && fsi_is_digit(s[1]) ? (s[0] - '0') * 10 + (s[1] - '0') : 100;
}

int fsi_parse_civil(const char *s, size_t len, int64_t *seconds)
{
	static const char form[] = "yyyy-mm-ddThh:mm:ss";

	if (len != sizeof(form) - 1 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':')
		return -1;
	const int century = two_digits(s), years = two_digits(s + 2), year = century * 100 + years,
		  month = two_digits(s + 5), day = two_digits(s + 8), hours = two_digits(s + 11),
		  minutes = two_digits(s + 14), rest = two_digits(s + 17);
	if (century > 99 || years > 99 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) ||
	    hours > 23 || minutes > 59 || rest > 60)
		return -1;
	*seconds = fsi_days_from_civil(year, month, day) * 86400 + hours * 3600 + minutes * 60 + rest;
	return 0;
}

/* `1.5G` to 1.5 * 1024^3 / 1024^base; letters K=1 .. P=5. */
static int parse_scaled(const char *s, size_t len, int base, int64_t *out)
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
	return parse_scaled(s, len, 2, mb);
}

int fsi_parse_count(const char *s, size_t len, int64_t *count)
{
	return fsi_parse_i64(s, len, count) ? parse_scaled(s, len, 0, count) : 0;
}

int fsi_format_u64(char *buf, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
				    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";
	enum { MOST = 20 };
	int n = 1, at;

	for (uint64_t ten = 10; n < MOST && v >= ten; ten *= 10)
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

static char *put_zeros(char *to, int n)
{
	for (; n > 0; n--)
		*to++ = '0';
	return to;
}

static char *put_digits(char *to, const char *digits, int n)
{
	memcpy(to, digits, (size_t)n);
	return to + n;
}

/* d.dde+XX, with two digits of exponent at least. */
static char *put_scientific(char *to, const char *digits, int n, int power)
{
	*to++ = *digits;
	if (n > 1)
		*to++ = '.';
	to = put_digits(to, digits + 1, n - 1);
	*to++ = 'e';
	*to++ = power < 0 ? '-' : '+';
	power = power < 0 ? -power : power;
	if (power < 10)
		*to++ = '0';
	return to + fsi_format_u64(to, (uint64_t)power);
}

/* power: of the first digit, -4 or more */
static char *put_fixed(char *to, const char *digits, int n, int power)
{
	const int before = power < 0 ? 0 : power + 1;

	if (!before)
		*to++ = '0';
	to = put_digits(to, digits, before < n ? before : n);
	to = put_zeros(to, before - n);
	if (before >= n)
		return to;
	*to++ = '.';
	to = put_zeros(to, -power - 1);
	return put_digits(to, digits + before, n - before);
}

/* As printf's %.*g with the digits needed, but 15 at least, chooses between the two ways. */
int fsi_format_double(char *buf, double v)
{
	const double size = fabs(v);
	struct fsi_decimal d;
	char digits[24], *to = buf;

	if (signbit(v))
		*to++ = '-';
	if (size < 1e15 && (double)(uint64_t)size == size)
		return (int)(to - buf) + fsi_format_u64(to, (uint64_t)size);
	d = fsi_shortest(v);
	const int n = fsi_format_u64(digits, d.digits), power = d.exponent + n - 1;
	if (power < -4 || power >= (n < 15 ? 15 : n))
		to = put_scientific(to, digits, n, power);
	else
		to = put_fixed(to, digits, n, power);
	*to = '\0';
	return (int)(to - buf);
}
