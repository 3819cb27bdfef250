/* Usage records one by one. */
#include "snapshot/reader.h"
#include "snapshot/stream.h"

#include <string.h>

/* Interned strings and sets of the records are forgotten when they take this much. */
enum { SCRATCH_NAMES = 200000 };

static int usage_line(struct fsi_reader *r, char *line, size_t len, fsi_usage_fn fn, void *ctx)
{
	const struct fsi_json *root;
	const struct fsi_json *type;
	int rc = fsi_json_parse(&r->pool, &root, line, len, r->where, r->err);

	if (rc)
		return rc;
	type = fsi_json_first(root);
	while (type && strcmp(fsi_json_key(type), "type") != 0)
		type = fsi_json_next(type);
	if (type && fsi_json_type(type) == FSI_JSTRING && !strcmp(fsi_json_string(type), "usage")) {
		r->type = FSI_RECORD_USAGE;
		rc = fsi_reader_row(r, root, type);
		if (!rc)
			rc = fn(ctx, r->m, &r->m->usage.v[0], r->err);
		r->m->usage.n = 0;
	}
	return rc;
}

static int forget_names(struct fsi_reader *r, struct fsi_lines *lines)
{
	const char *file = r->m->file;
	fs_snapshot *fresh;

	if (r->m->names.count + r->m->sets.count < SCRATCH_NAMES)
		return 0;
	fresh = fsi_model_new(file);
	if (!fresh)
		return fsi_nomem(r->err);
	lines->where.file = fresh->file;
	fs_snapshot_free(r->m);
	r->m = fresh;
	r->table = NULL; /* and with it the ids last read */
	r->unknown.n = 0;
	return 0;
}

int fsi_usage_stream(fs_read_fn read, void *read_ctx, const char *name, fsi_usage_fn fn, void *ctx,
		     uint64_t *found, struct fs_error *err)
{
	struct fsi_reader r = { .m = fsi_model_new(name), .err = err };
	struct fsi_lines lines;
	char *line;
	size_t len;
	int rc;

	if (!r.m)
		return fsi_nomem(err);
	fsi_lines_init(&lines, read, read_ctx, r.m->file);
	while ((rc = fsi_lines_next(&lines, &line, &len, err)) > 0) {
		if (strspn(line, " \t\r") == len ||
		    (fsi_line_begins(line, len, "{\"type\":\"") &&
		     !fsi_line_begins(line, len, "{\"type\":\"usage\",")))
			continue;
		r.where = lines.where;
		rc = usage_line(&r, line, len, fn, ctx);
		if (!rc)
			rc = forget_names(&r, &lines);
		if (rc)
			break;
	}
	*found = r.found[FSI_RECORD_USAGE];
	fsi_lines_release(&lines);
	fsi_reader_release(&r);
	fs_snapshot_free(r.m);
	return rc;
}
