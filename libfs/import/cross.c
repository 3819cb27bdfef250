/* Records that one file of Slurm's commands has and another must have too: what is in one of them alone is told. */
#include "base/hostlist.h"
#include "base/num.h"
#include "import/required.h"
#include "model/viewer.h"

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

static bool is_multifactor(const fs_snapshot *m)
{
	const struct fsi_config_entry *type = fsi_config_find(m, "PriorityType");

	return type && type->kind == FSI_CONFIG_STR && !strcmp(fsi_str(m, (uint32_t)type->i), "priority/multifactor");
}

static bool has_flag(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *flags = fsi_config_find(m, "PriorityFlags");

	return flags && flags->kind == FSI_CONFIG_LIST && fsi_list_has(m, (uint32_t)flags->i, name);
}

/* ---- nodes of partitions
 *
 * A partition lists all its nodes. `scontrol show node` leaves out those of a cloud that are powered down, FUTURE ones,
 * and those of other mcs labels (src/slurmctld/node_mgr.c: _determine_if_node_is_hidden): they are as little known. At
 * most FSI_MAX_HOSTS names are looked at, so that no short text of many long ranges takes for ever. Of a node it prints
 * the partitions that list it (src/api/node_info.c: slurm_populate_node_partitions). */

struct nodes {
	const fs_snapshot *m;
	struct fsi_intern known;
	uint32_t *row; /* by known name */
	struct missing missing, homeless;
};

static int note_node(void *ctx, const char *name, size_t len)
{
	struct nodes *x = ctx;
	const uint32_t k = fsi_intern_find(&x->known, name, len);

	note(&x->missing, k != 0, name);
	if (k)
		note(&x->homeless, x->m->node.v[x->row[k]].partitions != 0, name);
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
		rc = tell(imp, "node", &x.missing, "scontrol_node_o.txt", "nodes of partitions are");
	return rc ? rc : tell(imp, NULL, &x.homeless, "scontrol_node_o.txt", "Partitions of nodes are");
}

/* ---- accounts above others */

static int check_accounts(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	bool *account = calloc((size_t)m->names.count + 1, sizeof(*account));
	struct missing none = { .n = 0 };

	if (!account)
		return fsi_nomem(imp->err);
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->association.v[i].user)
			account[m->association.v[i].account] = true;
	for (size_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t above = a->user ? a->account : a->parent;

		if (above)
			note(&none, account[above], fsi_str(m, above));
	}
	free(account);
	return tell(imp, NULL, &none, "sacctmgr_assoc.txt", "accounts above others are");
}

/* ---- associations and QOS of `scontrol show assoc_mgr` */

/* What stands in each record, whatever its value (src/scontrol/info_assoc_mgr.c: _print_assoc_mgr_info, 20.11 to
 * 26.05). The controller has all associations and QOS of its cluster that accounting has; of associations it leaves out
 * those which PrivateData keeps back (src/common/assoc_mgr.c: assoc_mgr_info_get_pack_msg), and that is told as
 * hidden. */
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

/* Whom PrivateData=usage keeps an association from. */
static struct fsi_viewer caller(const fs_snapshot *m)
{
	const char *name = fsi_str(m, m->head.captured_by);
	struct fsi_viewer viewer;

	fsi_viewer_init(&viewer, m, *name ? name : NULL);
	return viewer;
}

static int judge_managed(struct fsi_import *imp, const struct managed *x)
{
	const struct fsi_viewer viewer = caller(imp->m);
	static const char file[] = "scontrol_assoc_mgr_o.txt";
	const fs_snapshot *m = imp->m;
	struct missing associations = { .n = 0 }, qos = { .n = 0 };
	int rc = fsi_lacking_warn(imp, &x->associations, of_associations, COUNT(of_associations), file);

	if (!rc)
		rc = fsi_lacking_warn(imp, &x->qos, of_qos, COUNT(of_qos), file);
	for (size_t i = 0; i < m->association.n; i++)
		if (fsi_viewer_sees_usage(&viewer, &m->association.v[i]))
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
	bool *share;	   /* by row: is there one of sshare? */
	uint32_t *job;	   /* by row: how many of sprio */
	bool any_share, no_sprio;
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

		x->any_share = x->any_share || !job;
		if (row != FSI_NO_INDEX && job)
			x->job[row]++;
		else if (row != FSI_NO_INDEX)
			x->share[row] = true;
	}
	free(by_id.v);
	free(by_job.v);
	return rc;
}

static int judge_shares(struct fsi_import *imp, const struct rows *x)
{
	const fs_snapshot *m = imp->m;
	const struct fsi_viewer viewer = caller(m);
	struct missing no_row = { .n = 0 };

	for (size_t i = 0; x->any_share && i < m->association.n; i++)
		if (fsi_viewer_sees_usage(&viewer, &m->association.v[i]))
			note(&no_row, x->share[i], fsi_str(m, m->association.v[i].account));
	return tell(imp, NULL, &no_row, "sshare.txt", "associations are");
}

/* sprio has rows of the jobs that wait, with CALCULATE_RUNNING of those that run or ended too, from their EligibleTime
 * on, with ACCRUE_ALWAYS from their SubmitTime on (src/plugins/priority/multifactor/priority_multifactor.c:
 * _foreach_priority_factor_job). An ended one may be forgotten between two commands. */
struct listed {
	bool always, running;
};

static bool may_be_listed(const struct listed *f, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || (f->running && job->state == FSI_STATE_RUNNING);
}

static bool listed_before(const struct listed *f, const struct fsi_job *job, int64_t time)
{
	return f->always ? FSI_HAS(job, JOB, submit_time) && job->submit_time < time
			 : FSI_HAS(job, JOB, eligible_time) && job->eligible_time < time;
}

static bool ran_before(const struct fsi_job *job, int64_t time)
{
	return job->state == FSI_STATE_RUNNING && FSI_HAS(job, JOB, start_time) && job->start_time < time;
}

/* How many of a list, none for one; 1 of one that has a name twice, of which nothing is known. */
static uint32_t choices(const fs_snapshot *m, uint32_t set)
{
	size_t n;
	const uint32_t *list = fsi_list(m, set, &n);

	if (n > FSI_ROW_PARTITIONS_MAX)
		return 1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (list[i] == list[j])
				return 1;
	return n ? (uint32_t)n : 1;
}

/* A row for each partition asked for with each QOS. */
static uint32_t rows_of(const fs_snapshot *m, const struct fsi_job *job)
{
	return choices(m, job->partitions) * choices(m, job->qos);
}

static int judge_flags(struct fsi_import *imp, const struct missing *always, const struct missing *running)
{
	if (always->n && fsi_import_incomplete(imp, "config", "%s/sprio.txt: job %s is in it before it may start, and "
							      "PriorityFlags lacks ACCRUE_ALWAYS", imp->source->name, always->first))
		return FS_ENOMEM;
	return running->n ? fsi_import_incomplete(imp, "config", "%s/sprio.txt: job %s is in it and runs, and PriorityFlags lacks "
								 "CALCULATE_RUNNING", imp->source->name, running->first)
			  : 0;
}

/* What squeue or the clock saw a moment before, or after, is not judged. */
static int judge_jobs(struct fsi_import *imp, const struct rows *x)
{
	const fs_snapshot *m = imp->m;
	const struct listed f = { .always = has_flag(m, "ACCRUE_ALWAYS"), .running = has_flag(m, "CALCULATE_RUNNING") };
	struct missing no_row = { .n = 0 }, always = { .n = 0 }, running = { .n = 0 };
	char id[24];

	for (size_t i = 0; !x->no_sprio && is_multifactor(m) && i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		snprintf(id, sizeof(id), "%llu", (unsigned long long)job->id);
		if (!FSI_HAS(job, JOB, priority) || job->priority <= 0)
			continue;
		if (x->job[i] && !f.running)
			note(&running, !ran_before(job, m->head.time - FSI_BETWEEN_S), id);
		if (!may_be_listed(&f, job))
			continue;
		if (listed_before(&f, job, m->head.time))
			note(&no_row, x->job[i] >= rows_of(m, job), id);
		else if (x->job[i])
			note(&always, f.always || listed_before(&f, job, m->head.time + FSI_BETWEEN_S), id);
	}
	if (judge_flags(imp, &always, &running))
		return FS_ENOMEM;
	return tell(imp, NULL, &no_row, "sprio.txt", f.running ? "jobs that wait or run are"
							       : "jobs that wait (or waited, and began in between) are");
}

/* sshare -a has a row of each association that the controller knows, but those which PrivateData keeps back
 * (src/common/assoc_mgr.c: assoc_mgr_get_shares); sprio those of the jobs of judge_jobs, but those which are
 * held, of priority 0; of other users' jobs it shows those that `scontrol show job` does
 * (src/plugins/priority/multifactor/priority_multifactor.c: _foreach_priority_factor_job). */
static int no_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	(void)imp;
	(void)ctx;
	(void)line;
	return 0;
}

static int check_rows(struct fsi_import *imp)
{
	struct rows x = { .share = calloc(imp->m->association.n + 1, sizeof(bool)),
			  .job = calloc(imp->m->job.n + 1, sizeof(*x.job)) };
	int rc = x.share && x.job ? note_rows(imp, &x) : fsi_nomem(imp->err);

	if (!rc)
		rc = judge_shares(imp, &x);
	if (!rc)
		rc = fsi_import_lines(imp, "sprio.txt", no_line, NULL);
	x.no_sprio = rc > 0;
	if (rc >= 0)
		rc = judge_jobs(imp, &x);
	free(x.share);
	free(x.job);
	return rc;
}

/* ---- the algorithm */

struct form {
	struct fsi_pipe heading;
	bool any, is_long, fair_tree;
};

static int note_heading(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct form *x = ctx;

	(void)imp;
	if (x->any)
		return 0;
	x->any = true;
	fsi_pipe_row(&x->heading, line);
	for (size_t i = 0; i < x->heading.columns; i++) {
		x->is_long = x->is_long || !strcmp(x->heading.names[i], "NormUsage");
		x->fair_tree = x->fair_tree || !strcmp(x->heading.names[i], "LevelFS");
	}
	return 0;
}

/* The long form of sshare has LevelFS with Fair Tree alone (src/sshare/process.c: process), and scontrol prints
 * NO_FAIR_TREE where that is off, DEPTH_OBLIVIOUS or not (src/common/slurm_protocol_defs.c: priority_flags_string). */
static int check_algorithm(struct fsi_import *imp)
{
	struct form x = { .any = false };
	const int rc = fsi_import_lines(imp, "sshare.txt", note_heading, &x);
	bool off;

	if (rc || !x.is_long || !is_multifactor(imp->m))
		return rc < 0 ? rc : 0;
	off = has_flag(imp->m, "NO_FAIR_TREE");
	if (off != x.fair_tree)
		return 0;
	return fsi_import_incomplete(imp, NULL,
				     off ? "%s/scontrol_config.txt: NO_FAIR_TREE, and sshare has a column LevelFS"
					 : "%s/sshare.txt: without a column LevelFS, and scontrol has no NO_FAIR_TREE",
				     imp->source->name);
}

int fsi_slurm_cross(struct fsi_import *imp)
{
	int rc = check_nodes(imp);

	if (!rc)
		rc = check_algorithm(imp);
	if (!rc)
		rc = check_accounts(imp);

	if (!rc)
		rc = check_managed(imp);
	if (!rc)
		rc = check_rows(imp);
	return rc ? rc : fsi_slurm_cross_squeue(imp);
}
