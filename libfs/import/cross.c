/* Records that one file of Slurm's commands has and another must have too: what is in one of them alone is told. */
#include "base/hostlist.h"
#include "base/num.h"
#include "import/required.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one kind: how many are not there, and the first. */
struct missing {
	size_t n, of;
	char first[101];
};

static void note(struct missing *x, bool there, const char *name)
{
	x->of++;
	if (!there && !x->n++)
		snprintf(x->first, sizeof(x->first), "%s", name);
}

static int tell(struct fsi_import *imp, const char *type, const struct missing *x, const char *file, const char *what)
{
	return x->n ? fsi_import_incomplete(imp, type, "%s/%s: %zu of %zu %s not there, the first: %s", imp->source->name,
					    file, x->n, x->of, what, x->first)
		    : 0;
}

/* ---- nodes of partitions
 *
 * A partition lists all its nodes. `scontrol show node` leaves out those of a cloud that are powered down, FUTURE ones, and
 * those of other mcs labels (src/slurmctld/node_mgr.c: _determine_if_node_is_hidden): they are as little known. At most
 * FSI_MAX_HOSTS names are looked at, so that no short text of many long ranges takes for ever. */

struct nodes {
	struct fsi_intern known;
	struct missing missing;
};

static int note_node(void *ctx, const char *name, size_t len)
{
	struct nodes *x = ctx;

	note(&x->missing, fsi_intern_find(&x->known, name, len) != 0, name);
	return x->missing.of >= FSI_MAX_HOSTS;
}

static int check_nodes(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	struct nodes x = { .missing = { .n = 0 } };
	int rc = 0;

	for (size_t i = 0; i < m->node.n && !rc; i++) {
		const char *name = fsi_str(m, m->node.v[i].name);

		if (fsi_intern(&x.known, name, strlen(name)) == FSI_INTERN_FAILED)
			rc = fsi_nomem(imp->err);
	}
	for (size_t i = 0; i < m->partition.n && m->node.n && x.missing.of < FSI_MAX_HOSTS; i++)
		if (m->partition.v[i].nodes)
			fsi_hostlist_each(fsi_str(m, m->partition.v[i].nodes), FSI_MAX_HOSTS, note_node, &x);
	fsi_intern_release(&x.known);
	return rc ? rc : tell(imp, "node", &x.missing, "scontrol_node_o.txt", "nodes of partitions are");
}

/* ---- associations and QOS of `scontrol show assoc_mgr` */

/* What stands in each record, whatever its value (src/scontrol/info_assoc_mgr.c: _print_assoc_mgr_info, 20.11 to 26.05).
 * The controller has all associations and QOS of its cluster that accounting has; of associations it leaves out those
 * which PrivateData keeps back (src/common/assoc_mgr.c: assoc_mgr_info_get_pack_msg), and that is told as hidden. */
static const struct fsi_required of_associations[] = {
	{ "ClusterName", NULL, NULL }, { "Account", NULL, NULL },	{ "UserName", NULL, NULL },
	{ "Priority", NULL, NULL },    { "ID", NULL, NULL },		{ "SharesRaw/Norm/Level/Factor", NULL, NULL },
	{ "GrpJobs", NULL, NULL },     { "UsageRaw/Norm/Efctv", NULL, NULL }, { "GrpSubmitJobs", NULL, NULL },
	{ "GrpWall", NULL, NULL },     { "GrpTRES", NULL, NULL },	{ "GrpTRESMins", NULL, NULL },
	{ "MaxJobs", NULL, NULL },     { "GrpTRESRunMins", NULL, NULL },	{ "MaxSubmitJobs", NULL, NULL },
	{ "MaxWallPJ", NULL, NULL },   { "MaxTRESPJ", NULL, NULL },
};
static const struct fsi_required of_qos[] = {
	{ "UsageRaw", NULL, NULL }, { "GrpJobs", NULL, NULL },	   { "GrpSubmitJobs", NULL, NULL },
	{ "GrpWall", NULL, NULL },  { "GrpTRES", NULL, NULL },	   { "GrpTRESMins", NULL, NULL },
	{ "Priority", NULL, NULL }, { "GrpTRESRunMins", NULL, NULL }, { "MaxWallPJ", NULL, NULL },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

struct managed {
	struct fsi_lacking associations, qos;
	struct fsi_id_index index;
	bool *association, *a_qos; /* seen, by row */
	struct missing unknown;	   /* QOS that sacctmgr does not list */
};

static bool begins(struct fsi_span line, const char *with)
{
	const size_t n = strlen(with);

	return line.len >= n && !memcmp(line.s, with, n);
}

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
	note(&x->unknown, row < m->qos.n || len == sizeof(name) - 1, name);
}

static int managed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct managed *x = ctx;
	struct fsi_span id;
	struct fsi_kv kv;
	uint64_t n;
	uint32_t row;

	if (begins(line, "QOS=")) {
		fsi_lacking_record(&x->qos, of_qos, COUNT(of_qos), line);
		note_qos(imp, x, line);
	}
	if (!begins(line, "ClusterName=") && !begins(line, "Account="))
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
	static const char file[] = "scontrol_assoc_mgr_o.txt";
	const fs_snapshot *m = imp->m;
	struct missing associations = { .n = 0 }, qos = { .n = 0 };
	int rc = fsi_lacking_tell(imp, &x->associations, of_associations, COUNT(of_associations), file);

	if (!rc)
		rc = fsi_lacking_tell(imp, &x->qos, of_qos, COUNT(of_qos), file);
	for (size_t i = 0; i < m->association.n && !fsi_hidden(m, "association"); i++)
		note(&associations, x->association[i], fsi_str(m, m->association.v[i].account));
	for (size_t i = 0; i < m->qos.n && !fsi_hidden(m, "qos"); i++)
		note(&qos, x->a_qos[i], fsi_str(m, m->qos.v[i].name));
	if (!rc)
		rc = tell(imp, NULL, &associations, file, "associations are");
	if (!rc)
		rc = tell(imp, NULL, &qos, file, "QOS are");
	return rc ? rc : tell(imp, "qos", &x->unknown, "sacctmgr_qos_all.txt", "QOS of the controller are");
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

/* ---- rows of sshare and sprio */

struct rows {
	bool *share, *job; /* by row: is there one of sshare, one of sprio? */
	bool any_share, any_job;
};

static int note_rows(struct fsi_import *imp, struct rows *x)
{
	const fs_snapshot *m = imp->m;
	struct fsi_id_index by_id = { 0 }, by_job = { 0 };
	const int rc = fsi_index_associations(&by_id, m) || fsi_index_jobs(&by_job, m) ? fsi_nomem(imp->err) : 0;

	for (size_t i = 0; !rc && i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const bool job = FSI_HAS(r, RECORDED, job);
		const uint32_t row = fsi_index_find(job ? &by_job : &by_id, job ? r->job : r->association);

		*(job ? &x->any_job : &x->any_share) = true;
		if (row != FSI_NO_INDEX)
			(job ? x->job : x->share)[row] = true;
	}
	free(by_id.v);
	free(by_job.v);
	return rc;
}

static int judge_shares(struct fsi_import *imp, const struct rows *x)
{
	const fs_snapshot *m = imp->m;
	struct missing no_row = { .n = 0 };

	for (size_t i = 0; x->any_share && !fsi_hidden(m, "association") && i < m->association.n; i++)
		note(&no_row, x->share[i], fsi_str(m, m->association.v[i].account));
	return tell(imp, NULL, &no_row, "sshare.txt", "associations are");
}

static int judge_jobs(struct fsi_import *imp, const struct rows *x)
{
	const fs_snapshot *m = imp->m;
	struct missing no_row = { .n = 0 };
	char id[24];

	for (size_t i = 0; x->any_job && !fsi_hidden(m, "job") && i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		snprintf(id, sizeof(id), "%llu", (unsigned long long)job->id);
		if (job->state == FSI_STATE_PENDING && FSI_HAS(job, JOB, priority) && job->priority > 0 &&
		    FSI_HAS(job, JOB, eligible_time) && job->eligible_time < m->head.time)
			note(&no_row, x->job[i], id);
	}
	return tell(imp, NULL, &no_row, "sprio.txt", "jobs that wait (or waited, and began in between) are");
}

/* sshare -a has a row of each association that the controller knows, but those which PrivateData keeps back
 * (src/common/assoc_mgr.c: assoc_mgr_get_shares); sprio one of each job that waits and whose begin has come, but those which
 * are held, of priority 0, and other users' under PrivateData=jobs
 * (src/plugins/priority/multifactor/priority_multifactor.c: _foreach_priority_factor_job). */
static int check_rows(struct fsi_import *imp)
{
	struct rows x = { .share = calloc(imp->m->association.n + 1, sizeof(bool)),
			  .job = calloc(imp->m->job.n + 1, sizeof(bool)) };
	int rc = x.share && x.job ? note_rows(imp, &x) : fsi_nomem(imp->err);

	if (!rc)
		rc = judge_shares(imp, &x);
	if (!rc)
		rc = judge_jobs(imp, &x);
	free(x.share);
	free(x.job);
	return rc;
}

int fsi_slurm_cross(struct fsi_import *imp)
{
	int rc = check_nodes(imp);

	if (!rc)
		rc = check_managed(imp);
	return rc ? rc : check_rows(imp);
}
