/* Prepares a forecast: collects the share tree and the running jobs, and computes the times of the scheduler's priority
 * calculations. Also makes the lists of the priority calculations and of the jobs that the forecast examines. */
#include "base/memory.h"
#include "forecast/forecast.h"

#include "model/find.h"
#include "model/scheduler.h"

#include <math.h>

/* ---- the share tree: the parent of each share row */

static int link_share_parents(struct fs_forecast *f)
{
	const fs_shares *s = f->o.eval->shares;
	const size_t n = s ? fs_shares_count(s) : 0;

	f->parent = fsi_arena_array(&f->arena, n + 1, sizeof(*f->parent));
	f->is_paired = fsi_arena_array(&f->arena, n + 1, sizeof(*f->is_paired));
	if (!f->parent || !f->is_paired)
		return -1;
	for (size_t i = 0; i < n; i++) {
		uint32_t p = fs_shares_row(s, i)->parent_row;

		while (p != FS_NO_ROW && fs_shares_row(s, p)->parent_row != FS_NO_ROW &&
		       fs_shares_row(s, p)->shares_kind == FS_SHARES_PARENT)
			p = fs_shares_row(s, p)->parent_row;
		f->parent[i] = p;
	}
	return 0;
}

/* Sets f->rate: divides the charges of all running jobs among the users in proportion to their shares. The charges of a
 * row are those of its parent times the row's shares, divided by the sum of the shares of the row and its siblings. */
static int set_share_rates(struct fs_forecast *f)
{
	const fs_shares *s = f->o.eval->shares;
	const size_t n = s ? fs_shares_count(s) : 0;
	double *part = fsi_arena_array(&f->arena, n + 1, sizeof(*part)),
	       *sum = fsi_arena_array(&f->arena, n + 1, sizeof(*sum));

	f->rate = fsi_arena_array(&f->arena, n + 1, sizeof(*f->rate));
	if (!part || !sum || !f->rate)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(s, i);

		if (f->parent[i] != FS_NO_ROW && r->counted && r->shares_kind == FS_SHARES_NUMBER)
			sum[f->parent[i]] += r->raw_shares;
	}
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(s, i);
		const uint32_t p = f->parent[i];

		part[i] = p == FS_NO_ROW ? 1 : 0;
		if (p != FS_NO_ROW && r->counted && r->shares_kind == FS_SHARES_NUMBER && sum[p] > 0)
			part[i] = part[p] * r->raw_shares / sum[p];
		f->rate[i] = *r->user ? part[i] * f->running_rate : 0;
	}
	return 0;
}

/* ---- the priority calculations and the jobs that the forecast examines */

static int64_t get_later_time(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int record_running_charge(void *ctx, const struct fs_charge *c)
{
	struct fs_forecast *f = ctx;
	fsi_calculation end;

	if (!c->running)
		return 0;
	f->running_rate += c->row == FS_NO_ROW ? 0 : c->rate * c->factor;
	if (c->end_time == FS_UNLIMITED)
		return 0;
	end = fsi_forecast_calculation_at(f, c->end_time);
	/* fsi_forecast_add_calculation cannot be used here, because f->range.horizon is not set yet */
	for (fsi_calculation k = end - 1; k <= end + f->clock.lag; k++) {
		if (FSI_VEC_RESERVE(&f->calculations.end))
			return FS_ENOMEM;
		f->calculations.end.v[f->calculations.end.n++] = k;
	}
	return 0;
}

/* Collects the ends and charge rates of running jobs. Computes usage 100 years after the snapshot, because by then
 * every job with a time limit has ended. The computation of usage passes the end and the rate of each job to
 * record_running_charge. */
static int collect_running_jobs(struct fs_forecast *f)
{
	const int64_t ages = INT64_C(100) * 365 * 86400;
	const struct fs_usage_options o = {
		.at_set = true, .at = f->clock.now + ages, .charge = record_running_charge, .charge_ctx = f
	};
	fs_usage *u = NULL;
	int rc = fs_usage_begin(&u, f->m, &o, f->err);

	if (!rc)
		rc = fs_usage_finish(u, f->err);
	fs_usage_free(u);
	fsi_forecast_sort_calculations(&f->calculations.end);
	return rc;
}

static int start_usage_clock(struct fs_forecast *f)
{
	const struct fs_usage_options o = { .totals_only = true };
	struct fs_usage_info info;
	int rc = fs_usage_begin(&f->recorded_usage, f->m, &o, f->err);

	if (!rc)
		rc = fs_usage_finish(f->recorded_usage, f->err);
	if (rc)
		return rc;
	fs_usage_info(f->recorded_usage, &info);
	f->clock.base = info.last_run;
	f->clock.period_s = info.period_s;
	f->clock.lag = !fs_shares_has_levels(f->o.eval->shares);
	f->clock.half_life_s = info.half_life_s;
	if (isnan(fs_usage_total(f->recorded_usage, 0)))
		return fsi_fail_with_code(f->err, FS_ENODATA,
					  "the usage of some accounts or users is not in the snapshot");
	return 0;
}

static int find_reset_time(struct fs_forecast *f, fsi_calculation k, int64_t *out)
{
	const struct fs_usage_options o = { .at_set = true, .at = fsi_forecast_time_of(f, k) };
	struct fs_usage_info info;
	fs_usage *u = NULL;
	const int rc = fs_usage_begin(&u, f->m, &o, f->err);

	if (!rc)
		fs_usage_info(u, &info);
	*out = rc ? INT64_MIN : info.reset_time;
	fs_usage_free(u);
	return rc;
}

/* Sets the horizon to 20 half-lives after the end of the forecast, or after the last end of a running job if this end
 * is later. Present usage is then negligible, but still larger than rounding errors. Without decay, 20 years take the
 * place of the 20 half-lives. If usage is reset periodically, the horizon is the end of the forecast. */
static int set_decay_horizon(struct fs_forecast *f)
{
	const int64_t half_lives = 20, year = 365 * 86400;
	const fsi_calculation last = f->calculations.end.n ? f->calculations.end.v[f->calculations.end.n - 1] : 0,
			      until = get_later_time(f->range.until, last);
	int64_t now, then;
	int rc;

	f->range.horizon = fsi_forecast_calculation_at(
		f, fsi_forecast_time_of(f, until) + half_lives * (f->clock.half_life_s ? f->clock.half_life_s : year));
	rc = find_reset_time(f, 0, &now);
	if (!rc)
		rc = find_reset_time(f, f->range.horizon, &then);
	if (rc)
		return rc;
	f->range.endless = now == then;
	if (!f->range.endless)
		f->range.horizon = f->range.until;
	return 0;
}

/* Adds calculations k - 1 and k to f->calculations.mark, because the growth rate of usage changes at k. Also adds
 * calculation k + f->clock.lag, because the usage_norm of accounts lags behind usage by f->clock.lag calculations. */
static int add_usage_bend(struct fs_forecast *f, fsi_calculation k)
{
	return fsi_forecast_add_change(f, &f->calculations.mark, k) ||
	       fsi_forecast_add_calculation(f, &f->calculations.mark, k + f->clock.lag);
}

static int add_reset_calculations(struct fs_forecast *f)
{
	int64_t before, at;
	int rc = f->range.endless ? 0 : find_reset_time(f, 0, &before);

	for (size_t i = 1; i < f->o.points && !f->range.endless && !rc; i++, before = at) {
		const int64_t t = f->point[0][i].time;

		rc = find_reset_time(f, fsi_forecast_calculation_at(f, t), &at);
		if (rc || at == before || at == INT64_MIN)
			continue;
		f->reset = f->reset == FS_UNKNOWN ? at : f->reset;
		if (add_usage_bend(f, fsi_forecast_calculation_at(f, at)) ||
		    add_usage_bend(f, fsi_forecast_calculation_at(f, f->clock.base + t - at)))
			rc = FS_ENOMEM;
	}
	return rc;
}

int fsi_forecast_mark_points(struct fs_forecast *f)
{
	const size_t n = f->o.points;

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		f->point[a] = fsi_arena_array(&f->arena, n, sizeof(**f->point));
		if (!f->point[a])
			return -1;
	}
	for (size_t i = 0; i < n; i++) {
		const fsi_calculation k = f->range.until * (fsi_calculation)i / (fsi_calculation)(n - 1);

		for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
			f->point[a][i].time = fsi_forecast_time_of(f, k);
		if (fsi_forecast_add_calculation(f, &f->calculations.mark, k))
			return -1;
	}
	return add_usage_bend(f, 1) || fsi_forecast_add_change(f, &f->calculations.mark, f->range.horizon);
}

/* Adds the priority calculation at which the age factor of a job becomes full to the calculations that the forecast
 * examines. For the followed job, also records an event if this calculation is not after the end of the forecast. */
static int add_full_age(struct fs_forecast *f, const fs_prios *p, uint32_t job)
{
	const size_t term = fs_prios_find_term(p, FS_FACTOR_AGE), row = fsi_forecast_find_job_row(f, p, job);
	struct fs_forecast_event e = fsi_forecast_make_event(f, FSI_ALL_ASSUMPTIONS, FS_FORECAST_AGE_FULL);
	struct fs_prio_inputs in;
	fsi_calculation k;

	if (term == FS_NO_ROW || row == FS_NO_ROW || fs_prios_weights(p)[term].weight == 0)
		return 0;
	fs_prios_inputs(p, row, term, &in);
	if (in.rule != FS_INPUTS_AGE || in.since == FS_UNKNOWN || in.have >= in.of)
		return 0;
	k = fsi_forecast_calculation_at(f, in.since + (int64_t)ceil(in.of));
	e.time = fsi_forecast_time_of(f, k);
	if (job == f->o.job_row && k <= f->range.until && fsi_forecast_record_event(f, &e))
		return -1;
	return fsi_forecast_add_change(f, &f->calculations.mark, k);
}

static int add_full_ages(struct fs_forecast *f)
{
	struct fsi_forecast_state s;
	int rc = f->njobs ? fsi_forecast_compute_state(f, FS_ASSUME_IDLE, 1, FSI_STATE_PRIOS, &s) : 0;

	for (size_t i = 0; i < f->njobs && !rc; i++)
		rc = add_full_age(f, s.prios, f->job[i]) ? FS_ENOMEM : 0;
	if (f->njobs)
		fsi_forecast_release_state(&s);
	return rc;
}

int fsi_forecast_list_jobs(struct fs_forecast *f)
{
	if (f->o.job_row == FS_NO_ROW || !f->o.eval->prios)
		return 0;
	if (fsi_forecast_find_rivals(f))
		return -1;
	f->job = fsi_arena_array(&f->arena, f->rival.n + 1, sizeof(*f->job));
	if (!f->job)
		return -1;
	f->job[f->njobs++] = f->o.job_row;
	for (size_t i = 0; i < f->rival.n; i++)
		f->job[f->njobs++] = f->rival.v[i].job;
	qsort(f->job, f->njobs, sizeof(*f->job), fsi_compare_rising_u32);
	return 0;
}

static int list_sibling_pairs(struct fs_forecast *f)
{
	if (fsi_forecast_add_pairs(f, f->row, true))
		return -1;
	for (size_t i = 0; i < f->rival.n; i++)
		if (fsi_forecast_add_pairs(f, fsi_job_find_assoc(f->m, &f->m->job.v[f->rival.v[i].job]), false))
			return -1;
	return 0;
}

int fsi_forecast_set_end(struct fs_forecast *f)
{
	f->range.until = fsi_forecast_calculation_at(f, f->o.until);
	return f->range.until < 1 || f->o.until <= f->clock.now || f->o.points < 2
		       ? fsi_fail_with_code(f->err, FS_EUSAGE,
					    "the end of a forecast must be after the snapshot's time")
		       : 0;
}

int fsi_forecast_prepare_decay(struct fs_forecast *f)
{
	int rc;

	if (f->row == FS_NO_ROW && f->o.job_row != FS_NO_ROW && f->o.eval->shares)
		f->row = fsi_job_find_assoc(f->m, &f->m->job.v[f->o.job_row]);
	if (fsi_is_type_hidden(f->m, "association"))
		return fsi_fail_with_code(f->err, FS_ENODATA,
					  "part of the association tree was hidden from the capture");
	if (!f->o.eval->shares || fs_shares_count(f->o.eval->shares) != f->m->association.n)
		return fsi_fail_with_code(f->err, FS_ENODATA, "the snapshot has no association tree with known shares");
	if (f->row == FS_NO_ROW && f->o.job_row == FS_NO_ROW)
		return fsi_fail_with_code(f->err, FS_ENODATA, "the user is not in the association tree");
	rc = start_usage_clock(f);
	if (rc)
		return rc;
	rc = fsi_forecast_set_end(f);
	if (rc)
		return rc;
	if (link_share_parents(f) || fsi_forecast_list_jobs(f) || list_sibling_pairs(f))
		return FS_ENOMEM;
	rc = collect_running_jobs(f);
	if (!rc && set_share_rates(f))
		rc = FS_ENOMEM;
	if (!rc)
		rc = set_decay_horizon(f);
	if (!rc && fsi_forecast_mark_points(f))
		rc = FS_ENOMEM;
	if (!rc)
		rc = add_reset_calculations(f);
	return rc ? rc : add_full_ages(f);
}
