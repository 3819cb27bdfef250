#include "base/num.h"
#include "import/consistency.h"
#include "import/flux/flux.h"
#include "model/find.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checks that banks and users form a tree. Rows outside of the tree are treated as flux-accounting's reader treats them
 * (src/fairness/reader/data_reader_db.cpp). This reader starts at the root, follows banks by name, and skips inactive
 * banks. The reader reads users only if their bank has no sub-banks. */

uint32_t fsi_flux_name_to_row(const struct fsi_flux_name_rows *v, uint32_t name)
{
	return name < v->cap && v->row[name] ? v->row[name] - 1 : FSI_NO_INDEX;
}

/* Makes v->row an array with an element for this name ID. Returns -1 if out of memory. */
static int grow_name_rows(struct fsi_flux_name_rows *v, uint32_t name)
{
	const size_t cap = ((size_t)name + 64) * 2;
	uint32_t *p = name == FSI_INTERN_FAILED ? NULL : realloc(v->row, cap * sizeof(*p));

	if (!p)
		return -1;
	memset(p + v->cap, 0, (cap - v->cap) * sizeof(*p));
	v->row = p;
	v->cap = cap;
	return 0;
}

bool fsi_flux_add_name(struct fsi_flux_import *f, struct fsi_flux_name_rows *v, uint32_t name, uint32_t row)
{
	if (name >= v->cap && grow_name_rows(v, name)) {
		f->imp.m->out_of_memory = true;
		return true;
	}
	if (v->row[name])
		return false;
	v->row[name] = row + 1;
	return true;
}

/* Adds an association, and stores the number of the current line in the association, for messages. Returns NULL if out
 * of memory. */
static struct fsi_association *add_flux_association(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_association *a = FSI_VEC_ADD(&m->association);

	m->out_of_memory |= !a;
	if (!a)
		return NULL;
	FSI_PUT(a, ASSOCIATION, id, (uint32_t)m->association.n);
	a->rec.line = (uint32_t)f->imp.where.line;
	return a;
}

static uint32_t get_parent_row(const struct fsi_flux_import *f, const struct fsi_association *a)
{
	return fsi_flux_name_to_row(&f->bank, a->user ? a->account : a->parent);
}

/* State of an association row. REACHES_ROOT: the banks above the row lead up to a root bank. MISSING_BANK: a bank above
 * the row is not listed. ON_PATH: follow_parents has visited the row and does not know the result yet. */
enum root_path { NOT_VISITED, ON_PATH, REACHES_ROOT, MISSING_BANK };

/* Visits row i and the banks above it. Returns REACHES_ROOT or MISSING_BANK, and stores the result in `state` for all
 * visited rows. A cycle of banks counts as reaching a root; fsi_model_finish rejects the cycle later. */
static enum root_path follow_parents(const struct fsi_flux_import *f, uint32_t i, unsigned char *state)
{
	const struct fsi_association *v = f->imp.m->association.v;
	enum root_path result = NOT_VISITED;
	uint32_t at = i;

	while (!result) {
		if (state[at])
			result = state[at] == MISSING_BANK ? MISSING_BANK : REACHES_ROOT;
		else if (!v[at].user && !v[at].parent)
			result = REACHES_ROOT;
		state[at] = state[at] ? state[at] : ON_PATH;
		at = result ? at : get_parent_row(f, &v[at]);
		if (at == FSI_NO_INDEX)
			result = MISSING_BANK;
	}
	for (at = i; at != FSI_NO_INDEX && state[at] == ON_PATH; at = get_parent_row(f, &v[at]))
		state[at] = (unsigned char)result;
	return result;
}

static void warn_unreachable_row(struct fsi_flux_import *f, const struct fsi_association *a, size_t count)
{
	const fs_snapshot *m = f->imp.m;

	fsi_model_add_warning(f->imp.m,
			      "%s \"%s\" is left out, as in flux-accounting, because bank \"%s\" or a bank above it is "
			      "not listed (users and banks left out: %zu)",
			      a->user ? "user" : "bank", fsi_name_text(m, a->user ? a->user : a->account),
			      fsi_name_text(m, a->user ? a->account : a->parent), count);
}

/* Removes rows whose bank is not listed, and all rows below them. Such rows occur because list-banks lists inactive
 * banks only with --inactive. */
static int drop_unreachable_rows(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_association first = { .id = 0 };
	unsigned char *state = calloc(m->association.n + 1, 1);
	size_t n = 0, dropped = 0;

	if (!state)
		return fsi_fail_no_memory(f->imp.err);
	for (uint32_t i = 0; i < m->association.n; i++)
		if (follow_parents(f, i, state) == MISSING_BANK && !dropped++)
			first = m->association.v[i];
	if (dropped)
		warn_unreachable_row(f, &first, dropped);
	for (size_t i = 0; i < m->association.n; i++)
		if (state[i] != MISSING_BANK)
			m->association.v[n++] = m->association.v[i];
	m->association.n = n;
	free(state);
	return 0;
}

static bool is_root_bank(const struct fsi_association *a)
{
	return !a->user && !a->parent;
}

static int check_single_root(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	const struct fsi_association *root = NULL;

	for (size_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];

		if (is_root_bank(a) && root)
			return fsi_fail_at(f->imp.err, (struct fsi_input_position){ f->banks_file, a->rec.line, 0 },
					   "parent_bank",
					   "bank \"%s\" is a second bank without a parent; the first is \"%s\"",
					   fsi_name_text(m, a->account), fsi_name_text(m, root->account));
		root = is_root_bank(a) ? a : root;
	}
	if (!root)
		return fsi_fail_with_code(f->imp.err, FS_EDATA, "%s: the root bank is missing: no bank without a parent is listed",
					  f->banks_file[0] ? f->banks_file : m->file);
	return 0;
}

/* Bank and user of an association, combined to one number. Duplicates are found by sorting these numbers. */
struct association_key {
	uint64_t key;
	uint32_t row;
};

static int compare_association_keys(const void *x, const void *y)
{
	const struct association_key *a = x, *b = y;

	if (a->key != b->key)
		return a->key > b->key ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

static int check_duplicate_rows(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	const size_t n = m->association.n;
	struct association_key *v = malloc((n + 1) * sizeof(*v));
	int rc = 0;

	if (!v)
		return fsi_fail_no_memory(f->imp.err);
	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct association_key){
			(uint64_t)m->association.v[i].account << 32 | m->association.v[i].user, i
		};
	qsort(v, n, sizeof(*v), compare_association_keys);
	for (size_t i = 1; i < n && !rc; i++) {
		const struct fsi_association *a = &m->association.v[v[i].row];
		const struct fsi_input_position where = { a->user ? f->users_file : f->banks_file, a->rec.line, 0 };

		if (v[i - 1].key == v[i].key)
			rc = fsi_fail_at(f->imp.err, where, a->user ? "username" : "bank", "%s%s%s\"%s\" appears twice",
					 a->user ? "user \"" : "bank ", fsi_name_text(m, a->user),
					 a->user ? "\" of bank " : "", fsi_name_text(m, a->account));
	}
	free(v);
	return rc;
}

/* Finds users of banks that have sub-banks, and warns of them. In a tree of flux-accounting's emulator, these users
 * take part in fair share. If the users come from flux-accounting's database, they do not take part, and the function
 * marks them as left out. */
static int mark_ignored_users(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	bool *has_banks = calloc((size_t)m->names.count + 1, sizeof(*has_banks));
	const struct fsi_association *first = NULL;
	size_t count = 0;

	if (!has_banks)
		return fsi_fail_no_memory(f->imp.err);
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->association.v[i].user)
			has_banks[m->association.v[i].parent] = true;
	for (size_t i = 0; i < m->association.n; i++) {
		struct fsi_association *a = &m->association.v[i];

		if (!a->user || !has_banks[a->account])
			continue;
		count++;
		first = first ? first : a;
		if (!f->is_tree)
			FSI_PUT(a, ASSOCIATION, left_out, true);
	}
	free(has_banks);
	if (count)
		fsi_model_add_warning(
			m,
			f->is_tree ? "user \"%s\" of bank \"%s\" is counted although the bank has sub-banks; "
				     "flux-accounting omits such users when it reads its database (such users: %zu)"
				   : "user \"%s\" of bank \"%s\" is left out: flux-accounting's fair share omits users "
				     "of banks with sub-banks (such users: %zu)",
			fsi_name_text(m, first->user), fsi_name_text(m, first->account), count);
	return 0;
}

/* ---- completeness of a tree in a partial capture */

/* Returns the sum of the usage of the bank's users and of its banks' total_usage. Sets *n to the number of summands. */
static double sum_bank_usage(const fs_snapshot *m, uint32_t bank, size_t *n)
{
	double sum = 0;

	*n = 0;
	for (size_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];

		if ((a->user ? a->account : a->parent) != bank)
			continue;
		sum += a->user ? a->usage_tres_s : a->total_usage;
		++*n;
	}
	return sum;
}

/* Returns true if the bank's usage is the sum of its users' and banks' usage, within the rounding of printed numbers to
 * two decimals. */
static bool has_whole_usage(const fs_snapshot *m, const struct fsi_association *bank)
{
	size_t n;
	const double sum = sum_bank_usage(m, bank->account, &n);

	return FSI_HAS(bank, ASSOCIATION, total_usage) &&
	       (!n || fabs(bank->total_usage - sum) <= 0.01 * (double)(n + 1) + 1e-9 * fabs(sum));
}

/* Returns true if the printed factor is a multiple of 1/users, as in a tree with this number of users. */
static bool has_rank_of_tree(const struct fsi_association *a, size_t users)
{
	const double printed = 5e-7, rank = a->fairshare * (double)users;

	return !FSI_HAS(a, ASSOCIATION, fairshare) || fabs(rank - round(rank)) <= 2 * printed * (double)users;
}

bool fsi_flux_is_whole_tree(const fs_snapshot *m)
{
	size_t roots = 0, users = 0;

	for (size_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];

		if (!FSI_HAS(a, ASSOCIATION, shares) || (!a->user && !has_whole_usage(m, a)))
			return false;
		users += a->user && !a->left_out;
		roots += !a->user && !a->parent && !strcmp(fsi_name_text(m, a->account), "root");
		if (!a->user && !a->parent && strcmp(fsi_name_text(m, a->account), "root") != 0)
			return false;
	}
	for (size_t i = 0; i < m->association.n; i++)
		if (!has_rank_of_tree(&m->association.v[i], users))
			return false;
	return roots == 1 && users;
}

int fsi_flux_check_banks(struct fsi_flux_import *f)
{
	int rc = f->partial ? 0 : check_single_root(f);

	if (!rc)
		rc = check_duplicate_rows(f);
	if (!rc && !f->is_tree && !f->partial)
		rc = drop_unreachable_rows(f);
	if (!rc)
		rc = mark_ignored_users(f);
	for (size_t i = 0; i < f->imp.m->association.n; i++)
		/* from here on no message needs the rows' line numbers, so they are removed */
		f->imp.m->association.v[i].rec.line = 0;
	return rc;
}

/* Rows of flux-accounting's listings, as JSON or as tables (fluxacct/accounting/formatter.py). Both forms have the same
 * column names; a table may have "true" where JSON has 1. */

struct row_reader {
	struct fsi_flux_import *f;
	fsi_flux_row_fn read_row;
	const struct fsi_required_key *keys;
	size_t nkeys;
	struct fsi_missing_keys lacking;
	struct fsi_pipe_table header;
	struct fsi_kv row;
	char numbers[FSI_FLUX_NUMBERS_SIZE];
};

static int format_json_number(const struct fsi_json *v, char *buf, size_t size)
{
	uint64_t u;
	int64_t i;

	if (!fsi_json_get_u64(v, &u))
		return snprintf(buf, size, "%llu", (unsigned long long)u);
	if (!fsi_json_get_i64(v, &i))
		return snprintf(buf, size, "%lld", (long long)i);
	return fsi_format_double(buf, fsi_json_get_double(v));
}

int fsi_flux_flatten_object(struct fsi_flux_import *f, const struct fsi_json *object, struct fsi_kv *row,
			    char buf[FSI_FLUX_NUMBERS_SIZE])
{
	size_t used = 0;

	row->n = 0;
	for (const struct fsi_json *v = fsi_json_first_child(object); v; v = fsi_json_next_sibling(v)) {
		const char *key = fsi_json_get_key(v);
		struct fsi_span *value = &row->value[row->n];

		if (row->n == FSI_KV_MAX || used + 2 * FSI_DOUBLE_TEXT > FSI_FLUX_NUMBERS_SIZE)
			return fsi_fail_at(f->imp.err, f->imp.where, key, "the JSON object has too many keys");
		if (fsi_kv_get_value(row, key).s)
			return fsi_fail_at(f->imp.err, f->imp.where, key, "the key appears twice in a JSON object");
		switch (fsi_json_get_type(v)) {
		case FSI_JSTRING:
			*value =
				(struct fsi_span){ fsi_json_get_string(v), strlen(fsi_json_get_string(v)) };
			break;
		case FSI_JBOOL:
			*value = fsi_json_get_bool(v) ? fsi_string_to_span("true") : fsi_string_to_span("false");
			break;
		case FSI_JNUMBER:
			*value = (struct fsi_span){
				buf + used, (size_t)format_json_number(v, buf + used, FSI_DOUBLE_TEXT)
			};
			used += value->len + 1;
			break;
		/* the text of a list or object stays empty; callers read the list or object from the JSON object */
		default:
			*value = (struct fsi_span){ "", 0 };
		}
		row->key[row->n++] = fsi_string_to_span(key);
	}
	return 0;
}

/* Counts the row's missing keys, and passes the row to the callback. */
static int pass_row_on(struct row_reader *r)
{
	r->lacking.records++;
	for (size_t i = 0; i < r->nkeys; i++)
		r->lacking.n[i] += !fsi_kv_get_value(&r->row, r->keys[i].key).len;
	return r->read_row(r->f, &r->row);
}

static int read_object_row(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct row_reader *r = ctx;
	int rc;

	(void)depth;
	r->f->imp.where = where;
	rc = fsi_flux_flatten_object(r->f, v, &r->row, r->numbers);
	return rc ? rc : pass_row_on(r);
}

static bool is_table_rule_line(struct fsi_span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.s[i] != '-' && line.s[i] != '+')
			return false;
	return true;
}

static void trim_column_name(char *name)
{
	const struct fsi_span v = fsi_span_trim_blanks(fsi_string_to_span(name));

	memmove(name, v.s, v.len);
	name[v.len] = '\0';
}

/* Sets *row to the names and cells of the table's current row. */
static void read_table_cells(const struct fsi_pipe_table *table, struct fsi_kv *row)
{
	for (row->n = 0; row->n < table->columns && row->n < FSI_KV_MAX; row->n++) {
		row->key[row->n] = fsi_string_to_span(table->names[row->n]);
		row->value[row->n] = fsi_span_trim_blanks(table->cell[row->n]);
	}
}

static int read_table_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct row_reader *r = ctx;
	size_t cells = 1;

	if (is_table_rule_line(fsi_span_trim_blanks(line)))
		return 0;
	for (size_t i = 0; i < line.len; i++)
		cells += line.s[i] == '|';
	if (!fsi_pipe_read_row(&r->header, line)) {
		for (size_t i = 0; i < r->header.columns; i++)
			trim_column_name(r->header.names[i]);
		return 0;
	}
	if (cells != r->header.columns)
		return fsi_fail_at(imp->err, imp->where, NULL, "expected %zu columns, got %zu",
				   r->header.columns, cells);
	read_table_cells(&r->header, &r->row);
	return pass_row_on(r);
}

int fsi_flux_read_rows(struct fsi_flux_import *f, const char *const *files, fsi_flux_row_fn fn,
		       const struct fsi_required_key *keys, size_t n)
{
	struct row_reader *r = calloc(1, sizeof(*r));
	static const char *const none[] = { NULL };
	const struct fsi_json_split split = { none, NULL, read_object_row, r };
	int rc = 1;

	if (!r)
		return fsi_fail_no_memory(f->imp.err);
	r->f = f;
	r->read_row = fn;
	r->keys = keys;
	r->nkeys = n;
	for (; *files && rc == 1; files++) {
		const size_t len = strlen(*files);
		const bool json = len > 5 && !strcmp(*files + len - 5, ".json");

		rc = json ? fsi_import_read_json(&f->imp, *files, &split)
			  : fsi_import_read_lines(&f->imp, *files, read_table_line, r);
		if (!rc && !json && r->header.columns < 2)
			rc = fsi_import_warn_incomplete(&f->imp, NULL, "%s/%s: the file is not a table: the command failed",
							f->imp.source->name, *files);
		if (!rc && !f->partial)
			rc = fsi_missing_keys_warn(&f->imp, &r->lacking, keys, n, *files);
	}
	free(r);
	return rc;
}

/* Converts the booleans of tables (true, false) and JSON (1, 0) to "yes" and "no". Other texts are returned
 * unchanged. */
static struct fsi_span normalise_boolean(struct fsi_span v)
{
	if (fsi_span_is_word(v, "true") || fsi_span_is_word(v, "1"))
		return fsi_string_to_span("yes");
	if (fsi_span_is_word(v, "false") || fsi_span_is_word(v, "0"))
		return fsi_string_to_span("no");
	return v;
}

struct fsi_span fsi_flux_get_number_text(struct fsi_span v)
{
	return fsi_span_is_word(v, "unlimited") ? fsi_string_to_span("2147483647") : v;
}

/* Returns true if the type is a number. A duration has its own value for "unlimited". */
static bool is_number_type(enum fsi_field_type type)
{
	return type == FSI_U32 || type == FSI_U64 || type == FSI_I32 || type == FSI_SHARES || type == FSI_DBL;
}

int fsi_flux_set_fields(struct fsi_flux_import *f, const struct fsi_kv *row, const struct fsi_field_map *map, size_t n,
			enum fsi_record_type type, struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		struct fsi_span v = fsi_kv_get_value(row, map[i].key);

		if (is_number_type(t->fields[map[i].bit].type))
			v = fsi_flux_get_number_text(v);
		if (t->fields[map[i].bit].type == FSI_BOOL)
			v = normalise_boolean(v);
		if (v.s)
			rc = fsi_import_set_field(&f->imp, t, map[i].bit, rec, v);
	}
	return rc;
}

/* Reads the tree that `flux account export-db -F` writes and flux-accounting's fair-share emulator reads. A bank is
 * {"bank", "shares", "usage", "children": [...]}, a user is {"username", "shares", "usage"}. The root is the value of
 * the key "root". The tree has no limits and no factors. The reader also reads the key "active" if an object has this
 * key. */

struct json_tree {
	struct fsi_flux_import *f;
	/* indexed by depth: association row of the JSON object that is currently open at this depth */
	FSI_VEC(uint32_t) open_rows;
	FSI_VEC(uint32_t) parent; /* indexed by association row: association row of the enclosing JSON object */
	/* the root is the value of the key "root" of an outer object; the association row that is made for the outer
	 * object is removed later */
	bool wrapped;
};

static int begin_tree_object(void *ctx, uint32_t depth)
{
	struct json_tree *t = ctx;
	struct fsi_association *a = add_flux_association(t->f);

	t->open_rows.n = depth;
	if (!a || FSI_VEC_RESERVE(&t->parent) || FSI_VEC_RESERVE(&t->open_rows))
		return fsi_fail_no_memory(t->f->imp.err);
	t->parent.v[t->parent.n++] = depth ? t->open_rows.v[depth - 1] : FSI_NO_INDEX;
	t->open_rows.v[t->open_rows.n++] = (uint32_t)(a - t->f->imp.m->association.v);
	return 0;
}

/* Fails if the object lacks a required key, or has a key that it must not have. */
static int check_tree_object(struct fsi_flux_import *f, const struct fsi_association *a, const struct fsi_json *v,
			     uint32_t depth)
{
	const struct {
		bool wrong;
		const char *key, *what;
	} faults[] = {
		{ a->user && a->account, "username", "an object cannot have both \"bank\" and \"username\"" },
		{ !a->user && !a->account, "bank", "the object has neither \"bank\" nor \"username\"" },
		{ !FSI_HAS(a, ASSOCIATION, shares), "shares", "missing" },
		{ a->user && !FSI_HAS(a, ASSOCIATION, usage_tres_s), "usage", "missing" },
		{ a->user && fsi_json_find_member(v, "children"), "children", "a user cannot have children" },
		{ a->user && !depth, "username", "the root must be a bank" },
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (faults[i].wrong)
			return fsi_fail_at(f->imp.err, f->imp.where, faults[i].key, "%s", faults[i].what);
	return 0;
}

static int read_tree_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	static const struct fsi_field_map map[] = {
		{ "bank", FSI_ASSOCIATION_account },  { "username", FSI_ASSOCIATION_user },
		{ "shares", FSI_ASSOCIATION_shares }, { "usage", FSI_ASSOCIATION_usage_tres_s },
		{ "active", FSI_ASSOCIATION_active },
	};
	struct json_tree *t = ctx;
	struct fsi_flux_import *f = t->f;
	struct fsi_association *a = &f->imp.m->association.v[t->open_rows.v[depth]];
	struct fsi_kv *row = malloc(sizeof(*row));
	char numbers[FSI_FLUX_NUMBERS_SIZE];
	int rc;

	f->imp.where = where;
	rc = row ? fsi_flux_flatten_object(f, v, row, numbers) : fsi_fail_no_memory(f->imp.err);
	if (!rc)
		rc = fsi_flux_set_fields(f, row, map, sizeof(map) / sizeof(*map), FSI_RECORD_ASSOCIATION, &a->rec);
	free(row);
	if (rc)
		return rc;
	a->rec.line = (uint32_t)where.line;
	if (!depth && !a->account && !a->user && fsi_json_find_member(v, "root")) {
		t->wrapped = true;
		return 0;
	}
	return check_tree_object(f, a, v, depth);
}

/* Sets account and parent of each row. The function is called after all rows are read, because an object's name may
 * follow its children. The usage of a bank is stored as its total_usage; a bank has no usage of its own, as in
 * flux-accounting's database. */
static void link_tree_rows(struct json_tree *t)
{
	fs_snapshot *m = t->f->imp.m;

	for (uint32_t i = t->wrapped; i < m->association.n; i++) {
		struct fsi_association *a = &m->association.v[i];
		const uint32_t p = t->parent.v[i];
		const uint32_t above = p == FSI_NO_INDEX || (t->wrapped && !p) ? 0 : m->association.v[p].account;

		if (a->user) {
			FSI_PUT(a, ASSOCIATION, account, above);
			continue;
		}
		a->parent = above;
		if (above)
			FSI_SET(a, ASSOCIATION, parent);
		if (FSI_HAS(a, ASSOCIATION, usage_tres_s))
			FSI_PUT(a, ASSOCIATION, total_usage, a->usage_tres_s);
		FSI_PUT(a, ASSOCIATION, usage_tres_s, 0);
	}
}

/* Warns of a bank whose usage differs from the sum of its users' usage by more than a rounding error. The snapshot uses
 * the sum. */
static void check_bank_usage(struct json_tree *t)
{
	fs_snapshot *m = t->f->imp.m;
	const uint32_t n = (uint32_t)m->association.n;
	double *sum = calloc((size_t)n + 1, sizeof(*sum));
	bool differs = false;

	m->out_of_memory |= !sum;
	for (uint32_t i = n; sum && i-- > t->wrapped;) {
		const struct fsi_association *a = &m->association.v[i];

		sum[i] += a->usage_tres_s;
		if (t->parent.v[i] != FSI_NO_INDEX)
			sum[t->parent.v[i]] += sum[i];
		if (differs || !FSI_HAS(a, ASSOCIATION, total_usage) ||
		    !(fabs(a->total_usage - sum[i]) > 1e-6 * (fabs(sum[i]) + a->total_usage)))
			continue;
		differs = true; /* only the first bank whose usage differs is reported */
		fsi_model_add_warning(
			m,
			"bank \"%s\" has the usage %.15g, but the users below the bank have %.15g in total: "
			"the import uses the total",
			fsi_name_text(m, a->account), a->total_usage, sum[i]);
	}
	free(sum);
}

/* Removes the association row that was made for the JSON object with the key "root". This object contains the root bank
 * but is not a bank. Does nothing if the file has no such object. */
static void remove_outer_row(struct json_tree *t)
{
	fs_snapshot *m = t->f->imp.m;

	if (!t->wrapped)
		return;
	m->association.n--;
	memmove(m->association.v, m->association.v + 1, m->association.n * sizeof(*m->association.v));
	for (size_t i = 0; i < m->association.n; i++)
		m->association.v[i].id--;
}

static int finish_json_tree(struct json_tree *t, int rc, const char *name)
{
	if (!rc) {
		snprintf(t->f->banks_file, sizeof(t->f->banks_file), "%s", name);
		snprintf(t->f->users_file, sizeof(t->f->users_file), "%s", name);
		t->f->is_tree = true;
		link_tree_rows(t);
		check_bank_usage(t);
		remove_outer_row(t);
	}
	FSI_VEC_FREE(&t->open_rows);
	FSI_VEC_FREE(&t->parent);
	return fsi_import_check_memory(&t->f->imp, rc);
}

static const char *const tree_keys[] = { "root", "children", NULL };

int fsi_flux_read_tree(struct fsi_flux_import *f, fs_read_fn read, void *stream, const char *name)
{
	struct json_tree t = { .f = f };
	const struct fsi_json_split split = { tree_keys, begin_tree_object, read_tree_object, &t };

	return finish_json_tree(&t, fsi_json_split_document(&split, read, stream, name, f->imp.err), name);
}

/* Reads a tree from a file of the capture. Returns 1 if the file is missing. */
static int read_tree_file(struct fsi_flux_import *f, const char *file)
{
	struct json_tree t = { .f = f };
	const struct fsi_json_split split = { tree_keys, begin_tree_object, read_tree_object, &t };

	return finish_json_tree(&t, fsi_import_read_json(&f->imp, file, &split), file);
}

/* Reads banks and users: `flux account view-bank root -t -P`, `list-banks`, `list-users`. view-bank also shows inactive
 * banks, and the order of banks. list-banks and list-users have all columns of bank_table and association_table. */

static const char *const bank_files[] = { "list-banks_--inactive_--json.json",
					  "list-banks_--json.json", "list-banks.txt", NULL };
static const char *const user_files[] = { "list-users_--json.json", "list-users_-j.json",
					  "list-users.txt", NULL };
static const char *const view_bank_file[] = { "view-bank_root_-t_-P.txt", NULL };
static const char export_file[] = "export-db_-F.json";

static const struct fsi_field_map bank_map[] = {
	{ "bank", FSI_ASSOCIATION_account },	      { "parent_bank", FSI_ASSOCIATION_parent },
	{ "active", FSI_ASSOCIATION_active },	      { "shares", FSI_ASSOCIATION_shares },
	{ "job_usage", FSI_ASSOCIATION_total_usage }, { "priority", FSI_ASSOCIATION_bank_priority },
};

static const struct fsi_field_map user_map[] = {
	{ "bank", FSI_ASSOCIATION_account },
	{ "username", FSI_ASSOCIATION_user },
	{ "active", FSI_ASSOCIATION_active },
	{ "shares", FSI_ASSOCIATION_shares },
	{ "job_usage", FSI_ASSOCIATION_usage_tres_s },
	{ "fairshare", FSI_ASSOCIATION_fairshare },
	{ "max_running_jobs", FSI_ASSOCIATION_max_jobs },
	{ "max_active_jobs", FSI_ASSOCIATION_max_submit_jobs },
	{ "max_sched_jobs", FSI_ASSOCIATION_max_sched_jobs },
	{ "max_nodes", FSI_ASSOCIATION_max_nodes },
	{ "max_cores", FSI_ASSOCIATION_max_cores },
	{ "queues", FSI_ASSOCIATION_queues },
	{ "projects", FSI_ASSOCIATION_projects },
};

static const struct fsi_field_map account_map[] = {
	{ "username", FSI_USER_name },
	{ "userid", FSI_USER_uid },
	{ "default_bank", FSI_USER_default_account },
};

/* Columns that each row of list-banks or list-users has (fluxacct/accounting/create_db.py: bank_table,
 * association_table). */
static const struct fsi_required_key required_bank_columns[] = {
	FSI_ALWAYS_REQUIRED("active"),
	FSI_ALWAYS_REQUIRED("job_usage"),
	FSI_ALWAYS_REQUIRED("priority"),
};
static const struct fsi_required_key required_user_columns[] = {
	FSI_ALWAYS_REQUIRED("active"),          FSI_ALWAYS_REQUIRED("job_usage"),
	FSI_ALWAYS_REQUIRED("fairshare"),       FSI_ALWAYS_REQUIRED("max_running_jobs"),
	FSI_ALWAYS_REQUIRED("max_active_jobs"), FSI_ALWAYS_REQUIRED("max_nodes"),
	FSI_ALWAYS_REQUIRED("max_cores"),       FSI_ALWAYS_REQUIRED("max_sched_jobs"),
};

#define MAP_LENGTH(a) (sizeof(a) / sizeof(*(a)))

static int check_required_column(struct fsi_flux_import *f, const struct fsi_kv *row, const char *column)
{
	const struct fsi_span v = fsi_kv_get_value(row, column);

	return v.s && v.len ? 0 : fsi_fail_at(f->imp.err, f->imp.where, column, "missing");
}

static void store_file_name(char to[200], const struct fsi_flux_import *f)
{
	strncpy(to, f->imp.where.file, 199);
}

/* Reads a row of list-banks. If view-bank has shown the bank already, adds the row's fields to that bank's record.
 * Fails if list-banks has a bank twice. */
static int read_bank_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_association *a;
	uint32_t name, at;
	int rc = check_required_column(f, row, "bank");

	if (!rc && !f->partial)
		rc = check_required_column(f, row, "shares");
	if (rc)
		return rc;
	store_file_name(f->banks_file, f);
	name = fsi_import_intern_name(&f->imp, fsi_kv_get_value(row, "bank"));
	at = fsi_flux_name_to_row(&f->bank, name);
	if (at != FSI_NO_INDEX && m->association.v[at].rec.line)
		return fsi_fail_at(f->imp.err, f->imp.where, "bank", "bank \"%s\" appears twice", fsi_name_text(m, name));
	a = at != FSI_NO_INDEX ? &m->association.v[at] : add_flux_association(f);
	if (!a)
		return fsi_fail_no_memory(f->imp.err);
	a->rec.line = (uint32_t)f->imp.where.line;
	rc = fsi_flux_set_fields(f, row, bank_map, MAP_LENGTH(bank_map), FSI_RECORD_ASSOCIATION, &a->rec);
	/* the bank has no usage besides the usage of its users */
	FSI_PUT(a, ASSOCIATION, usage_tres_s, 0);
	fsi_flux_add_name(f, &f->bank, name, (uint32_t)(a - m->association.v));
	return rc;
}

static int add_flux_user(struct fsi_flux_import *f, const struct fsi_kv *row, uint32_t name)
{
	struct fsi_user *u;

	if (!fsi_flux_add_name(f, &f->user, name, (uint32_t)f->imp.m->user.n))
		return 0;
	u = FSI_VEC_ADD(&f->imp.m->user);
	return u ? fsi_flux_set_fields(f, row, account_map, MAP_LENGTH(account_map), FSI_RECORD_USER, &u->rec)
		 : fsi_fail_no_memory(f->imp.err);
}

static int read_user_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	struct fsi_association *a;
	int rc = check_required_column(f, row, "username");

	if (!rc)
		rc = check_required_column(f, row, "bank");
	if (!rc && !f->partial)
		rc = check_required_column(f, row, "shares");
	if (rc)
		return rc;
	store_file_name(f->users_file, f);
	f->has_users = true;
	a = add_flux_association(f);
	if (!a)
		return fsi_fail_no_memory(f->imp.err);
	rc = fsi_flux_set_fields(f, row, user_map, MAP_LENGTH(user_map), FSI_RECORD_ASSOCIATION, &a->rec);
	return rc ? rc : add_flux_user(f, row, a->user);
}

/* ---- view-bank root -t -P */

static const struct fsi_field_map tree_bank_map[] = {
	{ "Active", FSI_ASSOCIATION_active },
	{ "RawShares", FSI_ASSOCIATION_shares },
	{ "RawUsage", FSI_ASSOCIATION_total_usage },
};

static const struct fsi_field_map tree_user_map[] = {
	{ "Active", FSI_ASSOCIATION_active },
	{ "RawShares", FSI_ASSOCIATION_shares },
	{ "RawUsage", FSI_ASSOCIATION_usage_tres_s },
	{ "Fairshare", FSI_ASSOCIATION_fairshare },
};

enum { TREE_DEPTH_MAX = 256 };

struct view_bank_reader {
	struct fsi_flux_import *f;
	struct fsi_pipe_table header;
	/* indexed by depth: name ID of the bank at this depth among the ancestors of the current row */
	uint32_t bank[TREE_DEPTH_MAX];
	size_t depth;
	/* the file is read twice. false: the current reading adds the banks; true: the current reading adds the
	 * users. */
	bool has_users;
};

static int read_tree_bank(struct view_bank_reader *t, const struct fsi_kv *row, size_t depth, struct fsi_span name)
{
	struct fsi_flux_import *f = t->f;
	struct fsi_association *a;
	const uint32_t id = fsi_import_intern_name(&f->imp, name);

	if (depth > t->depth || depth >= TREE_DEPTH_MAX || (!depth && t->depth))
		return fsi_fail_at(f->imp.err, f->imp.where, "Bank",
				   "wrong indentation: expected one root, at most 256 levels, and no bank more than "
				   "one level below the previous bank");
	t->bank[depth] = id;
	t->depth = depth + 1;
	if (t->has_users)
		return 0;
	if (fsi_flux_name_to_row(&f->bank, id) != FSI_NO_INDEX)
		return fsi_fail_at(f->imp.err, f->imp.where, "Bank", "bank \"%s\" appears twice",
				   fsi_name_text(f->imp.m, id));
	a = add_flux_association(f);
	if (!a)
		return fsi_fail_no_memory(f->imp.err);
	a->rec.line = 0; /* 0 means that no row of list-banks was read for this bank */
	FSI_PUT(a, ASSOCIATION, account, id);
	FSI_SET(a, ASSOCIATION, usage_tres_s);
	if (depth)
		FSI_PUT(a, ASSOCIATION, parent, t->bank[depth - 1]);
	store_file_name(f->banks_file, f);
	fsi_flux_add_name(f, &f->bank, id, (uint32_t)(a - f->imp.m->association.v));
	return fsi_flux_set_fields(f, row, tree_bank_map, MAP_LENGTH(tree_bank_map), FSI_RECORD_ASSOCIATION, &a->rec);
}

static int read_tree_user(struct view_bank_reader *t, const struct fsi_kv *row, struct fsi_span bank,
			  struct fsi_span user)
{
	struct fsi_association *a;

	if (!t->has_users)
		return 0;
	a = add_flux_association(t->f);
	if (!a)
		return fsi_fail_no_memory(t->f->imp.err);
	FSI_PUT(a, ASSOCIATION, account, fsi_import_intern_name(&t->f->imp, bank));
	FSI_PUT(a, ASSOCIATION, user, fsi_import_intern_name(&t->f->imp, user));
	store_file_name(t->f->users_file, t->f);
	t->f->has_users = true;
	return fsi_flux_set_fields(t->f, row, tree_user_map, MAP_LENGTH(tree_user_map), FSI_RECORD_ASSOCIATION,
				   &a->rec);
}

/* Reads a row of view-bank. Rows of banks lack the last column, Fairshare. All rows are indented by their depth in the
 * tree. */
static int read_view_bank_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct view_bank_reader *t = ctx;
	struct fsi_kv row;
	struct fsi_span bank, user;
	size_t depth = 0;

	(void)imp;
	if (!line.len || !fsi_pipe_read_row(&t->header, line))
		return 0;
	read_table_cells(&t->header, &row);
	bank = fsi_kv_get_value(&row, "Bank");
	user = fsi_kv_get_value(&row, "Username");
	if (!bank.s || !bank.len)
		return fsi_fail_at(t->f->imp.err, t->f->imp.where, "Bank", "missing");
	while (line.s[depth] == ' ')
		depth++;
	return user.len ? read_tree_user(t, &row, bank, user) : read_tree_bank(t, &row, depth, bank);
}

static int read_view_bank(struct fsi_flux_import *f, bool users)
{
	struct view_bank_reader *t = calloc(1, sizeof(*t));
	int rc;

	if (!t)
		return fsi_fail_no_memory(f->imp.err);
	t->f = f;
	t->has_users = users;
	rc = fsi_import_read_lines(&f->imp, view_bank_file[0], read_view_bank_line, t);
	free(t);
	return rc;
}

int fsi_flux_read_banks(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	int rc = read_view_bank(f, false);

	if (rc >= 0)
		rc = fsi_flux_read_rows(f, bank_files, read_bank_row, required_bank_columns,
					MAP_LENGTH(required_bank_columns));
	if (rc >= 0)
		rc = fsi_flux_read_rows(f, user_files, read_user_row, required_user_columns,
					MAP_LENGTH(required_user_columns));
	if (rc == 1 && m->association.n) {
		rc = read_view_bank(f, true);
		f->has_users = !rc; /* the tree shows all users; there may be none */
	}
	if (rc >= 0 && !m->association.n) {
		rc = read_tree_file(f, export_file);
		f->has_users = !rc;
	}
	if (rc < 0)
		return rc;
	rc = 0;
	if (f->banks_file[0])
		rc = fsi_flux_check_banks(f);
	if (!rc && (!f->banks_file[0] || !f->has_users))
		rc = fsi_import_hide_type(&f->imp, "association");
	return rc;
}

/* Reads the data that the priority plugin of flux-accounting stores for each association (`flux jobtap query
 * mf_priority.so`, plugins/accounting.cpp: Association::to_json). Of this data, only queue_factor is used. queue_factor
 * is the queue priority that the plugin applies to all jobs of the association.
 *
 *   {"mf_priority_map": [{"userid": 1, "banks": [{"bank_name": "x", "queue_factor": 3}]}]} */

static void add_plugin_bank(struct fsi_flux_import *f, const struct fsi_json *bank, uint64_t uid)
{
	const struct fsi_json *factor = fsi_json_find_member(bank, "queue_factor");
	const char *name = fsi_flux_string_value(fsi_json_find_member(bank, "bank_name"));
	struct fsi_flux_plugin_state h = { .uid = uid };
	int64_t n;

	if (!name || !factor || fsi_json_get_type(factor) != FSI_JNUMBER || fsi_json_get_i64(factor, &n) ||
	    n < INT32_MIN || n > INT32_MAX)
		return;
	h.bank = fsi_import_intern_name(&f->imp, fsi_string_to_span(name));
	h.queue_factor = (int32_t)n;
	if (FSI_VEC_RESERVE(&f->plugin_states))
		f->imp.m->out_of_memory = true;
	else
		f->plugin_states.v[f->plugin_states.n++] = h;
}

static int read_plugin_user(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct fsi_flux_import *f = ctx;
	const struct fsi_json *id = fsi_json_find_member(v, "userid");
	uint64_t uid;

	if (!depth && fsi_json_find_member(v, "mf_priority_map"))
		return 0;
	if (!id || fsi_json_get_type(id) != FSI_JNUMBER || fsi_json_get_u64(id, &uid))
		return fsi_fail_at(f->imp.err, where, "userid", "expected a number");
	for (const struct fsi_json *b = fsi_flux_first_child(fsi_json_find_member(v, "banks")); b;
	     b = fsi_json_next_sibling(b))
		if (fsi_json_get_type(b) == FSI_JOBJECT)
			add_plugin_bank(f, b, uid);
	return 0;
}

int fsi_flux_read_plugin(struct fsi_flux_import *f)
{
	static const char *const keys[] = { "mf_priority_map", NULL };
	const struct fsi_json_split split = { keys, NULL, read_plugin_user, f };
	const int rc = fsi_import_read_json(&f->imp, "flux_jobtap_query.json", &split);

	return rc < 0 ? rc : 0;
}

static int compare_plugin_uids(const void *a, const void *b, const void *ctx)
{
	const uint64_t x = ((const struct fsi_flux_plugin_state *)a)->uid,
		       y = ((const struct fsi_flux_plugin_state *)b)->uid;

	(void)ctx;
	return (x > y) - (x < y);
}

static size_t find_first_uid(const struct fsi_flux_import *f, uint64_t uid)
{
	size_t from = 0, to = f->plugin_states.n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (f->plugin_states.v[mid].uid < uid)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void set_user_queue_factors(struct fsi_flux_import *f, const struct fsi_user *u)
{
	fs_snapshot *m = f->imp.m;

	for (size_t k = find_first_uid(f, u->uid); k < f->plugin_states.n && f->plugin_states.v[k].uid == u->uid; k++) {
		const uint32_t row = fsi_assoc_find_by_names(m, f->plugin_states.v[k].bank, u->name, 0);

		if (row != FSI_NO_INDEX)
			FSI_PUT(&m->association.v[row], ASSOCIATION, queue_factor, f->plugin_states.v[k].queue_factor);
	}
}

int fsi_flux_set_queue_factors(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;

	if (fs_sort(f->plugin_states.v, f->plugin_states.n, sizeof(*f->plugin_states.v), compare_plugin_uids, NULL))
		return fsi_fail_no_memory(f->imp.err);
	for (size_t i = 0; i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid))
			set_user_queue_factors(f, &m->user.v[i]);
	return 0;
}
