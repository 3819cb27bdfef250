#include "import/consistency.h"

#include "base/hostlist.h"
#include "base/num.h"
#include "base/memory.h"
#include "import/import.h"
#include "import/outputs.h"
#include "model/find.h"
#include "model/model.h"
#include "model/records/limit_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists such as QOS or users have neither an end mark nor a count. A list that was truncated at a line's end therefore
 * looks complete. To find truncated lists, the checks below require that a list has every name that records of another
 * file use, and that sacct lists every running job. */

/* ---- QOS
 *
 * Lists of QOS in accounting only have QOS that exist (src/sacctmgr/common.c: get_qos_complete_str). If a QOS is
 * removed, its name is also removed from the lists of all other QOS and all associations
 * (src/plugins/accounting_storage/mysql/as_mysql_qos.c). The controller removes an unknown QOS from a partition
 * (src/slurmctld/partition_mgr.c: load_all_part_state). AllowQos and DenyQos, however, may contain any word: the
 * controller logs an error and continues (src/slurmctld/read_config.c: qos_list_build). */

static void note_qos_name(const fs_snapshot *m, struct fsi_missing_records *x, uint32_t name)
{
	if (name)
		fsi_missing_add_name(x, fsi_qos_find(m, name) != NULL, fsi_name_text(m, name));
}

static void note_qos_list(const fs_snapshot *m, struct fsi_missing_records *x, uint32_t set)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, set, &n);

	for (size_t i = 0; i < n; i++)
		note_qos_name(m, x, names[i]);
}

static int check_qos_names(struct fsi_import *imp)
{
	static const char file[] = "sacctmgr_qos_all.txt";
	const fs_snapshot *m = imp->m;
	struct fsi_missing_records named = { .n = 0 }, admitted = { .n = 0 };
	int rc;

	if (fsi_is_type_hidden(m, "qos"))
		return 0;
	for (size_t i = 0; i < m->association.n; i++) {
		note_qos_list(m, &named, m->association.v[i].qos);
		note_qos_name(m, &named, m->association.v[i].default_qos);
	}
	for (size_t i = 0; i < m->qos.n; i++)
		note_qos_list(m, &named, m->qos.v[i].preempt);
	for (size_t i = 0; i < m->partition.n; i++) {
		note_qos_name(m, &named, m->partition.v[i].qos);
		note_qos_list(m, &admitted, m->partition.v[i].allow_qos);
		note_qos_list(m, &admitted, m->partition.v[i].deny_qos);
	}
	rc = fsi_missing_warn(imp, "qos", &named, file, "QOS names used by associations, partitions or other QOS");
	return rc ? rc : fsi_missing_warn(imp, NULL, &admitted, file, "QOS names in AllowQos or DenyQos of partitions");
}

/* ---- partitions, users, TRES */

/* Checks that the list of partitions has every partition that a node names. `scontrol show node` computes a node's
 * partitions from the data of `scontrol show partition` (src/scontrol/info_node.c: scontrol_print_node). */
static int check_node_partitions(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	struct fsi_missing_records x = { .n = 0 };

	for (size_t i = 0; i < m->node.n && !fsi_is_type_hidden(m, "partition"); i++) {
		size_t n;
		const uint32_t *names = fsi_list_items(m, m->node.v[i].partitions, &n);

		for (size_t k = 0; k < n; k++)
			fsi_missing_add_name(&x, fsi_partition_find(m, names[k]) != NULL, fsi_name_text(m, names[k]));
	}
	return fsi_missing_warn(imp, "partition", &x, "scontrol_partition_o.txt", "partition names used by nodes");
}

/* Checks that sacctmgr's list of users has the user of each association. Accounting creates a user before any
 * association of that user (src/plugins/accounting_storage/mysql/as_mysql_user.c). With PrivateData=users, only
 * operators see all users, but a coordinator sees the associations of other users. With this setting, missing users
 * therefore cause no warning, but the record type is marked as hidden. */
static int check_association_users(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	const struct fsi_config_entry *e = fsi_config_find(m, "PrivateData");
	const bool private = e && e->kind == FSI_CONFIG_LIST && fsi_list_has_word(m, (uint32_t)e->i, "users");
	struct fsi_missing_records x = { .n = 0 };

	for (size_t i = 0; i < m->association.n && !fsi_is_type_hidden(m, "user"); i++)
		if (m->association.v[i].user)
			fsi_missing_add_name(&x, fsi_user_find(m, m->association.v[i].user) != NULL,
					     fsi_name_text(m, m->association.v[i].user));
	if (x.n && private)
		return fsi_import_hide_type(imp, "user");
	return fsi_missing_warn(imp, "user", &x, "sacctmgr_user.txt", "user names used by associations");
}

static bool has_tres_name(const fs_snapshot *m, uint32_t name)
{
	size_t i = 0;

	while (i < m->tres.n && m->tres.v[i].name != name)
		i++;
	return i < m->tres.n;
}

/* Checks that sacctmgr's list of TRES has all TRES of AccountingStorageTRES. When the controller starts, it adds these
 * TRES to the database (src/slurmctld/controller.c: _init_tres). */
static int check_tres_names(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	const struct fsi_config_entry *e = fsi_config_find(m, "AccountingStorageTRES");
	struct fsi_missing_records x = { .n = 0 };
	size_t n = 0;
	const uint32_t *names = e && e->kind == FSI_CONFIG_LIST ? fsi_list_items(m, (uint32_t)e->i, &n) : NULL;

	for (size_t i = 0; i < n && !fsi_is_type_hidden(m, "tres"); i++)
		fsi_missing_add_name(&x, has_tres_name(m, names[i]), fsi_name_text(m, names[i]));
	return fsi_missing_warn(imp, "tres", &x, "sacctmgr_tres.txt", "TRES of AccountingStorageTRES");
}

/* ---- running jobs and reservations
 *
 * sacct lists every running job, however early it started (src/sacct/process.c). The controller reports each start of a
 * job to the database at once (src/slurmctld/job_scheduler.c). The job appears under its own id or, in the column
 * JobID, under the id of its array or of the first component of its het job.
 *
 * If a reservation ends, Slurm removes its name from the jobs that wait for the reservation
 * (src/slurmctld/reservation.c: _clear_job_resv). So each reservation that a pending job names exists, and `scontrol
 * show reservation` must list it. */

/* Returns true if the file exists. */
static bool has_file(const struct fsi_import *imp, const char *file)
{
	return imp->existing >> (fsi_output_find(imp->outputs, file, NULL) - imp->outputs->v) & 1;
}

/* Returns true if the sorted list `ids` contains the id of the job, of the job's array or of the job's het job. */
static bool is_job_in_sacct(const fs_snapshot *m, const uint64_t *ids, size_t n, const struct fsi_job *job)
{
	const uint64_t job_ids[] = { job->id, job->array_job_id, fsi_job_ext(m, job)->het_job_id };

	for (size_t i = 0; i < sizeof(job_ids) / sizeof(*job_ids); i++)
		if (job_ids[i] && bsearch(&job_ids[i], ids, n, sizeof(*ids), fsi_compare_rising_u64))
			return true;
	return false;
}

static int check_running_jobs(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	uint64_t *ids = calloc(m->usage.n + 1, sizeof(*ids));
	struct fsi_missing_records x = { .n = 0 };

	if (!ids)
		return fsi_fail_no_memory(imp->err);
	for (size_t i = 0; i < m->usage.n; i++)
		ids[i] = m->usage.v[i].job;
	qsort(ids, m->usage.n, sizeof(*ids), fsi_compare_rising_u64);
	for (size_t i = 0; i < m->job.n && (has_file(imp, "sacct.txt") || has_file(imp, "sacct.json")); i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (job->state == FSI_STATE_RUNNING && FSI_HAS(job, JOB, start_time) &&
		    job->start_time < m->head.time - FSI_CAPTURE_TOLERANCE_S)
			fsi_missing_add_id(&x, is_job_in_sacct(m, ids, m->usage.n, job), job->id);
	}
	free(ids);
	return fsi_missing_warn(imp, "usage", &x, "sacct.txt", "running jobs");
}

static int check_job_reservations(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	struct fsi_missing_records x = { .n = 0 };

	for (size_t i = 0; i < m->job.n && !fsi_is_type_hidden(m, "reservation"); i++) {
		const struct fsi_job *job = &m->job.v[i];
		size_t k = 0;

		if (!job->reservation || job->state != FSI_STATE_PENDING)
			continue;
		while (k < m->reservation.n && m->reservation.v[k].name != job->reservation)
			k++;
		fsi_missing_add_name(&x, k < m->reservation.n, fsi_name_text(m, job->reservation));
	}
	return fsi_missing_warn(imp, "reservation", &x, "scontrol_reservation.txt",
				"reservation names used by pending jobs");
}

/* Checks that the lists of QOS, partitions, users, TRES and reservations have all names that other records use, and
 * that sacct has all running jobs. */
static int check_listed_names(struct fsi_import *imp)
{
	int rc = 0;

	FSI_CALL_UNTIL_ERROR(rc, struct fsi_import *, imp, check_qos_names, check_node_partitions,
			     check_association_users, check_tres_names, check_running_jobs, check_job_reservations);
	return rc;
}

/* ---- sshare and sprio against associations, jobs and PriorityFlags */

static bool uses_multifactor_plugin(const fs_snapshot *m)
{
	const struct fsi_config_entry *type = fsi_config_find(m, "PriorityType");

	return type && type->kind == FSI_CONFIG_STR &&
	       !strcmp(fsi_name_text(m, (uint32_t)type->i), "priority/multifactor");
}

/* State of checking which associations sshare lists, and how many rows sprio has for each job. */
struct recorded_rows {
	bool *is_in_sshare;   /* indexed by association row; true: sshare lists the association */
	uint32_t *sprio_rows; /* indexed by job row: number of the job's rows in sprio */
	bool has_sshare;      /* sshare printed at least one row */
	struct fsi_missing_records unshown_jobs; /* count of jobs that sprio lists but scontrol does not show */
};

static int note_recorded_rows(struct fsi_import *imp, struct recorded_rows *x)
{
	const fs_snapshot *m = imp->m;
	struct fsi_id_index by_id = { 0 }, by_job = { 0 };
	const int rc = fsi_id_index_init_associations(&by_id, m) || fsi_id_index_init_jobs(&by_job, m)
			       ? fsi_fail_no_memory(imp->err)
			       : 0;

	for (size_t i = 0; !rc && i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const bool job = FSI_HAS(r, RECORDED, job);
		const uint32_t row = fsi_id_index_find_row(job ? &by_job : &by_id, job ? r->job : r->association);

		x->has_sshare = x->has_sshare || !job;
		if (job)
			fsi_missing_add_id(&x->unshown_jobs, row != FSI_NO_INDEX, r->job);
		if (row != FSI_NO_INDEX && job)
			x->sprio_rows[row]++;
		else if (row != FSI_NO_INDEX)
			x->is_in_sshare[row] = true;
	}
	free(by_id.v);
	free(by_job.v);
	return rc;
}

static int check_sshare_rows(struct fsi_import *imp, const struct recorded_rows *x)
{
	const fs_snapshot *m = imp->m;
	const struct fsi_viewer viewer = fsi_import_get_viewer(m);
	struct fsi_missing_records missing_rows = { .n = 0 };

	for (size_t i = 0; x->has_sshare && i < m->association.n; i++)
		if (fsi_viewer_may_see_usage(&viewer, &m->association.v[i]))
			fsi_missing_add_name(&missing_rows, x->is_in_sshare[i],
					     fsi_name_text(m, m->association.v[i].account));
	return fsi_missing_warn(imp, NULL, &missing_rows, "sshare.txt", "associations");
}

/* PriorityFlags that decide which jobs sprio lists: ACCRUE_ALWAYS, CALCULATE_RUNNING. sprio lists a pending job from
 * its EligibleTime on; with ACCRUE_ALWAYS, from its SubmitTime on. With CALCULATE_RUNNING, sprio also lists running and
 * ended jobs (src/plugins/priority/multifactor/priority_multifactor.c: _foreach_priority_factor_job). Ended jobs are
 * not checked: the controller may purge an ended job between two commands. */
struct sprio_settings {
	bool accrue_always, calculate_running;
};

static bool may_be_listed(const struct sprio_settings *f, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || (f->calculate_running && job->state == FSI_STATE_RUNNING);
}

/* Returns true if the job was eligible before `time` (with ACCRUE_ALWAYS: submitted before `time`). sprio must list
 * such a job. */
static bool is_listed_before(const struct sprio_settings *f, const struct fsi_job *job, int64_t time)
{
	return f->accrue_always ? FSI_HAS(job, JOB, submit_time) && job->submit_time < time
			 : FSI_HAS(job, JOB, eligible_time) && job->eligible_time < time;
}

static bool was_running_before(const struct fsi_job *job, int64_t time)
{
	return job->state == FSI_STATE_RUNNING && FSI_HAS(job, JOB, start_time) && job->start_time < time;
}

/* Returns the number of names in a list; 1 for an empty list. If the list has more than FSI_ROW_PARTITIONS_MAX names,
 * or a name twice, the number of rows that sprio prints for the list is unknown. The function then returns 1, the
 * minimum. */
static uint32_t count_listed_names(const fs_snapshot *m, uint32_t set)
{
	size_t n;
	const uint32_t *list = fsi_list_items(m, set, &n);

	if (n > FSI_ROW_PARTITIONS_MAX)
		return 1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (list[i] == list[j])
				return 1;
	return n ? (uint32_t)n : 1;
}

/* Returns the number of rows that sprio must have for the job. The result is the number of the job's partitions
 * multiplied by the number of the job's QOS. */
static uint32_t count_expected_rows(const fs_snapshot *m, const struct fsi_job *job)
{
	return count_listed_names(m, job->partitions) * count_listed_names(m, job->qos);
}

/* Warns if sprio lists a job although the captured PriorityFlags exclude the job from sprio. In this case, the captured
 * configuration is incomplete. */
static int warn_flag_conflicts(struct fsi_import *imp, const struct fsi_missing_records *always,
			       const struct fsi_missing_records *running)
{
	if (always->n && fsi_import_warn_incomplete(imp, "config",
						    "%s/sprio.txt: job %s is listed before it is eligible, but "
						    "PriorityFlags in scontrol_config.txt lacks ACCRUE_ALWAYS",
						    imp->source->name, always->first))
		return FS_ENOMEM;
	return running->n
		       ? fsi_import_warn_incomplete(imp, "config",
						    "%s/sprio.txt: running job %s is listed, but PriorityFlags in "
						    "scontrol_config.txt lacks CALCULATE_RUNNING",
						    imp->source->name, running->first)
		       : 0;
}

/* Checks that sprio has all rows of each job that sprio must list. Does not check held jobs (priority 0), because sprio
 * omits them. Does not check jobs whose state changed within FSI_CAPTURE_TOLERANCE_S of the capture. */
static int check_sprio_jobs(struct fsi_import *imp, const struct recorded_rows *x)
{
	const fs_snapshot *m = imp->m;
	const struct sprio_settings f = { .accrue_always = fsi_config_list_has(m, "PriorityFlags", "ACCRUE_ALWAYS"),
					  .calculate_running = fsi_config_list_has(m, "PriorityFlags", "CALCULATE_RUNNING") };
	struct fsi_missing_records missing_rows = { .n = 0 }, always = { .n = 0 }, running = { .n = 0 };

	for (size_t i = 0; has_file(imp, "sprio.txt") && uses_multifactor_plugin(m) && i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (!FSI_HAS(job, JOB, priority) || job->priority <= 0)
			continue;
		if (x->sprio_rows[i] && !f.calculate_running)
			fsi_missing_add_id(&running, !was_running_before(job, m->head.time - FSI_CAPTURE_TOLERANCE_S),
					   job->id);
		if (!may_be_listed(&f, job))
			continue;
		if (is_listed_before(&f, job, m->head.time))
			fsi_missing_add_id(&missing_rows, x->sprio_rows[i] >= count_expected_rows(m, job), job->id);
		else if (x->sprio_rows[i])
			fsi_missing_add_id(&always,
					   f.accrue_always ||
						   is_listed_before(&f, job, m->head.time + FSI_CAPTURE_TOLERANCE_S),
					   job->id);
	}
	if (warn_flag_conflicts(imp, &always, &running))
		return FS_ENOMEM;
	return fsi_missing_warn(imp, NULL, &missing_rows, "sprio.txt",
				f.calculate_running
					? "pending or running jobs (all or some of their rows)"
					: "pending jobs (all or some of their rows; jobs may have started between "
					  "the commands)");
}

/* Checks the rows of sshare and sprio against associations and jobs. sshare -a has a row of every association that the
 * controller knows, except associations that PrivateData hides (src/common/assoc_mgr.c: assoc_mgr_get_shares). sprio
 * lists a job of another user only if `scontrol show job` also shows the job
 * (src/plugins/priority/multifactor/priority_multifactor.c: _foreach_priority_factor_job). */
static int check_recorded_rows(struct fsi_import *imp)
{
	struct recorded_rows x = { .is_in_sshare = calloc(imp->m->association.n + 1, sizeof(bool)),
				   .sprio_rows = calloc(imp->m->job.n + 1, sizeof(*x.sprio_rows)) };
	int rc = x.is_in_sshare && x.sprio_rows ? note_recorded_rows(imp, &x) : fsi_fail_no_memory(imp->err);

	if (!rc)
		rc = check_sshare_rows(imp, &x);
	if (!rc)
		rc = check_sprio_jobs(imp, &x);
	if (!rc)
		rc = fsi_missing_warn(imp, "job", &x.unshown_jobs, "scontrol_job_o.txt", "job ids listed by sprio");
	free(x.is_in_sshare);
	free(x.sprio_rows);
	return rc;
}

/* ---- the fair-share algorithm, which must be the same in the output of sshare and of scontrol */

/* Checks that sshare and scontrol show the same algorithm. The long format of sshare has LevelFS only with Fair Tree
 * (src/sshare/process.c: process). scontrol prints NO_FAIR_TREE if Fair Tree is off, even if only DEPTH_OBLIVIOUS
 * turned it off (src/common/slurm_protocol_defs.c: priority_flags_string). */
static int check_fairshare_algorithm(struct fsi_import *imp)
{
	const struct fsi_output *o = fsi_output_find(imp->outputs, "sshare.txt", NULL);
	const bool off = fsi_config_list_has(imp->m, "PriorityFlags", "NO_FAIR_TREE");

	if (!fsi_output_has_column(imp, o, "NormUsage") || !uses_multifactor_plugin(imp->m))
		return 0;
	if (off != fsi_output_has_column(imp, o, "LevelFS"))
		return 0;
	return fsi_import_warn_incomplete(
		imp, NULL,
		off ? "%s/scontrol_config.txt: PriorityFlags has NO_FAIR_TREE, but sshare.txt has the column LevelFS"
		    : "%s/sshare.txt: the column LevelFS is missing, but PriorityFlags in scontrol_config.txt lacks "
		      "NO_FAIR_TREE",
		imp->source->name);
}

/* ---- squeue against `scontrol show job`: waiting tasks of arrays, reservations */

struct squeue_task_check {
	struct fsi_id_index jobs;
	/* indexed by job row; for the record of an array: number of the array's tasks that, according to scontrol, may
	 * have been waiting when squeue ran */
	uint64_t *tasks;
	struct fsi_fixed_column task_column, reservation_column;
	size_t arrays_with_fewer;        /* number of arrays with fewer waiting tasks in scontrol than in squeue */
	size_t jobs_without_reservation; /* number of jobs whose reservation only squeue shows */
	/* job id of the first array with fewer waiting tasks in scontrol than in squeue, and of the first job whose
	 * reservation only squeue shows */
	uint64_t first_with_fewer, first_without_reservation;
};

/* Returns the text of the row `line` in the column `c`, without the blanks around it. */
static struct fsi_span get_row_cell(struct fsi_span line, struct fsi_fixed_column c)
{
	const size_t available = c.at < line.len ? line.len - c.at : 0;

	return fsi_span_trim_blanks(
		(struct fsi_span){ line.s + (available ? c.at : 0), available < c.width ? available : c.width });
}

/* Counts the tasks listed in the cell `text` of a column of `width` bytes. squeue truncates a list that is longer than
 * the column. If the cell is full, the text after the last comma is therefore not counted, and the result may be too
 * low. */
static uint64_t count_listed_tasks(struct fsi_span text, size_t width)
{
	char list[64];

	if (text.len >= width)
		while (text.len && text.s[text.len - 1] != ',')
			text.len--;
	if (!text.len || text.len >= sizeof(list) || strspn(text.s, "0123456789,-:%") < text.len)
		return 0;
	memcpy(list, text.s, text.len);
	list[text.len] = '\0';
	return fsi_count_tasks(list);
}

static int compare_squeue_row(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct squeue_task_check *x = ctx;
	struct fsi_span rest = line, id;
	const struct fsi_job *job;
	uint64_t n;
	uint32_t row;

	if (imp->where.line == 1) {
		x->task_column = fsi_squeue_find_column(line, "ARRAY_TASK_ID");
		x->reservation_column = fsi_squeue_find_column(line, "RESERVATION");
		return 0;
	}
	if (!fsi_span_cut_part(&rest, ' ', &id) || fsi_parse_u64(id.s, id.len, &n))
		return 0;
	row = fsi_id_index_find_row(&x->jobs, n);
	if (row == FSI_NO_INDEX)
		return 0;
	job = &imp->m->job.v[row];
	if (x->task_column.width && FSI_HAS(job, JOB, array_tasks) &&
	    count_listed_tasks(get_row_cell(line, x->task_column), x->task_column.width) > x->tasks[row] &&
	    !x->arrays_with_fewer++)
		x->first_with_fewer = job->id;
	id = get_row_cell(line, x->reservation_column);
	if (id.len && !fsi_span_is_word(id, "(null)") && !FSI_HAS(job, JOB, reservation) &&
	    !x->jobs_without_reservation++)
		x->first_without_reservation = job->id;
	return 0;
}

/* Returns true if the job is pending, or may have been pending when squeue ran, because the job started or ended within
 * FSI_CAPTURE_TOLERANCE_S of the capture. */
static bool may_have_waited(const fs_snapshot *m, const struct fsi_job *job)
{
	const int64_t since = m->head.time - FSI_CAPTURE_TOLERANCE_S;

	return job->state == FSI_STATE_PENDING || (FSI_HAS(job, JOB, start_time) && job->start_time >= since) ||
	       (FSI_HAS(job, JOB, end_time) && job->end_time >= since && job->state != FSI_STATE_RUNNING);
}

/* Counts the waiting tasks of arrays in the job records of scontrol, and sets x->tasks. */
static void count_waiting_tasks(struct squeue_task_check *x, const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const uint32_t row = FSI_HAS(job, JOB, array_job_id)
					     ? fsi_id_index_find_row(&x->jobs, job->array_job_id)
					     : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX && may_have_waited(m, job))
			x->tasks[row] += FSI_HAS(job, JOB, array_tasks)
						 ? fsi_count_tasks(fsi_name_text(m, job->array_tasks))
						 : 1;
	}
}

static int warn_squeue_differences(struct fsi_import *imp, const struct squeue_task_check *x)
{
	int rc = 0;

	if (x->arrays_with_fewer)
		rc = fsi_import_warn_incomplete(
			imp, "job",
			"%s: squeue lists more pending tasks than scontrol for %zu job array%s, first: %llu",
			imp->source->name, x->arrays_with_fewer, x->arrays_with_fewer == 1 ? "" : "s",
			(unsigned long long)x->first_with_fewer);
	if (!rc && x->jobs_without_reservation)
		rc = fsi_import_warn_incomplete(
			imp, NULL, "%s: squeue shows a reservation that scontrol does not show for %zu job%s, first: %llu",
			imp->source->name, x->jobs_without_reservation, x->jobs_without_reservation == 1 ? "" : "s",
			(unsigned long long)x->first_without_reservation);
	return rc;
}

/* Checks waiting tasks of arrays, and reservations of jobs, against squeue. */
static int check_squeue_rows(struct fsi_import *imp)
{
	struct squeue_task_check x = { .tasks = calloc(imp->m->job.n + 1, sizeof(*x.tasks)) };
	int rc = !x.tasks || fsi_id_index_init_jobs(&x.jobs, imp->m) ? fsi_fail_no_memory(imp->err) : 0;

	if (!rc) {
		count_waiting_tasks(&x, imp->m);
		rc = fsi_import_read_squeue_rows(imp, compare_squeue_row, &x);
	}
	if (!rc)
		rc = warn_squeue_differences(imp, &x);
	free(x.jobs.v);
	free(x.tasks);
	return rc > 0 ? 0 : rc;
}

/* ---- number of nodes of partitions */

int fsi_slurm_check_node_count(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	uint64_t max = 0;
	const struct fsi_partition *largest = NULL;

	for (size_t i = 0; i < m->partition.n; i++)
		if (FSI_HAS(&m->partition.v[i], PARTITION, total_nodes) && m->partition.v[i].total_nodes > max) {
			largest = &m->partition.v[i];
			max = largest->total_nodes;
		}
	if (!m->node.n || max <= m->node.n)
		return 0;
	return fsi_import_warn_incomplete(imp, "node", "%s: partition %.100s has %llu nodes, but the list of nodes has only %zu",
					  imp->source->name, fsi_name_text(m, largest->name), (unsigned long long)max,
					  m->node.n);
}

/* ---- nodes of partitions
 *
 * A partition lists all its nodes. `scontrol show node` omits cloud nodes that are powered down, FUTURE nodes, and
 * nodes of other MCS labels (src/slurmctld/node_mgr.c: _determine_if_node_is_hidden). This check cannot distinguish
 * omitted nodes from nodes that are missing because the file was truncated. The check counts all these nodes as
 * missing. At most FSI_MAX_HOSTS names are checked, because a short text can name very many nodes. If a partition lists
 * a node, the record of the node must have Partitions=: in this key, scontrol prints the partitions that list the node
 * (src/api/node_info.c: slurm_populate_node_partitions). */

/* State of checking the nodes of all partitions. */
struct node_check {
	const fs_snapshot *m;
	struct fsi_intern node_names;
	uint32_t *node_row; /* indexed by the id of a name in node_names: row of the node */
	/* count of nodes that a partition lists but `scontrol show node` does not show */
	struct fsi_missing_records missing;
	/* count of nodes for which scontrol shows no partition, although a partition lists the node */
	struct fsi_missing_records without_partitions;
};

static int note_partition_node(void *ctx, const char *name, size_t len)
{
	struct node_check *x = ctx;
	const uint32_t k = fsi_intern_find_id(&x->node_names, name, len);

	fsi_missing_add_name(&x->missing, k != 0, name);
	if (k)
		fsi_missing_add_name(&x->without_partitions, x->m->node.v[x->node_row[k]].partitions != 0, name);
	return x->missing.total >= FSI_MAX_HOSTS;
}

static int check_partition_nodes(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	struct node_check x = { .m = m, .node_row = calloc(m->node.n + 1, sizeof(*x.node_row)) };
	int rc = x.node_row ? 0 : fsi_fail_no_memory(imp->err);

	for (size_t i = 0; i < m->node.n && !rc; i++) {
		const char *name = fsi_name_text(m, m->node.v[i].name);
		const uint32_t k = fsi_intern_add(&x.node_names, name, strlen(name));

		if (k == FSI_INTERN_FAILED)
			rc = fsi_fail_no_memory(imp->err);
		else
			x.node_row[k] = (uint32_t)i;
	}
	for (size_t i = 0; !rc && i < m->partition.n && m->node.n && x.missing.total < FSI_MAX_HOSTS; i++)
		if (m->partition.v[i].nodes)
			fsi_hostlist_expand_each(fsi_name_text(m, m->partition.v[i].nodes), FSI_MAX_HOSTS,
						 note_partition_node, &x);
	fsi_intern_release(&x.node_names);
	free(x.node_row);
	if (!rc)
		rc = fsi_missing_warn(imp, "node", &x.missing, "scontrol_node_o.txt", "node names used by partitions");
	return rc ? rc
		  : fsi_missing_warn(imp, NULL, &x.without_partitions, "scontrol_node_o.txt",
				     "Partitions= values of nodes");
}

/* ---- parent accounts */

/* Warns of accounts that have users or sub-accounts, but no association of their own. */
static int check_parent_accounts(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	bool *account = calloc((size_t)m->names.count + 1, sizeof(*account));
	struct fsi_missing_records missing = { .n = 0 };

	if (!account)
		return fsi_fail_no_memory(imp->err);
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->association.v[i].user)
			account[m->association.v[i].account] = true;
	for (size_t i = 0; i < m->association.n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t parent = a->user ? a->account : a->parent;

		if (parent)
			fsi_missing_add_name(&missing, account[parent], fsi_name_text(m, parent));
	}
	free(account);
	return fsi_missing_warn(imp, NULL, &missing, "sacctmgr_assoc.txt",
				"account names used by users and sub-accounts");
}

/* ---- associations and QOS of `scontrol show assoc_mgr` */

/* State of checking scontrol_assoc_mgr_o.txt. */
struct assoc_mgr_check {
	struct fsi_output_reader associations, qos;  /* readers of the two types of records */
	struct fsi_id_index index;            /* maps the id of an association to its row */
	bool *has_association;                /* indexed by association row: the file has the association */
	bool *has_qos;                        /* indexed by QOS row: the file has the QOS */
	struct fsi_missing_records unlisted_qos;
	struct fsi_missing_records limits; /* limits of QOS in the file; missing: sacctmgr prints no value */
};

/* Counts the limits on numbers that the record of a QOS shows, and those of them that sacctmgr did not print for the
 * QOS. */
static void note_qos_limits(struct assoc_mgr_check *x, const fs_snapshot *m, const struct fsi_qos *qos)
{
	const struct fsi_output *o = x->qos.output;
	char name[150];

	for (size_t i = 0; i < o->ncolumns; i++) {
		const struct fsi_column *c = &o->columns[i];
		const struct fsi_span v = fsi_output_get_value(&x->qos, c->name);

		if (c->form != FSI_FORM_COUNTED || c->bit == FSI_QOS_priority || !v.len || !fsi_is_digit(*v.s) ||
		    fsi_record_table(FSI_RECORD_QOS)->fields[c->bit].type != FSI_U32)
			continue;
		snprintf(name, sizeof(name), "%s of %.100s", c->name, fsi_name_text(m, qos->name));
		fsi_missing_add_name(&x->limits, fsi_is_field_known(&qos->rec, c->bit), name);
	}
}

/* Notes that the file has the QOS that is named at the beginning of the line, QOS=NAME. */
static void note_assoc_mgr_qos(const struct fsi_import *imp, struct assoc_mgr_check *x, struct fsi_span line)
{
	const fs_snapshot *m = imp->m;
	char name[101];
	size_t len = 0, row = 0;

	line = (struct fsi_span){ line.s + strlen("QOS="), line.len - strlen("QOS=") };
	while (len < line.len && len < sizeof(name) - 1 && line.s[len] != '(' && line.s[len] != ' ')
		len++;
	memcpy(name, line.s, len);
	name[len] = '\0';
	while (row < m->qos.n && strcmp(fsi_name_text(m, m->qos.v[row].name), name) != 0)
		row++;
	if (row < m->qos.n) {
		x->has_qos[row] = true;
		note_qos_limits(x, m, &m->qos.v[row]);
	}
	fsi_missing_add_name(&x->unlisted_qos, row < m->qos.n || len == sizeof(name) - 1, name);
}

static int check_assoc_mgr_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct assoc_mgr_check *x = ctx;
	const bool is_qos = fsi_span_starts_with(line, "QOS=");
	struct fsi_output_reader *r = is_qos ? &x->qos : &x->associations;
	struct fsi_span id;
	uint64_t n;
	uint32_t row;

	if (!is_qos && !fsi_span_starts_with(line, "ClusterName=") && !fsi_span_starts_with(line, "Account="))
		return 0;
	fsi_output_split_line(r, line);
	fsi_output_note_keys(r);
	fsi_output_end_record(r);
	if (is_qos) {
		note_assoc_mgr_qos(imp, x, line);
		return 0;
	}
	id = fsi_output_get_value(r, "ID");
	row = fsi_parse_u64(id.s, id.len, &n) ? FSI_NO_INDEX : fsi_id_index_find_row(&x->index, n);
	if (row != FSI_NO_INDEX)
		x->has_association[row] = true;
	return 0;
}

static int warn_assoc_mgr_faults(struct fsi_import *imp, const struct assoc_mgr_check *x)
{
	const struct fsi_viewer viewer = fsi_import_get_viewer(imp->m);
	const char *file = x->qos.output->capture.file;
	const fs_snapshot *m = imp->m;
	struct fsi_missing_records associations = { .n = 0 }, qos = { .n = 0 };
	int rc = fsi_output_warn_keys(imp, x->associations.output);

	if (!rc)
		rc = fsi_output_warn_keys(imp, x->qos.output);
	for (size_t i = 0; i < m->association.n; i++)
		if (fsi_viewer_may_see_usage(&viewer, &m->association.v[i]))
			fsi_missing_add_name(&associations, x->has_association[i],
					     fsi_name_text(m, m->association.v[i].account));
	for (size_t i = 0; i < m->qos.n && !fsi_is_type_hidden(m, "qos"); i++)
		fsi_missing_add_name(&qos, x->has_qos[i], fsi_name_text(m, m->qos.v[i].name));
	if (!rc)
		rc = fsi_missing_warn(imp, NULL, &associations, file, "associations (named by account)");
	if (!rc)
		rc = fsi_missing_warn(imp, NULL, &qos, file, "QOS");
	if (!rc)
		rc = fsi_missing_warn(imp, "qos", &x->limits, "sacctmgr_qos_all.txt",
				      "limits of QOS known to the controller");
	return rc ? rc
		  : fsi_missing_warn(imp, "qos", &x->unlisted_qos, "sacctmgr_qos_all.txt",
				     "QOS known to the controller");
}

static int check_assoc_mgr_records(struct fsi_import *imp)
{
	static const char file[] = "scontrol_assoc_mgr_o.txt";
	struct assoc_mgr_check *x = calloc(1, sizeof(*x));
	int rc = 0;

	if (!x)
		return fsi_fail_no_memory(imp->err);
	x->has_association = calloc(imp->m->association.n + 1, sizeof(bool));
	x->has_qos = calloc(imp->m->qos.n + 1, sizeof(bool));
	if (!x->has_association || !x->has_qos || fsi_id_index_init_associations(&x->index, imp->m))
		rc = fsi_fail_no_memory(imp->err);
	fsi_output_init_reader(&x->associations, imp, fsi_output_find(imp->outputs, file, "association"));
	fsi_output_init_reader(&x->qos, imp, fsi_output_find(imp->outputs, file, "qos"));
	if (!rc)
		rc = fsi_import_read_lines(imp, file, check_assoc_mgr_line, x);
	if (!rc)
		rc = warn_assoc_mgr_faults(imp, x);
	free(x->has_association);
	free(x->has_qos);
	free(x->index.v);
	free(x);
	return rc > 0 ? 0 : rc;
}

int fsi_slurm_check_consistency(struct fsi_import *imp)
{
	int rc = 0;

	FSI_CALL_UNTIL_ERROR(rc, struct fsi_import *, imp, check_partition_nodes, check_fairshare_algorithm,
			     check_parent_accounts, check_assoc_mgr_records, check_recorded_rows, check_listed_names,
			     check_squeue_rows);
	return rc;
}

/* ---- jobs that squeue does not list */

/* State of comparing the job table with squeue. */
struct squeue_job_check {
	struct fsi_id_index index;
	bool *is_listed; /* indexed by job row: squeue lists the job */
	bool has_heading;
	size_t unshown_jobs; /* number of jobs that squeue lists but scontrol does not show */
	uint64_t first_unshown; /* id of the first job counted in unshown_jobs */
};

static int note_listed_job(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct squeue_job_check *x = ctx;
	struct fsi_span id;
	uint64_t job;
	uint32_t row;

	if (imp->where.line == 1) {
		x->has_heading = fsi_span_starts_with(line, "JOBID ");
		return x->has_heading && !fsi_span_contains_text(line, " ASSOC_ID ")
			       ? fsi_import_warn_incomplete(imp, NULL, "%s/squeue_O.txt: the column ASSOC_ID is missing",
							    imp->source->name)
			       : 0;
	}
	if (!fsi_span_cut_part(&line, ' ', &id) || fsi_parse_u64(id.s, id.len, &job))
		return 0;
	row = fsi_id_index_find_row(&x->index, job);
	if (row != FSI_NO_INDEX)
		x->is_listed[row] = true;
	else if (!x->unshown_jobs++)
		x->first_unshown = job;
	return 0;
}

/* Returns true if squeue may list the task in the row of the task's array. The row has the id of the array. The row
 * includes every pending task with the same user, name and partition as the job record with this id
 * (src/squeue/print.c: _combine_pending_array_tasks). */
static bool is_listed_by_array(const struct squeue_job_check *x, const fs_snapshot *m, const struct fsi_job *task)
{
	const uint32_t row = task->array_job_id ? fsi_id_index_find_row(&x->index, task->array_job_id) : FSI_NO_INDEX;
	const struct fsi_job *array = row == FSI_NO_INDEX ? task : &m->job.v[row];

	return array != task && x->is_listed[row] && array->array_tasks &&
	       task->state == FSI_STATE_PENDING && array->state == FSI_STATE_PENDING &&
	       task->user == array->user && task->name == array->name &&
	       task->partitions == array->partitions;
}

static bool is_active_job(const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || job->state == FSI_STATE_RUNNING;
}

/* Removes the jobs marked in dropped[] from the job table. Adds a warning with the number of removed jobs, the id of
 * the first removed job, and the reason `why`. */
static int drop_marked_jobs(struct fsi_import *imp, const bool *dropped, const char *why)
{
	fs_snapshot *m = imp->m;
	uint64_t first = 0;
	size_t remaining = 0, n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		if (!dropped[i])
			m->job.v[remaining++] = m->job.v[i];
		else if (!n++)
			first = m->job.v[i].id;
	m->job.n = remaining;
	if (n && fsi_model_add_warning(m, "%zu job%s left out (first: %llu): %s", n, n == 1 ? " is" : "s are",
				       (unsigned long long)first, why))
		return fsi_fail_no_memory(imp->err);
	return 0;
}

/* Removes all jobs whose id occurs more than once in the job table. */
static int drop_duplicate_jobs(struct fsi_import *imp, struct squeue_job_check *x, bool *dropped)
{
	for (size_t i = 1; i < x->index.n; i++)
		if (x->index.v[i].id == x->index.v[i - 1].id)
			dropped[x->index.v[i].row] = dropped[x->index.v[i - 1].row] = true;
	return drop_marked_jobs(imp, dropped,
				"scontrol shows the same id more than once; a newline in a job name can cause this");
}

/* Removes pending and running jobs that squeue does not list. Does nothing if squeue_O.txt is missing or has no
 * heading. */
static int drop_unlisted_jobs(struct fsi_import *imp, struct squeue_job_check *x, bool *dropped)
{
	const int rc = fsi_import_read_squeue_rows(imp, note_listed_job, x);

	if (rc || !x->has_heading)
		return rc < 0 ? rc : 0;
	if (x->unshown_jobs &&
	    fsi_import_warn_incomplete(imp, "job",
				       "%s: squeue lists %zu job%s that scontrol does not show, first: %llu",
				       imp->source->name, x->unshown_jobs, x->unshown_jobs == 1 ? "" : "s",
				       (unsigned long long)x->first_unshown))
		return FS_ENOMEM;
	for (size_t i = 0; i < imp->m->job.n; i++)
		dropped[i] = is_active_job(&imp->m->job.v[i]) && !x->is_listed[i] &&
			  !is_listed_by_array(x, imp->m, &imp->m->job.v[i]);
	return drop_marked_jobs(imp, dropped,
				"shown by scontrol but not by squeue; the queue changed in between, or a job name "
				"has a newline");
}

static int rebuild_job_index(struct fsi_import *imp, struct fsi_id_index *index)
{
	free(index->v);
	*index = (struct fsi_id_index){ 0 };
	return fsi_id_index_init_jobs(index, imp->m) ? fsi_fail_no_memory(imp->err) : 0;
}

int fsi_slurm_drop_unlisted_jobs(struct fsi_import *imp)
{
	const size_t n = imp->m->job.n;
	struct squeue_job_check x = { .is_listed = calloc(n + 1, sizeof(bool)) };
	bool *dropped = calloc(n + 1, sizeof(*dropped));
	int rc =
		!x.is_listed || !dropped || fsi_id_index_init_jobs(&x.index, imp->m) ? fsi_fail_no_memory(imp->err) : 0;

	if (!rc)
		rc = drop_duplicate_jobs(imp, &x, dropped);
	if (!rc && imp->m->job.n < n)
		rc = rebuild_job_index(imp, &x.index);
	if (!rc)
		rc = drop_unlisted_jobs(imp, &x, dropped);
	free(x.index.v);
	free(x.is_listed);
	free(dropped);
	return rc;
}
