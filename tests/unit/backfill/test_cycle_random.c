/* backfill/: checks the plans of thousands of random clusters. No node is overallocated, and no start disturbs a start
 * that was planned earlier. A job changes nothing for the jobs ahead of it, and the order of the records in the
 * snapshot does not matter. The checks use the randomly drawn numbers, not numbers from the plan. */
#include "fstest.h"

#include "backfill/replan.h"

#include "fs/scenario.h"

enum { NODES = 6, RUNNING = 5, PENDING = 10, NOW = 60000, ROUNDS = FST_ROUNDS(1500), MAX_STARTS = 400 };

struct world {
	struct {
		int64_t cpus, mem, gpus;
		bool down, fast;
	} node[NODES];
	struct {
		uint32_t node, count; /* node: index of the first node of the job; count: number of consecutive nodes */
		int64_t cpus, mem, gpus, end;
	} running[RUNNING];
	struct {
		uint32_t nodes, prio, limit, part, array;
		int64_t cpus, mem, gpus;
		bool tasks, fast, max, exclude;
	} pending[PENDING];
	int64_t resv_start, resv_end;
	uint32_t resv_node;
	bool resv;
	const char *config;
};

static uint32_t maybe(uint64_t *seed, uint32_t odds, uint32_t n)
{
	return fst_below(seed, odds) ? 0 : 1 + fst_below(seed, n);
}

static void draw(struct world *w, uint64_t *seed)
{
	static const char *const configs[] = { "", "bf_window=20", "bf_resolution=300", "bf_max_job_test=5",
					       "bf_max_job_array_resv=1", "bf_min_prio_reserve=50", "bf_one_resv_per_job" };

	memset(w, 0, sizeof(*w));
	for (uint32_t i = 0; i < NODES; i++) {
		w->node[i].cpus = 2 + fst_below(seed, 7);
		w->node[i].mem = 100 + fst_below(seed, 100);
		w->node[i].gpus = maybe(seed, 3, 3);
		w->node[i].down = fst_below(seed, 10) == 0;
		w->node[i].fast = fst_below(seed, 2);
	}
	for (uint32_t i = 0; i < RUNNING; i++) { /* one job per node, so that no node is overallocated at first */
		w->running[i].node = i;
		w->running[i].count = 1;
		w->running[i].cpus = fst_below(seed, (uint32_t)w->node[i].cpus + 1);
		w->running[i].mem = fst_below(seed, (uint32_t)w->node[i].mem + 1);
		w->running[i].gpus = fst_below(seed, (uint32_t)w->node[i].gpus + 1);
		w->running[i].end = NOW + 1 + fst_below(seed, 2000);
	}
	for (uint32_t i = 0; i < PENDING; i++) {
		w->pending[i].nodes = 1 + maybe(seed, 3, 3);
		w->pending[i].prio = 1 + fst_below(seed, 100);
		w->pending[i].limit = 60 * (1 + fst_below(seed, 40));
		w->pending[i].part = fst_below(seed, 3);
		w->pending[i].cpus = w->pending[i].nodes * (1 + fst_below(seed, 8));
		w->pending[i].mem = w->pending[i].nodes * (int64_t)fst_below(seed, 150);
		w->pending[i].gpus = maybe(seed, 4, 2) * w->pending[i].nodes;
		w->pending[i].tasks = !w->pending[i].gpus && fst_below(seed, 3) == 0;
		w->pending[i].fast = fst_below(seed, 5) == 0;
		w->pending[i].max = fst_below(seed, 3) == 0;
		w->pending[i].exclude = fst_below(seed, 5) == 0;
		w->pending[i].array = maybe(seed, 5, 5);
	}
	w->resv = fst_below(seed, 3) == 0;
	w->resv_start = NOW - 500 + fst_below(seed, 3000);
	w->resv_end = w->resv_start + 600 + fst_below(seed, 2000);
	w->resv_node = fst_below(seed, NODES);
	w->config = configs[fst_below(seed, 7)];
}

static void put_pending(struct fst_sink *s, const struct world *w, uint32_t i)
{
	static const char *const parts[] = { "'all'", "'some'", "'some','all'" };

	fst_put(s,
		"{'type':'job','id':%u,'state':'PENDING','eligible_time':1,'priority':%u,'partitions':[%s],'cpus':%lld,"
		"'time_limit_s':%u,'nodes':%u,'tres_req':{'cpu':%lld,'mem':%lld,'node':%u,'gres/gpu':%lld}%s%s%s",
		100 + i, w->pending[i].prio, parts[w->pending[i].part], (long long)w->pending[i].cpus,
		w->pending[i].limit, w->pending[i].nodes, (long long)w->pending[i].cpus, (long long)w->pending[i].mem,
		w->pending[i].nodes, (long long)w->pending[i].gpus, w->pending[i].fast ? ",'features':'fast'" : "",
		w->pending[i].exclude ? ",'exc_nodes':'n[2-3]'" : "", w->pending[i].tasks ? ",'mem_per_cpu_mb':7" : "");
	if (w->pending[i].tasks)
		fst_put(s, ",'tasks':%lld", (long long)w->pending[i].cpus);
	if (w->pending[i].max)
		fst_put(s, ",'max_nodes':%u", w->pending[i].nodes + 1);
	if (w->pending[i].array)
		fst_put(s, ",'array_job_id':%u,'array_tasks':'1-%u'", 100 + i, w->pending[i].array);
	fst_put(s, "}\n");
}

/* Makes a snapshot with the pending jobs in the order of `place`. If `keep` is not NULL, leaves out every job i for
 * which keep[i] is false. */
static fs_snapshot *snapshot_of(const struct world *w, const uint32_t *place, const bool *keep)
{
	struct fst_sink s = { 0 };
	fs_snapshot *m;

	fst_put(&s, "{'type':'snapshot','format':1,'time':%d,'cluster':'c','scheduler':'slurm 26.05.0'}\n", NOW);
	fst_put(&s, "{'type':'config','SchedulerParameters':'%s'}\n", w->config);
	for (uint32_t i = 0; i < NODES; i++)
		fst_put(&s,
			"{'type':'node','name':'n%u','state':'%s','cpus':%lld,'mem_mb':%lld,'weight':%u,'features':['%s'],"
			"'tres':{'gres/gpu':%lld}}\n",
			i, w->node[i].down ? "DOWN" : "MIXED", (long long)w->node[i].cpus, (long long)w->node[i].mem,
			i % 2, w->node[i].fast ? "fast" : "slow", (long long)w->node[i].gpus);
	fst_put(&s, REC("partition", "'name':'all','tier':1,'nodes':'n[0-5]'"));
	fst_put(&s, REC("partition", "'name':'some','tier':2,'nodes':'n[1,3-4]'"));
	if (w->resv)
		fst_put(&s, "{'type':'reservation','name':'r','start_time':%lld,'end_time':%lld,'nodes':'n%u'}\n",
			(long long)w->resv_start, (long long)w->resv_end, w->resv_node);
	for (uint32_t i = 0; i < RUNNING; i++)
		fst_put(&s,
			"{'type':'job','id':%u,'state':'RUNNING','partitions':['all'],'node_list':'n%u','cpus':%lld,"
			"'end_time':%lld,'tres_alloc':{'cpu':%lld,'mem':%lld,'gres/gpu':%lld}}\n",
			1 + i, w->running[i].node, (long long)w->running[i].cpus, (long long)w->running[i].end,
			(long long)w->running[i].cpus, (long long)w->running[i].mem, (long long)w->running[i].gpus);
	for (uint32_t i = 0; i < PENDING; i++)
		if (!keep || keep[place[i]])
			put_pending(&s, w, place[i]);
	m = fst_snapshot(s.data);
	fst_free(&s);
	return m;
}

/* ---- committed starts, in the order of their commitment */

struct start {
	uint32_t job, nnodes, node[NODES]; /* indexes of the job and of its nodes in struct world */
	int64_t amount[NODES][3];
	int64_t start, end;
	bool whole; /* the start is in the future, so no other job may use the nodes of this job */
};

struct record {
	struct start v[MAX_STARTS];
	size_t n;
};

static int watch(void *ctx, const struct fsi_backfill *bf, const struct fsi_request *q)
{
	const struct fsi_attempt *found = &bf->select.attempt;
	const struct fsi_cluster *c = &bf->cluster;
	struct record *r = ctx;
	struct start *s;

	/* A start at the very end of the window reserves no nodes: node_space ends there. */
	if (bf->plan->mode == FS_PLAN_BACKFILL && found->start >= bf->node_space.v[bf->node_space.n - 1].end)
		return 0;
	s = &r->v[r->n++];
	assert_in_range(r->n, 1, MAX_STARTS - 1);
	*s = (struct start){ .job = (uint32_t)c->m->job.v[q->job].id - 100, .nnodes = found->selection.nnodes };
	s->start = found->start;
	s->end = s->start + q->limit_s;
	s->whole = bf->plan->mode == FS_PLAN_BACKFILL && s->start > NOW;
	for (uint32_t k = 0; k < s->nnodes; k++) {
		const struct fsi_cluster_node *n = &c->node[found->selection.node[k]];
		int64_t a[FSI_RES_MAX];

		s->node[k] = (uint32_t)(fsi_name_text(c->m, c->m->node.v[n->row].name)[1] - '0');
		fsi_avail_compute_amounts(n, q, c->nres, found->selection.node_cpus[k], a);
		memcpy(s->amount[k], a, sizeof(s->amount[k]));
	}
	return 0;
}

static fs_plan *plan_of(const fs_snapshot *m, enum fs_plan_mode mode, struct record *r)
{
	const struct fs_plan_options o = { .mode = mode };
	struct fs_error err;
	fs_plan *p = NULL;

	if (r)
		r->n = 0;
	fst_no_error(fsi_plan_create(&p, m, &o, &err), &err);
	assert_int_equal(fsi_backfill_run_cycle(p, r ? watch : NULL, r), 0);
	return p;
}

static bool overlap(int64_t a, int64_t a_end, int64_t b, int64_t b_end)
{
	return a < b_end && b < a_end;
}

/* Returns how much of resource `res` (0 CPUs, 1 memory, 2 GPUs) is in use on node i at time t by the running jobs and
 * the first n starts. */
static int64_t used(const struct world *w, const struct record *r, size_t n, uint32_t i, int64_t t, int res)
{
	const int64_t mine[3] = { i < RUNNING ? w->running[i].cpus : 0, i < RUNNING ? w->running[i].mem : 0,
				  i < RUNNING ? w->running[i].gpus : 0 };
	int64_t sum = i < RUNNING && t < w->running[i].end ? mine[res] : 0;

	for (size_t k = 0; k < n; k++)
		for (uint32_t x = 0; x < r->v[k].nnodes; x++)
			if (r->v[k].node[x] == i && t >= r->v[k].start && t < r->v[k].end)
				sum += r->v[k].amount[x][res];
	return sum;
}

static int64_t has(const struct world *w, uint32_t i, int res)
{
	return res == 0 ? w->node[i].cpus : res == 1 ? w->node[i].mem : w->node[i].gpus;
}

/* Checks the usage of nodes at the start of each job. This is enough, because usage grows only when a job starts. */
static void no_node_is_oversubscribed(const struct world *w, const struct record *r)
{
	for (size_t k = 0; k < r->n; k++)
		for (uint32_t i = 0; i < NODES; i++)
			for (int res = 0; res < 3; res++)
				assert_true(used(w, r, r->n, i, r->v[k].start, res) <= has(w, i, res));
}

/* Checks that no start overlaps, on any node, a job that takes whole nodes and was committed earlier. Also checks that
 * no job starts inside a reservation at the time NOW. */
static void no_start_is_disturbed(const struct world *w, const struct record *r)
{
	for (size_t b = 0; b < r->n; b++)
		for (uint32_t y = 0; y < r->v[b].nnodes; y++) {
			const struct start *s = &r->v[b];

			assert_false(w->node[s->node[y]].down);
			/* Starts after NOW may be inside a reservation: the scheduler checks reservations for the time
			 * at which it tries a start, not for the start that it finds. */
			if (w->resv && s->node[y] == w->resv_node && s->start == NOW)
				assert_false(overlap(s->start, s->end, w->resv_start, w->resv_end));
			for (size_t a = 0; a < b; a++)
				for (uint32_t x = 0; x < r->v[a].nnodes; x++)
					if (r->v[a].whole && r->v[a].node[x] == s->node[y])
						assert_false(overlap(r->v[a].start, r->v[a].end, s->start, s->end));
		}
}

static void requests_are_met(const struct world *w, const struct record *r)
{
	for (size_t k = 0; k < r->n; k++) {
		const struct start *s = &r->v[k];
		int64_t cpus = 0, gpus = 0;

		for (uint32_t x = 0; x < s->nnodes; x++) {
			cpus += s->amount[x][0];
			gpus += s->amount[x][2];
			assert_true(!w->pending[s->job].fast || w->node[s->node[x]].fast);
			assert_false(w->pending[s->job].exclude && (s->node[x] == 2 || s->node[x] == 3));
			for (uint32_t y = 0; y < x; y++)
				assert_int_not_equal(s->node[x], s->node[y]);
		}
		assert_true(cpus >= w->pending[s->job].cpus && gpus >= w->pending[s->job].gpus);
		assert_true(s->nnodes >= w->pending[s->job].nodes);
		assert_true(!w->pending[s->job].max || s->nnodes <= w->pending[s->job].nodes + 1);
		assert_int_equal(s->end - s->start, w->pending[s->job].limit);
	}
}

/* ---- comparison of the plan with a plan of the changed cluster */

static int64_t start_of(const fs_plan *p, uint64_t job)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (row.job == job)
			return row.start_time;
	}
	return FS_UNKNOWN;
}

/* Checks that the first n jobs of the queue keep their starts if the jobs behind them are removed. */
static void jobs_behind_change_nothing(const struct world *w, const fs_plan *p, uint64_t *seed, const uint32_t *place)
{
	const size_t n = 1 + fst_below(seed, (uint32_t)fs_plan_count(p));
	bool keep[PENDING] = { false };
	struct fs_plan_row row;
	fs_snapshot *m;
	fs_plan *q;

	for (size_t i = 0; i < n; i++) {
		fs_plan_row(p, i, &row);
		keep[row.job - 100] = true;
	}
	m = snapshot_of(w, place, keep);
	q = plan_of(m, p->mode, NULL);
	fs_plan_row(p, 0, &row);
	/* the first job must not start later; it may start earlier, because with two partitions its second record may
	 * be behind jobs that were removed */
	if (row.start_time != FS_UNKNOWN)
		assert_in_range(start_of(q, row.job), NOW, row.start_time);
	for (size_t i = 0; i < n; i++) {
		fs_plan_row(p, i, &row);
		if (w->pending[row.job - 100].part != 2)
			assert_int_equal(start_of(q, row.job), row.start_time);
	}
	fs_plan_free(q);
	fs_snapshot_free(m);
}

static void order_of_lines_does_not_matter(const struct world *w, const fs_plan *p, uint64_t *seed)
{
	uint32_t place[PENDING];
	struct fs_plan_row a, b;
	fs_snapshot *m;
	fs_plan *q;

	for (uint32_t i = 0; i < PENDING; i++)
		place[i] = i;
	fst_shuffle(seed, place, PENDING);
	m = snapshot_of(w, place, NULL);
	q = plan_of(m, p->mode, NULL);
	assert_int_equal(fs_plan_count(p), fs_plan_count(q));
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &a);
		fs_plan_row(q, i, &b);
		assert_true(a.job == b.job && a.state == b.state && a.start_time == b.start_time &&
			    a.nodes == b.nodes && a.blocked_by == b.blocked_by && a.frees == b.frees &&
			    a.wait == b.wait);
		for (uint32_t k = 0; k < a.nodes; k++)
			assert_string_equal(fs_plan_node(p, i, k), fs_plan_node(q, i, k));
	}
	fs_plan_free(q);
	fs_snapshot_free(m);
}

static void same_row(const fs_plan *p, size_t i, const fs_plan *q, uint64_t job)
{
	struct fs_plan_row a, b;
	size_t k = 0;

	fs_plan_row(p, i, &a);
	assert_int_equal(a.job, job);
	do
		fs_plan_row(q, k++, &b);
	while (b.job != job);
	assert_true(a.state == b.state && a.start_time == b.start_time && a.nodes == b.nodes && a.wait == b.wait &&
		    a.blocked_by == b.blocked_by && a.frees == b.frees && a.tasks_planned == b.tasks_planned &&
		    !strcmp(a.partition, b.partition));
	for (uint32_t n = 0; n < a.nodes; n++)
		assert_string_equal(fs_plan_node(p, i, n), fs_plan_node(q, k - 1, n));
}

/* Applies a random command of the kinds that advice tries. */
static void command(fs_snapshot *m, const struct fsi_job *j, uint64_t *seed)
{
	static const char *const words[] = { "NumCPUs=2", "NumNodes=1", "NumNodes=2", "MinMemoryNode=60", "Partition=all",
					     "Partition=some", "Partition=all,some", "Features=", "Features=fast", "ExcNodeList=",
					     "ReqNodeList=n4", "ArrayTaskThrottle=1", "TimeLimit=2", "Comment=x", "TimeMin=1" };
	struct fs_error err;
	char text[96];

	snprintf(text, sizeof(text), "scontrol update job %llu %s", (unsigned long long)j->id,
		 words[fst_below(seed, sizeof(words) / sizeof(*words))]);
	if (fs_snapshot_edit(m, text, NULL, &err))
		assert_string_equal(err.message, "no node has the feature \"fast\"");
}

/* Checks that a replan after each of several changes gives the changed job the same row as a new plan. */
static void a_kept_plan_is_as_one_made_anew(fs_snapshot *m, enum fs_plan_mode mode, uint64_t *seed)
{
	const struct fs_plan_options o = { .mode = mode };
	const uint32_t row = RUNNING + fst_below(seed, PENDING);
	struct fsi_job *j = &m->job.v[row];
	const struct fsi_job before = *j;
	struct fsi_replan *k = NULL;
	struct fs_error err;

	fst_no_error(fsi_replan_make_first(&k, m, &o, row, &err), &err);
	for (int i = 0; i < 9; i++) {
		fs_plan *p;

		*j = before;
		if (i == 1 || i == 3)
			j->priority = 1 + fst_below(seed, 100);
		if (i == 2 || i == 3)
			j->time_limit_s = 60 * (1 + fst_below(seed, 40));
		if (i >= 4 && i != 7)
			command(m, j, seed);
		if (i)
			fst_no_error(fsi_replan_make_next(k, &err), &err);
		p = plan_of(m, mode, NULL);
		same_row(fsi_replan_get_plan(k), fsi_replan_get_row(k), p, before.id);
		fs_plan_free(p);
	}
	*j = before;
	fsi_replan_free(k);
}

static void plans_of_random_clusters_keep_all_invariants(void **state)
{
	static struct record r;
	static struct world w;
	uint32_t place[PENDING];
	uint64_t seed = 2026;
	size_t later = 0, now = 0;

	(void)state;
	for (uint32_t i = 0; i < PENDING; i++)
		place[i] = i;
	for (int round = 0; round < ROUNDS; round++) {
		draw(&w, &seed);
		for (int mode = 0; mode < 2; mode++) {
			fs_snapshot *m = snapshot_of(&w, place, NULL);
			fs_plan *p = plan_of(m, (enum fs_plan_mode)mode, &r);

			no_node_is_oversubscribed(&w, &r);
			requests_are_met(&w, &r);
			if (mode == FS_PLAN_BACKFILL)
				no_start_is_disturbed(&w, &r);
			for (size_t k = 0; k < r.n; k++) {
				later += r.v[k].start > NOW;
				now += r.v[k].start == NOW;
			}
			jobs_behind_change_nothing(&w, p, &seed, place);
			order_of_lines_does_not_matter(&w, p, &seed);
			a_kept_plan_is_as_one_made_anew(m, (enum fs_plan_mode)mode, &seed);
			fs_plan_free(p);
			fs_snapshot_free(m);
		}
	}
	assert_true(later > ROUNDS && now > ROUNDS); /* the plans have starts at NOW and later starts */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans_of_random_clusters_keep_all_invariants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
