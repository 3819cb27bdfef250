/* The tree that `flux account export-db -F` writes and flux-accounting's fair-share emulator reads: a bank is
 * {"bank", "shares", "usage", "children": [...]}, a user {"username", "shares", "usage"}; the root stands under
 * "root". It shows neither limits nor factors; "active" is honoured where it stands. */
#include "import/flux/flux.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct tree {
	struct fsi_flux_import *f;
	FSI_VEC(uint32_t) open;   /* rows, by depth */
	FSI_VEC(uint32_t) parent; /* by row: its parent's row */
	bool wrapped;
};

static int begin(void *ctx, uint32_t depth)
{
	struct tree *t = ctx;
	struct fsi_association *a = fsi_flux_association(t->f);

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
				   a->user ? "a bank and a user at once"
					   : "neither \"bank\" nor \"username\"");
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
		const uint32_t above =
			p == FSI_NO_INDEX || (t->wrapped && !p) ? 0 : m->association.v[p].account;

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
			rc = fsi_warn(
				     m,
				     "bank \"%s\": usage %.15g is not that of its users, %.15g: theirs counts",
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

static const char *const keys[] = { "root", "children", NULL };

int fsi_flux_tree(struct fsi_flux_import *f, fs_read_fn read, void *stream, const char *name)
{
	struct tree t = { .f = f };
	const struct fsi_json_split split = { keys, begin, node, &t };

	return finish(&t, fsi_json_split(&split, read, stream, name, f->imp.err), name);
}

int fsi_flux_tree_file(struct fsi_flux_import *f, const char *file)
{
	struct tree t = { .f = f };
	const struct fsi_json_split split = { keys, begin, node, &t };

	return finish(&t, fsi_import_json(&f->imp, file, &split), file);
}
