#include "snapshot/index.h"

#include "base/num.h"
#include "base/text.h"
#include "model/model.h"
#include "snapshot/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- checking the rows of an index
 *
 * Rows of an index are always checked before use. Every id in a row must exist, and every value must be a value that
 * the reader of JSON lines accepts. */

uint64_t fsi_index_compute_build(void)
{
	struct fsi_checksum c;
	const uint64_t sizes[] = { FSI_INDEX_FORMAT, FSI_RECORD_COUNT, FSI_STATE_COUNT, sizeof(struct fsi_index_head),
				   sizeof(struct fsi_header), sizeof(struct fsi_amount),
				   sizeof(struct fsi_job_ext), 0x0102030405060708u };

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

static bool is_name_list(const fs_snapshot *m, uint32_t set)
{
	size_t n;
	const uint32_t *ids = fsi_list_items(m, set, &n);

	if (fsi_intern_get_length(&m->sets, set) % sizeof(*ids))
		return false;
	for (size_t i = 0; i < n; i++)
		if (ids[i] >= m->names.count)
			return false;
	return true;
}

/* Returns the FSI_SET_ flags of a set of amounts: one flag if its bytes are valid as integer amounts, another if they
 * are valid as double amounts. Returns 0 if a name in the set is unknown or occurs twice. `seen[name]` is the id of the
 * last set in which the name occurred. */
static uint8_t find_amount_kinds(const fs_snapshot *m, uint32_t set, uint32_t *seen)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(m, set, &n);
	const struct fsi_real_amount *f = fsi_real_amount_items(m, set, &n);
	uint8_t kinds = FSI_SET_AMOUNTS | FSI_SET_FRACTIONS;

	if (fsi_intern_get_length(&m->sets, set) % sizeof(*a))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (a[i].tres >= m->names.count || a[i].zero || seen[a[i].tres] == set)
			return 0;
		seen[a[i].tres] = set;
		if (a[i].n < 0)
			kinds &= (uint8_t)~FSI_SET_AMOUNTS;
		if (!isfinite(f[i].n) || f[i].n < 0)
			kinds &= (uint8_t)~FSI_SET_FRACTIONS;
	}
	return kinds;
}

/* Returns the FSI_SET_ flags of all sets, indexed by set id; NULL if out of memory. The caller frees the array. */
static uint8_t *find_set_kinds(const fs_snapshot *m)
{
	uint8_t *kinds = calloc((size_t)m->sets.count + 1, sizeof(*kinds));
	uint32_t *seen = calloc((size_t)m->names.count + 1, sizeof(*seen));

	if (kinds && seen) {
		for (uint32_t i = 1; i < m->sets.count; i++)
			kinds[i] = (uint8_t)((is_name_list(m, i) ? FSI_SET_LIST : 0) | find_amount_kinds(m, i, seen));
	} else {
		free(kinds);
		kinds = NULL;
	}
	free(seen);
	return kinds;
}

static uint32_t load_row_id(const char *at)
{
	uint32_t id;

	memcpy(&id, at, sizeof(id));
	return id;
}

/* The values of one field in consecutive rows of a table. */
struct field_column {
	const struct fsi_field *field;
	const char *first;
	size_t stride, n;
};

static bool are_names_valid(const struct fsi_index_check *c, const struct field_column *v)
{
	const uint32_t count = c->m->names.count ? c->m->names.count : 1;
	const bool required = v->field->flags & FSI_REQ;
	bool valid = true;

	for (size_t i = 0; i < v->n; i++) {
		const uint32_t id = load_row_id(v->first + i * v->stride);

		valid &= (id < count) & (!required | (id != 0));
	}
	return valid;
}

static bool are_sets_valid(const struct fsi_index_check *c, const struct field_column *v, unsigned kind)
{
	for (size_t i = 0; i < v->n; i++) {
		const uint32_t set = load_row_id(v->first + i * v->stride);

		if (set && (set >= c->m->sets.count || !(c->sets[set] & kind)))
			return false;
	}
	return true;
}

static bool are_doubles_valid(const struct field_column *v)
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

static bool are_seconds_valid(const struct field_column *v)
{
	bool valid = true;
	/* unsigned, so that a negative value is greater than every valid value */
	uint64_t value;

	for (size_t i = 0; i < v->n; i++) {
		memcpy(&value, v->first + i * v->stride, sizeof(value));
		valid &= value <= (uint64_t)FSI_SECONDS_MAX;
	}
	return valid;
}

static bool are_bytes_valid(const struct field_column *v, unsigned max)
{
	bool valid = true;

	for (size_t i = 0; i < v->n; i++)
		valid &= *(const unsigned char *)(v->first + i * v->stride) <= max;
	return valid;
}

static bool is_column_valid(const struct fsi_index_check *c, const struct field_column *v)
{
	switch (v->field->type) {
	case FSI_STR:
		return are_names_valid(c, v);
	case FSI_LIST:
		return are_sets_valid(c, v, FSI_SET_LIST);
	case FSI_TRES:
		return are_sets_valid(c, v, FSI_SET_AMOUNTS);
	case FSI_TRESF:
		return are_sets_valid(c, v, FSI_SET_FRACTIONS);
	case FSI_DBL:
		return are_doubles_valid(v);
	case FSI_TIME:
	case FSI_DUR:
		return are_seconds_valid(v);
	case FSI_BOOL:
		return are_bytes_valid(v, 1);
	case FSI_STATE:
		return are_bytes_valid(v, FSI_STATE_COUNT - 1);
	default:
		return true;
	}
}

/* Properties that all rows of a table share. */
struct table_shape {
	struct fsi_fields fields, required;
	uint32_t special_bits; /* bit k is set if field k may hold a special word ("unlimited", "parent") */
	/* the `n` fields whose values need a check: either fields of the record struct, or optional fields in struct
	 * fsi_job_ext */
	unsigned n, checked[FSI_FIELDS_MAX];
};

static struct table_shape get_table_shape(const struct fsi_record_table *t, unsigned optional_flag)
{
	struct table_shape s = { .n = 0 };

	for (unsigned k = 0; k < t->nfields; k++) {
		const enum fsi_field_type type = t->fields[k].type;

		fsi_fields_add(&s.fields, k);
		if (t->fields[k].flags & FSI_REQ)
			fsi_fields_add(&s.required, k);
		if (type == FSI_DUR || type == FSI_SHARES)
			s.special_bits |= 1u << k;
		if ((t->fields[k].flags & FSI_OPTIONAL) == optional_flag && type != FSI_U32 && type != FSI_U64 &&
		    type != FSI_I32 && type != FSI_SHARES)
			s.checked[s.n++] = k;
	}
	return s;
}

static bool is_presence_valid(const struct table_shape *s, const struct field_column *rows)
{
	struct fsi_rec rec;

	for (size_t i = 0; i < rows->n; i++) {
		memcpy(&rec, rows->first + i * rows->stride, sizeof(rec));
		if (!fsi_fields_are_subset(&rec.has, &s->fields) || !fsi_fields_are_subset(&s->required, &rec.has) ||
		    (rec.special & ~s->special_bits))
			return false;
	}
	return true;
}

static bool are_columns_valid(const struct fsi_index_check *c, const struct fsi_record_table *t,
			      const struct table_shape *s, struct field_column v)
{
	const char *rows = v.first;

	for (unsigned k = 0; k < s->n; k++) {
		v.field = &t->fields[s->checked[k]];
		v.first = rows + v.field->offset;
		if (!is_column_valid(c, &v))
			return false;
	}
	return true;
}

/* Returns true if all rows are valid. Checks one field in all rows, then the next field. This order is fastest if all
 * rows fit into the first-level cache. */
static bool are_rows_valid(const struct fsi_index_check *c, const struct fsi_record_table *t, const void *rows,
			   size_t n)
{
	const struct table_shape s = get_table_shape(t, 0);
	const struct field_column v = { NULL, rows, t->size, n };

	return is_presence_valid(&s, &v) && are_columns_valid(c, t, &s, v);
}

/* Returns true if all optional fields of jobs are valid. */
static bool are_optional_fields_valid(const struct fsi_index_check *c, const struct fsi_job_ext *rows, size_t n)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_JOB);
	const struct table_shape s = get_table_shape(t, FSI_OPTIONAL);

	return are_columns_valid(c, t, &s, (struct field_column){ NULL, (const char *)rows, sizeof(*rows), n });
}

/* ---- reading an index into a snapshot
 *
 * The functions below check each row on its own, as the reader of JSON lines does. fsi_model_finish, which is called
 * for every snapshot, checks the relations between rows later. */

struct index_reader {
	const char *bytes;
	/* offset of the end of the region that is being read. The first region has the required parts, the second
	 * region has the optional tables. */
	size_t size;
	const struct fsi_index_head *head;
	fs_snapshot *m;
	struct fs_error *err;
	struct fsi_checksum sum; /* checksum of the bytes from the start of the region up to `summed_to` */
	size_t summed_to;
};

static int fail_index_unusable(struct fs_error *err, const char *why)
{
	return fsi_fail_with_code(err, FS_EDATA, "%s", why);
}

static int fail_index_damaged(struct fs_error *err)
{
	return fail_index_unusable(err, "the index is damaged");
}

/* Returns the address of a part with elements of `size` bytes. Returns NULL if the part is outside of the index or
 * misaligned. */
static const void *find_index_part(const struct index_reader *x, const struct fsi_index_part *p, size_t size)
{
	if (p->at < FSI_INDEX_START || p->at > x->size || p->at % FSI_INDEX_ALIGN || p->n > (x->size - p->at) / size)
		return NULL;
	return x->bytes + p->at;
}

static int check_index_head(const struct index_reader *x, const struct fs_index_key *key)
{
	const struct fsi_index_head *h = x->head;
	const struct fs_index_key *stored = &h->key;

	if (x->size < FSI_INDEX_START || memcmp(h->magic, FSI_INDEX_MAGIC, sizeof(h->magic)) != 0)
		return fail_index_unusable(x->err, "the file is not an index");
	if (h->format != FSI_INDEX_FORMAT || h->build != fsi_index_compute_build())
		return fail_index_unusable(x->err, "the index was written by another version of fs-tools");
	if (h->head_checksum != fsi_checksum_of_bytes(h, offsetof(struct fsi_index_head, head_checksum)) ||
	    h->size != x->size || h->optional_at < FSI_INDEX_START || h->optional_at > h->size ||
	    h->optional_at % FSI_INDEX_ALIGN)
		return fail_index_damaged(x->err);
	if (stored->size != key->size || stored->mtime_ns != key->mtime_ns || stored->inode != key->inode ||
	    stored->ends != key->ends)
		return fail_index_unusable(x->err, "the snapshot has changed since the index was written");
	return 0;
}

/* Adds the bytes up to offset `at` to the checksum. If `at` is not the end of the region, first rounds `at` down to a
 * multiple of FSI_CHECKSUM_STEP. */
static void extend_checksum_to(struct index_reader *x, size_t at)
{
	if (at < x->size)
		at -= at % FSI_CHECKSUM_STEP;
	if (at <= x->summed_to)
		return;
	fsi_checksum_add(&x->sum, x->bytes + x->summed_to, at - x->summed_to);
	x->summed_to = at;
}

static void begin_checked_region(struct index_reader *x, size_t from, size_t size)
{
	x->size = size;
	x->summed_to = from;
	fsi_checksum_init(&x->sum);
}

static int check_region_checksum(struct index_reader *x, uint64_t sum)
{
	extend_checksum_to(x, x->size);
	return sum == fsi_checksum_end(&x->sum) ? 0 : fail_index_damaged(x->err);
}

/* Returns true if the bytes are UTF-8 without a NUL, as the JSON reader requires. */
static bool is_utf8_text(const char *s, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		const unsigned char c = (unsigned char)s[i];

		n = c && c < 0x80 ? 1 : c ? fsi_utf8_sequence_length(s + i, len - i) : 0;
		if (!n)
			return false;
	}
	return true;
}

static int read_interned_strings(const struct index_reader *x, struct fsi_intern *t, const struct fsi_index_part *sizes,
				 const struct fsi_index_part *bytes, bool text)
{
	const uint32_t *len = find_index_part(x, sizes, sizeof(*len));
	const char *s = find_index_part(x, bytes, 1);
	uint64_t left = bytes->n;

	if (!len || !s || sizes->n >= FSI_INTERN_FAILED)
		return fail_index_damaged(x->err);
	if (fsi_intern_reserve(t, (uint32_t)sizes->n))
		return fsi_fail_no_memory(x->err);
	for (uint32_t i = 0; i < sizes->n; i++) {
		const uint64_t stored_size = fsi_index_round_up((uint64_t)len[i] + 1, FSI_INDEX_STRING_ALIGN);

		if (!len[i] || stored_size > left || s[len[i]] || (text && !is_utf8_text(s, len[i])))
			return fail_index_damaged(x->err);
		fsi_intern_add_borrowed(t, s, len[i]);
		s += stored_size;
		left -= stored_size;
	}
	return fsi_intern_index_borrowed(t) ? 0 : fail_index_damaged(x->err);
}

static bool is_parameter_valid(const struct fsi_index_check *c, const struct fsi_index_config *e)
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

static int read_index_config(const struct index_reader *x, const struct fsi_index_check *c)
{
	const struct fsi_index_config *e = find_index_part(x, &x->head->config, sizeof(*e));

	bool *seen = calloc((size_t)x->m->names.count + 1, sizeof(*seen));
	int rc = seen ? 0 : fsi_fail_no_memory(x->err);

	for (size_t i = 0; !rc && i < (e ? x->head->config.n : 0); i++) {
		if (!is_parameter_valid(c, &e[i]) || seen[e[i].name])
			rc = fail_index_damaged(x->err);
		else if (FSI_VEC_RESERVE(&x->m->config))
			rc = fsi_fail_no_memory(x->err);
		if (rc)
			break;
		seen[e[i].name] = true;
		x->m->config.v[x->m->config.n++] = (struct fsi_config_entry){
			(uint32_t)e[i].name, (enum fsi_config_kind)e[i].kind, (uint32_t)e[i].line, e[i].i, e[i].d
		};
	}
	free(seen);
	return rc || e ? rc : fail_index_damaged(x->err);
}

/* Adds a warning to the snapshot. `file` is the name that the snapshot's file had when the index was written. If the
 * warning begins with `file`, replaces this beginning by the present name. */
static int read_index_warning(const struct index_reader *x, const char *s, const char *file)
{
	const size_t n = strlen(file);
	const bool begins_with_file = !strncmp(s, file, n) && s[n] == ':';

	return fsi_model_add_warning(x->m, "%s%s", begins_with_file ? x->m->file : "", begins_with_file ? s + n : s)
		       ? fsi_fail_no_memory(x->err)
		       : 0;
}

static int read_index_warnings(const struct index_reader *x)
{
	const struct fsi_index_head *h = x->head;
	const char *file = find_index_part(x, &h->file, 1), *s = find_index_part(x, &h->warnings, 1);
	const char *end = s ? s + h->warnings.n : NULL;
	int rc = 0;

	if (!file || !h->file.n || file[h->file.n - 1] || !s || (s < end && end[-1]))
		return fail_index_damaged(x->err);
	for (; s < end && !rc; s += strlen(s) + 1)
		rc = read_index_warning(x, s, file);
	x->m->read_warnings = x->m->warnings.n;
	return rc || !fsi_warn_incomplete(x->m) ? rc : fsi_fail_no_memory(x->err);
}

/* Checks that job ids are in ascending order, and that the rows of optional fields exist. Adds jobs that are not
 * pending to the list of active jobs. */
static int check_job_rows(struct index_reader *x, const struct fsi_job *job, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		if (job[i].ext > x->head->job_ext.n || (i && job[i - 1].id >= job[i].id))
			return fail_index_damaged(x->err);
	return fsi_active_jobs_append(x->m, job + first, (uint32_t)first, n) ? fsi_fail_no_memory(x->err) : 0;
}

/* Checks the rows of a table and adds them to the checksum. Handles ROWS_PER_STEP rows at a time, so that these rows
 * stay in the cache from the checksum to the check. The table may be much larger than the cache. */
static int check_table_rows(struct index_reader *x, const struct fsi_index_check *c, enum fsi_record_type type,
			    const void *rows, size_t n)
{
	enum { ROWS_PER_STEP = 64 };
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0, some; i < n && !rc; i += some) {
		const char *at = (const char *)rows + i * t->size;

		some = n - i < ROWS_PER_STEP ? n - i : ROWS_PER_STEP;
		extend_checksum_to(x, (size_t)(at - x->bytes) + some * t->size);
		if (!are_rows_valid(c, t, at, some))
			rc = fail_index_damaged(x->err);
		else if (type == FSI_RECORD_JOB)
			rc = check_job_rows(x, rows, i, some);
	}
	return rc;
}

/* Reads a table. If `copy` is true, copies its rows; otherwise the snapshot uses the rows in place. */
static int read_index_table(struct index_reader *x, const struct fsi_index_check *c, enum fsi_record_type type,
			    void **rows, size_t *n, bool copy)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	const struct fsi_index_part *p = &x->head->table[type];
	const void *from = find_index_part(x, p, t->size);
	const int rc =
		!from || p->n >= FSI_NO_INDEX ? fail_index_damaged(x->err) : check_table_rows(x, c, type, from, p->n);

	if (rc)
		return rc;
	*n = p->n;
	*rows = copy ? NULL : (void *)(uintptr_t)from;
	if (!copy || !*n)
		return 0;
	*rows = malloc(*n * t->size);
	if (!*rows)
		return fsi_fail_no_memory(x->err);
	memcpy(*rows, from, *n * t->size);
	return 0;
}

static bool is_used_in_place(enum fsi_record_type type)
{
	return type == FSI_RECORD_JOB || type == FSI_RECORD_USAGE || type == FSI_RECORD_RECORDED;
}

#define READ_INDEX_TABLE(TAG, name, json)                                                                \
	if (!rc && fsi_index_is_optional(FSI_RECORD_##TAG) == optional)                                     \
		rc = read_index_table(x, c, FSI_RECORD_##TAG, (void **)&x->m->name.v, &x->m->name.n,     \
				!is_used_in_place(FSI_RECORD_##TAG));                                   \
	x->m->name.cap = x->m->name.n;

static int read_index_tables(struct index_reader *x, const struct fsi_index_check *c, bool optional)
{
	int rc = 0;

	x->m->borrowed = true;
	FSI_RECORD_TYPES(READ_INDEX_TABLE)
	return rc;
}

/* Reads the optional fields of jobs. The snapshot uses the rows in the index without copying them. */
static int read_optional_fields(const struct index_reader *x, const struct fsi_index_check *c)
{
	const struct fsi_index_part *p = &x->head->job_ext;
	const struct fsi_job_ext *rows = find_index_part(x, p, sizeof(*rows));

	if (!rows || !are_optional_fields_valid(c, rows, p->n))
		return fail_index_damaged(x->err);
	x->m->job_ext.v = (struct fsi_job_ext *)(uintptr_t)rows;
	x->m->job_ext.n = x->m->job_ext.cap = p->n;
	return 0;
}

static int check_usage_rows(const struct index_reader *x)
{
	const fs_snapshot *m = x->m;
	int rc = 0;

	for (size_t i = 0; i < m->usage.n && !rc; i++)
		rc = fsi_usage_check_times(&m->usage.v[i], fsi_record_position(m, &m->usage.v[i].rec), x->err);
	return rc;
}

static bool can_skip_optional_tables(const fs_snapshot *m, const struct fs_read_options *o)
{
	return o->without_usage && o->without_recorded && !fsi_uses_recorded_values(m);
}

/* Reads the optional tables, after the other parts have been read and checked. */
static int read_optional_tables(struct index_reader *x, const struct fsi_index_check *c)
{
	int rc;

	begin_checked_region(x, x->head->optional_at, x->head->size);
	rc = read_index_tables(x, c, true);
	if (!rc)
		rc = check_region_checksum(x, x->head->optional_checksum);
	return rc ? rc : check_usage_rows(x);
}

static int read_index_parts(struct index_reader *x, const struct fs_read_options *o)
{
	const struct fsi_index_head *h = x->head;
	int rc = read_interned_strings(x, &x->m->names, &h->name_sizes, &h->name_bytes, true);

	if (!rc)
		rc = read_interned_strings(x, &x->m->sets, &h->set_sizes, &h->set_bytes, false);
	if (rc)
		return rc;
	uint8_t *kinds = find_set_kinds(x->m);
	const struct fsi_index_check c = { x->m, kinds };

	if (!kinds)
		return fsi_fail_no_memory(x->err);
	memcpy(&x->m->head, &h->header, sizeof(h->header));
	if (x->m->head.format != 1 || !are_rows_valid(&c, fsi_header_table(), &x->m->head, 1))
		rc = fail_index_damaged(x->err);
	if (!rc)
		rc = read_index_config(x, &c);
	if (!rc)
		rc = read_index_tables(x, &c, false);
	if (!rc)
		rc = read_optional_fields(x, &c);
	if (!rc)
		rc = check_region_checksum(x, h->checksum);
	if (!rc && !can_skip_optional_tables(x->m, o))
		rc = read_optional_tables(x, &c);
	free(kinds);
	x->m->jobs_are_sorted = x->m->active_jobs.known = true;
	return rc ? rc : read_index_warnings(x);
}

/* Removes usage and recorded values if the options exclude them. Keeps all jobs, because their rows are used in place
 * and need no memory. */
static void drop_excluded_records(fs_snapshot *m, const struct fs_read_options *o)
{
	if (o->without_usage)
		m->usage.n = 0;
	if (o->without_recorded && !fsi_uses_recorded_values(m))
		m->recorded.n = 0;
}

int fs_index_read(fs_snapshot **out, const struct fs_index *from, const char *name, const struct fs_read_options *o,
		  struct fs_error *err)
{
	struct index_reader x = { .bytes = from->bytes, .size = from->size, .head = from->bytes, .err = err };
	int rc = check_index_head(&x, &from->key);

	if (rc)
		return rc;
	begin_checked_region(&x, FSI_INDEX_START, x.head->optional_at);
	x.m = fsi_model_create(name);
	if (!x.m)
		return fsi_fail_no_memory(err);
	rc = read_index_parts(&x, o);
	if (!rc) {
		x.m->info.usage_records = x.head->usage_records;
		drop_excluded_records(x.m, o);
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

/* ---- writing a snapshot as an index
 *
 * The tables are processed twice: first to compute the offsets and checksums in the head, then to write the tables to
 * the output. */

struct index_writer {
	fs_write_fn write; /* output function; NULL: the writer only computes checksums */
	void *ctx;
	struct fsi_checksum sum;
	uint64_t at; /* bytes written so far, counted from the beginning of the index */
	bool failed;
	size_t len;
	_Alignas(FSI_CHECKSUM_STEP) unsigned char buf[16384];
};

static void flush_index_buffer(struct index_writer *s)
{
	fsi_checksum_add(&s->sum, s->buf, s->len);
	if (s->write && !s->failed && s->write(s->ctx, s->buf, s->len))
		s->failed = true;
	s->len = 0;
}

static void write_index_bytes(struct index_writer *s, const void *data, size_t size)
{
	const unsigned char *from = data;

	s->at += size;
	while (size) {
		const size_t space = sizeof(s->buf) - s->len, n = size < space ? size : space;

		memcpy(s->buf + s->len, from, n);
		s->len += n;
		from += n;
		size -= n;
		if (s->len == sizeof(s->buf))
			flush_index_buffer(s);
	}
}

static void write_index_padding(struct index_writer *s, uint64_t align)
{
	static const unsigned char zeros[FSI_INDEX_ALIGN] = { 0 };

	write_index_bytes(s, zeros, (size_t)(fsi_index_round_up(s->at, align) - s->at));
}

static void write_index_part(struct index_writer *s, struct fsi_index_part *part, const void *data, size_t n,
			     size_t size)
{
	write_index_padding(s, FSI_INDEX_ALIGN);
	*part = (struct fsi_index_part){ s->at, n };
	if (n)
		write_index_bytes(s, data, n * size);
}

static void write_interned_strings(struct index_writer *s, struct fsi_index_part *sizes, struct fsi_index_part *bytes,
				   const struct fsi_intern *t)
{
	write_index_part(s, sizes, NULL, 0, 1);
	for (uint32_t id = 1; id < t->count; id++, sizes->n++)
		write_index_bytes(s, &t->entries[id].len, sizeof(t->entries[id].len));
	write_index_part(s, bytes, NULL, 0, 1);
	for (uint32_t id = 1; id < t->count; id++) {
		write_index_bytes(s, t->entries[id].bytes, (size_t)t->entries[id].len + 1);
		write_index_padding(s, FSI_INDEX_STRING_ALIGN);
	}
	bytes->n = s->at - bytes->at;
}

static void write_index_config(struct index_writer *s, struct fsi_index_part *part, const fs_snapshot *m)
{
	write_index_part(s, part, NULL, 0, 1);
	for (; part->n < m->config.n; part->n++) {
		const struct fsi_config_entry *e = &m->config.v[part->n];
		const struct fsi_index_config c = { e->name, e->kind, e->line, e->i, e->d };

		write_index_bytes(s, &c, sizeof(c));
	}
}

static void write_index_warnings(struct index_writer *s, struct fsi_index_part *part, const fs_snapshot *m)
{
	write_index_part(s, part, NULL, 0, 1);
	for (size_t i = 0; i < m->read_warnings; i++)
		write_index_bytes(s, m->warnings.v[i], strlen(m->warnings.v[i]) + 1);
	part->n = s->at - part->at;
}

#define WRITE_INDEX_TABLE(TAG, name, json) \
	if (fsi_index_is_optional(FSI_RECORD_##TAG) == optional) \
		write_index_part(s, &h->table[FSI_RECORD_##TAG], m->name.v, m->name.n, sizeof(*m->name.v));

static void write_index_tables(struct index_writer *s, struct fsi_index_head *h, const fs_snapshot *m, bool optional)
{
	FSI_RECORD_TYPES(WRITE_INDEX_TABLE)
}

static uint64_t end_region_checksum(struct index_writer *s)
{
	write_index_padding(s, FSI_INDEX_ALIGN);
	flush_index_buffer(s);
	return fsi_checksum_end(&s->sum);
}

static void write_index_parts(struct index_writer *s, struct fsi_index_head *h, const fs_snapshot *m)
{
	fsi_checksum_init(&s->sum);
	s->at = FSI_INDEX_START;
	write_interned_strings(s, &h->name_sizes, &h->name_bytes, &m->names);
	write_interned_strings(s, &h->set_sizes, &h->set_bytes, &m->sets);
	write_index_config(s, &h->config, m);
	write_index_part(s, &h->file, m->file, strlen(m->file) + 1, 1);
	write_index_warnings(s, &h->warnings, m);
	write_index_tables(s, h, m, false);
	write_index_part(s, &h->job_ext, m->job_ext.v, m->job_ext.n, sizeof(*m->job_ext.v));
	h->checksum = end_region_checksum(s);
	h->optional_at = s->at;
	fsi_checksum_init(&s->sum);
	write_index_tables(s, h, m, true);
	h->optional_checksum = end_region_checksum(s);
	h->size = s->at;
}

static int write_index_head(const struct fsi_index_head *h, fs_write_fn write, void *ctx)
{
	unsigned char start[FSI_INDEX_START] = { 0 };

	memcpy(start, h, sizeof(*h));
	return write(ctx, start, sizeof(start));
}

uint64_t fs_index_checksum(const void *data, size_t size)
{
	return fsi_checksum_of_bytes(data, size);
}

int fs_index_write(const fs_snapshot *m, const struct fs_index_key *key, fs_write_fn write, void *ctx,
		   struct fs_error *err)
{
	struct index_writer s = { 0 };
	struct fsi_index_head h;

	memset(&h, 0, sizeof(h));
	memcpy(h.magic, FSI_INDEX_MAGIC, sizeof(h.magic));
	h.format = FSI_INDEX_FORMAT;
	h.build = fsi_index_compute_build();
	h.key = *key;
	h.usage_records = m->info.usage_records;
	memcpy(&h.header, &m->head, sizeof(h.header));
	write_index_parts(&s, &h, m);
	h.head_checksum = fsi_checksum_of_bytes(&h, offsetof(struct fsi_index_head, head_checksum));
	s.write = write;
	s.ctx = ctx;
	s.failed = write_index_head(&h, write, ctx) != 0;
	write_index_parts(&s, &h, m);
	return s.failed ? fsi_fail_with_code(err, FS_EIO, "cannot write the index") : 0;
}
