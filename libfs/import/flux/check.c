/* What makes banks and users a tree, and what flux-accounting's reader does where they make none
 * (src/fairness/reader/data_reader_db.cpp): it starts at the root and goes from bank to bank by name, past inactive
 * ones, and takes users only of banks that have no sub-banks. */
#include "import/flux/flux.h"

#include <stdlib.h>
#include <string.h>

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

struct fsi_association *fsi_flux_association(struct fsi_flux_import *f)
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
		return fsi_fail(f->imp.err, FS_EDATA,
				"%s: no bank without parent: there is no root",
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
			rc = fsi_fail_at(f->imp.err, where, a->user ? "username" : "bank",
					 "%s%s%s\"%s\" appears twice",
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
