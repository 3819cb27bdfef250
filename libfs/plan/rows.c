/* The rows of a plan as commands see them. */
#include "base/hostlist.h"
#include "base/names.h"
#include "base/options.h"
#include "plan/likely/likely.h"
#include "plan/limits/ledgers.h"
#include "plan/scheduler.h"
#include "plan/timeline/timeline.h"

#include "model/scheduler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fsi_plan_assume(struct fs_plan *p, const char *fmt, ...)
{
	char text[320];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	p->assumption[p->assumptions] = fsi_arena_strndup(&p->c.arena, text, strlen(text));
	return p->assumption[p->assumptions++] ? 0 : -1;
}

static int check_data(const fs_snapshot *m, struct fs_error *err)
{
	if (!m->node.n || (m->scheduler->plan->partitions && !m->partition.n))
		return fsi_fail(err, FS_ENODATA, "%s: no plan without %s in the snapshot", m->file,
				m->node.n ? "partitions" : "nodes");
	return 0;
}

int fsi_plan_begin(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o,
		   struct fs_error *err)
{
	const struct fs_queue_options qo = { .view = o ? o->view : (struct fs_view){ 0 } };
	struct fs_plan *p = calloc(1, sizeof(*p));
	int rc;

	if (!p)
		return fsi_nomem(err);
	p->c.m = m;
	p->view = qo.view;
	p->max_looks = FSI_LINE_MAX_LOOKS;
	p->c.looks = &p->looks;
	p->mode = o ? o->mode : FS_PLAN_BACKFILL;
	p->until = INT64_MAX;
	p->only = o && o->starts_alone && !o->likely ? FSI_NO_INDEX : 0;
	p->compat = o && o->view.compat ? o->view.compat : m->info.version;
	rc = check_data(m, err);
	p->lent = !rc && o && o->queue;
	if (p->lent)
		p->queue = o->queue;
	else if (!rc)
		rc = fs_queue_compute(&p->queue, m, &qo, err);
	if (rc)
		fs_plan_free(p);
	else
		*out = p;
	return rc;
}

static int assume_missing_jobs(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;

	if (!fsi_hidden(m, "job"))
		return 0;
	return fsi_plan_assume(p, "Jobs that %s are left out: starts may be later.",
			       fsi_list_has(m, fsi_config_list(m, "PrivateData"), "jobs")
				       ? "were hidden from the capture (PrivateData)"
				       : "are missing from the snapshot");
}

int fsi_plan_compute(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o,
		     fsi_plan_watch_fn watch, void *ctx, struct fs_error *err)
{
	struct fs_plan *p;
	int rc = fsi_plan_begin(&p, m, o, err);

	if (rc)
		return rc;
	p->watch = watch;
	p->watch_ctx = ctx;
	rc = m->scheduler->plan->run(p, err);
	if (!rc && o && o->likely && p->mode == FS_PLAN_BACKFILL && m->scheduler->plan->stepwise && fsi_plan_likely(p))
		rc = fsi_nomem(err);
	if (!rc && (assume_missing_jobs(p) || m->scheduler->plan->assume(p) ||
		    (p->given_up && fsi_plan_assume(p, "The simulation was given up after a long time: of the jobs that it did not come to no start is known."))))
		rc = fsi_nomem(err);
	if (rc)
		fs_plan_free(p);
	else
		*out = p;
	return rc;
}

int fs_plan_compute(fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *options,
		    struct fs_error *err)
{
	struct fs_plan_options o;

	if (!m->scheduler->plan)
		return fsi_fail(err, FS_ENODATA, "%s: starts are not modelled for scheduler \"%s\"",
				m->file, m->info.scheduler);
	return fsi_plan_compute(out, m, FSI_OPTIONS(o, options), NULL, NULL, err);
}

void fs_plan_free(fs_plan *p)
{
	if (!p)
		return;
	if (!p->lent)
		fs_queue_free(p->queue);
	fsi_plan_choice_release(&p->found.choice);
	fsi_plan_choice_release(&p->other.choice);
	fsi_plan_search_release(&p->sweep);
	fsi_map_release(&p->map);
	fsi_plan_memo_release(&p->memo);
	fsi_fits_release(&p->fits);
	fsi_plan_cluster_release(&p->c);
	fsi_arena_release(&p->scratch);
	free(p->row);
	free(p->row_of);
	free(p->running);
	fsi_plan_counts_release(&p->counts);
	fsi_ledgers_free(p->ledgers);
	free(p->end_of);
	fsi_plan_line_free(&p->line);
	free(p);
}

bool fsi_plan_settled(const struct fs_plan *p, int64_t now)
{
	if (!p->only || p->only == FSI_NO_INDEX)
		return false;
	return now >= p->until || (p->row_of[p->only - 1] && p->row[p->row_of[p->only - 1] - 1].start != FS_UNKNOWN);
}

void fs_plan_runs(const fs_plan *p, struct fs_plan_runs *out)
{
	*out = p->runs;
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
	return job_row < p->c.m->job.n && p->row_of[job_row] ? p->row_of[job_row] - 1 : FS_NO_ROW;
}

int64_t fsi_plan_start(const fs_plan *p, uint32_t job_row)
{
	const size_t i = p ? fs_plan_find(p, job_row) : FS_NO_ROW;

	return i == FS_NO_ROW || p->row[i].state == FS_PLAN_BEGINS ? FS_UNKNOWN : p->row[i].start;
}

static uint64_t id_of(const struct fs_plan *p, uint32_t job)
{
	return job == FSI_NO_INDEX ? 0 : p->c.m->job.v[job].id;
}

/* A start that is not the plan's, and which the scheduler tells. */
static int64_t shown(const struct fsi_plan_row *r)
{
	return r->wait == FS_PLAN_WAIT_COMPONENT || r->shown != r->start ? r->shown : FS_UNKNOWN;
}

/* A job that the cycle came to in none of its partitions is not reached; one that it tried in vain has no start. */
static enum fs_plan_state state_of(const struct fs_plan *p, const struct fsi_plan_row *r)
{
	if (r->state != FS_PLAN_NO_START)
		return r->state;
	if (p->given_up)
		return FS_PLAN_GIVEN_UP;
	return r->cycle_limit.name && !r->reached ? FS_PLAN_NOT_REACHED : FS_PLAN_NO_START;
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
		.job = id_of(p, r->job),
		.job_row = r->job,
		.state = state_of(p, r),
		.cycle_limit = state_of(p, r) == FS_PLAN_NOT_REACHED ? r->cycle_limit.name : "",
		.cycle_limit_value = r->cycle_limit.value,
		.window_s = r->searched && fs_snapshot_records(p->c.m, "config") ? p->params.window_s : FS_UNKNOWN,
		.section = (enum fs_section)r->section,
		.reason = r->reason,
		.partition = fsi_str(p->c.m, r->partition_name),
		.start_time = r->start,
		.end_time = ends ? r->start + r->limit_s : FS_UNKNOWN,
		.tasks = r->tasks,
		.tasks_planned = r->tasks_planned,
		.last_start_time = r->last_start,
		.shown_start_time = shown(r),
		.limit = r->limit.name ? r->limit.name : "",
		.limit_tres = r->limit.name ? fsi_str(p->c.m, r->limit.tres) : "",
		.limit_of = r->limit.name ? fsi_str(p->c.m, r->limit.of) : "",
		.limit_start_time = r->limit_start,
		.likely_start_time = r->likely,
		.likely_low_time = r->likely_low,
		.likely_high_time = r->likely_high,
		.limit_frees = r->limit.name ? id_of(p, r->limit.frees) : 0,
		.nodes = r->nnodes,
		.wait = r->wait,
		.frees = id_of(p, r->frees),
		.blocked_by = id_of(p, r->blocked_by),
		.unmodelled = r->unmodelled,
		.visible = fsi_viewer_sees_job(&p->queue->viewer, &p->c.m->job.v[r->job]),
	};
	return true;
}

const char *fs_plan_node(const fs_plan *p, size_t i, uint32_t k)
{
	return i < p->nrows && k < p->row[i].nnodes ? fsi_str(p->c.m, p->row[i].node[k]) : NULL;
}

char *fs_plan_nodes(const fs_plan *p, size_t i, char *buf, size_t size)
{
	struct fsi_hostlist_fold f;

	fsi_hostlist_fold_begin(&f, buf, size);
	for (uint32_t k = 0; i < p->nrows && k < p->row[i].nnodes; k++)
		fsi_hostlist_fold_add(&f, fsi_str(p->c.m, p->row[i].node[k]));
	fsi_hostlist_fold_end(&f);
	return buf;
}

const char *fs_plan_assumption(const fs_plan *p, size_t i)
{
	return i < p->assumptions ? p->assumption[i] : NULL;
}

int64_t fs_plan_resolution_s(const fs_plan *p)
{
	return p->params.resolution_s;
}

static const char *const state_names[] = { FS_PLAN_STATES(FSI_NAME) };
static const char *const wait_names[] = { FS_PLAN_WAITS(FSI_NAME) };

const char *fs_plan_state_name(enum fs_plan_state state)
{
	return state_names[state];
}

const char *fs_plan_wait_name(enum fs_plan_wait wait)
{
	return wait_names[wait];
}
