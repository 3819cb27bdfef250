#include "base/json/lex.h"

#include "base/json/pool.h"
#include "base/text.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

const char *fsi_json_number_end(const char *s, size_t *integer_digits)
{
	const char *p = s + (*s == '-'), *start = p;

	if (!fsi_is_digit(*p) || (*p == '0' && fsi_is_digit(p[1])))
		return NULL;
	while (fsi_is_digit(*p))
		p++;
	*integer_digits = (size_t)(p - start);
	if (*p == '.') {
		*integer_digits = 0;
		if (!fsi_is_digit(*++p))
			return NULL;
		while (fsi_is_digit(*p))
			p++;
	}
	if (*p == 'e' || *p == 'E') {
		*integer_digits = 0;
		p++;
		p += *p == '+' || *p == '-';
		if (!fsi_is_digit(*p))
			return NULL;
		while (fsi_is_digit(*p))
			p++;
	}
	return p;
}

/* The first byte in the lowest bits on any machine; compilers make it one load. */
static uint64_t eight_bytes(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;

	return b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
	       (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
	       (uint64_t)b[7] << 56;
}

static unsigned lowest_byte_set(uint64_t bits)
{
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(bits) / 8;
#else
	unsigned n = 0;

	for (; !(bits & 0xff); bits >>= 8)
		n++;
	return n;
#endif
}

/* ASCII but controls, quote and backslash: a string may hold it without a second look. */
static bool is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

const char *fsi_json_plain_end(const char *s, const char *end)
{
	const uint64_t each = 0x0101010101010101u;

#ifdef __SSE2__
	for (; end - s >= 16; s += 16) {
		/* As signed numbers, bytes from 0x80 on are less than 0x20, too. */
		const __m128i w = _mm_loadu_si128((const __m128i *)(const void *)s);
		const __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(w, _mm_set1_epi8('"')),
						   _mm_cmpeq_epi8(w, _mm_set1_epi8('\\')));
		const int other = _mm_movemask_epi8(_mm_or_si128(marks, _mm_cmplt_epi8(w, _mm_set1_epi8(0x20))));

		if (other)
			return s + __builtin_ctz((unsigned)other);
	}
#endif
	for (; end - s >= 8; s += 8) {
		/* In the first byte that is not plain, and in none before it, the top bit is set. */
		const uint64_t w = eight_bytes(s), quote = w ^ each * '"', escape = w ^ each * '\\';
		const uint64_t other = ((w - each * 0x20) | (quote - each) | (escape - each)) &
				       each * 0x80;

		if (other)
			return s + lowest_byte_set(other);
	}
	while (is_plain(*s))
		s++;
	return s;
}

const char *fsi_json_string_end(const char *s, const char *end, const char **bad, const char **problem)
{
	for (;; s++) {
		size_t len;

		s = fsi_json_plain_end(s, end);
		if (*s == '"')
			return s;
		*bad = s;
		if (*s == '\\') {
			s++;
			if (!strncmp(s, "u0000", 5)) {
				*problem = "NUL in a string";
				return NULL;
			}
			if (!*s)
				s--;
			continue;
		}
		len = (unsigned char)*s < 0x80 ? 0 : fsi_utf8_len(s, strnlen(s, 4));
		if (!len) {
			*problem =
				(unsigned char)*s < 0x80 ? "control byte in a string" : "not UTF-8";
			return NULL;
		}
		s += len - 1;
	}
}

/* Most numbers are integers. */
static const char *number_end(const char *s, size_t *integer_digits)
{
	const char *p = s;

	while (fsi_is_digit(*p))
		p++;
	*integer_digits = (size_t)(p - s);
	if (p > s && (*s != '0' || p - s == 1) && (*p == ',' || *p == '}'))
		return p;
	return fsi_json_number_end(s, integer_digits);
}

struct fsi_json_scan fsi_json_scan_line(const char *line, size_t len)
{
	struct fsi_json_scan r = { 0 };
	const char *p = line, *end = line + len, *bad = line;
	size_t digits;
	int depth = 0;

	for (; p < end; p++) {
		const char c = *p;

		if (c == ',' || c == ':')
			continue;
		if (c == '"') {
			p = fsi_json_string_end(p + 1, end, &bad, &r.problem);
			if (!p) {
				if (bad >= end)
					r.problem = "cut short inside a string";
				break;
			}
		} else if (fsi_is_digit(c) || c == '-') {
			bad = p;
			p = number_end(p, &digits);
			if (!p) {
				r.problem = "malformed number";
				break;
			}
			if (digits > FSI_JSON_EXACT_DIGITS)
				r.long_integers = true;
			p--;
		} else if (c == '{' || c == '[') {
			bad = p;
			if (++depth > FSI_JSON_DEPTH) {
				r.problem = "nested too deep";
				break;
			}
		} else if (c == '}' || c == ']') {
			depth--;
		} else if ((unsigned char)c < 0x20 && c != '\t' && c != '\r') {
			bad = p;
			r.problem = c ? "control byte" : "NUL byte";
			break;
		}
	}
	r.bad = (size_t)(bad - line);
	return r;
}

