#include "limits/flux_limits.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "priority/flux.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A job of Flux in state SCHED has a priority, unless a scenario command moved the job to SCHED and its priority is not
 * computed yet. */

static bool lacks_sched_priority(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (fsi_flux_is_in_sched(m, &m->job.v[i]) && !FSI_HAS(&m->job.v[i], JOB, priority))
			return true;
	return false;
}

/* Returns an array indexed by job row: the computed priority of the job; NAN: none, or unknown. Priorities are computed
 * only if some job in SCHED has none. If every job in SCHED has a priority, all elements are NAN. Returns NULL if out
 * of memory. */
static double *compute_missing_priorities(const fs_snapshot *m, struct fsi_arena *arena)
{
	double *computed = fsi_arena_array(arena, m->job.n + 1, sizeof(*computed));
	struct fs_prio_row row;
	struct fs_error err;
	fs_prios *p = NULL;
	int rc = 0;

	for (size_t i = 0; computed && i < m->job.n; i++)
		computed[i] = NAN;
	if (computed && lacks_sched_priority(m))
		rc = fs_prios_compute(&p, m, NULL, &err);
	for (size_t i = 0; p && i < fs_prios_count(p); i++) {
		fs_prios_brief(p, i, &row);
		computed[row.job_row] = row.priority;
	}
	fs_prios_free(p);
	return rc == FS_ENOMEM ? NULL : computed;
}

/* Amounts that limits restrict. Each amount is counted for each association, in total and in each queue. */
enum count_kind { RUN_JOBS, RUN_NODES, RUN_CORES, SCHED_JOBS, SCHED_NODES, SCHED_CORES, COUNT_KINDS };

static const struct flux_limit {
	/* `dependency`: name of the dependency that flux-accounting's plugin adds; `name`: column of the limit in
	 * flux-accounting's tables */
	const char *dependency, *name;
	bool queue;
	enum count_kind count;
	unsigned bit; /* number of the limit's field in the record of the association or queue */
	size_t offset;
} flux_limits[] = {
#define USER_LIMIT(dependency, name, count, member)                                                   \
	{ dependency, name, false, count, FSI_ASSOCIATION_##member, offsetof(struct fsi_association, member) }
#define QUEUE_LIMIT(dependency, name, count, member)                                                  \
	{ dependency, name, true, count, FSI_PARTITION_##member, offsetof(struct fsi_partition, member) }
	USER_LIMIT("max-running-jobs-user-limit", "max_running_jobs", RUN_JOBS, max_jobs),
	USER_LIMIT("max-resources-user-limit", "max_nodes", RUN_NODES, max_nodes),
	USER_LIMIT("max-resources-user-limit", "max_cores", RUN_CORES, max_cores),
	USER_LIMIT("max-sched-jobs-user-limit", "max_sched_jobs", SCHED_JOBS, max_sched_jobs),
	QUEUE_LIMIT("max-run-jobs-queue", "max_running_jobs", RUN_JOBS, max_jobs_per_assoc),
	QUEUE_LIMIT("max-resources-queue", "max_nodes_per_assoc", RUN_NODES, max_nodes_per_assoc),
	QUEUE_LIMIT("max-sched-jobs-queue-limit", "max_sched_jobs", SCHED_JOBS, max_sched_jobs),
	QUEUE_LIMIT("max-sched-nodes-queue-limit", "max_sched_nodes_per_assoc", SCHED_NODES, max_sched_nodes),
	QUEUE_LIMIT("max-sched-cores-queue-limit", "max_sched_cores_per_assoc", SCHED_CORES, max_sched_cores),
};
enum { FLUX_LIMIT_COUNT = sizeof(flux_limits) / sizeof(*flux_limits) };

struct limit_counts {
	int64_t n[COUNT_KINDS];
};

struct job_hold {
	uint32_t job;
	struct fs_hold_row row;
};

struct fs_holds {
	const fs_snapshot *m;
	struct fsi_arena arena;
	struct fsi_intern keys; /* maps a pair (association; queue or ALL_QUEUES) to an index in `counts` */
	FSI_VEC(struct limit_counts) counts; /* job counts of each association, in one queue or in all queues; element 0 is not used */
	FSI_VEC(struct job_hold) hold;     /* holds of all jobs, sorted by job */
	double *computed;	       /* indexed by job row: computed priority of the job; NAN: none, or unknown */
	uint32_t *first;               /* indexed by job row: index in `hold` of the first hold of the job */
};

enum { ALL_QUEUES = UINT32_MAX };

static struct limit_counts *find_limit_counts(struct fs_holds *h, uint32_t assoc, uint32_t queue)
{
	const uint32_t key[2] = { assoc, queue }, id = fsi_intern_add(&h->keys, key, sizeof(key));

	if (id == FSI_INTERN_FAILED)
		return NULL;
	while (h->counts.n <= id) {
		if (FSI_VEC_RESERVE(&h->counts))
			return NULL;
		h->counts.v[h->counts.n++] = (struct limit_counts){ { 0 } };
	}
	return &h->counts.v[id];
}

/* Returns the number of nodes that the jobspec asks for. flux-accounting does not count allocated nodes
 * (plugins/mf_priority.cpp: increment_resources). */
static int64_t count_requested_nodes(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, asked_nodes) ? fsi_job_ext(m, job)->asked_nodes : job->nodes ? job->nodes : 1;
}

static int64_t count_requested_cores(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, asked_cores) ? fsi_job_ext(m, job)->asked_cores : job->cpus;
}

/* Adds a job to the counts of running jobs (`run` is true) or of jobs in SCHED. `by` is 1, or -1 to subtract the
 * job. */
static void add_job_counts(const fs_snapshot *m, struct limit_counts *c, const struct fsi_job *job, bool run, int by)
{
	const int64_t nodes = count_requested_nodes(m, job), cores = count_requested_cores(m, job);

	c->n[run ? RUN_JOBS : SCHED_JOBS] += by;
	c->n[run ? RUN_NODES : SCHED_NODES] += by * nodes;
	c->n[run ? RUN_CORES : SCHED_CORES] += by * cores;
}

int fsi_flux_move_count(struct fs_holds *h, uint32_t job_row, enum fsi_flux_counted from, enum fsi_flux_counted to)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const uint32_t assoc = fsi_flux_find_assoc(h->m, job), queues[] = { ALL_QUEUES, fsi_flux_job_queue(h->m, job) };

	for (size_t i = 0; i < 2 && assoc != FSI_NO_INDEX; i++) {
		struct limit_counts *c = find_limit_counts(h, assoc, queues[i]);

		if (!c)
			return -1;
		if (from != FSI_FLUX_NOT_COUNTED)
			add_job_counts(h->m, c, job, from == FSI_FLUX_IN_RUN, -1);
		if (to != FSI_FLUX_NOT_COUNTED)
			add_job_counts(h->m, c, job, to == FSI_FLUX_IN_RUN, 1);
	}
	return 0;
}

static int count_active_jobs(struct fs_holds *h)
{
	const fs_snapshot *m = h->m;
	int rc = 0;

	for (uint32_t i = 0; i < m->job.n && !rc; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (job->state == FSI_STATE_RUNNING)
			rc = fsi_flux_move_count(h, i, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_RUN);
		else if (fsi_flux_is_in_sched(m, job))
			rc = fsi_flux_move_count(h, i, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED);
	}
	return rc;
}

/* Returns true if the limit counts the nodes of jobs in SCHED in addition to the nodes of running jobs. In
 * flux-accounting after 0.60.0, a queue's limit on nodes counts both (plugins/accounting.cpp:
 * under_queue_max_resources). */
static bool includes_sched_jobs(const fs_snapshot *m, const struct flux_limit *l, const struct fsi_job *job)
{
	const struct fsi_partition *q = l->queue && l->count == RUN_NODES ? fsi_job_first_partition(m, job) : NULL;

	return q && FSI_HAS(q, PARTITION, counts_sched) && q->counts_sched;
}

/* Returns the amount that counts against the limit, from all jobs of the association; NAN: unknown. */
static double compute_limit_use(const struct fs_holds *h, const struct flux_limit *l, uint32_t assoc,
				const struct fsi_job *job)
{
	const uint32_t key[2] = { assoc, l->queue ? fsi_flux_job_queue(h->m, job) : ALL_QUEUES };
	const uint32_t id = fsi_intern_find_id(&h->keys, key, sizeof(key));

	if (assoc == FSI_NO_INDEX || fsi_is_type_hidden(h->m, "job"))
		return NAN;
	if (!id)
		return 0;
	return (double)(h->counts.v[id].n[l->count] +
			(includes_sched_jobs(h->m, l, job) ? h->counts.v[id].n[SCHED_NODES] : 0));
}

/* Returns the value of the limit; NAN: unknown; INFINITY: no limit. */
static double find_limit_value(const struct fs_holds *h, const struct flux_limit *l, uint32_t assoc,
			       const struct fsi_job *job)
{
	const uint32_t unlimited = 2147483647;
	const struct fsi_partition *q = fsi_job_first_partition(h->m, job);
	const struct fsi_rec *rec = l->queue                ? (q ? &q->rec : NULL)
				    : assoc == FSI_NO_INDEX ? NULL
							    : &h->m->association.v[assoc].rec;
	uint32_t value;

	if (!rec || !fsi_is_field_known(rec, l->bit))
		return NAN;
	memcpy(&value, (const char *)rec + l->offset, sizeof(value));
	return value >= unlimited ? (double)INFINITY : value;
}

/* Returns the amount that the job would add to the use of the limit. */
static double compute_added_amount(const fs_snapshot *m, const struct flux_limit *l, const struct fsi_job *job)
{
	switch (l->count) {
	case RUN_CORES:
	case SCHED_CORES:
		return (double)count_requested_cores(m, job);
	case RUN_NODES:
	case SCHED_NODES:
		return (double)count_requested_nodes(m, job);
	default:
		return 1;
	}
}

/* Returns the limit that adds the dependency; NULL: none. If several limits add the dependency, prefers a limit that
 * the job would exceed. */
static const struct flux_limit *find_dependency_limit(const struct fs_holds *h, const char *dependency, uint32_t assoc,
						      const struct fsi_job *job)
{
	const struct flux_limit *found = NULL;

	for (const struct flux_limit *l = flux_limits; l < flux_limits + FLUX_LIMIT_COUNT; l++) {
		if (strcmp(l->dependency, dependency) != 0)
			continue;
		if (!found || compute_limit_use(h, l, assoc, job) + compute_added_amount(h->m, l, job) >
				      find_limit_value(h, l, assoc, job))
			found = l;
		if (compute_limit_use(h, found, assoc, job) + compute_added_amount(h->m, found, job) >
		    find_limit_value(h, found, assoc, job))
			break;
	}
	return found;
}

static int add_job_hold(struct fs_holds *h, uint32_t job, const char *name, const struct flux_limit *l)
{
	const struct fsi_job *j = &h->m->job.v[job];
	const uint32_t assoc = fsi_flux_find_assoc(h->m, j);
	struct fs_hold_row row = {
		.reason = name, .scope = "", .value = NAN, .used = NAN, .wants = NAN
	};

	if (l) {
		row.limit = l->name;
		row.scope =
			l->queue ? fsi_name_text(h->m, fsi_flux_job_queue(h->m, j)) : fsi_name_text(h->m, j->account);
		row.of_queue = l->queue;
		row.with_sched = includes_sched_jobs(h->m, l, j);
		row.value = find_limit_value(h, l, assoc, j);
		row.used = compute_limit_use(h, l, assoc, j);
		row.wants = compute_added_amount(h->m, l, j);
	}
	if (!row.reason || FSI_VEC_RESERVE(&h->hold))
		return -1;
	h->hold.v[h->hold.n++] = (struct job_hold){ job, row };
	return 0;
}

static int add_dependency_holds(struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];
	const uint32_t assoc = fsi_flux_find_assoc(h->m, job);

	for (const char *s = fsi_name_text(h->m, job->dependency); *s; s += strcspn(s, ","), s += *s == ',') {
		const char *name = fsi_arena_strndup(&h->arena, s, strcspn(s, ","));

		if (!name || add_job_hold(h, i, name, find_dependency_limit(h, name, assoc, job)))
			return -1;
	}
	return 0;
}

static bool has_zero_priority(const struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];

	if (FSI_HAS(job, JOB, priority))
		return !job->priority;
	return fsi_flux_is_in_sched(h->m, job) && !(h->computed[i] > 0) && !isnan(h->computed[i]);
}

static int add_all_holds(struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];

	if (job->state != FSI_STATE_PENDING)
		return 0;
	if (add_dependency_holds(h, i))
		return -1;
	if (!strcmp(fsi_name_text(h->m, fsi_job_ext(h->m, job)->phase), "PRIORITY"))
		return add_job_hold(h, i, "priority-wait", NULL);
	if (FSI_HAS(job, JOB, urgency) && fsi_job_ext(h->m, job)->urgency == FSI_FLUX_HOLD)
		return add_job_hold(h, i, "held", NULL);
	if (has_zero_priority(h, i))
		return add_job_hold(h, i, "priority-hold", NULL);
	return 0;
}

int fsi_flux_find_holds(struct fs_holds *h)
{
	int rc = count_active_jobs(h);

	h->computed = compute_missing_priorities(h->m, &h->arena);
	if (!h->computed)
		return -1;
	for (uint32_t i = 0; i < h->m->job.n && !rc; i++) {
		h->first[i] = (uint32_t)h->hold.n;
		rc = add_all_holds(h, i);
	}
	h->first[h->m->job.n] = (uint32_t)h->hold.n;
	return rc;
}

/* ---- changes to the job counts while a plan is simulated */

/* A released job (struct fsi_flux_release_pass). The counts of running jobs do not include the job until it runs. The
 * counts of jobs in SCHED do not include it until it is in SCHED. */
struct fsi_flux_released_job {
	const struct flux_limit *limit;
	uint32_t assoc, queue;
	double amount;
};

static double sum_released_amounts(const struct fsi_flux_release_pass *pass, const struct flux_limit *l, uint32_t assoc,
				   uint32_t queue)
{
	double sum = 0;

	for (size_t i = 0; i < pass->v.n; i++)
		if (pass->v.v[i].limit == l && pass->v.v[i].assoc == assoc &&
		    (!l->queue || pass->v.v[i].queue == queue))
			sum += pass->v.v[i].amount;
	return sum;
}

bool fsi_flux_limit_admits_job(const struct fs_holds *h, uint32_t job_row, size_t i,
			       const struct fsi_flux_release_pass *pass)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const uint32_t assoc = fsi_flux_find_assoc(h->m, job), queue = fsi_flux_job_queue(h->m, job);
	const char *dependency = fs_holds_row(h, job_row, i)->reason;
	bool has_capacity = true;

	for (const struct flux_limit *l = flux_limits; l < flux_limits + FLUX_LIMIT_COUNT && has_capacity; l++)
		if (!strcmp(l->dependency, dependency))
			has_capacity = compute_limit_use(h, l, assoc, job) +
					       sum_released_amounts(pass, l, assoc, queue) +
					       compute_added_amount(h->m, l, job) <=
				       find_limit_value(h, l, assoc, job);
	return has_capacity;
}

int fsi_flux_release_job(const struct fs_holds *h, uint32_t job_row, size_t i, bool scheduled,
			 struct fsi_flux_release_pass *pass)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const char *dependency = fs_holds_row(h, job_row, i)->reason;

	for (const struct flux_limit *l = flux_limits; l < flux_limits + FLUX_LIMIT_COUNT; l++) {
		const bool runs = l->count == RUN_JOBS;
		const bool waits = l->count == SCHED_JOBS || l->count == SCHED_NODES || l->count == SCHED_CORES;

		if (strcmp(l->dependency, dependency) != 0 || !(runs || (waits && !scheduled)))
			continue;
		if (FSI_VEC_RESERVE(&pass->v))
			return -1;
		pass->v.v[pass->v.n++] = (struct fsi_flux_released_job){ l, fsi_flux_find_assoc(h->m, job),
									 fsi_flux_job_queue(h->m, job),
									 compute_added_amount(h->m, l, job) };
	}
	return 0;
}

int fs_holds_compute(fs_holds **out, const fs_snapshot *m, struct fs_error *err)
{
	struct fs_holds *h;

	if (!m->scheduler->holds)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: cannot compute which limits hold jobs: scheduler \"%s\" is not modelled",
					  m->file, m->info.scheduler);
	h = calloc(1, sizeof(*h));
	if (!h)
		return fsi_fail_no_memory(err);
	h->m = m;
	h->first = fsi_arena_array(&h->arena, m->job.n + 1, sizeof(*h->first));
	if (!h->first || m->scheduler->holds(h)) {
		fs_holds_free(h);
		return fsi_fail_no_memory(err);
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
