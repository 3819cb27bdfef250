/* Files and streams: atomic output files, zstd compression, and tickets (tar archives with a snapshot and the page of
 * one job). */
#ifndef FILES_FILES_H
#define FILES_FILES_H

#include "cmd.h"

#include <stddef.h>

/* ---- output files: a regular file is replaced atomically, anything else is written directly */

/* Writes the content `what` to the stream `to`. Returns 0, or an error code with *err set. */
typedef int (*save_put_fn)(const void *what, FILE *to, struct fs_error *err);

/* Calls `put` to write the content `what` to the file `output`; "-" is standard output. If `output` is a symbolic link
 * of the caller or of root, its target is replaced; links and fifos of other users are refused. mode: permissions of
 * the written file. Returns the exit status; errors are reported. */
int save_output_file(const struct invocation *inv, save_put_fn put, const void *what, const char *output,
		     unsigned mode);

/* Calls `put` to write the content `what` to a new regular file with permissions `mode`. Then renames the new file to
 * `output`. If `output` is a link or device, the new file replaces it. Returns the exit status; errors are reported. */
int save_regular_file(const struct invocation *inv, save_put_fn put, const void *what, const char *output,
		      unsigned mode);

/* ---- the library's read and write callbacks for stdio streams */

/* An fs_read_fn. `stream` points to a FILE. Returns the number of bytes read, 0 at the end, -1 on error. */
ptrdiff_t stream_read_bytes(void *stream, void *buf, size_t size);

/* An fs_write_fn. `stream` points to a FILE. Returns 0, or -1 on error. */
int stream_write_bytes(void *stream, const void *data, size_t size);

/* ---- zstd: struct unpack decompresses the bytes of a read callback; input that is not compressed stays unchanged */

/* State of decompressing an input. `read` returns the bytes of the input. Initialize with UNPACK, free with
 * unpack_finish_input. */
struct unpack {
	fs_read_fn read;
	void *ctx;
	/* decompressor; NULL: the input is not compressed, or its first bytes have not been read yet */
	struct frames *frames;
	unsigned char first[4]; /* first bytes of the input, which show whether it is compressed */
	size_t nfirst, nreturned;
	bool started;
	const char *why; /* error message of the decompressor; NULL: no error */
	int code;	 /* FS_ error code that belongs to `why` */
};
#define UNPACK(read, ctx) { (read), (ctx), NULL, { 0 }, 0, 0, false, NULL, 0 }

/* An fs_read_fn that returns the decompressed bytes. Returns an error if the output exceeds 128 MiB plus UNPACK_RATIO
 * bytes per byte of input. Also refuses frames whose zstd window is above 128 MiB, which bounds memory use. */
enum { UNPACK_RATIO = 256 };
ptrdiff_t unpack_decompress_bytes(void *unpack, void *buf, size_t size);

/* Frees the decompressor. `rc`: error code of the function that read the decompressed bytes; 0: it succeeded. If rc
 * is not 0 and the decompression failed, sets *err and returns the error code of the decompression. Otherwise returns
 * rc. `file`: name of the input for the message in *err. */
int unpack_finish_input(struct unpack *u, int rc, const char *file, struct fs_error *err);

/* Returns true if the name ends in ".zst". */
bool pack_is_zst_name(const char *file);

/* pack_content_fn: callback that passes the bytes of the object `what` to write(ctx, ...). pack_write_compressed
 * compresses the bytes that the callback `put` writes, and writes the result to the stream `to`. Both functions return
 * 0, or an error code with *err set. */
typedef int (*pack_content_fn)(const void *what, fs_write_fn write, void *ctx, struct fs_error *err);
int pack_write_compressed(pack_content_fn put, const void *what, FILE *to, struct fs_error *err);

/* pack_compress_block compresses n bytes into one frame. It returns the frame's size, or 0 if the frame does not fit
 * into `capacity` bytes or if out of memory. pack_block_max returns the largest frame size for n bytes.
 * pack_decompress_block decompresses a frame to exactly `size` bytes; it returns 0, or -1 on error. */
size_t pack_compress_block(void *to, size_t capacity, const void *from, size_t n);
size_t pack_block_max(size_t n);
int pack_decompress_block(void *to, size_t size, const void *from, size_t n);

/* ---- for unpack.c: implemented in zstd_frames.c or no_zstd.c */

int frames_open_input(struct unpack *u); /* creates the decompressor; returns 0, or -1 with u->why set */
ptrdiff_t frames_decompress_input(struct unpack *u, void *buf, size_t size);
void frames_free_decompressor(struct frames *f);

static inline ptrdiff_t unpack_set_error(struct unpack *u, int code, const char *why)
{
	u->code = code;
	u->why = why;
	return -1;
}

/* A ticket is an archive of a few small files, in the ustar format of POSIX (IEEE Std 1003.1-2017, pax, "ustar
 * Interchange Format"). ustar_read_snapshot returns the snapshot in a ticket. It returns any other input unchanged. */

enum { USTAR_BLOCK = 512 };

/* The members of a ticket, in the order in which ustar_write_ticket writes them. */
enum ustar_member { USTAR_SNAPSHOT, USTAR_PAGE, USTAR_HTML, USTAR_VERSIONS, USTAR_MEMBERS };

struct ustar_file {
	const char *bytes;
	size_t size; /* size of the member in bytes; less than 8 GiB, the limit of the tar format */
};

/* Writes a ticket, which is a tar archive with a snapshot. files: contents of the members, indexed by enum
 * ustar_member. time: modification time of all members, seconds since the epoch; negative times are written as 0.
 * Returns 0, or -1 on error. */
int ustar_write_ticket(const struct ustar_file files[USTAR_MEMBERS], int64_t time, fs_write_fn write, void *ctx);

/* State of reading the snapshot from a ticket, a tar archive. `read` returns the bytes of the archive. Initialize with
 * USTAR. */
struct ustar {
	fs_read_fn read;
	void *ctx;
	unsigned char block[USTAR_BLOCK];
	size_t block_bytes; /* number of bytes in `block` */
	/* if the input is not a tar archive: number of bytes of `block` that ustar_read_snapshot has returned */
	size_t nreturned;
	bool started, is_ticket; /* started: the first block has been read; is_ticket: the input is a tar archive */
	bool ended;
	unsigned members_seen;	    /* members read so far: bits 1 << enum ustar_member */
	/* number of bytes that are not read yet: of the snapshot, and of the padding after the snapshot */
	uint64_t snapshot_left, padding_left;
	const char *why;    /* error message about the archive; NULL: no error */
};
#define USTAR(read_fn, read_ctx) { .read = (read_fn), .ctx = (read_ctx) }

/* An fs_read_fn: returns the bytes of the snapshot in a ticket, a tar archive. Refuses archives that are truncated, or
 * that contain links, folders, unknown or duplicate member names, or sizes above the limits. Allocates no memory,
 * whatever sizes the headers state. */
ptrdiff_t ustar_read_snapshot(void *ustar, void *buf, size_t size);

/* Ends the reading of a tar archive. `rc`: error code of the function that read the snapshot; 0: it succeeded. If rc is
 * not 0 and the archive was refused, sets *err and returns FS_EDATA. Otherwise returns rc. `file`: name of the input
 * for the message in *err. */
int ustar_finish_input(const struct ustar *u, int rc, const char *file, struct fs_error *err);

#endif
