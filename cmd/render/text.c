#include "render/text.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* format_fixed_digits formats v * 10^digits, rounded to the nearest integer. It calls printf instead if the product is
 * farther than certain_distance from that integer, or is not less than max_exact_units. In both cases the rounding
 * error of the product may give a wrong digit. */
static const double certain_distance = 0.4999, max_exact_units = 1e14;

static size_t format_by_printf(char buf[DIGITS_TEXT], double v, int digits, bool sign)
{
	const int n = snprintf(buf, DIGITS_TEXT, sign ? "%+.*f" : "%.*f", digits, v);

	if (n < DIGITS_TEXT)
		return (size_t)n;
	return (size_t)snprintf(buf, DIGITS_TEXT, sign ? "%+.17e" : "%.17e", v);
}

static const double powers_of_10[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
enum { POWERS_OF_10 = sizeof(powers_of_10) / sizeof(*powers_of_10) };

/* Stores the last n decimal digits of v. */
static void store_last_digits(char *to, uint64_t v, size_t n)
{
	for (size_t at = n; at--; v /= 10)
		to[at] = (char)('0' + v % 10);
}

size_t format_whole_digits(char buf[DIGITS_WHOLE], uint64_t v)
{
	size_t n = 1;

	for (uint64_t left = v; left >= 10; left /= 10)
		n++;
	store_last_digits(buf, v, n);
	buf[n] = '\0';
	return n;
}

size_t format_fixed_digits(char buf[DIGITS_TEXT], double v, int digits, bool sign)
{
	const double units = fabs(v) * powers_of_10[digits], whole = rint(units);
	size_t len = 0;

	if (!(units < max_exact_units) || fabs(units - whole) > certain_distance)
		return format_by_printf(buf, v, digits, sign);
	const uint64_t n = (uint64_t)whole;
	if (signbit(v) || sign)
		buf[len++] = signbit(v) ? '-' : '+';
	len += format_whole_digits(buf + len, n / (uint64_t)powers_of_10[digits]);
	if (digits) {
		buf[len] = '.';
		store_last_digits(buf + len + 1, n, (size_t)digits);
		len += 1 + (size_t)digits;
		buf[len] = '\0';
	}
	return len;
}

/* Returns true if strtod gets v back from the text of v with `digits` decimals. The test divides an integer by a power
 * of 10. Both are exact, so the quotient is the number that strtod reads: the double nearest to the printed number. */
static bool is_exact_with_digits(double v, int digits)
{
	return rint(v * powers_of_10[digits]) / powers_of_10[digits] == v;
}

bool format_fewest_digits(char buf[DIGITS_TEXT], double v, int most)
{
	int digits = 0;

	while (digits < most && digits + 1 < POWERS_OF_10 && !is_exact_with_digits(v, digits))
		digits++;
	if (!(fabs(v) * powers_of_10[digits] < max_exact_units) || (digits < most && !is_exact_with_digits(v, digits)))
		return false;
	format_fixed_digits(buf, v, digits, false);
	return true;
}

bool text_has_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* Prints the fewest digits from which v can be read back. Numbers from 1e-4 to below 1e16 are printed without an
 * exponent. */
char *text_format_python(char buf[TEXT_PYTHON], double v)
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

static void print_blank_columns(FILE *out, size_t n)
{
	static const char blanks[] = "                ";

	for (size_t some; n; n -= some) {
		some = n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1;
		fwrite(blanks, 1, some, out);
	}
}

/* Prints a table cell, aligned, and a blank after it. */
static void print_aligned_cell(FILE *out, int width, const char *s, size_t n)
{
	const size_t columns = (size_t)abs(width), blanks = n < columns ? columns - n : 0;

	if (width > 0)
		print_blank_columns(out, blanks);
	fwrite(s, 1, n, out);
	print_blank_columns(out, (width < 0 ? blanks : 0) + 1);
}

void field_print_blank(FILE *out, enum field_style style, int width)
{
	if (style == FIELD_TABLE)
		print_aligned_cell(out, width, "", 0);
}

void field_print_text(FILE *out, enum field_style style, int width, const char *s, size_t len)
{
	const size_t columns = (size_t)abs(width);

	if (style == FIELD_PARSABLE)
		fwrite(s, 1, len, out);
	else if (len > columns && columns)
		fprintf(out, "%.*s+ ", (int)columns - 1, s);
	else
		print_aligned_cell(out, width, s, len);
}

void field_print_u64(FILE *out, enum field_style style, int width, uint64_t v)
{
	char buf[DIGITS_WHOLE];
	const size_t n = format_whole_digits(buf, v);

	if (style == FIELD_PARSABLE)
		fwrite(buf, 1, n, out);
	else
		print_aligned_cell(out, width, buf, n);
}

/* Returns the precision for printf's %e with which the printed number, d.ddde+XX, is as wide as the column. */
static int get_exponent_precision(double v, int columns)
{
	char exponent[16];
	const char *e;

	if (columns < 6)
		return 6;
	snprintf(exponent, sizeof(exponent), "%.0e", v);
	e = strchr(exponent, 'e');
	return columns - 2 - (int)(e ? strlen(e) : 4) - (v < 0) > 0 ? columns - 2 - (int)(e ? strlen(e) : 4) - (v < 0)
								    : 0;
}

void field_print_double(FILE *out, enum field_style style, int width, double v)
{
	enum { DIGITS = 6 };
	const int columns = abs(width);
	char buf[400];

	if (isnan(v)) {
		field_print_blank(out, style, width);
		return;
	}
	const size_t n = fabs(v) < 1e14 ? format_fixed_digits(buf, v, DIGITS, false)
					: (size_t)snprintf(buf, sizeof(buf), "%f", v);

	if (style == FIELD_PARSABLE)
		fwrite(buf, 1, n, out);
	else if (n > (size_t)columns)
		fprintf(out, "%.*e ", get_exponent_precision(v, columns), v);
	else
		print_aligned_cell(out, width, buf, n);
}

/* Formats v with the fewest decimals, at most `max`, for which the relative error of the printed number is at most
 * `rounding`: 0.9^3 becomes 0.729. */
static void format_by_trying(char *buf, size_t size, double v, int max)
{
	const double rounding = 1e-15; /* relative precision of 15 decimal digits, which a double can represent */

	for (int digits = 0; digits <= max; digits++) {
		snprintf(buf, size, "%.*f", digits, v);
		if (fabs(strtod(buf, NULL) - v) <= rounding * fabs(v))
			break;
	}
}

const char *text_format_number(char *buf, size_t size, double v, int max)
{
	size_t n;

	if (isnan(v))
		return "unknown";
	if (isinf(v) || fabs(v) > 1e100)
		return v > 0 ? "inf" : "-inf";
	if (!format_fewest_digits(buf, v, max))
		format_by_trying(buf, size, v, max);
	n = strlen(buf);
	while (strchr(buf, '.') && (buf[n - 1] == '0' || buf[n - 1] == '.')) {
		const bool point = buf[n - 1] == '.';

		buf[--n] = '\0';
		if (point)
			break;
	}
	return strcmp(buf, "-0") ? buf : "0";
}

/* Text from a snapshot, a file or the command line is made safe for a terminal only by the functions below. Characters
 * that Unicode 15 classifies as graphic or blank stay unchanged; others become ASCII escapes. */

struct character_range {
	uint32_t first, last;
};

/* Invisible non-ASCII characters, ordered by code point: C1 controls, direction marks, joiners, fillers, line and
 * paragraph separators, tags, surrogates and noncharacters. */
static const struct character_range unseen_characters[] = {
	{ 0x80, 0x9f },       { 0xad, 0xad },       { 0x34f, 0x34f },   { 0x61c, 0x61c },     { 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 },   { 0x180b, 0x180f },   { 0x200b, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f },
	{ 0x3164, 0x3164 },   { 0xd800, 0xdfff },   { 0xfdd0, 0xfdef }, { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb },   { 0xfffe, 0xffff }, { 0x13430, 0x1345f }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

bool text_is_invisible(uint32_t c)
{
	for (size_t i = 0; i < sizeof(unseen_characters) / sizeof(*unseen_characters); i++)
		if (c <= unseen_characters[i].last)
			return c >= unseen_characters[i].first;
	return (c & 0xfffe) == 0xfffe;
}

size_t text_decode_character(const char *s, uint32_t *c)
{
	static const uint32_t min[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	const unsigned n = *u < 0x80             ? 1
			   : (*u & 0xe0) == 0xc0 ? 2
			   : (*u & 0xf0) == 0xe0 ? 3
			   : (*u & 0xf8) == 0xf0 ? 4
						 : 0;

	*c = n < 2 ? *u : *u & (0xffu >> (n + 1));
	for (unsigned i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (u[i] & 0x3f);
	}
	return n && *c >= min[n] && *c <= 0x10ffff ? n : 0;
}

size_t text_escape_next(const char **at, char out[TEXT_STEP])
{
	const unsigned char u = (unsigned char)**at;
	uint32_t c;
	const size_t n = text_decode_character(*at, &c);

	*at += n ? n : 1;
	if (u < 0x20 || u == 0x7f) {
		out[0] = '^';
		out[1] = (char)(u ^ 0x40);
		return 2;
	}
	if (!n)
		return (size_t)snprintf(out, TEXT_STEP, "\\x%02x", u);
	if (n > 1 && text_is_invisible(c))
		return (size_t)snprintf(out, TEXT_STEP, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
	memcpy(out, *at - n, n);
	return n;
}

/* Returns true if s begins with one of the texts that text_encode_next stores for a character. */
static bool is_encoded_character(const char *s)
{
	const size_t digits = *s != '\\' ? 0 : s[1] == 'x' ? 2 : s[1] == 'u' ? 4 : s[1] == 'U' ? 8 : 0;

	return digits && strspn(s + 2, "0123456789abcdef") >= digits;
}

size_t text_encode_next(const char **at, char out[TEXT_STEP])
{
	const unsigned char u = (unsigned char)**at;
	uint32_t c;
	const size_t n = text_decode_character(*at, &c);

	if (!n || u < 0x20 || u == 0x7f || is_encoded_character(*at)) {
		++*at;
		return (size_t)snprintf(out, TEXT_STEP, "\\x%02x", u);
	}
	*at += n;
	if (n > 1 && text_is_invisible(c))
		return (size_t)snprintf(out, TEXT_STEP, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
	memcpy(out, *at - n, n);
	return n;
}

size_t text_copy_escaped(char *dst, size_t size, const char *src)
{
	char step[TEXT_STEP];
	size_t n = 0;

	while (*src >= 0x20 && *src < 0x7f && n + 1 < size) /* most texts contain only printable ASCII */
		dst[n++] = *src++;
	while (*src) {
		const size_t more = text_escape_next(&src, step);

		if (n + more >= size)
			break;
		memcpy(dst + n, step, more);
		n += more;
	}
	dst[n] = '\0';
	return n;
}

char *text_make_visible(char *dst, size_t size, const char *src)
{
	text_copy_escaped(dst, size, src);
	return dst;
}

int text_get_width(const char *s)
{
	char visible[256];
	size_t n = 0;

	while (s[n] >= 0x20 && s[n] < 0x7f && n + 1 < sizeof(visible))
		n++;
	if (!s[n])
		return (int)n;
	return (int)strlen(text_make_visible(visible, sizeof(visible), s));
}

char *text_colon_duration(char *buf, size_t size, int64_t seconds)
{
	const char *sign = seconds < 0 ? "-" : "";
	const long long s = seconds < 0 ? -seconds : seconds, days = s / 86400, hours = s / 3600 % 24;
	const int minutes = (int)(s / 60 % 60), rest = (int)(s % 60);

	if (seconds >= 8640000 || seconds <= -864000)
		snprintf(buf, size, "%sINFINITY", sign);
	else if (days)
		snprintf(buf, size, "%s%lld:%02lld:%02d:%02d", sign, days, hours, minutes, rest);
	else
		snprintf(buf, size, hours ? "%s%lld:%02d:%02d" : "%s%02lld:%02d:%02d", sign, hours, minutes, rest);
	return buf;
}

static int parse_number_or_star(const char **at, va_list *ap)
{
	int n = 0;

	if (**at == '*') {
		++*at;
		return va_arg(*ap, int);
	}
	while (**at >= '0' && **at <= '9')
		n = n * 10 + (*(*at)++ - '0');
	return n;
}

void parse_format_conversion(struct spec *f, const char **at, va_list *ap)
{
	size_t n = strspn(*at, "-+ #0");

	*f = (struct spec){ .precision = -1 };
	memcpy(f->flags, *at, n < sizeof(f->flags) - 1 ? n : sizeof(f->flags) - 1);
	*at += n;
	f->width = parse_number_or_star(at, ap);
	if (f->width < 0 && !strchr(f->flags, '-'))
		strcat(f->flags, "-");
	f->width = f->width < 0 ? -f->width : f->width;
	if (**at == '.') {
		++*at;
		f->precision = parse_number_or_star(at, ap);
	}
	n = strspn(*at, "hlzjt");
	memcpy(f->length, *at, n < sizeof(f->length) - 1 ? n : sizeof(f->length) - 1);
	*at += n;
	f->conversion = **at;
	*at += **at != '\0';
}

bool is_double_conversion(const struct spec *f)
{
	return f->conversion == 'f' || f->conversion == 'e' || f->conversion == 'g';
}

/* Takes the argument of the conversion from the argument list. Returns true if the argument is a NaN. */
static bool take_nan_argument(const struct spec *f, va_list *ap)
{
	if (f->conversion == '%' || !f->conversion)
		return false;
	if (is_double_conversion(f))
		return isnan(va_arg(*ap, double));
	if (f->conversion == 's')
		(void)va_arg(*ap, const char *);
	else if (!strcmp(f->length, "ll") || *f->length == 'j')
		(void)va_arg(*ap, long long);
	else if (*f->length == 'l')
		(void)va_arg(*ap, long);
	else if (*f->length == 'z' || *f->length == 't')
		(void)va_arg(*ap, size_t);
	else
		(void)va_arg(*ap, int);
	return false;
}

static bool has_nan_argument(const char *fmt, va_list ap)
{
	bool found = false;
	va_list own;

	va_copy(own, ap);
	while (!found && (fmt = strchr(fmt, '%'))) {
		struct spec f;

		fmt++;
		parse_format_conversion(&f, &fmt, &own);
		found = take_nan_argument(&f, &own);
	}
	va_end(own);
	return found;
}

/* Turns off the warning about format strings that are not literals. The functions below build format strings from
 * parsed conversions. The compiler checks the literal format strings of the callers. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static int format_integer_conversion(char *buf, size_t size, const struct spec *f, const char *fmt, va_list *ap)
{
	if (!strcmp(f->length, "ll") || *f->length == 'j')
		return snprintf(buf, size, fmt, f->width, f->precision, va_arg(*ap, long long));
	if (*f->length == 'l')
		return snprintf(buf, size, fmt, f->width, f->precision, va_arg(*ap, long));
	if (*f->length == 'z' || *f->length == 't')
		return snprintf(buf, size, fmt, f->width, f->precision, va_arg(*ap, size_t));
	return snprintf(buf, size, fmt, f->width, f->precision, va_arg(*ap, int));
}

static int format_one_conversion(char *buf, size_t size, const struct spec *f, va_list *ap)
{
	const int width = strchr(f->flags, '-') ? -f->width : f->width;
	char fmt[24];
	double v;

	snprintf(fmt, sizeof(fmt), "%%%s*.*%s%c", f->flags, f->length, f->conversion);
	if (f->conversion == '%')
		return snprintf(buf, size, "%%");
	if (f->conversion == 'c')
		return snprintf(buf, size, "%*c", width, va_arg(*ap, int));
	if (f->conversion == 's')
		return snprintf(buf, size, fmt, f->width, f->precision, va_arg(*ap, const char *));
	if (!is_double_conversion(f))
		return format_integer_conversion(buf, size, f, fmt, ap);
	v = va_arg(*ap, double);
	return isnan(v) ? snprintf(buf, size, "%*s", width, "?") : snprintf(buf, size, fmt, f->width, f->precision, v);
}

#pragma GCC diagnostic pop

/* Formats the conversions of `fmt` one by one, and an argument that is NaN as "?". */
__attribute__((format(printf, 3, 0))) static int format_by_conversions(char *buf, size_t size, const char *fmt,
								       va_list *ap)
{
	size_t n = 0;

	while (*fmt) {
		const size_t plain = strcspn(fmt, "%"), at = n < size ? n : size;
		struct spec f;

		snprintf(buf + at, size - at, "%.*s", (int)plain, fmt);
		n += plain;
		fmt += plain;
		if (*fmt) {
			const size_t to = n < size ? n : size;

			fmt++;
			parse_format_conversion(&f, &fmt, ap);
			n += (size_t)format_one_conversion(buf + to, size - to, &f, ap);
		}
	}
	return (int)n;
}

int format_args(char *buf, size_t size, const char *fmt, va_list ap)
{
	va_list own;
	int n;

	if (!has_nan_argument(fmt, ap))
		return vsnprintf(buf, size, fmt, ap);
	va_copy(own, ap);
	n = format_by_conversions(buf, size, fmt, &own);
	va_end(own);
	return n;
}

int format_text(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = format_args(buf, size, fmt, ap);
	va_end(ap);
	return n;
}

char *append_text(char *buf, size_t size, const char *fmt, ...)
{
	const size_t len = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	format_args(buf + len, size - len, fmt, ap);
	va_end(ap);
	return buf;
}
