/* Delays: for each planned start, the jobs whose cancellation alone gives an earlier start. */
#include "cause/cause.h"

#include "base/error.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "scenario/grammar.h"

#include <stdio.h>
#include <stdlib.h>

/* A job without which the row of the plan starts earlier. */
struct delay {
	size_t plan_row;
	uint64_t job;
};

struct fs_delays {
	FSI_VEC(struct delay) delay; /* sorted by plan row, then by job */
	uint64_t *job;	     /* the jobs of `delay`, in its order */
	size_t *first;	     /* by row of the plan: its first element of `job`; one more element ends the last row */
	size_t rows;	     /* number of rows of the plan */
	bool complete;	     /* result of fs_delays_are_complete */
};

/* A job whose cancellation is tried. */
struct candidate {
	uint32_t job_row;
	uint32_t named; /* number of rows of the plan that name the job as the one they wait for */
};

struct search {
	fs_delays *out;
	const fs_snapshot *m;
	const fs_plan *plan;
	struct fs_view view;
	int64_t *start; /* by row of the plan: planned start; FS_UNKNOWN: none */
	struct candidate *candidate; /* one per job of the snapshot; only the first `candidates` are used */
	size_t candidates;
	struct fs_error *err;
};

static bool is_candidate_state(const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING || j->state == FSI_STATE_RUNNING || j->state == FSI_STATE_SUSPENDED;
}

static void count_name(struct search *x, uint64_t job)
{
	const uint32_t row = job ? fsi_job_find_row(x->m, job) : FSI_NO_INDEX;

	if (row != FSI_NO_INDEX)
		x->candidate[row].named++;
}

/* Sorts the jobs that the plan names most often first. Among jobs that are named equally often, running jobs come
 * first. */
static int compare_candidates(const void *a, const void *b, const void *ctx)
{
	const struct candidate *x = a, *y = b;
	const struct fsi_job *jobs = ctx;
	const bool x_waits = jobs[x->job_row].state == FSI_STATE_PENDING,
		   y_waits = jobs[y->job_row].state == FSI_STATE_PENDING;

	if (x->named != y->named)
		return x->named > y->named ? -1 : 1;
	if (x_waits != y_waits)
		return x_waits ? 1 : -1;
	return x->job_row < y->job_row ? -1 : 1;
}

/* Reads the planned starts, and lists the jobs to try. */
static int list_candidates(struct search *x)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < x->m->job.n; i++)
		x->candidate[i] = (struct candidate){ (uint32_t)i, 0 };
	for (size_t i = 0; fs_plan_row(x->plan, i, &row); i++) {
		x->start[i] = row.start_time;
		count_name(x, row.frees);
		count_name(x, row.blocked_by);
	}
	for (size_t i = 0; i < x->m->job.n; i++)
		if (is_candidate_state(&x->m->job.v[i]))
			x->candidate[x->candidates++] = x->candidate[i];
	return fs_sort(x->candidate, x->candidates, sizeof(*x->candidate), compare_candidates, x->m->job.v)
		       ? fsi_fail_no_memory(x->err)
		       : 0;
}

/* Adds a delay for each row of the plan that starts earlier in the plan of the copy. */
static int compare_plans(struct search *x, const fs_plan *p, const fs_snapshot *copy, uint64_t job)
{
	for (size_t i = 0; i < x->out->rows; i++) {
		struct fs_plan_row row;
		struct delay *d;
		int64_t start;

		fs_plan_row(x->plan, i, &row);
		start = fsi_cause_get_planned_start(p, copy, row.job);
		if (row.job == job || start == FS_UNKNOWN ||
		    (x->start[i] != FS_UNKNOWN && start > x->start[i] - FSI_CAUSE_MIN_GAIN_S))
			continue;
		d = FSI_VEC_ADD(&x->out->delay);
		if (!d)
			return fsi_fail_no_memory(x->err);
		*d = (struct delay){ i, job };
	}
	return 0;
}

/* Cancels the job in a copy of the snapshot, and plans the copy. Skips a job that the scheduler does not cancel. */
static int try_without_job(struct search *x, uint64_t job)
{
	const struct fs_plan_options o = { .size = sizeof(o), .view = x->view, .starts_alone = true };
	char id[FS_JOB_ID_TEXT], command[FS_JOB_ID_TEXT + 32];
	struct fsi_cause_change change = { .command = { command } };
	fs_snapshot *copy;
	fs_plan *p;
	int rc = fs_snapshot_copy(&copy, x->m, x->err);

	if (rc)
		return rc;
	snprintf(command, sizeof(command), "%s %s", x->m->scheduler->commands->cancel,
		 fs_job_id_format(x->m, job, true, id));
	rc = fsi_cause_apply_change(copy, &change);
	if (rc) {
		fs_snapshot_free(copy);
		return rc == FS_EUSAGE || rc == FS_ENODATA ? 0 : fsi_fail_no_memory(x->err);
	}
	rc = fs_plan_compute(&p, copy, &o, x->err);
	if (!rc) {
		rc = compare_plans(x, p, copy, job);
		fs_plan_free(p);
	}
	fs_snapshot_free(copy);
	return rc;
}

static int compare_delays(const void *a, const void *b, const void *ctx)
{
	const struct delay *x = a, *y = b;

	(void)ctx;
	if (x->plan_row != y->plan_row)
		return x->plan_row < y->plan_row ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* Sorts the delays, and fills the index of them. */
static int index_delays(struct search *x)
{
	fs_delays *d = x->out;
	size_t k = 0;

	if (fs_sort(d->delay.v, d->delay.n, sizeof(*d->delay.v), compare_delays, NULL) ||
	    !(d->job = calloc(d->delay.n + 1, sizeof(*d->job))))
		return fsi_fail_no_memory(x->err);
	for (size_t i = 0; i < d->rows; i++) {
		d->first[i] = k;
		for (; k < d->delay.n && d->delay.v[k].plan_row == i; k++)
			d->job[k] = d->delay.v[k].job;
	}
	d->first[d->rows] = k;
	return 0;
}

/* Tries the candidates, as many as fit into the budget. */
static int try_candidates(struct search *x)
{
	const size_t max = fsi_cause_count_trials(x->m, x->plan);
	int rc = list_candidates(x);

	x->out->complete = x->candidates <= max && !fsi_is_type_hidden(x->m, "job");
	for (size_t i = 0; i < x->candidates && i < max && !rc; i++)
		rc = try_without_job(x, x->m->job.v[x->candidate[i].job_row].id);
	return rc;
}

int fs_delays_find(fs_delays **out, const fs_snapshot *s, const fs_plan *plan, const struct fs_view *view,
		   struct fs_error *err)
{
	const size_t rows = fs_plan_count(plan);
	struct search x = { .m = s, .plan = plan, .view = *view, .err = err };
	int rc;

	x.view.usage = NULL;
	x.out = calloc(1, sizeof(*x.out));
	x.start = calloc(rows + 1, sizeof(*x.start));
	x.candidate = calloc(s->job.n + 1, sizeof(*x.candidate));
	if (x.out) {
		x.out->rows = rows;
		x.out->first = calloc(rows + 1, sizeof(*x.out->first));
	}
	rc = !x.out || !x.out->first || !x.start || !x.candidate ? fsi_fail_no_memory(err) : 0;
	if (!rc && s->scheduler->commands && s->scheduler->commands->cancel)
		rc = try_candidates(&x);
	if (!rc)
		rc = index_delays(&x);
	free(x.start);
	free(x.candidate);
	if (rc)
		fs_delays_free(x.out);
	else
		*out = x.out;
	return rc;
}

bool fs_delays_are_complete(const fs_delays *d)
{
	return d->complete;
}

void fs_delays_free(fs_delays *d)
{
	if (!d)
		return;
	FSI_VEC_FREE(&d->delay);
	free(d->job);
	free(d->first);
	free(d);
}

const uint64_t *fs_delays_of(const fs_delays *d, size_t plan_row, size_t *n)
{
	*n = plan_row < d->rows ? d->first[plan_row + 1] - d->first[plan_row] : 0;
	return *n ? d->job + d->first[plan_row] : NULL;
}
