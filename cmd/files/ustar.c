#include "files/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ptrdiff_t stream_read_bytes(void *stream, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, stream);

	return n || !ferror((FILE *)stream) ? (ptrdiff_t)n : -1;
}

int stream_write_bytes(void *stream, const void *data, size_t size)
{
	return fwrite(data, 1, size, stream) == size ? 0 : -1;
}

/* The ustar format (IEEE Std 1003.1-2017, pax, "ustar Interchange Format"). A member is a header of one block, followed
 * by the file, padded to whole blocks. Two blocks of zeros end the archive. */

struct ustar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], chksum[8];
	char typeflag, linkname[100], magic[6], version[2], uname[32], gname[32];
	char devmajor[8], devminor[8], prefix[155], unused[12];
};
_Static_assert(sizeof(struct ustar_header) == USTAR_BLOCK, "no padding");

static const struct {
	const char *name;
	/* largest accepted size of the archive member in bytes; for the snapshot: the limit of the ustar format */
	uint64_t max;
} members[USTAR_MEMBERS] = {
	[USTAR_SNAPSHOT] = { "snapshot.jsonl", (uint64_t)1 << 33 },
	[USTAR_PAGE] = { "explanation.md", (uint64_t)16 << 20 },
	[USTAR_HTML] = { "explanation.html", (uint64_t)16 << 20 },
	[USTAR_VERSIONS] = { "versions.json", (uint64_t)1 << 16 },
};

static unsigned compute_header_sum(const struct ustar_header *h)
{
	const unsigned char *byte = (const unsigned char *)h;
	const size_t from = offsetof(struct ustar_header, chksum), to = from + sizeof(h->chksum);
	unsigned sum = 0;

	for (size_t i = 0; i < sizeof(*h); i++)
		sum += i >= from && i < to ? ' ' : byte[i];
	return sum;
}

/* ---- writing a ticket */

static const char zeros[2 * USTAR_BLOCK];

static void fill_ustar_header(struct ustar_header *h, const char *name, uint64_t size, uint64_t time)
{
	*h = (struct ustar_header){ .typeflag = '0', .magic = "ustar", .version = { '0', '0' } };
	snprintf(h->name, sizeof(h->name), "%s", name);
	snprintf(h->mode, sizeof(h->mode), "%07o", 0600u);
	snprintf(h->uid, sizeof(h->uid), "%07o", 0u);
	snprintf(h->gid, sizeof(h->gid), "%07o", 0u);
	snprintf(h->size, sizeof(h->size), "%011" PRIo64, size);
	snprintf(h->mtime, sizeof(h->mtime), "%011" PRIo64, time);
	snprintf(h->devmajor, sizeof(h->devmajor), "%07o", 0u);
	snprintf(h->devminor, sizeof(h->devminor), "%07o", 0u);
	snprintf(h->chksum, sizeof(h->chksum), "%06o", compute_header_sum(h));
	h->chksum[7] = ' ';
}

static size_t compute_block_padding(uint64_t size)
{
	return (size_t)(-size % USTAR_BLOCK);
}

int ustar_write_ticket(const struct ustar_file files[USTAR_MEMBERS], int64_t time, fs_write_fn write, void *ctx)
{
	const uint64_t highest = ((uint64_t)1 << 33) - 1; /* largest value of eleven octal digits */
	struct ustar_header h;

	for (int i = 0; i < USTAR_MEMBERS; i++) {
		if (files[i].size > highest)
			return -1;
		fill_ustar_header(&h, members[i].name, files[i].size, time < 0 ? 0 : (uint64_t)time & highest);
		if (write(ctx, &h, sizeof(h)) || write(ctx, files[i].bytes, files[i].size) ||
		    write(ctx, zeros, compute_block_padding(files[i].size)))
			return -1;
	}
	return write(ctx, zeros, sizeof(zeros));
}

/* ---- reading a ticket */

static ptrdiff_t set_ticket_error(struct ustar *u, const char *why)
{
	u->why = why;
	return -1;
}

static ptrdiff_t report_truncated_ticket(struct ustar *u)
{
	return set_ticket_error(u, "the ticket is truncated");
}

/* Fills u->block. Reads again after a short read, so u->block_bytes is less than USTAR_BLOCK only at the end of the
 * input. Returns 0, or -1 if reading failed. */
static int read_ustar_block(struct ustar *u)
{
	ptrdiff_t n = 1;

	u->block_bytes = 0;
	while (u->block_bytes < USTAR_BLOCK &&
	       (n = u->read(u->ctx, u->block + u->block_bytes, USTAR_BLOCK - u->block_bytes)) > 0)
		u->block_bytes += (size_t)n;
	return n < 0 ? -1 : 0;
}

static bool is_zero_block(const struct ustar *u)
{
	return !memcmp(u->block, zeros, u->block_bytes);
}

/* Parses octal digits that end with a space or a NUL. Returns false if the field contains anything else. */
static bool parse_octal_field(const char *field, size_t size, uint64_t *out)
{
	size_t i = 0;

	for (*out = 0; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		*out = *out * 8 + (uint64_t)(field[i] - '0');
	return i && i < size && (field[i] == ' ' || !field[i]);
}

/* Checks the header of a file in the archive. Returns the file's enum ustar_member and sets *size. Returns -1 if the
 * header is damaged, or if a ticket cannot contain such a file. */
static int parse_member_header(struct ustar *u, const struct ustar_header *h, uint64_t *size)
{
	uint64_t sum;
	int i = 0;

	if (memcmp(h->magic, "ustar", sizeof(h->magic)) != 0 ||
	    !parse_octal_field(h->chksum, sizeof(h->chksum), &sum) || sum != compute_header_sum(h))
		return (int)set_ticket_error(u, "the ticket is damaged: invalid header");
	while (i < USTAR_MEMBERS && strncmp(h->name, members[i].name, sizeof(h->name)) != 0)
		i++;
	if (i == USTAR_MEMBERS || *h->prefix || (h->typeflag != '0' && h->typeflag))
		return (int)set_ticket_error(u, "not a ticket: the archive contains another file, a folder or a link");
	if (u->members_seen & 1u << i)
		return (int)set_ticket_error(u, "the ticket contains a file twice");
	if (!parse_octal_field(h->size, sizeof(h->size), size))
		return (int)set_ticket_error(u, "the ticket is damaged: a file has an invalid size");
	if (*size > members[i].max)
		return (int)set_ticket_error(u, "a file in the ticket is larger than the maximum");
	u->members_seen |= 1u << i;
	return i;
}

/* Checks the rest of an archive after its first block of zeros. The rest must consist of blocks of zeros. The archive
 * may end with at most 21 blocks of zeros: tar writes two, and pads the archive to a multiple of 20 blocks. Returns 0,
 * or -1 on error. */
static ptrdiff_t check_archive_end(struct ustar *u)
{
	enum { MAX_END_BLOCKS = 21 };

	for (int i = 0; i <= MAX_END_BLOCKS; i++) {
		if (read_ustar_block(u))
			return -1;
		if (!i && u->block_bytes < USTAR_BLOCK)
			return report_truncated_ticket(u);
		if (!is_zero_block(u) || i == MAX_END_BLOCKS)
			return set_ticket_error(u, "the ticket has data after its end");
		if (u->block_bytes < USTAR_BLOCK)
			break;
	}
	u->ended = true;
	return u->members_seen & 1u << USTAR_SNAPSHOT ? 0 : set_ticket_error(u, "the ticket contains no snapshot");
}

/* Skips a member of `size` bytes and its padding. Returns 0, or -1 on error. */
static ptrdiff_t skip_member_blocks(struct ustar *u, uint64_t size)
{
	for (uint64_t n = (size + USTAR_BLOCK - 1) / USTAR_BLOCK; n; n--) {
		if (read_ustar_block(u))
			return -1;
		if (u->block_bytes < USTAR_BLOCK)
			return report_truncated_ticket(u);
	}
	return 0;
}

/* Reads headers up to the header of the snapshot, and skips the members before the snapshot. The first header is in
 * u->block already. Returns 1 at the start of the snapshot, 0 at the end of the archive, -1 on error. */
static ptrdiff_t find_snapshot_member(struct ustar *u)
{
	uint64_t size = 0;

	for (;;) {
		if (u->block_bytes < USTAR_BLOCK)
			return report_truncated_ticket(u);
		if (is_zero_block(u))
			return check_archive_end(u);
		struct ustar_header h;

		memcpy(&h, u->block, sizeof(h));
		const int i = parse_member_header(u, &h, &size);

		if (i < 0)
			return -1;
		if (i == USTAR_SNAPSHOT && size) {
			u->snapshot_left = size;
			u->padding_left = compute_block_padding(size);
			return 1;
		}
		if (skip_member_blocks(u, size) || read_ustar_block(u))
			return -1;
	}
}

/* Reads the part of the archive after the snapshot: the padding of the snapshot, the other members and the end of the
 * archive. */
static ptrdiff_t read_after_snapshot(struct ustar *u)
{
	ptrdiff_t n;

	while (u->padding_left) {
		n = u->read(u->ctx, u->block, (size_t)u->padding_left);
		if (n <= 0)
			return n < 0 ? -1 : report_truncated_ticket(u);
		u->padding_left -= (uint64_t)n;
	}
	return read_ustar_block(u) ? -1 : find_snapshot_member(u);
}

static ptrdiff_t detect_ticket_header(struct ustar *u)
{
	u->started = true;
	if (read_ustar_block(u))
		return -1;
	u->is_ticket =
		u->block_bytes == USTAR_BLOCK && !memcmp(u->block + offsetof(struct ustar_header, magic), "ustar", 6);
	return u->is_ticket ? find_snapshot_member(u) : 0;
}

static ptrdiff_t read_unarchived_bytes(struct ustar *u, void *buf, size_t size)
{
	const size_t left = u->block_bytes - u->nreturned, n = left < size ? left : size;

	if (!n)
		return u->read(u->ctx, buf, size);
	memcpy(buf, u->block + u->nreturned, n);
	u->nreturned += n;
	return (ptrdiff_t)n;
}

ptrdiff_t ustar_read_snapshot(void *ustar, void *buf, size_t size)
{
	struct ustar *u = ustar;
	ptrdiff_t n;

	if (u->why || (!u->started && detect_ticket_header(u) < 0))
		return -1;
	if (!u->is_ticket)
		return read_unarchived_bytes(u, buf, size);
	if (!u->snapshot_left && !u->ended && (n = read_after_snapshot(u)) <= 0)
		return n;
	if (u->ended)
		return 0;
	n = u->read(u->ctx, buf, u->snapshot_left < size ? (size_t)u->snapshot_left : size);
	if (n <= 0)
		return n < 0 ? -1 : report_truncated_ticket(u);
	u->snapshot_left -= (uint64_t)n;
	return n;
}

int ustar_finish_input(const struct ustar *u, int rc, const char *file, struct fs_error *err)
{
	if (!rc || !u->why)
		return rc;
	*err = (struct fs_error){ .code = FS_EDATA };
	snprintf(err->file, sizeof(err->file), "%s", file);
	snprintf(err->message, sizeof(err->message), "%s", u->why);
	return FS_EDATA;
}
