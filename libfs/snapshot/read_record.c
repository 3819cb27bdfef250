/* One line of a snapshot to a row of the model. */
#include "snapshot/reader.h"

#include <string.h>

static int fail_here(struct fsi_reader *r, const char *field, const char *message)
{
	return fsi_fail_at(r->err, r->where, field, "%s", message);
}

static bool warned_of(const struct fsi_reader *r, uint32_t key)
{
	for (size_t i = 0; key && i < r->unknown.n; i++)
		if (r->unknown.v[i] == key)
			return true;
	return false;
}

/* Newer files must load: each unknown word is warned of once and skipped. */
static int skip_unknown(struct fsi_reader *r, const char *what, const char *type, const char *word)
{
	char key[256];
	uint32_t id;

	if (strlen(type) + strlen(word) + 2 > sizeof(key))
		return fail_here(r, NULL, "unreasonably long key");
	strcpy(key, type);
	strcat(key, ".");
	strcat(key, word);
	if (r->part)
		return warned_of(r, fsi_name_find(r->m, key)) ? 0 : FS_EDATA;
	id = fsi_name(r->m, key);
	if (id == FSI_INTERN_FAILED)
		return fsi_nomem(r->err);
	if (warned_of(r, id))
		return 0;
	if (r->unknown.n >= FSI_WARNINGS_MAX)
		return 0;
	if (FSI_VEC_ROOM(&r->unknown) ||
	    fsi_warn(r->m, "%s:%llu: unknown %s \"%.100s\" skipped", r->m->file,
		     (unsigned long long)r->where.line, what, word))
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

static int read_counts(struct fsi_reader *r, const struct fsi_json *v)
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

/* The records that follow are taken to be of this table, with the keys in its order as far as it is known. */
static void expect_table(struct fsi_reader *r, const struct fsi_record_table *t)
{
	r->table = t;
	r->required = (struct fsi_fields){ { 0 } };
	r->first = 0;
	memset(r->last, 0, sizeof(r->last));
	for (unsigned k = 0; k < t->nfields; k++) {
		r->before[k].len = 0;
		r->after[k] = (uint8_t)(k + 1 < t->nfields ? k + 1 : 0);
		r->key_len[k] = (uint8_t)strlen(t->fields[k].key);
		if (t->fields[k].flags & FSI_REQ)
			fsi_fields_add(&r->required, k);
	}
}

static int fail_missing(struct fsi_reader *r, const struct fsi_record_table *t, const struct fsi_rec *rec)
{
	unsigned k = 0;

	while (!fsi_fields_have(&r->required, k) || fsi_known(rec, k))
		k++;
	return fail_here(r, t->fields[k].key, "missing");
}

static int read_fields(struct fsi_reader *r, const struct fsi_record_table *t, struct fsi_rec *rec,
		       const struct fsi_json *root, const struct fsi_json *type_item)
{
	const struct fsi_reading in = { r->m, rec, r->last, r->where, r->err };
	uint8_t *guess = &r->first;
	struct fsi_fields seen = { { 0 } };
	unsigned from = 0;
	int rc = 0;

	if (t != r->table)
		expect_table(r, t);
	rec->line = (uint32_t)r->where.line;
	for (const struct fsi_json *v = fsi_json_first(root); v && !rc; v = fsi_json_next(v)) {
		if (v == type_item)
			continue;
		const char *key = fsi_json_key(v);
		const unsigned k = fsi_reader_find_field(r, key, fsi_json_key_len(v), guess, from);

		if (k < t->nfields && !fsi_fields_have(&seen, k)) {
			fsi_fields_add(&seen, k);
			rc = fsi_field_read(&in, &t->fields[k], k, v);
			guess = &r->after[k];
			from = k + 1;
		} else if (k < t->nfields || repeated(root, v)) {
			rc = fsi_fail_at(r->err, r->where, key, "duplicate key");
		} else if (t == fsi_header_table() && !strcmp(key, "records")) {
			rc = read_counts(r, v);
		} else {
			rc = skip_unknown(r, "key", t->type, key);
		}
	}
	return rc || fsi_fields_within(&r->required, &rec->has) ? rc : fail_missing(r, t, rec);
}

static int read_config(struct fsi_reader *r, const struct fsi_json *root,
		       const struct fsi_json *type_item)
{
	int rc = 0;

	if (r->part)
		return FS_EDATA;
	r->found[FSI_RECORD_COUNT]++;
	for (const struct fsi_json *v = fsi_json_first(root); v && !rc; v = fsi_json_next(v))
		if (v != type_item && repeated(root, v))
			rc = fsi_fail_at(r->err, r->where, fsi_json_key(v), "duplicate key");
		else if (v != type_item)
			rc = fsi_config_read(r->m, v, r->where, r->err);
	r->stands_in = !rc && fsi_recorded_stands_in(r->m);
	return rc;
}

static int read_header(struct fsi_reader *r, const struct fsi_json *root,
		       const struct fsi_json *type_item, const char *type)
{
	int rc;

	if (strcmp(type, "snapshot") != 0)
		return fail_here(r, "type", "the first line must be of type \"snapshot\"");
	rc = read_fields(r, fsi_header_table(), &r->m->head.rec, root, type_item);
	if (!rc && r->m->head.format != 1)
		rc = fail_here(r, "format", "this version reads format 1 only");
	r->stands_in = !rc && fsi_recorded_stands_in(r->m);
	return rc;
}

bool fsi_line_begins(const char *line, size_t len, const char *start)
{
	const size_t n = strlen(start);

	return len > n && !memcmp(line, start, n);
}

/* Does the line of a job, as writers begin it, say that it waits or runs? */
static bool line_goes_on(const char *line, size_t len)
{
	static const char *const states[] = { ",\"state\":\"PENDING\"", ",\"state\":\"RUNNING\"" };
	size_t at = strlen("{\"type\":\"job\",");

	if (!fsi_line_begins(line + at, len - at, "\"id\":"))
		return false;
	for (at += strlen("\"id\":"); at < len && line[at] >= '0' && line[at] <= '9';)
		at++;
	return fsi_line_begins(line + at, len - at, states[0]) ||
	       fsi_line_begins(line + at, len - at, states[1]);
}

/* Are the jobs of a part for the reader of the whole, which has not settled yet whether they are kept? */
static bool for_the_whole(const struct fsi_reader *r)
{
	return r->type == FSI_RECORD_JOB && r->part && r->jobs == FSI_JOBS_UNSETTLED;
}

int fsi_reader_row(struct fsi_reader *r, const struct fsi_json *root,
		   const struct fsi_json *type_item)
{
	struct fsi_rec *rec;

	if (for_the_whole(r))
		return FS_EDATA;
	rec = fsi_reader_begin_row(r);
	if (!rec)
		return fsi_nomem(r->err);
	return fsi_reader_end_row(r, read_fields(r, fsi_record_table(r->type), rec, root, type_item));
}

static int read_record(struct fsi_reader *r, const struct fsi_json *root)
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
		return fsi_reader_row(r, root, type_item);
	if (!strcmp(type, "config"))
		return read_config(r, root, type_item);
	if (!strcmp(type, "snapshot"))
		return fail_here(r, "type", "a second \"snapshot\" record");
	for (int i = 0; i < FSI_RECORD_COUNT; i++)
		if (!strcmp(fsi_record_table((enum fsi_record_type)i)->type, type)) {
			r->type = (enum fsi_record_type)i;
			return fsi_reader_row(r, root, type_item);
		}
	return skip_unknown(r, "record type", "", type);
}

/* The type of a line that is only counted, by the way writers begin it; FSI_RECORD_COUNT: parse it. */
static enum fsi_record_type counted_only(struct fsi_reader *r, const char *line, size_t len)
{
	const struct fs_read_options *o = &r->options;

	if (!r->m->head.rec.line)
		return FSI_RECORD_COUNT;
	if (o->without_usage && fsi_line_begins(line, len, "{\"type\":\"usage\","))
		return FSI_RECORD_USAGE;
	if (o->without_recorded && fsi_line_begins(line, len, "{\"type\":\"recorded\",") &&
	    !r->stands_in)
		return FSI_RECORD_RECORDED;
	if (o->without_jobs && fsi_line_begins(line, len, "{\"type\":\"job\",") && fsi_reader_without_jobs(r) &&
	    (r->jobs == FSI_JOBS_LEFT_OUT || line_goes_on(line, len)))
		return FSI_RECORD_JOB;
	return FSI_RECORD_COUNT;
}

int fsi_reader_line(struct fsi_reader *r, char *line, size_t len)
{
	const struct fsi_json *root;
	int rc;

	if (strspn(line, " \t\r") == len)
		return 0;
	const enum fsi_record_type type = counted_only(r, line, len);
	if (type != FSI_RECORD_COUNT) {
		r->found[type]++;
		return type == FSI_RECORD_USAGE && r->options.usage_follows ?
			       0 :
			       fsi_json_scan(line, len, r->where, r->err);
	}
	if (!for_the_whole(r) && fsi_reader_quick_row(r, line, len))
		return 0;
	rc = fsi_json_parse(&r->pool, &root, line, len, r->where, r->err);
	if (rc)
		return rc;
	rc = read_record(r, root);
	if (rc)
		fsi_json_restore(line, len);
	return rc;
}

int fsi_reader_lines(struct fsi_reader *r, struct fsi_lines *lines)
{
	char *line;
	size_t len;
	int rc = 0, more;

	while (!rc && (more = fsi_lines_next(lines, &line, &len, r->err)) != 0) {
		if (more < 0)
			return more;
		r->where = lines->where;
		rc = fsi_reader_line(r, line, len);
	}
	return rc;
}

void fsi_reader_release(struct fsi_reader *r)
{
	fsi_json_pool_release(&r->pool);
	FSI_VEC_FREE(&r->unknown);
}
