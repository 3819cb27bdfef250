#include "base/error.h"
#include "base/text.h"
#include "model/model.h"
#include "snapshot/snapshot.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a snapshot from JSON Lines: adds one record at a time to the model, then calls fsi_model_finish. */

/* Compares the number of records of each type with the counts in the first line, to detect a truncated file. */
static int check_record_counts(struct fsi_reader *r)
{
	struct fsi_input_position where = { r->m->file, 0, 0 };

	if (!r->m->head.rec.line)
		return fsi_fail_at(r->err, where, NULL, "empty: not a snapshot");
	for (int i = 0; r->has_expected_counts && i < FSI_RECORD_COUNTS; i++) {
		if (r->record_counts[i] == r->expected_counts[i])
			continue;
		where.line = r->where.line;
		return fsi_fail_at(r->err, where, "records",
				   "%s: the first line announces %llu records, the file has %llu%s",
				   i < FSI_RECORD_COUNT ? fsi_record_table((enum fsi_record_type)i)->type : "config",
				   (unsigned long long)r->expected_counts[i], (unsigned long long)r->record_counts[i],
				   r->record_counts[i] < r->expected_counts[i] ? "; the file may be truncated" : "");
	}
	return 0;
}

int fsi_warn_incomplete(fs_snapshot *m)
{
	size_t n;
	const uint32_t *all = fsi_list_items(m, m->head.incomplete, &n);

	for (size_t i = 0; i < n; i++)
		if (fsi_model_add_warning(m, "%s", fsi_name_text(m, all[i])))
			return -1;
	return 0;
}

int fs_snapshot_read_with(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			  const struct fs_read_options *options, struct fs_error *err)
{
	struct fsi_reader r = { .m = fsi_model_create(name), .err = err, };
	struct fsi_lines lines;
	int rc;

	if (!r.m)
		return fsi_fail_no_memory(err);
	fsi_lines_init_reader(&lines, read, ctx, r.m->file);
	FSI_OPTIONS(r.options, options);
	rc = fsi_reader_read_lines(&r, &lines);
	if (!rc)
		rc = check_record_counts(&r);
	fsi_lines_release(&lines);
	fsi_reader_release(&r);
	r.m->info.usage_records = r.record_counts[FSI_RECORD_USAGE];
	r.m->read_warnings = r.m->warnings.n;
	if (!rc && fsi_warn_incomplete(r.m))
		rc = fsi_fail_no_memory(err);
	if (!rc)
		rc = fsi_model_finish(r.m, err);
	if (rc)
		fs_snapshot_free(r.m);
	else
		*out = r.m;
	return rc;
}

int fs_snapshot_read(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err)
{
	return fs_snapshot_read_with(out, read, ctx, name, NULL, err);
}

struct byte_stream {
	struct fsi_buf buf;
	size_t at;
};

static int write_to_memory(void *ctx, const void *data, size_t size)
{
	struct byte_stream *b = ctx;

	return fsi_buf_append_bytes(&b->buf, data, size);
}

static ptrdiff_t read_from_memory(void *ctx, void *buf, size_t size)
{
	struct byte_stream *b = ctx;
	const size_t n = b->buf.n - b->at < size ? b->buf.n - b->at : size;

	if (n)
		memcpy(buf, b->buf.v + b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

int fsi_snapshot_copy_through_text(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err)
{
	struct byte_stream b = { .at = 0 };
	/* receives an error message that is not used: a write to memory fails only if out of memory */
	struct fs_error unused_error;
	int rc = fs_snapshot_write(s, write_to_memory, &b, &unused_error) ? fsi_fail_no_memory(err) : 0;

	if (!rc)
		rc = fs_snapshot_read(out, read_from_memory, &b, s->file, err);
	free(b.buf.v);
	return rc;
}

/* Opens a snapshot by file name. No other code of the library opens a file. */

static ptrdiff_t read_stdio_file(void *ctx, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, ctx);

	return n || !ferror((FILE *)ctx) ? (ptrdiff_t)n : -1;
}

int fs_snapshot_open(fs_snapshot **out, const char *path, struct fs_error *err)
{
	FILE *file = fopen(path, "rb");
	int rc;

	if (!file)
		return fsi_fail_with_code(err, FS_EIO, "%s: %s", path, strerror(errno));
	rc = fs_snapshot_read(out, read_stdio_file, file, path, err);
	fclose(file);
	return rc;
}
