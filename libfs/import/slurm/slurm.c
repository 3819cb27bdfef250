/* fs_import_slurm: the files of a capture in the order in which later ones build on earlier ones. */
#include "import/import.h"
#include "base/options.h"
#include "import/required.h"
#include "import/whole.h"
#include "model/slurm/conf.h"
#include "model/viewer.h"

#include <stdlib.h>

/* Fills in what every snapshot has, where no file told it. */
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
	FSI_SET(h, SNAPSHOT, format);
	FSI_SET(h, SNAPSHOT, scheduler);
	FSI_SET(h, SNAPSHOT, cluster);
	fsi_model_scheduler(imp->m);
	return 0;
}

/* Is there an association whose account, or whose parent, is not there? */
static bool path_is_broken(const fs_snapshot *m)
{
	bool *account = calloc((size_t)m->names.count + 1, sizeof(*account));
	bool broken = false;

	for (size_t i = 0; account && i < m->association.n; i++)
		if (!m->association.v[i].user)
			account[m->association.v[i].account] = true;
	for (size_t i = 0; account && i < m->association.n && !broken; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t above = a->user ? a->account : a->parent;

		broken = above && !account[above];
	}
	free(account);
	return broken;
}

/* slurmdbd sends a user without privileges his own rows, those of the accounts he coordinates, and the accounts
 * above them up to the root (src/plugins/accounting_storage/mysql/as_mysql_assoc.c: as_mysql_get_assocs), by a
 * PrivateData of its own that nothing shows: the tree then looks whole, but has nobody else in it. Every cluster
 * has root's row. */
static bool nobody_else(const fs_snapshot *m, struct fsi_viewer viewer)
{
	viewer.private_usage = true;
	for (size_t i = 0; i < m->association.n; i++)
		if (m->association.v[i].user && !fsi_viewer_sees_usage(&viewer, &m->association.v[i]))
			return false;
	return true;
}

/* Did the controller show the usage of some and not of others (PrivateData=usage)? */
static bool usage_is_partial(const fs_snapshot *m)
{
	size_t known = 0;

	for (size_t i = 0; i < m->association.n; i++)
		known += FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s);
	return known && known < m->association.n;
}

static bool tree_is_partial(const fs_snapshot *m, const struct fsi_viewer *viewer)
{
	return !m->association.n || usage_is_partial(m) ||
	       ((viewer->private_tree || !viewer->all) && path_is_broken(m)) ||
	       (!viewer->all && nobody_else(m, *viewer));
}

/* Marks what PrivateData kept from the login name that captured, as far as that is known. */
static int hide_private(struct fsi_import *imp)
{
	const char *caller = fsi_str(imp->m, imp->m->head.captured_by);
	struct fsi_viewer viewer;
	int rc = 0;

	fsi_viewer_init(&viewer, imp->m, *caller ? caller : NULL);
	if (tree_is_partial(imp->m, &viewer))
		rc = fsi_import_hide(imp, "association");
	if (!rc && viewer.private_jobs && !viewer.all)
		rc = fsi_import_hide(imp, "job");
	return rc;
}

static int hide_all(struct fsi_import *imp, enum fs_import_asked asked)
{
	static const char *const types[] = { "association", "job",  "qos",	   "partition", "node",
					     "user",	    "reservation", "tres", NULL };
	static const char *const inputs[] = { FSI_HIDDEN_JOB_FIELDS, FSI_HIDDEN_PRIORITY_INPUTS, NULL };
	const int rc = fsi_import_hide_all(imp, asked == FS_IMPORT_SHARES ? types + 1 : types);

	return !rc && asked == FS_IMPORT_PRIORITIES ? fsi_import_hide_all(imp, inputs) : rc;
}

static const struct fsi_import_source sources[] = {
	{ "config", "scontrol_config.txt" },
	{ "config", "slurm.conf" },
	{ "config", "date_begin" },
	{ "config", "sdiag.txt" },
	{ "tres", "sacctmgr_tres.txt" },
	{ "association", "sacctmgr_assoc.txt" },
	{ "association", "scontrol_assoc_mgr_o.txt" },
	{ "association", "sshare.txt" },
	{ "association", "sshare_a.json" },
	{ "user", "sacctmgr_user.txt" },
	{ "qos", "sacctmgr_qos_all.txt" },
	{ "qos", "sacctmgr_qos.txt" },
	{ "qos", "scontrol_assoc_mgr_o.txt" },
	{ "partition", "scontrol_partition_o.txt" },
	{ "node", "scontrol_node_o.txt" },
	{ "node", "scontrol_topology.txt" },
	{ "reservation", "scontrol_reservation.txt" },
	{ "job", "scontrol_job_o.txt" },
	{ "job", "scontrol_job_d.txt" },
	{ "job", "squeue_O.txt" },
	{ "usage", "sacct.txt" },
	{ "usage", "sacct.json" },
	{ "recorded", "sshare.txt" },
	{ "recorded", "sprio.txt" },
	{ NULL, NULL },
};

/* A capture that asked for some users alone has all that counts where nobody's records are private, and no setting
 * brings in more. */
static int check_asked(struct fsi_import *imp)
{
	const struct fsi_config_entry *private = fsi_config_find(imp->m, "PrivateData");

	if (!imp->only)
		return 0;
	if (!imp->m->config.n || !fsi_is_multifactor(imp->m) ||
	    (imp->only == FS_IMPORT_SHARES ? fsi_slurm_is_classic(imp->m)
					   : fsi_config_lists(imp->m, "PriorityFlags", "CALCULATE_RUNNING")))
		return fsi_fail(imp->err, FS_EUSAGE, "%s: its settings bring in more than was asked for", imp->source->name);
	return private && private->i ? fsi_fail(imp->err, FS_ENODATA, "%s: some of what was asked for is private", imp->source->name)
				     : 0;
}

static int import_all(struct fsi_import *imp, const struct fs_import_options *options)
{
	int rc = fsi_import_lines(imp, "caller", fsi_import_caller, &imp->m->head);
	struct fsi_look jobs;

	imp->zone = options->noffsets ? options->offsets : NULL;
	imp->nzone = options->noffsets;
	imp->only = options->asked;
	rc = rc > 0 ? 0 : rc;
	FSI_IN_TURN(rc, struct fsi_import *, imp, fsi_slurm_clock, fsi_slurm_config, default_header, check_asked,
		    fsi_slurm_accounting, fsi_slurm_assoc_mgr, fsi_slurm_machine);
	if (!rc)
		rc = fsi_slurm_jobs(imp, &jobs);
	if (!rc)
		rc = fsi_slurm_whole(imp, &jobs);
	FSI_IN_TURN(rc, struct fsi_import *, imp, fsi_slurm_cross_jobs, fsi_slurm_sacct, fsi_slurm_sshare,
		    fsi_slurm_sshare_json, fsi_slurm_sprio, fsi_slurm_tried);
	if (!rc)
		rc = fsi_slurm_exact_usage(imp, options);
	if (!rc)
		rc = fsi_import_zone_told(imp);
	if (!rc && (options->partial || imp->only))
		rc = hide_all(imp, imp->only);
	if (!rc)
		rc = hide_private(imp);
	return rc || options->partial || imp->only ? rc : fsi_slurm_cross(imp);
}

/* Warns of settings that make every command refuse which computes priorities. */
static int note_settings(struct fsi_import *imp)
{
	struct fsi_slurm_conf conf;
	struct fs_error err;

	if (fsi_slurm_conf_load(imp->m, &conf, &err) != FS_EDATA)
		return 0;
	return fsi_import_incomplete(imp, "config", "%s: no priority can be computed: %s: %s", imp->source->name, err.field,
				     err.message);
}

int fs_import_slurm(fs_snapshot **out, const struct fs_source *source,
		    const struct fs_import_options *options, struct fs_error *err)
{
	struct fsi_import imp = { .m = fsi_model_new(source->name), .source = source, .err = err, .sources = sources };
	struct fs_import_options o;
	int rc;

	if (!imp.m)
		return fsi_nomem(err);
	rc = import_all(&imp, FSI_OPTIONS(o, options));
	if (!rc)
		rc = fsi_model_finish(imp.m, err);
	FSI_IN_TURN(rc, struct fsi_import *, &imp, note_settings, fsi_import_sources);
	return fsi_import_end(&imp, rc, out);
}
