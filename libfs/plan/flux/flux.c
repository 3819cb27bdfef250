#include "plan/flux/flux.h"
#include "plan/scheduler.h"

#include "model/flux/flux.h"

enum { MAX_LOOPS = 200000 };

/* ---- one loop */

static int fifo(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	int rc = 1;

	while (l->job.n && rc == 1 && r->starts_most) {
		struct fsi_line_want w;

		rc = fsi_flux_want(r, l->job.v[0], &w) ? fsi_flux_try(r, &w) : 1;
		if (rc == 1)
			fsi_flux_take_out(l, 0);
	}
	return rc < 0 ? -1 : 0;
}

/* Behind the first job those may start whose limit ends before it can; a job without a limit may not
 * (sched-backfill.py: schedule). */
static int shadow(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	struct fsi_line_want w;
	int64_t until;

	if (fifo(r, l))
		return -1;
	if (!l->job.n || !r->starts_most)
		return 0;
	fsi_flux_want(r, l->job.v[0], &w);
	until = fsi_flux_earliest(r, &w);
	if (until < 0)
		return -1;
	for (size_t i = 1; i < l->job.n && i < r->rules.depth && until < INT64_MAX && r->starts_most &&
			   !fsi_line_too_long(&r->line);) {
		int rc = 0;

		if (fsi_flux_want(r, l->job.v[i], &w) && w.limit_s <= until - r->now)
			rc = fsi_flux_try(r, &w);
		if (rc < 0)
			return -1;
		if (rc)
			fsi_flux_take_out(l, i);
		else
			i++;
	}
	return 0;
}

static int all_lines(struct fsi_flux_run *r)
{
	int rc = 0;

	if (r->rules.policy == FSI_FLUX_RESERVE)
		return fsi_flux_backfill(r);
	for (size_t i = 0; i < r->nlines && !rc; i++)
		rc = r->rules.policy == FSI_FLUX_FIFO ? fifo(r, &r->lines[i]) : shadow(r, &r->lines[i]);
	return rc;
}

/* A job's nodes are free before what waited for its end is released (flux-core: job-manager/event.c: CLEANUP frees
 * them, INACTIVE follows), and flux-core's schedulers hear of that after each start (scheduler.py: schedule, a
 * generator): the first of the line starts, and then those released join it. */
static int loop(struct fsi_flux_run *r)
{
	int rc;

	r->starts_most = r->rules.each_queue ? UINT32_MAX : 1;
	if (all_lines(r) || fsi_flux_release(r) < 0)
		return -1;
	r->starts_most = UINT32_MAX;
	do {
		if (all_lines(r))
			return -1;
		rc = fsi_line_too_long(&r->line) ? 0 : fsi_flux_release(r);
	} while (rc > 0);
	return rc;
}

/* ---- all loops */

/* The nodes of a job end together. */
static int end_on(struct fsi_flux_run *r, uint32_t node)
{
	const struct fsi_line_node *n = &r->line.node[node];

	r->gave[node] = FSI_NO_INDEX;
	for (size_t k = 0; k < n->hold.n; k++) {
		const uint32_t job = n->hold.v[k].job;

		if (n->hold.v[k].end > r->now)
			continue;
		r->gave[node] = job;
		if (!r->ended_job[job] && fsi_flux_note_event(r, job, FSI_FLUX_ENDS))
			return -1;
		r->ended_job[job] = true;
	}
	return 0;
}

static int end_jobs(struct fsi_flux_run *r)
{
	for (uint32_t i = 0; i < r->line.n; i++)
		if (end_on(r, i))
			return -1;
	fsi_line_forget(&r->line, r->now);
	return 0;
}

static int64_t next_event(const struct fsi_flux_run *r)
{
	const int64_t line = fsi_line_next(&r->line, r->now), begin = fsi_flux_next_begin(r);

	return line < begin ? line : begin;
}

static int run(struct fsi_flux_run *r, uint64_t max_looks)
{
	const int64_t a_century_s = INT64_C(3200000000);

	r->line.max_looks = max_looks;
	if ((r->rules.policy == FSI_FLUX_RESERVE && fsi_flux_recall(r)) ||
	    (r->p->c.m->updated && fsi_flux_look_at_all(r)))
		return -1;
	for (uint32_t k = 0; (r->left || fsi_flux_holds_any(r)) && k < MAX_LOOPS; k++) {
		int64_t next;

		if (fsi_plan_settled(r->p, r->now))
			return 0;
		if (loop(r))
			return -1;
		if (fsi_line_too_long(&r->line)) {
			r->p->given_up = true;
			return 0;
		}
		next = next_event(r);
		r->ended = next > r->p->c.m->info.time + a_century_s; /* only what never ends is left */
		if (r->ended)
			return 0;
		r->now = next;
		if (end_jobs(r))
			return -1;
	}
	r->ended = !r->left && !fsi_flux_holds_any(r);
	return 0;
}

/* The earliest start is the begin time, where that is told. */
static void give_verdict(const struct fs_plan *p, struct fsi_plan_row *row)
{
	struct fs_verdict v;

	if (fs_queue_verdict(p->queue, row->job, &v))
		return;
	row->state = v.kind == FS_VERDICT_NEVER				       ? FS_PLAN_NEVER
		     : v.kind == FS_VERDICT_BEGIN && v.time != FS_UNKNOWN ? FS_PLAN_BEGINS
									       : FS_PLAN_BLOCKED;
	if (row->state == FS_PLAN_BEGINS)
		row->start = v.time;
	fs_verdict_release(&v);
}

/* ended: nothing can change any more, so that the jobs left have no start. */
static void give_verdicts(struct fs_plan *p, bool ended)
{
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].state == FS_PLAN_NO_START && (ended || !p->row[i].eligible))
			give_verdict(p, &p->row[i]);
}

static int plan(struct fs_plan *p, struct fs_error *err)
{
	struct fsi_flux_run r = { .p = p };
	int rc = 0;

	for (size_t i = 0; i < p->c.m->node.n; i++)
		if (!FSI_HAS(&p->c.m->node.v[i], NODE, cpus))
			return fsi_fail(err, FS_ENODATA, "%s: no plan without the cores of each node", p->c.m->file);
	fsi_flux_rules(p->c.m, p->mode == FS_PLAN_BY_PRIORITY, &r.rules);
	p->params.resolution_s = 1;
	if (fsi_plan_make_rows(p) || fsi_flux_run_init(&r) || run(&r, p->max_looks))
		rc = fsi_nomem(err);
	if (!rc)
		give_verdicts(p, r.ended);
	fsi_flux_run_release(&r);
	return rc;
}

const struct fsi_plan_scheduler fsi_plan_of_flux = { .run = plan, .assume = fsi_flux_assumptions };
