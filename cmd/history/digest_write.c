/* Writes the digest of a snapshot: its lines sorted, in blocks that are compressed one by one. */
#include "history/digest.h"
#include "history/digest_form.h"

#include "files/stream.h"
#include "files/unpack.h"
#include "input/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct digest_writer {
	struct names line;
	FILE *to;
	uint64_t at;
	char *block;
	size_t len;
	char *packed;
	size_t packed_room;
	char *table;
	size_t table_len, table_room;
	bool private;
};

static int no_memory_left(struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	return FS_ENOMEM;
}

static int keep(void *ctx, const char *text)
{
	struct digest_writer *w = ctx;

	return names_take(&w->line, strdup(text)) ? FS_ENOMEM : 0;
}

static int put(struct digest_writer *w, const void *data, size_t n)
{
	w->at += n;
	return stream_write(w->to, data, n) ? FS_EIO : 0;
}

static int add_to_table(struct digest_writer *w, const char *text, size_t n)
{
	if (w->table_len + n > w->table_room) {
		const size_t room = 2 * (w->table_len + n);
		char *more = realloc(w->table, room);

		if (!more)
			return FS_ENOMEM;
		w->table = more;
		w->table_room = room;
	}
	memcpy(w->table + w->table_len, text, n);
	w->table_len += n;
	return 0;
}

/* The block's lines stand one after the other, each with its newline. */
static int close_block(struct digest_writer *w)
{
	const size_t packed = pack_block(w->packed, w->packed_room, w->block, w->len);
	char numbers[80];

	if (!packed)
		return FS_ENOMEM;
	snprintf(numbers, sizeof(numbers), "%" PRIu64 " %zu %zu ", w->at, packed, w->len);
	if (add_to_table(w, numbers, strlen(numbers)) || add_to_table(w, w->block, strcspn(w->block, "=\n")) ||
	    add_to_table(w, "\n", 1))
		return FS_ENOMEM;
	w->len = 0;
	return put(w, w->packed, packed);
}

static int put_blocks(struct digest_writer *w)
{
	int rc = 0;

	for (size_t i = 0; i < w->line.n && !rc; i++) {
		const size_t n = strlen(w->line.v[i]);

		memcpy(w->block + w->len, w->line.v[i], n);
		w->len += n;
		w->block[w->len++] = '\n';
		if (w->len >= DIGEST_BLOCK || i + 1 == w->line.n)
			rc = close_block(w);
	}
	return rc;
}

static int count(void *ctx, const char *text)
{
	(void)text;
	++*(size_t *)ctx;
	return 0;
}

/* Asks whether a user whom the snapshot does not know sees less than all of it. */
static int ask_private(const fs_snapshot *s, size_t all, bool *private, struct fs_error *err)
{
	const struct fs_view stranger = { .viewer = "" };
	size_t seen = 0;
	const int rc = lines_gather(s, &stranger, LINES_OF_SHARES | LINES_OF_JOBS, count, &seen, err);

	*private = seen < all;
	return rc;
}

static int put_all(struct digest_writer *w, const fs_snapshot *s, const struct digest_stamp *stamp)
{
	const int64_t time = fs_snapshot_info(s)->time;
	char head[160], trailer[DIGEST_TRAILER + 1];
	int rc;

	snprintf(head, sizeof(head), "digest %d %s %" PRIu64 " %" PRIx64 " %" PRId64 " %" PRId32 " %d\n", DIGEST_FORM,
		 FS_VERSION, stamp->size, stamp->end, time, fs_snapshot_utc_offset(s, time), w->private);
	rc = add_to_table(w, head, strlen(head));
	if (!rc)
		rc = put(w, DIGEST_MAGIC, strlen(DIGEST_MAGIC));
	if (!rc)
		rc = put_blocks(w);
	const uint64_t at = w->at;

	if (!rc)
		rc = put(w, w->table, w->table_len);
	snprintf(trailer, sizeof(trailer), "%016" PRIx64 "%016zx%016" PRIx64, at, w->table_len,
		 fs_index_checksum(w->table, w->table_len));
	return rc ? rc : put(w, trailer, DIGEST_TRAILER);
}

int digest_write(const fs_snapshot *s, const char *file, FILE *to, struct fs_error *err)
{
	struct digest_writer w = { .to = to, .packed_room = pack_block_max(DIGEST_BLOCK_MAX) };
	const struct fs_view everybody = { .viewer = NULL };
	struct digest_stamp stamp;
	int rc;

	*err = (struct fs_error){ .code = 0 };
	w.block = malloc(DIGEST_BLOCK_MAX);
	w.packed = malloc(w.packed_room);
	rc = w.block && w.packed ? lines_gather(s, &everybody, LINES_OF_SHARES | LINES_OF_JOBS, keep, &w, err)
				 : FS_ENOMEM;
	if (!rc)
		rc = ask_private(s, w.line.n, &w.private, err);
	if (!rc && digest_stamp(file, &stamp))
		rc = FS_EIO;
	names_sort(&w.line);
	if (!rc)
		rc = put_all(&w, s, &stamp);
	names_free(&w.line);
	free(w.block);
	free(w.packed);
	free(w.table);
	if (rc == FS_EIO) {
		*err = (struct fs_error){ .code = FS_EIO };
		snprintf(err->message, sizeof(err->message), "the digest cannot be written");
	}
	return rc == FS_ENOMEM ? no_memory_left(err) : rc;
}
