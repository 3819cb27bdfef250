#include "model/viewer.h"

#include "model/scheduler.h"

#include <string.h>

void fsi_viewer_init(struct fsi_viewer *v, const fs_snapshot *m, const char *name)
{
	const uint32_t set = fsi_config_list(m, "PrivateData");

	*v = (struct fsi_viewer){ .m = m, .jobs_to_come = m->scheduler->simulates };
	v->private_usage = fsi_list_has(m, set, "usage");
	v->private_jobs = fsi_list_has(m, set, "jobs");
	v->private_tree = v->private_usage || fsi_list_has(m, set, "users") ||
			  fsi_list_has(m, set, "accounts");
	if (!name) {
		v->all = true;
		return;
	}
	v->user = fsi_name_find(m, name);
	v->record = v->user ? fsi_user_find(m, v->user) : NULL;
	const char *admin = v->record ? fsi_str(m, v->record->admin) : "";
	v->all = !strcmp(name, "root") || !strcmp(admin, "operator") ||
		 !strcmp(admin, "administrator");
}

static bool has(const fs_snapshot *m, const struct fsi_user *u, uint32_t account)
{
	size_t n;
	const uint32_t *accounts = fsi_list(m, u ? u->coordinates : 0, &n);

	for (size_t i = 0; i < n; i++)
		if (accounts[i] == account)
			return true;
	return false;
}

static bool coordinates(const struct fsi_viewer *v, uint32_t account)
{
	return has(v->m, v->record, account);
}

static bool sees(const struct fsi_viewer *v, bool is_private, uint32_t user, uint32_t account)
{
	return !is_private || v->all || (user && user == v->user) || coordinates(v, account);
}

bool fsi_viewer_sees_usage(const struct fsi_viewer *v, const struct fsi_association *a)
{
	return sees(v, v->private_usage, a->user, a->account);
}

bool fsi_viewer_sees_job(const struct fsi_viewer *v, const struct fsi_job *job)
{
	if (v->jobs_to_come && job->state == FSI_STATE_FUTURE)
		return false;
	/* of many jobs in another order than they stand in, memory is slow: most who ask need not look at them */
	return !v->private_jobs || v->all || sees(v, true, job->user, job->account);
}

/* Its record with the accounts it coordinates: private with users, accounts and usage. */
static bool sees_user(const struct fsi_viewer *v, const struct fsi_user *u)
{
	return sees(v, v->private_tree, u->name, 0);
}

const char *fs_snapshot_coordinator(const fs_snapshot *m, const char *viewer, const char *account, size_t i)
{
	const uint32_t id = fsi_name_find(m, account);
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	for (size_t k = 0; id && k < m->user.n; k++)
		if (has(m, &m->user.v[k], id) && sees_user(&v, &m->user.v[k]) && !i--)
			return fsi_str(m, m->user.v[k].name);
	return NULL;
}

static bool is_above(const fs_snapshot *m, uint32_t accounts, const char *account)
{
	size_t n;
	const uint32_t *v = fsi_list(m, accounts, &n);

	for (size_t i = 0; i < n; i++)
		if (fs_snapshot_account_within(m, account, fsi_str(m, v[i])))
			return true;
	return false;
}

bool fsi_viewer_knows_no_coordinator(const struct fsi_viewer *v, const char *account)
{
	const fs_snapshot *m = v->m;
	bool told = false;

	if (fsi_hidden(m, "user") || fsi_hidden(m, "association") || (v->private_tree && !v->all))
		return false;
	for (size_t i = 0; i < m->user.n; i++) {
		const struct fsi_user *u = &m->user.v[i];

		told = told || FSI_HAS(u, USER, admin) || FSI_HAS(u, USER, coordinates);
		if (is_above(m, u->coordinates, account))
			return false;
	}
	return told;
}
