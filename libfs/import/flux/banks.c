#include "base/num.h"
#include "import/consistency.h"
#include "import/flux/flux.h"
#include "import/flux/machine.h"
#include "model/find.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What makes banks and users a tree, and what flux-accounting's reader does where they make none
 * (src/fairness/reader/data_reader_db.cpp): it starts at the root and goes from bank to bank by name, past inactive
 * ones, and takes users only of banks that have no sub-banks. */

uint32_t fsi_flux_numbered(const struct fsi_flux_names *v, uint32_t name)
{
	return name < v->cap && v->row[name] ? v->row[name] - 1 : FSI_NO_INDEX;
}

int fsi_flux_number(struct fsi_flux_names *v, uint32_t name, uint32_t row)
{
	if (name >= v->cap) {
		const size_t cap = ((size_t)name + 64) * 2;
		uint32_t *p = realloc(v->row, cap * sizeof(*p));

		if (!p)
			return -1;
		memset(p + v->cap, 0, (cap - v->cap) * sizeof(*p));
		v->row = p;
		v->cap = cap;
	}
	if (v->row[name])
		return 1;
	v->row[name] = row + 1;
	return 0;
}

/* Adds an association of the line at hand; NULL without memory. */
static struct fsi_association *flux_association(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_association *a = FSI_VEC_ADD(&m->association);

	if (!a)
		return NULL;
	FSI_PUT(a, ASSOCIATION, id, (uint32_t)m->association.n);
	a->rec.line = (uint32_t)f->imp.where.line;
	return a;
}

static uint32_t parent_row(const struct fsi_flux_import *f, const struct fsi_association *a)
{
	return fsi_flux_numbered(&f->bank, a->user ? a->account : a->parent);
}

enum way { NOT_TRIED, TRIED, ENDS, BREAKS };

/* Does the way up from row i end at a root? The answer is kept for all rows on it. A circle counts as one: the model
 * refuses it. */
static enum way way_up(const struct fsi_flux_import *f, uint32_t i, unsigned char *way)
{
	const struct fsi_association *v = f->imp.m->association.v;
	enum way found = NOT_TRIED;
	uint32_t at = i;

	while (!found) {
		if (way[at])
			found = way[at] == BREAKS ? BREAKS : ENDS;
		else if (!v[at].user && !v[at].parent)
			found = ENDS;
		way[at] = way[at] ? way[at] : TRIED;
		at = found ? at : parent_row(f, &v[at]);
		if (at == FSI_NO_INDEX)
			found = BREAKS;
	}
	for (at = i; at != FSI_NO_INDEX && way[at] == TRIED; at = parent_row(f, &v[at]))
		way[at] = (unsigned char)found;
	return found;
}

static void warn_unreached(struct fsi_flux_import *f, const struct fsi_association *a, size_t count)
{
	const fs_snapshot *m = f->imp.m;

	fsi_warn(
		f->imp.m,
		"%s \"%s\": no bank \"%s\" is listed%s; flux-accounting's fair share does not reach %s "
		"either: left out (%zu in all)",
		a->user ? "user" : "bank", fsi_str(m, a->user ? a->user : a->account),
		fsi_str(m, a->user ? a->account : a->parent), a->user ? "" : " above it",
		count > 1 ? "them" : "it", count);
}

/* Drops rows whose bank is not listed (inactive ones need --inactive), and all below them. */
static int drop_unreached(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_association first = { .id = 0 };
	unsigned char *way = calloc(m->association.n + 1, 1);
	size_t kept = 0, dropped = 0;

	if (!way)
		return fsi_nomem(f->imp.err);
	for (uint32_t i = 0; i < m->association.n; i++)
		if (way_up(f, i, way) == BREAKS && !dropped++)
			first = m->association.v[i];
	if (dropped)
		warn_unreached(f, &first, dropped);
	for (size_t i = 0; i < m->association.n; i++)
		if (way[i] != BREAKS)
			m->association.v[kept++] = m->association.v[i];
	m->association.n = kept;
	free(way);
	return 0;
}

static bool is_root(const struct fsi_association *a)
{
	return !a->user && !a->parent;
}

static int check_root(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	const struct fsi_association *root = NULL;

	for (size_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];

		if (is_root(a) && root)
			return fsi_fail_at(
				f->imp.err, (struct fsi_where){ f->banks_file, a->rec.line, 0 },
				"parent_bank",
				"bank \"%s\": a second bank without parent; the first is \"%s\"",
				fsi_str(m, a->account), fsi_str(m, root->account));
		root = is_root(a) ? a : root;
	}
	if (!root)
		return fsi_fail(f->imp.err, FS_EDATA, "%s: no bank without parent: there is no root",
				f->banks_file[0] ? f->banks_file : m->file);
	return 0;
}

/* The bank and user of an association as one number, which is sorted to find those that stand twice. */
struct twin {
	uint64_t key;
	uint32_t row;
};

static int cmp_twin(const void *x, const void *y)
{
	const struct twin *a = x, *b = y;

	if (a->key != b->key)
		return a->key > b->key ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

static int check_twins(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	const size_t n = m->association.n;
	struct twin *v = malloc((n + 1) * sizeof(*v));
	int rc = 0;

	if (!v)
		return fsi_nomem(f->imp.err);
	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct twin){
			(uint64_t)m->association.v[i].account << 32 | m->association.v[i].user, i
		};
	qsort(v, n, sizeof(*v), cmp_twin);
	for (size_t i = 1; i < n && !rc; i++) {
		const struct fsi_association *a = &m->association.v[v[i].row];
		const struct fsi_where where = { a->user ? f->users_file : f->banks_file,
						 a->rec.line, 0 };

		if (v[i - 1].key == v[i].key)
			rc = fsi_fail_at(f->imp.err, where, a->user ? "username" : "bank", "%s%s%s\"%s\" appears twice",
					 a->user ? "user \"" : "bank ", fsi_str(m, a->user),
					 a->user ? "\" of bank " : "", fsi_str(m, a->account));
	}
	free(v);
	return rc;
}

/* An emulator's tree is read with the users of a bank that has sub-banks, the tables without them. Either is warned
 * of. */
static int mark_left_out(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	bool *has_banks = calloc((size_t)m->names.count + 1, sizeof(*has_banks));
	const struct fsi_association *first = NULL;
	size_t count = 0;

	if (!has_banks)
		return fsi_nomem(f->imp.err);
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->association.v[i].user)
			has_banks[m->association.v[i].parent] = true;
	for (size_t i = 0; i < m->association.n; i++) {
		struct fsi_association *a = &m->association.v[i];

		if (!a->user || !has_banks[a->account])
			continue;
		count++;
		first = first ? first : a;
		if (f->tree)
			continue;
		FSI_PUT(a, ASSOCIATION, left_out, true);
	}
	free(has_banks);
	if (!count)
		return 0;
	return fsi_warn(
		       m,
		       f->tree ? "user \"%s\" of bank \"%s\", which has sub-banks: counted, as the tree walk does, "
				 "though flux-accounting's own reader of its database would leave such users out "
				 "(%zu in all)"
			       : "user \"%s\" of bank \"%s\", which has sub-banks: left out, as flux-accounting's fair "
				 "share leaves out users of such banks (%zu in all)",
		       fsi_str(m, first->user), fsi_str(m, first->account), count)
		       ? fsi_nomem(f->imp.err)
		       : 0;
}

int fsi_flux_check(struct fsi_flux_import *f)
{
	int rc = f->partial ? 0 : check_root(f);

	if (!rc)
		rc = check_twins(f);
	if (!rc && !f->tree && !f->partial)
		rc = drop_unreached(f);
	if (!rc)
		rc = mark_left_out(f);
	for (size_t i = 0; i < f->imp.m->association.n; i++)
		f->imp.m->association.v[i].rec.line = 0; /* from here on there is no line to name */
	return rc;
}

/* Rows of flux-accounting's listings, which come as JSON and as tables (fluxacct/accounting/formatter.py): the
 * same names of columns, "true" for 1 in a table. */

struct reader {
	struct fsi_flux_import *f;
	fsi_flux_row_fn fn;
	const struct fsi_required *keys;
	size_t nkeys;
	struct fsi_lacking lacking;
	struct fsi_pipe header;
	struct fsi_kv row;
	char numbers[FSI_FLUX_NUMBERS];
};

static int number_text(const struct fsi_json *v, char *buf, size_t size)
{
	uint64_t u;
	int64_t i;

	if (!fsi_json_u64(v, &u))
		return snprintf(buf, size, "%llu", (unsigned long long)u);
	if (!fsi_json_i64(v, &i))
		return snprintf(buf, size, "%lld", (long long)i);
	return fsi_format_double(buf, fsi_json_double(v));
}

int fsi_flux_flatten(struct fsi_flux_import *f, const struct fsi_json *object, struct fsi_kv *row,
		     char buf[FSI_FLUX_NUMBERS])
{
	size_t used = 0;

	row->n = 0;
	for (const struct fsi_json *v = fsi_json_first(object); v; v = fsi_json_next(v)) {
		const char *key = fsi_json_key(v);
		struct fsi_span *value = &row->value[row->n];

		if (row->n == FSI_KV_MAX || used + 2 * FSI_DOUBLE_TEXT > FSI_FLUX_NUMBERS)
			return fsi_fail_at(f->imp.err, f->imp.where, key, "too many keys");
		if (fsi_kv_get(row, key).s)
			return fsi_fail_at(f->imp.err, f->imp.where, key, "duplicate key");
		switch (fsi_json_type(v)) {
		case FSI_JSTRING:
			*value =
				(struct fsi_span){ fsi_json_string(v), strlen(fsi_json_string(v)) };
			break;
		case FSI_JBOOL:
			*value = fsi_json_bool(v) ? fsi_span_of("true") : fsi_span_of("false");
			break;
		case FSI_JNUMBER:
			*value = (struct fsi_span){
				buf + used, (size_t)number_text(v, buf + used, FSI_DOUBLE_TEXT)
			};
			used += value->len + 1;
			break;
		default: /* lists and objects are left to callers that know them */
			*value = (struct fsi_span){ "", 0 };
		}
		row->key[row->n++] = fsi_span_of(key);
	}
	return 0;
}

static int take_row(struct reader *r)
{
	r->lacking.records++;
	for (size_t i = 0; i < r->nkeys; i++)
		r->lacking.n[i] += !fsi_kv_get(&r->row, r->keys[i].key).len;
	return r->fn(r->f, &r->row);
}

static int json_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct reader *r = ctx;
	int rc;

	(void)depth;
	r->f->imp.where = where;
	rc = fsi_flux_flatten(r->f, v, &r->row, r->numbers);
	return rc ? rc : take_row(r);
}

static bool is_rule(struct fsi_span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.s[i] != '-' && line.s[i] != '+')
			return false;
	return true;
}

static void trim_name(char *name)
{
	const struct fsi_span v = fsi_span_trim(fsi_span_of(name));

	memmove(name, v.s, v.len);
	name[v.len] = '\0';
}

static int table_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reader *r = ctx;
	size_t cells = 1;

	if (is_rule(fsi_span_trim(line)))
		return 0;
	for (size_t i = 0; i < line.len; i++)
		cells += line.s[i] == '|';
	if (!fsi_pipe_row(&r->header, line)) {
		for (size_t i = 0; i < r->header.columns; i++)
			trim_name(r->header.names[i]);
		return 0;
	}
	if (cells != r->header.columns)
		return fsi_fail_at(imp->err, imp->where, NULL, "expected %zu columns, got %zu",
				   r->header.columns, cells);
	for (r->row.n = 0; r->row.n < cells && r->row.n < FSI_KV_MAX; r->row.n++) {
		const char *name = r->header.names[r->row.n];

		r->row.key[r->row.n] = fsi_span_of(name);
		r->row.value[r->row.n] = fsi_span_trim(r->header.cell[r->row.n]);
	}
	return take_row(r);
}

int fsi_flux_rows(struct fsi_flux_import *f, const char *const *files, fsi_flux_row_fn fn,
		  const struct fsi_required *keys, size_t n)
{
	struct reader *r = calloc(1, sizeof(*r));
	static const char *const none[] = { NULL };
	const struct fsi_json_split split = { none, NULL, json_object, r };
	int rc = 1;

	if (!r)
		return fsi_nomem(f->imp.err);
	r->f = f;
	r->fn = fn;
	r->keys = keys;
	r->nkeys = n;
	for (; *files && rc == 1; files++) {
		const size_t len = strlen(*files);
		const bool json = len > 5 && !strcmp(*files + len - 5, ".json");

		rc = json ? fsi_import_json(&f->imp, *files, &split) : fsi_import_lines(&f->imp, *files, table_line, r);
		if (!rc && !json && r->header.columns < 2)
			rc = fsi_import_incomplete(&f->imp, NULL, "%s/%s: it is no table: the command failed", f->imp.source->name,
						   *files);
		if (!rc && !f->partial)
			rc = fsi_lacking_warn(&f->imp, &r->lacking, keys, n, *files);
	}
	free(r);
	return rc;
}

/* JSON has 1 and 0 where tables have true and false. */
static struct fsi_span truth(struct fsi_span v)
{
	if (fsi_span_is(v, "true") || fsi_span_is(v, "1"))
		return fsi_span_of("yes");
	if (fsi_span_is(v, "false") || fsi_span_is(v, "0"))
		return fsi_span_of("no");
	return v;
}

int fsi_flux_set(struct fsi_flux_import *f, const struct fsi_kv *row, const struct fsi_import_map *map, size_t n,
		 enum fsi_record_type type, struct fsi_rec *rec)
{
	static const struct fsi_span unlimited = { "2147483647", 10 };
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		struct fsi_span v = fsi_kv_get(row, map[i].key);

		if (t->fields[map[i].bit].type == FSI_U32 && fsi_span_is(v, "unlimited"))
			v = unlimited;
		if (t->fields[map[i].bit].type == FSI_BOOL)
			v = truth(v);
		if (v.s)
			rc = fsi_import_set(&f->imp, t, map[i].bit, rec, v);
	}
	return rc;
}

/* The tree that `flux account export-db -F` writes and flux-accounting's fair-share emulator reads: a bank is
 * {"bank", "shares", "usage", "children": [...]}, a user {"username", "shares", "usage"}; the root stands under
 * "root". It shows neither limits nor factors; "active" is honoured where it stands. */

struct tree {
	struct fsi_flux_import *f;
	FSI_VEC(uint32_t) open;   /* rows, by depth */
	FSI_VEC(uint32_t) parent; /* by row: its parent's row */
	bool wrapped;
};

static int begin(void *ctx, uint32_t depth)
{
	struct tree *t = ctx;
	struct fsi_association *a = flux_association(t->f);

	if (!a || FSI_VEC_ROOM(&t->parent))
		return fsi_nomem(t->f->imp.err);
	t->parent.v[t->parent.n++] = depth ? t->open.v[depth - 1] : FSI_NO_INDEX;
	t->open.n = depth;
	if (FSI_VEC_ROOM(&t->open))
		return fsi_nomem(t->f->imp.err);
	t->open.v[t->open.n++] = (uint32_t)(a - t->f->imp.m->association.v);
	return 0;
}

static int node(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	static const struct fsi_import_map map[] = {
		{ "bank", FSI_ASSOCIATION_account },  { "username", FSI_ASSOCIATION_user },
		{ "shares", FSI_ASSOCIATION_shares }, { "usage", FSI_ASSOCIATION_usage_tres_s },
		{ "active", FSI_ASSOCIATION_active },
	};
	struct tree *t = ctx;
	struct fsi_flux_import *f = t->f;
	struct fsi_association *a = &f->imp.m->association.v[t->open.v[depth]];
	struct fsi_kv *row = malloc(sizeof(*row));
	char numbers[FSI_FLUX_NUMBERS];
	int rc;

	f->imp.where = where;
	rc = row ? fsi_flux_flatten(f, v, row, numbers) : fsi_nomem(f->imp.err);
	if (!rc)
		rc = fsi_flux_set(f, row, map, sizeof(map) / sizeof(*map), FSI_RECORD_ASSOCIATION, &a->rec);
	free(row);
	if (rc)
		return rc;
	a->rec.line = (uint32_t)where.line;
	if (!depth && !a->account && !a->user && fsi_json_member(v, "root")) {
		t->wrapped = true;
		return 0;
	}
	if (!a->account == !a->user)
		return fsi_fail_at(f->imp.err, where, a->user ? "username" : "bank",
				   a->user ? "a bank and a user at once" : "neither \"bank\" nor \"username\"");
	if (!FSI_HAS(a, ASSOCIATION, shares))
		return fsi_fail_at(f->imp.err, where, "shares", "missing");
	if (a->user && !FSI_HAS(a, ASSOCIATION, usage_tres_s))
		return fsi_fail_at(f->imp.err, where, "usage", "missing");
	if (a->user && fsi_json_member(v, "children"))
		return fsi_fail_at(f->imp.err, where, "children", "a user has none");
	if (a->user && !depth)
		return fsi_fail_at(f->imp.err, where, "username", "the root must be a bank");
	return 0;
}

/* Parents are found when all has been read, since only then all names are known. A bank's own number counts nothing,
 * as in the database. */
static void link_up(struct tree *t)
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

/* Warns of a bank whose number is not what its users add up to, rounding apart: the users count. */
static int compare_usage(struct tree *t)
{
	fs_snapshot *m = t->f->imp.m;
	const uint32_t n = (uint32_t)m->association.n;
	double *sum = calloc((size_t)n + 1, sizeof(*sum));
	int rc = sum ? 0 : fsi_nomem(t->f->imp.err);

	for (uint32_t i = n; sum && i-- > t->wrapped;) {
		const struct fsi_association *a = &m->association.v[i];

		sum[i] += a->usage_tres_s;
		if (t->parent.v[i] != FSI_NO_INDEX)
			sum[t->parent.v[i]] += sum[i];
		if (!rc && FSI_HAS(a, ASSOCIATION, total_usage) &&
		    fabs(a->total_usage - sum[i]) > 1e-6 * (fabs(sum[i]) + a->total_usage)) {
			rc = fsi_warn(m, "bank \"%s\": usage %.15g is not that of its users, %.15g: theirs counts",
				     fsi_str(m, a->account), a->total_usage, sum[i])
				     ? fsi_nomem(t->f->imp.err)
				     : 1;
		}
	}
	free(sum);
	return rc < 0 ? rc : 0; /* one such bank is enough to warn of */
}

/* Drops the row of the object around the root. */
static void unwrap(struct tree *t)
{
	fs_snapshot *m = t->f->imp.m;

	if (!t->wrapped)
		return;
	m->association.n--;
	memmove(m->association.v, m->association.v + 1, m->association.n * sizeof(*m->association.v));
	for (size_t i = 0; i < m->association.n; i++)
		m->association.v[i].id--;
}

static int finish(struct tree *t, int rc, const char *name)
{
	if (!rc) {
		snprintf(t->f->banks_file, sizeof(t->f->banks_file), "%s", name);
		snprintf(t->f->users_file, sizeof(t->f->users_file), "%s", name);
		t->f->tree = true;
		link_up(t);
		rc = compare_usage(t);
		unwrap(t);
	}
	FSI_VEC_FREE(&t->open);
	FSI_VEC_FREE(&t->parent);
	return rc;
}

static const char *const tree_keys[] = { "root", "children", NULL };

int fsi_flux_tree(struct fsi_flux_import *f, fs_read_fn read, void *stream, const char *name)
{
	struct tree t = { .f = f };
	const struct fsi_json_split split = { tree_keys, begin, node, &t };

	return finish(&t, fsi_json_split(&split, read, stream, name, f->imp.err), name);
}

/* Reads a tree from a file of the folder. Returns 1 if the file is missing. */
static int flux_tree_file(struct fsi_flux_import *f, const char *file)
{
	struct tree t = { .f = f };
	const struct fsi_json_split split = { tree_keys, begin, node, &t };

	return finish(&t, fsi_import_json(&f->imp, file, &split), file);
}

/* Banks and users: `flux account view-bank root -t -P`, `list-banks`, `list-users`. The first shows inactive
 * banks too, and their order; the others have all columns of bank_table and association_table. */

static const char *const bank_files[] = { "list-banks_--inactive_--json.json",
					  "list-banks_--json.json", "list-banks.txt", NULL };
static const char *const user_files[] = { "list-users_--json.json", "list-users_-j.json",
					  "list-users.txt", NULL };
static const char *const tree_files[] = { "view-bank_root_-t_-P.txt", NULL };
static const char export_file[] = "export-db_-F.json";

static const struct fsi_import_map bank_map[] = {
	{ "bank", FSI_ASSOCIATION_account },	      { "parent_bank", FSI_ASSOCIATION_parent },
	{ "active", FSI_ASSOCIATION_active },	      { "shares", FSI_ASSOCIATION_shares },
	{ "job_usage", FSI_ASSOCIATION_total_usage }, { "priority", FSI_ASSOCIATION_bank_priority },
};

static const struct fsi_import_map user_map[] = {
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

static const struct fsi_import_map account_map[] = {
	{ "username", FSI_USER_name },
	{ "userid", FSI_USER_uid },
	{ "default_bank", FSI_USER_default_account },
};

/* Columns of each row (fluxacct/accounting/create_db.py: bank_table, association_table). */
static const struct fsi_required of_banks[] = {
	FSI_ALWAYS("active"),
	FSI_ALWAYS("job_usage"),
	FSI_ALWAYS("priority"),
};
static const struct fsi_required of_users[] = {
	FSI_ALWAYS("active"),	    FSI_ALWAYS("job_usage"),	FSI_ALWAYS("fairshare"),
	FSI_ALWAYS("max_running_jobs"), FSI_ALWAYS("max_active_jobs"),	FSI_ALWAYS("max_nodes"),
	FSI_ALWAYS("max_cores"),	    FSI_ALWAYS("max_sched_jobs"),
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static int required(struct fsi_flux_import *f, const struct fsi_kv *row, const char *column)
{
	const struct fsi_span v = fsi_kv_get(row, column);

	return v.s && v.len ? 0 : fsi_fail_at(f->imp.err, f->imp.where, column, "missing");
}

static void remember_file(char to[200], const struct fsi_flux_import *f)
{
	strncpy(to, f->imp.where.file, 199);
}

static int bank_name(struct fsi_flux_import *f, const struct fsi_kv *row, uint32_t *name)
{
	const int rc = required(f, row, "bank");

	*name = rc ? 0 : fsi_import_name(&f->imp, fsi_kv_get(row, "bank"));
	return *name == FSI_INTERN_FAILED ? fsi_nomem(f->imp.err) : rc;
}

static int banks_add_bank(struct fsi_flux_import *f, uint32_t name, const struct fsi_association *a)
{
	return fsi_flux_number(&f->bank, name, (uint32_t)(a - f->imp.m->association.v)) < 0 ? fsi_nomem(f->imp.err) : 0;
}

/* A bank of view-bank is filled in; one that list-banks has twice is refused. */
static int list_bank(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	struct fsi_association *a;
	uint32_t name = 0, at;
	int rc = bank_name(f, row, &name);

	if (rc || (!f->partial && (rc = required(f, row, "shares"))))
		return rc;
	remember_file(f->banks_file, f);
	at = fsi_flux_numbered(&f->bank, name);
	if (at != FSI_NO_INDEX && f->imp.m->association.v[at].rec.line)
		return fsi_fail_at(f->imp.err, f->imp.where, "bank", "bank \"%s\" appears twice",
				   fsi_str(f->imp.m, name));
	a = at != FSI_NO_INDEX ? &f->imp.m->association.v[at] : flux_association(f);
	if (!a)
		return fsi_nomem(f->imp.err);
	a->rec.line = (uint32_t)f->imp.where.line;
	rc = fsi_flux_set(f, row, bank_map, COUNT(bank_map), FSI_RECORD_ASSOCIATION, &a->rec);
	a->usage_tres_s = 0; /* what it used is all its users' */
	FSI_SET(a, ASSOCIATION, usage_tres_s);
	return rc ? rc : banks_add_bank(f, name, a);
}

static int add_user_record(struct fsi_flux_import *f, const struct fsi_kv *row, uint32_t name)
{
	struct fsi_user *u;
	const int rc = fsi_flux_number(&f->user, name, (uint32_t)f->imp.m->user.n);

	if (rc)
		return rc < 0 ? fsi_nomem(f->imp.err) : 0;
	u = FSI_VEC_ADD(&f->imp.m->user);
	return u ? fsi_flux_set(f, row, account_map, COUNT(account_map), FSI_RECORD_USER, &u->rec)
		 : fsi_nomem(f->imp.err);
}

static int list_user(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	struct fsi_association *a;
	int rc = required(f, row, "username");

	if (!rc)
		rc = required(f, row, "bank");
	if (!rc && !f->partial)
		rc = required(f, row, "shares");
	if (rc)
		return rc;
	remember_file(f->users_file, f);
	f->users = true;
	a = flux_association(f);
	if (!a)
		return fsi_nomem(f->imp.err);
	rc = fsi_flux_set(f, row, user_map, COUNT(user_map), FSI_RECORD_ASSOCIATION, &a->rec);
	return rc ? rc : add_user_record(f, row, a->user);
}

/* ---- view-bank root -t -P ---- */

static const struct fsi_import_map tree_bank_map[] = {
	{ "Active", FSI_ASSOCIATION_active },
	{ "RawShares", FSI_ASSOCIATION_shares },
	{ "RawUsage", FSI_ASSOCIATION_total_usage },
};

static const struct fsi_import_map tree_user_map[] = {
	{ "Active", FSI_ASSOCIATION_active },
	{ "RawShares", FSI_ASSOCIATION_shares },
	{ "RawUsage", FSI_ASSOCIATION_usage_tres_s },
	{ "Fairshare", FSI_ASSOCIATION_fairshare },
};

enum { TREE_DEPTH = 256 };

struct tree_lines {
	struct fsi_flux_import *f;
	struct fsi_pipe header;
	uint32_t bank[TREE_DEPTH]; /* names, by depth */
	size_t depth;
	bool users; /* second pass: users, not banks */
};

static int tree_bank(struct tree_lines *t, const struct fsi_kv *row, size_t depth, struct fsi_span name)
{
	struct fsi_flux_import *f = t->f;
	struct fsi_association *a;
	uint32_t id = fsi_import_name(&f->imp, name);

	if (id == FSI_INTERN_FAILED)
		return fsi_nomem(f->imp.err);
	if (depth > t->depth || depth >= TREE_DEPTH || (!depth && t->depth))
		return fsi_fail_at(f->imp.err, f->imp.where, "Bank",
				   "indented deeper than a child of the bank before it");
	t->bank[depth] = id;
	t->depth = depth + 1;
	if (t->users)
		return 0;
	if (fsi_flux_numbered(&f->bank, id) != FSI_NO_INDEX)
		return fsi_fail_at(f->imp.err, f->imp.where, "Bank", "bank \"%s\" appears twice",
				   fsi_str(f->imp.m, id));
	a = flux_association(f);
	if (!a)
		return fsi_nomem(f->imp.err);
	a->rec.line = 0; /* list-banks may show it again */
	FSI_PUT(a, ASSOCIATION, account, id);
	a->parent = depth ? t->bank[depth - 1] : 0;
	FSI_SET(a, ASSOCIATION, usage_tres_s);
	if (depth)
		FSI_SET(a, ASSOCIATION, parent);
	remember_file(f->banks_file, f);
	const int rc = fsi_flux_set(f, row, tree_bank_map, COUNT(tree_bank_map), FSI_RECORD_ASSOCIATION, &a->rec);
	return rc ? rc : banks_add_bank(f, id, a);
}

static int tree_user(struct tree_lines *t, const struct fsi_kv *row, struct fsi_span bank, struct fsi_span user)
{
	struct fsi_association *a;

	if (!t->users)
		return 0;
	a = flux_association(t->f);
	if (!a)
		return fsi_nomem(t->f->imp.err);
	a->account = fsi_import_name(&t->f->imp, bank);
	a->user = fsi_import_name(&t->f->imp, user);
	if (a->account == FSI_INTERN_FAILED || a->user == FSI_INTERN_FAILED)
		return fsi_nomem(t->f->imp.err);
	FSI_SET(a, ASSOCIATION, account);
	FSI_SET(a, ASSOCIATION, user);
	remember_file(t->f->users_file, t->f);
	t->f->users = true;
	return fsi_flux_set(t->f, row, tree_user_map, COUNT(tree_user_map), FSI_RECORD_ASSOCIATION, &a->rec);
}

/* Rows of banks have one column less than those of users; both are indented by their depth. */
static int tree_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct tree_lines *t = ctx;
	struct fsi_kv row = { .n = 0 };
	struct fsi_span bank, user;
	size_t depth = 0;

	(void)imp;
	if (!line.len || !fsi_pipe_row(&t->header, line))
		return 0;
	for (; row.n < t->header.columns; row.n++) {
		const char *name = t->header.names[row.n];

		row.key[row.n] = fsi_span_of(name);
		row.value[row.n] = fsi_span_trim(t->header.cell[row.n]);
	}
	bank = fsi_kv_get(&row, "Bank");
	user = fsi_kv_get(&row, "Username");
	if (!bank.s || !bank.len)
		return fsi_fail_at(t->f->imp.err, t->f->imp.where, "Bank", "missing");
	while (line.s[depth] == ' ')
		depth++;
	return user.len ? tree_user(t, &row, bank, user) : tree_bank(t, &row, depth, bank);
}

static int read_tree(struct fsi_flux_import *f, bool users)
{
	struct tree_lines *t = calloc(1, sizeof(*t));
	int rc;

	if (!t)
		return fsi_nomem(f->imp.err);
	t->f = f;
	t->users = users;
	rc = fsi_import_lines(&f->imp, tree_files[0], tree_line, t);
	free(t);
	return rc;
}

int fsi_flux_banks(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;
	int rc = read_tree(f, false);

	if (rc >= 0)
		rc = fsi_flux_rows(f, bank_files, list_bank, of_banks, COUNT(of_banks));
	if (rc >= 0)
		rc = fsi_flux_rows(f, user_files, list_user, of_users, COUNT(of_users));
	if (rc == 1 && m->association.n)
		rc = read_tree(f, true);
	if (rc >= 0 && !m->association.n) {
		rc = flux_tree_file(f, export_file);
		f->users = !rc;
	}
	if (rc < 0)
		return rc;
	rc = 0;
	if (f->banks_file[0])
		rc = fsi_flux_check(f);
	if (!rc && (!f->banks_file[0] || !f->users))
		rc = fsi_import_hide(&f->imp, "association");
	return rc;
}

/* What flux-accounting's priority plugin holds for each association (`flux jobtap query mf_priority.so`,
 * plugins/accounting.cpp: Association::to_json): of it the priority of a queue that it counts for all jobs there.
 *
 *   {"mf_priority_map": [{"userid": 1, "banks": [{"bank_name": "x", "queue_factor": 3}]}]} */

static int plugin_add_bank(struct fsi_flux_import *f, const struct fsi_json *bank, uint64_t uid)
{
	const struct fsi_json *factor = fsi_json_member(bank, "queue_factor");
	const char *name = fsi_flux_text(fsi_json_member(bank, "bank_name"));
	struct fsi_flux_held h = { .uid = uid };
	int64_t n;

	if (!name || !factor || fsi_json_type(factor) != FSI_JNUMBER || fsi_json_i64(factor, &n) || n < INT32_MIN ||
	    n > INT32_MAX)
		return 0;
	h.bank = fsi_import_name(&f->imp, fsi_span_of(name));
	h.queue_factor = (int32_t)n;
	if (h.bank == FSI_INTERN_FAILED || FSI_VEC_ROOM(&f->held))
		return fsi_nomem(f->imp.err);
	f->held.v[f->held.n++] = h;
	return 0;
}

static int read_user(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct fsi_flux_import *f = ctx;
	const struct fsi_json *id = fsi_json_member(v, "userid");
	uint64_t uid;
	int rc = 0;

	if (!depth && fsi_json_member(v, "mf_priority_map"))
		return 0;
	if (!id || fsi_json_type(id) != FSI_JNUMBER || fsi_json_u64(id, &uid))
		return fsi_fail_at(f->imp.err, where, "userid", "expected a number");
	for (const struct fsi_json *b = fsi_flux_first(fsi_json_member(v, "banks")); b && !rc; b = fsi_json_next(b))
		if (fsi_json_type(b) == FSI_JOBJECT)
			rc = plugin_add_bank(f, b, uid);
	return rc;
}

int fsi_flux_plugin(struct fsi_flux_import *f)
{
	static const char *const keys[] = { "mf_priority_map", NULL };
	const struct fsi_json_split split = { keys, NULL, read_user, f };
	const int rc = fsi_import_json(&f->imp, "flux_jobtap_query.json", &split);

	return rc < 0 ? rc : 0;
}

static int by_uid(const void *a, const void *b, const void *ctx)
{
	const uint64_t x = ((const struct fsi_flux_held *)a)->uid, y = ((const struct fsi_flux_held *)b)->uid;

	(void)ctx;
	return (x > y) - (x < y);
}

static size_t first_of(const struct fsi_flux_import *f, uint64_t uid)
{
	size_t from = 0, to = f->held.n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (f->held.v[mid].uid < uid)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void set_factors(struct fsi_flux_import *f, const struct fsi_user *u)
{
	fs_snapshot *m = f->imp.m;

	for (size_t k = first_of(f, u->uid); k < f->held.n && f->held.v[k].uid == u->uid; k++) {
		const uint32_t row = fsi_assoc_find(m, f->held.v[k].bank, u->name, 0);

		if (row != FSI_NO_INDEX)
			FSI_PUT(&m->association.v[row], ASSOCIATION, queue_factor, f->held.v[k].queue_factor);
	}
}

int fsi_flux_held_factors(struct fsi_flux_import *f)
{
	const fs_snapshot *m = f->imp.m;

	if (fs_sort(f->held.v, f->held.n, sizeof(*f->held.v), by_uid, NULL))
		return fsi_nomem(f->imp.err);
	for (size_t i = 0; i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid))
			set_factors(f, &m->user.v[i]);
	return 0;
}
