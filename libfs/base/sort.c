#include "fs.h"

#include <stdlib.h>
#include <string.h>

struct sort {
	size_t size;
	fs_compare_fn compare;
	const void *ctx;
};

static void merge_sort(const struct sort *s, char *v, char *tmp, size_t n)
{
	const size_t half = n / 2, size = s->size;
	const char *a = tmp, *b = tmp + half * size, *const a_end = b, *const b_end = tmp + n * size;

	if (n < 2)
		return;
	merge_sort(s, v, tmp, half);
	merge_sort(s, v + half * size, tmp, n - half);
	memcpy(tmp, v, n * size);
	for (; a < a_end || b < b_end; v += size) {
		const bool left = b == b_end || (a < a_end && s->compare(a, b, s->ctx) <= 0);

		memcpy(v, left ? a : b, size);
		if (left)
			a += size;
		else
			b += size;
	}
}

int fs_sort(void *v, size_t n, size_t size, fs_compare_fn compare, const void *ctx)
{
	const struct sort s = { size, compare, ctx };
	char *tmp = n < SIZE_MAX / size ? malloc((n + 1) * size) : NULL;

	if (!tmp)
		return FS_ENOMEM;
	merge_sort(&s, v, tmp, n);
	free(tmp);
	return 0;
}
