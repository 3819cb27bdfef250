/* What a page says made harmless: control bytes, what means something in its form, characters that the terminal does
 * not have. */
#include "page/parts.h"

#include "render/format.h"
#include "render/text.h"

#include <stdlib.h>
#include <string.h>

static size_t utf8_len(const unsigned char *s)
{
	const size_t n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : *s >= 0xe0 && *s < 0xf0 ? 3
			 : *s >= 0xf0 && *s < 0xf5			      ? 4
										      : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

int page_columns_of(const char *s, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

int page_width_of(const char *s)
{
	return page_columns_of(s, strlen(s));
}

/* Replaces the signs that our sentences use on terminals that have only ASCII. */
static const char *ascii_for(const char *s, size_t len)
{
	static const char *const pairs[][2] = { { "·", "-" }, { "×", "x" },  { "−", "-" },
						{ "–", "-" }, { "…", "..." }, { "ƒ", "f" } };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (strlen(pairs[i][0]) == len && !memcmp(pairs[i][0], s, len))
			return pairs[i][1];
	return "?";
}

/* Bytes that are no UTF-8 become '?', and without UTF-8 so does what has no ASCII sign. dst: 3 bytes for each. */
static void to_charset(char *dst, const char *s, bool utf8)
{
	while (*s) {
		const size_t len = utf8_len((const unsigned char *)s);
		const char *as = len == 0 ? "?" : len == 1 || utf8 ? NULL : ascii_for(s, len);
		const size_t n = as ? strlen(as) : len;

		memcpy(dst, as ? as : s, n);
		dst += n;
		s += len ? len : 1;
	}
	*dst = '\0';
}

/* NULL without memory. */
__attribute__((format(printf, 1, 0))) static char *formatted(const char *fmt, va_list ap)
{
	char most[128]; /* texts are no longer */
	va_list again;

	va_copy(again, ap);
	const int n = format_args(most, sizeof(most), fmt, again);
	char *s = n < 0 ? NULL : malloc((size_t)n + 1);

	va_end(again);
	if (s && (size_t)n < sizeof(most))
		memcpy(s, most, (size_t)n + 1);
	else if (s)
		format_args(s, (size_t)n + 1, fmt, ap);
	return s;
}

static bool is_plain(const char *s)
{
	while (*s >= 0x20 && *s < 0x7f)
		s++;
	return !*s;
}

char *page_clean(struct page *p, const char *fmt, va_list ap)
{
	const struct page_ops *ops = p->ops;
	char *raw = formatted(fmt, ap), *visible, *out = NULL;

	if (!raw)
		p->failed = true;
	if (!raw || (!ops->escape && is_plain(raw)))
		return raw;
	const size_t size = strlen(raw) * 4 + 16;

	visible = malloc(size);
	if (visible) {
		text_visible(visible, size, raw);
		out = malloc(strlen(visible) * ops->growth * 3 + 1);
	}
	if (out && ops->escape) {
		char *escaped = malloc(strlen(visible) * ops->growth + 1);

		if (escaped) {
			ops->escape(escaped, visible);
			to_charset(out, escaped, p->utf8);
		} else {
			p->failed = true;
			*out = '\0';
		}
		free(escaped);
	} else if (out) {
		to_charset(out, visible, p->utf8);
	}
	if (!out)
		p->failed = true;
	free(raw);
	free(visible);
	return out;
}

char *page_cleaned(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = page_clean(p, fmt, ap);
	va_end(ap);
	return s;
}
