/* Site: counts the pending jobs by cause, by limit and by unavailable nodes, and tries the removal of limits. */
#include "cause/cause.h"

#include "base/error.h"
#include "base/hostlist.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "scenario/edit.h"
#include "scenario/grammar.h"

#include <math.h>
#include <stdlib.h>

/* ---- parts of a cluster */

const char *fs_site_part_name(enum fs_site_part part)
{
	static const char *const names[] = { FS_SITE_PARTS(FSI_NAME) };

	return names[part];
}

static bool has_partition(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->partition.n; i++)
		if (m->partition.v[i].name == name)
			return true;
	return false;
}

static bool has_qos(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->qos.n; i++)
		if (m->qos.v[i].name == name)
			return true;
	return false;
}

static bool has_reservation(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->reservation.n; i++)
		if (m->reservation.v[i].name == name)
			return true;
	return false;
}

bool fs_site_has_part(const fs_snapshot *s, const char *viewer, enum fs_site_part part, const char *name)
{
	static const char *const hidden_by[] = {
		[FS_SITE_NODE] = "nodes", [FS_SITE_RESERVATION] = "reservations", [FS_SITE_PARTITION] = "partitions"
	};
	const uint32_t id = fsi_name_find(s, name);
	struct fsi_viewer v;

	fsi_viewer_init(&v, s, viewer);
	if (!id || (!v.sees_everything && part != FS_SITE_QOS && part != FS_SITE_ALL &&
		    fsi_config_list_has(s, "PrivateData", hidden_by[part])))
		return false;
	return part == FS_SITE_PARTITION ? has_partition(s, id)
	       : part == FS_SITE_QOS     ? has_qos(s, id)
	       : part == FS_SITE_NODE    ? fsi_node_find(s, id) != NULL
					 : part == FS_SITE_RESERVATION && has_reservation(s, id);
}

/* Returns true if a pending job asks for a partition with the node, or if another job runs on the node. */
static bool uses_node(const struct fs_site *x, uint32_t job_row)
{
	const char *name;
	struct fs_job j;

	fs_snapshot_job(x->m, job_row, &j);
	if (x->m->job.v[job_row].state != FSI_STATE_PENDING)
		return fsi_hostlist_has_name(j.node_list, x->name);
	for (size_t k = 0; (name = fs_job_partition(x->m, job_row, k)); k++)
		for (size_t i = 0; i < x->m->partition.n; i++)
			if (x->has_node[i] && !strcmp(fsi_name_text(x->m, x->m->partition.v[i].name), name))
				return true;
	return false;
}

/* Returns true if `item` returns the name of the part for some element of the job's list. */
static bool asks_for(const struct fs_site *x, uint32_t job_row,
		     const char *(*item)(const fs_snapshot *s, size_t i, size_t k))
{
	const char *name;

	for (size_t k = 0; (name = item(x->m, job_row, k)); k++)
		if (!strcmp(name, x->name))
			return true;
	return false;
}

static bool is_job_in_part(const struct fs_site *x, uint32_t job_row)
{
	switch (x->part) {
	case FS_SITE_PARTITION:
		return asks_for(x, job_row, fs_job_partition);
	case FS_SITE_QOS:
		return asks_for(x, job_row, fs_job_qos);
	case FS_SITE_NODE:
		return uses_node(x, job_row);
	case FS_SITE_RESERVATION:
		return x->m->job.v[job_row].reservation == fsi_name_find(x->m, x->name);
	default:
		return true;
	}
}

/* Returns true if the node is in the part. A QOS has no nodes. */
static bool is_node_in_part(const struct fs_site *x, const struct fsi_node *n)
{
	const char *name = fsi_name_text(x->m, n->name);

	if (x->part == FS_SITE_NODE)
		return !strcmp(name, x->name);
	for (size_t i = 0; x->part == FS_SITE_PARTITION && i < x->m->partition.n; i++)
		if (!strcmp(fsi_name_text(x->m, x->m->partition.v[i].name), x->name))
			return fsi_cause_is_node_in_partition(x->m, n, i);
	for (size_t i = 0; x->part == FS_SITE_RESERVATION && i < x->m->reservation.n; i++)
		if (!strcmp(fsi_name_text(x->m, x->m->reservation.v[i].name), x->name))
			return fsi_hostlist_has_name(fsi_name_text(x->m, x->m->reservation.v[i].nodes), name);
	return x->part == FS_SITE_ALL;
}

static int find_node_partitions(struct fs_site *x)
{
	const struct fsi_node *n = x->part == FS_SITE_NODE ? fsi_node_find(x->m, fsi_name_find(x->m, x->name)) : NULL;

	x->has_node = fsi_arena_array(&x->arena, x->m->partition.n + 1, sizeof(*x->has_node));
	if (!x->has_node)
		return fsi_fail_no_memory(x->err);
	for (size_t i = 0; n && i < x->m->partition.n; i++)
		x->has_node[i] = fsi_cause_is_node_in_partition(x->m, n, i);
	return 0;
}

/* ---- sums of jobs */

/* Returns nodes times time limit of a job or of one array task, hours; NAN: not known. */
static double get_node_hours(const struct fs_job *j)
{
	static const double hour = 3600;

	return j->request.nodes == FS_UNKNOWN || j->request.time_limit_s == FS_UNKNOWN ||
			       j->request.time_limit_s == FS_UNLIMITED
		       ? (double)NAN
		       : (double)j->request.nodes * (double)j->request.time_limit_s / hour;
}

static void add_to_sum(const fs_snapshot *m, uint32_t job_row, struct fs_site_sum *sum)
{
	struct fs_job j;
	bool exact = true;
	const uint64_t tasks = fs_job_tasks(m, job_row, &exact);
	double hours;

	fs_snapshot_job(m, job_row, &j);
	hours = get_node_hours(&j);
	sum->jobs += tasks;
	sum->node_hours += isnan(hours) ? 0 : hours * (double)tasks;
	sum->unmeasured += isnan(hours) ? tasks : 0;
	if (j.times.submit == FS_UNKNOWN || (sum->oldest_time != FS_UNKNOWN && sum->oldest_time <= j.times.submit))
		return;
	sum->oldest_time = j.times.submit;
	sum->oldest_row = job_row;
}

static const struct fs_site_sum no_jobs = { .oldest_time = FS_UNKNOWN, .oldest_row = FS_NO_ROW };

static int compare_sums(const struct fs_site_sum *a, const struct fs_site_sum *b)
{
	return (a->jobs < b->jobs) - (a->jobs > b->jobs);
}

/* ---- the cause of one job */

static bool starts_within_minute(const struct fs_site *x, int64_t start)
{
	return start != FS_UNKNOWN && start < x->m->info.time + FSI_CAUSE_MIN_GAIN_S;
}

/* Returns the kind of constraint that a job with a planned start waits for. */
static enum fs_cause_kind get_wait_kind(const struct fs_plan_row *r)
{
	switch (r->wait) {
	case FS_PLAN_WAIT_RESERVATION:
		return FS_CAUSE_RESERVATION;
	case FS_PLAN_WAIT_PLANNED:
	case FS_PLAN_WAIT_AHEAD:
		return FS_CAUSE_AHEAD;
	case FS_PLAN_WAIT_CPUS:
	case FS_PLAN_WAIT_MEMORY:
	case FS_PLAN_WAIT_GRES:
	case FS_PLAN_WAIT_NODES:
		return r->blocked_by ? FS_CAUSE_AHEAD : r->frees ? FS_CAUSE_RUNNING : FS_CAUSE_UNKNOWN;
	default:
		return FS_CAUSE_UNKNOWN;
	}
}

/* Returns the kind of constraint that the job's row in the plan shows. */
static enum fs_cause_kind get_plan_kind(const struct fs_site *x, const struct fs_verdict *v, uint32_t job_row)
{
	const size_t i = x->plan ? fs_plan_find(x->plan, job_row) : FS_NO_ROW;
	const bool gaps = fs_snapshot_hidden(x->m, "job") || v->cause == FS_VERDICT_CAUSE_JOBS ||
			  v->cause == FS_VERDICT_CAUSE_PRIORITIES;
	struct fs_plan_row r;

	if (i == FS_NO_ROW || !fs_plan_row(x->plan, i, &r))
		return FS_CAUSE_UNKNOWN;
	if (starts_within_minute(x, r.start_time))
		return gaps ? FS_CAUSE_UNKNOWN : FS_CAUSE_NONE;
	switch (r.state) {
	case FS_PLAN_BLOCKED:
		return r.section == FS_SECTION_ASSOC_LIMIT || r.section == FS_SECTION_QOS_LIMIT ? FS_CAUSE_LIMIT
												: FS_CAUSE_UNKNOWN;
	case FS_PLAN_NO_START:
		return r.window_s == FS_UNKNOWN ? FS_CAUSE_UNKNOWN : FS_CAUSE_NOT_REACHED;
	case FS_PLAN_NOT_REACHED:
		return FS_CAUSE_NOT_REACHED;
	default:
		return get_wait_kind(&r);
	}
}

static int compare_causes(const void *a, const void *b, const void *ctx)
{
	const struct fs_site_cause *x = a, *y = b;
	const int sums = compare_sums(&x->sum, &y->sum);

	(void)ctx;
	return sums ? sums : x->never != y->never ? (x->never ? -1 : 1) : (x->kind > y->kind) - (x->kind < y->kind);
}

static int count_cause(struct fs_site *x, bool never, enum fs_cause_kind kind, uint32_t job_row)
{
	struct fs_site_cause *c = NULL;

	for (size_t i = 0; i < x->cause.n && !c; i++)
		if (x->cause.v[i].never == never && (never || x->cause.v[i].kind == kind))
			c = &x->cause.v[i];
	if (!c) {
		c = FSI_VEC_ADD(&x->cause);
		if (!c)
			return fsi_fail_no_memory(x->err);
		*c = (struct fs_site_cause){ .never = never, .kind = kind, .sum = no_jobs };
	}
	add_to_sum(x->m, job_row, &c->sum);
	return 0;
}

/* ---- limits */

/* Returns true if both are the same limit, with the same counted jobs. */
static bool is_same_limit(const struct fs_explain_limit *a, const struct fs_explain_limit *b)
{
	return a->scope == b->scope && !strcmp(a->name, b->name) && !strcmp(a->tres, b->tres) &&
	       !strcmp(a->set_by, b->set_by) && !strcmp(a->counted_for, b->counted_for) &&
	       !strcmp(a->user ? a->user : "", b->user ? b->user : "");
}

/* Adds the limit, which blocks the job. */
static struct fs_site_cap *add_cap(struct fs_site *x, const struct fs_explain_limit *l, uint32_t job_row)
{
	struct fs_site_cap *c = FSI_VEC_ADD(&x->cap);
	struct fsi_command command = { .len = 0 };

	if (!c)
		return NULL;
	*c = (struct fs_site_cap){ .limit = *l, .sum = no_jobs };
	c->limit.holders = NULL;
	c->limit.nholders = 0;
	if (x->m->scheduler->commands)
		fsi_cause_write_removal(&command, x->m, &x->m->job.v[job_row], l);
	if (command.len && !(c->remove = fsi_arena_strndup(&x->arena, command.text, command.len)))
		return NULL;
	return c;
}

static int count_cap(struct fs_site *x, const struct fs_explain_limit *l, uint32_t job_row)
{
	struct fs_site_cap *c = NULL;

	for (size_t i = 0; i < x->cap.n && !c; i++)
		if (is_same_limit(&x->cap.v[i].limit, l))
			c = &x->cap.v[i];
	if (!c)
		c = add_cap(x, l, job_row);
	if (!c)
		return fsi_fail_no_memory(x->err);
	add_to_sum(x->m, job_row, &c->sum);
	return 0;
}

static int compare_caps(const void *a, const void *b, const void *ctx)
{
	const struct fs_site_cap *x = a, *y = b;
	const int sums = compare_sums(&x->sum, &y->sum), names = strcmp(x->limit.name, y->limit.name),
		  of = strcmp(x->limit.set_by, y->limit.set_by), tres = strcmp(x->limit.tres, y->limit.tres);

	(void)ctx;
	return sums ? sums : of ? of : names ? names : tres ? tres : strcmp(x->limit.counted_for, y->limit.counted_for);
}

/* Returns true if start `a` is at least a minute before start `b`. An unknown start is later than any other. */
static bool is_earlier(int64_t a, int64_t b)
{
	return a != FS_UNKNOWN && (b == FS_UNKNOWN || a <= b - FSI_CAUSE_MIN_GAIN_S);
}

/* Sets the members `starting`, `earlier` and `later` of the limit: compares the plan without the limit with
 * the present plan. */
static void compare_plans(struct fs_site *x, const fs_plan *without, const fs_snapshot *copy, struct fs_site_cap *c)
{
	struct fs_plan_row r;

	c->tried = true;
	for (size_t i = 0; fs_plan_row(x->plan, i, &r); i++) {
		const int64_t start = fsi_cause_get_planned_start(without, copy, r.job);

		if (!r.visible)
			continue;
		c->starting += starts_within_minute(x, start) && !starts_within_minute(x, r.start_time);
		c->earlier += is_earlier(start, r.start_time);
		c->later += is_earlier(r.start_time, start);
	}
}

/* Removes the limit in a copy of the snapshot, and plans the copy. A command that the scheduler refuses is dropped. */
static int try_removal(struct fs_site *x, struct fs_site_cap *c)
{
	const struct fs_plan_options o = {
		.size = sizeof(o), .view = x->view, .starts_alone = true, .next_cycle = true
	};
	const struct fsi_cause_change change = { .command = { c->remove } };
	fs_snapshot *copy;
	fs_plan *p = NULL;
	int rc = fs_snapshot_copy(&copy, x->m, x->err);

	if (rc)
		return rc;
	rc = fsi_cause_apply_change(copy, &change);
	if (rc == FS_EUSAGE || rc == FS_ENODATA) {
		c->remove = NULL;
		rc = 0;
	} else {
		rc = rc ? fsi_fail_no_memory(x->err) : fs_plan_compute(&p, copy, &o, x->err);
	}
	if (p)
		compare_plans(x, p, copy, c);
	fs_plan_free(p);
	fs_snapshot_free(copy);
	return rc;
}

/* Copies the result from an earlier limit with the same command. Returns false if there is none. */
static bool copy_trial(const struct fs_site *x, struct fs_site_cap *c)
{
	for (const struct fs_site_cap *d = x->cap.v; d < c; d++)
		if (d->tried && !strcmp(d->remove, c->remove)) {
			c->tried = true;
			c->starting = d->starting;
			c->earlier = d->earlier;
			c->later = d->later;
			return true;
		}
	return false;
}

static int try_removals(struct fs_site *x, size_t max)
{
	int rc = 0;

	for (size_t i = 0; i < x->cap.n && !rc && x->plan; i++) {
		struct fs_site_cap *c = &x->cap.v[i];

		if (!c->remove || copy_trial(x, c) || !max)
			continue;
		max--;
		rc = try_removal(x, c);
	}
	return rc;
}

/* ---- users, and the next ends and starts, of a part */

static struct fs_site_user *find_user(struct fs_site *x, const struct fs_job *j)
{
	struct fs_site_user *u;

	for (size_t i = 0; i < x->user.n; i++)
		if (!strcmp(x->user.v[i].user, j->user) && !strcmp(x->user.v[i].account, j->account))
			return &x->user.v[i];
	u = FSI_VEC_ADD(&x->user);
	if (u)
		*u = (struct fs_site_user){ .user = j->user, .account = j->account };
	return u;
}

static bool add_event(struct fs_site *x, bool start, uint32_t job_row, int64_t time)
{
	struct fsi_site_event *e = start ? FSI_VEC_ADD(&x->start) : FSI_VEC_ADD(&x->end);

	if (e)
		*e = (struct fsi_site_event){ job_row, time };
	return e != NULL;
}

/* Counts a job for its user, and notes its planned start. */
static int count_user_job(struct fs_site *x, uint32_t job_row)
{
	const bool pending = x->m->job.v[job_row].state == FSI_STATE_PENDING;
	const size_t i = pending && x->plan ? fs_plan_find(x->plan, job_row) : FS_NO_ROW;
	struct fs_plan_row r = { .start_time = FS_UNKNOWN };
	struct fs_site_user *u;
	struct fs_job j;
	bool exact = true;

	fs_snapshot_job(x->m, job_row, &j);
	u = find_user(x, &j);
	if (!u)
		return fsi_fail_no_memory(x->err);
	if (i != FS_NO_ROW)
		fs_plan_row(x->plan, i, &r);
	if (pending) {
		u->waiting += fs_job_tasks(x->m, job_row, &exact);
	} else {
		u->running++;
		u->cpus += j.request.cpus == FS_UNKNOWN ? 0 : j.request.cpus;
	}
	if ((pending && r.start_time == FS_UNKNOWN) ||
	    add_event(x, pending, job_row, pending ? r.start_time : j.times.end))
		return 0;
	return fsi_fail_no_memory(x->err);
}

static int compare_users(const void *a, const void *b, const void *ctx)
{
	const struct fs_site_user *x = a, *y = b;
	const int names = strcmp(x->user, y->user);

	(void)ctx;
	if (x->running != y->running)
		return x->running > y->running ? -1 : 1;
	if (x->waiting != y->waiting)
		return x->waiting > y->waiting ? -1 : 1;
	return names ? names : strcmp(x->account, y->account);
}

/* Sorts the earliest time first. An unknown time comes last. */
static int compare_events(const void *a, const void *b, const void *ctx)
{
	const struct fsi_site_event *x = a, *y = b;

	(void)ctx;
	if (x->time != y->time)
		return y->time == FS_UNKNOWN || (x->time != FS_UNKNOWN && x->time < y->time) ? -1 : 1;
	return (x->job_row > y->job_row) - (x->job_row < y->job_row);
}

/* ---- jobs */

/* Notes a job that waits for nodes that are down or drained. */
static void count_waiting(struct fs_site *x, const struct fs_verdict *v, uint32_t job_row)
{
	bool exact = true;

	for (size_t i = 0; i < x->m->partition.n; i++)
		if (!strcmp(fsi_name_text(x->m, x->m->partition.v[i].name), v->partition))
			x->waiting[i] += fs_job_tasks(x->m, job_row, &exact);
}

static int count_verdict(struct fs_site *x, const struct fs_verdict *v, uint32_t job_row)
{
	const bool never = v->kind == FS_VERDICT_NEVER;
	enum fs_cause_kind kind = fsi_cause_get_verdict_kind(v);
	uint32_t *row = never ? FSI_VEC_ADD(&x->never) : NULL;
	int rc;

	if (never && !row)
		return fsi_fail_no_memory(x->err);
	if (row)
		*row = job_row;
	if (kind == FS_CAUSE_UNKNOWN && v->kind != FS_VERDICT_UNKNOWN)
		kind = get_plan_kind(x, v, job_row);
	if (v->kind == FS_VERDICT_NODES && v->cause == FS_VERDICT_CAUSE_DOWN)
		count_waiting(x, v, job_row);
	add_to_sum(x->m, job_row, &x->sum);
	rc = count_cause(x, never, kind, job_row);
	return rc || v->kind != FS_VERDICT_LIMIT || !v->limit ? rc : count_cap(x, v->limit, job_row);
}

static int count_jobs(struct fs_site *x)
{
	int rc = 0;

	for (uint32_t i = 0; i < x->m->job.n && !rc; i++) {
		struct fs_verdict v;

		const bool pending = x->m->job.v[i].state == FSI_STATE_PENDING;

		if ((!pending && !(x->part && fs_job_is_running(x->m, i))) ||
		    !fsi_viewer_may_see_job(&x->viewer, &x->m->job.v[i]) || !is_job_in_part(x, i))
			continue;
		rc = x->part ? count_user_job(x, i) : 0;
		if (rc || !pending)
			continue;
		rc = fs_queue_verdict(fs_site_get_queue(x), i, &v);
		if (rc)
			return fsi_fail_no_memory(x->err);
		rc = count_verdict(x, &v, i);
		fs_verdict_release(&v);
	}
	return rc;
}

/* ---- nodes */

/* Returns true if the nodes have the same state and the same reason. */
static bool is_same_group(const fs_snapshot *m, const struct fsi_node *n, const struct fs_site_nodes *g)
{
	return !strcmp(fsi_name_text(m, n->state), g->state) && !strcmp(fsi_name_text(m, n->reason), g->reason);
}

/* Sets the names of the group's nodes, their number, and the number of jobs that wait for them. */
static int fill_node_group(struct fs_site *x, struct fs_site_nodes *g)
{
	const fs_snapshot *m = x->m;
	char list[FSI_COMMAND_TEXT];
	bool *counted = fsi_arena_array(&x->arena, m->partition.n + 1, sizeof(*counted));
	struct fsi_hostlist_fold f;

	if (!counted)
		return fsi_fail_no_memory(x->err);
	fsi_hostlist_fold_begin(&f, list, sizeof(list));
	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *n = &m->node.v[i];

		if (!is_same_group(m, n, g) || !is_node_in_part(x, n))
			continue;
		g->nodes++;
		fsi_hostlist_fold_add(&f, fsi_name_text(m, n->name));
		for (size_t k = 0; k < m->partition.n; k++)
			if (x->waiting[k] && !counted[k] && fsi_cause_is_node_in_partition(m, n, k)) {
				counted[k] = true;
				g->jobs += x->waiting[k];
			}
	}
	fsi_hostlist_fold_end(&f);
	g->names = fsi_arena_strndup(&x->arena, list, strlen(list));
	return g->names ? 0 : fsi_fail_no_memory(x->err);
}

static bool has_node_group(const struct fs_site *x, const struct fsi_node *n)
{
	for (size_t i = 0; i < x->nodes.n; i++)
		if (is_same_group(x->m, n, &x->nodes.v[i]))
			return true;
	return false;
}

static int compare_node_groups(const void *a, const void *b, const void *ctx)
{
	const struct fs_site_nodes *x = a, *y = b;

	(void)ctx;
	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	if (x->nodes != y->nodes)
		return x->nodes > y->nodes ? -1 : 1;
	return strcmp(x->names, y->names);
}

static int list_unavailable_nodes(struct fs_site *x)
{
	const fs_snapshot *m = x->m;
	int rc = 0;

	x->hides_nodes = !x->viewer.sees_everything && fsi_config_list_has(m, "PrivateData", "nodes");
	for (size_t i = 0; i < m->node.n && !rc && !x->hides_nodes; i++) {
		const struct fsi_node *n = &m->node.v[i];
		struct fs_site_nodes *g;

		if (!fsi_cause_is_node_unavailable(m, n) || !is_node_in_part(x, n) || has_node_group(x, n))
			continue;
		g = FSI_VEC_ADD(&x->nodes);
		if (!g)
			return fsi_fail_no_memory(x->err);
		*g = (struct fs_site_nodes){ .state = fsi_name_text(m, n->state),
					     .reason = fsi_name_text(m, n->reason) };
		rc = fill_node_group(x, g);
	}
	return rc;
}

/* ---- public functions */

/* Returns the message of an error without the name of the snapshot file at its beginning. */
static const char *skip_file_name(const fs_snapshot *m, const char *message)
{
	const size_t n = strlen(m->file);

	return n && !strncmp(message, m->file, n) && !strncmp(message + n, ": ", 2) ? message + n + 2 : message;
}

/* Computes the plan; without the data for a plan, the queue. */
static int compute_queue(struct fs_site *x)
{
	const struct fs_plan_options o = { .size = sizeof(o), .view = x->view, .next_cycle = true };
	const struct fs_queue_options q = { .size = sizeof(q), .view = x->view };
	struct fs_error missing;
	const char *why;
	const int rc = fs_plan_compute(&x->plan, x->m, &o, &missing);

	if (!rc)
		return 0;
	if (rc != FS_ENODATA)
		return fsi_fail_with_code(x->err, rc, "%s", missing.message);
	why = skip_file_name(x->m, missing.message);
	x->no_plan = fsi_arena_strndup(&x->arena, why, strlen(why));
	return x->no_plan ? fs_queue_compute(&x->own_queue, x->m, &q, x->err) : fsi_fail_no_memory(x->err);
}

static int sort_results(struct fs_site *x)
{
	return fs_sort(x->cause.v, x->cause.n, sizeof(*x->cause.v), compare_causes, NULL) ||
			       fs_sort(x->cap.v, x->cap.n, sizeof(*x->cap.v), compare_caps, NULL) ||
			       fs_sort(x->nodes.v, x->nodes.n, sizeof(*x->nodes.v), compare_node_groups, NULL) ||
			       fs_sort(x->user.v, x->user.n, sizeof(*x->user.v), compare_users, NULL) ||
			       fs_sort(x->end.v, x->end.n, sizeof(*x->end.v), compare_events, NULL) ||
			       fs_sort(x->start.v, x->start.n, sizeof(*x->start.v), compare_events, NULL)
		       ? fsi_fail_no_memory(x->err)
		       : 0;
}

static int compute_site(struct fs_site *x, size_t max_trials)
{
	int rc = compute_queue(x);

	x->waiting = fsi_arena_array(&x->arena, x->m->partition.n + 1, sizeof(*x->waiting));
	if (!rc && !x->waiting)
		rc = fsi_fail_no_memory(x->err);
	if (!rc)
		rc = find_node_partitions(x);
	if (!rc)
		rc = count_jobs(x);
	if (!rc)
		rc = list_unavailable_nodes(x);
	if (!rc)
		rc = sort_results(x);
	if (!rc)
		rc = try_removals(x, max_trials);
	return rc || x->part ? rc : fsi_site_check_settings(x, fs_site_get_queue(x));
}

int fs_site_compute(fs_site **out, const fs_snapshot *s, const struct fs_site_options *options, struct fs_error *err)
{
	struct fs_site_options own;
	const struct fs_site_options *o = FSI_OPTIONS(own, options);
	struct fs_site *x = calloc(1, sizeof(*x));
	int rc;

	if (!x)
		return fsi_fail_no_memory(err);
	*x = (struct fs_site){ .m = s, .view = o->view, .part = o->part, .name = o->name, .sum = no_jobs, .err = err };
	x->view.usage = NULL;
	fsi_viewer_init(&x->viewer, s, o->view.viewer);
	rc = compute_site(x, o->max_trials);
	if (rc)
		fs_site_free(x);
	else
		*out = x;
	return rc;
}

void fs_site_free(fs_site *x)
{
	if (!x)
		return;
	fs_plan_free(x->plan);
	fs_queue_free(x->own_queue);
	FSI_VEC_FREE(&x->cause);
	FSI_VEC_FREE(&x->never);
	FSI_VEC_FREE(&x->nodes);
	FSI_VEC_FREE(&x->cap);
	FSI_VEC_FREE(&x->setting);
	FSI_VEC_FREE(&x->user);
	FSI_VEC_FREE(&x->end);
	FSI_VEC_FREE(&x->start);
	fsi_arena_release(&x->arena);
	free(x);
}

const struct fs_site_sum *fs_site_get_sum(const fs_site *x)
{
	return &x->sum;
}

const char *fs_site_get_no_plan(const fs_site *x)
{
	return x->no_plan;
}

const struct fs_queue *fs_site_get_queue(const fs_site *x)
{
	return x->plan ? fs_plan_queue(x->plan) : x->own_queue;
}

bool fs_site_hides_nodes(const fs_site *x)
{
	return x->hides_nodes;
}

const struct fs_site_cause *fs_site_get_cause(const fs_site *x, size_t i)
{
	return i < x->cause.n ? &x->cause.v[i] : NULL;
}

const struct fs_site_nodes *fs_site_get_nodes(const fs_site *x, size_t i)
{
	return i < x->nodes.n ? &x->nodes.v[i] : NULL;
}

const struct fs_site_cap *fs_site_get_cap(const fs_site *x, size_t i)
{
	return i < x->cap.n ? &x->cap.v[i] : NULL;
}

const struct fs_site_setting *fs_site_get_setting(const fs_site *x, size_t i)
{
	return i < x->setting.n ? &x->setting.v[i] : NULL;
}

const struct fs_site_user *fs_site_get_user(const fs_site *x, size_t i)
{
	return i < x->user.n ? &x->user.v[i] : NULL;
}

uint32_t fs_site_get_running(const fs_site *x, size_t i, int64_t *time)
{
	if (i >= x->end.n)
		return FS_NO_ROW;
	*time = x->end.v[i].time;
	return x->end.v[i].job_row;
}

uint32_t fs_site_get_start(const fs_site *x, size_t i, int64_t *time)
{
	if (i >= x->start.n)
		return FS_NO_ROW;
	*time = x->start.v[i].time;
	return x->start.v[i].job_row;
}

uint32_t fs_site_get_never(const fs_site *x, size_t i)
{
	return i < x->never.n ? x->never.v[i] : FS_NO_ROW;
}
