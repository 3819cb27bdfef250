#include "render/text.h"

#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

char *text_visible(char *dst, size_t size, const char *src)
{
	size_t n = 0;

	for (; *src && n + 5 < size; src++) {
		const unsigned char c = (unsigned char)*src, next = (unsigned char)src[1];

		if (c < 0x20 || c == 0x7f) {
			dst[n++] = '^';
			dst[n++] = (char)(c ^ 0x40);
		} else if (c == 0xc2 && next >= 0x80 && next < 0xa0) { /* C1 in UTF-8 */
			n += (size_t)snprintf(dst + n, size - n, "\\x%02x", next);
			src++;
		} else {
			dst[n++] = *src;
		}
	}
	dst[n] = '\0';
	return dst;
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

int text_width(const char *s)
{
	char visible[256];

	return (int)strlen(text_visible(visible, sizeof(visible), s));
}
