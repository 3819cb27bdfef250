/* The state that the loops of a plan of Flux change: lines of jobs, and who holds which cores from when to when. */
#include "plan/flux/flux.h"

#include "plan/timeline/line_start.h"
#include "base/hostlist.h"
#include "model/flux/flux.h"

#include <stdlib.h>
#include <string.h>

/* Far behind any time that a job ends at; for jobs without a limit, and nodes that are gone. */
static const int64_t for_ever_s = INT64_C(1) << 40;

/* ---- requests */

bool fsi_flux_want(struct fsi_flux_run *r, uint32_t job, struct fsi_line_want *w)
{
	const fs_snapshot *m = r->p->c.m;
	const struct fsi_job *j = &m->job.v[job];
	const struct fsi_flux_request q = fsi_flux_request(m, j);

	*w = (struct fsi_line_want){ .job = job, .tasks = q.slots, .nodes = q.nodes, .whole = q.whole,
				     .alone = r->rules.whole_nodes, .may = r->may };
	w->task[FSI_LINE_CPU] = q.cores;
	w->task[FSI_LINE_GPU] = q.gpus;
	w->limit_s = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) ? j->time_limit_s : for_ever_s;
	if (w->limit_s < 1)
		w->limit_s = 1;
	for (uint32_t i = 0; i < r->line.n; i++)
		r->may[i] = fsi_flux_may_use(m, j, &m->node.v[r->line.node[i].row]);
	return q.slots > 0;
}

struct frees {
	const struct fsi_flux_free *free;
};

/* Nodes with as much free keep their order (Rv1Pool.py: _sort_candidates). */
static int most_free_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct fsi_flux_free *free = ((const struct frees *)ctx)->free;

	if (free[a].cores != free[b].cores)
		return free[a].cores > free[b].cores ? -1 : 1;
	if (free[a].gpus != free[b].gpus)
		return free[a].gpus > free[b].gpus ? -1 : 1;
	return (a > b) - (a < b);
}

static struct fsi_flux_free free_on(const struct fsi_timeline *t, uint32_t node, int64_t at)
{
	const struct fsi_line_want core = { .task = { [FSI_LINE_CPU] = 1 }, .limit_s = 1 };
	const struct fsi_line_want gpu = { .task = { [FSI_LINE_GPU] = 1 }, .limit_s = 1 };

	return (struct fsi_flux_free){ fsi_line_tasks(t, node, &core, at), fsi_line_tasks(t, node, &gpu, at) };
}

/* Where nodes are asked for each gives one slot; else each gives all that it has (Rv1Pool.py: _select_resources). */
static void take_pieces(struct fsi_flux_run *r, const struct fsi_line_want *w, int64_t at, int64_t *left)
{
	struct fsi_timeline *t = &r->line;

	for (uint32_t k = 0; k < t->n && *left > 0; k++) {
		int64_t here = fsi_line_tasks(t, r->order[k], w, at);

		here = w->nodes && here > 1 ? 1 : here;
		here = here > *left ? *left : here;
		if (here <= 0)
			continue;
		t->piece[t->npieces++] = (struct fsi_line_piece){ r->order[k], here };
		*left -= here;
	}
}

bool fsi_flux_choose(struct fsi_flux_run *r, const struct fsi_line_want *w, int64_t at)
{
	struct fsi_timeline *t = &r->line;
	const struct frees frees = { r->free };
	int64_t left = w->tasks;

	t->npieces = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		r->order[i] = r->rules.last_fit ? t->n - 1 - i : i;
		if (r->rules.worst_fit)
			r->free[i] = free_on(t, i, at);
	}
	if (r->rules.worst_fit && fs_sort(r->order, t->n, sizeof(*r->order), most_free_first, &frees))
		return false;
	take_pieces(r, w, at, &left);
	return left == 0;
}

/* Is there room for it, whatever nodes are chosen? */
static bool fits(const struct fsi_flux_run *r, const struct fsi_line_want *w, int64_t at)
{
	int64_t left = w->tasks;

	for (uint32_t i = 0; i < r->line.n && left > 0; i++) {
		const int64_t here = fsi_line_tasks(&r->line, i, w, at);

		left -= w->nodes && here > 1 ? 1 : here;
	}
	return left <= 0;
}

int64_t fsi_flux_earliest(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	if (fits(r, w, r->now))
		return r->now;
	if (fsi_line_changes(&r->line, NULL, r->now))
		return -1;
	for (size_t i = 0; i < r->line.ends.n && !fsi_line_too_long(&r->line); i++)
		if (r->line.ends.v[i] < r->now + for_ever_s / 2 && fits(r, w, r->line.ends.v[i]))
			return r->line.ends.v[i];
	return INT64_MAX;
}

/* ---- what runs */

struct placing {
	struct fsi_flux_run *r;
	const uint32_t *node_of; /* by name id: node index + 1 */
	const char *cores;	 /* cores of the nodes to come, "" if all have as many */
	uint32_t job, nodes;
	int64_t start, end, all, gpus;
	struct fsi_flux_request asked;
	bool whole, bad, failed;
};

/* GPUs of a job on a node where it has so many cores: as many as the slots there ask for, if cores by node are told. */
static int64_t gpus_beside(const struct placing *p, int64_t cores)
{
	if (!*p->cores || !p->asked.gpus)
		return (p->gpus + p->nodes - 1) / p->nodes;
	return cores / p->asked.cores * p->asked.gpus;
}

static int hold_node(void *ctx, const char *name, size_t len)
{
	struct placing *p = ctx;
	const uint32_t id = fsi_name_find(p->r->p->c.m, name);
	const uint32_t node = id ? p->node_of[id] : 0;
	struct fsi_line_hold h = { .start = p->start, .end = p->end, .job = p->job };

	(void)len;
	h.amount[FSI_LINE_CPU] = *p->cores ? strtoll(p->cores, NULL, 10) : (p->all + p->nodes - 1) / p->nodes;
	h.amount[FSI_LINE_GPU] = gpus_beside(p, h.amount[FSI_LINE_CPU]);
	p->cores += strcspn(p->cores, ",");
	p->cores += *p->cores == ',';
	if (node && p->whole)
		memcpy(h.amount, p->r->line.node[node - 1].total, sizeof(h.amount));
	if (!node)
		p->bad = true;
	else if (fsi_line_hold(&p->r->line, node - 1, &h))
		p->failed = true;
	return p->failed ? -2 : 0;
}

static int place_one(struct fsi_flux_run *r, uint32_t job, const uint32_t *node_of)
{
	const fs_snapshot *m = r->p->c.m;
	const struct fsi_job *j = &m->job.v[job];
	struct placing p = { .r = r, .node_of = node_of, .job = job,
			     .cores = fsi_str(m, fsi_job_rare(m, j)->node_cores) };
	const int64_t n = fsi_hostlist_count(fsi_str(m, j->node_list), FSI_MAX_HOSTS);

	if (n <= 0) {
		r->p->c.unplaced++;
		return 0;
	}
	p.nodes = (uint32_t)n;
	p.all = j->cpus;
	p.whole = r->rules.whole_nodes || !strcmp(fsi_str(m, j->oversubscribe), "EXCLUSIVE");
	p.gpus = fsi_amount_of(m, j->tres_req, fsi_name_find(m, "gres/gpu"));
	p.asked = fsi_flux_request(m, j);
	p.start = j->start_time;
	p.end = FSI_HAS(j, JOB, end_time) ? j->end_time : r->now + for_ever_s;
	if (p.end <= r->now) /* a job past its limit is being ended */
		p.end = r->now + 1;
	fsi_hostlist_each(fsi_str(m, j->node_list), FSI_MAX_HOSTS, hold_node, &p);
	r->p->c.unplaced += p.bad;
	return p.failed ? -1 : 0;
}

static int place_running(struct fsi_flux_run *r)
{
	const fs_snapshot *m = r->p->c.m;
	uint32_t *node_of = calloc((size_t)m->names.count + 1, sizeof(*node_of));
	int rc = node_of ? 0 : -1;

	for (uint32_t i = 0; !rc && i < r->line.n; i++)
		node_of[m->node.v[r->line.node[i].row].name] = i + 1;
	for (uint32_t i = 0; i < m->job.n && !rc; i++)
		if (fs_job_runs(m, i))
			rc = place_one(r, i, node_of);
	free(node_of);
	return rc;
}

/* ---- the state */

int fsi_flux_run_init(struct fsi_flux_run *r)
{
	const fs_snapshot *m = r->p->c.m;
	const size_t nodes = m->node.n + 1;

	r->now = m->info.time;
	r->lines = calloc(r->p->queue->record.n + 1, sizeof(*r->lines));
	r->may = calloc(nodes, sizeof(*r->may));
	r->free = calloc(nodes, sizeof(*r->free));
	r->order = calloc(nodes, sizeof(*r->order));
	r->gave = malloc(nodes * sizeof(*r->gave));
	r->never = calloc(m->job.n + 1, sizeof(*r->never));
	r->ended_job = calloc(m->job.n + 1, sizeof(*r->ended_job));
	if (!r->lines || !r->may || !r->free || !r->order || !r->gave || !r->never || !r->ended_job ||
	    fsi_line_init(&r->line, m))
		return -1;
	for (size_t i = 0; i < nodes; i++)
		r->gave[i] = FSI_NO_INDEX;
	return place_running(r) || fsi_flux_make_lines(r) || fsi_flux_held_init(r) ? -1 : 0;
}

void fsi_flux_run_release(struct fsi_flux_run *r)
{
	for (size_t i = 0; r->lines && i < r->nlines; i++) {
		FSI_VEC_FREE(&r->lines[i].job);
		FSI_VEC_FREE(&r->lines[i].reserved);
	}
	fsi_line_release(&r->line);
	free(r->lines);
	free(r->may);
	free(r->free);
	free(r->order);
	free(r->gave);
	free(r->never);
	free(r->ended_job);
	fsi_flux_held_free(r->held);
}

/* ---- starts */

static int record_start(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	struct fsi_plan_row *row = fsi_line_start(r->p, &r->line, w, r->now, r->gave);

	if (!row)
		return -1;
	if (row->limit_s >= for_ever_s)
		row->limit_s = FS_UNKNOWN;
	return 0;
}

int fsi_flux_start(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	r->left--;
	if (fsi_line_take(&r->line, w, r->now, r->now + w->limit_s) || record_start(r, w))
		return -1;
	return fsi_flux_note_event(r, w->job, FSI_FLUX_STARTS);
}

int fsi_flux_refuse(struct fsi_flux_run *r, uint32_t job)
{
	r->left--;
	return fsi_flux_note_event(r, job, FSI_FLUX_REFUSED);
}

int fsi_flux_try(struct fsi_flux_run *r, const struct fsi_line_want *w)
{
	if (r->never[w->job])
		return fsi_flux_refuse(r, w->job) ? -1 : 1;
	if (!fsi_flux_choose(r, w, r->now))
		return 0;
	r->starts_most--;
	return fsi_flux_start(r, w) ? -1 : 1;
}
