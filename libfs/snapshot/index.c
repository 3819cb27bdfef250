#include "snapshot/index.h"

#include "base/num.h"
#include "base/text.h"
#include "model/model.h"
#include "snapshot/read_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of an index are checked before anything is done with them: whoever made it, no id leads outside, and no value
 * is one that the reader of lines would have refused. */

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

/* Flags of the sets by their members; NULL without memory. Yours to free. */
static uint8_t *index_set_kinds(const fs_snapshot *m)
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

/* Rows are checked field after field: that is fastest with as many rows at a time as the nearest cache holds. */
static bool index_rows_good(const struct fsi_index_check *c, const struct fsi_record_table *t, const void *rows,
			    size_t n)
{
	const struct shape s = shape_of(t, 0);
	const struct column v = { NULL, rows, t->size, n };

	return good_presence(&s, &v) && good_columns(c, t, &s, v);
}

/* The same for the rare fields of jobs. */
static bool index_rare_good(const struct fsi_index_check *c, const struct fsi_job_rare *rows, size_t n)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_JOB);
	const struct shape s = shape_of(t, FSI_RARE);

	return good_columns(c, t, &s, (struct column){ NULL, (const char *)rows, sizeof(*rows), n });
}

/* An index becomes a snapshot. What it says is checked as far as a reader of lines would have: fsi_model_finish,
 * which every snapshot goes through, sees to what rows have to do with each other. */

struct index {
	const char *bytes;
	size_t size; /* up to what stands apart, or to the end */
	const struct fsi_index_head *head;
	fs_snapshot *m;
	struct fs_error *err;
	struct fsi_checksum sum; /* sum of the bytes up to `summed` */
	size_t summed;
};

static int unusable(struct fs_error *err, const char *why)
{
	return fsi_fail(err, FS_EDATA, "%s", why);
}

static int damaged(struct fs_error *err)
{
	return unusable(err, "it is damaged");
}

/* Where n elements of that size stand, or NULL if they stand outside. */
static const void *part_of(const struct index *x, const struct fsi_index_part *p, size_t size)
{
	if (p->at < FSI_INDEX_START || p->at > x->size || p->at % FSI_INDEX_ALIGN || p->n > (x->size - p->at) / size)
		return NULL;
	return x->bytes + p->at;
}

static int check_head(const struct index *x, const struct fs_index_key *key)
{
	const struct fsi_index_head *h = x->head;
	const struct fs_index_key *was = &h->key;

	if (x->size < FSI_INDEX_START || memcmp(h->magic, FSI_INDEX_MAGIC, sizeof(h->magic)) != 0)
		return unusable(x->err, "it is no index");
	if (h->format != FSI_INDEX_FORMAT || h->build != fsi_index_build())
		return unusable(x->err, "it is of another version of fs-tools");
	if (h->head_checksum != fsi_checksum(h, offsetof(struct fsi_index_head, head_checksum)) || h->size != x->size ||
	    h->apart < FSI_INDEX_START || h->apart > h->size || h->apart % FSI_INDEX_ALIGN)
		return damaged(x->err);
	if (was->size != key->size || was->mtime_ns != key->mtime_ns || was->inode != key->inode ||
	    was->ends != key->ends)
		return unusable(x->err, "the snapshot has changed since");
	return 0;
}

/* Sums are taken in whole steps; the rest of the index comes with its last byte. */
static void sum_to(struct index *x, size_t at)
{
	if (at < x->size)
		at -= at % FSI_CHECKSUM_STEP;
	if (at <= x->summed)
		return;
	fsi_checksum_add(&x->sum, x->bytes + x->summed, at - x->summed);
	x->summed = at;
}

static void begin_sum(struct index *x, size_t from, size_t size)
{
	x->size = size;
	x->summed = from;
	fsi_checksum_init(&x->sum);
}

static int check_sum(struct index *x, uint64_t sum)
{
	sum_to(x, x->size);
	return sum == fsi_checksum_end(&x->sum) ? 0 : damaged(x->err);
}

/* Is it UTF-8 without a NUL, as the reader of JSON lets through alone? */
static bool is_text(const char *s, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		const unsigned char c = (unsigned char)s[i];

		n = c && c < 0x80 ? 1 : c ? fsi_utf8_len(s + i, len - i) : 0;
		if (!n)
			return false;
	}
	return true;
}

static int take_interned(const struct index *x, struct fsi_intern *t, const struct fsi_index_part *sizes,
			 const struct fsi_index_part *bytes, bool text)
{
	const uint32_t *len = part_of(x, sizes, sizeof(*len));
	const char *s = part_of(x, bytes, 1);
	uint64_t left = bytes->n;

	if (!len || !s || sizes->n >= FSI_INTERN_FAILED)
		return damaged(x->err);
	if (fsi_intern_room(t, (uint32_t)sizes->n))
		return fsi_nomem(x->err);
	for (uint32_t i = 0; i < sizes->n; i++) {
		const uint64_t room = fsi_index_up((uint64_t)len[i] + 1, FSI_INDEX_TEXT);

		if (!len[i] || room > left || s[len[i]] || (text && !is_text(s, len[i])))
			return damaged(x->err);
		fsi_intern_list(t, s, len[i]);
		s += room;
		left -= room;
	}
	return fsi_intern_place(t) ? 0 : damaged(x->err);
}

static bool good_config(const struct fsi_index_check *c, const struct fsi_index_config *e)
{
	if (e->name >= c->m->names.count || e->line > UINT32_MAX)
		return false;
	switch (e->kind) {
	case FSI_CONFIG_INT:
	case FSI_CONFIG_DOUBLE:
		return e->d - e->d == 0;
	case FSI_CONFIG_STR:
		return !e->i || (e->i > 0 && e->i < c->m->names.count);
	case FSI_CONFIG_LIST:
		return !e->i || (e->i > 0 && e->i < c->m->sets.count && (c->sets[e->i] & FSI_SET_LIST));
	case FSI_CONFIG_BOOL:
		return e->i == 0 || e->i == 1;
	default:
		return false;
	}
}

static int take_config(const struct index *x, const struct fsi_index_check *c)
{
	const struct fsi_index_config *e = part_of(x, &x->head->config, sizeof(*e));

	bool *seen = calloc((size_t)x->m->names.count + 1, sizeof(*seen));
	int rc = seen ? 0 : fsi_nomem(x->err);

	for (size_t i = 0; !rc && i < (e ? x->head->config.n : 0); i++) {
		if (!good_config(c, &e[i]) || seen[e[i].name])
			rc = damaged(x->err);
		else if (FSI_VEC_ROOM(&x->m->config))
			rc = fsi_nomem(x->err);
		if (rc)
			break;
		seen[e[i].name] = true;
		x->m->config.v[x->m->config.n++] = (struct fsi_config_entry){
			(uint32_t)e[i].name, (enum fsi_config_kind)e[i].kind, (uint32_t)e[i].line, e[i].i, e[i].d
		};
	}
	free(seen);
	return rc || e ? rc : damaged(x->err);
}

/* A sentence that begins with the name that the snapshot had then is told with the one that it has now. */
static int take_warning(const struct index *x, const char *s, const char *file)
{
	const size_t n = strlen(file);
	const bool named = !strncmp(s, file, n) && s[n] == ':';

	return fsi_warn(x->m, "%s%s", named ? x->m->file : "", named ? s + n : s) ? fsi_nomem(x->err) : 0;
}

static int take_warnings(const struct index *x)
{
	const struct fsi_index_head *h = x->head;
	const char *file = part_of(x, &h->file, 1), *s = part_of(x, &h->warnings, 1);
	const char *end = s ? s + h->warnings.n : NULL;
	int rc = 0;

	if (!file || !h->file.n || file[h->file.n - 1] || !s || (s < end && end[-1]))
		return damaged(x->err);
	for (; s < end && !rc; s += strlen(s) + 1)
		rc = take_warning(x, s, file);
	x->m->read_warnings = x->m->warnings.n;
	return rc || !fsi_warn_incomplete(x->m) ? rc : fsi_nomem(x->err);
}

/* Job ids must rise, and their rare rows exist; jobs that do not wait are noted. */
static int note_jobs(struct index *x, const struct fsi_job *job, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		if (job[i].rare > x->head->job_rare.n || (i && job[i - 1].id >= job[i].id))
			return damaged(x->err);
	return fsi_begun_note(x->m, job + first, (uint32_t)first, n) ? fsi_nomem(x->err) : 0;
}

/* The table is as large as memory is slow: its bytes are summed and its rows looked at in one pass, some at a time,
 * while they are near. */
static int check_rows(struct index *x, const struct fsi_index_check *c, enum fsi_record_type type, const void *rows,
		      size_t n)
{
	enum { AT_ONCE = 64 };
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0, some; i < n && !rc; i += some) {
		const char *at = (const char *)rows + i * t->size;

		some = n - i < AT_ONCE ? n - i : AT_ONCE;
		sum_to(x, (size_t)(at - x->bytes) + some * t->size);
		if (!index_rows_good(c, t, at, some))
			rc = damaged(x->err);
		else if (type == FSI_RECORD_JOB)
			rc = note_jobs(x, rows, i, some);
	}
	return rc;
}

/* Rows are used where they stand, or copied. */
static int take_table(struct index *x, const struct fsi_index_check *c, enum fsi_record_type type, void **rows,
		      size_t *n, bool copy)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	const struct fsi_index_part *p = &x->head->table[type];
	const void *from = part_of(x, p, t->size);
	const int rc = !from || p->n >= FSI_NO_INDEX ? damaged(x->err) : check_rows(x, c, type, from, p->n);

	if (rc)
		return rc;
	*n = p->n;
	*rows = copy ? NULL : (void *)(uintptr_t)from;
	if (!copy || !*n)
		return 0;
	*rows = malloc(*n * t->size);
	if (!*rows)
		return fsi_nomem(x->err);
	memcpy(*rows, from, *n * t->size);
	return 0;
}

static bool is_borrowed(enum fsi_record_type type)
{
	return type == FSI_RECORD_JOB || type == FSI_RECORD_USAGE || type == FSI_RECORD_RECORDED;
}

#define TAKE_TABLE(TAG, name, json)                                                                \
	if (!rc && fsi_index_apart(FSI_RECORD_##TAG) == apart)                                     \
		rc = take_table(x, c, FSI_RECORD_##TAG, (void **)&x->m->name.v, &x->m->name.n,     \
				!is_borrowed(FSI_RECORD_##TAG));                                   \
	x->m->name.cap = x->m->name.n;

static int take_tables(struct index *x, const struct fsi_index_check *c, bool apart)
{
	int rc = 0;

	x->m->borrowed = true;
	FSI_RECORD_TYPES(TAKE_TABLE)
	return rc;
}

/* Rare fields are used where they stand, as the jobs are. */
static int take_rare(const struct index *x, const struct fsi_index_check *c)
{
	const struct fsi_index_part *p = &x->head->job_rare;
	const struct fsi_job_rare *rows = part_of(x, p, sizeof(*rows));

	if (!rows || !index_rare_good(c, rows, p->n))
		return damaged(x->err);
	x->m->job_rare.v = (struct fsi_job_rare *)(uintptr_t)rows;
	x->m->job_rare.n = x->m->job_rare.cap = p->n;
	return 0;
}

static int check_usage(const struct index *x)
{
	const fs_snapshot *m = x->m;
	int rc = 0;

	for (size_t i = 0; i < m->usage.n && !rc; i++)
		rc = fsi_usage_check(&m->usage.v[i], fsi_where_of(m, &m->usage.v[i].rec), x->err);
	return rc;
}

static bool left_out(const fs_snapshot *m, const struct fs_read_options *o)
{
	return o->without_usage && o->without_recorded && !fsi_recorded_stands_in(m);
}

/* The rest has been read and found good. */
static int take_apart(struct index *x, const struct fsi_index_check *c)
{
	int rc;

	begin_sum(x, x->head->apart, x->head->size);
	rc = take_tables(x, c, true);
	if (!rc)
		rc = check_sum(x, x->head->apart_checksum);
	return rc ? rc : check_usage(x);
}

static int take_all(struct index *x, const struct fs_read_options *o)
{
	const struct fsi_index_head *h = x->head;
	int rc = take_interned(x, &x->m->names, &h->name_sizes, &h->name_bytes, true);

	if (!rc)
		rc = take_interned(x, &x->m->sets, &h->set_sizes, &h->set_bytes, false);
	if (rc)
		return rc;
	uint8_t *kinds = index_set_kinds(x->m);
	const struct fsi_index_check c = { x->m, kinds };

	if (!kinds)
		return fsi_nomem(x->err);
	memcpy(&x->m->head, &h->header, sizeof(h->header));
	if (x->m->head.format != 1 || !index_rows_good(&c, fsi_header_table(), &x->m->head, 1))
		rc = damaged(x->err);
	if (!rc)
		rc = take_config(x, &c);
	if (!rc)
		rc = take_tables(x, &c, false);
	if (!rc)
		rc = take_rare(x, &c);
	if (!rc)
		rc = check_sum(x, h->checksum);
	if (!rc && !left_out(x->m, o))
		rc = take_apart(x, &c);
	free(kinds);
	x->m->jobs_in_order = x->m->begun.known = true;
	return rc ? rc : take_warnings(x);
}

/* Leaves out what the question does not need. Jobs are kept, since they cost nothing. */
static void leave_out(fs_snapshot *m, const struct fs_read_options *o)
{
	if (o->without_usage)
		m->usage.n = 0;
	if (o->without_recorded && !fsi_recorded_stands_in(m))
		m->recorded.n = 0;
}

int fs_index_read(fs_snapshot **out, const struct fs_index *from, const char *name, const struct fs_read_options *o,
		  struct fs_error *err)
{
	struct index x = { .bytes = from->bytes, .size = from->size, .head = from->bytes, .err = err };
	int rc = check_head(&x, &from->key);

	if (rc)
		return rc;
	begin_sum(&x, FSI_INDEX_START, x.head->apart);
	x.m = fsi_model_new(name);
	if (!x.m)
		return fsi_nomem(err);
	rc = take_all(&x, o);
	if (!rc) {
		x.m->info.usage_records = x.head->usage_records;
		leave_out(x.m, o);
		rc = fsi_model_finish(x.m, err);
	}
	if (rc) {
		fs_snapshot_free(x.m);
		return rc;
	}
	x.m->release = from->release;
	x.m->release_ctx = from->release_ctx;
	*out = x.m;
	return 0;
}

/* A snapshot as an index: everything is put twice, once for the checksum in the head and once to its place. */

struct sink {
	fs_write_fn write; /* NULL: for the checksum alone */
	void *ctx;
	struct fsi_checksum sum;
	uint64_t at; /* bytes put, from the index's beginning */
	bool failed;
	size_t len;
	_Alignas(FSI_CHECKSUM_STEP) unsigned char buf[16384];
};

static void flush(struct sink *s)
{
	fsi_checksum_add(&s->sum, s->buf, s->len);
	if (s->write && !s->failed && s->write(s->ctx, s->buf, s->len))
		s->failed = true;
	s->len = 0;
}

static void put_bytes(struct sink *s, const void *data, size_t size)
{
	const unsigned char *from = data;

	s->at += size;
	while (size) {
		const size_t room = sizeof(s->buf) - s->len, n = size < room ? size : room;

		memcpy(s->buf + s->len, from, n);
		s->len += n;
		from += n;
		size -= n;
		if (s->len == sizeof(s->buf))
			flush(s);
	}
}

static void pad(struct sink *s, uint64_t align)
{
	static const unsigned char zeros[FSI_INDEX_ALIGN] = { 0 };

	put_bytes(s, zeros, (size_t)(fsi_index_up(s->at, align) - s->at));
}

static void put_part(struct sink *s, struct fsi_index_part *part, const void *data, size_t n, size_t size)
{
	pad(s, FSI_INDEX_ALIGN);
	*part = (struct fsi_index_part){ s->at, n };
	if (n)
		put_bytes(s, data, n * size);
}

static void put_interned(struct sink *s, struct fsi_index_part *sizes, struct fsi_index_part *bytes,
			 const struct fsi_intern *t)
{
	put_part(s, sizes, NULL, 0, 1);
	for (uint32_t id = 1; id < t->count; id++, sizes->n++)
		put_bytes(s, &t->entries[id].len, sizeof(t->entries[id].len));
	put_part(s, bytes, NULL, 0, 1);
	for (uint32_t id = 1; id < t->count; id++) {
		put_bytes(s, t->entries[id].bytes, (size_t)t->entries[id].len + 1);
		pad(s, FSI_INDEX_TEXT);
	}
	bytes->n = s->at - bytes->at;
}

static void put_config(struct sink *s, struct fsi_index_part *part, const fs_snapshot *m)
{
	put_part(s, part, NULL, 0, 1);
	for (; part->n < m->config.n; part->n++) {
		const struct fsi_config_entry *e = &m->config.v[part->n];
		const struct fsi_index_config c = { e->name, e->kind, e->line, e->i, e->d };

		put_bytes(s, &c, sizeof(c));
	}
}

static void put_warnings(struct sink *s, struct fsi_index_part *part, const fs_snapshot *m)
{
	put_part(s, part, NULL, 0, 1);
	for (size_t i = 0; i < m->read_warnings; i++)
		put_bytes(s, m->warnings.v[i], strlen(m->warnings.v[i]) + 1);
	part->n = s->at - part->at;
}

#define PUT_TABLE(TAG, name, json)                                                                                     \
	if (fsi_index_apart(FSI_RECORD_##TAG) == apart)                                                                \
		put_part(s, &h->table[FSI_RECORD_##TAG], m->name.v, m->name.n, sizeof(*m->name.v));

static void put_tables(struct sink *s, struct fsi_index_head *h, const fs_snapshot *m, bool apart)
{
	FSI_RECORD_TYPES(PUT_TABLE)
}

static uint64_t end_sum(struct sink *s)
{
	pad(s, FSI_INDEX_ALIGN);
	flush(s);
	return fsi_checksum_end(&s->sum);
}

static void put_all(struct sink *s, struct fsi_index_head *h, const fs_snapshot *m)
{
	fsi_checksum_init(&s->sum);
	s->at = FSI_INDEX_START;
	put_interned(s, &h->name_sizes, &h->name_bytes, &m->names);
	put_interned(s, &h->set_sizes, &h->set_bytes, &m->sets);
	put_config(s, &h->config, m);
	put_part(s, &h->file, m->file, strlen(m->file) + 1, 1);
	put_warnings(s, &h->warnings, m);
	put_tables(s, h, m, false);
	put_part(s, &h->job_rare, m->job_rare.v, m->job_rare.n, sizeof(*m->job_rare.v));
	h->checksum = end_sum(s);
	h->apart = s->at;
	fsi_checksum_init(&s->sum);
	put_tables(s, h, m, true);
	h->apart_checksum = end_sum(s);
	h->size = s->at;
}

static int put_head(const struct fsi_index_head *h, fs_write_fn write, void *ctx)
{
	unsigned char start[FSI_INDEX_START] = { 0 };

	memcpy(start, h, sizeof(*h));
	return write(ctx, start, sizeof(start));
}

uint64_t fs_index_checksum(const void *data, size_t size)
{
	return fsi_checksum(data, size);
}

int fs_index_write(const fs_snapshot *m, const struct fs_index_key *key, fs_write_fn write, void *ctx,
		   struct fs_error *err)
{
	struct sink s = { 0 };
	struct fsi_index_head h;

	memset(&h, 0, sizeof(h));
	memcpy(h.magic, FSI_INDEX_MAGIC, sizeof(h.magic));
	h.format = FSI_INDEX_FORMAT;
	h.build = fsi_index_build();
	h.key = *key;
	h.usage_records = m->info.usage_records;
	memcpy(&h.header, &m->head, sizeof(h.header));
	put_all(&s, &h, m);
	h.head_checksum = fsi_checksum(&h, offsetof(struct fsi_index_head, head_checksum));
	s.write = write;
	s.ctx = ctx;
	s.failed = put_head(&h, write, ctx) != 0;
	put_all(&s, &h, m);
	return s.failed ? fsi_fail(err, FS_EIO, "the index cannot be written") : 0;
}
