#include "render/spec.h"

#include <string.h>

static int number_or_star(const char **at, va_list *ap)
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

void spec_read(struct spec *f, const char **at, va_list *ap)
{
	size_t n = strspn(*at, "-+ #0");

	*f = (struct spec){ .precision = -1 };
	memcpy(f->flags, *at, n < sizeof(f->flags) - 1 ? n : sizeof(f->flags) - 1);
	*at += n;
	f->width = number_or_star(at, ap);
	if (f->width < 0 && !strchr(f->flags, '-'))
		strcat(f->flags, "-");
	f->width = f->width < 0 ? -f->width : f->width;
	if (**at == '.') {
		++*at;
		f->precision = number_or_star(at, ap);
	}
	n = strspn(*at, "hlzjt");
	memcpy(f->length, *at, n < sizeof(f->length) - 1 ? n : sizeof(f->length) - 1);
	*at += n;
	f->conversion = **at;
	*at += **at != '\0';
}

bool spec_is_double(const struct spec *f)
{
	return f->conversion == 'f' || f->conversion == 'e' || f->conversion == 'g';
}
