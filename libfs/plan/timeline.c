#include "plan/timeline.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A range of time in which `tasks` tasks fit on `nodes` nodes. In a start range, `tasks` is the number of tasks of the
 * job that may start at any time within the range. */
struct time_range {
	/* `start`, `end`: in seconds since the epoch. If `end` is INT64_MAX, the range has no end. If `end` equals
	 * `start`, the range is an instant. */
	int64_t start, end;
	int64_t tasks;
	uint32_t nodes;
};

/* Time ranges of one node, or merged from the time ranges of several nodes; sorted by time. */
struct range_list {
	FSI_VEC(struct time_range) v;
};

static inline struct time_range *get_last_range(struct range_list *r)
{
	return &r->v.v[r->v.n - 1];
}

/* ---- nodes, and the resources in use on each node */

/* Sets total[resource] to the amount of each resource that the node has. */
static void read_node_amounts(const fs_snapshot *m, const struct fsi_node *n, int64_t *total)
{
	static const char *const names[FSI_TIMELINE_RESOURCES] = { "cpu", "mem", "swap", "disk", "gres/gpu" };

	for (int r = 0; r < FSI_TIMELINE_RESOURCES; r++)
		total[r] = fsi_amount_of_tres(m, n->tres, fsi_name_find(m, names[r]));
	if (!total[FSI_TIMELINE_CPU])
		total[FSI_TIMELINE_CPU] = n->cpus;
}

static bool is_node_state_up(const char *state)
{
	return strncmp(state, "DOWN", 4) != 0 && !strstr(state, "DRAIN");
}

int fsi_timeline_init_nodes(struct fsi_timeline *t, const fs_snapshot *m)
{
	t->n = (uint32_t)m->node.n;
	t->node = calloc(m->node.n + 1, sizeof(*t->node));
	t->chosen = calloc(m->node.n + 1, sizeof(*t->chosen));
	t->node_order = calloc(m->node.n + 1, sizeof(*t->node_order));
	t->work_budget = FSI_PLAN_WORK_BUDGET;
	t->work = calloc(1, sizeof(*t->work));
	if (!t->node || !t->chosen || !t->node_order || !t->work)
		return -1;
	for (uint32_t i = 0; i < t->n; i++) {
		t->node[i].row = i;
		t->node[i].up = is_node_state_up(fsi_name_text(m, m->node.v[i].state));
		read_node_amounts(m, &m->node.v[i], t->node[i].total);
	}
	return 0;
}

void fsi_timeline_release(struct fsi_timeline *t)
{
	for (uint32_t i = 0; t->node && i < t->n; i++)
		FSI_VEC_FREE(&t->node[i].hold);
	FSI_VEC_FREE(&t->change_times);
	free(t->node);
	free(t->chosen);
	free(t->node_order);
	free(t->work);
	*t = (struct fsi_timeline){ 0 };
}

bool fsi_timeline_is_over_budget(const struct fsi_timeline *t)
{
	return *t->work > t->work_budget || t->out_of_memory;
}

/* Returns true if the request needs nodes that are exclusive to its user, and the hold belongs to a job of another
 * user. */
static bool is_other_users_hold(const struct fsi_timeline_hold *h, const struct fsi_timeline_request *w)
{
	return w->exclusive_user && h->user && h->user != w->exclusive_user;
}

/* Sets held[resource] to the amount on the node that the request cannot get, because jobs or reservations occupy it at
 * time `at`. If the request needs nodes that are exclusive to its user, a job of another user uses the whole node. */
static void sum_held_amounts(const struct fsi_timeline_node *n, const struct fsi_timeline_request *w, int64_t at,
			     int64_t *held)
{
	memset(held, 0, FSI_TIMELINE_RESOURCES * sizeof(*held));
	for (size_t k = 0; k < n->hold.n; k++)
		if (n->hold.v[k].start <= at && n->hold.v[k].end > at && !fsi_timeline_hold_admits(&n->hold.v[k], w))
			for (int r = 0; r < FSI_TIMELINE_RESOURCES; r++)
				held[r] += is_other_users_hold(&n->hold.v[k], w) ? n->total[r] : n->hold.v[k].amount[r];
}

/* Returns the number of tasks of the request that fit on the node at time `at`. Returns at most 1 if w->whole_node is
 * true. Returns w->tasks if w->whole_node is false and a task needs no resource. */
static int64_t count_tasks_at(const struct fsi_timeline_node *n, const struct fsi_timeline_request *w, int64_t at)
{
	int64_t held[FSI_TIMELINE_RESOURCES], max = INT64_MAX;

	sum_held_amounts(n, w, at, held);
	if (w->whole_node && held[FSI_TIMELINE_CPU])
		return 0;
	for (int r = 0; r < FSI_TIMELINE_RESOURCES; r++)
		if (w->task_amount[r] > 0) {
			const int64_t free_amount = n->total[r] - held[r];
			const int64_t fit = free_amount > 0 ? free_amount / w->task_amount[r] : 0;

			max = fit < max ? fit : max;
		}
	if (w->whole_node && max > 1)
		return 1;
	return max == INT64_MAX ? w->tasks : max;
}

int64_t fsi_timeline_count_tasks(const struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w,
				 int64_t from)
{
	const struct fsi_timeline_node *n = &t->node[i];
	int64_t max;

	if (!n->up || (w->usable && !w->usable[i]))
		return 0;
	max = count_tasks_at(n, w, from);
	*t->work += 1 + n->hold.n;
	for (size_t k = 0; k < n->hold.n && max; k++) {
		const int64_t start = n->hold.v[k].start;

		if (start > from && start < from + w->limit_s) {
			*t->work += n->hold.n;
			const int64_t then = count_tasks_at(n, w, start);

			max = then < max ? then : max;
		}
	}
	return w->tasks_multiple ? max - max % w->tasks_multiple : max;
}

bool fsi_timeline_request_fits(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
			       const bool *among)
{
	int64_t tasks = 0;
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const int64_t here = among && !among[i] ? 0 : fsi_timeline_count_tasks(t, i, w, at);

		tasks += here;
		nodes += here > 0;
		if (tasks >= w->tasks && nodes >= w->min_nodes)
			return true;
	}
	return false;
}

/* Sorts the n times in `v` and removes duplicates. Returns the number of different times. */
static size_t sort_unique_times(int64_t *v, size_t n)
{
	size_t nleft = 0;

	if (n)
		qsort(v, n, sizeof(*v), fsi_compare_rising_i64);
	for (size_t k = 0; k < n; k++)
		if (!nleft || v[k] != v[nleft - 1])
			v[nleft++] = v[k];
	return nleft;
}

/* Appends to t->change_times the times later than `after` at which the occupancy of the node changes. */
static void append_node_changes(struct fsi_timeline *t, const struct fsi_timeline_node *n, int64_t after)
{
	*t->work += 1 + n->hold.n;
	for (size_t k = 0; k < n->hold.n; k++)
		for (int end = 0; end < 2; end++) {
			const int64_t when = end ? n->hold.v[k].end : n->hold.v[k].start;

			if (when <= after)
				continue;
			if (FSI_VEC_RESERVE(&t->change_times))
				t->out_of_memory = true;
			else
				t->change_times.v[t->change_times.n++] = when;
		}
}

void fsi_timeline_list_changes(struct fsi_timeline *t, const struct fsi_timeline_node *n, int64_t after)
{
	const uint32_t from = n ? (uint32_t)(n - t->node) : 0, to = n ? from + 1 : t->n;

	t->change_times.n = 0;
	for (uint32_t i = from; i < to; i++)
		append_node_changes(t, &t->node[i], after);
	t->change_times.n = sort_unique_times(t->change_times.v, t->change_times.n);
}

/* Returns true if Maui treats a change at time `when` as a loss of capacity for the request
 * (src/MJob.c:MJobGetSNRange). There are two cases:
 *   - A job, or a reservation that does not admit the request's job, begins at `when`.
 *   - A reservation that admits the job begins before `when`, and ends at `when` or later. Maui splits
 *     such a reservation wherever a job or another reservation inside it ends. */
static bool takes_capacity_at(const struct fsi_timeline_node *n, const struct fsi_timeline_request *w, int64_t when)
{
	for (size_t k = 0; k < n->hold.n; k++) {
		const struct fsi_timeline_hold *h = &n->hold.v[k];

		if (fsi_timeline_hold_admits(h, w) ? h->start < when && h->end >= when : h->start == when)
			return true;
	}
	return false;
}

/* Returns true if a new range begins when the number of tasks that fit changes from `had` to `has`. `asked`: number of
 * tasks of the request. `taken_away`: true if Maui treats the change as a loss of capacity (takes_capacity_at). If
 * `had` or `has` is less than `asked`, every change begins a new range. Otherwise a decrease begins a new range if
 * `taken_away` is true, and an increase if it is false. */
static bool begins_new_range(int64_t had, int64_t has, int64_t asked, bool taken_away)
{
	if (has == had)
		return false;
	return has < had ? taken_away || has < asked || had < asked : !taken_away || has < asked || had < asked;
}

int64_t fsi_timeline_free_span(struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w, int64_t at)
{
	const int64_t max = fsi_timeline_count_tasks(t, i, w, at), min = max < w->tasks ? max : w->tasks;
	const struct fsi_timeline_node *n = &t->node[i];
	int64_t count = max ? count_tasks_at(n, w, at) : 0;
	unsigned ranges = 1;

	if (!max)
		return 0;
	fsi_timeline_list_changes(t, n, at);
	for (size_t k = 0; k < t->change_times.n; k++) {
		const int64_t when = t->change_times.v[k], then = count_tasks_at(n, w, when), length = when - at;

		if (!begins_new_range(count, then, w->tasks, takes_capacity_at(n, w, when)))
			continue;
		if (then < min || (length >= w->limit_s && (ranges > 1 || then < count)))
			return length;
		count = then;
		ranges++;
	}
	return INT64_MAX;
}

void fsi_timeline_count_all_tasks(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
				  int64_t *task_capacity)
{
	for (uint32_t i = 0; i < t->n; i++)
		task_capacity[i] = fsi_timeline_count_tasks(t, i, w, at);
}

void fsi_timeline_add_hold(struct fsi_timeline *t, uint32_t node, const struct fsi_timeline_hold *h)
{
	struct fsi_timeline_node *n = &t->node[node];

	if (FSI_VEC_RESERVE(&n->hold))
		t->out_of_memory = true;
	else
		n->hold.v[n->hold.n++] = *h;
}

void fsi_timeline_hold_chosen(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t start, int64_t end)
{
	for (uint32_t k = 0; k < t->nchosen; k++) {
		struct fsi_timeline_hold h = { .start = start, .end = end, .job = w->job, .user = w->exclusive_user };

		for (int r = 0; r < FSI_TIMELINE_RESOURCES; r++)
			h.amount[r] = w->whole_node || (w->takes_all_cpus && r == FSI_TIMELINE_CPU)
					      ? t->node[t->chosen[k].node].total[r]
					      : w->task_amount[r] * t->chosen[k].tasks;
		fsi_timeline_add_hold(t, t->chosen[k].node, &h);
	}
}

void fsi_timeline_find_own_nodes(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t from,
				 bool *held)
{
	for (uint32_t i = 0; i < t->n; i++) {
		held[i] = false;
		for (size_t k = 0; k < t->node[i].hold.n && !held[i]; k++)
			held[i] =
				t->node[i].hold.v[k].job == w->job ||
				(t->node[i].hold.v[k].end > from && fsi_timeline_hold_admits(&t->node[i].hold.v[k], w));
	}
}

/* Removes the holds for which is_retained(hold, arg) returns false. */
static void filter_all_holds(struct fsi_timeline *t,
			     bool (*is_retained)(const struct fsi_timeline_hold *h, int64_t arg), int64_t arg)
{
	for (uint32_t i = 0; i < t->n; i++) {
		struct fsi_timeline_node *n = &t->node[i];
		size_t nleft = 0;

		for (size_t k = 0; k < n->hold.n; k++)
			if (is_retained(&n->hold.v[k], arg))
				n->hold.v[nleft++] = n->hold.v[k];
		n->hold.n = nleft;
	}
}

static bool is_not_of_job(const struct fsi_timeline_hold *h, int64_t job)
{
	return h->job != (uint32_t)job;
}

static bool ends_after_time(const struct fsi_timeline_hold *h, int64_t now)
{
	return h->end > now;
}

void fsi_timeline_drop_job(struct fsi_timeline *t, uint32_t job)
{
	filter_all_holds(t, is_not_of_job, job);
}

void fsi_timeline_drop_ended(struct fsi_timeline *t, int64_t now)
{
	filter_all_holds(t, ends_after_time, now);
}

int64_t fsi_timeline_next_change(const struct fsi_timeline *t, int64_t after)
{
	int64_t next = INT64_MAX;

	for (uint32_t i = 0; i < t->n; i++) {
		*t->work += 1 + t->node[i].hold.n;
		for (size_t k = 0; k < t->node[i].hold.n; k++) {
			const struct fsi_timeline_hold *h = &t->node[i].hold.v[k];

			if (h->start > after && h->start < next)
				next = h->start;
			if (h->end > after && h->end < next)
				next = h->end;
		}
	}
	return next;
}

/* ---- merging two lists of start ranges, as src/MRes.c:MRLMerge does
 *
 * If ranges of both lists overlap, the merged range has the sum of their tasks and the sum of their nodes. The end of a
 * range is exclusive. An instant is a range that ends when it begins. It is added to the range of the other list that
 * begins, ends or continues at that time. */

/* Appends a copy of the range `one` to r. Returns -1 if out of memory. */
static int append_range_copy(struct range_list *r, const struct time_range *one)
{
	if (FSI_VEC_RESERVE(&r->v))
		return -1;
	r->v.v[r->v.n++] = *one;
	return 0;
}

enum range_event { EVENT_NONE, EVENT_START, EVENT_END, EVENT_INSTANT };

/* One of the two lists of start ranges that are merged, and the current position in this list. */
struct merge_side {
	const struct time_range *v;
	size_t n, i;
	/* true: the next event of the list is the end of the start range v[i]; false: it is the beginning of that
	 * range */
	bool start_handled;
};

/* Returns the next event of the list, and sets *when to its time. At the end of the list, returns EVENT_NONE and does
 * not set *when. */
static enum range_event get_range_event(const struct merge_side *s, int64_t *when)
{
	if (s->i == s->n)
		return EVENT_NONE;
	*when = s->start_handled ? s->v[s->i].end : s->v[s->i].start;
	if (s->v[s->i].start == s->v[s->i].end)
		return EVENT_INSTANT;
	return s->start_handled ? EVENT_END : EVENT_START;
}

/* If the time of the list's next event is `at`, returns that event; otherwise EVENT_NONE. */
static enum range_event get_event_at(const struct merge_side *s, int64_t at)
{
	int64_t when = 0;
	const enum range_event e = get_range_event(s, &when);

	return e != EVENT_NONE && when == at ? e : EVENT_NONE;
}

struct range_merge {
	struct range_list out;
	/* `start`, `tasks`: start and number of tasks of the current merged range, whose end is not known yet; `tasks`
	 * is 0 if there is no such range */
	int64_t start, tasks;
	int64_t nodes;
	/* `a`: merged time ranges of the nodes handled so far; `b`: time ranges of the next node */
	struct merge_side a, b;
};

static int append_merged_range(struct range_merge *g, int64_t start, int64_t end, int64_t tasks, int64_t nodes)
{
	const struct time_range r = { start, end, tasks, (uint32_t)nodes };

	return append_range_copy(&g->out, &r);
}

static void open_side_range(struct range_merge *g, struct merge_side *s)
{
	g->tasks += s->v[s->i].tasks;
	g->nodes += s->v[s->i].nodes;
	s->start_handled = true;
}

static void close_side_range(struct range_merge *g, struct merge_side *s)
{
	g->tasks -= s->v[s->i].tasks;
	g->nodes -= s->v[s->i].nodes;
	s->start_handled = false;
	s->i++;
}

/* Ends the current merged range, if any, at time `at`, and appends it to g->out. The next merged range starts at `at`.
 * Returns -1 if out of memory. */
static int close_merged_range(struct range_merge *g, int64_t at)
{
	const int rc = g->tasks > 0 ? append_merged_range(g, g->start, at, g->tasks, g->nodes) : 0;

	g->start = at;
	return rc;
}

/* Merges the instant at time `at` in list `one` with a range, and appends the merged instant to g->out. The merged
 * instant has the sum of the tasks and nodes of the instant and of the range. The range is the range of list `other`
 * that begins at `at`. If no range of `other` begins at `at`, the range is the merged range before `at`. `added`: list
 * `one` is g->b, the list of the next node. Returns -1 if out of memory. */
static int merge_instant_at(struct range_merge *g, struct merge_side *one, struct merge_side *other, int64_t at,
			    bool added)
{
	const enum range_event e = get_event_at(other, at);
	const struct time_range *moment = &one->v[one->i], *with = NULL;
	int64_t tasks = g->tasks, nodes = g->nodes;
	int rc = 0;

	one->i++;
	if (e == EVENT_END) {
		rc = close_merged_range(g, at);
		close_side_range(g, other);
		if (get_event_at(other, at) != EVENT_NONE)
			with = &other->v[other->i];
	} else {
		/* reproduces a quirk of Maui's MRLMerge: if a range of list g->a starts and ends at this time, the
		 * current merged range does not end here but is dropped */
		if (added)
			rc = close_merged_range(g, at);
		if (e != EVENT_NONE)
			with = &other->v[other->i];
	}
	if (with) {
		tasks = with->tasks;
		nodes = with->nodes;
		if (with->start == with->end)
			other->i++;
	}
	if (with && with->start == with->end && !added)
		g->tasks = g->nodes = 0;
	g->start = at;
	return rc || append_merged_range(g, at, at, moment->tasks + tasks, moment->nodes + nodes) ? -1 : 0;
}

/* Handles the start ranges in the lists g->a and g->b that begin or end at time `at`. If a range both begins and ends
 * at this time, handles only this range. Otherwise, if any range ends at this time, handles only the ends. Otherwise
 * handles the ranges that begin at this time. Returns -1 if out of memory. */
static int merge_events_at(struct range_merge *g, int64_t at)
{
	const enum range_event a = get_event_at(&g->a, at), b = get_event_at(&g->b, at);

	if (a == EVENT_INSTANT)
		return merge_instant_at(g, &g->a, &g->b, at, false);
	if (b == EVENT_INSTANT)
		return merge_instant_at(g, &g->b, &g->a, at, true);
	if ((a == EVENT_END || b == EVENT_END || at > g->start) && close_merged_range(g, at))
		return -1;
	if (a == EVENT_END || b == EVENT_END) {
		if (a == EVENT_END)
			close_side_range(g, &g->a);
		if (b == EVENT_END)
			close_side_range(g, &g->b);
		return 0;
	}
	if (a == EVENT_START)
		open_side_range(g, &g->a);
	if (b == EVENT_START)
		open_side_range(g, &g->b);
	return 0;
}

/* Merges the ranges `s` of the next node into `all`, the merged ranges of the nodes handled so far. Returns -1 if out
 * of memory; `all` is then incomplete. */
static int merge_range_lists(struct range_list *all, const struct range_list *s)
{
	struct range_merge g = { .a = { .v = all->v.v, .n = all->v.n }, .b = { .v = s->v.v, .n = s->v.n } };
	int rc = 0;

	while (!rc && (g.a.i < g.a.n || g.b.i < g.b.n)) {
		int64_t a = INT64_MAX, b = INT64_MAX;

		get_range_event(&g.a, &a);
		get_range_event(&g.b, &b);
		rc = merge_events_at(&g, a < b ? a : b);
	}
	FSI_VEC_FREE(&all->v);
	*all = g.out;
	return rc;
}

/* ---- the start of a job's reservation in Maui, which is not always the first time at which the job fits
 *
 *   available  For each node, the ranges of time in which at least one task fits. Changes of the number of tasks divide
 *              the ranges (begins_new_range). A range that is too short for the job counts together with the ranges
 *              that directly follow or precede it (src/MJob.c:MJobGetSNRange).
 *   starts     For each available range, the start range: the times at which the job may start. The range is joined
 *              with the ranges that directly follow it, until the total length exceeds its own length plus the time
 *              limit. The latest start is the end of the joined ranges minus the time limit, but at most the end of
 *              the first range. The number of tasks is the lowest number in any joined range. A later decrease
 *              therefore also affects jobs that would have ended before the decrease (src/MRes.c:MRLSFromA).
 *   earliest   The first time at which the start ranges of all nodes together suffice for the request. Nodes are merged
 *              one after the other (MRLMerge). An instant is a start range that ends when it begins. An instant is
 *              added to a range of another node that ends at the same time, unless the instant's own node also has a
 *              range that ends then. When a node is added, an instant of an earlier node removes starts of the added
 *              node: the starts between the instant and the last time before it at which any range begins or ends.
 *              The reservation gets from each node the number of tasks of the node's range at the chosen time, even if
 *              fewer tasks fit later (MJobGetRange). */

static int append_open_range(struct range_list *r, int64_t start, int64_t tasks)
{
	const struct time_range range = { start, INT64_MAX, tasks, 1 };

	return append_range_copy(r, &range);
}

/* Ends the last range at time `when`. If the range is too short for the job and does not directly follow another range,
 * removes it. */
static void close_last_range(struct range_list *r, int64_t when, int64_t limit_s)
{
	const struct time_range *before = r->v.n > 1 ? get_last_range(r) - 1 : NULL;

	get_last_range(r)->end = when;
	if (when - get_last_range(r)->start < limit_s && !(before && before->end == get_last_range(r)->start))
		r->v.n--;
}

/* Returns the number of tasks of the request that fit on the node at time `at`; 0: fewer than w->tasks_multiple fit.
 * The result need not be a multiple of w->tasks_multiple. */
static int64_t count_usable_tasks(const struct fsi_timeline_node *n, const struct fsi_timeline_request *w, int64_t at)
{
	const int64_t task_capacity = count_tasks_at(n, w, at);

	return task_capacity < w->tasks_multiple ? 0 : task_capacity;
}

/* Sets r to the ranges of time, from `from` on, in which at least one task of the request fits on node i. Returns -1 if
 * out of memory. */
static int find_available_ranges(struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w, int64_t from,
				 struct range_list *r)
{
	const struct fsi_timeline_node *n = &t->node[i];
	const int64_t first = count_usable_tasks(n, w, from);
	bool is_open = first > 0, taken_away = true;

	r->v.n = 0;
	if (!n->up || (w->usable && !w->usable[i]))
		return 0;
	fsi_timeline_list_changes(t, n, from);
	if (is_open && append_open_range(r, from, first))
		return -1;
	for (size_t k = 0; k < t->change_times.n; k++) {
		const int64_t when = t->change_times.v[k], tasks = count_usable_tasks(n, w, when);

		taken_away = taken_away || takes_capacity_at(n, w, when);
		if (is_open && !tasks) {
			close_last_range(r, when, w->limit_s);
			is_open = false;
		} else if (is_open && begins_new_range(get_last_range(r)->tasks, tasks, w->tasks, taken_away)) {
			get_last_range(r)->end = when;
			if (append_open_range(r, when, tasks))
				return -1;
		} else if (!is_open && tasks) {
			if (append_open_range(r, when, tasks))
				return -1;
			is_open = true;
		}
		taken_away = false;
	}
	return 0;
}

/* Returns the total length in seconds of range `i` and all ranges that adjoin it on either side without a gap;
 * INT64_MAX: they have no end. */
static int64_t get_contiguous_length(const struct range_list *r, size_t i)
{
	size_t first = i, last = i;

	while (first && r->v.v[first - 1].end == r->v.v[first].start)
		first--;
	while (last + 1 < r->v.n && r->v.v[last].end == r->v.v[last + 1].start)
		last++;
	return r->v.v[last].end == INT64_MAX ? INT64_MAX : r->v.v[last].end - r->v.v[first].start;
}

/* Removes the time ranges that are too short for a job of limit_s seconds. Ranges that follow each other without a gap
 * count as one range. */
static void drop_short_ranges(struct range_list *r, int64_t limit_s)
{
	size_t nleft = 0;

	for (size_t i = 0; i < r->v.n; i++)
		if (get_contiguous_length(r, i) >= limit_s)
			r->v.v[nleft++] = r->v.v[i];
	r->v.n = nleft;
}

/* Returns the sum of `length` and the length of the range r, both in seconds. Returns INT64_MAX if `length` is
 * INT64_MAX or r has no end. */
static int64_t add_range_length(int64_t length, const struct time_range *r)
{
	return length == INT64_MAX || r->end == INT64_MAX ? INT64_MAX : length + (r->end - r->start);
}

/* Sets *out to the start range of the i-th time range: the times at which the job may start within it. out->end is the
 * latest start. Returns false if there is no such time. */
static bool get_range_starts(const struct range_list *r, size_t i, int64_t limit_s, struct time_range *out)
{
	const int64_t own_length = add_range_length(0, &r->v.v[i]);
	int64_t length = own_length;

	*out = r->v.v[i];
	for (size_t k = i + 1; k < r->v.n && r->v.v[k - 1].end == r->v.v[k].start; k++) {
		length = add_range_length(length, &r->v.v[k]);
		if (r->v.v[k].tasks < out->tasks)
			out->tasks = r->v.v[k].tasks;
		if (own_length == INT64_MAX || length > own_length + limit_s)
			break;
	}
	if (length < limit_s)
		return false;
	if (length != INT64_MAX && out->start + length - limit_s < out->end)
		out->end = out->start + length - limit_s;
	return true;
}

/* The ranges of possible start times on all nodes, in three orders: `all` by node index, `by_start` by start, `by_end`
 * by end. */
struct start_ranges {
	struct range_list all, by_start, by_end;
	/* indexed by node: number of ranges in `all` that belong to this node or to a node before it */
	FSI_VEC(size_t) node_end;
};

static void free_start_ranges(struct start_ranges *s)
{
	FSI_VEC_FREE(&s->all.v);
	FSI_VEC_FREE(&s->by_start.v);
	FSI_VEC_FREE(&s->by_end.v);
	FSI_VEC_FREE(&s->node_end);
}

static int compare_range_starts(const void *a, const void *b)
{
	const struct time_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int compare_range_ends(const void *a, const void *b)
{
	const struct time_range *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

static int copy_sorted_ranges(struct range_list *out, const struct range_list *r,
			      int (*cmp)(const void *a, const void *b))
{
	for (size_t i = 0; i < r->v.n; i++)
		if (append_range_copy(out, &r->v.v[i]))
			return -1;
	if (out->v.n)
		qsort(out->v.v, out->v.n, sizeof(*out->v.v), cmp);
	return 0;
}

/* Appends the ranges of possible start times on node i to s->all. `r` is scratch memory. Returns -1 if out of
 * memory. */
static int append_node_starts(struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w, int64_t from,
			      struct range_list *r, struct start_ranges *s)
{
	if (find_available_ranges(t, i, w, from, r) || FSI_VEC_RESERVE(&s->node_end))
		return -1;
	drop_short_ranges(r, w->limit_s);
	for (size_t k = 0; k < r->v.n; k++) {
		struct time_range starts;

		if (!get_range_starts(r, k, w->limit_s, &starts))
			continue;
		if (append_open_range(&s->all, starts.start, starts.tasks))
			return -1;
		get_last_range(&s->all)->end = starts.end;
	}
	s->node_end.v[s->node_end.n++] = s->all.v.n;
	return 0;
}

static int collect_start_ranges(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t from,
				struct start_ranges *s)
{
	struct range_list r = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < t->n && !rc; i++)
		rc = append_node_starts(t, i, w, from, &r, s);
	FSI_VEC_FREE(&r.v);
	return rc || copy_sorted_ranges(&s->by_start, &s->all, compare_range_starts) ||
			       copy_sorted_ranges(&s->by_end, &s->all, compare_range_ends)
		       ? -1
		       : 0;
}

/* Merges the start ranges of the nodes one by one, and returns the start of the first merged range with enough
 * tasks and nodes for the request. Returns INT64_MAX if there is none, -1 if out of memory. */
static int64_t find_first_merged(struct fsi_timeline *t, const struct start_ranges *s,
				 const struct fsi_timeline_request *w)
{
	struct range_list all = { 0 }, node = { 0 };
	int64_t start = INT64_MAX;
	int rc = 0;

	for (size_t i = 0, k = 0; i < s->node_end.n && !rc; i++) {
		node.v.n = 0;
		for (; k < s->node_end.v[i] && !rc; k++)
			rc = append_range_copy(&node, &s->all.v.v[k]);
		*t->work += all.v.n + node.v.n;
		if (!rc && node.v.n)
			rc = merge_range_lists(&all, &node);
	}
	for (size_t i = 0; i < all.v.n && start == INT64_MAX; i++)
		if (all.v.v[i].tasks >= w->tasks && all.v.v[i].nodes >= w->min_nodes)
			start = all.v.v[i].start;
	FSI_VEC_FREE(&all.v);
	FSI_VEC_FREE(&node.v);
	return rc ? -1 : start;
}

/* Returns true if any start range is an instant: a range whose end equals its start. */
static bool has_any_instant(const struct start_ranges *s)
{
	for (size_t i = 0; i < s->all.v.n; i++)
		if (s->all.v.v[i].start == s->all.v.v[i].end)
			return true;
	return false;
}

struct task_sum {
	int64_t tasks;
	uint32_t nodes;
};

static bool sum_covers_request(const struct task_sum *s, const struct fsi_timeline_request *w)
{
	return s->tasks >= w->tasks && s->nodes >= w->min_nodes;
}

/* Returns the first time at which the start ranges together have enough tasks and nodes for the request; INT64_MAX:
 * none. Faster than find_first_merged, but valid only if no range is an instant (has_any_instant). Goes through the
 * starts and ends of all ranges in order of time, and counts the available tasks and nodes. The end of a range is
 * exclusive. */
static int64_t find_first_counted(const struct start_ranges *s, const struct fsi_timeline_request *w)
{
	const struct time_range *start = s->by_start.v.v, *ends = s->by_end.v.v;
	struct task_sum sum = { 0 };
	size_t ended = 0;

	for (size_t i = 0; i < s->by_start.v.n;) {
		const int64_t at = start[i].start;

		for (; i < s->by_start.v.n && start[i].start == at; i++) {
			sum.tasks += start[i].tasks;
			sum.nodes++;
		}
		for (; ended < s->by_end.v.n && ends[ended].end <= at; ended++) {
			sum.tasks -= ends[ended].tasks;
			sum.nodes--;
		}
		if (sum_covers_request(&sum, w))
			return at;
	}
	return INT64_MAX;
}

int64_t fsi_timeline_find_earliest(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t from)
{
	struct start_ranges s = { 0 };
	int64_t start = -1;

	if (!collect_start_ranges(t, w, from, &s))
		start = has_any_instant(&s) ? find_first_merged(t, &s, w) : find_first_counted(&s, w);
	free_start_ranges(&s);
	t->out_of_memory |= start < 0;
	return start < 0 ? INT64_MAX : start;
}

void fsi_timeline_count_reservable(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
				   int64_t *task_capacity)
{
	struct range_list r = { 0 };

	for (uint32_t i = 0; i < t->n; i++) {
		struct time_range s;

		task_capacity[i] = 0;
		t->out_of_memory |= find_available_ranges(t, i, w, at, &r) != 0;
		drop_short_ranges(&r, w->limit_s);
		if (r.v.n && get_range_starts(&r, 0, w->limit_s, &s) && s.start <= at)
			task_capacity[i] = r.v.v[0].tasks;
	}
	FSI_VEC_FREE(&r.v);
}

/* ---- choosing the nodes for a request, and the number of tasks on each, as Maui does (src/MSched.c:MJobAllocMNL,
 * MJobDistributeTasks) */

/* Sort order: preferred nodes first; then nodes with a longer free span; then nodes with a higher index. */
static int compare_longest_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_timeline_criteria *by = ctx;

	if (by->preferred && by->preferred[a] != by->preferred[b])
		return by->preferred[a] ? -1 : 1;
	if (by->free_span && by->free_span[a] != by->free_span[b])
		return by->free_span[a] > by->free_span[b] ? -1 : 1;
	return (a < b) - (a > b);
}

/* Sort order: nodes by index, lowest first. Preferred nodes do not come first: Maui inverts its test for preferred
 * nodes in the policy FIRSTAVAILABLE, so the test has no effect. */
static int compare_lowest_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	(void)ctx;
	return (a > b) - (a < b);
}

static int compare_preferred_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_timeline_criteria *by = ctx;

	if (by->preferred && by->preferred[a] != by->preferred[b])
		return by->preferred[a] ? -1 : 1;
	return compare_lowest_first(x, y, NULL);
}

/* Fills t->node_order with all nodes in the given order. With FSI_ORDER_EQUALS, nodes are ordered by their index: Maui
 * sorts them with qsort, which is assumed to retain the order of equal nodes (MJobAllocatePriority,
 * MJobAllocateFastest). Returns -1 if out of memory. */
static int make_node_order(struct fsi_timeline *t, enum fsi_timeline_order order,
			   const struct fsi_timeline_criteria *by)
{
	const struct fsi_timeline_criteria plain = { .preferred = by->preferred };

	for (uint32_t i = 0; i < t->n; i++)
		t->node_order[i] = i;
	if (order == FSI_ORDER_FIRST)
		return fs_sort(t->node_order, t->n, sizeof(*t->node_order), compare_lowest_first, NULL);
	if (order == FSI_ORDER_EQUALS)
		return fs_sort(t->node_order, t->n, sizeof(*t->node_order), compare_preferred_first, &plain);
	return fs_sort(t->node_order, t->n, sizeof(*t->node_order), compare_longest_first,
		       order == FSI_ORDER_LAST ? by : &plain);
}

/* The number of tasks that fit on the nodes chosen so far, and the number of chosen nodes. */
struct choice_sum {
	int64_t tasks;
	uint32_t nodes;
};

static bool choice_covers_request(const struct choice_sum *f, const struct fsi_timeline_request *w)
{
	return f->tasks >= w->tasks && f->nodes >= w->min_nodes;
}

/* Appends candidate nodes with at most `max_mb` MB of memory (INT64_MAX: any amount) to t->chosen. Stops when the
 * chosen nodes are enough for the request's tasks and minimum number of nodes. taken[node]: the node is in t->chosen
 * already. */
static void add_nodes_by_memory(struct fsi_timeline *t, const struct fsi_timeline_request *w,
				const struct fsi_timeline_criteria *by, bool *taken, int64_t max_mb,
				struct choice_sum *f)
{
	for (uint32_t k = 0; k < t->n && !choice_covers_request(f, w); k++) {
		const uint32_t i = t->node_order[k];
		const bool left_out =
			(by->candidates && !by->candidates[i]) || t->node[i].total[FSI_TIMELINE_MEM] > max_mb;

		if (left_out || taken[i] || by->free_tasks[i] <= 0 || by->free_tasks[i] < w->tasks_multiple)
			continue;
		taken[i] = true;
		t->chosen[f->nodes++] = (struct fsi_timeline_chosen){ i, by->free_tasks[i] };
		f->tasks += by->free_tasks[i] < w->tasks ? by->free_tasks[i] : w->tasks;
	}
}

/* Returns true if the first `nodes` chosen nodes can share the tasks evenly. Counts only nodes on which at least `each`
 * tasks fit. There must be at least w->min_nodes such nodes. On these nodes, `each` tasks per node must give at
 * least w->tasks tasks. In addition, at least `more` further tasks must fit on these nodes together. */
static bool can_share_evenly(const struct fsi_timeline *t, const struct fsi_timeline_request *w, uint32_t nodes,
			     int64_t each, int64_t more)
{
	int64_t enough = 0;

	for (uint32_t k = 0; k < nodes; k++)
		if (t->chosen[k].tasks >= each) {
			enough++;
			more -= t->chosen[k].tasks - each;
		}
	return more <= 0 && enough >= w->min_nodes && enough * each >= w->tasks;
}

/* Distributes the tasks over the first `nodes` entries of t->chosen. If the request asks for a number of nodes, and
 * can_share_evenly returns true, spreads the tasks evenly. Otherwise fills one node after the other, but leaves one
 * task for each further node that the request needs. */
static void distribute_node_tasks(struct fsi_timeline *t, const struct fsi_timeline_request *w, uint32_t nodes)
{
	const int64_t each = w->min_nodes ? w->tasks / w->min_nodes : 0;
	const bool balanced = w->min_nodes && can_share_evenly(t, w, nodes, each, w->tasks % w->min_nodes);
	int64_t remaining = w->tasks, surplus = w->min_nodes ? w->tasks % w->min_nodes : 0;

	t->nchosen = 0;
	for (uint32_t k = 0; k < nodes && remaining; k++) {
		int64_t tasks = t->chosen[k].tasks, most = remaining;

		if (balanced) {
			const int64_t extra = tasks - each < surplus ? tasks - each : surplus;

			most = each + (extra > 0 ? extra : 0);
			surplus -= extra > 0 ? extra : 0;
		} else if (w->min_nodes > k + 1) {
			most = remaining - (int64_t)(w->min_nodes - k - 1);
		}
		tasks = tasks < most ? tasks : most;
		if (w->tasks_multiple)
			tasks -= tasks % w->tasks_multiple;
		tasks = tasks < remaining ? tasks : remaining;
		if (tasks <= 0)
			break;
		t->chosen[t->nchosen++] = (struct fsi_timeline_chosen){ t->chosen[k].node, tasks };
		remaining -= tasks;
	}
}

bool fsi_timeline_choose_nodes(struct fsi_timeline *t, const struct fsi_timeline_request *w,
			       const struct fsi_timeline_criteria *by, enum fsi_timeline_order order)
{
	enum { MIN_MB = 64, MAX_MB = 8192 };
	bool *taken = calloc((size_t)t->n + 1, sizeof(*taken));
	const bool ordered = taken && !make_node_order(t, order, by);
	struct choice_sum f = { 0 };

	for (int64_t mb = MIN_MB; ordered && order == FSI_ORDER_MIN_MEMORY && mb < MAX_MB; mb *= 2)
		add_nodes_by_memory(t, w, by, taken, mb, &f);
	if (ordered)
		add_nodes_by_memory(t, w, by, taken, INT64_MAX, &f);
	free(taken);
	distribute_node_tasks(t, w, f.nodes);
	return ordered && choice_covers_request(&f, w) && t->nchosen;
}

/* ---- storing starts in the rows of the plan */

/* Stores the chosen nodes in the row, in the order in which they were chosen. Sets row->freed_by to the job that has
 * just freed a chosen node. If several jobs have freed nodes, uses the node that was chosen first. */
static void set_row_nodes(struct fs_plan *p, const struct fsi_timeline *t, struct fsi_plan_row *row,
			  const uint32_t *freed_by_end)
{
	row->node_name = fsi_arena_array(&p->arena, t->nchosen + 1, sizeof(*row->node_name));
	p->out_of_memory |= !row->node_name;
	row->nnodes = row->node_name ? t->nchosen : 0;
	for (uint32_t k = 0; k < row->nnodes; k++) {
		const uint32_t node = t->chosen[k].node;

		row->node_name[k] = p->m->node.v[t->node[node].row].name;
		if (row->freed_by == FSI_NO_INDEX)
			row->freed_by = freed_by_end[node];
	}
}

struct fsi_plan_row *fsi_timeline_record_start(struct fs_plan *p, const struct fsi_timeline *t,
					       const struct fsi_timeline_request *w, int64_t at,
					       const uint32_t *freed_by_end)
{
	struct fsi_plan_row *row = &p->row[p->row_of_job[w->job] - 1];
	const bool at_once = at == p->m->info.time;

	row->state = at_once ? FS_PLAN_NOW : FS_PLAN_LATER;
	row->start = row->last_start = at;
	row->limit_s = w->limit_s;
	row->array.planned_tasks = row->array.started_tasks = 1;
	set_row_nodes(p, t, row, freed_by_end);
	/* if no job has just freed a chosen node, the starting job has waited for jobs ahead of it */
	row->wait = at_once                      ? FS_PLAN_WAIT_NOTHING
		    : row->freed_by == FSI_NO_INDEX ? FS_PLAN_WAIT_AHEAD
						 : FS_PLAN_WAIT_CPUS;
	return row;
}
