/* Expansion of node lists in Slurm's notation (src/common/hostlist.c). Brackets contain numbers and ranges of numbers.
 * The numbers of a range are padded with zeros to the width of its first number. */
#include "base/hostlist.h"

#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 18 };

struct expansion {
	char name[FSI_HOST_NAME_MAX + 1];
	uint64_t names_left; /* number of further names allowed before the expansion fails */
	fsi_host_fn fn;
	void *ctx;
};

static int expand_host_name(struct expansion *x, size_t len, const char *s, const char *end, int brackets);

/* Parses the decimal digits at *s, at most up to `end`. Sets *n to their value and *width to the number of digits, and
 * moves *s after the digits. Returns -1 if there are no digits or more than DIGITS_MAX. */
static int parse_host_digits(const char **s, const char *end, uint64_t *n, int *width)
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

/* Expands one item of a bracket: a number or a range of numbers. For each number, appends the number to the name and
 * expands the text after the closing bracket. */
static int expand_bracket_item(struct expansion *x, size_t len, const char **s, const char *close, const char *end,
			       int brackets)
{
	uint64_t lo, hi;
	int width, other, rc = 0;

	if (parse_host_digits(s, close, &lo, &width))
		return -1;
	hi = lo;
	if (*s < close && **s == '-') {
		++*s;
		if (parse_host_digits(s, close, &hi, &other) || hi < lo)
			return -1;
	}
	for (uint64_t n = lo; !rc && n <= hi; n++) {
		char digits[DIGITS_MAX + 4];
		const size_t more = (size_t)snprintf(digits, sizeof(digits), "%0*llu", width, (unsigned long long)n);

		if (len + more > FSI_HOST_NAME_MAX)
			return -1;
		memcpy(x->name + len, digits, more);
		rc = expand_host_name(x, len + more, close + 1, end, brackets);
	}
	return rc;
}

/* Expands the rest of a name expression: the text from `s` up to `end`. The first `len` bytes of `x->name` are already
 * written. */
static int expand_host_name(struct expansion *x, size_t len, const char *s, const char *end, int brackets)
{
	const char *open = memchr(s, '[', (size_t)(end - s)), *close;
	const size_t plain = (size_t)((open ? open : end) - s);
	int rc = 0;

	if (len + plain > FSI_HOST_NAME_MAX || memchr(s, ']', plain))
		return -1;
	memcpy(x->name + len, s, plain);
	len += plain;
	if (!open) {
		if (!len || !x->names_left)
			return -1;
		x->names_left--;
		x->name[len] = '\0';
		return x->fn(x->ctx, x->name, len);
	}
	close = memchr(open, ']', (size_t)(end - open));
	if (!close || brackets == FSI_HOST_BRACKETS_MAX)
		return -1;
	s = open;
	do {
		s++;
		rc = expand_bracket_item(x, len, &s, close, end, brackets + 1);
	} while (!rc && s < close && *s == ',');
	return rc ? rc : s == close ? 0 : -1;
}

/* Returns the end of the name expression at s: the next comma outside brackets, or the terminating NUL. */
static const char *find_name_end(const char *s)
{
	int depth = 0;

	for (; *s && (depth || *s != ','); s++)
		depth += (*s == '[') - (*s == ']' && depth);
	return s;
}

int fsi_hostlist_expand_each(const char *text, uint64_t max, fsi_host_fn fn, void *ctx)
{
	struct expansion x = { .names_left = max, .fn = fn, .ctx = ctx };
	int rc = 0;

	while (*text && !rc) {
		const char *end = find_name_end(text);

		rc = expand_host_name(&x, 0, text, end, 0);
		text = end + (*end == ',');
		if (!rc && *end == ',' && !*text)
			rc = -1;
	}
	return rc;
}

static int is_wanted_name(void *ctx, const char *name, size_t len)
{
	const char *const *wanted = ctx;

	(void)len;
	return !strcmp(*wanted, name);
}

bool fsi_hostlist_has_name(const char *text, const char *name)
{
	return fsi_hostlist_expand_each(text, FSI_MAX_HOSTS, is_wanted_name, &name) == 1;
}

/* Returns an upper bound for the count of numbers in the bracket at *s, and moves *s to the closing bracket. */
static uint64_t bound_bracket_names(const char **s)
{
	const uint64_t limit = UINT64_C(1) << 32;
	uint64_t sum = 0, lo, hi;
	int width;

	do {
		const char *end;

		++*s;
		end = *s + strcspn(*s, ",]");
		lo = hi = 0;
		if (!parse_host_digits(s, end, &lo, &width) && *s < end && *(*s)++ == '-')
			parse_host_digits(s, end, &hi, &width);
		sum += hi > lo ? hi - lo + 1 : 1;
		sum = sum < limit ? sum : limit;
		*s = end;
	} while (**s == ',');
	return sum;
}

uint64_t fsi_hostlist_bound_count(const char *text)
{
	const uint64_t limit = UINT64_C(1) << 32;
	uint64_t sum = 0, name = 1;

	for (;;) {
		text += strcspn(text, ",[");
		if (*text == '[') {
			const uint64_t more = bound_bracket_names(&text);

			name = name > limit / more ? limit : name * more;
			continue;
		}
		sum += name;
		sum = sum < limit ? sum : limit;
		if (!*text++)
			return sum;
		name = 1;
	}
}

static int count_one_host(void *ctx, const char *name, size_t len)
{
	(void)name;
	(void)len;
	++*(int64_t *)ctx;
	return 0;
}

int64_t fsi_hostlist_count_names(const char *text, uint64_t max)
{
	int64_t n = 0;

	return fsi_hostlist_expand_each(text, max, count_one_host, &n) ? -1 : n;
}

/* ---- folding names into a node list: n1 and n2 become "n[1-2]" */

/* Returns the length of the name without its trailing digits. */
static size_t host_stem_length(const char *name)
{
	size_t n = strlen(name);

	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n;
}

/* Returns true if name `b` follows name `a` in a range: the names differ only in their trailing digits, both have the
 * same number of digits, and the number in `b` is the number in `a` plus 1. */
static bool is_next_host(const char *a, const char *b)
{
	const size_t n = host_stem_length(a);

	return n == host_stem_length(b) && strlen(a) == strlen(b) && a[n] && !strncmp(a, b, n) && strlen(a + n) < 18 &&
	       strtoull(a + n, NULL, 10) + 1 == strtoull(b + n, NULL, 10);
}

void fsi_hostlist_fold_begin(struct fsi_hostlist_fold *f, char *buf, size_t size)
{
	*f = (struct fsi_hostlist_fold){ .buf = buf, .size = size };
	*buf = '\0';
}

static void write_host_range(struct fsi_hostlist_fold *f)
{
	const char *comma = f->len ? "," : "", *first = f->first, *last = f->last;
	const size_t size_left = f->size - f->len, n = host_stem_length(first);
	char *at = f->buf + f->len;

	if (strlen(first) + strlen(last) + 8 > size_left) {
		snprintf(at, size_left, ",...");
		f->cut = true;
	} else if (first == last) {
		f->len += (size_t)snprintf(at, size_left, "%s%s", comma, first);
	} else {
		f->len += (size_t)snprintf(at, size_left, "%s%.*s[%s-%s]", comma, (int)n, first, first + n, last + n);
	}
}

void fsi_hostlist_fold_end(struct fsi_hostlist_fold *f)
{
	if (f->first && !f->cut)
		write_host_range(f);
	f->first = f->last = NULL;
}

void fsi_hostlist_fold_add(struct fsi_hostlist_fold *f, const char *name)
{
	if (f->last && is_next_host(f->last, name)) {
		f->last = name;
		return;
	}
	fsi_hostlist_fold_end(f);
	f->first = f->last = name;
}

/* Largest difference between the last and the first task id of a range; no cluster allows larger arrays. */
static const uint64_t max_range_length = UINT32_MAX / 4;

static int parse_task_range(const char *s, size_t len, struct fsi_tasks *t)
{
	const char *colon = memchr(s, ':', len);
	const size_t body = colon ? (size_t)(colon - s) : len;
	const char *dash = memchr(s, '-', body);
	const size_t first = dash ? (size_t)(dash - s) : body;

	t->step = 1;
	if (fsi_parse_u64(s, first, &t->first) ||
	    (colon && (fsi_parse_u64(colon + 1, len - body - 1, &t->step) || !t->step)))
		return -1;
	t->last = t->first;
	if (dash && fsi_parse_u64(dash + 1, body - first - 1, &t->last))
		return -1;
	return t->last < t->first || t->last - t->first > max_range_length ? -1 : 1;
}

int fsi_tasks_parse_next(const char **s, struct fsi_tasks *t)
{
	const char *part = *s;
	const size_t len = strcspn(part, ",%");

	if (!*part || *part == '%')
		return 0;
	*s = part + len + (part[len] == ',');
	return parse_task_range(part, len, t);
}

bool fsi_is_task_listed(const char *s, uint64_t task)
{
	struct fsi_tasks t;

	while (fsi_tasks_parse_next(&s, &t) > 0)
		if (task >= t.first && task <= t.last && (task - t.first) % t.step == 0)
			return true;
	return false;
}

uint32_t fsi_count_tasks(const char *s)
{
	struct fsi_tasks t;
	uint64_t n = 0;
	int rc;

	while ((rc = fsi_tasks_parse_next(&s, &t)) > 0)
		n += fsi_tasks_count_range(&t);
	return rc < 0 || !n ? 1 : (uint32_t)n;
}
