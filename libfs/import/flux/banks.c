/* Banks and users: `flux account view-bank root -t -P`, `list-banks`, `list-users`. The first shows inactive
 * banks too, and their order; the others have all columns of bank_table and association_table. */
#include "import/flux/flux.h"
#include "import/required.h"

#include <stdlib.h>
#include <string.h>

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

static int add_bank(struct fsi_flux_import *f, uint32_t name, const struct fsi_association *a)
{
	return fsi_flux_number(&f->bank, name, (uint32_t)(a - f->imp.m->association.v)) < 0
		       ? fsi_nomem(f->imp.err)
		       : 0;
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
	a = at != FSI_NO_INDEX ? &f->imp.m->association.v[at] : fsi_flux_association(f);
	if (!a)
		return fsi_nomem(f->imp.err);
	a->rec.line = (uint32_t)f->imp.where.line;
	rc = fsi_flux_set(f, row, bank_map, COUNT(bank_map), FSI_RECORD_ASSOCIATION, &a->rec);
	a->usage_tres_s = 0; /* what it used is all its users' */
	FSI_SET(a, ASSOCIATION, usage_tres_s);
	return rc ? rc : add_bank(f, name, a);
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
	a = fsi_flux_association(f);
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
	a = fsi_flux_association(f);
	if (!a)
		return fsi_nomem(f->imp.err);
	a->rec.line = 0; /* list-banks may show it again */
	FSI_PUT(a, ASSOCIATION, account, id);
	a->parent = depth ? t->bank[depth - 1] : 0;
	FSI_SET(a, ASSOCIATION, usage_tres_s);
	if (depth)
		FSI_SET(a, ASSOCIATION, parent);
	remember_file(f->banks_file, f);
	const int rc = fsi_flux_set(f, row, tree_bank_map, COUNT(tree_bank_map),
				    FSI_RECORD_ASSOCIATION, &a->rec);
	return rc ? rc : add_bank(f, id, a);
}

static int tree_user(struct tree_lines *t, const struct fsi_kv *row, struct fsi_span bank,
		     struct fsi_span user)
{
	struct fsi_association *a;

	if (!t->users)
		return 0;
	a = fsi_flux_association(t->f);
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
		rc = fsi_flux_tree_file(f, export_file);
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
