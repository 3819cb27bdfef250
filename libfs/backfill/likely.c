/* Likely starts: simulations of the queue with run times of past jobs. */
#include "backfill/backfill.h"

#include "base/num.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Run times of past jobs, from the snapshot's usage records, by user, account and partition. The run time of a
 * simulated job is drawn from these run times. A past job is ignored if it ran longer than the time limit of the
 * simulated job. If the simulated job is already running, a past job is also ignored if it ran no longer than this job
 * has run so far. */

enum { MIN_PAST_RUNS = 20 }; /* run times are drawn only if there are at least this many past run times */

struct past_runs;

/* A simulated cluster in which jobs end after given run times instead of their time limits. A job takes only the
 * resources that it requests on its nodes. A job starts as soon as enough resources stay free for its whole run
 * time. */

struct sim_cluster;

static void free_past_runs(struct past_runs *p);
static void free_sim_cluster(struct sim_cluster *s);

/* The run time of one past job (a usage record). */
struct past_run {
	uint32_t user, account, partition;
	int64_t run_s;
};

struct past_runs {
	/* The past jobs in two arrays of `n` elements, each sorted by user, account, partition and run time. `exact`:
	 * with the partition of each past job; `wide`: with partition 0 for all past jobs, to find past jobs in any
	 * partition. */
	struct past_run *exact, *wide;
	size_t n;
};

static int compare_past_runs(const void *x, const void *y)
{
	const struct past_run *a = x, *b = y;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->account != b->account)
		return a->account < b->account ? -1 : 1;
	if (a->partition != b->partition)
		return a->partition < b->partition ? -1 : 1;
	return (a->run_s > b->run_s) - (a->run_s < b->run_s);
}

/* Reads the run times of past jobs from the snapshot. Returns NULL if out of memory. */
static struct past_runs *create_past_runs(const fs_snapshot *m)
{
	struct past_runs *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->exact = malloc((m->usage.n + 1) * sizeof(*p->exact));
	p->wide = malloc((m->usage.n + 1) * sizeof(*p->wide));
	if (!p->exact || !p->wide) {
		free_past_runs(p);
		return NULL;
	}
	for (size_t i = 0; i < m->usage.n; i++) {
		const struct fsi_usage *u = &m->usage.v[i];

		if (!FSI_HAS(u, USAGE, end_time) || u->end_time <= u->start_time)
			continue;
		p->exact[p->n] = (struct past_run){ u->user, u->account, u->partition, u->end_time - u->start_time };
		p->wide[p->n] = p->exact[p->n];
		p->wide[p->n++].partition = 0;
	}
	qsort(p->exact, p->n, sizeof(*p->exact), compare_past_runs);
	qsort(p->wide, p->n, sizeof(*p->wide), compare_past_runs);
	return p;
}

static void free_past_runs(struct past_runs *p)
{
	if (!p)
		return;
	free(p->exact);
	free(p->wide);
	free(p);
}

/* Returns the index of the first element of v that is greater than *key. */
static size_t find_first_above(const struct past_run *v, size_t n, const struct past_run *key)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if (compare_past_runs(&v[mid], key) <= 0)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* A range of elements in a sorted array of past run times. */
struct run_range {
	const struct past_run *first;
	size_t n;
};

/* Returns the elements of v that match the key and whose run time is above `ran_s` and at most `limit_s`. */
static struct run_range find_matching_runs(const struct past_runs *p, const struct past_run *v, struct past_run key,
					   int64_t ran_s, int64_t limit_s)
{
	size_t first, end;

	key.run_s = ran_s;
	first = find_first_above(v, p->n, &key);
	key.run_s = limit_s;
	end = find_first_above(v, p->n, &key);
	return (struct run_range){ v + first, end > first ? end - first : 0 };
}

/* Returns the past run times from which the run time of the job is drawn. These are the run times of past jobs of the
 * same user, account and partition. If there are fewer than MIN_PAST_RUNS such jobs, past jobs of the same user and
 * account in all partitions are used. If there are still fewer than MIN_PAST_RUNS, returns an empty range. */
static struct run_range find_job_runs(const struct past_runs *p, const struct fsi_job *j, uint32_t partition,
				      int64_t ran_s, int64_t limit_s)
{
	const struct past_run exact = { j->user, j->account, partition, 0 }, wide = { j->user, j->account, 0, 0 };
	struct run_range c = find_matching_runs(p, p->exact, exact, ran_s, limit_s);

	if (c.n < MIN_PAST_RUNS)
		c = find_matching_runs(p, p->wide, wide, ran_s, limit_s);
	return c.n < MIN_PAST_RUNS ? (struct run_range){ NULL, 0 } : c;
}

/* Returns the number of past run times from which the job's run time is drawn; 0: fewer than MIN_PAST_RUNS past run
 * times are suitable. `partition`: name id of the partition in which the job is to run; `ran_s`: seconds that the job
 * has run so far; `limit_s`: time limit of the job, s. */
static size_t count_job_runs(const struct past_runs *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			     int64_t limit_s)
{
	return find_job_runs(p, j, partition, ran_s, limit_s).n;
}

/* Returns one of the past run times that find_job_runs finds. The uniform 32-bit random number `drawn` selects the run
 * time. If find_job_runs finds no run times, returns `limit_s`. */
static int64_t pick_past_run(const struct past_runs *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			     int64_t limit_s, uint32_t drawn)
{
	const struct run_range c = find_job_runs(p, j, partition, ran_s, limit_s);

	return c.n ? c.first[(uint64_t)drawn * c.n >> 32].run_s : limit_s;
}

/* The resources of a node that one job or one advance reservation uses, and the time of this use. */
struct sim_hold {
	/* time during which the resources are used: [start, end); `start` is INT64_MIN for a running job */
	int64_t start, end;
	/* row of the advance reservation that uses the resources; FSI_NO_INDEX: a job uses them */
	uint32_t reservation;
	uint32_t partition;   /* row of the job's partition; FSI_NO_INDEX: none */
	int64_t amount[FSI_RES_MAX];
};

/* A simulated node, and its capacity for one request. `round`: value of sim_cluster.round when the capacity was
 * computed. */
struct sim_node {
	FSI_VEC(struct sim_hold) hold;
	uint64_t round;
	/* `cpus`: CPUs available to the request; `next_end`: first time after the start of the request's run at which a
	 * job or reservation on the node ends */
	int64_t cpus, next_end;
	int64_t gpus;	    /* free GPUs; valid only if the request wants GPUs */
	int64_t valid_until;	    /* `cpus` and `gpus` are valid for starts before this time */
};

struct sim_cluster {
	const struct fsi_cluster *cluster;
	struct sim_node *node;
	struct fsi_selection selection;
	struct fsi_request_cache request_cache;
	/* `work`: number of nodes examined so far; `round`: number of searches for a start so far */
	uint64_t work, round;
};

/* Makes a simulated cluster without jobs and reservations; `c` is borrowed. Returns NULL if out of memory. */
static struct sim_cluster *create_sim_cluster(const struct fsi_cluster *c)
{
	struct sim_cluster *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->cluster = c;
	s->node = calloc((size_t)c->nnodes + 1, sizeof(*s->node));
	if (!s->node || fsi_selection_init(&s->selection, c)) {
		free_sim_cluster(s);
		return NULL;
	}
	return s;
}

static void free_sim_cluster(struct sim_cluster *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->node && i < s->cluster->nnodes; i++)
		FSI_VEC_FREE(&s->node[i].hold);
	free(s->node);
	fsi_selection_release(&s->selection);
	fsi_request_cache_release(&s->request_cache);
	free(s);
}

static int add_sim_hold(struct sim_node *n, const struct sim_hold *h)
{
	if (FSI_VEC_RESERVE(&n->hold))
		return -1;
	n->hold.v[n->hold.n++] = *h;
	return 0;
}

/* Returns true if the resources `a` are in use in the snapshot: by a running job, or by no known job (FSI_NO_INDEX).
 * Returns false if the resources are in use only in the plan, by a pending job that the plan starts now. */
static bool is_hold_running(const fs_snapshot *m, const struct fsi_node_hold *a)
{
	return a->job == FSI_NO_INDEX || m->job.v[a->job].state != FSI_STATE_PENDING;
}

/* Resets node i: only running jobs and reservations use its resources. end_of[job row]: time at which the job ends.
 * Returns -1 if out of memory. */
static int reset_sim_node(struct sim_cluster *s, uint32_t i, const int64_t *end_of)
{
	const struct fsi_cluster_node *n = &s->cluster->node[i];
	struct sim_hold h = { .start = INT64_MIN, .reservation = FSI_NO_INDEX };

	s->node[i].hold.n = 0;
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct fsi_node_hold *a = &n->hold.v[k];

		if (!is_hold_running(s->cluster->m, a))
			continue;
		h.end = a->job == FSI_NO_INDEX ? a->end : end_of[a->job];
		h.partition = a->job == FSI_NO_INDEX ? FSI_NO_INDEX : a->partition;
		memcpy(h.amount, a->amount, sizeof(h.amount));
		if (add_sim_hold(&s->node[i], &h))
			return -1;
	}
	for (size_t k = 0; k < n->block.n; k++) {
		const struct fsi_node_block *b = &n->block.v[k];

		h.start = b->start;
		h.end = b->end;
		h.reservation = b->reservation;
		h.partition = FSI_NO_INDEX;
		memcpy(h.amount, n->total, sizeof(h.amount));
		if (b->cpus) {
			memset(h.amount, 0, sizeof(h.amount));
			h.amount[FSI_RES_CPU] = b->cpus;
		}
		if (b->job == FSI_NO_INDEX && add_sim_hold(&s->node[i], &h))
			return -1;
	}
	return 0;
}

/* Resets all nodes to the state in which only running jobs and reservations use resources. end_of[job row]: time at
 * which the job ends. Returns -1 if out of memory. */
static int reset_sim_cluster(struct sim_cluster *s, const int64_t *end_of)
{
	fsi_request_cache_release(&s->request_cache);
	for (uint32_t i = 0; i < s->cluster->nnodes; i++)
		if (reset_sim_node(s, i, end_of))
			return -1;
	return 0;
}

/* ---- the start and the nodes of a request */

/* A request, and the time span in which it would run. */
struct sim_query {
	const struct fsi_request *q;
	int64_t from, end; /* time during which the request would run: [from, end) */
};

/* Returns true if the request of `a` cannot use the resources `h`: the resources are in use at some time between
 * a->from and a->end, and do not belong to the reservation in which the request runs. */
static bool is_hold_counted(const struct sim_hold *h, const struct sim_query *a)
{
	return h->end > a->from && h->start < a->end &&
	       (h->reservation == FSI_NO_INDEX || h->reservation != a->q->reservation);
}

/* Sets free[] to the amounts of node i that are free for the request at the time `at`. Also returns whether the node is
 * in use at that time, and how many of its CPUs are in use by jobs of the request's partition. */
static struct fsi_node_occupancy fill_free_amounts(const struct sim_cluster *s, uint32_t i, const struct sim_query *a,
						   int64_t at, int64_t *free)
{
	const struct sim_node *n = &s->node[i];
	struct fsi_node_occupancy there = { .any_job = false };

	memcpy(free, s->cluster->node[i].total, FSI_RES_MAX * sizeof(*free));
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct sim_hold *h = &n->hold.v[k];

		if (h->start > at || h->end <= at || !is_hold_counted(h, a))
			continue;
		there.any_job = true;
		there.partition_cpus += h->partition == a->q->partition ? h->amount[FSI_RES_CPU] : 0;
		for (uint32_t r = 0; r < s->cluster->nres; r++)
			free[r] -= h->amount[r];
	}
	return there;
}

/* Returns the number of CPUs of node i that are free for the request during its whole run. If this number is above 0,
 * also sets *gpus to the number of free GPUs, or to 0 if the request wants no GPUs. Free amounts can decrease only when
 * another job or reservation begins. The function therefore computes the free amounts at the beginning of the run, and
 * whenever another job or reservation begins during the run. The smallest amounts count. */
static int64_t compute_available_cpus(const struct sim_cluster *s, uint32_t i, const struct sim_query *a, int64_t *gpus)
{
	const struct fsi_cluster *c = s->cluster;
	const struct sim_node *n = &s->node[i];
	int64_t min[FSI_RES_MAX], free[FSI_RES_MAX];
	struct fsi_node_occupancy there = fill_free_amounts(s, i, a, a->from, min), then;

	if (!fsi_avail_compute_cpus(c, &c->node[i], a->q, min, &there))
		return 0;
	for (size_t k = 0; k < n->hold.n; k++) {
		const int64_t at = n->hold.v[k].start;

		if (at <= a->from || !is_hold_counted(&n->hold.v[k], a))
			continue;
		then = fill_free_amounts(s, i, a, at, free);
		there.any_job = there.any_job || then.any_job;
		there.partition_cpus =
			then.partition_cpus > there.partition_cpus ? then.partition_cpus : there.partition_cpus;
		for (uint32_t r = 0; r < c->nres; r++)
			min[r] = free[r] < min[r] ? free[r] : min[r];
	}
	*gpus = a->q->gpu.per_node ? fsi_avail_count_gpus(c, a->q, min) : 0;
	return fsi_avail_compute_cpus(c, &c->node[i], a->q, min, &there);
}

/* Sets n->next_end to the first time after a->from at which a job or reservation on the node ends. Sets n->valid_until
 * to the first time after a->from with this property: if the run of the request began then instead of at a->from, it
 * would overlap a different set of jobs and reservations. Each of the two members is INT64_MAX if there is no such
 * time. */
static void note_next_changes(struct sim_node *n, const struct sim_query *a)
{
	const int64_t run_s = a->end - a->from;

	n->next_end = INT64_MAX;
	n->valid_until = INT64_MAX;
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct sim_hold *h = &n->hold.v[k];
		const int64_t first_overlap = h->start == INT64_MIN ? h->start : h->start - run_s + 1;

		if (h->end > a->from && h->end < n->next_end)
			n->next_end = h->end;
		if (first_overlap > a->from && first_overlap < n->valid_until)
			n->valid_until = first_overlap;
	}
	if (n->next_end < n->valid_until)
		n->valid_until = n->next_end;
}

/* Returns node i with its capacity for a run of the request from a->from to a->end. Keeps the stored capacity if it was
 * computed in the same search for a start and is still valid at a->from. */
static const struct sim_node *query_sim_node(struct sim_cluster *s, uint32_t i, const struct sim_query *a)
{
	struct sim_node *n = &s->node[i];

	if (n->round != s->round || a->from >= n->valid_until) {
		n->round = s->round;
		note_next_changes(n, a);
		n->cpus = compute_available_cpus(s, i, a, &n->gpus);
	}
	return n;
}

/* Returns true if node i is up and the request may use it. */
static bool is_node_usable(const struct fsi_cluster *c, const struct fsi_request *q, uint32_t i)
{
	return c->node[i].accepts_jobs && (!q->set.allowed || fsi_bit_is_set(q->set.allowed, i));
}

/* Chooses nodes on which the request can run from a->from to a->end. Returns false if there are not enough such nodes.
 * Sets *next to the first time after a->from at which a job or reservation ends on a node that the request may use;
 * INT64_MAX: never. */
static bool choose_sim_nodes(struct sim_cluster *s, const struct sim_query *a, int64_t *next)
{
	const struct fsi_cluster *c = s->cluster;
	const struct fsi_cluster_partition *part = &c->partition[a->q->partition];
	uint32_t required = 0; /* number of available nodes that the request requires by name */

	s->work += part->nnodes;
	s->selection.ncandidates = 0;
	s->selection.busy_first = false;
	*next = INT64_MAX;
	for (uint32_t k = 0; k < part->nnodes; k++) {
		const uint32_t i = part->node[k];
		const struct sim_node *n;

		if (!is_node_usable(c, a->q, i))
			continue;
		n = query_sim_node(s, i, a);
		*next = n->next_end < *next ? n->next_end : *next;
		if (n->cpus <= 0)
			continue;
		required += a->q->set.required && fsi_bit_is_set(a->q->set.required, i);
		s->selection.cpus[i] = n->cpus;
		s->selection.gpus[i] = n->gpus;
		s->selection.candidates[s->selection.ncandidates++] = i;
	}
	return required >= a->q->set.nrequired && fsi_select_choose_nodes(&s->selection, c, a->q);
}

/* Returns the first possible start of the request at or after `from`; INT64_MAX: never. The chosen nodes stay valid
 * until the next call. */
static int64_t find_sim_start(struct sim_cluster *s, const struct fsi_request *q, int64_t from, int64_t run_s)
{
	struct fsi_request key = *q;
	struct fsi_cached_request *cached;
	struct sim_query a = { .q = q, .from = from };
	bool cacheable;
	int64_t next;

	s->round++;
	key.limit_s = run_s;
	cached = fsi_request_cache_find_entry(&s->request_cache, &key);
	if (cached && cached->no_start_before > a.from)
		a.from = cached->no_start_before;
	cacheable = cached && (from <= s->cluster->now || from <= cached->no_start_before);
	for (; a.from != INT64_MAX; a.from = next) {
		a.end = a.from + run_s;
		if (choose_sim_nodes(s, &a, &next))
			break;
	}
	if (cacheable)
		cached->no_start_before = a.from;
	return a.from;
}

/* Marks the requested resources as in use for `run_s` seconds from `start` on, on the nodes that were chosen last.
 * Returns -1 if out of memory. */
static int take_sim_nodes(struct sim_cluster *s, const struct fsi_request *q, int64_t start, int64_t run_s)
{
	struct sim_hold h = { .start = start, .end = start + run_s, .reservation = FSI_NO_INDEX,
			      .partition = q->partition };

	for (uint32_t k = 0; k < s->selection.nnodes; k++) {
		const uint32_t i = s->selection.node[k];

		fsi_select_compute_amounts(s->cluster, q, &s->selection, k, start, h.amount);
		if (add_sim_hold(&s->node[i], &h))
			return -1;
	}
	return 0;
}

/* Returns the number of nodes examined so far. This number measures the cost of the simulation, since it is the same on
 * every machine. */
static uint64_t get_sim_work(const struct sim_cluster *s)
{
	return s->work;
}

/* Maximum number of nodes examined in all simulation runs in total: about a second of work. */
static const uint64_t max_sim_work = UINT64_C(20000000);
/* MAX_TASKS: maximum number of tasks of an array that are simulated. MAX_ROUNDS: maximum number of rounds in the search
 * for one start; a round finds the time at which the limits allow the start, then the time at which enough nodes are
 * free. */
enum { MAX_TASKS = 64, MAX_ROUNDS = 16 };

/* State of repeated simulations; each of them simulates when the jobs of the queue start. */
struct likely_sim {
	struct fsi_backfill *bf;
	struct sim_cluster *sim;
	struct fsi_limit_ledgers *ledgers;
	struct past_runs *past;
	int64_t *end_of;    /* end_of[job row]: end of each job that uses resources, in the current simulation run */
	int64_t *start;	    /* start[plan row]: start of the row's job in the current simulation run; INT64_MAX: none */
	uint32_t *placed_in; /* placed_in[plan row]: name id of the partition in which the job starts; 0: no start */
	/* drawn_starts[plan row * FSI_LIKELY_RUNS + k]: start of the row's job in the k-th completed simulation run
	 * with drawn run times */
	int64_t *drawn_starts;
	/* number of the current simulation run; 0: the run uses time limits; above 0: the run uses drawn run times */
	uint32_t run_number;
};

/* ---- run times of jobs */

/* Returns a uniform 32-bit random number that depends only on the seed, the number of the simulation run and the job id
 * (splitmix64). */
static uint32_t draw_uniform_number(uint32_t run, uint64_t job)
{
	uint64_t z = FSI_LIKELY_SEED + run * UINT64_C(0x9e3779b97f4a7c15) + job * UINT64_C(0xbf58476d1ce4e5b9);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) >> 32);
}

/* Returns the run time of the job in the current simulation run. `ran_s`: seconds that the job has run so far. */
static int64_t get_run_time(const struct likely_sim *l, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			    int64_t limit_s)
{
	return l->run_number
		       ? pick_past_run(l->past, j, partition, ran_s, limit_s, draw_uniform_number(l->run_number, j->id))
		       : limit_s;
}

/* Sets l->end_of[job row] to the time at which each running job ends in the current simulation run. */
static void fill_job_ends(struct likely_sim *l)
{
	const struct fsi_backfill *bf = l->bf;

	for (size_t i = 0; i < bf->cluster.m->job.n; i++)
		l->end_of[i] = fsi_cluster_get_job_end(&bf->cluster, &bf->cluster.m->job.v[i]);
	for (size_t i = 0; i < bf->cluster.end.n; i++) {
		const struct fsi_running_job *e = &bf->cluster.end.v[i];
		const struct fsi_job *j = &bf->cluster.m->job.v[e->job];
		const int64_t ran = bf->cluster.now - j->start_time;

		l->end_of[e->job] = e->when;
		if (FSI_HAS(j, JOB, start_time) && ran > 0)
			l->end_of[e->job] =
				j->start_time + get_run_time(l, j, fsi_list_first_item(bf->cluster.m, j->partitions),
							     ran, e->when - j->start_time);
	}
}

/* ---- the start of one job */

/* A start found for a queue record. */
struct sim_start {
	struct fsi_request q;
	const struct fsi_queue_record *record;
	uint32_t magnetic_resv;    /* 1 + row of the magnetic reservation, 0: none */
	uint32_t partition; /* name id of the partition in which the job starts */
	int64_t start, run_s; /* `start`: planned start, INT64_MAX: none; `run_s`: run time in seconds */
	/* limit that delays `start` longest; its name is NULL if no limit delays `start` */
	struct fsi_plan_limit limit;
};

/* Sets *f to the earliest start of the record, not before `from`, at which both the limits and the free nodes allow the
 * job to start. Returns -1 if out of memory. */
static int find_record_start(struct likely_sim *l, const struct fsi_queue_record *r, uint32_t magnetic_resv,
			     int64_t from, struct sim_start *f)
{
	struct fsi_backfill *bf = l->bf;
	int64_t allowed = from;

	f->start = INT64_MAX;
	f->record = r;
	f->magnetic_resv = magnetic_resv;
	f->partition = r->partition_name;
	f->limit = (struct fsi_plan_limit){ .freed_by = FSI_NO_INDEX };
	fsi_arena_release(&bf->select.scratch);
	bf->select.scratch = (struct fsi_arena){ 0 };
	if (fsi_request_read_job(&f->q, &bf->cluster, r->job, r->partition, &bf->select.scratch) ||
	    (magnetic_resv &&
	     fsi_request_apply_reservation(&f->q, &bf->cluster, magnetic_resv - 1, &bf->select.scratch)))
		return -1;
	if (f->q.impossible)
		return 0;
	f->run_s = get_run_time(l, &bf->cluster.m->job.v[r->job], r->partition_name, 0, f->q.limit_s);
	for (int i = 0; i < MAX_ROUNDS; i++) {
		if (fsi_limit_ledgers_find_start(l->ledgers, r->job, f->partition, allowed, &allowed, &f->limit))
			return -1;
		if (allowed == INT64_MAX)
			break;
		f->start = find_sim_start(l->sim, &f->q, allowed, f->run_s);
		if (f->start == allowed || f->start == INT64_MAX)
			break;
		allowed = f->start;
	}
	return 0;
}

/* Returns true if the simulation may start the job in the partition of the record. */
static bool may_simulate_record(const struct fsi_cluster *c, const struct fsi_queue_record *r,
				const struct fsi_plan_row *row)
{
	return r->partition != FSI_NO_INDEX &&
	       (r->eligible || r->tried || r->blocker == FSI_BLOCKER_LIMIT || row->state == FS_PLAN_BEGINS) &&
	       r->blocker != FSI_BLOCKER_NEVER && r->blocker != FSI_BLOCKER_CLOSED && c->partition[r->partition].nnodes;
}

/* Sets *best to the earliest start that any record of the job gets. If the job's planned start is in a magnetic
 * reservation, each record is also tried in that reservation. After the call, the chosen nodes in l->sim are the nodes
 * of *best. Returns -1 if out of memory. */
static int find_first_start(struct likely_sim *l, const struct fsi_plan_row *row, int64_t from, struct sim_start *best)
{
	const struct fs_queue *q = l->bf->plan->queue;
	uint32_t at = q->first_record[row->job], first = 0, tried = 0;
	struct sim_start f;

	best->start = INT64_MAX;
	best->limit = (struct fsi_plan_limit){ .freed_by = FSI_NO_INDEX };
	for (; at != FSI_NO_INDEX; at = q->record.v[at].next_of_job) {
		if (!may_simulate_record(&l->bf->cluster, &q->record.v[at], row))
			continue;
		for (int k = 0; k < (row->magnetic_resv ? 2 : 1); k++) {
			if (find_record_start(l, &q->record.v[at], k ? row->magnetic_resv : 0, from, &f))
				return -1;
			tried++;
			if (f.start < best->start || !first) {
				*best = f;
				first = tried;
			}
		}
	}
	return first == tried || best->start == INT64_MAX
		       ? 0
		       : find_record_start(l, best->record, best->magnetic_resv, from, best);
}

/* Returns true if the job is simulated. Returns false if the job can never start, or if it is blocked by something
 * other than a limit. */
static bool is_row_simulated(const struct fsi_plan_row *row)
{
	return row->state != FS_PLAN_NEVER && (row->state != FS_PLAN_BLOCKED || row->blocked_by_limit);
}

/* Starts the tasks of plan row i one after the other. The array's throttle limits the number of tasks that run at the
 * same time. Returns -1 if out of memory. */
static int place_job_tasks(struct likely_sim *l, size_t i)
{
	struct fsi_backfill *bf = l->bf;
	struct fsi_plan_row *row = &bf->plan->row[i];
	int64_t from = row->state == FS_PLAN_BEGINS && row->start > bf->cluster.now ? row->start : bf->cluster.now,
		ends[MAX_TASKS];
	const uint64_t max = row->array.tasks < MAX_TASKS ? row->array.tasks : MAX_TASKS;
	struct sim_start f;

	for (uint64_t k = 0; k < max && row->array.throttle; k++) {
		if (k >= row->array.throttle && ends[k - row->array.throttle] > from)
			from = ends[k - row->array.throttle];
		if (find_first_start(l, row, from, &f))
			return -1;
		if (!k)
			l->start[i] = f.start > bf->cluster.m->info.time ? f.start : bf->cluster.m->info.time;
		if (!k && !l->run_number)
			row->limit = f.limit;
		if (f.start == INT64_MAX)
			break;
		ends[k] = f.start + f.run_s;
		l->placed_in[i] = f.partition;
		if (take_sim_nodes(l->sim, &f.q, f.start, f.run_s) ||
		    fsi_limit_ledgers_enter_run(l->ledgers, row->job, f.partition, f.start, ends[k]))
			return -1;
	}
	return 0;
}

/* ---- runs of the simulation */

/* Places the jobs of all plan rows in the order of the queue, on nodes that only running jobs use. Returns 0 if all
 * jobs were placed. Returns 1 if all runs together have examined more than max_sim_work nodes. Returns -1 if out of
 * memory. */
static int place_all_jobs(struct likely_sim *l)
{
	if (reset_sim_cluster(l->sim, l->end_of))
		return -1;
	for (size_t i = 0; i < l->bf->plan->nrows; i++) {
		const uint32_t placed_in = l->placed_in[i];

		l->start[i] = INT64_MAX;
		l->placed_in[i] = 0;
		if (placed_in && fsi_limit_ledgers_drop_runs(l->ledgers, l->bf->plan->row[i].job, placed_in))
			return -1;
		if (is_row_simulated(&l->bf->plan->row[i]) && place_job_tasks(l, i))
			return -1;
		if (get_sim_work(l->sim) > max_sim_work)
			return 1;
	}
	return 0;
}

/* Performs simulation run number `run`. Nodes are given to jobs in the order of the queue, but limits are used by the
 * jobs that start first. The jobs are therefore placed twice: the first time, the limits count only running jobs and
 * jobs ahead; the second time, they also count the jobs behind, from the starts that these jobs had the first time.
 * Returns the same values as place_all_jobs. */
static int simulate_one_run(struct likely_sim *l, uint32_t run)
{
	int rc;

	l->run_number = run;
	memset(l->placed_in, 0, l->bf->plan->nrows * sizeof(*l->placed_in));
	fill_job_ends(l);
	fsi_limit_ledgers_reset(l->ledgers, l->end_of);
	rc = place_all_jobs(l);
	return rc || !fsi_limit_ledgers_any(l->ledgers) ? rc : place_all_jobs(l);
}

/* Sets `limit_start` and `likely.median` of all rows from the simulation run that uses time limits. If a limit does not
 * delay the planned start of a row, removes the limit from the row. */
static void store_delaying_limits(struct likely_sim *l)
{
	for (size_t i = 0; i < l->bf->plan->nrows; i++) {
		struct fsi_plan_row *row = &l->bf->plan->row[i];
		const int64_t start = l->start[i] == INT64_MAX ? FS_UNKNOWN : l->start[i];

		if (row->state != FS_PLAN_BLOCKED && start != FS_UNKNOWN && row->start != FS_UNKNOWN &&
		    start <= row->start)
			row->limit.name = NULL;
		if (row->limit.name)
			row->limit_start = start;
		row->likely.median = start;
	}
}

/* Sets three members of plan->likely_runs. `jobs`: number of running and pending jobs; `drawn`: number of running and
 * pending jobs with drawn run times; `records`: largest number of usage records from which one run time is drawn. */
static void count_drawn_jobs(struct likely_sim *l)
{
	struct fs_plan_runs *r = &l->bf->plan->likely_runs;
	const fs_snapshot *m = l->bf->cluster.m;

	*r = (struct fs_plan_runs){ .seed = FSI_LIKELY_SEED };
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const bool runs = j->state == FSI_STATE_RUNNING, waits = l->bf->plan->row_of_job[i] != 0;
		const int64_t ran = runs && FSI_HAS(j, JOB, start_time) ? l->bf->cluster.now - j->start_time : 0,
			      limit = FSI_HAS(j, JOB, time_limit_s) ? j->time_limit_s : INT64_MAX;
		const uint32_t in = fsi_list_first_item(m, j->partitions);
		const size_t n = runs || waits ? count_job_runs(l->past, j, in, ran, limit) : 0;

		r->jobs += runs || waits;
		r->drawn += n > 0;
		r->records = n > r->records ? (uint32_t)n : r->records;
	}
}

/* Sets the likely start of row i to the median of its starts in the simulation runs with drawn run times. Sets the
 * likely range to the earliest and the latest start, after a tenth of the runs is left out at each end. A run in which
 * the job has no start is sorted last. */
static void store_likely_range(struct likely_sim *l, size_t i, uint32_t runs)
{
	struct fsi_plan_row *row = &l->bf->plan->row[i];
	int64_t *v = &l->drawn_starts[i * FSI_LIKELY_RUNS];
	const uint32_t middle = (runs - 1) / 2, low = (runs - 1) / 10, high = (runs - 1) - low;

	qsort(v, runs, sizeof(*v), fsi_compare_rising_i64);
	row->likely.median = v[middle] == INT64_MAX ? FS_UNKNOWN : v[middle];
	row->likely.low = v[low] == INT64_MAX ? FS_UNKNOWN : v[low];
	row->likely.high = v[high] == INT64_MAX ? FS_UNKNOWN : v[high];
}

/* Performs up to FSI_LIKELY_RUNS simulation runs in which run times are drawn from past jobs. If at least
 * FSI_LIKELY_MIN_RUNS of them complete, sets the likely starts of all rows. Returns -1 if out of memory. */
static int simulate_drawn_runs(struct likely_sim *l)
{
	uint32_t runs = 0;
	int rc = 0;

	for (uint32_t r = 1; !rc && r <= FSI_LIKELY_RUNS; r++) {
		rc = simulate_one_run(l, r);
		for (size_t i = 0; !rc && i < l->bf->plan->nrows; i++)
			l->drawn_starts[i * FSI_LIKELY_RUNS + runs] = l->start[i];
		runs += !rc;
	}
	if (rc < 0)
		return -1;
	if (runs < FSI_LIKELY_MIN_RUNS)
		return 0;
	l->bf->plan->likely_runs.runs = runs;
	for (size_t i = 0; i < l->bf->plan->nrows; i++)
		store_likely_range(l, i, runs);
	return 0;
}

/* Returns true if one simulation run would certainly examine more than max_sim_work nodes. A run examines the nodes of
 * each job's partition at least once, and this minimum is compared with max_sim_work. */
static bool is_too_much_work(const struct fsi_backfill *bf)
{
	uint64_t work = 0;

	for (size_t i = 0; i < bf->plan->nrows && work <= max_sim_work; i++) {
		const struct fsi_queue_record *r =
			&bf->plan->queue->record.v[bf->plan->queue->first_record[bf->plan->row[i].job]];

		if (is_row_simulated(&bf->plan->row[i]) && may_simulate_record(&bf->cluster, r, &bf->plan->row[i]))
			work += bf->cluster.partition[r->partition].nnodes;
	}
	return work > max_sim_work;
}

/* Returns true if the plan gives the job a start that depends neither on a limit nor on another pending job: the job
 * starts at once, or when running jobs end at their time limits. */
static bool is_start_certain(const struct fsi_plan_row *row)
{
	return row->state == FS_PLAN_NOW ||
	       (row->state == FS_PLAN_LATER && row->blocked_by == FSI_NO_INDEX && !row->limit.name);
}

/* The simulation does not reproduce all rules of the scheduler, and may give a later start than the plan. The likely
 * start of a job with a certain planned start is at most this start. */
static void limit_likely_starts(struct fsi_backfill *bf)
{
	for (size_t i = 0; i < bf->plan->nrows; i++) {
		struct fsi_plan_row *row = &bf->plan->row[i];

		if (!is_start_certain(row))
			continue;
		if (row->likely.median != FS_UNKNOWN && row->likely.median > row->start)
			row->likely.median = row->start;
		if (row->likely.low != FS_UNKNOWN && row->likely.low > row->start)
			row->likely.low = row->start;
	}
}

/* Performs all simulation runs. If the first run needs to examine more than max_sim_work nodes, stops it, sets no
 * likely starts, and removes the delaying limits from all rows. Returns -1 if out of memory. */
static int simulate_all_runs(struct likely_sim *l)
{
	int rc;

	count_drawn_jobs(l);
	rc = is_too_much_work(l->bf) ? 1 : simulate_one_run(l, 0);
	if (rc) {
		for (size_t i = 0; i < l->bf->plan->nrows; i++)
			l->bf->plan->row[i].limit.name = NULL;
		return rc < 0 ? -1 : 0;
	}
	store_delaying_limits(l);
	l->bf->plan->likely_runs.simulated = true;
	rc = l->bf->plan->likely_runs.drawn ? simulate_drawn_runs(l) : 0;
	limit_likely_starts(l->bf);
	return rc;
}

int fsi_likely_simulate_starts(struct fsi_backfill *bf)
{
	struct likely_sim l = { .bf = bf,
				.sim = create_sim_cluster(&bf->cluster),
				.ledgers = fsi_limit_ledgers_create(bf),
				.past = create_past_runs(bf->cluster.m),
				.end_of = malloc((bf->cluster.m->job.n + 1) * sizeof(*l.end_of)),
				.start = malloc((bf->plan->nrows + 1) * sizeof(*l.start)),
				.placed_in = malloc((bf->plan->nrows + 1) * sizeof(*l.placed_in)),
				.drawn_starts =
					malloc((bf->plan->nrows * FSI_LIKELY_RUNS + 1) * sizeof(*l.drawn_starts)) };
	const bool allocated =
		l.sim && l.ledgers && l.past && l.end_of && l.start && l.placed_in && l.drawn_starts;
	const int rc = allocated ? simulate_all_runs(&l) : -1;

	if (allocated)
		bf->plan->work += FSI_PLAN_WORK_BUDGET / 10 * get_sim_work(l.sim) / max_sim_work;
	free_sim_cluster(l.sim);
	fsi_limit_ledgers_free(l.ledgers);
	free_past_runs(l.past);
	free(l.end_of);
	free(l.start);
	free(l.placed_in);
	free(l.drawn_starts);
	return rc;
}
