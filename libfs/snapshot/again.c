#include "snapshot/again.h"
#include "base/memory/buf.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
	struct fsi_buf buf;
	size_t at;
};

static int keep(void *ctx, const void *data, size_t size)
{
	struct bytes *b = ctx;

	return fsi_buf_add(&b->buf, data, size);
}

static ptrdiff_t give(void *ctx, void *buf, size_t size)
{
	struct bytes *b = ctx;
	const size_t n = b->buf.n - b->at < size ? b->buf.n - b->at : size;

	if (n)
		memcpy(buf, b->buf.v + b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

int fsi_snapshot_again(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err)
{
	struct bytes b = { .at = 0 };
	struct fs_error lost; /* written to memory: nothing but memory can be lacking */
	int rc = fs_snapshot_write(s, keep, &b, &lost) ? fsi_nomem(err) : 0;

	if (!rc)
		rc = fs_snapshot_read(out, give, &b, s->file, err);
	free(b.buf.v);
	return rc;
}
