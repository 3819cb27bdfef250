#include "fairshare/narrow.h"

#include "model/find.h"
#include "usage/ledger.h"

#include <math.h>
#include <stdlib.h>

static const uint64_t no_position = UINT64_MAX;

/* ---- the controller's job list */

struct array_task {
	/* `array`: job id of the array; `id`: job id of the task, or no_position for the array's own record, which is
	 * sorted last */
	uint64_t array, id;
	uint32_t row;
};

static int compare_array_tasks(const void *x, const void *y)
{
	const struct array_task *a = x, *b = y;

	if (a->array != b->array)
		return a->array < b->array ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Fills w->job_position with numbers that sort jobs as the controller's job list does:
 *
 *   job outside arrays          its job id, because the list is in the order of ids
 *   first record of an array    job id of the array
 *   other record of an array    job id of the record before it
 *
 * The records of an array are taken in the order of their job ids, and the array's own record is the last one. Reason:
 * a task that is split off an array gets a new id, but takes the array's place in the list. The remaining array moves
 * to the end of the list (src/slurmctld/job_mgr.c:job_array_split). */
static int find_job_positions(struct fsi_norm_times *w)
{
	const fs_snapshot *m = w->m;
	struct array_task *task = malloc((m->job.n + 1) * sizeof(*task));
	size_t n = 0;

	if (!task)
		return -1;
	for (uint32_t k = 0; k < m->job.n; k++) {
		const struct fsi_job *job = &m->job.v[k];

		w->job_position[k] = job->id;
		if (FSI_HAS(job, JOB, array_job_id))
			task[n++] = (struct array_task){ job->array_job_id,
							 job->id == job->array_job_id ? no_position : job->id, k };
	}
	if (n)
		qsort(task, n, sizeof(*task), compare_array_tasks);
	for (size_t i = 0; i < n; i++) {
		const bool first = !i || task[i - 1].array != task[i].array;

		w->job_position[task[i].row] = first ? task[i].array : task[i - 1].id;
	}
	free(task);
	return 0;
}

static int compare_rate_positions(const void *x, const void *y, const void *ctx)
{
	const uint64_t *position = ctx;
	const uint64_t a = position[*(const uint32_t *)x], b = position[*(const uint32_t *)y];

	return (a > b) - (a < b);
}

static int compare_rate_ends(const void *x, const void *y, const void *ctx)
{
	const struct fsi_rate *v = ctx;
	const int64_t a = v[*(const uint32_t *)x].end, b = v[*(const uint32_t *)y].end;

	return (a > b) - (a < b);
}

int fsi_norm_times_init(struct fsi_norm_times *w, const fs_snapshot *m, const fs_usage *u, int64_t from,
			struct fsi_arena *arena)
{
	const size_t rows = m->association.n + 1;
	size_t n;

	*w = (struct fsi_norm_times){ .m = m };
	if (fsi_rates_init(&w->rates, m, u, from, arena))
		return -1;
	n = w->rates.n + 1;
	w->job_position = fsi_arena_array(arena, m->job.n + 1, sizeof(*w->job_position));
	w->rate_position = fsi_arena_array(arena, n, sizeof(*w->rate_position));
	w->first_position = fsi_arena_array(arena, rows, sizeof(*w->first_position));
	w->computed_at = fsi_arena_array(arena, rows, sizeof(*w->computed_at));
	w->by_position = fsi_arena_array(arena, 2 * n, sizeof(*w->by_position));
	w->run_charge = fsi_arena_array(arena, 4 * n, sizeof(*w->run_charge));
	if (!w->job_position || !w->rate_position || !w->first_position || !w->computed_at || !w->by_position ||
	    !w->run_charge || find_job_positions(w))
		return -1;
	w->by_end = w->by_position + n;
	w->later_charge = w->run_charge + n;
	w->run_charge_sum = w->later_charge + n;
	w->later_charge_sum = w->run_charge_sum + n;
	for (uint32_t k = 0; k < w->rates.n; k++) {
		const uint64_t job = w->rates.v[k].job;

		w->rate_position[k] = job == FSI_RATE_OF_ROW ? no_position : w->job_position[fsi_job_find_row(m, job)];
		w->by_position[k] = w->by_end[k] = k;
	}
	return w->rates.n && (fs_sort(w->by_position, w->rates.n, sizeof(*w->by_position), compare_rate_positions,
				      w->rate_position) ||
			      fs_sort(w->by_end, w->rates.n, sizeof(*w->by_end), compare_rate_ends, w->rates.v))
		       ? -1
		       : 0;
}

/* ---- times at which the NormUsage of users is computed */

/* Returns true if the controller computes the NormUsage of the job's user when it computes the priority of the job. If
 * the shares of the user are `parent`, this is true only in versions in which slurmctld stores the factors of all rows
 * (FS_SLURM_DAEMON_FACTOR). */
static bool is_user_computed(const fs_snapshot *m, const struct fsi_job *job, uint32_t row)
{
	return row != FSI_NO_INDEX && m->association.v[row].user && !(FSI_HAS(job, JOB, priority) && !job->priority) &&
	       !FSI_HAS(job, JOB, priority_set) &&
	       (!FSI_SPECIAL(&m->association.v[row], ASSOCIATION, shares) ||
		fs_slurm_has(m->info.version, FS_SLURM_DAEMON_FACTOR));
}

/* Returns true if the decay thread computed a priority for the job in its run at time `run`. `running_too`: the
 * thread also computes priorities of running jobs (CALCULATE_RUNNING). */
static bool was_in_calculation(const struct fsi_job *job, int64_t run, bool running_too)
{
	const bool pending = job->state == FSI_STATE_PENDING || !FSI_HAS(job, JOB, start_time) || job->start_time > run;
	const bool over = !pending && job->state != FSI_STATE_RUNNING && job->state != FSI_STATE_SUSPENDED &&
			  FSI_HAS(job, JOB, end_time) && job->end_time <= run;

	if (!FSI_HAS(job, JOB, submit_time) || job->submit_time >= run)
		return false;
	return pending || (running_too && !over);
}

static void find_user_positions(struct fsi_norm_times *w, const struct fsi_calc_times *t)
{
	const fs_snapshot *m = w->m;
	const bool running_too = fsi_config_list_has(m, "PriorityFlags", "CALCULATE_RUNNING");
	const bool weighted = fsi_config_get_int(m, "PriorityWeightFairShare", 0) > 0;

	for (uint32_t i = 0; i < m->association.n; i++) {
		w->first_position[i] = no_position;
		w->computed_at[i] = t->shares_request;
	}
	for (uint32_t k = 0; weighted && k < m->job.n; k++) {
		const struct fsi_job *job = &m->job.v[k];
		const uint32_t row = fsi_job_find_assoc(m, job);

		if (!is_user_computed(m, job, row))
			continue;
		if (was_in_calculation(job, t->run, running_too)) {
			if (w->job_position[k] < w->first_position[row])
				w->first_position[row] = w->job_position[k];
		} else if (FSI_HAS(job, JOB, submit_time) && job->submit_time >= t->run &&
			   job->submit_time < w->computed_at[row]) {
			w->computed_at[row] = job->submit_time;
		}
	}
}

/* ---- uncharged usage */

/* Returns the sum of the job's charges after the decay run at t->run: the charge by the later decay run at t->until,
 * and the charge at the job's end. `decay`: factor by which the later decay run reduces earlier charges. */
static long double sum_later_charges(const struct fsi_norm_times *w, const struct fsi_rate *r,
				     const struct fsi_calc_times *t, double decay)
{
	const bool over = r->end != INT64_MAX, later = r->end > t->until;
	long double sum = later ? fsi_rate_charge(&w->rates, r, t->run, t->until) : 0;

	if (over && w->rates.decay.charges_job_end)
		sum += later ? fsi_rate_charge(&w->rates, r, t->until, r->end)
			     : decay * fsi_rate_charge(&w->rates, r, t->run, r->end);
	return sum;
}

static void find_rate_charges(struct fsi_norm_times *w, const struct fsi_calc_times *t)
{
	const double decay = pow(w->rates.decay.f, (double)(t->until - t->run));
	const size_t n = w->rates.n;

	for (size_t k = 0; k < n; k++) {
		const struct fsi_rate *r = &w->rates.v[k];

		w->run_charge[k] = r->end > t->run ? decay * fsi_rate_charge(&w->rates, r, t->previous_run, t->run) : 0;
		w->later_charge[k] = sum_later_charges(w, r, t, decay);
	}
	w->run_charge_sum[n] = w->later_charge_sum[n] = 0;
	for (size_t i = n; i-- > 0;) {
		w->run_charge_sum[i] = w->run_charge_sum[i + 1] + w->run_charge[w->by_position[i]];
		w->later_charge_sum[i] = w->later_charge_sum[i + 1] + w->later_charge[w->by_end[i]];
	}
}

static long double sum_charges_after(const struct fsi_norm_times *w, uint64_t position)
{
	size_t lo = 0, hi = w->rates.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (w->rate_position[w->by_position[mid]] <= position)
			lo = mid + 1;
		else
			hi = mid;
	}
	return w->run_charge_sum[lo];
}

static long double sum_charges_ended_after(const struct fsi_norm_times *w, int64_t time)
{
	size_t lo = 0, hi = w->rates.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (w->rates.v[w->by_end[mid]].end <= time)
			lo = mid + 1;
		else
			hi = mid;
	}
	return w->later_charge_sum[lo];
}

static long double get_user_uncharged(const struct fsi_norm_times *w, size_t k)
{
	const uint32_t row = w->rates.v[k].row;

	if (w->first_position[row] != no_position)
		return w->later_charge[k] + (w->rate_position[k] > w->first_position[row] ? w->run_charge[k] : 0);
	return w->rates.v[k].end > w->computed_at[row] ? w->later_charge[k] : 0;
}

void fsi_norm_times_fill(struct fsi_norm_times *w, const struct fsi_calc_times *t, struct fsi_uncharged *out)
{
	const fs_snapshot *m = w->m;

	find_rate_charges(w, t);
	find_user_positions(w, t);
	for (uint32_t i = 0; i < m->association.n; i++) {
		out[i].own = 0;
		out[i].root = w->run_charge_sum[0] + w->later_charge_sum[0];
		if (m->association.v[i].user)
			out[i].root = w->first_position[i] != no_position
					      ? w->later_charge_sum[0] + sum_charges_after(w, w->first_position[i])
					      : sum_charges_ended_after(w, w->computed_at[i]);
	}
	for (size_t k = 0; k < w->rates.n; k++)
		for (uint32_t i = w->rates.v[k].row; i != FSI_NO_INDEX; i = m->tree[i].parent)
			out[i].own += m->association.v[i].user ? get_user_uncharged(w, k)
							       : w->run_charge[k] + w->later_charge[k];
}

struct fsi_calc_times fsi_find_calc_times(const fs_snapshot *m, const fs_usage *u)
{
	struct fsi_calc_times t = { m->info.priority_time, m->info.priority_time_before, m->info.shares_time, 0 };

	if (u)
		t.shares_request = u->decay.at;
	if (u && u->decay.last != t.run) {
		t.run = u->decay.last;
		fsi_decay_run_before(&u->decay, t.run - 1, &t.previous_run);
	}
	t.until = t.run;
	return t;
}

/* The usage of the snapshot has few digits. If uncharged usage is subtracted from this usage, the result may therefore
 * be negative or tiny. A negative or tiny result counts as 0. */
long double fsi_compute_norm_usage(const struct fsi_uncharged *x, long double usage, long double root)
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

static long double compute_row_norm(const struct fsi_fairshare *f, uint32_t i, const struct fsi_uncharged *x)
{
	return fsi_compute_norm_usage(x, f->share[i].usage_raw + f->share[i].late_usage,
				      f->share[0].usage_raw + f->share[0].late_usage);
}

/* Sets f->previous_norm to the usage_norm that each association had after the decay thread's previous run. Assumes that
 * nobody requested shares between the last two runs. */
static void find_previous_norms(struct fsi_fairshare *f, struct fsi_norm_times *w, const struct fsi_calc_times *last,
				struct fsi_uncharged *uncharged)
{
	struct fsi_calc_times t = { last->previous_run, last->previous_run, last->previous_run, last->run };

	fsi_decay_run_before(&w->rates.decay, t.run - 1, &t.previous_run);
	fsi_norm_times_fill(w, &t, uncharged);
	for (uint32_t i = 0; i < f->n; i++)
		f->previous_norm[i] = compute_row_norm(f, i, &uncharged[i]);
}

/* Sets f->eval_order: Slurm evaluates accounts in list order, then users in the order of their first jobs, then other
 * users when somebody requests shares. */
static void find_eval_order(struct fsi_fairshare *f, const struct fsi_norm_times *w, const struct fsi_calc_times *t)
{
	const uint64_t after_jobs = no_position / 2;

	for (uint32_t i = 0; i < f->n; i++) {
		const uint64_t position = fsi_get_list_position(f, i, i);

		if (!f->m->association.v[i].user)
			f->eval_order[i] = position;
		else if (w->first_position[i] != no_position)
			f->eval_order[i] = f->n + w->first_position[i];
		else
			f->eval_order[i] = after_jobs + (uint64_t)(w->computed_at[i] - t->run) * f->n + position;
	}
}

int fsi_norm_times_apply(struct fsi_fairshare *f, const fs_usage *u, bool sums_siblings)
{
	const fs_snapshot *m = f->m;
	const struct fsi_calc_times t = fsi_find_calc_times(m, u);
	struct fsi_norm_times w;
	struct fsi_uncharged *uncharged = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*uncharged));

	if (!uncharged || fsi_norm_times_init(&w, m, u, sums_siblings ? t.previous_run : t.run, f->arena))
		return -1;
	fsi_norm_times_fill(&w, &t, uncharged);
	for (uint32_t i = 0; i < f->n; i++) {
		f->usage_times_differ = f->usage_times_differ || uncharged[i].root > 0;
		if (m->tree[i].parent != FSI_NO_INDEX)
			f->share[i].usage_norm = compute_row_norm(f, i, &uncharged[i]);
	}
	if (!sums_siblings)
		return 0;
	f->eval_order = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*f->eval_order));
	f->previous_norm = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*f->previous_norm));
	if (!f->eval_order || !f->previous_norm)
		return -1;
	find_eval_order(f, &w, &t);
	find_previous_norms(f, &w, &t, uncharged);
	return 0;
}
