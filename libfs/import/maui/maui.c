/* fs_import_maui: configuration, traces, clock, queue, windows, in the order in which each needs the one before. */
#include "import/maui/maui.h"
#include "import/marks.h"
#include "base/options.h"

static int set_header(struct fsi_maui_import *x)
{
	struct fsi_header *h = &x->imp->m->head;

	h->format = 1;
	h->time = x->now;
	h->utc_offset_s = (int32_t)x->imp->utc_offset_s;
	h->scheduler = fsi_name(x->imp->m, "maui");
	if (!h->cluster)
		h->cluster = fsi_name(x->imp->m, "maui");
	FSI_SET(h, SNAPSHOT, format);
	FSI_SET(h, SNAPSHOT, time);
	FSI_SET(h, SNAPSHOT, scheduler);
	FSI_SET(h, SNAPSHOT, cluster);
	FSI_SET(h, SNAPSHOT, utc_offset_s);
	if (h->scheduler == FSI_INTERN_FAILED || h->cluster == FSI_INTERN_FAILED)
		return fsi_nomem(x->imp->err);
	return x->imp->zone ? fsi_import_zone(x->imp, false) : 0;
}

/* Adds what processor equivalents are made of, so that columns can list it. */
static int add_tres(struct fsi_maui_import *x)
{
	static const char *const names[] = { "cpu", "mem", "swap", "disk" };
	fs_snapshot *m = x->imp->m;

	for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (FSI_VEC_ROOM(&m->tres))
			return fsi_nomem(x->imp->err);
		m->tres.v[m->tres.n] =
			(struct fsi_tres){ .id = i + 1, .name = fsi_name(m, names[i]) };
		FSI_SET(&m->tres.v[m->tres.n], TRES, id);
		FSI_SET(&m->tres.v[m->tres.n], TRES, name);
		if (m->tres.v[m->tres.n++].name == FSI_INTERN_FAILED)
			return fsi_nomem(x->imp->err);
	}
	return 0;
}

/* What ends outputs that no count closes, and begins the trace of nodes. */
static const struct fsi_mark marks[] = {
	{ "showq_-r.txt", "JobName", NULL, NULL },	 { "out/showq_-r.txt", "JobName", NULL, NULL },
	{ "showq_-r_-v.txt", "JobName", NULL, NULL },	 { "out/showq_-r_-v.txt", "JobName", NULL, NULL },
	{ "showq_-i.txt", "JobName", NULL, NULL },	 { "out/showq_-i.txt", "JobName", NULL, NULL },
	{ "showres.txt", "Reservations", NULL, NULL },	 { "out/showres.txt", "Reservations", NULL, NULL },
	{ "diagnose_-j.txt", "Name", NULL, NULL },	 { "out/diagnose_-j.txt", "Name", NULL, NULL },
	{ "workload", "", NULL, "job" },		 { "traces/workload", "", NULL, "job" },
	{ "resource", "COMPUTENODE", NULL, "node" },	 { "traces/resource", "COMPUTENODE", NULL, "node" },
};

static const struct fsi_import_source sources[] = {
	{ "config", "maui.cfg" },
	{ "config", "date_begin" },
	{ "credential", "maui.cfg" },
	{ "credential", "diagnose_-u.txt" },
	{ "window", "FS.*" },
	{ "node", "resource" },
	{ "job", "showq.*" },
	{ "job", "showq_-r.*" },
	{ "job", "showq_-r_-v*" },
	{ "job", "showq_-i*" },
	{ "job", "checkjob*" },
	{ "job", "diagnose_-j.txt" },
	{ "job", "showres.txt" },
	{ "job", "showres_-n.txt" },
	{ "job", "workload" },
	{ "job", "simstat.out" },
	{ NULL, NULL },
};

/* Marks all as hidden where nothing says that the files are complete: places in the job table are as little known as
 * the jobs that are not shown. */
static int hide_all(struct fsi_maui_import *x)
{
	static const char *const types[] = { "config", "credential", "window", "node", "job" };
	int rc = 0;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types) && !rc; i++)
		rc = fsi_import_hide(x->imp, types[i]);
	for (size_t i = 0; i < x->imp->m->job.n; i++)
		FSI_UNSET(&x->imp->m->job.v[i], JOB, position);
	return rc;
}

static int import_all(struct fsi_maui_import *x)
{
	int rc = fsi_import_marks(x->imp, marks, sizeof(marks) / sizeof(*marks));

	if (!rc)
		rc = add_tres(x);

	if (!rc)
		rc = fsi_maui_config(x);
	if (!rc)
		rc = fsi_maui_traces(x);
	x->traced = x->imp->m->job.n;
	if (!rc)
		rc = fsi_maui_clock(x);
	if (!rc)
		rc = fsi_maui_queue(x);
	if (!rc && x->partial)
		rc = fsi_maui_pages(x);
	if (!rc && x->partial)
		rc = fsi_maui_printed(x);
	if (!rc)
		rc = fsi_maui_read_job_pages(x);
	if (!rc)
		rc = fsi_maui_places(x);
	if (!rc)
		rc = fsi_maui_admits_read(x);
	if (!rc)
		rc = fsi_maui_windows(x);
	if (!rc)
		rc = fsi_maui_resolve(x);
	if (!rc)
		rc = set_header(x);
	if (!rc && x->partial)
		rc = hide_all(x);
	return rc ? rc : fsi_import_zone_told(x->imp);
}

int fsi_import_maui(fs_snapshot **out, const struct fs_source *source, const struct fs_maui_import_options *options,
		    bool partial, struct fs_error *err)
{
	struct fs_maui_import_options o;
	struct fsi_import imp = { .m = fsi_model_new(source->name), .source = source, .err = err, .sources = sources };
	struct fsi_maui_import x = { .imp = &imp, .o = FSI_OPTIONS(o, options), .partial = partial };
	int rc;

	if (!imp.m)
		return fsi_nomem(err);
	imp.zone = x.o->noffsets ? x.o->offsets : NULL;
	imp.nzone = x.o->noffsets;
	rc = import_all(&x);
	if (!rc)
		rc = fsi_model_finish(imp.m, err);
	if (!rc)
		rc = fsi_import_sources(&imp);
	fsi_intern_release(&x.keys);
	fsi_intern_release(&x.told);
	FSI_VEC_FREE(&x.job_of);
	if (rc) {
		fs_snapshot_free(imp.m);
		return rc;
	}
	*out = imp.m;
	return 0;
}

int fs_import_maui(fs_snapshot **out, const struct fs_source *source,
		   const struct fs_maui_import_options *options, struct fs_error *err)
{
	return fsi_import_maui(out, source, options, false, err);
}
