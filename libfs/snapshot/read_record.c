#include "snapshot/snapshot.h"

#include "base/memory.h"
#include "base/num.h"
#include "model/model.h"
#include "model/scheduler.h"
#include "snapshot/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- beginning and ending rows, finding the field of a key */

/* Returns the index of the field with this key in r->table, or nfields if there is none. Tries *guess first. If the
 * guess is wrong, searches all fields, beginning at index `from`, and sets *guess to the result. */
static unsigned find_key_field(const struct fsi_reader *r, const char *key, size_t len, uint8_t *guess, unsigned from)
{
	const struct fsi_record_table *t = r->table;

	if (r->key_len[*guess] == len && fsi_is_equal_bytes(t->fields[*guess].key, key, len))
		return *guess;
	for (unsigned i = 0; i < t->nfields; i++) {
		const unsigned k = from + i < t->nfields ? from + i : from + i - t->nfields;

		if (r->key_len[k] == len && fsi_is_equal_bytes(t->fields[k].key, key, len))
			return *guess = (uint8_t)k;
	}
	return t->nfields;
}

#define ADD_TABLE_ROW(TAG, name, json)                                                                \
	case FSI_RECORD_##TAG:                                                                     \
		if (FSI_VEC_RESERVE(&r->m->name))                                                     \
			return NULL;                                                               \
		rec = &r->m->name.v[r->m->name.n++].rec;                                           \
		break;

/* Returns true if the reader skips all or some jobs. The reader skips no job if the options include jobs, or if fair
 * share depends on all jobs. In other cases, the reader skips all jobs or, if fair share depends on ended jobs, only
 * pending and running jobs (FSI_JOBS_ENDED_ONLY). The first call sets r->jobs. */
static bool are_jobs_excluded(struct fsi_reader *r)
{
	if (r->jobs == FSI_JOBS_UNDECIDED) {
		const struct fsi_scheduler *s = fsi_scheduler_find_by_name(fsi_name_text(r->m, r->m->head.scheduler));

		if (!r->options.without_jobs || (s->shares_need_jobs && s->shares_need_jobs(r->m)))
			r->jobs = FSI_JOBS_LOADED;
		else
			r->jobs = s->shares_need_ended ? FSI_JOBS_ENDED_ONLY : FSI_JOBS_SKIPPED;
	}
	return r->jobs == FSI_JOBS_SKIPPED || r->jobs == FSI_JOBS_ENDED_ONLY;
}

static bool has_not_ended(const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || job->state == FSI_STATE_RUNNING;
}

/* Appends a zeroed row to the table of r->type. Returns NULL if out of memory. */
static struct fsi_rec *begin_table_row(struct fsi_reader *r)
{
	struct fsi_rec *rec = NULL;

	switch (r->type) {
		FSI_RECORD_TYPES(ADD_TABLE_ROW)
	default:
		return NULL;
	}
	memset(rec, 0, fsi_record_table(r->type)->size);
	rec->line = (uint32_t)r->where.line;
	r->record_counts[r->type]++;
	return rec;
}

/* Completes a row, or removes the row if the options exclude it. `rc` is the result of reading its fields. After an
 * error the row remains in the model, which the caller then frees. */
static int end_table_row(struct fsi_reader *r, int rc)
{
	if (!rc && r->type == FSI_RECORD_USAGE)
		rc = fsi_usage_check_times(&r->m->usage.v[r->m->usage.n - 1], r->where, r->err);
	if (r->options.without_usage)
		r->m->usage.n = 0;
	if (!rc && r->type == FSI_RECORD_JOB && are_jobs_excluded(r) &&
	    (r->jobs == FSI_JOBS_SKIPPED || has_not_ended(&r->m->job.v[r->m->job.n - 1]))) {
		fsi_job_ext_drop_last(r->m);
		r->m->job.n--;
	}
	return rc;
}

/* ---- reading field values from JSON
 *
 * Type and range of each value are checked here. Later code does not check them again. An error message gives the
 * expected type and the actual type. */

struct field_value {
	const struct fsi_record_input *in;
	const struct fsi_field *f;
	const struct fsi_json *v;
	enum fsi_json_type type; /* JSON type of v */
	void *member;
	uint32_t *last; /* id of the string or set read last for this field; 0: none */
};

static int fail_wrong_type(const struct field_value *t, const char *what)
{
	return fsi_fail_at(t->in->err, t->in->where, t->f->key, "expected %s, got %s", what,
			   fsi_json_type_name(t->type));
}

static int fail_out_of_range(const struct field_value *t, const char *what)
{
	if (t->type != FSI_JNUMBER)
		return fail_wrong_type(t, what);
	return fsi_fail_at(t->in->err, t->in->where, t->f->key, "expected %s, got %.17g", what,
			   fsi_json_get_double(t->v));
}

static int read_u32_value(const struct field_value *t)
{
	uint64_t v;

	if (fsi_json_get_u64(t->v, &v) || v > UINT32_MAX)
		return fail_out_of_range(t, "an integer from 0 to 4294967295");
	*(uint32_t *)t->member = (uint32_t)v;
	return 0;
}

static int read_i32_value(const struct field_value *t)
{
	int64_t v;

	if (fsi_json_get_i64(t->v, &v) || v < INT32_MIN || v > INT32_MAX)
		return fail_out_of_range(t, "an integer from -2147483648 to 2147483647");
	*(int32_t *)t->member = (int32_t)v;
	return 0;
}

static int read_u64_value(const struct field_value *t)
{
	if (fsi_json_get_u64(t->v, t->member))
		return fail_out_of_range(t, "an integer of at most 64 bits, not negative");
	return 0;
}

static int read_seconds_value(const struct field_value *t)
{
	int64_t v;

	if (fsi_json_get_i64(t->v, &v) || v < 0 || v > FSI_SECONDS_MAX)
		return fail_out_of_range(t, "whole seconds, not negative");
	*(int64_t *)t->member = v;
	return 0;
}

static int read_double_value(const struct field_value *t)
{
	double v;

	if (t->type != FSI_JNUMBER)
		return fail_wrong_type(t, "a number");
	v = fsi_json_get_double(t->v);
	if (!isfinite(v) || ((t->f->flags & FSI_POS) && v < 0))
		return fail_out_of_range(t, t->f->flags & FSI_POS ? "a finite number, not negative" : "a finite number");
	if ((t->f->flags & FSI_PART) == FSI_PART && v > 1)
		return fail_out_of_range(t, "a number from 0 to 1");
	*(double *)t->member = v;
	return 0;
}

/* Returns the id of the name `s`, and adds the name if it is new. First compares `s` with the name whose id is `guess`,
 * to save a lookup. */
static uint32_t intern_guessed_name(const struct field_value *t, uint32_t guess, const char *s, size_t len)
{
	struct fsi_intern *names = &t->in->m->names;

	if (guess && fsi_intern_get_length(names, guess) == len &&
	    fsi_is_equal_bytes(fsi_intern_get_string(names, guess), s, len))
		return guess;
	return fsi_intern_add(names, s, len);
}

static int read_string_value(const struct field_value *t)
{
	uint32_t id;

	if (t->type != FSI_JSTRING)
		return fail_wrong_type(t, "a string");
	id = intern_guessed_name(t, *t->last, fsi_json_get_string(t->v), fsi_json_get_string_len(t->v));
	if (id == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(t->in->err);
	if (!id && (t->f->flags & FSI_REQ))
		return fsi_fail_at(t->in->err, t->in->where, t->f->key, "must not be empty");
	*(uint32_t *)t->member = *t->last = id;
	return 0;
}

static int read_state_value(const struct field_value *t)
{
	const char *s;

	if (t->type != FSI_JSTRING)
		return fail_wrong_type(t, "a job state");
	s = fsi_json_get_string(t->v);
	const enum fsi_job_state state = fsi_job_state_parse(s, (uint32_t)strlen(s));
	if (state == FSI_STATE_COUNT)
		return fsi_fail_at(t->in->err, t->in->where, t->f->key, "unknown job state \"%.64s\"", s);
	*(uint8_t *)t->member = (uint8_t)state;
	return 0;
}

static int read_bool_value(const struct field_value *t)
{
	if (t->type != FSI_JBOOL)
		return fail_wrong_type(t, "true or false");
	*(bool *)t->member = fsi_json_get_bool(t->v);
	return 0;
}

static size_t count_json_children(const struct fsi_json *v)
{
	size_t n = 0;

	for (const struct fsi_json *c = fsi_json_first_child(v); c; c = fsi_json_next_sibling(c))
		n++;
	return n;
}

/* A set with at most this number of elements is read into a buffer on the stack. */
enum { SMALL_SET_MAX = 16 };

/* Stores the set of the n `elements`, and its id in t->member. `last_set`: the n_last elements of the set that was
 * stored last in this field. If `elements` equals `last_set`, stores the id of that last set without a lookup. */
static int store_set_value(const struct field_value *t, const void *elements, size_t n, size_t size,
			   const void *last_set, size_t n_last)
{
	uint32_t set = *t->last;

	if (n != n_last || memcmp(elements, last_set, n * size) != 0)
		set = fsi_intern_add(&t->in->m->sets, elements, n * size);
	if (set == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(t->in->err);
	*(uint32_t *)t->member = *t->last = set;
	return 0;
}

static int read_name_list(const struct field_value *t, uint32_t *ids)
{
	size_t n = 0, n_last;
	const uint32_t *last_set = fsi_list_items(t->in->m, *t->last, &n_last);

	for (const struct fsi_json *c = fsi_json_first_child(t->v); c; c = fsi_json_next_sibling(c)) {
		if (fsi_json_get_type(c) != FSI_JSTRING)
			return fsi_fail_at(t->in->err, t->in->where, t->f->key,
					   "expected a list of strings, got a list with %s",
					   fsi_json_type_name(fsi_json_get_type(c)));
		ids[n] = intern_guessed_name(t, n < n_last ? last_set[n] : 0, fsi_json_get_string(c),
					     fsi_json_get_string_len(c));
		if (ids[n++] == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(t->in->err);
	}
	return store_set_value(t, ids, n, sizeof(*ids), last_set, n_last);
}

static int read_list_value(const struct field_value *t)
{
	uint32_t small[SMALL_SET_MAX], *ids = small;
	size_t n;
	int rc;

	if (t->type != FSI_JARRAY)
		return fail_wrong_type(t, "a list of strings");
	n = count_json_children(t->v);
	if (n > SMALL_SET_MAX)
		ids = calloc(n, sizeof(*ids));
	rc = ids ? read_name_list(t, ids) : fsi_fail_no_memory(t->in->err);
	if (ids != small)
		free(ids);
	return rc;
}

/* Reads one member of a TRES object into *a. If `real` is true, `a` points to a struct fsi_real_amount. */
static int read_tres_amount(const struct field_value *t, const struct fsi_json *c, struct fsi_amount *a, bool real,
			    uint32_t guess)
{
	struct fsi_real_amount *f = (struct fsi_real_amount *)(void *)a;
	const double d = fsi_json_get_type(c) == FSI_JNUMBER ? fsi_json_get_double(c) : NAN;

	if (!isfinite(d) || d < 0 || (!real && fsi_json_get_i64(c, &a->n)))
		return fsi_fail_at(t->in->err, t->in->where, t->f->key, "\"%.64s\": expected %s, not negative",
				   fsi_json_get_key(c), real ? "a number" : "an integer");
	if (real)
		f->n = d;
	a->tres = intern_guessed_name(t, guess, fsi_json_get_key(c), fsi_json_get_key_len(c));
	return a->tres == FSI_INTERN_FAILED ? fsi_fail_no_memory(t->in->err) : 0;
}

static int read_tres_amounts(const struct field_value *t, struct fsi_amount *set, bool real)
{
	size_t n = 0, n_last;
	const struct fsi_amount *last_set = fsi_amount_items(t->in->m, *t->last, &n_last);
	uint32_t max = 0; /* a name with a greater id has not occurred in the set */
	int rc = 0;

	for (const struct fsi_json *c = fsi_json_first_child(t->v); c && !rc; c = fsi_json_next_sibling(c)) {
		rc = read_tres_amount(t, c, &set[n], real, n < n_last ? last_set[n].tres : 0);
		for (size_t i = 0; i < n && !rc && set[n].tres <= max; i++)
			if (set[i].tres == set[n].tres)
				rc = fsi_fail_at(t->in->err, t->in->where, t->f->key,
						 "TRES \"%.64s\" appears twice", fsi_json_get_key(c));
		max = set[n].tres > max ? set[n].tres : max;
		n++;
	}
	return rc ? rc : store_set_value(t, set, n, sizeof(*set), last_set, n_last);
}

static int read_tres_value(const struct field_value *t, bool real)
{
	struct fsi_amount small[SMALL_SET_MAX] = { { 0 } }, *set = small;
	size_t n;
	int rc;

	_Static_assert(sizeof(struct fsi_amount) == sizeof(struct fsi_real_amount), "read alike");
	if (t->type != FSI_JOBJECT)
		return fail_wrong_type(t, "an object of TRES");
	n = count_json_children(t->v);
	if (n > SMALL_SET_MAX)
		set = calloc(n, sizeof(*set));
	rc = set ? read_tres_amounts(t, set, real) : fsi_fail_no_memory(t->in->err);
	if (set != small)
		free(set);
	return rc;
}

static int read_field_value(const struct field_value *t)
{
	switch (t->f->type) {
	case FSI_U32:
	case FSI_SHARES:
		return read_u32_value(t);
	case FSI_U64:
		return read_u64_value(t);
	case FSI_I32:
		return read_i32_value(t);
	case FSI_TIME:
	case FSI_DUR:
		return read_seconds_value(t);
	case FSI_DBL:
		return read_double_value(t);
	case FSI_BOOL:
		return read_bool_value(t);
	case FSI_STR:
		return read_string_value(t);
	case FSI_STATE:
		return read_state_value(t);
	case FSI_LIST:
		return read_list_value(t);
	case FSI_TRES:
		return read_tres_value(t, false);
	case FSI_TRESF:
		return read_tres_value(t, true);
	}
	return FS_EDATA;
}

static bool is_special_word(enum fsi_field_type type, const char *s)
{
	const char *word = fsi_field_special_word(type);

	return word && !strcmp(s, word);
}

/* Stores `v` in the member of field `f`, whose presence bit is `bit`. A null value counts as absent. Returns FS_EDATA
 * with the field's name if the value is invalid. */
static int read_record_field(const struct fsi_record_input *in, const struct fsi_field *f, unsigned bit,
			     const struct fsi_json *v)
{
	struct field_value t = { in, f, v, fsi_json_get_type(v), NULL, &in->last[bit] };
	int rc = 0;

	if (t.type == FSI_JNULL)
		return 0;
	t.member = fsi_field_writable_member(in->m, f, in->rec);
	if (!t.member)
		return fsi_fail_no_memory(in->err);
	if (t.type == FSI_JSTRING && is_special_word(f->type, fsi_json_get_string(v)))
		in->rec->special |= 1u << bit;
	else
		rc = read_field_value(&t);
	if (!rc)
		fsi_mark_known(in->rec, bit);
	return rc;
}

static int read_parameter_value(const struct fsi_record_input *in, const struct fsi_json *v, struct fsi_config_entry *e)
{
	const struct fsi_field as_list = { fsi_json_get_key(v), FSI_LIST, 0, 0, "", "" };
	uint32_t id = 0, last = 0;
	const struct field_value t = { in, &as_list, v, fsi_json_get_type(v), &id, &last };
	int rc = 0;

	switch (t.type) {
	case FSI_JBOOL:
		e->kind = FSI_CONFIG_BOOL;
		e->i = fsi_json_get_bool(v);
		return 0;
	case FSI_JNUMBER:
		e->kind = fsi_json_get_i64(v, &e->i) ? FSI_CONFIG_DOUBLE : FSI_CONFIG_INT;
		e->d = fsi_json_get_double(v);
		return isfinite(e->d) ? 0 : fail_out_of_range(&t, "a finite number");
	case FSI_JSTRING:
		e->kind = FSI_CONFIG_STR;
		id = fsi_name_intern(in->m, fsi_json_get_string(v));
		if (id == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(in->err);
		break;
	default:
		e->kind = FSI_CONFIG_LIST;
		rc = read_list_value(&t);
	}
	e->i = id;
	return rc;
}

/* Adds one parameter to the configuration. A repeated name is an error. A parameter with the value null counts as
 * absent. */
static int read_config_parameter(fs_snapshot *m, const struct fsi_json *v, struct fsi_input_position where,
				 struct fs_error *err)
{
	const struct fsi_record_input in = { .m = m, .where = where, .err = err };
	struct fsi_config_entry e = { .line = (uint32_t)where.line };
	int rc;

	e.name = fsi_name_intern(m, fsi_json_get_key(v));
	if (e.name == FSI_INTERN_FAILED || FSI_VEC_RESERVE(&m->config))
		return fsi_fail_no_memory(err);
	if (fsi_config_find(m, fsi_json_get_key(v)))
		return fsi_fail_at(err, where, fsi_json_get_key(v), "duplicate key");
	if (fsi_json_get_type(v) == FSI_JNULL)
		return 0;
	rc = read_parameter_value(&in, v, &e);
	if (!rc)
		m->config.v[m->config.n++] = e;
	return rc;
}

/* ---- reading a line into a row of the model */

static int fail_in_line(struct fsi_reader *r, const char *field, const char *message)
{
	return fsi_fail_at(r->err, r->where, field, "%s", message);
}

static bool has_warned_of(const struct fsi_reader *r, uint32_t key)
{
	for (size_t i = 0; key && i < r->warned_names.n; i++)
		if (r->warned_names.v[i] == key)
			return true;
	return false;
}

/* Skips an unknown key or record type, so that files of newer versions can be read. Adds one warning for each different
 * key or type, at most FSI_WARNINGS_MAX in all. */
static int skip_unknown_word(struct fsi_reader *r, const char *what, const char *type, const char *word)
{
	char key[256];
	uint32_t id;

	if (strlen(type) + strlen(word) + 2 > sizeof(key))
		return fsi_fail_at(r->err, r->where, NULL, "the %s is too long", what);
	strcpy(key, type);
	strcat(key, ".");
	strcat(key, word);
	id = fsi_name_intern(r->m, key);
	if (id == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(r->err);
	if (has_warned_of(r, id))
		return 0;
	if (r->warned_names.n >= FSI_WARNINGS_MAX)
		return 0;
	if (FSI_VEC_RESERVE(&r->warned_names) ||
	    fsi_model_add_warning(r->m, "%s:%llu: unknown %s \"%.100s\"%s skipped", r->m->file,
				  (unsigned long long)r->where.line, what, word, *type ? "" : ": its records are"))
		return fsi_fail_no_memory(r->err);
	r->warned_names.v[r->warned_names.n++] = id;
	return 0;
}

/* Returns true if an earlier member of the object has the same key as member `v`. */
static bool is_repeated_key(const struct fsi_json *root, const struct fsi_json *v)
{
	for (const struct fsi_json *c = fsi_json_first_child(root); c != v; c = fsi_json_next_sibling(c))
		if (!strcmp(fsi_json_get_key(c), fsi_json_get_key(v)))
			return true;
	return false;
}

static int read_record_counts(struct fsi_reader *r, const struct fsi_json *v)
{
	if (fsi_json_get_type(v) != FSI_JOBJECT)
		return fail_in_line(r, "records", "expected an object");
	for (const struct fsi_json *c = fsi_json_first_child(v); c; c = fsi_json_next_sibling(c)) {
		uint64_t n;
		int type = 0;

		if (fsi_json_get_u64(c, &n))
			return fail_in_line(r, "records", "expected integers, not negative");
		if (is_repeated_key(v, c))
			return fail_in_line(r, "records", "duplicate key");
		while (type < FSI_RECORD_COUNT &&
		       strcmp(fsi_record_table((enum fsi_record_type)type)->type,
			      fsi_json_get_key(c)) != 0)
			type++;
		if (type < FSI_RECORD_COUNT || !strcmp(fsi_json_get_key(c), "config"))
			r->expected_counts[type] = n;
	}
	r->has_expected_counts = true;
	return 0;
}

/* Selects the table for the following records and predicts that their keys are in the order of the table's fields. */
static void select_record_table(struct fsi_reader *r, const struct fsi_record_table *t)
{
	r->table = t;
	r->required = (struct fsi_fields){ { 0 } };
	r->first_field = 0;
	memset(r->last, 0, sizeof(r->last));
	for (unsigned k = 0; k < t->nfields; k++) {
		r->next_field[k] = (uint8_t)(k + 1 < t->nfields ? k + 1 : 0);
		r->key_len[k] = (uint8_t)strlen(t->fields[k].key);
		if (t->fields[k].flags & FSI_REQ)
			fsi_fields_add(&r->required, k);
	}
}

static int fail_missing_field(struct fsi_reader *r, const struct fsi_record_table *t, const struct fsi_rec *rec)
{
	unsigned k = 0;

	while (!fsi_fields_have(&r->required, k) || fsi_is_field_known(rec, k))
		k++;
	return fail_in_line(r, t->fields[k].key, "missing");
}

static int read_record_fields(struct fsi_reader *r, const struct fsi_record_table *t, struct fsi_rec *rec,
			      const struct fsi_json *root, const struct fsi_json *type_item)
{
	const struct fsi_record_input in = { r->m, rec, r->last, r->where, r->err };
	uint8_t *guess = &r->first_field;
	struct fsi_fields seen = { { 0 } };
	unsigned from = 0;
	int rc = 0;

	if (t != r->table)
		select_record_table(r, t);
	rec->line = (uint32_t)r->where.line;
	for (const struct fsi_json *v = fsi_json_first_child(root); v && !rc; v = fsi_json_next_sibling(v)) {
		if (v == type_item)
			continue;
		const char *key = fsi_json_get_key(v);
		const unsigned k = find_key_field(r, key, fsi_json_get_key_len(v), guess, from);

		if (k < t->nfields && !fsi_fields_have(&seen, k)) {
			fsi_fields_add(&seen, k);
			rc = read_record_field(&in, &t->fields[k], k, v);
			guess = &r->next_field[k];
			from = k + 1;
		} else if (k < t->nfields || is_repeated_key(root, v)) {
			rc = fsi_fail_at(r->err, r->where, key, "duplicate key");
		} else if (t == fsi_header_table() && !strcmp(key, "records")) {
			rc = read_record_counts(r, v);
		} else {
			rc = skip_unknown_word(r, "key", t->type, key);
		}
	}
	return rc || fsi_fields_are_subset(&r->required, &rec->has) ? rc : fail_missing_field(r, t, rec);
}

static int read_config_record(struct fsi_reader *r, const struct fsi_json *root, const struct fsi_json *type_item)
{
	int rc = 0;

	r->record_counts[FSI_RECORD_COUNT]++;
	for (const struct fsi_json *v = fsi_json_first_child(root); v && !rc; v = fsi_json_next_sibling(v))
		if (v != type_item && is_repeated_key(root, v))
			rc = fsi_fail_at(r->err, r->where, fsi_json_get_key(v), "duplicate key");
		else if (v != type_item)
			rc = read_config_parameter(r->m, v, r->where, r->err);
	r->uses_recorded_values = !rc && fsi_uses_recorded_values(r->m);
	return rc;
}

static int read_header_record(struct fsi_reader *r, const struct fsi_json *root, const struct fsi_json *type_item,
			      const char *type)
{
	int rc;

	if (strcmp(type, "snapshot") != 0)
		return fail_in_line(r, "type", "the first line must be of type \"snapshot\"");
	rc = read_record_fields(r, fsi_header_table(), &r->m->head.rec, root, type_item);
	if (!rc && r->m->head.format != 1)
		rc = fail_in_line(r, "format", "this version of fs-tools reads format 1 only");
	r->uses_recorded_values = !rc && fsi_uses_recorded_values(r->m);
	return rc;
}

/* Returns true if the line begins with `start` and is longer than `start`. */
static bool line_begins_with(const char *line, size_t len, const char *start)
{
	const size_t n = strlen(start);

	return len > n && !memcmp(line, start, n);
}

/* Returns true if the line of a job shows that the job is pending or running. Recognizes only lines in the form in
 * which this library writes them, and returns false for other lines. */
static bool is_unfinished_job_line(const char *line, size_t len)
{
	static const char *const states[] = { ",\"state\":\"PENDING\"", ",\"state\":\"RUNNING\"" };
	size_t at = strlen("{\"type\":\"job\",");

	if (!line_begins_with(line + at, len - at, "\"id\":"))
		return false;
	for (at += strlen("\"id\":"); at < len && line[at] >= '0' && line[at] <= '9';)
		at++;
	return line_begins_with(line + at, len - at, states[0]) || line_begins_with(line + at, len - at, states[1]);
}

/* Reads a record into a new row of the table r->type. */
static int read_table_row(struct fsi_reader *r, const struct fsi_json *root, const struct fsi_json *type_item)
{
	struct fsi_rec *rec;

	rec = begin_table_row(r);
	if (!rec)
		return fsi_fail_no_memory(r->err);
	return end_table_row(r, read_record_fields(r, fsi_record_table(r->type), rec, root, type_item));
}

static int read_any_record(struct fsi_reader *r, const struct fsi_json *root)
{
	const struct fsi_json *type_item = fsi_json_first_child(root);
	const char *type;

	while (type_item && !fsi_is_same_text(fsi_json_get_key(type_item), "type"))
		type_item = fsi_json_next_sibling(type_item);
	if (!type_item || fsi_json_get_type(type_item) != FSI_JSTRING)
		return fail_in_line(r, "type", "missing, or not a string");
	type = fsi_json_get_string(type_item);
	if (!r->m->head.rec.line)
		return read_header_record(r, root, type_item, type);
	if (fsi_is_same_text(fsi_record_table(r->type)->type, type))
		return read_table_row(r, root, type_item);
	if (!strcmp(type, "config"))
		return read_config_record(r, root, type_item);
	if (!strcmp(type, "snapshot"))
		return fail_in_line(r, "type", "a second \"snapshot\" record");
	for (int i = 0; i < FSI_RECORD_COUNT; i++)
		if (!strcmp(fsi_record_table((enum fsi_record_type)i)->type, type)) {
			r->type = (enum fsi_record_type)i;
			return read_table_row(r, root, type_item);
		}
	return skip_unknown_word(r, "record type", "", type);
}

/* Returns the record type of a line that is only counted, or FSI_RECORD_COUNT if the line must be parsed and loaded.
 * Recognizes only lines in the form in which this library writes them. */
static enum fsi_record_type get_skipped_type(struct fsi_reader *r, const char *line, size_t len)
{
	const struct fs_read_options *o = &r->options;

	if (!r->m->head.rec.line)
		return FSI_RECORD_COUNT;
	if (o->without_usage && line_begins_with(line, len, "{\"type\":\"usage\","))
		return FSI_RECORD_USAGE;
	if (o->without_recorded && line_begins_with(line, len, "{\"type\":\"recorded\",") && !r->uses_recorded_values)
		return FSI_RECORD_RECORDED;
	if (o->without_jobs && line_begins_with(line, len, "{\"type\":\"job\",") && are_jobs_excluded(r) &&
	    (r->jobs == FSI_JOBS_SKIPPED || is_unfinished_job_line(line, len)))
		return FSI_RECORD_JOB;
	return FSI_RECORD_COUNT;
}

/* Reads one line, which may be blank. Modifies the line. */
static int read_snapshot_line(struct fsi_reader *r, char *line, size_t len)
{
	const struct fsi_json *root;
	int rc;

	if (strspn(line, " \t\r") == len)
		return 0;
	const enum fsi_record_type type = get_skipped_type(r, line, len);
	if (type != FSI_RECORD_COUNT) {
		r->record_counts[type]++;
		return type == FSI_RECORD_USAGE && r->options.usage_follows ?
			       0 :
			       fsi_json_scan_line(line, len, r->where, r->err);
	}
	rc = fsi_json_parse_line(&r->pool, &root, line, len, r->where, r->err);
	if (rc)
		return rc;
	return read_any_record(r, root);
}

int fsi_reader_read_lines(struct fsi_reader *r, struct fsi_lines *lines)
{
	char *line;
	size_t len;
	int rc = 0, more;

	while (!rc && (more = fsi_lines_read_next(lines, &line, &len, r->err)) != 0) {
		if (more < 0)
			return more;
		r->where = lines->where;
		rc = read_snapshot_line(r, line, len);
	}
	return rc;
}

void fsi_reader_release(struct fsi_reader *r)
{
	fsi_json_pool_release(&r->pool);
	FSI_VEC_FREE(&r->warned_names);
}

/* ---- stream of usage records */

/* The stream of usage records collects names and sets in a temporary snapshot. When the number of names and sets
 * reaches this maximum, an empty snapshot replaces it. */
enum { STREAM_NAMES_MAX = 200000 };

static int stream_usage_line(struct fsi_reader *r, char *line, size_t len, fsi_usage_fn fn, void *ctx)
{
	const struct fsi_json *root;
	const struct fsi_json *type;
	int rc = fsi_json_parse_line(&r->pool, &root, line, len, r->where, r->err);

	if (rc)
		return rc;
	type = fsi_json_first_child(root);
	while (type && strcmp(fsi_json_get_key(type), "type") != 0)
		type = fsi_json_next_sibling(type);
	if (type && fsi_json_get_type(type) == FSI_JSTRING && !strcmp(fsi_json_get_string(type), "usage")) {
		r->type = FSI_RECORD_USAGE;
		rc = read_table_row(r, root, type);
		if (!rc)
			rc = fn(ctx, r->m, &r->m->usage.v[0], r->err);
		r->m->usage.n = 0;
	}
	return rc;
}

static int replace_full_model(struct fsi_reader *r, struct fsi_lines *lines)
{
	const char *file = r->m->file;
	fs_snapshot *fresh;

	if (r->m->names.count + r->m->sets.count < STREAM_NAMES_MAX)
		return 0;
	fresh = fsi_model_create(file);
	if (!fresh)
		return fsi_fail_no_memory(r->err);
	lines->where.file = fresh->file;
	fs_snapshot_free(r->m);
	r->m = fresh;
	/* makes the reader discard its predicted keys and the ids of the last values: ids of the freed snapshot are not
	 * valid in the new snapshot */
	r->table = NULL;
	r->warned_names.n = 0;
	return 0;
}

int fsi_stream_usage_records(fs_read_fn read, void *read_ctx, const char *name, fsi_usage_fn fn, void *ctx,
			     uint64_t *n_records, struct fs_error *err)
{
	struct fsi_reader r = { .m = fsi_model_create(name), .err = err };
	struct fsi_lines lines;
	char *line;
	size_t len;
	int rc;

	if (!r.m)
		return fsi_fail_no_memory(err);
	fsi_lines_init_reader(&lines, read, read_ctx, r.m->file);
	while ((rc = fsi_lines_read_next(&lines, &line, &len, err)) > 0) {
		if (strspn(line, " \t\r") == len || (line_begins_with(line, len, "{\"type\":\"") &&
						     !line_begins_with(line, len, "{\"type\":\"usage\",")))
			continue;
		r.where = lines.where;
		rc = stream_usage_line(&r, line, len, fn, ctx);
		if (!rc)
			rc = replace_full_model(&r, &lines);
		if (rc)
			break;
	}
	*n_records = r.record_counts[FSI_RECORD_USAGE];
	fsi_lines_release(&lines);
	fsi_reader_release(&r);
	fs_snapshot_free(r.m);
	return rc;
}
