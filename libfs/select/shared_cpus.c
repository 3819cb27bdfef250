/* Selection of nodes for jobs that share CPUs with other jobs. */
#include "select/select.h"

#include "base/memory.h"
#include "model/find.h"

#include <string.h>
#include <strings.h>

/* ---- the CPU rows of a partition that oversubscribes its CPUs (select/cons_common/job_resources.c: job_res_add_job,
 * job_res_rm_job; part_data.c: part_data_build_row_bitmaps, part_data_sort_res; from 24.11 the same functions of
 * select/cons_tres)
 *
 * A job that starts is added to the first row in which none of its CPUs is in use. When a job of the partition ends,
 * all rows are rebuilt. For that, the remaining jobs are sorted by their first CPU, then by their number of CPUs. In
 * this order, each job is added to the first row in which its CPUs are free; after each job the rows are sorted, the
 * fullest row first. A try of a later start rebuilds a copy of the rows in the same way, without the jobs that end
 * before that start. Without preempt/qos, each try that reaches step 4 below also sorts the controller's own rows
 * (job_test.c: _job_test). For this reason the rows are assumed to be sorted whenever a job starts. */

/* A job in the CPU rows of a partition. */
struct row_job {
	const struct fsi_running_job *end;
	uint32_t first_core; /* number of the job's first CPU on its first node */
	int64_t cpus, start;
	bool started_since; /* the job started after the CPU rows of its partition were last rebuilt */
};

static const struct fsi_node_hold *find_job_hold(const struct fsi_cluster_node *n, uint32_t job)
{
	for (size_t i = 0; i < n->hold.n; i++)
		if (n->hold.v[i].job == job)
			return &n->hold.v[i];
	return NULL;
}

static uint32_t find_first_core(const struct fsi_node_hold *h, uint32_t words)
{
	FSI_BITS_FOR_EACH(i, h->cores, words)
		return i;
	return 0;
}

static int64_t get_job_start(const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING ? INT64_MAX : j->start_time;
}

/* Sets v to the running jobs of the request's partition, and returns their number. Leaves out jobs that have ended by
 * t->when and jobs that the request may preempt. Sets *missing to true if a job is left out. */
static uint32_t list_row_jobs(const struct fsi_shared_selection *t, struct row_job *v, bool *missing)
{
	const struct fsi_cluster *c = t->sel->cluster;
	uint32_t n = 0;

	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_running_job *e = &c->end.v[i];
		const struct fsi_node_hold *h = e->nnodes ? find_job_hold(&c->node[e->node[0]], e->job) : NULL;

		*t->sel->cluster->work += 1 + e->nnodes;
		if (!h || h->partition != t->q->partition)
			continue;
		*missing = *missing || !fsi_shared_selection_has_hold(t, h);
		if (!fsi_shared_selection_has_hold(t, h))
			continue;
		v[n] = (struct row_job){ e, find_first_core(h, fsi_cores_count_words(c, e->node[0])), 0,
					 get_job_start(&c->m->job.v[e->job]), false };
		for (uint32_t k = 0; k < e->nnodes; k++) {
			h = find_job_hold(&c->node[e->node[k]], e->job);
			v[n].cpus += h ? h->amount[FSI_RES_CPU] : 0;
		}
		n++;
	}
	return n;
}

/* Compares two jobs by the order in which they are added to the CPU rows of the partition. The jobs that were running
 * when the CPU rows were last rebuilt come first, sorted by their first CPU. The jobs that have started since then
 * follow, sorted by start. Starts are recorded in seconds. Slurm allocates the unused CPUs with the lowest numbers
 * first, so that jobs that started in the same second are sorted by their first CPU too. */
static int compare_row_jobs(const void *x, const void *y, const void *ctx)
{
	const struct row_job *a = x, *b = y;

	(void)ctx;
	if (a->started_since != b->started_since)
		return a->started_since ? 1 : -1;
	if (a->started_since && a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end->node[0] != b->end->node[0])
		return a->end->node[0] < b->end->node[0] ? -1 : 1;
	if (a->first_core != b->first_core)
		return a->first_core < b->first_core ? -1 : 1;
	return (a->cpus > b->cpus) - (a->cpus < b->cpus);
}

static bool is_row_free_for_job(const struct fsi_shared_selection *t, const struct row_job *j, uint64_t *row)
{
	const struct fsi_cluster *c = t->sel->cluster;

	for (uint32_t k = 0; k < j->end->nnodes; k++) {
		const uint32_t i = j->end->node[k];
		const struct fsi_node_hold *h = find_job_hold(&c->node[i], j->end->job);

		if (h && fsi_bits_has_common(fsi_cores_get_node_set(c, row, i), h->cores, fsi_cores_count_words(c, i)))
			return false;
	}
	return true;
}

static void add_job_to_row(const struct fsi_shared_selection *t, const struct row_job *j, struct fsi_core_row *row)
{
	const struct fsi_cluster *c = t->sel->cluster;

	for (uint32_t k = 0; k < j->end->nnodes; k++) {
		const uint32_t i = j->end->node[k];
		const struct fsi_node_hold *h = find_job_hold(&c->node[i], j->end->job);

		if (h)
			fsi_cores_add_set(fsi_cores_get_node_set(c, row->set, i), h->cores,
					  fsi_cores_count_words(c, i));
	}
	row->count += j->cpus;
}

static void sort_rows_by_count(struct fsi_core_row *row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			if (row[k].count > row[i].count) {
				const struct fsi_core_row r = row[i];

				row[i] = row[k];
				row[k] = r;
			}
}

/* Adds the job to the first of n rows in which its CPUs are free. If there is no such row, omits the job: Slurm has the
 * job in some row, but this row is unknown. */
static void add_to_first_row(const struct fsi_shared_selection *t, const struct row_job *j, uint32_t n)
{
	struct fsi_core_row *row = t->sel->shared_cpus.rows;
	uint32_t r = 0;

	while (r < n && !is_row_free_for_job(t, j, row[r].set))
		r++;
	if (r < n)
		add_job_to_row(t, j, &row[r]);
	if (!j->started_since || !t->sel->shared_cpus.has_preemptor_row)
		sort_rows_by_count(row, n);
}

/* Removes all CPUs of all nodes from the set. */
static void clear_core_set(const struct fsi_shared_selection *t, uint64_t *set)
{
	memset(set, 0, t->sel->cluster->core_offset[t->sel->cluster->nnodes] * sizeof(*set));
}

/* Fills the first n elements of shared_cpus.rows with the jobs of the request's partition. The CPU rows are then in the
 * order in which a selection tries them (step 4 of the list of steps below). Returns false if out of memory. */
static bool make_partition_rows(const struct fsi_shared_selection *t, uint32_t n)
{
	struct fsi_core_row *row = t->sel->shared_cpus.rows;
	struct row_job *v = fsi_arena_array(&t->sel->scratch, t->sel->cluster->end.n + 1, sizeof(*v));
	bool missing = false;
	const uint32_t jobs = v ? list_row_jobs(t, v, &missing) : 0;

	for (uint32_t r = 0; r < n; r++) {
		clear_core_set(t, row[r].set);
		row[r].count = 0;
	}
	for (uint32_t k = 0; k < jobs; k++)
		v[k].started_since = !missing && v[k].start > t->sel->shared_cpus.last_end[t->q->partition];
	if (!v || fs_sort(v, jobs, sizeof(*v), compare_row_jobs, NULL))
		return false;
	for (uint32_t k = 0; k < jobs; k++)
		add_to_first_row(t, &v[k], n);
	return true;
}

/* ---- the time of the last job end in each partition */

static void note_last_end(struct fsi_select *sel, uint32_t name, int64_t end)
{
	const struct fsi_partition *part = fsi_partition_find(sel->cluster->m, name);
	int64_t *last = part ? &sel->shared_cpus.last_end[part - sel->cluster->m->partition.v] : NULL;

	if (last && end <= sel->cluster->now && end > *last)
		*last = end;
}

/* Sets shared_cpus.last_end to the time of the last job end in each partition. Returns -1 if out of memory. */
static int note_partition_ends(struct fsi_select *sel)
{
	const fs_snapshot *m = sel->cluster->m;

	sel->shared_cpus.last_end =
		fsi_arena_array(&sel->cluster->arena, m->partition.n + 1, sizeof(*sel->shared_cpus.last_end));
	if (!sel->shared_cpus.last_end)
		return -1;
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		size_t n;
		const uint32_t *part = fsi_list_items(m, j->partitions, &n);

		if (n && j->state != FSI_STATE_PENDING && FSI_HAS(j, JOB, end_time))
			note_last_end(sel, part[0], j->end_time);
	}
	for (size_t i = 0; i < m->usage.n; i++)
		if (m->usage.v[i].partition && FSI_HAS(&m->usage.v[i], USAGE, end_time))
			note_last_end(sel, m->usage.v[i].partition, m->usage.v[i].end_time);
	return 0;
}

/* ---- steps of a selection (select/cons_common/job_test.c: _job_test, steps 1 to 4, part_data.c:
 * part_data_build_row_bitmaps, part_data_sort_res; from 24.11 the same functions of select/cons_tres)
 *
 * The steps apply to jobs of a partition with OverSubscribe=FORCE or EXCLUSIVE, and to jobs that ask for sharing in a
 * partition with OverSubscribe=YES. With PreemptMode=GANG they apply to all jobs. A step succeeds if enough CPUs are
 * left. The steps:
 *   1  selects among the CPUs that no job has
 *   2  selects nothing. With preempt/partition_prio, it marks CPUs as taken for steps 3 and 4: the CPUs of jobs in
 *      higher tiers, and of jobs in partitions that are not preempted. From 24.11 on, CPUs of jobs in the request's own
 *      partition are not marked if that partition has several rows.
 *   3  selects among the CPUs that no job of the same tier has. If this step succeeds, it is repeated without the
 *      CPUs of jobs in lower tiers, as long as enough CPUs are left.
 *   4  tries each row of the job's own partition, the fullest row first: selects among the CPUs that no job in that
 *      row has; jobs in other rows may have them
 *
 * A row has all CPUs of the partition's nodes. A partition with OverSubscribe=FORCE:N has N rows. With preempt/qos a
 * partition has one additional row. Step 4 does not try this row, but the row may get jobs when rows are rebuilt. A job
 * that wants whole nodes gets a node only if no CPU of the node counts as taken in the step, and all generic resources
 * of the node are free. */

bool fsi_select_needs_shared_cpus(const struct fsi_select *sel, const struct fsi_request *q)
{
	return sel->mode == FS_PLAN_BACKFILL && sel->cluster->core_offset && !sel->cluster->requests.linear &&
	       (q->sharing.oversubscribe || q->sharing.exclusive_partition || sel->cluster->rules.gang);
}

/* ---- filters that select the jobs whose CPUs count as taken */

static int64_t get_partition_tier(const struct fsi_shared_selection *t, uint32_t partition)
{
	return partition == FSI_NO_INDEX ? -1 : (int64_t)t->sel->cluster->m->partition.v[partition].tier;
}

static bool is_partition_not_preempted(const struct fsi_shared_selection *t, uint32_t partition)
{
	const fs_snapshot *m = t->sel->cluster->m;
	const char *own = partition == FSI_NO_INDEX ? "" : fsi_name_text(m, m->partition.v[partition].preempt_mode),
		   *all = fs_snapshot_config_text(m, "PreemptMode");

	if (!*own || !strcasecmp(own, "cluster"))
		own = all ? all : "OFF";
	return !strcasecmp(own, "OFF");
}

/* Returns the number of CPU rows of the request's partition. */
static uint32_t count_partition_rows(const struct fsi_shared_selection *t)
{
	const uint32_t n =
		fsi_oversubscribe_count_rows(t->sel->cluster->m, &t->sel->cluster->m->partition.v[t->q->partition]);

	return n < FSI_CORES_MAX_ROWS ? n : FSI_CORES_MAX_ROWS;
}

static bool is_any_hold(const struct fsi_shared_selection *t, const struct fsi_node_hold *h, uint32_t arg)
{
	(void)t, (void)h, (void)arg;
	return true;
}

static bool is_hold_of_higher_tier(const struct fsi_shared_selection *t, const struct fsi_node_hold *h, uint32_t arg)
{
	(void)arg;
	if (!t->sel->preempt_by_tier)
		return false;
	if (t->sel->params->rules_24_11 && h->partition == t->q->partition && count_partition_rows(t) > 1)
		return false;
	return get_partition_tier(t, h->partition) > get_partition_tier(t, t->q->partition) ||
	       is_partition_not_preempted(t, h->partition);
}

static bool is_hold_of_same_tier(const struct fsi_shared_selection *t, const struct fsi_node_hold *h, uint32_t arg)
{
	(void)arg;
	return get_partition_tier(t, h->partition) == get_partition_tier(t, t->q->partition);
}

static bool is_hold_of_partition(const struct fsi_shared_selection *t, const struct fsi_node_hold *h,
				 uint32_t partition)
{
	(void)t;
	return h->partition == partition;
}

typedef bool (*hold_filter_fn)(const struct fsi_shared_selection *t, const struct fsi_node_hold *h, uint32_t arg);

/* Adds to `set` the CPUs that jobs use on the candidate nodes. Counts a job if it has not ended by t->when, the request
 * may not preempt it, and `is_counted` returns true for it. Returns true if at least one job is counted. */
static bool add_counted_cpus(const struct fsi_shared_selection *t, uint64_t *set, hold_filter_fn is_counted,
			     uint32_t arg)
{
	const struct fsi_cluster *c = t->sel->cluster;
	bool any = false;

	FSI_BITS_FOR_EACH(i, t->nodes, c->words)
	{
		const struct fsi_cluster_node *n = &c->node[i];

		*t->sel->cluster->work += n->hold.n;
		for (size_t k = 0; k < n->hold.n; k++)
			if (fsi_shared_selection_has_hold(t, &n->hold.v[k]) && is_counted(t, &n->hold.v[k], arg)) {
				fsi_cores_add_set(fsi_cores_get_node_set(c, set, i), n->hold.v[k].cores,
						  fsi_cores_count_words(c, i));
				any = true;
			}
	}
	return any;
}

/* ---- a selection that avoids taken CPUs */

static bool choose_beside_taken(const struct fsi_shared_selection *t, uint64_t *set)
{
	const struct fsi_cluster *c = t->sel->cluster;
	struct fsi_selection *s = t->selection;

	s->ncandidates = 0;
	FSI_BITS_FOR_EACH(i, t->nodes, c->words)
	{
		const uint32_t used = fsi_bits_count(fsi_cores_get_node_set(c, set, i), fsi_cores_count_words(c, i));
		const struct fsi_node_avail avail = fsi_avail_get_beside_cpus(c, i, t->q, t->when, used);

		if (avail.cpus <= 0 && t->q->set.required && fsi_bit_is_set(t->q->set.required, i))
			return false;
		if (avail.cpus <= 0)
			continue;
		s->cpus[i] = avail.cpus;
		s->gpus[i] = avail.gpus;
		s->candidates[s->ncandidates++] = i;
	}
	t->sel->shared_cpus.taken_cpus = set;
	return fsi_select_choose_nodes(s, c, t->q);
}

static void copy_core_set(const struct fsi_shared_selection *t, uint64_t *to, const uint64_t *from)
{
	memcpy(to, from, t->sel->cluster->core_offset[t->sel->cluster->nnodes] * sizeof(*to));
}

/* Returns the partition that follows partition `after` in the order of tiers, highest first. Partitions of the same
 * tier are in the order of the snapshot. `below`: the tier of `after`. If `after` is FSI_NO_INDEX, returns the first
 * partition of a tier lower than `below`. Returns FSI_NO_INDEX if there is no such partition. */
static uint32_t find_next_lower_tier(const struct fsi_shared_selection *t, int64_t below, uint32_t after)
{
	const fs_snapshot *m = t->sel->cluster->m;
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t i = 0; i < m->partition.n; i++) {
		const bool behind = get_partition_tier(t, i) < below ||
				    (get_partition_tier(t, i) == below && after != FSI_NO_INDEX && i > after);

		if (behind && (best == FSI_NO_INDEX || get_partition_tier(t, i) > get_partition_tier(t, best)))
			best = i;
	}
	return best;
}

/* Repeats the selection among the CPUs that no job of the same tier has, as long as enough CPUs are left. Each
 * repetition counts the CPUs of jobs in one more partition of a lower tier as taken. */
static void spare_lower_tiers(const struct fsi_shared_selection *t, uint64_t *set, uint64_t *more)
{
	int64_t below = get_partition_tier(t, t->q->partition);
	uint32_t i = FSI_NO_INDEX;

	while ((i = find_next_lower_tier(t, below, i)) != FSI_NO_INDEX) {
		below = get_partition_tier(t, i);
		copy_core_set(t, more, set);
		if (!add_counted_cpus(t, more, is_hold_of_partition, i))
			continue;
		if (!choose_beside_taken(t, more)) {
			choose_beside_taken(t, set);
			return;
		}
		copy_core_set(t, set, more);
		t->sel->shared_cpus.taken_cpus = set;
	}
}

/* ---- step 4: tries the CPU rows of the request's partition one after the other */

static bool choose_row_by_row(const struct fsi_shared_selection *t, const uint64_t *taken, uint64_t *set)
{
	const struct fsi_cluster *c = t->sel->cluster;
	const uint32_t n =
		t->sel->shared_cpus.has_preemptor_row && !t->q->sharing.oversubscribe ? 1 : count_partition_rows(t);

	if (!make_partition_rows(t, count_partition_rows(t) + t->sel->shared_cpus.has_preemptor_row))
		return false;
	for (uint32_t r = 0; r < n; r++) {
		const struct fsi_core_row *row = &t->sel->shared_cpus.rows[r];

		copy_core_set(t, set, taken);
		fsi_cores_add_set(set, row->set, (uint32_t)c->core_offset[c->nnodes]);
		if (choose_beside_taken(t, set))
			return true;
		if (!row->count)
			return false;
	}
	return false;
}

/* ---- the whole selection of nodes for a request: tries the four steps of a selection in order until nodes are
 * found */

bool fsi_select_choose_shared_nodes(struct fsi_select *sel, const struct fsi_request *q, const uint64_t *nodes,
				    struct fsi_end_moment when, struct fsi_selection *s)
{
	const struct fsi_shared_selection t = { sel, q, nodes, when, s };
	uint64_t *taken = sel->shared_cpus.scratch_set[0], *set = sel->shared_cpus.scratch_set[1];

	clear_core_set(&t, set);
	add_counted_cpus(&t, set, is_any_hold, 0);
	if (choose_beside_taken(&t, set))
		return true;
	clear_core_set(&t, taken);
	add_counted_cpus(&t, taken, is_hold_of_higher_tier, 0);
	copy_core_set(&t, set, taken);
	add_counted_cpus(&t, set, is_hold_of_same_tier, 0);
	if (choose_beside_taken(&t, set)) {
		spare_lower_tiers(&t, set, sel->shared_cpus.scratch_set[2]);
		return true;
	}
	return choose_row_by_row(&t, taken, set);
}

uint64_t *fsi_select_get_found_cores(struct fsi_select *sel, const struct fsi_request *q, uint32_t node, int64_t cpus,
				     bool *ok)
{
	const struct fsi_shared_selection t = { sel, q, NULL, { sel->attempt.start, UINT64_MAX }, NULL };
	uint64_t *set = sel->shared_cpus.scratch_set[2], *v;

	*ok = true;
	if (!sel->cluster->core_offset)
		return NULL;
	if (!fsi_select_needs_shared_cpus(sel, q)) {
		memset(fsi_cores_get_node_set(sel->cluster, set, node), 0,
		       fsi_cores_count_words(sel->cluster, node) * sizeof(*set));
		for (size_t i = 0; i < sel->cluster->node[node].hold.n; i++)
			if (fsi_shared_selection_has_hold(&t, &sel->cluster->node[node].hold.v[i]))
				fsi_cores_add_set(fsi_cores_get_node_set(sel->cluster, set, node),
						  sel->cluster->node[node].hold.v[i].cores,
						  fsi_cores_count_words(sel->cluster, node));
	} else {
		set = sel->shared_cpus.taken_cpus;
	}
	v = fsi_cores_choose_cpus(sel->cluster, node, fsi_cores_get_node_set(sel->cluster, set, node), cpus);
	*ok = v != NULL;
	return v;
}

int fsi_select_init_shared_cpus(struct fsi_select *sel)
{
	struct fsi_cluster *c = sel->cluster;
	const size_t words = c->core_offset ? c->core_offset[c->nnodes] : 0;
	const char *type = fs_snapshot_config_text(c->m, "PreemptType");
	uint32_t rows = 1;

	if (!c->core_offset)
		return 0;
	sel->shared_cpus.has_preemptor_row = type && !strcmp(type, "preempt/qos");
	for (size_t i = 0; i < c->m->partition.n; i++) {
		const uint32_t n = fsi_oversubscribe_count_rows(c->m, &c->m->partition.v[i]);

		rows = n > rows ? n : rows;
	}
	rows = (rows < FSI_CORES_MAX_ROWS ? rows : FSI_CORES_MAX_ROWS) + sel->shared_cpus.has_preemptor_row;
	sel->shared_cpus.rows = fsi_arena_array(&c->arena, rows, sizeof(*sel->shared_cpus.rows));
	for (uint32_t r = 0; sel->shared_cpus.rows && r < rows; r++) {
		sel->shared_cpus.rows[r].set = fsi_arena_array(&c->arena, words + 1, sizeof(uint64_t));
		if (!sel->shared_cpus.rows[r].set)
			return -1;
	}
	if (note_partition_ends(sel))
		return -1;
	for (size_t i = 0; i < sizeof(sel->shared_cpus.scratch_set) / sizeof(*sel->shared_cpus.scratch_set); i++) {
		sel->shared_cpus.scratch_set[i] = fsi_arena_array(&c->arena, words + 1, sizeof(uint64_t));
		if (!sel->shared_cpus.scratch_set[i])
			return -1;
	}
	return sel->shared_cpus.rows ? 0 : -1;
}
