/* What a run of the plan starts with: a row for each pending job, and the counters of bf_max_job_*. */
#include "base/sort.h"
#include "plan/bits.h"
#include "plan/limits/nodes.h"
#include "plan/oversubscribe/steps.h"
#include "plan/scheduler.h"

#include "model/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* The array ids of running tasks, sorted; NULL without memory. */
static uint64_t *running_arrays(const fs_snapshot *m, size_t *n)
{
	uint64_t *v = calloc(m->job.n + 1, sizeof(*v));

	*n = 0;
	for (struct fsi_begun b = { 0 }; v && fsi_begun_next(m, &b);)
		if (m->job.v[b.row].array_job_id && m->job.v[b.row].state == FSI_STATE_RUNNING)
			v[(*n)++] = m->job.v[b.row].array_job_id;
	if (v && *n)
		qsort(v, *n, sizeof(*v), fsi_rising_u64);
	return v;
}

/* How many of the sorted ids are less than id. */
static size_t less_than(const uint64_t *v, size_t n, uint64_t id)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if (v[mid] < id)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* How many more tasks `1-9%2` lets run: those that run count. */
static uint64_t throttle_of(const struct fs_plan *p, const struct fsi_job *j)
{
	const char *percent = strchr(fsi_str(p->c.m, j->array_tasks), '%');
	const uint64_t id = j->array_job_id ? j->array_job_id : j->id;
	uint64_t max, busy;

	if (!percent)
		return UINT64_MAX;
	max = strtoull(percent + 1, NULL, 10);
	busy = less_than(p->running, p->nrunning, id + 1) - less_than(p->running, p->nrunning, id);
	return max > busy ? max - busy : 0;
}

/* The row of a waiting job begins with the first partition in whose line it stands. */
static void take_line(struct fs_plan *p, const struct fsi_queue_record *r)
{
	struct fsi_plan_row *row = &p->row[p->row_of[r->job] - 1];

	if (r->eligible && !row->eligible) {
		row->partition_name = r->partition_name;
		row->eligible = true;
	}
}

/* Without a start the controller tells a begin time that is to come (src/slurmctld/job_mgr.c: pack_job). */
static int64_t begins(const struct fs_plan *p, const struct fsi_job *j)
{
	if (!p->c.m->scheduler->plan->tells_begin || !FSI_HAS(j, JOB, eligible_time) || j->eligible_time <= p->c.now)
		return FS_UNKNOWN;
	return j->eligible_time;
}

static struct fsi_plan_row fresh_row(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	const int64_t begin = begins(p, &p->c.m->job.v[r->job]);

	return (struct fsi_plan_row){
		.job = r->job,
		.state = FS_PLAN_NO_START,
		.section = r->section,
		.eligible = r->eligible,
		.reason = fsi_queue_reason(r),
		.partition_name = r->partition_name,
		.start = FS_UNKNOWN,
		.last_start = FS_UNKNOWN,
		.shown = begin,
		.has_start = begin != FS_UNKNOWN,
		.limit_start = FS_UNKNOWN,
		.likely = FS_UNKNOWN,
		.likely_low = FS_UNKNOWN,
		.likely_high = FS_UNKNOWN,
		.limit_s = FS_UNKNOWN,
		.tasks = r->tasks,
		.throttle = throttle_of(p, &p->c.m->job.v[r->job]),
		.frees = FSI_NO_INDEX,
		.blocked_by = FSI_NO_INDEX,
	};
}

struct fsi_plan_row *fsi_plan_row_of(struct fs_plan *p, const struct fsi_queue_record *r)
{
	uint32_t *of = &p->row_of[r->job];

	if (!*of) {
		p->row[p->nrows] = fresh_row(p, r);
		*of = (uint32_t)++p->nrows;
	}
	return &p->row[*of - 1];
}

static void make_all(struct fs_plan *p)
{
	for (size_t i = 0; i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];

		if (p->row_of[r->job])
			take_line(p, r);
		else
			fsi_plan_row_of(p, r);
	}
}

int fsi_plan_make_rows(struct fs_plan *p)
{
	const bool in_turn = p->only == FSI_NO_INDEX && p->c.m->scheduler->plan->stepwise && !p->het.n;

	p->running = running_arrays(p->c.m, &p->nrunning);
	p->row_of = calloc(p->c.m->job.n + 1, sizeof(*p->row_of));
	p->row = calloc(p->queue->record.n + 1, sizeof(*p->row));
	if (!p->running || !p->row_of || !p->row)
		return -1;
	if (!in_turn)
		make_all(p);
	return 0;
}

int fsi_plan_reset_row(struct fs_plan *p, uint32_t job)
{
	bool first = true;

	free(p->running);
	p->running = running_arrays(p->c.m, &p->nrunning);
	for (size_t i = 0; p->running && i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];

		if (r->job != job)
			continue;
		if (first)
			p->row[p->row_of[job] - 1] = fresh_row(p, r);
		else
			take_line(p, r);
		first = false;
	}
	return p->running ? 0 : -1;
}

/* Jobs that the last cycle started count as the others that it looked at. Another cycle begins bf_interval after the
 * end of the one before it (_backfill_agent), so that those started within it are of the last. */
static int count_started(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;
	int rc = 0;

	for (struct fsi_begun b = { 0 }; rc >= 0 && fsi_begun_next(m, &b);) {
		const struct fsi_job *j = &m->job.v[b.row];
		size_t n;
		const uint32_t *part = fsi_list(m, j->partitions, &n);

		if (!fsi_plan_of_cycle(p, j))
			continue;
		rc = fsi_plan_count(&p->counts, m, &p->params, j, part[0], true);
		p->tested++;
	}
	return rc < 0 ? -1 : 0;
}

static int make_room(struct fs_plan *p)
{
	for (size_t i = 0; i < sizeof(p->set) / sizeof(*p->set); i++) {
		p->set[i] = fsi_arena_array(&p->c.arena, p->c.words, sizeof(**p->set));
		if (!p->set[i])
			return -1;
	}
	p->open = fsi_arena_array(&p->c.arena, (size_t)p->c.nnodes + 1, sizeof(*p->open));
	p->pushed = fsi_arena_array(&p->c.arena, p->c.m->job.n + 1, sizeof(*p->pushed));
	p->suspended = fsi_arena_array(&p->c.arena, p->c.m->job.n + 1, sizeof(*p->suspended));
	p->may[0] = fsi_arena_array(&p->c.arena, p->c.words, sizeof(**p->may));
	p->may[1] = fsi_arena_array(&p->c.arena, p->c.words, sizeof(**p->may));
	if (!p->open || !p->pushed || !p->suspended || !p->may[0] || !p->may[1])
		return -1;
	if (fsi_plan_choice_init(&p->found.choice, &p->c) || fsi_plan_choice_init(&p->other.choice, &p->c))
		return -1;
	p->found.choice.keeps_weights = p->mode == FS_PLAN_BACKFILL && !fs_slurm_has(p->compat, FS_SLURM_WEIGHS_ANEW);
	return fsi_plan_kinds_init(p) || fsi_plan_search_init(&p->sweep, &p->c) ? -1 : 0;
}

/* What runs holds its licences; with bf_licenses they are on the map until it ends, as are the nodes of jobs that have
 * them whole and are not preempted (_bf_reserve_running). */
static int reserve_running(struct fs_plan *p, const struct fsi_plan_end *e, uint64_t *nodes)
{
	const struct fsi_job *j = &p->c.m->job.v[e->job];
	const bool lic = fsi_job_rare(p->c.m, j)->licenses && fsi_licenses_of(&p->licenses, p->c.m, j),
		   whole = !p->queue->preempts &&
			   !strcmp(fsi_str(p->c.m, j->oversubscribe), "NO") &&
			   !fs_slurm_has(p->compat, FS_SLURM_RESERVES_LICENSES_ALONE);
	int64_t end;

	if (lic)
		fsi_licenses_take(&p->licenses);
	if (!p->params.running_reserve || (!lic && !whole))
		return 0;
	memset(nodes, 0, p->c.words * sizeof(*nodes));
	for (uint32_t k = 0; whole && k < e->n; k++)
		fsi_bit_set(nodes, e->node[k]);
	fsi_plan_slot(p, e->when, 0, &end);
	return fsi_map_take(&p->map, 0, end, nodes,
			    (struct fsi_map_want){ lic && p->map.lics.n ? p->licenses.want : NULL,
						   fsi_licenses_owner(p->c.m, j->reservation) });
}

/* With bf_licenses those of a reservation are kept for it from the beginning (_bf_reserve_resv_licenses). */
static int reserve_kept(struct fs_plan *p, uint32_t row)
{
	const struct fsi_reservation *r = &p->c.m->reservation.v[row];
	const bool flex = fsi_list_has(p->c.m, r->flags, "FLEX");
	const struct fsi_map_want kept = { p->licenses.want, fsi_licenses_owner(p->c.m, r->name) };
	const int64_t step = p->map.step_s;
	const int64_t start = FSI_HAS(r, RESERVATION, start_time) && !flex ? r->start_time : 0;
	int64_t end = FSI_HAS(r, RESERVATION, end_time) && !flex ? r->end_time : INT64_MAX - step;

	if (!kept.owner || end < p->map.v[0].begin)
		return 0;
	fsi_licenses_kept(&p->licenses, p->c.m, row);
	fsi_plan_slot(p, end, 0, &end);
	return fsi_map_keep(&p->map, start - start % step, end, kept);
}

static int make_map(struct fs_plan *p)
{
	const int64_t step = p->params.resolution_s, now = p->c.now, end = now + p->params.window_s;
	struct fsi_map_lics lics = { .n = p->params.licenses ? p->licenses.n : 0,
				     .owners = p->params.licenses ? fsi_licenses_owners(p->c.m) : 0,
				     .compared = fs_slurm_has(p->compat, FS_SLURM_KEPT_LICENSES_COMPARED) };
	int rc;

	for (uint32_t i = 0; i < lics.n; i++)
		p->licenses.want[i] = p->licenses.v[i].total;
	rc = fsi_map_init(&p->map, now - now % step, end - end % step, step, p->c.up, p->c.words,
			  &lics, p->licenses.want);
	for (uint32_t i = 0; !rc && lics.owners && i < p->c.m->reservation.n; i++)
		rc = reserve_kept(p, i);
	for (size_t i = 0; !rc && i < p->c.end.n; i++)
		rc = reserve_running(p, &p->c.end.v[i], p->set[2]);
	return rc;
}

/* The time of the last cycle before the capture, by what jobs say of it: starts that the scheduler tells are of that
 * time. */
static int64_t last_cycle(const fs_snapshot *m)
{
	const int64_t longest_s = 300;
	int64_t last = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (j->state == FSI_STATE_PENDING && FSI_HAS(j, JOB, last_sched_eval) &&
		    j->last_sched_eval <= m->info.time && j->last_sched_eval > last)
			last = j->last_sched_eval;
	}
	return last >= m->info.time - longest_s ? last : m->info.time;
}

int fsi_plan_setup(struct fs_plan *p)
{
	fsi_plan_params(p->c.m, p->compat, &p->params);
	p->c.now = p->mode == FS_PLAN_BACKFILL ? last_cycle(p->c.m) : p->c.m->info.time;
	p->c.compat = p->compat;
	if (fsi_plan_cluster_init(&p->c, p->c.m) || fsi_plan_place(&p->c) || make_room(p) || fsi_plan_steps_init(p) ||
	    fsi_licenses_init(&p->licenses, p->c.m, &p->c.arena) || make_map(p) ||
	    fsi_plan_counts_init(&p->counts, p->c.m) || fsi_plan_het_init(p) || fsi_plan_make_rows(p))
		return -1;
	if (p->mode == FS_PLAN_BACKFILL && (count_started(p) || fsi_plan_started_init(p)))
		return -1;
	p->c.serial_at_end = p->params.serial_at_end;
	p->c.tree_by_cpus = fs_slurm_has(p->compat, FS_SLURM_TREE_COUNTS_CPUS);
	p->c.tree_by_left = fs_slurm_has(p->compat, FS_SLURM_TREE_COUNTS_LEFT);
	p->c.leaves_out_singly = fs_slurm_has(p->compat, FS_SLURM_LEAVES_OUT_SINGLY);
	p->c.tasks_bound_gres = fs_slurm_has(p->compat, FS_SLURM_TASKS_BOUND_GRES);
	p->c.first_of_one = fs_slurm_has(p->compat, FS_SLURM_FIRST_OF_ONE);
	p->users_own = fsi_plan_users_own(p);
	p->limits_by_node = fsi_plan_limits_nodes(p->c.m);
	return 0;
}
