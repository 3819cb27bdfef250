/* A ticket: a few small files in one, as the ustar format of POSIX has it (IEEE Std 1003.1-2017, pax, "ustar
 * Interchange Format"). Between the library's callbacks, as unpack.h: what is no ticket passes as it is. */
#ifndef FILES_USTAR_H
#define FILES_USTAR_H

#include "cmd.h"

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
