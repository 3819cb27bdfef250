/* The start time and the nodes of a request, as the select plugin computes them in mode SELECT_MODE_WILL_RUN. */
#include "select/select.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of GPUs that the job gets on the k-th selected node. On each node, the job gets as many free GPUs
 * as it still needs, but leaves one needed GPU for each later node. It gets at least one GPU on each node
 * (select/cons_common/gres_select_filter.c: _set_job_bits1). */
static int64_t count_node_gpus(const struct fsi_request *q, const struct fsi_selection *s, uint32_t k)
{
	int64_t left = q->gpu.total, here = 0;

	for (uint32_t i = 0; i <= k; i++) {
		const int64_t max = left - (s->nnodes - 1 - i), free = s->gpus[s->node[i]];

		here = max < free ? max : free;
		here = here > 0 ? here : 1;
		left -= here;
	}
	return here;
}

/* Returns the number of CPUs of the node that are free at the time `from`. */
static int64_t get_free_cpus_at(const struct fsi_cluster_node *n, int64_t from)
{
	const struct fsi_end_moment at = { from, UINT64_MAX };

	return fsi_avail_get_free_after(n, fsi_avail_count_ended_holds(n, at))[FSI_RES_CPU];
}

/* Returns the number of CPUs that are allocated to the job on the node if the job uses `cpus` CPUs there. Whole sockets
 * are allocated. The CPUs used are spread over the sockets: each socket in turn gets one core. If a task needs several
 * CPUs, or if tasks per socket are limited, each socket gets as many tasks as it can hold
 * (select/cons_common/dist_tasks.c: _cyclic_sync_core_bitmap; with CR_CORE_DEFAULT_DIST_BLOCK
 * _block_sync_core_bitmap). */
static int64_t round_up_to_sockets(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
				   const struct fsi_request *q, int64_t cpus, int64_t from)
{
	const int64_t all = n->total[FSI_RES_CPU] / n->sockets, free = get_free_cpus_at(n, from) / all;
	int64_t each = c->rules.packs_sockets ? all : fsi_avail_get_used_threads(n, q), sockets;

	if (q->cpu.max_per_socket > each)
		each = q->cpu.max_per_socket < all ? q->cpu.max_per_socket : all;
	else if (q->cpu.per_task > 1 && q->cpu.per_task <= all)
		each = all - all % q->cpu.per_task;
	sockets = fsi_cluster_divide_up(cpus, each);
	if (sockets > free)
		sockets = free;
	return (sockets < n->sockets ? sockets : n->sockets) * all;
}

/* Returns true if the selected node with the index k (from 0) gets no task, because the k nodes before it get all tasks
 * of the job. Such a node gives no CPUs (select/cons_tres/dist_tasks.c: dist_tasks_compute_c_b). */
static bool has_node_no_task(const struct fsi_request *q, uint32_t k)
{
	return q->cpu.tasks && k >= (uint64_t)q->cpu.tasks;
}

void fsi_select_compute_amounts(const struct fsi_cluster *c, const struct fsi_request *q, const struct fsi_selection *s,
				uint32_t k, int64_t start, int64_t *amount)
{
	const struct fsi_cluster_node *n = &c->node[s->node[k]];
	int64_t gpus;

	fsi_avail_compute_amounts(n, q, c->nres, s->node_cpus[k], amount);
	if (c->rules.whole_sockets && n->sockets && n->total[FSI_RES_CPU] >= n->sockets && !q->sharing.whole_nodes) {
		amount[FSI_RES_CPU] = has_node_no_task(q, k) ? 0 : round_up_to_sockets(c, n, q, s->node_cpus[k], start);
		if (q->mem.per_cpu)
			amount[FSI_RES_MEM] = amount[FSI_RES_CPU] * q->mem.per_cpu;
	}
	if ((!q->gpu.total && !q->gpu.per_task) || q->sharing.whole_nodes)
		return;
	gpus = q->gpu.total ? count_node_gpus(q, s, k)
			    : fsi_cluster_divide_up(s->node_cpus[k], q->cpu.per_task) * q->gpu.per_task;
	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (q->per_node[r] && fsi_cluster_is_gpu_resource(c, r))
			amount[r] = gpus;
	if (q->gpu.mem_per_gpu)
		amount[FSI_RES_MEM] = gpus * q->gpu.mem_per_gpu;
}

/* ---- the start of a request (select/cons_common/job_test.c: _will_run_test; from 24.11 select/cons_tres/job_test.c:
 * _will_run_test, _future_run_test)
 *
 * The request starts now if the nodes suffice in their present state, or after all jobs that it may preempt are
 * removed. Otherwise running jobs are removed in the order of their ends. Only jobs on a candidate node are removed.
 * All jobs that end before the end of a search window are removed, then a try follows. After each removed job, the next
 * running job of the whole cluster is checked: if this job ends after the window, the removal stops. A job on other
 * nodes is skipped, and no check follows it. The next job on a candidate node is then removed even if it ends after the
 * window. Jobs that the request may preempt are removed before the search, and the search skips them.
 *
 * The window begins at the next multiple of 30 s after the end of the first removed job. After each try, the length of
 * the window is doubled (or increased by bf_window_linear) until the window includes the next job's end. If more than
 * 200 jobs end in a window, they are removed in groups of about 200, and no try follows a full group. The start that is
 * found is the end of the job removed last; from 25.05.1 on, it is the end of the last removed job on the selected
 * nodes (_get_last_relevant_job).
 *
 * Tries of a later start use a copy of the nodes' state. From 23.11.7 on, this copy does not have the lists of jobs
 * that share CPUs. In such a try, these jobs therefore do not exclude any request from a node (node_data_dup_use omits
 * the list that _is_node_busy reads; observed with 24.11.5). From 24.11 on, the plugin may therefore return the present
 * time as the start of a job that the controller then fails to start.
 *
 * From 23.11 on, a try also fails if the jobs not yet removed leave too few licenses. Before 24.11.2, the licenses of
 * jobs on other nodes never become free (license_job_test_with_list).
 *
 * From 24.11 on, jobs that end before the tried start are removed at the beginning. Jobs that end after the start that
 * backfill would try next (fsi_will_run.next_start) are not removed. These two rules do not apply to select/linear. The
 * search of select/linear makes a try after each removed job (src/plugins/select/linear/select_linear.c:
 * _will_run_test). */

enum { FIRST_WINDOW_S = 30, MAX_JOBS = 200 };

/* A will_run search in progress. */
struct will_run_search {
	struct fsi_select *sel;
	const struct fsi_request *q;
	const struct fsi_will_run *w;
	struct fsi_selection *s;
	size_t next_end;    /* index in cluster.end of the running job to remove next */
	/* index in cluster.end of the first job that was not removed at the beginning of the search */
	size_t first_single_end;
	/* start of the search window, seconds since the epoch; the window grows after each try, but keeps this start;
	 * 0: not known yet */
	int64_t window_start;
	int64_t window_s;
	/* the search assumes that the running jobs that end by this moment have released their nodes */
	struct fsi_end_moment removed_until;
	int64_t latest_start; /* latest start that the search tries; INT64_MAX: no limit */
	/* the request wants licenses, and the search considers the licenses that running jobs use */
	bool wants_licenses;
};

/* Returns the index in c->end of the first job that ends after the moment m. */
static size_t find_first_end_after(const struct fsi_cluster *c, struct fsi_end_moment m)
{
	size_t lo = 0, hi = c->end.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (fsi_moment_is_before(m, (struct fsi_end_moment){ c->end.v[mid].when, c->end.v[mid].id }))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Returns the capacity of node i at the moment `when`. `fits`: availability index of the request, or NULL. If
 * fits->answers is not NULL and q->unreserved_cpus is NULL, takes the number of CPUs from `fits`; the member `gpus` of
 * the result is then 0. */
static struct fsi_node_avail get_capacity_at(const struct will_run_search *v, const struct fsi_avail_index *fits,
					     uint32_t i, struct fsi_end_moment when)
{
	const struct fsi_cluster *c = v->sel->cluster;

	return fits && fits->answers && !v->q->unreserved_cpus
		       ? (struct fsi_node_avail){ .cpus = fsi_avail_index_get_cpus(fits, c, v->q, i, when) }
		       : fsi_avail_get_at_moment(c, i, v->q, when);
}

/* Returns true if the search removes the running job. The search removes jobs on candidate nodes and, from 24.11.2 on,
 * jobs with a license that the request wants. */
static bool is_end_counted(const struct will_run_search *v, const struct fsi_running_job *e)
{
	const fs_snapshot *m = v->sel->cluster->m;

	return fsi_running_job_is_on_nodes(e, v->w->nodes) ||
	       (v->wants_licenses && fs_slurm_has(v->sel->cluster->release, FS_SLURM_LICENSES_ANYWHERE) &&
		fsi_license_has_job_wanted(&v->sel->licenses, m, &m->job.v[e->job]));
}

/* Returns true if the request may preempt the i-th job of cluster.end. Such jobs are removed before all other jobs
 * (_build_cr_job_list). */
static bool is_end_preempted(const struct will_run_search *v, size_t i)
{
	return v->q->preempt.jobs && v->q->preempt.jobs[v->sel->cluster->end.v[i].job];
}

/* Returns true if enough licenses are available after the jobs that end by the moment `when` are removed. */
static bool has_licenses_at(const struct will_run_search *v, struct fsi_end_moment when)
{
	const struct fsi_cluster *c = v->sel->cluster;
	int64_t until;

	if (!v->wants_licenses || fsi_license_is_wanted_open(v->sel, v->q, c->now, c->now + v->q->limit_s, &until))
		return true;
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_running_job *e = &c->end.v[i];
		const bool off = !fsi_moment_is_before(when, (struct fsi_end_moment){ e->when, e->id });

		if ((off || is_end_preempted(v, i)) && is_end_counted(v, e))
			fsi_license_free_job(&v->sel->licenses, c->m, &c->m->job.v[e->job]);
	}
	return fsi_license_is_wanted_left(&v->sel->licenses);
}

/* Sets the weights of the nodes as if none of their CPUs were in use. The select plugin does this before each selection
 * (_job_test, test 0). */
static void weigh_unused_nodes(const struct will_run_search *v, const uint64_t *nodes, struct fsi_end_moment when)
{
	const struct fsi_cluster *c = v->sel->cluster;

	FSI_BITS_FOR_EACH(i, nodes, c->words)
		fsi_select_weigh_unused_node(v->s, c, v->q, i, when);
}

/* Selects nodes as if the jobs that end by the moment `when` were removed. Returns false if the nodes do not
 * suffice. */
static bool choose_nodes_at(struct will_run_search *v, struct fsi_end_moment when, bool busy_first)
{
	const struct fsi_cluster *c = v->sel->cluster;
	uint64_t *const *may = v->sel->usable;
	const uint64_t *nodes = v->w->nodes;
	const struct fsi_avail_index *fits;

	if (!has_licenses_at(v, when))
		return false;
	v->s->busy_first = busy_first;
	if (fsi_select_needs_shared_cpus(v->sel, v->q))
		return fsi_select_choose_shared_nodes(v->sel, v->q, nodes, when, v->s);
	v->s->ncandidates = 0;
	if (fsi_select_may_change_weights(v->sel, v->q))
		weigh_unused_nodes(v, nodes, when);
	fits = fsi_select_may_change_weights(v->sel, v->q) ? NULL
							   : fsi_avail_index_find_entry(&v->sel->avail_index, c, v->q);
	if (fits) {
		memcpy(may[0], nodes, c->words * sizeof(*nodes));
		nodes = may[0];
		if (!fsi_avail_index_restrict_and_check(fits, c, v->q, when, may[0], may[1]))
			return false;
	}
	FSI_BITS_FOR_EACH(i, nodes, c->words)
	{
		const struct fsi_node_avail avail = get_capacity_at(v, fits, i, when);

		if (avail.cpus <= 0 && v->q->set.required && fsi_bit_is_set(v->q->set.required, i))
			return false;
		if (avail.cpus <= 0)
			continue;
		v->s->cpus[i] = avail.cpus;
		v->s->gpus[i] = avail.gpus;
		v->s->candidates[v->s->ncandidates++] = i;
	}
	return fsi_select_choose_nodes(v->s, c, v->q);
}

static void skip_preempted_ends(struct will_run_search *v)
{
	while (v->next_end < v->sel->cluster->end.n && is_end_preempted(v, v->next_end))
		v->next_end++;
}

/* Returns the start of the first search window: the first multiple of v->window_s after the end of the job *e. Uses the
 * recorded end of the job, even if this end is in the past. */
static int64_t compute_window_start(const struct will_run_search *v, const struct fsi_running_job *e)
{
	const struct fsi_job *j = &v->sel->cluster->m->job.v[e->job];
	const bool past = e->when == v->sel->cluster->now + 1 && FSI_HAS(j, JOB, end_time) && j->end_time < e->when;
	const int64_t end = past ? j->end_time : e->when;

	return end + v->window_s - end % v->window_s;
}

/* Removes the jobs that end in the search window, but stops after about MAX_JOBS jobs. Sets *try_it to false if the
 * function stops because of this number, since the plugin then removes more jobs before the next try. Otherwise sets
 * *try_it to true. Returns false if no job was removed. */
static bool remove_jobs_in_window(struct will_run_search *v, bool *try_it)
{
	const struct fsi_cluster *c = v->sel->cluster;
	uint32_t count = 0;
	bool any = false;

	*try_it = true;
	skip_preempted_ends(v);
	while (v->next_end < c->end.n) {
		const struct fsi_running_job *e = &c->end.v[v->next_end];

		if (v->sel->params->rules_24_11 && !c->requests.linear && v->w->next_start &&
		    e->when > v->w->next_start) {
			v->next_end = c->end.n;
			break;
		}
		v->next_end++;
		skip_preempted_ends(v);
		if (!is_end_counted(v, e))
			continue;
		if (!v->window_start)
			v->window_start = compute_window_start(v, e);
		v->removed_until = (struct fsi_end_moment){ e->when, e->id };
		any = true;
		if (e->when > v->latest_start || c->requests.linear || v->next_end == c->end.n ||
		    c->end.v[v->next_end].when > v->window_start + v->window_s)
			break;
		if (count++ > MAX_JOBS) {
			*try_it = false;
			break;
		}
	}
	return any;
}

static void widen_search_window(struct will_run_search *v)
{
	const struct fsi_cluster *c = v->sel->cluster;
	const int64_t more = v->sel->params->window_growth_s;

	do
		v->window_s += more ? more : v->window_s;
	while (v->next_end < c->end.n && c->end.v[v->next_end].when > v->window_start + v->window_s);
}

/* Removes the running jobs that end before the tried start `from` from their nodes. From 25.05 on, also removes the
 * jobs that end exactly at `from`. */
static void remove_jobs_before_start(struct will_run_search *v, int64_t from)
{
	const struct fsi_end_moment by = { v->sel->params->ended_by_start ? from : from - 1, UINT64_MAX };

	v->next_end = find_first_end_after(v->sel->cluster, by);
	if (by.when > v->removed_until.when)
		v->removed_until = by;
}

static bool is_end_on_selection(const struct fsi_running_job *e, const struct fsi_selection *s)
{
	for (uint32_t k = 0; k < e->nnodes; k++)
		if (bsearch(&e->node[k], s->node, s->nnodes, sizeof(*s->node), fsi_compare_rising_u32))
			return true;
	return false;
}

static int64_t get_selected_start(const struct will_run_search *v)
{
	const struct fsi_cluster *c = v->sel->cluster;

	for (size_t i = find_first_end_after(c, v->removed_until);
	     v->sel->params->last_on_nodes && !c->requests.linear && i-- > v->first_single_end;)
		if (!is_end_preempted(v, i) && is_end_on_selection(&c->end.v[i], v->s))
			return c->end.v[i].when;
	return v->removed_until.when;
}

static bool find_later_start(struct will_run_search *v, struct fsi_attempt *found)
{
	bool try_it;

	v->first_single_end = v->next_end;
	while (remove_jobs_in_window(v, &try_it) && v->removed_until.when <= v->latest_start) {
		if (try_it) {
			widen_search_window(v);
			if (choose_nodes_at(v, v->removed_until, v->sel->params->busy_nodes)) {
				found->start = get_selected_start(v);
				return true;
			}
		}
		if (v->next_end == v->sel->cluster->end.n)
			return false;
	}
	return false;
}

/* Sets *found to the start that the select plugin would give the request on w->nodes. Returns false if there is no
 * start. */
static bool find_start_on_nodes(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
				struct fsi_attempt *found)
{
	struct fsi_request now = *q;
	struct will_run_search v = { .sel = sel,
				     .q = &now,
				     .w = w,
				     .s = &found->selection,
				     .window_s = FIRST_WINDOW_S,
				     .removed_until = { sel->cluster->now, UINT64_MAX },
				     .latest_start = w->stops_at_next && w->next_start ? w->next_start : INT64_MAX,
				     .wants_licenses = sel->params->plans_licenses && sel->licenses.n &&
						 fs_slurm_has(sel->cluster->release, FS_SLURM_COUNTS_LICENSES) &&
						 fsi_license_get_demand(sel, q).amount };
	const bool later =
		sel->params->rules_24_11 && w->tried_start > sel->cluster->now && !sel->cluster->requests.linear;

	now.preempt.jobs = NULL;
	now.sharing.ignores_shared_cpus = false;
	found->fails_to_start = false;
	found->start = sel->cluster->now;
	if (!later && choose_nodes_at(&v, v.removed_until, false))
		return true;
	v.q = q;
	if (w->now_only && !q->preempt.jobs)
		return false;
	if (later)
		remove_jobs_before_start(&v, w->tried_start);
	if ((later || q->preempt.jobs || (q->sharing.ignores_shared_cpus && sel->params->rules_24_11)) &&
	    choose_nodes_at(&v, v.removed_until, false)) {
		found->fails_to_start = !later && q->sharing.ignores_shared_cpus && !q->preempt.jobs;
		return true;
	}
	return !w->now_only && !w->never_waits && find_later_start(&v, found);
}

/* ---- requests with feature sets (src/plugins/sched/backfill/backfill.c: _try_sched)
 *
 * A feature set is one name of the job's --constraint, or a group of names in parentheses (libfs/nodes/request.h). If
 * all nodes of the request must be of the same set, each set is tried, and the set with the earliest start is used. If
 * several sets have the earliest start, the first of them is used.
 *
 * If the request needs nodes of each feature set, the sets are tried in turn, each on nodes that the earlier sets did
 * not take. If a set has no start, the later sets are not tried. If the tried sets together give fewer nodes than
 * wanted, the missing nodes are taken from the other candidates. The job starts at the latest of the starts found for
 * the sets. The job has no start in these cases: the first set has no start; there is no start for the missing nodes; a
 * later set has no start and no nodes are missing.
 *
 * A request without feature sets whose --ntasks-per-node limits the CPUs on a node is tried twice. In the first try the
 * job gets nodes as if it did not share them; the number of tasks on a node then does not limit the CPUs used there
 * (select/cons_tres/job_test.c: _allocate_sc, share_res). If the first try finds a start without waiting for jobs to
 * end, a second try on the nodes found applies the limit, and its start is used. If one of the two tries fails, the
 * request is tried like any other. */

static bool try_candidate_subset(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
				 const uint64_t *nodes, struct fsi_attempt *found)
{
	struct fsi_will_run part = *w;

	if (fsi_bits_count(nodes, sel->cluster->words) < q->nodes.min)
		return false;
	part.nodes = nodes;
	return find_start_on_nodes(sel, q, &part, found);
}

static bool try_feature_set(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
			    uint32_t k, struct fsi_attempt *found)
{
	uint64_t *nodes = sel->feature_scratch.nodes;

	memcpy(nodes, w->nodes, sel->cluster->words * sizeof(*nodes));
	fsi_bits_and(nodes, q->features.set[k].nodes, sel->cluster->words);
	return try_candidate_subset(sel, q, w, nodes, found);
}

static bool try_one_feature_set(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
				struct fsi_attempt *found)
{
	uint32_t best = FSI_NO_INDEX;
	int64_t start = 0;

	for (uint32_t k = 0; k < q->features.n; k++)
		if (try_feature_set(sel, q, w, k, found) && (best == FSI_NO_INDEX || found->start < start)) {
			best = k;
			start = found->start;
		}
	return best != FSI_NO_INDEX && (best + 1 == q->features.n || try_feature_set(sel, q, w, best, found));
}

/* ---- requests that need nodes of each feature set */

/* The nodes taken so far for a request that needs nodes of each feature set. */
struct taken_nodes {
	uint64_t *set;
	int64_t *cpus; /* cpus[node]: CPUs taken on the node */
	int64_t start;
	uint32_t n;
};

static void add_selected_nodes(struct taken_nodes *t, const struct fsi_selection *s)
{
	for (uint32_t k = 0; k < s->nnodes; k++) {
		t->n += !fsi_bit_is_set(t->set, s->node[k]);
		fsi_bit_set(t->set, s->node[k]);
		t->cpus[s->node[k]] = s->node_cpus[k];
	}
}

static void store_taken_nodes(const struct fsi_cluster *c, const struct taken_nodes *t, struct fsi_attempt *found)
{
	struct fsi_selection *s = &found->selection;

	found->start = t->start;
	s->nnodes = 0;
	FSI_BITS_FOR_EACH(i, t->set, c->words)
	{
		s->node[s->nnodes] = i;
		s->node_cpus[s->nnodes++] = t->cpus[i];
	}
}

static uint32_t subtract_to_zero(uint32_t n, uint32_t by)
{
	return n > by ? n - by : 0;
}

/* Searches `nodes` for the nodes that the request needs in addition to the nodes in *t, and adds them to *t. Returns
 * false if there is no start. */
static bool try_missing_nodes(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
			      const uint64_t *nodes, struct taken_nodes *t, struct fsi_attempt *found)
{
	struct fsi_request missing = *q;

	missing.nodes.min = subtract_to_zero(q->nodes.min, t->n);
	missing.nodes.wanted = subtract_to_zero(q->nodes.wanted, t->n);
	missing.nodes.max = subtract_to_zero(q->nodes.max, t->n);
	if (!try_candidate_subset(sel, &missing, w, nodes, found))
		return false;
	add_selected_nodes(t, &found->selection);
	return true;
}

static bool try_each_feature_set(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
				 struct fsi_attempt *found)
{
	struct taken_nodes t = { .set = sel->feature_scratch.taken, .cpus = sel->feature_scratch.node_cpus };
	struct fsi_will_run left = *w;
	uint64_t *others = sel->feature_scratch.others;
	bool ok = true;

	memset(t.set, 0, sel->cluster->words * sizeof(*t.set));
	memcpy(others, w->nodes, sel->cluster->words * sizeof(*others));
	left.nodes = others;
	for (uint32_t k = 0; ok && k < q->features.n; k++) {
		struct fsi_request part = *q;

		part.nodes.min = part.nodes.wanted = q->features.set[k].count ? q->features.set[k].count : 1;
		ok = try_feature_set(sel, &part, &left, k, found);
		if (!ok)
			break;
		t.start = found->start > t.start ? found->start : t.start;
		add_selected_nodes(&t, &found->selection);
		fsi_bits_and_not(others, t.set, sel->cluster->words);
	}
	if (t.n < (q->nodes.wanted > q->nodes.min ? q->nodes.wanted : q->nodes.min))
		ok = try_missing_nodes(sel, q, w, others, &t, found);
	if (!ok || !t.start)
		return false;
	store_taken_nodes(sel->cluster, &t, found);
	return true;
}

/* ---- requests without feature sets */

/* Makes the second of the two tries of try_without_tasks: the number of tasks on a node limits the CPUs used there. The
 * candidates are the nodes in *found, which the first try selected. */
static bool try_with_tasks(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
			   struct fsi_attempt *found)
{
	struct fsi_will_run part = *w;
	uint64_t *nodes = sel->feature_scratch.nodes;

	memset(nodes, 0, sel->cluster->words * sizeof(*nodes));
	for (uint32_t k = 0; k < found->selection.nnodes; k++)
		fsi_bit_set(nodes, found->selection.node[k]);
	part.nodes = nodes;
	part.never_waits = true;
	return find_start_on_nodes(sel, q, &part, found);
}

/* Makes two tries. In the first, the number of tasks on a node does not limit the CPUs used there. The second applies
 * this limit on the nodes that the first try selected. */
static bool try_without_tasks(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
			      struct fsi_attempt *found)
{
	struct fsi_request alone = *q;
	struct fsi_will_run part = *w;

	alone.cpu.max_for_tasks = 0;
	part.never_waits = true;
	return find_start_on_nodes(sel, &alone, &part, found) && try_with_tasks(sel, q, w, found);
}

bool fsi_select_will_run(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
			 struct fsi_attempt *found)
{
	if (!q->features.n)
		return (q->cpu.max_for_tasks && try_without_tasks(sel, q, w, found)) ||
		       find_start_on_nodes(sel, q, w, found);
	return q->features.wants_each ? try_each_feature_set(sel, q, w, found) : try_one_feature_set(sel, q, w, found);
}

int fsi_select_init_feature_scratch(struct fsi_select *sel)
{
	struct fsi_feature_scratch *k = &sel->feature_scratch;

	k->nodes = fsi_arena_array(&sel->cluster->arena, sel->cluster->words, sizeof(*k->nodes));
	k->taken = fsi_arena_array(&sel->cluster->arena, sel->cluster->words, sizeof(*k->taken));
	k->others = fsi_arena_array(&sel->cluster->arena, sel->cluster->words, sizeof(*k->others));
	k->node_cpus = fsi_arena_array(&sel->cluster->arena, (size_t)sel->cluster->nnodes + 1, sizeof(*k->node_cpus));
	return k->nodes && k->taken && k->others && k->node_cpus ? 0 : -1;
}
