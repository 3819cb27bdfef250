#include "plan/flux.h"

#include "base/hostlist.h"
#include "limits/flux_limits.h"
#include "model/flux.h"
#include "plan/plan.h"
#include "priority/flux.h"
#include "queue/verdict.h"

#include <stdlib.h>
#include <string.h>

/* ---- pending lists
 *
 * There is one pending list for each queue, or one list for all queues. A list has the jobs that wait for the
 * scheduler. */

/* Returns the pending list of the queue with name id `queue`. Adds an empty list if there is none. */
static struct fsi_flux_pending_list *get_pending_list(struct fsi_flux_plan *r, uint32_t queue)
{
	const uint32_t name = r->rules.list_per_queue ? queue : 0;

	for (size_t i = 0; i < r->nlists; i++)
		if (r->lists[i].queue == name)
			return &r->lists[i];
	r->lists[r->nlists] = (struct fsi_flux_pending_list){ .queue = name };
	return &r->lists[r->nlists++];
}

/* Compares two pending lists by queue name. Fluxion handles queues in this order, because it has them in a std::map
 * (flux-sched: qmanager/modules/qmanager.cpp). */
static int compare_queue_names(const void *a, const void *b, const void *ctx)
{
	const struct fsi_flux_pending_list *x = a, *y = b;

	return strcmp(fsi_name_text(ctx, x->queue), fsi_name_text(ctx, y->queue));
}

/* Returns true if x is scheduled before y: x has a higher priority, or the same priority and a lower job id. */
static bool is_scheduled_before(const struct fsi_queue_record *x, const struct fsi_queue_record *y)
{
	return x->priority != y->priority ? x->priority > y->priority : x->sort_id < y->sort_id;
}

/* Inserts the job of a queue record into its pending list, in scheduling order. Returns -1 if out of memory. */
static int insert_pending_job(struct fsi_flux_plan *r, const struct fsi_queue_record *q)
{
	const struct fs_queue *queue = r->plan->queue;
	struct fsi_flux_pending_list *l = get_pending_list(r, q->partition_name);
	size_t at;

	if (FSI_VEC_RESERVE(&l->job))
		return -1;
	for (at = l->job.n++; at && is_scheduled_before(q, &queue->record.v[queue->first_record[l->job.v[at - 1]]]);
	     at--)
		l->job.v[at] = l->job.v[at - 1];
	l->job.v[at] = q->job;
	r->npending++;
	return 0;
}

/* Removes the job at index `at` from the pending list. */
static void remove_pending_job(struct fsi_flux_pending_list *l, size_t at)
{
	memmove(l->job.v + at, l->job.v + at + 1, (l->job.n - at - 1) * sizeof(*l->job.v));
	l->job.n--;
}

/* Makes a pending list for each queue that has pending jobs, and inserts the eligible jobs. A list stays empty if no
 * pending job of its queue is eligible, for example if all are in state DEPEND. Sets r->never_runs. Returns -1 if out
 * of memory. */
static int make_pending_lists(struct fsi_flux_plan *r)
{
	const struct fs_queue *q = r->plan->queue;

	for (size_t i = 0; i < q->record.n; i++) {
		const struct fsi_queue_record *record = &q->record.v[i];

		get_pending_list(r, record->partition_name);
		r->never_runs[record->job] = fs_queue_verdict_kind(q, record->job) == FS_VERDICT_NEVER;
	}
	if (fs_sort(r->lists, r->nlists, sizeof(*r->lists), compare_queue_names, r->plan->m))
		return -1;
	for (size_t i = 0; i < q->record.n; i++)
		if (q->record.v[i].eligible && insert_pending_job(r, &q->record.v[i]))
			return -1;
	return 0;
}

/* ---- jobs in DEPEND, and what releases them during the simulation
 *
 * after-start, after-finish, after-success
 *               The dependency is met when the other job starts, ends, or ends successfully. A job that runs to its
 *               time limit is assumed to end successfully, so after-failure and after-except are never met
 *               (flux-core: plugins/dependency-after.c).
 * begin-time    The dependency is met when the given time is reached (plugins/begin-time.c).
 * singleton     The dependency is met when all other jobs of the same name and user have ended. Singletons that were
 *               submitted later do not count (plugins/dependency-singleton.c).
 * limits        Whenever a job of an association starts or ends, the association's held jobs are checked in the
 *               order of submission. A job is released if it would exceed no limit that holds it. Jobs that were
 *               released earlier in the same check count against the limits (flux-accounting:
 *               plugins/mf_priority.cpp, check_and_release_held_jobs). */

enum dependency_kind {
	DEPENDS_ON_LIMIT,
	DEPENDS_ON_START,
	DEPENDS_ON_END,
	DEPENDS_ON_SUCCESS,
	DEPENDS_ON_TIME,
	DEPENDS_ON_SINGLETON,
	DEPENDS_ON_OTHER
};

/* A condition that must be met before a job leaves the state DEPEND. */
struct job_dependency {
	enum dependency_kind kind;
	/* DEPENDS_ON_LIMIT: index of the limit, to be given to fs_holds_row; dependency on another job: row of that
	 * job */
	uint32_t target;
	int64_t time; /* DEPENDS_ON_TIME: begin time, seconds since the epoch */
	bool met;
};

/* A job in state DEPEND. */
struct held_job {
	uint32_t job, assoc; /* `job`: row of the job; `assoc`: row of the job's association */
	/* `first_dependency`: index of the job's first dependency in member `dependency` of fsi_flux_held_jobs;
	 * `ndependencies`: number of the job's dependencies */
	uint32_t first_dependency, ndependencies;
	/* `has_limits`: at least one limit still holds the job; `is_held`: the job is still in state DEPEND */
	bool has_limits, is_held;
};

/* A start, end or refusal of a job that release_held_jobs has not handled yet. */
struct job_event {
	uint32_t job;
	enum fsi_flux_event event;
};

/* All jobs in state DEPEND. */
struct fsi_flux_held_jobs {
	fs_holds *holds; /* the limits that hold jobs, and the job counts that are compared with these limits */
	FSI_VEC(struct job_dependency) dependency;
	/* the jobs in state DEPEND, sorted by job id, which is the order of submission */
	FSI_VEC(struct held_job) held;
	FSI_VEC(struct job_event) event;
	struct fsi_job_arrays arrays; /* the job arrays of the snapshot; always empty, because Flux has none */
	bool *job_is_over; /* indexed by job row: the job has ended, or was refused in the simulation */
	size_t nheld; /* number of jobs that are still in DEPEND */
};

/* Returns the dependency kind that Flux calls `name`. */
static enum dependency_kind parse_dependency_kind(const char *name)
{
	static const struct {
		const char *name;
		enum dependency_kind kind;
	} kinds[] = { { "after-start", DEPENDS_ON_START },
		      { "after-finish", DEPENDS_ON_END },
		      { "after-success", DEPENDS_ON_SUCCESS },
		      { "singleton", DEPENDS_ON_SINGLETON } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return !strncmp(name, "begin", strlen("begin")) ? DEPENDS_ON_TIME : DEPENDS_ON_OTHER;
}

static int append_one_dependency(struct fsi_flux_held_jobs *h, struct job_dependency d)
{
	if (FSI_VEC_RESERVE(&h->dependency))
		return -1;
	h->dependency.v[h->dependency.n++] = d;
	return 0;
}

/* Adds the job's dependencies on other jobs and on a begin time to r->held. Returns -1 if out of memory. */
static int add_job_dependencies(struct fsi_flux_plan *r, uint32_t job)
{
	const fs_snapshot *m = r->plan->m;
	const struct fsi_job *j = &m->job.v[job];
	struct fs_verdict v = { 0 };
	int rc = fsi_verdict_parse_needs(m, &r->held->arrays, NULL, j, &r->plan->arena, &v);

	for (size_t i = 0; i < v.nneeds && !rc; i++) {
		struct job_dependency d = { .kind = parse_dependency_kind(v.needs[i].kind),
					    .target = v.needs[i].job_row };

		if (d.kind == DEPENDS_ON_TIME && !fsi_flux_parse_begin_time(j, v.needs[i].kind, &d.time))
			d.kind = DEPENDS_ON_OTHER;
		rc = append_one_dependency(r->held, d);
	}
	return rc;
}

/* Adds a dependency to h->dependency for each limit that holds the job. Returns -1 if out of memory. */
static int add_limit_dependencies(struct fsi_flux_held_jobs *h, struct held_job *held)
{
	for (uint32_t i = 0; i < fs_holds_count(h->holds, held->job); i++) {
		if (!fs_holds_row(h->holds, held->job, i)->limit)
			continue;
		held->has_limits = true;
		if (append_one_dependency(h, (struct job_dependency){ .kind = DEPENDS_ON_LIMIT, .target = i }))
			return -1;
	}
	return 0;
}

/* Adds a job in DEPEND, with its dependencies, to r->held. Returns -1 if out of memory. */
static int add_held_job(struct fsi_flux_plan *r, uint32_t job)
{
	struct fsi_flux_held_jobs *h = r->held;
	const struct fsi_job *j = &r->plan->m->job.v[job];
	struct held_job held = { .job = job,
				 .assoc = fsi_flux_find_assoc(r->plan->m, j),
				 .first_dependency = (uint32_t)h->dependency.n,
				 .is_held = true };

	if (add_job_dependencies(r, job) || add_limit_dependencies(h, &held) || FSI_VEC_RESERVE(&h->held))
		return -1;
	held.ndependencies = (uint32_t)h->dependency.n - held.first_dependency;
	h->held.v[h->held.n++] = held;
	h->nheld++;
	return 0;
}

static int compare_held_ids(const void *a, const void *b, const void *ctx)
{
	const struct fsi_job *v = ctx;
	const uint64_t x = v[((const struct held_job *)a)->job].id, y = v[((const struct held_job *)b)->job].id;

	return (x > y) - (x < y);
}

/* Sets up r->held with all jobs in DEPEND. Returns -1 if out of memory. */
static int init_held_jobs(struct fsi_flux_plan *r)
{
	const fs_snapshot *m = r->plan->m;
	struct fs_error err;
	int rc;

	r->held = calloc(1, sizeof(*r->held));
	if (!r->held)
		return -1;
	r->held->job_is_over = calloc(m->job.n + 1, sizeof(*r->held->job_is_over));
	rc = !r->held->job_is_over || fs_holds_compute(&r->held->holds, m, &err) ? -1 : 0;
	for (uint32_t i = 0; i < m->job.n && !rc; i++) {
		r->held->job_is_over[i] = fsi_job_has_ended(&m->job.v[i]);
		if (m->job.v[i].state == FSI_STATE_PENDING &&
		    !strcmp(fsi_name_text(m, fsi_job_ext(m, &m->job.v[i])->phase), "DEPEND"))
			rc = add_held_job(r, i);
	}
	return rc || fs_sort(r->held->held.v, r->held->held.n, sizeof(*r->held->held.v), compare_held_ids, m->job.v)
		       ? -1
		       : 0;
}

static void free_held_jobs(struct fsi_flux_held_jobs *h)
{
	if (!h)
		return;
	fs_holds_free(h->holds);
	FSI_VEC_FREE(&h->dependency);
	FSI_VEC_FREE(&h->held);
	FSI_VEC_FREE(&h->event);
	free(h->job_is_over);
	free(h);
}

static bool are_dependencies_met(const struct fsi_flux_held_jobs *h, const struct held_job *held)
{
	for (uint32_t i = 0; i < held->ndependencies; i++)
		if (!h->dependency.v[held->first_dependency + i].met)
			return false;
	return true;
}

/* Moves the job from state DEPEND to SCHED. Returns 1 if the job joins its pending list. Returns 0 if it does not,
 * because its priority is 0 or its queue is stopped. Returns -1 if out of memory. */
static int move_to_sched(struct fsi_flux_plan *r, struct held_job *held)
{
	const struct fs_queue *q = r->plan->queue;
	const struct fsi_queue_record *record = &q->record.v[q->first_record[held->job]];

	held->is_held = false;
	r->held->nheld--;
	if (fsi_flux_move_count(r->held->holds, held->job, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED))
		return -1;
	if (!(record->priority > 0) || fsi_flux_is_queue_stopped(r->plan->m, record->partition))
		return 0;
	return insert_pending_job(r, record) ? -1 : 1;
}

/* Releases a job from its limits, which must all admit the job. Moves the job to SCHED if its other dependencies are
 * met. lifted[i]: true if dependency i is a limit that the current check has marked as met. Adds the job to `pass`, the
 * list of jobs that the current check has released. Returns 1 if the job joins its pending list, 0 if not, -1 if out of
 * memory. */
static int release_from_limits(struct fsi_flux_plan *r, struct held_job *held, struct fsi_flux_release_pass *pass,
			       const bool *lifted)
{
	struct fsi_flux_held_jobs *h = r->held;
	int rc = 0;
	bool scheduled;

	held->has_limits = false;
	scheduled = are_dependencies_met(h, held);
	if (scheduled)
		rc = move_to_sched(r, held);
	for (uint32_t i = 0; i < held->ndependencies && rc >= 0; i++) {
		const struct job_dependency *d = &h->dependency.v[held->first_dependency + i];

		if (d->kind == DEPENDS_ON_LIMIT && lifted[i] &&
		    fsi_flux_release_job(h->holds, held->job, d->target, scheduled, pass))
			rc = -1;
	}
	return rc;
}

enum { MAX_LIMITS = 16 };

/* Checks the limits that hold the job. If all limits admit the job (fsi_flux_limit_admits_job), releases the job from
 * them. A job with more than MAX_LIMITS dependencies stays held. Returns 1 if the job joins its pending list, 0 if not,
 * -1 if out of memory. */
static int check_job_limits(struct fsi_flux_plan *r, struct held_job *held, struct fsi_flux_release_pass *pass)
{
	struct fsi_flux_held_jobs *h = r->held;
	bool lifted[MAX_LIMITS] = { false }, has_unmet = held->ndependencies > MAX_LIMITS;

	for (uint32_t i = 0; i < held->ndependencies && i < MAX_LIMITS; i++) {
		struct job_dependency *d = &h->dependency.v[held->first_dependency + i];

		if (d->kind != DEPENDS_ON_LIMIT || d->met)
			continue;
		d->met = lifted[i] = fsi_flux_limit_admits_job(h->holds, held->job, d->target, pass);
		has_unmet |= !d->met;
	}
	return has_unmet ? 0 : release_from_limits(r, held, pass, lifted);
}

/* Checks the limits of all held jobs of an association. Returns 1 if any job joins a pending list, 0 if none does,
 * -1 if out of memory. */
static int check_association_limits(struct fsi_flux_plan *r, uint32_t assoc)
{
	struct fsi_flux_release_pass pass = { 0 };
	int rc = 0, any = 0;

	for (size_t i = 0; i < r->held->held.n && rc >= 0; i++) {
		struct held_job *held = &r->held->held.v[i];

		if (held->assoc != assoc || !held->has_limits)
			continue;
		rc = check_job_limits(r, held, &pass);
		any |= rc > 0;
	}
	FSI_VEC_FREE(&pass.v);
	return rc < 0 ? -1 : any;
}

/* Returns true if the singleton must wait for another job. It waits for each job of the same user and name that has
 * not ended, except for singletons that were submitted later. */
static bool must_singleton_wait(const struct fsi_flux_plan *r, const struct held_job *singleton)
{
	const fs_snapshot *m = r->plan->m;
	const struct fsi_job *j = &m->job.v[singleton->job];
	const struct fsi_flux_held_jobs *h = r->held;

	for (uint32_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].user == j->user && m->job.v[i].name == j->name && !h->job_is_over[i] &&
		    (i != singleton->job &&
		     (m->job.v[i].id < j->id || !strstr(fsi_name_text(m, m->job.v[i].dependency), "singleton"))))
			return true;
	return false;
}

/* Returns true if a begin-time or singleton dependency is met now; false for dependencies of other kinds. */
static bool is_dependency_met(const struct fsi_flux_plan *r, const struct held_job *held,
			      const struct job_dependency *d)
{
	switch (d->kind) {
	case DEPENDS_ON_TIME:
		return d->time <= r->now;
	case DEPENDS_ON_SINGLETON:
		return FSI_HAS(&r->plan->m->job.v[held->job], JOB, name) && !must_singleton_wait(r, held);
	default:
		return false;
	}
}

/* Checks begin-time and singleton dependencies of the jobs in DEPEND, and moves each job whose dependencies are all met
 * to SCHED. Returns 1 if any job joins a pending list, 0 if none does, -1 if out of memory. */
static int check_begin_and_singleton(struct fsi_flux_plan *r)
{
	struct fsi_flux_held_jobs *h = r->held;
	int rc = 0, any = 0;

	for (size_t i = 0; i < h->held.n && rc >= 0; i++) {
		struct held_job *held = &h->held.v[i];

		if (!held->is_held)
			continue;
		for (uint32_t k = 0; k < held->ndependencies; k++)
			if (!h->dependency.v[held->first_dependency + k].met)
				h->dependency.v[held->first_dependency + k].met =
					is_dependency_met(r, held, &h->dependency.v[held->first_dependency + k]);
		if (are_dependencies_met(h, held))
			rc = move_to_sched(r, held);
		any |= rc > 0;
	}
	return rc < 0 ? -1 : any;
}

/* ---- events: starts, ends and refusals of jobs */

/* Records an event of a job for the next call of release_held_jobs. Returns -1 if out of memory. */
static int record_job_event(struct fsi_flux_plan *r, uint32_t job, enum fsi_flux_event event)
{
	struct fsi_flux_held_jobs *h = r->held;

	if (FSI_VEC_RESERVE(&h->event))
		return -1;
	h->event.v[h->event.n++] = (struct job_event){ job, event };
	return 0;
}

/* Marks the dependencies on the event's job that the event meets. Records whether that job has ended or was refused.
 * The refusal of a job meets after-finish dependencies on the job. It meets no after-start or after-success
 * dependency, because the job never ran. */
static void mark_met_dependencies(struct fsi_flux_plan *r, const struct job_event *t)
{
	struct fsi_flux_held_jobs *h = r->held;

	h->job_is_over[t->job] |= t->event != FSI_FLUX_STARTS;
	for (size_t i = 0; i < h->dependency.n; i++) {
		struct job_dependency *d = &h->dependency.v[i];

		if (d->target == t->job &&
		    (t->event == FSI_FLUX_STARTS ? d->kind == DEPENDS_ON_START
						 : d->kind == DEPENDS_ON_END || (d->kind == DEPENDS_ON_SUCCESS &&
										 t->event == FSI_FLUX_ENDS)))
			d->met = true;
	}
}

/* Updates the counts of jobs in SCHED and in RUN (in h->holds) after an event of a job. A job that starts moves from
 * SCHED to RUN. A job that ends or is refused is not counted. Returns -1 if out of memory. */
static int move_job_counts(struct fsi_flux_held_jobs *h, const struct job_event *t)
{
	return fsi_flux_move_count(h->holds, t->job, t->event == FSI_FLUX_ENDS ? FSI_FLUX_IN_RUN : FSI_FLUX_IN_SCHED,
				   t->event == FSI_FLUX_STARTS ? FSI_FLUX_IN_RUN : FSI_FLUX_NOT_COUNTED);
}

/* Handles the recorded events. Moves to SCHED each job that is released by an event or by its begin time. Returns 1 if
 * any job joins a pending list, 0 if none does, -1 if out of memory. */
static int release_held_jobs(struct fsi_flux_plan *r)
{
	struct fsi_flux_held_jobs *h = r->held;
	int rc = 0, any = 0;

	for (size_t i = 0; i < h->event.n && rc >= 0; i++) {
		const struct job_event t = h->event.v[i];

		mark_met_dependencies(r, &t);
		rc = move_job_counts(h, &t)
			     ? -1
			     : check_association_limits(r, fsi_flux_find_assoc(r->plan->m, &r->plan->m->job.v[t.job]));
		any |= rc > 0;
	}
	h->event.n = 0;
	if (rc >= 0)
		rc = check_begin_and_singleton(r);
	return rc < 0 ? -1 : any | (rc > 0);
}

/* Checks the limits of all held jobs, and moves the released jobs to their pending lists. flux-accounting makes this
 * check when it updates priorities (mf_priority.cpp: reprior_cb). At other times, it checks limits only when a job of
 * the association starts or ends. A job may therefore be held in the snapshot although its limits permit it. Returns -1
 * if out of memory. */
static int check_all_limits(struct fsi_flux_plan *r)
{
	bool *is_checked = calloc(r->plan->m->association.n + 1, sizeof(*is_checked));
	int rc = is_checked ? 0 : -1;

	for (size_t i = 0; i < r->held->held.n && rc >= 0; i++) {
		const struct held_job *held = &r->held->held.v[i];

		if (!held->has_limits || held->assoc == FSI_NO_INDEX || is_checked[held->assoc])
			continue;
		is_checked[held->assoc] = true;
		rc = check_association_limits(r, held->assoc);
	}
	free(is_checked);
	return rc < 0 ? -1 : 0;
}

/* Returns the first time after r->now that is the begin time of a job in DEPEND; INT64_MAX: none. */
static int64_t get_next_begin_time(const struct fsi_flux_plan *r)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < r->held->dependency.n; i++) {
		const struct job_dependency *d = &r->held->dependency.v[i];

		if (d->kind == DEPENDS_ON_TIME && !d->met && d->time > r->now && d->time < next)
			next = d->time;
	}
	return next;
}

/* Returns true if any job is still in DEPEND. */
static bool has_held_jobs(const struct fsi_flux_plan *r)
{
	return r->held->nheld > 0;
}

/* Run time in seconds that is assumed for a job without a time limit: longer than any real run time. */
static const int64_t no_limit_s = INT64_C(1) << 40;

/* ---- the request of a job */

/* Sets *w to the job's request, and r->usable to the nodes that the job may use. Returns false if the number of slots
 * of the request is unknown. */
static bool make_job_request(struct fsi_flux_plan *r, uint32_t job, struct fsi_timeline_request *w)
{
	const fs_snapshot *m = r->plan->m;
	const struct fsi_job *j = &m->job.v[job];
	const struct fsi_flux_request q = fsi_flux_read_request(m, j);

	*w = (struct fsi_timeline_request){ .job = job,
					    .tasks = q.slots,
					    .min_nodes = q.nodes,
					    .whole_node = q.exclusive,
					    .takes_all_cpus = r->rules.whole_nodes,
					    .usable = r->usable };
	w->task_amount[FSI_TIMELINE_CPU] = q.cores;
	w->task_amount[FSI_TIMELINE_GPU] = q.gpus;
	w->limit_s = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) ? j->time_limit_s : no_limit_s;
	if (w->limit_s < 1)
		w->limit_s = 1;
	for (uint32_t i = 0; i < r->timeline.n; i++)
		r->usable[i] = fsi_flux_may_use_node(m, j, &m->node.v[r->timeline.node[i].row]);
	return q.slots > 0;
}

struct free_amounts_ctx {
	const struct fsi_flux_free_amounts *free;
};

/* Sort order: most free cores first, then most free GPUs first, then lowest node index first (Rv1Pool.py:
 * _sort_candidates). */
static int compare_most_free(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_flux_free_amounts *free = ((const struct free_amounts_ctx *)ctx)->free;

	if (free[a].cores != free[b].cores)
		return free[a].cores > free[b].cores ? -1 : 1;
	if (free[a].gpus != free[b].gpus)
		return free[a].gpus > free[b].gpus ? -1 : 1;
	return (a > b) - (a < b);
}

/* Returns the cores and GPUs that are free on the node at time `at`. */
static struct fsi_flux_free_amounts get_free_amounts(const struct fsi_timeline *t, uint32_t node, int64_t at)
{
	const struct fsi_timeline_request core = { .task_amount = { [FSI_TIMELINE_CPU] = 1 }, .limit_s = 1 };
	const struct fsi_timeline_request gpu = { .task_amount = { [FSI_TIMELINE_GPU] = 1 }, .limit_s = 1 };

	return (struct fsi_flux_free_amounts){ fsi_timeline_count_tasks(t, node, &core, at),
					       fsi_timeline_count_tasks(t, node, &gpu, at) };
}

/* Appends nodes to t->chosen, in the order of r->node_order, until the chosen nodes have all slots of the request. If
 * the request asks for a number of nodes, each node provides one slot. Otherwise each node provides as many slots as
 * fit (Rv1Pool.py: _select_resources). */
static void take_node_slots(struct fsi_flux_plan *r, const struct fsi_timeline_request *w, int64_t at,
			    int64_t *remaining)
{
	struct fsi_timeline *t = &r->timeline;

	for (uint32_t k = 0; k < t->n && *remaining > 0; k++) {
		int64_t slots = fsi_timeline_count_tasks(t, r->node_order[k], w, at);

		slots = w->min_nodes && slots > 1 ? 1 : slots;
		slots = slots > *remaining ? *remaining : slots;
		if (slots <= 0)
			continue;
		t->chosen[t->nchosen++] = (struct fsi_timeline_chosen){ r->node_order[k], slots };
		*remaining -= slots;
	}
}

/* Chooses nodes in r->timeline for the whole request at time `at`. Returns false if the request does not fit, or if out
 * of memory. */
static bool choose_job_nodes(struct fsi_flux_plan *r, const struct fsi_timeline_request *w, int64_t at)
{
	struct fsi_timeline *t = &r->timeline;
	const struct free_amounts_ctx frees = { r->free_amounts };
	int64_t remaining = w->tasks;

	t->nchosen = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		r->node_order[i] = r->rules.last_fit ? t->n - 1 - i : i;
		if (r->rules.worst_fit)
			r->free_amounts[i] = get_free_amounts(t, i, at);
	}
	if (r->rules.worst_fit && fs_sort(r->node_order, t->n, sizeof(*r->node_order), compare_most_free, &frees))
		return false;
	take_node_slots(r, w, at, &remaining);
	return remaining == 0;
}

static bool does_request_fit(const struct fsi_flux_plan *r, const struct fsi_timeline_request *w, int64_t at)
{
	int64_t remaining = w->tasks;

	for (uint32_t i = 0; i < r->timeline.n && remaining > 0; i++) {
		const int64_t slots = fsi_timeline_count_tasks(&r->timeline, i, w, at);

		remaining -= w->min_nodes && slots > 1 ? 1 : slots;
	}
	return remaining <= 0;
}

/* Returns the first time at which the request fits: now, or a later time at which the occupancy of a node changes.
 * Returns INT64_MAX if there is no such time or the search is given up (fsi_timeline_is_over_budget). */
static int64_t find_earliest_start(struct fsi_flux_plan *r, const struct fsi_timeline_request *w)
{
	if (does_request_fit(r, w, r->now))
		return r->now;
	fsi_timeline_list_changes(&r->timeline, NULL, r->now);
	for (size_t i = 0; i < r->timeline.change_times.n && !fsi_timeline_is_over_budget(&r->timeline); i++)
		if (r->timeline.change_times.v[i] < r->now + no_limit_s / 2 &&
		    does_request_fit(r, w, r->timeline.change_times.v[i]))
			return r->timeline.change_times.v[i];
	return INT64_MAX;
}

/* ---- running jobs */

/* A running job whose nodes are being added to the timeline. */
struct job_placement {
	struct fsi_flux_plan *r;
	/* indexed by name id of a node: 1 + index of the node in the timeline; 0: the node is not in the snapshot */
	const uint32_t *node_of;
	/* list of core counts, such as "4,4,2", one for each node that has not been added yet; "": core counts are not
	 * recorded, and the job is assumed to have equally many cores on all its nodes */
	const char *remaining_cores;
	uint32_t job, nodes; /* `job`: row of the job; `nodes`: number of its nodes */
	/* `start`, `end`: start and end of the job in seconds since the epoch; `total_cores`, `total_gpus`: cores and
	 * GPUs on all of the job's nodes */
	int64_t start, end, total_cores, total_gpus;
	struct fsi_flux_request request;
	/* `whole_nodes`: the job has its nodes exclusively; `has_unknown_node`: at least one node is not in the
	 * snapshot */
	bool whole_nodes, has_unknown_node;
};

/* Returns the number of GPUs that the job has on a node where it has `cores` cores. If the cores of each node are
 * recorded, computes the number from the job's slots on the node. Otherwise assumes that the job's GPUs are spread
 * evenly over its nodes. */
static int64_t get_node_gpus(const struct job_placement *p, int64_t cores)
{
	if (!*p->remaining_cores || !p->request.gpus)
		return (p->total_gpus + p->nodes - 1) / p->nodes;
	return cores / p->request.cores * p->request.gpus;
}

/* Enters the resources that the job uses on one of its nodes in the timeline; a callback of fsi_hostlist_expand_each
 * with a struct job_placement. */
static int hold_job_node(void *ctx, const char *name, size_t len)
{
	struct job_placement *p = ctx;
	const uint32_t id = fsi_name_find(p->r->plan->m, name);
	const uint32_t node = id ? p->node_of[id] : 0;
	struct fsi_timeline_hold h = { .start = p->start, .end = p->end, .job = p->job };

	(void)len;
	h.amount[FSI_TIMELINE_CPU] = *p->remaining_cores ? strtoll(p->remaining_cores, NULL, 10)
						     : (p->total_cores + p->nodes - 1) / p->nodes;
	h.amount[FSI_TIMELINE_GPU] = get_node_gpus(p, h.amount[FSI_TIMELINE_CPU]);
	p->remaining_cores += strcspn(p->remaining_cores, ",");
	p->remaining_cores += *p->remaining_cores == ',';
	if (node && p->whole_nodes)
		memcpy(h.amount, p->r->timeline.node[node - 1].total, sizeof(h.amount));
	if (!node)
		p->has_unknown_node = true;
	else
		fsi_timeline_add_hold(&p->r->timeline, node - 1, &h);
	return 0;
}

/* Enters the resources that a running job uses on its nodes in the timeline. */
static void place_running_job(struct fsi_flux_plan *r, uint32_t job, const uint32_t *node_of)
{
	const fs_snapshot *m = r->plan->m;
	const struct fsi_job *j = &m->job.v[job];
	struct job_placement p = { .r = r,
				   .node_of = node_of,
				   .job = job,
				   .remaining_cores = fsi_name_text(m, fsi_job_ext(m, j)->node_cores) };
	const int64_t n = fsi_hostlist_count_names(fsi_name_text(m, j->node_list), FSI_MAX_HOSTS);

	if (n <= 0) {
		r->plan->unplaced_jobs++;
		return;
	}
	p.nodes = (uint32_t)n;
	p.total_cores = j->cpus;
	p.whole_nodes = r->rules.whole_nodes || !strcmp(fsi_name_text(m, j->oversubscribe), "EXCLUSIVE");
	p.total_gpus = fsi_amount_of_tres(m, j->tres_req, fsi_name_find(m, "gres/gpu"));
	p.request = fsi_flux_read_request(m, j);
	p.start = j->start_time;
	p.end = FSI_HAS(j, JOB, end_time) ? j->end_time : r->now + no_limit_s;
	if (p.end <= r->now) /* Flux ends a job at its time limit: a job that has exceeded the limit ends now */
		p.end = r->now + 1;
	fsi_hostlist_expand_each(fsi_name_text(m, j->node_list), FSI_MAX_HOSTS, hold_job_node, &p);
	r->plan->unplaced_jobs += p.has_unknown_node;
}

static int place_running_jobs(struct fsi_flux_plan *r)
{
	const fs_snapshot *m = r->plan->m;
	uint32_t *node_of = calloc((size_t)m->names.count + 1, sizeof(*node_of));

	if (!node_of)
		return -1;
	for (uint32_t i = 0; i < r->timeline.n; i++)
		node_of[m->node.v[r->timeline.node[i].row].name] = i + 1;
	for (uint32_t i = 0; i < m->job.n; i++)
		if (fs_job_is_running(m, i))
			place_running_job(r, i, node_of);
	free(node_of);
	return 0;
}

/* ---- setup and release of the simulation's state */

/* Allocates an array in the arena of the simulation. Evaluates to NULL if out of memory. */
#define MAKE_ARRAY(r, member, n) ((r)->member = fsi_arena_array(&(r)->arena, n, sizeof(*(r)->member)))

/* Allocates the state of the simulation. Fills the timeline, the pending lists and the list of jobs in DEPEND. Returns
 * -1 if out of memory; the caller must then call release_flux_simulation too. */
static int init_flux_simulation(struct fsi_flux_plan *r)
{
	const fs_snapshot *m = r->plan->m;
	const size_t nodes = m->node.n + 1;

	r->now = m->info.time;
	if (!MAKE_ARRAY(r, lists, r->plan->queue->record.n + 1) || !MAKE_ARRAY(r, usable, nodes) ||
	    !MAKE_ARRAY(r, free_amounts, nodes) || !MAKE_ARRAY(r, node_order, nodes) ||
	    !MAKE_ARRAY(r, freed_by, nodes) || !MAKE_ARRAY(r, never_runs, m->job.n + 1) ||
	    !MAKE_ARRAY(r, end_handled, m->job.n + 1) || fsi_timeline_init_nodes(&r->timeline, m))
		return -1;
	for (size_t i = 0; i < nodes; i++)
		r->freed_by[i] = FSI_NO_INDEX;
	return place_running_jobs(r) || make_pending_lists(r) || init_held_jobs(r) ? -1 : 0;
}

static void release_flux_simulation(struct fsi_flux_plan *r)
{
	for (size_t i = 0; r->lists && i < r->nlists; i++) {
		FSI_VEC_FREE(&r->lists[i].job);
		FSI_VEC_FREE(&r->lists[i].reserved);
	}
	fsi_timeline_release(&r->timeline);
	free_held_jobs(r->held);
	fsi_arena_release(&r->arena);
}

/* ---- starts and refusals of jobs */

/* Stores the start of the job in its row of the plan. */
static void record_flux_start(struct fsi_flux_plan *r, const struct fsi_timeline_request *w)
{
	struct fsi_plan_row *row = fsi_timeline_record_start(r->plan, &r->timeline, w, r->now, r->freed_by);

	if (row->limit_s >= no_limit_s)
		row->limit_s = FS_UNKNOWN;
}

/* Starts the job now on the nodes chosen in r->timeline. Returns -1 if out of memory. */
static int start_flux_job(struct fsi_flux_plan *r, const struct fsi_timeline_request *w)
{
	r->npending--;
	fsi_timeline_hold_chosen(&r->timeline, w, r->now, r->now + w->limit_s);
	record_flux_start(r, w);
	return record_job_event(r, w->job, FSI_FLUX_STARTS);
}

/* Refuses the job: it leaves the queue without having run. Returns -1 if out of memory. */
static int refuse_flux_job(struct fsi_flux_plan *r, uint32_t job)
{
	r->npending--;
	return record_job_event(r, job, FSI_FLUX_REFUSED);
}

/* Starts the job now if it fits, or refuses the job if it can never run. Returns 1 if the job was started or refused, 0
 * if it does not fit now, -1 if out of memory. */
static int try_start_job(struct fsi_flux_plan *r, const struct fsi_timeline_request *w)
{
	if (r->never_runs[w->job])
		return refuse_flux_job(r, w->job) ? -1 : 1;
	if (!choose_job_nodes(r, w, r->now))
		return 0;
	r->starts_left--;
	return start_flux_job(r, w) ? -1 : 1;
}

/* ---- Fluxion's backfill: the policies easy, hybrid and conservative
 *
 * A loop tries a limited number of jobs of each queue (queue-depth). For the first jobs that do not fit, nodes are
 * reserved (flux-sched: qmanager/policies/queue_policy_bf_base_impl.hpp).
 *
 * The queues take turns: first each queue tries its first job (qmanager/modules/qmanager_callbacks.cpp:
 * check_watcher_cb), then each queue tries its next job (next_match_iter). A queue drops its reservations of the
 * previous loop when it tries its first job (run_sched_loop). At that moment, the queues after it still have their
 * reservations of the previous loop. */

static void drop_list_reservations(struct fsi_flux_plan *r, struct fsi_flux_pending_list *l)
{
	for (size_t i = 0; i < l->reserved.n; i++)
		fsi_timeline_drop_job(&r->timeline, l->reserved.v[i]);
	l->reserved.n = 0;
}

/* Reserves nodes for the job from time `at` on. Returns 1 if they are reserved, 0 if the job does not fit at that time,
 * -1 if out of memory. */
static int reserve_nodes_at(struct fsi_flux_plan *r, struct fsi_flux_pending_list *l,
			    const struct fsi_timeline_request *w, int64_t at)
{
	if (!choose_job_nodes(r, w, at))
		return 0;
	if (FSI_VEC_RESERVE(&l->reserved))
		return -1;
	l->reserved.v[l->reserved.n++] = w->job;
	fsi_timeline_hold_chosen(&r->timeline, w, at, at + w->limit_s);
	return 1;
}

/* Reserves nodes for the job from its earliest start on. Returns 1 if they are reserved, 0 if the job has no start,
 * -1 if out of memory. */
static int reserve_earliest_nodes(struct fsi_flux_plan *r, struct fsi_flux_pending_list *l,
				  const struct fsi_timeline_request *w)
{
	const int64_t at = find_earliest_start(r, w);

	return at == INT64_MAX ? 0 : reserve_nodes_at(r, l, w, at);
}

/* A pending job for which Fluxion had reserved nodes when the snapshot was taken. */
struct reserved_job {
	struct fsi_flux_pending_list *list;
	uint32_t job;
	int64_t start;
};

static int compare_reserved_starts(const void *x, const void *y, const void *ctx)
{
	const struct reserved_job *a = x, *b = y;

	(void)ctx;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return a->list != b->list ? (a->list > b->list) - (a->list < b->list) : (a->job > b->job) - (a->job < b->job);
}

/* Fills `reserved` with the jobs whose estimated start in the snapshot has not passed. Returns the number of jobs. An
 * estimated start at r->now is stored as r->now + 1. */
static size_t find_reserved_jobs(const struct fsi_flux_plan *r, struct reserved_job *reserved)
{
	const struct fsi_job *job = r->plan->m->job.v;
	size_t n = 0;

	for (size_t i = 0; i < r->nlists; i++)
		for (size_t k = 0; k < r->lists[i].job.n; k++) {
			const uint32_t row = r->lists[i].job.v[k];
			const int64_t start = job[row].start_time;

			if (FSI_HAS(&job[row], JOB, start_time) && start >= r->now)
				reserved[n++] =
					(struct reserved_job){ &r->lists[i], row, start > r->now ? start : r->now + 1 };
		}
	return n;
}

/* Restores the reservations of Fluxion's last loop before the snapshot. A job with an estimated start had a
 * reservation, since Fluxion removes the estimates of all other jobs (post_sched_loop). The snapshot does not have the
 * reserved nodes. Nodes are therefore chosen again, first for the job with the earliest start. Returns -1 if out of
 * memory. */
static int restore_last_reservations(struct fsi_flux_plan *r)
{
	struct reserved_job *reserved = malloc((r->npending + 1) * sizeof(*reserved));
	const size_t n = reserved ? find_reserved_jobs(r, reserved) : 0;
	int rc = !reserved || fs_sort(reserved, n, sizeof(*reserved), compare_reserved_starts, NULL) ? -1 : 0;

	for (size_t i = 0; i < n && rc >= 0; i++) {
		struct fsi_timeline_request w;

		if (reserved[i].list->reserved.n >= r->rules.reservations || !make_job_request(r, reserved[i].job, &w))
			continue;
		rc = reserve_nodes_at(r, reserved[i].list, &w, reserved[i].start);
		/* If the job does not fit, try the next second: the snapshot has times rounded down to whole seconds,
		 * both for the reserved start and for the end of the job that frees the nodes. */
		if (!rc)
			rc = reserve_nodes_at(r, reserved[i].list, &w, reserved[i].start + 1);
	}
	free(reserved);
	return rc < 0 ? -1 : 0;
}

/* Returns true if the list has a job that the loop must still try. */
static bool has_next_job(const struct fsi_flux_plan *r, const struct fsi_flux_pending_list *l)
{
	return l->next < l->job.n && l->tried < r->rules.depth && !fsi_timeline_is_over_budget(&r->timeline);
}

/* Tries to start the next job of the list, or to reserve nodes for it. Returns -1 if out of memory. */
static int try_next_job(struct fsi_flux_plan *r, struct fsi_flux_pending_list *l)
{
	struct fsi_timeline_request w;
	int rc = make_job_request(r, l->job.v[l->next], &w) ? try_start_job(r, &w) : 0;

	l->tried++;
	if (rc == 1) {
		remove_pending_job(l, l->next);
		return 0;
	}
	if (!rc && l->reserved.n < r->rules.reservations) {
		rc = reserve_earliest_nodes(r, l, &w);
		l->tried -= rc == 0; /* a job that fits at no time does not count as tried */
	}
	l->next++;
	return rc < 0 ? -1 : 0;
}

/* Runs one scheduling loop of Fluxion's backfill, which tries the jobs of all lists in r->lists. Returns -1 if out of
 * memory. */
static int run_fluxion_backfill(struct fsi_flux_plan *r)
{
	bool any = true;

	for (size_t i = 0; i < r->nlists; i++)
		r->lists[i].next = r->lists[i].tried = 0;
	for (bool first = true; any; first = false) {
		any = false;
		for (size_t i = 0; i < r->nlists; i++) {
			struct fsi_flux_pending_list *l = &r->lists[i];

			if (first)
				drop_list_reservations(r, l);
			if (!has_next_job(r, l))
				continue;
			any = true;
			if (try_next_job(r, l))
				return -1;
		}
	}
	return 0;
}

/* ---- the scheduler, its policy, and the assumptions of the plan
 *
 * By default flux-core loads sched-simple (etc/modprobe/modprobe.toml). The job-manager sends the first 8 jobs to
 * sched-simple (sched-fifo.py: queue_depth) and all jobs to sched-backfill (scheduler.py: queue_depth). Fluxion's
 * defaults are the policy fcfs and queue-depth 32. The policy easy reserves nodes for 1 job, hybrid for 64,
 * conservative for all (flux-sched: flux-config-sched-fluxion-qmanager(5), qmanager/policies/). */

enum {
	SIMPLE_DEPTH = 8,
	FLUXION_DEPTH = 32,
	MAX_FLUXION_DEPTH = 1000000,
	EASY_RESERVATIONS = 1,
	HYBRID_RESERVATIONS = 64,
	MAX_RESERVATIONS = 100000
};

/* Returns a number from the configuration, or `max` if the number is greater than `max`. Returns `default_value` if the
 * number is not set or not positive. */
static uint32_t read_positive_number(const fs_snapshot *m, const char *name, uint32_t default_value, uint32_t max)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e || e->kind != FSI_CONFIG_INT || e->i < 1)
		return default_value;
	return e->i < max ? (uint32_t)e->i : max;
}

static bool contains_text_part(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* Sets the rules that follow from Fluxion's match policy, which is a name or a list of options (flux-sched:
 * resource/policies/dfu_match_policy_factory.cpp). The default "first" chooses the first nodes that fit. */
static void set_match_policy(const char *policy, struct fsi_flux_plan_rules *r)
{
	r->whole_nodes = contains_text_part(policy, "nodex") || contains_text_part(policy, "node_exclusive=true");
	r->last_fit = !strncmp(policy, "hi", strlen("hi")) || (contains_text_part(policy, "policy=high") &&
							       !contains_text_part(policy, "stop_on_1_matches=true"));
}

/* Sets the rules of Fluxion from the configuration in the snapshot. */
static void set_fluxion_rules(const fs_snapshot *m, struct fsi_flux_plan_rules *r)
{
	const char *chosen = fs_snapshot_config_text(m, "fluxion_match_policy");
	const char *policy = fs_snapshot_config_text(m, "fluxion_queue_policy");

	set_match_policy(chosen ? chosen : "first", r);
	r->name = policy ? policy : "fcfs";
	r->list_per_queue = true;
	r->worst_fit = false;
	r->depth = read_positive_number(m, "fluxion_queue_depth", FLUXION_DEPTH, MAX_FLUXION_DEPTH);
	r->policy = strcmp(r->name, "fcfs") ? FSI_FLUX_RESERVE : FSI_FLUX_FIFO;
	r->reservations = !strcmp(r->name, "easy")     ? EASY_RESERVATIONS
			  : !strcmp(r->name, "hybrid") ? read_positive_number(m, "fluxion_reservation_depth",
									      HYBRID_RESERVATIONS, MAX_RESERVATIONS)
						       : MAX_RESERVATIONS;
}

void fsi_flux_plan_read_rules(const fs_snapshot *m, bool by_priority, struct fsi_flux_plan_rules *r)
{
	const char *module = fs_snapshot_config_text(m, "flux_scheduler");
	const bool policy = fs_snapshot_config_text(m, "fluxion_queue_policy") != NULL;

	*r = (struct fsi_flux_plan_rules){ .policy = FSI_FLUX_FIFO,
					   .name = "first come, first served",
					   .worst_fit = true,
					   .module_known = module || policy,
					   .depth = SIMPLE_DEPTH };
	r->module = module ? module : policy ? "sched-fluxion-qmanager" : "sched-simple";
	if (!strcmp(r->module, "sched-fluxion-qmanager")) {
		set_fluxion_rules(m, r);
	} else if (!strcmp(r->module, "sched-backfill")) {
		r->policy = FSI_FLUX_SHADOW;
		r->depth = UINT32_MAX;
		r->name = "backfill";
	}
	if (by_priority)
		r->policy = FSI_FLUX_FIFO;
}

/* Adds the assumptions about the scheduler and its policy to the plan. */
static void assume_scheduler_policy(struct fs_plan *p, const struct fsi_flux_plan_rules *r)
{
	if (!r->module_known)
		fsi_plan_add_assumption(
			p,
			"The capture does not name the scheduler module: sched-simple, flux-core's default, is assumed.");
	if (r->policy == FSI_FLUX_FIFO)
		fsi_plan_add_assumption(p, "%s: if a job cannot start, no later job %s starts (%s).", r->module,
					r->list_per_queue ? "of its queue" : "of any queue", r->name);
	else if (r->policy == FSI_FLUX_SHADOW)
		fsi_plan_add_assumption(p,
					"%s: if the first job cannot start, a later job starts only if its time "
					"limit ends before the first job's start.",
					r->module);
	else
		fsi_plan_add_assumption(p,
					"%s: %s backfill. Each loop tries %u jobs of a queue (queue-depth) and "
					"reserves nodes for the first %u jobs that cannot start.",
					r->module, r->name, r->depth, r->reservations);
}

/* Returns true if the snapshot has the jobspec of any job: the features, the requested TRES or the exclusive flag of a
 * job are known. */
static bool has_any_jobspec(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (FSI_HAS(&m->job.v[i], JOB, features) || FSI_HAS(&m->job.v[i], JOB, tres_req) ||
		    FSI_HAS(&m->job.v[i], JOB, oversubscribe))
			return true;
	return false;
}

/* Returns true if any pending job is in DEPEND. */
static bool has_any_dependent(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_PENDING &&
		    !strcmp(fsi_name_text(m, fsi_job_ext(m, &m->job.v[i])->phase), "DEPEND"))
			return true;
	return false;
}

/* Adds all assumptions about Flux to the plan. The real order of starts and releases depends on timing: flux-core sends
 * messages to release jobs, and starts one job in each iteration of its reactor (scheduler.py: schedule). */
static void add_flux_assumptions(struct fs_plan *p)
{
	struct fsi_flux_plan_rules r;

	fsi_flux_plan_read_rules(p->m, p->mode == FS_PLAN_BY_PRIORITY, &r);
	fsi_plan_add_assumption(p, "Every job runs for its whole time limit.");
	fsi_plan_add_assumption(p, "No job arrives, is changed or cancelled, and no node changes state.");
	fsi_plan_add_assumption(p, "Dependencies and limits release jobs when other jobs start and end in the "
				   "plan; a job that reaches its time limit counts as successful.");
	if (has_any_dependent(p->m))
		fsi_plan_add_assumption(p, "If several jobs can start at the same time, they start one by one. Jobs that a "
					   "start releases join the queue before the next start. Flux may release these "
					   "jobs later.");
	fsi_plan_add_assumption(p, "Priorities stay as they are now.");
	assume_scheduler_policy(p, &r);
	if (!has_any_jobspec(p->m))
		fsi_plan_add_assumption(p, "No captured jobspec asks for GPUs, whole nodes or properties: jobs are "
					   "planned by their cores and nodes.");
	if (p->unplaced_jobs)
		fsi_plan_add_assumption(p,
					"Running jobs on nodes that are unknown or not in the "
					"snapshot: %u. Their resources there count as free.",
					p->unplaced_jobs);
}

enum { MAX_LOOPS = 200000 };

/* ---- one loop of the scheduler */

/* Starts jobs of the list in order until one does not fit. Removes jobs with an unknown request from the list. Returns
 * -1 if out of memory. */
static int run_fifo_pass(struct fsi_flux_plan *r, struct fsi_flux_pending_list *l)
{
	int rc = 1;

	while (l->job.n && rc == 1 && r->starts_left) {
		struct fsi_timeline_request w;

		rc = make_job_request(r, l->job.v[0], &w) ? try_start_job(r, &w) : 1;
		if (rc == 1)
			remove_pending_job(l, 0);
	}
	return rc < 0 ? -1 : 0;
}

/* Starts jobs of the list with the policy FSI_FLUX_SHADOW. After the first job that does not fit, a later job starts if
 * its time limit ends by the earliest start of that first job. A later job without a time limit does not start
 * (sched-backfill.py: schedule). Returns -1 if out of memory. */
static int run_shadow_pass(struct fsi_flux_plan *r, struct fsi_flux_pending_list *l)
{
	struct fsi_timeline_request w;
	int64_t shadow_time;

	if (run_fifo_pass(r, l))
		return -1;
	if (!l->job.n || !r->starts_left)
		return 0;
	make_job_request(r, l->job.v[0], &w);
	shadow_time = find_earliest_start(r, &w);
	for (size_t i = 1; i < l->job.n && i < r->rules.depth && shadow_time < INT64_MAX && r->starts_left &&
			   !fsi_timeline_is_over_budget(&r->timeline);) {
		int rc = 0;

		if (make_job_request(r, l->job.v[i], &w) && w.limit_s <= shadow_time - r->now)
			rc = try_start_job(r, &w);
		if (rc < 0)
			return -1;
		if (rc)
			remove_pending_job(l, i);
		else
			i++;
	}
	return 0;
}

/* Makes one pass over each queue's list of pending jobs, by the configured scheduling policy. Returns -1 if out of
 * memory. */
static int run_all_lists(struct fsi_flux_plan *r)
{
	int rc = 0;

	if (r->rules.policy == FSI_FLUX_RESERVE)
		return run_fluxion_backfill(r);
	for (size_t i = 0; i < r->nlists && !rc; i++)
		rc = r->rules.policy == FSI_FLUX_FIFO ? run_fifo_pass(r, &r->lists[i])
						      : run_shadow_pass(r, &r->lists[i]);
	return rc;
}

/* Runs one loop: makes passes over the pending lists until no more jobs are released. flux-core's own schedulers handle
 * messages after each start, including messages about released jobs (scheduler.py: schedule). With these
 * schedulers, the first pass therefore starts only one job. The jobs that this start releases join their pending list
 * before the second pass. The nodes of an ended job are free before its dependent jobs are released (flux-core:
 * job-manager/event.c: CLEANUP frees the nodes, INACTIVE follows). Returns -1 if out of memory. */
static int run_one_loop(struct fsi_flux_plan *r)
{
	int rc;

	r->starts_left = r->rules.list_per_queue ? UINT32_MAX : 1;
	if (run_all_lists(r) || release_held_jobs(r) < 0)
		return -1;
	r->starts_left = UINT32_MAX;
	do {
		if (run_all_lists(r))
			return -1;
		rc = fsi_timeline_is_over_budget(&r->timeline) ? 0 : release_held_jobs(r);
	} while (rc > 0);
	return rc;
}

/* ---- the simulation: repeated loops of the scheduler */

/* Sets r->freed_by[node] to a job that has just ended on the node; FSI_NO_INDEX: none. Records an event for each such
 * job, unless the event was already recorded for another node. Returns -1 if out of memory. */
static int end_node_jobs(struct fsi_flux_plan *r, uint32_t node)
{
	const struct fsi_timeline_node *n = &r->timeline.node[node];

	r->freed_by[node] = FSI_NO_INDEX;
	for (size_t k = 0; k < n->hold.n; k++) {
		const uint32_t job = n->hold.v[k].job;

		if (n->hold.v[k].end > r->now)
			continue;
		r->freed_by[node] = job;
		if (!r->end_handled[job] && record_job_event(r, job, FSI_FLUX_ENDS))
			return -1;
		r->end_handled[job] = true;
	}
	return 0;
}

static int end_finished_jobs(struct fsi_flux_plan *r)
{
	for (uint32_t i = 0; i < r->timeline.n; i++)
		if (end_node_jobs(r, i))
			return -1;
	fsi_timeline_drop_ended(&r->timeline, r->now);
	return 0;
}

/* Returns the next time at which the occupancy of a node changes or a begin time is reached; INT64_MAX: none. */
static int64_t get_next_event_time(const struct fsi_flux_plan *r)
{
	const int64_t hold_change = fsi_timeline_next_change(&r->timeline, r->now), begin = get_next_begin_time(r);

	return hold_change < begin ? hold_change : begin;
}

/* Runs at most MAX_LOOPS loops. Stops when no pending job is left, no later loop can start a job, the work exceeds
 * `work_budget`, or fsi_plan_is_settled returns true. Returns -1 if out of memory. */
static int run_all_loops(struct fsi_flux_plan *r, uint64_t work_budget)
{
	const int64_t a_century_s = INT64_C(3200000000);

	r->timeline.work_budget = work_budget;
	if ((r->rules.policy == FSI_FLUX_RESERVE && restore_last_reservations(r)) ||
	    (r->plan->m->priorities_updated && check_all_limits(r)))
		return -1;
	for (uint32_t k = 0; (r->npending || has_held_jobs(r)) && k < MAX_LOOPS; k++) {
		int64_t next;

		if (fsi_plan_is_settled(r->plan, r->now))
			return 0;
		if (run_one_loop(r))
			return -1;
		if (fsi_timeline_is_over_budget(&r->timeline)) {
			r->plan->over_budget = true;
			return 0;
		}
		next = get_next_event_time(r);
		/* only assumed ends of jobs without a time limit are left, so the simulation ends */
		r->is_over = next > r->plan->m->info.time + a_century_s;
		if (r->is_over)
			return 0;
		r->now = next;
		if (end_finished_jobs(r))
			return -1;
	}
	r->is_over = !r->npending && !has_held_jobs(r);
	return 0;
}

/* Sets the state of a row without a start from the queue's verdict on the job (fs_queue_verdict). A begin time in the
 * verdict is stored as the start. */
static void set_verdict_state(const struct fs_plan *p, struct fsi_plan_row *row)
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

/* Sets the state of the rows without a start. `ended`: no later loop can start a job. If `ended` is false, eligible
 * jobs keep the state NO_START. */
static void set_verdict_states(struct fs_plan *p, bool ended)
{
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].state == FS_PLAN_NO_START && (ended || !p->row[i].eligible))
			set_verdict_state(p, &p->row[i]);
}

static int plan_flux_jobs(struct fs_plan *p, struct fs_error *err)
{
	struct fsi_flux_plan r = { .plan = p };
	int rc = 0;

	for (size_t i = 0; i < p->m->node.n; i++)
		if (!FSI_HAS(&p->m->node.v[i], NODE, cpus))
			return fsi_fail_with_code(err, FS_ENODATA,
						  "%s: cannot plan starts: the snapshot lacks the number of cores of some nodes",
						  p->m->file);
	fsi_flux_plan_read_rules(p->m, p->mode == FS_PLAN_BY_PRIORITY, &r.rules);
	p->resolution_s = 1;
	if (fsi_plan_make_rows(p, false) || init_flux_simulation(&r) || run_all_loops(&r, p->work_budget))
		rc = fsi_fail_no_memory(err);
	if (r.timeline.out_of_memory || p->out_of_memory)
		rc = fsi_fail_no_memory(err);
	if (!rc)
		set_verdict_states(p, r.is_over);
	p->work = r.timeline.work ? *r.timeline.work : 0;
	release_flux_simulation(&r);
	return rc;
}

const struct fsi_plan_scheduler fsi_plan_of_flux = { .run = plan_flux_jobs, .add_assumptions = add_flux_assumptions };
