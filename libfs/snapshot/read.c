/* JSON Lines to model: one record at a time, then fsi_model_finish. */
#include "base/text.h"
#include "snapshot/field.h"
#include "snapshot/stream.h"

#include <string.h>

enum { COUNTED = FSI_RECORD_COUNT + 1, MOST_WARNINGS = 100 }; /* COUNTED: the tables and "config" */

struct reader {
	fs_snapshot *m;
	struct fsi_lines lines;
	struct fs_error *err;
	uint64_t found[COUNTED], expected[COUNTED];
	bool counted; /* the first line had "records" */
	bool state_only, usage_follows; /* see fs_snapshot_read_state */
	bool with_recorded;		/* see fs_snapshot_read_recorded */

	/* Records of a table come together and their writer keeps an order: */
	enum fsi_record_type type;            /* of the last row read */
	const struct fsi_record_table *table; /* of the last record read */
	uint64_t required;                    /* bits of its fields that may not be absent */
	uint8_t first, after[64]; /* the field that began it; that followed each field */
	uint32_t last[64];                    /* by field: its string or set read last, or 0 */

	FSI_VEC(uint32_t) unknown; /* names of unknown types and keys already warned of */
};

static int fail_here(struct reader *r, const char *field, const char *message)
{
	return fsi_fail_at(r->err, r->lines.where, field, "%s", message);
}

/* Newer files must load: each unknown word is warned of once and skipped. */
static int skip_unknown(struct reader *r, const char *what, const char *type, const char *word)
{
	char key[256];
	uint32_t id;

	if (strlen(type) + strlen(word) + 2 > sizeof(key))
		return fail_here(r, NULL, "unreasonably long key");
	strcpy(key, type);
	strcat(key, ".");
	strcat(key, word);
	id = fsi_name(r->m, key);
	if (id == FSI_INTERN_FAILED)
		return fsi_nomem(r->err);
	for (size_t i = 0; i < r->unknown.n; i++)
		if (r->unknown.v[i] == id)
			return 0;
	if (r->unknown.n >= MOST_WARNINGS)
		return 0;
	if (FSI_VEC_ROOM(&r->unknown) ||
	    fsi_warn(r->m, "%s:%llu: unknown %s \"%.100s\" skipped", r->m->file,
		     (unsigned long long)r->lines.where.line, what, word))
		return fsi_nomem(r->err);
	r->unknown.v[r->unknown.n++] = id;
	return 0;
}

/* Is this key among the record's earlier unknown ones? */
static bool repeated(const struct fsi_json *root, const struct fsi_json *v)
{
	for (const struct fsi_json *c = fsi_json_first(root); c != v; c = fsi_json_next(c))
		if (!strcmp(fsi_json_key(c), fsi_json_key(v)))
			return true;
	return false;
}

/* Field of the key, or nfields: the one guessed, or else searched for from `from` on and guessed next time. */
static unsigned find_field(const struct fsi_record_table *t, const char *key, uint8_t *guess,
			   unsigned from)
{
	if (fsi_same(t->fields[*guess].key, key))
		return *guess;
	for (unsigned i = 0; i < t->nfields; i++) {
		const unsigned k = from + i < t->nfields ? from + i : from + i - t->nfields;

		if (fsi_same(t->fields[k].key, key))
			return *guess = (uint8_t)k;
	}
	return t->nfields;
}

static int read_counts(struct reader *r, const struct fsi_json *v)
{
	if (fsi_json_type(v) != FSI_JOBJECT)
		return fail_here(r, "records", "expected an object");
	for (const struct fsi_json *c = fsi_json_first(v); c; c = fsi_json_next(c)) {
		uint64_t n;
		int type = 0;

		if (fsi_json_u64(c, &n))
			return fail_here(r, "records", "expected integers, not negative");
		if (repeated(v, c))
			return fail_here(r, "records", "duplicate key");
		while (type < FSI_RECORD_COUNT &&
		       strcmp(fsi_record_table((enum fsi_record_type)type)->type,
			      fsi_json_key(c)) != 0)
			type++;
		if (type < FSI_RECORD_COUNT || !strcmp(fsi_json_key(c), "config"))
			r->expected[type] = n;
	}
	r->counted = true;
	return 0;
}

/* Records of this table follow, as far as known with the keys in its order. */
static void expect_table(struct reader *r, const struct fsi_record_table *t)
{
	r->table = t;
	r->required = r->first = 0;
	memset(r->last, 0, sizeof(r->last));
	for (unsigned k = 0; k < t->nfields; k++) {
		r->after[k] = (uint8_t)(k + 1 < t->nfields ? k + 1 : 0);
		if (t->fields[k].flags & FSI_REQ)
			r->required |= 1ull << k;
	}
}

static int read_fields(struct reader *r, const struct fsi_record_table *t, struct fsi_rec *rec,
		       const struct fsi_json *root, const struct fsi_json *type_item)
{
	const struct fsi_reading in = { r->m, rec, r->last, r->lines.where, r->err };
	uint8_t *guess = &r->first;
	uint64_t seen = 0;
	unsigned from = 0;
	int rc = 0;

	if (t != r->table)
		expect_table(r, t);
	rec->line = (uint32_t)in.where.line;
	for (const struct fsi_json *v = fsi_json_first(root); v && !rc; v = fsi_json_next(v)) {
		if (v == type_item)
			continue;
		const char *key = fsi_json_key(v);
		const unsigned k = find_field(t, key, guess, from);

		if (k < t->nfields && !(seen >> k & 1)) {
			seen |= 1ull << k;
			rc = fsi_field_read(&in, &t->fields[k], k, v);
			guess = &r->after[k];
			from = k + 1;
		} else if (k < t->nfields || repeated(root, v)) {
			rc = fsi_fail_at(r->err, r->lines.where, key, "duplicate key");
		} else if (t == fsi_header_table() && !strcmp(key, "records")) {
			rc = read_counts(r, v);
		} else {
			rc = skip_unknown(r, "key", t->type, key);
		}
	}
	const uint64_t missing = r->required & ~rec->has;
	for (unsigned k = 0; missing && !rc; k++)
		if (missing >> k & 1)
			rc = fail_here(r, t->fields[k].key, "missing");
	return rc;
}

static int read_config(struct reader *r, const struct fsi_json *root,
		       const struct fsi_json *type_item)
{
	int rc = 0;

	r->found[FSI_RECORD_COUNT]++;
	for (const struct fsi_json *v = fsi_json_first(root); v && !rc; v = fsi_json_next(v))
		if (v != type_item && repeated(root, v))
			rc = fsi_fail_at(r->err, r->lines.where, fsi_json_key(v), "duplicate key");
		else if (v != type_item)
			rc = fsi_config_read(r->m, v, r->lines.where, r->err);
	return rc;
}

static int read_header(struct reader *r, const struct fsi_json *root,
		       const struct fsi_json *type_item, const char *type)
{
	int rc;

	if (strcmp(type, "snapshot") != 0)
		return fail_here(r, "type", "the first line must be of type \"snapshot\"");
	rc = read_fields(r, fsi_header_table(), &r->m->head.rec, root, type_item);
	if (!rc && r->m->head.format != 1)
		rc = fail_here(r, "format", "this version reads format 1 only");
	return rc;
}

#define READ_TABLE(TAG, name, json)                                                                \
	case FSI_RECORD_##TAG:                                                                     \
		if (FSI_VEC_ROOM(&r->m->name))                                                     \
			return fsi_nomem(r->err);                                                  \
		rec = &r->m->name.v[r->m->name.n++].rec;                                           \
		break;

/* Reads a record of type r->type into a new row of its table. */
static int read_row(struct reader *r, const struct fsi_json *root, const struct fsi_json *type_item)
{
	const struct fsi_record_table *t = fsi_record_table(r->type);
	struct fsi_rec *rec = NULL;
	int rc;

	switch (r->type) {
		FSI_RECORD_TYPES(READ_TABLE)
	default:
		return FS_EDATA;
	}
	memset(rec, 0, t->size);
	r->found[r->type]++;
	rc = read_fields(r, t, rec, root, type_item);
	if (!rc && r->type == FSI_RECORD_USAGE)
		rc = fsi_usage_check(&r->m->usage.v[r->m->usage.n - 1], r->lines.where, r->err);
	if (r->state_only)
		r->m->usage.n = 0;
	return rc;
}

static int read_record(struct reader *r, const struct fsi_json *root)
{
	const struct fsi_json *type_item = fsi_json_first(root);
	const char *type;

	while (type_item && !fsi_same(fsi_json_key(type_item), "type"))
		type_item = fsi_json_next(type_item);
	if (!type_item || fsi_json_type(type_item) != FSI_JSTRING)
		return fail_here(r, "type", "missing, or not a string");
	type = fsi_json_string(type_item);
	if (!r->m->head.rec.line)
		return read_header(r, root, type_item, type);
	if (fsi_same(fsi_record_table(r->type)->type, type))
		return read_row(r, root, type_item);
	if (!strcmp(type, "config"))
		return read_config(r, root, type_item);
	if (!strcmp(type, "snapshot"))
		return fail_here(r, "type", "a second \"snapshot\" record");
	for (int i = 0; i < FSI_RECORD_COUNT; i++)
		if (!strcmp(fsi_record_table((enum fsi_record_type)i)->type, type)) {
			r->type = (enum fsi_record_type)i;
			return read_row(r, root, type_item);
		}
	return skip_unknown(r, "record type", "", type);
}

static bool begins(const char *line, size_t len, const char *start)
{
	const size_t n = strlen(start);

	return len > n && !memcmp(line, start, n);
}

/* The type of a line that only counts in this mode, by the way writers begin it; FSI_RECORD_COUNT: parse it. */
static enum fsi_record_type counted_only(const struct reader *r, const char *line, size_t len)
{
	if (!r->state_only || !r->m->head.rec.line)
		return FSI_RECORD_COUNT;
	if (begins(line, len, "{\"type\":\"usage\","))
		return FSI_RECORD_USAGE;
	if (begins(line, len, "{\"type\":\"recorded\",") && !r->with_recorded &&
	    !fsi_hidden(r->m, "association"))
		return FSI_RECORD_RECORDED;
	return FSI_RECORD_COUNT;
}

static int read_lines(struct reader *r)
{
	enum fsi_record_type type;
	struct fsi_json *root;
	char *line;
	size_t len;
	int rc;

	while ((rc = fsi_lines_next(&r->lines, &line, &len, r->err)) > 0) {
		if (strspn(line, " \t\r") == len)
			continue;
		type = counted_only(r, line, len);
		if (type != FSI_RECORD_COUNT) {
			r->found[type]++;
			if (type == FSI_RECORD_USAGE && r->usage_follows)
				continue;
			rc = fsi_json_scan(line, len, r->lines.where, r->err);
			if (rc)
				return rc;
			continue;
		}
		rc = fsi_json_parse(&root, line, len, r->lines.where, r->err);
		if (rc)
			return rc;
		rc = read_record(r, root);
		fsi_json_free(root);
		if (rc)
			return rc;
	}
	return rc;
}

/* A file that lost its end is noticed by the counts of the first line. */
static int verify_counts(struct reader *r)
{
	struct fsi_where where = { r->m->file, 0, 0 };

	if (!r->m->head.rec.line)
		return fsi_fail_at(r->err, where, NULL, "empty: not a snapshot");
	for (int i = 0; r->counted && i < COUNTED; i++) {
		if (r->found[i] == r->expected[i])
			continue;
		where.line = r->lines.where.line - 1;
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

static int read_snapshot(struct reader *r, fs_snapshot **out, fs_read_fn read, void *ctx,
			 const char *name)
{
	int rc;

	r->m = fsi_model_new(name);
	if (!r->m)
		return fsi_nomem(r->err);
	fsi_lines_init(&r->lines, read, ctx, r->m->file);
	rc = read_lines(r);
	if (!rc)
		rc = verify_counts(r);
	fsi_lines_release(&r->lines);
	FSI_VEC_FREE(&r->unknown);
	r->m->info.usage_records = r->found[FSI_RECORD_USAGE];
	if (!rc)
		rc = fsi_model_finish(r->m, r->err);
	if (rc) {
		fs_snapshot_free(r->m);
		return rc;
	}
	*out = r->m;
	return 0;
}

int fs_snapshot_read(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
		     struct fs_error *err)
{
	struct reader r = { .err = err };

	return read_snapshot(&r, out, read, ctx, name);
}

int fs_snapshot_read_state(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			   bool usage_follows, struct fs_error *err)
{
	struct reader r = { .err = err, .state_only = true, .usage_follows = usage_follows };

	return read_snapshot(&r, out, read, ctx, name);
}

int fs_snapshot_read_recorded(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			      struct fs_error *err)
{
	struct reader r = { .err = err, .state_only = true, .with_recorded = true };

	return read_snapshot(&r, out, read, ctx, name);
}

/* ---- usage records one by one ---- */

/* Interned strings and sets of the records are forgotten when they take this much. */
enum { SCRATCH_NAMES = 200000 };

static int usage_line(struct reader *r, char *line, size_t len, fsi_usage_fn fn, void *ctx)
{
	struct fsi_json *root;
	const struct fsi_json *type;
	int rc = fsi_json_parse(&root, line, len, r->lines.where, r->err);

	if (rc)
		return rc;
	type = fsi_json_first(root);
	while (type && strcmp(fsi_json_key(type), "type") != 0)
		type = fsi_json_next(type);
	if (type && fsi_json_type(type) == FSI_JSTRING && !strcmp(fsi_json_string(type), "usage")) {
		r->type = FSI_RECORD_USAGE;
		rc = read_row(r, root, type);
		if (!rc)
			rc = fn(ctx, r->m, &r->m->usage.v[0], r->err);
		r->m->usage.n = 0;
	}
	fsi_json_free(root);
	return rc;
}

static int forget_names(struct reader *r)
{
	const char *file = r->m->file;
	fs_snapshot *fresh;

	if (r->m->names.count + r->m->sets.count < SCRATCH_NAMES)
		return 0;
	fresh = fsi_model_new(file);
	if (!fresh)
		return fsi_nomem(r->err);
	r->lines.where.file = fresh->file;
	fs_snapshot_free(r->m);
	r->m = fresh;
	r->table = NULL; /* and with it the ids last read */
	r->unknown.n = 0;
	return 0;
}

int fsi_usage_stream(fs_read_fn read, void *read_ctx, const char *name, fsi_usage_fn fn, void *ctx,
		     uint64_t *found, struct fs_error *err)
{
	struct reader r = { .m = fsi_model_new(name), .err = err };
	char *line;
	size_t len;
	int rc;

	if (!r.m)
		return fsi_nomem(err);
	fsi_lines_init(&r.lines, read, read_ctx, r.m->file);
	while ((rc = fsi_lines_next(&r.lines, &line, &len, err)) > 0) {
		if (strspn(line, " \t\r") == len || (begins(line, len, "{\"type\":\"") &&
						     !begins(line, len, "{\"type\":\"usage\",")))
			continue;
		rc = usage_line(&r, line, len, fn, ctx);
		if (!rc)
			rc = forget_names(&r);
		if (rc)
			break;
	}
	*found = r.found[FSI_RECORD_USAGE];
	fsi_lines_release(&r.lines);
	FSI_VEC_FREE(&r.unknown);
	fs_snapshot_free(r.m);
	return rc;
}
