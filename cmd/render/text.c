#include "render/text.h"
#include "render/digits.h"

#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
