/* Past jobs: `flux account view-job-records` (fluxacct/accounting/jobs_table_subcommands.py). It tells no resources
 * but nodes, which are what usage counts by default. */
#include "import/flux/flux.h"

#include "base/num.h"

static const char *const record_files[] = { "view-job-records_--json.json", "view-job-records.txt",
					    NULL };

/* The database knows users by number, or by name where it has one. */
static struct fsi_span user_name(const struct fsi_flux_import *f, const struct fsi_kv *row)
{
	const fs_snapshot *m = f->imp.m;
	const struct fsi_span name = fsi_kv_get(row, "username"), id = fsi_kv_get(row, "userid");
	uint64_t uid;

	if (fsi_parse_u64(name.s, name.len, &uid) && name.len)
		return name;
	for (size_t i = 0; !fsi_parse_u64(id.s, id.len, &uid) && i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid) && m->user.v[i].uid == uid) {
			const char *s = fsi_str(m, m->user.v[i].name);

			return fsi_span_of(s);
		}
	return name;
}

static int whole_seconds(struct fsi_flux_import *f, const struct fsi_kv *row, const char *key, int64_t *out)
{
	const struct fsi_span v = fsi_kv_get(row, key);
	double t;

	if (fsi_parse_double(v.s, v.len, &t) || !(t >= 0 && t <= (double)FSI_SECONDS_MAX))
		return fsi_import_bad(&f->imp, key, v, "seconds since 1970");
	*out = (int64_t)t;
	return 0;
}

static int set_nodes(struct fsi_flux_import *f, const struct fsi_kv *row, struct fsi_usage *u)
{
	fs_snapshot *m = f->imp.m;
	const struct fsi_span v = fsi_kv_get(row, "nnodes");
	struct fsi_amount a = { .tres = fsi_name(m, "node") };
	uint64_t n;

	if (a.tres == FSI_INTERN_FAILED)
		return fsi_nomem(f->imp.err);
	if (fsi_parse_u64(v.s, v.len, &n) || n > INT64_MAX)
		return fsi_import_bad(&f->imp, "nnodes", v, "a number of nodes");
	a.n = (int64_t)n;
	FSI_PUT(u, USAGE, tres, fsi_intern(&m->sets, &a, sizeof(a)));
	return u->tres == FSI_INTERN_FAILED ? fsi_nomem(f->imp.err) : 0;
}

static int record_row(struct fsi_flux_import *f, const struct fsi_kv *row)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_span id = fsi_kv_get(row, "jobid");
	struct fsi_usage *u;
	int rc;

	u = FSI_VEC_ADD(&m->usage);
	if (!u)
		return fsi_nomem(f->imp.err);
	if (fsi_import_flux_id(id.s ? id : fsi_kv_get(row, "id"), &u->job))
		return fsi_import_bad(&f->imp, "jobid", id, "a job id");
	rc = whole_seconds(f, row, "t_run", &u->start_time);
	if (!rc)
		rc = whole_seconds(f, row, "t_inactive", &u->end_time);
	FSI_SET(u, USAGE, job);
	FSI_SET(u, USAGE, start_time);
	FSI_SET(u, USAGE, end_time);
	if (!rc)
		rc = FSI_IMPORT_SET(&f->imp, USAGE, u, user, user_name(f, row));
	if (!rc)
		rc = FSI_IMPORT_SET(&f->imp, USAGE, u, account, fsi_kv_get(row, "bank"));
	if (!rc)
		rc = set_nodes(f, row, u);
	return rc ? rc : fsi_usage_check(u, f->imp.where, f->imp.err);
}

int fsi_flux_records(struct fsi_flux_import *f)
{
	const int rc = fsi_flux_rows(f, record_files, record_row, NULL, 0);

	return rc == 1 ? 0 : rc;
}
