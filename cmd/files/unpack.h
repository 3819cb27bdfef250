/* Snapshots compressed by zstd, between the library's callbacks: what is not compressed passes as it is. */
#ifndef FILES_UNPACK_H
#define FILES_UNPACK_H

#include "cmd.h"

/* Reads from another fs_read_fn. */
struct unpack {
	fs_read_fn read;
	void *ctx;
	struct frames *frames;	/* of what is compressed; NULL until that is known */
	unsigned char first[4]; /* read to find that out */
	size_t nfirst, given;
	bool begun;
	const char *why; /* of an error that is not of read, or NULL */
	int code;	 /* its FS_ code */
};
#define UNPACK(read, ctx) { (read), (ctx), NULL, { 0 }, 0, 0, false, NULL, 0 }

/* An fs_read_fn. Memory is bounded, and so is what comes out: UNPACK_RATIO bytes for each that went in, and 128 MiB. */
enum { UNPACK_RATIO = 256 };
ptrdiff_t unpack_read(void *unpack, void *buf, size_t size);

/* Frees what it holds and returns rc. If unpacking failed, rather than `read`, err says why. file: the input's name. */
int unpack_end(struct unpack *u, int rc, const char *file, struct fs_error *err);

/* Is this the name of a compressed file? */
bool pack_wanted(const char *file);

/* Whatever `put` writes of `what`, compressed: 0, or an error. */
typedef int (*pack_put_fn)(const void *what, fs_write_fn write, void *ctx, struct fs_error *err);
int pack(pack_put_fn put, const void *what, FILE *to, struct fs_error *err);

/* pack_block compresses some bytes to one frame: returns how many of `to` it took, 0 if it cannot be done.
 * unpack_block turns it back to exactly `size` bytes: 0 or -1. pack_block_max: the room that n bytes may need. */
size_t pack_block(void *to, size_t room, const void *from, size_t n);
size_t pack_block_max(size_t n);
int unpack_block(void *to, size_t size, const void *from, size_t n);

/* ---- for unpack.c: by libzstd, or by a build without it */

int frames_begin(struct unpack *u); /* 0, or -1 */
ptrdiff_t frames_read(struct unpack *u, void *buf, size_t size);
void frames_free(struct frames *f);

static inline ptrdiff_t unpack_fail(struct unpack *u, int code, const char *why)
{
	u->code = code;
	u->why = why;
	return -1;
}

#endif
