/* Rows of an index are checked before anything is done with them: whoever made it, no id leads outside, and no value
 * is one that the reader of lines would have refused. */
#include "base/num.h"
#include "snapshot/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t fsi_index_build(void)
{
	struct fsi_checksum c;
	const uint64_t sizes[] = { FSI_INDEX_FORMAT, FSI_RECORD_COUNT, FSI_STATE_COUNT, sizeof(struct fsi_index_head),
				   sizeof(struct fsi_header), sizeof(struct fsi_amount),
				   sizeof(struct fsi_job_rare), 0x0102030405060708u };

	fsi_checksum_init(&c);
	fsi_checksum_add(&c, FS_VERSION, strlen(FS_VERSION));
	fsi_checksum_add(&c, sizes, sizeof(sizes));
	for (int i = -1; i < FSI_RECORD_COUNT; i++) {
		const struct fsi_record_table *t =
			i < 0 ? fsi_header_table() : fsi_record_table((enum fsi_record_type)i);

		fsi_checksum_add(&c, t->type, strlen(t->type));
		fsi_checksum_add(&c, &t->size, sizeof(t->size));
		for (unsigned k = 0; k < t->nfields; k++) {
			const uint32_t of[] = { (uint32_t)t->fields[k].type, t->fields[k].flags, t->fields[k].offset };

			fsi_checksum_add(&c, t->fields[k].key, strlen(t->fields[k].key));
			fsi_checksum_add(&c, of, sizeof(of));
		}
	}
	return fsi_checksum_end(&c);
}

static bool is_list(const fs_snapshot *m, uint32_t set)
{
	size_t n;
	const uint32_t *ids = fsi_list(m, set, &n);

	if (fsi_intern_len(&m->sets, set) % sizeof(*ids))
		return false;
	for (size_t i = 0; i < n; i++)
		if (ids[i] >= m->names.count)
			return false;
	return true;
}

/* seen[name] is the set in which the name was last met. */
static uint8_t amount_kinds(const fs_snapshot *m, uint32_t set, uint32_t *seen)
{
	size_t n;
	const struct fsi_amount *a = fsi_amounts(m, set, &n);
	const struct fsi_amountf *f = fsi_amountfs(m, set, &n);
	uint8_t kinds = FSI_SET_AMOUNTS | FSI_SET_AMOUNTFS;

	if (fsi_intern_len(&m->sets, set) % sizeof(*a))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (a[i].tres >= m->names.count || a[i].zero || seen[a[i].tres] == set)
			return 0;
		seen[a[i].tres] = set;
		if (a[i].n < 0)
			kinds &= (uint8_t)~FSI_SET_AMOUNTS;
		if (!isfinite(f[i].n) || f[i].n < 0)
			kinds &= (uint8_t)~FSI_SET_AMOUNTFS;
	}
	return kinds;
}

uint8_t *fsi_index_set_kinds(const fs_snapshot *m)
{
	uint8_t *kinds = calloc((size_t)m->sets.count + 1, sizeof(*kinds));
	uint32_t *seen = calloc((size_t)m->names.count + 1, sizeof(*seen));

	if (kinds && seen) {
		for (uint32_t i = 1; i < m->sets.count; i++)
			kinds[i] = (uint8_t)((is_list(m, i) ? FSI_SET_LIST : 0) | amount_kinds(m, i, seen));
	} else {
		free(kinds);
		kinds = NULL;
	}
	free(seen);
	return kinds;
}

static uint32_t id_at(const char *at)
{
	uint32_t id;

	memcpy(&id, at, sizeof(id));
	return id;
}

/* The values of one field in neighbouring rows. */
struct column {
	const struct fsi_field *field;
	const char *first;
	size_t stride, n;
};

static bool good_names(const struct fsi_index_check *c, const struct column *v)
{
	const uint32_t count = c->m->names.count ? c->m->names.count : 1;
	const bool required = v->field->flags & FSI_REQ;
	bool good = true;

	for (size_t i = 0; i < v->n; i++) {
		const uint32_t id = id_at(v->first + i * v->stride);

		good &= (id < count) & (!required | (id != 0));
	}
	return good;
}

static bool good_sets(const struct fsi_index_check *c, const struct column *v, unsigned kind)
{
	for (size_t i = 0; i < v->n; i++) {
		const uint32_t set = id_at(v->first + i * v->stride);

		if (set && (set >= c->m->sets.count || !(c->sets[set] & kind)))
			return false;
	}
	return true;
}

static bool good_doubles(const struct column *v)
{
	const uint8_t flags = v->field->flags;
	double value;

	for (size_t i = 0; i < v->n; i++) {
		memcpy(&value, v->first + i * v->stride, sizeof(value));
		if (!isfinite(value) || ((flags & FSI_POS) && value < 0) ||
		    ((flags & FSI_PART) == FSI_PART && value > 1))
			return false;
	}
	return true;
}

static bool good_seconds(const struct column *v)
{
	bool good = true;
	uint64_t value; /* as unsigned, so that a negative one is above every other */

	for (size_t i = 0; i < v->n; i++) {
		memcpy(&value, v->first + i * v->stride, sizeof(value));
		good &= value <= (uint64_t)FSI_SECONDS_MAX;
	}
	return good;
}

static bool good_bytes(const struct column *v, unsigned max)
{
	bool good = true;

	for (size_t i = 0; i < v->n; i++)
		good &= *(const unsigned char *)(v->first + i * v->stride) <= max;
	return good;
}

static bool good_column(const struct fsi_index_check *c, const struct column *v)
{
	switch (v->field->type) {
	case FSI_STR:
		return good_names(c, v);
	case FSI_LIST:
		return good_sets(c, v, FSI_SET_LIST);
	case FSI_TRES:
		return good_sets(c, v, FSI_SET_AMOUNTS);
	case FSI_TRESF:
		return good_sets(c, v, FSI_SET_AMOUNTFS);
	case FSI_DBL:
		return good_doubles(v);
	case FSI_TIME:
	case FSI_DUR:
		return good_seconds(v);
	case FSI_BOOL:
		return good_bytes(v, 1);
	case FSI_STATE:
		return good_bytes(v, FSI_STATE_COUNT - 1);
	default:
		return true;
	}
}

/* What all rows of a table have in common. */
struct shape {
	struct fsi_fields fields, required;
	uint32_t words; /* fields that may hold one */
	unsigned n, checked[FSI_FIELDS_MAX]; /* whose values are not all good; in the records themselves, or apart from them */
};

static struct shape shape_of(const struct fsi_record_table *t, unsigned rare)
{
	struct shape s = { .n = 0 };

	for (unsigned k = 0; k < t->nfields; k++) {
		const enum fsi_field_type type = t->fields[k].type;

		fsi_fields_add(&s.fields, k);
		if (t->fields[k].flags & FSI_REQ)
			fsi_fields_add(&s.required, k);
		if (type == FSI_DUR || type == FSI_SHARES)
			s.words |= 1u << k;
		if ((t->fields[k].flags & FSI_RARE) == rare && type != FSI_U32 && type != FSI_U64 &&
		    type != FSI_I32 && type != FSI_SHARES)
			s.checked[s.n++] = k;
	}
	return s;
}

static bool good_presence(const struct shape *s, const struct column *rows)
{
	struct fsi_rec rec;

	for (size_t i = 0; i < rows->n; i++) {
		memcpy(&rec, rows->first + i * rows->stride, sizeof(rec));
		if (!fsi_fields_within(&rec.has, &s->fields) || !fsi_fields_within(&s->required, &rec.has) ||
		    (rec.special & ~s->words))
			return false;
	}
	return true;
}

static bool good_columns(const struct fsi_index_check *c, const struct fsi_record_table *t, const struct shape *s,
			 struct column v)
{
	const char *rows = v.first;

	for (unsigned k = 0; k < s->n; k++) {
		v.field = &t->fields[s->checked[k]];
		v.first = rows + v.field->offset;
		if (!good_column(c, &v))
			return false;
	}
	return true;
}

bool fsi_index_rows_good(const struct fsi_index_check *c, const struct fsi_record_table *t, const void *rows, size_t n)
{
	const struct shape s = shape_of(t, 0);
	const struct column v = { NULL, rows, t->size, n };

	return good_presence(&s, &v) && good_columns(c, t, &s, v);
}

bool fsi_index_rare_good(const struct fsi_index_check *c, const struct fsi_job_rare *rows, size_t n)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_JOB);
	const struct shape s = shape_of(t, FSI_RARE);

	return good_columns(c, t, &s, (struct column){ NULL, (const char *)rows, sizeof(*rows), n });
}
