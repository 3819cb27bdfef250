#include "base/json.h"
#include "snapshot/snapshot.h"

/* Writes a snapshot as JSON Lines, without fields that are not set. Also has functions that describe this format for
 * the manual page. */

/* Returns the name of a field type, for the description of the format. */
static const char *describe_field_type(enum fsi_field_type type)
{
	static const char *const text[] = {
		[FSI_U32] = "integer",		    [FSI_U64] = "integer",
		[FSI_I32] = "integer",		    [FSI_TIME] = "time",
		[FSI_DUR] = "seconds or \"unlimited\"", [FSI_SHARES] = "integer or \"parent\"",
		[FSI_DBL] = "number",		    [FSI_BOOL] = "boolean",
		[FSI_STR] = "string",		    [FSI_STATE] = "job state",
		[FSI_LIST] = "list of strings",	    [FSI_TRES] = "object of integers",
		[FSI_TRESF] = "object of numbers",
	};

	return text[type];
}

static void write_name_list(const fs_snapshot *m, uint32_t set, struct fs_json *out)
{
	size_t n;
	const uint32_t *ids = fsi_list_items(m, set, &n);

	fs_json_array(out);
	for (size_t i = 0; i < n; i++)
		fs_json_string(out, fsi_name_text(m, ids[i]));
	fs_json_end_array(out);
}

static void write_tres_integers(const fs_snapshot *m, uint32_t set, struct fs_json *out)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(m, set, &n);

	fs_json_object(out);
	for (size_t i = 0; i < n; i++) {
		fs_json_key(out, fsi_name_text(m, a[i].tres));
		fs_json_i64(out, a[i].n);
	}
	fs_json_end_object(out);
}

static void write_tres_numbers(const fs_snapshot *m, uint32_t set, struct fs_json *out)
{
	size_t n;
	const struct fsi_real_amount *a = fsi_real_amount_items(m, set, &n);

	fs_json_object(out);
	for (size_t i = 0; i < n; i++) {
		fs_json_key(out, fsi_name_text(m, a[i].tres));
		fs_json_double(out, a[i].n);
	}
	fs_json_end_object(out);
}

/* Writes the key and the value of a field, if the record has this field. */
static void write_record_field(const fs_snapshot *m, const struct fsi_field *f, unsigned bit, const struct fsi_rec *rec,
			       struct fs_json *out)
{
	const void *p;

	if (!fsi_is_field_known(rec, bit))
		return;
	p = fsi_field_member(m, f, rec);
	fs_json_key(out, f->key);
	if (fsi_is_field_special(rec, bit)) {
		fs_json_string(out, fsi_field_special_word(f->type));
		return;
	}
	switch (f->type) {
	case FSI_U32:
	case FSI_SHARES:
		fs_json_u64(out, *(const uint32_t *)p);
		break;
	case FSI_U64:
		fs_json_u64(out, *(const uint64_t *)p);
		break;
	case FSI_I32:
		fs_json_i64(out, *(const int32_t *)p);
		break;
	case FSI_TIME:
	case FSI_DUR:
		fs_json_i64(out, *(const int64_t *)p);
		break;
	case FSI_DBL:
		fs_json_double(out, *(const double *)p);
		break;
	case FSI_BOOL:
		fs_json_bool(out, *(const bool *)p);
		break;
	case FSI_STR:
		fs_json_string(out, fsi_name_text(m, *(const uint32_t *)p));
		break;
	case FSI_STATE:
		fs_json_string(out, fsi_job_state_name(*(const uint8_t *)p));
		break;
	case FSI_LIST:
		write_name_list(m, *(const uint32_t *)p, out);
		break;
	case FSI_TRES:
		write_tres_integers(m, *(const uint32_t *)p, out);
		break;
	case FSI_TRESF:
		write_tres_numbers(m, *(const uint32_t *)p, out);
		break;
	}
}

/* Writes one parameter of the configuration. */
static void write_config_parameter(const fs_snapshot *m, const struct fsi_config_entry *e, struct fs_json *out)
{
	fs_json_key(out, fsi_name_text(m, e->name));
	switch (e->kind) {
	case FSI_CONFIG_INT:
		fs_json_i64(out, e->i);
		break;
	case FSI_CONFIG_DOUBLE:
		fs_json_double(out, e->d);
		break;
	case FSI_CONFIG_BOOL:
		fs_json_bool(out, e->i != 0);
		break;
	case FSI_CONFIG_STR:
		fs_json_string(out, fsi_name_text(m, (uint32_t)e->i));
		break;
	case FSI_CONFIG_LIST:
		write_name_list(m, (uint32_t)e->i, out);
		break;
	}
}

/* ---- writing records
 *
 * The header is the first record. It has record counts, by which a reader detects a truncated file. */

static void write_record_fields(const fs_snapshot *m, const struct fsi_record_table *t, const struct fsi_rec *rec,
				struct fs_json *out)
{
	for (unsigned i = fsi_fields_next(&rec->has, 0); i < t->nfields; i = fsi_fields_next(&rec->has, i + 1))
		write_record_field(m, &t->fields[i], i, rec, out);
}

static void write_record_count(struct fs_json *out, const char *type, size_t n)
{
	if (!n)
		return;
	fs_json_key(out, type);
	fs_json_u64(out, n);
}

#define WRITE_COUNT(TAG, name, json) write_record_count(out, json, m->name.n);

static void write_header_record(const fs_snapshot *m, struct fs_json *out)
{
	const struct fsi_record_table *t = fsi_header_table();

	fs_json_object(out);
	fs_json_key(out, "type");
	fs_json_string(out, t->type);
	write_record_fields(m, t, &m->head.rec, out);
	fs_json_key(out, "records");
	fs_json_object(out);
	write_record_count(out, "config", m->config.n != 0);
	FSI_RECORD_TYPES(WRITE_COUNT)
	fs_json_end_object(out);
	fs_json_end_object(out);
	fs_json_newline(out);
}

static void write_config_record(const fs_snapshot *m, struct fs_json *out)
{
	if (!m->config.n)
		return;
	fs_json_object(out);
	fs_json_key(out, "type");
	fs_json_string(out, "config");
	for (size_t i = 0; i < m->config.n; i++)
		write_config_parameter(m, &m->config.v[i], out);
	fs_json_end_object(out);
	fs_json_newline(out);
}

static void write_table_records(const fs_snapshot *m, enum fsi_record_type type, const void *rows, size_t n,
				struct fs_json *out)
{
	const struct fsi_record_table *t = fsi_record_table(type);

	for (size_t i = 0; i < n; i++) {
		const void *row = (const char *)rows + i * t->size;

		fs_json_object(out);
		fs_json_key(out, "type");
		fs_json_string(out, t->type);
		write_record_fields(m, t, row, out);
		fs_json_end_object(out);
		fs_json_newline(out);
	}
}

#define WRITE_TABLE(TAG, name, json)                                                               \
	write_table_records(m, FSI_RECORD_##TAG, m->name.v, m->name.n, &out);

int fs_snapshot_write(const fs_snapshot *m, fs_write_fn write, void *ctx, struct fs_error *err)
{
	struct fs_json out;

	fs_json_init(&out, write, ctx, false);
	write_header_record(m, &out);
	write_config_record(m, &out);
	FSI_RECORD_TYPES(WRITE_TABLE)
	return fs_json_flush(&out) ? fsi_fail_with_code(err, FS_EIO, "write error") : 0;
}

/* ---- description of the snapshot format, for the manual page and its tests */

static const struct fsi_record_table *get_format_table(size_t i)
{
	if (!i)
		return fsi_header_table();
	return i <= FSI_RECORD_COUNT ? fsi_record_table((enum fsi_record_type)(i - 1)) : NULL;
}

bool fs_format_type(size_t i, const char **type)
{
	const struct fsi_record_table *t = get_format_table(i);

	if (t)
		*type = t->type;
	return t != NULL;
}

bool fs_format_field(size_t i, size_t k, struct fs_format_field *out)
{
	const struct fsi_record_table *t = get_format_table(i);

	if (!t || k >= t->nfields)
		return false;
	*out = (struct fs_format_field){ t->fields[k].key, describe_field_type(t->fields[k].type), t->fields[k].unit,
					 t->fields[k].help, (t->fields[k].flags & FSI_REQ) != 0 };
	return true;
}
