#include "files/files.h"

#include <string.h>

/* magic number of a zstd frame (RFC 8878, 3.1.1) */
static const unsigned char zstd_magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };

/* Reads the first bytes of the input. Creates the decompressor if these bytes are zstd's magic number. Reads again
 * after a short read. Returns 0, or -1 on error. */
static int detect_zstd_magic(struct unpack *u)
{
	ptrdiff_t n = 1;

	u->started = true;
	while (u->nfirst < sizeof(u->first) &&
	       (n = u->read(u->ctx, u->first + u->nfirst, sizeof(u->first) - u->nfirst)) > 0)
		u->nfirst += (size_t)n;
	if (n < 0)
		return -1;
	return u->nfirst == sizeof(zstd_magic) && !memcmp(u->first, zstd_magic, sizeof(zstd_magic))
		       ? frames_open_input(u)
		       : 0;
}

static ptrdiff_t read_uncompressed_bytes(struct unpack *u, void *buf, size_t size)
{
	const size_t left = u->nfirst - u->nreturned, n = left < size ? left : size;

	if (!n)
		return u->read(u->ctx, buf, size);
	memcpy(buf, u->first + u->nreturned, n);
	u->nreturned += n;
	return (ptrdiff_t)n;
}

ptrdiff_t unpack_decompress_bytes(void *unpack, void *buf, size_t size)
{
	struct unpack *u = unpack;

	if (!u->started && detect_zstd_magic(u))
		return -1;
	return u->frames ? frames_decompress_input(u, buf, size) : read_uncompressed_bytes(u, buf, size);
}

int unpack_finish_input(struct unpack *u, int rc, const char *file, struct fs_error *err)
{
	frames_free_decompressor(u->frames);
	u->frames = NULL;
	if (!rc || !u->why)
		return rc;
	*err = (struct fs_error){ .code = u->code };
	snprintf(err->file, sizeof(err->file), "%s", file);
	snprintf(err->message, sizeof(err->message), "%s", u->why);
	return u->code;
}

bool pack_is_zst_name(const char *file)
{
	const size_t n = strlen(file);

	return n > 4 && !strcmp(file + n - 4, ".zst");
}
