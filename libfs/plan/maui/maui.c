#include "plan/maui/maui.h"
#include "plan/scheduler.h"

#include "queue/maui/limits.h"
#include "usage/windows.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_ITERATIONS = 200000,
	MIN_QUIET = 500, /* at least so many, or QUIET_WORK by jobs alone */
	MAX_QUIET = 1000,
	QUIET_WORK = 200000, /* iterations times jobs, windows and nodes */
	JOB_LOOKS = 5000,     /* a job or window takes as long in an iteration as so many looks at a hold */
	/* a part of them is looked at one after the other, then as many with twice as much between them */
	QUIET_PARTS = 2
};

/* ---- time */

/* The first iteration at or after t. */
static int64_t iteration(const struct fsi_maui_run *x, int64_t t)
{
	const int64_t first = x->p->c.m->info.time, poll = x->rules.poll_s;

	return first + (t - first + poll - 1) / poll * poll;
}

/* A window that is over is kept as the server would write it (src/MFS.c:MFSUpdateData). */
static int close_window(struct fsi_maui_run *x, int64_t start, enum fs_maui_dialect dialect, struct fs_error *err)
{
	const fs_snapshot *m = &x->view;
	struct fsi_windows w;
	int rc = fsi_windows_load_slot(&w, m, dialect, start, err);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < w.n && !rc; i++) {
		const bool all = i == w.n - 1;
		struct fsi_window record = {
			.start = start,
			.usage_s = fsi_windows_of(&w, i)[0],
			.kind = all ? fsi_name_find(m, fs_cred_kind_name(FS_CRED_KINDS)) : m->credential.v[i].kind,
			.name = all ? 0 : m->credential.v[i].name,
		};

		if (record.usage_s == 0)
			continue;
		if (FSI_VEC_ROOM(&x->view.window))
			rc = fsi_nomem(err);
		else
			x->view.window.v[x->view.window.n++] = record;
	}
	fsi_windows_release(&w);
	return rc;
}

/* Notes what each node gets back from jobs that end by then. -1 without memory. */
static int end_jobs(struct fsi_maui_run *x)
{
	fsi_maui_memory_begin(x);
	for (uint32_t i = 0; i < x->line.n; i++) {
		const struct fsi_line_node *n = &x->line.node[i];

		x->gave[i] = FSI_NO_INDEX;
		x->opened[i] = false;
		for (size_t k = 0; k < n->hold.n; k++) {
			x->opened[i] |= n->hold.v[k].job == FSI_NO_INDEX && n->hold.v[k].end <= x->now;
			if (n->hold.v[k].end <= x->now ||
			    (n->hold.v[k].job != FSI_NO_INDEX && fsi_maui_has_ended(x, n->hold.v[k].job)))
				x->gave[i] = n->hold.v[k].job;
		}
	}
	if (fsi_maui_memory_ends(x))
		return -1;
	for (uint32_t i = 0; i < x->view.job.n; i++) {
		struct fsi_job *j = &x->view.job.v[i];

		if (fsi_maui_has_ended(x, i)) {
			j->state = FSI_STATE_COMPLETED;
			fsi_line_drop(&x->line, i);
		}
		if (x->waits_anew[i] && j->eligible_time < x->now - x->rules.poll_s)
			j->eligible_time = x->now - x->rules.poll_s;
		if (x->put_off[i] && x->put_off[i] <= x->now) { /* its wait begins anew */
			j->eligible_time = x->now;
			x->put_off[i] = 0;
		}
	}
	fsi_line_forget(&x->line, x->now);
	return 0;
}

static void forget_windows(struct fsi_maui_run *x, int64_t oldest)
{
	size_t kept = 0;

	for (size_t i = 0; i < x->view.window.n; i++)
		if (x->view.window.v[i].start >= oldest)
			x->view.window.v[kept++] = x->view.window.v[i];
	x->view.window.n = kept;
}

/* Closes those that the iteration at `to` has no more. Windows older than any that counts are left out. */
static int roll_windows(struct fsi_maui_run *x, const struct fsi_maui_conf *c, int64_t to, struct fs_error *err)
{
	const int64_t now = fsi_window_shown(c, x->now), then = fsi_window_shown(c, to);
	const int64_t oldest = then - (FSI_MAUI_MAX_DEPTH + 1) * c->interval_s;
	const int64_t start = now > oldest ? now : oldest;
	int rc = 0;

	if (c->policy == FSI_FS_NONE)
		return 0;
	forget_windows(x, oldest);
	for (int64_t s = start; s < then && !rc; s += c->interval_s) {
		x->view.info.time = iteration(x, s + c->interval_s);
		rc = close_window(x, s, c->dialect, err);
	}
	return rc;
}

/* ---- iterations */

struct placed {
	double priority;
	uint32_t place, job;
};

static int by_earlier(const void *a, const void *b, const void *ctx)
{
	const struct placed *x = a, *y = b;

	(void)ctx;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Do limits let it through? One that the limits on eligible jobs let through among those within soft limits alone may
 * start by priority. */
static bool let_through(const struct fsi_maui_run *x, const struct fsi_queue_record *r)
{
	struct fs_cap_row cap;

	return r->eligible || (fsi_maui_soft_alone(x->queue, r->job) &&
			       !(x->queue->windows && fs_windows_capped(x->queue->windows, r->job, &cap)));
}

/* An iteration sorts by the time that jobs had waited in the one before (fsi_prio_maui_earlier). A job that a snapshot
 * has in several classes has a record in each, and its place by the first. */
static int make_order(struct fsi_maui_run *x)
{
	struct placed *v = calloc(x->queue->record.n + 1, sizeof(*v));
	int rc = v ? 0 : -1;

	x->n = 0;
	memset(x->chosen, 0, x->view.job.n * sizeof(*x->chosen));
	for (uint32_t i = 0; v && i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];

		if (!let_through(x, r) || x->chosen[r->job] || x->never[r->job] || x->put_off[r->job] > x->now)
			continue;
		x->chosen[r->job] = true;
		v[x->n++] = (struct placed){ x->queue->earlier ? x->queue->earlier[r->job] : 0,
					     r->table != UINT32_MAX ? r->table : i, r->job };
	}
	if (!rc)
		rc = fs_sort(v, x->n, sizeof(*v), by_earlier, NULL);
	for (size_t i = 0; !rc && i < x->n; i++)
		x->order[i] = v[i].job;
	free(v);
	return rc;
}

static int iterate(struct fsi_maui_run *x, const struct fs_view *view, struct fs_error *err)
{
	const struct fs_queue_options o = { .view = { .maui_dialect = view->maui_dialect } };
	int rc;

	x->view.info.time = x->view.head.time = x->now;
	fs_queue_free(x->queue);
	x->queue = NULL;
	fsi_maui_submit(x);
	rc = fs_queue_compute(&x->queue, &x->view, &o, err);
	if (!rc && (make_order(x) || fsi_maui_cycle(x)))
		rc = fsi_nomem(err);
	if (!rc)
		fsi_maui_note_blocked(x);
	return rc;
}

static bool any_blocked(const struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;

		if (!x->queue->record.v[i].eligible && !x->queue->m->job.v[job].reason && x->put_off[job] <= x->now)
			return true;
	}
	return false;
}

/* Is there room now for a job that did not start? Then the next iteration may start it, though nothing ends:
 * priorities, usage and caps change as jobs wait and run, and with them the order, who is blocked, and who has a
 * reservation. */
static bool room_is_left(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;
		const struct fsi_job *j = &x->view.job.v[job];
		struct fsi_line_want w;

		if (j->state != FSI_STATE_PENDING || x->never[job] || x->put_off[job] > x->now ||
		    (!x->queue->record.v[i].eligible && j->reason))
			continue;
		w = fsi_maui_want(x, job);
		w.limit_s = 1;
		if (fsi_line_fits(&x->line, &w, x->now, NULL))
			return true;
	}
	return false;
}

/* Does anybody's wait stand still, or begin anew? It goes on from the iteration that lets the job through. */
static bool any_waits_for_leave(const struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++)
		if (x->waits_anew[x->queue->record.v[i].job])
			return true;
	return any_blocked(x);
}

static bool any_reserves_ever(const struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->standing[x->order[i]].reserves_ever && x->view.job.v[x->order[i]].state == FSI_STATE_PENDING)
			return true;
	return false;
}

/* Does the next iteration matter though nothing ends? Reservations that are kept (HIGHEST, RESERVEALWAYS) move with
 * priorities and with each other, and a job that comes to be among the first gets one. */
static bool may_change(struct fsi_maui_run *x)
{
	const bool kept = x->rules.reserve == FSI_RSV_HIGHEST && x->rules.backfill != FSI_BF_NONE;

	return kept || any_reserves_ever(x) || any_waits_for_leave(x) || room_is_left(x);
}

/* The next iteration that may see a change; INT64_MAX: none will. A job that no nodes would do for is deferred again
 * and again, which changes nothing by itself. Usage fades while nothing runs, too, until no window has any.
 * idle_since: when the last job ended. */
static int64_t next_change(const struct fsi_maui_run *x, const struct fsi_maui_conf *c, int64_t idle_since)
{
	const int64_t fades_s = ((int64_t)c->depth + 1) * c->interval_s;
	const int64_t line = fsi_line_next(&x->line, x->now);
	int64_t other = fsi_maui_next_arrival(x);

	if (c->policy != FSI_FS_NONE && x->now - idle_since <= fades_s && any_blocked(x)) {
		const int64_t window = fsi_window_shown(c, x->now) + c->interval_s + c->poll_s;

		other = window < other ? window : other;
	}
	for (size_t i = 0; i < x->view.job.n; i++) {
		const struct fsi_job *j = &x->view.job.v[i];

		if (x->put_off[i] > x->now && x->put_off[i] < other && !x->impossible[i])
			other = x->put_off[i];
		if (j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time > x->now &&
		    j->end_time < other)
			other = j->end_time;
	}
	other = line < other ? line : other;
	return other < FSI_MAUI_FOR_EVER ? iteration(x, other) : INT64_MAX;
}

static size_t less(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* So many iterations at which nothing ends or begins are looked at. */
static size_t most_quiet(const struct fsi_maui_run *x)
{
	const size_t jobs = x->view.job.n, all = jobs + x->view.window.n + x->line.n;
	const size_t least = less(MIN_QUIET, QUIET_WORK / (jobs + 1)), most = less(MAX_QUIET, QUIET_WORK / (all + 1));

	return most > least ? most : least;
}

static int64_t quiet_step(int64_t poll_s, size_t in_a_row, size_t most)
{
	enum { MAX_S = 1 << 20 };
	const size_t steps = most / QUIET_PARTS + 1;

	for (size_t i = steps; i <= in_a_row && poll_s < MAX_S; i += steps)
		poll_s *= 2;
	return poll_s;
}

static int run(struct fsi_maui_run *x, const struct fs_view *view, struct fs_error *err)
{
	struct fsi_maui_conf conf;
	const size_t max_quiet = most_quiet(x);
	size_t quiet = 0, in_a_row = 0; /* iterations at which nothing ended or began */
	int64_t idle_since = x->now;
	int rc = fsi_maui_conf_load(&x->view, view->maui_dialect, &conf, err);

	if (!rc)
		fsi_maui_waits_begin(x, &conf);
	for (uint32_t k = 0; !rc && x->left && k < MAX_ITERATIONS && !x->p->given_up; k++) {
		const size_t started = x->started, had_turn = x->started + x->deferred;
		int64_t next, step;

		if (fsi_plan_settled(x->p, x->now))
			break;
		rc = iterate(x, view, err);
		*x->line.looks += JOB_LOOKS * (uint64_t)(x->view.job.n + x->view.window.n);
		x->p->given_up = fsi_line_too_long(&x->line);
		if (rc || x->p->given_up)
			break;
		if (fsi_line_next(&x->line, x->now) != INT64_MAX)
			idle_since = x->now;
		next = next_change(x, &conf, idle_since);
		/* limits may hold others back now, or no more */
		if ((x->queue->maui_limits && x->started + x->deferred != had_turn) || fsi_maui_memory_grows(x))
			next = x->now + x->rules.poll_s;
		if (next == INT64_MAX)
			break;
		in_a_row = x->started == started ? in_a_row : 0;
		step = quiet_step(x->rules.poll_s, in_a_row, max_quiet);
		if (next > x->now + step && quiet < max_quiet && may_change(x)) {
			next = x->now + step;
			quiet++;
			in_a_row++;
		} else {
			in_a_row = 0;
		}
		fsi_maui_count_waits(x, next - x->rules.poll_s);
		rc = roll_windows(x, &conf, next, err);
		x->now = next;
		if (!rc && end_jobs(x))
			rc = fsi_nomem(err);
	}
	return rc;
}

/* Jobs that are left had something in their way to the end. */
static void give_verdicts(struct fs_plan *p)
{
	for (size_t i = 0; i < p->nrows; i++) {
		struct fsi_plan_row *row = &p->row[i];

		if (row->state != FS_PLAN_NO_START || (p->given_up && row->eligible))
			continue;
		row->state = fs_queue_verdict_kind(p->queue, row->job) == FS_VERDICT_NEVER ? FS_PLAN_NEVER
											     : FS_PLAN_BLOCKED;
	}
}

static int plan(struct fs_plan *p, struct fs_error *err)
{
	struct fsi_maui_run x = { .p = p };
	int rc = 0;

	if (!strcmp(fsi_maui_policy(p->c.m), "PREEMPT"))
		return fsi_fail(err, FS_ENODATA, "%s: starts are not modelled for BACKFILLPOLICY PREEMPT", p->c.m->file);
	fsi_maui_rules(p->c.m, p->mode == FS_PLAN_BY_PRIORITY, &x.rules);
	p->params.resolution_s = x.rules.poll_s;
	if (fsi_plan_make_rows(p) || fsi_maui_run_init(&x)) {
		rc = fsi_nomem(err);
	} else {
		x.line.max_looks = p->max_looks;
		fsi_maui_find_never(&x);
		rc = run(&x, &p->view, err);
	}
	if (!rc)
		give_verdicts(p);
	fsi_maui_waits_end(&x);
	fsi_maui_run_release(&x);
	return rc;
}

const struct fsi_plan_scheduler fsi_plan_of_maui = { .run = plan, .assume = fsi_maui_assumptions };
