#include "base/vec.h"

#include "fs/base.h"

/* A stable merge sort: equal rows stay in their original order, which qsort does not guarantee. The comparison gets a
 * context argument. Halves that are already in order are not merged. */

struct sort_order {
	size_t size;
	fs_compare_fn compare;
	const void *ctx;
};

/* Copies an element. Most element sizes are multiples of eight bytes, which are copied without a call to memcpy. */
static inline void copy_sort_element(char *to, const char *from, size_t size)
{
	enum { WORD = sizeof(uint64_t) };

	if (size % WORD) {
		memcpy(to, from, size);
		return;
	}
	for (size_t i = 0; i < size; i += WORD)
		memcpy(to + i, from + i, WORD);
}

/* Sorts the n >= 2 elements at v; tmp has space for n / 2 elements. */
static void sort_by_merging(const struct sort_order *s, char *v, char *tmp, size_t n)
{
	const size_t half = n / 2, size = s->size;
	char *const middle = v + half * size, *const end = v + n * size, *out = v;
	const char *a = tmp, *b = middle, *const a_end = tmp + half * size;

	if (half > 1)
		sort_by_merging(s, v, tmp, half);
	if (n - half > 1)
		sort_by_merging(s, middle, tmp, n - half);
	if (s->compare(middle - size, middle, s->ctx) <= 0)
		return;
	memcpy(tmp, v, half * size);
	for (; a < a_end && b < end; out += size)
		if (s->compare(a, b, s->ctx) <= 0) {
			copy_sort_element(out, a, size);
			a += size;
		} else {
			copy_sort_element(out, b, size);
			b += size;
		}
	memcpy(out, a, (size_t)(a_end - a));
}

int fs_sort(void *v, size_t n, size_t size, fs_compare_fn compare, const void *ctx)
{
	const struct sort_order s = { size, compare, ctx };
	char *tmp;

	if (n < 2)
		return 0;
	tmp = n < SIZE_MAX / size ? malloc((n / 2 + 1) * size) : NULL;
	if (!tmp)
		return FS_ENOMEM;
	sort_by_merging(&s, v, tmp, n);
	free(tmp);
	return 0;
}

int fsi_compare_rising_u32(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int fsi_compare_rising_u64(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int fsi_compare_rising_i64(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}
