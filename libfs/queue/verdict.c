#include "queue/verdict.h"

#include "base/error.h"
#include "base/hostlist.h"
#include "base/num.h"
#include "base/memory.h"
#include "limits/assoc_limits.h"
#include "model/find.h"
#include "model/flux.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- dependencies: in Slurm "afterok:21(unfulfilled),after:21+30?singleton(unfulfilled)", in Flux
 * "after-success=3915147902976" */

/* The conditions that have been read so far from the dependency of a job. */
struct dependency_parser {
	const fs_snapshot *m;
	const struct fsi_job_arrays *arrays;
	const struct fsi_viewer *viewer; /* NULL: sees all jobs */
	struct fsi_arena *arena;
	FSI_VEC(struct fs_verdict_need) v;
};

/* Parses a text such as "21_3+30(unfulfilled)": stores the job in *need, and also the delay ("+30": 30 minutes; only in
 * Slurm). Sets nothing if the text does not begin with a job id. Returns -1 if out of memory. */
static int parse_needed_job(struct dependency_parser *n, struct fs_verdict_need *need, const char *s, size_t len)
{
	const size_t id = strcspn(s, "+("), all = id < len ? id : len, end = strcspn(s, "(");
	const char *word = fsi_arena_strndup(n->arena, s, all);
	struct fsi_job_ref w;
	uint64_t minutes;

	if (!word)
		return -1;
	if (fsi_job_ref_parse(n->m, word, &w))
		return 0;
	need->job = w.id;
	need->job_row = fsi_job_arrays_find(n->arrays, n->m, &w);
	need->task = w.of_array ? word : NULL;
	need->hidden = n->viewer && need->job_row != FSI_NO_INDEX &&
		       !fsi_viewer_may_see_job(n->viewer, &n->m->job.v[need->job_row]);
	if (all < len && s[all] == '+' && !fsi_parse_u64(s + all + 1, (end < len ? end : len) - all - 1, &minutes))
		need->delay_min = (uint32_t)minutes;
	return 0;
}

static bool has_text_suffix(const char *s, size_t len, const char *end)
{
	const size_t n = strlen(end);

	return len >= n && !memcmp(s + len - n, end, n);
}

/* Adds one condition of the given kind. `s`: text of one job id, such as "21+30(unfulfilled)" or "21_3"; in Flux, a
 * decimal or base-58 id. If `s` is empty, the condition names no job. Returns -1 if out of memory. */
static int add_dependency_need(struct dependency_parser *n, const char *kind, const char *s, size_t len)
{
	struct fs_verdict_need need = { .kind = kind, .job_row = FSI_NO_INDEX };

	need.failed = has_text_suffix(s, len, "(failed)");
	if (parse_needed_job(n, &need, s, len) || FSI_VEC_RESERVE(&n->v))
		return -1;
	n->v.v[n->v.n++] = need;
	return 0;
}

/* Adds the conditions of one item of a dependency list, such as "afterok:21(unfulfilled):22". In Flux an item may also
 * be a time: "begin-time=1795194000.000" in the eventlog, "begin@03:51:20" in the output of `flux jobs`
 * (src/modules/job-manager/plugins/begin-time.c). Returns -1 if out of memory. */
static int add_dependency_item(struct dependency_parser *n, const char *s, size_t len)
{
	const bool on_time =
		!strncmp(s, "begin@", strlen("begin@")) || !strncmp(s, "begin-time=", strlen("begin-time="));
	const size_t name = on_time ? len : strcspn(s, ":=(,?");
	const char *kind = fsi_arena_strndup(n->arena, s, name < len ? name : len);
	size_t at = name;

	if (!kind)
		return -1;
	if (fs_reason_find(kind)) /* Flux shows limits of flux-accounting as dependencies */
		return 0;
	if (name >= len || s[name] == '(')
		return add_dependency_need(n, kind, "", 0);
	while (at < len) {
		const size_t length = strcspn(s + at + 1, ":,?");

		if (add_dependency_need(n, kind, s + at + 1, length))
			return -1;
		at += 1 + length;
	}
	return 0;
}

int fsi_verdict_parse_needs(const fs_snapshot *m, const struct fsi_job_arrays *arrays, const struct fsi_viewer *viewer,
			    const struct fsi_job *j, struct fsi_arena *arena, struct fs_verdict *out)
{
	struct dependency_parser n = { .m = m, .arrays = arrays, .viewer = viewer, .arena = arena };
	const char *s = fsi_name_text(m, j->dependency);
	int rc = 0;

	while (!rc && *s) {
		const size_t len = strcspn(s, ",?");

		rc = add_dependency_item(&n, s, len);
		s += len + (s[len] != '\0');
	}
	out->nneeds = n.v.n;
	out->needs = n.v.n ? fsi_arena_copy(arena, n.v.v, n.v.n * sizeof(*n.v.v)) : NULL;
	FSI_VEC_FREE(&n.v);
	return rc || (out->nneeds && !out->needs) ? -1 : 0;
}

/* Sets out->needs to the dependencies of the job (fsi_verdict_parse_needs). The first call also creates the queue's
 * index of job arrays. Returns -1 if out of memory. */
static int fill_queue_needs(const struct fs_queue *q, const struct fsi_job *j, struct fsi_arena *arena,
			    struct fs_verdict *out)
{
	struct fsi_job_arrays *arrays = &q->verdict_facts->job_arrays;

	if (!arrays->v && fsi_job_arrays_init(arrays, q->m))
		return -1;
	return fsi_verdict_parse_needs(q->m, arrays, &q->viewer, j, arena, out);
}

/* ---- nodes that a Slurm job may use in a partition: their total number, and the numbers that are down, drained or
 * reserved */

/* Why a node is not available; NODE_UP: it is available. */
enum node_availability { NODE_UP, NODE_DOWN, NODE_DRAINED, NODE_RESERVED };

#define STATE_HAS_WORD(state, list) fsi_node_state_has(state, list, sizeof(list) / sizeof(*(list)))

static enum node_availability get_node_availability(const fs_snapshot *m, const struct fsi_node *n)
{
	static const char *const down[] = { "DOWN", "FAIL", "FAILING", "REBOOT_ISSUED", "UNKNOWN", "FUTURE" };
	static const char *const drained[] = { "DRAIN", "DRAINED", "DRAINING" };
	static const char *const reserved[] = { "RESERVED", "MAINT" };
	const char *state = fsi_name_text(m, n->state);

	if (STATE_HAS_WORD(state, down) || fsi_node_is_unresponsive(state) || fsi_node_will_power_down(state))
		return NODE_DOWN;
	if (STATE_HAS_WORD(state, drained))
		return NODE_DRAINED;
	return STATE_HAS_WORD(state, reserved) ? NODE_RESERVED : NODE_UP;
}

/* Counts one node in *out. `state`: NODE_UP, or the reason for which the node is not available. */
static void count_node_state(struct fs_verdict_nodes *out, enum node_availability state)
{
	out->all++;
	out->down += state == NODE_DOWN;
	out->drained += state == NODE_DRAINED;
	out->reserved += state == NODE_RESERVED;
}

/* Sets *out to the counts of all nodes of the partition in row `partition`. */
static void count_partition_nodes(const fs_snapshot *m, uint32_t partition, struct fs_verdict_nodes *out)
{
	*out = (struct fs_verdict_nodes){ 0 };
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_node_is_in_partition(m, &m->node.v[i], partition))
			count_node_state(out, get_node_availability(m, &m->node.v[i]));
}

/* Returns true if the feature expression consists only of names joined by &. Other expressions are not evaluated. */
static bool is_simple_feature_list(const char *s)
{
	return !s[strcspn(s, "|[](){}*,:")];
}

/* Returns true if the node has all features of the list, such as "a&b". Counts a feature whose name is too long as
 * present. */
static bool has_all_features(const fs_snapshot *m, const struct fsi_node *n, const char *s)
{
	char word[256];

	while (*s) {
		const size_t len = strcspn(s, "&");

		if (len >= sizeof(word))
			return true;
		memcpy(word, s, len);
		word[len] = '\0';
		if (!fsi_list_has_word(m, n->features, word))
			return false;
		s += len + (s[len] == '&');
	}
	return true;
}

static bool is_node_listed(const fs_snapshot *m, uint32_t list, const struct fsi_node *n)
{
	return list && fsi_hostlist_has_name(fsi_name_text(m, list), fsi_name_text(m, n->name));
}

/* Returns true if the job could use the node if the node were up and idle: the job does not exclude the node, and the
 * node has the requested features. */
static bool may_job_use_node(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_node *n)
{
	const char *features = fsi_name_text(m, j->features);

	return !is_node_listed(m, fsi_job_ext(m, j)->exc_nodes, n) &&
	       (!is_simple_feature_list(features) || has_all_features(m, n, features));
}

/* Returns the number of nodes that the job asks for, at least 1. */
static uint32_t get_requested_nodes(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t node = fsi_name_find(m, "node");
	const int64_t n = node ? fsi_amount_of_tres(m, j->tres_req, node) : 0;

	return n > 0 ? (uint32_t)n : FSI_HAS(j, JOB, nodes) && j->nodes ? j->nodes : 1;
}

/* Sets *out to the counts of the nodes that the job requires by name. If the job requires no nodes by name, counts all
 * nodes of the partition that the job may use. */
static void count_usable_nodes(const fs_snapshot *m, const struct fsi_job *j, uint32_t partition,
			       struct fs_verdict_nodes *out)
{
	const uint32_t req_nodes = fsi_job_ext(m, j)->req_nodes;

	*out = (struct fs_verdict_nodes){ 0 };
	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *n = &m->node.v[i];

		if (fsi_node_is_in_partition(m, n, partition) &&
		    (req_nodes ? is_node_listed(m, req_nodes, n) : may_job_use_node(m, j, n)))
			count_node_state(out, get_node_availability(m, n));
	}
	out->wants = req_nodes ? out->all : get_requested_nodes(m, j);
}

/* Sets *out to the counts of the nodes that the job may use in the partition of the record. Returns false if the
 * snapshot does not have the nodes of the partition. */
static bool count_record_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out)
{
	const struct fsi_job *j = &q->m->job.v[r->job];
	const struct fsi_job_ext *optional_fields = fsi_job_ext(q->m, j);

	if (r->partition == FSI_NO_INDEX || !q->verdict_facts || !q->verdict_facts->partition_nodes)
		return false;
	if (optional_fields->req_nodes || optional_fields->exc_nodes || j->features) {
		count_usable_nodes(q->m, j, r->partition, out);
	} else {
		*out = q->verdict_facts->partition_nodes[r->partition];
		out->wants = get_requested_nodes(q->m, j);
	}
	return true;
}

/* Returns true if the job asks for more nodes than it may use in the partition. Nodes that are not up are counted.
 * Returns false if the snapshot does not have the nodes of the partition. */
static bool has_too_few_nodes(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	struct fs_verdict_nodes n;

	return count_record_nodes(q, r, &n) && q->verdict_facts->partition_nodes[r->partition].all && n.all < n.wants;
}

bool fsi_slurm_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out)
{
	const struct fsi_job *j = &q->m->job.v[r->job];
	uint32_t unavailable;

	if (!count_record_nodes(q, r, out))
		return false;
	unavailable = out->down + out->drained + (j->reservation ? 0 : out->reserved);
	return out->all >= out->wants && out->all - unavailable < out->wants;
}

/* ---- nodes that are free now */

/* The resources that the job requests on each of its nodes, and the end of its time limit. */
struct node_share {
	/* `cpus`, `mem_mb`: CPUs and MiB on each node; `end`: when the job's time limit would end if the job started
	 * now, in seconds since the epoch */
	int64_t cpus, mem_mb, end;
	uint32_t nodes;
};

/* Returns true if the node is in a reservation that has not ended and begins before `end`. */
static bool is_node_reserved_before(const fs_snapshot *m, const struct fsi_node *n, int64_t now, int64_t end)
{
	for (size_t i = 0; i < m->reservation.n; i++) {
		const struct fsi_reservation *r = &m->reservation.v[i];

		if (is_node_listed(m, r->nodes, n) && (!FSI_HAS(r, RESERVATION, start_time) || r->start_time < end) &&
		    (!FSI_HAS(r, RESERVATION, end_time) || r->end_time > now))
			return true;
	}
	return false;
}

/* Returns true if at least `wants` units of the generic resource are free on the node. Returns false if the node is in
 * use and its allocated resources are unknown. */
static bool has_free_gres(const fs_snapshot *m, const struct fsi_node *n, uint32_t tres, int64_t wants)
{
	return (FSI_HAS(n, NODE, alloc_tres) || !n->alloc_cpus) &&
	       fsi_amount_of_tres(m, n->tres, tres) - fsi_amount_of_tres(m, n->alloc_tres, tres) >= wants;
}

/* Returns true if the node is up, is not reserved, and has enough free resources for what the job asks for on each
 * node. */
static bool has_free_resources(const struct fs_queue *q, const struct fsi_job *j, const struct fsi_node *n,
			       const struct node_share *s)
{
	const fs_snapshot *m = q->m;
	size_t count;
	const struct fsi_amount *a = fsi_amount_items(m, j->tres_req, &count);
	const int64_t cpus = FSI_HAS(n, NODE, effective_cpus) ? n->effective_cpus : n->cpus;

	if (get_node_availability(m, n) != NODE_UP || cpus - (int64_t)n->alloc_cpus < s->cpus ||
	    (int64_t)n->mem_mb - (int64_t)n->alloc_mem_mb < s->mem_mb || is_node_reserved_before(m, n, q->now, s->end))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!strncmp(fsi_name_text(m, a[i].tres), "gres/", strlen("gres/")) &&
		    !has_free_gres(m, n, a[i].tres, (a[i].n + s->nodes - 1) / s->nodes))
			return false;
	return true;
}

/* Returns true if an eligible job ahead of the record is in another partition, and that partition shares nodes with the
 * record's partition. The scheduler leaves the nodes of that other partition to the job ahead
 * (src/slurmctld/job_scheduler.c: _schedule removes them from avail_node_bitmap). */
static bool has_rival_job_ahead(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	uint32_t seen = r->partition;

	for (const struct fsi_queue_record *o = q->record.v; o < r; o++) {
		if (!o->eligible || o->job == r->job || o->partition == FSI_NO_INDEX || o->partition == seen)
			continue;
		seen = o->partition;
		if (fsi_partitions_share_nodes(q->m, o->partition, r->partition))
			return true;
	}
	return false;
}

/* Returns true if the job asks for something that only Slurm's node selection can test, such as named nodes,
 * licenses, a reservation or whole nodes. */
static bool needs_node_selection(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const struct fsi_job_ext *optional_fields = fsi_job_ext(m, j);

	return optional_fields->req_nodes || optional_fields->licenses || j->reservation ||
	       optional_fields->het_job_id || optional_fields->all_memory ||
	       !is_simple_feature_list(fsi_name_text(m, j->features)) || !FSI_HAS(j, JOB, cpus) ||
	       fsi_request_uses_whole_nodes(m, j, p) || fsi_request_excludes_other_users(m, j, p) ||
	       !strcmp(fsi_name_text(m, j->oversubscribe), "MCS");
}

/* Returns the CPUs and memory that the record's job requests on each of its nodes, the number of nodes, and the end of
 * the job's time limit. */
static struct node_share compute_node_share(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[r->job];
	const struct fsi_counted_request request = fsi_request_count_cpus(&q->verdict_facts->requests, j, r->partition);
	const uint32_t mem = fsi_name_find(m, "mem");
	struct node_share s = { .nodes = get_requested_nodes(m, j), .end = INT64_MAX };
	int64_t mem_mb = mem ? fsi_amount_of_tres(m, j->tres_req, mem) : 0;

	if (request.mem_per_cpu_mb && (int64_t)(request.min_cpus * request.mem_per_cpu_mb) > mem_mb)
		mem_mb = (int64_t)(request.min_cpus * request.mem_per_cpu_mb);
	s.cpus = (int64_t)((request.min_cpus + s.nodes - 1) / s.nodes);
	s.mem_mb = (mem_mb + s.nodes - 1) / s.nodes;
	if (FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		s.end = q->now + j->time_limit_s;
	return s;
}

/* Returns true if the job could start now. Two conditions must hold: enough nodes of the partition have free resources
 * for the request until the end of its time limit; no job ahead in another partition waits for nodes of the partition.
 * Returns false if it is unknown whether the job could start. */
static bool has_enough_free_nodes(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[r->job];
	struct node_share s;
	uint32_t count = 0;

	if (!q->scheduler->block_records || r->partition == FSI_NO_INDEX ||
	    needs_node_selection(m, j, &m->partition.v[r->partition]) || has_rival_job_ahead(q, r))
		return false;
	s = compute_node_share(q, r);
	for (size_t i = 0; i < m->node.n && count < s.nodes; i++) {
		const struct fsi_node *n = &m->node.v[i];

		count += fsi_node_is_in_partition(m, n, r->partition) && may_job_use_node(m, j, n) &&
			 has_free_resources(q, j, n, &s);
	}
	return count >= s.nodes;
}

/* ---- limits and obstacles of a job */

/* Sets out->choices and *choices to one new array: all pairs of a partition and a QOS that the job may use. Sets *nqos
 * to the number of pairs with the same partition. Returns -1 if out of memory. */
static int fill_job_choices(const struct fsi_limits_context *x, const struct fsi_job *j, struct fsi_blockers *out,
			    struct fs_explain_choice **choices, size_t *nqos)
{
	size_t np, nq;
	const uint32_t *partitions = fsi_list_items(x->m, j->partitions, &np), *qos = fsi_list_items(x->m, j->qos, &nq);

	*nqos = nq ? nq : 1;
	out->nchoices = (np ? np : 1) * *nqos;
	*choices = fsi_arena_array(x->arena, out->nchoices, sizeof(**choices));
	if (!*choices)
		return -1;
	for (size_t i = 0; i < out->nchoices; i++)
		(*choices)[i] =
			(struct fs_explain_choice){ .partition = fsi_name_text(x->m, np ? partitions[i / *nqos] : 0),
						    .qos = fsi_name_text(x->m, nq ? qos[i % *nqos] : 0) };
	out->choices = *choices;
	return 0;
}

int fsi_blockers_find(struct fsi_blockers *out, const struct fsi_limits_context *from, uint32_t job_row,
		      const struct fs_reason *reason)
{
	const struct fsi_job *j = &from->m->job.v[job_row];
	struct fsi_job_limits limits = { .job_row = job_row, .reason = reason };

	*out = (struct fsi_blockers){ .job_row = job_row, .reason = reason };
	if (j->state != FSI_STATE_PENDING)
		return 0;
	if (fill_job_choices(from, j, out, &limits.choices, &limits.nqos))
		return -1;
	limits.nchoices = out->nchoices;
	if (fsi_limits_find_blocking(from, &limits))
		return -1;
	out->limits = limits.limits;
	out->nlimits = limits.nlimits;
	return fsi_blockers_add_obstacles(from, out, limits.choices);
}

/* Returns true if the job's reason names a limit that the snapshot does not have. */
static bool is_named_limit_unknown(const struct fsi_blockers *b)
{
	for (size_t i = 0; i < b->nlimits; i++)
		if (b->limits[i].named)
			return false;
	return true;
}

/* ---- the facts of a queue that are computed once for all verdicts */

/* Returns the first record of the job; NULL: the job is not in the queue. */
static const struct fsi_queue_record *find_first_record(const struct fs_queue *q, uint32_t job_row)
{
	const uint32_t at = q->first_record && job_row < q->m->job.n ? q->first_record[job_row] : FSI_NO_INDEX;

	return at == FSI_NO_INDEX ? NULL : &q->record.v[at];
}

int fsi_verdict_prepare_facts(struct fs_queue *q)
{
	q->verdict_facts = calloc(1, sizeof(*q->verdict_facts));
	if (!q->verdict_facts)
		return -1;
	return q->scheduler->block_records ? q->scheduler->block_records(q) : 0;
}

void fsi_verdict_release_facts(struct fs_queue *q)
{
	if (!q->verdict_facts)
		return;
	fsi_limits_release_totals(&q->verdict_facts->limit_totals);
	fsi_arena_release(&q->verdict_facts->request_arena);
	fsi_job_arrays_release(&q->verdict_facts->job_arrays);
	free(q->verdict_facts->running_arrays);
	free(q->verdict_facts->partition_nodes);
	free(q->verdict_facts);
}

/* ---- kind of the verdict */

/* Returns the first eligible record of the job in scheduling order; the job's first record if none is eligible. */
static const struct fsi_queue_record *find_best_record(const struct fs_queue *q, const struct fsi_queue_record *first)
{
	for (const struct fsi_queue_record *r = first;; r = &q->record.v[r->next_of_job]) {
		if (r->eligible)
			return r;
		if (r->next_of_job == FSI_NO_INDEX)
			return first;
	}
}

/* Returns the last eligible record in the scheduling order of record `r`; `r` itself if no eligible record follows. */
static const struct fsi_queue_record *find_last_eligible(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const uint32_t last = q->order_end[fsi_queue_get_record_order(q, r)].last_eligible;

	return last && &q->record.v[last - 1] > r ? &q->record.v[last - 1] : r;
}

/* Returns the cause that makes the position of the record unknown; FS_VERDICT_CAUSE_NONE: the position is known. */
static enum fs_verdict_cause find_unknown_position_cause(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const uint32_t position = fsi_queue_get_position(q, r);
	const struct fsi_queue_record *last;

	if (position == 1 && fsi_is_type_hidden(q->m, "job"))
		return FS_VERDICT_CAUSE_JOBS;
	if (position > 1 && isnan(r->priority))
		return FS_VERDICT_CAUSE_PRIORITIES;
	last = find_last_eligible(q, r);
	return last != r && isnan(last->priority) ? FS_VERDICT_CAUSE_PRIORITIES : FS_VERDICT_CAUSE_NONE;
}

/* Returns true if the recorded reason says that nodes are not available, and the snapshot has no nodes with which to
 * verify this reason. */
static bool has_unverified_node_reason(const struct fs_queue *q, const struct fs_verdict *v)
{
	return !q->m->node.n && fsi_reason_names_nodes(v->reason, v->reason_text);
}

/* Sets position, kind and cause of the verdict on a job that is eligible. `r`: the job's first eligible record. */
static void fill_position_verdict(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict *out)
{
	struct fs_verdict_nodes nodes;

	out->position = fsi_queue_get_position(q, r);
	out->ahead = out->position ? out->position - 1 : 0;
	out->ahead_tasks = q->m->scheduler->has_single_order ? out->ahead : r->tasks.ahead;
	if (q->scheduler->lacks_nodes && q->scheduler->lacks_nodes(q, r, &nodes)) {
		out->kind = FS_VERDICT_NODES;
		out->cause = nodes.down + nodes.drained ? FS_VERDICT_CAUSE_DOWN : FS_VERDICT_CAUSE_RESERVED;
		out->nodes = nodes;
		return;
	}
	out->cause = find_unknown_position_cause(q, r);
	if (out->cause) {
		out->position = out->ahead = 0;
		out->ahead_tasks = 0;
	}
	if (has_unverified_node_reason(q, out))
		out->kind = fsi_reason_names_reservation(out->reason_text) ? FS_VERDICT_RESERVATION : FS_VERDICT_NODES;
	else if (out->cause)
		out->kind = FS_VERDICT_WAITS;
	else if (out->position > 1)
		out->kind = FS_VERDICT_BEHIND;
	else
		out->kind = has_enough_free_nodes(q, r) ? FS_VERDICT_NOW : FS_VERDICT_FIRST;
}

/* Sets the kind of the verdict on a job, and the members that depend on the job's queue records. `first`: first record
 * of the job. Returns -1 if out of memory. */
static int decide_verdict_kind(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			       struct fs_verdict *out)
{
	const struct fsi_queue_record *best = find_best_record(q, first);

	out->reason = fsi_queue_get_reason(first);
	out->reason_text = fsi_name_text(q->m, q->m->job.v[first->job].reason);
	out->partition = fsi_name_text(q->m, best->partition_name);
	out->qos = fsi_name_text(q->m, best->qos);
	if (q->scheduler->find_verdict && q->scheduler->find_verdict(q, first, arena, out))
		return -1;
	if (out->kind == FS_VERDICT_NONE && best->eligible) {
		fill_position_verdict(q, best, out);
	} else if (out->kind == FS_VERDICT_NONE) {
		/* the job is not eligible, and only its recorded reason may show why */
		out->kind = FS_VERDICT_UNKNOWN;
	}
	return 0;
}

enum fs_verdict_kind fs_queue_verdict_kind(const fs_queue *q, uint32_t job_row)
{
	const struct fsi_queue_record *first = find_first_record(q, job_row);
	struct fs_verdict v = { .time = FS_UNKNOWN };
	struct fsi_arena arena = { 0 };
	const bool known = first && !decide_verdict_kind(q, first, &arena, &v);

	fsi_arena_release(&arena);
	return known ? v.kind : FS_VERDICT_NONE;
}

/* ---- the limit or obstacle that explains a verdict */

/* Returns the first limit that blocks the job. If `never` is true, considers only limits that the job's own request
 * exceeds. NULL: there is no such limit. */
static const struct fs_explain_limit *find_deciding_limit(const struct fsi_blockers *b, bool never)
{
	for (size_t i = 0; i < b->nlimits; i++)
		if (b->limits[i].blocks && (!never || b->limits[i].never))
			return &b->limits[i];
	return NULL;
}

/* Sets the limit or obstacle that explains a verdict of kind NEVER or LIMIT, and the cause that belongs to this limit
 * or obstacle. */
static void add_blocking_evidence(const struct fsi_blockers *b, struct fs_verdict *out)
{
	const bool never = out->kind == FS_VERDICT_NEVER;

	if (never ? out->cause != FS_VERDICT_CAUSE_ACCESS : out->cause != FS_VERDICT_CAUSE_POLICY)
		return;
	out->limit = find_deciding_limit(b, never);
	if (out->limit) {
		out->cause = FS_VERDICT_CAUSE_LIMIT;
	} else if (never && b->nobstacles) {
		out->obstacle = &b->obstacles[0];
		out->cause = FS_VERDICT_CAUSE_PARTITION;
		out->partition = out->obstacle->partition;
	} else if (never && out->reason && *out->reason->limit) {
		out->cause = FS_VERDICT_CAUSE_LIMIT;
	}
}

/* Returns true if the recorded reason is outdated: the reason names a hold, a request of the job, a limit or the
 * partition, but the verdict does not. According to the verdict, the job is eligible, or waits because nodes are down,
 * drained or reserved. */
static bool is_reason_stale(const struct fs_verdict *v)
{
	const struct fs_reason *r = v->reason;

	if (!r || v->kind < FS_VERDICT_NODES || v->cause == FS_VERDICT_CAUSE_PARTITION)
		return false;
	return r->section == FS_SECTION_HELD || r->section == FS_SECTION_REQUEST || *r->limit != '\0' ||
	       r->section == FS_SECTION_PARTITION;
}

int fsi_verdict_find_for_job(const struct fs_queue *q, uint32_t job_row, const struct fsi_blockers *blockers,
			     struct fsi_arena *arena, struct fs_verdict *out)
{
	const struct fsi_queue_record *first = find_first_record(q, job_row);
	const struct fsi_job *j = &q->m->job.v[job_row];
	const struct fsi_limits_context from = { .m = q->m,
						 .viewer = &q->viewer,
						 .usage = q->usage,
						 .arena = arena,
						 .requests = &q->verdict_facts->requests,
						 .billing = &q->verdict_facts->billing,
						 .totals = &q->verdict_facts->limit_totals };
	struct fsi_blockers computed;

	*out = (struct fs_verdict){ .time = FS_UNKNOWN, .partition = "", .qos = "", .reason_text = "" };
	if (!first)
		return 0;
	if (decide_verdict_kind(q, first, arena, out))
		return -1;
	if (!q->scheduler->block_records)
		return 0;
	if (out->kind == FS_VERDICT_DEPENDENCY || out->cause == FS_VERDICT_CAUSE_DEPENDENCY)
		return fill_queue_needs(q, j, arena, out);
	if (out->kind == FS_VERDICT_NEVER || out->kind == FS_VERDICT_LIMIT) {
		if (!blockers && fsi_blockers_find(&computed, &from, job_row, fsi_queue_get_reason(first)))
			return -1;
		add_blocking_evidence(blockers ? blockers : &computed, out);
	}
	out->stale = is_reason_stale(out);
	return 0;
}

int fs_queue_verdict(const fs_queue *q, uint32_t job_row, struct fs_verdict *out)
{
	struct fsi_arena *own = calloc(1, sizeof(*own));

	if (own && !fsi_verdict_find_for_job(q, job_row, NULL, own, out)) {
		out->memory = own;
		return 0;
	}
	if (own)
		fsi_arena_release(own);
	free(own);
	*out = (struct fs_verdict){ .time = FS_UNKNOWN, .partition = "", .qos = "", .reason_text = "" };
	return FS_ENOMEM;
}

void fs_verdict_release(struct fs_verdict *v)
{
	if (!v || !v->memory)
		return;
	fsi_arena_release(v->memory);
	free(v->memory);
	*v = (struct fs_verdict){ .time = FS_UNKNOWN, .partition = "", .qos = "", .reason_text = "" };
}

/* ---- names of the kinds and causes of verdicts */

static const char *const kind_names[] = { FS_VERDICTS(FSI_NAME) };
static const char *const cause_names[] = { FS_VERDICT_CAUSES(FSI_NAME) };

const char *fs_verdict_name(enum fs_verdict_kind kind)
{
	return kind_names[kind];
}

const char *fs_verdict_cause_name(enum fs_verdict_cause cause)
{
	return cause_names[cause];
}

/* ---- blocked records of Slurm, which are determined before the queue is sorted: by limits, and by partitions that are
 * down or cannot run the job (src/slurmctld/job_mgr.c: job_limits_check; src/slurmctld/acct_policy.c) */

/* Returns how the recorded reason shows that the record's partition does not start the job. */
static enum fsi_refusal get_refusal(const struct fsi_queue_record *r)
{
	const struct fs_reason *reason = fsi_queue_get_reason(r);

	return reason ? fsi_reason_row(reason)->refusal : FSI_REFUSES_NEVER;
}

/* Returns true if the recorded reason means that the record's partition does not allow the job. PartitionTimeLimit
 * counts only if the job's time limit or the partition's MaxTime is unknown. The caller tests that the job has only one
 * pair of partition and QOS. */
static bool is_refused_by_reason(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const enum fsi_refusal refusal = get_refusal(r);
	const struct fsi_job *j = &q->m->job.v[r->job];

	if (refusal == FSI_REFUSES_BY_TIME)
		return !FSI_HAS(j, JOB, time_limit_s) || r->partition == FSI_NO_INDEX ||
		       !FSI_HAS(&q->m->partition.v[r->partition], PARTITION, max_time_s);
	return refusal == FSI_REFUSES_ALWAYS;
}

/* Returns true if the partition of the record is down or inactive. If the partition's state is unknown, returns true
 * only if `alone` is true and the job's recorded reason is PartitionDown or PartitionInactive. `alone`: the job has
 * only one pair of partition and QOS. */
static bool is_partition_closed(const struct fs_queue *q, const struct fsi_queue_record *r, bool alone)
{
	const char *state =
		r->partition == FSI_NO_INDEX ? "" : fsi_name_text(q->m, q->m->partition.v[r->partition].state);

	if (!*state)
		return alone && get_refusal(r) == FSI_REFUSES_CLOSED;
	return !strcmp(state, "DOWN") || !strcmp(state, "INACTIVE");
}

/* Returns true if the limit that the recorded reason names is assumed to block the job although the snapshot does not
 * show that. There are three cases: the snapshot does not have the limit; jobs or associations are hidden; or the limit
 * applies to each job's own request, which the scheduler may change. In all other cases, a recorded limit that does
 * not block the job is considered outdated. */
static bool is_named_limit_trusted(const struct fs_queue *q, const struct fsi_blockers *b)
{
	if (!b->reason || !*b->reason->limit)
		return false;
	if (is_named_limit_unknown(b) || fsi_limits_is_named_per_job(b->reason->limit))
		return true;
	return fsi_is_type_hidden(q->m, "job") || fsi_is_type_hidden(q->m, "association");
}

/* Returns true if the recorded reason names a limit that blocks the job now but not forever. The job exceeds such a
 * limit only on some nodes or only together with other jobs. */
static bool has_temporary_named_limit(const struct fsi_blockers *b)
{
	for (size_t i = 0; i < b->nlimits; i++)
		if (b->limits[i].named && b->limits[i].blocks && !b->limits[i].never)
			return true;
	return false;
}

/* Returns the element of b->choices with the partition and the QOS of the record. The search is needed because the
 * elements are in the order of the job's QOS list, but the records of the job are in order of QOS priority. */
static const struct fs_explain_choice *find_record_choice(const fs_snapshot *m, const struct fsi_queue_record *r,
							  const struct fsi_blockers *b)
{
	size_t i = 0;

	while (i + 1 < b->nchoices && (b->choices[i].partition != fsi_name_text(m, r->partition_name) ||
				       b->choices[i].qos != fsi_name_text(m, r->qos)))
		i++;
	return &b->choices[i];
}

/* Sets `blocker` of the record from the limits and obstacles of its job in `b`. Clears `tried` if the scheduler does
 * not try the record, and `eligible` if the record may not start. Sets `passed_over` if the scheduler skips the record
 * because of a limit. */
static void set_record_blocker(struct fs_queue *q, struct fsi_queue_record *r, const struct fsi_blockers *b)
{
	const struct fs_explain_choice *c = find_record_choice(q->m, r, b);
	const bool alone = b->nchoices == 1, trusted = alone && is_named_limit_trusted(q, b),
		   refused = alone && is_refused_by_reason(q, r),
		   /* PartitionNodeLimit may also mean that nodes are down or drained; the job may then start later */
		by_nodes = alone && get_refusal(r) == FSI_REFUSES_BY_NODES, untried = refused || by_nodes,
		   limited = trusted && !q->stops_at_limit && fsi_limits_is_tested_before_nodes(b->reason->limit);

	if (c->never || refused)
		r->blocker = FSI_BLOCKER_NEVER;
	else if (trusted && fsi_limits_is_named_per_job(b->reason->limit) && !has_temporary_named_limit(b))
		r->blocker = FSI_BLOCKER_NEVER;
	else if (is_partition_closed(q, r, alone))
		r->blocker = FSI_BLOCKER_CLOSED;
	else if (c->blocked || trusted || by_nodes)
		r->blocker = FSI_BLOCKER_LIMIT;
	if (c->untried || r->blocker == FSI_BLOCKER_CLOSED || untried || limited) {
		r->passed_over = r->tried && r->blocker != FSI_BLOCKER_CLOSED && !untried &&
				 (c->passed_over || (limited && !c->untried));
		r->tried = false;
	}
	if (r->blocker == FSI_BLOCKER_NEVER || (r->blocker == FSI_BLOCKER_LIMIT && !q->stops_at_limit))
		r->eligible = false;
	r->eligible = r->eligible && r->tried;
}

/* Sets the blockers of the n records of one job. Returns -1 if out of memory. */
static int block_job_records(struct fs_queue *q, struct fsi_queue_record *first, size_t n,
			     const struct fsi_limits_context *from)
{
	struct fsi_blockers b;

	if (fsi_blockers_find(&b, from, first->job, fsi_queue_get_reason(first)))
		return -1;
	for (size_t i = 0; b.nchoices && i < n; i++)
		set_record_blocker(q, first + i, &b);
	return 0;
}

/* Sets the blockers of the records of all jobs. The records must be sorted by job. Returns -1 if out of memory. */
static int block_all_records(struct fs_queue *q)
{
	struct fsi_arena arena = { 0 };
	struct fsi_limit_settings site;
	const struct fsi_limits_context from = { .m = q->m,
						 .site = &site,
						 .viewer = &q->viewer,
						 .usage = q->usage,
						 .arena = &arena,
						 .requests = &q->verdict_facts->requests,
						 .billing = &q->verdict_facts->billing,
						 .totals = &q->verdict_facts->limit_totals };
	int rc = 0;

	fsi_limits_load_settings(&site, q->m);
	for (size_t i = 0, end; !rc && i < q->record.n; i = end) {
		for (end = i + 1; end < q->record.n && q->record.v[end].job == q->record.v[i].job;)
			end++;
		rc = block_job_records(q, &q->record.v[i], end - i, &from);
		fsi_arena_reset(&arena);
	}
	fsi_arena_release(&arena);
	return rc;
}

/* Sets v->running_arrays to the sorted list of array ids, with one entry for each array task that has allocated
 * resources. Returns -1 if out of memory. */
static int list_running_arrays(struct fsi_verdict_facts *v, const fs_snapshot *m)
{
	v->running_arrays = malloc((m->job.n + 1) * sizeof(*v->running_arrays));
	if (!v->running_arrays)
		return -1;
	for (struct fsi_active_jobs b = { 0 }; fsi_active_jobs_next(m, &b);)
		if (m->job.v[b.row].array_job_id && fsi_job_is_allocated(&m->job.v[b.row]))
			v->running_arrays[v->nrunning++] = m->job.v[b.row].array_job_id;
	if (v->nrunning)
		qsort(v->running_arrays, v->nrunning, sizeof(*v->running_arrays), fsi_compare_rising_u64);
	return 0;
}

/* Sets v->partition_nodes to the node counts of each partition. Returns -1 if out of memory. */
static int count_nodes_by_partition(struct fsi_verdict_facts *v, const fs_snapshot *m)
{
	v->partition_nodes = calloc(m->partition.n + 1, sizeof(*v->partition_nodes));
	for (uint32_t i = 0; v->partition_nodes && i < m->partition.n; i++)
		count_partition_nodes(m, i, &v->partition_nodes[i]);
	return v->partition_nodes ? 0 : -1;
}

/* Returns the number of tasks of the array that have allocated resources. */
static uint64_t count_running_tasks(const struct fsi_verdict_facts *v, uint64_t array)
{
	size_t lo = 0, hi = v->nrunning, n = 0;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (v->running_arrays[mid] < array)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo + n < v->nrunning && v->running_arrays[lo + n] == array)
		n++;
	return n;
}

/* Sets out->array_limit to the array's own limit on running tasks (2 in `1-9%2`), and out->array_running to the number
 * of its running tasks. Returns true if the limit is reached, or if no limit is recorded and the recorded reason is
 * JobArrayTaskLimit. */
static bool is_array_limit_reached(const struct fs_queue *q, const struct fsi_job *j, const struct fs_reason *reason,
				   struct fs_verdict *out)
{
	const char *percent = strchr(fsi_name_text(q->m, j->array_tasks), '%');

	out->array_limit = percent ? strtoull(percent + 1, NULL, 10) : 0;
	out->array_running = count_running_tasks(q->verdict_facts, j->array_job_id ? j->array_job_id : j->id);
	return out->array_limit ? out->array_running >= out->array_limit
				: fsi_reason_verdict(reason) == FS_VERDICT_ARRAY_LIMIT;
}

/* Marks the records of an array as passed over if the array's own limit on running tasks is reached. */
static void pass_over_limited_arrays(struct fs_queue *q)
{
	struct fs_verdict v;

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];

		if (r->tried && is_array_limit_reached(q, &q->m->job.v[r->job], fsi_queue_get_reason(r), &v)) {
			r->tried = r->eligible = false;
			r->passed_over = true;
		}
	}
}

int fsi_slurm_block_records(struct fs_queue *q)
{
	struct fsi_verdict_facts *v = q->verdict_facts;

	v->limit_totals.m = q->m;
	if (fsi_request_settings_init(&v->requests, q->m, &v->request_arena) ||
	    fsi_billing_init(&v->billing, q->m, &v->request_arena) || list_running_arrays(v, q->m) ||
	    count_nodes_by_partition(v, q->m))
		return -1;
	q->stops_at_limit = fsi_limits_has_assoc_stop(q->m);
	if (block_all_records(q))
		return -1;
	pass_over_limited_arrays(q);
	return 0;
}

/* ---- requests that the nodes of a Flux instance can never satisfy, and requests that the nodes cannot satisfy while
 * some nodes are down or drained. Flux rejects a request that exceeds all nodes together, including nodes that are down
 * (flux-core: src/bindings/python/flux/resource/Rv1Pool.py: _check_feasibility). */

/* Resources of the nodes that a Flux job may use. Resources that running jobs use are included. */
struct flux_capacity {
	/* `in_queue`: number of nodes of the job's queue; `with_properties`: number of nodes in the queue that have the
	 * job's properties; `with_slots`: number of nodes counted in `with_properties` that are large enough for a
	 * slot */
	uint32_t in_queue, with_properties, with_slots;
	/* numbers of nodes that are large enough for a slot (counted in `with_slots`), but are down or drained */
	uint32_t down, drained;
	/* `slots`: number of the job's slots that all nodes together can hold; `up_slots`: number of slots that the
	 * nodes which are up can hold */
	int64_t slots, up_slots;
	int64_t max_cores; /* number of cores of the node with the most cores */
	/* `gpus`: number of GPUs of all nodes together; `max_gpus`: largest number of GPUs of a single node */
	int64_t gpus, max_gpus;
	int64_t slots_without_gpus; /* number of slots that all nodes can hold if GPUs are ignored */
};

/* Returns true if the node is in the job's queue. The properties of the node are not tested. */
static bool is_in_job_queue(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_node *n)
{
	struct fsi_job plain = *j;

	plain.features = 0;
	return fsi_flux_may_use_node(m, &plain, n);
}

/* Adds a node that the job may use to the counts in *r. */
static void add_node_capacity(const fs_snapshot *m, const struct fsi_flux_request *request, const struct fsi_node *n,
			      struct flux_capacity *r)
{
	const char *state = fsi_name_text(m, n->state);
	const struct fsi_flux_request plain = { .nodes = request->nodes, .cores = request->cores };
	const int64_t slots = fsi_flux_count_slots(m, request, n);
	const int64_t gpus = fsi_amount_of_tres(m, n->tres, fsi_name_find(m, "gres/gpu"));
	const bool drained = strstr(state, "DRAIN") != NULL, down = !drained && !strncmp(state, "DOWN", 4);

	r->with_properties++;
	r->max_cores = n->cpus > r->max_cores ? n->cpus : r->max_cores;
	r->max_gpus = gpus > r->max_gpus ? gpus : r->max_gpus;
	r->gpus += gpus;
	r->slots_without_gpus += fsi_flux_count_slots(m, &plain, n);
	if (!slots)
		return;
	r->with_slots++;
	r->slots += slots;
	r->up_slots += drained || down ? 0 : slots;
	r->drained += drained;
	r->down += down;
}

/* Sets *request to the request of the job, and *r to the resources of the nodes that it may use. Returns false if the
 * request, or the number of cores of any node in the queue, is unknown. */
static bool measure_flux_capacity(const fs_snapshot *m, const struct fsi_job *j, struct fsi_flux_request *request,
				  struct flux_capacity *r)
{
	*request = fsi_flux_read_request(m, j);
	*r = (struct flux_capacity){ 0 };
	if (!request->slots || !m->node.n)
		return false;
	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *n = &m->node.v[i];

		if (!is_in_job_queue(m, j, n))
			continue;
		r->in_queue++;
		if (!FSI_HAS(n, NODE, cpus))
			return false;
		if (fsi_flux_may_use_node(m, j, n))
			add_node_capacity(m, request, n, r);
	}
	return true;
}

/* Returns true if the nodes can never satisfy the request of a Flux job. Sets *out to what the nodes lack: class (the
 * queue has no nodes), features, node, cpu, gres/gpu, or node_cpu and node_gpu (cores and GPUs of a single node). */
static bool find_flux_obstacle(const struct fs_queue *q, uint32_t job_row, struct fs_explain_obstacle *out)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[job_row];
	struct fsi_flux_request request;
	struct flux_capacity r;
	size_t n;
	const uint32_t *queues = fsi_list_items(m, j->partitions, &n);

	if (!measure_flux_capacity(m, j, &request, &r) || r.slots >= request.slots)
		return false;
	*out = (struct fs_explain_obstacle){ .partition = n ? fsi_name_text(m, queues[0]) : "", .name = "" };
	if (!r.in_queue) {
		out->what = "class";
	} else if (!r.with_properties) {
		out->what = "features";
		out->name = fsi_name_text(m, j->features);
	} else if (request.nodes > r.with_properties) {
		out->what = "node";
		out->wants = request.nodes;
		out->has = r.with_properties;
	} else if (r.slots_without_gpus >= request.slots) {
		const bool each = request.nodes || r.max_gpus < request.gpus;

		out->what = each ? "node_gpu" : "gres/gpu";
		out->wants = (double)(each ? request.gpus : request.slots * request.gpus);
		out->has = (double)(each ? r.max_gpus : r.gpus);
	} else if (request.nodes || !r.with_slots) {
		out->what = "node_cpu";
		out->wants = (double)request.cores;
		out->has = (double)r.max_cores;
	} else {
		out->what = "cpu";
		out->wants = (double)(request.slots * request.cores);
		out->has = (double)(r.slots * request.cores);
	}
	return true;
}

bool fsi_flux_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out)
{
	struct fsi_flux_request request;
	struct flux_capacity capacity;
	int64_t each;

	if (!measure_flux_capacity(q->m, &q->m->job.v[r->job], &request, &capacity) || capacity.slots < request.slots ||
	    capacity.up_slots >= request.slots)
		return false;
	each = request.nodes || capacity.max_cores < request.cores ? 1 : capacity.max_cores / request.cores;
	*out = (struct fs_verdict_nodes){ .all = capacity.with_slots,
					  .down = capacity.down,
					  .drained = capacity.drained,
					  .wants = (uint32_t)((request.slots + each - 1) / each) };
	return true;
}

/* ---- verdicts of Flux, which follow from the holds of a job, and functions that Flux and Maui share */

int fsi_verdict_add_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l)
{
	out->limit = fsi_arena_copy(arena, l, sizeof(*l));
	return out->limit ? 0 : -1;
}

int fsi_verdict_block_by_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l)
{
	out->kind = l->never ? FS_VERDICT_NEVER : FS_VERDICT_LIMIT;
	out->cause = FS_VERDICT_CAUSE_LIMIT;
	return fsi_verdict_add_limit(out, arena, l);
}

/* Sets the verdict on a job that a limit of flux-accounting blocks. Returns -1 if out of memory. */
static int block_by_flux_limit(const struct fs_queue *q, uint32_t job_row, struct fsi_arena *arena,
			       const struct fs_hold_row *h, struct fs_verdict *out)
{
	const struct fs_explain_limit l = {
		.name = h->limit,
		.tres = "",
		.scope = h->of_queue ? FS_LIMIT_PARTITION_QOS : FS_LIMIT_ACCOUNT,
		.set_by = h->scope,
		.counted_for = fsi_name_text(q->m, q->m->job.v[job_row].user),
		.partition = "",
		.qos = "",
		.value = h->value,
		.used = h->used,
		.wants = h->wants,
		.factor = 1,
		.reserved_minutes = NAN,
		.blocks = true,
		.never = h->wants > h->value,
	};

	return fsi_verdict_block_by_limit(out, arena, &l);
}

/* Sets the verdict that the hold `h` would give if the job had no other hold. Returns -1 if out of memory. */
static int fill_hold_verdict(const struct fs_queue *q, uint32_t job_row, const struct fs_hold_row *h,
			     struct fsi_arena *arena, struct fs_verdict *out)
{
	const struct fs_reason *reason = fs_reason_find(h->reason);

	if (h->limit)
		return block_by_flux_limit(q, job_row, arena, h, out);
	if (fsi_reason_verdict(reason) == FS_VERDICT_HELD) {
		/* the recorded reason may name only a dependency of the job */
		out->reason = reason;
		out->reason_text = h->reason;
		out->kind = FS_VERDICT_HELD;
		out->cause = fsi_reason_row(reason)->cause;
		return 0;
	}
	if (fsi_flux_parse_begin_time(&q->m->job.v[job_row], h->reason, &out->time)) {
		out->kind = FS_VERDICT_BEGIN;
		return 0;
	}
	out->kind = FS_VERDICT_DEPENDENCY;
	out->cause = FS_VERDICT_CAUSE_DEPENDENCY;
	return fill_queue_needs(q, &q->m->job.v[job_row], arena, out);
}

/* if the job has several holds, the verdict comes from the hold whose verdict kind is first in enum fs_verdict_kind */
int fsi_flux_find_verdict(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			  struct fs_verdict *out)
{
	const struct fs_verdict before = *out;
	const size_t n = q->holds ? fs_holds_count(q->holds, first->job) : 0;
	struct fs_explain_obstacle obstacle;

	if (find_flux_obstacle(q, first->job, &obstacle)) {
		out->kind = FS_VERDICT_NEVER;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
		out->obstacle = fsi_arena_copy(arena, &obstacle, sizeof(obstacle));
		return out->obstacle ? 0 : -1;
	}
	if (!n && fsi_flux_is_queue_stopped(q->m, first->partition)) {
		out->kind = FS_VERDICT_NODES;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
	}
	for (size_t i = 0; i < n; i++) {
		struct fs_verdict v = before;

		if (fill_hold_verdict(q, first->job, fs_holds_row(q->holds, first->job, i), arena, &v))
			return -1;
		if (!i || v.kind < out->kind)
			*out = v;
	}
	return 0;
}

/* ---- verdicts of Slurm
 *
 * The recorded reason is compared with other data of the snapshot, because the reason may be outdated: the scheduler
 * does not update it in every scheduling cycle (src/slurmctld/job_scheduler.c: _job_runnable_test1, job_independent). A
 * job with several partitions shows the reason of only one of them. */

/* Numbers of records of one job: all records, eligible records, and the records that each kind of blocker blocks (enum
 * fsi_record_blocker). */
struct record_counts {
	size_t records, eligible, limit, never, closed;
};

static void count_record_blocker(struct record_counts *s, const struct fsi_queue_record *r)
{
	s->records++;
	s->eligible += r->eligible;
	s->limit += r->blocker == FSI_BLOCKER_LIMIT;
	s->never += r->blocker == FSI_BLOCKER_NEVER;
	s->closed += r->blocker == FSI_BLOCKER_CLOSED;
}

static struct record_counts count_job_records(const struct fs_queue *q, const struct fsi_queue_record *first)
{
	struct record_counts s = { 0 };

	for (const struct fsi_queue_record *r = first;; r = &q->record.v[r->next_of_job]) {
		count_record_blocker(&s, r);
		if (r->next_of_job == FSI_NO_INDEX)
			return s;
	}
}

/* Returns true if the job is held: by its state, by a priority of 0 or, if its priority is unknown, by its reason. */
static bool is_job_held(const struct fsi_job *j, const struct fs_reason *r)
{
	if (j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT)
		return true;
	if (FSI_HAS(j, JOB, priority))
		return !j->priority;
	return r && r->section == FS_SECTION_HELD;
}

/* Returns true if the job was requeued into a held state: by scontrol requeuehold, whichever user ran it, or by an exit
 * code in RequeueExitHold or RequeueExit. Slurm treats such a hold as a hold by the owner, who may therefore release it
 * (src/slurmctld/job_mgr.c: _job_requeue_op, _update_job). The caller must test for the reason JobHeldAdmin first,
 * because an administrator's hold is more recent. */
static bool is_requeued_held(const struct fsi_job *j, const char *reason)
{
	return fsi_reason_means_requeue(reason) || j->state == FSI_STATE_REQUEUE_HOLD ||
	       j->state == FSI_STATE_SPECIAL_EXIT;
}

/* Sets the verdict on a held job. */
static void fill_held_verdict(const fs_snapshot *m, const struct fsi_job *j, struct fs_verdict *out)
{
	out->kind = FS_VERDICT_HELD;
	out->cause = fsi_reason_verdict(out->reason) == FS_VERDICT_HELD ? fsi_reason_row(out->reason)->cause
									: FS_VERDICT_CAUSE_SCHEDULER;
	if (out->cause != FS_VERDICT_CAUSE_ADMINISTRATOR && is_requeued_held(j, fsi_name_text(m, j->reason)))
		out->cause = FS_VERDICT_CAUSE_REQUEUE;
}

/* Returns true and sets the verdict if the job waits for its begin time or for the start of its reservation. */
static bool is_waiting_for_time(const struct fs_queue *q, const struct fsi_job *j, struct fs_verdict *out)
{
	const struct fsi_reservation *res = fsi_reservation_find(q->m, j->reservation);
	const bool reserved = res && fsi_reservation_opening_time(q->m, res) > q->now;
	const bool over = res && fsi_reservation_closing_time(q->m, res) <= q->now;
	const bool excluded = res && fsi_reservation_excludes_job(q->m, res, j);
	const bool timed = FSI_HAS(j, JOB, eligible_time);

	/* A job without EligibleTime waits for its reservation, for tasks of its array or for its begin time
	 * (job_scheduler.c: job_independent). The recorded reason shows for which of the three it waits. */
	if (timed ? j->eligible_time > q->now : !reserved && fsi_reason_verdict(out->reason) == FS_VERDICT_BEGIN) {
		out->kind = FS_VERDICT_BEGIN;
		out->time = timed ? j->eligible_time : FS_UNKNOWN;
	} else if (excluded || reserved || over ||
		   (!res && fsi_reason_verdict(out->reason) == FS_VERDICT_RESERVATION)) {
		out->kind = FS_VERDICT_RESERVATION;
		out->cause = excluded ? FS_VERDICT_CAUSE_ACCESS : FS_VERDICT_CAUSE_RESERVATION;
		out->time = reserved ? res->start_time : FS_UNKNOWN;
	}
	return out->kind != FS_VERDICT_NONE;
}

/* Returns true if the array of the job has as many running tasks as its own limit allows. Slurm shows
 * EligibleTime=Unknown in that case. */
static bool has_full_job_array(const struct fs_queue *q, const struct fsi_job *j, struct fs_verdict *out)
{
	return is_array_limit_reached(q, j, out->reason, out) ||
	       (!FSI_HAS(j, JOB, eligible_time) && fsi_reason_verdict(out->reason) == FS_VERDICT_ARRAY_LIMIT);
}

/* Returns true if, in each of its partitions, the job asks for more nodes than it may use there. Nodes that are not up
 * are counted. */
static bool has_no_fitting_partition(const struct fs_queue *q, const struct fsi_queue_record *first)
{
	for (const struct fsi_queue_record *r = first; has_too_few_nodes(q, r); r = &q->record.v[r->next_of_job])
		if (r->next_of_job == FSI_NO_INDEX)
			return true;
	return false;
}

/* Returns true and sets kind and cause of the verdict if the job can never start. */
static bool can_never_start(const struct fs_queue *q, const struct fsi_queue_record *first,
			    const struct record_counts *s, struct fs_verdict *out)
{
	if (fsi_reason_verdict(out->reason) == FS_VERDICT_NEVER)
		out->cause = fsi_reason_row(out->reason)->cause;
	if (!out->cause && out->reason && !strcmp(out->reason->name, "BadConstraints") &&
	    is_job_held(&q->m->job.v[first->job], out->reason) && s->never < s->records &&
	    has_no_fitting_partition(q, first))
		out->cause = FS_VERDICT_CAUSE_CONSTRAINTS;
	if (!out->cause && s->never == s->records)
		/* default cause; add_blocking_evidence replaces it if a limit or an obstacle is the cause */
		out->cause = FS_VERDICT_CAUSE_ACCESS;
	out->kind = out->cause ? FS_VERDICT_NEVER : FS_VERDICT_NONE;
	return out->cause != FS_VERDICT_CAUSE_NONE;
}

int fsi_slurm_find_verdict(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			   struct fs_verdict *out)
{
	const struct fsi_job *j = &q->m->job.v[first->job];
	const struct record_counts s = count_job_records(q, first);

	(void)arena;
	if (can_never_start(q, first, &s, out))
		return 0;
	if (is_job_held(j, out->reason)) {
		fill_held_verdict(q->m, j, out);
	} else if (j->dependency || fsi_reason_verdict(out->reason) == FS_VERDICT_DEPENDENCY) {
		out->kind = FS_VERDICT_DEPENDENCY;
		out->cause = FS_VERDICT_CAUSE_DEPENDENCY;
	} else if (is_waiting_for_time(q, j, out)) {
		return 0;
	} else if (has_full_job_array(q, j, out)) {
		out->kind = FS_VERDICT_ARRAY_LIMIT;
		out->cause = FS_VERDICT_CAUSE_ARRAY;
	} else if (s.limit && s.limit + s.never + s.closed == s.records) {
		out->kind = FS_VERDICT_LIMIT;
		/* default cause; add_blocking_evidence replaces it if a limit in the snapshot is the cause */
		out->cause = FS_VERDICT_CAUSE_POLICY;
	} else if (s.closed && s.closed + s.never == s.records) {
		out->kind = FS_VERDICT_NODES;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
	}
	return 0;
}
