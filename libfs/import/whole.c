#include "import/whole.h"

#include "import/marks.h"
#include "import/rejoin.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* ---- files of records */

/* What scontrol prints of every record, whatever its value (slurm_sprint_job_info in src/api/job_info.c, later
 * src/scontrol, slurm_sprint_node_table, slurm_sprint_partition_info; 20.11 to 26.11; what is held apart from what is
 * asked for, and the memory of GPUs for that of CPUs, from 24.11). */
static const struct fsi_required of_jobs[] = {
	FSI_ALWAYS("UserId"),      FSI_ALWAYS("Priority"),     FSI_ALWAYS("Nice"),
	FSI_ALWAYS("Account"),     FSI_ALWAYS("QOS"),	       FSI_ALWAYS("JobState"),
	FSI_ALWAYS("Reason"),      FSI_ALWAYS("Dependency"),   FSI_ALWAYS("TimeLimit"),
	FSI_ALWAYS("SubmitTime"),  FSI_ALWAYS("EligibleTime"), FSI_ALWAYS("AccrueTime"),
	FSI_ALWAYS("StartTime"),   FSI_ALWAYS("EndTime"),      FSI_ALWAYS("Partition"),
	FSI_ALWAYS("NumNodes"),    FSI_ALWAYS("NumCPUs"),      { "ReqTRES", "TRES", NULL, NULL },
	{ "ArrayTaskId", NULL, "ArrayJobId", NULL }, FSI_ALWAYS("OverSubscribe"), FSI_ALWAYS("NumTasks"),
	{ "AllocTRES", NULL, "ReqTRES", NULL }, FSI_ALWAYS("CPUs/Task"),  FSI_ALWAYS("MinCPUsNode"),
	{ "MinMemoryCPU", "MinMemoryNode", NULL, "MinMemoryTRES" }, FSI_ALWAYS("Features"), FSI_ALWAYS("Licenses"),
	FSI_ALWAYS("NodeList"),    FSI_ALWAYS("ReqNodeList"),  FSI_ALWAYS("ExcNodeList"),
	FSI_ALWAYS("LastSchedEval"),
};
static const struct fsi_required of_nodes[] = {
	FSI_ALWAYS("CPUTot"), FSI_ALWAYS("State"), FSI_ALWAYS("RealMemory"), FSI_ALWAYS("CfgTRES"),
	FSI_ALWAYS("ThreadsPerCore"),
};
static const struct fsi_required of_partitions[] = {
	FSI_ALWAYS("PriorityTier"), FSI_ALWAYS("PriorityJobFactor"), FSI_ALWAYS("State"),
	FSI_ALWAYS("TotalCPUs"),	FSI_ALWAYS("TotalNodes"),	     FSI_ALWAYS("Nodes"),
	FSI_ALWAYS("MaxTime"),	FSI_ALWAYS("QoS"),		     FSI_ALWAYS("TRES"),
	{ "AllowAccounts", "DenyAccounts", NULL, NULL }, { "AllowQos", "DenyQos", NULL, NULL },
};

#define REQUIRED(keys) keys, sizeof(keys) / sizeof(*(keys))

struct fsi_look_kind {
	const char *file, *key, *none, *type;
	const struct fsi_required *required;
	size_t n;
};

static const struct fsi_look_kind kinds[] = {
	{ "scontrol_job_o.txt", "JobId=", "No jobs in the system", "job", REQUIRED(of_jobs) },
	{ "scontrol_node_o.txt", "NodeName=", "No nodes in the system", "node", REQUIRED(of_nodes) },
	{ "scontrol_partition_o.txt", "PartitionName=", "No partitions in the system", "partition",
	  REQUIRED(of_partitions) },
};

int fsi_look_line(struct fsi_import *imp, void *look, struct fsi_span line)
{
	struct fsi_look *k = look;

	line = fsi_span_trim(line);
	if (fsi_span_begins(line, k->kind->key)) {
		k->records++;
		fsi_lacking_record(&k->lacking, k->kind->required, k->kind->n, line);
	} else if (fsi_span_begins(line, k->kind->none)) {
		k->none = true;
	} else if (line.len) {
		const size_t n = line.len < sizeof(k->odd_text) - 1 ? line.len : sizeof(k->odd_text) - 1;

		if (!k->odd++) {
			k->odd_line = imp->where.line;
			memcpy(k->odd_text, line.s, n);
			k->odd_text[n] = '\0';
		}
	}
	return 0;
}

int fsi_look_keyed(struct fsi_import *imp, struct fsi_look *look, struct fsi_span line, const struct fsi_keyed *values,
		   struct fsi_span text)
{
	if (!fsi_span_begins(fsi_span_trim(line), look->kind->key))
		return fsi_look_line(imp, look, line);
	look->records++;
	if (text.len && memchr(text.s, '=', text.len))
		fsi_lacking_line(&look->lacking, look->kind->required, look->kind->n, text);
	fsi_lacking_keyed(&look->lacking, look->kind->required, look->kind->n, values);
	return 0;
}

void fsi_look_at_jobs(struct fsi_look *look)
{
	*look = (struct fsi_look){ .kind = &kinds[0] };
}

static int judge(struct fsi_import *imp, const struct fsi_look *k)
{
	const char *dir = imp->source->name, *file = k->kind->file;
	const int rc = fsi_lacking_warn(imp, &k->lacking, k->kind->required, k->kind->n, file);

	if (rc || (!k->odd && (k->records || k->none)))
		return rc;
	if (!k->odd)
		return fsi_import_incomplete(imp, k->kind->type,
					     "%s/%s: it is empty, without \"%s\": the command failed", dir, file,
					     k->kind->none);
	return fsi_import_incomplete(imp, k->kind->type, "%s/%s:%llu: %s\"%s\"%s", dir, file,
				     (unsigned long long)k->odd_line,
				     k->records ? "no record: " : "no record, and there is none: ", k->odd_text,
				     k->odd > 1 ? ", and other such lines" : "");
}

/* What the other files have. An empty sprio.txt is that of a queue without pending jobs. */
static const struct fsi_mark marks[] = {
	{ "sdiag.txt", "sdiag output at", NULL, NULL },
	{ "scontrol_config.txt", "Configuration data as of", NULL, "config" },
	{ "scontrol_reservation.txt", "ReservationName=", "No reservations in the system", "reservation" },
	{ "scontrol_assoc_mgr_o.txt", "Current Association Manager state", NULL, NULL },
	{ "scontrol_job_d.txt", "JobId=", "No jobs in the system", NULL },
	{ "squeue_O.txt", "JOBID", NULL, NULL },
	{ "sshare.txt", "Account|", "ID|Account|", NULL },
	{ "sacct.txt", "Account|", "JobID", "usage" },
	{ "sacctmgr_assoc.txt", "Cluster|", "Account|", "association" },
	{ "sacctmgr_qos_all.txt", "Name|", NULL, "qos" },
	{ "sacctmgr_tres.txt", "Type|", NULL, "tres" },
	{ "sacctmgr_user.txt", "User|", NULL, "user" },
};

int fsi_slurm_whole(struct fsi_import *imp, const struct fsi_look *jobs)
{
	int rc = fsi_import_marks(imp, marks, sizeof(marks) / sizeof(*marks));

	if (!rc && jobs->read)
		rc = judge(imp, jobs);
	for (size_t i = 1; i < sizeof(kinds) / sizeof(*kinds) && !rc; i++) {
		struct fsi_look k = { .kind = &kinds[i] };

		rc = fsi_import_lines(imp, kinds[i].file, fsi_look_line, &k);
		rc = rc ? (rc < 0 ? rc : 0) : judge(imp, &k);
	}
	return rc ? rc : fsi_slurm_required(imp);
}

/* ---- jobs that squeue does not know */

struct cross {
	struct fsi_id_index index;
	bool *listed; /* by row */
	bool heading;
	size_t unknown; /* jobs listed that scontrol does not show */
	uint64_t first;
};

static int listed_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct cross *x = ctx;
	struct fsi_span id;
	uint64_t job;
	uint32_t row;

	if (imp->where.line == 1) {
		x->heading = fsi_span_begins(line, "JOBID ");
		return x->heading && !fsi_span_holds(line, " ASSOC_ID ")
			       ? fsi_import_incomplete(imp, NULL, "%s/squeue_O.txt: columns are missing: ASSOC_ID",
						       imp->source->name)
			       : 0;
	}
	if (!fsi_span_cut(&line, ' ', &id) || fsi_parse_u64(id.s, id.len, &job))
		return 0;
	row = fsi_index_find(&x->index, job);
	if (row != FSI_NO_INDEX)
		x->listed[row] = true;
	else if (!x->unknown++)
		x->first = job;
	return 0;
}

/* squeue combines pending tasks of an array with the record of the array, by whose id it prints them, if name and
 * partition are the same (src/squeue/print.c: _combine_pending_array_tasks). */
static bool listed_by_array(const struct cross *x, const fs_snapshot *m, const struct fsi_job *task)
{
	const uint32_t row = task->array_job_id ? fsi_index_find(&x->index, task->array_job_id)
						: FSI_NO_INDEX;
	const struct fsi_job *array = row == FSI_NO_INDEX ? task : &m->job.v[row];

	return array != task && x->listed[row] && array->array_tasks &&
	       task->state == FSI_STATE_PENDING && array->state == FSI_STATE_PENDING &&
	       task->user == array->user && task->name == array->name &&
	       task->partitions == array->partitions;
}

static bool active(const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || job->state == FSI_STATE_RUNNING;
}

/* Takes out the rows that are marked; a warning has their names. */
static int drop(struct fsi_import *imp, const bool *gone, const char *why)
{
	fs_snapshot *m = imp->m;
	uint64_t first = 0;
	size_t kept = 0, n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		if (!gone[i])
			m->job.v[kept++] = m->job.v[i];
		else if (!n++)
			first = m->job.v[i].id;
	m->job.n = kept;
	if (n && fsi_warn(m, "%zu job%s left out, the first %llu: %s", n, n == 1 ? "" : "s",
			  (unsigned long long)first, why))
		return fsi_nomem(imp->err);
	return 0;
}

static int drop_twins(struct fsi_import *imp, struct cross *x, bool *gone)
{
	for (size_t i = 1; i < x->index.n; i++)
		if (x->index.v[i].id == x->index.v[i - 1].id)
			gone[x->index.v[i].row] = gone[x->index.v[i - 1].row] = true;
	return drop(imp, gone, "scontrol shows several of one id, which a newline in a job's name can make");
}

static int drop_unlisted(struct fsi_import *imp, struct cross *x, bool *gone)
{
	const int rc = fsi_import_squeue_rows(imp, listed_line, x);

	if (rc || !x->heading)
		return rc < 0 ? rc : 0;
	if (x->unknown && fsi_import_incomplete(imp, "job",
						"%s: squeue lists %zu job%s that scontrol does not show, the first %llu",
						imp->source->name, x->unknown, x->unknown == 1 ? "" : "s",
						(unsigned long long)x->first))
		return FS_ENOMEM;
	for (size_t i = 0; i < imp->m->job.n; i++)
		gone[i] = active(&imp->m->job.v[i]) && !x->listed[i] &&
			  !listed_by_array(x, imp->m, &imp->m->job.v[i]);
	return drop(imp, gone, "scontrol shows them, squeue does not: begun in between, or made by a newline in a "
			       "job's name");
}

static int index_again(struct fsi_import *imp, struct fsi_id_index *index)
{
	free(index->v);
	*index = (struct fsi_id_index){ 0 };
	return fsi_index_jobs(index, imp->m) ? fsi_nomem(imp->err) : 0;
}

int fsi_slurm_cross_jobs(struct fsi_import *imp)
{
	const size_t n = imp->m->job.n;
	struct cross x = { .listed = calloc(n + 1, sizeof(bool)) };
	bool *gone = calloc(n + 1, sizeof(*gone));
	int rc = !x.listed || !gone || fsi_index_jobs(&x.index, imp->m) ? fsi_nomem(imp->err) : 0;

	if (!rc)
		rc = drop_twins(imp, &x, gone);
	if (!rc && imp->m->job.n < n)
		rc = index_again(imp, &x.index);
	if (!rc)
		rc = drop_unlisted(imp, &x, gone);
	free(x.index.v);
	free(x.listed);
	free(gone);
	return rc;
}
