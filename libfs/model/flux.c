#include "model/flux.h"

#include "base/hostlist.h"
#include "model/find.h"
#include "model/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- constraints of Flux jobs, matched against one node (flux-core: src/bindings/python/flux/resource/Rv1Set.py:
 * _matches_constraint). Text form: "batch&(gpu|^old)&!(hosts:n[1-3])". A comma means the same as &. A ^ before a
 * property negates the property. */

/* Parser of a constraint. While parsing, the parser evaluates the constraint for one node. */
struct constraint_reader {
	const fs_snapshot *m;
	const struct fsi_node *node;
	const char *s;
	unsigned depth;
};

enum { MAX_NESTING_DEPTH = 32 };

static bool match_constraint_alternatives(struct constraint_reader *r);

/* Returns true if the host list contains the host of the node. A test instance with several brokers per host appends
 * the rank to the host name ("n/3"). Constraints name hosts without rank. */
static bool is_on_host(const struct constraint_reader *r, const char *list)
{
	char host[FSI_HOST_NAME_MAX + 1];
	const char *name = fsi_name_text(r->m, r->node->name);

	snprintf(host, sizeof(host), "%.*s", (int)strcspn(name, "/"), name);
	return fsi_hostlist_has_name(list, host);
}

/* Returns true if the set of ranks contains the rank of the node. Nodes are stored in rank order. */
static bool has_listed_rank(const struct constraint_reader *r, const char *set)
{
	char rank[24];

	snprintf(rank, sizeof(rank), "%zu", (size_t)(r->node - r->m->node.v));
	return fsi_hostlist_has_name(set, rank);
}

static bool does_term_match(const struct constraint_reader *r, const char *term)
{
	static const char hosts[] = "hosts:", ranks[] = "ranks:";

	if (!strncmp(term, hosts, strlen(hosts)))
		return is_on_host(r, term + strlen(hosts));
	if (!strncmp(term, ranks, strlen(ranks)))
		return has_listed_rank(r, term + strlen(ranks));
	return *term == '^' ? !fsi_list_has_word(r->m, r->node->features, term + 1)
			    : fsi_list_has_word(r->m, r->node->features, term);
}

/* Returns the length of a constraint's term, which ends at an operator outside brackets. */
static size_t find_term_length(const char *s)
{
	size_t n = 0;

	for (bool inside = false; s[n] && (inside || !strchr("&|,()!", s[n])); n++)
		inside = s[n] == '[' || (inside && s[n] != ']');
	return n;
}

static bool match_constraint_term(struct constraint_reader *r)
{
	const size_t len = find_term_length(r->s);
	char *text = len ? strndup(r->s, len) : NULL;
	const bool holds = text && does_term_match(r, text);

	r->s += len;
	free(text);
	return holds;
}

static bool match_constraint_operand(struct constraint_reader *r)
{
	bool holds;

	if (*r->s == '!') {
		r->s++;
		return r->depth++ < MAX_NESTING_DEPTH && !match_constraint_operand(r);
	}
	if (*r->s != '(')
		return match_constraint_term(r);
	r->s++;
	holds = r->depth++ < MAX_NESTING_DEPTH && match_constraint_alternatives(r);
	r->s += *r->s == ')';
	return holds;
}

static bool match_constraint_conjunction(struct constraint_reader *r)
{
	bool holds = match_constraint_operand(r);

	while (*r->s == '&' || *r->s == ',') {
		r->s++;
		holds = match_constraint_operand(r) && holds;
	}
	return holds;
}

static bool match_constraint_alternatives(struct constraint_reader *r)
{
	bool holds = match_constraint_conjunction(r);

	while (*r->s == '|') {
		r->s++;
		holds = match_constraint_conjunction(r) || holds;
	}
	return holds;
}

/* Returns true if the node satisfies the job's constraint, as written in `features`. Every node satisfies an empty
 * constraint; no node satisfies an invalid constraint. */
static bool does_constraint_match(const fs_snapshot *m, const char *constraint, const struct fsi_node *node)
{
	struct constraint_reader r = { .m = m, .node = node, .s = constraint };

	return !*constraint || (match_constraint_alternatives(&r) && !*r.s);
}

/* Returns the number of GPUs that the job requests, divided by `slots` and rounded up; 0: `slots` is 0. */
static int64_t gpus_per_slot(const fs_snapshot *m, const struct fsi_job *job, int64_t slots)
{
	const int64_t all = fsi_amount_of_tres(m, job->tres_req, fsi_name_find(m, "gres/gpu"));

	return slots ? (all + slots - 1) / slots : 0;
}

/* Returns the request of a job that asks for whole nodes (Rv1Pool.py: _select_resources). If the snapshot does not have
 * the number of cores per slot, one core is assumed. `flux jobs` does not show the cores of such a job. */
static struct fsi_flux_request make_whole_node_request(const fs_snapshot *m, const struct fsi_job *job)
{
	struct fsi_flux_request r = { .nodes = FSI_HAS(job, JOB, nodes) && job->nodes ? job->nodes : 1,
				      .cores = 1,
				      .exclusive = true };

	r.slots = r.nodes;
	if (FSI_HAS(job, JOB, cpus_per_task) && job->cpus_per_task > 1)
		r.cores = job->cpus_per_task;
	r.gpus = gpus_per_slot(m, job, r.slots);
	return r;
}

struct fsi_flux_request fsi_flux_read_request(const fs_snapshot *m, const struct fsi_job *job)
{
	const int64_t cores = FSI_HAS(job, JOB, cpus) ? job->cpus : 0;
	struct fsi_flux_request r = { .nodes = FSI_HAS(job, JOB, nodes) ? job->nodes : 0, .cores = 1 };

	if (!strcmp(fsi_name_text(m, job->oversubscribe), "EXCLUSIVE"))
		return make_whole_node_request(m, job);
	if (cores < 1)
		return r;
	r.slots = r.nodes ? r.nodes : FSI_HAS(job, JOB, tasks) && job->tasks ? job->tasks : 1;
	if (r.slots > cores || cores % r.slots) /* the number of slots may differ from the number of tasks */
		r.slots = r.nodes ? r.slots : 1;
	r.cores = (cores + r.slots - 1) / r.slots;
	r.gpus = gpus_per_slot(m, job, r.slots);
	return r;
}

int64_t fsi_flux_count_slots(const fs_snapshot *m, const struct fsi_flux_request *want, const struct fsi_node *node)
{
	int64_t slots = node->cpus / want->cores;

	if (want->gpus) {
		const int64_t by_gpus = fsi_amount_of_tres(m, node->tres, fsi_name_find(m, "gres/gpu")) / want->gpus;

		slots = by_gpus < slots ? by_gpus : slots;
	}
	return want->nodes && slots > 1 ? 1 : slots;
}

bool fsi_flux_may_use_node(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	size_t n;
	const uint32_t *queues = fsi_list_items(m, job->partitions, &n);

	if (n && !fsi_list_has_word(m, node->partitions, fsi_name_text(m, queues[0])))
		return false;
	return does_constraint_match(m, fsi_name_text(m, job->features), node);
}

bool fsi_flux_is_queue_stopped(const fs_snapshot *m, uint32_t partition)
{
	if (partition == FSI_NO_INDEX)
		return fsi_config_is_true(m, "scheduling_stopped");
	return strstr(fsi_name_text(m, m->partition.v[partition].state), "STOPPED") != NULL;
}

bool fsi_flux_parse_begin_time(const struct fsi_job *job, const char *dependency, int64_t *when)
{
	static const char stored[] = "begin-time=", shown[] = "begin@";

	if (!strncmp(dependency, stored, strlen(stored))) {
		*when = (int64_t)strtod(dependency + strlen(stored), NULL);
		return true;
	}
	if (strncmp(dependency, shown, strlen(shown)) != 0 || !FSI_HAS(job, JOB, eligible_time))
		return false;
	*when = job->eligible_time;
	return true;
}

bool fsi_flux_queues_differ(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->partition.n; i++)
		if (!FSI_HAS(&m->partition.v[i], PARTITION, priority) || m->partition.v[i].priority != 0)
			return true;
	return fsi_is_type_hidden(m, "partition");
}

/* ---- queue whose priority applies to the jobs of an association */

static uint32_t *find_last_jobs(const fs_snapshot *m, struct fsi_arena *arena)
{
	uint32_t *last = fsi_arena_array(arena, m->association.n + 1, sizeof(*last));

	for (size_t i = 0; last && i < m->association.n; i++)
		last[i] = FSI_NO_INDEX;
	for (uint32_t i = 0; last && i < m->job.n; i++) {
		const uint32_t a = m->scheduler->charged_to(m, &m->job.v[i]);

		if (a != FSI_NO_INDEX && (last[a] == FSI_NO_INDEX || m->job.v[last[a]].id < m->job.v[i].id))
			last[a] = i;
	}
	return last;
}

static int compare_queue_priorities(const void *x, const void *y, const void *ctx)
{
	const struct fs_snapshot *m = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const double pa = m->partition.v[a].priority, pb = m->partition.v[b].priority;

	return pa < pb ? -1 : pa > pb ? 1 : (a > b) - (a < b);
}

/* Fills q->ranked. Returns -1 if out of memory. */
static int rank_queues(struct fsi_flux_queues *q, const fs_snapshot *m, struct fsi_arena *arena)
{
	size_t n = 0;

	q->ranked = fsi_arena_array(arena, m->partition.n + 1, sizeof(*q->ranked));
	if (!q->ranked)
		return -1;
	for (uint32_t i = 0; i < m->partition.n; i++)
		if (FSI_HAS(&m->partition.v[i], PARTITION, priority))
			q->ranked[n++] = i;
	if (fs_sort(q->ranked, n, sizeof(*q->ranked), compare_queue_priorities, m))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!i || m->partition.v[q->ranked[i]].priority > m->partition.v[q->ranked[i - 1]].priority)
			q->ranked[q->nranked++] = q->ranked[i];
	return 0;
}

int fsi_flux_read_queues(struct fsi_flux_queues *out, const fs_snapshot *m, struct fsi_arena *arena)
{
	*out = (struct fsi_flux_queues){ .last_job = find_last_jobs(m, arena), .differ = fsi_flux_queues_differ(m) };
	return out->last_job ? rank_queues(out, m, arena) : -1;
}

double fsi_flux_queue_priority(const fs_snapshot *m, uint32_t name)
{
	const struct fsi_partition *q = name ? fsi_partition_find(m, name) : NULL;

	if (q)
		return FSI_HAS(q, PARTITION, priority) ? q->priority : (double)NAN;
	return name && fsi_is_type_hidden(m, "partition") ? (double)NAN : 0;
}

/* Returns the queue of the association's last job. For pasted text, which may lack the last job, returns the queue of
 * `job`. */
static struct fsi_flux_applied_queue find_last_job_queue(const fs_snapshot *m, const struct fsi_flux_queues *queues,
							 uint32_t a, const struct fsi_job *job)
{
	const bool assoc_known = a != FSI_NO_INDEX && !fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS);
	const struct fsi_association *assoc = assoc_known ? &m->association.v[a] : NULL;
	const uint32_t last = assoc ? queues->last_job[a] : FSI_NO_INDEX;
	const struct fsi_job *listed = last != FSI_NO_INDEX ? &m->job.v[last] : job;
	struct fsi_flux_applied_queue c = { listed ? fsi_flux_job_queue(m, listed) : 0, FS_LAST_JOB_KNOWN, NAN, false };

	if (!assoc || !queues->differ)
		return c;
	if (!FSI_HAS(assoc, ASSOCIATION, last_job))
		c.last = fsi_is_type_hidden(m, FSI_HIDDEN_LAST_JOBS) ? FS_LAST_JOB_UNKNOWN : FS_LAST_JOB_ACTIVE;
	else if (!listed || listed->id <= assoc->last_job)
		c.queue = assoc->last_queue;
	return c;
}

/* Sets c->queue to a queue that has the reported priority. Tries c->queue, then the queue of `job`, then all queues.
 * If no queue has that priority, sets c->last to FS_LAST_JOB_HELD: a queue's priority was changed after the last job
 * was submitted to that queue. */
static void find_queue_by_priority(const fs_snapshot *m, const struct fsi_flux_queues *queues,
				   const struct fsi_job *job, struct fsi_flux_applied_queue *c)
{
	size_t lo = 0, hi = queues->nranked;

	c->last = FS_LAST_JOB_KNOWN;
	if (fsi_flux_queue_priority(m, c->queue) == c->priority)
		return;
	c->queue = job ? fsi_flux_job_queue(m, job) : 0;
	if (fsi_flux_queue_priority(m, c->queue) == c->priority)
		return;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (m->partition.v[queues->ranked[mid]].priority < c->priority)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < queues->nranked && m->partition.v[queues->ranked[lo]].priority == c->priority)
		c->queue = m->partition.v[queues->ranked[lo]].name;
	else if (c->priority == 0)
		c->queue = 0;
	else
		c->last = FS_LAST_JOB_HELD;
}

struct fsi_flux_applied_queue fsi_flux_find_applied_queue(const fs_snapshot *m, const struct fsi_flux_queues *queues,
							  uint32_t assoc, const struct fsi_job *job)
{
	const struct fsi_association *a = assoc == FSI_NO_INDEX ? NULL : &m->association.v[assoc];
	struct fsi_flux_applied_queue c = find_last_job_queue(m, queues, assoc, job);

	if (a && FSI_HAS(a, ASSOCIATION, queue_factor)) {
		c.priority = a->queue_factor;
		c.reported = true;
		find_queue_by_priority(m, queues, job, &c);
	} else if (c.last != FS_LAST_JOB_UNKNOWN) {
		c.priority = fsi_flux_queue_priority(m, c.queue);
	}
	return c;
}
