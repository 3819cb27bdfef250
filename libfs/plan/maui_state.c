/* The state of a simulation of Maui: memory, partitions, requests, running jobs, starts, arrivals, and jobs that can
 * never start. Also reads the parameters of maui.cfg, and lists the assumptions that follow from them. */
#include "base/hostlist.h"
#include "model/maui.h"
#include "plan/maui.h"
#include "plan/timeline.h"
#include "queue/maui_queue.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory of nodes in Maui's simulation mode (SERVERMODE SIMULATION)
 *
 * In simulation mode, the memory, swap and disk of a node may grow. When a job ends, the amount that the job asked for
 * is added to the node's free amount. If the sum is less than the node's total, the free amount is raised to the total
 * (src/MNode.c:MCResAdd, called by src/MSim.c:MSimJobTerminate). A free amount that is greater than the total is not
 * lowered. Instead, this free amount becomes the node's total in the next iteration (src/MRM.c:MRMNodePostUpdate):
 *
 *   an iteration begins   total = max(total, free)
 *   then a job ends       free = max(total, free + min(total, asked))
 *   a job starts          free = max(0, free - min(total, asked))
 *
 * `asked` is the amount that the job's tasks on the node asked for. A node gains memory if a job that asked for memory
 * runs longer than another job on the node. Jobs that ended before the snapshot count if the nodes of their tasks are
 * recorded. */

/* A start or an end of a job. */
struct node_event {
	/* `time`: time of the event, seconds since the epoch; `deadline`: end of the job's time limit; of two events at
	 * the same time, the event with the earlier deadline is first (src/MQueue.c:MQueueAddAJob) */
	int64_t time, deadline;
	uint32_t job;
	bool ends; /* true: the job ends; false: it starts */
};

/* Resources whose total on a node may grow in Maui's simulation mode. */
static const int growing_resources[] = { FSI_TIMELINE_MEM, FSI_TIMELINE_SWAP, FSI_TIMELINE_DISK };

/* Updates the free memory, swap and disk of a node for a job that starts or ends. `asked_mb`: amounts that the job
 * asked for on the node, indexed by resource. */
static void change_free_amounts(struct fsi_maui_plan *x, uint32_t node, const int64_t *asked_mb, bool ends)
{
	for (size_t k = 0; k < sizeof(growing_resources) / sizeof(*growing_resources); k++) {
		const int r = growing_resources[k];
		const int64_t total = x->timeline.node[node].total[r],
			      amount = asked_mb[r] < total ? asked_mb[r] : total;
		const int64_t after = x->free_mb[node][r] + (ends ? amount : -amount), minimum = ends ? total : 0;

		x->free_mb[node][r] = after > minimum ? after : minimum;
	}
}

void fsi_maui_memory_begin_iteration(struct fsi_maui_plan *x)
{
	for (uint32_t i = 0; x->free_mb && i < x->timeline.n; i++)
		for (size_t k = 0; k < sizeof(growing_resources) / sizeof(*growing_resources); k++)
			if (x->free_mb[i][growing_resources[k]] > x->timeline.node[i].total[growing_resources[k]])
				x->timeline.node[i].total[growing_resources[k]] = x->free_mb[i][growing_resources[k]];
}

bool fsi_maui_memory_will_grow(const struct fsi_maui_plan *x)
{
	for (uint32_t i = 0; x->free_mb && i < x->timeline.n; i++)
		for (size_t k = 0; k < sizeof(growing_resources) / sizeof(*growing_resources); k++)
			if (x->free_mb[i][growing_resources[k]] > x->timeline.node[i].total[growing_resources[k]])
				return true;
	return false;
}

/* ---- jobs that started or ended before the snapshot's time */

/* A start or end of a job, with the data that are needed to apply it to each node of the job. */
struct past_event {
	struct fsi_maui_plan *x;
	/* indexed by name id of a node: 1 + index of the node in the timeline; 0: the node is not in the snapshot */
	const uint32_t *node_of;
	int64_t mb[FSI_TIMELINE_RESOURCES]; /* memory, swap and disk in MB that the job asked for on each node */
	bool ends;
};

/* Applies a past event to one node, if the node is in the snapshot; a callback of fsi_hostlist_expand_each with a
 * struct past_event. */
static int apply_event_to_node(void *ctx, const char *name, size_t len)
{
	const struct past_event *p = ctx;
	const uint32_t id = fsi_name_find(&p->x->snapshot, name), node = id ? p->node_of[id] : 0;

	(void)len;
	if (node)
		change_free_amounts(p->x, node - 1, p->mb, p->ends);
	return 0;
}

/* Applies the start of a running job to the nodes on which the job runs. */
static void replay_running_start(struct fsi_maui_plan *x, uint32_t job)
{
	for (uint32_t i = 0; i < x->timeline.n; i++)
		for (size_t k = 0; k < x->timeline.node[i].hold.n; k++)
			if (x->timeline.node[i].hold.v[k].job == job)
				change_free_amounts(x, i, x->timeline.node[i].hold.v[k].amount, false);
}

/* Applies an event to all nodes of its job. If the job had several nodes and more tasks than nodes, the number of tasks
 * on each node is unknown. A start is then ignored. An end is applied with an amount of 0, because Maui
 * raises the free amounts of a node at least to its totals at each end. */
static void replay_past_event(struct fsi_maui_plan *x, const struct node_event *e, const uint32_t *node_of)
{
	static const char *const names[] = { "mem", "swap", "disk" };
	const struct fsi_job *j = &x->snapshot.job.v[e->job];
	const char *list = fsi_name_text(&x->snapshot, j->node_list);
	const int64_t hosts = fsi_hostlist_count_names(list, FSI_MAX_HOSTS), tasks = fsi_maui_job_tasks(j);
	struct past_event p = { .x = x, .node_of = node_of, .ends = e->ends };
	bool any = false;

	if (j->state == FSI_STATE_RUNNING) {
		replay_running_start(x, e->job);
		return;
	}
	for (size_t k = 0; k < sizeof(growing_resources) / sizeof(*growing_resources); k++) {
		p.mb[growing_resources[k]] =
			fsi_maui_amount_per_task(&x->snapshot, j, names[k]) * (hosts == 1 ? tasks : 1);
		any = any || p.mb[growing_resources[k]];
	}
	if (any && hosts != 1 && hosts != tasks) {
		if (!e->ends)
			return;
		memset(p.mb, 0, sizeof(p.mb));
	}
	fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, apply_event_to_node, &p);
}

/* Sort order of events: by time, then ends before starts, then by deadline, then by job. */
static int compare_event_times(const void *a, const void *b, const void *ctx)
{
	const struct node_event *e = a, *f = b;

	(void)ctx;
	if (e->time != f->time)
		return e->time < f->time ? -1 : 1;
	if (e->ends != f->ends)
		return e->ends ? -1 : 1;
	if (e->deadline != f->deadline)
		return e->deadline < f->deadline ? -1 : 1;
	return (e->job > f->job) - (e->job < f->job);
}

/* Returns the end of the job's time limit, seconds since the epoch. */
static int64_t get_job_deadline(const struct fsi_job *j)
{
	return j->start_time + (FSI_SPECIAL(j, JOB, time_limit_s) ? FSI_MAUI_MAX_TIME : (int64_t)j->time_limit_s);
}

/* Fills `v` with the starts of running jobs, and with the starts and ends of completed jobs. Returns the number of
 * events. */
static size_t gather_past_events(const struct fsi_maui_plan *x, struct node_event *v)
{
	const fs_snapshot *m = &x->snapshot;
	size_t n = 0;

	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const bool has_ended = j->state == FSI_STATE_COMPLETED && FSI_HAS(j, JOB, end_time);

		if (!FSI_HAS(j, JOB, start_time) || (!has_ended && j->state != FSI_STATE_RUNNING))
			continue;
		v[n++] = (struct node_event){ j->start_time, get_job_deadline(j), i, false };
		if (has_ended)
			v[n++] = (struct node_event){ j->end_time, get_job_deadline(j), i, true };
	}
	return n;
}

/* Computes x->free_mb at the time of the snapshot from all starts and ends of jobs before that time. `v` and `node_of`
 * are scratch memory. Returns -1 if out of memory. */
static int replay_all_events(struct fsi_maui_plan *x, struct node_event *v, uint32_t *node_of)
{
	const size_t n = gather_past_events(x, v);

	for (uint32_t i = 0; i < x->timeline.n; i++) {
		node_of[x->snapshot.node.v[x->timeline.node[i].row].name] = i + 1;
		memcpy(x->free_mb[i], x->timeline.node[i].total, sizeof(x->free_mb[i]));
	}
	if (fs_sort(v, n, sizeof(*v), compare_event_times, NULL))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (i && v[i].time != v[i - 1].time)
			fsi_maui_memory_begin_iteration(x);
		replay_past_event(x, &v[i], node_of);
	}
	if (n && v[n - 1].time < x->now)
		fsi_maui_memory_begin_iteration(x);
	return 0;
}

/* Sets up x->free_mb if Maui is in simulation mode. The running jobs must be on the timeline already. Returns -1 if out
 * of memory. */
static int init_free_memory(struct fsi_maui_plan *x)
{
	struct node_event *v = NULL;
	uint32_t *node_of = NULL;
	int rc = 0;

	if (!x->rules.simulated)
		return 0;
	x->free_mb = calloc((size_t)x->timeline.n + 1, sizeof(*x->free_mb));
	v = calloc(2 * x->snapshot.job.n + 1, sizeof(*v));
	node_of = calloc((size_t)x->snapshot.names.count + 1, sizeof(*node_of));
	rc = x->free_mb && v && node_of ? replay_all_events(x, v, node_of) : -1;
	free(v);
	free(node_of);
	return rc;
}

/* ---- memory of nodes when jobs start or end in the plan */

/* Subtracts the request of a starting job from the free memory, swap and disk of the nodes chosen in x->timeline. */
static void take_job_memory(struct fsi_maui_plan *x, const struct fsi_timeline_request *w)
{
	for (uint32_t k = 0; x->free_mb && k < x->timeline.nchosen; k++) {
		int64_t mb[FSI_TIMELINE_RESOURCES];

		for (int r = 0; r < FSI_TIMELINE_RESOURCES; r++)
			mb[r] = x->timeline.chosen[k].tasks * w->task_amount[r];
		change_free_amounts(x, x->timeline.chosen[k].node, mb, false);
	}
}

/* Adds the memory, swap and disk of a job that ends to the free amounts of its nodes. */
static void give_back_memory(struct fsi_maui_plan *x, uint32_t job)
{
	for (uint32_t i = 0; i < x->timeline.n; i++)
		for (size_t k = 0; k < x->timeline.node[i].hold.n; k++)
			if (x->timeline.node[i].hold.v[k].job == job)
				change_free_amounts(x, i, x->timeline.node[i].hold.v[k].amount, true);
}

int fsi_maui_memory_end_jobs(struct fsi_maui_plan *x)
{
	struct node_event *v = x->free_mb ? calloc(x->snapshot.job.n + 1, sizeof(*v)) : NULL;
	size_t n = 0;
	int rc = 0;

	if (!x->free_mb)
		return 0;
	for (uint32_t i = 0; v && i < x->snapshot.job.n; i++)
		if (fsi_maui_plan_job_has_ended(x, i))
			v[n++] = (struct node_event){ x->now, get_job_deadline(&x->snapshot.job.v[i]), i, true };
	rc = !v || fs_sort(v, n, sizeof(*v), compare_event_times, NULL) ? -1 : 0;
	for (size_t i = 0; !rc && i < n; i++)
		give_back_memory(x, v[i].job);
	free(v);
	return rc;
}

/* ---- partitions of nodes
 *
 * A job runs in one partition (src/MJob.c:MJobGetEStartTime, MJobSelectMNL). Two things are not modelled: jobs that
 * may span partitions, and the partitions of a credential (PLIST, PDEF). */

/* Appends the partition with name id `name` to x->partition. Returns -1 if out of memory. */
static int append_node_partition(struct fsi_maui_plan *x, uint32_t name)
{
	uint32_t *more = realloc(x->partition, (x->npartitions + 1) * sizeof(*x->partition));

	if (!more)
		return -1;
	x->partition = more;
	x->partition[x->npartitions++] = name;
	return 0;
}

/* Sets x->partition to the partitions that have nodes, with DEFAULT first, and allocates x->consideration. Returns -1
 * if out of memory. */
static int find_node_partitions(struct fsi_maui_plan *x, const fs_snapshot *m)
{
	bool any_default = !m->node.n;
	int rc = 0;

	for (size_t i = 0; i < m->node.n; i++)
		any_default = any_default || !fsi_maui_partition_of_node(&m->node.v[i]);
	if (any_default)
		rc = append_node_partition(x, 0);
	for (size_t i = 0; i < m->node.n && !rc; i++)
		if (fsi_maui_partition_of_node(&m->node.v[i]) && fsi_maui_is_first_of_partition(m, i))
			rc = append_node_partition(x, fsi_maui_partition_of_node(&m->node.v[i]));
	x->current_partition = x->npartitions;
	x->consideration = calloc((m->job.n + 1) * (size_t)(x->npartitions + 1), sizeof(*x->consideration));
	return rc || !x->consideration ? -1 : 0;
}

/* Returns the index of the node's partition in x->partition. */
static uint32_t find_partition_index(const struct fsi_maui_plan *x, uint32_t node)
{
	const uint32_t name = fsi_maui_partition_of_node(&x->snapshot.node.v[x->timeline.node[node].row]);
	uint32_t k = 0;

	while (x->partition[k] != name)
		k++;
	return k;
}

bool fsi_maui_plan_is_in_partition(const struct fsi_maui_plan *x, const struct fsi_node *node)
{
	return x->current_partition == x->npartitions ||
	       fsi_maui_partition_of_node(node) == x->partition[x->current_partition];
}

/* Returns FSI_MAUI_CONSIDERED if iterations consider the job in the current partition, otherwise the condition that is
 * not met. There are two conditions. The up nodes of the partition must have at least as many processors in total as
 * the job asks for. At least one node of the partition must have the job's class. */
static enum fsi_maui_consideration compute_consideration(const struct fsi_maui_plan *x, uint32_t job)
{
	const struct fsi_job *j = &x->snapshot.job.v[job];
	int64_t cpus = 0;
	bool class = false;

	for (uint32_t i = 0; i < x->timeline.n; i++) {
		const struct fsi_node *node = &x->snapshot.node.v[x->timeline.node[i].row];

		if (!fsi_maui_plan_is_in_partition(x, node))
			continue;
		cpus += x->timeline.node[i].up ? x->timeline.node[i].total[FSI_TIMELINE_CPU] : 0;
		class = class || fsi_maui_node_has_class(&x->snapshot, j, node);
	}
	return j->cpus > cpus ? FSI_MAUI_TOO_WIDE : class ? FSI_MAUI_CONSIDERED : FSI_MAUI_NO_CLASS;
}

static void store_consideration(struct fsi_maui_plan *x, uint32_t job)
{
	x->consideration[job * (size_t)x->npartitions + x->current_partition] =
		(uint8_t)compute_consideration(x, job);
}

enum fsi_maui_consideration fsi_maui_plan_get_consideration(const struct fsi_maui_plan *x, uint32_t job)
{
	return (enum fsi_maui_consideration)x->consideration[job * (size_t)x->npartitions + x->current_partition];
}

/* ---- the request of a job */

/* time limit in seconds that a job without a time limit is assumed to have: 100 days */
enum { DEFAULT_LIMIT_S = 8640000 };

/* Finds the nodes of the current partition that suit the job, and marks them in x->usable. */
static void mark_allowed_nodes(struct fsi_maui_plan *x, const struct fsi_job *j)
{
	const fs_snapshot *m = &x->snapshot;

	for (uint32_t i = 0; i < x->timeline.n; i++) {
		const struct fsi_node *node = &m->node.v[x->timeline.node[i].row];

		x->usable[i] = fsi_maui_plan_is_in_partition(x, node) && fsi_maui_node_suits_job(m, j, node);
	}
}

/* Returns the reservations that admit the job, as a set of bits (`admission_bits` of a request): bit i is for row i of
 * the reservations. Rows after the first 64 have no bit. */
static uint64_t get_admission_bits(const fs_snapshot *m, const struct fsi_job *j)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < m->reservation.n && i < 64; i++)
		if (fsi_maui_reservation_admits_job(m, &m->reservation.v[i], j))
			bits |= UINT64_C(1) << i;
	return bits;
}

struct fsi_timeline_request fsi_maui_plan_make_request(struct fsi_maui_plan *x, uint32_t job)
{
	static const char *const names[FSI_TIMELINE_RESOURCES] = { "cpu", "mem", "swap", "disk", "gres/gpu" };
	const fs_snapshot *m = &x->snapshot;
	const struct fsi_job *j = &m->job.v[job];
	struct fsi_timeline_request w = {
		.job = job, .usable = x->usable, .min_nodes = j->nodes, .admission_bits = get_admission_bits(m, j)
	};

	w.tasks = fsi_maui_job_tasks(j);
	w.tasks_multiple = fsi_maui_tasks_per_node(m, j);
	w.limit_s =
		FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) ? j->time_limit_s : DEFAULT_LIMIT_S;
	if (w.limit_s < 1)
		w.limit_s = 1;
	w.takes_all_cpus =
		x->rules.node_access == FSI_ACCESS_SINGLEJOB || x->rules.node_access == FSI_ACCESS_SINGLETASK;
	w.exclusive_user = x->rules.node_access == FSI_ACCESS_SINGLEUSER ? j->user : 0;
	for (int r = 0; r < FSI_TIMELINE_RESOURCES; r++)
		w.task_amount[r] = fsi_maui_amount_per_task(m, j, names[r]);
	mark_allowed_nodes(x, j);
	return w;
}

/* ---- running jobs and reservations in the snapshot */

/* The nodes of a job, while they are read from a node list. The list has one node name for each task. */
struct task_nodes {
	struct fsi_maui_plan *x;
	/* indexed by name id of a node: 1 + index of the node in the timeline; 0: the node is not in the snapshot */
	const uint32_t *node_of;
	int64_t ntasks; /* number of tasks read so far */
	bool has_unknown_node; /* true: at least one node is not in the snapshot */
};

/* Adds one task on the node to x->timeline.chosen; a callback of fsi_hostlist_expand_each with a struct task_nodes. */
static int add_task_node(void *ctx, const char *name, size_t len)
{
	struct task_nodes *nodes = ctx;
	struct fsi_timeline *t = &nodes->x->timeline;
	const uint32_t id = fsi_name_find(&nodes->x->snapshot, name);
	const uint32_t node = id ? nodes->node_of[id] : 0;
	uint32_t k = 0;

	(void)len;
	while (k < t->nchosen && t->chosen[k].node + 1 != node)
		k++;
	if (!node || k >= t->n) {
		nodes->has_unknown_node = true;
		return 0;
	}
	if (k == t->nchosen)
		t->chosen[t->nchosen++] = (struct fsi_timeline_chosen){ .node = node - 1 };
	t->chosen[k].tasks++;
	nodes->ntasks++;
	return 0;
}

/* Sets x->timeline.chosen to the nodes of the list, which has one node name for each task. Returns false if a node is
 * not in the snapshot, or if the number of names in the list is not `tasks`. */
static bool read_known_nodes(struct fsi_maui_plan *x, const char *list, const uint32_t *node_of, int64_t tasks)
{
	enum { MAX_TASKS = 1 << 20 };
	struct task_nodes nodes = { .x = x, .node_of = node_of };

	x->timeline.nchosen = 0;
	if (fsi_hostlist_expand_each(list, MAX_TASKS, add_task_node, &nodes))
		return false;
	return !nodes.has_unknown_node && nodes.ntasks == tasks;
}

/* Returns the total run time of the job in seconds: its time limit or, in simulation mode, its run time in Maui's trace
 * if that is less (src/MLimit.c:MLimitEnforceAll). */
static int64_t get_run_time(const struct fsi_maui_plan *x, const struct fsi_job *j, int64_t limit_s)
{
	const uint32_t simulated_s = fsi_job_ext(&x->snapshot, j)->simulated_run_s;

	return x->rules.simulated && FSI_HAS(j, JOB, simulated_run_s) && simulated_s < limit_s ? simulated_s : limit_s;
}

/* Returns the end of a running job that runs for `run_s` seconds in total. If the end has passed, returns the time of
 * the next iteration. */
static int64_t get_run_end(const struct fsi_maui_plan *x, const struct fsi_job *j, int64_t run_s)
{
	const int64_t end = j->start_time + run_s;

	return end > x->now ? end : x->now + x->rules.poll_s;
}

/* Sets the end of a running job, and enters the job in the timeline. Ignores a job with unknown nodes in the first pass
 * (`known_pass` is true), and a job with known nodes in the second pass. Chooses unknown nodes as Maui would. */
static void place_job_in_pass(struct fsi_maui_plan *x, uint32_t job, const uint32_t *node_of, bool known_pass)
{
	struct fsi_job *j = &x->snapshot.job.v[job];
	const struct fsi_timeline_request w = fsi_maui_plan_make_request(x, job);
	const bool has_known_nodes = read_known_nodes(x, fsi_name_text(&x->snapshot, j->node_list), node_of, w.tasks);

	if (has_known_nodes != known_pass)
		return;
	j->end_time = get_run_end(x, j, get_run_time(x, j, w.limit_s));
	FSI_SET(j, JOB, end_time);
	if (!has_known_nodes) {
		x->plan->unplaced_jobs++;
		fsi_timeline_count_all_tasks(&x->timeline, &w, x->now, x->free_tasks);
		fsi_timeline_choose_nodes(&x->timeline, &w,
					  &(struct fsi_timeline_criteria){ .free_tasks = x->free_tasks },
					  x->rules.node_order);
	}
	fsi_timeline_hold_chosen(&x->timeline, &w, j->start_time, get_run_end(x, j, w.limit_s));
}

/* Enters the running jobs in the timeline: first the jobs whose nodes are known, then the other jobs on nodes that are
 * still free. */
static void place_running_jobs(struct fsi_maui_plan *x, const uint32_t *node_of)
{
	for (int known_pass = 1; known_pass >= 0; known_pass--)
		for (uint32_t i = 0; i < x->snapshot.job.n; i++)
			if (fs_job_is_running(&x->snapshot, i) && FSI_HAS(&x->snapshot.job.v[i], JOB, start_time) &&
			    x->snapshot.job.v[i].end_time != x->now)
				place_job_in_pass(x, i, node_of, known_pass);
}

/* Enters the reservations of pending jobs in the timeline. If the start or the nodes of a job's reservation are not
 * recorded, sets reservation_start of the job to INT64_MAX. The first iteration then finds a time for the
 * reservation. */
static void place_reserved_jobs(struct fsi_maui_plan *x, const uint32_t *node_of)
{
	for (uint32_t i = 0; i < x->snapshot.job.n; i++) {
		struct fsi_job *j = &x->snapshot.job.v[i];
		const bool is_recorded = FSI_HAS(j, JOB, start_time) && FSI_HAS(j, JOB, sched_nodes);
		struct fsi_timeline_request w;

		if (j->state != FSI_STATE_PENDING || !fs_job_flag(&x->snapshot, i, "RESERVED"))
			continue;
		x->state.reservation_start[i] = INT64_MAX;
		w = fsi_maui_plan_make_request(x, i);
		if (!is_recorded || !read_known_nodes(x, fsi_name_text(&x->snapshot, j->sched_nodes), node_of, w.tasks))
			continue;
		x->state.reservation_start[i] = j->start_time;
		x->reserved_partition[i] = find_partition_index(x, x->timeline.chosen[0].node);
		fsi_timeline_hold_chosen(&x->timeline, &w, j->start_time, j->start_time + w.limit_s);
	}
}

/* An administrator's reservation, with the data that are needed to enter it in the timeline for each of its nodes. */
struct reservation_nodes {
	struct fsi_maui_plan *x;
	/* indexed by name id of a node: 1 + index of the node in the timeline; 0: the node is not in the snapshot */
	const uint32_t *node_of;
	const struct fsi_reservation *r;
	uint32_t admission_number; /* 1 + row of the reservation `r` */
};

/* Enters in the timeline that the reservation occupies all resources of one node; a callback of
 * fsi_hostlist_expand_each with a struct reservation_nodes. */
static int hold_reservation_node(void *ctx, const char *name, size_t len)
{
	const struct reservation_nodes *c = ctx;
	const uint32_t id = fsi_name_find(&c->x->snapshot, name);
	const uint32_t node = id ? c->node_of[id] : 0;
	struct fsi_timeline_hold h = { .start = c->r->start_time,
				       .end = c->r->end_time,
				       .job = FSI_NO_INDEX,
				       .admission_number = c->admission_number };

	(void)len;
	if (!node)
		return 0;
	memcpy(h.amount, c->x->timeline.node[node - 1].total, sizeof(h.amount));
	fsi_timeline_add_hold(&c->x->timeline, node - 1, &h);
	return 0;
}

/* Enters administrators' reservations in the timeline. */
static void place_admin_reservations(struct fsi_maui_plan *x, const uint32_t *node_of)
{
	for (size_t i = 0; i < x->snapshot.reservation.n; i++) {
		struct reservation_nodes c = { .x = x,
					       .node_of = node_of,
					       .r = &x->snapshot.reservation.v[i],
					       .admission_number = (uint32_t)i + 1 };

		fsi_hostlist_expand_each(fsi_name_text(&x->snapshot, c.r->nodes), x->timeline.n, hold_reservation_node,
					 &c);
	}
}

/* Enters all running jobs and reservations of the snapshot in the timeline. Returns -1 if out of memory. */
static int fill_initial_timeline(struct fsi_maui_plan *x)
{
	uint32_t *node_of = calloc((size_t)x->snapshot.names.count + 1, sizeof(*node_of));

	if (!node_of)
		return -1;
	for (uint32_t i = 0; i < x->timeline.n; i++)
		node_of[x->snapshot.node.v[x->timeline.node[i].row].name] = i + 1;
	place_running_jobs(x, node_of);
	place_reserved_jobs(x, node_of);
	place_admin_reservations(x, node_of);
	free(node_of);
	return 0;
}

/* ---- setup and release of the state */
static void clear_recorded_reason(struct fsi_job *j)
{
	j->reason = 0;
	FSI_UNSET(j, JOB, reason);
}

/* Clears the recorded reasons of jobs, because each simulated iteration determines them again. Keeps the reasons of
 * held jobs, and the reason "Blocked", which does not say what blocks the job. */
static void clear_known_reasons(struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->plan->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->plan->queue->record.v[i];
		const struct fs_reason *reason = fsi_queue_get_reason(r);

		if (reason && reason->section != FS_SECTION_HELD && strcmp(reason->name, "Blocked") != 0)
			clear_recorded_reason(&x->snapshot.job.v[r->job]);
	}
}

/* Sets x->snapshot to a copy of the snapshot. The copy has its own tables of jobs and windows, and shares all other
 * tables. Returns -1 if out of memory. */
static int copy_changed_tables(struct fsi_maui_plan *x, const fs_snapshot *m)
{
	x->snapshot = *m;
	x->snapshot.active_jobs.known = false;
	x->snapshot.job.v = malloc((m->job.n + 1) * sizeof(*m->job.v));
	x->snapshot.window.v = malloc((m->window.n + 1) * sizeof(*m->window.v));
	x->snapshot.window.cap = m->window.n + 1;
	if (!x->snapshot.job.v || !x->snapshot.window.v)
		return -1;
	if (m->job.n)
		memcpy(x->snapshot.job.v, m->job.v, m->job.n * sizeof(*m->job.v));
	if (m->window.n)
		memcpy(x->snapshot.window.v, m->window.v, m->window.n * sizeof(*m->window.v));
	return 0;
}

/* Sets x->job_qos from the QOS of each job, and x->bucket from the configured reservation buckets (groups of QOS).
 * Returns -1 if out of memory. */
static int load_job_qos(struct fsi_maui_plan *x, const fs_snapshot *m)
{
	struct fsi_creds creds;

	if (fsi_creds_init(&creds, m))
		return -1;
	fsi_maui_read_buckets(m, x->bucket);
	for (size_t i = 0; i < m->job.n; i++) {
		const uint32_t qos = fsi_job_qos_or_default(m, &m->job.v[i]),
			       row = fsi_creds_find(&creds, FS_CRED_QOS, qos);
		const uint32_t flags = row == FSI_NO_INDEX ? 0 : m->credential.v[row].flags;

		x->job_qos[i].bucket = (uint8_t)fsi_maui_find_bucket(x->bucket, fsi_maui_job_qos_name(m, &m->job.v[i]));
		x->job_qos[i].no_backfill = fsi_list_has_word(m, flags, "NOBF");
		x->job_qos[i].always_reserves = fsi_list_has_word(m, flags, "RESERVEALWAYS");
	}
	fsi_creds_release(&creds);
	return 0;
}

/* Allocates an array in the arena of the simulation. Evaluates to NULL if out of memory. */
#define MAKE_ARRAY(x, member, n) ((x)->member = fsi_arena_array(&(x)->arena, n, sizeof(*(x)->member)))

int fsi_maui_plan_init(struct fsi_maui_plan *x)
{
	const fs_snapshot *m = x->plan->m;
	const size_t jobs = m->job.n + 1, nodes = m->node.n + 1;

	x->now = m->info.time;
	if (!MAKE_ARRAY(x, sched_order, jobs) || !MAKE_ARRAY(x, window_jobs, jobs) ||
	    !MAKE_ARRAY(x, within_soft, jobs) || !MAKE_ARRAY(x, is_ordered, jobs) ||
	    !MAKE_ARRAY(x, state.reservation_start, jobs) || !MAKE_ARRAY(x, state.queued_s, jobs) ||
	    !MAKE_ARRAY(x, state.deferred_until, jobs) || !MAKE_ARRAY(x, restarts_wait, jobs) ||
	    !MAKE_ARRAY(x, impossible, jobs) || !MAKE_ARRAY(x, never_considered, jobs) ||
	    !MAKE_ARRAY(x, reserved_partition, jobs) || !MAKE_ARRAY(x, job_qos, jobs) ||
	    !MAKE_ARRAY(x, usable, nodes) || !MAKE_ARRAY(x, window_nodes, nodes) || !MAKE_ARRAY(x, freed_by, nodes) ||
	    !MAKE_ARRAY(x, reservation_ended, nodes) || !MAKE_ARRAY(x, free_span, nodes) ||
	    !MAKE_ARRAY(x, free_tasks, nodes) || !MAKE_ARRAY(x, own_nodes, nodes) || copy_changed_tables(x, m) ||
	    load_job_qos(x, m) || find_node_partitions(x, m) || fsi_timeline_init_nodes(&x->timeline, m))
		return -1;
	for (size_t i = 0; i < m->job.n; i++)
		x->state.reservation_start[i] = x->state.queued_s[i] = FS_UNKNOWN;
	for (size_t i = 0; i < nodes; i++)
		x->freed_by[i] = FSI_NO_INDEX;
	clear_known_reasons(x);
	if (fill_initial_timeline(x) || init_free_memory(x))
		return -1;
	return 0;
}

void fsi_maui_plan_release(struct fsi_maui_plan *x)
{
	fs_queue_free(x->queue);
	fsi_timeline_release(&x->timeline);
	free(x->snapshot.job.v);
	free(x->snapshot.window.v);
	free(x->partition);
	free(x->consideration);
	free(x->free_mb);
	fsi_arena_release(&x->arena);
}

/* ---- starts */

/* Returns true if an administrator's reservation on any of the chosen nodes has just ended. */
static bool is_any_just_opened(const struct fsi_maui_plan *x)
{
	for (uint32_t k = 0; k < x->timeline.nchosen; k++)
		if (x->reservation_ended[x->timeline.chosen[k].node])
			return true;
	return false;
}

/* Stores the start of the job in its row of the plan. In simulation mode, a job that was not yet submitted at the time
 * of the snapshot has no row. */
static void record_maui_start(struct fsi_maui_plan *x, const struct fsi_timeline_request *w)
{
	struct fsi_plan_row *row;

	if (x->plan->m->job.v[w->job].state == FSI_STATE_FUTURE)
		return;
	x->nstartable--;
	row = fsi_timeline_record_start(x->plan, &x->timeline, w, x->now, x->freed_by);
	if (row->state == FS_PLAN_LATER && is_any_just_opened(x))
		row->wait = FS_PLAN_WAIT_RESERVATION;
}

void fsi_maui_plan_start_job(struct fsi_maui_plan *x, const struct fsi_timeline_request *w)
{
	struct fsi_job *j = &x->snapshot.job.v[w->job];

	j->state = FSI_STATE_RUNNING;
	j->start_time = x->now;
	j->end_time = x->now + get_run_time(x, j, w->limit_s);
	FSI_SET(j, JOB, start_time);
	FSI_SET(j, JOB, end_time);
	fsi_maui_limits_add_started_job(fsi_maui_queue_data(x->queue)->limits, w->job);
	take_job_memory(x, w);
	x->nstarted++;
	fsi_timeline_hold_chosen(&x->timeline, w, x->now, x->now + w->limit_s);
	record_maui_start(x, w);
}

/* ---- jobs that Maui submits later, in simulation mode
 *
 * Maui submits these jobs in the order of the trace, each job at its submit time, but not before the jobs that precede
 * it in the trace (src/MSim.c:MSimGetWorkload, MSimJobSubmit). */

/* Returns true if the job has not been submitted yet. */
static bool is_not_submitted(const struct fsi_job *j)
{
	return j->state == FSI_STATE_FUTURE;
}

/* Returns true if, in simulation mode, the snapshot has any job that is not submitted yet. */
static bool has_future_jobs(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (is_not_submitted(&m->job.v[i]))
			return true;
	return false;
}

int64_t fsi_maui_plan_next_arrival(const struct fsi_maui_plan *x)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < x->snapshot.job.n; i++) {
		const struct fsi_job *j = &x->snapshot.job.v[i];

		if (is_not_submitted(j) && j->submit_time > x->now && j->submit_time < next)
			next = j->submit_time;
	}
	return next;
}

/* Returns the position in Maui's trace of the first unsubmitted job whose submit time is in the future or unknown;
 * UINT32_MAX: there is no such job. */
static uint32_t find_first_unsubmitted(const struct fsi_maui_plan *x)
{
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < x->snapshot.job.n; i++) {
		const struct fsi_job *j = &x->snapshot.job.v[i];
		const uint32_t position = fsi_job_ext(&x->snapshot, j)->position;
		const bool has_future_time = !FSI_HAS(j, JOB, submit_time) || j->submit_time > x->now;

		if (is_not_submitted(j) && has_future_time && position < first)
			first = position;
	}
	return first;
}

void fsi_maui_plan_submit_arrived(struct fsi_maui_plan *x)
{
	const uint32_t first = find_first_unsubmitted(x);

	for (size_t i = 0; i < x->snapshot.job.n; i++) {
		struct fsi_job *j = &x->snapshot.job.v[i];

		if (is_not_submitted(j) && fsi_job_ext(&x->snapshot, j)->position < first)
			j->state = FSI_STATE_PENDING;
	}
}

/* ---- jobs that can never start */

/* Returns true if the job fits in any partition after the end of all jobs, and of all reservations that have an end.
 * Stores for each partition whether iterations consider the job there. */
static bool is_job_possible(struct fsi_maui_plan *x, uint32_t job)
{
	bool any = false;

	for (x->current_partition = 0; x->current_partition < x->npartitions; x->current_partition++) {
		const struct fsi_timeline_request w = fsi_maui_plan_make_request(x, job);

		store_consideration(x, job);
		any = any || fsi_timeline_request_fits(&x->timeline, &w, FSI_MAUI_MAX_TIME - 1, NULL);
	}
	return any;
}

/* Returns true if iterations ignore the job in every partition: no node of the partition has the job's class, or the
 * job asks for too many processors. Any other job that can never start is tried in scheduling order, gets no
 * reservation and is deferred. Later jobs then do not start by priority in that iteration
 * (src/MPolicy.c:MQueueCheckSingleJob, MQueueSelectAllJobs, src/MJob.c:MJobPReserve). */
static bool is_never_considered(struct fsi_maui_plan *x, uint32_t job)
{
	bool enters = false;

	for (x->current_partition = 0; x->current_partition < x->npartitions; x->current_partition++)
		enters = enters || fsi_maui_plan_get_consideration(x, job) == FSI_MAUI_CONSIDERED;
	return !enters;
}

/* Sets two members for the job. x->impossible: true if the job can never start. x->never_considered: true if iterations
 * also ignore the job in every partition. */
static void note_impossible_job(struct fsi_maui_plan *x, uint32_t job)
{
	x->impossible[job] = !is_job_possible(x, job);
	x->never_considered[job] = x->impossible[job] && is_never_considered(x, job);
}

void fsi_maui_plan_find_impossible(struct fsi_maui_plan *x)
{
	for (uint32_t i = 0; i < x->snapshot.job.n; i++)
		if (x->snapshot.job.v[i].state == FSI_STATE_FUTURE)
			note_impossible_job(x, i);
	for (size_t i = 0; i < x->plan->nrows; i++) {
		struct fsi_plan_row *row = &x->plan->row[i];

		note_impossible_job(x, row->job);
		if (x->impossible[row->job])
			row->state = FS_PLAN_NEVER;
		else
			x->nstartable++;
	}
}

/* ---- parameters of maui.cfg */

/* Returns the value of a parameter of maui.cfg; "" if it is not set. */
static const char *get_parameter_word(const fs_snapshot *m, const char *name)
{
	const char *s = fs_snapshot_config_text(m, name);

	return s ? s : "";
}

const char *fsi_maui_plan_get_backfill_policy(const fs_snapshot *m)
{
	return get_parameter_word(m, "BACKFILLPOLICY");
}

/* Returns the index of `s` among the `n` words; `default_index` if `s` is not among them. */
static size_t find_word_index(const char *s, const char *const *words, size_t n, size_t default_index)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(s, words[i]))
			return i;
	return default_index;
}

/* Returns the order in which NODEALLOCATIONPOLICY chooses nodes. Sets *known to false if the policy is not modelled. */
static enum fsi_timeline_order get_node_order(const fs_snapshot *m, bool *known)
{
	static const struct {
		const char *word;
		enum fsi_timeline_order order;
	} policies[] = { { "", FSI_ORDER_LAST },
			 { "FIRSTAVAILABLE", FSI_ORDER_FIRST },
			 { "LASTAVAILABLE", FSI_ORDER_LAST },
			 { "MINRESOURCE", FSI_ORDER_MIN_MEMORY },
			 { "PRIORITY", FSI_ORDER_EQUALS },
			 { "FASTEST", FSI_ORDER_EQUALS } };
	const char *policy = get_parameter_word(m, "NODEALLOCATIONPOLICY");

	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
		if (!strcmp(policy, policies[i].word)) {
			*known = true;
			return policies[i].order;
		}
	*known = false;
	return FSI_ORDER_LAST;
}

void fsi_maui_plan_read_rules(const fs_snapshot *m, bool by_priority, struct fsi_maui_plan_rules *r)
{
	static const char *const backfill[] = { "NONE", "FIRSTFIT", "BESTFIT", "GREEDY" };
	static const char *const reserve[] = { "HIGHEST", "CURRENTHIGHEST", "NEVER" };
	static const char *const metric[] = { "PROCS", "PROCSECONDS", "SECONDS" };
	static const char *const threshold[] = { "NONE", "BYPASS", "QUEUETIME", "XFACTOR" };
	static const char *const access[] = { "SHARED", "SINGLEJOB", "SINGLETASK", "SINGLEUSER" };
	static const char *const accrual[] = { "ALWAYS", "QUEUEPOLICY", "FULLPOLICY" };
	const size_t accrues = find_word_index(get_parameter_word(m, "JOBPRIOACCRUALPOLICY"), accrual, 3, 1);

	*r = (struct fsi_maui_plan_rules){
		.backfill_policy =
			by_priority ? FSI_BF_NONE
				    : (enum fsi_maui_backfill_policy)find_word_index(
					      fsi_maui_plan_get_backfill_policy(m), backfill, 4, FSI_BF_FIRSTFIT),
		.reservation_policy = (enum fsi_maui_reservation_policy)find_word_index(
			get_parameter_word(m, "RESERVATIONPOLICY"), reserve, 3, FSI_RSV_CURRENTHIGHEST),
		.backfill_metric = (enum fsi_maui_backfill_metric)find_word_index(
			get_parameter_word(m, "BACKFILLMETRIC"), metric, 3, FSI_BFM_PROCS),
		.threshold = (enum fsi_maui_reservation_threshold)find_word_index(
			get_parameter_word(m, "RESERVATIONTHRESHOLDTYPE"), threshold, 4, FSI_THRESHOLD_NONE),
		.threshold_value = fsi_config_get_int(m, "RESERVATIONTHRESHOLDVALUE", 0),
		.backfill_depth = fsi_config_get_int(m, "BACKFILLDEPTH", 0),
		.poll_s = fsi_config_get_int(m, "RMPOLLINTERVAL", FSI_MAUI_POLL_S),
		.restarts_rejected = accrues > 0,
		.restarts_blocked = accrues > 1,
	};
	r->simulated = !strcmp(get_parameter_word(m, "SERVERMODE"), "SIMULATION");
	r->defer_s = r->simulated ? INT64_MAX : fsi_config_get_int(m, "DEFERTIME", 3600);
	r->node_order = get_node_order(m, &r->node_order_known);
	r->node_access = (enum fsi_maui_node_access)find_word_index(get_parameter_word(m, "NODEACCESSPOLICY"), access,
								    4, FSI_ACCESS_SHARED);
}

static const char *const backfill_sentences[] = {
	[FSI_BF_NONE] = "If a job cannot start, no later job starts (BACKFILLPOLICY NONE).",
	[FSI_BF_FIRSTFIT] = "Backfill starts jobs that delay no reservation, by priority. It fills short gaps before "
			    "long gaps (BACKFILLPOLICY FIRSTFIT).",
	[FSI_BF_BESTFIT] = "Backfill starts jobs that delay no reservation, the largest first. It fills short gaps "
			   "before long gaps (BACKFILLPOLICY BESTFIT).",
	[FSI_BF_GREEDY] = "BACKFILLPOLICY GREEDY starts no job: its job list is always empty in this version of Maui.",
};

/* Adds the assumptions about backfill to the plan. */
static void assume_backfill_policy(struct fs_plan *p, const struct fsi_maui_plan_rules *r)
{
	const bool any = r->backfill_policy == FSI_BF_FIRSTFIT || r->backfill_policy == FSI_BF_BESTFIT;

	fsi_plan_add_assumption(p, "%s", backfill_sentences[r->backfill_policy]);
	if (any && r->backfill_depth > 0)
		fsi_plan_add_assumption(p,
					"In each gap, Maui tries the first %lld jobs that are not larger than the gap "
					"(BACKFILLDEPTH).",
					(long long)r->backfill_depth);
}

/* Adds an assumption about RESERVATIONDEPTH[i] to the plan. This parameter is the maximum number of reservations for
 * jobs of a bucket (a group of QOS). `b` is the bucket with number `i`. */
static void assume_bucket_depth(struct fs_plan *p, unsigned i, const struct fsi_maui_bucket *b)
{
	const bool named = !fsi_maui_bucket_has_all(b);
	char parameter[40];

	fsi_maui_format_indexed(parameter, sizeof(parameter), "RESERVATIONDEPTH", i);
	fsi_plan_add_assumption(p, "Nodes are reserved for the first %lld jobs%s%s that cannot start (%s).",
				(long long)(b->depth > 0 ? b->depth : 0), named ? " of QOS " : "", named ? b->qos : "",
				parameter);
}

/* Adds the assumptions about jobs' reservations to the plan. */
static void assume_job_reservations(struct fs_plan *p, const struct fsi_maui_plan_rules *r)
{
	struct fsi_maui_bucket b[FSI_MAUI_BUCKETS];

	fsi_maui_read_buckets(p->m, b);
	if (r->backfill_policy == FSI_BF_NONE)
		return;
	if (r->reservation_policy == FSI_RSV_NEVER) {
		fsi_plan_add_assumption(p, "No job has nodes reserved (RESERVATIONPOLICY NEVER).");
		return;
	}
	for (unsigned i = 0; i < FSI_MAUI_BUCKETS; i++)
		if (b[i].depth)
			assume_bucket_depth(p, i, &b[i]);
	fsi_plan_add_assumption(
		p, "%s",
		r->reservation_policy == FSI_RSV_HIGHEST
			? "A job keeps its reservation (RESERVATIONPOLICY HIGHEST)."
			: "Reservations are recomputed in each iteration (RESERVATIONPOLICY CURRENTHIGHEST).");
}

/* Adds an assumption to the plan for each QOS flag (QFLAGS) that Maui knows and the plan does not model. */
static void assume_ignored_flags(struct fs_plan *p)
{
	static const char *const ignored[] = { "DEDICATED", "USERESERVED", "PREEMPTOR", "PREEMPTEE" };
	const fs_snapshot *m = p->m;

	for (size_t i = 0; i < m->credential.n; i++)
		for (size_t f = 0; f < sizeof(ignored) / sizeof(*ignored); f++)
			if (fsi_list_has_word(m, m->credential.v[i].flags, ignored[f]))
				fsi_plan_add_assumption(p, "QFLAGS %s of QOS %s is ignored.", ignored[f],
							fsi_name_text(m, m->credential.v[i].name));
}

static bool has_simulated_runs(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (FSI_HAS(&m->job.v[i], JOB, simulated_run_s))
			return true;
	return false;
}

/* Returns true if the snapshot does not say which jobs an administrators' reservation admits. */
static bool has_closed_reservation(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->reservation.n; i++)
		if (!FSI_HAS(&m->reservation.v[i], RESERVATION, admits_told) || !m->reservation.v[i].admits_told)
			return true;
	return false;
}

/* Returns true if any node is in a partition other than DEFAULT. */
static bool has_node_partitions(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_maui_partition_of_node(&m->node.v[i]))
			return true;
	return false;
}

/* Adds an assumption to the plan if the wait of a blocked job is unknown (FS_UNMODELLED_WAIT). */
static void assume_unknown_waits(struct fs_plan *p)
{
	const fs_snapshot *m = p->m;
	uint32_t n = 0, first = 0;

	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].unmodelled & FS_UNMODELLED_WAIT && !n++)
			first = m->job.v[p->row[i].job].name;
	if (n)
		fsi_plan_add_assumption(p,
					"The snapshot does not show how long %u blocked job%s had waited before the "
					"block (run checkjob %s%s). The plan assumes a queue time of 0 s when %s is "
					"unblocked.",
					n, n == 1 ? "" : "s", fsi_name_text(m, first), n == 1 ? "" : " etc.",
					n == 1 ? "the job" : "each job");
}

void fsi_maui_plan_add_assumptions(struct fs_plan *p)
{
	static const char *const access_sentences[] = {
		[FSI_ACCESS_SINGLEJOB] = "A node runs one job at a time (NODEACCESSPOLICY SINGLEJOB).",
		[FSI_ACCESS_SINGLETASK] = "A node runs one job at a time; NODEACCESSPOLICY SINGLETASK still puts "
					  "several tasks of the job on it.",
		[FSI_ACCESS_SINGLEUSER] = "A node runs jobs of one user at a time (NODEACCESSPOLICY SINGLEUSER).",
	};
	const char *policy = get_parameter_word(p->m, "NODEALLOCATIONPOLICY"),
		   *node_sets = get_parameter_word(p->m, "NODESETPOLICY");
	struct fsi_maui_plan_rules r;

	fsi_maui_plan_read_rules(p->m, p->mode == FS_PLAN_BY_PRIORITY, &r);
	fsi_plan_add_assumption(p, "%s",
				r.simulated && has_simulated_runs(p->m)
					? "Jobs run for as long as the simulation's traces say."
					: "Every job runs for its whole time limit.");
	fsi_plan_add_assumption(p, "%s is changed or cancelled, and no node changes state.",
				has_future_jobs(p->m) ? "Jobs arrive as the simulation's traces say; none"
						      : "No job arrives,");
	fsi_plan_add_assumption(p, "Priorities, limits and fair-share caps change as jobs wait, start and end.");
	fsi_plan_add_assumption(p, "Jobs start in iterations %lld s apart (RMPOLLINTERVAL).", (long long)r.poll_s);
	assume_backfill_policy(p, &r);
	assume_job_reservations(p, &r);
	if (has_closed_reservation(p->m))
		fsi_plan_add_assumption(p, "If the capture does not show which jobs a reservation admits "
					   "(diagnose -r), its nodes are closed to all jobs.");
	assume_unknown_waits(p);
	assume_ignored_flags(p);
	if (has_node_partitions(p->m))
		fsi_plan_add_assumption(
			p, "A job runs in one node partition (NODECFG PARTITION); every partition is open to it.");
	if (p->unplaced_jobs)
		fsi_plan_add_assumption(
			p, "Running jobs whose nodes are unknown: %u. The plan puts them on nodes as Maui would.",
			p->unplaced_jobs);
	if (r.node_access != FSI_ACCESS_SHARED)
		fsi_plan_add_assumption(p, "%s", access_sentences[r.node_access]);
	if (r.node_order == FSI_ORDER_EQUALS)
		fsi_plan_add_assumption(
			p, "NODEALLOCATIONPOLICY %s prefers no node: the first nodes are used first.", policy);
	if (*node_sets)
		fsi_plan_add_assumption(p, "NODESETPOLICY %s is not modelled: jobs use any nodes.", node_sets);
	if (!r.node_order_known)
		fsi_plan_add_assumption(
			p, "NODEALLOCATIONPOLICY %s is not modelled: the last nodes are used first.", policy);
}
