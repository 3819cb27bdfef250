/* A digest may come from anybody: whatever it holds, the answer is lines or that it is damaged. */
#include "history/digest.h"
#include "history/digest_form.h"

#include "files/unpack.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct block {
	uint64_t at;
	uint32_t packed, size;
	const char *key; /* in the table */
};

struct digest {
	int fd;
	uint64_t end; /* of the blocks */
	char *table;
	struct block *block;
	size_t n;
	int64_t time;
	int32_t utc_offset_s;
	bool private;
};

void digest_close(struct digest *d)
{
	if (!d)
		return;
	close(d->fd);
	free(d->table);
	free(d->block);
	free(d);
}

int64_t digest_time(const struct digest *d)
{
	return d->time;
}

int32_t digest_utc_offset(const struct digest *d)
{
	return d->utc_offset_s;
}

bool digest_private(const struct digest *d)
{
	return d->private;
}

static int read_exactly(int fd, void *buf, size_t n, uint64_t at)
{
	return pread(fd, buf, n, (off_t)at) == (ssize_t)n ? 0 : -1;
}

static int load_table(struct digest *d, uint64_t file_size)
{
	char trailer[DIGEST_TRAILER + 1] = "", magic[sizeof(DIGEST_MAGIC)] = "";
	uint64_t size, checksum;

	if (file_size < strlen(DIGEST_MAGIC) + DIGEST_TRAILER ||
	    read_exactly(d->fd, magic, strlen(DIGEST_MAGIC), 0) || strcmp(magic, DIGEST_MAGIC) != 0 ||
	    read_exactly(d->fd, trailer, DIGEST_TRAILER, file_size - DIGEST_TRAILER) ||
	    sscanf(trailer, "%16" SCNx64 "%16" SCNx64 "%16" SCNx64, &d->end, &size, &checksum) != 3)
		return -1;
	if (size > DIGEST_TABLE_MAX || d->end > file_size || d->end + size != file_size - DIGEST_TRAILER)
		return -1;
	d->table = malloc(size + 1);
	if (!d->table || read_exactly(d->fd, d->table, size, d->end) || fs_index_checksum(d->table, size) != checksum)
		return -1;
	d->table[size] = '\0';
	return strlen(d->table) == size ? 0 : -1;
}

/* Takes the table apart, line by line. */
static int parse_row(struct digest *d, char *line)
{
	struct block *b = &d->block[d->n];
	const char *key = line;

	for (int i = 0; i < 3 && key; i++) {
		key = strchr(key, ' ');
		key = key ? key + 1 : NULL;
	}
	if (!key || sscanf(line, DIGEST_ROW, &b->at, &b->packed, &b->size) != 3 || b->size > DIGEST_BLOCK_MAX ||
	    b->packed > DIGEST_BLOCK_MAX || b->at > d->end || b->packed > d->end - b->at)
		return -1;
	b->key = key;
	d->n++;
	return 0;
}

static int parse_table(struct digest *d, const struct digest_stamp *stamp)
{
	struct digest_stamp of;
	unsigned form, private;
	char version[32];
	size_t lines = 0;
	char *line = d->table, *end;

	if (sscanf(line, DIGEST_HEAD, &form, version, &of.size, &of.end, &d->time, &d->utc_offset_s, &private) != 7 ||
	    form != DIGEST_FORM || strcmp(version, FS_VERSION) != 0 || of.size != stamp->size || of.end != stamp->end)
		return -1;
	d->private = private;
	for (const char *p = line; (p = strchr(p, '\n')); p++)
		lines++;
	d->block = calloc(lines + 1, sizeof(*d->block));
	if (!d->block)
		return -1;
	line = strchr(line, '\n');
	for (line = line ? line + 1 : NULL; line && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return -1;
		*end = '\0';
		if (parse_row(d, line))
			return -1;
	}
	return 0;
}

struct digest *digest_open(const char *file)
{
	struct digest *d = calloc(1, sizeof(*d));
	char *name = digest_name(file);
	struct digest_stamp stamp;
	struct stat st;

	if (!d || !name || digest_stamp(file, &stamp)) {
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
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && !load_table(d, (uint64_t)st.st_size) && !parse_table(d, &stamp))
		return d;
	digest_close(d);
	return NULL;
}

/* The lines of an unpacked block that begin with key; each is a text of its own for fn. */
static int pass_lines(char *text, size_t size, const char *key, line_fn fn, void *ctx)
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

static int search_block(struct digest *d, const struct block *b, const char *key, line_fn fn, void *ctx)
{
	char *packed = malloc(b->packed + 1u), *text = malloc(b->size + 1u);
	int rc = -1;

	if (packed && text && !read_exactly(d->fd, packed, b->packed, b->at) &&
	    !unpack_block(text, b->size, packed, b->packed))
		rc = pass_lines(text, b->size, key, fn, ctx);
	free(packed);
	free(text);
	return rc;
}

/* The first block that may have a line with the key: the last one that begins before it. */
static size_t first_block(const struct digest *d, const char *key)
{
	size_t low = 0, high = d->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (strcmp(d->block[mid].key, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : 0;
}

int digest_find(struct digest *d, const char *key, line_fn fn, void *ctx)
{
	const size_t n = strlen(key);
	int rc = 0;

	for (size_t i = first_block(d, key); i < d->n && !rc; i++) {
		const char *first = d->block[i].key;

		if (strcmp(first, key) > 0 && strncmp(first, key, n < strlen(first) ? n : strlen(first)) != 0)
			break;
		rc = search_block(d, &d->block[i], key, fn, ctx);
	}
	return rc;
}
