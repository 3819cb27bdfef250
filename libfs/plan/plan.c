/* The public functions of fs/plan.h, and the initial rows of a plan, which are the same for all schedulers. */
#include "plan/plan.h"

#include "model/find.h"
#include "base/error.h"
#include "base/hostlist.h"
#include "base/num.h"
#include "model/jobs.h"
#include "model/scheduler.h"
#include "model/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fsi_plan_add_assumption(struct fs_plan *p, const char *fmt, ...)
{
	char text[320];
	const char *copy;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	copy = fsi_arena_strndup(&p->arena, text, strlen(text));
	if (!copy || FSI_VEC_RESERVE(&p->assumption))
		p->out_of_memory = true;
	else
		p->assumption.v[p->assumption.n++] = copy;
}

static int check_nodes_present(const fs_snapshot *m, struct fs_error *err)
{
	if (!m->node.n || (m->scheduler->plan->needs_partitions && !m->partition.n))
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot plan starts: the snapshot has no %s", m->file,
					  m->node.n ? "partitions" : "nodes");
	for (size_t i = 0; i < m->node.n; i++)
		if (FSI_HAS(&m->node.v[i], NODE, cpus) || !m->scheduler->has_select_plugin)
			return 0;
	return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot plan starts: the snapshot lacks the number of CPUs of all nodes", m->file);
}

int fsi_plan_create(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o, struct fs_error *err)
{
	const struct fs_queue_options qo = { .view = o ? o->view : (struct fs_view){ 0 } };
	struct fs_plan *p = calloc(1, sizeof(*p));
	int rc;

	if (!p)
		return fsi_fail_no_memory(err);
	p->m = m;
	p->scheduler = m->scheduler->plan;
	p->view = qo.view;
	p->work_budget = FSI_PLAN_WORK_BUDGET;
	p->mode = o ? o->mode : FS_PLAN_BACKFILL;
	p->next_cycle = m->edits || (o && o->next_cycle);
	p->stop_time = INT64_MAX;
	p->focus_job = o && o->starts_alone && !o->likely ? FSI_NO_INDEX : 0;
	p->release = o && o->view.compat ? o->view.compat : m->info.version;
	rc = check_nodes_present(m, err);
	p->queue_is_borrowed = !rc && o && o->queue;
	if (p->queue_is_borrowed)
		p->queue = o->queue;
	else if (!rc)
		rc = fs_queue_compute(&p->queue, m, &qo, err);
	if (rc)
		fs_plan_free(p);
	else
		*out = p;
	return rc;
}

static void assume_missing_jobs(struct fs_plan *p)
{
	const fs_snapshot *m = p->m;

	if (fsi_is_type_hidden(m, "job"))
		fsi_plan_add_assumption(p, "Jobs that %s are left out: starts may be later.",
				       fsi_list_has_word(m, fsi_config_get_list(m, "PrivateData"), "jobs")
					       ? "were hidden from the capture (PrivateData)"
					       : "are missing from the snapshot");
}

static int run_scheduler_simulation(struct fs_plan *p, const struct fs_plan_options *o, struct fs_error *err)
{
	const struct fsi_plan_scheduler *scheduler = p->scheduler;
	int rc = scheduler->run(p, err);

	if (!rc && o && o->likely && p->mode == FS_PLAN_BACKFILL && scheduler->fill_likely_starts &&
	    scheduler->fill_likely_starts(p))
		rc = fsi_fail_no_memory(err);
	if (rc)
		return rc;
	assume_missing_jobs(p);
	scheduler->add_assumptions(p);
	if (p->over_budget)
		fsi_plan_add_assumption(p, "The simulation stopped at its work budget: the starts of the jobs that it "
					   "did not reach are unknown.");
	return p->out_of_memory ? fsi_fail_no_memory(err) : 0;
}

int fs_plan_compute(fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *options, struct fs_error *err)
{
	const struct fsi_plan_scheduler *scheduler = m->scheduler->plan;
	struct fs_plan_options own;
	const struct fs_plan_options *o = FSI_OPTIONS(own, options);
	struct fs_plan *p;
	int rc;

	if (!scheduler)
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot plan starts: scheduler \"%s\" is not modelled", m->file,
					  m->info.scheduler);
	rc = fsi_plan_create(&p, m, o, err);
	if (rc)
		return rc;
	rc = run_scheduler_simulation(p, o, err);
	if (rc)
		fs_plan_free(p);
	else
		*out = p;
	return rc;
}

void fs_plan_free(fs_plan *p)
{
	if (!p)
		return;
	if (!p->queue_is_borrowed)
		fs_queue_free(p->queue);
	if (p->backfill)
		p->scheduler->release_state(p->backfill);
	fsi_arena_release(&p->arena);
	free(p->row);
	free(p->row_of_job);
	free(p->running_arrays);
	FSI_VEC_FREE(&p->assumption);
	free(p);
}

bool fsi_plan_is_settled(const struct fs_plan *p, int64_t now)
{
	if (!p->focus_job || p->focus_job == FSI_NO_INDEX)
		return false;
	return now >= p->stop_time ||
	       (p->row_of_job[p->focus_job - 1] && p->row[p->row_of_job[p->focus_job - 1] - 1].start != FS_UNKNOWN);
}

void fs_plan_runs(const fs_plan *p, struct fs_plan_runs *out)
{
	*out = p->likely_runs;
}

const fs_queue *fs_plan_queue(const fs_plan *p)
{
	return p->queue;
}

size_t fs_plan_count(const fs_plan *p)
{
	return p->nrows;
}

size_t fs_plan_find(const fs_plan *p, uint32_t job_row)
{
	return job_row < p->m->job.n && p->row_of_job[job_row] ? p->row_of_job[job_row] - 1 : FS_NO_ROW;
}

int64_t fsi_plan_get_start(const fs_plan *p, uint32_t job_row)
{
	const size_t i = p ? fs_plan_find(p, job_row) : FS_NO_ROW;

	return i == FS_NO_ROW || p->row[i].state == FS_PLAN_BEGINS ? FS_UNKNOWN : p->row[i].start;
}

static uint64_t get_job_id(const struct fs_plan *p, uint32_t job)
{
	return job == FSI_NO_INDEX ? 0 : p->m->job.v[job].id;
}

/* Returns the start that the scheduler shows. If the shown and planned starts are equal, returns FS_UNKNOWN, unless
 * the job waits for another component of its het job. */
static int64_t get_shown_start(const struct fsi_plan_row *r)
{
	return r->wait == FS_PLAN_WAIT_COMPONENT || r->shown_start != r->start ? r->shown_start : FS_UNKNOWN;
}

/* Returns the state of a row. Replaces NO_START by GIVEN_UP if the simulation was given up. Otherwise replaces
 * NO_START by NOT_REACHED if the cycle tried the job in none of its partitions because of a parameter. */
static enum fs_plan_state get_row_state(const struct fs_plan *p, const struct fsi_plan_row *r)
{
	if (r->state != FS_PLAN_NO_START)
		return r->state;
	if (p->over_budget)
		return FS_PLAN_GIVEN_UP;
	return r->cycle.limit.name && !r->cycle.reached ? FS_PLAN_NOT_REACHED : FS_PLAN_NO_START;
}

bool fs_plan_row(const fs_plan *p, size_t i, struct fs_plan_row *out)
{
	const struct fsi_plan_row *r;
	bool ends;

	if (i >= p->nrows)
		return false;
	r = &p->row[i];
	ends = r->start != FS_UNKNOWN && r->limit_s != FS_UNKNOWN;
	*out = (struct fs_plan_row){
		.job = get_job_id(p, r->job),
		.job_row = r->job,
		.state = get_row_state(p, r),
		.cycle_limit.name = get_row_state(p, r) == FS_PLAN_NOT_REACHED ? r->cycle.limit.name : "",
		.cycle_limit.value = r->cycle.limit.value,
		.window_s = r->cycle.searched_window && fs_snapshot_records(p->m, "config") ? p->window_s : FS_UNKNOWN,
		.section = (enum fs_section)r->section,
		.reason = r->reason,
		.partition = fsi_name_text(p->m, r->partition_name),
		.start_time = r->start,
		.end_time = ends ? r->start + r->limit_s : FS_UNKNOWN,
		.tasks = r->array.tasks,
		.tasks_planned = r->array.planned_tasks,
		.last_start_time = r->last_start,
		.shown_start_time = get_shown_start(r),
		.limit.name = r->limit.name ? r->limit.name : "",
		.limit.tres = r->limit.name ? fsi_name_text(p->m, r->limit.tres) : "",
		.limit.of = r->limit.name ? fsi_name_text(p->m, r->limit.of) : "",
		.limit.start_time = r->limit_start,
		.limit.frees = r->limit.name ? get_job_id(p, r->limit.freed_by) : 0,
		.likely.start_time = r->likely.median,
		.likely.low_time = r->likely.low,
		.likely.high_time = r->likely.high,
		.nodes = r->nnodes,
		.wait = r->wait,
		.frees = get_job_id(p, r->freed_by),
		.blocked_by = get_job_id(p, r->blocked_by),
		.unmodelled = r->unmodelled,
		.visible = fsi_viewer_may_see_job(&p->queue->viewer, &p->m->job.v[r->job]),
	};
	return true;
}

const char *fs_plan_node(const fs_plan *p, size_t i, uint32_t k)
{
	return i < p->nrows && k < p->row[i].nnodes ? fsi_name_text(p->m, p->row[i].node_name[k]) : NULL;
}

char *fs_plan_nodes(const fs_plan *p, size_t i, char *buf, size_t size)
{
	struct fsi_hostlist_fold f;

	fsi_hostlist_fold_begin(&f, buf, size);
	for (uint32_t k = 0; i < p->nrows && k < p->row[i].nnodes; k++)
		fsi_hostlist_fold_add(&f, fsi_name_text(p->m, p->row[i].node_name[k]));
	fsi_hostlist_fold_end(&f);
	return buf;
}

const char *fs_plan_assumption(const fs_plan *p, size_t i)
{
	return i < p->assumption.n ? p->assumption.v[i] : NULL;
}

int64_t fs_plan_resolution_s(const fs_plan *p)
{
	return p->resolution_s;
}

static const char *const plan_state_names[] = { FS_PLAN_STATES(FSI_NAME) };
static const char *const plan_wait_names[] = { FS_PLAN_WAITS(FSI_NAME) };

const char *fs_plan_state_name(enum fs_plan_state state)
{
	return plan_state_names[state];
}

const char *fs_plan_wait_name(enum fs_plan_wait wait)
{
	return plan_wait_names[wait];
}

/* ---- the initial rows of a plan */

/* Returns the array id of each running array task, sorted, and sets *n to their number. Returns NULL if out of memory.
 * The caller frees the result. */
static uint64_t *list_running_arrays(const fs_snapshot *m, size_t *n)
{
	uint64_t *v = calloc(m->job.n + 1, sizeof(*v));

	*n = 0;
	for (struct fsi_active_jobs b = { 0 }; v && fsi_active_jobs_next(m, &b);)
		if (m->job.v[b.row].array_job_id && m->job.v[b.row].state == FSI_STATE_RUNNING)
			v[(*n)++] = m->job.v[b.row].array_job_id;
	if (v && *n)
		qsort(v, *n, sizeof(*v), fsi_compare_rising_u64);
	return v;
}

/* Returns the number of ids in `v` that are less than `id`. `v` has `n` ids, sorted. */
static size_t count_smaller_ids(const uint64_t *v, size_t n, uint64_t id)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if (v[mid] < id)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* Returns the number of tasks of the job's array that may start now under the array's own limit. The result is the
 * maximum number of running tasks (2 for the array "1-9%2") minus the number of running tasks. Returns UINT64_MAX if
 * the array has no limit of its own. */
static uint64_t get_remaining_throttle(const struct fs_plan *p, const struct fsi_job *j)
{
	const char *percent = strchr(fsi_name_text(p->m, j->array_tasks), '%');
	const uint64_t id = j->array_job_id ? j->array_job_id : j->id;
	uint64_t max, busy;

	if (!percent)
		return UINT64_MAX;
	max = strtoull(percent + 1, NULL, 10);
	busy = count_smaller_ids(p->running_arrays, p->nrunning_arrays, id + 1) -
	       count_smaller_ids(p->running_arrays, p->nrunning_arrays, id);
	return max > busy ? max - busy : 0;
}

/* Stores the partition of the record in the job's row, if it is the first partition in which the job is eligible. */
static void set_first_partition(struct fs_plan *p, const struct fsi_queue_record *r)
{
	struct fsi_plan_row *row = &p->row[p->row_of_job[r->job] - 1];

	if (r->eligible && !row->eligible) {
		row->partition_name = r->partition_name;
		row->eligible = true;
	}
}

/* Returns the begin time that the scheduler shows for a job without a start; FS_UNKNOWN: none. Slurm shows a begin
 * time in the future as the start (src/slurmctld/job_mgr.c: pack_job). */
static int64_t get_shown_begin_time(const struct fs_plan *p, const struct fsi_job *j)
{
	if (!p->scheduler->shows_begin_time || !FSI_HAS(j, JOB, eligible_time) || j->eligible_time <= p->now)
		return FS_UNKNOWN;
	return j->eligible_time;
}

static struct fsi_plan_row make_initial_row(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	const int64_t begin = get_shown_begin_time(p, &p->m->job.v[r->job]);

	return (struct fsi_plan_row){
		.job = r->job,
		.state = FS_PLAN_NO_START,
		.section = r->section,
		.eligible = r->eligible,
		.reason = fsi_queue_get_reason(r),
		.partition_name = r->partition_name,
		.start = FS_UNKNOWN,
		.last_start = FS_UNKNOWN,
		.shown_start = begin,
		.cycle.has_start = begin != FS_UNKNOWN,
		.limit_start = FS_UNKNOWN,
		.likely.median = FS_UNKNOWN,
		.likely.low = FS_UNKNOWN,
		.likely.high = FS_UNKNOWN,
		.limit_s = FS_UNKNOWN,
		.array.tasks = r->tasks.n,
		.array.throttle = get_remaining_throttle(p, &p->m->job.v[r->job]),
		.freed_by = FSI_NO_INDEX,
		.blocked_by = FSI_NO_INDEX,
	};
}

struct fsi_plan_row *fsi_plan_find_or_add_row(struct fs_plan *p, const struct fsi_queue_record *r)
{
	uint32_t *of = &p->row_of_job[r->job];

	if (!*of) {
		p->row[p->nrows] = make_initial_row(p, r);
		*of = (uint32_t)++p->nrows;
	}
	return &p->row[*of - 1];
}

static void add_all_rows(struct fs_plan *p)
{
	for (size_t i = 0; i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];

		if (p->row_of_job[r->job])
			set_first_partition(p, r);
		else
			fsi_plan_find_or_add_row(p, r);
	}
}

int fsi_plan_make_rows(struct fs_plan *p, bool in_turn)
{
	p->running_arrays = list_running_arrays(p->m, &p->nrunning_arrays);
	p->row_of_job = calloc(p->m->job.n + 1, sizeof(*p->row_of_job));
	p->row = calloc(p->queue->record.n + 1, sizeof(*p->row));
	if (!p->running_arrays || !p->row_of_job || !p->row)
		return -1;
	if (!in_turn)
		add_all_rows(p);
	return 0;
}

int fsi_plan_reset_row(struct fs_plan *p, uint32_t job)
{
	bool first = true;

	free(p->running_arrays);
	p->running_arrays = list_running_arrays(p->m, &p->nrunning_arrays);
	for (size_t i = 0; p->running_arrays && i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];

		if (r->job != job)
			continue;
		if (first)
			p->row[p->row_of_job[job] - 1] = make_initial_row(p, r);
		else
			set_first_partition(p, r);
		first = false;
	}
	return p->running_arrays ? 0 : -1;
}
