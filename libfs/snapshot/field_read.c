/* Fields from JSON. A value is checked against the type and range of its field where it is read, so that nothing behind
 * the reader has to doubt it; a message says what was expected and what came. */
#include "snapshot/field.h"

#include "base/bytes.h"
#include "base/num.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	return fsi_fail_at(t->in->err, t->in->where, t->f->key, "expected %s, got %.17g", what,
			   fsi_json_double(t->v));
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
		return fsi_fail_at(t->in->err, t->in->where, t->f->key,
				   "\"%.64s\": expected %s, not negative", fsi_json_key(c),
				   real ? "a number" : "an integer");
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

int fsi_field_read(const struct fsi_reading *in, const struct fsi_field *f, unsigned bit,
		   const struct fsi_json *v)
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

int fsi_config_read(fs_snapshot *m, const struct fsi_json *v, struct fsi_where where, struct fs_error *err)
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
