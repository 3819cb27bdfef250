/* `sshare -a --json` (23.11 on; src/plugins/data_parser, SHARES_RESP_MSG): what sshare.txt shows with six decimals as
 * whole doubles, and the usage of each TRES with six. Rows are known by association id. Before 24.11 some
 * numbers stand bare instead of in {"set":...,"infinite":...,"number":...}. */
#include "import/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_DEPTH = 2 }; /* the document is 0, "shares" in it 1, a row of the list in that 2 */

struct shares {
	struct fsi_import *imp;
	struct fsi_id_index index; /* of associations */
	uint32_t *recorded;        /* by association row: its record, FSI_NO_INDEX */
	double *tres;              /* by association row and TRES: seconds of the subtree */
	bool *has_tres;            /* by association row */
	size_t rows;
	size_t odd; /* rows that lack what all have */
};

static bool says(const struct fsi_json *v, const char *key, bool what)
{
	const struct fsi_json *flag = fsi_json_member(v, key);

	return flag && fsi_json_type(flag) == FSI_JBOOL && fsi_json_bool(flag) == what;
}

/* NAN when it is not there, not set or not finite. */
static double number(const struct fsi_json *v)
{
	if (v && fsi_json_type(v) == FSI_JOBJECT) {
		if (says(v, "set", false) || says(v, "infinite", true))
			return NAN;
		v = fsi_json_member(v, "number");
	}
	return v && fsi_json_type(v) == FSI_JNUMBER ? fsi_json_double(v) : (double)NAN;
}

/* sshare itself rounds nothing: what it printed as text is the same number. */
static void take_number(struct fsi_recorded *r, unsigned bit, double *member, double v)
{
	if (isnan(v))
		return;
	*member = v;
	fsi_mark_known(&r->rec, bit);
}

static struct fsi_recorded *record_of(struct shares *s, uint32_t row)
{
	fs_snapshot *m = s->imp->m;
	struct fsi_recorded *r;

	if (s->recorded[row] != FSI_NO_INDEX)
		return &m->recorded.v[s->recorded[row]];
	r = FSI_VEC_ADD(&m->recorded);
	if (!r)
		return NULL;
	s->recorded[row] = (uint32_t)m->recorded.n - 1;
	FSI_PUT(r, RECORDED, association, m->association.v[row].id);
	return r;
}

static size_t tres_row(const fs_snapshot *m, const char *name)
{
	size_t k = 0;

	while (k < m->tres.n && strcmp(fsi_str(m, m->tres.v[k].name), name) != 0)
		k++;
	return k;
}

static void take_tres(struct shares *s, uint32_t row, const struct fsi_json *list)
{
	const fs_snapshot *m = s->imp->m;

	if (!list || fsi_json_type(list) != FSI_JARRAY)
		return;
	s->has_tres[row] = true;
	for (const struct fsi_json *v = fsi_json_first(list); v; v = fsi_json_next(v)) {
		const struct fsi_json *name = fsi_json_member(v, "name");
		const double seconds = number(fsi_json_member(v, "value"));
		size_t k;

		if (!name || fsi_json_type(name) != FSI_JSTRING || isnan(seconds) || seconds < 0)
			continue;
		k = tres_row(m, fsi_json_string(name));
		if (k < m->tres.n)
			s->tres[row * m->tres.n + k] = seconds;
	}
}

/* Does {"set": true, "infinite": false} lack its number? */
static bool lacks_number(const struct fsi_json *v)
{
	return !v || (fsi_json_type(v) == FSI_JOBJECT && isnan(number(v)) && !says(v, "set", false) &&
		      !says(v, "infinite", true));
}

/* Does the row lack what all rows have, or one of its TRES a name or a value? */
static bool lacks(const struct fsi_json *v)
{
	static const char *const keys[] = { "id", "usage", "fairshare", "tres" };
	const struct fsi_json *tres = fsi_json_member(fsi_json_member(v, "tres"), "usage");
	const struct fsi_json *fairshare = fsi_json_member(v, "fairshare");

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!fsi_json_member(v, keys[i]))
			return true;
	if (lacks_number(fsi_json_member(v, "usage_normalized")) || lacks_number(fsi_json_member(v, "effective_usage")) ||
	    lacks_number(fsi_json_member(fairshare, "factor")) || lacks_number(fsi_json_member(fairshare, "level")))
		return true;
	if (!tres || fsi_json_type(tres) != FSI_JARRAY)
		return true;
	for (const struct fsi_json *t = fsi_json_first(tres); t; t = fsi_json_next(t))
		if (!fsi_json_member(t, "name") || isnan(number(fsi_json_member(t, "value"))))
			return true;
	return false;
}

static int take_row(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct shares *s = ctx;
	const struct fsi_json *level = fsi_json_member(fsi_json_member(v, "fairshare"), "level");
	struct fsi_recorded *r;
	uint64_t id, usage;
	uint32_t row;

	(void)where;
	if (depth != ROW_DEPTH)
		return 0;
	s->odd += lacks(v);
	if (!fsi_json_member(v, "id") || fsi_json_u64(fsi_json_member(v, "id"), &id))
		return 0;
	row = fsi_index_find(&s->index, id);
	if (row == FSI_NO_INDEX)
		return 0;
	r = record_of(s, row);
	if (!r)
		return fsi_nomem(s->imp->err);
	s->rows++;
	take_tres(s, row, fsi_json_member(fsi_json_member(v, "tres"), "usage"));
	if (fsi_json_member(v, "usage") && !fsi_json_u64(fsi_json_member(v, "usage"), &usage))
		FSI_PUT(r, RECORDED, raw_usage, usage);
	if (!s->imp->m->association.v[row].parent && !s->imp->m->association.v[row].user)
		return 0; /* the root's numbers mean nothing */
	take_number(r, FSI_RECORDED_norm_usage, &r->norm_usage, number(fsi_json_member(v, "usage_normalized")));
	take_number(r, FSI_RECORDED_effective_usage, &r->effective_usage,
	     number(fsi_json_member(v, "effective_usage")));
	if (FSI_HAS(r, RECORDED, level_fs))
		take_number(r, FSI_RECORDED_level_fs, &r->level_fs, number(level));
	return 0;
}

/* What an account shows beyond its children is its own, where it is more than rounding. */
static int own_tres(struct shares *s)
{
	fs_snapshot *m = s->imp->m;
	const size_t n = m->association.n, tres = m->tres.n;
	double *below = calloc(n * tres + 1, sizeof(*below));
	uint32_t *children = calloc(n + 1, sizeof(*children));
	uint32_t *row_of = calloc((size_t)m->names.count + 1, sizeof(*row_of));
	const bool room = below && children && row_of;

	for (uint32_t i = 0; room && i < n; i++)
		if (!m->association.v[i].user)
			row_of[m->association.v[i].account] = i + 1;
	for (uint32_t i = 0; room && i < n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t name = a->user ? a->account : a->parent, p = name ? row_of[name] : 0;

		children[p ? p - 1 : n] += p != 0;
		for (size_t k = 0; p && k < tres; k++)
			below[(p - 1) * tres + k] += s->tres[i * tres + k];
	}
	for (uint32_t i = 0; room && i < n; i++)
		for (size_t k = 0; !m->association.v[i].user && k < tres; k++) {
			double *own = &s->tres[i * tres + k];
			const double rounding = 1e-6 * (children[i] + 1);

			*own = *own - below[i * tres + k] > rounding ? *own - below[i * tres + k] : 0;
		}
	free(below);
	free(children);
	free(row_of);
	return room ? 0 : fsi_nomem(s->imp->err);
}

static int set_tres(struct shares *s)
{
	enum { MAX = 128 };
	fs_snapshot *m = s->imp->m;
	struct fsi_amountf amounts[MAX];

	for (uint32_t i = 0; i < m->association.n; i++)
		if (!s->has_tres[i])
			return 0;
	const int rc = own_tres(s);
	for (uint32_t i = 0; i < m->association.n && !rc; i++) {
		struct fsi_association *a = &m->association.v[i];
		size_t n = 0;

		for (size_t k = 0; k < m->tres.n && n < MAX; k++)
			if (s->tres[i * m->tres.n + k] > 0)
				amounts[n++] = (struct fsi_amountf){ m->tres.v[k].name, 0,
								     s->tres[i * m->tres.n + k] };
		a->usage_by_tres_s = fsi_intern(&m->sets, amounts, n * sizeof(*amounts));
		if (a->usage_by_tres_s == FSI_INTERN_FAILED)
			return fsi_nomem(s->imp->err);
		FSI_SET(a, ASSOCIATION, usage_by_tres_s);
	}
	return rc;
}

static int prepare(struct shares *s)
{
	const fs_snapshot *m = s->imp->m;
	const size_t n = m->association.n;

	s->recorded = malloc((n + 1) * sizeof(*s->recorded));
	s->has_tres = calloc(n + 1, sizeof(*s->has_tres));
	s->tres = calloc(n * m->tres.n + 1, sizeof(*s->tres));
	if (!s->recorded || !s->tres || !s->has_tres || fsi_index_associations(&s->index, m))
		return fsi_nomem(s->imp->err);
	for (size_t i = 0; i < n; i++)
		s->recorded[i] = FSI_NO_INDEX;
	for (uint32_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const uint32_t row = FSI_HAS(r, RECORDED, association)
					     ? fsi_index_find(&s->index, r->association)
					     : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			s->recorded[row] = i;
	}
	return 0;
}

int fsi_slurm_sshare_json(struct fsi_import *imp)
{
	static const char *const keys[] = { "shares", NULL };
	struct shares s = { .imp = imp };
	const struct fsi_json_split split = { keys, NULL, take_row, &s };
	const unsigned files = imp->files;
	int rc = prepare(&s);

	if (!rc)
		rc = fsi_import_json(imp, "sshare_a.json", &split);
	if (rc == 1 && imp->files > files && imp->m->info.version >= fs_slurm_release("23.11"))
		rc = fsi_import_incomplete(imp, NULL, "%s/sshare_a.json: it is empty: the command failed", imp->source->name);
	if (!rc && imp->m->association.n && (s.odd || !s.rows))
		rc = fsi_import_incomplete(imp, NULL, "%s/sshare_a.json: %zu of its %zu shares lack what all have",
					   imp->source->name, s.odd, s.rows + s.odd);
	if (!rc && s.rows) {
		rc = set_tres(&s);
		imp->m->head.whole_shares = true;
		FSI_SET(&imp->m->head, SNAPSHOT, whole_shares);
	}
	free(s.index.v);
	free(s.recorded);
	free(s.has_tres);
	free(s.tres);
	return rc > 0 ? 0 : rc;
}
