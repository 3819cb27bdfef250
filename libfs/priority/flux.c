#include "priority/flux.h"

#include "base/num.h"
#include "model/find.h"
#include "model/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Priorities of flux-accounting's plugin (src/plugins/mf_priority.cpp).
 *
 *   urgency 0 (held): 0; urgency 31 (expedited): 4294967295; otherwise
 *   W_fairshare * fairshare + W_queue * queue + W_bank * bank + W_urgency * (urgency - 16),
 *   rounded half away from zero, at least 0
 *
 * The weights are 100000, 10000, 0 and 1000 unless configured. fairshare is the factor of the database at the last push
 * to the plugin, with six decimals. The plugin posts it with the job, and that factor is used until the next push. If
 * the clock differs from the snapshot's, a push is assumed. A priority of 0 holds a job as an urgency of 0 does
 * (flux-core, src/modules/job-manager/alloc.c).
 *
 * The plugin stores the priority of a queue with the user and bank, not with the job. Whenever a priority is computed
 * (by job.new or job.priority.get), all their jobs use the queue of their last submission. A job without a priority is
 * therefore computed with the queue of its owner's last job. A job with a priority is computed with the queue that
 * reproduces it: its own, the last one, or another. */

static const double expedited_priority = 4294967295.0;

static const struct {
	const char *name, *config;
	double weight;
} flux_factors[FSI_FLUX_TERMS] = {
	{ "fairshare", "weight_fairshare", 100000 },
	{ "queue", "weight_queue", 10000 },
	{ "bank", "weight_bank", 0 },
	{ "urgency", "weight_urgency", 1000 },
};

double fsi_flux_stored(double factor)
{
	char text[64];

	if (!isfinite(factor))
		return factor;
	if (fsi_parse_double(text, (size_t)snprintf(text, sizeof(text), "%f", factor), &factor))
		return NAN;
	return factor;
}

/* Returns the priority for a sum: rounded half away from zero, at least 0 (plugins/mf_priority.cpp). */
static double sum_to_flux_priority(double sum)
{
	const double rounded = round(sum);

	return rounded < 0 ? 0 : rounded;
}

uint32_t fsi_flux_assoc(const fs_snapshot *m, const struct fsi_job *job)
{
	const bool by_default = !job->account && !fsi_hidden(m, FSI_HIDDEN_JOB_FIELDS);
	const struct fsi_user *user = by_default ? fsi_user_find(m, job->user) : NULL;
	const uint32_t bank = job->account ? job->account : user ? user->default_account : 0;

	return bank && job->user ? fsi_assoc_find(m, bank, job->user, 0) : FSI_NO_INDEX;
}

static double flux_fairshare_factor(const struct fs_prios *p, const fs_shares *shares, const struct fsi_job *job,
				    bool computed)
{
	const uint32_t i = fsi_flux_assoc(p->m, job);
	const struct fsi_association *a = i == FSI_NO_INDEX ? NULL : &p->m->association.v[i];

	if (!computed && FSI_HAS(job, JOB, fairshare_ppm))
		return fsi_job_rare(p->m, job)->fairshare_ppm / 1e6;
	if (a && (!computed || p->m->tree[i].uncounted) && FSI_HAS(a, ASSOCIATION, fairshare))
		return a->fairshare;
	return a && shares ? fsi_flux_stored(shares->f.share[i].factor) : (double)NAN;
}

/* Values of a row after its factors: the name id of the queue that applies (0: none), and enum fs_last_job. */
enum { VALUE_QUEUE = FSI_FLUX_TERMS, VALUE_LAST_JOB, FLUX_VALUES };

static double flux_bank_priority(const fs_snapshot *m, const struct fsi_job *job)
{
	const uint32_t user = fsi_flux_assoc(m, job);
	const uint32_t bank = user == FSI_NO_INDEX ? user : m->tree[user].parent;

	if (user != FSI_NO_INDEX && FSI_HAS(&m->association.v[user], ASSOCIATION, bank_factor))
		return m->association.v[user].bank_factor;
	if (bank == FSI_NO_INDEX || !FSI_HAS(&m->association.v[bank], ASSOCIATION, bank_priority))
		return NAN;
	return m->association.v[bank].bank_priority;
}

/* Returns true if the sum with that queue priority reproduces the priority of the job. */
static bool reproduces_job_priority(const struct fs_prios *p, const struct fsi_job *job, double of_queue,
				    const double *v)
{
	double sum = 0;

	for (size_t t = 0; t < FSI_FLUX_TERMS; t++)
		if (p->weights[t].weight != 0)
			sum += p->weights[t].weight * (t == FSI_FLUX_QUEUE ? of_queue : v[t]);
	return sum_to_flux_priority(sum) == job->priority;
}

/* Returns true if the snapshot comes from pasted text, in which members of jobs may be missing. */
static bool is_pasted_text(const fs_snapshot *m)
{
	return fsi_hidden(m, FSI_HIDDEN_JOB_FIELDS);
}

/* Returns the queue whose priority applies to the job. For a job with a priority, it is the queue that reproduces
 * it. */
static struct fsi_flux_counts_queue find_counted_queue(const struct fs_prios *p, const uint32_t *last,
						       const struct fsi_job *job, const double *v)
{
	const fs_snapshot *m = p->m;
	const struct fsi_flux_counts_queue latest = fsi_flux_latest_queue(m, last, fsi_flux_assoc(m, job), job);
	const uint32_t own = fsi_flux_queue(m, job);
	const struct fsi_flux_counts_queue own_queue = { own, FS_LAST_JOB_KNOWN, fsi_flux_queue_priority(m, own),
							 false };

	if (!FSI_HAS(job, JOB, priority) ||
	    (latest.last == FS_LAST_JOB_HELD && reproduces_job_priority(p, job, latest.priority, v)))
		return latest;
	if (fsi_flux_direct(p->m, job) || reproduces_job_priority(p, job, own_queue.priority, v))
		return own_queue;
	for (size_t k = 0; k <= m->partition.n; k++) {
		const uint32_t name = k ? m->partition.v[k - 1].name : latest.queue;
		const double priority = fsi_flux_queue_priority(m, name);

		if (reproduces_job_priority(p, job, priority, v))
			return (struct fsi_flux_counts_queue){ name, FS_LAST_JOB_KNOWN, priority, false };
	}
	return latest.asked ? latest : own_queue; /* another value differs from the plugin's */
}

static void set_flux_values(struct fs_prios *p, const fs_shares *shares, const uint32_t *last,
			    const struct fsi_job *job, bool computed, double *v)
{
	struct fsi_flux_counts_queue queue;

	v[FSI_FLUX_FAIRSHARE] = flux_fairshare_factor(p, shares, job, false);
	v[FSI_FLUX_BANK] = flux_bank_priority(p->m, job);
	v[FSI_FLUX_URGENCY] = FSI_HAS(job, JOB, urgency)
				      ? (double)fsi_job_rare(p->m, job)->urgency - FSI_FLUX_DEFAULT_URGENCY
				      : (double)NAN;
	queue = find_counted_queue(p, last, job, v); /* uses the fair-share factor posted with the job */
	v[FSI_FLUX_FAIRSHARE] = flux_fairshare_factor(p, shares, job, computed);
	v[VALUE_LAST_JOB] = queue.last;
	v[VALUE_QUEUE] = queue.last == FS_LAST_JOB_UNKNOWN ? fsi_flux_queue(p->m, job) : queue.queue;
	v[FSI_FLUX_QUEUE] = queue.priority;
	if (is_pasted_text(p->m) && (!FSI_HAS(job, JOB, partitions) || !FSI_HAS(job, JOB, priority)))
		v[FSI_FLUX_QUEUE] = NAN; /* the queue of a later job of the owner may apply */
}

static int read_flux_weight(const fs_snapshot *m, size_t i, double *weight, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, flux_factors[i].config);
	const struct fsi_where where = { m->file, e ? e->line : 0, 0 };

	*weight = fsi_hidden(m, "config") ? (double)NAN : flux_factors[i].weight;
	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT && e->kind != FSI_CONFIG_DOUBLE)
		return fsi_fail_at(err, where, flux_factors[i].config, "expected a number");
	*weight = e->kind == FSI_CONFIG_INT ? (double)e->i : e->d;
	return 0;
}

static int make_flux_weights(struct fs_prios *p, struct fs_error *err)
{
	static const enum fs_factor tags[] = { FS_FACTOR_FAIRSHARE, FS_FACTOR_QUEUE, FS_FACTOR_BANK,
					       FS_FACTOR_URGENCY };
	int rc = 0;

	p->nterms = FSI_FLUX_TERMS;
	p->nvalues = FLUX_VALUES;
	p->weights = fsi_arena_array(&p->arena, p->nterms, sizeof(*p->weights));
	if (!p->weights)
		return fsi_nomem(err);
	for (size_t i = 0; i < FSI_FLUX_TERMS && !rc; i++) {
		p->weights[i] = (struct fs_prio_term){ .factor = tags[i], .name = flux_factors[i].name };
		rc = read_flux_weight(p->m, i, &p->weights[i].weight, err);
	}
	return rc;
}

static int compute_flux_priorities(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o,
				   struct fs_error *err)
{
	const fs_snapshot *m = p->m;
	const int rc = make_flux_weights(p, err);
	const bool computed = o && (o->view.algorithm || o->view.usage);
	const uint32_t *last = rc ? NULL : fsi_flux_last_jobs_of(m, &p->arena);

	if (rc || !last)
		return rc ? rc : fsi_nomem(err);
	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const size_t start = p->row.n;

		if (!fsi_prio_wanted(o, i))
			continue;
		if (job->state != FSI_STATE_PENDING && !(o && o->running && job->state == FSI_STATE_RUNNING))
			continue;
		if (fsi_prio_add_rows(p, i))
			return fsi_nomem(err);
		for (size_t k = start; k < p->row.n; k++)
			set_flux_values(p, shares, last, job, computed, p->values + k * p->nvalues);
	}
	return 0;
}

/* Sets the priority of a row from pasted text to the printed one. If the terms do not reproduce it, they are from
 * another time and become unknown. */
static void prefer_listed_priority(const struct fs_prios *p, const struct fsi_job *job, struct fs_prio_row *row)
{
	if (!FSI_HAS(job, JOB, priority) || p->now != p->m->info.time)
		return;
	for (size_t t = 0; t < FSI_FLUX_TERMS && fabs(row->priority - job->priority) > 0; t++)
		row->terms[t].value = row->terms[t].points = row->sum = NAN;
	row->priority = job->priority;
}

static void compute_flux_row(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const struct fsi_job *job = &p->m->job.v[row->job_row];
	const double *v = p->values + i * p->nvalues;
	const uint32_t urgency = fsi_job_rare(p->m, job)->urgency;
	const bool known = FSI_HAS(job, JOB, urgency);

	row->direct = fsi_flux_direct(p->m, job);
	for (size_t t = 0; t < FSI_FLUX_TERMS; t++) {
		struct fs_prio_term *term = &row->terms[t];

		*term = p->weights[t];
		term->value = row->direct ? 0 : v[t];
		term->points = row->direct || term->weight == 0 ? 0 : term->weight * term->value + 0.0; /* avoids -0 */
		row->sum += term->points;
	}
	row->urgency = known ? (double)urgency : (double)NAN;
	if (row->direct)
		row->sum = urgency == FSI_FLUX_HOLD ? 0 : expedited_priority;
	if (isnan(row->sum)) { /* a term is unknown: use the priority of the job */
		row->priority = FSI_HAS(job, JOB, priority) ? job->priority : (double)NAN;
		return;
	}
	row->priority = sum_to_flux_priority(row->sum);
	fsi_prio_step(row, FS_STEP_CLAMPED, fsi_prio_step(row, FS_STEP_ROUNDED, row->sum, round(row->sum)),
		      row->priority);
	if (is_pasted_text(p->m))
		prefer_listed_priority(p, job, row);
}

const char *fsi_flux_other_queue(const struct fs_prios *p, size_t i)
{
	const uint32_t counted = (uint32_t)p->values[i * FLUX_VALUES + VALUE_QUEUE];

	return counted == fsi_flux_queue(p->m, &p->m->job.v[p->row.v[i].job]) ? NULL : fsi_str(p->m, counted);
}

static void fill_flux_inputs(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out)
{
	if (t != FSI_FLUX_QUEUE)
		return;
	out->of_qos = fsi_flux_other_queue(p, i);
	out->last_job = (enum fs_last_job)p->values[i * FLUX_VALUES + VALUE_LAST_JOB];
}

const struct fsi_prio_scheduler fsi_flux_prio = {
	.stored_priority = sum_to_flux_priority,
	.compute = compute_flux_priorities,
	.row = compute_flux_row,
	.inputs = fill_flux_inputs,
};

/* ---- holds
 *
 * A pending Flux job waits for its dependencies, some of which are flux-accounting's limits
 * (src/plugins/mf_priority.cpp, accounting.cpp), and for holds.
 *
 * A limit counts jobs per association (a user in a bank); a limit of a queue counts their jobs in that queue. A job
 * that names no nodes counts as one node. */

/* Returns true if a job in SCHED has no priority, as after a command that requires a new one. */
static bool lacks_sched_priority(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (fsi_flux_in_sched(m, &m->job.v[i]) && !FSI_HAS(&m->job.v[i], JOB, priority))
			return true;
	return false;
}

/* Returns by job row the priority a job in SCHED without one would get; NAN: unknown. All are NAN if no job lacks a
 * priority. Returns NULL if out of memory. */
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

/* Amounts that limits count, for each association or association and queue. */
enum count_kind { RUN_JOBS, RUN_NODES, RUN_CORES, SCHED_JOBS, SCHED_NODES, SCHED_CORES, COUNT_KINDS };

static const struct flux_limit {
	/* dependency: name of the dependency; name: column in flux-accounting's tables */
	const char *dependency, *name;
	bool queue;
	enum count_kind count;
	unsigned bit; /* presence bit in the association or partition */
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
	struct fsi_intern keys; /* (association, queue or ALL_QUEUES) to a number */
	FSI_VEC(struct limit_counts) counts; /* by that number */
	FSI_VEC(struct job_hold) hold;     /* sorted by job */
	double *computed;	       /* by job row: result of compute_missing_priorities */
	uint32_t *first;               /* by job row: index of its first hold */
};

enum { ALL_QUEUES = UINT32_MAX };

static struct limit_counts *find_limit_counts(struct fs_holds *h, uint32_t assoc, uint32_t queue)
{
	const uint32_t key[2] = { assoc, queue }, id = fsi_intern(&h->keys, key, sizeof(key));

	if (id == FSI_INTERN_FAILED)
		return NULL;
	while (h->counts.n <= id) {
		if (FSI_VEC_ROOM(&h->counts))
			return NULL;
		h->counts.v[h->counts.n++] = (struct limit_counts){ { 0 } };
	}
	return &h->counts.v[id];
}

/* Returns the nodes in the jobspec. Allocated nodes are not counted (plugins/mf_priority.cpp: increment_resources). */
static int64_t count_requested_nodes(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, asked_nodes) ? fsi_job_rare(m, job)->asked_nodes : job->nodes ? job->nodes : 1;
}

static int64_t count_requested_cores(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, asked_cores) ? fsi_job_rare(m, job)->asked_cores : job->cpus;
}

/* Adds the job to the counts of running jobs (run) or of jobs in SCHED. by: 1, or -1 to subtract it. */
static void add_job_counts(const fs_snapshot *m, struct limit_counts *c, const struct fsi_job *job, bool run, int by)
{
	const int64_t nodes = count_requested_nodes(m, job), cores = count_requested_cores(m, job);

	c->n[run ? RUN_JOBS : SCHED_JOBS] += by;
	c->n[run ? RUN_NODES : SCHED_NODES] += by * nodes;
	c->n[run ? RUN_CORES : SCHED_CORES] += by * cores;
}

int fsi_flux_move(struct fs_holds *h, uint32_t job_row, enum fsi_flux_counted from, enum fsi_flux_counted to)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const uint32_t assoc = fsi_flux_assoc(h->m, job), queues[] = { ALL_QUEUES, fsi_flux_queue(h->m, job) };

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
			rc = fsi_flux_move(h, i, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_RUN);
		else if (fsi_flux_in_sched(m, job))
			rc = fsi_flux_move(h, i, FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED);
	}
	return rc;
}

/* Returns true if a limit on running nodes counts jobs in SCHED too, as flux-accounting does after 0.60.0
 * (plugins/accounting.cpp: under_queue_max_resources). */
static bool includes_sched_jobs(const fs_snapshot *m, const struct flux_limit *l, const struct fsi_job *job)
{
	const struct fsi_partition *q = l->queue && l->count == RUN_NODES ? fsi_first_partition(m, job) : NULL;

	return q && FSI_HAS(q, PARTITION, counts_sched) && q->counts_sched;
}

/* Returns the amount counted for the job under the limit; NAN: unknown. */
static double compute_limit_use(const struct fs_holds *h, const struct flux_limit *l, uint32_t assoc,
				const struct fsi_job *job)
{
	const uint32_t key[2] = { assoc, l->queue ? fsi_flux_queue(h->m, job) : ALL_QUEUES };
	const uint32_t id = fsi_intern_find(&h->keys, key, sizeof(key));

	if (assoc == FSI_NO_INDEX || fsi_hidden(h->m, "job"))
		return NAN;
	if (!id)
		return 0;
	return (double)(h->counts.v[id].n[l->count] +
			(includes_sched_jobs(h->m, l, job) ? h->counts.v[id].n[SCHED_NODES] : 0));
}

/* Returns the limit; NAN: unknown; INFINITY: none. */
static double find_limit_value(const struct fs_holds *h, const struct flux_limit *l, uint32_t assoc,
			       const struct fsi_job *job)
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

/* Returns the amount the job would add to the count of the limit. */
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

/* Returns the limit of the dependency. If it has two, the one that does not admit the job. */
static const struct flux_limit *find_dependency_limit(const struct fs_holds *h, const char *dependency, uint32_t assoc,
						      const struct fsi_job *job)
{
	const struct flux_limit *best = NULL;

	for (const struct flux_limit *l = flux_limits; l < flux_limits + FLUX_LIMIT_COUNT; l++) {
		if (strcmp(l->dependency, dependency) != 0)
			continue;
		if (!best || compute_limit_use(h, l, assoc, job) + compute_added_amount(h->m, l, job) >
				      find_limit_value(h, l, assoc, job))
			best = l;
		if (compute_limit_use(h, best, assoc, job) + compute_added_amount(h->m, best, job) >
		    find_limit_value(h, best, assoc, job))
			break;
	}
	return best;
}

static int add_job_hold(struct fs_holds *h, uint32_t job, const char *name, const struct flux_limit *l)
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
		row.with_sched = includes_sched_jobs(h->m, l, j);
		row.value = find_limit_value(h, l, assoc, j);
		row.used = compute_limit_use(h, l, assoc, j);
		row.wants = compute_added_amount(h->m, l, j);
	}
	if (!row.reason || FSI_VEC_ROOM(&h->hold))
		return -1;
	h->hold.v[h->hold.n++] = (struct job_hold){ job, row };
	return 0;
}

static int add_dependency_holds(struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];
	const uint32_t assoc = fsi_flux_assoc(h->m, job);

	for (const char *s = fsi_str(h->m, job->dependency); *s; s += strcspn(s, ","), s += *s == ',') {
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
	return fsi_flux_in_sched(h->m, job) && !(h->computed[i] > 0) && !isnan(h->computed[i]);
}

static int add_all_holds(struct fs_holds *h, uint32_t i)
{
	const struct fsi_job *job = &h->m->job.v[i];

	if (job->state != FSI_STATE_PENDING)
		return 0;
	if (add_dependency_holds(h, i))
		return -1;
	if (!strcmp(fsi_str(h->m, fsi_job_rare(h->m, job)->phase), "PRIORITY"))
		return add_job_hold(h, i, "priority-wait", NULL);
	if (FSI_HAS(job, JOB, urgency) && fsi_job_rare(h->m, job)->urgency == FSI_FLUX_HOLD)
		return add_job_hold(h, i, "held", NULL);
	if (has_zero_priority(h, i))
		return add_job_hold(h, i, "priority-hold", NULL);
	return 0;
}

int fsi_flux_holds(struct fs_holds *h)
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

/* ---- changes of counts in a plan */

/* A job that a limit released in this pass. It is not in the counts until it runs or ends, and in SCHED_* counts only
 * once it is in SCHED. */
struct fsi_flux_lifted {
	const struct flux_limit *limit;
	uint32_t assoc, queue;
	double amount;
};

static double sum_released_amounts(const struct fsi_flux_pass *pass, const struct flux_limit *l, uint32_t assoc,
				   uint32_t queue)
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

	for (const struct flux_limit *l = flux_limits; l < flux_limits + FLUX_LIMIT_COUNT && room; l++)
		if (!strcmp(l->dependency, dependency))
			room = compute_limit_use(h, l, assoc, job) + sum_released_amounts(pass, l, assoc, queue) +
				       compute_added_amount(h->m, l, job) <=
			       find_limit_value(h, l, assoc, job);
	return room;
}

int fsi_flux_lift(const struct fs_holds *h, uint32_t job_row, size_t i, bool scheduled, struct fsi_flux_pass *pass)
{
	const struct fsi_job *job = &h->m->job.v[job_row];
	const char *dependency = fs_holds_row(h, job_row, i)->reason;

	for (const struct flux_limit *l = flux_limits; l < flux_limits + FLUX_LIMIT_COUNT; l++) {
		const bool runs = l->count == RUN_JOBS;
		const bool waits = l->count == SCHED_JOBS || l->count == SCHED_NODES || l->count == SCHED_CORES;

		if (strcmp(l->dependency, dependency) != 0 || !(runs || (waits && !scheduled)))
			continue;
		if (FSI_VEC_ROOM(&pass->v))
			return -1;
		pass->v.v[pass->v.n++] =
			(struct fsi_flux_lifted){ l, fsi_flux_assoc(h->m, job), fsi_flux_queue(h->m, job),
						  compute_added_amount(h->m, l, job) };
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
