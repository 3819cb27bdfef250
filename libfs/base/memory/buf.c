#include "base/memory/buf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int fsi_buf_add(struct fsi_buf *b, const void *data, size_t n)
{
	if (n >= b->cap - b->n) {
		const size_t want = b->n + n + 1;
		char *v = want > n && want <= SIZE_MAX / 2 ? realloc(b->v, 2 * want) : NULL;

		if (!v)
			return -1;
		b->v = v;
		b->cap = 2 * want;
	}
	if (n)
		memcpy(b->v + b->n, data, n);
	b->n += n;
	b->v[b->n] = '\0';
	return 0;
}
