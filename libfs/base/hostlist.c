/* Expansion of node lists as Slurm writes them (src/common/hostlist.c): in brackets numbers and ranges of
 * numbers, as many digits wide as the first is written. */
#include "base/hostlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 18 };

struct expansion {
	char name[FSI_HOST_NAME_MAX + 1];
	uint64_t left; /* names still allowed */
	fsi_host_fn fn;
	void *ctx;
};

static int expand(struct expansion *x, size_t len, const char *s, const char *end, int brackets);

/* Digits at *s up to end, as a number with its width. */
static int number(const char **s, const char *end, uint64_t *n, int *width)
{
	*n = 0;
	*width = 0;
	for (; *s < end && **s >= '0' && **s <= '9'; ++*s) {
		if (++*width > DIGITS_MAX)
			return -1;
		*n = *n * 10 + (uint64_t)(**s - '0');
	}
	return *width ? 0 : -1;
}

/* One item of a bracket: each number of it in turn, with what follows the bracket. */
static int expand_item(struct expansion *x, size_t len, const char **s, const char *close,
		       const char *end, int brackets)
{
	uint64_t lo, hi;
	int width, other, rc = 0;

	if (number(s, close, &lo, &width))
		return -1;
	hi = lo;
	if (*s < close && **s == '-') {
		++*s;
		if (number(s, close, &hi, &other) || hi < lo)
			return -1;
	}
	for (uint64_t n = lo; !rc && n <= hi; n++) {
		char digits[DIGITS_MAX + 4];
		const size_t more = (size_t)snprintf(digits, sizeof(digits), "%0*llu", width, (unsigned long long)n);

		if (len + more > FSI_HOST_NAME_MAX)
			return -1;
		memcpy(x->name + len, digits, more);
		rc = expand(x, len + more, close + 1, end, brackets);
	}
	return rc;
}

/* [s, end) is what is left of one name; len bytes of it are made. */
static int expand(struct expansion *x, size_t len, const char *s, const char *end, int brackets)
{
	const char *open = memchr(s, '[', (size_t)(end - s)), *close;
	const size_t plain = (size_t)((open ? open : end) - s);
	int rc = 0;

	if (len + plain > FSI_HOST_NAME_MAX || memchr(s, ']', plain))
		return -1;
	memcpy(x->name + len, s, plain);
	len += plain;
	if (!open) {
		if (!len || !x->left)
			return -1;
		x->left--;
		x->name[len] = '\0';
		return x->fn(x->ctx, x->name, len);
	}
	close = memchr(open, ']', (size_t)(end - open));
	if (!close || brackets == FSI_HOST_BRACKETS_MAX)
		return -1;
	s = open;
	do {
		s++;
		rc = expand_item(x, len, &s, close, end, brackets + 1);
	} while (!rc && s < close && *s == ',');
	return rc ? rc : s == close ? 0 : -1;
}

/* The comma that ends the name at s, or its NUL. */
static const char *name_end(const char *s)
{
	int depth = 0;

	for (; *s && (depth || *s != ','); s++)
		depth += (*s == '[') - (*s == ']' && depth);
	return s;
}

int fsi_hostlist_each(const char *text, uint64_t max, fsi_host_fn fn, void *ctx)
{
	struct expansion x = { .left = max, .fn = fn, .ctx = ctx };
	int rc = 0;

	while (*text && !rc) {
		const char *end = name_end(text);

		rc = expand(&x, 0, text, end, 0);
		text = end + (*end == ',');
		if (!rc && *end == ',' && !*text)
			rc = -1;
	}
	return rc;
}

/* The numbers of the bracket that *s begins, which goes behind it. */
static uint64_t bracket_at_most(const char **s)
{
	const uint64_t most = UINT64_C(1) << 32;
	uint64_t sum = 0, lo, hi;
	int width;

	do {
		const char *end;

		++*s;
		end = *s + strcspn(*s, ",]");
		lo = hi = 0;
		if (!number(s, end, &lo, &width) && *s < end && *(*s)++ == '-')
			number(s, end, &hi, &width);
		sum += hi > lo ? hi - lo + 1 : 1;
		sum = sum < most ? sum : most;
		*s = end;
	} while (**s == ',');
	return sum;
}

uint64_t fsi_hostlist_at_most(const char *text)
{
	const uint64_t most = UINT64_C(1) << 32;
	uint64_t sum = 0, name = 1;

	for (;;) {
		text += strcspn(text, ",[");
		if (*text == '[') {
			const uint64_t more = bracket_at_most(&text);

			name = name > most / more ? most : name * more;
			continue;
		}
		sum += name;
		sum = sum < most ? sum : most;
		if (!*text++)
			return sum;
		name = 1;
	}
}

static int count_one(void *ctx, const char *name, size_t len)
{
	(void)name;
	(void)len;
	++*(int64_t *)ctx;
	return 0;
}

int64_t fsi_hostlist_count(const char *text, uint64_t max)
{
	int64_t n = 0;

	return fsi_hostlist_each(text, max, count_one, &n) ? -1 : n;
}

/* ---- names as a list */

/* Length of a name before its last digits. */
static size_t stem(const char *name)
{
	size_t n = strlen(name);

	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n;
}

/* Is b the next number after a, written as wide? */
static bool follows(const char *a, const char *b)
{
	const size_t n = stem(a);

	return n == stem(b) && strlen(a) == strlen(b) && a[n] && !strncmp(a, b, n) && strlen(a + n) < 18 &&
	       strtoull(a + n, NULL, 10) + 1 == strtoull(b + n, NULL, 10);
}

void fsi_hostlist_fold_begin(struct fsi_hostlist_fold *f, char *buf, size_t size)
{
	*f = (struct fsi_hostlist_fold){ .buf = buf, .size = size };
	*buf = '\0';
}

static void write_run(struct fsi_hostlist_fold *f)
{
	const char *comma = f->len ? "," : "", *first = f->first, *last = f->last;
	const size_t room = f->size - f->len, n = stem(first);
	char *at = f->buf + f->len;

	if (strlen(first) + strlen(last) + 8 > room) {
		snprintf(at, room, ",...");
		f->cut = true;
	} else if (first == last) {
		f->len += (size_t)snprintf(at, room, "%s%s", comma, first);
	} else {
		f->len += (size_t)snprintf(at, room, "%s%.*s[%s-%s]", comma, (int)n, first, first + n, last + n);
	}
}

void fsi_hostlist_fold_end(struct fsi_hostlist_fold *f)
{
	if (f->first && !f->cut)
		write_run(f);
	f->first = f->last = NULL;
}

void fsi_hostlist_fold_add(struct fsi_hostlist_fold *f, const char *name)
{
	if (f->last && follows(f->last, name)) {
		f->last = name;
		return;
	}
	fsi_hostlist_fold_end(f);
	f->first = f->last = name;
}
