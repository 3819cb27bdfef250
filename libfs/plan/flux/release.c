/* What lets jobs of Flux go that wait in DEPEND while the plan goes on.
 *
 * after-start, after-finish and after-success: when the other job starts, or is over; one that runs to its limit is
 *   taken to end well, so that after-failure and after-except are never met (flux-core: plugins/dependency-after.c)
 * begin-time: then (plugins/begin-time.c)
 * singleton: when all jobs of that name of its owner's that are left are singletons that wait, the first of these
 *   (plugins/dependency-singleton.c)
 * limits: whenever a job of the association starts or ends, its held jobs are looked at one after the other, and each
 *   limit that has room releases together with those released before it (flux-accounting: plugins/mf_priority.cpp,
 *   check_and_release_held_jobs) */
#include "plan/flux/flux.h"

#include "model/flux/flux.h"
#include "priority/flux.h"
#include "queue/verdict/verdict.h"

#include <stdlib.h>
#include <string.h>

enum kind { OF_LIMIT, OF_START, OF_END, OF_SUCCESS, OF_TIME, OF_SINGLETON, OF_NOTHING };

struct dependency {
	enum kind kind;
	uint32_t of;  /* job row; OF_LIMIT: the job's hold of that number */
	int64_t time; /* OF_TIME */
	bool met;
};

struct held {
	uint32_t job, assoc, first, n; /* first, n: its dependencies */
	bool limits, waits;            /* limits: do they hold it yet; waits: does anything? */
};

struct told {
	uint32_t job;
	enum fsi_flux_event event;
};

struct fsi_flux_held {
	fs_holds *holds;
	FSI_VEC(struct dependency) dependency;
	FSI_VEC(struct held) held; /* by job id: in the order in which they were submitted */
	FSI_VEC(struct told) told;
	struct fsi_job_arrays arrays; /* Flux has no arrays: these are empty */
	bool *over; /* by job row */
	size_t waits;
};

/* ---- what holds them */

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

static int add_needs(struct fsi_flux_run *r, uint32_t job)
{
	const fs_snapshot *m = r->p->c.m;
	const struct fsi_job *j = &m->job.v[job];
	struct fs_verdict v = { 0 };
	int rc = fsi_verdict_needs(m, &r->held->arrays, j, &r->p->c.arena, &v);

	for (size_t i = 0; i < v.nneeds && !rc; i++) {
		struct dependency d = { .kind = kind_of(v.needs[i].kind), .of = v.needs[i].job_row };

		if (d.kind == OF_TIME && !fsi_flux_begins(j, v.needs[i].kind, &d.time))
			d.kind = OF_NOTHING;
		rc = add_dependency(r->held, d);
	}
	return rc;
}

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

static int add_held(struct fsi_flux_run *r, uint32_t job)
{
	struct fsi_flux_held *h = r->held;
	const struct fsi_job *j = &r->p->c.m->job.v[job];
	struct held held = {
		.job = job, .assoc = fsi_flux_assoc(r->p->c.m, j), .first = (uint32_t)h->dependency.n, .waits = true
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

int fsi_flux_held_init(struct fsi_flux_run *r)
{
	const fs_snapshot *m = r->p->c.m;
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

void fsi_flux_held_free(struct fsi_flux_held *h)
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

/* ---- who is released */

static bool all_met(const struct fsi_flux_held *h, const struct held *held)
{
	for (uint32_t i = 0; i < held->n; i++)
		if (!h->dependency.v[held->first + i].met)
			return false;
	return true;
}

/* The job is in SCHED; a priority of 0, or a stopped queue, keeps it from the scheduler all the same. */
static int to_sched(struct fsi_flux_run *r, struct held *held)
{
	const struct fs_queue *q = r->p->queue;
	const struct fsi_queue_record *record = &q->record.v[q->record_of[held->job]];

	held->waits = false;
	r->held->waits--;
	if (fsi_flux_move(r->held->holds, held->job, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED))
		return -1;
	if (!(record->priority > 0) || fsi_flux_stopped(r->p->c.m, record->partition))
		return 0;
	return fsi_flux_line_up(r, record) ? -1 : 1;
}

/* Its limits have room, as had the ones checked before. A job that all of them release is counted in the pass, apart
 * from the counts. */
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

/* Does any other job of that name of the owner's run or wait, so that this one must wait? */
static bool singleton_waits(const struct fsi_flux_run *r, const struct held *one)
{
	const fs_snapshot *m = r->p->c.m;
	const struct fsi_job *j = &m->job.v[one->job];
	const struct fsi_flux_held *h = r->held;

	for (uint32_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].user == j->user && m->job.v[i].name == j->name && !h->over[i] &&
		    (i != one->job &&
		     (m->job.v[i].id < j->id || !strstr(fsi_str(m, m->job.v[i].dependency), "singleton"))))
			return true;
	return false;
}

static bool is_met(const struct fsi_flux_run *r, const struct held *held, const struct dependency *d)
{
	switch (d->kind) {
	case OF_TIME:
		return d->time <= r->now;
	case OF_SINGLETON:
		return FSI_HAS(&r->p->c.m->job.v[held->job], JOB, name) && !singleton_waits(r, held);
	default:
		return false;
	}
}

/* Looks at jobs that wait for a time, or for all others of their name, and at those that have nothing left to wait
 * for. */
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

int fsi_flux_note_event(struct fsi_flux_run *r, uint32_t job, enum fsi_flux_event event)
{
	struct fsi_flux_held *h = r->held;

	if (FSI_VEC_ROOM(&h->told))
		return -1;
	h->told.v[h->told.n++] = (struct told){ job, event };
	return 0;
}

/* A job that never ran satisfies after-finish alone; all else that depends on it is never met. */
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

static int move(struct fsi_flux_held *h, const struct told *t)
{
	return fsi_flux_move(h->holds, t->job, t->event == FSI_FLUX_ENDS ? FSI_FLUX_IN_RUN : FSI_FLUX_IN_SCHED,
			     t->event == FSI_FLUX_STARTS ? FSI_FLUX_IN_RUN : FSI_FLUX_NOT_COUNTED);
}

int fsi_flux_release(struct fsi_flux_run *r)
{
	struct fsi_flux_held *h = r->held;
	int rc = 0, any = 0;

	for (size_t i = 0; i < h->told.n && rc >= 0; i++) {
		const struct told t = h->told.v[i];

		meet(r, &t);
		rc = move(h, &t) ? -1 : look_at_association(r, fsi_flux_assoc(r->p->c.m, &r->p->c.m->job.v[t.job]));
		any |= rc > 0;
	}
	h->told.n = 0;
	if (rc >= 0)
		rc = look_at_others(r);
	return rc < 0 ? -1 : any | (rc > 0);
}

int fsi_flux_look_at_all(struct fsi_flux_run *r)
{
	bool *looked = calloc(r->p->c.m->association.n + 1, sizeof(*looked));
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

int64_t fsi_flux_next_begin(const struct fsi_flux_run *r)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < r->held->dependency.n; i++) {
		const struct dependency *d = &r->held->dependency.v[i];

		if (d->kind == OF_TIME && !d->met && d->time > r->now && d->time < next)
			next = d->time;
	}
	return next;
}

bool fsi_flux_holds_any(const struct fsi_flux_run *r)
{
	return r->held->waits > 0;
}
