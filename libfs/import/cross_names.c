/* Names that records of one file have and the list of another lacks, and jobs that run and accounting does not know:
 * these lists have neither an end nor a count, so that one which was cut at a line's end looks whole. */
#include "base/sort.h"
#include "import/missing.h"
#include "import/required.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- QOS
 *
 * Accounting names only those it has (src/sacctmgr/common.c: get_qos_complete_str; a QOS that is removed is taken out
 * of all others and of all associations, src/plugins/accounting_storage/mysql/as_mysql_qos.c), and the controller takes
 * a QOS that it does not know from a partition (src/slurmctld/partition_mgr.c: load_all_part_state). AllowQos and
 * DenyQos may hold any word: it logs an error and goes on (src/slurmctld/read_config.c: qos_list_build). */

static void note_qos(const fs_snapshot *m, struct fsi_missing *x, uint32_t name)
{
	if (name)
		fsi_missing_note(x, fsi_qos_find(m, name) != NULL, fsi_str(m, name));
}

static void note_all_qos(const fs_snapshot *m, struct fsi_missing *x, uint32_t set)
{
	size_t n;
	const uint32_t *names = fsi_list(m, set, &n);

	for (size_t i = 0; i < n; i++)
		note_qos(m, x, names[i]);
}

static int check_qos(struct fsi_import *imp)
{
	static const char file[] = "sacctmgr_qos_all.txt";
	const fs_snapshot *m = imp->m;
	struct fsi_missing named = { .n = 0 }, admitted = { .n = 0 };
	int rc;

	if (fsi_hidden(m, "qos"))
		return 0;
	for (size_t i = 0; i < m->association.n; i++) {
		note_all_qos(m, &named, m->association.v[i].qos);
		note_qos(m, &named, m->association.v[i].default_qos);
	}
	for (size_t i = 0; i < m->qos.n; i++)
		note_all_qos(m, &named, m->qos.v[i].preempt);
	for (size_t i = 0; i < m->partition.n; i++) {
		note_qos(m, &named, m->partition.v[i].qos);
		note_all_qos(m, &admitted, m->partition.v[i].allow_qos);
		note_all_qos(m, &admitted, m->partition.v[i].deny_qos);
	}
	rc = fsi_missing_warn(imp, "qos", &named, file, "QOS that associations, partitions or other QOS name are");
	return rc ? rc : fsi_missing_warn(imp, NULL, &admitted, file, "QOS that partitions admit or refuse are");
}

/* ---- partitions, users, TRES */

/* `scontrol show node` takes the partitions of a node from what it loads for `scontrol show partition`
 * (src/scontrol/info_node.c: scontrol_print_node). */
static int check_partitions(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	struct fsi_missing x = { .n = 0 };

	for (size_t i = 0; i < m->node.n && !fsi_hidden(m, "partition"); i++) {
		size_t n;
		const uint32_t *names = fsi_list(m, m->node.v[i].partitions, &n);

		for (size_t k = 0; k < n; k++)
			fsi_missing_note(&x, fsi_partition_find(m, names[k]) != NULL, fsi_str(m, names[k]));
	}
	return fsi_missing_warn(imp, "partition", &x, "scontrol_partition_o.txt", "partitions of nodes are");
}

/* Accounting has a user before an association of his (src/plugins/accounting_storage/mysql/as_mysql_user.c). With
 * PrivateData=users it lists others to operators alone, while a coordinator has associations of them: nothing to warn
 * of, but not all users either. */
static int check_users(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	const struct fsi_config_entry *e = fsi_config_find(m, "PrivateData");
	const bool private = e && e->kind == FSI_CONFIG_LIST && fsi_list_has(m, (uint32_t)e->i, "users");
	struct fsi_missing x = { .n = 0 };

	for (size_t i = 0; i < m->association.n && !fsi_hidden(m, "user"); i++)
		if (m->association.v[i].user)
			fsi_missing_note(&x, fsi_user_find(m, m->association.v[i].user) != NULL,
					 fsi_str(m, m->association.v[i].user));
	if (x.n && private)
		return fsi_import_hide(imp, "user");
	return fsi_missing_warn(imp, "user", &x, "sacctmgr_user.txt", "users of associations are");
}

static bool has_tres(const fs_snapshot *m, uint32_t name)
{
	size_t i = 0;

	while (i < m->tres.n && m->tres.v[i].name != name)
		i++;
	return i < m->tres.n;
}

/* The controller has what AccountingStorageTRES names added (src/slurmctld/controller.c: _init_tres). */
static int check_tres(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	const struct fsi_config_entry *e = fsi_config_find(m, "AccountingStorageTRES");
	struct fsi_missing x = { .n = 0 };
	size_t n = 0;
	const uint32_t *names = e && e->kind == FSI_CONFIG_LIST ? fsi_list(m, (uint32_t)e->i, &n) : NULL;

	for (size_t i = 0; i < n && !fsi_hidden(m, "tres"); i++)
		fsi_missing_note(&x, has_tres(m, names[i]), fsi_str(m, names[i]));
	return fsi_missing_warn(imp, "tres", &x, "sacctmgr_tres.txt", "TRES of AccountingStorageTRES are");
}

/* ---- jobs that run
 *
 * sacct shows each job that runs, whenever it began (src/sacct/process.c; the database is told of a start at once,
 * src/slurmctld/job_scheduler.c), under its own id, or by JobID under that of its array or of its first part. A
 * reservation that goes takes its name from jobs that wait for it (src/slurmctld/reservation.c: _clear_job_resv). */

static bool found(const struct fsi_import *imp, const char *type)
{
	for (size_t i = 0; imp->sources && imp->sources[i].type; i++)
		if (imp->found >> i & 1 && !strcmp(imp->sources[i].type, type))
			return true;
	return false;
}

static bool is_known(const fs_snapshot *m, const uint64_t *ids, size_t n, const struct fsi_job *job)
{
	const uint64_t as[] = { job->id, job->array_job_id, fsi_job_rare(m, job)->het_job_id };

	for (size_t i = 0; i < sizeof(as) / sizeof(*as); i++)
		if (as[i] && bsearch(&as[i], ids, n, sizeof(*ids), fsi_rising_u64))
			return true;
	return false;
}

static int check_runs(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	uint64_t *ids = calloc(m->usage.n + 1, sizeof(*ids));
	struct fsi_missing x = { .n = 0 };

	if (!ids)
		return fsi_nomem(imp->err);
	for (size_t i = 0; i < m->usage.n; i++)
		ids[i] = m->usage.v[i].job;
	qsort(ids, m->usage.n, sizeof(*ids), fsi_rising_u64);
	for (size_t i = 0; i < m->job.n && found(imp, "usage"); i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (job->state == FSI_STATE_RUNNING && FSI_HAS(job, JOB, start_time) &&
		    job->start_time < m->head.time - FSI_BETWEEN_S)
			fsi_missing_note_id(&x, is_known(m, ids, m->usage.n, job), job->id);
	}
	free(ids);
	return fsi_missing_warn(imp, "usage", &x, "sacct.txt", "jobs that run are");
}

static int check_reservations(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	struct fsi_missing x = { .n = 0 };

	for (size_t i = 0; i < m->job.n && !fsi_hidden(m, "reservation"); i++) {
		const struct fsi_job *job = &m->job.v[i];
		size_t k = 0;

		if (!job->reservation || job->state != FSI_STATE_PENDING)
			continue;
		while (k < m->reservation.n && m->reservation.v[k].name != job->reservation)
			k++;
		fsi_missing_note(&x, k < m->reservation.n, fsi_str(m, job->reservation));
	}
	return fsi_missing_warn(imp, "reservation", &x, "scontrol_reservation.txt", "reservations that jobs wait for are");
}

int fsi_slurm_cross_names(struct fsi_import *imp)
{
	int rc = 0;

	FSI_IN_TURN(rc, struct fsi_import *, imp, check_qos, check_partitions, check_users, check_tres, check_runs,
		    check_reservations);
	return rc;
}
