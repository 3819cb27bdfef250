/* Fields of records from the texts that the scheduler's commands print. */
#include "import/import.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

int fsi_import_local_time(struct fsi_import *imp, struct fsi_span v, int64_t *out)
{
	if (fsi_parse_civil(v.s, v.len, out))
		return -1;
	*out = fsi_import_utc(imp, *out);
	return *out < 0 || *out > FSI_SECONDS_MAX ? -1 : 0;
}

/* `cpu=N(64)`: the used amount is the 64, the limit stands before it. */
static struct fsi_span amount_part(struct fsi_span v, bool used)
{
	const char *open = memchr(v.s, '(', v.len);

	if (used) {
		if (!open)
			return (struct fsi_span){ NULL, 0 };
		v.len -= (size_t)(open + 1 - v.s);
		v.s = open + 1;
		v.len -= v.len && v.s[v.len - 1] == ')';
	} else if (open) {
		v.len = (size_t)(open - v.s);
	}
	return v;
}

int fsi_import_tres(struct fsi_import *imp, const char *field, struct fsi_span v,
		    bool used_in_parens, uint32_t *set)
{
	struct fsi_amount amounts[128];
	struct fsi_span item, key;
	size_t n = 0;

	while (fsi_span_cut(&v, ',', &item)) {
		struct fsi_amount *a = &amounts[n];
		struct fsi_span text = item;

		if (!fsi_span_cut(&text, '=', &key) || !text.s)
			return fsi_import_bad(imp, field, item, "name=amount");
		text = amount_part(text, used_in_parens);
		if (!text.len || fsi_span_is(text, "N") || fsi_span_is(text, "N/A"))
			continue;
		*a = (struct fsi_amount){ .tres = fsi_import_name(imp, key) };
		if (a->tres == FSI_INTERN_FAILED)
			return fsi_nomem(imp->err);
		if ((fsi_span_is(key, "mem") || (key.len > 3 && !memcmp(key.s, "bb/", 3)))
			    ? fsi_parse_mem_mb(text.s, text.len, &a->n)
			    : fsi_parse_count(text.s, text.len, &a->n))
			return fsi_import_bad(imp, field, item, "an amount");
		for (size_t i = 0; i < n; i++)
			if (amounts[i].tres == a->tres)
				return fsi_import_bad(imp, field, item, "each TRES once");
		if (a->n < 0)
			return fsi_import_bad(imp, field, item, "an amount, not negative");
		if (++n == sizeof(amounts) / sizeof(*amounts))
			return fsi_import_bad(imp, field, item, "at most 127 TRES");
	}
	*set = fsi_intern(&imp->m->sets, amounts, n * sizeof(*amounts));
	return *set == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

static int set_list(struct fsi_import *imp, struct fsi_span v, uint32_t *set)
{
	size_t n = 0, cap = 1;
	struct fsi_span item;
	uint32_t *ids;

	for (size_t i = 0; i < v.len; i++)
		cap += v.s[i] == ',';
	ids = calloc(cap, sizeof(*ids));
	if (!ids)
		return fsi_nomem(imp->err);
	while (fsi_span_cut(&v, ',', &item))
		if (item.len && (ids[n++] = fsi_import_name(imp, item)) == FSI_INTERN_FAILED)
			break;
	*set = n && ids[n - 1] == FSI_INTERN_FAILED
		       ? FSI_INTERN_FAILED
		       : fsi_intern(&imp->m->sets, ids, n * sizeof(*ids));
	free(ids);
	return *set == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

static int set_duration(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v,
			int64_t *out, bool *special)
{
	if (fsi_span_is(v, "unlimited") || fsi_span_is(v, "infinite")) {
		*special = true;
		return 0;
	}
	if (!fsi_parse_duration(v.s, v.len, out))
		return 0;
	if (fsi_parse_i64(v.s, v.len, out) || *out < 0 || *out > FSI_SECONDS_MAX / 60)
		return fsi_import_bad(imp, f->key, v, "a duration");
	*out *= 60; /* a bare number is minutes, as everywhere in Slurm */
	return 0;
}

static int set_bool(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v, bool *out)
{
	*out = fsi_span_is(v, "yes") || fsi_span_is(v, "1");
	return *out || fsi_span_is(v, "no") || fsi_span_is(v, "0")
		       ? 0
		       : fsi_import_bad(imp, f->key, v, "YES or NO");
}

/* Whole numbers: plain, or with a unit letter (NumCPUs=1K). */
static int set_whole(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v,
		     int64_t min, int64_t max, int64_t *out)
{
	if (fsi_parse_count(v.s, v.len, out) || *out < min || *out > max)
		return fsi_import_bad(imp, f->key, v, "a number in range");
	return 0;
}

static int set_value(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v,
		     void *member, bool *special)
{
	int64_t i = 0;
	int rc;

	switch (f->type) {
	case FSI_SHARES:
		if ((*special = fsi_span_is(v, "parent")))
			return 0;
		if (memchr(v.s, '.', v.len))
			return fsi_import_bad(imp, f->key, v, "a whole number or parent");
		/* fall through */
	case FSI_U32:
		rc = set_whole(imp, f, v, 0, UINT32_MAX, &i);
		*(uint32_t *)member = (uint32_t)i;
		return rc;
	case FSI_I32:
		rc = set_whole(imp, f, v, INT32_MIN, INT32_MAX, &i);
		*(int32_t *)member = (int32_t)i;
		return rc;
	case FSI_U64:
		return fsi_parse_u64(v.s, v.len, member)
			       ? fsi_import_bad(imp, f->key, v, "a number")
			       : 0;
	case FSI_DBL:
		if (fsi_parse_double(v.s, v.len, member) ||
		    ((f->flags & FSI_POS) && *(double *)member < 0) ||
		    ((f->flags & FSI_PART) == FSI_PART && *(double *)member > 1))
			return fsi_import_bad(imp, f->key, v, "a number, in range");
		return 0;
	case FSI_TIME:
		return fsi_import_local_time(imp, v, member)
			       ? fsi_import_bad(imp, f->key, v, "a time")
			       : 0;
	case FSI_DUR:
		return set_duration(imp, f, v, member, special);
	case FSI_BOOL:
		return set_bool(imp, f, v, member);
	case FSI_STR:
		*(uint32_t *)member = fsi_import_name(imp, v);
		return *(uint32_t *)member == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
	case FSI_STATE:
		*(uint8_t *)member = (uint8_t)fsi_job_state_parse(v.s, (uint32_t)v.len);
		return *(uint8_t *)member == FSI_STATE_COUNT
			       ? fsi_import_bad(imp, f->key, v, "a job state")
			       : 0;
	case FSI_LIST:
		return set_list(imp, v, member);
	case FSI_TRES:
	case FSI_TRESF:
		return fsi_import_tres(imp, f->key, v, false, member);
	}
	return FS_EDATA;
}

int fsi_import_complete(struct fsi_import *imp, enum fsi_record_type type, const struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);

	for (unsigned i = 0; i < t->nfields; i++)
		if ((t->fields[i].flags & FSI_REQ) && !fsi_known(rec, i))
			return fsi_fail_at(imp->err, imp->where, t->fields[i].key, "missing");
	return 0;
}

int fsi_import_set(struct fsi_import *imp, const struct fsi_record_table *t, unsigned bit,
		   struct fsi_rec *rec, struct fsi_span value)
{
	const struct fsi_field *f = &t->fields[bit];
	bool special = false;
	void *member;
	int rc;

	if (f->type == FSI_STR ? fsi_span_unset(value) : fsi_span_none(value))
		return 0;
	member = fsi_field_own(imp->m, f, rec);
	rc = member ? set_value(imp, f, value, member, &special) : fsi_nomem(imp->err);
	if (!rc) {
		fsi_mark_known(rec, bit);
		if (special)
			rec->special |= 1u << bit;
	}
	return rc;
}
