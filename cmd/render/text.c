#include "render/text.h"

#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What lies so near the middle between two of the last digit takes the exact way: the product may be beyond it. */
static const double sure = 0.4999, digits_max = 1e14;

static size_t by_printf(char buf[DIGITS_TEXT], double v, int digits, bool sign)
{
	const int n = snprintf(buf, DIGITS_TEXT, sign ? "%+.*f" : "%.*f", digits, v);

	if (n < DIGITS_TEXT)
		return (size_t)n;
	return (size_t)snprintf(buf, DIGITS_TEXT, sign ? "%+.17e" : "%.17e", v);
}

static const double ten[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
enum { TENS = sizeof(ten) / sizeof(*ten) };

/* Puts the last n digits. */
static void put_digits(char *to, uint64_t v, size_t n)
{
	for (size_t at = n; at--; v /= 10)
		to[at] = (char)('0' + v % 10);
}

size_t digits_whole(char buf[DIGITS_WHOLE], uint64_t v)
{
	size_t n = 1;

	for (uint64_t left = v; left >= 10; left /= 10)
		n++;
	put_digits(buf, v, n);
	buf[n] = '\0';
	return n;
}

size_t digits_fixed(char buf[DIGITS_TEXT], double v, int digits, bool sign)
{
	const double units = fabs(v) * ten[digits], whole = rint(units);
	size_t len = 0;

	if (!(units < digits_max) || fabs(units - whole) > sure)
		return by_printf(buf, v, digits, sign);
	const uint64_t n = (uint64_t)whole;
	if (signbit(v) || sign)
		buf[len++] = signbit(v) ? '-' : '+';
	len += digits_whole(buf + len, n / (uint64_t)ten[digits]);
	if (digits) {
		buf[len] = '.';
		put_digits(buf + len + 1, n, (size_t)digits);
		len += 1 + (size_t)digits;
		buf[len] = '\0';
	}
	return len;
}

/* Returns whether so many decimals read back as v. The quotient of two exact numbers is rounded once, as strtod
 * rounds. */
static bool reads_back(double v, int digits)
{
	return rint(v * ten[digits]) / ten[digits] == v;
}

bool digits_fewest(char buf[DIGITS_TEXT], double v, int most)
{
	int digits = 0;

	while (digits < most && digits + 1 < TENS && !reads_back(v, digits))
		digits++;
	if (!(fabs(v) * ten[digits] < digits_max) || (digits < most && !reads_back(v, digits)))
		return false;
	digits_fixed(buf, v, digits, false);
	return true;
}

bool text_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* The shortest digits that read back as v; fixed from 1e-4 up to below 1e16. */
char *text_python(char buf[TEXT_PYTHON], double v)
{
	int precision = 0, exponent;
	char *e;

	buf[0] = '\0';
	if (isnan(v))
		return buf;
	if (isinf(v))
		return strcpy(buf, v > 0 ? "inf" : "-inf");
	do
		snprintf(buf, TEXT_PYTHON, "%.*e", precision, v);
	while (strtod(buf, NULL) != v && ++precision < 17);
	e = strchr(buf, 'e');
	exponent = atoi(e + 1);
	if (exponent < -4 || exponent >= 16)
		return buf;
	snprintf(buf, TEXT_PYTHON, "%.*f", precision > exponent ? precision - exponent : 1, v);
	return buf;
}

static void put_blanks(FILE *out, size_t n)
{
	static const char blanks[] = "                ";

	for (size_t some; n; n -= some) {
		some = n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1;
		fwrite(blanks, 1, some, out);
	}
}

/* Prints a cell of a table, and a blank behind it. */
static void put_aligned(FILE *out, int width, const char *s, size_t n)
{
	const size_t room = (size_t)abs(width), blanks = n < room ? room - n : 0;

	if (width > 0)
		put_blanks(out, blanks);
	fwrite(s, 1, n, out);
	put_blanks(out, (width < 0 ? blanks : 0) + 1);
}

void field_blank(FILE *out, enum field_style style, int width)
{
	if (style == FIELD_TABLE)
		put_aligned(out, width, "", 0);
}

void field_text(FILE *out, enum field_style style, int width, const char *s, size_t len)
{
	const size_t room = (size_t)abs(width);

	if (style == FIELD_PARSABLE)
		fwrite(s, 1, len, out);
	else if (len > room && room)
		fprintf(out, "%.*s+ ", (int)room - 1, s);
	else
		put_aligned(out, width, s, len);
}

void field_u64(FILE *out, enum field_style style, int width, uint64_t v)
{
	char buf[DIGITS_WHOLE];
	const size_t n = digits_whole(buf, v);

	if (style == FIELD_PARSABLE)
		fwrite(buf, 1, n, out);
	else
		put_aligned(out, width, buf, n);
}

/* The precision that makes d.ddde+XX as wide as the column. */
static int exponent_precision(double v, int room)
{
	char exponent[16];
	const char *e;

	if (room < 6)
		return 6;
	snprintf(exponent, sizeof(exponent), "%.0e", v);
	e = strchr(exponent, 'e');
	return room - 2 - (int)(e ? strlen(e) : 4) - (v < 0) > 0
		       ? room - 2 - (int)(e ? strlen(e) : 4) - (v < 0)
		       : 0;
}

void field_double(FILE *out, enum field_style style, int width, double v)
{
	enum { DIGITS = 6 };
	const int room = abs(width);
	char buf[400];

	if (isnan(v)) {
		field_blank(out, style, width);
		return;
	}
	const size_t n = fabs(v) < 1e14 ? digits_fixed(buf, v, DIGITS, false) : (size_t)snprintf(buf, sizeof(buf), "%f", v);

	if (style == FIELD_PARSABLE)
		fwrite(buf, 1, n, out);
	else if (n > (size_t)room)
		fprintf(out, "%.*e ", exponent_precision(v, room), v);
	else
		put_aligned(out, width, buf, n);
}

/* Uses the fewest digits that differ from v by no more than a few roundings: 0.9^3 is 0.729. */
static void by_trying(char *buf, size_t size, double v, int max)
{
	const double rounding = 1e-15; /* a double holds 15 decimal digits */

	for (int digits = 0; digits <= max; digits++) {
		snprintf(buf, size, "%.*f", digits, v);
		if (fabs(strtod(buf, NULL) - v) <= rounding * fabs(v))
			break;
	}
}

const char *text_number(char *buf, size_t size, double v, int max)
{
	size_t n;

	if (isnan(v))
		return "unknown";
	if (isinf(v) || fabs(v) > 1e100)
		return v > 0 ? "inf" : "-inf";
	if (!digits_fewest(buf, v, max))
		by_trying(buf, size, v, max);
	n = strlen(buf);
	while (strchr(buf, '.') && (buf[n - 1] == '0' || buf[n - 1] == '.')) {
		const bool point = buf[n - 1] == '.';

		buf[--n] = '\0';
		if (point)
			break;
	}
	return strcmp(buf, "-0") ? buf : "0";
}

/* The one place that makes text of a snapshot, a file or the command line harmless. What stays is what Unicode 15 calls
 * graphic or blank; what is shown in its place is ASCII. */

struct range {
	uint32_t first, last;
};

/* Characters that are not seen but do something: controls (C1), marks of direction, joiners, fillers, line and
 * paragraph separators, tags, and what is no character at all. */
static const struct range unseen[] = {
	{ 0x80, 0x9f },	      { 0xad, 0xad },	    { 0x34f, 0x34f },	  { 0x61c, 0x61c },
	{ 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },	  { 0x200b, 0x200f },
	{ 0x2028, 0x202e },   { 0x2060, 0x206f },   { 0x3164, 0x3164 },	  { 0xd800, 0xdfff },
	{ 0xfdd0, 0xfdef },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },	  { 0xffa0, 0xffa0 },
	{ 0xfff0, 0xfffb },   { 0xfffe, 0xffff },   { 0x13430, 0x1345f }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

bool text_unseen(uint32_t c)
{
	for (size_t i = 0; i < sizeof(unseen) / sizeof(*unseen); i++)
		if (c <= unseen[i].last)
			return c >= unseen[i].first;
	return (c & 0xfffe) == 0xfffe;
}

size_t text_character(const char *s, uint32_t *c)
{
	static const uint32_t min[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	const unsigned n = *u < 0x80 ? 1 : (*u & 0xe0) == 0xc0 ? 2 : (*u & 0xf0) == 0xe0 ? 3 :
			   (*u & 0xf8) == 0xf0 ? 4 : 0;

	*c = n < 2 ? *u : *u & (0xffu >> (n + 1));
	for (unsigned i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (u[i] & 0x3f);
	}
	return n && *c >= min[n] && *c <= 0x10ffff ? n : 0;
}

size_t text_step(const char **at, char out[TEXT_STEP])
{
	const unsigned char u = (unsigned char)**at;
	uint32_t c;
	const size_t n = text_character(*at, &c);

	*at += n ? n : 1;
	if (u < 0x20 || u == 0x7f) {
		out[0] = '^';
		out[1] = (char)(u ^ 0x40);
		return 2;
	}
	if (!n)
		return (size_t)snprintf(out, TEXT_STEP, "\\x%02x", u);
	if (n > 1 && text_unseen(c))
		return (size_t)snprintf(out, TEXT_STEP, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
	memcpy(out, *at - n, n);
	return n;
}

size_t text_show(char *dst, size_t size, const char *src)
{
	char step[TEXT_STEP];
	size_t n = 0;

	while (*src >= 0x20 && *src < 0x7f && n + 1 < size) /* most texts are of nothing else */
		dst[n++] = *src++;
	while (*src) {
		const size_t more = text_step(&src, step);

		if (n + more >= size)
			break;
		memcpy(dst + n, step, more);
		n += more;
	}
	dst[n] = '\0';
	return n;
}

char *text_visible(char *dst, size_t size, const char *src)
{
	text_show(dst, size, src);
	return dst;
}

int text_width(const char *s)
{
	char visible[256];
	size_t n = 0;

	while (s[n] >= 0x20 && s[n] < 0x7f && n + 1 < sizeof(visible))
		n++;
	if (!s[n])
		return (int)n;
	return (int)strlen(text_visible(visible, sizeof(visible), s));
}

char *text_colon_duration(char *buf, size_t size, int64_t seconds)
{
	const char *sign = seconds < 0 ? "-" : "";
	const long long s = seconds < 0 ? -seconds : seconds, days = s / 86400,
			hours = s / 3600 % 24;
	const int minutes = (int)(s / 60 % 60), rest = (int)(s % 60);

	if (seconds >= 8640000 || seconds <= -864000)
		snprintf(buf, size, "%sINFINITY", sign);
	else if (days)
		snprintf(buf, size, "%s%lld:%02lld:%02d:%02d", sign, days, hours, minutes, rest);
	else
		snprintf(buf, size, hours ? "%s%lld:%02d:%02d" : "%s%02lld:%02d:%02d", sign, hours, minutes, rest);
	return buf;
}
