/* What the accounting database tells: TRES, QOS, users, associations (sacctmgr -P). */
#include "import/import.h"
#include "model/records/limit_names.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static int tres_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_pipe *p = ctx;
	struct fsi_tres *t;
	struct fsi_span type, name;
	char full[256];
	int rc;

	if (!fsi_pipe_row(p, line) || !line.len)
		return 0;
	t = FSI_VEC_ADD(&imp->m->tres);
	if (!t)
		return fsi_nomem(imp->err);
	rc = FSI_IMPORT_SET(imp, TRES, t, id, fsi_pipe_get(p, "ID"));
	type = fsi_pipe_get(p, "Type");
	name = fsi_pipe_get(p, "Name");
	if (rc || type.len + name.len + 2 > sizeof(full))
		return rc ? rc : fsi_import_bad(imp, "Name", name, "a shorter name");
	if (type.len)
		memcpy(full, type.s, type.len);
	if (name.len) {
		full[type.len] = '/';
		memcpy(full + type.len + 1, name.s, name.len);
	}
	rc = FSI_IMPORT_SET(imp, TRES, t, name,
			    ((struct fsi_span){ full, type.len + name.len + (name.len > 0) }));
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_TRES, &t->rec);
}

#define QOS_COLUMN(member, TYPE, name, column, ...) { column, FSI_QOS_##member },
#define ASSOC_COLUMN(member, TYPE, name, column, ...) { column, FSI_ASSOCIATION_##member },

static const struct fsi_import_map qos_columns[] = {
	{ "Name", FSI_QOS_name },
	{ "ID", FSI_QOS_id },
	{ "Priority", FSI_QOS_priority },
	{ "UsageFactor", FSI_QOS_usage_factor },
	{ "UsageThres", FSI_QOS_usage_threshold },
	{ "LimitFactor", FSI_QOS_limit_factor },
	{ "Flags", FSI_QOS_flags },
	{ "Preempt", FSI_QOS_preempt },
	{ "PreemptMode", FSI_QOS_preempt_mode },
	{ "GraceTime", FSI_QOS_grace_s },
	FSI_QOS_LIMITS(QOS_COLUMN)
	FSI_QOS_AGEING_LIMITS(QOS_COLUMN)
};

static int qos_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_pipe *p = ctx;
	struct fsi_qos *q;

	if (!fsi_pipe_row(p, line) || !line.len)
		return 0;
	q = FSI_VEC_ADD(&imp->m->qos);
	if (!q)
		return fsi_nomem(imp->err);
	const int rc =
		fsi_pipe_set_all(imp, p, qos_columns, COUNT(qos_columns), FSI_RECORD_QOS, &q->rec);
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_QOS, &q->rec);
}

static const struct fsi_import_map run_minutes_columns[] = {
	{ "MaxTRESRunMinsPU", FSI_QOS_max_tres_run_min_per_user },
	{ "MaxTRESRunMinsPA", FSI_QOS_max_tres_run_min_per_account },
};

/* Newer versions list these limits unasked, older ones know them by name alone: they may stand in either file. */
static int run_minutes_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_pipe *p = ctx;
	uint32_t name;
	int rc = 0;

	if (!fsi_pipe_row(p, line) || !line.len)
		return 0;
	name = fsi_import_name(imp, fsi_pipe_get(p, "Name"));
	if (name == FSI_INTERN_FAILED)
		return fsi_nomem(imp->err);
	for (size_t i = 0; !rc && i < imp->m->qos.n; i++)
		if (imp->m->qos.v[i].name == name)
			rc = fsi_pipe_set_all(imp, p, run_minutes_columns,
					      COUNT(run_minutes_columns), FSI_RECORD_QOS,
					      &imp->m->qos.v[i].rec);
	return rc;
}

static const struct fsi_import_map user_columns[] = {
	{ "User", FSI_USER_name },
	{ "Def Acct", FSI_USER_default_account },
	{ "Coord Accounts", FSI_USER_coordinates },
};

static int user_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_pipe *p = ctx;
	struct fsi_user *u;
	int rc;

	if (!fsi_pipe_row(p, line) || !line.len)
		return 0;
	u = FSI_VEC_ADD(&imp->m->user);
	if (!u)
		return fsi_nomem(imp->err);
	rc = fsi_pipe_set_all(imp, p, user_columns, COUNT(user_columns), FSI_RECORD_USER, &u->rec);
	if (!rc) {
		struct fsi_span admin = fsi_pipe_get(p, "Admin");
		const char *word = fsi_span_is(admin, "administrator") ? "administrator"
				   : fsi_span_is(admin, "operator")    ? "operator"
								       : "none";

		if (admin.s)
			rc = FSI_IMPORT_SET(imp, USER, u, admin,
					    (fsi_span_of(word)));
	}
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_USER, &u->rec);
}

static const struct fsi_import_map assoc_columns[] = {
	{ "ID", FSI_ASSOCIATION_id },
	{ "Account", FSI_ASSOCIATION_account },
	{ "User", FSI_ASSOCIATION_user },
	{ "Partition", FSI_ASSOCIATION_partition },
	{ "ParentName", FSI_ASSOCIATION_parent },
	{ "Share", FSI_ASSOCIATION_shares },
	{ "Priority", FSI_ASSOCIATION_priority },
	{ "LFT", FSI_ASSOCIATION_lft },
	FSI_ASSOC_GROUP_LIMITS(ASSOC_COLUMN)
	FSI_ASSOC_OWN_LIMITS(ASSOC_COLUMN)
	FSI_ASSOC_AGEING_LIMITS(ASSOC_COLUMN)
	{ "QOS", FSI_ASSOCIATION_qos },
	{ "Def QOS", FSI_ASSOCIATION_default_qos },
};

/* The last association of the cluster is the one that was just read. */
static int assoc_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_pipe *p = ctx;
	struct fsi_association *a;
	struct fsi_span cluster;
	int rc;

	if (!fsi_pipe_row(p, line) || !line.len)
		return 0;
	cluster = fsi_pipe_get(p, "Cluster");
	if (imp->m->head.cluster && cluster.len &&
	    !fsi_span_is(cluster, fsi_str(imp->m, imp->m->head.cluster)))
		return 0;
	a = FSI_VEC_ADD(&imp->m->association);
	if (!a)
		return fsi_nomem(imp->err);
	rc = fsi_pipe_set_all(imp, p, assoc_columns, COUNT(assoc_columns), FSI_RECORD_ASSOCIATION, &a->rec);
	/* some versions repeat a user's account as his parent; a priority that is not set counts as 0 */
	if (a->user) {
		a->parent = 0;
		FSI_UNSET(a, ASSOCIATION, parent);
	}
	FSI_SET(a, ASSOCIATION, priority);
	return rc ? rc : fsi_import_complete(imp, FSI_RECORD_ASSOCIATION, &a->rec);
}

static int read_table(struct fsi_import *imp, const char *file, fsi_line_fn fn, const char *type)
{
	struct fsi_pipe *p = calloc(1, sizeof(*p));
	int rc;

	if (!p)
		return fsi_nomem(imp->err);
	rc = fsi_import_lines(imp, file, fn, p);
	free(p);
	if (rc > 0)
		rc = type ? fsi_import_hide(imp, type) : 1;
	return rc;
}

static int read_qos(struct fsi_import *imp)
{
	static const char *const files[] = { "sacctmgr_qos_all.txt", "sacctmgr_qos.txt" };
	int rc = read_table(imp, files[0], qos_line, NULL);

	if (rc > 0)
		rc = read_table(imp, files[1], qos_line, "qos");
	for (size_t i = 0; rc >= 0 && i < COUNT(files); i++)
		rc = read_table(imp, files[i], run_minutes_line, NULL);
	return rc > 0 ? 0 : rc;
}

/* Where nobody asked for the cluster's TRES they are those that the configuration names. The ids of those built in
 * are the same everywhere (slurm/slurmdb.h: tres_types_t); those of others are not known, and only say that they
 * stand behind these, by name (model/finish.c). */
static int tres_of_config(struct fsi_import *imp)
{
	static const char *const built_in[] = { "cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages" };
	enum { BUILT_IN = COUNT(built_in), ADDED = 1001 };
	const struct fsi_config_entry *e = fsi_config_find(imp->m, "AccountingStorageTRES");
	size_t n = 0;
	const uint32_t *names = e && e->kind == FSI_CONFIG_LIST ? fsi_list(imp->m, (uint32_t)e->i, &n) : NULL;

	for (size_t i = 0; i < n; i++) {
		struct fsi_tres *t;
		uint32_t id = 0;

		while (id < BUILT_IN && strcmp(built_in[id], fsi_str(imp->m, names[i])) != 0)
			id++;
		t = FSI_VEC_ADD(&imp->m->tres);
		if (!t)
			return fsi_nomem(imp->err);
		FSI_PUT(t, TRES, id, id < BUILT_IN ? id + 1 : ADDED + (uint32_t)i);
		FSI_PUT(t, TRES, name, names[i]);
	}
	return 0;
}

int fsi_slurm_accounting(struct fsi_import *imp)
{
	int rc = imp->only ? tres_of_config(imp) : read_table(imp, "sacctmgr_tres.txt", tres_line, "tres");

	if (!rc)
		rc = read_qos(imp);
	if (!rc)
		rc = read_table(imp, "sacctmgr_user.txt", user_line, "user");
	if (!rc)
		rc = read_table(imp, "sacctmgr_assoc.txt", assoc_line, NULL);
	return rc > 0 ? 0 : rc;
}
