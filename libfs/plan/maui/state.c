/* The state that the iterations of a plan of Maui change: who runs where, what is reserved, and what jobs ask for. */
#include "plan/maui/maui.h"

#include "plan/timeline/line_start.h"
#include "base/hostlist.h"
#include "queue/maui/limits.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_S = 8640000 };

/* ---- requests */

/* Marks the nodes of the partition looked at that suit the job. */
static void allowed_nodes(struct fsi_maui_run *x, const struct fsi_job *j)
{
	const fs_snapshot *m = &x->view;

	for (uint32_t i = 0; i < x->line.n; i++) {
		const struct fsi_node *node = &m->node.v[x->line.node[i].row];

		x->may[i] = fsi_maui_in_partition(x, node) && fsi_maui_suits(m, j, node);
	}
}

/* The gates of those of the first 64 reservations that admit the job. */
static uint64_t admitted(const fs_snapshot *m, const struct fsi_job *j)
{
	uint64_t gates = 0;

	for (size_t i = 0; i < m->reservation.n && i < 64; i++)
		if (fsi_maui_admits(m, &m->reservation.v[i], j))
			gates |= UINT64_C(1) << i;
	return gates;
}

struct fsi_line_want fsi_maui_want(struct fsi_maui_run *x, uint32_t job)
{
	static const char *const names[FSI_LINE_RES] = { "cpu", "mem", "swap", "disk", "gres/gpu" };
	const fs_snapshot *m = &x->view;
	const struct fsi_job *j = &m->job.v[job];
	struct fsi_line_want w = { .job = job, .may = x->may, .nodes = j->nodes, .admitted = admitted(m, j) };

	w.tasks = fsi_maui_tasks(j);
	w.per_node = fsi_maui_per_node(m, j);
	w.limit_s = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) ? j->time_limit_s : LONGEST_S;
	if (w.limit_s < 1)
		w.limit_s = 1;
	w.alone = x->rules.access == FSI_ACCESS_SINGLEJOB || x->rules.access == FSI_ACCESS_SINGLETASK;
	w.user = x->rules.access == FSI_ACCESS_SINGLEUSER ? j->user : 0;
	for (int r = 0; r < FSI_LINE_RES; r++)
		w.task[r] = fsi_maui_per_task(m, j, names[r]);
	allowed_nodes(x, j);
	return w;
}

/* ---- what runs */

struct nodes_of {
	struct fsi_maui_run *x;
	const uint32_t *node_of; /* by name id: node index + 1 */
	int64_t placed;
	bool bad;
};

static int take_node(void *ctx, const char *name, size_t len)
{
	struct nodes_of *o = ctx;
	struct fsi_timeline *t = &o->x->line;
	const uint32_t id = fsi_name_find(&o->x->view, name);
	const uint32_t node = id ? o->node_of[id] : 0;
	uint32_t k = 0;

	(void)len;
	while (k < t->npieces && t->piece[k].node + 1 != node)
		k++;
	if (!node || k >= t->n) {
		o->bad = true;
		return 0;
	}
	if (k == t->npieces)
		t->piece[t->npieces++] = (struct fsi_line_piece){ .node = node - 1 };
	t->piece[k].tasks++;
	o->placed++;
	return 0;
}

/* Places tasks where they are known to be: the list has a name for each. */
static bool known_place(struct fsi_maui_run *x, const char *list, const uint32_t *node_of, int64_t tasks)
{
	enum { MAX_TASKS = 1 << 20 };
	struct nodes_of o = { .x = x, .node_of = node_of };

	x->line.npieces = 0;
	if (fsi_hostlist_each(list, MAX_TASKS, take_node, &o))
		return false;
	return !o.bad && o.placed == tasks;
}

/* How long the job runs: for its limit, or as the simulation says, which ends it at its limit like any other
 * (src/MLimit.c:MLimitEnforceAll). */
static int64_t run_s(const struct fsi_maui_run *x, const struct fsi_job *j, int64_t limit_s)
{
	const uint32_t told = fsi_job_rare(&x->view, j)->simulated_run_s;

	return x->rules.simulated && FSI_HAS(j, JOB, simulated_run_s) && told < limit_s ? told : limit_s;
}

/* When a running job will have ended: not before the next iteration. */
static int64_t end_of(const struct fsi_maui_run *x, const struct fsi_job *j, int64_t run_s)
{
	const int64_t end = j->start_time + run_s;

	return end > x->now ? end : x->now + x->rules.poll_s;
}

static int place_one(struct fsi_maui_run *x, uint32_t job, const uint32_t *node_of, bool known)
{
	struct fsi_job *j = &x->view.job.v[job];
	const struct fsi_line_want w = fsi_maui_want(x, job);
	const bool found = known_place(x, fsi_str(&x->view, j->node_list), node_of, w.tasks);

	if (found != known)
		return 0;
	j->end_time = end_of(x, j, run_s(x, j, w.limit_s));
	FSI_SET(j, JOB, end_time);
	if (!found) {
		x->p->c.unplaced++;
		fsi_line_room(&x->line, &w, x->now, x->room);
		fsi_line_choose(&x->line, &w, &(struct fsi_line_choice){ .room = x->room }, x->rules.order);
	}
	return fsi_line_take(&x->line, &w, j->start_time, end_of(x, j, w.limit_s));
}

/* Jobs whose nodes are known are placed first, then the others into what is left. */
static int place_running(struct fsi_maui_run *x, const uint32_t *node_of)
{
	int rc = 0;

	for (int known = 1; known >= 0 && !rc; known--)
		for (uint32_t i = 0; i < x->view.job.n && !rc; i++)
			if (fs_job_runs(&x->view, i) && FSI_HAS(&x->view.job.v[i], JOB, start_time) &&
			    x->view.job.v[i].end_time != x->now)
				rc = place_one(x, i, node_of, known);
	return rc;
}

/* Reservations that are kept stand where they are told to; where that is not told the first iteration finds a time. */
static int place_reserved(struct fsi_maui_run *x, const uint32_t *node_of)
{
	for (uint32_t i = 0; i < x->view.job.n; i++) {
		struct fsi_job *j = &x->view.job.v[i];
		const bool told = FSI_HAS(j, JOB, start_time) && FSI_HAS(j, JOB, sched_nodes);
		struct fsi_line_want w;

		if (j->state != FSI_STATE_PENDING || !fs_job_flag(&x->view, i, "RESERVED"))
			continue;
		x->reserved[i] = INT64_MAX;
		w = fsi_maui_want(x, i);
		if (!told || !known_place(x, fsi_str(&x->view, j->sched_nodes), node_of, w.tasks))
			continue;
		x->reserved[i] = j->start_time;
		x->reserved_in[i] = fsi_maui_partition_at(x, x->line.piece[0].node);
		if (fsi_line_take(&x->line, &w, j->start_time, j->start_time + w.limit_s))
			return -1;
	}
	return 0;
}

struct closing {
	struct fsi_maui_run *x;
	const uint32_t *node_of;
	const struct fsi_reservation *r;
	uint32_t gate;
};

static int close_node(void *ctx, const char *name, size_t len)
{
	const struct closing *c = ctx;
	const uint32_t id = fsi_name_find(&c->x->view, name);
	const uint32_t node = id ? c->node_of[id] : 0;
	struct fsi_line_hold h = { .start = c->r->start_time, .end = c->r->end_time, .job = FSI_NO_INDEX,
				   .gate = c->gate };

	(void)len;
	if (!node)
		return 0;
	memcpy(h.amount, c->x->line.node[node - 1].total, sizeof(h.amount));
	return fsi_line_hold(&c->x->line, node - 1, &h) ? -2 : 0;
}

static int place_reservations(struct fsi_maui_run *x, const uint32_t *node_of)
{
	for (size_t i = 0; i < x->view.reservation.n; i++) {
		struct closing c = { .x = x, .node_of = node_of, .r = &x->view.reservation.v[i],
				     .gate = (uint32_t)i + 1 };

		if (fsi_hostlist_each(fsi_str(&x->view, c.r->nodes), x->line.n, close_node, &c) == -2)
			return -1;
	}
	return 0;
}

static int place(struct fsi_maui_run *x)
{
	uint32_t *node_of = calloc((size_t)x->view.names.count + 1, sizeof(*node_of));
	int rc = node_of ? 0 : -1;

	for (uint32_t i = 0; !rc && i < x->line.n; i++)
		node_of[x->view.node.v[x->line.node[i].row].name] = i + 1;
	if (!rc)
		rc = place_running(x, node_of) || place_reserved(x, node_of) || place_reservations(x, node_of) ? -1 : 0;
	free(node_of);
	return rc;
}

/* ---- all of the state */

static void clear_reason(struct fsi_job *j)
{
	j->reason = 0;
	FSI_UNSET(j, JOB, reason);
}

/* That the list shows a job as blocked says nothing of later, where it is known what blocks it. */
static void explain_blocked(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->p->queue->record.v[i];
		const struct fs_reason *reason = fsi_queue_reason(r);

		if (reason && reason->section != FS_SECTION_HELD && strcmp(reason->name, "Blocked") != 0)
			clear_reason(&x->view.job.v[r->job]);
	}
}

static int own_tables(struct fsi_maui_run *x, const fs_snapshot *m)
{
	x->view = *m;
	x->view.begun.known = false;
	x->view.job.v = malloc((m->job.n + 1) * sizeof(*m->job.v));
	x->view.window.v = malloc((m->window.n + 1) * sizeof(*m->window.v));
	x->view.window.cap = m->window.n + 1;
	if (!x->view.job.v || !x->view.window.v)
		return -1;
	if (m->job.n)
		memcpy(x->view.job.v, m->job.v, m->job.n * sizeof(*m->job.v));
	if (m->window.n)
		memcpy(x->view.window.v, m->window.v, m->window.n * sizeof(*m->window.v));
	return 0;
}

static int standings(struct fsi_maui_run *x, const fs_snapshot *m)
{
	struct fsi_creds creds;

	if (fsi_creds_init(&creds, m))
		return -1;
	fsi_maui_buckets(m, x->bucket);
	for (size_t i = 0; i < m->job.n; i++) {
		const uint32_t qos = fsi_maui_qos(m, &m->job.v[i]), row = fsi_creds_find(&creds, FS_CRED_QOS, qos);
		const uint32_t flags = row == FSI_NO_INDEX ? 0 : m->credential.v[row].flags;

		x->standing[i].bucket = (uint8_t)fsi_maui_bucket_of(x->bucket, fsi_maui_qos_name(m, &m->job.v[i]));
		x->standing[i].no_backfill = fsi_list_has(m, flags, "NOBF");
		x->standing[i].reserves_ever = fsi_list_has(m, flags, "RESERVEALWAYS");
	}
	fsi_creds_release(&creds);
	return 0;
}

int fsi_maui_run_init(struct fsi_maui_run *x)
{
	const fs_snapshot *m = x->p->c.m;
	const size_t jobs = m->job.n + 1, nodes = m->node.n + 1;

	x->now = m->info.time;
	x->order = calloc(jobs, sizeof(*x->order));
	x->looked_at = calloc(jobs, sizeof(*x->looked_at));
	x->soft = calloc(jobs, sizeof(*x->soft));
	x->chosen = calloc(jobs, sizeof(*x->chosen));
	x->reserved = calloc(jobs, sizeof(*x->reserved));
	x->waited = calloc(jobs, sizeof(*x->waited));
	x->waits_anew = calloc(jobs, sizeof(*x->waits_anew));
	x->impossible = calloc(jobs, sizeof(*x->impossible));
	x->never = calloc(jobs, sizeof(*x->never));
	x->put_off = calloc(jobs, sizeof(*x->put_off));
	x->reserved_in = calloc(jobs, sizeof(*x->reserved_in));
	x->may = calloc(nodes, sizeof(*x->may));
	x->among = calloc(nodes, sizeof(*x->among));
	x->gave = calloc(nodes, sizeof(*x->gave));
	x->opened = calloc(nodes, sizeof(*x->opened));
	x->span = calloc(nodes, sizeof(*x->span));
	x->room = calloc(nodes, sizeof(*x->room));
	x->own = calloc(nodes, sizeof(*x->own));
	x->standing = calloc(jobs, sizeof(*x->standing));
	if (own_tables(x, m) || !x->order || !x->soft || !x->chosen || !x->reserved || !x->waited || !x->waits_anew ||
	    !x->never || !x->put_off || !x->may || !x->among || !x->gave || !x->span || !x->room || !x->own ||
	    !x->standing || !x->opened || !x->looked_at || !x->impossible || !x->reserved_in || standings(x, m) ||
	    fsi_maui_find_partitions(x, m) ||
	    fsi_line_init(&x->line, m))
		return -1;
	for (size_t i = 0; i < m->job.n; i++)
		x->reserved[i] = x->waited[i] = FS_UNKNOWN;
	for (size_t i = 0; i < nodes; i++)
		x->gave[i] = FSI_NO_INDEX;
	explain_blocked(x);
	if (place(x) || fsi_maui_memory_init(x))
		return -1;
	x->view.reserved = x->reserved;
	x->view.waited = x->waited;
	x->view.put_off = x->put_off;
	return 0;
}

void fsi_maui_run_release(struct fsi_maui_run *x)
{
	fs_queue_free(x->queue);
	fsi_line_release(&x->line);
	free(x->view.job.v);
	free(x->view.window.v);
	free(x->order);
	free(x->looked_at);
	free(x->soft);
	free(x->chosen);
	free(x->reserved);
	free(x->waited);
	free(x->waits_anew);
	free(x->impossible);
	free(x->never);
	free(x->put_off);
	free(x->part);
	free(x->entry);
	free(x->reserved_in);
	free(x->may);
	free(x->among);
	free(x->gave);
	free(x->opened);
	free(x->span);
	free(x->room);
	free(x->own);
	free(x->standing);
	free(x->free_mb);
}

/* ---- starts */

static bool just_opened(const struct fsi_maui_run *x)
{
	for (uint32_t k = 0; k < x->line.npieces; k++)
		if (x->opened[x->line.piece[k].node])
			return true;
	return false;
}

static int record_start(struct fsi_maui_run *x, const struct fsi_line_want *w)
{
	struct fsi_plan_row *row;

	if (x->p->c.m->job.v[w->job].state == FSI_STATE_FUTURE)
		return 0;
	x->left--;
	row = fsi_line_start(x->p, &x->line, w, x->now, x->gave);
	if (!row)
		return -1;
	if (row->state == FS_PLAN_LATER && just_opened(x))
		row->wait = FS_PLAN_WAIT_RESERVATION;
	return 0;
}

int fsi_maui_start(struct fsi_maui_run *x, const struct fsi_line_want *w)
{
	struct fsi_job *j = &x->view.job.v[w->job];

	j->state = FSI_STATE_RUNNING;
	j->start_time = x->now;
	j->end_time = x->now + run_s(x, j, w->limit_s);
	FSI_SET(j, JOB, start_time);
	FSI_SET(j, JOB, end_time);
	fsi_maui_limits_start(x->queue, w->job);
	fsi_maui_memory_starts(x, w);
	x->started++;
	return fsi_line_take(&x->line, w, x->now, x->now + w->limit_s) || record_start(x, w) ? -1 : 0;
}
