/* The one place that makes text of a snapshot, a file or the command line harmless. What stays is what Unicode 15 calls
 * graphic or blank; what is shown in its place is ASCII. */
#include "render/text.h"

#include <string.h>

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
