/* A snapshot as lines of JSON: first the header with its counts, which tell a reader that nothing was cut off. */
#include "snapshot/field.h"

static void write_fields(const fs_snapshot *m, const struct fsi_record_table *t,
			 const struct fsi_rec *rec, struct fs_json *out)
{
	for (unsigned i = fsi_fields_next(&rec->has, 0); i < t->nfields; i = fsi_fields_next(&rec->has, i + 1))
		fsi_field_write(m, &t->fields[i], i, rec, out);
}

static void write_count(struct fs_json *out, const char *type, size_t n)
{
	if (!n)
		return;
	fs_json_key(out, type);
	fs_json_u64(out, n);
}

#define WRITE_COUNT(TAG, name, json) write_count(out, json, m->name.n);

static void write_header(const fs_snapshot *m, struct fs_json *out)
{
	const struct fsi_record_table *t = fsi_header_table();

	fs_json_object(out);
	fs_json_key(out, "type");
	fs_json_string(out, t->type);
	write_fields(m, t, &m->head.rec, out);
	fs_json_key(out, "records");
	fs_json_object(out);
	write_count(out, "config", m->config.n != 0);
	FSI_RECORD_TYPES(WRITE_COUNT)
	fs_json_end_object(out);
	fs_json_end_object(out);
	fs_json_newline(out);
}

static void write_config(const fs_snapshot *m, struct fs_json *out)
{
	if (!m->config.n)
		return;
	fs_json_object(out);
	fs_json_key(out, "type");
	fs_json_string(out, "config");
	for (size_t i = 0; i < m->config.n; i++)
		fsi_config_write(m, &m->config.v[i], out);
	fs_json_end_object(out);
	fs_json_newline(out);
}

static void write_table(const fs_snapshot *m, enum fsi_record_type type, const void *rows, size_t n,
			struct fs_json *out)
{
	const struct fsi_record_table *t = fsi_record_table(type);

	for (size_t i = 0; i < n; i++) {
		const void *row = (const char *)rows + i * t->size;

		fs_json_object(out);
		fs_json_key(out, "type");
		fs_json_string(out, t->type);
		write_fields(m, t, row, out);
		fs_json_end_object(out);
		fs_json_newline(out);
	}
}

#define WRITE_TABLE(TAG, name, json)                                                               \
	write_table(m, FSI_RECORD_##TAG, m->name.v, m->name.n, &out);

int fs_snapshot_write(const fs_snapshot *m, fs_write_fn write, void *ctx, struct fs_error *err)
{
	struct fs_json out;

	fs_json_init(&out, write, ctx, false);
	write_header(m, &out);
	write_config(m, &out);
	FSI_RECORD_TYPES(WRITE_TABLE)
	return fs_json_flush(&out) ? fsi_fail(err, FS_EIO, "write error") : 0;
}
