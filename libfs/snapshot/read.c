/* JSON Lines to model: one record at a time, then fsi_model_finish. */
#include "snapshot/reader.h"
#include "base/options.h"

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
		return fsi_fail_at(
			r->err, where, "records",
			"%s: the first line promises %llu records, the file has %llu%s",
			i < FSI_RECORD_COUNT ? fsi_record_table((enum fsi_record_type)i)->type
					     : "config",
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
	rc = r.options.threads > 1 && r.options.parallel ? fsi_reader_parts(&r, &lines) :
					     fsi_reader_lines(&r, &lines);
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
