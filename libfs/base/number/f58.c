/* Flux job ids in base 58 (RFC 19 of Flux; src/common/libutil/fluid.c): a prefix, then the digits of
 * Bitcoin's alphabet without leading zeros; 0 is one zero digit, which is written 1. */
#include "base/number/f58.h"
#include "fs.h"

#include <string.h>

static const char digits[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
static const char prefix[] = "\xc6\x92"; /* U+0192 */
enum { BASE = sizeof(digits) - 1, DIGITS_MAX = 11 };

const char *fs_f58_format(uint64_t id, bool ascii, char buf[FS_F58_TEXT])
{
	char reversed[DIGITS_MAX];
	size_t n = 0, k;

	do {
		reversed[n++] = digits[id % BASE];
		id /= BASE;
	} while (id);
	strcpy(buf, ascii ? "f" : prefix);
	k = strlen(buf);
	while (n)
		buf[k++] = reversed[--n];
	buf[k] = '\0';
	return buf;
}

int fsi_f58_parse(const char *s, uint64_t *id)
{
	uint64_t v = 0;

	if (!strncmp(s, prefix, sizeof(prefix) - 1))
		s += sizeof(prefix) - 1;
	else if (*s == 'f')
		s++;
	else
		return -1;
	if (!*s)
		return -1;
	for (; *s; s++) {
		const char *d = strchr(digits, *s);
		const uint64_t digit = d ? (uint64_t)(d - digits) : BASE;

		if (!d || v > (UINT64_MAX - digit) / BASE)
			return -1;
		v = v * BASE + digit;
	}
	*id = v;
	return 0;
}
