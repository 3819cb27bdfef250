#include "base/memory.h"
#include "usage/decay.h"

#include "base/num.h"
#include "model/jobs.h"
#include "model/scheduler.h"
#include "usage/billing.h"

#include <math.h>
#include <stdlib.h>

int fsi_parse_config_seconds(const fs_snapshot *m, const char *name, int64_t default_s, int64_t *out,
			     struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);
	const struct fsi_input_position where = { m->file, e ? e->line : 0, 0 };

	*out = default_s;
	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT || e->i < 0 || e->i > FSI_SECONDS_MAX)
		return fsi_fail_at(err, where, name, "expected seconds, not negative");
	*out = e->i;
	return 0;
}

/* ---- runs of the decay thread */

bool fsi_decay_run_before(const struct fsi_decay *d, int64_t t, int64_t *out)
{
	if (d->grid_is_endless || t >= d->grid) {
		*out = d->grid + fsi_divide_rounding_down(t - d->grid, d->period_s) * d->period_s;
		return true;
	}
	for (size_t i = d->runs; i-- > 0;)
		if (d->run[i] <= t) {
			*out = d->run[i];
			return true;
		}
	return false;
}

int64_t fsi_decay_run_after(const struct fsi_decay *d, int64_t t)
{
	if (!d->grid_is_endless && t < d->grid) {
		for (size_t i = 0; i < d->runs; i++)
			if (d->run[i] > t)
				return d->run[i];
		return d->grid;
	}
	return d->grid + (fsi_divide_rounding_down(t - d->grid, d->period_s) + 1) * d->period_s;
}

static int find_known_runs(struct fsi_decay *d, const fs_snapshot *m, const struct fs_usage_options *o,
			   struct fsi_arena *arena)
{
	int64_t boot;

	d->grid = d->base;
	d->run = fsi_arena_array(arena, (o ? o->nruns : 0) + 1, sizeof(*d->run));
	if (!d->run)
		return -1;
	for (size_t i = 0; o && i < o->nruns; i++)
		if (o->runs[i] < d->base)
			d->run[d->runs++] = o->runs[i];
	qsort(d->run, d->runs, sizeof(*d->run), fsi_compare_rising_i64);
	if (d->runs)
		return 0;
	d->grid_is_endless = !fsi_controller_start_time(m, &boot);
	if (!d->grid_is_endless && boot < d->base)
		d->grid -= (d->base - boot) / d->period_s * d->period_s;
	return 0;
}

int64_t fsi_decay_first_run(const struct fsi_decay *d)
{
	if (d->grid_is_endless)
		return INT64_MIN;
	return d->runs ? d->run[0] : d->grid;
}

int fsi_decay_init(struct fsi_decay *d, const fs_snapshot *m, const struct fs_usage_options *o,
		   struct fsi_arena *arena, struct fs_error *err)
{
	const struct fsi_charging *charging = m->scheduler->charging;
	int rc;

	*d = (struct fsi_decay){ .model = o ? o->decay : FS_DECAY_OF_SCHEDULER };
	if (d->model == FS_DECAY_OF_SCHEDULER)
		d->model = charging->decay;
	if (charging->decay != FS_DECAY_SLURM && d->model == FS_DECAY_SLURM)
		return fsi_fail_with_code(err, FS_EUSAGE, "--decay=slurm does not apply to usage of %s; use --decay=exact",
					  charging->who);
	if (!m->config.n)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: cannot compute usage: the snapshot lacks the scheduler's configuration", m->file);
	rc = fsi_parse_config_seconds(m, charging->half_life, FSI_DEFAULT_HALF_LIFE, &d->half_life_s, err);
	if (!rc)
		rc = fsi_parse_config_seconds(m, "PriorityCalcPeriod", 0, &d->period_s, err);
	if (rc)
		return rc;
	d->period_s = fsi_priority_calc_period(m);
	d->at = o && o->at_set ? o->at : m->info.time;
	if (d->at < m->info.time || d->at > FSI_SECONDS_MAX)
		return fsi_fail_with_code(err, FS_EUSAGE,
					  "the requested time (--at) is before the snapshot's time or too far in the future");
	d->f = 1;
	if (d->half_life_s)
		d->f = d->model == FS_DECAY_SLURM ? 1 - 0.693 / (double)d->half_life_s
						  : pow(2, -1 / (double)d->half_life_s);
	d->f = d->f > 0 ? d->f : 0;
	d->log_f = d->f > 0 ? log(d->f) : -INFINITY;
	if (d->half_life_s && d->model == FS_DECAY_EXACT)
		d->log_f = -log(2) / (double)d->half_life_s;
	d->charges_job_end = fsi_config_list_has(m, "AccountingStorageEnforce", "limits");
	d->base = m->info.priority_time;
	if (find_known_runs(d, m, o, arena))
		return fsi_fail_no_memory(err);
	d->last = d->base;
	fsi_decay_run_before(d, d->at, &d->last);
	return charging->reset(d, m, err);
}

/* ---- decayed seconds */

static double compute_decay_factor(const struct fsi_decay *d, int64_t seconds)
{
	return seconds <= 0 || d->log_f == 0 ? 1 : exp(d->log_f * (double)seconds);
}

/* Returns the decayed number of seconds in [a, b), as of time t. Each second decays from its own time until t. */
static double decay_seconds_continuously(const struct fsi_decay *d, int64_t a, int64_t b, int64_t t)
{
	if (b <= a)
		return 0;
	if (d->log_f == 0)
		return (double)(b - a);
	if (isinf(d->log_f))
		return 0;
	return compute_decay_factor(d, t - b) * -expm1(d->log_f * (double)(b - a)) / -d->log_f;
}

double fsi_decay_at_once(const struct fsi_decay *d, int64_t seconds)
{
	return (double)seconds * compute_decay_factor(d, seconds);
}

/* Returns the decayed run time in n successive calculation periods, as of d->last, in seconds. Each period lasts
 * d->period_s and ends with a run of the decay thread. `first`: end of the first period. */
static double decay_whole_periods(const struct fsi_decay *d, int64_t first, int64_t n)
{
	const double q = compute_decay_factor(d, d->period_s),
		     newest = compute_decay_factor(d, d->last - (first + (n - 1) * d->period_s));

	if (n <= 0)
		return 0;
	if (q == 1)
		return fsi_decay_at_once(d, d->period_s) * (double)n;
	return fsi_decay_at_once(d, d->period_s) * newest * -expm1(d->log_f * (double)d->period_s * (double)n) /
	       (1 - q);
}

/* Returns the number of the job's seconds in [a, end), each reduced by its decay until d->last. `a` is at or after the
 * first known run of the decay thread. */
static double decay_seconds_by_runs(const struct fsi_decay *d, int64_t a, int64_t end, bool ended)
{
	double sum = 0;

	while (a < end) {
		const int64_t next = fsi_decay_run_after(d, a);
		const bool regular = d->grid_is_endless || a >= d->grid;
		int64_t before = a;

		if (ended && end <= next) {
			fsi_decay_run_before(d, a, &before);
			return sum + (d->charges_job_end ? fsi_decay_at_once(d, end - a) *
								   compute_decay_factor(d, d->last - before)
							 : 0);
		}
		if (next > d->last)
			return sum;
		sum += fsi_decay_at_once(d, next - a) * compute_decay_factor(d, d->last - next);
		a = next;
		if (regular) {
			const int64_t until = ended && end - 1 < d->last ? end - 1 : d->last;
			const int64_t n = (until - a) / d->period_s;

			if (n > 0) {
				sum += decay_whole_periods(d, a + d->period_s, n);
				a += n * d->period_s;
			}
		}
	}
	return sum;
}

static double decay_slurm_seconds(const struct fsi_decay *d, int64_t start, int64_t end, bool ended)
{
	const int64_t first = fsi_decay_first_run(d);
	double sum = 0;

	if (start < first) {
		const int64_t upto = end < first ? end : first;

		sum = decay_seconds_continuously(d, start, upto, first) * compute_decay_factor(d, d->last - first);
		start = upto;
	}
	return start < end ? sum + decay_seconds_by_runs(d, start, end, ended) : sum;
}

double fsi_decay_seconds(const struct fsi_decay *d, int64_t start, int64_t end, bool ended, int64_t from)
{
	int64_t a = start > from ? start : from, b = ended && end < d->at ? end : d->at, run;

	if (d->has_reset) {
		int64_t since = d->reset;

		if (d->model == FS_DECAY_SLURM) {
			if (ended && end < d->reset_run)
				return 0;
			if (fsi_decay_run_before(d, d->reset_run - 1, &run))
				since = run;
		}
		a = a > since ? a : since;
	}
	if (a >= b)
		return 0;
	if (d->model == FS_DECAY_EXACT)
		return decay_seconds_continuously(d, a, b, d->at);
	return decay_slurm_seconds(d, a, ended ? b : INT64_MAX, ended);
}

double fsi_decay_factor_at(const struct fsi_decay *d, int64_t t)
{
	return compute_decay_factor(d, (d->model == FS_DECAY_SLURM ? d->last : d->at) - t);
}

double fsi_decay_recorded(const struct fsi_decay *d)
{
	if (d->has_reset && (d->model == FS_DECAY_SLURM ? d->reset_run : d->reset) > d->base)
		return 0;
	return fsi_decay_factor_at(d, d->base);
}

double fsi_decay_half_lives(const struct fsi_decay *d, double n)
{
	return d->half_life_s ? exp(d->log_f * (double)d->half_life_s * n) : 1;
}

double fs_usage_half_life(const fs_snapshot *s)
{
	const struct fsi_charging *charging = s->scheduler->charging;

	return charging ? fs_snapshot_config_number(s, charging->half_life) : (double)NAN;
}
