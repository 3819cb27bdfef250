/* Fields to JSON, and what their types are called in messages and in the manual. A field that is not set is not
 * written. */
#include "snapshot/field.h"

#include "base/json/write.h"

const char *fsi_field_word(enum fsi_field_type type)
{
	return type == FSI_DUR ? "unlimited" : type == FSI_SHARES ? "parent" : NULL;
}

const char *fsi_field_type_text(enum fsi_field_type type)
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

static void write_list(const fs_snapshot *m, uint32_t set, struct fs_json *out)
{
	size_t n;
	const uint32_t *ids = fsi_list(m, set, &n);

	fs_json_array(out);
	for (size_t i = 0; i < n; i++)
		fs_json_string(out, fsi_str(m, ids[i]));
	fs_json_end_array(out);
}

static void write_tres(const fs_snapshot *m, uint32_t set, struct fs_json *out)
{
	size_t n;
	const struct fsi_amount *a = fsi_amounts(m, set, &n);

	fs_json_object(out);
	for (size_t i = 0; i < n; i++) {
		fs_json_key(out, fsi_str(m, a[i].tres));
		fs_json_i64(out, a[i].n);
	}
	fs_json_end_object(out);
}

static void write_tresf(const fs_snapshot *m, uint32_t set, struct fs_json *out)
{
	size_t n;
	const struct fsi_amountf *a = fsi_amountfs(m, set, &n);

	fs_json_object(out);
	for (size_t i = 0; i < n; i++) {
		fs_json_key(out, fsi_str(m, a[i].tres));
		fs_json_double(out, a[i].n);
	}
	fs_json_end_object(out);
}

void fsi_field_write(const fs_snapshot *m, const struct fsi_field *f, unsigned bit,
		     const struct fsi_rec *rec, struct fs_json *out)
{
	const void *p;

	if (!fsi_known(rec, bit))
		return;
	p = fsi_field_in(m, f, rec);
	fsi_json_plain_key(out, f->key);
	if (fsi_special(rec, bit)) {
		fs_json_string(out, fsi_field_word(f->type));
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
		fs_json_string(out, fsi_str(m, *(const uint32_t *)p));
		break;
	case FSI_STATE:
		fs_json_string(out, fsi_job_state_name(*(const uint8_t *)p));
		break;
	case FSI_LIST:
		write_list(m, *(const uint32_t *)p, out);
		break;
	case FSI_TRES:
		write_tres(m, *(const uint32_t *)p, out);
		break;
	case FSI_TRESF:
		write_tresf(m, *(const uint32_t *)p, out);
		break;
	}
}

void fsi_config_write(const fs_snapshot *m, const struct fsi_config_entry *e, struct fs_json *out)
{
	fs_json_key(out, fsi_str(m, e->name));
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
		fs_json_string(out, fsi_str(m, (uint32_t)e->i));
		break;
	case FSI_CONFIG_LIST:
		write_list(m, (uint32_t)e->i, out);
		break;
	}
}
