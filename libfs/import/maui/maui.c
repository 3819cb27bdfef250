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
		struct fsi_tres *t = FSI_VEC_ADD(&m->tres);

		if (!t)
			return fsi_nomem(x->imp->err);
		FSI_PUT(t, TRES, id, i + 1);
		FSI_PUT(t, TRES, name, fsi_name(m, names[i]));
		if (t->name == FSI_INTERN_FAILED)
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
	static const char *const types[] = { "config", "credential", "window", "node", "job", NULL };
	const int rc = fsi_import_hide_all(x->imp, types);

	for (size_t i = 0; i < x->imp->m->job.n; i++)
		FSI_UNSET(&x->imp->m->job.v[i], JOB, position);
	return rc;
}

static int import_all(struct fsi_maui_import *x)
{
	int rc = fsi_import_marks(x->imp, marks, sizeof(marks) / sizeof(*marks));

	FSI_IN_TURN(rc, struct fsi_maui_import *, x, add_tres, fsi_maui_config, fsi_maui_traces,
		    fsi_maui_node_partitions);
	x->traced = x->imp->m->job.n;
	FSI_IN_TURN(rc, struct fsi_maui_import *, x, fsi_maui_clock, fsi_maui_queue, fsi_maui_pages);
	if (x->partial)
		FSI_IN_TURN(rc, struct fsi_maui_import *, x, fsi_maui_printed);
	FSI_IN_TURN(rc, struct fsi_maui_import *, x, fsi_maui_read_job_pages, fsi_maui_places, fsi_maui_admits_read,
		    fsi_maui_windows, fsi_maui_resolve, set_header);
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
	FSI_VEC_FREE(&x.node_partition);
	return fsi_import_end(&imp, rc, out);
}

int fs_import_maui(fs_snapshot **out, const struct fs_source *source,
		   const struct fs_maui_import_options *options, struct fs_error *err)
{
	return fsi_import_maui(out, source, options, false, err);
}
