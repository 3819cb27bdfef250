/* Reads and writes digests. A digest is a small file beside a snapshot that contains the history lines of the snapshot
 * (history.h). */
#include "files/files.h"
#include "history/history.h"
#include "input/input.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *digest_format_file_name(const char *file)
{
	char *name = malloc(strlen(file) + sizeof(".digest"));

	if (name) {
		strcpy(name, file);
		strcat(name, ".digest");
	}
	return name;
}

/* Sets *out to the stamp of a snapshot file: its size, its owner and a checksum of its last bytes. Returns -1 if the
 * file cannot be read. The last bytes suffice to identify the contents, because a compressed file ends with a checksum
 * of its contents. */
static int read_snapshot_stamp(const char *file, struct snapshot_stamp *out)
{
	enum { END = 4096 };
	const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	char buf[END];
	ssize_t n = -1;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		n = pread(fd, buf, END, st.st_size > END ? st.st_size - END : 0);
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return -1;
	*out = (struct snapshot_stamp){ .size = (uint64_t)st.st_size,
					.tail_checksum = fs_index_checksum(buf, (size_t)n),
					.owner = st.st_uid };
	return 0;
}

/* ---- reading: a digest may contain anything, so every offset and size in it is checked before use */

struct digest_block {
	uint64_t offset;            /* offset of the block in the file, in bytes */
	uint32_t packed_size, size; /* compressed and uncompressed size of the block, in bytes */
	const char *first_key;      /* key of the first line in the block; points into digest.table */
};

struct digest {
	int fd;
	uint64_t blocks_end; /* offset of the end of the blocks, where the table begins */
	char *table;
	struct digest_block *blocks;
	size_t block_count;
	int64_t time;           /* time of the snapshot, seconds since the epoch */
	int32_t utc_offset_s;   /* local time minus UTC at `time`, in seconds */
	bool has_private_lines; /* PrivateData hides some history lines of the snapshot from some users */
};

void digest_close_file(struct digest *d)
{
	if (!d)
		return;
	close(d->fd);
	free(d->table);
	free(d->blocks);
	free(d);
}

int64_t digest_get_time(const struct digest *d)
{
	return d->time;
}

int32_t digest_get_utc_offset(const struct digest *d)
{
	return d->utc_offset_s;
}

bool digest_has_private_lines(const struct digest *d)
{
	return d->has_private_lines;
}

static int read_bytes_exactly(int fd, void *buf, size_t n, uint64_t at)
{
	return pread(fd, buf, n, (off_t)at) == (ssize_t)n ? 0 : -1;
}

/* Reads the trailer and the table of the digest. Returns -1 if the trailer or the table is invalid, or if out of
 * memory. */
static int load_digest_block_table(struct digest *d, uint64_t file_size)
{
	char trailer[DIGEST_TRAILER_SIZE + 1] = "", magic[sizeof(DIGEST_MAGIC)] = "";
	uint64_t size, checksum;

	if (file_size < strlen(DIGEST_MAGIC) + DIGEST_TRAILER_SIZE ||
	    read_bytes_exactly(d->fd, magic, strlen(DIGEST_MAGIC), 0) || strcmp(magic, DIGEST_MAGIC) != 0 ||
	    read_bytes_exactly(d->fd, trailer, DIGEST_TRAILER_SIZE, file_size - DIGEST_TRAILER_SIZE) ||
	    sscanf(trailer, "%16" SCNx64 "%16" SCNx64 "%16" SCNx64, &d->blocks_end, &size, &checksum) != 3)
		return -1;
	if (size > DIGEST_TABLE_MAX || d->blocks_end > file_size ||
	    d->blocks_end + size != file_size - DIGEST_TRAILER_SIZE)
		return -1;
	d->table = malloc(size + 1);
	if (!d->table || read_bytes_exactly(d->fd, d->table, size, d->blocks_end) ||
	    fs_index_checksum(d->table, size) != checksum)
		return -1;
	d->table[size] = '\0';
	return strlen(d->table) == size ? 0 : -1;
}

/* Parses the table line of one block and appends the block to d. Returns -1 if the line is invalid. */
static int parse_table_row(struct digest *d, char *line)
{
	struct digest_block *b = &d->blocks[d->block_count];
	const char *key = line;

	for (int i = 0; i < 3 && key; i++) {
		key = strchr(key, ' ');
		key = key ? key + 1 : NULL;
	}
	if (!key || sscanf(line, DIGEST_ROW_FORMAT, &b->offset, &b->packed_size, &b->size) != 3 ||
	    b->size > DIGEST_BLOCK_MAX || b->packed_size > DIGEST_BLOCK_MAX || b->offset > d->blocks_end ||
	    b->packed_size > d->blocks_end - b->offset)
		return -1;
	b->first_key = key;
	d->block_count++;
	return 0;
}

/* Parses the table of the digest. Returns -1 if the table is invalid, if the digest belongs to another snapshot or
 * version of fs-tools, or if out of memory. */
static int parse_digest_block_table(struct digest *d, const struct snapshot_stamp *stamp)
{
	struct snapshot_stamp of;
	unsigned form, private;
	char version[32];
	size_t lines = 0;
	char *line = d->table, *end;

	if (sscanf(line, DIGEST_HEAD_FORMAT, &form, version, &of.size, &of.tail_checksum, &d->time, &d->utc_offset_s,
		   &private) != 7 ||
	    form != DIGEST_FORMAT_VERSION || strcmp(version, FS_VERSION) != 0 || of.size != stamp->size ||
	    of.tail_checksum != stamp->tail_checksum)
		return -1;
	d->has_private_lines = private;
	for (const char *p = line; (p = strchr(p, '\n')); p++)
		lines++;
	d->blocks = calloc(lines + 1, sizeof(*d->blocks));
	if (!d->blocks)
		return -1;
	line = strchr(line, '\n');
	for (line = line ? line + 1 : NULL; line && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return -1;
		*end = '\0';
		if (parse_table_row(d, line))
			return -1;
	}
	return 0;
}

struct digest *digest_open_file(const char *file)
{
	struct digest *d = calloc(1, sizeof(*d));
	char *name = digest_format_file_name(file);
	struct snapshot_stamp stamp;
	struct stat st;

	if (!d || !name || read_snapshot_stamp(file, &stamp)) {
		free(name);
		free(d);
		return NULL;
	}
	d->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(name);
	if (d->fd < 0) {
		free(d);
		return NULL;
	}
	if (!fstat(d->fd, &st) && S_ISREG(st.st_mode) && st.st_uid == stamp.owner &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && !load_digest_block_table(d, (uint64_t)st.st_size) &&
	    !parse_digest_block_table(d, &stamp))
		return d;
	digest_close_file(d);
	return NULL;
}

/* Calls fn for each line that begins with `key` in the text of an unpacked block. Returns 0, the first non-zero value
 * that fn returned, or -1 if the last line has no newline. */
static int pass_matching_lines(char *text, size_t size, const char *key, history_line_fn fn, void *ctx)
{
	const size_t n = strlen(key);
	int rc = 0;

	for (char *line = text, *end; line < text + size && !rc; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + size - line));
		if (!end)
			return -1;
		*end = '\0';
		if (!strncmp(line, key, n))
			rc = fn(ctx, line);
	}
	return rc;
}

/* Unpacks a block and calls fn for each line in the block that begins with `key`. Returns 0, the first non-zero value
 * that fn returned, or -1 if out of memory or if the block is damaged. */
static int search_packed_block(struct digest *d, const struct digest_block *b, const char *key, history_line_fn fn,
			       void *ctx)
{
	char *packed = malloc(b->packed_size + 1u), *text = malloc(b->size + 1u);
	int rc = -1;

	if (packed && text && !read_bytes_exactly(d->fd, packed, b->packed_size, b->offset) &&
	    !pack_decompress_block(text, b->size, packed, b->packed_size))
		rc = pass_matching_lines(text, b->size, key, fn, ctx);
	free(packed);
	free(text);
	return rc;
}

/* Returns the index of the block from which a search for the key must start. This block is the last block whose first
 * key is smaller than the key, so no earlier block contains the key. Returns 0 if there is no such block. */
static size_t find_first_block(const struct digest *d, const char *key)
{
	size_t low = 0, high = d->block_count;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (strcmp(d->blocks[mid].first_key, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : 0;
}

int digest_find_lines(struct digest *d, const char *key, history_line_fn fn, void *ctx)
{
	const size_t n = strlen(key);
	int rc = 0;

	for (size_t i = find_first_block(d, key); i < d->block_count && !rc; i++) {
		const char *first = d->blocks[i].first_key;

		if (strcmp(first, key) > 0 && strncmp(first, key, n < strlen(first) ? n : strlen(first)) != 0)
			break;
		rc = search_packed_block(d, &d->blocks[i], key, fn, ctx);
	}
	return rc;
}

/* ---- writing a digest */

struct digest_writer {
	struct names lines;
	FILE *file;
	uint64_t offset;  /* number of bytes written so far */
	char *block_text; /* text of the current block, not compressed yet */
	size_t block_len; /* number of bytes used in `block_text` */
	char *packed;
	size_t packed_capacity;
	char *table;
	size_t table_len, table_capacity;
	bool has_private_lines;
};

static int collect_line_copy(void *ctx, const char *text)
{
	struct digest_writer *w = ctx;

	return names_add_owned_text(&w->lines, strdup(text)) ? FS_ENOMEM : 0;
}

static int write_digest_bytes(struct digest_writer *w, const void *data, size_t n)
{
	w->offset += n;
	return stream_write_bytes(w->file, data, n) ? FS_EIO : 0;
}

static int append_table_text(struct digest_writer *w, const char *text, size_t n)
{
	if (w->table_len + n > w->table_capacity) {
		const size_t capacity = 2 * (w->table_len + n);
		char *more = realloc(w->table, capacity);

		if (!more)
			return FS_ENOMEM;
		w->table = more;
		w->table_capacity = capacity;
	}
	memcpy(w->table + w->table_len, text, n);
	w->table_len += n;
	return 0;
}

/* Compresses and writes the current block, and appends a line for the block to the table. The first key of the block is
 * the text before the first '=' or newline. */
static int write_packed_block(struct digest_writer *w)
{
	const size_t packed = pack_compress_block(w->packed, w->packed_capacity, w->block_text, w->block_len);
	char numbers[80];

	if (!packed)
		return FS_ENOMEM;
	snprintf(numbers, sizeof(numbers), "%" PRIu64 " %zu %zu ", w->offset, packed, w->block_len);
	if (append_table_text(w, numbers, strlen(numbers)) ||
	    append_table_text(w, w->block_text, strcspn(w->block_text, "=\n")) || append_table_text(w, "\n", 1))
		return FS_ENOMEM;
	w->block_len = 0;
	return write_digest_bytes(w, w->packed, packed);
}

/* Writes the history lines in blocks. A newline ends each line. */
static int write_line_blocks(struct digest_writer *w)
{
	int rc = 0;

	for (size_t i = 0; i < w->lines.n && !rc; i++) {
		const size_t n = strlen(w->lines.v[i]);

		memcpy(w->block_text + w->block_len, w->lines.v[i], n);
		w->block_len += n;
		w->block_text[w->block_len++] = '\n';
		if (w->block_len >= DIGEST_BLOCK_SIZE || i + 1 == w->lines.n)
			rc = write_packed_block(w);
	}
	return rc;
}

static int count_visible_line(void *ctx, const char *text)
{
	(void)text;
	++*(size_t *)ctx;
	return 0;
}

/* Sets *private to true if PrivateData hides some history lines from a user who is not in the snapshot; otherwise to
 * false. `all`: number of history lines of the snapshot. Returns 0 or an error code. */
static int check_private_lines(const fs_snapshot *s, size_t all, bool *private, struct fs_error *err)
{
	const struct fs_view public_view = { .viewer = "" };
	size_t visible_lines = 0;
	const int rc = history_gather_lines(s, &public_view, HISTORY_SHARE_LINES | HISTORY_JOB_LINES,
					    count_visible_line, &visible_lines, err);

	*private = visible_lines < all;
	return rc;
}

/* Writes the digest: the magic string, the blocks, the table and the trailer. Returns 0 or an error code. */
static int write_digest_parts(struct digest_writer *w, const fs_snapshot *s, const struct snapshot_stamp *stamp)
{
	const int64_t time = fs_snapshot_info(s)->time;
	char head[160], trailer[DIGEST_TRAILER_SIZE + 1];
	int rc;

	snprintf(head, sizeof(head), "digest %d %s %" PRIu64 " %" PRIx64 " %" PRId64 " %" PRId32 " %d\n",
		 DIGEST_FORMAT_VERSION, FS_VERSION, stamp->size, stamp->tail_checksum, time,
		 fs_snapshot_utc_offset(s, time), w->has_private_lines);
	rc = append_table_text(w, head, strlen(head));
	if (!rc)
		rc = write_digest_bytes(w, DIGEST_MAGIC, strlen(DIGEST_MAGIC));
	if (!rc)
		rc = write_line_blocks(w);
	const uint64_t at = w->offset;

	if (!rc)
		rc = write_digest_bytes(w, w->table, w->table_len);
	snprintf(trailer, sizeof(trailer), "%016" PRIx64 "%016zx%016" PRIx64, at, w->table_len,
		 fs_index_checksum(w->table, w->table_len));
	return rc ? rc : write_digest_bytes(w, trailer, DIGEST_TRAILER_SIZE);
}

int digest_write_file(const fs_snapshot *s, const char *file, FILE *to, struct fs_error *err)
{
	struct digest_writer w = { .file = to, .packed_capacity = pack_block_max(DIGEST_BLOCK_MAX) };
	const struct fs_view full_view = { .viewer = NULL };
	struct snapshot_stamp stamp;
	int rc;

	*err = (struct fs_error){ .code = 0 };
	w.block_text = malloc(DIGEST_BLOCK_MAX);
	w.packed = malloc(w.packed_capacity);
	rc = w.block_text && w.packed ? history_gather_lines(s, &full_view, HISTORY_SHARE_LINES | HISTORY_JOB_LINES,
							     collect_line_copy, &w, err)
				      : FS_ENOMEM;
	if (!rc)
		rc = check_private_lines(s, w.lines.n, &w.has_private_lines, err);
	if (!rc && read_snapshot_stamp(file, &stamp))
		rc = FS_EIO;
	names_sort_by_bytes(&w.lines);
	if (!rc)
		rc = write_digest_parts(&w, s, &stamp);
	names_free_all(&w.lines);
	free(w.block_text);
	free(w.packed);
	free(w.table);
	if (rc == FS_EIO) {
		*err = (struct fs_error){ .code = FS_EIO };
		snprintf(err->message, sizeof(err->message), "cannot write the digest");
	}
	return rc == FS_ENOMEM ? out_of_memory(err) : rc;
}
