#include "plan/flux.h"

#include "base/hostlist.h"
#include "model/flux.h"
#include "plan/plan.h"
#include "priority/flux.h"
#include "queue/verdict.h"

#include <stdlib.h>
#include <string.h>

/* ---- pending lists
 *
 * The jobs that wait for the scheduler, in one list for each queue or in one list for all. */

/* Returns the pending list of a queue, by the name id of the queue. Adds the list if there is none. */
static struct fsi_flux_line *line_of(struct fsi_flux_run *r, uint32_t queue)
{
	const uint32_t name = r->rules.each_queue ? queue : 0;

	for (size_t i = 0; i < r->nlines; i++)
		if (r->lines[i].queue == name)
			return &r->lines[i];
	r->lines[r->nlines] = (struct fsi_flux_line){ .queue = name };
	return &r->lines[r->nlines++];
}

/* Sorts pending lists by the names of their queues, as Fluxion serves them (flux-sched: qmanager/modules/qmanager.cpp, a
 * std::map). */
static int by_name(const void *a, const void *b, const void *ctx)
{
	const struct fsi_flux_line *x = a, *y = b;

	return strcmp(fsi_str(ctx, x->queue), fsi_str(ctx, y->queue));
}

/* Returns true if x is scheduled before y: by falling priority, then by rising job id. */
static bool before(const struct fsi_queue_record *x, const struct fsi_queue_record *y)
{
	return x->priority != y->priority ? x->priority > y->priority : x->id < y->id;
}

/* Inserts the job into its pending list by priority. Returns -1 if out of memory. */
static int flux_line_up(struct fsi_flux_run *r, const struct fsi_queue_record *q)
{
	const struct fs_queue *queue = r->p->queue;
	struct fsi_flux_line *l = line_of(r, q->partition_name);
	size_t at;

	if (FSI_VEC_ROOM(&l->job))
		return -1;
	for (at = l->job.n++; at && before(q, &queue->record.v[queue->record_of[l->job.v[at - 1]]]); at--)
		l->job.v[at] = l->job.v[at - 1];
	l->job.v[at] = q->job;
	r->left++;
	return 0;
}

/* Removes the job at index `at` from the pending list. */
static void flux_take_out(struct fsi_flux_line *l, size_t at)
{
	memmove(l->job.v + at, l->job.v + at + 1, (l->job.n - at - 1) * sizeof(*l->job.v));
	l->job.n--;
}

/* Makes a pending list for each queue with pending jobs, also jobs in DEPEND, and inserts the eligible jobs. Sets r->never.
 * Returns -1 if out of memory. */
static int flux_make_lines(struct fsi_flux_run *r)
{
	const struct fs_queue *q = r->p->queue;

	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *record = &q->record.v[i];

		line_of(r, record->partition_name);
		r->never[record->job] = fs_queue_verdict_kind(q, record->job) == FS_VERDICT_NEVER;
	}
	if (fs_sort(r->lines, r->nlines, sizeof(*r->lines), by_name, r->p->m))
		return -1;
	for (size_t i = 0; i < q->record.n; i++)
		if (q->record.v[i].eligible && flux_line_up(r, &q->record.v[i]))
			return -1;
	return 0;
}

/* ---- jobs in DEPEND, and what releases them during the simulation
 *
 * after-start, after-finish, after-success
 *               The dependency is met when the other job starts, ends, or ends successfully. A job that runs to its time
 *               limit is assumed to end successfully, so after-failure and after-except are never met (flux-core:
 *               plugins/dependency-after.c).
 * begin-time    The dependency is met at that time (plugins/begin-time.c).
 * singleton     The dependency is met when no job of the same name and user runs, and all others that are pending were
 *               submitted later and are singletons too (plugins/dependency-singleton.c).
 * limits        Whenever a job of an association starts or ends, the association's held jobs are checked in the order of
 *               submission. A limit releases a job if usage permits it; usage includes the jobs that were released before
 *               in the same check (flux-accounting: plugins/mf_priority.cpp, check_and_release_held_jobs). */

enum kind { OF_LIMIT, OF_START, OF_END, OF_SUCCESS, OF_TIME, OF_SINGLETON, OF_NOTHING };

struct dependency {
	enum kind kind;
	uint32_t of;  /* row of the other job; OF_LIMIT: index of the hold among the job's holds (fs_holds_row) */
	int64_t time; /* OF_TIME: begin time, seconds since the epoch */
	bool met;
};

/* A job in DEPEND. */
struct held {
	uint32_t job, assoc, first, n; /* rows of the job and its association; first index and number of its dependencies */
	bool limits, waits;            /* true: at least one limit still holds it; true: it is still in DEPEND */
};

/* An event that has not been handled yet. */
struct told {
	uint32_t job;
	enum fsi_flux_event event;
};

struct fsi_flux_held {
	fs_holds *holds; /* limits that hold jobs, with the counts of jobs they are checked against */
	FSI_VEC(struct dependency) dependency;
	FSI_VEC(struct held) held; /* sorted by job id, which is the order of submission */
	FSI_VEC(struct told) told;
	struct fsi_job_arrays arrays; /* empty: Flux has no arrays */
	bool *over; /* by job row: true: the job has ended or was refused in the simulation */
	size_t waits; /* number of jobs that are still in DEPEND */
};

/* Returns the kind of a dependency by its name in Flux. */
static enum kind kind_of(const char *name)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = { { "after-start", OF_START },
		      { "after-finish", OF_END },
		      { "after-success", OF_SUCCESS },
		      { "singleton", OF_SINGLETON } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return !strncmp(name, "begin", strlen("begin")) ? OF_TIME : OF_NOTHING;
}

static int add_dependency(struct fsi_flux_held *h, struct dependency d)
{
	if (FSI_VEC_ROOM(&h->dependency))
		return -1;
	h->dependency.v[h->dependency.n++] = d;
	return 0;
}

/* Adds the job's dependencies on other jobs and on a begin time. Returns -1 if out of memory. */
static int add_needs(struct fsi_flux_run *r, uint32_t job)
{
	const fs_snapshot *m = r->p->m;
	const struct fsi_job *j = &m->job.v[job];
	struct fs_verdict v = { 0 };
	int rc = fsi_verdict_needs(m, &r->held->arrays, j, &r->p->arena, &v);

	for (size_t i = 0; i < v.nneeds && !rc; i++) {
		struct dependency d = { .kind = kind_of(v.needs[i].kind), .of = v.needs[i].job_row };

		if (d.kind == OF_TIME && !fsi_flux_begins(j, v.needs[i].kind, &d.time))
			d.kind = OF_NOTHING;
		rc = add_dependency(r->held, d);
	}
	return rc;
}

/* Adds a dependency for each limit that holds the job. Returns -1 if out of memory. */
static int add_limits(struct fsi_flux_held *h, struct held *held)
{
	for (uint32_t i = 0; i < fs_holds_count(h->holds, held->job); i++) {
		if (!fs_holds_row(h->holds, held->job, i)->limit)
			continue;
		held->limits = true;
		if (add_dependency(h, (struct dependency){ .kind = OF_LIMIT, .of = i }))
			return -1;
	}
	return 0;
}

/* Adds a job in DEPEND with its dependencies. Returns -1 if out of memory. */
static int add_held(struct fsi_flux_run *r, uint32_t job)
{
	struct fsi_flux_held *h = r->held;
	const struct fsi_job *j = &r->p->m->job.v[job];
	struct held held = {
		.job = job, .assoc = fsi_flux_assoc(r->p->m, j), .first = (uint32_t)h->dependency.n, .waits = true
	};

	if (add_needs(r, job) || add_limits(h, &held) || FSI_VEC_ROOM(&h->held))
		return -1;
	held.n = (uint32_t)h->dependency.n - held.first;
	h->held.v[h->held.n++] = held;
	h->waits++;
	return 0;
}

static int by_id(const void *a, const void *b, const void *ctx)
{
	const struct fsi_job *v = ctx;
	const uint64_t x = v[((const struct held *)a)->job].id, y = v[((const struct held *)b)->job].id;

	return (x > y) - (x < y);
}

/* Collects the jobs in DEPEND. Returns -1 if out of memory. */
static int flux_held_init(struct fsi_flux_run *r)
{
	const fs_snapshot *m = r->p->m;
	struct fs_error err;
	int rc;

	r->held = calloc(1, sizeof(*r->held));
	if (!r->held)
		return -1;
	r->held->over = calloc(m->job.n + 1, sizeof(*r->held->over));
	rc = !r->held->over || fs_holds_compute(&r->held->holds, m, &err) ? -1 : 0;
	for (uint32_t i = 0; i < m->job.n && !rc; i++)
		if (m->job.v[i].state == FSI_STATE_PENDING && !strcmp(fsi_str(m, fsi_job_rare(m, &m->job.v[i])->phase), "DEPEND"))
			rc = add_held(r, i);
	return rc || fs_sort(r->held->held.v, r->held->held.n, sizeof(*r->held->held.v), by_id, m->job.v) ? -1 : 0;
}

static void flux_held_free(struct fsi_flux_held *h)
{
	if (!h)
		return;
	fs_holds_free(h->holds);
	FSI_VEC_FREE(&h->dependency);
	FSI_VEC_FREE(&h->held);
	FSI_VEC_FREE(&h->told);
	free(h->over);
	free(h);
}

static bool all_met(const struct fsi_flux_held *h, const struct held *held)
{
	for (uint32_t i = 0; i < held->n; i++)
		if (!h->dependency.v[held->first + i].met)
			return false;
	return true;
}

/* Moves the job to SCHED. Returns 1 if it joins its pending list, 0 if a priority of 0 or a stopped queue keeps it from the
 * scheduler, -1 if out of memory. */
static int to_sched(struct fsi_flux_run *r, struct held *held)
{
	const struct fs_queue *q = r->p->queue;
	const struct fsi_queue_record *record = &q->record.v[q->record_of[held->job]];

	held->waits = false;
	r->held->waits--;
	if (fsi_flux_move(r->held->holds, held->job, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED))
		return -1;
	if (!(record->priority > 0) || fsi_flux_stopped(r->p->m, record->partition))
		return 0;
	return flux_line_up(r, record) ? -1 : 1;
}

/* Releases the job from its limits, and moves it to SCHED if no other dependency is left. now[i]: dependency i is a limit
 * that was met in this check; it is added to the pass, since the counts of jobs do not include the job yet. Returns 1 if the
 * job joins its pending list, 0 if not, -1 if out of memory. */
static int release(struct fsi_flux_run *r, struct held *held, struct fsi_flux_pass *pass, const bool *now)
{
	struct fsi_flux_held *h = r->held;
	int rc = 0;
	bool scheduled;

	held->limits = false;
	scheduled = all_met(h, held);
	if (scheduled)
		rc = to_sched(r, held);
	for (uint32_t i = 0; i < held->n && rc >= 0; i++) {
		const struct dependency *d = &h->dependency.v[held->first + i];

		if (d->kind == OF_LIMIT && now[i] && fsi_flux_lift(h->holds, held->job, d->of, scheduled, pass))
			rc = -1;
	}
	return rc;
}

enum { MAX_LIMITS = 16 };

/* Checks the limits that hold the job, and releases it if all of them are met. A job with more than MAX_LIMITS dependencies
 * stays held. Returns 1 if the job joins its pending list, 0 if not, -1 if out of memory. */
static int look_at(struct fsi_flux_run *r, struct held *held, struct fsi_flux_pass *pass)
{
	struct fsi_flux_held *h = r->held;
	bool now[MAX_LIMITS] = { false }, left = held->n > MAX_LIMITS;

	for (uint32_t i = 0; i < held->n && i < MAX_LIMITS; i++) {
		struct dependency *d = &h->dependency.v[held->first + i];

		if (d->kind != OF_LIMIT || d->met)
			continue;
		d->met = now[i] = fsi_flux_has_room(h->holds, held->job, d->of, pass);
		left |= !d->met;
	}
	return left ? 0 : release(r, held, pass, now);
}

/* Checks the limits of all held jobs of an association. Returns 1 if any job joins a pending list, 0 if none does, -1 if out
 * of memory. */
static int look_at_association(struct fsi_flux_run *r, uint32_t assoc)
{
	struct fsi_flux_pass pass = { 0 };
	int rc = 0, any = 0;

	for (size_t i = 0; i < r->held->held.n && rc >= 0; i++) {
		struct held *held = &r->held->held.v[i];

		if (held->assoc != assoc || !held->limits)
			continue;
		rc = look_at(r, held, &pass);
		any |= rc > 0;
	}
	FSI_VEC_FREE(&pass.v);
	return rc < 0 ? -1 : any;
}

/* Returns true if the singleton must wait: another job of the same user and name has not ended, and it was submitted
 * earlier or is not a singleton. */
static bool singleton_waits(const struct fsi_flux_run *r, const struct held *one)
{
	const fs_snapshot *m = r->p->m;
	const struct fsi_job *j = &m->job.v[one->job];
	const struct fsi_flux_held *h = r->held;

	for (uint32_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].user == j->user && m->job.v[i].name == j->name && !h->over[i] &&
		    (i != one->job &&
		     (m->job.v[i].id < j->id || !strstr(fsi_str(m, m->job.v[i].dependency), "singleton"))))
			return true;
	return false;
}

/* Returns true if a begin time or singleton dependency is met at this time; false for other kinds. */
static bool is_met(const struct fsi_flux_run *r, const struct held *held, const struct dependency *d)
{
	switch (d->kind) {
	case OF_TIME:
		return d->time <= r->now;
	case OF_SINGLETON:
		return FSI_HAS(&r->p->m->job.v[held->job], JOB, name) && !singleton_waits(r, held);
	default:
		return false;
	}
}

/* Checks begin times and singletons of the jobs in DEPEND, and moves jobs to SCHED whose dependencies are all met. Returns 1
 * if any job joins a pending list, 0 if none does, -1 if out of memory. */
static int look_at_others(struct fsi_flux_run *r)
{
	struct fsi_flux_held *h = r->held;
	int rc = 0, any = 0;

	for (size_t i = 0; i < h->held.n && rc >= 0; i++) {
		struct held *held = &h->held.v[i];

		if (!held->waits)
			continue;
		for (uint32_t k = 0; k < held->n; k++)
			if (!h->dependency.v[held->first + k].met)
				h->dependency.v[held->first + k].met =
					is_met(r, held, &h->dependency.v[held->first + k]);
		if (all_met(h, held))
			rc = to_sched(r, held);
		any |= rc > 0;
	}
	return rc < 0 ? -1 : any;
}

/* ---- events */

/* Records an event of a job, which the next flux_release handles. Returns -1 if out of memory. */
static int flux_note_event(struct fsi_flux_run *r, uint32_t job, enum fsi_flux_event event)
{
	struct fsi_flux_held *h = r->held;

	if (FSI_VEC_ROOM(&h->told))
		return -1;
	h->told.v[h->told.n++] = (struct told){ job, event };
	return 0;
}

/* Marks the dependencies that the event meets. A refused job, which never ran, meets after-finish only; other dependencies
 * on it are never met. */
static void meet(struct fsi_flux_run *r, const struct told *t)
{
	struct fsi_flux_held *h = r->held;

	h->over[t->job] |= t->event != FSI_FLUX_STARTS;
	for (size_t i = 0; i < h->dependency.n; i++) {
		struct dependency *d = &h->dependency.v[i];

		if (d->of == t->job && (t->event == FSI_FLUX_STARTS ? d->kind == OF_START
								    : d->kind == OF_END || (d->kind == OF_SUCCESS &&
											    t->event == FSI_FLUX_ENDS)))
			d->met = true;
	}
}

/* Moves the job of the event between the counts of jobs in SCHED and RUN. Returns -1 if out of memory. */
static int move(struct fsi_flux_held *h, const struct told *t)
{
	return fsi_flux_move(h->holds, t->job, t->event == FSI_FLUX_ENDS ? FSI_FLUX_IN_RUN : FSI_FLUX_IN_SCHED,
			     t->event == FSI_FLUX_STARTS ? FSI_FLUX_IN_RUN : FSI_FLUX_NOT_COUNTED);
}

/* Handles the recorded events, and moves the jobs that they or the time release to their pending lists. Returns 1 if there
 * were any, 0 if none, -1 if out of memory. */
static int flux_release(struct fsi_flux_run *r)
{
	struct fsi_flux_held *h = r->held;
	int rc = 0, any = 0;

	for (size_t i = 0; i < h->told.n && rc >= 0; i++) {
		const struct told t = h->told.v[i];

		meet(r, &t);
		rc = move(h, &t) ? -1 : look_at_association(r, fsi_flux_assoc(r->p->m, &r->p->m->job.v[t.job]));
		any |= rc > 0;
	}
	h->told.n = 0;
	if (rc >= 0)
		rc = look_at_others(r);
	return rc < 0 ? -1 : any | (rc > 0);
}

/* Checks the limits of all held jobs, as an update of priorities does (mf_priority.cpp: reprior_cb), and moves the jobs that
 * are released to their pending lists. Without an update a job may stay held although its limits permit it, since they are
 * only checked when a job of the association starts or ends. Returns -1 if out of memory. */
static int flux_look_at_all(struct fsi_flux_run *r)
{
	bool *looked = calloc(r->p->m->association.n + 1, sizeof(*looked));
	int rc = looked ? 0 : -1;

	for (size_t i = 0; i < r->held->held.n && rc >= 0; i++) {
		const struct held *held = &r->held->held.v[i];

		if (!held->limits || held->assoc == FSI_NO_INDEX || looked[held->assoc])
			continue;
		looked[held->assoc] = true;
		rc = look_at_association(r, held->assoc);
	}
	free(looked);
	return rc < 0 ? -1 : 0;
}

/* Returns the next begin time after now; INT64_MAX: none. */
static int64_t flux_next_begin(const struct fsi_flux_run *r)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < r->held->dependency.n; i++) {
		const struct dependency *d = &r->held->dependency.v[i];

		if (d->kind == OF_TIME && !d->met && d->time > r->now && d->time < next)
			next = d->time;
	}
	return next;
}

/* Returns true if a held job may still be released. */
static bool flux_holds_any(const struct fsi_flux_run *r)
{
	return r->held->waits > 0;
}

/* Run time in seconds that stands for no time limit: longer than any job runs. */
static const int64_t for_ever_s = INT64_C(1) << 40;

/* ---- requests */

/* Sets *w to the job's request, and r->may to the nodes that it may use. Returns false if the number of slots is unknown. */
static bool flux_want(struct fsi_flux_run *r, uint32_t job, struct fsi_line_want *w)
{
	const fs_snapshot *m = r->p->m;
	const struct fsi_job *j = &m->job.v[job];
	const struct fsi_flux_request q = fsi_flux_request(m, j);

	*w = (struct fsi_line_want){ .job = job, .tasks = q.slots, .nodes = q.nodes, .whole = q.whole,
				     .alone = r->rules.whole_nodes, .may = r->may };
	w->task[FSI_LINE_CPU] = q.cores;
	w->task[FSI_LINE_GPU] = q.gpus;
	w->limit_s = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) ? j->time_limit_s : for_ever_s;
	if (w->limit_s < 1)
		w->limit_s = 1;
	for (uint32_t i = 0; i < r->line.n; i++)
		r->may[i] = fsi_flux_may_use(m, j, &m->node.v[r->line.node[i].row]);
	return q.slots > 0;
}

/* Context of most_free_first. */
struct frees {
	const struct fsi_flux_free *free;
};

/* Sorts nodes with more free cores first, then nodes with more free GPUs. Equal nodes keep their order (Rv1Pool.py:
 * _sort_candidates). */
static int most_free_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_flux_free *free = ((const struct frees *)ctx)->free;

	if (free[a].cores != free[b].cores)
		return free[a].cores > free[b].cores ? -1 : 1;
	if (free[a].gpus != free[b].gpus)
		return free[a].gpus > free[b].gpus ? -1 : 1;
	return (a > b) - (a < b);
}

/* Returns the cores and GPUs that are free on the node at time `at`. */
static struct fsi_flux_free free_on(const struct fsi_timeline *t, uint32_t node, int64_t at)
{
	const struct fsi_line_want core = { .task = { [FSI_LINE_CPU] = 1 }, .limit_s = 1 };
	const struct fsi_line_want gpu = { .task = { [FSI_LINE_GPU] = 1 }, .limit_s = 1 };

	return (struct fsi_flux_free){ fsi_line_tasks(t, node, &core, at), fsi_line_tasks(t, node, &gpu, at) };
}

/* Appends nodes in r->order to the choice until no slot is left. If the request asks for nodes, each node gives one slot,
 * otherwise as many as fit (Rv1Pool.py: _select_resources). */
static void take_pieces(struct fsi_flux_run *r, const struct fsi_line_want *w, int64_t at, int64_t *left)
{
	struct fsi_timeline *t = &r->line;

	for (uint32_t k = 0; k < t->n && *left > 0; k++) {
		int64_t here = fsi_line_tasks(t, r->order[k], w, at);

		here = w->nodes && here > 1 ? 1 : here;
		here = here > *left ? *left : here;
		if (here <= 0)
			continue;
		t->piece[t->npieces++] = (struct fsi_line_piece){ r->order[k], here };
		*left -= here;
	}
}

/* Chooses nodes in r->line for the whole request at time `at`. Returns false if it does not fit, or if out of memory. */
static bool flux_choose(struct fsi_flux_run *r, const struct fsi_line_want *w, int64_t at)
{
	struct fsi_timeline *t = &r->line;
	const struct frees frees = { r->free };
	int64_t left = w->tasks;

	t->npieces = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		r->order[i] = r->rules.last_fit ? t->n - 1 - i : i;
		if (r->rules.worst_fit)
			r->free[i] = free_on(t, i, at);
	}
	if (r->rules.worst_fit && fs_sort(r->order, t->n, sizeof(*r->order), most_free_first, &frees))
		return false;
	take_pieces(r, w, at, &left);
	return left == 0;
}

/* Returns true if the request fits at time `at`. */
static bool fits(const struct fsi_flux_run *r, const struct fsi_line_want *w, int64_t at)
{
	int64_t left = w->tasks;

	for (uint32_t i = 0; i < r->line.n && left > 0; i++) {
		const int64_t here = fsi_line_tasks(&r->line, i, w, at);

		left -= w->nodes && here > 1 ? 1 : here;
	}
	return left <= 0;
}

/* Returns the first time from now on at which the request fits: now, or when a hold begins or ends. Returns INT64_MAX if
 * there is none or the search is given up (fsi_line_too_long), -1 if out of memory. */
static int64_t flux_earliest(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	if (fits(r, w, r->now))
		return r->now;
	if (fsi_line_changes(&r->line, NULL, r->now))
		return -1;
	for (size_t i = 0; i < r->line.ends.n && !fsi_line_too_long(&r->line); i++)
		if (r->line.ends.v[i] < r->now + for_ever_s / 2 && fits(r, w, r->line.ends.v[i]))
			return r->line.ends.v[i];
	return INT64_MAX;
}

/* ---- running jobs */

/* A running job whose nodes are being added to the timeline. */
struct placing {
	struct fsi_flux_run *r;
	const uint32_t *node_of; /* by name id: node index + 1 */
	const char *cores;	 /* cores on each remaining node, "4,4,2"; "": not recorded, all nodes have equally many */
	uint32_t job, nodes; /* row of the job; number of its nodes */
	int64_t start, end, all, gpus; /* all, gpus: cores and GPUs of the job on all nodes together */
	struct fsi_flux_request asked;
	/* whole: the job has its nodes exclusively; bad: a node is not in the snapshot; failed: out of memory */
	bool whole, bad, failed;
};

/* Returns the GPUs of the job on a node where it has `cores` cores: those of the slots there if the cores of each node are
 * recorded, otherwise an equal share. */
static int64_t gpus_beside(const struct placing *p, int64_t cores)
{
	if (!*p->cores || !p->asked.gpus)
		return (p->gpus + p->nodes - 1) / p->nodes;
	return cores / p->asked.cores * p->asked.gpus;
}

/* Adds a hold of the job (struct placing) to one of its nodes; a callback of fsi_hostlist_each. Returns -2 to stop if out of
 * memory. */
static int hold_node(void *ctx, const char *name, size_t len)
{
	struct placing *p = ctx;
	const uint32_t id = fsi_name_find(p->r->p->m, name);
	const uint32_t node = id ? p->node_of[id] : 0;
	struct fsi_line_hold h = { .start = p->start, .end = p->end, .job = p->job };

	(void)len;
	h.amount[FSI_LINE_CPU] = *p->cores ? strtoll(p->cores, NULL, 10) : (p->all + p->nodes - 1) / p->nodes;
	h.amount[FSI_LINE_GPU] = gpus_beside(p, h.amount[FSI_LINE_CPU]);
	p->cores += strcspn(p->cores, ",");
	p->cores += *p->cores == ',';
	if (node && p->whole)
		memcpy(h.amount, p->r->line.node[node - 1].total, sizeof(h.amount));
	if (!node)
		p->bad = true;
	else if (fsi_line_hold(&p->r->line, node - 1, &h))
		p->failed = true;
	return p->failed ? -2 : 0;
}

/* Adds the holds of a running job. Returns -1 if out of memory. */
static int place_one(struct fsi_flux_run *r, uint32_t job, const uint32_t *node_of)
{
	const fs_snapshot *m = r->p->m;
	const struct fsi_job *j = &m->job.v[job];
	struct placing p = { .r = r, .node_of = node_of, .job = job,
			     .cores = fsi_str(m, fsi_job_rare(m, j)->node_cores) };
	const int64_t n = fsi_hostlist_count(fsi_str(m, j->node_list), FSI_MAX_HOSTS);

	if (n <= 0) {
		r->p->unplaced++;
		return 0;
	}
	p.nodes = (uint32_t)n;
	p.all = j->cpus;
	p.whole = r->rules.whole_nodes || !strcmp(fsi_str(m, j->oversubscribe), "EXCLUSIVE");
	p.gpus = fsi_amount_of(m, j->tres_req, fsi_name_find(m, "gres/gpu"));
	p.asked = fsi_flux_request(m, j);
	p.start = j->start_time;
	p.end = FSI_HAS(j, JOB, end_time) ? j->end_time : r->now + for_ever_s;
	if (p.end <= r->now) /* a job past its limit is being ended */
		p.end = r->now + 1;
	fsi_hostlist_each(fsi_str(m, j->node_list), FSI_MAX_HOSTS, hold_node, &p);
	r->p->unplaced += p.bad;
	return p.failed ? -1 : 0;
}

static int place_running(struct fsi_flux_run *r)
{
	const fs_snapshot *m = r->p->m;
	uint32_t *node_of = calloc((size_t)m->names.count + 1, sizeof(*node_of));
	int rc = node_of ? 0 : -1;

	for (uint32_t i = 0; !rc && i < r->line.n; i++)
		node_of[m->node.v[r->line.node[i].row].name] = i + 1;
	for (uint32_t i = 0; i < m->job.n && !rc; i++)
		if (fs_job_runs(m, i))
			rc = place_one(r, i, node_of);
	free(node_of);
	return rc;
}

/* ---- setup and release */

/* Allocates the state, and fills the timeline, the pending lists and the jobs in DEPEND. Returns -1 if out of memory;
 * flux_run_release is needed in any case. */
static int flux_run_init(struct fsi_flux_run *r)
{
	const fs_snapshot *m = r->p->m;
	const size_t nodes = m->node.n + 1;

	r->now = m->info.time;
	r->lines = calloc(r->p->queue->record.n + 1, sizeof(*r->lines));
	r->may = calloc(nodes, sizeof(*r->may));
	r->free = calloc(nodes, sizeof(*r->free));
	r->order = calloc(nodes, sizeof(*r->order));
	r->gave = malloc(nodes * sizeof(*r->gave));
	r->never = calloc(m->job.n + 1, sizeof(*r->never));
	r->ended_job = calloc(m->job.n + 1, sizeof(*r->ended_job));
	if (!r->lines || !r->may || !r->free || !r->order || !r->gave || !r->never || !r->ended_job ||
	    fsi_line_init(&r->line, m))
		return -1;
	for (size_t i = 0; i < nodes; i++)
		r->gave[i] = FSI_NO_INDEX;
	return place_running(r) || flux_make_lines(r) || flux_held_init(r) ? -1 : 0;
}

/* Frees the state. */
static void flux_run_release(struct fsi_flux_run *r)
{
	for (size_t i = 0; r->lines && i < r->nlines; i++) {
		FSI_VEC_FREE(&r->lines[i].job);
		FSI_VEC_FREE(&r->lines[i].reserved);
	}
	fsi_line_release(&r->line);
	free(r->lines);
	free(r->may);
	free(r->free);
	free(r->order);
	free(r->gave);
	free(r->never);
	free(r->ended_job);
	flux_held_free(r->held);
}

/* ---- starts */

/* Stores the start of the job in its row of the plan. Returns -1 if out of memory. */
static int record_start(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	struct fsi_plan_row *row = fsi_line_start(r->p, &r->line, w, r->now, r->gave);

	if (!row)
		return -1;
	if (row->limit_s >= for_ever_s)
		row->limit_s = FS_UNKNOWN;
	return 0;
}

/* Starts the job now on the nodes chosen in r->line. Returns -1 if out of memory. */
static int flux_start(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	r->left--;
	if (fsi_line_take(&r->line, w, r->now, r->now + w->limit_s) || record_start(r, w))
		return -1;
	return flux_note_event(r, w->job, FSI_FLUX_STARTS);
}

/* Refuses the job, which ends without having run. Returns -1 if out of memory. */
static int flux_refuse(struct fsi_flux_run *r, uint32_t job)
{
	r->left--;
	return flux_note_event(r, job, FSI_FLUX_REFUSED);
}

/* Starts the job now if it fits, or refuses it if it can never run. Returns 1 if it did either, 0 if the job does not fit now,
 * -1 if out of memory. */
static int flux_try(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	if (r->never[w->job])
		return flux_refuse(r, w->job) ? -1 : 1;
	if (!flux_choose(r, w, r->now))
		return 0;
	r->starts_most--;
	return flux_start(r, w) ? -1 : 1;
}

/* ---- Fluxion's backfill: easy, hybrid and conservative
 *
 * A loop tries a number of jobs of each queue (depth). The first jobs that do not fit get nodes reserved (flux-sched:
 * qmanager/policies/queue_policy_bf_base_impl.hpp).
 *
 * The queues alternate: all queues request nodes for their first job (qmanager/modules/qmanager_callbacks.cpp:
 * check_watcher_cb), and each requests nodes for its next job when the request before is answered (next_match_iter, a
 * chain of requests). A queue drops its reservations of the previous loop when it tries its first job (run_sched_loop).
 * Queues that come earlier in the loop therefore still see these reservations. */

/* Drops all reservations of the list. */
static void give_up(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	for (size_t i = 0; i < l->reserved.n; i++)
		fsi_line_drop(&r->line, l->reserved.v[i]);
	l->reserved.n = 0;
}

/* Reserves nodes for the job from time `at` on. Returns 1 if they are reserved, 0 if the job does not fit then, -1 if out of
 * memory. */
static int keep(struct fsi_flux_run *r, struct fsi_flux_line *l, const struct fsi_line_want *w, int64_t at)
{
	if (!flux_choose(r, w, at))
		return 0;
	if (FSI_VEC_ROOM(&l->reserved))
		return -1;
	l->reserved.v[l->reserved.n++] = w->job;
	return fsi_line_take(&r->line, w, at, at + w->limit_s) ? -1 : 1;
}

/* Reserves nodes for the job from its earliest start on. Returns 1 if they are reserved, 0 if the job has no start, -1 if out
 * of memory. */
static int reserve(struct fsi_flux_run *r, struct fsi_flux_line *l, const struct fsi_line_want *w)
{
	const int64_t at = flux_earliest(r, w);

	if (at < 0)
		return -1;
	return at == INT64_MAX ? 0 : keep(r, l, w, at);
}

/* A job with a reservation in the snapshot. */
struct kept {
	struct fsi_flux_line *line;
	uint32_t job;
	int64_t start;
};

static int by_start(const void *x, const void *y, const void *ctx)
{
	const struct kept *a = x, *b = y;

	(void)ctx;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a->job > b->job) - (a->job < b->job);
}

/* Fills `kept` with the jobs whose estimated start in the snapshot has not passed. Returns their number. A start at the
 * current time is moved one second later. */
static size_t find_kept(const struct fsi_flux_run *r, struct kept *kept)
{
	const struct fsi_job *job = r->p->m->job.v;
	size_t n = 0;

	for (size_t i = 0; i < r->nlines; i++)
		for (size_t k = 0; k < r->lines[i].job.n; k++) {
			const uint32_t row = r->lines[i].job.v[k];
			const int64_t start = job[row].start_time;

			if (FSI_HAS(&job[row], JOB, start_time) && start >= r->now)
				kept[n++] = (struct kept){ &r->lines[i], row, start > r->now ? start : r->now + 1 };
		}
	return n;
}

/* Restores the reservations of the last loop before the snapshot. They belong to the jobs with an estimated start, since
 * Fluxion removes the estimate of all other jobs (post_sched_loop). Their nodes are not recorded: nodes are chosen again, for
 * earlier starts first. Returns -1 if out of memory. */
static int flux_recall(struct fsi_flux_run *r)
{
	struct kept *kept = malloc((r->left + 1) * sizeof(*kept));
	const size_t n = kept ? find_kept(r, kept) : 0;
	int rc = !kept || fs_sort(kept, n, sizeof(*kept), by_start, NULL) ? -1 : 0;

	for (size_t i = 0; i < n && rc >= 0; i++) {
		struct fsi_line_want w;

		if (kept[i].line->reserved.n >= r->rules.reservations || !flux_want(r, kept[i].job, &w))
			continue;
		rc = keep(r, kept[i].line, &w, kept[i].start);
		if (!rc) /* the recorded start, and the end of the job before, are rounded down to seconds */
			rc = keep(r, kept[i].line, &w, kept[i].start + 1);
	}
	free(kept);
	return rc < 0 ? -1 : 0;
}

/* Returns true if the loop tries another job of the list. */
static bool has_turn(const struct fsi_flux_run *r, const struct fsi_flux_line *l)
{
	return l->next < l->job.n && l->tried < r->rules.depth && !fsi_line_too_long(&r->line);
}

/* Tries the next job of the list: starts it, or reserves nodes for it. Returns -1 if out of memory. */
static int turn(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	struct fsi_line_want w;
	int rc = flux_want(r, l->job.v[l->next], &w) ? flux_try(r, &w) : 0;

	l->tried++;
	if (rc == 1) {
		flux_take_out(l, l->next);
		return 0;
	}
	if (!rc && l->reserved.n < r->rules.reservations) {
		rc = reserve(r, l, &w);
		l->tried -= rc == 0; /* a job that cannot be reserved is not counted */
	}
	l->next++;
	return rc < 0 ? -1 : 0;
}

/* Runs one loop of Fluxion's backfill over all pending lists. Returns -1 if out of memory. */
static int flux_backfill(struct fsi_flux_run *r)
{
	bool any = true;

	for (size_t i = 0; i < r->nlines; i++)
		r->lines[i].next = r->lines[i].tried = 0;
	for (bool first = true; any; first = false) {
		any = false;
		for (size_t i = 0; i < r->nlines; i++) {
			struct fsi_flux_line *l = &r->lines[i];

			if (first)
				give_up(r, l);
			if (!has_turn(r, l))
				continue;
			any = true;
			if (turn(r, l))
				return -1;
		}
	}
	return 0;
}

/* ---- the scheduler, its policy, and the assumptions of the plan
 *
 * By default flux-core loads sched-simple (etc/modprobe/modprobe.toml). The job-manager sends it the first 8 jobs
 * (sched-fifo.py: queue_depth); it sends sched-backfill all jobs (scheduler.py: queue_depth). Fluxion's defaults are fcfs and
 * queue-depth 32. easy reserves nodes for 1 job, hybrid for 64, conservative for all (flux-sched:
 * flux-config-sched-fluxion-qmanager(5), qmanager/policies/). */

enum {
	SIMPLE_DEPTH = 8,
	FLUXION_DEPTH = 32,
	MAX_FLUXION_DEPTH = 1000000,
	EASY = 1,
	HYBRID = 64,
	MAX_RESERVED = 100000
};

/* Returns a positive number of the configuration, at most max; `otherwise` if it is not set or not positive. */
static uint32_t number(const fs_snapshot *m, const char *name, uint32_t otherwise, uint32_t max)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e || e->kind != FSI_CONFIG_INT || e->i < 1)
		return otherwise;
	return e->i < max ? (uint32_t)e->i : max;
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* Sets which nodes a job gets by Fluxion's match policy, which is a name or a list of options (flux-sched:
 * resource/policies/dfu_match_policy_factory.cpp). The default "first" chooses the first nodes that fit. */
static void match(const char *policy, struct fsi_flux_rules *r)
{
	r->whole_nodes = has(policy, "nodex") || has(policy, "node_exclusive=true");
	r->last_fit = !strncmp(policy, "hi", strlen("hi")) ||
		      (has(policy, "policy=high") && !has(policy, "stop_on_1_matches=true"));
}

/* Sets the rules of Fluxion from its configuration. */
static void fluxion(const fs_snapshot *m, struct fsi_flux_rules *r)
{
	const char *chosen = fs_snapshot_config_text(m, "fluxion_match_policy");
	const char *policy = fs_snapshot_config_text(m, "fluxion_queue_policy");

	match(chosen ? chosen : "first", r);
	r->name = policy ? policy : "fcfs";
	r->each_queue = true;
	r->worst_fit = false;
	r->depth = number(m, "fluxion_queue_depth", FLUXION_DEPTH, MAX_FLUXION_DEPTH);
	r->policy = strcmp(r->name, "fcfs") ? FSI_FLUX_RESERVE : FSI_FLUX_FIFO;
	r->reservations = !strcmp(r->name, "easy")     ? EASY
			  : !strcmp(r->name, "hybrid") ? number(m, "fluxion_reservation_depth", HYBRID, MAX_RESERVED)
						       : MAX_RESERVED;
}

void fsi_flux_rules(const fs_snapshot *m, bool by_priority, struct fsi_flux_rules *r)
{
	const char *module = fs_snapshot_config_text(m, "flux_scheduler");
	const bool policy = fs_snapshot_config_text(m, "fluxion_queue_policy") != NULL;

	*r = (struct fsi_flux_rules){ .policy = FSI_FLUX_FIFO,
				      .name = "first come, first served",
				      .worst_fit = true,
				      .told = module || policy,
				      .depth = SIMPLE_DEPTH };
	r->module = module ? module : policy ? "sched-fluxion-qmanager" : "sched-simple";
	if (!strcmp(r->module, "sched-fluxion-qmanager")) {
		fluxion(m, r);
	} else if (!strcmp(r->module, "sched-backfill")) {
		r->policy = FSI_FLUX_SHADOW;
		r->depth = UINT32_MAX;
		r->name = "backfill";
	}
	if (by_priority)
		r->policy = FSI_FLUX_FIFO;
}

/* Adds the assumptions about the scheduler and its policy. Returns -1 if out of memory. */
static int say_policy(struct fs_plan *p, const struct fsi_flux_rules *r)
{
	if (!r->told && fsi_plan_assume(p, "Which module schedules was not captured: it is taken to be sched-simple, which flux-core loads."))
		return -1;
	if (r->policy == FSI_FLUX_FIFO)
		return fsi_plan_assume(p, "%s: behind a job that cannot start, no other %s starts (%s).", r->module,
				       r->each_queue ? "of its queue" : "of any queue", r->name);
	if (r->policy == FSI_FLUX_SHADOW)
		return fsi_plan_assume(p, "%s: behind a first job that cannot start, those start whose limits end before it can.",
				       r->module);
	return fsi_plan_assume(p, "%s: %s backfill; a loop tries %u jobs of a queue (queue-depth) and keeps nodes for the first %u that "
				  "cannot start.",
			       r->module, r->name, r->depth, r->reservations);
}

/* Returns true if the jobspec of any job is in the snapshot: it has properties, GPUs or an exclusive flag. */
static bool any_jobspec(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (FSI_HAS(&m->job.v[i], JOB, features) || FSI_HAS(&m->job.v[i], JOB, tres_req) ||
		    FSI_HAS(&m->job.v[i], JOB, oversubscribe))
			return true;
	return false;
}

/* Returns true if any pending job is in DEPEND. */
static bool any_dependent(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_PENDING && !strcmp(fsi_str(m, fsi_job_rare(m, &m->job.v[i])->phase), "DEPEND"))
			return true;
	return false;
}

/* Adds an assumption about the order of starts and releases, if any job is in DEPEND. flux-core releases jobs by messages and
 * starts one job in each iteration of its reactor (scheduler.py: schedule, a generator), so the real order is a race. Returns
 * -1 if out of memory. */
static int say_race(struct fs_plan *p)
{
	return any_dependent(p->m) ? fsi_plan_assume(p, "Of jobs that could start in the same moment the first starts, and whom it lets go "
							  "stands in line before the next; Flux may be slower to let go.")
				     : 0;
}

/* Adds all assumptions of a plan of Flux. Returns -1 if out of memory. */
static int flux_assumptions(struct fs_plan *p)
{
	struct fsi_flux_rules r;

	fsi_flux_rules(p->m, p->mode == FS_PLAN_BY_PRIORITY, &r);
	if (fsi_plan_assume(p, "Every job runs for its whole time limit.") ||
	    fsi_plan_assume(p, "No job arrives, is changed or cancelled, and no node changes state.") ||
	    fsi_plan_assume(p, "Dependencies and limits let jobs go as others start and end here; one that runs to its limit ends well.") ||
	    say_race(p) ||
	    fsi_plan_assume(p, "Priorities stay as they are now.") || say_policy(p, &r) ||
	    (!any_jobspec(p->m) &&
	     fsi_plan_assume(p, "No job's jobspec asks for GPUs, whole nodes or properties, or none was captured: jobs are planned by "
				"their cores and nodes.")))
		return -1;
	if (p->unplaced &&
	    fsi_plan_assume(p, "%u running jobs are on nodes that are not in the snapshot: these are taken to be free.", p->unplaced))
		return -1;
	return 0;
}

enum { MAX_LOOPS = 200000 };

/* ---- one loop */

/* Starts jobs of the list in order until one does not fit. A job with an unknown request is removed. Returns -1 if out of
 * memory. */
static int fifo(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	int rc = 1;

	while (l->job.n && rc == 1 && r->starts_most) {
		struct fsi_line_want w;

		rc = flux_want(r, l->job.v[0], &w) ? flux_try(r, &w) : 1;
		if (rc == 1)
			flux_take_out(l, 0);
	}
	return rc < 0 ? -1 : 0;
}

/* Starts jobs by FSI_FLUX_SHADOW: after the first job that does not fit, later jobs start if their time limit ends before
 * that job can start. A job without a time limit does not (sched-backfill.py: schedule). Returns -1 if out of memory. */
static int shadow(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	struct fsi_line_want w;
	int64_t until;

	if (fifo(r, l))
		return -1;
	if (!l->job.n || !r->starts_most)
		return 0;
	flux_want(r, l->job.v[0], &w);
	until = flux_earliest(r, &w);
	if (until < 0)
		return -1;
	for (size_t i = 1; i < l->job.n && i < r->rules.depth && until < INT64_MAX && r->starts_most &&
			   !fsi_line_too_long(&r->line);) {
		int rc = 0;

		if (flux_want(r, l->job.v[i], &w) && w.limit_s <= until - r->now)
			rc = flux_try(r, &w);
		if (rc < 0)
			return -1;
		if (rc)
			flux_take_out(l, i);
		else
			i++;
	}
	return 0;
}

/* Makes one pass over all pending lists by the policy. Returns -1 if out of memory. */
static int all_lines(struct fsi_flux_run *r)
{
	int rc = 0;

	if (r->rules.policy == FSI_FLUX_RESERVE)
		return flux_backfill(r);
	for (size_t i = 0; i < r->nlines && !rc; i++)
		rc = r->rules.policy == FSI_FLUX_FIFO ? fifo(r, &r->lines[i]) : shadow(r, &r->lines[i]);
	return rc;
}

/* Runs one loop: passes over the pending lists until no more jobs are released. In the first pass of flux-core's schedulers
 * only one job starts before released jobs join the list. The nodes of a job that ended are free before jobs that depend on it
 * are released (flux-core: job-manager/event.c: CLEANUP frees them, INACTIVE follows), and these schedulers handle the release
 * after each start (scheduler.py: schedule, a generator). Returns -1 if out of memory. */
static int loop(struct fsi_flux_run *r)
{
	int rc;

	r->starts_most = r->rules.each_queue ? UINT32_MAX : 1;
	if (all_lines(r) || flux_release(r) < 0)
		return -1;
	r->starts_most = UINT32_MAX;
	do {
		if (all_lines(r))
			return -1;
		rc = fsi_line_too_long(&r->line) ? 0 : flux_release(r);
	} while (rc > 0);
	return rc;
}

/* ---- all loops */

/* Sets r->gave for the node, and records the end of jobs that have ended there, once for each job: all nodes of a job are
 * released at the same time. Returns -1 if out of memory. */
static int end_on(struct fsi_flux_run *r, uint32_t node)
{
	const struct fsi_line_node *n = &r->line.node[node];

	r->gave[node] = FSI_NO_INDEX;
	for (size_t k = 0; k < n->hold.n; k++) {
		const uint32_t job = n->hold.v[k].job;

		if (n->hold.v[k].end > r->now)
			continue;
		r->gave[node] = job;
		if (!r->ended_job[job] && flux_note_event(r, job, FSI_FLUX_ENDS))
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

/* Returns the next time at which a hold begins or ends or a begin time is reached; INT64_MAX: none. */
static int64_t next_event(const struct fsi_flux_run *r)
{
	const int64_t line = fsi_line_next(&r->line, r->now), begin = flux_next_begin(r);

	return line < begin ? line : begin;
}

/* Runs loops until no job is left, no loop can start one, or the plan needs no more (fsi_plan_settled). Returns -1 if out of
 * memory. */
static int run(struct fsi_flux_run *r, uint64_t max_looks)
{
	const int64_t a_century_s = INT64_C(3200000000);

	r->line.max_looks = max_looks;
	if ((r->rules.policy == FSI_FLUX_RESERVE && flux_recall(r)) || (r->p->m->updated && flux_look_at_all(r)))
		return -1;
	for (uint32_t k = 0; (r->left || flux_holds_any(r)) && k < MAX_LOOPS; k++) {
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
		r->ended = next > r->p->m->info.time + a_century_s; /* only holds without an end are left */
		if (r->ended)
			return 0;
		r->now = next;
		if (end_jobs(r))
			return -1;
	}
	r->ended = !r->left && !flux_holds_any(r);
	return 0;
}

/* Sets the state of a row without a start from the queue's verdict. If the verdict has a begin time, it becomes the start. */
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

/* Sets the state of rows without a start. ended: no later loop can start a job; otherwise eligible jobs keep NO_START. */
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

	for (size_t i = 0; i < p->m->node.n; i++)
		if (!FSI_HAS(&p->m->node.v[i], NODE, cpus))
			return fsi_fail(err, FS_ENODATA, "%s: no plan without the cores of each node", p->m->file);
	fsi_flux_rules(p->m, p->mode == FS_PLAN_BY_PRIORITY, &r.rules);
	p->resolution_s = 1;
	if (fsi_plan_make_rows(p, false) || flux_run_init(&r) || run(&r, p->max_looks))
		rc = fsi_nomem(err);
	if (!rc)
		give_verdicts(p, r.ended);
	flux_run_release(&r);
	return rc;
}

const struct fsi_plan_scheduler fsi_plan_of_flux = { .run = plan, .assume = flux_assumptions };
