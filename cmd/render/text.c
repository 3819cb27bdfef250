#include "render/text.h"

#include <inttypes.h>
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

void field_blank(FILE *out, enum field_style style, int width)
{
	if (style == FIELD_TABLE)
		fprintf(out, "%*s ", abs(width), "");
}

void field_str(FILE *out, enum field_style style, int width, const char *s)
{
	const size_t room = (size_t)abs(width), len = strlen(s);

	if (style == FIELD_PARSABLE)
		fputs(s, out);
	else if (len > room && room)
		fprintf(out, "%.*s+ ", (int)room - 1, s);
	else
		fprintf(out, "%*s ", width, s);
}

void field_u64(FILE *out, enum field_style style, int width, uint64_t v)
{
	if (style == FIELD_PARSABLE)
		fprintf(out, "%" PRIu64, v);
	else
		fprintf(out, "%*" PRIu64 " ", width, v);
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
	const int room = abs(width);
	char buf[400];

	if (isnan(v)) {
		field_blank(out, style, width);
		return;
	}
	if (style == FIELD_PARSABLE) {
		fprintf(out, "%f", v);
		return;
	}
	if (snprintf(buf, sizeof(buf), "%f", v) > room)
		fprintf(out, "%.*e ", exponent_precision(v, room), v);
	else
		fprintf(out, "%*s ", width, buf);
}

const char *text_number(char *buf, size_t size, double v, int max)
{
	size_t n;

	if (isnan(v))
		return "unknown";
	if (isinf(v) || fabs(v) > 1e100)
		return v > 0 ? "inf" : "-inf";
	for (int digits = 0; digits <= max; digits++) {
		snprintf(buf, size, "%.*f", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	n = strlen(buf);
	while (strchr(buf, '.') && (buf[n - 1] == '0' || buf[n - 1] == '.')) {
		const bool point = buf[n - 1] == '.';

		buf[--n] = '\0';
		if (point)
			break;
	}
	return strcmp(buf, "-0") ? buf : "0";
}
