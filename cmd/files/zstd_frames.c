/* Compression by libzstd. Like zstd -d, the decompressor accepts several frames one after the other. */
#include "files/files.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { INPUT_BUFFER_SIZE = 128 * 1024, WINDOW_LOG = 27, COMPRESSION_LEVEL = 6 };
static const uint64_t unlimited_output_bytes = (uint64_t)1 << 27;

struct frames {
	ZSTD_DStream *z;
	ZSTD_inBuffer in;
	uint64_t bytes_read, bytes_returned;
	size_t last_result; /* last result of ZSTD_decompressStream, which is 0 at the end of a frame */
	unsigned char buf[INPUT_BUFFER_SIZE];
};

void frames_free_decompressor(struct frames *f)
{
	if (f)
		ZSTD_freeDStream(f->z);
	free(f);
}

int frames_open_input(struct unpack *u)
{
	struct frames *f = calloc(1, sizeof(*f));

	if (f)
		f->z = ZSTD_createDStream();
	if (!f || !f->z || ZSTD_isError(ZSTD_DCtx_setParameter(f->z, ZSTD_d_windowLogMax, WINDOW_LOG))) {
		frames_free_decompressor(f);
		return (int)unpack_set_error(u, FS_ENOMEM, "out of memory");
	}
	memcpy(f->buf, u->first, u->nfirst);
	f->in = (ZSTD_inBuffer){ f->buf, u->nfirst, 0 };
	f->bytes_read = u->nfirst;
	f->last_result = 1;
	u->frames = f;
	return 0;
}

/* If the buffered compressed input is used up, reads more. Returns 1 if there is input, 0 at the end of the input, -1
 * on error. */
static int refill_compressed_input(struct unpack *u, struct frames *f)
{
	ptrdiff_t n;

	if (f->in.pos < f->in.size)
		return 1;
	n = u->read(u->ctx, f->buf, sizeof(f->buf));
	if (n <= 0)
		return n < 0 ? -1 : 0;
	f->in = (ZSTD_inBuffer){ f->buf, (size_t)n, 0 };
	f->bytes_read += (uint64_t)n;
	return 1;
}

ptrdiff_t frames_decompress_input(struct unpack *u, void *buf, size_t size)
{
	ZSTD_outBuffer out = { buf, size, 0 };
	struct frames *f = u->frames;

	while (!out.pos) {
		const int more = refill_compressed_input(u, f);

		if (more < 0)
			return -1;
		if (!more)
			return f->last_result ? unpack_set_error(u, FS_EDATA, "the compressed file is truncated") : 0;
		f->last_result = ZSTD_decompressStream(f->z, &out, &f->in);
		if (ZSTD_getErrorCode(f->last_result) == ZSTD_error_memory_allocation)
			return unpack_set_error(u, FS_ENOMEM, "out of memory");
		if (ZSTD_isError(f->last_result))
			return unpack_set_error(u, FS_EDATA, "the compressed file is damaged");
	}
	f->bytes_returned += out.pos;
	if (f->bytes_returned > unlimited_output_bytes &&
	    (f->bytes_returned - unlimited_output_bytes) / UNPACK_RATIO > f->bytes_read)
		return unpack_set_error(u, FS_EDATA, "the decompressed data is too large for the size of the file: not a snapshot");
	return (ptrdiff_t)out.pos;
}

/* ---- compression */

/* Returns a new compressor whose frames carry a checksum; NULL if out of memory. */
static ZSTD_CStream *create_frame_compressor(void)
{
	ZSTD_CStream *z = ZSTD_createCStream();

	if (z && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, COMPRESSION_LEVEL)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)))
		return z;
	ZSTD_freeCStream(z);
	return NULL;
}

struct compression {
	ZSTD_CStream *z;
	FILE *to;
};

static int write_compressed_bytes(struct compression *p, ZSTD_inBuffer *in, ZSTD_EndDirective how)
{
	unsigned char buf[16 * 1024];
	size_t left;

	do {
		ZSTD_outBuffer out = { buf, sizeof(buf), 0 };

		left = ZSTD_compressStream2(p->z, &out, in, how);
		if (ZSTD_isError(left) || stream_write_bytes(p->to, buf, out.pos))
			return -1;
	} while (how == ZSTD_e_end ? left > 0 : in->pos < in->size);
	return 0;
}

static int compress_written_bytes(void *packing, const void *data, size_t size)
{
	ZSTD_inBuffer in = { data, size, 0 };

	return write_compressed_bytes(packing, &in, ZSTD_e_continue);
}

static int set_pack_error(struct fs_error *err, int code, const char *why)
{
	*err = (struct fs_error){ .code = code };
	snprintf(err->message, sizeof(err->message), "%s", why);
	return code;
}

int pack_write_compressed(pack_content_fn put, const void *what, FILE *to, struct fs_error *err)
{
	struct compression p = { create_frame_compressor(), to };
	ZSTD_inBuffer nothing = { "", 0, 0 };
	int rc;

	if (!p.z)
		return set_pack_error(err, FS_ENOMEM, "out of memory");
	rc = put(what, compress_written_bytes, &p, err);
	if (!rc && write_compressed_bytes(&p, &nothing, ZSTD_e_end))
		rc = set_pack_error(err, FS_EIO, "write error");
	ZSTD_freeCStream(p.z);
	return rc;
}

size_t pack_compress_block(void *to, size_t capacity, const void *from, size_t n)
{
	ZSTD_CStream *z = create_frame_compressor();
	const size_t packed_size = z ? ZSTD_compress2(z, to, capacity, from, n) : 0;

	ZSTD_freeCStream(z);
	return ZSTD_isError(packed_size) ? 0 : packed_size;
}

size_t pack_block_max(size_t n)
{
	return ZSTD_compressBound(n);
}

int pack_decompress_block(void *to, size_t size, const void *from, size_t n)
{
	return ZSTD_decompress(to, size, from, n) == size ? 0 : -1;
}
