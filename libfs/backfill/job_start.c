/* Finds the start of one request: tries one start time after another. Also finds the running jobs that a request may
 * preempt. */
#include "backfill/backfill.h"

#include "base/memory.h"
#include "model/find.h"

#include <string.h>
#include <strings.h>

/* ---- preemption
 *
 * A pending job may preempt a running job under three conditions. The running job has a node of the pending job's
 * partition. The QOS or partition of the pending job may preempt the QOS or partition of the running job. The running
 * job's preempt mode is not OFF (src/slurmctld/preempt.c: slurm_find_preemptable_jobs).
 *
 * A preempted job that is suspended releases only its CPUs, and keeps its memory and generic resources. A preempted job
 * that is requeued or cancelled releases all its resources (select/cons_common/job_test.c: _build_cr_job_list; in
 * 24.11, cons_tres has the same function). */

/* Returns the preempt mode of the running job's QOS or partition. If the QOS or partition has no preempt mode, returns
 * the preempt mode of the cluster (src/slurmctld/preempt.c: slurm_job_preempt_mode). */
static const char *get_preempt_mode(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	const struct fsi_qos *qos = fsi_qos_find(p->m, r->qos);
	const uint32_t mode = p->queue->preempt_by_tier
				      ? (r->partition == FSI_NO_INDEX
						 ? 0
						 : p->m->partition.v[r->partition].preempt_mode)
				      : (qos ? qos->preempt_mode : 0);
	const char *own = fsi_name_text(p->m, mode), *all = fs_snapshot_config_text(p->m, "PreemptMode");

	return *own && strcasecmp(own, "cluster") != 0 ? own : all ? all : "";
}

static bool is_mode_off(const char *mode)
{
	return !strcasecmp(mode, "off");
}

static bool is_mode_suspend(const char *mode)
{
	return !strncasecmp(mode, "suspend", strlen("suspend")) || !strcasecmp(mode, "gang,suspend");
}

/* Returns a queue record for a running job. Only members that preemption rules compare are set. */
static struct fsi_queue_record make_running_record(const struct fs_plan *p, uint32_t row)
{
	const struct fsi_job *j = &p->m->job.v[row];
	struct fsi_queue_record r = { .priority = j->priority,
				      .job = row,
				      .partition = FSI_NO_INDEX,
				      .preemption_row = FSI_NO_INDEX };
	const struct fsi_partition *part = fsi_job_first_partition(p->m, j);
	const struct fsi_qos *qos;

	if (part)
		r.partition = (uint32_t)(part - p->m->partition.v);
	r.qos = fsi_list_first_item(p->m, j->qos);
	qos = fsi_qos_find(p->m, r.qos);
	if (p->queue->preempt_by_tier)
		r.preemption_row = r.partition;
	else if (qos)
		r.preemption_row = (uint32_t)(qos - p->m->qos.v);
	return r;
}

/* Returns true if the job may not be preempted yet because it started recently (src/slurmctld/acct_policy.c:
 * acct_policy_is_job_preempt_exempt). */
static bool is_preempt_exempt(const struct fsi_cluster *c, uint32_t job)
{
	const struct fsi_job *j = &c->m->job.v[job];

	return FSI_HAS(j, JOB, preemptable_time) && fsi_job_ext(c->m, j)->preemptable_time > c->now;
}

/* Returns the record with the preemption row of its own QOS. The queue is sorted by another QOS of the job, but the
 * try of a record sets job_ptr->qos_ptr to the QOS of the record. */
static struct fsi_queue_record make_tried_record(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	struct fsi_queue_record tried = *r;
	const struct fsi_qos *qos = fsi_qos_find(q->m, r->qos);

	if (!q->preempt_by_tier && qos)
		tried.preemption_row = (uint32_t)(qos - q->m->qos.v);
	return tried;
}

const bool *fsi_backfill_find_preemptees(struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	const struct fsi_queue_record tried = make_tried_record(bf->plan->queue, r);
	bool any = false;

	if (!bf->plan->queue->preemption_rules || r->partition == FSI_NO_INDEX)
		return NULL;
	for (size_t i = 0; i < bf->cluster.end.n; i++) {
		const struct fsi_running_job *e = &bf->cluster.end.v[i];
		const struct fsi_queue_record running = make_running_record(bf->plan, e->job);

		const char *mode = get_preempt_mode(bf->plan, &running);

		bf->preemptees[e->job] = fsi_queue_may_preempt(bf->plan->queue, &tried, &running) &&
				     !is_mode_off(mode) && !is_preempt_exempt(&bf->cluster, e->job) &&
				     fsi_running_job_is_on_nodes(e, bf->cluster.partition[r->partition].node_set);
		bf->suspends[e->job] = is_mode_suspend(mode);
		any = any || bf->preemptees[e->job];
	}
	return any ? bf->preemptees : NULL;
}

bool fsi_backfill_must_preempt(const struct fsi_select *sel, const struct fsi_request *q)
{
	const struct fsi_end_moment now = { sel->cluster->now, UINT64_MAX };
	struct fsi_request unpreempting = *q;

	unpreempting.preempt.jobs = NULL;
	for (uint32_t k = 0; q->preempt.jobs && k < sel->attempt.selection.nnodes; k++)
		if (fsi_avail_get_cpus(sel->cluster, sel->attempt.selection.node[k], &unpreempting, now) <
		    sel->attempt.selection.node_cpus[k])
			return true;
	return false;
}

/* ---- the search for a start (src/plugins/sched/backfill/backfill.c: _attempt_backfill, from TRY_LATER on)
 *
 * The search tries one start time after another. The try of one start time has these parts:
 *
 * 1. narrow_candidate_nodes() determines the candidate nodes. A candidate is a node of the partition that is up, and
 *    that is free in node_space for the whole run time. The request must allow the node (features, excluded nodes), and
 *    advance reservations must leave the node to the job. The function also determines the next time to try: the next
 *    time at which a usable node of the partition becomes free in node_space.
 *
 * 2. If there are too few candidates, the search goes on with the next time to try. If there are enough candidates, the
 *    select plugin returns a start and nodes (fsi_select_will_run).
 *
 * 3. accept_found_start() accepts or rejects that start. If the start is after the next time to try, it is rejected,
 *    because that next time must be tried first. A start that overlaps planned jobs is rejected too, and becomes the
 *    next time to try.
 *
 * From 24.11 on, the overlap is tested first (Slurm commit b65719d1c2). From 23.11.2 on, the search ends when the time
 * to try is after the end of bf_window (Slurm commit c5fed32cbf).
 *
 * A try that is sure to fail is skipped if this does not change the result of the search. A try is sure to fail in two
 * cases. Too few nodes are free in node_space or have capacity at the tried time (select/avail_index.h). Or the same
 * try failed in an earlier search for an identical request. */

struct start_search {
	struct fsi_backfill *bf;
	const struct fsi_request *q;
	/* copy of *q, used if an advance reservation holds single cores; its member unreserved_cpus is valid for the
	 * time `start` */
	struct fsi_request limited_request;
	int64_t start, next_start; /* `start`: the time to try; `next_start`: the next time to try, 0: none */
	/* Number of seconds, from `start` on, for which no advance reservation may use the nodes (time_limit in
	 * _attempt_backfill). This number is set to the full time limit after a call of the select plugin that finds no
	 * start. From 24.11 on, it is also set to the full time limit after a try with too few nodes (Slurm commit
	 * f3b128a3f2). */
	int64_t resv_run_s;
	uint64_t *nodes;	 /* set of the nodes that the request may use at `start` */
	/* licenses that the job needs during its run; they must be free in node_space */
	struct fsi_license_demand licenses;
	bool lacks_licenses;	 /* too few licenses are free at some time during a run that begins at `start` */
	/* true: tries that are sure to fail may be skipped, because the caller needs only the result of the search */
	bool may_skip_tries;
	/* all tries at or before this time are sure to fail; set by is_failing_ahead; INT64_MIN: no such time */
	int64_t fails_until;
	/* is_failing_ahead tests the time slot of the current try together with this number of later slots of
	 * node_space */
	uint32_t lookahead;
	bool tests_alone;	    /* the next call of is_failing_ahead returns false without a test */
	/* cached results of identical requests; NULL: the request is not cacheable */
	struct fsi_cached_request *cached;
	/* set of the nodes that the request may use at any time; NULL if `cached` is NULL or the snapshot has
	 * reservations */
	const uint64_t *usable_nodes;
	/* failed tries of this search; they replace cached->tries after the search */
	struct fsi_failed_tries failed_tries;
	size_t cache_pos;		     /* index in cached->tries at which the last lookup ended */
	/* the cached failed try whose range of start times includes `start`; NULL: none */
	const struct fsi_failed_try *cached_try;
	bool sure_to_fail; /* the current try is sure to fail and is skipped */
};

/* Initial and maximum number of later time slots that is_failing_ahead tests at once (start_search.lookahead). */
enum { FIRST_LOOKAHEAD = 2, MAX_LOOKAHEAD = 256 };

/* Returns the end of bf_window, rounded down to bf_resolution. */
static int64_t get_window_end(const struct fsi_select *sel)
{
	const int64_t end = sel->cluster->now + sel->params->window_s;

	return end - end % sel->params->resolution_s;
}

int64_t fsi_node_space_round_run(const struct fsi_select *sel, int64_t start, int64_t limit_s, int64_t *end)
{
	const int64_t step = sel->params->resolution_s;
	const int64_t e = start + limit_s + (sel->params->rules_24_11 ? step - 1 : 0);

	*end = e - e % step;
	return start - start % step;
}

void fsi_backfill_get_chosen_nodes(const struct fsi_cluster *c, const struct fsi_attempt *f, uint64_t *set)
{
	memset(set, 0, c->words * sizeof(*set));
	for (uint32_t k = 0; k < f->selection.nnodes; k++)
		fsi_bit_set(set, f->selection.node[k]);
}

void fsi_backfill_get_usable_nodes(const struct fsi_cluster *c, const struct fsi_request *q, uint64_t *set)
{
	memcpy(set, c->partition[q->partition].node_set, c->words * sizeof(*set));
	fsi_bits_and(set, c->up_nodes, c->words);
	if (q->set.allowed)
		fsi_bits_and(set, q->set.allowed, c->words);
}

/* Removes from `set` each node that is not free in node_space for the whole time of the query `look`, or that has no
 * capacity for the request at `when`. Returns true if too few nodes are left. The function may then have stopped early,
 * with unsuitable nodes left in `set`. Overwrites select.usable[1]. */
static bool has_too_few_nodes(const struct start_search *t, const struct fsi_avail_index *fits,
			      struct fsi_end_moment when, struct fsi_node_space_query look, uint64_t *set)
{
	struct fsi_backfill *bf = t->bf;

	look.min_nodes = fsi_avail_index_get_min_nodes(fits, t->q);
	return !fsi_avail_index_restrict_nodes(fits, &bf->cluster, t->q, when, set, bf->select.usable[1]) ||
	       fsi_node_space_narrow_nodes(&bf->node_space, &look, set) < look.min_nodes ||
	       !fsi_avail_index_may_suffice(fits, &bf->cluster, t->q, when, set, bf->select.usable[1]);
}

/* Returns true if too few nodes are suitable for the request. A suitable node is one that the request may use, that is
 * free for the whole time of the query `look`, and that has capacity at the time `until`. Overwrites select.usable. */
static bool has_too_few_usable(const struct start_search *t, const struct fsi_avail_index *fits,
			       struct fsi_node_space_query look, int64_t until)
{
	const struct fsi_end_moment when = { until, UINT64_MAX };

	fsi_backfill_get_usable_nodes(&t->bf->cluster, t->q, t->bf->select.usable[0]);
	return has_too_few_nodes(t, fits, when, look, t->bf->select.usable[0]);
}

/* Returns true if no start from look.start to `until` is possible, because too few nodes are free. One test at `until`
 * covers all these starts. The reason: whenever the job starts in this time range, it needs its nodes from `until` to
 * look.end. In addition, no node has more capacity before `until` than at `until`. */
static bool has_no_start_until(const struct start_search *t, const struct fsi_avail_index *fits,
			       struct fsi_node_space_query look, int64_t until)
{
	if (until >= look.end)
		return false;
	look.start = until;
	return has_too_few_usable(t, fits, look, until);
}

/* Tests whether this try and all tries in the next t->lookahead time slots of node_space are sure to fail. If all are
 * sure to fail, sets t->fails_until, doubles t->lookahead and returns true. If not, halves t->lookahead and returns
 * false; the next call then returns false without a test. */
static bool is_failing_ahead(struct start_search *t, const struct fsi_avail_index *fits,
			     struct fsi_node_space_query look)
{
	const int64_t until = fsi_node_space_find_end_ahead(&t->bf->node_space, t->start, t->lookahead);

	if (t->tests_alone || t->next_start > until || !has_no_start_until(t, fits, look, until)) {
		if (!t->tests_alone && t->lookahead > FIRST_LOOKAHEAD)
			t->lookahead /= 2;
		t->tests_alone = !t->tests_alone;
		return false;
	}
	t->fails_until = until;
	t->lookahead = t->lookahead < MAX_LOOKAHEAD ? 2 * t->lookahead : MAX_LOOKAHEAD;
	return true;
}

/* Returns true if it is certain that the try gives no start before the next time to try: the select plugin would return
 * no start, or a start that is rejected. Always returns false before the first call of the select plugin in this
 * search. Until then no try may be skipped, because bf_max_job_test counts the searches that call the plugin. */
static bool is_sure_to_fail(struct start_search *t, struct fsi_node_space_query look)
{
	struct fsi_backfill *bf = t->bf;
	const struct fsi_end_moment next = { t->next_start, UINT64_MAX };
	const bool counts = !t->may_skip_tries || !bf->select.select_called || !t->next_start;
	const struct fsi_avail_index *fits;

	if (!counts && t->next_start <= t->fails_until)
		return true;
	fits = counts || fsi_select_needs_shared_cpus(&bf->select, t->q)
		       ? NULL
		       : fsi_avail_index_find_entry(&bf->select.avail_index, &bf->cluster, t->q);
	if (!fits)
		return false;
	if (is_failing_ahead(t, fits, look))
		return true;
	memcpy(bf->select.usable[0], t->nodes, bf->cluster.words * sizeof(*t->nodes));
	return has_too_few_nodes(t, fits, next, look, bf->select.usable[0]);
}

/* Returns true if no start in [from, until) is possible, because too few nodes are left. `until` must be within a time
 * slot of node_space, or at the end of the slot. `last`: the later of `from` and the beginning of that slot. */
static bool has_no_start_between(const struct start_search *t, const struct fsi_avail_index *fits, int64_t from,
				 int64_t last, int64_t until)
{
	struct fsi_node_space_query look = { .start = last };

	fsi_node_space_round_run(&t->bf->select, from, t->q->limit_s, &look.end);
	look.end--;
	return look.end >= last && has_too_few_usable(t, fits, look, until);
}

bool fsi_backfill_has_no_start_before(struct fsi_backfill *bf, const struct fsi_request *q, int64_t start)
{
	const struct start_search t = { .bf = bf, .q = q };
	const struct fsi_avail_index *fits =
		fsi_select_needs_shared_cpus(&bf->select, q)
			? NULL
			: fsi_avail_index_find_entry(&bf->select.avail_index, &bf->cluster, q);
	uint32_t slots = FIRST_LOOKAHEAD;

	for (int64_t from = bf->cluster.now; fits && from < start;) {
		const int64_t ahead = fsi_node_space_find_end_ahead(&bf->node_space, from, slots),
			      until = ahead < start ? ahead : start;

		if (until <= from)
			return false;
		if (has_no_start_between(&t, fits, from,
					 slots ? fsi_node_space_find_end_ahead(&bf->node_space, from, slots - 1) : from,
					 until)) {
			slots = slots < MAX_LOOKAHEAD ? 2 * slots + 1 : MAX_LOOKAHEAD;
			from = until;
		} else if (slots) {
			slots /= 2;
		} else {
			return false;
		}
	}
	return fits != NULL;
}

/* Returns the query of node_space for a start at t->start. */
static struct fsi_node_space_query make_space_query(const struct start_search *t)
{
	const struct fsi_backfill *bf = t->bf;

	return (struct fsi_node_space_query){ .start = t->start,
					      .end = (t->start > bf->cluster.now ? t->start : bf->cluster.now) +
						     t->q->limit_s,
					      .rules_24_11 = bf->params.rules_24_11,
					      .min_nodes = t->q->nodes.min,
					      .licenses = t->licenses };
}

/* Returns true if t->cached_try shows that this try fails. A try at this time has then failed for an identical request,
 * and the reason of that failure also applies to this search. */
static bool is_cached_failure_valid(const struct start_search *t)
{
	const struct fsi_failed_try *b = t->cached_try;

	return b && (b->too_few_nodes || (t->bf->select.select_called && t->next_start && t->next_start <= b->until));
}

/* Skips tries up to `until`; the caller must know that all of them fail. Sets t->next_start to the last time to try at
 * or before `until`. This last try is made, because it finds the next time to try. From 24.11 on, the times to try are
 * the times at which a usable node becomes free. Returns false and skips nothing in three cases: there is no such time,
 * t->usable_nodes is NULL, or the version is before 24.11. */
static bool skip_failing_tries(struct start_search *t, int64_t until)
{
	const int64_t last =
		t->usable_nodes && t->bf->params.rules_24_11
			? fsi_node_space_find_last_gain(&t->bf->node_space, t->usable_nodes, t->start, until)
			: t->start;

	if (last == t->start)
		return false;
	t->next_start = last;
	return true;
}

/* Returns true if the cache shows that this try fails: the same start time failed in an earlier search for an identical
 * request. Sets t->cached_try. If t->usable_nodes is set and the cache has a try for this time, also sets
 * t->next_start. */
static bool is_known_to_fail(struct start_search *t)
{
	struct fsi_node_space_query look = make_space_query(t);

	t->cached_try = t->cached ? fsi_request_cache_find_try(&t->cached->tries, t->start, &t->cache_pos) : NULL;
	if (t->cached_try && !t->usable_nodes && t->cached_try->start != t->start)
		t->cached_try = NULL;
	if (!t->cached_try || !t->usable_nodes)
		return false;
	if ((t->bf->select.select_called || t->cached_try->too_few_nodes) &&
	    skip_failing_tries(t, t->cached_try->until))
		return true;
	fsi_node_space_find_next_try(&t->bf->node_space, &look, t->usable_nodes);
	t->next_start = look.next_try;
	return is_cached_failure_valid(t);
}

/* Sets t->nodes to the nodes that the request may use at the time to try, and t->next_start to the next time to try.
 * Also sets t->lacks_licenses and t->sure_to_fail. Advance reservations may postpone the time to try. Returns false if
 * the search must end. */
static bool narrow_candidate_nodes(struct start_search *t)
{
	struct fsi_backfill *bf = t->bf;
	const struct fsi_request *q = t->q;
	struct fsi_unreserved left = {
		.start = t->start, .run_s = t->resv_run_s, .nodes = t->nodes, .open_cpus = bf->select.open_cpus
	};
	struct fsi_node_space_query look;
	struct fsi_exclusive_user_filter owned;

	if (!fsi_select_filter_reserved(&bf->select, q, &left))
		return false;
	t->start = left.start;
	if (bf->cluster.reserved.any_cores) {
		t->limited_request.unreserved_cpus = left.has_open_cpus ? bf->select.open_cpus : NULL;
		t->q = &t->limited_request;
	}
	if (bf->params.stops_beyond_window && t->start > get_window_end(&bf->select))
		return false;
	t->sure_to_fail = is_known_to_fail(t);
	if (t->sure_to_fail)
		return true;
	fsi_bits_and(t->nodes, bf->cluster.partition[q->partition].node_set, bf->cluster.words);
	if (fsi_select_filter_exclusive_user(&bf->select, q, t->start, t->nodes, &owned))
		return false;
	fsi_bits_and(t->nodes, bf->cluster.up_nodes, bf->cluster.words);
	if (owned.delays_start) {
		memset(t->nodes, 0, bf->cluster.words * sizeof(*t->nodes));
		t->next_start = owned.retry_at;
		return true;
	}
	look = make_space_query(t);
	fsi_node_space_find_next_try(&bf->node_space, &look, t->nodes);
	t->next_start = look.next_try;
	t->lacks_licenses = look.lacks_licenses;
	if (left.retry_at && left.retry_at < get_window_end(&bf->select) &&
	    (!t->next_start || left.retry_at < t->next_start))
		t->next_start = left.retry_at;
	if (!t->next_start)
		t->next_start = owned.retry_at;
	if (t->q->set.allowed)
		fsi_bits_and(t->nodes, t->q->set.allowed, bf->cluster.words);
	if (!is_cached_failure_valid(t))
		t->cached_try = NULL;
	t->sure_to_fail = t->cached_try || is_sure_to_fail(t, look);
	if (!t->sure_to_fail)
		fsi_node_space_narrow_nodes(&bf->node_space, &look, t->nodes);
	return true;
}

/* Returns true if the candidates include enough nodes and all required nodes, and enough licenses are free. */
static bool has_enough_candidates(const struct start_search *t)
{
	const struct fsi_cluster *c = &t->bf->cluster;

	return !t->lacks_licenses && fsi_bits_count(t->nodes, c->words) >= t->q->nodes.min &&
	       (!t->q->set.required || fsi_bits_is_subset(t->q->set.required, t->nodes, c->words));
}

/* Returns true if a run from the start in select.attempt overlaps planned jobs or reserved licenses in node_space.
 * Overwrites t->nodes with the chosen nodes. */
static bool has_planned_overlap(const struct start_search *t)
{
	int64_t end;
	const int64_t start =
		fsi_node_space_round_run(&t->bf->select, t->bf->select.attempt.start, t->q->limit_s, &end);

	fsi_backfill_get_chosen_nodes(&t->bf->cluster, &t->bf->select.attempt, t->nodes);
	return fsi_node_space_has_overlap(&t->bf->node_space, start, end, t->nodes, t->licenses);
}

/* Returns true if a job is still completing on a chosen node. */
static bool has_completing_node(const struct fsi_select *sel)
{
	for (uint32_t k = 0; k < sel->attempt.selection.nnodes; k++)
		if (sel->cluster->node[sel->attempt.selection.node[k]].is_completing)
			return true;
	return false;
}

/* Returns true if the start in select.attempt is accepted. If the result is false, t->next_start is the next time to
 * try; 0: none. */
static bool accept_found_start(struct start_search *t, bool now_only)
{
	struct fsi_backfill *bf = t->bf;

	if (bf->select.attempt.start < t->start)
		bf->select.attempt.start = t->start;
	if (bf->params.rules_24_11 && bf->select.attempt.start > bf->cluster.now && has_planned_overlap(t)) {
		t->next_start = bf->select.attempt.start;
		return false;
	}
	if (bf->select.attempt.start <= bf->cluster.now && has_completing_node(&bf->select)) {
		bf->select.attempt.start = bf->cluster.now + 1;
		t->next_start = 0;
	}
	fsi_backfill_het_note_start(bf, t->q->job, bf->select.attempt.start);
	if (bf->select.attempt.start <= bf->cluster.now)
		return true;
	if (now_only)
		return true;
	if (t->next_start && bf->select.attempt.start > t->next_start)
		return false;
	if (bf->select.attempt.start > bf->cluster.now + bf->params.window_s || !has_planned_overlap(t))
		return true;
	t->next_start = bf->select.attempt.start;
	return false;
}

/* Makes a cache entry for the try that has just failed, and returns it. Later searches for identical requests use the
 * entry. `never`: the try failed because has_enough_candidates returned false. */
static struct fsi_failed_try make_failed_try(const struct start_search *t, bool never)
{
	struct fsi_failed_try tried = { .start = t->start, .until = t->next_start, .too_few_nodes = never };

	if (t->cached_try) {
		tried.until = t->cached_try->until;
		tried.too_few_nodes = t->cached_try->too_few_nodes;
	} else if (t->sure_to_fail && t->fails_until > t->next_start) {
		tried.until = t->fails_until;
	} else if (never && !t->usable_nodes) {
		tried.until = t->start + 1;
	}
	return tried;
}

/* Calls the select plugin for the time to try. Returns true if the plugin returns a start and accept_found_start
 * accepts that start. */
static bool call_select_plugin(struct start_search *t, bool now_only)
{
	const struct fsi_will_run w = { .nodes = t->nodes,
					.tried_start = t->start,
					.next_start = t->next_start,
					.now_only = now_only,
					.stops_at_next = !t->bf->params.rules_24_11 && t->may_skip_tries &&
							 t->q->limit_s == t->q->full_limit_s };

	t->bf->select.select_called = true;
	if (fsi_select_will_run(&t->bf->select, t->q, &w, &t->bf->select.attempt))
		return accept_found_start(t, now_only);
	t->resv_run_s = t->q->full_limit_s;
	return false;
}

/* Tries the start time t->start, unless this try is sure to fail. Returns true if a start was found and accepted. */
static bool make_one_try(struct start_search *t, bool now_only)
{
	const bool has_too_few = !t->sure_to_fail && !has_enough_candidates(t);
	struct fsi_failed_try tried;

	if (!t->sure_to_fail && !has_too_few)
		return call_select_plugin(t, now_only);
	if (t->bf->params.rules_24_11)
		t->resv_run_s = t->q->full_limit_s;
	tried = make_failed_try(t, has_too_few);
	if (!t->cached_try && t->next_start)
		skip_failing_tries(t, tried.until);
	if (t->cached)
		fsi_request_cache_add_try(&t->failed_tries, tried);
	return false;
}

/* Tries one start time after another until a start is accepted. Returns false if no start was accepted. */
static bool search_start_times(struct start_search *t, bool now_only)
{
	while (narrow_candidate_nodes(t)) {
		if (make_one_try(t, now_only))
			return true;
		if (!t->next_start || now_only)
			break;
		t->start = t->next_start > t->start ? t->next_start : t->start + t->bf->params.resolution_s;
	}
	return false;
}

/* Returns a search that begins at the time `start`. `keeps_all_tries`: every try is made, even if it is sure to
 * fail. */
static struct start_search begin_start_search(struct fsi_backfill *bf, const struct fsi_request *q, int64_t start,
					      bool keeps_all_tries)
{
	return (struct start_search){ .bf = bf,
				      .q = q,
				      .limited_request = *q,
				      .start = start,
				      .resv_run_s = q->limit_s,
				      .nodes = bf->select.scratch_set[0],
				      .licenses = fsi_license_get_demand(&bf->select, q),
				      .fails_until = INT64_MIN,
				      .may_skip_tries = !keeps_all_tries && !q->features.n,
				      .lookahead = FIRST_LOOKAHEAD };
}

bool fsi_backfill_search_start(struct fsi_backfill *bf, const struct fsi_request *q, bool now_only)
{
	const bool keeps_all_tries = now_only || fsi_backfill_het_get_id(bf->cluster.m, q->job) ||
				     fsi_select_may_change_weights(&bf->select, q);
	struct start_search t = begin_start_search(bf, q, fsi_backfill_het_get_earliest(bf, q->job), keeps_all_tries);
	bool taken;

	bf->select.select_called = false;
	if (q->impossible || (q->nodes.max && q->nodes.min > q->nodes.max))
		return false;
	if (!t.licenses.amount && !bf->cluster.any_exclusive_user && !q->sharing.exclusive_user &&
	    !bf->cluster.topology.nswitches && !keeps_all_tries)
		t.cached = fsi_request_cache_find_entry(&bf->select.request_cache, q);
	if (t.cached && !bf->cluster.m->reservation.n) {
		fsi_backfill_get_usable_nodes(&bf->cluster, q, bf->select.scratch_set[2]);
		t.usable_nodes = bf->select.scratch_set[2];
	}
	taken = search_start_times(&t, now_only);
	if (taken)
		bf->next_try = t.next_start;
	if (t.cached) {
		FSI_VEC_FREE(&t.cached->tries);
		t.cached->tries = t.failed_tries;
	}
	return taken;
}

bool fsi_backfill_postpone_start(struct fsi_backfill *bf, const struct fsi_request *q)
{
	struct start_search t = begin_start_search(bf, q, bf->select.attempt.start, true);

	return !has_planned_overlap(&t) || search_start_times(&t, false);
}
