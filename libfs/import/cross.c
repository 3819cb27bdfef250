/* Records that one file of Slurm's commands has must be in another one too: what is in one of them alone is noted. */
#include "base/hostlist.h"
#include "base/num.h"
#include "import/missing.h"
#include "import/required.h"
#include "model/viewer.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes of partitions
 *
 * A partition lists all its nodes. `scontrol show node` leaves out those of a cloud that are powered down, FUTURE ones,
 * and those of other mcs labels (src/slurmctld/node_mgr.c: _determine_if_node_is_hidden): they are as little known. At
 * most FSI_MAX_HOSTS names are looked at, so that no short text of many long ranges takes for ever. Of a node it prints
 * the partitions that list it (src/api/node_info.c: slurm_populate_node_partitions). */

struct nodes {
	const fs_snapshot *m;
	struct fsi_intern known;
	uint32_t *row; /* by name id */
	struct fsi_missing missing, homeless;
};

static int note_node(void *ctx, const char *name, size_t len)
{
	struct nodes *x = ctx;
	const uint32_t k = fsi_intern_find(&x->known, name, len);

	fsi_missing_note(&x->missing, k != 0, name);
	if (k)
		fsi_missing_note(&x->homeless, x->m->node.v[x->row[k]].partitions != 0, name);
	return x->missing.of >= FSI_MAX_HOSTS;
}

static int check_nodes(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	struct nodes x = { .m = m, .row = calloc(m->node.n + 1, sizeof(*x.row)) };
	int rc = x.row ? 0 : fsi_nomem(imp->err);

	for (size_t i = 0; i < m->node.n && !rc; i++) {
		const char *name = fsi_str(m, m->node.v[i].name);
		const uint32_t k = fsi_intern(&x.known, name, strlen(name));

		if (k == FSI_INTERN_FAILED)
			rc = fsi_nomem(imp->err);
		else
			x.row[k] = (uint32_t)i;
	}
	for (size_t i = 0; !rc && i < m->partition.n && m->node.n && x.missing.of < FSI_MAX_HOSTS; i++)
		if (m->partition.v[i].nodes)
			fsi_hostlist_each(fsi_str(m, m->partition.v[i].nodes), FSI_MAX_HOSTS, note_node, &x);
	fsi_intern_release(&x.known);
	free(x.row);
	if (!rc)
		rc = fsi_missing_warn(imp, "node", &x.missing, "scontrol_node_o.txt", "nodes of partitions are");
	return rc ? rc : fsi_missing_warn(imp, NULL, &x.homeless, "scontrol_node_o.txt", "Partitions of nodes are");
}

/* ---- accounts above others */

static int check_accounts(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	bool *account = calloc((size_t)m->names.count + 1, sizeof(*account));
	struct fsi_missing none = { .n = 0 };

	if (!account)
		return fsi_nomem(imp->err);
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->association.v[i].user)
			account[m->association.v[i].account] = true;
	for (size_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t above = a->user ? a->account : a->parent;

		if (above)
			fsi_missing_note(&none, account[above], fsi_str(m, above));
	}
	free(account);
	return fsi_missing_warn(imp, NULL, &none, "sacctmgr_assoc.txt", "accounts above others are");
}

/* ---- associations and QOS of `scontrol show assoc_mgr` */

/* What stands in each record, whatever its value (src/scontrol/info_assoc_mgr.c: _print_assoc_mgr_info, 20.11 to
 * 26.05). The controller has all associations and QOS of its cluster that accounting has; of associations it leaves out
 * those which PrivateData keeps back (src/common/assoc_mgr.c: assoc_mgr_info_get_pack_msg), and that is told as
 * hidden. */
static const struct fsi_required of_associations[] = {
	FSI_ALWAYS("ClusterName"), FSI_ALWAYS("Account"),	FSI_ALWAYS("UserName"),
	FSI_ALWAYS("Priority"),    FSI_ALWAYS("ID"),		FSI_ALWAYS("SharesRaw/Norm/Level/Factor"),
	FSI_ALWAYS("GrpJobs"),     FSI_ALWAYS("UsageRaw/Norm/Efctv"), FSI_ALWAYS("GrpSubmitJobs"),
	FSI_ALWAYS("GrpWall"),     FSI_ALWAYS("GrpTRES"),	FSI_ALWAYS("GrpTRESMins"),
	FSI_ALWAYS("MaxJobs"),     FSI_ALWAYS("GrpTRESRunMins"),	FSI_ALWAYS("MaxSubmitJobs"),
	FSI_ALWAYS("MaxWallPJ"),   FSI_ALWAYS("MaxTRESPJ"),
};
static const struct fsi_required of_qos[] = {
	FSI_ALWAYS("UsageRaw"), FSI_ALWAYS("GrpJobs"),	   FSI_ALWAYS("GrpSubmitJobs"),
	FSI_ALWAYS("GrpWall"),  FSI_ALWAYS("GrpTRES"),	   FSI_ALWAYS("GrpTRESMins"),
	FSI_ALWAYS("Priority"), FSI_ALWAYS("GrpTRESRunMins"), FSI_ALWAYS("MaxWallPJ"),
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

struct managed {
	struct fsi_lacking associations, qos;
	struct fsi_id_index index;
	bool *association, *a_qos; /* seen, by row */
	struct fsi_missing unknown;	   /* QOS that sacctmgr does not list */
};

static void note_qos(const struct fsi_import *imp, struct managed *x, struct fsi_span line)
{
	const fs_snapshot *m = imp->m;
	char name[101];
	size_t len = 0, row = 0;

	line = (struct fsi_span){ line.s + strlen("QOS="), line.len - strlen("QOS=") };
	while (len < line.len && len < sizeof(name) - 1 && line.s[len] != '(' && line.s[len] != ' ')
		len++;
	memcpy(name, line.s, len);
	name[len] = '\0';
	while (row < m->qos.n && strcmp(fsi_str(m, m->qos.v[row].name), name) != 0)
		row++;
	if (row < m->qos.n)
		x->a_qos[row] = true;
	fsi_missing_note(&x->unknown, row < m->qos.n || len == sizeof(name) - 1, name);
}

static int managed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct managed *x = ctx;
	struct fsi_span id;
	struct fsi_kv kv;
	uint64_t n;
	uint32_t row;

	if (fsi_span_begins(line, "QOS=")) {
		fsi_lacking_record(&x->qos, of_qos, COUNT(of_qos), line);
		note_qos(imp, x, line);
	}
	if (!fsi_span_begins(line, "ClusterName=") && !fsi_span_begins(line, "Account="))
		return 0;
	fsi_lacking_record(&x->associations, of_associations, COUNT(of_associations), line);
	fsi_kv_split(&kv, line);
	id = fsi_kv_get(&kv, "ID");
	row = fsi_parse_u64(id.s, id.len, &n) ? FSI_NO_INDEX : fsi_index_find(&x->index, n);
	if (row != FSI_NO_INDEX)
		x->association[row] = true;
	return 0;
}

static int judge_managed(struct fsi_import *imp, const struct managed *x)
{
	const struct fsi_viewer viewer = fsi_missing_viewer(imp->m);
	static const char file[] = "scontrol_assoc_mgr_o.txt";
	const fs_snapshot *m = imp->m;
	struct fsi_missing associations = { .n = 0 }, qos = { .n = 0 };
	int rc = fsi_lacking_warn(imp, &x->associations, of_associations, COUNT(of_associations), file);

	if (!rc)
		rc = fsi_lacking_warn(imp, &x->qos, of_qos, COUNT(of_qos), file);
	for (size_t i = 0; i < m->association.n; i++)
		if (fsi_viewer_sees_usage(&viewer, &m->association.v[i]))
			fsi_missing_note(&associations, x->association[i], fsi_str(m, m->association.v[i].account));
	for (size_t i = 0; i < m->qos.n && !fsi_hidden(m, "qos"); i++)
		fsi_missing_note(&qos, x->a_qos[i], fsi_str(m, m->qos.v[i].name));
	if (!rc)
		rc = fsi_missing_warn(imp, NULL, &associations, file, "associations are");
	if (!rc)
		rc = fsi_missing_warn(imp, NULL, &qos, file, "QOS are");
	return rc ? rc : fsi_missing_warn(imp, "qos", &x->unknown, "sacctmgr_qos_all.txt", "QOS of the controller are");
}

static int check_managed(struct fsi_import *imp)
{
	struct managed x = { .association = calloc(imp->m->association.n + 1, sizeof(bool)),
			     .a_qos = calloc(imp->m->qos.n + 1, sizeof(bool)) };
	int rc = !x.association || !x.a_qos || fsi_index_associations(&x.index, imp->m) ? fsi_nomem(imp->err) : 0;

	if (!rc)
		rc = fsi_import_lines(imp, "scontrol_assoc_mgr_o.txt", managed_line, &x);
	if (!rc)
		rc = judge_managed(imp, &x);
	free(x.association);
	free(x.a_qos);
	free(x.index.v);
	return rc > 0 ? 0 : rc;
}

int fsi_slurm_cross(struct fsi_import *imp)
{
	int rc = 0;

	FSI_IN_TURN(rc, struct fsi_import *, imp, check_nodes, fsi_slurm_cross_algorithm, check_accounts, check_managed,
		    fsi_slurm_cross_rows, fsi_slurm_cross_names, fsi_slurm_cross_squeue);
	return rc;
}
