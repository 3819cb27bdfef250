/* What squeue lists of jobs and `scontrol show job` does not have: tasks of arrays, reservations. */
#include "base/num.h"
#include "base/tasks.h"
#include "import/rejoin.h"
#include "import/required.h"

#include <stdlib.h>
#include <string.h>

struct look {
	struct fsi_id_index jobs;
	uint64_t *tasks; /* by row of an array: how many tasks scontrol shows that may wait */
	struct fsi_column task, reservation;
	size_t fewer, unreserved; /* rows of squeue that tell more than scontrol */
	uint64_t first_fewer, first_unreserved;
};

static struct fsi_span cell(struct fsi_span line, struct fsi_column c)
{
	const size_t left = c.at < line.len ? line.len - c.at : 0;

	return fsi_span_trim((struct fsi_span){ line.s + (left ? c.at : 0), left < c.width ? left : c.width });
}

/* The number of tasks in the cell is at least this: the last one of a full cell may be cut off. */
static uint64_t at_least(struct fsi_span text, size_t width)
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

static int squeue_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct look *x = ctx;
	struct fsi_span rest = line, id;
	const struct fsi_job *job;
	uint64_t n;
	uint32_t row;

	if (imp->where.line == 1) {
		x->task = fsi_squeue_column(line, "ARRAY_TASK_ID");
		x->reservation = fsi_squeue_column(line, "RESERVATION");
		return 0;
	}
	if (!fsi_span_cut(&rest, ' ', &id) || fsi_parse_u64(id.s, id.len, &n))
		return 0;
	row = fsi_index_find(&x->jobs, n);
	if (row == FSI_NO_INDEX)
		return 0;
	job = &imp->m->job.v[row];
	if (x->task.width && FSI_HAS(job, JOB, array_tasks) &&
	    at_least(cell(line, x->task), x->task.width) > x->tasks[row] && !x->fewer++)
		x->first_fewer = job->id;
	id = cell(line, x->reservation);
	if (id.len && !fsi_span_is(id, "(null)") && !FSI_HAS(job, JOB, reservation) && !x->unreserved++)
		x->first_unreserved = job->id;
	return 0;
}

static bool may_have_waited(const fs_snapshot *m, const struct fsi_job *job)
{
	const int64_t since = m->head.time - FSI_BETWEEN_S;

	return job->state == FSI_STATE_PENDING || (FSI_HAS(job, JOB, start_time) && job->start_time >= since) ||
	       (FSI_HAS(job, JOB, end_time) && job->end_time >= since && job->state != FSI_STATE_RUNNING);
}

static void count_tasks(struct look *x, const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const uint32_t row = FSI_HAS(job, JOB, array_job_id) ? fsi_index_find(&x->jobs, job->array_job_id)
								      : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX && may_have_waited(m, job))
			x->tasks[row] +=
				FSI_HAS(job, JOB, array_tasks) ? fsi_count_tasks(fsi_str(m, job->array_tasks)) : 1;
	}
}

static int warn_of_squeue(struct fsi_import *imp, const struct look *x)
{
	int rc = 0;

	if (x->fewer)
		rc = fsi_import_incomplete(imp, "job",
					   "%s: squeue lists more waiting tasks than scontrol shows, of %zu array%s, the first %llu",
					   imp->source->name, x->fewer, x->fewer == 1 ? "" : "s",
					   (unsigned long long)x->first_fewer);
	if (!rc && x->unreserved)
		rc = fsi_import_incomplete(imp, NULL,
					   "%s: squeue lists a reservation and scontrol none, of %zu job%s, the first %llu",
					   imp->source->name, x->unreserved, x->unreserved == 1 ? "" : "s",
					   (unsigned long long)x->first_unreserved);
	return rc;
}

int fsi_slurm_cross_squeue(struct fsi_import *imp)
{
	struct look x = { .tasks = calloc(imp->m->job.n + 1, sizeof(*x.tasks)) };
	int rc = !x.tasks || fsi_index_jobs(&x.jobs, imp->m) ? fsi_nomem(imp->err) : 0;

	if (!rc) {
		count_tasks(&x, imp->m);
		rc = fsi_import_squeue_rows(imp, squeue_line, &x);
	}
	if (!rc)
		rc = warn_of_squeue(imp, &x);
	free(x.jobs.v);
	free(x.tasks);
	return rc > 0 ? 0 : rc;
}
