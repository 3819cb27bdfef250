/* Files and streams: output that is written as a whole or not at all, zstd compression, tar archives. */
#ifndef FILES_FILES_H
#define FILES_FILES_H

#include "cmd.h"

#include <stddef.h>

/* Where what a command makes goes: what is no file is written straight, a file as a whole or not at all. */

/* Writes `what` to the stream: 0, or an error. */
typedef int (*save_put_fn)(const void *what, FILE *to, struct fs_error *err);

/* To output, "-" being standard output; a link goes on leading to where it led. mode: permissions of a new file. The
 * exit status (reported). */
int save(const struct invocation *inv, save_put_fn put, const void *what, const char *output, unsigned mode);

/* To a regular file, in the place of what has that name. */
int save_file(const struct invocation *inv, save_put_fn put, const void *what, const char *output, unsigned mode);

/* The library's callbacks for stdio streams. */

/* stream: a FILE. Bytes read, 0 at the end, -1 on error. */
ptrdiff_t stream_read(void *stream, void *buf, size_t size);

/* 0, or -1 on error. */
int stream_write(void *stream, const void *data, size_t size);

/* Snapshots compressed by zstd, between the library's callbacks: what is not compressed passes as it is. */

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

/* A ticket: a few small files in one, as the ustar format of POSIX has it (IEEE Std 1003.1-2017, pax, "ustar
 * Interchange Format"). Between the library's callbacks, as for struct unpack: what is no ticket passes as it is. */

enum { USTAR_BLOCK = 512 };

/* The members of a ticket, in the order in which they are written. */
enum ustar_member { USTAR_SNAPSHOT, USTAR_PAGE, USTAR_HTML, USTAR_VERSIONS, USTAR_MEMBERS };

struct ustar_file {
	const char *bytes;
	size_t size; /* below 8 GiB, which is all that the format can say */
};

/* Writes the members, all of that time (seconds since the epoch; none before it): 0, or -1. */
int ustar_write(const struct ustar_file files[USTAR_MEMBERS], int64_t time, fs_write_fn write, void *ctx);

/* Reads from another fs_read_fn. */
struct ustar {
	fs_read_fn read;
	void *ctx;
	unsigned char block[USTAR_BLOCK];
	size_t have, given; /* of the block, of what is no ticket */
	bool begun, packed; /* packed: it is a ticket */
	bool ended;
	unsigned seen;	    /* members, a bit each */
	uint64_t left, pad; /* of the snapshot, and of the block that it ends in */
	const char *why;    /* of an error that is not of read, or NULL */
};
#define USTAR(read_fn, read_ctx) { .read = (read_fn), .ctx = (read_ctx) }

/* An fs_read_fn: of a ticket the snapshot in it. Links, folders, other names, a name twice, members that no ticket can
 * have and what is cut off are refused; no memory is taken for what the sizes say. */
ptrdiff_t ustar_read(void *ustar, void *buf, size_t size);

/* rc, or where reading failed by what the ticket is: FS_EDATA, told in err. file: the input's name. */
int ustar_end(const struct ustar *u, int rc, const char *file, struct fs_error *err);

#endif
