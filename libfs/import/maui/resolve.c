/* The credentials that jobs and nodes bring, and the QOS each job gets. */
#include "import/maui/maui.h"

#include "base/num.h"

#include <string.h>

static int credential_of(struct fsi_maui_import *x, enum fs_cred_kind kind, uint32_t name)
{
	const char *s = fsi_str(x->imp->m, name);

	if (name && !fsi_maui_credential(x, kind, fsi_span_of(s)))
		return fsi_nomem(x->imp->err);
	return 0;
}

static int class_list(struct fsi_maui_import *x, uint32_t set)
{
	size_t n;
	int rc = 0;

	for (size_t i = 0; i < (fsi_list(x->imp->m, set, &n), n) && !rc; i++)
		rc = credential_of(x, FS_CRED_CLASS, fsi_list(x->imp->m, set, &n)[i]);
	return rc;
}

/* The QOS that the job asked for where it may use it, else the default of the first credential that has one: user,
 * group, account, class, each falling back on DEFAULT's (src/moab/MQOS.c:MQOSGetAccess). */
static uint32_t delivered_qos(const fs_snapshot *m, const struct fsi_creds *creds, const struct fsi_job *job)
{
	const uint32_t fallback = fsi_name_find(m, "DEFAULT");
	uint32_t rows[FS_CRED_KINDS], found = 0;
	size_t n;
	const uint32_t *asked = fsi_list(m, job->qos, &n);

	if (n && fsi_maui_may_use(m, creds, job, asked[0]))
		return asked[0];
	fsi_job_creds(m, creds, job, rows);
	for (int i = 0; i < FSI_MAUI_ASKED; i++) {
		uint32_t row = rows[fsi_maui_asked[i]];
		const struct fsi_credential *own =
			row == FSI_NO_INDEX ? NULL : &m->credential.v[row];
		const struct fsi_credential *other;

		row = fsi_creds_find(creds, fsi_maui_asked[i], fallback);
		other = row == FSI_NO_INDEX ? NULL : &m->credential.v[row];
		if (!found && own && own->default_qos)
			found = own->default_qos;
		if (!found && other)
			found = other->default_qos;
	}
	return found ? found : fallback;
}

static int resolve_qos(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	struct fsi_creds creds;
	int rc = 0;

	if (fsi_creds_init(&creds, m))
		return fsi_nomem(x->imp->err);
	for (size_t i = 0; i < m->job.n && !rc; i++) {
		struct fsi_job *job = &m->job.v[i];
		const uint32_t qos = x->partial ? fsi_list_first(m, job->qos) : delivered_qos(m, &creds, job);

		if (!qos)
			continue;
		FSI_PUT(job, JOB, qos, fsi_intern(&m->sets, &qos, sizeof(qos)));
		if (job->qos == FSI_INTERN_FAILED)
			rc = fsi_nomem(x->imp->err);
	}
	fsi_creds_release(&creds);
	return rc;
}

/* diagnose -u: Name Priority Flags QDef QOSList PartitionList Target Limits. Maui has a place for every user that it
 * met, whoever asked it something too. */
static int user_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	enum { NAME, PRIORITY, COLUMNS = 8 };
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[COLUMNS];
	int64_t priority;

	if (fsi_span_words(line, w, COLUMNS) < COLUMNS - 1 ||
	    fsi_parse_i64(w[PRIORITY].s, w[PRIORITY].len, &priority))
		return 0;
	return fsi_maui_credential(x, FS_CRED_USER, w[NAME]) ? 0 : fsi_nomem(imp->err);
}

static int users_met(struct fsi_maui_import *x)
{
	static const char *const files[] = { "diagnose_-u.txt", "out/diagnose_-u.txt", NULL };
	const int rc = fsi_maui_first_file(x, files, user_line);

	return rc < 0 ? rc : 0;
}

int fsi_maui_resolve(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	int rc = 0;

	for (size_t i = 0; i < m->node.n && !rc; i++)
		rc = class_list(x, m->node.v[i].partitions);
	for (size_t i = 0; i < m->job.n && !rc; i++) {
		rc = credential_of(x, FS_CRED_USER, m->job.v[i].user);
		if (!rc)
			rc = credential_of(x, FS_CRED_GROUP, m->job.v[i].group);
		if (!rc)
			rc = credential_of(x, FS_CRED_ACCT, m->job.v[i].account);
		if (!rc)
			rc = class_list(x, m->job.v[i].partitions);
	}
	if (!rc)
		rc = users_met(x);
	return rc ? rc : resolve_qos(x);
}
