/* fs_import_flux, fs_import_flux_tree: the parts in their order, and the header. */
#include "import/flux/flux.h"

#include <stdlib.h>
#include <string.h>

/* The latest moment that any job tells of. */
static int64_t latest(const fs_snapshot *m)
{
	int64_t t = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		t = job->submit_time > t ? job->submit_time : t;
		/* the eligible time of these is a begin time yet to come */
		if (strcmp(fsi_str(m, fsi_job_rare(m, job)->phase), "DEPEND") != 0)
			t = job->eligible_time > t ? job->eligible_time : t;
		if (job->state != FSI_STATE_PENDING)
			t = job->start_time > t ? job->start_time : t;
	}
	return t;
}

/* Warns of weights that are not known: they are when there is nothing of flux-accounting. Where list-factors alone
 * is missing they are its defaults. */
static int warn_of_weights(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;

	if (!m->job.n || f->factors || f->partial)
		return 0;
	if (!m->association.n)
		return fsi_import_hide(&f->imp, "config");
	return fsi_warn(m, "no weights (list-factors): flux-accounting's own 100000, 10000, 0 and 1000 will be used")
		       ? fsi_nomem(f->imp.err)
		       : 0;
}

static int complete_header(struct fsi_flux_import *f)
{
	fs_snapshot *m = f->imp.m;
	struct fsi_header *h = &m->head;

	h->format = 1;
	if (!h->scheduler)
		h->scheduler = fsi_name(m, "flux");
	h->cluster = fsi_name(m, "unknown");
	h->usage_source = fsi_name(m, f->tree ? "tree" : "flux-accounting");
	if (h->scheduler == FSI_INTERN_FAILED || h->cluster == FSI_INTERN_FAILED ||
	    h->usage_source == FSI_INTERN_FAILED)
		return fsi_nomem(f->imp.err);
	if (!FSI_HAS(h, SNAPSHOT, time)) {
		h->time = latest(m);
		if (m->job.n &&
		    fsi_warn(m,
			     "no file date_begin: the capture's time is taken from the latest job"))
			return fsi_nomem(f->imp.err);
	}
	FSI_SET(h, SNAPSHOT, format);
	FSI_SET(h, SNAPSHOT, time);
	FSI_SET(h, SNAPSHOT, cluster);
	FSI_SET(h, SNAPSHOT, scheduler);
	FSI_SET(h, SNAPSHOT, usage_source);
	return warn_of_weights(f);
}

static const struct fsi_import_source sources[] = {
	{ "config", "date_begin" },
	{ "config", "flux_version.txt" },
	{ "config", "list-factors*" },
	{ "config", "list-configs*" },
	{ "association", "view-bank_root_-t_-P.txt" },
	{ "association", "list-banks*" },
	{ "association", "list-users*" },
	{ "association", "export-db_-F.json" },
	{ "partition", "list-queues*" },
	{ "partition", "flux_queue_status.txt" },
	{ "node", "flux_resource_R.json" },
	{ "node", "flux_resource_list.txt" },
	{ "node", "flux_resource_status.txt" },
	{ "job", "flux-jobs*" },
	{ "job", "flux_jobspecs.json" },
	{ "job", "flux_jobs_ended.json" },
	{ "job", "flux_jobtap_query.json" },
	{ "usage", "view-job-records*" },
	{ NULL, NULL },
};

static int hide_all(struct fsi_flux_import *f)
{
	static const char *const types[] = { "config", "association", "partition", "node", "job", FSI_HIDDEN_ASSOCIATION_IDS,
					     NULL };

	return fsi_import_hide_all(&f->imp, types);
}

static int read_folder(struct fsi_flux_import *f)
{
	int rc = 0;

	FSI_IN_TURN(rc, struct fsi_flux_import *, f, fsi_flux_clock, fsi_flux_banks, fsi_flux_settings,
		    fsi_flux_resources, fsi_flux_status, fsi_flux_jobs, fsi_flux_ended, fsi_flux_plugin,
		    fsi_flux_jobspecs, fsi_flux_jobs_whole, fsi_flux_records);
	if (!rc && f->partial)
		rc = hide_all(f);
	if (!rc && !f->partial && !f->imp.m->association.n && !f->imp.m->job.n)
		rc = fsi_fail(f->imp.err, FS_ENODATA,
			      "%s: no output of flux account list-banks or flux jobs --json",
			      f->imp.source->name);
	return rc;
}

static int end(struct fsi_flux_import *f, int rc, fs_snapshot **out)
{
	if (!rc)
		rc = complete_header(f);
	if (!rc)
		rc = fsi_model_finish(f->imp.m, f->imp.err);
	if (!rc)
		rc = fsi_flux_last_jobs(f);
	if (!rc)
		rc = fsi_flux_held_factors(f);
	if (!rc && f->imp.sources)
		rc = fsi_import_sources(&f->imp);
	free(f->bank.row);
	free(f->user.row);
	FSI_VEC_FREE(&f->ended);
	FSI_VEC_FREE(&f->held);
	return fsi_import_end(&f->imp, rc, out);
}

int fsi_import_flux(fs_snapshot **out, const struct fs_source *source, bool partial, struct fs_error *err)
{
	struct fsi_flux_import f = {
		.imp = { .m = fsi_model_new(source->name), .source = source, .err = err, .sources = sources },
		.partial = partial
	};

	return f.imp.m ? end(&f, read_folder(&f), out) : fsi_nomem(err);
}

int fs_import_flux(fs_snapshot **out, const struct fs_source *source, struct fs_error *err)
{
	return fsi_import_flux(out, source, false, err);
}

int fs_import_flux_tree(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err)
{
	struct fsi_flux_import f = { .imp = { .m = fsi_model_new(name), .err = err } };
	int rc;

	if (!f.imp.m)
		return fsi_nomem(err);
	rc = fsi_flux_tree(&f, read, ctx, name);
	if (!rc)
		rc = fsi_flux_check(&f);
	if (!rc)
		rc = fsi_import_hide(&f.imp, "job");
	return end(&f, rc, out);
}
