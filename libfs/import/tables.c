#include "import/import.h"

#include "base/memory.h"
#include "base/num.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields of records */

int fsi_import_parse_local_time(struct fsi_import *imp, struct fsi_span v, int64_t *out)
{
	if (fsi_parse_civil_time(v.s, v.len, out))
		return -1;
	*out = fsi_import_local_to_utc(imp, *out);
	return *out < 0 || *out > FSI_SECONDS_MAX ? -1 : 0;
}

/* Splits the amount of a TRES with a limit: `N(64)` means limit N, usage 64. Returns the limit or, if `used` is set,
 * the usage; {NULL, 0} if there is no usage. */
static struct fsi_span cut_tres_amount(struct fsi_span v, bool used)
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

int fsi_import_parse_tres(struct fsi_import *imp, const char *field, struct fsi_span v, bool used_in_parens,
			  uint32_t *set)
{
	struct fsi_amount amounts[128];
	struct fsi_span item, key;
	size_t n = 0;

	while (fsi_span_cut_part(&v, ',', &item)) {
		struct fsi_amount *a = &amounts[n];
		struct fsi_span text = item;

		if (!fsi_span_cut_part(&text, '=', &key) || !text.s)
			return fsi_import_reject_value(imp, field, item, "name=amount");
		text = cut_tres_amount(text, used_in_parens);
		if (!text.len || fsi_span_is_word(text, "N") || fsi_span_is_word(text, "N/A"))
			continue;
		*a = (struct fsi_amount){ .tres = fsi_import_intern_name(imp, key) };
		if (a->tres == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(imp->err);
		if ((fsi_span_is_word(key, "mem") || (key.len > 3 && !memcmp(key.s, "bb/", 3)))
			    ? fsi_parse_mem_mb(text.s, text.len, &a->n)
			    : fsi_parse_count(text.s, text.len, &a->n))
			return fsi_import_reject_value(imp, field, item, "an amount");
		for (size_t i = 0; i < n; i++)
			if (amounts[i].tres == a->tres)
				return fsi_import_reject_value(imp, field, item, "each TRES once");
		if (a->n < 0)
			return fsi_import_reject_value(imp, field, item, "an amount of at least 0");
		if (++n == sizeof(amounts) / sizeof(*amounts))
			return fsi_import_reject_value(imp, field, item, "at most 127 TRES");
	}
	*set = fsi_intern_add(&imp->m->sets, amounts, n * sizeof(*amounts));
	return *set == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

static int parse_list_field(struct fsi_import *imp, struct fsi_span v, uint32_t *set)
{
	size_t n = 0, cap = 1;
	struct fsi_span item;
	uint32_t *ids;

	for (size_t i = 0; i < v.len; i++)
		cap += v.s[i] == ',';
	ids = calloc(cap, sizeof(*ids));
	if (!ids)
		return fsi_fail_no_memory(imp->err);
	while (fsi_span_cut_part(&v, ',', &item))
		if (item.len && (ids[n++] = fsi_import_intern_name(imp, item)) == FSI_INTERN_FAILED)
			break;
	*set = n && ids[n - 1] == FSI_INTERN_FAILED
		       ? FSI_INTERN_FAILED
		       : fsi_intern_add(&imp->m->sets, ids, n * sizeof(*ids));
	free(ids);
	return *set == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

static int parse_duration_field(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v, int64_t *out,
				bool *special)
{
	if (fsi_span_is_word(v, "unlimited") || fsi_span_is_word(v, "infinite")) {
		*special = true;
		return 0;
	}
	if (!fsi_parse_duration(v.s, v.len, out))
		return 0;
	if (fsi_parse_i64(v.s, v.len, out) || *out < 0 || *out > FSI_SECONDS_MAX / 60)
		return fsi_import_reject_value(imp, f->key, v, "a duration");
	*out *= 60; /* Slurm reads a duration that is a single number as minutes */
	return 0;
}

static int parse_bool_field(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v, bool *out)
{
	*out = fsi_span_is_word(v, "yes") || fsi_span_is_word(v, "1");
	return *out || fsi_span_is_word(v, "no") || fsi_span_is_word(v, "0")
		       ? 0
		       : fsi_import_reject_value(imp, f->key, v, "YES or NO");
}

/* Parses an integer between min and max, plain or with a unit letter (NumCPUs=1K). */
static int parse_integer_field(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v, int64_t min,
			       int64_t max, int64_t *out)
{
	if (fsi_parse_count(v.s, v.len, out) || *out < min || *out > max)
		return fsi_import_reject_number(imp, f->key, v, min, max);
	return 0;
}

static int parse_field_value(struct fsi_import *imp, const struct fsi_field *f, struct fsi_span v, void *member,
			     bool *special)
{
	int64_t i = 0;
	int rc;

	switch (f->type) {
	case FSI_SHARES:
		if ((*special = fsi_span_is_word(v, "parent")))
			return 0;
		if (memchr(v.s, '.', v.len))
			return fsi_import_reject_value(imp, f->key, v, "a whole number or \"parent\"");
		/* fall through */
	case FSI_U32:
		rc = parse_integer_field(imp, f, v, 0, UINT32_MAX, &i);
		*(uint32_t *)member = (uint32_t)i;
		return rc;
	case FSI_I32:
		rc = parse_integer_field(imp, f, v, INT32_MIN, INT32_MAX, &i);
		*(int32_t *)member = (int32_t)i;
		return rc;
	case FSI_U64:
		return fsi_parse_u64(v.s, v.len, member) ? fsi_import_reject_value(imp, f->key, v, "a number") : 0;
	case FSI_DBL:
		if (fsi_parse_double(v.s, v.len, member) ||
		    ((f->flags & FSI_POS) && *(double *)member < 0) ||
		    ((f->flags & FSI_PART) == FSI_PART && *(double *)member > 1))
			return fsi_import_reject_value(imp, f->key, v,
						       (f->flags & FSI_PART) == FSI_PART ? "a number from 0 to 1"
						       : f->flags & FSI_POS              ? "a number of at least 0"
											 : "a number");
		return 0;
	case FSI_TIME:
		return fsi_import_parse_local_time(imp, v, member) ? fsi_import_reject_value(imp, f->key, v, "a time")
								   : 0;
	case FSI_DUR:
		return parse_duration_field(imp, f, v, member, special);
	case FSI_BOOL:
		return parse_bool_field(imp, f, v, member);
	case FSI_STR:
		*(uint32_t *)member = fsi_import_intern_name(imp, v);
		return *(uint32_t *)member == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
	case FSI_STATE:
		*(uint8_t *)member = (uint8_t)fsi_job_state_parse(v.s, (uint32_t)v.len);
		return *(uint8_t *)member == FSI_STATE_COUNT ? fsi_import_reject_value(imp, f->key, v, "a job state")
							     : 0;
	case FSI_LIST:
		return parse_list_field(imp, v, member);
	case FSI_TRES:
		return fsi_import_parse_tres(imp, f->key, v, false, member);
	case FSI_TRESF:
		return fsi_import_reject_value(imp, f->key, v, "a value that the importer sets directly");
	}
	return FS_EDATA;
}

int fsi_import_check_required(struct fsi_import *imp, enum fsi_record_type type, const struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);

	for (unsigned i = 0; i < t->nfields; i++)
		if ((t->fields[i].flags & FSI_REQ) && !fsi_is_field_known(rec, i))
			return fsi_fail_at(imp->err, imp->where, t->fields[i].key, "missing");
	return 0;
}

int fsi_import_set_field(struct fsi_import *imp, const struct fsi_record_table *t, unsigned bit, struct fsi_rec *rec,
			 struct fsi_span value)
{
	const struct fsi_field *f = &t->fields[bit];
	bool special = false;
	void *member;
	int rc;

	if (f->type == FSI_STR ? fsi_span_is_unset(value) : fsi_span_is_none(value))
		return 0;
	member = fsi_field_writable_member(imp->m, f, rec);
	rc = member ? parse_field_value(imp, f, value, member, &special) : fsi_fail_no_memory(imp->err);
	if (!rc) {
		fsi_mark_known(rec, bit);
		if (special)
			rec->special |= 1u << bit;
	}
	return rc;
}

/* ---- lines of Slurm's commands: `Key=Value ...` and `a|b|c` */

static bool is_key_char(char c, bool first)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (!first && ((c >= '-' && c <= ':') || c == '_' || c == '[' || c == ']' || c == '(' || c == ')' ||
			   c == '%'));
}

/* Returns the length of the key that starts at s and ends before '='; 0 if there is no key. */
static size_t measure_key_length(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && *p && is_key_char(*p, p == s))
		p++;
	return p < end && p > s && *p == '=' ? (size_t)(p - s) : 0;
}

struct fsi_span fsi_kv_get_value(const struct fsi_kv *kv, const char *key)
{
	const size_t len = strlen(key);

	for (size_t i = 0; i < kv->n; i++)
		if (kv->key[i].len == len && *kv->key[i].s == *key && !memcmp(kv->key[i].s, key, len))
			return kv->value[i];
	return (struct fsi_span){ NULL, 0 };
}

bool fsi_pipe_read_row(struct fsi_pipe_table *p, struct fsi_span line)
{
	struct fsi_span cell;
	size_t n = 0;

	if (!p->columns) {
		while (p->columns < FSI_COLUMNS_MAX && fsi_span_cut_part(&line, '|', &cell)) {
			char *name = p->names[p->columns++];

			if (cell.len >= sizeof(p->names[0]))
				cell.len = sizeof(p->names[0]) - 1;
			memcpy(name, cell.s, cell.len);
			name[cell.len] = '\0';
		}
		return false;
	}
	memset(p->cell, 0, sizeof(p->cell));
	while (n < p->columns && fsi_span_cut_part(&line, '|', &cell))
		p->cell[n++] = cell;
	return true;
}

/* Looks in the cache p->hint first, because callers look up the same names for every row. The names are string
 * literals, so their addresses can index the cache. */
size_t fsi_pipe_find_column(struct fsi_pipe_table *p, const char *name)
{
	uint8_t *hint = &p->hint[(uintptr_t)name % FSI_COLUMN_HINTS];
	size_t i = 0;

	if (*hint < p->columns && !strcmp(p->names[*hint], name))
		return *hint;
	while (i < p->columns && strcmp(p->names[i], name) != 0)
		i++;
	if (i < p->columns)
		*hint = (uint8_t)i;
	return i;
}

struct fsi_span fsi_pipe_get_cell(struct fsi_pipe_table *p, const char *column)
{
	const size_t i = fsi_pipe_find_column(p, column);

	return i < p->columns ? p->cell[i] : (struct fsi_span){ NULL, 0 };
}

int fsi_import_read_caller(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_header *h = ctx;

	if (imp->where.line > 1)
		return 0;
	FSI_PUT(h, SNAPSHOT, captured_by, fsi_import_intern_name(imp, fsi_span_trim_blanks(line)));
	return h->captured_by == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

/* Returns a hash of a key's name. Length, first letter and last letter distinguish most of scontrol's keys. */
static uint8_t hash_key_name(const char *s, size_t len)
{
	return (uint8_t)((unsigned char)s[0] * 5u + (unsigned char)s[len - 1] * 3u + len * 17u);
}

void fsi_kv_table_init(struct fsi_kv_table *k, const char *const *names, size_t n)
{
	memset(k, 0, sizeof(*k));
	k->names = names;
	k->n = n;
	for (size_t i = 0; i < n; i++) {
		uint8_t *at;

		k->len[i] = (uint8_t)strlen(names[i]);
		at = &k->first[hash_key_name(names[i], k->len[i])];
		k->next[i] = *at;
		*at = (uint8_t)(i + 1);
	}
}

static size_t find_key_number(const struct fsi_kv_table *k, const char *s, size_t len)
{
	size_t i = k->first[hash_key_name(s, len)];

	while (i && (k->len[i - 1] != len || memcmp(k->names[i - 1], s, len) != 0))
		i = k->next[i - 1];
	return i ? i - 1 : k->n;
}

size_t fsi_kv_table_find_key(const struct fsi_kv_table *k, const char *name)
{
	return name && *name ? find_key_number(k, name, strlen(name)) : k->n;
}

void fsi_kv_table_clear(struct fsi_kv_table *k)
{
	memset(k->value, 0, k->n * sizeof(*k->value));
}

/* Stores the text from `from` to `to` as the value of `key`. Does nothing if the key already has a value, or is not
 * among k->names. */
static void store_key_value(struct fsi_kv_table *k, size_t key, const char *from, const char *to)
{
	if (key < k->n && !k->value[key].s)
		k->value[key] = fsi_span_trim_blanks((struct fsi_span){ from, (size_t)(to - from) });
}

/* Checks if the text at p begins with the key that last came after key number `before`. Returns the number of this key;
 * k->n if the text begins with another key. The check usually succeeds, because all lines of a command have their keys
 * in the same order. */
static size_t guess_next_key(const struct fsi_kv_table *k, size_t before, const char *p, const char *end)
{
	const size_t i = k->usual_successor[before], len = i ? k->len[i - 1] : 0;

	return i && (size_t)(end - p) > len && p[len] == '=' && fsi_is_equal_bytes(k->names[i - 1], p, len) ? i - 1
													    : k->n;
}

/* Finds the key at the beginning of the word from p to `stop`. Returns the length of the key; 0 if the word has no key.
 * Sets *next_key to the number of the key; k->n if the key is not in k->names. For a key in k->names, also stores in
 * k->usual_successor that this key follows the key number *last, and sets *last to the number of this key. */
static size_t read_word_key(struct fsi_kv_table *k, size_t *last, const char *p, const char *stop, size_t *next_key)
{
	const char *equals = memchr(p, '=', (size_t)(stop - p));
	const size_t len = equals ? (size_t)(equals - p) : 0;

	*next_key = len ? find_key_number(k, p, len) : k->n;
	if (*next_key < k->n) {
		k->usual_successor[*last] = (uint8_t)(*next_key + 1);
		*last = *next_key;
	}
	return len && (*next_key < k->n || measure_key_length(p, stop) == len) ? len : 0;
}

void fsi_kv_table_read_line(struct fsi_kv_table *k, struct fsi_span line)
{
	const char *end = line.s + line.len, *value = line.s;
	size_t key = k->n, last = k->n;

	for (const char *p = line.s; p < end;) {
		size_t next_key = guess_next_key(k, last, p, end), len = next_key < k->n ? k->len[next_key] : 0;
		const char *blank = memchr(p + len, ' ', (size_t)(end - p) - len), *stop = blank ? blank : end;

		if (len)
			last = next_key;
		else
			len = read_word_key(k, &last, p, stop, &next_key);
		if (len) {
			if (p > line.s)
				store_key_value(k, key, value, p - 1);
			key = next_key;
			value = p + len + 1;
		}
		p = stop + (blank != NULL);
	}
	store_key_value(k, key, value, end);
}

/* ---- index of records by id, for files that name jobs and associations by number */

static int compare_index_entries(const void *x, const void *y)
{
	const struct fsi_id_index_entry *a = x, *b = y;

	return fsi_compare_u64(a->id, b->id);
}

static int compare_sorted_entries(const void *x, const void *y, const void *ctx)
{
	(void)ctx;
	return compare_index_entries(x, y);
}

static int alloc_index_entries(struct fsi_id_index *x, size_t n)
{
	x->n = n;
	x->v = malloc((n + 1) * sizeof(*x->v));
	return x->v ? 0 : -1;
}

/* Sorts the entries by id. Most lists are already sorted or nearly sorted; fs_sort is fast for such lists. */
static int sort_index_entries(struct fsi_id_index *x)
{
	if (!fs_sort(x->v, x->n, sizeof(*x->v), compare_sorted_entries, NULL))
		return 0;
	free(x->v);
	x->v = NULL;
	return -1;
}

int fsi_id_index_init_jobs(struct fsi_id_index *x, const fs_snapshot *m)
{
	if (alloc_index_entries(x, m->job.n))
		return -1;
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i] = (struct fsi_id_index_entry){ m->job.v[i].id, i };
	return sort_index_entries(x);
}

int fsi_id_index_init_associations(struct fsi_id_index *x, const fs_snapshot *m)
{
	if (alloc_index_entries(x, m->association.n))
		return -1;
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i] = (struct fsi_id_index_entry){ m->association.v[i].id, i };
	return sort_index_entries(x);
}

uint32_t fsi_id_index_find_row(const struct fsi_id_index *x, uint64_t id)
{
	const struct fsi_id_index_entry want = { id, 0 };
	const struct fsi_id_index_entry *e = bsearch(&want, x->v, x->n, sizeof(*x->v), compare_index_entries);

	return e ? e->row : FSI_NO_INDEX;
}

/* ---- records that newlines split
 *
 * Slurm does not escape newlines in the names of jobs (src/api/job_info.c: slurm_sprint_job_info, which prints UserId=
 * after the name; src/squeue/print.c: _print_str). The lines of a record are buffered until its last line is read. */

struct record_joiner {
	fsi_line_fn fn;
	void *ctx;
	struct fsi_buf buffer;
	uint64_t first_line; /* line number at which the buffered record began */
	/* the next two members are used only for squeue */
	size_t heading_length;  /* length of the heading line */
	size_t assoc_id_offset; /* offset of the column ASSOC_ID; a row of at most this length lacks the column */
};

static int buffer_record_line(struct fsi_import *imp, struct record_joiner *r, struct fsi_span line)
{
	if (!r->buffer.n)
		r->first_line = imp->where.line;
	else if (fsi_buf_append_bytes(&r->buffer, "\n", 1))
		return fsi_fail_no_memory(imp->err);
	return fsi_buf_append_bytes(&r->buffer, line.s, line.len) ? fsi_fail_no_memory(imp->err) : 0;
}

/* Passes the buffered record to the callback, with the line number at which the record began, and empties the
 * buffer. */
static int pass_buffered_record(struct fsi_import *imp, struct record_joiner *r)
{
	const uint64_t current_line = imp->where.line;
	const struct fsi_span record = { r->buffer.v, r->buffer.n };
	int rc;

	if (!r->buffer.n)
		return 0;
	imp->where.line = r->first_line;
	rc = r->fn(imp, r->ctx, record);
	imp->where.line = current_line;
	r->buffer.n = 0;
	return rc;
}

static int read_joined_records(struct fsi_import *imp, const char *file, fsi_line_fn line_fn, struct record_joiner *r)
{
	int rc = fsi_import_read_lines(imp, file, line_fn, r);

	if (!rc)
		rc = pass_buffered_record(imp, r);
	free(r->buffer.v);
	return rc;
}

/* ---- scontrol */

/* Returns true if the line ends within the job's name. The line ends within the name if none of the keys that follow
 * the name is in the line. */
static bool ends_within_name(struct fsi_span line)
{
	return fsi_span_starts_with(line, "JobId=") && fsi_span_contains_text(line, " JobName=") &&
	       !fsi_span_contains_text(line, " UserId=") && !fsi_span_contains_text(line, " JobState=") &&
	       !fsi_span_contains_text(line, " Partition=");
}

static int join_job_record(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct record_joiner *r = ctx;
	int rc = fsi_span_starts_with(line, "JobId=") ? pass_buffered_record(imp, r) : 0;

	if (rc)
		return rc;
	if (!r->buffer.n && !ends_within_name(line))
		return r->fn(imp, r->ctx, line);
	rc = buffer_record_line(imp, r, line);
	return rc || (!fsi_span_contains_text(line, " UserId=") && r->buffer.n < FSI_LINE_MAX) ? rc
										     : pass_buffered_record(imp, r);
}

int fsi_import_read_job_records(struct fsi_import *imp, fsi_line_fn fn, void *ctx)
{
	struct record_joiner r = { .fn = fn, .ctx = ctx };

	return read_joined_records(imp, "scontrol_job_o.txt", join_job_record, &r);
}

/* ---- squeue */

struct fsi_fixed_column fsi_squeue_find_column(struct fsi_span heading, const char *name)
{
	const size_t n = strlen(name);
	struct fsi_fixed_column c = { 0, 0 };
	size_t end;

	for (size_t i = 1; i + n < heading.len && !c.at; i++)
		if (heading.s[i - 1] == ' ' && heading.s[i + n] == ' ' && !memcmp(heading.s + i, name, n))
			c.at = i;
	for (end = c.at + n; c.at && end < heading.len && heading.s[end] == ' '; end++)
		;
	c.width = c.at ? end - c.at : 0;
	return c;
}

static int join_squeue_row(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct record_joiner *r = ctx;
	int rc = 0;

	if (imp->where.line == 1) {
		r->assoc_id_offset = fsi_squeue_find_column(line, "ASSOC_ID").at;
		r->heading_length = line.len;
		return r->fn(imp, r->ctx, line);
	}
	if (r->buffer.n && r->buffer.n + 1 + line.len > r->heading_length)
		rc = pass_buffered_record(imp, r);
	if (!rc && (r->buffer.n || line.len <= r->assoc_id_offset))
		rc = buffer_record_line(imp, r, line);
	else if (!rc)
		return r->fn(imp, r->ctx, line);
	return rc || r->buffer.n <= r->assoc_id_offset ? rc : pass_buffered_record(imp, r);
}

int fsi_import_read_squeue_rows(struct fsi_import *imp, fsi_line_fn fn, void *ctx)
{
	struct record_joiner r = { .fn = fn, .ctx = ctx };

	return read_joined_records(imp, "squeue_O.txt", join_squeue_row, &r);
}

/* ---- time zone of a capture
 *
 * If fs_import_options.offsets is given, these UTC offsets are used to convert the local times in the files of a
 * capture. A capture may also have a file `zone`, with the time zone of the user who made the capture: one line
 * "since offset" for each change of the offset. The commands of such a capture ran in UTC. */

enum { READ_OFFSETS_MAX = 512, STORED_OFFSETS_MAX = 16 };
/* The header stores the UTC offsets from 3 years before to 3 years after the capture's time. */
static const int64_t zone_margin_s = 3 * INT64_C(366) * 86400;

struct utc_offset_list {
	struct fs_utc_offset v[READ_OFFSETS_MAX];
	size_t n;
};

int fsi_import_warn_zone(struct fsi_import *imp)
{
	int rc = 0;

	if (imp->repeated_times.n)
		rc = fsi_import_warn_incomplete(
			imp, NULL,
			"%s:%llu: a local time is ambiguous, because the clock was set back: the import uses the earlier "
			"time (ambiguous times: %zu)",
			imp->repeated_times.first.file, (unsigned long long)imp->repeated_times.first.line,
			imp->repeated_times.n);
	if (!rc && imp->skipped_times.n)
		rc = fsi_import_warn_incomplete(
			imp, NULL, "%s:%llu: a local time does not exist in the time zone (times that do not exist: %zu)",
			imp->skipped_times.first.file, (unsigned long long)imp->skipped_times.first.line,
			imp->skipped_times.n);
	return rc;
}

static int read_offset_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct utc_offset_list *o = ctx;

	line = fsi_span_trim_blanks(line);
	if (!line.len)
		return 0;
	if (o->n == READ_OFFSETS_MAX || fsi_zone_parse_offset(line.s, line.len, &o->v[o->n]) ||
	    (o->n && o->v[o->n].since <= o->v[o->n - 1].since))
		return fsi_import_reject_value(imp, "zone", line,
					       "seconds since 1970, in ascending order, and a UTC offset (at most "
					       "512 lines)");
	o->n++;
	return 0;
}

/* Sets the header's UTC offsets from the n offsets in v. Omits offsets that apply only to times more than zone_margin_s
 * before or after head.time. The first stored offset also applies to all earlier times. */
static int set_header_offsets(struct fsi_import *imp, const struct fs_utc_offset *v, size_t n)
{
	struct fsi_header *h = &imp->m->head;
	char text[STORED_OFFSETS_MAX * (FSI_ZONE_TEXT + 1)] = "", item[FSI_ZONE_TEXT];
	size_t first = 0, len = 0, last;

	while (first + 1 < n && v[first + 1].since <= h->time - zone_margin_s)
		first++;
	for (last = first; last < n && last < first + STORED_OFFSETS_MAX && v[last].since <= h->time + zone_margin_s;
	     last++) {
		fsi_zone_format_offset(&v[last], item);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", len ? "," : "", item);
	}
	FSI_PUT(h, SNAPSHOT, utc_offset_s, fsi_zone_get_offset(v, n, h->time));
	return last - first < 2 ? 0
				: fsi_import_set_field(imp, fsi_header_table(), FSI_SNAPSHOT_utc_offsets, &h->rec,
						       (struct fsi_span){ text, len });
}

int fsi_import_set_zone(struct fsi_import *imp, bool offset_known)
{
	struct utc_offset_list captured = { .n = 0 };
	int rc;

	if (imp->zone) {
		if (offset_known && fsi_zone_get_offset(imp->zone, imp->nzone, imp->m->head.time) != imp->utc_offset_s)
			return fsi_fail_with_code(
				imp->err, FS_EDATA,
				"%s: the local times in the files are UTC%+.4g h, but the time zone of --tz has another offset",
				imp->source->name, (double)imp->utc_offset_s / 3600);
		return set_header_offsets(imp, imp->zone, imp->nzone);
	}
	rc = fsi_import_read_lines(imp, "zone", read_offset_line, &captured);
	return rc < 0 ? rc : captured.n ? set_header_offsets(imp, captured.v, captured.n) : 0;
}
