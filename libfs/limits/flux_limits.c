#include "limits/flux_limits.h"

#include "base/error.h"
#include "base/vec.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "priority/flux.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In SCHED a job of Flux has a priority, unless a command has made one that is not computed yet. */

static bool any_without_priority(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (fsi_flux_in_sched(m, &m->job.v[i]) && !FSI_HAS(&m->job.v[i], JOB, priority))
			return true;
	return false;
}

/* By job row: the priority that a job of SCHED without one would get; NAN where that is not known, or it has one and
 * no other lacks it. NULL without memory. */
static double *flux_computed(const fs_snapshot *m, struct fsi_arena *arena)
{
	double *computed = fsi_arena_array(arena, m->job.n + 1, sizeof(*computed));
	struct fs_prio_row row;
	struct fs_error err;
	fs_prios *p = NULL;
	int rc = 0;

	for (size_t i = 0; computed && i < m->job.n; i++)
		computed[i] = NAN;
	if (computed && any_without_priority(m))
		rc = fs_prios_compute(&p, m, NULL, &err);
	for (size_t i = 0; p && i < fs_prios_count(p); i++) {
		fs_prios_brief(p, i, &row);
		computed[row.job_row] = row.priority;
	}
	fs_prios_free(p);
	return rc == FS_ENOMEM ? NULL : computed;
}

/* What a pending job of Flux waits for: its dependencies, of which flux-accounting's limits are some
 * (src/plugins/mf_priority.cpp, accounting.cpp), and the holds.
 *
 * A limit counts per association: a user in a bank; those of a queue count his jobs in that queue. A job that
 * names no nodes counts as one. */

enum count { RUN_JOBS, RUN_NODES, RUN_CORES, SCHED_JOBS, SCHED_NODES, SCHED_CORES, COUNTS };

static const struct limit {
	const char *dependency, *name; /* name: its column in flux-accounting's tables */
	bool queue;
	enum count count;
	unsigned bit; /* of the association or partition */
	size_t offset;
} limits[] = {
#define OF_USER(dependency, name, count, member)                                                   \
	{ dependency, name, false, count, FSI_ASSOCIATION_##member, offsetof(struct fsi_association, member) }
#define FLUX_LIMITS_OF_QUEUE(dependency, name, count, member)                                                  \
	{ dependency, name, true, count, FSI_PARTITION_##member, offsetof(struct fsi_partition, member) }
	OF_USER("max-running-jobs-user-limit", "max_running_jobs", RUN_JOBS, max_jobs),
	OF_USER("max-resources-user-limit", "max_nodes", RUN_NODES, max_nodes),
	OF_USER("max-resources-user-limit", "max_cores", RUN_CORES, max_cores),
	OF_USER("max-sched-jobs-user-limit", "max_sched_jobs", SCHED_JOBS, max_sched_jobs),
	FLUX_LIMITS_OF_QUEUE("max-run-jobs-queue", "max_running_jobs", RUN_JOBS, max_jobs_per_assoc),
	FLUX_LIMITS_OF_QUEUE("max-resources-queue", "max_nodes_per_assoc", RUN_NODES, max_nodes_per_assoc),
	FLUX_LIMITS_OF_QUEUE("max-sched-jobs-queue-limit", "max_sched_jobs", SCHED_JOBS, max_sched_jobs),
	FLUX_LIMITS_OF_QUEUE("max-sched-nodes-queue-limit", "max_sched_nodes_per_assoc", SCHED_NODES, max_sched_nodes),
	FLUX_LIMITS_OF_QUEUE("max-sched-cores-queue-limit", "max_sched_cores_per_assoc", SCHED_CORES, max_sched_cores),
};
enum { LIMITS = sizeof(limits) / sizeof(*limits) };

struct counts {
	int64_t n[COUNTS];
};

struct hold {
	uint32_t job;
	struct fs_hold_row row;
};

struct fs_holds {
	const fs_snapshot *m;
	struct fsi_arena arena;
	struct fsi_intern keys; /* association and queue (or ALL_QUEUES) to a number */
	FSI_VEC(struct counts) counts; /* by that number */
	FSI_VEC(struct hold) hold;     /* by job */
	double *computed;	       /* flux_computed */
	uint32_t *first;               /* by job: its first in hold */
};

enum { ALL_QUEUES = UINT32_MAX };

static struct counts *counts_of(struct fs_holds *h, uint32_t assoc, uint32_t queue)
{
	const uint32_t key[2] = { assoc, queue }, id = fsi_intern(&h->keys, key, sizeof(key));

	if (id == FSI_INTERN_FAILED)
		return NULL;
	while (h->counts.n <= id) {
		if (FSI_VEC_ROOM(&h->counts))
			return NULL;
		h->counts.v[h->counts.n++] = (struct counts){ { 0 } };
	}
	return &h->counts.v[id];
}

/* As the jobspec has them: what a job has been given is not counted (plugins/mf_priority.cpp: increment_resources). */
static int64_t counted_nodes(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, asked_nodes) ? fsi_job_rare(m, job)->asked_nodes : job->nodes ? job->nodes : 1;
}

static int64_t counted_cores(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, asked_cores) ? fsi_job_rare(m, job)->asked_cores : job->cpus;
}

/* by is 1, or -1 to take the job away. */
static void add_counts(const fs_snapshot *m, struct counts *c, const struct fsi_job *job, bool run, int by)
{
	const int64_t nodes = counted_nodes(m, job), cores = counted_cores(m, job);

	c->n[run ? RUN_JOBS : SCHED_JOBS] += by;
	c->n[run ? RUN_NODES : SCHED_NODES] += by * nodes;
	c->n[run ? RUN_CORES : SCHED_CORES] += by * cores;
}

int fsi_flux_move(struct fs_holds *h, uint32_t job_row, enum fsi_flux_counted from, enum fsi_flux_counted to)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const uint32_t assoc = fsi_flux_assoc(h->m, job), queues[] = { ALL_QUEUES, fsi_flux_queue(h->m, job) };

	for (size_t i = 0; i < 2 && assoc != FSI_NO_INDEX; i++) {
		struct counts *c = counts_of(h, assoc, queues[i]);

		if (!c)
			return -1;
		if (from != FSI_FLUX_NOT_COUNTED)
			add_counts(h->m, c, job, from == FSI_FLUX_IN_RUN, -1);
		if (to != FSI_FLUX_NOT_COUNTED)
			add_counts(h->m, c, job, to == FSI_FLUX_IN_RUN, 1);
	}
	return 0;
}

static int count_jobs(struct fs_holds *h)
{
	const fs_snapshot *m = h->m;
	int rc = 0;

	for (uint32_t i = 0; i < m->job.n && !rc; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (job->state == FSI_STATE_RUNNING)
			rc = fsi_flux_move(h, i, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_RUN);
		else if (fsi_flux_in_sched(m, job))
			rc = fsi_flux_move(h, i, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED);
	}
	return rc;
}

/* From flux-accounting after 0.60.0 on (plugins/accounting.cpp: under_queue_max_resources). */
static bool counts_sched(const fs_snapshot *m, const struct limit *l, const struct fsi_job *job)
{
	const struct fsi_partition *q = l->queue && l->count == RUN_NODES ? fsi_first_partition(m, job) : NULL;

	return q && FSI_HAS(q, PARTITION, counts_sched) && q->counts_sched;
}

static double used(const struct fs_holds *h, const struct limit *l, uint32_t assoc, const struct fsi_job *job)
{
	const uint32_t key[2] = { assoc, l->queue ? fsi_flux_queue(h->m, job) : ALL_QUEUES };
	const uint32_t id = fsi_intern_find(&h->keys, key, sizeof(key));

	if (assoc == FSI_NO_INDEX || fsi_hidden(h->m, "job"))
		return NAN;
	if (!id)
		return 0;
	return (double)(h->counts.v[id].n[l->count] +
			(counts_sched(h->m, l, job) ? h->counts.v[id].n[SCHED_NODES] : 0));
}

/* NAN: not known; infinite: there is none. */
static double limit_value(const struct fs_holds *h, const struct limit *l, uint32_t assoc, const struct fsi_job *job)
{
	const uint32_t unlimited = 2147483647;
	const struct fsi_partition *q = fsi_first_partition(h->m, job);
	const struct fsi_rec *rec = l->queue                ? (q ? &q->rec : NULL)
				    : assoc == FSI_NO_INDEX ? NULL
							    : &h->m->association.v[assoc].rec;
	uint32_t value;

	if (!rec || !fsi_known(rec, l->bit))
		return NAN;
	memcpy(&value, (const char *)rec + l->offset, sizeof(value));
	return value >= unlimited ? (double)INFINITY : value;
}

/* What the job would add to the count of the limit. */
static double wanted(const fs_snapshot *m, const struct limit *l, const struct fsi_job *job)
{
	switch (l->count) {
	case RUN_CORES:
	case SCHED_CORES:
		return (double)counted_cores(m, job);
	case RUN_NODES:
	case SCHED_NODES:
		return (double)counted_nodes(m, job);
	default:
		return 1;
	}
}

/* Of two limits behind one dependency, the one that leaves no room. */
static const struct limit *find_limit(const struct fs_holds *h, const char *dependency,
				      uint32_t assoc, const struct fsi_job *job)
{
	const struct limit *found = NULL;

	for (const struct limit *l = limits; l < limits + LIMITS; l++) {
		if (strcmp(l->dependency, dependency) != 0)
			continue;
		if (!found || used(h, l, assoc, job) + wanted(h->m, l, job) > limit_value(h, l, assoc, job))
			found = l;
		if (used(h, found, assoc, job) + wanted(h->m, found, job) > limit_value(h, found, assoc, job))
			break;
	}
	return found;
}

static int add_hold(struct fs_holds *h, uint32_t job, const char *name, const struct limit *l)
{
	const struct fsi_job *j = &h->m->job.v[job];
	const uint32_t assoc = fsi_flux_assoc(h->m, j);
	struct fs_hold_row row = {
		.reason = name, .scope = "", .value = NAN, .used = NAN, .wants = NAN
	};

	if (l) {
		row.limit = l->name;
		row.scope = l->queue ? fsi_str(h->m, fsi_flux_queue(h->m, j)) : fsi_str(h->m, j->account);
		row.of_queue = l->queue;
		row.with_sched = counts_sched(h->m, l, j);
		row.value = limit_value(h, l, assoc, j);
		row.used = used(h, l, assoc, j);
		row.wants = wanted(h->m, l, j);
	}
	if (!row.reason || FSI_VEC_ROOM(&h->hold))
		return -1;
	h->hold.v[h->hold.n++] = (struct hold){ job, row };
	return 0;
}

static int add_dependencies(struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];
	const uint32_t assoc = fsi_flux_assoc(h->m, job);

	for (const char *s = fsi_str(h->m, job->dependency); *s; s += strcspn(s, ","), s += *s == ',') {
		const char *name = fsi_arena_strndup(&h->arena, s, strcspn(s, ","));

		if (!name || add_hold(h, i, name, find_limit(h, name, assoc, job)))
			return -1;
	}
	return 0;
}

static bool has_priority_0(const struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];

	if (FSI_HAS(job, JOB, priority))
		return !job->priority;
	return fsi_flux_in_sched(h->m, job) && !(h->computed[i] > 0) && !isnan(h->computed[i]);
}

static int add_holds(struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];

	if (job->state != FSI_STATE_PENDING)
		return 0;
	if (add_dependencies(h, i))
		return -1;
	if (!strcmp(fsi_str(h->m, fsi_job_rare(h->m, job)->phase), "PRIORITY"))
		return add_hold(h, i, "priority-wait", NULL);
	if (FSI_HAS(job, JOB, urgency) && fsi_job_rare(h->m, job)->urgency == FSI_FLUX_HOLD)
		return add_hold(h, i, "held", NULL);
	if (has_priority_0(h, i))
		return add_hold(h, i, "priority-hold", NULL);
	return 0;
}

int fsi_flux_holds(struct fs_holds *h)
{
	int rc = count_jobs(h);

	h->computed = flux_computed(h->m, &h->arena);
	if (!h->computed)
		return -1;
	for (uint32_t i = 0; i < h->m->job.n && !rc; i++) {
		h->first[i] = (uint32_t)h->hold.n;
		rc = add_holds(h, i);
	}
	h->first[h->m->job.n] = (uint32_t)h->hold.n;
	return rc;
}

/* ---- as jobs come and go */

/* Until it runs or is over a job released by one of these is counted nowhere, and by SCHED_* only once it is there. */
struct fsi_flux_lifted {
	const struct limit *limit;
	uint32_t assoc, queue;
	double amount;
};

static double lifted(const struct fsi_flux_pass *pass, const struct limit *l, uint32_t assoc, uint32_t queue)
{
	double sum = 0;

	for (size_t i = 0; i < pass->v.n; i++)
		if (pass->v.v[i].limit == l && pass->v.v[i].assoc == assoc &&
		    (!l->queue || pass->v.v[i].queue == queue))
			sum += pass->v.v[i].amount;
	return sum;
}

bool fsi_flux_has_room(const struct fs_holds *h, uint32_t job_row, size_t i, const struct fsi_flux_pass *pass)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const uint32_t assoc = fsi_flux_assoc(h->m, job), queue = fsi_flux_queue(h->m, job);
	const char *dependency = fs_holds_row(h, job_row, i)->reason;
	bool room = true;

	for (const struct limit *l = limits; l < limits + LIMITS && room; l++)
		if (!strcmp(l->dependency, dependency))
			room = used(h, l, assoc, job) + lifted(pass, l, assoc, queue) + wanted(h->m, l, job) <=
			       limit_value(h, l, assoc, job);
	return room;
}

int fsi_flux_lift(const struct fs_holds *h, uint32_t job_row, size_t i, bool scheduled, struct fsi_flux_pass *pass)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const char *dependency = fs_holds_row(h, job_row, i)->reason;

	for (const struct limit *l = limits; l < limits + LIMITS; l++) {
		const bool runs = l->count == RUN_JOBS;
		const bool waits = l->count == SCHED_JOBS || l->count == SCHED_NODES || l->count == SCHED_CORES;

		if (strcmp(l->dependency, dependency) != 0 || !(runs || (waits && !scheduled)))
			continue;
		if (FSI_VEC_ROOM(&pass->v))
			return -1;
		pass->v.v[pass->v.n++] = (struct fsi_flux_lifted){ l, fsi_flux_assoc(h->m, job),
								   fsi_flux_queue(h->m, job), wanted(h->m, l, job) };
	}
	return 0;
}

int fs_holds_compute(fs_holds **out, const fs_snapshot *m, struct fs_error *err)
{
	struct fs_holds *h;

	if (!m->scheduler->holds)
		return fsi_fail(err, FS_ENODATA, "%s: the limits of scheduler \"%s\" hold no jobs here", m->file,
				m->info.scheduler);
	h = calloc(1, sizeof(*h));
	if (!h)
		return fsi_nomem(err);
	h->m = m;
	h->first = fsi_arena_array(&h->arena, m->job.n + 1, sizeof(*h->first));
	if (!h->first || m->scheduler->holds(h)) {
		fs_holds_free(h);
		return fsi_nomem(err);
	}
	*out = h;
	return 0;
}

void fs_holds_free(fs_holds *h)
{
	if (!h)
		return;
	FSI_VEC_FREE(&h->counts);
	FSI_VEC_FREE(&h->hold);
	fsi_intern_release(&h->keys);
	fsi_arena_release(&h->arena);
	free(h);
}

size_t fs_holds_count(const fs_holds *h, uint32_t job_row)
{
	return h && job_row < h->m->job.n ? h->first[job_row + 1] - h->first[job_row] : 0;
}

const struct fs_hold_row *fs_holds_row(const fs_holds *h, uint32_t job_row, size_t i)
{
	return i < fs_holds_count(h, job_row) ? &h->hold.v[h->first[job_row] + i].row : NULL;
}
