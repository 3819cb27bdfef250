/* Rows of flux-accounting's listings, which come as JSON and as tables (fluxacct/accounting/formatter.py): the
 * same names of columns, "true" for 1 in a table. */
#include "import/flux/flux.h"
#include "import/required.h"

#include "base/num.h"

#include <stdio.h>
#include <string.h>

struct reader {
	struct fsi_flux_import *f;
	fsi_flux_row_fn fn;
	const struct fsi_required *keys;
	size_t nkeys;
	struct fsi_lacking lacking;
	struct fsi_pipe header;
	struct fsi_kv row;
	char numbers[FSI_FLUX_NUMBERS];
};

static int number_text(const struct fsi_json *v, char *buf, size_t size)
{
	uint64_t u;
	int64_t i;

	if (!fsi_json_u64(v, &u))
		return snprintf(buf, size, "%llu", (unsigned long long)u);
	if (!fsi_json_i64(v, &i))
		return snprintf(buf, size, "%lld", (long long)i);
	return fsi_format_double(buf, fsi_json_double(v));
}

int fsi_flux_flatten(struct fsi_flux_import *f, const struct fsi_json *object, struct fsi_kv *row,
		     char buf[FSI_FLUX_NUMBERS])
{
	size_t used = 0;

	row->n = 0;
	for (const struct fsi_json *v = fsi_json_first(object); v; v = fsi_json_next(v)) {
		const char *key = fsi_json_key(v);
		struct fsi_span *value = &row->value[row->n];

		if (row->n == FSI_KV_MAX || used + 2 * FSI_DOUBLE_TEXT > FSI_FLUX_NUMBERS)
			return fsi_fail_at(f->imp.err, f->imp.where, key, "too many keys");
		if (fsi_kv_get(row, key).s)
			return fsi_fail_at(f->imp.err, f->imp.where, key, "duplicate key");
		switch (fsi_json_type(v)) {
		case FSI_JSTRING:
			*value =
				(struct fsi_span){ fsi_json_string(v), strlen(fsi_json_string(v)) };
			break;
		case FSI_JBOOL:
			*value = fsi_json_bool(v) ? fsi_span_of("true")
						  : fsi_span_of("false");
			break;
		case FSI_JNUMBER:
			*value = (struct fsi_span){
				buf + used, (size_t)number_text(v, buf + used, FSI_DOUBLE_TEXT)
			};
			used += value->len + 1;
			break;
		default: /* lists and objects are left to callers that know them */
			*value = (struct fsi_span){ "", 0 };
		}
		row->key[row->n++] = fsi_span_of(key);
	}
	return 0;
}

static int take_row(struct reader *r)
{
	r->lacking.records++;
	for (size_t i = 0; i < r->nkeys; i++)
		r->lacking.n[i] += !fsi_kv_get(&r->row, r->keys[i].key).len;
	return r->fn(r->f, &r->row);
}

static int json_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct reader *r = ctx;
	int rc;

	(void)depth;
	r->f->imp.where = where;
	rc = fsi_flux_flatten(r->f, v, &r->row, r->numbers);
	return rc ? rc : take_row(r);
}

static bool is_rule(struct fsi_span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.s[i] != '-' && line.s[i] != '+')
			return false;
	return true;
}

static void trim_name(char *name)
{
	const struct fsi_span v = fsi_span_trim(fsi_span_of(name));

	memmove(name, v.s, v.len);
	name[v.len] = '\0';
}

static int table_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reader *r = ctx;
	size_t cells = 1;

	if (is_rule(fsi_span_trim(line)))
		return 0;
	for (size_t i = 0; i < line.len; i++)
		cells += line.s[i] == '|';
	if (!fsi_pipe_row(&r->header, line)) {
		for (size_t i = 0; i < r->header.columns; i++)
			trim_name(r->header.names[i]);
		return 0;
	}
	if (cells != r->header.columns)
		return fsi_fail_at(imp->err, imp->where, NULL, "expected %zu columns, got %zu",
				   r->header.columns, cells);
	for (r->row.n = 0; r->row.n < cells && r->row.n < FSI_KV_MAX; r->row.n++) {
		const char *name = r->header.names[r->row.n];

		r->row.key[r->row.n] = fsi_span_of(name);
		r->row.value[r->row.n] = fsi_span_trim(r->header.cell[r->row.n]);
	}
	return take_row(r);
}

int fsi_flux_rows(struct fsi_flux_import *f, const char *const *files, fsi_flux_row_fn fn,
		  const struct fsi_required *keys, size_t n)
{
	struct reader *r = calloc(1, sizeof(*r));
	static const char *const none[] = { NULL };
	const struct fsi_json_split split = { none, NULL, json_object, r };
	int rc = 1;

	if (!r)
		return fsi_nomem(f->imp.err);
	r->f = f;
	r->fn = fn;
	r->keys = keys;
	r->nkeys = n;
	for (; *files && rc == 1; files++) {
		const size_t len = strlen(*files);
		const bool json = len > 5 && !strcmp(*files + len - 5, ".json");

		rc = json ? fsi_import_json(&f->imp, *files, &split)
			     : fsi_import_lines(&f->imp, *files, table_line, r);
		if (!rc && !json && r->header.columns < 2)
			rc = fsi_import_incomplete(&f->imp, NULL, "%s/%s: it is no table: the command failed", f->imp.source->name,
						   *files);
		if (!rc && !f->partial)
			rc = fsi_lacking_warn(&f->imp, &r->lacking, keys, n, *files);
	}
	free(r);
	return rc;
}

/* JSON has 1 and 0 where tables have true and false. */
static struct fsi_span truth(struct fsi_span v)
{
	if (fsi_span_is(v, "true") || fsi_span_is(v, "1"))
		return fsi_span_of("yes");
	if (fsi_span_is(v, "false") || fsi_span_is(v, "0"))
		return fsi_span_of("no");
	return v;
}

int fsi_flux_set(struct fsi_flux_import *f, const struct fsi_kv *row,
		 const struct fsi_import_map *map, size_t n, enum fsi_record_type type,
		 struct fsi_rec *rec)
{
	static const struct fsi_span unlimited = { "2147483647", 10 };
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		struct fsi_span v = fsi_kv_get(row, map[i].key);

		if (t->fields[map[i].bit].type == FSI_U32 && fsi_span_is(v, "unlimited"))
			v = unlimited;
		if (t->fields[map[i].bit].type == FSI_BOOL)
			v = truth(v);
		if (v.s)
			rc = fsi_import_set(&f->imp, t, map[i].bit, rec, v);
	}
	return rc;
}
