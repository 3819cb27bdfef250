/* A build without libzstd (make ZSTD=no): refuses compressed files with a message. */
#include "files/files.h"

int frames_open_input(struct unpack *u)
{
	return (int)unpack_set_error(
		u, FS_EDATA,
		"the file is compressed, and this program was built without libzstd; unpack it with zstd -d");
}

ptrdiff_t frames_decompress_input(struct unpack *u, void *buf, size_t size)
{
	(void)buf;
	(void)size;
	return frames_open_input(u);
}

void frames_free_decompressor(struct frames *f)
{
	(void)f;
}

int pack_write_compressed(pack_content_fn put, const void *what, FILE *to, struct fs_error *err)
{
	(void)put;
	(void)what;
	(void)to;
	*err = (struct fs_error){ .code = FS_EUSAGE };
	snprintf(err->message, sizeof(err->message),
		 "cannot write a compressed file: this program was built without libzstd");
	return FS_EUSAGE;
}

size_t pack_compress_block(void *to, size_t capacity, const void *from, size_t n)
{
	(void)to;
	(void)capacity;
	(void)from;
	(void)n;
	return 0;
}

size_t pack_block_max(size_t n)
{
	return n;
}

int pack_decompress_block(void *to, size_t size, const void *from, size_t n)
{
	(void)to;
	(void)size;
	(void)from;
	(void)n;
	return -1;
}
