#include "snapshot/again.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
	char *data;
	size_t len, cap, at;
};

static int keep(void *ctx, const void *data, size_t size)
{
	struct bytes *b = ctx;

	if (b->len + size > b->cap) {
		const size_t cap = (b->len + size) * 2;
		char *more = realloc(b->data, cap);

		if (!more)
			return -1;
		b->data = more;
		b->cap = cap;
	}
	memcpy(b->data + b->len, data, size);
	b->len += size;
	return 0;
}

static ptrdiff_t give(void *ctx, void *buf, size_t size)
{
	struct bytes *b = ctx;
	const size_t n = b->len - b->at < size ? b->len - b->at : size;

	if (n)
		memcpy(buf, b->data + b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

int fsi_snapshot_again(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err)
{
	struct bytes b = { 0 };
	struct fs_error lost; /* written to memory: nothing but memory can be lacking */
	int rc = fs_snapshot_write(s, keep, &b, &lost) ? fsi_nomem(err) : 0;

	if (!rc)
		rc = fs_snapshot_read(out, give, &b, s->file, err);
	free(b.data);
	return rc;
}
