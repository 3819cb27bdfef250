/* scontrol -o show assoc_mgr: user ids, usage of associations and QOS, and these themselves with their limits
 * where sacctmgr is not available. Usage stands there with two decimals, TRES minutes whole. */
#include "base/num.h"
#include "import/import.h"
#include "model/records/limit_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

struct assoc_mgr {
	bool make_qos; /* no sacctmgr_qos.txt: its rows come from here */
	struct fsi_id_index listed; /* by sacctmgr_assoc.txt; the other rows come from here */
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
		u = FSI_VEC_ADD(&imp->m->user);
		if (!u)
			return fsi_nomem(imp->err);
		rc = FSI_IMPORT_SET(imp, USER, u, name, name);
	}
	if (!rc && uid.len && !fsi_span_is(uid, "4294967294")) /* NO_VAL: no such Unix user */
		rc = FSI_IMPORT_SET(imp, USER, u, uid, uid);
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_USER, &u->rec);
}

/* ---- `limit(use)`; a limit that is not set is N */

#define QOS_LIMIT(member, TYPE, name, column, shown, ...) { shown, FSI_QOS_##member },
#define ASSOC_LIMIT(member, TYPE, name, column, shown, ...) { shown, FSI_ASSOCIATION_##member },

static const struct fsi_import_map assoc_limits[] = {
	FSI_ASSOC_GROUP_LIMITS(ASSOC_LIMIT)
	FSI_ASSOC_OWN_LIMITS(ASSOC_LIMIT)
	FSI_ASSOC_AGEING_LIMITS(ASSOC_LIMIT)
};

/* Limits for each user or account stand once for each that has jobs, all alike. */
static const struct fsi_import_map qos_limits[] = {
	{ "Priority", FSI_QOS_priority },
	FSI_QOS_LIMITS(QOS_LIMIT)
	FSI_QOS_PROMISED_LIMITS(QOS_LIMIT)
	FSI_QOS_AGEING_LIMITS(QOS_LIMIT)
};

/* They stand in braces: `alice(7001)={MaxJobsPU=4(1) MaxSubmitJobsPU=N(2)}`. */
static struct fsi_span limit_text(const struct fsi_kv *kv, const char *key)
{
	struct fsi_span v = fsi_kv_get(kv, key);
	const size_t len = strlen(key);

	for (size_t i = 0; !v.s && i < kv->n; i++) {
		struct fsi_span rest = kv->value[i], before;

		fsi_span_cut(&rest, '{', &before);
		if (rest.len > len && !memcmp(rest.s, key, len) && rest.s[len] == '=')
			v = fsi_span_from(rest, len + 1);
	}
	for (size_t i = 0; i < v.len; i++) /* "Priority=0 Account Limits=" */
		if (v.s[i] == ' ' || v.s[i] == '}')
			v.len = i;
	return v;
}

static int set_limit(struct fsi_import *imp, enum fsi_record_type type, unsigned bit,
		     struct fsi_rec *rec, struct fsi_span v)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	const struct fsi_field *f = &t->fields[bit];
	struct fsi_span inside;
	uint32_t set;
	int rc;

	if (!v.len)
		return 0;
	if (f->type != FSI_TRES) {
		v = before_paren(v, &inside);
		return fsi_span_is(v, "N") ? 0 : fsi_import_set(imp, t, bit, rec, v);
	}
	rc = fsi_import_tres(imp, f->key, v, false, &set);
	if (!rc && set) { /* not all of them are N */
		memcpy((char *)rec + f->offset, &set, sizeof(set));
		fsi_mark_known(rec, bit);
	}
	return rc;
}

static int set_limits(struct fsi_import *imp, const struct fsi_kv *kv,
		      const struct fsi_import_map *map, size_t n, enum fsi_record_type type,
		      struct fsi_rec *rec)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = set_limit(imp, type, map[i].bit, rec, limit_text(kv, map[i].key));
	return rc;
}

static const struct fsi_import_map assoc_use[] = {
	{ "GrpTRESMins", FSI_ASSOCIATION_usage_by_tres_min },
	{ "GrpTRESRunMins", FSI_ASSOCIATION_run_by_tres_min },
	{ "GrpWall", FSI_ASSOCIATION_usage_wall_min },
};

static const struct fsi_import_map qos_use[] = {
	{ "GrpTRESMins", FSI_QOS_usage_by_tres_min },
	{ "GrpTRESRunMins", FSI_QOS_run_by_tres_min },
	{ "GrpWall", FSI_QOS_usage_wall_min },
};

static int set_use(struct fsi_import *imp, const struct fsi_kv *kv,
		   const struct fsi_import_map *map, size_t n, enum fsi_record_type type,
		   struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		const struct fsi_field *f = &t->fields[map[i].bit];
		struct fsi_span v = fsi_kv_get(kv, map[i].key), inside;

		before_paren(v, &inside);
		if (f->type != FSI_TRES) {
			rc = fsi_import_set(imp, t, map[i].bit, rec, inside);
		} else if (v.len) {
			rc = fsi_import_tres(imp, map[i].key, v, true,
					     (uint32_t *)(void *)((char *)rec + f->offset));
			fsi_mark_known(rec, map[i].bit);
		}
	}
	return rc;
}

/* ---- rows */

static int make_association(struct fsi_import *imp, const struct fsi_kv *kv)
{
	struct fsi_span inside, shares = fsi_kv_get(kv, "SharesRaw/Norm/Level/Factor"), part;
	struct fsi_association *a;
	int rc;

	a = FSI_VEC_ADD(&imp->m->association);
	if (!a)
		return fsi_nomem(imp->err);
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
	if (!rc)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, lft, fsi_kv_get(kv, "Lft"));
	if (!rc && fsi_span_cut(&shares, '/', &part)) {
		if (fsi_span_is(part, "2147483647")) /* SLURMDB_FS_USE_PARENT */
			part = fsi_span_of("parent");
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, a, shares, part);
	}
	if (!rc)
		rc = set_limits(imp, kv, assoc_limits, COUNT(assoc_limits), FSI_RECORD_ASSOCIATION, &a->rec);
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_ASSOCIATION, &a->rec);
}

static int make_qos(struct fsi_import *imp, const struct fsi_kv *kv)
{
	struct fsi_span id, name = before_paren(fsi_kv_get(kv, "QOS"), &id);
	struct fsi_qos *q;
	int rc;

	q = FSI_VEC_ADD(&imp->m->qos);
	if (!q)
		return fsi_nomem(imp->err);
	rc = FSI_IMPORT_SET(imp, QOS, q, name, name);
	if (!rc)
		rc = FSI_IMPORT_SET(imp, QOS, q, id, id);
	if (!rc)
		rc = set_limits(imp, kv, qos_limits, COUNT(qos_limits), FSI_RECORD_QOS, &q->rec);
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_QOS, &q->rec);
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
	struct fsi_span usage = fsi_kv_get(kv, "UsageRaw/Norm/Efctv"), part,
			id = fsi_kv_get(kv, "ID");
	struct fsi_association *a;
	uint64_t n;
	uint32_t row;

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
	return set_use(imp, kv, assoc_use, COUNT(assoc_use), FSI_RECORD_ASSOCIATION, &a->rec);
}

static int read_qos_usage(struct fsi_import *imp, const struct fsi_kv *kv)
{
	struct fsi_span id;
	const uint32_t name = fsi_import_name(imp, before_paren(fsi_kv_get(kv, "QOS"), &id));
	int rc = 0;

	if (name == FSI_INTERN_FAILED)
		return fsi_nomem(imp->err);
	for (size_t i = 0; !rc && i < imp->m->qos.n; i++)
		if (imp->m->qos.v[i].name == name)
			rc = set_use(imp, kv, qos_use, COUNT(qos_use), FSI_RECORD_QOS, &imp->m->qos.v[i].rec);
	return rc;
}

/* slurmdbd has a PrivateData of its own, and may hide associations that the controller shows. */
static bool is_listed(const struct assoc_mgr *am, const struct fsi_kv *kv)
{
	const struct fsi_span id = fsi_kv_get(kv, "ID");
	uint64_t n;

	return !fsi_parse_u64(id.s, id.len, &n) && fsi_index_find(&am->listed, n) != FSI_NO_INDEX;
}

static int make_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	const struct assoc_mgr *am = ctx;
	struct fsi_kv kv;

	if (fsi_span_begins(line, "UserName=")) {
		fsi_kv_split(&kv, line);
		return user_record(imp, &kv);
	}
	if (am->make_qos && fsi_span_begins(line, "QOS=")) {
		fsi_kv_split(&kv, line);
		return make_qos(imp, &kv);
	}
	if (!fsi_span_begins(line, "ClusterName="))
		return 0;
	fsi_kv_split(&kv, line);
	return is_listed(am, &kv) ? 0 : make_association(imp, &kv);
}

static int usage_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_kv kv;

	if (!fsi_span_begins(line, "ClusterName=") && !fsi_span_begins(line, "QOS="))
		return 0;
	fsi_kv_split(&kv, line);
	return *line.s == 'Q' ? read_qos_usage(imp, &kv) : read_usage(imp, ctx, &kv);
}

int fsi_slurm_assoc_mgr(struct fsi_import *imp)
{
	static const char file[] = "scontrol_assoc_mgr_o.txt";
	fs_snapshot *m = imp->m;
	struct assoc_mgr am = { .make_qos = !m->qos.n };
	int rc;

	if (fsi_index_associations(&am.listed, m))
		return fsi_nomem(imp->err);
	rc = fsi_import_lines(imp, file, make_line, &am);
	free(am.listed.v);
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
