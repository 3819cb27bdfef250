#include "snapshot/read_record.h"

#include "base/bytes.h"
#include "base/num.h"
#include "model/model.h"
#include "model/scheduler.h"
#include "snapshot/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a row of the model is begun and ended, and which of its fields a key is. */

/* Field of the key in r->table, or nfields: the one guessed, or else searched for from `from` on and guessed next
 * time. */
static unsigned reader_find_field(const struct fsi_reader *r, const char *key, size_t len, uint8_t *guess,
				  unsigned from)
{
	const struct fsi_record_table *t = r->table;

	if (r->key_len[*guess] == len && fsi_equal_bytes(t->fields[*guess].key, key, len))
		return *guess;
	for (unsigned i = 0; i < t->nfields; i++) {
		const unsigned k = from + i < t->nfields ? from + i : from + i - t->nfields;

		if (r->key_len[k] == len && fsi_equal_bytes(t->fields[k].key, key, len))
			return *guess = (uint8_t)k;
	}
	return t->nfields;
}

#define READ_TABLE(TAG, name, json)                                                                \
	case FSI_RECORD_##TAG:                                                                     \
		if (FSI_VEC_ROOM(&r->m->name))                                                     \
			return NULL;                                                               \
		rec = &r->m->name.v[r->m->name.n++].rec;                                           \
		break;

/* May jobs be left out? Settled once, when the first of them comes. */
static bool reader_without_jobs(struct fsi_reader *r)
{
	if (r->jobs == FSI_JOBS_UNSETTLED) {
		const struct fsi_scheduler *s = fsi_scheduler_named(fsi_str(r->m, r->m->head.scheduler));

		if (!r->options.without_jobs || (s->shares_need_jobs && s->shares_need_jobs(r->m)))
			r->jobs = FSI_JOBS_KEPT;
		else
			r->jobs = s->shares_need_ended ? FSI_JOBS_ENDED_ALONE : FSI_JOBS_LEFT_OUT;
	}
	return r->jobs == FSI_JOBS_LEFT_OUT || r->jobs == FSI_JOBS_ENDED_ALONE;
}

static bool goes_on(const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || job->state == FSI_STATE_RUNNING;
}

/* Adds a row to the table of r->type; NULL: out of memory. */
static struct fsi_rec *reader_begin_row(struct fsi_reader *r)
{
	struct fsi_rec *rec = NULL;

	switch (r->type) {
		FSI_RECORD_TYPES(READ_TABLE)
	default:
		return NULL;
	}
	memset(rec, 0, fsi_record_table(r->type)->size);
	rec->line = (uint32_t)r->where.line;
	r->found[r->type]++;
	return rec;
}

/* Ends the row; rc is the result of reading its fields. Removes a row that the options leave out. An error ends the
 * reading, and the model is freed with the row. */
static int reader_end_row(struct fsi_reader *r, int rc)
{
	if (!rc && r->type == FSI_RECORD_USAGE)
		rc = fsi_usage_check(&r->m->usage.v[r->m->usage.n - 1], r->where, r->err);
	if (r->options.without_usage)
		r->m->usage.n = 0;
	if (!rc && r->type == FSI_RECORD_JOB && reader_without_jobs(r) &&
	    (r->jobs == FSI_JOBS_LEFT_OUT || goes_on(&r->m->job.v[r->m->job.n - 1]))) {
		fsi_job_rare_drop_last(r->m);
		r->m->job.n--;
	}
	return rc;
}

/* Fields from JSON. A value is checked against the type and range of its field where it is read, so that nothing behind
 * the reader has to doubt it; a message says what was expected and what came. */

struct target {
	const struct fsi_reading *in;
	const struct fsi_field *f;
	const struct fsi_json *v;
	enum fsi_json_type type; /* the type of v */
	void *member;
	uint32_t *last; /* string or set of this field read last, or 0 */
};

static int bad(const struct target *t, const char *what)
{
	return fsi_fail_at(t->in->err, t->in->where, t->f->key, "expected %s, got %s", what,
			   fsi_json_type_name(t->type));
}

static int out_of_range(const struct target *t, const char *what)
{
	if (t->type != FSI_JNUMBER)
		return bad(t, what);
	return fsi_fail_at(t->in->err, t->in->where, t->f->key, "expected %s, got %.17g", what, fsi_json_double(t->v));
}

static int read_u32(const struct target *t)
{
	uint64_t v;

	if (fsi_json_u64(t->v, &v) || v > UINT32_MAX)
		return out_of_range(t, "an integer from 0 to 4294967295");
	*(uint32_t *)t->member = (uint32_t)v;
	return 0;
}

static int read_i32(const struct target *t)
{
	int64_t v;

	if (fsi_json_i64(t->v, &v) || v < INT32_MIN || v > INT32_MAX)
		return out_of_range(t, "an integer from -2147483648 to 2147483647");
	*(int32_t *)t->member = (int32_t)v;
	return 0;
}

static int read_u64(const struct target *t)
{
	if (fsi_json_u64(t->v, t->member))
		return out_of_range(t, "an integer of at most 64 bits, not negative");
	return 0;
}

static int read_seconds(const struct target *t)
{
	int64_t v;

	if (fsi_json_i64(t->v, &v) || v < 0 || v > FSI_SECONDS_MAX)
		return out_of_range(t, "whole seconds, not negative");
	*(int64_t *)t->member = v;
	return 0;
}

static int read_double(const struct target *t)
{
	double v;

	if (t->type != FSI_JNUMBER)
		return bad(t, "a number");
	v = fsi_json_double(t->v);
	if (!isfinite(v) || ((t->f->flags & FSI_POS) && v < 0))
		return out_of_range(t, "a finite number, not negative");
	if ((t->f->flags & FSI_PART) == FSI_PART && v > 1)
		return out_of_range(t, "a number from 0 to 1");
	*(double *)t->member = v;
	return 0;
}

/* The id of s, which is likely `guess`. */
static uint32_t name_id(const struct target *t, uint32_t guess, const char *s, size_t len)
{
	struct fsi_intern *names = &t->in->m->names;

	if (guess && fsi_intern_len(names, guess) == len && fsi_equal_bytes(fsi_intern_str(names, guess), s, len))
		return guess;
	return fsi_intern(names, s, len);
}

static int read_string(const struct target *t)
{
	uint32_t id;

	if (t->type != FSI_JSTRING)
		return bad(t, "a string");
	id = name_id(t, *t->last, fsi_json_string(t->v), fsi_json_string_len(t->v));
	if (id == FSI_INTERN_FAILED)
		return fsi_nomem(t->in->err);
	if (!id && (t->f->flags & FSI_REQ))
		return fsi_fail_at(t->in->err, t->in->where, t->f->key, "must not be empty");
	*(uint32_t *)t->member = *t->last = id;
	return 0;
}

static int read_state(const struct target *t)
{
	const char *s;

	if (t->type != FSI_JSTRING)
		return bad(t, "a job state");
	s = fsi_json_string(t->v);
	const enum fsi_job_state state = fsi_job_state_parse(s, (uint32_t)strlen(s));
	if (state == FSI_STATE_COUNT)
		return fsi_fail_at(t->in->err, t->in->where, t->f->key, "no job state \"%.64s\"", s);
	*(uint8_t *)t->member = (uint8_t)state;
	return 0;
}

static int read_bool(const struct target *t)
{
	if (t->type != FSI_JBOOL)
		return bad(t, "true or false");
	*(bool *)t->member = fsi_json_bool(t->v);
	return 0;
}

static size_t children(const struct fsi_json *v)
{
	size_t n = 0;

	for (const struct fsi_json *c = fsi_json_first(v); c; c = fsi_json_next(c))
		n++;
	return n;
}

/* Most sets are small: elements stand on the stack unless there are more. */
enum { SMALL = 16 };

/* like is the set read last, of n_like elements. */
static int keep_set(const struct target *t, const void *elements, size_t n, size_t size,
		    const void *like, size_t n_like)
{
	uint32_t set = *t->last;

	if (n != n_like || memcmp(elements, like, n * size) != 0)
		set = fsi_intern(&t->in->m->sets, elements, n * size);
	if (set == FSI_INTERN_FAILED)
		return fsi_nomem(t->in->err);
	*(uint32_t *)t->member = *t->last = set;
	return 0;
}

static int read_names(const struct target *t, uint32_t *ids)
{
	size_t n = 0, n_like;
	const uint32_t *like = fsi_list(t->in->m, *t->last, &n_like);

	for (const struct fsi_json *c = fsi_json_first(t->v); c; c = fsi_json_next(c)) {
		if (fsi_json_type(c) != FSI_JSTRING)
			return bad(t, "a list of strings");
		ids[n] = name_id(t, n < n_like ? like[n] : 0, fsi_json_string(c), fsi_json_string_len(c));
		if (ids[n++] == FSI_INTERN_FAILED)
			return fsi_nomem(t->in->err);
	}
	return keep_set(t, ids, n, sizeof(*ids), like, n_like);
}

static int read_list(const struct target *t)
{
	uint32_t small[SMALL], *ids = small;
	size_t n;
	int rc;

	if (t->type != FSI_JARRAY)
		return bad(t, "a list of strings");
	n = children(t->v);
	if (n > SMALL)
		ids = calloc(n, sizeof(*ids));
	rc = ids ? read_names(t, ids) : fsi_nomem(t->in->err);
	if (ids != small)
		free(ids);
	return rc;
}

/* One member of a TRES object into element a (struct fsi_amount or, when real, fsi_amountf). */
static int read_amount(const struct target *t, const struct fsi_json *c, struct fsi_amount *a,
		       bool real, uint32_t guess)
{
	struct fsi_amountf *f = (struct fsi_amountf *)(void *)a;
	const double d = fsi_json_type(c) == FSI_JNUMBER ? fsi_json_double(c) : NAN;

	if (!isfinite(d) || d < 0 || (!real && fsi_json_i64(c, &a->n)))
		return fsi_fail_at(t->in->err, t->in->where, t->f->key, "\"%.64s\": expected %s, not negative",
				   fsi_json_key(c), real ? "a number" : "an integer");
	if (real)
		f->n = d;
	a->tres = name_id(t, guess, fsi_json_key(c), fsi_json_key_len(c));
	return a->tres == FSI_INTERN_FAILED ? fsi_nomem(t->in->err) : 0;
}

static int read_amounts(const struct target *t, struct fsi_amount *set, bool real)
{
	size_t n = 0, n_like;
	const struct fsi_amount *like = fsi_amounts(t->in->m, *t->last, &n_like);
	int rc = 0;

	for (const struct fsi_json *c = fsi_json_first(t->v); c && !rc; c = fsi_json_next(c)) {
		rc = read_amount(t, c, &set[n], real, n < n_like ? like[n].tres : 0);
		for (size_t i = 0; i < n && !rc; i++)
			if (set[i].tres == set[n].tres)
				rc = fsi_fail_at(t->in->err, t->in->where, t->f->key,
						 "TRES \"%.64s\" appears twice", fsi_json_key(c));
		n++;
	}
	return rc ? rc : keep_set(t, set, n, sizeof(*set), like, n_like);
}

static int read_tres(const struct target *t, bool real)
{
	struct fsi_amount small[SMALL] = { { 0 } }, *set = small;
	size_t n;
	int rc;

	_Static_assert(sizeof(struct fsi_amount) == sizeof(struct fsi_amountf), "read alike");
	if (t->type != FSI_JOBJECT)
		return bad(t, "an object of TRES");
	n = children(t->v);
	if (n > SMALL)
		set = calloc(n, sizeof(*set));
	rc = set ? read_amounts(t, set, real) : fsi_nomem(t->in->err);
	if (set != small)
		free(set);
	return rc;
}

static int read_value(const struct target *t)
{
	switch (t->f->type) {
	case FSI_U32:
	case FSI_SHARES:
		return read_u32(t);
	case FSI_U64:
		return read_u64(t);
	case FSI_I32:
		return read_i32(t);
	case FSI_TIME:
	case FSI_DUR:
		return read_seconds(t);
	case FSI_DBL:
		return read_double(t);
	case FSI_BOOL:
		return read_bool(t);
	case FSI_STR:
		return read_string(t);
	case FSI_STATE:
		return read_state(t);
	case FSI_LIST:
		return read_list(t);
	case FSI_TRES:
		return read_tres(t, false);
	case FSI_TRESF:
		return read_tres(t, true);
	}
	return FS_EDATA;
}

static bool is_word(enum fsi_field_type type, const char *s)
{
	const char *word = fsi_field_word(type);

	return word && !strcmp(s, word);
}

/* Stores v into the member of field f, whose bit is `bit`; null is the same as absent. Error: FS_EDATA
 * with the field's name. */
static int field_read(const struct fsi_reading *in, const struct fsi_field *f, unsigned bit, const struct fsi_json *v)
{
	struct target t = { in, f, v, fsi_json_type(v), NULL, &in->last[bit] };
	int rc = 0;

	if (t.type == FSI_JNULL)
		return 0;
	t.member = fsi_field_own(in->m, f, in->rec);
	if (!t.member)
		return fsi_nomem(in->err);
	if (t.type == FSI_JSTRING && is_word(f->type, fsi_json_string(v)))
		in->rec->special |= 1u << bit;
	else
		rc = read_value(&t);
	if (!rc)
		fsi_mark_known(in->rec, bit);
	return rc;
}

static int config_value(const struct fsi_reading *in, const struct fsi_json *v, struct fsi_config_entry *e)
{
	const struct fsi_field as_list = { fsi_json_key(v), FSI_LIST, 0, 0, "", "" };
	uint32_t id = 0, last = 0;
	const struct target t = { in, &as_list, v, fsi_json_type(v), &id, &last };
	int rc = 0;

	switch (t.type) {
	case FSI_JBOOL:
		e->kind = FSI_CONFIG_BOOL;
		e->i = fsi_json_bool(v);
		return 0;
	case FSI_JNUMBER:
		e->kind = fsi_json_i64(v, &e->i) ? FSI_CONFIG_DOUBLE : FSI_CONFIG_INT;
		e->d = fsi_json_double(v);
		return isfinite(e->d) ? 0 : out_of_range(&t, "a finite number");
	case FSI_JSTRING:
		e->kind = FSI_CONFIG_STR;
		id = fsi_name(in->m, fsi_json_string(v));
		if (id == FSI_INTERN_FAILED)
			return fsi_nomem(in->err);
		break;
	default:
		e->kind = FSI_CONFIG_LIST;
		rc = read_list(&t);
	}
	e->i = id;
	return rc;
}

/* Puts a value into the configuration under its name. The same name twice is an error. */
static int config_read(fs_snapshot *m, const struct fsi_json *v, struct fsi_where where, struct fs_error *err)
{
	const struct fsi_reading in = { .m = m, .where = where, .err = err };
	struct fsi_config_entry e = { .line = (uint32_t)where.line };
	int rc;

	e.name = fsi_name(m, fsi_json_key(v));
	if (e.name == FSI_INTERN_FAILED || FSI_VEC_ROOM(&m->config))
		return fsi_nomem(err);
	if (fsi_config_find(m, fsi_json_key(v)))
		return fsi_fail_at(err, where, fsi_json_key(v), "duplicate key");
	if (fsi_json_type(v) == FSI_JNULL)
		return 0;
	rc = config_value(&in, v, &e);
	if (!rc)
		m->config.v[m->config.n++] = e;
	return rc;
}

/* One line of a snapshot to a row of the model. */

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
		const unsigned k = reader_find_field(r, key, fsi_json_key_len(v), guess, from);

		if (k < t->nfields && !fsi_fields_have(&seen, k)) {
			fsi_fields_add(&seen, k);
			rc = field_read(&in, &t->fields[k], k, v);
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

static int read_config(struct fsi_reader *r, const struct fsi_json *root, const struct fsi_json *type_item)
{
	int rc = 0;

	r->found[FSI_RECORD_COUNT]++;
	for (const struct fsi_json *v = fsi_json_first(root); v && !rc; v = fsi_json_next(v))
		if (v != type_item && repeated(root, v))
			rc = fsi_fail_at(r->err, r->where, fsi_json_key(v), "duplicate key");
		else if (v != type_item)
			rc = config_read(r->m, v, r->where, r->err);
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

/* Does the line begin with this? */
static bool line_begins(const char *line, size_t len, const char *start)
{
	const size_t n = strlen(start);

	return len > n && !memcmp(line, start, n);
}

/* Does the line of a job, as writers begin it, say that it waits or runs? */
static bool line_goes_on(const char *line, size_t len)
{
	static const char *const states[] = { ",\"state\":\"PENDING\"", ",\"state\":\"RUNNING\"" };
	size_t at = strlen("{\"type\":\"job\",");

	if (!line_begins(line + at, len - at, "\"id\":"))
		return false;
	for (at += strlen("\"id\":"); at < len && line[at] >= '0' && line[at] <= '9';)
		at++;
	return line_begins(line + at, len - at, states[0]) || line_begins(line + at, len - at, states[1]);
}

/* Takes a record that stands as a value of its own into a new row of its table r->type. */
static int reader_row(struct fsi_reader *r, const struct fsi_json *root, const struct fsi_json *type_item)
{
	struct fsi_rec *rec;

	rec = reader_begin_row(r);
	if (!rec)
		return fsi_nomem(r->err);
	return reader_end_row(r, read_fields(r, fsi_record_table(r->type), rec, root, type_item));
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
		return reader_row(r, root, type_item);
	if (!strcmp(type, "config"))
		return read_config(r, root, type_item);
	if (!strcmp(type, "snapshot"))
		return fail_here(r, "type", "a second \"snapshot\" record");
	for (int i = 0; i < FSI_RECORD_COUNT; i++)
		if (!strcmp(fsi_record_table((enum fsi_record_type)i)->type, type)) {
			r->type = (enum fsi_record_type)i;
			return reader_row(r, root, type_item);
		}
	return skip_unknown(r, "record type", "", type);
}

/* The type of a line that is only counted, by the way writers begin it; FSI_RECORD_COUNT: parse it. */
static enum fsi_record_type counted_only(struct fsi_reader *r, const char *line, size_t len)
{
	const struct fs_read_options *o = &r->options;

	if (!r->m->head.rec.line)
		return FSI_RECORD_COUNT;
	if (o->without_usage && line_begins(line, len, "{\"type\":\"usage\","))
		return FSI_RECORD_USAGE;
	if (o->without_recorded && line_begins(line, len, "{\"type\":\"recorded\",") && !r->stands_in)
		return FSI_RECORD_RECORDED;
	if (o->without_jobs && line_begins(line, len, "{\"type\":\"job\",") && reader_without_jobs(r) &&
	    (r->jobs == FSI_JOBS_LEFT_OUT || line_goes_on(line, len)))
		return FSI_RECORD_JOB;
	return FSI_RECORD_COUNT;
}

/* Takes one line, which is written to; it may be blank. */
static int reader_line(struct fsi_reader *r, char *line, size_t len)
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
	rc = fsi_json_parse(&r->pool, &root, line, len, r->where, r->err);
	if (rc)
		return rc;
	return read_record(r, root);
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
		rc = reader_line(r, line, len);
	}
	return rc;
}

void fsi_reader_release(struct fsi_reader *r)
{
	fsi_json_pool_release(&r->pool);
	FSI_VEC_FREE(&r->unknown);
}

/* Usage records one by one. */

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
		rc = reader_row(r, root, type);
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
		    (line_begins(line, len, "{\"type\":\"") &&
		     !line_begins(line, len, "{\"type\":\"usage\",")))
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
