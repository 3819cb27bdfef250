#include "fairshare/narrow.h"

#include "model/find.h"
#include "usage/ledger.h"

#include <math.h>
#include <stdlib.h>

static const uint64_t never = UINT64_MAX;

/* ---- the controller's job list ---- */

struct task {
	uint64_t array, id; /* what is left of an array never ends */
	uint32_t row;
};

static int cmp_task(const void *x, const void *y)
{
	const struct task *a = x, *b = y;

	if (a->array != b->array)
		return a->array < b->array ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Finds the places of jobs in the controller's list. Jobs stand in the order of their ids but for arrays: a task
 * that is split off keeps the place of the array and gets a new id, and what is left goes to the end of the list
 * (src/slurmctld/job_mgr.c:job_array_split). */
static int find_places(struct fsi_moments *w)
{
	const fs_snapshot *m = w->m;
	struct task *task = malloc((m->job.n + 1) * sizeof(*task));
	size_t n = 0;

	if (!task)
		return -1;
	for (uint32_t k = 0; k < m->job.n; k++) {
		const struct fsi_job *job = &m->job.v[k];

		w->place[k] = job->id;
		if (FSI_HAS(job, JOB, array_job_id))
			task[n++] =
				(struct task){ job->array_job_id, job->id == job->array_job_id ? never : job->id, k };
	}
	if (n)
		qsort(task, n, sizeof(*task), cmp_task);
	for (size_t i = 0; i < n; i++) {
		const bool first = !i || task[i - 1].array != task[i].array;

		w->place[task[i].row] = first ? task[i].array : task[i - 1].id;
	}
	free(task);
	return 0;
}

static int cmp_place(const void *x, const void *y, const void *ctx)
{
	const uint64_t *place = ctx;
	const uint64_t a = place[*(const uint32_t *)x], b = place[*(const uint32_t *)y];

	return (a > b) - (a < b);
}

static int cmp_end(const void *x, const void *y, const void *ctx)
{
	const struct fsi_rate *v = ctx;
	const int64_t a = v[*(const uint32_t *)x].end, b = v[*(const uint32_t *)y].end;

	return (a > b) - (a < b);
}

int fsi_moments_init(struct fsi_moments *w, const fs_snapshot *m, const fs_usage *u, int64_t from,
		     struct fsi_arena *arena)
{
	const size_t rows = m->association.n + 1;
	size_t n;

	*w = (struct fsi_moments){ .m = m };
	if (fsi_rates_init(&w->rates, m, u, from, arena))
		return -1;
	n = w->rates.n + 1;
	w->place = fsi_arena_array(arena, m->job.n + 1, sizeof(*w->place));
	w->rated = fsi_arena_array(arena, n, sizeof(*w->rated));
	w->turn = fsi_arena_array(arena, rows, sizeof(*w->turn));
	w->asked = fsi_arena_array(arena, rows, sizeof(*w->asked));
	w->by_place = fsi_arena_array(arena, 2 * n, sizeof(*w->by_place));
	w->added = fsi_arena_array(arena, 4 * n, sizeof(*w->added));
	if (!w->place || !w->rated || !w->turn || !w->asked || !w->by_place || !w->added || find_places(w))
		return -1;
	w->by_end = w->by_place + n;
	w->late = w->added + n;
	w->added_after = w->late + n;
	w->late_after = w->added_after + n;
	for (uint32_t k = 0; k < w->rates.n; k++) {
		const uint64_t job = w->rates.v[k].job;

		w->rated[k] = job == FSI_RATE_OF_ROW ? never : w->place[fsi_job_row(m, job)];
		w->by_place[k] = w->by_end[k] = k;
	}
	return w->rates.n && (fs_sort(w->by_place, w->rates.n, sizeof(*w->by_place), cmp_place, w->rated) ||
			      fs_sort(w->by_end, w->rates.n, sizeof(*w->by_end), cmp_end, w->rates.v))
		       ? -1
		       : 0;
}

/* ---- when users are computed ---- */

/* A user whose shares are `parent` is computed for the sake of a job only where the daemon keeps factors. */
static bool computes_user(const fs_snapshot *m, const struct fsi_job *job, uint32_t row)
{
	return row != FSI_NO_INDEX && m->association.v[row].user && !(FSI_HAS(job, JOB, priority) && !job->priority) &&
	       !FSI_HAS(job, JOB, priority_set) &&
	       (!FSI_SPECIAL(&m->association.v[row], ASSOCIATION, shares) ||
		fs_slurm_has(m->info.version, FS_SLURM_DAEMON_FACTOR));
}

/* Did the run give the job a priority? */
static bool was_in_run(const struct fsi_job *job, int64_t run, bool running_too)
{
	const bool pending = job->state == FSI_STATE_PENDING || !FSI_HAS(job, JOB, start_time) || job->start_time > run;
	const bool over = !pending && job->state != FSI_STATE_RUNNING && job->state != FSI_STATE_SUSPENDED &&
			  FSI_HAS(job, JOB, end_time) && job->end_time <= run;

	if (!FSI_HAS(job, JOB, submit_time) || job->submit_time >= run)
		return false;
	return pending || (running_too && !over);
}

static void find_turns(struct fsi_moments *w, const struct fsi_moment_times *t)
{
	const fs_snapshot *m = w->m;
	const bool running_too = fsi_config_lists(m, "PriorityFlags", "CALCULATE_RUNNING");
	const bool weighted = fsi_config_int(m, "PriorityWeightFairShare", 0) > 0;

	for (uint32_t i = 0; i < m->association.n; i++) {
		w->turn[i] = never;
		w->asked[i] = t->asked;
	}
	for (uint32_t k = 0; weighted && k < m->job.n; k++) {
		const struct fsi_job *job = &m->job.v[k];
		const uint32_t row = fsi_job_assoc(m, job);

		if (!computes_user(m, job, row))
			continue;
		if (was_in_run(job, t->run, running_too)) {
			if (w->place[k] < w->turn[row])
				w->turn[row] = w->place[k];
		} else if (FSI_HAS(job, JOB, submit_time) && job->submit_time >= t->run &&
			   job->submit_time < w->asked[row]) {
			w->asked[row] = job->submit_time;
		}
	}
}

/* ---- what was not there yet ---- */

/* What the later run, which has decayed what was there, charged to the job after t->run, and what its end did. */
static long double charged_since(const struct fsi_moments *w, const struct fsi_rate *r,
				 const struct fsi_moment_times *t, double decay)
{
	const bool over = r->end != INT64_MAX, later = r->end > t->until;
	long double sum = later ? fsi_rate_charge(&w->rates, r, t->run, t->until) : 0;

	if (over && w->rates.decay.charges_job_end)
		sum += later ? fsi_rate_charge(&w->rates, r, t->until, r->end)
			     : decay * fsi_rate_charge(&w->rates, r, t->run, r->end);
	return sum;
}

static void find_charges(struct fsi_moments *w, const struct fsi_moment_times *t)
{
	const double decay = pow(w->rates.decay.f, (double)(t->until - t->run));
	const size_t n = w->rates.n;

	for (size_t k = 0; k < n; k++) {
		const struct fsi_rate *r = &w->rates.v[k];

		w->added[k] = r->end > t->run ? decay * fsi_rate_charge(&w->rates, r, t->before, t->run) : 0;
		w->late[k] = charged_since(w, r, t, decay);
	}
	w->added_after[n] = w->late_after[n] = 0;
	for (size_t i = n; i-- > 0;) {
		w->added_after[i] = w->added_after[i + 1] + w->added[w->by_place[i]];
		w->late_after[i] = w->late_after[i + 1] + w->late[w->by_end[i]];
	}
}

static long double added_behind(const struct fsi_moments *w, uint64_t place)
{
	size_t lo = 0, hi = w->rates.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (w->rated[w->by_place[mid]] <= place)
			lo = mid + 1;
		else
			hi = mid;
	}
	return w->added_after[lo];
}

static long double late_behind(const struct fsi_moments *w, int64_t time)
{
	size_t lo = 0, hi = w->rates.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (w->rates.v[w->by_end[mid]].end <= time)
			lo = mid + 1;
		else
			hi = mid;
	}
	return w->late_after[lo];
}

static long double missing_of_user(const struct fsi_moments *w, size_t k)
{
	const uint32_t row = w->rates.v[k].row;

	if (w->turn[row] != never)
		return w->late[k] + (w->rated[k] > w->turn[row] ? w->added[k] : 0);
	return w->rates.v[k].end > w->asked[row] ? w->late[k] : 0;
}

void fsi_moments_fill(struct fsi_moments *w, const struct fsi_moment_times *t, struct fsi_missing *out)
{
	const fs_snapshot *m = w->m;

	find_charges(w, t);
	find_turns(w, t);
	for (uint32_t i = 0; i < m->association.n; i++) {
		out[i].own = 0;
		out[i].root = w->added_after[0] + w->late_after[0];
		if (m->association.v[i].user)
			out[i].root = w->turn[i] != never ? w->late_after[0] + added_behind(w, w->turn[i])
							  : late_behind(w, w->asked[i]);
	}
	for (size_t k = 0; k < w->rates.n; k++)
		for (uint32_t i = w->rates.v[k].row; i != FSI_NO_INDEX; i = m->tree[i].parent)
			out[i].own += m->association.v[i].user ? missing_of_user(w, k) : w->added[k] + w->late[k];
}

struct fsi_moment_times fsi_moment_times(const fs_snapshot *m, const fs_usage *u)
{
	struct fsi_moment_times t = { m->info.priority_time, m->info.priority_time_before, m->info.shares_time, 0 };

	if (u)
		t.asked = u->decay.at;
	if (u && u->decay.last != t.run) {
		t.run = u->decay.last;
		fsi_decay_run_before(&u->decay, t.run - 1, &t.before);
	}
	t.until = t.run;
	return t;
}

/* Captured digits may leave less than what the jobs added, or a little of nothing. */
long double fsi_moment_share(const struct fsi_missing *x, long double usage, long double root)
{
	const long double little = x->root > 0 ? .01L : 0;
	const long double own = usage > x->own + little ? usage - x->own : 0;
	const long double all = root > x->root + little ? root - x->root : 0;

	if (isnan(usage) || isnan(root))
		return NAN;
	if (!(all > 0))
		return 0;
	return own < all ? own / all : 1;
}

static long double moment_norm(const struct fsi_fairshare *f, uint32_t i, const struct fsi_missing *x)
{
	return fsi_moment_share(x, f->share[i].usage_raw + f->share[i].late, f->share[0].usage_raw + f->share[0].late);
}

/* Of the run before. Nobody is taken to have asked for shares between the two. */
static void find_norm_before(struct fsi_fairshare *f, struct fsi_moments *w, const struct fsi_moment_times *last,
			     struct fsi_missing *missing)
{
	struct fsi_moment_times t = { last->before, last->before, last->before, last->run };

	fsi_decay_run_before(&w->rates.decay, t.run - 1, &t.before);
	fsi_moments_fill(w, &t, missing);
	for (uint32_t i = 0; i < f->n; i++)
		f->norm_before[i] = moment_norm(f, i, &missing[i]);
}

/* Accounts are computed in the order of their lists, then users for the sake of jobs, then the others as they are
 * asked for. */
static void find_order(struct fsi_fairshare *f, const struct fsi_moments *w, const struct fsi_moment_times *t)
{
	const uint64_t behind_jobs = never / 2;

	for (uint32_t i = 0; i < f->n; i++) {
		const uint64_t place = fsi_list_place(f, i, i);

		if (!f->m->association.v[i].user)
			f->turn[i] = place;
		else if (w->turn[i] != never)
			f->turn[i] = f->n + w->turn[i];
		else
			f->turn[i] = behind_jobs + (uint64_t)(w->asked[i] - t->run) * f->n + place;
	}
}

int fsi_moments_apply(struct fsi_fairshare *f, const fs_usage *u, bool sums_siblings)
{
	const fs_snapshot *m = f->m;
	const struct fsi_moment_times t = fsi_moment_times(m, u);
	struct fsi_moments w;
	struct fsi_missing *missing = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*missing));

	if (!missing || fsi_moments_init(&w, m, u, sums_siblings ? t.before : t.run, f->arena))
		return -1;
	fsi_moments_fill(&w, &t, missing);
	for (uint32_t i = 0; i < f->n; i++) {
		f->mixed = f->mixed || missing[i].root > 0;
		if (m->tree[i].parent != FSI_NO_INDEX)
			f->share[i].usage_norm = moment_norm(f, i, &missing[i]);
	}
	if (!sums_siblings)
		return 0;
	f->turn = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*f->turn));
	f->norm_before = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*f->norm_before));
	if (!f->turn || !f->norm_before)
		return -1;
	find_order(f, &w, &t);
	find_norm_before(f, &w, &t, missing);
	return 0;
}
