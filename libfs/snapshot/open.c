/* A snapshot is opened by the name of its file: the one place where the library opens one itself. */
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static ptrdiff_t read_file(void *ctx, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, ctx);

	return n || !ferror((FILE *)ctx) ? (ptrdiff_t)n : -1;
}

int fs_snapshot_open(fs_snapshot **out, const char *path, struct fs_error *err)
{
	FILE *file = fopen(path, "rb");
	int rc;

	if (!file)
		return fsi_fail(err, FS_EIO, "%s: %s", path, strerror(errno));
	rc = fs_snapshot_read(out, read_file, file, path, err);
	fclose(file);
	return rc;
}
