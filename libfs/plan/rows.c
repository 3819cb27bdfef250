/* The plan as commands see it, and what it assumes. */
#include "plan/run.h"

#include "model/scheduler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int assume(struct fs_plan *p, const char *fmt, ...) FSI_PRINTF(2, 3);

static int assume(struct fs_plan *p, const char *fmt, ...)
{
	char text[320];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	p->assumption[p->assumptions] = fsi_arena_strndup(&p->c.arena, text, strlen(text));
	return p->assumption[p->assumptions++] ? 0 : -1;
}

static bool any_unmodelled(const struct fs_plan *p, unsigned bit)
{
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].unmodelled & bit)
			return true;
	return false;
}

static int common_assumptions(struct fs_plan *p)
{
	return assume(p, "Every job runs for its whole time limit.") ||
	       assume(p, "No job arrives, is changed or cancelled, and no node changes state.") ||
	       assume(p, "Priorities stay as they are now.") ||
	       assume(p,
		      "Limits of associations and QOS are those of now: a job that one keeps gets no start, "
		      "and those that start are not held to theirs.");
}

static int backfill_assumptions(struct fs_plan *p)
{
	const struct fsi_plan_params *q = &p->params;

	return assume(p,
		      "Jobs planned for later take their nodes whole; times are kept in steps of %lld s "
		      "(bf_resolution), up to %lld min ahead (bf_window).",
		      (long long)q->resolution_s, (long long)(q->window_s / 60)) ||
	       assume(p,
		      "A cycle gets through %u records (bf_max_job_test); a real one may be cut short by time or "
		      "load.",
		      q->max_test) ||
	       (!q->looks_on &&
		assume(p, "This version gives a job up when no nodes come free for longer than it "
			  "runs: it is not reached."));
}

static int conditional_assumptions(struct fs_plan *p)
{
	const char *preempt = fs_snapshot_config_text(p->c.m, "PreemptType");
	int rc = 0;

	if (preempt && strcmp(preempt, "preempt/none") != 0)
		rc = assume(
			p,
			"What a job may preempt counts as gone for it, and starts no second time.");
	if (!rc && p->c.unplaced)
		rc = assume(
			p,
			"%u running jobs have no node list: what nodes have in use beyond known jobs is taken to "
			"stay in use.",
			p->c.unplaced);
	if (!rc && p->c.unplaced_reservations)
		rc = assume(p, "%u reservations have no node list and are left out.",
			    p->c.unplaced_reservations);
	if (!rc && any_unmodelled(p, FS_UNMODELLED_FEATURES))
		rc = assume(p, "Features beyond names joined by & or | are left out.");
	if (!rc && any_unmodelled(p, FS_UNMODELLED_LICENSES))
		rc = assume(p, "Licenses that are not in the snapshot are left out.");
	if (!rc && any_unmodelled(p, FS_UNMODELLED_MAX_NODES))
		rc = assume(p, "Whether jobs of several tasks that fit on one node asked for one alone is "
			       "unknown: they are taken not to.");
	return rc ? rc : assume(p, "The network's topology is left out.");
}

static int make_assumptions(struct fs_plan *p)
{
	if (common_assumptions(p))
		return -1;
	if (p->mode == FS_PLAN_BACKFILL && backfill_assumptions(p))
		return -1;
	if (p->mode == FS_PLAN_BY_PRIORITY &&
	    assume(p, "No job passes another of its partition that cannot start."))
		return -1;
	return conditional_assumptions(p);
}

static int check_data(const fs_snapshot *m, struct fs_error *err)
{
	if (!m->node.n || !m->partition.n)
		return fsi_fail(err, FS_ENODATA, "%s: no plan without %s in the snapshot", m->file,
				m->node.n ? "partitions" : "nodes");
	return 0;
}

int fsi_plan_compute(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o,
		     fsi_plan_watch_fn watch, void *ctx, struct fs_error *err)
{
	const struct fs_queue_options qo = { .view = o ? o->view : (struct fs_view){ 0 } };
	struct fs_plan *p = calloc(1, sizeof(*p));
	int rc;

	if (!p)
		return fsi_nomem(err);
	p->c.m = m;
	p->mode = o ? o->mode : FS_PLAN_BACKFILL;
	p->compat = o && o->view.compat ? o->view.compat : m->info.version;
	p->watch = watch;
	p->watch_ctx = ctx;
	rc = check_data(m, err);
	if (!rc)
		rc = fs_queue_compute(&p->queue, m, &qo, err);
	if (!rc && (fsi_plan_run(p) || make_assumptions(p)))
		rc = fsi_nomem(err);
	if (rc) {
		fs_plan_free(p);
		return rc;
	}
	*out = p;
	return 0;
}

int fs_plan_compute(fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o,
		    struct fs_error *err)
{
	if (!m->scheduler->plans)
		return fsi_fail(err, FS_ENODATA, "%s: starts are not modelled for scheduler \"%s\"",
				m->file, m->info.scheduler);
	return fsi_plan_compute(out, m, o, NULL, NULL, err);
}

void fs_plan_free(fs_plan *p)
{
	if (!p)
		return;
	fs_queue_free(p->queue);
	fsi_plan_choice_release(&p->found.choice);
	fsi_plan_choice_release(&p->other.choice);
	fsi_plan_search_release(&p->sweep);
	fsi_map_release(&p->map);
	fsi_plan_memo_release(&p->memo);
	fsi_plan_cluster_release(&p->c);
	fsi_arena_release(&p->scratch);
	free(p->row);
	free(p->row_of);
	free(p->of_user);
	free(p->of_part);
	free(p->reserved_part);
	free(p->of_assoc);
	free(p);
}

const fs_queue *fs_plan_queue(const fs_plan *p)
{
	return p->queue;
}

size_t fs_plan_count(const fs_plan *p)
{
	return p->nrows;
}

static uint64_t id_of(const struct fs_plan *p, uint32_t job)
{
	return job == FSI_NO_INDEX ? 0 : p->c.m->job.v[job].id;
}

void fs_plan_row(const fs_plan *p, size_t i, struct fs_plan_row *out)
{
	const struct fsi_plan_row *r = &p->row[i];
	const struct fsi_job *j = &p->c.m->job.v[r->job];
	const bool ends = r->start != FS_UNKNOWN && r->limit_s != FS_UNKNOWN;

	*out = (struct fs_plan_row){
		.job = j->id,
		.job_row = r->job,
		.state = r->state,
		.section = (enum fs_section)r->section,
		.reason = r->reason,
		.partition = fsi_str(p->c.m, r->partition_name),
		.start_time = r->start,
		.end_time = ends ? r->start + r->limit_s : FS_UNKNOWN,
		.tasks = r->tasks,
		.tasks_planned = r->tasks_planned,
		.last_start_time = r->last_start,
		.shown_start_time = r->start == FS_UNKNOWN || r->wait == FS_WAIT_COMPONENT
					    ? r->shown
					    : FS_UNKNOWN,
		.nodes = r->nnodes,
		.wait = r->wait,
		.frees = id_of(p, r->frees),
		.blocked_by = id_of(p, r->blocked_by),
		.unmodelled = r->unmodelled,
		.visible = fsi_viewer_sees_job(&p->queue->viewer, j),
	};
}

const char *fs_plan_node(const fs_plan *p, size_t i, uint32_t k)
{
	return k < p->row[i].nnodes ? fsi_str(p->c.m, p->row[i].node[k]) : NULL;
}

const char *fs_plan_assumption(const fs_plan *p, size_t i)
{
	return i < p->assumptions ? p->assumption[i] : NULL;
}

int64_t fs_plan_resolution_s(const fs_plan *p)
{
	return p->params.resolution_s;
}

#define NAME(tag, name) name,
static const char *const state_names[] = { FS_PLAN_STATES(NAME) };
static const char *const wait_names[] = { FS_PLAN_WAITS(NAME) };

const char *fs_plan_state_name(enum fs_plan_state state)
{
	return state_names[state];
}

const char *fs_plan_wait_name(enum fs_plan_wait wait)
{
	return wait_names[wait];
}
