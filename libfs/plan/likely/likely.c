#include "base/sort.h"
#include "plan/likely/likely.h"

#include "plan/limits/ledgers.h"
#include "plan/likely/past.h"
#include "plan/likely/sim.h"

#include <stdlib.h>

/* How many nodes may be asked for room, in all runs: about a second's work. */
static const uint64_t max_work = UINT64_C(20000000);
enum { MAX_TASKS = 64, MAX_TURNS = 16 };

struct likely {
	struct fs_plan *p;
	struct fsi_sim *sim;
	struct fsi_ledgers *ledgers;
	struct fsi_past *past;
	int64_t *end_of;    /* by job row */
	int64_t *start;	    /* of this run, by row of the plan */
	int64_t *starts;    /* by row of the plan: the starts of all drawn runs, RUNS each */
	uint32_t run;	    /* 0: the run of time limits; else one with drawn times */
};

/* ---- how long a job runs */

/* splitmix64 over the seed, the run and the job. */
static uint32_t draw(uint32_t run, uint64_t job)
{
	uint64_t z = FSI_LIKELY_SEED + run * UINT64_C(0x9e3779b97f4a7c15) + job * UINT64_C(0xbf58476d1ce4e5b9);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) >> 32);
}

static int64_t run_time(const struct likely *l, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			int64_t limit_s)
{
	return l->run ? fsi_past_run(l->past, j, partition, ran_s, limit_s, draw(l->run, j->id)) : limit_s;
}

static void fill_ends(struct likely *l)
{
	const struct fs_plan *p = l->p;

	for (size_t i = 0; i < p->c.m->job.n; i++)
		l->end_of[i] = fsi_plan_job_end(&p->c, &p->c.m->job.v[i]);
	for (size_t i = 0; i < p->c.end.n; i++) {
		const struct fsi_plan_end *e = &p->c.end.v[i];
		const struct fsi_job *j = &p->c.m->job.v[e->job];
		const int64_t ran = p->c.now - j->start_time;

		l->end_of[e->job] = e->when;
		if (FSI_HAS(j, JOB, start_time) && ran > 0)
			l->end_of[e->job] = j->start_time +
					    run_time(l, j, fsi_list_first(p->c.m, j->partitions), ran, e->when - j->start_time);
	}
}

/* ---- one job */

struct found {
	struct fsi_plan_request q;
	const struct fsi_queue_record *record;
	uint32_t magnet;    /* as in fsi_plan_place */
	uint32_t partition; /* name */
	int64_t start, run_s;
	struct fsi_plan_limit why;
};

/* Asks limits and nodes in turn, until both have room. */
static int find_start(struct likely *l, const struct fsi_queue_record *r, uint32_t magnet, int64_t from,
		      struct found *f)
{
	struct fs_plan *p = l->p;
	int64_t open = from;

	f->start = INT64_MAX;
	f->record = r;
	f->magnet = magnet;
	f->partition = r->partition_name;
	f->why = (struct fsi_plan_limit){ .frees = FSI_NO_INDEX };
	fsi_arena_release(&p->scratch);
	p->scratch = (struct fsi_arena){ 0 };
	if (fsi_plan_request(&f->q, &p->c, r->job, r->partition, &p->scratch) ||
	    (magnet && fsi_plan_in_reservation(&f->q, &p->c, magnet - 1, &p->scratch)))
		return -1;
	if (f->q.impossible)
		return 0;
	f->run_s = run_time(l, &p->c.m->job.v[r->job], r->partition_name, 0, f->q.limit_s);
	for (int i = 0; i < MAX_TURNS; i++) {
		if (fsi_ledgers_open(l->ledgers, r->job, f->partition, open, &open, &f->why))
			return -1;
		if (open == INT64_MAX)
			break;
		f->start = fsi_sim_find(l->sim, &f->q, open, f->run_s);
		if (f->start == open || f->start == INT64_MAX)
			break;
		open = f->start;
	}
	return 0;
}

static bool considered(const struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row)
{
	return r->partition != FSI_NO_INDEX &&
	       (r->eligible || r->tried || r->bar == FSI_BAR_LIMIT || row->state == FS_PLAN_BEGINS) &&
	       r->bar != FSI_BAR_NEVER && r->bar != FSI_BAR_SHUT && p->c.part[r->partition].n;
}

/* Finds the record of the job that starts first, also in the magnetic reservation in which it is planned; the nodes
 * found last are its. */
static int find_first(struct likely *l, const struct fsi_plan_row *row, int64_t from, struct found *best)
{
	const struct fs_queue *q = l->p->queue;
	uint32_t at = q->record_of[row->job], first = 0, tried = 0;
	struct found f;

	best->start = INT64_MAX;
	best->why = (struct fsi_plan_limit){ .frees = FSI_NO_INDEX };
	for (; at != FSI_NO_INDEX; at = q->record.v[at].next) {
		if (!considered(l->p, &q->record.v[at], row))
			continue;
		for (int k = 0; k < (row->magnet ? 2 : 1); k++) {
			if (find_start(l, &q->record.v[at], k ? row->magnet : 0, from, &f))
				return -1;
			tried++;
			if (f.start < best->start || !first) {
				*best = f;
				first = tried;
			}
		}
	}
	return first == tried || best->start == INT64_MAX ? 0
							  : find_start(l, best->record, best->magnet, from, best);
}

static bool takes_part(const struct fsi_plan_row *row)
{
	return row->state != FS_PLAN_NEVER && (row->state != FS_PLAN_BLOCKED || row->limited);
}

/* Places tasks of an array one after the other, as many at a time as its own throttle admits. */
static int place(struct likely *l, size_t i)
{
	struct fs_plan *p = l->p;
	struct fsi_plan_row *row = &p->row[i];
	int64_t from = row->state == FS_PLAN_BEGINS && row->start > p->c.now ? row->start : p->c.now, ends[MAX_TASKS];
	const uint64_t max = row->tasks < MAX_TASKS ? row->tasks : MAX_TASKS;
	struct found f;

	for (uint64_t k = 0; k < max && row->throttle; k++) {
		if (k >= row->throttle && ends[k - row->throttle] > from)
			from = ends[k - row->throttle];
		if (find_first(l, row, from, &f))
			return -1;
		if (!k)
			l->start[i] = f.start > p->c.m->info.time ? f.start : p->c.m->info.time;
		if (!k && !l->run)
			row->limit = f.why;
		if (f.start == INT64_MAX)
			break;
		ends[k] = f.start + f.run_s;
		if (fsi_sim_take(l->sim, &f.q, f.start, f.run_s) ||
		    fsi_ledgers_take(l->ledgers, row->job, f.partition, f.start, ends[k]))
			return -1;
	}
	return 0;
}

/* ---- runs */

/* 1 when it is too much work; -1 without memory. */
static int one_run(struct likely *l, uint32_t run)
{
	l->run = run;
	fill_ends(l);
	fsi_ledgers_begin(l->ledgers, l->end_of);
	if (fsi_sim_begin(l->sim, l->end_of))
		return -1;
	for (size_t i = 0; i < l->p->nrows; i++) {
		l->start[i] = INT64_MAX;
		if (takes_part(&l->p->row[i]) && place(l, i))
			return -1;
		if (fsi_sim_work(l->sim) > max_work)
			return 1;
	}
	return 0;
}

/* Keeps the limit where it puts off a start of the rules, or lets the job start at all. */
static void keep_limits(struct likely *l)
{
	for (size_t i = 0; i < l->p->nrows; i++) {
		struct fsi_plan_row *row = &l->p->row[i];
		const int64_t start = l->start[i] == INT64_MAX ? FS_UNKNOWN : l->start[i];

		if (row->state != FS_PLAN_BLOCKED && start != FS_UNKNOWN && row->start != FS_UNKNOWN &&
		    start <= row->start)
			row->limit.name = NULL;
		if (row->limit.name)
			row->limit_start = start;
		row->likely = start;
	}
}

/* Counts the jobs whose run time is drawn from records, and the most records that tell one. */
static void count_past(struct likely *l)
{
	struct fs_plan_runs *r = &l->p->runs;
	const fs_snapshot *m = l->p->c.m;

	*r = (struct fs_plan_runs){ .seed = FSI_LIKELY_SEED };
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const bool runs = j->state == FSI_STATE_RUNNING, waits = l->p->row_of[i] != 0;
		const int64_t ran = runs && FSI_HAS(j, JOB, start_time) ? l->p->c.now - j->start_time : 0,
			      limit = FSI_HAS(j, JOB, time_limit_s) ? j->time_limit_s : INT64_MAX;
		const uint32_t in = fsi_list_first(m, j->partitions);
		const size_t n = runs || waits ? fsi_past_records(l->past, j, in, ran, limit) : 0;

		r->jobs += runs || waits;
		r->drawn += n > 0;
		r->records = n > r->records ? (uint32_t)n : r->records;
	}
}

/* The range is that of the runs in which the job starts, of which the ends are left out; the start is the one in the
 * middle. */
static void keep_range(struct likely *l, size_t i, uint32_t runs)
{
	struct fsi_plan_row *row = &l->p->row[i];
	int64_t *v = &l->starts[i * FSI_LIKELY_RUNS];
	const uint32_t middle = (runs - 1) / 2, low = (runs - 1) / 10, high = (runs - 1) - low;

	qsort(v, runs, sizeof(*v), fsi_rising_i64);
	row->likely = v[middle] == INT64_MAX ? FS_UNKNOWN : v[middle];
	row->likely_low = v[low] == INT64_MAX ? FS_UNKNOWN : v[low];
	row->likely_high = v[high] == INT64_MAX ? FS_UNKNOWN : v[high];
}

static int draw_runs(struct likely *l)
{
	uint32_t runs = 0;
	int rc = 0;

	for (uint32_t r = 1; !rc && r <= FSI_LIKELY_RUNS; r++) {
		rc = one_run(l, r);
		for (size_t i = 0; !rc && i < l->p->nrows; i++)
			l->starts[i * FSI_LIKELY_RUNS + runs] = l->start[i];
		runs += !rc;
	}
	if (rc < 0)
		return -1;
	if (runs < FSI_LIKELY_MIN_RUNS)
		return 0;
	l->p->runs.runs = runs;
	for (size_t i = 0; i < l->p->nrows; i++)
		keep_range(l, i, runs);
	return 0;
}

/* Is it too much work, if each job asks the nodes of its partition at least once? */
static bool too_much(const struct fs_plan *p)
{
	uint64_t work = 0;

	for (size_t i = 0; i < p->nrows && work <= max_work; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[p->queue->record_of[p->row[i].job]];

		if (takes_part(&p->row[i]) && considered(p, r, &p->row[i]))
			work += p->c.part[r->partition].n;
	}
	return work > max_work;
}

static int all_runs(struct likely *l)
{
	int rc;

	count_past(l);
	rc = too_much(l->p) ? 1 : one_run(l, 0);
	if (rc) {
		for (size_t i = 0; i < l->p->nrows; i++)
			l->p->row[i].limit.name = NULL;
		return rc < 0 ? -1 : 0;
	}
	keep_limits(l);
	l->p->runs.simulated = true;
	return l->p->runs.drawn ? draw_runs(l) : 0;
}

int fsi_plan_likely(struct fs_plan *p)
{
	struct likely l = { .p = p,
			    .sim = fsi_sim_new(p),
			    .ledgers = fsi_ledgers_new(p),
			    .past = fsi_past_new(p->c.m),
			    .end_of = malloc((p->c.m->job.n + 1) * sizeof(*l.end_of)),
			    .start = malloc((p->nrows + 1) * sizeof(*l.start)),
			    .starts = malloc((p->nrows * FSI_LIKELY_RUNS + 1) * sizeof(*l.starts)) };
	const int rc = l.sim && l.ledgers && l.past && l.end_of && l.start && l.starts ? all_runs(&l) : -1;

	fsi_sim_free(l.sim);
	fsi_ledgers_free(l.ledgers);
	fsi_past_free(l.past);
	free(l.end_of);
	free(l.start);
	free(l.starts);
	return rc;
}
