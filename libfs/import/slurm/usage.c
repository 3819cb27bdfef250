/* Usage of each association itself: from what commands show for whole subtrees, or exactly. */
#include "base/num.h"
#include "import/import.h"

#include <math.h>
#include <stdlib.h>

/* What an account shows beyond the sum of its children belongs to no association listed (deleted
 * users); within the error of the numbers shown there is nothing left over. */
int fsi_slurm_leaf_usage(struct fsi_import *imp, const double *shown, double error, const char *source)
{
	fs_snapshot *m = imp->m;
	const size_t n = m->association.n, names = (size_t)m->names.count + 1;
	double *below = calloc(n + 1, sizeof(*below));
	uint32_t *members = calloc(n + names, sizeof(*members)), *row_of = members + n;

	if (!below || !members) {
		free(below);
		free(members);
		return fsi_nomem(imp->err);
	}
	for (uint32_t i = 0; i < n; i++)
		if (!m->association.v[i].user)
			row_of[m->association.v[i].account] = i + 1;
	for (uint32_t i = 0; i < n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t name = a->user ? a->account : a->parent, p = name ? row_of[name] : 0;

		if (p) {
			below[p - 1] += shown[i];
			members[p - 1]++;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		struct fsi_association *a = &m->association.v[i];
		const double rest = shown[i] - below[i];
		const double noise = error * (members[i] + 1) + 1e-9 * fabs(shown[i]);

		if (isnan(rest))
			continue;
		FSI_PUT(a, ASSOCIATION, usage_tres_s, a->user || rest > noise ? rest : 0);
	}
	free(below);
	free(members);
	m->head.usage_source = fsi_name(m, source);
	FSI_SET(&m->head, SNAPSHOT, usage_source);
	return m->head.usage_source == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

/* Reads `1=2.999921,2=2999.92`: TRES by number, in seconds. */
static int exact_tres(struct fsi_import *imp, struct fsi_span v, uint32_t *set)
{
	struct fsi_amountf amounts[128];
	struct fsi_span item, id;
	size_t n = 0;

	while (fsi_span_cut(&v, ',', &item)) {
		struct fsi_amountf *a = &amounts[n];
		uint64_t number;

		if (!item.len)
			continue;
		*a = (struct fsi_amountf){ 0 };
		if (n == 127 || !fsi_span_cut(&item, '=', &id) || !item.s ||
		    fsi_parse_u64(id.s, id.len, &number) ||
		    fsi_parse_double(item.s, item.len, &a->n) || a->n < 0)
			return fsi_import_bad(imp, "usage_by_tres_s", id, "tres id=seconds");
		for (size_t i = 0; i < imp->m->tres.n; i++)
			if (imp->m->tres.v[i].id == number)
				a->tres = imp->m->tres.v[i].name;
		for (size_t i = 0; i < n; i++)
			if (amounts[i].tres == a->tres)
				return fsi_import_bad(imp, "usage_by_tres_s", id, "each TRES once");
		n += a->tres != 0;
	}
	*set = fsi_intern(&imp->m->sets, amounts, n * sizeof(*amounts));
	return *set == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

static int exact_line(struct fsi_import *imp, const struct fsi_id_index *index,
		      struct fsi_span line, bool *with_tres)
{
	struct fsi_span id, usage = { "", 0 }, tres = { NULL, 0 }, wall = { NULL, 0 };
	struct fsi_association *a;
	uint64_t number;
	uint32_t row;
	double v;

	if (!line.len || *line.s == '#')
		return 0;
	fsi_span_cut(&line, '|', &id);
	if (fsi_parse_u64(id.s, id.len, &number))
		return fsi_import_bad(imp, "id", id, "an association id");
	if (!fsi_span_cut(&line, '|', &usage) || fsi_parse_double(usage.s, usage.len, &v) || v < 0)
		return fsi_import_bad(imp, "usage", usage, "a number, not negative");
	*with_tres = fsi_span_cut(&line, '|', &tres) || *with_tres;
	fsi_span_cut(&line, '|', &wall);
	row = fsi_index_find(index, number);
	if (row == FSI_NO_INDEX)
		return 0;
	a = &imp->m->association.v[row];
	a->usage_tres_s = v;
	if (wall.len && !fsi_parse_double(wall.s, wall.len, &a->usage_wall_s) && a->usage_wall_s >= 0)
		FSI_SET(a, ASSOCIATION, usage_wall_s);
	return exact_tres(imp, tres, &a->usage_by_tres_s);
}

int fsi_slurm_exact_usage(struct fsi_import *imp, const struct fs_import_options *o)
{
	struct fsi_id_index index = { 0 };
	struct fsi_lines lines;
	struct fsi_span line;
	bool with_tres = false;
	char *s;
	int rc;

	if (!o || !o->exact_usage)
		return 0;
	if (fsi_index_associations(&index, imp->m))
		return fsi_nomem(imp->err);
	/* an association that is not in the file has used nothing */
	for (size_t i = 0; i < imp->m->association.n; i++) {
		struct fsi_association *a = &imp->m->association.v[i];

		FSI_PUT(a, ASSOCIATION, usage_tres_s, 0);
	}
	fsi_lines_init(&lines, o->exact_usage, o->exact_usage_ctx, o->exact_usage_name);
	while ((rc = fsi_lines_next(&lines, &s, &line.len, imp->err)) > 0) {
		imp->where = lines.where;
		line.s = s;
		rc = exact_line(imp, &index, line, &with_tres);
		if (rc)
			break;
	}
	fsi_lines_release(&lines);
	free(index.v);
	for (size_t i = 0; with_tres && i < imp->m->association.n; i++)
		FSI_SET(&imp->m->association.v[i], ASSOCIATION, usage_by_tres_s);
	imp->m->head.usage_source = fsi_name(imp->m, "exact");
	FSI_SET(&imp->m->head, SNAPSHOT, usage_source);
	return rc;
}
