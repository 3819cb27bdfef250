/* A row from its line in one pass. Writers write a row's fields in one order and without blanks, and most values are
 * those of the row before: such a value is known by its bytes, and is not read again. Whatever is not so, right or
 * wrong, is left to the parser. */
#include "base/bytes.h"
#include "base/json/pool.h"
#include "snapshot/reader.h"

#include <string.h>

static const uint8_t member_size[] = {
	[FSI_U32] = sizeof(uint32_t), [FSI_U64] = sizeof(uint64_t),  [FSI_I32] = sizeof(int32_t),
	[FSI_TIME] = sizeof(int64_t), [FSI_DUR] = sizeof(int64_t),   [FSI_SHARES] = sizeof(uint32_t),
	[FSI_DBL] = sizeof(double),   [FSI_BOOL] = sizeof(bool),     [FSI_STR] = sizeof(uint32_t),
	[FSI_STATE] = sizeof(uint8_t), [FSI_LIST] = sizeof(uint32_t), [FSI_TRES] = sizeof(uint32_t),
	[FSI_TRESF] = sizeof(uint32_t),
};

static bool value_ends(const char *at)
{
	return *at == ',' || *at == '}';
}

static void copy_member(void *to, const void *from, enum fsi_field_type type)
{
	if (member_size[type] == sizeof(uint32_t))
		memcpy(to, from, sizeof(uint32_t));
	else if (member_size[type] == sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	else
		memcpy(to, from, 1);
}

static void keep_value(struct fsi_before *b, const struct fsi_reading *in, const struct fsi_field *f, unsigned k,
		       const char *text, size_t len)
{
	const void *member = fsi_known(in->rec, k) ? fsi_field_own(in->m, f, in->rec) : NULL;

	b->len = 0;
	if (!member || len > sizeof(b->text))
		return;
	b->len = (uint8_t)len;
	b->special = fsi_special(in->rec, k);
	memcpy(b->text, text, len);
	copy_member(b->member, member, f->type);
}

/* Returns what stands behind the value, or NULL. */
static char *take_value(struct fsi_reader *r, const struct fsi_reading *in, const struct fsi_field *f, unsigned k,
			char *at, char *end)
{
	char *behind;
	const struct fsi_json *v = fsi_json_quick_value(&r->pool, at, end, &behind);
	const bool good = v && !fsi_field_read(in, f, k, v);

	if (!v)
		return NULL;
	if (v->type == FSI_JSTRING || v->type >= FSI_JARRAY)
		fsi_json_restore(at, (size_t)(behind - at));
	if (!good || !value_ends(behind))
		return NULL;
	keep_value(&r->before[k], in, f, k, at, (size_t)(behind - at));
	return behind;
}

/* The value that the row before had, if it is written here as there. */
static char *take_again(const struct fsi_before *b, const struct fsi_reading *in, const struct fsi_field *f, unsigned k,
			char *at, const char *end)
{
	void *member;

	if (!b->len || end - at <= b->len || !fsi_equal_bytes(at, b->text, b->len) || !value_ends(at + b->len))
		return NULL;
	member = fsi_field_own(in->m, f, in->rec);
	if (!member)
		return NULL;
	copy_member(member, b->member, f->type);
	if (b->special)
		in->rec->special |= 1u << k;
	fsi_mark_known(in->rec, k);
	return at + b->len;
}

/* The field whose key begins at *at, which goes behind its colon; nfields: it is none. */
static unsigned take_key(const struct fsi_reader *r, char **at, const char *end, uint8_t *guess, unsigned from)
{
	const char *const key = *at + 1;
	const char *close = key + r->key_len[*guess];

	if (**at != '"')
		return r->table->nfields;
	if (close >= end || *close != '"')
		close = memchr(key, '"', (size_t)(end - key));
	if (!close || close[1] != ':')
		return r->table->nfields;
	*at += close + 2 - *at;
	return fsi_reader_find_field(r, key, (size_t)(close - key), guess, from);
}

/* The fields from the comma behind the type on, up to the end of the line. */
static bool take_fields(struct fsi_reader *r, struct fsi_rec *rec, char *at, char *end)
{
	const struct fsi_reading in = { r->m, rec, r->last, r->where, r->err };
	struct fsi_fields seen = { { 0 } };
	uint8_t *guess = &r->first;
	unsigned from = 0;

	while (*at == ',') {
		at++;
		const unsigned k = take_key(r, &at, end, guess, from);

		if (k == r->table->nfields || fsi_fields_have(&seen, k))
			return false;
		const struct fsi_field *f = &r->table->fields[k];
		char *const behind = take_again(&r->before[k], &in, f, k, at, end);

		at = behind ? behind : take_value(r, &in, f, k, at, end);
		if (!at)
			return false;
		fsi_fields_add(&seen, k);
		guess = &r->after[k];
		from = k + 1;
	}
	return *at == '}' && at + 1 == end && fsi_fields_within(&r->required, &rec->has);
}

bool fsi_reader_quick_row(struct fsi_reader *r, char *line, size_t len)
{
	static const char start[] = "{\"type\":\"";
	const struct fsi_record_table *t = fsi_record_table(r->type);
	const size_t name = sizeof(start) - 1, type_len = strlen(t->type), fields = name + type_len + 1;
	struct fsi_rec *rec;

	if (r->table != t || len <= fields || memcmp(line, start, name) != 0 ||
	    memcmp(line + name, t->type, type_len) != 0 || line[fields - 1] != '"')
		return false;
	rec = fsi_reader_begin_row(r);
	if (!rec)
		return false;
	return !fsi_reader_end_row(r, take_fields(r, rec, line + fields, line + len) ? 0 : FS_EDATA);
}
