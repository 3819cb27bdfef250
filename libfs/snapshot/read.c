#include "base/error.h"
#include "base/text.h"
#include "model/model.h"
#include "snapshot/read_record.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JSON Lines to model: one record at a time, then fsi_model_finish. */

/* A file that lost its end is noticed by the counts of the first line. */
static int verify_counts(struct fsi_reader *r)
{
	struct fsi_where where = { r->m->file, 0, 0 };

	if (!r->m->head.rec.line)
		return fsi_fail_at(r->err, where, NULL, "empty: not a snapshot");
	for (int i = 0; r->counted && i < FSI_COUNTED; i++) {
		if (r->found[i] == r->expected[i])
			continue;
		where.line = r->where.line;
		return fsi_fail_at(r->err, where, "records",
			"%s: the first line promises %llu records, the file has %llu%s",
			i < FSI_RECORD_COUNT ? fsi_record_table((enum fsi_record_type)i)->type : "config",
			(unsigned long long)r->expected[i], (unsigned long long)r->found[i],
			r->found[i] < r->expected[i] ? ": cut short?" : "");
	}
	return 0;
}

int fsi_warn_incomplete(fs_snapshot *m)
{
	size_t n;
	const uint32_t *all = fsi_list(m, m->head.incomplete, &n);

	for (size_t i = 0; i < n; i++)
		if (fsi_warn(m, "%s", fsi_str(m, all[i])))
			return -1;
	return 0;
}

int fs_snapshot_read_with(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			  const struct fs_read_options *options, struct fs_error *err)
{
	struct fsi_reader r = { .m = fsi_model_new(name), .err = err, };
	struct fsi_lines lines;
	int rc;

	if (!r.m)
		return fsi_nomem(err);
	fsi_lines_init(&lines, read, ctx, r.m->file);
	FSI_OPTIONS(r.options, options);
	rc = fsi_reader_lines(&r, &lines);
	if (!rc)
		rc = verify_counts(&r);
	fsi_lines_release(&lines);
	fsi_reader_release(&r);
	r.m->info.usage_records = r.found[FSI_RECORD_USAGE];
	r.m->read_warnings = r.m->warnings.n;
	if (!rc && fsi_warn_incomplete(r.m))
		rc = fsi_nomem(err);
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

struct bytes {
	struct fsi_buf buf;
	size_t at;
};

static int keep(void *ctx, const void *data, size_t size)
{
	struct bytes *b = ctx;

	return fsi_buf_add(&b->buf, data, size);
}

static ptrdiff_t give(void *ctx, void *buf, size_t size)
{
	struct bytes *b = ctx;
	const size_t n = b->buf.n - b->at < size ? b->buf.n - b->at : size;

	if (n)
		memcpy(buf, b->buf.v + b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

int fsi_snapshot_again(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err)
{
	struct bytes b = { .at = 0 };
	struct fs_error lost; /* written to memory: nothing but memory can be lacking */
	int rc = fs_snapshot_write(s, keep, &b, &lost) ? fsi_nomem(err) : 0;

	if (!rc)
		rc = fs_snapshot_read(out, give, &b, s->file, err);
	free(b.buf.v);
	return rc;
}

/* A snapshot is opened by the name of its file: the one place where the library opens one itself. */

static ptrdiff_t read_file(void *ctx, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, ctx);

	return n || !ferror((FILE *)ctx) ? (ptrdiff_t)n : -1;
}

int fs_snapshot_open(fs_snapshot **out, const char *path, struct fs_error *err)
{
	FILE *file = fopen(path, "rb");
	int rc;

	if (!file)
		return fsi_fail(err, FS_EIO, "%s: %s", path, strerror(errno));
	rc = fs_snapshot_read(out, read_file, file, path, err);
	fclose(file);
	return rc;
}
