/* scontrol -o show assoc_mgr: user ids, usage, and the associations themselves where sacctmgr is not
 * available. Usage stands there with two decimals, TRES minutes whole. */
#include "base/num.h"
#include "import/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assoc_mgr {
	bool make_rows; /* no sacctmgr_assoc.txt: the rows come from here */
	struct fsi_id_index index;
	double *shown; /* usage shown, by row; NAN if not */
	bool any_usage;
};

/* `alice(7001)`; parent accounts are written `root(1)` likewise. */
static struct fsi_span before_paren(struct fsi_span v, struct fsi_span *inside)
{
	const char *open = v.s ? memchr(v.s, '(', v.len) : NULL;

	*inside = (struct fsi_span){ NULL, 0 };
	if (open && v.s[v.len - 1] == ')') {
		*inside = (struct fsi_span){ open + 1, v.len - (size_t)(open - v.s) - 2 };
		v.len = (size_t)(open - v.s);
	}
	return v;
}

static int user_record(struct fsi_import *imp, const struct fsi_kv *kv)
{
	struct fsi_span uid, name = before_paren(fsi_kv_get(kv, "UserName"), &uid);
	const uint32_t id = fsi_import_name(imp, name);
	struct fsi_user *u = NULL;
	int rc = 0;

	if (id == FSI_INTERN_FAILED)
		return fsi_nomem(imp->err);
	for (size_t i = 0; i < imp->m->user.n; i++)
		if (imp->m->user.v[i].name == id)
			u = &imp->m->user.v[i];
	if (!u) {
		if (FSI_VEC_ROOM(&imp->m->user))
			return fsi_nomem(imp->err);
		u = &imp->m->user.v[imp->m->user.n++];
		memset(u, 0, sizeof(*u));
		rc = FSI_IMPORT_SET(imp, USER, u, name, name);
	}
	if (!rc && uid.len && !fsi_span_is(uid, "4294967294")) /* NO_VAL: no such Unix user */
		rc = FSI_IMPORT_SET(imp, USER, u, uid, uid);
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_USER, &u->rec);
}

static int make_association(struct fsi_import *imp, const struct fsi_kv *kv)
{
	struct fsi_span inside, shares = fsi_kv_get(kv, "SharesRaw/Norm/Level/Factor"), part;
	struct fsi_association *a;
	int rc;

	if (FSI_VEC_ROOM(&imp->m->association))
		return fsi_nomem(imp->err);
	a = &imp->m->association.v[imp->m->association.n++];
	memset(a, 0, sizeof(*a));
	rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, id, fsi_kv_get(kv, "ID"));
	if (!rc)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, account, fsi_kv_get(kv, "Account"));
	if (!rc)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, user,
				    before_paren(fsi_kv_get(kv, "UserName"), &inside));
	if (!rc)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, partition, fsi_kv_get(kv, "Partition"));
	if (!rc && !a->user)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, parent,
				    before_paren(fsi_kv_get(kv, "ParentAccount"), &inside));
	if (!rc)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, priority, fsi_kv_get(kv, "Priority"));
	if (!rc && fsi_span_cut(&shares, '/', &part)) {
		if (fsi_span_is(part, "2147483647")) /* SLURMDB_FS_USE_PARENT */
			part = (struct fsi_span){ "parent", 6 };
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, shares, part);
	}
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_ASSOCIATION, &a->rec);
}

static int map_ids(struct assoc_mgr *am, const fs_snapshot *m)
{
	am->shown = malloc((m->association.n + 1) * sizeof(*am->shown));
	if (!am->shown || fsi_index_associations(&am->index, m))
		return -1;
	for (uint32_t i = 0; i < m->association.n; i++)
		am->shown[i] = NAN;
	return 0;
}

static int read_usage(struct fsi_import *imp, struct assoc_mgr *am, const struct fsi_kv *kv)
{
	struct fsi_span usage = fsi_kv_get(kv, "UsageRaw/Norm/Efctv"), part, id = fsi_kv_get(kv, "ID");
	struct fsi_span used = fsi_kv_get(kv, "GrpTRESMins"), run = fsi_kv_get(kv, "GrpTRESRunMins");
	struct fsi_association *a;
	uint64_t n;
	uint32_t row;
	int rc = 0;

	row = fsi_parse_u64(id.s, id.len, &n) ? FSI_NO_INDEX : fsi_index_find(&am->index, n);
	if (row == FSI_NO_INDEX)
		return 0;
	a = &imp->m->association.v[row];
	if (fsi_span_cut(&usage, '/', &part) && part.len) {
		double *shown = &am->shown[row];

		if (fsi_parse_double(part.s, part.len, shown) || *shown < 0)
			return fsi_import_bad(imp, "UsageRaw", part, "a number, not negative");
		am->any_usage = true;
	}
	if (used.len) {
		rc = fsi_import_tres(imp, "GrpTRESMins", used, true, &a->usage_by_tres_min);
		a->rec.has |= 1ull << FSI_ASSOCIATION_usage_by_tres_min;
	}
	if (!rc && run.len) {
		rc = fsi_import_tres(imp, "GrpTRESRunMins", run, true, &a->run_by_tres_min);
		a->rec.has |= 1ull << FSI_ASSOCIATION_run_by_tres_min;
	}
	return rc;
}

static bool starts_with(struct fsi_span line, const char *word)
{
	const size_t n = strlen(word);

	return line.len >= n && !memcmp(line.s, word, n);
}

static int make_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	const struct assoc_mgr *am = ctx;
	struct fsi_kv kv;

	if (starts_with(line, "UserName=")) {
		fsi_kv_split(&kv, line);
		return user_record(imp, &kv);
	}
	if (!am->make_rows || !starts_with(line, "ClusterName="))
		return 0;
	fsi_kv_split(&kv, line);
	return make_association(imp, &kv);
}

static int usage_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_kv kv;

	if (!starts_with(line, "ClusterName="))
		return 0;
	fsi_kv_split(&kv, line);
	return read_usage(imp, ctx, &kv);
}

int fsi_slurm_assoc_mgr(struct fsi_import *imp)
{
	static const char file[] = "scontrol_assoc_mgr_o.txt";
	fs_snapshot *m = imp->m;
	struct assoc_mgr am = { .make_rows = !m->association.n };
	int rc = fsi_import_lines(imp, file, make_line, &am);

	if (rc)
		return rc > 0 ? 0 : rc;
	if (map_ids(&am, m))
		rc = fsi_nomem(imp->err);
	if (!rc)
		rc = fsi_import_lines(imp, file, usage_line, &am);
	if (!rc && am.any_usage)
		rc = fsi_slurm_leaf_usage(imp, am.shown, 0.005, "assoc_mgr");
	free(am.index.v);
	free(am.shown);
	return rc;
}
