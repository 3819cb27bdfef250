/* fs_import_slurm: the files of a capture in the order in which later ones build on earlier ones. */
#include "import/import.h"
#include "model/viewer.h"

#include <stdlib.h>
#include <string.h>

static int caller_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_header *h = ctx;

	if (imp->where.line > 1)
		return 0;
	h->captured_by = fsi_import_name(imp, fsi_span_trim(line));
	h->rec.has |= 1ull << FSI_SNAPSHOT_captured_by;
	return h->captured_by == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}

/* What every snapshot has, where no file said it. */
static int default_header(struct fsi_import *imp)
{
	struct fsi_header *h = &imp->m->head;

	h->format = 1;
	if (!h->scheduler)
		h->scheduler = fsi_name(imp->m, "slurm");
	if (!h->cluster)
		h->cluster = fsi_name(imp->m, "unknown");
	if (h->scheduler == FSI_INTERN_FAILED || h->cluster == FSI_INTERN_FAILED)
		return fsi_nomem(imp->err);
	h->rec.has |= 1ull << FSI_SNAPSHOT_format | 1ull << FSI_SNAPSHOT_scheduler |
		      1ull << FSI_SNAPSHOT_cluster;
	return 0;
}

/* A user without privileges gets part of the tree under PrivateData: rows whose account is not there. */
static bool tree_is_partial(const fs_snapshot *m)
{
	bool *account = calloc((size_t)m->names.count + 1, sizeof(*account));
	bool partial = false;

	for (size_t i = 0; account && i < m->association.n; i++)
		if (!m->association.v[i].user)
			account[m->association.v[i].account] = true;
	for (size_t i = 0; account && i < m->association.n && !partial; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t above = a->user ? a->account : a->parent;

		partial = above && !account[above];
	}
	free(account);
	return partial;
}

/* What PrivateData kept from the login name that captured, as far as that is known. */
static int hide_private(struct fsi_import *imp)
{
	const char *caller = fsi_str(imp->m, imp->m->head.captured_by);
	struct fsi_viewer viewer;
	int rc = 0;

	fsi_viewer_init(&viewer, imp->m, *caller ? caller : NULL);
	if (!imp->m->association.n || (viewer.private_tree && tree_is_partial(imp->m)))
		rc = fsi_import_hide(imp, "association");
	if (!rc && viewer.private_jobs && !viewer.all)
		rc = fsi_import_hide(imp, "job");
	return rc;
}

static int import_all(struct fsi_import *imp, const struct fs_import_options *options)
{
	int rc = fsi_import_lines(imp, "caller", caller_line, &imp->m->head);

	rc = rc > 0 ? 0 : rc;
	if (!rc)
		rc = fsi_slurm_clock(imp);
	if (!rc)
		rc = fsi_slurm_config(imp);
	if (!rc)
		rc = default_header(imp);
	if (!rc)
		rc = fsi_slurm_accounting(imp);
	if (!rc)
		rc = fsi_slurm_assoc_mgr(imp);
	if (!rc)
		rc = fsi_slurm_machine(imp);
	if (!rc)
		rc = fsi_slurm_jobs(imp);
	if (!rc)
		rc = fsi_slurm_sacct(imp);
	if (!rc)
		rc = fsi_slurm_recorded(imp);
	if (!rc)
		rc = hide_private(imp);
	return rc ? rc : fsi_slurm_exact_usage(imp, options);
}

int fs_import_slurm(fs_snapshot **out, const struct fs_source *source,
		    const struct fs_import_options *options, struct fs_error *err)
{
	struct fsi_import imp = { .m = fsi_model_new(source->name), .source = source, .err = err };
	int rc;

	if (!imp.m)
		return fsi_nomem(err);
	rc = import_all(&imp, options);
	if (!rc)
		rc = fsi_model_finish(imp.m, err);
	if (rc) {
		fs_snapshot_free(imp.m);
		return rc;
	}
	*out = imp.m;
	return 0;
}
