#include "import/outputs.h"

#include "base/num.h"
#include "import/consistency.h"
#include "model/scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- looking up rows and columns */

const struct fs_output *fs_output_get(const char *scheduler, size_t i)
{
	const struct fsi_outputs *o = fsi_scheduler_find_by_name(scheduler)->outputs;

	return o && i < o->n ? &o->v[i].capture : NULL;
}

const struct fsi_output *fsi_output_find(const struct fsi_outputs *o, const char *file, const char *type)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct fsi_output *x = &o->v[i];

		if (!strcmp(x->capture.file, file) && (!type || !strcmp(fsi_record_table(x->record)->type, type)))
			return x;
	}
	return NULL;
}

static bool is_span_text(struct fsi_span v, const char *text)
{
	return text && strlen(text) == v.len && !memcmp(text, v.s, v.len);
}

const struct fsi_column *fsi_output_find_column(const struct fsi_output *o, struct fsi_span name)
{
	for (size_t i = 0; i < o->ncolumns; i++) {
		const struct fsi_column *c = &o->columns[i];

		if (is_span_text(name, c->name) || is_span_text(name, c->also[0]) || is_span_text(name, c->also[1]))
			return c;
	}
	return NULL;
}

const struct fsi_column *fsi_output_find_heading(const struct fsi_output *o, struct fsi_span heading)
{
	for (size_t i = 0; i < o->ncolumns; i++) {
		struct fsi_span list = fsi_string_to_span(o->columns[i].headings ? o->columns[i].headings : ""), word;

		while (fsi_span_cut_part(&list, '|', &word))
			if (word.len && fsi_span_equals(word, heading))
				return &o->columns[i];
	}
	return NULL;
}

enum fsi_role fsi_column_role(const struct fsi_output *o, const struct fsi_column *c)
{
	return c->form == FSI_FORM_OWN ? FSI_ROLE_REMOVE : fsi_field_role(&fsi_record_table(o->record)->fields[c->bit]);
}

/* ---- splitting lines */

static void number_names(struct fsi_output_reader *r, size_t *n, const char *name)
{
	size_t i = 0;

	while (name && i < *n && strcmp(r->names[i], name) != 0)
		i++;
	if (name && i == *n)
		r->names[(*n)++] = name;
}

/* Sets r->number of all columns, after the names of the keys or the heading line are known. */
static void number_columns(struct fsi_output_reader *r)
{
	for (size_t i = 0; i < r->output->ncolumns; i++) {
		const struct fsi_column *c = &r->output->columns[i];
		const char *const names[] = { c->name, c->also[0], c->also[1], c->with };

		for (size_t k = 0; k < FSI_COLUMN_NAMES; k++)
			r->number[i][k] = (uint8_t)(r->output->shape == FSI_SHAPE_PIPES
							    ? (names[k] ? fsi_pipe_find_column(&r->pipe, names[k])
									: FSI_COLUMNS_MAX)
							    : fsi_kv_table_find_key(&r->keys, names[k]));
	}
}

static bool has_version_column(const fs_snapshot *m, const struct fsi_column *c)
{
	return (!c->since || fs_slurm_has(m->info.version, c->since)) &&
	       (!c->until || !fs_slurm_has(m->info.version, c->until));
}

void fsi_output_init_reader(struct fsi_output_reader *r, struct fsi_import *imp, const struct fsi_output *o)
{
	size_t n = 0;

	*r = (struct fsi_output_reader){ .imp = imp, .output = o };
	if (imp->checks && !imp->checks[o - imp->outputs->v].is_read)
		r->check = &imp->checks[o - imp->outputs->v];
	for (size_t i = 0; i < o->ncolumns && o->shape != FSI_SHAPE_PIPES; i++) {
		number_names(r, &n, o->columns[i].name);
		number_names(r, &n, o->columns[i].also[0]);
		number_names(r, &n, o->columns[i].also[1]);
	}
	for (size_t i = 0; i < o->ncolumns; i++) {
		const struct fsi_column *c = &o->columns[i];

		if (c->need)
			r->needed[r->needed_count++] = (uint8_t)i;
		r->form[i] = (uint8_t)(imp->m && has_version_column(imp->m, c) ? c->form : FSI_FORM_OWN);
	}
	fsi_kv_table_init(&r->keys, r->names, n);
	if (o->shape != FSI_SHAPE_PIPES)
		number_columns(r);
}

bool fsi_output_split_line(struct fsi_output_reader *r, struct fsi_span line)
{
	struct fsi_span before;

	if (r->output->shape != FSI_SHAPE_PIPES) {
		fsi_kv_table_clear(&r->keys);
		fsi_kv_table_read_line(&r->keys, line);
		while (r->output->has_braces && fsi_span_cut_part(&line, '{', &before) && line.s)
			fsi_kv_table_read_line(&r->keys, line);
		return true;
	}
	if (fsi_pipe_read_row(&r->pipe, line))
		return true;
	number_columns(r);
	return false;
}

/* Returns the value of name number `k` of column number `i`; {NULL, 0} if the record or the table lacks the name. */
static struct fsi_span get_named_value(const struct fsi_output_reader *r, size_t i, size_t k)
{
	const size_t number = r->number[i][k];

	if (r->output->shape != FSI_SHAPE_PIPES)
		return r->keys.value[number];
	return number < r->pipe.columns ? r->pipe.cell[number] : (struct fsi_span){ NULL, 0 };
}

/* Looks in the cache r->hint first, because callers look up the same names for every record. The linker merges equal
 * literals, so their addresses can index the cache. */
struct fsi_span fsi_output_get_value(struct fsi_output_reader *r, const char *name)
{
	uint8_t *hint = &r->hint[(uintptr_t)name % FSI_KEY_HINTS];

	if (r->output->shape == FSI_SHAPE_PIPES)
		return fsi_pipe_get_cell(&r->pipe, name);
	if (r->names[*hint] != name)
		*hint = (uint8_t)fsi_kv_table_find_key(&r->keys, name);
	return r->keys.value[*hint];
}

/* ---- setting fields */

/* Returns part number `which`, counted from 0, of a text like `0:0:*:1`; an empty span if the part is `*` or 0. */
static struct fsi_span get_colon_part(struct fsi_span v, int which)
{
	struct fsi_span part = { NULL, 0 };
	bool has_part = true;

	for (int k = 0; has_part && k <= which; k++)
		has_part = fsi_span_cut_part(&v, ':', &part);
	return !has_part || fsi_span_is_word(part, "*") || fsi_span_is_word(part, "0") ? (struct fsi_span){ NULL, 0 }
										       : part;
}

/* Converts a printed value to the text of the field's value; an empty span: the field is not set. */
static struct fsi_span convert_value(const struct fsi_column *c, struct fsi_span v)
{
	const struct fsi_span none = { NULL, 0 };
	struct fsi_span part = none;

	switch (c->form) {
	case FSI_FORM_LIMIT:
		return fsi_span_is_word(v, "UNLIMITED") || fsi_span_is_word(v, "ALL") ? none : v;
	case FSI_FORM_MINIMUM:
		fsi_span_cut_part(&v, '-', &part);
		return part;
	case FSI_FORM_NAME:
		fsi_span_cut_part(&v, '(', &part);
		return part;
	case FSI_FORM_COUNTED:
		fsi_span_cut_part(&v, '(', &part);
		return fsi_span_is_word(part, "N") ? none : part;
	case FSI_FORM_INSIDE:
	case FSI_FORM_USED:
		fsi_span_cut_part(&v, '(', &part);
		v.len -= v.len && v.s[v.len - 1] == ')';
		return v;
	case FSI_FORM_PART_1:
		return get_colon_part(v, 0);
	case FSI_FORM_PART_3:
		return get_colon_part(v, 2);
	case FSI_FORM_PART_4:
		return get_colon_part(v, 3);
	case FSI_FORM_EXCLUSIVE:
		return fsi_span_is_word(v, "NO") ? none : v;
	case FSI_FORM_VALUE:
	case FSI_FORM_MEMORY:
		return v;
	case FSI_FORM_OWN:
		break;
	}
	return none;
}

/* Sets a field of type U32 to an amount of memory in MiB. Sets nothing if the amount is 0 or invalid. */
static int set_memory_field(struct fsi_import *imp, const struct fsi_record_table *t, unsigned bit, struct fsi_rec *rec,
			    struct fsi_span v)
{
	uint32_t *member;
	int64_t mb;

	if (fsi_parse_mem_mb(v.s, v.len, &mb) || mb <= 0 || mb > UINT32_MAX)
		return 0;
	member = fsi_field_writable_member(imp->m, &t->fields[bit], rec);
	if (!member)
		return fsi_fail_no_memory(imp->err);
	*member = (uint32_t)mb;
	fsi_mark_known(rec, bit);
	return 0;
}

/* Sets a TRES field to the limits or to the usage in a text such as `cpu=10(4),mem=N(2000)`. Does not set the field if
 * there are no limits. */
static int set_counted_tres(struct fsi_import *imp, const struct fsi_field *f, unsigned bit, struct fsi_rec *rec,
			    struct fsi_span v, bool used)
{
	uint32_t set;
	const int rc = fsi_import_parse_tres(imp, f->key, v, used, &set);

	if (rc || (!set && !used))
		return rc;
	memcpy(fsi_field_writable_member(imp->m, f, rec), &set, sizeof(set));
	fsi_mark_known(rec, bit);
	return 0;
}

static int set_column_field(struct fsi_output_reader *r, const struct fsi_column *c, struct fsi_rec *rec,
			    struct fsi_span v)
{
	const struct fsi_record_table *t = fsi_record_table(r->output->record);
	const bool counted = c->form == FSI_FORM_COUNTED || c->form == FSI_FORM_USED;

	/* A value may be followed by a heading: "Priority=0 Account Limits=". */
	for (size_t i = 0; counted && i < v.len; i++)
		v.len = v.s[i] == ' ' || v.s[i] == '}' ? i : v.len;
	if (counted && t->fields[c->bit].type == FSI_TRES)
		return v.len ? set_counted_tres(r->imp, &t->fields[c->bit], c->bit, rec, v, c->form == FSI_FORM_USED)
			     : 0;
	v = convert_value(c, v);
	if (c->form == FSI_FORM_MEMORY)
		return set_memory_field(r->imp, t, c->bit, rec, v);
	return v.len ? fsi_import_set_field(r->imp, t, c->bit, rec, v) : 0;
}

int fsi_output_set_fields(struct fsi_output_reader *r, struct fsi_rec *rec, size_t from, size_t end)
{
	const struct fsi_record_table *t = fsi_record_table(r->output->record);
	int rc = 0;

	for (size_t i = from; i < end && !rc; i++) {
		const enum fsi_column_form form = (enum fsi_column_form)r->form[i];
		struct fsi_span v;

		if (form == FSI_FORM_OWN || !(v = get_named_value(r, i, 0)).len)
			continue;
		rc = form == FSI_FORM_VALUE ? fsi_import_set_field(r->imp, t, r->output->columns[i].bit, rec, v)
					    : set_column_field(r, &r->output->columns[i], rec, v);
	}
	return rc;
}

int fsi_output_set_record(struct fsi_output_reader *r, struct fsi_rec *rec)
{
	const int rc = fsi_output_set_fields(r, rec, 0, r->output->ncolumns);

	return rc ? rc : fsi_import_check_required(r->imp, r->output->record, rec);
}

/* ---- checking records and rows while they are read */

bool fsi_output_begins_record(struct fsi_output_reader *r, struct fsi_span line)
{
	struct fsi_output_check *k = r->check;

	line = fsi_span_trim_blanks(line);
	if (fsi_span_starts_with(line, r->output->text))
		return true;
	if (!k || !line.len || !r->output->no_records)
		return false;
	if (fsi_span_starts_with(line, r->output->no_records)) {
		k->has_no_records_line = true;
	} else if (!k->unexpected_lines++) {
		const size_t n = line.len < sizeof(k->unexpected_text) - 1 ? line.len : sizeof(k->unexpected_text) - 1;

		k->first_fault_line = r->imp->where.line;
		memcpy(k->unexpected_text, line.s, n);
		k->unexpected_text[n] = '\0';
	}
	return false;
}

void fsi_output_note_keys(struct fsi_output_reader *r)
{
	const struct fsi_span *value = r->keys.value;

	for (size_t k = 0; r->check && k < r->needed_count; k++) {
		const size_t i = r->needed[k];
		const uint8_t *n = r->number[i];
		const bool has_value = value[n[0]].len || value[n[1]].len || value[n[2]].len;

		if (has_value || (r->output->columns[i].need == FSI_NEED_NAME &&
				  (value[n[0]].s || value[n[1]].s || value[n[2]].s)))
			r->check->present[i] = true;
		else if (value[n[3]].s)
			r->check->applicable[i] = true;
	}
}

void fsi_output_end_record(struct fsi_output_reader *r)
{
	struct fsi_output_check *check = r->check;

	if (!check)
		return;
	check->records++;
	for (size_t k = 0; k < r->needed_count; k++) {
		const size_t i = r->needed[k];

		check->lacking[i] += !check->present[i] && (!r->output->columns[i].with || check->applicable[i]);
		check->present[i] = check->applicable[i] = false;
	}
}

/* Returns true if the current row of a table lacks a value of a column whose cells are never blank. For the columns
 * that are blank in some tables, notes whether the cell of this row is blank. */
static bool has_blank_cell(struct fsi_output_reader *r)
{
	const bool user = fsi_span_trim_blanks(fsi_pipe_get_cell(&r->pipe, "User")).len > 0;
	const bool parent = fsi_span_is_word(fsi_pipe_get_cell(&r->pipe, "RawShares"), "parent");
	bool lacks_value = false;

	for (size_t i = 0; i < r->output->ncolumns; i++) {
		const enum fsi_column_need need = r->output->columns[i].need;
		const struct fsi_span v = get_named_value(r, i, 0);
		const bool blank = !fsi_span_trim_blanks(v).len;

		if (!v.s)
			continue;
		lacks_value = lacks_value || (need == FSI_NEED_VALUE && blank);
		if (need >= FSI_NEED_EVEN && r->check->records > 1 && !(need == FSI_NEED_EVEN_OWN && parent))
			(blank ? r->check->blank : r->check->filled)[user][i] = true;
	}
	return lacks_value;
}

static void check_table_row(struct fsi_output_reader *r, struct fsi_span line)
{
	size_t cells = 1;

	if (!r->check)
		return;
	r->check->records++;
	for (size_t i = 0; i < line.len; i++)
		cells += line.s[i] == '|';
	if (cells >= r->pipe.columns && !has_blank_cell(r))
		return;
	if (!r->check->faulty_rows++)
		r->check->first_fault_line = r->imp->where.line;
}

/* ---- reading a file */

/* Line callback: passes a record, or a row below the heading, to r->fn. */
static int read_output_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_output_reader *r = ctx;
	int rc;

	(void)imp;
	if (r->output->shape == FSI_SHAPE_PIPES) {
		if (!line.len || !fsi_output_split_line(r, line))
			return 0;
		check_table_row(r, line);
		return r->fn(r, r->ctx);
	}
	if (!fsi_output_begins_record(r, line))
		return 0;
	fsi_output_split_line(r, line);
	rc = r->fn(r, r->ctx);
	fsi_output_note_keys(r);
	fsi_output_end_record(r);
	return rc;
}

int fsi_output_read(struct fsi_import *imp, const struct fsi_output *o, fsi_record_fn fn, void *ctx)
{
	struct fsi_output_reader *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return fsi_fail_no_memory(imp->err);
	fsi_output_init_reader(r, imp, o);
	r->fn = fn;
	r->ctx = ctx;
	rc = fsi_import_read_lines(imp, o->capture.file, read_output_line, r);
	if (!rc)
		fsi_output_finish_reader(r);
	free(r);
	return rc;
}

int fsi_output_read_or_hide(struct fsi_import *imp, const struct fsi_output *o, fsi_record_fn fn, void *ctx)
{
	const int rc = fsi_output_read(imp, o, fn, ctx);

	return rc > 0 ? fsi_import_hide_type(imp, o->hides) : rc;
}

void fsi_output_finish_reader(struct fsi_output_reader *r)
{
	if (!r->check)
		return;
	for (size_t i = 0; r->pipe.columns && i < r->output->ncolumns; i++) {
		const enum fsi_column_need need = r->output->columns[i].need;

		r->check->present[i] = r->number[i][0] < r->pipe.columns;
		r->check->lacking[i] = need && need <= FSI_NEED_EVEN && !r->check->present[i];
	}
	r->check->has_heading = r->pipe.columns > 0;
	r->check->is_read = true;
}

/* ---- warnings about incomplete files */

/* Appends ", NAME (COUNT of TOTAL)" to the text at offset `at`, or only ", NAME" if the total is 0. Returns the new
 * offset, which is beyond `size` if the text was truncated. */
static size_t append_missing_name(char *text, size_t size, size_t at, const char *name, size_t count, size_t total)
{
	char count_text[64] = "";
	int more = 0;

	if (total)
		snprintf(count_text, sizeof(count_text), at ? " (%zu of %zu)" : " (in %zu of %zu record%s)", count,
			 total, total == 1 ? "" : "s");
	if (at < size)
		more = snprintf(text + at, size - at, "%s%s%s", at ? ", " : "", name, count_text);
	return at + (more > 0 ? (size_t)more : 0);
}

/* Formats the list of the columns that some record lacks, in a buffer of at least 40 bytes. `total`: number of records;
 * 0: the list has no numbers. Returns false if there is no such column. */
static bool format_missing_columns(const struct fsi_output *o, const struct fsi_output_check *k, size_t total,
				   char *text, size_t size)
{
	size_t at = 0;

	if (o->shape == FSI_SHAPE_CONFIG && !k->has_heading)
		at = append_missing_name(text, size - 3, at, "heading line", 0, 0);
	for (size_t i = 0; i < o->ncolumns; i++)
		if (k->lacking[i])
			at = append_missing_name(text, size - 3, at, o->columns[i].name, k->lacking[i], total);
	if (at >= size - 3)
		memcpy(text + size - 4, "...", 4);
	return at > 0;
}

static struct fsi_output_check *get_check(const struct fsi_import *imp, const struct fsi_output *o)
{
	return &imp->checks[o - imp->outputs->v];
}

static int warn_missing_fields(struct fsi_import *imp, const struct fsi_output *o, const struct fsi_output_check *k)
{
	char text[283];

	return format_missing_columns(o, k, k->records, text, sizeof(text))
		       ? fsi_import_warn_incomplete(imp, NULL, "%s/%s: fields are missing: %s", imp->source->name,
						    o->capture.file, text)
		       : 0;
}

int fsi_output_warn_keys(struct fsi_import *imp, const struct fsi_output *o)
{
	return warn_missing_fields(imp, o, get_check(imp, o));
}

int fsi_missing_keys_warn(struct fsi_import *imp, const struct fsi_missing_keys *l, const struct fsi_required_key *keys,
			  size_t n, const char *file)
{
	struct fsi_column columns[FSI_REQUIRED_MAX] = { { .name = NULL } };
	const struct fsi_output o = { .capture.file = file, .columns = columns, .ncolumns = n };
	struct fsi_output_check k = { .records = l->records };

	for (size_t i = 0; i < n; i++) {
		columns[i].name = keys[i].key;
		k.lacking[i] = l->n[i];
	}
	return warn_missing_fields(imp, &o, &k);
}

bool fsi_output_has_column(const struct fsi_import *imp, const struct fsi_output *o, const char *name)
{
	return get_check(imp, o)->present[fsi_output_find_column(o, fsi_string_to_span(name)) - o->columns];
}

/* Warns of a file of records that lacks keys, or has lines that are not records. */
static int warn_record_faults(struct fsi_import *imp, const struct fsi_output *o)
{
	const struct fsi_output_check *k = get_check(imp, o);
	const char *dir = imp->source->name, *file = o->capture.file;
	const int rc = fsi_output_warn_keys(imp, o);

	if (rc || (!k->unexpected_lines && (k->records || k->has_no_records_line)))
		return rc;
	if (!k->unexpected_lines)
		return fsi_import_warn_incomplete(
			imp, o->hides, "%s/%s: the file has neither records nor the text \"%s\": the command failed",
			dir, file, o->no_records);
	return fsi_import_warn_incomplete(
		imp, o->hides, "%s/%s:%llu: %s\"%s\"%s", dir, file, (unsigned long long)k->first_fault_line,
		k->records ? "unexpected line: " : "the file has no records; unexpected line: ", k->unexpected_text,
		k->unexpected_lines > 1 ? " and other unexpected lines" : "");
}

/* Warns of a table that lacks columns, rows or values. */
static int warn_table_faults(struct fsi_import *imp, const struct fsi_output *o)
{
	const struct fsi_output_check *k = get_check(imp, o);
	const char *dir = imp->source->name, *file = o->capture.file;
	char text[203];

	if (!k->has_heading)
		return 0;
	if (format_missing_columns(o, k, 0, text, sizeof(text)))
		return fsi_import_warn_incomplete(imp, NULL, "%s/%s: columns are missing: %s", dir, file, text);
	if (!k->records)
		return fsi_import_warn_incomplete(imp, o->hides, "%s/%s: no rows after the heading", dir, file);
	for (size_t i = 0; i < o->ncolumns; i++)
		if ((k->filled[0][i] && k->blank[0][i]) || (k->filled[1][i] && k->blank[1][i]))
			return fsi_import_warn_incomplete(imp, NULL,
							  "%s/%s: the column %s has values in some rows only", dir,
							  file, o->columns[i].name);
	return k->faulty_rows
		       ? fsi_import_warn_incomplete(
				 imp, NULL, "%s/%s:%llu: the row is truncated or lacks values (such rows: %zu of %zu)",
				 dir, file, (unsigned long long)k->first_fault_line, k->faulty_rows, k->records)
		       : 0;
}

/* State of checking the parameters in the output of scontrol show config. */
struct config_check {
	const struct fsi_output *output;
	struct fsi_output_check *check; /* member `lacking`: 0 if the file has the parameter, else 1 */
	bool has_other_plugin;          /* PriorityType is not priority/multifactor */
};

static int check_config_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct config_check *x = ctx;
	const struct fsi_column *c;
	struct fsi_span key;

	(void)imp;
	x->check->has_heading = x->check->has_heading || fsi_span_starts_with(line, x->output->signature[0]);
	if (!memchr(line.s, '=', line.len) || !fsi_span_cut_part(&line, '=', &key))
		return 0;
	line = fsi_span_trim_blanks(line);
	c = fsi_output_find_column(x->output, fsi_span_trim_blanks(key));
	if (c && !strcmp(c->name, "PriorityType"))
		x->has_other_plugin = x->has_other_plugin || !is_span_text(line, "priority/multifactor");
	if (c)
		x->check->lacking[c - x->output->columns] = !line.len && c->need == FSI_NEED_VALUE;
	return 0;
}

/* Warns of parameters that are missing or empty. */
static int check_config(struct fsi_import *imp, const struct fsi_output *o)
{
	struct config_check x = { .output = o, .check = get_check(imp, o) };
	char text[243];
	int rc;

	for (size_t i = 0; i < o->ncolumns; i++)
		x.check->lacking[i] = 1;
	rc = fsi_import_read_lines(imp, o->capture.file, check_config_line, &x);
	for (size_t i = 0; x.has_other_plugin && i < o->ncolumns; i++)
		x.check->lacking[i] = x.check->lacking[i] && !o->columns[i].with;
	if (rc)
		return rc < 0 ? rc : 0;
	return format_missing_columns(o, x.check, 0, text, sizeof(text))
		       ? fsi_import_warn_incomplete(imp, "config", "%s/%s: lines are missing or empty: %s",
						    imp->source->name, o->capture.file, text)
		       : 0;
}

static int check_signature(struct fsi_import *imp, const struct fsi_output *o)
{
	const struct fsi_signature s = { o->capture.file, o->signature[0], o->signature[1], o->hides };

	return s.text ? fsi_import_check_signatures(imp, &s, 1) : 0;
}

static int check_records(struct fsi_import *imp, const struct fsi_output *o)
{
	return o->no_records && get_check(imp, o)->is_read ? warn_record_faults(imp, o) : 0;
}

static int ignore_record(struct fsi_output_reader *r, void *ctx)
{
	(void)r;
	(void)ctx;
	return 0;
}

/* Checks the configuration, or a table that always has some columns. Reads the table if it was not read before. */
static int check_table(struct fsi_import *imp, const struct fsi_output *o)
{
	bool has_needs = false;
	int rc = 0;

	if (o->shape == FSI_SHAPE_CONFIG)
		return check_config(imp, o);
	for (size_t i = 0; i < o->ncolumns; i++)
		has_needs = has_needs || o->columns[i].need;
	if (o->shape != FSI_SHAPE_PIPES || !has_needs || o->capture.kind == FS_OUTPUT_NOT_CAPTURED)
		return 0;
	if (!get_check(imp, o)->is_read)
		rc = fsi_output_read(imp, o, ignore_record, NULL);
	return rc ? (rc < 0 ? rc : 0) : warn_table_faults(imp, o);
}

int fsi_outputs_check(struct fsi_import *imp)
{
	int (*const checks[])(struct fsi_import *, const struct fsi_output *) = { check_signature, check_records,
										  check_table };
	int rc = 0;

	for (size_t k = 0; k < sizeof(checks) / sizeof(*checks); k++)
		for (size_t i = 0; i < imp->outputs->n && !rc; i++)
			rc = checks[k](imp, &imp->outputs->v[i]);
	return rc;
}
