/* Compression by libzstd. Like zstd -d, the decompressor accepts several frames one after the other. */
#include "files/files.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { IN = 128 * 1024, WINDOW_LOG = 27, LEVEL = 6 };
static const uint64_t free_bytes = (uint64_t)1 << 27;

struct frames {
	ZSTD_DStream *z;
	ZSTD_inBuffer in;
	uint64_t taken, given;
	size_t last; /* last result of ZSTD_decompressStream; 0 at the end of a frame */
	unsigned char buf[IN];
};

void frames_free(struct frames *f)
{
	if (f)
		ZSTD_freeDStream(f->z);
	free(f);
}

int frames_begin(struct unpack *u)
{
	struct frames *f = calloc(1, sizeof(*f));

	if (f)
		f->z = ZSTD_createDStream();
	if (!f || !f->z || ZSTD_isError(ZSTD_DCtx_setParameter(f->z, ZSTD_d_windowLogMax, WINDOW_LOG))) {
		frames_free(f);
		return (int)unpack_fail(u, FS_ENOMEM, "out of memory");
	}
	memcpy(f->buf, u->first, u->nfirst);
	f->in = (ZSTD_inBuffer){ f->buf, u->nfirst, 0 };
	f->taken = u->nfirst;
	f->last = 1;
	u->frames = f;
	return 0;
}

/* Reads more input if all of it is used. Returns 1 if there is input, 0 at the end, -1 on error. */
static int refill(struct unpack *u, struct frames *f)
{
	ptrdiff_t n;

	if (f->in.pos < f->in.size)
		return 1;
	n = u->read(u->ctx, f->buf, sizeof(f->buf));
	if (n <= 0)
		return n < 0 ? -1 : 0;
	f->in = (ZSTD_inBuffer){ f->buf, (size_t)n, 0 };
	f->taken += (uint64_t)n;
	return 1;
}

ptrdiff_t frames_read(struct unpack *u, void *buf, size_t size)
{
	ZSTD_outBuffer out = { buf, size, 0 };
	struct frames *f = u->frames;

	while (!out.pos) {
		const int more = refill(u, f);

		if (more < 0)
			return -1;
		if (!more)
			return f->last ? unpack_fail(u, FS_EDATA, "the compressed file is cut short") : 0;
		f->last = ZSTD_decompressStream(f->z, &out, &f->in);
		if (ZSTD_getErrorCode(f->last) == ZSTD_error_memory_allocation)
			return unpack_fail(u, FS_ENOMEM, "out of memory");
		if (ZSTD_isError(f->last))
			return unpack_fail(u, FS_EDATA, "the compressed file is damaged");
	}
	f->given += out.pos;
	if (f->given > free_bytes && (f->given - free_bytes) / UNPACK_RATIO > f->taken)
		return unpack_fail(u, FS_EDATA, "the compressed file unpacks to more than a snapshot would");
	return (ptrdiff_t)out.pos;
}

/* ---- compression */

/* Returns a new compressor whose frames carry a checksum; NULL if out of memory. */
static ZSTD_CStream *new_packer(void)
{
	ZSTD_CStream *z = ZSTD_createCStream();

	if (z && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, LEVEL)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)))
		return z;
	ZSTD_freeCStream(z);
	return NULL;
}

struct packing {
	ZSTD_CStream *z;
	FILE *to;
};

static int drive(struct packing *p, ZSTD_inBuffer *in, ZSTD_EndDirective how)
{
	unsigned char buf[16 * 1024];
	size_t left;

	do {
		ZSTD_outBuffer out = { buf, sizeof(buf), 0 };

		left = ZSTD_compressStream2(p->z, &out, in, how);
		if (ZSTD_isError(left) || stream_write(p->to, buf, out.pos))
			return -1;
	} while (how == ZSTD_e_end ? left > 0 : in->pos < in->size);
	return 0;
}

static int pack_write(void *packing, const void *data, size_t size)
{
	ZSTD_inBuffer in = { data, size, 0 };

	return drive(packing, &in, ZSTD_e_continue);
}

static int failed(struct fs_error *err, int code, const char *why)
{
	*err = (struct fs_error){ .code = code };
	snprintf(err->message, sizeof(err->message), "%s", why);
	return code;
}

int pack(pack_put_fn put, const void *what, FILE *to, struct fs_error *err)
{
	struct packing p = { new_packer(), to };
	ZSTD_inBuffer nothing = { "", 0, 0 };
	int rc;

	if (!p.z)
		return failed(err, FS_ENOMEM, "out of memory");
	rc = put(what, pack_write, &p, err);
	if (!rc && drive(&p, &nothing, ZSTD_e_end))
		rc = failed(err, FS_EIO, "write error");
	ZSTD_freeCStream(p.z);
	return rc;
}

size_t pack_block(void *to, size_t room, const void *from, size_t n)
{
	ZSTD_CStream *z = new_packer();
	const size_t took = z ? ZSTD_compress2(z, to, room, from, n) : 0;

	ZSTD_freeCStream(z);
	return ZSTD_isError(took) ? 0 : took;
}

size_t pack_block_max(size_t n)
{
	return ZSTD_compressBound(n);
}

int unpack_block(void *to, size_t size, const void *from, size_t n)
{
	return ZSTD_decompress(to, size, from, n) == size ? 0 : -1;
}
