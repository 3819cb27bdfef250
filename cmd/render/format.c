#include "render/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Takes the argument of a conversion from the list. Returns true if it is a NaN. */
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

/* The format strings built here from conversion parts are not literals. The callers' formats are literals, which the
 * compiler checks. */
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

/* Formats one conversion after the other, for a format with a NaN argument. */
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
